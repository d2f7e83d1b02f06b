/*
 * Visitors' identities: their claims, and whether these grant access. Contract: audience/visit.h.
 */
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
 * A guest sees a space by a grant on it or on a collection above it, direct or through a team.
 * UNION (not UNION ALL) ends the recursion even in a cycle.
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
	/*
	 * Sealed under the installation's key (octavo.key): a copy of the database alone signs
	 * nobody in.
	 */
	if (!stmt_step(q) || col_null(q, 0) ||
	    !secret_unseal(v->arena, SECRET_VISITOR, col_bytes(q, 0), &plain))
		return (struct str){ NULL, 0 };
	return plain;
}

/* Tolerated lead of the signer's clock: "nbf" is often the moment of signing. */
enum { SKEW_MS = 5 * 1000 };

/* Claims as an object; NULL if they are invalid, not valid yet, or expired. */
static cJSON *
parse_claims(const struct visit *v, struct str text)
{
	bool large;
	cJSON *all;
	const cJSON *exp, *nbf;

	/* Limit before parsing: the customer's software signs claims, so they may be anything. */
	if (json_scan(v->arena, text, &json_limits_body, &large) != NULL)
		return NULL;
	all = cJSON_ParseWithLength(text.p, text.n);
	exp = cJSON_GetObjectItemCaseSensitive(all, "exp");
	nbf = cJSON_GetObjectItemCaseSensitive(all, "nbf");
	/*
	 * RFC 7519 makes exp optional; require it, since a token without an end could never be
	 * revoked. Refuse repeated claims: parsers differ in which one counts (section 4).
	 */
	return all != NULL && !json_repeats(all) && cJSON_IsNumber(exp) && exp->valuedouble * 1000 > (double)time_now() &&
	    (nbf == NULL || (cJSON_IsNumber(nbf) && nbf->valuedouble * 1000 <= (double)(time_now() + SKEW_MS))) ? all : NULL;
}

/* End of claims from parse_claims(), which always have one. */
static int64_t
end_of(const cJSON *claims)
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
member_now(struct visit *v, const char *account, bool by_session)
{
	struct stmt *q = db_use(v->db, &q_member);

	bind_text(q, ":org", v->site.org);
	bind_text(q, ":account", account);
	bind_int(q, ":by_session", by_session);
	if (!stmt_step(q))
		return false;
	v->account = arena_strdup(v->arena, account);
	/* Role NULL or 0 is a guest of the organization. */
	v->guest = col_int(q, 0) == 0;
	return true;
}

bool
guest_sees(const struct visit *v, const char *space)
{
	struct stmt *q;

	if (!v->guest)
		return true;
	q = db_use(v->db, &q_granted);
	bind_text(q, ":space", space);
	bind_text(q, ":account", v->account);
	return stmt_int(q, 0) == 1;
}

/* Claims that the organization's ping signed. */
static cJSON *
from_ping(struct visit *v, const char *jwt)
{
	struct str text;
	const cJSON *sub;
	cJSON *all;

	if (!secret_jwt_read(v->arena, SECRET_JWT, jwt, &text) || (all = parse_claims(v, text)) == NULL ||
	    !claim_equals(all, "organization", v->site.org))
		return NULL;
	sub = cJSON_GetObjectItemCaseSensitive(all, "sub");
	return cJSON_IsString(sub) && member_now(v, sub->valuestring, claim_equals(all, "by", "session")) ? all : NULL;
}

static cJSON *
from_preview(struct visit *v, const char *jwt)
{
	struct str text;
	const cJSON *claims;
	cJSON *all;

	/*
	 * Previews have a key of their own: a ping's token cannot open a preview, nor vice versa.
	 */
	if (!secret_jwt_read(v->arena, SECRET_PREVIEW, jwt, &text) || (all = parse_claims(v, text)) == NULL ||
	    !claim_equals(all, "site", v->site.id))
		return NULL;
	v->preview = true;
	v->drafts = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(all, "drafts"));
	v->until = end_of(all);
	claims = cJSON_GetObjectItemCaseSensitive(all, "claims");
	return cJSON_IsObject(claims) ? cJSON_Duplicate(claims, true) : cJSON_CreateObject();
}

static cJSON *
from_key(struct visit *v, const char *jwt)
{
	struct str key = visitor_key(v), text;
	cJSON *all;

	if (key.n == 0 || !jwt_read(v->arena, key, jwt, &text) || (all = parse_claims(v, text)) == NULL)
		return NULL;
	/*
	 * Store the hash of the key with site tokens: it shows later whether the site has a new
	 * key.
	 */
	v->signing_key = hash_of(v->arena, key);
	return all;
}

void
take_claims(struct visit *v, const struct visitor *who)
{
	cJSON *all = NULL;

	if (who->jwt != NULL && *who->jwt != '\0') {
		/* Try the site's own key first, which visitor-auth sites use. */
		all = from_key(v, who->jwt);
		all = all != NULL ? all : from_ping(v, who->jwt);
		all = all != NULL ? all : from_preview(v, who->jwt);
	}
	if (all != NULL && !v->preview)
		v->until = end_of(all);
	/* On a site that is not adaptive, claims grant access but conditions do not see them. */
	if (all == NULL || !v->site.adaptive)
		all = cJSON_CreateObject();
	/* Only a preview may set "unsigned" itself; drop it from other signed claims. */
	if (!v->preview)
		cJSON_DeleteItemFromObjectCaseSensitive(all, "unsigned");
	if (v->site.adaptive && cJSON_IsObject(who->unsigned_claims) && who->unsigned_claims->child != NULL) {
		cJSON_DeleteItemFromObjectCaseSensitive(all, "unsigned");
		cJSON_AddItemToObject(all, "unsigned", cJSON_Duplicate(who->unsigned_claims, true));
	}
	v->claims = all;
}
