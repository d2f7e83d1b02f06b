/*
 * The caller's bearer tokens. Table token. The text of a token is in the answer
 * that makes it and nowhere else. A token makes none of wider scope than its
 * own, and a revoked one is worth nothing from the next request on.
 */
#include "api.h"
#include "app/people.h"
#include "base/secret.h"

const struct shape Token = { "Token", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "token" },
	{ "id", T_TEXT, F_REQ },
	{ "label", T_TEXT, F_REQ },
	{ "scope", T_ENUM, F_REQ, .set = "read,write,admin" },
	{ "createdAt", T_TIME, F_REQ, .col = "created_at" },
	{ "expiresAt", T_TIME, .col = "expires_at" },
	{ "token", T_TEXT, .doc = "Only in the answer that makes it" },
	{ 0 } } };
LIST_SHAPE(TokenList, Token);
const struct shape TokenCreate = { "CreateToken", (const struct field[]){
	{ "label", T_TEXT, .max = 100 },
	{ "scope", T_ENUM, .set = "read,write,admin", .doc = "Left out: that of the token in use" },
	{ "expiresAt", T_TIME },
	{ 0 } } };

SQL(q_tokens,
    "SELECT id, label, scope, created_at, expires_at, created_at AS k1, id AS k2 FROM token "
    "WHERE account = :user AND revoked_at IS NULL AND (created_at, id) < "
    "(COALESCE(CAST(:k1 AS BIGINT), 9007199254740991), COALESCE(:k2, '')) "
    "ORDER BY created_at DESC, id DESC LIMIT :limit");
SQL(q_tokens_count, "SELECT count(*) FROM token WHERE account = :user AND revoked_at IS NULL");
SQL(q_one,
    "SELECT id, label, scope, created_at, expires_at FROM token "
    "WHERE id = :id AND account = :user AND revoked_at IS NULL");
SQL(q_made,
    "SELECT id, label, scope, created_at, expires_at, CAST(:text AS TEXT) AS token FROM token "
    "WHERE hash = :hash");
SQL(q_revoke,
    "UPDATE token SET revoked_at = :now WHERE id = :id AND account = :user AND revoked_at IS NULL");

static int
cap_of(const char *scope)
{
	return strcmp(scope, "read") == 0 ? 1 : strcmp(scope, "write") == 0 ? 5 : 6;
}

/* GET /user/tokens: those that were not revoked, newest first. */
int
listUserTokens(struct req *r)
{
	struct stmt *q;
	struct list l;
	int64_t count;

	if (list_open(r, &l, 2) != 0)
		return -1;
	q = db_use(r->db, &q_tokens_count);
	bind_text(q, ":user", r->who.user);
	count = stmt_int(q, 0);
	q = db_use(r->db, &q_tokens);
	bind_text(q, ":user", r->who.user);
	list_bind(q, &l);
	return list_reply(r, &l, q, &Token, count);
}

/* POST /user/tokens */
int
createUserToken(struct req *r)
{
	const char *scope = body_text(r, "scope"), *label = body_text(r, "label");
	const char *expires = body_text(r, "expiresAt"), *id;
	int64_t at = 0;
	struct stmt *q;
	char *text;

	if (scope == NULL)
		scope = r->who.cap >= 6 ? "admin" : "write";
	if (cap_of(scope) > r->who.cap)
		return fail(r, E_FORBIDDEN, "a token makes no token of wider scope than its own");
	if (expires != NULL && (!time_parse(expires, &at) || at <= time_now()))
		return fail_field(r, "/expiresAt", "must be in the future");
	text = token_make(r->db, r->arena, r->who.user, scope, label != NULL ? label : "", at);
	q = db_use(r->db, &q_made);
	bind_text(q, ":text", text);
	bind_blob(q, ":hash", hash_of(r->arena, str_of(text)));
	stmt_step(q);
	shape_row(&r->json, &Token, r, q);
	id = col_dup(q, 0, r->arena);
	audit_everywhere(r, r->who.user, &(struct audit_event){ .action = AUDIT_TOKEN_CREATE,
	    .type = "token", .target = id, .after = token_snapshot(r->db, r->arena, id) });
	return reply_created(r, arena_printf(r->arena, "/user/tokens/%s", id));
}

/* GET /user/tokens/{tokenId}: without its text, which nothing can give again. */
int
getUserToken(struct req *r)
{
	const char *id = path_id(r, "tokenId");
	struct stmt *q = db_use(r->db, &q_one);

	bind_text(q, ":id", id);
	bind_text(q, ":user", r->who.user);
	if (!stmt_step(q))
		return fail(r, E_NOT_FOUND, "no token %s", id);
	return reply_current(r, q, &Token);
}

/* DELETE /user/tokens/{tokenId} */
int
revokeUserToken(struct req *r)
{
	const char *id = path_id(r, "tokenId");
	struct stmt *q = db_use(r->db, &q_revoke);

	bind_int(q, ":now", time_now());
	bind_text(q, ":id", id);
	bind_text(q, ":user", r->who.user);
	if (stmt_run(q) == 1)
		audit_everywhere(r, r->who.user, &(struct audit_event){ .action = AUDIT_TOKEN_REVOKE,
		    .type = "token", .target = id, .before = token_snapshot(r->db, r->arena, id) });
	return reply_empty(r);
}
