/*
 * Translations: copies of a space in another language that jobs keep up to date (jobs/translate.h).
 * Tables translation, translation_page. Requests create, read and run them here. A caller who may
 * not read the source space sees none of its translations.
 */
#include <cjson/cJSON.h>

#include "api/access.h"
#include "api/audit_events.h"
#include "api/document_shapes.h"
#include "api/examples.h"
#include "api/lists.h"
#include "api/members.h"
#include "api/space_translations.h"
#include "api/wake_runner.h"
#include "app/audit.h"
#include "app/queue.h"
#include "app/roles.h"
#include "base/exact.h"
#include "base/secret.h"
#include "http/req.h"
#include "propagate/start_translations.h"
#include "store/space.h"

/*
 * The value of `instructions` if there are none: an empty document, since the client requires the
 * member (docs/design/requests.md, "Unset members").
 */
#define NO_TEXT "{\"object\":\"document\",\"data\":{\"schemaVersion\":1},\"nodes\":[]}"
/*
 * Maximum number of warnings in an answer. A run that fails stores a warning for every page of a
 * large space, and the list of translations contains the warnings of all of them.
 */
enum { WARNINGS = 100 };

static const struct shape SourceInput = { "TranslationSourceInput", (const struct field[]){
	{ "space", T_TEXT, F_REQ, .max = 100, .doc = "Id of the space", .example = EXAMPLE_SPACE },
	{ "language", T_ENUM, F_REQ, .set = SPACE_LANGUAGES, .doc = "Language that it is written in" },
	{ 0 } } };
#define AUTOMATIC { "automatic", T_BOOL, .doc = "true, the default: it runs after each merge in the source", \
	.example = "true" }
const struct shape TranslationCreate = { "CreateTranslation", (const struct field[]){
	{ "source", T_OBJECT, F_REQ, .of = &SourceInput, .doc = "Space that is translated" },
	{ "language", T_ENUM, F_REQ, .set = SPACE_LANGUAGES, .doc = "Language that it is translated into", .example = "es" },
	{ "instructions", T_OBJECT, .of = &JSONDocument, .doc = "Instructions for the translation engine, if it accepts any" },
	AUTOMATIC,
	{ 0 } } };
const struct shape TranslationEdit = { "UpdateTranslation", (const struct field[]){
	{ "instructions", T_OBJECT, .of = &JSONDocument, .doc = "Instructions for the translation engine, if it accepts any" },
	AUTOMATIC,
	{ 0 } }, .flags = SHAPE_SOME };

static const struct shape Source = { "TranslationSource", (const struct field[]){
	{ "space", T_TEXT, F_REQ, .doc = "Id of the space", .example = EXAMPLE_SPACE },
	{ "language", T_ENUM, F_REQ, .set = SPACE_LANGUAGES, .doc = "Language that it is written in" },
	{ 0 } } };
static const struct shape Result = { "TranslationResult", (const struct field[]){
	{ "space", T_TEXT, F_REQ, .doc = "Id of the space in the other language", .example = EXAMPLE_SPACE },
	{ "revision", T_TEXT, F_REQ, .doc = "Id of its revision that the last complete run made", .example = EXAMPLE_REVISION },
	{ "language", T_ENUM, F_REQ, .set = SPACE_LANGUAGES, .doc = "Language that it is in", .example = "es" },
	{ 0 } } };
static const struct shape Stats = { "TranslationStats", (const struct field[]){
	{ "runs", T_INT, F_REQ, .doc = "Number of complete runs", .example = "3" },
	{ "totalWords", T_INT, F_REQ, .doc = "Number of words of the source that were translated", .example = "5210" },
	{ "totalPages", T_INT, F_REQ, .doc = "Number of translated pages", .example = "41" },
	{ "totalDuration", T_INT, F_REQ, .doc = "Duration of all runs, in seconds", .example = "63" },
	{ "latestRunDuration", T_INT, F_REQ, .doc = "Duration of the latest run, in seconds", .example = "4" },
	{ "latestPages", T_INT, F_REQ, .doc = "Number of pages that the latest run translated", .example = "2" },
	{ "latestWords", T_INT, F_REQ, .doc = "Number of words that the latest run translated", .example = "320" },
	{ 0 } } };
static const struct shape Warning = { "TranslationWarning", (const struct field[]){
	{ "page", T_TEXT, F_REQ, .doc = "Id of the page or reusable content", .example = EXAMPLE_PAGE },
	{ "title", T_TEXT, F_REQ, .doc = "Its title in the other language", .example = "Primeros pasos" },
	{ "message", T_TEXT, F_REQ, .doc = "Text to check", .example = "a correction is kept; its source has changed "
	  "(line 3): Instale el servidor." },
	{ 0 } } };
static const struct shape Permissions = { "TranslationPermissions", (const struct field[]){
	{ "view", T_BOOL, F_REQ, .doc = "You may read it" }, { "edit", T_BOOL, F_REQ, .doc = "You may change, run and delete it" },
	{ 0 } } };
static const struct shape Urls = { "TranslationUrls", (const struct field[]){
	{ "location", T_TEXT, F_REQ, .url = "/v1/orgs/{:org}/translations/{id}", .doc = "Address in this API",
	  .example = EXAMPLE_URL "/orgs/" EXAMPLE_ORG "/translations/" EXAMPLE_TRANSLATION },
	{ 0 } } };

/* ---- what is shown ---- */

/*
 * Writes the state (docs/design/jobs.md, "Translations"). It is computed from the last job, and
 * from whether any run was completed, so that nothing has to be reset when a runner ends early.
 */
static void
emit_status(struct json *j, const struct field *f, const struct row *w)
{
	const char *state = row_null(w, "job_state") ? "" : row_text(w, "job_state");

	/* A queued job counts as running, since clients poll until the state is another one. */
	json_kstr(j, f->name, strcmp(state, "queued") == 0 || strcmp(state, "running") == 0 ? "running" :
	    row_null(w, "revision") ? "pending" : "completed");
}

static void
emit_source(struct json *j, const struct field *f, const struct row *w)
{
	json_kobj(j, f->name);
	json_kstr(j, "space", row_text(w, "source"));
	json_kstr(j, "language", row_text(w, "source_language"));
	json_end(j);
}

/* Omits the result before the first complete run, since it is partial until then. */
static void
emit_result(struct json *j, const struct field *f, const struct row *w)
{
	if (row_null(w, "revision"))
		return;
	json_kobj(j, f->name);
	json_kstr(j, "space", row_text(w, "result"));
	json_kstr(j, "revision", row_text(w, "revision"));
	json_kstr(j, "language", row_text(w, "language"));
	json_end(j);
}

static void
emit_stats(struct json *j, const struct field *f, const struct row *w)
{
	static const struct { const char *name, *col; int64_t unit; } counts[] = { { "runs", "runs", 1 },
		/* Durations are stored in milliseconds and returned in seconds, rounded. */
		{ "totalWords", "words", 1 }, { "totalPages", "pages", 1 }, { "totalDuration", "duration", 1000 },
		{ "latestRunDuration", "latest_duration", 1000 }, { "latestPages", "latest_pages", 1 },
		{ "latestWords", "latest_words", 1 } };
	size_t i;

	json_kobj(j, f->name);
	for (i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		json_kint(j, counts[i].name, (row_int(w, counts[i].col) + counts[i].unit / 2) / counts[i].unit);
	json_end(j);
}

SQL(q_warnings,
    "SELECT page, title, warnings FROM translation_page WHERE translation = :id AND warnings IS NOT NULL ORDER BY page");

/* warnings is a JSON array of texts that the job wrote; NULL for a page without any. */
static void
emit_warnings(struct json *j, const struct field *f, const struct row *w)
{
	struct stmt *q = db_use(w->r->db, &q_warnings);
	const cJSON *one, *list;
	int left = WARNINGS;

	json_karr(j, f->name);
	bind_text(q, ":id", row_text(w, "id"));
	while (left > 0 && stmt_step(q)) {
		/* Parsed in the request's arena. If the text is no array, the loop does not run. */
		list = cJSON_Parse(col_text(q, 2));
		cJSON_ArrayForEach(one, list) {
			if (left-- <= 0)
				break;
			json_obj(j);
			json_kstr(j, "page", col_text(q, 0));
			json_kstr(j, "title", col_text(q, 1));
			json_kstr(j, "message", one->valuestring);
			json_end(j);
		}
	}
	json_end(j);
}

/* `view` is always true, since a caller who may not read the source gets no row. */
static void
emit_permissions(struct json *j, const struct field *f, const struct row *w)
{
	json_kobj(j, f->name);
	json_kbool(j, "view", true);
	json_kbool(j, "edit", w->r->org.role >= ROLE_CREATE);
	json_end(j);
}

const struct shape Translation = { "Translation", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "translation", .doc = "Kind of object" },
	{ "id", T_TEXT, F_REQ, .doc = "Unique id", .example = EXAMPLE_TRANSLATION },
	{ "status", T_ENUM, F_REQ, .set = "pending,running,completed", .emit = emit_status,
	  .doc = "pending: no run has completed yet; running: a run is queued or in progress" },
	{ "source", T_OBJECT, F_REQ, .of = &Source, .emit = emit_source, .doc = "Space that is translated" },
	{ "language", T_ENUM, F_REQ, .set = SPACE_LANGUAGES, .doc = "Language that it is translated into", .example = "es" },
	{ "instructions", T_OBJECT, F_REQ, .of = &JSONDocument, .doc = "Instructions for the translation engine, if it accepts any" },
	{ "automatic", T_BOOL, F_REQ, .doc = "true: it runs after each merge in the source", .example = "true" },
	{ "result", T_OBJECT, .of = &Result, .emit = emit_result, .doc = "Space with the translation" },
	{ "error", T_TEXT, .doc = "Why the latest run failed; absent: it succeeded",
	  .example = "nothing translates from en to ja here" },
	{ "warnings", T_LIST, F_REQ, .of = &Warning, .emit = emit_warnings, .example = "[]",
	  .doc = "First 100 warnings about texts to check" },
	{ "createdAt", T_TIME, F_REQ, .col = "created_at", .doc = "When it was created" },
	{ "updatedAt", T_TIME, F_REQ, .col = "updated_at", .doc = "When it was last changed, or last completed a run" },
	{ "stats", T_OBJECT, F_REQ, .of = &Stats, .emit = emit_stats, .doc = "Statistics of the runs" },
	{ "permissions", T_OBJECT, F_REQ, .of = &Permissions, .emit = emit_permissions, .doc = "What you may do with it" },
	{ "urls", T_OBJECT, F_REQ, .of = &Urls, .join = "", .doc = "Its addresses" },
	{ 0 } } };
LIST_SHAPE(TranslationList, Translation);

/*
 * The caller's role on the source. If the source was purged or is in another organization now, the
 * role in this organization counts instead. If the collection of the source is deleted, no role can
 * be computed, and only admins see the translation.
 */
#define FROM_SEEN \
	"FROM translation t LEFT JOIN space s ON s.id = t.source AND s.org = t.org " \
	"LEFT JOIN place p ON p.id = s.parent LEFT JOIN job j ON j.id = t.job " \
	"WHERE t.org = :org AND " LISTED_ROLE " >= " SQL_ROLE_READ " AND (s.parent IS NULL OR p.id IS NOT NULL OR :org_role = " SQL_ROLE_ADMIN ") "
/* The error of the translation is preferred to that of its job, which contains no more than that the job failed. */
#define COLS \
	"t.id, t.source, t.source_language, t.language, t.instructions, t.automatic, t.result, t.revision, t.runs, t.words, " \
	"t.pages, t.duration, t.latest_words, t.latest_pages, t.latest_duration, t.created_at, t.updated_at, t.job, " \
	"j.state AS job_state, COALESCE(t.error, CASE WHEN j.state IN ('failed', 'timeout') THEN j.error END) AS error, " \
	"s.id AS living_source, s.deleted_at AS source_deleted "
/*
 * Newest first, by the index translation_list. Translations that the caller may not see are neither
 * listed nor counted.
 */
SQL(q_list,
    WITH_PLACES "SELECT " COLS ", t.created_at AS k1, t.id AS k2 " FROM_SEEN
    "AND (t.created_at, t.id) < (COALESCE(CAST(:k1 AS BIGINT), " SQL_EXACT_MAX "), COALESCE(:k2, '')) "
    "ORDER BY t.created_at DESC, t.id DESC LIMIT :limit /*scan*/");
SQL(q_count, WITH_PLACES "SELECT count(*) " FROM_SEEN "/*scan*/");
/* The same condition as in the list, so that an id opens nothing that the list hides. */
SQL(q_one, WITH_PLACES "SELECT " COLS FROM_SEEN "AND t.id = :id /*scan*/");
SQL(q_add,
    "INSERT INTO translation (id, org, source, source_language, language, instructions, automatic, created_by, "
    "created_at, updated_at) VALUES (:id, :org, :source, :source_language, :language, :instructions, :automatic, "
    ":user, :now, :now)");
/*
 * Runs in the write transaction of the insert, so that two requests cannot both find the pair free.
 */
SQL(q_taken, "SELECT id FROM translation WHERE org = :org AND source = :source AND language = :language");
/* A parameter that is NULL keeps the value of its column, since neither column can be NULL. */
SQL(q_edit,
    "UPDATE translation SET instructions = COALESCE(:instructions, instructions), "
    "automatic = COALESCE(CAST(:automatic AS INTEGER), automatic), updated_at = :now WHERE id = :id");
/*
 * The runner stops the job at its next check. The statements below delete the pages that it has
 * written.
 */
SQL(q_cancel, "UPDATE job SET cancel = 1 WHERE id = :job AND state IN ('queued', 'running')");
SQL(q_pages_gone, "DELETE FROM translation_page WHERE translation = :id");
SQL(q_gone, "DELETE FROM translation WHERE id = :id");
SQL(q_snapshot,
    "SELECT source, source_language AS \"sourceLanguage\", language, automatic AS bool_automatic, "
    "instructions AS json_instructions FROM translation WHERE id = :id");

/* Prepares a statement that begins WITH_PLACES, for the caller in the organization of the path. */
static struct stmt *
bind_seen(struct req *r, const struct sql *sql)
{
	struct stmt *q = db_use(r->db, sql);

	bind_caller(q, r);
	return q;
}

/* Finds a translation that the caller may see; NULL: there is none. */
static struct stmt *
visible_row(struct req *r, const char *id)
{
	struct stmt *q = bind_seen(r, &q_one);

	bind_text(q, ":id", id);
	return stmt_step(q) ? q : NULL;
}

static struct stmt *
row_or_fail(struct req *r)
{
	struct stmt *q = visible_row(r, path_id(r, "translationId"));

	if (q == NULL)
		fail(r, E_NOT_FOUND, "no translation %s", path_id(r, "translationId"));
	return q;
}

/* Replies with a translation that the handler has found or created in this transaction. */
static int
reply_translation(struct req *r, const char *id)
{
	return reply_current(r, visible_row(r, id), &Translation);
}

static char *
translation_snapshot(struct req *r, const char *id)
{
	struct stmt *q = db_use(r->db, &q_snapshot);

	bind_text(q, ":id", id);
	return audit_snapshot(r->arena, q);
}

static struct audit_event
make_event(struct req *r, enum audit_action action, const char *id)
{
	return (struct audit_event){ .action = action, .org = r->org.id, .type = "translation", .target = id };
}

/* GET /orgs/{organizationId}/translations: newest first. */
HANDLER(listTranslations)
{
	struct stmt *q;
	struct list l;
	int64_t count;

	if (list_open(r, &l, 2) != 0)
		return -1;
	count = stmt_int(bind_seen(r, &q_count), 0);
	q = bind_seen(r, &q_list);
	list_bind(q, &l);
	return list_reply(r, &l, q, &Translation, count);
}

/* Checks the body's source and languages. 0 or fail(). */
static int
source_or_fail(struct req *r, const char **space, const char **from)
{
	const cJSON *source = body_get(r, "source");
	struct stmt *q;

	/* The shape requires both. */
	*space = cJSON_GetObjectItemCaseSensitive(source, "space")->valuestring;
	*from = cJSON_GetObjectItemCaseSensitive(source, "language")->valuestring;
	q = space_row(r, *space);
	if (q == NULL || col_int(q, col(q, "role")) < ROLE_READ || !col_null(q, col(q, "deleted_at")) ||
	    strcmp(col_text(q, col(q, "org")), r->org.id) != 0)
		return fail(r, E_NOT_FOUND, "no space %s in this organization", *space);
	/* Languages are compared with their regions: pt and pt-br are different languages. */
	if (strcmp(*from, body_text(r, "language")) == 0)
		return fail_field(r, "/language", "is the language of the source");
	/* A second translation into the same language is refused, since both would write the same pages. */
	q = db_use(r->db, &q_taken);
	bind_text(q, ":org", r->org.id);
	bind_text(q, ":source", *space);
	bind_text(q, ":language", body_text(r, "language"));
	if (stmt_step(q))
		return fail(r, E_CONFLICT, "the space is translated into %s already: translation %s",
		    body_text(r, "language"), col_text(q, 0));
	return 0;
}

/* POST /orgs/{organizationId}/translations: does not start a run. */
HANDLER(createTranslation)
{
	char *id = secret_id(r->arena), *instructions = body_json(r, "instructions");
	struct audit_event e = make_event(r, AUDIT_TRANSLATION_CREATE, id);
	const char *space, *from;
	struct stmt *q;

	if (source_or_fail(r, &space, &from) != 0)
		return -1;
	q = db_use(r->db, &q_add);
	bind_text(q, ":id", id);
	bind_text(q, ":org", r->org.id);
	bind_text(q, ":source", space);
	bind_text(q, ":source_language", from);
	bind_text(q, ":language", body_text(r, "language"));
	/* Stored as sent: an engine reads the instructions, and nothing renders them. */
	bind_text(q, ":instructions", instructions != NULL ? instructions : NO_TEXT);
	bind_int(q, ":automatic", !body_has(r, "automatic") || cJSON_IsTrue(body_get(r, "automatic")));
	bind_text(q, ":user", r->who.user);
	bind_int(q, ":now", time_now());
	stmt_run(q);
	e.after = translation_snapshot(r, id);
	audit(r, &e);
	reply_created(r, arena_printf(r->arena, "/orgs/%s/translations/%s", r->org.id, id));
	return reply_translation(r, id);
}

/* GET /orgs/{organizationId}/translations/{translationId} */
HANDLER(getTranslation)
{
	struct stmt *q = row_or_fail(r);

	return q == NULL ? -1 : reply_current(r, q, &Translation);
}

/* PUT /orgs/{organizationId}/translations/{translationId} */
HANDLER(updateTranslation)
{
	const char *id = path_id(r, "translationId");
	struct audit_event e = make_event(r, AUDIT_TRANSLATION_UPDATE, id);
	struct stmt *q;
	char *before;

	/* 404 if the caller cannot read the source, whatever their role in the organization. */
	if (row_or_fail(r) == NULL)
		return -1;
	before = translation_snapshot(r, id);
	q = db_use(r->db, &q_edit);
	bind_text(q, ":instructions", body_json(r, "instructions"));
	/* A parameter that is not bound is NULL, and keeps the value. */
	if (body_has(r, "automatic"))
		bind_int(q, ":automatic", cJSON_IsTrue(body_get(r, "automatic")));
	bind_int(q, ":now", time_now());
	bind_text(q, ":id", id);
	stmt_run(q);
	audit_change(r, &e, before, translation_snapshot(r, id));
	return reply_translation(r, id);
}

static void
run_with_id(struct req *r, const struct sql *sql, const char *name, const char *value)
{
	struct stmt *q = db_use(r->db, sql);

	bind_text(q, name, value);
	stmt_run(q);
}

/* DELETE /orgs/{organizationId}/translations/{translationId}: deletes neither space. */
HANDLER(deleteTranslation)
{
	const char *id = path_id(r, "translationId"), *job;
	struct audit_event e = make_event(r, AUDIT_TRANSLATION_DELETE, id);
	struct stmt *q = visible_row(r, id);

	if (q == NULL)
		return reply_empty(r);
	/* Copied, since translation_snapshot() and audit() run statements. NULL if the translation never ran. */
	job = col_dup(q, col(q, "job"), r->arena);
	/* Written before the row is deleted. */
	e.before = translation_snapshot(r, id);
	audit(r, &e);
	if (job != NULL)
		run_with_id(r, &q_cancel, ":job", job);
	run_with_id(r, &q_pages_gone, ":id", id);
	run_with_id(r, &q_gone, ":id", id);
	return reply_empty(r);
}

/*
 * POST /orgs/{organizationId}/translations/{translationId}/run: if a run is in progress, it
 * continues, and no other one is queued.
 */
HANDLER(runTranslation)
{
	struct stmt *q = row_or_fail(r);

	if (q == NULL)
		return -1;
	/* living_source is NULL if the space was purged or is in another organization now. */
	if (col_null(q, col(q, "living_source")) || !col_null(q, col(q, "source_deleted")))
		return fail(r, E_NOT_FOUND, "the source of the translation is deleted: nothing can be translated");
	/* translation_queue() returns false if a job is already queued or running. */
	if (translation_queue(r->db, r->arena, path_id(r, "translationId")))
		r->after = wake_runner;
	return reply_empty(r);
}
