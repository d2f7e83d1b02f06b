/*
 * Extracts the texts of a body, and puts translated texts back. The contract is in
 * translate/body_texts.h.
 */
#include "base/map.h"
#include "edit/body_keep.h"
#include "markdown/document_tree.h"
#include "translate/body_texts.h"

/*
 * WORDS: length in bytes of the words by which a block is reported. FAILURES: blocks that may be
 * restored; if more are needed, the whole page keeps its old texts. Each costs writing and parsing
 * the whole body again.
 */
enum { MAX_OUT = 1 << 30, WORDS = 60, FAILURES = 50 };

/* ---- extracting the texts ---- */

/* Places point into the tree, whose nodes are in the arena and do not move. */
static struct text_place *
add_place(struct texts *t, size_t block)
{
	t->places = arena_grow(t->arena, t->places, t->n, &t->room, sizeof(*t->places));
	t->places[t->n] = (struct text_place){ .block = block };
	return &t->places[t->n++];
}

/* An empty attribute has nothing to translate, so it gets no place. */
static void
add_attr(struct texts *t, const char **s, size_t block)
{
	if (*s != NULL && **s != '\0')
		add_place(t, block)->attr = s;
}

/* Attributes that readers see. */
static void
visit_attrs(struct texts *t, struct doc_node *n, size_t block)
{
	static const struct { enum doc_type type; const char *name; } read[] = {
		{ DOC_IMAGE, "alt" }, { DOC_DRAWING, "alt" }, { DOC_INLINE_IMAGE, "alt" }, { DOC_INLINE_IMAGE, "caption" },
		{ DOC_TABS_ITEM, "title" }, { DOC_LINK, "title" }, { DOC_BUTTON, "label" }, { DOC_PROMPT, "description" },
		{ DOC_OPENAPI_SCHEMAS, "title" } };
	struct doc_attr *x;
	size_t i;

	for (i = 0; i < sizeof(read) / sizeof(read[0]); i++)
		if (read[i].type == n->type && (x = doc_attr(n, read[i].name)) != NULL && x->kind == ATTR_STRING)
			add_attr(t, &x->v.s, block);
}

/* True for code, formulas and data of an integration, which are not translated. */
static bool
is_verbatim(enum doc_type type)
{
	return type == DOC_CODE || type == DOC_CODE_LINE || type == DOC_MATH || type == DOC_INLINE_MATH ||
	    type == DOC_INTEGRATION;
}

static void visit_node(struct texts *t, struct doc_node *n, size_t block);

/*
 * Visits the titles of columns, labels of options and cells. If a title has marks, its tree is
 * visited, since the writer uses the tree.
 */
static void
visit_table(struct texts *t, struct doc_table *table, size_t block)
{
	struct doc_column *c;
	struct doc_option *o;
	struct doc_record *r;
	size_t i;

	for (c = table->columns; c != NULL; c = c->next) {
		if (c->marked != NULL)
			visit_node(t, c->marked, block);
		else
			add_attr(t, &c->title, block);
		for (o = c->options; o != NULL; o = o->next)
			add_attr(t, &o->label, block);
	}
	for (r = table->records; r != NULL; r = r->next)
		for (i = 0; i < table->width; i++) {
			if (r->cells[i].blocks != NULL)
				visit_node(t, r->cells[i].blocks, block);
			add_attr(t, &r->cells[i].alt, block);
		}
}

/*
 * Adds the texts of a node in the order of the source. Leaves with raw source (HTML, expressions)
 * are no texts.
 */
static void
visit_node(struct texts *t, struct doc_node *n, size_t block)
{
	struct doc_node *c;

	visit_attrs(t, n, block);
	if (n->type == DOC_LEAF && n->raw.p == NULL && (n->marks & (MARK_CODE | MARK_KEYBOARD)) == 0)
		add_place(t, block)->leaf = &n->text;
	if (is_verbatim(n->type))
		return;
	if (n->table != NULL)
		visit_table(t, n->table, block);
	for (c = n->child; c != NULL; c = c->next)
		visit_node(t, c, block);
	for (c = n->frags; c != NULL; c = c->next)
		visit_node(t, c, block);
}

static void
visit_all(struct texts *t)
{
	struct doc_node *n;
	size_t i = 0;

	t->n = 0;
	for (n = t->doc->root->child; n != NULL; n = n->next)
		visit_node(t, n, i++);
}

void
texts_read(struct texts *t, struct arena *a, struct str body)
{
	*t = (struct texts){ .arena = a, .body = body, .doc = doc_parse(a, body, NULL, NULL, NULL) };
	/* A body that cannot be parsed has no texts, and stays unchanged. */
	if (doc_fault(t->doc) == NULL)
		visit_all(t);
}

/* The current text: after texts_set() the new one. */
struct str
texts_get(const struct texts *t, size_t i)
{
	return t->places[i].leaf != NULL ? *t->places[i].leaf : str_of(*t->places[i].attr);
}

/* text must live as long as t: a leaf keeps the pointer. */
void
texts_set(struct texts *t, size_t i, struct str text)
{
	if (t->places[i].leaf != NULL)
		*t->places[i].leaf = text;
	else
		*t->places[i].attr = arena_strndup(t->arena, text.p, text.n);
}

/* ---- signatures of nodes, for comparison ---- */

static void sign_node(struct buf *b, const struct doc_node *n);

/*
 * Appends a text to the signature of a node. A signature contains everything that is compared, each
 * part preceded by a letter for its kind and followed by \1. Two nodes are equal if their
 * signatures are.
 */
static void
sign_text(struct buf *b, char kind, struct str s)
{
	size_t i;
	bool blank = false;

	buf_char(b, kind);
	/* Runs of white space count as one blank, because lines may be wrapped differently. */
	for (i = 0; i < s.n; i++) {
		bool now = s.p[i] == ' ' || s.p[i] == '\n' || s.p[i] == '\t' || s.p[i] == '\r';
		if (!now || !blank)
			buf_char(b, now ? ' ' : s.p[i]);
		blank = now;
	}
	buf_char(b, '\1');
}

static void
sign_string(struct buf *b, char kind, const char *s)
{
	sign_text(b, kind, s == NULL ? (struct str){ "", 0 } : str_of(s));
}

/* A target within the page is compared by its anchor, since the spelling may differ. */
static void
sign_target(struct buf *b, const struct doc_target *t)
{
	bool here = t->ref.kind == REF_ANCHOR && t->ref.id == NULL && t->ref.space == NULL;

	sign_string(b, '>', here ? t->ref.anchor : t->spelling);
}

/*
 * Writes all attributes, including translated ones, which must be read back exactly as they were
 * set.
 */
static void
sign_attrs(struct buf *b, const struct doc_node *n)
{
	const struct doc_attr *x;
	const struct doc_list *l;

	for (x = n->attrs; x != NULL; x = x->next) {
		sign_string(b, '@', x->name);
		if (x->kind == ATTR_STRING || x->kind == ATTR_JSON)
			sign_string(b, '=', x->v.s);
		else if (x->kind == ATTR_BOOL)
			sign_string(b, '=', x->v.b ? "1" : "0");
		else if (x->kind == ATTR_NUMBER)
			buf_printf(b, "=%g\1", x->v.n);
		else if (x->kind == ATTR_REF)
			sign_target(b, x->v.target);
		for (l = x->kind == ATTR_LIST ? x->v.list : NULL; l != NULL; l = l->next)
			sign_string(b, ',', l->s);
	}
	sign_string(b, 'p', n->props);
}

/* Writes a table: cells by kind and content, options by their labels. */
static void
sign_table(struct buf *b, const struct doc_table *t)
{
	const struct doc_column *c;
	const struct doc_option *o;
	const struct doc_record *r;
	const struct doc_list *l;
	size_t i;

	for (c = t->columns; c != NULL; c = c->next) {
		buf_printf(b, "c%d %d%d%d\1", (int)c->kind, c->multiple, c->hidden, c->target);
		if (c->marked != NULL)
			sign_node(b, c->marked);
		else
			sign_string(b, 't', c->title);
		for (o = c->options; o != NULL; o = o->next)
			sign_string(b, 'o', o->label);
	}
	for (r = t->records; r != NULL; r = r->next)
		for (i = 0; i < t->width; i++) {
			const struct doc_cell *k = &r->cells[i];
			buf_printf(b, "k%d %g %d %d %d\1", k->set, k->n, k->b, k->rows, k->cols);
			sign_string(b, 'a', k->alt);
			if (k->target != NULL)
				sign_target(b, k->target);
			for (l = k->list; l != NULL; l = l->next)
				buf_char(b, ',');
			if (k->blocks != NULL)
				sign_node(b, k->blocks);
		}
}

static void
sign_node(struct buf *b, const struct doc_node *n)
{
	const struct doc_node *c;

	buf_printf(b, "(%d %u\1", (int)n->type, (unsigned)n->marks);
	/* Only headings have anchors in Markdown; those of other blocks are made from their titles. */
	if (n->type >= DOC_HEADING_1 && n->type <= DOC_HEADING_3)
		sign_string(b, '#', n->anchor);
	sign_text(b, 'x', n->type == DOC_LEAF && n->raw.p != NULL ? n->raw : n->text);
	sign_attrs(b, n);
	if (n->table != NULL)
		sign_table(b, n->table);
	for (c = n->child; c != NULL; c = c->next)
		sign_node(b, c);
	buf_char(b, '|');
	for (c = n->frags; c != NULL; c = c->next)
		sign_node(b, c);
	buf_char(b, ')');
}

static struct str
node_signature(struct arena *a, const struct doc_node *n)
{
	struct buf b;

	buf_init(&b, a, MAX_OUT);
	sign_node(&b, n);
	return buf_view(&b);
}

/* ---- putting the texts back ---- */

/* Replaces block k by the block of the source. */
static void
restore_block(struct texts *t, size_t k)
{
	/* The body is parsed again, because texts were set in the tree: the block is taken from an unchanged tree. */
	struct doc *source = doc_parse(t->arena, t->body, NULL, NULL, NULL);
	struct doc_node **at = &t->doc->root->child, *n = source->root->child, *after;
	size_t i;

	for (i = 0; i < k; i++) {
		at = &(*at)->next;
		n = n->next;
	}
	/* Keep the blocks after it. */
	after = (*at)->next;
	*at = n;
	n->next = after;
	if (after == NULL)
		t->doc->root->last = n;
}

/*
 * The first block that reads differently in the written body than in the tree; -1: there is none.
 */
static ptrdiff_t
find_difference(struct texts *t, struct str body)
{
	const struct doc_node *n = t->doc->root->child, *m;
	ptrdiff_t i = 0;

	m = doc_parse(t->arena, body, NULL, NULL, NULL)->root->child;
	for (; n != NULL && m != NULL; n = n->next, m = m->next, i++)
		if (!str_eq(node_signature(t->arena, n), node_signature(t->arena, m)))
			return i;
	/* The written body has more blocks: the last one was split. */
	return n == NULL && m == NULL ? -1 : n == NULL ? (i > 0 ? i - 1 : 0) : i;
}

/* The tree as Markdown; unchanged blocks keep their bytes (body_keep()). */
static struct str
write_body(struct texts *t)
{
	struct buf out;

	buf_init(&out, t->arena, MAX_OUT);
	doc_markdown(&out, t->doc, NULL);
	return body_keep(t->arena, t->body, NULL, buf_view(&out), NULL);
}

/* Names block k by its first words, cut between two characters. */
static void
report_failed(struct texts *t, size_t k, void (*failed)(void *ctx, const char *words), void *ctx)
{
	const struct doc_node *n = t->doc->root->child;
	const char *words;
	size_t size;

	for (; k > 0; k--)
		n = n->next;
	words = doc_plain_of(t->arena, n);
	for (size = strlen(words) < WORDS ? strlen(words) : WORDS; size > 0 && (words[size] & 0xC0) == 0x80; size--)
		;
	if (failed != NULL)
		failed(ctx, arena_strndup(t->arena, words, size));
}

/*
 * A translated text may form syntax ("1." at the start of a paragraph, a bracket in a link).
 * Escaping cannot prevent all of it, so the result is parsed again, and blocks are restored until
 * it reads as intended.
 */
struct str
texts_write(struct texts *t, void (*failed)(void *ctx, const char *words), void *ctx)
{
	size_t blocks = 0, i;
	const struct doc_node *n;
	struct map *kept = map_new(t->arena);
	struct str body;
	ptrdiff_t k;

	for (n = t->doc->root->child; n != NULL; n = n->next)
		blocks++;
	for (i = 0; i < blocks && i < FAILURES; i++) {
		/*
		 * The whole body is written each time, since neighbours may change how a block
		 * reads.
		 */
		body = write_body(t);
		if ((k = find_difference(t, body)) < 0)
			return body;
		restore_block(t, (size_t)k);
		report_failed(t, (size_t)k, failed, ctx);
		/*
		 * The block was restored already and still differs, so another block is the cause:
		 * give up.
		 */
		if (!map_add(kept, str_of(arena_printf(t->arena, "%td", k)), t))
			break;
	}
	if (i < blocks && failed != NULL)
		failed(ctx, "the whole page");
	return t->body;
}
