/*
 * A running Octavo: nginx, the worker pools and the job runner of one data
 * directory, as `octavo up` starts them for a machine of one's own. (A real
 * installation leaves this to systemd and the site's own web server.)
 *
 * One supervisor process owns everything: it starts the children, starts those
 * that die again, and ends them when it is told to end. Its files, all below
 * the data directory:
 *
 *   run/lock         locked (flock) as long as a supervisor lives; nothing else
 *                    tells whether one does
 *   run/state        what runs where: ports and process ids, for status,
 *                    reload and down; written whole by rename
 *   run/NAME.sock    FastCGI, for api and site
 *   run/nginx.conf   made from nginx/up.conf and nginx/locations.conf
 *   log/NAME.log     one per child; access.log and nginx.log are nginx's
 *
 * A process id is trusted only together with the time at which its process
 * started and the machine's boot id, so that a number that was given out again
 * is never signalled. Children get SIGTERM from the kernel when the supervisor
 * is killed.
 */
#ifndef OCTAVO_SERVICE_H
#define OCTAVO_SERVICE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/arena.h"

enum service_part { PART_API, PART_SITE, PART_JOBS, PART_NGINX, PARTS };

/* A process as it is remembered; pid 0: none. */
struct process {
	pid_t   pid;
	int64_t start;    /* clock ticks since boot, from /proc/PID/stat */
};

struct service {
	struct arena  *arena;
	const char    *dir;       /* data directory, absolute, checked by service_check_dir() */
	int            port;
	int            workers;   /* of octavo-api; octavo-site has SERVICE_SITE_WORKERS */
	int            rate;      /* requests a second of one token; 0: no limit */
	const char    *url;       /* public base URL, no slash at the end */
	int64_t        max_body;  /* bytes */
	int64_t        request_seconds;  /* a worker that holds a request for longer is ended (base/watch.h) */
	int64_t        started;   /* ms since 1970 */
	struct process supervisor;
	struct process parts[PARTS];
	/* Absolute paths of programs; site and jobs may be NULL: then they are not started. */
	const char    *nginx, *spawn_fcgi, *multiwatch, *api, *site, *jobs;
};

#define SERVICE_SITE_WORKERS 2
#define SERVICE_MAX_WORKERS  256

extern const char *const service_names[PARTS];   /* "api", "site", "jobs", "nginx" */

/* A program of ours: beside this one, or where `make install` puts it; NULL: it is at neither place. */
const char *service_program(struct arena *a, const char *name);

/* Why service_program() has found none: it is not there, or this user cannot reach the folder. */
const char *service_missing(struct arena *a, const char *name);

/* NULL, or why this directory cannot hold a service: its path, or that it was not initialised. */
const char *service_check_dir(struct arena *a, const char *dir);

/* Ends what `octavo up` started, and waits until it is gone. NULL, or why it does not. */
const char *service_down(struct service *s, bool *was_running);

/* Fills in the programs' paths. NULL, or what is missing and how to get it. */
const char *service_find_programs(struct service *s);

/* DIR/run/NAME or DIR/log/NAME. */
const char *service_path(const struct service *s, const char *folder, const char *name);

/* service_state.c: who runs. */

/* Takes the lock; the descriptor, or -1: a supervisor has it (errno EWOULDBLOCK) or no lock file. */
int service_lock(const struct service *s);

/* Reads run/state into s; false where there is none, or it is of an earlier boot. */
bool service_read_state(struct service *s);
bool service_write_state(const struct service *s);
void service_drop_state(const struct service *s);

/* Fills in s from the service that runs; false where none does. */
bool service_find_running(struct service *s);

/* Puts the settings into the environment, by which the programs get them. */
void service_set_environment(const struct service *s);

int64_t process_start(pid_t pid);            /* -1: no such process, or a dead one */
struct process process_of(pid_t pid);
bool process_alive(struct process p);

/* Children of a process, at most max; their number. */
size_t process_children(pid_t parent, struct process *out, size_t max);

/* service_holders.c */

/* A process that has octavo.db open. */
struct holder {
	pid_t       pid;
	const char *name;    /* "" where it is not known */
	const char *unit;    /* of systemd, whose name has "octavo" in it; NULL: none */
};

/* A file of /proc/PID, its parts (arguments, settings) on lines of their own; "" where it cannot be read. */
const char *service_proc(struct arena *a, pid_t pid, const char *name);

/* Other processes that have DIR/octavo.db open, at most max; before this one opens it. */
size_t service_holders(struct arena *a, const char *dir, struct holder *out, size_t max);

/* The programs of Octavo among them (*count: most of them, then how many); their units as words, NULL: none. */
const char *service_foreign(struct arena *a, const char *dir, struct holder *out, size_t *count);

/* The unit that the text of /proc/PID/cgroup names, or NULL. */
const char *service_unit_of(struct arena *a, const char *cgroup);

/* service_conf.c */

/* Text of run/nginx.conf for this service. */
const char *service_conf(const struct service *s);

/* Writes run/nginx.conf if it differs; *changed tells. False: it could not be written. */
bool service_write_conf(const struct service *s, bool *changed);

/* service_run.c */

/*
 * Becomes the supervisor: starts everything, writes one line to `tell` ("ok",
 * or what went wrong) and closes it, runs until SIGTERM or SIGINT, stops
 * everything. Returns the exit status. lock is held until it returns.
 */
int service_supervise(struct service *s, int lock, int tell, bool foreground);

/* Writes what is in octavo.db-wal into octavo.db, which is whole by itself afterwards. Nothing may run. */
void service_settle(const struct service *s);

/* Ends what a supervisor that was killed left behind. */
void service_sweep(struct service *s);

/* service_trial.c: NULL, or which of octavo-api and octavo-site does not work, and what it says. */
const char *service_try_programs(const struct service *s);

/* service_probe.c */

/* Status of GET /v1/ on loopback, 0 where nothing answered. */
int service_probe(int port);

/* 0: the port was free; else errno. With *port 0 a free one is chosen. */
int service_claim_port(int *port);

/* What comes out of a pipe until its end. */
const char *service_read_all(struct arena *a, int fd);

/* Sleeps. */
void service_sleep(int ms);

/* The end of a log file for an error message; "" if there is none. */
const char *service_log_tail(const struct service *s, const char *name);

#endif
