/*
 * Approval tests: what seeded histories make is written as text and held against a file
 * of tests/fixtures/approved that a person has read. Whoever changes what is written
 * runs the test with OCTAVO_APPROVE=1, which writes the file anew, and reads the
 * difference before committing it.
 */
#ifndef APPROVED_FIXTURE_H
#define APPROVED_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

struct approved {
	struct arena *arena;      /* outlives the history's */
	struct buf    out;        /* the text so far */
};

static inline void
approved_begin(struct approved *r, struct arena *a)
{
	*r = (struct approved){ .arena = a };
	buf_init(&r->out, a, 4 << 20);
}

/* A value on one line, long runs of one character by their length; of NULL and "" nothing. */
static inline void
approved_text(struct approved *r, const char *name, struct str s)
{
	size_t i, run;

	if (s.n == 0)
		return;
	buf_printf(&r->out, " %s=", name);
	for (i = 0; i < s.n; i += run) {
		for (run = 1; i + run < s.n && s.p[i + run] == s.p[i]; run++)
			;
		buf_char(&r->out, s.p[i] == '\n' ? '|' : s.p[i]);
		if (run > 9)
			buf_printf(&r->out, "{%zu}", run);
		else
			run = 1;
	}
}

static inline char *
approved_file(struct approved *r, const char *path)
{
	FILE *file = fopen(path, "rb");
	char part[4096];
	struct buf b;
	size_t n;

	buf_init(&b, r->arena, 4 << 20);
	while (file != NULL && (n = fread(part, 1, sizeof(part), file)) > 0)
		buf_add(&b, part, n);
	if (file != NULL)
		fclose(file);
	buf_char(&b, '\0');
	return b.p;
}

/* Names the first line that differs; with OCTAVO_APPROVE the file is written instead. */
static inline void
approved_end(struct approved *r, const char *name)
{
	char *path = arena_printf(r->arena, "tests/fixtures/approved/%s", name), *want, *line = r->out.p;
	FILE *file;
	size_t i, number = 1;

	if (getenv("OCTAVO_APPROVE") != NULL) {
		assert_non_null(file = fopen(path, "wb"));
		assert_int_equal(fwrite(r->out.p, 1, r->out.n, file), r->out.n);
		assert_int_equal(fclose(file), 0);
		return;
	}
	want = approved_file(r, path);
	for (i = 0; i < r->out.n && r->out.p[i] == want[i]; i++)
		if (want[i] == '\n') {
			line = r->out.p + i + 1;
			number++;
		}
	if (i < r->out.n || want[i] != '\0')
		fail_msg("%s:%zu: expected \"%.*s\", got \"%.*s\" (OCTAVO_APPROVE=1 writes it anew)", path, number,
		    (int)strcspn(want + (line - r->out.p), "\n"), want + (line - r->out.p), (int)strcspn(line, "\n"), line);
}

#endif
