/*
 * Sets passwords by a link, changes the password of a signed-in person, and mails links on request.
 * Tables password, sign_in_link.
 *
 * A new password ends all sessions of the account; the answer begins a new one. Passwords are
 * hashed before the write transaction, since that takes 0.1 s.
 */
#include "api/audit_events.h"
#include "api/sign_in.h"
#include "app/audit.h"
#include "app/people.h"
#include "base/address.h"
#include "base/log.h"
#include "http/req.h"
#include "signin/link.h"
#include "signin/mail.h"
#include "signin/password.h"
#include "app/throttle.h"

#define EXAMPLE_LINK "ocl_5hT9wQzX2kLmN7vR4cJb8fYdG3xWs6Ht"
#define LINK_FIELD \
	{ "link", T_TEXT, F_REQ, .max = 100, .doc = "Secret of the link: the text after ?link= in its address", .example = EXAMPLE_LINK }
#define PASSWORD_FIELD \
	{ "password", T_TEXT, F_REQ, .max = 4000, .doc = "The new password: 10 to 1,000 characters, none of the most common ones", \
	  .example = "correct horse battery" }
const struct shape LinkSecret = { "SignInLinkSecret", (const struct field[]){ LINK_FIELD, { 0 } } };
const struct shape LinkUse = { "UseSignInLink", (const struct field[]){ LINK_FIELD, PASSWORD_FIELD, { 0 } } };
const struct shape LinkShown = { "SignInLink", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "sign-in-link", .doc = "Kind of object" },
	{ "kind", T_ENUM, F_REQ, .set = "invite,reset", .doc = "Purpose of the link" },
	{ "email", T_TEXT, F_REQ, .doc = "Address of the account", .example = "ada@example.com" },
	{ "displayName", T_TEXT, F_REQ, .doc = "Name of the account", .example = "Ada" },
	{ "endsAt", T_TIME, F_REQ, .doc = "When the link expires" },
	{ 0 } } };
const struct shape ResetAsk = { "AskForPasswordLink", (const struct field[]){
	{ "email", T_TEXT, F_REQ, .max = 254, .doc = "Address of the account", .example = "ada@example.com" },
	{ 0 } } };
const struct shape PasswordChange = { "ChangePassword", (const struct field[]){ PASSWORD_FIELD, { 0 } } };

int
recent_or_fail(struct req *r, bool tokens)
{
	if (!r->who.session)
		return tokens ? 0 : fail(r, E_FORBIDDEN, "a token cannot do this: sign in in a browser");
	if (time_now() - r->who.since > RECENT_MS)
		return fail(r, E_FORBIDDEN, "this takes a sign-in within the last ten minutes: sign in again");
	return 0;
}

/* A new password with its hash, which is computed before the write transaction. */
struct new_password {
	const char          *account;
	char                *hash;
	enum password_result result;
};

static void
hash_password(struct req *r, void *arg)
{
	struct new_password *n = arg;

	n->result = password_hash(r->arena, r->set, body_text(r, "password"), &n->hash);
}

SQL(q_person, "SELECT email, name FROM account WHERE id = :user");

static int
password_or_fail(struct req *r, const char *account)
{
	struct stmt *q = db_use(r->db, &q_person);
	const char *wrong;

	bind_text(q, ":user", account);
	if (!stmt_step(q))
		return fail(r, E_NOT_FOUND, "no user %s", account);
	wrong = password_fault(r->arena, body_text(r, "password"), col_text(q, 0), col_text(q, 1));
	return wrong == NULL ? 0 : fail_field(r, "/password", "%s", wrong);
}

/*
 * Runs twice: the first run checks the password and starts hash_password() outside the transaction;
 * the second one stores the hash and answers with a new session. way: how the session began, for
 * reply_signed_in().
 */
static int
set_password(struct req *r, const char *account, const char *way)
{
	struct new_password *n = r->ahead_arg;

	if (!r->went_ahead) {
		if (password_or_fail(r, account) != 0)
			return -1;
		n = arena_alloc(r->arena, sizeof(*n));
		n->account = account;
		return go_ahead(r, hash_password, n);
	}
	if (n->result != PASSWORD_OK)
		return fail(r, E_BUSY, "too many people sign in at this moment; try again");
	password_set(r->db, account, n->hash);
	r->who.user = account;
	audit_everywhere(r, account, &(struct audit_event){ .action = AUDIT_PASSWORD_SET, .type = "user", .target = account });
	return reply_signed_in(r, account, way, NULL, NULL);
}

/* ---- links ---- */

static int
link_or_fail(struct req *r, struct sign_in_link *l)
{
	if (link_find(r->db, r->arena, body_text(r, "link"), l))
		return 0;
	return fail(r, E_NOT_FOUND, "the link is not valid: it was used, replaced by a newer one, or is too old");
}

/*
 * POST /sign-in/link/show: shows the account that a link is for. Clients send the link in the body,
 * since web servers log addresses.
 */
HANDLER(showSignInLink)
{
	struct sign_in_link l;
	struct json *j = &r->json;

	if (link_or_fail(r, &l) != 0)
		return -1;
	json_obj(j);
	json_kstr(j, "object", "sign-in-link");
	json_kstr(j, "kind", l.kind);
	json_kstr(j, "email", l.email);
	json_kstr(j, "displayName", l.name);
	json_key(j, "endsAt");
	json_time(j, l.ends_at);
	json_end(j);
	return 0;
}

/* POST /sign-in/link */
HANDLER(useSignInLink)
{
	struct sign_in_link l;
	int rc;

	if (link_or_fail(r, &l) != 0)
		return -1;
	if ((rc = set_password(r, l.account, "link")) == 0)
		link_use(r->db, l.account);
	return rc;
}

/* State of a request for a reset link. */
struct reset {
	struct attempt attempt;
	const char    *link;   /* the link's address; NULL: send no mail */
};

/*
 * Runs after COMMIT. It also starts a process if there is no mail to send: the client gets its
 * answer only after this function returns, and its time must not reveal whether the account exists.
 */
static void
send_reset(struct req *r, void *arg)
{
	struct reset *n = arg;

	mail_post(r->arena, r->set, &(struct mail){ .to = n->link != NULL ? n->attempt.email : NULL, .subject = "Choose a new password",
	    .text = arena_printf(r->arena, "Somebody, probably you, asked for a new password at %s.\n\nChoose it here within two "
	    "hours:\n\n%s\n\nIf it was not you, ignore this mail: nothing has changed.\n", r->set->url, n->link != NULL ? n->link : "") });
}

/* POST /sign-in/reset: the answer does not reveal whether the account exists. */
HANDLER(askForPasswordLink)
{
	struct reset *n = arena_alloc(r->arena, sizeof(*n));
	char *account;

	if (!mail_can(r->set))
		return fail(r, E_CONFLICT, "this installation sends no mail: ask an admin for a link (octavo user reset)");
	n->attempt.email = email_normal(r->arena, body_text(r, "email"));
	if (n->attempt.email == NULL)
		return fail_field(r, "/email", "is not an email address");
	n->attempt.address = address_client(r->arena, r->set->proxies, r->io->param(r->io, "REMOTE_ADDR"),
	    r->io->param(r->io, "HTTP_X_FORWARDED_FOR"));
	if (n->attempt.address == NULL)
		n->attempt.address = "";
	if ((r->retry_after = throttle_try(r->set, &n->attempt, time_steady())) > 0)
		return fail(r, E_TOO_MANY, "too many tries for this account or from your network; wait %d s", r->retry_after);
	account = user_find(r->db, r->arena, n->attempt.email);
	if (user_disabled(r->db, account))
		account = NULL;
	n->link = link_ask(r->db, r->arena, r->set, account);
	/*
	 * This writes one more row if a mail is sent. The difference in time is small against the
	 * commit, which both cases have.
	 */
	if (n->link != NULL)
		audit_everywhere(r, account, &(struct audit_event){ .action = AUDIT_LINK_MAIL, .type = "user", .target = account });
	r->after = send_reset;
	r->after_arg = n;
	return reply_empty(r);
}

/* PUT /user/password */
HANDLER(changeUserPassword)
{
	if (recent_or_fail(r, false) != 0)
		return -1;
	return set_password(r, r->who.user, "password");
}
