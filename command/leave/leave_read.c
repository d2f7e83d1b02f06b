/* Reads an export: into an empty data directory, or into a stage. Contract: command/leave.h. */
#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../backup/backup_parts.h"
#include "app/database.h"
#include "app/installation.h"
#include "app/setup.h"
#include "base/exact.h"
#include "base/file.h"
#include "base/secret.h"
#include "leave_parts.h"
#include "store/blob.h"

/*
 * STEP: rows in a transaction. The database gets its final name only at the end, so a commit in
 * between does no harm.
 */
enum { LINE_BYTES = 1 << 30, STEP = 5000 };

struct reading {
	struct cli    *cli;
	struct arena  *arena;
	struct arena  *line;      /* memory for one line */
	struct backup  b;         /* b.data: the stage, DIR/octavo.import, in which everything is made; b.to: the export */
	const char    *dir;       /* the new data directory */
	const char    *folder;    /* folder with records/ and files/: the export, or the folder into which it was unpacked */
	bool           made_dir;  /* the data directory did not exist */
	FILE          *sealed_file;
	struct sealed *sealed;    /* secrets.sealed, after its first line */
	struct db     *db;
	int            schema;
	bool           has_secrets, begun;
	const char    *file;      /* file: that of the current line, for messages */
	int64_t        number, rows, files;
	const char    *triggers;  /* the statements that create the triggers again */
	const char    *error;
};

static bool
stop(struct reading *r, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (r->error == NULL)
		r->error = arena_vprintf(r->arena, fmt, ap);
	va_end(ap);
	return false;
}

static bool
bad_line(struct reading *r, const char *what)
{
	return stop(r, "%s, line %" PRId64 ": %s", r->file, r->number, what);
}

static bool
run(struct reading *r, const char *sql)
{
	const char *error;

	return db_script(r->db, r->arena, sql, &error) ? true : stop(r, "%s", error);
}

/* The same for the row of the current line. */
static bool
run_row(struct reading *r, const char *sql)
{
	const char *error;

	return db_script(r->db, r->line, sql, &error) ? true : bad_line(r, error);
}

/* ---- a row as a statement ---- */

static void
put_text(struct buf *b, const char *s)
{
	buf_char(b, '\'');
	for (; *s != '\0'; s++) {
		if (*s == '\'')
			buf_char(b, '\'');
		buf_char(b, *s);
	}
	buf_char(b, '\'');
}

static bool
put_number(struct buf *b, const cJSON *v, bool whole)
{
	double n = v->valuedouble;

	if (!cJSON_IsNumber(v) || !isfinite(n) || (whole && (n != floor(n) || fabs(n) > (double)EXACT_MAX)))
		return false;
	if (whole)
		buf_printf(b, "%" PRId64, (int64_t)n);
	else
		buf_printf(b, "%.17g", n);
	return true;
}

/* Writes an integer. Integers that are too large for a JSON number are strings. */
static bool
put_integer(struct buf *b, const cJSON *v)
{
	const char *s = cJSON_GetStringValue(v);
	size_t n = s == NULL ? 0 : strspn(s + (*s == '-'), "0123456789");

	if (s == NULL)
		return put_number(b, v, true);
	if (n == 0 || n > 19 || s[(*s == '-') + n] != '\0')
		return false;
	buf_str(b, s);
	return true;
}

static bool
put_hex(struct buf *b, const cJSON *v)
{
	const char *s = cJSON_GetStringValue(v);
	size_t n = s == NULL ? 1 : strlen(s);

	if (n % 2 != 0 || strspn(s, "0123456789abcdefABCDEF") != n)
		return false;
	buf_printf(b, "x'%s'", s);
	return true;
}

/*
 * Writes a value for a secret that the export does not contain. If the column must not be NULL, the
 * value matches nothing.
 */
static void
put_lost(struct buf *b, const struct leave_column *c)
{
	if (!c->required)
		buf_str(b, "NULL");
	else if (strcmp(c->type, "BLOB") == 0)
		buf_str(b, "x''");
	else
		buf_str(b, "lower(hex(randomblob(32)))");
}

static bool
put_value(struct buf *b, const struct leave_column *c, const cJSON *v)
{
	if (cJSON_IsNull(v)) {
		buf_str(b, "NULL");
		return true;
	}
	if (strcmp(c->type, "INTEGER") == 0)
		return put_integer(b, v);
	if (strcmp(c->type, "REAL") == 0)
		return put_number(b, v, false);
	if (strcmp(c->type, "BLOB") == 0)
		return put_hex(b, v);
	if (!cJSON_IsString(v))
		return false;
	put_text(b, v->valuestring);
	return true;
}

static const struct leave_column *
column_named(const struct leave_column *list, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(list[i].name, name) == 0)
			return &list[i];
	return NULL;
}

/* Refuses a row with a member that is no column of this table, because it would be lost silently. */
static bool
knows_members(struct reading *r, const struct leave_column *list, size_t n, const cJSON *row)
{
	const cJSON *v;

	cJSON_ArrayForEach(v, row)
		if (column_named(list, n, v->string) == NULL && strcmp(v->string, "text") != 0 && strcmp(v->string, "bytes") != 0)
			return bad_line(r, arena_printf(r->arena, "no such member: %s", v->string));
	return true;
}

/* A table while it is read. */
struct table_in {
	const struct leave_table *table;
	struct leave_column      *columns;
	size_t                    n;
	const char               *names;    /* "a","b",… */
};

static bool
insert_row(struct reading *r, const struct table_in *t, const cJSON *row)
{
	struct buf b;
	const cJSON *v;

	if (!cJSON_IsObject(row) || !knows_members(r, t->columns, t->n, row))
		return r->error == NULL ? bad_line(r, "no object") : false;
	buf_init(&b, r->line, LINE_BYTES);
	buf_printf(&b, "INSERT INTO \"%s\" (%s) VALUES (", t->table->name, t->names);
	for (size_t i = 0; i < t->n; i++) {
		buf_str(&b, i > 0 ? ", " : "");
		v = cJSON_GetObjectItemCaseSensitive(row, t->columns[i].name);
		if (v == NULL && t->columns[i].secret)
			put_lost(&b, &t->columns[i]);
		else if (v == NULL)
			buf_str(&b, "NULL");
		else if (!put_value(&b, &t->columns[i], v))
			return bad_line(r, arena_printf(r->arena, "%s has a value of another type", t->columns[i].name));
	}
	buf_str(&b, ")");
	r->rows++;
	return run_row(r, b.p);
}

/* Inserts a blob, whose hash is computed again. The row of a blob in a file has no bytes here. */
static bool
insert_blob(struct reading *r, const cJSON *row)
{
	const char *text = json_text_of(row, "text"), *bytes = json_text_of(row, "bytes"), *hash = json_text_of(row, "hash");
	struct str is, given;

	if (hash == NULL || !hex_read(r->line, str_of(hash), &given) || given.n != HASH_BYTES)
		return bad_line(r, "no hash");
	if (bytes != NULL ? !hex_read(r->line, str_of(bytes), &is) : text == NULL)
		return bad_line(r, "no bytes");
	if (bytes == NULL)
		is = str_of(text);
	r->rows++;
	return str_eq(blob_put(r->db, r->line, is), given) || bad_line(r, "its bytes are not what its hash says");
}

static bool
take_row(struct reading *r, const struct table_in *t, const cJSON *row)
{
	if (strcmp(t->table->name, "blob") == 0 && (cJSON_HasObjectItem(row, "text") || cJSON_HasObjectItem(row, "bytes")))
		return insert_blob(r, row);
	return insert_row(r, t, row);
}

static struct table_in
table_in(struct reading *r, const struct leave_table *table)
{
	struct table_in t = { .table = table };
	struct buf b;

	t.columns = leave_columns(r->db, r->arena, table, &t.n);
	buf_init(&b, r->arena, 1 << 16);
	for (size_t i = 0; i < t.n; i++)
		buf_printf(&b, "%s\"%s\"", i > 0 ? ", " : "", t.columns[i].name);
	t.names = b.p;
	return t;
}

/* ---- records ---- */

/* Begins a new transaction after every STEP rows. False: it failed. */
static bool
renew_transaction(struct reading *r)
{
	if (r->rows % STEP == 0) {
		db_commit(r->db);
		db_begin(r->db, true);
	}
	return r->error == NULL;
}

static bool
take_line(struct reading *r, const struct table_in *t, char *text, size_t n)
{
	cJSON *row;

	arena_reset(r->line);
	json_arena(r->line);
	r->number++;
	if (n > LINE_BYTES / 4 || (row = cJSON_ParseWithLength(text, n)) == NULL)
		return bad_line(r, "no JSON");
	return take_row(r, t, row) && renew_transaction(r);
}

static bool
read_table(struct reading *r, const struct leave_table *table)
{
	struct table_in t = table_in(r, table);
	FILE *f = fopen(arena_printf(r->arena, "%s/records/%s.jsonl", r->folder, table->name), "re");
	char *text = NULL;
	size_t room = 0;
	ssize_t n;
	bool ok = true;

	/* The schema of the export does not have this table. */
	if (t.n == 0) {
		if (f != NULL)
			fclose(f);
		return true;
	}
	r->file = arena_printf(r->arena, "records/%s.jsonl", table->name);
	r->number = 0;
	if (f == NULL)
		return stop(r, "%s: %s", r->file, strerror(errno));
	/* Delete rows that the migrations have inserted, such as the identity of the new database. */
	if (table->by == NULL && getc(f) != EOF) {
		rewind(f);
		ok = run(r, arena_printf(r->arena, "DELETE FROM \"%s\"", table->name));
	} else
		rewind(f);
	while (ok && (n = getline(&text, &room, f)) > 0)
		ok = take_line(r, &t, text, (size_t)n);
	free(text);
	fclose(f);
	return ok;
}

static bool
read_records(struct reading *r)
{
	for (size_t i = 0; i < leave_table_count; i++) {
		cli_progress("records", (int64_t)i, (int64_t)leave_table_count);
		if (leave_tables[i].kind == LEAVE_ROWS && !read_table(r, &leave_tables[i]))
			return false;
	}
	return true;
}

/* ---- secrets ---- */

/* Sets the secret columns of a row, which is found by its key. */
static bool
update_row(struct reading *r, const struct table_in *t, const cJSON *row)
{
	struct buf set, where;

	buf_init(&set, r->line, LINE_BYTES);
	buf_init(&where, r->line, LINE_BYTES);
	for (size_t i = 0; i < t->n; i++) {
		const struct leave_column *c = &t->columns[i];
		const cJSON *v = cJSON_GetObjectItemCaseSensitive(row, c->name);
		struct buf *b = c->key ? &where : &set;

		if (v == NULL)
			continue;
		buf_printf(b, "%s\"%s\" = ", b->n == 0 ? "" : c->key ? " AND " : ", ", c->name);
		if (!put_value(b, c, v))
			return bad_line(r, arena_printf(r->arena, "%s has a value of another type", c->name));
	}
	if (set.n == 0 || where.n == 0)
		return true;
	return run_row(r, arena_printf(r->line, "UPDATE \"%s\" SET %s WHERE %s", t->table->name, set.p, where.p));
}

static bool
take_key(struct reading *r, const char *text)
{
	FILE *f = fopen(arena_printf(r->arena, "%s/octavo.key", r->b.data), "wxe");
	bool ok = f != NULL && fchmod(fileno(f), 0600) == 0 && fputs(text, f) >= 0;

	if (f != NULL)
		ok = fclose(f) == 0 && ok;
	return ok || stop(r, "octavo.key: %s", strerror(errno));
}

static bool
take_secret(struct reading *r, struct str line)
{
	cJSON *v, *row;
	const char *key, *name;
	const struct leave_table *table;
	struct table_in t;

	arena_reset(r->line);
	json_arena(r->line);
	r->number++;
	v = cJSON_ParseWithLength(line.p, line.n);
	if ((key = json_text_of(v, "key")) != NULL)
		return take_key(r, key);
	name = json_text_of(v, "table");
	row = cJSON_GetObjectItemCaseSensitive(v, "row");
	table = name == NULL ? NULL : leave_table_find(name);
	if (table == NULL || !cJSON_IsObject(row))
		return bad_line(r, "no row");
	t = table_in(r, table);
	return t.n == 0 || (table->kind == LEAVE_SECRET ? insert_row(r, &t, row) : update_row(r, &t, row));
}

/*
 * Opens secrets.sealed and reads its first line, the key of the installation: before anything else, so
 * that a wrong passphrase costs no time.
 */
static bool
open_secrets(struct reading *r, const char *passphrase)
{
	const char *path = arena_printf(r->arena, "%s/%s", r->folder, LEAVE_SECRETS);
	struct str line;
	int rc;

	r->file = LEAVE_SECRETS;
	r->number = 0;
	if ((r->sealed_file = fopen(path, "re")) == NULL)
		return stop(r, errno == ENOENT ? "%s: missing, although the note says that the export has secrets; copy the export again, whole" :
		    "%s: cannot be read; is it yours?", path);
	if ((r->sealed = sealed_read(r->arena, r->sealed_file, str_of(passphrase))) == NULL)
		return stop(r, "%s: it is damaged, or there is no memory to open it", path);
	if ((rc = sealed_next(r->sealed, &line)) < 0)
		return stop(r, "%s: the passphrase is another one, or the file is damaged", LEAVE_SECRETS);
	return rc > 0 ? take_secret(r, line) : bad_line(r, "no key");
}

static bool
read_secrets(struct reading *r)
{
	struct str line;
	int rc = -1;

	r->file = LEAVE_SECRETS;
	r->number = 1;
	while (r->error == NULL && (rc = sealed_next(r->sealed, &line)) > 0)
		take_secret(r, line);
	return r->error == NULL && rc < 0 ? bad_line(r, "the file is damaged or cut from here on; copy the export again") : r->error == NULL;
}

/* ---- files ---- */

static void
take_file(void *ctx, struct stmt *q)
{
	struct reading *r = ctx;
	struct str hash = col_bytes(q, 0);
	const char *name = hex(r->line, hash), *from = arena_printf(r->line, "%s/files/%.2s/%s", r->folder, name, name + 2);
	const char *to = blob_path(r->line, r->b.data, hash);
	unsigned char is[HASH_BYTES];
	struct backup b = r->b;

	if (r->error != NULL)
		return;
	b.arena = r->line;
	cli_progress("files", r->files++, 0);
	if (!folder_make(AT_FDCWD, arena_strndup(r->line, to, (size_t)(strrchr(to, '/') - to)), SHARED_FOLDER) ||
	    backup_copy_file(&b, from, to, SHARED_FILE, BACKUP_COPY) != 1)
		stop(r, "%s: %s", from, errno == 0 ? "missing" : strerror(errno));
	else if (!hash_file(to, is) || !str_eq((struct str){ (const char *)is, sizeof(is) }, hash))
		stop(r, "%s: its bytes are not what its name says", from);
	arena_reset(r->line);
}

static bool
read_files(struct reading *r)
{
	const char *error = NULL;

	if (!folder_make(AT_FDCWD, arena_printf(r->arena, "%s/blobs", r->b.data), SHARED_FOLDER))
		return stop(r, "%s/blobs: %s", r->b.data, strerror(errno));
	return (blob_files_each(r->db, r->arena, take_file, r, &error) || stop(r, "%s", error)) && r->error == NULL;
}

/* ---- the database ---- */

static void
add_trigger(void *ctx, struct stmt *q)
{
	struct reading *r = ctx;

	r->triggers = arena_printf(r->arena, "%s%s;\n", r->triggers, col_text(q, 1));
	r->file = arena_printf(r->arena, "%sDROP TRIGGER \"%s\";\n", r->file, col_text(q, 0));
}

/* Drops all triggers. r->triggers gets the statements that create them again. */
static bool
drop_triggers(struct reading *r)
{
	const char *error;

	r->triggers = r->file = "";
	return (db_each(r->db, r->arena, "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'", add_trigger, r, &error) ||
	    stop(r, "%s", error)) && run(r, r->file);
}

static void
take_breach(void *ctx, struct stmt *q)
{
	struct reading *r = ctx;

	stop(r, "records/%s.jsonl: %s of %s names a row that records/%s.jsonl does not have", col_text(q, 0), col_text(q, 1),
	    col_null(q, 2) ? "a row" : arena_printf(r->arena, "the row %s", col_text(q, 2)), col_text(q, 3));
}

static bool
references_hold(struct reading *r)
{
	const char *error;

	return (db_each(r->db, r->arena, "SELECT k.\"table\", f.\"from\", k.rowid, k.parent FROM pragma_foreign_key_check k, "
	    "pragma_foreign_key_list(k.\"table\") f WHERE f.id = k.fkid AND f.seq = 0", take_breach, r, &error) ||
	    stop(r, "%s", error)) && r->error == NULL;
}

/* Deletes all files that the import has made, so that the data directory is as before. */
static void
clear(struct reading *r)
{
	struct backup *b = &r->b;

	if (r->sealed_file != NULL)
		fclose(r->sealed_file);
	r->sealed_file = NULL;
	if (!r->begun)
		return;
	folder_remove(b->data);
	unlink(backup_in(b, r->dir, "octavo.restoring"));
	if (r->made_dir)
		rmdir(r->dir);
	backup_temp_forget();
}

static void
on_failure(void *ctx, enum db_failure f, const char *message)
{
	struct reading *r = ctx;

	(void)f;
	clear(r);
	cli_fail(r->cli, "%s: %s. Nothing was imported", r->file, message);
	exit(CLI_FAILED);
}

static bool
open_new(struct reading *r)
{
	const char *error = NULL, *path = arena_printf(r->arena, "%s/octavo.db.new", r->b.data);
	struct db_options o = { .relaxed = true };
	FILE *f;

	/* SQLite reads an empty file as an empty database. */
	if ((f = fopen(path, "we")) == NULL || fclose(f) != 0)
		return stop(r, "%s: %s", path, strerror(errno));
	if ((r->db = db_open(r->arena, path, DB_ANY_VERSION, &o, &error)) == NULL || db_migrate_to(r->db, r->arena, r->schema, &error) < 0)
		return stop(r, "%s", error);
	db_on_fail(r->db, on_failure, r);
	return run(r, "PRAGMA foreign_keys=OFF; PRAGMA synchronous=OFF");
}

/* The job runner makes search index, links and counts from the content. */
#define QUEUE_INDEX "INSERT INTO job (id, kind, space, queue, run_at, created_at) " \
	"SELECT lower(hex(randomblob(11))), 'index', s.id, s.id, 0, 0 FROM space s JOIN branch b ON b.id = s.branch WHERE b.head > 0"

static bool
fill_database(struct reading *r)
{
	bool ok;

	db_begin(r->db, true);
	ok = drop_triggers(r) && read_records(r) && (!r->has_secrets || read_secrets(r)) && references_hold(r) && run(r, r->triggers);
	if (!ok) {
		db_rollback(r->db);
		return false;
	}
	db_commit(r->db);
	return true;
}

/* Makes a new key if the export contains none, and records the fingerprint of the key in the database. */
static bool
settle_key(struct reading *r)
{
	const char *error = r->has_secrets ? NULL : secret_create(r->arena, r->b.data);

	if (error == NULL)
		error = installation_take_key(r->db, r->arena, r->b.data, false);
	return error == NULL || stop(r, "%s", error);
}

/*
 * Work that waited or was under way when the export was made is not done here: it may be an export to
 * a repository, or the export itself. The cache of what is typeset is empty here.
 */
#define REST "UPDATE job SET state = 'cancelled', cancel = 1, secret = NULL, ended_at = %" PRId64 " WHERE state IN ('queued', 'running'); " \
	"UPDATE schedule SET next_at = 0 WHERE kind = 'typeset'"

static bool
finish_database(struct reading *r)
{
	const char *error = NULL;
	int steps = db_migrate(r->db, r->arena, &error);

	if (steps < 0)
		return stop(r, "%s", error);
	return settle_key(r) && run(r, arena_printf(r->arena, REST, time_now())) && run(r, QUEUE_INDEX) &&
	    (db_truncate_wal(r->db, r->arena, &error) || stop(r, "%s", error));
}

/* ---- the command ---- */

/* Reads the note; false after printing an error. */
static bool
read_note(struct reading *r, const char *from)
{
	const cJSON *note = cJSON_Parse(leave_note_text(r->arena, from));
	const cJSON *format = cJSON_GetObjectItemCaseSensitive(note, "format"), *schema = cJSON_GetObjectItemCaseSensitive(note, "schema");

	if (!cJSON_IsNumber(format) || !cJSON_IsNumber(schema))
		return stop(r, "%s is no export of Octavo: it has no %s", from, LEAVE_NOTE);
	r->schema = schema->valueint;
	r->has_secrets = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(note, "secrets"));
	if (format->valueint != LEAVE_FORMAT || r->schema > db_latest())
		return stop(r, "%s was written by a newer Octavo (schema %d; this one has %d): update this one first", from, r->schema,
		    db_latest());
	return r->schema > 0 || stop(r, "%s: no schema", LEAVE_NOTE);
}

static bool
unpack(struct reading *r, const char *from)
{
	struct stat st;
	const char *error;

	r->folder = from;
	if (stat(from, &st) == 0 && S_ISDIR(st.st_mode))
		return true;
	r->folder = arena_printf(r->arena, "%s/export", r->b.data);
	if (!folder_make(AT_FDCWD, r->folder, 0700))
		return stop(r, "%s: %s", r->folder, strerror(errno));
	cli_progress("unpacking", 0, 0);
	return leave_unpack(r->arena, from, r->folder, &error) || stop(r, "%s", error);
}

/* Files that are moved from the stage to DIR; the database comes last. */
static const char *const final_names[][2] = { { "blobs", "blobs" }, { "octavo.key", "octavo.key" }, { "octavo.db.new", "octavo.db" } };
enum { NAMES = sizeof(final_names) / sizeof(final_names[0]) };

/*
 * Moves a file or folder that this import has moved to DIR back into the stage, which clear() deletes.
 * If that fails, it deletes it at once: it is a copy of what the export still has.
 */
static void
take_back(const char *from, const char *to)
{
	if (rename(from, to) != 0 && unlink(from) != 0)
		folder_remove(from);
}

static const char *
move_all(struct reading *r)
{
	struct backup *b = &r->b;
	const char *error = backup_sync_all(b, b->data);
	size_t n = 0;

	for (; n < NAMES && error == NULL; n++)
		if (rename(backup_in(b, b->data, final_names[n][0]), backup_in(b, r->dir, final_names[n][1])) != 0) {
			error = backup_failed(b, backup_in(b, r->dir, final_names[n][1]));
			break;
		}
	if (error == NULL)
		error = backup_sync_all(b, r->dir);
	while (error != NULL && n-- > 0)
		take_back(backup_in(b, r->dir, final_names[n][1]), backup_in(b, b->data, final_names[n][0]));
	return error;
}

/*
 * Gives everything to the owner of DIR and moves it there. If the power fails in between, the next
 * import says which file is in its way.
 */
static bool
give_name(struct reading *r)
{
	struct backup *b = &r->b;
	struct stat st;
	const char *error = NULL;

	if (geteuid() == 0 && stat(r->dir, &st) == 0)
		error = backup_own_all(b, st.st_uid, st.st_gid);
	if (error == NULL)
		error = move_all(r);
	if (error != NULL)
		return stop(r, "%s", error);
	unlink(backup_in(b, r->dir, "octavo.restoring"));
	folder_remove(b->data);
	/* The data are synced. If this sync fails, a power cut can only bring the mark back. */
	backup_sync_all(b, r->dir);
	return true;
}

/* Makes the stage. A killed import may have left one. */
static bool
make_stage(struct reading *r)
{
	static const char *const names[] = { "octavo.db", "octavo.db.new", "octavo.key", "blobs" };
	struct backup b = { .arena = r->arena, .data = r->dir };
	const char *error;

	r->made_dir = access(r->dir, F_OK) != 0;
	if ((error = backup_prepare_data(&b)) != NULL)
		return stop(r, "%s", error);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (access(backup_in(&b, r->dir, names[i]), F_OK) == 0)
			return stop(r, "%s holds %s of a restore that was interrupted; move it away first", r->dir, names[i]);
	folder_remove(r->b.data);
	r->begun = true;
	backup_temp_contents(&b, r->b.data);
	backup_temp_register(&b, r->b.data);
	backup_temp_register(&b, backup_in(&b, r->dir, "octavo.restoring"));
	if (r->made_dir)
		backup_temp_register(&b, r->dir);
	return mkdir(r->b.data, 0700) == 0 || stop(r, "%s: %s", r->b.data, strerror(errno));
}

static bool
import_all(struct reading *r, const char *from)
{
	const char *passphrase = NULL;
	bool ok;

	/* What it makes is an octavo.db. */
	if (!database_is_file())
		return stop(r, "the database that OCTAVO_DB names would not get these rows: import without OCTAVO_DB, then move them "
		    "with octavo migrate --to ADDRESS");
	if (!read_note(r, from))
		return false;
	if (r->has_secrets && (passphrase = leave_passphrase(r->cli)) == NULL)
		return false;
	umask(OWN_UMASK);
	ok = make_stage(r) && unpack(r, from) && (!r->has_secrets || open_secrets(r, passphrase)) && open_new(r) && fill_database(r) &&
	    finish_database(r) && read_files(r);
	if (r->db != NULL)
		db_close(r->db);
	ok = ok && give_name(r);
	if (!ok)
		clear(r);
	return ok;
}

static int
print_done(struct reading *r)
{
	struct cli *c = r->cli;
	struct json *j;

	if (c->json) {
		j = cli_json(c);
		json_obj(j);
		json_kint(j, "rows", r->rows);
		json_kint(j, "files", r->files);
		json_kbool(j, "secrets", r->has_secrets);
		json_end(j);
		cli_json_print(c);
	} else
		printf("imported: %" PRId64 " rows, %" PRId64 " files\n", r->rows, r->files);
	if (!r->has_secrets)
		cli_say(c, "The export has no secrets, so a new key was made. Missing: passwords, tokens and who signs in with which "
		    "provider; credentials of bound repositories; keys of share links, invite links and visitors; headers "
		    "of MCP servers. octavo user reset makes a link with which a person chooses a password");
	cli_say(c, "Next: octavo check --dir %s; the job runner makes search and links anew", cli_quoted(c->arena, c->dir));
	return CLI_OK;
}

bool
leave_read_stage(struct cli *c, const char *from, const char *stage, const char **error)
{
	struct reading r = { .cli = c, .arena = c->arena, .line = arena_new((size_t)LINE_BYTES * 4), .file = "",
		.dir = c->dir, .begun = true, .b = { .arena = c->arena, .data = (char *)stage, .to = from } };
	bool ok = read_note(&r, from);

	r.has_secrets = false;
	umask(OWN_UMASK);
	ok = ok && unpack(&r, from) && open_new(&r) && fill_database(&r) && finish_database(&r) && read_files(&r);
	if (r.db != NULL)
		db_close(r.db);
	json_arena(c->arena);
	arena_free(r.line);
	*error = r.error;
	return ok;
}

int
leave_import(struct cli *c, const char *from)
{
	struct reading r = { .cli = c, .arena = c->arena, .line = arena_new((size_t)LINE_BYTES * 4), .file = "",
		.dir = c->dir, .b = { .arena = c->arena, .data = arena_printf(c->arena, "%s/octavo.import", c->dir), .to = from } };
	bool ok = import_all(&r, from);

	cli_progress_end();
	json_arena(c->arena);
	arena_free(r.line);
	backup_temp_forget();
	if (ok)
		return print_done(&r);
	/* Without r.error, the passphrase was missing, and leave_passphrase() has said so. */
	return r.error == NULL ? CLI_FAILED : cli_fail(c, "%s. Nothing was imported", r.error);
}
