/*
 * Migrations: schema/NNNN_name.sql, built into the program by tools/embed.sh. The version of a
 * database is the number of migrations that were applied to it.
 */
#include "db_engine.h"
#include "db_parts.h"

/* Made by tools/embed.sh: the array migrations[], in the order of their numbers. */
#include "schema.h"

int
db_latest(void)
{
	return (int)(sizeof(migrations) / sizeof(migrations[0]));
}

const char *
db_step_name(int version)
{
	return migrations[version - 1].name;
}

int
db_version(struct db *db)
{
	return db->engine->version(db);
}

const char *
db_check_version(struct db *db, struct arena *a, enum db_mode mode)
{
	int have = db_version(db);
	const char *error = NULL;

	/* doctor, migrate and salvage open a database of any version. */
	if (mode == DB_ANY_VERSION)
		return NULL;
	if (have > db_latest())
		return arena_printf(a, "the database has schema version %d, this program knows %d: "
		    "a newer Octavo wrote it. Install the programs of that version, or restore a backup that this "
		    "version made", have, db_latest());
	if (have == db_latest())
		return NULL;
	if (have < 0)
		return db->engine->has_file ? "octavo.db is not a database, or it is damaged" :
		    "the database cannot be read, or octavo migrate --to has moved the data away from this server";
	if (mode == DB_READ_WRITE && have == 0)
		return "octavo.db is empty: restore a backup (octavo doctor says how)";
	if (mode == DB_READ_WRITE)
		return arena_printf(a, "the database has schema version %d, this program knows %d: "
		    "run octavo migrate --stop", have, db_latest());
	return db_migrate(db, a, &error) < 0 ? error : NULL;
}

static int
migrate_all(struct db *db, struct arena *a, int latest, const char **error)
{
	int steps = 0, version;

	while ((version = db_version(db)) < latest) {
		if (version < 0) {
			*error = "the file is not a database, or it is damaged";
			return -1;
		}
		if (!db->engine->migrate_one(db, a, version, &migrations[version], error))
			return -1;
		steps++;
	}
	return steps;
}

int
db_migrate(struct db *db, struct arena *a, const char **error)
{
	return db_migrate_to(db, a, db_latest(), error);
}

int
db_migrate_to(struct db *db, struct arena *a, int version, const char **error)
{
	const char *ignored;
	int steps;

	if (!db->engine->migrating(db, a, true, version, error))
		return -1;
	steps = migrate_all(db, a, version, error);
	return db->engine->migrating(db, a, false, version, steps < 0 ? &ignored : error) ? steps : -1;
}
