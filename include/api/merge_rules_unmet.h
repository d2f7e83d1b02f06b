/*
 * Merge rules in the settings of organizations and spaces: what must hold before a change request is merged, and
 * whether it does. What other files need of requests/merge_rules_unmet.c.
 */
#ifndef OCTAVO_API_MERGE_RULES_UNMET_H
#define OCTAVO_API_MERGE_RULES_UNMET_H

#include "http/req.h"

/* The first merge rule that does not hold for the request of the path and the caller, and why ("RULE is
 * not met: …"); NULL: it may be merged. In merge_rules_unmet.c; inside the write transaction that merges. */
const char *merge_rule_unmet(struct req *r);

#endif
