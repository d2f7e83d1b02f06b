/* Values and their conversions (ECMA-262 section 7.1). Contract: expr/expr.h. */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/json.h"
#include "values.h"

struct expr_value
from_json(const cJSON *v)
{
	if (v == NULL)
		return (struct expr_value){ EXPR_UNDEFINED };
	if (cJSON_IsBool(v))
		return (struct expr_value){ EXPR_BOOL, .b = cJSON_IsTrue(v) };
	if (cJSON_IsNumber(v))
		return (struct expr_value){ EXPR_NUMBER, .n = v->valuedouble };
	if (cJSON_IsString(v))
		return (struct expr_value){ EXPR_STRING, .s = str_of(v->valuestring) };
	if (cJSON_IsArray(v))
		return (struct expr_value){ EXPR_LIST, .v = v };
	return cJSON_IsObject(v) ? (struct expr_value){ EXPR_OBJECT, .v = v } : (struct expr_value){ EXPR_NULL };
}

/* ToBoolean of ECMA-262: empty lists and objects are true. */
bool
expr_true(const struct expr_value *v)
{
	switch (v->type) {
	case EXPR_UNDEFINED:
	case EXPR_NULL:   return false;
	case EXPR_BOOL:   return v->b;
	/* NaN is false, as in JavaScript. */
	case EXPR_NUMBER: return v->n != 0 && !isnan(v->n);
	case EXPR_STRING: return v->s.n > 0;
	case EXPR_LIST:
	case EXPR_OBJECT: return true;
	}
	return false;
}

/* Number::toString of ECMA-262, as JSON writes numbers. */
static struct str
number_text(struct arena *a, double n)
{
	struct json j;
	struct buf b;

	if (isnan(n))
		return STR("NaN");
	if (isinf(n))
		return n > 0 ? STR("Infinity") : STR("-Infinity");
	/* The longest double has about 24 characters. */
	buf_init(&b, a, 64);
	json_init(&j, &b);
	/* Minus zero is written as zero. */
	json_num(&j, n == 0 ? 0 : n);
	return buf_view(&b);
}

struct str
expr_text(struct arena *a, const struct expr_value *v)
{
	switch (v->type) {
	case EXPR_UNDEFINED: return STR("undefined");
	case EXPR_NULL:   return STR("null");
	case EXPR_BOOL:   return v->b ? STR("true") : STR("false");
	case EXPR_NUMBER: return number_text(a, v->n);
	case EXPR_STRING: return v->s;
	case EXPR_LIST:
	/* The object is written as JSON, which is readable in a page, unlike "[object Object]". */
	case EXPR_OBJECT: return str_of(cJSON_PrintUnformatted(v->v));
	}
	return STR("");
}

/*
 * StringToNumber: surrounding blanks are ignored, the empty text is 0, and all but decimal numbers
 * are NaN.
 */
static double
text_number(struct arena *a, struct str s)
{
	const char *text;
	char *end;
	double n;

	s = str_trim(s);
	if (s.n == 0)
		return 0;
	text = arena_strndup(a, s.p, s.n);
	/* strtod() also accepts "inf", "nan" and hexadecimal, which are NaN here. */
	if (strspn(text, "0123456789+-.eE") != s.n)
		return NAN;
	n = strtod(text, &end);
	return *end == '\0' ? n : NAN;
}

/* ToNumber of ECMA-262, except that lists, which JavaScript converts by their text, are NaN. */
double
to_number(struct arena *a, const struct expr_value *v)
{
	switch (v->type) {
	case EXPR_NULL:   return 0;
	case EXPR_BOOL:   return v->b ? 1 : 0;
	case EXPR_NUMBER: return v->n;
	case EXPR_STRING: return text_number(a, v->s);
	case EXPR_UNDEFINED:
	case EXPR_LIST:
	case EXPR_OBJECT: break;
	}
	return NAN;
}

/* IsStrictlyEqual of ECMA-262. NaN equals nothing, as in C. */
bool
strictly_equal(const struct expr_value *x, const struct expr_value *y)
{
	if (x->type != y->type)
		return false;
	switch (x->type) {
	case EXPR_UNDEFINED:
	case EXPR_NULL:   return true;
	case EXPR_BOOL:   return x->b == y->b;
	case EXPR_NUMBER: return x->n == y->n;
	case EXPR_STRING: return str_eq(x->s, y->s);
	case EXPR_LIST:
	/* Objects are compared by identity, as in JavaScript: two objects with equal members differ. */
	case EXPR_OBJECT: return x->v == y->v;
	}
	return false;
}

/*
 * IsLooselyEqual: null equals undefined; numbers, strings and booleans are compared as numbers,
 * objects by their text.
 */
bool
loosely_equal(struct arena *a, const struct expr_value *x, const struct expr_value *y)
{
	bool nothing_x = x->type <= EXPR_NULL, nothing_y = y->type <= EXPR_NULL;
	struct expr_value text;

	if (nothing_x || nothing_y)
		return nothing_x && nothing_y;
	if (x->type == y->type)
		return strictly_equal(x, y);
	/*
	 * Only one can be a list or object here: two have equal types, or are list and object,
	 * which never equal.
	 */
	if (x->type >= EXPR_LIST || y->type >= EXPR_LIST) {
		const struct expr_value *v = x->type >= EXPR_LIST ? x : y, *other = v == x ? y : x;
		if (other->type >= EXPR_LIST)
			return false;
		text = (struct expr_value){ EXPR_STRING, .s = to_primitive(a, v) };
		return loosely_equal(a, &text, other);
	}
	/* The types differ, and neither is null, undefined, a list or an object. */
	return to_number(a, x) == to_number(a, y);
}

/* ToPrimitive: an array's elements joined by commas; JavaScript's text for an object. */
struct str
to_primitive(struct arena *a, const struct expr_value *v)
{
	const cJSON *x;
	struct expr_value one;
	struct buf b;

	if (v->type == EXPR_OBJECT)
		return STR("[object Object]");
	if (v->type != EXPR_LIST)
		return expr_text(a, v);
	buf_init(&b, a, 16 << 20);
	cJSON_ArrayForEach(x, v->v) {
		if (x != v->v->child)
			buf_char(&b, ',');
		one = from_json(x);
		if (one.type > EXPR_NULL)
			/*
			 * Do not recurse into nested lists: the depth of claims is not bounded
			 * here.
			 */
			buf_put(&b, one.type >= EXPR_LIST ? STR("[object Object]") : expr_text(a, &one));
	}
	return buf_view(&b);
}

/* Null is an "object" in JavaScript. */
const char *
type_name(const struct expr_value *v)
{
	static const char *const names[] = { [EXPR_UNDEFINED] = "undefined", [EXPR_NULL] = "object", [EXPR_BOOL] = "boolean",
		[EXPR_NUMBER] = "number", [EXPR_STRING] = "string", [EXPR_LIST] = "object", [EXPR_OBJECT] = "object" };

	return names[v->type];
}
