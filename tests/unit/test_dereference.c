/*
 * Reusable contents are inserted into the documents that use them: once, twice, inside each other,
 * in a circle, and deeper than documents may go.
 */
#include "page_fixture.h"

#include <cjson/cJSON.h>

#include "base/buf.h"

#define INCLUDE(id) "{% include \"/reusable-contents/" id "\" %}\n\n"

static void
write_reusable(struct writing *w, const char *id, const char *body)
{
	struct arena *a = w->f->arena;
	struct node n = { .id = id, .kind = NODE_REUSABLE, .parent = "", .ord = "", .slug = "", .title = id,
		.props = "{}", .origin = -1, .at = 1, .made = 1 };
	struct point p = { .space = w->space, .branch = w->branch, .seq = w->seq };
	struct resolver r;
	struct str refs;

	n.body = blob_put(w->f->db, a, str_of(body));
	/* The row is written first, so that a content can refer to itself. */
	node_put(w->f->db, w->branch, w->seq, &n);
	resolver_at(&r, a, w->f->db, &p, &n);
	refs = link_map_make(a, str_of(body), &r, NULL, NULL);
	n.refs = refs.n == 0 ? (struct str){ NULL, 0 } : blob_put(w->f->db, a, refs);
	node_put(w->f->db, w->branch, w->seq, &n);
}

/* ---- text form of a document ---- */

struct told {
	struct buf  text;       /* words of paragraphs, "#anchor" for headings, "@" for references, each followed by a space */
	const char *keys[1000];
	size_t      n;
};

static void
tell(struct told *t, const cJSON *node)
{
	const cJSON *item, *v = cJSON_GetObjectItemCaseSensitive(node, "type");

	if (cJSON_IsString(v) && strcmp(v->valuestring, "reusable-content") == 0)
		buf_str(&t->text, "@ ");
	v = cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(node, "meta"), "id");
	if (cJSON_IsString(v))
		buf_printf(&t->text, "#%s ", v->valuestring);
	v = cJSON_GetObjectItemCaseSensitive(node, "key");
	if (cJSON_IsString(v))
		t->keys[t->n++] = v->valuestring;
	v = cJSON_GetObjectItemCaseSensitive(node, "text");
	if (cJSON_IsString(v) && strncmp(v->valuestring, "Same", 4) != 0)
		buf_printf(&t->text, "%s ", v->valuestring);
	cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(node, "leaves"))
		tell(t, item);
	cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(node, "nodes"))
		tell(t, item);
	cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(node, "fragments"))
		tell(t, item);
}

/* The node's document with all contents inserted must read so; no two blocks may share a key. */
static void
expect(struct fixture *f, const char *id, const char *text)
{
	struct told t = { .n = 0 };
	struct point p;
	struct node n;
	struct str json;
	size_t i, k;

	assert_true(point_head(f->db, f->arena, f->branch, &p));
	assert_true(node_get(f->db, f->arena, &p, id, &n));
	json = document_dereferenced(f->db, f->arena, &p, id, document_of(f->db, f->arena, &p, &n).json);
	buf_init(&t.text, f->arena, 1 << 20);
	buf_str(&t.text, "");
	tell(&t, cJSON_ParseWithLength(json.p, json.n));
	assert_string_equal(t.text.p, text);
	for (i = 0; i < t.n; i++)
		for (k = 0; k < i; k++)
			assert_string_not_equal(t.keys[i], t.keys[k]);
}

/* ---- cases ---- */

static void
content_that_is_used_twice_has_own_keys(void **state)
{
	struct fixture *f = *state;
	struct writing w = write_begin(f, f->space, f->branch);

	write_reusable(&w, "r", "## Same\n\nWords.\n\n## Other\n");
	write_page(&w, "once", "T", "{}", "First.\n\n" INCLUDE("r") "Last.\n");
	write_page(&w, "twice", "T", "{}", "## Same\n\n" INCLUDE("r") INCLUDE("r") "## Same\n");
	write_page(&w, "none", "T", "{}", "Nothing.\n");
	write_end(&w);
	expect(f, "none", "Nothing. ");
	expect(f, "once", "First. #same Words. #other Other Last. ");
	/* The page's own headings keep their anchors, whatever is inserted between them. */
	expect(f, "twice", "#same #same-2 Words. #other Other #same-3 Words. #other-1 Other #same-1 ");
}

/* Also in table cells, which are stored as fragments outside of the node list. */
static void
fragments_of_cells_are_dereferenced(void **state)
{
	struct fixture *f = *state;
	struct writing w = write_begin(f, f->space, f->branch);
	struct told t = { .n = 0 };
	cJSON *reference, *table;
	struct point p;
	struct node n;
	struct str json;

	write_reusable(&w, "r", "## Same\n\nWords.\n");
	write_page(&w, "page", "T", "{}", INCLUDE("r"));
	write_end(&w);
	assert_true(point_head(f->db, f->arena, f->branch, &p));
	assert_true(node_get(f->db, f->arena, &p, "page", &n));
	json = document_of(f->db, f->arena, &p, &n).json;
	reference = cJSON_DetachItemFromArray(cJSON_GetObjectItemCaseSensitive(cJSON_ParseWithLength(json.p, json.n), "nodes"), 0);
	table = cJSON_Parse("{\"nodes\":[{\"type\":\"table\",\"fragments\":[{\"nodes\":[]}]}]}");
	cJSON_AddItemToArray(cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(
	    cJSON_GetObjectItemCaseSensitive(table, "nodes")->child, "fragments")->child, "nodes"), reference);
	json = document_dereferenced(f->db, f->arena, &p, "page", str_of(cJSON_PrintUnformatted(table)));
	buf_init(&t.text, f->arena, 1 << 20);
	tell(&t, cJSON_ParseWithLength(json.p, json.n));
	assert_string_equal(t.text.p, "#same Words. ");
}

static void
nested_content_is_dereferenced(void **state)
{
	struct fixture *f = *state;
	struct writing w = write_begin(f, f->space, f->branch);

	write_reusable(&w, "in", "## Same\n\nWords.\n");
	write_reusable(&w, "out", "## Same\n\n" INCLUDE("in") INCLUDE("in"));
	write_page(&w, "page", "T", "{}", INCLUDE("out") INCLUDE("in"));
	write_end(&w);
	expect(f, "page", "#same #same-1 Words. #same-2 Words. #same-3 Words. ");
}

/* A content that contains itself stays a reference at the inner place. */
static void
content_in_a_circle_stays_a_reference(void **state)
{
	struct fixture *f = *state;
	struct writing w = write_begin(f, f->space, f->branch);

	write_reusable(&w, "x", "Nothing yet.\n");
	write_reusable(&w, "self", "Self.\n\n" INCLUDE("self"));
	write_reusable(&w, "y", "Y.\n\n" INCLUDE("x"));
	write_reusable(&w, "x", "X.\n\n" INCLUDE("y"));
	write_page(&w, "page", "T", "{}", INCLUDE("self") INCLUDE("x") INCLUDE("y"));
	write_end(&w);
	expect(f, "page", "Self. @ X. Y. @ Y. X. @ ");
	expect(f, "self", "Self. @ ");
	expect(f, "x", "X. Y. @ ");
}

/* Contents are inserted up to seven levels deep. */
static void
the_eighth_level_stays_a_reference(void **state)
{
	struct fixture *f = *state;
	struct writing w = write_begin(f, f->space, f->branch);
	int i;

	write_reusable(&w, "c9", "c9\n");
	for (i = 8; i >= 0; i--)
		write_reusable(&w, arena_printf(f->arena, "c%d", i), arena_printf(f->arena,
		    "c%d\n\n{%% include \"/reusable-contents/c%d\" %%}\n", i, i + 1));
	write_page(&w, "page", "T", "{}", INCLUDE("c0"));
	write_page(&w, "lower", "T", "{}", INCLUDE("c3"));
	write_end(&w);
	expect(f, "page", "c0 c1 c2 c3 c4 c5 c6 @ ");
	expect(f, "lower", "c3 c4 c5 c6 c7 c8 c9 ");
}

/* Contents that contain each other ten times are inserted until the limit of the document's size is reached. */
static void
a_document_is_filled_up_to_its_limit(void **state)
{
	struct fixture *f = *state;
	struct writing w = write_begin(f, f->space, f->branch);
	struct point p;
	struct node n;
	struct buf b;
	struct str json;
	int i, k;

	write_reusable(&w, "d6", "Some words.\n");
	for (i = 5; i >= 0; i--) {
		buf_init(&b, f->arena, 1 << 16);
		for (k = 0; k < 10; k++)
			buf_printf(&b, "{%% include \"/reusable-contents/d%d\" %%}\n\n", i + 1);
		write_reusable(&w, arena_printf(f->arena, "d%d", i), b.p);
	}
	write_page(&w, "page", "T", "{}", INCLUDE("d0"));
	write_end(&w);
	assert_true(point_head(f->db, f->arena, f->branch, &p));
	assert_true(node_get(f->db, f->arena, &p, "page", &n));
	json = document_dereferenced(f->db, f->arena, &p, "page", document_of(f->db, f->arena, &p, &n).json);
	/* The limit is 8 MB, of which three count for the uses themselves: only the innermost content has text. */
	assert_in_range(json.n, 4900 * 1000, 5500 * 1000);
}

/* As in the programs, where cJSON allocates from the arena of the request or command. */
static int
setup_json(void **state)
{
	int rc = db_setup(state);

	json_arena(((struct fixture *)*state)->arena);
	return rc;
}

static int
teardown_json(void **state)
{
	json_arena(NULL);
	return db_teardown(state);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(content_that_is_used_twice_has_own_keys, setup_json, teardown_json),
		cmocka_unit_test_setup_teardown(fragments_of_cells_are_dereferenced, setup_json, teardown_json),
		cmocka_unit_test_setup_teardown(nested_content_is_dereferenced, setup_json, teardown_json),
		cmocka_unit_test_setup_teardown(content_in_a_circle_stays_a_reference, setup_json, teardown_json),
		cmocka_unit_test_setup_teardown(the_eighth_level_stays_a_reference, setup_json, teardown_json),
		cmocka_unit_test_setup_teardown(a_document_is_filled_up_to_its_limit, setup_json, teardown_json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
