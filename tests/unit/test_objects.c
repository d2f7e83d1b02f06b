/* Settings of an object store, and signed addresses. Requests are tested by tests/http/test_objects.sh. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "objects/objects.h"

/* Values that get() returns, by name; NULL: not set. */
static struct { const char *name, *value; } values[] = { { "OCTAVO_BLOBS_ENDPOINT", NULL }, { "OCTAVO_BLOBS_REGION", NULL },
	{ "OCTAVO_BLOBS_KEY", NULL }, { "OCTAVO_BLOBS_SECRET", NULL }, { "OCTAVO_BLOBS_SECRET_FILE", NULL }, { "OCTAVO_BLOBS_SEND", NULL },
	{ "OCTAVO_BLOBS", NULL } };
enum { VALUES = sizeof(values) / sizeof(values[0]) };

static const char *
get(const char *name)
{
	for (size_t i = 0; i < VALUES; i++)
		if (strcmp(values[i].name, name) == 0)
			return values[i].value;
	fail_msg("%s is read", name);
	return NULL;
}

static void
set(const char *name, const char *value)
{
	for (size_t i = 0; i < VALUES; i++)
		if (strcmp(values[i].name, name) == 0)
			values[i].value = value;
}

static int
setup(void **state)
{
	for (size_t i = 0; i < VALUES; i++)
		values[i].value = NULL;
	set("OCTAVO_BLOBS_ENDPOINT", "https://store.example:9000/");
	set("OCTAVO_BLOBS_REGION", "eu-test");
	set("OCTAVO_BLOBS_KEY", "AKID");
	set("OCTAVO_BLOBS_SECRET", "sec/ret+1");
	*state = arena_new(1 << 20);
	return 0;
}

static int
teardown(void **state)
{
	arena_free(*state);
	return 0;
}

static void
settings_are_read(void **state)
{
	const char *error;
	struct objects_settings *s = objects_settings_read(*state, "s3://bucket/pre/fix/", get, &error);

	assert_null(error);
	assert_string_equal(s->endpoint, "https://store.example:9000");
	assert_string_equal(s->bucket, "bucket");
	assert_string_equal(s->prefix, "pre/fix/");
	assert_string_equal(s->secret, "sec/ret+1");
	assert_string_equal(objects_plain_address(*state, s, "ab/cd"), "https://store.example:9000/bucket/pre/fix/ab/cd");
	assert_string_equal(objects_plain_address(*state, s, NULL), "https://store.example:9000/bucket");
	s = objects_settings_read(*state, "s3://bucket", get, &error);
	assert_string_equal(s->prefix, "");
	set("OCTAVO_BLOBS_ENDPOINT", "");
	s = objects_settings_read(*state, "s3://bucket/", get, &error);
	assert_string_equal(s->endpoint, "https://s3.eu-test.amazonaws.com");
	assert_string_equal(s->prefix, "");
	set("OCTAVO_BLOBS_ENDPOINT", "http://127.0.0.1:9000");
	assert_non_null(objects_settings_read(*state, "s3://bucket", get, &error));
}

static void
refused(struct arena *a, const char *address, const char *name, const char *value, const char *why)
{
	const char *error, *before = get(name);

	set(name, value);
	assert_null(objects_settings_read(a, address, get, &error));
	if (strstr(error, why) == NULL)
		fail_msg("\"%s\" has no \"%s\"", error, why);
	set(name, before);
}

static void
wrong_settings_are_refused(void **state)
{
	static const char *const addresses[] = { "bucket", "https://bucket", "s3://", "s3:///x", "s3://a b", "s3://b/x y", "s3://b/a//b", "s3://b/%41" };
	struct arena *a = *state;

	for (size_t i = 0; i < sizeof(addresses) / sizeof(addresses[0]); i++)
		refused(a, addresses[i], "OCTAVO_BLOBS_KEY", "AKID", "OCTAVO_BLOBS: ");
	refused(a, "s3://b", "OCTAVO_BLOBS_ENDPOINT", "http://store.example", "does not begin with https://");
	refused(a, "s3://b", "OCTAVO_BLOBS_ENDPOINT", "store.example", "does not begin with https://");
	refused(a, "s3://b", "OCTAVO_BLOBS_ENDPOINT", "https://store.example/path", "more than a host");
	refused(a, "s3://b", "OCTAVO_BLOBS_ENDPOINT", "https://user@store.example", "more than a host");
	refused(a, "s3://b", "OCTAVO_BLOBS_REGION", "eu test", "OCTAVO_BLOBS_REGION");
	refused(a, "s3://b", "OCTAVO_BLOBS_KEY", NULL, "OCTAVO_BLOBS_KEY");
	refused(a, "s3://b", "OCTAVO_BLOBS_SECRET", NULL, "OCTAVO_BLOBS_SECRET");
	refused(a, "s3://b", "OCTAVO_BLOBS_SECRET_FILE", "/nonexistent/secret", "/nonexistent/secret cannot be read");
	refused(a, "s3://b", "OCTAVO_BLOBS_SEND", "both", "neither node nor store");
}

/* The expected signature was computed by another program, from the rules of AWS. */
static void
addresses_are_signed(void **state)
{
	const char *error;
	struct objects_settings *s = objects_settings_read(*state, "s3://bucket/pre/fix", get, &error);

	assert_string_equal(objects_address(*state, s, "ab/cd", "text/plain; charset=utf-8", "inline; filename=\"a b.txt\"", INT64_C(1795905600000)),
	    "https://store.example:9000/bucket/pre/fix/ab/cd?X-Amz-Algorithm=AWS4-HMAC-SHA256"
	    "&X-Amz-Credential=AKID%2F20261128%2Feu-test%2Fs3%2Faws4_request&X-Amz-Date=20261128T224000Z&X-Amz-Expires=300"
	    "&X-Amz-SignedHeaders=host&response-content-disposition=inline%3B%20filename%3D%22a%20b.txt%22"
	    "&response-content-type=text%2Fplain%3B%20charset%3Dutf-8"
	    "&X-Amz-Signature=7d1527421456a58b94804459f0f1bacc47601ce01892e7a2acf69ae309046204");
}

static void
readers_get_files_from_the_store_by_a_setting(void **state)
{
	assert_null(objects_origin(*state, get));
	set("OCTAVO_BLOBS_SEND", "store");
	assert_null(objects_origin(*state, get));
	set("OCTAVO_BLOBS", "s3://bucket");
	assert_string_equal(objects_origin(*state, get), "https://store.example:9000");
	set("OCTAVO_BLOBS_SEND", "node");
	assert_null(objects_origin(*state, get));
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(settings_are_read), TEST(wrong_settings_are_refused), TEST(addresses_are_signed),
		TEST(readers_get_files_from_the_store_by_a_setting),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
