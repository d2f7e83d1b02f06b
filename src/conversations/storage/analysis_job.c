/*
 * The job that analyses conversations. For each batch it finds the issues, puts them into clusters
 * and writes everything in one transaction. After a kill the next run continues with the batch that
 * was not written.
 */
#include <cjson/cJSON.h>
#include <stdio.h>

#include "base/json.h"
#include "outside_analyst.h"
#include "recount.h"
#include "cluster_rows.h"
#include "conversations/storage.h"

/*
 * BATCH, BATCH_BYTES: limits of a transaction. CAREFUL: after so many attempts of the job, each
 * conversation is marked as analysed before it is read. OLD_ISSUES: issues that are read of a
 * conversation.
 */
enum { BATCH = 48, BATCH_BYTES = 1 << 20, CAREFUL = 3, OLD_ISSUES = 32, MEMORY = 1 << 30 };

/*
 * The partial index conversation_waiting contains no analysed conversations. The oldest one comes
 * first, so that none waits for ever. The limit is BATCH.
 */
SQL(q_waiting,
    "SELECT n, version, id, subject, parts, created_at, ingested_at FROM conversation "
    "WHERE org = :org AND processed_at IS NULL ORDER BY n LIMIT 48");
/*
 * The number is not sufficient: if the conversation was deleted meanwhile, another one may have got
 * its number.
 */
SQL(q_same, "SELECT version FROM conversation WHERE n = :n AND id = :id AND org = :org AND ingested_at = :ingested_at");
SQL(q_done, "UPDATE conversation SET processed_at = :now WHERE n = :n");
SQL(q_issues, "SELECT n FROM conversation_issue WHERE conversation = :n ORDER BY n LIMIT 32 /*scan*/");

/* version and ingested_at tell whether the text is still the same when the issues are written. */
struct waiting_conversation {
	int64_t      n, version, created_at, ingested_at;
	char        *id, *subject, *parts;
	struct issue issues[ISSUES_MAX];
	size_t       count;
};

struct analysis_batch {
	struct db             *db;
	struct arena          *a;          /* for one batch */
	const struct settings *set;
	const struct job      *job;
	struct analyst        *analyst;
	struct frequencies    *df;
	struct store           known;      /* read by the analyst, for frequencies of terms */
	struct corpus          corpus;     /* the interface of `known` that the analyst gets */
	struct waiting_conversation batch[BATCH];
	size_t                 n;
	int64_t                done;
};

/*
 * In its own read transaction: the analysis takes seconds (minutes with a command), and must not
 * block writers.
 */
static void
read_batch(struct analysis_batch *w)
{
	size_t bytes = 0, most = w->job->attempts >= CAREFUL ? 1 : BATCH;
	struct stmt *q;

	w->n = 0;
	db_begin(w->db, false);
	q = db_use(w->db, &q_waiting);
	bind_text(q, ":org", w->job->org);
	/* A batch has at least one conversation, whatever its size. */
	while (w->n < most && bytes < BATCH_BYTES && stmt_step(q)) {
		struct waiting_conversation *c = &w->batch[w->n++];
		*c = (struct waiting_conversation){ .n = col_int(q, 0), .version = col_int(q, 1), .id = col_dup(q, 2, w->a),
			.subject = col_dup(q, 3, w->a), .parts = col_dup(q, 4, w->a), .created_at = col_int(q, 5),
			.ingested_at = col_int(q, 6) };
		bytes += strlen(c->parts);
	}
	db_commit(w->db);
}

/* Any other role is the team; only the user's words state issues. */
static enum part_role
role_from_name(const char *name)
{
	return strcmp(name, "user") == 0 ? PART_USER : strcmp(name, "assistant") == 0 ? PART_ASSISTANT : PART_TEAM;
}

static struct str
text_member(const cJSON *v, const char *name)
{
	return str_of(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(v, name)));
}

/* The parts as stored; ingest.c has checked their shape. Bodies are in the batch's arena. */
static struct part *
parse_parts(struct analysis_batch *w, const char *text, size_t *n)
{
	const cJSON *list, *v;
	struct part *parts;

	json_arena(w->a);
	list = cJSON_Parse(text);
	parts = arena_array(w->a, (size_t)cJSON_GetArraySize(list) + 1, sizeof(*parts));
	*n = 0;
	cJSON_ArrayForEach(v, list)
		parts[(*n)++] = (struct part){ role_from_name(text_member(v, "role").p), text_member(v, "body") };
	json_arena(NULL);
	return parts;
}

/* The conversation as input of the administrator's command. */
static struct str
write_input(struct analysis_batch *w, const struct waiting_conversation *c)
{
	struct buf b;
	struct json j;

	/* A byte takes at most six in JSON; the parts are JSON already. */
	buf_init(&b, w->a, strlen(c->parts) + 64 + 12 * (strlen(c->id) + (c->subject == NULL ? 0 : strlen(c->subject))));
	json_init(&j, &b);
	json_obj(&j);
	json_kstr(&j, "id", c->id);
	if (c->subject != NULL)
		json_kstr(&j, "subject", c->subject);
	json_key(&j, "parts");
	json_raw(&j, str_of(c->parts));
	json_end(&j);
	return buf_view(&b);
}

/*
 * Finds the issues of a conversation: by the command if there is one, by the built-in analysis
 * otherwise and if the command fails.
 */
static void
analyse_conversation(struct analysis_batch *w, struct waiting_conversation *c)
{
	const char *error;
	struct part *parts;
	size_t n;
	int found;

	if (*w->set->analyse != '\0') {
		json_arena(w->a);
		found = outside_read(w->a, w->analyst, w->set->analyse, write_input(w, c), c->issues, &error);
		json_arena(NULL);
		if (found >= 0) {
			c->count = (size_t)found;
			return;
		}
		/*
		 * The job does not fail: a missing command must not stop the analysis of all
		 * conversations.
		 */
		fprintf(stderr, "octavo-jobs: OCTAVO_ANALYSE: %s; the built-in analysis is used\n", error);
	}
	parts = parse_parts(w, c->parts, &n);
	/*
	 * The built-in analysis reads frequencies of terms. The command above runs without a
	 * transaction, because it may take minutes.
	 */
	db_begin(w->db, false);
	store_open(&w->known, w->db, w->a, w->job->org, w->df);
	c->count = analyst_read(w->analyst, w->a, str_of(c->subject), parts, n, c->issues);
	db_commit(w->db);
}

/* OLD_ISSUES is more than ISSUES_MAX, so all are read. */
static size_t
read_issues(struct analysis_batch *w, int64_t conversation, int64_t *out)
{
	struct stmt *q = db_use(w->db, &q_issues);
	size_t n = 0;

	bind_int(q, ":n", conversation);
	while (n < OLD_ISSUES && stmt_step(q))
		out[n++] = col_int(q, 0);
	return n;
}

/* Replaces the issues that the conversation had by those that were found now. */
static void
replace_issues(struct analysis_batch *w, struct store *s, struct waiting_conversation *c)
{
	struct cluster_store view = store_view(s);
	int64_t had[OLD_ISSUES], n;
	size_t count = read_issues(w, c->n, had), i;

	for (i = 0; i < c->count; i++) {
		struct issue_in in = { c->n, c->created_at, c->issues[i].title, c->issues[i].summary,
			c->issues[i].language, c->issues[i].clear, &c->issues[i].terms };
		/*
		 * The weights are normalised first, because all stored terms, sums and counts are
		 * of normalised weights.
		 */
		terms_normalise(&c->issues[i].terms);
		n = i < count ? had[i] : store_add(s, &in);
		/* Keep the issue's id, so that references to the issue refer to the new text. */
		if (i < count)
			store_change(s, n, &in);
		cluster_place(&view, &cluster_rules, s->a, n);
	}
	for (; i < count; i++)
		store_remove(s, had[i]);
}

/* True if the text was neither replaced nor deleted since it was read. */
static bool
is_unchanged(struct analysis_batch *w, const struct waiting_conversation *c)
{
	struct stmt *q = db_use(w->db, &q_same);

	bind_int(q, ":n", c->n);
	bind_text(q, ":id", c->id);
	bind_text(q, ":org", w->job->org);
	bind_int(q, ":ingested_at", c->ingested_at);
	return stmt_int(q, -1) == c->version;
}

static void
mark_analysed(struct analysis_batch *w, const struct waiting_conversation *c)
{
	struct stmt *q = db_use(w->db, &q_done);

	bind_int(q, ":n", c->n);
	bind_int(q, ":now", time_now());
	stmt_run(q);
}

/*
 * Writes the whole batch in one transaction: a job that is killed before the commit analyses the
 * batch again.
 */
static void
write_batch(struct analysis_batch *w)
{
	struct store s;
	size_t i;

	db_begin(w->db, true);
	store_open(&s, w->db, w->a, w->job->org, w->df);
	for (i = 0; i < w->n; i++)
		if (is_unchanged(w, &w->batch[i])) {
			replace_issues(w, &s, &w->batch[i]);
			mark_analysed(w, &w->batch[i]);
		}
	/*
	 * Representatives are chosen after all issues are placed, so that each cluster chooses
	 * once, even if several of them joined it.
	 */
	store_choose_representatives(&s);
	store_flush(&s);
	db_commit(w->db);
	w->done += (int64_t)w->n;
}

/*
 * If the job has been started CAREFUL times, the first conversation of the batch probably crashes
 * the process: marks it as analysed, so that the job is not stopped by it for ever.
 */
static void
skip_crashing_conversation(struct analysis_batch *w)
{
	if (w->job->attempts < CAREFUL || w->n == 0)
		return;
	db_begin(w->db, true);
	mark_analysed(w, &w->batch[0]);
	db_commit(w->db);
}

/* In the caller's transaction. */
static void
end_job(struct analysis_batch *w, const char *state)
{
	char result[64];

	snprintf(result, sizeof(result), "{\"conversations\":%lld}", (long long)w->done);
	job_end(w->db, w->job->id, state, NULL, result);
}

/*
 * Ends the job in a transaction in which nothing waits: a conversation that is ingested later
 * queues another job.
 */
static bool
end_if_idle(struct analysis_batch *w)
{
	struct stmt *q;
	bool more;

	db_begin(w->db, true);
	q = db_use(w->db, &q_waiting);
	bind_text(q, ":org", w->job->org);
	if (!(more = stmt_step(q)))
		end_job(w, "done");
	db_commit(w->db);
	return !more;
}

/*
 * Analyses batch by batch until nothing waits. The lexicon and the frequencies of terms live as
 * long as the job, everything else as long as a batch.
 */
void
conversations_run(struct db *db, struct arena *a, const struct settings *set, const struct job *job)
{
	struct arena *lasting = arena_within(a, MEMORY);
	struct analysis_batch *w = arena_alloc(lasting, sizeof(*w));
	const char *error;
	size_t i;

	*w = (struct analysis_batch){ .db = db, .a = arena_within(a, MEMORY), .set = set, .job = job,
		.analyst = analyst_new(lasting), .df = frequencies_new(lasting) };
	w->corpus = store_corpus(&w->known);
	analyst_compare(w->analyst, &w->corpus);
	/* Reviews read issues of any age: up to 64 MiB of pages stay in memory. */
	db_script(db, lasting, "PRAGMA cache_size = -65536", &error);
	if (recount_wanted(job))
		recount_all(db, w->a, job);
	for (;;) {
		arena_reset(w->a);
		read_batch(w);
		/* No conversations waited when the batch was read; end_if_idle() checks again with the write lock. */
		if (w->n == 0 && end_if_idle(w))
			return;
		skip_crashing_conversation(w);
		for (i = 0; i < w->n; i++)
			analyse_conversation(w, &w->batch[i]);
		write_batch(w);
		/* The job stops only between two batches, so that each batch is written whole. */
		if (!job_progress(db, job->id, "analysing", w->done, 0))
			break;
		if (job_turn_over(db, job)) {
			job_give_turn(db, job->id);
			return;
		}
	}
	db_begin(db, true);
	end_job(w, "cancelled");
	db_commit(db);
}
