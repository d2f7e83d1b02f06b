/*
 * Single steps of writing and sweeping blobs: what is synced before a file gets its name, the
 * result of system calls that write less than asked, how long the write lock is held, and what the
 * cache keeps.
 */
#include "blob_fixture.h"

#include <errno.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- system calls that fail or write less than asked ---- */

static struct {
	char   log[32];          /* S: everything was synced; R: a file was renamed to its final name */
	size_t n;
	int    sync_fails;       /* number of the sync that fails, counted from 1 */
	int    syncs;
	bool   rename_fails;
	int    stutter;          /* writes: 1 = interrupted and short (3 bytes) in turn, 2 = write 0 bytes */
	int    writes;
} os;

static int
logged(char what, bool fails)
{
	if (os.n + 1 < sizeof(os.log))
		os.log[os.n++] = what;
	errno = fails ? EIO : 0;
	return fails ? -1 : 0;
}

/* Replace the C library's. */
int
syncfs(int fd)
{
	(void)fd;
	return logged('S', ++os.syncs == os.sync_fails);
}

int
rename(const char *from, const char *to)
{
	return logged('R', os.rename_fails) != 0 ? -1 : (int)syscall(SYS_rename, from, to);
}

ssize_t
write(int fd, const void *p, size_t n)
{
	if (os.stutter == 2)
		return 0;
	if (os.stutter == 1 && os.writes++ % 2 == 0) {
		errno = EINTR;
		return -1;
	}
	return syscall(SYS_write, fd, p, os.stutter == 1 && n > 3 ? 3 : n);
}

static void
os_reset(void)
{
	memset(&os, 0, sizeof(os));
}

/* ---- helpers ---- */

static bool
there(struct fixture *f, struct str hash)
{
	return access(blob_path(f->arena, f->dir, hash), F_OK) == 0;
}

/* ---- files ---- */

/* Bytes are synced before the file gets its name, and names before the caller continues. */
static void
bytes_are_synced_before_names(void **state)
{
	struct fixture *f = *state;
	struct blob_batch *b = blob_batch_new(f->arena, f->dir);
	const char *error;
	struct str one, two;

	os_reset();
	assert_true(blob_batch_sync(b, &error));
	assert_string_equal(os.log, "");
	assert_true(blob_batch_add(b, STR("one"), &one, &error));
	assert_true(blob_batch_add(b, STR("two"), &two, &error));
	assert_true(blob_batch_sync(b, &error));
	assert_string_equal(os.log, "SRRS");
	/* A file that another writer has just renamed is synced as well. */
	os_reset();
	b = blob_batch_new(f->arena, f->dir);
	assert_true(blob_batch_add(b, STR("one"), &one, &error));
	assert_true(blob_batch_sync(b, &error));
	assert_string_equal(os.log, "S");
	assert_true(there(f, one) && there(f, two));
}

/* A failing fsync() or rename() is reported with its errno, and no file that is not durable has its final name. */
static void
a_failing_sync_is_reported(void **state)
{
	static const struct { int sync; bool rename; const char *log; } cases[] = { { 1, false, "S" }, { 2, false, "SRS" }, { 0, true, "SR" } };
	struct fixture *f = *state;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct blob_batch *b = blob_batch_new(f->arena, f->dir);
		const char *error = NULL;
		struct str hash;

		os_reset();
		os.sync_fails = cases[i].sync;
		os.rename_fails = cases[i].rename;
		assert_true(blob_batch_add(b, bytes_no(f, (int)i), &hash, &error));
		assert_false(blob_batch_sync(b, &error));
		assert_string_equal(os.log, cases[i].log);
		assert_non_null(strstr(error, strerror(EIO)));
		assert_non_null(strstr(error, "/blobs"));
		assert_int_equal(there(f, hash), i == 1);
		blob_batch_drop(b);
		assert_int_equal(files(f), i > 0);
	}
	os_reset();
}

/* The same if the folder was removed. */
static void
a_missing_folder_is_reported(void **state)
{
	struct fixture *f = *state;
	struct blob_batch *b = blob_batch_new(f->arena, f->dir);
	const char *error = NULL, *blobs = arena_printf(f->arena, "%s/blobs", f->dir);
	struct str hash;

	os_reset();
	assert_true(blob_batch_add(b, STR("one"), &hash, &error));
	assert_int_equal(rename(blobs, arena_printf(f->arena, "%s/away", f->dir)), 0);
	os_reset();
	assert_false(blob_batch_sync(b, &error));
	assert_string_equal(os.log, "");
	assert_non_null(strstr(error, strerror(ENOENT)));
}

/* A write may be interrupted and may be short; one that writes nothing is an error. */
static void
short_writes_are_continued(void **state)
{
	struct fixture *f = *state;
	struct blob_batch *b = blob_batch_new(f->arena, f->dir);
	const char *error = NULL;
	char read[40] = "";
	struct str hash;
	bool added;
	FILE *file;

	os_reset();
	os.stutter = 1;
	added = blob_batch_add(b, STR("a text of more than three bytes"), &hash, &error);
	os_reset();
	assert_true(added && blob_batch_sync(b, &error));
	file = fopen(blob_path(f->arena, f->dir, hash), "r");
	assert_non_null(file);
	assert_non_null(fgets(read, sizeof(read), file));
	fclose(file);
	assert_string_equal(read, "a text of more than three bytes");
	os.stutter = 2;
	added = blob_batch_add(b, STR("another"), &hash, &error);
	os_reset();
	assert_false(added);
}

static void
has_mode(const char *path, mode_t mode)
{
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, mode);
}

/*
 * Files and folders are readable by the group, which the web server may be in, and not by others. A
 * temporary file left by a dead writer is overwritten.
 */
static void
files_are_readable_by_the_group_only(void **state)
{
	struct fixture *f = *state;
	struct blob_batch *b = blob_batch_new(f->arena, f->dir);
	const char *error = NULL;
	char *path = blob_path(f->arena, f->dir, hash_of(f->arena, STR("one")));
	struct str hash;
	struct stat st;
	FILE *file;

	os_reset();
	assert_int_equal(rmdir(arena_printf(f->arena, "%s/blobs", f->dir)), 0);
	assert_true(blob_batch_add(b, STR("one"), &hash, &error));
	blob_batch_drop(b);
	b = blob_batch_new(f->arena, f->dir);
	file = fopen(arena_printf(f->arena, "%s.%ld.0", path, (long)getpid()), "w");
	assert_non_null(file);
	assert_true(fputs("longer than that", file) >= 0 && fclose(file) == 0);
	assert_true(blob_batch_add(b, STR("one"), &hash, &error));
	assert_true(blob_batch_add(b, STR("two"), &hash, &error));
	assert_true(blob_batch_sync(b, &error));
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_size, 3);
	path = blob_path(f->arena, f->dir, hash);
	has_mode(path, 0640);
	*strrchr(path, '/') = '\0';
	has_mode(path, 0750);
	*strrchr(path, '/') = '\0';
	has_mode(path, 0750);
}

/* ---- sweeping ---- */

#define NAME "3456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

struct seen {
	struct fixture *f;
	unsigned char   times[256];
	int             temporary;
};

static void
see(void *ctx, const struct blob_file *file)
{
	struct seen *s = ctx;

	if (file->hash.n == 0) {
		s->temporary++;
		return;
	}
	assert_int_equal(file->hash.n, 32);
	assert_string_equal(file->path, blob_path(s->f->arena, s->f->dir, file->hash));
	s->times[(unsigned char)file->hash.p[0]]++;
}

/* Every folder is read once; more files than one lock covers are deleted in one sweep. */
static void
every_folder_is_swept(void **state)
{
	static const char *const endings[] = { "", ".77.0", ".77.1" };
	struct fixture *f = *state;
	struct seen s = { .f = f };
	int i, k;

	for (i = 0; i < 256; i++) {
		mkdir(arena_printf(f->arena, "%s/blobs/%02x", f->dir, (unsigned)i), 0750);
		for (k = 0; k < 3; k++) {
			FILE *file = fopen(arena_printf(f->arena, "%s/blobs/%02x/2" NAME "%s", f->dir, (unsigned)i, endings[k]), "w");
			assert_non_null(file);
			fclose(file);
		}
	}
	blob_walk(f->arena, f->dir, see, &s);
	for (i = 0; i < 256; i++)
		assert_int_equal(s.times[i], 1);
	assert_int_equal(s.temporary, 512);
	assert_int_equal(blob_sweep(f->db, f->arena, f->dir, LATER).files, 768);
	assert_int_equal(files(f), 0);
}

/* Data derived from a blob is deleted with it, and only that. */
static void
derived_data_is_deleted_with_its_blob(void **state)
{
	struct fixture *f = *state;
	struct rendered d = { .json = STR("{}"), .refs_hash = STR("") };
	struct str hash[2];
	const char *error = NULL;
	int i;

	db_begin(f->db, true);
	for (i = 0; i < 2; i++) {
		d.body_hash = hash[i] = blob_put(f->db, f->arena, bytes_no(f, i));
		document_keep(f->db, &d);
	}
	assert_true(db_script(f->db, f->arena, "INSERT INTO body_fact (body, version, size, facts) "
	    "SELECT hash, 1, 0, x'' FROM blob", &error));
	assert_true(blob_release(f->db, hash[0]));
	assert_int_equal(count(f, "SELECT count(*) FROM derived d JOIN blob b ON b.hash = d.body"), 1);
	assert_int_equal(count(f, "SELECT count(*) FROM derived"), 1);
	assert_int_equal(count(f, "SELECT count(*) FROM body_fact x JOIN blob b ON b.hash = x.body"), 1);
	assert_int_equal(count(f, "SELECT count(*) FROM body_fact"), 1);
	/* An empty hash names no blob. */
	assert_false(blob_release(f->db, (struct str){ "", 0 }));
	db_rollback(f->db);
}

static void
one_more(void *ctx)
{
	++*(int *)ctx;
}

/*
 * The sweep releases the write lock between any two rows or files, and does not take it if there is
 * nothing to delete.
 */
static void
others_write_between_the_steps(void **state)
{
	enum { ROWS = 7, FILES = 5 };
	struct fixture *f = *state;
	struct blob_batch *b = blob_batch_new(f->arena, f->dir);
	struct str hashes[FILES];
	const char *error = NULL;
	int i, locks = 0;

	os_reset();
	db_watch(f->db, 0, one_more, &locks);
	blob_sweep(f->db, f->arena, f->dir, LATER);
	blob_files_drop(f->db, f->arena, f->dir, hashes, 0);
	assert_int_equal(locks, 0);
	db_begin(f->db, true);
	for (i = 0; i < ROWS; i++)
		blob_put(f->db, f->arena, bytes_no(f, i));
	db_commit(f->db);
	locks = 0;
	assert_int_equal(blob_sweep(f->db, f->arena, f->dir, LATER).rows, ROWS);
	assert_int_equal(locks, ROWS + 1);
	for (i = 0; i < FILES; i++)
		assert_true(blob_batch_add(b, bytes_no(f, i), &hashes[i], &error));
	assert_true(blob_batch_sync(b, &error));
	locks = 0;
	blob_files_drop(f->db, f->arena, f->dir, hashes, FILES);
	assert_int_equal(files(f), 0);
	assert_int_equal(locks, FILES + 1);
	db_watch(f->db, DB_STEP_MS * 1000, NULL, NULL);
}

/* A concurrent writer: takes the write lock, and commits the row of a file a moment later. */
static void
commit_late(struct fixture *f, struct str bytes, int told)
{
	struct arena *a = arena_new(1 << 20);
	const char *error = NULL;
	struct db *db = db_open(a, arena_printf(a, "%s/octavo.db", f->dir), DB_READ_WRITE, NULL, &error);
	struct blob_batch *b = blob_batch_new(a, f->dir);
	struct str hash;

	if (db == NULL || !blob_batch_add(b, bytes, &hash, &error))
		_exit(1);
	db_begin(db, true);
	if (!blob_batch_rows(b, db) || write(told, "x", 1) != 1)
		_exit(2);
	usleep(100000);
	db_commit(db);
	_exit(0);
}

/* A single file is checked under the lock, because its row may be about to be committed. */
static void
a_file_is_checked_under_the_lock(void **state)
{
	struct fixture *f = *state;
	struct blob_batch *b = blob_batch_new(f->arena, f->dir);
	const char *error = NULL;
	struct str hash;
	int told[2], status;
	char c;
	pid_t pid;

	os_reset();
	assert_true(blob_batch_add(b, STR("one"), &hash, &error));
	assert_true(blob_batch_sync(b, &error));
	assert_int_equal(pipe(told), 0);
	if ((pid = fork()) == 0)
		commit_late(f, STR("one"), told[1]);
	assert_int_equal(read(told[0], &c, 1), 1);
	blob_files_drop(f->db, f->arena, f->dir, &hash, 1);
	assert_true(there(f, hash));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_true(blob_known(f->db, hash));
	close(told[0]);
	close(told[1]);
}

/* ---- the cache ---- */

/* Reads the blob; true if it is still found after its row was deleted. */
static bool
stays(struct fixture *f, struct str hash)
{
	struct str out;
	bool known;

	assert_true(blob_get_known(f->db, f->arena, hash, &out));
	assert_true(blob_release(f->db, hash));
	known = blob_get_known(f->db, f->arena, hash, &out);
	return known;
}

static struct str
as_many(struct fixture *f, size_t n)
{
	return (struct str){ memset(arena_alloc(f->arena, n), 'x', n), n };
}

/* The cache keeps blobs of one byte up to 32 kB, and no larger ones; hashes without a blob are never found. */
static void
small_blobs_are_cached(void **state)
{
	static const char zeros[32];
	struct fixture *f = *state;
	struct str out;

	db_begin(f->db, true);
	assert_false(blob_get_known(f->db, f->arena, (struct str){ zeros, sizeof(zeros) }, &out));
	assert_true(stays(f, blob_put(f->db, f->arena, as_many(f, 1))));
	assert_true(stays(f, blob_put(f->db, f->arena, as_many(f, 32 * 1024))));
	assert_false(stays(f, blob_put(f->db, f->arena, as_many(f, 32 * 1024 + 1))));
	db_rollback(f->db);
}

/* The cache has a fixed number of entries, chosen by the first byte of the hash. */
static void
the_cache_has_an_entry_per_slot(void **state)
{
	enum { ROWS = 32 };
	struct fixture *f = *state;
	struct str hash[ROWS] = { { NULL, 0 } }, h, out;
	int i, found;

	db_begin(f->db, true);
	for (i = found = 0; found < ROWS; i++) {
		h = hash_of(f->arena, bytes_no(f, i));
		if (hash[(unsigned char)h.p[0] % ROWS].n > 0)
			continue;
		hash[(unsigned char)h.p[0] % ROWS] = blob_put(f->db, f->arena, bytes_no(f, i));
		found++;
	}
	for (i = 0; i < ROWS; i++)
		assert_true(blob_get_known(f->db, f->arena, hash[i], &out));
	/* Empty bytes replace no entry of the cache. */
	assert_true(blob_get_known(f->db, f->arena, (struct str){ "", 0 }, &out));
	for (i = 0; i < ROWS; i++)
		assert_true(blob_release(f->db, hash[i]));
	for (i = 0; i < ROWS; i++)
		assert_true(blob_get_known(f->db, f->arena, hash[i], &out));
	db_rollback(f->db);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, db_setup, db_teardown)
	umask(022);
	const struct CMUnitTest tests[] = {
		TEST(bytes_are_synced_before_names), TEST(a_failing_sync_is_reported),
		TEST(a_missing_folder_is_reported), TEST(short_writes_are_continued),
		TEST(files_are_readable_by_the_group_only), TEST(every_folder_is_swept),
		TEST(derived_data_is_deleted_with_its_blob), TEST(others_write_between_the_steps),
		TEST(a_file_is_checked_under_the_lock), TEST(small_blobs_are_cached),
		TEST(the_cache_has_an_entry_per_slot),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
