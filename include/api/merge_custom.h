/*
 * Merge rules of type `custom`: an expression (expr/expr.h) over MergeRulesEvaluationContext of the published
 * client. What other files need of requests/merge_custom.c.
 */
#ifndef OCTAVO_API_MERGE_CUSTOM_H
#define OCTAVO_API_MERGE_CUSTOM_H

#include "http/req.h"

/*
 * Why an expression does not let the caller merge r->request ("… is not true"); NULL: it does. One that
 * fails does not. reviews: rows for the shape ChangeRequestReview, not stepped. In merge_custom.c.
 */
const char *merge_custom_unmet(struct req *r, const char *text, struct stmt *reviews);

#endif
