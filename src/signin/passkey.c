/* Challenges, verification and storage of passkeys. Contract: signin/passkey.h. */
#include <arpa/inet.h>
#include <cjson/cJSON.h>
#include <limits.h>
#include <string.h>

#include "base/address.h"
#include "base/buf.h"
#include "base/child.h"
#include "base/json.h"
#include "base/log.h"
#include "base/scan.h"
#include "base/secret.h"
#include "base/url.h"
#include "base/utf8.h"
#include "signin/passkey.h"
#include "signin/verifier.h"

enum { REQUEST_MOST = 64 << 10, CLIENT_MOST = 8 << 10 };

static const struct json_limits limits = { 100, 4 };

/* The "provider" of flows that belong to passkeys; ids of providers are longer. */
static const char flow_name[] = "passkey";

/* ---- the host ---- */

char *
passkey_host(struct arena *a, const struct settings *set)
{
	bool https = strncmp(set->url, "https://", 8) == 0;
	const char *host = https ? set->url + 8 : strncmp(set->url, "http://", 7) == 0 ? set->url + 7 : "";
	/* Browsers write hosts in small letters. */
	char *name = utf8_lower(a, (struct str){ host, strcspn(host, ":/") });
	struct in_addr address;

	if (*name == '\0' || *name == '[' || inet_pton(AF_INET, name, &address) == 1)
		return NULL;
	return https || address_is_localhost(name) ? name : NULL;
}

bool
passkey_can(struct arena *a, const struct settings *set)
{
	char path[PATH_MAX];

	return passkey_host(a, set) != NULL && child_beside("passkey", path);
}

/* ---- challenges ---- */

struct flow
passkey_begin(struct arena *a, const char *session, int64_t now)
{
	struct flow f = flow_make(a, flow_name, flow_name, now);

	f.session = session;
	return f;
}

bool
passkey_is_flow(const struct flow *f, const char *session)
{
	return strcmp(f->provider, flow_name) == 0 && strcmp(f->issuer, flow_name) == 0 && strcmp(f->session, session) == 0;
}

/* Browsers write the challenge's bytes in base64url. */
static const char *
client_fault(struct arena *a, const struct settings *set, const cJSON *v, const char *kind, const char *challenge)
{
	if (strcmp(json_text_or_empty(v, "type"), kind) != 0)
		return "the browser did something else than it was asked for";
	if (!secret_same(json_text_or_empty(v, "challenge"), base64url(a, str_of(challenge))))
		return "the answer belongs to another page than the last one that this browser opened; try again";
	if (!is_own_origin(set, json_text_or_empty(v, "origin")))
		return "the answer comes from a page at another address than OCTAVO_URL";
	return cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(v, "crossOrigin")) ? "the answer comes from a page within another one" : NULL;
}

const char *
passkey_client_fault(struct arena *a, const struct settings *set, const char *client, const char *kind, const char *challenge)
{
	const char *why;
	struct str text;
	bool large;
	cJSON *v;

	if (strlen(client) > CLIENT_MOST || !base64url_read(a, str_of(client), &text) ||
	    json_scan(a, text, &limits, &large) != NULL || (v = cJSON_ParseWithLength(text.p, text.n)) == NULL)
		return "the browser's answer cannot be read";
	why = client_fault(a, set, v, kind, challenge);
	cJSON_Delete(v);
	return why;
}

/* ---- octavo-passkey ---- */

/* Runs octavo-passkey and returns its answer; NULL: it gave none, and the reason was logged. */
static cJSON *
run_program(struct arena *a, struct str request)
{
	const char *why;
	cJSON *v;

	if (verifier_ask(a, "passkey", NULL, request, &v, &why) != VERIFIER_GOOD)
		log_line("%s", why);
	return v;
}

static void
begin_request(struct json *j, struct buf *b, struct arena *a, const struct settings *set, const char *what,
    const struct passkey_answer *in)
{
	buf_init(b, a, REQUEST_MOST);
	json_init(j, b);
	json_obj(j);
	json_kstr(j, "do", what);
	json_kstr(j, "rp", passkey_host(a, set));
	json_kstr(j, "authenticator", in->authenticator);
}

/*
 * Why the program refuses, or could not answer; NULL: it accepts. member: a member that every
 * accepting answer has; without it the program counts as broken.
 */
static const char *
refusal_of(struct arena *a, const cJSON *v, const char *member, bool *broken)
{
	const char *why = v != NULL ? verifier_text(a, v, "message") : NULL;

	*broken = why == NULL && (v == NULL || cJSON_GetObjectItemCaseSensitive(v, member) == NULL);
	return *broken ? "passkeys do not work until an admin of this installation mends them: its log says why" : why;
}

const char *
passkey_read_new(struct arena *a, const struct settings *set, const struct passkey_answer *in, struct passkey *out, bool *broken)
{
	const char *why;
	struct json j;
	struct buf b;
	cJSON *v;

	begin_request(&j, &b, a, set, "read", in);
	json_end(&j);
	v = run_program(a, buf_view(&b));
	why = refusal_of(a, v, "key", broken);
	if (why == NULL) {
		out->kind = (int)json_number_of(v, "kind", 0);
		out->credential = arena_strdup(a, json_text_or_empty(v, "credential"));
		out->key = arena_strdup(a, json_text_or_empty(v, "key"));
		out->count = (int64_t)json_number_of(v, "count", 0);
	}
	cJSON_Delete(v);
	return why;
}

const char *
passkey_check(struct arena *a, const struct settings *set, const struct passkey *k, const struct passkey_answer *in,
    int64_t *count, bool *broken)
{
	const char *why;
	struct json j;
	struct buf b;
	cJSON *v;

	begin_request(&j, &b, a, set, "verify", in);
	json_kint(&j, "kind", k->kind);
	json_kstr(&j, "key", k->key);
	json_kstr(&j, "client", in->client);
	json_kstr(&j, "signature", in->signature);
	json_end(&j);
	v = run_program(a, buf_view(&b));
	/* Require the counter: an answer without it would look like a device that has none. */
	why = refusal_of(a, v, "count", broken);
	if (why == NULL)
		*count = (int64_t)json_number_of(v, "count", -1);
	cJSON_Delete(v);
	return why;
}

/* ---- the table ---- */

SQL(q_find, "SELECT id, account, kind, key, count FROM passkey WHERE rp = :host AND credential = :credential");
SQL(q_add,
    "INSERT INTO passkey (id, account, rp, credential, kind, key, count, label, created_at) "
    "VALUES (:id, :account, :host, :credential, :kind, :key, :count, :label, :now) ON CONFLICT (rp, credential) DO NOTHING");
SQL(q_use,
    "UPDATE passkey SET count = :count, used_at = :now WHERE id = :id AND (:count > count OR (:count = 0 AND count = 0))");
bool
passkey_find(struct db *db, struct arena *a, const char *host, const char *credential, struct passkey *out)
{
	struct stmt *q = db_use(db, &q_find);
	struct str bytes;

	if (!base64url_read(a, str_of(credential), &bytes))
		return false;
	bind_text(q, ":host", host);
	bind_blob(q, ":credential", bytes);
	if (!stmt_step(q))
		return false;
	*out = (struct passkey){ col_dup(q, 0, a), col_dup(q, 1, a), (int)col_int(q, 2), credential, base64url(a, col_bytes(q, 3)), col_int(q, 4) };
	return true;
}

bool
passkey_add(struct db *db, struct arena *a, const char *host, const char *label, struct passkey *k)
{
	struct stmt *q = db_use(db, &q_add);
	struct str credential, key;

	if (!base64url_read(a, str_of(k->credential), &credential) || !base64url_read(a, str_of(k->key), &key))
		return false;
	k->id = secret_id(a);
	bind_text(q, ":id", k->id);
	bind_text(q, ":account", k->account);
	bind_text(q, ":host", host);
	bind_blob(q, ":credential", credential);
	bind_int(q, ":kind", k->kind);
	bind_blob(q, ":key", key);
	bind_int(q, ":count", k->count);
	bind_text(q, ":label", label);
	bind_int(q, ":now", time_now());
	return stmt_run(q) == 1;
}

bool
passkey_use(struct db *db, const struct passkey *k, int64_t count)
{
	struct stmt *q = db_use(db, &q_use);

	bind_text(q, ":id", k->id);
	bind_int(q, ":count", count);
	bind_int(q, ":now", time_now());
	return stmt_run(q) == 1;
}
