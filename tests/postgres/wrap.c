/*
 * Unit tests over PostgreSQL: linked in front of db_open() (--wrap), it opens a schema of the server
 * OCTAVO_TEST_DB in place of the file octavo.db of a test's folder. The name of the schema is the
 * folder's, so that all connections to one path read the same data.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/secret.h"
#include "db/db.h"

struct db *__real_db_open(struct arena *a, const char *path, enum db_mode mode, const struct db_options *o, const char **error);
struct db *__wrap_db_open(struct arena *a, const char *path, enum db_mode mode, const struct db_options *o, const char **error);

static char *
schema_of(struct arena *a, const char *path)
{
	unsigned char hash[HASH_BYTES];
	char *name = arena_alloc(a, 40);
	int i;

	hash_bytes(str_of(path), hash);
	for (i = 0; i < 12; i++)
		snprintf(name + 1 + 2 * i, 3, "%02x", hash[i]);
	name[0] = 't';
	return name;
}

struct db *
__wrap_db_open(struct arena *a, const char *path, enum db_mode mode, const struct db_options *o, const char **error)
{
	const char *server = getenv("OCTAVO_TEST_DB"), *slash = strrchr(path, '/'), *ignored;
	struct db_options options = { 0 };
	char *schema;
	struct db *db;

	if (server == NULL || slash == NULL || strstr(path, "://") != NULL)
		return __real_db_open(a, path, mode, o, error);
	schema = schema_of(a, path);
	if (o != NULL)
		options = *o;
	options.dir = arena_strndup(a, path, (size_t)(slash - path));
	if (mode != DB_READ_WRITE && (db = __real_db_open(a, server, DB_ANY_VERSION, NULL, error)) != NULL) {
		db_script(db, a, arena_printf(a, "CREATE SCHEMA IF NOT EXISTS %s", schema), &ignored);
		db_close(db);
	}
	return __real_db_open(a, arena_printf(a, "%s&options=-csearch_path%%3D%s,public", server, schema), mode, &options, error);
}
