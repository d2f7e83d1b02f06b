/*
 * Which files and reusable contents hide with all that uses them. Contract: visit_sees_file() in
 * visit/visit.h.
 *
 * What a page shows is told by its document as this visitor sees it, or by the map of its links
 * where the body has no conditions. Which pages use a file is asked from the table of links;
 * at points that it does not tell of, every page is read once.
 */
#include <cjson/cJSON.h>

#include "base/map.h"
#include "links/links.h"
#include "parts.h"

/* What is known of one revision. The maps have ids as keys. */
struct unseen {
	struct unseen *next;
	struct visit  *v;
	struct point   at;
	int64_t        edition;   /* of the table of links, which tells of this point; 0: none does */
	bool           covers;    /* those of all pages were looked at */
	struct map    *seen;      /* the visitor sees something that uses it */
	struct map    *used;      /* something uses it; with an edition, of covers alone */
	struct map    *judged;    /* pages that were looked at */
};

/* A page that the visitor sees, and the reusable contents in it that were looked at. */
struct showing {
	struct unseen     *of;
	const struct node *page;
	struct map        *within;
};

/* ---- what a page shows ---- */

/* NULL: nothing that hides with its users. What is of other spaces is none of this revision's. */
static const char *
target(const struct doc_ref *ref)
{
	return (ref->kind == REF_FILE || ref->kind == REF_REUSABLE) && ref->space == NULL ? ref->id : NULL;
}

static struct link_map
links_of(const struct unseen *u, const struct node *n)
{
	struct str json = { NULL, 0 };

	if (n->refs.n == 0 || !blob_get(u->v->db, u->v->arena, n->refs, &json))
		return (struct link_map){ 0 };
	return link_map_read(u->v->arena, json);
}

static void show(struct showing *s, const struct node *n);

/* A reusable content shows what is in it, under the variables of the page. */
static void
show_ref(struct showing *s, const struct doc_ref *ref)
{
	const char *id = target(ref);
	struct node n;

	if (id == NULL)
		return;
	map_add(s->of->seen, str_of(id), NULL);
	/* Once a page: contents may hold each other. */
	if (ref->kind == REF_REUSABLE && map_add(s->within, str_of(id), NULL) &&
	    node_get(s->of->v->db, s->of->v->arena, &s->of->at, id, &n) && n.kind == NODE_REUSABLE)
		show(s, &n);
}

/* Ids are random: a text that is one of those that the body leads to is a reference, whatever block it stands in. */
static void
show_texts(struct showing *s, const struct map *refs, const cJSON *v)
{
	const struct doc_ref *ref;

	if (cJSON_IsString(v) && (ref = map_get(refs, str_of(v->valuestring))) != NULL)
		show_ref(s, ref);
	for (v = v->child; v != NULL; v = v->next)
		show_texts(s, refs, v);
}

/* The document of a body with conditions, as it is told to the visitor. */
static void
show_document(struct showing *s, const struct node *n, const struct link_map *m)
{
	struct visit *v = s->of->v;
	struct map *refs = map_new(v->arena);
	struct str json;
	cJSON *d;
	size_t i;

	for (i = 0; i < m->n; i++)
		if (target(&m->list[i].ref) != NULL)
			map_add(refs, str_of(m->list[i].ref.id), &m->list[i].ref);
	json = visit_document(v, &s->of->at, s->page, document_of(v->db, v->arena, &s->of->at, n).json);
	d = cJSON_ParseWithLength(json.p, json.n);
	if (d != NULL)
		show_texts(s, refs, d);
}

static void
show(struct showing *s, const struct node *n)
{
	struct link_map m = links_of(s->of, n);
	struct str body = { NULL, 0 };
	size_t i;

	/* Most pages use neither file nor reusable content: their bodies are not read. */
	for (i = 0; i < m.n && target(&m.list[i].ref) == NULL; i++)
		;
	if (i == m.n || (n->body.n > 0 && !blob_get(s->of->v->db, s->of->v->arena, n->body, &body)))
		return;
	if (visit_conditional(body)) {
		show_document(s, n, &m);
		return;
	}
	for (; i < m.n; i++)
		show_ref(s, &m.list[i].ref);
}

static void
judge(struct unseen *u, const struct node *page)
{
	struct showing s = { u, page, NULL };

	if (!map_add(u->judged, str_of(page->id), NULL) || !seen_from_top(u->v, &u->at, page))
		return;
	s.within = map_new(u->v->arena);
	show(&s, page);
}

/* ---- what uses it ---- */

static void
use_ref(struct map *in, const struct doc_ref *ref)
{
	if (target(ref) != NULL)
		map_add(in, str_of(ref->id), NULL);
}

static void
use_links(struct unseen *u, const struct node *n)
{
	struct link_map m = links_of(u, n);
	size_t i;

	for (i = 0; i < m.n; i++)
		use_ref(u->used, &m.list[i].ref);
}

/* No condition of the body hides a cover. */
static void
use_cover(struct unseen *u, const struct node *n)
{
	static const char *const sides[] = { "ref", "refDark" };
	const cJSON *cover;
	struct doc_ref ref;
	size_t i;

	if (n->props == NULL || strstr(n->props, "\"cover\"") == NULL)
		return;
	cover = cJSON_GetObjectItemCaseSensitive(cJSON_Parse(n->props), "cover");
	for (i = 0; i < 2; i++) {
		if (!ref_read(cJSON_GetObjectItemCaseSensitive(cover, sides[i]), &ref))
			continue;
		use_ref(u->used, &ref);
		if (seen_from_top(u->v, &u->at, n))
			use_ref(u->seen, &ref);
	}
}

static void
use_tree(struct unseen *u, const struct page *p)
{
	for (; p != NULL; p = p->next) {
		use_cover(u, &p->node);
		if (u->edition == 0) {
			use_links(u, &p->node);
			judge(u, &p->node);
		}
		use_tree(u, p->first);
	}
}

/* All of the revision, once: covers, and the links that the table does not tell. */
static void
use_all(struct unseen *u)
{
	struct node *list;
	size_t i, n;

	if (u->covers)
		return;
	u->covers = true;
	use_tree(u, tree_at(u->v, &u->at));
	list = u->edition != 0 ? NULL : node_list(u->v->db, u->v->arena, &u->at, NODE_REUSABLE, &n);
	for (i = 0; list != NULL && i < n; i++)
		use_links(u, &list[i]);
}

/*
 * Judges what leads to `from`, one after the other, until `id` is seen; what a reusable content uses
 * is shown by the pages that hold it. True: something leads there.
 */
static bool
climb(struct unseen *u, struct map *climbed, const char *from, const char *id)
{
	struct arena *a = u->v->arena;
	const char *source = "";
	struct node n;
	bool some = false;

	while (!map_has(u->seen, str_of(id)) && (source = links_next(u->v->db, a, u->edition, from, source)) != NULL) {
		some = true;
		if (!node_get(u->v->db, a, &u->at, source, &n))
			continue;
		if (n.kind & NODE_PAGES)
			judge(u, &n);
		else if (map_add(climbed, str_of(source), NULL))
			climb(u, climbed, source, id);
	}
	return some;
}

/* Remembered for the visit: a list of files asks for each of them. */
static struct unseen *
known(struct visit *v, const struct point *at)
{
	struct arena *a = v->arena;
	struct unseen *u;
	struct point head;

	for (u = v->unseen; u != NULL; u = u->next)
		if (strcmp(u->at.revision, at->revision) == 0)
			return u;
	u = arena_alloc(a, sizeof(*u));
	*u = (struct unseen){ .next = v->unseen, .v = v, .at = *at, .seen = map_new(a), .used = map_new(a),
		.judged = map_new(a) };
	if (at->base == 0 && point_head(v->db, a, at->branch, &head) && head.seq == at->seq)
		u->edition = links_shown(v->db, at->branch);
	return v->unseen = u;
}

bool
visit_sees_file(struct visit *v, const struct visit_item *space, const char *id)
{
	struct unseen *u = known(v, &space->point);
	bool used = u->edition != 0 && climb(u, map_new(v->arena), id, id);

	if (map_has(u->seen, str_of(id)))
		return true;
	use_all(u);
	/* What nothing uses stays visible: somebody may have linked its address elsewhere. */
	return map_has(u->seen, str_of(id)) || !(used || map_has(u->used, str_of(id)));
}
