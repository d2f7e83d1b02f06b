/*
 * Collects the words by which search finds an operation or a model, from the same values that
 * parts_write.c writes for pages. Words that are on every page (addresses of servers, media types)
 * or only repeat others (examples, samples) are omitted.
 *
 * Their number is limited, so the most wanted members come first: the operation and its parameters,
 * then bodies and responses, then authorization.
 */
#include "base/buf.h"
#include "parts_inside.h"

/*
 * WORDS_MAX: bytes for one part in the search index. DEPTH: maximum number of levels, and VISITS:
 * of values, that are visited for a part.
 */
enum { WORDS_MAX = 8000, DEPTH = 60, VISITS = 20000 };

struct words {
	struct part_writer *t;
	struct buf          b;
	struct map         *written;   /* texts that were written: thousands of properties may have the same description */
	struct map         *seen;      /* addresses of the targets of references that were followed */
	unsigned            visits;
};

/* What the value of a member is. */
enum member_kind { MEMBER_OTHER, MEMBER_TEXT, MEMBER_NAMED, MEMBER_VALUES, MEMBER_SKIPPED };

static enum member_kind
classify_member(struct str key)
{
#define IS(name, kind) { name, sizeof(name) - 1, kind }
	static const struct { const char *name; size_t n; enum member_kind kind; } members[] = {
		IS("operationId", MEMBER_TEXT), IS("name", MEMBER_TEXT), IS("title", MEMBER_TEXT), IS("summary", MEMBER_TEXT),
		IS("description", MEMBER_TEXT), IS("x-stability", MEMBER_TEXT),
		/* Maps whose keys readers see. */
		IS("properties", MEMBER_NAMED), IS("headers", MEMBER_NAMED), IS("links", MEMBER_NAMED),
		IS("examples", MEMBER_NAMED), IS("callbacks", MEMBER_NAMED), IS("securitySchemes", MEMBER_NAMED),
		IS("variables", MEMBER_NAMED),
		/* All names and texts in them. */
		IS("enum", MEMBER_VALUES), IS("x-enumDescriptions", MEMBER_VALUES), IS("x-enum-descriptions", MEMBER_VALUES),
		IS("security", MEMBER_VALUES), IS("const", MEMBER_VALUES),
		/* scheme_words() adds those that an operation needs. */
		IS("scopes", MEMBER_SKIPPED),
		IS("example", MEMBER_SKIPPED), IS("value", MEMBER_SKIPPED), IS("dataValue", MEMBER_SKIPPED),
		IS("serializedValue", MEMBER_SKIPPED), IS("default", MEMBER_SKIPPED), IS("samples", MEMBER_SKIPPED),
		IS("required", MEMBER_SKIPPED), IS("tags", MEMBER_SKIPPED),
	};

	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		if (members[i].n == key.n && memcmp(members[i].name, key.p, key.n) == 0)
			return members[i].kind;
	return MEMBER_OTHER;
}

static bool
is_full(const struct words *w)
{
	return w->b.n + 1 >= WORDS_MAX || w->visits >= VISITS;
}

/* Adds a text as a line, once; the last one is cut at WORDS_MAX. */
static void
add_line(struct words *w, struct str s)
{
	if (s.n == 0 || is_full(w) || !map_add(w->written, s, NULL))
		return;
	buf_str(&w->b, w->b.n > 0 ? "\n" : "");
	buf_str(&w->b, line_of(w->t->arena, s, WORDS_MAX - w->b.n));
}

/* All keys and strings of a value. */
static void
add_values(struct words *w, const struct value *v, unsigned depth)
{
	const struct value *m;

	if (value_is(v, VALUE_STRING))
		add_line(w, value_text(v));
	w->visits++;
	for (m = value_first(v); m != NULL && depth < DEPTH && !is_full(w); m = m->next) {
		if (value_is(v, VALUE_MAP))
			add_line(w, value_key(m));
		add_values(w, m, depth + 1);
	}
}

static void add_members(struct words *w, const struct value *v, unsigned follow, unsigned depth);

/*
 * follow: number of references between named schemas that are followed; those in parts of an allOf
 * do not count. References to unnamed targets are always followed, since pages show the target in
 * place.
 */
static void
add_reference(struct words *w, const struct value *to, unsigned follow, unsigned depth)
{
	const struct value *schema = named_schema(w->t, to);

	if (to == NULL || is_internal(to))
		return;
	if (schema != NULL)
		add_line(w, value_key(schema));
	if (schema != NULL && follow == 0)
		return;
	if (map_add(w->seen, (struct str){ arena_strndup(w->t->arena, (const char *)&to, sizeof(to)), sizeof(to) }, NULL))
		add_members(w, to, schema != NULL ? follow - 1 : follow, depth + 1);
}

static void
add_member(struct words *w, const struct value *m, unsigned follow, unsigned depth)
{
	const struct value *one;
	enum member_kind kind = classify_member(value_key(m));

	/* A property may have the name of a keyword; its value is then a map. */
	if (kind == MEMBER_TEXT && m->kind == VALUE_STRING)
		add_line(w, value_text(m));
	else if (kind == MEMBER_VALUES)
		add_values(w, m, depth + 1);
	else if (kind != MEMBER_SKIPPED)
		for (one = kind == MEMBER_NAMED ? value_members(m) : NULL; one != NULL; one = one->next)
			if (!is_internal(one))
				add_line(w, value_key(one));
	if (kind == MEMBER_OTHER || kind == MEMBER_TEXT)
		add_members(w, m, str_eq(value_key(m), STR("allOf")) ? follow + 1 : follow, depth + 1);
	for (one = kind == MEMBER_NAMED ? value_members(m) : NULL; one != NULL; one = one->next)
		add_members(w, one, follow, depth + 1);
}

static void
add_members(struct words *w, const struct value *v, unsigned follow, unsigned depth)
{
	const struct value *m, *ref = value_get(v, "$ref");

	if (v == NULL || v->kind < VALUE_LIST || depth > DEPTH || is_full(w) || is_internal(v))
		return;
	w->visits++;
	if (value_is(ref, VALUE_STRING) && ref->first != NULL)
		add_reference(w, ref->first, follow, depth);
	for (m = v->first; m != NULL; m = m->next) {
		if (m == ref)
			continue;
		if (v->kind == VALUE_MAP)
			add_member(w, m, follow, depth);
		else
			add_members(w, m, follow, depth + 1);
	}
}

static void
begin_words(struct words *w, struct part_writer *t)
{
	*w = (struct words){ .t = t, .written = map_new(t->arena), .seen = map_new(t->arena) };
	buf_init(&w->b, t->arena, WORDS_MAX + 10);
	buf_str(&w->b, "");
}

/* Adds a security scheme that the operation names, and the scopes that the operation needs. */
static void
scheme_words(struct words *w, const struct value *need)
{
	const struct value *scheme = openapi_deref(value_getn(w->t->security, value_key(need))), *scope, *flow;

	if (scheme == NULL)
		return;
	add_members(w, scheme, 0, 0);
	for (flow = value_members(value_get(scheme, "flows")); flow != NULL; flow = flow->next)
		for (scope = value_first(need); scope != NULL; scope = scope->next)
			add_line(w, value_text(value_getn(value_get(flow, "scopes"), value_text(scope))));
	/* Swagger 2.0 has one flow. */
	for (scope = value_first(need); scope != NULL; scope = scope->next)
		add_line(w, value_text(value_getn(value_get(scheme, "scopes"), value_text(scope))));
}

static void
security_words(struct words *w, const struct value *op)
{
	const struct value *list = value_get(op, "security"), *one, *need;

	if (list == NULL)
		list = value_get(w->t->root, "security");
	add_values(w, list, 0);
	for (one = value_first(list); one != NULL; one = one->next)
		for (need = value_members(one); need != NULL && !is_full(w); need = need->next)
			scheme_words(w, need);
}

const char *
words_of_operation(struct part_writer *t, const struct located_operation *f)
{
	static const char *const members[] = { "description", "x-stability", "parameters", "requestBody", "responses", "callbacks",
		"externalDocs" };
	const struct value *op = convert_operation(t, f), *m;
	struct words w;

	begin_words(&w, t);
	add_line(&w, value_text(value_get(op, "operationId")));
	add_line(&w, str_of(arena_printf(t->arena, "%s %.500s", f->method, f->path)));
	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		/* The schema of a body usually has a name, and the page shows its properties. */
		if ((m = value_get(op, members[i])) != NULL)
			add_member(&w, m, 1, 0);
	/*
	 * For a webhook, the API sends the request, so authorization does not apply
	 * (parts_write.c).
	 */
	if (!f->webhook) {
		security_words(&w, op);
		add_members(&w, find_servers(t, f), 0, 0);
	}
	return w.b.p;
}

const char *
words_of_model(struct part_writer *t, const struct value *schema)
{
	struct words w;

	begin_words(&w, t);
	add_members(&w, schema, 0, 0);
	return w.b.p;
}
