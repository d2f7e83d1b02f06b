/* Passkeys (signin/passkey.h): what browsers and devices answer, verified by octavo-passkey itself; and their counters. */
#include <limits.h>
#include <sodium.h>
#include <unistd.h>

#include "db_fixture.h"
#include "base/json.h"
#include "signin/passkey.h"

enum { PRESENT = 0x01, VERIFIED = 0x04, KEY = 0x40, EDDSA = -8, LONGEST_ID = 1023 };

static const char host[] = "docs.example.com", challenge[] = "ocf_5hT9wQzX2kLmN7vR4cJb8fYdG3xWs6Ht";
static struct settings set = { .url = "https://docs.example.com/manual" };

/* A device with one key. id: its name for the key. */
struct device {
	unsigned char open[crypto_sign_PUBLICKEYBYTES], secret[crypto_sign_SECRETKEYBYTES];
	struct str    id;
};

/* Where octavo-passkey is: beside the program of this name. */
static void
programs_in(const char *folder)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/octavo", folder);
	setenv("OCTAVO_LAUNCHER", path, 1);
}

/* The programs of this build are in the folder above that of the tests. */
static void
use_built_programs(struct fixture *f)
{
	char self[PATH_MAX] = "";

	assert_true(readlink("/proc/self/exe", self, sizeof(self) - 1) > 0);
	*strrchr(self, '/') = '\0';
	programs_in(arena_printf(f->arena, "%s/..", self));
}

static struct device
make_device(void)
{
	struct device d = { .id = str_of("a key of this device") };

	assert_true(sodium_init() >= 0);
	crypto_sign_keypair(d.open, d.secret);
	return d;
}

/* Authenticator data (section 6.1): with the key if the flags say so. */
static struct str
data_of(struct fixture *f, const struct device *d, const char *rp, unsigned flags, unsigned count)
{
	static const char key[] = "\xa4\x01\x01\x03\x27\x20\x06\x21\x58\x20", zero[16] = "";
	unsigned char hash[crypto_hash_sha256_BYTES];
	struct buf b;

	buf_init(&b, f->arena, 1 << 20);
	crypto_hash_sha256(hash, (const unsigned char *)rp, strlen(rp));
	buf_add(&b, (const char *)hash, sizeof(hash));
	buf_char(&b, (char)flags);
	for (int shift = 24; shift >= 0; shift -= 8)
		buf_char(&b, (char)(count >> shift));
	if ((flags & KEY) != 0) {
		buf_add(&b, zero, sizeof(zero));
		buf_char(&b, (char)(d->id.n >> 8));
		buf_char(&b, (char)d->id.n);
		buf_add(&b, d->id.p, d->id.n);
		buf_add(&b, key, sizeof(key) - 1);
		buf_add(&b, (const char *)d->open, sizeof(d->open));
	}
	return buf_view(&b);
}

static const char *
client_of(struct fixture *f, const char *kind, const char *asked, const char *origin, const char *more)
{
	return base64url(f->arena, str_of(arena_printf(f->arena, "{\"type\":\"%s\",\"challenge\":\"%s\",\"origin\":\"%s\"%s}", kind,
	    base64url(f->arena, str_of(asked)), origin, more)));
}

static const char *
good_client(struct fixture *f)
{
	return client_of(f, "webauthn.get", challenge, "https://docs.example.com", "");
}

/* Why client data are no answer to the challenge; NULL: they are one. */
static const char *
fault_of(struct fixture *f, const char *client)
{
	return passkey_client_fault(f->arena, &set, client, "webauthn.get", challenge);
}

static struct passkey_answer
answer_of(struct fixture *f, const struct device *d, struct str data, const char *client)
{
	unsigned char hash[crypto_hash_sha256_BYTES], signature[crypto_sign_BYTES];
	struct str text;
	struct buf b;

	assert_true(base64url_read(f->arena, str_of(client), &text));
	crypto_hash_sha256(hash, (const unsigned char *)text.p, text.n);
	buf_init(&b, f->arena, 1 << 20);
	buf_add(&b, data.p, data.n);
	buf_add(&b, (const char *)hash, sizeof(hash));
	crypto_sign_detached(signature, NULL, (const unsigned char *)b.p, b.n, d->secret);
	return (struct passkey_answer){ client, base64url(f->arena, data), base64url(f->arena, (struct str){ (const char *)signature, sizeof(signature) }) };
}

/* What octavo-passkey says of a new key; NULL: it is read. It must be able to answer. */
static const char *
read_new(struct fixture *f, struct str data, struct passkey *out)
{
	const char *why;
	bool broken;

	why = passkey_read_new(f->arena, &set, &(struct passkey_answer){ .authenticator = base64url(f->arena, data) }, out, &broken);
	assert_false(broken);
	return why;
}

static struct passkey
make_passkey(struct fixture *f, const struct device *d, unsigned count)
{
	struct passkey k = { .account = f->user };

	assert_null(read_new(f, data_of(f, d, host, PRESENT | VERIFIED | KEY, count), &k));
	return k;
}

static const char *
check(struct fixture *f, const struct passkey *k, struct passkey_answer in, int64_t *count)
{
	const char *why;
	bool broken;

	why = passkey_check(f->arena, &set, k, &in, count, &broken);
	assert_false(broken);
	return why;
}

/* ---- the host ---- */

static void
passkeys_take_a_name_with_https_or_localhost(void **state)
{
	static const struct { const char *url, *host; } table[] = {
		{ "https://docs.example.com", "docs.example.com" }, { "https://docs.example.com:8443/manual", "docs.example.com" },
		{ "https://Docs.Example.COM", "docs.example.com" }, { "http://localhost:8080", "localhost" }, { "https://localhost/a", "localhost" },
		{ "http://docs.localhost", "docs.localhost" }, { "http://docs.example.com", NULL }, { "http://localhost.example.com", NULL },
		{ "https://192.0.2.7", NULL }, { "http://127.0.0.1:8080", NULL }, { "https://[::1]:8080", NULL }, { "ftp://localhost", NULL },
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		char *got = passkey_host(f->arena, &(struct settings){ .url = table[i].url });

		if (table[i].host == NULL)
			assert_null(got);
		else
			assert_string_equal(got, table[i].host);
	}
}

static void
passkeys_are_offered_where_their_program_is(void **state)
{
	struct settings here = { .url = "https://docs.example.com" }, nowhere = { .url = "http://docs.example.com" };
	struct fixture *f = *state;

	assert_true(passkey_can(f->arena, &here));
	assert_false(passkey_can(f->arena, &nowhere));
	programs_in("/nonexistent");
	assert_false(passkey_can(f->arena, &here));
	use_built_programs(f);
}

/* ---- flows and client data ---- */

static void
a_flow_belongs_to_passkeys_and_to_one_session(void **state)
{
	struct fixture *f = *state;
	struct flow in_session = passkey_begin(f->arena, "s1", 0), sign_in = passkey_begin(f->arena, "", 0);
	struct flow other = flow_make(f->arena, "passkey", "https://id.example", 0);

	assert_true(passkey_is_flow(&in_session, "s1"));
	assert_false(passkey_is_flow(&in_session, "s2"));
	assert_false(passkey_is_flow(&in_session, ""));
	assert_true(passkey_is_flow(&sign_in, ""));
	assert_false(passkey_is_flow(&sign_in, "s1"));
	assert_false(passkey_is_flow(&other, ""));
	assert_string_not_equal(in_session.state, sign_in.state);
}

static void
client_data_are_of_the_kind_the_challenge_and_the_origin(void **state)
{
	static const char *const origins[] = { "http://docs.example.com", "https://docs.example.com:8443", "https://docs.example.com/",
		"https://docs.example.com/manual", "https://example.com", "https://a.docs.example.com", "https://docs.example.com.evil.example",
		"https://docs.example.co", "null", "" };
	static const char here[] = "https://docs.example.com";
	struct settings capitals = { .url = "https://Docs.Example.COM" };
	struct fixture *f = *state;

	assert_null(fault_of(f, good_client(f)));
	assert_null(passkey_client_fault(f->arena, &capitals, good_client(f), "webauthn.get", challenge));
	assert_null(fault_of(f, client_of(f, "webauthn.get", challenge, here, ",\"crossOrigin\":false,\"new\":{\"a\":[1]}")));
	assert_non_null(strstr(fault_of(f, client_of(f, "webauthn.create", challenge, here, "")), "something else"));
	assert_non_null(strstr(fault_of(f, client_of(f, "webauthn.get", "ocf_another", here, "")), "another page"));
	assert_non_null(strstr(fault_of(f, client_of(f, "webauthn.get", "", here, "")), "another page"));
	for (size_t i = 0; i < sizeof(origins) / sizeof(origins[0]); i++)
		assert_non_null(strstr(fault_of(f, client_of(f, "webauthn.get", challenge, origins[i], "")), "another address"));
	assert_non_null(strstr(fault_of(f, client_of(f, "webauthn.get", challenge, here, ",\"crossOrigin\":true")), "within another one"));
}

static void
client_data_that_are_no_json_are_refused(void **state)
{
	static const char *const texts[] = { "", "{", "[]x", "\xff", "{\"type\":\"webauthn.get\"", "{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":1}}}}}",
		"{\"a\":\"\\u0000\"}" };
	struct fixture *f = *state;
	char *large = arena_bytes(f->arena, 20000);

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_non_null(strstr(fault_of(f, base64url(f->arena, str_of(texts[i]))), "cannot be read"));
	assert_non_null(strstr(fault_of(f, "no base64url!"), "cannot be read"));
	memset(large, 'A', 19999);
	large[19999] = '\0';
	assert_non_null(strstr(fault_of(f, large), "cannot be read"));
	/* JSON, but no object with these members. */
	assert_non_null(fault_of(f, base64url(f->arena, str_of("[1]"))));
	assert_non_null(fault_of(f, base64url(f->arena, str_of("{\"type\":7}"))));
}

/* ---- devices ---- */

static void
a_device_that_made_a_key_signs_in_by_it(void **state)
{
	struct fixture *f = *state;
	struct device d = make_device(), other = make_device();
	struct passkey k = make_passkey(f, &d, 7);
	struct str data = data_of(f, &d, host, PRESENT | VERIFIED, 8);
	struct passkey_answer in = answer_of(f, &d, data, good_client(f));
	int64_t count;

	assert_int_equal(k.kind, EDDSA);
	assert_int_equal(k.count, 7);
	assert_string_equal(k.credential, base64url(f->arena, d.id));
	assert_null(check(f, &k, in, &count));
	assert_int_equal(count, 8);
	/* Neither another key, nor other client data, nor other data, nor no signature. */
	assert_non_null(strstr(check(f, &k, answer_of(f, &other, data, good_client(f)), &count), "signature"));
	in.client = client_of(f, "webauthn.get", "ocf_another", "https://docs.example.com", "");
	assert_non_null(strstr(check(f, &k, in, &count), "signature"));
	in = answer_of(f, &d, data, good_client(f));
	in.authenticator = base64url(f->arena, data_of(f, &d, host, PRESENT | VERIFIED, 9));
	assert_non_null(strstr(check(f, &k, in, &count), "signature"));
	in = answer_of(f, &d, data, good_client(f));
	in.signature = "";
	assert_non_null(check(f, &k, in, &count));
	/* Nor a key of another kind. */
	k.kind = -7;
	assert_non_null(check(f, &k, answer_of(f, &d, data, good_client(f)), &count));
}

static void
another_host_and_a_person_who_was_not_verified_are_refused(void **state)
{
	struct fixture *f = *state;
	struct device d = make_device();
	struct passkey k = make_passkey(f, &d, 0), unread;
	int64_t count;

	assert_non_null(strstr(check(f, &k, answer_of(f, &d, data_of(f, &d, "example.com", PRESENT | VERIFIED, 1), good_client(f)), &count), "another host"));
	assert_non_null(strstr(check(f, &k, answer_of(f, &d, data_of(f, &d, host, PRESENT, 1), good_client(f)), &count), "not verified"));
	assert_non_null(check(f, &k, answer_of(f, &d, data_of(f, &d, host, VERIFIED, 1), good_client(f)), &count));
	assert_non_null(strstr(read_new(f, data_of(f, &d, "example.com", PRESENT | VERIFIED | KEY, 1), &unread), "another host"));
	assert_non_null(strstr(read_new(f, data_of(f, &d, host, PRESENT | KEY, 1), &unread), "not verified"));
	assert_non_null(read_new(f, data_of(f, &d, host, PRESENT | VERIFIED, 1), &unread));
}

/* Octavo takes the authenticator data alone: what a device says of its kind (attestation) is no part of them. */
static void
data_that_are_no_new_key_are_refused(void **state)
{
	static const char packed[] = "\xa3" "cfmt" "fpacked" "gattStmt" "\xa2" "calg" "\x26" "csig" "\x41\x00" "hauthData" "\x58\xff";
	struct fixture *f = *state;
	struct device d = make_device();
	struct str good = data_of(f, &d, host, PRESENT | VERIFIED | KEY, 1);
	struct passkey unread;
	char *bytes;

	assert_non_null(read_new(f, (struct str){ "", 0 }, &unread));
	assert_non_null(read_new(f, str_of(arena_printf(f->arena, "%s%.*s", packed, 300, "x")), &unread));
	/* Each byte of the key's CBOR map and its length, and what follows it. */
	for (size_t i = 53; i < good.n - 32; i += 5) {
		bytes = arena_strndup(f->arena, good.p, good.n);
		bytes[i] = (char)(bytes[i] ^ 0x5a);
		if (i < 55 || i >= 55 + d.id.n)
			assert_non_null(read_new(f, (struct str){ bytes, good.n }, &unread));
	}
	assert_non_null(read_new(f, str_slice(good, 0, good.n - 1), &unread));
	bytes = arena_bytes(f->arena, 11000);
	memset(bytes, 0x5f, 11000);
	memcpy(bytes, good.p, 55);
	assert_non_null(read_new(f, (struct str){ bytes, 11000 }, &unread));
}

static void
an_id_of_a_key_has_at_most_1023_bytes(void **state)
{
	struct fixture *f = *state;
	struct device d = make_device();
	struct passkey k;

	d.id = (struct str){ memset(arena_bytes(f->arena, LONGEST_ID + 1), 'i', LONGEST_ID + 1), LONGEST_ID };
	assert_null(read_new(f, data_of(f, &d, host, PRESENT | VERIFIED | KEY, 1), &k));
	d.id.n++;
	assert_non_null(strstr(read_new(f, data_of(f, &d, host, PRESENT | VERIFIED | KEY, 1), &k), "1,023 bytes"));
}

/* ---- the program ---- */

static void
program_prints(struct fixture *f, const char *text)
{
	char *path = arena_printf(f->arena, "%s/octavo-passkey", f->dir);
	FILE *script = fopen(path, "w");

	assert_non_null(script);
	fprintf(script, "#!/bin/sh\ncat >/dev/null\nprintf '%%s' '%s'\n", text);
	fclose(script);
	assert_int_equal(chmod(path, 0700), 0);
	programs_in(f->dir);
}

static void
a_program_that_cannot_answer_is_not_the_device_s_fault(void **state)
{
	static const char *const printed[] = { "", "nonsense", "{\"count\":" };
	struct fixture *f = *state;
	struct device d = make_device();
	struct passkey k = make_passkey(f, &d, 1), unread;
	struct passkey_answer in = answer_of(f, &d, data_of(f, &d, host, PRESENT | VERIFIED, 2), good_client(f));
	int64_t count;
	bool broken;

	programs_in(f->dir);
	assert_non_null(strstr(passkey_check(f->arena, &set, &k, &in, &count, &broken), "an admin"));
	assert_true(broken);
	for (size_t i = 0; i < sizeof(printed) / sizeof(printed[0]); i++) {
		program_prints(f, printed[i]);
		broken = false;
		assert_non_null(passkey_check(f->arena, &set, &k, &in, &count, &broken));
		assert_true(broken);
		broken = false;
		assert_non_null(passkey_read_new(f->arena, &set, &in, &unread, &broken));
		assert_true(broken);
	}
	/* An answer that lacks what it must contain is none. */
	program_prints(f, "{}");
	assert_non_null(passkey_check(f->arena, &set, &k, &in, &count, &broken));
	broken = false;
	assert_non_null(passkey_read_new(f->arena, &set, &in, &unread, &broken));
	assert_true(broken);
	use_built_programs(f);
}

/* ---- the table ---- */

static struct passkey
stored(struct fixture *f, const char *id, int64_t count)
{
	struct passkey k = { .account = f->user, .kind = EDDSA, .credential = base64url(f->arena, str_of(id)), .key = "AAAA", .count = count };

	assert_true(passkey_add(f->db, f->arena, host, "Phone", &k));
	return k;
}

static void
counters_advance_or_stay_0(void **state)
{
	struct fixture *f = *state;
	struct passkey none, counts;

	db_begin(f->db, true);
	none = stored(f, "none", 0);
	counts = stored(f, "counts", 5);
	assert_true(passkey_use(f->db, &none, 0));
	assert_true(passkey_use(f->db, &none, 0));
	assert_true(passkey_use(f->db, &none, 1));
	assert_false(passkey_use(f->db, &none, 0));
	assert_false(passkey_use(f->db, &counts, 5));
	assert_false(passkey_use(f->db, &counts, 4));
	assert_false(passkey_use(f->db, &counts, 0));
	assert_true(passkey_use(f->db, &counts, 6));
	assert_true(passkey_use(f->db, &counts, UINT32_MAX));
	assert_false(passkey_use(f->db, &(struct passkey){ .id = "deleted" }, 9));
	db_commit(f->db);
}

static void
a_passkey_is_found_at_its_host_alone(void **state)
{
	struct fixture *f = *state;
	struct passkey k, found, again;

	db_begin(f->db, true);
	k = stored(f, "mine", 3);
	again = k;
	assert_true(passkey_find(f->db, f->arena, host, k.credential, &found));
	assert_string_equal(found.account, f->user);
	assert_string_equal(found.id, k.id);
	assert_string_equal(found.key, "AAAA");
	assert_int_equal(found.kind, EDDSA);
	assert_int_equal(found.count, 3);
	assert_false(passkey_find(f->db, f->arena, "other.example.com", k.credential, &found));
	assert_false(passkey_find(f->db, f->arena, host, "AAAA", &found));
	assert_false(passkey_find(f->db, f->arena, host, "no base64url!", &found));
	assert_false(passkey_add(f->db, f->arena, host, "Again", &again));
	assert_true(passkey_add(f->db, f->arena, "other.example.com", "Phone", &again));
	again.key = "no base64url!";
	assert_false(passkey_add(f->db, f->arena, "third.example.com", "Phone", &again));
	db_commit(f->db);
}

static int
passkey_setup(void **state)
{
	int rc = db_setup(state);

	use_built_programs(*state);
	return rc;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(passkeys_take_a_name_with_https_or_localhost),
		cmocka_unit_test(passkeys_are_offered_where_their_program_is),
		cmocka_unit_test(a_flow_belongs_to_passkeys_and_to_one_session),
		cmocka_unit_test(client_data_are_of_the_kind_the_challenge_and_the_origin),
		cmocka_unit_test(client_data_that_are_no_json_are_refused),
		cmocka_unit_test(a_device_that_made_a_key_signs_in_by_it),
		cmocka_unit_test(another_host_and_a_person_who_was_not_verified_are_refused),
		cmocka_unit_test(data_that_are_no_new_key_are_refused),
		cmocka_unit_test(an_id_of_a_key_has_at_most_1023_bytes),
		cmocka_unit_test(a_program_that_cannot_answer_is_not_the_device_s_fault),
		cmocka_unit_test(counters_advance_or_stay_0),
		cmocka_unit_test(a_passkey_is_found_at_its_host_alone),
	};

	return cmocka_run_group_tests(tests, passkey_setup, db_teardown);
}
