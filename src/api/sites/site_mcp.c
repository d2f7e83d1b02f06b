/*
 * Servers of the Model Context Protocol that the assistants of a site may use besides the site's
 * own (~mcp). Octavo stores them for the clients that run such an assistant and connects to none
 * itself. Table site_mcp_server. Headers and addresses may contain tokens: they are sealed in the
 * database and shown only to those who manage the site.
 */
#include <cjson/cJSON.h>
#include <ctype.h>

#include "api/examples.h"
#include "api/lists.h"
#include "api/site_mcp.h"
#include "api/stored_address.h"
#include "api/refusals.h"
#include "base/secret.h"
#include "http/req.h"
#include "site.h"

/* Maximum size of all headers of a server as JSON. Web servers accept about as much. */
enum { HEADERS_MAX = 8 << 10 };

/*
 * Writes the whole address. If octavo.key was replaced, only the address without its secret is
 * left.
 */
static void
emit_address(struct json *j, const struct field *f, const struct row *w)
{
	struct str whole;

	if (!secret_unseal(w->r->arena, SECRET_LINK, col_bytes(w->q, col(w->q, "url_sealed")), &whole))
		whole = str_of(row_text(w, "url"));
	json_kstrn(j, f->name, whole);
}

static void
emit_headers(struct json *j, const struct field *f, const struct row *w)
{
	struct str text;

	/*
	 * If octavo.key was replaced, the headers cannot be unsealed, and users must set them
	 * again.
	 */
	if (!secret_unseal(w->r->arena, SECRET_HEADERS, col_bytes(w->q, col(w->q, "headers")), &text))
		text = str_of("{}");
	json_key(j, f->name);
	json_raw(j, text);
}

static const struct shape ServerUrls = { "SiteMcpServerUrls", (const struct field[]){
	{ "location", T_TEXT, F_REQ, .url = "/v1/orgs/{:org}/sites/{:site}/mcp-servers/{id}", .doc = "Address in this API",
	  .example = EXAMPLE_URL "/orgs/" EXAMPLE_ORG "/sites/" EXAMPLE_SITE "/mcp-servers/" EXAMPLE_INVITE },
	{ 0 } } };
static const struct field header = { "", T_TEXT, .min = 1, .max = 512 };
#define HEADERS(...) { "headers", T_MAP, __VA_ARGS__ .item = &header, .example = "{\"Authorization\":\"Bearer k3y\"}", \
	.doc = "Headers to send with each request, by name" }
#define CONDITION(...) { "condition", T_TEXT, __VA_ARGS__ .max = 1024, .example = "visitor.claims.beta", \
	.doc = "Condition for clients of a visitor to use it, as an expression; absent or null: all use it" }
#define TRANSPORTS "sse,http"
#define TRANSPORT(...) { "transport", T_ENUM, .set = TRANSPORTS, __VA_ARGS__ .doc = "How clients talk to it" }
const struct shape SiteMcpServer = { "SiteMcpServer", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "site-mcp-server", .doc = "Kind of object" },
	{ "id", T_TEXT, F_REQ, .doc = "Unique id", .example = EXAMPLE_INVITE },
	{ "name", T_TEXT, F_REQ, .doc = "Name", .example = "Tickets" },
	{ "url", T_TEXT, F_REQ, .emit = emit_address, .doc = "Its address", .example = "https://mcp.example.com/" },
	{ "transport", T_ENUM, F_REQ, .set = TRANSPORTS, .doc = "How clients talk to it" },
	HEADERS(F_REQ, .emit = emit_headers,),
	CONDITION(),
	{ "urls", T_OBJECT, F_REQ, .of = &ServerUrls, .join = "", .doc = "Its addresses" },
	{ 0 } } };
LIST_SHAPE(SiteMcpServerList, SiteMcpServer);
#define NAME(flags_) { "name", T_TEXT, flags_, .min = 1, .max = 100, .doc = "Name", .example = "Tickets" }
#define ADDRESS(flags_) { "url", T_URI, flags_, .max = 2048, .doc = "Its address", .example = "https://mcp.example.com/" }
const struct shape SiteMcpServerCreate = { "CreateSiteMcpServer", (const struct field[]){
	NAME(F_REQ), ADDRESS(F_REQ), HEADERS(F_REQ,), TRANSPORT(.preset = "\"sse\"",), CONDITION(F_NULL,),
	{ 0 } } };
const struct shape SiteMcpServerEdit = { "UpdateSiteMcpServer", (const struct field[]){
	NAME(0), ADDRESS(0), HEADERS(0,), TRANSPORT(), CONDITION(F_NULL,),
	{ 0 } } };

#define COLS "id, name, url, url_sealed, headers, transport, condition "
/* Oldest first, by the index site_mcp_server_list. An assistant gets the servers in this order. */
SQL(q_list,
    "SELECT " COLS ", created_at AS k1, id AS k2 FROM site_mcp_server WHERE site = :site "
    "AND (created_at, id) > (COALESCE(CAST(:k1 AS BIGINT), -1), COALESCE(:k2, '')) ORDER BY created_at, id LIMIT :limit");
SQL(q_number, "SELECT count(*) FROM site_mcp_server WHERE site = :site");
/* Finds only servers of the site: the id of another site's server is not found (docs/design/security.md, "S1"). */
SQL(q_one, "SELECT " COLS "FROM site_mcp_server WHERE id = :id AND site = :site");
SQL(q_add,
    "INSERT INTO site_mcp_server (id, site, name, url, url_sealed, headers, transport, condition, created_at) "
    "VALUES (:id, :site, :name, :shown, :sealed, :headers, COALESCE(:transport, 'sse'), NULLIF(:condition, ''), :now)");
/* COALESCE is enough, since the shape allows null only for the condition. */
SQL(q_edit,
    "UPDATE site_mcp_server SET name = COALESCE(:name, name), url = COALESCE(:shown, url), "
    "url_sealed = CASE WHEN CAST(:url AS TEXT) IS NULL OR :url = url THEN url_sealed ELSE :sealed END, "
    "headers = COALESCE(:headers, headers), transport = COALESCE(:transport, transport), "
    "condition = CASE WHEN :has_condition = 1 THEN NULLIF(:condition, '') ELSE condition END WHERE id = :id");
SQL(q_delete, "DELETE FROM site_mcp_server WHERE id = :id");
static const struct site_own kind = { "mcpServer", "MCP server", &q_number, &q_list, &q_delete };

static struct stmt *
find_row(struct req *r, const char *id)
{
	struct stmt *q = db_use(r->db, &q_one);

	bind_text(q, ":id", id);
	bind_text(q, ":site", r->site.id);
	return stmt_step(q) ? q : NULL;
}

/* True if s is a token of RFC 9110, 5.6.2. */
static bool
is_token(const char *s)
{
	size_t n = strspn(s, "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");

	return n > 0 && s[n] == '\0';
}

/*
 * Refuses headers that would allow header injection or request smuggling at the client that sends
 * them. 0 or fail_field().
 */
static int
headers_or_fail(struct req *r)
{
	const cJSON *h;
	const char *c;

	cJSON_ArrayForEach(h, body_get(r, "headers")) {
		if (!is_token(h->string))
			return fail_field(r, "/headers", "has an invalid header name");
		for (c = h->valuestring; *c != '\0'; c++)
			if (iscntrl((unsigned char)*c))
				return fail_field(r, "/headers", "has a control character in a value");
	}
	if (body_has(r, "headers") && strlen(body_json(r, "headers")) > HEADERS_MAX)
		return fail_field(r, "/headers", "is larger than %d bytes", HEADERS_MAX);
	return 0;
}

/*
 * Binds the members of the body to :name, :shown, :sealed, :transport and :headers. Absent members
 * are NULL.
 */
static void
bind_server(struct stmt *q, struct req *r)
{
	bind_text(q, ":name", body_text(r, "name"));
	bind_address(q, r->arena, body_text(r, "url"));
	bind_text(q, ":transport", body_text(r, "transport"));
	if (body_has(r, "headers"))
		bind_blob(q, ":headers", secret_seal(r->arena, SECRET_HEADERS, str_of(body_json(r, "headers"))));
	else
		bind_null(q, ":headers");
}

/* GET /orgs/{organizationId}/sites/{siteId}/mcp-servers */
HANDLER(listSiteMcpServers)
{
	return site_list(r, &kind, &SiteMcpServer);
}

/* POST /orgs/{organizationId}/sites/{siteId}/mcp-servers */
HANDLER(createSiteMcpServer)
{
	const char *id = secret_id(r->arena);
	struct stmt *q;

	if (headers_or_fail(r) != 0 || condition_or_fail(r, body_text(r, "condition"), "/condition") != 0 ||
	    unmasked_or_fail(r, "/url", body_text(r, "url"), NULL) != 0)
		return -1;
	q = db_use(r->db, &q_add);
	bind_text(q, ":condition", body_text(r, "condition"));
	bind_text(q, ":id", id);
	bind_text(q, ":site", r->site.id);
	bind_server(q, r);
	bind_int(q, ":now", time_now());
	stmt_run(q);
	site_changed(r, arena_printf(r->arena, "{\"mcpServer\":\"%s\",\"added\":true}", id));
	reply_created(r, arena_printf(r->arena, "/orgs/%s/sites/%s/mcp-servers/%s", r->org.id, r->site.id, id));
	return reply_current(r, find_row(r, id), &SiteMcpServer);
}

/* GET /orgs/{organizationId}/sites/{siteId}/mcp-servers/{siteMcpServerId} */
HANDLER(getSiteMcpServerById)
{
	struct stmt *q = find_row(r, path_id(r, "siteMcpServerId"));

	return q == NULL ? fail(r, E_NOT_FOUND, "no MCP server %s", path_id(r, "siteMcpServerId")) :
	    reply_current(r, q, &SiteMcpServer);
}

/* PATCH /orgs/{organizationId}/sites/{siteId}/mcp-servers/{siteMcpServerId} */
HANDLER(updateSiteMcpServerById)
{
	const char *id = path_id(r, "siteMcpServerId");
	const char *known;
	struct stmt *q;

	/* q_edit has only the id as its condition, so this checks that the server belongs to the site of the path. */
	if ((q = find_row(r, id)) == NULL)
		return fail(r, E_NOT_FOUND, "no MCP server %s", id);
	known = col_dup(q, col(q, "url"), r->arena);
	if (headers_or_fail(r) != 0 || condition_or_fail(r, body_text(r, "condition"), "/condition") != 0 ||
	    unmasked_or_fail(r, "/url", body_text(r, "url"), known) != 0)
		return -1;
	q = db_use(r->db, &q_edit);
	bind_body(q, r, "condition");
	bind_server(q, r);
	bind_text(q, ":url", body_text(r, "url"));
	bind_text(q, ":id", id);
	stmt_run(q);
	site_changed(r, arena_printf(r->arena, "{\"mcpServer\":\"%s\"}", id));
	return reply_current(r, find_row(r, id), &SiteMcpServer);
}

/* DELETE /orgs/{organizationId}/sites/{siteId}/mcp-servers/{siteMcpServerId} */
HANDLER(deleteSiteMcpServerById)
{
	const char *id = path_id(r, "siteMcpServerId");

	return site_drop(r, &kind, id, find_row(r, id) != NULL);
}
