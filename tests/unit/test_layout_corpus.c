/*
 * The layout of the real repositories of the corpus, compared with the reference counts in the
 * corpus' README. Skipped if the corpus is missing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corpus_fixture.h"
#include "layout/layout.h"
#include "base/map.h"
#include "base/utf8.h"

struct repository {
	struct arena *arena;
	char          dir[TEMP_MAX];  /* temporary clone; "" if there is no corpus */
	struct layout_entry *entries;
	size_t        count;
};

struct row {
	const char *repo, *root;
	size_t documents, groups, links, computed, link_titles, slugs, empty, unlisted;
};

static const struct row rows[] = {
	{ "public-docs", "documentation/", 182, 12, 4, 0, 2, 1, 0, 0 },
	{ "public-docs", "guides/", 42, 9, 0, 0, 31, 0, 0, 0 },
	{ "public-docs", "developers/", 35, 3, 3, 1, 0, 1, 0, 0 },
	{ "public-docs", "policies", 16, 2, 0, 0, 0, 0, 0, 0 },
	{ "public-docs", "changelog", 8, 0, 0, 0, 1, 0, 0, 0 },
	{ "predicthq", "docs/tech-docs/", 101, 4, 3, 0, 0, 2, 0, 0 },
	{ "predicthq", "docs/api/", 76, 12, 1, 0, 0, 1, 0, 0 },
	{ "predicthq", "docs/changelog/", 2, 0, 0, 0, 0, 0, 0, 0 },
	{ "predicthq", "styleguides/", 1, 0, 0, 0, 0, 0, 0, 0 },
	{ "fluentd", "", 191, 0, 0, 0, 0, 0, 3, 1 },
	{ "gl-sdk", "gitbook/", 664, 19, 10, 1, 1, 1, 0, 8 },
	{ "sunrise", ".", 54, 5, 4, 0, 0, 0, 0, 127 },
	{ "sunrise", "ja/", 54, 5, 4, 0, 0, 0, 0, 35 },
};

static int
by_path(const void *a, const void *b)
{
	return strcmp(((const struct layout_entry *)a)->path.p, ((const struct layout_entry *)b)->path.p);
}

/* "100644 blob OID    SIZE\tPATH" */
static void
read_line(struct repository *r, char *text)
{
	struct layout_entry *e = &r->entries[r->count++];
	char *tab = strchr(text, '\t'), size[32] = "";
	unsigned mode = 0;

	assert_non_null(tab);
	assert_int_equal(sscanf(text, "%o %*s %40s %31s", &mode, e->oid, size), 3);
	e->mode = mode;
	e->size = size[0] == '-' ? -1 : (int64_t)strtoll(size, NULL, 10);
	e->path = str_of(arena_strdup(r->arena, tab + 1));
}

static bool
open_repository(struct repository *r, const char *name)
{
	char *text = NULL;
	size_t room = 0;
	FILE *f;

	memset(r, 0, sizeof(*r));
	r->arena = arena_new((size_t)1 << 30);
	temp_dir(r->dir);
	if (!corpus_clone(name, arena_printf(r->arena, "%s/c", r->dir)))
		return false;
	f = popen(arena_printf(r->arena, "git -C '%s/c' ls-tree -r -l -z HEAD", r->dir), "r");
	assert_non_null(f);
	r->entries = arena_array(r->arena, 20000, sizeof(*r->entries));
	while (getdelim(&text, &room, '\0', f) > 0)
		read_line(r, text);
	free(text);
	assert_int_equal(pclose(f), 0);
	qsort(r->entries, r->count, sizeof(*r->entries), by_path);
	return true;
}

static void
close_repository(struct repository *r)
{
	if (r->dir[0] != '\0')
		assert_int_equal(system(arena_printf(r->arena, "rm -rf '%s'", r->dir)), 0);
	arena_free(r->arena);
	memset(r, 0, sizeof(*r));
}

static bool
read_entry(void *ctx, struct arena *a, const struct layout_entry *e, struct str *out)
{
	struct repository *r = ctx;
	FILE *f = fopen(arena_printf(a, "%s/c/%s", r->dir, e->path.p), "rb");
	char *p = arena_alloc(a, (size_t)e->size + 1);

	if (f == NULL)
		return false;
	*out = (struct str){ p, fread(p, 1, (size_t)e->size, f) };
	fclose(f);
	return out->n == (size_t)e->size;
}

/* Invariants of every page of every space. */
static void
check_page(struct repository *r, const struct layout *l, const struct layout_page *p, struct map *paths)
{
	cJSON *props = cJSON_Parse(p->props);
	struct str body;

	assert_true(cJSON_IsObject(props));
	cJSON_Delete(props);
	assert_true(p->title[0] != '\0' && p->slug[0] != '\0');
	assert_true(utf8_valid(str_of(p->title)) && utf8_valid(str_of(p->path)));
	assert_true(map_add(paths, str_of(p->path), NULL));
	assert_true(p->parent == NULL || p->parent->kind == LAYOUT_DOCUMENT || p->parent->kind == LAYOUT_GROUP);
	assert_true(p->parent == NULL || p->kind != LAYOUT_GROUP);
	if (p->file == NULL)
		return;
	assert_true(layout_page_body(l, r->arena, p, &body));
	assert_int_equal(p->front.n + body.n, p->file->size);
}

static void
check_space(struct repository *r, const struct row *w)
{
	static const struct layout_limits limits = { 10000, 50, 5 << 20, 100 << 20, 4096 };
	struct layout_source src = { r->entries, r->count, read_entry, r };
	struct map *paths = map_new(r->arena);
	size_t titles = 0, slugs = 0, pages = 0;
	const struct layout_page *p;
	const struct layout_warning *n;
	struct layout l;

	if (!layout_read(r->arena, &src, w->root, &limits, &l))
		fail_msg("%s %s: %s", w->repo, w->root, l.error);
	for (p = l.pages; p != NULL; p = p->next) {
		pages++;
		check_page(r, &l, p, paths);
		titles += p->link_title != NULL;
		slugs += p->kind == LAYOUT_GROUP && strstr(p->source.p, "\n") != NULL
		    && memmem(p->source.p, p->source.n, "<a ", 3) != NULL;
	}
	if (getenv("LAYOUT_SHOW") != NULL)
		for (n = l.warnings; n != NULL; n = n->next)
			printf("%s: %s:%zu: %s\n", w->repo, n->file, n->line, n->message);
	assert_int_equal(pages, l.page_count);
	assert_int_equal(l.documents, w->documents);
	assert_int_equal(l.groups, w->groups);
	assert_int_equal(l.links, w->links);
	assert_int_equal(l.computed, w->computed);
	assert_int_equal(titles, w->link_titles);
	assert_int_equal(slugs, w->slugs);
	assert_int_equal(l.empty, w->empty);
	assert_int_equal(l.unlisted, w->unlisted);
}

static struct repository repository;

/* Also runs after a failed assertion, so that no clone remains. */
static int
tear_down(void **state)
{
	(void)state;
	if (repository.arena != NULL)
		close_repository(&repository);
	return 0;
}

static void
counts_of_the_corpus_are_right(void **state)
{
	const char *open = "";
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (strcmp(open, rows[i].repo) != 0) {
			tear_down(state);
			open = rows[i].repo;
			if (!open_repository(&repository, open))
				skip();
		}
		check_space(&repository, &rows[i]);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(counts_of_the_corpus_are_right, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
