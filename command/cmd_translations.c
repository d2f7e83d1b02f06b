/*
 * octavo translations list, run: manages spaces in other languages, for the admin and for cron. A
 * run is the job that the API queues (propagate/start_translations.h); this command follows it.
 */
#include <cjson/cJSON.h>
#include <string.h>

#include "cmd_content.h"
#include "propagate/start_translations.h"

/*
 * The state is computed as in the API. If a job was ended from outside, the translation has no
 * error of its own: use the job's.
 */
SQL(q_list,
    "SELECT t.id, t.source, t.source_language, t.language, t.result, "
    "CASE WHEN j.state IN ('queued', 'running') THEN 'running' WHEN t.revision IS NULL THEN 'pending' ELSE 'completed' END, "
    "t.automatic, COALESCE(t.error, CASE WHEN j.state IN ('failed', 'timeout') THEN j.error END) "
    "FROM translation t LEFT JOIN job j ON j.id = t.job "
    "WHERE CAST(:org AS TEXT) IS NULL OR t.org = :org ORDER BY t.org, t.created_at, t.id /*scan*/");
SQL(q_all, "SELECT id FROM translation WHERE CAST(:org AS TEXT) IS NULL OR org = :org ORDER BY org, created_at, id /*scan*/");
/* The job's id, and whether it is queued or running. */
SQL(q_one,
    "SELECT t.job, CASE WHEN j.state IN ('queued', 'running') THEN 1 ELSE 0 END "
    "FROM translation t LEFT JOIN job j ON j.id = t.job WHERE t.id = :id");
SQL(q_warnings, "SELECT title, warnings FROM translation_page WHERE translation = :id AND warnings IS NOT NULL ORDER BY page");

/* Reads the organization of --org, NULL for all; false after printing an error. */
static bool
read_org(struct cli *c, struct db *db, const char **org)
{
	const char *key = cli_option(c, "org");

	*org = key == NULL ? NULL : data_org(c, db, key);
	return key == NULL || *org != NULL;
}

/* Columns with JSON cells: of the list, and of the report of runs. */
enum { AUTOMATIC = 5, PAGES = 2, WARNINGS = 3 };

static int
run_list(struct cli *c)
{
	static const char *const names[] = { "id", "source", "languages", "result", "status", "automatic", "error" };
	struct cli_table *t = cli_table_new(c, names, sizeof(names) / sizeof(names[0]));
	struct db *db = data_open(c, DB_READ_WRITE);
	const char *org;
	struct stmt *q;

	if (db == NULL)
		return CLI_FAILED;
	if (!read_org(c, db, &org)) {
		db_close(db);
		return CLI_FAILED;
	}
	cli_table_json(t, AUTOMATIC);
	q = db_use(db, &q_list);
	bind_text(q, ":org", org);
	while (stmt_step(q))
		cli_table_row(t, (const char *const[]){ col_dup(q, 0, c->arena), col_dup(q, 1, c->arena),
		    arena_printf(c->arena, "%s to %s", col_text(q, 2), col_text(q, 3)), col_dup(q, 4, c->arena),
		    col_dup(q, 5, c->arena), col_int(q, 6) ? cli_yes(c) : NULL, col_dup(q, 7, c->arena) });
	db_close(db);
	cli_table_print(t);
	return CLI_OK;
}

/*
 * Queues a run, or finds the one that is queued or running. Returns the job's id; NULL: *why is the
 * reason.
 */
static char *
queue_run(struct cli *c, struct db *db, const char *id, const char **why)
{
	struct stmt *q;
	char *job = NULL;
	bool queued;

	db_begin(db, true);
	queued = translation_queue(db, c->arena, id);
	q = db_use(db, &q_one);
	bind_text(q, ":id", id);
	if (!stmt_step(q))
		*why = "there is no such translation";
	else if (!queued && col_int(q, 1) == 0)
		*why = "its source is deleted, or in another organization";
	else
		job = col_dup(q, 0, c->arena);
	db_commit(db);
	return job;
}

/* Prints the warnings of the run, one per line. Returns their number. */
static size_t
say_warnings(struct cli *c, struct db *db, const char *id)
{
	struct stmt *q = db_use(db, &q_warnings);
	const cJSON *one;
	size_t n = 0;
	cJSON *list;

	bind_text(q, ":id", id);
	while (stmt_step(q)) {
		list = cJSON_Parse(col_text(q, 1));
		cJSON_ArrayForEach(one, list) {
			cli_say(c, "%s: %s: %s", id, col_text(q, 0), one->valuestring);
			n++;
		}
		cJSON_Delete(list);
	}
	db_rollback(db);
	return n;
}

/*
 * Returns the number of translated pages from the job's result; NULL: none, since nothing had
 * changed.
 */
static const char *
pages_of(struct cli *c, const char *result)
{
	cJSON *root = result == NULL ? NULL : cJSON_Parse(result);
	const cJSON *pages = cJSON_GetObjectItemCaseSensitive(root, "pages");
	const char *text = cJSON_IsNumber(pages) ? arena_printf(c->arena, "%d", pages->valueint) : NULL;

	cJSON_Delete(root);
	return text;
}

/* Runs one translation and adds a row to the table; false: the run failed. */
static bool
run_one(struct cli *c, struct db *db, struct cli_table *t, const char *id)
{
	const char *why = NULL, *job = queue_run(c, db, id, &why);
	struct job_state s = { .state = "failed" };
	size_t warnings = 0;
	bool done;

	if (job != NULL) {
		s = job_follow(c, db, job);
		why = s.error;
	}
	done = strcmp(s.state, "done") == 0;
	if (done)
		warnings = say_warnings(c, db, id);
	cli_table_row(t, (const char *const[]){ id, s.state, pages_of(c, s.result),
	    warnings > 0 ? arena_printf(c->arena, "%zu", warnings) : NULL, done ? NULL : why });
	return done;
}

static const char **
ids_of(struct cli *c, struct db *db, const char *org, size_t *n)
{
	struct stmt *q = db_use(db, &q_all);
	const char **ids = NULL;
	size_t room = 0;

	bind_text(q, ":org", org);
	for (*n = 0; stmt_step(q); ids[(*n)++] = col_dup(q, 0, c->arena))
		ids = arena_grow(c->arena, ids, *n, &room, sizeof(*ids));
	db_rollback(db);
	return ids;
}

static int
run_run(struct cli *c)
{
	static const char *const names[] = { "id", "state", "pages", "warnings", "error" };
	struct cli_table *t = cli_table_new(c, names, sizeof(names) / sizeof(names[0]));
	const char *const *ids = (const char *const *)c->argv;
	const char *org = NULL;
	size_t n = (size_t)c->argc, i, failed = 0;
	struct db *db;

	if (cli_flag(c, "all") == (c->argc > 0))
		return cli_usage(c, "say which: ids of translations, or --all");
	if (cli_option(c, "org") != NULL && !cli_flag(c, "all"))
		return cli_usage(c, "--org needs --all");
	if ((db = data_open(c, DB_READ_WRITE)) == NULL)
		return CLI_FAILED;
	if (!read_org(c, db, &org)) {
		db_close(db);
		return CLI_FAILED;
	}
	cli_table_json(t, PAGES);
	cli_table_json(t, WARNINGS);
	if (cli_flag(c, "all"))
		ids = ids_of(c, db, org, &n);
	for (i = 0; i < n; i++)
		failed += !run_one(c, db, t, ids[i]);
	db_close(db);
	cli_table_print(t);
	return failed == 0 ? CLI_OK : CLI_FAILED;
}

const struct cli_command commands_translations[] = {
	{ .name = "translations list", .needs_dir = true, .run = run_list,
	  .summary = "List the translations of spaces, and why runs failed",
	  .options = (const struct cli_option[]){
		{ .name = "org", .arg = "ORG", .help = "id or title of an organization (default: all)" },
		{ 0 } },
	  .examples = "octavo translations list --dir DIR --org Acme" },
	{ .name = "translations run", .needs_dir = true, .run = run_run, .operands = "[ID...]",
	  .summary = "Bring translations up to date and wait for it",
	  .options = (const struct cli_option[]){
		{ .name = "all", .help = "every translation, one after another" },
		{ .name = "org", .arg = "ORG", .help = "with --all: those of this organization, by id or title" },
		{ 0 } },
	  .details = "Lists what a person should look at: corrections whose source has changed, blocks that\n"
	    "were kept in the language of the source. Waits for a run that is at work already; a run without\n"
	    "a change ends at once. Prints a line for each: id, state, pages that were made, warnings, error.",
	  .examples = "octavo translations run --dir DIR ID\n"
	    "octavo translations run --dir DIR --all" },
	{ 0 }
};
