/* Rows of users, organizations, members and tokens. The contract is in app/people.h. */
#include <cjson/cJSON.h>
#include <string.h>

#include "app/audit.h"
#include "base/exact.h"
#include "base/json.h"
#include "app/people.h"
#include "base/secret.h"
#include "base/slug.h"
#include "base/utf8.h"

SQL(q_user_add,
    "INSERT INTO account (id, email, address, name, name_folded, address_folded, verified, created_at) "
    "VALUES (:id, :email, :address, :name, :name_folded, :address_folded, :verified, :now)");
SQL(q_user_snapshot,
    "SELECT COALESCE(address, email) AS email, name AS \"displayName\", photo_url AS \"photoURL\", commit_email AS \"commitEmail\" "
    "FROM account WHERE id = :user");
/*
 * An id contains no "@", so at most one of the two finds a row. A deleted user has its id as its
 * address.
 */
SQL(q_user_find,
    "SELECT id FROM account WHERE id = :key AND email <> id UNION ALL SELECT id FROM account WHERE email = :key AND email <> id");
SQL(q_forget,
    "UPDATE account SET email = id, address = NULL, name = 'Deleted user', name_folded = 'deleted user', "
    "address_folded = '', photo_url = NULL, commit_email = NULL, verified = 0 WHERE id = :user");
SQL(q_forget_labels, "UPDATE token SET label = '' WHERE account = :user");
SQL(q_forget_passes, "DELETE FROM site_pass WHERE account = :user");
SQL(q_forget_made, "DELETE FROM site_pass WHERE maker = :user");
SQL(q_forget_looks, "DELETE FROM last_look WHERE account = :user");
SQL(q_user_orgs_enabled, "SELECT org FROM member WHERE account = :id AND disabled = 0 ORDER BY org");
SQL(q_user_orgs, "SELECT org FROM member WHERE account = :id ORDER BY org");
SQL(q_user_tokens, "SELECT id FROM token WHERE account = :id AND revoked_at IS NULL ORDER BY created_at, id");
SQL(q_org_add,
    "INSERT INTO org (id, title, hostname, created_at, type, use_case, community_type, creator) "
    "VALUES (:id, :title, :hostname, :now, :type, :use_case, :community_type, :creator)");
SQL(q_org_named, "SELECT EXISTS (SELECT 1 FROM org WHERE hostname = :hostname)");
SQL(q_domains_clear, "DELETE FROM org_domain WHERE org = :org");
SQL(q_domain_add,
    "INSERT INTO org_domain (domain, org) VALUES (:domain, :org) ON CONFLICT (domain, org) DO NOTHING");
SQL(q_domains_keep, "UPDATE org SET email_domains = :domains WHERE id = :org");
SQL(q_org_exists, "SELECT 1 FROM org WHERE id = :org");
/* Inviting a disabled member again enables it. */
SQL(q_member_set,
    "INSERT INTO member (org, account, role, joined_at) VALUES (:org, :user, :role, :now) "
    "ON CONFLICT (org, account) DO UPDATE SET role = excluded.role, disabled = 0");
SQL(q_member_admins,
    "SELECT count(*) FILTER (WHERE account <> :user AND role = " SQL_ROLE_ADMIN " AND disabled = 0) FROM member "
    "WHERE org = :org");
SQL(q_member_role, "SELECT COALESCE(role, 0) FROM member WHERE org = :org AND account = :user");
SQL(q_member_snapshot,
    "SELECT role AS role_role, disabled AS bool_disabled, sso AS bool_sso FROM member "
    "WHERE org = :org AND account = :user");
SQL(q_leave_teams,
    "DELETE FROM team_member WHERE account = :user AND team IN (SELECT id FROM team WHERE org = :org)");
SQL(q_leave_grants,
    "DELETE FROM access_grant WHERE account = :user AND "
    "(space IN (SELECT id FROM space WHERE org = :org /*scan*/) "
    "OR collection IN (SELECT id FROM collection WHERE org = :org) "
    "OR site IN (SELECT id FROM site WHERE org = :org))");
SQL(q_leave, "DELETE FROM member WHERE org = :org AND account = :user");
SQL(q_leave_links, "DELETE FROM link_invite WHERE org = :org AND created_by = :user");
SQL(q_member_chose, "UPDATE member SET chosen = 1 WHERE org = :org AND account = :user AND chosen = 0");
SQL(q_user_disable, "UPDATE account SET disabled = :disabled WHERE id = :user");
SQL(q_user_disabled, "SELECT disabled FROM account WHERE id = :user");
SQL(q_member_disable, "UPDATE member SET disabled = 1 WHERE org = :org AND account = :user");
SQL(q_token_add,
    "INSERT INTO token (id, account, hash, label, scope, created_at, expires_at, made_by) "
    "VALUES (:id, :user, :hash, :label, :scope, :now, :expires, :made_by)");
/*
 * Tokens made with this one, directly or not, oldest generation first. A revoked token in between
 * does not end the family.
 */
SQL(q_token_family,
    "WITH RECURSIVE family (id, n) AS (SELECT CAST(:id AS TEXT), 0 UNION ALL SELECT t.id, family.n + 1 "
    "FROM family JOIN token t ON t.made_by = family.id) SELECT f.id FROM family f "
    "JOIN token t ON t.id = f.id WHERE t.revoked_at IS NULL ORDER BY f.n, f.id /*scan*/");
SQL(q_token_adopt, "UPDATE token SET made_by = :to WHERE made_by = :from");
/*
 * Shortens the lifetime of all descendants that end later than the token :id. If that token never
 * ends (NULL), nothing changes.
 */
SQL(q_token_cap,
    "WITH RECURSIVE family (id) AS (SELECT CAST(:id AS TEXT) UNION ALL SELECT t.id "
    "FROM family JOIN token t ON t.made_by = family.id) "
    "UPDATE token SET expires_at = (SELECT m.expires_at FROM token m WHERE m.id = :id) "
    "WHERE id IN (SELECT f.id FROM family f) AND COALESCE(expires_at, " SQL_EXACT_MAX ") > "
    "(SELECT m.expires_at FROM token m WHERE m.id = :id) /*scan*/");
SQL(q_token_end, "SELECT COALESCE(expires_at, 0) FROM token WHERE id = :id");
SQL(q_token_id, "SELECT id FROM token WHERE hash = :hash");
SQL(q_token_user, "SELECT account FROM token WHERE id = :id");
SQL(q_token_snapshot,
    "SELECT t.account AS \"user\", u.email, t.label, t.scope, t.expires_at AS \"time_expiresAt\" FROM token t "
    "JOIN account u ON u.id = t.account WHERE t.id = :id");
SQL(q_token_revoke, "UPDATE token SET revoked_at = :now WHERE id = :id AND revoked_at IS NULL");

/*
 * NULL: not an address that mail can be sent to. Refused characters could end the address in a mail
 * header and begin another one (RFC 5322, section 3.4). 254 characters: RFC 5321, section
 * 4.5.3.1.3. In lower case, so that nobody gets two accounts by different spellings.
 */
char *
email_normal(struct arena *a, const char *email)
{
	const char *at = strchr(email, '@');
	char *out, *p;

	if (at == NULL || at == email || strlen(email) > 254 || strpbrk(email, "<>,;:()[]\\\"") != NULL ||
	    at[1] == '.' || at[1] == '\0' || strchr(at + 1, '@') != NULL || strstr(at, "..") != NULL ||
	    at[strlen(at) - 1] == '.')
		return NULL;
	out = arena_strdup(a, email);
	for (p = out; *p != '\0'; p++) {
		if ((unsigned char)*p <= ' ' || *p == 0x7f)
			return NULL;
		if (*p >= 'A' && *p <= 'Z')
			*p = (char)(*p + 32);
	}
	return out;
}

/*
 * Adds a user; email is in its normal form. A second account with the same email violates the
 * table's constraint. email NULL: a user with only a displayed address. Its email is then a name
 * that cannot receive mail (RFC 2606, section 2) and contains a capital, which email_normal() never
 * writes, so user_find() never finds it.
 */
static char *
user_add(struct db *db, struct arena *a, const char *email, const char *address, const char *name, bool verified)
{
	struct stmt *q = db_use(db, &q_user_add);
	char *id = secret_id(a);

	if (email == NULL)
		email = arena_printf(a, "%s@Provider.octavo.invalid", id);
	bind_text(q, ":id", id);
	bind_text(q, ":email", email);
	bind_text(q, ":address", address);
	bind_text(q, ":name", name);
	bind_text(q, ":name_folded", utf8_fold(a, str_of(name)));
	bind_text(q, ":address_folded", utf8_fold(a, str_of(address != NULL ? address : email)));
	bind_int(q, ":verified", verified);
	bind_int(q, ":now", time_now());
	stmt_run(q);
	return id;
}

void
user_disable(struct db *db, const char *user, bool disabled)
{
	struct stmt *q = db_use(db, &q_user_disable);

	bind_text(q, ":user", user);
	bind_int(q, ":disabled", disabled);
	stmt_run(q);
}

bool
user_disabled(struct db *db, const char *user)
{
	struct stmt *q = db_use(db, &q_user_disabled);

	bind_text(q, ":user", user);
	return stmt_int(q, 0) == 1;
}

char *
user_make(struct db *db, struct arena *a, const char *email, const char *name)
{
	return user_add(db, a, email, NULL, name, true);
}

char *
user_make_apart(struct db *db, struct arena *a, const char *address, const char *name)
{
	return user_add(db, a, NULL, address, name, false);
}

char *
user_invite(struct db *db, struct arena *a, const char *email)
{
	/* The name until the user sets one: the part before the @. */
	return user_add(db, a, email, NULL, arena_strndup(a, email, strcspn(email, "@")), false);
}

char *
user_snapshot(struct db *db, struct arena *a, const char *user)
{
	struct stmt *q = db_use(db, &q_user_snapshot);

	bind_text(q, ":user", user);
	return audit_snapshot(a, q);
}

char *
user_find(struct db *db, struct arena *a, const char *key)
{
	struct stmt *q = db_use(db, &q_user_find);
	char *mail = email_normal(a, key);

	bind_text(q, ":key", mail != NULL ? mail : key);
	return stmt_dup(q, a);
}

void
user_forget(struct db *db, const char *user)
{
	static const struct sql *const all[] = { &q_forget, &q_forget_labels, &q_forget_passes, &q_forget_made, &q_forget_looks };

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		struct stmt *q = db_use(db, all[i]);

		bind_text(q, ":user", user);
		stmt_run(q);
	}
}

/*
 * A free name for addresses of the organization's sites, made from the title in the form that the
 * API accepts. NULL: the title has no usable characters, or so many organizations have the same
 * title that addresses with the id are better.
 */
static const char *
find_free_name(struct db *db, struct arena *a, const char *title)
{
	enum { SHORTEST = 3, LONGEST = 28, SAME = 20 };
	char *slug = slug_from_title(a, str_of(title));
	const char *name = slug;
	struct stmt *q;

	/* Slugs of pages may have dots and underscores. */
	for (char *p = slug; *p != '\0'; p++)
		if (*p == '.' || *p == '_')
			*p = '-';
	if (strlen(slug) > LONGEST)
		slug[LONGEST] = '\0';
	for (size_t n = strlen(slug); n > 0 && slug[n - 1] == '-'; )
		slug[--n] = '\0';
	if (strlen(slug) < SHORTEST || *slug == '-' || slug[strspn(slug, "abcdefghijklmnopqrstuvwxyz0123456789-")] != '\0' ||
	    /* slug_from_title() returns "page" for a title without letters. */
	    strcmp(slug, "page") == 0)
		return NULL;
	for (int i = 2; i <= SAME; i++) {
		q = db_use(db, &q_org_named);
		bind_text(q, ":hostname", name);
		if (stmt_int(q, 0) == 0)
			return name;
		name = arena_printf(a, "%s-%d", slug, i);
	}
	return NULL;
}

char *
org_make(struct db *db, struct arena *a, const struct org_new *o)
{
	const char *hostname = find_free_name(db, a, o->title);
	struct stmt *q = db_use(db, &q_org_add);
	char *id = secret_id(a);

	bind_text(q, ":id", id);
	bind_text(q, ":title", o->title);
	bind_text(q, ":hostname", hostname);
	bind_int(q, ":now", time_now());
	bind_text(q, ":type", o->type != NULL ? o->type : "business");
	bind_text(q, ":use_case", o->use_case);
	bind_text(q, ":community_type", o->community_type);
	bind_text(q, ":creator", o->creator);
	stmt_run(q);
	if (o->domains != NULL)
		org_domains(db, a, id, o->domains);
	return id;
}

/* Adds a domain, unless the organization has it already. kept: the domains so far, as JSON. */
static void
domain_add(struct db *db, struct arena *a, const char *org, const char *domain, struct json *kept)
{
	struct stmt *q = db_use(db, &q_domain_add);
	char *low = arena_strdup(a, domain), *p;

	for (p = low; *p != '\0'; p++)
		if (*p >= 'A' && *p <= 'Z')
			*p = (char)(*p + 32);
	bind_text(q, ":domain", low);
	bind_text(q, ":org", org);
	if (stmt_run(q) == 1)
		json_str(kept, low);
}

/* The rows are for look-ups by domain; the JSON keeps the order of the list. */
void
org_domains(struct db *db, struct arena *a, const char *org, const char *text)
{
	struct stmt *q = db_use(db, &q_domains_clear);
	cJSON *list = cJSON_Parse(text), *one;
	struct json kept;
	struct buf b;

	bind_text(q, ":org", org);
	stmt_run(q);
	buf_init(&b, a, 1 << 20);
	json_init(&kept, &b);
	json_arr(&kept);
	cJSON_ArrayForEach(one, list)
		if (cJSON_IsString(one))
			domain_add(db, a, org, one->valuestring, &kept);
	json_end(&kept);
	cJSON_Delete(list);
	q = db_use(db, &q_domains_keep);
	bind_str(q, ":domains", buf_view(&b));
	bind_text(q, ":org", org);
	stmt_run(q);
}

bool
org_exists(struct db *db, const char *org)
{
	struct stmt *q = db_use(db, &q_org_exists);

	bind_text(q, ":org", org);
	return stmt_int(q, 0) == 1;
}

void
member_set(struct db *db, const char *org, const char *user, enum role role)
{
	struct stmt *q = db_use(db, &q_member_set);

	bind_text(q, ":org", org);
	bind_text(q, ":user", user);
	/* A guest has NULL in the column: a member who only sees what was granted. */
	if (role > ROLE_NONE)
		bind_int(q, ":role", role);
	bind_int(q, ":now", time_now());
	stmt_run(q);
}

/* Prepares a statement whose only parameters are :org and :user. */
static struct stmt *
member_statement(struct db *db, const struct sql *sql, const char *org, const char *user)
{
	struct stmt *q = db_use(db, sql);

	bind_text(q, ":org", org);
	bind_text(q, ":user", user);
	return q;
}

void
member_chose(struct db *db, const char *org, const char *user)
{
	stmt_run(member_statement(db, &q_member_chose, org, user));
}

char *
member_snapshot(struct db *db, struct arena *a, const char *org, const char *user)
{
	return audit_snapshot(a, member_statement(db, &q_member_snapshot, org, user));
}

/*
 * Call it inside the transaction that removes or demotes; otherwise two admins who remove each
 * other at once would leave none.
 */
bool
member_last_admin(struct db *db, const char *org, const char *user)
{
	return stmt_int(member_statement(db, &q_member_role, org, user), ROLE_STRANGER) == ROLE_ADMIN &&
	    stmt_int(member_statement(db, &q_member_admins, org, user), 0) == 0;
}

bool
member_remove(struct db *db, const char *org, const char *user, bool *last)
{
	*last = member_last_admin(db, org, user);
	if (*last)
		return false;
	/* All rights of the membership are removed first, so that a member who returns later does not get them back. */
	stmt_run(member_statement(db, &q_leave_teams, org, user));
	stmt_run(member_statement(db, &q_leave_grants, org, user));
	stmt_run(member_statement(db, &q_leave_links, org, user));
	return stmt_run(member_statement(db, &q_leave, org, user)) == 1;
}

bool
member_disable(struct db *db, const char *org, const char *user, bool *last)
{
	*last = member_last_admin(db, org, user);
	return !*last && stmt_run(member_statement(db, &q_member_disable, org, user)) == 1;
}

char *
token_add(struct db *db, struct arena *a, const struct token_new *t)
{
	struct stmt *q = db_use(db, &q_token_add);
	char *text = secret_token(a);

	bind_text(q, ":id", secret_id(a));
	bind_text(q, ":user", t->user);
	/*
	 * Stores only the hash. A token has 256 random bits and cannot be guessed, so neither a
	 * salt nor a slow hash is needed.
	 */
	bind_blob(q, ":hash", hash_of(a, str_of(text)));
	bind_text(q, ":label", t->label);
	bind_text(q, ":scope", t->scope);
	bind_int(q, ":now", time_now());
	if (t->expires_at > 0)
		bind_int(q, ":expires", t->expires_at);
	bind_text(q, ":made_by", t->made_by);
	stmt_run(q);
	return text;
}

char *
token_make(struct db *db, struct arena *a, const char *user, const char *scope, const char *label,
    int64_t expires_at)
{
	return token_add(db, a, &(struct token_new){ .user = user, .scope = scope, .label = label,
	    .expires_at = expires_at });
}

/* For statements whose rows are ids and whose one parameter is :id. */
static struct id_list
list_ids(struct db *db, struct arena *a, const struct sql *sql, const char *id)
{
	struct stmt *q = db_use(db, sql);
	struct id_list ids = { NULL, 0 };
	size_t room = 0;

	bind_text(q, ":id", id);
	while (stmt_step(q)) {
		ids.list = arena_grow(a, ids.list, ids.n, &room, sizeof(*ids.list));
		ids.list[ids.n++] = col_dup(q, 0, a);
	}
	return ids;
}

struct id_list
user_orgs(struct db *db, struct arena *a, const char *user, bool enabled)
{
	return list_ids(db, a, enabled ? &q_user_orgs_enabled : &q_user_orgs, user);
}

struct id_list
user_tokens(struct db *db, struct arena *a, const char *user)
{
	return list_ids(db, a, &q_user_tokens, user);
}

struct id_list
token_family(struct db *db, struct arena *a, const char *id)
{
	return list_ids(db, a, &q_token_family, id);
}

/*
 * For a token that replaces another one. `to` must not descend from `from`: it would become its own
 * ancestor, and q_token_family would not end.
 */
void
token_adopt(struct db *db, const char *from, const char *to)
{
	struct stmt *q = db_use(db, &q_token_adopt);

	bind_text(q, ":from", from);
	bind_text(q, ":to", to);
	stmt_run(q);
	/* The new token may end earlier than the old one. */
	q = db_use(db, &q_token_cap);
	bind_text(q, ":id", to);
	stmt_run(q);
}

int64_t
token_end(struct db *db, const char *id)
{
	struct stmt *q = db_use(db, &q_token_end);

	bind_text(q, ":id", id);
	return stmt_int(q, 0);
}

char *
token_id(struct db *db, struct arena *a, const char *text)
{
	struct stmt *q = db_use(db, &q_token_id);

	bind_blob(q, ":hash", hash_of(a, str_of(text)));
	return stmt_dup(q, a);
}

char *
token_user(struct db *db, struct arena *a, const char *id)
{
	struct stmt *q = db_use(db, &q_token_user);

	bind_text(q, ":id", id);
	return stmt_dup(q, a);
}

char *
token_snapshot(struct db *db, struct arena *a, const char *id)
{
	struct stmt *q = db_use(db, &q_token_snapshot);

	bind_text(q, ":id", id);
	return audit_snapshot(a, q);
}

/* False: it was revoked before; its time of revocation stays. */
bool
token_revoke(struct db *db, const char *id)
{
	struct stmt *q = db_use(db, &q_token_revoke);

	bind_int(q, ":now", time_now());
	bind_text(q, ":id", id);
	return stmt_run(q) == 1;
}
