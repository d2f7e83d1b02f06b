/* Authentication: looks up the bearer token (RFC 6750 section 2.1) by its hash. */
#include <strings.h>

#include "http/req.h"
#include "base/secret.h"

/*
 * Only the hash is stored, so that a copy of the database signs nobody in; with an index on the
 * hash the time does not reveal how much of a guess is right.
 */
SQL(q_token,
    "SELECT id, account, scope, COALESCE(expires_at, 0) FROM token "
    "WHERE hash = :hash AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > :now)");

static void
take_scope(struct principal *who, const char *scope)
{
	who->read_only = strcmp(scope, "read") == 0;
	/*
	 * A token of lesser scope caps the role, so that permission flags in answers are right for
	 * it.
	 */
	who->cap = who->read_only ? ROLE_READ : strcmp(scope, "write") == 0 ? ROLE_CREATE : ROLE_ADMIN;
}

/*
 * Web servers hide this header from CGI programs by default. Apache's usual workaround (a
 * RewriteRule with E=HTTP_AUTHORIZATION) passes it under a second name if the request is rewritten
 * again.
 */
const char *
auth_header(const struct req *r)
{
	const char *header = r->io->param(r->io, "HTTP_AUTHORIZATION");

	if (header == NULL || *header == '\0')
		header = r->io->param(r->io, "REDIRECT_HTTP_AUTHORIZATION");
	return header;
}

/* Use the router's words for an unknown address: a token of the wrong kind learns nothing. */
static int
caller_or_fail(struct req *r)
{
	if ((r->route->callers & r->who.kind) != 0)
		return 0;
	return fail(r, E_NOT_FOUND, "no such address: %s", r->path);
}

static void
take_user(struct req *r, struct stmt *q)
{
	r->who.kind = BY_USERS;
	r->who.token = col_dup(q, 0, r->arena);
	r->who.user = col_dup(q, 1, r->arena);
	r->who.ends = col_int(q, 3);
	take_scope(&r->who, col_text(q, 2));
}

int
auth_bearer(struct req *r)
{
	const char *header = auth_header(r), *text;
	struct stmt *q;

	if (header == NULL || *header == '\0')
		return fail(r, E_UNAUTHORIZED,
		    "a token is required: send the header Authorization: Bearer TOKEN");
	/* The scheme's name is case-insensitive (RFC 9110 section 11.1). */
	if (strncasecmp(header, "Bearer ", 7) != 0)
		return fail(r, E_UNAUTHORIZED, "the Authorization header must be: Bearer TOKEN");
	for (text = header + 7; *text == ' '; text++)
		;
	r->who.bearer = str_of(text);
	q = db_use(r->db, &q_token);
	bind_blob(q, ":hash", hash_of(r->arena, r->who.bearer));
	bind_int(q, ":now", time_now());
	if (stmt_step(q))
		take_user(r, q);
	/*
	 * Tokens of sites are recognised by their form, and tried second: most callers are people.
	 */
	else if (r->app->other_token == NULL || !r->app->other_token(r))
		return fail(r, E_UNAUTHORIZED, "the token is not valid: unknown, revoked or expired");
	if (caller_or_fail(r) != 0)
		return -1;
	/* A POST that only reads is allowed. */
	if (r->who.read_only && r->route->mode == RW)
		return fail(r, E_FORBIDDEN, "the token has the scope \"read\": it cannot change anything");
	return 0;
}
