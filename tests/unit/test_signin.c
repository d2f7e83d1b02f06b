/* Passwords, the throttle, codes and sessions: include/signin. */
#include <signal.h>
#include <sys/file.h>
#include <fcntl.h>
#include <unistd.h>
#include <sys/wait.h>

#include "base/json.h"
#include "db_fixture.h"
#include "signin/code.h"
#include "signin/link.h"
#include "signin/outside.h"
#include "signin/password.h"
#include "signin/session.h"
#include "signin/throttle.h"

static struct settings
settings_of(struct fixture *f)
{
	mkdir(arena_printf(f->arena, "%s/run", f->dir), 0700);
	return (struct settings){ .dir = f->dir, .url = "https://docs.example.com", .session_idle = 1, .session_days = 1, .password_memory = 64 };
}

/* ---- passwords ---- */

static void
passwords_that_are_easy_to_guess_are_refused(void **state)
{
	static const char *const bad[] = { "", "ninechars", "1234567890", "QWERTYUIOP", "Password123", "aaaaaaaaaaaaaa", "abababababab",
		"abcabcabcabc", "abcdefghijklm", "ada@example.com", "Ada@Example.com12", "lovelace12", "12lovelace" };
	static const char *const good[] = { "five tired horses", "lovelace and horses", "пятьлошадей", "0123456788", "correct horse" };
	struct fixture *f = *state;
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (password_fault(f->arena, bad[i], "ada@example.com", "Lovelace") == NULL)
			fail_msg("\"%s\" is allowed", bad[i]);
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		if (password_fault(f->arena, good[i], "ada@example.com", "Lovelace") != NULL)
			fail_msg("\"%s\": %s", good[i], password_fault(f->arena, good[i], "ada@example.com", "Lovelace"));
	assert_non_null(password_fault(f->arena, arena_printf(f->arena, "%01001d", 7), "a@example.com", "A"));
}

static void
a_password_matches_its_hash_alone(void **state)
{
	struct fixture *f = *state;
	struct settings set = settings_of(f);
	char *hash, *again;

	assert_int_equal(password_hash(f->arena, &set, "five tired horses", &hash), PASSWORD_OK);
	assert_int_equal(password_hash(f->arena, &set, "five tired horses", &again), PASSWORD_OK);
	assert_string_not_equal(hash, again);
	assert_non_null(strstr(hash, "$argon2id$"));
	assert_int_equal(password_check(f->arena, &set, hash, "five tired horses"), PASSWORD_OK);
	assert_int_equal(password_check(f->arena, &set, hash, "Five tired horses"), PASSWORD_WRONG);
	assert_int_equal(password_check(f->arena, &set, NULL, "five tired horses"), PASSWORD_WRONG);
	assert_int_equal(password_check(f->arena, &set, "damaged", "five tired horses"), PASSWORD_WRONG);
}

/* The only place is another process's until that is killed. */
static void
a_killed_process_frees_its_place(void **state)
{
	struct fixture *f = *state;
	struct settings set = settings_of(f);
	int ready[2];
	pid_t child;
	char *hash, byte;

	assert_int_equal(pipe(ready), 0);
	child = fork();
	if (child == 0) {
		int fd = open(arena_printf(f->arena, "%s/run/hash.0", f->dir), O_RDWR | O_CREAT, 0600);

		flock(fd, LOCK_EX);
		_exit(write(ready[1], "x", 1) == 1 && pause() == 0);
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	assert_int_equal(password_hash(f->arena, &set, "five tired horses", &hash), PASSWORD_BUSY);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	assert_int_equal(password_hash(f->arena, &set, "five tired horses", &hash), PASSWORD_OK);
	close(ready[0]);
	close(ready[1]);
}

/* ---- the throttle ---- */

static int
tries_allowed(const struct settings *set, const struct attempt *t, int64_t now, int most)
{
	int n = 0;

	while (n < most && throttle_try(set, t, now) == 0)
		n++;
	return n;
}

/* The counters stay open for the life of the process, so all of this is one test with a clock of its own. */
static void
tries_are_counted_by_account_and_network(void **state)
{
	struct fixture *f = *state;
	struct settings set = settings_of(f);
	struct attempt ada = { "ada@example.com", "192.0.2.1", false }, elsewhere = { "ada@example.com", "198.51.100.7", false };
	struct attempt known = { "ada@example.com", "192.0.2.1", true }, six = { "bob@example.com", "2001:db8::1", false };
	int64_t now = 1000000, minute = 60000;
	int i;

	assert_int_equal(tries_allowed(&set, &ada, now, 100), THROTTLE_PAIR);
	assert_in_range(throttle_try(&set, &ada, now), 1, 60);
	/* Another network, and a browser that signed in before, are not held up. */
	assert_int_equal(throttle_try(&set, &elsewhere, now), 0);
	assert_int_equal(throttle_try(&set, &known, now), 0);
	/* One a minute from then on. */
	assert_int_equal(tries_allowed(&set, &ada, now + minute, 100), 1);
	assert_int_equal(tries_allowed(&set, &ada, now + 11 * minute, 100), THROTTLE_PAIR);
	/* Success forgets the pair. */
	throttle_clear(&set, &elsewhere, now);
	assert_int_equal(tries_allowed(&set, &elsewhere, now, 100), THROTTLE_PAIR);
	/* One customer's half of an IPv6 address is one network, and an address in two spellings is one. */
	assert_int_equal(tries_allowed(&set, &six, now, 100), THROTTLE_PAIR);
	six.address = "2001:db8:0:0:ffff::2";
	assert_int_not_equal(throttle_try(&set, &six, now), 0);
	six.address = "2001:db8:0:1::2";
	assert_int_equal(throttle_try(&set, &six, now), 0);
	six.address = "::ffff:192.0.2.9";
	assert_int_equal(tries_allowed(&set, &six, now, 100), THROTTLE_PAIR);
	six.address = "192.0.2.9";
	assert_int_not_equal(throttle_try(&set, &six, now), 0);

	/* A thousand addresses try one account: each has one try, and the person still has theirs. */
	now += 24 * 60 * minute;
	for (i = 0; i < 1000; i++) {
		struct attempt one = { "eve@example.com", arena_printf(f->arena, "203.0.%d.%d", i / 250, i % 250), false };

		assert_int_equal(throttle_try(&set, &one, now), 0);
		assert_int_equal(throttle_try(&set, &one, now) == 0, i < THROTTLE_ACCOUNT / 2);
	}
	assert_int_equal(throttle_try(&set, &(struct attempt){ "eve@example.com", "198.51.100.9", false }, now), 0);
	/* One address tries many accounts. */
	now += 24 * 60 * minute;
	for (i = 0; i < THROTTLE_ADDRESS; i++)
		assert_int_equal(throttle_try(&set, &(struct attempt){ arena_printf(f->arena, "u%d@example.com", i), "192.0.2.77", false }, now), 0);
	assert_in_range(throttle_try(&set, &(struct attempt){ "last@example.com", "192.0.2.77", false }, now), 1, 10);
}

/* ---- links, codes, sessions ---- */

static struct session
session_new(struct fixture *f, const struct settings *set, const char *device)
{
	struct session s = { .account = f->user, .way = "password", .device = device };

	session_make(f->db, f->arena, set, &s);
	return s;
}

/* RFC 7636, appendix B. */
static void
a_code_is_for_the_program_that_began(void **state)
{
	static const char verifier[] = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
	struct fixture *f = *state;
	struct settings set = settings_of(f);
	struct sign_in_code c = { .client = "Editor", .scope = "read", .challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM" }, got;
	int64_t ends;
	char *code;

	db_begin(f->db, true);
	c.session = session_new(f, &set, NULL).id;
	assert_true(code_challenge_ok(c.challenge));
	assert_false(code_challenge_ok("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw+cM"));
	assert_false(code_challenge_ok("short"));
	code = code_make(f->db, f->arena, &c, &ends);
	assert_true(code_take(f->db, f->arena, code, verifier, &got));
	assert_string_equal(got.account, f->user);
	assert_string_equal(got.client, "Editor");
	assert_false(code_take(f->db, f->arena, code, verifier, &got));
	code = code_make(f->db, f->arena, &c, &ends);
	assert_false(code_take(f->db, f->arena, code, "another verifier of at least 43 characters..", &got));
	assert_false(code_take(f->db, f->arena, code, verifier, &got));
	code = code_make(f->db, f->arena, &c, &ends);
	session_end_all(f->db, f->user, NULL);
	assert_false(code_take(f->db, f->arena, code, verifier, &got));
	db_rollback(f->db);
}

static void
a_newer_link_replaces_an_older_one(void **state)
{
	struct fixture *f = *state;
	struct settings set = settings_of(f);
	struct sign_in_link l;
	int64_t ends;
	char *old, *new;

	db_begin(f->db, true);
	old = link_make(f->db, f->arena, &set, f->user, "invite", &ends);
	assert_in_range(ends, time_now() + 6 * DAY_MS, time_now() + 8 * DAY_MS);
	new = link_make(f->db, f->arena, &set, f->user, "reset", &ends);
	assert_in_range(ends, time_now() + DAY_MS / 24, time_now() + DAY_MS / 8);
	assert_false(link_find(f->db, f->arena, strchr(old, '=') + 1, &l));
	assert_true(link_find(f->db, f->arena, strchr(new, '=') + 1, &l));
	assert_string_equal(l.email, "ada@example.com");
	link_use(f->db, f->user);
	assert_false(link_find(f->db, f->arena, strchr(new, '=') + 1, &l));
	db_rollback(f->db);
}

static void
a_link_that_is_asked_for_takes_none_away(void **state)
{
	struct fixture *f = *state;
	struct settings set = settings_of(f);
	struct sign_in_link l;
	char *invited, *asked;
	int64_t ends;

	db_begin(f->db, true);
	invited = link_make(f->db, f->arena, &set, f->user, "invite", &ends);
	asked = link_ask(f->db, f->arena, &set, f->user);
	for (int n = 2; n < LINK_MAILS_MOST; n++)
		assert_non_null(link_ask(f->db, f->arena, &set, f->user));
	assert_null(link_ask(f->db, f->arena, &set, f->user));
	assert_null(link_ask(f->db, f->arena, &set, NULL));
	assert_true(link_find(f->db, f->arena, strchr(invited, '=') + 1, &l));
	assert_string_equal(l.kind, "invite");
	assert_true(link_find(f->db, f->arena, strchr(asked, '=') + 1, &l));
	assert_string_equal(l.kind, "reset");
	password_set(f->db, f->user, "first");
	assert_false(link_find(f->db, f->arena, strchr(invited, '=') + 1, &l));
	assert_false(link_find(f->db, f->arena, strchr(asked, '=') + 1, &l));
	asked = link_ask(f->db, f->arena, &set, f->user);
	password_set(f->db, f->user, "second");
	assert_false(link_find(f->db, f->arena, strchr(asked, '=') + 1, &l));
	db_rollback(f->db);
}

static void
what_a_browser_calls_itself_is_plain_text(void **state)
{
	struct fixture *f = *state;
	char *long_name = arena_printf(f->arena, "%0400d", 7);

	assert_string_equal(session_device(f->arena, NULL), "");
	assert_string_equal(session_device(f->arena, "Mozilla/5.0 (X11)"), "Mozilla/5.0 (X11)");
	assert_string_equal(session_device(f->arena, "a\r\nb\xc3\xa9"), "a??b??");
	assert_int_equal(strlen(session_device(f->arena, long_name)), SESSION_DEVICE_MAX);
}

/* ---- programs that need the network ---- */

/* The parent of a program that outside_run() starts, as the program prints it. */
static long
parent_of_run(struct fixture *f, const struct settings *set)
{
	struct str out = { "", 0 };
	const char *why = outside_run(f->arena, set, OUTSIDE_MAIL, NULL, str_of("a mail\n"), &out);

	if (why != NULL)
		fail_msg("%s", why);
	assert_non_null(strstr(arena_strndup(f->arena, out.p, out.n), "a mail"));
	return strtol(out.p, NULL, 10);
}

/* Where somebody listens, its process starts the program: a worker need not have the network. */
static void
the_process_that_listens_runs_programs(void **state)
{
	struct fixture *f = *state;
	struct settings set = settings_of(f);
	char *script = arena_printf(f->arena, "%s/sendmail", f->dir);
	FILE *file = fopen(script, "w");
	struct str out;
	pid_t pid = 0, first;
	int i;

	fputs("#!/bin/sh\necho $PPID\ncat\n", file);
	fclose(file);
	chmod(script, 0700);
	set.sendmail = script;
	assert_int_equal(parent_of_run(f, &set), getpid());
	outside_keep(&set, &pid);
	first = pid;
	for (i = 0; i < 500 && parent_of_run(f, &set) == getpid(); i++)
		usleep(10000);
	assert_int_not_equal(parent_of_run(f, &set), getpid());
	outside_keep(&set, &pid);
	assert_int_equal(pid, first);
	/* It is started again where it was killed; until then programs are started directly. */
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	assert_int_equal(parent_of_run(f, &set), getpid());
	outside_keep(&set, &pid);
	for (i = 0; i < 500 && parent_of_run(f, &set) == getpid(); i++)
		usleep(10000);
	assert_int_not_equal(parent_of_run(f, &set), getpid());
	fputs("#!/bin/sh\nexit 3\n", file = fopen(script, "w"));
	fclose(file);
	assert_string_equal(outside_run(f->arena, &set, OUTSIDE_MAIL, NULL, str_of("x"), &out), "ended with status 3");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(passwords_that_are_easy_to_guess_are_refused),
		cmocka_unit_test(a_password_matches_its_hash_alone),
		cmocka_unit_test(a_killed_process_frees_its_place),
		cmocka_unit_test(tries_are_counted_by_account_and_network),
		cmocka_unit_test(a_code_is_for_the_program_that_began),
		cmocka_unit_test(a_newer_link_replaces_an_older_one),
		cmocka_unit_test(a_link_that_is_asked_for_takes_none_away),
		cmocka_unit_test(what_a_browser_calls_itself_is_plain_text),
		cmocka_unit_test(the_process_that_listens_runs_programs),
	};

	return cmocka_run_group_tests(tests, db_setup, db_teardown);
}
