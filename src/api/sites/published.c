/*
 * The first requests of a renderer of published sites: it resolves an address to site, space and
 * page (POST /urls/published), and gets the description of the site (…/published). Editors resolve
 * an address with GET /urls/content.
 *
 * visit.h does the work; this file has the shapes and the answers.
 */
#include <cjson/cJSON.h>

#include "api/access.h"
#include "api/collections.h"
#include "api/customization.h"
#include "api/examples.h"
#include "api/known_roles.h"
#include "api/meta.h"
#include "api/published.h"
#include "api/request_ref.h"
#include "api/request_row.h"
#include "api/revision_pages.h"
#include "api/revisions.h"
#include "api/site_structure.h"
#include "api/sites.h"
#include "api/space_shape.h"
#include "api/visitor.h"
#include "audience/site_token.h"
#include "audience/visit.h"
#include "base/secret.h"
#include "base/utf8.h"
#include "http/req.h"
#include "store/computed.h"
#include "store/content.h"
#include "site.h"

/*
 * The unsigned claims are limited, since anybody may send some, and they are stored with each site
 * token (table site_pass).
 */
enum { MAX_CLAIMS = 8 << 10 };   /* bytes of unsigned claims of a visitor */

static const struct shape SiteScript = { "SiteIntegrationScript", (const struct field[]){
	{ "script", T_URI, F_REQ, .doc = "Address of the script", .example = "https://example.com/a.js" },
	{ "cookies", T_BOOL, F_REQ, .doc = "true: the script may set cookies" },
	{ 0 } } };
static const struct shape Customizations = { "PublishedCustomizations", (const struct field[]){
	{ "site", T_OBJECT, F_REQ, .of = &SiteCustomization, .doc = "Customization of the site" },
	{ "siteSpaces", T_MAP, F_REQ, .of = &SiteCustomization, .example = "{}",
	  .doc = "Customizations of site spaces that have settings of their own, by id" },
	{ 0 } } };
const struct shape PublishedSite = { "PublishedContentSite", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "published-content-site", .doc = "Kind of object" },
	{ "site", T_OBJECT, F_REQ, .of = &Site, .doc = "The site" },
	{ "structure", T_OBJECT, F_REQ, .of = &SiteStructure, .doc = "Structure that this visitor sees" },
	{ "customizations", T_OBJECT, F_REQ, .of = &Customizations, .doc = "Customizations of the site and its site spaces" },
	{ "scripts", T_LIST, F_REQ, .of = &SiteScript, .doc = "Always empty: Octavo loads no scripts of others",
	  .example = "[]" },
	{ 0 } } };
const struct shape ShareKeyQuery = { "ShareKeyQuery", (const struct field[]){
	SHARE_KEY,
	{ 0 } } };

/* SHAPE_OPEN, since renderers of several releases send further members. */
static const struct shape VisitorPayload = { "SiteVisitorPayload", (const struct field[]){
	{ "jwtToken", T_TEXT, .max = 16384, .doc = "Signed claims (JWT, HS256)", .example = "eyJhbGciOi.eyJleHAi.Zx3k" },
	{ "unsignedClaims", T_OBJECT, F_TYPE_ONLY, .of = &AnyObject, .doc = "Claims without a signature",
	  .example = "{\"language\":\"en\"}" },
	{ "type", T_ENUM, .set = "human,agent", .doc = "Visitor who reads the site" },
	{ 0 } }, .flags = SHAPE_OPEN };
const struct shape ResolveURL = { "ResolvePublishedContentByUrl", (const struct field[]){
	{ "url", T_URI, F_REQ, .max = 8192, .doc = "Address of published content",
	  .example = "https://docs.example.com/sites/acme/handbook/first-steps" },
	/*
	 * The renderer sends further members such as cacheBust (docs/design/renderer.md, "The
	 * look-up"), so the shape is open.
	 */
	{ "redirectOnError", T_BOOL, .doc = "Accepted and ignored" },
	{ "visitor", T_OBJECT, .of = &VisitorPayload, .doc = "Visitor who reads the site" },
	{ 0 } }, .flags = SHAPE_OPEN };
static const struct shape ResolvedRedirect = { "PublishedContentRedirect", (const struct field[]){
	{ "target", T_CONST, F_REQ, .set = "external", .doc = "external: the visitor must sign in at another address" },
	{ "site", T_TEXT, F_REQ, .doc = "Id of the site that redirects there", .example = EXAMPLE_SITE },
	{ "redirect", T_TEXT, F_REQ, .doc = "Address at which the visitor must sign in",
	  .example = "https://example.com/login" },
	{ 0 } } };
static const struct shape ResolvedElsewhere = { "PublishedContentElsewhere", (const struct field[]){
	{ "target", T_CONST, F_REQ, .set = "content", .doc = "The site has another address" },
	{ "redirect", T_TEXT, F_REQ, .doc = "The requested page at the other address of the site",
	  .example = "https://docs.example.com/first-steps" },
	{ 0 } } };
static const struct shape ResolvedContent = { "PublishedSiteContent", (const struct field[]){
	{ "site", T_TEXT, F_REQ, .doc = "Id of the site", .example = EXAMPLE_SITE },
	{ "siteSection", T_TEXT, .doc = "Id of the section", .example = EXAMPLE_SECTION },
	{ "siteSpace", T_TEXT, F_REQ, .doc = "Id of the site space", .example = EXAMPLE_SITE_SPACE },
	{ "space", T_TEXT, F_REQ, .doc = "Id of the space", .example = EXAMPLE_SPACE },
	{ "organization", T_TEXT, F_REQ, .doc = "Id of the organization", .example = EXAMPLE_ORG },
	{ "pathname", T_TEXT, F_REQ, .doc = "Path of the page in the space", .example = "first-steps" },
	{ "basePath", T_TEXT, F_REQ, .doc = "Path of the site space in the address", .example = "/sites/acme/handbook/" },
	{ "siteBasePath", T_TEXT, F_REQ, .doc = "Path of the site in the address", .example = "/sites/acme/handbook/" },
	{ "canonicalUrl", T_TEXT, F_REQ, .doc = "Canonical address of the page",
	  .example = "https://docs.example.com/sites/acme/handbook/first-steps" },
	/* The token has the form of a JWT, since the renderer refuses other texts (audience/site_token.h). */
	{ "apiToken", T_TEXT, F_REQ, .doc = "Token to read the site; it works for at least an hour",
	  .example = "e30.eyJleHAiOjE3OTUzMDAwMDB9.Zx3k" },
	{ "shareKey", T_TEXT, .doc = "Secret of the share link in the address", .example = "k3y" },
	{ "contextId", T_TEXT, .doc = "Identifies the visitor's claims, for caches", .example = "9f2c1b7e5a4d8306" },
	{ "complete", T_BOOL, F_REQ, .doc = "true: every longer address leads into the same site space" },
	{ "preview", T_BOOL, .doc = "true: this is a preview" },
	{ 0 } } };
const struct shape Resolved = { "PublishedSiteContentLookup", NULL,
	(const struct shape *const[]){ &ResolvedRedirect, &ResolvedElsewhere, &ResolvedContent, NULL } };

/* ---- the profile ---- */

/*
 * Writes the customizations. siteSpaces contains only the site spaces with overrides; for all
 * others clients use `site` (docs/design/renderer.md, "The site").
 */
static void
write_customizations(struct req *r)
{
	const struct visit_item *it = NULL;

	json_kobj(&r->json, "customizations");
	json_key(&r->json, "site");
	customization_json(r, NULL);
	json_kobj(&r->json, "siteSpaces");
	while ((it = visit_next_space(r->visit, it)) != NULL) {
		if (it->customization == NULL)
			continue;
		json_keyn(&r->json, str_of(it->id));
		customization_json(r, it);
	}
	json_end(&r->json);
	json_end(&r->json);
}

/* GET /orgs/{organizationId}/sites/{siteId}/published */
HANDLER(getPublishedContentSite)
{
	/* Renderers request this with each page that they render, so the answer is cached. */
	if (repeat_cached_answer(r))
		return 0;
	if (visit_or_fail(r, query_text(r, "shareKey")) != 0)
		return -1;
	json_obj(&r->json);
	json_kstr(&r->json, "object", "published-content-site");
	json_key(&r->json, "site");
	/* If a share key opened the site, the addresses of the answer contain it. */
	r->share_key = r->visit->site.share_key;
	shape_row(&r->json, &Site, r, site_row(r, r->site.id));
	r->share_key = NULL;
	json_key(&r->json, "structure");
	site_structure_json(r);
	write_customizations(r);
	json_karr(&r->json, "scripts");
	json_end(&r->json);
	json_end(&r->json);
	cache_answer(r);
	return 0;
}

/* ---- addresses ---- */

/*
 * Splits an absolute address into host and path, and removes the suffix that the renderer adds for
 * a change request or a revision.
 */
void
published_split_url(struct req *r, const char *url, const char **host, const char **path)
{
	const char *at = strstr(url, "://") + 3, *slash = at + strcspn(at, "/?#"), *own;

	*host = arena_strndup(r->arena, at, (size_t)(slash - at));
	*path = *slash == '/' ? slash : "/";
	/*
	 * The renderer's suffix begins with "/~/". Segments of sites cannot contain "~" (site.h,
	 * SEGMENT).
	 */
	own = strstr(*path, "/~/");
	if (own != NULL)
		*path = arena_strndup(r->arena, *path, (size_t)(own - *path) + 1);
}

/* Limits the size of the claims as they will be stored. 0 or fail(). */
static int
claims_or_fail(struct req *r, const cJSON *claims)
{
	if (claims == NULL || strlen(cJSON_PrintUnformatted(claims)) <= MAX_CLAIMS)
		return 0;
	return fail_field(r, "/visitor/unsignedClaims", "is larger than %d bytes", MAX_CLAIMS);
}

/* Returns the path of an absolute address. */
static const char *
address_path(const char *address)
{
	const char *at = strstr(address, "://");

	return strchr(at == NULL ? address : at + 3, '/');
}

/*
 * The answer is the same for VISIT_MOVED and VISIT_NO_PAGE: the renderer then looks for a redirect
 * of the path, and if there is none shows its own 404 page within the site.
 */
static int
reply_resolved(struct req *r, const struct visit *v, const char *token)
{
	struct json *j = &r->json;

	json_obj(j);
	json_kstr(j, "site", v->site.id);
	if (v->section != NULL)
		json_kstr(j, "siteSection", v->section->id);
	json_kstr(j, "siteSpace", v->space->id);
	json_kstr(j, "space", v->space->space);
	json_kstr(j, "organization", v->site.org);
	json_kstr(j, "pathname", v->rest);
	/*
	 * These are paths of the published address, as is the canonical address. A proxy may
	 * request the site by another path.
	 */
	json_kstr(j, "basePath", address_path(v->space->address));
	json_kstr(j, "siteBasePath", address_path(v->site.address));
	json_kstr(j, "canonicalUrl", v->canonical != NULL ? v->canonical :
	    visit_below(v, v->space, v->rest));
	json_kstr(j, "apiToken", token);
	if (v->site.share_key != NULL)
		json_kstr(j, "shareKey", v->site.share_key);
	/*
	 * The renderer caches pages by contextId, so visitors with equal claims share cached pages.
	 * 64 bits of the hash are enough, since the token decides what may be read.
	 */
	if (v->claims->child != NULL)
		json_kstr(j, "contextId", hex(r->arena, str_slice(hash_of(r->arena,
		    str_of(cJSON_PrintUnformatted(v->claims))), 0, 8)));
	json_kbool(j, "complete", v->owns_longer_addresses);
	if (v->preview)
		json_kbool(j, "preview", true);
	json_end(j);
	return 0;
}

/*
 * Replies with the address at which visitors sign in. Without such an address the answer is 404, so
 * that it does not reveal that the site exists.
 */
static int
reply_sign_in(struct req *r, const struct visit *v)
{
	const char *to = v->location;

	if (to == NULL)
		return fail(r, E_NOT_FOUND, "no published content at this address");
	json_obj(&r->json);
	json_kstr(&r->json, "target", "external");
	json_kstr(&r->json, "site", v->site.id);
	json_kstr(&r->json, "redirect", to);
	json_end(&r->json);
	return 0;
}

/*
 * True if the site has a hostname but was requested by its path on another host. The visitor is
 * then redirected, since the pages of the site link to each other by that hostname. If the site has
 * a proxy origin (site.published is then the proxy's address), any address is allowed.
 */
static bool
is_elsewhere(struct req *r, const struct visit *v, const char *host)
{
	size_t n = strcspn(host, ":");

	/* The published address begins with the hostname, unless there is a proxy; and the host is another one. */
	return v->site.hostname != NULL && strncmp(strstr(v->site.published, "://") + 3, v->site.hostname,
	    strlen(v->site.hostname)) == 0 && (n != strlen(v->site.hostname) ||
	    strcmp(utf8_lower(r->arena, (struct str){ host, n }), v->site.hostname) != 0);
}

static int
reply_elsewhere(struct req *r, const struct visit *v)
{
	json_obj(&r->json);
	json_kstr(&r->json, "target", "content");
	json_kstr(&r->json, "redirect", arena_printf(r->arena, "%s%s", v->site.address, v->site.rest));
	json_end(&r->json);
	return 0;
}

/* POST /urls/published. The answer does not depend on the rights of the token's user. */
HANDLER(resolvePublishedContentByUrl)
{
	const cJSON *who = body_get(r, "visitor");
	const cJSON *claims = cJSON_GetObjectItemCaseSensitive(who, "unsignedClaims");
	const cJSON *jwt = cJSON_GetObjectItemCaseSensitive(who, "jwtToken");
	const cJSON *type = cJSON_GetObjectItemCaseSensitive(who, "type");
	struct visit_request ask = { .visitor = { .jwt = cJSON_IsString(jwt) ? jwt->valuestring : NULL,
		.unsigned_claims = claims, .agent = cJSON_IsString(type) && strcmp(type->valuestring, "agent") == 0 } };
	struct visit v;
	const char *token;

	if (claims_or_fail(r, claims) != 0)
		return -1;
	/*
	 * The caller chooses the host. It finds a site only if it is the hostname of that site or
	 * the host of OCTAVO_URL.
	 */
	published_split_url(r, body_text(r, "url"), &ask.host, &ask.path);
	switch (visit_open(r->db, r->arena, r->set, &ask, &v)) {
	case VISIT_NO_SITE: return fail(r, E_NOT_FOUND, "no published content at this address");
	case VISIT_SIGN_IN: return reply_sign_in(r, &v);
	case VISIT_PAGE:
	case VISIT_MOVED:
	case VISIT_NO_PAGE: break;
	}
	if (is_elsewhere(r, &v, ask.host))
		return reply_elsewhere(r, &v);
	token = pass_make(&v, r->who.user);
	return token == NULL ? write_needed(r) : reply_resolved(r, &v, token);
}

/* ---- GET /urls/content: addresses for editors ---- */

const struct shape ContentURLQuery = { "ContentByUrlQuery", (const struct field[]){
	{ "url", T_URI, F_REQ, .max = 8192, .doc = "Address in this API or of published content",
	  .example = EXAMPLE_URL "/spaces/" EXAMPLE_SPACE },
	{ 0 } } };
const struct shape ContentByURL = { "ContentByUrl", (const struct field[]){
	{ "collection", T_OBJECT, .of = &Collection, .doc = "The collection" },
	{ "space", T_OBJECT, .of = &Space, .doc = "The space" },
	{ "changeRequest", T_OBJECT, F_ALTERNATIVE, .of = &ChangeRequest, .doc = "The change request" },
	{ "page", T_OBJECT, F_ALTERNATIVE, .of = &RevisionPage, .doc = "The page" },
	{ 0 } } };

/*
 * If *rest begins with the segment `name`, returns the segment after it and advances *rest past
 * both; else NULL. Ids need no decoding.
 */
static const char *
take_segment(struct req *r, const char **rest, const char *name)
{
	const char *at = *rest;
	size_t n = strlen(name);

	if (strncmp(at, name, n) != 0 || at[n] != '/')
		return NULL;
	at += n + 1;
	n = strcspn(at, "/?#");
	*rest = at + n + (at[n] == '/');
	return arena_strndup(r->arena, at, n);
}

/* Fails with the same 404 for objects that do not exist and for those that the caller may not see. */
static int
fail_no_content(struct req *r)
{
	return fail(r, E_NOT_FOUND, "no content at this address");
}

/*
 * Loads r->space and writes it. node_or_fail() and request_load() need r->space, which is not set
 * on routes without {spaceId}. id NULL: the address contains no space, which is 404.
 */
static int
space_or_nowhere(struct req *r, const char *id)
{
	struct stmt *q = id == NULL ? NULL : space_row(r, id);

	/* space_row() also returns deleted spaces, and spaces on which a member has no role. */
	if (q == NULL || col_int(q, col(q, "role")) < ROLE_READ || !col_null(q, col(q, "deleted_at")))
		return fail_no_content(r);
	r->space = (struct space_ref){ .id = col_dup(q, col(q, "id"), r->arena),
		.revision = col_dup(q, col(q, "revision"), r->arena), .branch = col_int(q, col(q, "branch")),
		.head = col_int(q, col(q, "head")), .role = cap_role(r, col_int(q, col(q, "role"))) };
	json_key(&r->json, "space");
	shape_row(&r->json, &Space, r, q);
	return 0;
}

/*
 * Writes the page with its descendants and without its text, as in the change request that
 * request_or_nowhere() loaded, else as at the head.
 */
static int
page_or_nowhere(struct req *r, const char *id)
{
	struct page_style style = { true };
	struct computed_page *c;
	struct point p;
	struct node n;

	if (page_or_fail(r, id, NODE_DOCUMENT | NODE_GROUP, &p, &n, &c) != 0)
		return -1;
	json_key(&r->json, "page");
	page_json(r, &r->json, &p, c != NULL ? &c->page : page_whole(r, &p, &n), &style, NULL,
	    (struct str){ NULL, 0 });
	return 0;
}

static int
request_or_nowhere(struct req *r, const char *id)
{
	if (request_load(r, id) != 0)
		return -1;
	json_key(&r->json, "changeRequest");
	shape_row(&r->json, &ChangeRequest, r, request_row(r, r->request.id));
	return 0;
}

/*
 * Resolves an address of this API: of a collection, space, change request or page. Segments are
 * read from the beginning, so that neither the query nor a deeper segment is taken for an id.
 */
static int
resolve_api_address(struct req *r, const char *rest)
{
	const char *id = take_segment(r, &rest, "collections");
	struct stmt *q;

	if (id != NULL) {
		q = collection_row(r, id);
		if (q == NULL || col_int(q, col(q, "role")) < ROLE_READ)
			return fail_no_content(r);
		json_key(&r->json, "collection");
		shape_row(&r->json, &Collection, r, q);
		return 0;
	}
	if (space_or_nowhere(r, take_segment(r, &rest, "spaces")) != 0)
		return -1;
	id = take_segment(r, &rest, "change-requests");
	/* Load the change request before the page, which is then read within it. */
	if (id != NULL && request_or_nowhere(r, id) != 0)
		return -1;
	rest += strncmp(rest, "content/", 8) == 0 ? 8 : 0;
	id = take_segment(r, &rest, "page");
	return id == NULL ? 0 : page_or_nowhere(r, id);
}

/* Resolves the address of a published page to the page itself, if the caller may read it. */
static int
resolve_site_address(struct req *r, const char *host, const char *path)
{
	struct visit_request ask = { .host = host, .path = path };
	struct visit v;
	enum visit_status status = visit_open(r->db, r->arena, r->set, &ask, &v);

	/* A site that requires sign-in is 404 here, as is a site that is not published. */
	if (status != VISIT_PAGE && status != VISIT_MOVED && status != VISIT_NO_PAGE)
		return fail_no_content(r);
	if (space_or_nowhere(r, v.space->space) != 0)
		return -1;
	/* VISIT_NO_PAGE: the address has no page, and the answer contains only the space. */
	return v.page.node.id == NULL ? 0 : page_or_nowhere(r, v.page.node.id);
}

/* GET /urls/content */
HANDLER(getContentByUrl)
{
	const char *url = query_text(r, "url"), *host, *path;
	/*
	 * Compare with the configured address and never with the Host header
	 * (docs/design/requests.md, "URLs").
	 */
	bool api = strncmp(url, r->set->url, strlen(r->set->url)) == 0 &&
	    strncmp(url + strlen(r->set->url), "/v1/", 4) == 0;

	published_split_url(r, url, &host, &path);
	json_obj(&r->json);
	if ((api ? resolve_api_address(r, url + strlen(r->set->url) + strlen("/v1/")) : resolve_site_address(r, host, path)) != 0)
		return -1;
	json_end(&r->json);
	return 0;
}
