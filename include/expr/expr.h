/*
 * Expressions: who sees a page or link, {% if %}, values in text.
 *
 * They are written in a part of JavaScript (ECMA-262), so that what people wrote for the
 * published service works as it is, but are read and evaluated here: no loops, no
 * definitions, no assignment, so each ends after as many steps as it has nodes, and
 * the work of a step is bounded as well.
 *
 *   literals   numbers, 'a' "a" `a`, true false null undefined, [1, 2], { a: 1 }
 *   operators  || && ?? ! == != === !== < <= > >= in + - * / % typeof ?: ( )
 *   members    a.b a?.b a["b"] a?.["b"] .length
 *   methods    includes startsWith endsWith, of strings; includes of arrays
 *
 * Values behave as in JavaScript: truth, == and its conversions, + of strings, undefined
 * for a member that is not there. It is an error, as there, to ask undefined or null for a
 * member, and to name what is not in scope. Strings compare by code points, length counts
 * UTF-16 units. Functions and regular expressions do not exist.
 *
 * Limits: EXPR_MAX code points of text, EXPR_DEPTH levels of nesting, EXPR_STEPS steps,
 * where comparing or searching n bytes takes n / 64 of them; EXPR_TEXT bytes of a string.
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
 * Reads the text. NULL: it is no expression; *error then says why and where, in words for
 * its author ("unexpected \")\" at character 12"). The result lives in the arena and may be
 * evaluated any number of times.
 */
struct expr *expr_parse(struct arena *a, struct str text, const char **error);

/* Its value in a scope (an object, whose members are the names that it may use). False: *error says why. */
bool expr_eval(const struct expr *e, const struct cJSON *scope, struct arena *a, struct expr_value *out,
    const char **error);

/*
 * What is wrong with it for its author, in this scope of a visitor without claims: it fails, or
 * asks an object of the scope for a member that is not there, in any of its parts. NULL: nothing.
 * Claims may be missing, and so may members after "?." and those that the expression asks for their
 * presence (left of && || ?? and ?:, after ! and typeof, compared with null or undefined).
 */
const char *expr_wrong(const struct expr *e, const struct cJSON *scope, struct arena *a);

/*
 * False if it cannot be true for any visitor, as far as that is decidable without trying claims.
 * claims: visitors may have any claims, so that an expression with visitor.claims may be true or
 * false; otherwise visitors have no claims.
 */
bool expr_may_hold(const struct expr *e, const struct cJSON *scope, struct arena *a, bool claims);

/* True if the value counts as true (ECMA-262, ToBoolean). */
bool expr_true(const struct expr_value *v);

/* The value as text, as JavaScript's String() makes it; lists and objects as JSON. */
struct str expr_text(struct arena *a, const struct expr_value *v);

/* True if the expression uses this name at the beginning of a path ("page"). */
bool expr_names(const struct expr *e, const char *name);

#endif
