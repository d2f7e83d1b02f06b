/*
 * Evaluation of merge rules: the conditions for merging a change request. Implemented in
 * requests/merge_rules_unmet.c.
 */
#ifndef OCTAVO_API_MERGE_RULES_UNMET_H
#define OCTAVO_API_MERGE_RULES_UNMET_H

#include "http/req.h"

/*
 * The first merge rule that does not hold for the change request of the path and the caller, with
 * the reason ("RULE is not met: …"). NULL: the request may be merged. Call it in the write
 * transaction that merges.
 */
const char *merge_rule_unmet(struct req *r);

/* Each rule of the change request of the path, and whether it holds now for the caller. */
extern const struct shape MergeRulesStatus;

#endif
