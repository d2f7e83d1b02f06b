/*
 * Pages that computed pages expand to, in the index. They are no rows of a revision, so
 * that no revision says which of them changed: where a space has computed pages, all of
 * their pages are looked at with each revision. The key of an entry holds the version of
 * the specification, so that this finds what is there already without reading its text.
 */
#include "base/map.h"
#include "base/secret.h"
#include "computed/computed.h"
#include "search_parts.h"

SQL(q_any, "SELECT 1 FROM node WHERE branch = :b AND kind = 'computed' LIMIT 1");
/* Pages of the space whose ids begin with that of a computed page, now or once. */
SQL(q_known,
    "SELECT DISTINCT p.page FROM (SELECT DISTINCT id FROM node WHERE branch = :b AND kind = 'computed') AS n "
    "JOIN search_page p ON p.space = :space AND p.page > n.id || '-' AND p.page < n.id || '.' "
    "WHERE " SEARCH_FOUND " /*scan*/");
/* A row that is shown has no turn any more: live alone says that it counts. */
SQL(q_switch, "UPDATE search_page SET live = 1, turn = NULL WHERE no = :no");
/* The same as in search_index.c: all rows of the page that count, but one (:no 0: all of them). */
SQL(q_retire,
    "UPDATE search_page AS p SET live = 0, turn = NULL WHERE p.space = :space AND p.page = :page "
    "AND p.no <> :no AND " SEARCH_FOUND);
SQL(q_count, "UPDATE search_space SET pages = pages + :n WHERE no = :no");

struct indexing {
	struct db    *db;
	struct arena *arena, *scratch;   /* scratch: for one page at a time */
	struct point  point;
	int64_t       space, pages;
	struct map   *shown;             /* ids of pages that count from now on */
};

/* Takes the rows of the page out of the count, but the one with the number `but` (0: none is left). */
static void
retire(struct indexing *x, const char *page, int64_t but)
{
	struct stmt *q = db_use(x->db, &q_retire);

	bind_int(q, ":space", x->space);
	bind_text(q, ":page", page);
	bind_int(q, ":no", but);
	bind_int(q, ":head", x->point.seq);
	x->pages -= stmt_run(q);
}

/* Makes the entry of this page the one that counts; writes it where the index does not have it. */
static void
show(struct indexing *x, const struct computed_page *c)
{
	struct node n = c->page.node;
	struct stmt *q;
	struct entry e;
	bool live = false;
	int64_t no;

	n.path = c->page.path;
	/*
	 * The body is not made yet, and making it is the expensive part: the version of the
	 * specification and the page's number in it stand for the text in the key.
	 */
	n.body = hash_of(x->arena, str_of(arena_printf(x->arena, "%s %lld", c->version, (long long)c->no)));
	map_add(x->shown, str_of(n.id), NULL);
	entry_head(x->arena, &n, &e);
	no = entry_find(x->db, x->space, &e, x->point.seq, &live);
	if (no == 0) {
		/*
		 * Sections, terms and rows of one page are gone with the reset below: a
		 * specification may have thousands.
		 */
		entry_body(x->scratch, computed_text(x->db, x->scratch, c), NULL, &e);
		/* Facts are kept of bytes that are there. */
		e.facts.kept = true;
		entry_terms(x->scratch, x->space, &e);
		entry_write(x->db, x->scratch, x->space, &e, true);
		no = entry_find(x->db, x->space, &e, x->point.seq, &live);
		arena_reset(x->scratch);
		x->pages++;
	} else if (!live) {
		q = db_use(x->db, &q_switch);
		bind_int(q, ":no", no);
		stmt_run(q);
		x->pages++;
	}
	retire(x, n.id, no);
}

/* Retires pages of the space's computed pages that a specification had once and has no longer. */
static void
retire_others(struct indexing *x)
{
	struct stmt *q = db_use(x->db, &q_known);
	struct known { struct known *next; const char *id; } *list = NULL, *k;

	bind_int(q, ":b", x->point.branch);
	bind_int(q, ":space", x->space);
	bind_int(q, ":head", x->point.seq);
	while (stmt_step(q)) {
		if (map_has(x->shown, str_of(col_text(q, 0))))
			continue;
		/*
		 * The ids are collected first: retiring changes the rows that the statement is
		 * still reading.
		 */
		k = arena_alloc(x->arena, sizeof(*k));
		*k = (struct known){ list, col_dup(q, 0, x->arena) };
		list = k;
	}
	for (k = list; k != NULL; k = k->next)
		retire(x, k->id, 0);
}

void
search_computed(struct db *db, struct arena *a, const char *space, int64_t branch)
{
	struct indexing x = { .db = db, .arena = a };
	struct stmt *q = db_use(db, &q_any);
	struct page *page;

	bind_int(q, ":b", branch);
	if (stmt_int(q, 0) == 0 || !point_head(db, a, branch, &x.point))
		return;
	x.scratch = arena_within(a, (size_t)1 << 30);
	x.space = search_space_no(db, space, true);
	x.shown = map_new(a);
	for (page = computed_all(db, a, &x.point); page != NULL; page = page->next)
		show(&x, (const struct computed_page *)page);
	retire_others(&x);
	q = db_use(db, &q_count);
	bind_int(q, ":n", x.pages);
	bind_int(q, ":no", x.space);
	stmt_run(q);
}
