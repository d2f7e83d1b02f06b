/*
 * The adaptive schema of a site: the claims that it expects of visitors. Template conditions are
 * derived from it. Column site.adaptive_schema.
 *
 * It is the subset of JSON Schema draft-07 that the published client allows: objects with booleans,
 * strings, numbers, arrays of these, and objects. Each has a description. The member `unsigned`
 * describes unsigned claims. The schema documents claims for the authors of conditions; it does not
 * restrict claims.
 */
#include <cjson/cJSON.h>

#include "api/meta.h"
#include "api/site_schema.h"
#include "http/req.h"
#include "site.h"

/*
 * The size is limited, since clients load the whole schema to offer conditions; the depth, since
 * the checks and write_conditions() recurse.
 */
enum { SCHEMA_BYTES = 64 << 10, SCHEMA_DEPTH = 8 };
#define DRAFT "http://json-schema.org/draft-07/schema#"

const struct shape SiteAdaptiveSchema = { "SiteAdaptiveSchema", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "site-adaptive-schema", .doc = "Kind of object" },
	{ "jsonSchema", T_OBJECT, F_REQ, .of = &AnyObject, .doc = "The schema (JSON Schema draft-07)",
	  .example = "{\"type\":\"object\",\"properties\":{\"beta\":{\"type\":\"boolean\",\"description\":\"Sees what is new\"}},\"additionalProperties\":false}" },
	{ "updatedAt", T_TIME, F_REQ, .doc = "When it was last set" },
	{ 0 } } };
const struct shape SiteAdaptiveSchemaPut = { "UpdateSiteAdaptiveSchema", (const struct field[]){
	/* F_TYPE_ONLY: the shape only documents the member; schema_or_fail() checks it. */
	{ "jsonSchema", T_OBJECT, F_REQ | F_TYPE_ONLY, .of = &AnyObject, .doc = "The schema (JSON Schema draft-07)",
	  .example = "{\"type\":\"object\",\"properties\":{\"beta\":{\"type\":\"boolean\",\"description\":\"Sees what is new\"}},\"additionalProperties\":false}" },
	{ 0 } } };
static const struct shape Template = { "SiteAdaptiveTemplateCondition", (const struct field[]){
	{ "description", T_TEXT, F_REQ, .doc = "Meaning of the condition", .example = "Visitors with beta" },
	{ "condition", T_TEXT, F_REQ, .doc = "The expression", .example = "visitor.claims.beta == true" },
	{ 0 } } };
const struct shape SiteTemplates = { "SiteAdaptiveTemplateConditions", (const struct field[]){
	{ "items", T_LIST, F_REQ, .of = &Template, .doc = "Conditions that follow from the schema" },
	{ 0 } } };

SQL(q_schema, "SELECT adaptive_schema, adaptive_schema_at FROM site WHERE id = :id AND adaptive_schema IS NOT NULL");
SQL(q_set, "UPDATE site SET adaptive_schema = :schema, adaptive_schema_at = :now WHERE id = :id");

static const char *
schema_type(const cJSON *s)
{
	const cJSON *t = cJSON_GetObjectItemCaseSensitive(s, "type");

	return cJSON_IsString(t) ? t->valuestring : "";
}

/*
 * The published client accepts a schema only with additionalProperties false
 * (docs/design/published-sites.md, "Visitors' schema").
 */
static int
closed_or_fail(struct req *r, const cJSON *s, const char *path)
{
	return cJSON_IsFalse(cJSON_GetObjectItemCaseSensitive(s, "additionalProperties")) ? 0 :
	    fail_field(r, arena_printf(r->arena, "%s/additionalProperties", path), "is required: false");
}

/* Requires a description: clients show it to the authors of conditions. */
static int
described_or_fail(struct req *r, const cJSON *s, const char *path)
{
	return cJSON_IsString(cJSON_GetObjectItemCaseSensitive(s, "description")) ? 0 :
	    fail_field(r, arena_printf(r->arena, "%s/description", path), "is required: a text");
}

/* Checks the enum of a string: the list of its allowed values. Absent: any value is allowed. */
static int
words_or_fail(struct req *r, const cJSON *s, const char *path)
{
	const cJSON *set = cJSON_GetObjectItemCaseSensitive(s, "enum"), *v;
	bool fits = set == NULL || cJSON_IsArray(set);

	cJSON_ArrayForEach(v, set)
		/* An empty list is accepted: it yields no template conditions. */
		fits = fits && cJSON_IsString(v);
	return fits ? 0 : fail_field(r, arena_printf(r->arena, "%s/enum", path), "must be a list of texts");
}

/* True for the types that items of an array may have: boolean, string and number. */
static bool
is_plain(const cJSON *s)
{
	return strcmp(schema_type(s), "boolean") == 0 || strcmp(schema_type(s), "string") == 0 || strcmp(schema_type(s), "number") == 0;
}

/* Checks the properties of an object, which may be objects themselves. 0 or fail_field(). */
static int properties_or_fail(struct req *r, const cJSON *s, const char *path, int depth);

/* Checks one property. Its name may be any text, since conditions can use it as ["…"]. */
static int
property_or_fail(struct req *r, const cJSON *s, const char *path, int depth)
{
	bool object = strcmp(schema_type(s), "object") == 0, array = strcmp(schema_type(s), "array") == 0;
	const cJSON *items = cJSON_GetObjectItemCaseSensitive(s, "items");

	if (!cJSON_IsObject(s))
		return fail_field(r, path, "must be an object");
	if (!is_plain(s) && !object && !array)
		return fail_field(r, arena_printf(r->arena, "%s/type", path),
		    "must be one of boolean, string, number, array, object");
	if (described_or_fail(r, s, path) != 0 || (is_plain(s) && words_or_fail(r, s, path) != 0))
		return -1;
	if (object)
		return properties_or_fail(r, s, path, depth + 1);
	if (!array)
		return 0;
	path = arena_printf(r->arena, "%s/items", path);
	if (!is_plain(items))
		return fail_field(r, path, "is required: an object of type boolean, string or number");
	return property_or_fail(r, items, path, depth);
}

/* Reports only the first error. path: the place of s in the body, for messages. */
static int
properties_or_fail(struct req *r, const cJSON *s, const char *path, int depth)
{
	const cJSON *all = cJSON_GetObjectItemCaseSensitive(s, "properties"), *p;

	if (depth > SCHEMA_DEPTH)
		return fail_field(r, path, "is too deep: %d levels at most", SCHEMA_DEPTH);
	if (!cJSON_IsObject(all))
		return fail_field(r, arena_printf(r->arena, "%s/properties", path), "is required: an object");
	cJSON_ArrayForEach(p, all)
		if (property_or_fail(r, p, pointer_below(r->arena, arena_printf(r->arena, "%s/properties", path), p->string), depth) != 0)
			return -1;
	return closed_or_fail(r, s, path);
}

/* Checks the whole schema. `unsigned` must be an object, since unsigned claims are its members (audience/visit.h). */
static int
schema_or_fail(struct req *r, const cJSON *s)
{
	const cJSON *draft = cJSON_GetObjectItemCaseSensitive(s, "$schema");
	const cJSON *unsigned_ = cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(s, "properties"), "unsigned");

	if (strcmp(schema_type(s), "object") != 0)
		return fail_field(r, "/jsonSchema/type", "must be object");
	if (draft != NULL && (!cJSON_IsString(draft) || strcmp(draft->valuestring, DRAFT) != 0))
		return fail_field(r, "/jsonSchema/$schema", "must be %s", DRAFT);
	if (unsigned_ != NULL && strcmp(schema_type(unsigned_), "object") != 0)
		return fail_field(r, "/jsonSchema/properties/unsigned/type", "must be object");
	return properties_or_fail(r, s, "/jsonSchema", 0);
}

static int
reply_schema(struct req *r)
{
	struct stmt *q = db_use(r->db, &q_schema);

	bind_text(q, ":id", r->site.id);
	if (!stmt_step(q))
		/* Clients match this message (docs/design/requests.md, "Errors"). */
		return fail(r, E_NOT_FOUND, "no visitor attributes schema found");
	json_obj(&r->json);
	json_kstr(&r->json, "object", "site-adaptive-schema");
	json_key(&r->json, "jsonSchema");
	json_raw(&r->json, col_bytes(q, 0));
	json_key(&r->json, "updatedAt");
	json_time(&r->json, col_int(q, 1));
	json_end(&r->json);
	return 0;
}

/* GET /orgs/{organizationId}/sites/{siteId}/adaptive-schema */
HANDLER(getSiteAdaptiveSchema)
{
	return reply_schema(r);
}

/* PUT /orgs/{organizationId}/sites/{siteId}/adaptive-schema */
HANDLER(updateSiteAdaptiveSchema)
{
	const char *text = body_json(r, "jsonSchema");
	struct stmt *q;

	if (strlen(text) > SCHEMA_BYTES)
		return fail_field(r, "/jsonSchema", "is larger than %d bytes", SCHEMA_BYTES);
	if (schema_or_fail(r, body_get(r, "jsonSchema")) != 0)
		return -1;
	q = db_use(r->db, &q_set);
	bind_text(q, ":schema", text);
	bind_int(q, ":now", time_now());
	bind_text(q, ":id", r->site.id);
	stmt_run(q);
	site_changed(r, "{\"adaptiveSchema\":\"set\"}");
	return reply_schema(r);
}

/* ---- conditions ---- */

/* Writes one condition into the open array. */
static void
write_condition(struct json *j, const char *description, const char *condition)
{
	json_obj(j);
	json_kstr(j, "description", description);
	json_kstr(j, "condition", condition);
	json_end(j);
}

/*
 * Returns the expression for the member `name` of the expression `of`: .name if it is an
 * identifier, else ["name"]. If `of` may be absent, it ends with "?", so that the result has "?.".
 */
static char *
member_expression(struct arena *a, const char *of, const char *name)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_$0123456789";
	struct json j;
	struct buf b;

	if (*name != '\0' && strspn(name, letters) == strlen(name) && (*name < '0' || *name > '9'))
		return arena_printf(a, "%s.%s", of, name);
	buf_init(&b, a, 1 << 16);
	json_init(&j, &b);
	json_str(&j, name);
	return arena_printf(a, "%s%s[%s]", of, of[strlen(of) - 1] == '?' ? "." : "", b.p);
}

/*
 * Writes one condition for each value of the enum. Without an enum it writes one condition: the
 * claim exists.
 */
static void
write_strings(struct req *r, const char *label, const char *path, const cJSON *s)
{
	const cJSON *set = cJSON_GetObjectItemCaseSensitive(s, "enum"), *v;

	if (!cJSON_IsArray(set))
		write_condition(&r->json, arena_printf(r->arena, "Visitors with any %s", label), arena_printf(r->arena, "!!%s", path));
	cJSON_ArrayForEach(v, set)
		if (cJSON_IsString(v))
			write_condition(&r->json, arena_printf(r->arena, "Visitors whose %s is %s", label, v->valuestring),
			    arena_printf(r->arena, "%s == %s", path, cJSON_PrintUnformatted(v)));
}

/*
 * Writes conditions for all properties of s. They can be evaluated with any claims, since they
 * access members that may be absent with "?.".
 */
static void
write_conditions(struct req *r, const char *path, const char *label, const cJSON *s)
{
	const cJSON *p;

	cJSON_ArrayForEach(p, cJSON_GetObjectItemCaseSensitive(s, "properties")) {
		char *at = member_expression(r->arena, path, p->string);
		const char *name = *label == '\0' ? p->string : arena_printf(r->arena, "%s %s", label, p->string);
		const char *type = schema_type(p);
		if (strcmp(type, "boolean") == 0) {
			write_condition(&r->json, arena_printf(r->arena, "Visitors with %s", name), arena_printf(r->arena, "%s == true", at));
			write_condition(&r->json, arena_printf(r->arena, "Visitors without %s", name), arena_printf(r->arena, "%s != true", at));
		} else if (strcmp(type, "string") == 0) {
			write_strings(r, name, at, p);
		} else if (strcmp(type, "object") == 0) {
			write_conditions(r, arena_printf(r->arena, "%s?", at), name, p);
		} else {
			write_condition(&r->json, arena_printf(r->arena, "Visitors with any %s", name), arena_printf(r->arena, "!!%s", at));
		}
	}
}

/*
 * GET /orgs/{organizationId}/sites/{siteId}/adaptive-schema/template-conditions: an empty list
 * without a schema.
 */
HANDLER(listSiteAdaptiveTemplateConditions)
{
	struct stmt *q = db_use(r->db, &q_schema);

	bind_text(q, ":id", r->site.id);
	json_obj(&r->json);
	json_karr(&r->json, "items");
	if (stmt_step(q))
		write_conditions(r, "visitor.claims", "", cJSON_Parse(col_text(q, 0)));
	json_end(&r->json);
	json_end(&r->json);
	return 0;
}
