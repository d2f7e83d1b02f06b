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
	const cJSON *scope;               /* variables for these conditions; NULL: not made yet */
	const char  *revision;            /* revision to which vars belongs; NULL: not read yet */
	const cJSON *vars;
	const cJSON *claims_of_whole;     /* the claims from which `whole` was made */
	const cJSON *whole;               /* these claims with the member "unsigned"; NULL: not made yet */
	/* The members below are for visit_personal(). */
	bool         claims_used;         /* something other than a page's condition used claims */
	const char  *revision_seen;       /* last revision whose pages' conditions were evaluated; NULL: none */
	bool         several_revisions;   /* conditions of pages were evaluated at more than one revision */
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

	/* A search looks at all hits of one space before those of the next. */
	h->searches = same_text(h->revision_searched, at->revision) ? h->searches + 1 : 1;
	h->revision_searched = at->revision;
	return h->searches;
}

void
trace_forget_claims(const struct visit *v)
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

/* The variables of a space at a point. They are a setting of the space, and so belong to the revision. */
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

/*
 * Adds {name: {member: value}} to the scope; value NULL: an empty object. The value is added by
 * reference, since it exists longer than the scope.
 */
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
 * The claims for conditions. Their member "unsigned" is always an object, so that the value of a
 * missing member in it is undefined, and not an error.
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
make_scope(const struct visit *v, const struct point *at, const struct node *page)
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
	return make_scope(v, at, page);
}

static bool
holds_for_visitor(const struct visit *v, const struct expr *e, const cJSON *scope)
{
	struct expr_value value;
	const char *error;

	/*
	 * A condition that fails does not hold: a mistake of the author must not show content to
	 * visitors for whom it is not meant.
	 */
	return e != NULL && expr_eval(e, scope, v->arena, &value, &error) && expr_true(&value);
}

/*
 * Results of conditions that depend only on the visitor are cached by their text, since many pages
 * have the same condition.
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
	/* The result is not cached, since it depends on the page or the space. */
	if (text->local)
		return holds_for_visitor(v, text->e, make_scope(v, at, page));
	/* All conditions of a visit share the claims. */
	if (trace->scope == NULL)
		trace->scope = make_scope(v, NULL, NULL);
	holds = holds_for_visitor(v, text->e, trace->scope);
	map_add(trace->results, str_of(arena_strdup(v->arena, condition)), holds ? yes : no);
	return holds;
}

bool
visit_holds(const struct visit *v, const char *condition)
{
	/* Recorded even if the result is cached. */
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
		 * Only visible spaces are included: a change of a hidden one must not be
		 * noticeable, and must not invalidate the visitor's caches.
		 */
		buf_printf(&b, " %s %s", it->id, it->point.revision);
	return hex(v->arena, str_slice(hash_of(v->arena, buf_view(&b)), 0, 16));
}
