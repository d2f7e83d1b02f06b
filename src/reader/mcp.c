/*
 * A site as tools for language models: the Model Context Protocol over streamable HTTP (revision
 * 2025-06-18), without sessions or streams. Each POST of one JSON-RPC 2.0 message is answered by
 * one JSON document, a notification by 202.
 *
 * Two tools: `search` finds pages, `page` reads one as Markdown. They see what a visitor with the
 * same cookie or claims sees.
 */
#include "base/build.h"
#include "base/json.h"
#include "reader_parts.h"
#include "search/search.h"

/* A request is a few words; an answer may be a whole page. */
enum { BODY_MAX = 64 << 10, HITS = 10, OUT_MAX = 64 << 20 };
/* JSON-RPC 2.0, section 5.1. */
enum { PARSE_ERROR = -32700, INVALID_REQUEST = -32600, NO_METHOD = -32601, INVALID_PARAMS = -32602 };

static const char tools[] =
    "{\"tools\":[{\"name\":\"search\",\"title\":\"Search\",\"description\":\"Finds pages of this documentation. "
    "Each hit has a title, an address and text around the words that were found.\",\"inputSchema\":{\"type\":"
    "\"object\",\"properties\":{\"query\":{\"type\":\"string\",\"description\":\"Words to look for\",\"maxLength\":512}},"
    "\"required\":[\"query\"]},\"annotations\":{\"readOnlyHint\":true}},"
    "{\"name\":\"page\",\"title\":\"Read a page\",\"description\":\"The whole text of a page of this documentation as "
    "Markdown.\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"address\":{\"type\":\"string\",\"description\":"
    "\"Address of the page, as search gives it\",\"maxLength\":2048}},\"required\":[\"address\"]},\"annotations\":"
    "{\"readOnlyHint\":true}}]}";

/* One message and its answer. */
struct call {
	struct view *s;
	struct json  j;
	struct buf   out;
};

static void
send_json(struct view *s, int status, struct str bytes)
{
	send_body(s, &(struct body){ .status = status, .type = "application/json", .bytes = bytes });
}

/* Write {"jsonrpc":"2.0","id":… */
static void
begin_reply(struct call *c, const cJSON *id)
{
	buf_init(&c->out, c->s->arena, OUT_MAX);
	json_init(&c->j, &c->out);
	json_obj(&c->j);
	json_kstr(&c->j, "jsonrpc", "2.0");
	json_key(&c->j, "id");
	/* Return the id as sent; null if the request could not be parsed. */
	if (cJSON_IsString(id))
		json_str(&c->j, id->valuestring);
	else if (cJSON_IsNumber(id))
		json_num(&c->j, id->valuedouble);
	else
		json_null(&c->j);
}

static void
send_error(struct call *c, const cJSON *id, int code, const char *message)
{
	begin_reply(c, id);
	json_kobj(&c->j, "error");
	json_kint(&c->j, "code", code);
	json_kstr(&c->j, "message", message);
	json_end(&c->j);
	json_end(&c->j);
	/* A valid request that fails gets a normal answer; an invalid one is also an HTTP error. */
	send_json(c->s, code == NO_METHOD || code == INVALID_PARAMS ? 200 : 400, buf_view(&c->out));
}

static void
send_result(struct call *c, const cJSON *id, struct str result)
{
	begin_reply(c, id);
	json_key(&c->j, "result");
	json_raw(&c->j, result);
	json_end(&c->j);
	send_json(c->s, 200, buf_view(&c->out));
}

/* Send the result of a tool, a single text. */
static void
send_text(struct call *c, const cJSON *id, struct str text, bool failed)
{
	begin_reply(c, id);
	json_kobj(&c->j, "result");
	json_karr(&c->j, "content");
	json_obj(&c->j);
	json_kstr(&c->j, "type", "text");
	json_kstrn(&c->j, "text", text);
	json_end(&c->j);
	json_end(&c->j);
	json_kbool(&c->j, "isError", failed);
	json_end(&c->j);
	json_end(&c->j);
	send_json(c->s, 200, buf_view(&c->out));
}

/*
 * Answer a client's first message with revision and capabilities. Nothing is stored: there are no
 * sessions.
 */
static void
answer_initialize(struct call *c, const cJSON *id, const cJSON *params)
{
	const char *wanted = json_text_of(params, "protocolVersion");
	static const char *const known[] = { "2025-06-18", "2025-03-26", "2024-11-05" };
	struct json j;
	struct buf b;
	/* Offer the newest revision if the client asks for an unknown one. */
	size_t v = 0;

	for (size_t i = 0; i < 3; i++)
		if (same_text(wanted, known[i]))
			v = i;
	buf_init(&b, c->s->arena, 64 << 10);
	json_init(&j, &b);
	json_obj(&j);
	json_kstr(&j, "protocolVersion", known[v]);
	json_kobj(&j, "capabilities");
	json_kobj(&j, "tools");
	json_end(&j);
	json_end(&j);
	json_kobj(&j, "serverInfo");
	json_kstr(&j, "name", "octavo");
	json_kstr(&j, "title", c->s->v.site.title);
	json_kstr(&j, "version", octavo_build);
	json_end(&j);
	json_end(&j);
	send_result(c, id, buf_view(&b));
}

/* Answer hits as plain text with full addresses, which the tool `page` accepts. */
static void
tool_search(struct call *c, const cJSON *id, const char *query)
{
	size_t count = 0, i, k;
	struct hit *hits = view_search(c->s, query, HITS, &count);
	struct buf b;

	buf_init(&b, c->s->arena, OUT_MAX);
	if (count == 0)
		buf_printf(&b, "Nothing found for: %s\n", query);
	for (i = 0; i < count; i++) {
		buf_printf(&b, "%s\n%s\n", page_title(c->s, &hits[i].page),
		    visit_page_address(&c->s->v, hits[i].space, &hits[i].page));
		for (k = 0; k < hits[i].found->section_count; k++)
			buf_printf(&b, "%s: %s\n", hits[i].found->sections[k].heading, hits[i].found->sections[k].excerpt);
		buf_char(&b, '\n');
	}
	send_text(c, id, buf_view(&b), false);
}

/* Path of an address of this site, given in full or from its first slash. */
static const char *
local_path(const struct call *c, const char *address)
{
	/* Models pass addresses as search returned them, or only the path. */
	const char *local = view_local(c->s, address), *host = strstr(local, "://"), *slash;
	struct arena *a = c->s->arena;

	if (host == NULL)
		return *local == '/' ? arena_strndup(a, local, strcspn(local, "?#")) : NULL;
	slash = strchr(host + 3, '/');
	return slash != NULL ? arena_strndup(a, slash, strcspn(slash, "?#")) : NULL;
}

static void
tool_page(struct call *c, const cJSON *id, const char *address)
{
	struct view *page = arena_alloc(c->s->arena, sizeof(*page));
	const char *path = local_path(c, address);

	/* Refuse pages of other sites: this visitor's access holds for this site only. */
	if (path == NULL || view_open(c->s->w, path, page) != VISIT_PAGE || strcmp(page->v.site.id, c->s->v.site.id) != 0)
		send_text(c, id, str_of(arena_printf(c->s->arena, "There is no page at %s", address)), true);
	else
		send_text(c, id, page_markdown(page, &page->v.page, page->v.computed), false);
}

static void
call_tool(struct call *c, const cJSON *id, const cJSON *params)
{
	const char *name = json_text_of(params, "name");
	const cJSON *given = cJSON_GetObjectItemCaseSensitive(params, "arguments");

	if (same_text(name, "search") && json_text_of(given, "query") != NULL)
		tool_search(c, id, json_text_of(given, "query"));
	else if (same_text(name, "page") && json_text_of(given, "address") != NULL)
		tool_page(c, id, json_text_of(given, "address"));
	else
		send_error(c, id, INVALID_PARAMS, "no such tool, or an argument is missing");
}

/* Body as JSON; NULL if invalid or too long. */
static const cJSON *
read_message(struct answer *w)
{
	char *body = arena_alloc(w->arena, BODY_MAX + 1);
	size_t n = 0;
	long got;

	while (n < BODY_MAX && (got = w->io->read(w->io, body + n, BODY_MAX - n)) > 0)
		n += (size_t)got;
	/*
	 * The arena is zeroed, so a NUL follows the body, and the parser requires nothing else
	 * after the value.
	 */
	return n == 0 || n == BODY_MAX || memchr(body, '\0', n) != NULL ? NULL : cJSON_ParseWithLengthOpts(body, n + 1, NULL, 1);
}

void
serve_mcp(struct view *s)
{
	struct call *c = arena_alloc(s->arena, sizeof(*c));
	const cJSON *m = read_message(s->w), *id, *params;
	const char *method = json_text_of(m, "method");

	c->s = s;
	if (m == NULL) {
		send_error(c, NULL, PARSE_ERROR, "the body is no JSON of at most 64 kB");
		return;
	}
	id = cJSON_GetObjectItemCaseSensitive(m, "id");
	params = cJSON_GetObjectItemCaseSensitive(m, "params");
	if (method == NULL || !same_text(json_text_of(m, "jsonrpc"), "2.0"))
		send_error(c, id, INVALID_REQUEST, "not a request of JSON-RPC 2.0");
	/* A notification gets no reply but the status. */
	else if (id == NULL)
		send_json(s, 202, STR(""));
	else if (strcmp(method, "initialize") == 0)
		answer_initialize(c, id, params);
	else if (strcmp(method, "ping") == 0)
		send_result(c, id, STR("{}"));
	else if (strcmp(method, "tools/list") == 0)
		send_result(c, id, (struct str){ tools, sizeof(tools) - 1 });
	else if (strcmp(method, "tools/call") == 0)
		call_tool(c, id, params);
	else
		send_error(c, id, NO_METHOD, "there is no such method");
}
