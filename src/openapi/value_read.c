/*
 * Reads JSON and YAML into struct value, within the caller's limits. JSON first passes the strict
 * scan that request bodies also pass, so the code that builds the tree need not check for errors.
 * YAML is read with base/yaml.h.
 */
#include <assert.h>

#include "base/scan.h"
#include "base/yaml.h"
#include "openapi/value.h"

/*
 * Maximum number of YAML anchors in a document. Values that aliases repeat count against the limit
 * of values.
 */
enum { MAX_ANCHORS = 1000 };

struct builder {
	struct arena *arena;
	const char   *p;        /* next byte of a text that the scan has accepted */
	struct str    twice;    /* the first name that occurs twice */
	size_t        line;     /* of YAML, that repeats a name; 0: none */
};

/* ---- JSON ---- */

static void
skip_blanks(struct builder *b)
{
	while (*b->p == ' ' || *b->p == '\t' || *b->p == '\n' || *b->p == '\r')
		b->p++;
}

/* Reads four hexadecimal digits, which json_scan() has checked. */
static uint32_t
read_hex4(struct builder *b)
{
	uint32_t n = 0;
	int k, c;

	for (k = 0; k < 4; k++) {
		c = (unsigned char)*b->p++;
		n = n * 16 + (uint32_t)(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
	}
	return n;
}

/* Reads the escape after a backslash. */
static void
read_escape(struct builder *b, struct buf *out)
{
	static const char from[] = "bfnrt", to[] = "\b\f\n\r\t";
	int c = (unsigned char)*b->p++;
	const char *at;
	uint32_t cp;

	if (c == 'u') {
		cp = read_hex4(b);
		if (cp >= 0xD800 && cp < 0xDC00) {
			b->p += 2;   /* the \u of the pair's second half */
			cp = 0x10000 + ((cp - 0xD800) << 10) + (read_hex4(b) - 0xDC00);
		}
		buf_utf8(out, cp);
	} else {
		at = strchr(from, c);
		buf_char(out, at != NULL ? to[at - from] : (char)c);
	}
}

/* Reads a string from its opening quote. Without escapes it stays in the source. */
static struct str
read_string(struct builder *b)
{
	const char *from = ++b->p, *end;
	size_t longest;
	struct buf out;

	while (*b->p != '"' && *b->p != '\\')
		b->p++;
	if (*b->p == '"')
		return (struct str){ from, (size_t)(b->p++ - from) };
	/*
	 * A backslash is skipped together with the next character, even a quote. An escape is never
	 * shorter than its character, so this length is enough for the result.
	 */
	for (end = b->p; *end != '"'; end++)
		end += *end == '\\';
	longest = (size_t)(end - from);
	buf_init(&out, b->arena, longest);
	buf_reserve(&out, longest);
	buf_add(&out, from, (size_t)(b->p - from));
	while (*b->p != '"') {
		if (*b->p++ == '\\')
			read_escape(b, &out);
		else
			buf_char(&out, b->p[-1]);
	}
	b->p++;
	return buf_view(&out);
}

static struct value *json_value(struct builder *b);

/*
 * The text is known to be valid JSON, so only the separators of members are read. Recursion is as
 * deep as the scan allowed.
 */
static struct value *
json_members(struct builder *b, struct value *v)
{
	struct value **tail = &v->first;
	char end = *b->p++ == '{' ? '}' : ']';
	struct str key = { NULL, 0 }, twice;

	skip_blanks(b);
	while (*b->p != end) {
		if (end == '}') {
			key = read_string(b);
			skip_blanks(b);
			b->p++;   /* colon */
			skip_blanks(b);
		}
		value_append(v, &tail, key, json_value(b));
		skip_blanks(b);
		if (*b->p == ',')
			b->p++;
		skip_blanks(b);
	}
	b->p++;
	/* The first name that occurs twice is reported. */
	if (end == '}' && !value_index(b->arena, v, &twice) && b->twice.p == NULL)
		b->twice = twice;
	return v;
}

static struct value *
json_value(struct builder *b)
{
	struct value *v = value_new(b->arena, VALUE_NULL);
	struct str s;

	switch (*b->p) {
	case '{': v->kind = VALUE_MAP; return json_members(b, v);
	case '[': v->kind = VALUE_LIST; return json_members(b, v);
	case '"': v->kind = VALUE_STRING; s = read_string(b); break;
	case 't': v->kind = VALUE_TRUE; b->p += 4; return v;
	case 'f': v->kind = VALUE_FALSE; b->p += 5; return v;
	case 'n': b->p += 4; return v;
	default:
		v->kind = VALUE_NUMBER;
		s.p = b->p;
		s.n = strspn(b->p, "0123456789+-.eE");
		b->p += s.n;
	}
	v->text_p = s.p;
	v->n = (uint32_t)s.n;
	return v;
}

static struct value *
read_json(struct builder *b, struct str text, const struct value_limits *limits, const char **error)
{
	const struct json_limits scan = { limits->values, limits->depth };
	bool large;

	/*
	 * The scan counts values and levels before anything is allocated: 10 MB of "[[[[" need no
	 * memory.
	 */
	if ((*error = json_scan(b->arena, text, &scan, &large)) != NULL)
		return NULL;
	b->p = text.p;
	skip_blanks(b);
	return json_value(b);
}

/* ---- YAML ---- */

static struct value *yaml_value(struct builder *b, const struct yaml *y);

/*
 * The merge key of YAML 1.1 ("<<: *base"), which descriptions written by hand use: members that the
 * map itself lacks are copied. seen: the names that it has by now.
 */
static void
yaml_merge(struct builder *b, struct value *v, struct value ***tail, struct map *seen,
    const struct yaml *from)
{
	const struct yaml *m, *base = NULL;

	for (m = from->first; m != NULL; m = m->next) {
		if (from->kind == YAML_LIST && m->kind == YAML_MAP)
			yaml_merge(b, v, tail, seen, m);
		else if (from->kind == YAML_MAP && str_is(m->key, "<<") && m->kind != YAML_SCALAR)
			base = m;
		else if (from->kind == YAML_MAP && map_add(seen, m->key, NULL))
			value_append(v, tail, m->key, yaml_value(b, m));
	}
	/*
	 * A base with a merge key of its own: its own members take precedence. Each level was
	 * counted when it was read.
	 */
	if (base != NULL)
		yaml_merge(b, v, tail, seen, base);
}

/*
 * All names of the map, including those after the merge key: its own members take precedence
 * wherever they are (YAML 1.1, "merge").
 */
static struct map *
collect_names(struct arena *a, const struct yaml *map)
{
	struct map *names = map_new(a);
	const struct yaml *m;

	for (m = map->first; m != NULL; m = m->next)
		map_add(names, m->key, NULL);
	return names;
}

/* A number as JSON spells it: 007, +1 and .5 are numbers in YAML, but not in JSON. */
static struct str
number_text(struct arena *a, struct str spelled, double number)
{
	const struct json_limits one = { 1, 1 };
	struct json j;
	struct buf b;
	bool large;

	/* A spelling that JSON allows is kept, so that long numbers keep their digits. */
	if (json_scan(a, spelled, &one, &large) == NULL)
		return spelled;
	buf_init(&b, a, 64);
	json_init(&j, &b);
	json_num(&j, number);
	return buf_view(&b);
}

static void
yaml_scalar(struct builder *b, const struct yaml *y, struct value *v)
{
	struct str text = y->text;
	double number;
	bool truth;

	/* Quoted scalars are always text; plain ones have the type of YAML's core schema. */
	v->kind = VALUE_STRING;
	if (yaml_is_null(y)) {
		v->kind = VALUE_NULL;
	} else if (y->plain && yaml_bool(y, &truth)) {
		v->kind = truth ? VALUE_TRUE : VALUE_FALSE;
	} else if (y->plain && yaml_number(y, &number)) {
		v->kind = VALUE_NUMBER;
		text = number_text(b->arena, text, number);
	}
	if (v->kind >= VALUE_NUMBER) {
		v->text_p = text.p;
		v->n = (uint32_t)text.n;
	}
}

static struct value *
yaml_value(struct builder *b, const struct yaml *y)
{
	struct value *v = value_new(b->arena, VALUE_NULL), **tail = &v->first;
	const struct yaml *m;
	struct str twice;

	/* An empty document. */
	if (y == NULL)
		return v;
	if (y->kind == YAML_SCALAR) {
		yaml_scalar(b, y, v);
		return v;
	}
	v->kind = y->kind == YAML_MAP ? VALUE_MAP : VALUE_LIST;
	for (m = y->first; m != NULL; m = m->next) {
		if (v->kind == VALUE_MAP && str_is(m->key, "<<") && m->kind != YAML_SCALAR)
			yaml_merge(b, v, &tail, collect_names(b->arena, y), m);
		else
			value_append(v, &tail, m->key, yaml_value(b, m));
	}
	if (v->kind == VALUE_MAP && !value_index(b->arena, v, &twice) && b->twice.p == NULL)
		b->twice = twice;
	return v;
}

static struct value *
read_yaml(struct builder *b, struct str text, const struct value_limits *limits, const char **error)
{
	/* text counts what aliases repeat: a document may grow to twice its size. */
	const struct yaml_limits yaml = { .bytes = limits->bytes, .text = limits->bytes * 2,
		.nodes = limits->values, .depth = limits->depth, .anchors = MAX_ANCHORS, .single = true };
	const char *problem;
	struct yaml *root;
	size_t line, repeated;

	if (!yaml_parse(b->arena, text, &yaml, &root, &repeated, &problem, &line)) {
		*error = arena_printf(b->arena, "line %zu: %s", line, problem);
		return NULL;
	}
	/* The parser has left out what it repeats; value_index() detects names after merges. */
	b->line = repeated;
	return yaml_value(b, root);
}

struct value *
value_read(struct arena *a, struct str text, const struct value_limits *limits, const char **error)
{
	struct builder b = { .arena = a };
	struct value *v;
	size_t i;

	/* The NUL makes strspn() and strtod() stop at the end of the text. */
	assert(limits->depth <= VALUE_MAX_DEPTH && text.p[text.n] == '\0');
	if (text.n > limits->bytes) {
		*error = arena_printf(a, "more than %zu bytes", limits->bytes);
		return NULL;
	}
	/* A byte order mark, which RFC 8259, 8.1 lets a reader ignore. */
	if (str_starts(text, "\xEF\xBB\xBF"))
		text = str_slice(text, 3, text.n);
	/*
	 * A flow map of YAML that is not JSON is refused: a text that begins like JSON gets the
	 * error messages of JSON.
	 */
	i = strspn(text.p, " \t\r\n");
	if (text.p[i] == '{' || text.p[i] == '[')
		v = read_json(&b, text, limits, error);
	else
		v = read_yaml(&b, text, limits, error);
	if (v != NULL && b.line != 0)
		*error = arena_printf(a, "line %zu: a name occurs twice in one map; the first counts", b.line);
	else if (v != NULL)
		*error = b.twice.p == NULL ? NULL : arena_printf(a, "the name \"%.*s\" occurs twice in one map; the last counts",
		    (int)(b.twice.n < 200 ? b.twice.n : 200), b.twice.p);
	return v;
}
