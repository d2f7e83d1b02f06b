/*
 * What a plan asks of a body, and what search takes of it: found together, in one parse.
 */
#include "import_plan.h"
#include "markdown/document.h"

/* Trees of one page at a time: as much as a parse may take, and what stands beside it. */
enum { LOOK_MIB = 4 << 10 };

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
	d = doc_parse_words(p->scratch, body);
	i->links = doc_links_copy(p->arena, doc_links_of(p->scratch, d, body));
	i->fault = doc_fault(d);
	if (p->unread != NULL)
		i->unread = expression_faults_of(p->arena, d);
	if (i->wanted->node.kind == NODE_DOCUMENT)
		search_body(p->arena, body, d, i->links, &i->read);
	arena_reset(p->scratch);
}
