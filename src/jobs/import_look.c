/*
 * What a plan asks of a body, and what search takes of it: found together, while the body is
 * parsed once for its document and once for where its links stand.
 */
#include "import_plan.h"
#include "markdown/document.h"

/* Trees of one page at a time: as much as a parse may take, and what stands beside it. */
enum { LOOK_MIB = 4 << 10 };

/* The list without what was needed to make it, which is as large as the document. */
static struct doc_link *
links_kept(struct arena *a, const struct doc_link *l)
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

void
plan_look(struct plan *p, struct item *i)
{
	struct str body = i->wanted->body;
	struct doc *d;

	if (i->looked)
		return;
	i->looked = true;
	if (p->scratch == NULL)
		p->scratch = arena_within(p->arena, (size_t)LOOK_MIB << 20);
	i->links = links_kept(p->arena, doc_links(p->scratch, body));
	d = doc_parse_words(p->scratch, body);
	i->fault = doc_fault(d);
	if (p->unread != NULL)
		i->unread = expression_faults_of(p->arena, d);
	if (i->wanted->node.kind == NODE_DOCUMENT)
		search_body(p->arena, body, d, i->links, &i->read);
	arena_reset(p->scratch);
}
