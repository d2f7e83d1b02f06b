/*
 * Texts as a visitor sees them: blocks {% if %} and expressions, in documents and in
 * Markdown. What cannot be evaluated is not there. Contract: visit/visit.h.
 */
#include <cjson/cJSON.h>

#include "expr/expr.h"
#include "parts.h"

struct telling {
	const struct visit *v;
	const cJSON        *scope;
};

static bool
value_of(struct telling *t, struct str text, struct expr_value *out)
{
	const char *error;
	struct expr *e = expr_parse(t->v->arena, str_trim(text), &error);

	return e != NULL && expr_eval(e, t->scope, t->v->arena, out, &error);
}

static bool
holds(struct telling *t, struct str text)
{
	struct expr_value value;

	return value_of(t, text, &value) && expr_true(&value);
}

/* undefined and null are nothing in a text. */
static struct str
told(struct telling *t, struct str text)
{
	struct expr_value value;

	if (!value_of(t, text, &value) || value.type <= EXPR_NULL)
		return (struct str){ "", 0 };
	return expr_text(t->v->arena, &value);
}

static bool
mentions(struct str s, const char *what)
{
	return s.n > 0 && memmem(s.p, s.n, what, strlen(what)) != NULL;
}

/* ---- documents ---- */

static const char *
text_of(const cJSON *v, const char *name)
{
	const cJSON *m = cJSON_GetObjectItemCaseSensitive(v, name);

	return cJSON_IsString(m) ? m->valuestring : "";
}

static const char *
expression_of(const cJSON *node)
{
	return text_of(cJSON_GetObjectItemCaseSensitive(node, "data"), "expression");
}

static cJSON *
leaf_node(struct telling *t, const cJSON *node)
{
	struct str text = told(t, str_of(expression_of(node)));
	cJSON *out = cJSON_CreateObject(), *leaf;

	cJSON_AddStringToObject(out, "object", "text");
	leaf = cJSON_CreateObject();
	cJSON_AddItemToArray(cJSON_AddArrayToObject(out, "leaves"), leaf);
	cJSON_AddStringToObject(leaf, "object", "leaf");
	cJSON_AddStringToObject(leaf, "text", arena_strndup(t->v->arena, text.p, text.n));
	cJSON_AddArrayToObject(leaf, "marks");
	return out;
}

/* A list of nodes with what its {% if %} hold in their place. */
static cJSON *
nodes(struct telling *t, cJSON *list)
{
	static const char *const inside[] = { "nodes", "fragments" };
	cJSON *out = cJSON_CreateArray(), *node, *next, *below;
	size_t i;

	for (node = list->child; node != NULL; node = next) {
		next = node->next;
		cJSON_DetachItemViaPointer(list, node);
		for (i = 0; i < 2; i++) {
			below = cJSON_GetObjectItemCaseSensitive(node, inside[i]);
			if (cJSON_IsArray(below))
				cJSON_ReplaceItemInObjectCaseSensitive(node, inside[i], nodes(t, below));
		}
		if (strcmp(text_of(node, "type"), "expression") == 0) {
			cJSON_AddItemToArray(out, leaf_node(t, node));
		} else if (strcmp(text_of(node, "type"), "if") != 0) {
			cJSON_AddItemToArray(out, node);
		} else if (holds(t, str_of(expression_of(node)))) {
			below = cJSON_GetObjectItemCaseSensitive(node, "nodes");
			while (below != NULL && below->child != NULL)
				cJSON_AddItemToArray(out, cJSON_DetachItemViaPointer(below, below->child));
		}
	}
	return out;
}

struct str
visit_document(const struct visit *v, const struct point *at, const struct node *page, struct str json)
{
	struct telling t = { v, NULL };
	cJSON *d, *list;

	if (!mentions(json, "\"type\":\"if\"") && !mentions(json, "\"type\":\"expression\""))
		return json;
	t.scope = visit_scope(v, at, page);
	d = cJSON_ParseWithLength(json.p, json.n);
	list = cJSON_GetObjectItemCaseSensitive(d, "nodes");
	if (cJSON_IsArray(list))
		cJSON_ReplaceItemInObjectCaseSensitive(d, "nodes", nodes(&t, list));
	return str_of(cJSON_PrintUnformatted(d));
}

/* ---- Markdown ---- */

/* What stands between the ends of a tag on a line of its own: "{% if x %}" gives "x"; false: it is none. */
static bool
tag(struct str line, const char *name, struct str *rest)
{
	struct str s = str_trim(line);

	if (s.n < 4 || memcmp(s.p, "{%", 2) != 0 || memcmp(s.p + s.n - 2, "%}", 2) != 0)
		return false;
	s = str_trim(str_slice(s, 2, s.n - 2));
	if (!str_starts(s, name) || (s.n > strlen(name) && s.p[strlen(name)] != ' '))
		return false;
	*rest = str_trim(str_slice(s, strlen(name), s.n));
	return true;
}

/* The fence of a code block: its character and how often it stands there; 0: the line is none. */
static size_t
fence(struct str line, char *c)
{
	struct str s = str_trim(line);
	size_t n = 0;

	if (s.n < 3 || (s.p[0] != '`' && s.p[0] != '~'))
		return 0;
	while (n < s.n && s.p[n] == s.p[0])
		n++;
	*c = s.p[0];
	return n < 3 ? 0 : n;
}

static void
line_out(struct telling *t, struct buf *out, struct str line)
{
	static const char open[] = "<code class=\"expression\">", close[] = "</code>";
	const char *at, *end;

	while ((at = memmem(line.p, line.n, open, strlen(open))) != NULL) {
		struct str inner = str_slice(line, (size_t)(at - line.p) + strlen(open), line.n);
		end = memmem(inner.p, inner.n, close, strlen(close));
		if (end == NULL)
			break;
		buf_add(out, line.p, (size_t)(at - line.p));
		buf_put(out, told(t, (struct str){ inner.p, (size_t)(end - inner.p) }));
		line = str_slice(inner, (size_t)(end - inner.p) + strlen(close), inner.n);
	}
	buf_put(out, line);
}

struct markdown {
	struct buf out;
	int        depth, hidden;    /* levels of {% if %}; the outermost that does not hold, 0: all do */
	char       mark;             /* of the code block that the line is in */
	size_t     width;            /* of its fence; 0: it is in none */
};

static void
line_of(struct telling *t, struct markdown *m, struct str line)
{
	struct str rest;
	char mark = '\0';
	size_t width = fence(line, &mark);

	if (m->width == 0 && tag(line, "if", &rest)) {
		m->depth++;
		if (m->hidden == 0 && !holds(t, rest))
			m->hidden = m->depth;
		return;
	}
	if (m->width == 0 && m->depth > 0 && tag(line, "endif", &rest)) {
		if (m->hidden == m->depth)
			m->hidden = 0;
		m->depth--;
		return;
	}
	if (width > 0 && m->width == 0) {
		m->width = width;
		m->mark = mark;
	} else if (width >= m->width && mark == m->mark) {
		m->width = 0;
	}
	if (m->hidden == 0)
		line_out(t, &m->out, line);
}

struct str
visit_markdown(const struct visit *v, const struct point *at, const struct node *page, struct str text)
{
	struct telling t = { v, NULL };
	struct markdown m = { .depth = 0 };
	size_t from, to;

	if (!mentions(text, "{%") && !mentions(text, "class=\"expression\""))
		return text;
	t.scope = visit_scope(v, at, page);
	buf_init(&m.out, v->arena, 1 << 28);
	for (from = 0; from < text.n; from = to) {
		const char *end = memchr(text.p + from, '\n', text.n - from);
		to = end == NULL ? text.n : (size_t)(end - text.p) + 1;
		line_of(&t, &m, str_slice(text, from, to));
	}
	return m.out.n == 0 ? (struct str){ "", 0 } : buf_view(&m.out);
}
