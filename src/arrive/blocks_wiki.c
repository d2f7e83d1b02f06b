/*
 * Converts syntax of Obsidian: [[Note#Heading|text]], ![[picture.png|300]], ![[Note]], > [!note]
 * callouts, ==marks==, %%remarks%%, blocks ^named.
 */
#include <ctype.h>
#include <string.h>

#include "blocks.h"

struct wiki {
	struct arrival      *t;
	struct arrival_page *p;
	struct arena        *a;
};

static bool
is_picture(struct str path)
{
	static const char *const ends[] = { ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".avif", ".bmp" };
	size_t i;

	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (path_ends(path, ends[i]))
			return true;
	return false;
}

static void
put_wiki(struct wiki *w, struct str inner, bool embed, size_t at, struct buf *out)
{
	const char *bar = memchr(inner.p, '|', inner.n), *hash;
	struct str target = bar == NULL ? inner : str_slice(inner, 0, (size_t)(bar - inner.p)), name, fragment = STR("");
	struct str shown = bar == NULL ? target : str_slice(inner, target.n + 1, inner.n);
	struct arrival_target found;

	/* In a table the bar is escaped. */
	if (target.n > 0 && target.p[target.n - 1] == '\\')
		target.n--;
	hash = memchr(target.p, '#', target.n);
	name = str_trim(hash == NULL ? target : str_slice(target, 0, (size_t)(hash - target.p)));
	/* A link may name a heading below another one ("#A#B"); the last one is meant. */
	if (hash != NULL) {
		hash = memrchr(target.p, '#', target.n);
		fragment = str_of(slug_from_heading(w->a, str_slice(target, (size_t)(hash - target.p) + 1, target.n)));
	}
	if (name.n > 0 && !target_find(w->t, w->p, name, &found)) {
		arrival_warn(w->t, page_source(w->p), at, "nothing is at [[%.*s]]; its text stays", (int)(inner.n < 200 ? inner.n : 200), inner.p);
		buf_put(out, shown);
	} else if (embed && is_picture(name)) {
		bool width = bar != NULL && shown.n > 0 && isdigit((unsigned char)shown.p[0]);
		buf_printf(out, "<img src=\"%.*s\" alt=\"%s\"", (int)name.n, name.p, bar != NULL && !width ? html_of_text(w->a, shown) : "");
		if (width)
			buf_printf(out, " width=\"%.*s\"", (int)text_until(shown, "xX |").n, shown.p);
		buf_char(out, '>');
	} else if (embed) {
		buf_printf(out, "\n{%% content-ref url=\"%.*s%s%.*s\" %%}\n{%% endcontent-ref %%}\n", (int)name.n, name.p,
		    fragment.n > 0 ? "#" : "", (int)fragment.n, fragment.p);
	} else {
		buf_printf(out, "[%.*s](<%.*s%s%.*s>)", (int)shown.n, shown.p, (int)name.n, name.p, fragment.n > 0 ? "#" : "",
		    (int)fragment.n, fragment.p);
	}
}

/* The length of "^name" at i, at the end of a line: links lead to the block that ends there. 0: there is none. */
static size_t
block_name(struct str s, size_t i)
{
	size_t k = i + 1, end;

	if (s.p[i] != '^' || (i > 0 && s.p[i - 1] != ' ' && s.p[i - 1] != '\n'))
		return 0;
	while (k < s.n && (isalnum((unsigned char)s.p[k]) || s.p[k] == '-'))
		k++;
	for (end = k; end < s.n && (s.p[end] == ' ' || s.p[end] == '\r'); end++)
		;
	return k > i + 1 && (end == s.n || s.p[end] == '\n') ? k - i : 0;
}

static void
change_run(void *ctx, struct str s, size_t at, struct buf *out)
{
	struct wiki *w = ctx;
	size_t i = 0;

	while (i < s.n) {
		struct str rest = str_slice(s, i, s.n);
		bool embed = str_starts(rest, "![[");
		const char *end = NULL;
		size_t name = block_name(s, i);

		if (embed || str_starts(rest, "[["))
			end = memmem(rest.p, rest.n, "]]", 2);
		if (end != NULL) {
			put_wiki(w, str_slice(rest, embed ? 3 : 2, (size_t)(end - rest.p)), embed, at, out);
			i += (size_t)(end - rest.p) + 2;
		} else if (str_starts(rest, "%%") && rest.n > 2 && (end = memmem(rest.p + 2, rest.n - 2, "%%", 2)) != NULL) {
			buf_printf(out, "<!-- %.*s -->", (int)(end - rest.p - 2), rest.p + 2);
			i += (size_t)(end - rest.p) + 2;
		} else if (str_starts(rest, "==") && rest.n > 4 && !isspace((unsigned char)rest.p[2]) && rest.p[2] != '=' &&
		    (end = memmem(rest.p + 2, rest.n - 2, "==", 2)) != NULL) {
			buf_printf(out, "<mark style=\"color:default;background-color:yellow;\">%.*s</mark>", (int)(end - rest.p - 2), rest.p + 2);
			i += (size_t)(end - rest.p) + 2;
		} else if (name > 0) {
			buf_printf(out, "<a id=\"%s\"></a>", slug_from_heading(w->a, str_slice(s, i + 1, i + name)));
			i += name;
		} else {
			buf_char(out, s.p[i++]);
		}
	}
}

/* The text of a line of a quote, without its mark; p NULL: the line is not part of a quote. */
static struct str
quoted_text(struct str s)
{
	struct str t = text_outdent(s, 3);

	if (t.n == 0 || t.p[0] != '>')
		return (struct str){ NULL, 0 };
	return str_slice(t, 1 + (t.n > 1 && t.p[1] == ' '), t.n);
}

static void convert_callouts(struct text *in, struct text *out, unsigned depth);

/* "[!note]- Title" and the lines of its quote; returns the line behind it. */
static size_t
put_callout(struct text *in, size_t i, struct text *out, unsigned depth)
{
	struct str head = quoted_text(in->v[i].s), name, title;
	const char *end = memchr(head.p, ']', head.n);
	struct text inner = { .arena = out->arena };
	size_t at = in->v[i].at, k;
	bool folds;

	name = str_slice(head, 2, (size_t)(end - head.p));
	title = str_slice(head, name.n + 3, head.n);
	folds = title.n > 0 && (title.p[0] == '-' || title.p[0] == '+');
	title = str_trim(str_slice(title, folds, title.n));
	for (k = i + 1; k < in->n && quoted_text(in->v[k].s).p != NULL; k++)
		text_add(&inner, quoted_text(in->v[k].s), in->v[k].at);
	if (folds)
		details_open(out, STR(""), title.n > 0 ? title : str_of(hint_title(out->arena, name)), head.p[name.n + 3] == '+', at);
	else
		hint_open(out, STR(""), hint_style(name), title, at);
	convert_callouts(&inner, out, depth + 1);
	if (folds)
		details_close(out, STR(""), at);
	else
		hint_close(out, STR(""), at);
	return k;
}

static void
convert_callouts(struct text *in, struct text *out, unsigned depth)
{
	struct fence f = { 0 };
	size_t i = 0;

	while (i < in->n) {
		struct str q = fence_step(&f, in->v[i].s) || depth > 10 ? (struct str){ NULL, 0 } : quoted_text(in->v[i].s);
		if (q.p != NULL && str_starts(q, "[!") && memchr(q.p, ']', q.n) != NULL) {
			i = put_callout(in, i, out, depth);
		} else {
			text_add(out, in->v[i].s, in->v[i].at);
			i++;
		}
	}
}

void
convert_wiki(struct arrival *t, struct arrival_page *p, struct text *text)
{
	struct wiki w = { t, p, text->arena };
	struct text out = { .arena = text->arena };

	convert_callouts(text, &out, 0);
	*text = out;
	text_change(t, p, text, change_run, &w);
	text_split(text);
}
