/* Old versions of OpenAPI specifications. Contract: jobs/purge.h. */
#include "jobs/purge.h"
#include "base/json.h"

enum { STEP = 100 };

/*
 * Numbers of a specification rise by one, so the newest :keep versions are those above max - :keep.
 * The statement scans a table with a few rows for each specification.
 */
SQL(q_old,
    "SELECT v.id FROM openapi_version v WHERE v.shown = 1 AND v.no <= "
    "(SELECT max(x.no) FROM openapi_version x WHERE x.spec = v.spec AND x.shown = 1) - :keep LIMIT 100 /*scan*/");
/*
 * Versions of one specification that were never shown, or of any, orphaned long ago by an
 * interrupted run.
 */
SQL(q_left, "SELECT id FROM openapi_version WHERE spec = :spec AND shown = 0 LIMIT 100");
SQL(q_forgotten, "SELECT id FROM openapi_version WHERE shown = 0 AND created_at < :before LIMIT 100 /*scan*/");
/*
 * A hundred at a time: a version may have tens of thousands of rows, and requests wait for the
 * write lock.
 */
SQL(q_uses,
    "DELETE FROM openapi_page_operation WHERE version = :id AND (page, operation) IN "
    "(SELECT page, operation FROM openapi_page_operation WHERE version = :id LIMIT 100)");
SQL(q_operations,
    "DELETE FROM openapi_operation WHERE version = :id AND no IN "
    "(SELECT no FROM openapi_operation WHERE version = :id LIMIT 100)");
SQL(q_pages,
    "DELETE FROM openapi_page WHERE version = :id AND no IN "
    "(SELECT no FROM openapi_page WHERE version = :id LIMIT 100)");
SQL(q_schemas,
    "DELETE FROM openapi_schema WHERE version = :id AND name IN "
    "(SELECT name FROM openapi_schema WHERE version = :id LIMIT 100)");
/* In the transaction that deletes the version's own row, so that no version lacks its documents. */
SQL(q_files, "DELETE FROM openapi_file WHERE version = :id");
/* This runs before the version is deleted, because its row names the specification. */
SQL(q_count,
    "UPDATE openapi_spec SET versions = versions - 1 "
    "WHERE id = (SELECT spec FROM openapi_version WHERE id = :id AND shown = 1)");
SQL(q_version, "DELETE FROM openapi_version WHERE id = :id");

/* Returns the number of rows that the statement changed. */
static int64_t
run_for(struct db *db, const struct sql *sql, const char *id)
{
	struct stmt *q = db_use(db, sql);

	bind_text(q, ":id", id);
	return stmt_run(q);
}

/*
 * Deletes its pages and operations first, in short transactions; then the version and its documents
 * in one.
 */
static void
drop_version(struct db *db, const char *id)
{
	static const struct sql *const parts[] = { &q_uses, &q_operations, &q_pages, &q_schemas };
	size_t i;

	db_begin(db, true);
	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		while (run_for(db, parts[i], id) > 0)
			db_breathe(db);
	run_for(db, &q_files, id);
	run_for(db, &q_count, id);
	run_for(db, &q_version, id);
	db_commit(db);
}

/*
 * Drops up to STEP versions that the statement lists and returns their number. q has its parameters
 * bound.
 */
static size_t
drop_listed(struct db *db, struct arena *a, struct stmt *q)
{
	const char *ids[STEP];
	size_t n, i;

	for (n = 0; n < STEP && stmt_step(q); n++)
		ids[n] = col_dup(q, 0, a);
	/* The list is read to its end before the first deletion. */
	db_rollback(db);
	for (i = 0; i < n; i++)
		drop_version(db, ids[i]);
	return n;
}

void
versions_sweep(struct db *db, struct arena *a, const char *spec)
{
	struct stmt *q;

	do {
		db_begin(db, false);
		q = db_use(db, &q_left);
		bind_text(q, ":spec", spec);
	} while (drop_listed(db, a, q) == STEP);
}

void
purge_versions(struct db *db, struct arena *a, const struct settings *set)
{
	/* No run takes longer than this (OCTAVO_FETCH_SECONDS, and the writing). */
	enum { FORGOTTEN_MS = 7 * 24 * 3600 * 1000 };
	struct stmt *q;
	size_t n;

	do {
		db_begin(db, false);
		q = db_use(db, &q_old);
		bind_int(q, ":keep", set->openapi_versions);
		n = drop_listed(db, a, q);
		arena_reset(a);
	} while (n == STEP);
	do {
		db_begin(db, false);
		q = db_use(db, &q_forgotten);
		bind_int(q, ":before", time_now() - FORGOTTEN_MS);
		n = drop_listed(db, a, q);
		arena_reset(a);
	} while (n == STEP);
}
