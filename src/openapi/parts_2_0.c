/*
 * Converts Swagger 2.0 to the form of OpenAPI 3: bodies and form fields become request bodies,
 * types of parameters and headers become schemas, media types enclose schemas, host, basePath and
 * schemes become servers.
 */
#include "base/buf.h"
#include "parts_inside.h"

/* A map or list to which members are appended. */
struct member_list {
	struct value *v, **tail;
};

static struct member_list
grow_new(struct part_writer *t, enum value_kind kind)
{
	struct member_list g = { value_new(t->arena, kind), NULL };

	g.tail = &g.v->first;
	return g;
}

/* Appends a copy, since a value can be in one list only; NULL appends nothing. */
static void
grow_add(struct part_writer *t, struct member_list *g, struct str key, const struct value *v)
{
	struct value *c;

	if (v == NULL)
		return;
	/* A shallow copy: members are shared with the original, which does not change. */
	c = arena_alloc(t->arena, sizeof(*c));
	*c = *v;
	value_append(g->v, &g->tail, key, c);
}

/* key and text must stay valid: the value points to them. */
static void
grow_text(struct part_writer *t, struct member_list *g, const char *key, const char *text)
{
	grow_add(t, g, str_of(key), value_string(t->arena, str_of(text)));
}

static bool
is_listed(struct str s, const char *const *list)
{
	for (; *list != NULL; list++)
		if (str_is(s, *list))
			return true;
	return false;
}

/* A parameter or header: its own members, and all others as its schema. */
static const struct value *
convert_parameter(struct part_writer *t, const struct value *from)
{
	static const char *const own[] = { "name", "in", "description", "required", "allowEmptyValue", "example", NULL };
	struct member_list out = grow_new(t, VALUE_MAP), schema = grow_new(t, VALUE_MAP);
	const struct value *m;

	for (m = value_members(from); m != NULL; m = m->next) {
		/*
		 * Extensions belong to the parameter; the other members (type, format, items, enum,
		 * limits) are JSON Schema in both versions.
		 */
		if (is_listed(value_key(m), own) || str_starts(value_key(m), "x-"))
			grow_add(t, &out, value_key(m), m);
		/*
		 * In OpenAPI 3 a file is a string of bytes (3.0, "Considerations for File
		 * Uploads").
		 */
		else if (str_is(value_key(m), "type") && str_is(value_text(m), "file")) {
			grow_text(t, &schema, "type", "string");
			grow_text(t, &schema, "format", "binary");
		}
		/*
		 * OpenAPI 3 has style and explode instead, which readers of a sample do not need.
		 */
		else if (!str_is(value_key(m), "collectionFormat"))
			grow_add(t, &schema, value_key(m), m);
	}
	grow_add(t, &out, STR("schema"), schema.v);
	return out.v;
}

/* Media types: the operation's, otherwise the description's, otherwise JSON. */
static const struct value *
media_types(struct part_writer *t, const struct value *op, const char *key)
{
	const struct value *list = value_get(op, key);
	struct member_list one;

	if (list == NULL)
		list = value_get(t->root, key);
	if (value_is(list, VALUE_LIST) && list->n > 0)
		return list;
	one = grow_new(t, VALUE_LIST);
	grow_add(t, &one, (struct str){ NULL, 0 }, value_string(t->arena, STR("application/json")));
	return one.v;
}

static const struct value *
make_content(struct part_writer *t, const struct value *types, const struct value *schema, const struct value *examples)
{
	struct member_list content = grow_new(t, VALUE_MAP), one;
	const struct value *m;

	for (m = value_first(types); m != NULL; m = m->next) {
		/* A media type that is listed twice would be a repeated name in one map. */
		if (m->kind != VALUE_STRING || value_getn(content.v, value_text(m)) != NULL)
			continue;
		one = grow_new(t, VALUE_MAP);
		grow_add(t, &one, STR("schema"), schema);
		/* 2.0 has one example for each media type, by its name. */
		grow_add(t, &one, STR("example"), value_getn(examples, value_text(m)));
		grow_add(t, &content, value_text(m), one.v);
	}
	return content.v;
}

/* Form fields: an object with a property for each. */
static const struct value *
form_body(struct part_writer *t, struct parameters all, const struct value *op)
{
	struct member_list schema = grow_new(t, VALUE_MAP), fields = grow_new(t, VALUE_MAP),
	    required = grow_new(t, VALUE_LIST), body = grow_new(t, VALUE_MAP), types = grow_new(t, VALUE_LIST);
	const struct value *p, *made;
	bool file = false;
	size_t i;

	(void)op;
	for (i = 0; i < all.n; i++) {
		p = all.at[i];
		if (!str_is(value_text(value_get(p, "in")), "formData"))
			continue;
		file = file || str_is(value_text(value_get(p, "type")), "file");
		made = value_get(convert_parameter(t, p), "schema");
		grow_add(t, &fields, value_text(value_get(p, "name")), made);
		if (value_is(value_get(p, "required"), VALUE_TRUE))
			grow_add(t, &required, (struct str){ NULL, 0 }, value_get(p, "name"));
	}
	if (fields.v->n == 0)
		return NULL;
	grow_text(t, &schema, "type", "object");
	grow_add(t, &schema, STR("properties"), fields.v);
	if (required.v->n > 0)
		grow_add(t, &schema, STR("required"), required.v);
	/*
	 * 2.0 requires multipart/form-data for files ("Parameter Object"), but `consumes` is often
	 * missing or wrong.
	 */
	grow_text(t, &types, "", file ? "multipart/form-data" : "application/x-www-form-urlencoded");
	grow_add(t, &body, STR("content"), make_content(t, types.v, schema.v, NULL));
	return body.v;
}

/*
 * NULL: the operation has none. A body parameter excludes form fields (2.0, "Parameter Object"), so
 * the first one decides.
 */
static const struct value *
make_request_body(struct part_writer *t, struct parameters all, const struct value *op)
{
	struct member_list body = grow_new(t, VALUE_MAP);
	const struct value *p;
	size_t i;

	for (i = 0; i < all.n; i++) {
		p = all.at[i];
		if (!str_is(value_text(value_get(p, "in")), "body"))
			continue;
		grow_add(t, &body, STR("description"), value_get(p, "description"));
		grow_add(t, &body, STR("required"), value_get(p, "required"));
		grow_add(t, &body, STR("content"), make_content(t, media_types(t, op, "consumes"),
		    value_get(p, "schema"), value_get(p, "x-examples")));
		return body.v;
	}
	return form_body(t, all, op);
}

/* from: dereferenced. A response without schema has no content. */
static const struct value *
convert_response(struct part_writer *t, const struct value *from, const struct value *op)
{
	struct member_list out = grow_new(t, VALUE_MAP), headers = grow_new(t, VALUE_MAP);
	const struct value *h, *made;

	grow_add(t, &out, STR("description"), value_get(from, "description"));
	for (h = value_members(value_get(from, "headers")); h != NULL; h = h->next) {
		made = convert_parameter(t, h);
		grow_add(t, &headers, value_key(h), made);
	}
	if (headers.v->n > 0)
		grow_add(t, &out, STR("headers"), headers.v);
	if (value_get(from, "schema") != NULL)
		grow_add(t, &out, STR("content"), make_content(t, media_types(t, op, "produces"),
		    value_get(from, "schema"), value_get(from, "examples")));
	return out.v;
}

static const struct value *
convert_responses(struct part_writer *t, const struct value *op)
{
	struct member_list out = grow_new(t, VALUE_MAP);
	const struct value *m;

	for (m = value_members(value_get(op, "responses")); m != NULL; m = m->next)
		if (m->kind == VALUE_MAP)
			grow_add(t, &out, value_key(m), convert_response(t, openapi_deref(m), op));
	return out.v;
}

/* Bodies and form fields are not parameters in OpenAPI 3: make_request_body() handles them. */
static const struct value *
convert_parameters(struct part_writer *t, struct parameters all)
{
	struct member_list list = grow_new(t, VALUE_LIST);
	struct str in;
	size_t i;

	for (i = 0; i < all.n; i++) {
		in = value_text(value_get(all.at[i], "in"));
		if (!str_is(in, "body") && !str_is(in, "formData"))
			grow_add(t, &list, (struct str){ NULL, 0 }, convert_parameter(t, all.at[i]));
	}
	return list.v;
}

const struct value *
convert_operation(struct part_writer *t, const struct located_operation *f)
{
	/* Members that are converted below; all others have the same meaning in both versions. */
	static const char *const changed[] = { "parameters", "consumes", "produces", "schemes", "responses", NULL };
	struct parameters all = collect_parameters(t, f);
	struct member_list out = grow_new(t, VALUE_MAP), list;
	const struct value *m;
	size_t i;

	for (m = value_members(f->op); m != NULL; m = m->next)
		if (!is_listed(value_key(m), changed))
			grow_add(t, &out, value_key(m), m);
	if (t->version == OPENAPI_2_0) {
		grow_add(t, &out, STR("parameters"), convert_parameters(t, all));
		grow_add(t, &out, STR("requestBody"), make_request_body(t, all, f->op));
		grow_add(t, &out, STR("responses"), convert_responses(t, f->op));
		return out.v;
	}
	/* For versions 3 only the parameters of the path item are merged in. */
	list = grow_new(t, VALUE_LIST);
	for (i = 0; i < all.n; i++)
		grow_add(t, &list, (struct str){ NULL, 0 }, all.at[i]);
	grow_add(t, &out, STR("parameters"), list.v);
	grow_add(t, &out, STR("responses"), value_get(f->op, "responses"));
	return out.v;
}

/* ---- security ---- */

/* 2.0 has one flow for a scheme, OpenAPI 3 a map of flows with other names. */
static const struct value *
convert_flows(struct part_writer *t, const struct value *scheme)
{
	static const char *const names[][2] = { { "implicit", "implicit" }, { "password", "password" },
		{ "application", "clientCredentials" }, { "accessCode", "authorizationCode" } };
	static const char *const members[] = { "authorizationUrl", "tokenUrl", "scopes" };
	struct member_list flows = grow_new(t, VALUE_MAP), flow = grow_new(t, VALUE_MAP);
	size_t i;

	for (i = 0; i < 3; i++)
		grow_add(t, &flow, str_of(members[i]), value_get(scheme, members[i]));
	for (i = 0; i < 4; i++)
		if (str_is(value_text(value_get(scheme, "flow")), names[i][0]))
			grow_add(t, &flows, str_of(names[i][1]), flow.v);
	return flows.v;
}

const struct value *
convert_scheme(struct part_writer *t, const struct value *scheme)
{
	struct member_list out = grow_new(t, VALUE_MAP);
	struct str type = value_text(value_get(scheme, "type"));

	/* An API key has the same form in all versions. */
	if (t->version != OPENAPI_2_0 || str_is(type, "apiKey"))
		return scheme;
	grow_text(t, &out, "type", str_is(type, "basic") ? "http" : "oauth2");
	grow_add(t, &out, STR("description"), value_get(scheme, "description"));
	if (str_is(type, "basic"))
		grow_text(t, &out, "scheme", "basic");
	else
		grow_add(t, &out, STR("flows"), convert_flows(t, scheme));
	return out.v;
}

/* ---- servers ---- */

/* Paths begin with a slash, so a base path must not end with one. */
static void
add_server(struct part_writer *t, struct member_list *list, struct str scheme, struct str host, struct str base)
{
	struct member_list one = grow_new(t, VALUE_MAP);
	char *url = arena_printf(t->arena, "%.*s://%.*s%.*s", (int)scheme.n, scheme.p, (int)host.n, host.p,
	    (int)base.n, base.p);
	size_t n = strlen(url);

	if (n > 0 && url[n - 1] == '/')
		url[n - 1] = '\0';
	grow_text(t, &one, "url", url);
	grow_add(t, list, (struct str){ NULL, 0 }, one.v);
}

static const struct value *
servers_2_0(struct part_writer *t, const struct located_operation *f)
{
	struct member_list list = grow_new(t, VALUE_LIST);
	const struct value *schemes = value_get(f->op, "schemes"), *m;
	struct str host = value_text(value_get(t->root, "host")), base = value_text(value_get(t->root, "basePath"));

	/*
	 * 2.0: without host it is the host that serves the description, which is unknown here;
	 * example.com is reserved for such use (RFC 2606, 3).
	 */
	if (host.n == 0)
		host = STR("example.com");
	if (schemes == NULL)
		schemes = value_get(t->root, "schemes");
	for (m = value_first(schemes); m != NULL; m = m->next)
		add_server(t, &list, value_text(m), host, base);
	if (list.v->n == 0)
		add_server(t, &list, STR("https"), host, base);
	return list.v;
}

const struct value *
find_servers(struct part_writer *t, const struct located_operation *f)
{
	/* The nearest list is used (OpenAPI 3.0, "Operation Object"). */
	const struct value *const places[] = { f->op, f->item, t->root };
	const struct value *list;
	struct member_list made, one;
	size_t i;

	if (t->version == OPENAPI_2_0)
		return servers_2_0(t, f);
	for (i = 0; i < 3; i++) {
		list = value_get(places[i], "servers");
		if (value_is(list, VALUE_LIST) && list->n > 0)
			return list;
	}
	/* The default of the specification: one server, at "/". */
	made = grow_new(t, VALUE_LIST);
	one = grow_new(t, VALUE_MAP);
	grow_text(t, &one, "url", "/");
	grow_add(t, &made, (struct str){ NULL, 0 }, one.v);
	return made.v;
}
