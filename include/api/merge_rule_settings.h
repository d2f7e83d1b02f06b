/* Merge rules as organizations and spaces set them. */
#ifndef OCTAVO_API_MERGE_RULE_SETTINGS_H
#define OCTAVO_API_MERGE_RULE_SETTINGS_H

#include "http/req.h"

extern const struct shape MergeRulesSpace, MergeRulesOrganization;

/*
 * The body's mergeRules: kinds that are known, users who are members. What they do not say is put in as
 * it was in before (JSON of the settings that they are part of). 0 or fail().
 */
int merge_rules_or_fail(struct req *r, const char *org, const char *before);

#endif
