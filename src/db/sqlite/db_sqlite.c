/* The engine SQLite: opens and closes a file, and defines the table of the engine's functions. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/spare.h"
#include "db_sqlite.h"

/* SQLite's own busy handler sleeps up to 100 ms; a write here takes about one. */
static int
on_busy(void *ctx, int tries)
{
	struct db *db = ctx;
	struct timespec t = { 0, 1500000 };
	bool brief = db->patience_ms > 0 && db->patience_ms < db->busy_ms;

	if (tries * 3 / 2 >= (brief ? db->patience_ms : db->busy_ms))
		return 0;
	db_lock_missed(db);
	nanosleep(&t, NULL);
	return 1;
}

static bool
run_pragmas(struct db *db, const struct db_options *o)
{
	char text[400];

	snprintf(text, sizeof(text),
	    "PRAGMA foreign_keys=ON; PRAGMA trusted_schema=OFF; PRAGMA temp_store=MEMORY;"
	    "PRAGMA cache_size=-3000; PRAGMA journal_size_limit=%d; PRAGMA synchronous=%s;",
	    DB_WAL_BYTES, o != NULL && o->relaxed ? "NORMAL" : "FULL");
	return sqlite3_exec(sqlite_of(db)->handle, text, NULL, NULL, NULL) == SQLITE_OK;
}

/*
 * A restored database may have a hostile schema: its triggers and views may call none of our
 * functions nor write SQLite's own tables, and a misspelled name is an error instead of a string
 * (sqlite.org/security.html).
 */
static void
harden_connection(sqlite3 *h)
{
	sqlite3_db_config(h, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(h, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
	sqlite3_db_config(h, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
	sqlite3_db_config(h, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_extended_result_codes(h, 0);
}

/*
 * Octavo's processes are single-threaded: SQLite needs no locks and need not count memory. Later
 * calls have no effect.
 */
static void
configure_sqlite(void)
{
	sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
	db_memory();
}

/*
 * SQLite's message for the last call, with the system's reason for an I/O error (a full disk, say).
 */
static char *
error_reason(struct db *db, struct arena *a, const char *path)
{
	int no = sqlite3_system_errno(sqlite_of(db)->handle);

	if ((sqlite3_errcode(sqlite_of(db)->handle) & 0xff) == SQLITE_IOERR && no != 0)
		return arena_printf(a, "%s: %s (%s)", path, sqlite3_errmsg(sqlite_of(db)->handle), strerror(no));
	return arena_printf(a, "%s: %s", path, sqlite3_errmsg(sqlite_of(db)->handle));
}

static const char *
folder_of(struct arena *a, const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == NULL ? "." : arena_strndup(a, path, (size_t)(slash - path));
}

/* access(2) does not know of a file system that the kernel made read-only after an error. */
static bool
is_frozen(struct arena *a, const char *path)
{
	int fd = open(folder_of(a, path), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd >= 0)
		close(fd);
	return fd < 0 && errno == EROFS;
}

/*
 * SQLite opens a file without write permission read-only, and fails at the first write: reads would
 * work, and every write would be answered with 500. Returns a message if that is so; NULL: the file
 * can be written.
 */
static const char *
read_only_error(struct db *db, struct arena *a, const char *path)
{
	if (sqlite3_db_readonly(sqlite_of(db)->handle, "main") != 1)
		return NULL;
	return is_frozen(a, path) ?
	    arena_printf(a, "%s is on a file system that this program may only read. The system makes it so after an error of "
	        "the disk, which dmesg shows; systemd, where the folder is moved while the program runs: systemctl restart "
	        "octavo-api octavo-site octavo-jobs", path) :
	    arena_printf(a, "%s may only be read by this user: it has to belong to the user of the programs", path);
}

/* Registers hooks and functions before the file is used. False: it failed. */
static bool
prepare_connection(struct sqlite_db *s)
{
	harden_connection(s->handle);
	sqlite3_busy_handler(s->handle, on_busy, &s->db);
	sqlite_log_watch(&s->db);
	sqlite_shown_watch(&s->db);
	db_long_open(&s->db);
	return db_fulltext(s->handle) && db_fold_register(s->handle) && db_pack_register(s->handle) && db_secret_register(s->handle);
}

/*
 * Records the file's identity and schema version, by which changes are detected later. The file is
 * open, and its schema suits the mode.
 */
static void
note_state(struct sqlite_db *s, enum db_mode mode)
{
	s->db.version = mode == DB_ANY_VERSION ? 0 : db_latest();
	s->compared = true;
	s->data = sqlite_data_version(s);
	sqlite_unchanged_watch(s);
	if (!db_file_id(s->handle, &s->file))
		s->db.version = 0;   /* in memory: it cannot be replaced */
}

static void
sqlite_close(struct db *db)
{
	struct sqlite_db *s = sqlite_of(db);
	size_t i;

	for (i = 0; i < db->count; i++)
		sqlite3_finalize(db->stmts[i].own);
	/*
	 * The last connection to close copies the log into the file. On a full disk that would fail
	 * midway and use up the room that the next start needs: leave the log as it is.
	 */
	if (db->dir != NULL && disk_is_short(db->dir, SPARE_BYTES))
		sqlite3_db_config(s->handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
	sqlite3_close(s->handle);
	s->handle = NULL;
}

/* Only DB_CREATE creates a file: otherwise a mistyped path would make an empty database, which looks like lost data. */
static int
open_flags(enum db_mode mode)
{
	return SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | (mode == DB_CREATE ? SQLITE_OPEN_CREATE : 0);
}

static struct db *
sqlite_open(struct arena *a, const char *path, enum db_mode mode, const struct db_options *o, const char **error)
{
	struct sqlite_db *s = arena_alloc(a, sizeof(*s));
	struct db *db = &s->db;

	configure_sqlite();
	db->engine = &db_sqlite;
	db->arena = a;
	db->busy_ms = o != NULL && o->busy_ms > 0 ? o->busy_ms : 5000;
	db->job = o != NULL && o->job;
	if (sqlite3_open_v2(path, &s->handle, open_flags(mode), NULL) != SQLITE_OK) {
		*error = arena_printf(a, "%s: %s", path, s->handle == NULL ? "out of memory" :
		    sqlite3_errmsg(s->handle));
		goto failed;
	}
	if (mode != DB_ANY_VERSION && (*error = read_only_error(db, a, path)) != NULL)
		goto failed;
	db->dir = folder_of(a, path);
	db->qualifier = "main";
	if (!prepare_connection(s)) {
		*error = arena_printf(a, "%s: functions of its own: %s", path, sqlite3_errmsg(s->handle));
		goto failed;
	}
	if (!run_pragmas(db, o) || (mode == DB_CREATE &&
	    sqlite3_exec(s->handle, "PRAGMA journal_mode=WAL", NULL, NULL, NULL) != SQLITE_OK)) {
		*error = error_reason(db, a, path);
		goto failed;
	}
	db_list_statements(db);
	if ((*error = db_check_version(db, a, mode)) != NULL) {
		if (o != NULL && o->older_schema != NULL)
			*o->older_schema = db_version(db) > 0 && db_version(db) < db_latest();
		goto failed;
	}
	note_state(s, mode);
	return db;
failed:
	db_close(db);
	return NULL;
}

const struct db_engine db_sqlite = {
	.name = "SQLite", .has_file = true, .open = sqlite_open, .close = sqlite_close,
	.begin = sqlite_begin, .try_begin = sqlite_try_begin, .commit = sqlite_commit, .rollback = sqlite_rollback,
	.mark = sqlite_mark, .undo = sqlite_undo, .keep = sqlite_keep,
	.moment = sqlite_moment, .unchanged = sqlite_unchanged, .outdated = sqlite_outdated,
	.prepare = sqlite_prepare, .check = sqlite_check, .reset = sqlite_reset, .rewind = sqlite_rewind,
	.bind_bytes = sqlite_bind_bytes, .bind_int = sqlite_bind_int, .bind_blob = sqlite_bind_blob,
	.bind_null = sqlite_bind_null, .write_words = sqlite_write_words, .match = sqlite_match,
	.step = sqlite_step, .changed = sqlite_changed, .last_id = sqlite_last_id,
	.changes = sqlite_changes, .col_count = sqlite_col_count, .col_name = sqlite_col_name,
	.col_null = sqlite_col_null, .col_int = sqlite_col_int, .col_double = sqlite_col_double,
	.col_is_number = sqlite_col_is_number, .col_text = sqlite_col_text, .col_bytes = sqlite_col_bytes,
	.script = sqlite_script, .each = sqlite_each, .raise = sqlite_raise,
	.version = sqlite_version, .migrate_one = sqlite_migrate_one, .migrating = sqlite_migrating, .receive = sqlite_receive,
	.truncate_log = sqlite_truncate_log, .copy = sqlite_copy, .forget_pages = sqlite_forget_pages,
	.checkpoint = sqlite_checkpoint,
};
