/*
 * Merge rules of type `custom`: an expression (expr/expr.h) over MergeRulesEvaluationContext of the
 * published client. Implemented in requests/merge_custom.c.
 */
#ifndef OCTAVO_API_MERGE_CUSTOM_H
#define OCTAVO_API_MERGE_CUSTOM_H

#include "http/req.h"

/*
 * NULL if the expression allows the caller to merge r->request; otherwise the reason ("… is not
 * true"). An expression that fails does not allow it. reviews: a statement with rows for the shape
 * ChangeRequestReview, not stepped yet.
 */
const char *merge_custom_unmet(struct req *r, const char *text, struct stmt *reviews);

#endif
