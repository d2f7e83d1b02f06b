/*
 * Operations, webhooks and schemas of OpenAPI descriptions, in the form that the room computed
 * gives them: each block contains an operation, and the document's data contain the schemas to
 * which it refers (openapi/parts.h).
 *
 * A schema is written as a list of its properties; an object in it is written below. A recursive
 * reference ends where it would repeat. If a page has many rows, and on the page of models, a
 * schema that was written already becomes a link: otherwise a page of a thousand operations would
 * repeat it thousands of times.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "render_parts.h"

/*
 * SCHEMA_DEPTH: levels that are written; OPEN_MAX: size of the list of open names; PROPERTIES_MAX:
 * per schema.
 */
enum {
	SCHEMA_DEPTH = 6,
	OPEN_MAX = 32,
	PROPERTIES_MAX = 400,
	ROWS_MAX = 3000,     /* per operation or model */
	ROWS_FREE = 4000     /* per page, after which schemas are written once */
};

/*
 * The operation or model that is being written. open[] contains the enclosing schemas, at which
 * recursion ends.
 */
struct schemas {
	struct render *r;
	const char    *open[OPEN_MAX];     /* names of enclosing schemas */
	int            depth;
	int            rows;               /* rows left */
};

/* Declared here because a property's row opens the property's schema. */
static void schema_body(struct schemas *s, const cJSON *schema);

/* Schemas of the block's specification: a document may contain several (computed_fill). */
static const cJSON *
schemas_of(const struct render *r, const cJSON *node)
{
	const char *spec = json_text_of(json_member(data_of(node), "ref"), "spec");
	const cJSON *all = json_member(data_of(r->document), "openapi"), *one;

	cJSON_ArrayForEach(one, json_member(all, "others"))
		if (same_text(json_text_of(one, "spec"), spec))
			return json_member(one, "schemas");
	return json_member(all, "schemas");
}

/* Index them by name: there may be thousands, and each property looks one up. */
static void
know_schemas(struct render *r, const cJSON *node)
{
	const cJSON *list = schemas_of(r, node), *one;

	/* Keep the map of the last specification: blocks of a page mostly use one. */
	if (r->schemas != NULL && r->schema_list == list)
		return;
	r->schema_list = list;
	r->schemas = map_new(r->arena);
	r->schema_at = map_new(r->arena);
	cJSON_ArrayForEach(one, list)
		if (one->string != NULL)
			map_add(r->schemas, str_of(one->string), (void *)(uintptr_t)one);
}

/* Write a description, which is Markdown. */
static void
render_description(struct render *r, const char *text)
{
	const cJSON *document;
	int level = r->level;

	if (text == NULL || *text == '\0')
		return;
	/* The caller parses it, since this room has no Markdown parser. */
	document = r->env->markdown != NULL ? r->env->markdown(r->env->ctx, text) : NULL;
	h_el(&r->h, "div", "class", "about", NULL);
	if (document != NULL)
		render_blocks(r, json_member(document, "nodes"));
	else
		h_leaf(&r->h, "p", NULL, text);
	h_close(&r->h);
	/* Restore the level: headings in a description must not change the following ones. */
	r->level = level;
}

static const char *
ref_name(const cJSON *schema)
{
	/* "#/components/schemas/Name": the computed room has normalised all other forms. */
	const char *ref = json_text_of(schema, "$ref"), *last = ref != NULL ? strrchr(ref, '/') : NULL;

	return last != NULL ? last + 1 : NULL;
}

/*
 * The schema that a reference names, else the schema itself; its name in *name, NULL if it has
 * none.
 */
static const cJSON *
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

/* ---- types ---- */

/*
 * Append a type such as "string (date)", "Pet[]" or "string | null"; named schemas by their name.
 */
static void
add_type(struct schemas *s, struct buf *b, const cJSON *schema, int depth)
{
	const char *name, *type, *format;
	const cJSON *one;

	schema = follow_ref(s, schema, &name);
	/* OpenAPI 3.1 has a list of types; earlier versions have one. */
	if (cJSON_IsArray(json_member(schema, "type"))) {
		cJSON_ArrayForEach(one, json_member(schema, "type"))
			if (cJSON_IsString(one))
				buf_printf(b, "%s%s", b->n > 0 ? " | " : "", one->valuestring);
		return;
	}
	type = json_text_of(schema, "type");
	/* Bounded, since items may refer back to the array. */
	if (same_text(type, "array") && json_member(schema, "items") != NULL && depth < 4) {
		add_type(s, b, json_member(schema, "items"), depth + 1);
		buf_str(b, "[]");
		return;
	}
	format = json_text_of(schema, "format");
	buf_str(b, name != NULL ? name : type != NULL ? type : json_member(schema, "properties") != NULL ? "object" :
	    json_member(schema, "oneOf") != NULL || json_member(schema, "anyOf") != NULL ? "one of" :
	    json_member(schema, "allOf") != NULL ? "object" : "any");
	/* The format of a named schema is shown where the schema is written. */
	if (format != NULL && name == NULL)
		buf_printf(b, " (%s)", format);
}

static const char *
type_text(struct schemas *s, const cJSON *schema)
{
	struct buf b;

	/* Formats and names come from the description and may have any length. */
	buf_init(&b, s->r->arena, (size_t)1 << 26);
	buf_str(&b, "");
	add_type(s, &b, schema, 0);
	return b.p;
}

/* A string as it is, anything else as JSON; NULL: nothing. */
static const char *
value_text(struct render *r, const cJSON *v)
{
	if (cJSON_IsString(v))
		return v->valuestring;
	return v == NULL ? NULL : arena_strdup(r->arena, cJSON_PrintUnformatted(v));
}

/* Write values and limits that a client must observe. */
static void
render_limits(struct render *r, const cJSON *schema)
{
	static const char *const names[] = { "default", "minimum", "maximum", "exclusiveMinimum",
		"exclusiveMaximum", "minLength", "maxLength", "minItems", "maxItems", "pattern", "example" };
	const cJSON *one, *values = json_member(schema, "enum");
	const cJSON *c = json_member(schema, "const");

	if (cJSON_GetArraySize(values) > 0 || c != NULL) {
		h_el(&r->h, "p", "class", "values", NULL);
		if (c != NULL)
			h_leaf(&r->h, "code", NULL, value_text(r, c));
		cJSON_ArrayForEach(one, values) {
			h_leaf(&r->h, "code", NULL, value_text(r, one));
			h_text(&r->h, " ");
		}
		h_close(&r->h);
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		one = json_member(schema, names[i]);
		/* Objects and lists do not fit a line of limits. */
		if (one == NULL || cJSON_IsObject(one) || cJSON_IsArray(one))
			continue;
		h_el(&r->h, "span", "class", "limit", NULL);
		h_text(&r->h, names[i]);
		h_text(&r->h, ": ");
		h_leaf(&r->h, "code", NULL, value_text(r, one));
		h_close(&r->h);
		h_text(&r->h, " ");
	}
}

/* ---- schemas ---- */

/* True if the schema of this name encloses the current place. */
static bool
is_open(const struct schemas *s, const char *name)
{
	for (int i = 0; name != NULL && i < s->depth; i++)
		if (same_text(s->open[i], name))
			return true;
	return false;
}

/* Id of the place where the schema, or its item, was written already; NULL: it must be written here. */
static const char *
written_at(const struct schemas *s, const cJSON *schema)
{
	const char *name;

	/* Follow lists of lists to their items, as deep as has_body() looks. */
	for (int i = 0; i < 4 && schema != NULL; i++) {
		schema = follow_ref(s, schema, &name);
		if (name != NULL)
			/*
			 * An enclosing schema is always a link: writing it again would never end.
			 */
			return s->r->schema_rows >= ROWS_FREE || is_open(s, name) ?
			    map_get(s->r->schema_at, str_of(name)) : NULL;
		schema = json_member(schema, "items");
	}
	return NULL;
}

/* Write the type, with a link if the schema is written elsewhere. */
static void
type_cell(struct schemas *s, const char *element, const cJSON *schema)
{
	const char *at = written_at(s, schema);

	if (at == NULL) {
		h_leaf(&s->r->h, element, "type", type_text(s, schema));
		return;
	}
	h_el(&s->r->h, element, "class", "type", NULL);
	h_el(&s->r->h, "a", "href", render_anchor(s->r, at), NULL);
	h_text(&s->r->h, type_text(s, schema));
	h_close(&s->r->h);
	h_close(&s->r->h);
}

/* True if something is shown below the type: properties, alternatives, items. */
static bool
has_body(struct schemas *s, const cJSON *schema, int depth)
{
	const char *name;

	schema = follow_ref(s, schema, &name);
	if (json_member(schema, "properties") != NULL || json_member(schema, "oneOf") != NULL ||
	    json_member(schema, "anyOf") != NULL || json_member(schema, "allOf") != NULL ||
	    cJSON_IsObject(json_member(schema, "additionalProperties")))
		return true;
	return json_member(schema, "items") != NULL && depth < 4 && has_body(s, json_member(schema, "items"), depth + 1);
}

/* The list of required names is in the enclosing schema. */
static bool
is_required(const cJSON *schema, const char *name)
{
	const cJSON *one;

	cJSON_ArrayForEach(one, json_member(schema, "required"))
		if (cJSON_IsString(one) && strcmp(one->valuestring, name) == 0)
			return true;
	return false;
}

/* Write name, type, description and limits of a property or parameter, with its schema below. */
static void
render_row(struct schemas *s, const char *name, const char *where, const cJSON *schema, bool required, bool deprecated,
    const char *about)
{
	struct render *r = s->r;
	const char *named;
	const cJSON *own = follow_ref(s, schema, &named);

	/* The tree of a wide specification would have millions of rows: stop at the limit. */
	if (s->rows-- <= 0)
		return;
	/* Count rows of the page: from ROWS_FREE on, repeated schemas become links. */
	r->schema_rows++;
	h_open(&r->h, "li");
	h_leaf(&r->h, "code", "name", name);
	h_text(&r->h, " ");
	type_cell(s, "span", schema);
	if (where != NULL) {
		h_text(&r->h, " ");
		h_leaf(&r->h, "span", "type", where);
	}
	h_text(&r->h, " ");
	if (required)
		h_leaf(&r->h, "span", "must", say(r, TEXT_REQUIRED));
	if (deprecated)
		h_leaf(&r->h, "span", "old", say(r, TEXT_DEPRECATED));
	/* The parameter's own description, else its schema's. */
	render_description(r, about != NULL ? about : json_text_of(own, "description"));
	render_limits(r, own);
	/* Folded; <details> opens it without script. */
	if (has_body(s, schema, 0) && s->depth < SCHEMA_DEPTH && written_at(s, schema) == NULL) {
		h_open(&r->h, "details");
		h_leaf(&r->h, "summary", NULL, type_text(s, schema));
		schema_body(s, schema);
		h_close(&r->h);
	}
	h_close(&r->h);
}

/* Write oneOf or anyOf: each alternative by its title, schema name, or number. */
static void
render_alternatives(struct schemas *s, const cJSON *list)
{
	const cJSON *one;
	char number[16];
	int i = 0;

	if (cJSON_GetArraySize(list) == 0)
		return;
	h_el(&s->r->h, "ul", "class", "fields", NULL);
	cJSON_ArrayForEach(one, list) {
		const char *title = json_text_of(one, "title");
		if (++i > PROPERTIES_MAX)
			break;
		snprintf(number, sizeof(number), "%d", i);
		render_row(s, title != NULL ? title : ref_name(one) != NULL ? ref_name(one) : number, NULL, one, false, false, NULL);
	}
	h_close(&s->r->h);
}

/* "*" stands for additionalProperties. */
static void
render_properties(struct schemas *s, const cJSON *schema)
{
	const cJSON *p, *list = json_member(schema, "properties"), *more = json_member(schema, "additionalProperties");
	int i = 0;

	if (cJSON_GetArraySize(list) == 0 && !cJSON_IsObject(more))
		return;
	h_el(&s->r->h, "ul", "class", "fields", NULL);
	cJSON_ArrayForEach(p, list)
		if (p->string != NULL && i++ < PROPERTIES_MAX)
			render_row(s, p->string, NULL, p, is_required(schema, p->string), json_flag_of(p, "deprecated"), NULL);
	if (cJSON_IsObject(more))
		render_row(s, "*", NULL, more, false, false, NULL);
	h_close(&s->r->h);
}

static void
schema_body(struct schemas *s, const cJSON *schema)
{
	const char *name, *id;
	const cJSON *own = follow_ref(s, schema, &name), *part;

	if (is_open(s, name) || s->depth >= OPEN_MAX || s->depth > SCHEMA_DEPTH)
		return;
	/* Do not link to a schema whose properties are cut off by the depth limit. */
	if (name != NULL && s->depth < SCHEMA_DEPTH - 1 && !map_has(s->r->schema_at, str_of(name))) {
		id = render_id(s->r, "schema");
		map_add(s->r->schema_at, str_of(name), (void *)(uintptr_t)id);
		h_el(&s->r->h, "span", "id", id, NULL);
		h_close(&s->r->h);
	}
	/*
	 * name is NULL for an unnamed schema: is_open() never finds it, and only the depth ends its
	 * recursion.
	 */
	s->open[s->depth++] = name;
	render_properties(s, own);
	/*
	 * allOf means all of these at once (JSON Schema): list their properties one after the
	 * other.
	 */
	cJSON_ArrayForEach(part, json_member(own, "allOf"))
		schema_body(s, part);
	render_alternatives(s, json_member(own, "oneOf"));
	render_alternatives(s, json_member(own, "anyOf"));
	if (json_member(own, "items") != NULL)
		schema_body(s, json_member(own, "items"));
	s->depth--;
}

/* ---- operations ---- */

static void
part_title(struct render *r, const char *title)
{
	h_leaf(&r->h, "p", "part", title);
}

static void
render_parameters(struct schemas *s, const cJSON *op)
{
	const cJSON *p;

	if (cJSON_GetArraySize(json_member(op, "parameters")) == 0)
		return;
	part_title(s->r, say(s->r, TEXT_PARAMETERS));
	h_el(&s->r->h, "ul", "class", "fields", NULL);
	cJSON_ArrayForEach(p, json_member(op, "parameters"))
		if (json_text_of(p, "name") != NULL)
			render_row(s, json_text_of(p, "name"), json_text_of(p, "in"), json_member(p, "schema"), json_flag_of(p, "required"),
			    json_flag_of(p, "deprecated"), json_text_of(p, "description"));
	h_close(&s->r->h);
}

/* Write a body by media types: its schema, and an example. */
static void
render_media_types(struct schemas *s, const cJSON *content)
{
	struct render *r = s->r;
	const cJSON *m, *example;

	cJSON_ArrayForEach(m, content) {
		h_leaf(&r->h, "p", "media", m->string);
		if (has_body(s, json_member(m, "schema"), 0) && written_at(s, json_member(m, "schema")) == NULL)
			schema_body(s, json_member(m, "schema"));
		else if (json_member(m, "schema") != NULL)
			type_cell(s, "p", json_member(m, "schema"));
		example = json_member(m, "example");
		if (example != NULL)
			render_sample(r, say(r, TEXT_EXAMPLE), cJSON_IsString(example) ? NULL : "json",
			    str_of(cJSON_IsString(example) ? example->valuestring : cJSON_Print(example)));
	}
}

/* Write the request body, if the operation has one. */
static void
render_body(struct schemas *s, const cJSON *op)
{
	const cJSON *b = json_member(op, "requestBody");

	if (b == NULL)
		return;
	part_title(s->r, say(s->r, TEXT_BODY));
	render_description(s->r, json_text_of(b, "description"));
	render_media_types(s, json_member(b, "content"));
}

static void
render_responses(struct schemas *s, const cJSON *op)
{
	struct render *r = s->r;
	const cJSON *one;
	bool first = true;

	if (cJSON_GetArraySize(json_member(op, "responses")) == 0)
		return;
	part_title(r, say(r, TEXT_RESPONSES));
	cJSON_ArrayForEach(one, json_member(op, "responses")) {
		h_el(&r->h, "details", "class", "response", NULL);
		if (first)
			/* Open the first response, which most readers look for. */
			h_flag(&r->h, "open");
		first = false;
		h_open(&r->h, "summary");
		h_leaf(&r->h, "code", NULL, one->string);
		h_text(&r->h, " ");
		h_text(&r->h, json_text_of(one, "description") != NULL ? json_text_of(one, "description") : "");
		h_close(&r->h);
		render_media_types(s, json_member(one, "content"));
		h_close(&r->h);
	}
}

/* Write request samples in several languages as tabs. */
static void
render_samples(struct render *r, const cJSON *op)
{
	const char *name = render_id(r, "sample");
	const cJSON *one;
	int i = 0;

	if (cJSON_GetArraySize(json_member(op, "samples")) == 0)
		return;
	h_el(&r->h, "div", "class", "tabs", "role", "radiogroup", "aria-label", say(r, TEXT_EXAMPLE), NULL);
	cJSON_ArrayForEach(one, json_member(op, "samples")) {
		const char *id = arena_printf(r->arena, "%s-%d", name, i), *source = json_text_of(one, "source");
		const char *label = json_text_of(one, "label"), *lang = json_text_of(one, "lang");
		h_one(&r->h, "input", "type", "radio", "name", name, "id", id, NULL);
		if (i++ == 0)
			h_flag(&r->h, "checked");
		h_el(&r->h, "label", "for", id, NULL);
		h_text(&r->h, label != NULL ? label : lang != NULL ? lang : "");
		h_close(&r->h);
		h_el(&r->h, "div", "class", "panel", NULL);
		render_sample(r, NULL, lang, str_of(source != NULL ? source : ""));
		h_close(&r->h);
	}
	h_close(&r->h);
}

static void
method_line(struct render *r, const char *method, const char *path, const char *server)
{
	char upper[12];
	size_t i;

	for (i = 0; i < sizeof(upper) - 1 && method[i] != '\0'; i++)
		upper[i] = (char)(method[i] >= 'a' && method[i] <= 'z' ? method[i] - 32 : method[i]);
	upper[i] = '\0';
	h_el(&r->h, "p", "class", "method", NULL);
	h_leaf(&r->h, "strong", NULL, upper);
	h_text(&r->h, " ");
	h_open(&r->h, "code");
	h_text(&r->h, server != NULL ? server : "");
	h_text(&r->h, path);
	h_close(&r->h);
	h_close(&r->h);
}

/* Address before the path; of several servers one is enough. */
static const char *
first_server(const cJSON *op)
{
	const cJSON *list = json_member(op, "servers");

	return list != NULL ? json_text_of(list->child, "url") : NULL;
}

void
render_operation(struct render *r, const cJSON *node)
{
	const cJSON *d = data_of(node), *op = json_member(d, "operation");
	const char *path = json_text_of(d, "path"), *method = json_text_of(d, "method");
	const char *title = json_text_of(op, "summary");
	struct schemas s = { .r = r, .rows = ROWS_MAX };
	/* On a page of one operation, the page's title names it. */
	bool headed = op != NULL && !json_flag_of(d, "headless");

	know_schemas(r, node);
	if (path == NULL)
		path = json_text_of(d, "name") != NULL ? json_text_of(d, "name") : "";
	if (title == NULL)
		title = json_text_of(op, "operationId");
	h_el(&r->h, "section", "class", "api", "id", headed ? NULL : node_anchor(node), NULL);
	if (headed)
		render_heading_at(r, node_anchor(node), title != NULL ? title : path);
	method_line(r, method != NULL ? method : "", path, first_server(op));
	if (json_flag_of(op, "deprecated"))
		h_leaf(&r->h, "p", "old", say(r, TEXT_DEPRECATED));
	render_description(r, json_text_of(op, "description"));
	render_samples(r, op);
	render_parameters(&s, op);
	render_body(&s, op);
	render_responses(&s, op);
	h_close(&r->h);
}

void
render_schemas(struct render *r, const cJSON *node)
{
	struct schemas s = { .r = r };
	const cJSON *name;

	know_schemas(r, node);
	/* On the page of models each is written once, and is a link elsewhere. */
	r->schema_rows += ROWS_FREE;
	cJSON_ArrayForEach(name, json_member(data_of(node), "schemas"))
		if (cJSON_IsString(name))
			map_add(r->schema_at, str_of(name->valuestring), (void *)(uintptr_t)render_id(r, "schema"));
	h_el(&r->h, "section", "class", "api", NULL);
	cJSON_ArrayForEach(name, json_member(data_of(node), "schemas")) {
		const cJSON *schema = cJSON_IsString(name) ? map_get(r->schemas, str_of(name->valuestring)) : NULL;
		if (!cJSON_IsString(name))
			continue;
		h_el(&r->h, "details", "class", "schema", "id", map_get(r->schema_at, str_of(name->valuestring)), NULL);
		h_leaf(&r->h, "summary", NULL, name->valuestring);
		render_description(r, json_text_of(schema, "description"));
		render_limits(r, schema);
		/* Start anew for each model, so that a large one does not cut off the others. */
		s.rows = ROWS_MAX;
		schema_body(&s, schema);
		h_close(&r->h);
	}
	h_close(&r->h);
}

/* An operation whose description is elsewhere: its method and path, with a link. */
void
render_swagger(struct render *r, const cJSON *node)
{
	const cJSON *d = data_of(node);
	struct render_link to;

	h_el(&r->h, "section", "class", "api", NULL);
	method_line(r, json_text_of(d, "method") != NULL ? json_text_of(d, "method") : "",
	    json_text_of(d, "path") != NULL ? json_text_of(d, "path") : "", NULL);
	if (render_target(r, json_member(d, "ref"), &to)) {
		h_open(&r->h, "a");
		h_url(&r->h, "href", to.href);
		h_text(&r->h, to.title != NULL ? to.title : to.href);
		h_close(&r->h);
	}
	h_close(&r->h);
}
