/* What remains of a source while the files that were made of it are imported (src/arrive/written.c). */
#include "arena_fixture.h"

#include "../../src/arrive/readers.h"
#include "../../src/arrive/write_parts.h"
#include "base/json.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PAGES = 300, EACH = 3 };

static char folder[64];
static struct settings set = { .import_page_bytes = 1 << 20, .import_file_bytes = 4 << 20 };

static void
put(const char *path, const char *text)
{
	int fd = open(arena_printf(arena, "%s/docs/%s", folder, path), O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

/* Pages that each show three pictures. */
static void
put_pages(void)
{
	size_t i, k;

	snprintf(folder, sizeof(folder), "/tmp/octavo-kept-XXXXXX");
	assert_non_null(mkdtemp(folder));
	mkdir(arena_printf(arena, "%s/scratch", folder), 0700);
	mkdir(arena_printf(arena, "%s/docs", folder), 0700);
	mkdir(arena_printf(arena, "%s/docs/pictures", folder), 0700);
	for (i = 0; i < PAGES; i++) {
		for (k = 0; k < EACH; k++)
			put(arena_printf(arena, "pictures/picture-%zu-%zu.png", i, k), "PNG");
		put(arena_printf(arena, "page-%zu.md", i), arena_printf(arena, "# Page %zu\n\n%01000d\n\n![](pictures/picture-%zu-0.png) "
		    "![](pictures/picture-%zu-1.png) ![](pictures/picture-%zu-2.png)\n", i, 0, i, i, i));
	}
}

static bool
alive(void *ctx, size_t done, size_t total)
{
	(void)ctx, (void)done, (void)total;
	return true;
}

static struct arrival *
listed(struct arena *kept)
{
	struct arrival *t = arena_alloc(arena, sizeof(*t));

	*t = (struct arrival){ .arena = arena_within(arena, (size_t)1 << 30), .scratch = arena_within(arena, (size_t)1 << 30), .kept = kept,
		.set = &set, .reader = &reader_markdown, .name = "source", .root = "", .table = "source" };
	t->names = map_new(t->arena);
	t->once = map_new(t->arena);
	t->tags = map_new(t->arena);
	t->made_end = &t->made;
	t->warnings_end = &t->warnings;
	t->redirects_end = &t->redirects;
	json_arena(t->arena);
	assert_true(source_folder(t, arena_printf(arena, "%s/docs", folder)));
	assert_true(t->reader->read(t));
	return t;
}

static struct str
file_of(const struct layout_source *s, const char *path)
{
	const struct layout_entry e = { .path = str_of(path) };
	struct str out;

	assert_true(s->read(s->ctx, arena, &e, &out));
	return out;
}

/* About 200 bytes for a page or file, and nothing of the tree, which is freed before the import. */
static void
what_is_kept_of_a_source_is_small(void **state)
{
	struct arena *kept = arena_new((size_t)1 << 30);
	struct layout_source s;
	struct arrival *t;
	struct written *w;
	struct str page;
	size_t line = 5;

	(void)state;
	put_pages();
	t = listed(kept);
	w = arrival_write(t, arena_printf(arena, "%s/scratch", folder), alive, NULL);
	assert_non_null(w);
	s = written_source(w);
	/* With the table of contents and the settings. */
	assert_int_equal(s.count, PAGES * (EACH + 1) + 2);
	assert_in_range(arena_used(kept) / s.count, 100, 220);
	json_arena(NULL);
	arena_reset(t->scratch);
	arena_reset(t->arena);
	assert_true(str_is(file_of(&s, "pictures/picture-7-1.png"), "PNG"));
	page = file_of(&s, "page-7.md");
	assert_non_null(memmem(page.p, page.n, "![](pictures/picture-7-0.png)", 29));
	assert_true(str_starts(page, "# Page 7\n"));
	assert_string_equal(written_locate(w, "page-7.md", &line), "page-7.md");
	assert_int_equal(line, 5);
	assert_string_equal(written_locate(w, "SUMMARY.md", &line), "source");
	assert_true(written_dated(w, "page-7.md") > 0);
	arena_free(kept);
	assert_int_equal(system(arena_printf(arena, "rm -rf '%s'", folder)), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test_setup_teardown(what_is_kept_of_a_source_is_small, set_up, tear_down) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
