/*
 * Merge rules in the settings of organizations and spaces. Implemented in
 * requests/merge_rule_settings.c.
 */
#ifndef OCTAVO_API_MERGE_RULE_SETTINGS_H
#define OCTAVO_API_MERGE_RULE_SETTINGS_H

#include "http/req.h"

extern const struct shape MergeRulesSpace, MergeRulesOrganization;

/*
 * Checks the body's mergeRules: the kinds must be known, the users members. `before` is the JSON of
 * the present settings: members that clients may not know are copied from it. 0 or fail().
 */
int merge_rules_or_fail(struct req *r, const char *org, const char *before);

#endif
