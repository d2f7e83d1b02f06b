/*
 * octavo up, down, status: start and stop a service, and show its state. include/command/service.h
 * describes how a service runs; cmd_reload.c has reload.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/setup.h"
#include "base/settings.h"
#include "base/spare.h"
#include "command/cli.h"
#include "command/service.h"
#include "store/blob.h"

#define DEFAULT_PORT     8080
#define DEFAULT_RATE     20000
#define DEFAULT_BODY     10485760
#define HOLDERS          64
#define PATIENCE         40000     /* limit for the start or end of a supervisor, ms */

/* Settings. */

/* A trailing slash is refused: paths are appended to the URL. */
static bool
is_base_url(const char *url)
{
	size_t n = strlen(url);

	if (strncmp(url, "http://", 7) != 0 && strncmp(url, "https://", 8) != 0)
		return false;
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)url[i] <= 0x20 || url[i] == 0x7f)
			return false;
	return n > 0 && url[n - 1] != '/';
}

/* Reads a numeric setting from the environment. */
static bool
read_number(struct cli *c, const char *name, int64_t preset, int64_t least, const char *what, int64_t *out)
{
	const char *text = getenv(name);
	char *end;
	long long n;

	*out = preset;
	if (text == NULL || *text == '\0')
		return true;
	errno = 0;
	n = strtoll(text, &end, 10);
	if (errno != 0 || *end != '\0' || n < least) {
		cli_usage(c, "%s must be a number of %s, at least %" PRId64 ", not \"%s\"", name, what, least, text);
		return false;
	}
	*out = n;
	return true;
}

/* Reads the options of `up`. False after printing an error. */
static bool
read_settings(struct cli *c, struct service *s)
{
	/* At least two workers: one that waits for the disk must not block all requests. */
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	int64_t port, workers, rate;

	s->url = getenv("OCTAVO_URL");
	if (!cli_number(c, "port", 0, 65535, DEFAULT_PORT, &port) ||
	    !cli_number(c, "workers", 1, SERVICE_MAX_WORKERS, cores < 2 ? 2 : cores, &workers) ||
	    !cli_number(c, "rate", 0, 1000000, DEFAULT_RATE, &rate) ||
	    !read_number(c, "OCTAVO_MAX_BODY", DEFAULT_BODY, 1024, "bytes", &s->max_body) ||
	    !read_number(c, "OCTAVO_REQUEST_SECONDS", SETTINGS_REQUEST_SECONDS, 1, "seconds", &s->request_seconds))
		return false;
	s->port = (int)port;
	s->workers = (int)workers;
	s->rate = (int)rate;
	if (s->url != NULL && *s->url == '\0')
		s->url = NULL;
	if (s->url != NULL && !is_base_url(s->url)) {
		cli_usage(c, "OCTAVO_URL must be an http or https address without a slash at its end, "
		    "not \"%s\"", s->url);
		return false;
	}
	return true;
}

/* Creates run/, log/ and the folders that nginx needs. */
static const char *
make_folders(const struct service *s)
{
	static const char *const names[] = { "run", "run/nginx", "log" };

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		const char *path = arena_printf(s->arena, "%s/%s", s->dir, names[i]);

		if (mkdir(path, 0700) != 0 && errno != EEXIST)
			return arena_printf(s->arena, "cannot make %s: %s", path, strerror(errno));
	}
	return NULL;
}

/* up */

static int
report_up(struct cli *c, const struct service *s, bool already)
{
	struct json *j;

	if (!c->json) {
		printf("Octavo %s at %s (port %d, supervisor %d)\n", already ? "already runs" : "runs",
		    s->url, s->port, s->supervisor.pid);
		fflush(stdout);
		return CLI_OK;
	}
	j = cli_json(c);
	json_obj(j);
	json_kbool(j, "running", true);
	json_kbool(j, "already", already);
	json_kstr(j, "url", s->url);
	json_kint(j, "port", s->port);
	json_kint(j, "pid", s->supervisor.pid);
	json_end(j);
	cli_json_print(c);
	return CLI_OK;
}

/*
 * Takes the lock. If another supervisor holds it, waits until its service answers, since it may still
 * be starting, or until it has ended: one that was killed keeps the lock for a moment. Returns -1 with
 * errno; or with found->port set, if that service answers.
 */
static int
lock_or_find(const struct service *s, struct service *found)
{
	int lock = service_lock(s);

	for (int ms = 0; lock < 0 && errno == EWOULDBLOCK && ms < PATIENCE; ms += 50) {
		*found = (struct service){ .arena = s->arena, .dir = s->dir };
		if (service_read_state(found) && process_alive(found->supervisor) && service_probe(found->port) == 200)
			return -1;
		found->port = 0;
		service_sleep(50);
		lock = service_lock(s);
	}
	return lock;
}

/* Why there is no lock. */
static int
fail_lock(struct cli *c, const struct service *s)
{
	if (errno == EWOULDBLOCK)
		return cli_fail(c, "another supervisor holds %s, but nothing answers; try: octavo down", service_path(s, "run", "lock"));
	return cli_fail(c, "%s: %s", service_path(s, "run", "lock"), strerror(errno));
}

/* Checks and prepares everything that a start needs. Returns NULL, or the problem. */
static const char *
prepare_start(struct service *s)
{
	const char *problem = service_find_programs(s);
	bool changed;
	int why, asked = s->port;

	if (problem != NULL)
		return problem;
	service_sweep(s);
	setup_modes(s->arena, s->dir);
	/* On a full disk, release a part of the reserved file for what a start writes. */
	spare_lend(s->dir);
	/* The port may be taken again before nginx binds it; nginx then reports that in its log. */
	why = service_claim_port(&s->port);
	if (why == EADDRINUSE)
		return arena_printf(s->arena, "port %d is taken by another program; choose one with "
		    "--port N (0: any that is free)", asked);
	if (why != 0)
		return arena_printf(s->arena, "port %d: %s", asked, strerror(why));
	if (s->url == NULL)
		s->url = arena_printf(s->arena, "http://localhost:%d", s->port);
	/*
	 * Write the configuration before any program starts, so that nginx never reads an
	 * incomplete one.
	 */
	if (!service_write_conf(s, &changed))
		return arena_printf(s->arena, "cannot write %s: %s", service_path(s, "run", "nginx.conf"),
		    strerror(errno));
	s->started = time_now();
	return service_try_programs(s);
}

/* Waits in the foreground until the supervisor ends; passes signals on to it. */
static int
stay_until_end(struct cli *c, pid_t supervisor, const sigset_t *signals)
{
	int status = 0, sig = 0;

	while (waitpid(supervisor, &status, WNOHANG) == 0) {
		sig = sigwaitinfo(signals, NULL);
		if (sig == SIGINT || sig == SIGTERM || sig == SIGHUP)
			kill(supervisor, SIGTERM);
	}
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return CLI_OK;
	return cli_fail(c, "the supervisor died; log/octavo.log says more");
}

/*
 * Prints why a start failed, and what to do if the disk is nearly full, which is then the likely
 * cause.
 */
static int
fail_start(struct cli *c, const struct service *s, const char *why)
{
	if (disk_is_short(s->dir, SPARE_BYTES))
		return cli_fail(c, "%s\nThe disk that holds %s is full: free 2 MiB there, and start again", why, s->dir);
	return cli_fail(c, "%s", why);
}

/*
 * Starts the supervisor and waits for its report. The pipe closes when the supervisor has reported
 * or died, so the wait always ends.
 */
static int
start_service(struct cli *c, struct service *s, int lock)
{
	bool foreground = cli_flag(c, "foreground");
	int report_pipe[2], status;
	const char *report;
	sigset_t signals;
	pid_t pid;

	sigemptyset(&signals);
	if (pipe2(report_pipe, O_CLOEXEC) != 0)
		return cli_fail(c, "pipe: %s", strerror(errno));
	if (foreground) {
		sigaddset(&signals, SIGINT);
		sigaddset(&signals, SIGTERM);
		sigaddset(&signals, SIGHUP);
		sigaddset(&signals, SIGCHLD);
		sigprocmask(SIG_BLOCK, &signals, NULL);
	}
	pid = fork();
	if (pid == 0) {
		close(report_pipe[0]);
		umask(077);
		if (chdir(s->dir) != 0)
			_exit(1);
		service_set_environment(s);
		_exit(service_supervise(s, lock, report_pipe[1], foreground));
	}
	/* Close only this copy: the child keeps the lock by its own descriptor until it ends. */
	close(lock);
	close(report_pipe[1]);
	/* Reads until the supervisor closes the pipe: "ok", an error, or nothing if it died. */
	report = pid < 0 ? "cannot fork" : service_read_all(c->arena, report_pipe[0]);
	close(report_pipe[0]);
	if (strcmp(report, "ok") != 0) {
		if (pid > 0)
			waitpid(pid, &status, 0);
		return fail_start(c, s, *report == '\0' ? "the supervisor died; log/octavo.log says more" : report);
	}
	s->supervisor = process_of(pid);
	report_up(c, s, false);
	return foreground ? stay_until_end(c, pid, &signals) : CLI_OK;
}

static int
cmd_up(struct cli *c)
{
	struct service s = { .arena = c->arena, .dir = c->dir }, found = { 0 };
	const char *problem;
	int lock;

	if (!read_settings(c, &s))
		return CLI_USAGE;
	problem = service_check_dir(c->arena, s.dir);
	if (problem == NULL)
		problem = blob_store_fault();
	if (problem == NULL)
		problem = make_folders(&s);
	if (problem != NULL)
		return cli_fail(c, "%s", problem);
	lock = lock_or_find(&s, &found);
	if (lock < 0)
		return found.port != 0 ? report_up(c, &found, true) : fail_lock(c, &s);
	problem = prepare_start(&s);
	if (problem != NULL) {
		close(lock);
		return fail_start(c, &s, problem);
	}
	return start_service(c, &s, lock);
}

/* down */

static int
report_down(struct cli *c, bool was_running)
{
	struct json *j;

	if (!c->json) {
		puts(was_running ? "Octavo is down" : "Octavo was not running");
		return CLI_OK;
	}
	j = cli_json(c);
	json_obj(j);
	json_kbool(j, "running", false);
	json_kbool(j, "wasRunning", was_running);
	json_end(j);
	cli_json_print(c);
	return CLI_OK;
}

/*
 * The lock, not the process id, shows that the supervisor has ended: the id may already belong to
 * another process.
 */
const char *
service_down(struct service *s, bool *was_running)
{
	*was_running = false;
	if (access(service_path(s, "run", "lock"), F_OK) != 0)
		return service_check_dir(s->arena, s->dir);
	for (int ms = 0; ms < PATIENCE; ms += 20) {
		int lock = service_lock(s);

		if (lock >= 0) {
			service_sweep(s);
			service_checkpoint(s);
			close(lock);
			return NULL;
		}
		if (errno != EWOULDBLOCK)
			return arena_printf(s->arena, "%s: %s", service_path(s, "run", "lock"), strerror(errno));
		/*
		 * Signal it once only. A supervisor that has just started may not have written its
		 * state yet.
		 */
		if (!*was_running && service_read_state(s) && process_alive(s->supervisor)) {
			if (kill(s->supervisor.pid, SIGTERM) != 0)
				return arena_printf(s->arena, "cannot end process %d: %s", s->supervisor.pid,
				    strerror(errno));
			*was_running = true;
		}
		service_sleep(20);
	}
	return arena_printf(s->arena, "the supervisor (process %d) does not end", s->supervisor.pid);
}

/*
 * Adds the socket units in front of the service units: a socket left active would start its service
 * again at the next request.
 */
static const char *
with_sockets(struct arena *a, const char *units)
{
	const char *sockets = "";
	size_t n;

	for (const char *at = units; *at != '\0'; at += n + strspn(at + n, " ")) {
		n = strcspn(at, " ");
		if ((strncmp(at, "octavo-api", 10) == 0 || strncmp(at, "octavo-site", 11) == 0) && n > 8 && strncmp(at + n - 8, ".service", 8) == 0)
			sockets = arena_printf(a, "%s%.*s.socket ", sockets, (int)n - 8, at);
	}
	return arena_printf(a, "%s%s", sockets, units);
}

bool
service_not_ours(struct cli *c, const char *verb)
{
	struct holder who[HOLDERS];
	size_t n = HOLDERS;
	const char *units = service_foreign(c->arena, c->dir, who, &n);

	if (n == 0)
		return false;
	if (units != NULL)
		cli_fail(c, "Octavo runs under systemd here, not under `octavo up`; instead: systemctl %s %s", verb,
		    strcmp(verb, "stop") == 0 ? with_sockets(c->arena, units) : units);
	else
		cli_fail(c, "%s (process %d) works on this data, and `octavo up` did not start it; whoever did "
		    "has to %s it", who[0].name, who[0].pid, verb);
	return true;
}

/*
 * If no service of `octavo up` ran but another one uses the data, name it and fail: reporting
 * success would be wrong, since nothing was stopped.
 */
static int
cmd_down(struct cli *c)
{
	struct service s = { .arena = c->arena, .dir = c->dir };
	bool was_running;
	const char *problem = service_down(&s, &was_running);

	if (problem == NULL && !was_running && service_not_ours(c, "stop"))
		return CLI_FAILED;
	return problem != NULL ? cli_fail(c, "%s", problem) : report_down(c, was_running);
}

/* status */

static void
status_json(struct cli *c, const struct service *s, bool ready)
{
	struct json *j = cli_json(c);
	struct process workers[SERVICE_MAX_WORKERS];

	json_obj(j);
	json_kbool(j, "running", true);
	json_kbool(j, "ready", ready);
	json_kstr(j, "url", s->url);
	json_kint(j, "port", s->port);
	json_kint(j, "pid", s->supervisor.pid);
	json_kint(j, "workers", s->workers);
	json_key(j, "startedAt");
	json_time(j, s->started);
	json_kint(j, "uptime", (time_now() - s->started) / 1000);
	json_kstr(j, "blobs", blob_store());
	json_karr(j, "processes");
	for (int i = 0; i < PARTS; i++) {
		size_t n = s->parts[i].pid == 0 ? 0 :
		    process_children(s->parts[i].pid, workers, SERVICE_MAX_WORKERS);

		json_obj(j);
		json_kstr(j, "name", service_names[i]);
		json_kbool(j, "running", process_alive(s->parts[i]));
		json_kint(j, "pid", s->parts[i].pid);
		json_karr(j, "workers");
		for (size_t w = 0; w < n; w++)
			json_int(j, workers[w].pid);
		json_end(j);
		json_end(j);
	}
	json_end(j);
	json_end(j);
	cli_json_print(c);
}

static void
status_text(struct cli *c, const struct service *s, bool ready)
{
	static const char *const columns[] = { "part", "pid", "state", "workers" };
	struct cli_table *t = cli_table_new(c, columns, 4);
	struct process workers[SERVICE_MAX_WORKERS];
	int64_t up = (time_now() - s->started) / 1000;

	printf("Octavo %s at %s, up %" PRId64 " h %02d min %02d s, supervisor %d\n",
	    ready ? "runs" : "runs but does not answer", s->url, up / 3600, (int)(up / 60 % 60),
	    (int)(up % 60), s->supervisor.pid);
	if (blob_store() != NULL)
		printf("Files are in %s\n", blob_store());
	for (int i = 0; i < PARTS; i++) {
		struct process p = s->parts[i];
		size_t n = p.pid == 0 ? 0 : process_children(p.pid, workers, SERVICE_MAX_WORKERS);
		const char *cells[] = { service_names[i], arena_printf(c->arena, "%d", p.pid),
			process_alive(p) ? "runs" : "not running", "" };

		for (size_t w = 0; w < n; w++)
			cells[3] = arena_printf(c->arena, "%s%s%d", cells[3], w == 0 ? "" : " ",
			    workers[w].pid);
		cli_table_row(t, cells);
	}
	cli_table_print(t);
}

/* Prints the programs that systemd or another supervisor runs on this data; false: none. */
static bool
foreign_status(struct cli *c)
{
	static const char *const columns[] = { "program", "pid", "unit" };
	struct holder who[HOLDERS];
	size_t n = HOLDERS;
	const char *units = service_foreign(c->arena, c->dir, who, &n);
	struct cli_table *t = cli_table_new(c, columns, 3);
	struct json *j;

	if (n == 0)
		return false;
	if (!c->json) {
		printf("Octavo runs, %s; octavo doctor asks whether it answers\n", units != NULL ? "under systemd" :
		    "but not under `octavo up`");
		for (size_t i = 0; i < n; i++)
			cli_table_row(t, (const char *const[]){ who[i].name, arena_printf(c->arena, "%d", who[i].pid),
			    who[i].unit });
		cli_table_print(t);
		return true;
	}
	j = cli_json(c);
	json_obj(j);
	json_kbool(j, "running", true);
	json_kstr(j, "under", units != NULL ? "systemd" : "other");
	json_karr(j, "processes");
	for (size_t i = 0; i < n; i++) {
		json_obj(j);
		json_kstr(j, "name", who[i].name);
		json_kint(j, "pid", who[i].pid);
		if (who[i].unit != NULL)
			json_kstr(j, "unit", who[i].unit);
		json_end(j);
	}
	json_end(j);
	json_end(j);
	cli_json_print(c);
	return true;
}

static int
cmd_status(struct cli *c)
{
	struct service s = { .arena = c->arena, .dir = c->dir };
	const char *problem = service_check_dir(c->arena, s.dir);
	bool ready;

	if (problem != NULL)
		return cli_fail(c, "%s", problem);
	if (!service_find_running(&s)) {
		if (foreign_status(c))
			return CLI_OK;
		if (c->json) {
			json_obj(cli_json(c));
			json_kbool(cli_json(c), "running", false);
			json_end(cli_json(c));
			cli_json_print(c);
		} else {
			puts("Octavo is not running");
		}
		return CLI_FAILED;
	}
	/* Running processes may still not answer: status makes a request as a client. */
	ready = service_probe(s.port) == 200;
	if (c->json)
		status_json(c, &s, ready);
	else
		status_text(c, &s, ready);
	return ready ? CLI_OK : CLI_FAILED;
}

static const struct cli_option up_options[] = {
	{ .name = "port", .arg = "N", .help = "port on localhost (default 8080; 0: any that is free)" },
	{ .name = "workers", .arg = "N", .help = "API workers (default: processor cores, at least 2)" },
	{ .name = "rate", .arg = "N", .help = "requests a second of one token (default 20000; 0: no limit)" },
	{ .name = "foreground", .help = "stay until SIGINT or SIGTERM, then stop everything" },
	{ 0 }
};

const struct cli_command commands_service[] = {
	{ .name = "up", .summary = "Start web server, workers and job runner on this machine",
		.options = up_options, .needs_dir = true, .run = cmd_up,
		.details = "Returns when /v1/ answers. Where it runs already, it says so and changes nothing.\n"
		    "Settings come from the environment; the manual lists them (Settings and limits).",
		.examples = "octavo up --dir /srv/octavo\noctavo up --dir data --port 9000 --workers 4\n"
		    "OCTAVO_URL=https://docs.example.com octavo up --dir data --foreground" },
	{ .name = "down", .summary = "Stop what `octavo up` started", .needs_dir = true, .run = cmd_down,
		.details = "Requests under way are answered first. Returns when all processes are gone.",
		.examples = "octavo down --dir /srv/octavo" },
	{ .name = "status", .summary = "Show what runs", .needs_dir = true, .run = cmd_status,
		.details = "Ends with 0 where the service answers, and with 1 where it does not or is not running.",
		.examples = "octavo status --dir /srv/octavo\noctavo status --dir /srv/octavo --json" },
	{ .name = "reload", .summary = "Replace the workers, one by one, without losing a request",
		.needs_dir = true, .run = cmd_reload,
		.details = "For new programs. New settings, and a new supervisor, take `octavo down` and `octavo up`.",
		.examples = "octavo reload --dir /srv/octavo" },
	{ 0 }
};
