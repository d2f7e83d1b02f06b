/* Writes the search index. Contract: search.h. */
#include "links/links.h"
#include "base/log.h"
#include "search_parts.h"
#include "store/blob.h"

/*
 * CHUNK, CHUNK_BYTES: what search_ahead() parses before it writes, which bounds memory. SWEEP: rows
 * that one pass removes, and up to which they are removed with the revision itself. MERGE_PAGES,
 * MERGES: pages of FTS5 per merge step, a few milliseconds for which others wait, and steps at most.
 * FEW: changed pages that are always indexed inline.
 */
enum { CHUNK = 100, CHUNK_BYTES = 4 << 20, SWEEP = 100, MERGE_PAGES = 50, MERGES = 640, FEW = 50 };
/* Bytes of text whose words are found before the write lock is taken. */
enum { LARGE_TEXT = 64 << 10 };
/* A ceiling, not an allocation: one page's words are in memory at a time, and a page may be large. */
#define SCRATCH ((size_t)4 << 30)

SQL(q_behind,
    "SELECT EXISTS (SELECT 1 FROM job WHERE queue = :space AND state IN ('queued', 'running') AND kind = 'index')");
SQL(q_reads_drop, "DELETE FROM search_reads WHERE space = :no");
SQL(q_space_drop, "DELETE FROM search_space WHERE no = :no");
SQL(q_pages_add, "UPDATE search_space SET pages = pages + :n WHERE no = :no");
SQL(q_pages_set,
    "UPDATE search_space SET pages = (SELECT count(*) FROM search_place p WHERE p.space = :no "
    "AND " SEARCH_FOUND ") WHERE no = :no");
SQL(q_found,
    "SELECT DISTINCT e.page FROM search_place p JOIN search_page e ON e.no = p.no "
    "WHERE p.space = :space AND " SEARCH_FOUND);
/*
 * Large: with a text whose words take long to find. A row with a pending turn is not idle. The size is read
 * before the text, which is not read.
 */
#define LARGE(no) "EXISTS (SELECT 1 FROM search_text t WHERE t.no = " no " AND t.size >= :size)"
SQL(q_idle,
    "SELECT no FROM search_place WHERE space = :space AND live = 0 AND turn IS NULL AND NOT " LARGE("search_place.no")
    " ORDER BY no LIMIT :limit");
SQL(q_idle_large,
    "SELECT no FROM search_place WHERE space = :space AND live = 0 AND turn IS NULL AND no > :after AND "
    LARGE("search_place.no") " ORDER BY no LIMIT 1");
SQL(q_is_idle, "SELECT 1 FROM search_place WHERE space = :space AND no = :no AND live = 0 AND turn IS NULL");
SQL(q_is_placed, "SELECT 1 FROM search_place WHERE space = :space AND no = :no");
SQL(q_any, "SELECT no FROM search_place WHERE space = :space LIMIT :limit");
SQL(q_large_after,
    "SELECT no FROM search_place WHERE space = :space AND no > :after AND " LARGE("search_place.no") " ORDER BY no LIMIT 1");
/* UNION, not OR, so that each half uses its own index; a changed page is in both. */
SQL(q_changed,
    "SELECT id FROM node WHERE branch = :b AND since = :seq "
    "UNION SELECT id FROM node WHERE branch = :b AND until = :seq");
SQL(q_between,
    "SELECT id FROM node WHERE branch = :b AND since > :from AND since <= :to "
    "UNION SELECT id FROM node WHERE branch = :b AND until > :from AND until <= :to");
/*
 * FTS5, "The 'merge' Command": a positive number continues a merge, without beginning one where a
 * level has too few segments.
 */
SQL_TWO(q_merge, "INSERT INTO search_index (search_index, rank) VALUES ('merge', :pages)",
    "SELECT 1 WHERE CAST(:pages AS BIGINT) < 0");
SQL(q_main, "SELECT branch FROM space WHERE id = :space AND branch IS NOT NULL");
SQL(q_head,
    "SELECT b.head FROM space s JOIN branch b ON b.id = s.branch WHERE s.id = :space");

/* The revision that readers see; 0 for a space without content. */
static int64_t
head_of(struct db *db, const char *space)
{
	struct stmt *q = db_use(db, &q_head);

	bind_text(q, ":space", space);
	return stmt_int(q, 0);
}

/* Runs a statement whose only parameter is :no. */
static void
run_for_entry(struct db *db, const struct sql *sql, int64_t no)
{
	struct stmt *q = db_use(db, sql);

	bind_int(q, ":no", no);
	stmt_run(q);
}

/* Count the pages again. */
static void
set_pages(struct db *db, int64_t no, int64_t head)
{
	struct stmt *q = db_use(db, &q_pages_set);

	bind_int(q, ":no", no);
	bind_int(q, ":head", head);
	stmt_run(q);
}

/*
 * Update the count by a difference: counting again would cost each write as much as the space is
 * large.
 */
static void
add_pages(struct db *db, int64_t space, int64_t n)
{
	struct stmt *q = db_use(db, &q_pages_add);

	bind_int(q, ":n", n);
	bind_int(q, ":no", space);
	stmt_run(q);
}

/*
 * Remove up to SWEEP rows; false if none is left. steps: the caller repeats this in further
 * transactions, so stop when the lock has been held long enough.
 */
static bool
sweep_some(struct db *db, struct arena *scratch, const struct sql *which, int64_t space, bool steps)
{
	struct stmt *q = db_use(db, which);
	int64_t list[SWEEP];
	int n = 0, i;

	bind_int(q, ":space", space);
	bind_int(q, ":limit", SWEEP);
	if (which == &q_idle)
		bind_int(q, ":size", LARGE_TEXT);
	/*
	 * Complete the list before rows are removed: the statement must not read a table while it
	 * changes. The list is valid in this transaction only, since later another writer may have
	 * removed or shown one of its rows.
	 */
	while (n < SWEEP && stmt_step(q))
		list[n++] = col_int(q, 0);
	for (i = 0; i < n; i++) {
		place_drop(db, scratch, space, list[i], NULL);
		/* Each removed row leaves the index right, so that any point is good for a commit. */
		if (steps && db_due(db))
			return true;
	}
	return n == SWEEP;
}

/*
 * Merge segments, since a query reads each of them. Ends when nothing is left to merge, or with a
 * rest for the next time.
 */
static void
merge_segments(struct db *db)
{
	int64_t before, done = 2;
	struct stmt *q;
	int i;

	for (i = 0; i < MERGES && done >= 2; i++) {
		/*
		 * One transaction per step: merging all at once would hold the write lock for
		 * seconds.
		 */
		db_begin(db, true);
		before = db_changes(db);
		q = db_use(db, &q_merge);
		bind_int(q, ":pages", MERGE_PAGES);
		stmt_run(q);
		/* One change is the statement's own. */
		done = db_changes(db) - before;
		db_commit(db);
	}
}

/* The first row above `after` with a large text that `which` finds; 0: none. */
static int64_t
next_large(struct db *db, const struct sql *which, int64_t space, int64_t after)
{
	struct stmt *q = db_use(db, which);

	bind_int(q, ":space", space);
	bind_int(q, ":after", after);
	bind_int(q, ":size", LARGE_TEXT);
	return stmt_int(q, 0);
}

/* True if the space has this row, and `which` is true of it. */
static bool
has_row(struct db *db, const struct sql *which, int64_t space, int64_t no)
{
	struct stmt *q = db_use(db, which);

	bind_int(q, ":space", space);
	bind_int(q, ":no", no);
	return stmt_int(q, 0) == 1;
}

/*
 * Removes the next row with a large text above *after, part by part; its words are found before the lock is
 * taken. Small rows are read once for all of them, and never under the lock. False: there is none.
 */
static bool
drop_large(struct db *db, struct arena *scratch, const char *space, int64_t *after)
{
	struct removed_entry l;
	int64_t no;

	db_begin(db, false);
	if ((no = next_large(db, &q_idle_large, search_space_no(db, space, false), *after)) != 0)
		entry_read_row(db, scratch, no, &l);
	db_rollback(db);
	if (no == 0)
		return false;
	db_begin(db, true);
	while (entry_shorten(db, scratch, search_space_no(db, space, false), &l))
		db_breathe(db);
	/* The space may show the entry again by now. */
	if (has_row(db, &q_is_idle, search_space_no(db, space, false), no))
		place_drop(db, scratch, search_space_no(db, space, false), no, &l);
	db_commit(db);
	arena_reset(scratch);
	*after = no;
	return true;
}

void
search_unused(struct db *db, struct arena *a, const char *space)
{
	struct arena *scratch = arena_within(a, SCRATCH);
	bool more = true;
	int64_t no = 0;

	while (drop_large(db, scratch, space, &no))
		;
	while (more) {
		db_begin(db, true);
		more = sweep_some(db, scratch, &q_idle, search_space_no(db, space, false), true);
		db_commit(db);
	}
}

void
search_sweep(struct db *db, struct arena *a, const char *space)
{
	search_unused(db, a, space);
	merge_segments(db);
}

/* Large rows of a space that is dropped become idle, for drop_large(). */
static void
make_large_idle(struct db *db, int64_t space)
{
	int64_t no = 0;

	for (;;) {
		db_begin(db, false);
		no = next_large(db, &q_large_after, space, no);
		db_rollback(db);
		if (no == 0)
			return;
		db_begin(db, true);
		/* The place may be removed by now, and place_set() would make it again. */
		if (has_row(db, &q_is_placed, space, no))
			place_set(db, space, no, false);
		db_commit(db);
	}
}

static int64_t
space_number(struct db *db, const char *space)
{
	int64_t no;

	db_begin(db, false);
	no = search_space_no(db, space, false);
	db_rollback(db);
	return no;
}

/* Remove the space's own row last: an interrupted run then finds the remaining pages. */
void
search_drop(struct db *db, struct arena *a, const char *space)
{
	struct arena *scratch = arena_within(a, SCRATCH);
	bool more = true;
	int64_t no = 0;

	make_large_idle(db, space_number(db, space));
	while (drop_large(db, scratch, space, &no))
		;
	while (more) {
		db_begin(db, true);
		no = search_space_no(db, space, false);
		more = sweep_some(db, scratch, &q_any, no, true);
		set_pages(db, no, head_of(db, space));
		if (!more) {
			run_for_entry(db, &q_reads_drop, no);
			run_for_entry(db, &q_space_drop, no);
		}
		db_commit(db);
	}
	merge_segments(db);
}

/* ---- ahead of the revision ---- */

/* Present head of the main branch; false if the space was deleted or has no content. */
static bool
main_head(struct db *db, struct arena *a, const char *space, struct point *p)
{
	struct stmt *q = db_use(db, &q_main);

	bind_text(q, ":space", space);
	return point_head(db, a, stmt_int(q, 0), p);
}

/* Key of the included content, unless the caller has inserted it. */
static struct str
key_of_source(struct db *db, struct arena *a, const char *space, const struct search_source *s)
{
	struct point at;

	if (s->body.p != NULL)
		return s->included;
	if (s->node->refs.n == 0)
		return STR("");
	if (s->at != NULL)
		return included_key(db, a, s->at, s->node);
	return main_head(db, a, space, &at) ? included_key(db, a, &at, s->node) : STR("");
}

/* Parse the body unless that was done; returns the number of bytes parsed. */
static size_t
fill_entry(struct db *db, struct arena *a, const char *space, const struct search_source *s, struct entry *e)
{
	struct str body = s->body;
	struct point at;

	if (s->read != NULL) {
		entry_read(a, s->read, e);
		return body.n;
	}
	/* An empty body has no blob: body.p stays NULL, and the page consists of its title. */
	if (body.p == NULL && s->node->body.n > 0 && !blob_get(db, a, s->node->body, &body))
		log_line("page %s: its text is damaged; it is found by its title alone", e->page);
	/* A body that the caller gave has its includes inserted already. */
	if (s->body.p == NULL && e->has_includes && (s->at != NULL || main_head(db, a, space, &at)))
		body = included_text(db, a, s->at != NULL ? s->at : &at, s->node, body);
	entry_body(a, body, e);
	return body.n;
}

/* Make entries that the index lacks, from list[*at] on, up to a transaction of moderate size. */
static size_t
make_chunk(struct db *db, struct arena *a, const char *name, int64_t space, const struct search_source *list,
    size_t n, size_t *at, struct entry *out)
{
	size_t count = 0, bytes = 0;
	enum entry_state state;

	db_begin(db, false);
	for (; *at < n && count < CHUNK && bytes < CHUNK_BYTES; ++*at) {
		/* A skipped entry's slot is used by the next one. */
		struct entry *e = &out[count];
		if (!search_is_indexed(list[*at].node))
			continue;
		entry_head(a, list[*at].node, key_of_source(db, a, name, &list[*at]), e);
		entry_find(db, space, e, 0, &state);
		if (state > ENTRY_ELSEWHERE)
			continue;
		count++;
		/* Another space of its scopes has made it: it only needs a place. */
		if (state == ENTRY_ELSEWHERE)
			continue;
		bytes += fill_entry(db, a, name, &list[*at], e);
		entry_terms(a, space, e);
		entry_pack(a, e);
	}
	/* This only ends the read transaction, before the write lock is requested. */
	db_rollback(db);
	return count;
}

static int64_t
space_number_made(struct db *db, const char *space)
{
	int64_t no;

	db_begin(db, true);
	no = search_space_no(db, space, true);
	db_commit(db);
	return no;
}

/*
 * Check again: meanwhile another writer may have added the version, or removed one that only needed
 * a place. In the latter case it is written when it is shown.
 */
static void
write_ahead(struct db *db, struct arena *a, int64_t space, const struct entry *e)
{
	enum entry_state state;
	int64_t no = entry_find(db, space, e, 0, &state);

	if (state == ENTRY_ELSEWHERE)
		place_set(db, space, no, false);
	else if (state == ENTRY_NONE && e->made)
		entry_write_slowly(db, a, space, e);
}

/*
 * Parsing thousands of pages takes seconds: do it in a read transaction, and hold the write lock
 * only for the inserts.
 */
void
search_ahead(struct db *db, struct arena *owner, const char *space, const struct search_source *list,
    size_t n, void (*alive)(void *, size_t, size_t), void *ctx)
{
	struct arena *a = arena_within(owner, SCRATCH);
	int64_t no = space_number_made(db, space);
	size_t at = 0, count, i;
	struct entry *chunk;

	while (no != 0 && at < n) {
		chunk = arena_array(a, CHUNK, sizeof(*chunk));
		count = make_chunk(db, a, space, no, list, n, &at, chunk);
		if (count > 0) {
			db_begin(db, true);
			for (i = 0; i < count; i++, db_breathe(db))
				write_ahead(db, a, no, &chunk[i]);
			db_commit(db);
		}
		if (alive != NULL)
			alive(ctx, at, n);
		arena_reset(a);
	}
}

/* ---- with the revision ---- */

struct index_change {
	struct db    *db;
	struct arena *arena;
	struct arena *scratch;    /* for one page at a time */
	struct point  point;
	int64_t       space;
	int64_t       pages;      /* change of the count */
	size_t        retired;
};

/* Stop counting the rows of the page, except number `but` (0: all of them). */
static void
retire_rows(struct index_change *c, const char *page, int64_t but)
{
	int64_t n = place_retire(c->db, c->space, page, but, c->point.seq);

	c->pages -= n;
	c->retired += (size_t)n;
}

/* Make the row of a document's present version the one that counts. */
static void
show_document(struct index_change *c, const struct node *n)
{
	struct arena *a = c->scratch;
	struct str body = { NULL, 0 };
	enum entry_state state;
	struct entry e;
	int64_t no;

	entry_head(c->arena, n, included_key(c->db, c->arena, &c->point, n), &e);
	no = entry_find(c->db, c->space, &e, c->point.seq, &state);
	if (no == 0) {
		if (n->body.n > 0 && !blob_get(c->db, a, n->body, &body))
			log_line("page %s: its text is damaged; it is found by its title alone", n->id);
		entry_body(a, included_text(c->db, a, &c->point, n, body), &e);
		entry_terms(a, c->space, &e);
		entry_write(c->db, a, c->space, &e, true);
		/* entry_write() does not return the number: look it up by the key. */
		no = entry_find(c->db, c->space, &e, c->point.seq, &state);
		arena_reset(a);
		c->pages++;
	} else if (state != ENTRY_LIVE) {
		place_set(c->db, c->space, no, true);
		c->pages++;
	}
	/* Retire the page's other rows: older versions, or one that an edit has undone. */
	retire_rows(c, n->id, no);
}

/* Collect the first column of all rows. */
static const char **
take_ids(struct stmt *q, struct arena *a, size_t *count)
{
	size_t room = 0;
	const char **ids = NULL;

	for (*count = 0; stmt_step(q); ++*count) {
		ids = arena_grow(a, ids, *count, &room, sizeof(*ids));
		ids[*count] = col_dup(q, 0, a);
	}
	return ids;
}

static const char **
changed_ids(struct db *db, struct arena *a, int64_t branch, int64_t seq, size_t *count)
{
	struct stmt *q = db_use(db, &q_changed);

	bind_int(q, ":b", branch);
	bind_int(q, ":seq", seq);
	return take_ids(q, a, count);
}

/* True if the bodies of some pages, which the index may have, are more than a write transaction should parse. */
static bool
are_large(struct index_change *c, const char **ids, size_t n)
{
	size_t i, bytes = 0;
	struct node now;

	for (i = 0; i < n; i++)
		if (node_get(c->db, c->arena, &c->point, ids[i], &now) && now.kind == NODE_DOCUMENT)
			bytes += blob_size(c->db, now.body);
	return bytes > SEARCH_INLINE_BYTES;
}

/* True if the index lacks more pages or bytes than a write transaction should parse. */
static bool
too_many(struct index_change *c, const char **ids, size_t n)
{
	size_t i, missing = 0, bytes = 0;
	enum entry_state state;
	struct entry e;
	struct node now;

	/* FEW pages that are not large are indexed inline: that costs less than a job and its delay. */
	if (n <= FEW && !are_large(c, ids, n))
		return false;
	for (i = 0; i < n && missing <= SEARCH_INLINE && bytes <= SEARCH_INLINE_BYTES; i++) {
		if (!node_get(c->db, c->arena, &c->point, ids[i], &now) || !search_is_indexed(&now))
			continue;
		entry_head(c->arena, &now, included_key(c->db, c->arena, &c->point, &now), &e);
		if (entry_find(c->db, c->space, &e, c->point.seq, &state) != 0)
			continue;
		missing++;
		bytes += blob_size(c->db, now.body);
	}
	return missing > SEARCH_INLINE || bytes > SEARCH_INLINE_BYTES;
}

bool
search_has_version(struct db *db, struct arena *a, const char *space, const struct node *n)
{
	enum entry_state state;
	int64_t no;
	struct entry e;

	if (!search_is_indexed(n))
		return true;
	if ((no = search_space_no(db, space, false)) == 0)
		return false;
	entry_head(a, n, key_of_source(db, a, space, &(struct search_source){ .node = n }), &e);
	return entry_find(db, no, &e, 0, &state) != 0;
}

bool
search_is_behind(struct db *db, const char *space)
{
	struct stmt *q = db_use(db, &q_behind);

	bind_text(q, ":space", space);
	return stmt_int(q, 0) != 0;
}

bool
search_changed(struct db *db, struct arena *a, const char *space, int64_t branch, int64_t seq)
{
	struct index_change c = { .db = db, .arena = a, .space = search_space_no(db, space, true),
		.point = { .space = space, .branch = branch, .seq = seq } };
	const char **ids;
	struct node now;
	size_t n, i;

	ids = changed_ids(db, a, branch, seq, &n);
	ids = (const char **)included_by(db, a, branch, (const char *const *)ids, &n);
	if (too_many(&c, ids, n)) {
		search_queue(db, a, space);
		return false;
	}
	c.scratch = arena_within(a, SCRATCH);
	for (i = 0; i < n; i++) {
		if (node_get(db, a, &c.point, ids[i], &now) && search_is_indexed(&now))
			show_document(&c, &now);
		else
			retire_rows(&c, ids[i], 0);
	}
	/* Write search_space only if the count changes: it is one more page in the WAL. */
	if (c.pages != 0)
		add_pages(db, c.space, c.pages);
	/*
	 * Remove a few rows with the revision; for more, the job's sweep avoids holding its write
	 * lock.
	 */
	if (c.retired > 0 && c.retired < SWEEP)
		sweep_some(db, c.scratch, &q_idle, c.space, false);
	if (c.retired >= SWEEP || (c.retired > 0 && next_large(db, &q_idle_large, c.space, 0) != 0))
		search_queue(db, a, space);
	return true;
}

/* ---- the job ---- */

static struct search_source *
list_documents(struct db *db, struct arena *a, const struct point *p, size_t *n)
{
	size_t count, i;
	struct node *list = node_list(db, a, p, NODE_DOCUMENT, &count);
	struct search_source *out = arena_array(a, count, sizeof(*out));

	for (i = *n = 0; i < count; i++)
		if (search_is_indexed(&list[i]))
			out[(*n)++].node = &list[i];
	return out;
}

struct heartbeat {
	struct db        *db;
	const struct job *job;
};

/* Report progress. The answer is ignored: a cancelled job still completes its space. */
static void
report_progress(void *ctx, size_t done, size_t total)
{
	struct heartbeat *b = ctx;

	job_progress(b->db, b->job->id, "indexing", (int64_t)done, (int64_t)total);
}

/* Bring one page up to the head in the open transaction, whoever has written since. */
static void
update_page(struct db *db, struct arena *a, struct index_change *c, const char *id)
{
	struct node now;

	/*
	 * The head is read again for each page: db_breathe() lets others write in between, and the
	 * page must fit the head at commit.
	 */
	if (!main_head(db, a, c->point.space, &c->point))
		return;
	c->pages = 0;
	if (node_get(db, a, &c->point, id, &now) && search_is_indexed(&now))
		show_document(c, &now);
	else
		retire_rows(c, id, 0);
	if (c->pages != 0)
		add_pages(db, c->space, c->pages);
}

/* Pages that count in the index now. */
static const char **
found_pages(struct db *db, struct arena *a, int64_t space, int64_t head, size_t *count)
{
	struct stmt *q = db_use(db, &q_found);

	bind_int(q, ":space", space);
	bind_int(q, ":head", head);
	return take_ids(q, a, count);
}

/*
 * Page by page, add what the index lacks and remove what it has too much. Each page is then
 * correct.
 */
static void
rebuild_index(struct db *db, struct arena *a, const char *space, const struct search_source *list, size_t n)
{
	struct index_change c = { .db = db, .arena = a, .scratch = arena_within(a, SCRATCH),
		.point = { .space = space } };
	const char **found;
	size_t m, i;

	/* Pending turns are written into the rows first, so that `live` alone says whether a row counts. */
	search_apply_turns(db, space);
	db_begin(db, true);
	c.space = search_space_no(db, space, true);
	/* Comparing in this direction finds pages that the index shows but the head does not have. */
	found = found_pages(db, a, c.space, head_of(db, space), &m);
	for (i = 0; i < n; i++, db_breathe(db))
		update_page(db, a, &c, list[i].node->id);
	for (i = 0; i < m; i++, db_breathe(db))
		update_page(db, a, &c, found[i]);
	if (main_head(db, a, space, &c.point))
		search_computed_slowly(db, a, space, c.point.branch);
	/* Count again at the end: an interrupted run may have left a wrong number. */
	set_pages(db, c.space, head_of(db, space));
	db_commit(db);
}

/* Ids that changed in main between two revisions. */
static const char **
changed_between(struct db *db, struct arena *a, int64_t branch, int64_t from, int64_t to, size_t *count)
{
	struct stmt *q = db_use(db, &q_between);

	bind_int(q, ":b", branch);
	bind_int(q, ":from", from);
	bind_int(q, ":to", to);
	return take_ids(q, a, count);
}

/*
 * Rebuild the links in a new edition, which is shown once it includes everything written meanwhile;
 * the job ends in the same transaction. False if writing never pauses.
 */
static bool
rebuild_links(struct db *db, struct arena *a, const struct job *job, struct point p)
{
	int64_t edition = 0;
	const char **ids = NULL;
	struct point now;
	size_t n = 0;
	int tries;

	/* Each round adds what was written during the last one, which becomes less and less. */
	for (tries = 0; tries < 20; tries++) {
		links_ahead(db, a, &p, &edition, ids, n, NULL);
		db_begin(db, true);
		/*
		 * Compare under the write lock: nothing is written between this check and the
		 * commit.
		 */
		if (!main_head(db, a, job->space, &now) || now.seq == p.seq) {
			links_show(db, p.branch, edition);
			/*
			 * In the same transaction: after a crash the job is either done or runs
			 * again.
			 */
			job_end(db, job->id, "done", NULL, "{}");
			db_commit(db);
			links_tidy(db, p.branch);
			return true;
		}
		ids = changed_between(db, a, p.branch, p.seq, now.seq, &n);
		db_rollback(db);
		p = now;
	}
	return false;
}

static bool
index_space(struct db *db, struct arena *a, const struct job *job)
{
	struct heartbeat b = { db, job };
	struct search_source *list = NULL;
	struct point p;
	size_t n = 0;
	bool there;

	db_begin(db, false);
	if ((there = main_head(db, a, job->space, &p)))
		list = list_documents(db, a, &p, &n);
	db_rollback(db);
	if (there) {
		/* What an interrupted run left of an edition is removed first. */
		links_tidy(db, p.branch);
		search_ahead(db, a, job->space, list, n, report_progress, &b);
		rebuild_index(db, a, job->space, list, n);
		return rebuild_links(db, a, job, p);
	}
	db_begin(db, true);
	job_end(db, job->id, "done", NULL, "{}");
	db_commit(db);
	return true;
}

void
search_job(struct db *db, struct arena *owner, const struct job *job)
{
	struct arena *a = arena_within(owner, SCRATCH);

	if (index_space(db, a, job)) {
		search_sweep(db, a, job->space);
	} else {
		db_begin(db, true);
		job_retry(db, job->id, time_now() + 10000, "the space kept changing; trying again");
		db_commit(db);
	}
}
