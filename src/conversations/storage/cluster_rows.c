/*
 * Stores clusters, the terms that find them (postings) and their statistics in the database, for
 * the analysis job. The contract is in cluster_rows.h.
 */
#include <math.h>
#include <string.h>

#include "base/panic.h"
#include "base/secret.h"
#include "base/json.h"
#include "base/sort.h"
#include "cluster_rows.h"
#include "conversations/storage.h"

/* ---- clusters ---- */

SQL(q_cluster, "SELECT issues, conversations, checked, face, centroid FROM issues_cluster WHERE n = :n");
SQL(q_cluster_make,
    "INSERT INTO issues_cluster (id, org, created_at, updated_at) VALUES (:id, :org, :now, :now) RETURNING n");
SQL(q_cluster_write,
    "UPDATE issues_cluster SET issues = :issues, conversations = :conversations, checked = :checked, "
    "face = :face, centroid = :centroid, updated_at = :now WHERE n = :n");
SQL(q_cluster_drop, "DELETE FROM issues_cluster WHERE n = :n");
SQL(q_cluster_id, "SELECT id, created_at FROM issues_cluster WHERE n = :n");
SQL(q_cluster_rename, "UPDATE issues_cluster SET id = :id, created_at = :at WHERE n = :n");
SQL(q_weeks_drop, "DELETE FROM cluster_week WHERE cluster = :n");
SQL(q_sources_drop, "DELETE FROM cluster_source WHERE cluster = :n");
SQL(q_postings, "SELECT term, rank FROM cluster_term WHERE cluster = :n");
SQL(q_postings_drop, "DELETE FROM cluster_term WHERE cluster = :n");
SQL(q_posting_drop, "DELETE FROM cluster_term WHERE org = :org AND term = :term AND rank = :rank AND cluster = :n");
SQL(q_posting_put, "INSERT INTO cluster_term (org, term, rank, cluster) VALUES (:org, :term, :rank, :n)");
/*
 * The order of the primary key (org, term, rank, cluster): the largest sums first, without sorting.
 */
SQL(q_holding, "SELECT cluster FROM cluster_term WHERE org = :org AND term = :term ORDER BY rank, cluster LIMIT :max");
SQL(q_follow, "UPDATE change_request SET cluster = :to WHERE cluster = :from");

static void
run_for_cluster(struct store *s, const struct sql *sql, int64_t n)
{
	struct stmt *q = db_use(s->db, sql);

	bind_int(q, ":n", n);
	stmt_run(q);
}

/*
 * A cluster in the cache of this transaction. A new cluster may get the number of one that was
 * dropped, so entries of dropped clusters are skipped.
 */
static struct cached *
get_cached(struct store *s, int64_t id)
{
	struct cached **at = &s->buckets[(uint64_t)id % (sizeof(s->buckets) / sizeof(s->buckets[0]))], *c;
	struct cached *dropped = NULL;
	struct stmt *q;

	for (c = *at; c != NULL; c = c->next)
		if (c->c.id == id && !c->gone)
			return c;
		else if (c->c.id == id)
			dropped = c;
	q = db_use(s->db, &q_cluster);
	bind_int(q, ":n", id);
	if (!stmt_step(q)) {
		if (dropped == NULL)
			panic("no cluster %lld", (long long)id);
		return dropped;
	}
	c = arena_alloc(s->a, sizeof(*c));
	c->next = *at;
	*at = c;
	c->c.id = id;
	c->c.n = col_int(q, 0);
	c->conversations = col_int(q, 1);
	c->checked = col_int(q, 2);
	c->face = col_int(q, 3);
	unpack_centroid(&c->c, col_bytes(q, 4));
	return c;
}

/* Must be called with every change: only clusters in the list are written. */
static void
mark_dirty(struct store *s, struct cached *c)
{
	if (c->dirty)
		return;
	c->dirty = true;
	c->next_dirty = s->dirty;
	s->dirty = c;
}

/*
 * Creates a cluster and returns its number. Nothing is cached yet: get_cached() reads the new row.
 */
static int64_t
make_cluster(struct store *s)
{
	struct stmt *q = db_use(s->db, &q_cluster_make);

	bind_text(q, ":id", secret_id(s->a));
	bind_text(q, ":org", s->org);
	bind_int(q, ":now", s->now);
	s->clusters++;
	return stmt_int(q, 0);
}

/*
 * Change requests that refer to a cluster refer to another one from now on, or (to NULL) to none.
 */
static void
move_requests(struct store *s, const char *from, const char *to)
{
	struct stmt *q = db_use(s->db, &q_follow);

	bind_text(q, ":from", from);
	bind_text(q, ":to", to);
	stmt_run(q);
}

static char *
cluster_name(struct store *s, int64_t n, int64_t *created_at)
{
	struct stmt *q = db_use(s->db, &q_cluster_id);

	bind_int(q, ":n", n);
	if (!stmt_step(q))
		panic("no cluster %lld", (long long)n);
	*created_at = col_int(q, 1);
	return col_dup(q, 0, s->a);
}

/*
 * Deletes a cluster without issues. heir: the cluster that its change requests refer to; 0: none.
 */
static void
drop_cluster(struct store *s, struct cached *c, int64_t heir)
{
	int64_t at;

	/* This comes before the row is deleted, because the row contains the name. */
	move_requests(s, cluster_name(s, c->c.id, &at), heir == 0 ? NULL : cluster_name(s, heir, &at));
	run_for_cluster(s, &q_postings_drop, c->c.id);
	run_for_cluster(s, &q_weeks_drop, c->c.id);
	run_for_cluster(s, &q_sources_drop, c->c.id);
	run_for_cluster(s, &q_cluster_drop, c->c.id);
	c->gone = true;
	s->clusters--;
}

/* ---- postings: the terms that find a cluster ---- */

struct posting {
	uint64_t term;
	int64_t  rank;   /* smaller for a larger sum of the term in the cluster (write_postings()) */
};

/* Orders by rank, as in the table, then by term, so that the same POSTINGS are chosen each time. */
static int
by_rank(const void *x, const void *y)
{
	const struct posting *a = x, *b = y;

	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return a->term < b->term ? -1 : a->term > b->term;
}

static bool
is_posted(const struct posting *list, size_t n, struct posting p)
{
	while (n-- > 0)
		if (list[n].term == p.term && list[n].rank == p.rank)
			return true;
	return false;
}

static void
change_posting(struct store *s, const struct sql *sql, int64_t cluster, struct posting p)
{
	struct stmt *q = db_use(s->db, sql);

	bind_text(q, ":org", s->org);
	bind_int(q, ":term", (int64_t)p.term);
	bind_int(q, ":rank", p.rank);
	bind_int(q, ":n", cluster);
	stmt_run(q);
}

/* Reads the stored postings, so that only the differences are written. */
static size_t
read_postings(struct store *s, int64_t cluster, struct posting *out)
{
	struct stmt *q = db_use(s->db, &q_postings);
	size_t n = 0;

	bind_int(q, ":n", cluster);
	while (n < POSTINGS && stmt_step(q))
		out[n++] = (struct posting){ (uint64_t)col_int(q, 0), col_int(q, 1) };
	return n;
}

/* A rank is a quarter of a doubling of the sum, so most new issues change no posting. */
static void
write_postings(struct store *s, const struct cluster *c)
{
	struct posting now[CENTROID_TERMS], before[POSTINGS];
	size_t n = 0, had = read_postings(s, c->id, before), i;

	for (i = 0; i < c->terms; i++)
		now[n++] = (struct posting){ c->at[i].id, 200 - (int64_t)(log2((double)c->at[i].sum) * 4) };
	sort_list(now, n, sizeof(*now), by_rank);
	n = n < POSTINGS ? n : POSTINGS;
	for (i = 0; i < had; i++)
		if (!is_posted(now, n, before[i]))
			change_posting(s, &q_posting_drop, c->id, before[i]);
	for (i = 0; i < n; i++)
		if (!is_posted(before, had, now[i]))
			change_posting(s, &q_posting_put, c->id, now[i]);
}

static void
write_cluster(struct store *s, struct cached *c)
{
	struct stmt *q = db_use(s->db, &q_cluster_write);

	bind_int(q, ":issues", c->c.n);
	bind_int(q, ":conversations", c->conversations);
	bind_int(q, ":checked", c->checked);
	bind_int(q, ":face", c->face);
	bind_blob(q, ":centroid", pack_centroid(s->a, &c->c));
	bind_int(q, ":now", s->now);
	bind_int(q, ":n", c->c.id);
	stmt_run(q);
	write_postings(s, &c->c);
}

/*
 * Writes the changed clusters. This is also needed before clusters are looked up by a term, because
 * the next issue must find a cluster of this transaction.
 */
static void
write_clusters(struct store *s)
{
	struct cached *c;

	for (c = s->dirty; c != NULL; c = c->next_dirty) {
		c->dirty = false;
		if (!c->gone)
			write_cluster(s, c);
	}
	s->dirty = NULL;
}

/* ---- issues ---- */

SQL(q_issue,
    "SELECT i.cluster, i.terms, i.created_at, i.conversation, v.source FROM conversation_issue i "
    "JOIN conversation v ON v.n = i.conversation WHERE i.n = :n");
SQL(q_issue_terms, "SELECT cluster, terms FROM conversation_issue WHERE n = :n");
SQL(q_issue_move, "UPDATE conversation_issue SET cluster = :cluster WHERE n = :n");
SQL(q_issue_make,
    "INSERT INTO conversation_issue (id, org, conversation, title, summary, language, clear, created_at, ingested_at, "
    "reviewed, mix, terms) VALUES (:id, :org, :conversation, :title, :summary, :language, :clear, :created_at, :now, "
    ":clock, :mix, :terms) RETURNING n");
SQL(q_issue_change,
    "UPDATE conversation_issue SET title = :title, summary = :summary, language = :language, clear = :clear, "
    "created_at = :created_at, ingested_at = :now, mix = :mix, terms = :terms WHERE n = :n");
SQL(q_issue_drop, "DELETE FROM conversation_issue WHERE n = :n");
/* The query uses the index conversation_issue_reviewed, so one row is read, whatever the number of issues. */
SQL(q_oldest, "SELECT n FROM conversation_issue WHERE org = :org ORDER BY reviewed, n LIMIT 1");
SQL(q_reviewed, "UPDATE conversation_issue SET reviewed = :clock WHERE n = :n");
/*
 * mix is a hash of the text: the first :max issues in its order are a sample, the same each time.
 */
SQL(q_sample, "SELECT n FROM conversation_issue WHERE cluster = :cluster ORDER BY mix, n LIMIT :max");
SQL(q_other, "SELECT 1 FROM conversation_issue WHERE conversation = :v AND cluster = :cluster AND n <> :n LIMIT 1");
SQL(q_week,
    "INSERT INTO cluster_week (cluster, week, issues) VALUES (:cluster, :week, :by) "
    "ON CONFLICT (cluster, week) DO UPDATE SET issues = cluster_week.issues + excluded.issues");
SQL(q_source,
    "INSERT INTO cluster_source (cluster, source, issues) VALUES (:cluster, :source, :by) "
    "ON CONFLICT (cluster, source) DO UPDATE SET issues = cluster_source.issues + excluded.issues");
/* A list of sources must not contain a source without issues. Weeks without issues may stay. */
SQL(q_source_none, "DELETE FROM cluster_source WHERE cluster = :cluster AND source = :source AND issues = 0");

/* An issue with the columns by which it is counted. */
struct row {
	int64_t      n, cluster, created_at, conversation;
	char        *source;
	struct terms terms;
};

static struct row
read_row(struct store *s, int64_t n)
{
	struct stmt *q = db_use(s->db, &q_issue);

	bind_int(q, ":n", n);
	if (!stmt_step(q))
		panic("no issue %lld", (long long)n);
	return (struct row){ .n = n, .cluster = col_int(q, 0), .terms = unpack_terms(s->a, col_bytes(q, 1)),
		.created_at = col_int(q, 2), .conversation = col_int(q, 3), .source = col_dup(q, 4, s->a) };
}

/* True if the conversation has another issue in the cluster. */
static bool
has_other_issue(struct store *s, const struct row *i, int64_t cluster)
{
	struct stmt *q = db_use(s->db, &q_other);

	bind_int(q, ":v", i->conversation);
	bind_int(q, ":cluster", cluster);
	bind_int(q, ":n", i->n);
	return stmt_int(q, 0) == 1;
}

/* Adds an issue to all counts and sums of a cluster, or subtracts it (by -1). */
static void
count_issue(struct store *s, const struct row *i, int64_t cluster, int by)
{
	struct cached *c = get_cached(s, cluster);
	struct stmt *q = db_use(s->db, &q_week);

	bind_int(q, ":cluster", cluster);
	bind_int(q, ":week", week_of(i->created_at));
	bind_int(q, ":by", by);
	stmt_run(q);
	q = db_use(s->db, &q_source);
	bind_int(q, ":cluster", cluster);
	bind_text(q, ":source", i->source);
	bind_int(q, ":by", by);
	stmt_run(q);
	if (by < 0) {
		q = db_use(s->db, &q_source_none);
		bind_int(q, ":cluster", cluster);
		bind_text(q, ":source", i->source);
		stmt_run(q);
	}
	centroid_add(&c->c, &i->terms, by);
	c->conversations += has_other_issue(s, i, cluster) ? 0 : by;
	c->stale |= c->face == 0 || c->face == i->n;
	/* The representative has left the cluster, so it has none now (0). */
	if (by < 0 && c->face == i->n)
		c->face = 0;
	mark_dirty(s, c);
}

static void
set_cluster(struct store *s, int64_t issue, int64_t cluster)
{
	struct stmt *q = db_use(s->db, &q_issue_move);

	bind_int(q, ":cluster", cluster);
	bind_int(q, ":n", issue);
	stmt_run(q);
}

/*
 * The row is changed between the two counts, because has_other_issue() reads the cluster of each issue of
 * the conversation.
 */
static int64_t
move_issue(void *ctx, int64_t issue, int64_t to)
{
	struct store *s = ctx;
	struct row i = read_row(s, issue);
	struct cached *from;

	if (to == 0)
		to = make_cluster(s);
	if (i.cluster == to)
		return to;
	if (i.cluster != 0)
		count_issue(s, &i, i.cluster, -1);
	set_cluster(s, issue, to);
	count_issue(s, &i, to, 1);
	if (i.cluster != 0 && (from = get_cached(s, i.cluster))->c.n <= 0)
		drop_cluster(s, from, to);
	return to;
}

static void
bind_issue(struct stmt *q, struct store *s, const struct issue_in *in)
{
	bind_str(q, ":title", in->title);
	bind_str(q, ":summary", in->summary);
	bind_text(q, ":language", in->language);
	bind_int(q, ":clear", in->clear);
	bind_int(q, ":created_at", in->created_at);
	bind_int(q, ":now", s->now);
	bind_int(q, ":mix", (int64_t)text_id(in->summary));
	bind_blob(q, ":terms", pack_terms(s->a, in->terms));
}

int64_t
store_add(struct store *s, const struct issue_in *in)
{
	struct stmt *q = db_use(s->db, &q_issue_make);

	bind_text(q, ":id", secret_id(s->a));
	bind_text(q, ":org", s->org);
	bind_int(q, ":conversation", in->conversation);
	bind_int(q, ":clock", ++s->clock);
	bind_issue(q, s, in);
	frequencies_count(s, in->terms, 1);
	s->issues++;
	return stmt_int(q, 0);
}

/* Subtracts an issue from all counts; its row stays. Its cluster may be empty afterwards. */
static struct row
uncount_issue(struct store *s, int64_t issue)
{
	struct row i = read_row(s, issue);

	frequencies_count(s, &i.terms, -1);
	if (i.cluster != 0)
		count_issue(s, &i, i.cluster, -1);
	return i;
}

/*
 * Changes an issue. It is subtracted from its cluster with the old terms and added with the new
 * ones, so that the sums are exact.
 */
void
store_change(struct store *s, int64_t issue, const struct issue_in *in)
{
	struct row i = uncount_issue(s, issue);
	struct stmt *q = db_use(s->db, &q_issue_change);

	bind_int(q, ":n", issue);
	bind_issue(q, s, in);
	stmt_run(q);
	frequencies_count(s, in->terms, 1);
	i.terms = *in->terms;
	i.created_at = in->created_at;
	if (i.cluster != 0)
		count_issue(s, &i, i.cluster, 1);
}

/*
 * The row is deleted after it was subtracted, which reads it, and before its cluster, to which it
 * refers.
 */
void
store_remove(struct store *s, int64_t issue)
{
	struct row i = uncount_issue(s, issue);

	run_for_cluster(s, &q_issue_drop, issue);
	s->issues--;
	if (i.cluster != 0 && get_cached(s, i.cluster)->c.n <= 0)
		drop_cluster(s, get_cached(s, i.cluster), 0);
}

/* ---- struct cluster_store ---- */

static int64_t
count_issues(void *ctx)
{
	return ((struct store *)ctx)->issues;
}

static int64_t
term_frequency(void *ctx, uint64_t term)
{
	return frequencies_at(ctx, term);
}

static size_t
clusters_with_term(void *ctx, uint64_t term, int64_t *out, size_t max)
{
	struct store *s = ctx;
	struct stmt *q;
	size_t n = 0;

	write_clusters(s);
	q = db_use(s->db, &q_holding);
	bind_text(q, ":org", s->org);
	bind_int(q, ":term", (int64_t)term);
	bind_int(q, ":max", (int64_t)max);
	while (n < max && stmt_step(q))
		out[n++] = col_int(q, 0);
	return n;
}

static struct cluster *
get_cluster(void *ctx, int64_t id)
{
	return &get_cached(ctx, id)->c;
}

static struct terms
issue_terms(void *ctx, struct arena *a, int64_t id, int64_t *in)
{
	struct store *s = ctx;
	struct stmt *q = db_use(s->db, &q_issue_terms);

	bind_int(q, ":n", id);
	if (!stmt_step(q))
		panic("no issue %lld", (long long)id);
	*in = col_int(q, 0);
	return unpack_terms(a, col_bytes(q, 1));
}

static size_t
sample_members(void *ctx, int64_t id, int64_t *out, size_t max)
{
	struct store *s = ctx;
	struct stmt *q = db_use(s->db, &q_sample);
	size_t n = 0;

	bind_int(q, ":cluster", id);
	bind_int(q, ":max", (int64_t)max);
	while (n < max && stmt_step(q))
		out[n++] = col_int(q, 0);
	return n;
}

static int64_t
oldest_issue(void *ctx)
{
	struct store *s = ctx;
	struct stmt *q = db_use(s->db, &q_oldest);
	int64_t n;

	bind_text(q, ":org", s->org);
	if ((n = stmt_int(q, 0)) == 0)
		return 0;
	q = db_use(s->db, &q_reviewed);
	bind_int(q, ":clock", ++s->clock);
	bind_int(q, ":n", n);
	stmt_run(q);
	return n;
}

static bool
cluster_needs_check(void *ctx, int64_t id)
{
	struct cached *c = get_cached(ctx, id);

	/*
	 * Grown by half since the last check: a cluster of n issues is checked about log n times.
	 */
	if (c->c.n < 4 || c->c.n * 2 < c->checked * 3)
		return false;
	c->checked = c->c.n;
	c->stale = true;
	mark_dirty(ctx, c);
	return true;
}

/* ---- merging: the rows of the larger cluster stay, and the name of the older one ---- */

SQL(q_members_move, "UPDATE conversation_issue SET cluster = :to WHERE cluster = :from");
SQL(q_both,
    "SELECT count(DISTINCT i.conversation) FROM conversation_issue i WHERE i.cluster = :from AND EXISTS "
    "(SELECT 1 FROM conversation_issue o WHERE o.conversation = i.conversation AND o.cluster = :to)");
SQL(q_weeks_move,
    "INSERT INTO cluster_week (cluster, week, issues) SELECT CAST(:to AS BIGINT), week, issues FROM cluster_week "
    "WHERE cluster = :from "
    "ON CONFLICT (cluster, week) DO UPDATE SET issues = cluster_week.issues + excluded.issues");
SQL(q_sources_move,
    "INSERT INTO cluster_source (cluster, source, issues) SELECT CAST(:to AS BIGINT), source, issues "
    "FROM cluster_source WHERE cluster = :from "
    "ON CONFLICT (cluster, source) DO UPDATE SET issues = cluster_source.issues + excluded.issues");

static struct stmt *
bind_move(struct store *s, const struct sql *sql, int64_t from, int64_t to)
{
	struct stmt *q = db_use(s->db, sql);

	bind_int(q, ":from", from);
	bind_int(q, ":to", to);
	return q;
}

static void
rename_cluster(struct store *s, int64_t n, const char *id, int64_t created_at)
{
	struct stmt *q = db_use(s->db, &q_cluster_rename);

	bind_text(q, ":id", id);
	bind_int(q, ":at", created_at);
	bind_int(q, ":n", n);
	stmt_run(q);
}

/*
 * The issues of the smaller cluster are moved, which is cheaper. The older name stays (storage.h).
 */
static int64_t
merge_clusters(void *ctx, int64_t one, int64_t other)
{
	struct store *s = ctx;
	struct cached *to = get_cached(s, one), *from = get_cached(s, other);
	int64_t at, from_at;
	char *name, *from_name;

	if (from->c.n > to->c.n || (from->c.n == to->c.n && from->c.id < to->c.id)) {
		struct cached *swap = to;
		to = from;
		from = swap;
	}
	name = cluster_name(s, to->c.id, &at);
	from_name = cluster_name(s, from->c.id, &from_at);
	/*
	 * A conversation with issues in both clusters counts once. Counted before the rows move,
	 * because `from` has no rows afterwards.
	 */
	to->conversations += from->conversations - stmt_int(bind_move(s, &q_both, from->c.id, to->c.id), 0);
	stmt_run(bind_move(s, &q_members_move, from->c.id, to->c.id));
	stmt_run(bind_move(s, &q_weeks_move, from->c.id, to->c.id));
	stmt_run(bind_move(s, &q_sources_move, from->c.id, to->c.id));
	centroid_join(&to->c, &from->c);
	/* Frees the name, which is unique, before the other cluster takes it. */
	drop_cluster(s, from, to->c.id);
	if (from_at < at || (from_at == at && from->c.id < to->c.id)) {
		rename_cluster(s, to->c.id, from_name, from_at);
		move_requests(s, name, from_name);
	}
	to->stale = true;
	mark_dirty(s, to);
	return to->c.id;
}

struct cluster_store
store_view(struct store *s)
{
	return (struct cluster_store){ s, count_issues, term_frequency, clusters_with_term, get_cluster, issue_terms, sample_members, move_issue, merge_clusters,
		oldest_issue, cluster_needs_check };
}

struct corpus
store_corpus(struct store *s)
{
	return (struct corpus){ s, count_issues, term_frequency };
}

/* ---- recounting ---- */

SQL(q_member_terms, "SELECT terms FROM conversation_issue WHERE cluster = :n ORDER BY created_at, n");
SQL(q_member_talks, "SELECT count(DISTINCT conversation) FROM conversation_issue WHERE cluster = :n");
/* The same as week_of(), in SQL. Times before 1970 need the correction, because division rounds towards zero. */
#define WEEK "(created_at + 259200000) / 604800000 - CASE WHEN (created_at + 259200000) % 604800000 < 0 THEN 1 ELSE 0 END"
SQL(q_weeks_count,
    "INSERT INTO cluster_week (cluster, week, issues) SELECT cluster, " WEEK ", count(*) "
    "FROM conversation_issue WHERE cluster = :n GROUP BY cluster, " WEEK " /*scan*/");
SQL(q_sources_count,
    "INSERT INTO cluster_source (cluster, source, issues) SELECT i.cluster, v.source, count(*) "
    "FROM conversation_issue i JOIN conversation v ON v.n = i.conversation WHERE i.cluster = :n "
    "GROUP BY i.cluster, v.source /*scan*/");

void
store_recount(struct store *s, int64_t cluster, struct arena *scratch)
{
	struct cached *c = get_cached(s, cluster);
	struct stmt *q = db_use(s->db, &q_member_talks);
	struct terms t;

	bind_int(q, ":n", cluster);
	c->conversations = stmt_int(q, 0);
	c->c = (struct cluster){ .id = cluster };
	q = db_use(s->db, &q_member_terms);
	bind_int(q, ":n", cluster);
	while (stmt_step(q)) {
		t = unpack_terms(scratch, col_bytes(q, 0));
		centroid_add(&c->c, &t, 1);
		arena_reset(scratch);
	}
	run_for_cluster(s, &q_weeks_drop, cluster);
	run_for_cluster(s, &q_sources_drop, cluster);
	if (c->c.n == 0) {
		drop_cluster(s, c, 0);
		return;
	}
	run_for_cluster(s, &q_weeks_count, cluster);
	run_for_cluster(s, &q_sources_count, cluster);
	c->face = 0;
	c->stale = true;
	mark_dirty(s, c);
}

/* ---- representatives (column face) ---- */

enum { CLEAR = 150 };   /* weight of a specific title (struct issue); a larger one counts as much */

SQL(q_clear, "SELECT clear, language FROM conversation_issue WHERE n = :n");
SQL(q_face,
    "UPDATE issues_cluster SET face = i.n, label = i.title, summary = i.summary FROM conversation_issue i "
    "WHERE issues_cluster.n = :cluster AND i.n = :n");

struct member {
	int64_t n;          /* of the issue */
	int64_t clear;      /* weight of its title (conversations/analysis.h) */
	char   *language;
	size_t  alike;      /* members of the sample with the same language */
};

static size_t
read_members(struct store *s, int64_t id, struct member *out)
{
	int64_t sample[SAMPLE_MAX];
	size_t n = sample_members(s, id, sample, SAMPLE_MAX), i, k;
	struct stmt *q;

	for (i = 0; i < n; i++) {
		q = db_use(s->db, &q_clear);
		bind_int(q, ":n", sample[i]);
		stmt_step(q);
		out[i] = (struct member){ .n = sample[i], .clear = col_int(q, 0), .language = col_dup(q, 1, s->a) };
	}
	for (i = 0; i < n; i++)
		for (k = 0; k < n; k++)
			out[i].alike += strcmp(out[i].language, out[k].language) == 0;
	return n;
}

/*
 * Chooses the representative of a cluster, whose title and summary are its label: of a sample of
 * its issues, the one with the highest product of likeness to the cluster, weight of the title, and
 * number of issues in the same language.
 */
static void
choose_representative(struct store *s, struct cached *c)
{
	struct cluster_store view = store_view(s);
	/* A sample bounds the cost in clusters of thousands. */
	struct member m[SAMPLE_MAX];
	int64_t best = 0;
	double most = -1, like;
	size_t n = read_members(s, c->c.id, m), i;
	struct stmt *q;

	for (i = 0; i < n; i++) {
		like = cluster_likeness(&view, s->a, m[i].n) * (double)(m[i].clear < CLEAR ? m[i].clear : CLEAR) *
		    (double)m[i].alike;
		if (like > most) {
			most = like;
			best = m[i].n;
		}
	}
	q = db_use(s->db, &q_face);
	bind_int(q, ":cluster", c->c.id);
	bind_int(q, ":n", best);
	stmt_run(q);
	c->face = best;
	c->stale = false;
}

void
store_choose_representatives(struct store *s)
{
	struct cached *c;
	size_t i;

	for (i = 0; i < sizeof(s->buckets) / sizeof(s->buckets[0]); i++)
		for (c = s->buckets[i]; c != NULL; c = c->next)
			if (c->stale && !c->gone)
				choose_representative(s, c);
}

/* ---- a transaction ---- */

SQL(q_state, "SELECT issues, clock, clusters FROM conversation_state WHERE org = :org");
SQL(q_state_put,
    "UPDATE conversation_state SET issues = :issues, clock = :clock, clusters = :clusters WHERE org = :org");

void
store_open(struct store *s, struct db *db, struct arena *a, const char *org, struct frequencies *df)
{
	struct stmt *q;

	*s = (struct store){ .db = db, .a = a, .org = org, .now = time_now(),
		.df = df != NULL ? df : frequencies_new(a) };
	q = db_use(db, &q_state);
	bind_text(q, ":org", org);
	if (stmt_step(q)) {
		s->issues = col_int(q, 0);
		s->clock = col_int(q, 1);
		s->clusters = col_int(q, 2);
	}
}

void
store_flush(struct store *s)
{
	struct stmt *q;

	write_clusters(s);
	frequencies_write(s);
	q = db_use(s->db, &q_state_put);
	bind_int(q, ":issues", s->issues);
	bind_int(q, ":clock", s->clock);
	bind_int(q, ":clusters", s->clusters);
	bind_text(q, ":org", s->org);
	stmt_run(q);
}
