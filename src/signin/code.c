/* One-time codes for programs. Contract: signin/code.h. */
#include <sodium.h>
#include <string.h>

#include "base/json.h"
#include "base/secret.h"
#include "signin/code.h"

SQL(q_sweep, "DELETE FROM sign_in_code WHERE ends_at <= :now /*scan*/");
SQL(q_add,
    "INSERT INTO sign_in_code (hash, session, client, scope, challenge, token_end, ends_at) "
    "VALUES (:hash, :session, :client, :scope, :challenge, :token_end, :ends)");
SQL(q_find,
    "SELECT c.session, c.client, c.scope, c.challenge, COALESCE(c.token_end, 0), s.account FROM sign_in_code c "
    "JOIN session s ON s.id = c.session WHERE c.hash = :hash AND c.ends_at > :now AND s.ends_at > :now");
SQL(q_drop, "DELETE FROM sign_in_code WHERE hash = :hash");

bool
code_challenge_ok(const char *challenge)
{
	return strlen(challenge) == CODE_CHALLENGE &&
	    strspn(challenge, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") == CODE_CHALLENGE;
}

char *
code_make(struct db *db, struct arena *a, const struct sign_in_code *c, int64_t *ends_at)
{
	char *code = secret_named(a, "occ_");
	int64_t now = time_now();
	struct stmt *q = db_use(db, &q_sweep);

	bind_int(q, ":now", now);
	stmt_run(q);
	*ends_at = now + CODE_SECONDS * 1000;
	q = db_use(db, &q_add);
	bind_blob(q, ":hash", hash_of(a, str_of(code)));
	bind_text(q, ":session", c->session);
	bind_text(q, ":client", c->client);
	bind_text(q, ":scope", c->scope);
	bind_text(q, ":challenge", c->challenge);
	if (c->token_end > 0)
		bind_int(q, ":token_end", c->token_end);
	bind_int(q, ":ends", *ends_at);
	stmt_run(q);
	return code;
}

/* BASE64URL(SHA256(ASCII(code_verifier))), RFC 7636 section 4.6. */
char *
code_challenge(struct arena *a, const char *verifier)
{
	unsigned char sum[crypto_hash_sha256_BYTES];

	crypto_hash_sha256(sum, (const unsigned char *)verifier, strlen(verifier));
	return base64url(a, (struct str){ (const char *)sum, sizeof(sum) });
}

bool
code_take(struct db *db, struct arena *a, const char *code, const char *verifier, struct sign_in_code *c)
{
	struct str hash = hash_of(a, str_of(code));
	struct stmt *q = db_use(db, &q_find);

	bind_blob(q, ":hash", hash);
	bind_int(q, ":now", time_now());
	if (!stmt_step(q))
		return false;
	*c = (struct sign_in_code){ col_dup(q, 0, a), col_dup(q, 1, a), col_dup(q, 2, a), col_dup(q, 3, a), col_int(q, 4),
		col_dup(q, 5, a) };
	q = db_use(db, &q_drop);
	bind_blob(q, ":hash", hash);
	stmt_run(q);
	return secret_same(c->challenge, code_challenge(a, verifier));
}
