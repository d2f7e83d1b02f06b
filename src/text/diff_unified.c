/* Writes unified diffs: hunks of changes with their context lines. */
#include "text/diff.h"
#include "text/merge_text.h"

struct writer {
	struct buf             *out;
	const struct diff_text *from, *to;
	size_t                  context;
};

/*
 * Write a hunk's range in one text as POSIX defines it: lines count from 1, and an empty range
 * names the line before it.
 */
static void
write_range(struct writer *w, char sign, size_t at, size_t n)
{
	buf_printf(w->out, "%c%zu", sign, n == 0 ? at : at + 1);
	if (n != 1)
		buf_printf(w->out, ",%zu", n);
}

/* Write lines with their sign: " " in both, "-" deleted, "+" inserted. */
static void
write_lines(struct writer *w, char sign, const struct diff_text *t, size_t from, size_t to)
{
	struct str s;

	for (; from < to; from++) {
		s = diff_lines(t, from, from + 1);
		buf_char(w->out, sign);
		buf_put(w->out, s);
		/* This is what diff and git write and what patch reads. */
		if (s.p[s.n - 1] != '\n')
			buf_str(w->out, "\n\\ No newline at end of file\n");
	}
}

/* Write one hunk of n changes. */
static void
write_hunk(struct writer *w, const struct diff_change *c, size_t n)
{
	const struct diff_change *last = &c[n - 1];
	/* There is less context at the ends of the text. */
	size_t before = c->x < w->context ? c->x : w->context, from = c->x - before;
	size_t rest = w->from->n - last->x - last->xn, after = rest < w->context ? rest : w->context;
	size_t at = from, i;

	buf_str(w->out, "@@ ");
	write_range(w, '-', from, last->x + last->xn + after - from);
	buf_char(w->out, ' ');
	write_range(w, '+', c->y - before, last->y + last->yn + after - (c->y - before));
	buf_str(w->out, " @@\n");
	for (i = 0; i < n; i++) {
		write_lines(w, ' ', w->from, at, c[i].x);
		write_lines(w, '-', w->from, c[i].x, c[i].x + c[i].xn);
		write_lines(w, '+', w->to, c[i].y, c[i].y + c[i].yn);
		at = c[i].x + c[i].xn;
	}
	write_lines(w, ' ', w->from, at, at + after);
}

/* Writes the hunks. Changes whose context lines meet are in one hunk. */
static void
write_hunks(struct writer *w, const struct diff_change *c, size_t count)
{
	size_t i, first = 0;

	for (i = 1; i <= count; i++)
		/* The end of the list closes the last hunk. */
		if (i == count || c[i].x - c[i - 1].x - c[i - 1].xn > 2 * w->context) {
			write_hunk(w, c + first, i - first);
			first = i;
		}
}

void
diff_unified(struct buf *out, struct arena *a, const char *from_name, const char *to_name,
    struct str from, struct str to, unsigned context)
{
	struct arena *scratch;
	struct diff_table *t;
	struct diff_change *c;
	struct diff_text x, y;
	size_t count;

	/* Like diff, write no header for equal texts. */
	if (str_eq(from, to))
		return;
	/* The arena needs no limit here, because stored texts are bounded. */
	scratch = arena_new(SIZE_MAX / 2);
	t = diff_table_new(scratch);
	x = diff_text(scratch, t, from);
	y = diff_text(scratch, t, to);
	c = diff_texts(a, t, &x, &y, &count);
	buf_printf(out, "--- %s\n+++ %s\n", from_name, to_name);
	write_hunks(&(struct writer){ out, &x, &y, context }, c, count);
	arena_free(scratch);
}
