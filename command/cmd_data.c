/*
 * Opens the data for a subcommand, and finds rows by the text that an admin types. Contract:
 * cmd_data.h.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/database.h"
#include "app/people.h"
#include "app/setup.h"
#include "base/file.h"
#include "base/json.h"
#include "base/utf8.h"
#include "cmd_data.h"
#include "command/service.h"
#include "base/secret.h"

/* The command exits at the first failure; SQLite rolls back the open transaction. */
static void
on_failure(void *ctx, enum db_failure f, const char *message)
{
	struct cli *c = ctx;

	cli_fail(c, f == DB_BUSY ? "the database is busy: %s" : f == DB_FULL ?
	    "the disk is full or may only be read: %s" : f == DB_SCHEMA ? "%s" : "the database failed: %s", message);
	exit(CLI_FAILED);
}

const char *
data_env_file(struct arena *a, const char *dir)
{
	const char *name = strrchr(dir, '/');

	return name != NULL && strncmp(name, "/octavo-", 8) == 0 ? arena_printf(a, "/etc/octavo/%s.env", name + 8) :
	    "/etc/octavo/octavo.env";
}

/*
 * Parses the value of a line of that file: surrounding blanks and quotes are removed
 * (systemd.exec(5), EnvironmentFile=).
 */
static const char *
env_value(struct arena *a, const char *text)
{
	size_t n;

	text += strspn(text, " \t");
	n = strcspn(text, "\r\n");
	while (n > 0 && (text[n - 1] == ' ' || text[n - 1] == '\t'))
		n--;
	if (n >= 2 && (*text == '"' || *text == '\'') && text[n - 1] == *text)
		return arena_strndup(a, text + 1, n - 2);
	return arena_strndup(a, text, n);
}

const char *
data_setting(struct arena *a, const char *env, const char *name)
{
	size_t n = strlen(name);
	const char *at, *value = NULL;

	for (const char *line = env; line != NULL && *line != '\0'; line += strcspn(line, "\n"), line += *line == '\n') {
		at = line + strspn(line, " \t");
		if (strncmp(at, name, n) == 0 && at[n] == '=')
			value = env_value(a, at + n + 1);
	}
	return value;
}

void
data_read_env(struct cli *c)
{
	struct str text;

	c->env = file_read(c->arena, data_env_file(c->arena, c->dir), &text) ? text.p : NULL;
}

/*
 * True if the units that read c->env serve this folder: it has their name, or is named in the file.
 * (data_env_file() has a file for any folder, since `make install STATE=` may put the data anywhere.)
 */
static bool
has_units(struct cli *c)
{
	const char *name = strrchr(c->dir, '/'), *dir = data_setting(c->arena, c->env, "OCTAVO_DIR");

	return dir != NULL ? strcmp(dir, c->dir) == 0 :
	    name != NULL && (strcmp(name, "/octavo") == 0 || strncmp(name, "/octavo-", 8) == 0);
}

void
data_use_settings(struct cli *c)
{
	const char *at, *name;

	if (!has_units(c))
		return;
	for (const char *line = c->env; line != NULL && *line != '\0'; line += strcspn(line, "\n"), line += *line == '\n') {
		at = line + strspn(line, " \t");
		name = arena_strndup(c->arena, at, strcspn(at, "=\n"));
		if (strncmp(name, "OCTAVO_", 7) == 0 && at[strlen(name)] == '=')
			setenv(name, data_setting(c->arena, c->env, name), 0);
	}
}

struct db *
data_open(struct cli *c, enum db_mode mode)
{
	char *path = arena_printf(c->arena, "%s/octavo.db", c->dir);
	const char *error;
	struct stat st;
	struct db *db;

	errno = 0;
	if (database_is_file() && mode != DB_CREATE && (stat(path, &st) != 0 || st.st_size == 0)) {
		if (errno == EACCES)
			cli_fail(c, "this user may not look into %s; run it as its owner", c->dir);
		else if ((error = setup_lost(c->arena, c->dir)) != NULL)
			cli_fail(c, "%s", error);
		else
			cli_fail(c, "there is no Octavo in %s; make one with: octavo init --dir %s "
			    "--email YOU@EXAMPLE.COM --name YOU --org TITLE", c->dir, cli_quoted(c->arena, c->dir));
		return NULL;
	}
	if ((error = secret_open(c->arena, c->dir)) != NULL ||
	    (db = database_open(c->arena, c->dir, mode, NULL, &error)) == NULL) {
		cli_fail(c, "%s", error);
		return NULL;
	}
	data_use_settings(c);
	db_on_fail(db, on_failure, c);
	return db;
}

const char *
data_value(struct cli *c, const char *name)
{
	const char *value = getenv(name);

	return value != NULL && *value != '\0' ? value : data_setting(c->arena, c->env, name);
}

const char *
data_url(struct cli *c)
{
	struct service s = { .arena = c->arena, .dir = c->dir };
	const char *url;

	if (service_find_running(&s))
		return s.url;
	url = getenv("OCTAVO_URL");
	if (url != NULL && *url != '\0')
		return url;
	return data_setting(c->arena, c->env, "OCTAVO_URL");
}

SQL(q_orgs, "SELECT id, title, hostname FROM org ORDER BY created_at, id /*scan*/");

/* True if the row's title is the key or, unless exact, equals it without regard to case and accents, or its hostname is the key. */
static bool
is_called(struct cli *c, struct stmt *q, const char *key, bool exact)
{
	const char *title = col_text(q, 1), *host = col_text(q, 2);

	if (exact)
		return strcmp(title, key) == 0;
	return strcmp(utf8_fold(c->arena, str_of(title)), utf8_fold(c->arena, str_of(key))) == 0 ||
	    (host != NULL && strcmp(host, key) == 0);
}

/* Returns how many organizations have this name, with the last of them and all as a list. */
static int
find_orgs(struct cli *c, struct db *db, const char *key, bool exact, char **id, const char **list)
{
	struct stmt *q = db_use(db, &q_orgs);
	int n = 0;

	while (stmt_step(q)) {
		if (!is_called(c, q, key, exact))
			continue;
		*id = col_dup(q, 0, c->arena);
		*list = n++ == 0 ? *id : arena_printf(c->arena, "%s, %s", *list, *id);
	}
	return n;
}

/*
 * An id is tried before a title: otherwise a title equal to another organization's id could
 * redirect a command. For the same reason an exact title is tried before one in other letter case,
 * and before a hostname.
 */
char *
data_org(struct cli *c, struct db *db, const char *key)
{
	const char *list = NULL;
	char *id = NULL;
	int n;

	if (org_exists(db, key))
		return arena_strdup(c->arena, key);
	n = find_orgs(c, db, key, true, &id, &list);
	if (n == 0)
		n = find_orgs(c, db, key, false, &id, &list);
	if (n == 1)
		return id;
	if (n == 0)
		cli_fail(c, "there is no organization %s; octavo org list shows them", key);
	else
		cli_fail(c, "%d organizations are called %s; name one by its id: %s", n, key, list);
	return NULL;
}

char *
data_user(struct cli *c, struct db *db, const char *option)
{
	const char *key = cli_option(c, option);
	char *id = user_find(db, c->arena, key);

	if (id == NULL)
		cli_fail(c, "there is no user %s; octavo user list shows them", key);
	return id;
}

int
data_print(struct cli *c, const char *const (*pairs)[2], size_t n)
{
	struct json *j;
	size_t i;

	if (!c->json) {
		for (i = 0; i < n; i++)
			printf("%-13s %s\n", pairs[i][0], pairs[i][1] != NULL ? pairs[i][1] : "yes");
		return CLI_OK;
	}
	j = cli_json(c);
	json_obj(j);
	for (i = 0; i < n; i++) {
		json_key(j, pairs[i][0]);
		if (pairs[i][1] != NULL)
			json_str(j, pairs[i][1]);
		else
			json_bool(j, true);
	}
	json_end(j);
	cli_json_print(c);
	return CLI_OK;
}

void
data_say_admin(struct cli *c, const char *dir, const char *org)
{
	cli_say(c, "The organization %s has no admin. Make one (octavo user create makes a user):\n"
	    "  octavo member add --dir %s --org %s --user EMAIL --role admin", org, cli_quoted(c->arena, dir), org);
}
