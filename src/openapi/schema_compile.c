/*
 * Compiles schema documents to struct schema. Each schema is compiled once and found again by its
 * value, so schemas may refer to each other in cycles.
 *
 * `id` sets the base address of references below it (draft 4, 7.2); all ids of a document are
 * registered when the document is added.
 */
#include <assert.h>

#include "openapi/uri.h"
#include "schema_parts.h"

struct place {
	const struct value *value;
	const char         *base;   /* base address of references in it */
};

/*
 * The keys of values are their addresses, which are stable: trees do not change once they are read.
 */
struct schema_set {
	struct arena      *arena;
	struct map *places;    /* URI -> struct place: documents and ids */
	struct map *bases;     /* value (its address) -> char *base, if an id changes it */
	struct map *compiled;  /* value (its address) -> struct schema */
	/* The first fault of the last schema_find(); NULL: none. */
	const char        *why;
	/*
	 * The first unknown keyword; NULL: none. Not an error, since a schema may have any member.
	 */
	const char        *unknown;
};

/* The argument of a keyword's reader: where to report, and the schema to fill. */
struct compiler {
	struct schema_set *set;
	struct schema     *s;
};

/* Schemas contain schemas: readers of keywords call it again. */
static const struct schema *compile_schema(struct schema_set *set, const struct value *v, const char *base);

/* Always returns false. The first fault is kept: others follow from it. */
static bool
compile_fail(struct schema_set *set, const char *what, struct str name)
{
	if (set->why == NULL)
		set->why = arena_printf(set->arena, "%s \"%.*s\"", what, (int)name.n, name.p);
	return false;
}

/* ---- addresses ---- */

/* A value's address as a key. */
static struct str
address_key(struct arena *a, const struct value *v)
{
	return (struct str){ arena_strndup(a, (const char *)&v, sizeof(v)), sizeof(v) };
}

/* The URI must stay valid. */
static void
add_place(struct schema_set *set, const char *uri, const struct value *v, const char *base)
{
	struct place *p = arena_alloc(set->arena, sizeof(*p));
	size_t n = strlen(uri);

	/* value and base live as long as the set. */
	*p = (struct place){ v, base };
	if (n > 0 && uri[n - 1] == '#')
		n--;
	map_add(set->places, (struct str){ uri, n }, p);
}

/* Registers the ids below v. A property named "id" has a schema, not a text, as its value. */
static void
add_ids(struct schema_set *set, const struct value *v, const char *base)
{
	const struct value *id = value_get(v, "id"), *m;
	struct str fragment;

	/* A list of enum values may contain an object with "id", which is data. */
	if (value_is(id, VALUE_STRING) && value_get(v, "enum") == NULL) {
		base = uri_join(set->arena, base, value_text(id));
		add_place(set, base, v, base);
		base = uri_split(set->arena, base, &fragment);
		map_add(set->bases, address_key(set->arena, v), (void *)(uintptr_t)base);
	}
	/* The depth is that of our own schemas, which value_read() bounds. */
	for (m = value_first(v); m != NULL; m = m->next)
		add_ids(set, m, base);
}

struct schema_set *
schema_set_new(struct arena *a)
{
	struct schema_set *set = arena_alloc(a, sizeof(*set));

	set->arena = a;
	set->places = map_new(a);
	set->bases = map_new(a);
	set->compiled = map_new(a);
	return set;
}

/* The text of the URI is copied; the document must stay valid. */
void
schema_set_add(struct schema_set *set, const char *uri, const struct value *document)
{
	const char *base = arena_strdup(set->arena, uri);

	add_place(set, base, document, base);
	add_ids(set, document, base);
}

/* Follows a pointer below a document; ids on the way change the base. */
static const struct value *
walk_pointer(struct schema_set *set, const struct place *from, struct str pointer, const char **base)
{
	const struct value *v = from->value;
	const char *other;
	size_t i, end;

	*base = from->base;
	for (i = 0; v != NULL && i < pointer.n; i = end) {
		for (end = i + 1; end < pointer.n && pointer.p[end] != '/'; )
			end++;
		v = value_at(v, str_slice(pointer, i, end), set->arena);
		/* The id of the last value itself is left out: compile_schema() applies it. */
		other = v == NULL ? NULL :
		    map_get(set->bases, (struct str){ (const char *)&v, sizeof(v) });
		*base = other != NULL && end < pointer.n ? other : *base;
	}
	return v;
}

/*
 * A fragment is a JSON pointer if it begins with "/", otherwise the name of an `id` such as "#pet"
 * (draft 4, 7.2.3).
 */
static const struct value *
find_value(struct schema_set *set, const char *uri, const char **base)
{
	struct str fragment;
	char *document = uri_split(set->arena, uri, &fragment);
	const struct place *p;

	if (fragment.n > 0 && fragment.p[0] != '/') {
		p = map_get(set->places, str_of(uri));
		*base = document;
		return p == NULL ? NULL : p->value;
	}
	p = map_get(set->places, str_of(document));
	return p == NULL ? NULL : walk_pointer(set, p, fragment, base);
}

/* NULL: set->why says what is wrong. */
static const struct schema *
compile_uri(struct schema_set *set, const char *uri)
{
	const char *base;
	const struct value *v = find_value(set, uri, &base);

	if (v == NULL) {
		compile_fail(set, "there is no schema at", str_of(uri));
		return NULL;
	}
	return compile_schema(set, v, base);
}

/* ---- keywords ---- */

/* allOf, anyOf, oneOf, and items with a schema for each place. */
static bool
schema_list(struct compiler *c, const struct value *v, struct schema_list *out)
{
	const struct value *m = value_first(v);

	if (!value_is(v, VALUE_LIST))
		return compile_fail(c->set, "a list of schemas is expected in", value_key(v));
	out->at = arena_array(c->set->arena, v->n, sizeof(*out->at));
	for (; m != NULL; m = m->next)
		if ((out->at[out->n++] = compile_schema(c->set, m, c->s->base)) == NULL)
			return false;
	return true;
}

/*
 * patterns: the names are regular expressions, compiled here, since each checked member is matched
 * with them.
 */
static bool
named_schemas(struct compiler *c, const struct value *v, struct named_list *out, bool patterns)
{
	struct named_schema *k;
	const struct value *m = value_first(v);

	if (!value_is(v, VALUE_MAP))
		return compile_fail(c->set, "a map of schemas is expected in", value_key(v));
	out->at = arena_array(c->set->arena, v->n, sizeof(*out->at));
	for (; m != NULL; m = m->next) {
		k = &out->at[out->n++];
		k->name = value_key(m);
		if (patterns && (k->pattern = pattern_new(c->set->arena, k->name, &c->set->why)) == NULL)
			return false;
		if ((k->schema = compile_schema(c->set, m, c->s->base)) == NULL)
			return false;
	}
	return true;
}

/* The list keeps the order, the map makes look-ups fast. */
static bool
kw_properties(struct compiler *c, const struct value *v)
{
	size_t i;

	if (!named_schemas(c, v, &c->s->properties, false))
		return false;
	c->s->property_at = map_new(c->set->arena);
	for (i = 0; i < c->s->properties.n; i++)
		map_add(c->s->property_at, c->s->properties.at[i].name,
		    (void *)(uintptr_t)c->s->properties.at[i].schema);
	return true;
}

static bool
kw_patterns(struct compiler *c, const struct value *v)
{
	return named_schemas(c, v, &c->s->patterns, true);
}

/*
 * Draft 4, 5.4.5: a list names members that are required as well, a schema applies to the whole
 * object.
 */
static bool
kw_dependencies(struct compiler *c, const struct value *v)
{
	struct named_list *out = &c->s->dependencies;
	const struct value *m = value_first(v);

	out->at = arena_array(c->set->arena, v->n, sizeof(*out->at));
	for (; m != NULL; m = m->next) {
		out->at[out->n].name = value_key(m);
		if (m->kind == VALUE_LIST)
			out->at[out->n].names = m;
		else if ((out->at[out->n].schema = compile_schema(c->set, m, c->s->base)) == NULL)
			return false;
		out->n++;
	}
	return true;
}

/* The value of additionalItems and additionalProperties: a schema, true or false. */
static bool
schema_or_flag(struct compiler *c, const struct value *v, const struct schema **out, unsigned flag)
{
	/* true has no effect. */
	if (v->kind == VALUE_FALSE)
		c->s->flags |= flag;
	return v->kind != VALUE_MAP || (*out = compile_schema(c->set, v, c->s->base)) != NULL;
}

static bool
kw_more_items(struct compiler *c, const struct value *v)
{
	return schema_or_flag(c, v, &c->s->more_items, NO_MORE_ITEMS);
}

static bool
kw_more_properties(struct compiler *c, const struct value *v)
{
	return schema_or_flag(c, v, &c->s->more_properties, NO_MORE_PROPERTIES);
}

static bool
kw_items(struct compiler *c, const struct value *v)
{
	c->s->has_items_at = v->kind == VALUE_LIST;
	if (v->kind == VALUE_LIST)
		return schema_list(c, v, &c->s->items_at);
	return (c->s->items = compile_schema(c->set, v, c->s->base)) != NULL;
}

/* "integer" is a bit of its own, because it does not follow from a value's kind. */
static bool
add_type(struct compiler *c, const struct value *v)
{
	static const struct { const char *name; unsigned bits; } types[] = {
		{ "null", 1 << VALUE_NULL }, { "boolean", BOOLEAN_BITS }, { "number", 1 << VALUE_NUMBER },
		{ "string", 1 << VALUE_STRING }, { "array", 1 << VALUE_LIST }, { "object", 1 << VALUE_MAP },
		{ "integer", INTEGER_BIT } };
	size_t i;

	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (str_is(value_text(v), types[i].name)) {
			c->s->types |= types[i].bits;
			return true;
		}
	}
	return compile_fail(c->set, "there is no type", value_text(v));
}

static bool
kw_type(struct compiler *c, const struct value *v)
{
	const struct value *m;

	if (v->kind != VALUE_LIST)
		return add_type(c, v);
	for (m = v->first; m != NULL; m = m->next)
		if (!add_type(c, m))
			return false;
	return true;
}

static bool
kw_enum(struct compiler *c, const struct value *v)
{
	c->s->enumeration = v;
	return v->kind == VALUE_LIST || compile_fail(c->set, "a list is expected in", value_key(v));
}

/* Draft 4: a list of names. The boolean of draft 3 is refused. */
static bool
kw_required(struct compiler *c, const struct value *v)
{
	c->s->required = v;
	return v->kind == VALUE_LIST || compile_fail(c->set, "a list is expected in", value_key(v));
}

static bool
kw_pattern(struct compiler *c, const struct value *v)
{
	return (c->s->pattern = pattern_new(c->set->arena, value_text(v), &c->set->why)) != NULL;
}

static bool
kw_all_of(struct compiler *c, const struct value *v)
{
	return schema_list(c, v, &c->s->all_of);
}

static bool
kw_any_of(struct compiler *c, const struct value *v)
{
	return schema_list(c, v, &c->s->any_of);
}

static bool
kw_one_of(struct compiler *c, const struct value *v)
{
	return schema_list(c, v, &c->s->one_of);
}

static bool
kw_not(struct compiler *c, const struct value *v)
{
	return (c->s->no = compile_schema(c->set, v, c->s->base)) != NULL;
}

static bool
kw_unique(struct compiler *c, const struct value *v)
{
	c->s->flags |= v->kind == VALUE_TRUE ? UNIQUE_ITEMS : 0;
	return true;
}

/* Numbers: stores each one, and sets its flag. */
static bool
kw_number(struct compiler *c, const struct value *v)
{
	struct schema *s = c->s;
	double n = value_number(v);
	struct str k = value_key(v);

	if (!value_is(v, VALUE_NUMBER))
		return compile_fail(c->set, "a number is expected in", k);
	/* A flag, not a special number: any double may be a limit. */
	if (str_is(k, "maximum"))
		s->maximum = n, s->flags |= HAS_MAXIMUM;
	else if (str_is(k, "minimum"))
		s->minimum = n, s->flags |= HAS_MINIMUM;
	else
		s->multiple = n, s->flags |= HAS_MULTIPLE;
	return true;
}

/* Draft 4: a flag beside maximum or minimum; the numbers of later drafts are refused. */
static bool
kw_exclusive(struct compiler *c, const struct value *v)
{
	if (v->kind == VALUE_TRUE)
		c->s->flags |= str_is(value_key(v), "exclusiveMaximum") ? EXCLUSIVE_MAXIMUM : EXCLUSIVE_MINIMUM;
	return v->kind <= VALUE_TRUE || compile_fail(c->set, "true or false is expected in", value_key(v));
}

static bool
kw_count(struct compiler *c, const struct value *v)
{
	struct schema *s = c->s;
	const struct { const char *name; size_t *at; } places[] = {
		{ "maxLength", &s->max_length }, { "minLength", &s->min_length },
		{ "maxItems", &s->max_items }, { "minItems", &s->min_items },
		{ "maxProperties", &s->max_properties }, { "minProperties", &s->min_properties } };
	size_t i;

	if (!value_is(v, VALUE_NUMBER) || value_number(v) < 0)
		return compile_fail(c->set, "a count is expected in", value_key(v));
	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		/* Minima are 0 and maxima SIZE_MAX by default, which assert nothing. */
		if (str_is(value_key(v), places[i].name))
			*places[i].at = (size_t)value_number(v);
	return true;
}

/* Asserts nothing about a value. */
static bool
kw_nothing(struct compiler *c, const struct value *v)
{
	(void)c;
	(void)v;
	return true;
}

/* All keywords of draft 4. Their order does not matter: read_keyword() looks each member up. */
static const struct keyword {
	const char *name;
	bool      (*read)(struct compiler *c, const struct value *v);
} keywords[] = {
	{ "$schema", kw_nothing }, { "id", kw_nothing }, { "title", kw_nothing },
	{ "description", kw_nothing }, { "default", kw_nothing }, { "definitions", kw_nothing },
	{ "format", kw_nothing },
	{ "type", kw_type }, { "enum", kw_enum }, { "pattern", kw_pattern },
	{ "required", kw_required }, { "properties", kw_properties },
	{ "patternProperties", kw_patterns }, { "additionalProperties", kw_more_properties },
	{ "dependencies", kw_dependencies }, { "items", kw_items }, { "additionalItems", kw_more_items },
	{ "uniqueItems", kw_unique }, { "allOf", kw_all_of }, { "anyOf", kw_any_of },
	{ "oneOf", kw_one_of }, { "not", kw_not },
	{ "maximum", kw_number }, { "minimum", kw_number }, { "multipleOf", kw_number },
	{ "exclusiveMaximum", kw_exclusive }, { "exclusiveMinimum", kw_exclusive },
	{ "maxLength", kw_count }, { "minLength", kw_count }, { "maxItems", kw_count },
	{ "minItems", kw_count }, { "maxProperties", kw_count }, { "minProperties", kw_count }
};

/* Linear in 33 keywords: schemas are compiled once in a job. */
static bool
read_keyword(struct compiler *c, const struct value *v)
{
	size_t i;

	for (i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++)
		if (str_is(value_key(v), keywords[i].name))
			return keywords[i].read(c, v);
	/*
	 * The build checks it (openapi_schemas_refuse()): an unknown keyword would silently assert
	 * nothing.
	 */
	if (c->set->unknown == NULL)
		c->set->unknown = arena_strndup(c->set->arena, v->key_p, v->key_n);
	return true;
}

/* NULL: set->why says what is wrong. */
static const struct schema *
compile_schema(struct schema_set *set, const struct value *v, const char *base)
{
	struct str key = { (const char *)&v, sizeof(v) };
	struct schema *s = map_get(set->compiled, key);
	struct compiler c = { set, s };
	const struct value *m;
	const char *own;

	if (s != NULL)
		return s;
	if (v->kind != VALUE_MAP) {
		compile_fail(set, "a schema is expected in", value_key(v));
		return NULL;
	}
	own = map_get(set->bases, key);
	c.s = s = arena_alloc(set->arena, sizeof(*s));
	s->source = v;
	s->base = own != NULL ? own : base;
	s->max_length = s->max_items = s->max_properties = SIZE_MAX;
	/*
	 * The schema is registered before its keywords are read, so that a schema that refers to
	 * itself finds itself here. The key is the address within the schema, which does not
	 * change.
	 */
	map_add(set->compiled, (struct str){ (const char *)&s->source, sizeof(v) }, s);
	/* All other members of a reference are ignored (JSON Reference draft 03, 3). */
	if (value_is(m = value_get(v, "$ref"), VALUE_STRING)) {
		s->ref = compile_uri(set, uri_join(set->arena, s->base, value_text(m)));
		return s->ref == NULL ? NULL : s;
	}
	for (m = v->first; m != NULL; m = m->next)
		if (!read_keyword(&c, m))
			return NULL;
	return s;
}

const struct schema *
schema_find(struct schema_set *set, const char *uri, const char **why)
{
	const struct schema *s;

	/* Forgets the fault of an earlier look-up. */
	set->why = NULL;
	s = compile_uri(set, uri);
	*why = set->why;
	return set->why == NULL ? s : NULL;
}

const char *
schema_unknown(const struct schema_set *set)
{
	return set->unknown;
}
