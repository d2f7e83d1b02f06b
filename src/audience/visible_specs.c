/* Decides whether a visitor sees an API description on a site. Contract: visit_sees_spec() in audience/visit.h. */
#include "links/links.h"
#include "markdown/document.h"
#include "audience_parts.h"
#include "store/blob.h"

/* Finds the pages that name a specification in the tables of links: otherwise every body would have to be parsed. */
SQL(q_sources,
    "SELECT DISTINCT l.source FROM link_edition e JOIN link_target t ON t.edition = e.no "
    "JOIN link l ON l.target = t.id WHERE e.branch = :branch AND e.shown = 1 AND t.key = :key ORDER BY l.source");

/* True if the body, as the visitor sees it, has a block that shows the specification. */
static bool
body_shows(const struct visit *v, const struct point *at, const struct node *n, const char *slug)
{
	const char **specs;
	struct str body, seen;
	size_t count, i;

	if (n->body.n == 0 || !blob_get(v->db, v->arena, n->body, &body) || memmem(body.p, body.n, "{%", 2) == NULL)
		return false;
	/*
	 * An empty title is put before the body: visit_markdown() does not evaluate the text before
	 * the first blank line.
	 */
	seen = visit_markdown(v, at, n, str_of(arena_printf(v->arena, "\n\n%.*s", (int)body.n, body.p)));
	specs = doc_specs(v->arena, doc_parse(v->arena, seen, NULL, NULL, NULL), &count);
	for (i = 0; i < count && strcmp(computed_slug(v->db, v->arena, at->space, specs[i]), slug) != 0; i++)
		;
	return i < count;
}

/*
 * True if this page or reusable content shows the specification to the visitor. Reusable contents
 * are not checked for a visible page that uses them.
 */
static bool
node_shows(const struct visit *v, const struct point *at, const struct node *n, const char *slug)
{
	/* A computed page shows the whole specification. */
	if (n->kind == NODE_COMPUTED)
		return sees_with_ancestors(v, at, n);
	return (n->kind == NODE_REUSABLE || sees_with_ancestors(v, at, n)) && body_shows(v, at, n, slug);
}

/* Checks the nodes that name the specification in the edition of links that the branch shows. */
static bool
named_source_shows(const struct visit *v, const struct point *at, int64_t branch, const char *slug)
{
	struct stmt *q = db_use(v->db, &q_sources);
	const char **ids = NULL;
	size_t n = 0, room = 0, i;
	struct node node;

	bind_int(q, ":branch", branch);
	bind_text(q, ":key", arena_printf(v->arena, LINK_SPEC "%s", slug));
	/* The ids are collected first, because statements that read the sources may reset this one. */
	while (stmt_step(q)) {
		ids = arena_grow(v->arena, ids, n, &room, sizeof(*ids));
		ids[n++] = col_dup(q, 0, v->arena);
	}
	for (i = 0; i < n && !(node_get(v->db, v->arena, at, ids[i], &node) && node_shows(v, at, &node, slug)); i++)
		;
	return i < n;
}

/*
 * The branch of a previewed change request has no edition of links: its computed pages are found by that
 * of the branch that it was made from, and all other texts are read.
 */
static bool
request_shows(const struct visit *v, const struct point *at, const char *slug)
{
	struct node *list;
	size_t n, i;

	if (named_source_shows(v, at, at->base, slug))
		return true;
	list = node_list(v->db, v->arena, at, NODE_DOCUMENT | NODE_REUSABLE, &n);
	for (i = 0; i < n && !node_shows(v, at, &list[i], slug); i++)
		;
	return i < n;
}

static bool
space_shows(const struct visit *v, const struct point *at, const char *name)
{
	const char *slug = computed_slug(v->db, v->arena, at->space, name);

	if (v->request != NULL && strcmp(v->request->space, at->space) == 0)
		return request_shows(v, at, slug);
	return named_source_shows(v, at, at->branch, slug);
}

bool
visit_sees_spec(const struct visit *v, const char *name)
{
	const struct visit_item *it = NULL;

	while ((it = visit_next_space(v, it)) != NULL)
		if (space_shows(v, &it->point, name))
			return true;
	return false;
}
