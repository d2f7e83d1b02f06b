/*
 * Writes the data that the reader's browser needs to send an operation's request
 * (assets/site/try.js), as JSON in a script element that browsers do not execute. Only if the site
 * has this option, and for operations whose server has an absolute address. The origins of the
 * servers are in the attribute `data-connect`, from which octavo-site makes the content security
 * policy of the page.
 */
#include <strings.h>

#include "base/json.h"
#include "render_api.h"

/* LONGEST: bytes of an address; BODY_LONGEST: bytes of a body that is filled in. */
enum { LONGEST = 500, BODY_LONGEST = 16 << 10 };

const char *
fill_server(struct render *r, const cJSON *server, const char *chosen, const char *value)
{
	const char *url = json_text_of(server, "url"), *end, *with, *name;
	struct buf b;

	buf_init(&b, r->arena, 64 << 10);
	for (; url != NULL && *url != '\0' && b.n < LONGEST; url++) {
		if (*url != '{' || (end = strchr(url, '}')) == NULL) {
			buf_char(&b, *url);
			continue;
		}
		name = arena_strndup(r->arena, url + 1, (size_t)(end - url - 1));
		with = same_text(name, chosen) ? value : json_text_of(json_member(json_member(server, "variables"), name), "default");
		if (with == NULL || strlen(with) > LONGEST)
			return NULL;
		buf_str(&b, with);
		url = end;
	}
	return b.n > 0 && b.n < LONGEST ? b.p : NULL;
}

/*
 * Length of the origin at the beginning of an address ("https://api.example.com:8443"); 0: it has
 * no origin that a content security policy can contain, or another scheme than http and https.
 */
static size_t
origin_length(const char *url)
{
	size_t scheme = strncasecmp(url, "https://", 8) == 0 ? 8 : strncasecmp(url, "http://", 7) == 0 ? 7 : 0;
	size_t host = scheme == 0 ? 0 : strspn(url + scheme, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-");
	size_t port = 0;

	if (host == 0)
		return 0;
	if (url[scheme + host] == ':')
		port = 1 + strspn(url + scheme + host + 1, "0123456789");
	/* port counts its colon: 1 is a colon without a number. strchr() also finds the end of the address. */
	return port == 1 || strchr("/?#", url[scheme + host + port]) == NULL ? 0 : scheme + host + port;
}

static void
add_server(struct servers *to, const char *url)
{
	size_t n = url != NULL ? origin_length(url) : 0, i;

	if (n == 0 || to->n == SERVERS_MAX || strpbrk(url, "{}?# \t\r\n") != NULL)
		return;
	for (i = 0; i < to->n; i++)
		if (strcmp(to->url[i], url) == 0)
			return;
	to->url[to->n++] = url;
	buf_printf(&to->origins, "%s%.*s", to->origins.n > 0 ? " " : "", (int)n, url);
}

void
list_servers(struct render *r, const cJSON *op, struct servers *to)
{
	const cJSON *one, *variable, *value;

	buf_init(&to->origins, r->arena, 64 << 10);
	buf_str(&to->origins, "");
	cJSON_ArrayForEach(one, json_member(op, "servers")) {
		add_server(to, fill_server(r, one, NULL, NULL));
		cJSON_ArrayForEach(variable, json_member(one, "variables"))
			cJSON_ArrayForEach(value, json_member(variable, "enum"))
				if (variable->string != NULL && cJSON_IsString(value) && to->n < SERVERS_MAX)
					add_server(to, fill_server(r, one, variable->string, value->valuestring));
	}
}

/*
 * Writes the credentials of the operation's first security requirement, without cookies, which
 * cannot be sent to another site.
 */
static void
write_keys(struct json *j, const cJSON *op)
{
	const cJSON *need, *scheme, *first = cJSON_GetArrayItem(json_member(op, "security"), 0);
	const char *type, *how;

	json_karr(j, "keys");
	cJSON_ArrayForEach(need, first) {
		scheme = need->string != NULL ? json_member(json_member(op, "securitySchemes"), need->string) : NULL;
		type = json_text_of(scheme, "type");
		how = json_text_of(scheme, "scheme");
		if (type == NULL || same_text(type, "mutualTLS") || same_text(json_text_of(scheme, "in"), "cookie"))
			continue;
		json_obj(j);
		json_kstr(j, "name", need->string);
		if (same_text(type, "apiKey")) {
			json_kstr(j, "in", json_text_of(scheme, "in") != NULL ? json_text_of(scheme, "in") : "header");
			json_kstr(j, "field", json_text_of(scheme, "name") != NULL ? json_text_of(scheme, "name") : "");
		} else {
			json_kstr(j, "in", how != NULL && strcasecmp(how, "basic") == 0 ? "basic" : "token");
			json_kstr(j, "field", how != NULL && strcasecmp(how, "bearer") != 0 ? how : "Bearer");
		}
		json_end(j);
	}
	json_end(j);
}

static void
write_parameters(struct render *r, struct json *j, const cJSON *op)
{
	const cJSON *p, *schema, *given;
	const char *in, *value;

	json_karr(j, "parameters");
	cJSON_ArrayForEach(p, json_member(op, "parameters")) {
		in = json_text_of(p, "in");
		schema = json_member(p, "schema");
		given = json_member(p, "example");
		value = api_value_text(r, given);
		/*
		 * Skip cookies, which a browser does not send to another site, and parameters that
		 * consist of the whole query.
		 */
		if (json_text_of(p, "name") == NULL || (!same_text(in, "path") && !same_text(in, "query") && !same_text(in, "header")))
			continue;
		json_obj(j);
		json_kstr(j, "name", json_text_of(p, "name"));
		json_kstr(j, "in", in);
		json_kbool(j, "required", json_flag_of(p, "required"));
		/* By default a list is sent as a repeated parameter (OpenAPI, "Style Values"). */
		json_kbool(j, "list", same_text(json_text_of(schema, "type"), "array") && !cJSON_IsFalse(json_member(p, "explode")));
		json_kstr(j, "value", value != NULL && strlen(value) < LONGEST && !cJSON_IsArray(given) && !cJSON_IsObject(given) ? value : "");
		json_end(j);
	}
	json_end(j);
}

static const cJSON *
media_example(const cJSON *media)
{
	const cJSON *named = json_member(media, "examples");
	const cJSON *value = named != NULL && named->child != NULL ? json_member(named->child, "value") : NULL;

	return value != NULL ? value : json_member(media, "example");
}

/* True for a member whose value is the bytes of a file. */
static bool
is_file(const cJSON *schema)
{
	const cJSON *items = json_member(schema, "items");

	schema = items != NULL ? items : schema;
	return same_text(json_text_of(schema, "format"), "binary") || json_text_of(schema, "contentMediaType") != NULL;
}

/* Writes fields of a form, one for each property of its schema. */
static void
write_fields(struct schemas *s, struct json *j, const cJSON *media)
{
	const cJSON *example = media_example(media), *one, *schema = plain_schema(s->set, json_member(media, "schema"), &(const char *){ NULL });
	const char *value;

	json_karr(j, "fields");
	cJSON_ArrayForEach(one, json_member(schema, "properties")) {
		if (one->string == NULL || json_flag_of(one, "readOnly"))
			continue;
		value = api_value_text(s->r, json_member(example, one->string));
		json_obj(j);
		json_kstr(j, "name", one->string);
		json_kbool(j, "file", is_file(plain_schema(s->set, one, &(const char *){ NULL })));
		json_kstr(j, "value", value != NULL && strlen(value) < BODY_LONGEST ? value : "");
		json_end(j);
	}
	json_end(j);
}

/* Writes the request body in the first media type that is JSON; if there is none, in the first one. */
static void
write_body(struct schemas *s, struct json *j, const cJSON *op)
{
	const cJSON *list = json_member(json_member(op, "requestBody"), "content"), *one, *media = NULL, *example;
	const char *kind = "text", *text = NULL;

	/* Takes the first one, and later replaces one that is not JSON by one that is. */
	cJSON_ArrayForEach(one, list)
		if (one->string != NULL && (media == NULL || (strstr(one->string, "json") != NULL && strstr(media->string, "json") == NULL)))
			media = one;
	if (media == NULL)
		return;
	example = media_example(media);
	if (strncmp(media->string, "multipart/", 10) == 0)
		kind = "multipart";
	else if (strcmp(media->string, "application/x-www-form-urlencoded") == 0)
		kind = "form";
	else if (is_file(plain_schema(s->set, json_member(media, "schema"), &(const char *){ NULL })) ||
	    strcmp(media->string, "application/octet-stream") == 0)
		kind = "file";
	else if (example != NULL)
		text = cJSON_IsString(example) && strstr(media->string, "json") == NULL ? example->valuestring : json_pretty(s->r->arena, example);
	json_kobj(j, "body");
	json_kstr(j, "type", media->string);
	json_kstr(j, "kind", kind);
	json_kstr(j, "value", text != NULL && strlen(text) < BODY_LONGEST ? text : "");
	if (strcmp(kind, "multipart") == 0 || strcmp(kind, "form") == 0)
		write_fields(s, j, media);
	json_end(j);
}

void
render_try(struct schemas *s, const char *method, const char *path, const cJSON *op)
{
	struct render *r = s->r;
	struct servers servers = { .n = 0 };
	struct json j;
	struct buf b;
	size_t i;

	/*
	 * Without its slash a path would change the host of the address: "https://a.example" and
	 * "@b.example".
	 */
	if (!r->env->tries || method == NULL || path == NULL || *path != '/' || json_flag_of(op, "x-hideTryItPanel"))
		return;
	list_servers(r, op, &servers);
	if (servers.n == 0)
		return;
	buf_init(&b, r->arena, 4 << 20);
	json_init(&j, &b);
	json_obj(&j);
	json_kstr(&j, "method", method);
	json_kstr(&j, "path", path);
	/* For the relay (reader/relay.c). */
	json_kstr(&j, "spec", s->spec);
	json_karr(&j, "servers");
	for (i = 0; i < servers.n; i++)
		json_str(&j, servers.url[i]);
	json_end(&j);
	write_keys(&j, op);
	write_parameters(r, &j, op);
	write_body(s, &j, op);
	json_end(&j);
	h_el(&r->h, "script", "type", "application/json", "class", "try", "data-connect", servers.origins.p, NULL);
	h_json(&r->h, buf_view(&b));
	h_close(&r->h);
	r->r->tries = true;
}
