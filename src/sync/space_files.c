/* Lists content as files. Contract: sync/space_files.h. */
#include <cjson/cJSON.h>
#include <string.h>

#include "base/json.h"
#include "base/map.h"
#include "export_parts.h"
#include "sync/space_files.h"

struct listing {
	const struct space_files *q;
	struct map               *only;   /* ids of the nodes; NULL: all */
	struct space_file        *first, **last;
};

static void
add_file(struct listing *l, const struct space_file *f)
{
	struct space_file *copy = arena_alloc(l->q->arena, sizeof(*copy));

	*copy = *f;
	*l->last = copy;
	l->last = &copy->next;
}

static void
take_file(void *ctx, const char *path, const struct node *n)
{
	struct listing *l = ctx;

	add_file(l, &(struct space_file){ .path = path, .hash = n->body, .title = n->title });
}

static void
pass_warning(void *ctx, const char *file, const char *message)
{
	struct listing *l = ctx;

	l->q->warn(l->q->ctx, file, message);
}

/* ---- the nodes of a page ---- */

/*
 * Adds the page and the pages below it. The recursion is as deep as the tree, at most PAGE_DEPTH.
 */
static void
take_pages(struct listing *l, const char *id)
{
	const struct space_files *q = l->q;
	struct node *below;
	size_t n, i;

	map_add(l->only, str_of(id), l);
	if (q->alone)
		return;
	below = node_children(q->db, q->arena, q->point, id, &n);
	for (i = 0; i < n; i++)
		take_pages(l, below[i].id);
}

static void take_used(struct listing *l, const char *id);

/* Adds the target if the page shows it; a page that is only linked is not added. */
static void
take_target(struct listing *l, const struct node *from, const struct doc_ref *ref)
{
	if (ref->id == NULL || ref->space != NULL || map_has(l->only, str_of(ref->id)))
		return;
	if (ref->kind == REF_FILE) {
		map_add(l->only, str_of(ref->id), l);
	} else if (ref->kind == REF_REUSABLE) {
		map_add(l->only, str_of(ref->id), l);
		take_used(l, ref->id);
	} else if (ref->kind == REF_PAGE || ref->kind == REF_ANCHOR) {
		l->q->warn(l->q->ctx, page_path(l->q->db, l->q->arena, l->q->point, from),
		    "a link leads to a page that is not in this archive");
	}
}

static void
take_cover(struct listing *l, const cJSON *cover, const char *name)
{
	const char *id = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(cover, name), "file"));

	if (id != NULL)
		map_add(l->only, str_of(arena_strdup(l->q->arena, id)), l);
}

/* Adds the files and reusable contents that a node uses. */
static void
take_used(struct listing *l, const char *id)
{
	const struct space_files *q = l->q;
	const cJSON *cover;
	struct link_map m;
	struct node n;
	size_t i;

	if (!node_get(q->db, q->arena, q->point, id, &n))
		return;
	cover = cJSON_GetObjectItemCaseSensitive(cJSON_Parse(n.props), "cover");
	take_cover(l, cover, "ref");
	take_cover(l, cover, "refDark");
	if (n.refs.n == 0)
		return;
	m = node_links(q->db, q->arena, q->point, &n);
	for (i = 0; i < m.n; i++)
		take_target(l, &n, &m.list[i].ref);
}

/* Choose the pages first, so that links between them count as links to included pages. */
static void
choose_nodes(struct listing *l)
{
	const struct space_files *q = l->q;
	struct node *all;
	size_t n, i;

	l->only = map_new(q->arena);
	take_pages(l, q->page);
	all = node_list(q->db, q->arena, q->point, NODE_PAGES, &n);
	for (i = 0; i < n; i++)
		if (map_has(l->only, str_of(all[i].id)))
			take_used(l, all[i].id);
}

/* ---- all ---- */

struct space_file *
space_files(const struct space_files *q)
{
	struct export_paths paths = { .files = map_new(q->arena) };
	struct listing l = { .q = q, .last = &l.first };
	struct export_step s = { .db = q->db, .arena = q->arena, .set = q->set, .after = *q->point, .paths = &paths, .whole = true,
		.warn = pass_warning, .file = take_file, .ctx = &l };
	size_t i;

	json_arena(q->arena);
	if (*q->page != '\0')
		choose_nodes(&l);
	s.only = l.only;
	/*
	 * It cannot fail: without an existing tree there is nothing that it could refuse to change.
	 */
	if (!export_step(&s))
		return NULL;
	for (i = 0; i < s.count; i++)
		if (!s.edits[i].gone)
			add_file(&l, &(struct space_file){ .path = s.edits[i].path, .text = s.edits[i].bytes.p != NULL ? s.edits[i].bytes : STR("") });
	return l.first;
}

const char *
space_file_fault(const struct space_file *f, struct str bytes)
{
	return export_unsafe(f->title, bytes);
}
