/*
 * Deciding whether a page has moved (store/order.h): a new parent is a move; so is a new key,
 * unless the revision that gave it assigned new keys to all siblings and does not list the page.
 * And the key of a page that is edited in a change request after main's order changed.
 */
#include "change_fixture.h"

#include "store/order.h"

/* Writes a version of the page "x" in a new revision; kind NODE_GONE hides it. */
static struct point
version(struct fixture *f, int64_t branch, enum node_kind kind, const char *parent, const char *ord, int64_t origin)
{
	struct point now = revision_begin(f, branch);
	struct node n = page_node("x", parent, ord);

	n.kind = kind;
	n.title = arena_printf(f->arena, "version %d", (int)now.seq);
	n.origin = origin;
	node_put(f->db, branch, now.seq, &n);
	db_commit(f->db);
	return now;
}

/* Marks the revision as one that assigned new keys below the parent; names: the pages it moved, as JSON. */
static void
dealt(struct fixture *f, const struct point *now, const char *parent, const char *names)
{
	struct node mark = page_node(arena_printf(f->arena, "order:%s", parent), "", "");

	mark.kind = NODE_SETTING;
	mark.props = arena_printf(f->arena, "{\"placed\":[%s]}", names);
	db_begin(f->db, true);
	node_put(f->db, now->branch, now->seq, &mark);
	db_commit(f->db);
}

static struct node
at(struct fixture *f, const struct point *p)
{
	struct node n;

	assert_true(node_get(f->db, f->arena, p, "x", &n));
	return n;
}

static bool
moved(struct fixture *f, const struct point *from, const struct point *to)
{
	struct node x = at(f, from), y = at(f, to);

	return order_moved(f->db, f->arena, &x, &y);
}

static bool
differs(struct fixture *f, const struct point *from, const struct point *to)
{
	struct node x = at(f, from), y = at(f, to);

	return order_differs(f->db, f->arena, from, &x, to, &y);
}

static void
moved_pages_are_found(void **state)
{
	struct fixture *f = *state;
	struct point p[5];

	new_space(f);
	p[0] = version(f, f->branch, NODE_DOCUMENT, "", "A", -1);
	p[1] = version(f, f->branch, NODE_DOCUMENT, "", "C", -1);
	p[2] = version(f, f->branch, NODE_DOCUMENT, "", "C", -1);
	p[3] = version(f, f->branch, NODE_DOCUMENT, "", "A", -1);
	p[4] = version(f, f->branch, NODE_DOCUMENT, "d", "A", -1);
	assert_true(moved(f, &p[0], &p[1]) && differs(f, &p[0], &p[1]));
	assert_false(moved(f, &p[1], &p[2]) || differs(f, &p[1], &p[2]));
	/* A page that was moved and moved back has moved, but its position does not differ. */
	assert_true(moved(f, &p[0], &p[3]));
	assert_false(differs(f, &p[0], &p[3]));
	assert_true(moved(f, &p[3], &p[4]) && differs(f, &p[3], &p[4]));
	/* From the later to the earlier point there are no revisions to compare. */
	assert_true(differs(f, &p[1], &p[0]));
	assert_true(differs(f, &p[4], &p[3]));
	assert_false(moved(f, &p[4], &p[4]));
}

static void
new_keys_are_no_moves(void **state)
{
	static const struct { const char *marked, *names; bool late, moved; } cases[] = {
		{ "", "", false, false }, { "", "\"y\"", false, false }, { "", "\"y\",\"x\",\"z\"", false, true },
		{ "", "\"w\"", false, false }, { "", "7,\"xx\"", false, false }, { "d", "", false, true }, { "", "", true, true } };
	struct fixture *f = *state;
	struct point was, now, next;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		new_space(f);
		was = version(f, f->branch, NODE_DOCUMENT, "", "A", -1);
		/* The mark of an earlier revision does not apply to this one. */
		now = version(f, f->branch, NODE_DOCUMENT, "", cases[i].late ? "A" : "C", -1);
		dealt(f, &now, cases[i].marked, cases[i].names);
		next = version(f, f->branch, NODE_DOCUMENT, "", "C", -1);
		if (moved(f, &was, &next) != cases[i].moved || differs(f, &was, &next) != cases[i].moved)
			fail_msg("case %zu", i);
	}
	/* A new parent is a move, even if the revision assigned new keys there. */
	new_space(f);
	was = version(f, f->branch, NODE_DOCUMENT, "", "A", -1);
	now = version(f, f->branch, NODE_DOCUMENT, "d", "A", -1);
	dealt(f, &now, "d", "");
	assert_true(moved(f, &was, &now));
}

/*
 * In a change request: a page that was hidden in between has not moved, and a row with main's old
 * key counts as main's position.
 */
static void
moves_are_found_in_requests(void **state)
{
	struct fixture *f = *state;
	struct point main, first, back, edited, placed, later;
	int64_t r;

	new_space(f);
	main = version(f, f->branch, NODE_DOCUMENT, "", "A", -1);
	r = request_open(f);
	first = version(f, r, NODE_DOCUMENT, "", "K", main.seq);
	version(f, r, NODE_GONE, "", "", main.seq);
	back = version(f, r, NODE_DOCUMENT, "", "K", main.seq);
	assert_false(moved(f, &first, &back));
	/* A row that was only edited has main's position, so it differs from a later position in main. */
	r = request_open(f);
	edited = version(f, r, NODE_DOCUMENT, "", "A", main.seq);
	placed = version(f, r, NODE_DOCUMENT, "", "M", main.seq);
	later = version(f, f->branch, NODE_DOCUMENT, "", "C", -1);
	assert_true(differs(f, &edited, &later));
	dealt(f, &later, "", "");
	assert_false(differs(f, &edited, &later));
	assert_false(differs(f, &main, &later));
	assert_true(differs(f, &edited, &placed));
	assert_true(differs(f, &placed, &later));
}

/* ---- edited again after main's order changed ---- */

struct settling {
	const char *name;
	bool        dealt;                /* main's new key comes from a reassignment of keys */
	const char *own;                  /* key of the request's row; NULL: no row */
	bool        origin;               /* the row names the version of main that it is a copy of */
	const char *ord, *parent;         /* of the row to be written */
	const char *expected;             /* key that it must get */
};

static void
a_settled_place_is_no_move(void **state)
{
	static const struct settling cases[] = {
		{ "not placed", true, "A", true, "A", "", "K" }, { "elsewhere", true, "A", true, "A", "d", "A" },
		{ "as main has it", true, "A", true, "K", "", "K" }, { "moved now", true, "A", true, "C", "", "C" },
		{ "placed before", true, "C", true, "C", "", "C" }, { "placed there and back", true, "C", true, "A", "", "A" },
		{ "no row", true, NULL, true, "A", "", "A" }, { "made from nothing", true, "A", false, "A", "", "A" },
		{ "the same era", false, "A", true, "A", "", "A" },
	};
	struct fixture *f = *state;
	struct point first, main, request;
	struct revision_info info = { .kind = "update", .author = f->user };
	struct node base, n;
	int64_t r;
	char *id;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct settling *c = &cases[i];
		new_space(f);
		first = version(f, f->branch, NODE_DOCUMENT, "", "A", -1);
		r = request_open(f);
		if (c->own != NULL)
			version(f, r, NODE_DOCUMENT, "", c->own, c->origin ? first.seq : -1);
		main = version(f, f->branch, NODE_DOCUMENT, "", "K", -1);
		if (c->dealt)
			dealt(f, &main, "", "");
		db_begin(f->db, true);
		info.base_seq = main.seq;
		revision_add(f->db, f->arena, r, &info, &id);
		db_commit(f->db);
		request = head_of(f, r);
		base = at(f, &main);
		n = page_node("x", c->parent, c->ord);
		order_follow_main(f->db, f->arena, &request, request.seq + 1, &base, &n);
		if (strcmp(n.ord, c->expected) != 0)
			fail_msg("%s: %s", c->name, n.ord);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(moved_pages_are_found),
	cmocka_unit_test(new_keys_are_no_moves), cmocka_unit_test(moves_are_found_in_requests),
		cmocka_unit_test(a_settled_place_is_no_move) };

	return cmocka_run_group_tests(tests, db_setup, db_teardown);
}
