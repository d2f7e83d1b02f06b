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
 * Faults of a page or reusable content at a point: that of its condition first, then those in
 * reading order; NULL: none. They are computed for a visitor without claims (visit_begin()); an
 * expression that fails only because a claim is missing has no fault. An expression of a reusable
 * content that uses `page` is only parsed, because its value differs between pages. scratch: memory
 * that is emptied before the body is read, so that a walk over all pages needs the memory of one;
 * results are in v->arena. The caller sets v->site.adaptive, which says whether visitors can have
 * claims. If not, a condition that is false without claims is a fault, because it hides the page
 * from everybody.
 */
struct visit_fault *visit_faults(const struct visit *v, const struct point *at, const struct node *n,
    struct arena *scratch);

/*
 * The same for the condition of a site space, a section or a link of the header, which can only use
 * claims. NULL: there is no fault, or no condition ("").
 */
const char *visit_condition_wrong(const struct visit *v, const char *condition);

#endif
