/*
 * The glossary of an organization: terms with fixed translations. Table glossary_entry. A change
 * takes effect in the next run of a translation.
 */
#include <cjson/cJSON.h>

#include "api/audit_events.h"
#include "api/examples.h"
#include "api/glossary.h"
#include "api/lists.h"
#include "app/audit.h"
#include "base/exact.h"
#include "base/secret.h"
#include "http/req.h"
#include "store/space.h"

/*
 * TERM_MAX: maximum length of a term in characters; it is a few words and not a sentence.
 * ENTRIES_MAX: maximum number of entries of an organization, since every run of a translation reads
 * all of them.
 */
enum { TERM_MAX = 200, ENTRIES_MAX = 10000 };

#define TRANSLATIONS { "translations", T_MAP, F_REQ, .item = &(const struct field){ "", T_TEXT, .min = 1, .max = TERM_MAX }, \
	.example = "{\"en\":\"change request\",\"es\":\"solicitud de cambio\"}", .doc = "The term in each language" }
#define TERM_ID { "id", T_TEXT, F_REQ, .max = 100, .doc = "Id of the entry", .example = EXAMPLE_TERM }

static const struct shape Insert = { "GlossaryInsert", (const struct field[]){
	{ "type", T_CONST, F_REQ, .set = "insert", .doc = "Kind of operation" },
	TRANSLATIONS,
	{ 0 } } };
static const struct shape Update = { "GlossaryUpdate", (const struct field[]){
	{ "type", T_CONST, F_REQ, .set = "update", .doc = "Kind of operation" },
	TERM_ID, TRANSLATIONS,
	{ 0 } } };
static const struct shape Delete = { "GlossaryDelete", (const struct field[]){
	{ "type", T_CONST, F_REQ, .set = "delete", .doc = "Kind of operation" },
	TERM_ID,
	{ 0 } } };
/* An operation has one of these shapes, selected by `type`. */
static const struct shape Operation = { "GlossaryBatchOperation", NULL, (const struct shape *const[]){
	&Insert, &Update, &Delete, NULL } };
const struct shape GlossaryEdit = { "UpdateGlossaryEntries", (const struct field[]){
	{ "operations", T_LIST, F_REQ, .max = 1000, .of = &Operation, .doc = "What to do, in order" },
	{ 0 } } };

static const struct shape Urls = { "GlossaryEntryUrls", (const struct field[]){
	{ "location", T_TEXT, F_REQ, .url = "/v1/orgs/{:org}/translations-glossary/{id}", .doc = "Address in this API",
	  .example = EXAMPLE_URL "/orgs/" EXAMPLE_ORG "/translations-glossary/" EXAMPLE_TERM },
	{ 0 } } };

/* Writes the translations, which are stored as JSON, unchanged. */
static void
emit_translations(struct json *j, const struct field *f, const struct row *w)
{
	json_key(j, f->name);
	json_raw(j, str_of(row_text(w, "translations")));
}

const struct shape GlossaryEntry = { "GlossaryEntry", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "glossary-entry", .doc = "Kind of object" },
	{ "id", T_TEXT, F_REQ, .doc = "Unique id", .example = EXAMPLE_TERM },
	{ "translations", T_MAP, F_REQ, .item = &(const struct field){ "", T_TEXT }, .emit = emit_translations,
	  .example = "{\"en\":\"change request\",\"es\":\"solicitud de cambio\"}", .doc = "The term in each language" },
	{ "createdAt", T_TIME, F_REQ, .col = "created_at", .doc = "When it was created" },
	{ "updatedAt", T_TIME, F_REQ, .col = "updated_at", .doc = "When it was last changed" },
	{ "urls", T_OBJECT, F_REQ, .of = &Urls, .join = "", .doc = "Its addresses" },
	{ 0 } } };
LIST_SHAPE(GlossaryEntryList, GlossaryEntry);

#define COLS "g.id, g.translations, g.created_at, g.updated_at"
SQL(q_list,
    "SELECT " COLS ", g.created_at AS k1, g.id AS k2 FROM glossary_entry g WHERE g.org = :org AND (g.created_at, g.id) < "
    "(COALESCE(CAST(:k1 AS BIGINT), " SQL_EXACT_MAX "), COALESCE(:k2, '')) ORDER BY g.created_at DESC, g.id DESC LIMIT :limit");
SQL(q_count, "SELECT count(*) FROM glossary_entry WHERE org = :org");
SQL(q_one, "SELECT " COLS " FROM glossary_entry g WHERE g.id = :id AND g.org = :org");
SQL(q_add,
    "INSERT INTO glossary_entry (id, org, translations, created_at, updated_at) "
    "VALUES (:id, :org, :translations, :now, :now)");
SQL(q_edit, "UPDATE glossary_entry SET translations = :translations, updated_at = :now WHERE id = :id AND org = :org");
SQL(q_drop, "DELETE FROM glossary_entry WHERE id = :id AND org = :org");

/*
 * A term must not contain a line break: it would break the line that it is put into, such as a
 * title, a list item or a table cell.
 */
static bool
is_one_line(const char *s)
{
	for (; *s != '\0'; s++)
		if ((unsigned char)*s < ' ' || *s == 0x7F)
			return false;
	return true;
}

/*
 * Checks the keys of the map, which must be languages, and its values, each of which must fit into
 * a title. 0 or fail().
 */
static int
terms_or_fail(struct req *r, const cJSON *map, int n)
{
	const cJSON *one;

	/* An entry without terms can match nothing, and would only count towards ENTRIES_MAX. */
	if (map != NULL && map->child == NULL)
		return fail_field(r, arena_printf(r->arena, "/operations/%d/translations", n), "has no term");
	cJSON_ArrayForEach(one, map)
		/* The shape allows any key in a map, so keys are checked here. */
		if (!set_has(SPACE_LANGUAGES, one->string))
			return fail_field(r, pointer_below(r->arena, arena_printf(r->arena, "/operations/%d/translations", n), one->string),
			    "is not a language that content can be in");
		else if (!is_one_line(one->valuestring))
			return fail_field(r, pointer_below(r->arena, arena_printf(r->arena, "/operations/%d/translations", n), one->string),
			    "must be one line without control characters");
	return 0;
}

/*
 * Writes an entry and returns the number of rows changed. translations is NULL for a deletion,
 * whose statement has neither :translations nor :now. Each statement includes the organization: the
 * id of an entry of another one matches no row (docs/design/security.md, "S1").
 */
static int64_t
write_entry(struct req *r, const struct sql *sql, const char *id, const cJSON *translations)
{
	struct stmt *q = db_use(r->db, sql);

	bind_text(q, ":id", id);
	bind_text(q, ":org", r->org.id);
	if (translations != NULL) {
		bind_text(q, ":translations", cJSON_PrintUnformatted(translations));
		bind_int(q, ":now", time_now());
	}
	return stmt_run(q);
}

/* Applies one operation. Deleting a missing entry succeeds, as in DELETE; updating one fails. 0 or fail(). */
static int
apply_operation(struct req *r, const cJSON *op, int n)
{
	/* The shape requires `type`. */
	const char *type = cJSON_GetObjectItemCaseSensitive(op, "type")->valuestring;
	const cJSON *translations = cJSON_GetObjectItemCaseSensitive(op, "translations");
	const char *id = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(op, "id"));

	if (terms_or_fail(r, translations, n) != 0)
		return -1;
	if (strcmp(type, "insert") == 0)
		write_entry(r, &q_add, secret_id(r->arena), translations);
	else if (strcmp(type, "delete") == 0)
		write_entry(r, &q_drop, id, NULL);
	/* No row was changed: this organization has no such entry. */
	else if (write_entry(r, &q_edit, id, translations) == 0)
		return fail(r, E_NOT_FOUND, "no glossary entry %s", id);
	return 0;
}

static int64_t
count_entries(struct req *r)
{
	struct stmt *q = db_use(r->db, &q_count);

	bind_text(q, ":org", r->org.id);
	return stmt_int(q, 0);
}

/* GET /orgs/{organizationId}/translations-glossary: newest first. */
HANDLER(listGlossaryEntries)
{
	struct stmt *q;
	struct list l;
	int64_t all;

	if (list_open(r, &l, 2) != 0)
		return -1;
	all = count_entries(r);
	q = db_use(r->db, &q_list);
	bind_text(q, ":org", r->org.id);
	list_bind(q, &l);
	return list_reply(r, &l, q, &GlossaryEntry, all);
}

/* PUT /orgs/{organizationId}/translations-glossary: applies all operations or none. */
HANDLER(updateGlossaryEntries)
{
	int64_t before = count_entries(r), after;
	const cJSON *op;
	int n = 0;

	cJSON_ArrayForEach(op, body_get(r, "operations"))
		if (apply_operation(r, op, n++) != 0)
			return -1;
	/*
	 * Checked after all operations, so that a batch may delete entries to make room. A glossary
	 * that is above the limit can still be reduced.
	 */
	if ((after = count_entries(r)) > ENTRIES_MAX && after > before)
		return fail_field(r, "/operations", "would make %lld terms: a glossary has %d at most",
		    (long long)after, ENTRIES_MAX);
	if (n > 0)
		audit(r, &(struct audit_event){ .action = AUDIT_GLOSSARY_UPDATE, .org = r->org.id, .type = "organization",
		    .target = r->org.id, .after = body_json(r, "operations") == NULL ? NULL :
		    arena_printf(r->arena, "{\"operations\":%s}", body_json(r, "operations")) });
	return reply_empty(r);
}

/* GET /orgs/{organizationId}/translations-glossary/{glossaryEntryId} */
HANDLER(getGlossaryEntry)
{
	struct stmt *q = db_use(r->db, &q_one);

	bind_text(q, ":id", path_id(r, "glossaryEntryId"));
	bind_text(q, ":org", r->org.id);
	if (!stmt_step(q))
		return fail(r, E_NOT_FOUND, "no glossary entry %s", path_id(r, "glossaryEntryId"));
	return reply_current(r, q, &GlossaryEntry);
}
