/*
 * Operations and schemas as JSON. Targets of references are written in place, except named schemas:
 * these are parts of their own, and may form cycles.
 */
#include "base/buf.h"
#include "parts_inside.h"

/*
 * MAX_INLINE: levels of nested references to unnamed targets. MAX_INLINED: such references in one member of
 * an operation, since ten of them on each of ten levels would be 10^10. EXAMPLE_MAX: bytes of an
 * example, EXAMPLES_MAX those of all named examples in one place.
 */
enum { MAX_INLINE = 12, MAX_INLINED = 500, EXAMPLE_MAX = 64 << 10, EXAMPLES_MAX = EXAMPLE_MAX * 8 };

/* A reference to a named schema stays a reference; any other is replaced by its target. */
static void
write_reference(struct part_writer *t, struct json *j, const struct value *v, unsigned depth)
{
	/* v must be a reference that openapi_follow() has resolved. */
	const struct value *ref = value_get(v, "$ref"), *target = ref->first, *schema = named_schema(t, target);
	const struct value *m;

	if (schema != NULL) {
		json_obj(j);
		json_kstr(j, "$ref", arena_printf(t->arena, "#/components/schemas/%.*s", (int)schema->key_n,
		    schema->key_p));
		/* OpenAPI 3.1 allows members beside it. */
		for (m = v->first; m != NULL && t->version >= OPENAPI_3_1; m = m->next) {
			/* In earlier versions members beside a reference are ignored. */
			if (m == ref)
				continue;
			json_keyn(j, value_key(m));
			write_value(t, j, m, depth + 1);
		}
		json_end(j);
		/*
		 * `uses` lists the schemas that a document needs besides this part
		 * (computed/computed_document.c), each once.
		 */
		if (map_add(t->used, value_key(schema), NULL))
			json_strn(t->uses, value_key(schema));
		return;
	}
	/*
	 * A reference counts as 8 levels of depth. If MAX_INLINE of them are nested, they form a cycle
	 * of targets without names; it is cut off with an empty object.
	 */
	if (depth < MAX_INLINE * 8 && target != NULL && t->inlined++ < MAX_INLINED) {
		write_value(t, j, target, depth + 8);
		return;
	}
	json_obj(j);
	json_end(j);
}

/*
 * Writes a value with the targets of its references. ref->first is the target; it is NULL if there is
 * none, or if the "$ref" is data in an example: such a member is written unchanged.
 */
void
write_value(struct part_writer *t, struct json *j, const struct value *v, unsigned depth)
{
	const struct value *m, *ref = value_get(v, "$ref");

	if (depth == 0)
		t->inlined = 0;
	if (value_is(ref, VALUE_STRING) && ref->first != NULL) {
		write_reference(t, j, v, depth);
		return;
	}
	if (v->kind < VALUE_LIST) {
		value_write(j, v);
		return;
	}
	if (v->kind == VALUE_MAP)
		json_obj(j);
	else
		json_arr(j);
	for (m = v->first; m != NULL; m = m->next) {
		/* Properties that the author hides, themselves or by the schema that they refer to. */
		if (m->kind == VALUE_MAP && (is_internal(m) || is_internal(openapi_deref(m))))
			continue;
		if (v->kind == VALUE_MAP)
			json_keyn(j, value_key(m));
		write_value(t, j, m, depth + 1);
	}
	json_end(j);
}

/* Writes nothing if there is no such member. */
static void
write_member(struct part_writer *t, struct json *j, const struct value *m, const char *key)
{
	const struct value *v = value_get(m, key);

	if (v == NULL)
		return;
	json_key(j, key);
	write_value(t, j, v, 0);
}

/* Writes an example as a member. False, and nothing is written, if it has more than max bytes. */
static bool
write_short(struct part_writer *t, struct json *j, const char *key, const struct value *v, size_t max)
{
	struct json inner;
	struct buf b;

	/* The JSON is written to a buffer first, because its length decides whether it is used. */
	buf_init(&b, t->arena, (size_t)1 << 30);
	json_init(&inner, &b);
	value_write(&inner, v);
	if (b.n > max)
		return false;
	json_key(j, key);
	json_raw(j, buf_view(&b));
	return true;
}

/*
 * If the author's example is too long to be read, a short one is generated from the schema.
 * The member exampleMade marks it: pages that show the schema do not show this example.
 */
static void
write_example(struct part_writer *t, struct json *j, const struct value *holder, bool request)
{
	const struct value *v = example_given(t, holder, request);
	bool made = value_get(holder, "example") == NULL;

	if (v == NULL)
		return;
	if (!write_short(t, j, "example", v, EXAMPLE_MAX)) {
		v = example_of(t, value_get(holder, "schema"), request, EXAMPLE_VALUES);
		made = true;
		if (v == NULL || !write_short(t, j, "example", v, EXAMPLE_MAX))
			return;
	}
	if (made)
		json_kbool(j, "exampleMade", true);
}

/*
 * Writes all examples of the author with their names. Omits values that are too long or beyond the
 * maximum number; their names and descriptions are still written.
 */
static void
write_examples(struct part_writer *t, struct json *j, const struct value *holder)
{
	static const char *const values[] = { "value", "dataValue", "serializedValue" };
	const struct value *m, *one, *v;
	size_t before = j->out->n, left, i;

	if (value_members(value_get(holder, "examples")) == NULL)
		return;
	json_kobj(j, "examples");
	for (m = value_members(value_get(holder, "examples")); m != NULL; m = m->next) {
		one = openapi_deref(m);
		json_keyn(j, value_key(m));
		json_obj(j);
		write_member(t, j, one, "summary");
		write_member(t, j, one, "description");
		write_member(t, j, one, "externalValue");
		for (i = 0, v = NULL; i < 3 && v == NULL; i++)
			v = value_get(one, values[i]);
		left = j->out->n - before < EXAMPLES_MAX ? EXAMPLES_MAX - (j->out->n - before) : 0;
		if (v != NULL)
			write_short(t, j, "value", v, left < EXAMPLE_MAX ? left : EXAMPLE_MAX);
		json_end(j);
	}
	json_end(j);
}

/*
 * request: examples omit readOnly members, which only answers have; otherwise writeOnly members,
 * which only requests have.
 */
static void
write_content(struct part_writer *t, struct json *j, const struct value *content, bool request)
{
	const struct value *m, *media;

	if (value_members(content) == NULL)
		return;
	json_kobj(j, "content");
	for (m = content->first; m != NULL; m = m->next) {
		media = openapi_deref(m);
		json_keyn(j, value_key(m));
		json_obj(j);
		write_member(t, j, media, "schema");
		write_member(t, j, media, "itemSchema");
		write_member(t, j, media, "encoding");
		write_example(t, j, media, request);
		write_examples(t, j, media);
		json_end(j);
	}
	json_end(j);
}

static void
write_parameter(struct part_writer *t, struct json *j, const struct value *p)
{
	/* Only these members are shown, and no extensions of the author. */
	static const char *const members[] = { "name", "in", "description", "required", "deprecated", "style", "explode",
		"allowEmptyValue", "schema", "content" };
	size_t i;

	json_obj(j);
	for (i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		write_member(t, j, p, members[i]);
	write_example(t, j, p, true);
	write_examples(t, j, p);
	json_end(j);
}

static void
write_body(struct part_writer *t, struct json *j, const struct value *body)
{
	if (body == NULL)
		return;
	json_kobj(j, "requestBody");
	write_member(t, j, body, "description");
	write_member(t, j, body, "required");
	write_content(t, j, value_get(body, "content"), true);
	json_end(j);
}

/* Keys are statuses, "2XX" or "default"; extensions beside them are not objects. */
static void
write_responses(struct part_writer *t, struct json *j, const struct value *responses)
{
	const struct value *m, *one, *h;

	json_kobj(j, "responses");
	for (m = value_members(responses); m != NULL; m = m->next) {
		one = openapi_deref(m);
		if (str_starts(value_key(m), "x-") || (!value_is(one, VALUE_MAP) && !value_is(one, VALUE_STRING)))
			continue;
		json_keyn(j, value_key(m));
		json_obj(j);
		write_member(t, j, one, value_get(one, "description") != NULL ? "description" : "summary");
		/* A text in place of a response can only be its description. */
		if (one->kind == VALUE_STRING)
			json_kstrn(j, "description", value_text(one));
		if ((h = value_members(value_get(one, "headers"))) != NULL) {
			json_kobj(j, "headers");
			for (; h != NULL; h = h->next) {
				json_keyn(j, value_key(h));
				/*
				 * A header is written with its target; a header in a cycle stays a
				 * reference.
				 */
				write_value(t, j, openapi_deref(h) != NULL ? openapi_deref(h) : h, 0);
			}
			json_end(j);
		}
		write_content(t, j, value_get(one, "content"), false);
		write_member(t, j, one, "links");
		json_end(j);
	}
	json_end(j);
}

/* Writes the requirements, and the schemes that they name. */
static void
write_security(struct part_writer *t, struct json *j, const struct value *op)
{
	const struct value *list = value_get(op, "security"), *need, *one, *scheme;
	struct map *written = map_new(t->arena);

	if (list == NULL)
		list = value_get(t->root, "security");
	if (list == NULL)
		return;
	json_key(j, "security");
	write_value(t, j, list, 0);
	json_kobj(j, "securitySchemes");
	for (need = value_first(list); need != NULL; need = need->next) {
		for (one = value_members(need); one != NULL; one = one->next) {
			scheme = openapi_deref(value_getn(t->security, value_key(one)));
			/*
			 * A scheme is written once, however many requirements name it; names
			 * without a scheme are left out.
			 */
			if (scheme == NULL || !map_add(written, value_key(one), NULL))
				continue;
			json_keyn(j, value_key(one));
			write_value(t, j, convert_scheme(t, scheme), 0);
		}
	}
	json_end(j);
}

void
write_operation(struct part_writer *t, struct json *j, const struct located_operation *f)
{
	static const char *const members[] = { "operationId", "summary", "description", "deprecated", "tags",
		"externalDocs", "callbacks", "x-stability", "x-hideTryItPanel" };
	/* From here on there is one form, whatever the version of the description. */
	const struct value *op = convert_operation(t, f), *p;
	size_t i;

	json_obj(j);
	json_kstr(j, "method", f->method);
	json_kstr(j, f->webhook ? "name" : "path", f->path);
	for (i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		write_member(t, j, op, members[i]);
	/*
	 * A webhook is a request that the reader receives: it has neither servers nor samples of
	 * sending it.
	 */
	if (!f->webhook) {
		json_key(j, "servers");
		write_value(t, j, find_servers(t, f), 0);
		write_security(t, j, op);
	}
	json_karr(j, "parameters");
	for (p = value_first(value_get(op, "parameters")); p != NULL; p = p->next)
		if (!is_internal(p))
			write_parameter(t, j, p);
	json_end(j);
	write_body(t, j, get_dereferenced(op, "requestBody"));
	write_responses(t, j, value_get(op, "responses"));
	if (!f->webhook) {
		json_karr(j, "samples");
		write_samples(t, j, f, op);
		json_end(j);
	}
	json_end(j);
}
