/*
 * Makes samples of a request in several languages (sample_languages.c), or uses the author's
 * x-codeSamples. Values are those of the examples and defaults. The value of any other parameter is
 * its name as a make_placeholder; so are secrets.
 */
#include "sample.h"

/*
 * MAX_BODY bounds a body, URL or line of cookies; BODY_BUDGET the number of values of an example
 * that replaces a too long one; LINE_MAX_BYTES one value. Samples must be short enough to read.
 * NAME_LONGEST: bytes up to the end of a {name} in a path or an address.
 */
enum { MAX_BODY = 8 << 10, BODY_BUDGET = 60, LINE_MAX_BYTES = 200, NAME_LONGEST = 1000 };

/* ---- the request ---- */

/* Names of headers are tokens (RFC 9110, 5.6.2); curl reads headers from a file if one begins with @. */
static bool
is_token(const char *s)
{
	return *s != '\0' && s[strspn(s, "!#$%&'*+-.^_`|~0123456789"
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")] == '\0';
}

/* Adds a header. Name and value each become one line, because a line break would begin another header. */
static void
add_header(struct request *r, const char *name, const char *value)
{
	/*
	 * Omit headers beyond MAX_PARTS, since the array is fixed and the description decides their
	 * number; and names that are not valid for a header.
	 */
	if (r->header_count < MAX_PARTS && is_token(name))
		r->headers[r->header_count++] = (struct header){ name, value };
}

/* A value as one line of plain text; lists and objects as JSON. */
static const char *
plain_text(struct part_writer *t, const struct value *v)
{
	struct str s = value_text(v);
	struct json j;
	struct buf b;

	if (v == NULL)
		return NULL;
	if (v->kind == VALUE_STRING || v->kind == VALUE_NUMBER)
		return line_of(t->arena, s, LINE_MAX_BYTES);
	buf_init(&b, t->arena, 1 << 20);
	json_init(&j, &b);
	value_write(&j, v);
	return b.n < LINE_MAX_BYTES ? b.p : NULL;
}

/* Adds a byte of an address unchanged if that is allowed. */
static void
add_raw(struct buf *b, char c)
{
	if ((unsigned char)c < ' ' || c == 0x7f)
		buf_printf(b, "%%%02X", (unsigned char)c);
	else
		buf_char(b, c);
}

/* The make_placeholder for a name: PET_ID for "pet-id". */
static const char *
make_placeholder(struct part_writer *t, const struct value *p)
{
	char *out = arena_strdup(t->arena, line_of(t->arena, value_text(value_get(p, "name")), LINE_MAX_BYTES)), *c;

	for (c = out; *c != '\0'; c++)
		*c = (char)(*c >= 'a' && *c <= 'z' ? *c - 32 : (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ? *c : '_');
	return *out != '\0' ? out : "TEXT";
}

/*
 * The value of a parameter; never NULL. A generated text is replaced by a make_placeholder with the
 * parameter's name.
 */
static const char *
parameter_value(struct part_writer *t, const struct value *p)
{
	const struct value *v = example_given(t, p, true);
	const char *s = plain_text(t, v);

	return s == NULL || (value_is(v, VALUE_STRING) && strcmp(s, "text") == 0) ? make_placeholder(t, p) : s;
}

/* A parameter is identified by its place and name together (OpenAPI, "Parameter Object"). */
static const struct value *
parameter_named(const struct value *list, const char *in, struct str name)
{
	const struct value *p;

	for (p = value_first(list); p != NULL; p = p->next)
		if (str_is(value_text(value_get(p, "in")), in) && str_eq(value_text(value_get(p, "name")), name))
			return p;
	return NULL;
}

/* Adds text with each {name} replaced by its value; a name without a value stays. */
static void
add_template(struct request *r, struct buf *b, struct str s, const struct value *variables,
    const struct value *parameters)
{
	const struct value *v;
	size_t i, k, end;
	struct str name;

	for (i = 0; i < s.n && b->n < MAX_BODY; i++) {
		/* end stays i if no name begins here. */
		for (end = i; s.p[i] == '{' && end < s.n && end - i < NAME_LONGEST && s.p[end] != '}'; )
			end++;
		name = end > i && end < s.n && s.p[end] == '}' ? str_slice(s, i + 1, end) : (struct str){ NULL, 0 };
		/*
		 * Server URLs use the defaults of their variables, paths the examples of their
		 * parameters.
		 */
		v = name.n == 0 ? NULL : variables != NULL ? value_get(value_getn(variables, name), "default") :
		    parameter_named(parameters, "path", name);
		if (v == NULL) {
			add_raw(b, s.p[i]);
			continue;
		}
		/*
		 * A server variable may be a host or a part of a path, so it is not encoded, except
		 * control characters.
		 */
		if (variables != NULL)
			for (k = 0; k < value_text(v).n && value_text(v).n < 500; k++)
				add_raw(b, value_text(v).p[k]);
		else
			add_encoded(b, parameter_value(r->t, v));
		i = end;
	}
}

/* True for a required parameter. */
static bool
is_needed(const struct value *p, const char *in)
{
	return str_is(value_text(value_get(p, "in")), in) && value_is(value_get(p, "required"), VALUE_TRUE);
}

/* One line, since names of headers are written unchanged. */
static const char *
name_line(struct part_writer *t, const struct value *v)
{
	return line_of(t->arena, value_text(value_get(v, "name")), LINE_MAX_BYTES);
}

/* Copies the URL each time, which is short: parameters beyond MAX_BODY are left out. */
static void
add_query(struct request *r, const char *name, const char *value)
{
	struct buf b;

	if (strlen(r->url) >= MAX_BODY)
		return;
	buf_init(&b, r->t->arena, 1 << 20);
	buf_printf(&b, "%s%c", r->url, strchr(r->url, '?') == NULL ? '?' : '&');
	add_encoded(&b, name);
	buf_char(&b, '=');
	add_encoded(&b, value);
	r->url = b.p;
}

/* One header holds all cookies (RFC 6265, 4.2.1). */
static void
add_cookie(struct request *r, const char *name, const char *value)
{
	struct buf b;

	if (r->cookies != NULL && strlen(r->cookies) >= MAX_BODY)
		return;
	buf_init(&b, r->t->arena, 1 << 20);
	buf_printf(&b, "%s%s%s=", r->cookies != NULL ? r->cookies : "", r->cookies != NULL ? "; " : "", name);
	add_encoded(&b, value);
	r->cookies = b.p;
}

static void
make_url(struct request *r, const struct located_operation *f, const struct value *op)
{
	const struct value *server = value_first(find_servers(r->t, f)), *list = value_get(op, "parameters"), *p;
	struct str base = value_text(value_get(server, "url"));
	struct buf b;

	buf_init(&b, r->t->arena, 1 << 20);
	/* A server relative to the description's own address, which is unknown here. */
	if (base.n > 0 && base.p[0] == '/')
		buf_str(&b, "https://example.com");
	/* Paths begin with a slash. */
	if (base.n > 0 && base.p[base.n - 1] == '/')
		base.n--;
	add_template(r, &b, base, value_get(server, "variables"), NULL);
	add_template(r, &b, str_of(f->path), NULL, list);
	r->url = b.p;
	for (p = value_first(list); p != NULL; p = p->next)
		if (is_needed(p, "query"))
			add_query(r, name_line(r->t, p), parameter_value(r->t, p));
}

/* Adds an API key to the request: in a header, the query or a cookie. */
static void
add_key(struct request *r, const struct value *scheme)
{
	struct str in = value_text(value_get(scheme, "in"));
	const char *name = name_line(r->t, scheme);

	if (str_is(in, "header"))
		add_header(r, name, "YOUR_API_KEY");
	else if (str_is(in, "query"))
		add_query(r, name, "YOUR_API_KEY");
	else if (str_is(in, "cookie"))
		add_cookie(r, name, "YOUR_API_KEY");
}

/* Adds the first way to authenticate to the request. */
static void
add_security(struct request *r, const struct located_operation *f)
{
	const struct value *list = value_get(f->op, "security"), *need, *scheme;
	struct str type;

	/*
	 * An empty list of the operation means that it needs none; without a list that of the
	 * description is used.
	 */
	if (list == NULL)
		list = value_get(r->t->root, "security");
	/*
	 * Only the first requirement is used, since the others are alternatives. All of its schemes
	 * are needed together.
	 */
	for (need = value_members(value_first(list)); need != NULL; need = need->next) {
		/*
		 * A requirement may name an unknown scheme; its type is then empty, and nothing is
		 * added.
		 */
		scheme = convert_scheme(r->t, openapi_deref(value_getn(r->t->security, value_key(need))));
		type = value_text(value_get(scheme, "type"));
		if (str_is(type, "apiKey"))
			add_key(r, scheme);
		else if (str_is(type, "http") && str_is(value_text(value_get(scheme, "scheme")), "basic"))
			add_header(r, "Authorization", "Basic BASE64_OF_USER_AND_PASSWORD");
		else if (str_is(type, "http") || str_is(type, "oauth2") || str_is(type, "openIdConnect"))
			add_header(r, "Authorization", "Bearer YOUR_TOKEN");
	}
}

/*
 * Adds the headers of the request. Call it after add_security(), which may add cookies: all of them
 * are in one header.
 */
static void
add_headers(struct request *r, const struct value *op)
{
	const struct value *p;

	for (p = value_first(value_get(op, "parameters")); p != NULL; p = p->next) {
		if (is_needed(p, "header"))
			add_header(r, name_line(r->t, p), parameter_value(r->t, p));
		else if (is_needed(p, "cookie"))
			add_cookie(r, name_line(r->t, p), parameter_value(r->t, p));
	}
	if (r->cookies != NULL)
		add_header(r, "Cookie", r->cookies);
}

/* Writes JSON with one member on each line, as people write it. */
static void
write_pretty(struct buf *b, const struct value *v, unsigned depth)
{
	const struct value *m;
	struct json j;

	json_init(&j, b);
	if (v->kind < VALUE_LIST || v->first == NULL) {
		value_write(&j, v);
		return;
	}
	buf_char(b, v->kind == VALUE_MAP ? '{' : '[');
	for (m = v->first; m != NULL; m = m->next) {
		buf_printf(b, "\n%*s", (int)(depth * 2 + 2), "");
		if (v->kind == VALUE_MAP) {
			json_init(&j, b);
			json_strn(&j, value_key(m));
			buf_str(b, ": ");
		}
		write_pretty(b, m, depth + 1);
		if (m->next != NULL)
			buf_char(b, ',');
	}
	buf_printf(b, "\n%*s%c", (int)(depth * 2), "", v->kind == VALUE_MAP ? '}' : ']');
}

/* True for a member whose value is the bytes of a file (in OpenAPI 3.0, in Swagger 2.0, from OpenAPI 3.1 on). */
static bool
is_file(const struct value *schema)
{
	struct str format = value_text(value_get(schema, "format")), type = value_text(value_get(schema, "type"));
	struct str media = value_text(value_get(schema, "contentMediaType"));

	return str_is(format, "binary") || str_is(type, "file") || (media.n > 0 && value_get(schema, "contentEncoding") == NULL);
}

static const struct value *
find_property(const struct value *schema, struct str name)
{
	const struct value *found, *part;

	schema = openapi_deref(schema);
	found = openapi_deref(value_getn(value_get(schema, "properties"), name));
	for (part = value_first(value_get(schema, "allOf")); found == NULL && part != NULL; part = part->next)
		found = openapi_deref(value_getn(value_get(openapi_deref(part), "properties"), name));
	return found;
}

/* Adds the members of the example as fields of a form. Lists and objects are sent as JSON. */
static void
add_fields(struct request *r, const struct value *media, const struct value *example)
{
	const struct value *m, *schema;
	struct form_field *field;
	const char *text;
	struct buf b;

	buf_init(&b, r->t->arena, 1 << 20);
	buf_str(&b, "");
	for (m = value_members(example); m != NULL && r->field_count < MAX_PARTS && b.n < MAX_BODY; m = m->next) {
		field = &r->fields[r->field_count++];
		schema = find_property(value_get(media, "schema"), value_key(m));
		/* Several files have one name. */
		schema = value_get(schema, "items") != NULL ? openapi_deref(value_get(schema, "items")) : schema;
		text = plain_text(r->t, m);
		*field = (struct form_field){ .name = line_of(r->t->arena, value_key(m), LINE_MAX_BYTES), .file = is_file(schema) };
		field->value = field->file ? "FILE" : text != NULL ? text : "";
		buf_str(&b, b.n > 0 ? "&" : "");
		add_encoded(&b, field->name);
		buf_char(&b, '=');
		add_encoded(&b, field->value);
	}
	r->text = b.p;
}

/* True for an example that is itself the body: for JSON, a string that contains JSON. */
static bool
is_text(bool json, const struct value *example)
{
	struct str s = value_text(example);

	return value_is(example, VALUE_STRING) && (!json || (s.n > 0 && (s.p[0] == '{' || s.p[0] == '[')));
}

static bool
is_json_type(struct str type)
{
	return str_starts(type, "application/json") || (type.n > 5 && memcmp(type.p + type.n - 5, "+json", 5) == 0);
}

/*
 * Adds a body of text or JSON. If it is too long, an example with few values replaces it; if that
 * is too long as well, there is no body.
 */
static void
add_text(struct request *r, const struct value *media, const struct value *example)
{
	bool json = is_json_type(value_key(media));
	struct buf b;

	/* The author's example is written completely before its length is known. */
	buf_init(&b, r->t->arena, (size_t)64 << 20);
	write_pretty(&b, example, 0);
	if (b.n > MAX_BODY) {
		example = example_of(r->t, value_get(media, "schema"), true, BODY_BUDGET);
		/* The buffer is used again, empty. */
		buf_cut(&b, b.n);
		if (example != NULL)
			write_pretty(&b, example, 0);
	}
	if (b.n == 0 || b.n > MAX_BODY)
		return;
	if (is_text(json, example)) {
		/* A body that is text is sent without the quotes of JSON. */
		r->kind = BODY_TEXT;
		r->text = arena_strndup(r->t->arena, example->text_p, example->n);
		return;
	}
	r->kind = json ? BODY_JSON : BODY_TEXT;
	r->text = b.p;
	r->json = example;
}

static void
make_body(struct request *r, const struct value *op)
{
	const struct value *media = value_members(value_get(openapi_deref(value_get(op, "requestBody")), "content")), *m;
	const struct value *example;

	/* Prefers JSON if the operation accepts it. */
	for (m = media; m != NULL; m = m->next)
		if (is_json_type(value_key(m)) && !is_json_type(value_key(media)))
			media = m;
	if (media == NULL)
		return;
	r->type = line_of(r->t->arena, value_key(media), LINE_MAX_BYTES);
	/*
	 * The reference is followed only now, because the result of openapi_deref() does not have
	 * the media type's name.
	 */
	m = openapi_deref(media);
	example = example_given(r->t, m, true);
	if (is_file(openapi_deref(value_get(m, "schema"))) || (example == NULL && str_is(value_key(media), "application/octet-stream"))) {
		r->kind = BODY_FILE;
	} else if (str_starts(value_key(media), "multipart/")) {
		r->kind = BODY_MULTIPART;
		add_fields(r, m, example);
	} else if (str_is(value_key(media), "application/x-www-form-urlencoded")) {
		r->kind = BODY_FORM;
		add_fields(r, m, example);
	} else if (example != NULL) {
		add_text(r, media, example);
	}
}

static void
write_sample(struct json *j, const char *lang, const char *label, struct str source)
{
	json_obj(j);
	json_kstr(j, "lang", lang);
	json_kstr(j, "label", label);
	json_kstrn(j, "source", source);
	json_end(j);
}

/* Writes the author's samples, under either of their two names. False: there is none that has a source. */
static bool
given_samples(struct json *j, const struct value *op)
{
	static const char *const names[] = { "x-codeSamples", "x-code-samples" };
	const struct value *m = NULL;
	struct str label;
	bool any = false;
	size_t i;

	for (i = 0; i < 2 && m == NULL; i++)
		m = value_first(value_get(op, names[i]));
	for (; m != NULL; m = m->next) {
		if (!value_is(value_get(m, "source"), VALUE_STRING))
			continue;
		any = true;
		json_obj(j);
		json_kstrn(j, "lang", value_text(value_get(m, "lang")));
		/* The label is optional in these extensions. */
		label = value_text(value_get(m, "label"));
		json_kstrn(j, "label", label.n > 0 ? label : value_text(value_get(m, "lang")));
		json_kstrn(j, "source", value_text(value_get(m, "source")));
		json_end(j);
	}
	return any;
}

void
write_samples(struct part_writer *t, struct json *j, const struct located_operation *f, const struct value *op)
{
	const struct sample_language *l;
	struct request r = { .t = t };
	struct buf b;
	char *c;

	/*
	 * f->op, not op: the form of OpenAPI 3 has the extensions too, but the original is
	 * available.
	 */
	if (given_samples(j, f->op))
		return;
	r.method = c = arena_strdup(t->arena, f->method);
	for (; *c != '\0'; c++)
		*c = (char)(*c >= 'a' && *c <= 'z' ? *c - 32 : *c);
	make_url(&r, f, op);
	add_security(&r, f);
	add_headers(&r, op);
	make_body(&r, op);
	for (l = sample_languages; l->lang != NULL; l++) {
		buf_init(&b, t->arena, (size_t)1 << 20);
		if (l->write(&b, &r))
			write_sample(j, l->lang, l->label, buf_view(&b));
	}
}
