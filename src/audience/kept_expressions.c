/*
 * Expressions that a program keeps by their text, so that each is parsed once and not for every
 * page, visitor and block that has it. Contract: read_expression() in audience_parts.h.
 *
 * Bounded by beginning anew when full: texts come from the authors of many sites, and which of
 * them come again is not known. Parsing all of them once more costs less than keeping an order.
 */
#include "base/map.h"
#include "expr/expr.h"
#include "audience_parts.h"

/* FULL leaves room for the last text: a tree takes at most some hundred bytes a character. */
enum { FULL_BYTES = 4 << 20, CAP_BYTES = 64 << 20 };

/* Trees of expressions, and the map from their texts to struct reading. */
static struct arena *arena;
static struct map *readings;

static void
begin_anew(void)
{
	/* Forgotten first: a panic on the way leaves no map of memory that is gone. */
	readings = NULL;
	if (arena == NULL)
		arena = arena_new(CAP_BYTES);
	arena_reset(arena);
	readings = map_new(arena);
}

static struct reading *
parse_expression(struct arena *a, struct str text)
{
	struct reading *r = arena_alloc(a, sizeof(*r));
	const char *error;

	r->e = expr_parse(a, text, &error);
	r->local = r->e != NULL && (expr_names(r->e, "page") || expr_names(r->e, "space"));
	return r;
}

const struct reading *
read_expression(struct arena *a, struct str text)
{
	struct reading *r;

	/* What is too long is none, and may be as long as a body: no room for it here. */
	if (text.n > EXPR_MAX * 4)
		return parse_expression(a, text);
	if (readings == NULL || arena_used(arena) > FULL_BYTES)
		begin_anew();
	r = map_get(readings, text);
	if (r == NULL) {
		r = parse_expression(arena, text);
		map_add(readings, (struct str){ arena_strndup(arena, text.p, text.n), text.n }, r);
	}
	return r;
}
