/*
 * octavo migrate: brings the database to this program's schema. Programs older than the check for
 * schema changes would take jobs that they do not understand, so no other program may have the
 * database open. The database is copied before the first step.
 *
 * --stop ends programs whose file was replaced since they were started. Their supervisor
 * (multiwatch, systemd, `octavo up`, the pool of a shared host) then starts the new ones. These
 * wait with the database closed until it has their schema (app/ready.h), so that no request is
 * lost.
 */
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/installation.h"
#include "app/setup.h"
#include "cmd_data.h"
#include "cmd_move.h"
#include "command/service.h"

/*
 * HOLDER_WAIT_MS: a program that waits for its schema opens the file briefly to read its version.
 * LAST_REQUEST_MS: same limit as in the systemd units. NUDGE_MS: interval for repeating the signal,
 * since one that arrives just before accept() does not wake a worker.
 */
enum { HOLDERS = 64, HOLDER_WAIT_MS = 3000, LAST_REQUEST_MS = 90000, NUDGE_MS = 1000, LOOK_MS = 50 };

/* Returns the other programs that have the database open, as text for a message; NULL: none. */
static const char *
list_holders(struct cli *c)
{
	struct holder who[HOLDERS];
	size_t n = service_holders(c->arena, c->dir, who, HOLDERS);
	const char *list = NULL, *one;

	for (size_t i = 0; i < n; i++) {
		one = *who[i].name == '\0' ? arena_printf(c->arena, "process %d", who[i].pid) :
		    arena_printf(c->arena, "%s (%d)", who[i].name, who[i].pid);
		list = list == NULL ? one : arena_printf(c->arena, "%s, %s", list, one);
	}
	return list;
}

/* As list_holders(), after a short wait for programs that close the database on their own. */
static const char *
wait_for_holders(struct cli *c)
{
	int64_t end = time_steady() + HOLDER_WAIT_MS;
	const char *who;

	while ((who = list_holders(c)) != NULL && time_steady() < end)
		service_sleep(LOOK_MS);
	return who;
}

/*
 * True if the program's file was replaced since the process was started: /proc/PID/exe then names a
 * deleted file (proc(5)). A link that cannot be read belongs to another user's process.
 */
static bool
was_replaced(struct cli *c, pid_t pid)
{
	static const char gone[] = " (deleted)";
	const size_t length = sizeof(gone) - 1;
	char path[PATH_MAX];
	ssize_t n = readlink(arena_printf(c->arena, "/proc/%d/exe", pid), path, sizeof(path));

	return n >= (ssize_t)length && memcmp(path + (size_t)n - length, gone, length) == 0;
}

/* Sends SIGTERM to the replaced programs that have the database open. Returns their number. */
static size_t
end_replaced(struct cli *c)
{
	struct holder who[HOLDERS];
	size_t n = HOLDERS, ended = 0;

	service_foreign(c->arena, c->dir, who, &n);
	for (size_t i = 0; i < n; i++)
		if (was_replaced(c, who[i].pid) && kill(who[i].pid, SIGTERM) == 0)
			ended++;
	return ended;
}

/* Ends the replaced programs, and waits until they have answered their current requests. */
static void
replace_programs(struct cli *c)
{
	int64_t end = time_steady() + LAST_REQUEST_MS, nudge;

	while (time_steady() < end && end_replaced(c) > 0)
		for (nudge = time_steady() + NUDGE_MS; list_holders(c) != NULL && time_steady() < nudge; )
			service_sleep(LOOK_MS);
}

/*
 * Stops the service of `octavo up` if its programs were not replaced. Returns 0, or the exit status
 * after printing an error.
 */
static int
stop_service(struct cli *c)
{
	struct service s = { .arena = c->arena, .dir = c->dir };
	bool was_running;
	const char *problem = service_down(&s, &was_running);

	if (problem != NULL)
		return cli_fail(c, "%s", problem);
	if (was_running)
		cli_say(c, "Stopped what `octavo up` had started; start it again with: octavo up --dir %s",
		    cli_quoted(c->arena, c->dir));
	return CLI_OK;
}

/*
 * Checks that no other program has the database open. Returns 0, or the exit status after printing
 * an error.
 */
static int
check_alone(struct cli *c)
{
	const char *who;
	int rc;

	if (cli_flag(c, "stop"))
		replace_programs(c);
	who = wait_for_holders(c);
	if (who != NULL && cli_flag(c, "stop")) {
		if ((rc = stop_service(c)) != CLI_OK)
			return rc;
		who = list_holders(c);
	}
	if (who == NULL)
		return CLI_OK;
	return cli_fail(c, "the database is in use by %s. Install the new programs, then run octavo migrate --stop: it "
	    "ends those whose file was replaced, and the new ones wait for the database. Others are ended by who "
	    "started them (systemctl stop octavo-api.socket octavo-site.socket octavo-api octavo-site octavo-jobs). Nothing was changed", who);
}

static int
print_report(struct cli *c, int steps, const char *backup)
{
	struct json *j;

	if (!c->json) {
		printf("schema version %d, %d steps taken\n", db_latest(), steps);
		if (backup != NULL)
			printf("the database as it was is %s; delete it when all is well\n", backup);
		return CLI_OK;
	}
	j = cli_json(c);
	json_obj(j);
	json_kint(j, "steps", steps);
	json_kint(j, "version", db_latest());
	if (backup != NULL)
		json_kstr(j, "backup", backup);
	json_end(j);
	cli_json_print(c);
	return CLI_OK;
}

/* Prints what migrate would do. */
static int
print_plan(struct cli *c, int have)
{
	struct json *j = c->json ? cli_json(c) : NULL;
	const char *who = have < db_latest() ? list_holders(c) : NULL;
	int v;

	if (j != NULL) {
		json_obj(j);
		json_kint(j, "from", have);
		json_kint(j, "to", db_latest());
		json_karr(j, "steps");
	} else
		printf("schema version %d, this program has %d\n", have, db_latest());
	for (v = have + 1; v <= db_latest(); v++)
		if (j != NULL)
			json_str(j, db_step_name(v));
		else
			printf("would take step %d: %s\n", v, db_step_name(v));
	if (j == NULL && who != NULL)
		printf("not while the database is in use by %s\n", who);
	if (j != NULL) {
		json_end(j);
		if (who != NULL)
			json_kstr(j, "inUseBy", who);
		json_end(j);
		cli_json_print(c);
	}
	return CLI_OK;
}

static void
show_progress(void *ctx, int64_t done, int64_t total)
{
	(void)ctx;
	cli_progress("copying the database", done, total);
}

/*
 * Copies the database, then runs the migration steps. Returns their number, or -1 after printing an
 * error.
 */
static int
take_steps(struct cli *c, struct db *db, const char *backup)
{
	const char *error = NULL;
	int steps;

	if (backup != NULL) {
		/*
		 * Replace the copy that an earlier attempt left for this version: the database has
		 * not changed since.
		 */
		unlink(backup);
		if (!db_copy(db, c->arena, backup, show_progress, NULL, &error)) {
			unlink(backup);
			cli_fail(c, "the database could not be copied first (--no-backup does without): %s", error);
			return -1;
		}
		cli_progress_end();
	}
	if ((steps = db_migrate(db, c->arena, &error)) < 0)
		cli_fail(c, "%s", error);
	else if ((error = installation_take_key(db, c->arena, c->dir, true)) != NULL)
		cli_fail(c, "%s", error);
	return error == NULL ? steps : -1;
}

static int
run_migrate(struct cli *c)
{
	const char *backup = NULL, *lost;
	int have, rc, steps;
	struct db *db;

	if (cli_option(c, "to") != NULL)
		return move_data(c, cli_option(c, "to"));
	if ((db = data_open(c, DB_ANY_VERSION)) == NULL)
		return CLI_FAILED;
	have = db_version(db);
	/*
	 * Close first: list_holders() opens and closes the file, which would drop this process's
	 * locks on it (sqlite.org/howtocorrupt.html section 2.2).
	 */
	db_close(db);
	if (have > db_latest())
		return cli_fail(c, "the database was written by a newer Octavo");
	if (have < 0)
		return cli_fail(c, "octavo.db is not a database, or it is damaged: octavo check --dir %s",
		    cli_quoted(c->arena, c->dir));
	/* The steps of octavo init would continue during the migration, and its empty database would be kept as a backup. */
	if (setup_unfinished(c->arena, c->dir))
		return cli_fail(c, "octavo init has begun in %s, and made no organization yet: wait for it, or repeat it", c->dir);
	if (cli_flag(c, "dry-run"))
		return print_plan(c, have);
	setup_modes(c->arena, c->dir);
	if (have == db_latest())
		return print_report(c, 0, NULL);
	if ((rc = check_alone(c)) != CLI_OK)
		return rc;
	/*
	 * Otherwise the migrated empty database would look like the installation, and its backups
	 * would replace the good ones.
	 */
	if ((lost = setup_lost(c->arena, c->dir)) != NULL)
		return cli_fail(c, "%s", lost);
	if ((db = data_open(c, DB_ANY_VERSION)) == NULL)
		return CLI_FAILED;
	if (!cli_flag(c, "no-backup"))
		backup = arena_printf(c->arena, "%s/octavo.db.schema-%d", c->dir, have);
	steps = take_steps(c, db, backup);
	db_close(db);
	return steps < 0 ? CLI_FAILED : print_report(c, steps, backup);
}

const struct cli_command commands_migrate[] = {
	{ .name = "migrate", .needs_dir = true, .run = run_migrate,
	  .summary = "Bring the database to this program's schema, or move it to or from a server",
	  .options = (const struct cli_option[]){
		{ .name = "dry-run", .help = "say what would be done" },
		{ .name = "stop", .help = "end the programs that were replaced; the new ones wait" },
		{ .name = "no-backup", .help = "do not copy the database first" },
		{ .name = "to", .arg = "ADDRESS", .help = "an experiment: move the data to this PostgreSQL server, or from OCTAVO_DB to this data directory" },
		{ 0 } },
	  .details = "Does nothing while other programs have the database open. With --stop: install the new programs first,\n"
	    "then run this command. It ends the old programs after their current requests; new requests wait until\n"
	    "the database is ready. It also stops a service of `octavo up` whose programs were not replaced. A copy\n"
	    "of the database before the migration is kept beside it as octavo.db.schema-N.\n"
	    "--to ADDRESS copies all rows to an empty database on a PostgreSQL server, compares each with its copy,\n"
	    "and renames octavo.db to octavo.db.moved. --to DIR copies them from the server that OCTAVO_DB names\n"
	    "back to octavo.db. Files stay in DIR. It can be repeated if it was interrupted.",
	  .examples = "octavo migrate --dir /var/lib/octavo --dry-run\noctavo migrate --dir data --stop\n"
	    "octavo migrate --dir data --to postgresql://octavo@localhost/octavo\noctavo migrate --dir data --to data" },
	{ 0 }
};
