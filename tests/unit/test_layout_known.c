/* layout_read() of a repository whose pages were imported before (layout_source.known). */
#include "layout_fixture.h"

/* A repository whose pages an earlier import has read; `read` counts the files that are read again. */
struct again {
	struct tree *t;
	const char  *other;     /* page whose known front differs from its file, as if an older version had read it */
	size_t       read;
	size_t       asked;      /* number of look-ups of sizes */
};

static bool
read_again(void *ctx, struct arena *a, const struct layout_entry *e, struct str *out)
{
	struct again *g = ctx;

	g->read++;
	return tree_read_entry(g->t, a, e, out);
}

/* The size of entries without one: ten bytes. */
static int64_t
asked_size(void *ctx, const struct layout_entry *e)
{
	struct again *g = ctx;

	(void)e;
	g->asked++;
	return 10;
}

static bool
known_before(void *ctx, const struct layout_entry *e, struct str *front, struct str *body)
{
	struct again *g = ctx;
	const struct layout_page *p;

	for (p = g->t->layout.pages; p != NULL; p = p->next)
		if (p->file == e) {
			*front = g->other != NULL && str_is(e->path, g->other) ? STR("# Page\n\nText") : p->front;
			*body = str_of(e->oid);
			return true;
		}
	return str_is(e->path, ".gitbook/assets/known.png");
}

static void
read_known(struct again *g, struct layout *l)
{
	struct layout_source *src = arena_alloc(g->t->arena, sizeof(*src));

	*src = (struct layout_source){ .entries = g->t->entries, .count = g->t->count, .read = read_again, .ctx = g,
		.size = asked_size, .known = known_before, .known_ctx = g };
	assert_true(layout_read(g->t->arena, src, "", &g->t->limits, l));
}

/* Fronts of every kind: the stored fronts alone give the same pages, without reading a page file. */
static void
known_pages_are_not_read(void **state)
{
	struct tree *t = tree_of("",
	    "README.md", "# Welcome\n\nHi.\n",
	    "SUMMARY.md", "# Contents\n\n* [Welcome](README.md)\n* [](matter.md)\n* [](setext.md)\n* [](comment.md)\n"
	    "* [Plain one](plain.md)\n* [](rule.md)\n* [](open.md)\n* [](bom.md)\n* [](empty.md)\n* [](crlf.md)\n",
	    "matter.md", "---\ndescription: >-\n  Of two\n  lines\nicon: star\nfoo: [bar]\n---\n\n\n# :) A *title* {#here}\n\n\nText.\n",
	    "setext.md", "Title of two\n===\nText right below.\n===\n",
	    "comment.md", "---\nhidden: true\n---\n<!-- a\nb -->\n\n## No title\n\n# Late\n",
	    "plain.md", "Text.\n\n# Not at the top\n",
	    "rule.md", "<!-- licence -->\n# After a comment\n<!-- one more -->\n",
	    "open.md", "---\ndescription: without an end\n\n# Title\n",
	    "bom.md", "\xEF\xBB\xBF# With a mark",
	    "empty.md", "",
	    "crlf.md", "---\r\nif: visitor.claims.x ==\r\n---\r\n\r\n# Lines\r\n\r\nText.\r\n", NULL);
	struct again g = { .t = t };
	const struct layout_page *p, *q;
	struct layout l;
	struct str body, before;

	(void)state;
	read_known(&g, &l);
	assert_int_equal(l.page_count, 10);
	for (p = t->layout.pages, q = l.pages; p != NULL; p = p->next, q = q->next) {
		assert_string_equal(q->title, p->title);
		assert_string_equal(q->path, p->path);
		assert_string_equal(q->props, p->props);
		assert_true(str_eq(q->front, p->front));
		assert_int_equal(q->body_line, p->body_line);
		/* A small file without a front is read, because it may be an LFS pointer. */
		assert_true((q->known.p == NULL) == (p->front.n == 0));
		assert_true(layout_page_body(&l, t->arena, q, &body));
		assert_true(layout_page_body(&t->layout, t->arena, p, &before));
		assert_true(str_eq(body, before));
	}
	assert_null(q);
	assert_int_equal(l.warning_count, t->layout.warning_count);
	/* The table of contents, three files without a front, and all ten bodies. */
	assert_int_equal(g.read, 1 + 3 + 10);
	tree_free(t);
}

static void
a_page_whose_known_front_differs_is_read(void **state)
{
	struct tree *t = tree_of("",
	    "README.md", "# Welcome\n\nHi.\n",
	    "SUMMARY.md", "* [Welcome](README.md)\n* [](page.md)\n* [](pointer.md)\n",
	    "page.md", "# Page\n\nText\n",
	    "pointer.md", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", NULL);
	struct again g = { .t = t, .other = "page.md" };
	struct layout l;
	struct str body;

	(void)state;
	read_known(&g, &l);
	assert_null(l.pages->next->known.p);
	assert_true(str_is(l.pages->next->front, "# Page\n\n"));
	assert_non_null(strstr(l.warnings->message, "git LFS"));
	assert_int_equal(g.read, 3);
	assert_true(layout_page_body(&l, t->arena, l.pages->next, &body));
	assert_true(str_is(body, "Text\n"));
	tree_free(t);
}

/* An image imported before is neither measured nor read; any other file is both, because it may be an LFS pointer. */
static void
known_images_are_not_read(void **state)
{
	struct tree *t = tree_of("", "README.md", "# Welcome\n", ".gitbook/assets/known.png", "0123456789",
	    ".gitbook/assets/other.png", "0123456789", NULL);
	struct again g = { .t = t };
	struct layout l;
	size_t i;

	(void)state;
	for (i = 0; i < t->count; i++)
		if (str_starts(t->entries[i].path, ".gitbook/"))
			t->entries[i].size = LAYOUT_UNASKED;
	read_known(&g, &l);
	assert_non_null(l.assets);
	assert_non_null(l.assets->next);
	assert_null(l.assets->next->next);
	assert_int_equal(g.read, 1);
	assert_true(g.asked > 0);
	tree_free(t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_pages_are_not_read),
		cmocka_unit_test(a_page_whose_known_front_differs_is_read),
		cmocka_unit_test(known_images_are_not_read) };

	return cmocka_run_group_tests_name("known pages", tests, NULL, NULL);
}
