/*
 * Evaluation of merge rules: the conditions for merging a change request. Implemented in
 * requests/merge_rules_unmet.c.
 */
#ifndef OCTAVO_API_MERGE_RULES_UNMET_H
#define OCTAVO_API_MERGE_RULES_UNMET_H

#include "http/req.h"

/*
 * The first merge rule that does not hold for the request of the path and the caller, with the
 * reason ("RULE is not met: …"); NULL: it may be merged. Call it inside the merging write
 * transaction.
 */
const char *merge_rule_unmet(struct req *r);

#endif
