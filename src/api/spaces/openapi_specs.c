/*
 * OpenAPI specifications of an organization. Tables openapi_*. A request stores a source here and
 * queues a job, which fetches, checks and parses it (src/jobs/openapi_job.c). All answers come from
 * the newest complete version; a run that fails does not change it.
 */
#include <cjson/cJSON.h>

#include "api/audit_events.h"
#include "api/examples.h"
#include "api/lists.h"
#include "api/meta.h"
#include "api/openapi_specs.h"
#include "api/wake_runner.h"
#include "api/refusals.h"
#include "api/stored_address.h"
#include "app/audit.h"
#include "app/queue.h"
#include "audience/visit.h"
#include "base/address.h"
#include "base/exact.h"
#include "base/pack.h"
#include "base/secret.h"
#include "base/url.h"
#include "http/req.h"
#include "jobs/openapi.h"
#include "propagate/spec_versions.h"

/* A source has exactly one member: SHAPE_SOME requires at least one, and source_or_fail() refuses two. */
static const struct shape Source = { "OpenAPISpecSource", (const struct field[]){
	{ "url", T_URI, F_ALTERNATIVE, .min = 1, .max = 2048, .doc = "Address to fetch it from, now and from time to time",
	  .example = "https://api.example.com/openapi.yaml" },
	{ "text", T_TEXT, .min = 1, .doc = "Text of the API description, in JSON or YAML",
	  .example = "openapi: 3.0.3\ninfo: {title: Pets, version: '1'}\npaths: {}\n" },
	{ 0 } }, .flags = SHAPE_SOME };
/* { url } or { text } (docs/design/jobs.md, "Descriptions of APIs"). */
#define SOURCE { "source", T_OBJECT, F_REQ, .of = &Source, .doc = "Source of the description: an address, or text" }
const struct shape OpenAPISpecCreate = { "CreateOpenAPISpec", (const struct field[]){
	{ "slug", T_TEXT, F_REQ, .min = 1, .max = 100, .pattern = "^[a-zA-Z0-9]+(-[a-zA-Z0-9]+)*$",
	  .want = "letters and digits, with single hyphens between them", .doc = "Name in addresses; upper and lower case differ",
	  .example = "pet-store" },
	SOURCE,
	{ 0 } } };
const struct shape OpenAPISpecPut = { "CreateOrUpdateOpenAPISpec", (const struct field[]){
	SOURCE,
	{ 0 } } };
#define RELAY_DOC "Where the installation sends requests of readers who use Try it"
const struct shape OpenAPISpecEdit = { "UpdateOpenAPISpec", (const struct field[]){
	{ "visibility", T_ENUM, .set = "private,public", .doc = "public: readable without a token" },
	{ "relay", T_OBJECT, .of = &OpenAPISpecRelay, .doc = RELAY_DOC "; takes the role admin" },
	{ 0 } }, .flags = SHAPE_SOME };

static const struct shape SpecError = { "OpenAPIErrorObject", (const struct field[]){
	{ "message", T_TEXT, F_REQ, .doc = "Message with the place of the fault", .example = "/info: \"title\" is missing" },
	{ "code", T_TEXT, .doc = "SYNTAX, VERSION, INVALID, REFERENCE, FETCH, REFUSED, LIMIT or CANCELLED",
	  .example = "INVALID" },
	{ "pointer", T_TEXT, .doc = "JSON pointer to the place of the fault", .example = "/info" },
	{ 0 } } };
static const struct shape SpecPermissions = { "OpenAPISpecPermissions", (const struct field[]){
	{ "view", T_BOOL, F_REQ, .doc = "You may read it" }, { "edit", T_BOOL, F_REQ, .doc = "You may change it" },
	{ 0 } } };
#define EXAMPLE_LOCATION EXAMPLE_URL "/orgs/" EXAMPLE_ORG "/openapi/pet-store"

/* Every route here requires the role read, so `view` is always true (docs/design/permissions.md, "Flags"). */
static void
emit_permissions(struct json *j, const struct field *f, const struct row *w)
{
	json_kobj(j, f->name);
	json_kbool(j, "view", true);
	json_kbool(j, "edit", w->r->org.role >= ROLE_CREATE);
	json_end(j);
}

static char *
published_url(struct req *r, const char *spec)
{
	return url_for(r, "/v1/published/openapi/%s", spec);
}

/*
 * Addresses of the API contain the slug. The published address contains the id: otherwise a later
 * specification with the same slug would take over the address of a deleted one.
 */
static void
emit_published(struct json *j, const struct field *f, const struct row *w)
{
	if (strcmp(row_text(w, "visibility"), "public") == 0 && !row_null(w, "latest"))
		json_kstr(j, f->name, published_url(w->r, row_text(w, "id")));
}

static const struct shape SpecUrls = { "OpenAPISpecUrls", (const struct field[]){
	{ "location", T_TEXT, F_REQ, .url = "/v1/orgs/{:org}/openapi/{slug}", .doc = "Address in this API", .example = EXAMPLE_LOCATION },
	{ "app", T_TEXT, F_REQ, .url = "/v1/orgs/{:org}/openapi/{slug}", .app = "/app/orgs/{:org}#spec-{slug}",
	  .doc = "Page of the application; the address in this API where OCTAVO_APP=0",
	  .example = EXAMPLE_APP "/orgs/" EXAMPLE_ORG "#spec-" EXAMPLE_SPEC },
	{ "published", T_TEXT, .emit = emit_published, .doc = "Address that needs no token; absent: the specification is private or has "
	  "no version", .example = EXAMPLE_URL "/published/openapi/" EXAMPLE_SPEC },
	{ 0 } } };

/* The address is masked again, since the rules for secrets may be stricter now than when it was stored. */
static void
emit_source(struct json *j, const struct field *f, const struct row *w)
{
	if (!row_null(w, "url"))
		json_kstr(j, f->name, url_shown(w->r->arena, row_text(w, "url")));
}

/* Writes the errors, a JSON array that the job stored. */
static void
emit_errors(struct json *j, const struct field *f, const struct row *w)
{
	/* NULL: the last run succeeded, or there was none yet. */
	if (row_null(w, "errors"))
		return;
	json_key(j, f->name);
	json_raw(j, str_of(row_text(w, "errors")));
}

const struct shape OpenAPISpec = { "OpenAPISpec", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "openapi-spec", .doc = "Kind of object" },
	{ "id", T_TEXT, F_REQ, .doc = "Unique id", .example = EXAMPLE_SPEC },
	{ "createdAt", T_TIME, F_REQ, .col = "created_at", .doc = "When it was created" },
	{ "updatedAt", T_TIME, F_REQ, .col = "updated_at", .doc = "When it was last changed" },
	{ "slug", T_TEXT, F_REQ, .doc = "Name in addresses", .example = "pet-store" },
	{ "sourceURL", T_TEXT, .emit = emit_source, .doc = "Address that it is fetched from, with *** in place of parts that look like a "
	  "secret; absent: it was sent as text", .example = "https://api.example.com/openapi.yaml" },
	{ "processingState", T_ENUM, F_REQ, .set = "pending,progress,complete", .col = "state",
	  .doc = "complete: processing of the last source has ended, with or without errors" },
	{ "visibility", T_ENUM, .set = "private,public", .doc = "public: readable without a token" },
	{ "relay", T_OBJECT, F_REQ, .of = &OpenAPISpecRelay, .join = "", .doc = RELAY_DOC },
	{ "lastVersion", T_TEXT, .col = "latest", .doc = "Id of the newest version", .example = EXAMPLE_VERSION },
	{ "lastProcessedAt", T_TIME, .col = "processed_at", .doc = "When the last processing ended" },
	{ "lastProcessErrorCode", T_ENUM, .set = "FETCH_TIMEOUT,FETCH_ERROR,PARSE_ERROR", .col = "error_code",
	  .doc = "Why the last processing failed; absent: it succeeded" },
	{ "lastProcessedErrors", T_LIST, .of = &SpecError, .emit = emit_errors,
	  .doc = "First 100 faults; without lastProcessErrorCode, they are faults of the version that is shown" },
	{ "lastProcessedErrorCount", T_INT, F_REQ, .col = "error_count", .doc = "Number of faults", .example = "0" },
	{ "permissions", T_OBJECT, F_REQ, .of = &SpecPermissions, .emit = emit_permissions, .doc = "What you may do with it" },
	{ "urls", T_OBJECT, F_REQ, .of = &SpecUrls, .join = "", .doc = "Its addresses" },
	{ 0 } } };
LIST_SHAPE(OpenAPISpecList, OpenAPISpec);

static const struct shape VersionUrls = { "OpenAPISpecVersionUrls", (const struct field[]){
	{ "location", T_TEXT, F_REQ, .url = "/v1/orgs/{:org}/openapi/{slug}/versions/{id}",
	  .doc = "Address in this API", .example = EXAMPLE_LOCATION "/versions/" EXAMPLE_VERSION },
	{ 0 } } };

const struct shape OpenAPISpecVersion = { "OpenAPISpecVersion", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "openapi-spec-version", .doc = "Kind of object" },
	{ "id", T_TEXT, F_REQ, .doc = "Unique id", .example = EXAMPLE_VERSION },
	{ "createdAt", T_TIME, F_REQ, .col = "created_at", .doc = "When it was created" },
	{ "url", T_TEXT, F_REQ, .url = "/v1/orgs/{:org}/openapi/{slug}/versions/{id}/content/raw", .doc = "Address of its bytes as they "
	  "were received", .example = EXAMPLE_LOCATION "/versions/" EXAMPLE_VERSION "/content/raw" },
	{ "urls", T_OBJECT, F_REQ, .of = &VersionUrls, .join = "", .doc = "Its addresses" },
	{ 0 } } };
LIST_SHAPE(OpenAPISpecVersionList, OpenAPISpecVersion);

static const struct shape SpecFile = { "OpenAPISpecFile", (const struct field[]){
	{ "filename", T_TEXT, F_REQ, .doc = "Name, or the address of a document that another document refers to",
	  .example = "openapi.yaml" },
	{ "dir", T_TEXT, F_REQ, .doc = "Always ./", .example = "./" },
	{ "isEntrypoint", T_BOOL, F_REQ, .doc = "true: the document that processing starts with" },
	{ "references", T_LIST, F_REQ, .item = &(const struct field){ "", T_TEXT }, .example = "[]",
	  .doc = "Always empty: references are not resolved" },
	{ "specification", T_OBJECT, F_REQ | F_TYPE_ONLY, .of = &AnyObject, .doc = "Content of the specification",
	  .example = "{\"openapi\":\"3.0.3\",\"info\":{\"title\":\"Pets\",\"version\":\"1\"},\"paths\":{}}" },
	{ 0 } } };
static const struct shape ContentUrls = { "OpenAPISpecContentUrls", (const struct field[]){
	{ "source", T_TEXT, F_REQ, .doc = "Source of the version", .example = "https://api.example.com/openapi.yaml" },
	{ "public", T_TEXT, F_REQ | F_NULL, .doc = "Address that needs no token; null: the specification is private",
	  .example = EXAMPLE_URL "/published/openapi/" EXAMPLE_SPEC },
	{ 0 } } };
const struct shape OpenAPISpecContent = { "OpenAPISpecContent", (const struct field[]){
	{ "filesystem", T_LIST, F_REQ, .of = &SpecFile, .doc = "Documents of the version" },
	{ "url", T_TEXT, F_REQ, .doc = "Public address; otherwise the address of the source",
	  .example = "https://api.example.com/openapi.yaml" },
	{ "urls", T_OBJECT, F_REQ, .of = &ContentUrls, .doc = "Addresses" },
	{ 0 } } };

/* latest is NULL until a source has been processed without error. */
#define SPEC_COLS \
	"s.id, s.slug, s.url, s.visibility, s.state, s.latest, s.processed_at, s.error_code, s.errors, " \
	"s.error_count, s.relay, s.created_at, s.updated_at"
/*
 * At most one row: the index openapi_spec_slug is unique among specifications that are not deleted.
 * Slugs are case-sensitive. :slug may also be an id (store/computed.h).
 */
#define SPEC_OF "s.org = :org AND s.slug = COALESCE((SELECT o.slug FROM openapi_spec o WHERE o.id = :slug " \
	"AND o.org = :org AND o.deleted_at IS NULL), :slug) AND s.deleted_at IS NULL"
/* The index openapi_spec_age has this order. */
SQL(q_specs,
    "SELECT " SPEC_COLS ", s.created_at AS k1, s.id AS k2 FROM openapi_spec s WHERE s.org = :org "
    "AND s.deleted_at IS NULL AND (s.created_at, s.id) < "
    "(COALESCE(CAST(:k1 AS BIGINT), " SQL_EXACT_MAX "), COALESCE(:k2, '')) "
    "ORDER BY s.created_at DESC, s.id DESC LIMIT :limit");
SQL(q_specs_count, "SELECT count(*) FROM openapi_spec WHERE org = :org AND deleted_at IS NULL");
SQL(q_spec, "SELECT " SPEC_COLS " FROM openapi_spec s WHERE " SPEC_OF);
SQL(q_add,
    "INSERT INTO openapi_spec (id, org, slug, created_at, updated_at) "
    "VALUES (:id, :org, :slug, :now, :now)");
/*
 * The column `asked` increases when the source of a specification changes. The result of a job is
 * discarded if the column has increased since the job was queued. etag and modified belong to the address, so they are cleared
 * when it changes.
 */
SQL(q_source,
    /*
     * The column url contains the address with secrets masked. If anything was masked, the whole
     * address is also stored sealed. A client that sends the masked address back keeps the stored
     * one.
     */
    "UPDATE openapi_spec SET url = :shown, state = 'pending', asked = asked + 1, "
    "url_sealed = CASE WHEN url = :url THEN url_sealed ELSE :sealed END, "
    "etag = CASE WHEN url IS NOT DISTINCT FROM :url THEN etag END, "
    "modified = CASE WHEN url IS NOT DISTINCT FROM :url THEN modified END, "
    "updated_at = :now WHERE id = :id");
/*
 * The text of a source is in a table of its own, since each step of the processing rewrites the row
 * of the specification.
 */
SQL(q_given,
    "INSERT INTO openapi_given (spec, data) VALUES (:id, :data) "
    "ON CONFLICT (spec) DO UPDATE SET data = excluded.data");
SQL(q_given_drop, "DELETE FROM openapi_given WHERE spec = :id");
SQL(q_asked, "SELECT asked FROM openapi_spec WHERE id = :id");
SQL(q_edit,
    "UPDATE openapi_spec SET visibility = COALESCE(:visibility, visibility), relay = COALESCE(:relay, relay), updated_at = :now "
    "WHERE id = :id");
/*
 * Only marks the specification. Pages computed from it must be revised first; then a job deletes
 * the row and its versions.
 */
SQL(q_delete, "UPDATE openapi_spec SET deleted_at = :now, state = 'complete' WHERE id = :id");
SQL(q_slug, "SELECT slug FROM openapi_spec WHERE id = :id");
SQL(q_url, "SELECT url FROM openapi_spec WHERE id = :id");
SQL(q_snapshot,
    "SELECT slug, visibility, url AS \"sourceURL\", relay FROM openapi_spec WHERE id = :id AND org = :org");
/* Only complete versions (shown = 1), since a new one may still be in progress. */
#define VERSION_FROM "openapi_version v JOIN openapi_spec s ON s.id = v.spec AND v.shown = 1"
/*
 * The column no counts the versions of a specification from 1. It is both the key of the page token
 * and the order.
 */
SQL(q_versions,
    "SELECT v.id, s.slug, v.created_at, v.no AS k1 FROM " VERSION_FROM " WHERE " SPEC_OF " "
    "AND v.no < COALESCE(CAST(:k1 AS BIGINT), " SQL_EXACT_MAX ") ORDER BY v.no DESC LIMIT :limit");
/* The row of the specification contains the number of its versions. */
SQL(q_versions_count, "SELECT s.versions FROM openapi_spec s WHERE " SPEC_OF);
/*
 * Finds a version of the specification of the path: the id of another one's version is not found
 * (docs/design/security.md, "S1"). If :version is NULL, it finds the latest one, if there is one.
 */
SQL(q_version,
    "SELECT v.id, s.slug, v.created_at, v.url, s.visibility, s.id AS spec FROM " VERSION_FROM " WHERE "
    SPEC_OF " AND v.id = COALESCE(CAST(:version AS TEXT), s.latest)");
/*
 * no 0 is the document that was sent or fetched; others are documents that it refers to. Column 2
 * is the document, or its JSON if it was YAML; column 3 is its size before compression, NULL if it
 * is not compressed.
 */
SQL(q_files,
    "SELECT name, COALESCE(parsed, data), COALESCE(parsed_size, size), CASE WHEN parsed IS NULL THEN json END "
    "FROM openapi_file WHERE version = :version ORDER BY no");
/* The document with its bytes as they were received. */
SQL(q_raw, "SELECT media, data, size FROM openapi_file WHERE version = :version AND no = 0");
/* Checked at each request and not cached: a specification made private is 404 from then on. */
SQL(q_published,
    "SELECT latest FROM openapi_spec WHERE id = :id AND visibility = 'public' AND deleted_at IS NULL "
    "AND latest IS NOT NULL");

/* Prepares a statement with the slug of the path or, in a POST, of the body, and does not step it. */
static struct stmt *
bind_spec(struct req *r, const struct sql *sql)
{
	struct stmt *q = db_use(r->db, sql);

	bind_text(q, ":org", r->org.id);
	bind_text(q, ":slug", path_has(r, "specSlug") ? path_id(r, "specSlug") : body_text(r, "slug"));
	return q;
}

struct stmt *
openapi_row(struct req *r, const char *org, const char *slug)
{
	struct stmt *q = db_use(r->db, &q_spec);

	bind_text(q, ":org", org);
	bind_text(q, ":slug", slug);
	return stmt_step(q) ? q : NULL;
}

/* Returns the id of the specification; NULL if there is none. */
static const char *
spec_id(struct req *r)
{
	struct stmt *q = bind_spec(r, &q_spec);

	return stmt_dup(q, r->arena);
}

static const char *
spec_slug(struct req *r, const char *id)
{
	struct stmt *q = db_use(r->db, &q_slug);

	bind_text(q, ":id", id);
	return stmt_dup(q, r->arena);
}

/* Replies with the specification of {specSlug}. */
static int
reply_spec(struct req *r)
{
	struct stmt *q = bind_spec(r, &q_spec);

	if (!stmt_step(q))
		return fail(r, E_NOT_FOUND, "no OpenAPI specification %s", path_id(r, "specSlug"));
	return reply_current(r, q, &OpenAPISpec);
}

/* Returns the address, with secrets masked, of the specification with this slug; NULL if it has none. */
static const char *
find_shown_url(struct req *r)
{
	const char *id = spec_id(r);
	struct stmt *q;

	if (id == NULL)
		return NULL;
	q = db_use(r->db, &q_url);
	bind_text(q, ":id", id);
	return stmt_dup(q, r->arena);
}

/* Checks the source of the body, which must be either an address or a text. 0 or fail(). */
static int
source_or_fail(struct req *r)
{
	const cJSON *source = body_get(r, "source");
	const cJSON *url = cJSON_GetObjectItemCaseSensitive(source, "url");
	const cJSON *text = cJSON_GetObjectItemCaseSensitive(source, "text");
	const char *why;

	if ((url == NULL) == (text == NULL))
		return fail_field(r, "/source", "takes either \"url\" or \"text\"");
	if (url == NULL)
		return 0;
	/*
	 * Checked here for a clear error. The fetcher checks each address to which the name
	 * resolves, and each redirect, again (docs/design/security.md, "S9").
	 */
	why = address_refuse_url(r->arena, url->valuestring, r->set->fetch_private);
	if (why != NULL)
		return fail_field(r, "/source/url", "is refused: %s", why);
	return unmasked_or_fail(r, "/source/url", url->valuestring, find_shown_url(r));
}

/*
 * Stores the text of the source. text NULL: deletes an earlier text, so that a waiting job cannot
 * process it.
 */
static void
store_given(struct req *r, const char *id, const cJSON *text)
{
	struct stmt *q = db_use(r->db, text != NULL ? &q_given : &q_given_drop);

	bind_text(q, ":id", id);
	if (text != NULL)
		bind_blob(q, ":data", str_of(text->valuestring));
	stmt_run(q);
}

/* Stores the body's source and queues its processing. */
static void
store_source(struct req *r, const char *id)
{
	const cJSON *source = body_get(r, "source");
	const cJSON *url = cJSON_GetObjectItemCaseSensitive(source, "url");
	const cJSON *text = cJSON_GetObjectItemCaseSensitive(source, "text");
	struct stmt *q = db_use(r->db, &q_source);
	struct job job = { .kind = "openapi", .org = r->org.id, .queue = id, .user = r->who.user };

	/* source_or_fail() has ensured that exactly one of url and text is NULL. */
	bind_text(q, ":url", url == NULL ? NULL : url->valuestring);
	bind_address(q, r->arena, url == NULL ? NULL : url->valuestring);
	bind_text(q, ":id", id);
	bind_int(q, ":now", time_now());
	stmt_run(q);
	store_given(r, id, text);
	q = db_use(r->db, &q_asked);
	bind_text(q, ":id", id);
	/*
	 * The job's arguments do not contain the source: the job reads it from the database, and
	 * stops if a newer source is there.
	 */
	job.args = arena_printf(r->arena, "{\"spec\":\"%s\",\"asked\":%lld}", id, (long long)stmt_int(q, 0));
	job_add(r->db, r->arena, &job, 0);
	schedule_drop(r->db, openapi_schedule(r->arena, id));
	r->after = wake_runner;
}

/* Returns the specification as JSON for the audit record, without the source's text, which may have megabytes. */
static char *
spec_snapshot(struct req *r, const char *id)
{
	struct stmt *q = db_use(r->db, &q_snapshot);

	bind_text(q, ":id", id);
	bind_text(q, ":org", r->org.id);
	return audit_snapshot(r->arena, q);
}

static struct audit_event
make_event(struct req *r, enum audit_action action, const char *id)
{
	return (struct audit_event){ .action = action, .org = r->org.id, .type = "openapi-spec", .target = id };
}

/* Adds a specification with the body's source; returns its id. */
static const char *
add_spec(struct req *r, const char *slug)
{
	char *id = secret_id(r->arena);
	struct audit_event e = make_event(r, AUDIT_OPENAPI_CREATE, id);
	struct stmt *q = db_use(r->db, &q_add);

	bind_text(q, ":id", id);
	bind_text(q, ":org", r->org.id);
	bind_text(q, ":slug", slug);
	bind_int(q, ":now", time_now());
	stmt_run(q);
	store_source(r, id);
	e.after = spec_snapshot(r, id);
	audit(r, &e);
	return id;
}

/* GET /orgs/{organizationId}/openapi: newest first. */
HANDLER(listOpenAPISpecs)
{
	struct stmt *q;
	struct list l;
	int64_t count;

	if (list_open(r, &l, 2) != 0)
		return -1;
	q = db_use(r->db, &q_specs_count);
	bind_text(q, ":org", r->org.id);
	count = stmt_int(q, 0);
	q = db_use(r->db, &q_specs);
	bind_text(q, ":org", r->org.id);
	list_bind(q, &l);
	return list_reply(r, &l, q, &OpenAPISpec, count);
}

/* POST /orgs/{organizationId}/openapi */
HANDLER(createOpenAPISpec)
{
	const char *slug = body_text(r, "slug");
	struct stmt *q;

	if (source_or_fail(r) != 0 || job_room_or_fail(r) != 0)
		return -1;
	if (spec_id(r) != NULL)
		return fail(r, E_CONFLICT, "the organization has an OpenAPI specification \"%s\" already; "
		    "PUT /orgs/%s/openapi/%s updates it", slug, r->org.id, slug);
	/*
	 * The look-up above and this insert are in one write transaction, so no other request can
	 * take the slug in between.
	 */
	add_spec(r, slug);
	reply_created(r, arena_printf(r->arena, "/orgs/%s/openapi/%s", r->org.id, slug));
	q = bind_spec(r, &q_spec);
	stmt_step(q);
	return reply_current(r, q, &OpenAPISpec);
}

/* GET /orgs/{organizationId}/openapi/{specSlug} */
HANDLER(getOpenAPISpecBySlug)
{
	return reply_spec(r);
}

/* Checks that the slug of the path is valid for a specification. 0 or fail(). */
static int
slug_or_fail(struct req *r)
{
	const char *slug = path_id(r, "specSlug"), *p;

	for (p = slug; *p != '\0'; p++)
		if (!((*p | 32) >= 'a' && (*p | 32) <= 'z') && !(*p >= '0' && *p <= '9') &&
		    !(*p == '-' && p > slug && p[1] != '-' && p[1] != '\0'))
			return fail(r, E_BAD_REQUEST, "a slug has letters and digits, with single hyphens between them");
	if (strlen(slug) > 100)
		return fail(r, E_BAD_REQUEST, "a slug has at most 100 characters");
	return 0;
}

/* PUT /orgs/{organizationId}/openapi/{specSlug} */
HANDLER(createOrUpdateOpenAPISpecBySlug)
{
	const char *id = spec_id(r);
	struct audit_event e;
	char *before;

	/*
	 * The status is 200 whether the specification is created or replaced
	 * (docs/design/requests.md, "Success status").
	 */
	if (source_or_fail(r) != 0 || slug_or_fail(r) != 0 || job_room_or_fail(r) != 0)
		return -1;
	if (id == NULL) {
		add_spec(r, path_id(r, "specSlug"));
		return reply_spec(r);
	}
	before = spec_snapshot(r, id);
	store_source(r, id);
	e = make_event(r, AUDIT_OPENAPI_UPDATE, id);
	audit_change(r, &e, before, spec_snapshot(r, id));
	return reply_spec(r);
}

/* DELETE /orgs/{organizationId}/openapi/{specSlug} */
HANDLER(deleteOpenAPISpecBySlug)
{
	const char *id = spec_id(r);
	struct audit_event e = make_event(r, AUDIT_OPENAPI_DELETE, id);
	const char *slug;
	struct stmt *q;
	size_t showed;

	if (id == NULL)
		return reply_empty(r);
	slug = spec_slug(r, id);
	q = db_use(r->db, &q_delete);
	/* Written before the deletion, while the row still has its slug and its source. */
	e.before = spec_snapshot(r, id);
	audit(r, &e);
	bind_text(q, ":id", id);
	bind_int(q, ":now", time_now());
	stmt_run(q);
	store_given(r, id, NULL);
	schedule_drop(r->db, openapi_schedule(r->arena, id));
	/* Spaces with pages computed from it get a revision without them; the warning contains their number. */
	if ((showed = revise_showing_spaces(r->db, r->arena, r->org.id, slug)) > 0)
		r->warning = arena_printf(r->arena, "%zu space%s showed this specification: its pages and blocks are gone there, "
		    "and the lists of links (status broken) name the pages that still refer to it", showed, showed == 1 ? "" : "s");
	return reply_empty(r);
}

/* PATCH /orgs/{organizationId}/openapi/{specSlug} */
HANDLER(updateOpenAPISpecBySlug)
{
	const char *id = spec_id(r), *relay;
	struct audit_event e = make_event(r, AUDIT_OPENAPI_UPDATE, id);
	struct stmt *q;
	char *before;
	int status;

	relay = openapi_relay_or_fail(r, &status);
	if (status != 0 || id == NULL)
		return status != 0 ? status : reply_spec(r);
	before = spec_snapshot(r, id);
	q = db_use(r->db, &q_edit);
	bind_text(q, ":visibility", body_text(r, "visibility"));
	bind_text(q, ":relay", relay);
	bind_text(q, ":id", id);
	bind_int(q, ":now", time_now());
	stmt_run(q);
	audit_change(r, &e, before, spec_snapshot(r, id));
	return reply_spec(r);
}

/* ---- versions ---- */

/* Finds {versionId}, if the path has it, else the newest version. NULL after fail(). */
static struct stmt *
version_row(struct req *r)
{
	struct stmt *q = bind_spec(r, &q_version);

	bind_text(q, ":version", path_has(r, "versionId") ? path_id(r, "versionId") : NULL);
	if (stmt_step(q))
		return q;
	fail(r, E_NOT_FOUND, "no such version of an OpenAPI specification %s", path_id(r, "specSlug"));
	return NULL;
}

static int
reply_version(struct req *r)
{
	struct stmt *q = version_row(r);

	return q == NULL ? -1 : reply_current(r, q, &OpenAPISpecVersion);
}

/* Returns the document in column 2 of the row. Column 3 is its uncompressed size, NULL if it is not compressed. */
static struct str
unpack_column(struct req *r, struct stmt *q)
{
	struct str out = col_bytes(q, 1);

	if (!col_null(q, 2) && !unpack(r->arena, out, (size_t)col_int(q, 2), &out))
		db_lost(r->db, "a document of this specification is damaged in the database and cannot be read; send it anew");
	return out;
}

/* Writes the documents with their contents. */
static void
write_documents(struct req *r, struct json *j, const char *version)
{
	struct stmt *q = db_use(r->db, &q_files);
	bool first = true;

	json_karr(j, "filesystem");
	bind_text(q, ":version", version);
	while (stmt_step(q)) {
		json_obj(j);
		json_kstr(j, "filename", url_shown(r->arena, col_text(q, 0)));
		json_kstr(j, "dir", "./");
		json_kbool(j, "isEntrypoint", first);
		json_karr(j, "references");
		json_end(j);
		json_key(j, "specification");
		/*
		 * A YAML document is shown as JSON; only the raw routes return the original bytes.
		 */
		json_raw(j, col_null(q, 3) ? unpack_column(r, q) : col_bytes(q, 3));
		json_end(j);
		first = false;
	}
	json_end(j);
}

/*
 * Replies with the documents of a version. A version never changes, but its specification may be
 * made private.
 */
static int
reply_content(struct req *r)
{
	struct stmt *q;
	const char *source, *public, *id;
	struct json *j = &r->json;

	/* A visitor of a site sees only specifications that pages of the site show. */
	if (r->visit != NULL && !visit_sees_spec(r->visit, path_id(r, "specSlug")))
		return fail(r, E_NOT_FOUND, "no OpenAPI specification %s", path_id(r, "specSlug"));
	if ((q = version_row(r)) == NULL)
		return -1;
	id = col_dup(q, 0, r->arena);
	public = strcmp(col_text(q, col(q, "visibility")), "public") == 0 ?
	    published_url(r, col_text(q, col(q, "spec"))) : NULL;
	/* Visitors must not see the address from which the specification is fetched. */
	source = r->visit != NULL || col_null(q, col(q, "url")) ? url_for(r, "/v1/orgs/%s/openapi/%s/versions/%s/content/raw",
	    r->org.id, path_id(r, "specSlug"), id) : url_shown(r->arena, col_text(q, col(q, "url")));
	/*
	 * The ETag covers all that the answer depends on. If it matches, the documents are not even
	 * read.
	 */
	if (not_modified(r, "openapi %s %s %s", id, source, public != NULL ? public : ""))
		return 0;
	json_obj(j);
	write_documents(r, j, id);
	json_kstr(j, "url", public != NULL ? public : source);
	json_kobj(j, "urls");
	json_kstr(j, "source", source);
	json_kstr(j, "public", public);
	json_end(j);
	json_end(j);
	return 0;
}

/* Replies with the bytes as received. */
static int
reply_raw(struct req *r, const char *version)
{
	struct stmt *q = db_use(r->db, &q_raw);

	if (not_modified(r, "openapi raw %s", version))
		return 0;
	bind_text(q, ":version", version);
	if (!stmt_step(q))
		return fail(r, E_NOT_FOUND, "no such version");
	/* This is the media type that the job chose, and not the one that the source's server sent. */
	r->content_type = col_dup(q, 0, r->arena);
	buf_put(&r->out, unpack_column(r, q));
	return 0;
}

static int
reply_raw_version(struct req *r)
{
	struct stmt *q = version_row(r);

	return q == NULL ? -1 : reply_raw(r, col_dup(q, 0, r->arena));
}

/* GET /orgs/{organizationId}/openapi/{specSlug}/versions: newest first. */
HANDLER(listOpenAPISpecVersions)
{
	struct stmt *q;
	struct list l;
	int64_t count;

	if (list_open(r, &l, 1) != 0)
		return -1;
	/* -1: no row, so there is no such specification; the count of one without versions is 0. */
	if ((count = stmt_int(bind_spec(r, &q_versions_count), -1)) < 0)
		return fail(r, E_NOT_FOUND, "no OpenAPI specification %s", path_id(r, "specSlug"));
	q = bind_spec(r, &q_versions);
	list_bind(q, &l);
	return list_reply(r, &l, q, &OpenAPISpecVersion, count);
}

/* GET /orgs/{organizationId}/openapi/{specSlug}/versions/latest */
HANDLER(getLatestOpenAPISpecVersion)
{
	return reply_version(r);
}

/* GET /orgs/{organizationId}/openapi/{specSlug}/versions/latest/content */
HANDLER(getLatestOpenAPISpecVersionContent)
{
	return reply_content(r);
}

/* GET /orgs/{organizationId}/openapi/{specSlug}/versions/latest/content/raw */
HANDLER(getLatestOpenAPISpecVersionRaw)
{
	return reply_raw_version(r);
}

/* GET /orgs/{organizationId}/openapi/{specSlug}/versions/{versionId} */
HANDLER(getOpenAPISpecVersionById)
{
	return reply_version(r);
}

/* GET /orgs/{organizationId}/openapi/{specSlug}/versions/{versionId}/content */
HANDLER(getOpenAPISpecVersionContentById)
{
	return reply_content(r);
}

/* GET /orgs/{organizationId}/openapi/{specSlug}/versions/{versionId}/content/raw */
HANDLER(getOpenAPISpecVersionRawById)
{
	return reply_raw_version(r);
}

/*
 * GET /published/openapi/{openAPISpecId}: needs no token. A private specification answers 404, as
 * one that does not exist.
 */
HANDLER(getPublishedOpenAPISpec)
{
	struct stmt *q = db_use(r->db, &q_published);

	bind_text(q, ":id", path_id(r, "openAPISpecId"));
	if (!stmt_step(q))
		return fail(r, E_NOT_FOUND, "no published OpenAPI specification %s", path_id(r, "openAPISpecId"));
	return reply_raw(r, col_dup(q, 0, r->arena));
}
