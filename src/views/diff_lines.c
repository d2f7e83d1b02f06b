/* The lines of a unified diff, with comments between them. Contract: space_parts.h. */
#include <stdlib.h>

#include "base/json.h"
#include "space_parts.h"

/*
 * A line of the diff while it is read. number: number of the line in the new text; if only the old
 * text has the line, number of the line of the new text before it.
 */
struct diff_line {
	struct str  text;
	const char *next;
	int64_t     number;
	bool        in_hunk;
};

/*
 * The row above has the names of the files, which come before the first hunk. Whether a text ends with a newline
 * ("\\ No newline at end of file") has no meaning in Markdown.
 */
static bool
is_unshown(const struct diff_line *d)
{
	return !d->in_hunk || *d->text.p == '\\';
}

/*
 * Reads the next line that is shown, from d->next on; false: there is none. Before the first call,
 * the caller sets d->next to the beginning of the diff.
 */
static bool
read_line(struct diff_line *d)
{
	do {
		size_t n = strcspn(d->next, "\n");

		if (*d->next == '\0')
			return false;
		d->text = (struct str){ d->next, n };
		d->next += n + (d->next[n] != '\0');
		d->in_hunk = d->in_hunk || *d->text.p == '@';
	} while (is_unshown(d));
	if (*d->text.p == '@') {
		const char *plus = strchr(d->text.p, '+');

		d->number = plus != NULL ? strtoll(plus + 1, NULL, 10) - 1 : 0;
	} else if (*d->text.p != '-') {
		d->number++;
	}
	return true;
}

struct diff_size
size_of_diff(const char *diff)
{
	struct diff_line d = { .next = diff };
	struct diff_size size = { 0 };

	while (read_line(&d)) {
		size.lines++;
		size.added += *d.text.p == '+';
		size.removed += *d.text.p == '-';
	}
	return size;
}

/* True if the line is one of the new text. */
static bool
is_new(const struct diff_line *d)
{
	return *d->text.p != '-' && *d->text.p != '@';
}

int64_t
shown_line(const char *diff, int64_t first, int64_t last)
{
	struct diff_line d = { .next = diff };
	int64_t found = 0;

	while (read_line(&d))
		if (is_new(&d) && d.number >= first && d.number <= last)
			found = d.number;
	return found;
}

/*
 * Lines of one kind follow each other in one element. kind: the first byte of the line; '\0': none was written.
 * node: what a comment on the line is on; NULL: none is offered.
 */
static void
write_line(struct html *h, struct str line, char *kind, struct talk *t, const cJSON *node)
{
	const char *class = *line.p == '+' ? "ins" : *line.p == '-' ? "del" : *line.p == '@' ? "at" : NULL;

	if (*kind != '\0' && *kind != *line.p)
		h_close(h);
	if (*kind != *line.p)
		h_el(h, "span", "class", class, NULL);
	*kind = *line.p;
	if (node != NULL)
		write_line_link(t, node);
	h_textn(h, line);
	h_text(h, "\n");
}

static void
begin_lines(struct html *h, char *kind)
{
	h_el(h, "pre", "dir", "ltr", "tabindex", "0", NULL);
	*kind = '\0';
}

static void
end_lines(struct html *h, char kind)
{
	if (kind != '\0')
		h_close(h);
	h_close(h);
}

/* The entry of the list of lines (of ?lines in the API) that has the line, from *at on; NULL: none. */
static const cJSON *
entry_at(const cJSON **at, int64_t line)
{
	while (*at != NULL && (int64_t)json_number_of(*at, "last", 0) < line)
		*at = (*at)->next;
	return *at != NULL && (int64_t)json_number_of(*at, "first", 0) <= line ? *at : NULL;
}

/* The line after which the form of a new comment is shown; 0: it is not in this difference. */
static int64_t
line_of_form(struct talk *t, const cJSON *change)
{
	const char *wanted = t != NULL ? query_value(t->v, "comment") : NULL;
	const cJSON *one;

	cJSON_ArrayForEach(one, json_member(change, "lines"))
		if (wanted != NULL && strcmp(json_text_or_empty(one, "node"), wanted) == 0)
			return shown_line(json_text_or_empty(change, "diff"), (int64_t)json_number_of(one, "first", 0), (int64_t)json_number_of(one, "last", 0));
	return 0;
}

void
write_diff_lines(struct view *v, const cJSON *change, struct talk *t, int number)
{
	struct diff_line d = { .next = json_text_or_empty(change, "diff") };
	const cJSON *lines = json_member(change, "lines"), *at = lines != NULL && t != NULL && t->may_write ? lines->child : NULL;
	int64_t form = at != NULL ? line_of_form(t, change) : 0;
	struct html *h = &v->h;
	bool open = false;
	char kind;

	while (read_line(&d)) {
		if (!open)
			begin_lines(h, &kind);
		open = true;
		write_line(h, d.text, &kind, t, is_new(&d) ? entry_at(&at, d.number) : NULL);
		/* After a line of the new text with comments or the form, the list of lines is interrupted for these. */
		if (t == NULL || !is_new(&d) || (d.number != form && !has_comment_at(t, number, d.number)))
			continue;
		end_lines(h, kind);
		write_comments_at(t, number, d.number, NULL);
		if (d.number == form)
			write_line_form(t, change);
		open = false;
	}
	if (open)
		end_lines(h, kind);
}
