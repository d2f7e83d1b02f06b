/*
 * Merging three versions of one node: each field by itself, in every combination of who changed it,
 * and the text of each conflict.
 */
#include "db_fixture.h"

#include "base/json.h"
#include "store/content.h"
#include "../../src/merge/three_way.h"

static struct fixture *f;
static int64_t since;          /* the rows of one node follow each other, each at its own point */
static struct node base, ours, theirs;
static struct three_way t;

static struct node
page(void)
{
	return (struct node){ .id = "page", .kind = NODE_DOCUMENT, .parent = "", .ord = "V", .slug = "page",
		.path = "page", .title = "Title", .props = "{}", .git_path = "page.md", .git_oid = "1",
		.front = str_of("---\na: 1\nb: 2\nc: 3\nd: 4\ne: 5\n---\n"), .origin = -1, .at = 1, .made = 1 };
}

static struct str
put(const char *text)
{
	return blob_put(f->db, f->arena, str_of(text));
}

static void
body(struct node *n, const char *text, const char *refs)
{
	n->body = put(text);
	n->refs = put(refs);
}

static int
set_up(void **state)
{
	db_setup(state);
	f = *state;
	json_arena(f->arena);
	db_begin(f->db, true);
	since = 100;
	base = page();
	body(&base, "one\n\ntwo\n\nthree\n", "{}");
	ours = theirs = base;
	return 0;
}

static int
tear_down(void **state)
{
	db_rollback(f->db);
	return db_teardown(state);
}

/* Writes a version as a row, because the bytes before the body are read from there. */
static void
store(struct node *n)
{
	n->branch = f->branch;
	n->since = ++since;
	if (since > 101)
		node_end(f->db, f->branch, n->id, since);
	node_put(f->db, f->branch, since, n);
}

/* Stores the given versions and merges them. */
static void
decide(bool has_base, bool has_theirs)
{
	t = (struct three_way){ .db = f->db, .arena = f->arena, .base = has_base ? &base : NULL, .ours = &ours,
		.theirs = has_theirs ? &theirs : NULL };
	store(&base);
	store(&ours);
	store(&theirs);
	three_way(&t);
	three_way_store(&t);
}

static const char *
text_of(struct str hash)
{
	struct str s;

	assert_true(blob_get(f->db, f->arena, hash, &s));
	return arena_strndup(f->arena, s.p, s.n);
}

static const char *
front_of(const struct node *n)
{
	return n->front.p == NULL ? "" : arena_strndup(f->arena, n->front.p, n->front.n);
}

static void
clean(void)
{
	if (t.clash != NULL)
		fail_msg("clash: %s", t.clash->kind);
	assert_true(t.present);
}

/* There must be exactly one conflict, of this kind. */
static void
clashes(const char *kind)
{
	assert_non_null(t.clash);
	assert_string_equal(t.clash->kind, kind);
	assert_string_equal(t.clash->page, "page");
	assert_null(t.clash->next);
}

/* ---- the bytes before the body ---- */

#define FRONT(a, b, c, d, e) str_of("---\na: " a "\nb: " b "\nc: " c "\nd: " d "\ne: " e "\n---\n")

static void
the_front_of_theirs_is_taken(void **state)
{
	(void)state;
	ours.title = "Ours";
	theirs.front = FRONT("1", "2", "3", "4", "9");
	decide(true, true);
	clean();
	assert_string_equal(t.merged.title, "Ours");
	assert_string_equal(front_of(&t.merged), front_of(&theirs));
}

static void
the_front_of_ours_is_kept(void **state)
{
	(void)state;
	ours.front = FRONT("9", "2", "3", "4", "5");
	theirs.title = "Theirs";
	decide(true, true);
	clean();
	assert_string_equal(t.merged.title, "Theirs");
	assert_string_equal(front_of(&t.merged), front_of(&ours));
}

static void
fronts_of_both_are_merged(void **state)
{
	(void)state;
	ours.front = FRONT("9", "2", "3", "4", "5");
	theirs.front = FRONT("1", "2", "3", "4", "8");
	decide(true, true);
	clean();
	assert_string_equal(front_of(&t.merged), "---\na: 9\nb: 2\nc: 3\nd: 4\ne: 8\n---\n");
}

static void
one_line_of_both_fronts_conflicts(void **state)
{
	(void)state;
	ours.front = FRONT("9", "2", "3", "4", "5");
	theirs.front = FRONT("8", "2", "3", "4", "5");
	decide(true, true);
	clashes("properties");
	assert_string_equal(t.clash->base, front_of(&base));
	assert_string_equal(t.clash->ours, front_of(&ours));
	assert_string_equal(t.clash->theirs, front_of(&theirs));
}

/* A row that equals its origin takes everything that main changed, including the bytes before the body. */
static void
a_front_alone_is_taken(void **state)
{
	(void)state;
	theirs.front = FRONT("1", "7", "3", "4", "5");
	decide(true, true);
	clean();
	assert_string_equal(front_of(&t.merged), front_of(&theirs));
}

/* ---- text and its links ---- */

static void
bodies_of_both_are_merged(void **state)
{
	(void)state;
	body(&ours, "one\n\ntwo\n\nthree\n\nfour\n", "{\"a\":1,\"c\":\"ours\",\"x\":\"ours\"}");
	body(&theirs, "zero\n\none\n\ntwo\n\nthree\n", "{\"b\":2,\"c\":\"theirs\",\"z\":[3]}");
	decide(true, true);
	clean();
	assert_true(t.by_field);
	assert_string_equal(text_of(t.merged.body), "zero\n\none\n\ntwo\n\nthree\n\nfour\n");
	/* If both have a target for one spelling, the request's is used; keys stay sorted. */
	assert_string_equal(text_of(t.merged.refs), "{\"a\":1,\"b\":2,\"c\":\"ours\",\"x\":\"ours\",\"z\":[3]}");
}

static void
links_of_theirs_are_taken(void **state)
{
	(void)state;
	body(&ours, "one\n\ntwo\n\nthree\n\nfour\n", "");
	body(&theirs, "zero\n\none\n\ntwo\n\nthree\n", "{\"b\":2}");
	decide(true, true);
	clean();
	assert_string_equal(text_of(t.merged.refs), "{\"b\":2}");
}

static void
links_of_ours_are_kept(void **state)
{
	(void)state;
	body(&ours, "one\n\ntwo\n\nthree\n\nfour\n", "{\"a\":1,\"b\":2}");
	body(&theirs, "zero\n\none\n\ntwo\n\nthree\n", "");
	decide(true, true);
	clean();
	assert_string_equal(text_of(t.merged.refs), "{\"a\":1,\"b\":2}");
}

static void
the_body_of_theirs_is_taken(void **state)
{
	(void)state;
	ours.title = "Ours";
	body(&theirs, "other\n", "{\"t\":1}");
	decide(true, true);
	clean();
	assert_string_equal(text_of(t.merged.body), "other\n");
	assert_string_equal(text_of(t.merged.refs), "{\"t\":1}");
}

static void
the_body_of_ours_is_kept(void **state)
{
	(void)state;
	body(&ours, "other\n", "{\"o\":1}");
	theirs.title = "Theirs";
	theirs.refs = put("{\"t\":1}");
	decide(true, true);
	clean();
	assert_string_equal(text_of(t.merged.body), "other\n");
	assert_string_equal(text_of(t.merged.refs), "{\"o\":1}");
	assert_string_equal(t.merged.title, "Theirs");
}

static void
one_line_of_both_conflicts(void **state)
{
	(void)state;
	body(&ours, "one\n\n2\n\nthree\n", "{}");
	body(&theirs, "one\n\nII\n\nthree\n", "{}");
	decide(true, true);
	clashes("text");
	assert_string_equal(t.clash->base, "two\n");
	assert_string_equal(t.clash->ours, "2\n");
	assert_string_equal(t.clash->theirs, "II\n");
	assert_string_equal(t.clash->title, "Title");
}

static void
files_of_both_conflict(void **state)
{
	(void)state;
	base.kind = ours.kind = theirs.kind = NODE_FILE;
	ours.body = put("x");
	theirs.body = put("y");
	decide(true, true);
	clashes("file");
	assert_string_equal(text_of(t.merged.body), "x");
}

static void
equal_files_do_not_conflict(void **state)
{
	(void)state;
	base.kind = ours.kind = theirs.kind = NODE_FILE;
	ours.body = theirs.body = put("x");
	theirs.refs = put("{\"t\":1}");
	decide(true, true);
	clean();
}

/* ---- names, properties ---- */

static void
names_of_theirs_are_taken(void **state)
{
	(void)state;
	ours.title = "Ours";
	theirs.slug = "theirs";
	theirs.path = "there/theirs";
	theirs.git_path = "theirs.md";
	theirs.git_oid = "2";
	theirs.at = 9;
	decide(true, true);
	clean();
	assert_string_equal(t.merged.title, "Ours");
	assert_string_equal(t.merged.slug, "theirs");
	assert_string_equal(t.merged.path, "there/theirs");
	assert_string_equal(t.merged.git_path, "theirs.md");
	assert_string_equal(t.merged.git_oid, "2");
	assert_int_equal(t.merged.at, 9);
}

static void
names_of_ours_are_kept(void **state)
{
	(void)state;
	ours.slug = "ours";
	ours.git_path = "ours.md";
	ours.git_oid = "7";
	ours.at = 8;
	theirs.title = "Theirs";
	theirs.git_oid = "2";
	theirs.path = NULL;
	decide(true, true);
	clean();
	assert_string_equal(t.merged.slug, "ours");
	assert_null(t.merged.path);
	assert_string_equal(t.merged.title, "Theirs");
	assert_string_equal(t.merged.git_path, "ours.md");
	assert_string_equal(t.merged.git_oid, "7");
	assert_int_equal(t.merged.at, 8);
}

static void
two_titles_conflict(void **state)
{
	(void)state;
	ours.title = "Ours";
	theirs.title = "Theirs";
	decide(true, true);
	clashes("title");
	assert_string_equal(t.clash->base, "Title");
	assert_string_equal(t.clash->ours, "Ours");
	assert_string_equal(t.clash->theirs, "Theirs");
	assert_string_equal(t.merged.title, "Ours");
	assert_true(t.present);
}

static void
equal_titles_do_not_conflict(void **state)
{
	(void)state;
	ours.title = theirs.title = "Same";
	ours.slug = "ours";
	decide(true, true);
	clean();
	assert_string_equal(t.merged.title, "Same");
}

static void
different_properties_are_merged(void **state)
{
	(void)state;
	base.props = "{\"a\":1,\"b\":1}";
	ours.props = "{\"a\":2,\"b\":1}";
	theirs.props = "{\"a\":1,\"b\":2}";
	decide(true, true);
	clean();
	assert_string_equal(t.merged.props, "{\"a\":2,\"b\":2}");
}

static void
one_property_of_both_conflicts(void **state)
{
	(void)state;
	base.props = "{\"a\":1}";
	ours.props = "{\"a\":2}";
	theirs.props = "{\"a\":3}";
	decide(true, true);
	clashes("properties");
	assert_string_equal(t.clash->base, "{\"a\":1}");
}

static void
two_kinds_conflict(void **state)
{
	(void)state;
	ours.kind = NODE_GROUP;
	theirs.kind = NODE_LINK;
	decide(true, true);
	clashes("properties");
	ours.kind = NODE_LINK;
	decide(true, true);
	clean();
	assert_int_equal(t.merged.kind, NODE_LINK);
	/* Main's other kind of page stays if the request changed another field. */
	ours.kind = NODE_DOCUMENT;
	ours.title = "Ours";
	decide(true, true);
	clean();
	assert_int_equal(t.merged.kind, NODE_LINK);
	assert_string_equal(t.merged.title, "Ours");
	ours.kind = NODE_GROUP;
	theirs.kind = NODE_DOCUMENT;
	decide(true, true);
	clean();
	assert_int_equal(t.merged.kind, NODE_GROUP);
}

/* ---- position ---- */

static void
the_parent_of_theirs_is_taken(void **state)
{
	(void)state;
	ours.title = "Ours";
	ours.ord = "W";
	theirs.parent = "other";
	theirs.ord = "K";
	decide(true, true);
	clean();
	assert_string_equal(t.merged.parent, "other");
	assert_string_equal(t.merged.ord, "K");
}

static void
the_parent_of_ours_is_kept(void **state)
{
	(void)state;
	ours.parent = "other";
	ours.ord = "W";
	theirs.ord = "K";
	theirs.title = "Theirs";
	decide(true, true);
	clean();
	assert_string_equal(t.merged.parent, "other");
	assert_string_equal(t.merged.ord, "W");
}

static void
two_parents_conflict(void **state)
{
	(void)state;
	ours.parent = "one";
	theirs.parent = "other";
	decide(true, true);
	clashes("position");
	assert_string_equal(t.clash->base, "");
	assert_string_equal(t.clash->ours, "one");
	assert_string_equal(t.clash->theirs, "other");
	theirs.parent = "one";
	theirs.ord = "K";
	decide(true, true);
	clean();
	assert_string_equal(t.merged.ord, "V");
}

static void
the_order_of_one_side_is_taken(void **state)
{
	(void)state;
	ours.title = "Ours";
	theirs.ord = "K";
	decide(true, true);
	clean();
	assert_string_equal(t.merged.ord, "K");
	ours.ord = "W";
	theirs.ord = "V";
	decide(true, true);
	clean();
	assert_string_equal(t.merged.ord, "W");
	theirs.ord = "W";
	theirs.title = "Title";
	decide(true, true);
	clean();
}

/* ---- added or deleted ---- */

static void
an_unchanged_version_is_not_read(void **state)
{
	(void)state;
	ours.title = "Ours";
	t = (struct three_way){ .db = f->db, .arena = f->arena, .base = &base, .ours = &ours, .theirs = &theirs };
	store(&base);
	store(&ours);
	theirs.branch = base.branch;
	theirs.since = base.since;
	theirs.title = "not looked at";
	three_way(&t);
	clean();
	assert_string_equal(t.merged.title, "Ours");
	assert_string_equal(front_of(&t.merged), front_of(&base));
	assert_false(t.by_field);
}

static void
a_new_page_is_added(void **state)
{
	(void)state;
	decide(false, false);
	clean();
	assert_string_equal(t.merged.title, "Title");
	assert_string_equal(front_of(&t.merged), front_of(&base));
}

static void
different_additions_conflict(void **state)
{
	(void)state;
	decide(false, true);
	clean();
	theirs.slug = "theirs";
	decide(false, true);
	clashes("added");
	assert_string_equal(t.clash->ours, "page");
	assert_string_equal(t.clash->theirs, "theirs");
	/* The bytes before the body count as well. */
	theirs.slug = "page";
	theirs.front = FRONT("1", "2", "3", "4", "6");
	decide(false, true);
	clashes("added");
}

static void
a_deletion_by_theirs_conflicts_with_edits(void **state)
{
	(void)state;
	ours.title = "Ours";
	decide(true, false);
	clashes("deleted");
	assert_string_equal(t.clash->base, "Title");
	assert_string_equal(t.clash->ours, "Ours");
	assert_null(t.clash->theirs);
	assert_true(t.present);
	/* A row that equals its origin was restored by an update: it does not prevent the deletion. */
	ours.title = base.title;
	decide(true, false);
	assert_null(t.clash);
	assert_false(t.present);
}

static void
a_deletion_by_ours_conflicts_with_edits(void **state)
{
	(void)state;
	ours.kind = NODE_GONE;
	decide(true, true);
	assert_null(t.clash);
	assert_false(t.present);
	decide(true, false);
	assert_null(t.clash);
	assert_false(t.present);
	theirs.title = "Theirs";
	decide(true, true);
	clashes("deleted");
	assert_string_equal(t.clash->theirs, "Theirs");
	assert_string_equal(t.clash->title, "Theirs");
	assert_false(t.present);
	theirs.title = "Title";
	theirs.front = FRONT("1", "2", "3", "4", "6");
	decide(true, true);
	clashes("deleted");
	/* A tombstone without an origin never deletes: the tree decides whether there is a place for the page. */
	theirs = base;
	decide(false, true);
	assert_null(t.clash);
	assert_true(t.present);
	assert_true(node_same(&theirs, &t.merged));
}

/* Every visible field makes two versions different. */
static void
every_visible_field_counts(void **state)
{
	static const char *const other[] = { "x", NULL };
	struct node n;
	size_t i;

	(void)state;
	assert_true(node_same(&base, &ours));
	for (i = 0; i < 2; i++) {
		n = base, n.path = other[i];
		assert_false(node_same(&base, &n));
		assert_false(node_same(&n, &base));
		n = base, n.git_path = other[i];
		assert_false(node_same(&base, &n));
	}
	n = base, n.kind = NODE_GROUP;
	assert_false(node_same(&base, &n));
	n = base, n.parent = "x";
	assert_false(node_same(&base, &n));
	n = base, n.ord = "x";
	assert_false(node_same(&base, &n));
	n = base, n.slug = "x";
	assert_false(node_same(&base, &n));
	n = base, n.title = "x";
	assert_false(node_same(&base, &n));
	n = base, n.props = "x";
	assert_false(node_same(&base, &n));
	n = base, n.body = put("x");
	assert_false(node_same(&base, &n));
	n = base, n.refs = put("x");
	assert_false(node_same(&base, &n));
	n = base, n.path = NULL;
	ours.path = NULL;
	assert_true(node_same(&ours, &n));
}

/* ---- a row that equals its origin keeps its position in the request's tree ---- */

static void
a_restored_row_keeps_its_position(void **state)
{
	(void)state;
	theirs.title = "Theirs";
	theirs.ord = "K";
	decide(true, true);
	assert_true(t.by_field);
	assert_string_equal(t.merged.title, "Theirs");
	theirs.ord = "V";
	decide(true, true);
	clean();
	theirs.parent = "other";
	decide(true, true);
	clashes("position");
	assert_string_equal(t.clash->ours, "");
	assert_string_equal(t.clash->theirs, "other");
	assert_string_equal(t.merged.parent, "");
	theirs.parent = "";
	theirs.slug = "theirs";
	decide(true, true);
	clashes("path");
	assert_string_equal(t.clash->ours, "page");
	assert_string_equal(t.clash->theirs, "theirs");
	theirs.slug = "page";
	theirs.path = "there";
	decide(true, true);
	clashes("path");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(the_front_of_theirs_is_taken), CASE(the_front_of_ours_is_kept),
		CASE(fronts_of_both_are_merged), CASE(one_line_of_both_fronts_conflicts),
		CASE(a_front_alone_is_taken), CASE(bodies_of_both_are_merged), CASE(links_of_theirs_are_taken),
		CASE(links_of_ours_are_kept), CASE(the_body_of_theirs_is_taken), CASE(the_body_of_ours_is_kept),
		CASE(one_line_of_both_conflicts), CASE(files_of_both_conflict), CASE(equal_files_do_not_conflict),
		CASE(names_of_theirs_are_taken), CASE(names_of_ours_are_kept), CASE(two_titles_conflict),
		CASE(equal_titles_do_not_conflict), CASE(different_properties_are_merged),
		CASE(one_property_of_both_conflicts), CASE(two_kinds_conflict), CASE(the_parent_of_theirs_is_taken),
		CASE(the_parent_of_ours_is_kept), CASE(two_parents_conflict), CASE(the_order_of_one_side_is_taken),
		CASE(an_unchanged_version_is_not_read), CASE(a_new_page_is_added),
		CASE(different_additions_conflict), CASE(a_deletion_by_theirs_conflicts_with_edits),
		CASE(a_deletion_by_ours_conflicts_with_edits), CASE(every_visible_field_counts),
		CASE(a_restored_row_keeps_its_position),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
