/* Expressions that a document holds. Contract: markdown/document.h. */
#include "markdown/document.h"
#include "markdown/document_tree.h"

struct gathering {
	struct arena          *a;
	struct doc_expression *list;
	size_t                 count, room;
};

static void gather(struct gathering *g, const struct doc_node *n, size_t line);

/* Cells hold trees of their own, beside the children of the node. */
static void
gather_cells(struct gathering *g, const struct doc_table *table, size_t line)
{
	const struct doc_record *r;
	size_t i;

	for (r = table->records; r != NULL; r = r->next)
		for (i = 0; i < table->width; i++)
			if (r->cells[i].blocks != NULL)
				gather(g, r->cells[i].blocks, line);
}

/* line: of what the node stands in. Inlines know none of their own. */
static void
gather(struct gathering *g, const struct doc_node *n, size_t line)
{
	const struct doc_node *c;

	line = n->line != 0 ? n->line : line;
	if (n->type == DOC_IF || n->type == DOC_EXPRESSION) {
		g->list = arena_grow(g->a, g->list, g->count, &g->room, sizeof(*g->list));
		g->list[g->count++] = (struct doc_expression){ doc_attr_str(n, "expression"), line, n->type == DOC_IF };
	}
	for (c = n->child; c != NULL; c = c->next)
		gather(g, c, line);
	/* Titles, captions, notes. */
	for (c = n->frags; c != NULL; c = c->next)
		gather(g, c, line);
	if (n->table != NULL)
		gather_cells(g, n->table, line);
}

struct doc_expression *
doc_expressions(struct arena *a, struct str body, size_t *count)
{
	struct gathering g = { .a = a };

	/* Most bodies hold none, and need not be parsed. Both words are in what makes one. */
	if (body.n > 0 && (memmem(body.p, body.n, "{%", 2) != NULL ||
	    memmem(body.p, body.n, "expression", strlen("expression")) != NULL))
		gather(&g, doc_parse(a, body, NULL, NULL, NULL)->root, 1);
	*count = g.count;
	return g.list;
}
