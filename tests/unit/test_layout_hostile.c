/*
 * layout_read() on hostile trees: a hundred thousand entries, equal names, and random text. It must
 * answer in short time, without errors that AddressSanitizer finds.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "layout/layout.h"
#include "../../src/layout/layout_parts.h"
#include "base/utf8.h"

enum { MANY = 100000 };

struct big {
	struct arena        *arena;
	struct layout_entry *entries;
	struct str          *texts;   /* index: the entry's number before sorting, which its oid holds */
	size_t               count;
	struct layout        layout;
};

static void
big_open(struct big *b)
{
	b->arena = arena_new((size_t)3 << 30);
	b->entries = arena_array(b->arena, MANY + 100, sizeof(*b->entries));
	b->texts = arena_array(b->arena, MANY + 100, sizeof(*b->texts));
	b->count = 0;
}

static void
big_add(struct big *b, const char *path, struct str text)
{
	struct layout_entry *e = &b->entries[b->count];

	assert_true(b->count < MANY + 100);
	*e = (struct layout_entry){ .path = str_of(path), .mode = 0100644, .size = (int64_t)text.n };
	snprintf(e->oid, sizeof(e->oid), "%zu", b->count);
	b->texts[b->count++] = text;
}

static bool
big_read(void *ctx, struct arena *a, const struct layout_entry *e, struct str *out)
{
	struct big *b = ctx;

	(void)a;
	*out = b->texts[strtoul(e->oid, NULL, 10)];
	return true;
}

static int
order(const void *a, const void *b)
{
	return strcmp(((const struct layout_entry *)a)->path.p, ((const struct layout_entry *)b)->path.p);
}

/* Reads the tree; the result must be consistent, whatever it is. */
static bool
big_run(struct big *b)
{
	static const struct layout_limits limits = { 2 * MANY, 100, 64 << 20, 64 << 20, 4096 };
	struct layout_source src = { b->entries, b->count, big_read, b };
	const struct layout_page *p;
	size_t n = 0;
	bool ok;

	qsort(b->entries, b->count, sizeof(*b->entries), order);
	ok = layout_read(b->arena, &src, "", &limits, &b->layout);
	assert_int_equal(ok, b->layout.error == NULL);
	for (p = b->layout.pages; ok && p != NULL; p = p->next, n++) {
		assert_true(p->title[0] != '\0' && p->path != NULL && p->slug[0] != '\0');
		assert_true(utf8_valid(str_of(p->title)) && utf8_valid(str_of(p->path)));
	}
	assert_true(!ok || n == b->layout.page_count);
	return ok;
}

static double
seconds_since(clock_t start)
{
	return (double)(clock() - start) / CLOCKS_PER_SEC;
}

/* Generous, because of sanitizers and busy machines; anything quadratic takes minutes. */
static void
expect_soon(clock_t start)
{
	print_message("%.2f s\n", seconds_since(start));
	assert_true(seconds_since(start) < 30);
}

static void
many_files_without_a_summary(void **state)
{
	struct big b;
	clock_t start = clock();
	size_t i;

	(void)state;
	big_open(&b);
	big_add(&b, "README.md", STR("# R\n"));
	for (i = 0; i < MANY; i++)
		big_add(&b, arena_printf(b.arena, "d%zu/e%zu/f%zu.md", i % 10, i % 1000, i), STR("# Same\n\ntext\n"));
	assert_true(big_run(&b));
	assert_int_equal(b.layout.documents, MANY + 1);
	expect_soon(start);
	arena_free(b.arena);
}

static void
many_files_in_a_summary(void **state)
{
	struct big b;
	clock_t start = clock();
	struct buf s;
	size_t i;

	(void)state;
	big_open(&b);
	buf_init(&s, b.arena, 64 << 20);
	big_add(&b, "README.md", STR("# R\n"));
	for (i = 0; i < MANY; i++) {
		big_add(&b, arena_printf(b.arena, "f%zu.md", i), STR("---\nicon: x\n---\n# Same\n"));
		buf_printf(&s, "%*s* [Same](F%zu.md)\n", (int)(i % 40) * 2, "", i);
	}
	big_add(&b, "SUMMARY.md", buf_view(&s));
	assert_true(big_run(&b));
	assert_int_equal(b.layout.documents, MANY + 1);
	expect_soon(start);
	arena_free(b.arena);
}

static void
equal_titles_targets_and_names(void **state)
{
	struct big b;
	clock_t start = clock();
	struct buf s;
	size_t i;

	(void)state;
	big_open(&b);
	buf_init(&s, b.arena, 64 << 20);
	big_add(&b, "README.md", STR("# R\n"));
	for (i = 0; i < MANY / 2; i++)
		buf_str(&s, i % 2 ? "* Same\n" : "* [Same-1](README.md)\n");
	for (i = 0; i < MANY / 2; i++)
		buf_str(&s, "## Group\n");
	big_add(&b, "SUMMARY.md", buf_view(&s));
	for (i = 0; i < 3000; i++)
		big_add(&b, arena_printf(b.arena, "d%zu/.gitbook.yaml", i), STR(""));
	for (i = 0; i < 3000; i++)
		big_add(&b, arena_printf(b.arena, "e%zu/SUMMARY.md", i), STR(""));
	assert_true(big_run(&b));
	assert_true(b.layout.page_count > MANY / 2);
	expect_soon(start);
	arena_free(b.arena);
}

static void
many_redirects_are_read_soon(void **state)
{
	struct big b;
	clock_t start = clock();
	struct buf s;
	size_t i;

	(void)state;
	big_open(&b);
	buf_init(&s, b.arena, 64 << 20);
	buf_str(&s, "redirects:\n");
	for (i = 0; i < 30000; i++)
		buf_printf(&s, "  old/%zu: gone/%zu.md\n", i, i);
	big_add(&b, ".gitbook.yaml", buf_view(&s));
	big_add(&b, "README.md", STR(""));
	assert_true(big_run(&b));
	assert_int_equal(b.layout.warning_count, 30001);
	expect_soon(start);
	arena_free(b.arena);
}

/* ---- random text ---------------------------------------------------------- */

static uint64_t seed = 88172645463325252u;

static size_t
any(size_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (size_t)(seed % n);
}

static struct str
random_text(struct arena *a, size_t pieces)
{
	static const char *const words[] = { "* ", "  ", "\t", "- ", "1. ", "\n", "\r\n", "\r", "# ", "## ", "[", "]", "(",
		")", "](", "a.md", "b.md", "README.md", "x/", "../", "%2e%2e/", "<", ">", "<!--", "-->", "```", "```yaml\n",
		"~~~", "---\n", "---", "***\n", "===\n", "\"", "'", "\\", "&amp;", "&", ": ", "a", ":rocket:", "type: x",
		"{", "}", "[a, b]", "&x", "*x", "|", ">-\n", "!", "\xEF\xBB\xBF", "\xE2\x80\x8B", "\xFF", "\xF0\x9F\x9A\x80 ",
		"\xCC\x81", "<a id=\"q\"></a>", "description: ", "layout:\n", "tags:\n", "  - ", "vars:\n", "cover: ", "if: ",
		"root: ", "structure:\n", "redirects:\n", "tag: ", "\n\n", "https://a.b/c", "https://app.gitbook.com/s/", "#", "?" };
	struct buf b;

	buf_init(&b, a, 1 << 20);
	while (pieces-- > 0)
		buf_str(&b, words[any(sizeof(words) / sizeof(words[0]))]);
	if (any(8) == 0)
		buf_char(&b, '\0');
	return buf_view(&b);
}

static void
check_json(const char *json)
{
	cJSON *j = cJSON_ParseWithOpts(json, NULL, 1);

	assert_non_null(j);
	cJSON_Delete(j);
}

static void
random_files_are_read(void **state)
{
	const struct layout_setting *s;
	const struct layout_page *p;
	struct big b;
	size_t i;

	(void)state;
	big_open(&b);
	for (i = 0; i < 3000; i++) {
		static const char *const names[] = { "README.md", "SUMMARY.md", ".gitbook.yaml", ".gitbook/vars.yaml",
			".gitbook/tags.yaml", ".gitbook/includes/x.md", "a.md", "b.md", "x/README.md", "x/.gitbook.yaml", "A.md" };
		size_t k;

		b.count = 0;
		for (k = 0; k < sizeof(names) / sizeof(names[0]); k++)
			if (any(4) > 0)
				big_add(&b, names[k], random_text(b.arena, any(60)));
		if (big_run(&b)) {
			for (p = b.layout.pages; p != NULL; p = p->next)
				check_json(p->props);
			for (s = b.layout.settings; s != NULL; s = s->next)
				if (s->json != NULL)
					check_json(s->json);
		}
		if (i % 100 == 99) {
			arena_free(b.arena);
			big_open(&b);
		}
	}
	arena_free(b.arena);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(many_files_without_a_summary),
		cmocka_unit_test(many_files_in_a_summary),
		cmocka_unit_test(equal_titles_targets_and_names),
		cmocka_unit_test(many_redirects_are_read_soon),
		cmocka_unit_test(random_files_are_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
