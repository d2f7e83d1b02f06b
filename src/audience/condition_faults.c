/*
 * Faults of conditions and expressions, reported to their authors. Contract:
 * audience/condition_faults.h.
 */
#include <cjson/cJSON.h>

#include "base/utf8.h"
#include "expr/expr.h"
#include "markdown/document.h"
#include "store/blob.h"
#include "audience/condition_faults.h"

struct fault_search {
	const struct visit  *v;
	const struct point  *at;
	const struct node   *n;
	const cJSON         *scope;     /* made with the first expression: most pages have none */
	struct visit_fault **last;
};

/* Cuts a text to EXPR_MAX characters, since an invalid expression may be as long as the body. */
static struct str
clip_text(struct str s)
{
	size_t n = 0, characters = 0;

	while (n < s.n && characters++ < EXPR_MAX)
		/* Skip to the start of the next character. */
		for (n++; n < s.n && (s.p[n] & 0xc0) == 0x80; n++)
			;
	return str_slice(s, 0, n);
}

/* The fault of a valid condition that holds for no visitor; NULL: it may hold for some. */
static const char *
why_never_true(const struct visit *v, const struct expr *e, const cJSON *scope)
{
	if (expr_may_hold(e, scope, v->arena, v->site.adaptive))
		return NULL;
	return v->site.adaptive || !expr_may_hold(e, scope, v->arena, true) ?
	    "it hides from every visitor, whatever they claim" :
	    "it hides from every visitor, as none can claim anything: adaptiveContent is off";
}

/* The fault of an expression or condition; NULL: it has none. */
static const char *
find_fault(struct fault_search *f, struct str text, bool condition)
{
	const char *why;
	struct expr *e = expr_parse(f->v->arena, text, &why);

	if (e == NULL)
		return why;
	if (f->n->kind == NODE_REUSABLE && expr_uses_name(e, "page"))
		return NULL;
	if (f->scope == NULL)
		f->scope = visit_scope(f->v, f->at, f->n->kind == NODE_REUSABLE ? NULL : f->n);
	why = expr_find_mistake(e, f->scope, f->v->arena);
	return why != NULL || !condition ? why : why_never_true(f->v, e, f->scope);
}

static void
check_text(struct fault_search *f, const char *place, int64_t line, struct str text)
{
	const char *why = find_fault(f, text, strcmp(place, "expression") != 0);
	struct visit_fault *fault;

	if (why == NULL)
		return;
	fault = arena_alloc(f->v->arena, sizeof(*fault));
	text = clip_text(text);
	*fault = (struct visit_fault){ NULL, place, line, arena_strndup(f->v->arena, text.p, text.n), why };
	*f->last = fault;
	f->last = &fault->next;
}

/* Checks the condition of the page. As in visit_sees_node(), an empty text is no condition. */
static void
check_condition(struct fault_search *f)
{
	const cJSON *c;

	/* Most pages have no condition: search the text before parsing it. */
	if (strstr(f->n->props, "\"condition\"") == NULL)
		return;
	c = cJSON_GetObjectItemCaseSensitive(cJSON_Parse(f->n->props), "condition");
	if (cJSON_IsString(c) && *c->valuestring != '\0')
		check_text(f, "condition", 0, str_of(c->valuestring));
}

static void
check_body(struct fault_search *f, struct arena *scratch)
{
	struct doc_expression *list;
	struct str body, front;
	size_t count, i, above = 0;

	if (f->n->body.n == 0 || !blob_get(f->v->db, scratch, f->n->body, &body))
		return;
	list = doc_expressions(scratch, body, &count);
	if (count == 0)
		return;
	/* Lines are counted as in the file, where frontmatter and title precede the body. */
	front = node_front(f->v->db, scratch, f->n);
	for (i = 0; i < front.n; i++)
		above += front.p[i] == '\n';
	for (i = 0; i < count; i++)
		/* Blanks around the expression belong to the tag. */
		check_text(f, list[i].condition ? "if" : "expression", (int64_t)(list[i].line + above), str_trim(str_of(list[i].text)));
}

struct visit_fault *
visit_faults(const struct visit *v, const struct point *at, const struct node *n, struct arena *scratch)
{
	struct visit_fault *first = NULL;
	struct fault_search f = { .v = v, .at = at, .n = n, .last = &first };

	arena_reset(scratch);
	check_condition(&f);
	check_body(&f, scratch);
	return first;
}

const char *
visit_condition_wrong(const struct visit *v, const char *condition)
{
	const struct cJSON *scope;
	const struct expr *e;
	const char *why;

	if (condition == NULL || *condition == '\0')
		return NULL;
	e = expr_parse(v->arena, str_of(condition), &why);
	if (e == NULL)
		return why;
	/* The scope must be the one that visit_holds() uses. */
	scope = visit_scope(v, NULL, NULL);
	why = expr_find_mistake(e, scope, v->arena);
	return why != NULL ? why : why_never_true(v, e, scope);
}
