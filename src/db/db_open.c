/* Opens and closes a database, and calls the engine for its upkeep. Contract: db/db.h. */
#include "db_engine.h"
#include "db_parts.h"

static bool
is_address(const char *path)
{
	return str_starts(str_of(path), "postgresql://") || str_starts(str_of(path), "postgres://");
}

struct db *
db_open(struct arena *a, const char *path, enum db_mode mode, const struct db_options *o, const char **error)
{
	return (is_address(path) ? &db_postgres : &db_sqlite)->open(a, path, mode, o, error);
}

void
db_close(struct db *db)
{
	if (db == NULL)
		return;
	db_forget(db);
	db_long_close(db);
	db->engine->close(db);
}

bool
db_has_file(const struct db *db)
{
	return db->engine->has_file;
}

const char *
db_qualifier(const struct db *db)
{
	return db->qualifier;
}

void
db_forget_pages(struct db *db)
{
	db->engine->forget_pages(db);
}

void
db_checkpoint(struct db *db)
{
	db->engine->checkpoint(db);
}

bool
db_truncate_wal(struct db *db, struct arena *a, const char **error)
{
	return db->engine->truncate_log(db, a, error);
}
