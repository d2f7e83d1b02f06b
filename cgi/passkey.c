/*
 * octavo-passkey: verifies what devices with passkeys answer. It reads one JSON request from standard input and
 * prints one JSON answer. octavo-api starts it (signin/passkey.h). It is a separate program because of libfido2 and
 * what that brings, and so that bytes from strangers only reach a process without a database or a network. All bytes
 * are in base64url.
 *
 *   { do: "read",   rp, authenticator }
 *   { do: "verify", rp, kind, key, client, authenticator, signature }
 *
 *   { kind, credential, key, count }      answer to "read"
 *   { count }                             answer to "verify"
 *   { message }                           why the device's answer is refused
 */
#include <fido.h>
#include <string.h>

#include "base/child.h"
#include "base/secret.h"
#include "passkey/verify.h"
#include "question.h"

enum { ANSWER_MOST = 64 << 10, MEMORY = 4 << 20, SPACE = 256 << 20, SECONDS = 5 };

/* The bytes of a member in base64url; {"", 0}: no such member. */
static struct str
bytes_of(struct arena *a, const cJSON *v, const char *name)
{
	struct str out;

	return base64url_read(a, str_of(json_text_or_empty(v, name)), &out) ? out : (struct str){ "", 0 };
}

static const char *
read_passkey(struct arena *a, const cJSON *v, struct json *j)
{
	struct passkey_key k;
	const char *why = passkey_read(a, json_text_or_empty(v, "rp"), bytes_of(a, v, "authenticator"), &k);

	if (why != NULL)
		return why;
	json_kint(j, "kind", k.kind);
	json_kstr(j, "credential", base64url(a, k.credential));
	json_kstr(j, "key", base64url(a, k.key));
	json_kint(j, "count", k.count);
	return NULL;
}

static const char *
verify_passkey(struct arena *a, const cJSON *v, struct json *j)
{
	struct passkey_key k = { .kind = (int)json_number_of(v, "kind", 0), .key = bytes_of(a, v, "key") };
	uint32_t count = 0;
	const char *why = passkey_verify(json_text_or_empty(v, "rp"), &k, bytes_of(a, v, "client"), bytes_of(a, v, "authenticator"),
	    bytes_of(a, v, "signature"), &count);

	if (why == NULL)
		json_kint(j, "count", count);
	return why;
}

static void
answer(struct arena *a, const cJSON *v, struct json *j)
{
	const char *why;

	fido_init(0);
	why = strcmp(json_text_or_empty(v, "do"), "read") == 0 ? read_passkey(a, v, j) : verify_passkey(a, v, j);
	if (why != NULL)
		json_kstr(j, "message", why);
}

int
main(void)
{
	child_limits(SPACE, SECONDS);
	/* A second protection, on kernels that support it. */
	(void)!child_no_network();
	return question_answer(arena_new(MEMORY), "octavo-passkey", ANSWER_MOST, answer);
}
