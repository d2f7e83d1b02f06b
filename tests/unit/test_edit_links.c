/*
 * Links of a page are resolved before the transaction that writes it. Inside it no link is looked
 * up if nothing that it depends on has moved, otherwise few; the stored result is the same as
 * without preparation.
 */
#include "ahead_fixture.h"
#include "seed_fixture.h"

#include "base/sort.h"

/*
 * The maximum number of look-ups of a batch inside the transaction; each may take two queries, for
 * NAME.md and NAME/README.md.
 */
enum { LOOK_UPS = 2000, MANY = 3000 };

/* A body with n different links, to a page that exists and to pages that do not. */
static struct str
many_links(struct fixture *f, int n, const char *to, const char *more)
{
	struct buf b;
	int i;

	buf_init(&b, f->arena, 64 << 20);
	for (i = 0; i < n; i++)
		buf_printf(&b, i % 2 == 0 ? "[l](%s%d.md%s)\n" : "[l](../b.md?%s%d%s)\n", to, i, more);
	return buf_view(&b);
}

static cJSON *
change_of(struct fixture *f, const char *json, struct str markdown)
{
	cJSON *list = parse_json(f, json), *last = cJSON_GetArrayItem(list, cJSON_GetArraySize(list) - 1);

	cJSON_AddStringToObject(cJSON_AddObjectToObject(last, "document"), "markdown", markdown.p);
	return list;
}

/* Number of look-ups inside the transaction, which parses no body. */
static size_t
lookups_inside(struct fixture *f, int64_t request, const cJSON *changes)
{
	struct edit_ahead *ahead = prepare(f, request, changes);
	struct applied out = try_apply(f, request, changes, ahead);

	assert_non_null(ahead);
	if (out.why != NULL)
		fail_msg("%s", out.why);
	assert_int_equal(out.parsed, 0);
	return out.lookups_inside;
}

/*
 * The page is updated, inserted, moved by the same change, or put below another page of the batch:
 * no link is looked up inside the transaction.
 */
static void
links_are_resolved_before_the_transaction(void **state)
{
	static const char *const batches[] = {
		"[{'operation':'update_page','page':'d'}]",
		"[{'operation':'update_page','page':'d','into':null,'slug':'elsewhere'}]",
		"[{'operation':'insert_page','title':'New page'}]",
		"[{'operation':'insert_page','title':'c','into':'a'}]",
		"[{'operation':'insert_page','ref':'up','title':'Up','document':{'markdown':'Up.'}},"
		 "{'operation':'insert_page','into':'up','title':'Below'}]",
		"[{'operation':'insert_page','title':'Beside','document':{'markdown':'Beside.'}},"
		 "{'operation':'delete_page','page':'a'},{'operation':'update_page','page':'b'}]" };
	struct fixture *f = *state;
	int64_t request;
	size_t i;

	for (i = 0; i < sizeof(batches) / sizeof(*batches); i++) {
		space_with(f, STR("Some text.\n"));
		request = request_open(f);
		if (lookups_inside(f, request, change_of(f, batches[i], many_links(f, MANY, "no/page", ""))) != 0)
			fail_msg("%s", batches[i]);
	}
}

/* Page d of a request once had these links and is short now; returns the point at which it had them. */
static struct point
shortened(struct fixture *f, int64_t request, struct str links)
{
	struct point then;

	apply(f, request, update_of("d", links), NULL);
	then = head_of(f, request);
	apply(f, request, update_of("d", STR("Short.\n")), NULL);
	return then;
}

/* Reverting a page, or one of its blocks, to a revision with many links looks up none of them. */
static void
a_revert_resolves_no_links(void **state)
{
	struct fixture *f = *state;
	struct str text = many_links(f, MANY, "no/page", ""), refs;
	struct doc_block *blocks;
	struct point then, now;
	struct node d;
	int64_t request;
	size_t n;
	int i;

	space_with(f, STR("Some text.\n"));
	/* A changed block is named by its current key. */
	blocks = doc_blocks(f->arena, STR("Short.\n"), &n);
	assert_int_equal(n, 1);
	for (i = 0; i < 2; i++) {
		request = request_open(f);
		then = shortened(f, request, text);
		assert_int_equal(lookups_inside(f, request, parse_json(f, arena_printf(f->arena,
		    "[{'operation':'revert_page','page':'d','revision':'%s'%s}]", then.revision,
		    i == 0 ? "" : arena_printf(f->arena, ",'block':['%s']", blocks[0].key)))), 0);
		now = head_of(f, request);
		assert_true(node_get(f->db, f->arena, &now, "d", &d));
		assert_true(blob_get(f->db, f->arena, d.refs, &refs));
		assert_int_equal(link_map_read(f->arena, refs).n, MANY);
	}
}

static int
by_text(const void *x, const void *y)
{
	return strcmp(*(const char *const *)x, *(const char *const *)y);
}

/* The link map as text: new ids differ in each batch, and so does the order of spellings that contain them. */
static const char *
map_text(struct fixture *f, struct str refs)
{
	struct link_map m = link_map_read(f->arena, refs), one;
	const char **lines = arena_array(f->arena, m.n, sizeof(*lines)), *all = "";
	size_t i;

	for (i = 0; i < m.n; i++) {
		one = (struct link_map){ &m.list[i], 1, false };
		lines[i] = without_ids(f, link_map_json(f->arena, &one).p);
	}
	sort_list(lines, m.n, sizeof(*lines), by_text);
	for (i = 0; i < m.n; i++)
		all = arena_printf(f->arena, "%s%s", all, lines[i]);
	return all;
}

/* All pages of the request, sorted: path, title, body, link map. */
static const char *
all_pages(struct fixture *f, int64_t request)
{
	struct point p = head_of(f, request);
	size_t n, i;
	struct node *list = node_list(f->db, f->arena, &p, NODE_PAGES, &n);
	const char **lines = arena_array(f->arena, n, sizeof(*lines));
	struct str text, refs;
	struct buf b;

	for (i = 0; i < n; i++) {
		text = refs = STR("");
		blob_get(f->db, f->arena, list[i].body, &text);
		blob_get(f->db, f->arena, list[i].refs, &refs);
		lines[i] = without_ids(f, arena_printf(f->arena, "%s %s|%.*s|%s\n", page_path(f->db, f->arena, &p, &list[i]),
		    list[i].title, (int)text.n, text.p, map_text(f, refs)));
	}
	sort_list(lines, n, sizeof(*lines), by_text);
	buf_init(&b, f->arena, 1 << 20);
	for (i = 0; i < n; i++)
		buf_str(&b, lines[i]);
	return b.p;
}

/*
 * A batch that moves the targets of thousands of links resolves few of them inside the transaction;
 * the others are resolved when the page is read.
 */
static void
few_links_are_resolved_in_the_transaction(void **state)
{
	struct fixture *f = *state;
	struct str refs;
	struct point p;
	struct node n;
	struct applied out;
	int64_t request;
	cJSON *changes;

	space_with(f, STR("Some text.\n"));
	request = request_open(f);
	changes = change_of(f, "[{'operation':'update_page','page':'a','slug':'c'},{'operation':'update_page','page':'d'}]",
	    many_links(f, MANY * 2, "d#", ""));
	out = try_apply(f, request, changes, prepare(f, request, changes));
	assert_null(out.why);
	assert_in_range(out.lookups_inside, 1, LOOK_UPS * 2);
	p = head_of(f, request);
	assert_true(node_get(f->db, f->arena, &p, "d", &n));
	assert_true(blob_get(f->db, f->arena, n.refs, &refs));
	assert_true(link_map_read(f->arena, refs).n >= MANY * 2);
}

/*
 * A batch that moves something a large document depends on: it is prepared again, with the batch
 * applied, and nothing is parsed inside the transaction. A batch that writes it twice is not.
 */
static void
a_large_document_is_read_once_more(void **state)
{
	static const struct { const char *json; int times; } batches[] = {
		{ "[{'operation':'update_page','page':'b','slug':'c'},{'operation':'update_page','page':'d'}]", 1 },
		{ "[{'operation':'insert_page','title':'No','slug':'no','document':{'markdown':'No.'}},"
		  "{'operation':'insert_page','title':'Page','slug':'page0','into':'a','document':{'markdown':'Page.'}},"
		  "{'operation':'update_page','page':'d'}]", 1 },
		{ "[{'operation':'update_page','page':'d','document':{'markdown':'[one](../b.md) first.'}},"
		  "{'operation':'update_page','page':'d'}]", 0 } };
	struct fixture *f = *state;
	int64_t one, two;
	size_t i;
	int times;

	for (i = 0; i < sizeof(batches) / sizeof(*batches); i++) {
		struct str text = many_links(f, 1000, i == 1 ? "page" : "no/page", "");
		struct applied out;
		cJSON *changes = change_of(f, batches[i].json, text);
		space_with(f, STR("See [a link](../b.md?0) and [l](page0.md).\n"));
		one = request_open(f);
		two = request_open(f);
		apply(f, one, changes, NULL);
		out = apply_waiting(f, two, changes, prepare(f, two, changes), &times);
		assert_null(out.why);
		if (times != batches[i].times)
			fail_msg("read %d times more: %s", times, batches[i].json);
		assert_int_equal(out.parsed, 0);
		assert_string_equal(all_pages(f, two), all_pages(f, one));
	}
}

/*
 * Targets found in an earlier transaction are checked again: another writer may have made the same
 * changes as the batch in between.
 */
static void
what_was_seen_before_is_asked_again(void **state)
{
	struct fixture *f = *state;
	cJSON *changes = change_of(f, "[{'operation':'update_page','page':'b','slug':'c'},{'operation':'update_page','page':'d'}]",
	    many_links(f, 1000, "no/page", ""));
	cJSON *other = parse_json(f, "[{'operation':'update_page','page':'b','slug':'c'},"
	    "{'operation':'insert_page','title':'b','document':{'markdown':'Another.'}}]");
	struct edit_ahead *ahead;
	struct applied out;
	int64_t one, two;
	int times;

	space_with(f, STR("See [a link](../b.md?0).\n"));
	one = request_open(f);
	two = request_open(f);
	ahead = prepare(f, two, changes);
	assert_true(apply_once(f, two, changes, ahead, true).waits);
	apply(f, one, other, NULL);
	apply(f, two, other, NULL);
	apply(f, one, changes, NULL);
	out = apply_waiting(f, two, changes, prepare_again(f, two, changes, ahead), &times);
	assert_null(out.why);
	assert_string_equal(all_pages(f, two), all_pages(f, one));
}

/* Applies the batch in a transaction that is rolled back, as it happens when comments have to be read first. */
static void
apply_in_vain(struct fixture *f, int64_t request, const cJSON *changes, struct edit_ahead *ahead)
{
	struct point before = head_of(f, request);
	struct edit e = { .db = f->db, .arena = f->arena, .dir = f->dir, .changes = changes, .request = &before, .ahead = ahead };

	e.now = revision_begin(f, request);
	edit_apply(&e);
	db_rollback(f->db);
}

/*
 * When a batch is applied again with the same preparation, targets found in the first transaction
 * are checked again in the second.
 */
static void
a_second_transaction_asks_again(void **state)
{
	struct fixture *f = *state;
	cJSON *changes = change_of(f, "[{'operation':'update_page','page':'b','slug':'c'},{'operation':'update_page','page':'d','into':null}]",
	    STR("A [link](/b).\n"));
	cJSON *other = parse_json(f, "[{'operation':'update_page','page':'b','slug':'c'},"
	    "{'operation':'insert_page','title':'b','document':{'markdown':'Another.'}}]");
	struct edit_ahead *ahead;
	struct link_map map;
	struct node d, b;
	struct point now;
	int64_t request;
	struct str refs;

	space_with(f, STR("Some text.\n"));
	request = request_open(f);
	ahead = prepare(f, request, changes);
	apply_in_vain(f, request, changes, ahead);
	apply(f, request, other, NULL);
	apply(f, request, changes, ahead);
	now = head_of(f, request);
	assert_true(node_get(f->db, f->arena, &now, "d", &d) && page_by_path(f->db, f->arena, &now, "b", &b));
	assert_true(blob_get(f->db, f->arena, d.refs, &refs));
	map = link_map_read(f->arena, refs);
	assert_int_equal(map.n, 1);
	assert_string_equal(map.list[0].ref.id, b.id);
}

/* Applies the batch to both requests, to the second one with a preparation: the results must be equal. */
static void
written_alike(struct fixture *f, int64_t one, int64_t two, const cJSON *changes)
{
	apply(f, one, changes, NULL);
	apply(f, two, changes, prepare(f, two, changes));
	if (strcmp(all_pages(f, two), all_pages(f, one)) != 0)
		fail_msg("%s\nnot ahead: %s\nahead: %s", cJSON_PrintUnformatted(changes), all_pages(f, one), all_pages(f, two));
}

/*
 * A page with its own path is also found by slugs, and so are all pages below it, unless another
 * page has such a path.
 */
static void
a_page_with_a_path_is_found_by_slugs(void **state)
{
	static const char *const batches[] = {
		/*
		 * The page is added, deleted and moved: "g/c" resolves to c before and to nothing
		 * after, or the other way round.
		 */
		"[{'operation':'insert_page','title':'g','slug':'g','document':{'markdown':'G.'}},{'operation':'update_page','page':'d'}]",
		"[{'operation':'update_page','page':'e','slug':'g'},{'operation':'update_page','page':'d'}]",
		"[{'operation':'update_page','page':'e','slug':'e'},{'operation':'update_page','page':'d'}]",
		"[{'operation':'update_page','page':'e','slug':'g'},{'operation':'update_page','page':'d'}]",
		"[{'operation':'delete_page','page':'e'},{'operation':'update_page','page':'d'}]" };
	struct fixture *f = *state;
	struct str text = STR("One [l](/g/c), two [m](../g/c.md).\n");
	struct node g = page_node("own", "", "X");
	struct point now;
	int64_t one, two;
	size_t i;

	space_with(f, STR("Some text.\n"));
	now = revision_begin(f, f->branch);
	g.slug = "g";
	g.path = "docs/g";
	node_put(f->db, now.branch, now.seq, &g);
	main_page(f, &now, "c", "own", "V");
	main_page(f, &now, "e", "", "Y");
	db_commit(f->db);
	one = request_open(f);
	two = request_open(f);
	for (i = 0; i < sizeof(batches) / sizeof(*batches); i++) {
		/* Only to the first request: otherwise two pages would have that slug. */
		if (i == 1) {
			one = request_open(f);
			two = request_open(f);
		}
		written_alike(f, one, two, change_of(f, batches[i], text));
	}
}

/*
 * Links resolved by a redirect: the batch restores the page, or the rest of the path is searched
 * below its current path.
 */
static void
links_by_redirects_follow_the_batch(void **state)
{
	static const char *const batches[] = {
		"[{'operation':'revert_page','page':'c'},{'operation':'update_page','page':'d'}]",
		"[{'operation':'delete_page','page':'e'},{'operation':'update_page','page':'d'}]",
		"[{'operation':'revert_page','page':'e'},{'operation':'revert_page','page':'c'},{'operation':'update_page','page':'d'}]" };
	struct fixture *f = *state;
	struct str text = STR("One [l](/e/c), two [m](/e), three [n](../e/c.md).\n");
	struct point now;
	int64_t one, two;
	size_t i;

	space_with(f, STR("Some text.\n"));
	now = revision_begin(f, f->branch);
	main_page(f, &now, "e", "", "Y");
	main_page(f, &now, "c", "e", "V");
	db_commit(f->db);
	one = request_open(f);
	assert_null(change(f, one, "{'operation':'update_page','page':'e','slug':'x'}"));
	assert_null(merge_request(f, one).clashes);
	one = request_open(f);
	two = request_open(f);
	assert_null(change(f, one, "{'operation':'delete_page','page':'c'}"));
	assert_null(change(f, two, "{'operation':'delete_page','page':'c'}"));
	for (i = 0; i < sizeof(batches) / sizeof(*batches); i++) {
		written_alike(f, one, two, change_of(f, batches[i], text));
	}
}

/*
 * The keys of dependencies take memory: beyond a limit all links are resolved again after any move,
 * with the same result.
 */
static void
keys_are_bounded(void **state)
{
	struct fixture *f = *state;
	struct edit e = { .db = f->db, .arena = f->arena, .dir = f->dir, .keys_most = 10 };
	cJSON *changes = parse_json(f, arena_printf(f->arena, "[{'operation':'update_page','page':'b','slug':'c'},{'operation':'update_page','page':'d',"
	    "'document':{'markdown':'[x](../c.md) [y](../b.md) [z](d.md)%*s'}}]", EDIT_AHEAD_MIN, "x"));
	struct edit_ahead *ahead;
	struct applied out;
	struct point head;
	int64_t one, two;

	space_with(f, STR("Some text.\n"));
	one = request_open(f);
	two = request_open(f);
	e.changes = changes;
	e.now = head = head_of(f, two);
	e.request = &head;
	db_begin(f->db, false);
	ahead = edit_prepare(&e);
	db_rollback(f->db);
	assert_true(e.keys > e.keys_most);
	apply(f, one, changes, NULL);
	/* Nor is it prepared again: it would have as many keys again. */
	out = apply_once(f, two, changes, ahead, true);
	assert_null(out.why);
	assert_false(out.waits);
	assert_string_equal(all_pages(f, two), all_pages(f, one));
}

/* ---- random batches ---- */

/* Never README.md: of two new pages with one order key, the random ids decide which one is first. */
static const char *
any_link(struct rnd *r)
{
	static const char *const links[] = { "../b.md", "b.md", "d.md", "a/d.md", "/a/d", "/b", "/pages/b", "/pages/d#x", "x.md", "../x.md",
		"x/README.md", "/x", "x/y.md", "./one.md", "two", "c.md", "../c.md", "/c/d", "/c/x", "y.md" };

	return links[rnd(r, sizeof(links) / sizeof(*links))];
}

static const char *
any_page(struct rnd *r)
{
	static const char *const pages[] = { "a", "b", "d" };

	return pages[rnd(r, 3)];
}

/* A random document with some links, made of the same few sentences. */
static const char *
any_document(struct fixture *f, struct rnd *r)
{
	/* Some are too large to be parsed inside the transaction. */
	return arena_printf(f->arena, "'document':{'markdown':'One [l](%s) and [m](%s).\\n\\nTwo [n](%s).\\n%*s'}", any_link(r), any_link(r),
	    any_link(r), rnd(r, 4) == 0 ? EDIT_AHEAD_MIN : 1, "x");
}

static const char *
any_change(struct fixture *f, struct rnd *r, const char *ref, const char *revision)
{
	static const char *const slugs[] = { "c", "x", "y", "b" };
	const char *slug = slugs[rnd(r, 4)], *page = any_page(r);

	switch (rnd(r, 8)) {
	case 0:  return arena_printf(f->arena, "{'operation':'insert_page','ref':'%s','title':'%s',%s}", ref, slug, any_document(f, r));
	case 1:  return arena_printf(f->arena, "{'operation':'insert_page','title':'%s','into':'%s',%s}", slug, rnd(r, 2) ? "one" : any_page(r),
	             any_document(f, r));
	case 2:  return arena_printf(f->arena, "{'operation':'update_page','page':'%s','slug':'%s',%s}", page, slug, any_document(f, r));
	case 3:  return arena_printf(f->arena, "{'operation':'update_page','page':'%s','slug':'%s'}", page, slug);
	case 4:  return arena_printf(f->arena, "{'operation':'update_page','page':'%s','into':%s}", page, rnd(r, 2) ? "null" : "'b'");
	case 5:  return rnd(r, 3) ? "{'operation':'update_page','page':'b','at':0}" : arena_printf(f->arena, "{'operation':'delete_page','page':'%s'}", page);
	case 6:  return arena_printf(f->arena, "{'operation':'revert_page','page':'%s','revision':'%s'}", page, revision);
	default: return arena_printf(f->arena, "{'operation':'update_page','page':'%s',%s}", page, any_document(f, r));
	}
}

static cJSON *
any_batch(struct fixture *f, struct rnd *r, const char *revision)
{
	const char *json = "";
	int i, n = 1 + (int)rnd(r, 4);

	for (i = 0; i < n; i++)
		json = arena_printf(f->arena, "%s%s%s", json, i == 0 ? "" : ",", any_change(f, r, i < 2 ? "one" : "two", revision));
	return parse_json(f, arena_printf(f->arena, "[%s]", json));
}

/*
 * Applies the same batches to two requests, to one of them after a preparation with writes of
 * another writer in between: the results must be equal.
 */
static bool
same_again(struct fixture *f, uint64_t seed)
{
	struct rnd r = { seed };
	struct edit_ahead *ahead;
	struct applied x, y;
	struct point main;
	int64_t one, two;
	cJSON *batch, *other;
	int i, times;

	space_with(f, STR("One [l](../b.md).\n\nTwo [n](d.md).\n"));
	main = head_of(f, f->branch);
	one = request_open(f);
	two = request_open(f);
	for (i = 0; i < 3; i++) {
		other = any_batch(f, &r, main.revision);
		batch = any_batch(f, &r, main.revision);
		ahead = prepare(f, two, batch);
		if (ahead != NULL && rnd(&r, 2) == 0)
			apply_in_vain(f, two, batch, ahead);
		try_apply(f, one, other, NULL);
		try_apply(f, two, other, NULL);
		x = try_apply(f, one, batch, NULL);
		y = apply_waiting(f, two, batch, ahead, &times);
		if ((x.why == NULL) != (y.why == NULL) || strcmp(all_pages(f, one), all_pages(f, two)) != 0) {
			print_error("seed %llu, batch %d: %s\nnot ahead: %s\n%s\nahead: %s\n%s\n", (unsigned long long)seed, i,
			    cJSON_Print(batch), x.why == NULL ? "" : x.why, all_pages(f, one), y.why == NULL ? "" : y.why, all_pages(f, two));
			return false;
		}
	}
	return true;
}

static void
random_batches_give_the_same_links(void **state)
{
	struct fixture *f = *state;
	struct arena *all = f->arena;
	uint64_t seed, end = seeds(200, &seed);
	bool ok = true;

	for (; seed < end && ok; seed++) {
		/* A separate arena for each history, so that thousands take the memory of one. */
		f->arena = arena_new((size_t)256 << 20);
		ok = same_again(f, seed);
		json_arena(NULL);
		arena_free(f->arena);
	}
	f->arena = all;
	assert_true(ok);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(links_are_resolved_before_the_transaction),
	cmocka_unit_test(a_revert_resolves_no_links), cmocka_unit_test(few_links_are_resolved_in_the_transaction),
		cmocka_unit_test(a_large_document_is_read_once_more), cmocka_unit_test(keys_are_bounded),
		cmocka_unit_test(what_was_seen_before_is_asked_again),
		cmocka_unit_test(a_second_transaction_asks_again), cmocka_unit_test(a_page_with_a_path_is_found_by_slugs),
		cmocka_unit_test(links_by_redirects_follow_the_batch),
		cmocka_unit_test(random_batches_give_the_same_links) };

	return cmocka_run_group_tests(tests, db_setup, db_teardown);
}
