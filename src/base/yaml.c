/*
 * Builds struct yaml from libyaml's events. Limits are checked while reading, so that no larger
 * tree is ever built. Each use of an alias counts as many nodes, bytes and levels as the anchor
 * has, and an alias must not occur inside its own anchor.
 */
#define YAML_WITH_LIBRARY
#include <math.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/yaml.h"

/*
 * Limits for settings and frontmatter: far above what people write, and small enough that the tree
 * of a hostile file takes only a few megabytes.
 */
const struct yaml_limits yaml_limits_settings = {
	.bytes = 1 << 20, .text = 2 << 20, .nodes = 100000, .anchors = 100, .depth = 64 };

struct anchor {
	const char  *name;
	struct yaml *node;
	size_t       nodes;  /* number of nodes in its subtree, itself included */
	size_t       bytes;  /* of their text */
	unsigned     height; /* levels below it */
	bool         open;   /* its node is still being read: an alias to it would be a cycle */
};

struct reader {
	struct arena  *arena;
	const struct yaml_limits *limits;
	yaml_parser_t  parser;
	struct anchor *anchors;   /* array of limits->anchors elements */
	size_t         anchor_count;
	size_t         nodes;
	size_t         bytes;     /* bytes of text so far */
	unsigned       deepest;   /* deepest level reached below the innermost open node */
	/* Line of the first repeated key; 0: none. */
	size_t         repeated;
	const char    *error;
	/* Line of the error, from 1. */
	size_t         line;
};

/* Records an error and returns false. Reading stops at the first error. */
static bool
fail_at(struct reader *r, const char *error, size_t line)
{
	r->error = error;
	r->line = line;
	return false;
}

/* The next event, which the caller deletes. */
static bool
next_event(struct reader *r, yaml_event_t *e)
{
	const char *problem;

	if (yaml_parser_parse(&r->parser, e))
		return true;
	problem = r->parser.problem != NULL ? r->parser.problem : "unreadable";
	return fail_at(r, arena_strdup(r->arena, problem), r->parser.problem_mark.line + 1);
}

/* Replace NUL, which YAML can escape, by U+FFFD: C strings would end there. */
static struct str
scalar_text(struct reader *r, const yaml_event_t *e)
{
	const char *p = (const char *)e->data.scalar.value;
	size_t n = e->data.scalar.length, i, nuls = 0;
	struct buf b;

	for (i = 0; i < n; i++)
		nuls += p[i] == '\0';
	r->bytes += n;
	buf_init(&b, r->arena, n + 2 * nuls);
	for (i = 0; i < n; i++) {
		if (p[i] == '\0')
			buf_utf8(&b, 0xFFFD);
		else
			buf_char(&b, p[i]);
	}
	return buf_view(&b);
}

/*
 * Records a node under its anchor; a name may be used again. *slot: index in r->anchors for
 * anchor_close(). If the node has no anchor (name NULL), *slot is limits->anchors.
 */
static bool
anchor_add(struct reader *r, const yaml_char_t *name, struct yaml *node, size_t line, size_t *slot)
{
	if (name == NULL) {
		*slot = r->limits->anchors;
		return true;
	}
	if (r->anchor_count == r->limits->anchors)
		return fail_at(r, "too many anchors", line);
	*slot = r->anchor_count++;
	r->anchors[*slot] = (struct anchor){
		arena_strdup(r->arena, (const char *)name), node, 1, 0, 0, true };
	return true;
}

/* The node is complete: from here on aliases may refer to it. */
static void
anchor_close(struct reader *r, size_t slot, size_t nodes, size_t bytes, unsigned height)
{
	if (slot == r->limits->anchors)
		return;
	r->anchors[slot].open = false;
	r->anchors[slot].nodes = nodes;
	r->anchors[slot].bytes = bytes;
	r->anchors[slot].height = height;
}

/*
 * An alias refers to the same members as its anchor, but counts towards the limits each time: this
 * bounds the size of the tree when it is written.
 */
static bool
read_alias(struct reader *r, const yaml_event_t *e, unsigned depth, struct yaml *y)
{
	size_t i = r->anchor_count, line = e->start_mark.line + 1;
	struct anchor *k;

	/*
	 * Searches backwards: an alias means the last node before it with that name (YAML 1.2.2
	 * section 7.1).
	 */
	while (i > 0 && strcmp(r->anchors[i - 1].name, (const char *)e->data.alias.anchor) != 0)
		i--;
	if (i == 0)
		return fail_at(r, "alias without an anchor", line);
	k = &r->anchors[i - 1];
	/* The node would contain itself, and writing it would never end. */
	if (k->open)
		return fail_at(r, "alias inside its own anchor", line);
	/*
	 * Counts the tree as it is written, in which each alias repeats its anchor: nine levels of
	 * nine aliases ("billion laughs") make 387 million nodes from a few hundred bytes.
	 */
	if (k->nodes > r->limits->nodes - r->nodes || r->bytes > r->limits->text
	    || k->bytes > r->limits->text - r->bytes)
		return fail_at(r, "too many values", line);
	if (depth + k->height > r->limits->depth)
		return fail_at(r, "nested too deeply", line);
	/* The levels that the alias adds also count for the anchors around it. */
	if (depth + k->height > r->deepest)
		r->deepest = depth + k->height;
	r->nodes += k->nodes;
	r->bytes += k->bytes;
	y->kind = k->node->kind;
	y->first = k->node->first;
	y->text = k->node->text;
	y->plain = k->node->plain;
	return true;
}

static bool read_node(struct reader *r, const yaml_event_t *e, unsigned depth, struct yaml *y);

/* Records a key under its anchor, since an alias may repeat a key as a value (YAML 1.2.2 section 7.1). */
static bool
anchor_key(struct reader *r, const yaml_event_t *e, const struct yaml *y)
{
	struct yaml *k = arena_alloc(r->arena, sizeof(*k));
	size_t slot;

	k->kind = YAML_SCALAR;
	k->text = y->key;
	k->plain = e->data.scalar.style == YAML_PLAIN_SCALAR_STYLE && e->data.scalar.plain_implicit;
	if (!anchor_add(r, e->data.scalar.anchor, k, y->line, &slot))
		return false;
	anchor_close(r, slot, 1, k->text.n, 0);
	return true;
}

/* Accept only text as a key: lookups use it, and JSON has no other keys. */
static bool
read_key(struct reader *r, const yaml_event_t *e, struct yaml *y)
{
	struct yaml k = { 0 };

	y->line = e->start_mark.line + 1;
	if (e->type == YAML_SCALAR_EVENT) {
		y->key = scalar_text(r, e);
		return e->data.scalar.anchor == NULL || anchor_key(r, e, y);
	}
	if (e->type == YAML_ALIAS_EVENT && read_alias(r, e, 1, &k) && k.kind == YAML_SCALAR)
		y->key = k.text;
	else
		/* read_alias() may have set the error already. */
		return r->error == NULL ? fail_at(r, "a key must be plain text", y->line) : false;
	return true;
}

/* Read members up to the closing event. */
static bool
read_members(struct reader *r, struct yaml *parent, unsigned depth)
{
	yaml_event_type_t end = parent->kind == YAML_MAP ? YAML_MAPPING_END_EVENT : YAML_SEQUENCE_END_EVENT;
	struct yaml **tail = &parent->first, *y;
	/*
	 * A map finds repeated keys: comparing each key with all others would be quadratic for a
	 * hostile file.
	 */
	struct map *keys = map_new(r->arena);
	yaml_event_t e;
	/* e is deleted exactly once on each path: after the key, or after the value. */
	bool ok = true, done;

	while (ok) {
		if (!next_event(r, &e))
			return false;
		done = e.type == end;
		y = done ? NULL : arena_alloc(r->arena, sizeof(*y));
		if (y != NULL && parent->kind == YAML_MAP) {
			ok = read_key(r, &e, y);
			yaml_event_delete(&e);
			if (!ok || !next_event(r, &e))
				return false;
		}
		if (y != NULL)
			ok = read_node(r, &e, depth + 1, y);
		yaml_event_delete(&e);
		if (done || !ok)
			break;
		if (parent->kind == YAML_MAP && !map_add(keys, y->key, y)) {
			/*
			 * The first of two equal keys counts. The caller decides whether a repeated
			 * key is an error.
			 */
			r->repeated = r->repeated != 0 ? r->repeated : y->line;
			continue;
		}
		*tail = y;
		tail = &y->next;
	}
	return ok;
}

/* The name of the event's anchor; NULL: none. */
static const yaml_char_t *
event_anchor(const yaml_event_t *e)
{
	return e->type == YAML_SCALAR_EVENT ? e->data.scalar.anchor
	    : e->type == YAML_SEQUENCE_START_EVENT ? e->data.sequence_start.anchor
	    : e->type == YAML_MAPPING_START_EVENT ? e->data.mapping_start.anchor : NULL;
}

static bool
read_node(struct reader *r, const yaml_event_t *e, unsigned depth, struct yaml *y)
{
	size_t line = e->start_mark.line + 1, nodes = r->nodes, bytes = r->bytes, slot;
	unsigned outer = r->deepest;

	if (y->line == 0)
		y->line = line;
	if (depth > r->limits->depth)
		return fail_at(r, "nested too deeply", line);
	if (r->nodes == r->limits->nodes)
		return fail_at(r, "too many values", line);
	r->nodes++;
	if (e->type == YAML_ALIAS_EVENT)
		return read_alias(r, e, depth, y);
	if (!anchor_add(r, event_anchor(e), y, line, &slot))
		return false;
	/* Measure the depth below this node; the outer value is restored at the end. */
	r->deepest = depth;
	if (e->type == YAML_SCALAR_EVENT) {
		y->kind = YAML_SCALAR;
		y->text = scalar_text(r, e);
		y->plain = e->data.scalar.style == YAML_PLAIN_SCALAR_STYLE && e->data.scalar.plain_implicit;
	} else {
		y->kind = e->type == YAML_MAPPING_START_EVENT ? YAML_MAP : YAML_LIST;
		if (!read_members(r, y, depth))
			return false;
	}
	anchor_close(r, slot, r->nodes - nodes, r->bytes - bytes, r->deepest - depth);
	if (outer > r->deepest)
		r->deepest = outer;
	return true;
}

/* True for the empty scalar that libyaml reports for a "---" without content. */
static bool
is_empty(const yaml_event_t *e)
{
	return e->type == YAML_SCALAR_EVENT && e->data.scalar.length == 0 && e->data.scalar.plain_implicit;
}

/* Reads to the end of the first document; if only one is allowed, to the end of the stream. */
static bool
read_stream(struct reader *r, struct yaml **root)
{
	yaml_event_type_t last = r->limits->single ? YAML_STREAM_END_EVENT : YAML_DOCUMENT_END_EVENT;
	yaml_event_t e;
	bool ok, done = false;

	while (!done) {
		if (!next_event(r, &e))
			return false;
		ok = true;
		done = e.type == YAML_STREAM_END_EVENT || e.type == last;
		if (e.type != YAML_STREAM_START_EVENT && e.type != YAML_STREAM_END_EVENT &&
		    e.type != YAML_DOCUMENT_START_EVENT && e.type != YAML_DOCUMENT_END_EVENT) {
			if (*root == NULL) {
				*root = arena_alloc(r->arena, sizeof(**root));
				ok = read_node(r, &e, 1, *root);
			} else if (!is_empty(&e)) {
				ok = fail_at(r, "a second document begins here", e.start_mark.line + 1);
			}
		}
		yaml_event_delete(&e);
		if (!ok)
			return false;
	}
	if (*root != NULL && yaml_is_null(*root))
		*root = NULL;
	return true;
}

bool
yaml_parse(struct arena *a, struct str text, const struct yaml_limits *limits, struct yaml **root,
    size_t *repeated, const char **error, size_t *line)
{
	struct reader *r = arena_alloc(a, sizeof(*r));
	bool ok = false;

	*root = NULL;
	r->arena = a;
	r->limits = limits;
	r->anchors = arena_array(a, limits->anchors, sizeof(*r->anchors));
	/*
	 * libyaml counts a byte order mark as a column, so that the second line would end the map.
	 */
	if (str_starts(text, "\xEF\xBB\xBF"))
		text = str_slice(text, 3, text.n);
	if (text.n > r->limits->bytes) {
		fail_at(r, "too large", 1);
	} else if (!yaml_parser_initialize(&r->parser)) {
		fail_at(r, "out of memory", 1);
	} else {
		yaml_parser_set_encoding(&r->parser, YAML_UTF8_ENCODING);
		yaml_parser_set_input_string(&r->parser, (const unsigned char *)text.p, text.n);
		ok = read_stream(r, root);
		yaml_parser_delete(&r->parser);
	}
	if (!ok)
		*root = NULL;
	if (repeated != NULL)
		*repeated = r->repeated;
	*error = r->error;
	*line = r->line;
	return ok;
}

struct yaml *
yaml_get(const struct yaml *m, const char *key)
{
	struct yaml *y = m != NULL && m->kind == YAML_MAP ? m->first : NULL;

	while (y != NULL && !str_is(y->key, key))
		y = y->next;
	return y;
}

/* The core schema's spellings of null (YAML 1.2.2 section 10.3.2); in quotes they are text. */
bool
yaml_is_null(const struct yaml *y)
{
	return y == NULL || (y->kind == YAML_SCALAR && y->plain && (y->text.n == 0
	    || str_is(y->text, "~") || str_is(y->text, "null") || str_is(y->text, "Null")
	    || str_is(y->text, "NULL")));
}

const char *
yaml_text(const struct yaml *y)
{
	return yaml_is_null(y) || y->kind != YAML_SCALAR ? NULL : y->text.p;
}

bool
yaml_bool(const struct yaml *y, bool *value)
{
	static const char *const names[] = { "false", "False", "FALSE", "true", "True", "TRUE" };
	size_t i;

	for (i = 0; y != NULL && y->kind == YAML_SCALAR && i < 6; i++) {
		if (str_is(y->text, names[i])) {
			*value = i >= 3;
			return true;
		}
	}
	return false;
}

/* Accept digits, a point and an exponent; other forms of strtod() (hex, inf, nan) are text. */
bool
yaml_number(const struct yaml *y, double *value)
{
	static const char allowed[] = "0123456789+-.eE";
	size_t digits;
	char *end;

	/* 64 characters: more digits than a double has, and a bound on what strtod() reads. */
	if (y == NULL || y->kind != YAML_SCALAR || y->text.n == 0 || y->text.n > 64)
		return false;
	if (strspn(y->text.p, allowed) != y->text.n)
		return false;
	digits = strcspn(y->text.p, "0123456789");
	if (digits == y->text.n || strcspn(y->text.p, "eE") < digits)
		return false;
	*value = strtod(y->text.p, &end);
	return *end == '\0' && isfinite(*value);
}

/*
 * Only plain scalars can be null, true, false or a number: quoted ones are text (YAML 1.2.2 section
 * 10.3.2).
 */
static void
scalar_json(struct json *j, const struct yaml *y)
{
	double number;
	bool truth;

	if (yaml_is_null(y))
		json_null(j);
	else if (y->plain && yaml_bool(y, &truth))
		json_bool(j, truth);
	else if (y->plain && yaml_number(y, &number))
		json_num(j, number);
	else
		json_strn(j, y->text);
}

/* Recursive: the limits of the parse bound the depth. */
void
yaml_json(struct json *j, const struct yaml *y)
{
	const struct yaml *m;

	if (y == NULL || y->kind == YAML_SCALAR) {
		scalar_json(j, y);
		return;
	}
	if (y->kind == YAML_MAP)
		json_obj(j);
	else
		json_arr(j);
	for (m = y->first; m != NULL; m = m->next) {
		if (y->kind == YAML_MAP)
			json_keyn(j, m->key);
		yaml_json(j, m);
	}
	json_end(j);
}

bool
yaml_to_json(struct arena *a, struct str yaml, struct buf *out, const char **error, size_t *line)
{
	struct yaml *root;
	struct json j;

	if (!yaml_parse(a, yaml, &yaml_limits_settings, &root, NULL, error, line))
		return false;
	json_init(&j, out);
	yaml_json(&j, root);
	return true;
}
