/*
 * Converts MDX as far as our dialect has blocks for it. Imports and exports are removed, and
 * imported texts are inserted. Components with an equivalent become a block (Tabs, TabItem,
 * Admonition, Aside, Card, ...). Tags of all other components are removed with a line in the
 * report, and their content stays. Attributes whose value is a program are left out.
 */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "blocks.h"
#include "base/map.h"

/* TAG_LINES, TAG_MOST: lines of a tag that are joined to one, and its bytes. */
enum { PARTS_DEEP = 5, TAG_LINES = 40, TAG_MOST = 64 << 10 };

struct mdx {
	struct arrival      *t;
	struct arrival_page *p;
	struct arena        *a;
	struct text         *out;
	struct map          *imports;    /* name -> path, as spelled */
	struct map          *labels;     /* value of a tab -> its label */
	bool                 within;     /* there is other text around the tag */
	size_t               at;
};

/* ---- imports and exports ---- */

static struct str
quoted_path(struct str s)
{
	size_t i, end;

	for (i = s.n; i > 0 && s.p[i - 1] != '\'' && s.p[i - 1] != '"'; i--)
		;
	if (i == 0)
		return (struct str){ NULL, 0 };
	end = i - 1;
	for (i = end; i > 0 && s.p[i - 1] != s.p[end]; i--)
		;
	return str_slice(s, i, end);
}

/* True for an import of JavaScript: import X from 'y', import 'y', import {X}from 'y'. Not for a sentence. */
static bool
is_import(struct str s)
{
	return str_starts(s, "import ") && (memmem(s.p, s.n, " from ", 6) != NULL || s.p[7] == '\'' || s.p[7] == '"' ||
	    s.p[7] == '{' || memmem(s.p, s.n, "}from", 5) != NULL);
}

static void
note_import(struct mdx *m, struct str s)
{
	struct str path = quoted_path(s), name = str_trim(str_slice(s, 7, s.n));
	size_t n = 0;

	while (n < name.n && (isalnum((unsigned char)name.p[n]) || name.p[n] == '_'))
		n++;
	name.n = n;
	if (name.n > 0 && path.n > 0)
		*map_at(m->imports, name) = arena_strndup(m->a, path.p, path.n);
}

/* The file that an import names; NULL: it is not a file of the source. */
static struct arrival_file *
imported_file(struct mdx *m, struct str name)
{
	const char *path = map_get(m->imports, name), *full;
	struct arrival_target to;

	if (path == NULL)
		return NULL;
	if (strrchr(path, '!') != NULL)
		path = strrchr(path, '!') + 1;
	if (m->t->reader->target != NULL && m->t->reader->target(m->t, m->p, str_of(path), &to))
		return to.file != NULL ? to.file : to.page->file;
	full = path_join(m->a, path_folder(m->p->file->path), str_of(path));
	return full == NULL ? NULL : source_find(m->t, "%s", full);
}

/* Removes import and export statements. False if there was none. */
static void
drop_statements(struct mdx *m, struct text *text)
{
	struct text out = { .arena = m->a };
	struct fence f = { 0 };
	size_t i, end;

	for (i = 0; i < text->n; i++) {
		struct str s = text->v[i].s;
		bool import = false, export = false;
		if (!fence_step(&f, s)) {
			/* "import {" over several lines. */
			for (end = i; str_starts(s, "import ") && end < text->n && end < i + TAG_LINES && quoted_path(text->v[end].s).p == NULL &&
			    !text_blank(text->v[end].s); end++)
				;
			import = is_import(s) && end < text->n && quoted_path(text->v[end].s).p != NULL;
			export = str_starts(s, "export ") && (memchr(s.p, '=', s.n) != NULL || memmem(s.p, s.n, "function", 8) != NULL ||
			    memchr(s.p, '{', s.n) != NULL);
		}
		if (import) {
			note_import(m, end == i ? s : str_of(arena_printf(m->a, "%.*s %.*s", (int)s.n, s.p, (int)text->v[end].s.n,
			    text->v[end].s.p)));
			i = end;
		} else if (export) {
			arrival_warn(m->t, page_source(m->p), text->v[i].at, "a program (export) is left out");
			while (i + 1 < text->n && !text_blank(text->v[i + 1].s))
				i++;
		} else {
			text_add(&out, s, text->v[i].at);
		}
	}
	*text = out;
}

/*
 * If a line consists of an imported text, "<Part />", inserts the lines of that text. True if there
 * was such a line.
 */
static bool
put_parts(struct mdx *m, struct text *text)
{
	struct text out = { .arena = m->a };
	struct fence f = { 0 };
	bool some = false;
	size_t i, n, skip;

	for (i = 0; i < text->n; i++) {
		struct str s = str_trim(text->v[i].s);
		struct arrival_file *file = NULL;
		if (!fence_step(&f, text->v[i].s) && s.n > 3 && s.p[0] == '<' && memmem(s.p, s.n, "/>", 2) == s.p + s.n - 2) {
			for (n = 1; n < s.n && (isalnum((unsigned char)s.p[n]) || s.p[n] == '_'); n++)
				;
			file = imported_file(m, str_slice(s, 1, n));
		}
		text_indent(text->v[i].s, &skip);
		if (file != NULL && path_is_markdown(file->path))
			some |= include_file(m->t, m->p, file, STR(""), str_slice(text->v[i].s, 0, skip), text->v[i].at, &out);
		else
			text_add(&out, text->v[i].s, text->v[i].at);
	}
	*text = out;
	return some;
}

/* ---- tags ---- */

struct tag {
	struct str name, attributes;
	bool       closes, empty;      /* closes: </x>; empty: <x/> */
	size_t     n;                  /* length in bytes */
};

/* Length of the tag with JSX attributes at the beginning of s; 0: there is none, or it has no end. */
static size_t
read_tag(struct str s, struct tag *out)
{
	size_t i = 1, from, braces = 0;
	char quote = '\0';

	*out = (struct tag){ .closes = s.n > 1 && s.p[1] == '/' };
	i += out->closes;
	from = i;
	while (i < s.n && (isalnum((unsigned char)s.p[i]) || s.p[i] == '.' || s.p[i] == '_' || s.p[i] == '-'))
		i++;
	out->name = str_slice(s, from, i);
	if (out->name.n > 0 && !isalpha((unsigned char)out->name.p[0]))
		return 0;
	from = i;
	if (i < s.n && !isspace((unsigned char)s.p[i]) && s.p[i] != '>' && s.p[i] != '/')
		return 0;
	for (; i < s.n; i++) {
		char c = s.p[i];
		if (quote != '\0') {
			quote = c == quote ? '\0' : quote;
		} else if (c == '"' || c == '\'' || c == '`') {
			quote = c;
		} else if (c == '{') {
			braces++;
		} else if (c == '}') {
			braces -= braces > 0;
		} else if (c == '>' && braces == 0) {
			out->empty = s.p[i - 1] == '/' && !out->closes;
			out->attributes = str_slice(s, from, i - out->empty);
			return out->n = i + 1;
		} else if (c == '<' && braces == 0) {
			return 0;
		}
	}
	return 0;
}

/* The text inside a value in braces: {require('./x.png').default}, {"x"}, {`x`}; p NULL: none. */
static struct str
value_text(struct str s)
{
	size_t i, end;

	for (i = 0; i < s.n; i++)
		if (s.p[i] == '"' || s.p[i] == '\'' || s.p[i] == '`') {
			for (end = i + 1; end < s.n && s.p[end] != s.p[i]; end++)
				;
			return str_slice(s, i + 1, end);
		}
	return (struct str){ NULL, 0 };
}

/* The value of an attribute, in quotes or braces; p NULL: there is none, or it is a program. */
static struct str
jsx_attribute(struct mdx *m, struct str list, const char *name)
{
	struct str raw = attribute(list, name), text;
	const char *file;
	size_t n = 0, braces = 0;

	if (raw.p == NULL || raw.n == 0 || raw.p[0] != '{')
		return raw;
	/* attribute() ends at a blank or at the first closing brace. */
	raw.n = (size_t)(list.p + list.n - raw.p);
	for (n = 0; n < raw.n; n++) {
		braces += raw.p[n] == '{';
		braces -= raw.p[n] == '}';
		if (braces == 0)
			break;
	}
	raw = str_slice(raw, 1, n);
	text = value_text(raw);
	if (text.p != NULL)
		return text;
	raw = str_trim(raw);
	if (raw.n > 0 && isdigit((unsigned char)raw.p[0]))
		return raw;
	/* The value may be the name of an imported image. */
	for (n = 0; n < raw.n && (isalnum((unsigned char)raw.p[n]) || raw.p[n] == '_'); n++)
		;
	file = map_get(m->imports, str_slice(raw, 0, n));
	return file == NULL ? (struct str){ NULL, 0 } : str_of(file);
}

static bool
tag_is(const struct tag *g, const char *name)
{
	return str_is(g->name, name);
}

static void
put_block(struct buf *b, const char *line)
{
	/* Tags of blocks need lines of their own: text_split() splits the text here. */
	buf_printf(b, "\n%s\n", line);
}

/* values={[{label: 'A', value: 'a'}]} of Tabs. */
static void
note_labels(struct mdx *m, struct str list)
{
	const char *at = memmem(list.p, list.n, "values=", 7), *label, *value;
	struct str rest, l, v;

	m->labels = map_new(m->a);
	for (rest = at == NULL ? STR("") : str_slice(list, (size_t)(at - list.p), list.n); rest.n > 0;) {
		const char *end = memchr(rest.p, '}', rest.n);
		struct str one = str_slice(rest, 0, end == NULL ? rest.n : (size_t)(end - rest.p));
		label = memmem(one.p, one.n, "label:", 6);
		value = memmem(one.p, one.n, "value:", 6);
		if (label != NULL && value != NULL) {
			l = value_text(str_slice(one, (size_t)(label - one.p), one.n));
			v = value_text(str_slice(one, (size_t)(value - one.p), one.n));
			if (l.p != NULL && v.p != NULL)
				*map_at(m->labels, v) = arena_strndup(m->a, l.p, l.n);
		}
		rest = str_slice(rest, end == NULL ? rest.n : one.n + 1, rest.n);
	}
}

static bool
put_tabs(struct mdx *m, const struct tag *g, struct buf *b)
{
	struct str label, value;

	if (tag_is(g, "Tabs") || tag_is(g, "CodeTabs") || tag_is(g, "PackageManagers")) {
		if (g->empty)
			return false;
		if (!g->closes)
			note_labels(m, g->attributes);
		put_block(b, g->closes ? "{% endtabs %}" : "{% tabs %}");
		return true;
	}
	if (!tag_is(g, "TabItem") && !tag_is(g, "Tab"))
		return false;
	label = jsx_attribute(m, g->attributes, "label");
	value = jsx_attribute(m, g->attributes, "value");
	if (label.p == NULL)
		label = jsx_attribute(m, g->attributes, "title");
	if (label.p == NULL && value.p != NULL && map_get(m->labels, value) != NULL)
		label = str_of(map_get(m->labels, value));
	if (label.p == NULL)
		label = value.p != NULL ? value : STR("Tab");
	put_block(b, g->closes ? "{% endtab %}" : arena_printf(m->a, "{%% tab title=\"%s\" %%}", tag_value(m->a, label)));
	return true;
}

static bool
put_hint(struct mdx *m, const struct tag *g, struct buf *b)
{
	static const char *const names[] = { "Note", "Tip", "Info", "Warning", "Danger", "Caution" };
	struct str type = jsx_attribute(m, g->attributes, "type"), title = jsx_attribute(m, g->attributes, "title");
	size_t i;

	for (i = 0; i < 6 && !tag_is(g, names[i]); i++)
		;
	if (!tag_is(g, "Admonition") && !tag_is(g, "Aside") && !tag_is(g, "Callout") && i == 6)
		return false;
	if (g->closes) {
		put_block(b, "{% endhint %}");
		return true;
	}
	buf_printf(b, "\n{%% hint style=\"%s\" %%}\n", hint_style(i < 6 ? str_of(names[i]) : type.p != NULL ? type : STR("info")));
	if (title.n > 0)
		buf_printf(b, "**%.*s**\n\n", (int)title.n, title.p);
	return true;
}

/* Cards, links and pictures. */
static bool
put_inline(struct mdx *m, const struct tag *g, struct buf *b)
{
	struct str title = jsx_attribute(m, g->attributes, "title"), href = jsx_attribute(m, g->attributes, "href");
	struct str text = jsx_attribute(m, g->attributes, "description"), src;

	if (href.p == NULL)
		href = jsx_attribute(m, g->attributes, "to");
	if (tag_is(g, "LinkCard") || (tag_is(g, "Card") && title.n > 0 && !g->closes)) {
		if (href.n > 0)
			buf_printf(b, "\n\n[%.*s](%.*s)", (int)title.n, title.p, (int)href.n, href.p);
		else
			buf_printf(b, "\n\n**%.*s**\n\n", (int)title.n, title.p);
		if (text.n > 0)
			buf_printf(b, " %.*s", (int)text.n, text.p);
		buf_str(b, "\n\n");
		return true;
	}
	if (tag_is(g, "Link") || tag_is(g, "LinkButton")) {
		if (g->closes)
			buf_str(b, "</a>");
		else
			buf_printf(b, "<a href=\"%.*s\"%s>", (int)href.n, href.p != NULL ? href.p : "", tag_is(g, "LinkButton") ?
			    " class=\"button primary\"" : "");
		return true;
	}
	if (tag_is(g, "LiteYouTubeEmbed") || tag_is(g, "YouTube")) {
		text = jsx_attribute(m, g->attributes, "id");
		buf_printf(b, "\n{%% embed url=\"https://www.youtube.com/watch?v=%.*s\" %%}\n", (int)text.n, text.p != NULL ? text.p : "");
		return true;
	}
	if (tag_is(g, "Badge") && jsx_attribute(m, g->attributes, "text").n > 0) {
		text = jsx_attribute(m, g->attributes, "text");
		buf_printf(b, "<mark style=\"color:default;\">%.*s</mark>", (int)text.n, text.p);
		return true;
	}
	if (!tag_is(g, "Image") && !tag_is(g, "ThemedImage") && !tag_is(g, "IdealImage"))
		return false;
	src = jsx_attribute(m, g->attributes, tag_is(g, "Image") || tag_is(g, "IdealImage") ? "img" : "sources");
	if (src.p == NULL)
		src = jsx_attribute(m, g->attributes, "src");
	text = jsx_attribute(m, g->attributes, "alt");
	buf_printf(b, "<img src=\"%.*s\" alt=\"%.*s\">", (int)src.n, src.p != NULL ? src.p : "", (int)text.n, text.p != NULL ? text.p : "");
	return true;
}

/* Write an HTML element; its JSX attributes get the names of HTML. */
static void
put_element(struct mdx *m, const struct tag *g, struct buf *b)
{
	struct str list = g->attributes;
	size_t i = 0, n;

	buf_printf(b, "<%s%.*s", g->closes ? "/" : "", (int)g->name.n, g->name.p);
	while (i < list.n) {
		struct str key, value;
		while (i < list.n && (isspace((unsigned char)list.p[i]) || list.p[i] == '/'))
			i++;
		for (n = i; n < list.n && !isspace((unsigned char)list.p[n]) && list.p[n] != '=' && list.p[n] != '/'; n++)
			;
		key = str_slice(list, i, n);
		if (key.n == 0) {
			i = n + 1;
			continue;
		}
		i = n;
		if (n >= list.n || list.p[n] != '=') {
			buf_printf(b, " %.*s", (int)key.n, key.p);
			continue;
		}
		value = jsx_attribute(m, str_slice(list, (size_t)(key.p - list.p), list.n), arena_strndup(m->a, key.p, key.n));
		if (value.p == NULL || str_is(key, "style"))
			arrival_warn_once(m->t, page_source(m->p), m->at, "the attribute \"%.*s\" of <%.*s> is a program or a style; left out",
			    (int)key.n, key.p, (int)g->name.n, g->name.p);
		else
			buf_printf(b, " %s=\"%.*s\"", str_is(key, "className") ? "class" : arena_strndup(m->a, key.p, key.n), (int)value.n, value.p);
		/* Skip the value. */
		for (i = n + 1, n = 0; i < list.n && !(n == 0 && isspace((unsigned char)list.p[i])); i++) {
			if (list.p[i] == '{')
				n++;
			else if (list.p[i] == '}')
				n -= n > 0;
			else if (n == 0 && (list.p[i] == '"' || list.p[i] == '\'')) {
				char quote = list.p[i++];
				while (i < list.n && list.p[i] != quote)
					i++;
			}
		}
	}
	buf_str(b, ">");
}

/* Components of other programs that only show their content. */
static bool
is_wrapper(const struct tag *g)
{
	static const char *const names[] = { "CardGrid", "Steps", "FileTree", "Card", "BrowserOnly", "Columns", "Column", "Fragment", "Badge",
		"TOCInline" };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (tag_is(g, names[i]))
			return true;
	return g->name.n == 0;
}

/* The words of "Links.InputSelectors": "Input Selectors". */
static void
put_words(struct buf *b, struct str name)
{
	const char *dot = memrchr(name.p, '.', name.n);
	size_t i;

	name = dot == NULL ? name : str_slice(name, (size_t)(dot - name.p) + 1, name.n);
	for (i = 0; i < name.n; i++) {
		if (i > 0 && isupper((unsigned char)name.p[i]) && islower((unsigned char)name.p[i - 1]))
			buf_char(b, ' ');
		buf_char(b, name.p[i]);
	}
}

/*
 * A component without content within a sentence mostly shows words: its attribute "text", or what its
 * name says. Without them the sentence would have a hole.
 */
static bool
put_word(struct mdx *m, const struct tag *g, struct buf *b)
{
	struct str raw = attribute(g->attributes, "text"), text = jsx_attribute(m, g->attributes, "text");
	const char *from, *to;

	if (!g->empty)
		return false;
	/* text={<b>words</b>} */
	if (text.p == NULL && raw.n > 1 && raw.p[0] == '{' && raw.p[1] == '<' &&
	    (from = memchr(raw.p, '>', (size_t)(g->attributes.p + g->attributes.n - raw.p))) != NULL &&
	    (to = memchr(from, '<', (size_t)(g->attributes.p + g->attributes.n - from))) != NULL)
		text = (struct str){ from + 1, (size_t)(to - from) - 1 };
	if (text.n == 0 && !m->within)
		return false;
	if (text.n > 0)
		buf_put(b, text);
	else
		put_words(b, g->name);
	arrival_warn_once(m->t, page_source(m->p), m->at, "the component <%.*s> is a program; words stand in its place", (int)g->name.n, g->name.p);
	return true;
}

static void
put_component(struct mdx *m, const struct tag *g, struct buf *b)
{
	if (put_tabs(m, g, b) || put_hint(m, g, b) || put_inline(m, g, b) || is_wrapper(g) || put_word(m, g, b))
		return;
	if (!g->closes)
		arrival_warn_once(m->t, page_source(m->p), m->at, "the component <%.*s> has no block here; its tags are left out, and what is "
		    "between them stays", (int)g->name.n, g->name.p);
}

static bool
has_words(struct str s)
{
	size_t i;

	for (i = 0; i < s.n && !isalnum((unsigned char)s.p[i]) && (unsigned char)s.p[i] < 0x80; i++)
		if (s.p[i] == '<')
			return false;
	return i < s.n;
}

static void
change_run(void *ctx, struct str s, size_t at, struct buf *out)
{
	struct mdx *m = ctx;
	struct tag g;
	size_t i = 0, n;

	m->at = at;
	while (i < s.n) {
		struct str rest = str_slice(s, i, s.n);
		const char *end;

		n = 0;
		if (rest.p[0] == '<' && (n = read_tag(rest, &g)) > 0) {
			/* The text "List<String>" is not a tag. */
			if (out->n > 0 && isalnum((unsigned char)out->p[out->n - 1]) && !g.closes && !g.empty && g.attributes.n == 0 &&
			    g.name.n > 0 && isupper((unsigned char)g.name.p[0]))
				n = 0;
			else if (g.name.n == 0 || isupper((unsigned char)g.name.p[0])) {
				m->within = has_words(str_slice(s, 0, i)) || has_words(str_slice(rest, n, rest.n));
				put_component(m, &g, out);
			}
			else if (memchr(g.attributes.p != NULL ? g.attributes.p : "", '{', g.attributes.n) != NULL ||
			    (g.attributes.n > 0 && memmem(g.attributes.p, g.attributes.n, "className", 9) != NULL))
				put_element(m, &g, out);
			else
				buf_put(out, str_slice(rest, 0, n));
		} else if (str_starts(rest, "{/*") && (end = memmem(rest.p + 3, rest.n - 3, "*/}", 3)) != NULL) {
			struct str inner = str_trim(str_slice(rest, 3, (size_t)(end - rest.p)));
			n = (size_t)(end - rest.p) + 3;
			/* The newer syntax for the id of a heading. */
			if (inner.n > 1 && inner.p[0] == '#' && s.n > 1 && s.p[0] == '#')
				buf_printf(out, "{%.*s}", (int)inner.n, inner.p);
			else
				buf_printf(out, "<!-- %.*s -->", (int)inner.n, inner.p);
		}
		if (n == 0) {
			buf_char(out, rest.p[0]);
			n = 1;
		}
		i += n;
	}
}

/* ---- lines ---- */

/* True if a line begins a tag or comment that ends on a later line. */
static bool
is_open(struct str s)
{
	const char *p = s.n > 0 ? memrchr(s.p, '<', s.n) : NULL, *c = s.n > 2 ? memmem(s.p, s.n, "{/*", 3) : NULL;
	struct tag g;

	if (c != NULL && memmem(c + 3, s.n - (size_t)(c - s.p) - 3, "*/}", 3) == NULL)
		return true;
	for (size_t i = 0; p != NULL && i < s.n; i++)
		if (s.p[i] == '<' && i + 1 < s.n && isalpha((unsigned char)s.p[i + 1])) {
			size_t n = read_tag(str_slice(s, i, s.n), &g);
			if (n == 0)
				/*
				 * "a < b" and "<T>" in a text: neither has an attribute in braces
				 * or continues on the next line.
				 */
				return isupper((unsigned char)s.p[i + 1]) || memchr(s.p + i, '=', s.n - i) != NULL || i + 1 + g.name.n == s.n;
			i += n - 1;
		}
	return false;
}

/* Joins the lines of a tag into one line, if the tag ends. */
static void
join_tags(struct mdx *m, struct text *text)
{
	struct text out = { .arena = m->a };
	struct fence f = { 0 };
	struct buf b;
	size_t i, k;

	buf_init(&b, m->a, TAG_MOST * 2);
	for (i = 0; i < text->n; i++) {
		struct str s = text->v[i].s;
		if (!fence_step(&f, s) && s.n < TAG_MOST && is_open(s)) {
			struct str joined = s;
			buf_cut(&b, b.n);
			buf_put(&b, s);
			for (k = i + 1; k < text->n && k < i + TAG_LINES && is_open(joined) && b.n + text->v[k].s.n < TAG_MOST; k++) {
				buf_char(&b, ' ');
				buf_put(&b, str_trim(text->v[k].s));
				joined = buf_view(&b);
			}
			if (k > i + 1 && !is_open(joined)) {
				text_add(&out, (struct str){ arena_strndup(m->a, joined.p, joined.n), joined.n }, text->v[i].at);
				i = k - 1;
				continue;
			}
		}
		text_add(&out, s, text->v[i].at);
	}
	*text = out;
}

/*
 * Text within components is often indented, which would make it code. Remove as much white space
 * after a tag as there is before the tag.
 */
static void
unindent_content(struct text *text)
{
	struct fence f = { 0 };
	size_t i, depth = 0;

	for (i = 0; i < text->n; i++) {
		struct str s = str_trim(text->v[i].s);
		bool code = f.mark != '\0';
		size_t most = f.indent;
		fence_step(&f, text->v[i].s);
		depth -= depth > 0 && (str_starts(s, "{% endtab") || str_starts(s, "{% endhint"));
		if (str_starts(s, "{% tab") || str_starts(s, "{% hint") || str_starts(s, "{% end"))
			text->v[i].s = s;
		else if (depth > 0 && !text_blank(s))
			text->v[i].s = text_outdent(text->v[i].s, code ? most : depth * 4 < text_indent(text->v[i].s, NULL) ? depth * 4 :
			    text_indent(text->v[i].s, NULL));
		depth += str_starts(s, "{% tab") || str_starts(s, "{% hint");
	}
}

void
convert_mdx(struct arrival *t, struct arrival_page *p, struct text *text)
{
	struct mdx m = { .t = t, .p = p, .a = text->arena, .imports = map_new(text->arena), .labels = map_new(text->arena) };
	bool tags = false;
	size_t i;

	for (i = 0; i < PARTS_DEEP; i++) {
		drop_statements(&m, text);
		if (!put_parts(&m, text))
			break;
	}
	for (i = 0; i < text->n && !tags; i++)
		tags = text->v[i].s.n > 0 && (memchr(text->v[i].s.p, '<', text->v[i].s.n) != NULL || memmem(text->v[i].s.p, text->v[i].s.n,
		    "{/*", 3) != NULL);
	if (!tags)
		return;
	join_tags(&m, text);
	text_change(t, p, text, change_run, &m);
	text_split(text);
	for (i = 0; i < text->n; i++)
		if (str_starts(str_trim(text->v[i].s), "{% tab"))
			break;
	if (i < text->n)
		unindent_content(text);
}
