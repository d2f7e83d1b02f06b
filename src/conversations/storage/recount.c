/*
 * Computes counts and sums of an organization's clusters again from its issues, after octavo check
 * found them wrong. The ids of clusters stay. The database is consistent after each transaction.
 */
#include <string.h>

#include "recount.h"
#include "cluster_rows.h"
#include "conversations/storage.h"

/*
 * The job's arguments. They are compared as text, because only conversations_recount() writes them.
 */
#define RECOUNT "{\"recount\":true}"
enum { SCRATCH = 64 << 20 };

SQL(q_waits,
    "SELECT count(*) FROM job WHERE org = :org AND kind = 'conversations' AND state = 'queued' AND args = :args");
SQL(q_state,
    "UPDATE conversation_state SET conversations = (SELECT count(*) FROM conversation WHERE org = :org), "
    "issues = (SELECT count(*) FROM conversation_issue WHERE org = :org), "
    "clusters = (SELECT count(*) FROM issues_cluster WHERE org = :org) WHERE org = :org");
SQL(q_terms_drop, "DELETE FROM issue_term WHERE org = :org");
/* The order is that of an index; the result does not depend on it. */
SQL(q_terms, "SELECT terms FROM conversation_issue WHERE org = :org ORDER BY created_at, n");
/*
 * The clusters are read by number, each time the next one, because clusters may be made and deleted
 * between two transactions.
 */
SQL(q_next, "SELECT n FROM issues_cluster WHERE org = :org AND n > :after ORDER BY n LIMIT 1 /*scan*/");

/*
 * Queues the job among the analysis jobs of the organization, which run one after another: at the
 * same time each would overwrite counts of the other.
 */
bool
conversations_recount(struct db *db, struct arena *a, const char *org, const char *user)
{
	struct stmt *q = db_use(db, &q_waits);

	bind_text(q, ":org", org);
	bind_text(q, ":args", RECOUNT);
	if (stmt_int(q, 0) > 0)
		return false;
	job_add(db, a, &(struct job){ .kind = "conversations", .org = org, .user = user, .args = RECOUNT,
	    .queue = arena_printf(a, "conversations:%s", org) }, 0);
	return true;
}

bool
recount_wanted(const struct job *job)
{
	return strcmp(job->args, RECOUNT) == 0;
}

static void
run_for_org(struct db *db, const struct sql *sql, const char *org)
{
	struct stmt *q = db_use(db, sql);

	bind_text(q, ":org", org);
	stmt_run(q);
}

/* Counts the rows of the organization, and how many issues have each term. */
static void
count_terms(struct db *db, struct arena *a, struct arena *scratch, const char *org)
{
	struct store s;
	struct stmt *q;
	struct terms t;

	db_begin(db, true);
	/* This comes before the store is opened, because store_open() reads the row, and store_flush() writes it. */
	run_for_org(db, &q_state, org);
	run_for_org(db, &q_terms_drop, org);
	store_open(&s, db, a, org, NULL);
	q = db_use(db, &q_terms);
	bind_text(q, ":org", org);
	while (stmt_step(q)) {
		/* One issue at a time, because an organization may have a million issues. */
		t = unpack_terms(scratch, col_bytes(q, 0));
		frequencies_count(&s, &t, 1);
		arena_reset(scratch);
	}
	store_flush(&s);
	db_commit(db);
}

/*
 * Counts the next cluster after the number `after`, in its own transaction. Returns its number; 0:
 * there is none.
 */
static int64_t
count_next(struct db *db, struct arena *a, struct arena *scratch, const char *org, int64_t after)
{
	struct store s;
	struct stmt *q;
	int64_t n;

	db_begin(db, true);
	q = db_use(db, &q_next);
	bind_text(q, ":org", org);
	bind_int(q, ":after", after);
	if ((n = stmt_int(q, 0)) != 0) {
		store_open(&s, db, a, org, NULL);
		store_recount(&s, n, scratch);
		store_choose_representatives(&s);
		store_flush(&s);
	}
	db_commit(db);
	arena_reset(a);
	return n;
}

/* Frequencies first, because weights of terms in clusters depend on them. */
void
recount_all(struct db *db, struct arena *a, const struct job *job)
{
	/* scratch: for one issue; each: for one cluster. */
	struct arena *scratch = arena_within(a, SCRATCH), *each = arena_within(a, (size_t)1 << 30);
	int64_t n = 0, done = 0;

	count_terms(db, each, scratch, job->org);
	arena_reset(each);
	while ((n = count_next(db, each, scratch, job->org, n)) != 0)
		/* If the job ends here, the clusters up to this one are right. */
		if (++done % 100 == 0 && !job_progress(db, job->id, "counting", done, 0))
			break;
}
