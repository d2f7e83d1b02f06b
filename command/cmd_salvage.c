/*
 * octavo salvage: builds a new data directory from the readable parts of a damaged one, which stays
 * unchanged. db/salvage.h copies the rows; this file creates placeholders for lost rows and texts
 * where that is possible.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/database.h"
#include "app/installation.h"
#include "app/queue.h"
#include "app/setup.h"
#include "backup/backup_parts.h"
#include "base/file.h"
#include "base/pack.h"
#include "base/secret.h"
#include "db/salvage.h"
#include "store/blob.h"
#include "command/cli.h"
#include "command/salvage.h"
#include "command/service.h"
#include "cmd_data.h"

/*
 * Data that the index job rebuilds from the spaces' content, and caches. Links are included: they
 * would refer to lost pages.
 */
static const char *const derived[] = { "derived", "search_page", "search_place", "search_reads", "search_section",
	"search_text", "search_space",
	"link_edition", "link_target", "link", "link_count", NULL };

struct salvage_state {
	struct cli   *cli;
	struct backup b;        /* b.data: the new folder; b.to: the damaged one */
	struct db    *db;       /* the new database, only while mend_database() runs */
	int64_t       texts;    /* page versions whose lost text was replaced by a note */
};

/*
 * ---- placeholders for lost rows (an older schema may lack these tables: then none are made) ----
 */

/*
 * Errors are ignored: without a placeholder, references to lost rows are set to NULL or deleted
 * afterwards.
 */
static void
try_script(struct salvage_state *w, const char *text)
{
	const char *ignored;

	db_script(w->db, w->cli->arena, text, &ignored);
}

/* Recreates the lost `blob` row of bytes in the database: its key is their hash. */
static void
recreate_row_of_bytes(void *ctx, struct stmt *q)
{
	struct salvage_state *w = ctx;
	struct arena *a = arena_new((size_t)2 << 30);
	struct str bytes = col_bytes(q, 1);

	/*
	 * The database still has its old schema: until version 37 there was no size column, and no
	 * data was packed.
	 */
	if (col_count(q) < 3 || unpack(a, bytes, (size_t)col_int(q, 2), &bytes))
		try_script(w, arena_printf(a, "INSERT INTO blob (hash, size, no) VALUES (x'%s', %zu, %" PRId64 ") "
		    "ON CONFLICT (hash) DO UPDATE SET no = excluded.no WHERE no IS NULL", hex(a, hash_of(a, bytes)), bytes.n,
		    col_int(q, 0)));
	arena_free(a);
}

/* The file exists and its name is its hash, so its row can be recreated. */
static void
recreate_row_of_file(void *ctx, const struct blob_file *f)
{
	struct salvage_state *w = ctx;
	struct arena *a = arena_new(1 << 16);

	if (f->hash.n != 0)
		try_script(w, arena_printf(a, "INSERT OR IGNORE INTO blob (hash, size) VALUES (x'%s', %" PRId64 ")",
		    hex(a, f->hash), backup_size_of(f->path)));
	arena_free(a);
}

/*
 * For a row whose bytes are lost in the database: if a file has the bytes, the row refers to the
 * file; otherwise the row is deleted.
 */
static void
resolve_lost_bytes(void *ctx, struct stmt *q)
{
	struct salvage_state *w = ctx;
	struct arena *a = arena_new(1 << 16);
	bool file = backup_size_of(blob_path(a, w->b.data, col_bytes(q, 0))) >= 0;

	try_script(w, arena_printf(a, file ? "UPDATE blob SET no = NULL WHERE hash = x'%s'" :
	    "DELETE FROM blob WHERE hash = x'%s'", hex(a, col_bytes(q, 0))));
	arena_free(a);
}

/* Numbers of rows whose bytes do not match their hash, as an SQL list; "" if there are none. */
struct mismatched_rows {
	struct arena *arena;
	const char   *list;
};

/* Columns: d.*, b.hash. Until version 37 there was no size column, and no data was packed. */
static void
collect_mismatched(void *ctx, struct stmt *q)
{
	struct mismatched_rows *s = ctx;
	struct arena *a = arena_new((size_t)2 << 30);
	int hash = col_count(q) - 1;
	struct str bytes = col_bytes(q, 1);

	if ((hash == 3 && !unpack(a, bytes, (size_t)col_int(q, 2), &bytes)) || !str_eq(hash_of(a, bytes), col_bytes(q, hash)))
		s->list = arena_printf(s->arena, "%s%s%" PRId64, s->list, *s->list != '\0' ? "," : "", col_int(q, 0));
	arena_free(a);
}

/* Deletes blobs whose bytes do not match their hash (flipped bits); they count as lost. */
static void
delete_mismatched(struct salvage_state *w)
{
	struct mismatched_rows s = { w->cli->arena, "" };
	const char *ignored;

	db_each(w->db, w->cli->arena, "SELECT d.*, b.hash FROM blob b JOIN blob_data d ON d.no = b.no", collect_mismatched, &s, &ignored);
	if (*s.list != '\0')
		try_script(w, arena_printf(w->cli->arena, "DELETE FROM blob WHERE no IN (%s); DELETE FROM blob_data WHERE no IN (%s)",
		    s.list, s.list));
}

/* Prints the first of the lost texts; print_report() prints the number of versions. */
static void
print_lost_text(void *ctx, struct stmt *q)
{
	struct salvage_state *w = ctx;

	cli_say(w->cli, "The text is lost of %s \"%s\" (%s), space \"%s\"", col_text(q, 0), col_null(q, 1) ? "" : col_text(q, 1),
	    col_text(q, 2), col_null(q, 3) ? "?" : col_text(q, 3));
}

/*
 * Processes rows with bytes, then files, then rows without either: each step relies on the rows
 * that the previous ones made.
 */
static void
mend_blobs(struct salvage_state *w)
{
	struct arena *a = w->cli->arena;
	const char *ignored;

	delete_mismatched(w);
	db_each(w->db, a, "SELECT * FROM blob_data WHERE no NOT IN (SELECT no FROM blob WHERE no IS NOT NULL)",
	    recreate_row_of_bytes, w, &ignored);
	blob_walk(a, w->b.data, recreate_row_of_file, w);
	db_each(w->db, a, "SELECT hash FROM blob WHERE no IS NOT NULL AND no NOT IN (SELECT no FROM blob_data)",
	    resolve_lost_bytes, w, &ignored);
}

/*
 * Replaces lost texts of documents, in all their versions, by a note that reports the loss. All of
 * them share one blob row, like all equal texts.
 */
static void
mend_texts(struct salvage_state *w)
{
	static const char lost[] = "*The text of this page is lost: it could not be read when the database was salvaged.*\n";
	static const char rows[] = "node WHERE kind IN ('document', 'reusable') AND body IS NOT NULL "
	    "AND body NOT IN (SELECT hash FROM blob)";
	/*
	 * A size equal to the length marks data that is not packed; a database older than
	 * 0038_packed.sql has no such column.
	 */
	static const struct { const char *columns, *value; } forms[] = { { "data, size", ", length(t)" }, { "data", "" } };
	struct arena *a = w->cli->arena;
	const char *hash = hex(a, hash_of(a, STR(lost))), *ignored;
	int64_t before;

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		try_script(w, arena_printf(a, "INSERT INTO blob_data (%s) SELECT CAST(t AS BLOB)%s FROM (SELECT '%s' AS t) "
		    "WHERE EXISTS (SELECT 1 FROM %s) AND NOT EXISTS (SELECT 1 FROM blob WHERE hash = x'%s');"
		    "INSERT INTO blob (hash, size, no) SELECT x'%s', %zu, last_insert_rowid() WHERE changes() = 1",
		    forms[i].columns, forms[i].value, lost, rows, hash, hash, sizeof(lost) - 1));
	db_each(w->db, a, arena_printf(a, "SELECT CASE n.kind WHEN 'document' THEN 'page' ELSE n.kind END, n.title, n.id, s.title "
	    "FROM node n LEFT JOIN branch b ON b.id = n.branch LEFT JOIN space s ON s.id = b.space WHERE (n.branch, n.id, n.since) "
	    "IN (SELECT branch, id, since FROM %s) GROUP BY n.branch, n.id LIMIT 100", rows), print_lost_text, w, &ignored);
	before = db_changes(w->db);
	try_script(w, arena_printf(a, "UPDATE node SET body = x'%s', refs = NULL WHERE (branch, id, since) IN "
	    "(SELECT branch, id, since FROM %s)", hash, rows));
	w->texts = db_changes(w->db) - before;
}

/* How to insert placeholders into the table `parent`: SQL lists of its columns and of their values. */
struct stand_in {
	struct salvage_state *w;
	const char  *parent, *columns, *values;
};

/* q: a column that refers to `parent`. Inserts a placeholder for each key in it that `parent` lacks. */
static void
add_placeholders_of_column(void *ctx, struct stmt *q)
{
	struct stand_in *s = ctx;

	try_script(s->w, arena_printf(s->w->cli->arena, "INSERT OR IGNORE INTO %s (%s) SELECT %s FROM "
	    "(SELECT DISTINCT \"%s\" AS key FROM \"%s\" WHERE \"%s\" IS NOT NULL) WHERE key NOT IN (SELECT id FROM %s)",
	    s->parent, s->columns, s->values, col_text(q, 1), col_text(q, 0), col_text(q, 1), s->parent));
}

/*
 * Inserts placeholders for every column that refers to the table. SQLite lists the foreign keys, so
 * a new table needs no change here.
 */
static void
add_placeholders(struct salvage_state *w, const char *parent, const char *columns, const char *values)
{
	struct stand_in s = { w, parent, columns, values };
	const char *ignored;

	db_each(w->db, w->cli->arena, arena_printf(w->cli->arena, "SELECT t.name, f.\"from\" FROM pragma_table_list t "
	    "JOIN pragma_foreign_key_list(t.name) f WHERE t.schema = 'main' AND t.type = 'table' AND f.\"table\" = '%s'",
	    parent), add_placeholders_of_column, &s, &ignored);
}

/*
 * A space whose own row is lost, but not that of its main branch, is recreated in a new organization
 * without members: its organization is unknown, so an admin has to grant access again. Lost
 * organizations and users that other rows refer to get placeholder rows with their id.
 */
static void
mend_database(void *ctx, struct db *db)
{
	struct salvage_state *w = ctx;
	struct arena *a = w->cli->arena;
	const char *org = secret_id(a);

	w->db = db;
	try_script(w, arena_printf(a, "INSERT OR IGNORE INTO installation (one, id) VALUES (1, '%s')", secret_id(a)));
	mend_blobs(w);
	mend_texts(w);
	try_script(w, "INSERT OR IGNORE INTO branch (id, space, kind, head) SELECT s.branch, s.id, 'main', "
	    "coalesce((SELECT max(r.seq) FROM revision r WHERE r.branch = s.branch), 0) FROM space s "
	    "WHERE s.branch IS NOT NULL AND s.branch NOT IN (SELECT id FROM branch)");
	/* A branch can only be read with its first and its newest revision. */
	try_script(w, "INSERT OR IGNORE INTO revision (branch, seq, id, base_seq, kind, created_at) "
	    "SELECT b.id, p.seq, lower(hex(randomblob(11))), b.base_seq, 'edits', 0 FROM branch b, "
	    "(SELECT id, 0 AS seq FROM branch UNION SELECT id, head FROM branch) p WHERE p.id = b.id");
	try_script(w, arena_printf(a, "INSERT INTO org (id, title, created_at) SELECT '%s', 'Salvaged spaces', 0 WHERE EXISTS "
	    "(SELECT 1 FROM branch WHERE kind = 'main' AND space NOT IN (SELECT id FROM space))", org));
	try_script(w, arena_printf(a, "INSERT OR IGNORE INTO space (id, org, title, ord, created_at, updated_at, branch) "
	    "SELECT space, '%s', 'Lost title', 'a', 0, 0, id FROM branch WHERE kind = 'main' "
	    "AND space NOT IN (SELECT id FROM space)", org));
	add_placeholders(w, "org", "id, title, created_at", "key, 'Lost title', 0");
	add_placeholders(w, "account", "id, email, name, created_at", "key, 'lost-' || lower(key) || '@octavo.invalid', 'Lost name', 0");
}

/* ---- the new folder ---- */

/* Copies the database with its WAL into one file, TO/damaged.db. Returns NULL, or an error. */
static const char *
gather_database(struct salvage_state *w)
{
	struct backup *b = &w->b;
	const char *copy = backup_in(b, b->data, "damaged.db"), *error = NULL;
	int64_t log = backup_size_of(backup_in(b, b->to, "octavo.db-wal"));
	struct db *db;

	if (backup_copy_file(b, backup_in(b, b->to, "octavo.db"), copy, 0600, BACKUP_COPY) != 1)
		return backup_failed(b, backup_in(b, b->to, "octavo.db"));
	if (log <= 0)
		return NULL;
	if (backup_copy_file(b, backup_in(b, b->to, "octavo.db-wal"), backup_in(b, b->data, "damaged.db-wal"), 0600, BACKUP_COPY) < 0)
		return backup_failed(b, backup_in(b, b->data, "damaged.db-wal"));
	/*
	 * Opening the copy makes SQLite replay the WAL beside it; the damaged folder itself is only
	 * read, never opened by SQLite.
	 */
	db = db_open(b->arena, copy, DB_ANY_VERSION, NULL, &error);
	if (db == NULL || !db_truncate_wal(db, b->arena, &error))
		cli_say(w->cli, "The newest changes (%" PRId64 " bytes in octavo.db-wal) could not be applied: %s", log, error);
	db_close(db);
	return NULL;
}

static void
drop_gathered(struct salvage_state *w)
{
	/* The copy, and SQLite's files beside it. */
	static const char *const names[] = { "damaged.db", "damaged.db-wal", "damaged.db-shm" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		unlink(backup_in(&w->b, w->b.data, names[i]));
}

/*
 * If the key is unreadable a new one is made: the data can still be served, but everything sealed
 * with the old key is lost.
 */
static const char *
copy_key(struct salvage_state *w)
{
	struct backup *b = &w->b;

	if (backup_copy_file(b, backup_in(b, b->to, "octavo.key"), backup_in(b, b->data, "octavo.key"), 0600, BACKUP_SYNC) == 1)
		return NULL;
	cli_say(w->cli, "octavo.key cannot be read; a new one was made");
	return secret_create(b->arena, b->data);
}

static void
show_progress(const char *what, int64_t done, int64_t total)
{
	cli_progress(what, done, total);
}

/* Files are copied before the database: mend_database() checks which of them exist. */
static const char *
salvage_data(struct salvage_state *w, struct salvage *out)
{
	struct salvage_options o = { .derived = derived, .mend = mend_database, .ctx = w, .tick = show_progress };
	struct backup *b = &w->b;
	const char *error = setup_folders(b->arena, b->data);

	if (error == NULL)
		error = gather_database(w);
	if (error == NULL)
		error = backup_copy_blobs(b, NULL, b->to, b->data, BACKUP_LINK);
	if (error == NULL)
		error = copy_key(w);
	if (error == NULL)
		error = secret_open(b->arena, b->data);
	if (error == NULL)
		db_salvage(b->arena, backup_in(b, b->data, "damaged.db"), backup_in(b, b->data, "octavo.db.new"), &o, out, &error);
	drop_gathered(w);
	return error;
}

/* Queues jobs for the runner that rebuild the search index and the links. */
static const char *
queue_index(struct salvage_state *w)
{
	struct backup *b = &w->b;
	const char *error = NULL;
	struct db *db = db_open(b->arena, backup_in(b, b->data, "octavo.db.new"), DB_READ_WRITE, NULL, &error);

	if (db != NULL)
		salvage_repair(w->cli, db);
	if (db != NULL && (error = installation_take_key(db, b->arena, b->data, false)) == NULL)
		db_script(db, b->arena, "INSERT INTO job (id, kind, space, queue, run_at, created_at) "
		    "SELECT lower(hex(randomblob(16))), 'index', s.id, s.id, 0, 0 FROM space s JOIN branch b ON b.id = s.branch "
		    "WHERE b.head > 0", &error);
	if (db != NULL && error == NULL)
		salvage_remains(w->cli, db, b->data);
	if (db != NULL && error == NULL)
		db_truncate_wal(db, b->arena, &error);
	db_close(db);
	return error;
}

/* Renames the database into place last. All files get the owner of the damaged folder. */
static const char *
finish_salvage(struct salvage_state *w)
{
	static const char *const folders[] = { "", "cache", "log", "run" };
	struct backup *b = &w->b;
	const char *error = queue_index(w);
	struct stat st;

	if (error == NULL && geteuid() == 0 && stat(b->to, &st) == 0) {
		error = backup_own_all(b, st.st_uid, st.st_gid);
		for (size_t i = 0; error == NULL && i < sizeof(folders) / sizeof(folders[0]); i++)
			if (chown(backup_in(b, b->data, folders[i]), st.st_uid, st.st_gid) != 0)
				error = backup_failed(b, b->data);
	}
	if (error == NULL)
		error = backup_sync_all(b, b->data);
	if (error == NULL && rename(backup_in(b, b->data, "octavo.db.new"), backup_in(b, b->data, "octavo.db")) != 0)
		error = backup_failed(b, b->data);
	return error == NULL ? backup_sync_all(b, b->data) : error;
}

/* ---- the command ---- */

static const char *
number_text(struct cli *c, int64_t n)
{
	return n == 0 ? NULL : arena_printf(c->arena, "%" PRId64, n);
}

static int
print_report(struct salvage_state *w, const struct salvage *s)
{
	static const char *const columns[] = { "table", "rows", "damagedPages", "refused", "emptied", "dropped" };
	struct cli *c = w->cli;
	struct cli_table *t = cli_table_new(c, columns, sizeof(columns) / sizeof(columns[0]));
	int64_t damaged = 0, rows = 0;

	for (size_t i = 1; i < sizeof(columns) / sizeof(columns[0]); i++)
		cli_table_json(t, i);
	for (size_t i = 0; i < s->count; i++) {
		const struct salvage_table *one = &s->tables[i];

		rows += one->rows;
		damaged += one->damaged;
		if (one->rows + one->damaged + one->refused + one->dropped > 0)
			cli_table_row(t, (const char *[]){ one->name, arena_printf(c->arena, "%" PRId64, one->rows),
			    number_text(c, one->damaged), number_text(c, one->refused), number_text(c, one->emptied), number_text(c, one->dropped) });
	}
	cli_table_print(t);
	cli_say(c, "The new database has %" PRId64 " rows in %zu tables. Of %" PRId64 " database pages, %" PRId64 " are damaged%s",
	    rows, s->count, s->pages, damaged, s->guessed ? "; the list of tables is damaged too" : "");
	if (w->texts > 0)
		cli_say(c, "The text of %" PRId64 " page versions is lost; a note in each says so", w->texts);
	if (s->strays > 0)
		cli_say(c, "%" PRId64 " database pages were left out: the table of their rows cannot be determined", s->strays);
	cli_say(c, "Next: octavo check --dir %s --deep\n"
	    "then start the programs on %s; or, if they must use %s, move the damaged folder away and the new one to "
	    "its place. The job runner then rebuilds search and links", cli_quoted(c->arena, w->b.data), w->b.data, w->b.to);
	return CLI_OK;
}

/* Returns the new folder as an absolute path; NULL after printing an error. */
static const char *
new_folder(struct cli *c)
{
	const char *to = c->argc == 1 ? cli_path(c->arena, c->argv[0]) : NULL;

	if (to == NULL) {
		cli_usage(c, "name a new folder: octavo salvage FOLDER --dir DIR");
		return NULL;
	}
	/* rmdir() succeeds only for an empty folder, so existing files are never overwritten. */
	if ((rmdir(to) == 0 || errno == ENOENT) && mkdir(to, DATA_FOLDER) == 0 && chmod(to, DATA_FOLDER) == 0)
		return to;
	cli_fail(c, "%s: %s; name a folder that does not exist yet", to, strerror(errno));
	return NULL;
}

static int
run_salvage(struct cli *c)
{
	struct holder who[1];
	struct salvage_state w = { .cli = c };
	struct salvage s;
	const char *error, *to;

	if (!database_is_file())
		return cli_fail(c, NO_FILE);
	data_use_settings(c);
	if (blob_store() != NULL)
		return cli_fail(c, "the files are in %s, and this command needs them below %s/blobs: first octavo blobs pull, then this "
		    "with OCTAVO_BLOBS=", blob_store(), c->dir);
	if (access(arena_printf(c->arena, "%s/octavo.db", c->dir), R_OK) != 0)
		return cli_fail(c, "%s/octavo.db: %s", c->dir, strerror(errno));
	if (service_holders(c->arena, c->dir, who, 1) > 0)
		return cli_fail(c, "process %d has the database open; stop all programs first: octavo down, or "
		    "systemctl stop octavo-api.socket octavo-site.socket octavo-api octavo-site octavo-jobs", (int)who[0].pid);
	if ((to = new_folder(c)) == NULL)
		return c->argc == 1 ? CLI_FAILED : CLI_USAGE;
	w.b = (struct backup){ .arena = c->arena, .data = to, .to = c->dir, .tick = cli_progress };
	error = salvage_data(&w, &s);
	if (error == NULL)
		error = finish_salvage(&w);
	cli_progress_end();
	return error != NULL ? cli_fail(c, "%s. %s is unchanged; you can delete %s", error, c->dir, to) :
	    print_report(&w, &s);
}

const struct cli_command commands_salvage[] = {
	{ .name = "salvage", .operands = "FOLDER", .needs_dir = true, .stays_root = true, .run = run_salvage,
	  .summary = "Copy the readable parts of a damaged database to a new folder",
	  .details = "For when there is no backup, or an old one: octavo restore of a good backup is better.\n"
	    "Each database page is read separately, so that little more is lost than the rows on damaged\n"
	    "pages. DIR is not changed. FOLDER becomes a complete data directory, with the key and the files\n"
	    "(linked if both are on one file system). A space whose own row is lost is recreated in a new\n"
	    "organization \"Salvaged spaces\" without members (octavo member add). Lost organizations and\n"
	    "users that other rows refer to get placeholder rows with their id, named \"Lost title\" and\n"
	    "\"Lost name\". A note replaces each lost text.",
	  .examples = "octavo salvage /var/lib/octavo.new --dir /var/lib/octavo" },
	{ 0 }
};
