/*
 * Passkeys of a person: added, listed, renamed, deleted; and signing in by one. Table passkey. Contract:
 * signin/passkey.h.
 *
 * Adding one and signing in begin with a challenge, which the browser keeps in a sealed flow.
 * octavo-passkey verifies the device's answer outside of any transaction (go_ahead()). The flow is
 * marked as used before that, so that one answer is never verified twice.
 */
#include "api/audit_events.h"
#include "api/examples.h"
#include "api/lists.h"
#include "api/sign_in.h"
#include "app/audit.h"
#include "app/people.h"
#include "base/exact.h"
#include "base/secret.h"
#include "http/req.h"
#include "provider_parts.h"
#include "signin/identity.h"
#include "signin/passkey.h"
#include "signin/session.h"

#define FLOW_FIELD \
	{ "flow", T_TEXT, F_REQ, .max = 4000, .doc = "Binds the answer of the device to this browser", .example = "3q2-7wE4bXo" }
#define CLIENT_FIELD \
	{ "clientData", T_TEXT, F_REQ, .max = 8000, .doc = "`clientDataJSON` of the browser's answer, in base64url", .example = "eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0" }, \
	{ "authenticatorData", T_TEXT, F_REQ, .max = 16000, .doc = "`authenticatorData` of the browser's answer, in base64url", \
	  .example = "SZYN5YgOjGh0NBcPZHZgW4" }
#define LABEL_FIELD(flags) \
	{ "label", T_TEXT, flags, .min = 1, .max = PASSKEY_LABEL_MOST, .doc = "Name that distinguishes it from other passkeys", \
	  .example = "Phone" }
#define EXAMPLE_PASSKEY "k7WmR2xKq8TnVb4ZcLd7"

const struct shape Passkey = { "Passkey", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "passkey", .doc = "Kind of object" },
	{ "id", T_TEXT, F_REQ, .doc = "Unique id", .example = EXAMPLE_PASSKEY },
	LABEL_FIELD(F_REQ),
	{ "host", T_TEXT, F_REQ, .col = "rp", .doc = "Host at which it works", .example = "docs.example.com" },
	{ "usable", T_BOOL, F_REQ, .doc = "true: the host is that of this installation; false: browsers do not offer the passkey" },
	{ "createdAt", T_TIME, F_REQ, .col = "created_at", .doc = "When it was added" },
	{ "usedAt", T_TIME, .col = "used_at", .doc = "Time of the last sign-in with it; absent: none" },
	{ 0 } } };
LIST_SHAPE(PasskeyList, Passkey);
const struct shape PasskeyStart = { "PasskeyChallenge", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "passkey-challenge", .doc = "Kind of object" },
	{ "challenge", T_TEXT, F_REQ, .doc = "Text whose bytes the browser passes to the device",
	  .example = "ocf_5hT9wQzX2kLmN7vR4cJb8fYdG3xWs6Ht" },
	{ "host", T_TEXT, F_REQ, .doc = "The host (`rp.id`) at which the passkey works", .example = "docs.example.com" },
	FLOW_FIELD,
	{ 0 } } };
const struct shape PasskeyCreate = { "AddPasskey", (const struct field[]){
	FLOW_FIELD, LABEL_FIELD(F_REQ), CLIENT_FIELD,
	{ 0 } } };
const struct shape PasskeyEdit = { "UpdatePasskey", (const struct field[]){ LABEL_FIELD(F_REQ), { 0 } } };
const struct shape PasskeyReturn = { "FinishPasskeySignIn", (const struct field[]){
	FLOW_FIELD, CLIENT_FIELD,
	{ "credential", T_TEXT, F_REQ, .max = 2000, .doc = "The device's id of the passkey, in base64url", .example = "AQIDBAUGBwg" },
	{ "signature", T_TEXT, F_REQ, .max = 4000, .doc = "`signature` of the browser's answer, in base64url", .example = "MEUCIQDx" },
	{ "user", T_TEXT, F_REQ, .max = 200, .doc = "`userHandle` of the browser's answer: the id of the user, in base64url",
	  .example = "dVdtUjJ4S3E4VG4" },
	{ 0 } } };

/* State of a request between the handler's two runs. */
struct exchange {
	struct flow           flow;
	struct passkey_answer answer;
	struct passkey        key;
	int64_t               count;
	const char           *why;      /* why the device's answer is refused; NULL: it is accepted */
	bool                  used;     /* the flow was used before */
	bool                  broken;   /* the program could not answer, so the device is not at fault */
	bool                  recorded; /* the audit record of a suspected copy is written */
};

/* ---- for adding and signing in ---- */

static int
host_or_fail(struct req *r, const char **host)
{
	*host = passkey_host(r->arena, r->set);
	if (*host != NULL)
		return 0;
	return fail(r, E_CONFLICT, "passkeys take an OCTAVO_URL with a name and https, or with localhost; here it is %s", r->set->url);
}

static int
reply_start(struct req *r, const char *host, const char *session)
{
	struct flow f = passkey_begin(r->arena, session, time_now());
	struct json *j = &r->json;

	json_obj(j);
	json_kstr(j, "object", "passkey-challenge");
	json_kstr(j, "challenge", f.state);
	json_kstr(j, "host", host);
	json_kstr(j, "flow", flow_seal(r->arena, &f));
	json_end(j);
	return 0;
}

/* Reads the device's answer from the body, and checks its flow and its client data. 0 or fail(). */
static int
answer_or_fail(struct req *r, struct exchange *e, const char *kind, const char *session)
{
	const char *why;

	e->answer = (struct passkey_answer){ body_text(r, "clientData"), body_text(r, "authenticatorData"), NULL };
	if (!flow_unseal(r->arena, body_text(r, "flow"), time_now(), &e->flow) || !passkey_is_flow(&e->flow, session))
		return fail(r, E_BAD_REQUEST, "this page is older than ten minutes, or was opened in another browser; try again");
	why = passkey_client_fault(r->arena, r->set, e->answer.client, kind, e->flow.state);
	return why == NULL ? 0 : fail(r, E_BAD_REQUEST, "%s", why);
}

static void
use_flow(struct req *r, struct exchange *e)
{
	db_begin(r->db, true);
	e->used = !flow_use(r->db, r->arena, &e->flow, time_now());
	db_commit(r->db);
}

/* ---- a new passkey ---- */

/* GET /user/passkeys/challenge: makes a new challenge, and stores nothing. */
HANDLER(startUserPasskey)
{
	const char *host;

	if (recent_or_fail(r, false) != 0 || host_or_fail(r, &host) != 0)
		return -1;
	return reply_start(r, host, r->who.token);
}

static void
read_new_passkey(struct req *r, void *arg)
{
	struct exchange *e = arg;

	use_flow(r, e);
	if (!e->used)
		e->why = passkey_read_new(r->arena, r->set, &e->answer, &e->key, &e->broken);
}

static int
exchange_or_fail(struct req *r, const struct exchange *e)
{
	if (e->used)
		return fail(r, E_BAD_REQUEST, "this answer of the device was used before; try again");
	return e->why == NULL ? 0 : fail(r, e->broken ? E_BUSY : E_BAD_REQUEST, "%s", e->why);
}

/* :host is NULL where this installation allows no passkeys. */
#define PASSKEY_COLS "id, label, rp, CASE WHEN rp = :host THEN 1 ELSE 0 END AS usable, created_at, used_at"
SQL(q_list,
    "SELECT " PASSKEY_COLS ", created_at AS k1, id AS k2 FROM passkey WHERE account = :user AND (created_at, id) < "
    "(COALESCE(CAST(:k1 AS BIGINT), " SQL_EXACT_MAX "), COALESCE(:k2, '')) ORDER BY created_at DESC, id DESC LIMIT :limit");
SQL(q_count, "SELECT count(*) FROM passkey WHERE account = :user");
SQL(q_one, "SELECT " PASSKEY_COLS " FROM passkey WHERE account = :user AND id = :id");
SQL(q_snapshot, "SELECT label, rp FROM passkey WHERE account = :user AND id = :id");
SQL(q_rename, "UPDATE passkey SET label = :label WHERE account = :user AND id = :id");
SQL(q_delete, "DELETE FROM passkey WHERE account = :user AND id = :id");

static struct stmt *
bind_passkey(struct req *r, const struct sql *sql, const char *id)
{
	struct stmt *q = db_use(r->db, sql);

	bind_text(q, ":user", r->who.user);
	bind_text(q, ":id", id);
	return q;
}

static int
reply_passkey(struct req *r, const char *id)
{
	struct stmt *q = bind_passkey(r, &q_one, id);

	bind_text(q, ":host", passkey_host(r->arena, r->set));
	return reply_row(r, q, &Passkey);
}

static void
record_change(struct req *r, enum audit_action action, const char *before, const char *after)
{
	audit_everywhere(r, r->who.user, &(struct audit_event){ .action = action, .type = "user", .target = r->who.user,
	    .before = before, .after = after });
}

/* POST /user/passkeys */
HANDLER(createUserPasskey)
{
	struct exchange *e = r->ahead_arg;
	const char *host;

	if (recent_or_fail(r, false) != 0 || host_or_fail(r, &host) != 0)
		return -1;
	if (!r->went_ahead) {
		e = arena_alloc(r->arena, sizeof(*e));
		*e = (struct exchange){ .key = { .account = r->who.user } };
		return answer_or_fail(r, e, "webauthn.create", r->who.token) != 0 ? -1 : go_ahead(r, read_new_passkey, e);
	}
	if (exchange_or_fail(r, e) != 0)
		return -1;
	if (!passkey_add(r->db, r->arena, host, body_text(r, "label"), &e->key))
		return fail(r, E_CONFLICT, "this passkey is added already");
	record_change(r, AUDIT_PASSKEY_ADD, NULL, audit_snapshot(r->arena, bind_passkey(r, &q_snapshot, e->key.id)));
	reply_created(r, arena_printf(r->arena, "/user/passkeys/%s", e->key.id));
	return reply_passkey(r, e->key.id);
}

/* ---- one's own passkeys ---- */

/* GET /user/passkeys: newest first. */
HANDLER(listUserPasskeys)
{
	struct stmt *q;
	struct list l;
	int64_t count;

	if (list_open(r, &l, 2) != 0)
		return -1;
	q = db_use(r->db, &q_count);
	bind_text(q, ":user", r->who.user);
	count = stmt_int(q, 0);
	q = db_use(r->db, &q_list);
	bind_text(q, ":user", r->who.user);
	bind_text(q, ":host", passkey_host(r->arena, r->set));
	list_bind(q, &l);
	return list_reply(r, &l, q, &Passkey, count);
}

/* PATCH /user/passkeys/{passkeyId} */
HANDLER(updateUserPasskey)
{
	const char *id = path_id(r, "passkeyId");
	char *before = audit_snapshot(r->arena, bind_passkey(r, &q_snapshot, id));
	struct stmt *q;

	if (before == NULL)
		return fail(r, E_NOT_FOUND, "no passkey %s", id);
	q = bind_passkey(r, &q_rename, id);
	bind_text(q, ":label", body_text(r, "label"));
	stmt_run(q);
	record_change(r, AUDIT_PASSKEY_UPDATE, before, audit_snapshot(r->arena, bind_passkey(r, &q_snapshot, id)));
	return reply_passkey(r, id);
}

/*
 * DELETE /user/passkeys/{passkeyId}. All other sessions of the account end, as with a new password, because the
 * device may have been stolen.
 */
HANDLER(deleteUserPasskey)
{
	const char *id = path_id(r, "passkeyId");
	char *before = audit_snapshot(r->arena, bind_passkey(r, &q_snapshot, id));

	if (before == NULL)
		return reply_empty(r);
	if (recent_or_fail(r, false) != 0)
		return -1;
	if (!identity_is_spare(r->db, r->who.user, id, passkey_host(r->arena, r->set), r->set->oidc_issuer))
		return fail(r, E_CONFLICT, "this is the only way in to your account: set a password first");
	stmt_run(bind_passkey(r, &q_delete, id));
	record_change(r, AUDIT_PASSKEY_DELETE, before, NULL);
	session_end_all(r->db, r->who.user, NULL, r->who.token);
	return reply_empty(r);
}

/* ---- signing in ---- */

/* POST /sign-in/passkey: neither reads nor writes the database. */
HANDLER(startPasskeySignIn)
{
	const char *host;

	if (host_or_fail(r, &host) != 0)
		return -1;
	return secret_ready() ? reply_start(r, host, "") : fail(r, E_BUSY, "this installation is not ready; try again");
}

/*
 * Finds the passkey with the credential id in the body, if the user id in the device's answer is
 * that of its account.
 */
static bool
find_passkey(struct req *r, const char *host, struct passkey *out)
{
	struct str user;

	return passkey_find(r->db, r->arena, host, body_text(r, "credential"), out) &&
	    base64url_read(r->arena, str_of(body_text(r, "user")), &user) && str_is(user, out->account);
}

static int
fail_unknown_passkey(struct req *r)
{
	return fail(r, E_UNAUTHORIZED, "this passkey is not of an account here: it was deleted from the account; sign in otherwise");
}

static void
verify_passkey(struct req *r, void *arg)
{
	struct exchange *e = arg;

	use_flow(r, e);
	if (!e->used)
		e->why = passkey_check(r->arena, r->set, &e->key, &e->answer, &e->count, &e->broken);
}

static void
record_copy(struct req *r, void *arg)
{
	struct exchange *e = arg;

	db_begin(r->db, true);
	audit_everywhere(r, e->key.account, &(struct audit_event){ .action = AUDIT_SESSION_REFUSE, .type = "user",
	    .target = e->key.account, .after = "{\"reason\":\"the counter of the passkey went back: there is a copy of it\"}" });
	db_commit(r->db);
	e->recorded = true;
}

static int
sign_in_with_passkey(struct req *r, const char *host, struct exchange *e)
{
	const char *id;

	if (e->used)
		return fail(r, E_BAD_REQUEST, "this sign-in was used before; try again");
	if (e->why != NULL)
		return fail(r, e->broken ? E_BUSY : E_UNAUTHORIZED, "%s", e->why);
	/* Looked up again: the passkey may have been deleted since, and added with another key. */
	id = e->key.id;
	if (!find_passkey(r, host, &e->key) || strcmp(e->key.id, id) != 0)
		return fail_unknown_passkey(r);
	if (!passkey_use(r->db, &e->key, e->count))
		return !e->recorded ? go_ahead(r, record_copy, e) :
		    fail(r, E_UNAUTHORIZED, "the device counts fewer sign-ins than before, so there may be a copy of this passkey: sign in otherwise, and delete it");
	provider_tries_clear(r, NULL);
	return reply_signed_in(r, e->key.account, "passkey", NULL, NULL);
}

/* POST /sign-in/passkey/return */
HANDLER(finishPasskeySignIn)
{
	struct exchange *e = r->ahead_arg;
	const char *host;

	if (host_or_fail(r, &host) != 0)
		return -1;
	if (r->went_ahead)
		return sign_in_with_passkey(r, host, e);
	e = arena_alloc(r->arena, sizeof(*e));
	*e = (struct exchange){ 0 };
	if (provider_try_or_fail(r) != 0 || answer_or_fail(r, e, "webauthn.get", "") != 0)
		return -1;
	e->answer.signature = body_text(r, "signature");
	return find_passkey(r, host, &e->key) ? go_ahead(r, verify_passkey, e) : fail_unknown_passkey(r);
}
