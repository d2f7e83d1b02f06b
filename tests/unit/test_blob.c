/*
 * Blobs: each is stored once, files are written completely or not at all, and a sweep removes no
 * blob that a row names, at whatever point a writer dies.
 */
#include "blob_fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "again.h"
#include "base/secret.h"
#include "store/variants.h"

/* Adds a node with this blob in the branch's next revision. */
static void
show(struct fixture *f, const char *id, enum node_kind kind, struct str hash)
{
	struct revision_info info = { .kind = "edits", .author = f->user };
	struct node n = { .id = id, .kind = kind, .parent = "", .ord = id, .slug = id, .title = id,
		.props = "{}", .origin = -1, .body = hash, .at = 1, .made = 1 };
	char *revision;

	node_put(f->db, f->branch, revision_add(f->db, f->arena, f->branch, &info, &revision), &n);
}

/* Writes a file with its row and node; returns its hash. */
static struct str
file_made(struct fixture *f, const char *id, struct str bytes)
{
	struct blob_batch *b = blob_batch_new(f->arena, f->dir);
	const char *error;
	struct str hash;

	db_begin(f->db, true);
	assert_true(blob_batch_add(b, bytes, &hash, &error));
	assert_true(blob_batch_rows(b, f->db));
	show(f, id, NODE_FILE, hash);
	assert_true(blob_batch_sync(b, &error));
	db_commit(f->db);
	return hash;
}

static bool
there(struct fixture *f, struct str hash)
{
	return access(blob_path(f->arena, f->dir, hash), F_OK) == 0;
}

/* ---- in the database ---- */

static void
equal_blobs_are_stored_once(void **state)
{
	struct fixture *f = *state;
	struct str hash, out;

	db_begin(f->db, true);
	hash = blob_put(f->db, f->arena, STR("a\0b"));
	assert_true(str_eq(hash, blob_put(f->db, f->arena, STR("a\0b"))));
	assert_int_equal(count(f, "SELECT count(*) FROM blob"), 1);
	assert_int_equal(count(f, "SELECT count(*) FROM blob_data"), 1);
	assert_true(blob_get(f->db, f->arena, hash, &out));
	assert_true(str_eq(out, STR("a\0b")));
	assert_true(blob_release(f->db, hash));
	assert_false(blob_release(f->db, hash));
	assert_false(blob_get(f->db, f->arena, hash, &out));
	assert_int_equal(count(f, "SELECT count(*) FROM blob_data"), 0);
	db_rollback(f->db);
}

/*
 * Text is stored compressed; random, short and empty bytes are stored unchanged; damage is
 * reported, never returned.
 */
static void
text_is_stored_compressed(void **state)
{
	struct fixture *f = *state;
	struct buf b;
	struct str hash, out;
	int i;

	db_begin(f->db, true);
	buf_init(&b, f->arena, 1 << 20);
	for (i = 0; i < 300; i++)
		buf_printf(&b, "Sentence %d of a page, which is like others.\n", i);
	hash = blob_put(f->db, f->arena, buf_view(&b));
	assert_int_equal(count(f, "SELECT size FROM blob_data"), (int64_t)b.n);
	assert_true(count(f, "SELECT length(data) FROM blob_data") * 4 < (int64_t)b.n);
	assert_true(blob_get(f->db, f->arena, hash, &out));
	assert_true(str_eq(out, buf_view(&b)));
	assert_int_equal(blob_size(f->db, hash), b.n);
	assert_int_equal(count(f, "SELECT octavo_unpack(data, size) IS NOT NULL FROM blob_data"), 1);
	assert_true(blob_get(f->db, f->arena, blob_put(f->db, f->arena, STR("short")), &out));
	assert_true(str_eq(out, STR("short")));
	assert_int_equal(count(f, "SELECT length(data) FROM blob_data WHERE size = 5"), 5);
	/* Changes one byte of the checksum. */
	assert_int_equal(count(f, "UPDATE blob_data SET data = CAST(substr(data, 1, length(data) - 1) || x'00' AS BLOB) "
	    "WHERE size > 5 RETURNING octavo_unpack(data, size) IS NOT NULL"), 0);
	assert_false(blob_get(f->db, f->arena, hash, &out));
	assert_int_equal(count(f, "UPDATE blob_data SET data = substr(data, 1, 20) WHERE size > 5 "
	    "RETURNING octavo_unpack(data, size) IS NOT NULL"), 0);
	assert_false(blob_get(f->db, f->arena, hash, &out));
	db_rollback(f->db);
}

/*
 * Reads more blobs than the cache holds, and some too large for it: each is found by its hash, the
 * first time and later.
 */
static void
blobs_beyond_the_cache_are_found(void **state)
{
	enum { COUNT = 200 };
	struct fixture *f = *state;
	struct str hash[COUNT], bytes[COUNT], out;
	struct buf b;
	int i, k;

	db_begin(f->db, true);
	for (i = 0; i < COUNT; i++) {
		buf_init(&b, f->arena, 1 << 20);
		for (k = 0; k < (i % 10 == 0 ? 4000 : 3); k++)
			buf_printf(&b, "Line %d of %d\n", k, i);
		bytes[i] = buf_view(&b);
		hash[i] = blob_put(f->db, f->arena, bytes[i]);
	}
	for (i = 0; i < 3 * COUNT; i++)
		for (k = 0; k < 2; k++) {
			assert_true(blob_get_known(f->db, f->arena, hash[i * 7 % COUNT], &out));
			assert_true(str_eq(out, bytes[i * 7 % COUNT]));
		}
	assert_true(blob_get_known(f->db, f->arena, (struct str){ "", 0 }, &out));
	assert_int_equal(out.n, 0);
	assert_false(blob_get_known(f->db, f->arena, hash_of(f->arena, STR("nothing")), &out));
	/* Cached bytes are found after their row was deleted; bytes that were never read are not. */
	assert_true(blob_get_known(f->db, f->arena, hash[1], &out));
	assert_true(blob_release(f->db, hash[1]));
	assert_true(blob_get_known(f->db, f->arena, hash[1], &out));
	assert_true(str_eq(out, bytes[1]));
	db_rollback(f->db);
}

static void
a_page_may_have_the_bytes_of_a_file(void **state)
{
	struct fixture *f = *state;
	struct str hash = file_made(f, "file", STR("the same")), out;

	assert_false(blob_get(f->db, f->arena, hash, &out));
	db_begin(f->db, true);
	assert_true(str_eq(blob_put(f->db, f->arena, STR("the same")), hash));
	assert_true(blob_get(f->db, f->arena, hash, &out));
	assert_true(str_eq(out, STR("the same")));
	db_rollback(f->db);
}

/* A version that is replaced within its own revision leaves no blob, unless another row names it. */
static void
a_replaced_version_leaves_no_blob(void **state)
{
	struct fixture *f = *state;
	struct revision_info info = { .kind = "edits", .author = f->user };
	struct node n = { .id = "a", .kind = NODE_DOCUMENT, .parent = "", .ord = "a", .slug = "a", .title = "a",
		.props = "{}", .origin = -1, .at = 1, .made = 1 };
	struct str one, two, map;
	char *revision;
	int64_t seq;

	db_begin(f->db, true);
	one = blob_put(f->db, f->arena, STR("one"));
	show(f, "other", NODE_DOCUMENT, one);
	seq = revision_add(f->db, f->arena, f->branch, &info, &revision);
	n.body = one;
	node_put(f->db, f->branch, seq, &n);
	n.body = two = blob_put(f->db, f->arena, STR("two"));
	n.refs = map = blob_put(f->db, f->arena, STR("{\"a\":null}"));
	node_put(f->db, f->branch, seq, &n);
	node_put(f->db, f->branch, seq, &n);
	assert_true(blob_known(f->db, one));
	assert_true(blob_known(f->db, two));
	/* Only its link map differs. */
	n.refs = blob_put(f->db, f->arena, STR("{}"));
	node_put(f->db, f->branch, seq, &n);
	assert_true(blob_known(f->db, two));
	assert_false(blob_known(f->db, map));
	n.body = blob_put(f->db, f->arena, STR("three"));
	node_put(f->db, f->branch, seq, &n);
	assert_false(blob_known(f->db, two));
	assert_int_equal(count(f, "SELECT count(*) FROM blob"), 3);
	node_end(f->db, f->branch, "a", seq);
	assert_int_equal(count(f, "SELECT count(*) FROM blob"), 1);
	assert_int_equal(count(f, "SELECT count(*) FROM blob_data"), 1);
	db_rollback(f->db);
}

/* ---- files ---- */

static void
an_unsynced_batch_is_deleted(void **state)
{
	struct fixture *f = *state;
	struct arena *a = arena_new(1 << 20);
	struct blob_batch *b = blob_batch_new(a, f->dir);
	const char *error;
	struct str hash;

	assert_true(blob_batch_add(b, STR("one"), &hash, &error));
	assert_true(blob_batch_add(b, STR("two"), &hash, &error));
	assert_int_equal(files(f), 2);
	arena_reset(a);
	assert_int_equal(files(f), 0);
	/* The same for a batch that is dropped before its arena is freed. */
	b = blob_batch_new(a, f->dir);
	assert_true(blob_batch_add(b, STR("one"), &hash, &error));
	blob_batch_drop(b);
	assert_int_equal(files(f), 0);
	assert_true(blob_batch_sync(b, &error));
	/* A file that has its final name stays. */
	b = blob_batch_new(a, f->dir);
	assert_true(blob_batch_add(b, STR("one"), &hash, &error));
	assert_true(blob_batch_sync(b, &error));
	assert_true(blob_batch_add(b, STR("two"), &hash, &error));
	assert_int_equal(files(f), 2);
	arena_free(a);
	assert_int_equal(files(f), 1);
}

/* A file that exists is not written again, unless it was truncated. */
static void
an_existing_file_is_not_written_again(void **state)
{
	struct fixture *f = *state;
	struct str bytes = STR("a file that is written once"), hash = file_made(f, "file", bytes);
	char *path = blob_path(f->arena, f->dir, hash);
	struct stat was, now;

	assert_int_equal(stat(path, &was), 0);
	file_made(f, "file", bytes);
	assert_int_equal(stat(path, &now), 0);
	assert_int_equal(now.st_ino, was.st_ino);
	assert_int_equal(truncate(path, 3), 0);
	file_made(f, "file", bytes);
	assert_int_equal(stat(path, &now), 0);
	assert_int_equal(now.st_size, bytes.n);
}

/* Descriptor 0 is valid: a service whose standard input is closed gets it from open(). */
static void
descriptor_zero_is_valid(void **state)
{
	struct fixture *f = *state;
	struct blob_batch *b = blob_batch_new(f->arena, f->dir);
	const char *error;
	struct str hash;
	int in = dup(STDIN_FILENO);

	close(STDIN_FILENO);
	assert_true(blob_batch_add(b, STR("by descriptor 0"), &hash, &error));
	assert_true(blob_batch_sync(b, &error));
	dup2(in, STDIN_FILENO);
	close(in);
	assert_true(there(f, hash));
}

static void
an_error_names_the_path_and_the_cause(void **state)
{
	struct fixture *f = *state;
	struct blob_batch *b = blob_batch_new(f->arena, arena_printf(f->arena, "%s/nowhere", f->dir));
	const char *error = NULL;
	struct str hash;

	assert_false(blob_batch_add(b, STR("one"), &hash, &error));
	assert_non_null(strstr(error, "nowhere"));
	assert_non_null(strstr(error, strerror(ENOENT)));
}

/* The error for a file that cannot be opened is that of open(), not of a later write(). */
static void
an_error_of_open_is_reported(void **state)
{
	struct fixture *f = *state;
	struct blob_batch *b = blob_batch_new(f->arena, f->dir);
	struct str bytes = STR("in the way"), hash = hash_of(f->arena, bytes);
	char *path = blob_path(f->arena, f->dir, hash);
	const char *error = NULL;

	*strrchr(path, '/') = '\0';
	/* A link to nothing in place of the folder. */
	mkdir(arena_printf(f->arena, "%s/blobs", f->dir), 0700);
	assert_int_equal(symlink("/nonexistent/folder", path), 0);
	assert_false(blob_batch_add(b, bytes, &hash, &error));
	assert_non_null(strstr(error, strerror(ENOENT)));
}

/* A full disk is reported, and no file with that name remains. */
static void
a_full_disk_leaves_no_file(void **state)
{
	struct fixture *f = *state;
	struct blob_batch *b = blob_batch_new(f->arena, f->dir);
	struct str bytes = { memset(arena_alloc(f->arena, 5000), 'x', 5000), 5000 }, hash;
	const char *error = NULL;
	struct rlimit was, less;
	bool added;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &was), 0);
	signal(SIGXFSZ, SIG_IGN);
	less = was;
	less.rlim_cur = 1000;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &less), 0);
	added = blob_batch_add(b, bytes, &hash, &error);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &was), 0);
	signal(SIGXFSZ, SIG_DFL);
	assert_false(added);
	assert_non_null(strstr(error, strerror(EFBIG)));
	assert_false(there(f, hash));
	blob_batch_drop(b);
	assert_int_equal(files(f), 0);
}

static void
a_swept_file_gets_no_row(void **state)
{
	struct fixture *f = *state;
	struct blob_batch *b = blob_batch_new(f->arena, f->dir);
	const char *error;
	struct str hash;

	assert_true(blob_batch_add(b, STR("one"), &hash, &error));
	assert_true(blob_batch_sync(b, &error));
	blob_sweep(f->db, f->arena, f->dir, LATER);
	assert_false(there(f, hash));
	db_begin(f->db, true);
	assert_false(blob_batch_rows(b, f->db));
	db_rollback(f->db);
}

/* ---- sweeping ---- */

static void
touch(struct fixture *f, const char *name)
{
	FILE *file = fopen(arena_printf(f->arena, "%s/blobs/%s", f->dir, name), "w");

	assert_non_null(file);
	fclose(file);
}

#define NAME "23456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static void
made_at(struct fixture *f, const char *name, int64_t ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000 }, both[2] = { t, t };

	assert_int_equal(utimensat(AT_FDCWD, arena_printf(f->arena, "%s/blobs/%s", f->dir, name), both, 0), 0);
}

SQL(q_job_add, "INSERT INTO job (id, kind, space, queue, state, run_at, created_at) "
    "VALUES ('sweeps', 'arrive', :space, :space, 'running', 0, 0)");
SQL(q_job_end, "UPDATE job SET state = 'done' WHERE id = 'sweeps'");

/* An import stores bodies before the rows that name them. */
static void
bytes_stay_while_a_space_is_written(void **state)
{
	struct fixture *f = *state;
	struct str hash;
	struct stmt *q;

	db_begin(f->db, true);
	hash = blob_put(f->db, f->arena, STR("stored ahead"));
	q = db_use(f->db, &q_job_add);
	bind_text(q, ":space", f->space);
	stmt_run(q);
	db_commit(f->db);
	blob_sweep(f->db, f->arena, f->dir, LATER);
	db_begin(f->db, true);
	assert_true(blob_known(f->db, hash));
	stmt_run(db_use(f->db, &q_job_end));
	db_commit(f->db);
	assert_true(blob_sweep(f->db, f->arena, f->dir, LATER).rows > 0);
	db_begin(f->db, false);
	assert_false(blob_known(f->db, hash));
	db_rollback(f->db);
}

static void
unused_files_are_swept(void **state)
{
	struct fixture *f = *state;
	struct str kept = file_made(f, "file", STR("kept"));
	struct blob_swept s;

	mkdir(arena_printf(f->arena, "%s/blobs/01", f->dir), 0750);
	touch(f, "01/" NAME);
	touch(f, "01/" NAME ".77.0");
	touch(f, "01/" NAME ".old");
	touch(f, "01/README");
	touch(f, ".swept");
	assert_int_equal(files(f), 3);
	/* A recent file may belong to a running writer. */
	s = blob_sweep(f->db, f->arena, f->dir, time_now() - 60000);
	assert_int_equal(s.files, 0);
	/* Exact to the millisecond: a file of exactly that time is not older. */
	made_at(f, "01/" NAME, 5678);
	made_at(f, "01/" NAME ".77.0", 5678);
	s = blob_sweep(f->db, f->arena, f->dir, 5678);
	assert_int_equal(s.files, 0);
	s = blob_sweep(f->db, f->arena, f->dir, 5679);
	assert_int_equal(s.files, 2);
	touch(f, "01/" NAME);
	touch(f, "01/" NAME ".77.0");
	s = blob_sweep(f->db, f->arena, f->dir, LATER);
	assert_int_equal(s.files, 2);
	assert_int_equal(files(f), 1);
	assert_true(there(f, kept));
	/* Files with other names are not removed. */
	assert_int_equal(access(arena_printf(f->arena, "%s/blobs/01/README", f->dir), F_OK), 0);
	assert_int_equal(access(arena_printf(f->arena, "%s/blobs/01/" NAME ".old", f->dir), F_OK), 0);
}

/* Smaller versions of a picture go when no row names the picture any more. */
static void
variants_of_unused_files_are_swept(void **state)
{
	struct fixture *f = *state;
	struct str kept = file_made(f, "file", STR("kept")), idle = hash_of(f->arena, STR("idle"));
	struct variants v = { 1, { { 480, 3, STR("abc") } } }, out;
	const char *left = arena_printf(f->arena, "%s/cache/variants/%.2s/.77", f->dir, hex(f->arena, kept));
	const struct timespec old[2] = { { 1, 0 }, { 1, 0 } };

	assert_true(variants_store(f->arena, f->dir, kept, &v));
	assert_true(variants_store(f->arena, f->dir, idle, &v));
	fclose(fopen(left, "w"));
	assert_int_equal(variants_sweep(f->db, f->arena, f->dir), 1);
	assert_true(variants_look(f->arena, f->dir, kept, &out));
	assert_false(variants_look(f->arena, f->dir, idle, &out));
	/* A temporary file may be of a writer that runs, unless it is old. */
	utimensat(AT_FDCWD, left, old, 0);
	assert_int_equal(variants_sweep(f->db, f->arena, f->dir), 1);
	assert_int_equal(variants_sweep(f->db, f->arena, f->dir), 0);
}

static void
unused_rows_are_swept(void **state)
{
	struct fixture *f = *state;
	struct str old, now, idle;
	struct rendered d = { .json = STR("{}"), .refs_hash = STR("") };
	const struct blob_swept nothing = { 0 };
	struct blob_swept s;
	int i;

	db_begin(f->db, true);
	old = blob_put(f->db, f->arena, STR("old"));
	now = blob_put(f->db, f->arena, STR("now"));
	show(f, "page", NODE_DOCUMENT, old);
	show(f, "page", NODE_DOCUMENT, now);
	for (i = 0; i < 5000; i++)
		idle = blob_put(f->db, f->arena, bytes_no(f, i));
	d.body_hash = old;
	document_keep(f->db, &d);
	d.body_hash = now;
	document_keep(f->db, &d);
	db_commit(f->db);
	s = blob_sweep(f->db, f->arena, f->dir, 0);
	/* 5000 blobs, and the document of the version before. */
	assert_int_equal(s.rows, 5001);
	assert_false(blob_known(f->db, idle));
	assert_true(blob_known(f->db, old));
	assert_true(blob_known(f->db, now));
	assert_int_equal(count(f, "SELECT count(*) FROM blob_data"), 2);
	assert_int_equal(count(f, "SELECT count(*) FROM derived"), 1);
	s = blob_sweep(f->db, f->arena, f->dir, 0);
	assert_memory_equal(&s, &nothing, sizeof(s));
}

/* Creates a change request with this status whose branch names the blob. */
static void
request_shows(struct fixture *f, const char *status, struct str hash)
{
	static int number;
	struct point main;
	struct node n = { .id = "page", .kind = NODE_DOCUMENT, .parent = "", .ord = "a", .slug = "page", .title = "P",
		.props = "{}", .origin = -1, .body = hash, .at = 1, .made = 1 };
	struct revision_info info = { .kind = "edits", .author = f->user };
	int64_t branch;
	char *revision;
	const char *error = NULL;

	assert_true(point_head(f->db, f->arena, f->branch, &main));
	branch = branch_create(f->db, f->space, "request", &main);
	info.base_seq = main.seq;
	node_put(f->db, branch, revision_add(f->db, f->arena, branch, &info, &revision), &n);
	number++;
	if (!db_script(f->db, f->arena, arena_printf(f->arena,
	    "INSERT INTO change_request (id, space, number, status, branch, created_by, created_at, updated_at, "
	    "revision_initial, merged_ancestor, merged_at, revision_merged) VALUES ('r%d', '%s', %d, '%s', %lld, '%s', "
	    "0, 0, 'x', 'x', %s)", number, f->space, number, status, (long long)branch, f->user,
	    strcmp(status, "merged") == 0 ? "1, 'x'" : "NULL, NULL"), &error))
		fail_msg("%s", error);
}

/*
 * Documents of draft and open requests are kept; those of merged and archived ones are deleted,
 * since they can be parsed again.
 */
static void
documents_of_open_requests_are_kept(void **state)
{
	static const struct { const char *status; bool kept; } cases[] = {
		{ "merged", false }, { "archived", false }, { "draft", true }, { "open", true },
	};
	struct fixture *f = *state;
	struct rendered d = { .json = STR("{}"), .refs_hash = STR("") };
	int64_t kept = 0;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		db_begin(f->db, true);
		d.body_hash = blob_put(f->db, f->arena, str_of(cases[i].status));
		request_shows(f, cases[i].status, d.body_hash);
		document_keep(f->db, &d);
		db_commit(f->db);
		blob_sweep(f->db, f->arena, f->dir, 0);
		assert_true(blob_known(f->db, d.body_hash));
		kept += cases[i].kept;
		if (count(f, "SELECT count(*) FROM derived") != kept)
			fail_msg("%s: %s", cases[i].status, cases[i].kept ? "swept" : "kept");
	}
}

/* ---- concurrent processes ---- */

static struct db *
another(struct arena *a, struct fixture *f)
{
	const char *error = NULL;
	struct db *db = db_open(a, arena_printf(a, "%s/octavo.db", f->dir), DB_READ_WRITE, NULL, &error);

	if (db == NULL)
		_exit(9);
	return db;
}

/* Runs a writer, like that of an import, in a child that dies after this many steps. */
static void
die_after(struct fixture *f, int steps)
{
	struct arena *a = arena_new(1 << 20);
	struct fixture own = *f;
	struct blob_batch *b = blob_batch_new(a, f->dir);
	const char *error;
	struct str one, two;

	own.db = another(a, f);
	own.arena = a;
	if (steps-- == 0 || !blob_batch_add(b, STR("one"), &one, &error))
		_exit(0);
	if (steps-- == 0 || !blob_batch_add(b, STR("two"), &two, &error))
		_exit(0);
	if (steps-- == 0 || !blob_batch_sync(b, &error))
		_exit(0);
	db_begin(own.db, true);
	if (steps-- == 0 || !blob_batch_rows(b, own.db))
		_exit(0);
	show(&own, "one", NODE_FILE, one);
	show(&own, "two", NODE_FILE, two);
	if (steps-- == 0)
		_exit(0);
	db_commit(own.db);
	_exit(0);
}

static void
killed_writers_leave_no_broken_row(void **state)
{
	struct fixture *f = *state;
	int steps, status;
	pid_t pid;

	for (steps = 0; steps <= 5; steps++) {
		if ((pid = fork()) == 0)
			die_after(f, steps);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_int_equal(status, 0);
		blob_sweep(f->db, f->arena, f->dir, LATER);
		assert_int_equal(count(f, "SELECT count(*) FROM blob"), steps < 5 ? 0 : 2);
		assert_int_equal(files(f), steps < 5 ? 0 : 2);
	}
}

enum { FILES = 12, ROUNDS = 60 };

/* One round of write_and_forget(). */
struct write_round {
	struct fixture *f;
	const char     *id;
	int             n;
};

/*
 * In the order of an import, which holds no lock while it writes files. The sweep treats even young
 * temporary files as old.
 */
static void
write_file(void *ctx)
{
	const struct write_round *w = ctx;
	struct blob_batch *b = blob_batch_new(w->f->arena, w->f->dir);
	const char *error;
	struct str hash;

	if (!blob_batch_add(b, bytes_no(w->f, w->n), &hash, &error) || !blob_batch_sync(b, &error))
		return;
	db_begin(w->f->db, true);
	if (blob_batch_rows(b, w->f->db))
		show(w->f, w->id, NODE_FILE, hash);
	db_commit(w->f->db);
}

/* Adds files with their nodes and deletes them, repeatedly. */
static void
write_and_forget(struct fixture *f, int seed)
{
	struct arena *a = arena_new(64 << 20);
	struct fixture own = *f;
	int i;

	own.db = another(a, f);
	for (i = 0; i < ROUNDS; i++) {
		struct write_round w = { &own, arena_printf(a, "file%d", (i * 7 + seed) % FILES), (i * 5 + seed) % FILES };

		own.arena = arena_new(1 << 20);
		run_again(own.db, write_file, &w);
		arena_free(own.arena);
	}
	_exit(0);
}

static void
no_row(void *ctx, struct stmt *q)
{
	(void)ctx;
	(void)q;
}

static void
delete_versions(void *ctx)
{
	struct fixture *f = ctx;

	db_begin(f->db, true);
	db_each_or_fail(f->db, f->arena, "DELETE FROM node WHERE until < 9007199254740991", no_row, NULL);
	db_commit(f->db);
}

static void
forget_versions(struct fixture *f)
{
	run_again(f->db, delete_versions, f);
}

static void
sweep_all(void *ctx)
{
	struct fixture *f = ctx;

	blob_sweep(f->db, f->arena, f->dir, LATER);
}

static void
lacking(void *ctx, struct stmt *q)
{
	struct fixture *f = ctx;

	assert_true(there(f, col_bytes(q, 0)));
}

/* Two processes write while this one sweeps as if every file were old: the file of a row is never missing. */
static void
a_sweep_among_writers_breaks_no_row(void **state)
{
	struct fixture *f = *state;
	int status, alive = 2, bad = 0;
	pid_t pid;
	const char *error = NULL;
	int i;

	for (i = 0; i < 2; i++)
		if ((pid = fork()) == 0)
			write_and_forget(f, i * 3);
	while (alive > 0) {
		forget_versions(f);
		run_again(f->db, sweep_all, f);
		db_begin(f->db, true);
		assert_true(db_each(f->db, f->arena, "SELECT hash FROM blob", lacking, f, &error));
		db_rollback(f->db);
		while (alive > 0 && waitpid(-1, &status, WNOHANG) > 0) {
			alive--;
			bad += status != 0;
		}
	}
	assert_int_equal(bad, 0);
	forget_versions(f);
	blob_sweep(f->db, f->arena, f->dir, LATER);
	assert_true(count(f, "SELECT count(*) FROM blob") > 0);
	assert_int_equal(files(f), count(f, "SELECT count(*) FROM blob"));
}

/* A sweep of named files removes those that no row names, and no other files. */
static void
only_named_files_are_swept(void **state)
{
	struct fixture *f = *state;
	struct blob_batch *b = blob_batch_new(f->arena, f->dir);
	const char *error;
	struct str hashes[4];

	hashes[0] = file_made(f, "kept", STR("kept"));
	assert_true(blob_batch_add(b, STR("one"), &hashes[1], &error));
	assert_true(blob_batch_add(b, STR("two"), &hashes[3], &error));
	assert_true(blob_batch_sync(b, &error));
	hashes[2] = hash_of(f->arena, STR("never a file"));
	blob_files_drop(f->db, f->arena, f->dir, hashes, 3);
	assert_true(there(f, hashes[0]));
	assert_false(there(f, hashes[1]));
	assert_true(there(f, hashes[3]));
}

/* With more rows than one step reads, all rows that are needed stay and all others are deleted. */
static void
many_rows_are_swept_in_steps(void **state)
{
	enum { HELD = 4100, IDLE = 100 };
	struct fixture *f = *state;
	struct revision_info info = { .kind = "edits", .author = f->user };
	struct node n = { .kind = NODE_DOCUMENT, .parent = "", .ord = "V", .slug = "x", .title = "x", .props = "{}",
		.origin = -1, .at = 1, .made = 1 };
	char *revision;
	int64_t seq;
	int i;

	db_begin(f->db, true);
	seq = revision_add(f->db, f->arena, f->branch, &info, &revision);
	for (i = 0; i < HELD + IDLE; i++) {
		n.id = arena_printf(f->arena, "n%d", i);
		n.body = blob_put(f->db, f->arena, bytes_no(f, i));
		if (i >= IDLE)
			node_put(f->db, f->branch, seq, &n);
	}
	db_commit(f->db);
	assert_int_equal(blob_sweep(f->db, f->arena, f->dir, LATER).rows, IDLE);
	assert_int_equal(count(f, "SELECT count(*) FROM blob"), HELD);
	assert_int_equal(blob_sweep(f->db, f->arena, f->dir, LATER).rows, 0);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, db_setup, db_teardown)
	const struct CMUnitTest tests[] = {
		TEST(equal_blobs_are_stored_once), TEST(text_is_stored_compressed),
		TEST(blobs_beyond_the_cache_are_found), TEST(a_page_may_have_the_bytes_of_a_file),
		TEST(a_replaced_version_leaves_no_blob), TEST(an_unsynced_batch_is_deleted),
		TEST(an_existing_file_is_not_written_again), TEST(descriptor_zero_is_valid),
		TEST(an_error_names_the_path_and_the_cause), TEST(an_error_of_open_is_reported),
		TEST(a_full_disk_leaves_no_file), TEST(a_swept_file_gets_no_row), TEST(unused_files_are_swept),
		TEST(bytes_stay_while_a_space_is_written), TEST(variants_of_unused_files_are_swept),
		TEST(unused_rows_are_swept), TEST(many_rows_are_swept_in_steps), TEST(only_named_files_are_swept),
		TEST(documents_of_open_requests_are_kept), TEST(killed_writers_leave_no_broken_row),
		TEST(a_sweep_among_writers_breaks_no_row),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
