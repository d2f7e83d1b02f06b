/*
 * octavo migrate --to: moves the data from octavo.db to a PostgreSQL server, or back (db/move.h).
 *
 * The old database is taken out of use while it is still held: octavo.db is renamed, and the database
 * of a server marked. So nothing that a program writes is lost, whatever runs meanwhile. Until then
 * an interruption leaves it as it was, and an empty database on the server, or a file that the next
 * attempt replaces.
 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/database.h"
#include "app/setup.h"
#include "base/str.h"
#include "cmd_data.h"
#include "cmd_move.h"
#include "command/service.h"
#include "db/move.h"

static void
show_rows(void *ctx, int64_t rows, int64_t all)
{
	(void)ctx;
	cli_progress("copying rows", rows, all);
}

static bool
is_server(const char *to)
{
	return str_starts(str_of(to), "postgresql://") || str_starts(str_of(to), "postgres://");
}

static int
print_moved(struct cli *c, const struct db_move *m, const char *next)
{
	struct json *j;

	cli_progress_end();
	if (!c->json) {
		printf("%" PRId64 " rows of %" PRId64 " tables were copied, and are equal\n%s\n", m->rows, m->tables, next);
		return CLI_OK;
	}
	j = cli_json(c);
	json_obj(j);
	json_kint(j, "tables", m->tables);
	json_kint(j, "rows", m->rows);
	json_end(j);
	cli_json_print(c);
	return CLI_OK;
}

/* SQLite leaves the log beside a file that was renamed while it was open, and would read it into the next octavo.db. */
static void
rename_log(struct cli *c, const char *from, const char *to)
{
	rename(arena_printf(c->arena, "%s-wal", from), arena_printf(c->arena, "%s-wal", to));
	unlink(arena_printf(c->arena, "%s-shm", from));
}

/* Closes the new database, puts the file in place or away, and lets go of the old database. NULL, or an error. */
static const char *
end_move(struct cli *c, struct db_move *m, bool copied, const char *from, const char *to)
{
	const char *error = NULL, *ignored;
	bool moved;

	db_close(m->to);
	moved = copied && rename(from, to) == 0;
	if (copied && !moved)
		error = arena_printf(c->arena, "%s: %s", from, strerror(errno));
	if (!db_move_end(m, c->arena, moved, moved ? &error : &ignored) && moved)
		error = arena_printf(c->arena, "the data is copied, but the server's database could not be marked (%s): do not use it any more", error);
	if (moved && db_has_file(m->from))
		rename_log(c, from, to);
	db_close(m->from);
	return error;
}

static int
run_move(struct cli *c, struct db_move *m, const char *from, const char *to, const char *next)
{
	const char *error = NULL, *lost;
	bool copied = db_move(m, c->arena, &error);

	lost = end_move(c, m, copied, from, to);
	cli_progress_end();
	if (!copied)
		return cli_fail(c, "%s. Nothing was moved", error);
	if (lost != NULL)
		return cli_fail(c, "%s", lost);
	return print_moved(c, m, next);
}

static int
move_to_server(struct cli *c, const char *server)
{
	struct db_move m = { .tick = show_rows };
	const char *file = arena_printf(c->arena, "%s/octavo.db", c->dir), *error = NULL;
	const char *kept = arena_printf(c->arena, "%s.moved", file);
	struct holder who[1];

	if (!database_is_file())
		return cli_fail(c, "the data is on a PostgreSQL server already (OCTAVO_DB)");
	if (service_holders(c->arena, c->dir, who, 1) > 0)
		return cli_fail(c, "process %d has the database open; stop all programs first: octavo down, or "
		    "systemctl stop octavo-api.socket octavo-site.socket octavo-api octavo-site octavo-jobs", (int)who[0].pid);
	if (access(kept, F_OK) == 0)
		return cli_fail(c, "%s exists; it is from an earlier move: delete it, or move it elsewhere", kept);
	if (setup_unfinished(c->arena, c->dir))
		return cli_fail(c, "octavo init has begun in %s, and made no organization yet", c->dir);
	if ((m.from = data_open(c, DB_READ_WRITE)) == NULL)
		return CLI_FAILED;
	/* So that the file alone has everything when it is renamed. */
	if (!db_truncate_wal(m.from, c->arena, &error) || (m.to = database_open_server(c->arena, c->dir, server, &error)) == NULL) {
		db_close(m.from);
		return cli_fail(c, "%s", error);
	}
	return run_move(c, &m, file, kept,
	    "octavo.db is now octavo.db.moved. Set OCTAVO_DB for all programs and start them; jobs make the search index anew");
}

static int
move_to_file(struct cli *c)
{
	struct db_move m = { .tick = show_rows };
	const char *file = arena_printf(c->arena, "%s/octavo.db", c->dir), *error = NULL;
	const char *made = arena_printf(c->arena, "%s.moving", file);
	int status;

	if (database_is_file())
		return cli_fail(c, "OCTAVO_DB names no server to move the data from");
	if (access(file, F_OK) == 0 || access(arena_printf(c->arena, "%s-wal", file), F_OK) == 0)
		return cli_fail(c, "%s, or its log, exists", file);
	if ((m.from = data_open(c, DB_READ_WRITE)) == NULL)
		return CLI_FAILED;
	/* What an interrupted attempt has left. */
	unlink(made);
	unlink(arena_printf(c->arena, "%s-wal", made));
	unlink(arena_printf(c->arena, "%s-shm", made));
	if ((m.to = db_open(c->arena, made, DB_CREATE, NULL, &error)) == NULL) {
		db_close(m.from);
		return cli_fail(c, "%s", error);
	}
	status = run_move(c, &m, made, file, "Unset OCTAVO_DB for all programs and start them; jobs make the search index anew");
	setup_modes(c->arena, c->dir);
	return status;
}

int
move_data(struct cli *c, const char *to)
{
	char wanted[PATH_MAX], have[PATH_MAX];

	if (is_server(to))
		return move_to_server(c, to);
	if (realpath(cli_path(c->arena, to), wanted) == NULL || realpath(c->dir, have) == NULL || strcmp(wanted, have) != 0)
		return cli_usage(c, "--to takes postgresql://…, or the data directory %s, which has the files", c->dir);
	return move_to_file(c);
}
