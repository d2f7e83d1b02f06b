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

struct expression_cache {
	struct arena *arena;      /* of the trees */
	struct map   *parsed;   /* from text to struct reading */
};

static void
drop_all(void *p)
{
	arena_free(((struct expression_cache *)p)->arena);
}

static const struct db_keeper keeper = { sizeof(struct expression_cache), drop_all };

static void
begin_anew(struct expression_cache *kept)
{
	/* Clear the pointer first: a panic below must not leave it pointing to freed memory. */
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

	/* Too long to be valid, and perhaps as long as a body: do not cache it. */
	if (text.n > EXPR_MAX * 4)
		return parse_expression(a, text);
	kept = db_remember(db, &keeper);
	if (kept->parsed == NULL || arena_used(kept->arena) > FULL_BYTES)
		begin_anew(kept);
	r = map_get(kept->parsed, text);
	if (r == NULL) {
		r = parse_expression(kept->arena, text);
		map_add(kept->parsed, (struct str){ arena_strndup(kept->arena, text.p, text.n), text.n }, r);
	}
	return r;
}
