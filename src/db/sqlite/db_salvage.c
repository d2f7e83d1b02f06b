/* Builds a new database from the rows of a damaged file. Contract: db/salvage.h. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/map.h"
#include "base/utf8.h"
#include "db/salvage.h"
#include "db_pages.h"
#include "db_sqlite.h"

/* A table of the new file, and its root in the old one. */
struct table {
	struct salvage_table *out;
	bool                  derived;
	bool                  rowless;                 /* WITHOUT ROWID */
	int                   alias;                   /* column that is the rowid (INTEGER PRIMARY KEY); -1: none */
	int                   count;
	struct column {
		const char *name;
		char        type;                      /* I, T, B; 0: any */
		bool        required;                  /* NOT NULL, without a default */
	}                     columns[RECORD_COLUMNS]; /* in the order of a record */
	sqlite3_stmt         *insert[RECORD_COLUMNS + 1];   /* by number of columns in the record */
	uint32_t              root;                    /* 0: unknown */
};

struct salvage_run {
	struct arena                 *arena;
	struct db                    *db;
	const struct salvage_options *o;
	struct salvage               *out;
	struct pages                  pages;
	struct table                 *tables;
	struct map                   *by_name;         /* struct table */
	struct table                 *at;              /* table that rows are read for */
	uint32_t                     *others;          /* roots of indexes and of tables that are not ours */
	size_t                        other_count, other_room;
	size_t                        size, room;      /* of tables */
	bool                          index_damaged;
	bool                          fits;            /* all records of the page fit the table so far */
	size_t                        probed;          /* number of records of the page that were read */
	const char                   *error;           /* failed write: the work ends */
};

static void
report_progress(struct salvage_run *run, const char *what, int64_t done, int64_t total)
{
	if (run->o->tick != NULL)
		run->o->tick(what, done, total);
}

/* ---- the new file's tables ---- */

static void
take_column(void *ctx, struct stmt *q)
{
	struct table *t = ctx;
	struct column *c;

	if (t->count == RECORD_COLUMNS || col_int(q, 4) != 0)
		return;   /* a computed column is in no record */
	c = &t->columns[t->count];
	*c = (struct column){ arena_strdup(q->db->arena, col_text(q, 0)), *col_text(q, 1),
		col_int(q, 2) != 0 && col_null(q, 5) };
	/* The one INTEGER PRIMARY KEY of a table with rowids. */
	if (!t->rowless && col_int(q, 3) == 1 && c->type == 'I')
		t->alias = t->count;
	t->count++;
}

/* In a WITHOUT ROWID table, a record has the key columns first. */
static void
take_table(void *ctx, struct stmt *q)
{
	struct salvage_run *run = ctx;
	struct table *t;
	const char *error;

	run->tables = arena_grow(run->arena, run->tables, run->size, &run->room, sizeof(*run->tables));
	t = &run->tables[run->size++];
	*t = (struct table){ .alias = -1, .rowless = col_int(q, 1) != 0 };
	t->out = arena_alloc(run->arena, sizeof(*t->out));
	t->out->name = col_dup(q, 0, run->arena);
	for (const char *const *d = run->o->derived; *d != NULL; d++)
		t->derived |= strcmp(*d, t->out->name) == 0;
	db_each(run->db, run->arena, arena_printf(run->arena, "SELECT name, type, \"notnull\", pk, hidden, dflt_value "
	    "FROM pragma_table_xinfo('%s') ORDER BY %s cid", t->out->name, t->rowless ? "pk = 0, pk," : ""),
	    take_column, t, &error);
}

static bool
list_tables(struct salvage_run *run, const char **error)
{
	if (!db_each(run->db, run->arena, "SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table' "
	    "AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name", take_table, run, error))
		return false;
	run->by_name = map_new(run->arena);
	for (size_t i = 0; i < run->size; i++)
		map_add(run->by_name, str_of(run->tables[i].out->name), &run->tables[i]);
	return true;
}

/* ---- the old file's list of tables ---- */

static bool
is_text(const struct value *v, const char *s)
{
	return v->type == VALUE_TEXT && str_eq((struct str){ v->p, (size_t)v->n }, str_of(s));
}

/*
 * Read a row of sqlite_schema: type, name, tbl_name, rootpage, sql. The first row of a name counts.
 */
static void
take_schema(void *ctx, const struct record *r)
{
	struct salvage_run *run = ctx;
	const struct value *v = r->values;
	struct table *t;
	uint32_t root;
	int type;

	/* Ignore rows that are no such row (a damaged page), and those of views and triggers, which have no pages. */
	if (r->count != 5 || v[3].type != VALUE_INT || v[3].n < 1 || v[3].n > run->pages.count ||
	    v[1].type != VALUE_TEXT || (!is_text(&v[0], "table") && !is_text(&v[0], "index")))
		return;
	root = (uint32_t)v[3].n;
	type = pages_type(&run->pages, root);
	t = is_text(&v[0], "table") ? map_get(run->by_name, (struct str){ v[1].p, (size_t)v[1].n }) : NULL;
	if (t != NULL) {
		bool index = type == PAGE_INDEX_LEAF || type == PAGE_INDEX_INNER;

		/*
		 * A damaged root is accepted. But a row that was found on any leaf may be outdated: then
		 * the root must be a page of the table's type.
		 */
		if (t->root == 0 && (!run->out->guessed || (type != 0 && index == t->rowless)))
			t->root = root;
		return;
	}
	run->others = arena_grow(run->arena, run->others, run->other_count, &run->other_room, sizeof(*run->others));
	run->others[run->other_count++] = root;
}

/* Reads the list of tables. If a page of it is damaged, searches all unread leaves for its rows. */
static void
find_tables(struct salvage_run *run)
{
	bool bad = pages_walk(&run->pages, 1, take_schema, run) > 0;

	if (!bad)
		return;
	run->out->guessed = true;
	for (uint32_t i = 1; i <= run->pages.count; i++)
		if (!run->pages.seen[i] && pages_type(&run->pages, i) == PAGE_TABLE_LEAF)
			pages_leaf(&run->pages, i, take_schema, run);
}

/* ---- rows ---- */

/*
 * A record is shorter than the table if ALTER TABLE ADD COLUMN came later: missing columns take
 * their defaults.
 */
static sqlite3_stmt *
prepare_insert(struct salvage_run *run, struct table *t, int count)
{
	const char *names = "", *marks = "";

	if (t->insert[count] != NULL)
		return t->insert[count];
	for (int i = 0; i < count; i++) {
		names = arena_printf(run->arena, "%s%s\"%s\"", names, i > 0 ? ", " : "", t->columns[i].name);
		marks = arena_printf(run->arena, "%s%s?", marks, i > 0 ? ", " : "");
	}
	if (!t->rowless && t->alias < 0) {
		names = arena_printf(run->arena, "%s, rowid", names);
		marks = arena_printf(run->arena, "%s, ?", marks);
	}
	if (sqlite3_prepare_v2(sqlite_of(run->db)->handle, arena_printf(run->arena, "INSERT INTO \"%s\" (%s) VALUES (%s)", t->out->name,
	    names, marks), -1, &t->insert[count], NULL) != SQLITE_OK)
		run->error = arena_strdup(run->arena, sqlite3_errmsg(sqlite_of(run->db)->handle));
	return t->insert[count];
}

/* False if a text is not valid UTF-8. */
static bool
bind_value(sqlite3_stmt *s, int at, const struct value *v)
{
	if (v->type == VALUE_INT)
		sqlite3_bind_int64(s, at, v->n);
	else if (v->type == VALUE_REAL)
		sqlite3_bind_double(s, at, v->real);
	else if (v->type == VALUE_BLOB)
		sqlite3_bind_blob64(s, at, v->p, (sqlite3_uint64)v->n, SQLITE_STATIC);
	else if (v->type == VALUE_TEXT)
		sqlite3_bind_text64(s, at, v->p, (sqlite3_uint64)v->n, SQLITE_STATIC, SQLITE_UTF8);
	else
		sqlite3_bind_null(s, at);
	return v->type != VALUE_TEXT || utf8_valid((struct str){ v->p, (size_t)v->n });
}

/* The rowid column is NULL in the record (fileformat2.html section 2.1): bind the rowid instead. */
static bool
bind_record(sqlite3_stmt *s, const struct table *t, const struct record *r)
{
	struct value rowid = { .type = VALUE_INT, .n = r->rowid };
	bool ok = true;

	for (int i = 0; i < r->count; i++)
		ok &= bind_value(s, i + 1, i == t->alias ? &rowid : &r->values[i]);
	if (!t->rowless && t->alias < 0)
		ok &= bind_value(s, r->count + 1, &rowid);
	return ok;
}

/*
 * A constraint refuses damaged and repeated rows; any other failure is one of writing and ends the
 * work.
 */
static void
insert_row(void *ctx, const struct record *r)
{
	struct salvage_run *run = ctx;
	struct table *t = run->at;
	sqlite3_stmt *s;
	int rc = SQLITE_CONSTRAINT;

	/* Derived tables are rebuilt from the others. */
	if (run->error != NULL || t->derived)
		return;
	if (r->count == 0 || r->count > t->count || r->has_rowid == t->rowless) {
		t->out->refused++;
		return;
	}
	if ((s = prepare_insert(run, t, r->count)) == NULL)
		return;
	if (bind_record(s, t, r))
		rc = sqlite3_step(s);
	sqlite3_reset(s);
	sqlite3_clear_bindings(s);
	t->out->rows += rc == SQLITE_DONE;
	t->out->refused += (rc & 0xff) == SQLITE_CONSTRAINT;
	if (rc != SQLITE_DONE && (rc & 0xff) != SQLITE_CONSTRAINT)
		run->error = arena_strdup(run->arena, sqlite3_errmsg(sqlite_of(run->db)->handle));
}

/* ---- orphaned pages ---- */

static bool
fits_column(const struct column *c, enum value_type v)
{
	if (v == VALUE_NULL)
		return !c->required;
	return (c->type != 'I' || v == VALUE_INT) && (c->type != 'T' || v == VALUE_TEXT) && (c->type != 'B' || v == VALUE_BLOB);
}

/*
 * True if the record may belong to the table, judging by types alone; the insert checks the rest. The
 * column that is an alias of the rowid is stored as NULL. A record may lack the last columns.
 */
static bool
fits_table(const struct table *t, const struct record *r)
{
	if (r->count == 0 || r->count > t->count || r->has_rowid == t->rowless)
		return false;
	for (int i = 0; i < t->count; i++) {
		enum value_type v = i < r->count ? r->values[i].type : VALUE_NULL;

		if (i == t->alias ? v != VALUE_NULL : !fits_column(&t->columns[i], v))
			return false;
	}
	return true;
}

static void
probe_record(void *ctx, const struct record *r)
{
	struct salvage_run *run = ctx;

	run->probed++;
	run->fits = run->fits && fits_table(run->at, r);
}

/* The one damaged table that all records of the page fit; NULL: none, or several. */
static struct table *
find_owner(struct salvage_run *run, uint32_t page)
{
	struct table *owner = NULL;

	for (size_t i = 0; i < run->size; i++) {
		run->at = &run->tables[i];
		if (run->at->out->damaged == 0)
			continue;
		run->fits = true;
		run->probed = 0;
		pages_leaf(&run->pages, page, probe_record, run);
		if (!run->fits || run->probed == 0)
			continue;
		if (owner != NULL)
			return NULL;
		owner = run->at;
	}
	return owner;
}

/*
 * Leaves of indexes look like those of WITHOUT ROWID tables: these are adopted only if all indexes
 * are intact.
 */
static void
adopt_orphans(struct salvage_run *run)
{
	pages_mark_free(&run->pages);
	for (uint32_t i = 1; i <= run->pages.count && run->error == NULL; i++) {
		int type = run->pages.seen[i] ? 0 : pages_type(&run->pages, i);
		struct table *owner;

		if (type != PAGE_TABLE_LEAF && (type != PAGE_INDEX_LEAF || run->index_damaged))
			continue;
		run->probed = 0;
		owner = find_owner(run, i);
		if (owner != NULL) {
			run->at = owner;
			pages_leaf(&run->pages, i, insert_row, run);
		} else if (run->probed > 0)
			run->out->strays++;
	}
}

static void
read_rows(struct salvage_run *run)
{
	for (size_t i = 0; i < run->size && run->error == NULL; i++) {
		report_progress(run, "reading tables", (int64_t)i, (int64_t)run->size);
		run->at = &run->tables[i];
		/*
		 * A table without a root counts as damaged, so that orphaned leaves are adopted for
		 * it.
		 */
		run->at->out->damaged = run->at->root == 0 ? 1 : pages_walk(&run->pages, run->at->root, insert_row, run);
	}
	for (size_t i = 0; i < run->other_count; i++)
		/* Walk indexes only to mark their pages, so that they are not taken for orphans. */
		run->index_damaged |= pages_walk(&run->pages, run->others[i], NULL, NULL) > 0;
	report_progress(run, "reading what is left", 0, 0);
	if (run->error == NULL)
		adopt_orphans(run);
	for (size_t i = 0; i < run->size; i++)
		for (int n = 0; n <= run->tables[i].count; n++)
			sqlite3_finalize(run->tables[i].insert[n]);
}

static bool
any_rows(const struct salvage_run *run)
{
	int64_t rows = 0;

	for (size_t i = 0; i < run->size; i++)
		rows += run->tables[i].out->rows;
	return rows > 0;
}

/* ---- references ---- */

struct reference {
	struct reference *next;
	const char       *child, *column;     /* first nullable column of the reference; NULL: none */
	const char       *lost;               /* condition: the referenced row is missing */
};

struct references {
	struct salvage_run *run;
	struct reference   *first, **last;
	int64_t             changed;
};

/* Row: child, parent, comparison of both columns, child columns not null, nullable column. */
static void
take_reference(void *ctx, struct stmt *q)
{
	struct references *rs = ctx;
	struct arena *a = rs->run->arena;
	struct reference *r = arena_alloc(a, sizeof(*r));

	*r = (struct reference){ .child = col_dup(q, 0, a), .column = col_dup(q, 4, a) };
	r->lost = arena_printf(a, "%s AND NOT EXISTS (SELECT 1 FROM \"%s\" p WHERE %s)", col_text(q, 3), col_text(q, 1),
	    col_text(q, 2));
	*rs->last = r;
	rs->last = &r->next;
}

/* Set references to lost rows to NULL, or drop the row if it cannot be NULL. */
static const char *
repair_reference(struct references *rs, const struct reference *r)
{
	struct salvage_table *t = ((struct table *)map_get(rs->run->by_name, str_of(r->child)))->out;
	struct arena *a = rs->run->arena;
	const char *error = NULL;
	int64_t before = db_changes(rs->run->db), emptied = 0;

	if (r->column != NULL && !db_script(rs->run->db, a, arena_printf(a, "UPDATE OR IGNORE \"%s\" AS c SET \"%s\" = NULL "
	    "WHERE %s", r->child, r->column, r->lost), &error))
		return error;
	emptied = db_changes(rs->run->db) - before;
	if (!db_script(rs->run->db, a, arena_printf(a, "DELETE FROM \"%s\" AS c WHERE %s", r->child, r->lost), &error))
		return error;
	t->emptied += emptied;
	t->dropped += db_changes(rs->run->db) - before - emptied;
	rs->changed += db_changes(rs->run->db) - before;
	return NULL;
}

static const char *
repair_references(struct salvage_run *run)
{
	struct references rs = { .run = run };
	const char *error = NULL;

	rs.last = &rs.first;
	/* A reference that names no columns means the primary key of the other table. */
	if (!db_each(run->db, run->arena,
	    "SELECT t.name, f.\"table\", group_concat('p.\"' || coalesce(f.\"to\", k.name) || '\" = c.\"' || f.\"from\" || '\"', ' AND '), "
	    "group_concat('c.\"' || f.\"from\" || '\" IS NOT NULL', ' AND '), max(CASE WHEN i.\"notnull\" = 0 AND i.pk = 0 THEN f.\"from\" END) "
	    "FROM pragma_table_list t JOIN pragma_foreign_key_list(t.name) f "
	    "JOIN pragma_table_info(t.name) i ON i.name = f.\"from\" "
	    "LEFT JOIN pragma_table_info(f.\"table\") k ON k.pk = f.seq + 1 "
	    "WHERE t.schema = 'main' AND t.type = 'table' GROUP BY t.name, f.id", take_reference, &rs, &error))
		return error;
	/*
	 * Other rows may refer to a dropped one: repeat until nothing changes. Each round changes
	 * at least one row, so it ends.
	 */
	do {
		rs.changed = 0;
		for (struct reference *r = rs.first; r != NULL && error == NULL; r = r->next)
			error = repair_reference(&rs, r);
	} while (rs.changed > 0 && error == NULL);
	return error;
}

/* ---- the whole ---- */

/* Create the new file with the tables of the old one, empty. */
static bool
make_new(struct salvage_run *run, const char *to, const char **error)
{
	/* Never overwrite a file: it might be the only other copy. */
	int fd = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	int version = run->pages.version <= 0 ? db_latest() : run->pages.version;

	if (fd < 0) {
		*error = arena_printf(run->arena, "%s: %s", to, strerror(errno));
		return false;
	}
	close(fd);
	if (version > db_latest()) {
		*error = arena_printf(run->arena, "the database has schema version %d, this program knows %d: it was "
		    "written by a newer Octavo", version, db_latest());
		return false;
	}
	run->out->version = version;
	run->db = db_open(run->arena, to, DB_ANY_VERSION, &(struct db_options){ .relaxed = true }, error);
	if (run->db == NULL || db_migrate_to(run->db, run->arena, version, error) < 0 || !list_tables(run, error))
		return false;
	/*
	 * Disable triggers, which maintain counts: the recovered rows already include their effect.
	 */
	sqlite3_db_config(sqlite_of(run->db)->handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	if (!db_script(run->db, run->arena, "PRAGMA foreign_keys=OFF; PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF;", error))
		return false;
	for (size_t i = 0; i < run->size; i++)
		if (!db_script(run->db, run->arena, arena_printf(run->arena, "DELETE FROM \"%s\"", run->tables[i].out->name), error))
			return false;
	return true;
}

static void
count_row(void *ctx, struct stmt *q)
{
	*(int64_t *)ctx = col_int(q, 0);
}

static bool
fill_report(struct salvage_run *run, const char **error)
{
	run->out->tables = arena_array(run->arena, run->size, sizeof(*run->out->tables));
	for (size_t i = 0; i < run->size; i++) {
		struct table *t = &run->tables[i];

		if (t->derived)
			continue;
		if (!db_each(run->db, run->arena, arena_printf(run->arena, "SELECT count(*) FROM \"%s\"", t->out->name), count_row,
		    &t->out->rows, error))
			return false;
		run->out->tables[run->out->count++] = *t->out;
	}
	/* Migrations may rely on triggers. */
	sqlite3_db_config(sqlite_of(run->db)->handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 1, NULL);
	if (!db_script(run->db, run->arena, "PRAGMA synchronous=FULL; PRAGMA journal_mode=WAL;", error) ||
	    db_migrate(run->db, run->arena, error) < 0)
		return false;
	return db_truncate_wal(run->db, run->arena, error);
}

bool
db_salvage(struct arena *a, const char *from, const char *to, const struct salvage_options *o, struct salvage *out,
    const char **error)
{
	struct salvage_run run = { .arena = a, .o = o, .out = out };
	bool ok;

	*out = (struct salvage){ 0 };
	if (!pages_open(&run.pages, a, from, error))
		return false;
	out->pages = run.pages.count;
	ok = make_new(&run, to, error);
	if (ok && (ok = db_script(run.db, a, "BEGIN", error))) {
		find_tables(&run);
		read_rows(&run);
		if (run.error == NULL && !any_rows(&run))
			run.error = arena_printf(a, "%s: no row of any table can be found in it", from);
		if (run.error == NULL && o->mend != NULL)
			o->mend(o->ctx, run.db);
		if (run.error == NULL)
			run.error = repair_references(&run);
		*error = run.error;
		ok = db_script(run.db, a, run.error == NULL ? "COMMIT" : "ROLLBACK", run.error == NULL ? error : &run.error) &&
		    *error == NULL && fill_report(&run, error);
	}
	db_close(run.db);
	pages_close(&run.pages);
	return ok;
}
