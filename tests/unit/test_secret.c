/* Ids, tokens, signatures, sealed boxes, and the two encodings. */
#include "db_fixture.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

static struct str
bytes(struct arena *a, size_t n)
{
	char *p = arena_alloc(a, n + 1);
	size_t i;

	for (i = 0; i < n; i++)
		p[i] = (char)(i * 7 + n);
	return (struct str){ p, n };
}

static struct str
flipped(struct arena *a, struct str s, size_t bit)
{
	char *p = arena_strndup(a, s.p, s.n);

	p[bit / 8] = (char)(p[bit / 8] ^ 1 << bit % 8);
	return (struct str){ p, s.n };
}

static void
ids_and_tokens_are_random(void **state)
{
	struct fixture *f = *state;
	char *last = arena_strdup(f->arena, ""), *id;
	int i;

	for (i = 0; i < 1000; i++) {
		id = secret_id(f->arena);
		assert_int_equal(strlen(id), ID_CHARS);
		assert_int_equal(strspn(id, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"), ID_CHARS);
		assert_string_not_equal(id, last);
		last = id;
	}
	id = secret_token(f->arena);
	assert_int_equal(strncmp(id, "oct_", 4), 0);
	assert_int_equal(strlen(id), 4 + 43);
	assert_string_not_equal(id, secret_token(f->arena));
}

static void
a_signature_verifies_its_text_alone(void **state)
{
	struct fixture *f = *state;
	struct arena *a = f->arena;
	struct str text = STR("space/hash/1/name");
	char *mac = secret_sign(a, SECRET_DOWNLOAD, text);
	size_t bit;

	assert_int_equal(strlen(mac), 22);
	assert_true(secret_verify(a, SECRET_DOWNLOAD, text, str_of(mac)));
	assert_string_equal(mac, secret_sign(a, SECRET_DOWNLOAD, text));
	/* Invalid for another purpose or text. */
	assert_false(secret_verify(a, SECRET_PAGE, text, str_of(mac)));
	for (bit = 0; bit < text.n * 8; bit++)
		assert_false(secret_verify(a, SECRET_DOWNLOAD, flipped(a, text, bit), str_of(mac)));
	for (bit = 0; bit < 22 * 8; bit++)
		assert_false(secret_verify(a, SECRET_DOWNLOAD, text, flipped(a, str_of(mac), bit)));
	assert_false(secret_verify(a, SECRET_DOWNLOAD, text, STR("")));
	assert_false(secret_verify(a, SECRET_DOWNLOAD, text, (struct str){ mac, 21 }));
	assert_false(secret_verify(a, SECRET_DOWNLOAD, text, str_of(arena_printf(a, "%sA", mac))));
	assert_false(secret_verify(a, SECRET_DOWNLOAD, (struct str){ text.p, text.n - 1 }, str_of(mac)));
}

static void
a_derived_text_belongs_to_its_secret_and_purpose_alone(void **state)
{
	struct fixture *f = *state;
	struct arena *a = f->arena;
	const char *secret = secret_named(a, "ocs_"), *text = secret_derive(a, SECRET_CSRF, secret);

	assert_int_equal(strlen(text), 22);
	assert_true(secret_is_derived(a, SECRET_CSRF, secret, text));
	assert_false(secret_is_derived(a, SECRET_FLOW, secret, text));
	assert_false(secret_is_derived(a, SECRET_CSRF, secret_named(a, "ocs_"), text));
	for (size_t bit = 0; bit < 22 * 8; bit++)
		assert_false(secret_is_derived(a, SECRET_CSRF, secret, arena_strndup(a, flipped(a, str_of(text), bit).p, 22)));
	assert_false(secret_is_derived(a, SECRET_CSRF, secret, ""));
	assert_false(secret_is_derived(a, SECRET_CSRF, secret, arena_printf(a, "%sA", text)));
	/* Whoever reads the database, which has the hash of the secret, has no part of it. */
	assert_null(strstr(base64url(a, hash_of(a, str_of(secret))), arena_strndup(a, text, 8)));
}

static void
a_box_opens_with_its_key_alone(void **state)
{
	static const size_t sizes[] = { 0, 1, 15, 16, 17, 1000, 100000 };
	struct fixture *f = *state;
	struct arena *a = f->arena;
	struct str plain, box, out;
	size_t i, bit;

	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		plain = bytes(a, sizes[i]);
		box = secret_seal(a, SECRET_GIT, plain);
		assert_true(secret_unseal(a, SECRET_GIT, box, &out));
		assert_true(str_eq(plain, out));
		assert_false(secret_unseal(a, SECRET_JWT, box, &out));
		/* Sealing the same text twice gives different boxes. */
		assert_false(str_eq(box, secret_seal(a, SECRET_GIT, plain)));
		for (bit = 0; bit < box.n * 8 && bit < 800; bit++)
			assert_false(secret_unseal(a, SECRET_GIT, flipped(a, box, bit), &out));
	}
	box = secret_seal(a, SECRET_GIT, STR("hunter2"));
	for (i = 0; i < box.n; i++)
		assert_false(secret_unseal(a, SECRET_GIT, (struct str){ box.p, i }, &out));
	assert_null(memmem(box.p, box.n, "hunter2", 7));
	box = secret_seal_with(a, STR("oct_one"), STR("answer"));
	assert_true(secret_unseal_with(a, STR("oct_one"), box, &out));
	assert_true(str_is(out, "answer"));
	assert_false(secret_unseal_with(a, STR("oct_two"), box, &out));
	assert_false(secret_unseal_with(a, STR(""), box, &out));
	assert_false(secret_unseal_with(a, STR("oct_one"), STR(""), &out));
}

static void
base64_and_hex_are_strict(void **state)
{
	struct fixture *f = *state;
	struct arena *a = f->arena;
	static const char *const not_base64[] = { "A", "AAAAA", "A=", "AA==", "A A", "AA+A", "AA/A", "AA\n", "\xff" };
	static const char *const not_hex[] = { "a", "0g", "0x", " 0", "\xff\xff" };
	struct str plain, out;
	size_t i;

	for (i = 0; i < 200; i++) {
		plain = bytes(a, i);
		assert_true(base64url_read(a, str_of(base64url(a, plain)), &out));
		assert_true(str_eq(plain, out));
		assert_true(hex_read(a, str_of(hex(a, plain)), &out));
		assert_true(str_eq(plain, out));
	}
	assert_string_equal(base64url(a, STR("\xfb\xef\xff")), "--__");
	assert_string_equal(hex(a, STR("\x00\xff\x1a")), "00ff1a");
	for (i = 0; i < sizeof(not_base64) / sizeof(not_base64[0]); i++)
		if (base64url_read(a, str_of(not_base64[i]), &out))
			fail_msg("\"%s\" was read as base64url", not_base64[i]);
	for (i = 0; i < sizeof(not_hex) / sizeof(not_hex[0]); i++)
		if (hex_read(a, str_of(not_hex[i]), &out))
			fail_msg("\"%s\" was read as hexadecimal", not_hex[i]);
}

static void
a_key_file_is_read_and_checked(void **state)
{
	struct fixture *f = *state;
	char *path = arena_printf(f->arena, "%s/octavo.key", f->dir), *mac;
	static const char *const broken[] = { "", "00", "zz", "not a key file, but longer than sixty-four characters, be it noted" };
	struct stat st;
	FILE *file;
	size_t i;

	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	/* Signatures stay valid after a restart; creating the key again changes nothing. */
	mac = secret_sign(f->arena, SECRET_PAGE, STR("x"));
	assert_null(secret_create(f->arena, f->dir));
	assert_null(secret_open(f->arena, f->dir));
	assert_true(secret_verify(f->arena, SECRET_PAGE, STR("x"), str_of(mac)));
	for (i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
		file = fopen(path, "w");
		fputs(broken[i], file);
		fclose(file);
		assert_non_null(strstr(secret_open(f->arena, f->dir), path));
	}
	unlink(path);
	assert_non_null(secret_open(f->arena, f->dir));
	assert_null(secret_create(f->arena, f->dir));
	assert_false(secret_verify(f->arena, SECRET_PAGE, STR("x"), str_of(mac)));
}

static void
a_key_file_that_is_cut_short_is_removed_with_its_cause(void **state)
{
	struct fixture *f = *state;
	char *path = arena_printf(f->arena, "%s/octavo.key", f->dir);
	struct rlimit was, less;
	const char *error;

	unlink(path);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &was), 0);
	signal(SIGXFSZ, SIG_IGN);
	less = was;
	less.rlim_cur = 10;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &less), 0);
	errno = 0;
	error = secret_create(f->arena, f->dir);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &was), 0);
	signal(SIGXFSZ, SIG_DFL);
	assert_non_null(error);
	assert_non_null(strstr(error, strerror(ENOSPC)));
	assert_int_equal(access(path, F_OK), -1);
	assert_null(secret_create(f->arena, f->dir));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ids_and_tokens_are_random), cmocka_unit_test(a_signature_verifies_its_text_alone),
		cmocka_unit_test(a_derived_text_belongs_to_its_secret_and_purpose_alone),
		cmocka_unit_test(a_box_opens_with_its_key_alone),
		cmocka_unit_test(base64_and_hex_are_strict), cmocka_unit_test(a_key_file_is_read_and_checked),
		cmocka_unit_test(a_key_file_that_is_cut_short_is_removed_with_its_cause) };

	return cmocka_run_group_tests(tests, db_setup, db_teardown);
}
