/* Evaluates conditions for a visitor. Contract: audience/visit.h. */
#include <cjson/cJSON.h>

#include "base/map.h"
#include "base/secret.h"
#include "expr/expr.h"
#include "audience_parts.h"

/* Values of the map, compared by address. */
static char yes[] = "yes", no[] = "no";

struct visit_trace {
	struct map  *results;             /* text -> yes or no, for conditions on claims alone */
	const cJSON *scope;               /* scope of these; NULL: not made yet */
	const char  *revision;            /* revision of vars; NULL: none yet */
	const cJSON *vars;
	const cJSON *claims_of_whole;     /* the claims that `whole` was made from */
	const cJSON *whole;               /* the same with the member "unsigned"; NULL: not made yet */
	/* What was evaluated, for visit_personal(). */
	bool         claims_used;         /* something other than a page's condition used claims */
	const char  *revision_seen;       /* last revision whose pages' conditions were evaluated; NULL: none */
	bool         several_revisions;   /* that was done at more than one revision */
	const char  *revision_searched;   /* of the last call of count_searches() */
	int          searches;            /* consecutive calls for that revision */
};

struct visit_trace *
trace_new(struct arena *a)
{
	struct visit_trace *h = arena_alloc(a, sizeof(*h));

	h->results = map_new(a);
	return h;
}

void
trace_pages(const struct visit *v, const struct point *at)
{
	struct visit_trace *h = v->trace;

	h->several_revisions = h->several_revisions ||
	    (h->revision_seen != NULL && strcmp(h->revision_seen, at->revision) != 0);
	h->revision_seen = at->revision;
}

void
trace_claims(const struct visit *v)
{
	v->trace->claims_used = true;
}

int
count_searches(const struct visit *v, const struct point *at)
{
	struct visit_trace *h = v->trace;

	/* A search goes through one space after the other. */
	h->searches = same_text(h->revision_searched, at->revision) ? h->searches + 1 : 1;
	h->revision_searched = at->revision;
	return h->searches;
}

void
trace_structure(const struct visit *v)
{
	v->trace->claims_used = false;
}

bool
visit_personal(const struct visit *v, const struct visit_item *known)
{
	const struct visit_trace *h = v->trace;

	return h->claims_used || h->several_revisions ||
	    (h->revision_seen != NULL && (known == NULL || strcmp(h->revision_seen, known->point.revision) != 0));
}

/* Variables of a space at a point: a setting, which belongs to the revision. */
static const cJSON *
read_variables(const struct visit *v, const struct point *at)
{
	const cJSON *value = NULL;
	struct node n;

	if (at->revision != NULL && same_text(v->trace->revision, at->revision))
		return v->trace->vars;
	if (node_get(v->db, v->arena, at, "vars", &n))
		value = cJSON_GetObjectItemCaseSensitive(cJSON_Parse(n.props), "value");
	v->trace->revision = at->revision;
	return v->trace->vars = cJSON_IsObject(value) ? value : NULL;
}

/* Add by reference: the member outlives the scope. NULL: the part is empty. */
static void
add_part(cJSON *scope, const char *name, const char *member, const cJSON *value)
{
	cJSON *part = cJSON_AddObjectToObject(scope, name);

	if (value != NULL)
		cJSON_AddItemReferenceToObject(part, member, (cJSON *)(uintptr_t)value);
	else
		cJSON_AddObjectToObject(part, member);
}

/*
 * Claims as conditions see them. "unsigned" is always an object, so that a member of it is
 * undefined instead of an error.
 */
static const cJSON *
whole_claims(const struct visit *v)
{
	struct visit_trace *h = v->trace;
	cJSON *whole;

	if (cJSON_IsObject(cJSON_GetObjectItemCaseSensitive(v->claims, "unsigned")))
		return v->claims;
	if (h->whole == NULL || h->claims_of_whole != v->claims) {
		whole = cJSON_Duplicate(v->claims, true);
		cJSON_DeleteItemFromObjectCaseSensitive(whole, "unsigned");
		cJSON_AddObjectToObject(whole, "unsigned");
		h->claims_of_whole = v->claims;
		h->whole = whole;
	}
	return h->whole;
}

static cJSON *
scope_of(const struct visit *v, const struct point *at, const struct node *page)
{
	cJSON *scope = cJSON_CreateObject();
	const cJSON *vars = page == NULL ? NULL :
	    cJSON_GetObjectItemCaseSensitive(cJSON_Parse(page->props), "variables");

	add_part(scope, "visitor", "claims", whole_claims(v));
	add_part(scope, "space", "vars", at == NULL ? NULL : read_variables(v, at));
	add_part(scope, "page", "vars", cJSON_IsObject(vars) ? vars : NULL);
	return scope;
}

cJSON *
visit_scope(const struct visit *v, const struct point *at, const struct node *page)
{
	trace_claims(v);
	return scope_of(v, at, page);
}

static bool
holds_for_visitor(const struct visit *v, const struct expr *e, const cJSON *scope)
{
	struct expr_value value;
	const char *error;

	/* Any error hides: an author's mistake must not reveal what was meant for some. */
	return e != NULL && expr_eval(e, scope, v->arena, &value, &error) && expr_true(&value);
}

/*
 * Caches the result by text: many pages have the same condition. Only for conditions that depend on
 * nothing but the visitor.
 */
bool
visit_holds_at(const struct visit *v, const char *condition, const struct point *at, const struct node *page)
{
	struct visit_trace *trace = v->trace;
	const struct parsed_expression *text;
	const char *known;
	bool holds;

	if (condition == NULL || *condition == '\0')
		return true;
	known = map_get(trace->results, str_of(condition));
	if (known != NULL)
		return known == yes;
	text = read_expression(v->db, v->arena, str_of(condition));
	/* It depends on the page or space: not cached. */
	if (text->local)
		return holds_for_visitor(v, text->e, scope_of(v, at, page));
	/* All conditions of a visit share the claims. */
	if (trace->scope == NULL)
		trace->scope = scope_of(v, NULL, NULL);
	holds = holds_for_visitor(v, text->e, trace->scope);
	map_add(trace->results, str_of(arena_strdup(v->arena, condition)), holds ? yes : no);
	return holds;
}

bool
visit_holds(const struct visit *v, const char *condition)
{
	/* Also if the result is cached from the structure. */
	v->trace->claims_used = v->trace->claims_used || (condition != NULL && *condition != '\0');
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
		 * Include only visible spaces: a change of a hidden one must neither show nor empty
		 * the visitor's caches.
		 */
		buf_printf(&b, " %s %s", it->id, it->point.revision);
	return hex(v->arena, str_slice(hash_of(v->arena, buf_view(&b)), 0, 16));
}
