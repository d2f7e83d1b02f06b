/* Imports an export beside other data. Contract: command/leave.h, "Beside other data". */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <stdlib.h>
#include <unistd.h>

#include "../backup/backup_parts.h"
#include "app/audit.h"
#include "base/file.h"
#include "base/map.h"
#include "base/pack.h"
#include "base/secret.h"
#include "../cmd_data.h"
#include "leave_parts.h"
#include "store/blob.h"

SQL(q_beside_user, "SELECT id, verified FROM account WHERE email = :email");
SQL(q_beside_org_named, "SELECT 1 FROM org WHERE hostname = :name");
SQL(q_beside_site_named, "SELECT 1 FROM site WHERE hostname = :name");

enum { LINE_BYTES = 1 << 30 };

/* What is added to the numbers of a table, so that they continue after the numbers in the live database. */
struct shift {
	const char *table, *column;   /* the table, and its only key */
	int64_t     by;
};

struct beside {
	struct cli       *cli;
	struct arena     *arena, *line;    /* line: memory for one row */
	struct backup     b;               /* b.data: the stage, DIR/octavo.import */
	int               lock;            /* descriptor of the stage, locked; -1: none */
	struct db        *from, *to;       /* the database of the stage, and the live one */
	struct leave_ids *ids;
	bool              kept;            /* ids were never used here, so they stay */
	struct shift     *shifts;
	size_t            shift_count, shift_room;
	struct map       *bodies;          /* hashes of bodies in which ids are new: old -> struct str */
	FILE             *list;            /* --ids, while it is written */
	const char       *list_name;
	bool              has_list;        /* the file is there */
	int64_t           rows, files, users, matched, unnamed, orgs, bindings;
	const char       *hosts;           /* hostnames that are taken here, a blank before each */
	const char       *error;
};

static bool
stop(struct beside *s, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (s->error == NULL)
		s->error = arena_vprintf(s->arena, fmt, ap);
	va_end(ap);
	return false;
}

/* ---- the stage ---- */

/* The lock keeps a second import away. What a killed import left is deleted. */
static bool
make_stage(struct beside *s)
{
	const char *path = s->b.data;

	if (mkdir(path, 0700) != 0 && errno != EEXIST)
		return stop(s, "%s: %s", path, strerror(errno));
	if ((s->lock = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)) < 0)
		return stop(s, "%s: %s", path, strerror(errno));
	if (flock(s->lock, LOCK_EX | LOCK_NB) != 0) {
		close(s->lock);
		s->lock = -1;
		return stop(s, "another import is under way");
	}
	if (!folder_empty(path, NULL))
		return stop(s, "%s: %s", path, strerror(errno));
	backup_temp_contents(&s->b, path);
	backup_temp_register(&s->b, path);
	return true;
}

static void
drop_stage(struct beside *s)
{
	if (s->from != NULL)
		db_close(s->from);
	s->from = NULL;
	if (s->lock >= 0) {
		folder_remove(s->b.data);
		close(s->lock);
	}
	s->lock = -1;
	backup_temp_forget();
}

/* Deletes the list of ids, which describes an import that did not happen. */
static void
drop_list(struct beside *s)
{
	if (s->list != NULL)
		fclose(s->list);
	s->list = NULL;
	if (s->has_list)
		unlink(s->list_name);
	s->has_list = false;
}

static void
on_failure(void *ctx, enum db_failure f, const char *message)
{
	struct beside *s = ctx;

	s->from = NULL;
	drop_stage(s);
	drop_list(s);
	cli_fail(s->cli, f == DB_BUSY ? "the database is busy: %s. Nothing was imported" : "%s. Nothing was imported", message);
	exit(CLI_FAILED);
}

/* From here on with the rights of the owner of the data, to whom the stage is given. */
static bool
become_owner(struct beside *s)
{
	struct stat st;
	const char *error = NULL;

	if (geteuid() == 0 && stat(s->cli->dir, &st) == 0) {
		if (fchown(s->lock, st.st_uid, st.st_gid) != 0)
			return stop(s, "%s: %s", s->b.data, strerror(errno));
		error = backup_own_all(&s->b, st.st_uid, st.st_gid);
	}
	return error == NULL ? cli_become_owner(s->cli) || stop(s, "the import must run as the owner of %s", s->cli->dir) : stop(s, "%s", error);
}

static bool
change(struct beside *s, const char *sql)
{
	const char *error;

	return db_script(s->from, s->arena, sql, &error) || stop(s, "%s", error);
}

static bool
open_both(struct beside *s)
{
	const char *error;

	if ((s->to = data_open(s->cli, DB_READ_WRITE)) == NULL)
		return stop(s, "%s cannot be opened", s->cli->dir);
	db_on_fail(s->to, on_failure, s);
	s->from = db_open(s->arena, backup_in(&s->b, s->b.data, "octavo.db.new"), DB_ANY_VERSION, &(struct db_options){ .relaxed = true }, &error);
	if (s->from == NULL)
		return stop(s, "%s", error);
	db_on_fail(s->from, on_failure, s);
	return change(s, "PRAGMA foreign_keys=OFF");
}

/* ---- what must differ here, changed in the stage ---- */

static void
put_text(struct buf *b, struct arena *a, struct str s)
{
	/* Text of SQL ends at a NUL. */
	if (s.n > 0 && memchr(s.p, '\0', s.n) != NULL) {
		buf_printf(b, "CAST(x'%s' AS TEXT)", hex(a, s));
		return;
	}
	buf_char(b, '\'');
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '\'')
			buf_char(b, '\'');
		buf_char(b, s.p[i]);
	}
	buf_char(b, '\'');
}

/* The statement, with the id, which an export may have chosen, at its end. */
static bool
change_row(struct beside *s, const char *sql, const char *id)
{
	struct buf b;

	buf_init(&b, s->arena, 1 << 20);
	buf_printf(&b, "%s WHERE id = ", sql);
	put_text(&b, s->arena, str_of(id));
	return change(s, b.p);
}

/* The texts of a query, as a list. */
struct texts {
	struct arena *arena;
	struct text  { const char *id, *name; bool verified; } *list;
	size_t        n, room;
};

static void
take_text(void *ctx, struct stmt *q)
{
	struct texts *t = ctx;

	t->list = arena_grow(t->arena, t->list, t->n, &t->room, sizeof(*t->list));
	t->list[t->n++] = (struct text){ col_dup(q, 0, t->arena), col_dup(q, 1, t->arena), col_int(q, 2) != 0 };
}

/*
 * Accounts whose address belongs to a user here: with --match-users they are that user, if both addresses are
 * verified; otherwise a new user who has the address to look at only, as of an organization's provider.
 */
static bool
settle_user(struct beside *s, const struct text *user)
{
	struct stmt *q = db_use(s->to, &q_beside_user);

	bind_text(q, ":email", user->name);
	if (!stmt_step(q))
		return true;
	if (cli_flag(s->cli, "match-users") && user->verified && col_int(q, 1) != 0) {
		leave_ids_set(s->ids, user->id, col_text(q, 0));
		s->matched++;
		return change_row(s, "DELETE FROM account", user->id);
	}
	s->unnamed++;
	return change_row(s, "UPDATE account SET address = coalesce(address, email), email = id || '@Import.octavo.invalid'", user->id);
}

static bool
settle_users(struct beside *s)
{
	struct texts t = { .arena = s->arena };
	bool ok = true;

	db_each_or_fail(s->from, s->arena, "SELECT id, email, verified FROM account WHERE email <> id ORDER BY id", take_text, &t);
	for (size_t i = 0; i < t.n && ok; i++)
		ok = settle_user(s, &t.list[i]);
	/* Which addresses are verified is known here only of users that are here. */
	return ok && change(s, "UPDATE account SET verified = 0");
}

/* Hostnames are given up where they are taken. */
static bool
settle_hosts(struct beside *s, const char *table, const struct sql *named)
{
	struct texts t = { .arena = s->arena };
	bool ok = true;

	db_each_or_fail(s->from, s->arena, arena_printf(s->arena, "SELECT id, hostname, 0 FROM %s WHERE hostname IS NOT NULL ORDER BY id", table),
	    take_text, &t);
	for (size_t i = 0; i < t.n && ok; i++) {
		struct stmt *q = db_use(s->to, named);

		bind_text(q, ":name", t.list[i].name);
		if (!stmt_step(q))
			continue;
		s->hosts = arena_printf(s->arena, "%s %s", s->hosts, t.list[i].name);
		ok = change_row(s, arena_printf(s->arena, "UPDATE %s SET hostname = NULL", table), t.list[i].id);
	}
	return ok;
}

static void
take_number(void *ctx, struct stmt *q)
{
	*(int64_t *)ctx = col_int(q, 0);
}

/*
 * Two spaces bound to one branch would overwrite each other. Numbers without a reference in the
 * schema are found again by the job that uses them.
 */
#define APART "DELETE FROM schedule WHERE kind = 'git'; DELETE FROM git_binding; UPDATE issues_cluster SET face = 0"

static bool
settle_stage(struct beside *s)
{
	db_each_or_fail(s->from, s->arena, "SELECT count(*) FROM git_binding", take_number, &s->bindings);
	return settle_users(s) && settle_hosts(s, "org", &q_beside_org_named) && settle_hosts(s, "site", &q_beside_site_named) && change(s, APART);
}

/* ---- numbers ---- */

/* The only key of a table, if it is a number; NULL: another key. */
static const char *
number_key(const struct leave_column *list, size_t n)
{
	const char *key = NULL;
	size_t keys = 0;

	for (size_t i = 0; i < n; i++)
		if (list[i].key) {
			keys++;
			key = strcmp(list[i].type, "INTEGER") == 0 ? list[i].name : NULL;
		}
	return keys == 1 ? key : NULL;
}

static void
read_shifts(struct beside *s)
{
	for (size_t i = 0; i < leave_table_count; i++) {
		const struct leave_table *t = &leave_tables[i];
		size_t n;
		const struct leave_column *list = leave_columns(s->to, s->arena, t, &n);
		const char *key = t->kind == LEAVE_ROWS && t->by != NULL ? number_key(list, n) : NULL;
		struct shift one = { .table = t->name, .column = key };

		if (key == NULL)
			continue;
		db_each_or_fail(s->to, s->arena, arena_printf(s->arena, "SELECT coalesce(max(\"%s\"), 0) FROM \"%s\"", key, t->name), take_number, &one.by);
		s->shifts = arena_grow(s->arena, s->shifts, s->shift_count, &s->shift_room, sizeof(*s->shifts));
		s->shifts[s->shift_count++] = one;
	}
}

static const struct shift *
shift_of(const struct beside *s, const char *table)
{
	for (size_t i = 0; i < s->shift_count; i++)
		if (strcmp(s->shifts[i].table, table) == 0)
			return &s->shifts[i];
	return NULL;
}

/* ---- rows ---- */

/* A table while its rows are copied. */
struct table_copy {
	struct beside            *s;
	const struct leave_table *table;
	struct leave_column      *columns;
	int64_t                  *by;       /* for each column: what is added to its numbers */
	bool                     *names;    /* for each column: it is, or refers to, an id */
	size_t                    n;
	const char               *list;     /* "a","b",… */
};

static struct leave_column *
find_column(struct table_copy *t, const char *name, size_t *at)
{
	for (*at = 0; *at < t->n; ++*at)
		if (strcmp(t->columns[*at].name, name) == 0)
			return &t->columns[*at];
	return NULL;
}

static void
take_reference(void *ctx, struct stmt *q)
{
	struct table_copy *t = ctx;
	const struct shift *shift = shift_of(t->s, col_text(q, 1));
	size_t at;

	if (find_column(t, col_text(q, 0), &at) == NULL)
		return;
	t->names[at] = true;
	if (shift != NULL)
		t->by[at] = shift->by;
}

static struct table_copy
table_copy(struct beside *s, const struct leave_table *table)
{
	struct table_copy t = { .s = s, .table = table };
	const struct shift *own = shift_of(s, table->name);
	struct buf b;

	t.columns = leave_columns(s->from, s->arena, table, &t.n);
	t.by = arena_array(s->arena, t.n + 1, sizeof(*t.by));
	t.names = arena_array(s->arena, t.n + 1, sizeof(*t.names));
	db_each_or_fail(s->from, s->arena, arena_printf(s->arena, "SELECT \"from\", \"table\" FROM pragma_foreign_key_list('%s')", table->name),
	    take_reference, &t);
	buf_init(&b, s->arena, 1 << 16);
	for (size_t i = 0; i < t.n; i++) {
		if (strcmp(t.columns[i].name, "id") == 0)
			t.names[i] = true;
		if (own != NULL && strcmp(t.columns[i].name, own->column) == 0)
			t.by[i] = own->by;
		buf_printf(&b, "%s\"%s\"", i > 0 ? ", " : "", t.columns[i].name);
	}
	t.list = b.p;
	return t;
}

/* Writes a value: a number with its shift added, a text with new ids, the hash of a body with the hash that its new ids give it. */
static void
put_value(struct table_copy *t, struct buf *b, struct stmt *q, size_t i, bool is_file)
{
	struct beside *s = t->s;
	const char *type = t->columns[i].type, *new;
	struct str v = col_bytes(q, (int)i);
	const struct str *body;

	if (col_null(q, (int)i))
		buf_str(b, "NULL");
	else if (strcmp(type, "INTEGER") == 0)
		buf_printf(b, "%" PRId64, col_int(q, (int)i) + t->by[i]);
	else if (strcmp(type, "REAL") == 0)
		buf_printf(b, "%.17g", col_double(q, (int)i));
	else if (strcmp(type, "BLOB") == 0) {
		body = is_file ? NULL : map_get(s->bodies, v);
		buf_printf(b, "x'%s'", hex(s->line, body == NULL ? v : *body));
	} else if (t->names[i] && (new = leave_ids_new(s->ids, v)) != NULL)
		put_text(b, s->line, str_of(new));
	else
		put_text(b, s->line, leave_ids_text(s->ids, s->line, v));
}

static void
take_row(void *ctx, struct stmt *q)
{
	struct table_copy *t = ctx;
	struct beside *s = t->s;
	const char *error;
	bool is_file;
	struct buf b;
	size_t kind;

	if (s->error != NULL)
		return;
	arena_reset(s->line);
	is_file = strcmp(t->table->name, "stored_file") == 0 ||
	    (strcmp(t->table->name, "node") == 0 && find_column(t, "kind", &kind) != NULL && str_eq(col_bytes(q, (int)kind), STR("file")));
	buf_init(&b, s->line, LINE_BYTES);
	/* The triggers of the live database have made some rows of `named`. */
	buf_printf(&b, "INSERT OR %s INTO \"%s\" (%s) VALUES (", strcmp(t->table->name, "named") == 0 ? "IGNORE" : "ABORT", t->table->name, t->list);
	for (size_t i = 0; i < t->n; i++) {
		buf_str(&b, i > 0 ? ", " : "");
		put_value(t, &b, q, i, is_file);
	}
	buf_str(&b, ")");
	if (!db_script(s->to, s->line, b.p, &error))
		stop(s, "%s: %s", t->table->name, error);
	s->rows++;
}

/* Rows of the installation belong to no organization, and stay behind; so do the warnings of its jobs. */
static const char *
rows_of(struct arena *a, const struct table_copy *t)
{
	const char *by = t->table->by;
	struct buf b;
	size_t n;

	buf_init(&b, a, 1 << 16);
	buf_printf(&b, "SELECT %s FROM \"%s\"", t->list, t->table->name);
	for (size_t i = 0; *by != '\0'; by += n + (by[n] == ' '), i++) {
		n = strcspn(by, " ");
		buf_printf(&b, " %s \"%.*s\" IS NOT NULL", i == 0 ? "WHERE" : "OR", (int)n, by);
	}
	if (strcmp(t->table->by, "job") == 0)
		buf_str(&b, " AND job IN (SELECT id FROM job WHERE org IS NOT NULL OR space IS NOT NULL)");
	return b.p;
}

/* A body in which ids are new gets a new hash. */
static void
take_body(void *ctx, struct stmt *q)
{
	struct beside *s = ctx;
	struct str old = col_bytes(q, 0), bytes, text, new;
	struct str *kept;

	arena_reset(s->line);
	if (!unpack(s->line, col_bytes(q, 1), (size_t)col_int(q, 2), &bytes)) {
		stop(s, "a text of the export is damaged: export it again");
		return;
	}
	text = leave_ids_text(s->ids, s->line, bytes);
	new = blob_put(s->to, s->line, text);
	s->rows++;
	if (str_eq(new, old))
		return;
	kept = arena_alloc(s->arena, sizeof(*kept));
	*kept = (struct str){ arena_strndup(s->arena, new.p, new.n), new.n };
	map_add(s->bodies, (struct str){ arena_strndup(s->arena, old.p, old.n), old.n }, kept);
}

static void
take_file(void *ctx, struct stmt *q)
{
	struct beside *s = ctx;
	struct str hash = col_bytes(q, 0);
	int64_t size = col_int(q, 1);
	const char *from, *to, *error;

	arena_reset(s->line);
	from = blob_path(s->line, s->b.data, hash);
	to = blob_path(s->line, s->cli->dir, hash);
	if (s->error != NULL)
		return;
	if (!folder_make(AT_FDCWD, arena_strndup(s->line, to, (size_t)(strrchr(to, '/') - to)), SHARED_FOLDER) || rename(from, to) != 0)
		stop(s, "%s: %s", to, strerror(errno));
	else if (!db_script(s->to, s->line, arena_printf(s->line, "INSERT INTO blob (hash, size, no) VALUES (x'%s', %" PRId64 ", NULL) "
	    "ON CONFLICT DO NOTHING", hex(s->line, hash), size), &error))
		stop(s, "%s", error);
	s->files++;
}

/*
 * Bodies, then files: a file may have the bytes of a body. The write lock is held, so no sweep deletes
 * a file before its row is there (store/blob.h).
 */
static bool
copy_blobs(struct beside *s)
{
	const char *error;

	s->bodies = map_new(s->arena);
	if (!folder_make(AT_FDCWD, arena_printf(s->arena, "%s/blobs", s->cli->dir), SHARED_FOLDER))
		return stop(s, "%s/blobs: %s", s->cli->dir, strerror(errno));
	db_each_or_fail(s->from, s->arena, "SELECT b.hash, d.data, d.size FROM blob b JOIN blob_data d ON d.no = b.no", take_body, s);
	return (blob_files_each(s->from, s->arena, take_file, s, &error) || stop(s, "%s", error)) && s->error == NULL;
}

static bool
copy_rows(struct beside *s)
{
	for (size_t i = 0; i < leave_table_count && s->error == NULL; i++) {
		const struct leave_table *t = &leave_tables[i];
		struct table_copy copy;

		cli_progress("records", (int64_t)i, (int64_t)leave_table_count);
		if (t->kind != LEAVE_ROWS || t->by == NULL || strcmp(t->name, "blob") == 0)
			continue;
		copy = table_copy(s, t);
		db_each_or_fail(s->from, s->arena, rows_of(s->arena, &copy), take_row, &copy);
	}
	return s->error == NULL;
}

/* The record of each organization says where it comes from. */
static void
take_org(void *ctx, struct stmt *q)
{
	struct beside *s = ctx;
	const char *new = leave_ids_new(s->ids, col_bytes(q, 0));

	s->orgs++;
	audit_add(s->to, s->arena, &(struct audit_event){ .action = AUDIT_ORG_CREATE, .source = "script", .type = "organization",
	    .org = new != NULL ? arena_strdup(s->arena, new) : col_dup(q, 0, s->arena),
	    .target = new != NULL ? arena_strdup(s->arena, new) : col_dup(q, 0, s->arena), .after = "{\"imported\":true}" });
}

static bool
write_list(struct beside *s)
{
	bool any = leave_ids_write(s->ids, s->list) > 0, ok = fflush(s->list) == 0 && fsync(fileno(s->list)) == 0;

	ok = fclose(s->list) == 0 && ok;
	s->list = NULL;
	if (!ok)
		return stop(s, "%s: %s", s->list_name, strerror(errno));
	if (!any)
		drop_list(s);
	return true;
}

/* One transaction, so that everything is here, or nothing. */
static bool
copy_all(struct beside *s)
{
	const char *error = NULL;
	bool ok;

	s->ids = leave_ids_read(s->arena, s->from);
	db_begin(s->to, true);
	s->kept = !cli_flag(s->cli, "new-ids") && !leave_ids_used(s->ids, s->to);
	ok = settle_stage(s);
	if (!s->kept)
		leave_ids_renew(s->ids);
	read_shifts(s);
	ok = ok && (db_script(s->to, s->arena, "PRAGMA defer_foreign_keys=ON", &error) || stop(s, "%s", error)) && copy_blobs(s) && copy_rows(s);
	if (ok)
		db_each_or_fail(s->from, s->arena, "SELECT id FROM org ORDER BY id", take_org, s);
	if (ok && (error = backup_sync_all(&s->b, s->cli->dir)) != NULL)
		ok = stop(s, "%s", error);
	if (!ok || !write_list(s)) {
		db_rollback(s->to);
		return false;
	}
	db_commit(s->to);
	return true;
}

/* ---- the command ---- */

static int
print_done(struct beside *s)
{
	struct cli *c = s->cli;
	struct json *j;

	if (c->json) {
		j = cli_json(c);
		json_obj(j);
		json_kint(j, "organizations", s->orgs);
		json_kint(j, "rows", s->rows);
		json_kint(j, "files", s->files);
		json_kint(j, "matchedUsers", s->matched);
		json_kbool(j, "idsKept", s->kept);
		if (s->has_list)
			json_kstr(j, "ids", s->list_name);
		json_end(j);
		cli_json_print(c);
	} else
		printf("imported: %" PRId64 " organizations, %" PRId64 " rows, %" PRId64 " files\n", s->orgs, s->rows, s->files);
	cli_say(c, s->kept ? "Ids are those of the export: none of them was ever used here" : "Ids of the export were used here, so all of them are new");
	if (s->has_list)
		cli_say(c, "%s has the old and the new ids", s->list_name);
	if (s->matched > 0)
		cli_say(c, "%" PRId64 " users are users of the same verified address here", s->matched);
	if (s->unnamed > 0)
		cli_say(c, "%" PRId64 " users have an address that belongs to a user here; they are new users who cannot sign in", s->unnamed);
	if (*s->hosts != '\0')
		cli_say(c, "Hostnames that are taken here were left out:%s", s->hosts);
	if (s->bindings > 0)
		cli_say(c, "%" PRId64 " spaces were bound to a branch of a repository, and are not any more: octavo git bind", s->bindings);
	cli_say(c, "No secrets were imported: octavo user reset makes a link with which a person chooses a password");
	return CLI_OK;
}

static const char *
list_name(struct cli *c)
{
	const char *name = cli_option(c, "ids");

	return name != NULL ? name : "octavo-ids.tsv";
}

/* Before root becomes the owner of the data, who may not write here. */
static bool
open_list(struct beside *s)
{
	int fd;

	s->list_name = list_name(s->cli);
	fd = open(s->list_name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0 || (s->list = fdopen(fd, "w")) == NULL)
		return stop(s, "%s: %s; --ids names another new file for the old and the new ids", s->list_name, strerror(errno));
	s->has_list = true;
	backup_temp_register(&s->b, s->list_name);
	return true;
}

static bool
import_all(struct beside *s, const char *from)
{
	/* The file is made later; what will fail then fails at once. */
	if (access(list_name(s->cli), F_OK) == 0)
		return stop(s, "%s exists; --ids names another new file for the old and the new ids", list_name(s->cli));
	return make_stage(s) && leave_read_stage(s->cli, from, s->b.data, &s->error) && open_list(s) && become_owner(s) && open_both(s) && copy_all(s);
}

int
leave_import_beside(struct cli *c, const char *from)
{
	enum { MOST = 8 };
	struct beside s = { .cli = c, .arena = arena_new((size_t)MOST << 30), .line = arena_new((size_t)LINE_BYTES * 4), .lock = -1, .hosts = "" };
	bool ok;
	int rc;

	s.b = (struct backup){ .arena = s.arena, .data = arena_printf(s.arena, "%s/octavo.import", c->dir) };
	ok = import_all(&s, from);
	cli_progress_end();
	if (!ok)
		drop_list(&s);
	drop_stage(&s);
	if (s.to != NULL)
		db_close(s.to);
	rc = ok ? print_done(&s) : cli_fail(c, "%s. Nothing was imported", s.error);
	arena_free(s.line);
	arena_free(s.arena);
	return rc;
}
