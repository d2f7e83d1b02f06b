/* Sheets, link destinations and drawing helpers. Contract: paper.h. */
#include <string.h>

#include "cover.h"

double
paper_width(const struct paper *p)
{
	return p->width - p->left - p->right;
}

double
paper_height(const struct paper *p)
{
	return p->height - p->top - p->bottom;
}

/*
 * A destination is allocated in p->arena instead of scratch, because links of any page may refer to
 * it. One that only links refer to keeps sheet 0 and is never written.
 */
struct dest *
paper_dest(struct paper *p, const char *page, const char *anchor)
{
	const char *key = arena_printf(p->scratch, "%s#%s", page, anchor != NULL ? anchor : "");
	struct dest *d = map_get(p->dests, str_of(key));

	if (d != NULL)
		return d;
	d = arena_alloc(p->arena, sizeof(*d));
	*d = (struct dest){ .no = ++p->dest_count, .next = p->all_dests };
	p->all_dests = d;
	map_add(p->dests, str_of(arena_strdup(p->arena, key)), d);
	return d;
}

/* list_pages() has created the destinations of all pages before any link is resolved. */
bool
paper_has(const struct paper *p, const char *page)
{
	return map_has(p->dests, str_of(arena_printf(p->scratch, "%s#", page)));
}

void
paper_warn(struct paper *p, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	p->source->warn(p->source->ctx, p->page, arena_vprintf(p->scratch, fmt, ap));
	va_end(ap);
}

void
set_color(struct paper *p, int color)
{
	cairo_set_source_rgb(p->cr, (color >> 16 & 255) / 255.0, (color >> 8 & 255) / 255.0, (color & 255) / 255.0);
}

/* Adds a path for the caller to fill or stroke. The radius is at most half of the shorter side. */
void
round_rect(cairo_t *cr, double x, double y, double w, double h, double r)
{
	if (r > w / 2)
		r = w / 2;
	if (r > h / 2)
		r = h / 2;
	cairo_new_path(cr);
	cairo_arc(cr, x + w - r, y + r, r, -1.5708, 0);
	cairo_arc(cr, x + w - r, y + h - r, r, 0, 1.5708);
	cairo_arc(cr, x + r, y + h - r, r, 1.5708, 3.1416);
	cairo_arc(cr, x + r, y + r, r, 3.1416, 4.7124);
	cairo_close_path(cr);
}

void
tag_begin(struct paper *p, const char *name, const char *attributes)
{
	if (p->cr != NULL)
		cairo_tag_begin(p->cr, name, attributes);
}

void
tag_end(struct paper *p, const char *name)
{
	if (p->cr != NULL)
		cairo_tag_end(p->cr, name);
}
