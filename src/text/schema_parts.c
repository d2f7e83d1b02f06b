/* Follows references between schemas, and merges the parts of an allOf. Contract: schema_parts.h. */
#include <stdint.h>

#include "base/json.h"
#include "text/schema_parts.h"

/*
 * DEPTH_MAX: levels of parts within parts. PARTS_MAX: parts of one schema; any further parts are
 * ignored. HOPS: references and choices of one that are followed in a row. VISITS: maximum number
 * of schemas visited to find one description, since parts may refer to each other. FLAT_LEVELS:
 * levels of schemas in which flat_schema() merges parts. FLAT_MERGES: merged schemas inside merged
 * schemas, since merging may continue without end. ROOM, LEFT: the initial schema_set.room and .left.
 */
enum { DEPTH_MAX = 16, PARTS_MAX = 60, HOPS = 8, VISITS = 200, FLAT_LEVELS = 100, FLAT_MERGES = 6, ROOM = 8 << 20, LEFT = 200000 };

static bool
is_listed(const char *name, const char *const *list, size_t n)
{
	size_t i;

	for (i = 0; i < n && strcmp(name, list[i]) != 0; i++)
		continue;
	return i < n;
}

#define IS_LISTED(name, list) is_listed((name), (list), sizeof(list) / sizeof((list)[0]))

/* ---- names ---- */

void
schema_set_init(struct schema_set *s, struct arena *a, const cJSON *list)
{
	const cJSON *one;

	*s = (struct schema_set){ .arena = a, .names = map_new(a), .wholes = map_new(a), .room = ROOM, .left = LEFT };
	cJSON_ArrayForEach(one, list)
		if (one->string != NULL)
			map_add(s->names, str_of(one->string), (void *)(uintptr_t)one);
}

const cJSON *
document_schemas(const cJSON *document, const char *spec)
{
	const cJSON *first = json_member(json_member(document, "data"), "openapi"), *one;
	const char *named = json_text_of(first, "spec");

	if (spec == NULL || named == NULL || strcmp(named, spec) == 0)
		return json_member(first, "schemas");
	cJSON_ArrayForEach(one, json_member(first, "others"))
		if (same_text(json_text_of(one, "spec"), spec))
			return json_member(one, "schemas");
	return NULL;
}

const char *
ref_name(const cJSON *schema)
{
	/* "#/components/schemas/Name": the room openapi has normalised all other forms. */
	const char *ref = json_text_of(schema, "$ref"), *last = ref != NULL ? strrchr(ref, '/') : NULL;

	return last != NULL ? last + 1 : NULL;
}

const cJSON *
follow_ref(const struct schema_set *s, const cJSON *schema, const char **name)
{
	const cJSON *to;

	*name = ref_name(schema);
	if (*name == NULL)
		return schema;
	to = map_get(s->names, str_of(*name));
	/* Keep a dangling reference: its name is shown as the type. */
	return to != NULL ? to : schema;
}

bool
is_null_schema(const cJSON *schema)
{
	return same_text(json_text_of(schema, "type"), "null");
}

bool
is_nullable(const struct schema_set *s, const cJSON *schema)
{
	const char *name;
	const cJSON *own = follow_ref(s, schema, &name), *one;

	if (json_flag_of(own, "nullable") || json_flag_of(schema, "nullable"))
		return true;
	cJSON_ArrayForEach(one, json_member(own, "oneOf"))
		if (is_null_schema(one))
			return true;
	cJSON_ArrayForEach(one, json_member(own, "anyOf"))
		if (is_null_schema(one))
			return true;
	return false;
}

static const char *
type_of_value(const cJSON *value)
{
	return cJSON_IsString(value) ? "string" : cJSON_IsNumber(value) ? "number" : cJSON_IsBool(value) ? "boolean" : NULL;
}

const char *
type_of_values(const cJSON *schema)
{
	const cJSON *list = json_member(schema, "enum"), *one;
	const char *type = type_of_value(json_member(schema, "const") != NULL ? json_member(schema, "const") : list != NULL ? list->child : NULL);

	cJSON_ArrayForEach(one, list)
		if (!same_text(type_of_value(one), type))
			return NULL;
	return type;
}

/* ---- schemas that only wrap another ---- */

/*
 * True if a schema has more than texts and marks, such as a description. beside: the name of a
 * member that does not count, and beside which a type does not count either; NULL: none.
 */
static bool
has_structure(const cJSON *schema, const char *beside)
{
	static const char *const remarks[] = { "title", "description", "default", "example", "examples", "nullable", "deprecated",
		"readOnly", "writeOnly", "externalDocs" };
	const cJSON *one;

	cJSON_ArrayForEach(one, schema) {
		if (one->string == NULL || IS_LISTED(one->string, remarks) || strncmp(one->string, "x-", 2) == 0)
			continue;
		if (strcmp(one->string, "type") == 0 ? beside == NULL && !same_text(one->valuestring, "object") :
		    beside == NULL || strcmp(one->string, beside) != 0)
			return true;
	}
	return false;
}

/* The schema in a choice between one schema and null; NULL: it is another choice, or none. */
static const cJSON *
only_choice(const cJSON *list)
{
	const cJSON *one, *found = NULL;

	cJSON_ArrayForEach(one, list) {
		if (is_null_schema(one))
			continue;
		if (found != NULL)
			return NULL;
		found = one;
	}
	return found;
}

/* The one part of an allOf that has more than texts and marks; NULL: there are several, or none. */
static const cJSON *
only_part(const cJSON *schema)
{
	const cJSON *list = json_member(schema, "allOf"), *one, *found = NULL;

	/* Limits or values beside the allOf make the schema more specific than its part. */
	if (has_structure(schema, "allOf"))
		return NULL;
	if (cJSON_GetArraySize(list) == 1)
		return only_choice(list);
	cJSON_ArrayForEach(one, list) {
		if (!has_structure(one, NULL))
			continue;
		if (found != NULL)
			return NULL;
		found = one;
	}
	return found;
}

/* The schema that this one only wraps; NULL: it has members of its own, or several alternatives. */
static const cJSON *
only_inner(const cJSON *schema)
{
	const cJSON *one;

	if (json_member(schema, "properties") != NULL || cJSON_IsObject(json_member(schema, "additionalProperties")))
		return NULL;
	if (json_member(schema, "allOf") != NULL)
		return only_part(schema);
	if ((one = only_choice(json_member(schema, "oneOf"))) == NULL)
		one = only_choice(json_member(schema, "anyOf"));
	return one;
}

/* True for a reference with members that make the schema more specific, which OpenAPI 3.1 allows. */
static bool
adds_to_ref(const struct schema_set *s, const cJSON *schema)
{
	const char *name;

	return follow_ref(s, schema, &name) != schema && has_structure(schema, "$ref");
}

const cJSON *
plain_schema(struct schema_set *s, const cJSON *schema, const char **name)
{
	const char *found;
	const cJSON *one = schema;

	*name = NULL;
	for (int hops = 0; hops < HOPS && one != NULL; hops++) {
		schema = follow_ref(s, one, &found);
		*name = found != NULL ? found : *name;
		if (adds_to_ref(s, one))
			return whole_schema(s, one);
		one = only_inner(schema);
	}
	return whole_schema(s, schema);
}

/* ---- descriptions and marks ---- */

static const char *find_about(const struct schema_set *s, const cJSON *schema, int depth, int *left);

/* The description of the last part that has one; references: only parts that are references, or only others. */
static const char *
about_parts(const struct schema_set *s, const cJSON *list, bool references, int depth, int *left)
{
	const cJSON *one;
	const char *about, *found = NULL;

	cJSON_ArrayForEach(one, list)
		if ((ref_name(one) != NULL) == references && (about = find_about(s, one, depth + 1, left)) != NULL)
			found = about;
	return found;
}

static const char *
find_about(const struct schema_set *s, const cJSON *schema, int depth, int *left)
{
	const char *about = json_text_of(schema, "description"), *name;
	const cJSON *own, *list, *one;

	if (about != NULL || schema == NULL || depth > DEPTH_MAX || --*left < 0)
		return about;
	own = follow_ref(s, schema, &name);
	list = json_member(own, "allOf");
	if ((about = json_text_of(own, "description")) == NULL && (about = about_parts(s, list, false, depth, left)) == NULL)
		about = about_parts(s, list, true, depth, left);
	if (about == NULL && list == NULL && (one = only_inner(own)) != NULL)
		about = find_about(s, one, depth + 1, left);
	return about;
}

const char *
schema_about(const struct schema_set *s, const cJSON *schema)
{
	int left = VISITS;

	return find_about(s, schema, 0, &left);
}

bool
schema_flag(struct schema_set *s, const cJSON *schema, const char *flag)
{
	const char *name;
	const cJSON *part;

	if (json_flag_of(schema, flag) || json_flag_of(plain_schema(s, schema, &name), flag))
		return true;
	cJSON_ArrayForEach(part, json_member(schema, "allOf"))
		if (json_flag_of(part, flag))
			return true;
	return false;
}

/* ---- merging ---- */

/*
 * A schema and its parts, in the order in which their properties are listed, and with the most
 * specific one first. Parts that are references are marked in `referred`.
 */
struct parts {
	struct schema_set *set;
	const cJSON       *listed[PARTS_MAX], *ranked[PARTS_MAX];
	bool               referred[PARTS_MAX];
	size_t             listed_n, ranked_n;
};

/* True for a reference that has other members as well. */
static bool
has_siblings(const cJSON *reference)
{
	return cJSON_GetArraySize(reference) > 1;
}

static void
list_parts(struct parts *p, const cJSON *schema, int depth)
{
	const char *name;
	const cJSON *to = follow_ref(p->set, schema, &name), *part;

	if (p->listed_n == PARTS_MAX || depth > DEPTH_MAX)
		return;
	if (to == schema || has_siblings(schema))
		p->listed[p->listed_n++] = schema;
	if (to != schema)
		list_parts(p, to, depth + 1);
	cJSON_ArrayForEach(part, json_member(schema, "allOf"))
		list_parts(p, part, depth + 1);
}

static void
rank_parts(struct parts *p, const cJSON *schema, bool referred, int depth)
{
	const char *name;
	const cJSON *to = follow_ref(p->set, schema, &name), *list = json_member(schema, "allOf"), *part;
	int last = cJSON_GetArraySize(list) < PARTS_MAX ? cJSON_GetArraySize(list) : PARTS_MAX;

	if (p->ranked_n == PARTS_MAX || depth > DEPTH_MAX)
		return;
	if (to == schema || has_siblings(schema)) {
		p->referred[p->ranked_n] = referred;
		p->ranked[p->ranked_n++] = schema;
	}
	for (int references = 0; references < 2; references++)
		for (int i = last - 1; i >= 0; i--)
			if ((ref_name(part = cJSON_GetArrayItem(list, i)) != NULL) == references)
				rank_parts(p, part, referred, depth + 1);
	if (to != schema)
		rank_parts(p, to, true, depth + 1);
}

/* Adds a member without copying its value, which may be large. */
static void
share_member(cJSON *to, const char *name, const cJSON *value)
{
	cJSON_AddItemReferenceToObject(to, name, (cJSON *)(uintptr_t)value);
}

/* Counts a member that merging reads; false: the set may merge no more. */
static bool
count_member(struct schema_set *s)
{
	s->left -= s->left > 0;
	return s->left > 0;
}

/* A property as the parts so far describe it. */
struct property {
	const cJSON *schema;
	cJSON       *own;       /* the same, if it was made here and may get more members; NULL: a part's */
	struct map  *members;   /* the members of own, by name */
};

static const cJSON *
property_member(const struct property *p, const char *name)
{
	return p->own != NULL ? map_get(p->members, str_of(name)) : json_member(p->schema, name);
}

static bool
is_reference(const struct property *p)
{
	const cJSON *ref = property_member(p, "$ref");

	return cJSON_IsString(ref) && strchr(ref->valuestring, '/') != NULL;
}

/* True if two descriptions of a property can only be parts of an allOf, since members of one would hide the other. */
static bool
are_parts(const struct property *more, const cJSON *less)
{
	static const char *const both[] = { "properties", "allOf" };

	for (size_t i = 0; i < 2; i++)
		if (property_member(more, both[i]) != NULL && json_member(less, both[i]) != NULL)
			return true;
	return is_reference(more) != (ref_name(less) != NULL) && has_structure(less, NULL) && has_structure(more->schema, NULL);
}

/* Adds the members of a schema that the property does not have yet. */
static void
add_members(struct schema_set *s, struct property *p, const cJSON *schema)
{
	const cJSON *one;

	cJSON_ArrayForEach(one, schema) {
		if (!count_member(s))
			return;
		if (one->string != NULL && map_add(p->members, str_of(one->string), (void *)(uintptr_t)one))
			share_member(p->own, one->string, one);
	}
}

/*
 * Adds what a less specific part says of a property: the members that the property does not have
 * yet; or both are parts of an allOf.
 */
static void
add_version(struct schema_set *s, struct property *p, const cJSON *less)
{
	const cJSON *more = p->schema;
	bool parts = are_parts(p, less);
	cJSON *list;

	if (p->own == NULL || parts) {
		p->schema = p->own = cJSON_CreateObject();
		p->members = map_new(s->arena);
		if (!parts)
			add_members(s, p, more);
	}
	if (!parts) {
		add_members(s, p, less);
		return;
	}
	list = cJSON_AddArrayToObject(p->own, "allOf");
	cJSON_AddItemReferenceToArray(list, (cJSON *)(uintptr_t)less);
	cJSON_AddItemReferenceToArray(list, (cJSON *)(uintptr_t)more);
	map_add(p->members, STR("allOf"), list);
}

/* Adds the properties of a part, which is less specific than those before it. */
static void
find_properties(struct schema_set *s, struct map *found, const cJSON *part)
{
	struct property *p;
	const cJSON *one;
	void **at;

	cJSON_ArrayForEach(one, json_member(part, "properties")) {
		if (!count_member(s))
			return;
		if (one->string == NULL)
			continue;
		if (*(at = map_at(found, str_of(one->string))) != NULL) {
			add_version(s, *at, one);
			continue;
		}
		*at = p = arena_alloc(s->arena, sizeof(*p));
		p->schema = one;
	}
}

/* The properties of all parts, each once. */
static cJSON *
merge_properties(const struct parts *p)
{
	struct map *found = map_new(p->set->arena), *written = map_new(p->set->arena);
	cJSON *out = cJSON_CreateObject();
	const struct property *as;
	const cJSON *one;

	for (size_t i = 0; i < p->ranked_n; i++)
		find_properties(p->set, found, p->ranked[i]);
	for (size_t i = 0; i < p->listed_n && p->set->left > 0; i++)
		cJSON_ArrayForEach(one, json_member(p->listed[i], "properties"))
			if (one->string != NULL && (as = map_get(found, str_of(one->string))) != NULL && map_add(written, str_of(one->string), NULL))
				share_member(out, one->string, as->schema);
	return out;
}

/* The names that any part requires, each once. */
static cJSON *
merge_required(const struct parts *p)
{
	struct map *written = map_new(p->set->arena);
	cJSON *out = cJSON_CreateArray();
	const cJSON *one;

	for (size_t i = 0; i < p->listed_n; i++)
		cJSON_ArrayForEach(one, json_member(p->listed[i], "required"))
			if (count_member(p->set) && cJSON_IsString(one) && map_add(written, str_of(one->valuestring), NULL))
				cJSON_AddItemReferenceToArray(out, (cJSON *)(uintptr_t)one);
	return out;
}

/* True if a member says something of the part itself, which does not hold of a schema that refers to it. */
static bool
is_of_part_alone(const char *name)
{
	static const char *const names[] = { "title", "example", "examples", "nullable", "deprecated", "readOnly", "writeOnly",
		"externalDocs", "xml" };

	return strncmp(name, "x-", 2) == 0 ? strncmp(name, "x-enum", 6) != 0 : IS_LISTED(name, names);
}

/*
 * Adds what a less specific part has: what no other part has said yet, and alternatives, which hold
 * beside those of other parts. seen: names of members that are written.
 */
static void
merge_members(cJSON *out, const struct parts *p, size_t i, struct map *seen)
{
	static const char *const apart[] = { "oneOf", "anyOf", "not" };
	const cJSON *one, *part = p->ranked[i];
	cJSON *rest = NULL;

	cJSON_ArrayForEach(one, part) {
		if (!count_member(p->set))
			return;
		if (one->string == NULL || strcmp(one->string, "allOf") == 0 || (p->referred[i] && is_of_part_alone(one->string)) ||
		    (strcmp(one->string, "$ref") == 0 && map_has(p->set->names, str_of(ref_name(part)))))
			continue;
		if (!map_add(seen, str_of(one->string), NULL)) {
			if (!IS_LISTED(one->string, apart))
				continue;
			rest = rest != NULL ? rest : cJSON_CreateObject();
			share_member(rest, one->string, one);
		} else if (strcmp(one->string, "properties") == 0) {
			cJSON_AddItemToObject(out, "properties", merge_properties(p));
		} else if (strcmp(one->string, "required") == 0) {
			cJSON_AddItemToObject(out, "required", merge_required(p));
		} else {
			share_member(out, one->string, one);
		}
	}
	if (rest == NULL)
		return;
	if (json_member(part, "discriminator") != NULL)
		share_member(rest, "discriminator", json_member(part, "discriminator"));
	if (json_member(out, "allOf") == NULL)
		cJSON_AddArrayToObject(out, "allOf");
	cJSON_AddItemToArray(cJSON_GetObjectItemCaseSensitive(out, "allOf"), rest);
}

/* The schema itself if the set may merge no more. */
static const cJSON *
merge_parts(struct schema_set *s, const cJSON *schema)
{
	struct parts p = { .set = s };
	struct map *seen = map_new(s->arena);
	cJSON *out = cJSON_CreateObject();

	list_parts(&p, schema, 0);
	rank_parts(&p, schema, false, 0);
	for (size_t i = 0; i < p.ranked_n; i++)
		merge_members(out, &p, i, seen);
	return s->left > 0 ? out : schema;
}

/* Stores which schema a schema was merged to. */
static void
add_whole(struct schema_set *s, const cJSON *schema, const cJSON *whole)
{
	const cJSON **key = arena_alloc(s->arena, sizeof(const cJSON *));

	*key = schema;
	map_add(s->wholes, (struct str){ (const char *)key, sizeof(*key) }, (void *)(uintptr_t)whole);
}

const cJSON *
whole_schema(struct schema_set *s, const cJSON *schema)
{
	const cJSON *found;

	if (cJSON_GetArraySize(json_member(schema, "allOf")) == 0 && !adds_to_ref(s, schema))
		return schema;
	if ((found = map_get(s->wholes, (struct str){ (const char *)&schema, sizeof(schema) })) != NULL)
		return found;
	if (s->left == 0 || (found = merge_parts(s, schema)) == schema)
		return schema;
	add_whole(s, schema, found);
	/* A merged schema may have an allOf, of alternatives. */
	add_whole(s, found, found);
	return found;
}

bool
is_required(const cJSON *whole, const char *name)
{
	const cJSON *one;

	cJSON_ArrayForEach(one, json_member(whole, "required"))
		if (cJSON_IsString(one) && strcmp(one->valuestring, name) == 0)
			return true;
	return false;
}

const cJSON *
member_schema(struct schema_set *s, const cJSON *schema, const char *name)
{
	return json_member(json_member(plain_schema(s, schema, &(const char *){ NULL }), "properties"), name);
}

/* ---- schemas as JSON ---- */

static bool
has_all_of(const cJSON *v, int levels)
{
	const cJSON *one;

	cJSON_ArrayForEach(one, v)
		if (same_text(one->string, "allOf") || (levels > 0 && has_all_of(one, levels - 1)))
			return true;
	return false;
}

/* Adds the approximate length of a value's text to *size, at most a little more than the limit. */
static void
add_size(const cJSON *v, size_t limit, size_t *size)
{
	const cJSON *one;

	*size += 8 + (v->string != NULL ? strlen(v->string) : 0) + (cJSON_IsString(v) ? strlen(v->valuestring) : 0);
	cJSON_ArrayForEach(one, v) {
		if (*size > limit)
			break;
		add_size(one, limit, size);
	}
}

/* The merged schema; the schema itself if it only names another one, or if the room is used up. */
static const cJSON *
merge_within_room(struct schema_set *s, const cJSON *schema)
{
	const cJSON *whole;
	size_t size = 0;

	if (cJSON_GetArraySize(json_member(schema, "allOf")) == 0 || ref_name(only_part(schema)) != NULL)
		return schema;
	whole = whole_schema(s, schema);
	add_size(whole, s->room, &size);
	if (size > s->room)
		return schema;
	s->room -= size;
	return whole;
}

static cJSON *flatten(struct schema_set *s, const cJSON *schema, int levels, int merges);

/* Copies a list of schemas, or a map of them. */
static cJSON *
flatten_all(struct schema_set *s, const cJSON *all, int levels, int merges)
{
	cJSON *out = cJSON_IsArray(all) ? cJSON_CreateArray() : cJSON_CreateObject();
	const cJSON *one;

	cJSON_ArrayForEach(one, all) {
		if (one->string != NULL)
			cJSON_AddItemToObject(out, one->string, flatten(s, one, levels, merges));
		else
			cJSON_AddItemToArray(out, flatten(s, one, levels, merges));
	}
	return out;
}

/* levels, merges: how many remain. */
static cJSON *
flatten(struct schema_set *s, const cJSON *schema, int levels, int merges)
{
	static const char *const one_schema[] = { "items", "additionalProperties", "not", "contains", "propertyNames", "if", "then", "else" };
	static const char *const schemas[] = { "properties", "patternProperties", "allOf", "oneOf", "anyOf", "prefixItems", "$defs" };
	const cJSON *whole = merges > 0 ? merge_within_room(s, schema) : schema, *one;
	cJSON *out;

	if (!cJSON_IsObject(schema) || levels == 0)
		return cJSON_Duplicate(schema, true);
	out = cJSON_CreateObject();
	merges -= whole != schema;
	cJSON_ArrayForEach(one, whole) {
		if (one->string == NULL)
			continue;
		if (IS_LISTED(one->string, schemas) && one->child != NULL)
			cJSON_AddItemToObject(out, one->string, flatten_all(s, one, levels - 1, merges));
		else if (IS_LISTED(one->string, one_schema) && cJSON_IsObject(one))
			cJSON_AddItemToObject(out, one->string, flatten(s, one, levels - 1, merges));
		else
			share_member(out, one->string, one);
	}
	return out;
}

const cJSON *
flat_schema(struct schema_set *s, const cJSON *schema)
{
	return has_all_of(schema, FLAT_LEVELS) ? flatten(s, schema, FLAT_LEVELS, FLAT_MERGES) : schema;
}
