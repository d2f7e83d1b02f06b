/*
 * A running Octavo: nginx, the worker pools and the job runner of one data
 * directory, as `octavo up` starts them on a personal machine. (Servers use
 * systemd and their own web server instead.)
 *
 * One supervisor process owns all others: it starts them, restarts those that
 * die, and stops them when it gets a signal. Its files, all below the data
 * directory:
 *
 *   run/lock         locked (flock) as long as a supervisor lives; the only sign
 *                    that one is running
 *   run/state        ports and process ids, for status, reload and down;
 *                    replaced atomically by rename
 *   run/NAME.sock    FastCGI sockets of api and site
 *   run/nginx.conf   generated from nginx/up.conf and nginx/locations.conf
 *   log/NAME.log     one per child; nginx writes access.log and nginx.log
 *
 * A process id is trusted only together with the start time of its process and
 * the machine's boot id, so that a reused id is never signalled. The kernel
 * sends SIGTERM to the children when the supervisor is killed.
 */
#ifndef OCTAVO_SERVICE_H
#define OCTAVO_SERVICE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/arena.h"

enum service_part { PART_API, PART_SITE, PART_JOBS, PART_NGINX, PARTS };

/* Identifies a process; pid 0: none. */
struct process {
	pid_t   pid;
	int64_t start;    /* clock ticks since boot, from /proc/PID/stat */
};

struct service {
	struct arena  *arena;
	const char    *dir;       /* data directory, absolute, checked by service_check_dir() */
	int            port;
	int            workers;   /* number of octavo-api workers; octavo-site has SERVICE_SITE_WORKERS */
	int            rate;      /* requests per second for one token; 0: no limit */
	const char    *url;       /* public base URL, no slash at the end */
	int64_t        max_body;  /* limit of a request body, bytes */
	int64_t        request_seconds;  /* a worker whose request takes longer is killed (base/watch.h) */
	int64_t        started;   /* ms since 1970 */
	struct process supervisor;
	struct process parts[PARTS];
	/* Absolute paths of programs. site and jobs may be NULL: they are then not started. */
	const char    *nginx, *spawn_fcgi, *multiwatch, *api, *site, *jobs;
};

#define SERVICE_SITE_WORKERS 2
#define SERVICE_MAX_WORKERS  256

extern const char *const service_names[PARTS];   /* "api", "site", "jobs", "nginx" */

/*
 * Returns the path of one of our programs: next to this one, or where `make install` puts it; NULL:
 * it is at neither place.
 */
const char *service_program(struct arena *a, const char *name);

/*
 * Returns why service_program() returned NULL: the program is missing, or this user cannot access
 * its folder.
 */
const char *service_missing(struct arena *a, const char *name);

/*
 * Returns NULL, or why this directory cannot hold a service: its path is unsuitable, or it was not
 * initialised.
 */
const char *service_check_dir(struct arena *a, const char *dir);

/* Stops the service of `octavo up` and waits until it has ended. Returns NULL, or an error. */
const char *service_down(struct service *s, bool *was_running);

/* Sets the programs' paths. Returns NULL, or which program is missing and how to get it. */
const char *service_find_programs(struct service *s);

/* Returns the path DIR/run/NAME or DIR/log/NAME. */
const char *service_path(const struct service *s, const char *folder, const char *name);

/* service_state.c: who runs. */

/*
 * Takes the lock. Returns its descriptor, or -1: a supervisor holds the lock (errno EWOULDBLOCK),
 * or the lock file could not be opened.
 */
int service_lock(const struct service *s);

/* Reads run/state into s; false if it is missing or from an earlier boot. */
bool service_read_state(struct service *s);
bool service_write_state(const struct service *s);
void service_drop_state(const struct service *s);

/* Fills s from the running service; false if none is running. */
bool service_find_running(struct service *s);

/*
 * True if a process of the part is left, be it one whose parent was killed: without the supervisor and their
 * multiwatch, workers go on, and hold the socket.
 */
bool service_part_left(const struct service *s, int part);

/* Sets the environment variables from which the programs read their settings. */
void service_set_environment(const struct service *s);

int64_t process_start(pid_t pid);            /* -1: no such process, or it has ended */
struct process process_of(pid_t pid);
bool process_alive(struct process p);

/* Lists the child processes of a process, at most max. Returns their number. */
size_t process_children(pid_t parent, struct process *out, size_t max);

/* service_holders.c */

/* A process that has octavo.db open. */
struct holder {
	pid_t       pid;
	const char *name;    /* "" if not known */
	const char *unit;    /* its systemd unit if the name contains "octavo"; NULL: none */
};

/*
 * Reads a file of /proc/PID; NUL separators (of arguments or settings) become newlines; "" if it
 * cannot be read.
 */
const char *service_proc(struct arena *a, pid_t pid, const char *name);

/*
 * Lists the other processes that have DIR/octavo.db open, at most max. Call it before this process
 * opens the database.
 */
size_t service_holders(struct arena *a, const char *dir, struct holder *out, size_t max);

/*
 * Lists only the Octavo programs among them; *count: size of out, then the number found. Returns
 * their units as text for a command line, NULL: none.
 */
const char *service_foreign(struct arena *a, const char *dir, struct holder *out, size_t *count);

/* Returns the unit that the text of /proc/PID/cgroup names, or NULL. */
const char *service_unit_of(struct arena *a, const char *cgroup);

/* service_conf.c */

/* Returns the text of run/nginx.conf for this service. */
const char *service_conf(const struct service *s);

/* Writes run/nginx.conf if its text changed, and sets *changed. False: it could not be written. */
bool service_write_conf(const struct service *s, bool *changed);

/* service_run.c */

/*
 * Turns this process into the supervisor: starts all programs, writes one line to `tell` ("ok", or
 * an error) and closes it, runs until SIGTERM or SIGINT, then stops all programs. Returns the exit
 * status. Holds `lock` until it returns.
 */
int service_supervise(struct service *s, int lock, int tell, bool foreground);

/*
 * Copies the contents of octavo.db-wal into octavo.db, so that this file alone is complete. No
 * program may be running.
 */
void service_checkpoint(const struct service *s);

/* Ends processes orphaned by a killed supervisor. */
void service_sweep(struct service *s);

/*
 * service_trial.c: runs octavo-api and octavo-site on trial. Returns NULL, or which one fails, with
 * its message.
 */
const char *service_try_programs(const struct service *s);

/* service_probe.c */

/* Returns the status of GET /v1/ on loopback, 0 if there was no answer. */
int service_probe(int port);

/*
 * Checks that the port is free on the addresses of localhost; if *port is 0, chooses a free one. Returns 0, or an
 * errno.
 */
int service_claim_port(int *port);

/* True if this machine has the loopback address of IPv6, which a client may take for localhost first. */
bool service_has_ipv6(void);

/* Reads a pipe until its end. */
const char *service_read_all(struct arena *a, int fd);

/* Sleeps for ms milliseconds. */
void service_sleep(int ms);

/* Returns the last lines of a log file for an error message; "" if there are none. */
const char *service_log_tail(const struct service *s, const char *name);

#endif
