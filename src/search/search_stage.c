/* Index state of a staged revision (store/stage.h). Contract: search.h. */
#include "base/map.h"
#include "base/panic.h"
#include "search_parts.h"

/* Rows that search_apply_turns() updates per transaction. */
enum { SOME = 1000 };

/* CROSS JOIN fixes this order: a space has as many places as pages. */
SQL(q_rows,
    "SELECT p.no, p.live, p.turn FROM search_reads r CROSS JOIN search_page e CROSS JOIN search_place p "
    "WHERE r.space = :space AND e.scope = r.scope AND e.page = :page AND p.space = r.space AND p.no = e.no");
SQL(q_turn, "UPDATE search_place SET turn = :turn WHERE space = :space AND no = :no");
/* Rows that turn with a revision that is not published yet; at most one is staged at a time. */
SQL(q_staged,
    "SELECT p.no, e.page FROM search_place p JOIN search_page e ON e.no = p.no "
    "WHERE p.space = :space AND p.turn IS NOT NULL AND p.turn > :head");
/*
 * Leaves the rows alone: they turn because the head reaches :seq. Both counts come from
 * search_place_turn.
 */
SQL(q_show,
    "UPDATE search_space SET pages = pages "
    "+ (SELECT count(*) FROM search_place p WHERE p.space = :no AND p.turn = :seq AND p.live = 0) "
    "- (SELECT count(*) FROM search_place p WHERE p.space = :no AND p.turn = :seq AND p.live = 1) "
    "WHERE no = :no");
/*
 * The statement has no ORDER BY: each pass takes any SOME rows, and turning removes them from the
 * index that finds them.
 */
SQL(q_turned,
    "SELECT no, live FROM search_place WHERE space = :space AND turn IS NOT NULL AND turn <= :head "
    "LIMIT :limit");
SQL(q_apply_turn, "UPDATE search_place SET live = :live, turn = NULL WHERE space = :space AND no = :no");
SQL(q_head,
    "SELECT b.head, COALESCE(b.staged, 0) FROM space s JOIN branch b ON b.id = s.branch "
    "WHERE s.id = :space");

struct stage_context {
	struct db    *db;
	struct arena *arena;
	struct arena *scratch;   /* reset after each page */
	struct point  point;
	int64_t       space;
};

/*
 * Row of the page's version at the staged point. 0: with *document the index lacks it, without the
 * page is not indexed. The node is in the scratch arena.
 */
static int64_t
find_row(struct stage_context *s, const char *id, struct node *n, bool *document)
{
	enum entry_state state;
	struct entry e;
	int64_t no;

	*document = node_get(s->db, s->scratch, &s->point, id, n) && search_is_indexed(n);
	if (!*document)
		return 0;
	entry_head(s->scratch, n, included_key(s->db, s->scratch, &s->point, n), &e);
	no = entry_find(s->db, s->space, &e, 0, &state);
	/* It needs a place in order to turn. */
	return state == ENTRY_ELSEWHERE ? 0 : no;
}

/* Write missing entries ahead; true if any was missing. */
static bool
write_lacking(struct stage_context *s, const char *const *ids, size_t n)
{
	struct search_source *list = NULL;
	size_t i, count = 0, room = 0;
	struct node found, *node;
	bool document;

	db_begin(s->db, false);
	s->space = search_space_no(s->db, s->point.space, false);
	for (i = 0; i < n; i++, arena_reset(s->scratch)) {
		if (find_row(s, ids[i], &found, &document) != 0 || !document)
			continue;
		node = arena_alloc(s->arena, sizeof(*node));
		node_get(s->db, s->arena, &s->point, ids[i], node);
		list = arena_grow(s->arena, list, count, &room, sizeof(*list));
		list[count++] = (struct search_source){ .node = node, .at = &s->point };
	}
	db_rollback(s->db);
	if (count > 0 || s->space == 0)
		search_ahead(s->db, s->arena, s->point.space, list, count, NULL, NULL);
	return count > 0 || s->space == 0;
}

static void
set_turn(struct stage_context *s, int64_t no, bool turns)
{
	struct stmt *q = db_use(s->db, &q_turn);

	/* An unbound parameter is NULL. */
	if (turns)
		bind_int(q, ":turn", s->point.seq);
	bind_int(q, ":space", s->space);
	bind_int(q, ":no", no);
	stmt_run(q);
}

/*
 * Corrects the column turn in each row of the page where it is wrong. False: a row of the page was
 * deleted.
 */
static bool
stage_page(struct stage_context *s, const char *id)
{
	/*
	 * A page has two or three rows; further rounds handle more, since rows that are set no
	 * longer match.
	 */
	struct { int64_t no; bool turns, will; } rows[16];
	struct node n;
	struct stmt *q;
	bool document, more = true;
	int64_t no = find_row(s, id, &n, &document);
	size_t count, i;

	if (document && no == 0)
		return false;
	while (more) {
		q = db_use(s->db, &q_rows);
		bind_int(q, ":space", s->space);
		bind_text(q, ":page", id);
		for (count = 0; count < 16 && (more = stmt_step(q));) {
			/*
			 * A row must turn if whether it counts has to change. A turn with another
			 * revision's number is wrong too.
			 */
			bool live = col_int(q, 1) != 0, turns = !col_null(q, 2);
			rows[count].no = col_int(q, 0);
			rows[count].will = live != (rows[count].no == no);
			rows[count].turns = turns && col_int(q, 2) == s->point.seq;
			count += rows[count].will != (turns && rows[count].turns) || (turns && !rows[count].turns);
		}
		for (i = 0; i < count; i++)
			set_turn(s, rows[i].no, rows[i].will);
	}
	return true;
}

/* The published head, and the staged revision (0: none). */
static int64_t read_head(struct db *db, const char *space, int64_t *staged);

/*
 * Clear turns that an earlier pass staged and this one does not. wanted NULL: all of them, until
 * another process stages a revision of the space.
 */
static void
clear_others(struct stage_context *s, const char *space, const struct map *wanted, int64_t head)
{
	struct { int64_t no; } *list = NULL;
	size_t n = 0, room = 0, i;
	int64_t staged = 0;
	struct stmt *q;

	db_begin(s->db, false);
	q = db_use(s->db, &q_staged);
	bind_int(q, ":space", s->space);
	bind_int(q, ":head", head);
	while (stmt_step(q)) {
		if (wanted != NULL && map_has(wanted, str_of(col_text(q, 1))))
			continue;
		list = arena_grow(s->arena, list, n, &room, sizeof(*list));
		list[n++].no = col_int(q, 0);
	}
	db_rollback(s->db);
	/* Usually there are none: take no write lock. */
	if (n == 0)
		return;
	db_begin(s->db, true);
	for (i = 0; i < n; i++, db_breathe(s->db)) {
		if (wanted == NULL && read_head(s->db, space, &staged) >= 0 && staged != 0)
			break;
		set_turn(s, list[i].no, false);
	}
	db_commit(s->db);
}

/*
 * A commit between two pages is harmless: turns lie beyond the head, so nothing counts differently
 * yet.
 */
static bool
stage_pages(struct stage_context *s, const char *const *ids, size_t n)
{
	bool whole = true;
	size_t i;

	db_begin(s->db, true);
	for (i = 0; i < n; i++, db_breathe(s->db), arena_reset(s->scratch))
		whole &= stage_page(s, ids[i]);
	db_commit(s->db);
	return whole;
}

static int64_t
read_head(struct db *db, const char *space, int64_t *staged)
{
	struct stmt *q = db_use(db, &q_head);
	int64_t head = 0;

	*staged = 0;
	bind_text(q, ":space", space);
	if (stmt_step(q)) {
		head = col_int(q, 0);
		*staged = col_int(q, 1);
	}
	return head;
}

void
search_stage(struct db *db, struct arena *a, const struct point *p, const char *const *ids, size_t n)
{
	struct arena *own = arena_on_disk(a, (size_t)2 << 30, NULL);
	struct stage_context s = { db, own, arena_within(own, (size_t)1 << 30), *p, 0 };
	struct map *wanted = map_new(own);
	int64_t staged, head;
	size_t i;

	db_begin(db, false);
	ids = included_by(db, own, p->branch, ids, &n);
	db_rollback(db);

	/*
	 * A row has one turn: write those of the last revision into the rows before noting new
	 * ones.
	 */
	search_apply_turns(db, p->space);
	for (i = 0; i < n; i++)
		map_add(wanted, str_of(ids[i]), wanted);
	/* Another writer in the space may sweep rows that do not count: write them again. */
	do
		write_lacking(&s, ids, n);
	while (s.space == 0 || !stage_pages(&s, ids, n));
	db_begin(db, false);
	head = read_head(db, p->space, &staged);
	db_rollback(db);
	clear_others(&s, p->space, wanted, head);
	arena_reset(own);
}

void
search_show(struct db *db, const char *space, int64_t seq)
{
	struct stmt *q;
	int64_t no = search_space_no(db, space, false);

	q = db_use(db, &q_show);
	bind_int(q, ":no", no);
	bind_int(q, ":seq", seq);
	stmt_run(q);
}

void
search_apply_turns(struct db *db, const char *space)
{
	struct { int64_t no; bool live; } list[SOME];
	struct stage_context s = { .db = db };
	int64_t head, staged;
	struct stmt *q;
	size_t n, i;

	do {
		db_begin(db, true);
		head = read_head(db, space, &staged);
		s.space = search_space_no(db, space, false);
		q = db_use(db, &q_turned);
		bind_int(q, ":space", s.space);
		bind_int(q, ":head", head);
		bind_int(q, ":limit", SOME);
		for (n = 0; n < SOME && stmt_step(q); n++) {
			list[n].no = col_int(q, 0);
			/*
			 * The turn is not beyond the head, so it is in effect: write its result
			 * into the row.
			 */
			list[n].live = col_int(q, 1) == 0;
		}
		for (i = 0; i < n; i++) {
			q = db_use(db, &q_apply_turn);
			bind_int(q, ":live", list[i].live);
			bind_int(q, ":space", s.space);
			bind_int(q, ":no", list[i].no);
			stmt_run(q);
		}
		db_commit(db);
	} while (n == SOME);
	/* Keep turns of a staged revision. */
	if (staged != 0)
		return;
	s.arena = arena_new(64 << 20);
	clear_others(&s, space, NULL, head);
	arena_free(s.arena);
}
