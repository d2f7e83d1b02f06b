/*
 * Included text for the index: a search finds a page also by the text that it includes. Contract:
 * search_parts.h; store/include.h inserts the text.
 */
#include "base/map.h"
#include "search_parts.h"
#include "store/include.h"

SQL(q_sources,
    "SELECT DISTINCT l.source FROM link_target t JOIN link l ON l.target = t.id "
    "WHERE t.edition = :edition AND t.key = :key ORDER BY l.source");
/* This query runs first: most spaces include nothing, and then this one look-up in an index is enough. */
SQL(q_any,
    "SELECT EXISTS (SELECT 1 FROM link_target WHERE edition = :edition AND key >= 'reusable:' AND key < 'reusable:~')");

/* Reads the link map of a node; false: the node includes nothing. */
static bool
read_link_map(struct db *db, struct arena *a, const struct node *n, struct link_map *out)
{
	struct str refs;

	if (n->refs.n == 0 || !blob_get(db, a, n->refs, &refs) || !include_any(refs))
		return false;
	*out = link_map_read(a, refs);
	return true;
}

struct str
included_key(struct db *db, struct arena *a, const struct point *p, const struct node *n)
{
	struct include_rows rows = { db, a, p };
	struct include_source s = include_from_rows(&rows);
	struct link_map map;

	return read_link_map(db, a, n, &map) ? include_key(a, &s, n->id, &map) : STR("");
}

struct str
included_text(struct db *db, struct arena *a, const struct point *p, const struct node *n, struct str body)
{
	struct include_rows rows = { db, a, p };
	struct include_source s = include_from_rows(&rows);
	struct link_map map;

	return read_link_map(db, a, n, &map) ? include_body(a, &s, n->id, body, &map) : body;
}

/* Add the nodes that include this one. The caller then searches for those that include these. */
static void
add_sources(struct db *db, struct arena *a, int64_t edition, const char *id, struct map *seen, const char ***list,
    size_t *n, size_t *room)
{
	struct stmt *q = db_use(db, &q_sources);
	const char *source;

	bind_int(q, ":edition", edition);
	bind_text(q, ":key", arena_printf(a, "reusable:%s", id));
	while (stmt_step(q)) {
		source = col_dup(q, 0, a);
		if (!map_add(seen, str_of(source), seen))
			continue;
		*list = arena_grow(a, *list, *n, room, sizeof(**list));
		(*list)[(*n)++] = source;
	}
}

const char *const *
included_by(struct db *db, struct arena *a, int64_t branch, const char *const *ids, size_t *n)
{
	int64_t edition = links_shown(db, branch);
	const char **list = NULL;
	size_t i, count = 0, room = 0;
	struct map *seen;
	struct stmt *q;

	/* No links are listed yet. In this case a job "index" is queued, which checks every page. */
	if (edition == 0 || *n == 0)
		return ids;
	q = db_use(db, &q_any);
	bind_int(q, ":edition", edition);
	if (stmt_int(q, 0) == 0)
		return ids;
	seen = map_new(a);
	for (i = 0; i < *n; i++)
		if (map_add(seen, str_of(ids[i]), seen)) {
			list = arena_grow(a, list, count, &room, sizeof(*list));
			list[count++] = ids[i];
		}
	for (i = 0; i < count; i++)
		add_sources(db, a, edition, list[i], seen, &list, &count, &room);
	*n = count;
	return list;
}
