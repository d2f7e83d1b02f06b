/*
 * Merge rules in the settings of organizations and spaces: their shapes and validation.
 * merge_rules_unmet.c evaluates them.
 */
#include <cjson/cJSON.h>

#include "api/access.h"
#include "api/merge_rule_settings.h"
#include "app/merge_rules.h"
#include "app/roles.h"
#include "expr/expr.h"
#include "http/req.h"

#define RULES_OF_USERS "require_specific_reviewers,require_one_of_specific_reviewers,allow_bypass"

#define RULES_ALONE \
	"require_at_least_one_review,require_at_least_one_approved_review,require_all_reviews_approved," \
	"require_agent_review,require_up_to_date_change_request,require_change_request_subject," \
	"require_change_request_description,require_author_to_merge"

/* At most 100 users in one of at most 50 rules: each costs a look-up of reviews at a merge. */
static const struct shape RuleUsers = { "MergeRuleUsers", (const struct field[]){
	{ "rule", T_CONST, F_REQ, .set = RULES_OF_USERS, .doc = "Name of the rule" },
	{ "users", T_LIST, F_REQ, .max = 100, .item = &(const struct field){ "", T_TEXT, .max = 100 },
	  .doc = "Ids of the users that the rule names", .example = "[\"u3JpZ8nYqLk5WvTf6MxA\"]" },
	{ 0 } } };

static const struct shape RuleAlone = { "MergeRuleAlone", (const struct field[]){
	{ "rule", T_CONST, F_REQ, .set = RULES_ALONE, .doc = "Name of the rule" },
	{ 0 } } };

static const struct shape RuleCustom = { "MergeRuleCustom", (const struct field[]){
	{ "rule", T_CONST, F_REQ, .set = "custom", .doc = "Name of the rule" },
	{ "expression", T_TEXT, F_REQ, .max = EXPR_MAX,
	  .doc = "Expression that is true if merging is allowed; it can use space, changeRequest, reviews (those that count, newest "
	  "first) and actor", .example = "reviews.length >= 2 || actor.id == changeRequest.createdBy.id" },
	{ 0 } } };

/* The kinds of the published client (docs/design/merging.md, "Merge rules"). */
static const struct shape Rule = { "MergeRule", NULL,
	(const struct shape *const[]){ &RuleUsers, &RuleAlone, &RuleCustom, NULL } };

static const struct shape RulesInherit = { "MergeRulesInherit", (const struct field[]){
	{ "type", T_CONST, F_REQ, .set = "inherit", .doc = "The rules of the organization" },
	{ 0 } } };

static const struct shape RulesNone = { "MergeRulesNone", (const struct field[]){
	{ "type", T_CONST, F_REQ, .set = "none", .doc = "No rules" },
	{ 0 } } };

static const struct shape RulesSome = { "MergeRulesRules", (const struct field[]){
	{ "type", T_CONST, F_REQ, .set = "rules", .doc = "These rules" },
	{ "rules", T_LIST, F_REQ, .max = 50, .of = &Rule, .doc = "Rules that must all hold" },
	{ "dismissStaleApprovals", T_BOOL, .preset = "false",
	  .doc = "true: an approval no longer counts after the change request is written or updated; default: it still counts" },
	{ "countOwnApprovals", T_BOOL,
	  .doc = "true: reviews by the author of the change request, and by people who wrote in it, count. Absent: unchanged, and false "
	  "in new rules" },
	{ 0 } } };

/* Only a space can inherit: an organization has no parent. */
const struct shape MergeRulesSpace = { "MergeRulesSpace", NULL,
	(const struct shape *const[]){ &RulesInherit, &RulesNone, &RulesSome, NULL } };

const struct shape MergeRulesOrganization = { "MergeRulesOrganization", NULL,
	(const struct shape *const[]){ &RulesNone, &RulesSome, NULL } };

/*
 * Refuses an expression that does not parse: a rule with it would never hold and so block every
 * merge. 0 or fail().
 */
static int
custom_or_fail(struct req *r, const cJSON *rule, int n)
{
	const char *error;

	if (expr_parse(r->arena, str_of(cJSON_GetObjectItemCaseSensitive(rule, "expression")->valuestring), &error) != NULL)
		return 0;
	return fail_field(r, arena_printf(r->arena, "/mergeRules/rules/%d/expression", n), "is no expression: %s", error);
}

/*
 * Rules without countOwnApprovals keep the value of the rules that they replace, since older
 * clients do not know the member.
 */
static void
keep_count_own_approvals(struct req *r, const char *before)
{
	cJSON *rules = cJSON_GetObjectItemCaseSensitive(r->body, "mergeRules");

	const cJSON *was = cJSON_GetObjectItemCaseSensitive(before == NULL ? NULL : cJSON_Parse(before), "mergeRules");

	if (cJSON_GetObjectItemCaseSensitive(rules, "countOwnApprovals") == NULL)
		cJSON_AddBoolToObject(rules, "countOwnApprovals",
		    cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(was, "countOwnApprovals")));
}

/*
 * The users of a rule must be members when it is set; at a merge this is not checked. If a user
 * leaves later, the rule is unmet until it is changed. The shape has checked the types, so
 * valuestring is not NULL.
 */
int
merge_rules_or_fail(struct req *r, const char *org, const char *before)
{
	const cJSON *rules = cJSON_GetObjectItemCaseSensitive(body_get(r, "mergeRules"), "rules");
	const cJSON *rule, *user;
	int n = 0;

	/* The loop runs only if the body has rules. */
	cJSON_ArrayForEach(rule, rules) {
		const char *name = cJSON_GetObjectItemCaseSensitive(rule, "rule")->valuestring;
		if (strcmp(name, "custom") == 0 && custom_or_fail(r, rule, n) != 0)
			return -1;
		cJSON_ArrayForEach(user, cJSON_GetObjectItemCaseSensitive(rule, "users"))
			if (!is_member(r, org, user->valuestring))
				return fail(r, E_NOT_FOUND, "no member %s", user->valuestring);
		n++;
	}
	if (rules != NULL)
		keep_count_own_approvals(r, before);
	return 0;
}
