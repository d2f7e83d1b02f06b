/* Which files hide with the pages that use them. Contract: visit_sees_file() in visit/visit.h. */
#include <cjson/cJSON.h>

#include "base/map.h"
#include "parts.h"

/* Of one revision: ids that only hidden pages use. */
struct unseen {
	struct unseen *next;
	const char    *revision;
	struct map    *files;     /* NULL: no page is hidden */
};

struct uses {
	const struct visit *v;
	const struct point *at;
	struct map         *hidden, *seen;
};

/* Files of other spaces are none of this revision's. */
static void
use_ref(struct map *files, const struct doc_ref *ref)
{
	if (ref->kind == REF_FILE && ref->id != NULL && ref->space == NULL)
		map_add(files, str_of(ref->id), NULL);
}

/* The map of its links names the files of its body, its properties those of its cover. */
static void
use_node(struct uses *u, struct map *files, const struct node *n)
{
	struct arena *a = u->v->arena;
	const cJSON *cover;
	struct link_map m;
	struct doc_ref ref;
	struct str json;
	size_t i;

	if (n->refs.n > 0 && blob_get(u->v->db, a, n->refs, &json)) {
		m = link_map_read(a, json);
		for (i = 0; i < m.n; i++)
			use_ref(files, &m.list[i].ref);
	}
	if (n->props == NULL || strstr(n->props, "\"cover\"") == NULL)
		return;
	cover = cJSON_GetObjectItemCaseSensitive(cJSON_Parse(n->props), "cover");
	if (ref_read(cJSON_GetObjectItemCaseSensitive(cover, "ref"), &ref))
		use_ref(files, &ref);
	if (ref_read(cJSON_GetObjectItemCaseSensitive(cover, "refDark"), &ref))
		use_ref(files, &ref);
}

static void
use_tree(struct uses *u, const struct page *p, bool seen)
{
	for (; p != NULL; p = p->next) {
		/* What lies below a hidden page is hidden, whatever its own condition says. */
		bool here = seen && visit_sees_node(u->v, u->at, &p->node);
		use_node(u, here ? u->seen : u->hidden, &p->node);
		use_tree(u, p->first, here);
	}
}

/* Rarely so: then no page is read for what it uses. */
static bool
any_hidden(const struct visit *v, const struct point *at, const struct page *p)
{
	for (; p != NULL; p = p->next)
		if (!visit_sees_node(v, at, &p->node) || any_hidden(v, at, p->first))
			return true;
	return false;
}

static struct map *
work_out(const struct visit *v, const struct point *at)
{
	struct uses u = { v, at, map_new(v->arena), map_new(v->arena) };
	size_t i, n;
	const struct page *tree = tree_at(v, at);
	struct node *list;
	struct map *files;

	if (pages_at_hand(at) != NULL || !any_hidden(v, at, tree))
		return NULL;
	use_tree(&u, tree, true);
	/* Reusable contents have no place in the tree, and count as seen. */
	list = node_list(v->db, v->arena, at, NODE_REUSABLE, &n);
	for (i = 0; i < n; i++)
		use_node(&u, u.seen, &list[i]);
	files = map_new(v->arena);
	list = node_list(v->db, v->arena, at, NODE_FILE, &n);
	for (i = 0; i < n; i++)
		/*
		 * A file that no page uses stays visible: somebody may have linked its address
		 * elsewhere.
		 */
		if (map_has(u.hidden, str_of(list[i].id)) && !map_has(u.seen, str_of(list[i].id)))
			map_add(files, str_of(list[i].id), NULL);
	return files;
}

bool
visit_sees_file(struct visit *v, const struct visit_item *space, const char *id)
{
	struct unseen *u;

	for (u = v->unseen; u != NULL; u = u->next)
		if (strcmp(u->revision, space->point.revision) == 0)
			return u->files == NULL || !map_has(u->files, str_of(id));
	/* Remembered for the visit: a page with many images asks for each of them. */
	u = arena_alloc(v->arena, sizeof(*u));
	*u = (struct unseen){ v->unseen, space->point.revision, work_out(v, &space->point) };
	v->unseen = u;
	return u->files == NULL || !map_has(u->files, str_of(id));
}
