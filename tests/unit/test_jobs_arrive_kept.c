/* What remains of a source while the files that were made of it are imported (src/arrive/written.c). */
#include "arrive_fixture.h"

enum { PAGES = 300, EACH = 3 };

/* Pages that each show three pictures. */
static void
put_pages(void)
{
	size_t i, k;

	for (i = 0; i < PAGES; i++) {
		for (k = 0; k < EACH; k++)
			put(arena_printf(arena, "pictures/picture-%zu-%zu.png", i, k), "PNG");
		put(arena_printf(arena, "page-%zu.md", i), arena_printf(arena, "# Page %zu\n\n%01000d\n\n![](pictures/picture-%zu-0.png) "
		    "![](pictures/picture-%zu-1.png) ![](pictures/picture-%zu-2.png)\n", i, 0, i, i, i));
	}
}

/* About 200 bytes for a page or file, and nothing of the tree, which is freed before the import. */
static void
what_is_kept_of_a_source_is_small(void **state)
{
	struct arena *kept = arena_new((size_t)1 << 30);
	struct layout_source s;
	struct arrival *t;
	struct written *w;
	size_t line = 5;

	(void)state;
	put_pages();
	t = listed(&reader_markdown);
	t->kept = kept;
	assert_true(t->reader->read(t));
	w = written(t);
	s = written_source(w);
	/* With the table of contents and the settings. */
	assert_int_equal(s.count, PAGES * (EACH + 1) + 2);
	assert_in_range(arena_used(kept) / s.count, 100, 220);
	json_arena(NULL);
	arena_reset(t->scratch);
	arena_reset(t->arena);
	assert_string_equal(file_of(w, "pictures/picture-7-1.png"), "PNG");
	assert_has(file_of(w, "page-7.md"), "# Page 7\n");
	assert_has(file_of(w, "page-7.md"), "![](pictures/picture-7-0.png)");
	assert_string_equal(written_locate(w, "page-7.md", &line), "page-7.md");
	assert_int_equal(line, 5);
	assert_string_equal(written_locate(w, "SUMMARY.md", &line), "source");
	assert_true(written_dated(w, &s.entries[2]) > 0);
	assert_int_equal(warned(t, "left out"), 0);
	arena_free(kept);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { source_test(what_is_kept_of_a_source_is_small) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
