/* Lists the expressions of a document. Contract: markdown/document.h. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "markdown/document.h"
#include "markdown/document_tree.h"

struct expression_list {
	struct arena          *a;
	struct doc_expression *list;
	size_t                 count, room;
};

static void gather_expressions(struct expression_list *g, const struct doc_node *n, size_t line);

/* Titles and cells of a table contain trees of their own, which are not children of the node. */
static void
gather_cells(struct expression_list *g, const struct doc_table *table, size_t line)
{
	const struct doc_column *c;
	const struct doc_record *r;
	size_t i;

	for (c = table->columns; c != NULL; c = c->next)
		if (c->marked != NULL)
			gather_expressions(g, c->marked, line);
	for (r = table->records; r != NULL; r = r->next)
		for (i = 0; i < table->width; i++)
			if (r->cells[i].blocks != NULL)
				gather_expressions(g, r->cells[i].blocks, line);
}

/* line: that of the enclosing node, since inlines have none of their own. */
static void
gather_expressions(struct expression_list *g, const struct doc_node *n, size_t line)
{
	const struct doc_node *c;

	line = n->line != 0 ? n->line : line;
	if (n->type == DOC_IF || n->type == DOC_EXPRESSION) {
		g->list = arena_grow(g->a, g->list, g->count, &g->room, sizeof(*g->list));
		g->list[g->count++] = (struct doc_expression){ doc_attr_str(n, "expression"), line, n->type == DOC_IF };
	}
	for (c = n->child; c != NULL; c = c->next)
		gather_expressions(g, c, line);
	/* Fragments: titles, captions, notes. */
	for (c = n->frags; c != NULL; c = c->next)
		gather_expressions(g, c, line);
	if (n->table != NULL)
		gather_cells(g, n->table, line);
}

/*
 * True if there may be a tag whose name begins with "if". Skips everything between "{%" and the
 * name that is not a letter or digit: false positives are harmless, the parse finds none.
 */
static bool
may_have_condition(struct str body)
{
	const char *end = body.p + body.n, *at = body.p;

	while (at != NULL && at < end && (at = memmem(at, (size_t)(end - at), "{%", 2)) != NULL) {
		for (at += 2; at < end && !isalnum((unsigned char)*at); at++)
			;
		if (end - at >= 2 && strncasecmp(at, "if", 2) == 0)
			return true;
	}
	return false;
}

struct doc_expression *
doc_expressions_of(struct arena *a, const struct doc *d, size_t *count)
{
	struct expression_list g = { .a = a };

	gather_expressions(&g, d->root, 1);
	*count = g.count;
	return g.list;
}

struct doc_expression *
doc_expressions(struct arena *a, struct str body, size_t *count)
{
	/*
	 * Most bodies hold no expression and need no parse. Inline expressions are <code
	 * class="expression">.
	 */
	if (body.n > 0 && (may_have_condition(body) ||
	    memmem(body.p, body.n, "expression", strlen("expression")) != NULL))
		return doc_expressions_of(a, doc_parse_words(a, body, NULL, NULL), count);
	*count = 0;
	return NULL;
}
