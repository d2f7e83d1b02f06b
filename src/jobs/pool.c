/* Processes of jobs: started, watched, settled. Contract: jobs/pool.h. */
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
#include "jobs/kinds.h"
#include "jobs/pool.h"
#include "pool_news.h"

/*
 * GRACE_MS: a job that is asked to end looks at that within a step, and may have something to
 * put right. LOOK_MS bounds the queries of an idle runner to two a second for each process, NEWS_MS
 * those of one that is told of each write while others write without pause.
 */
enum { ID_MAX = 64, GRACE_MS = 10000, LOOK_MS = 500, NEWS_MS = 10 };

struct slot {
	pid_t       pid;             /* 0: free */
	bool        gone;            /* the process has ended with this status; its job is to be settled */
	int         status;
	char        id[ID_MAX];      /* of the job; "": housekeeping */
	struct job  job;             /* what settling needs: id, attempts */
	int         tries;
	int64_t     seconds, deadline;
	int64_t     asked_at;        /* when its end was first seen to be asked for; 0: it is not */
	const char *killed;          /* the state that it gets for that: timeout, cancelled; NULL */
};

/*
 * The runner's connection `db` is not used by any child: they open their own, for SQLite forbids
 * to carry one across fork (sqlite.org/howtocorrupt.html, 2.6).
 */
struct pool {
	struct arena          *arena;
	struct arena          *scratch;  /* of settling */
	struct db             *db;
	const struct settings *set;
	struct slot           *slots;
	size_t                 size[JOB_LANES];  /* one lane's slots after another's */
	size_t                 jobs;     /* slots of all lanes; housekeeping has one of its own behind them */
	int64_t                looked_at;
	int                    news;     /* news_open() */
	int64_t                woken_at; /* by news, the last time */
	int64_t                back_at;  /* when the caller got its turn, the last time */
};

struct pool *
pool_new(struct arena *a, struct db *db, const struct settings *set)
{
	struct pool *p = arena_alloc(a, sizeof(*p));
	sigset_t both;

	*p = (struct pool){ .arena = a, .scratch = arena_within(a, 1 << 20), .db = db, .set = set,
		.size = { (size_t)set->job_processes, (size_t)set->job_remote, (size_t)set->job_long } };
	p->jobs = p->size[JOB_LOCAL] + p->size[JOB_REMOTE] + p->size[JOB_LONG];
	/*
	 * One more for housekeeping: jobs that fill all places must not keep the purge
	 * from running.
	 */
	p->slots = arena_array(a, p->jobs + 1, sizeof(struct slot));
	/* pool_wait() takes both with sigtimedwait(), so that none is missed in between. */
	sigemptyset(&both);
	sigaddset(&both, SIGCHLD);
	sigaddset(&both, SIGIO);
	sigprocmask(SIG_BLOCK, &both, NULL);
	p->news = news_open(set->dir);
	p->back_at = time_steady();
	return p;
}

/* The first slot of a lane. */
static struct slot *
lane_of(const struct pool *p, enum job_lane lane)
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
	const struct slot *s = lane_of(p, lane);
	size_t i, n = 0;

	for (i = 0; i < p->size[lane]; i++)
		n += s[i].pid == 0;
	return n;
}

static struct slot *
free_slot(const struct pool *p, enum job_lane lane)
{
	struct slot *s = lane_of(p, lane);
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

/* What a process is to become. name: argv[0], by which octavo-launch knows what it stands for. */
struct program {
	char path[PATH_MAX], name[ID_MAX];
};

/*
 * A kind's own program is beside this one; false where it is not. For the others, /proc/self/exe is
 * this very program, whatever was installed since; where a loader of its own started it, that is
 * the loader, and OCTAVO_LAUNCHER (cgi/launch.c) is what starts it again.
 */
static bool
program_of(const struct job_kind *kind, struct program *out)
{
	const char *launcher = getenv("OCTAVO_LAUNCHER");
	bool own = kind != NULL && kind->program != NULL;

	snprintf(out->name, sizeof(out->name), "octavo-%s", own ? kind->program : "jobs");
	if (own)
		return child_beside(kind->program, out->path);
	snprintf(out->path, sizeof(out->path), "%s", launcher != NULL ? launcher : "/proc/self/exe");
	return true;
}

/* In the new process. */
static void __attribute__((noreturn))
run_program(const struct program *p, const char *id, int64_t memory, pid_t parent)
{
	sigset_t none;

	/* The mask survives execl(), and the job's own children need SIGCHLD. */
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	/*
	 * A process group of its own, so that the job can be killed with all that it starts; and
	 * it dies with the runner.
	 */
	if (!child_settle(parent))
		_exit(EXIT_FAILURE);
	child_limits(memory, 0);
	/*
	 * The id is all that is handed over: the arguments, and the secrets among them, are read
	 * from the database, for /proc shows argument lists to everybody.
	 */
	if (*id == '\0')
		execl(p->path, p->name, "--purge", (char *)NULL);
	else
		execl(p->path, p->name, "--job", id, (char *)NULL);
	/*
	 * As a shell says that a program could not be started; _exit, for the parent's buffers
	 * and handlers are not this process's.
	 */
	_exit(127);
}

void
pool_start(struct pool *p, const struct job *job)
{
	struct slot *s = job != NULL ? free_slot(p, job->lane) : &p->slots[p->jobs];
	const struct job_kind *kind = job != NULL ? job_kind_find(job->kind) : NULL;
	/*
	 * A kind that this program does not know is started all the same: the process says so
	 * and fails the job.
	 */
	int64_t memory = kind != NULL && kind->memory > 0 ? kind->memory : JOB_MEMORY;
	struct program program;
	pid_t parent = getpid();

	/*
	 * No place: the caller asked pool_room() first, and housekeeping that still runs is not
	 * begun twice.
	 */
	if (s == NULL || s->pid != 0)
		return;
	*s = (struct slot){ .tries = kind != NULL && kind->tries > 0 ? kind->tries : JOB_TRIES,
		.seconds = kind != NULL && kind->seconds != NULL ? kind->seconds(p->set) : JOB_SECONDS };
	if (job != NULL) {
		snprintf(s->id, sizeof(s->id), "%s", job->id);
		/*
		 * The caller's job lives in an arena of its own loop; the slot keeps what
		 * settling needs.
		 */
		s->job = (struct job){ .id = s->id, .attempts = job->attempts };
	}
	if (!program_of(kind, &program)) {
		job_put_off(p->db, &s->job, s->tries, arena_printf(p->scratch, "%s is not in the folder of octavo-jobs, "
		    "or cannot be run", program.name));
		return;
	}
	s->deadline = time_steady() + s->seconds * 1000;
	/* What is buffered would be written twice, by both processes. */
	fflush(NULL);
	s->pid = fork();
	if (s->pid == 0)
		run_program(&program, s->id, memory, parent);
	if (s->pid > 0)
		/*
		 * In the parent as well: whoever is first, the group exists before anybody may
		 * want to kill it.
		 */
		setpgid(s->pid, s->pid);
	else if (s->pid < 0) {
		s->pid = 0;
		if (job != NULL)
			job_put_off(p->db, &s->job, s->tries, strerror(errno));
	}
}

/* ---- what became of it ---- */

static void
end_as(struct pool *p, const struct slot *s, const char *why)
{
	db_begin(p->db, true);
	job_end(p->db, s->id, s->killed, why, NULL);
	db_commit(p->db);
}

/* The job of a process that is gone; where it ended or put off its job itself, nothing is left to do. */
static void
settle_slot(struct pool *p, const struct slot *s, int status)
{
	struct arena *a = p->scratch;
	const char *why;
	struct job job;

	arena_reset(a);
	/*
	 * Still claimed means that the process did not end its job. The row decides, not the
	 * exit status: a job may be done and its process fail afterwards.
	 */
	if (*s->id != '\0' && job_claimed(p->db, a, s->id, &job)) {
		if (s->killed != NULL)
			end_as(p, s, strcmp(s->killed, "timeout") != 0 ? "cancelled" :
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
			 * A crash may be the machine's (out of memory beside a large job), so it
			 * is tried again, up to the kind's number.
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

	/* Until none is left: pending signals of one number are merged into one. */
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		for (i = 0; i <= p->jobs; i++)
			if (p->slots[i].pid == pid) {
				/* What it started, a fetch, say, goes with it. */
				kill(-pid, SIGKILL);
				p->slots[i].gone = true;
				p->slots[i].status = status;
			}
}

/* Where the database fails, which leaves this function, the slot is settled at the next call. */
static void
settle_all(struct pool *p)
{
	size_t i;

	for (i = 0; i <= p->jobs; i++)
		if (p->slots[i].gone) {
			settle_slot(p, &p->slots[i], p->slots[i].status);
			p->slots[i].gone = false;
			p->slots[i].pid = 0;
		}
}

static void
watch_slot(struct pool *p, struct slot *s, int64_t now)
{
	/*
	 * The job looks at the same flag (job_progress()) and ends by itself, which is the
	 * better way: it leaves nothing half done. The kill is for those that do not look.
	 */
	if (s->asked_at == 0 && *s->id != '\0' && job_cancelled(p->db, s->id))
		s->asked_at = now;
	if (now >= s->deadline)
		s->killed = "timeout";
	else if (s->asked_at != 0 && now >= s->asked_at + GRACE_MS)
		s->killed = "cancelled";
	if (s->killed != NULL)
		/*
		 * Each time it is looked at, until it is reaped: at the first time the group may
		 * not exist yet.
		 */
		kill(-s->pid, SIGKILL);
}

/* True: it was SIGIO. Interrupted or timed out: false. */
static bool
wait_signal(int64_t ms, bool news)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000L };
	sigset_t set;

	/* Those of pool_new(); they are blocked and stay pending until they are taken here. */
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	if (news)
		sigaddset(&set, SIGIO);
	return sigtimedwait(&set, NULL, &t) == SIGIO;
}

/* Returns early where a process ended since the last call, or somebody wrote who may have queued a job. */
static void
wait_for_any(struct pool *p, int ms)
{
	int64_t took = time_steady() - p->back_at, pause;

	if (!wait_signal(ms, p->news >= 0))
		return;
	pause = p->woken_at + NEWS_MS - time_steady();
	/* A long queue makes the caller's look long: it rests for as long. */
	if (pause < took)
		pause = took < LOOK_MS ? took : LOOK_MS;
	if (pause > 0)
		wait_signal(pause, false);
	p->woken_at = time_steady();
	/* Last: what is written from here is told again, and what was written before is looked at next. */
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
	settle_all(p);
	now = time_steady();
	/* Processes that end quickly wake this function often; the flags need not be read each time. */
	if (now < p->looked_at + LOOK_MS)
		return;
	p->looked_at = now;
	for (i = 0; i <= p->jobs; i++)
		if (p->slots[i].pid != 0)
			watch_slot(p, &p->slots[i], now);
}
