/*
 * Lists the blocks of a document at every depth, with the rows and columns of its tables:
 * everything that can have a comment.
 */
#include "markdown/document_tree.h"

/*
 * A part while the list is built: its text is a range of the text of all parts, which still grows.
 */
struct part_draft {
	struct doc_part part;
	size_t          from, to;
};

/* A part precedes its contents in the list, so up is always a smaller index. */
struct parts {
	struct arena *a;
	struct part_draft *list;
	size_t        n, cap;
	struct buf    text;
};

/* Returns the index of the new part. up: 1 + the index of its parent. */
static size_t
begin_part(struct parts *p, const char *key, const char *type, size_t up)
{
	p->list = arena_grow(p->a, p->list, p->n, &p->cap, sizeof(*p->list));
	p->list[p->n] = (struct part_draft){ .part = { .key = key, .type = type, .up = up },
		.from = p->text.n };
	return p->n++;
}

/*
 * Ends part i: its text is everything that was written since begin_part(). The line feed separates
 * the words of neighbouring parts in the text of their parent.
 */
static void
end_part(struct parts *p, size_t i)
{
	p->list[i].to = p->text.n;
	p->list[i].part.below = p->n - i - 1;
	buf_char(&p->text, '\n');
}

static void add_block(struct parts *p, const struct doc_node *n, size_t up);

/* Adds the blocks inside a node, also those in fragments of its inlines. */
static void
add_blocks_in(struct parts *p, const struct doc_node *n, size_t up)
{
	const struct doc_node *c;

	for (c = n->frags; c != NULL; c = c->next)
		add_blocks_in(p, c, up);
	for (c = n->child; c != NULL; c = c->next)
		if (doc_kinds[c->type].class == CLASS_BLOCK)
			add_block(p, c, up);
		else
			add_blocks_in(p, c, up);
}

/* Cells are not parts: comments attach to a row, a column, or a block in the cell. */
static void
add_cell(struct parts *p, const struct doc_cell *c, size_t up)
{
	const struct doc_list *l;

	if (c->blocks != NULL)
		add_blocks_in(p, c->blocks, up);
	for (l = c->list; l != NULL; l = l->next)
		buf_printf(&p->text, "%s\n", l->s);
	if (c->target != NULL && c->target->spelling != NULL)
		buf_printf(&p->text, "%s\n", c->target->spelling);
	/*
	 * Numbers and checkboxes are written as text, so that rows with different values have
	 * different texts.
	 */
	if (c->set)
		buf_printf(&p->text, "%g %d\n", c->n, c->b);
}

/* Columns come first, then rows; blocks in cells are inside their row. */
static void
add_table(struct parts *p, const struct doc_table *t, size_t up)
{
	const struct doc_column *c;
	const struct doc_record *r;
	size_t i, k;

	for (c = t->columns; c != NULL; c = c->next) {
		i = begin_part(p, c->id, "column", up);
		buf_str(&p->text, c->title);
		end_part(p, i);
	}
	for (r = t->records; r != NULL; r = r->next) {
		i = begin_part(p, r->id, "record", up);
		for (k = 0; k < t->width; k++)
			add_cell(p, &r->cells[k], i + 1);
		end_part(p, i);
	}
}

static void
add_block(struct parts *p, const struct doc_node *n, size_t up)
{
	size_t i = begin_part(p, n->key, doc_kinds[n->type].name, up);

	if (n->table != NULL) {
		add_table(p, n->table, i + 1);
	} else {
		if (doc_kinds[n->type].content == HAS_INLINES || (n->child == NULL && n->frags == NULL))
			doc_plain(&p->text, n);
		/*
		 * The text range of a container covers its blocks; only the title is not in a
		 * block.
		 */
		else if (n->type == DOC_TABS_ITEM && doc_attr_str(n, "title") != NULL)
			buf_printf(&p->text, "%s\n", doc_attr_str(n, "title"));
		add_blocks_in(p, n, i + 1);
	}
	end_part(p, i);
}

/*
 * Sets the sources: for a top-level block the source as typed; for any other part its text, or its
 * key if it has no text.
 */
static struct doc_part *
set_sources(struct parts *p, const struct doc *d, struct str body)
{
	struct doc_part *list = arena_array(p->a, p->n, sizeof(*list));
	struct str all = buf_view(&p->text);
	struct doc_block *top;
	size_t count, i, k = 0;

	top = doc_blocks_of(p->a, d, body, &count);
	for (i = 0; i < p->n; i++) {
		list[i] = p->list[i].part;
		list[i].source = str_trim(str_slice(all, p->list[i].from, p->list[i].to));
		if (list[i].source.n == 0)
			list[i].source = str_of(list[i].key);
		/*
		 * Compare pointers, not texts: both point to the key of one node. If several nodes
		 * share one slice, the first of them gets its source.
		 */
		if (list[i].up == 0 && k < count && top[k].key == list[i].key)
			list[i].source = top[k++].source;
	}
	return list;
}

struct doc_part *
doc_parts(struct arena *a, struct str body, size_t *count)
{
	/* Without refs: keys and text do not depend on link targets. */
	struct doc *d = doc_parse(a, body, NULL, NULL, NULL);
	struct parts p = { .a = a };

	buf_init(&p.text, a, (size_t)1 << 30);
	add_blocks_in(&p, d->root, 0);
	*count = p.n;
	return set_sources(&p, d, body);
}
