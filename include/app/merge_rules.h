/*
 * Merge rules and primary content. Each function that writes primary content calls
 * primary_is_open() first. If it returns false, content may only come from a change request that
 * meets the rules, and content from elsewhere (git, for example) is turned into a change request.
 * api/requests/merge_rules_unmet.c decides whether a request meets the rules.
 * tests/unit/test_primary.c lists all writers of primary content, with their checks.
 */
#ifndef OCTAVO_MERGE_RULES_H
#define OCTAVO_MERGE_RULES_H

#include "db/db.h"

struct cJSON;

/*
 * The space's own rules, or those that it inherits from its organization; NULL: there is no such
 * space. The caller frees them with cJSON_Delete(), which may be left out where cJSON allocates from an arena.
 */
struct cJSON *merge_rules_of(struct db *db, const char *space);

/*
 * True if this user (NULL: a deleted one) may write primary content without a change request that
 * meets the rules: there are none, or allow_bypass names the user, who must still be a member.
 */
bool primary_is_open(struct db *db, const char *space, const char *user);

#endif
