/*
 * Copies all rows from a database of one engine to a database of another. Contract: db/move.h.
 *
 * One of the two is SQLite, which lists the tables. Rows are written as literals, many in one
 * statement. The sum of the hashes of a table's rows, which needs no order, is compared with that of
 * the rows that are read back.
 */
#include "db/move.h"

#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/secret.h"
#include "db_engine.h"
#include "db_parts.h"

/*
 * BATCH: bytes of literals after which they are written. FETCH: rows that a server sends at once.
 * ROW_MOST: maximum bytes of the literals of one statement, and of one row. COLUMNS: maximum columns of
 * a table.
 */
enum { BATCH = 1 << 18, FETCH = 500, ROW_MOST = 1 << 29, COLUMNS = 128 };

/* The sum of the hashes of rows, modulo 2^64 in each half, and their number. */
struct sum {
	uint64_t low, high;
	int64_t  rows;
};

struct move_table {
	const char        *name;
	const char        *columns;        /* quoted names, in their order */
	char               types[COLUMNS]; /* 'I'NTEGER, 'T'EXT, 'B'LOB */
	int                count;
	struct move_table *next;
};

struct copying {
	struct db_move    *m;
	struct arena      *arena;      /* for the list of tables, and for errors */
	struct arena      *passing;    /* for the rows of a batch; reset after each */
	struct move_table *first, **last; /* the tables */
	struct move_table *table;      /* the one that is listed or copied now */
	struct buf         batch;      /* the statement that inserts the rows read so far */
	struct sum         sum;        /* of the rows of the table read so far */
	const char        *error;      /* why a row cannot be copied; NULL: no error */
};

/* ---- what there is to copy ---- */

static struct db *
file_of(const struct db_move *m)
{
	return db_has_file(m->from) ? m->from : m->to;
}

/* Columns: name of the table, name of the column, type. */
static void
take_column(void *ctx, struct stmt *q)
{
	struct copying *c = ctx;
	struct move_table *t = c->table;

	if (t == NULL || strcmp(t->name, col_text(q, 0)) != 0) {
		t = c->table = *c->last = arena_alloc(c->arena, sizeof(*t));
		c->last = &t->next;
		t->name = arena_strdup(c->arena, col_text(q, 0));
		t->columns = "";
	}
	if (t->count == COLUMNS) {
		c->error = arena_printf(c->arena, "%s: too many columns", t->name);
		return;
	}
	t->columns = arena_printf(c->arena, "%s%s\"%s\"", t->columns, t->count == 0 ? "" : ", ", col_text(q, 1));
	t->types[t->count++] = *col_text(q, 2);
}

/* Tables that the index job fills, and those that a full-text table consists of, are left out. */
static const char q_columns[] =
    "SELECT m.name, c.name, c.type FROM sqlite_schema m, pragma_table_info(m.name) c "
    "WHERE m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL%' AND m.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' "
    "AND m.name NOT LIKE 'search\\_index%' ESCAPE '\\' "
    "AND m.name NOT IN ('search_place', 'search_reads', 'search_text', 'search_page', 'search_space') ORDER BY m.name, c.cid";

static bool
list_tables(struct copying *c, const char **error)
{
	c->last = &c->first;
	if (!db_each(file_of(c->m), c->arena, q_columns, take_column, c, error))
		return false;
	*error = c->error;
	return *error == NULL;
}

/* ---- reading ---- */

/* Calls row() for each row of c->table in this database. A server's rows are fetched by a cursor, some at a time. */
static bool
each_row(struct copying *c, struct db *db, void (*row)(void *, struct stmt *), const char **error)
{
	const char *what = arena_printf(c->arena, "SELECT %s FROM \"%s\"", c->table->columns, c->table->name);
	struct arena *a = arena_within(c->arena, (size_t)4 << 30);
	int64_t before;

	if (db_has_file(db))
		return db_each(db, a, what, row, c, error);
	if (!db_script(db, a, arena_printf(a, "DECLARE octavo_move NO SCROLL CURSOR FOR %s", what), error))
		return false;
	do {
		before = c->sum.rows;
		arena_reset(a);
		if (!db_each(db, a, arena_printf(a, "FETCH %d FROM octavo_move", FETCH), row, c, error))
			return false;
	} while (c->error == NULL && c->sum.rows > before);
	return db_script(db, a, "CLOSE octavo_move", error);
}

/* ---- a row ---- */

/* Adds the hash of the row to the sum of the table's hashes. */
static void
add_to_sum(struct copying *c, struct stmt *q)
{
	unsigned char hash[HASH_BYTES];
	uint64_t half;
	struct buf b;
	int i;

	buf_init(&b, c->passing, ROW_MOST);
	for (i = 0; i < c->table->count; i++) {
		struct str s = col_bytes(q, i);

		buf_printf(&b, "%c%zu:", col_null(q, i) ? 'N' : c->table->types[i], s.n);
		buf_put(&b, s);
	}
	hash_bytes(buf_view(&b), hash);
	memcpy(&half, hash, sizeof(half));
	c->sum.low += half;
	memcpy(&half, hash + sizeof(half), sizeof(half));
	c->sum.high += half;
	c->sum.rows++;
}

static void
put_quoted(struct buf *b, struct str s)
{
	size_t i;

	buf_char(b, '\'');
	for (i = 0; i < s.n; i++) {
		if (s.p[i] == '\'')
			buf_char(b, '\'');
		buf_char(b, s.p[i]);
	}
	buf_char(b, '\'');
}

static void
put_bytes(struct buf *b, struct str s)
{
	static const char digits[] = "0123456789abcdef";
	size_t i;

	buf_str(b, "x'");
	for (i = 0; i < s.n; i++) {
		buf_char(b, digits[(unsigned char)s.p[i] >> 4]);
		buf_char(b, digits[s.p[i] & 15]);
	}
	buf_char(b, '\'');
}

static void
put_value(struct copying *c, struct stmt *q, int i)
{
	struct str s = col_bytes(q, i);

	if (col_null(q, i))
		buf_str(&c->batch, "NULL");
	else if (c->table->types[i] == 'I')
		buf_printf(&c->batch, "%" PRId64, col_int(q, i));
	else if (c->table->types[i] == 'B')
		put_bytes(&c->batch, s);
	else if (memchr(s.p, '\0', s.n) != NULL)
		c->error = arena_printf(c->arena, "%s: a text has a NUL byte, which PostgreSQL cannot store", c->table->name);
	else
		put_quoted(&c->batch, s);
}

static bool
write_batch(struct copying *c, const char **error)
{
	bool ok = c->batch.n == 0 || db_script(c->m->to, c->passing, c->batch.p, error);

	arena_reset(c->passing);
	buf_init(&c->batch, c->passing, ROW_MOST);
	return ok;
}

static void
copy_row(void *ctx, struct stmt *q)
{
	struct copying *c = ctx;
	int i;

	if (c->error != NULL)
		return;
	if (c->batch.n == 0)
		buf_printf(&c->batch, "INSERT INTO \"%s\" (%s) VALUES ", c->table->name, c->table->columns);
	else
		buf_char(&c->batch, ',');
	for (i = 0; i < c->table->count; i++) {
		buf_char(&c->batch, i == 0 ? '(' : ',');
		put_value(c, q, i);
	}
	buf_char(&c->batch, ')');
	if (c->batch.n > BATCH)
		write_batch(c, &c->error);
	add_to_sum(c, q);
	if ((++c->m->rows & 1023) == 0 && c->m->tick != NULL)
		c->m->tick(c->m->ctx, c->m->rows, c->m->all);
}

static void
sum_row(void *ctx, struct stmt *q)
{
	struct copying *c = ctx;

	add_to_sum(c, q);
	if ((c->sum.rows & 1023) == 0)
		arena_reset(c->passing);
}

/* ---- a table ---- */

static bool
compare_table(struct copying *c, struct arena *a, const char **error)
{
	struct sum wrote = c->sum;

	c->sum = (struct sum){ 0 };
	if (!each_row(c, c->m->to, sum_row, error))
		return false;
	arena_reset(c->passing);
	if (memcmp(&wrote, &c->sum, sizeof(wrote)) == 0)
		return true;
	*error = arena_printf(a, "%s: the copy differs (%" PRId64 " rows of %" PRId64 ")", c->table->name, c->sum.rows, wrote.rows);
	return false;
}

static bool
copy_table(struct copying *c, struct arena *a, const char **error)
{
	c->sum = (struct sum){ 0 };
	buf_init(&c->batch, c->passing, ROW_MOST);
	if (!each_row(c, c->m->from, copy_row, error) || c->error != NULL || !write_batch(c, &c->error)) {
		*error = arena_printf(a, "%s: %s", c->table->name, c->error != NULL ? c->error : *error);
		return false;
	}
	return compare_table(c, a, error);
}

/* ---- all ---- */

static void
add_count(void *ctx, struct stmt *q)
{
	*(int64_t *)ctx += col_int(q, 0);
}

/* For the whole copy, which takes longer than requests may. */
#define NO_TIMEOUTS "SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0; "

/* One snapshot of a server's database, whose columns are those of this program. */
static bool
begin_snapshot(struct copying *c, const char **error)
{
	struct db *db = c->m->from;

	if (!db_script(db, c->arena, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; " NO_TIMEOUTS, error))
		return false;
	if (db_version(db) == db_latest())
		return true;
	*error = arena_printf(c->arena, "the server's database has schema version %d, and a copy that this program makes has %d; "
	    "pg_dump copies it as it is", db_version(db), db_latest());
	return false;
}

/*
 * Begins a transaction that locks all tables against writers; readers go on. A server takes its
 * snapshot at the first query, which comes after the locks: so it has every commit before them.
 * SERIALIZABLE: a transaction that began earlier and writes after the move fails.
 */
static bool
hold_source(struct copying *c, const char **error)
{
	struct db *db = c->m->from;
	struct move_table *t;
	struct buf b;

	if (c->m->in_use)
		return begin_snapshot(c, error);
	if (db_has_file(db))
		return db_script(db, c->arena, "BEGIN IMMEDIATE", error);
	buf_init(&b, c->arena, 1 << 20);
	buf_str(&b, "BEGIN ISOLATION LEVEL SERIALIZABLE; " NO_TIMEOUTS "LOCK TABLE ");
	for (t = c->first; t != NULL; t = t->next)
		buf_printf(&b, "%s\"%s\"", t == c->first ? "" : ", ", t->name);
	buf_str(&b, " IN EXCLUSIVE MODE");
	return db_script(db, c->arena, b.p, error);
}

static bool
copy_tables(struct copying *c, struct arena *a, const char **error)
{
	for (c->table = c->first; c->table != NULL; c->table = c->table->next)
		if (!db_each(c->m->from, c->arena, arena_printf(c->arena, "SELECT count(*) FROM \"%s\"", c->table->name),
		    add_count, &c->m->all, error))
			return false;
	for (c->table = c->first; c->table != NULL; c->table = c->table->next, c->m->tables++)
		if (!copy_table(c, a, error))
			return false;
	return true;
}

/*
 * The statement that queues an index job for each space with content, unless one is queued, as
 * migrations do that change the terms of search.
 */
static const char *
index_jobs(struct arena *a, const struct db *db)
{
	return arena_printf(a, "INSERT INTO job (id, kind, space, queue, run_at, created_at) "
	    "SELECT %s, 'index', s.id, s.id, 0, 0 FROM space s JOIN branch b ON b.id = s.branch "
	    "WHERE b.head > 0 AND NOT EXISTS (SELECT 1 FROM job j WHERE j.kind = 'index' AND j.space = s.id AND j.state = 'queued')",
	    db_has_file(db) ? "lower(hex(randomblob(16)))" : "replace(CAST(gen_random_uuid() AS TEXT), '-', '')");
}

/* Negative versions are of databases that no program opens. A mark has digits and spaces. */
static const char *
close_server(struct arena *a, const char *table, const char *mark)
{
	return arena_printf(a, "UPDATE octavo_schema SET version = -version; CREATE TABLE %s (mark TEXT NOT NULL); "
	    "INSERT INTO %s VALUES ('%s'); COMMIT", table, table, mark);
}

static bool
move_rows(struct copying *c, struct arena *a, const char **error)
{
	struct db *to = c->m->to;
	const char *rest = NULL, *ignored;

	if (!to->engine->receive(to, a, !db_has_file(to) && db_move_mark(to, a, DB_MOVE_TO) != NULL, &rest, error))
		return false;
	if (copy_tables(c, a, error) && db_script(to, a, rest, error) && db_script(to, a, index_jobs(a, to), error) &&
	    db_script(to, a, db_has_file(to) ? "COMMIT" : close_server(a, "octavo_moving_to", c->m->mark), error))
		return true;
	db_script(to, a, "ROLLBACK", &ignored);
	return false;
}

bool
db_move(struct db_move *m, struct arena *a, const char **error)
{
	struct copying c = { .m = m, .arena = arena_new((size_t)8 << 30), .passing = arena_new((size_t)4 << 30) };
	bool ok = list_tables(&c, error) && hold_source(&c, error) && move_rows(&c, a, error);

	/* *error may be in c.arena, which is freed here. */
	if (!ok)
		*error = arena_strdup(a, *error);
	arena_free(c.passing);
	arena_free(c.arena);
	return ok;
}

bool
db_move_end(struct db_move *m, struct arena *a, bool moved, const char **error)
{
	if (db_has_file(m->from) || !moved)
		return db_script(m->from, a, "ROLLBACK", error);
	return db_script(m->from, a, close_server(a, "octavo_moving_from", m->mark), error);
}

bool
db_move_open(struct db *server, struct arena *a, const char **error)
{
	return db_script(server, a, "BEGIN; UPDATE octavo_schema SET version = -version WHERE version < 0; "
	    "DROP TABLE octavo_moving_to; COMMIT", error);
}

struct mark {
	struct arena *arena;
	const char   *text;
};

static void
take_mark(void *ctx, struct stmt *q)
{
	struct mark *m = ctx;

	m->text = arena_strdup(m->arena, col_text(q, 0));
}

const char *
db_move_mark(struct db *server, struct arena *a, enum db_direction direction)
{
	struct mark m = { a, NULL };
	const char *ignored;

	/* Fails where the table does not exist. */
	db_each(server, a, direction == DB_MOVE_TO ? "SELECT mark FROM octavo_moving_to" : "SELECT mark FROM octavo_moving_from",
	    take_mark, &m, &ignored);
	return m.text;
}

/* ---- a copy beside the database ---- */

/* Of a server's database: the rows of one moment, in a new file of SQLite. */
static bool
copy_snapshot(struct db *db, struct arena *a, const char *path, void (*tick)(void *, int64_t, int64_t), void *ctx, const char **error)
{
	struct db_move m = { .from = db, .to = db_open(a, path, DB_CREATE, NULL, error), .in_use = true, .tick = tick, .ctx = ctx };
	const char *ignored;
	bool ok;

	if (m.to == NULL)
		return false;
	ok = db_move(&m, a, error);
	db_script(db, a, "ROLLBACK", &ignored);
	ok = ok && db_truncate_wal(m.to, a, error);
	db_close(m.to);
	return ok;
}

bool
db_copy(struct db *db, struct arena *a, const char *path, void (*tick)(void *, int64_t, int64_t), void *ctx, const char **error)
{
	return (db->engine->copy != NULL ? db->engine->copy : copy_snapshot)(db, a, path, tick, ctx, error);
}
