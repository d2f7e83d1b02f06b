/* Writing HTML. Contract: render/html.h. */
#include <assert.h>
#include <stdarg.h>
#include <strings.h>

#include "render/html.h"

void
h_init(struct html *h, struct buf *out)
{
	*h = (struct html){ .out = out };
}

/* Ends the start tag that is open. */
static void
end_start_tag(struct html *h)
{
	if (h->open)
		buf_char(h->out, '>');
	h->open = false;
}

/*
 * What stands for a byte; NULL: itself. A NUL and other control characters are no characters of
 * HTML (section 13.2.3.5): they become U+FFFD. A line ends with "\n" alone in what is written.
 */
static const char *
reference_to(unsigned char c)
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

/* Which bytes are others than themselves, all of them below 64: asked of each byte of each page. */
static inline bool
stands_for_itself(unsigned char c)
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
		if (stands_for_itself((unsigned char)s.p[i]))
			continue;
		/* What needs no escape is copied in runs, not byte by byte. */
		buf_add(b, s.p + from, i - from);
		buf_str(b, reference_to((unsigned char)s.p[i]));
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
	/* The renderer bounds its nesting (RENDER_DEPTH), so no document reaches this. */
	assert(h->depth < HTML_DEPTH);
	h_void(h, name);
	h->stack[h->depth++] = name;
}

/*
 * Pairs of name and value up to a NULL name; a NULL value writes nothing, so that callers need
 * no condition.
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

/* The name is the one that was opened: elements cannot be closed in the wrong order. */
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

/* Values are always quoted and escaped; names are literals of the program. */
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
 * A browser drops tabs, line breaks and what stands before the first letter of a scheme
 * (WHATWG URL, section 4.4): an address with any such byte is refused altogether.
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
	/* A colon before any of these ends a scheme; behind them it is part of a path. */
	n = strcspn(url, ":/?#");
	if (url[n] != ':')
		/* Browsers read "/\" as "//", the beginning of another host. */
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

/* Text ends the start tag: attributes after it are a mistake of the program (the assertions above). */
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
h_leaf(struct html *h, const char *name, const char *class, const char *text)
{
	h_el(h, name, "class", class, NULL);
	h_text(h, text);
	h_close(h);
}

/* ---- back to words ---- */

static const struct { const char *name; char c; } references[] = {
	{ "&amp;", '&' }, { "&lt;", '<' }, { "&gt;", '>' }, { "&quot;", '"' }, { "&#39;", '\'' },
};

/* The character of a reference that write_escaped() writes, and its length; any other "&" stands for itself. */
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
			/* In what this file writes, a ">" within a tag is escaped. */
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
