/* Writes shapes as JSON Schema (2020-12, which OpenAPI 3.1 uses). */
#include "base/role.h"
#include "http/shape.h"

/* set: one text with commas between the values, as in struct field. */
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
write_type(struct json *j, const char *type, bool nullable)
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
 * Writes a reference to a shape into the open object. OpenAPI 3.1 allows other members beside $ref,
 * such as the description.
 */
static void
write_reference(struct json *j, const struct shape *s)
{
	char path[160] = "#/components/schemas/";

	strncat(path, s->name, sizeof(path) - strlen(path) - 1);
	json_kstr(j, "$ref", path);
}

/* If null is allowed, it must be listed: an enum allows only the values that it lists, whatever the type is. */
static void
write_role_names(struct json *j, bool inherit, bool nullable)
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
	write_type(j, "string", nullable);
	write_role_names(j, inherit, nullable);
}

/* anyOf and not oneOf, which refuses a value that matches both. */
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
 * Lengths are in code points, both in JSON Schema (Validation, section 6.3.1) and when bodies are
 * checked (docs/design/requests.md, "Limits").
 */
static void
write_text_limits(struct json *j, const struct field *f)
{
	if (f->min > 0)
		json_kint(j, "minLength", f->min);
	if (f->max > 0)
		json_kint(j, "maxLength", f->max);
	if (f->pattern != NULL)
		json_kstr(j, "pattern", f->pattern);
}

static void
write_number_limits(struct json *j, const struct field *f)
{
	/* Both are 0: the number has no bounds. */
	if (f->min == 0 && f->max == 0)
		return;
	json_kint(j, "minimum", f->min);
	json_kint(j, "maximum", f->max);
}

/* Writes the type and the limits of a field. If F_EMPTY allows "", which is no URI or emoji, no format is written. */
static void
write_field_type(struct json *j, const struct field *f, bool nullable)
{
	switch (f->type) {
	case T_TEXT:   write_type(j, "string", nullable); write_text_limits(j, f); break;
	case T_CONST:
	case T_ENUM:   write_type(j, "string", false); write_set(j, f->set); break;
	case T_INT:    write_type(j, "integer", nullable); write_number_limits(j, f); break;
	case T_NUMBER: write_type(j, "number", nullable); write_number_limits(j, f); break;
	case T_BOOL:   write_type(j, "boolean", nullable); break;
	case T_TIME:   write_type(j, "string", nullable); json_kstr(j, "format", "date-time"); break;
	case T_URI:    write_type(j, "string", nullable);
	               if ((f->flags & F_EMPTY) == 0)
	                       json_kstr(j, "format", "uri");
	               write_text_limits(j, f); break;
	case T_EMOJI:  write_type(j, "string", nullable);
	               if ((f->flags & F_EMPTY) == 0)
		               json_kstr(j, "format", "emoji");
	               write_text_limits(j, f); break;
	case T_ROLE:   write_role(j, false, nullable); break;
	case T_LEVEL:  write_role(j, true, true); break;
	case T_OBJECT: write_reference(j, f->of); break;
	case T_LIST:   write_type(j, "array", nullable); write_items(j, "items", f);
	               if (f->min > 0)
		               json_kint(j, "minItems", f->min);
	               if (f->max > 0)
		               json_kint(j, "maxItems", f->max);
	               break;
	case T_MAP:    write_type(j, "object", nullable); write_items(j, "additionalProperties", f); break;
	case T_EITHER: write_either(j, f); break;
	case T_ANY:    break;
	}
}

void
field_schema(struct json *j, const struct field *f)
{
	bool nullable = (f->flags & F_NULL) != 0;
	/* A reference or an enum cannot allow null itself, so it becomes one of two alternatives. */
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
	write_field_type(j, f, nullable && !wrap);
	if (wrap) {
		json_end(j);
		json_obj(j);
		json_kstr(j, "type", "null");
		json_end(j);
		json_end(j);
	}
	json_end(j);
}

/* "required" is omitted if it would be empty, since older drafts of JSON Schema refuse an empty list. */
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
