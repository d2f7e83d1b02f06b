/* Lists of addresses, and whom a request comes from behind trusted proxies. */
#include "arena_fixture.h"

#include "base/address.h"

static void
lists(void **state)
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
clients(void **state)
{
	static const struct {
		const char *proxies, *peer, *forwarded, *client;
	} rows[] = {
		{ "", "127.0.0.1", "203.0.113.9", "127.0.0.1" },
		{ "127.0.0.1", "127.0.0.1", NULL, "127.0.0.1" },
		{ "127.0.0.1", "127.0.0.1", "", "127.0.0.1" },
		{ "127.0.0.1", "127.0.0.1", "203.0.113.9", "203.0.113.9" },
		{ "127.0.0.1", "127.0.0.1", "203.0.113.9 ", "203.0.113.9" },
		/* What the client wrote itself stands first. */
		{ "127.0.0.1", "127.0.0.1", "198.51.100.1, 203.0.113.9", "203.0.113.9" },
		{ "127.0.0.1", "192.0.2.1", "203.0.113.9", "192.0.2.1" },
		{ "127.0.0.1 10.0.0.0/8", "127.0.0.1", "198.51.100.1, 203.0.113.9,10.0.0.7", "203.0.113.9" },
		/* All of it trusted: the first of them. */
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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(lists, set_up, tear_down),
		cmocka_unit_test_setup_teardown(clients, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("address", tests, NULL, NULL);
}
