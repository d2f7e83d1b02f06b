/*
 * Conditions and expressions of content and sites that cannot be parsed or fail, and conditions
 * that hide from every visitor, for their authors. Visitors see nothing of this: such a condition
 * hides, such an expression gives no text (visit.h).
 */
#ifndef OCTAVO_CONDITION_FAULTS_H
#define OCTAVO_CONDITION_FAULTS_H

#include "audience/visit.h"

struct visit_fault {
	struct visit_fault *next;
	const char         *place;      /* "condition" of the page, "if" in its body, "expression" in its text */
	int64_t             line;       /* in the file, from 1; 0: of the page's condition */
	const char         *text;       /* as it was typed, no more than EXPR_MAX characters */
	const char         *why;        /* in words for its author */
};

/*
 * Those of a page or reusable content at a point, the condition first, then in reading order;
 * NULL: none. For a visitor without claims (visit_begin()); what a claim that is missing makes
 * fail is no fault. An expression of a reusable content that names `page` is read, not
 * evaluated: its value differs from page to page. scratch: emptied before the body is read, so
 * that a walk over all pages needs the room of one; results live in v->arena. v->site.adaptive, which
 * the caller sets, says whether visitors can claim something: where they cannot, a condition that is
 * false without claims hides from everybody.
 */
struct visit_fault *visit_faults(const struct visit *v, const struct point *at, const struct node *n,
    struct arena *scratch);

/*
 * The same for the condition of a site space, a section or a link of the header, which sees claims
 * alone; NULL: it is in order, or there is none ("").
 */
const char *visit_condition_wrong(const struct visit *v, const char *condition);

#endif
