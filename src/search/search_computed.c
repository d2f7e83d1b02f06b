/*
 * Indexing of the pages that computed pages expand to. They are no rows of a revision, so a
 * revision does not say which of them changed: in a space with computed pages, all of their pages
 * are checked with each revision. An entry's key contains the version of the specification, so that
 * existing entries are found without reading the text.
 */
#include "base/map.h"
#include "base/secret.h"
#include "computed/computed.h"
#include "search_parts.h"

/* `until` is compared so that SQLite uses the index of computed pages, and does not read the whole branch. */
SQL(q_any, "SELECT 1 FROM node WHERE branch = :b AND kind = 'computed' AND until > 0 LIMIT 1");
/* Pages of the space whose ids begin with that of a present or former computed page. */
SQL(q_known,
    "SELECT DISTINCT e.page FROM (SELECT DISTINCT id || '' AS id FROM node WHERE branch = :b AND kind = 'computed' AND until > 0) AS n "
    "CROSS JOIN search_reads r CROSS JOIN search_page e CROSS JOIN search_place p "
    "WHERE r.space = :space AND e.scope = r.scope AND e.page > n.id || '-' AND e.page < n.id || '.' "
    "AND p.space = :space AND p.no = e.no AND " SEARCH_FOUND " /*scan*/");
SQL(q_count, "UPDATE search_space SET pages = pages + :n WHERE no = :no");
/* Operations that a page shows, counted up to :most: a tag may have all of a large description. */
SQL(q_operations,
    "SELECT count(*) FROM (SELECT 1 FROM openapi_page_operation WHERE version = :version AND page = :page LIMIT :most) AS shown");

/*
 * Most that is written while others wait for the transaction: operations of pages that the index
 * lacks, at about 60 us each; a page counts as PAGE of them.
 */
enum { INLINE_OPERATIONS = 400, PAGE = 4 };

struct index_state {
	struct db    *db;
	struct arena *arena, *scratch;   /* scratch: for one page at a time */
	struct point  point;
	int64_t       space, pages;
	struct map   *shown;             /* ids of the pages that count */
};

/* Stop counting the rows of the page, except number `but` (0: all of them). */
static void
retire_rows(struct index_state *x, const char *page, int64_t but)
{
	x->pages -= place_retire(x->db, x->space, page, but, x->point.seq);
}

/* Number of the entry without reading its text; 0 if the index lacks it. */
static int64_t
find_entry(struct index_state *x, const struct computed_page *c, struct entry *e, enum entry_state *state)
{
	struct node n = c->page.node;

	n.path = c->page.path;
	/*
	 * The body is expensive to make, so it is not hashed: the key is made from the
	 * specification's version, the page's number in it, and whether the page only lists its
	 * pages.
	 */
	n.body = hash_of(x->arena, str_of(arena_printf(x->arena, "%s %lld%s", c->version, (long long)c->no, c->split ? " list" : "")));
	entry_head(x->arena, &n, STR(""), e);
	return entry_find(x->db, x->space, e, x->point.seq, state);
}

/*
 * Make the text and words of an entry that the index lacks, in x->scratch: a specification may have
 * thousands of pages.
 */
static void
fill_entry(struct index_state *x, const struct computed_page *c, struct entry *e)
{
	entry_body(x->scratch, computed_text(x->db, x->scratch, c), e);
	/* These bodies have no blob to keep facts of. */
	e->facts.kept = true;
	entry_terms(x->scratch, x->space, e);
}

/* Make the page's entry the one that counts. With no 0 the index lacks it, and e is written. */
static void
show_entry(struct index_state *x, const struct computed_page *c, struct entry *e, int64_t no,
    enum entry_state state)
{
	map_add(x->shown, str_of(c->page.node.id), NULL);
	if (no == 0) {
		entry_write(x->db, x->scratch, x->space, e, true);
		no = find_entry(x, c, e, &state);
		x->pages++;
	} else if (state != ENTRY_LIVE) {
		place_set(x->db, x->space, no, true);
		x->pages++;
	}
	retire_rows(x, c->page.node.id, no);
	arena_reset(x->scratch);
}

/* Retire pages that a specification no longer has. */
static void
retire_others(struct index_state *x)
{
	struct stmt *q = db_use(x->db, &q_known);
	struct known { struct known *next; const char *id; } *list = NULL, *k;

	bind_int(q, ":b", x->point.branch);
	bind_int(q, ":space", x->space);
	bind_int(q, ":head", x->point.seq);
	while (stmt_step(q)) {
		if (map_has(x->shown, str_of(col_text(q, 0))))
			continue;
		/* Collect the ids first: retiring changes the rows that the statement reads. */
		k = arena_alloc(x->arena, sizeof(*k));
		*k = (struct known){ list, col_dup(q, 0, x->arena) };
		list = k;
	}
	for (k = list; k != NULL; k = k->next)
		retire_rows(x, k->id, 0);
}

/* Write the count only if it changed: it is one more page in the WAL. */
static void
count_pages(struct index_state *x)
{
	struct stmt *q;

	if (x->pages == 0)
		return;
	q = db_use(x->db, &q_count);
	bind_int(q, ":n", x->pages);
	bind_int(q, ":no", x->space);
	stmt_run(q);
	x->pages = 0;
}

/* False if the space has no computed pages, and never had. */
static bool
begin_indexing(struct index_state *x, const char *space, int64_t branch)
{
	struct stmt *q = db_use(x->db, &q_any);

	bind_int(q, ":b", branch);
	if (stmt_int(q, 0) == 0 || !point_head(x->db, x->arena, branch, &x->point))
		return false;
	if (x->scratch == NULL)
		x->scratch = arena_within(x->arena, (size_t)1 << 30);
	x->space = search_space_no(x->db, space, true);
	x->shown = map_new(x->arena);
	return true;
}

static bool
too_many(struct index_state *x, const struct page *page)
{
	int64_t cost = 0, no;
	enum entry_state state;
	struct entry e;
	struct stmt *q;

	for (; page != NULL && cost <= INLINE_OPERATIONS; page = page->next) {
		const struct computed_page *c = (const struct computed_page *)page;

		if ((no = find_entry(x, c, &e, &state)) != 0)
			continue;
		q = db_use(x->db, &q_operations);
		bind_text(q, ":version", c->version);
		bind_int(q, ":page", c->no);
		bind_int(q, ":most", INLINE_OPERATIONS + 1);
		cost += PAGE + (c->split ? 0 : stmt_int(q, 0));
	}
	return cost > INLINE_OPERATIONS;
}

void
search_computed(struct db *db, struct arena *a, const char *space, int64_t branch)
{
	struct index_state x = { .db = db, .arena = a };
	struct page *first, *page;
	enum entry_state state;
	struct entry e;
	int64_t no;

	if (!begin_indexing(&x, space, branch))
		return;
	first = computed_all(db, a, &x.point);
	if (too_many(&x, first)) {
		search_queue(db, a, space);
		return;
	}
	for (page = first; page != NULL; page = page->next) {
		const struct computed_page *c = (const struct computed_page *)page;

		if ((no = find_entry(&x, c, &e, &state)) == 0)
			fill_entry(&x, c, &e);
		show_entry(&x, c, &e, no, state);
	}
	retire_others(&x);
	count_pages(&x);
}

/* True if the head is still the one x was begun with. */
static bool
is_at_head(struct index_state *x)
{
	struct point now;

	return point_head(x->db, x->arena, x->point.branch, &now) && now.seq == x->point.seq;
}

/*
 * Index one page, making its text while others may write. False if they did: the pages may have
 * changed.
 */
static bool
show_slowly(struct index_state *x, const struct computed_page *c)
{
	enum entry_state state;
	struct entry e, again;
	bool same;
	int64_t no = find_entry(x, c, &e, &state);

	if (no == 0) {
		db_commit(x->db);
		db_begin(x->db, false);
		fill_entry(x, c, &e);
		db_rollback(x->db);
		db_begin(x->db, true);
		no = find_entry(x, c, &again, &state);
	}
	if ((same = is_at_head(x)) && no == 0 && e.part_count > 1 && entry_write_slowly(x->db, x->scratch, x->space, &e)) {
		/* Others wrote in between. */
		no = find_entry(x, c, &again, &state);
		same = is_at_head(x);
	}
	if (same)
		show_entry(x, c, &e, no, state);
	count_pages(x);
	db_breathe(x->db);
	return same && is_at_head(x);
}

static bool
show_all(struct index_state *x)
{
	struct page *page;

	for (page = computed_all(x->db, x->arena, &x->point); page != NULL; page = page->next)
		if (!show_slowly(x, (const struct computed_page *)page))
			return false;
	retire_others(x);
	count_pages(x);
	return true;
}

void
search_computed_slowly(struct db *db, struct arena *a, const char *space, int64_t branch)
{
	struct index_state x = { .db = db, .arena = a };

	/*
	 * After another revision the pages written so far are found, so each round has less to do.
	 */
	while (begin_indexing(&x, space, branch) && !show_all(&x))
		continue;
}
