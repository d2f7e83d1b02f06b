/*
 * Slugs and paths of pages (layout 4).
 *
 * A page with a file has the path of the file; everything else hangs its slug
 * below its parent's path. Paths are unique in the space, slugs among
 * siblings; the later one gets -1, -2. Files come first, then groups and the
 * rest, so that a group never takes the address of a page.
 */
#include <string.h>

#include "layout_parts.h"
#include "base/slug.h"
#include "base/utf8.h"

/* Characters (layout 4.3). */
enum { SLUG_MAX = 100 };

const char *
layout_page_path(struct arena *a, struct str rel)
{
	struct str base = layout_base(rel);

	if (layout_is_readme(rel) && base.n < rel.n)
		rel = str_slice(rel, 0, rel.n - base.n - 1);
	else if (layout_is_markdown(rel))
		rel = str_slice(rel, 0, rel.n - 3);
	return utf8_lower(a, rel);
}

/* One namespace: names taken, and the next number to try for each name that was wanted twice. */
struct names {
	struct arena      *arena;
	struct map *taken, *next;
};

/* The name, or the name with the first free number behind it. key makes it local (to a parent). */
static const char *
unique(struct names *n, const char *key, const char *name)
{
	const char *full = arena_printf(n->arena, "%s%s", key, name), *tried = name;
	size_t *next;
	void **at;

	if (map_add(n->taken, str_of(full), n))
		return name;
	/*
	 * The next number is remembered: a thousand pages of one name would else try half a
	 * million names.
	 */
	at = map_at(n->next, str_of(full));
	if (*at == NULL)
		*at = arena_alloc(n->arena, sizeof(*next));
	next = *at;
	do {
		tried = arena_printf(n->arena, "%s-%zu", name, ++*next);
	} while (!map_add(n->taken, str_of(arena_printf(n->arena, "%s%s", key, tried)), n));
	return tried;
}

/* The slug that the source gives, else that of the title. */
static const char *
own_slug(struct arena *a, const struct layout_page *p)
{
	const char *slug = p->slug != NULL ? p->slug : slug_from_title(a, str_of(p->title));

	return layout_clip(a, slug, SLUG_MAX);
}

/*
 * Needs the parent's path: parents come first in reading order, and pages with files have theirs
 * already.
 */
static const char *
child_path(struct arena *a, const struct layout_page *p)
{
	if (p->parent == NULL)
		return own_slug(a, p);
	return arena_printf(a, "%s/%s", p->parent->path, own_slug(a, p));
}

/* Slugs are unique among siblings: the parent's path, which is unique, is the key. */
static void
set_slug(struct names *slugs, struct layout_page *p)
{
	const char *slash = strrchr(p->path, '/');
	const char *slug = layout_clip(slugs->arena, slash == NULL ? p->path : slash + 1, SLUG_MAX);
	const char *key = p->parent == NULL ? "" : arena_printf(slugs->arena, "%s\n", p->parent->path);

	p->slug = unique(slugs, key, slug);
}

/*
 * Three passes, for the reason above: files, then the rest below their parents, then slugs,
 * which take both.
 */
void
layout_names(struct layout_index *x)
{
	struct arena *a = x->arena;
	struct names paths = { a, map_new(a), map_new(a) };
	struct names slugs = { a, map_new(a), map_new(a) };
	struct layout_page *p;

	for (p = x->out->pages; p != NULL; p = p->next)
		if (p->file != NULL)
			p->path = unique(&paths, "", layout_page_path(a, layout_rel(x, p->file)));
	for (p = x->out->pages; p != NULL; p = p->next)
		if (p->file == NULL)
			p->path = unique(&paths, "", child_path(a, p));
	for (p = x->out->pages; p != NULL; p = p->next)
		set_slug(&slugs, p);
}
