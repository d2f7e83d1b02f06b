/* Shapes as JSON Schema (2020-12, which OpenAPI 3.1 uses). */
#include "base/role.h"
#include "http/shape.h"

/* The set is one text with commas, as in the field's definition. */
static void
write_set(struct json *j, const char *set)
{
	const char *end;

	json_karr(j, "enum");
	for (; set != NULL; set = end == NULL ? NULL : end + 1) {
		end = strchr(set, ',');
		json_strn(j, (struct str){ set, end == NULL ? strlen(set) : (size_t)(end - set) });
	}
	json_end(j);
}

/* JSON Schema 2020-12 has no "nullable": null is one of the types. */
static void
type_is(struct json *j, const char *type, bool nullable)
{
	json_key(j, "type");
	if (!nullable) {
		json_str(j, type);
		return;
	}
	json_arr(j);
	json_str(j, type);
	json_str(j, "null");
	json_end(j);
}

/*
 * Written into the open object, beside a description: OpenAPI 3.1 allows members beside $ref in
 * schemas.
 */
static void
write_reference(struct json *j, const struct shape *s)
{
	char path[160] = "#/components/schemas/";

	strncat(path, s->name, sizeof(path) - strlen(path) - 1);
	json_kstr(j, "$ref", path);
}

/* Null is among the values, since an enum allows only what it lists, whatever the type is. */
static void
roles_enum(struct json *j, bool inherit, bool nullable)
{
	int i;

	json_karr(j, "enum");
	for (i = ROLE_READ; i <= ROLE_ADMIN; i++)
		json_str(j, role_name(i));
	if (inherit)
		json_str(j, "inherit");
	if (nullable)
		json_null(j);
	json_end(j);
}

/* The enum alone would suffice, but generators need the type. */
static void
write_role(struct json *j, bool inherit, bool nullable)
{
	type_is(j, "string", nullable);
	roles_enum(j, inherit, nullable);
}

/* anyOf, not oneOf: an object may match both, which oneOf refuses. */
static void
write_either(struct json *j, const struct field *f)
{
	json_karr(j, "anyOf");
	field_schema(j, f->item);
	json_obj(j);
	write_reference(j, f->of);
	json_end(j);
	json_end(j);
}

/* A field has either an item type (item) or a shape (of). */
static void
write_items(struct json *j, const char *key, const struct field *f)
{
	json_key(j, key);
	if (f->item != NULL) {
		field_schema(j, f->item);
		return;
	}
	json_obj(j);
	write_reference(j, f->of);
	json_end(j);
}

/*
 * In code points, as JSON Schema counts (Validation 6.3.1) and as bodies are measured
 * (docs/design/requests.md, "Limits").
 */
static void
text_limits(struct json *j, const struct field *f)
{
	if (f->min > 0)
		json_kint(j, "minLength", f->min);
	if (f->max > 0)
		json_kint(j, "maxLength", f->max);
	if (f->pattern != NULL)
		json_kstr(j, "pattern", f->pattern);
}

static void
number_limits(struct json *j, const struct field *f)
{
	/* Both are 0: the number has no bounds. */
	if (f->min == 0 && f->max == 0)
		return;
	json_kint(j, "minimum", f->min);
	json_kint(j, "maximum", f->max);
}

/* F_EMPTY allows "", which is no URI or emoji: such a field has no format. */
static void
body_of_field(struct json *j, const struct field *f, bool nullable)
{
	switch (f->type) {
	case T_TEXT:   type_is(j, "string", nullable); text_limits(j, f); break;
	case T_CONST:
	case T_ENUM:   type_is(j, "string", false); write_set(j, f->set); break;
	case T_INT:    type_is(j, "integer", nullable); number_limits(j, f); break;
	case T_NUMBER: type_is(j, "number", nullable); number_limits(j, f); break;
	case T_BOOL:   type_is(j, "boolean", nullable); break;
	case T_TIME:   type_is(j, "string", nullable); json_kstr(j, "format", "date-time"); break;
	case T_URI:    type_is(j, "string", nullable);
	               if ((f->flags & F_EMPTY) == 0)
	                       json_kstr(j, "format", "uri");
	               text_limits(j, f); break;
	case T_EMOJI:  type_is(j, "string", nullable);
	               if ((f->flags & F_EMPTY) == 0)
		               json_kstr(j, "format", "emoji");
	               text_limits(j, f); break;
	case T_ROLE:   write_role(j, false, nullable); break;
	case T_LEVEL:  write_role(j, true, true); break;
	case T_OBJECT: write_reference(j, f->of); break;
	case T_LIST:   type_is(j, "array", nullable); write_items(j, "items", f);
	               if (f->min > 0)
		               json_kint(j, "minItems", f->min);
	               if (f->max > 0)
		               json_kint(j, "maxItems", f->max);
	               break;
	case T_MAP:    type_is(j, "object", nullable); write_items(j, "additionalProperties", f); break;
	case T_EITHER: write_either(j, f); break;
	case T_ANY:    break;
	}
}

void
field_schema(struct json *j, const struct field *f)
{
	bool nullable = (f->flags & F_NULL) != 0;
	/* A reference or an enum cannot itself allow null. */
	bool wrap = nullable && (f->type == T_OBJECT || f->type == T_ENUM);

	json_obj(j);
	if (f->doc != NULL)
		json_kstr(j, "description", f->doc);
	/* Objects have examples in their own members. */
	if ((f->of == NULL || f->example != NULL) && field_has_example(f) && *f->name != '\0') {
		json_karr(j, "examples");
		field_example(j, f);
		json_end(j);
	}
	if (f->preset != NULL) {
		json_key(j, "default");
		json_raw(j, str_of(f->preset));
	}
	if (wrap) {
		json_karr(j, "anyOf");
		json_obj(j);
	}
	body_of_field(j, f, nullable && !wrap);
	if (wrap) {
		json_end(j);
		json_obj(j);
		json_kstr(j, "type", "null");
		json_end(j);
		json_end(j);
	}
	json_end(j);
}

/* Omit "required" if it would be empty, which older drafts of JSON Schema refuse. */
static void
write_fields(struct json *j, const struct shape *s)
{
	const struct field *f;
	bool any = false;

	json_kstr(j, "type", "object");
	json_kobj(j, "properties");
	for (f = s->fields; f->name != NULL; f++) {
		json_key(j, f->name);
		field_schema(j, f);
		any |= (f->flags & F_REQ) != 0;
	}
	json_end(j);
	if (any) {
		json_karr(j, "required");
		for (f = s->fields; f->name != NULL; f++)
			if (f->flags & F_REQ)
				json_str(j, f->name);
		json_end(j);
	}
	/* Unknown members of bodies are refused (docs/design/requests.md, "Unknown members"), so the schema says so. */
	json_kbool(j, "additionalProperties", (s->flags & SHAPE_OPEN) != 0);
	if (s->flags & SHAPE_SOME)
		json_kint(j, "minProperties", 1);
}

/* The first member with a fixed value; NULL: none. */
static const struct field *
find_fixed_member(const struct shape *s)
{
	const struct field *f;

	for (f = s->fields; f != NULL && f->name != NULL; f++)
		if (f->type == T_CONST)
			return f;
	return NULL;
}

/* The member that distinguishes all variants, for generators; nothing if there is none. */
static void
write_discriminator(struct json *j, const struct shape *s)
{
	const struct field *first = find_fixed_member(s->one_of[0]), *f;
	const struct shape *const *one;
	const char *value;
	size_t n;

	for (one = s->one_of; *one != NULL; one++)
		if (first == NULL || (f = find_fixed_member(*one)) == NULL || strcmp(f->name, first->name) != 0)
			return;
	json_kobj(j, "discriminator");
	json_kstr(j, "propertyName", first->name);
	json_kobj(j, "mapping");
	for (one = s->one_of; *one != NULL; one++)
		for (value = find_fixed_member(*one)->set; *value != '\0'; value += n + (value[n] == ',')) {
			n = strcspn(value, ",");
			json_keyn(j, (struct str){ value, n });
			buf_printf(j->out, "\"#/components/schemas/%s\"", (*one)->name);
			j->keyed = false;
		}
	json_end(j);
	json_end(j);
}

/* A body that is one object, or a list of at most list_max of them. */
static void
write_one_or_list(struct json *j, const struct shape *s)
{
	json_karr(j, "oneOf");
	json_obj(j);
	write_reference(j, s->one_or_list);
	json_end(j);
	json_obj(j);
	json_kstr(j, "type", "array");
	json_kint(j, "maxItems", s->list_max);
	json_kobj(j, "items");
	write_reference(j, s->one_or_list);
	json_end(j);
	json_end(j);
	json_end(j);
}

void
shape_schema(struct json *j, const struct shape *s)
{
	const struct shape *const *one;

	json_obj(j);
	if (s->one_or_list != NULL) {
		write_one_or_list(j, s);
		json_end(j);
		return;
	}
	if (s->one_of == NULL) {
		write_fields(j, s);
		json_end(j);
		return;
	}
	json_karr(j, "oneOf");
	for (one = s->one_of; *one != NULL; one++) {
		json_obj(j);
		write_reference(j, *one);
		json_end(j);
	}
	json_end(j);
	write_discriminator(j, s);
	json_end(j);
}
