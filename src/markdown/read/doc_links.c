/*
 * Finds the byte ranges of link targets in a body.
 *
 * cmark does not report the position of a destination. So a scan of the text finds every place that
 * may be one. There are two ways to find out which of the places are targets:
 *
 *   doc_link_match.c  compares the places with the lookups of the document's parse. It needs no
 *                     second parse, but fails if the result is uncertain.
 *   tokens            replaces each place by a token in a copy of the body, and parses the copy. A
 *                     place is a target if the parse looks up its token. So the list is exactly
 *                     what doc_parse() looks up.
 *
 * A replacement must not change how the rest of the body is parsed. Places whose text may do that
 * (with a bar, a backquote, a tag) are not replaced; if the parse looks them up, they are reported
 * without a place (from = to = 0).
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include <sodium.h>

#include "doc_links.h"

enum { MAX_TAG = 16384 };   /* longest tag that is scanned */

/*
 * Adds a place, unless a token in its place could change how the rest is read: the text has a bar,
 * which adds a table column, a backquote, which may end a code span, or the beginning of a tag. Links
 * to footnotes are not reported, and a NUL would end the spelling.
 */
static void
add_place(struct finder *f, size_t from, size_t to, enum doc_place how, enum lookup_by by)
{
	struct str s = str_slice(f->body, from, to);
	struct place *p;

	if (s.n == 0 || memchr(s.p, '|', s.n) != NULL || memchr(s.p, '`', s.n) != NULL ||
	    memchr(s.p, '\0', s.n) != NULL || str_find(s, "{%").p != NULL ||
	    str_starts(s, "#user-content-fn"))
		return;
	f->places = arena_grow(f->a, f->places, f->count, &f->room, sizeof(*f->places));
	p = &f->places[f->count++];
	p->from = from;
	p->to = to;
	p->how = how;
	p->by = by;
}

/* True if a definition may begin at i: only markers of quotes and lists precede it in its line. */
static bool
begins_line(const struct finder *f, size_t i)
{
	while (i > 0 && f->body.p[i - 1] != '\0' && strchr("> \t-+*.)0123456789", f->body.p[i - 1]) != NULL)
		i--;
	return i == 0 || f->body.p[i - 1] == '\n' || f->body.p[i - 1] == '\r';
}

/*
 * Scans a Markdown destination at i, after "](" or "]:". Returns where to continue. open: offset of
 * the opening bracket, for a definition.
 */
static size_t
scan_destination(struct finder *f, size_t i, bool definition, size_t open)
{
	static const bool signs[256] = { ['\\'] = true, ['('] = true, [')'] = true, ['<'] = true, ['['] = true };
	const char *s = f->body.p;
	size_t n = f->body.n, from, start = i;
	enum lookup_by by = !definition ? BY_LINK : begins_line(f, open) ? BY_REFERENCE : BY_UNSURE;
	unsigned depth = 0;

	while (i < n && (s[i] == ' ' || s[i] == '\t' || s[i] == '\n' || s[i] == '\r'))
		i++;
	/* CommonMark 6.3: in angle brackets a destination may contain blanks, but no line end. */
	if (i < n && s[i] == '<') {
		for (from = ++i; i < n && s[i] != '>' && s[i] != '<' && s[i] != '\n' && s[i] != '\r'; i++)
			i += s[i] == '\\' && i + 1 < n && ispunct((unsigned char)s[i + 1]);
		if (i < n && s[i] == '>')
			add_place(f, from, i, PLACE_ANGLE, by);
		return i < n ? i : n;
	}
	for (from = i; i < n && (unsigned char)s[i] > ' ' && s[i] != 0x7f; i++) {
		/* Fast path for ordinary characters. */
		if (!signs[(unsigned char)s[i]])
			continue;
		if (s[i] == '\\' && i + 1 < n && ispunct((unsigned char)s[i + 1]))
			i++;
		/*
		 * CommonMark allows balanced parentheses; cmark stops at 32 levels, and so does
		 * this.
		 */
		else if (s[i] == '(' && ++depth > 32)
			return start;
		/*
		 * The subtraction may wrap: the check after the loop takes the largest value for
		 * "ended by its own parenthesis".
		 */
		else if (s[i] == ')' && depth-- == 0)
			break;
		else if (s[i] == '<' || (definition && s[i] == '['))
			return start;
	}
	if (i > n)
		i = n;
	if (!definition && (i == n || (s[i] == ')' ? depth != (unsigned)-1 : depth != 0)))
		return start;
	add_place(f, from, i, PLACE_BARE, by);
	return i;
}

/* Scans an attribute value at i, after "=". */
static size_t
scan_attribute(struct finder *f, size_t i)
{
	const char *s = f->body.p, *end;
	size_t n = f->body.n, from = i;

	if (i >= n)
		return n;
	if (s[i] == '"' || s[i] == '\'') {
		/*
		 * The search is limited: otherwise each of many unclosed "href=\"" would be
		 * searched to the end.
		 */
		end = memchr(s + i + 1, s[i], n - i - 1 < 65536 ? n - i - 1 : 65536);
		if (end == NULL || s[i + 1] == '#')
			return i;
		add_place(f, i + 1, (size_t)(end - s), s[i] == '"' ? PLACE_QUOTED : PLACE_SINGLE,
		    BY_OTHER);
		return (size_t)(end - s);
	}
	while (i < n && (unsigned char)s[i] > ' ' && strchr("\"'=<>`", s[i]) == NULL)
		i++;
	if (i > from && s[from] != '#')
		add_place(f, from, i, PLACE_UNQUOTED, BY_OTHER);
	return i;
}

/* Path of an include without quotes, or in single ones, as by tag_quoted(). */
static bool
bare_include(struct finder *f, const struct tag *t)
{
	size_t from = (size_t)(t->args.p - f->body.p), end = from + t->args.n, to;
	const char *s = f->body.p;

	while (from < end && (unsigned char)s[from] <= ' ')
		from++;
	if (from < end && s[from] == '\'') {
		for (to = ++from; to < end && s[to] != '\'' && s[to] != '\\';)
			to++;
		if (to == end || s[to] != '\'')
			return false;
	} else {
		for (to = from; to < end && (unsigned char)s[to] > ' ' && strchr("=\"'&\xE2", s[to]) == NULL;)
			to++;
		if (to < end && (unsigned char)s[to] > ' ')
			return false;
	}
	if (to == from)
		return false;
	add_place(f, from, to, PLACE_TAG, BY_OTHER);
	return true;
}

/* Add the targets among a tag's attributes; returns the tag's end. */
static size_t
tag_places(struct finder *f, size_t i)
{
	static const char *const names[] = { "url=\"", "src=\"", "page=\"" };
	struct str rest = str_slice(f->body, i, f->body.n);
	struct tag t;
	size_t n, k, at, end;
	bool include;

	/*
	 * One search serves all tags before the "%}": otherwise a body of unclosed "{%" would be
	 * searched to its end for each.
	 */
	if (f->close < i) {
		t.source = str_find(rest, "%}");
		f->close = t.source.p == NULL ? f->body.n : (size_t)(t.source.p - f->body.p);
	}
	if (f->close == f->body.n || f->close - i > MAX_TAG)
		return i + 1;
	/* tag_scan() may continue past a "%}" in quotes, but not further than this. */
	if (rest.n > MAX_TAG * 2)
		rest.n = MAX_TAG * 2;
	n = tag_scan(rest, &t);
	if (n == 0 || t.end)
		return i + (n == 0 ? 1 : n - 1);
	include = str_is(t.name, "include");
	if (include && bare_include(f, &t))
		return i + n - 1;
	for (at = (size_t)(t.args.p - f->body.p); at < i + n; at++) {
		for (k = 0; k < 3 && !str_starts(str_slice(f->body, at, i + n), names[k]); )
			k++;
		/*
		 * A name must follow a blank, so that data-url= is not url=. An include has its
		 * path without a name.
		 */
		if (k < 3 ? f->body.p[at - 1] > ' ' : !include || f->body.p[at] != '"')
			continue;
		at += k < 3 ? strlen(names[k]) : 1;
		for (end = at; end < i + n && f->body.p[end] != '"'; end++)
			end += f->body.p[end] == '\\';
		if (end < i + n)
			add_place(f, at, end, PLACE_TAG, BY_OTHER);
		at = end;
	}
	return i + n - 1;
}

/* Length of "href=", "src=" or "srcset=" at i, blanks around "=" included; 0 if there is none. */
static size_t
attribute_name(struct str s, size_t i)
{
	static const char *const names[] = { "href", "srcset", "src" };
	size_t n, k;

	/* An attribute follows white space, or directly the quote that ends another value. */
	if (i == 0 || (!isspace((unsigned char)s.p[i - 1]) && s.p[i - 1] != '"' && s.p[i - 1] != '\''))
		return 0;
	for (k = 0; k < 3; k++) {
		n = strlen(names[k]);
		if (s.n - i <= n || strncasecmp(s.p + i, names[k], n) != 0)
			continue;
		while (i + n < s.n && isspace((unsigned char)s.p[i + n]))
			n++;
		if (i + n >= s.n || s.p[i + n] != '=')
			return 0;
		for (n++; i + n < s.n && isspace((unsigned char)s.p[i + n]); )
			n++;
		return n;
	}
	return 0;
}

/*
 * Linear: each case continues after what it has scanned. Code and comments are scanned, too, since
 * only the parser recognises them; tokens in them are never looked up.
 */
static void
scan_body(struct finder *f)
{
	const char *s = f->body.p;
	size_t i, n = f->body.n, open = n, k;

	for (i = 0; i < n; i++) {
		switch (s[i]) {
		case '\n':
			open = n;
			break;
		case '[':
			open = i;
			break;
		/* An escaped bracket opens and closes nothing. */
		case '\\':
			i++;
			break;
		case ']':
			if (i + 1 < n && s[i + 1] == '(')
				i = scan_destination(f, i + 2, false, open) - 1;
			/* A definition; "[^" begins that of a footnote. */
			else if (i + 1 < n && s[i + 1] == ':' && open < i && s[open + 1] != '^')
				i = scan_destination(f, i + 2, true, open) - 1;
			break;
		case '{':
			if (i + 1 < n && s[i + 1] == '%')
				i = tag_places(f, i);
			break;
		case 'h': case 'H': case 's': case 'S':
			k = attribute_name(f->body, i);
			if (k > 0)
				i = scan_attribute(f, i + k) - 1;
			break;
		}
	}
}

/*
 * Random letters that the body does not contain. They must not be predictable: a body could contain
 * the token on purpose. They are few, since there may be a token for every few bytes; a body of 10
 * MB contains one in thirty of such tokens.
 */
static const char *
choose_token(struct finder *f)
{
	enum { LETTERS = 6 };
	char *token = arena_alloc(f->a, LETTERS + 1);

	do
		for (size_t i = 0; i < LETTERS; i++)
			token[i] = (char)('a' + randombytes_uniform(26));
	while (str_find(f->body, token).p != NULL);
	return token;
}

/*
 * The body with a token in place of each possible target. A token consists of letters and digits,
 * with which no syntax begins or ends.
 */
static struct str
replace_by_tokens(struct finder *f)
{
	const char *token = choose_token(f);
	struct buf out;
	size_t i, at = 0;

	f->token = token;
	f->token_n = strlen(token);
	buf_init(&out, f->a, f->body.n + f->count * (f->token_n + 21) + 1);
	for (i = 0; i < f->count; i++) {
		buf_put(&out, str_slice(f->body, at, f->places[i].from));
		buf_str(&out, token);
		buf_int(&out, (int64_t)i);
		at = f->places[i].to;
	}
	buf_put(&out, str_slice(f->body, at, f->body.n));
	return buf_view(&out);
}

void
finder_add_unplaced(struct finder *f, struct str s, enum doc_use use)
{
	struct doc_link *l = arena_alloc(f->a, sizeof(*l));

	l->use = use;
	l->spelling = (struct str){ arena_strndup(f->a, s.p, s.n), s.n };
	*f->unplaced_end = l;
	f->unplaced_end = &l->next;
}

/* Restore the text of tokens within a spelling. */
static struct str
restore_tokens(const struct finder *f, struct str s)
{
	struct str rest = { arena_strndup(f->a, s.p, s.n), s.n }, token;
	struct buf out;
	size_t i;
	char *end;

	if (str_find(rest, f->token).p == NULL)
		return s;
	/* Each place occurs once; an entity may be shorter than its text. */
	buf_init(&out, f->a, s.n + f->body.n * 2);
	while ((token = str_find(rest, f->token)).p != NULL) {
		buf_put(&out, str_slice(rest, 0, rest.n - token.n));
		i = strtoul(token.p + f->token_n, &end, 10);
		if (i < f->count)
			buf_put(&out, place_spelling(f, &f->places[i]));
		rest = str_slice(token, (size_t)(end - token.p), token.n);
	}
	buf_put(&out, rest);
	return buf_view(&out);
}

/* The parser calls this for each possible target: it records that the token's place is one. */
static bool
resolve_token(void *ctx, struct arena *a, struct str s, enum doc_use use, struct doc_ref *out)
{
	struct finder *f = ctx;
	size_t i;
	char *end;

	(void)out;
	if (s.n > f->token_n && memcmp(s.p, f->token, f->token_n) == 0) {
		i = strtoul(arena_strndup(a, s.p + f->token_n, s.n - f->token_n), &end, 10);
		if (*end == '\0' && i < f->count) {
			if (!f->places[i].looked_up)
				f->places[i].use = use;
			f->places[i].looked_up = true;
			return false;
		}
	}
	finder_add_unplaced(f, restore_tokens(f, s), use);
	return false;
}

/*
 * Records an autolink (<address>), which cannot be replaced by a token: it would no longer be a
 * link.
 */
static void
record_autolink(void *ctx, struct str url, enum doc_use use)
{
	struct finder *f = ctx;
	struct doc_ref none;

	if (use == USE_LINK)
		resolve_token(ctx, f->a, url, use, &none);
}

/* True if the text before p ends with that sign. */
static bool
is_preceded_by(struct str text, const char *p, const char *sign)
{
	size_t n = strlen(sign);

	return (size_t)(p - text.p) >= n && memcmp(p - n, sign, n) == 0;
}

/*
 * Finds <address>, for mail with or without "mailto:"; p NULL: none. One search finds both forms,
 * since two would each run to the end.
 */
static struct str
find_address(struct finder *f, struct str rest, struct str address)
{
	struct str mail = str_slice(address, str_starts(address, "mailto:") ? strlen("mailto:") : 0, address.n), at;
	/* The spelling is terminated by a NUL, like every spelling that resolve_token() keeps. */
	const char *end = arena_printf(f->a, "%s>", mail.p);

	for (at = str_find(rest, end); at.p != NULL; at = str_find(str_slice(at, 1, at.n), end))
		if (is_preceded_by(rest, at.p, "<") || (mail.n < address.n && is_preceded_by(rest, at.p, "<mailto:")))
			break;
	return at;
}

/*
 * Finds the lines of <addresses>, each after the one before. If an address is spelled differently
 * in the source, for example with an entity, the search fails after it has read the whole rest;
 * after SEARCHES failures the other addresses get no line.
 */
static void
find_lines(struct finder *f)
{
	enum { SEARCHES = 16 };
	struct str rest = f->body, at;
	struct doc_link *l;
	size_t line = 1, i, failed = 0;

	for (l = f->unplaced; l != NULL && failed < SEARCHES; l = l->next) {
		if (memchr(l->spelling.p, ':', l->spelling.n) == NULL)
			continue;
		at = find_address(f, rest, l->spelling);
		failed += at.p == NULL;
		if (at.p == NULL)
			continue;
		for (i = 0; i < (size_t)(at.p - rest.p); i++)
			line += rest.p[i] == '\n' || (rest.p[i] == '\r' && rest.p[i + 1] != '\n');
		l->line = line;
		rest = str_slice(rest, i + 1, rest.n);
	}
}

/*
 * True if the body may contain a link, image or address. If it has only "<", this begins an
 * element, whose targets are attributes, or an address, which contains a colon or an at sign.
 */
static bool
may_contain_link(struct str body)
{
	static const char quotes[] = { '=', '"', '\'', '\xE2' };

	if (str_find(body, "](").p != NULL || str_find(body, "]:").p != NULL)
		return true;
	/*
	 * A tag's target is an attribute, or quoted: by ASCII or typographic quotes (E2 80 9C and
	 * 9D).
	 */
	for (size_t i = str_find(body, "{%").p == NULL ? sizeof(quotes) : 0; i < sizeof(quotes); i++)
		if (memchr(body.p, quotes[i], body.n) != NULL)
			return true;
	/* HTML with an attribute, or <https://…> or <name@…>. */
	return body.n > 0 && memchr(body.p, '<', body.n) != NULL && (memchr(body.p, '=', body.n) != NULL ||
	    memchr(body.p, ':', body.n) != NULL || memchr(body.p, '@', body.n) != NULL);
}

struct str
place_spelling(const struct finder *f, const struct place *p)
{
	/* Decode as the place requires: HTML attributes have entities only. */
	return spelling_decode(f->a, str_of(text_unescape(f->a, str_slice(f->body, p->from, p->to),
	    p->how == PLACE_BARE || p->how == PLACE_ANGLE || p->how == PLACE_TAG)));
}

/* List the targets with their lines, then those without a place. */
static struct doc_link *
list_found(struct finder *f)
{
	struct doc_link *list = NULL, **end = &list, *l;
	const char *s = f->body.p;
	size_t at = 0, line = 1;
	struct place *p;

	for (size_t i = 0; i < f->count; i++) {
		p = &f->places[i];
		for (; at < p->from; at++)
			line += s[at] == '\n' || (s[at] == '\r' && s[at + 1] != '\n');
		if (!p->looked_up)
			continue;
		l = arena_alloc(f->a, sizeof(*l));
		l->use = p->use;
		l->from = p->from;
		l->to = p->to;
		l->line = line;
		l->place = p->how;
		l->spelling = p->spelling.p != NULL ? p->spelling : place_spelling(f, p);
		*end = l;
		end = &l->next;
	}
	find_lines(f);
	*end = f->unplaced;
	return list;
}

static void
finder_begin(struct finder *f, struct arena *a, struct str body)
{
	*f = (struct finder){ .a = a, .body = body };
	f->unplaced_end = &f->unplaced;
	scan_body(f);
}

static struct doc_link *
links_by_tokens(struct finder *f)
{
	struct doc_refs refs = { .lookup = resolve_token, .seen = record_autolink, .ctx = f };

	/*
	 * Tokens look like relative paths, so absolute URLs that were replaced are looked up by
	 * resolve_token(), too. A document beyond the limits is plain text without links.
	 */
	return doc_run_lookups(f->a, replace_by_tokens(f), &refs) ? list_found(f) : NULL;
}

struct doc_link *
doc_links(struct arena *a, struct str body)
{
	struct finder f;

	if (!may_contain_link(body))
		return NULL;
	finder_begin(&f, a, body);
	return links_by_tokens(&f);
}

struct doc_link *
doc_links_of(struct arena *a, const struct doc *d, struct str body)
{
	struct finder f;

	/*
	 * Without lookups there are no links. If definitions add too many bytes, only some links
	 * were looked up.
	 */
	if (d->lookup_count == 0 && !d->excess)
		return NULL;
	finder_begin(&f, a, body);
	return !d->excess && match_lookups(&f, d) ? list_found(&f) : links_by_tokens(&f);
}

struct doc_link *
doc_links_copy(struct arena *a, const struct doc_link *l)
{
	struct doc_link *first = NULL, **last = &first;

	for (; l != NULL; l = l->next) {
		*last = arena_bytes(a, sizeof(**last));
		**last = *l;
		(*last)->spelling.p = arena_strndup(a, l->spelling.p, l->spelling.n);
		last = &(*last)->next;
	}
	*last = NULL;
	return first;
}

/* True if cmark or gumbo would read an entity at s. */
static bool
entity_like(const char *s, const char *stop)
{
	const char *p = s + 1;

	while (p < stop && (isalnum((unsigned char)*p) || *p == '#'))
		p++;
	return p < stop && *p == ';' && p > s + 1;
}

/* True if a place of this kind is in HTML, where characters are escaped as entities. */
static bool
is_html_place(enum doc_place how)
{
	return how >= PLACE_QUOTED && how != PLACE_TAG;
}

/* True if the character needs a backslash: in a tag of the dialect, or in a destination of Markdown. */
static bool
needs_backslash(char c, enum doc_place how)
{
	if (how == PLACE_TAG)
		return c == '"' || c == '\\';
	return how < PLACE_QUOTED && (c == '<' || c == '>' || c == '\\');
}

/* Write a target so that it is read back at a place of that kind. */
void
doc_quote(struct buf *out, struct str s, enum doc_place how)
{
	/*
	 * "]()" and "](<>)" both are an empty target; but a target that begins with "<" needs angle
	 * brackets.
	 */
	bool angle = how == PLACE_BARE && (s.n == 0 || s.p[0] == '<');
	const char *p;

	for (size_t i = 0; how == PLACE_BARE && i < s.n; i++)
		angle = angle || (unsigned char)s.p[i] <= ' ' || s.p[i] == '(' || s.p[i] == ')' || s.p[i] == 0x7f;
	if (angle || how == PLACE_UNQUOTED)
		buf_char(out, angle ? '<' : '"');
	for (p = s.p; p < s.p + s.n; p++) {
		/*
		 * Neither Markdown form may contain a line end; use an entity in HTML, and
		 * percent-encoding in a URL.
		 */
		if (*p == '\n' || *p == '\r')
			buf_str(out, how >= PLACE_QUOTED ? "&#xA;" : "%0A");
		else if (*p == '&' && (is_html_place(how) || entity_like(p, s.p + s.n)))
			buf_str(out, "&#x26;");
		else if (how == PLACE_SINGLE && *p == '\'')
			buf_str(out, "&#x27;");
		else if ((how == PLACE_QUOTED || how == PLACE_UNQUOTED) && *p == '"')
			buf_str(out, "&#x22;");
		else {
			if (needs_backslash(*p, how))
				buf_char(out, '\\');
			buf_char(out, *p);
		}
	}
	if (angle || how == PLACE_UNQUOTED)
		buf_char(out, angle ? '>' : '"');
}

/*
 * Percent-encode bars and backquotes: a bar would end a table cell, and a backquote might begin a
 * code span.
 */
static struct str
escape_target(struct arena *a, struct str target)
{
	struct buf b;
	size_t i;

	if (memchr(target.p, '|', target.n) == NULL && memchr(target.p, '`', target.n) == NULL)
		return target;
	buf_init(&b, a, (size_t)1 << 26);
	for (i = 0; i < target.n; i++)
		if (target.p[i] == '|' || target.p[i] == '`')
			buf_str(&b, target.p[i] == '|' ? "%7C" : "%60");
		else
			buf_char(&b, target.p[i]);
	return buf_view(&b);
}

void
doc_respell(struct buf *out, struct arena *a, struct str body,
    bool (*respell)(void *ctx, const struct doc_link *link, struct buf *out), void *ctx)
{
	struct doc_link *l;
	struct buf new;
	size_t at = 0;

	for (l = doc_links(a, body); l != NULL; l = l->next) {
		buf_init(&new, a, (size_t)1 << 26);
		/*
		 * A target without a known place stays: replacing its text wherever it occurs would
		 * be a guess.
		 */
		if (l->to == 0 || !respell(ctx, l, &new))
			continue;
		buf_put(out, str_slice(body, at, l->from));
		doc_quote(out, escape_target(a, buf_view(&new)), l->place);
		at = l->to;
	}
	buf_put(out, str_slice(body, at, body.n));
}
