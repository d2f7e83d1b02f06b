/*
 * The repository cache of jobs: data is on disk before the database refers to it, a cache damaged
 * by a power failure or emptied by another space is repaired, and jobs that are cancelled or
 * overtaken end properly.
 *
 * Replaces flock() and syncfs(), to observe their calls and to do damage at that moment, and
 * git_odb_read(), to count reads.
 */
#include "bound_fixture.h"

#include <dlfcn.h>
#include <git2.h>
#include <sys/file.h>
#include <sys/syscall.h>

static struct fixture *at_lock;    /* fixture whose cache is emptied at the next shared lock; NULL: none */
static struct fixture *at_sync;    /* fixture whose state is checked at each sync */
static unsigned syncs;
static bool named_before_sync;

int
flock(int fd, int how)
{
	struct fixture *f = at_lock;

	if (f != NULL && how == LOCK_SH) {
		at_lock = NULL;
		assert_int_equal(run_in(f, "rm -rf cache/git/*/objects cache/git/*/refs && mkdir -p cache/git/$(ls cache/git)/objects "
		    "cache/git/$(ls cache/git)/refs"), 0);
	}
	return (int)syscall(SYS_flock, fd, how);
}

SQL(q_pending_oid, "SELECT pending_oid FROM git_sync WHERE space = :space");

int
syncfs(int fd)
{
	(void)fd;
	if (at_sync == NULL)
		return 0;
	syncs++;
	named_before_sync |= state_of(at_sync, &q_pending_oid, 0) != NULL;
	return 0;
}

/* A commit's objects are on disk before the row that names the commit; a run that changes nothing syncs nothing. */
static void
synced_before_it_is_named(void **state)
{
	struct fixture *f = *state;

	start_bound(f);
	write_here(f, "One", "a", "a line 2", "a line two");
	write_here(f, "Two", "a", "a line 3", "a line three");
	at_sync = f;
	syncs = 0;
	named_before_sync = false;
	done(sync_now(f));
	assert_int_equal(syncs, 2);
	assert_false(named_before_sync);
	done(sync_now(f));
	assert_int_equal(syncs, 2);
	at_sync = NULL;
}

/* LeakSanitizer's functions, if the program is built with it. */
void __lsan_disable(void) __attribute__((weak));
void __lsan_enable(void) __attribute__((weak));

/* Ignores a leak of libgit2: git_graph_reachable_from_any() loses a list when it meets a damaged commit. */
static void
leaks_of_libgit2(bool expected)
{
	if (__lsan_disable != NULL && expected)
		__lsan_disable();
	else if (__lsan_enable != NULL && !expected)
		__lsan_enable();
}

/*
 * A failed push leaves a commit in the cache. A power failure then leaves its files empty, or
 * truncated if it happened before the sync.
 */
static void
a_damaged_cache_heals(void **state)
{
	static const char *const harm[] = {
		"find cache/git/*/objects -type f ! -path '*/pack/*' -exec truncate -s 0 {} +",
		"find cache/git/*/objects -type f ! -path '*/pack/*' -exec truncate -s 20 {} + && : >cache/git/$(ls cache/git)/unsynced.1",
		"rm -rf cache/git/*/objects && mkdir -p cache/git/$(ls cache/git)/objects/pack",
		"for p in cache/git/*/objects/pack/*.pack; do chmod u+w $p && truncate -s 40 $p; done" };
	struct fixture *f = *state;
	size_t i;

	for (i = 0; i < sizeof(harm) / sizeof(harm[0]); i++) {
		start_bound(f);
		write_here(f, "First", "b", "b line 2", "b line two");
		done(sync_now(f));
		write_here(f, "Here", "a", "a line 2", "a line two");
		assert_int_equal(run_in(f, ": >repo.git/refs/heads/main.lock"), 0);
		sync_now(f);
		assert_int_equal(run_in(f, "rm repo.git/refs/heads/main.lock && chmod -R u+w cache/git && %s", harm[i]), 0);
		leaks_of_libgit2(true);
		done(sync_now(f));
		leaks_of_libgit2(false);
		assert_string_equal(state_of(f, &q_state, 0), "synchronized");
		assert_string_equal(log_of(f), "OCTAVO-2: Here|Ada;OCTAVO-1: First|Ada;First|W;");
		assert_int_equal(run_in(f, "git -C repo.git fsck --strict --no-dangling"), 0);
		assert_string_equal(strstr(there(f, "a.md"), "\n\n") + 2, body_of(f, &(struct node){ .body = page_of(f, "a").body }));
	}
}

/*
 * Spaces with the same repository share a cache: fetched objects may be deleted before they are
 * read, and are then fetched again.
 */
static void
an_emptied_cache_is_fetched_anew(void **state)
{
	struct fixture *f = *state;
	struct ended e;

	start_bound(f);
	write_there(f, "a.md", "a line 2", "a line two");
	at_lock = f;
	done(sync_now(f));
	assert_null(at_lock);
	assert_string_equal(state_of(f, &q_state, 0), "synchronized");
	assert_null(state_of(f, &q_waiting, 0));
	assert_non_null(strstr(body_of(f, &(struct node){ .body = page_of(f, "a").body }), "a line two"));
	new_space(f);
	at_lock = f;
	e = git_job(f, "import", "repo.git", "", "");
	done(e);
	assert_null(at_lock);
	assert_non_null(strstr(body_of(f, &(struct node){ .body = page_of(f, "a").body }), "a line two"));
}

static unsigned reads;   /* blobs read from the cache */

int
git_odb_read(git_odb_object **out, git_odb *db, const git_oid *id)
{
	int (*real)(git_odb_object **, git_odb *, const git_oid *), e;

	*(void **)&real = dlsym(RTLD_NEXT, "git_odb_read");
	e = real(out, db, id);
	reads += e == 0 && git_odb_object_type(*out) == GIT_OBJECT_BLOB;
	return e;
}

/*
 * Two reads occur each time: the table of contents, and other.txt, which is small enough to be an LFS
 * pointer. A changed page is read twice: its title for the tree, then its body.
 */
static void
only_changed_files_are_read(void **state)
{
	struct fixture *f = *state;

	start_bound(f);
	reads = 0;
	done(sync_now(f));
	assert_int_equal(reads, 0);
	write_there(f, "b.md", "b line 2", "b line two");
	done(sync_now(f));
	assert_int_equal(reads, 2 + 2);
	assert_non_null(strstr(body_of(f, &(struct node){ .body = page_of(f, "b").body }), "b line two"));
	/* Pages with a link to a heading of the changed page are read as well. */
	write_there(f, "c.md", "c line 2", "[c](a.md#a-line-2)");
	reads = 0;
	done(sync_now(f));
	assert_int_equal(reads, 2 + 2 + 1);
	/* An export reads the old file to write the new one and to compare both; then the new commit is imported. */
	write_here(f, "Here", "d", "d line 3", "d line three");
	reads = 0;
	done(sync_now(f));
	assert_int_equal(reads, 2 + 2 + 2);
	assert_string_equal(strstr(there(f, "d.md"), "\n\n") + 2, body_of(f, &(struct node){ .body = page_of(f, "d").body }));
}

/*
 * Makes a page with a broken link: the import writes a warning in a transaction before it
 * publishes, which triggers can use.
 */
static void
start_warning(struct fixture *f)
{
	start_bound(f);
	write_there(f, "a.md", "a line 2", "[nowhere](gone.md)");
	new_space(f);
}

static void
cancelled_is_no_failure(void **state)
{
	struct fixture *f = *state;
	struct ended e;

	start_warning(f);
	script(f, "CREATE TRIGGER ends AFTER INSERT ON job_warning BEGIN UPDATE job SET cancel = 1 WHERE id = NEW.job; END");
	e = git_job(f, "import", "repo.git", "", "");
	script(f, "DROP TRIGGER ends");
	assert_string_equal(e.state, "cancelled");
	assert_string_equal(e.error, "cancelled");
	done(git_job(f, "import", "repo.git", "", ""));
}

/* Main changes between the plan and the end of each attempt: the import is postponed, and fails in the end. */
static void
an_import_that_main_outruns_is_put_off(void **state)
{
	struct fixture *f = *state;
	struct ended e;

	start_warning(f);
	script(f, arena_printf(f->arena, "CREATE TRIGGER moves AFTER INSERT ON job_warning BEGIN "
	    "INSERT INTO revision (id, branch, seq, kind, created_at) SELECT 'moved' || (head + 1), id, head + 1, 'edits', 1 FROM branch "
	    "WHERE id = %lld; UPDATE branch SET head = head + 1 WHERE id = %lld; END", (long long)f->branch, (long long)f->branch));
	e = git_job(f, "import", "repo.git", "", "");
	assert_string_equal(e.state, "queued");
	assert_non_null(strstr(e.error, "changed again and again"));
	/* The last attempt of the job. */
	script(f, "CREATE TRIGGER last AFTER INSERT ON job BEGIN UPDATE job SET attempts = 3 WHERE id = NEW.id; END");
	e = git_job(f, "import", "repo.git", "", "");
	script(f, "DROP TRIGGER last");
	script(f, "DROP TRIGGER moves");
	assert_string_equal(e.state, "failed");
	assert_non_null(strstr(e.error, "when fewer people write"));
	done(git_job(f, "import", "repo.git", "", ""));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(synced_before_it_is_named, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_damaged_cache_heals, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(only_changed_files_are_read, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(an_emptied_cache_is_fetched_anew, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(cancelled_is_no_failure, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(an_import_that_main_outruns_is_put_off, db_setup, db_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
