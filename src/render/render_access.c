/* Renders who may call an operation, its servers, and samples of its requests. */
#include <strings.h>

#include "render_api.h"

/* ---- authorization ---- */

/* How a client sends the key of a scheme: "Authorization: Bearer …", "?key=…". */
static const char *
scheme_use(struct render *r, const cJSON *scheme)
{
	const char *type = json_text_of(scheme, "type"), *in = json_text_of(scheme, "in"), *name = json_text_of(scheme, "name");
	const char *how = json_text_of(scheme, "scheme"), *form = json_text_of(scheme, "bearerFormat");

	if (same_text(type, "apiKey") && name != NULL)
		return same_text(in, "query") ? arena_printf(r->arena, "?%s=…", name) :
		    same_text(in, "cookie") ? arena_printf(r->arena, "Cookie: %s=…", name) : arena_printf(r->arena, "%s: …", name);
	if (same_text(type, "http"))
		return same_text(how, "basic") || same_text(how, "Basic") ? "Authorization: Basic …" :
		    how != NULL && strcasecmp(how, "bearer") != 0 ? arena_printf(r->arena, "Authorization: %s …", how) :
		    form != NULL ? arena_printf(r->arena, "Authorization: Bearer … (%s)", form) : "Authorization: Bearer …";
	if (same_text(type, "oauth2") || same_text(type, "openIdConnect"))
		return "Authorization: Bearer …";
	return type != NULL ? type : "";
}

static void
address_line(struct render *r, const char *label, const char *url)
{
	if (url == NULL)
		return;
	h_open(&r->h, "li");
	h_leaf(&r->h, "span", "limit", label);
	h_text(&r->h, " ");
	h_leaf(&r->h, "code", NULL, url);
	h_close(&r->h);
}

/* Writes the addresses at which a client gets a token. */
static void
render_flows(struct render *r, const cJSON *scheme)
{
	static const char *const addresses[] = { "authorizationUrl", "deviceAuthorizationUrl", "tokenUrl", "refreshUrl" };
	const cJSON *flow;

	address_line(r, "OpenID Connect", json_text_of(scheme, "openIdConnectUrl"));
	address_line(r, "OAuth 2.0", json_text_of(scheme, "oauth2MetadataUrl"));
	cJSON_ArrayForEach(flow, json_member(scheme, "flows")) {
		if (!cJSON_IsObject(flow) || flow->string == NULL)
			continue;
		h_open(&r->h, "li");
		h_leaf(&r->h, "span", "limit", "OAuth 2.0");
		h_text(&r->h, " ");
		h_leaf(&r->h, "code", NULL, flow->string);
		h_open(&r->h, "ul");
		for (size_t i = 0; i < 4; i++)
			address_line(r, addresses[i], json_text_of(flow, addresses[i]));
		h_close(&r->h);
		h_close(&r->h);
	}
}

/* The author's description of a scope, in any of the flows. */
static const char *
scope_about(const cJSON *scheme, const char *scope)
{
	const cJSON *flow;

	cJSON_ArrayForEach(flow, json_member(scheme, "flows"))
		if (json_text_of(json_member(flow, "scopes"), scope) != NULL)
			return json_text_of(json_member(flow, "scopes"), scope);
	return NULL;
}

static void
render_scopes(struct render *r, const cJSON *scopes, const cJSON *scheme)
{
	const cJSON *one;
	const char *about;

	if (cJSON_GetArraySize(scopes) == 0)
		return;
	h_open(&r->h, "li");
	h_leaf(&r->h, "span", "limit", say(r, TEXT_SCOPES));
	h_open(&r->h, "ul");
	cJSON_ArrayForEach(one, scopes) {
		if (!cJSON_IsString(one))
			continue;
		h_open(&r->h, "li");
		h_leaf(&r->h, "code", NULL, one->valuestring);
		if ((about = scope_about(scheme, one->valuestring)) != NULL) {
			h_text(&r->h, " ");
			render_about_line(r, about);
		}
		h_close(&r->h);
	}
	h_close(&r->h);
	h_close(&r->h);
}

static void
render_scheme(struct render *r, const cJSON *need, const cJSON *scheme)
{
	h_open(&r->h, "li");
	h_leaf(&r->h, "code", "name", need->string != NULL ? need->string : "");
	if (scheme != NULL) {
		h_text(&r->h, " ");
		h_leaf(&r->h, "code", NULL, scheme_use(r, scheme));
		if (json_flag_of(scheme, "deprecated"))
			h_leaf(&r->h, "span", "old", say(r, TEXT_DEPRECATED));
		render_description(r, json_text_of(scheme, "description"));
	}
	/* Do not write an empty list, which screen readers would announce. */
	if (json_member(scheme, "flows") != NULL || json_member(scheme, "openIdConnectUrl") != NULL || need->child != NULL) {
		h_el(&r->h, "ul", "class", "ways", NULL);
		render_flows(r, scheme);
		render_scopes(r, need, scheme);
		h_close(&r->h);
	}
	h_close(&r->h);
}

/* The names of the schemes of one requirement, all of which are needed together. */
static const char *
requirement_name(struct render *r, const cJSON *one)
{
	const cJSON *need;
	struct buf b;

	buf_init(&b, r->arena, 1 << 16);
	buf_str(&b, "");
	cJSON_ArrayForEach(need, one)
		if (need->string != NULL && strlen(need->string) < 1000 && b.n < 10000)
			buf_printf(&b, "%s%s", b.n > 0 ? " + " : "", need->string);
	return b.p;
}

/*
 * Any one requirement is sufficient (OpenAPI, "Security Requirement Object"), so one summary
 * contains all of them.
 */
void
render_access(struct render *r, const cJSON *op)
{
	const cJSON *one, *need, *list = json_member(op, "security");
	const char *before = "";

	if (cJSON_GetArraySize(list) == 0)
		return;
	h_el(&r->h, "details", "class", "access", NULL);
	h_open(&r->h, "summary");
	h_text(&r->h, say(r, TEXT_AUTHORIZATION));
	h_text(&r->h, ": ");
	cJSON_ArrayForEach(one, list) {
		h_text(&r->h, before);
		h_text(&r->h, one->child != NULL ? requirement_name(r, one) : say(r, TEXT_NO_AUTHORIZATION));
		before = " | ";
	}
	h_close(&r->h);
	cJSON_ArrayForEach(one, list) {
		if (one->child == NULL)
			continue;
		h_el(&r->h, "ul", "class", "fields", NULL);
		cJSON_ArrayForEach(need, one)
			render_scheme(r, need, need->string != NULL ? json_member(json_member(op, "securitySchemes"), need->string) : NULL);
		h_close(&r->h);
	}
	h_close(&r->h);
}

/* ---- servers ---- */

static void
render_variables(struct render *r, const cJSON *list)
{
	const cJSON *v, *one;

	if (cJSON_GetArraySize(list) == 0)
		return;
	h_el(&r->h, "ul", "class", "fields", NULL);
	cJSON_ArrayForEach(v, list) {
		if (v->string == NULL)
			continue;
		h_open(&r->h, "li");
		h_leaf(&r->h, "code", "name", v->string);
		if (json_member(v, "default") != NULL) {
			h_text(&r->h, " ");
			h_leaf(&r->h, "span", "limit", "default: ");
			h_leaf(&r->h, "code", NULL, api_value_text(r, json_member(v, "default")));
		}
		if (cJSON_GetArraySize(json_member(v, "enum")) > 0) {
			h_el(&r->h, "p", "class", "values", NULL);
			h_leaf(&r->h, "span", "limit", say(r, TEXT_VALUES));
			cJSON_ArrayForEach(one, json_member(v, "enum")) {
				h_text(&r->h, " ");
				h_leaf(&r->h, "code", NULL, api_value_text(r, one));
			}
			h_close(&r->h);
		}
		render_description(r, json_text_of(v, "description"));
		h_close(&r->h);
	}
	h_close(&r->h);
}

/* The addresses of several servers, for the script that offers a choice (site.js); NULL: there is none. */
static const char *
addresses_to_choose(struct render *r, const cJSON *op)
{
	struct servers to = { .n = 0 };
	struct buf b;

	list_servers(r, op, &to);
	if (to.n < 2)
		return NULL;
	buf_init(&b, r->arena, 64 << 10);
	for (size_t i = 0; i < to.n; i++)
		buf_printf(&b, "%s%s", i > 0 ? " " : "", to.url[i]);
	return b.p;
}

/* The line with the method already contains a single server without variables. */
void
render_servers(struct render *r, const cJSON *op)
{
	const cJSON *list = json_member(op, "servers"), *one;

	if (list == NULL || list->child == NULL || (list->child->next == NULL && json_member(list->child, "variables") == NULL &&
	    json_text_of(list->child, "description") == NULL))
		return;
	h_el(&r->h, "details", "class", "servers", "data-urls", addresses_to_choose(r, op), NULL);
	h_leaf(&r->h, "summary", NULL, say(r, TEXT_SERVERS));
	h_el(&r->h, "ul", "class", "fields", NULL);
	cJSON_ArrayForEach(one, list) {
		h_open(&r->h, "li");
		h_leaf(&r->h, "code", "name", json_text_of(one, "url") != NULL ? json_text_of(one, "url") : "");
		if (json_text_of(one, "name") != NULL) {
			h_text(&r->h, " ");
			h_leaf(&r->h, "span", "type", json_text_of(one, "name"));
		}
		render_description(r, json_text_of(one, "description"));
		render_variables(r, json_member(one, "variables"));
		h_close(&r->h);
	}
	h_close(&r->h);
	h_close(&r->h);
}

/* ---- samples ---- */

/* Write request samples in several languages as tabs. */
void
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
