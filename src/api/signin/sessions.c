/*
 * Sessions: created by a password, listed, ended. Tables session, password.
 *
 * Hashing a password takes 0.1 s and is done before the write transaction (go_ahead()). Inside it,
 * the hash is compared with the one that is stored then: a password that was replaced meanwhile is
 * refused. The answers for a wrong password and for an unknown address are equal and
 * take the same time. app/throttle.h limits the number of tries.
 */
#include "api/audit_events.h"
#include "api/examples.h"
#include "api/lists.h"
#include "api/sign_in.h"
#include "api/users.h"
#include "app/audit.h"
#include "app/people.h"
#include "base/address.h"
#include "base/exact.h"
#include "base/secret.h"
#include "http/req.h"
#include "signin/mail.h"
#include "signin/passkey.h"
#include "signin/password.h"
#include "signin/session.h"
#include "app/throttle.h"

#define EXAMPLE_SESSION "s8KwT3nRbXq5VmZc7LhD"
#define EXAMPLE_CSRF    "3xQk7mVtR9wLsBd4HcNpZg"

static const struct shape Way = { "SignInWay", (const struct field[]){
	{ "way", T_ENUM, F_REQ, .set = "password,provider,passkey", .doc = "A password, the provider of this installation, or a passkey" },
	{ "label", T_TEXT, .doc = "Name of the provider", .example = "Example Login" },
	{ 0 } } };
const struct shape SignInWays = { "SignInWays", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "sign-in", .doc = "Kind of object" },
	{ "ways", T_LIST, F_REQ, .of = &Way, .doc = "Ways to sign in here" },
	{ "mail", T_BOOL, F_REQ, .doc = "true: the service sends links to set a password by mail" },
	{ 0 } } };
const struct shape SignIn = { "CreateSession", (const struct field[]){
	{ "email", T_TEXT, F_REQ, .max = 254, .doc = "Address of the account", .example = "ada@example.com" },
	{ "password", T_TEXT, F_REQ, .max = 4000, .doc = "Password of the account", .example = "correct horse battery" },
	{ "device", T_TEXT, .max = 400, .doc = "The proof of an earlier answer that this browser has signed in before",
	  .example = "dTNKcFo4blk" },
	{ 0 } } };
#define SESSION_FIELDS \
	{ "object", T_CONST, F_REQ, .set = "session", .doc = "Kind of object" }, \
	{ "id", T_TEXT, F_REQ, .doc = "Unique id, not the secret", .example = EXAMPLE_SESSION }, \
	{ "way", T_ENUM, F_REQ, .set = "password,link,provider,passkey", .doc = "How the person signed in" }, \
	{ "organization", T_TEXT, .col = "org", .doc = "Id of the organization whose provider signed the person in, the only one that " \
	  "the session is valid for", .example = EXAMPLE_ORG }, \
	{ "device", T_TEXT, F_REQ, .doc = "Name of the browser, from its header User-Agent", \
	  .example = "Mozilla/5.0 (X11; Linux x86_64)" }, \
	{ "createdAt", T_TIME, F_REQ, .col = "created_at", .doc = "When the person signed in" }, \
	{ "usedAt", T_TIME, F_REQ, .col = "used_at", .doc = "Time of the last use, exact to half an hour" }, \
	{ "endsAt", T_TIME, F_REQ, .col = "ends_at", .doc = "When the session ends at the latest" }
static const struct shape Session = { "Session", (const struct field[]){
	SESSION_FIELDS,
	{ "current", T_BOOL, F_REQ, .doc = "true: the session of this request" },
	{ 0 } } };
LIST_SHAPE(SessionList, Session);
const struct shape SignedIn = { "SignedIn", (const struct field[]){
	SESSION_FIELDS,
	{ "user", T_TEXT, F_REQ, .col = "account", .doc = "Id of the user", .example = EXAMPLE_USER },
	{ "secret", T_TEXT, F_REQ, .doc = "Secret for the session's cookie; only this answer contains it",
	  .example = "ocs_5hT9wQzX2kLmN7vR4cJb8fYdG3xWs6Ht" },
	{ "csrf", T_TEXT, F_REQ, .doc = "Value of the header X-CSRF-Token that requests with the cookie need", .example = EXAMPLE_CSRF },
	{ "cookie", T_TEXT, F_REQ, .doc = "Name of the cookie", .example = "__Host-octavo_session" },
	{ "proof", T_TEXT, F_REQ, .doc = "Proof, for `device` of the next sign-in, that this browser has signed in before. Empty after a "
	  "sign-in at the provider of an organization", .example = "dTNKcFo4blk" },
	{ 0 } } };
const struct shape SessionsQuery = { "SessionsQuery", (const struct field[]){
	{ "others", T_BOOL, .preset = "false", .doc = "true: keeps the session of this request" },
	{ 0 } } };

/* ---- ways ---- */

/* GET /sign-in: the answer is the same for everybody, so it reveals nothing about accounts. */
HANDLER(getSignInWays)
{
	struct json *j = &r->json;

	json_obj(j);
	json_kstr(j, "object", "sign-in");
	json_karr(j, "ways");
	json_obj(j);
	json_kstr(j, "way", "password");
	json_end(j);
	if (*r->set->oidc_issuer != '\0') {
		json_obj(j);
		json_kstr(j, "way", "provider");
		json_kstr(j, "label", *r->set->oidc_name != '\0' ? r->set->oidc_name : r->set->oidc_issuer);
		json_end(j);
	}
	if (passkey_can(r->arena, r->set)) {
		json_obj(j);
		json_kstr(j, "way", "passkey");
		json_end(j);
	}
	json_end(j);
	json_kbool(j, "mail", mail_can(r->set));
	json_end(j);
	return 0;
}

/* ---- device proofs: a browser shows that it signed in before, and is throttled less ---- */

/*
 * The text that a proof signs. It contains the hash of the password, so that a new password
 * invalidates all proofs.
 */
static struct str
proof_text(struct req *r, const char *account, const char *hash)
{
	return str_of(arena_printf(r->arena, "%s %s", account, hash != NULL ? hash : ""));
}

static char *
make_proof(struct req *r, const char *account)
{
	return secret_sign(r->arena, SECRET_DEVICE, proof_text(r, account, password_of(r->db, r->arena, account)));
}

/* ---- a new session ---- */

SQL(q_made,
    "SELECT id, way, org, device, created_at, used_at, ends_at, account, CAST(:secret AS TEXT) AS secret, "
    "CAST(:csrf AS TEXT) AS csrf, CAST(:cookie AS TEXT) AS cookie, CAST(:proof AS TEXT) AS proof FROM session WHERE id = :id");

/* Writes the audit record, with the way of the sign-in and the device; audit() adds the address of the request. */
static void
record_sign_in(struct req *r, const struct session *s)
{
	struct json j;
	struct buf b;

	buf_init(&b, r->arena, 4 << 10);
	json_init(&j, &b);
	json_obj(&j);
	json_kstr(&j, "way", s->way);
	json_kstr(&j, "device", session_device(r->arena, s->device));
	json_end(&j);
	audit_everywhere(r, s->account, &(struct audit_event){ .action = AUDIT_SESSION_CREATE, .type = "session",
	    .target = s->id, .after = arena_strndup(r->arena, b.p, b.n) });
}

int
reply_signed_in(struct req *r, const char *account, const char *way, const char *org, const char *provider)
{
	struct session s = { .account = account, .way = way, .org = org, .provider = provider, .device = r->io->param(r->io, "HTTP_USER_AGENT") };
	struct stmt *q;

	if (user_disabled(r->db, account))
		return fail(r, E_FORBIDDEN, "this account is disabled: ask the admin of this installation");
	session_make(r->db, r->arena, r->set, &s);
	r->who.user = account;
	r->who.only_org = org;
	record_sign_in(r, &s);
	q = db_use(r->db, &q_made);
	bind_text(q, ":id", s.id);
	bind_text(q, ":secret", s.secret);
	bind_text(q, ":csrf", session_csrf(r->arena, s.secret));
	bind_text(q, ":cookie", session_cookie(r->set));
	/*
	 * A sign-in at an organization's provider does not prove the account's password, so the
	 * browser does not count as known.
	 */
	bind_text(q, ":proof", org == NULL ? make_proof(r, account) : "");
	if (r->route->ok == 201)
		reply_created(r, arena_printf(r->arena, "/user/sessions/%s", s.id));
	return reply_row(r, q, &SignedIn);
}

/* State of a sign-in, read before the write transaction. */
struct sign_in {
	char                *account;  /* NULL: no account has the address */
	char                *hash;     /* hash of the stored password; NULL: none */
	struct attempt       attempt;
	int                  wait;     /* seconds until the next try is allowed; 0: this one was */
	enum password_result result;
};

static void
check_password(struct req *r, void *arg)
{
	struct sign_in *s = arg;

	db_begin(r->db, false);
	s->account = user_find(r->db, r->arena, s->attempt.email);
	s->hash = s->account != NULL ? password_of(r->db, r->arena, s->account) : NULL;
	db_rollback(r->db);
	s->attempt.known = s->account != NULL && body_text(r, "device") != NULL &&
	    secret_verify(r->arena, SECRET_DEVICE, proof_text(r, s->account, s->hash), str_of(body_text(r, "device")));
	s->wait = throttle_try(r->set, &s->attempt, time_steady());
	if (s->wait == 0)
		s->result = password_check(r->arena, r->set, s->hash, body_text(r, "password"), s->attempt.known);
	/* The password was not checked, so this does not count as a try. */
	if (s->wait == 0 && s->result == PASSWORD_BUSY)
		throttle_undo(r->set, &s->attempt, time_steady());
}

static int
fail_sign_in(struct req *r, const struct sign_in *s)
{
	if (s->wait > 0) {
		r->retry_after = s->wait;
		return fail(r, E_TOO_MANY, "too many tries for this account or from your network; wait %d s", s->wait);
	}
	if (s->result == PASSWORD_BUSY)
		return fail(r, E_BUSY, "too many people sign in at this moment; try again");
	return fail(r, E_UNAUTHORIZED, "the address or the password is wrong");
}

/* POST /sign-in */
HANDLER(createSession)
{
	struct sign_in *s = r->ahead_arg;
	const char *hash;

	if (!r->went_ahead) {
		s = arena_alloc(r->arena, sizeof(*s));
		s->attempt.email = email_normal(r->arena, body_text(r, "email"));
		if (s->attempt.email == NULL)
			return fail_field(r, "/email", "is not an email address");
		s->attempt.address = address_client(r->arena, r->set->proxies, r->io->param(r->io, "REMOTE_ADDR"),
		    r->io->param(r->io, "HTTP_X_FORWARDED_FOR"));
		if (s->attempt.address == NULL)
			s->attempt.address = "";
		return go_ahead(r, check_password, s);
	}
	if (s->wait > 0 || s->result != PASSWORD_OK)
		return fail_sign_in(r, s);
	hash = password_of(r->db, r->arena, s->account);
	if (hash == NULL || strcmp(hash, s->hash) != 0)
		return fail(r, E_UNAUTHORIZED, "the address or the password is wrong");
	/*
	 * The count of a known browser is kept; it affects no other browser. Otherwise endless
	 * sign-ins with the right password could occupy all places for slow work (app/place.h).
	 */
	if (!s->attempt.known)
		throttle_clear(r->set, &s->attempt, time_steady());
	return reply_signed_in(r, s->account, "password", NULL, NULL);
}

/* ---- one's own sessions ---- */

/*
 * The valid sessions of the account. A caller whose session is valid for one organization gets only
 * sessions for this organization.
 */
#define ALIVE \
	"account = :user AND ends_at > :now AND used_at > :idle AND (CAST(:only_org AS TEXT) IS NULL OR org = :only_org)"
SQL(q_list,
    "SELECT id, way, org, device, created_at, used_at, ends_at, id = :current AS current, created_at AS k1, id AS k2 FROM session "
    "WHERE " ALIVE " AND (created_at, id) < "
    "(COALESCE(CAST(:k1 AS BIGINT), " SQL_EXACT_MAX "), COALESCE(:k2, '')) "
    "ORDER BY created_at DESC, id DESC LIMIT :limit");
SQL(q_count, "SELECT count(*) FROM session WHERE " ALIVE);

/* Binds the conditions of a valid session, the same as in http/auth.c. */
static void
bind_alive(struct req *r, struct stmt *q)
{
	int64_t now = time_now();

	bind_text(q, ":user", r->who.user);
	bind_text(q, ":only_org", r->who.only_org);
	bind_int(q, ":now", now);
	bind_int(q, ":idle", now - (int64_t)r->set->session_idle * (DAY_MS / 24));
}

/* GET /user/sessions: newest first. */
HANDLER(listUserSessions)
{
	struct stmt *q;
	struct list l;
	int64_t count;

	if (list_open(r, &l, 2) != 0)
		return -1;
	q = db_use(r->db, &q_count);
	bind_alive(r, q);
	count = stmt_int(q, 0);
	q = db_use(r->db, &q_list);
	bind_alive(r, q);
	bind_text(q, ":current", r->who.token);
	list_bind(q, &l);
	return list_reply(r, &l, q, &Session, count);
}

static void
record_end(struct req *r, const char *target)
{
	audit_everywhere(r, r->who.user, &(struct audit_event){ .action = AUDIT_SESSION_END, .type = "session", .target = target });
}

/*
 * Checks that the caller may end sessions: a token needs the scope admin, since a session has all
 * rights of its user. 0 or fail().
 */
static int
end_or_fail(struct req *r)
{
	return r->who.cap >= ROLE_ADMIN ? 0 :
	    fail(r, E_FORBIDDEN, "a token of the scope \"write\" ends no sessions: sign in, or use one of the scope \"admin\"");
}

/* DELETE /user/sessions/{sessionId}: "current" is the session of this request. */
HANDLER(endUserSession)
{
	const char *id = path_id(r, "sessionId");

	if (end_or_fail(r) != 0)
		return -1;
	if (strcmp(id, "current") == 0 && r->who.session)
		id = r->who.token;
	if (session_end(r->db, r->who.user, r->who.only_org, id))
		record_end(r, id);
	return reply_empty(r);
}

/* DELETE /user/sessions */
HANDLER(endUserSessions)
{
	const char *except = r->who.session && query_bool(r, "others", false) ? r->who.token : NULL;

	if (end_or_fail(r) != 0)
		return -1;
	if (session_end_all(r->db, r->who.user, r->who.only_org, except) > 0)
		record_end(r, r->who.user);
	return reply_empty(r);
}
