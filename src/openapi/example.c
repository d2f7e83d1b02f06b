/*
 * Examples of schemas. Values that the author gave are used (example, examples, default, const, the
 * first of enum); the rest is made from the schema's type and format. A budget of values and a
 * limit of depth end cycles.
 */
#include "parts_inside.h"

/*
 * MAX_LEVELS bounds nesting and cycles of references, MAX_MEMBERS the properties of one object:
 * people read examples.
 */
enum { MAX_LEVELS = 8, MAX_MEMBERS = 40 };

/* The state of one example. All of its parts share left and levels. */
struct example_state {
	struct part_writer *t;
	bool           request;
	unsigned       left;     /* values that may still be made */
	unsigned       levels;
};

static const struct value *make_example(struct example_state *m, const struct value *schema);

static struct value *
text_value(struct example_state *m, const char *text)
{
	return value_string(m->t->arena, str_of(text));
}

/* Numbers keep their spelling, so a number is stored as text of another kind. */
static struct value *
number_value(struct example_state *m, const char *spelling)
{
	struct value *v = text_value(m, spelling);

	v->kind = VALUE_NUMBER;
	return v;
}

/* Copies a value so that it can be a member of the example: a value can be in one list only. */
static struct value *
copy_value(struct arena *a, const struct value *v)
{
	struct value *c = arena_bytes(a, sizeof(*c));

	*c = *v;
	c->next = NULL;
	return c;
}

/*
 * The author's example for the schema itself; NULL: none. `example` comes first: the others say
 * what is allowed, not what is typical.
 */
static const struct value *
given_example(const struct value *schema)
{
	static const char *const names[] = { "example", "default", "const" };
	const struct value *v;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if ((v = value_get(schema, names[i])) != NULL)
			return v;
	v = value_get(schema, "examples");
	if (value_is(v, VALUE_LIST) && v->first != NULL)
		return v->first;
	return value_first(value_get(schema, "enum"));
}

static const struct value *
make_string(struct example_state *m, const struct value *schema)
{
	static const char *const formats[][2] = { { "date-time", "2024-01-01T12:00:00Z" },
		/*
		 * The values are fixed and do not depend on the clock or random numbers, so that
		 * the same description gives the same documents.
		 */
		{ "date", "2024-01-01" }, { "time", "12:00:00Z" }, { "duration", "P1D" }, { "email", "name@example.com" },
		{ "uri", "https://example.com" }, { "url", "https://example.com" }, { "hostname", "example.com" },
		{ "ipv4", "192.0.2.1" }, { "ipv6", "2001:db8::1" }, { "uuid", "123e4567-e89b-12d3-a456-426614174000" },
		{ "byte", "dGV4dA==" }, { "binary", "binary" }, { "password", "secret" } };
	struct str format = value_text(value_get(schema, "format"));
	size_t i;

	for (i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (str_is(format, formats[i][0]))
			return text_value(m, formats[i][1]);
	return text_value(m, "text");
}

/* The smallest allowed value is always valid; 1 if there is no minimum. */
static const struct value *
make_number(struct example_state *m, const struct value *schema)
{
	const struct value *least = value_get(schema, "minimum");

	return value_is(least, VALUE_NUMBER) ? least : number_value(m, "1");
}

/* Adds the properties of a schema to the object that is being made. */
static void
add_properties(struct example_state *m, struct value *object, struct value ***tail, const struct value *schema)
{
	/*
	 * OpenAPI 3.0, "Schema Object": readOnly properties are not sent, writeOnly ones not
	 * answered.
	 */
	const char *hidden = m->request ? "readOnly" : "writeOnly";
	const struct value *p, *one, *target;

	for (p = value_members(value_get(schema, "properties")); p != NULL; p = p->next) {
		target = openapi_deref(p);
		/*
		 * A name that exists already is from an earlier part of an allOf, which takes
		 * precedence: a map has no name twice. What the author hides from pages is in no
		 * example either.
		 */
		if (object->n >= MAX_MEMBERS || m->left == 0 || value_is(value_get(target, hidden), VALUE_TRUE) ||
		    is_internal(p) || is_internal(target) || value_getn(object, value_key(p)) != NULL)
			continue;
		if ((one = make_example(m, p)) != NULL)
			value_append(object, tail, value_key(p), copy_value(m->t->arena, one));
	}
}

/* Adds a schema's own properties and those of all its allOf to one object. */
static void
add_all(struct example_state *m, struct value *object, struct value ***tail, const struct value *schema)
{
	const struct value *part;

	schema = openapi_deref(schema);
	/* Parts count as well: an allOf that contains its own schema would branch at each level. */
	if (schema == NULL || m->levels >= MAX_LEVELS || m->left == 0)
		return;
	m->left--;
	m->levels++;
	add_properties(m, object, tail, schema);
	for (part = value_first(value_get(schema, "allOf")); part != NULL; part = part->next)
		add_all(m, object, tail, part);
	m->levels--;
}

static const struct value *
make_object(struct example_state *m, const struct value *schema)
{
	struct value *object = value_new(m->t->arena, VALUE_MAP), **tail = &object->first;

	add_all(m, object, &tail, schema);
	return object;
}

/* A list of one item, or an empty one if nothing is known about items. */
static const struct value *
make_list(struct example_state *m, const struct value *schema)
{
	struct value *list = value_new(m->t->arena, VALUE_LIST), **tail = &list->first;
	const struct value *one = value_get(schema, "items");

	if (one != NULL && (one = make_example(m, one)) != NULL)
		value_append(list, &tail, (struct str){ NULL, 0 }, copy_value(m->t->arena, one));
	return list;
}

/* The type; of several in 3.1 the first that is not null. */
static struct str
first_type(const struct value *schema)
{
	const struct value *type = value_get(schema, "type"), *one;

	if (!value_is(type, VALUE_LIST))
		return value_text(type);
	for (one = type->first; one != NULL && str_is(value_text(one), "null"); )
		one = one->next;
	return value_text(one);
}

/*
 * Makes an example by the type of the schema, or by keywords that imply a type: many descriptions
 * omit "type": "object". NULL: the type is unknown.
 */
static const struct value *
make_typed(struct example_state *m, const struct value *schema)
{
	struct str type = first_type(schema);

	if (str_is(type, "string"))
		return make_string(m, schema);
	if (str_is(type, "integer") || str_is(type, "number"))
		return make_number(m, schema);
	if (str_is(type, "boolean"))
		return value_new(m->t->arena, VALUE_TRUE);
	if (str_is(type, "array") || value_get(schema, "items") != NULL)
		return make_list(m, schema);
	if (str_is(type, "object") || value_get(schema, "properties") != NULL || value_get(schema, "allOf") != NULL)
		return make_object(m, schema);
	return NULL;
}

/* NULL: nothing is known, or the budget is used up. */
static const struct value *
make_example(struct example_state *m, const struct value *schema)
{
	static const char *const choices[] = { "oneOf", "anyOf" };
	const struct value *v, *out = NULL;
	size_t i;

	schema = openapi_deref(schema);
	if (!value_is(schema, VALUE_MAP) || m->left == 0 || m->levels >= MAX_LEVELS)
		return NULL;
	/* This comes before anything else, so that each schema costs something. */
	m->left--;
	if ((v = given_example(schema)) != NULL)
		return v;
	m->levels++;
	/* The first choice of which an example can be made. */
	for (i = 0; i < 2 && out == NULL; i++)
		for (v = value_first(value_get(schema, choices[i])); v != NULL && out == NULL; v = v->next)
			out = make_example(m, v);
	/* If the schema has properties of its own besides the choice, these are shown. */
	if (out == NULL || value_get(schema, "properties") != NULL)
		out = make_typed(m, schema);
	m->levels--;
	return out;
}

const struct value *
example_of(struct part_writer *t, const struct value *schema, bool request, unsigned budget)
{
	struct example_state m = { t, request, budget, 0 };

	return make_example(&m, schema);
}

/*
 * In this order: `example`, the first of `examples` with a value of its own (not externalValue), an
 * example made from the schema.
 */
const struct value *
example_given(struct part_writer *t, const struct value *holder, bool request)
{
	const struct value *v = value_get(holder, "example"), *list;

	if (v != NULL)
		return v;
	list = value_get(holder, "examples");
	if (value_is(list, VALUE_MAP) && list->first != NULL) {
		v = value_get(openapi_deref(list->first), "value");
		if (v != NULL)
			return v;
	}
	return example_of(t, value_get(holder, "schema"), request, EXAMPLE_VALUES);
}
