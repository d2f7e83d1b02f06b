/* Writes the table of contents, redirects and tags of the space. */
#include <ctype.h>
#include <string.h>

#include "base/url.h"
#include "base/utf8.h"
#include "layout/write.h"
#include "write_parts.h"

/* The API limits the length of short titles. */
enum { LABEL_MOST = 100, QUOTED_MOST = 8 };

struct table {
	struct writer  *w;
	struct toc_item *v;
	size_t           n, room;
};

/* The target of a link in the table of contents; NULL, with a warning, if it has none. */
static const char *
link_target(struct table *b, struct arrival_page *p)
{
	struct arrival *t = b->w->t;
	struct arrival_page from = { .kind = ARRIVAL_PAGE };
	struct arrival_target found;

	if (p->target != NULL && has_scheme(str_of(p->target)))
		return p->target;
	if (p->target != NULL && target_find(t, &from, str_of(p->target), &found)) {
		if (found.url != NULL)
			return found.url;
		return arena_printf(t->arena, "%s%s", found.page != NULL ? found.page->to : writer_file(b->w, found.file),
		    found.fragment != NULL ? found.fragment : "");
	}
	arrival_warn(t, str_of(t->table), 0, "the item \"%.200s\" has no target that is here (%.200s); left out",
	    p->title != NULL ? p->title : "", p->target != NULL ? p->target : "");
	return NULL;
}

static void add_level(struct table *b, struct arrival_page *p, ptrdiff_t parent, size_t depth);

static void
add_page(struct table *b, struct arrival_page *p, ptrdiff_t parent, size_t depth)
{
	struct toc_item x = { .kind = LAYOUT_DOCUMENT, .title = p->shown != NULL ? p->shown : p->title, .parent = parent, .was = -1 };
	size_t at;

	if (p->kind == ARRIVAL_LINK) {
		x.kind = LAYOUT_LINK;
		x.target = link_target(b, p);
	} else if (p->kind == ARRIVAL_GROUP && p->parent == NULL) {
		x.kind = LAYOUT_GROUP;
	} else {
		x.target = p->to;
		x.link_title = p->label != NULL && utf8_count(str_of(p->label)) <= LABEL_MOST ? p->label : NULL;
	}
	if (x.title == NULL)
		x.title = "Page";
	if (p->kind == ARRIVAL_LINK && x.target == NULL) {
		add_level(b, p->first, parent, depth);
		return;
	}
	b->v = arena_grow(b->w->t->arena, b->v, b->n, &b->room, sizeof(*b->v));
	b->v[at = b->n++] = x;
	/* A link cannot have pages below it, so these follow it. */
	add_level(b, p->first, x.kind == LAYOUT_LINK ? parent : (ptrdiff_t)at, depth + 1);
}

static void
add_level(struct table *b, struct arrival_page *p, ptrdiff_t parent, size_t depth)
{
	for (; p != NULL; p = p->next)
		add_page(b, p, parent, depth);
}

/* "/Docs/Old/" as a key of redirects. */
static const char *
address_key(struct arrival *t, const char *address)
{
	struct str s = url_unescape(t->arena, (struct str){ address, strcspn(address, "?#") });

	while (s.n > 0 && s.p[0] == '/')
		s = str_slice(s, 1, s.n);
	while (s.n > 0 && s.p[s.n - 1] == '/')
		s.n--;
	return utf8_lower(t->arena, s);
}

static void
put_redirect(struct writer *w, struct buf *b, struct map *seen, const char *from, const char *to)
{
	const char *key = address_key(w->t, from);

	if (*key == '\0' || !map_add(seen, str_of(key), w))
		return;
	/* A quoted byte takes at most QUOTED_MOST. */
	if (b->n + (strlen(key) + strlen(to)) * QUOTED_MOST + 64 > TABLE_MOST) {
		arrival_warn_once(w->t, STR(""), 0, "there are too many old addresses; the rest of them leads nowhere");
		return;
	}
	buf_str(b, memmem(b->p != NULL ? b->p : "", b->n, "redirects:\n", 11) == NULL ? "redirects:\n  " : "  ");
	yaml_quoted(b, key);
	buf_str(b, ": ");
	yaml_quoted(b, to);
	buf_char(b, '\n');
}

static bool
write_config(struct writer *w)
{
	struct arrival *t = w->t;
	const struct arrival_address *x;
	const struct arrival_redirect *r;
	struct map *seen = map_new(t->scratch);
	struct arrival_page *p, from = { .kind = ARRIVAL_PAGE };
	struct arrival_target found;
	struct buf b;

	buf_init(&b, t->scratch, TABLE_MOST);
	/*
	 * If no page has the path of the first page (README), the first page of the tree becomes
	 * the first page.
	 */
	for (p = t->made; p != NULL && p->to == NULL; p = p->after)
		;
	if (p != NULL && map_get(w->taken, STR("readme")) == NULL) {
		buf_str(&b, "structure:\n  readme: ");
		yaml_quoted(&b, p->to);
		buf_char(&b, '\n');
	}
	for (p = t->made; p != NULL; p = p->after)
		for (x = p->old; x != NULL && p->to != NULL; x = x->next)
			if (strcmp(address_key(t, x->path), utf8_lower(t->scratch, str_of(layout_page_path(t->scratch, str_of(p->to))))) != 0)
				put_redirect(w, &b, seen, x->path, url_path(t->scratch, p->to));
	for (r = t->redirects; r != NULL; r = r->next) {
		if (has_scheme(str_of(r->to)))
			put_redirect(w, &b, seen, r->from, r->to);
		else if (target_find(t, &from, str_of(r->to), &found) && found.page != NULL)
			put_redirect(w, &b, seen, r->from, arena_printf(t->scratch, "%s%s", url_path(t->scratch, found.page->to),
			    found.fragment != NULL ? found.fragment : ""));
		else
			arrival_warn(t, str_of(t->table), 0, "the redirect from \"%.200s\" has no target that is here: \"%.200s\"; left out",
			    r->from, r->to);
	}
	return b.n == 0 || writer_add(w, ".gitbook.yaml", buf_view(&b));
}

static bool
write_tags(struct writer *w)
{
	const struct arrival_address *x;
	const struct arrival_page *p;
	struct map *seen = map_new(w->t->scratch);
	struct buf b;

	buf_init(&b, w->t->scratch, TABLE_MOST);
	for (p = w->t->made; p != NULL; p = p->after)
		for (x = p->tags; x != NULL; x = x->next)
			if (map_add(seen, str_of(x->path), w) && b.n + strlen(x->path) * (QUOTED_MOST + 1) + 64 < TABLE_MOST) {
				buf_printf(&b, "- tag: %s\n  label: ", x->path);
				yaml_quoted(&b, map_get(w->t->tags, str_of(x->path)));
				buf_char(&b, '\n');
			}
	return b.n == 0 || writer_add(w, ".gitbook/tags.yaml", buf_view(&b));
}

bool
write_settings(struct writer *w)
{
	/* The text is parsed again while it is written, which takes some megabytes for thousands of pages. */
	struct arena *own = arena_on_disk(w->t->arena, (size_t)2 << 30, NULL);
	struct table b = { .w = w };
	bool ok;

	add_level(&b, w->t->first, -1, 0);
	ok = writer_add(w, "SUMMARY.md", toc_write(own, STR(""), NULL, 0, b.v, b.n));
	arena_reset(own);
	return ok && write_config(w) && write_tags(w);
}
