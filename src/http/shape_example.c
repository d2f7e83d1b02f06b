/* Makes the examples of shapes in the API's description from the examples of their fields. */
#include "http/shape.h"

/* The shapes that enclose an example, innermost first. */
struct enclosing_shape {
	const struct shape  *shape;
	const struct enclosing_shape *up;
	int                  depth;
};

/* True if the shape is one of the enclosing ones (pages below pages): the example must not go deeper. */
static bool
is_within(const struct enclosing_shape *in, const struct shape *s)
{
	for (; in != NULL; in = in->up)
		if (in->shape == s)
			return true;
	return false;
}

/* The field's own example, or one for its type; NULL: none. */
static const char *
example_text(const struct field *f)
{
	if (f->example != NULL)
		return f->example;
	switch (f->type) {
	case T_TIME:  return "2026-01-31T09:30:00.000Z";
	case T_ROLE:  return "edit";
	case T_LEVEL: return "inherit";
	case T_EMOJI: return "1f44d";
	case T_BOOL:  return f->preset != NULL ? f->preset : "true";
	case T_CONST:
	case T_ENUM:  return f->set;
	case T_INT:
	case T_NUMBER: return f->preset;
	default:      return NULL;
	}
}

/* False if the value would be null, which explains nothing. */
bool
field_has_example(const struct field *f)
{
	if (example_text(f) != NULL || f->type == T_OBJECT)
		return true;
	if (f->item != NULL)
		return field_has_example(f->item);
	return (f->type == T_LIST || f->type == T_MAP) && f->of != NULL;
}

static void write_shape(struct json *j, const struct shape *s, const struct enclosing_shape *up);

/* Lists and maps in examples have one item. */
static void
write_item(struct json *j, const struct field *f, const struct enclosing_shape *in)
{
	if (f->item != NULL)
		field_example(j, f->item);
	else
		write_shape(j, f->of, in);
}

/*
 * Writes an example that is given as text. Of a set, the first value is used. Examples of other
 * types are JSON already.
 */
static void
write_text_value(struct json *j, const struct field *f, const char *text)
{
	switch (f->type) {
	case T_CONST:
	case T_ENUM:
		json_strn(j, (struct str){ text, strcspn(text, ",") });
		break;
	case T_TEXT:
	case T_URI:
	case T_EMOJI:
	case T_TIME:
	case T_ROLE:
	case T_LEVEL:
		json_str(j, text);
		break;
	default:
		json_raw(j, str_of(text));
	}
}

/* If no example can be made, the value is null, which only optional fields allow. */
static void
write_value(struct json *j, const struct field *f, const struct enclosing_shape *in)
{
	const char *text = example_text(f);

	if (text != NULL) {
		write_text_value(j, f, text);
		return;
	}
	switch (f->type) {
	case T_OBJECT:
		write_shape(j, f->of, in);
		break;
	case T_LIST:
		json_arr(j);
		/* If the items have an enclosing shape, the list is shown empty. */
		if (f->of == NULL || !is_within(in, f->of))
			write_item(j, f, in);
		json_end(j);
		break;
	case T_MAP:
		json_obj(j);
		json_key(j, "name");
		write_item(j, f, in);
		json_end(j);
		break;
	case T_EITHER:
		field_example(j, f->item);
		break;
	default:
		json_null(j);
	}
}

/* Required members are always shown, since an example must match its schema. */
static bool
is_shown(const struct field *f, const struct enclosing_shape *in)
{
	if (f->flags & F_REQ)
		return true;
	/* Optional members are shown on two levels: deeper ones would make the description several times larger. */
	return (f->flags & F_ALTERNATIVE) == 0 && in->depth <= 2 && !(f->type == T_OBJECT && is_within(in, f->of));
}

/* Writes an example of the shape. up: the enclosing shapes, a linked list on the stack. */
static void
write_shape(struct json *j, const struct shape *s, const struct enclosing_shape *up)
{
	struct enclosing_shape in = { s, up, up == NULL ? 1 : up->depth + 1 };
	const struct field *f;

	if (s->one_or_list != NULL) {
		/* A choice between an object and a list adds no level of its own. */
		in.depth--;
		write_shape(j, s->one_or_list, &in);
		return;
	}
	if (s->one_of != NULL) {
		in.depth--;
		/* Only the first variant is shown. */
		write_shape(j, s->one_of[0], &in);
		return;
	}
	json_obj(j);
	for (f = s->fields; f->name != NULL; f++) {
		if (!is_shown(f, &in))
			continue;
		json_key(j, f->name);
		write_value(j, f, &in);
	}
	json_end(j);
}

void
shape_example(struct json *j, const struct shape *s)
{
	write_shape(j, s, NULL);
}

void
field_example(struct json *j, const struct field *f)
{
	write_value(j, f, NULL);
}
