/*
 * Derives data for search, diffs and statistics from a body or a tree: top-level blocks, sections
 * of plain text, word counts.
 */
#include <utf8proc.h>

#include "markdown/document_tree.h"
#include "base/utf8.h"

/* Returns the offset of the next line, with line ends as in cmark. */
static size_t
next_line(struct str s, size_t i)
{
	while (i < s.n && s.p[i] != '\n' && s.p[i] != '\r')
		i++;
	if (i + 1 < s.n && s.p[i] == '\r' && s.p[i + 1] == '\n')
		i++;
	return i < s.n ? i + 1 : s.n;
}

/*
 * A range ends where the next block begins, because cmark's last line is one short for HTML blocks.
 * The first block also includes everything before it.
 */
struct doc_block *
doc_blocks_of(struct arena *a, const struct doc *d, struct str body, size_t *count)
{
	struct doc_block *list = arena_array(a, d->slice_count + 1, sizeof(*list));
	size_t i, at = 0, from = 0, line = 1;

	*count = 0;
	if (body.n == 0)
		return list;
	for (i = 0; i < d->slice_count; i++) {
		list[i].key = d->slices[i].node->key;
		list[i].type = doc_kinds[d->slices[i].node->type].name;
		if (i == 0)
			continue;
		for (; line < d->slices[i].line; line++)
			at = next_line(body, at);
		list[i - 1].source = str_slice(body, from, at);
		from = at;
	}
	/*
	 * A body without nodes (blank lines) is one block without a key: ranges always cover the
	 * body.
	 */
	*count = i > 0 ? i : 1;
	list[*count - 1].source = str_slice(body, from, body.n);
	if (i == 0) {
		list[0].key = "";
		list[0].type = "";
	}
	return list;
}

struct doc_block *
doc_blocks(struct arena *a, struct str body, size_t *count)
{
	return doc_blocks_of(a, doc_parse(a, body, NULL, NULL, NULL), body, count);
}

/* The last section of the list is the current one; its text is still in the buffer. */
struct sections {
	struct arena       *a;
	struct doc_section *list;
	size_t              count, room;
	struct buf          text;    /* of the current section */
	const char         *condition;   /* of the current text; NULL: none */
};

/* Ends the current section: moves the text from the buffer into it. */
static void
end_section(struct sections *s)
{
	struct buf *t = &s->text;

	while (t->n > 0 && (t->p[t->n - 1] == '\n' || t->p[t->n - 1] == ' '))
		buf_cut(t, 1);
	s->list[s->count - 1].text = arena_strndup(s->a, t->p, t->n);
	buf_cut(t, t->n);
}

static void
begin_section(struct sections *s)
{
	if (s->count > 0)
		end_section(s);
	s->list = arena_grow(s->a, s->list, s->count, &s->room, sizeof(*s->list));
	s->list[s->count++] = (struct doc_section){ .condition = s->condition };
}

/* Begins a part of the section at index `of`; reuses the current part if it has no text. */
static void
begin_part(struct sections *s, size_t of)
{
	struct doc_section from;

	if (!s->list[s->count - 1].part || s->text.n > 0)
		begin_section(s);
	/* Copy it now: begin_section() may have moved the list. */
	from = s->list[of];
	s->list[s->count - 1] = (struct doc_section){ .anchor = from.anchor, .level = from.level, .part = true,
		.under = from.part ? from.under : from.heading, .condition = s->condition };
}

static void collect_children(struct sections *s, const struct doc_node *n);

/*
 * Collects the content of an {% if %} in sections of its own: search must not show text to readers
 * from whom a condition hides it, so that text never shares a section with unconditional text.
 */
static void
collect_if(struct sections *s, const struct doc_node *n)
{
	const char *outer = s->condition, *own = doc_attr_str(n, "expression");
	size_t of = s->count - 1;

	own = own == NULL ? "" : own;
	s->condition = outer == NULL ? arena_strdup(s->a, own) : arena_printf(s->a, "%s" DOC_AND "%s", outer, own);
	begin_part(s, of);
	collect_children(s, n);
	s->condition = outer;
	/*
	 * Text after the condition belongs to the section before it, even if there was a heading
	 * inside.
	 */
	begin_part(s, of);
}

/* Adds to the current section, or begins a new one at a heading, at any depth. */
static void
collect_sections(struct sections *s, const struct doc_node *n)
{
	const struct doc_attr *level;
	struct doc_section *sec;

	if (n->type == DOC_IF) {
		collect_if(s, n);
		return;
	}
	if (n->type >= DOC_HEADING_1 && n->type <= DOC_HEADING_3) {
		begin_section(s);
		sec = &s->list[s->count - 1];
		sec->anchor = n->anchor == NULL ? NULL : arena_strdup(s->a, n->anchor);
		sec->heading = doc_plain_of(s->a, n);
		level = doc_attr(n, "level");
		sec->level = level != NULL && level->kind == ATTR_NUMBER ? (int)level->v.n
		    : 2 + (int)(n->type - DOC_HEADING_1);
		return;
	}
	/* A table is one text: its cells have no sections (document.h). */
	if (n->table != NULL || doc_kinds[n->type].content == HAS_INLINES ||
	    (n->child == NULL && n->frags == NULL)) {
		doc_plain_with_mentions(&s->text, n);
		return;
	}
	if (n->type == DOC_TABS_ITEM && doc_attr_str(n, "title") != NULL)
		buf_printf(&s->text, "%s\n", doc_attr_str(n, "title"));
	collect_children(s, n);
}

static void
collect_children(struct sections *s, const struct doc_node *n)
{
	const struct doc_node *c;

	for (c = n->frags; c != NULL; c = c->next)
		collect_sections(s, c);
	for (c = n->child; c != NULL; c = c->next)
		collect_sections(s, c);
}

struct doc_section *
doc_sections(struct arena *a, const struct doc *d, size_t *count)
{
	struct sections s = { .a = a };

	buf_init(&s.text, a, (size_t)1 << 30);
	begin_section(&s);
	collect_sections(&s, d->root);
	end_section(&s);
	/* Drop the empty part after a final {% if %}. */
	if (s.list[s.count - 1].part && *s.list[s.count - 1].text == '\0')
		s.count--;
	*count = s.count;
	return s.list;
}

/* True for scripts written without blanks, in which each character counts as a word. */
static bool
is_cjk(uint32_t c)
{
	return (c >= 0x3040 && c <= 0x30FF) || (c >= 0x3400 && c <= 0x4DBF) || (c >= 0x4E00 && c <= 0x9FFF) ||
	    (c >= 0xF900 && c <= 0xFAFF) || (c >= 0x20000 && c <= 0x3FFFF) || (c >= 0x31F0 && c <= 0x31FF);
}

/* Linear time. Punctuation neither begins nor ends a word, so "don't" is one word. */
size_t
doc_words(const char *text)
{
	struct str s = str_of(text);
	utf8proc_category_t cat;
	size_t n, words = 0;
	bool in = false;
	uint32_t cp;

	for (; s.n > 0; s = str_slice(s, n, s.n)) {
		n = utf8_next(s, &cp);
		if (n == 0) {
			n = 1;
			continue;
		}
		cat = utf8proc_category((utf8proc_int32_t)cp);
		if (cp <= ' ' || (cat >= UTF8PROC_CATEGORY_ZS && cat <= UTF8PROC_CATEGORY_ZP))
			in = false;
		else if (is_cjk(cp)) {
			words++;
			in = false;
		} else if (cat >= UTF8PROC_CATEGORY_LU && cat <= UTF8PROC_CATEGORY_NO && !in) {
			words++;
			in = true;
		}
	}
	return words;
}
