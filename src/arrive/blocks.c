/* Functions that all conversions of blocks use. Contract: blocks.h. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "blocks.h"

/*
 * LINE_MOST: maximum length of a line that is converted; CHANGED_MOST: of the result. Longer runs
 * of backquotes than BACKQUOTES_MOST are text.
 */
enum { LINE_MOST = 64 << 10, CHANGED_MOST = 64 << 20, BACKQUOTES_MOST = 80 };

/* ---- hints, expandables, tabs ---- */

const char *
hint_style(struct str name)
{
	static const char *const styles[][2] = { { "tip", "success" }, { "hint", "success" }, { "success", "success" },
		{ "check", "success" }, { "done", "success" }, { "warning", "warning" }, { "caution", "warning" },
		{ "attention", "warning" }, { "warn", "warning" }, { "failure", "danger" }, { "fail", "danger" },
		{ "missing", "danger" }, { "danger", "danger" }, { "error", "danger" }, { "bug", "danger" } };
	size_t i;

	for (i = 0; i < sizeof(styles) / sizeof(styles[0]); i++)
		if (name.n == strlen(styles[i][0]) && strncasecmp(name.p, styles[i][0], name.n) == 0)
			return styles[i][1];
	return "info";
}

char *
hint_title(struct arena *a, struct str name)
{
	char *s = arena_strndup(a, name.p, name.n);

	if (islower((unsigned char)s[0]))
		s[0] = (char)toupper((unsigned char)s[0]);
	return s;
}

void
text_gap(struct text *out, size_t at)
{
	if (out->n > 0 && !text_blank(out->v[out->n - 1].s))
		text_add(out, STR(""), at);
}

char *
tag_value(struct arena *a, struct str s)
{
	struct buf b;
	size_t i;

	buf_init(&b, a, s.n * 2 + 1);
	for (i = 0; i < s.n; i++) {
		if (s.p[i] == '"' || s.p[i] == '\\')
			buf_char(&b, '\\');
		buf_char(&b, s.p[i]);
	}
	return b.n == 0 ? "" : b.p;
}

char *
html_of_text(struct arena *a, struct str s)
{
	struct buf b;
	bool code = false;
	size_t i;

	/* A single backquote becomes 13 bytes. */
	buf_init(&b, a, s.n * 8 + 16);
	for (i = 0; i < s.n; i++) {
		if (s.p[i] == '`') {
			buf_str(&b, code ? "</code>" : "<code>");
			code = !code;
		} else if (s.p[i] == '<') {
			buf_str(&b, "&#x3C;");
		} else if (s.p[i] == '&') {
			buf_str(&b, "&#x26;");
		} else {
			buf_char(&b, s.p[i]);
		}
	}
	if (code)
		buf_str(&b, "</code>");
	return b.n == 0 ? "" : b.p;
}

void
hint_open(struct text *out, struct str pad, const char *style, struct str title, size_t at)
{
	text_gap(out, at);
	text_printf(out, at, "%.*s{%% hint style=\"%s\" %%}", (int)pad.n, pad.p, style);
	if (title.n > 0) {
		/* A title may contain marks (bold, code). */
		text_printf(out, at, memchr(title.p, '*', title.n) != NULL ? "%.*s%.*s" : "%.*s**%.*s**", (int)pad.n, pad.p,
		    (int)title.n, title.p);
		text_add(out, STR(""), at);
	}
}

void
hint_close(struct text *out, struct str pad, size_t at)
{
	text_printf(out, at, "%.*s{%% endhint %%}", (int)pad.n, pad.p);
}

void
details_open(struct text *out, struct str pad, struct str title, bool open, size_t at)
{
	text_gap(out, at);
	text_printf(out, at, "%.*s<details%s>", (int)pad.n, pad.p, open ? " open" : "");
	text_add(out, STR(""), at);
	text_printf(out, at, "%.*s<summary>%s</summary>", (int)pad.n, pad.p, html_of_text(out->arena, title));
	text_add(out, STR(""), at);
}

void
details_close(struct text *out, struct str pad, size_t at)
{
	text_gap(out, at);
	text_printf(out, at, "%.*s</details>", (int)pad.n, pad.p);
	text_add(out, STR(""), at);
}

void
tab_open(struct text *out, struct str pad, struct str title, size_t at)
{
	text_printf(out, at, "%.*s{%% tab title=\"%s\" %%}", (int)pad.n, pad.p, tag_value(out->arena, title));
}

/* ---- runs of text ---- */

static void
change_line(struct text *text, struct line *l, void (*change)(void *ctx, struct str run, size_t at, struct buf *out), void *ctx)
{
	struct str s = l->s;
	size_t from = 0, i = 0, n, end;
	struct buf b;

	buf_init(&b, text->arena, CHANGED_MOST);
	while (i < s.n) {
		if (s.p[i] != '`') {
			i++;
			continue;
		}
		for (n = 1; i + n < s.n && s.p[i + n] == '`'; n++)
			;
		for (end = i + n; n <= BACKQUOTES_MOST && end + n <= s.n; end++) {
			size_t k = 0;
			while (end + k < s.n && s.p[end + k] == '`')
				k++;
			if (k == n)
				break;
			end += k > 0 ? k - 1 : 0;
		}
		if (end + n > s.n || n > BACKQUOTES_MOST) {
			i += n;
			continue;
		}
		change(ctx, str_slice(s, from, i), l->at, &b);
		buf_put(&b, str_slice(s, i, end + n));
		from = i = end + n;
	}
	change(ctx, str_slice(s, from, s.n), l->at, &b);
	l->s = buf_view(&b);
	if (l->s.p == NULL)
		l->s = STR("");
}

void
text_change(struct arrival *t, struct arrival_page *p, struct text *text,
    void (*change)(void *ctx, struct str run, size_t at, struct buf *out), void *ctx)
{
	struct fence f = { 0 };
	size_t i;

	for (i = 0; i < text->n; i++)
		if (fence_step(&f, text->v[i].s))
			continue;
		else if (text->v[i].s.n <= LINE_MOST)
			change_line(text, &text->v[i], change, ctx);
		else
			arrival_warn(t, page_source(p), text->v[i].at, "the line has more than %d bytes: its %s syntax stays as it is", LINE_MOST,
			    t->reader->title);
}

void
text_split(struct text *text)
{
	struct text out = { .arena = text->arena };
	struct fence f = { 0 };
	size_t i, skip;

	for (i = 0; i < text->n; i++) {
		struct str s = text->v[i].s;
		const char *end;
		text_indent(s, &skip);
		if (fence_step(&f, s) || memchr(s.p, '\n', s.n) == NULL) {
			text_add(&out, s, text->v[i].at);
			continue;
		}
		while (s.n > 0) {
			struct str one = (end = memchr(s.p, '\n', s.n)) == NULL ? s : str_slice(s, 0, (size_t)(end - s.p));
			s = end == NULL ? str_slice(s, s.n, s.n) : str_slice(s, one.n + 1, s.n);
			if (text_blank(one))
				text_gap(&out, text->v[i].at);
			else
				text_printf(&out, text->v[i].at, "%.*s%.*s", one.n > 0 && isspace((unsigned char)one.p[0]) ? 0 : (int)skip,
				    text->v[i].s.p, (int)one.n, one.p);
		}
	}
	*text = out;
}

struct str
attribute(struct str list, const char *key)
{
	size_t n = strlen(key), i, end;

	for (i = 0; i + n < list.n; i++) {
		if (memcmp(list.p + i, key, n) != 0 || list.p[i + n] != '=' ||
		    (i > 0 && (isalnum((unsigned char)list.p[i - 1]) || list.p[i - 1] == '-')))
			continue;
		i += n + 1;
		if (i < list.n && (list.p[i] == '"' || list.p[i] == '\'')) {
			char quote = list.p[i++];
			for (end = i; end < list.n && list.p[end] != quote; end++)
				;
		} else {
			for (end = i; end < list.n && !isspace((unsigned char)list.p[end]) && list.p[end] != '}'; end++)
				;
		}
		return str_slice(list, i, end);
	}
	return (struct str){ NULL, 0 };
}
