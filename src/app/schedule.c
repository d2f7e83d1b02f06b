/*
 * Schedules: recurring work is a row of its own, not a job in the future. The contract is in
 * app/queue.h.
 */
#include "app/queue.h"
#include "base/json.h"

/*
 * next_at 0: wanted as soon as possible (schedule_soon()). Such a turn waits for the last job to
 * end, so that work which came while that job ran is not left until the next turn.
 */
#define IS_BUSY "EXISTS (SELECT 1 FROM job j WHERE j.id = s.last_job AND j.state IN ('queued', 'running'))"
#define IS_DUE "s.next_at <= :now AND (s.next_at > 0 OR NOT " IS_BUSY ")"

SQL(q_soon, "UPDATE schedule SET next_at = 0 WHERE id = :id RETURNING 1");
SQL(q_note, "UPDATE schedule SET args = :args WHERE id = :id");
SQL(q_put,
    "INSERT INTO schedule (id, kind, org, space, account, queue, args, every, next_at) VALUES (:id, "
    ":kind, :org, :space, :user, :queue, :args, :every, :next_at) ON CONFLICT (id) DO UPDATE SET "
    "kind = excluded.kind, org = excluded.org, space = excluded.space, account = excluded.account, "
    "queue = excluded.queue, args = excluded.args, every = excluded.every, next_at = excluded.next_at");
SQL(q_drop, "DELETE FROM schedule WHERE id = :id");
SQL(q_any, "SELECT 1 FROM schedule s WHERE " IS_DUE " LIMIT 1");
/* busy is 1 if the last job has not ended. */
SQL(q_due,
    "SELECT s.id, s.kind, s.org, s.space, s.account, s.queue, s.args, s.every, " IS_BUSY " AS busy FROM schedule s "
    "WHERE " IS_DUE " ORDER BY s.next_at LIMIT 1");
/* Turns that were missed are skipped: the next turn is a whole period from now. */
SQL(q_turn,
    "UPDATE schedule SET next_at = :now + every, last_job = COALESCE(:job, last_job) WHERE id = :id");

/* The next turn is at most a period away, unless the clock was set back. */
SQL(q_reclock, "UPDATE schedule SET next_at = :now WHERE next_at > :now + every /*scan*/");

void
schedule_reclock(struct db *db)
{
	struct stmt *q = db_use(db, &q_reclock);

	bind_int(q, ":now", time_now());
	stmt_run(q);
}

/* The caller chooses the id: writing it again changes the schedule. */
void
schedule_put(struct db *db, const struct schedule *s)
{
	struct stmt *q = db_use(db, &q_put);

	bind_text(q, ":id", s->id);
	bind_text(q, ":kind", s->job.kind);
	bind_text(q, ":org", s->job.org);
	bind_text(q, ":space", s->job.space);
	bind_text(q, ":user", s->job.user);
	bind_text(q, ":queue", s->job.queue);
	bind_text(q, ":args", s->job.args != NULL ? s->job.args : "{}");
	bind_int(q, ":every", s->every);
	bind_int(q, ":next_at", s->next_at > 0 ? s->next_at : time_now());
	stmt_run(q);
}

void
schedule_drop(struct db *db, const char *id)
{
	struct stmt *q = db_use(db, &q_drop);

	bind_text(q, ":id", id);
	stmt_run(q);
}

void
schedule_note(struct db *db, const char *id, const char *args)
{
	struct stmt *q = db_use(db, &q_note);

	bind_text(q, ":id", id);
	bind_text(q, ":args", args);
	stmt_run(q);
}

bool
schedule_soon(struct db *db, const char *id)
{
	struct stmt *q = db_use(db, &q_soon);

	bind_text(q, ":id", id);
	return stmt_step(q);
}

/*
 * Handles the schedule that has been due longest; false if none is due. If its last job has not
 * ended, a regular turn passes without a new job: jobs of a slow schedule must not pile up.
 */
static bool
take_turn(struct db *db, struct arena *a, int64_t now, bool *queued)
{
	struct stmt *q = db_use(db, &q_due);
	struct job job;
	char *id, *added = NULL;

	bind_int(q, ":now", now);
	if (!stmt_step(q))
		return false;
	id = col_dup(q, 0, a);
	job = (struct job){ .kind = col_dup(q, 1, a), .org = col_dup(q, 2, a), .space = col_dup(q, 3, a),
		.user = col_dup(q, 4, a), .queue = col_dup(q, 5, a), .args = col_dup(q, 6, a) };
	*queued = col_int(q, 8) == 0;
	if (*queued)
		added = job_add(db, a, &job, 0);
	q = db_use(db, &q_turn);
	bind_int(q, ":now", now);
	bind_text(q, ":job", added);
	bind_text(q, ":id", id);
	stmt_run(q);
	return true;
}

/* Returns the number of queued jobs. The loop ends, since each turn moves next_at beyond now. */
int64_t
schedule_run(struct db *db, struct arena *a)
{
	int64_t now = time_now(), n = 0;
	struct stmt *q = db_use(db, &q_any);
	bool queued;

	/* This is called every few seconds, and nearly always without result, so it first checks without the lock. */
	bind_int(q, ":now", now);
	if (stmt_int(q, 0) == 0)
		return 0;
	db_begin(db, true);
	while (take_turn(db, a, now, &queued))
		n += queued;
	db_commit(db);
	return n;
}
