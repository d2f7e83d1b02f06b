/*
 * Renders operations and webhooks of API descriptions, in the form of the computed room: each block
 * contains an operation, and the document's data contain the schemas that it refers to
 * (openapi/parts.h). Schemas: render_schema.c; examples: render_example.c; authorization, servers,
 * samples: render_access.c.
 */
#include <stdio.h>

#include "render_api.h"

enum { HIGHLIGHT_MAX = 3000 };   /* maximum length of an example that is highlighted, since each word becomes an element */

void
part_title(struct render *r, const char *title)
{
	h_leaf(&r->h, "p", "part", title);
}

/* ---- parameters ---- */

/* The schema of a parameter, which may be in its content. */
static const cJSON *
parameter_schema(const cJSON *p)
{
	const cJSON *content = json_member(p, "content");

	return json_member(p, "schema") != NULL || content == NULL ? json_member(p, "schema") : json_member(content->child, "schema");
}

/* Writes a separate list for each place of parameters, since clients send each in another way. */
static void
render_parameters(struct schemas *s, const cJSON *op)
{
	static const char *const places[] = { "path", "query", "querystring", "header", "cookie", NULL };
	const cJSON *p, *content;
	struct html *h = &s->r->h;

	if (cJSON_GetArraySize(json_member(op, "parameters")) == 0)
		return;
	part_title(s->r, say(s->r, TEXT_PARAMETERS));
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		bool some = false;
		cJSON_ArrayForEach(p, json_member(op, "parameters")) {
			const char *in = json_text_of(p, "in");
			bool known = false;
			for (size_t k = 0; places[k] != NULL; k++)
				known = known || same_text(in, places[k]);
			/* The last round (NULL) writes parameters with an unknown place. */
			if (json_text_of(p, "name") == NULL || (places[i] != NULL ? !same_text(in, places[i]) : known))
				continue;
			if (!some) {
				h_leaf(h, "p", "place", places[i] != NULL ? places[i] : in != NULL ? in : "?");
				h_el(h, "ul", "class", "fields", NULL);
			}
			some = true;
			content = json_member(p, "content");
			render_row(s, &(struct schema_row){ .name = json_text_of(p, "name"), .schema = parameter_schema(p), .holder = p,
			    .required = json_flag_of(p, "required"), .deprecated = json_flag_of(p, "deprecated"),
			    .about = json_text_of(p, "description") != NULL || content == NULL || content->child == NULL ?
			    json_text_of(p, "description") : content->child->string });
		}
		if (some)
			h_close(h);
	}
}

/* ---- bodies ---- */

/* Writes an example in the format of its media type. */
static void
write_example(struct schemas *s, const char *title, const cJSON *media, const cJSON *value)
{
	struct render *r = s->r;
	bool text = cJSON_IsString(value), xml = strstr(media->string, "xml") != NULL;
	bool form = cJSON_IsObject(value) && (strncmp(media->string, "multipart/", 10) == 0 || strstr(media->string, "form-urlencoded") != NULL);
	const char *source = text ? value->valuestring : xml ? example_xml(s, value, json_member(media, "schema")) :
	    form ? example_form(r, value) : json_pretty(r->arena, value);
	const char *syntax = xml ? "xml" : form ? NULL : strstr(media->string, "json") != NULL || !text ? "json" : NULL;

	render_sample(r, title, strlen(source) > HIGHLIGHT_MAX ? NULL : syntax, str_of(source));
}

/* Writes the author's examples with their names, all but the first collapsed. */
static void
named_examples(struct schemas *s, const cJSON *media, const cJSON *list)
{
	struct render *r = s->r;
	const cJSON *one, *value;
	const char *title;
	int i = 0;

	cJSON_ArrayForEach(one, list) {
		value = json_member(one, "value");
		title = json_text_of(one, "summary") != NULL ? json_text_of(one, "summary") : one->string;
		h_el(&r->h, "details", "class", "example", NULL);
		if (i++ == 0)
			h_flag(&r->h, "open");
		h_open(&r->h, "summary");
		h_text(&r->h, say(r, TEXT_EXAMPLE));
		h_text(&r->h, ": ");
		h_text(&r->h, title != NULL ? title : "");
		h_close(&r->h);
		render_description(r, json_text_of(one, "description"));
		if (value != NULL)
			write_example(s, NULL, media, value);
		if (json_text_of(one, "externalValue") != NULL) {
			h_open(&r->h, "a");
			h_url(&r->h, "href", json_text_of(one, "externalValue"));
			h_text(&r->h, json_text_of(one, "externalValue"));
			h_close(&r->h);
		} else if (value == NULL) {
			/* The value was omitted because it is too long (openapi/parts_write.c). */
			h_leaf(&r->h, "span", "limit", "…");
		}
		h_close(&r->h);
	}
}

/*
 * Writes a body for each media type: its schema, and an example. folded: the body is in a response
 * that is collapsed.
 */
static void
render_media_types(struct schemas *s, const cJSON *content, bool folded)
{
	struct render *r = s->r;
	const cJSON *m, *before = NULL;

	cJSON_ArrayForEach(m, content) {
		if (m->string == NULL)
			continue;
		h_leaf(&r->h, "p", "media", m->string);
		/* Media types of one body usually have the same schema: write it once. */
		if (before == NULL || !cJSON_Compare(before, json_member(m, "schema"), true))
			render_whole(s, json_member(m, "schema"), folded);
		before = json_member(m, "schema");
		/* OpenAPI 3.2: the schema of one item of a stream. */
		render_whole(s, json_member(m, "itemSchema"), folded);
		if (cJSON_GetArraySize(json_member(m, "examples")) > 0)
			named_examples(s, m, json_member(m, "examples"));
		else if (json_member(m, "example") != NULL)
			write_example(s, say(r, TEXT_EXAMPLE), m, json_member(m, "example"));
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
	if (json_flag_of(b, "required"))
		h_leaf(&s->r->h, "span", "must", say(s->r, TEXT_REQUIRED));
	render_description(s->r, json_text_of(b, "description"));
	render_media_types(s, json_member(b, "content"), false);
}

/* ---- responses ---- */

static void
render_headers(struct schemas *s, const cJSON *list)
{
	const cJSON *one;

	if (cJSON_GetArraySize(list) == 0)
		return;
	h_leaf(&s->r->h, "p", "place", say(s->r, TEXT_HEADERS));
	h_el(&s->r->h, "ul", "class", "fields", NULL);
	cJSON_ArrayForEach(one, list)
		if (one->string != NULL)
			render_row(s, &(struct schema_row){ .name = one->string, .schema = parameter_schema(one), .holder = one,
			    .about = json_text_of(one, "description"), .required = json_flag_of(one, "required"),
			    .deprecated = json_flag_of(one, "deprecated") });
	h_close(&s->r->h);
}

/*
 * Writes links: operations that a client can call next with values of the response (OpenAPI, "Link
 * Object").
 */
static void
render_links(struct render *r, const cJSON *list)
{
	const cJSON *one, *p;

	if (cJSON_GetArraySize(list) == 0)
		return;
	h_leaf(&r->h, "p", "place", say(r, TEXT_LINKS));
	h_el(&r->h, "ul", "class", "fields", NULL);
	cJSON_ArrayForEach(one, list) {
		const char *to = json_text_of(one, "operationId") != NULL ? json_text_of(one, "operationId") : json_text_of(one, "operationRef");
		h_open(&r->h, "li");
		h_leaf(&r->h, "code", "name", one->string != NULL ? one->string : "");
		h_text(&r->h, " → ");
		h_leaf(&r->h, "code", NULL, to != NULL ? to : "");
		cJSON_ArrayForEach(p, json_member(one, "parameters")) {
			h_text(&r->h, " ");
			h_leaf(&r->h, "span", "limit", arena_printf(r->arena, "%s = %s", p->string != NULL ? p->string : "", api_value_text(r, p)));
		}
		render_description(r, json_text_of(one, "description"));
		h_close(&r->h);
	}
	h_close(&r->h);
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
		/* An invalid description may have a list here instead of a map, whose members have no names. */
		if (one->string == NULL)
			continue;
		const char *about = json_text_of(one, "description");
		bool line = is_about_line(r, about);
		h_el(&r->h, "details", "class", "response", NULL);
		if (first)
			/* Open the first response, which most readers look for. */
			h_flag(&r->h, "open");
		h_open(&r->h, "summary");
		h_leaf(&r->h, "code", NULL, one->string);
		h_text(&r->h, " ");
		/* A description of one paragraph is in the summary; a longer one is written below. */
		if (line)
			render_about_line(r, about);
		h_close(&r->h);
		if (!line)
			render_description(r, about);
		render_headers(s, json_member(one, "headers"));
		render_media_types(s, json_member(one, "content"), !first);
		render_links(r, json_member(one, "links"));
		h_close(&r->h);
		first = false;
	}
}

/* ---- callbacks ---- */

static void method_line(struct render *r, const char *method, const char *path, const char *server);

/* Writes an operation of a callback: a request that the API sends to an address of the caller. */
static void
render_callback(struct schemas *s, const char *name, const char *at, const cJSON *op)
{
	struct render *r = s->r;

	h_el(&r->h, "details", "class", "response", NULL);
	h_open(&r->h, "summary");
	h_leaf(&r->h, "code", NULL, name);
	h_text(&r->h, " ");
	h_text(&r->h, json_text_of(op, "summary") != NULL ? json_text_of(op, "summary") : "");
	h_close(&r->h);
	method_line(r, op->string, at, NULL);
	render_description(r, json_text_of(op, "description"));
	render_parameters(s, op);
	render_body(s, op);
	render_responses(s, op);
	h_close(&r->h);
}

static void
render_callbacks(struct schemas *s, const cJSON *op)
{
	const cJSON *one, *at, *method;

	if (cJSON_GetArraySize(json_member(op, "callbacks")) == 0)
		return;
	part_title(s->r, say(s->r, TEXT_CALLBACKS));
	cJSON_ArrayForEach(one, json_member(op, "callbacks"))
		cJSON_ArrayForEach(at, one)
			cJSON_ArrayForEach(method, at)
				if (cJSON_IsObject(method) && json_member(method, "responses") != NULL && one->string != NULL &&
				    at->string != NULL && method->string != NULL)
					render_callback(s, one->string, at->string, method);
}

/* ---- operations ---- */

static void
method_line(struct render *r, const char *method, const char *path, const char *server)
{
	char upper[40];
	size_t i;

	for (i = 0; i < sizeof(upper) - 1 && method[i] != '\0'; i++)
		upper[i] = (char)(method[i] >= 'a' && method[i] <= 'z' ? method[i] - 32 : method[i]);
	upper[i] = '\0';
	h_el(&r->h, "p", "class", "method", NULL);
	h_leaf(&r->h, "strong", arena_printf(r->arena, "verb %s", method), upper);
	h_text(&r->h, " ");
	h_open(&r->h, "code");
	h_text(&r->h, server != NULL ? server : "");
	h_text(&r->h, path);
	h_close(&r->h);
	h_close(&r->h);
}

/* The address of the first server, which is shown before the path; the others follow below. */
static const char *
first_server(struct render *r, const cJSON *op)
{
	const cJSON *list = json_member(op, "servers");
	const char *url = list != NULL ? fill_server(r, list->child, NULL, NULL) : NULL;
	size_t n = url != NULL ? strlen(url) : 0;

	if (url == NULL)
		return list != NULL ? json_text_of(list->child, "url") : NULL;
	/* The path begins with a slash. */
	return n > 0 && url[n - 1] == '/' ? arena_strndup(r->arena, url, n - 1) : url;
}

/* Writes marks before the description: deprecated, experimental. */
static void
render_state(struct render *r, const cJSON *op)
{
	const char *stability = json_text_of(op, "x-stability");

	if (!json_flag_of(op, "deprecated") && stability == NULL)
		return;
	h_el(&r->h, "p", "class", "state", NULL);
	if (json_flag_of(op, "deprecated"))
		h_leaf(&r->h, "span", "old", say(r, TEXT_DEPRECATED));
	if (stability != NULL)
		h_leaf(&r->h, "span", "old", stability);
	h_close(&r->h);
}

static void
render_docs(struct render *r, const cJSON *docs)
{
	const char *url = json_text_of(docs, "url"), *text = json_text_of(docs, "description");

	if (url == NULL || !h_url_safe(url))
		return;
	h_open(&r->h, "p");
	h_open(&r->h, "a");
	h_url(&r->h, "href", url);
	render_away(r);
	h_text(&r->h, text != NULL && strchr(text, '\n') == NULL ? text : url);
	h_close(&r->h);
	h_close(&r->h);
}

void
render_operation(struct render *r, const cJSON *node)
{
	const cJSON *d = data_of(node), *op = json_member(d, "operation");
	const char *path = json_text_of(d, "path"), *method = json_text_of(d, "method");
	const char *title = json_text_of(op, "summary");
	struct schemas s;
	/* On a page of one operation, the page's title names it. */
	bool headed = op != NULL && !json_flag_of(d, "headless");

	schemas_init(&s, r, node);
	if (path == NULL)
		path = json_text_of(d, "name") != NULL ? json_text_of(d, "name") : "";
	if (title == NULL)
		title = json_text_of(op, "operationId");
	h_el(&r->h, "section", "class", "api", "id", headed ? NULL : node_anchor(node), NULL);
	if (headed)
		render_heading_at(r, node_anchor(node), title != NULL ? title : path);
	method_line(r, method != NULL ? method : "", path, first_server(r, op));
	render_state(r, op);
	render_description(r, json_text_of(op, "description"));
	render_docs(r, json_member(op, "externalDocs"));
	render_servers(r, op);
	render_access(r, op);
	render_samples(r, op);
	/* render_try() needs the path, which a webhook lacks: there the API sends the request. */
	render_try(&s, method, json_text_of(d, "path"), op);
	render_parameters(&s, op);
	render_body(&s, op);
	render_responses(&s, op);
	render_callbacks(&s, op);
	schemas_end(&s);
	h_close(&r->h);
}

/* Writes one model, collapsed unless it is alone on its page. */
static void
render_model(struct schemas *s, const char *name, const cJSON *schema, bool alone)
{
	struct render *r = s->r;

	h_el(&r->h, alone ? "div" : "details", "class", "schema", "id", map_get(r->schema_at, str_of(name)), NULL);
	if (!alone)
		h_leaf(&r->h, "summary", NULL, name);
	render_description(r, schema_about(s->set, schema));
	h_leaf(&r->h, "p", "type", schema_type(s, schema));
	render_limits(r, whole_schema(s->set, schema));
	/* The model is open, so a reference to itself becomes a link. */
	s->open[0] = name;
	s->depth = 1;
	schema_body(s, schema);
	s->depth = 0;
	schemas_end(s);
	h_close(&r->h);
}

void
render_schemas(struct render *r, const cJSON *node)
{
	bool alone = json_flag_of(data_of(node), "headless");
	struct schemas s;
	const cJSON *name;

	schemas_init(&s, r, node);
	/* Each model has its own place on this page, so references to it are links, as after ROWS_FREE (render_schema.c). */
	r->schema_rows += 4000;
	cJSON_ArrayForEach(name, json_member(data_of(node), "schemas"))
		if (cJSON_IsString(name))
			map_add(r->schema_at, str_of(name->valuestring), (void *)(uintptr_t)render_id(r, "schema"));
	h_el(&r->h, "section", "class", "api", NULL);
	cJSON_ArrayForEach(name, json_member(data_of(node), "schemas"))
		if (cJSON_IsString(name))
			render_model(&s, name->valuestring, map_get(s.set->names, str_of(name->valuestring)), alone);
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
