/* The API about itself: version, health, description; and the shapes of common queries. */
#include "api.h"
#include "base/build.h"

#define REVISION_PARAMS \
	{ "metadata", T_BOOL, .preset = "true", .doc = "false leaves git metadata out" }, \
	{ "computed", T_BOOL, .preset = "true", .doc = "false leaves computed content as it is" }
#define DOCUMENT_PARAMS \
	{ "evaluated", T_ENUM, .set = "true,false,deterministic-only", .preset = "\"false\"" }

const struct shape ListQuery = { "ListQuery", (const struct field[]){
	PAGING, REVISION_PARAMS, { 0 } } };
const struct shape RevisionQuery = { "RevisionQuery", (const struct field[]){
	REVISION_PARAMS, { 0 } } };
const struct shape PageQuery = { "PageQuery", (const struct field[]){
	{ "format", T_ENUM, .set = "document,markdown", .preset = "\"document\"" },
	{ "format.markdown.refs", T_ENUM, .set = "stable,relative", .preset = "\"relative\"",
	  .doc = "stable: links are written as /pages/ID, /files/ID" },
	DOCUMENT_PARAMS, REVISION_PARAMS, { 0 } } };
const struct shape DocumentQuery = { "DocumentQuery", (const struct field[]){
	DOCUMENT_PARAMS,
	{ "dereferenced", T_LIST, .item = &(const struct field){ "", T_ENUM, .set = "reusable-contents" },
	  .doc = "reusable-contents: they are put in their place" },
	{ 0 } } };

const struct shape ApiInformation = { "ApiInformation", (const struct field[]){
	{ "version", T_TEXT, F_REQ },
	{ "build", T_TEXT, F_REQ },
	{ 0 } } };
const struct shape Health = { "Health", (const struct field[]){
	{ "status", T_CONST, F_REQ, .set = "ok" },
	{ 0 } } };
const struct shape AnyObject = { "AnyObject", (const struct field[]){ { 0 } }, .flags = SHAPE_OPEN };

SQL(q_health, "SELECT count(*) FROM org WHERE id = ''");

/* GET / */
int
getApiInformation(struct req *r)
{
	json_obj(&r->json);
	json_kstr(&r->json, "version", "1");
	json_kstr(&r->json, "build", octavo_build);
	json_end(&r->json);
	return 0;
}

/* GET /healthz: a statement that reads a table; a failure answers 503 by itself. */
int
getHealth(struct req *r)
{
	stmt_int(db_use(r->db, &q_health), 0);
	json_obj(&r->json);
	json_kstr(&r->json, "status", "ok");
	json_end(&r->json);
	r->cache = "no-store";
	return 0;
}

/* GET /openapi.json */
int
getOpenAPI(struct req *r)
{
	openapi_write(&r->json, r->app, r->set->url);
	return 0;
}
