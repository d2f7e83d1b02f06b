/* Connections, transactions and statements: the part that is the same for all engines. Contract: db/db.h. */
#include <stdio.h>

#include "base/mapped.h"
#include "base/panic.h"
#include "db_engine.h"
#include "db_parts.h"

/*
 * Start and end of the linker section for pointers of SQL(). Weak, since a program without
 * statements, such as the test of the router, has no such section.
 */
extern const struct sql *const __start_octavo_sql[] __attribute__((weak));
extern const struct sql *const __stop_octavo_sql[] __attribute__((weak));

/* ---- failures ---- */

/*
 * The failure function leaves by longjmp(). Without one (in a command) the process ends, and the
 * engine rolls back.
 */
void
db_fail(struct db *db, enum db_failure f, const char *message)
{
	if (db->fail != NULL)
		db->fail(db->fail_ctx, f, message);
	panic("database: %s", message);
}

void
db_lost(struct db *db, const char *message)
{
	db_fail(db, DB_LOST, message);
}

void
db_away(struct db *db, const char *message)
{
	db_fail(db, DB_AWAY, message);
}

void
db_fail_schema(struct db *db)
{
	static char message[160];   /* static: must outlive the arena, which the handler may free */

	if (db->other_version == DB_REPLACED)
		db_fail(db, DB_SCHEMA, "octavo.db was replaced or taken away: this program ends, so that "
		    "another one opens what is there");
	snprintf(message, sizeof(message), "the database has schema version %d by now, this program "
	    "knows %d: it ends, so that a newer one is started", db->other_version, db->version);
	db_fail(db, DB_SCHEMA, message);
}

void
db_on_fail(struct db *db, void (*fn)(void *, enum db_failure, const char *), void *ctx)
{
	db->fail = fn;
	db->fail_ctx = ctx;
}

void
db_fault(struct db *db, int64_t nth, enum db_failure f)
{
	db->fault = nth;
	db->fault_kind = f;
}

/* For tests: fail at the chosen step. */
static void
maybe_fail(struct db *db)
{
	if (db->fault > 0 && --db->fault == 0)
		db_fail(db, db->fault_kind, "injected failure");
}

/* ---- declared statements ---- */

/* Give each declared statement its slot, which is the same in all connections. */
void
db_list_statements(struct db *db)
{
	const struct sql *const *s;
	struct stmt *q;
	int n = 0;

	for (s = __start_octavo_sql; s < __stop_octavo_sql; s++)
		/* The linker has collected the pointers of all rooms in this section. */
		*(*s)->slot = n++;
	db->count = (size_t)n;
	db->stmts = arena_array(db->arena, db->count, sizeof(*db->stmts));
	for (q = db->stmts; q < db->stmts + db->count; q++) {
		q->db = db;
		q->engine = db->engine;
	}
}

/*
 * Compiles each statement and discards it: all statements together would be half of a worker's
 * memory, and a worker needs few of them.
 */
void
db_compile_all(struct db *db)
{
	const struct sql *const *s;

	for (s = __start_octavo_sql; s < __stop_octavo_sql; s++)
		db->engine->check(db, *s);
}

void
db_statements(void (*fn)(void *, const struct sql *), void *ctx)
{
	const struct sql *const *s;

	for (s = __start_octavo_sql; s < __stop_octavo_sql; s++)
		if ((*s)->text != NULL)
			fn(ctx, *s);
}

/*
 * Prepares a statement on first use, for the life of the connection: a worker keeps what its
 * requests need, and a plain CGI process does not pay for hundreds that it never runs.
 */
struct stmt *
db_use(struct db *db, const struct sql *sql)
{
	struct stmt *q = &db->stmts[*sql->slot];

	if (q->own == NULL) {
		q->sql = sql;
		q->engine->prepare(q);
	}
	/* At the start and end of a transaction all statements used before are reset. */
	if (q->used) {
		q->engine->reset(q);
	} else {
		q->used = true;
		q->next_used = db->used;
		db->used = q;
	}
	return q;
}

/*
 * Resets all statements that were used: otherwise they would keep the read snapshot open, and
 * pointers to bound texts, after the end of the transaction. One that was stepped outside of a
 * transaction would make BEGIN IMMEDIATE of SQLite fail at once if another connection has written
 * since.
 */
static void
reset_used(struct db *db)
{
	struct stmt *q;

	for (q = db->used; q != NULL; q = q->next_used) {
		q->engine->reset(q);
		q->used = false;
	}
	db->used = NULL;
}

/* ---- transactions ---- */

void
db_begin(struct db *db, bool write)
{
	if (db->open)
		panic("transaction inside a transaction");
	reset_used(db);
	maybe_fail(db);
	db->engine->begin(db, write);
}

/*
 * For writes that are optional, such as storing an answer that can be made again: gives up if
 * another process is writing.
 */
bool
db_try_begin(struct db *db)
{
	reset_used(db);
	return db->engine->try_begin(db);
}

static void
note_end(struct db *db)
{
	bool wrote = db->write;

	db->open = db->write = false;
	if (wrote)
		db_lock_released(db);
}

void
db_commit(struct db *db)
{
	reset_used(db);
	if (!db->open)
		panic("commit without a transaction");
	maybe_fail(db);
	db->engine->commit(db);
	note_end(db);
}

void
db_rollback(struct db *db)
{
	reset_used(db);
	db->engine->rollback(db);
	note_end(db);
}

/* One level of savepoint inside a transaction, for a part of a batch that may be undone. */
void
db_mark(struct db *db)
{
	db->engine->mark(db);
}

void
db_keep(struct db *db)
{
	reset_used(db);
	db->engine->keep(db);
}

void
db_undo(struct db *db)
{
	reset_used(db);
	db->engine->undo(db);
	db_keep(db);
}

bool
db_in_transaction(struct db *db)
{
	return db->open;
}

bool
db_writing(struct db *db)
{
	return db->write;
}

void
db_patience(struct db *db, int ms)
{
	db->patience_ms = ms;
}

unsigned
db_moment(struct db *db)
{
	return db->engine->moment(db);
}

bool
db_unchanged(struct db *db, unsigned *moment)
{
	return db->engine->unchanged(db, moment);
}

bool
db_outdated(struct db *db)
{
	return db->engine->outdated(db);
}

/* ---- running a statement ---- */

void
db_ahead(struct db *db, const struct sql *sql, size_t n, void (*bind)(struct stmt *q, size_t i, void *ctx), void *ctx)
{
	if (db->engine->ahead != NULL && n > 1 && db->open && !db->write)
		db->engine->ahead(db, sql, n, bind, ctx);
}

void
bind_str(struct stmt *q, const char *name, struct str s)
{
	q->engine->bind_bytes(q, name, s);
}

void
bind_text(struct stmt *q, const char *name, const char *s)
{
	if (s == NULL)
		q->engine->bind_null(q, name);
	else
		q->engine->bind_bytes(q, name, str_of(s));
}

void
bind_int(struct stmt *q, const char *name, int64_t n)
{
	q->engine->bind_int(q, name, n);
}

void
bind_blob(struct stmt *q, const char *name, struct str b)
{
	q->engine->bind_blob(q, name, b);
}

void
bind_null(struct stmt *q, const char *name)
{
	q->engine->bind_null(q, name);
}

void
fulltext_add(struct db *db, int64_t row, const struct str columns[DB_COLUMNS])
{
	db->engine->write_words(db, row, columns, false);
}

void
fulltext_drop(struct db *db, int64_t row, const struct str columns[DB_COLUMNS])
{
	db->engine->write_words(db, row, columns, true);
}

struct stmt *
fulltext_match(struct db *db, const char *query, struct db_match *m)
{
	return db->engine->match(db, query, m);
}

bool
stmt_step(struct stmt *q)
{
	maybe_fail(q->db);
	mapped_trim();
	return q->engine->step(q);
}

int64_t
stmt_run(struct stmt *q)
{
	while (stmt_step(q))
		;
	return q->engine->changed(q);
}

int64_t
stmt_int(struct stmt *q, int64_t fallback)
{
	int64_t n = fallback;

	if (stmt_step(q)) {
		if (!col_null(q, 0))
			n = col_int(q, 0);
		q->engine->rewind(q);
	}
	return n;
}

char *
stmt_dup(struct stmt *q, struct arena *a)
{
	char *s = NULL;

	if (stmt_step(q)) {
		s = col_dup(q, 0, a);
		q->engine->rewind(q);
	}
	return s;
}

int64_t
db_changes(struct db *db)
{
	return db->engine->changes(db);
}

int64_t
db_last_id(struct db *db)
{
	return db->engine->last_id(db);
}

bool
db_script(struct db *db, struct arena *a, const char *text, const char **error)
{
	return db->engine->script(db, a, text, error);
}

bool
db_each(struct db *db, struct arena *a, const char *text, void (*row)(void *, struct stmt *), void *ctx,
    const char **error)
{
	return db->engine->each(db, a, text, row, ctx, error);
}

void
db_each_or_fail(struct db *db, struct arena *a, const char *text, void (*row)(void *, struct stmt *), void *ctx)
{
	const char *error;

	if (!db->engine->each(db, a, text, row, ctx, &error))
		db->engine->raise(db, "ad hoc");
}
