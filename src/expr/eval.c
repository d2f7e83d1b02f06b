/* Evaluates a tree. Contract: expr/expr.h. */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "expr_parts.h"
#include "values.h"

/* Bytes whose comparison costs about as much as one step of the evaluator. */
enum { BYTES_A_STEP = 64 };

/* One evaluation. The first error ends it: every function checks it before going on. */
struct run {
	struct arena *arena;
	const cJSON  *scope;
	const char   *error;
	long          steps;
	bool          gone;      /* a chain found nothing at "?.": the rest of it is undefined */
	const struct expr *blame;   /* operand whose undefined or null caused the error; NULL: another cause */
};

static struct expr_value eval_operand(struct run *r, const struct expr *e);
static struct expr_value eval_link(struct run *r, const struct expr *e);

/* Value of a missing member, and of every failed evaluation. */
static const struct expr_value nothing = { EXPR_UNDEFINED };

/* Records the first error. The returned undefined is never used: callers check r->error. */
static struct expr_value
eval_fail(struct run *r, const char *what)
{
	if (r->error == NULL)
		r->error = what;
	return nothing;
}

/*
 * Records `of` as the cause of the error if its value is undefined or null, so that the message can
 * name the missing operand.
 */
static void
note_blame(struct run *r, const struct expr_value *v, const struct expr *of)
{
	if (r->error != NULL && v->type <= EXPR_NULL)
		r->blame = of;
}

/*
 * Charges a step and the bytes that it will read, before the work, so that an expression over large
 * claims cannot slow down a request. False if the budget is used up.
 */
static bool
spend_budget(struct run *r, size_t bytes)
{
	r->steps += 1 + (long)(bytes / BYTES_A_STEP);
	if (r->steps <= EXPR_STEPS)
		return true;
	eval_fail(r, "it takes too many steps");
	return false;
}

static struct expr_value
bool_value(bool b)
{
	return (struct expr_value){ EXPR_BOOL, .b = b };
}

static struct expr_value
number_value(double n)
{
	return (struct expr_value){ EXPR_NUMBER, .n = n };
}

static struct expr_value
text_value(struct str s)
{
	return (struct expr_value){ EXPR_STRING, .s = s };
}

/* ---- names and members ---- */

static struct expr_value
eval_name(struct run *r, struct str s)
{
	const cJSON *v = cJSON_GetObjectItemCaseSensitive(r->scope, arena_strndup(r->arena, s.p, s.n));

	/*
	 * An unknown name is an error, as in JavaScript (ReferenceError). So content whose
	 * condition has a misspelled name is hidden, and the author gets a warning.
	 */
	return v != NULL ? from_json(v) : eval_fail(r, arena_printf(r->arena, "\"%.*s\" is not known here", (int)s.n, s.p));
}

/* Length in UTF-16 code units, as .length counts. */
static double
utf16_length(struct str s)
{
	size_t i, n = 0;

	for (i = 0; i < s.n; i++)
		/* Characters of four bytes in UTF-8 are surrogate pairs in UTF-16. */
		n += (s.p[i] & 0xc0) != 0x80 ? ((unsigned char)s.p[i] >= 0xf0 ? 2 : 1) : 0;
	return (double)n;
}

/* List index that a number or text means; -1: none. */
static int
list_index(struct run *r, const struct expr_value *key)
{
	double n = key->type == EXPR_NUMBER ? key->n : key->type == EXPR_STRING && key->s.n > 0 ?
	    to_number(r->arena, key) : NAN;

	/* NaN fails the first comparison; the bound keeps the conversion to int defined. */
	return n >= 0 && n < 1e6 && n == floor(n) ? (int)n : -1;
}

/* Start of a text for a message: whole characters, since messages are UTF-8. */
static struct str
clip_text(struct str s)
{
	size_t n = s.n < 100 ? s.n : 100;

	while (n < s.n && n > 0 && (s.p[n] & 0xc0) == 0x80)
		n--;
	return (struct str){ s.p, n };
}

/* A missing member is undefined; only a member of undefined or null is an error. */
static struct expr_value
get_member(struct run *r, const struct expr_value *of, const struct expr_value *key)
{
	bool length = key->type == EXPR_STRING && str_is(key->s, "length");
	struct str k;
	int i;

	switch (of->type) {
	case EXPR_STRING:
		return length ? number_value(utf16_length(of->s)) : nothing;
	case EXPR_LIST:
		if (!spend_budget(r, (size_t)cJSON_GetArraySize(of->v)))
			return nothing;
		i = list_index(r, key);
		return length ? number_value(cJSON_GetArraySize(of->v)) : i < 0 ? nothing : from_json(cJSON_GetArrayItem(of->v, i));
	case EXPR_OBJECT:
		k = to_primitive(r->arena, key);
		return spend_budget(r, (size_t)cJSON_GetArraySize(of->v)) ? from_json(cJSON_GetObjectItemCaseSensitive(of->v,
		    arena_strndup(r->arena, k.p, k.n))) : nothing;
	case EXPR_UNDEFINED:
	case EXPR_NULL:
		k = to_primitive(r->arena, key);
		return eval_fail(r, arena_printf(r->arena, "%s has no member \"%.*s\"",
		    of->type == EXPR_NULL ? "null" : "undefined", (int)clip_text(k).n, k.p));
	case EXPR_BOOL:
	case EXPR_NUMBER:
		break;
	}
	return nothing;
}

static struct expr_value
eval_member(struct run *r, const struct expr *e)
{
	struct expr_value of = eval_link(r, e->a), key, found;

	if (r->error != NULL || r->gone)
		return nothing;
	if (e->maybe && of.type <= EXPR_NULL) {
		r->gone = true;
		return nothing;
	}
	key = eval_operand(r, e->b);
	if (r->error != NULL)
		return nothing;
	found = get_member(r, &of, &key);
	note_blame(r, &of, e->a);
	return found;
}

/* ---- methods ---- */

static bool
list_includes(struct run *r, const cJSON *list, const struct expr_value *what)
{
	struct expr_value v;
	const cJSON *x;

	cJSON_ArrayForEach(x, list) {
		v = from_json(x);
		if (!spend_budget(r, v.type == EXPR_STRING ? v.s.n : 0))
			return false;
		/* Finds NaN, unlike ===. */
		if (strictly_equal(&v, what) || (v.type == EXPR_NUMBER && what->type == EXPR_NUMBER && isnan(v.n) && isnan(what->n)))
			return true;
	}
	return false;
}

/* includes, startsWith and endsWith. The empty string is part of every string. */
static struct expr_value
string_method(struct run *r, struct str of, struct str method, struct str what)
{
	if (!spend_budget(r, of.n + what.n))
		return nothing;
	if (str_is(method, "includes"))
		return bool_value(what.n == 0 || memmem(of.p, of.n, what.p, what.n) != NULL);
	if (what.n > of.n)
		return bool_value(false);
	if (what.n == 0)
		return bool_value(true);
	return bool_value(memcmp(str_is(method, "startsWith") ? of.p : of.p + of.n - what.n, what.p, what.n) == 0);
}

static struct expr_value
eval_call(struct run *r, const struct expr *e)
{
	const struct expr *m = e->a;
	struct expr_value of = eval_link(r, m->a), key, what;
	bool known;

	if (r->error != NULL || r->gone)
		return nothing;
	if (m->maybe && of.type <= EXPR_NULL) {
		r->gone = true;
		return nothing;
	}
	key = eval_operand(r, m->b);
	what = e->b == NULL ? nothing : eval_operand(r, e->b);
	if (r->error != NULL)
		return nothing;
	/*
	 * Methods are recognised by name and never looked up in data: a claim named "includes" is
	 * no function.
	 */
	known = key.type == EXPR_STRING && (str_is(key.s, "includes") ||
	    (of.type == EXPR_STRING && (str_is(key.s, "startsWith") || str_is(key.s, "endsWith"))));
	if (known && of.type == EXPR_LIST)
		return bool_value(list_includes(r, of.v, &what));
	if (known && of.type == EXPR_STRING)
		return string_method(r, of.s, key.s, to_primitive(r->arena, &what));
	/* Reading a member of undefined or null is the error to report. */
	if (of.type <= EXPR_NULL) {
		what = get_member(r, &of, &key);
		note_blame(r, &of, m->a);
		return what;
	}
	return eval_fail(r, arena_printf(r->arena, "a value of type %s has no such method", type_name(&of)));
}

/* ---- operators ---- */

static struct expr_value
eval_add(struct run *r, const struct expr_value *x, const struct expr_value *y)
{
	struct str s, t;
	char *both;

	/*
	 * Two numbers are added. If a value is a string, list or object, the texts of both are
	 * concatenated (ECMA-262 13.15.3).
	 */
	if (x->type < EXPR_STRING && y->type < EXPR_STRING)
		return number_value(to_number(r->arena, x) + to_number(r->arena, y));
	s = to_primitive(r->arena, x);
	t = to_primitive(r->arena, y);
	/* The length is limited, because repeated doubling would reach gigabytes in thirty steps. */
	if (s.n + t.n > EXPR_TEXT)
		return eval_fail(r, "a text gets too long");
	if (!spend_budget(r, s.n + t.n))
		return nothing;
	both = arena_bytes(r->arena, s.n + t.n + 1);
	memcpy(both, s.p, s.n);
	memcpy(both + s.n, t.p, t.n);
	both[s.n + t.n] = '\0';
	return text_value((struct str){ both, s.n + t.n });
}

static struct expr_value
eval_arithmetic(struct run *r, enum op op, const struct expr_value *x, const struct expr_value *y)
{
	double a = to_number(r->arena, x), b = to_number(r->arena, y);

	switch (op) {
	case OP_SUB: return number_value(a - b);
	case OP_MUL: return number_value(a * b);
	case OP_DIV: return number_value(a / b);
	/* The result has the sign of the dividend, as in JavaScript. */
	default:     return number_value(fmod(a, b));
	}
}

/* Bytewise, which for UTF-8 is the order of code points. */
static int
compare_text(struct str s, struct str t)
{
	int c = s.n == 0 || t.n == 0 ? 0 : memcmp(s.p, t.p, s.n < t.n ? s.n : t.n);

	return c != 0 ? c : (s.n > t.n) - (s.n < t.n);
}

/*
 * Compares two strings by code points, anything else as numbers; with NaN all comparisons are
 * false.
 */
static struct expr_value
eval_order(struct run *r, enum op op, const struct expr_value *x, const struct expr_value *y)
{
	double a, b;

	if (x->type == EXPR_STRING && y->type == EXPR_STRING) {
		if (!spend_budget(r, x->s.n + y->s.n))
			return nothing;
		/* Compare with 0, so that the code below serves both cases. */
		a = compare_text(x->s, y->s);
		b = 0;
	} else {
		a = to_number(r->arena, x);
		b = to_number(r->arena, y);
	}
	return bool_value(op == OP_LT ? a < b : op == OP_LE ? a <= b : op == OP_GT ? a > b : a >= b);
}

/* Evaluates `key in of`, the operator of JavaScript. */
static struct expr_value
eval_in(struct run *r, const struct expr_value *key, const struct expr_value *of)
{
	struct str k = to_primitive(r->arena, key);
	int i;

	/* This is an error in JavaScript as well (TypeError). */
	if (of->type < EXPR_LIST)
		return eval_fail(r, "\"in\" takes a list or an object on its right");
	if (!spend_budget(r, (size_t)cJSON_GetArraySize(of->v)))
		return nothing;
	if (of->type == EXPR_OBJECT)
		return bool_value(cJSON_HasObjectItem(of->v, arena_strndup(r->arena, k.p, k.n)) &&
		    cJSON_GetObjectItemCaseSensitive(of->v, arena_strndup(r->arena, k.p, k.n)) != NULL);
	/* The keys of a list are its indexes. */
	i = list_index(r, key);
	return bool_value(i >= 0 && i < cJSON_GetArraySize(of->v));
}

static struct expr_value
eval_binary(struct run *r, const struct expr *e)
{
	struct expr_value x = eval_operand(r, e->a), y;

	if (r->error != NULL)
		return nothing;
	y = eval_operand(r, e->b);
	/* Equality reads at most the shorter text; concatenation charges its own bytes. */
	if (r->error != NULL || !spend_budget(r, x.type == EXPR_STRING ? x.s.n : 0))
		return nothing;
	switch (e->op) {
	case OP_ADD:      return eval_add(r, &x, &y);
	case OP_LT:
	case OP_LE:
	case OP_GT:
	case OP_GE:       return eval_order(r, e->op, &x, &y);
	case OP_IN:
		x = eval_in(r, &x, &y);
		note_blame(r, &y, e->b);
		return x;
	case OP_EQ:       return bool_value(loosely_equal(r->arena, &x, &y));
	case OP_NE:       return bool_value(!loosely_equal(r->arena, &x, &y));
	case OP_SAME:     return bool_value(strictly_equal(&x, &y));
	case OP_NOT_SAME: return bool_value(!strictly_equal(&x, &y));
	default:          return eval_arithmetic(r, e->op, &x, &y);
	}
}

/* Evaluates the right side only if the left one does not decide. */
static struct expr_value
eval_logic(struct run *r, const struct expr *e)
{
	struct expr_value x = eval_operand(r, e->a);
	bool left = e->op == OP_NULLISH ? x.type > EXPR_NULL : expr_true(&x) == (e->op == OP_OR);

	if (r->error != NULL || (left && e->op != OP_CHOOSE))
		return x;
	return eval_operand(r, e->b);
}

static struct expr_value
eval_unary(struct run *r, const struct expr *e)
{
	struct expr_value x;

	/* typeof accepts an unknown name. */
	if (e->op == OP_TYPEOF && e->a->op == OP_NAME && cJSON_GetObjectItemCaseSensitive(r->scope,
	    arena_strndup(r->arena, e->a->value.s.p, e->a->value.s.n)) == NULL)
		return text_value(STR("undefined"));
	x = eval_operand(r, e->a);
	if (r->error != NULL)
		return nothing;
	switch (e->op) {
	case OP_NOT:    return bool_value(!expr_true(&x));
	case OP_MINUS:  return number_value(-to_number(r->arena, &x));
	case OP_PLUS:   return number_value(to_number(r->arena, &x));
	default:        return text_value(str_of(type_name(&x)));
	}
}

/* ---- lists and objects ---- */

/* Value as an element of a literal; undefined becomes null, as in JSON.stringify() of a list. */
static cJSON *
to_json(struct run *r, const struct expr_value *v)
{
	struct str s;

	switch (v->type) {
	case EXPR_BOOL:   return cJSON_CreateBool(v->b);
	case EXPR_NUMBER: return cJSON_CreateNumber(v->n);
	case EXPR_STRING:
		s = v->s;
		return cJSON_CreateString(arena_strndup(r->arena, s.p, s.n));
	case EXPR_LIST:
	/*
	 * Copy it, since a cJSON value belongs to one tree. It costs a fixed number of steps, since
	 * its size is not known.
	 */
	case EXPR_OBJECT: return spend_budget(r, 4096) ? cJSON_Duplicate(v->v, true) : cJSON_CreateNull();
	case EXPR_UNDEFINED:
	case EXPR_NULL:   break;
	}
	return cJSON_CreateNull();
}

/*
 * Evaluates a list or object literal to JSON in the arena that json_arena() has set, like all other
 * values.
 */
static struct expr_value
eval_literal(struct run *r, const struct expr *e)
{
	cJSON *all = e->op == OP_LIST ? cJSON_CreateArray() : cJSON_CreateObject();
	const struct expr *x;
	struct expr_value v;

	for (x = e->a; x != NULL && r->error == NULL; x = x->next) {
		v = eval_operand(r, e->op == OP_LIST ? x : x->a);
		if (e->op == OP_LIST)
			cJSON_AddItemToArray(all, to_json(r, &v));
		else
			cJSON_AddItemToObject(all, arena_strndup(r->arena, x->value.s.p, x->value.s.n), to_json(r, &v));
	}
	return from_json(all);
}

static struct expr_value
eval_op(struct run *r, const struct expr *e)
{
	struct expr_value x;

	switch (e->op) {
	case OP_VALUE:   return e->value;
	case OP_NAME:    return eval_name(r, e->value.s);
	case OP_LIST:
	case OP_OBJECT:  return eval_literal(r, e);
	case OP_MEMBER:  return eval_member(r, e);
	case OP_CALL:    return eval_call(r, e);
	case OP_NOT:
	case OP_MINUS:
	case OP_PLUS:
	case OP_TYPEOF:  return eval_unary(r, e);
	case OP_AND:
	case OP_OR:
	case OP_NULLISH: return eval_logic(r, e);
	case OP_CHOOSE:
		x = eval_operand(r, e->a);
		return r->error != NULL ? nothing : eval_operand(r, expr_true(&x) ? e->b : e->c);
	default:         return eval_binary(r, e);
	}
}

/* Evaluates one link of a chain such as a?.b.c. If "?." finds nothing, the links after it are not evaluated. */
static struct expr_value
eval_link(struct run *r, const struct expr *e)
{
	return r->error != NULL || !spend_budget(r, 0) ? nothing : eval_op(r, e);
}

/* Evaluates a whole operand. A chain in it ends with it, so r->gone of the chain around it is saved and restored. */
static struct expr_value
eval_operand(struct run *r, const struct expr *e)
{
	struct expr_value v;
	bool gone = r->gone;

	r->gone = false;
	v = eval_link(r, e);
	r->gone = gone;
	return r->error != NULL ? nothing : v;
}

bool
expr_run(const struct expr *e, const cJSON *scope, struct arena *a, struct expr_value *out, const char **error,
    const struct expr **blame)
{
	/* The budget is per evaluation, not per request: the page bounds their number. */
	struct run r = { .arena = a, .scope = scope };

	*out = eval_operand(&r, e);
	*error = r.error;
	*blame = r.error == NULL ? NULL : r.blame;
	return r.error == NULL;
}

bool
expr_eval(const struct expr *e, const cJSON *scope, struct arena *a, struct expr_value *out, const char **error)
{
	const struct expr *blame;

	return expr_run(e, scope, a, out, error, &blame);
}

bool
expr_uses_name(const struct expr *e, const char *n)
{
	return e != NULL && ((e->op == OP_NAME && str_is(e->value.s, n)) || expr_uses_name(e->a, n) ||
	    expr_uses_name(e->b, n) || expr_uses_name(e->c, n) || expr_uses_name(e->next, n));
}
