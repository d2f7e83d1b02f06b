/* Reads from a body, in one parse, what the plan needs and what the search index needs. */
#include <string.h>

#include "import_plan.h"
#include "markdown/document.h"

/*
 * Memory for the tree of one page at a time: the limit of a parse, and what is allocated with it.
 */
enum { LOOK_MIB = 4 << 10 };

/* Context of the parser's warnings: they go to the item's list, in the plan's arena. */
struct look_context {
	struct plan     *plan;
	struct bad_date **last;
};

/*
 * Keeps only warnings about dates: a wrong date looks right on the page, other faults can be seen
 * there.
 */
static void
note_date(void *ctx, size_t line, const char *message)
{
	struct look_context *l = ctx;

	if (strncmp(message, "update: ", 8) != 0)
		return;
	*l->last = arena_alloc(l->plan->arena, sizeof(**l->last));
	**l->last = (struct bad_date){ NULL, line, arena_strdup(l->plan->arena, message) };
	l->last = &(*l->last)->next;
}

void
plan_look(struct plan *p, struct item *i)
{
	struct str body = i->wanted->body;
	struct look_context l = { p, &i->bad_dates };
	struct doc *d;

	if (i->parsed)
		return;
	i->parsed = true;
	if (p->scratch == NULL)
		p->scratch = arena_within(p->arena, (size_t)LOOK_MIB << 20);
	d = doc_parse_words(p->scratch, body, note_date, &l);
	i->links = doc_links_copy(p->arena, doc_links_of(p->scratch, d, body));
	i->fault = doc_fault(d);
	if (p->bad_expression != NULL)
		i->bad_expressions = expression_faults_of(p->arena, d);
	if (i->wanted->node.kind == NODE_DOCUMENT)
		search_body(p->arena, body, d, i->links, &i->read);
	arena_reset(p->scratch);
}
