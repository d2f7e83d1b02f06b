/*
 * Converts shortcodes of Hugo: {{< name arguments >}} and {{% name %}}. Those that many themes
 * share become blocks. The tags of others are removed with a warning; the text between them stays.
 */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "blocks.h"

struct codes {
	struct arrival      *t;
	struct arrival_page *p;
	struct arena        *a;
};

/* The first argument: "x" or x, without a name. */
static struct str
first_argument(struct str s)
{
	size_t n;

	s = str_trim(s);
	if (s.n > 1 && (s.p[0] == '"' || s.p[0] == '`')) {
		const char *end = memchr(s.p + 1, s.p[0], s.n - 1);
		return end == NULL ? (struct str){ NULL, 0 } : (struct str){ s.p + 1, (size_t)(end - s.p - 1) };
	}
	for (n = 0; n < s.n && !isspace((unsigned char)s.p[n]); n++)
		if (s.p[n] == '=')
			return (struct str){ NULL, 0 };
	return str_slice(s, 0, n);
}

/* True if the name is one of the words of the list. */
static bool
is_listed(struct str name, const char *list)
{
	const char *at = list;
	size_t n;

	for (; *at != '\0'; at += n + (at[n] == ' ')) {
		n = strcspn(at, " ");
		if (name.n == n && strncasecmp(name.p, at, n) == 0)
			return true;
	}
	return false;
}

static void
put_hint(struct codes *c, struct str name, struct str list, bool closes, struct buf *out)
{
	struct str style = attribute(list, "type"), title = attribute(list, "title");

	if (closes) {
		buf_str(out, "\n{% endhint %}\n");
		return;
	}
	if (style.p == NULL)
		style = attribute(list, "color");
	if (style.p == NULL)
		style = is_listed(name, "notice hint callout alert admonition") && first_argument(list).n > 0 ? first_argument(list) : name;
	buf_printf(out, "\n{%% hint style=\"%s\" %%}\n", is_listed(style, "primary") ? "info" : hint_style(style));
	if (title.n > 0)
		buf_printf(out, "**%.*s**\n\n", (int)title.n, title.p);
	(void)c;
}

static void
put_figure(struct codes *c, struct str list, struct buf *out)
{
	struct str src = attribute(list, "src"), alt = attribute(list, "alt"), caption = attribute(list, "caption"), width;

	if (caption.p == NULL)
		caption = attribute(list, "title");
	width = attribute(list, "width");
	buf_printf(out, "<figure><img src=\"%.*s\" alt=\"%.*s\"", (int)src.n, src.p != NULL ? src.p : "", (int)alt.n, alt.p != NULL ? alt.p : "");
	if (width.n > 0 && strchr("0123456789", width.p[width.n - 1]) != NULL)
		buf_printf(out, " width=\"%.*s\"", (int)width.n, width.p);
	buf_printf(out, "><figcaption>%s</figcaption></figure>", caption.n > 0 ? html_of_text(c->a, caption) : "");
}

/* False: no block has this name. */
static bool
put_code(struct codes *c, struct str name, struct str list, bool closes, struct buf *out)
{
	struct str first = first_argument(list), title = attribute(list, "title");

	if (title.p == NULL)
		title = attribute(list, "name");
	if (title.p == NULL)
		title = attribute(list, "header");
	if (is_listed(name, "ref relref"))
		buf_printf(out, "%.*s", (int)first.n, first.p != NULL ? first.p : "");
	else if (is_listed(name, "notice hint callout alert admonition note tip info warning danger caution important"))
		put_hint(c, name, list, closes, out);
	else if (is_listed(name, "figure img"))
		put_figure(c, list, out);
	else if (is_listed(name, "highlight"))
		buf_printf(out, closes ? "\n```\n" : "\n```%.*s\n", (int)first.n, first.p != NULL ? first.p : "");
	else if (is_listed(name, "tabs tabpane"))
		buf_str(out, closes ? "\n{% endtabs %}\n" : "\n{% tabs %}\n");
	else if (is_listed(name, "tab"))
		buf_str(out, closes ? "\n{% endtab %}\n" : arena_printf(c->a, "\n{%% tab title=\"%s\" %%}\n",
		    tag_value(c->a, title.n > 0 ? title : first.n > 0 ? first : STR("Tab"))));
	else if (is_listed(name, "details expand"))
		buf_str(out, closes ? "\n\n</details>\n\n" : arena_printf(c->a, "\n\n<details>\n\n<summary>%s</summary>\n\n",
		    html_of_text(c->a, title.n > 0 ? title : first.n > 0 ? first : STR("Details"))));
	else if (is_listed(name, "youtube"))
		buf_printf(out, "\n{%% embed url=\"https://www.youtube.com/watch?v=%.*s\" %%}\n", (int)first.n, first.p != NULL ? first.p : "");
	else
		return false;
	return true;
}

static void
change_run(void *ctx, struct str s, size_t at, struct buf *out)
{
	struct codes *c = ctx;
	size_t i = 0, n;

	while (i < s.n) {
		struct str rest = str_slice(s, i, s.n), name, list;
		const char *end = NULL;
		bool closes;

		if (str_starts(rest, "{{< ") || str_starts(rest, "{{<"))
			end = memmem(rest.p + 3, rest.n - 3, ">}}", 3);
		else if (str_starts(rest, "{{%"))
			end = memmem(rest.p + 3, rest.n - 3, "%}}", 3);
		if (end == NULL || str_starts(rest, "{{</*") || str_starts(rest, "{{%/*")) {
			buf_char(out, s.p[i++]);
			continue;
		}
		list = str_trim(str_slice(rest, 3, (size_t)(end - rest.p)));
		closes = list.n > 0 && list.p[0] == '/';
		if (closes)
			list = str_trim(str_slice(list, 1, list.n));
		for (n = 0; n < list.n && !isspace((unsigned char)list.p[n]); n++)
			;
		name = str_slice(list, 0, n);
		list = str_trim(str_slice(list, n, list.n));
		if (list.n > 0 && list.p[list.n - 1] == '/')
			list.n--;
		if (!put_code(c, name, list, closes, out) && !closes)
			arrival_warn_once(c->t, page_source(c->p), at, "the shortcode \"%.*s\" has no block here; its tags are left out, and what is "
			    "between them stays", (int)name.n, name.p);
		i += (size_t)(end - rest.p) + 3;
	}
}

void
convert_shortcodes(struct arrival *t, struct arrival_page *p, struct text *text)
{
	struct codes c = { t, p, text->arena };

	text_change(t, p, text, change_run, &c);
	text_split(text);
}
