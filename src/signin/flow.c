/* A sign-in at the provider that has begun and not ended. Contract: signin/flow.h. */
#include <cjson/cJSON.h>
#include <string.h>

#include "base/json.h"
#include "base/scan.h"
#include "base/secret.h"
#include "signin/flow.h"

enum { FLOW_MOST = 4000 };

static const struct json_limits limits = { 20, 2 };

SQL(q_sweep, "DELETE FROM used_flow WHERE ends_at <= :now /*scan*/");
SQL(q_use, "INSERT INTO used_flow (hash, ends_at) VALUES (:hash, :ends) ON CONFLICT (hash) DO NOTHING");
SQL(q_undo, "DELETE FROM used_flow WHERE hash = :hash");

struct flow
flow_make(struct arena *a, const char *provider, const char *issuer, int64_t now)
{
	/* secret_named() gives 256 random bits, in characters that state, nonce and verifier may contain. */
	return (struct flow){ provider, issuer, secret_named(a, "ocf_"), secret_named(a, "ocn_"), secret_named(a, "ocv_"), false,
		now + FLOW_SECONDS * 1000LL, "", "" };
}

char *
flow_seal(struct arena *a, const struct flow *f)
{
	struct json j;
	struct buf b;

	buf_init(&b, a, FLOW_MOST);
	json_init(&j, &b);
	json_obj(&j);
	json_kstr(&j, "provider", f->provider);
	json_kstr(&j, "session", f->session);
	json_kstr(&j, "from", f->from);
	json_kstr(&j, "issuer", f->issuer);
	json_kstr(&j, "state", f->state);
	json_kstr(&j, "nonce", f->nonce);
	json_kstr(&j, "verifier", f->verifier);
	json_kbool(&j, "iss", f->sends_issuer);
	json_kint(&j, "ends", f->ends_at);
	json_end(&j);
	return base64url(a, secret_seal(a, SECRET_FLOW, buf_view(&b)));
}

static const char *
copy_text(struct arena *a, const cJSON *v, const char *name)
{
	return arena_strdup(a, json_text_or_empty(v, name));
}

bool
flow_unseal(struct arena *a, const char *text, int64_t now, struct flow *out)
{
	struct str box, plain;
	bool large;
	cJSON *v;

	if (strlen(text) > FLOW_MOST || !base64url_read(a, str_of(text), &box) || !secret_unseal(a, SECRET_FLOW, box, &plain) ||
	    json_scan(a, plain, &limits, &large) != NULL || (v = cJSON_ParseWithLength(plain.p, plain.n)) == NULL)
		return false;
	*out = (struct flow){ copy_text(a, v, "provider"), copy_text(a, v, "issuer"), copy_text(a, v, "state"), copy_text(a, v, "nonce"), copy_text(a, v, "verifier"),
		cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(v, "iss")),
		(int64_t)cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(v, "ends")), copy_text(a, v, "session"), copy_text(a, v, "from") };
	cJSON_Delete(v);
	return out->ends_at > now;
}

bool
flow_use(struct db *db, struct arena *a, const struct flow *f, int64_t now)
{
	struct stmt *q = db_use(db, &q_sweep);

	bind_int(q, ":now", now);
	stmt_run(q);
	q = db_use(db, &q_use);
	bind_blob(q, ":hash", hash_of(a, str_of(f->state)));
	bind_int(q, ":ends", f->ends_at);
	return stmt_run(q) == 1;
}

void
flow_undo(struct db *db, struct arena *a, const struct flow *f)
{
	struct stmt *q = db_use(db, &q_undo);

	bind_blob(q, ":hash", hash_of(a, str_of(f->state)));
	stmt_run(q);
}
