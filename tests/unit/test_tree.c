/*
 * The page tree stays valid: never deeper than PAGE_DEPTH, and each path belongs to one page, for
 * all writes, merges and updates, whatever is below a moved page.
 */
#include "change_fixture.h"

#include "store/order.h"

/* Writes `name`0 below `parent`, and each further page below the one before. */
static void
chain(struct fixture *f, const struct point *now, const char *name, int levels, const char *parent)
{
	int i;

	for (i = 0; i < levels; i++) {
		const char *id = arena_printf(f->arena, "%s%d", name, i);
		main_page(f, now, id, parent, "V");
		parent = id;
	}
}

static size_t
pages_in(const struct page *first)
{
	size_t n = 0;

	for (; first != NULL; first = first->next)
		n += 1 + pages_in(first->first);
	return n;
}

/* The tree that readers get must contain every page. */
static void
all_shown(struct fixture *f, int64_t branch)
{
	struct point p = head_of(f, branch);
	size_t n;
	struct page *first = page_tree(f->db, f->arena, &p, &n);

	assert_int_equal(pages_in(first), n);
}

/* The chains a (50 levels), x (30) and s (60), side by side. */
static void
three_trees(struct fixture *f)
{
	struct point now;

	new_space(f);
	now = revision_begin(f, f->branch);
	chain(f, &now, "a", 50, "");
	chain(f, &now, "x", 30, "");
	chain(f, &now, "s", 60, "");
	db_commit(f->db);
}

#define MOVE "{'operation':'update_page','page':'%s','into':'%s'}"
#define TO_TOP "{'operation':'update_page','page':'%s','into':null}"

static void
a_move_that_is_too_deep_is_refused(void **state)
{
	struct fixture *f = *state;
	int64_t r;

	three_trees(f);
	r = request_open(f);
	/* Pages below move along: one level too many is refused, exactly the maximum is accepted. */
	assert_non_null(strstr(change(f, r, MOVE, "s0", "a40"), "100 levels"));
	assert_null(change(f, r, MOVE, "s0", "a39"));
	all_shown(f, r);
	assert_null(change(f, r, MOVE, "s0", "x29"));
	/* In two steps, each of which would be valid for the page that it names. */
	assert_non_null(strstr(change(f, r, MOVE, "x0", "a49"), "100 levels"));
	assert_non_null(strstr(change(f, r, MOVE "," MOVE, "x0", "a20", "x1", "a49"), "100 levels"));
	all_shown(f, r);
	assert_string_equal(clashes_text(f, merge_request(f, r).clashes), "");
	all_shown(f, f->branch);
}

/* Two requests, each of which could be merged alone. */
static void
merges_that_are_too_deep_conflict(void **state)
{
	struct fixture *f = *state;
	struct merge_outcome out;
	int64_t low, high, seq;

	three_trees(f);
	low = request_open(f);
	high = request_open(f);
	assert_null(change(f, low, MOVE, "s0", "x29"));
	assert_null(change(f, high, MOVE, "x0", "a49"));
	assert_string_equal(clashes_text(f, merge_request(f, high).clashes), "");
	seq = head_of(f, f->branch).seq;
	out = merge_request(f, low);
	assert_string_equal(clashes_text(f, out.clashes), "s0 depth");
	assert_int_equal(head_of(f, f->branch).seq, seq);
	out = update_request(f, low);
	assert_non_null(out.clashes);
	all_shown(f, low);
	/* The conflict remains until one of the two pages is moved. */
	assert_non_null(merge_request(f, low).clashes);
	assert_null(change(f, low, TO_TOP ",{'operation':'revert_page','page':'x0'}", "s0"));
	assert_string_equal(clashes_text(f, merge_request(f, low).clashes), "");
	all_shown(f, f->branch);
	assert_string_equal(children_text(f, f->branch, "a49"), "x0");
}

/* The same in the other order: the second merge moves the upper page. */
static void
a_merge_above_that_is_too_deep_conflicts(void **state)
{
	struct fixture *f = *state;
	int64_t low, high;

	three_trees(f);
	low = request_open(f);
	high = request_open(f);
	assert_null(change(f, low, MOVE, "s0", "x29"));
	assert_null(change(f, high, MOVE, "x0", "a49"));
	assert_string_equal(clashes_text(f, merge_request(f, low).clashes), "");
	assert_string_equal(clashes_text(f, merge_request(f, high).clashes), "x0 depth");
	assert_non_null(update_request(f, high).clashes);
	all_shown(f, high);
	all_shown(f, f->branch);
}

/* A page with its own path, as imports make them. */
static void
page_at_path(struct fixture *f, const struct point *now, const char *id, const char *path)
{
	struct node n = page_node(id, "", "k");

	n.path = path;
	node_put(f->db, now->branch, now->seq, &n);
}

static void
a_taken_address_conflicts(void **state)
{
	struct fixture *f = *state;
	struct point now, p;
	struct node n, other;
	int64_t r, late;

	new_space(f);
	now = revision_begin(f, f->branch);
	main_page(f, &now, "a", "", "V");
	main_page(f, &now, "x", "a", "V");
	main_page(f, &now, "c", "", "W");
	db_commit(f->db);
	late = request_open(f);
	assert_null(change(f, late, "{'operation':'update_page','page':'a','slug':'b'}"));
	now = revision_begin(f, f->branch);
	page_at_path(f, &now, "own", "b/x");
	db_commit(f->db);
	/* A renamed section gives its pages new paths, one of which another page has. */
	r = request_open(f);
	assert_non_null(strstr(change(f, r, "{'operation':'update_page','page':'a','slug':'b'}"), "path"));
	assert_null(change(f, r, "{'operation':'update_page','page':'a','slug':'d'}"));
	assert_string_equal(clashes_text(f, merge_request(f, late).clashes), "a path");
	assert_non_null(update_request(f, late).clashes);
	/* A page with its own path against one that gets the same path from slugs. */
	p = head_of(f, f->branch);
	n = page_node("new", "", "z");
	n.path = "a/x";
	assert_true(page_taken(f->db, f->arena, &p, &n, &other));
	assert_string_equal(other.id, "x");
	n.path = "a/y";
	assert_false(page_taken(f->db, f->arena, &p, &n, &other));
	/*
	 * A page with its own path does not block its slug; a look-up by the slug finds the page
	 * that has that path.
	 */
	now = revision_begin(f, f->branch);
	n = page_node("0first", "a", "A");
	n.slug = "x";
	n.path = "far/away";
	node_put(f->db, now.branch, now.seq, &n);
	db_commit(f->db);
	p = head_of(f, f->branch);
	assert_true(page_by_path(f->db, f->arena, &p, "a/x", &n));
	assert_string_equal(n.id, "x");
	assert_null(tree_fault(f->db, f->arena, NULL, &p, &n, &(const char *){ NULL }));
}

/* A page below a section conflicts only if it gets exactly the path of another page. */
static void
addresses_below_a_section_may_conflict(void **state)
{
	struct fixture *f = *state;
	struct point now, p;
	struct node n, other;

	new_space(f);
	now = revision_begin(f, f->branch);
	main_page(f, &now, "a", "", "V");
	main_page(f, &now, "x", "a", "V");
	main_page(f, &now, "deep", "x", "V");
	/* This page has its own path, wherever the section is. */
	n = page_node("y", "a", "W");
	n.path = "far/away";
	node_put(f->db, now.branch, now.seq, &n);
	page_at_path(f, &now, "none", "b/none");
	page_at_path(f, &now, "alias", "c/y");
	page_at_path(f, &now, "taken", "d/x/deep");
	page_at_path(f, &now, "longer", "ee/x");
	db_commit(f->db);
	p = head_of(f, f->branch);
	assert_true(node_get(f->db, f->arena, &p, "a", &n));
	n.slug = "b";
	assert_false(page_taken_below(f->db, f->arena, &p, &n, &other));
	n.slug = "c";
	assert_false(page_taken_below(f->db, f->arena, &p, &n, &other));
	n.slug = "d";
	assert_true(page_taken_below(f->db, f->arena, &p, &n, &other));
	assert_string_equal(other.id, "taken");
	n.slug = "e";
	assert_false(page_taken_below(f->db, f->arena, &p, &n, &other));
}

/* The fault of the page if it is written like n, or ""; *other as tree_fault() sets it. */
static const char *
fault_since(struct fixture *f, const struct point *was, const struct point *p, const struct node *n, const char **other)
{
	const char *fault = tree_fault(f->db, f->arena, was, p, n, other);

	return fault == NULL ? "" : fault;
}

/* The paths below a page are checked only if its own path has changed; otherwise only the page itself. */
static void
an_unchanged_address_does_not_conflict(void **state)
{
	static const char *const taken[] = { "a/x", "c/y", "d/y", "e/x" };
	struct fixture *f = *state;
	struct point was, now;
	struct node n;
	const char *other;

	new_space(f);
	was = revision_begin(f, f->branch);
	main_page(f, &was, "a", "", "V");
	main_page(f, &was, "x", "a", "V");
	page_at_path(f, &was, "b", "c");
	main_page(f, &was, "y", "b", "V");
	db_commit(f->db);
	now = revision_begin(f, f->branch);
	for (int i = 0; i < 4; i++)
		page_at_path(f, &now, arena_printf(f->arena, "own%d", i), taken[i]);
	db_commit(f->db);
	assert_true(node_get(f->db, f->arena, &now, "a", &n));
	assert_string_equal(fault_since(f, &was, &now, &n, &other), "");
	n.slug = "e";
	assert_string_equal(fault_since(f, &was, &now, &n, &other), "path");
	assert_string_equal(other, "own3");
	/* The page did not exist before, so no pages moved along. */
	assert_string_equal(fault_since(f, NULL, &now, &n, &other), "");
	n.slug = "a";
	n.path = "a";
	assert_string_equal(fault_since(f, &was, &now, &n, &other), "path");
	assert_true(node_get(f->db, f->arena, &now, "b", &n));
	assert_string_equal(fault_since(f, &was, &now, &n, &other), "");
	n.path = "d";
	assert_string_equal(fault_since(f, &was, &now, &n, &other), "path");
	assert_string_equal(other, "own2");
	n.path = NULL;
	n.slug = "c";
	assert_string_equal(fault_since(f, &was, &now, &n, &other), "path");
}

/* node_end() and node_end_older() return whether they ended a row. */
static void
the_end_of_a_row_is_known(void **state)
{
	struct fixture *f = *state;
	struct point now;

	new_space(f);
	now = revision_begin(f, f->branch);
	main_page(f, &now, "a", "", "V");
	/* The row begins with this very revision, so ending it would delete it: node_end_older() does not. */
	assert_false(node_end_older(f->db, f->branch, "a", now.seq));
	assert_true(node_end(f->db, f->branch, "a", now.seq));
	assert_false(node_end(f->db, f->branch, "a", now.seq));
	main_page(f, &now, "a", "", "V");
	db_commit(f->db);
	now = revision_begin(f, f->branch);
	assert_false(node_end_older(f->db, f->branch, "b", now.seq));
	assert_true(node_end_older(f->db, f->branch, "a", now.seq));
	assert_false(node_end(f->db, f->branch, "a", now.seq));
	db_rollback(f->db);
}

/* The keys before and after index `at` among the children of "a", or "end" if there are fewer children. */
static const char *
keys_at(struct fixture *f, int64_t branch, size_t at, const char *but)
{
	struct point p = head_of(f, branch);
	const char *before, *behind;

	if (!node_keys_at(f->db, f->arena, &p, "a", at, but, &before, &behind))
		return "end";
	return arena_printf(f->arena, "%s %s", before, behind);
}

/*
 * A position is between two keys: after all pages whose key equals that of the page before it, in
 * main and through a request.
 */
static void
a_place_is_between_two_keys(void **state)
{
	static const char *const in_main[] = { " V", "V W", "V W", "W ", "end" };
	static const char *const in_request[] = { " V", "V VV", "V VV", "VV W", "W X", "W X", "X ", "end" };
	struct fixture *f = *state;
	struct point now;
	int64_t request;
	size_t i;

	new_space(f);
	now = revision_begin(f, f->branch);
	main_page(f, &now, "a", "", "V");
	main_page(f, &now, "b", "a", "V");
	main_page(f, &now, "c", "a", "V");
	main_page(f, &now, "d", "a", "W");
	db_commit(f->db);
	request = request_open(f);
	now = revision_begin(f, request);
	main_page(f, &now, "m", "a", "VV");
	main_page(f, &now, "0", "a", "W");
	main_page(f, &now, "z", "a", "X");
	db_commit(f->db);
	for (i = 0; i < 5; i++)
		assert_string_equal(keys_at(f, f->branch, i, NULL), in_main[i]);
	for (i = 0; i < 8; i++)
		assert_string_equal(keys_at(f, request, i, NULL), in_request[i]);
	assert_string_equal(children_text(f, request, "a"), "b c m 0 d z");
	/* The page being moved is left out. */
	assert_string_equal(keys_at(f, f->branch, 1, "b"), "V W");
	assert_string_equal(keys_at(f, f->branch, 2, "d"), "V ");
	assert_string_equal(keys_at(f, request, 2, "m"), "V W");
	assert_string_equal(keys_at(f, request, 3, "d"), "VV W");
}

/* A page restored to its old position finds it among keys that were assigned again in between. */
static void
a_page_that_is_placed_again_finds_its_place(void **state)
{
	struct fixture *f = *state;
	char key[ORDER_KEY_LONG + 3] = "";
	struct point was, now;
	struct node n, low, high;

	memset(key, 'V', ORDER_KEY_LONG + 1);
	new_space(f);
	now = revision_begin(f, f->branch);
	main_page(f, &now, "p", "", arena_printf(f->arena, "%sA", key));
	main_page(f, &now, "x", "", arena_printf(f->arena, "%sE", key));
	main_page(f, &now, "z", "", arena_printf(f->arena, "%sY", key));
	db_commit(f->db);
	was = now;
	now = revision_begin(f, f->branch);
	node_end(f->db, f->branch, "x", now.seq);
	order_renumber(f->db, f->arena, &now, "");
	db_commit(f->db);
	assert_true(node_get(f->db, f->arena, &was, "x", &n));
	assert_true(node_get(f->db, f->arena, &now, "p", &low));
	assert_true(node_get(f->db, f->arena, &now, "z", &high));
	assert_true(strlen(low.ord) < ORDER_KEY_LONG && strlen(high.ord) < ORDER_KEY_LONG);
	order_restore_place(f->db, f->arena, &was, &now, &n);
	assert_true(strcmp(low.ord, n.ord) < 0 && strcmp(n.ord, high.ord) < 0);
	/* The same for the first page. */
	assert_true(node_get(f->db, f->arena, &was, "p", &n));
	order_restore_place(f->db, f->arena, &was, &now, &n);
	assert_true(strcmp(n.ord, high.ord) < 0 && strlen(n.ord) < ORDER_KEY_LONG);
	/* Among the keys of its own time it keeps its key. */
	assert_true(node_get(f->db, f->arena, &was, "x", &n));
	order_restore_place(f->db, f->arena, &was, &was, &n);
	assert_string_equal(n.ord, arena_printf(f->arena, "%sE", key));
}

/* Every node below a page is its child, even without a slug: link nodes may have none. */
static void
a_page_without_a_slug_is_a_child(void **state)
{
	struct fixture *f = *state;
	struct node n = page_node("link", "a", "L");
	struct point now;
	int64_t request;

	new_space(f);
	n.kind = NODE_LINK;
	n.slug = "";
	now = revision_begin(f, f->branch);
	main_page(f, &now, "a", "", "V");
	main_page(f, &now, "b", "a", "V");
	node_put(f->db, now.branch, now.seq, &n);
	db_commit(f->db);
	request = request_open(f);
	now = revision_begin(f, request);
	n.id = "own";
	node_put(f->db, now.branch, now.seq, &n);
	db_commit(f->db);
	assert_string_equal(children_text(f, f->branch, "a"), "link b");
	assert_string_equal(children_text(f, request, "a"), "link own b");
}

/*
 * A new page of main whose parent is deleted in the request and whose path is taken there: it is
 * hidden, and named as a conflict.
 */
static void
a_page_without_any_place_is_hidden_and_named(void **state)
{
	struct fixture *f = *state;
	struct point now, p;
	const char *other, *clashes;
	struct node n;
	int64_t r;

	new_space(f);
	now = revision_begin(f, f->branch);
	main_page(f, &now, "a", "", "V");
	db_commit(f->db);
	r = request_open(f);
	assert_null(change(f, r, "{'operation':'delete_page','page':'a'},"
	    "{'operation':'insert_page','title':'Q','document':{'markdown':'x'}}"));
	now = revision_begin(f, f->branch);
	n = page_node("y", "a", "V");
	n.path = "q";
	node_put(f->db, now.branch, now.seq, &n);
	db_commit(f->db);
	clashes = clashes_text(f, update_request(f, r).clashes);
	assert_non_null(strstr(clashes, "y parent"));
	assert_non_null(strstr(clashes, " path"));
	p = head_of(f, r);
	assert_false(node_get(f->db, f->arena, &p, "y", &n));
	assert_true(page_by_path(f->db, f->arena, &p, "q", &n));
	assert_null(tree_fault(f->db, f->arena, NULL, &p, &n, &other));
	assert_non_null(merge_request(f, r).clashes);
	assert_null(change(f, r, "{'operation':'delete_page','page':'a'}"));
	assert_null(merge_request(f, r).clashes);
}

/* Two pages below each other, as in the middle of a batch: computing the path stops one level beyond the maximum. */
static void
an_address_in_a_circle_ends(void **state)
{
	struct fixture *f = *state;
	struct point now;
	struct node n;
	const char *path, *p;
	int slashes = 0;

	new_space(f);
	now = revision_begin(f, f->branch);
	main_page(f, &now, "a", "b", "V");
	main_page(f, &now, "b", "a", "V");
	assert_true(node_get(f->db, f->arena, &now, "a", &n));
	path = page_path(f->db, f->arena, &now, &n);
	for (p = path; (p = strchr(p, '/')) != NULL; p++)
		slashes++;
	assert_int_equal(slashes, PAGE_DEPTH);
	assert_string_equal(strrchr(path, '/'), "/a");
	db_rollback(f->db);
}

/* Pages with equal titles get numbers; the next one is found without looking up all before it. */
static void
a_free_slug_is_found_in_few_steps(void **state)
{
	struct fixture *f = *state;
	const char *one = "{'operation':'insert_page','title':'Same','document':{'markdown':'x'}}";
	struct point p;
	struct node n;
	int64_t r;
	int i;

	new_space(f);
	r = request_open(f);
	for (i = 0; i < 40; i++)
		assert_null(change(f, r, "%s", one));
	p = head_of(f, r);
	assert_true(page_by_path(f->db, f->arena, &p, "same", &n));
	for (i = 1; i < 40; i++)
		assert_true(page_by_path(f->db, f->arena, &p, arena_printf(f->arena, "same-%d", i), &n));
	assert_false(page_by_path(f->db, f->arena, &p, "same-40", &n));
}

/* The fault of a page with this id and parent at the newest revision of main; "": none. */
static const char *
fault_of(struct fixture *f, const char *id, const char *parent, const char **other)
{
	struct point p = head_of(f, f->branch);
	struct node n = page_node(id, parent, "K");
	const char *fault = tree_fault(f->db, f->arena, NULL, &p, &n, other);

	return fault == NULL ? "" : fault;
}

/* Each fault is reported by its name and the other page; and the number of levels down to a page. */
static void
each_fault_of_a_tree_is_named(void **state)
{
	struct fixture *f = *state;
	struct node file = page_node("file", "", "F"), link = page_node("link", "", "L"), top;
	const char *other;
	struct point now;

	new_space(f);
	now = revision_begin(f, f->branch);
	chain(f, &now, "a", 100, "");
	main_page(f, &now, "twin", "", "T");
	file.kind = NODE_FILE;
	node_put(f->db, now.branch, now.seq, &file);
	link.kind = NODE_LINK;
	node_put(f->db, now.branch, now.seq, &link);
	main_page(f, &now, "round", "trip", "R");
	main_page(f, &now, "trip", "round", "R");
	db_commit(f->db);
	/* At the maximum depth the subtree contains all pages. */
	now = head_of(f, f->branch);
	assert_true(node_get(f->db, f->arena, &now, "a0", &top));
	assert_int_equal(pages_in(page_subtree(f->db, f->arena, &now, &top)), 100);
	assert_string_equal(fault_of(f, "x", "", &other), "");
	assert_null(other);
	assert_string_equal(fault_of(f, "x", "nobody", &other), "parent");
	assert_string_equal(other, "nobody");
	assert_string_equal(fault_of(f, "x", "file", &other), "parent");
	assert_string_equal(other, "file");
	assert_string_equal(fault_of(f, "x", "x", &other), "cycle");
	assert_string_equal(fault_of(f, "round", "trip", &other), "cycle");
	assert_string_equal(fault_of(f, "x", "round", &other), "cycle");
	assert_string_equal(fault_of(f, "x", "a98", &other), "");
	assert_string_equal(fault_of(f, "x", "a99", &other), "depth");
	assert_string_equal(fault_of(f, "twin", "", &other), "");
	link = page_node("other", "", "K");
	link.slug = "twin";
	now = head_of(f, f->branch);
	assert_string_equal(tree_fault(f->db, f->arena, NULL, &now, &link, &other), "path");
	assert_string_equal(other, "twin");
	link.kind = NODE_LINK;
	assert_null(tree_fault(f->db, f->arena, NULL, &now, &link, &other));
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(a_move_that_is_too_deep_is_refused),
	cmocka_unit_test(merges_that_are_too_deep_conflict),
		cmocka_unit_test(a_merge_above_that_is_too_deep_conflicts), cmocka_unit_test(a_taken_address_conflicts),
		cmocka_unit_test(addresses_below_a_section_may_conflict),
		cmocka_unit_test(an_unchanged_address_does_not_conflict), cmocka_unit_test(the_end_of_a_row_is_known),
		cmocka_unit_test(a_place_is_between_two_keys),
		cmocka_unit_test(a_page_without_a_slug_is_a_child), cmocka_unit_test(a_page_that_is_placed_again_finds_its_place),
		cmocka_unit_test(a_page_without_any_place_is_hidden_and_named),
		cmocka_unit_test(a_free_slug_is_found_in_few_steps), cmocka_unit_test(an_address_in_a_circle_ends),
		cmocka_unit_test(each_fault_of_a_tree_is_named) };

	return cmocka_run_group_tests(tests, db_setup, db_teardown);
}
