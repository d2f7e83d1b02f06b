/* Links that set a password. Contract: signin/link.h. */
#include "base/json.h"
#include "base/secret.h"
#include "base/url.h"
#include "signin/link.h"

SQL(q_put,
    "INSERT INTO sign_in_link (account, hash, kind, ends_at) VALUES (:account, :hash, :kind, :ends) "
    "ON CONFLICT (account) DO UPDATE SET hash = excluded.hash, kind = excluded.kind, ends_at = excluded.ends_at");
SQL(q_find,
    "SELECT l.account, u.email, u.name, l.kind, l.ends_at FROM sign_in_link l JOIN account u ON u.id = l.account "
    "WHERE l.hash = :hash AND l.ends_at > :now");
SQL(q_drop, "DELETE FROM sign_in_link WHERE account = :account");
SQL(q_verify, "UPDATE account SET verified = 1 WHERE id = :account AND verified = 0");

char *
link_make(struct db *db, struct arena *a, const struct settings *set, const char *account, const char *kind,
    int64_t *ends_at)
{
	char *secret = secret_named(a, "ocl_");
	struct stmt *q = db_use(db, &q_put);

	*ends_at = time_now() + (strcmp(kind, "invite") == 0 ? LINK_INVITE_DAYS * DAY_MS : LINK_RESET_HOURS * (DAY_MS / 24));
	bind_text(q, ":account", account);
	bind_blob(q, ":hash", hash_of(a, str_of(secret)));
	bind_text(q, ":kind", kind);
	bind_int(q, ":ends", *ends_at);
	stmt_run(q);
	return url_make(a, set, "/app/welcome?link=%s", secret);
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
