/*
 * Starts and watches the processes of jobs, and records the end of a job whose process ended
 * without doing so. Contract: jobs/pool.h.
 */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "base/child.h"
#include "base/json.h"
#include "base/secret.h"
#include "jobs/kinds.h"
#include "jobs/pool.h"
#include "pool_news.h"

/*
 * GRACE_MS: a cancelled job notices it at its next step and may have to clean up. LOOK_MS bounds
 * the queries of an idle runner to two a second for each process. NEWS_MS bounds the wake-ups by
 * writes of others, if they write all the time.
 */
enum { ID_MAX = 64, GRACE_MS = 10000, LOOK_MS = 500, NEWS_MS = 10 };

struct slot {
	pid_t       pid;             /* 0: free */
	bool        gone;            /* the process ended with this status; record_exit() is still to come */
	int         status;
	char        id[ID_MAX];      /* of the job; "": housekeeping */
	struct job  job;             /* for record_exit(): id, attempts, claims */
	int         tries;
	int64_t     seconds, deadline;
	int64_t     asked_at;        /* when the cancellation or time-out was first seen; 0: none */
	const char *killed;          /* the job's state after a kill: timeout, cancelled; NULL: not killed */
};

/*
 * The runner and its children. No child uses the runner's connection `db`: each opens its own,
 * because SQLite forbids using a connection after a fork (sqlite.org/howtocorrupt.html, 2.6).
 */
struct pool {
	struct arena          *arena;
	struct arena          *scratch;  /* for record_exit() */
	struct db             *db;
	const struct settings *set;
	const char            *name;
	struct slot           *slots;
	size_t                 size[JOB_LANES];  /* number of slots of each lane; they follow one another */
	size_t                 jobs;     /* slots of all lanes; the slot of housekeeping follows */
	int64_t                looked_at;
	int                    news;     /* news_open() */
	int64_t                woken_at; /* last wake-up by a write */
	int64_t                back_at;  /* last return to the caller */
};

struct pool *
pool_new(struct arena *a, struct db *db, const struct settings *set)
{
	struct pool *p = arena_alloc(a, sizeof(*p));
	sigset_t both;

	*p = (struct pool){ .name = secret_id(a), .arena = a, .scratch = arena_within(a, 1 << 20), .db = db, .set = set,
		.size = { (size_t)set->job_processes, (size_t)set->job_remote, (size_t)set->job_long } };
	p->jobs = p->size[JOB_LOCAL] + p->size[JOB_REMOTE] + p->size[JOB_LONG];
	/* One more for housekeeping: jobs that fill all slots must not block the purge. */
	p->slots = arena_array(a, p->jobs + 1, sizeof(struct slot));
	/* The signals are blocked, so that none is lost before pool_wait() takes it with sigtimedwait(). */
	sigemptyset(&both);
	sigaddset(&both, SIGCHLD);
	sigaddset(&both, SIGIO);
	sigprocmask(SIG_BLOCK, &both, NULL);
	p->news = news_open(set->dir);
	p->back_at = time_steady();
	return p;
}

const char *
pool_name(const struct pool *p)
{
	return p->name;
}

/* The first slot of a lane. */
static struct slot *
first_slot(const struct pool *p, enum job_lane lane)
{
	struct slot *s = p->slots;
	int i;

	for (i = 0; i < (int)lane; i++)
		s += p->size[i];
	return s;
}

size_t
pool_room(const struct pool *p, enum job_lane lane)
{
	const struct slot *s = first_slot(p, lane);
	size_t i, n = 0;

	for (i = 0; i < p->size[lane]; i++)
		n += s[i].pid == 0;
	return n;
}

static struct slot *
free_slot(const struct pool *p, enum job_lane lane)
{
	struct slot *s = first_slot(p, lane);
	size_t i;

	for (i = 0; i < p->size[lane]; i++)
		if (s[i].pid == 0)
			return &s[i];
	return NULL;
}

size_t
pool_count(const struct pool *p)
{
	size_t i, n = 0;

	for (i = 0; i <= p->jobs; i++)
		n += p->slots[i].pid != 0;
	return n;
}

/*
 * The program that a process executes. name: argv[0], by which octavo-launch selects the program.
 */
struct program {
	char path[PATH_MAX], name[ID_MAX];
};

/*
 * A kind's own program is in the directory of this one; false if it is missing. All other kinds run
 * this program again: /proc/self/exe is the running version even after an upgrade. If a dynamic
 * loader of its own started it, /proc/self/exe is that loader; then OCTAVO_LAUNCHER (cgi/launch.c)
 * names the program.
 */
static bool
find_program(const struct job_kind *kind, struct program *out)
{
	const char *launcher = getenv("OCTAVO_LAUNCHER");
	bool own = kind != NULL && kind->program != NULL;

	snprintf(out->name, sizeof(out->name), "octavo-%s", own ? kind->program : "jobs");
	if (own)
		return child_beside(kind->program, out->path);
	snprintf(out->path, sizeof(out->path), "%s", launcher != NULL ? launcher : "/proc/self/exe");
	return true;
}

/* Runs in the child process. */
static void __attribute__((noreturn))
run_program(const struct program *p, const char *id, int64_t claims, int64_t memory, pid_t parent)
{
	char number[24];
	sigset_t none;

	/* execl() keeps the signal mask, and the job's own children need SIGCHLD. */
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	/*
	 * A process group, so that the job can be killed with all its children; the process also
	 * dies with the runner.
	 */
	if (!child_set_up(parent))
		_exit(EXIT_FAILURE);
	child_limits(memory, 0);
	snprintf(number, sizeof(number), "%lld", (long long)claims);
	/*
	 * Only the id and its claim are passed: /proc shows argument lists to everybody, so the job reads its
	 * arguments and secrets from the database.
	 */
	if (*id == '\0')
		execl(p->path, p->name, "--purge", (char *)NULL);
	else
		execl(p->path, p->name, "--job", id, number, (char *)NULL);
	/*
	 * 127, as a shell reports a program that could not be started; _exit, because buffers and
	 * handlers are the parent's.
	 */
	_exit(127);
}

/* No process could be started: the slot is free again, and a job is tried later. */
static void
put_off_start(struct pool *p, struct slot *s, const struct job *job, const char *why)
{
	s->pid = 0;
	log_line("%s: no process could be started: %s", job != NULL ? job->kind : "housekeeping", why);
	if (job != NULL)
		job_put_off(p->db, &s->job, s->tries, why);
}

void
pool_start(struct pool *p, const struct job *job)
{
	struct slot *s = job != NULL ? free_slot(p, job->lane) : &p->slots[p->jobs];
	const struct job_kind *kind = job != NULL ? job_kind_find(job->kind) : NULL;
	/*
	 * A kind that this version does not know is started all the same: the process reports it
	 * and fails the job.
	 */
	int64_t memory = kind != NULL && kind->memory > 0 ? kind->memory : JOB_MEMORY;
	struct program program;
	pid_t parent = getpid();

	/*
	 * There is no free slot. The caller checked pool_room(), so this means that housekeeping is
	 * still running, and it is not started twice.
	 */
	if (s == NULL || s->pid != 0)
		return;
	*s = (struct slot){ .tries = kind != NULL && kind->tries > 0 ? kind->tries : JOB_TRIES,
		.seconds = kind != NULL && kind->seconds != NULL ? kind->seconds(p->set) : JOB_SECONDS };
	if (job != NULL) {
		snprintf(s->id, sizeof(s->id), "%s", job->id);
		/*
		 * The caller's job is in the arena of its loop; the slot copies what record_exit()
		 * needs.
		 */
		s->job = (struct job){ .id = s->id, .attempts = job->attempts, .claims = job->claims };
	}
	if (!find_program(kind, &program)) {
		job_put_off(p->db, &s->job, s->tries, arena_printf(p->scratch, "%s is not in the folder of octavo-jobs, "
		    "or cannot be run", program.name));
		return;
	}
	s->deadline = time_steady() + s->seconds * 1000;
	/* Without this, both processes would write the buffered output. */
	fflush(NULL);
	s->pid = fork();
	if (s->pid == 0)
		run_program(&program, s->id, s->job.claims, memory, parent);
	if (s->pid > 0)
		/* The parent calls it, too, so that the group exists before a kill, whichever process is first. */
		setpgid(s->pid, s->pid);
	else if (s->pid < 0)
		put_off_start(p, s, job, strerror(errno));
}

/* ---- ended processes ---- */

static void
end_job(struct pool *p, const struct slot *s, const char *why)
{
	db_begin(p->db, true);
	if (job_is_claimed(p->db, &s->job))
		job_end(p->db, s->id, s->killed, why, NULL);
	db_commit(p->db);
}

/* Ends the job of an ended process, or queues it again, unless the process itself did so. */
static void
record_exit(struct pool *p, const struct slot *s, int status)
{
	struct arena *a = p->scratch;
	const char *why;
	struct job job;

	arena_reset(a);
	/*
	 * If the job is still claimed, the process did not end it. The row decides, not the exit
	 * status: a process may fail after its job is done.
	 */
	if (*s->id != '\0' && job_claimed(p->db, a, s->id, s->job.claims, &job)) {
		if (s->killed != NULL)
			end_job(p, s, strcmp(s->killed, "timeout") != 0 ? "cancelled" :
			    arena_printf(a, "it took longer than %lld seconds", (long long)s->seconds));
		else {
			why = WIFSIGNALED(status) ?
			    arena_printf(a, "its process was ended by signal %d (%s); out of memory, perhaps",
				WTERMSIG(status), strsignal(WTERMSIG(status))) :
			    arena_printf(a, "its process ended with %d before it was done; the log says why",
				WEXITSTATUS(status));
			log_id(job.id);
			log_line("%s: %s", job.kind, why);
			log_id(NULL);
			/*
			 * The machine may have caused the crash (out of memory because of another
			 * job), so try again, up to the kind's number of tries.
			 */
			job_put_off(p->db, &s->job, s->tries, why);
		}
	}
}

static void
reap_children(struct pool *p)
{
	int status;
	pid_t pid;
	size_t i;

	/* Loop until none is left: pending signals of one number are merged into one. */
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		for (i = 0; i <= p->jobs; i++)
			if (p->slots[i].pid == pid) {
				/* Kill its children as well, such as a fetch. */
				kill(-pid, SIGKILL);
				p->slots[i].gone = true;
				p->slots[i].status = status;
			}
}

/*
 * Records the ends of all ended processes. If a database error ends this function, the next call
 * records the remaining ones.
 */
static void
record_exits(struct pool *p)
{
	size_t i;

	for (i = 0; i <= p->jobs; i++)
		if (p->slots[i].gone) {
			record_exit(p, &p->slots[i], p->slots[i].status);
			p->slots[i].gone = false;
			p->slots[i].pid = 0;
		}
}

static void
watch_slot(struct pool *p, struct slot *s, int64_t now)
{
	/*
	 * The job reads the same flag (job_progress()) and normally ends by itself, without leaving
	 * work half done. Only jobs that do not are killed.
	 */
	if (s->asked_at == 0 && *s->id != '\0' && job_cancelled(p->db, s->id))
		s->asked_at = now;
	if (now >= s->deadline)
		s->killed = "timeout";
	else if (s->asked_at != 0 && now >= s->asked_at + GRACE_MS)
		s->killed = "cancelled";
	if (s->killed != NULL)
		/*
		 * Repeat this on each check until the process is reaped: at the first one the group
		 * may not exist yet.
		 */
		kill(-s->pid, SIGKILL);
}

/*
 * Waits for a signal. True: SIGIO (the database was written). False: SIGCHLD, interrupted or timed
 * out.
 */
static bool
wait_signal(int64_t ms, bool news)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000L };
	sigset_t set;

	/*
	 * The signals that pool_new() blocked; they stay pending until sigtimedwait() takes them.
	 */
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	if (news)
		sigaddset(&set, SIGIO);
	return sigtimedwait(&set, NULL, &t) == SIGIO;
}

/*
 * Returns early if a process ended since the last call, or if the database was written, since that
 * may have queued a job.
 */
static void
wait_for_any(struct pool *p, int ms)
{
	int64_t took = time_steady() - p->back_at, pause;

	if (!wait_signal(ms, p->news >= 0))
		return;
	pause = p->woken_at + NEWS_MS - time_steady();
	/*
	 * With a long queue, the caller needs longer between two calls; pause for as long as it
	 * needed.
	 */
	if (pause < took)
		pause = took < LOOK_MS ? took : LOOK_MS;
	if (pause > 0)
		wait_signal(pause, false);
	p->woken_at = time_steady();
	/* This comes last: writes from here on raise a new signal, and the caller sees all writes before. */
	news_take(p->news);
}

void
pool_wait(struct pool *p, int ms)
{
	int64_t now;
	size_t i;

	wait_for_any(p, ms);
	p->back_at = time_steady();
	reap_children(p);
	record_exits(p);
	now = time_steady();
	/*
	 * Processes that end quickly wake this function often; it need not read the flags each
	 * time.
	 */
	if (now < p->looked_at + LOOK_MS)
		return;
	p->looked_at = now;
	for (i = 0; i <= p->jobs; i++)
		if (p->slots[i].pid != 0)
			watch_slot(p, &p->slots[i], now);
}
