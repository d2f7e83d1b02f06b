/*
 * Icons by the names of the API, drawn by Debian's bootstrap-icons (tools/embed_icons.sh). Those of
 * the table of contents and of sections are symbols of one sprite per site space, which browsers
 * cache; an icon in text is written inline.
 */
#include "base/secret.h"
#include "base/sort.h"
#include "icons.h"
#include "reader_parts.h"

static int
by_name(const void *key, const void *item)
{
	return strcmp(key, *(const char *const *)item);
}

static size_t
find_exactly(const char *name)
{
	const void *found = find_sorted(name, icons, sizeof(icons) / sizeof(icons[0]), sizeof(icons[0]), by_name);

	return found == NULL ? SIZE_MAX : (size_t)((const char *)found - (const char *)icons) / sizeof(icons[0]);
}

/*
 * Index of the closest known icon, SIZE_MAX if none. A name is a general word followed by details,
 * or the reverse: for an unknown "user-robot-xmarks" try "user-robot", then "user"; for
 * "square-user" try "user".
 */
static size_t
find_icon(struct arena *a, const char *name)
{
	char *part = arena_strdup(a, name), *dash;
	size_t at = find_exactly(part);

	while (at == SIZE_MAX && (dash = strrchr(part, '-')) != NULL) {
		*dash = '\0';
		at = find_exactly(part);
	}
	for (; at == SIZE_MAX && (name = strchr(name, '-')) != NULL; at = find_exactly(name))
		name++;
	return at;
}

/* The styles "light" and "thin" become outlines, too: bootstrap-icons has only one weight. */
static const char *
icon_drawing(const struct view *s, size_t at)
{
	if (same_text(s->look->icons, "solid"))
		return icons[at].solid;
	if (same_text(s->look->icons, "duotone") && strcmp(icons[at].solid, icons[at].plain) != 0)
		return arena_printf(s->arena, "<g opacity=\".3\">%s</g>%s", icons[at].solid, icons[at].plain);
	return icons[at].plain;
}

struct str
icon_drawn(struct view *s, const char *name)
{
	size_t at = name != NULL ? find_icon(s->arena, name) : SIZE_MAX;

	if (at == SIZE_MAX)
		return (struct str){ NULL, 0 };
	return str_of(arena_printf(s->arena, "<svg class=\"i\" viewBox=\"0 0 16 16\" aria-hidden=\"true\">%s</svg>",
	    icon_drawing(s, at)));
}

/* ---- the sprite ---- */

struct sprite {
	struct view *s;
	struct buf   b;
	bool         have[sizeof(icons) / sizeof(icons[0])];
};

static void
add_icon(struct sprite *p, const char *name)
{
	size_t at = name != NULL ? find_icon(p->s->arena, name) : SIZE_MAX;

	if (at == SIZE_MAX || p->have[at])
		return;
	p->have[at] = true;
	buf_printf(&p->b, "<symbol id=\"%s\" viewBox=\"0 0 16 16\">%s</symbol>", icons[at].name, icon_drawing(p->s, at));
}

static void
add_pages(struct sprite *p, const struct page *page)
{
	for (; page != NULL; page = page->next) {
		add_icon(p, page_icon(page));
		add_pages(p, page->first);
	}
}

static void
add_sections(struct sprite *p, const struct visit_item *it)
{
	for (; it != NULL; it = it->next) {
		add_icon(p, it->icon);
		if (it->kind == VISIT_GROUP)
			add_sections(p, it->first);
	}
}

/* Sprite of the icons that this visitor sees; empty if there are none. */
static struct str
make_sprite(struct view *s)
{
	struct sprite *p;

	if (s->icons.p != NULL)
		return s->icons;
	p = arena_alloc(s->arena, sizeof(*p));
	*p = (struct sprite){ .s = s };
	buf_init(&p->b, s->arena, 1 << 20);
	add_pages(p, view_tree(s));
	if (s->v.site.sections)
		add_sections(p, s->v.site.first);
	if (p->b.n == 0)
		return s->icons = (struct str){ "", 0 };
	return s->icons = str_of(arena_printf(s->arena, "<svg xmlns=\"http://www.w3.org/2000/svg\">%.*s</svg>", (int)p->b.n, p->b.p));
}

/* The name contains a hash of the bytes, so that caches may keep the sprite forever. */
static const char *
sprite_name(struct view *s)
{
	unsigned char tag[TAG_BYTES];

	tag_bytes(make_sprite(s), tag);
	return arena_printf(s->arena, "%.16s.svg", hex(s->arena, (struct str){ (const char *)tag, sizeof(tag) }));
}

void
icon_shown(struct view *s, struct html *h, const char *name)
{
	size_t at = name != NULL ? find_icon(s->arena, name) : SIZE_MAX;

	if (at == SIZE_MAX)
		return;
	/* A page that was opened as a file may not use symbols from another file. */
	if (s->w->copy) {
		h_raw(h, icon_drawn(s, name));
		return;
	}
	if (s->icons_at == NULL)
		s->icons_at = arena_printf(s->arena, "%s~icons/%s", view_local(s, s->v.space != NULL ? s->v.space->address :
		    s->v.site.address), sprite_name(s));
	h_el(h, "svg", "class", "i", "aria-hidden", "true", NULL);
	h_el(h, "use", "href", arena_printf(s->arena, "%s#%s", s->icons_at, icons[at].name), NULL);
	h_close(h);
	h_close(h);
}

/* For an old name serve the present sprite. */
void
serve_icons(struct view *s, const char *rest)
{
	send_body(s, &(struct body){ .type = "image/svg+xml", .bytes = make_sprite(s), .immutable = strcmp(rest, sprite_name(s)) == 0 });
}
