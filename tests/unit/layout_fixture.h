/* A file tree in memory for the tests of the layout: files are given as path, text, path, text, …, NULL. */
#ifndef LAYOUT_FIXTURE_H
#define LAYOUT_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layout/layout.h"
#include "../../src/layout/layout_parts.h"

enum { TREE_MAX = 64 };

struct tree {
	struct arena        *arena;
	struct layout_entry  entries[TREE_MAX];
	struct str           texts[TREE_MAX];
	size_t               count;
	struct layout_limits limits;
	struct layout        layout;
};

static inline int
tree_order(const void *a, const void *b)
{
	const struct layout_entry *x = a, *y = b;
	size_t n = x->path.n < y->path.n ? x->path.n : y->path.n;
	int c = memcmp(x->path.p, y->path.p, n);

	return c != 0 ? c : (x->path.n > y->path.n) - (x->path.n < y->path.n);
}

/* oid stores the index of the file's text, because entries are sorted later. */
static inline struct layout_entry *
tree_add(struct tree *t, struct str path, struct str text)
{
	struct layout_entry *e = &t->entries[t->count];

	assert_true(t->count < TREE_MAX);
	*e = (struct layout_entry){ .path = path, .mode = 0100644, .size = (int64_t)text.n };
	snprintf(e->oid, sizeof(e->oid), "%zu", t->count);
	t->texts[t->count++] = text;
	return e;
}

static inline bool
tree_read_entry(void *ctx, struct arena *a, const struct layout_entry *e, struct str *out)
{
	struct tree *t = ctx;

	assert_true((e->mode & 0170000) == 0100000);
	*out = t->texts[strtoul(e->oid, NULL, 10)];
	/* A copy, so that sanitizers detect a read past its end. */
	out->p = memcpy(arena_alloc(a, out->n), out->p, out->n);
	return true;
}

static inline struct tree *
tree_new(void)
{
	struct arena *a = arena_new((size_t)1 << 30);
	struct tree *t = arena_alloc(a, sizeof(*t));

	t->arena = a;
	t->limits = (struct layout_limits){ 1000, 20, 1 << 20, 1 << 20, 1000 };
	return t;
}

static inline bool
tree_try(struct tree *t, const char *project)
{
	struct layout_source *src = arena_alloc(t->arena, sizeof(*src));

	qsort(t->entries, t->count, sizeof(t->entries[0]), tree_order);
	*src = (struct layout_source){ t->entries, t->count, tree_read_entry, t };
	return layout_read(t->arena, src, project, &t->limits, &t->layout);
}

/* Reads the files as a repository, from the directory `project`; must succeed. */
static inline struct tree *
tree_of(const char *project, ...)
{
	struct tree *t = tree_new();
	const char *path, *text;
	va_list ap;

	va_start(ap, project);
	while ((path = va_arg(ap, const char *)) != NULL) {
		text = va_arg(ap, const char *);
		tree_add(t, str_of(path), str_of(text));
	}
	va_end(ap);
	if (!tree_try(t, project))
		fail_msg("%s", t->layout.error);
	return t;
}

static inline void
tree_free(struct tree *t)
{
	arena_free(t->arena);
}

/* "Title" of the n-th page, as {kind}{depth} title (path). */
static inline const char *
tree_outline(struct tree *t)
{
	const struct layout_page *p, *up;
	struct buf b;

	buf_init(&b, t->arena, 1 << 20);
	for (p = t->layout.pages; p != NULL; p = p->next) {
		for (up = p->parent; up != NULL; up = up->parent)
			buf_char(&b, ' ');
		buf_printf(&b, "%c %s (%s)\n", "DGLC"[p->kind], p->title, p->path);
	}
	return b.p;
}

static inline const struct layout_page *
tree_page(struct tree *t, const char *path)
{
	const struct layout_page *p = t->layout.pages;

	while (p != NULL && strcmp(p->path, path) != 0)
		p = p->next;
	if (p == NULL)
		fail_msg("no page %s in\n%s", path, tree_outline(t));
	return p;
}

/* True if a warning at this file and line contains these words. */
static inline bool
tree_warned(const struct tree *t, const char *file, size_t line, const char *words)
{
	const struct layout_warning *w;

	for (w = t->layout.warnings; w != NULL; w = w->next)
		if (strcmp(w->file, file) == 0 && w->line == line && strstr(w->message, words) != NULL)
			return true;
	return false;
}

static inline void
tree_expect_warning(const struct tree *t, const char *file, size_t line, const char *words)
{
	const struct layout_warning *w;

	if (tree_warned(t, file, line, words))
		return;
	for (w = t->layout.warnings; w != NULL; w = w->next)
		print_message("%s:%zu: %s\n", w->file, w->line, w->message);
	fail_msg("no warning at %s:%zu with \"%s\"", file, line, words);
}

#endif
