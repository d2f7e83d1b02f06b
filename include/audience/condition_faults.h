/*
 * Faults of conditions and expressions, for the authors of content and sites: those that cannot be
 * parsed or evaluated, and conditions that hide something from every visitor. Visitors do not see
 * these messages: a faulty condition hides its part, and a faulty expression gives no text
 * (visit.h).
 */
#ifndef OCTAVO_CONDITION_FAULTS_H
#define OCTAVO_CONDITION_FAULTS_H

#include "audience/visit.h"

struct visit_fault {
	struct visit_fault *next;
	const char         *place;      /* "condition" of the page, "if" in its body, or "expression" in its text */
	int64_t             line;       /* line in the file, from 1; 0: the condition of the page */
	const char         *text;       /* the text as the author typed it, at most EXPR_MAX characters */
	const char         *why;        /* message for the author */
};

/*
 * Faults of a page or reusable content at a point: that of its condition first, then those in
 * reading order; NULL: none. They are computed for a visitor without claims (visit_begin()); an
 * expression that fails only because a claim is missing has no fault. An expression of a reusable
 * content that uses `page` is only parsed, because its value differs between pages. The results are
 * in v->arena. scratch: an arena that this function empties first, so that a caller that checks all
 * pages uses no more memory than for one. The caller sets v->site.adaptive: whether visitors of the
 * site can have claims. If they cannot, a condition that is false without claims is a fault,
 * because it hides the page from every visitor.
 */
struct visit_fault *visit_faults(const struct visit *v, const struct point *at, const struct node *n,
    struct arena *scratch);

/*
 * The same for the condition of a site space, a section or a link of the header, which can only use
 * claims. NULL: there is no fault, or no condition ("").
 */
const char *visit_condition_wrong(const struct visit *v, const char *condition);

#endif
