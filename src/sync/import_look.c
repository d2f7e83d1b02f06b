/* Reads from a body, in one parse, what the plan needs and what the search index needs. */
#include <string.h>

#include "import_plan.h"
#include "markdown/document.h"

/* Context of the parser's warnings: they go to a list in the batch arena. */
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
	*l->last = arena_alloc(l->plan->batch, sizeof(**l->last));
	**l->last = (struct bad_date){ NULL, line, arena_strdup(l->plan->batch, message) };
	l->last = &(*l->last)->next;
}

void
plan_look(struct plan *p, const struct item *i, struct str body, struct parsed_body *out)
{
	struct look_context l = { p, &out->bad_dates };
	struct doc *d;

	*out = (struct parsed_body){ .links = NULL };
	d = doc_parse_words(p->scratch, body, note_date, &l);
	out->links = doc_links_copy(p->batch, doc_links_of(p->scratch, d, body));
	out->fault = doc_fault(d);
	if (p->bad_expression != NULL)
		out->bad_expressions = expression_faults_of(p->batch, d);
	if (i->wanted->node.kind == NODE_DOCUMENT)
		search_body(p->batch, body, d, out->links, &out->read);
	arena_reset(p->scratch);
}
