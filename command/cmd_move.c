/*
 * octavo migrate --to: moves the data from octavo.db to a PostgreSQL server, or back (db/move.h).
 *
 * The old database is taken out of use while it is still held, and the new one is opened for programs
 * after that: octavo.db is renamed, and the database of a server marked. So nothing that a program writes
 * is lost, whatever runs meanwhile. The command that is repeated after an interruption ends the move if
 * the old database is out of use, and else begins again.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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

/* ---- files ---- */

/* SQLite leaves the log beside a file that was renamed while it was open, and would read it into the next octavo.db. */
static void
rename_log(struct cli *c, const char *from, const char *to)
{
	rename(arena_printf(c->arena, "%s-wal", from), arena_printf(c->arena, "%s-wal", to));
	unlink(arena_printf(c->arena, "%s-shm", from));
}

/* The same after the file was renamed, and another one if it was written. */
static const char *
mark_of(struct cli *c, const char *path)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return "";
	return arena_printf(c->arena, "%llu %lld %lld %09ld", (unsigned long long)st.st_ino, (long long)st.st_size,
	    (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
}

static bool
sync_folder(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool synced = fd >= 0 && fsync(fd) == 0;

	if (fd >= 0)
		close(fd);
	return synced;
}

/* Also the name is on the disk when it returns. NULL, or an error. */
static const char *
rename_database(struct cli *c, const char *from, const char *to)
{
	if (rename(from, to) != 0)
		return arena_printf(c->arena, "%s: %s", from, strerror(errno));
	rename_log(c, from, to);
	return sync_folder(c->dir) ? NULL : arena_printf(c->arena, "%s: %s", c->dir, strerror(errno));
}

static bool
exists(const char *path)
{
	return access(path, F_OK) == 0;
}

static int
print_ended(struct cli *c, const char *next)
{
	struct json *j;

	if (!c->json) {
		printf("the move was interrupted when all rows were copied; it is complete now\n%s\n", next);
		return CLI_OK;
	}
	j = cli_json(c);
	json_obj(j);
	json_kbool(j, "interrupted", true);
	json_end(j);
	cli_json_print(c);
	return CLI_OK;
}

/* ---- to a server ---- */

static const char to_server[] = "octavo.db is now octavo.db.moved. Set OCTAVO_DB for all programs and start them; jobs make the "
    "search index anew";
#define UNOPENED "all rows are copied, and no program opens them yet (%s): repeat the command"

/* NULL, or an error. */
static const char *
move_file(struct cli *c, struct db_move *m, const char *file, const char *kept)
{
	const char *error = NULL, *ignored;
	bool copied;

	m->mark = mark_of(c, file);
	copied = db_move(m, c->arena, &error);
	if (!copied)
		error = arena_printf(c->arena, "%s. Nothing was moved", error);
	else if ((error = rename_database(c, file, kept)) != NULL)
		error = arena_printf(c->arena, UNOPENED, error);
	db_move_end(m, c->arena, false, &ignored);
	db_close(m->from);
	if (error == NULL && !db_move_open(m->to, c->arena, &error))
		error = arena_printf(c->arena, UNOPENED, error);
	db_close(m->to);
	cli_progress_end();
	return error;
}

/* Opens both databases, and moves. */
static const char *
open_and_move(struct cli *c, struct db_move *m, const char *server, const char *kept)
{
	const char *file = arena_printf(c->arena, "%s/octavo.db", c->dir), *error = NULL;

	if ((m->from = db_open(c->arena, file, DB_READ_WRITE, NULL, &error)) == NULL)
		return error;
	/* So that the file alone has everything when it is renamed. */
	if (db_truncate_wal(m->from, c->arena, &error) && (m->to = database_open_server(c->arena, c->dir, server, &error)) != NULL)
		return move_file(c, m, file, kept);
	db_close(m->from);
	return error;
}

/*
 * True if an earlier move of the file octavo.db.moved was interrupted; then ends it, or sets *error. False with
 * *error: the server cannot be opened, so it is not known whether octavo.db.moved is the only complete copy.
 */
static bool
ends_earlier_move(struct cli *c, const char *server, const char *kept, const char **error)
{
	const char *file = arena_printf(c->arena, "%s/octavo.db", c->dir), *mark;
	struct db *to;
	bool ours;

	if (exists(file) || !exists(kept) || (to = database_open_server(c->arena, c->dir, server, error)) == NULL)
		return false;
	mark = db_move_mark(to, c->arena, DB_MOVE_TO);
	ours = mark != NULL && strcmp(mark, mark_of(c, kept)) == 0;
	*error = NULL;
	if (ours) {
		rename_log(c, file, kept);
		db_move_open(to, c->arena, error);
	}
	db_close(to);
	return ours;
}

static int
move_to_server(struct cli *c, const char *server)
{
	struct db_move m = { .tick = show_rows };
	const char *file = arena_printf(c->arena, "%s/octavo.db", c->dir), *error = NULL;
	const char *kept = arena_printf(c->arena, "%s.moved", file);
	struct holder who[1];
	struct db *db;

	if (!database_is_file())
		return cli_fail(c, "the data is on a PostgreSQL server already (OCTAVO_DB)");
	if (service_holders(c->arena, c->dir, who, 1) > 0)
		return cli_fail(c, "process %d has the database open; stop all programs first: octavo down, or "
		    "systemctl stop octavo-api.socket octavo-site.socket octavo-api octavo-site octavo-jobs", (int)who[0].pid);
	if (ends_earlier_move(c, server, kept, &error))
		return error == NULL ? print_ended(c, to_server) : cli_fail(c, UNOPENED, error);
	if (error != NULL)
		return cli_fail(c, "%s. Do not delete %s: it may be all that there is", error, kept);
	if (exists(kept))
		return cli_fail(c, "%s exists; it is from an earlier move: delete it, or move it elsewhere", kept);
	if (setup_unfinished(c->arena, c->dir))
		return cli_fail(c, "octavo init has begun in %s, and made no organization yet", c->dir);
	/* For its messages. */
	if ((db = data_open(c, DB_READ_WRITE)) == NULL)
		return CLI_FAILED;
	db_close(db);
	if ((error = open_and_move(c, &m, server, kept)) != NULL)
		return cli_fail(c, "%s", error);
	return print_moved(c, &m, to_server);
}

/* ---- from a server ---- */

static const char to_file[] = "Unset OCTAVO_DB for all programs and start them; jobs make the search index anew";

/* NULL, or an error. */
static const char *
move_server(struct cli *c, struct db_move *m, const char *made, const char *file)
{
	const char *error = NULL, *ignored;
	bool copied = db_move(m, c->arena, &error) && db_truncate_wal(m->to, c->arena, &error), closed = false;

	db_close(m->to);
	m->mark = mark_of(c, made);
	if (!copied)
		db_move_end(m, c->arena, false, &ignored);
	else
		closed = db_move_end(m, c->arena, true, &error);
	db_close(m->from);
	cli_progress_end();
	if (!copied)
		return arena_printf(c->arena, "%s. Nothing was moved", error);
	if (!closed || (error = rename_database(c, made, file)) != NULL)
		return arena_printf(c->arena, "all rows are copied, and the move is not complete (%s): repeat the command", error);
	return NULL;
}

/*
 * 1: an earlier move was interrupted after the server's database was closed, and its file `made` was put in
 * place; 0: there was none; -1: the server cannot be opened, or the file not renamed.
 */
static int
end_earlier_return(struct cli *c, const char *made, const char *file)
{
	struct db *from = data_open(c, DB_ANY_VERSION);
	const char *mark, *error = NULL;
	int rc = 0;

	if (from == NULL)
		return -1;
	mark = db_move_mark(from, c->arena, DB_MOVE_FROM);
	if (mark != NULL && strcmp(mark, mark_of(c, made)) == 0)
		rc = (error = rename_database(c, made, file)) == NULL ? 1 : -1;
	db_close(from);
	if (error != NULL)
		cli_fail(c, "%s", error);
	return rc;
}

static int
move_to_file(struct cli *c)
{
	struct db_move m = { .tick = show_rows };
	const char *file = arena_printf(c->arena, "%s/octavo.db", c->dir), *error = NULL;
	const char *made = arena_printf(c->arena, "%s.moving", file);
	int earlier;

	if (database_is_file())
		return cli_fail(c, "OCTAVO_DB names no server to move the data from");
	if (exists(file) || exists(arena_printf(c->arena, "%s-wal", file)))
		return cli_fail(c, "%s, or its log, exists", file);
	if ((earlier = end_earlier_return(c, made, file)) != 0) {
		setup_modes(c->arena, c->dir);
		return earlier > 0 ? print_ended(c, to_file) : CLI_FAILED;
	}
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
	error = move_server(c, &m, made, file);
	setup_modes(c->arena, c->dir);
	return error != NULL ? cli_fail(c, "%s", error) : print_moved(c, &m, to_file);
}

/* ---- backups ---- */

const char *
move_check_empty(struct cli *c)
{
	const char *error = NULL;
	struct db *db = database_open_server(c->arena, c->dir, getenv("OCTAVO_DB"), &error);

	if (db == NULL)
		return error;
	if (db_version(db) != 0 && db_move_mark(db, c->arena, DB_MOVE_TO) == NULL)
		error = "the database that OCTAVO_DB names is not empty";
	db_close(db);
	return error;
}

const char *
move_restored(struct cli *c)
{
	struct db_move m = { .tick = show_rows };
	const char *kept = arena_printf(c->arena, "%s/octavo.db.moved", c->dir);
	const char *error = open_and_move(c, &m, getenv("OCTAVO_DB"), kept);

	if (error == NULL) {
		unlink(kept);
		unlink(arena_printf(c->arena, "%s-wal", kept));
	}
	return error;
}

/* ---- the command ---- */

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
