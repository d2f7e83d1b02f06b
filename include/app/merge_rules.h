/*
 * Merge rules and primary content. Everything that writes primary content asks
 * primary_is_open(): where it says no, the rules have to be met by a change request, and what
 * comes by another way (git, say) becomes one. api/requests/merge_rules_unmet.c decides whether a
 * request meets them, and asks here first. Who writes it, and how each asks, is listed in
 * tests/unit/test_primary.c.
 */
#ifndef OCTAVO_MERGE_RULES_H
#define OCTAVO_MERGE_RULES_H

#include "db/db.h"

struct cJSON;

/*
 * The space's own rules, or those that it inherits from its organization; NULL: there is no such
 * space.
 */
const struct cJSON *merge_rules_of(struct db *db, const char *space);

/*
 * True if this user (NULL: a deleted one) may write primary content without a change request that
 * meets the rules: there are none, or allow_bypass names the user, who must still be a member.
 */
bool primary_is_open(struct db *db, const char *space, const char *user);

#endif
