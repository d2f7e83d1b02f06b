/*
 * The supervisor. Contract: include/command/service.h.
 *
 * All parts are direct children, each in a process group of its own: spawn-fcgi does not fork (-n)
 * but becomes multiwatch, and nginx stays in the foreground. So the death of a child is noticed at
 * once, and its leftover processes can be ended through the group. All signals are blocked and
 * received with sigtimedwait(); there are no handlers.
 *
 * A child that dies is restarted: at once if it lived for LONG_LIFE, else after a pause that
 * doubles up to PAUSE_MAX. Before the first answer of /v1/ a death ends the start instead, since a
 * person then has to fix the cause.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "app/database.h"
#include "base/json.h"
#include "base/log.h"
#include "base/spare.h"
#include "base/watch.h"
#include "db/db.h"
#include "command/service.h"

/*
 * Time limits, generous enough for a busy machine. START_SECONDS: until the first answer; NUDGE:
 * interval for repeating a signal to a process that has not ended.
 */
#define START_SECONDS 20
#define STOP_NGINX    5000     /* ms for current requests */
#define STOP_REST     15000    /* ms for workers and the job runner to finish */
#define NUDGE         1000
#define LONG_LIFE     5000
#define PAUSE_MIN     100
#define PAUSE_MAX     10000

/* State private to the supervisor; struct service holds what run/state shows to others. */
struct keeper {
	struct service *s;
	struct part {
		int64_t since;     /* start time, ms */
		int64_t due;       /* time of the next start, ms; 0: running or not wanted */
		int     pause;     /* before the next restart, ms */
	} parts[PARTS];
	sigset_t signals;
	bool     stopping;
};

/* Starting. */

/* Skips programs that were not found; the API and nginx always run. */
static bool
is_wanted(const struct service *s, int part)
{
	return part == PART_SITE ? s->site != NULL : part == PART_JOBS ? s->jobs != NULL : true;
}

/* Sets the command line of a part: at most 24 words. */
static void
fill_argv(const struct service *s, int part, const char **argv)
{
	const char *pool[] = { s->spawn_fcgi, "-n", "-s",
		service_path(s, "run", part == PART_API ? "api.sock" : "site.sock"), "-M", "0600", "-b",
		"4096", "--", s->multiwatch, "-f",
		arena_printf(s->arena, "%d", part == PART_API ? s->workers : SERVICE_SITE_WORKERS),
		/* Override the defaults: multiwatch would give up on a child after three deaths. */
		"-r", "2147483647", "-t", "1", "-s", "TERM", "--", part == PART_API ? s->api : s->site,
		NULL };
	const char *nginx[] = { s->nginx, "-e", service_path(s, "log", "nginx.log"), "-c",
		service_path(s, "run", "nginx.conf"), NULL };
	const char *jobs[] = { s->jobs, NULL };

	if (part == PART_NGINX)
		memcpy(argv, nginx, sizeof nginx);
	else if (part == PART_JOBS)
		memcpy(argv, jobs, sizeof jobs);
	else
		memcpy(argv, pool, sizeof pool);
}

/* Redirects output and errors to the end of a log, and input to /dev/null. */
static bool
redirect_output(const char *log)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	int out = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	bool ok = null >= 0 && out >= 0 && dup2(null, STDIN_FILENO) >= 0 &&
	    dup2(out, STDOUT_FILENO) >= 0 && dup2(out, STDERR_FILENO) >= 0;

	if (null > STDERR_FILENO)
		close(null);
	if (out > STDERR_FILENO)
		close(out);
	return ok;
}

/*
 * Does not return. The child gets a process group of its own, so that its descendants can be
 * signalled too.
 */
static void
become_child(const struct service *s, int part, pid_t parent)
{
	const char *argv[24], *log = arena_printf(s->arena, "%s.log", service_names[part]);
	sigset_t none;

	setpgid(0, 0);
	/* If the supervisor is killed with SIGKILL, its children must end too. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent || !redirect_output(service_path(s, "log", log)))
		_exit(127);
	sigemptyset(&none);
	/* Unblock signals: the supervisor's signal mask would survive exec(). */
	sigprocmask(SIG_SETMASK, &none, NULL);
	fill_argv(s, part, argv);
	execv(argv[0], (char *const *)argv);
	fprintf(stderr, "%s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

/*
 * due is 0 while the part runs. If fork() fails, it is retried later: memory may be short only for
 * a moment.
 */
static void
start_part(struct keeper *k, int part)
{
	struct service *s = k->s;
	pid_t self = getpid(), pid = fork();

	if (pid == 0)
		become_child(s, part, self);
	k->parts[part].since = time_steady();
	k->parts[part].due = 0;
	if (pid < 0) {
		log_line("cannot start %s: %s", service_names[part], strerror(errno));
		k->parts[part].due = time_steady() + PAUSE_MAX;
		return;
	}
	/*
	 * Also set it here, in case a signal is sent to the group before the child has created it.
	 */
	setpgid(pid, pid);
	s->parts[part] = process_of(pid);
	log_line("started %s, pid %d", service_names[part], pid);
}

/* The first death after LONG_LIFE restarts the part without a pause. */
static void
schedule_part(struct keeper *k, int part)
{
	struct part *p = &k->parts[part];
	int64_t now = time_steady();

	if (now - p->since >= LONG_LIFE)
		p->pause = 0;
	p->due = now + p->pause;
	p->pause = p->pause == 0 ? PAUSE_MIN : p->pause * 2 > PAUSE_MAX ? PAUSE_MAX : p->pause * 2;
}

/*
 * Forgets a part whose process is dead. Ends its process group too: workers without multiwatch
 * would run unsupervised.
 */
static void
bury_part(struct keeper *k, int part)
{
	pid_t pid = k->s->parts[part].pid;
	int status = 0;

	kill(-pid, SIGTERM);
	waitpid(pid, &status, 0);
	k->s->parts[part] = (struct process){ 0 };
	log_line("%s ended: %s %d", service_names[part], WIFSIGNALED(status) ? "signal" : "status",
	    WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}

/* Reaps dead children. Returns a part that died, or -1. */
static int
reap_part(struct keeper *k)
{
	siginfo_t dead = { 0 };

	/*
	 * WNOWAIT keeps the zombie, so that the process id stays reserved until bury_part() has
	 * signalled its group.
	 */
	while (waitid(P_ALL, 0, &dead, WEXITED | WNOHANG | WNOWAIT) == 0 && dead.si_pid != 0) {
		for (int i = 0; i < PARTS; i++)
			if (k->s->parts[i].pid == dead.si_pid) {
				bury_part(k, i);
				return i;
			}
		waitpid(dead.si_pid, NULL, 0);
		dead.si_pid = 0;
	}
	return -1;
}

/* Waits for a signal, at most ms. True if the supervisor must stop. */
static bool
wait_signal(struct keeper *k, int64_t ms)
{
	struct timespec t = { ms / 1000, (long)(ms % 1000) * 1000000 };
	int sig = sigtimedwait(&k->signals, NULL, &t);

	if (sig == SIGTERM || sig == SIGINT)
		k->stopping = true;
	return k->stopping;
}

/* Returns an error: which part died during the start, with the end of its log. */
static const char *
early_death(struct keeper *k, int part)
{
	struct service *s = k->s;
	const char *tail = service_log_tail(s, arena_printf(s->arena, "%s.log", service_names[part]));

	return arena_printf(s->arena, "%s does not start%s%s", service_names[part],
	    *tail == '\0' ? "" : "; the end of its log:\n", tail);
}

/* Starts all parts and waits until /v1/ answers. Returns NULL, or an error. */
static const char *
start_all(struct keeper *k)
{
	struct service *s = k->s;
	int64_t end = time_steady() + START_SECONDS * 1000;
	int answer = 0;

	for (int i = 0; i < PARTS; i++)
		if (is_wanted(s, i))
			start_part(k, i);
	/* Already here, for the next start if this process is killed now. */
	service_write_state(s);
	while (time_steady() < end) {
		int dead = reap_part(k);

		if (dead >= 0)
			return early_death(k, dead);
		answer = service_probe(s->port);
		if (answer == 200)
			return service_write_state(s) ? NULL : "cannot write run/state";
		if (wait_signal(k, 10))
			return "stopped before it was up";
	}
	return arena_printf(s->arena, "http://localhost:%d/v1/ did not answer with 200 within %d seconds "
	    "(the last answer was %s); the end of log/api.log:\n%s", s->port, START_SECONDS,
	    answer == 0 ? "none" : arena_printf(s->arena, "%d", answer), service_log_tail(s, "api.log"));
}

/* Stopping. */

static bool
all_gone(const struct service *s, int from, int to)
{
	for (int i = from; i <= to; i++)
		if (s->parts[i].pid != 0)
			return false;
	return true;
}

/* Signals the parts from..to, waits at most ms, and kills those that remain. */
static void
stop_parts(struct keeper *k, int from, int to, int sig, int ms)
{
	struct service *s = k->s;
	int64_t now = time_steady(), end = now + ms, again = now + NUDGE;

	for (int i = from; i <= to; i++)
		if (s->parts[i].pid != 0)
			kill(s->parts[i].pid, sig);
	while (!all_gone(s, from, to) && now < end) {
		/*
		 * Repeat the signal: one that arrives just before accept() does not wake a worker.
		 */
		for (int i = PART_API; now >= again && i <= PART_SITE; i++)
			if (s->parts[i].pid != 0 && i >= from && i <= to)
				kill(s->parts[i].pid, sig);
		if (now >= again)
			again = now + NUDGE;
		if (reap_part(k) < 0)
			wait_signal(k, 20);
		now = time_steady();
	}
	for (int i = from; i <= to; i++)
		if (s->parts[i].pid != 0) {
			log_line("killing %s, which does not end", service_names[i]);
			kill(-s->parts[i].pid, SIGKILL);
			kill(s->parts[i].pid, SIGKILL);
		}
	while (!all_gone(s, from, to))
		if (reap_part(k) < 0)
			wait_signal(k, 20);
}

/* Ends workers whose multiwatch was killed: these are now children of this process. */
static void
stop_orphans(struct keeper *k)
{
	struct process left[256];
	int64_t end = time_steady() + STOP_NGINX;
	size_t n;

	while ((n = process_children(getpid(), left, 256)) > 0) {
		for (size_t i = 0; i < n; i++)
			kill(left[i].pid, time_steady() < end ? SIGTERM : SIGKILL);
		wait_signal(k, 50);
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
	}
}

/* Stops nginx first: current requests are answered, and no new ones arrive. */
static void
stop_all(struct keeper *k)
{
	stop_parts(k, PART_NGINX, PART_NGINX, SIGQUIT, STOP_NGINX);
	stop_parts(k, PART_API, PART_JOBS, SIGTERM, STOP_REST);
	stop_orphans(k);
	unlink(service_path(k->s, "run", "api.sock"));
	unlink(service_path(k->s, "run", "site.sock"));
	unlink(service_path(k->s, "run", "nginx.pid"));
	service_drop_state(k->s);
}

/* Checkpoints the WAL, so that octavo.db alone is a complete copy while nothing runs. */
void
service_checkpoint(const struct service *s)
{
	const char *error = NULL;
	struct db *db;

	if (!database_is_file())
		return;
	/* On a full disk, leave the space to the next start, which needs it. */
	if (disk_is_short(s->dir, SPARE_BYTES)) {
		log_line("octavo.db-wal still holds part of the data: the disk is full");
		return;
	}
	db = db_open(s->arena, arena_printf(s->arena, "%s/octavo.db", s->dir), DB_ANY_VERSION, NULL, &error);
	if (db != NULL && !db_truncate_wal(db, s->arena, &error))
		log_line("octavo.db-wal still holds part of the data: %s", error);
	db_close(db);
}

/*
 * Call it with the lock held: the supervisor that wrote the state is then dead, but its children and
 * theirs may still run.
 */
void
service_sweep(struct service *s)
{
	struct service old = { .arena = s->arena, .dir = s->dir };
	bool any = service_read_state(&old);

	for (int ms = 0; any && ms < STOP_REST; ms += 20) {
		any = false;
		for (int i = 0; i < PARTS; i++)
			if (service_part_left(&old, i)) {
				any = true;
				if (ms % 1000 == 0)
					kill(-old.parts[i].pid, SIGTERM);
			}
		if (any)
			service_sleep(20);
	}
	for (int i = 0; any && i < PARTS; i++)
		if (service_part_left(&old, i))
			kill(-old.parts[i].pid, SIGKILL);
	service_drop_state(s);
}

/* Main loop of the supervisor after the start. */
static void
watch_parts(struct keeper *k)
{
	int64_t limit = k->s->request_seconds * 1000;

	watch_open(k->s->dir);
	while (!k->stopping) {
		int64_t now = time_steady(), wait = WATCH_EVERY_MS;
		int dead = reap_part(k);
		bool changed = dead >= 0;

		if (dead >= 0)
			schedule_part(k, dead);
		watch_look(limit, NULL);
		for (int i = 0; i < PARTS; i++) {
			if (k->parts[i].due == 0)
				continue;
			if (k->parts[i].due <= now) {
				start_part(k, i);
				changed = true;
			} else if (k->parts[i].due - now < wait) {
				wait = k->parts[i].due - now;
			}
		}
		/* Do not wait after a change: another child may have died meanwhile. */
		if (changed)
			service_write_state(k->s);
		else
			wait_signal(k, wait);
	}
}

/* Reports to the starting process; false if that has ended. */
static bool
tell_starter(int fd, const char *text)
{
	size_t n = strlen(text);
	ssize_t w = 1;

	while (n > 0 && (w = write(fd, text, n)) > 0) {
		text += w;
		n -= (size_t)w;
	}
	close(fd);
	return w > 0;
}

int
service_supervise(struct service *s, int lock, int tell, bool foreground)
{
	struct keeper k = { .s = s };
	const char *problem;

	setsid();
	/* Workers whose multiwatch dies become children of this process instead of init. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	if (foreground)
		prctl(PR_SET_PDEATHSIG, SIGTERM);
	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&k.signals);
	sigaddset(&k.signals, SIGTERM);
	sigaddset(&k.signals, SIGINT);
	sigaddset(&k.signals, SIGHUP);
	sigaddset(&k.signals, SIGCHLD);
	sigprocmask(SIG_BLOCK, &k.signals, NULL);
	if (!redirect_output(service_path(s, "log", "octavo.log"))) {
		tell_starter(tell, "cannot write log/octavo.log");
		return 1;
	}
	s->supervisor = process_of(getpid());
	service_write_state(s);
	problem = start_all(&k);
	/*
	 * Reserve what remains of the spare space after a start on a full disk, before other
	 * programs use it.
	 */
	spare_hold(s->dir);
	if (!tell_starter(tell, problem == NULL ? "ok" : problem) && problem == NULL)
		problem = "interrupted while starting";
	if (problem == NULL)
		watch_parts(&k);
	else
		log_line("%s", problem);
	stop_all(&k);
	/* Reserve the space that the programs freed, before the checkpoint uses it. */
	spare_hold(s->dir);
	service_checkpoint(s);
	log_line("ended");
	/* Release the lock last: a process that gets it can rely on nothing running. */
	close(lock);
	return problem != NULL;
}
