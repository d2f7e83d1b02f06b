/* Assets built into the programs, among them the templates: each template can be applied. */
#include "change_fixture.h"

#include "app/assets.h"
#include "edit/edit.h"
#include "edit/template.h"

static const struct { const char *id; int pages; } templates[] = { { "blank", 1 },
	{ "product-docs", 9 }, { "changelog", 2 }, { "knowledge-base", 8 }, { "api-reference", 5 },
	{ "styleguide-plain", 1 }, { "styleguide-reference", 1 } };
enum { TEMPLATES = sizeof(templates) / sizeof(templates[0]) };

static void
templates_are_embedded(void **state)
{
	struct fixture *f = *state;
	const struct asset *a = asset_find("templates/blank/SUMMARY.md"), *first;
	size_t i, n;
	bool current;
	char *name;

	assert_non_null(a);
	assert_true(str_starts(asset_bytes(a), "# Table of contents\n"));
	assert_int_equal(asset_bytes(a).p[asset_bytes(a).n - 1], '\n');
	assert_string_equal(asset_type(a), "text/markdown");
	assert_int_equal(strlen(a->tag), 16);
	assert_null(asset_find("templates/blank"));
	/* The served name contains the tag. */
	name = asset_name(f->arena, a);
	assert_string_equal(name, arena_printf(f->arena, "templates/blank/SUMMARY.%s.md", a->tag));
	assert_ptr_equal(asset_served(f->arena, name, &current), a);
	assert_true(current);
	/* With the tag of another release. */
	assert_ptr_equal(asset_served(f->arena, "templates/blank/SUMMARY.0123456789abcdef.md", &current), a);
	assert_false(current);
	assert_null(asset_served(f->arena, "templates/blank/SUMMARY.0123456789abcdeg.md", &current));
	assert_null(asset_served(f->arena, "templates/blank/none.0123456789abcdef.md", &current));
	assert_null(asset_served(f->arena, "templates/blank/SUMMARY.md", &current));
	assert_null(asset_served(f->arena, ".md", &current));
	first = asset_folder("templates/blank/", &n);
	assert_int_equal(n, 2);
	assert_ptr_equal(first, a);
	assert_null(asset_folder("nothing/", &n));
	for (i = 1; i < asset_count; i++)
		assert_true(strcmp(assets[i - 1].path, assets[i].path) < 0);
}

static void
known_templates_are_found(void **state)
{
	(void)state;
	assert_true(template_known("blank"));
	assert_false(template_known(""));
	assert_false(template_known("../templates/blank"));
	assert_false(template_known("nothing"));
}

/* All pages exist at their positions, and each of their links resolves to another page of the template. */
static void
a_template_is_applied_with_its_links(void **state)
{
	struct fixture *f = *state;
	size_t i, k, n;

	for (i = 0; i < TEMPLATES; i++) {
		struct point head = head_of(f, request_open(f));
		struct edit e = { .db = f->db, .arena = f->arena, .dir = f->dir, .request = &head };
		const struct edit_page *p;
		struct node *list;
		int pages = 0;

		json_arena(f->arena);
		e.now = revision_begin(f, head.branch);
		e.changes = template_changes(f->arena, templates[i].id,
		    template_wants_spec(templates[i].id) ? "pets" : NULL);
		if (!edit_apply(&e))
			fail_msg("%s: %s %s", templates[i].id, e.where, e.why);
		for (p = e.pages; p != NULL; p = p->next)
			pages++;
		assert_int_equal(pages, templates[i].pages);
		list = node_list(f->db, f->arena, &e.now, NODE_DOCUMENT, &n);
		for (k = 0; k < n; k++) {
			struct str json;
			struct link_map map;

			assert_true(list[k].refs.n == 0 || blob_get(f->db, f->arena, list[k].refs, &json));
			map = list[k].refs.n > 0 ? link_map_read(f->arena, json) : (struct link_map){ 0 };
			if (map.holes)
				fail_msg("%s: a link of %s leads nowhere", templates[i].id, list[k].title);
		}
		db_commit(f->db);
		json_arena(NULL);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(templates_are_embedded),
	cmocka_unit_test(known_templates_are_found),
		cmocka_unit_test(a_template_is_applied_with_its_links) };

	return cmocka_run_group_tests_name("template", tests, db_setup, db_teardown);
}
