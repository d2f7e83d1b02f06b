/*
 * Merge rules in the settings of organizations and spaces: the conditions for merging a change
 * request, and their evaluation.
 *
 * All rules must hold; a user whom a rule allow_bypass names may merge regardless.
 *
 * A review counts if it is not outdated and its author may still review: losing the role voids a
 * user's reviews. With `dismissStaleApprovals` an approval counts only for the revision that it was
 * made on; a review that requests changes keeps counting. Reviews by the request's author, and by
 * anyone who wrote in the request, count only with `countOwnApprovals`: otherwise one person could
 * write, approve and merge in a request that another one opened.
 *
 * The rule require_agent_review never holds, since agents do not review here. A rule of type
 * `custom` is an expression (merge_custom.c).
 */
#include <cjson/cJSON.h>

#include "api/examples.h"
#include "api/merge_custom.h"
#include "api/merge_rules_unmet.h"
#include "api/users.h"
#include "app/merge_rules.h"
#include "app/roles.h"
#include "http/req.h"

static const struct shape MergeRuleStatus = { "MergeRuleStatus", (const struct field[]){
	{ "rule", T_TEXT, F_REQ, .doc = "Name of the rule, as in the settings", .example = "require_at_least_one_approved_review" },
	{ "met", T_BOOL, F_REQ, .doc = "true: the rule is met now" },
	{ "message", T_TEXT, .doc = "Why the rule is not met, as in the message of a refused merge",
	  .example = "require_at_least_one_approved_review is not met: nobody has approved it" },
	{ "waitingFor", T_LIST, .of = &User, .doc = "Of a rule that names users: the users who have not approved" },
	{ 0 } } };
const struct shape MergeRulesStatus = { "MergeRulesStatus", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "merge-rules-status", .doc = "Kind of object" },
	{ "bypass", T_BOOL, F_REQ, .doc = "true: you may merge even if rules are not met: a rule allow_bypass names you, or there are no "
	  "rules" },
	{ "rules", T_LIST, F_REQ, .of = &MergeRuleStatus, .doc = "The rules in their order" },
	{ 0 } } };

/* ---- enforcement ---- */

/*
 * Reviews that count: not outdated, by members who may still review. :fresh: the revision that
 * approvals must be for; NULL: any. :author: the author of the request, if reviews by those who
 * wrote in the request do not count; NULL: they count. Two kinds of revisions do not count as
 * writing: the first one of the branch (seq 0), and an update, which only merges what others wrote.
 */
#define COUNTED \
	"FROM review v JOIN member m ON m.org = :org AND m.account = v.reviewer AND m.disabled = 0 " \
	"WHERE v.request = :request AND v.outdated = 0 AND " ROLE_FROM("space", ":space", "v.reviewer") " >= " SQL_ROLE_REVIEW " " \
	"AND (v.status <> 'approved' OR CAST(:fresh AS TEXT) IS NULL OR v.revision = :fresh) " \
	"AND (CAST(:author AS TEXT) IS NULL OR (v.reviewer <> :author AND NOT EXISTS (SELECT 1 FROM revision w " \
	"WHERE w.author = v.reviewer AND w.branch = (SELECT branch FROM change_request WHERE id = :request) " \
	"AND w.seq > 0 AND w.kind <> 'update')))"
/*
 * The partial index review_reviewer (outdated = 0) has one row per reviewer, so both counts are of
 * people.
 */
SQL(q_standing, "SELECT count(*), count(*) FILTER (WHERE v.status = 'approved') " COUNTED);
SQL(q_approved, "SELECT 1 " COUNTED " AND v.reviewer = :user AND v.status = 'approved'");

/* The reviews that count, one per reviewer, with the columns of the shape ChangeRequestReview. */
SQL(q_counted,
    "SELECT w.id, w.revision, w.status, w.outdated, w.created_at, w.updated_at, " USER_COLS("ru", "reviewer_") ", "
    USER_COLS("qu", "asker_") " FROM review w JOIN account ru ON ru.id = w.reviewer "
    "LEFT JOIN account qu ON qu.id = w.requested_by WHERE w.id IN (SELECT v.id " COUNTED ") "
    "ORDER BY w.created_at DESC, w.id DESC /*scan*/");

SQL(q_name, "SELECT name FROM account WHERE id = :user");
SQL(q_user, "SELECT " USER_COLS("u", "") " FROM account u WHERE u.id = :user");

struct review_counts {
	int64_t     reviews, approved;   /* reviews that count */
	const char *fresh;               /* revision that approvals must be of; NULL: any */
	const char *author;              /* the request's, if own reviews do not count; else NULL */
};

/* Prepares a statement with COUNTED, and does not step it. */
static struct stmt *
bind_counted(struct req *r, const struct sql *sql, const struct review_counts *st)
{
	struct stmt *q = db_use(r->db, sql);

	bind_text(q, ":request", r->request.id);
	bind_text(q, ":space", r->space.id);
	bind_text(q, ":org", r->space.org);
	bind_text(q, ":fresh", st->fresh);
	bind_text(q, ":author", st->author);
	return q;
}

/* Counts the reviews once for all rules. */
static struct review_counts
count_reviews(struct req *r, const cJSON *settings)
{
	struct review_counts st = { 0 };
	struct stmt *q;

	if (cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(settings, "dismissStaleApprovals")))
		st.fresh = r->request.revision;
	if (!cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(settings, "countOwnApprovals")))
		st.author = r->request.author;
	q = bind_counted(r, &q_standing, &st);
	stmt_step(q);
	st.reviews = col_int(q, 0);
	st.approved = col_int(q, 1);
	return st;
}

/* True if this user approved in a review that counts (COUNTED). */
static bool
approved_by(struct req *r, const struct review_counts *st, const char *user)
{
	struct stmt *q = bind_counted(r, &q_approved, st);

	bind_text(q, ":user", user);
	return stmt_int(q, 0) == 1;
}

/* Counts the users of the rule for whom holds() is true. */
static int
count_users(struct req *r, const cJSON *rule, const struct review_counts *st,
    bool (*holds)(struct req *r, const struct review_counts *st, const char *user))
{
	const cJSON *user;
	int n = 0;

	cJSON_ArrayForEach(user, cJSON_GetObjectItemCaseSensitive(rule, "users"))
		n += cJSON_IsString(user) && holds(r, st, user->valuestring);
	return n;
}

static bool
is_caller(struct req *r, const struct review_counts *st, const char *user)
{
	(void)st;
	return strcmp(user, r->who.user) == 0;
}

/* True unless s consists of white space only. */
static bool
has_text(const char *s)
{
	return s[strspn(s, " \t\r\n")] != '\0';
}

/* True if the description, a document, contains text. Text is in the leaves of a document. */
static bool
has_words(const cJSON *v)
{
	const cJSON *m;

	cJSON_ArrayForEach(m, v) {
		if (m->string != NULL && strcmp(m->string, "text") == 0 && cJSON_IsString(m) &&
		    has_text(m->valuestring))
			return true;
		if (has_words(m))
			return true;
	}
	return false;
}

/* ---- the rules: true if the rule holds ---- */

static bool
holds_always(struct req *r, const cJSON *rule, const struct review_counts *st)
{
	(void)r;
	(void)rule;
	(void)st;
	return true;
}

/*
 * require_agent_review never holds: no agents review here (docs/design/merging.md, "Merge rules").
 */
static bool
holds_never(struct req *r, const cJSON *rule, const struct review_counts *st)
{
	return !holds_always(r, rule, st);
}

/* True if all users of the rule have approved. A rule without users holds. */
static bool
all_approve(struct req *r, const cJSON *rule, const struct review_counts *st)
{
	return count_users(r, rule, st, approved_by) ==
	    cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(rule, "users"));
}

/* True if one of the rule's users has approved. A rule without users does not hold. */
static bool
one_approves(struct req *r, const cJSON *rule, const struct review_counts *st)
{
	return count_users(r, rule, st, approved_by) > 0;
}

static bool
is_reviewed(struct req *r, const cJSON *rule, const struct review_counts *st)
{
	(void)r;
	(void)rule;
	return st->reviews > 0;
}

static bool
is_approved(struct req *r, const cJSON *rule, const struct review_counts *st)
{
	(void)r;
	(void)rule;
	return st->approved > 0;
}

/* Holds if every review that counts is an approval, and so also without any review. */
static bool
none_objects(struct req *r, const cJSON *rule, const struct review_counts *st)
{
	(void)r;
	(void)rule;
	return st->approved == st->reviews;
}

/* `outdated` is current: the access check has read it in the transaction of the merge. */
static bool
is_current(struct req *r, const cJSON *rule, const struct review_counts *st)
{
	(void)rule;
	(void)st;
	return !r->request.outdated;
}

static bool
has_subject(struct req *r, const cJSON *rule, const struct review_counts *st)
{
	(void)rule;
	(void)st;
	return has_text(r->request.subject);
}

/* cJSON allocates in the request's arena: nothing is freed here. */
static bool
is_described(struct req *r, const cJSON *rule, const struct review_counts *st)
{
	(void)rule;
	(void)st;
	return r->request.description != NULL && has_words(cJSON_Parse(r->request.description));
}

static bool
is_merged_by_author(struct req *r, const cJSON *rule, const struct review_counts *st)
{
	(void)rule;
	return is_caller(r, st, r->request.author);
}

/*
 * The kinds of rules. A rule that this table does not contain never holds, so that no merge happens
 * that it might forbid.
 */
static const struct {
	const char *name;
	bool      (*met)(struct req *, const cJSON *rule, const struct review_counts *);
	const char *why;    /* the message; after a final colon the users who have not approved follow */
} known[] = {
	{ "allow_bypass", holds_always, "" },
	{ "require_specific_reviewers", all_approve, "not yet approved by:" },
	{ "require_one_of_specific_reviewers", one_approves, "not yet approved by one of:" },
	{ "require_at_least_one_review", is_reviewed, "nobody has reviewed it" },
	{ "require_at_least_one_approved_review", is_approved, "nobody has approved it" },
	{ "require_all_reviews_approved", none_objects, "a review asks for changes" },
	{ "require_agent_review", holds_never, "agents do not review on this server" },
	{ "require_up_to_date_change_request", is_current, "the primary content has changed since: update it first" },
	{ "require_change_request_subject", has_subject, "it has no subject" },
	{ "require_change_request_description", is_described, "it has no description" },
	{ "require_author_to_merge", is_merged_by_author, "only its author may merge it" },
};

/* Returns the names of the rule's users who have not approved, as " Ada, Bob". */
static const char *
list_missing(struct req *r, const cJSON *rule, const struct review_counts *st)
{
	const cJSON *user;
	struct stmt *q;
	struct buf b;

	buf_init(&b, r->arena, 64 << 10);
	cJSON_ArrayForEach(user, cJSON_GetObjectItemCaseSensitive(rule, "users")) {
		if (!cJSON_IsString(user) || approved_by(r, st, user->valuestring))
			continue;
		q = db_use(r->db, &q_name);
		bind_text(q, ":user", user->valuestring);
		if (stmt_step(q))
			buf_printf(&b, "%s %s", b.n > 0 ? "," : "", col_text(q, 0));
	}
	return b.n > 0 ? b.p : " nobody";
}

/* Returns the message for a rule that does not hold; NULL if it holds. */
static const char *
find_rule_fault(struct req *r, const cJSON *rule, const struct review_counts *st)
{
	const char *name = json_text_or_empty(rule, "rule"), *why;
	size_t i;

	if (strcmp(name, "custom") == 0) {
		why = merge_custom_unmet(r, json_text_or_empty(rule, "expression"), bind_counted(r, &q_counted, st));
		return why == NULL ? NULL : arena_printf(r->arena, "custom is not met: %s", why);
	}
	for (i = 0; i < sizeof(known) / sizeof(known[0]) && strcmp(known[i].name, name) != 0; i++)
		;
	if (i == sizeof(known) / sizeof(known[0]))
		return arena_printf(r->arena, "%s is not met: it is unknown to this server", name);
	if (known[i].met(r, rule, st))
		return NULL;
	why = known[i].why;
	return arena_printf(r->arena, "%s is not met: %s%s", name, why,
	    why[strlen(why) - 1] == ':' ? list_missing(r, rule, st) : "");
}

const char *
merge_rule_unmet(struct req *r)
{
	const cJSON *settings, *rule;
	struct review_counts st;
	const char *unmet = NULL;

	if (primary_is_open(r->db, r->space.id, r->who.user))
		return NULL;
	settings = merge_rules_of(r->db, r->space.id);
	st = count_reviews(r, settings);
	/* Only the first unmet rule is reported, in the order of the settings. */
	cJSON_ArrayForEach(rule, cJSON_GetObjectItemCaseSensitive(settings, "rules"))
		if (unmet == NULL)
			unmet = find_rule_fault(r, rule, &st);
	return unmet;
}

/* ---- the status ---- */

/* Writes the users whom the rule names and who have not approved. */
static void
write_waiting(struct req *r, const cJSON *rule, const struct review_counts *st)
{
	const cJSON *user;
	struct stmt *q;

	json_karr(&r->json, "waitingFor");
	cJSON_ArrayForEach(user, cJSON_GetObjectItemCaseSensitive(rule, "users")) {
		if (!cJSON_IsString(user) || approved_by(r, st, user->valuestring))
			continue;
		q = db_use(r->db, &q_user);
		bind_text(q, ":user", user->valuestring);
		if (stmt_step(q))
			shape_row(&r->json, &User, r, q);
	}
	json_end(&r->json);
}

static void
write_rule(struct req *r, const cJSON *rule, const struct review_counts *st)
{
	const char *fault = find_rule_fault(r, rule, st);
	struct json *j = &r->json;

	json_obj(j);
	json_kstr(j, "rule", json_text_or_empty(rule, "rule"));
	json_kbool(j, "met", fault == NULL);
	if (fault != NULL)
		json_kstr(j, "message", fault);
	if (fault != NULL && cJSON_IsArray(cJSON_GetObjectItemCaseSensitive(rule, "users")))
		write_waiting(r, rule, st);
	json_end(j);
}

/* GET …/merge-rules */
HANDLER(getChangeRequestMergeRules)
{
	const cJSON *settings = merge_rules_of(r->db, r->space.id), *rule;
	struct review_counts st = count_reviews(r, settings);

	json_obj(&r->json);
	json_kstr(&r->json, "object", "merge-rules-status");
	json_kbool(&r->json, "bypass", primary_is_open(r->db, r->space.id, r->who.user));
	json_karr(&r->json, "rules");
	cJSON_ArrayForEach(rule, cJSON_GetObjectItemCaseSensitive(settings, "rules"))
		if (strcmp(json_text_or_empty(rule, "rule"), "allow_bypass") != 0)
			write_rule(r, rule, &st);
	json_end(&r->json);
	json_end(&r->json);
	return 0;
}
