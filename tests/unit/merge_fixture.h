/*
 * Random texts and edits for the tests of merging, generated from a seed alone (seed_fixture.h).
 * Lines come from a small alphabet, because equal lines are what makes comparing hard; lines that a
 * side adds contain its name and a number.
 */
#ifndef OCTAVO_MERGE_FIXTURE_H
#define OCTAVO_MERGE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/buf.h"
#include "seed_fixture.h"
#include "base/str.h"

enum { LINES_MAX = 1200 };

/* A text being edited. */
struct draft {
	struct arena *a;
	const char   *line[LINES_MAX];
	size_t        n;
	const char   *side;
	unsigned      letters, added;
	const char   *nl;
	bool          open_end;   /* the last line has no newline */
};

static inline const char *
draft_line(struct draft *d, struct rnd *r)
{
	uint32_t kind = rnd(r, 10);

	if (kind < 2)
		return "";
	if (kind < 4 && d->side != NULL)
		return arena_printf(d->a, "%s %u", d->side, ++d->added);
	return arena_printf(d->a, "line %u", rnd(r, d->letters));
}

static inline void
draft_delete(struct draft *d, size_t at, size_t n)
{
	memmove(d->line + at, d->line + at + n, (d->n - at - n) * sizeof(d->line[0]));
	d->n -= n;
}

static inline void
draft_insert(struct draft *d, size_t at, const char *const *lines, size_t n)
{
	if (d->n + n > LINES_MAX)
		return;
	memmove(d->line + at + n, d->line + at, (d->n - at) * sizeof(d->line[0]));
	memcpy(d->line + at, lines, n * sizeof(d->line[0]));
	d->n += n;
}

/* Makes one edit: deletes, inserts, replaces, copies or moves lines. */
static inline void
draft_edit(struct draft *d, struct rnd *r)
{
	size_t at = rnd(r, (uint32_t)d->n + 1), n = 0, i, add = 1 + rnd(r, 4);
	uint32_t kind = rnd(r, 6);
	const char *lines[64];

	if (d->n - at > 0)
		n = 1 + rnd(r, (uint32_t)(d->n - at < 5 ? d->n - at : 5));
	for (i = 0; i < add; i++)
		lines[i] = draft_line(d, r);
	if (kind == 3 || kind == 4) {
		memcpy(lines, d->line + at, n * sizeof(lines[0]));
		add = n;
	}
	if (kind == 0 || kind == 2 || kind == 4)
		draft_delete(d, at, n);
	if (kind >= 3 && kind <= 4)
		at = rnd(r, (uint32_t)d->n + 1);
	if (kind != 0)
		draft_insert(d, at, lines, add);
	if (rnd(r, 40) == 0)
		d->open_end = !d->open_end;
}

/* Rewrites a passage: long paragraphs of unique lines, separated by empty lines. */
static inline void
draft_rewrite(struct draft *d, struct rnd *r)
{
	size_t at = rnd(r, (uint32_t)d->n + 1), rest = d->n - at, add = 20 + rnd(r, 40);
	const char *lines[64];

	draft_delete(d, at, rest < add ? rest : add);
	for (size_t i = 0; i < add; i++)
		lines[i] = rnd(r, 6) == 0 ? "" : arena_printf(d->a, "%s %u", d->side == NULL ? "base" : d->side, ++d->added);
	draft_insert(d, at, lines, add);
}

static inline void
draft_new(struct draft *d, struct arena *a, struct rnd *r)
{
	static const uint32_t sizes[] = { 1, 4, 12, 40, 40, 150, 600 };
	uint32_t n = rnd(r, sizes[rnd(r, 7)] + 1);

	*d = (struct draft){ .a = a, .letters = 1 + rnd(r, n * 2 + 2),
		.nl = rnd(r, 8) == 0 ? "\r\n" : "\n", .open_end = rnd(r, 6) == 0 };
	while (d->n < n)
		d->line[d->n++] = draft_line(d, r);
	if (rnd(r, 3) == 0)
		draft_rewrite(d, r);
}

static inline struct str
draft_text(const struct draft *d)
{
	struct buf b;

	buf_init(&b, d->a, 1 << 20);
	for (size_t i = 0; i < d->n; i++) {
		buf_str(&b, d->line[i]);
		if (i + 1 < d->n || !d->open_end)
			buf_str(&b, d->nl);
	}
	return buf_view(&b);
}

/* The draft with some edits by that side. */
static inline struct str
draft_edited(const struct draft *base, const char *side, struct rnd *r)
{
	struct draft *d = arena_alloc(base->a, sizeof(*d));
	uint32_t edits = rnd(r, 2 + (uint32_t)base->n / (1 + rnd(r, 20)));

	*d = *base;
	d->side = side;
	d->added = 0;
	if (rnd(r, 6) == 0)
		draft_rewrite(d, r);
	for (uint32_t i = 0; i <= edits; i++)
		draft_edit(d, r);
	return draft_text(d);
}

/* Writes a file in the test's directory. */
static inline void
file_write(struct arena *a, const char *dir, const char *name, struct str s)
{
	FILE *f = fopen(arena_printf(a, "%s/%s", dir, name), "wb");

	assert_non_null(f);
	assert_true(fwrite(s.p, 1, s.n, f) == s.n || s.n == 0);
	assert_int_equal(fclose(f), 0);
}

static inline struct str
file_drain(struct arena *a, FILE *f)
{
	char part[4096];
	struct buf b;
	size_t n;

	buf_init(&b, a, (size_t)1 << 26);
	while ((n = fread(part, 1, sizeof(part), f)) > 0)
		buf_add(&b, part, n);
	return buf_view(&b);
}

/* The output of a shell command; its exit status in *status, unless that is NULL. */
static inline struct str
command(struct arena *a, const char *line, int *status)
{
	FILE *f = popen(line, "r");
	struct str s;
	int st;

	assert_non_null(f);
	s = file_drain(a, f);
	st = pclose(f);
	if (status != NULL)
		*status = st;
	return s;
}

static inline bool
have_program(struct arena *a, const char *name)
{
	int status;

	command(a, arena_printf(a, "command -v %s", name), &status);
	return status == 0;
}

static inline void
remove_dir(struct arena *a, const char *dir)
{
	command(a, arena_printf(a, "rm -rf '%s'", dir), NULL);
}

/* Processor time of this process, so that a busy machine does not count. */
static inline double
seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

#endif
