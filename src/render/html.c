/* HTML writer. Contract: render/html.h. */
#include <assert.h>
#include <stdarg.h>
#include <strings.h>

#include "render/html.h"

void
h_init(struct html *h, struct buf *out)
{
	*h = (struct html){ .out = out };
}

/* Close the open start tag. */
static void
end_start_tag(struct html *h)
{
	if (h->open)
		buf_char(h->out, '>');
	h->open = false;
}

/*
 * Replacement of a byte; NULL: itself. HTML has no NUL and no other control characters (section
 * 13.2.3.5): they become U+FFFD. Line ends are written as "\n".
 */
static const char *
find_escape(unsigned char c)
{
	switch (c) {
	case '&':  return "&amp;";
	case '<':  return "&lt;";
	case '>':  return "&gt;";
	case '"':  return "&quot;";
	case '\'': return "&#39;";
	case '\r': return "";
	case '\n':
	case '\t': return NULL;
	default:   return c < ' ' ? "\xEF\xBF\xBD" : NULL;
	}
}

#define BIT(c)  (UINT64_C(1) << (c))

/*
 * True for a byte that needs no replacement. Tested for each byte of each page; all bytes that need
 * one are below 64.
 */
static inline bool
needs_no_escape(unsigned char c)
{
	const uint64_t others = ((BIT(' ') - 1) & ~BIT('\n') & ~BIT('\t')) | BIT('&') | BIT('<') | BIT('>') |
	    BIT('"') | BIT('\'');

	return c >= 64 || (others >> c & 1) == 0;
}

static void
write_escaped(struct buf *b, struct str s)
{
	size_t i, from = 0;

	for (i = 0; i < s.n; i++) {
		if (needs_no_escape((unsigned char)s.p[i]))
			continue;
		/* Copy runs without escapes at once. */
		buf_add(b, s.p + from, i - from);
		buf_str(b, find_escape((unsigned char)s.p[i]));
		from = i + 1;
	}
	buf_add(b, s.p + from, s.n - from);
}

void
h_void(struct html *h, const char *name)
{
	end_start_tag(h);
	buf_char(h->out, '<');
	buf_str(h->out, name);
	h->open = true;
}

void
h_open(struct html *h, const char *name)
{
	/* Documents never reach this depth, since the renderer limits their nesting (RENDER_DEPTH). */
	assert(h->depth < HTML_DEPTH);
	h_void(h, name);
	h->stack[h->depth++] = name;
}

/*
 * Pairs of name and value, up to a NULL name. A NULL value writes nothing, so that callers need no
 * condition.
 */
static void
write_attributes(struct html *h, va_list ap)
{
	const char *name;

	while ((name = va_arg(ap, const char *)) != NULL)
		h_attr(h, name, va_arg(ap, const char *));
}

void
h_el(struct html *h, const char *name, ...)
{
	va_list ap;

	h_open(h, name);
	va_start(ap, name);
	write_attributes(h, ap);
	va_end(ap);
}

void
h_one(struct html *h, const char *name, ...)
{
	va_list ap;

	h_void(h, name);
	va_start(ap, name);
	write_attributes(h, ap);
	va_end(ap);
}

/* Closes the element opened last, so that the order is always right. */
void
h_close(struct html *h)
{
	assert(h->depth > 0);
	end_start_tag(h);
	buf_str(h->out, "</");
	buf_str(h->out, h->stack[--h->depth]);
	buf_char(h->out, '>');
}

void
h_close_to(struct html *h, unsigned depth)
{
	while (h->depth > depth)
		h_close(h);
}

/* Values are always quoted and escaped; names are literals. */
void
h_attr(struct html *h, const char *name, const char *value)
{
	assert(h->open);
	if (value == NULL)
		return;
	buf_char(h->out, ' ');
	buf_str(h->out, name);
	buf_str(h->out, "=\"");
	write_escaped(h->out, str_of(value));
	buf_char(h->out, '"');
}

void
h_flag(struct html *h, const char *name)
{
	assert(h->open);
	buf_char(h->out, ' ');
	buf_str(h->out, name);
}

/*
 * Browsers drop tabs, line breaks and anything before a scheme's first letter (WHATWG URL, section
 * 4.4): refuse an address with any such byte.
 */
bool
h_url_safe(const char *url)
{
	static const char *const schemes[] = { "http", "https", "mailto", "tel" };
	size_t n, i;

	if (url == NULL)
		return false;
	for (i = 0; url[i] != '\0'; i++)
		if ((unsigned char)url[i] <= ' ' || url[i] == 0x7f)
			return false;
	/* A colon before any of these ends a scheme; later it is part of a path. */
	n = strcspn(url, ":/?#");
	if (url[n] != ':')
		/* Browsers read "/\" as "//", which begins another host. */
		return url[0] != '/' || url[1] != '\\';
	for (i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++)
		if (strlen(schemes[i]) == n && strncasecmp(url, schemes[i], n) == 0)
			return true;
	return false;
}

bool
h_url(struct html *h, const char *name, const char *url)
{
	if (!h_url_safe(url))
		return false;
	h_attr(h, name, url);
	return true;
}

/* Text closes the start tag: attributes after it are a bug (see the assertions above). */
void
h_textn(struct html *h, struct str s)
{
	end_start_tag(h);
	write_escaped(h->out, s);
}

void
h_text(struct html *h, const char *s)
{
	h_textn(h, str_of(s));
}

void
h_raw(struct html *h, struct str s)
{
	end_start_tag(h);
	buf_put(h->out, s);
}

void
h_json(struct html *h, struct str json)
{
	/* "</script>" in a text would end the element (WHATWG HTML, section 4.12.1.3). */
	for (size_t i = 0; i < json.n; i++)
		if (json.p[i] == '<' || json.p[i] == '>' || json.p[i] == '&')
			h_raw(h, str_of(json.p[i] == '<' ? "\\u003c" : json.p[i] == '>' ? "\\u003e" : "\\u0026"));
		else
			h_raw(h, str_slice(json, i, i + 1));
}

void
h_leaf(struct html *h, const char *name, const char *class, const char *text)
{
	h_el(h, name, "class", class, NULL);
	h_text(h, text);
	h_close(h);
}

/* ---- HTML to text ---- */

static const struct { const char *name; char c; } references[] = {
	{ "&amp;", '&' }, { "&lt;", '<' }, { "&gt;", '>' }, { "&quot;", '"' }, { "&#39;", '\'' },
};

/*
 * Appends the character of a reference that write_escaped() writes, and returns its length. Any
 * other "&" is a character of its own.
 */
static size_t
read_reference(struct buf *out, struct str s)
{
	for (size_t i = 0; i < sizeof(references) / sizeof(references[0]); i++)
		if (str_starts(s, references[i].name)) {
			buf_char(out, references[i].c);
			return strlen(references[i].name);
		}
	buf_char(out, *s.p);
	return 1;
}

struct str
h_words(struct arena *a, struct str html)
{
	struct buf out;
	size_t i = 0;

	buf_init(&out, a, html.n + 1);
	while (i < html.n) {
		if (html.p[i] == '<') {
			/* Within a tag that this file writes, ">" is escaped. */
			while (i < html.n && html.p[i] != '>')
				i++;
			i++;
		} else if (html.p[i] == '&') {
			i += read_reference(&out, str_slice(html, i, html.n));
		} else {
			buf_char(&out, html.p[i++]);
		}
	}
	return buf_view(&out);
}
