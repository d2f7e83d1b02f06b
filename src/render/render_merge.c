/*
 * What a schema says once its references and the parts of its allOf are taken together. Contract:
 * render_api.h.
 *
 * If several parts describe the same thing, the most specific one is used: first the schema itself,
 * then parts that are written in place, then parts that are references. Among parts of one kind it
 * is the last one, since authors begin with what they extend.
 */
#include "render_api.h"

/*
 * DEPTH_MAX: levels of parts within parts. VISITS: maximum number of schemas visited to find one
 * description, since parts may refer to each other.
 */
enum { DEPTH_MAX = 8, VISITS = 200 };

/* ---- names ---- */

const char *
ref_name(const cJSON *schema)
{
	/* "#/components/schemas/Name": the computed room has normalised all other forms. */
	const char *ref = json_text_of(schema, "$ref"), *last = ref != NULL ? strrchr(ref, '/') : NULL;

	return last != NULL ? last + 1 : NULL;
}

const cJSON *
follow_ref(const struct schemas *s, const cJSON *schema, const char **name)
{
	const cJSON *to;

	*name = ref_name(schema);
	if (*name == NULL)
		return schema;
	to = map_get(s->r->schemas, str_of(*name));
	/* Keep a dangling reference: its name is shown as the type. */
	return to != NULL ? to : schema;
}

bool
is_null_schema(const cJSON *schema)
{
	return same_text(json_text_of(schema, "type"), "null");
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

/* True if the schema has properties or alternatives of its own. */
static bool
has_members(const cJSON *schema)
{
	return json_member(schema, "properties") != NULL || cJSON_IsObject(json_member(schema, "additionalProperties"));
}

/* True if a part of an allOf has more than texts and marks, such as a description. */
static bool
has_structure(const cJSON *part)
{
	static const char *const remarks[] = { "title", "description", "default", "example", "examples", "nullable", "deprecated",
		"readOnly", "writeOnly", "externalDocs" };
	const cJSON *one;
	size_t i;

	cJSON_ArrayForEach(one, part) {
		for (i = 0; i < sizeof(remarks) / sizeof(remarks[0]) && !same_text(one->string, remarks[i]); i++)
			continue;
		if (one->string != NULL && i == sizeof(remarks) / sizeof(remarks[0]) && strncmp(one->string, "x-", 2) != 0 &&
		    !(strcmp(one->string, "type") == 0 && same_text(one->valuestring, "object")))
			return true;
	}
	return false;
}

/* The one part of an allOf that has more than texts and marks; NULL: there are several, or none. */
static const cJSON *
only_part(const cJSON *list)
{
	const cJSON *one, *found = NULL;

	if (cJSON_GetArraySize(list) == 1)
		return only_choice(list);
	cJSON_ArrayForEach(one, list) {
		if (!has_structure(one))
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

	if (has_members(schema))
		return NULL;
	if ((one = only_part(json_member(schema, "allOf"))) == NULL && (one = only_choice(json_member(schema, "oneOf"))) == NULL)
		one = only_choice(json_member(schema, "anyOf"));
	return one;
}

const cJSON *
plain_schema(const struct schemas *s, const cJSON *schema, const char **name)
{
	const char *found;
	const cJSON *one = schema;

	*name = NULL;
	for (int hops = 0; hops < 8 && one != NULL; hops++) {
		schema = follow_ref(s, one, &found);
		*name = found != NULL ? found : *name;
		one = only_inner(schema);
	}
	return schema;
}

/* ---- descriptions ---- */

static const char *find_about(const struct schemas *s, const cJSON *schema, int depth, int *left);

/* The description of the last part that has one; references: only parts that are references, or only others. */
static const char *
about_parts(const struct schemas *s, const cJSON *list, bool references, int depth, int *left)
{
	const cJSON *one;
	const char *about, *found = NULL;

	cJSON_ArrayForEach(one, list)
		if ((ref_name(one) != NULL) == references && (about = find_about(s, one, depth + 1, left)) != NULL)
			found = about;
	return found;
}

static const char *
find_about(const struct schemas *s, const cJSON *schema, int depth, int *left)
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
schema_about(const struct schemas *s, const cJSON *schema)
{
	int left = VISITS;

	return find_about(s, schema, 0, &left);
}

bool
schema_flag(const struct schemas *s, const cJSON *schema, const char *flag)
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

/* ---- properties ---- */

/* Adds a schema and the parts of its allOf, in the order in which their properties are listed. */
static void
gather_parts(struct merged *m, const cJSON *schema, int depth)
{
	const char *name;
	const cJSON *own = follow_ref(m->s, schema, &name), *part;

	if (m->count == PARTS_MAX || depth > DEPTH_MAX)
		return;
	m->parts[m->count++] = own;
	cJSON_ArrayForEach(part, json_member(own, "allOf"))
		gather_parts(m, part, depth + 1);
}

/* Adds the same parts, the most specific ones first. */
static void
rank_parts(struct merged *m, const cJSON *schema, int depth)
{
	const char *name;
	const cJSON *own = follow_ref(m->s, schema, &name), *list = json_member(own, "allOf"), *part;
	int last = cJSON_GetArraySize(list) < PARTS_MAX ? cJSON_GetArraySize(list) : PARTS_MAX;

	if (m->ranks == PARTS_MAX || depth > DEPTH_MAX)
		return;
	m->ranked[m->ranks++] = own;
	for (int references = 0; references < 2; references++)
		for (int i = last - 1; i >= 0; i--)
			if ((ref_name(part = cJSON_GetArrayItem(list, i)) != NULL) == references)
				rank_parts(m, part, depth + 1);
}

/*
 * A property that two parts describe: the members of the more specific one, and those that only the
 * other has. If both have properties, the two are parts of an allOf.
 */
static const cJSON *
merge_two(const cJSON *more, const cJSON *less)
{
	cJSON *both = cJSON_CreateObject(), *list;
	const cJSON *one;

	if (json_member(more, "properties") != NULL && json_member(less, "properties") != NULL) {
		list = cJSON_AddArrayToObject(both, "allOf");
		cJSON_AddItemReferenceToArray(list, (cJSON *)(uintptr_t)less);
		cJSON_AddItemReferenceToArray(list, (cJSON *)(uintptr_t)more);
		return both;
	}
	cJSON_ArrayForEach(one, more)
		if (one->string != NULL)
			cJSON_AddItemReferenceToObject(both, one->string, (cJSON *)(uintptr_t)one);
	cJSON_ArrayForEach(one, less)
		if (one->string != NULL && json_member(both, one->string) == NULL)
			cJSON_AddItemReferenceToObject(both, one->string, (cJSON *)(uintptr_t)one);
	return both;
}

static void
merge_properties(struct merged *m)
{
	const cJSON *one;

	m->properties = map_new(m->s->r->arena);
	for (size_t i = 0; i < m->ranks; i++)
		cJSON_ArrayForEach(one, json_member(m->ranked[i], "properties")) {
			void **at = one->string != NULL ? map_at(m->properties, str_of(one->string)) : NULL;
			if (at != NULL)
				*at = (void *)(uintptr_t)(*at == NULL ? one : merge_two(*at, one));
		}
}

void
merge_schema(struct merged *m, struct schemas *s, const cJSON *schema)
{
	*m = (struct merged){ .s = s };
	gather_parts(m, schema, 0);
	if (m->count < 2)
		return;
	rank_parts(m, schema, 0);
	merge_properties(m);
}

const cJSON *
merged_property(const struct merged *m, const cJSON *listed)
{
	const cJSON *found = m->properties != NULL ? map_get(m->properties, str_of(listed->string)) : NULL;

	return found != NULL ? found : listed;
}

bool
is_required(const struct merged *m, const char *name)
{
	const cJSON *one;

	for (size_t i = 0; i < m->count; i++)
		cJSON_ArrayForEach(one, json_member(m->parts[i], "required"))
			if (cJSON_IsString(one) && strcmp(one->valuestring, name) == 0)
				return true;
	return false;
}

const cJSON *
member_schema(struct schemas *s, const cJSON *schema, const char *name)
{
	struct merged m = { .s = s };
	const cJSON *found = NULL;

	rank_parts(&m, schema, 0);
	for (size_t i = 0; i < m.ranks && found == NULL; i++)
		found = json_member(json_member(m.ranked[i], "properties"), name);
	return found;
}
