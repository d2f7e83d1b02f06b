/*
 * The document and the Markdown of a stored page, as readers get them. Links keep the targets that
 * they had when they were written, even if these pages were renamed.
 */
#include "page_fixture.h"

static struct point
head(struct fixture *f)
{
	struct point p;

	assert_true(point_head(f->db, f->arena, f->branch, &p));
	return p;
}

static const char *
document(struct fixture *f, const char *id)
{
	struct point p = head(f);
	struct rendered d;
	struct node n;

	assert_true(node_get(f->db, f->arena, &p, id, &n));
	d = document_of(f->db, f->arena, &p, &n);
	return arena_strndup(f->arena, d.json.p, d.json.n);
}

static const char *
markdown(struct fixture *f, const char *id, bool stable)
{
	struct point p = head(f);
	struct str s;
	struct node n;

	assert_true(node_get(f->db, f->arena, &p, id, &n));
	s = markdown_of(f->db, f->arena, &p, &n, stable);
	return arena_strndup(f->arena, s.p, s.n);
}

static void
assert_holds(const char *text, const char *part)
{
	if (strstr(text, part) == NULL)
		fail_msg("no %s in %s", part, text);
}

/* Moves the page to another file and path; pages that link to it are not rewritten. */
static void
rename_page(struct writing *w, const char *id, const char *name)
{
	struct arena *a = w->f->arena;
	struct point p = { .space = w->space, .branch = w->branch, .seq = w->seq };
	struct node n;

	assert_true(node_get(w->f->db, a, &p, id, &n));
	n.git_path = arena_printf(a, "%s.md", name);
	n.slug = n.path = name;
	n.front = node_front(w->f->db, a, &n);
	node_put(w->f->db, w->branch, w->seq, &n);
}

static void
start(struct fixture *f)
{
	struct writing w = write_begin(f, f->space, f->branch);

	write_page(&w, "target", "Target", "{}", "Text\n");
	write_page(&w, "from", "From", "{}", "[a](target.md) [b](later.md)\n");
	write_end(&w);
}

/* Another page now has the old name; the link still resolves to the first page. */
static void
a_renamed_target_stays_linked(void **state)
{
	struct fixture *f = *state;
	struct writing w;

	start(f);
	assert_holds(document(f, "from"), "\"page\":\"target\"");
	assert_holds(markdown(f, "from", false), "[a](target.md) [b](later.md)");
	w = write_begin(f, f->space, f->branch);
	rename_page(&w, "target", "moved");
	write_page(&w, "other", "Other", "{}", "Text\n");
	rename_page(&w, "other", "target");
	write_end(&w);
	assert_holds(document(f, "from"), "\"page\":\"target\"");
	assert_null(strstr(document(f, "from"), "\"page\":\"other\""));
	assert_holds(markdown(f, "from", false), "[a](moved.md) [b](later.md)");
	assert_holds(markdown(f, "from", true), "[a](/pages/target) [b](later.md)");
}

/* A link whose spelling still resolves to its target keeps it, even as the only link of its page, and in a folder. */
static void
a_valid_spelling_is_kept(void **state)
{
	struct fixture *f = *state;
	struct writing w = write_begin(f, f->space, f->branch);

	write_page(&w, "t", "T", "{}", "t\n");
	write_page(&w, "alone", "A", "{}", "See [t](./t.md).\n");
	write_page(&w, "in/folder", "F", "{}", "See [t](.././t.md).\n");
	write_end(&w);
	assert_holds(markdown(f, "alone", false), "[t](./t.md)");
	assert_holds(markdown(f, "in/folder", false), "[t](.././t.md)");
	w = write_begin(f, f->space, f->branch);
	rename_page(&w, "t", "away/moved");
	write_end(&w);
	assert_holds(markdown(f, "alone", false), "[t](away/moved.md)");
	assert_holds(markdown(f, "in/folder", false), "[t](../away/moved.md)");
}

/* A link without a target resolves to a page added later; other links are unchanged. */
static void
a_broken_link_resolves_to_a_later_page(void **state)
{
	struct fixture *f = *state;
	struct writing w;

	start(f);
	assert_null(strstr(document(f, "from"), "\"page\":\"later\""));
	w = write_begin(f, f->space, f->branch);
	write_page(&w, "later", "Later", "{}", "Text\n");
	write_end(&w);
	assert_holds(document(f, "from"), "\"page\":\"later\"");
	assert_holds(document(f, "from"), "\"page\":\"target\"");
	assert_holds(markdown(f, "from", false), "[a](target.md) [b](later.md)");
	assert_holds(markdown(f, "from", true), "[a](/pages/target) [b](/pages/later)");
}

/* A deleted target is written by its id, so that the link cannot resolve to another page. */
static void
a_deleted_target_is_written_by_id(void **state)
{
	struct fixture *f = *state;
	struct writing w;

	start(f);
	w = write_begin(f, f->space, f->branch);
	write_gone(&w, "target");
	write_end(&w);
	assert_holds(markdown(f, "from", false), "[a](/broken/pages/target) [b](later.md)");
}

static struct rendered
rendered(struct fixture *f, const char *id)
{
	struct point p = head(f);
	struct node n;

	assert_true(node_get(f->db, f->arena, &p, id, &n));
	return document_of(f->db, f->arena, &p, &n);
}

static void
keep(struct fixture *f, const struct rendered *d)
{
	db_begin(f->db, true);
	document_keep(f->db, d);
	db_commit(f->db);
}

/* A cached document is used for the same body with the same link targets, and for no other. */
static void
a_cached_document_is_used_for_equal_bodies(void **state)
{
	struct fixture *f = *state;
	struct writing w = write_begin(f, f->space, f->branch);
	struct rendered one, two;

	write_page(&w, "t", "T", "{}", "t\n");
	write_page(&w, "one", "One", "{}", "[t](t.md)\n");
	write_page(&w, "copy", "Copy", "{}", "[t](t.md)\n");
	write_page(&w, "two", "Two", "{}", "[t](t.md) two\n");
	write_page(&w, "in/one", "In", "{}", "[t](t.md)\n");
	write_end(&w);
	one = rendered(f, "one");
	assert_false(one.cached);
	keep(f, &one);
	assert_true(rendered(f, "one").cached && rendered(f, "copy").cached);
	assert_true(str_eq(rendered(f, "copy").json, one.json));
	assert_false(rendered(f, "two").cached);
	assert_false(rendered(f, "in/one").cached);
	two = rendered(f, "two");
	keep(f, &two);
	assert_true(rendered(f, "two").cached);
	assert_true(str_eq(rendered(f, "two").json, two.json));
	assert_true(str_eq(rendered(f, "one").json, one.json));
}

/* As in the programs, cJSON allocates from the arena. */
static int
setup(void **state)
{
	int rc = db_setup(state);

	json_arena(((struct fixture *)*state)->arena);
	return rc;
}

static int
teardown(void **state)
{
	json_arena(NULL);
	return db_teardown(state);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(a_valid_spelling_is_kept), CASE(a_renamed_target_stays_linked),
		CASE(a_broken_link_resolves_to_a_later_page), CASE(a_deleted_target_is_written_by_id),
		CASE(a_cached_document_is_used_for_equal_bodies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
