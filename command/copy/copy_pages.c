/*
 * Writes the pages and style sheets of a copy, and the index of its search. Contract: copy.h.
 *
 * octavo-site wrote the HTML (render/html.h), so tags are well-formed, and within one ">" is
 * escaped in values. The scanner below relies on nothing else, and copies what it does not know.
 */
#include <string.h>
#include <strings.h>

#include "base/json.h"
#include "copy.h"
#include "render/html.h"

enum { PAGE_MAX = 512 << 20, WORDS_MAX = 256 << 20 };

/* A file that is being written. */
struct sheet {
	struct copy  *c;
	struct arena *arena;
	const char   *file;
	struct buf    out;
	bool          any;    /* the page answers any missing address, so links to fragments contain the file name */
};

/* ---- addresses in HTML ---- */

/* Attributes with addresses. */
static bool
is_address(struct str name)
{
	static const char *const names[] = { "href", "src", "action", "poster", "data-base", "data-index" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (str_eq(name, str_of(names[i])))
			return true;
	return false;
}

/* The new value of an attribute; NULL: the attribute is removed. */
static const char *
new_value(struct sheet *s, struct str name, const char *value)
{
	const char *to;

	if (str_eq(name, str_of("data-base"))) {
		to = copy_relative(s->arena, s->file, "");
		return *to == '\0' ? "./" : to;
	}
	if (*value == '#' && s->any)
		return arena_printf(s->arena, "%s%s", s->file, value);
	to = copy_link(s->c, s->arena, s->file, value);
	if (to == NULL)
		copy_lack(s->c, arena_printf(s->arena, "%s links to %s", s->file, value), "nothing of this address is in the folder");
	return to;
}

/*
 * Writes an attribute with the blank before it. whole: the attribute as it was, with that blank;
 * value: its value without quotes.
 */
static void
put_attribute(struct sheet *s, struct str whole, struct str name, struct str value)
{
	const char *to;
	struct html h;

	if (value.p == NULL || !is_address(name)) {
		buf_put(&s->out, whole);
		return;
	}
	value = h_words(s->arena, value);
	if ((to = new_value(s, name, arena_strndup(s->arena, value.p, value.n))) == NULL)
		return;
	buf_printf(&s->out, " %.*s=\"", (int)name.n, name.p);
	h_init(&h, &s->out);
	h_text(&h, to);
	buf_char(&s->out, '"');
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/* Copies a tag up to its ">"; its name ends at i. Returns the offset behind it. */
static size_t
put_tag(struct sheet *s, struct str html, size_t i)
{
	size_t from, name, end, value;
	struct str v;

	while (i < html.n && html.p[i] != '>') {
		for (from = i; i < html.n && is_blank(html.p[i]); i++)
			;
		for (name = i; i < html.n && strchr(" \n\t\r=>", html.p[i]) == NULL; i++)
			;
		end = i;
		v = (struct str){ NULL, 0 };
		if (i + 1 < html.n && html.p[i] == '=' && (html.p[i + 1] == '"' || html.p[i + 1] == '\'')) {
			for (value = i + 2, i = value; i < html.n && html.p[i] != html.p[value - 1]; i++)
				;
			v = str_slice(html, value, i);
			i += i < html.n;
		} else if (i < html.n && html.p[i] == '=') {
			for (value = ++i; i < html.n && !is_blank(html.p[i]) && html.p[i] != '>'; i++)
				;
			v = str_slice(html, value, i);
		}
		put_attribute(s, str_slice(html, from, i), str_slice(html, name, end), v);
		if (i == from)
			break;
	}
	if (i < html.n)
		buf_char(&s->out, html.p[i++]);
	return i;
}

/* The offset of a text in the HTML from i on; html.n: not found. */
static size_t
find_from(struct str html, size_t i, const char *text)
{
	const char *at = i < html.n ? memmem(html.p + i, html.n - i, text, strlen(text)) : NULL;

	return at == NULL ? html.n : (size_t)(at - html.p);
}

static bool
tag_is(struct str html, size_t i, const char *name)
{
	size_t n = strlen(name);

	return i + n < html.n && memcmp(html.p + i, name, n) == 0 && strchr(" \n\t>/", html.p[i + n]) != NULL;
}

static void
put_html(struct sheet *s, struct str html)
{
	size_t i = 0, end;
	bool script;

	while (i < html.n) {
		end = find_from(html, i, "<");
		buf_put(&s->out, str_slice(html, i, end));
		if (end == html.n)
			return;
		script = tag_is(html, end, "<script");
		for (i = end + 1; i < html.n && !is_blank(html.p[i]) && html.p[i] != '>'; i++)
			;
		buf_put(&s->out, str_slice(html, end, i));
		i = put_tag(s, html, i);
		if (!script)
			continue;
		/* Text of a script is no markup. */
		end = find_from(html, i, "</script");
		buf_put(&s->out, str_slice(html, i, end));
		i = end;
	}
}

struct str
copy_css(struct copy *c, struct arena *a, const char *file, struct str css)
{
	struct buf out;
	size_t i = 0, end;

	buf_init(&out, a, PAGE_MAX);
	buf_str(&out, "");
	/* octavo-site uses single quotes in style sheets that it makes (reader/font.c). */
	while (i < css.n) {
		const char *to;

		end = find_from(css, i, "url('");
		end = end == css.n ? end : end + strlen("url('");
		buf_put(&out, str_slice(css, i, end));
		if (end == css.n)
			break;
		i = find_from(css, end, "'");
		to = copy_link(c, a, file, arena_strndup(a, css.p + end, i - end));
		buf_str(&out, to != NULL ? to : "");
	}
	return buf_view(&out);
}

/* ---- the index ---- */

/* True for inline elements, which do not divide words. */
static bool
is_inline(struct str html, size_t i)
{
	static const char *const names[] = { "a", "span", "em", "strong", "code", "mark", "sub", "sup", "b", "i", "s", "del", "u", "small", "kbd" };
	size_t from = i + 1 + (i + 1 < html.n && html.p[i + 1] == '/'), n = from;

	while (n < html.n && html.p[n] >= 'a' && html.p[n] <= 'z')
		n++;
	for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++)
		if (str_eq(str_slice(html, from, n), str_of(names[k])))
			return true;
	return false;
}

/* The words of HTML, separated by single blanks. */
static struct str
words_of(struct arena *a, struct str html)
{
	struct buf apart, out;
	struct str text;

	buf_init(&apart, a, WORDS_MAX);
	for (size_t i = 0; i < html.n; i++) {
		if (html.p[i] == '<' && !is_inline(html, i))
			buf_char(&apart, ' ');
		buf_char(&apart, html.p[i]);
	}
	text = h_words(a, buf_view(&apart));
	buf_init(&out, a, WORDS_MAX);
	buf_str(&out, "");
	for (size_t i = 0; i < text.n; i++)
		if (!is_blank(text.p[i]))
			buf_char(&out, text.p[i]);
		else if (out.n > 0 && out.p[out.n - 1] != ' ')
			buf_char(&out, ' ');
	if (out.n > 0 && out.p[out.n - 1] == ' ')
		buf_cut(&out, 1);
	return buf_view(&out);
}

/* The offset of the next heading below the title ("<hN"); html.n: none. */
static size_t
next_heading(struct str html, size_t i)
{
	for (i = find_from(html, i, "<h"); i < html.n; i = find_from(html, i + 1, "<h"))
		if (i + 3 < html.n && html.p[i + 2] >= '2' && html.p[i + 2] <= '6' && (html.p[i + 3] == ' ' || html.p[i + 3] == '>'))
			break;
	return i;
}

static struct str
id_of(struct str tag)
{
	size_t from = find_from(tag, 0, " id=\"");

	from = from == tag.n ? tag.n : from + strlen(" id=\"");
	return str_slice(tag, from, find_from(tag, from, "\""));
}

static void
put_part(struct arena *a, struct json *j, struct str title, struct str anchor, struct str text)
{
	text = words_of(a, text);
	if (title.n == 0 && text.n == 0)
		return;
	json_arr(j);
	json_strn(j, title);
	json_strn(j, h_words(a, anchor));
	json_strn(j, text);
	json_end(j);
}

/* Writes the parts of an article for the search index, each from one heading to the next. */
static void
put_parts(struct arena *a, struct json *j, struct str html)
{
	size_t from = find_from(html, 0, "</h1>"), to = find_from(html, from, "</article>"), end, next;
	struct str part = str_slice(html, from, to);

	next = next_heading(part, 0);
	put_part(a, j, STR(""), STR(""), str_slice(part, 0, next));
	for (; next < part.n; next = to) {
		end = find_from(part, next, "</h");
		to = next_heading(part, end);
		from = find_from(part, next, ">");
		put_part(a, j, words_of(a, str_slice(part, from < end ? from + 1 : end, end)), id_of(str_slice(part, next, from)),
		    str_slice(part, end, to));
	}
}

static void
put_entry(struct copy *c, struct arena *a, const struct copy_page *p, struct str html)
{
	struct json j;
	struct buf b;

	buf_init(&b, a, WORDS_MAX);
	json_init(&j, &b);
	json_obj(&j);
	json_kstr(&j, "t", p->title);
	json_kstr(&j, "h", copy_relative(a, "", p->target->file));
	if (p->place != NULL)
		json_kstr(&j, "p", p->place);
	json_kstr(&j, "v", p->space);
	json_kstr(&j, "g", p->section);
	json_kbool(&j, "d", p->is_default);
	json_karr(&j, "s");
	put_parts(a, &j, html);
	json_end(&j);
	json_end(&j);
	fprintf(c->index, "%s%s", c->indexed ? ",\n" : "", b.p);
	c->indexed = true;
}

/* ---- files ---- */

/* Fetches a page and writes it; html: its bytes as octavo-site wrote them. */
static bool
put_page(struct copy *c, struct arena *a, const char *path, const char *file, int status, struct str *html)
{
	struct sheet s = { .c = c, .arena = a, .file = file, .any = status == 404 };
	struct copy_answer got;
	size_t head;

	if (!copy_get(c, a, path, NULL, &got))
		return false;
	if (got.status != status)
		return copy_fail(c, "%s%s answers with status %d; octavo check says whether the data is damaged", c->base, path, got.status);
	if (got.lacks)
		copy_lack(c, arena_printf(a, "colours of code, or formulas, in %s", file), "octavo-typeset is missing, or took too long");
	buf_init(&s.out, a, PAGE_MAX);
	/*
	 * The page for missing addresses is shown at any path below the folder, so it needs a
	 * <base> from which links lead to the files.
	 */
	head = !s.any ? 0 : find_from(got.body, 0, "<head>") + strlen("<head>");
	if (s.any) {
		buf_put(&s.out, str_slice(got.body, 0, head));
		buf_printf(&s.out, "<base href=\"%s\">", c->root);
	}
	put_html(&s, str_slice(got.body, head, got.body.n));
	*html = got.body;
	return copy_write(c, file, buf_view(&s.out));
}

static bool
put_one(struct copy *c, const struct copy_target *t, const struct copy_page *p)
{
	struct arena *a = arena_new(2u << 30);
	struct str html;
	bool ok = put_page(c, a, t->path, t->file, 200, &html);

	if (ok && p != NULL)
		put_entry(c, a, p, html);
	arena_free(a);
	return ok;
}

/* Writes HTML that redirects to an address at once. */
static void
write_moved(struct buf *b, const char *url, const char *address)
{
	struct html h;

	h_init(&h, b);
	h_raw(&h, STR("<!doctype html>\n"));
	h_open(&h, "html");
	h_open(&h, "head");
	h_one(&h, "meta", "charset", "utf-8", NULL);
	h_leaf(&h, "title", NULL, address);
	h_one(&h, "meta", "name", "robots", "content", "noindex", NULL);
	h_one(&h, "meta", "http-equiv", "refresh", "content", url, NULL);
	h_close(&h);
	h_open(&h, "body");
	h_open(&h, "a");
	h_url(&h, "href", address);
	h_text(&h, address);
	h_close_to(&h, 0);
	buf_char(b, '\n');
}

/* A page at a former address. */
static bool
put_moved(struct copy *c, const struct copy_target *t)
{
	struct arena *a = arena_new(1 << 20);
	struct copy_target *to = copy_find(c, t->path);
	const char *address = to->file == NULL ? to->away : arena_printf(a, "%s%s", copy_relative(a, t->file, to->file),
	    to->fragment != NULL ? to->fragment : "");
	struct buf b;
	bool ok = true;

	/* A link that the site answers with 404 is not lost by the copy. */
	if (address == NULL || !h_url_safe(address)) {
		if (to->moves)
			copy_lack(c, arena_printf(a, "the redirect from /%s", t->path), "what it leads to is not in the folder");
	} else {
		buf_init(&b, a, 1 << 20);
		write_moved(&b, arena_printf(a, "0; url=%s", address), address);
		ok = copy_write(c, t->file, buf_view(&b));
		c->redirects++;
	}
	arena_free(a);
	return ok;
}

static bool
put_index(struct copy *c)
{
	if ((c->index = copy_open(c, "~search/index.js")) == NULL)
		return false;
	c->file_count++;
	fputs("window.octavoIndex = [\n", c->index);
	return true;
}

bool
copy_pages(struct copy *c)
{
	struct arena *a = arena_new(2u << 30);
	struct str html;
	bool ok = put_index(c);

	for (size_t i = 0; ok && i < c->page_count; i++) {
		cli_progress("pages", (int64_t)i, (int64_t)c->page_count);
		ok = put_one(c, c->pages[i].target, &c->pages[i]);
	}
	/* The list grows meanwhile, since schemas link to others. */
	for (size_t i = 0; ok && i < c->schema_count; i++)
		ok = put_one(c, c->schemas[i], NULL);
	for (size_t i = 0; ok && i < c->moved_count; i++)
		ok = put_moved(c, c->moved[i]);
	ok = ok && put_page(c, a, "~search", "~search/index.html", 200, &html) && put_page(c, a, "~missing", "404.html", 404, &html);
	arena_free(a);
	if (c->index != NULL) {
		fputs("\n]\n", c->index);
		ok = fclose(c->index) == 0 && ok;
	}
	return (ok && c->error == NULL) || copy_fail(c, "the folder cannot be written");
}
