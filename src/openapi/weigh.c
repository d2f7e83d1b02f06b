/*
 * Estimates the size of the HTML of an operation or a model. The renderer writes a row for each
 * parameter and each property of the first level. Below that level, a named schema with more than a
 * few properties is on a page of its own, which is loaded on demand (render/render_schema.c).
 */
#include "parts_inside.h"

/*
 * ROW, FRAME, RESPONSE, MODEL: HTML elements of a row, of an operation without its rows (method,
 *     samples), of a response without its rows, of a model without its rows.
 * BYTES: bytes of text that count as one element; ELEMENT_BYTES: bytes of the markup of one element.
 * ROWS_MAX: maximum number of rows that the renderer writes for one operation.
 * SMALL: maximum number of properties of a named schema that is written in place.
 * LEVELS: maximum nesting of schemas; VISITS: maximum number of schemas visited for one operation.
 *     Both end cycles.
 */
enum {
	ROW = 7, FRAME = 380, RESPONSE = 5, MODEL = 4, BYTES = 60, ELEMENT_BYTES = 10, ROWS_MAX = 300, SMALL = 8, LEVELS = 6, VISITS = 2000
};

struct weigher {
	struct part_writer *t;
	unsigned            left;   /* number of schemas that may still be visited */
};

static bool
is_named(struct part_writer *t, const struct value *schema)
{
	return map_has(t->names, (struct str){ (const char *)&schema, sizeof(schema) });
}

/*
 * Number of rows for the properties of a schema. level: 1 for the schema of a body, one more for each
 * level of properties. From level 2 on, the renderer writes a link instead of a large named schema.
 */
static unsigned
count_rows(struct weigher *w, const struct value *schema, unsigned level)
{
	static const char *const lists[] = { "allOf", "oneOf", "anyOf" };
	const struct value *v = openapi_deref(schema), *p, *m;
	unsigned rows = 0;
	size_t i;

	if (!value_is(v, VALUE_MAP) || level > LEVELS || w->left == 0)
		return 0;
	w->left--;
	p = value_get(v, "properties");
	if (level > 1 && is_named(w->t, v) && value_is(p, VALUE_MAP) && p->n > SMALL)
		return 0;
	for (m = value_members(p); m != NULL && rows < ROWS_MAX; m = m->next)
		rows += 1 + count_rows(w, m, level + 1);
	for (i = 0; i < 3; i++)
		for (m = value_first(value_get(v, lists[i])); m != NULL && rows < ROWS_MAX; m = m->next)
			rows += (i > 0) + count_rows(w, m, level + (i > 0));
	if (rows < ROWS_MAX)
		rows += count_rows(w, value_get(v, "items"), level) + count_rows(w, value_get(v, "additionalProperties"), level + 1);
	return rows < ROWS_MAX ? rows : ROWS_MAX;
}

static unsigned
content_rows(struct weigher *w, const struct value *content, unsigned level)
{
	const struct value *m;
	unsigned rows = 0;

	for (m = value_members(content); m != NULL; m = m->next)
		rows += 1 + count_rows(w, value_get(openapi_deref(m), "schema"), level);
	return rows;
}

/* The larger of two estimates: the number of elements, and all bytes counted as elements. */
static unsigned
larger_estimate(size_t elements, size_t text)
{
	size_t bytes = text + elements * ELEMENT_BYTES;

	return (unsigned)(elements > bytes / BYTES ? elements : bytes / BYTES);
}

unsigned
weigh_operation(struct part_writer *t, const struct located_operation *f, size_t bytes)
{
	const struct value *op = convert_operation(t, f), *m;
	struct weigher visits = { t, VISITS }, *w = &visits;
	size_t rows = 0, responses = 0;

	/* Level 2: the row of a parameter is itself one of the first level. */
	for (m = value_first(value_get(op, "parameters")); m != NULL; m = m->next)
		rows += 1 + count_rows(w, value_get(m, "schema"), 2);
	rows += content_rows(w, value_get(openapi_deref(value_get(op, "requestBody")), "content"), 1);
	/* Only the first response is shown open, with its schema in place (render_responses()). */
	for (m = value_members(value_get(op, "responses")); m != NULL; m = m->next, responses++)
		rows += content_rows(w, value_get(openapi_deref(m), "content"), responses > 0 ? 2 : 1);
	if (rows > ROWS_MAX)
		rows = ROWS_MAX;
	return larger_estimate(FRAME + rows * ROW + responses * RESPONSE, bytes);
}

unsigned
weigh_model(struct part_writer *t, const struct value *schema, size_t bytes)
{
	struct weigher w = { t, VISITS };

	return larger_estimate(MODEL + (size_t)count_rows(&w, schema, 1) * ROW, bytes);
}
