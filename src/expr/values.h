/* Conversions of values, for the files of this room. */
#ifndef OCTAVO_EXPR_VALUES_H
#define OCTAVO_EXPR_VALUES_H

#include "expr/expr.h"

/* A JSON value; NULL is undefined. */
struct expr_value from_json(const struct cJSON *v);
double            to_number(struct arena *a, const struct expr_value *v);
bool              strictly_equal(const struct expr_value *x, const struct expr_value *y);    /* === */
bool              loosely_equal(struct arena *a, const struct expr_value *x, const struct expr_value *y);   /* == */
struct str        to_primitive(struct arena *a, const struct expr_value *v);
const char       *type_name(const struct expr_value *v);      /* typeof */

#endif
