/*
 * octavo migrate. Programs that were installed before they could notice another schema
 * take jobs that they do not understand: nobody else may have the database open. The
 * database is copied before the first step.
 */
#include <stdio.h>
#include <unistd.h>

#include "cmd_data.h"
#include "command/service.h"

enum { HOLDERS = 64 };

/* Who else has the database open, as words; NULL: nobody. */
static const char *
holders(struct cli *c)
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

/* 0, or the exit status after a complaint. */
static int
alone(struct cli *c)
{
	struct service s = { .arena = c->arena, .dir = c->dir };
	const char *who = holders(c), *problem;
	bool was_running;

	if (who != NULL && cli_flag(c, "stop")) {
		if ((problem = service_down(&s, &was_running)) != NULL)
			return cli_fail(c, "%s", problem);
		if (was_running)
			cli_say(c, "Stopped what `octavo up` had started; start it again with: octavo up --dir %s",
			    cli_quoted(c->arena, c->dir));
		who = holders(c);
	}
	if (who == NULL)
		return CLI_OK;
	return cli_fail(c, "the database is in use by %s. Stop all programs first: with --stop, where `octavo up` "
	    "started them; else with systemctl stop octavo-api octavo-site octavo-jobs. Nothing was changed", who);
}

static int
report(struct cli *c, int steps, const char *backup)
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

/* What migrate would do. */
static int
foretell(struct cli *c, int have)
{
	struct json *j = c->json ? cli_json(c) : NULL;
	const char *who = have < db_latest() ? holders(c) : NULL;
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
tick(void *ctx, int64_t done, int64_t total)
{
	(void)ctx;
	cli_progress("copying the database", done, total);
}

/* The steps, after the copy. Their number, or -1 after a complaint. */
static int
take_steps(struct cli *c, struct db *db, const char *backup)
{
	const char *error = NULL;
	int steps;

	if (backup != NULL) {
		/*
		 * A copy of the same version that an earlier attempt left: the database is still
		 * as it was then.
		 */
		unlink(backup);
		if (!db_copy(db, c->arena, backup, tick, NULL, &error)) {
			unlink(backup);
			cli_fail(c, "the database could not be copied first (--no-backup does without): %s", error);
			return -1;
		}
		cli_progress_end();
	}
	if ((steps = db_migrate(db, c->arena, &error)) < 0)
		cli_fail(c, "%s", error);
	return steps;
}

static int
run_migrate(struct cli *c)
{
	struct db *db = data_open(c, DB_ANY_VERSION);
	const char *backup = NULL;
	int have, rc, steps;

	if (db == NULL)
		return CLI_FAILED;
	have = db_version(db);
	/*
	 * Before holders() opens and closes the file: that would drop this process's locks
	 * (sqlite.org/howtocorrupt.html section 2.2).
	 */
	db_close(db);
	if (have > db_latest())
		return cli_fail(c, "the database was written by a newer Octavo");
	if (have < 0)
		return cli_fail(c, "octavo.db is not a database, or it is damaged: octavo check --dir %s",
		    cli_quoted(c->arena, c->dir));
	if (cli_flag(c, "dry-run"))
		return foretell(c, have);
	if (have == db_latest())
		return report(c, 0, NULL);
	if ((rc = alone(c)) != CLI_OK)
		return rc;
	if ((db = data_open(c, DB_ANY_VERSION)) == NULL)
		return CLI_FAILED;
	if (!cli_flag(c, "no-backup"))
		backup = arena_printf(c->arena, "%s/octavo.db.schema-%d", c->dir, have);
	steps = take_steps(c, db, backup);
	db_close(db);
	return steps < 0 ? CLI_FAILED : report(c, steps, backup);
}

const struct cli_command commands_migrate[] = {
	{ .name = "migrate", .needs_dir = true, .run = run_migrate,
	  .summary = "Bring the database to this program's schema",
	  .options = (const struct cli_option[]){
		{ .name = "dry-run", .help = "say what would be done" },
		{ .name = "stop", .help = "stop what `octavo up` started on this data" },
		{ .name = "no-backup", .help = "do not copy the database first" },
		{ 0 } },
	  .details = "Refuses while other programs have the database open. The database as it was is kept as\n"
	    "octavo.db.schema-N beside it.",
	  .examples = "octavo migrate --dir /var/lib/octavo --dry-run\noctavo migrate --dir data --stop" },
	{ 0 }
};
