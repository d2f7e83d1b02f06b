/*
 * The first request sets up the installation described by the file DIR/setup: once, and again after
 * an interrupted attempt.
 */
#include <errno.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "arena_fixture.h"
#include "../temp_dir.h"

#include "app/setup.h"
#include "base/file.h"
#include "signin/link.h"

static char dir[TEMP_MAX];

/* Replaces the C library's fsync(): records how many bytes of the token file existed when it was synced. */
static long token_synced = -1;
static bool sync_fails;

int
fsync(int fd)
{
	char name[64], path[4096];
	struct stat st;
	ssize_t n;

	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	n = readlink(name, path, sizeof(path) - 1);
	path[n < 0 ? 0 : n] = '\0';
	if (strstr(path, "/admin-token") == NULL)
		return (int)syscall(SYS_fsync, fd);
	token_synced = fstat(fd, &st) == 0 ? (long)st.st_size : -1;
	errno = EIO;
	return sync_fails ? -1 : (int)syscall(SYS_fsync, fd);
}

static int
start(void **state)
{
	temp_dir(dir);
	return set_up(state);
}

static int
stop(void **state)
{
	assert_int_equal(system(arena_printf(arena, "rm -rf '%s'", dir)), 0);
	return tear_down(state);
}

static const char *
path(const char *name)
{
	return arena_printf(arena, "%s/%s", dir, name);
}

static void
upload(const char *text)
{
	FILE *f = fopen(path("setup"), "w");

	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

static char *
make_link(struct db *db, struct arena *a, const struct settings *set, const char *user)
{
	int64_t ends_at;

	return link_make(db, a, set, user, "invite", &ends_at);
}

static const struct settings link_settings = { .url = "https://docs.example.com" };
static const struct setup_link first = { make_link, &link_settings };

static const char good[] = "email = you@example.com\nname = You\norganization = Docs\n";

static void
a_setup_is_done_once(void **state)
{
	struct str token, again, link;

	(void)state;
	assert_non_null(strstr(setup_once(arena, dir, &first), "octavo init makes it, or a file \"setup\""));
	upload("email = nobody\n");
	assert_non_null(strstr(setup_once(arena, dir, &first), "needs a line: email"));
	assert_false(setup_done(arena, dir));
	upload(good);
	assert_null(setup_once(arena, dir, &first));
	assert_true(setup_done(arena, dir));
	assert_int_equal(access(path("setup"), F_OK), -1);
	assert_true(file_read(arena, path("admin-token"), &token));
	assert_true(token.n > 40);
	assert_true(file_read(arena, path("admin-link"), &link));
	assert_true(str_starts(link, "https://docs.example.com/app/welcome?link=ocl_"));
	/* Another setup file, valid or not, changes nothing, and does not stop the programs from serving. */
	upload("email = other@example.com\nname = Other\norganization = Other\n");
	assert_null(setup_once(arena, dir, &first));
	upload("nonsense");
	assert_null(setup_once(arena, dir, &first));
	assert_int_equal(access(path("setup"), F_OK), -1);
	assert_true(file_read(arena, path("admin-token"), &again));
	assert_true(str_eq(token, again));
}

/* The disk is full while the token is written, or the program is killed. */
static void
a_setup_that_was_cut_off_is_repeated(void **state)
{
	const char *error;

	(void)state;
	upload(good);
	assert_int_equal(mkdir(path("admin-token"), 0700), 0);
	assert_non_null(error = setup_once(arena, dir, &first));
	assert_non_null(strstr(error, "admin-token: "));
	assert_int_equal(access(path("octavo.db"), F_OK), 0);
	assert_false(setup_done(arena, dir));
	/* The next request continues the setup. */
	assert_int_equal(rmdir(path("admin-token")), 0);
	assert_null(setup_once(arena, dir, &first));
	assert_true(setup_done(arena, dir));
	assert_int_equal(access(path("admin-token"), R_OK), 0);
	assert_int_equal(access(path("setup"), F_OK), -1);
}

/*
 * The users are committed only after their token is on disk: a power failure in between would leave
 * an installation without a known token.
 */
static void
users_are_committed_after_their_token(void **state)
{
	const char *error;

	(void)state;
	upload(good);
	sync_fails = true;
	error = setup_once(arena, dir, &first);
	sync_fails = false;
	assert_non_null(error);
	assert_non_null(strstr(error, "admin-token: Input/output error"));
	assert_false(setup_done(arena, dir));
	token_synced = -1;
	assert_null(setup_once(arena, dir, &first));
	assert_true(token_synced > 40);
	assert_true(setup_done(arena, dir));
}

/* Killed directly after the database was created: it has no users. */
static void
a_database_without_users_is_set_up(void **state)
{
	const char *error = NULL;

	(void)state;
	db_close(db_open(arena, path("octavo.db"), DB_CREATE, NULL, &error));
	assert_null(error);
	assert_false(setup_done(arena, dir));
	/* The database exists, so errors are reported by the programs that serve it. */
	assert_null(setup_once(arena, dir, &first));
	upload(good);
	assert_null(setup_once(arena, dir, &first));
	assert_true(setup_done(arena, dir));
	assert_int_equal(access(path("admin-token"), R_OK), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_setup_is_done_once, start, stop),
		cmocka_unit_test_setup_teardown(a_setup_that_was_cut_off_is_repeated, start, stop),
		cmocka_unit_test_setup_teardown(users_are_committed_after_their_token, start, stop),
		cmocka_unit_test_setup_teardown(a_database_without_users_is_set_up, start, stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
