/* Old versions of OpenAPI specifications. Contract: jobs/purge.h. */
#include "jobs/purge.h"

enum { STEP = 100 };

/*
 * Numbers of a specification rise by one, so the newest :keep are those above max - :keep. The
 * statement scans a table of a few rows for each specification.
 */
SQL(q_old,
    "SELECT v.id FROM openapi_version v WHERE v.no <= "
    "(SELECT max(x.no) FROM openapi_version x WHERE x.spec = v.spec) - :keep LIMIT 100 /*scan*/");
/*
 * A hundred at a time: one version may have tens of thousands of rows, and a request waits for
 * the write lock.
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
/* In the transaction of the version's own row, so that no version is without its documents. */
SQL(q_files, "DELETE FROM openapi_file WHERE version = :id");
/* Before the version goes, whose row says which specification it is. */
SQL(q_count,
    "UPDATE openapi_spec SET versions = versions - 1 WHERE id = (SELECT spec FROM openapi_version WHERE id = :id)");
SQL(q_version, "DELETE FROM openapi_version WHERE id = :id");

/* The number of rows that it changed. */
static int64_t
run(struct db *db, const struct sql *sql, const char *id)
{
	struct stmt *q = db_use(db, sql);

	bind_text(q, ":id", id);
	return stmt_run(q);
}

/* What it was taken apart into goes first, in short transactions; the version and its documents in one. */
static void
drop(struct db *db, const char *id)
{
	static const struct sql *const parts[] = { &q_uses, &q_operations, &q_pages, &q_schemas };
	size_t i;

	db_begin(db, true);
	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		while (run(db, parts[i], id) > 0)
			db_breathe(db);
	run(db, &q_files, id);
	run(db, &q_count, id);
	run(db, &q_version, id);
	db_commit(db);
}

void
purge_versions(struct db *db, struct arena *a, const struct settings *set)
{
	const char *ids[STEP];
	struct stmt *q;
	size_t n, i;

	do {
		db_begin(db, false);
		q = db_use(db, &q_old);
		bind_int(q, ":keep", set->openapi_versions);
		for (n = 0; n < STEP && stmt_step(q); n++)
			ids[n] = col_dup(q, 0, a);
		/* The list is read to its end before the first deletion. */
		db_rollback(db);
		for (i = 0; i < n; i++)
			drop(db, ids[i]);
		arena_reset(a);
	} while (n == STEP);
}
