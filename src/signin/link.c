/* Links that set a password. Contract: signin/link.h. */
#include "base/json.h"
#include "base/secret.h"
#include "base/url.h"
#include "signin/link.h"

SQL(q_sweep, "DELETE FROM sign_in_link WHERE ends_at <= :now");
SQL(q_add, "INSERT INTO sign_in_link (hash, account, kind, ends_at) VALUES (:hash, :account, :kind, :ends)");
SQL(q_count, "SELECT count(*) FROM sign_in_link WHERE account = :account AND ends_at > :now");
SQL(q_find,
    "SELECT l.account, u.email, u.name, l.kind, l.ends_at FROM sign_in_link l JOIN account u ON u.id = l.account "
    "WHERE l.hash = :hash AND l.ends_at > :now");
SQL(q_drop, "DELETE FROM sign_in_link WHERE account = :account");
SQL(q_verify, "UPDATE account SET verified = 1 WHERE id = :account AND verified = 0");

/*
 * Stores a new link of the account and returns its address. account NULL: the link belongs to no
 * account, so nobody can use it.
 */
static char *
add_link(struct db *db, struct arena *a, const struct settings *set, const char *account, const char *kind, int64_t ends_at)
{
	char *secret = secret_named(a, "ocl_");
	struct stmt *q = db_use(db, &q_sweep);

	bind_int(q, ":now", time_now());
	stmt_run(q);
	q = db_use(db, &q_add);
	bind_blob(q, ":hash", hash_of(a, str_of(secret)));
	bind_text(q, ":account", account);
	bind_text(q, ":kind", kind);
	bind_int(q, ":ends", ends_at);
	stmt_run(q);
	return url_make(a, set, "/app/welcome?link=%s", secret);
}

char *
link_make(struct db *db, struct arena *a, const struct settings *set, const char *account, const char *kind,
    int64_t *ends_at)
{
	struct stmt *q = db_use(db, &q_drop);

	bind_text(q, ":account", account);
	stmt_run(q);
	*ends_at = time_now() + (strcmp(kind, "invite") == 0 ? LINK_INVITE_DAYS * DAY_MS : LINK_RESET_HOURS * (DAY_MS / 24));
	return add_link(db, a, set, account, kind, *ends_at);
}

char *
link_ask(struct db *db, struct arena *a, const struct settings *set, const char *account)
{
	struct stmt *q = db_use(db, &q_count);
	int64_t now = time_now();
	char *address;
	bool sent;

	bind_text(q, ":account", account);
	bind_int(q, ":now", now);
	sent = stmt_int(q, 0) < LINK_MAILS_MOST && account != NULL;
	address = add_link(db, a, set, sent ? account : NULL, "reset", now + LINK_RESET_HOURS * (DAY_MS / 24));
	return sent ? address : NULL;
}

bool
link_find(struct db *db, struct arena *a, const char *secret, struct sign_in_link *out)
{
	struct stmt *q = db_use(db, &q_find);

	bind_blob(q, ":hash", hash_of(a, str_of(secret)));
	bind_int(q, ":now", time_now());
	if (!stmt_step(q))
		return false;
	*out = (struct sign_in_link){ col_dup(q, 0, a), col_dup(q, 1, a), col_dup(q, 2, a), col_dup(q, 3, a), col_int(q, 4) };
	return true;
}

void
link_use(struct db *db, const char *account)
{
	static const struct sql *const both[] = { &q_drop, &q_verify };

	for (size_t i = 0; i < 2; i++) {
		struct stmt *q = db_use(db, both[i]);

		bind_text(q, ":account", account);
		stmt_run(q);
	}
}
