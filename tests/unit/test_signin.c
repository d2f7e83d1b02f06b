/* Passwords, the throttle, codes and sessions: include/signin. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/json.h"
#include "base/watch.h"
#include "db_fixture.h"
#include "signin/code.h"
#include "signin/link.h"
#include "app/outside.h"
#include "signin/password.h"
#include "app/place.h"
#include "signin/session.h"
#include "app/throttle.h"

static struct settings
settings_of(struct fixture *f)
{
	mkdir(arena_printf(f->arena, "%s/run", f->dir), 0700);
	return (struct settings){ .dir = f->dir, .url = "https://docs.example.com", .session_idle = 1, .session_days = 1, .password_memory = 64, .workers = 2 };
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
	assert_int_equal(password_check(f->arena, &set, hash, "five tired horses", false), PASSWORD_OK);
	assert_int_equal(password_check(f->arena, &set, hash, "Five tired horses", false), PASSWORD_WRONG);
	assert_int_equal(password_check(f->arena, &set, NULL, "five tired horses", true), PASSWORD_WRONG);
	assert_int_equal(password_check(f->arena, &set, "damaged", "five tired horses", false), PASSWORD_WRONG);
}

/* A process that holds run/hash.NAME for so many ms, or until it is killed (-1). */
static pid_t
hold_place(struct fixture *f, const char *name, int ms)
{
	int ready[2];
	pid_t child;
	char byte;

	assert_int_equal(pipe(ready), 0);
	child = fork();
	if (child == 0) {
		int fd = open(arena_printf(f->arena, "%s/run/hash.%s", f->dir, name), O_RDWR | O_CREAT, 0600);

		if (flock(fd, LOCK_EX) == 0 && write(ready[1], "x", 1) == 1)
			poll(NULL, 0, ms);
		_exit(0);
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	close(ready[1]);
	return child;
}

static void
end_holder(pid_t child)
{
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

/* A request that no worker takes, until it is closed. The listening socket is watched until listener is. */
static int
wait_for_worker(struct fixture *f, int *listener)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	*listener = socket(AF_UNIX, SOCK_STREAM, 0);
	snprintf(at.sun_path, sizeof(at.sun_path), "%s/run/waits.sock", f->dir);
	unlink(at.sun_path);
	assert_int_equal(bind(*listener, (struct sockaddr *)&at, sizeof(at)), 0);
	assert_int_equal(listen(*listener, 4), 0);
	assert_int_equal(connect(fd, (struct sockaddr *)&at, sizeof(at)), 0);
	watch_listen(*listener);
	return fd;
}

/* The only place is another process's until that is killed. */
static void
a_killed_process_frees_its_place(void **state)
{
	struct fixture *f = *state;
	struct settings set = settings_of(f);
	pid_t child = hold_place(f, "0", -1);
	int listener, request = wait_for_worker(f, &listener);

	assert_int_equal(password_check(f->arena, &set, NULL, "five tired horses", false), PASSWORD_BUSY);
	end_holder(child);
	assert_int_equal(password_check(f->arena, &set, NULL, "five tired horses", false), PASSWORD_WRONG);
	watch_listen(-1);
	close(request);
	close(listener);
}

/* Reads of others come first: whoever waits for a place gives up while a request waits for a worker. */
static void
who_waits_for_a_place_gives_the_worker_back(void **state)
{
	struct fixture *f = *state;
	struct settings set = settings_of(f);
	int listener, request = wait_for_worker(f, &listener), taken;
	pid_t child = hold_place(f, "0", 1500);

	/* Else it would have waited until the place is free. */
	assert_int_equal(password_check(f->arena, &set, NULL, "five tired horses", false), PASSWORD_BUSY);
	end_holder(child);
	taken = accept(listener, NULL, NULL);
	child = hold_place(f, "0", 50);
	assert_int_equal(password_check(f->arena, &set, NULL, "five tired horses", false), PASSWORD_WRONG);
	end_holder(child);
	watch_listen(-1);
	close(taken);
	close(request);
	close(listener);
}

/* Two wait at most: a stranger, and somebody who is known, who comes first. */
static void
strangers_hold_nobody_up_who_signed_in_before(void **state)
{
	struct fixture *f = *state;
	struct settings set = settings_of(f);
	pid_t place = hold_place(f, "0", 200), stranger = hold_place(f, "wait", -1), known;
	int fd = place_take(f->arena, &set, "hash", 1, true), listener, request;

	assert_true(fd >= 0);
	close(fd);
	end_holder(place);
	end_holder(stranger);
	/* The place is free, and somebody who is known waits for it. */
	known = hold_place(f, "known", -1);
	request = wait_for_worker(f, &listener);
	assert_int_equal(place_take(f->arena, &set, "hash", 1, false), -1);
	end_holder(known);
	fd = place_take(f->arena, &set, "hash", 1, false);
	assert_true(fd >= 0);
	close(fd);
	watch_listen(-1);
	close(request);
	close(listener);
	/* As many as may wait do: the next ones are told at once, for these hold their turn for ever. */
	place = hold_place(f, "0", -1);
	stranger = hold_place(f, "wait", -1);
	known = hold_place(f, "known", -1);
	assert_int_equal(place_take(f->arena, &set, "hash", 1, false), -1);
	assert_int_equal(place_take(f->arena, &set, "hash", 1, true), -1);
	end_holder(place);
	end_holder(stranger);
	end_holder(known);
}

static void
half_of_the_workers_may_wait(void **state)
{
	static const int shares[][2] = { { 1, 1 }, { 2, 1 }, { 3, 1 }, { 4, 2 }, { 8, 4 } };

	(void)state;
	for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++)
		assert_int_equal(place_share(&(struct settings){ .workers = shares[i][0] }), shares[i][1]);
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
	/* A try that was not made counts nothing. */
	for (i = 0; i < 100; i++) {
		struct attempt busy = { "joe@example.com", "192.0.2.50", false };

		assert_int_equal(throttle_try(&set, &busy, now), 0);
		throttle_undo(&set, &busy, now);
	}
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
other_work_has_counters_of_its_own(void **state)
{
	struct fixture *f = *state;
	struct settings set = settings_of(f);
	static const struct throttle_rule rule = { "sending", 2000, 3 }, other = { "other", 2000, 3 };
	int64_t now = time_now();

	for (int i = 0; i < 3; i++)
		assert_int_equal(throttle_work(&set, &rule, "203.0.113.77", true, now), 0);
	assert_in_range(throttle_work(&set, &rule, "203.0.113.77", true, now), 1, 2);
	assert_in_range(throttle_work(&set, &rule, "::ffff:203.0.113.77", true, now), 1, 2);
	assert_int_equal(throttle_work(&set, &rule, "203.0.113.78", true, now), 0);
	assert_int_equal(throttle_work(&set, &other, "203.0.113.77", true, now), 0);
	assert_int_equal(throttle_work(&set, &rule, "203.0.113.77", false, now), 0);
	assert_int_equal(throttle_work(&set, &rule, "203.0.113.77", true, now + 2000), 0);
	assert_int_not_equal(throttle_work(&set, &rule, "203.0.113.77", true, now + 2000), 0);
}

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
	session_end_all(f->db, f->user, NULL, NULL);
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

static void
end_listeners(pid_t pids[OUTSIDE_KINDS])
{
	for (int i = 0; i < OUTSIDE_KINDS; i++)
		if (pids[i] > 0) {
			kill(pids[i], SIGKILL);
			waitpid(pids[i], NULL, 0);
		}
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
	pid_t pids[OUTSIDE_KINDS] = { 0 }, first;
	int i;

	fputs("#!/bin/sh\necho $PPID\ncat\n", file);
	fclose(file);
	chmod(script, 0700);
	set.sendmail = script;
	assert_int_equal(parent_of_run(f, &set), getpid());
	outside_keep(&set, pids);
	first = pids[OUTSIDE_MAIL];
	for (i = 0; i < 500 && parent_of_run(f, &set) == getpid(); i++)
		usleep(10000);
	assert_int_not_equal(parent_of_run(f, &set), getpid());
	outside_keep(&set, pids);
	assert_int_equal(pids[OUTSIDE_MAIL], first);
	/* It is started again where it was killed; until then programs are started directly. */
	kill(pids[OUTSIDE_MAIL], SIGKILL);
	waitpid(pids[OUTSIDE_MAIL], NULL, 0);
	assert_int_equal(parent_of_run(f, &set), getpid());
	outside_keep(&set, pids);
	for (i = 0; i < 500 && parent_of_run(f, &set) == getpid(); i++)
		usleep(10000);
	assert_int_not_equal(parent_of_run(f, &set), getpid());
	fputs("#!/bin/sh\nexit 3\n", file = fopen(script, "w"));
	fclose(file);
	assert_string_equal(outside_run(f->arena, &set, OUTSIDE_MAIL, NULL, str_of("x"), &out), "ended with status 3");
	end_listeners(pids);
}

/* Connects to the socket run/NAME.sock, and sends nothing. */
static int
connect_to(struct fixture *f, const char *name)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), i;

	snprintf(at.sun_path, sizeof(at.sun_path), "%s/run/%s.sock", f->dir, name);
	for (i = 0; i < 500 && connect(fd, (struct sockaddr *)&at, sizeof(at)) != 0; i++)
		usleep(10000);
	assert_true(i < 500);
	return fd;
}

/* The requests to the provider occupy all places of their kind, and more wait. */
static void
mails_do_not_wait_for_the_provider(void **state)
{
	struct fixture *f = *state;
	struct settings set = settings_of(f);
	char *script = arena_printf(f->arena, "%s/sendmail", f->dir);
	FILE *file = fopen(script, "w");
	pid_t pids[OUTSIDE_KINDS] = { 0 };
	int held[10], i;
	int64_t begun;

	fputs("#!/bin/sh\necho $PPID\ncat\n", file);
	fclose(file);
	chmod(script, 0700);
	set.sendmail = script;
	outside_keep(&set, pids);
	close(connect_to(f, "mail"));
	for (i = 0; i < 10; i++)
		held[i] = connect_to(f, "oidc");
	begun = time_steady();
	for (i = 0; i < 10; i++)
		assert_int_not_equal(parent_of_run(f, &set), getpid());
	/* A request that sends nothing is given up after five seconds. */
	assert_in_range(time_steady() - begun, 0, 4000);
	for (i = 0; i < 10; i++)
		close(held[i]);
	end_listeners(pids);
	/* Without a sendmail nobody listens for mails. */
	set.sendmail = "";
	pids[OUTSIDE_OIDC] = pids[OUTSIDE_MAIL] = 0;
	outside_keep(&set, pids);
	assert_int_equal(pids[OUTSIDE_MAIL], 0);
	end_listeners(pids);
}


int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(passwords_that_are_easy_to_guess_are_refused),
		cmocka_unit_test(a_password_matches_its_hash_alone),
		cmocka_unit_test(a_killed_process_frees_its_place),
		cmocka_unit_test(who_waits_for_a_place_gives_the_worker_back),
		cmocka_unit_test(strangers_hold_nobody_up_who_signed_in_before),
		cmocka_unit_test(half_of_the_workers_may_wait),
		cmocka_unit_test(tries_are_counted_by_account_and_network),
		cmocka_unit_test(other_work_has_counters_of_its_own),
		cmocka_unit_test(a_code_is_for_the_program_that_began),
		cmocka_unit_test(a_newer_link_replaces_an_older_one),
		cmocka_unit_test(a_link_that_is_asked_for_takes_none_away),
		cmocka_unit_test(what_a_browser_calls_itself_is_plain_text),
		cmocka_unit_test(the_process_that_listens_runs_programs),
		cmocka_unit_test(mails_do_not_wait_for_the_provider),
	};

	return cmocka_run_group_tests(tests, db_setup, db_teardown);
}
