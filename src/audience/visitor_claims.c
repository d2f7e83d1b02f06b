/* Reads the claims of visitors, and decides whether these give access. Contract: audience/visit.h. */
#include <cjson/cJSON.h>

#include "app/roles.h"
#include "base/json.h"
#include "base/role.h"
#include "base/scan.h"
#include "base/secret.h"
#include "audience_parts.h"

SQL(q_key, "SELECT visitor_key FROM site WHERE id = :site");
SQL(q_member,
    "SELECT COALESCE(m.role, 0) FROM member m JOIN account a ON a.id = m.account AND a.disabled = 0 "
    "WHERE m.org = :org AND m.account = :account AND m.disabled = 0 AND NOT " IS_CLOSED("m.org", ":account", ":by_session"));
/*
 * A guest sees a space if the guest or one of the guest's teams has a grant on it or on a
 * collection above it. UNION, and not UNION ALL, so that the recursion ends even if collections
 * form a cycle.
 */
SQL(q_granted,
    "WITH RECURSIVE up (collection) AS (SELECT parent FROM space WHERE id = :space "
    "UNION SELECT c.parent FROM up JOIN collection c ON c.id = up.collection) "
    "SELECT 1 FROM access_grant g WHERE g.space = :space AND g.role >= " SQL_ROLE_READ " AND (g.account = :account OR EXISTS "
    "(SELECT 1 FROM team_member tm WHERE tm.team = g.team AND tm.account = :account)) "
    "UNION ALL SELECT 1 FROM up JOIN access_grant g ON g.collection = up.collection WHERE g.role >= " SQL_ROLE_READ " "
    "AND (g.account = :account OR EXISTS (SELECT 1 FROM team_member tm WHERE tm.team = g.team "
    "AND tm.account = :account)) LIMIT 1 /*scan*/");

struct str
visitor_key(const struct visit *v)
{
	struct stmt *q = db_use(v->db, &q_key);
	struct str plain = { NULL, 0 };

	bind_text(q, ":site", v->site.id);
	/* The key is encrypted with octavo.key, so that claims cannot be signed with a copy of the database alone. */
	if (!stmt_step(q) || col_null(q, 0) ||
	    !secret_unseal(v->arena, SECRET_VISITOR, col_bytes(q, 0), &plain))
		return (struct str){ NULL, 0 };
	return plain;
}

/* "nbf" is often the time of signing. SKEW_MS: by how much the clock of the signer may be ahead. */
enum { SKEW_MS = 5 * 1000 };

/* Parses claims; NULL if they are invalid, not valid yet, or expired. */
static cJSON *
parse_claims(const struct visit *v, struct str text)
{
	bool large;
	cJSON *all;
	const cJSON *exp, *nbf;

	/* Checked before parsing, because software of others makes the claims. */
	if (json_scan(v->arena, text, &json_limits_body, &large) != NULL)
		return NULL;
	all = cJSON_ParseWithLength(text.p, text.n);
	exp = cJSON_GetObjectItemCaseSensitive(all, "exp");
	nbf = cJSON_GetObjectItemCaseSensitive(all, "nbf");
	/*
	 * "exp" is optional in RFC 7519, but required here, since a token that never expires could
	 * not be revoked. Claims with a repeated name are refused, because parsers differ in which
	 * one they use (section 4).
	 */
	return all != NULL && !json_repeats(all) && cJSON_IsNumber(exp) && exp->valuedouble * 1000 > (double)time_now() &&
	    (nbf == NULL || (cJSON_IsNumber(nbf) && nbf->valuedouble * 1000 <= (double)(time_now() + SKEW_MS))) ? all : NULL;
}

/* When claims expire. parse_claims() accepts only claims with "exp". */
static int64_t
claims_end(const cJSON *claims)
{
	return (int64_t)(cJSON_GetObjectItemCaseSensitive(claims, "exp")->valuedouble * 1000);
}

static bool
claim_equals(const cJSON *claims, const char *name, const char *value)
{
	const cJSON *v = cJSON_GetObjectItemCaseSensitive(claims, name);

	return cJSON_IsString(v) && strcmp(v->valuestring, value) == 0;
}

bool
is_member_now(struct visit *v, const char *account, bool by_session)
{
	struct stmt *q = db_use(v->db, &q_member);

	bind_text(q, ":org", v->site.org);
	bind_text(q, ":account", account);
	bind_int(q, ":by_session", by_session);
	if (!stmt_step(q))
		return false;
	v->account = arena_strdup(v->arena, account);
	/* The statement gives role 0 for a guest of the organization. */
	v->guest = col_int(q, 0) == 0;
	return true;
}

bool
guest_may_see(const struct visit *v, const char *space)
{
	struct stmt *q;

	if (!v->guest)
		return true;
	q = db_use(v->db, &q_granted);
	bind_text(q, ":space", space);
	bind_text(q, ":account", v->account);
	return stmt_int(q, 0) == 1;
}

/* Reads claims that the organization's operation ping signed. */
static cJSON *
read_ping_claims(struct visit *v, const char *jwt)
{
	struct str text;
	const cJSON *sub;
	cJSON *all;

	if (!secret_jwt_read(v->arena, SECRET_JWT, jwt, &text) || (all = parse_claims(v, text)) == NULL ||
	    !claim_equals(all, "organization", v->site.org))
		return NULL;
	sub = cJSON_GetObjectItemCaseSensitive(all, "sub");
	return cJSON_IsString(sub) && is_member_now(v, sub->valuestring, claim_equals(all, "by", "session")) ? all : NULL;
}

static cJSON *
read_preview_claims(struct visit *v, const struct visitor *who)
{
	struct str text;
	const cJSON *claims;
	cJSON *all;

	/*
	 * Tokens of previews are signed with a key of their own, so that a token of ping cannot be
	 * used for a preview, or the reverse.
	 */
	if (!secret_jwt_read(v->arena, SECRET_PREVIEW, who->jwt, &text) || (all = parse_claims(v, text)) == NULL ||
	    !claim_equals(all, "site", v->site.id))
		return NULL;
	/* It must never count as a preview for those who manage the site, which shows more. */
	if (cJSON_HasObjectItem(all, "request") && (!who->requests || !open_previewed_request(v, all)))
		return NULL;
	v->preview = true;
	v->drafts = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(all, "drafts"));
	v->until = claims_end(all);
	claims = cJSON_GetObjectItemCaseSensitive(all, "claims");
	return cJSON_IsObject(claims) ? cJSON_Duplicate(claims, true) : cJSON_CreateObject();
}

static cJSON *
read_site_claims(struct visit *v, const char *jwt)
{
	struct str key = visitor_key(v), text;
	cJSON *all;

	if (key.n == 0 || !jwt_read(v->arena, key, jwt, &text) || (all = parse_claims(v, text)) == NULL)
		return NULL;
	/*
	 * Rows of site tokens contain the hash of the key, so that tokens become invalid when the
	 * site gets a new key.
	 */
	v->signing_key = hash_of(v->arena, key);
	return all;
}

void
read_claims(struct visit *v, const struct visitor *who)
{
	cJSON *all = NULL;

	if (who->jwt != NULL && *who->jwt != '\0') {
		/* The site's own key is tried first, since it is used most often. */
		all = read_site_claims(v, who->jwt);
		all = all != NULL ? all : read_ping_claims(v, who->jwt);
		all = all != NULL ? all : read_preview_claims(v, who);
	}
	if (all != NULL && !v->preview)
		v->until = claims_end(all);
	/* If the site is not adaptive, claims give access, but conditions cannot use them. */
	if (all == NULL || !v->site.adaptive)
		all = cJSON_CreateObject();
	/* Only the claims of a preview may contain "unsigned"; it is removed from other signed claims. */
	if (!v->preview)
		cJSON_DeleteItemFromObjectCaseSensitive(all, "unsigned");
	if (v->site.adaptive && cJSON_IsObject(who->unsigned_claims) && who->unsigned_claims->child != NULL) {
		cJSON_DeleteItemFromObjectCaseSensitive(all, "unsigned");
		cJSON_AddItemToObject(all, "unsigned", cJSON_Duplicate(who->unsigned_claims, true));
	}
	v->claims = all;
}
