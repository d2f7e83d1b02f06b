/* Lists of addresses, and the client's address when trusted proxies forward the request. */
#include "arena_fixture.h"

#include "base/address.h"

static void
the_first_faulty_address_is_named(void **state)
{
	struct arena *a = arena;

	(void)state;
	assert_null(address_list_fault(a, ""));
	assert_null(address_list_fault(a, "127.0.0.1, ::1  10.0.0.0/8,2001:db8::/32 0.0.0.0/0"));
	assert_string_equal(address_list_fault(a, "127.0.0.1 proxy"), "proxy");
	assert_string_equal(address_list_fault(a, "10.0.0.0/33"), "10.0.0.0/33");
	assert_string_equal(address_list_fault(a, "10.0.0.0/"), "10.0.0.0/");
	assert_string_equal(address_list_fault(a, "10.0.0.0/-1"), "10.0.0.0/-1");
	assert_string_equal(address_list_fault(a, "10.0.0.0/8x"), "10.0.0.0/8x");
	assert_string_equal(address_list_fault(a, "::/129"), "::/129");
	assert_non_null(address_list_fault(a, "0000000000000000000000000000000000000000000000000000000000000000000001"));
	assert_true(address_listed("10.0.0.0/8", "10.255.1.2"));
	assert_false(address_listed("10.0.0.0/8", "11.0.0.1"));
	assert_true(address_listed("192.168.4.0/22", "192.168.7.255"));
	assert_false(address_listed("192.168.4.0/22", "192.168.8.0"));
	assert_true(address_listed("127.0.0.1", "::ffff:127.0.0.1"));
	assert_true(address_listed("0.0.0.0/0", "203.0.113.9"));
	assert_false(address_listed("0.0.0.0/0", "2001:db8::1"));
	assert_true(address_listed("2001:db8::/33", "2001:db8:7fff::1"));
	assert_false(address_listed("2001:db8::/33", "2001:db8:8000::1"));
	assert_false(address_listed("", "127.0.0.1"));
	assert_false(address_listed("0.0.0.0/0 ::/0", "unix:"));
}

static void
a_client_is_read_behind_trusted_proxies(void **state)
{
	static const struct {
		const char *proxies, *peer, *forwarded, *client;
	} rows[] = {
		{ "", "127.0.0.1", "203.0.113.9", "127.0.0.1" },
		{ "127.0.0.1", "127.0.0.1", NULL, "127.0.0.1" },
		{ "127.0.0.1", "127.0.0.1", "", "127.0.0.1" },
		{ "127.0.0.1", "127.0.0.1", "203.0.113.9", "203.0.113.9" },
		{ "127.0.0.1", "127.0.0.1", "203.0.113.9 ", "203.0.113.9" },
		/* The first entries of X-Forwarded-For may be forged by the client. */
		{ "127.0.0.1", "127.0.0.1", "198.51.100.1, 203.0.113.9", "203.0.113.9" },
		{ "127.0.0.1", "192.0.2.1", "203.0.113.9", "192.0.2.1" },
		{ "127.0.0.1 10.0.0.0/8", "127.0.0.1", "198.51.100.1, 203.0.113.9,10.0.0.7", "203.0.113.9" },
		/* If all addresses are trusted, the first one is used. */
		{ "127.0.0.1 10.0.0.0/8", "127.0.0.1", "10.0.0.6, 10.0.0.7", "10.0.0.6" },
		{ "127.0.0.1", "127.0.0.1", "198.51.100.1, unknown", "127.0.0.1" },
		{ "127.0.0.1", "127.0.0.1", ",,", "127.0.0.1" },
		{ "::1", "::1", "2001:db8::7", "2001:db8::7" },
		{ "127.0.0.1", NULL, "203.0.113.9", NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *got = address_client(arena, rows[i].proxies, rows[i].peer, rows[i].forwarded);

		if (rows[i].client == NULL)
			assert_null(got);
		else
			assert_string_equal(got, rows[i].client);
	}
}

static void
private_urls_are_refused_with_a_reason(void **state)
{
	static const char *const good[] = { "https://example.com", "https://example.com/", "http://example.com?x=1",
		"HTTP://Example.com:8080/a?b=c&d#e", "https://a_b.example-c.org./x", "https://93.184.216.34/", "https://example.com:/",
		"https://[2606:2800:220:1::1]:443/x", "https://example.com/@me?to=a@b" };
	static const struct { const char *url, *why; } bad[] = {
		{ "", "http://" }, { "example.com", "http://" }, { "//example.com/", "http://" }, { "file:///etc/passwd", "http://" },
		{ "ftp://example.com/", "http://" }, { "https://", "no host" }, { "https://?x", "no host" }, { "https://:80/", "no host" },
		{ "https://me@example.com/", "user" }, { "https://me:pw@example.com/", "user" }, { "https://example.com:@x/", "user" },
		{ "https://example.com/a b", "blank" }, { "https://example.com/a\nb", "blank" }, { "https://example.com:0/", "port" },
		{ "https://example.com:65536/", "port" }, { "https://example.com:8x/", "port" }, { "https://[::1]x/", "port" },
		{ "https://ex\xc3\xa4mple.com/", "xn--" }, { "https://a%2eb/", "xn--" }, { "https://a\\b/", "xn--" }, { "https://[::1/", "IPv6" },
		{ "https://[a.example]/", "IPv6" },
		{ "https://[fe80::1%25eth0]/", "IPv6" }, { "https://-a.example/", "xn--" },
		{ "http://localhost/", "this machine" }, { "http://X.LocalHost./", "this machine" }, { "http://127.0.0.1:80?x", "this machine" },
		{ "http://0x7f.1/", "this machine" }, { "http://2130706433/", "this machine" }, { "http://[::1]/", "this machine" },
		{ "http://[::ffff:10.0.0.1]/", "private" }, { "http://169.254.169.254/latest", "link-local" } };
	const char *why;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		if ((why = address_refuse_url(arena, good[i], false)) != NULL)
			fail_msg("%s: %s", good[i], why);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if ((why = address_refuse_url(arena, bad[i].url, false)) == NULL || strstr(why, bad[i].why) == NULL)
			fail_msg("%s: %s", bad[i].url, why != NULL ? why : "accepted");
	assert_null(address_refuse_url(arena, "http://127.0.0.1:8080?x=1", true));
	assert_null(address_refuse_url(arena, "http://localhost/", true));
	assert_non_null(address_refuse_url(arena, "http://u:p@localhost/", true));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_first_faulty_address_is_named, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_client_is_read_behind_trusted_proxies, set_up, tear_down),
		cmocka_unit_test_setup_teardown(private_urls_are_refused_with_a_reason, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("address", tests, NULL, NULL);
}
