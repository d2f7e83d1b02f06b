/* Which URLs, refs and addresses are accepted, and how a URL is split. Without network and repository. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../temp_dir.h"
#include "base/arena.h"
#include "git/git.h"

static struct arena *a;

static int
setup(void **state)
{
	(void)state;
	a = arena_new(4 << 20);
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	arena_free(a);
	return 0;
}

static void
a_url_is_split_into_its_parts(void **state)
{
	static const struct {
		const char *url, *clean, *user, *password;
	} rows[] = {
		{ "https://example.org/a.git", "https://example.org/a.git", NULL, NULL },
		{ "HTTPS://Example.ORG/A.git", "https://example.org/A.git", NULL, NULL },
		{ "https://tok@example.org/a", "https://example.org/a", "tok", NULL },
		{ "https://:pw@example.org/a", "https://example.org/a", NULL, "pw" },
		{ "https://u:@example.org/a", "https://example.org/a", "u", "" },
		{ "https://u%40x:p%3Aq%2F%25@example.org:8443/a/b.git", "https://example.org:8443/a/b.git", "u@x", "p:q/%" },
		{ "https://u:a:b@example.org/a", "https://example.org/a", "u", "a:b" },
		{ "http://[2001:DB8::1]:80/a", "http://[2001:db8::1]:80/a", NULL, NULL },
		{ "http://example.org:080/a", "http://example.org:80/a", NULL, NULL },
		{ "http://example.org:/a", "http://example.org/a", NULL, NULL },
		{ "ssh://git@example.org/a.git", "ssh://example.org/a.git", "git", NULL },
		{ "git@example.org:team/a.git", "ssh://example.org/team/a.git", "git", NULL },
		{ "git@example.org:/srv/a.git", "ssh://example.org/srv/a.git", "git", NULL },
		{ "git://example.org/a", "git://example.org/a", NULL, NULL },
		{ "/srv/docs.git", "file:///srv/docs.git", NULL, NULL },
		{ "/srv/a b:%41.git", "file:///srv/a%20b%3A%2541.git", NULL, NULL },
		{ "file:///srv/a%20b", "file:///srv/a%20b", NULL, NULL },
		{ "file://localhost/srv/a", "file:///srv/a", NULL, NULL },
	};
	const char *clean, *user, *password;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (!git_split_url(a, rows[i].url, &clean, &user, &password))
			fail_msg("%s: refused", rows[i].url);
		assert_string_equal(clean, rows[i].clean);
		assert_string_equal(user == NULL ? "-" : user, rows[i].user == NULL ? "-" : rows[i].user);
		assert_string_equal(password == NULL ? "-" : password, rows[i].password == NULL ? "-" : rows[i].password);
		/* A URL without credentials is unchanged. */
		assert_true(git_split_url(a, rows[i].clean, &clean, &user, &password));
		assert_string_equal(clean, rows[i].clean);
		assert_null(user);
		assert_null(password);
	}
}

static void
harmful_urls_are_refused(void **state)
{
	static const char *const urls[] = {
		"", " ", "-", "--upload-pack=touch /tmp/x", "-oProxyCommand=x", "ext::sh -c date", "EXT::sh", "Ext::sh",
		"ext://x/y", "fd::17", "ftp://example.org/a", "gopher://example.org/a", "javascript:alert(1)", "FILE:relative",
		"file://example.org/srv/a", "file:srv/a", "file://", "rsync://example.org/a", "git+ssh://example.org/a",
		"https:/example.org/a", "https:example.org/a", "https://", "https:///a", "https://example.org",
		"https://example.org/", "https://@/a", "https://u:p@/a", "//example.org/a\n", "example.org/a", "./a", "../a", "a",
		"example.org:a", "C:\\docs", "c:/docs", "u@ext::sh -c date", "u@ext::sh", "git@host:", "git@host:-x",
		"git@-oProxyCommand=x:a", "ssh://-oProxyCommand=x/a", "ssh://git@-oProxyCommand=x/a", "ssh://-x@example.org/a",
		"ssh://example.org/a'b", "ssh://example.org/a%27;id;%27", "ssh://example.org/$(id)", "https://exa mple.org/a",
		"https://example.org/a b", "https://example.org\\@evil.example/a", "https://a@b@example.org/a",
		"https://example.org/a?token=x", "https://example.org/a#b", "https://example.org?x/a", "https://example.org/a%0d%0aX",
		"https://example.org/a%00", "https://example.org/a%4", "https://example.org/a%zz", "https://u:p%00@example.org/a",
		"https://u:p%@example.org/a", "https://example.org/a\r\nHost: x", "https://example.org\t/a", "https://ex\x7f.org/a",
		"https://ex\xc3\xa9.org/a", "https://example.org/\xff\xfe", "https://example.org:0/a", "https://example.org:65536/a",
		"https://example.org:8x/a", "https://example.org:+80/a", "https://example.org: 80/a", "https://example.org:99999999999/a",
		"https://[::1/a", "https://[::1]x/a", "https://[::1%25eth0]/a", "https://[]/a", "https://.example.org/a",
		"git://u:p@example.org/a", "git://u@example.org/a", "http://%31%32%37.0.0.1/a", "http://127.0.0.1%2f@example.org/a\n",
	};
	const char *clean, *user, *password;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(urls) / sizeof(urls[0]); i++) {
		if (git_split_url(a, urls[i], &clean, &user, &password))
			fail_msg("'%s' was split into %s", urls[i], clean);
		if (git_refuse_url(a, urls[i], "", true) == NULL)
			fail_msg("'%s' was accepted", urls[i]);
	}
}

static void
long_urls_are_refused(void **state)
{
	char *s = arena_alloc(a, 1 << 20);

	(void)state;
	memset(s, 'a', (1 << 20) - 1);
	memcpy(s, "https://", 8);
	assert_non_null(git_refuse_url(a, s, "", true));
	s[300] = '\0';
	assert_non_null(git_refuse_url(a, s, "", true));
	memcpy(s + 100, "/", 1);
	assert_null(git_refuse_url(a, s, "", true));
}

static void
private_addresses_are_refused(void **state)
{
	static const char *const private[] = {
		"http://localhost/a", "http://LOCALHOST/a", "http://localhost./a", "http://a.localhost/a", "http://127.0.0.1/a",
		"http://127.255.255.254/a", "http://127.1/a", "http://0x7f.1/a", "http://0177.0.0.1/a", "http://2130706433/a",
		"http://0/a", "http://0.0.0.0/a", "http://10.1.2.3/a", "http://100.64.0.1/a", "http://169.254.169.254/a",
		"http://172.16.0.1/a", "http://172.31.255.255/a", "http://192.168.1.1/a", "http://192.0.0.1/a", "http://198.18.0.1/a",
		"http://224.0.0.1/a", "http://255.255.255.255/a", "http://[::]/a", "http://[::1]/a", "http://[::ffff:10.0.0.1]/a",
		"http://[::127.0.0.1]/a", "http://[fe80::1]/a", "http://[fc00::1]/a", "http://[fd12::1]/a", "http://[fec0::1]/a",
		"http://[ff02::1]/a", "http://[64:ff9b::10.0.0.1]/a", "http://[64:ff9b:1::1]/a", "http://[2002:a00:1::]/a",
		"http://[2001::1]/a", "http://[2001:db8::1]/a", "git@127.0.0.1:a", "ssh://git@[::1]/a", "git://10.0.0.1/a",
	};
	static const char *const public[] = {
		"http://example.org/a", "http://8.8.8.8/a", "http://172.32.0.1/a", "http://100.128.0.1/a", "http://11.0.0.1/a",
		"http://[2606:4700::1111]/a", "http://[::ffff:8.8.8.8]/a", "http://[64:ff9b::8.8.8.8]/a", "http://notlocalhost/a",
		"http://localhost.example.org/a", "git@github.com:a/b.git",
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(private) / sizeof(private[0]); i++) {
		if (git_refuse_url(a, private[i], NULL, false) == NULL)
			fail_msg("%s was accepted", private[i]);
		assert_null(git_refuse_url(a, private[i], NULL, true));
	}
	for (i = 0; i < sizeof(public) / sizeof(public[0]); i++)
		if (git_refuse_url(a, public[i], NULL, false) != NULL)
			fail_msg("%s: %s", public[i], git_refuse_url(a, public[i], NULL, false));
}

/* The first and the last address of each refused network, and their neighbours outside of it. */
static void
networks_are_refused_to_their_ends(void **state)
{
	static const struct { const char *before, *first, *last, *after; } nets[] = {
		{ NULL, "0.0.0.0", "0.255.255.255", "1.0.0.0" },
		{ "9.255.255.255", "10.0.0.0", "10.255.255.255", "11.0.0.0" },
		{ "100.63.255.255", "100.64.0.0", "100.127.255.255", "100.128.0.0" },
		{ "126.255.255.255", "127.0.0.0", "127.255.255.255", "128.0.0.0" },
		{ "169.253.255.255", "169.254.0.0", "169.254.255.255", "169.255.0.0" },
		{ "172.15.255.255", "172.16.0.0", "172.31.255.255", "172.32.0.0" },
		{ "191.255.255.255", "192.0.0.0", "192.0.0.255", "192.0.1.0" },
		{ "192.0.1.255", "192.0.2.0", "192.0.2.255", "192.0.3.0" },
		{ "192.88.98.255", "192.88.99.0", "192.88.99.255", "192.88.100.0" },
		{ "192.167.255.255", "192.168.0.0", "192.168.255.255", "192.169.0.0" },
		{ "198.17.255.255", "198.18.0.0", "198.19.255.255", "198.20.0.0" },
		{ "198.51.99.255", "198.51.100.0", "198.51.100.255", "198.51.101.0" },
		{ "203.0.112.255", "203.0.113.0", "203.0.113.255", "203.0.114.0" },
		{ "223.255.255.255", "224.0.0.0", "255.255.255.255", NULL },
		{ "[2000:ffff::]", "[2001::]", "[2001:ff:ffff::]", "[2001:100::]" },
		{ "[2001:db7:ffff::]", "[2001:db8::]", "[2001:db8:ffff::]", "[2001:db9::]" },
		{ "[3ffe:ffff::]", "[3fff::]", "[3fff:ffff::]", NULL },
	};
	size_t i, k;

	(void)state;
	for (i = 0; i < sizeof(nets) / sizeof(nets[0]); i++) {
		const char *hosts[] = { nets[i].before, nets[i].first, nets[i].last, nets[i].after };
		for (k = 0; k < 4; k++) {
			bool refused = k == 1 || k == 2;
			if (hosts[k] != NULL &&
			    (git_refuse_url(a, arena_printf(a, "https://%s/a", hosts[k]), NULL, false) != NULL) != refused)
				fail_msg("%s was %s", hosts[k], refused ? "accepted" : "refused");
		}
	}
}

static void
reasons_hold_no_secret(void **state)
{
	static const char *const urls[] = {
		"https://alice:hunter2@127.0.0.1/a", "ftp://alice:hunter2@example.org/a", "git://alice:hunter2@example.org/a",
		"https://alice:hunter2%@example.org/a", "https://alice:hunter2@example.org/a?b", "https://alice:hunter2@exa(mple/a",
		"https://alice:hunter2@x@example.org/a", "https://alice:hunter2@example.org:x/a", "alice:hunter2@example.org/a",
	};
	const char *why;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(urls) / sizeof(urls[0]); i++) {
		why = git_refuse_url(a, urls[i], NULL, false);
		if (why == NULL || strstr(why, "hunter2") != NULL)
			fail_msg("%s: %s", urls[i], why == NULL ? "accepted" : why);
	}
}

static void
files_stay_below_the_root(void **state)
{
	char dir[TEMP_MAX], path[100], link[100], out[100];

	(void)state;
	temp_dir(dir);
	snprintf(path, sizeof(path), "%s/in", dir);
	snprintf(link, sizeof(link), "%s/in/link", dir);
	snprintf(out, sizeof(out), "%s/inside", dir);
	assert_int_equal(mkdir(path, 0700), 0);
	assert_int_equal(mkdir(out, 0700), 0);
	assert_int_equal(symlink("/etc", link), 0);
	assert_null(git_refuse_url(a, path, "", false));
	assert_null(git_refuse_url(a, path, path, false));
	assert_null(git_refuse_url(a, path, dir, false));
	assert_non_null(git_refuse_url(a, path, NULL, true));
	assert_non_null(git_refuse_url(a, out, path, true));
	assert_non_null(git_refuse_url(a, link, path, true));
	assert_null(git_refuse_url(a, link, "", true));
	assert_non_null(git_refuse_url(a, dir, path, true));
	assert_non_null(git_refuse_url(a, "/etc", path, true));
	assert_non_null(git_refuse_url(a, "/does/not/exist", "", true));
	/* Outside the root, existing and missing paths get the same answer. */
	assert_string_equal(git_refuse_url(a, "/etc", path, true), git_refuse_url(a, "/does/not/exist", path, true));
	assert_int_equal(unlink(link), 0);
	assert_int_equal(rmdir(path), 0);
	assert_int_equal(rmdir(out), 0);
	assert_int_equal(rmdir(dir), 0);
}

static void
harmful_ref_names_are_refused(void **state)
{
	static const char *const good[] = { "main", "refs/heads/main", "6.1", "feature/x-1", "v1.0.0", "HEAD", "a@b", "\xc3\xa9",
		"refs/tags/v1", "a.lockx", "#1", "heads/main" };
	static const char *const bad[] = { "", "-h", "--output=x", "a b", "a..b", "a~1", "a^", "a:b", "a?", "a*", "a[", "a\\b",
		"/a", "a/", "a//b", ".a", "a/.b", "a.", "a.lock", "a.lock/b", "a@{1}", "@", "refs", "refs/", "a\x01", "a\x7f", "a\n",
		"\xff", "a/./b" };
	char huge[400];
	size_t i;

	(void)state;
	assert_null(git_refuse_ref(NULL));
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		if (git_refuse_ref(good[i]) != NULL)
			fail_msg("'%s' was refused", good[i]);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (git_refuse_ref(bad[i]) == NULL)
			fail_msg("'%s' was accepted", bad[i]);
	memset(huge, 'a', sizeof(huge));
	huge[sizeof(huge) - 1] = '\0';
	assert_non_null(git_refuse_ref(huge));
}

/* Every prefix of valid URLs, and every URL with one byte replaced: an answer, never a crash. */
static void
mangled_urls_are_answered(void **state)
{
	static const char *const seeds[] = { "https://u%40:p%41@[2001:db8::1]:8443/a/b.git", "git@example.org:a/b.git",
		"file://localhost/srv/%20x", "ssh://git@example.org:22/~a/b" };
	const char *clean, *user, *password;
	char s[100];
	size_t i, k, n;
	int c;

	(void)state;
	for (i = 0; i < sizeof(seeds) / sizeof(seeds[0]); i++) {
		n = strlen(seeds[i]);
		for (k = 0; k < n; k++) {
			for (c = 1; c < 256; c++) {
				memcpy(s, seeds[i], n + 1);
				s[k] = (char)c;
				if (git_split_url(a, s, &clean, &user, &password))
					assert_null(strpbrk(clean, "\r\n \\"));
			}
			s[k] = '\0';
			git_split_url(a, s, &clean, &user, &password);
			arena_reset(a);
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_url_is_split_into_its_parts, setup, teardown),
		cmocka_unit_test_setup_teardown(harmful_urls_are_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(long_urls_are_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(private_addresses_are_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(networks_are_refused_to_their_ends, setup, teardown),
		cmocka_unit_test_setup_teardown(reasons_hold_no_secret, setup, teardown),
		cmocka_unit_test_setup_teardown(files_stay_below_the_root, setup, teardown),
		cmocka_unit_test_setup_teardown(harmful_ref_names_are_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(mangled_urls_are_answered, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
