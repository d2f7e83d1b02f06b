/* The API about itself: version, health and description; and the shapes of common queries. */
#include "api/lists.h"
#include "api/examples.h"
#include "api/meta.h"
#include "app/ready.h"
#include "base/build.h"
#include "http/req.h"

#define METADATA \
	{ "metadata", T_BOOL, .preset = "true", .doc = "false leaves `git` out" }
#define COMPUTED \
	{ "computed", T_BOOL, .preset = "true", .doc = "false: pages that a computed page expands to are left out; files and reusable " \
	  "contents do not change" }
#define EVALUATED \
	{ "evaluated", T_ENUM, .set = "true,false,deterministic-only", .preset = "\"false\"", .example = "false", \
	  .doc = "true: parts that conditions hide are left out, and expressions are replaced by their values, as for a visitor " \
	  "without claims. deterministic-only: expressions that use the visitor's claims are not evaluated. A site token always gets " \
	  "`true`" }

#define FIND(what, example_text) \
	{ "find", T_TEXT, .min = 1, .max = 200, .doc = what, .example = example_text }

const struct shape ListNext = { "ListNext", (const struct field[]){
	{ "page", T_TEXT, F_REQ, .doc = "Value of `page` that returns the next part", .example = "Mg.Zx3k" },
	{ 0 } } };
const struct shape ListQuery = { "ListQuery", (const struct field[]){
	PAGING,
	{ 0 } } };
const struct shape FilesQuery = { "FilesQuery", (const struct field[]){
	PAGING, METADATA, COMPUTED,
	FIND("Only files whose name or description has this text", "logo"),
	{ 0 } } };
const struct shape RevisionQuery = { "RevisionQuery", (const struct field[]){
	METADATA, COMPUTED,
	{ 0 } } };
const struct shape ContentQuery = { "ContentQuery", (const struct field[]){
	METADATA, COMPUTED,
	{ "find", T_TEXT, .max = 200, .doc = "`pages`, `files` and `reusableContents` become flat lists of at most 50 objects whose name "
	  "contains this text", .example = "install" },
	{ 0 } } };
const struct shape PagesQuery = { "PagesQuery", (const struct field[]){
	{ "open", T_TEXT, .max = 100, .doc = "Id of a page. Only these levels are listed: the top, groups, the ancestors of this page, "
	  "and the pages below it. Other pages have `folded`: the number of pages below them", .example = EXAMPLE_PAGE },
	METADATA, COMPUTED,
	FIND("`pages` is a list of at most 50 pages whose title or slug has this text, without the pages below them", "install"),
	{ "brief", T_BOOL, .preset = "false", .doc = "true: each page has only the members that a table of contents shows "
	  "(RevisionPageEntry)" },
	{ 0 } } };
const struct shape PageQuery = { "PageQuery", (const struct field[]){
	{ "format", T_ENUM, .set = "document,markdown", .preset = "\"document\"", .doc = "Format of the text" },
	{ "format.markdown.refs", T_ENUM, .set = "stable,relative", .preset = "\"relative\"",
	  .doc = "stable: links are written as /pages/ID, /files/ID" },
	EVALUATED, METADATA, COMPUTED,
	{ 0 } } };
const struct shape DocumentQuery = { "DocumentQuery", (const struct field[]){
	EVALUATED, COMPUTED,
	{ "dereferenced", T_LIST, .item = &(const struct field){ "", T_ENUM, .set = "reusable-contents" },
	  .doc = "reusable-contents: reusable contents are inserted where pages use them" },
	{ 0 } } };

const struct shape ApiInformation = { "ApiInformation", (const struct field[]){
	{ "version", T_TEXT, F_REQ, .doc = "Version of the API", .example = "1" },
	{ "build", T_TEXT, F_REQ, .doc = "Version of the program", .example = "0.9.0" },
	{ 0 } } };
const struct shape Health = { "Health", (const struct field[]){
	{ "status", T_CONST, F_REQ, .set = "ok", .doc = "The database answers" },
	{ 0 } } };
const struct shape AnyObject = { "AnyObject", (const struct field[]){ { 0 } }, .flags = SHAPE_OPEN };

/* Reads an index of a real table: `SELECT 1` would read no page of the file. */
SQL(q_health, "SELECT count(*) FROM org WHERE id = ''");

/* GET / */
HANDLER(getApiInformation)
{
	json_obj(&r->json);
	json_kstr(&r->json, "version", "1");
	json_kstr(&r->json, "build", octavo_build);
	json_end(&r->json);
	return 0;
}

/*
 * GET /healthz: runs a statement that reads pages of the database file, including the first one,
 * rather than this worker's cache. A failure answers 503 without further code; so does a program of
 * another build that waits for a schema upgrade, since it serves no requests.
 */
HANDLER(getHealth)
{
	const char *problem;

	db_forget_pages(r->db);
	stmt_int(db_use(r->db, &q_health), 0);
	if (db_outdated(r->db))
		return fail(r, E_BUSY, "the database file was moved or replaced: a new worker will open it; try again");
	if ((problem = ready_problem(r->arena, r->set->dir)) != NULL)
		return fail(r, E_BUSY, "%s", problem);
	json_obj(&r->json);
	json_kstr(&r->json, "status", "ok");
	json_end(&r->json);
	r->cache = "no-store";
	return 0;
}

/* GET /openapi.json */
HANDLER(getOpenAPI)
{
	openapi_write(&r->json, r->app, r->set->url);
	return 0;
}
