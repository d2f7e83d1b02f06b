/* Finds the account of an identity at the provider. Contract: signin/identity.h. */
#include <string.h>

#include "app/people.h"
#include "base/json.h"
#include "base/secret.h"
#include "base/utf8.h"
#include "signin/identity.h"

/* Limit of names, as in the API (UpdateUser). */
enum { NAME_MOST = 64 };

SQL(q_find, "SELECT account, linked FROM identity WHERE provider = :provider AND issuer = :issuer AND subject = :subject");
SQL(q_add,
    "INSERT INTO identity (provider, issuer, subject, id, account, made_at) "
    "VALUES (:provider, :issuer, :subject, :id, :account, :now) "
    "ON CONFLICT (provider, issuer, subject) DO UPDATE SET account = excluded.account, linked = 1");
SQL(q_spare,
    "SELECT 1 FROM password WHERE account = :account "
    "UNION ALL SELECT 1 FROM passkey WHERE account = :account AND id <> :without AND rp = :host "
    "UNION ALL SELECT 1 FROM identity WHERE account = :account AND provider = '' AND issuer = :issuer AND linked = 1 "
    "AND id <> :without LIMIT 1");
SQL(q_link, "UPDATE identity SET linked = :linked WHERE account = :account AND id = :id AND linked <> :linked");
SQL(q_verify, "UPDATE account SET verified = 1 WHERE id = :account AND verified = 0");
SQL(q_domain, "SELECT 1 FROM org_domain WHERE domain = :domain LIMIT 1");
/* A session that an organization's provider made cannot link its account to another provider. */
SQL(q_session, "SELECT account FROM session WHERE id = :id AND org IS NULL AND ends_at > :now");
SQL(q_trusted,
    "SELECT a.id FROM account a JOIN member m ON m.account = a.id AND m.org = :org AND m.sso = 1 WHERE a.email = :email");
SQL(q_disabled,
    "SELECT a.id FROM member m JOIN account a ON a.id = m.account AND COALESCE(a.address, a.email) = :email "
    "WHERE m.org = :org AND m.disabled = 1 LIMIT 1");

static struct stmt *
use_for_person(struct db *db, const struct sql *sql, const struct provider *p, const struct provider_person *who)
{
	struct stmt *q = db_use(db, sql);

	bind_text(q, ":provider", p->id);
	bind_text(q, ":issuer", p->issuer);
	bind_text(q, ":subject", who->subject);
	return q;
}

static bool
is_domain_of_org(struct db *db, const char *email)
{
	struct stmt *q = db_use(db, &q_domain);

	bind_text(q, ":domain", strchr(email, '@') + 1);
	return stmt_int(q, 0) == 1;
}

/* The first characters of a text, up to a number. */
static struct str
first_chars(struct str s, int most)
{
	size_t n = 0, length;
	uint32_t cp;

	while (most-- > 0 && (length = utf8_next(str_slice(s, n, s.n), &cp)) > 0)
		n += length;
	return str_slice(s, 0, n);
}

/*
 * A name for the account: the person's name at the provider, without control characters and cut if
 * it is too long; if there is none, the part of the address before the @, or the provider's id for
 * the person.
 */
static const char *
name_of(struct arena *a, const struct provider_person *who, const char *email)
{
	bool alone = email == NULL && (who->name == NULL || *who->name == '\0');
	char *name = arena_strdup(a, alone ? who->subject : who->name != NULL ? who->name : "");
	struct str s;

	for (char *p = name; *p != '\0'; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			*p = ' ';
	s = first_chars(str_trim(str_of(name)), NAME_MOST);
	if (s.n == 0 && email == NULL)
		return "?";
	return s.n > 0 ? arena_strndup(a, s.p, s.n) : arena_strndup(a, email, strcspn(email, "@"));
}

static void
link_account(struct db *db, struct arena *a, const struct provider *p, const struct provider_person *who, const char *account)
{
	struct stmt *q = use_for_person(db, &q_add, p, who);

	bind_text(q, ":id", secret_id(a));
	bind_text(q, ":account", account);
	bind_int(q, ":now", time_now());
	stmt_run(q);
}

static void
verify_address(struct db *db, const char *account)
{
	struct stmt *q = db_use(db, &q_verify);

	bind_text(q, ":account", account);
	stmt_run(q);
}

/* Finds the account of a person at the provider of the installation. */
static void
find_account(struct db *db, struct arena *a, const struct provider_person *who, struct identity *out)
{
	out->account = out->email == NULL ? NULL : user_find(db, a, out->email);
	if (out->email == NULL)
		out->result = IDENTITY_NO_EMAIL;
	else if (!who->verified)
		out->result = IDENTITY_UNVERIFIED;
	else if (out->account != NULL)
		out->result = IDENTITY_LINKED;
	else if (!is_domain_of_org(db, out->email))
		out->result = IDENTITY_STRANGER;
	else {
		out->result = IDENTITY_MADE;
		out->account = user_make(db, a, out->email, name_of(a, who, out->email));
	}
}

/* A member of the organization with this address, found by the statement; NULL: none, or no address. */
static char *
find_member_by_email(struct db *db, struct arena *a, const struct sql *sql, const char *org, const char *email)
{
	struct stmt *q;

	if (email == NULL)
		return NULL;
	q = db_use(db, sql);
	bind_text(q, ":org", org);
	bind_text(q, ":email", email);
	return stmt_dup(q, a);
}

/* Finds the account of a person at a provider of an organization. */
static void
find_member(struct db *db, struct arena *a, const struct provider *p, const struct provider_person *who, struct identity *out)
{
	const char *address = out->email != NULL && who->verified ? out->email : "";

	/* A disabled member must not get another account, whether or not the provider has verified the address. */
	if ((out->account = find_member_by_email(db, a, &q_disabled, p->org, out->email)) != NULL) {
		out->result = IDENTITY_DISABLED;
		return;
	}
	out->account = find_member_by_email(db, a, &q_trusted, p->org, out->email);
	if (out->account != NULL) {
		out->result = who->verified ? IDENTITY_LINKED : IDENTITY_UNVERIFIED;
		return;
	}
	out->result = IDENTITY_MADE;
	out->account = user_make_apart(db, a, address, name_of(a, who, out->email));
}

/* The account of the session in which the person asked to link it; NULL: the session has ended. */
static char *
account_of_session(struct db *db, struct arena *a, const char *session)
{
	struct stmt *q = db_use(db, &q_session);

	bind_text(q, ":id", session);
	bind_int(q, ":now", time_now());
	return stmt_dup(q, a);
}

struct identity
identity_find(struct db *db, struct arena *a, const struct provider *p, const struct provider_person *who, const char *session)
{
	struct stmt *q = use_for_person(db, &q_find, p, who);
	struct identity out = { .result = IDENTITY_KNOWN };

	if (*session != '\0') {
		out.account = account_of_session(db, a, session);
		out.result = out.account != NULL ? IDENTITY_LINKED : IDENTITY_ENDED;
	} else if (stmt_step(q)) {
		out.account = col_dup(q, 0, a);
		out.result = col_int(q, 1) == 1 ? IDENTITY_KNOWN : IDENTITY_UNLINKED;
	} else {
		out.email = who->email == NULL ? NULL : email_normal(a, who->email);
		if (p->org == NULL)
			find_account(db, a, who, &out);
		else
			find_member(db, a, p, who, &out);
	}
	if (out.result == IDENTITY_LINKED || out.result == IDENTITY_MADE) {
		link_account(db, a, p, who, out.account);
		if (p->org == NULL)
			verify_address(db, out.account);
	}
	return out;
}

bool
identity_is_spare(struct db *db, const char *account, const char *without, const char *host, const char *issuer)
{
	struct stmt *q = db_use(db, &q_spare);

	bind_text(q, ":account", account);
	bind_text(q, ":without", without);
	bind_text(q, ":host", host);
	bind_text(q, ":issuer", issuer);
	return stmt_int(q, 0) == 1;
}

bool
identity_set_linked(struct db *db, const char *account, const char *id, bool linked)
{
	struct stmt *q = db_use(db, &q_link);

	bind_text(q, ":account", account);
	bind_text(q, ":id", id);
	bind_int(q, ":linked", linked);
	return stmt_run(q) == 1;
}
