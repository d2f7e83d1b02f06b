/*
 * The queue of jobs: claiming, postponing, ending and recovering them. The contract is in
 * app/queue.h.
 */
#include "base/json.h"
#include "app/queue.h"
#include "base/secret.h"

SQL(q_job_add,
    "INSERT INTO job (id, kind, space, org, account, queue, args, secret, run_at, created_at) "
    "VALUES (:id, :kind, :space, :org, :user, :queue, :args, :secret, :run_at, :now)");
/*
 * The lane of a job, computed from its kind. A kind that this program does not know counts as
 * JOB_LOCAL, so that such a job is claimed as well, and then postponed.
 */
#define LANE(j) "CASE WHEN " j ".kind IN ('import', 'export', 'git', 'openapi', 'upload') THEN 1 " \
	"WHEN " j ".kind IN ('translate', 'conversations', 'leave') THEN 2 ELSE 0 END"
#define JOB_COLS "j.id, j.kind, j.space, j.account, j.args, j.secret, j.attempts, j.created_at, j.org, j.queue, " LANE("j") ", " \
	"j.runner, j.claims"
/*
 * IS_DUE: the job may start now. It may not while another job of its queue runs or an older one is
 * due, while a change request stages a long merge in the space (IS_HELD; store/stage.h: some
 * seconds), and if its space is being deleted permanently (deleted_at 1: jobs/purge.h).
 */
#define IS_HELD "EXISTS (SELECT 1 FROM branch b WHERE b.space = j.queue AND b.staged IS NOT NULL AND b.staged_until > :now)"
#define IS_DUE "j.state = 'queued' AND j.run_at <= :now " \
	"AND NOT EXISTS (SELECT 1 FROM job o WHERE o.queue = j.queue AND o.state = 'running') " \
	"AND NOT EXISTS (SELECT 1 FROM job o WHERE o.queue = j.queue AND o.state = 'queued' " \
	"AND o.run_at <= :now AND (o.created_at, o.id) < (j.created_at, j.id)) " \
	"AND NOT " IS_HELD " " \
	"AND NOT EXISTS (SELECT 1 FROM space s WHERE s.id = j.space AND s.deleted_at = 1)"
SQL(q_job_due, "SELECT 1 FROM job j WHERE " IS_DUE " LIMIT 1");
SQL(q_job_held, "SELECT 1 FROM job j WHERE j.state = 'queued' AND j.run_at <= :now AND " IS_HELD " LIMIT 1");
/*
 * busy: owners of the runner's running jobs of the lane. Sorts the jobs that are due, because no index has
 * the number of running jobs of their owners.
 */
#define BUSY "WITH busy AS (SELECT o.account, COALESCE(o.org, t.org) AS org FROM job o LEFT JOIN space t ON t.id = o.space " \
	"WHERE o.state = 'running' AND o.runner = :runner AND " LANE("o") " = :lane"
#define NEXT_IN BUSY "), " \
	"due AS (SELECT j.id, j.run_at, (SELECT count(*) FROM busy b WHERE b.account = j.account) AS mine, " \
	"(SELECT count(*) FROM busy b WHERE b.org = COALESCE(j.org, t.org)) AS ours " \
	"FROM job j LEFT JOIN space t ON t.id = j.space WHERE " LANE("j") " = :lane AND " IS_DUE ") " \
	"SELECT d.id FROM due d "
#define NEXT_FIRST " d.mine < :free AND d.ours < :free " \
	"ORDER BY CASE WHEN d.mine > d.ours THEN d.mine ELSE d.ours END, d.mine + d.ours, d.run_at, d.id LIMIT 1 "
SQL(q_job_next_in, NEXT_IN "WHERE" NEXT_FIRST "/*scan*/");
/* On PostgreSQL runners meet: one passes over jobs that others are about to take. */
SQL_TWO(q_job_take, NEXT_IN "WHERE" NEXT_FIRST "/*scan*/",
    NEXT_IN "JOIN job x ON x.id = d.id WHERE" NEXT_FIRST "FOR UPDATE OF x SKIP LOCKED");
/* A job that waits and may have the only free place: no other running job of the lane is of its owners. */
SQL(q_job_waits,
    BUSY " AND o.id <> :id) "
    "SELECT 1 FROM job j LEFT JOIN space t ON t.id = j.space WHERE " LANE("j") " = :lane AND j.run_at <= :before AND " IS_DUE
    " AND NOT EXISTS (SELECT 1 FROM busy b WHERE b.account = j.account OR b.org = COALESCE(j.org, t.org)) LIMIT 1");
SQL(q_job_turn,
    "UPDATE job SET state = 'queued', attempts = attempts - 1, run_at = :now WHERE id = :id AND state = 'running'");
SQL(q_job_found, "SELECT " JOB_COLS " FROM job j WHERE j.id = :id");
SQL(q_job_waiting,
    "SELECT count(*) FROM job WHERE account = :user AND state IN ('queued', 'running')");
SQL(q_job_claimed, "SELECT " JOB_COLS " FROM job j WHERE j.id = :id AND j.state = 'running' AND j.claims = :claims");
SQL(q_job_is_claimed, "SELECT 1 FROM job WHERE id = :id AND state = 'running' AND claims = :claims");
SQL(q_job_start,
    "UPDATE job SET state = 'running', attempts = attempts + 1, claims = claims + 1, runner = :runner, beat_at = :now, "
    "started_at = COALESCE(started_at, :now), error = NULL WHERE id = :id");
SQL(q_job_progress,
    "UPDATE job SET stage = :stage, done = :done, total = :total, beat_at = :now WHERE id = :id");
/* For a job without a row stmt_int() returns its default 0, so the job continues to its end. */
SQL(q_job_cancelled, "SELECT cancel FROM job WHERE id = :id");
/*
 * The credentials are deleted with the end of the job: nothing needs them any more. A job that is
 * done shows full progress: progress is reported only a few times a second, so the last number was
 * too early, and some stages report none.
 */
#define WHOLE(else) \
	"CASE WHEN :state <> 'done' THEN " else " WHEN done > total THEN done WHEN total > 0 THEN total ELSE 1 END"
SQL(q_job_end,
    "UPDATE job SET state = :state, error = :error, result = :result, ended_at = :now, secret = NULL, stage = '', "
    "done = " WHOLE("done") ", total = " WHOLE("total") " WHERE id = :id");
SQL(q_job_retry,
    "UPDATE job SET state = 'queued', error = :error, run_at = :run_at WHERE id = :id");
SQL(q_job_unwarn, "DELETE FROM job_warning WHERE job = :id");
SQL(q_job_warn,
    "INSERT INTO job_warning (job, n, file, line, message) VALUES (:id, :n, :file, :line, :message)");
/*
 * LOST: no process does the job. It needs a moment to start (:before), and on PostgreSQL it holds the job's
 * name until it ends.
 */
#define LOST "job.state = 'running' AND COALESCE(job.beat_at, 0) < :before AND NOT " DB_IS_HELD("job.id")
SQL_TWO(q_job_lost, NULL, "SELECT 1 FROM job WHERE " LOST " LIMIT 1");
/* A job that kills its runner each time is not tried for ever. */
#define RECOVER "UPDATE job SET state = CASE WHEN attempts >= 20 THEN 'failed' ELSE 'queued' END, " \
	"error = CASE WHEN attempts >= 20 THEN 'the job runner died at it each time' ELSE error END, " \
	"ended_at = CASE WHEN attempts >= 20 THEN CAST(:now AS BIGINT) END, " \
	"secret = CASE WHEN attempts >= 20 THEN NULL ELSE secret END, run_at = :now "
SQL(q_job_recover, RECOVER "WHERE state = 'running'");
SQL_TWO(q_job_recover_lost, NULL, RECOVER "WHERE " LOST);
/* No job is postponed for longer than an hour: run_at is later only if the clock was set back. */
SQL(q_job_reclock, "UPDATE job SET run_at = :now WHERE state = 'queued' AND run_at > :now + 3600000");
SQL(q_branch_reclock,
    "UPDATE branch SET staged_until = :now WHERE staged IS NOT NULL AND staged_until > :now + 3600000 /*scan*/");
SQL(q_job_next, "SELECT min(run_at) FROM job WHERE state = 'queued'");

bool
job_many(struct db *db, const char *user)
{
	struct stmt *q = db_use(db, &q_job_waiting);

	bind_text(q, ":user", user);
	return stmt_int(q, 0) >= JOBS_WAITING;
}

char *
job_add(struct db *db, struct arena *a, const struct job *job, int64_t run_at)
{
	struct stmt *q = db_use(db, &q_job_add);
	char *id = secret_id(a);

	bind_text(q, ":id", id);
	bind_text(q, ":kind", job->kind);
	bind_text(q, ":space", job->space);
	bind_text(q, ":org", job->org);
	bind_text(q, ":user", job->user);
	bind_text(q, ":queue", job->queue);
	bind_text(q, ":args", job->args);
	if (job->secret.n > 0)
		bind_blob(q, ":secret", job->secret);
	bind_int(q, ":run_at", run_at > 0 ? run_at : time_now());
	bind_int(q, ":now", time_now());
	stmt_run(q);
	return id;
}

/* Copies texts and secret: the row may change as soon as the transaction ends. */
static void
read_job(struct stmt *q, struct arena *a, struct job *out)
{
	struct str secret = col_bytes(q, 5);

	*out = (struct job){ .id = col_dup(q, 0, a), .kind = col_dup(q, 1, a),
		.space = col_dup(q, 2, a), .user = col_dup(q, 3, a), .args = col_dup(q, 4, a),
		.secret = { arena_strndup(a, secret.p, secret.n), secret.n },
		.attempts = col_int(q, 6), .created_at = col_int(q, 7), .org = col_dup(q, 8, a),
		.queue = col_dup(q, 9, a), .lane = (enum job_lane)col_int(q, 10), .runner = col_dup(q, 11, a),
		.claims = col_int(q, 12), .began = time_steady() };
}

/* Returns the id, inside the open transaction; NULL: none. */
static char *
find_next(struct db *db, struct arena *a, const struct sql *sql, const char *runner, enum job_lane lane, size_t room)
{
	struct stmt *q = db_use(db, sql);

	bind_text(q, ":runner", runner);
	bind_int(q, ":now", time_now());
	bind_int(q, ":lane", lane);
	bind_int(q, ":free", (int64_t)room);
	return stmt_step(q) ? col_dup(q, 0, a) : NULL;
}

/*
 * The attempt is counted before the work begins, so that a job that kills its process is counted
 * too (job_recover). Only the warnings of the last attempt are kept.
 */
static void
start_found(struct db *db, struct arena *a, const char *runner, const char *id, struct job *out)
{
	struct stmt *q = db_use(db, &q_job_found);

	bind_text(q, ":id", id);
	stmt_step(q);
	read_job(q, a, out);
	out->attempts++;
	out->claims++;
	out->runner = runner;
	q = db_use(db, &q_job_start);
	bind_text(q, ":runner", runner);
	bind_int(q, ":now", time_now());
	bind_text(q, ":id", id);
	stmt_run(q);
	job_unwarn(db, id);
}

/*
 * This is called often, and nearly always without result, so it first searches without the lock.
 * The job is then found again and marked under the lock, so that two runners never take the same
 * job.
 */
bool
job_claim(struct db *db, struct arena *a, const char *runner, enum job_lane lane, size_t room, struct job *out)
{
	int64_t next = room == 0 ? -1 : job_next(db);
	bool found;
	char *id;

	if (next < 0 || next > time_now())
		return false;
	db_begin(db, false);
	found = find_next(db, a, &q_job_next_in, runner, lane, room) != NULL;
	db_rollback(db);
	if (!found)
		return false;
	db_begin(db, true);
	if ((id = find_next(db, a, &q_job_take, runner, lane, room)) != NULL)
		start_found(db, a, runner, id, out);
	db_commit(db);
	return id != NULL;
}

static bool
any_job(struct db *db, const struct sql *sql)
{
	struct stmt *q;
	bool found;

	db_begin(db, false);
	q = db_use(db, sql);
	bind_int(q, ":now", time_now());
	found = stmt_step(q);
	db_rollback(db);
	return found;
}

bool
job_due(struct db *db)
{
	return any_job(db, &q_job_due);
}

bool
job_held(struct db *db)
{
	return any_job(db, &q_job_held);
}

/*
 * The process that was started for the job calls it. False: the job was recovered or ended
 * meanwhile, and must not be done.
 */
bool
job_claimed(struct db *db, struct arena *a, const char *id, int64_t claims, struct job *out)
{
	struct stmt *q = db_use(db, &q_job_claimed);
	bool found;

	bind_text(q, ":id", id);
	bind_int(q, ":claims", claims);
	if ((found = stmt_step(q)))
		read_job(q, a, out);
	return found;
}

bool
job_is_claimed(struct db *db, const struct job *job)
{
	struct stmt *q = db_use(db, &q_job_is_claimed);

	bind_text(q, ":id", job->id);
	bind_int(q, ":claims", job->claims);
	return stmt_int(q, 0) != 0;
}

/* Cancelling is cooperative: the job checks between its steps, so that each step stays complete. */
bool
job_cancelled(struct db *db, const char *id)
{
	struct stmt *q = db_use(db, &q_job_cancelled);

	bind_text(q, ":id", id);
	return stmt_int(q, 0) != 0;
}

bool
job_turn_over(struct db *db, const struct job *job)
{
	struct stmt *q;
	bool waits;

	if (time_steady() - job->began < JOB_TURN_MS)
		return false;
	db_begin(db, false);
	q = db_use(db, &q_job_waits);
	bind_text(q, ":id", job->id);
	bind_text(q, ":runner", job->runner);
	bind_int(q, ":lane", job->lane);
	bind_int(q, ":now", time_now());
	bind_int(q, ":before", time_now() - JOB_WAIT_MS);
	waits = stmt_step(q);
	db_rollback(db);
	return waits;
}

void
job_give_turn(struct db *db, const char *id)
{
	struct stmt *q;

	db_begin(db, true);
	q = db_use(db, &q_job_turn);
	bind_int(q, ":now", time_now());
	bind_text(q, ":id", id);
	stmt_run(q);
	db_commit(db);
}

/*
 * Records the progress and checks for cancelling in one transaction, because each write transaction
 * waits until the disk has stored it.
 */
bool
job_progress(struct db *db, const char *id, const char *stage, int64_t done, int64_t total)
{
	struct stmt *q;
	bool wanted;

	db_begin(db, true);
	q = db_use(db, &q_job_progress);
	bind_text(q, ":stage", stage);
	bind_int(q, ":done", done);
	bind_int(q, ":total", total);
	bind_int(q, ":now", time_now());
	bind_text(q, ":id", id);
	stmt_run(q);
	q = db_use(db, &q_job_cancelled);
	bind_text(q, ":id", id);
	wanted = stmt_int(q, 0) == 0;
	db_commit(db);
	return wanted;
}

void
job_end(struct db *db, const char *id, const char *state, const char *error, const char *result)
{
	struct stmt *q = db_use(db, &q_job_end);

	bind_text(q, ":state", state);
	bind_text(q, ":error", error);
	bind_text(q, ":result", result);
	bind_int(q, ":now", time_now());
	bind_text(q, ":id", id);
	stmt_run(q);
}

/* The secret stays: the next attempt needs it. */
void
job_retry(struct db *db, const char *id, int64_t run_at, const char *error)
{
	struct stmt *q = db_use(db, &q_job_retry);

	bind_text(q, ":error", error);
	bind_int(q, ":run_at", run_at);
	bind_text(q, ":id", id);
	stmt_run(q);
}

void
job_put_off(struct db *db, const struct job *job, int tries, const char *why)
{
	enum { WAIT_MS = 5000 };

	db_begin(db, true);
	/* Waits longer after each attempt, since a missing server rarely returns at once. */
	if (!job_is_claimed(db, job))
		;   /* another runner found it lost, and has taken it */
	else if (job->attempts < tries)
		job_retry(db, job->id, time_now() + WAIT_MS * job->attempts, why);
	else
		job_end(db, job->id, "failed", why, NULL);
	db_commit(db);
}

void
job_unwarn(struct db *db, const char *id)
{
	struct stmt *q = db_use(db, &q_job_unwarn);

	bind_text(q, ":id", id);
	stmt_run(q);
}

void
job_warn(struct db *db, const char *id, int64_t n, const char *file, size_t line,
    const char *message)
{
	struct stmt *q = db_use(db, &q_job_warn);

	bind_text(q, ":id", id);
	bind_int(q, ":n", n);
	bind_text(q, ":file", file);
	bind_int(q, ":line", (int64_t)line);
	bind_text(q, ":message", message);
	stmt_run(q);
}

/*
 * A runner calls it when it has just got the lock of the data directory, which means that the
 * runner of these jobs is dead.
 */
int64_t
job_recover(struct db *db)
{
	struct stmt *q;
	int64_t n;

	db_begin(db, true);
	q = db_use(db, &q_job_recover);
	bind_int(q, ":now", time_now());
	n = stmt_run(q);
	db_commit(db);
	return n;
}

static bool
any_lost(struct db *db, int64_t before)
{
	struct stmt *q;
	bool found;

	db_begin(db, false);
	q = db_use(db, &q_job_lost);
	bind_int(q, ":before", before);
	found = stmt_step(q);
	db_rollback(db);
	return found;
}

int64_t
job_recover_lost(struct db *db, int64_t before)
{
	struct stmt *q;
	int64_t n;

	if (db_has_file(db) || !any_lost(db, before))
		return 0;
	db_begin(db, true);
	q = db_use(db, &q_job_recover_lost);
	bind_int(q, ":now", time_now());
	bind_int(q, ":before", before);
	n = stmt_run(q);
	db_commit(db);
	return n;
}

/* Call it when the clock was found to have been set back. */
void
job_reclock(struct db *db)
{
	struct stmt *q;

	db_begin(db, true);
	q = db_use(db, &q_job_reclock);
	bind_int(q, ":now", time_now());
	stmt_run(q);
	q = db_use(db, &q_branch_reclock);
	bind_int(q, ":now", time_now());
	stmt_run(q);
	schedule_reclock(db);
	db_commit(db);
}

/* When the next job is due, whether or not its queue is free; -1: none waits. */
int64_t
job_next(struct db *db)
{
	return stmt_int(db_use(db, &q_job_next), -1);
}
