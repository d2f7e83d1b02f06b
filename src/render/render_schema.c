/*
 * Renders schemas of API descriptions: a list with a row for each property, which can be expanded.
 *
 * Alternatives (oneOf, anyOf) are written as alternatives. The parts of an allOf, an alternative
 * that only adds null, and an allOf of one reference are each written as a single type.
 *
 * Pages stay small. A named schema below the first level with more than a few properties is loaded
 * on demand: its row links to a page of its own (render_env.schema), which a script fetches when
 * the row is expanded. If there is no such page, a schema that is already on the page becomes a
 * link once the page has many rows. A reference to an enclosing schema is always a link.
 */
#include "render_api.h"

/*
 * SCHEMA_DEPTH: levels that are written in place. PROPERTIES_MAX: per schema. ROWS_MAX: per
 * operation or model; beyond it rows are left out, which schemas_end() says. ROWS_FREE: per page,
 * after which schemas are written once. SMALL: properties of a named schema that is written in
 * place (openapi/weigh.c estimates with the same numbers). VALUES_MAX: values of an enum. LISTS_MAX:
 * levels of lists of lists that are followed.
 */
enum { SCHEMA_DEPTH = 6, PROPERTIES_MAX = 400, ROWS_MAX = 300, ROWS_FREE = 4000, SMALL = 8, VALUES_MAX = 200, LISTS_MAX = 4 };

/* ---- names ---- */

void
schemas_init(struct schemas *s, struct render *r, const cJSON *node)
{
	const cJSON *list;

	*s = (struct schemas){ .r = r, .set = r->schemas, .spec = json_text_of(json_member(data_of(node), "ref"), "spec"), .rows = ROWS_MAX };
	list = document_schemas(r->document, s->spec);
	/* Keep the map for the next block: most blocks of a page use the same specification. */
	if (r->schemas != NULL && r->schema_list == list)
		return;
	/* Index them by name: there may be thousands, and each property looks one up. */
	r->schema_list = list;
	s->set = r->schemas = arena_alloc(r->arena, sizeof(*r->schemas));
	schema_set_init(r->schemas, r->arena, list);
	r->schema_at = map_new(r->arena);
}

/* ---- types ---- */

static void add_type(struct schemas *s, struct buf *b, const cJSON *schema, int depth);

/* Writes "Cat | Dog", if the alternatives are few and have names. */
static bool
add_choice(struct schemas *s, struct buf *b, const cJSON *list, int depth)
{
	const cJSON *one;
	const char *before = "";

	if (cJSON_GetArraySize(list) == 0 || cJSON_GetArraySize(list) > 4 || depth > 2)
		return false;
	cJSON_ArrayForEach(one, list) {
		buf_str(b, before);
		add_type(s, b, one, depth + 1);
		before = " | ";
	}
	return true;
}

/* Writes the types in a list of types (OpenAPI 3.1). */
static void
add_types(struct schemas *s, struct buf *b, const cJSON *schema, int depth)
{
	const cJSON *one;
	const char *before = "";

	cJSON_ArrayForEach(one, json_member(schema, "type")) {
		if (!cJSON_IsString(one))
			continue;
		buf_str(b, before);
		before = " | ";
		if (strcmp(one->valuestring, "array") != 0 || json_member(schema, "items") == NULL || depth >= 4) {
			buf_str(b, one->valuestring);
			continue;
		}
		add_type(s, b, json_member(schema, "items"), depth + 1);
		buf_str(b, "[]");
	}
}

/* The schema without its name. */
static void
add_own_type(struct schemas *s, struct buf *b, const cJSON *schema, int depth)
{
	const char *type = json_text_of(schema, "type"), *format = json_text_of(schema, "format");

	type = type != NULL ? type : type_of_values(schema);
	if (type == NULL && (add_choice(s, b, json_member(schema, "oneOf"), depth) || add_choice(s, b, json_member(schema, "anyOf"), depth)))
		return;
	buf_str(b, type != NULL ? type : json_member(schema, "properties") != NULL || json_member(schema, "allOf") != NULL ||
	    cJSON_IsObject(json_member(schema, "additionalProperties")) ? "object" :
	    json_member(schema, "oneOf") != NULL || json_member(schema, "anyOf") != NULL ? say(s->r, TEXT_ONE_OF) : "any");
	if (format != NULL)
		buf_printf(b, " (%s)", format);
}

/*
 * Append a type such as "string (date)", "Pet[]" or "string | null"; named schemas by their name.
 */
static void
add_type(struct schemas *s, struct buf *b, const cJSON *schema, int depth)
{
	const char *name;
	const cJSON *own = plain_schema(s->set, schema, &name);
	size_t from = b->n;

	/* OpenAPI 3.1 has a list of types; earlier versions have one. */
	if (cJSON_IsArray(json_member(own, "type"))) {
		add_types(s, b, own, depth);
	/* The depth is limited, since items may refer back to the array. */
	} else if (same_text(json_text_of(own, "type"), "array") && json_member(own, "items") != NULL && depth < LISTS_MAX) {
		add_type(s, b, json_member(own, "items"), depth + 1);
		if (memchr(b->p + from, '|', b->n - from) != NULL) {
			const char *choice = arena_strndup(s->r->arena, b->p + from, b->n - from);
			buf_cut(b, b->n - from);
			buf_printf(b, "(%s)", choice);
		}
		buf_str(b, "[]");
	} else if (name != NULL) {
		buf_str(b, name);
	} else {
		add_own_type(s, b, own, depth);
	}
	if (is_nullable(s->set, schema) && !is_null_schema(own))
		buf_str(b, " | null");
}

const char *
schema_type(struct schemas *s, const cJSON *schema)
{
	struct buf b;

	/* Formats and names come from the description and may have any length. */
	buf_init(&b, s->r->arena, (size_t)1 << 26);
	buf_str(&b, "");
	add_type(s, &b, schema, 0);
	return b.p;
}

/* ---- values ---- */

const char *
api_value_text(struct render *r, const cJSON *v)
{
	if (cJSON_IsString(v))
		return v->valuestring;
	return v == NULL ? NULL : arena_strdup(r->arena, cJSON_PrintUnformatted(v));
}

/*
 * The author's description of a value of an enum: the member of x-enumDescriptions with its name,
 * or the entry with its index in a list of descriptions.
 */
static const char *
value_about(const cJSON *schema, const cJSON *value, int at)
{
	static const char *const names[] = { "x-enumDescriptions", "x-enum-descriptions" };
	const cJSON *all, *one;

	for (size_t i = 0; i < 2; i++) {
		all = json_member(schema, names[i]);
		/* at is below VALUES_MAX, which bounds this search. */
		one = cJSON_IsArray(all) ? cJSON_GetArrayItem(all, at) :
		    cJSON_IsString(value) ? json_member(all, value->valuestring) : NULL;
		if (cJSON_IsString(one))
			return one->valuestring;
	}
	return NULL;
}

/* Writes one value of an enum. described: as an item of a list, with the author's description. */
static void
render_value(struct render *r, const cJSON *schema, const cJSON *value, int at, bool described)
{
	const char *about = described ? value_about(schema, value, at) : NULL;

	if (described)
		h_open(&r->h, "li");
	else
		h_text(&r->h, " ");
	h_leaf(&r->h, "code", NULL, api_value_text(r, value));
	if (about != NULL) {
		h_text(&r->h, " ");
		render_about_line(r, about);
	}
	if (described)
		h_close(&r->h);
}

/* Writes the allowed values with the author's descriptions. */
static void
render_values(struct render *r, const cJSON *schema)
{
	const cJSON *one, *values = json_member(schema, "enum"), *c = json_member(schema, "const");
	bool described = json_member(schema, "x-enumDescriptions") != NULL || json_member(schema, "x-enum-descriptions") != NULL;
	int i = 0;

	if (cJSON_GetArraySize(values) == 0 && c == NULL)
		return;
	h_el(&r->h, described ? "ul" : "p", "class", "values", NULL);
	h_leaf(&r->h, described ? "li" : "span", "limit", say(r, TEXT_VALUES));
	if (c != NULL)
		render_value(r, schema, c, VALUES_MAX, false);
	cJSON_ArrayForEach(one, values) {
		if (i == VALUES_MAX) {
			h_leaf(&r->h, described ? "li" : "span", "limit", "…");
			break;
		}
		render_value(r, schema, one, i++, described);
	}
	h_close(&r->h);
}

void
render_limits(struct render *r, const cJSON *schema)
{
	static const char *const names[] = { "default", "minimum", "maximum", "exclusiveMinimum",
		"exclusiveMaximum", "multipleOf", "minLength", "maxLength", "minItems", "maxItems", "uniqueItems",
		"minProperties", "maxProperties", "pattern", "contentMediaType", "example" };
	const cJSON *one;

	render_values(r, schema);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		one = json_member(schema, names[i]);
		/* Objects and lists are too long for the line of limits. */
		if (one == NULL || cJSON_IsObject(one) || cJSON_IsArray(one) || (cJSON_IsFalse(one) && strcmp(names[i], "default") != 0))
			continue;
		h_text(&r->h, " ");
		h_el(&r->h, "span", "class", "limit", NULL);
		h_text(&r->h, names[i]);
		h_text(&r->h, ": ");
		h_leaf(&r->h, "code", NULL, api_value_text(r, one));
		h_close(&r->h);
	}
}

/* Writes limits of the schema, and of the items of a list without a body. */
static void
render_all_limits(struct schemas *s, const cJSON *schema)
{
	const char *name;

	render_limits(s->r, schema);
	if (json_member(schema, "items") != NULL) {
		const cJSON *items = plain_schema(s->set, json_member(schema, "items"), &name);
		if (json_member(items, "properties") == NULL)
			render_values(s->r, items);
	}
}

/* ---- places ---- */

/* True if the schema of this name encloses the current place. */
static bool
is_open(const struct schemas *s, const char *name)
{
	for (int i = 0; name != NULL && i < s->depth; i++)
		if (same_text(s->open[i], name))
			return true;
	return false;
}

/* The schema, or that of its items if it is a list; *name as in plain_schema(). */
static const cJSON *
item_schema(const struct schemas *s, const cJSON *schema, const char **name)
{
	const cJSON *own = plain_schema(s->set, schema, name);

	/* As has_body() does. */
	for (int i = 0; i < LISTS_MAX && *name == NULL && json_member(own, "items") != NULL; i++)
		own = plain_schema(s->set, json_member(own, "items"), name);
	return own;
}

/*
 * The id of the place where the schema, or that of its items, is already written; NULL: write it
 * here.
 */
static const char *
written_at(const struct schemas *s, const cJSON *schema)
{
	const char *name;

	item_schema(s, schema, &name);
	/* An enclosing schema is always a link: writing it again would never end. */
	return name != NULL && (s->r->schema_rows >= ROWS_FREE || is_open(s, name)) ?
	    map_get(s->r->schema_at, str_of(name)) : NULL;
}

/* The rows that a schema from plain_schema() has, about: an alternative counts as two. */
static int
count_properties(const cJSON *own)
{
	return cJSON_GetArraySize(json_member(own, "properties")) +
	    (cJSON_GetArraySize(json_member(own, "oneOf")) + cJSON_GetArraySize(json_member(own, "anyOf"))) * 2;
}

/*
 * The address of the schema's own page; NULL: the schema is written in place, or there is no such page.
 * A small schema is written in place, unless it is below itself or too deep, or the rows are used up.
 */
static const char *
own_page_address(const struct schemas *s, const cJSON *schema)
{
	const char *name;
	const cJSON *own = item_schema(s, schema, &name);

	if (name == NULL || s->spec == NULL || s->r->env->schema == NULL || !map_has(s->set->names, str_of(name)) ||
	    (count_properties(own) <= SMALL && !is_open(s, name) && s->depth < SCHEMA_DEPTH - 1 && s->rows > 0))
		return NULL;
	return s->r->env->schema(s->r->env->ctx, s->spec, name);
}

/* True if the schema has something to show below its type: properties, alternatives, items. */
static bool
has_body(const struct schemas *s, const cJSON *schema, int depth)
{
	const char *name;

	schema = plain_schema(s->set, schema, &name);
	if (cJSON_GetArraySize(json_member(schema, "properties")) > 0 || cJSON_GetArraySize(json_member(schema, "oneOf")) > 0 ||
	    cJSON_GetArraySize(json_member(schema, "anyOf")) > 0 || cJSON_GetArraySize(json_member(schema, "allOf")) > 0 ||
	    cJSON_IsObject(json_member(schema, "additionalProperties")))
		return true;
	return json_member(schema, "items") != NULL && depth < LISTS_MAX && has_body(s, json_member(schema, "items"), depth + 1);
}

/* Write the type, with a link if the schema is written elsewhere. */
static void
type_cell(struct schemas *s, const char *element, const cJSON *schema)
{
	const char *at = s->r->env->schema != NULL ? NULL : written_at(s, schema);

	if (at == NULL) {
		h_leaf(&s->r->h, element, "type", schema_type(s, schema));
		return;
	}
	h_el(&s->r->h, element, "class", "type", NULL);
	h_el(&s->r->h, "a", "href", render_anchor(s->r, at), NULL);
	h_text(&s->r->h, schema_type(s, schema));
	h_close(&s->r->h);
	h_close(&s->r->h);
}

/* ---- rows ---- */

/*
 * Writes the schema below its row: collapsed, or loaded on demand. <details> can be expanded
 * without script.
 */
static void
fold_schema(struct schemas *s, const cJSON *schema)
{
	struct render *r = s->r;
	const char *at;

	if (!has_body(s, schema, 0))
		return;
	if ((at = own_page_address(s, schema)) != NULL) {
		h_el(&r->h, "details", "class", "made", NULL);
		h_leaf(&r->h, "summary", NULL, schema_type(s, schema));
		h_open(&r->h, "a");
		h_url(&r->h, "href", at);
		h_text(&r->h, schema_type(s, schema));
		h_close(&r->h);
		h_close(&r->h);
		return;
	}
	if (s->depth >= SCHEMA_DEPTH || written_at(s, schema) != NULL)
		return;
	h_open(&r->h, "details");
	h_leaf(&r->h, "summary", NULL, schema_type(s, schema));
	schema_body(s, schema);
	h_close(&r->h);
}

static void
add_mark(struct render *r, const char *class, const char *text)
{
	h_text(&r->h, " ");
	h_leaf(&r->h, "span", class, text);
}

void
render_row(struct schemas *s, const struct schema_row *row)
{
	struct render *r = s->r;
	const char *named;
	const cJSON *own = plain_schema(s->set, row->schema, &named);

	/* Large specifications would give millions of rows: stop at the limit. */
	if (s->rows <= 0) {
		s->cut = true;
		return;
	}
	s->rows--;
	/* Count rows of the page: from ROWS_FREE on, repeated schemas become links. */
	r->schema_rows++;
	h_open(&r->h, "li");
	h_leaf(&r->h, "code", "name", row->name);
	h_text(&r->h, " ");
	type_cell(s, "span", row->schema);
	if (row->required)
		add_mark(r, "must", say(r, TEXT_REQUIRED));
	if (row->deprecated || schema_flag(s->set, row->schema, "deprecated"))
		add_mark(r, "old", say(r, TEXT_DEPRECATED));
	if (schema_flag(s->set, row->schema, "readOnly"))
		add_mark(r, "limit", say(r, TEXT_READ_ONLY));
	if (schema_flag(s->set, row->schema, "writeOnly"))
		add_mark(r, "limit", say(r, TEXT_WRITE_ONLY));
	render_description(r, row->about != NULL ? row->about : schema_about(s->set, row->schema));
	render_all_limits(s, own);
	render_row_examples(r, row->holder);
	fold_schema(s, row->schema);
	h_close(&r->h);
}

/* ---- bodies ---- */

/* The row "*" is for additionalProperties. */
static void
render_properties(struct schemas *s, const cJSON *own)
{
	struct html *h = &s->r->h;
	const cJSON *p, *more = json_member(own, "additionalProperties");
	unsigned open = h->depth;
	int left = PROPERTIES_MAX;

	cJSON_ArrayForEach(p, json_member(own, "properties")) {
		if (p->string == NULL || json_flag_of(p, "x-internal"))
			continue;
		/* Rows that are not written need no is_required(), which is slow. */
		if (left-- <= 0 || s->rows <= 0) {
			s->cut = true;
			break;
		}
		if (h->depth == open)
			h_el(h, "ul", "class", "fields", NULL);
		render_row(s, &(struct schema_row){ .name = p->string, .schema = p, .required = is_required(own, p->string) });
	}
	if (cJSON_IsObject(more)) {
		if (h->depth == open)
			h_el(h, "ul", "class", "fields", NULL);
		render_row(s, &(struct schema_row){ .name = "*", .schema = more });
	}
	h_close_to(h, open);
}

/* The value of the discriminator for an alternative; NULL: none is defined. */
static const char *
discriminator_value(const cJSON *discriminator, const char *name)
{
	const cJSON *one;
	const char *last;

	cJSON_ArrayForEach(one, json_member(discriminator, "mapping")) {
		if (!cJSON_IsString(one) || name == NULL)
			continue;
		last = strrchr(one->valuestring, '/');
		if (strcmp(last != NULL ? last + 1 : one->valuestring, name) == 0)
			return one->string;
	}
	return NULL;
}

/* Write oneOf or anyOf: each alternative by its title, schema name, or number. */
static void
render_alternatives(struct schemas *s, const cJSON *schema, const char *list, enum text label)
{
	const cJSON *one, *by = json_member(schema, "discriminator");
	const char *value, *title, *property = json_text_of(by, "propertyName");
	struct render *r = s->r;
	int i = 0;

	if (cJSON_GetArraySize(json_member(schema, list)) == 0)
		return;
	h_el(&r->h, "p", "class", "limit", NULL);
	h_text(&r->h, say(r, label));
	if (property != NULL) {
		h_text(&r->h, " ");
		h_leaf(&r->h, "code", NULL, property);
	}
	h_close(&r->h);
	h_el(&r->h, "ul", "class", "fields choice", NULL);
	cJSON_ArrayForEach(one, json_member(schema, list)) {
		if (++i > PROPERTIES_MAX)
			break;
		title = json_text_of(one, "title");
		value = discriminator_value(by, ref_name(one));
		render_row(s, &(struct schema_row){ .schema = one, .name = value != NULL ? value : title != NULL ? title :
		    ref_name(one) != NULL ? ref_name(one) : arena_printf(r->arena, "%d", i) });
	}
	h_close(&r->h);
}

/* Remembers the place of a named schema, so that later mentions can be links to it. */
static void
mark_place(struct schemas *s, const char *name)
{
	const char *id;

	/* Do not link to a schema whose properties are cut off by the depth limit. */
	if (name == NULL || s->r->env->schema != NULL || s->depth >= SCHEMA_DEPTH - 1 || map_has(s->r->schema_at, str_of(name)))
		return;
	id = render_id(s->r, "schema");
	map_add(s->r->schema_at, str_of(name), (void *)(uintptr_t)id);
	h_el(&s->r->h, "span", "id", id, NULL);
	h_close(&s->r->h);
}

void
schema_body(struct schemas *s, const cJSON *schema)
{
	const char *name;
	const cJSON *part, *own = plain_schema(s->set, schema, &name);

	if (is_open(s, name) || s->depth >= OPEN_MAX || s->depth > SCHEMA_DEPTH)
		return;
	mark_place(s, name);
	/*
	 * NULL for an unnamed schema: is_open() never matches it, and only the depth ends its
	 * recursion.
	 */
	s->open[s->depth++] = name;
	render_properties(s, own);
	render_alternatives(s, own, "oneOf", TEXT_ONE_OF);
	render_alternatives(s, own, "anyOf", TEXT_ANY_OF);
	/* Alternatives of further parts, which hold at the same time. */
	cJSON_ArrayForEach(part, json_member(own, "allOf")) {
		render_alternatives(s, part, "oneOf", TEXT_ONE_OF);
		render_alternatives(s, part, "anyOf", TEXT_ANY_OF);
	}
	if (json_member(own, "items") != NULL)
		schema_body(s, json_member(own, "items"));
	s->depth--;
}

void
render_whole(struct schemas *s, const cJSON *schema, bool folded)
{
	const char *name, *about = schema_about(s->set, schema);
	const cJSON *own = plain_schema(s->set, schema, &name);

	if (schema == NULL)
		return;
	if (folded && own_page_address(s, schema) != NULL) {
		fold_schema(s, schema);
		return;
	}
	type_cell(s, "p", schema);
	/* A named schema is described at its own place. */
	if (name == NULL || about != schema_about(s->set, own))
		render_description(s->r, about);
	render_all_limits(s, own);
	if (has_body(s, schema, 0) && (s->r->env->schema != NULL || written_at(s, schema) == NULL))
		schema_body(s, schema);
}

void
schemas_end(struct schemas *s)
{
	if (s->cut)
		h_leaf(&s->r->h, "p", "limit", say(s->r, TEXT_CUT));
	s->cut = false;
	s->rows = ROWS_MAX;
}
