/*
 * Prints operations and models of API descriptions: the same parts as on web pages
 * (render/render_openapi.c), with everything that is collapsed there expanded. Contract: card.h.
 */
#include <cjson/cJSON.h>
#include <string.h>

#include "card.h"
#include "code.h"
#include "text/schema_parts.h"

/*
 * SCHEMA_DEPTH ends recursive schemas; FIELDS_MAX bounds the lines of one operation or schema,
 * VALUES_MAX those of an enum. EXAMPLE_MAX bounds the bytes of one example, EXAMPLES_MAX the number
 * of examples in one place.
 */
enum { SCHEMA_DEPTH = 6, FIELDS_MAX = 400, VALUES_MAX = 50, EXAMPLE_MAX = 3000, EXAMPLES_MAX = 10 };

static const cJSON *
get_data(const cJSON *node)
{
	return json_member(node, "data");
}

/* Methods are ASCII (RFC 9110, 9.1), so upper case needs no locale. */
static void
print_method(struct flow *f, const char *method, const char *path)
{
	struct frame keep;
	struct deco *d;
	struct writer *w;
	char *upper = arena_strdup(f->paper->scratch, method != NULL ? method : "");
	char *c;

	for (c = upper; *c != '\0'; c++)
		if (*c >= 'a' && *c <= 'z')
			*c = (char)(*c - 'a' + 'A');
	flow_gap(f, 8);
	d = flow_open(f, &keep, 10, 6, "Div");
	d->fill = GROUND;
	d->bar = ACCENT;
	w = writer_new(f, &(struct type){ .family = f->paper->mono, .size = 9.5, .bold = true, .color = ACCENT,
	    .forward = true });
	writer_text(w, upper);
	writer_text(w, " ");
	writer_text(w, path != NULL ? path : "");
	writer_flow(w, "P", true);
	flow_close(f, &keep);
	flow_stick(f);
}

void
block_swagger(struct flow *f, const cJSON *node)
{
	print_method(f, json_text_of(get_data(node), "method"), json_text_of(get_data(node), "path"));
	flow_gap(f, 10);
}

/* Prints a title that is not a heading of the document: it gets no bookmark and no H tag. */
static void
print_small_heading(struct flow *f, const char *s)
{
	flow_gap(f, 9);
	text_flow(f, s, &(struct type){ .size = 9, .bold = true, .color = MUTED }, "P", true);
	flow_gap(f, 3);
}

/* Indexes the schemas of the block's description. */
static void
use_schemas(struct paper *p, const cJSON *node)
{
	const cJSON *list = document_schemas(p->document, json_text_of(json_member(get_data(node), "ref"), "spec"));

	if (p->schemas != NULL && p->schema_list == list)
		return;
	p->schema_list = list;
	p->schemas = arena_alloc(p->scratch, sizeof(*p->schemas));
	schema_set_init(p->schemas, p->scratch, list);
}

/* The names in a list of types, which OpenAPI 3.1 allows: "string or null". */
static const char *
type_names(struct paper *p, const cJSON *types)
{
	const cJSON *one;
	struct buf b;

	buf_init(&b, p->scratch, 1 << 20);
	/* Makes b.p a string even if the list is empty. */
	buf_str(&b, "");
	cJSON_ArrayForEach(one, types)
		if (cJSON_IsString(one) && b.n < 1000)
			buf_printf(&b, "%s%s", b.n > 0 ? " or " : "", one->valuestring);
	return b.p;
}

/* The name of a type without a name of its own: "string", "array of Pet". */
static const char *
own_type_name(struct paper *p, const cJSON *own, int depth)
{
	const char *type = json_text_of(own, "type"), *format = json_text_of(own, "format"), *name;
	const cJSON *items = json_member(own, "items");

	if (cJSON_IsArray(json_member(own, "type")))
		return type_names(p, json_member(own, "type"));
	type = type != NULL ? type : type_of_values(own);
	if (type == NULL)
		return json_member(own, "properties") != NULL || json_member(own, "allOf") != NULL ? "object" :
		    json_member(own, "oneOf") != NULL || json_member(own, "anyOf") != NULL ? "one of several" : "any";
	if (strcmp(type, "array") != 0 || depth >= SCHEMA_DEPTH)
		return format != NULL ? arena_printf(p->scratch, "%s (%s)", type, format) : type;
	items = plain_schema(p->schemas, items, &name);
	return arena_printf(p->scratch, "array of %s", name != NULL ? name : own_type_name(p, items, depth + 1));
}

/* Readable name of a type: "string", "Pet", "array of Pet". */
static const char *
type_name(struct paper *p, const cJSON *schema)
{
	const char *name;
	const cJSON *own = plain_schema(p->schemas, schema, &name);

	return name != NULL ? name : own_type_name(p, own, 0);
}

/* ---- the author's texts ---- */

/*
 * Prints a Markdown description (OpenAPI 3.1, 4.4). Its headings belong to an operation and get no
 * bookmarks.
 */
static void
print_description(struct flow *f, const char *s)
{
	struct paper *p = f->paper;
	struct heading **last = p->last_heading;
	struct str json;

	if (s == NULL || *s == '\0')
		return;
	json = p->source->markdown(p->source->ctx, p->scratch, s);
	flow_gap(f, 6);
	/* Without a list note_heading() collects no bookmarks. */
	p->last_heading = NULL;
	blocks(f, json_member(cJSON_ParseWithLength(json.p, json.n), "nodes"));
	p->last_heading = last;
}

/* Prints a text in small letters; as Markdown if it contains special characters. */
static void
print_about(struct flow *f, const char *s)
{
	if (s == NULL || *s == '\0')
		return;
	if (strpbrk(s, "`*_[<|\n\\") != NULL)
		print_description(f, s);
	else
		text_flow(f, s, &(struct type){ .size = SMALL_SIZE, .color = MUTED }, "P", false);
}

/*
 * Prints "word: text" in small letters, for example "Authorization: key + other"; nothing if text
 * is empty.
 */
static void
print_note(struct flow *f, const char *word, const char *text)
{
	if (text == NULL || *text == '\0')
		return;
	flow_gap(f, 4);
	text_flow(f, arena_printf(f->paper->scratch, "%s: %s", word, text), &(struct type){ .size = SMALL_SIZE, .color = MUTED }, "P", false);
}

/* The text of a string; any other value as JSON. lines: with line breaks. */
static const char *
value_text(struct paper *p, const cJSON *v, bool lines)
{
	char *printed, *out;

	if (cJSON_IsString(v))
		return v->valuestring;
	if (lines)
		return json_pretty(p->scratch, v);
	printed = cJSON_PrintUnformatted(v);
	out = arena_strdup(p->scratch, printed != NULL ? printed : "");
	cJSON_free(printed);
	return out;
}

/* ---- limits ---- */

/* The author's description of a value of an enum; NULL: none. */
static const char *
enum_description(const cJSON *schema, const cJSON *value, int at)
{
	static const char *const names[] = { "x-enumDescriptions", "x-enum-descriptions" };
	const cJSON *all, *one;

	for (size_t i = 0; i < 2; i++) {
		all = json_member(schema, names[i]);
		one = cJSON_IsArray(all) ? cJSON_GetArrayItem(all, at) :
		    cJSON_IsString(value) ? json_member(all, value->valuestring) : NULL;
		if (cJSON_IsString(one))
			return one->valuestring;
	}
	return NULL;
}

/*
 * Prints the allowed values: all in one line, then each value that has a description in a line of
 * its own.
 */
static void
print_enum(struct flow *f, const cJSON *schema)
{
	const cJSON *one, *list = json_member(schema, "enum");
	struct paper *p = f->paper;
	struct buf b;
	int i = 0;

	if (json_member(schema, "const") != NULL)
		print_note(f, "Value", value_text(p, json_member(schema, "const"), false));
	buf_init(&b, p->scratch, 1 << 20);
	buf_str(&b, "");
	cJSON_ArrayForEach(one, list) {
		if (i++ == VALUES_MAX) {
			buf_str(&b, ", …");
			break;
		}
		buf_printf(&b, "%s%.500s", b.n > 0 ? ", " : "", value_text(p, one, false));
	}
	print_note(f, "Values", b.p);
	i = 0;
	cJSON_ArrayForEach(one, list) {
		const char *about = i < VALUES_MAX ? enum_description(schema, one, i) : NULL;
		if (i++ < VALUES_MAX)
			print_note(f, value_text(p, one, false), about);
	}
}

static void
print_limits(struct flow *f, const cJSON *schema)
{
	static const char *const names[] = { "default", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
		"minLength", "maxLength", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties", "pattern",
		"contentMediaType", "example" };
	const cJSON *one;
	struct buf b;

	print_enum(f, schema);
	buf_init(&b, f->paper->scratch, 1 << 20);
	buf_str(&b, "");
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		one = json_member(schema, names[i]);
		/* Objects and lists are too long for the line of limits. */
		if (one == NULL || cJSON_IsObject(one) || cJSON_IsArray(one) || (cJSON_IsFalse(one) && strcmp(names[i], "default") != 0))
			continue;
		buf_printf(&b, "%s%s: %.500s", b.n > 0 ? ", " : "", names[i], value_text(f->paper, one, false));
	}
	if (b.n > 0)
		text_flow(f, b.p, &(struct type){ .size = SMALL_SIZE, .color = MUTED }, "P", false);
}

/* ---- fields ---- */

/* A parameter, header or property. about: description; place: "path", "query"; NULL: it is a property. */
struct field {
	const char  *name, *about, *place;
	const cJSON *schema;
	bool         required, deprecated;
};

/* Prints a field: name, type, marks, description, limits. */
static void
print_field(struct flow *f, const struct field *x)
{
	struct schema_set *set = f->paper->schemas;
	const char *name, *about = x->about != NULL ? x->about : schema_about(set, x->schema);
	const cJSON *own = plain_schema(set, x->schema, &name);
	struct writer *w = writer_new(f, &(struct type){ .family = f->paper->mono, .size = 8.6, .bold = true, .color = INK });

	flow_gap(f, 4);
	writer_text(w, x->name != NULL ? x->name : "");
	writer_text(w, "  ");
	/* The color applies to the text that is written next. */
	writer_color(w, MUTED);
	writer_text(w, x->schema != NULL ? type_name(f->paper, x->schema) : "");
	if (is_nullable(set, x->schema) && !is_null_schema(own))
		writer_text(w, " or null");
	if (x->place != NULL)
		writer_text(w, arena_printf(f->paper->scratch, ", in %s", x->place));
	if (schema_flag(set, x->schema, "readOnly"))
		writer_text(w, ", read-only");
	if (schema_flag(set, x->schema, "writeOnly"))
		writer_text(w, ", write-only");
	writer_color(w, ALERT);
	if (x->deprecated || schema_flag(set, x->schema, "deprecated"))
		writer_text(w, ", deprecated");
	if (x->required)
		writer_text(w, ", required");
	writer_flow(w, "P", about != NULL);
	print_about(f, about);
	print_limits(f, own);
	/* Print the allowed values of the items of a list, too. */
	if (json_member(own, "items") != NULL)
		print_enum(f, plain_schema(set, json_member(own, "items"), &name));
}

static void print_schema(struct flow *f, const cJSON *schema, int depth, int *left);

/* Prints alternatives (oneOf, anyOf), each with its properties. */
static void
print_alternatives(struct flow *f, const cJSON *schema, const char *list, const char *word, int depth, int *left)
{
	const char *by = json_text_of(json_member(schema, "discriminator"), "propertyName");
	const cJSON *one;
	int i = 0;

	if (cJSON_GetArraySize(json_member(schema, list)) == 0 || depth >= SCHEMA_DEPTH)
		return;
	print_note(f, word, by != NULL ? by : " ");
	cJSON_ArrayForEach(one, json_member(schema, list)) {
		const char *title = json_text_of(one, "title");
		if (--*left < 0)
			break;
		print_field(f, &(struct field){ .schema = one,
		    .name = title != NULL ? title : arena_printf(f->paper->scratch, "%d", ++i) });
		print_schema(f, one, depth + 2, left);
	}
}

static void
print_choices(struct flow *f, const cJSON *schema, int depth, int *left)
{
	print_alternatives(f, schema, "oneOf", "One of", depth, left);
	print_alternatives(f, schema, "anyOf", "Any of", depth, left);
}

static void
print_properties(struct flow *f, const cJSON *schema, int depth, int *left)
{
	const cJSON *one, *own, *more = json_member(schema, "additionalProperties");
	const char *name;

	cJSON_ArrayForEach(one, json_member(schema, "properties")) {
		if (--*left < 0)
			return;
		/* An invalid description may have a list here instead of a map, whose members have no names. */
		if (one->string == NULL)
			continue;
		print_field(f, &(struct field){ .name = one->string, .schema = one, .required = is_required(schema, one->string) });
		own = plain_schema(f->paper->schemas, one, &name);
		if (name == NULL && json_member(own, "items") != NULL)
			own = plain_schema(f->paper->schemas, json_member(own, "items"), &name);
		/* Properties of a named type are listed where that type is described. */
		if (name == NULL && depth < SCHEMA_DEPTH)
			print_schema(f, own, depth + 1, left);
	}
	if (cJSON_IsObject(more) && --*left >= 0) {
		print_field(f, &(struct field){ .name = "*", .schema = more });
		own = plain_schema(f->paper->schemas, more, &name);
		if (name == NULL && depth < SCHEMA_DEPTH)
			print_schema(f, own, depth + 1, left);
	}
}

/*
 * *left: lines that remain for the whole operation. Recursive schemas would otherwise fill sheets
 * without end.
 */
static void
print_schema(struct flow *f, const cJSON *schema, int depth, int *left)
{
	const cJSON *own = plain_schema(f->paper->schemas, schema, &(const char *){ NULL }), *items = json_member(own, "items"), *part;
	struct frame keep;

	/* A schema without properties counts, too: alternatives that refer to themselves branch at each level. */
	if (--*left < 0)
		return;
	if (items != NULL && depth < SCHEMA_DEPTH)
		print_schema(f, items, depth + 1, left);
	flow_open(f, &keep, 10, 0, NULL);
	print_properties(f, own, depth, left);
	print_choices(f, own, depth, left);
	/* Alternatives of further parts, which hold at the same time. */
	cJSON_ArrayForEach(part, json_member(own, "allOf"))
		print_choices(f, part, depth, left);
	flow_close(f, &keep);
}

/* ---- bodies ---- */

/* Prints an example, truncated if it would fill a page. */
static void
print_example(struct flow *f, const cJSON *value)
{
	const char *s = value_text(f->paper, value, true);
	size_t n = strlen(s);

	if (n > EXAMPLE_MAX) {
		/*
		 * Truncate at the end of a line, so that no character is cut; omit a single long
		 * line.
		 */
		for (n = EXAMPLE_MAX; n > 0 && s[n] != '\n'; n--)
			continue;
		s = arena_printf(f->paper->scratch, "%.*s%s…", (int)n, s, n > 0 ? "\n" : "");
	}
	plain_code(f, s);
}

/*
 * Prints the author's examples with their names; without any, the one example of the description.
 */
static void
print_examples(struct flow *f, const cJSON *holder)
{
	const cJSON *list = json_member(holder, "examples"), *one;
	int i = 0;

	if (cJSON_GetArraySize(list) == 0 && json_member(holder, "example") != NULL) {
		print_note(f, "Example", " ");
		print_example(f, json_member(holder, "example"));
	}
	cJSON_ArrayForEach(one, list) {
		const char *title = json_text_of(one, "summary");
		if (one->string == NULL)
			continue;
		print_note(f, "Example", title != NULL ? title : one->string);
		print_about(f, json_text_of(one, "description"));
		if (json_member(one, "value") != NULL && i++ < EXAMPLES_MAX)
			print_example(f, json_member(one, "value"));
		print_note(f, "Address", json_text_of(one, "externalValue"));
	}
}

/* Prints the bodies. content: maps media types to schemas (OpenAPI, "Media Type Object"). */
static void
print_body(struct flow *f, const cJSON *content, int *left)
{
	const cJSON *media, *schema;

	cJSON_ArrayForEach(media, content) {
		/* itemSchema: the schema of one item of a stream (OpenAPI 3.2). */
		schema = json_member(media, "schema") != NULL ? json_member(media, "schema") : json_member(media, "itemSchema");
		print_field(f, &(struct field){ .name = media->string, .schema = schema });
		print_schema(f, schema, 0, left);
		print_examples(f, media);
	}
}

/* The schema of a parameter or header, which may be in its content. */
static const cJSON *
parameter_schema(const cJSON *p)
{
	const cJSON *content = json_member(p, "content");

	return json_member(p, "schema") != NULL || content == NULL ? json_member(p, "schema") : json_member(content->child, "schema");
}

/* ---- who may call it, and where ---- */

/* Describes a security scheme: where the key is sent, and the scopes that the operation needs. */
static const char *
describe_scheme(struct flow *f, const cJSON *need, const cJSON *scheme)
{
	static const char *const members[] = { "type", "in", "name", "scheme", "bearerFormat", "openIdConnectUrl", "oauth2MetadataUrl" };
	const cJSON *one;
	struct buf b;

	buf_init(&b, f->paper->scratch, 1 << 20);
	buf_str(&b, need->string);
	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		if (json_text_of(scheme, members[i]) != NULL)
			buf_printf(&b, " %.500s", json_text_of(scheme, members[i]));
	cJSON_ArrayForEach(one, need)
		if (cJSON_IsString(one))
			buf_printf(&b, ", %.200s", one->valuestring);
	return b.p;
}

/* Prints where a client gets a token, and the meaning of the scopes that the operation needs. */
static void
print_flows(struct flow *f, const cJSON *need, const cJSON *scheme)
{
	static const char *const addresses[] = { "authorizationUrl", "deviceAuthorizationUrl", "tokenUrl", "refreshUrl" };
	const cJSON *one, *scope;
	struct paper *p = f->paper;

	cJSON_ArrayForEach(one, json_member(scheme, "flows")) {
		if (one->string == NULL)
			continue;
		for (size_t i = 0; i < 4; i++)
			print_note(f, arena_printf(p->scratch, "%.100s %s", one->string, addresses[i]), json_text_of(one, addresses[i]));
		cJSON_ArrayForEach(scope, need)
			if (cJSON_IsString(scope))
				print_note(f, scope->valuestring, json_text_of(json_member(one, "scopes"), scope->valuestring));
	}
}

static void
print_servers(struct flow *f, const cJSON *servers)
{
	const cJSON *one, *v, *choice;
	struct buf b;

	cJSON_ArrayForEach(one, servers) {
		print_note(f, "Server", json_text_of(one, "url"));
		print_about(f, json_text_of(one, "description"));
		cJSON_ArrayForEach(v, json_member(one, "variables")) {
			if (v->string == NULL)
				continue;
			buf_init(&b, f->paper->scratch, 1 << 20);
			buf_printf(&b, "%.500s", json_member(v, "default") != NULL ? value_text(f->paper, json_member(v, "default"), false) : "");
			cJSON_ArrayForEach(choice, json_member(v, "enum"))
				if (b.n < 2000)
					buf_printf(&b, "%s%.200s", choice->prev->next == NULL ? " of " : ", ", value_text(f->paper, choice, false));
			print_note(f, v->string, b.p);
			print_about(f, json_text_of(v, "description"));
		}
	}
}

/* Prints the notes before the parameters: state, servers, authorization. */
static void
print_notes(struct flow *f, const cJSON *o)
{
	const cJSON *one, *need, *scheme;

	print_note(f, "Stability", json_text_of(o, "x-stability"));
	print_note(f, "Deprecated", json_flag_of(o, "deprecated") ? "yes" : NULL);
	print_note(f, "Documentation", json_text_of(json_member(o, "externalDocs"), "url"));
	print_servers(f, json_member(o, "servers"));
	cJSON_ArrayForEach(one, json_member(o, "security"))
		cJSON_ArrayForEach(need, one) {
			if (need->string == NULL || strlen(need->string) >= 1000)
				continue;
			scheme = json_member(json_member(o, "securitySchemes"), need->string);
			print_note(f, "Authorization", describe_scheme(f, need, scheme));
			print_about(f, json_text_of(scheme, "description"));
			print_flows(f, need, scheme);
		}
}

/* ---- an exchange ---- */

static void
print_parameters(struct flow *f, const cJSON *list)
{
	const cJSON *one;

	if (cJSON_GetArraySize(list) > 0)
		print_small_heading(f, "Parameters");
	cJSON_ArrayForEach(one, list) {
		print_field(f, &(struct field){ .name = json_text_of(one, "name"), .schema = parameter_schema(one), .place = json_text_of(one, "in"),
		    .required = json_flag_of(one, "required"), .deprecated = json_flag_of(one, "deprecated"),
		    .about = json_text_of(one, "description") });
		/* An example that was generated from the schema adds nothing to it. */
		if (!json_flag_of(one, "exampleMade") || json_member(one, "examples") != NULL)
			print_examples(f, one);
	}
}

/* Prints the headers of a response. */
static void
print_headers(struct flow *f, const cJSON *response)
{
	const cJSON *one;

	cJSON_ArrayForEach(one, json_member(response, "headers"))
		if (one->string != NULL)
			print_field(f, &(struct field){ .name = one->string, .schema = parameter_schema(one), .place = "header",
			    .required = json_flag_of(one, "required"), .deprecated = json_flag_of(one, "deprecated"),
			    .about = json_text_of(one, "description") });
}

static void
print_links(struct flow *f, const cJSON *response)
{
	const cJSON *one;

	cJSON_ArrayForEach(one, json_member(response, "links")) {
		const char *to = json_text_of(one, "operationId") != NULL ? json_text_of(one, "operationId") : json_text_of(one, "operationRef");
		if (one->string == NULL)
			continue;
		print_note(f, "Link", arena_printf(f->paper->scratch, "%.500s → %.500s", one->string, to != NULL ? to : ""));
		print_about(f, json_text_of(one, "description"));
	}
}

/* Prints parameters, request body and responses. */
static void
print_exchange(struct flow *f, const cJSON *o)
{
	const cJSON *one, *body = json_member(o, "requestBody");
	int left = FIELDS_MAX;

	print_parameters(f, json_member(o, "parameters"));
	if (body != NULL)
		print_small_heading(f, json_flag_of(body, "required") ? "Request body (required)" : "Request body");
	print_about(f, json_text_of(body, "description"));
	print_body(f, json_member(body, "content"), &left);
	if (cJSON_GetArraySize(json_member(o, "responses")) > 0)
		print_small_heading(f, "Responses");
	cJSON_ArrayForEach(one, json_member(o, "responses")) {
		const char *about = json_text_of(one, "description");

		if (one->string == NULL)
			continue;
		flow_gap(f, 5);
		text_flow(f, arena_printf(f->paper->scratch, "%s  %s", one->string, about != NULL ? about : ""),
		    &(struct type){ .size = 9, .bold = true, .color = INK }, "P", false);
		print_headers(f, one);
		print_body(f, json_member(one, "content"), &left);
		print_links(f, one);
	}
}

/* Prints callbacks: requests that the API sends to an address of the caller. */
static void
print_callbacks(struct flow *f, const cJSON *o)
{
	const cJSON *one, *at, *method;

	cJSON_ArrayForEach(one, json_member(o, "callbacks"))
		cJSON_ArrayForEach(at, one)
			cJSON_ArrayForEach(method, at) {
				/*
				 * An invalid description may have lists here instead of maps, whose
				 * members have no names.
				 */
				if (one->string == NULL || at->string == NULL || method->string == NULL || json_member(method, "responses") == NULL)
					continue;
				print_small_heading(f, arena_printf(f->paper->scratch, "Callback %.500s", one->string));
				print_method(f, method->string, at->string);
				print_about(f, json_text_of(method, "summary"));
				print_description(f, json_text_of(method, "description"));
				print_exchange(f, method);
			}
}

/*
 * o: an operation as the room openapi writes it (include/openapi/parts.h): references are resolved,
 * except those to schemas.
 */
static void
print_operation(struct flow *f, const cJSON *o)
{
	const cJSON *samples = json_member(o, "samples");

	print_description(f, json_text_of(o, "description"));
	print_notes(f, o);
	/* Only the first sample is printed, because all of them show the same request. */
	if (samples != NULL && samples->child != NULL && json_text_of(samples->child, "source") != NULL) {
		print_note(f, "Example", " ");
		print_example(f, json_member(samples->child, "source"));
	}
	print_exchange(f, o);
	print_callbacks(f, o);
}

/*
 * Prints an operation or a webhook. data has "operation" if computed content was inserted
 * (computed/computed.h); otherwise only the method and path are printed.
 */
void
block_operation(struct flow *f, const cJSON *node)
{
	const cJSON *data = get_data(node), *o = json_member(data, "operation");
	const char *title = json_text_of(o, "summary"), *path = json_text_of(data, "path");

	use_schemas(f->paper, node);
	if (title != NULL && *title != '\0') {
		flow_gap(f, 18);
		text_flow(f, title, &(struct type){ .size = 13, .bold = true, .color = INK }, "H3", true);
	}
	/* A webhook has a name instead of a path. */
	print_method(f, json_text_of(data, "method"), path != NULL ? path : json_text_of(data, "name"));
	print_operation(f, o);
	flow_gap(f, 14);
}

/* Prints models. Omits names whose schema the document does not contain. */
void
block_schemas(struct flow *f, const cJSON *node)
{
	const cJSON *one, *schema, *own;
	int left;

	use_schemas(f->paper, node);
	cJSON_ArrayForEach(one, json_member(get_data(node), "schemas")) {
		if (!cJSON_IsString(one) || (schema = map_get(f->paper->schemas->names, str_of(one->valuestring))) == NULL)
			continue;
		/*
		 * The limit applies to each schema here; for an operation, to all of its bodies
		 * together.
		 */
		left = FIELDS_MAX;
		flow_gap(f, 16);
		text_flow(f, one->valuestring, &(struct type){ .size = 12, .bold = true, .color = INK }, "H3", true);
		print_description(f, schema_about(f->paper->schemas, schema));
		own = whole_schema(f->paper->schemas, schema);
		if (json_member(own, "properties") == NULL)
			print_note(f, "Type", type_name(f->paper, own));
		print_limits(f, own);
		print_schema(f, schema, 0, &left);
	}
	flow_gap(f, 12);
}
