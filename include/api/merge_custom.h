/*
 * Merge rules of type `custom`: an expression (expr/expr.h) over MergeRulesEvaluationContext of the
 * published client. Implemented in requests/merge_custom.c.
 */
#ifndef OCTAVO_API_MERGE_CUSTOM_H
#define OCTAVO_API_MERGE_CUSTOM_H

#include "http/req.h"

/*
 * The reason why an expression does not let the caller merge r->request ("… is not true"); NULL: it
 * does. An expression that fails does not. reviews: rows for the shape ChangeRequestReview, not
 * stepped.
 */
const char *merge_custom_unmet(struct req *r, const char *text, struct stmt *reviews);

#endif
