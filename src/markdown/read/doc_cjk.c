/*
 * Emphasis beside CJK text. CommonMark's rules for emphasis expect blanks around words, so that
 * `**強調（Concurrent）**として` is no emphasis. The CJK-friendly amendment
 * (github.com/tats-u/markdown-cjk-friendly, specification 1.0) lets a run of delimiters open or
 * close emphasis if CJK characters or CJK punctuation are beside it.
 *
 * cmark-gfm decides by the characters before and after a run, and has no hook for this. So before
 * it reads inlines, a mark is inserted between the run and a neighbour for which the amendment
 * decides differently. The mark is a punctuation character that the text does not contain. A run
 * with punctuation on both sides may open and close emphasis, which is what the amendment says for
 * such a run. After the parse the marks are removed from the tree. Text without CJK characters
 * beside runs gets no marks.
 */
#include <ctype.h>

#include <cmark-gfm/node.h>
#include <cmark-gfm/parser.h>
#include <cmark-gfm/utf8.h>
#include <utf8proc.h>

#include "../doc_parse.h"
#include "base/utf8.h"

/* Punctuation of dead scripts; the first of these that the text does not contain becomes the mark. */
static const char *const candidates[] = { "\xF0\x90\xA1\x97", "\xF0\x90\xA4\x9F", "\xF0\x90\x8F\x90" };
enum { MARK_BYTES = 4 };

/* True for East Asian wide, full-width and half-width characters and Hangul, but not emoji. */
bool
char_is_cjk(uint32_t cp)
{
	if (cp < 0x1100)
		return false;
	/* Half-width forms; Hangul jamo; CJK punctuation, kana, and other blocks up to CJK Compatibility. */
	if ((cp >= 0xFF61 && cp <= 0xFFDC) || (cp >= 0x1100 && cp <= 0x11FF) || (cp >= 0x3000 && cp <= 0x33FF))
		return true;
	return utf8proc_charwidth((utf8proc_int32_t)cp) == 2 &&
	    utf8proc_category((utf8proc_int32_t)cp) != UTF8PROC_CATEGORY_SO;
}

/*
 * Class of the character beside a run of delimiters. The end of the text counts as a blank
 * (CommonMark 6.2).
 */
struct edge {
	bool space, punct, cjk;
};

/* The class of the character at offset i; after the end, that of a space. */
static struct edge
edge_at(struct str s, size_t i)
{
	struct edge e = { .space = true };
	uint32_t cp;

	if (i >= s.n || utf8_next(str_slice(s, i, s.n), &cp) == 0)
		return e;
	e.space = cmark_utf8proc_is_space((int32_t)cp);
	e.punct = cmark_utf8proc_is_punctuation((int32_t)cp);
	e.cjk = char_is_cjk(cp);
	return e;
}

/* Class of the character that ends before i; skips continuation bytes. */
static struct edge
edge_before(struct str s, size_t i)
{
	if (i == 0)
		return (struct edge){ .space = true };
	for (i--; i > 0 && ((unsigned char)s.p[i] & 0xC0) == 0x80; )
		i--;
	return edge_at(s, i);
}

/*
 * True if, because of punctuation, the run may not open or close emphasis in CommonMark, but may in
 * the amendment. inside: the character next to the run within the emphasis; outside: the one beyond.
 */
static bool
needs_mark(struct edge inside, struct edge outside)
{
	return inside.punct && !outside.space && !outside.punct && (inside.cjk || outside.cjk);
}

/* Write the text with marks; false if it needs none. */
static bool
mark_edges(struct str s, const char *mark, struct buf *out)
{
	size_t i, k, from = 0;
	struct edge before, after;

	for (i = 0; i < s.n; i = k) {
		k = i + 1;
		/* Skip an escaped delimiter. */
		if (s.p[i] == '\\' && k < s.n && ispunct((unsigned char)s.p[k]))
			k++;
		/* "_" is skipped: it never opens or closes emphasis within a word, in the amendment neither. */
		if (s.p[i] != '*' && s.p[i] != '~')
			continue;
		while (k < s.n && s.p[k] == s.p[i])
			k++;
		before = edge_before(s, i);
		after = edge_at(s, k);
		if (needs_mark(after, before)) {
			buf_put(out, str_slice(s, from, i));
			buf_str(out, mark);
			from = i;
		}
		if (needs_mark(before, after)) {
			buf_put(out, str_slice(s, from, k));
			buf_str(out, mark);
			from = k;
		}
	}
	if (from > 0 || out->n > 0)
		buf_put(out, str_slice(s, from, s.n));
	return out->n > 0;
}

/*
 * NULL if no mark is needed. Also NULL if the text contains all candidates: it is then read as in
 * CommonMark.
 */
static const char *
mark_for(struct str text)
{
	size_t i;

	if (memchr(text.p, '*', text.n) == NULL && str_find(text, "~~").p == NULL)
		return NULL;
	/* CJK begins at U+1100, whose first byte is 0xE1. */
	for (i = 0; i < text.n && (unsigned char)text.p[i] < 0xE1; i++)
		;
	if (i == text.n)
		return NULL;
	for (i = 0; i < sizeof(candidates) / sizeof(*candidates); i++)
		if (str_find(text, candidates[i]).p == NULL)
			return candidates[i];
	return NULL;
}

/* True for blocks whose content cmark reads as inlines, which excludes code and HTML. */
static bool
holds_inlines(cmark_node *n)
{
	return n->content.size > 0 && (n->type == CMARK_NODE_PARAGRAPH || n->type == CMARK_NODE_HEADING ||
	    strcmp(cmark_node_get_type_string(n), "table_cell") == 0);
}

const char *
cjk_mark(struct arena *a, cmark_node *root, struct str text)
{
	const char *mark = text.n == 0 ? NULL : mark_for(text);
	bool some = false;
	cmark_node *n;
	struct str s;
	struct buf b;

	for (n = mark == NULL ? NULL : root; n != NULL; n = md_next_block(n)) {
		if (!holds_inlines(n))
			continue;
		s = (struct str){ (char *)n->content.ptr, (size_t)n->content.size };
		buf_init(&b, a, s.n * 4 + 16);
		if (!mark_edges(s, mark, &b))
			continue;
		cmark_strbuf_clear(&n->content);
		cmark_strbuf_put(&n->content, (const unsigned char *)b.p, (bufsize_t)b.n);
		some = true;
	}
	return some ? mark : NULL;
}

/* A chunk owns its bytes, though the buffer may be shared. */
static void
remove_marks(cmark_chunk *c, const char *mark)
{
	unsigned char *p, *from = c->data, *to = c->data, *end = c->data == NULL ? NULL : c->data + c->len;

	while (from < end && (p = memmem(from, (size_t)(end - from), mark, MARK_BYTES)) != NULL) {
		memmove(to, from, (size_t)(p - from));
		to += p - from;
		from = p + MARK_BYTES;
	}
	if (from == c->data)
		return;
	memmove(to, from, (size_t)(end - from));
	to += end - from;
	c->len = (bufsize_t)(to - c->data);
	*to = '\0';
}

void
cjk_unmark(cmark_node *root, const char *mark)
{
	cmark_iter *it = cmark_iter_new(root);
	cmark_event_type ev;
	cmark_node *n;

	while ((ev = cmark_iter_next(it)) != CMARK_EVENT_DONE) {
		n = cmark_iter_get_node(it);
		if (ev != CMARK_EVENT_ENTER)
			continue;
		switch (cmark_node_get_type(n)) {
		case CMARK_NODE_TEXT: case CMARK_NODE_CODE: case CMARK_NODE_HTML_INLINE:
		case CMARK_NODE_FOOTNOTE_REFERENCE:
			remove_marks(&n->as.literal, mark);
			break;
		case CMARK_NODE_LINK: case CMARK_NODE_IMAGE:
			/* An address may contain asterisks beside CJK characters. */
			remove_marks(&n->as.link.url, mark);
			remove_marks(&n->as.link.title, mark);
			break;
		default:
			break;
		}
	}
	cmark_iter_free(it);
}
