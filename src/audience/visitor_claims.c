/* Who visitors are: their claims, and whether these let them in. Contract: audience/visit.h. */
#include <cjson/cJSON.h>

#include "base/json.h"
#include "base/role.h"
#include "base/scan.h"
#include "base/secret.h"
#include "audience_parts.h"

SQL(q_key, "SELECT visitor_key FROM site WHERE id = :site");
SQL(q_member, "SELECT COALESCE(role, 0) FROM member WHERE org = :org AND account = :account AND disabled = 0");
/*
 * A guest sees a space by a grant on it or on a collection above it, own or of a team. UNION,
 * not UNION ALL, ends the walk even in a circle.
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
	 * Sealed under the key of the installation (octavo.key): a copy of the database alone
	 * signs no visitor in.
	 */
	if (!stmt_step(q) || col_null(q, 0) ||
	    !secret_unseal(v->arena, SECRET_VISITOR, col_bytes(q, 0), &plain))
		return (struct str){ NULL, 0 };
	return plain;
}

/* How far the clock of who signs may be ahead of ours: "nbf" is often the moment of signing. */
enum { SKEW_MS = 5 * 1000 };

/* The claims as an object, where they are one, and their time has begun and is not over. */
static cJSON *
parse_claims(const struct visit *v, struct str text)
{
	bool large;
	cJSON *all;
	const cJSON *exp, *nbf;

	/*
	 * Limits before the parser: claims are signed by the customer's own software, and may be
	 * anything.
	 */
	if (json_scan(v->arena, text, &json_limits_body, &large) != NULL)
		return NULL;
	all = cJSON_ParseWithLength(text.p, text.n);
	exp = cJSON_GetObjectItemCaseSensitive(all, "exp");
	nbf = cJSON_GetObjectItemCaseSensitive(all, "nbf");
	/*
	 * RFC 7519 makes exp optional; here it is wanted, since a token without an end could not
	 * be taken back. Of a claim that is there twice, readers differ which one counts (section 4).
	 */
	return all != NULL && !json_repeats(all) && cJSON_IsNumber(exp) && exp->valuedouble * 1000 > (double)time_now() &&
	    (nbf == NULL || (cJSON_IsNumber(nbf) && nbf->valuedouble * 1000 <= (double)(time_now() + SKEW_MS))) ? all : NULL;
}

/* Claims that parse_claims() gave have one. */
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
member_now(struct visit *v, const char *account)
{
	struct stmt *q = db_use(v->db, &q_member);

	bind_text(q, ":org", v->site.org);
	bind_text(q, ":account", account);
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

/* What the organization's ping signed. */
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
	return cJSON_IsString(sub) && member_now(v, sub->valuestring) ? all : NULL;
}

static cJSON *
from_preview(struct visit *v, const char *jwt)
{
	struct str text;
	const cJSON *claims;
	cJSON *all;

	/*
	 * A key of its own purpose: a token of the ping can never open a preview, nor the other
	 * way round.
	 */
	if (!secret_jwt_read(v->arena, SECRET_PREVIEW, jwt, &text) || (all = parse_claims(v, text)) == NULL ||
	    !claim_equals(all, "site", v->site.id))
		return NULL;
	v->preview = true;
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
	 * The hash, not the key: it is stored with site tokens, and tells later whether the site
	 * has another key by then.
	 */
	v->signer = hash_of(v->arena, key);
	return all;
}

void
take_claims(struct visit *v, const struct visitor *who)
{
	cJSON *all = NULL;

	if (who->jwt != NULL && *who->jwt != '\0') {
		/* The site's own key first: it is what sites of visitor-auth are meant for. */
		all = from_key(v, who->jwt);
		all = all != NULL ? all : from_ping(v, who->jwt);
		all = all != NULL ? all : from_preview(v, who->jwt);
	}
	if (all != NULL && !v->preview)
		v->until = end_of(all);
	/* Claims let visitors in even where conditions do not see them (not adaptive). */
	if (all == NULL || !v->site.adaptive)
		all = cJSON_CreateObject();
	/* A preview says what is not signed under that name itself; nobody else signs what nobody signed. */
	if (!v->preview)
		cJSON_DeleteItemFromObjectCaseSensitive(all, "unsigned");
	if (v->site.adaptive && cJSON_IsObject(who->unsigned_claims) && who->unsigned_claims->child != NULL) {
		cJSON_DeleteItemFromObjectCaseSensitive(all, "unsigned");
		cJSON_AddItemToObject(all, "unsigned", cJSON_Duplicate(who->unsigned_claims, true));
	}
	v->claims = all;
}
