/*
 * octavo site, font, collection, space, request, member, team: daily tasks of an admin, each a call of
 * the API (call.h); and octavo call, which makes any API request. To add a command of this kind,
 * add a row to calls[] and one of the same name to commands_call[].
 *
 * The request is made as --user, or else as the admin who joined the organization first. No
 * further check is needed: only users who can read the data can run the command.
 */
#include <cjson/cJSON.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/role.h"
#include "base/url.h"
#include "call.h"

SQL(q_call_site_org, "SELECT org FROM site WHERE id = :id");
SQL(q_call_space_org, "SELECT org FROM space WHERE id = :id");
SQL(q_call_collection_org, "SELECT org FROM collection WHERE id = :id");
SQL(q_call_team_org, "SELECT org FROM team WHERE id = :id");
SQL(q_call_admin,
    "SELECT account FROM member WHERE org = :org AND role = " SQL_ROLE_ADMIN " AND disabled = 0 ORDER BY joined_at, account LIMIT 1");

enum { COLUMNS_MAX = 8, PAGE = 1000 };

struct call_row {
	const char *name;      /* name of the subcommand */
	const char *method;
	const char *path;      /* "{org}": from --org, or the org of the other options; other {words}: from the option */
	const char *members;   /* options copied into the body, "title spaces[]"; []: comma-separated list */
	const char *fixed;     /* constant body */
	const char *columns;   /* members of the answer or its items to print, "id urls.published"; NULL: print a confirmation */
};

static const struct call_row calls[] = {
	{ "site list", "GET", "/orgs/{org}/sites", .columns = "id title visibility published urls.published" },
	{ "site create", "POST", "/orgs/{org}/sites", "title visibility spaces[]", .columns = "id title visibility" },
	{ "site publish", "POST", "/orgs/{org}/sites/{site}/publish", .columns = "id title urls.published" },
	{ "site unpublish", "POST", "/orgs/{org}/sites/{site}/unpublish", .columns = "id title published" },
	{ "site add", "POST", "/orgs/{org}/sites/{site}/site-spaces", "spaceId sectionId", .columns = "id path urls.published" },
	{ "site share", "POST", "/orgs/{org}/sites/{site}/share-links", "name", .columns = "id name urls.published" },
	{ "site delete", "DELETE", "/orgs/{org}/sites/{site}" },
	{ "font list", "GET", "/orgs/{org}/fonts", .columns = "id fontFamily" },
	{ "font delete", "DELETE", "/orgs/{org}/fonts/{font}" },
	{ "collection list", "GET", "/orgs/{org}/collections?nested=true", .columns = "id title parent" },
	{ "collection create", "POST", "/orgs/{org}/collections", "title parent", .columns = "id title" },
	{ "collection delete", "DELETE", "/collections/{collection}" },
	{ "space create", "POST", "/orgs/{org}/spaces", "title parent language", .columns = "id title" },
	{ "space delete", "DELETE", "/spaces/{space}" },
	{ "space lock", "PATCH", "/spaces/{space}", .fixed = "{\"editMode\":\"locked\"}", .columns = "id title editMode" },
	{ "space unlock", "PATCH", "/spaces/{space}", .fixed = "{\"editMode\":\"live\"}", .columns = "id title editMode" },
	{ "space restore", "POST", "/spaces/{space}/restore", .columns = "id title" },
	{ "space export", "POST", "/spaces/{space}/git/export", "url ref commitMessage" },
	{ "member remove", "DELETE", "/orgs/{org}/members/{member}" },
	{ "team create", "PUT", "/orgs/{org}/teams", "title members[]", .columns = "id title members" },
	{ "team delete", "DELETE", "/orgs/{org}/teams/{team}" },
	{ "team members", "GET", "/orgs/{org}/teams/{team}/members", .columns = "organization.id organization.user.email "
	  "organization.user.displayName team.role" },
	{ "team add", "PUT", "/orgs/{org}/teams/{team}/members/{member}", "role" },
	{ "team remove", "DELETE", "/orgs/{org}/teams/{team}/members/{member}" },
	{ "request list", "GET", "/spaces/{space}/change-requests", .columns = "number status subject createdBy.displayName updatedAt" },
	{ "request create", "POST", "/spaces/{space}/change-requests", "subject", .columns = "number status subject" },
	{ "request open", "PATCH", "/spaces/{space}/change-requests/{request}", .fixed = "{\"status\":\"open\"}",
	  .columns = "number status subject" },
	{ "request archive", "PATCH", "/spaces/{space}/change-requests/{request}", .fixed = "{\"status\":\"archived\"}",
	  .columns = "number status subject" },
	{ "request merge", "POST", "/spaces/{space}/change-requests/{request}/merge", .columns = "result revision" },
};

static const struct call_row *
find_row(const char *name)
{
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		if (strcmp(calls[i].name, name) == 0)
			return &calls[i];
	return NULL;
}

/* ---- resolving the caller and the path ---- */

static char *
org_by(struct cli *c, struct db *db, const struct sql *sql, const char *kind, const char *id)
{
	struct stmt *q = db_use(db, sql);

	bind_text(q, ":id", id);
	if (stmt_step(q))
		return col_dup(q, 0, c->arena);
	cli_fail(c, "there is no %s %s; octavo %s list shows them", kind, id, kind);
	return NULL;
}

const char *
call_org(struct cli *c, struct db *db)
{
	const char *key;

	if ((key = cli_option(c, "org")) != NULL)
		return data_org(c, db, key);
	if ((key = cli_option(c, "site")) != NULL)
		return org_by(c, db, &q_call_site_org, "site", key);
	if ((key = cli_option(c, "collection")) != NULL)
		return org_by(c, db, &q_call_collection_org, "collection", key);
	if ((key = cli_option(c, "team")) != NULL)
		return org_by(c, db, &q_call_team_org, "team", key);
	return org_by(c, db, &q_call_space_org, "space", cli_option(c, "space"));
}

const char *
call_caller(struct cli *c, struct db *db, const char *org)
{
	struct stmt *q;

	if (cli_option(c, "user") != NULL)
		return data_user(c, db, "user");
	q = db_use(db, &q_call_admin);
	bind_text(q, ":org", org);
	if (stmt_step(q))
		return col_dup(q, 0, c->arena);
	cli_fail(c, "the organization has no admin; say whose rights count: --user EMAIL");
	return NULL;
}

/*
 * Returns the row's path with each {word} replaced by the id from the command line; NULL after
 * printing an error.
 */
static const char *
fill_path(struct cli *c, struct db *db, const struct call_row *row, const char *org)
{
	const char *path = "", *at = row->path, *open, *value, *word;

	while ((open = strchr(at, '{')) != NULL) {
		word = arena_strndup(c->arena, open + 1, strcspn(open + 1, "}"));
		value = strcmp(word, "org") == 0 ? org : strcmp(word, "member") == 0 ? data_user(c, db, word) : cli_option(c, word);
		if (value == NULL)
			return NULL;
		path = arena_printf(c->arena, "%s%.*s%s", path, (int)(open - at), at, url_segment(c->arena, str_of(value)));
		at = open + strlen(word) + 2;
	}
	return arena_printf(c->arena, "%s%s", path, at);
}

/* ---- the body ---- */

static void
add_list(struct cli *c, cJSON *body, const char *name, const char *value)
{
	cJSON *list = cJSON_AddArrayToObject(body, name);
	size_t n;

	for (; *value != '\0'; value += n + (value[n] == ',')) {
		n = strcspn(value, ",");
		cJSON_AddItemToArray(list, cJSON_CreateString(arena_strndup(c->arena, value, n)));
	}
}

/* Returns the JSON body of the request; NULL if the row has none. */
static const char *
write_body(struct cli *c, const struct call_row *row)
{
	cJSON *body;
	size_t n;

	if (row->members == NULL)
		return row->fixed;
	body = cJSON_CreateObject();
	for (const char *at = row->members; *at != '\0'; at += n + (at[n] == ' ')) {
		bool list = (n = strcspn(at, " ")) > 2 && at[n - 1] == ']';
		const char *name = arena_strndup(c->arena, at, list ? n - 2 : n), *value = cli_option(c, name);

		if (value != NULL && list)
			add_list(c, body, name, value);
		else if (value != NULL)
			cJSON_AddStringToObject(body, name, value);
	}
	return cJSON_PrintUnformatted(body);
}

/* ---- the answer ---- */

/*
 * Returns a member as the text of a cell, found by its path such as "urls.published"; NULL if it is
 * missing.
 */
static const char *
cell_text(struct cli *c, const cJSON *object, const char *path)
{
	const char *word;
	size_t n;

	for (; *path != '\0' && object != NULL; path += n + (path[n] == '.')) {
		n = strcspn(path, ".");
		word = arena_strndup(c->arena, path, n);
		object = cJSON_GetObjectItemCaseSensitive(object, word);
	}
	if (object == NULL || cJSON_IsNull(object))
		return NULL;
	return cJSON_IsString(object) ? object->valuestring : cJSON_PrintUnformatted(object);
}

static size_t
split_columns(struct cli *c, const char *text, const char **columns)
{
	size_t count = 0, n;

	for (; *text != '\0'; text += n + (text[n] == ' ')) {
		n = strcspn(text, " ");
		columns[count++] = arena_strndup(c->arena, text, n);
	}
	return count;
}

static void
print_items(struct cli *c, const struct call_row *row, const cJSON *items)
{
	const char *columns[COLUMNS_MAX], *cells[COLUMNS_MAX];
	size_t count = split_columns(c, row->columns, columns);
	struct cli_table *t;
	const cJSON *item;

	if (c->json) {
		puts(cJSON_PrintUnformatted(items));
		return;
	}
	t = cli_table_new(c, columns, count);
	cJSON_ArrayForEach(item, items) {
		for (size_t i = 0; i < count; i++)
			cells[i] = cell_text(c, item, columns[i]);
		cli_table_row(t, cells);
	}
	cli_table_print(t);
}

static int
print_answer(struct cli *c, const struct call_row *row, const struct call *call)
{
	const char *columns[COLUMNS_MAX], *value;
	size_t count;

	if (c->json) {
		puts(*call->text != '\0' ? call->text : "{}");
		return CLI_OK;
	}
	if (row->columns == NULL) {
		puts("done");
		return CLI_OK;
	}
	count = split_columns(c, row->columns, columns);
	for (size_t i = 0; i < count; i++)
		if ((value = cell_text(c, call->answer, columns[i])) != NULL)
			printf("%-13s %s\n", strrchr(columns[i], '.') != NULL ? strrchr(columns[i], '.') + 1 : columns[i], value);
	return CLI_OK;
}

/* Requests every page of a list and prints the items. */
static int
print_list(struct cli *c, struct db *db, const struct call_row *row, struct call *call)
{
	cJSON *all = cJSON_CreateArray(), *items;
	const char *path = call->path, *next = NULL;

	do {
		call->path = arena_printf(c->arena, "%s%slimit=%d%s%s", path, strchr(path, '?') != NULL ? "&" : "?", PAGE, next != NULL ? "&page=" : "",
		    next != NULL ? url_segment(c->arena, str_of(next)) : "");
		if (!call_api(c, db, call))
			return CLI_FAILED;
		items = cJSON_GetObjectItemCaseSensitive(call->answer, "items");
		while (cJSON_GetArraySize(items) > 0)
			cJSON_AddItemToArray(all, cJSON_DetachItemFromArray(items, 0));
		next = cell_text(c, call->answer, "next.page");
	} while (next != NULL);
	print_items(c, row, all);
	return CLI_OK;
}

/*
 * A merge with conflicts answers 200, but nothing was merged: the exit status reports a failure to
 * scripts.
 */
static int
finish_call(struct cli *c, const struct call_row *row, const struct call *call)
{
	const char *result = cell_text(c, call->answer, "result");
	int rc = print_answer(c, row, call);

	if (rc == CLI_OK && result != NULL && strcmp(result, "conflicts") == 0) {
		cli_say(c, "Nothing was merged: both sides changed the same. Update the request and resolve its conflicts.");
		return CLI_FAILED;
	}
	return rc;
}

static int
run_row(struct cli *c)
{
	const struct call_row *row = find_row(c->command->name);
	struct call call = { .method = row->method };
	struct db *db = data_open(c, DB_READ_WRITE);
	const char *org;
	int rc = CLI_FAILED;

	if (db == NULL)
		return CLI_FAILED;
	if ((org = call_org(c, db)) == NULL || (call.user = call_caller(c, db, org)) == NULL ||
	    (call.path = fill_path(c, db, row, org)) == NULL)
		goto out;
	call.body = write_body(c, row);
	if (strcmp(row->method, "GET") == 0)
		rc = print_list(c, db, row, &call);
	else if (call_api(c, db, &call))
		rc = finish_call(c, row, &call);
out:
	db_close(db);
	return rc;
}

static const char *
upper_case(struct cli *c, const char *text)
{
	char *out = arena_strdup(c->arena, text);

	for (char *p = out; *p != '\0'; p++)
		*p = (char)toupper((unsigned char)*p);
	return out;
}

/* Runs `octavo call`: any API request. */
static int
run_call(struct cli *c)
{
	struct call call = { .body = cli_option(c, "body") };
	struct db *db;
	int rc = CLI_FAILED;

	if (c->argc != 2 || *c->argv[1] != '/')
		return cli_usage(c, "takes a method and a path below /v1: octavo call GET /user --user EMAIL");
	if ((db = data_open(c, DB_READ_WRITE)) == NULL)
		return CLI_FAILED;
	call.method = upper_case(c, c->argv[0]);
	/* Accept a path that begins with /v1/, as people copy it from curl examples. */
	call.path = c->argv[1] + (strncmp(c->argv[1], "/v1/", 4) == 0 ? 3 : 0);
	if ((call.user = data_user(c, db, "user")) != NULL && call_api(c, db, &call)) {
		puts(*call.text != '\0' ? call.text : "{}");
		rc = CLI_OK;
	}
	db_close(db);
	return rc;
}

#define ORG_OPTION { .name = "org", .arg = "ORG", .help = "id or title of the organization", .required = true }
#define SITE_OPTION { .name = "site", .arg = "ID", .help = "id of the site", .required = true }
#define SPACE_OPTION { .name = "space", .arg = "ID", .help = "id of the space", .required = true }
#define REQUEST_OPTION { .name = "request", .arg = "N", .help = "number or id of the change request", .required = true }
#define TEAM_OPTION { .name = "team", .arg = "ID", .help = "id of the team", .required = true }
#define MEMBER_OPTION { .name = "member", .arg = "USER", .help = "e-mail address or id", .required = true }
#define AS_OPTION { .name = "user", .arg = "USER", .help = "whose rights count; default: an admin" }
#define OPTIONS(...) (const struct cli_option[]){ __VA_ARGS__, AS_OPTION, { 0 } }
#define CALL(row, text, ...) { .name = row, .needs_dir = true, .run = run_row, .summary = text, .options = OPTIONS(__VA_ARGS__) }

const struct cli_command commands_call[] = {
	CALL("site list", "List the sites of an organization", ORG_OPTION),
	CALL("site create", "Make a site that shows spaces", ORG_OPTION,
		{ .name = "title", .arg = "TITLE", .help = "2 to 128 characters" },
		{ .name = "visibility", .arg = "V", .help = "public (default), unlisted, share-link, visitor-auth",
		  .values = "public unlisted share-link visitor-auth" },
		{ .name = "spaces", .arg = "ID,ID", .help = "the spaces that it shows" }),
	CALL("site publish", "Publish a site", SITE_OPTION),
	CALL("site unpublish", "Take a published site away", SITE_OPTION),
	CALL("site delete", "Delete a site; its spaces stay", SITE_OPTION),
	CALL("site add", "Show one more space on a site", SITE_OPTION,
		{ .name = "spaceId", .arg = "ID", .help = "the space", .required = true },
		{ .name = "sectionId", .arg = "ID", .help = "section that it goes to" }),
	CALL("site share", "Make a share link, which opens a site whose visibility is share-link", SITE_OPTION,
		{ .name = "name", .arg = "NAME", .help = "for those who manage the site", .required = true }),
	CALL("font list", "List the fonts of an organization", ORG_OPTION),
	CALL("font delete", "Delete a font that no site uses", ORG_OPTION,
		{ .name = "font", .arg = "ID", .help = "id of the font", .required = true }),
	CALL("collection list", "List the collections of an organization", ORG_OPTION),
	CALL("collection create", "Make a collection of spaces", ORG_OPTION,
		{ .name = "title", .arg = "TITLE", .help = "up to 50 characters" },
		{ .name = "parent", .arg = "ID", .help = "the collection to make it in" }),
	CALL("collection delete", "Delete a collection with its spaces, which can be restored for 7 days",
		{ .name = "collection", .arg = "ID", .help = "id of the collection", .required = true }),
	CALL("space create", "Make an empty space", ORG_OPTION,
		{ .name = "title", .arg = "TITLE", .help = "up to 50 characters" },
		{ .name = "parent", .arg = "ID", .help = "the collection to make it in" },
		{ .name = "language", .arg = "L", .help = "language of its content: en, de, …" }),
	CALL("space delete", "Delete a space; it can be restored for 7 days", SPACE_OPTION),
	CALL("space lock", "Let nobody change a space's content", SPACE_OPTION),
	CALL("space unlock", "Let a locked space be changed again", SPACE_OPTION),
	CALL("space restore", "Bring a deleted space back", SPACE_OPTION),
	CALL("space export", "Write a space into a git repository, as a job", SPACE_OPTION,
		{ .name = "url", .arg = "URL", .help = "the repository", .required = true },
		{ .name = "ref", .arg = "REF", .help = "refs/heads/BRANCH", .required = true },
		{ .name = "commitMessage", .arg = "TEXT", .help = "of the commit", .required = true }),
	CALL("member remove", "Take a member out of an organization, with all grants", ORG_OPTION, MEMBER_OPTION),
	CALL("team create", "Make a team, which is given access like one person", ORG_OPTION,
		{ .name = "title", .arg = "TITLE", .help = "up to 64 characters", .required = true },
		{ .name = "members", .arg = "USER,USER", .help = "members of the organization, by e-mail address or id" }),
	CALL("team delete", "Delete a team with what it was given; its members stay in the organization", TEAM_OPTION),
	CALL("team members", "List who is in a team", TEAM_OPTION),
	CALL("team add", "Put a member of the organization into a team, or set the role there", TEAM_OPTION, MEMBER_OPTION,
		{ .name = "role", .arg = "ROLE", .help = "member (default), or owner, who manages the team", .values = "owner member" }),
	CALL("team remove", "Take a member out of a team", TEAM_OPTION, MEMBER_OPTION),
	CALL("request list", "List the change requests of a space", SPACE_OPTION),
	CALL("request create", "Begin a change request, as a draft", SPACE_OPTION,
		{ .name = "subject", .arg = "TEXT", .help = "what it is about" }),
	CALL("request open", "Open a draft or an archived change request", SPACE_OPTION, REQUEST_OPTION),
	CALL("request archive", "Archive a change request", SPACE_OPTION, REQUEST_OPTION),
	CALL("request merge", "Merge a change request, as its rules allow", SPACE_OPTION, REQUEST_OPTION),
	{ .name = "call", .needs_dir = true, .run = run_call, .operands = "METHOD PATH",
	  .summary = "Make any request of the API, without server and token",
	  .options = (const struct cli_option[]){
		{ .name = "user", .arg = "USER", .help = "whose rights count", .required = true },
		{ .name = "body", .arg = "JSON", .help = "body of the request" },
		{ 0 } },
	  .examples = "octavo call GET /user --user ada@example.com\n"
	    "octavo call PATCH /spaces/ID --user ada@example.com --body '{\"title\":\"Handbook\"}'" },
	{ 0 }
};
