/*
 * What a plan asks of a body, and what search takes of it: found together, in one parse.
 */
#include <string.h>

#include "import_plan.h"
#include "markdown/document.h"

/* Trees of one page at a time: as much as a parse may take, and what stands beside it. */
enum { LOOK_MIB = 4 << 10 };

/* Where a warning goes: the item's list, in the plan's arena. */
struct looking {
	struct plan     *plan;
	struct undated **last;
};

/* Of what the parser has to say, what the page does not show by itself: a date that is wrong looks like one. */
static void
note_date(void *ctx, size_t line, const char *message)
{
	struct looking *l = ctx;

	if (strncmp(message, "update: ", 8) != 0)
		return;
	*l->last = arena_alloc(l->plan->arena, sizeof(**l->last));
	**l->last = (struct undated){ NULL, line, arena_strdup(l->plan->arena, message) };
	l->last = &(*l->last)->next;
}

void
plan_look(struct plan *p, struct item *i)
{
	struct str body = i->wanted->body;
	struct looking l = { p, &i->undated };
	struct doc *d;

	if (i->looked)
		return;
	i->looked = true;
	if (p->scratch == NULL)
		p->scratch = arena_within(p->arena, (size_t)LOOK_MIB << 20);
	d = doc_parse_words(p->scratch, body, note_date, &l);
	i->links = doc_links_copy(p->arena, doc_links_of(p->scratch, d, body));
	i->fault = doc_fault(d);
	if (p->unread != NULL)
		i->unread = expression_faults_of(p->arena, d);
	if (i->wanted->node.kind == NODE_DOCUMENT)
		search_body(p->arena, body, d, i->links, &i->read);
	arena_reset(p->scratch);
}
