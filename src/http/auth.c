/*
 * Authentication: looks up the bearer token (RFC 6750 section 2.1) or the session of a browser by
 * its hash.
 *
 * A session's cookie is accepted only together with two headers that a page of another site cannot
 * make a browser send: X-CSRF-Token, which is derived from the session's secret, and the Origin of
 * this installation (RFC 6454). A write must have an Origin; browsers leave it out of reads from
 * the same origin (docs/design/security.md, "S15").
 */
#include <strings.h>

#include "http/req.h"
#include "base/exact.h"
#include "base/secret.h"
#include "base/url.h"

/* TOUCH_MS: precision of the time of a session's last use. Each update invalidates cached answers, so it is rare. */
enum { TOUCH_MS = 30 * 60 * 1000, HOUR_MS = 3600 * 1000 };

/*
 * Only hashes of tokens and secrets are stored, so that a copy of the database does not allow to
 * sign in. Rows are found by the hash, so the response time does not reveal how much of a guess is
 * right.
 */
SQL(q_token,
    "SELECT id, account, scope, COALESCE(expires_at, 0) FROM token "
    "WHERE hash = :hash AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > :now)");
SQL(q_session,
    "SELECT id, account, created_at, used_at, ends_at, org FROM session "
    "WHERE hash = :hash AND ends_at > :now AND used_at > :idle");
SQL(q_touch, "UPDATE session SET used_at = :now WHERE id = :id AND used_at < :now");

static void
take_scope(struct principal *who, const char *scope)
{
	who->read_only = strcmp(scope, "read") == 0;
	/*
	 * The cap limits the caller's role, so that permission flags in answers say what is
	 * possible with this token.
	 */
	who->cap = who->read_only ? ROLE_READ : strcmp(scope, "write") == 0 ? ROLE_CREATE : ROLE_ADMIN;
}

/*
 * Web servers hide this header from CGI programs by default. Apache's usual workaround (a
 * RewriteRule with E=HTTP_AUTHORIZATION) passes it under a second name if the request is rewritten
 * again.
 */
static const char *
auth_header(const struct req *r)
{
	const char *header = r->io->param(r->io, "HTTP_AUTHORIZATION");

	if (header == NULL || *header == '\0')
		header = r->io->param(r->io, "REDIRECT_HTTP_AUTHORIZATION");
	return header != NULL && *header != '\0' ? header : NULL;
}

/* ---- sessions ---- */

const char *
session_cookie(const struct settings *set)
{
	/*
	 * A browser accepts the prefixes over https only, and __Host- for the whole host only (RFC
	 * 6265bis, section 4.1.3): no other host and no other path can set such a cookie.
	 */
	if (!str_starts(str_of(set->url), "https://"))
		return "octavo_session";
	return url_base_path(set).n == 0 ? "__Host-octavo_session" : "__Secure-octavo_session";
}

char *
session_csrf(struct arena *a, const char *secret)
{
	return secret_derive(a, SECRET_CSRF, secret);
}

char *
cookie_value(struct arena *a, struct io *io, const char *name)
{
	const char *p = io->param(io, "HTTP_COOKIE");
	size_t n = strlen(name), part;

	for (; p != NULL && *p != '\0'; p += part + (p[part] == ';')) {
		p += strspn(p, " \t");
		part = strcspn(p, ";");
		if (part > n && strncmp(p, name, n) == 0 && p[n] == '=')
			return arena_strndup(a, p + n + 1, part - n - 1);
	}
	return NULL;
}

/* The secret of the request's session; NULL: it has no session, or an Authorization header, which takes precedence. */
static const char *
session_secret(const struct req *r)
{
	return auth_header(r) != NULL ? NULL : cookie_value(r->arena, r->io, session_cookie(r->set));
}

int
own_page_or_fail(struct req *r)
{
	const char *origin = r->io->param(r->io, "HTTP_ORIGIN");

	if (origin == NULL || *origin == '\0' || is_own_origin(r->set, origin))
		return 0;
	return fail(r, E_FORBIDDEN, "a page of another site cannot sign anybody in: the header Origin must be that of %s", r->set->url);
}

/* NULL if the request of a session comes from a page of this installation; otherwise the error message. */
static const char *
session_fault(const struct req *r, const char *secret)
{
	const char *csrf = r->io->param(r->io, "HTTP_X_CSRF_TOKEN"), *origin = r->io->param(r->io, "HTTP_ORIGIN");
	bool read = r->method == M_GET || r->method == M_HEAD;

	if (csrf == NULL || !secret_is_derived(r->arena, SECRET_CSRF, secret, csrf))
		return "a session is valid only together with its X-CSRF-Token";
	if (origin == NULL || *origin == '\0')
		return read ? NULL : "a session changes something only with the header Origin";
	return is_own_origin(r->set, origin) ? NULL : "the header Origin names another site";
}

static void
take_session(struct req *r, struct stmt *q)
{
	int64_t idle_end = col_int(q, 3) + (int64_t)r->set->session_idle * HOUR_MS;

	r->who.kind = BY_USERS;
	r->who.session = true;
	r->who.token = col_dup(q, 0, r->arena);
	r->who.user = col_dup(q, 1, r->arena);
	r->who.since = col_int(q, 2);
	r->who.used = col_int(q, 3);
	r->who.ends = col_int(q, 4) < idle_end ? col_int(q, 4) : idle_end;
	r->who.only_org = col_dup(q, 5, r->arena);
	take_scope(&r->who, "admin");
}

static int
auth_session(struct req *r, const char *secret)
{
	const char *wrong = session_fault(r, secret);
	int64_t now = time_now();
	struct stmt *q;

	if (wrong != NULL)
		return fail(r, E_FORBIDDEN, "%s", wrong);
	r->who.bearer = str_of(secret);
	q = db_use(r->db, &q_session);
	bind_blob(q, ":hash", hash_of(r->arena, r->who.bearer));
	bind_int(q, ":now", now);
	bind_int(q, ":idle", now - (int64_t)r->set->session_idle * HOUR_MS);
	if (!stmt_step(q))
		return fail(r, E_UNAUTHORIZED, "the session has ended: sign in again");
	take_session(r, q);
	return 0;
}

int64_t
auth_keep_until(const struct req *r)
{
	int64_t touch = r->who.used + TOUCH_MS;

	return !r->who.session || (r->who.ends != 0 && r->who.ends < touch) ? r->who.ends : touch;
}

void
auth_touch(struct req *r)
{
	int64_t now = time_now();
	struct stmt *q;

	if (!r->who.session || r->who.used + TOUCH_MS > now)
		return;
	/* A request that reads must not wait for the write lock: if it is held, a later request writes the time. */
	if (!db_try_begin(r->db))
		return;
	q = db_use(r->db, &q_touch);
	bind_text(q, ":id", r->who.token);
	bind_int(q, ":now", now);
	stmt_run(q);
	db_commit(r->db);
}

/* ---- tokens ---- */

static void
take_user(struct req *r, struct stmt *q)
{
	r->who.kind = BY_USERS;
	r->who.session = false;
	r->who.token = col_dup(q, 0, r->arena);
	r->who.user = col_dup(q, 1, r->arena);
	r->who.ends = col_int(q, 3);
	take_scope(&r->who, col_text(q, 2));
}

static int
auth_token(struct req *r, const char *header)
{
	const char *text;
	struct stmt *q;

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
	/* Tokens of other kinds are tried second, because most callers are users. */
	else if (r->app->other_token == NULL || !r->app->other_token(r))
		return fail(r, E_UNAUTHORIZED, "the token is not valid: unknown, revoked or expired");
	return 0;
}

/* The message is that of the router for an unknown address, so that it does not reveal that the route exists. */
static int
caller_or_fail(struct req *r)
{
	if ((r->route->callers & r->who.kind) != 0)
		return 0;
	return fail(r, E_NOT_FOUND, "no such address: %s", r->path);
}

int
auth_caller(struct req *r)
{
	const char *header = auth_header(r), *secret = session_secret(r);

	if (header == NULL && secret == NULL)
		return fail(r, E_UNAUTHORIZED,
		    "a token is required: send the header Authorization: Bearer TOKEN");
	if ((header != NULL ? auth_token(r, header) : auth_session(r, secret)) != 0 || caller_or_fail(r) != 0)
		return -1;
	/* A POST that only reads is allowed. */
	if (r->who.read_only && r->route->mode == RW)
		return fail(r, E_FORBIDDEN, "the token has the scope \"read\": it cannot change anything");
	return 0;
}

const char *
auth_key(const struct req *r)
{
	const char *secret = session_secret(r);

	if (secret == NULL)
		return auth_header(r);
	return session_fault(r, secret) == NULL ? secret : NULL;
}

bool
auth_by_cookie(const struct req *r)
{
	return cookie_value(r->arena, r->io, session_cookie(r->set)) != NULL;
}
