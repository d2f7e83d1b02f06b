/*
 * Pages that are as they were keep the link map that they had, so that taking in a commit
 * costs what it changed and not what the space holds. Contract: import_plan.h.
 *
 * A link map follows from the page's bytes and from what its links lead to. The caller
 * knows that the repository has the same files as before; here it is asked whether they make
 * the same pages, and which bytes are the same. Only the anchors of a link depend on the bytes of
 * another page: those to pages that changed are looked up again.
 */
#include <string.h>

#include "base/secret.h"
#include "import_plan.h"

static bool
has_links(const struct item *i)
{
	return i->wanted->node.kind == NODE_DOCUMENT || i->wanted->node.kind == NODE_REUSABLE;
}

/* A text that is read once something includes it; then its links are found anew. */
static bool
is_candidate(const struct item *i)
{
	return i->include != NULL && !i->include->listed;
}

/* Did something include such texts before? Then all is read: what they hold is found out by reading alone. */
static bool
includes_candidates(const struct plan *p)
{
	size_t k;

	for (k = 0; k < p->count && !(is_candidate(&p->items[k]) && p->items[k].old != NULL); k++)
		;
	return k < p->count;
}

/* What one setting says: the table of contents, the configuration, the folder. */
static bool
same_setting(const struct item *i)
{
	return i->old != NULL && same_text(i->old->git_oid, i->wanted->node.git_oid) &&
	    same_text(i->old->props, i->wanted->node.props);
}

/* Is what has a file the node that had it before? An asset that nothing names had none. */
static bool
same_place(const struct item *i)
{
	if (i->wanted->node.kind == NODE_SETTING)
		return same_setting(i);
	if (i->file == NULL || !i->used)
		return true;
	return i->old != NULL && i->old->kind == i->wanted->node.kind && same_text(i->old->git_path, i->wanted->node.git_path);
}

/* Does every spelling lead to what it led to? */
static bool
same_places(const struct plan *p)
{
	size_t k;

	for (k = 0; k < p->count; k++)
		if (!same_place(&p->items[k]))
			return false;
	return true;
}

/* A body that is only known bears the name that the old node had it by: its hash. */
static bool
same_bytes(struct plan *p, const struct item *i)
{
	return i->file != NULL && i->old != NULL && same_text(i->old->git_oid, i->file->oid) &&
	    /* Not in doubt, unless the page was written here and its file not yet: the map is of these bytes. */
	    str_eq(i->old->body, i->wanted->body.p == NULL ? i->wanted->node.body : hash_of(p->arena, i->wanted->body));
}

/* Is there a link to a place in it? The map is searched before it is read: most name none of the pages. */
static bool
leads_into(struct plan *p, struct str refs, const struct item *target)
{
	const char *id = target->wanted->node.id;
	struct link_map m;
	size_t i;

	if (memmem(refs.p, refs.n, id, strlen(id)) == NULL)
		return false;
	m = link_map_read(p->arena, refs);
	for (i = 0; i < m.n; i++)
		if (m.list[i].ref.id != NULL && strcmp(m.list[i].ref.id, id) == 0 &&
		    memchr(m.list[i].spelling.p, '#', m.list[i].spelling.n) != NULL)
			return true;
	return false;
}

/* Assets and texts that are imported since a page shows them: those of the kept pages still are. */
static void
use_assets(struct plan *p, struct str refs)
{
	size_t k;

	for (k = 0; k < p->count; k++) {
		struct item *i = &p->items[k];
		if (!i->used && i->old != NULL && memmem(refs.p, refs.n, i->old->id, strlen(i->old->id)) != NULL &&
		    (!is_candidate(i) || include_read(p, i) == NULL))
			i->used = true;
	}
}

/* The pages whose links have to be read, in *n. */
static struct item **
changed_pages(struct plan *p, size_t *n)
{
	struct item **list = arena_array(p->arena, p->count, sizeof(*list));
	size_t k;

	*n = 0;
	for (k = 0; k < p->count; k++)
		if (has_links(&p->items[k]) && !is_candidate(&p->items[k]) && !same_bytes(p, &p->items[k]))
			list[(*n)++] = &p->items[k];
	return list;
}

/* Does a spelling of the page include a candidate that can be read? */
static bool
includes_text(struct plan *p, struct item *i, struct str spelling)
{
	struct layout_target t;
	struct layout_found hit = plan_look_up(p, i, spelling, USE_INCLUDE, &t);
	const struct doc_link *l;
	struct item *text = hit.page != NULL || hit.include == NULL ? NULL : plan_item_of(p, hit.include);

	if (text == NULL || !is_candidate(text) || include_read(p, text) != NULL)
		return false;
	/* The map does not say what for: a mere link leads to no such text. */
	plan_read(p, i);
	plan_look(p, i);
	for (l = i->links; l != NULL; l = l->next)
		if (l->use == USE_INCLUDE && str_eq(l->spelling, spelling))
			return true;
	return false;
}

/* Does the page lack a text that it can include by now? It was too large before, or no text. */
static bool
gains_text(struct plan *p, struct item *i, struct str refs)
{
	struct link_map m;
	size_t k;

	if (memmem(refs.p, refs.n, ":null", strlen(":null")) == NULL)
		return false;
	m = link_map_read(p->arena, refs);
	for (k = 0; k < m.n; k++)
		if (m.list[k].ref.kind == REF_NONE && includes_text(p, i, m.list[k].spelling))
			return true;
	return false;
}

static bool
keep_one(struct plan *p, struct item *i, struct item *const *changed, size_t n)
{
	struct str refs = STR("");
	size_t k;

	if (i->old->refs.n > 0 && !p->refs_before(p->ctx, i->old, &refs))
		return false;
	for (k = 0; k < n; k++)
		if (leads_into(p, refs, changed[k]))
			return false;
	if (gains_text(p, i, refs))
		return false;
	i->wanted->refs = refs;
	use_assets(p, refs);
	return true;
}

void
plan_reuse(struct plan *p)
{
	struct item **changed;
	size_t n, k, m = 0;

	if (!same_places(p) || includes_candidates(p))
		return;
	changed = changed_pages(p, &n);
	/* Both lists are in the order of the items. Many changes: reading all pages costs no more. */
	if (n > PLAN_CHANGED)
		return;
	for (k = 0; k < p->count; k++) {
		if (m < n && changed[m] == &p->items[k])
			m++;
		else if (has_links(&p->items[k]) && !is_candidate(&p->items[k]) && p->items[k].file != NULL)
			p->items[k].kept = keep_one(p, &p->items[k], changed, n);
	}
}
