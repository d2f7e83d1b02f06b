/*
 * Cache of parsed expressions by their text, so that each is parsed once and not for every page,
 * visitor and block. Contract: read_expression() in audience_parts.h.
 *
 * The cache is emptied when it is full. It is not known which texts will be needed again, and
 * parsing them again costs less than recording their use.
 */
#include "base/map.h"
#include "expr/expr.h"
#include "audience_parts.h"

/*
 * The cache is full at FULL_BYTES. The rest up to CAP_BYTES is room for the text that is parsed
 * last: a tree takes at most a few hundred bytes per character.
 */
enum { FULL_BYTES = 4 << 20, CAP_BYTES = 64 << 20 };

struct expression_cache {
	struct arena *arena;      /* of the trees */
	struct map   *parsed;   /* from a text to its struct parsed_expression */
};

static void
free_cache(void *p)
{
	arena_free(((struct expression_cache *)p)->arena);
}

static const struct db_keeper keeper = { sizeof(struct expression_cache), free_cache };

static void
empty_cache(struct expression_cache *kept)
{
	/* The pointer is cleared first, so that it does not point to freed memory if a call below panics. */
	kept->parsed = NULL;
	if (kept->arena == NULL)
		kept->arena = arena_new(CAP_BYTES);
	arena_reset(kept->arena);
	kept->parsed = map_new(kept->arena);
}

static struct parsed_expression *
parse_expression(struct arena *a, struct str text)
{
	struct parsed_expression *r = arena_alloc(a, sizeof(*r));
	const char *error;

	r->e = expr_parse(a, text, &error);
	r->local = r->e != NULL && (expr_uses_name(r->e, "page") || expr_uses_name(r->e, "space"));
	return r;
}

const struct parsed_expression *
read_expression(struct db *db, struct arena *a, struct str text)
{
	struct expression_cache *kept;
	struct parsed_expression *r;

	/* The text is too long to be valid, and may be as long as a body, so it is not cached. */
	if (text.n > EXPR_MAX * 4)
		return parse_expression(a, text);
	kept = db_remember(db, &keeper);
	if (kept->parsed == NULL || arena_used(kept->arena) > FULL_BYTES)
		empty_cache(kept);
	r = map_get(kept->parsed, text);
	if (r == NULL) {
		r = parse_expression(kept->arena, text);
		map_add(kept->parsed, (struct str){ arena_strndup(kept->arena, text.p, text.n), text.n }, r);
	}
	return r;
}
