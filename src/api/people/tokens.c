/*
 * The caller's bearer tokens. Table token. Only the answer that creates a token contains its text.
 * Revoking takes effect with the next request.
 *
 * A token descends from the token that created it (made_by): it has no wider scope, expires no
 * later, and is revoked with it unless the caller chooses otherwise. A token can rotate only itself
 * and its descendants: otherwise it could replace its own creator, and then stay valid when that one
 * is revoked. It cannot revoke one that it descends from.
 */
#include "api/audit_events.h"
#include "api/examples.h"
#include "api/lists.h"
#include "api/sign_in.h"
#include "api/tokens.h"
#include "app/audit.h"
#include "app/people.h"
#include "base/exact.h"
#include "base/secret.h"
#include "http/req.h"

const struct shape Token = { "Token", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "token", .doc = "Kind of object" },
	{ "id", T_TEXT, F_REQ, .doc = "Unique id, not the text", .example = EXAMPLE_TOKEN },
	{ "label", T_TEXT, F_REQ, .doc = "Purpose, for people", .example = "Nightly import" },
	{ "scope", T_ENUM, F_REQ, .set = "read,write,admin",
	  .doc = "Scope: read, write without administration, or all that you may do" },
	{ "createdAt", T_TIME, F_REQ, .col = "created_at", .doc = "When it was created" },
	{ "expiresAt", T_TIME, .col = "expires_at", .doc = "When it expires; absent: never" },
	{ "madeBy", T_TEXT, .col = "made_by", .doc = "Token with which it was created; absent: the octavo command created it, or you did "
	  "in a browser", .example = "k2VxN8sQbWm4RzTd7HpL" },
	{ "token", T_TEXT, .doc = "The token; only the answer to its creation contains it",
	  .example = "oct_5hT9wQzX2kLmN7vR4cJb8fYdG3xWs6Ht" },
	{ 0 } } };
LIST_SHAPE(TokenList, Token);
const struct shape TokenCreate = { "CreateToken", (const struct field[]){
	{ "label", T_TEXT, .max = 100, .doc = "Purpose, for people", .example = "Nightly import" },
	{ "scope", T_ENUM, .set = "read,write,admin", .doc = "Scope; absent: that of the token in use" },
	{ "expiresAt", T_TIME, .doc = "When it expires; absent: when the token in use expires, which is also the latest time; in a "
	  "browser: after a year" },
	{ 0 } } };
const struct shape TokenRotate = { "RotateToken", (const struct field[]){
	{ "expiresAt", T_TIME, .doc = "When it expires; absent: unchanged" },
	{ 0 } } };
const struct shape TokenRevokeQuery = { "TokenRevokeQuery", (const struct field[]){
	{ "descendants", T_ENUM, .set = "end,keep", .preset = "\"end\"",
	  .doc = "What happens to tokens that were created with it" },
	{ 0 } } };

/*
 * A token that a person makes in a browser expires after this many days, unless the person chooses
 * a time.
 */
enum { TOKEN_DAYS = 365 };

/* rotateUserToken() reads columns by number. */
#define TOKEN_COLS "id, label, scope, created_at, expires_at, made_by"
/*
 * Includes expired tokens that are not revoked, since their owner may want to see them. The index
 * token_user has this order.
 */
SQL(q_tokens,
    "SELECT " TOKEN_COLS ", created_at AS k1, id AS k2 FROM token "
    "WHERE account = :user AND revoked_at IS NULL AND (created_at, id) < "
    "(COALESCE(CAST(:k1 AS BIGINT), " SQL_EXACT_MAX "), COALESCE(:k2, '')) "
    "ORDER BY created_at DESC, id DESC LIMIT :limit");
SQL(q_tokens_count, "SELECT count(*) FROM token WHERE account = :user AND revoked_at IS NULL");
/* Finds only tokens of the caller: the id of another user's token is not found (docs/design/security.md, "S1"). */
SQL(q_one,
    "SELECT " TOKEN_COLS " FROM token WHERE id = :id AND account = :user AND revoked_at IS NULL");
/*
 * The text of the token is bound, since the table contains only its hash
 * (docs/design/permissions.md, "Tokens").
 */
SQL(q_made, "SELECT " TOKEN_COLS ", CAST(:text AS TEXT) AS token FROM token WHERE hash = :hash");

/* The highest role that a token of this scope can have, the same as in http/auth.c. */
static int
scope_cap(const char *scope)
{
	return strcmp(scope, "read") == 0 ? ROLE_READ : strcmp(scope, "write") == 0 ? ROLE_CREATE : ROLE_ADMIN;
}

/* GET /user/tokens: those not revoked, newest first. */
HANDLER(listUserTokens)
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

/*
 * Checks the expiry time `at` of a new token (0: never), which must not be after `most` (0: no
 * limit). 0 or fail().
 */
static int
end_or_fail(struct req *r, int64_t at, int64_t most)
{
	/* "2026-01-31T09:30:00.000Z" and NUL */
	char text[25];

	if (at != 0 && at <= time_now())
		return fail_field(r, "/expiresAt", "must be in the future");
	if (most == 0 || (at != 0 && at <= most))
		return 0;
	time_format(most, text);
	return fail(r, E_FORBIDDEN, "a token cannot expire after the token that creates it, which expires at %s", text);
}

/* Sets *at to the body's expiry time, else to the fallback, and checks it. 0 or fail(). */
static int
read_end(struct req *r, int64_t fallback, int64_t *at)
{
	*at = fallback;
	if (body_text(r, "expiresAt") != NULL)
		time_parse(body_text(r, "expiresAt"), at);
	/* A token that a person makes in a browser may outlive the session (0: no limit). */
	return end_or_fail(r, *at, r->who.session ? 0 : r->who.ends);
}

/* The widest scope that the caller may give. Callers have no token of scope read, which may not write. */
static const char *
widest_scope(const struct req *r)
{
	return r->who.cap >= ROLE_ADMIN ? "admin" : "write";
}

/* Creates the token and replies with it, the only answer with its text. Returns its id. */
static const char *
make_token(struct req *r, const struct token_new *t)
{
	char *text = token_add(r->db, r->arena, t);
	struct stmt *q = db_use(r->db, &q_made);
	const char *id;

	bind_text(q, ":text", text);
	bind_blob(q, ":hash", hash_of(r->arena, str_of(text)));
	stmt_step(q);
	shape_row(&r->json, &Token, r, q);
	id = col_dup(q, 0, r->arena);
	reply_created(r, arena_printf(r->arena, "/user/tokens/%s", id));
	return id;
}

int
reply_new_token(struct req *r, const struct token_new *t)
{
	const char *id = make_token(r, t);

	audit_everywhere(r, t->user, &(struct audit_event){ .action = AUDIT_TOKEN_CREATE,
	    .type = "token", .target = id, .after = token_snapshot(r->db, r->arena, id) });
	return 0;
}

/* Finds the caller's token of the path, unless it is revoked. NULL after fail(). */
static struct stmt *
token_or_fail(struct req *r)
{
	const char *id = path_id(r, "tokenId");
	struct stmt *q = db_use(r->db, &q_one);

	bind_text(q, ":id", id);
	bind_text(q, ":user", r->who.user);
	if (stmt_step(q))
		return q;
	fail(r, E_NOT_FOUND, "no token %s", id);
	return NULL;
}

/* POST /user/tokens */
HANDLER(createUserToken)
{
	struct token_new t = { .user = r->who.user, .scope = body_text(r, "scope"),
		.label = body_text(r, "label"), .made_by = r->who.session ? NULL : r->who.token };
	int64_t fallback = r->who.session ? time_now() + TOKEN_DAYS * DAY_MS : r->who.ends;

	if (recent_or_fail(r, true) != 0)
		return -1;
	if (t.scope == NULL)
		t.scope = widest_scope(r);
	if (t.label == NULL)
		t.label = "";
	/* A scope also limits the tokens created with it (docs/design/security.md, "S5"). */
	if (scope_cap(t.scope) > r->who.cap)
		return fail(r, E_FORBIDDEN, "a token cannot create a token of wider scope than its own");
	if (read_end(r, fallback, &t.expires_at) != 0)
		return -1;
	return reply_new_token(r, &t);
}

/* GET /user/tokens/{tokenId}: without its text, which is not stored. */
HANDLER(getUserToken)
{
	struct stmt *q = token_or_fail(r);

	return q == NULL ? -1 : reply_current(r, q, &Token);
}

static bool
is_listed(const struct id_list *family, const char *id)
{
	size_t i;

	for (i = 0; i < family->n && strcmp(family->list[i], id) != 0; i++)
		;
	return i < family->n;
}

/*
 * True if the caller's token descends from this one. family: the token, unless it is revoked, and its
 * descendants. False for a token that is revoked already: repeating the DELETE must not fail.
 */
static bool
revokes_ancestor(const struct req *r, const struct id_list *family, const char *id)
{
	return strcmp(id, r->who.token) != 0 && is_listed(family, id) && is_listed(family, r->who.token);
}

/*
 * DELETE /user/tokens/{tokenId}: revokes the token with its descendants, unless the caller keeps
 * them. A token may revoke another token of the same user: this is how a user ends a lost token. It
 * may not revoke a token that it descends from, as it may not rotate that one.
 */
HANDLER(revokeUserToken)
{
	const char *id = path_id(r, "tokenId"), *user = token_user(r->db, r->arena, id);
	const char *what = query_text(r, "descendants");
	bool keep = what != NULL && strcmp(what, "keep") == 0;
	struct id_list family;
	size_t i;

	if (user == NULL || strcmp(user, r->who.user) != 0)
		return reply_empty(r);
	/*
	 * token_family() also follows tokens that were revoked earlier: what a stolen token created
	 * must not outlive it.
	 */
	family = token_family(r->db, r->arena, id);
	if (revokes_ancestor(r, &family, id))
		return fail(r, E_FORBIDDEN, "a token cannot revoke the token that it was created with");
	for (i = 0; i < family.n; i++) {
		if (keep && strcmp(family.list[i], id) != 0)
			continue;
		token_revoke(r->db, family.list[i]);
		audit_everywhere(r, user, &(struct audit_event){ .action = AUDIT_TOKEN_REVOKE, .type = "token",
		    .target = family.list[i], .before = token_snapshot(r->db, r->arena, family.list[i]) });
	}
	return reply_empty(r);
}

/*
 * Makes the descendants of the token `from` descend from `to`. If `to` expires earlier, they do so,
 * too. Each descendant whose expiry time was shortened gets an audit record.
 */
static void
adopt_descendants(struct req *r, const char *from, const char *to)
{
	struct id_list family = token_family(r->db, r->arena, from);
	char **before = arena_array(r->arena, family.n, sizeof(*before)), *after;
	size_t i;

	for (i = 0; i < family.n; i++)
		before[i] = token_snapshot(r->db, r->arena, family.list[i]);
	token_adopt(r->db, from, to);
	for (i = 0; i < family.n; i++) {
		after = token_snapshot(r->db, r->arena, family.list[i]);
		if (audit_differ(r->arena, &before[i], &after))
			audit_everywhere(r, r->who.user, &(struct audit_event){ .action = AUDIT_TOKEN_UPDATE,
			    .type = "token", .target = family.list[i], .before = before[i], .after = after });
	}
}

/* POST /user/tokens/{tokenId}/rotate: makes a new token that replaces the old one and takes over its descendants. */
HANDLER(rotateUserToken)
{
	const char *old = path_id(r, "tokenId"), *id;
	struct token_new t = { .user = r->who.user };
	struct stmt *q = token_or_fail(r);
	struct id_list own;
	int64_t end;
	char *before;

	if (q == NULL || recent_or_fail(r, true) != 0)
		return -1;
	t.label = col_dup(q, 1, r->arena);
	t.scope = col_dup(q, 2, r->arena);
	end = col_int(q, 4);
	t.made_by = col_dup(q, 5, r->arena);
	/* Called after the row was copied: token_family() reads tokens, too. */
	own = token_family(r->db, r->arena, r->who.token);
	if (!r->who.session && !is_listed(&own, old))
		return fail(r, E_FORBIDDEN, "a token can rotate only itself and the tokens created with it");
	/* The new token keeps the old one's creator (made_by), which may expire before the token of this request. */
	if (read_end(r, end, &t.expires_at) != 0 ||
	    (t.made_by != NULL && end_or_fail(r, t.expires_at, token_end(r->db, t.made_by)) != 0))
		return -1;
	before = token_snapshot(r->db, r->arena, old);
	id = make_token(r, &t);
	/* Move the descendants before the old token is revoked, so that they stay valid. */
	adopt_descendants(r, old, id);
	token_revoke(r->db, old);
	/* The record has the snapshot of the new token, with its id as the first member: + 1 skips the brace. */
	audit_everywhere(r, r->who.user, &(struct audit_event){ .action = AUDIT_TOKEN_ROTATE,
	    .type = "token", .target = old, .before = before, .after = arena_printf(r->arena,
	    "{\"id\":\"%s\",%s", id, token_snapshot(r->db, r->arena, id) + 1) });
	return 0;
}
