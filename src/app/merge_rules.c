/* Whether merge rules protect a space's primary content. The contract is in app/merge_rules.h. */
#include <cjson/cJSON.h>
#include <string.h>

#include "base/json.h"
#include "app/merge_rules.h"

SQL(q_rules, "SELECT s.merge_rules, o.merge_rules FROM space s JOIN org o ON o.id = s.org WHERE s.id = :space");
/* A suspended member loses the exception from the rules. */
SQL(q_belongs,
    "SELECT 1 FROM space s JOIN member m ON m.org = s.org AND m.account = :user AND m.disabled = 0 WHERE s.id = :space");

cJSON *
merge_rules_of(struct db *db, const char *space)
{
	struct stmt *q = db_use(db, &q_rules);
	cJSON *rules;

	bind_text(q, ":space", space);
	if (!stmt_step(q))
		return NULL;
	rules = cJSON_Parse(col_text(q, 0));
	if (strcmp(json_text_or_empty(rules, "type"), "inherit") != 0)
		return rules;
	cJSON_Delete(rules);
	return cJSON_Parse(col_text(q, 1));
}

static bool
names_user(const cJSON *rule, const char *user)
{
	const cJSON *v;

	cJSON_ArrayForEach(v, cJSON_GetObjectItemCaseSensitive(rule, "users"))
		if (cJSON_IsString(v) && strcmp(v->valuestring, user) == 0)
			return true;
	return false;
}

static bool
is_member(struct db *db, const char *space, const char *user)
{
	struct stmt *q = db_use(db, &q_belongs);

	bind_text(q, ":space", space);
	bind_text(q, ":user", user);
	return stmt_step(q);
}

bool
primary_is_open(struct db *db, const char *space, const char *user)
{
	cJSON *rules = merge_rules_of(db, space);
	const cJSON *rule;
	bool bound = false, exempt = false;

	cJSON_ArrayForEach(rule, cJSON_GetObjectItemCaseSensitive(rules, "rules")) {
		if (strcmp(json_text_or_empty(rule, "rule"), "allow_bypass") != 0)
			bound = true;
		else if (user != NULL && names_user(rule, user) && is_member(db, space, user))
			exempt = true;
	}
	cJSON_Delete(rules);
	return exempt || !bound;
}
