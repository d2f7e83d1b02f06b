/* Opens the database of an installation. Contract: database.h. */
#include "app/database.h"

#include <stdlib.h>
#include <string.h>

static const char *
server_address(void)
{
	const char *s = getenv("OCTAVO_DB");

	return s == NULL ? "" : s;
}

bool
database_is_file(void)
{
	return *server_address() == '\0';
}

bool
database_is_shared(void)
{
	const char *machines = getenv("OCTAVO_MACHINES");

	return !database_is_file() && (machines == NULL || strcmp(machines, "1") != 0);
}

static const char *
refuse_server(const char *server)
{
	const char *allowed = getenv("OCTAVO_EXPERIMENTAL_POSTGRES");
	struct str s = str_of(server);

	if (!str_starts(s, "postgresql://") && !str_starts(s, "postgres://"))
		return "OCTAVO_DB is no address of a PostgreSQL server (postgresql://…)";
	if (allowed == NULL || strcmp(allowed, "1") != 0)
		return "PostgreSQL is an experiment and not for data that matters; OCTAVO_EXPERIMENTAL_POSTGRES=1 permits it";
	return NULL;
}

struct db *
database_open(struct arena *a, const char *dir, enum db_mode mode, const struct db_options *options, const char **error)
{
	struct db_options o = { 0 };

	if (database_is_file())
		return db_open(a, arena_printf(a, "%s/octavo.db", dir), mode, options, error);
	if ((*error = refuse_server(server_address())) != NULL)
		return NULL;
	if (options != NULL)
		o = *options;
	o.dir = arena_strdup(a, dir);
	return db_open(a, server_address(), mode, &o, error);
}

struct db *
database_open_server(struct arena *a, const char *dir, const char *server, const char **error)
{
	struct db_options o = { .dir = arena_strdup(a, dir) };

	*error = refuse_server(server);
	return *error != NULL ? NULL : db_open(a, server, DB_ANY_VERSION, &o, error);
}
