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

	if (n->body.n == 0 || !blob_get(v->db, v->arena, n->body, &body))
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
source_shows(const struct visit *v, const struct point *at, const char *id, const char *slug)
{
	struct node n;

	if (!node_get(v->db, v->arena, at, id, &n))
		return false;
	/* A computed page shows the whole specification. */
	if (n.kind == NODE_COMPUTED)
		return sees_with_ancestors(v, at, &n);
	return (n.kind == NODE_REUSABLE || sees_with_ancestors(v, at, &n)) && body_shows(v, at, &n, slug);
}

static bool
space_shows(const struct visit *v, const struct point *at, const char *name)
{
	const char *slug = computed_slug(v->db, v->arena, at->space, name);
	struct stmt *q = db_use(v->db, &q_sources);
	const char **ids = NULL;
	size_t n = 0, room = 0, i;

	bind_int(q, ":branch", at->branch);
	bind_text(q, ":key", arena_printf(v->arena, LINK_SPEC "%s", slug));
	/* The ids are collected first, because statements that read the sources may reset this one. */
	while (stmt_step(q)) {
		ids = arena_grow(v->arena, ids, n, &room, sizeof(*ids));
		ids[n++] = col_dup(q, 0, v->arena);
	}
	for (i = 0; i < n && !source_shows(v, at, ids[i], slug); i++)
		;
	return i < n;
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
