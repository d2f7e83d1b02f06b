/* The tree of an expression, shared by the files of src/expr. */
#ifndef OCTAVO_EXPR_PARTS_H
#define OCTAVO_EXPR_PARTS_H

#include "expr/expr.h"

enum op {
	OP_VALUE, OP_NAME, OP_LIST, OP_OBJECT,
	OP_MEMBER, OP_CALL,
	OP_NOT, OP_MINUS, OP_PLUS, OP_TYPEOF,
	OP_MUL, OP_DIV, OP_MOD, OP_ADD, OP_SUB,
	OP_LT, OP_LE, OP_GT, OP_GE, OP_IN,
	OP_EQ, OP_NE, OP_SAME, OP_NOT_SAME,
	OP_AND, OP_OR, OP_NULLISH, OP_CHOOSE
};

struct expr {
	enum op           op;
	bool              maybe;       /* MEMBER, CALL: follows "?.", so a missing value ends the chain */
	struct expr_value value;       /* VALUE: the value; NAME: the name, in .s; a member of an OBJECT: its key, in .s */
	struct expr      *a, *b, *c;   /* operands; MEMBER: object and key; CALL: member, arguments */
	struct expr      *next;        /* the next argument, element or member */
};

/*
 * As expr_eval(). Also sets *blame to the operand whose undefined or null value caused the error;
 * NULL: there was no error, or it had another cause.
 */
bool expr_run(const struct expr *e, const struct cJSON *scope, struct arena *a, struct expr_value *out,
    const char **error, const struct expr **blame);

#endif
