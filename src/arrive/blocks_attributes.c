/* Attribute lists of Python-Markdown, and its inline syntax: keys, marked text, icons, abbreviations. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "blocks.h"

struct changing {
	struct arrival      *t;
	struct arrival_page *p;
	struct arena        *a;
};

/* Length of an attribute list at the beginning of s, "{: .x }" or "{ #id }"; 0: there is none. */
static size_t
list_length(struct str s)
{
	size_t i = 1, n;
	const char *end;

	if (s.n < 3 || s.p[0] != '{' || (end = memchr(s.p, '}', s.n)) == NULL)
		return 0;
	while (i < s.n && (s.p[i] == ' ' || s.p[i] == ':'))
		i++;
	for (n = i; n < s.n && (isalnum((unsigned char)s.p[n]) || s.p[n] == '-' || s.p[n] == '_' || s.p[n] == ':'); n++)
		;
	return s.p[i] == '.' || s.p[i] == '#' || (n > i && n < s.n && s.p[n] == '=') ? (size_t)(end - s.p) + 1 : 0;
}

static void
report_attributes(struct changing *c, struct str list, size_t at)
{
	arrival_warn_once(c->t, page_source(c->p), at, "the attributes %.*s have no equal here; left out",
	    (int)(list.n < 200 ? list.n : 200), list.p);
}

/* The id of an attribute list; n 0: none. */
static struct str
list_id(struct str list)
{
	size_t i, end;

	for (i = 1; i < list.n; i++)
		if (list.p[i] == '#' && (list.p[i - 1] == ' ' || list.p[i - 1] == '{' || list.p[i - 1] == ':')) {
			for (end = i + 1; end < list.n && !isspace((unsigned char)list.p[end]) && list.p[end] != '}'; end++)
				;
			return str_slice(list, i + 1, end);
		}
	return attribute(list, "id");
}

/* Position of the link or image "[text](url)" at the end of out; SIZE_MAX: there is none. */
static size_t
link_start(const struct buf *out, size_t *middle)
{
	size_t i = out->n;

	if (i == 0 || out->p[i - 1] != ')')
		return SIZE_MAX;
	while (i > 1 && !(out->p[i - 1] == '(' && out->p[i - 2] == ']'))
		i--;
	if (i <= 1)
		return SIZE_MAX;
	*middle = i - 1;
	for (i -= 2; i > 0 && out->p[i - 1] != '['; i--)
		;
	if (i == 0)
		return SIZE_MAX;
	return i >= 2 && out->p[i - 2] == '!' ? i - 2 : i - 1;
}

static bool
has_class(struct str list, const char *name)
{
	return memmem(list.p, list.n, name, strlen(name)) != NULL;
}

/* Applies an attribute list after a link or image. Buttons and widths have an equivalent in our dialect. */
static void
put_linked(struct changing *c, struct str list, size_t at, struct buf *out)
{
	size_t middle, from = link_start(out, &middle);
	struct str width = attribute(list, "width"), text, url;
	bool picture;

	if (from == SIZE_MAX) {
		report_attributes(c, list, at);
		return;
	}
	picture = out->p[from] == '!';
	text = str_of(arena_strndup(c->a, out->p + from + picture + 1, middle - 2 - from - picture));
	url = str_of(arena_strndup(c->a, out->p + middle + 1, out->n - middle - 2));
	if (memchr(url.p, '"', url.n) != NULL || memchr(url.p, ' ', url.n) != NULL) {
		report_attributes(c, list, at);
	} else if (!picture && has_class(list, ".md-button")) {
		buf_cut(out, out->n - from);
		buf_printf(out, "<a href=\"%.*s\" class=\"button %s\">%s</a>", (int)url.n, url.p,
		    has_class(list, "--primary") ? "primary" : "secondary", html_of_text(c->a, text));
	} else if (picture && width.n > 0 && from == 0) {
		buf_cut(out, out->n - from);
		buf_printf(out, "<figure><img src=\"%.*s\" alt=\"%s\" width=\"%.*s\"><figcaption></figcaption></figure>", (int)url.n,
		    url.p, html_of_text(c->a, text), (int)width.n, width.p);
	} else if (!has_class(list, "target=")) {
		report_attributes(c, list, at);
	}
}

/* Length of an icon that is left out, with a blank beside it: two blanks after "-" would make text below it code. */
static size_t
length_left_out(struct str s, size_t n, const struct buf *out)
{
	return n < s.n && s.p[n] == ' ' && (out->n == 0 || strchr(" [", out->p[out->n - 1]) != NULL) ? n + 1 : n;
}

/* Converts ":fontawesome-brands-github:". Returns its length; 0: no icon. */
static size_t
put_icon(struct changing *c, struct str s, size_t at, struct buf *out)
{
	static const char *const sets[] = { "material-", "octicons-", "fontawesome-", "simple-" };
	const char *end = memchr(s.p + 1, ':', s.n - 1);
	struct str name;
	size_t i, n;

	if (end == NULL)
		return 0;
	name = str_slice(s, 1, (size_t)(end - s.p));
	for (i = 0; i < name.n; i++)
		if (!isalnum((unsigned char)name.p[i]) && name.p[i] != '-')
			return 0;
	for (i = 0; i < sizeof(sets) / sizeof(sets[0]) && !str_starts(name, sets[i]); i++)
		;
	if (i == sizeof(sets) / sizeof(sets[0]))
		return 0;
	if (i == 2) {
		n = str_starts(name, "fontawesome-brands-") ? 19 : str_starts(name, "fontawesome-solid-") ? 18 :
		    str_starts(name, "fontawesome-regular-") ? 20 : 12;
		buf_printf(out, "<i class=\"fa-%.*s\">:%.*s:</i>", (int)(name.n - n), name.p + n, (int)(name.n - n), name.p + n);
	} else {
		arrival_warn_once(c->t, page_source(c->p), at, "the icon \":%.*s:\" has no equal here; left out", (int)name.n, name.p);
		return length_left_out(s, name.n + 2, out);
	}
	return name.n + 2;
}

/* Converts "++ctrl+c++" to keys. Returns its length; 0: none. */
static size_t
put_keys(struct str s, struct buf *out)
{
	size_t i, from = 2, end;

	for (end = 2; end + 1 < s.n && !(s.p[end] == '+' && s.p[end + 1] == '+'); end++)
		if (isspace((unsigned char)s.p[end]))
			return 0;
	if (end + 1 >= s.n || end == 2)
		return 0;
	for (i = 2; i <= end; i++)
		if (i == end || s.p[i] == '+') {
			struct str key = str_slice(s, from, i);
			if (key.n > 1 && key.p[0] == '"' && key.p[key.n - 1] == '"')
				key = str_slice(key, 1, key.n - 1);
			buf_printf(out, "%s<kbd>", from > 2 ? "+" : "");
			if (key.n > 0)
				buf_char(out, (char)toupper((unsigned char)key.p[0]));
			buf_printf(out, "%.*s</kbd>", key.n > 0 ? (int)(key.n - 1) : 0, key.n > 0 ? key.p + 1 : "");
			from = i + 1;
		}
	return end + 2;
}

static size_t
put_marked(struct str s, struct buf *out)
{
	const char *end = s.n > 4 && !isspace((unsigned char)s.p[2]) && s.p[2] != '=' ? memmem(s.p + 2, s.n - 2, "==", 2) : NULL;

	if (end == NULL)
		return 0;
	buf_printf(out, "<mark style=\"color:default;background-color:yellow;\">%.*s</mark>", (int)(end - s.p - 2), s.p + 2);
	return (size_t)(end - s.p) + 2;
}

static void
change_run(void *ctx, struct str s, size_t at, struct buf *out)
{
	struct changing *c = ctx;
	size_t i = 0, n;

	while (i < s.n) {
		struct str rest = str_slice(s, i, s.n);

		n = 0;
		if (rest.p[0] == '{' && out->n > 0 && strchr(")*_`]>", out->p[out->n - 1]) != NULL && (n = list_length(rest)) > 0)
			put_linked(c, str_slice(rest, 0, n), at, out);
		else if (rest.p[0] == ':' && rest.n > 2)
			n = put_icon(c, rest, at, out);
		else if (rest.n > 4 && rest.p[0] == '+' && rest.p[1] == '+')
			n = put_keys(rest, out);
		else if (rest.n > 4 && rest.p[0] == '=' && rest.p[1] == '=')
			n = put_marked(rest, out);
		if (n == 0) {
			buf_char(out, rest.p[0]);
			n = 1;
		}
		i += n;
	}
}

/* Keeps the id of a heading "## Title { #id .class }", in the form that our documents use. */
static void
change_heading(struct changing *c, struct text *text, struct line *l)
{
	const char *open = memrchr(l->s.p, '{', l->s.n);
	struct str list, id, before;

	if (open == NULL)
		return;
	list = str_slice(l->s, (size_t)(open - l->s.p), l->s.n);
	if (list_length(list) == 0 || !text_blank(str_slice(list, list_length(list), list.n)))
		return;
	before = str_trim(str_slice(l->s, 0, (size_t)(open - l->s.p)));
	id = list_id(list);
	if (id.n > 0)
		l->s = str_of(arena_printf(text->arena, "%.*s {#%.*s}", (int)before.n, before.p, (int)id.n, id.p));
	else {
		report_attributes(c, list, l->at);
		l->s = before;
	}
}

/* Removes lines that consist of an attribute list, an abbreviation or the place of a table of contents. */
static bool
drop_line(struct changing *c, struct line *l)
{
	struct str s = str_trim(l->s);

	if (s.n > 0 && s.p[0] == '{' && list_length(s) == s.n) {
		report_attributes(c, s, l->at);
		return true;
	}
	if (str_is(s, "[TOC]"))
		return true;
	if (str_starts(s, "*[") && memmem(s.p, s.n, "]:", 2) != NULL) {
		arrival_warn_once(c->t, page_source(c->p), l->at, "the abbreviation %.*s has no equal here; left out",
		    (int)(s.n < 200 ? s.n : 200), s.p);
		return true;
	}
	return false;
}

void
convert_attributes(struct arrival *t, struct arrival_page *p, struct text *text)
{
	struct changing c = { t, p, text->arena };
	struct fence f = { 0 };
	size_t i;

	for (i = 0; i < text->n; i++) {
		struct line *l = &text->v[i];
		if (fence_step(&f, l->s))
			continue;
		if (drop_line(&c, l))
			l->s = STR("");
		else if (l->s.n > 0 && l->s.p[0] == '#')
			change_heading(&c, text, l);
	}
	text_change(t, p, text, change_run, &c);
}
