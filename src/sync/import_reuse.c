/*
 * Unchanged pages keep their link maps, so that an import costs as much as the commit changed,
 * whatever the size of the space. Contract: import_plan.h.
 *
 * A link map depends on the page's bytes and on the targets of its links. The caller knows that the
 * repository has the same file names as before; this file checks that they make the same pages, and
 * which bytes are the same. Only the anchor of a link depends on the bytes of another page: links
 * to anchors of changed pages are resolved again.
 */
#include <string.h>

#include "base/mapped.h"
#include "base/secret.h"
#include "import_plan.h"

static bool
has_links(const struct item *i)
{
	return i->wanted->node.kind == NODE_DOCUMENT || i->wanted->node.kind == NODE_REUSABLE;
}

/*
 * True for a text outside of includes folders. Such a text is read, and its links are found, only
 * when a page includes it.
 */
static bool
is_candidate(const struct item *i)
{
	return i->include != NULL && !i->include->listed;
}

/*
 * True if a page included such a text before. Then everything is read, since only a parse finds out
 * what these texts include.
 */
static bool
includes_candidates(const struct plan *p)
{
	size_t k;

	for (k = 0; k < p->count && !(is_candidate(&p->items[k]) && p->items[k].old != NULL); k++)
		;
	return k < p->count;
}

/* True if a setting (table of contents, configuration, folder) is unchanged. */
static bool
same_setting(const struct item *i)
{
	return i->old != NULL && same_text(i->old->git_oid, i->wanted->node.git_oid) &&
	    same_text(i->old->props, i->wanted->node.props);
}

/*
 * True if the item's file makes the same node at the same path as before. An asset without links
 * had no node.
 */
static bool
same_place(const struct item *i)
{
	if (i->wanted->node.kind == NODE_SETTING)
		return same_setting(i);
	if (i->file == NULL || !i->used)
		return true;
	return i->old != NULL && i->old->kind == i->wanted->node.kind && same_text(i->old->git_path, i->wanted->node.git_path);
}

/* True if every spelling still resolves to the same target. */
static bool
same_places(const struct plan *p)
{
	size_t k;

	for (k = 0; k < p->count; k++, mapped_trim())
		if (!same_place(&p->items[k]))
			return false;
	return true;
}

/* A body that was not read is compared by the hash that the old node has. */
static bool
same_bytes(struct plan *p, const struct item *i)
{
	return i->file != NULL && i->old != NULL && same_text(i->old->git_oid, i->file->oid) &&
	    /*
	     * The comparison is needed where a page was edited here and not exported yet: the link
	     * map belongs to these bytes.
	     */
	    str_eq(i->old->body, i->wanted->node.body.n > 0 ? i->wanted->node.body : hash_of(p->batch, plan_body(p, p->batch, i)));
}

/*
 * True if the link map has a link with a fragment to the target. A search for the id comes first:
 * most maps do not have it.
 */
static bool
links_into(struct plan *p, struct str refs, const struct item *target)
{
	const char *id = target->wanted->node.id;
	struct link_map m;
	size_t i;

	if (memmem(refs.p, refs.n, id, strlen(id)) == NULL)
		return false;
	m = link_map_read(p->batch, refs);
	for (i = 0; i < m.n; i++)
		if (m.list[i].ref.id != NULL && strcmp(m.list[i].ref.id, id) == 0 &&
		    memchr(m.list[i].spelling.p, '#', m.list[i].spelling.n) != NULL)
			return true;
	return false;
}

/*
 * Marks assets and texts that the kept page uses: they are imported only because a page uses them.
 */
static void
use_assets(struct plan *p, struct str refs)
{
	size_t k;

	for (k = 0; k < p->count; k++, mapped_trim()) {
		struct item *i = &p->items[k];
		/* The link map names it; and if it is a text that may be included, the text can be read. */
		if (!i->used && i->old != NULL && memmem(refs.p, refs.n, i->old->id, strlen(i->old->id)) != NULL &&
		    (!is_candidate(i) || include_read(p, i) == NULL))
			i->used = true;
	}
}

/* The pages whose links have to be resolved again; *n: their number. */
static struct item **
changed_pages(struct plan *p, size_t *n)
{
	struct item **list = arena_array(p->arena, p->count, sizeof(*list));
	size_t k;

	*n = 0;
	for (k = 0; k < p->count; k++, mapped_trim())
		if (has_links(&p->items[k]) && !is_candidate(&p->items[k]) && !same_bytes(p, &p->items[k]))
			list[(*n)++] = &p->items[k];
	return list;
}

/* True if the page includes, by this spelling, a text that can be read. */
static bool
includes_text(struct plan *p, struct item *i, struct str spelling)
{
	struct layout_target t;
	struct layout_found hit = plan_look_up(p, p->batch, i, spelling, USE_INCLUDE, &t);
	const struct doc_link *l;
	struct parsed_body look;
	struct item *text = hit.page != NULL || hit.include == NULL ? NULL : hit.include->own;

	if (text == NULL || !is_candidate(text) || include_read(p, text) != NULL)
		return false;
	/*
	 * The link map does not say whether it is an include or a plain link, which does not
	 * resolve to such a text.
	 */
	plan_look(p, i, plan_body(p, p->batch, i), &look);
	for (l = look.links; l != NULL; l = l->next)
		if (l->use == USE_INCLUDE && str_eq(l->spelling, spelling))
			return true;
	return false;
}

/*
 * True if an include of the page failed before (the text was too large, or no text) and works now.
 */
static bool
gains_text(struct plan *p, struct item *i, struct str refs)
{
	struct link_map m;
	size_t k;

	if (memmem(refs.p, refs.n, ":null", strlen(":null")) == NULL)
		return false;
	m = link_map_read(p->batch, refs);
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

	if (i->old->refs.n > 0 && !p->stored(p->ctx, p->batch, i->old->refs, &refs))
		return false;
	for (k = 0; k < n; k++)
		if (links_into(p, refs, changed[k]))
			return false;
	if (gains_text(p, i, refs))
		return false;
	/* same_bytes() was true. */
	i->wanted->node.body = i->old->body;
	i->wanted->node.refs = i->old->refs;
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
	/*
	 * Both lists are in the order of the items. If there are many changes, reading all pages
	 * costs no more than finding the right ones.
	 */
	if (n > PLAN_CHANGED)
		return;
	for (k = 0; k < p->count; k++, mapped_trim()) {
		if (m < n && changed[m] == &p->items[k])
			m++;
		else if (has_links(&p->items[k]) && !is_candidate(&p->items[k]) && p->items[k].file != NULL)
			p->items[k].kept = keep_one(p, &p->items[k], changed, n);
		arena_reset(p->batch);
	}
}
