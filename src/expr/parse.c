/* Parses text to a tree by operator precedence. Contract: expr/expr.h. */
#include <ctype.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "expr_parts.h"

struct reader {
	struct arena *arena;
	const char   *text, *p;    /* NUL-terminated */
	const char   *error;       /* the first error */
	int           depth;
};

/* This declaration is needed because parentheses, lists and arguments contain whole expressions. */
static struct expr *parse_choice(struct reader *r);

/* Records the first error; always returns NULL. */
static struct expr *
parse_fail(struct reader *r, const char *what)
{
	size_t at = 0;
	const char *p;

	/* Report the position in characters, as the author counts: skip continuation bytes. */
	for (p = r->text; p < r->p; p++)
		at += (*p & 0xc0) != 0x80;
	if (r->error == NULL)
		r->error = arena_printf(r->arena, "%s at character %zu", what, at + 1);
	return NULL;
}

static struct expr *
fail_unexpected(struct reader *r)
{
	int n = 1;

	if (*r->p == '\0')
		return parse_fail(r, "unexpected end");
	/* Include the whole character, so that the message is UTF-8. */
	while ((r->p[n] & 0xc0) == 0x80)
		n++;
	return parse_fail(r, arena_printf(r->arena, "unexpected \"%.*s\"", n, r->p));
}

static void
skip_blanks(struct reader *r)
{
	while (*r->p == ' ' || *r->p == '\t' || *r->p == '\n' || *r->p == '\r')
		r->p++;
}

/* Take the token `what` unless a character of `not` follows it. */
static bool
take_token(struct reader *r, const char *what, const char *not)
{
	size_t n = strlen(what);

	skip_blanks(r);
	if (strncmp(r->p, what, n) != 0 || (r->p[n] != '\0' && strchr(not, r->p[n]) != NULL))
		return false;
	r->p += n;
	return true;
}

/* Any byte beyond ASCII counts as a letter: claims may have names in any script. */
static bool
is_letter(char c)
{
	return isalpha((unsigned char)c) || c == '_' || c == '$' || (c & 0x80) != 0;
}

static struct str
take_identifier(struct reader *r)
{
	const char *from;

	skip_blanks(r);
	from = r->p;
	if (is_letter(*from))
		while (is_letter(*r->p) || isdigit((unsigned char)*r->p))
			r->p++;
	return (struct str){ from, (size_t)(r->p - from) };
}

/* Takes the word `what`, if it is a whole word ("in" is not taken from "includes"). */
static bool
take_word(struct reader *r, const char *what)
{
	const char *from = r->p;

	if (str_is(take_identifier(r), what))
		return true;
	r->p = from;
	return false;
}

static struct expr *
new_node(struct reader *r, enum op op, struct expr *a, struct expr *b)
{
	/* The arena is zeroed: c, next and maybe are unset. */
	struct expr *e = arena_alloc(r->arena, sizeof(*e));

	e->op = op;
	e->a = a;
	e->b = b;
	return e;
}

static struct expr *
new_value(struct reader *r, struct expr_value v)
{
	struct expr *e = new_node(r, OP_VALUE, NULL, NULL);

	e->value = v;
	return e;
}

/* ---- literals ---- */

static int
hex_value(char c)
{
	return isdigit((unsigned char)c) ? c - '0' : isxdigit((unsigned char)c) ? (c | 32) - 'a' + 10 : -1;
}

/* Reads the digits of \xHH or \uHHHH, after the letter; false if there are too few. */
static bool
escape_number(struct reader *r, struct buf *out, int digits)
{
	uint32_t cp = 0;

	while (digits-- > 0) {
		if (hex_value(*r->p) < 0)
			return false;
		cp = cp * 16 + (uint32_t)hex_value(*r->p++);
	}
	/* NUL would end cJSON's C strings; half of a surrogate pair has no UTF-8. */
	if (cp == 0 || (cp >= 0xd800 && cp < 0xe000))
		return false;
	buf_utf8(out, cp);
	return true;
}

/*
 * Reads the character after a backslash; a character without a special meaning is the character
 * itself (ECMA-262, NonEscapeCharacter).
 */
static bool
parse_escape(struct reader *r, struct buf *out)
{
	static const char from[] = "nrtbfv", to[] = "\n\r\t\b\f\v";
	const char *at = *r->p == '\0' ? NULL : strchr(from, *r->p);
	char c = *r->p;

	if (c == '\0')
		return false;
	r->p++;
	if (c == 'x' || c == 'u')
		return escape_number(r, out, c == 'x' ? 2 : 4);
	buf_char(out, at != NULL ? to[at - from] : c);
	return true;
}

static struct expr *
parse_string(struct reader *r)
{
	char quote = *r->p++;
	struct buf b;

	/* A string literal is shorter than EXPR_MAX code points. */
	buf_init(&b, r->arena, 1 << 16);
	while (*r->p != quote) {
		if (*r->p == '\0')
			return parse_fail(r, "a string does not end");
		/*
		 * Template literals with expressions are not supported: without this error, readers
		 * would see the source of the expression.
		 */
		if (quote == '`' && r->p[0] == '$' && r->p[1] == '{')
			return parse_fail(r, "values inside `…` are not known here");
		if (*r->p == '\\') {
			r->p++;
			if (!parse_escape(r, &b))
				return parse_fail(r, "unknown escape");
		} else {
			buf_char(&b, *r->p++);
		}
	}
	r->p++;
	return new_value(r, (struct expr_value){ EXPR_STRING, .s = buf_view(&b) });
}

static struct expr *
parse_number(struct reader *r)
{
	char *end;
	double n = strtod(r->p, &end);

	/* strtod() also accepts "0x1p4", which is invalid here. */
	if (r->p[0] == '0' && isalnum((unsigned char)r->p[1]))
		return parse_fail(r, "a number that is written in an unknown way");
	r->p = end;
	/* "1n" and "3px" are invalid. */
	if (is_letter(*end) || isdigit((unsigned char)*end))
		return fail_unexpected(r);
	return new_value(r, (struct expr_value){ EXPR_NUMBER, .n = n });
}

/*
 * Parse expressions separated by commas, up to the closing character; a trailing comma is allowed.
 */
static struct expr *
parse_list(struct reader *r, const char *close)
{
	struct expr *first = NULL, **last = &first;

	while (!take_token(r, close, "")) {
		if ((*last = parse_choice(r)) == NULL)
			return NULL;
		last = &(*last)->next;
		if (!take_token(r, ",", "") && (skip_blanks(r), *r->p != *close))
			return fail_unexpected(r);
	}
	return first;
}

static struct expr *
parse_object(struct reader *r)
{
	struct expr *e = new_node(r, OP_OBJECT, NULL, NULL), **last = &e->a, *key;

	while (!take_token(r, "}", "")) {
		skip_blanks(r);
		/* Keys are names or strings; numbers and computed keys are not supported. */
		key = *r->p == '"' || *r->p == '\'' ? parse_string(r) : new_value(r, (struct expr_value){ EXPR_STRING, .s = take_identifier(r) });
		if (key == NULL || key->value.s.n == 0 || !take_token(r, ":", ""))
			return fail_unexpected(r);
		if ((*last = new_node(r, OP_OBJECT, parse_choice(r), NULL))->a == NULL)
			return NULL;
		(*last)->value = key->value;
		last = &(*last)->next;
		if (!take_token(r, ",", "") && (skip_blanks(r), *r->p != '}'))
			return fail_unexpected(r);
	}
	return e;
}

static struct expr *
parse_name(struct reader *r)
{
	/*
	 * JavaScript keywords that this language lacks: treated as names, they would give the
	 * misleading error that they are not in scope.
	 */
	static const char *const refused[] = { "function", "new", "this", "class", "var", "let", "const", "return",
		"delete", "void", "await", "async", "yield", "import", "instanceof", "eval", "if", "for", "while" };
	const char *at = r->p;
	struct str s = take_identifier(r);
	struct expr *e;
	size_t i;

	if (s.n == 0)
		return fail_unexpected(r);
	if (str_is(s, "true") || str_is(s, "false"))
		return new_value(r, (struct expr_value){ EXPR_BOOL, .b = str_is(s, "true") });
	if (str_is(s, "null") || str_is(s, "undefined"))
		return new_value(r, (struct expr_value){ str_is(s, "null") ? EXPR_NULL : EXPR_UNDEFINED });
	for (i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		if (str_is(s, refused[i])) {
			r->p = at;
			return parse_fail(r, arena_printf(r->arena, "\"%s\" is not known here", refused[i]));
		}
	e = new_node(r, OP_NAME, NULL, NULL);
	e->value.s = s;
	return e;
}

/* Parse a literal, a name, or an expression in parentheses. */
static struct expr *
parse_primary(struct reader *r)
{
	struct expr *e;

	skip_blanks(r);
	if (take_token(r, "(", "")) {
		e = parse_choice(r);
		return e == NULL ? NULL : take_token(r, ")", "") ? e : fail_unexpected(r);
	}
	if (take_token(r, "[", "")) {
		e = new_node(r, OP_LIST, parse_list(r, "]"), NULL);
		return r->error != NULL ? NULL : e;
	}
	if (take_token(r, "{", ""))
		return parse_object(r);
	if (*r->p == '"' || *r->p == '\'' || *r->p == '`')
		return parse_string(r);
	if (isdigit((unsigned char)*r->p) || (*r->p == '.' && isdigit((unsigned char)r->p[1])))
		return parse_number(r);
	return parse_name(r);
}

/* ---- operators, tightest first ---- */

/*
 * Parse one step of a chain: .name, [key] or (arguments), each possibly after "?."; NULL after an
 * error, e if there is none.
 */
static struct expr *
chain_step(struct reader *r, struct expr *e, bool maybe, bool dot)
{
	struct expr *next;
	struct str s;

	if (take_token(r, "[", "")) {
		next = new_node(r, OP_MEMBER, e, parse_choice(r));
		if (next->b == NULL || !take_token(r, "]", ""))
			return r->error != NULL ? NULL : fail_unexpected(r);
	} else if (take_token(r, "(", "")) {
		/*
		 * Only methods of values can be called: no function has a name, so none of the host
		 * can be reached.
		 */
		if (e->op != OP_MEMBER)
			return parse_fail(r, "only includes, startsWith and endsWith can be called");
		next = new_node(r, OP_CALL, e, parse_list(r, ")"));
		if (r->error != NULL)
			return NULL;
	} else if (dot) {
		s = take_identifier(r);
		if (s.n == 0)
			return fail_unexpected(r);
		next = new_node(r, OP_MEMBER, e, new_value(r, (struct expr_value){ EXPR_STRING, .s = s }));
	} else {
		return e;
	}
	/* The flag belongs to the step after "?.". */
	next->maybe = maybe;
	return next;
}

/* Parses a chain in a loop, without recursion: its length is limited only by that of the text. */
static struct expr *
parse_chain(struct reader *r)
{
	struct expr *e = parse_primary(r), *next;

	while (e != NULL) {
		/*
		 * In "a?.5:1", "?" is the choice and ".5" a number (ECMA-262,
		 * OptionalChainingPunctuator).
		 */
		bool maybe = take_token(r, "?.", "0123456789"), dot = !maybe && take_token(r, ".", "");
		next = chain_step(r, e, maybe, maybe || dot);
		/* No further step follows, so the chain ends. */
		if (next == e)
			return e;
		e = next;
	}
	return NULL;
}

/* Prefix operators apply from right to left, hence the recursion. */
static struct expr *
parse_unary(struct reader *r)
{
	struct expr *e;
	enum op op;

	/*
	 * Bounds the recursion of parser and evaluator. It is not decreased after an error, since
	 * parsing ends there.
	 */
	if (++r->depth > EXPR_DEPTH)
		return parse_fail(r, "nested too deeply");
	if (take_token(r, "!", "="))
		op = OP_NOT;
	else if (take_token(r, "-", "-="))
		op = OP_MINUS;
	else if (take_token(r, "+", "+="))
		op = OP_PLUS;
	else if (take_word(r, "typeof"))
		op = OP_TYPEOF;
	else
		op = OP_VALUE;
	e = op == OP_VALUE ? parse_chain(r) : parse_unary(r);
	r->depth--;
	return e == NULL || op == OP_VALUE ? e : new_node(r, op, e, NULL);
}

/*
 * Binary operators by precedence, loosest first; `not`: characters that must not follow the sign.
 */
static const struct { int level; const char *sign, *not; enum op op; } binary[] = {
	{ 0, "||", "=", OP_OR }, { 0, "??", "=", OP_NULLISH },
	{ 1, "&&", "=", OP_AND },
	{ 2, "===", "", OP_SAME }, { 2, "!==", "", OP_NOT_SAME }, { 2, "==", "=", OP_EQ }, { 2, "!=", "=", OP_NE },
	{ 3, "<=", "", OP_LE }, { 3, ">=", "", OP_GE }, { 3, "<", "<=", OP_LT }, { 3, ">", ">=", OP_GT },
	{ 4, "+", "+=", OP_ADD }, { 4, "-", "-=", OP_SUB },
	{ 5, "*", "*=", OP_MUL }, { 5, "/", "=/*", OP_DIV }, { 5, "%", "=", OP_MOD },
};
/* "in" is a word and not in the table; it has the precedence of comparisons. */
enum { LEVELS = 6, SIGNS = sizeof(binary) / sizeof(binary[0]), LEVEL_IN = 3 };

static bool
take_sign(struct reader *r, int level, enum op *op)
{
	size_t i;

	for (i = 0; i < SIGNS; i++)
		/* If two signs begin alike, the longer one comes first in the table. */
		if (binary[i].level == level && take_token(r, binary[i].sign, binary[i].not)) {
			*op = binary[i].op;
			return true;
		}
	if (level == LEVEL_IN && take_word(r, "in")) {
		*op = OP_IN;
		return true;
	}
	return false;
}

static struct expr *
binary_level(struct reader *r, int level)
{
	struct expr *left, *right;
	enum op op, last = OP_VALUE;

	if (level == LEVELS)
		return parse_unary(r);
	left = binary_level(r, level + 1);
	while (left != NULL && take_sign(r, level, &op)) {
		/* ECMA-262 13.13: mixing ?? with || without parentheses is a syntax error. */
		if (level == 0 && last != OP_VALUE && op != last)
			return parse_fail(r, "?? beside || or && takes parentheses");
		last = op;
		right = binary_level(r, level + 1);
		/* All of these operators are left-associative. */
		left = right == NULL ? NULL : new_node(r, op, left, right);
	}
	return left;
}

/* Take the "?" of a choice: not "??", and not "?." unless a digit follows. */
static bool
take_question(struct reader *r)
{
	if (take_token(r, "?", ".?"))
		return true;
	if (r->p[0] != '?' || r->p[1] != '.' || !isdigit((unsigned char)r->p[2]))
		return false;
	r->p++;
	return true;
}

static struct expr *
parse_choice(struct reader *r)
{
	struct expr *e;

	if (++r->depth > EXPR_DEPTH)
		return parse_fail(r, "nested too deeply");
	e = binary_level(r, 0);
	if (e != NULL && take_question(r)) {
		e = new_node(r, OP_CHOOSE, e, parse_choice(r));
		if (e->b == NULL || !take_token(r, ":", ""))
			return r->error != NULL ? NULL : fail_unexpected(r);
		/* Right-associative: a ? b : c ? d : e. */
		e->c = parse_choice(r);
		if (e->c == NULL)
			return NULL;
	}
	r->depth--;
	return e;
}

struct expr *
expr_parse(struct arena *a, struct str text, const char **error)
{
	struct reader r = { .arena = a, .text = arena_strndup(a, text.p, text.n) };
	struct expr *e;

	r.p = r.text;
	/* The parser walks a C string and trusts its encoding, so check both first. */
	if (!utf8_valid(text) || memchr(text.p, '\0', text.n) != NULL || utf8_count(text) > EXPR_MAX) {
		*error = arena_printf(a, "longer than %d characters, or no text", EXPR_MAX);
		return NULL;
	}
	e = parse_choice(&r);
	skip_blanks(&r);
	/* The whole text must be one expression. */
	if (e != NULL && *r.p != '\0')
		e = fail_unexpected(&r);
	*error = r.error;
	return e;
}
