/*
 * Expressions: conditions of pages and links, {% if %}, and values in text.
 *
 * They use a part of JavaScript (ECMA-262), so that content of the published service works
 * unchanged, but Octavo parses and evaluates them itself. There are no loops, definitions or
 * assignments, so the number of steps is at most the number of nodes; the work of a step is limited
 * as well.
 *
 *   literals   numbers, 'a' "a" `a`, true false null undefined, [1, 2], { a: 1 }
 *   operators  || && ?? ! == != === !== < <= > >= in + - * / % typeof ?: ( )
 *   members    a.b a?.b a["b"] a?.["b"] .length
 *   methods    includes startsWith endsWith, of strings; includes of arrays
 *
 * Values behave as in JavaScript: which values count as true, == with its conversions, + of
 * strings, and undefined for a missing member. As in JavaScript, it is an error to read a member of
 * undefined or null, and to use a name that is not in the scope. Strings are compared by code
 * points; length counts UTF-16 units. There are no functions and no regular expressions.
 *
 * Limits: EXPR_MAX code points of text; EXPR_DEPTH levels of nesting; EXPR_STEPS steps, where
 * comparing or searching n bytes counts n / 64 steps; EXPR_TEXT bytes of a string.
 */
#ifndef OCTAVO_EXPR_H
#define OCTAVO_EXPR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/str.h"

struct cJSON;
struct expr;

enum { EXPR_MAX = 1024, EXPR_DEPTH = 32, EXPR_STEPS = 10000, EXPR_TEXT = 64 << 10 };

enum expr_type { EXPR_UNDEFINED, EXPR_NULL, EXPR_BOOL, EXPR_NUMBER, EXPR_STRING, EXPR_LIST, EXPR_OBJECT };

struct expr_value {
	enum expr_type      type;
	bool                b;
	double              n;
	struct str          s;
	const struct cJSON *v;      /* of a list or an object */
};

/*
 * Parses the text. NULL: it is not an expression; *error then says what is wrong and where, for its
 * author ("unexpected \")\" at character 12"). The result is allocated from the arena and may be
 * evaluated several times.
 */
struct expr *expr_parse(struct arena *a, struct str text, const char **error);

/*
 * Evaluates the expression in a scope: an object whose members are the names that the expression
 * may use. False on failure, with the reason in *error.
 */
bool expr_eval(const struct expr *e, const struct cJSON *scope, struct arena *a, struct expr_value *out,
    const char **error);

/*
 * Looks for a mistake, for a warning to the author. scope: that of a visitor without claims. It is
 * a mistake if the evaluation fails, or if any part of the expression reads a member that an object
 * of the scope does not have. Claims may be missing. So may members after "?.", and members whose
 * presence the expression tests (left of && || ?? and ?:, after ! and typeof, compared with null or
 * undefined). NULL: no mistake.
 */
const char *expr_find_mistake(const struct expr *e, const struct cJSON *scope, struct arena *a);

/*
 * False if the expression cannot be true for any visitor, as far as this is decidable without
 * trying values of claims. claims: visitors may have any claims, so an expression that uses
 * visitor.claims may be true or false. Otherwise visitors have no claims.
 */
bool expr_may_hold(const struct expr *e, const struct cJSON *scope, struct arena *a, bool claims);

/* True if the value counts as true in a condition (ECMA-262, ToBoolean). */
bool expr_true(const struct expr_value *v);

/* The value as text, as JavaScript's String() makes it; lists and objects as JSON. */
struct str expr_text(struct arena *a, const struct expr_value *v);

/* True if the expression uses this name at the beginning of a path ("page"). */
bool expr_uses_name(const struct expr *e, const char *name);

#endif
