/*
 * POSTs with an Idempotency-Key: the first 2xx answer is stored for 24 hours, in the transaction
 * that did the work. If the same token repeats the request, this answer is sent again. It is
 * encrypted with a key made from the bearer token, because it may contain a secret that the
 * database must not contain.
 */
#include <cjson/cJSON.h>

#include "http/req.h"
#include "base/secret.h"

/* A day: longer than any client retries; docs/api/rules.md promises it. */
enum { KEEP_MS = 24 * 3600 * 1000, MAX_KEY = 255 };

SQL(q_kept,
    "SELECT request, status, location, answer FROM idempotency "
    "WHERE token = :token AND path = :path AND key = :key AND created_at > :oldest");
/* Runs in the transaction of each write with a key, so that the table stays small without a job. */
SQL(q_forget, "DELETE FROM idempotency WHERE created_at <= :oldest");
SQL(q_keep,
    "INSERT INTO idempotency (token, path, key, request, status, location, answer, created_at) "
    "VALUES (:token, :path, :key, :request, :status, :location, :answer, :now) "
    "ON CONFLICT (token, path, key) DO NOTHING");

static const char *
idempotency_key(struct req *r)
{
	const char *key = r->io->param(r->io, "HTTP_IDEMPOTENCY_KEY");

	/* Keys are per token, so calls without a token (of hooks) are not repeated. */
	return r->method == M_POST && r->who.token != NULL && key != NULL && *key != '\0' ? key : NULL;
}

/* A repeat must have the same body, byte by byte, and the same known parameters. */
static struct str
request_hash(struct req *r)
{
	struct str body = hash_of(r->arena, r->raw_body);
	const struct field *f = r->route->query != NULL ? r->route->query->fields : NULL;
	const cJSON *value;
	struct buf b;

	buf_init(&b, r->arena, 1 << 20);
	for (; f != NULL && f->name != NULL; f++) {
		value = cJSON_GetObjectItemCaseSensitive(r->query, f->name);
		if (value != NULL)
			buf_printf(&b, "%s=%s\n", f->name, cJSON_PrintUnformatted(value));
	}
	if (b.n == 0)
		return body;
	buf_put(&b, body);
	return hash_of(r->arena, buf_view(&b));
}

int
idempotency_begin(struct req *r, bool *replay)
{
	const char *key = idempotency_key(r);
	struct str request, answer;
	struct stmt *q;

	*replay = false;
	if (key == NULL || r->who.token == NULL)
		return 0;
	if (strlen(key) > MAX_KEY)
		return fail(r, E_BAD_REQUEST, "Idempotency-Key is longer than %d bytes", MAX_KEY);
	q = db_use(r->db, &q_kept);
	bind_text(q, ":token", r->who.token);
	bind_text(q, ":path", r->path);
	bind_text(q, ":key", key);
	bind_int(q, ":oldest", time_now() - KEEP_MS);
	/*
	 * Unknown key: do the work. Two requests cannot both get here, since a write holds the
	 * lock.
	 */
	if (!stmt_step(q))
		return 0;
	request = col_bytes(q, 0);
	if (!str_eq(request, request_hash(r)))
		return fail(r, E_CONFLICT, "the Idempotency-Key was used with another body or query");
	if (!secret_unseal_with(r->arena, r->who.bearer, col_bytes(q, 3), &answer))
		return fail(r, E_CONFLICT, "the kept answer cannot be read");
	/* Also restore 201 and Location, so that the repeat equals the first answer. */
	r->status = (int)col_int(q, 1);
	r->location = col_dup(q, 2, r->arena);
	buf_put(&r->out, answer);
	r->replayed = *replay = true;
	return 0;
}

void
idempotency_end(struct req *r)
{
	const char *key = idempotency_key(r);
	int64_t now = time_now();
	struct stmt *q;

	if (key == NULL || r->who.token == NULL)
		return;
	q = db_use(r->db, &q_forget);
	bind_int(q, ":oldest", now - KEEP_MS);
	stmt_run(q);
	q = db_use(r->db, &q_keep);
	bind_text(q, ":token", r->who.token);
	bind_text(q, ":path", r->path);
	bind_text(q, ":key", key);
	bind_blob(q, ":request", request_hash(r));
	bind_int(q, ":status", r->status);
	bind_text(q, ":location", r->location);
	bind_blob(q, ":answer", secret_seal_with(r->arena, r->who.bearer, buf_view(&r->out)));
	bind_int(q, ":now", now);
	stmt_run(q);
}
