/* The layout of a large source is on disk: reading it does not fill memory (base/mapped.h). */
#include "layout_fixture.h"

#include "base/mapped.h"

enum { PAGES = 40000, FILES = 3 };

struct large {
	struct layout_source source;
	struct str           table;
};

static bool
read_entry(void *large, struct arena *a, const struct layout_entry *e, struct str *out)
{
	const struct large *l = large;

	(void)a;
	*out = str_is(e->path, "SUMMARY.md") ? l->table : STR("# A page\n\nText.\n");
	return true;
}

static void
add_entry(struct arena *a, struct layout_entry *list, size_t *n, const char *path, size_t size)
{
	list[(*n)++] = (struct layout_entry){ .path = str_of(arena_strdup(a, path)), .mode = 0100644, .size = (int64_t)size };
}

/* A table of contents of pages, each with files beside it; sorted by path. */
static struct large *
large_source(struct arena *a)
{
	struct large *l = arena_alloc(a, sizeof(*l));
	struct layout_entry *list = arena_array(a, PAGES * (FILES + 1) + 2, sizeof(*list));
	char path[40];
	struct buf b;
	size_t i, k, n = 0;

	buf_init(&b, a, (size_t)1 << 30);
	add_entry(a, list, &n, "README.md", 16);
	add_entry(a, list, &n, "SUMMARY.md", 16);
	buf_str(&b, "* [First](README.md)\n");
	for (i = 0; i < PAGES; i++) {
		for (k = 1; k <= FILES; k++) {
			snprintf(path, sizeof(path), "c%03zu/page-%05zu-%zu.txt", i / 100, i, k);
			add_entry(a, list, &n, path, 2000);
		}
		snprintf(path, sizeof(path), "c%03zu/page-%05zu.md", i / 100, i);
		add_entry(a, list, &n, path, 16);
		buf_printf(&b, "* [Page %zu](%s)\n", i, path);
	}
	l->table = buf_view(&b);
	l->source = (struct layout_source){ list, n, read_entry, l };
	return l;
}

/* A line of /proc/self/status, in bytes. */
static size_t
memory(const char *name)
{
	FILE *in = fopen("/proc/self/status", "r");
	char line[200];
	size_t kb = 0;

	assert_non_null(in);
	while (fgets(line, sizeof(line), in) != NULL)
		if (strncmp(line, name, strlen(name)) == 0)
			kb = strtoul(line + strlen(name), NULL, 10);
	fclose(in);
	return kb << 10;
}

static void
reading_a_large_source_does_not_fill_memory(void **state)
{
	struct arena *owner = arena_new(1 << 20), *a = arena_on_disk(owner, (size_t)4 << 30, "/tmp");
	const struct layout_limits limits = { PAGES * 2, 20, 1 << 20, 1 << 20, 1000, 64 << 20 };
	struct large *l = large_source(a);
	struct layout_target t;
	struct layout layout;
	size_t before, i;
	FILE *out;

	(void)state;
#ifdef __SANITIZE_ADDRESS__
	/* All memory is then that of malloc(). */
	skip();
#endif
	/* Resets the mark (proc_pid_clear_refs(5)). */
	out = fopen("/proc/self/clear_refs", "w");
	if (out == NULL || fputs("5", out) < 0 || fclose(out) != 0)
		skip();
	before = memory("VmRSS:");
	assert_true(layout_read(a, &l->source, "", &limits, &layout));
	assert_int_equal(layout.page_count, PAGES + 1);
	for (i = 0; i < PAGES; i++) {
		t = layout_resolve(layout.index->scratch, "README.md", str_of(arena_printf(layout.index->scratch, "c%03zu/page-%05zu.md",
		    i * 7919 % PAGES / 100, i * 7919 % PAGES)));
		assert_non_null(layout_find(&layout, &t).page);
	}
	assert_in_range(memory("VmHWM:"), 0, before + 2 * MAPPED_RESIDENT);
	arena_free(owner);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(reading_a_large_source_does_not_fill_memory) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
