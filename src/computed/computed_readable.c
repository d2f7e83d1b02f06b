/*
 * A computed page as Markdown that is complete by itself, for readers and language models;
 * computed_markdown() only names the operations, for clients that can look them up.
 *
 * It is written from the page's document, so that both agree. Schemas stay JSON, which is exact, but
 * the parts of an allOf are merged as on pages; schemas that others refer to follow once, at the end.
 */
#include <cjson/cJSON.h>

#include "computed_parts.h"

/* Twice the limit of a document, because indented JSON is longer than the compact JSON of the document. */
enum { MAX_TEXT = 512 << 20 };

static const cJSON *
get_member(const cJSON *o, const char *name)
{
	return cJSON_GetObjectItemCaseSensitive(o, name);
}

/* The text of a member; "" if there is none. */
static const char *
text_of(const cJSON *o, const char *name)
{
	const cJSON *v = get_member(o, name);

	return cJSON_IsString(v) ? v->valuestring : "";
}

/* ---- pieces of Markdown ---- */

/* Makes a fence: at least `least` backticks, and more than any run of backticks in the text. */
static const char *
make_fence(struct buf *b, const char *text, size_t least)
{
	size_t run = 0, longest = 0;
	char *out;

	for (; *text != '\0'; text++) {
		run = *text == '`' ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	longest = longest + 1 > least ? longest + 1 : least;
	out = arena_alloc(b->arena, longest + 1);
	memset(out, '`', longest);
	return out;
}

/*
 * Adds a blank on either side if the text contains backticks, which may be at its ends; parsers
 * strip one (CommonMark 0.30, 6.1).
 */
static void
code_span(struct buf *b, const char *text)
{
	const char *fence = make_fence(b, text, 1), *pad = strchr(text, '`') != NULL ? " " : "";

	buf_printf(b, "%s%s%s%s%s", fence, pad, text, pad, fence);
}

static void
code_block(struct buf *b, const char *language, const char *text)
{
	const char *fence = make_fence(b, text, 3);

	buf_printf(b, "%s%s\n%s\n%s\n\n", fence, language, text, fence);
}

static void
json_block(struct buf *b, const cJSON *v)
{
	code_block(b, "json", json_pretty(b->arena, v));
}

static void
schema_block(struct buf *b, struct schema_set *s, const cJSON *schema)
{
	if (schema != NULL)
		json_block(b, flat_schema(s, schema));
}

/* Writes the author's Markdown in one line, for an item of a list or the rest of a heading. */
static void
one_line(struct buf *b, const char *text)
{
	for (; *text != '\0'; text++)
		buf_char(b, (unsigned char)*text < ' ' ? ' ' : *text);
}

/* Writes a description. It is not escaped, since descriptions are Markdown (OpenAPI 3.1, 4.4). */
static void
write_paragraph(struct buf *b, const char *markdown)
{
	if (*markdown != '\0')
		buf_printf(b, "%s\n\n", markdown);
}

/* ---- an operation ---- */

static void
method_line(struct buf *b, const cJSON *data, const cJSON *op)
{
	const cJSON *servers = get_member(op, "servers");
	const char *method = text_of(data, "method"), *path = text_of(data, get_member(data, "name") != NULL ? "name" : "path");
	/* The longest method of OpenAPI has seven letters. */
	char upper[16] = "";

	for (size_t i = 0; i < sizeof(upper) - 1 && method[i] != '\0'; i++)
		upper[i] = (char)(method[i] >= 'a' && method[i] <= 'z' ? method[i] - 32 : method[i]);
	/* The address of the first server; its variables are not replaced by values. */
	code_span(b, arena_printf(b->arena, "%s %s%s", upper, servers != NULL ? text_of(servers->child, "url") : "", path));
	buf_str(b, "\n\n");
}

/*
 * Writes one alternative of authorization: where the key is sent, where it comes from, and its
 * scopes.
 */
static void
write_scheme(struct buf *b, const cJSON *need, const cJSON *scheme)
{
	static const char *const members[] = { "type", "in", "name", "scheme", "bearerFormat", "openIdConnectUrl", "oauth2MetadataUrl" };
	const cJSON *one;
	const char *before = ": ";

	buf_str(b, "- ");
	code_span(b, need->string);
	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		if (*text_of(scheme, members[i]) == '\0')
			continue;
		buf_printf(b, "%s%s ", before, members[i]);
		code_span(b, text_of(scheme, members[i]));
		before = ", ";
	}
	cJSON_ArrayForEach(one, get_member(scheme, "flows")) {
		buf_printf(b, "%sflow ", before);
		code_span(b, cJSON_PrintUnformatted(one));
		before = ", ";
	}
	before = ", scopes ";
	cJSON_ArrayForEach(one, need) {
		if (!cJSON_IsString(one))
			continue;
		buf_str(b, before);
		code_span(b, one->valuestring);
		before = " ";
	}
	if (*text_of(scheme, "description") != '\0')
		buf_str(b, ". ");
	one_line(b, text_of(scheme, "description"));
	buf_char(b, '\n');
}

/* Writes which schemes authorize a client (any one of these), and then each of them. */
static void
write_security(struct buf *b, const cJSON *op)
{
	const cJSON *one, *scheme, *known = get_member(op, "securitySchemes");
	const char *before = "Authorization: ";

	cJSON_ArrayForEach(one, get_member(op, "security")) {
		if (one->child == NULL) {
			buf_printf(b, "%snone", before);
			before = " or ";
		}
		cJSON_ArrayForEach(scheme, one) {
			if (scheme->string == NULL)
				continue;
			buf_str(b, before);
			code_span(b, scheme->string);
			/*
			 * All schemes of one requirement are needed together; one requirement is
			 * enough (OpenAPI, "Security Requirement Object").
			 */
			before = scheme->next != NULL ? " and " : " or ";
		}
	}
	if (strcmp(before, "Authorization: ") == 0)
		return;
	buf_str(b, "\n\n");
	cJSON_ArrayForEach(one, get_member(op, "security"))
		cJSON_ArrayForEach(scheme, one)
			if (scheme->string != NULL)
				write_scheme(b, scheme, get_member(known, scheme->string));
	buf_char(b, '\n');
}

/* Writes the other servers, and the variables of their addresses. */
static void
write_servers(struct buf *b, const cJSON *op)
{
	const cJSON *list = get_member(op, "servers"), *one;

	if (list == NULL || list->child == NULL || (list->child->next == NULL && get_member(list->child, "variables") == NULL))
		return;
	buf_str(b, "Servers:\n\n");
	cJSON_ArrayForEach(one, list) {
		buf_str(b, "- ");
		code_span(b, text_of(one, "url"));
		if (*text_of(one, "description") != '\0')
			buf_str(b, ": ");
		one_line(b, text_of(one, "description"));
		if (get_member(one, "variables") != NULL) {
			buf_str(b, " variables ");
			code_span(b, cJSON_PrintUnformatted(get_member(one, "variables")));
		}
		buf_char(b, '\n');
	}
	buf_char(b, '\n');
}

/* Writes the members of a map (headers, links) as a list, each with its JSON. */
static void
write_map(struct buf *b, const char *title, const cJSON *map)
{
	const cJSON *one;

	if (map == NULL || map->child == NULL)
		return;
	buf_printf(b, "%s:\n\n", title);
	cJSON_ArrayForEach(one, map) {
		/* An invalid description may have a list here instead of a map, whose members have no names. */
		if (one->string == NULL)
			continue;
		buf_str(b, "- ");
		code_span(b, one->string);
		buf_char(b, ' ');
		code_span(b, cJSON_PrintUnformatted(one));
		buf_char(b, '\n');
	}
	buf_char(b, '\n');
}

static void
write_value(struct buf *b, const cJSON *value)
{
	if (cJSON_IsString(value))
		code_block(b, "", value->valuestring);
	else
		json_block(b, value);
}

/*
 * Writes the author's examples. A generated example is omitted, since the schema contains the same
 * information.
 */
static void
write_examples(struct buf *b, const cJSON *holder)
{
	const cJSON *list = get_member(holder, "examples"), *one, *value = get_member(holder, "example");
	const char *summary;

	if (cJSON_GetArraySize(list) == 0 && value != NULL && !cJSON_IsTrue(get_member(holder, "exampleMade"))) {
		buf_str(b, "Example:\n\n");
		write_value(b, value);
	}
	cJSON_ArrayForEach(one, list) {
		/*
		 * An invalid description has a list instead of a map, whose members have no names.
		 * The same applies below.
		 */
		if (one->string == NULL)
			continue;
		summary = text_of(one, "summary");
		buf_str(b, "Example ");
		one_line(b, *summary != '\0' ? summary : one->string);
		buf_str(b, ":\n\n");
		write_paragraph(b, text_of(one, "description"));
		value = get_member(one, "value");
		if (value != NULL)
			write_value(b, value);
		else if (*text_of(one, "externalValue") == '\0')
			/* The value was omitted because it is too long (openapi/parts_write.c). */
			write_paragraph(b, "…");
		write_paragraph(b, text_of(one, "externalValue"));
	}
}

static void
write_content(struct buf *b, struct schema_set *s, const cJSON *holder)
{
	const cJSON *media;

	cJSON_ArrayForEach(media, get_member(holder, "content")) {
		if (media->string == NULL)
			continue;
		code_span(b, media->string);
		buf_str(b, "\n\n");
		schema_block(b, s, get_member(media, "schema"));
		schema_block(b, s, get_member(media, "itemSchema"));
		write_examples(b, media);
	}
}

static void
write_parameters(struct buf *b, struct schema_set *s, const cJSON *op)
{
	const cJSON *p;

	if (cJSON_GetArraySize(get_member(op, "parameters")) == 0)
		return;
	buf_str(b, "### Parameters\n\n");
	cJSON_ArrayForEach(p, get_member(op, "parameters")) {
		buf_str(b, "- ");
		code_span(b, text_of(p, "name"));
		buf_printf(b, " (%s%s%s)", text_of(p, "in"), cJSON_IsTrue(get_member(p, "required")) ? ", required" : "",
		    cJSON_IsTrue(get_member(p, "deprecated")) ? ", deprecated" : "");
		if (get_member(p, "schema") != NULL) {
			buf_char(b, ' ');
			code_span(b, cJSON_PrintUnformatted(flat_schema(s, get_member(p, "schema"))));
		}
		if (*text_of(p, "description") != '\0')
			buf_str(b, ": ");
		one_line(b, text_of(p, "description"));
		buf_char(b, '\n');
	}
	buf_char(b, '\n');
	/* Describe what does not fit in one line of the list. */
	cJSON_ArrayForEach(p, get_member(op, "parameters")) {
		if (get_member(p, "content") == NULL && cJSON_GetArraySize(get_member(p, "examples")) == 0 &&
		    (get_member(p, "example") == NULL || cJSON_IsTrue(get_member(p, "exampleMade"))))
			continue;
		buf_str(b, "Parameter ");
		code_span(b, text_of(p, "name"));
		buf_str(b, ":\n\n");
		write_content(b, s, p);
		write_examples(b, p);
	}
}

static void
write_exchange(struct buf *b, struct schema_set *s, const cJSON *op)
{
	const cJSON *one;

	write_parameters(b, s, op);
	if (get_member(op, "requestBody") != NULL) {
		buf_printf(b, "### Body%s\n\n", cJSON_IsTrue(get_member(get_member(op, "requestBody"), "required")) ? " (required)" : "");
		write_paragraph(b, text_of(get_member(op, "requestBody"), "description"));
		write_content(b, s, get_member(op, "requestBody"));
	}
	cJSON_ArrayForEach(one, get_member(op, "responses")) {
		if (one->string == NULL)
			continue;
		buf_printf(b, "### %s ", one->string);
		one_line(b, text_of(one, "description"));
		buf_str(b, "\n\n");
		write_map(b, "Headers", get_member(one, "headers"));
		write_content(b, s, one);
		write_map(b, "Links", get_member(one, "links"));
	}
}

/* Writes the callbacks: requests that the API sends to an address of the caller. */
static void
write_callbacks(struct buf *b, struct schema_set *s, const cJSON *op)
{
	const cJSON *one, *at, *method;

	cJSON_ArrayForEach(one, get_member(op, "callbacks"))
		cJSON_ArrayForEach(at, one)
			cJSON_ArrayForEach(method, at) {
				if (get_member(method, "responses") == NULL || one->string == NULL || at->string == NULL || method->string == NULL)
					continue;
				buf_str(b, "### Callback ");
				markdown_escaped(b, one->string);
				buf_str(b, "\n\n");
				code_span(b, arena_printf(b->arena, "%s %s", method->string, at->string));
				buf_str(b, "\n\n");
				write_paragraph(b, text_of(method, "summary"));
				write_paragraph(b, text_of(method, "description"));
				write_exchange(b, s, method);
			}
}

void
operation_readable(struct buf *b, struct schema_set *s, const cJSON *data)
{
	const cJSON *op = get_member(data, "operation"), *one;
	const char *title = text_of(op, "summary");

	if (op == NULL)
		return;
	buf_str(b, "## ");
	markdown_escaped(b, *title != '\0' ? title : *text_of(op, "operationId") != '\0' ? text_of(op, "operationId") :
	    text_of(data, "path"));
	buf_str(b, "\n\n");
	method_line(b, data, op);
	if (cJSON_IsTrue(get_member(op, "deprecated")))
		buf_str(b, "Deprecated.\n\n");
	write_paragraph(b, text_of(op, "description"));
	if (*text_of(op, "x-stability") != '\0')
		buf_printf(b, "Stability: %s.\n\n", text_of(op, "x-stability"));
	write_paragraph(b, text_of(get_member(op, "externalDocs"), "url"));
	write_servers(b, op);
	write_security(b, op);
	write_exchange(b, s, op);
	write_callbacks(b, s, op);
	if ((one = get_member(op, "samples")) != NULL && one->child != NULL) {
		buf_str(b, "### Example\n\n");
		/* Only the first sample is written, because all of them show the same request. */
		code_block(b, text_of(one->child, "lang"), text_of(one->child, "source"));
	}
}

/* ---- the page ---- */

void
schema_readable(struct buf *b, struct schema_set *s, const cJSON *schema, const char *level)
{
	buf_printf(b, "%s ", level);
	markdown_escaped(b, schema->string);
	buf_str(b, "\n\n");
	schema_block(b, s, schema);
}

/* Parses the JSON of computed_document(), since only that function gathers the operations and their schemas. */
struct str
computed_readable(struct db *db, struct arena *a, const struct computed_page *c)
{
	struct str json = computed_document(db, a, c);
	const cJSON *root = cJSON_ParseWithLength(json.p, json.n), *node;
	const cJSON *list = document_schemas(root, NULL);
	bool models = strncmp(c->kind, "model", 5) == 0;
	struct schema_set s;
	struct buf b;

	schema_set_init(&s, a, list);
	buf_init(&b, a, MAX_TEXT);
	buf_str(&b, "# ");
	markdown_escaped(&b, c->page.node.title);
	buf_str(&b, "\n\n");
	buf_put(&b, computed_intro(db, a, c));
	buf_str(&b, "\n\n");
	if (c->split) {
		computed_list(db, a, c, true, &b);
		return buf_view(&b);
	}
	cJSON_ArrayForEach(node, get_member(root, "nodes"))
		if (strcmp(text_of(node, "type"), "openapi-operation") == 0 ||
		    strcmp(text_of(node, "type"), "openapi-webhook") == 0)
			operation_readable(&b, &s, get_member(node, "data"));
	if (list != NULL && list->child != NULL && !models)
		buf_str(&b, "## Schemas\n\n");
	/* On the page of models, the schemas are the sections of the page. */
	cJSON_ArrayForEach(node, list)
		schema_readable(&b, &s, node, models ? "##" : "###");
	/* Headings, fences and paragraphs each end with an empty line; a text ends with one line break. */
	while (b.n > 1 && b.p[b.n - 1] == '\n' && b.p[b.n - 2] == '\n')
		buf_cut(&b, 1);
	return buf_view(&b);
}
