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

/* Lists each rule of the path's change request, and whether it is met for the caller now. */
extern const struct shape MergeRulesStatus;

#endif
