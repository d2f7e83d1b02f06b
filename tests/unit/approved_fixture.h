/*
 * Approval tests: the results of seeded histories are written as text and compared with a file of
 * tests/fixtures/approved that a person has read. The file begins with the question that its
 * reviewer answers. It holds a few histories as text, chosen so that each kind of line occurs, and
 * of the others the number of lines and a hash: a change of any history fails the test, and the
 * texts are short enough to be read.
 *
 * After an intended change, run with OCTAVO_APPROVE=1 to rewrite the file, and review its
 * difference before you commit it. OCTAVO_HISTORY=17 writes history 17 as text as well, to compare
 * it with the result of the commit before.
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
	struct arena   *arena;     /* outlives the arena of a history */
	struct buf      out;       /* the text so far */
	const unsigned *shown;     /* numbers of the histories kept as text, ended by 0 */
	unsigned        number;    /* of the current history, 0 before the first */
	size_t          from;      /* offset of the current history in out */
};

static inline void
approved_begin(struct approved *r, struct arena *a, const char *question, const unsigned *shown)
{
	*r = (struct approved){ .arena = a, .shown = shown };
	buf_init(&r->out, a, 4 << 20);
	buf_printf(&r->out, "# %s\n", question);
}

/* FNV-1a. */
static inline uint64_t
approved_hash(const char *p, size_t n)
{
	uint64_t h = UINT64_C(14695981039346656037);

	for (; n > 0; n--)
		h = (h ^ (unsigned char)*p++) * UINT64_C(1099511628211);
	return h;
}

/* Replaces a history that is not shown by its number of lines and its hash. */
static inline void
approved_fold(struct approved *r)
{
	const char *wanted = getenv("OCTAVO_HISTORY"), *text = r->out.p + r->from;
	const unsigned *shown = r->shown;
	size_t n = r->out.n - r->from, lines = 0, i;
	uint64_t hash;

	if (r->number == 0 || (wanted != NULL && strtoul(wanted, NULL, 10) == r->number))
		return;
	for (; *shown != 0; shown++)
		if (*shown == r->number)
			return;
	for (i = 0; i < n; i++)
		lines += text[i] == '\n';
	hash = approved_hash(text, n);
	buf_cut(&r->out, n);
	buf_printf(&r->out, "history %u: %zu lines, %016llx\n", r->number, lines, (unsigned long long)hash);
}

/* Ends the current history and begins the next one. */
static inline void
approved_history(struct approved *r, unsigned number)
{
	approved_fold(r);
	r->number = number;
	r->from = r->out.n;
	buf_printf(&r->out, "history %u\n", number);
}

/* Writes a value on one line, and runs of one character as their length; writes nothing for NULL and "". */
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

/* Compares with the file and names the first line that differs; under OCTAVO_APPROVE it writes the file instead. */
static inline void
approved_end(struct approved *r, const char *name)
{
	char *path = arena_printf(r->arena, "tests/fixtures/approved/%s", name), *want, *line;
	FILE *file;
	size_t i, number = 1;

	approved_fold(r);
	line = r->out.p;
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
		fail_msg("%s:%zu: expected \"%.*s\", got \"%.*s\" (OCTAVO_HISTORY=N shows history N, OCTAVO_APPROVE=1 writes the file anew)", path, number,
		    (int)strcspn(want + (line - r->out.p), "\n"), want + (line - r->out.p), (int)strcspn(line, "\n"), line);
}

#endif
