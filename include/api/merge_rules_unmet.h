/* What the other files of the room use of merge_rules_unmet.c. */
#ifndef OCTAVO_API_MERGE_RULES_UNMET_H
#define OCTAVO_API_MERGE_RULES_UNMET_H

#include "http/req.h"

extern const struct shape MergeRulesSpace, MergeRulesOrganization;

/* Is this user a member of the organization, guests and disabled ones included? */
bool is_member(struct req *r, const char *org, const char *user);

/*
 * The body's mergeRules: kinds that are known, users who are members. What they do not say is put in as
 * it was in before (JSON of the settings that they are part of). 0 or fail().
 */
int merge_rules_or_fail(struct req *r, const char *org, const char *before);

/* The first merge rule that does not hold for the request of the path and the caller, and why ("RULE is
 * not met: …"); NULL: it may be merged. In merge_rules_unmet.c; inside the write transaction that merges. */
const char *merge_rule_unmet(struct req *r);

#endif
