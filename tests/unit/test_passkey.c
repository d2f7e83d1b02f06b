/* Answers of devices with passkeys (passkey/verify.h). The vectors are of Node's crypto, for docs.example.com. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fido.h>
#include <string.h>

#include "base/secret.h"
#include "passkey/verify.h"

static const char rp[] = "docs.example.com", client[] = "{\"type\":\"webauthn.get\"}";

/* Authenticator data of a new key with the counter 7; signature of `client` and sign_in_data(8, 5). */
static const struct vector {
	const char *name;
	int         kind;
	const char *made, *signature;
} vectors[] = {
	{ "es256", -7,
	  "6Zn7TgHtuams9bjrCeYmeak_vzHzSOMPzk3AAdxKjBRFAAAABwAAAAAAAAAAAAAAAAAAAAAAE2NyZWRlbnRpYWwgb2YgZXMyNTal"
	  "AQIDJiABIVggsoyNbm-OhdyAtQN52p0iLZawylnjLMDD08GjaeyYSgwiWCBUgs-ml0Rs1hgyrDz_dmHDQk0nazuPe-Noqkrf63yP"
	  "cg",
	  "MEUCIBXi8VPcTfem8CdmpXfEIg8WfzZ4Ts_QoDrukUdGR1IhAiEAuG5bMQcAm_Kqc3oRL_nG5-mZTZdNY_E2h8LotsoXs44" },
	{ "eddsa", -8,
	  "6Zn7TgHtuams9bjrCeYmeak_vzHzSOMPzk3AAdxKjBRFAAAABwAAAAAAAAAAAAAAAAAAAAAAE2NyZWRlbnRpYWwgb2YgZWRkc2Gk"
	  "AQEDJyAGIVggI4xp533lkFqmltNXykPCNduNJ9uir9HtB3D9kb7iCs8",
	  "GsnyrKQjty6hZKtiNcq0Akwm9K_7DY6VC_55OQKrRuo_8z7zJ6ZyyEx2XTNsaQUIVFxtTXJlRi2qLOwbiuWXDg" },
	{ "rs256", -257,
	  "6Zn7TgHtuams9bjrCeYmeak_vzHzSOMPzk3AAdxKjBRFAAAABwAAAAAAAAAAAAAAAAAAAAAAE2NyZWRlbnRpYWwgb2YgcnMyNTak"
	  "AQMDOQEAIFkBAM9Ng7dAjw2wVFLgvWDYIIDOmI7fqvMbCHlyZ94Qmtx0d2QUsYf1YRRZ2r4uUl5__8_g8O9KSEKDiWI624L5L86a"
	  "RcgtAy9zUiGBjp7bsSlYdmxfVoPbAO69dqA6q6pJN3NjU-B7ji0jbxbD7HJEPrFAQp-kcBjxUYghGjU_IBsvjr5-9oPDU8YDgRTa"
	  "BTwhe96XYMsExjtRSsrBymGwgypou4RWWjRH_w_gYJclBIFvuk8SvZSXeBJfttu2Gr5AUV9Ked6jixpToWDU-hJrnYFC1Uloq4Lm"
	  "hj28ZNbnpf6RqXxf80eSqfQ-V0UCNBhimCJ9X9Qg1fWWU2zHrr4yOp8hQwEAAQ",
	  "vxtDEI85WQKxsLX92q0XGP_3fTEbsu8fmYKCtzvHWCj3hZOQLFHRRewIjz_ddPhlx9rVakL82MR9q0IJbM3QloNTq1Q0aEwl_DEV"
	  "-FEB8Mveb3nhctQV_zoVHdysjNukmmnpT2_KDISHo0Fkwki8-KkjYJCeeu7L9jZM3_Lh3CTYLjWSSc1W7VEWPcFFFavvPUf6PS2S"
	  "LW0slg1vD-OvgqL_SHc4noUnpEtDQ0--tA_TZqEEOBze8vu2sP4GeA4m6P2F6TfZpA3oIGUIiseVSy1COFL0tzxh-DkWHdoXrm37"
	  "BNWTyTuyEDfrV3QNMHQ9nVpsxJBO4KYU4E_RvE72CA" },
};
enum { VECTORS = sizeof(vectors) / sizeof(vectors[0]), FLAGS_AT = 32, COUNT_AT = 36, SIGN_IN_SIZE = 37 };

static struct str
bytes_of(struct arena *a, const char *text)
{
	struct str out;

	assert_true(base64url_read(a, str_of(text), &out));
	return (struct str){ arena_strndup(a, out.p, out.n), out.n };
}

static struct passkey_key
read_vector(struct arena *a, const struct vector *v)
{
	struct passkey_key k;

	assert_null(passkey_read(a, rp, bytes_of(a, v->made), &k));
	return k;
}

/* The first 37 bytes of the data of a new key, with another counter and other flags. */
static struct str
sign_in_data(struct arena *a, const struct vector *v, char count, char flags)
{
	struct str data = bytes_of(a, v->made);
	char *p = arena_strndup(a, data.p, SIGN_IN_SIZE);

	p[FLAGS_AT] = flags;
	p[COUNT_AT] = count;
	return (struct str){ p, SIGN_IN_SIZE };
}

static void
keys_of_three_kinds_are_read(void **state)
{
	struct arena *a = arena_new(1 << 20);

	(void)state;
	for (size_t i = 0; i < VECTORS; i++) {
		struct passkey_key k = read_vector(a, &vectors[i]);

		assert_int_equal(k.kind, vectors[i].kind);
		assert_int_equal(k.count, 7);
		assert_string_equal(arena_strndup(a, k.credential.p, k.credential.n), arena_printf(a, "credential of %s", vectors[i].name));
	}
	arena_free(a);
}

static void
signatures_of_three_kinds_are_verified(void **state)
{
	struct arena *a = arena_new(1 << 20);
	uint32_t count;

	(void)state;
	for (size_t i = 0; i < VECTORS; i++) {
		const struct vector *v = &vectors[i];
		struct passkey_key k = read_vector(a, v), other = read_vector(a, &vectors[(i + 1) % VECTORS]);
		struct str sig = bytes_of(a, v->signature);

		assert_null(passkey_verify(rp, &k, str_of(client), sign_in_data(a, v, 8, 5), sig, &count));
		assert_int_equal(count, 8);
		assert_non_null(passkey_verify(rp, &other, str_of(client), sign_in_data(a, v, 8, 5), sig, &count));
		assert_non_null(passkey_verify(rp, &k, str_of("{\"type\":\"webauthn.gat\"}"), sign_in_data(a, v, 8, 5), sig, &count));
		assert_non_null(passkey_verify(rp, &k, str_of(client), sign_in_data(a, v, 9, 5), sig, &count));
		assert_non_null(passkey_verify(rp, &k, str_of(client), sign_in_data(a, v, 8, 5), str_slice(sig, 0, sig.n - 1), &count));
		assert_non_null(passkey_verify(rp, &k, str_of(client), sign_in_data(a, v, 8, 5), (struct str){ "", 0 }, &count));
	}
	arena_free(a);
}

static void
a_person_who_was_not_verified_is_refused(void **state)
{
	struct arena *a = arena_new(1 << 20);
	struct passkey_key k = read_vector(a, &vectors[0]);
	struct str data = bytes_of(a, vectors[0].made);
	uint32_t count;

	(void)state;
	assert_non_null(strstr(passkey_verify(rp, &k, str_of(client), sign_in_data(a, &vectors[0], 8, 1), bytes_of(a, vectors[0].signature),
	    &count), "verified"));
	((char *)data.p)[FLAGS_AT] = 0x41;
	assert_non_null(strstr(passkey_read(a, rp, data, &k), "verified"));
	arena_free(a);
}

static void
another_host_and_damaged_data_are_refused(void **state)
{
	struct arena *a = arena_new(1 << 20);
	struct passkey_key k = read_vector(a, &vectors[0]);
	struct str data = bytes_of(a, vectors[0].made);
	uint32_t count;

	(void)state;
	assert_non_null(strstr(passkey_read(a, "docs.example.org", data, &k), "another host"));
	assert_non_null(strstr(passkey_verify("example.com", &k, str_of(client), sign_in_data(a, &vectors[0], 8, 5),
	    bytes_of(a, vectors[0].signature), &count), "another host"));
	for (size_t n = 0; n < data.n; n++)
		assert_non_null(passkey_read(a, rp, str_slice(data, 0, n), &k));
	arena_free(a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys_of_three_kinds_are_read),
		cmocka_unit_test(signatures_of_three_kinds_are_verified),
		cmocka_unit_test(a_person_who_was_not_verified_is_refused),
		cmocka_unit_test(another_host_and_damaged_data_are_refused),
	};

	fido_init(0);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
