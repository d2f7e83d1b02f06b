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

/* The space's own rules, or those of its organization where it inherits them; NULL: there is no such space. */
const struct cJSON *merge_rules_of(struct db *db, const char *space);

/*
 * May this user (NULL: nobody any more) write primary content without a change request that meets
 * rules? Yes where there are none, or where allow_bypass names the user, who has to be a member still.
 */
bool primary_is_open(struct db *db, const char *space, const char *user);

#endif
