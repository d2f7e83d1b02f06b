/* Limits how deep pages may be nested, so that one deep path does not stop an import. Contract: arrival.h. */
#include "arrival.h"
#include "store/content.h"

/* Makes the items below `p` its next siblings, before those that it has. */
static void
lift_children(struct arrival *t, struct arrival_page *p, size_t levels)
{
	struct arrival_page **last = p->parent == NULL ? &t->last : &p->parent->last, *c;

	for (c = p->first; c != NULL; c = c->next) {
		c->parent = p->parent;
		if (c->kind == ARRIVAL_PAGE)
			arrival_warn(t, page_source(c), 0, "the page is nested more than %zu levels deep (OCTAVO_IMPORT_DEPTH); it was moved up "
			    "to level %zu", levels, levels);
	}
	p->last->next = p->next;
	p->next = p->first;
	if (*last == p)
		*last = p->last;
	p->first = p->last = NULL;
}

/* Recurses as deep as the limit. Lifted items follow in the list, so their children are lifted in turn. */
static void
limit_list(struct arrival *t, struct arrival_page *first, size_t level, size_t levels)
{
	struct arrival_page *p;

	for (p = first; p != NULL; p = p->next) {
		if (p->first == NULL)
			continue;
		if (level < levels)
			limit_list(t, p->first, level + 1, levels);
		else
			lift_children(t, p, levels);
	}
}

void
arrival_limit_depth(struct arrival *t)
{
	limit_list(t, t->first, 1, (size_t)(t->set->import_depth < PAGE_DEPTH ? t->set->import_depth : PAGE_DEPTH));
}
