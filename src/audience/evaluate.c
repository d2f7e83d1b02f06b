/*
 * Evaluates {% if %} blocks and expressions in documents and in Markdown for a visitor. Blocks and
 * expressions that cannot be evaluated are omitted. Contract: audience/visit.h.
 */
#include <cjson/cJSON.h>

#include "base/json.h"
#include "expr/expr.h"
#include "markdown/document.h"
#include "markdown/document_tree.h"
#include "audience_parts.h"

struct evaluation {
	const struct visit *v;
	const cJSON        *scope;
};

/*
 * Evaluates an expression. False if it is invalid or fails: callers then omit the value, or hide
 * the content of the condition.
 */
static bool
evaluate_text(struct evaluation *t, struct str text, struct expr_value *out)
{
	const char *error;
	const struct expr *e = read_expression(t->v->db, t->v->arena, str_trim(text))->e;

	return e != NULL && expr_eval(e, t->scope, t->v->arena, out, &error);
}

static bool
condition_holds(struct evaluation *t, struct str text)
{
	struct expr_value value;

	return evaluate_text(t, text, &value) && expr_true(&value);
}

/* The value of an expression as text; "" for undefined and null. */
static struct str
evaluate_value(struct evaluation *t, struct str text)
{
	struct expr_value value;

	if (!evaluate_text(t, text, &value) || value.type <= EXPR_NULL)
		return (struct str){ "", 0 };
	text = expr_text(t->v->arena, &value);
	/* Copied, because the text of a literal belongs to the cached expression (read_expression()). */
	return (struct str){ arena_strndup(t->v->arena, text.p, text.n), text.n };
}

/*
 * True if the expression must not be evaluated now, because its value differs between visitors
 * (deterministic_only).
 */
static bool
is_kept_raw(struct evaluation *t, const char *text)
{
	const struct expr *e;

	if (!t->v->deterministic_only)
		return false;
	e = read_expression(t->v->db, t->v->arena, str_trim(str_of(text)))->e;
	return e != NULL && expr_uses_name(e, "visitor");
}

/* True if s contains `what`. Most texts contain no expression, and then need not be parsed. */
static bool
has_text(struct str s, const char *what)
{
	return s.n > 0 && memmem(s.p, s.n, what, strlen(what)) != NULL;
}

/* ---- documents ---- */

/* The expression in a node's data; "" if there is none, which gives an empty text. */
static const char *
read_expression_text(const cJSON *node)
{
	return json_text_or_empty(cJSON_GetObjectItemCaseSensitive(node, "data"), "expression");
}

static bool
is_conditional(const cJSON *node)
{
	return strcmp(json_text_or_empty(node, "type"), "expression") == 0 || strcmp(json_text_or_empty(node, "type"), "if") == 0;
}

/* Makes the text node that replaces an inline expression (docs/design/documents.md, "Inlines"). */
static cJSON *
make_text_node(struct evaluation *t, const cJSON *node)
{
	struct str text = evaluate_value(t, str_of(read_expression_text(node)));
	cJSON *out = cJSON_CreateObject(), *leaf;

	cJSON_AddStringToObject(out, "object", "text");
	leaf = cJSON_CreateObject();
	cJSON_AddItemToArray(cJSON_AddArrayToObject(out, "leaves"), leaf);
	cJSON_AddStringToObject(leaf, "object", "leaf");
	cJSON_AddStringToObject(leaf, "text", arena_strndup(t->v->arena, text.p, text.n));
	cJSON_AddArrayToObject(leaf, "marks");
	return out;
}

/* Returns the list with each {% if %} replaced by its content, or left out if its condition does not hold. */
static cJSON *
evaluate_nodes(struct evaluation *t, cJSON *list)
{
	static const char *const inside[] = { "nodes", "fragments" };
	cJSON *out = cJSON_CreateArray(), *node, *next, *below;
	size_t i;

	for (node = list->child; node != NULL; node = next) {
		/* Saved, because the node is detached below. */
		next = node->next;
		cJSON_DetachItemViaPointer(list, node);
		for (i = 0; i < 2; i++) {
			below = cJSON_GetObjectItemCaseSensitive(node, inside[i]);
			if (cJSON_IsArray(below))
				cJSON_ReplaceItemInObjectCaseSensitive(node, inside[i], evaluate_nodes(t, below));
		}
		/* The children were evaluated before, so the content of an {% if %} can be moved as it is. */
		if (!is_conditional(node) || is_kept_raw(t, read_expression_text(node))) {
			cJSON_AddItemToArray(out, node);
		} else if (strcmp(json_text_or_empty(node, "type"), "expression") == 0) {
			cJSON_AddItemToArray(out, make_text_node(t, node));
		} else if (condition_holds(t, str_of(read_expression_text(node)))) {
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
	struct evaluation t = { v, NULL };
	cJSON *d, *list;

	if (!has_text(json, "\"type\":\"if\"") && !has_text(json, "\"type\":\"expression\""))
		return json;
	/* All expressions of the document share one scope. */
	t.scope = visit_scope(v, at, page);
	d = cJSON_ParseWithLength(json.p, json.n);
	list = cJSON_GetObjectItemCaseSensitive(d, "nodes");
	if (cJSON_IsArray(list))
		cJSON_ReplaceItemInObjectCaseSensitive(d, "nodes", evaluate_nodes(&t, list));
	return str_of(cJSON_PrintUnformatted(d));
}

/* ---- Markdown ---- */

static void evaluate_tree(struct evaluation *t, struct doc_node *of);

/*
 * Evaluates the cells of a table, which have trees of their own that are not children of the node.
 */
static void
evaluate_cells(struct evaluation *t, const struct doc_table *table)
{
	struct doc_record *r;
	size_t i;

	for (r = table->records; r != NULL; r = r->next)
		for (i = 0; i < table->width; i++)
			if (r->cells[i].blocks != NULL)
				evaluate_tree(t, r->cells[i].blocks);
}

/* Does the same as evaluate_nodes() in a parsed Markdown tree. */
static void
evaluate_tree(struct evaluation *t, struct doc_node *of)
{
	struct doc_node *n = of->child, *next;
	struct str text;

	of->child = of->last = NULL;
	for (; n != NULL; n = next) {
		next = n->next;
		/* doc_append() takes a single node. */
		n->next = NULL;
		if ((n->type != DOC_EXPRESSION && n->type != DOC_IF) || is_kept_raw(t, doc_attr_str(n, "expression"))) {
			evaluate_tree(t, n);
			doc_append(of, n);
		} else if (n->type == DOC_EXPRESSION) {
			text = evaluate_value(t, str_of(doc_attr_str(n, "expression")));
			if (text.n > 0)
				doc_text(t->v->arena, of, text, 0);
		} else if (condition_holds(t, str_of(doc_attr_str(n, "expression")))) {
			evaluate_tree(t, n);
			doc_append_children(of, n);
		}
	}
	/* Fragments (titles, captions, notes) contain expressions too. */
	for (n = of->frags; n != NULL; n = n->next)
		evaluate_tree(t, n);
	if (of->table != NULL)
		evaluate_cells(t, of->table);
}

bool
visit_conditional(struct str text)
{
	const char *p = text.p, *end = text.p + text.n;

	for (; p < end && (p = memmem(p, (size_t)(end - p), "{%", 2)) != NULL; p++) {
		struct str rest = { p + 2, (size_t)(end - p - 2) };
		if (str_starts(rest, "-"))
			rest = str_slice(rest, 1, rest.n);
		/* The tag parser accepts any number of blanks (doc_tag.c). */
		while (rest.n > 0 && (*rest.p == ' ' || *rest.p == '\t' || *rest.p == '\n' || *rest.p == '\r'))
			rest = str_slice(rest, 1, rest.n);
		if (str_starts(rest, "if"))
			return true;
	}
	return false;
}

/*
 * Markdown that may contain a condition is parsed and written again, except for its title: only the
 * parser can distinguish a condition from code that shows one.
 */
struct str
visit_markdown(const struct visit *v, const struct point *at, const struct node *page, struct str text)
{
	const char *body = text.n == 0 ? NULL : memmem(text.p, text.n, "\n\n", 2);
	struct evaluation t = { v, NULL };
	struct doc *d;
	struct buf b;

	if (body == NULL || (!visit_conditional(text) && !has_text(text, "expression")))
		return text;
	/* The title ends with the first blank line. markdown_of() wrote it, so it contains no conditions. */
	body += 2;
	t.scope = visit_scope(v, at, page);
	d = doc_parse(v->arena, str_slice(text, (size_t)(body - text.p), text.n), NULL, NULL, NULL);
	evaluate_tree(&t, d->root);
	buf_init(&b, v->arena, 1 << 28);
	buf_add(&b, text.p, (size_t)(body - text.p));
	doc_markdown(&b, d, NULL);
	return buf_view(&b);
}
