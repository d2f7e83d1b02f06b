/*
 * Estimates the size of a document's JSON, and returns why a parse refused a body (doc_limit.c has the
 * limits).
 */
#include "../doc_cost.h"
#include "../doc_parse.h"

/* Returns the approximate size of a text in JSON, in bytes. */
static size_t
weight_of_text(struct str s)
{
	size_t n = s.n, i;

	for (i = 0; i < s.n; i++)
		n += (unsigned char)s.p[i] < ' ' ? 5 : s.p[i] == '"' || s.p[i] == '\\';
	return n;
}

static size_t
weight_of_list(const struct doc_node *n)
{
	size_t sum = 0;

	for (; n != NULL; n = n->next)
		sum += doc_weight(n);
	return sum;
}

size_t
doc_weight(const struct doc_node *n)
{
	/* Approximate size of a node's members and their names, in bytes. */
	enum { NODE = 100 };
	size_t sum = NODE + weight_of_text(n->text) + weight_of_text(n->raw), i;
	const struct doc_column *c;
	const struct doc_record *r;
	const struct doc_attr *t;

	/*
	 * Links count as they are spelled, since the names of their targets may become longer after
	 * the page was accepted, and the result must not change.
	 */
	for (t = n->attrs; t != NULL; t = t->next)
		sum += t->kind == ATTR_STRING || t->kind == ATTR_JSON ? weight_of_text(str_of(t->v.s)) :
		    t->kind == ATTR_REF && t->v.target->spelling != NULL ?
		    weight_of_text(str_of(t->v.target->spelling)) : 0;
	for (c = n->table == NULL ? NULL : n->table->columns; c != NULL; c = c->next)
		sum += c->marked != NULL ? doc_weight(c->marked) : 0;
	for (r = n->table == NULL ? NULL : n->table->records; r != NULL; r = r->next)
		for (i = 0; i < n->table->width; i++)
			sum += NODE + (r->cells[i].blocks != NULL ? doc_weight(r->cells[i].blocks) : 0);
	return sum + weight_of_list(n->frags) + weight_of_list(n->child);
}

const char *
doc_fault(const struct doc *d)
{
	return d->fault;
}
