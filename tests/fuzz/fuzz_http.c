/*
 * Requests to a small data directory, in this process. MODE 1: request line, headers and body as
 * given; 2: JSON bodies of the routes that take one; 3: page tokens; 4: query strings; 5: search
 * queries; 6: calls of webhooks; 7: messages for the tools of a site (MCP). No response may be a 500.
 */
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <unistd.h>

#include "api/routes.h"
#include "../memory_io.h"
#include "../temp_dir.h"
#include "fuzz.h"
#include "app/people.h"
#include "base/json.h"
#include "base/secret.h"
#include "reader/reader.h"

#ifndef MODE
#define MODE 1
#endif

static struct {
	char             dir[TEMP_MAX];
	struct arena    *life;
	struct settings *set;
	struct db       *db;
	const char      *space, *org, *token;
	const char      *tools;                              /* the path of the site's tools */
	struct { const char *at, *secret; } hooks[4];        /* as signers below */
} world;

static struct memory_io io;

static const char *
get_env(void *ctx, const char *name)
{
	(void)ctx;
	return strcmp(name, "OCTAVO_DIR") == 0 ? world.dir :
	    strcmp(name, "OCTAVO_SELFCHECK") == 0 ? "1" : NULL;
}

static void
serve(struct arena *a)
{
	int status = memory_serve(&io, a, world.db, world.set, &octavo_app);

	if (db_in_transaction(world.db) || status < 200 || status == 500)
		abort();
}

static void
ask(const char *method, const char *uri, const char *body, size_t size)
{
	struct arena *a = fuzz_arena();

	memory_request(&io, a, method, uri, world.token, (struct str){ body, size });
	serve(a);
	arena_free(a);
}

static void
clean_up(void)
{
	char command[100];

	snprintf(command, sizeof(command), "rm -rf '%s'", world.dir);
	if (system(command) != 0)
		fprintf(stderr, "%s stays behind\n", world.dir);
}

static void
content(void)
{
	static const char change[] = "{\"changes\":[{\"operation\":\"insert_page\",\"title\":\"Page\","
	    "\"document\":{\"markdown\":\"## Part\\n\\nwords and more words\"}}]}";
	char uri[200];

	snprintf(uri, sizeof(uri), "/v1/spaces/%s/change-requests", world.space);
	ask("POST", uri, "{}", 2);
	snprintf(uri, sizeof(uri), "/v1/spaces/%s/change-requests/1/content", world.space);
	ask("POST", uri, change, sizeof(change) - 1);
	snprintf(uri, sizeof(uri), "/v1/spaces/%s/change-requests/1/merge", world.space);
	ask("POST", uri, NULL, 0);
	snprintf(uri, sizeof(uri), "/v1/spaces/%s/change-requests", world.space);
	ask("POST", uri, "{}", 2);
}

/* The value of the member whose name and quote are given, in the last response. */
static char *
answered(const char *member)
{
	const char *p = strstr(io.out, member);

	if (p == NULL)
		abort();
	p += strlen(member);
	return arena_strndup(world.life, p, strcspn(p, "\""));
}

static void
post(const char *method, const char *uri, const char *body)
{
	ask(method, uri, body, strlen(body));
}

/* ---- webhooks ---- */

static const char *const signers[] = { "github", "gitea", "gitlab", "plain" };

static void
make_hooks(void)
{
	char *uri;
	int i;

	for (i = 0; i < 4; i++) {
		post("POST", arena_printf(world.life, "/v1/orgs/%s/spaces", world.org), "{}");
		uri = arena_printf(world.life, "/v1/spaces/%s/git/binding", answered("\"id\":\""));
		post("PUT", uri, arena_printf(world.life, "{\"url\":\"https://git.example.com/a/docs.git\",\"ref\":\"refs/heads/main\","
		    "\"provider\":\"%s\"}", signers[i]));
		world.hooks[i].secret = answered("\"secret\":\"");
		world.hooks[i].at = arena_printf(world.life, "/v1/git/hooks/%s", answered("/v1/git/hooks/"));
	}
}

static void
sign(struct arena *a, size_t k, struct str body)
{
	const char *at = arena_printf(a, "%lld", (long long)(time_now() / 1000));
	struct str key = str_of(world.hooks[k].secret);

	if (k == 0)
		memory_set(&io, "HTTP_X_HUB_SIGNATURE_256", arena_printf(a, "sha256=%s", secret_hmac(a, key, body)));
	else if (k == 1)
		memory_set(&io, "HTTP_X_GITEA_SIGNATURE", secret_hmac(a, key, body));
	else if (k == 2)
		memory_set(&io, "HTTP_X_GITLAB_TOKEN", world.hooks[k].secret);
	else {
		memory_set(&io, "HTTP_X_OCTAVO_TIMESTAMP", at);
		memory_set(&io, "HTTP_X_OCTAVO_SIGNATURE", secret_hmac(a, key, str_of(arena_printf(a, "%s.%.*s", at, (int)body.n, body.p))));
	}
}

/* The first byte: who signs, and whether one byte of the body is another one when it arrives. */
static void
call_hook(struct arena *a, const uint8_t *data, size_t size)
{
	size_t k = size > 0 ? data[0] % 4 : 0, n = size > 0 ? size - 1 : 0;
	bool is_forged = size > 1 && (data[0] & 4) != 0 && k != 2;
	char *body = arena_strndup(a, size > 0 ? (const char *)data + 1 : "", n);
	cJSON *read;

	memory_request(&io, a, "POST", world.hooks[k].at, NULL, (struct str){ body, n });
	/* A NUL would end what sign() prints for a plain call. */
	if (memchr(body, '\0', n) != NULL)
		return;
	sign(a, k, (struct str){ body, n });
	if (is_forged)
		body[0] ^= 1;
	serve(a);
	json_arena(a);
	read = cJSON_ParseWithLengthOpts(body, n + 1, NULL, 1);
	if (io.status == 204 && (is_forged || (n > 0 && !cJSON_IsObject(read))))
		abort();
	json_arena(NULL);
}

/* ---- the tools of a site ---- */

static void
make_site(void)
{
	const char *uri = arena_printf(world.life, "/v1/orgs/%s/sites", world.org), *published;

	post("POST", uri, arena_printf(world.life, "{\"title\":\"Site\",\"visibility\":\"public\",\"spaces\":[\"%s\"]}", world.space));
	ask("POST", arena_printf(world.life, "%s/%s/publish", uri, answered("\"id\":\"")), NULL, 0);
	published = strstr(answered("\"published\":\""), "/sites/");
	if (published == NULL)
		abort();
	world.tools = arena_printf(world.life, "%s~mcp", published);
}

/* The input is a whole message, or the argument of one of the two tools. */
static void
call_tool(struct arena *a, const uint8_t *data, size_t size)
{
	static const char *const calls[] = { NULL, "search\",\"arguments\":{\"query\":", "page\",\"arguments\":{\"address\":" };
	size_t k = size > 0 ? data[0] % 3 : 0;
	char *text = arena_strndup(a, size > 0 ? (const char *)data + 1 : "", size > 0 ? size - 1 : 0);

	json_arena(a);
	if (calls[k] != NULL)
		text = arena_printf(a, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"%s%s}}}", calls[k],
		    cJSON_PrintUnformatted(cJSON_CreateString(fuzz_text(a, (const uint8_t *)text, strlen(text)))));
	memory_request(&io, a, "POST", world.tools, NULL, str_of(text));
	io.taken = io.n = 0;
	site_handle(&io.io, a, world.db, world.set);
	io.status = strncmp(io.out, "Status: ", 8) == 0 ? (int)strtol(io.out + 8, NULL, 10) : 200;
	text = strstr(io.out, "\r\n\r\n");
	if (db_in_transaction(world.db) || text == NULL || (io.status != 200 && io.status != 202 && io.status != 400))
		abort();
	json_arena(a);
	if (io.status != 202 && cJSON_ParseWithOpts(text + 4, NULL, 1) == NULL)
		abort();
	json_arena(NULL);
}

static void
start(void)
{
	struct org_new o = { .title = "Org" };
	const char *error, *user, *p;
	char uri[200];

	temp_dir(world.dir);
	atexit(clean_up);
	world.life = fuzz_arena();
	secret_create(world.life, world.dir);
	world.set = settings_read(world.life, get_env, NULL, &error);
	world.db = db_open(world.life, settings_db(world.life, world.set), DB_CREATE,
	    &(struct db_options){ .relaxed = true }, &error);
	db_begin(world.db, true);
	user = user_make(world.db, world.life, "a@example.com", "A");
	world.org = org_make(world.db, world.life, &o);
	member_set(world.db, world.org, user, 6);
	world.token = token_make(world.db, world.life, user, "admin", "", 0);
	db_commit(world.db);
	snprintf(uri, sizeof(uri), "/v1/orgs/%s/spaces", world.org);
	ask("POST", uri, "{}", 2);
	p = strstr(io.out, "\"id\":\"");
	if (p == NULL)
		abort();
	world.space = arena_strndup(world.life, p + 6, strcspn(p + 6, "\""));
	content();
	if (MODE == 6)
		make_hooks();
	else if (MODE == 7)
		make_site();
}

static char *
encoded(struct arena *a, const uint8_t *data, size_t size)
{
	struct buf b;
	size_t i;

	buf_init(&b, a, size * 3 + 16);
	for (i = 0; i < size; i++)
		buf_printf(&b, "%%%02X", data[i]);
	return b.p;
}

/* Lines: method and path, then "Name: value" by first letter, then the body after an empty line. */
static void
raw_request(struct arena *a, const uint8_t *data, size_t size)
{
	static const char *const names[] = { "HTTP_IF_MATCH", "HTTP_IF_NONE_MATCH",
		"HTTP_IDEMPOTENCY_KEY", "CONTENT_TYPE", "HTTP_ORIGIN" };
	char *text = fuzz_text(a, data, size), *line, *rest = text;
	const char *method, *uri, *values[5] = { NULL };
	int n;

	line = strsep(&rest, "\n");
	method = strsep(&line, " ");
	uri = line == NULL ? "" : line;
	if (strstr(uri, "SPACE") != NULL)
		uri = arena_printf(a, "/v1/spaces/%s%s", world.space, strstr(uri, "SPACE") + 5);
	for (n = 0; rest != NULL && *rest != '\n' && n < 5 && (line = strsep(&rest, "\n")) != NULL; n++)
		values[(unsigned char)line[0] % 5] = line;
	memory_request(&io, a, method, uri, world.token, rest == NULL ? (struct str){ NULL, 0 } : str_of(rest));
	for (n = 0; n < 5; n++)
		if (values[n] != NULL)
			memory_set(&io, names[n], values[n]);
	serve(a);
}

static void
json_body(struct arena *a, const uint8_t *data, size_t size)
{
	static const struct { const char *method, *path; } routes[] = {
		{ "PATCH", "/v1/spaces/%s" }, { "POST", "/v1/spaces/%s/change-requests/2/content" },
		{ "POST", "/v1/spaces/%s/change-requests" }, { "POST", "/v1/spaces/%s/comments" },
		{ "PATCH", "/v1/spaces/%s/change-requests/2" }, { "POST", "/v1/spaces/%s/git/import" } };
	size_t k = size > 0 ? data[0] % 6 : 0;
	char *path = arena_printf(a, "%.*s%s%s", 11, routes[k].path, world.space,
	    strstr(routes[k].path, "%s") + 2);

	if (size > 0)
		ask(routes[k].method, path, (const char *)data + 1, size - 1);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *a;

	if (world.db == NULL)
		start();
	if (size > 20000)
		return 0;
	a = fuzz_arena();
	switch (MODE) {
	case 1:
		raw_request(a, data, size);
		break;
	case 2:
		json_body(a, data, size);
		break;
	case 3:
		ask("GET", arena_printf(a, "/v1/spaces/%s/content/files?page=%s", world.space,
		    encoded(a, data, size)), NULL, 0);
		break;
	case 4:
		ask("GET", arena_printf(a, "/v1/spaces/%s/change-requests?%s", world.space,
		    fuzz_text(a, data, size)), NULL, 0);
		break;
	case 6:
		call_hook(a, data, size);
		break;
	case 7:
		call_tool(a, data, size);
		break;
	default:
		ask("GET", arena_printf(a, "/v1/spaces/%s/search?query=%s", world.space,
		    encoded(a, data, size)), NULL, 0);
	}
	arena_free(a);
	return 0;
}
