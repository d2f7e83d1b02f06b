/*
 * Warnings about an expression for its author. Contract: expr_find_mistake() and expr_may_hold() in
 * expr/expr.h.
 */
#include <cjson/cJSON.h>

#include "base/buf.h"
#include "expr_parts.h"

struct check {
	struct arena *arena;
	const cJSON  *scope;
};

/* True for NAME.KEY. */
static bool
is_path(const struct expr *e, const char *name, const char *key)
{
	return e->op == OP_MEMBER && e->a->op == OP_NAME && str_is(e->a->value.s, name) &&
	    e->b->op == OP_VALUE && e->b->value.type == EXPR_STRING && str_is(e->b->value.s, key);
}

/* True if the expression depends on a claim, which is unknown when it is written. */
static bool
depends_on_claims(const struct expr *e)
{
	return e != NULL && (is_path(e, "visitor", "claims") || depends_on_claims(e->a) || depends_on_claims(e->b) ||
	    depends_on_claims(e->c) || depends_on_claims(e->next));
}

/* Value at a path such as space.vars.a; NULL if e is no path or the value is missing. */
static const cJSON *
find_target(const struct check *c, const struct expr *e)
{
	bool named = e->op == OP_NAME || (e->op == OP_MEMBER && e->b->op == OP_VALUE && e->b->value.type == EXPR_STRING);
	const cJSON *in = !named ? NULL : e->op == OP_NAME ? c->scope : find_target(c, e->a);
	struct str key = e->op == OP_NAME ? e->value.s : named ? e->b->value.s : (struct str){ "", 0 };

	return cJSON_IsObject(in) ? cJSON_GetObjectItemCaseSensitive(in, arena_strndup(c->arena, key.p, key.n)) : NULL;
}

/* Writes the path as the author spelled it. Called only for paths that find_target() has resolved. */
static void
spell_path(struct buf *b, const struct expr *e)
{
	struct str s = e->op == OP_NAME ? e->value.s : e->b->value.s;

	if (e->op == OP_MEMBER) {
		spell_path(b, e->a);
		buf_add(b, ".", 1);
	}
	buf_add(b, s.p, s.n);
}

/* Warning if e reads a member that its object does not have; otherwise NULL. */
static const char *
missing_member(const struct check *c, const struct expr *e)
{
	struct buf b;
	struct str of;

	if (e->b->op != OP_VALUE || e->b->value.type != EXPR_STRING || depends_on_claims(e) ||
	    !cJSON_IsObject(find_target(c, e->a)) || find_target(c, e) != NULL)
		return NULL;
	buf_init(&b, c->arena, 16 << 10);
	spell_path(&b, e->a);
	of = buf_view(&b);
	return arena_printf(c->arena, "%.*s has no \"%.*s\"", (int)of.n, of.p, (int)e->b->value.s.n, e->b->value.s.p);
}

static bool
is_nothing(const struct expr *e)
{
	return e->op == OP_VALUE && e->value.type <= EXPR_NULL;
}

/* True if e tests whether its operand exists, so that a missing operand is no mistake. */
static bool
tests_existence(const struct expr *e, const struct expr *operand)
{
	switch (e->op) {
	case OP_AND: case OP_OR: case OP_NULLISH: case OP_CHOOSE: case OP_NOT: case OP_TYPEOF:
		return operand == e->a;
	case OP_EQ: case OP_NE: case OP_SAME: case OP_NOT_SAME:
		return is_nothing(operand == e->a ? e->b : e->a);
	default:
		return false;
	}
}

/*
 * Searches the whole tree, including parts that an evaluation without claims does not reach.
 * asked: the expression that contains e tests whether e exists, so e may be missing.
 */
static const char *
find_missing(const struct check *c, const struct expr *e, bool asked)
{
	const char *why = NULL;

	if (e->op == OP_MEMBER && !e->maybe && !asked)
		why = missing_member(c, e);
	if (why == NULL && e->a != NULL)
		why = find_missing(c, e->a, tests_existence(e, e->a));
	if (why == NULL && e->b != NULL)
		why = find_missing(c, e->b, tests_existence(e, e->b));
	if (why == NULL && e->c != NULL)
		why = find_missing(c, e->c, false);
	return why != NULL || e->next == NULL ? why : find_missing(c, e->next, false);
}

const char *
expr_find_mistake(const struct expr *e, const cJSON *scope, struct arena *a)
{
	struct check c = { a, scope };
	const struct expr *blame;
	struct expr_value value;
	const char *why;

	if (!expr_run(e, scope, a, &value, &why, &blame) && (blame == NULL || !depends_on_claims(blame)))
		return why;
	return find_missing(&c, e, false);
}

/* ---- possible outcomes ---- */

/* Possible results of an expression; 0: it always fails. */
enum { MAY_HOLD = 1, MAY_NOT = 2 };

static int
fixed_outcome(const struct check *c, const struct expr *e)
{
	struct expr_value value;
	const char *why;

	return !expr_eval(e, c->scope, c->arena, &value, &why) ? 0 : expr_true(&value) ? MAY_HOLD : MAY_NOT;
}

/* Results of an operator that depends on the truth of its operands, for any claims. */
static int
possible_outcomes(const struct check *c, const struct expr *e)
{
	int left, right;

	if (!expr_uses_name(e, "visitor"))
		return fixed_outcome(c, e);
	if (e->op != OP_NOT && e->op != OP_AND && e->op != OP_OR && e->op != OP_CHOOSE)
		return MAY_HOLD | MAY_NOT;
	left = possible_outcomes(c, e->a);
	switch (e->op) {
	case OP_NOT:
		return (left & MAY_HOLD ? MAY_NOT : 0) | (left & MAY_NOT ? MAY_HOLD : 0);
	case OP_AND:
		return (left & MAY_NOT) | (left & MAY_HOLD ? possible_outcomes(c, e->b) : 0);
	case OP_OR:
		return (left & MAY_HOLD) | (left & MAY_NOT ? possible_outcomes(c, e->b) : 0);
	default:
		right = left & MAY_NOT ? possible_outcomes(c, e->c) : 0;
		return right | (left & MAY_HOLD ? possible_outcomes(c, e->b) : 0);
	}
}

bool
expr_may_hold(const struct expr *e, const cJSON *scope, struct arena *a, bool claims)
{
	struct check c = { a, scope };

	return ((claims ? possible_outcomes(&c, e) : fixed_outcome(&c, e)) & MAY_HOLD) != 0;
}
