/*
 * A computed page as Markdown that is complete by itself, for readers and language models;
 * computed_markdown() only names the operations, for clients that can look them up.
 *
 * It is written from the page's document, so that both agree. Schemas stay JSON, which is exact;
 * schemas that others refer to follow once, at the end.
 */
#include <cjson/cJSON.h>

#include "computed_parts.h"

/* Twice what the document may have: indented JSON is longer than the JSON it is made of. */
enum { MAX_TEXT = 512 << 20 };

static const cJSON *
get_member(const cJSON *o, const char *name)
{
	return cJSON_GetObjectItemCaseSensitive(o, name);
}

/* "": there is none. */
static const char *
text_of(const cJSON *o, const char *name)
{
	const cJSON *v = get_member(o, name);

	return cJSON_IsString(v) ? v->valuestring : "";
}

/* ---- pieces of Markdown ---- */

/* As many backticks as the text has nowhere in a row, and at least so many. */
static const char *
write_fence(struct buf *b, const char *text, size_t least)
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
	const char *fence = write_fence(b, text, 1), *pad = strchr(text, '`') != NULL ? " " : "";

	buf_printf(b, "%s%s%s%s%s", fence, pad, text, pad, fence);
}

static void
code_block(struct buf *b, const char *language, const char *text)
{
	const char *fence = write_fence(b, text, 3);

	buf_printf(b, "%s%s\n%s\n%s\n\n", fence, language, text, fence);
}

/* cJSON_Print() allocates in the arena. */
static void
json_block(struct buf *b, const cJSON *v)
{
	code_block(b, "json", cJSON_Print(v));
}

/* Markdown of the author's on one line: an item of a list, the rest of a heading. */
static void
one_line(struct buf *b, const char *text)
{
	for (; *text != '\0'; text++)
		buf_char(b, (unsigned char)*text < ' ' ? ' ' : *text);
}

/* Not escaped: descriptions are Markdown (OpenAPI 3.1, 4.4). */
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
	/* The first server, with its variables as they are. */
	code_span(b, arena_printf(b->arena, "%s %s%s", upper, servers != NULL ? text_of(servers->child, "url") : "", path));
	buf_str(b, "\n\n");
}

/* The security requirements. A client needs to meet one of them. */
static void
write_security(struct buf *b, const cJSON *op)
{
	const cJSON *one, *scheme;
	const char *before = "Security: ";

	cJSON_ArrayForEach(one, get_member(op, "security"))
		cJSON_ArrayForEach(scheme, one) {
			buf_str(b, before);
			code_span(b, scheme->string);
			/*
			 * All schemes of one requirement are needed together; one requirement is
			 * enough (OpenAPI, "Security Requirement Object").
			 */
			before = scheme->next != NULL ? " and " : " or ";
		}
	if (strcmp(before, "Security: ") != 0)
		buf_str(b, "\n\n");
}

static void
write_parameters(struct buf *b, const cJSON *op)
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
			code_span(b, cJSON_PrintUnformatted(get_member(p, "schema")));
		}
		if (*text_of(p, "description") != '\0')
			buf_str(b, ": ");
		one_line(b, text_of(p, "description"));
		buf_char(b, '\n');
	}
	buf_char(b, '\n');
}

/* Examples are left out: they follow from the schema, and make the text much longer. */
static void
write_content(struct buf *b, const cJSON *holder)
{
	const cJSON *media;

	cJSON_ArrayForEach(media, get_member(holder, "content")) {
		code_span(b, media->string);
		buf_str(b, "\n\n");
		if (get_member(media, "schema") != NULL)
			json_block(b, get_member(media, "schema"));
	}
}

/* data: the data of the block. Writes nothing if the operation was left out because of its size. */
static void
write_operation(struct buf *b, const cJSON *data)
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
	write_security(b, op);
	write_parameters(b, op);
	if (get_member(op, "requestBody") != NULL) {
		buf_str(b, "### Body\n\n");
		write_paragraph(b, text_of(get_member(op, "requestBody"), "description"));
		write_content(b, get_member(op, "requestBody"));
	}
	cJSON_ArrayForEach(one, get_member(op, "responses")) {
		buf_printf(b, "### %s ", one->string);
		one_line(b, text_of(one, "description"));
		buf_str(b, "\n\n");
		write_content(b, one);
	}
	if ((one = get_member(op, "samples")) != NULL && one->child != NULL) {
		buf_str(b, "### Example\n\n");
		/* Only the first sample: all of them show the same request. */
		code_block(b, text_of(one->child, "lang"), text_of(one->child, "source"));
	}
}

/* ---- the page ---- */

/* level: the marks of the heading; on the page of models the schemas are its sections. */
static void
write_schemas(struct buf *b, const cJSON *list, const char *level)
{
	const cJSON *one;

	cJSON_ArrayForEach(one, list) {
		buf_printf(b, "%s ", level);
		markdown_escaped(b, one->string);
		buf_str(b, "\n\n");
		json_block(b, one);
	}
}

/* The document is parsed again: it is the one place that gathers operations and their schemas. */
struct str
computed_readable(struct db *db, struct arena *a, const struct computed_page *c)
{
	struct str json = computed_document(db, a, c);
	const cJSON *root = cJSON_ParseWithLength(json.p, json.n), *node;
	const cJSON *list = get_member(get_member(get_member(root, "data"), "openapi"), "schemas");
	bool models = strcmp(c->kind, "models") == 0;
	struct buf b;

	buf_init(&b, a, MAX_TEXT);
	buf_str(&b, "# ");
	markdown_escaped(&b, c->page.node.title);
	buf_str(&b, "\n\n");
	buf_put(&b, computed_intro(db, a, c));
	buf_str(&b, "\n\n");
	cJSON_ArrayForEach(node, get_member(root, "nodes"))
		if (strcmp(text_of(node, "type"), "openapi-operation") == 0 ||
		    strcmp(text_of(node, "type"), "openapi-webhook") == 0)
			write_operation(&b, get_member(node, "data"));
	if (list != NULL && list->child != NULL && !models)
		buf_str(&b, "## Schemas\n\n");
	write_schemas(&b, list, models ? "##" : "###");
	/* Headings, fences and paragraphs each end with an empty line; a text ends with one line break. */
	while (b.n > 1 && b.p[b.n - 1] == '\n' && b.p[b.n - 2] == '\n')
		buf_cut(&b, 1);
	return buf_view(&b);
}
