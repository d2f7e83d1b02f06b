/*
 * Cache of parsed expressions by their text, so that each is parsed once and not for every page,
 * visitor and block. Contract: read_expression() in audience_parts.h.
 *
 * When full it is emptied: texts come from authors of many sites, and it is unknown which are
 * needed again. Parsing them once more costs less than tracking their use.
 */
#include "base/map.h"
#include "expr/expr.h"
#include "audience_parts.h"

/*
 * FULL_BYTES leaves room for one more text: a tree takes at most a few hundred bytes per character.
 */
enum { FULL_BYTES = 4 << 20, CAP_BYTES = 64 << 20 };

/* Arena of the trees, and map from text to struct reading. */
static struct arena *arena;
static struct map *readings;

static void
begin_anew(void)
{
	/* Clear the pointer first: a panic below must not leave it pointing to freed memory. */
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

	/* Too long to be valid, and perhaps as long as a body: do not cache it. */
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
