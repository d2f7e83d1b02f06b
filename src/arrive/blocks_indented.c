/*
 * Blocks of Python-Markdown whose content is indented by four columns: admonitions (!!! note
 * "Title"), collapsible admonitions (??? note), and tabs (=== "Title").
 */
#include <ctype.h>
#include <string.h>

#include "blocks.h"

enum { NEST_MOST = 20 };

struct converting {
	struct text *out;
	size_t       depth;
};

/*
 * Index of the first line after the content of the block that begins at line i. Blank lines at the
 * end do not belong to the content.
 */
static size_t
block_end(const struct line *v, size_t n, size_t i, size_t columns)
{
	size_t end = i + 1, k;

	for (k = i + 1; k < n; k++) {
		if (text_blank(v[k].s))
			continue;
		if (text_indent(v[k].s, NULL) < columns + 4)
			break;
		end = k + 1;
	}
	return end;
}

static void convert_lines(struct converting *c, struct line *v, size_t n, struct str pad);

static void
convert_content(struct converting *c, struct line *v, size_t n, size_t columns, struct str pad)
{
	size_t k;

	for (k = 0; k < n; k++)
		v[k].s = text_outdent(v[k].s, columns + 4);
	convert_lines(c, v, n, pad);
}

/* The text in the last pair of quotes of a line; p NULL: there is none. */
static struct str
last_quoted(struct str s)
{
	const char *from = memchr(s.p, '"', s.n), *to = from == NULL ? NULL : memrchr(s.p, '"', s.n);

	return from == NULL || to == from ? (struct str){ NULL, 0 } : (struct str){ from + 1, (size_t)(to - from - 1) };
}

static struct str
first_word(struct str s)
{
	size_t n = 0;

	while (n < s.n && (isalnum((unsigned char)s.p[n]) || s.p[n] == '-' || s.p[n] == '_'))
		n++;
	return str_slice(s, 0, n);
}

/* Reads a line such as !!! note inline "Title". The marks must be at the beginning of the line. */
static void
convert_admonition(struct converting *c, struct line *v, size_t end, struct str s, struct str pad, size_t columns)
{
	bool folds = s.p[0] == '?', open = folds && s.n > 3 && s.p[3] == '+';
	struct str rest = str_trim(str_slice(s, open ? 4 : 3, s.n)), name = first_word(rest), title = last_quoted(rest);

	if (folds) {
		if (title.n == 0)
			title = str_of(hint_title(c->out->arena, name));
		details_open(c->out, pad, title, open, v->at);
	} else {
		if (title.p != NULL && str_is(title, hint_title(c->out->arena, name)))
			title.n = 0;
		hint_open(c->out, pad, hint_style(name), title, v->at);
	}
	convert_content(c, v + 1, end - 1, columns, pad);
	if (folds)
		details_close(c->out, pad, v[end - 1].at);
	else
		hint_close(c->out, pad, v[end - 1].at);
}

static bool
is_tab(struct str s)
{
	return str_starts(s, "===") && s.n > 4 && (s.p[3] == ' ' || s.p[3] == '!' || s.p[3] == '+') && last_quoted(s).p != NULL;
}

/* Converts a group of consecutive tabs. Returns the line after them. */
static size_t
convert_tabs(struct converting *c, struct line *v, size_t n, size_t i, size_t columns, struct str pad)
{
	size_t end, next, skip;
	bool first = true;

	text_gap(c->out, v[i].at);
	text_printf(c->out, v[i].at, "%.*s{%% tabs %%}", (int)pad.n, pad.p);
	for (;;) {
		struct str s = str_slice(v[i].s, (text_indent(v[i].s, &skip), skip), v[i].s.n);

		/* "===!" begins a new group. */
		if (!first && s.p[3] == '!')
			break;
		first = false;
		end = block_end(v, n, i, columns);
		tab_open(c->out, pad, last_quoted(s), v[i].at);
		convert_content(c, v + i + 1, end - i - 1, columns, pad);
		text_printf(c->out, v[end - 1].at, "%.*s{%% endtab %%}", (int)pad.n, pad.p);
		for (next = end; next < n && text_blank(v[next].s); next++)
			;
		i = end;
		if (next >= n || text_indent(v[next].s, &skip) != columns || !is_tab(str_slice(v[next].s, skip, v[next].s.n)))
			break;
		i = next;
	}
	text_printf(c->out, v[end - 1].at, "%.*s{%% endtabs %%}", (int)pad.n, pad.p);
	return end;
}

static void
convert_lines(struct converting *c, struct line *v, size_t n, struct str pad)
{
	struct fence f = { 0 };
	size_t i = 0, columns, skip, end;

	c->depth++;
	while (i < n) {
		struct str s = v[i].s, body, inner;

		columns = text_indent(s, &skip);
		body = str_slice(s, skip, s.n);
		if (fence_step(&f, s) || c->depth > NEST_MOST ||
		    !(str_starts(body, "!!! ") || str_starts(body, "??? ") || str_starts(body, "???+ ") || is_tab(body))) {
			if (text_blank(s))
				text_add(c->out, STR(""), v[i].at);
			else
				text_printf(c->out, v[i].at, "%.*s%.*s", (int)pad.n, pad.p, (int)s.n, s.p);
			i++;
			continue;
		}
		inner = str_of(arena_printf(c->out->arena, "%.*s%*s", (int)pad.n, pad.p, (int)columns, ""));
		if (is_tab(body)) {
			i = convert_tabs(c, v, n, i, columns, inner);
			continue;
		}
		end = block_end(v, n, i, columns);
		convert_admonition(c, v + i, end - i, body, inner, columns);
		i = end;
	}
	c->depth--;
}

void
convert_admonitions(struct arrival *t, struct arrival_page *p, struct text *text)
{
	struct text out = { .arena = text->arena };
	struct converting c = { .out = &out };

	(void)t;
	(void)p;
	convert_lines(&c, text->v, text->n, STR(""));
	*text = out;
}
