/* Reads JavaScript settings as data. Contract: js.h. */
#include <ctype.h>
#include <string.h>

#include "base/buf.h"
#include "base/map.h"
#include "js.h"

enum { DEPTH_MOST = 64, NODES_MOST = 200000, FILLED_MOST = 4 << 20 };

struct reader {
	struct arena      *arena;
	struct str         s;
	size_t             at;
	struct map        *consts;     /* name -> struct js_const */
	struct js_skipped *skipped;
	unsigned           depth, deepest;   /* deepest: that a value has reached */
	size_t             copies;     /* number of copied members of constants, which is limited, too */
	size_t             filled;     /* bytes of templates with constants in them, which are limited, too */
	size_t             nodes;      /* number of nodes of the value, counting each use of a constant */
	size_t            *feeds;      /* offsets of the line feeds */
	size_t             feed_count;
};

/* A constant: it is read when it is used first, so that the time does not grow with its uses. */
struct js_const {
	size_t       at;               /* offset of its value */
	size_t       nodes;
	unsigned     height;           /* levels of its value */
	struct yaml *value;            /* NULL: it has none */
	bool         read;
};

static struct yaml *read_value(struct reader *r);

static char
char_ahead(const struct reader *r, size_t k)
{
	return r->at + k < r->s.n ? r->s.p[r->at + k] : '\0';
}

static void
skip_space(struct reader *r)
{
	for (;;) {
		if (isspace((unsigned char)char_ahead(r, 0))) {
			r->at++;
		} else if (char_ahead(r, 0) == '/' && char_ahead(r, 1) == '/') {
			while (r->at < r->s.n && r->s.p[r->at] != '\n')
				r->at++;
		} else if (char_ahead(r, 0) == '/' && char_ahead(r, 1) == '*') {
			for (r->at += 2; r->at < r->s.n && !(char_ahead(r, 0) == '*' && char_ahead(r, 1) == '/'); r->at++)
				;
			r->at += r->at < r->s.n ? 2 : 0;
		} else {
			return;
		}
	}
}

static size_t
line_number(const struct reader *r, size_t at)
{
	size_t low = 0, high = r->feed_count, mid;

	while (low < high)
		if (r->feeds[mid = low + (high - low) / 2] < at)
			low = mid + 1;
		else
			high = mid;
	return low + 1;
}

static void
note_feeds(struct reader *r)
{
	size_t i, room = 0;

	for (i = 0; i < r->s.n; i++)
		if (r->s.p[i] == '\n') {
			r->feeds = arena_grow(r->arena, r->feeds, r->feed_count, &room, sizeof(*r->feeds));
			r->feeds[r->feed_count++] = i;
		}
}

static bool
is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static struct str
read_name(struct reader *r)
{
	size_t from = r->at;

	while (r->at < r->s.n && is_name(r->s.p[r->at]))
		r->at++;
	return str_slice(r->s, from, r->at);
}

static struct yaml *
new_node(struct reader *r, enum yaml_kind kind)
{
	struct yaml *y = arena_alloc(r->arena, sizeof(*y));

	r->nodes++;
	if (r->depth > r->deepest)
		r->deepest = r->depth;
	r->skipped->full |= r->nodes > NODES_MOST;
	*y = (struct yaml){ .kind = kind, .text = STR(""), .line = line_number(r, r->at) };
	return y;
}

/* Skips a quoted string and returns its value, with the common escapes decoded. */
static struct str
read_quoted(struct reader *r)
{
	char quote = r->s.p[r->at++];
	struct buf b;

	buf_init(&b, r->arena, r->s.n + 1);
	buf_str(&b, "");
	for (; r->at < r->s.n && r->s.p[r->at] != quote; r->at++) {
		char c = r->s.p[r->at];
		if (c == '\\' && r->at + 1 < r->s.n) {
			c = r->s.p[++r->at];
			c = c == 'n' ? '\n' : c == 't' ? '\t' : c;
			if (c == '\n' && r->s.p[r->at] == '\n')
				continue;
		}
		buf_char(&b, c);
	}
	r->at += r->at < r->s.n;
	return b.p == NULL ? STR("") : buf_view(&b);
}

/* Skips brackets with everything inside, including strings and comments. */
static void
skip_brackets(struct reader *r)
{
	size_t open = 0;

	do {
		char c = char_ahead(r, 0);
		if (c == '"' || c == '\'' || c == '`') {
			read_quoted(r);
			continue;
		}
		if (c == '/' && (char_ahead(r, 1) == '/' || char_ahead(r, 1) == '*')) {
			skip_space(r);
			continue;
		}
		open += c == '(' || c == '[' || c == '{';
		open -= open > 0 && (c == ')' || c == ']' || c == '}');
		r->at++;
	} while (open > 0 && r->at < r->s.n);
}

/* Skips the rest of an expression, up to a comma, a closing bracket or the end of the statement. */
static void
skip_expression(struct reader *r)
{
	while (r->at < r->s.n) {
		char c = char_ahead(r, 0);
		if (c == ',' || c == ')' || c == ']' || c == '}' || c == ';')
			return;
		if (c == '"' || c == '\'' || c == '`')
			read_quoted(r);
		else if (c == '(' || c == '[' || c == '{')
			skip_brackets(r);
		else if (c == '/' && (char_ahead(r, 1) == '/' || char_ahead(r, 1) == '*'))
			skip_space(r);
		else
			r->at++;
	}
}

static struct yaml *
skip_value(struct reader *r)
{
	if (r->skipped->count++ == 0)
		r->skipped->line = line_number(r, r->at);
	skip_expression(r);
	return NULL;
}

/*
 * If text follows a value, the value is part of an expression, which cannot be read. Only "as
 * const" and "satisfies X" do not change the value.
 */
static struct yaml *
end_value(struct reader *r, struct yaml *y)
{
	size_t from;
	char c;

	skip_space(r);
	from = r->at;
	c = char_ahead(r, 0);
	if (c == ',' || c == ']' || c == '}' || c == ')' || c == ';' || c == '\0')
		return y;
	if (isalpha((unsigned char)c)) {
		struct str word = read_name(r);
		r->at = from;
		if (str_is(word, "as") || str_is(word, "satisfies")) {
			skip_expression(r);
			return y;
		}
		/* A new statement begins without a semicolon. */
		return y;
	}
	return y->kind == YAML_SCALAR ? skip_value(r) : (skip_expression(r), y);
}

static void
read_const(struct reader *r, struct js_const *c)
{
	size_t back = r->at, nodes = r->nodes;
	unsigned deepest = r->deepest;

	/* A constant that refers to itself has no value. */
	c->read = true;
	r->at = c->at;
	r->deepest = ++r->depth;
	c->value = read_value(r);
	c->height = r->deepest - --r->depth;
	r->deepest = deepest;
	r->at = back;
	c->nodes = r->nodes - nodes;
	r->nodes = nodes;
}

/* A copy of a constant's value, whose members it shares, because lists link their members. NULL: it has none. */
static struct yaml *
known_const(struct reader *r, struct str name)
{
	struct js_const *c = map_get(r->consts, name);
	struct yaml *copy;

	if (c == NULL || r->depth >= DEPTH_MOST)
		return NULL;
	if (!c->read)
		read_const(r, c);
	if (r->nodes + c->nodes > NODES_MOST || r->depth + c->height > DEPTH_MOST) {
		r->skipped->full = true;
		return NULL;
	}
	if (c->value == NULL)
		return NULL;
	r->nodes += c->nodes;
	if (r->depth + c->height > r->deepest)
		r->deepest = r->depth + c->height;
	copy = arena_alloc(r->arena, sizeof(*copy));
	*copy = *c->value;
	copy->next = NULL;
	return copy;
}

/* Skips the type arguments of a call in TypeScript: f<T>(x). */
static void
skip_types(struct reader *r)
{
	size_t from = r->at, open = 0;

	if (char_ahead(r, 0) != '<')
		return;
	for (; r->at < r->s.n && char_ahead(r, 0) != ';' && char_ahead(r, 0) != '\n'; r->at++) {
		open += char_ahead(r, 0) == '<';
		if (char_ahead(r, 0) == '>' && --open == 0 && char_ahead(r, 1) == '(') {
			r->at++;
			return;
		}
	}
	r->at = from;
}

/* Reads a name, a member of an object, or a call, whose value is that of its only argument. */
static struct yaml *
read_named(struct reader *r)
{
	size_t from = r->at;
	struct str name = read_name(r);
	struct yaml *y = NULL;

	if (name.n == 0)
		return skip_value(r);
	if (str_is(name, "true") || str_is(name, "false") || str_is(name, "null") || isdigit((unsigned char)name.p[0])) {
		if (char_ahead(r, 0) == '.' && isdigit((unsigned char)char_ahead(r, 1)))
			name = (r->at++, read_name(r), str_slice(r->s, from, r->at));
		y = new_node(r, YAML_SCALAR);
		y->text = (struct str){ arena_strndup(r->arena, name.p, name.n), name.n };
		y->plain = true;
		return end_value(r, y);
	}
	while (char_ahead(r, 0) == '.' && is_name(char_ahead(r, 1))) {
		r->at++;
		read_name(r);
		y = NULL;
		from = 0;
	}
	skip_types(r);
	if (char_ahead(r, 0) == '(') {
		size_t open = r->at;
		r->at++;
		skip_space(r);
		if ((strchr("\"'{[", char_ahead(r, 0)) != NULL || isalpha((unsigned char)char_ahead(r, 0))) && char_ahead(r, 0) != '\0' && (y = read_value(r)) != NULL) {
			skip_space(r);
			if (char_ahead(r, 0) == ')') {
				r->at++;
				skip_expression(r);
				return y;
			}
		}
		r->at = open;
		return skip_value(r);
	}
	y = from != 0 || r->at == name.n ? known_const(r, name) : NULL;
	return y == NULL ? skip_value(r) : end_value(r, y);
}

static void
append_member(struct yaml ***end, struct yaml *y)
{
	**end = y;
	*end = &y->next;
}

/* "...name" copies the members of a constant. */
static void
read_spread(struct reader *r, struct yaml ***end)
{
	struct yaml *y, *x;

	r->at += 3;
	y = read_value(r);
	for (x = y == NULL || y->kind == YAML_SCALAR ? NULL : y->first; x != NULL; x = x->next) {
		struct yaml *copy;
		if (r->copies++ > NODES_MOST * 4) {
			r->skipped->full = true;
			return;
		}
		copy = arena_alloc(r->arena, sizeof(*copy));
		*copy = *x;
		copy->next = NULL;
		append_member(end, copy);
	}
}

static struct yaml *
read_list(struct reader *r)
{
	struct yaml *list = new_node(r, YAML_LIST), **end = &list->first, *y;

	r->at++;
	for (skip_space(r); r->at < r->s.n && char_ahead(r, 0) != ']'; skip_space(r)) {
		if (char_ahead(r, 0) == ',') {
			r->at++;
		} else if (str_starts(str_slice(r->s, r->at, r->s.n), "...")) {
			read_spread(r, &end);
		} else {
			size_t from = r->at;
			if ((y = read_value(r)) != NULL)
				append_member(&end, y);
			r->at += r->at == from;
		}
	}
	r->at += r->at < r->s.n;
	return list;
}

static void
read_member(struct reader *r, struct yaml ***end)
{
	struct str key;
	struct yaml *y;
	size_t line = line_number(r, r->at);

	if (char_ahead(r, 0) == '"' || char_ahead(r, 0) == '\'')
		key = read_quoted(r);
	else
		key = read_name(r);
	skip_space(r);
	if (char_ahead(r, 0) == ':') {
		r->at++;
		y = read_value(r);
	} else if ((char_ahead(r, 0) == ',' || char_ahead(r, 0) == '}') && key.n > 0) {
		y = known_const(r, key);
	} else {
		/* A method or a computed name has no value. */
		y = skip_value(r);
	}
	if (y == NULL)
		return;
	y->key = (struct str){ arena_strndup(r->arena, key.p, key.n), key.n };
	y->line = line;
	append_member(end, y);
}

static struct yaml *
read_object(struct reader *r)
{
	struct yaml *map = new_node(r, YAML_MAP), **end = &map->first;

	r->at++;
	for (skip_space(r); r->at < r->s.n && char_ahead(r, 0) != '}'; skip_space(r)) {
		size_t from = r->at;
		if (char_ahead(r, 0) == ',')
			r->at++;
		else if (str_starts(str_slice(r->s, r->at, r->s.n), "..."))
			read_spread(r, &end);
		else
			read_member(r, &end);
		r->at += r->at == from;
	}
	r->at += r->at < r->s.n;
	return map;
}

/* Reads a value in parentheses, unless these contain the parameters of a function. */
static struct yaml *
read_inner(struct reader *r)
{
	size_t from = r->at, end;
	struct yaml *y;

	skip_brackets(r);
	skip_space(r);
	end = r->at;
	if (char_ahead(r, 0) == '=' && char_ahead(r, 1) == '>')
		return skip_value(r);
	r->at = from + 1;
	y = read_value(r);
	r->at = end;
	return y == NULL ? skip_value(r) : end_value(r, y);
}

/* A name between "${" and "}" that is a constant with a text; NULL: it is another expression. */
static const struct yaml *
template_const(struct reader *r, struct str name)
{
	const struct yaml *y;
	size_t i;

	name = str_trim(name);
	for (i = 0; i < name.n && is_name(name.p[i]); i++)
		;
	y = i < name.n || i == 0 ? NULL : known_const(r, name);
	return y != NULL && y->kind == YAML_SCALAR ? y : NULL;
}

/*
 * Fills constants into a template text. False: it has another expression, is longer than the file
 * afterwards (constants that name each other could double it again and again), or all such texts
 * together would be longer than FILLED_MOST.
 */
static bool
fill_template(struct reader *r, struct str *text)
{
	struct str rest = *text;
	const struct yaml *y;
	const char *at, *end;
	struct buf b;

	buf_init(&b, r->arena, r->s.n + 1);
	while ((at = memmem(rest.p, rest.n, "${", 2)) != NULL) {
		end = memchr(at, '}', rest.n - (size_t)(at - rest.p));
		y = end == NULL ? NULL : template_const(r, (struct str){ at + 2, (size_t)(end - at) - 2 });
		if (y == NULL || b.n + rest.n + y->text.n > r->s.n || r->filled + b.n + y->text.n > FILLED_MOST)
			return false;
		buf_add(&b, rest.p, (size_t)(at - rest.p));
		buf_put(&b, y->text);
		rest = str_slice(rest, (size_t)(end - rest.p) + 1, rest.n);
	}
	buf_put(&b, rest);
	r->filled += b.n;
	*text = buf_view(&b);
	return true;
}

static struct yaml *
read_value(struct reader *r)
{
	struct yaml *y;
	char c;

	skip_space(r);
	c = char_ahead(r, 0);
	if (r->depth >= DEPTH_MOST || r->nodes > NODES_MOST)
		return skip_value(r);
	r->depth++;
	if (c == '[') {
		y = end_value(r, read_list(r));
	} else if (c == '{') {
		y = end_value(r, read_object(r));
	} else if (c == '(') {
		y = read_inner(r);
	} else if (c == '"' || c == '\'' || c == '`') {
		y = new_node(r, YAML_SCALAR);
		y->text = read_quoted(r);
		if (c == '`' && memmem(y->text.p, y->text.n, "${", 2) != NULL && !fill_template(r, &y->text))
			y = skip_value(r);
		else
			y = end_value(r, y);
	} else {
		y = read_named(r);
	}
	r->depth--;
	return y;
}

/* Offset after the "= " of a declaration or export whose first words end at r->at; 0: none. */
static size_t
after_equals(struct reader *r)
{
	while (r->at < r->s.n) {
		char c = char_ahead(r, 0);
		if (c == '=' && char_ahead(r, 1) != '=' && char_ahead(r, 1) != '>')
			return r->at + 1;
		if (c == ';' || c == '\n')
			return 0;
		if (c == '{' || c == '(' || c == '[')
			skip_brackets(r);
		else
			r->at++;
	}
	return 0;
}

/* Finds the value after the last "return" of a function, outside of inner functions. */
static size_t
find_return(struct reader *r)
{
	size_t found = 0, end, back;

	/* The parameters, which may have braces. */
	while (r->at < r->s.n && char_ahead(r, 0) != '(' && char_ahead(r, 0) != '{')
		r->at++;
	if (char_ahead(r, 0) == '(')
		skip_brackets(r);
	back = r->at;
	skip_space(r);
	if (char_ahead(r, 0) == '=' && char_ahead(r, 1) == '>') {
		r->at += 2;
		skip_space(r);
		if (char_ahead(r, 0) == '(')
			return r->at;
	}
	while (r->at < r->s.n && char_ahead(r, 0) != '{')
		r->at++;
	if (r->at >= r->s.n)
		return 0;
	skip_brackets(r);
	end = r->at;
	r->at = back;
	while (r->at < end && char_ahead(r, 0) != '{')
		r->at++;
	for (r->at++; r->at < end;) {
		struct str rest = str_slice(r->s, r->at, end);
		if (str_starts(rest, "return ") || str_starts(rest, "return{"))
			found = r->at + 6;
		if (char_ahead(r, 0) == '{' || char_ahead(r, 0) == '(' || char_ahead(r, 0) == '[')
			skip_brackets(r);
		else if (char_ahead(r, 0) == '"' || char_ahead(r, 0) == '\'' || char_ahead(r, 0) == '`')
			read_quoted(r);
		else if (char_ahead(r, 0) == '/' && (char_ahead(r, 1) == '/' || char_ahead(r, 1) == '*'))
			skip_space(r);
		else
			r->at++;
	}
	return found;
}

static void
add_const(struct reader *r, struct str name, size_t at)
{
	struct js_const *c = arena_alloc(r->arena, sizeof(*c));

	c->at = at;
	map_add(r->consts, name, c);
}

/* Reads a statement at the top level. Returns the offset of the exported value; 0: it exports none. */
static size_t
take_statement(struct reader *r)
{
	struct str word = read_name(r);
	size_t from;

	skip_space(r);
	if (str_is(word, "const") || str_is(word, "let") || str_is(word, "var")) {
		struct str name = read_name(r);
		if ((from = after_equals(r)) != 0 && name.n > 0)
			add_const(r, name, from);
	} else if (str_is(word, "module") && char_ahead(r, 0) == '.') {
		return after_equals(r);
	} else if (str_is(word, "export")) {
		from = r->at;
		if (str_is(read_name(r), "default")) {
			skip_space(r);
			return r->at;
		}
		r->at = from;
		return char_ahead(r, 0) == '\0' || !is_name(char_ahead(r, 0)) ? 0 : take_statement(r);
	}
	return 0;
}

struct yaml *
js_read(struct arena *a, struct str text, struct js_skipped *skipped)
{
	struct reader r = { .arena = a, .s = text, .consts = map_new(a), .skipped = skipped };
	size_t exported = 0, found;

	*skipped = (struct js_skipped){ 0 };
	note_feeds(&r);
	skip_space(&r);
	if (char_ahead(&r, 0) == '{' || char_ahead(&r, 0) == '[')
		return read_value(&r);
	while (skip_space(&r), r.at < r.s.n) {
		size_t from = r.at;
		if ((found = take_statement(&r)) != 0)
			exported = found;
		if (r.at > from && char_ahead(&r, 0) != '{')
			continue;
		if (char_ahead(&r, 0) == '{' || char_ahead(&r, 0) == '(' || char_ahead(&r, 0) == '[')
			skip_brackets(&r);
		else if (char_ahead(&r, 0) == '"' || char_ahead(&r, 0) == '\'' || char_ahead(&r, 0) == '`')
			read_quoted(&r);
		else
			r.at += r.at == from;
	}
	if (exported == 0)
		return NULL;
	r.at = exported;
	skip_space(&r);
	text = str_slice(r.s, r.at, r.s.n);
	if (str_starts(text, "async") || str_starts(text, "function") || str_starts(text, "(")) {
		found = find_return(&r);
		r.at = found != 0 ? found : r.at;
	}
	return read_value(&r);
}
