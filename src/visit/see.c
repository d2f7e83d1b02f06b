/* What holds for a visitor. Contract: visit/visit.h. */
#include <cjson/cJSON.h>

#include "base/map.h"
#include "base/secret.h"
#include "expr/expr.h"
#include "parts.h"

/* Values of the map `held`: compared by address, not by text. */
static char yes[] = "yes", no[] = "no";

/* Variables of a space at a point. */
static cJSON *
variables(const struct visit *v, const struct point *at)
{
	const cJSON *value;
	struct node n;

	/* The variables are a setting of the space's content, so they belong to its revision. */
	if (at == NULL || !node_get(v->db, v->arena, at, "vars", &n))
		return cJSON_CreateObject();
	value = cJSON_GetObjectItemCaseSensitive(cJSON_Parse(n.props), "value");
	return cJSON_IsObject(value) ? cJSON_Duplicate(value, true) : cJSON_CreateObject();
}

cJSON *
visit_scope(const struct visit *v, const struct point *at, const struct node *page)
{
	cJSON *scope = cJSON_CreateObject(), *part = cJSON_AddObjectToObject(scope, "visitor");
	const cJSON *vars = page == NULL ? NULL :
	    cJSON_GetObjectItemCaseSensitive(cJSON_Parse(page->props), "variables");

	*v->personal = true;
	/* A copy: the scope is a tree of its own, and v->claims outlives it. */
	cJSON_AddItemToObject(part, "claims", cJSON_Duplicate(v->claims, true));
	part = cJSON_AddObjectToObject(scope, "space");
	cJSON_AddItemToObject(part, "vars", variables(v, at));
	part = cJSON_AddObjectToObject(scope, "page");
	cJSON_AddItemToObject(part, "vars", cJSON_IsObject(vars) ? cJSON_Duplicate(vars, true) : cJSON_CreateObject());
	return scope;
}

static bool
evaluate(const struct visit *v, const struct expr *e, const cJSON *scope)
{
	struct expr_value value;
	const char *error;

	/* Any fault hides: an author's mistake must not show what was meant for some. */
	return e != NULL && expr_eval(e, scope, v->arena, &value, &error) && expr_true(&value);
}

/* Many pages have the same condition: it is read and evaluated once, as far as it looks at the visitor alone. */
bool
visit_holds_at(const struct visit *v, const char *condition, const struct point *at, const struct node *page)
{
	const char *known;
	const struct expr *e;
	bool holds;

	if (condition == NULL || *condition == '\0')
		return true;
	/* Also where the answer is known already, from the structure. */
	*v->personal = true;
	known = map_get(v->held, str_of(condition));
	if (known != NULL)
		return known == yes;
	e = read_expression(v->arena, str_of(condition));
	/* Their value differs from page to page, so the result is not remembered by the text alone. */
	if (e != NULL && (expr_names(e, "page") || expr_names(e, "space")))
		return evaluate(v, e, visit_scope(v, at, page));
	holds = evaluate(v, e, visit_scope(v, NULL, NULL));
	map_add(v->held, str_of(arena_strdup(v->arena, condition)), holds ? yes : no);
	return holds;
}

bool
visit_holds(const struct visit *v, const char *condition)
{
	return visit_holds_at(v, condition, NULL, NULL);
}

char *
visit_state(const struct visit *v)
{
	const struct visit_item *it = NULL;
	struct buf b;

	buf_init(&b, v->arena, 1 << 20);
	buf_printf(&b, "%s %lld %lld %s", v->site.id, (long long)v->site.published_at, (long long)v->site.updated_at,
	    v->site.share_link != NULL ? v->site.share_link : "");
	while ((it = visit_next_space(v, it)) != NULL)
		/*
		 * Only what this visitor sees: a change of a hidden space neither shows nor
		 * empties their caches.
		 */
		buf_printf(&b, " %s %s", it->id, it->point.revision);
	return hex(v->arena, str_slice(hash_of(v->arena, buf_view(&b)), 0, 16));
}
