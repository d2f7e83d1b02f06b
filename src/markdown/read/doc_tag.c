/*
 * The grammar of `{% name key="value" ... %}`. It is read leniently: blanks or "-" at the ends;
 * single, typographic or no quotes.
 */
#include <ctype.h>

#include <cmark-gfm/chunk.h>
#include <cmark-gfm/houdini.h>

#include "../doc_parse.h"

/* Integrations are named @who/block. */
static bool
name_char(char c)
{
	return isalnum((unsigned char)c) || c == '-' || c == '_' || c == '@' || c == '/';
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Length of the quote at i; 0 if there is none. */
static size_t
quote_at(struct str s, size_t i)
{
	if (s.p[i] == '"' || s.p[i] == '\'')
		return 1;
	if (i + 3 <= s.n && (memcmp(s.p + i, "\xE2\x80\x9C", 3) == 0 ||
	    memcmp(s.p + i, "\xE2\x80\x9D", 3) == 0))
		return 3;
	return 0;
}

/* Position after the quoted string that begins at i; 0: it is not closed. */
static size_t
quoted_end(struct str s, size_t i)
{
	size_t n = quote_at(s, i);
	char q = s.p[i];

	for (i += n; i < s.n; i++)
		if (s.p[i] == '\\' && i + 1 < s.n)
			i++;
		else if (n == 1 ? s.p[i] == q : quote_at(s, i) == 3)
			return i + n;
	return 0;
}

/*
 * Offset of "%}" from i on; s.n: there is none. A quoted value may contain "%}". Only a quote after
 * "=" or a blank opens a value, and a quote that is never closed opens none.
 */
static size_t
find_closing(struct str s, size_t i)
{
	size_t end;
	char before;

	for (; i + 1 < s.n; i++) {
		before = i > 0 ? s.p[i - 1] : ' ';
		if (s.p[i] == '%' && s.p[i + 1] == '}')
			return i;
		if (quote_at(s, i) == 0 || (before != '=' && !is_blank(before)))
			continue;
		end = quoted_end(s, i);
		if (end == 0)
			break;
		i = end - 1;
	}
	/* After an unclosed quote the first "%}" counts. */
	for (; i + 1 < s.n; i++)
		if (s.p[i] == '%' && s.p[i + 1] == '}')
			return i;
	return s.n;
}

size_t
tag_scan(struct str s, struct tag *t)
{
	size_t i = 2, from, end;

	if (s.n < 5 || s.p[0] != '{' || s.p[1] != '%')
		return 0;
	i += s.p[i] == '-';
	while (i < s.n && is_blank(s.p[i]))
		i++;
	for (from = i; i < s.n && name_char(s.p[i]); )
		i++;
	if (i == from || i >= s.n || !(is_blank(s.p[i]) || s.p[i] == '%' || s.p[i] == '"'))
		return 0;
	/* `{% raw -%}`: the dash belongs to the delimiter, although names may contain one. */
	if (s.p[i - 1] == '-' && s.p[i] == '%')
		i--;
	memset(t, 0, sizeof(*t));
	t->name = str_slice(s, from, i);
	end = find_closing(s, i);
	if (end == s.n)
		return 0;
	t->args = str_slice(s, i, end);
	if (t->args.n > 0 && t->args.p[t->args.n - 1] == '-')
		t->args.n--;
	t->args = str_trim(t->args);
	t->source = str_slice(s, 0, end + 2);
	/* No tag of the dialect has a name that begins with "end". */
	if (t->name.n > 3 && str_starts(t->name, "end")) {
		t->end = true;
		t->name = str_slice(t->name, 3, t->name.n);
	}
	return end + 2;
}

char *
text_unescape(struct arena *a, struct str s, bool backslashes)
{
	cmark_strbuf out;
	char *copy;
	size_t i, n = 0;

	/* Remove backslashes in place: the text only gets shorter. */
	copy = arena_strndup(a, s.p, s.n);
	for (i = 0; backslashes && i < s.n; i++) {
		if (copy[i] == '\\' && i + 1 < s.n && ispunct((unsigned char)copy[i + 1]))
			i++;
		copy[n++] = copy[i];
	}
	if (backslashes)
		copy[n] = '\0', s.n = n;
	if (memchr(copy, '&', s.n) == NULL)
		return copy;
	/*
	 * Uses cmark's function, so that the same entities are known as in the text around. Its
	 * buffer is freed at once; limit_abort() cannot be called in between.
	 */
	cmark_strbuf_init(cmark_get_default_mem_allocator(), &out, 0);
	houdini_unescape_html_f(&out, (const uint8_t *)copy, (bufsize_t)s.n);
	copy = arena_strndup(a, (const char *)out.ptr, (size_t)out.size);
	cmark_strbuf_free(&out);
	return copy;
}

/* Value at *i: quoted, or up to the next blank. */
static const char *
value_at(struct arena *a, struct str s, size_t *i)
{
	size_t from = *i, n, end;

	n = from < s.n ? quote_at(s, from) : 0;
	end = n > 0 ? quoted_end(s, from) : 0;
	if (end > 0) {
		*i = end;
		return text_unescape(a, str_slice(s, from + n, end - n), true);
	}
	for (end = from; end < s.n && !is_blank(s.p[end]); )
		end++;
	*i = end;
	return text_unescape(a, str_slice(s, from, end), true);
}

/*
 * Skip anything that is not name="value": lone words, or an include's quoted string. A repeated
 * name is listed twice, and tag_get() finds the first.
 */
void
tag_attrs(struct arena *a, struct tag *t)
{
	struct tag_attr **end = &t->attrs, *x;
	struct str s = t->args;
	size_t i = 0, from;

	/* A second call would list each attribute twice. */
	if (t->attrs != NULL)
		return;
	while (i < s.n) {
		for (from = i; i < s.n && s.p[i] != '=' && !is_blank(s.p[i]) && quote_at(s, i) == 0; )
			i++;
		if (i == from || i >= s.n || s.p[i] != '=') {
			if (i == from && i < s.n && quote_at(s, i) > 0)
				value_at(a, s, &i);
			else
				i++;
			continue;
		}
		x = arena_alloc(a, sizeof(*x));
		x->name = arena_strndup(a, s.p + from, i - from);
		i++;
		x->value = value_at(a, s, &i);
		*end = x;
		end = &x->next;
	}
}

const char *
tag_get(const struct tag *t, const char *name)
{
	const struct tag_attr *x = t->attrs;

	while (x != NULL && strcmp(x->name, name) != 0)
		x = x->next;
	return x == NULL ? NULL : x->value;
}

const char *
tag_quoted(struct arena *a, const struct tag *t)
{
	struct str s = t->args;
	size_t i = 0, end;

	while (i < s.n && is_blank(s.p[i]))
		i++;
	/* Jekyll's form: a bare word. */
	for (end = i; end < s.n && !is_blank(s.p[end]) && s.p[end] != '=' && quote_at(s, end) == 0; )
		end++;
	if (end > i && (end == s.n || is_blank(s.p[end])))
		return text_unescape(a, str_slice(s, i, end), true);
	for (; i < s.n; i++)
		if (quote_at(s, i) > 0)
			return value_at(a, s, &i);
	return NULL;
}
