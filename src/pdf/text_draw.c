/*
 * Draws text from text_layout.c run by run, so that links and other runs get their structure tags.
 * Contract: paper.h.
 */
#include <string.h>

#include "paper.h"

static const struct style *
run_style(const struct text *t, const PangoGlyphItem *run)
{
	const GSList *l;

	for (l = run->item->analysis.extra_attrs; l != NULL; l = l->next)
		if (((const PangoAttribute *)l->data)->klass->type == text_style_attr())
			return &t->styles[((const PangoAttrInt *)l->data)->value];
	return NULL;
}

/*
 * Attributes of a link tag in Cairo's syntax. NULL: neither the anchor nor its page is on a sheet.
 */
static const char *
link_attributes(struct paper *p, const struct link *l)
{
	const struct dest *d = l->dest;
	struct buf b;
	const char *c;

	if (l->uri == NULL) {
		if (d->sheet == 0)
			d = l->page;
		return d->sheet == 0 ? NULL : arena_printf(p->scratch, "dest='d%d'", d->no);
	}
	buf_init(&b, p->scratch, 1 << 20);
	buf_str(&b, "uri='");
	for (c = l->uri; *c != '\0'; c++) {
		/*
		 * Escape the delimiters of Cairo's attribute syntax, and bytes that are not allowed
		 * in a URI (RFC 3986).
		 */
		if (*c == '\'' || *c == '\\')
			buf_printf(&b, "%%%02X", (unsigned char)*c);
		else if ((unsigned char)*c <= ' ' || (unsigned char)*c > '~')
			buf_printf(&b, "%%%02X", (unsigned char)*c);
		else
			buf_char(&b, *c);
	}
	buf_char(&b, '\'');
	return b.p;
}

static void
draw_behind(struct paper *p, const struct style *s, double x, double base, double w, const PangoRectangle *r)
{
	double top = base + (double)r->y / PANGO_SCALE, h = (double)r->height / PANGO_SCALE;

	if (s->back == NO_COLOR)
		return;
	round_rect(p->cr, x - 0.5, top, w + 1, h, 2);
	set_color(p, s->back);
	cairo_fill_preserve(p->cr);
	if (s->key) {
		set_color(p, FAINT);
		cairo_set_line_width(p->cr, 0.6);
		cairo_stroke_preserve(p->cr);
	}
	cairo_new_path(p->cr);
}

/*
 * show_glyph_item() stores the text in the PDF, so that it can be searched and copied;
 * show_glyphs() would not.
 */
static void
draw_run(struct paper *p, struct text *t, PangoGlyphItem *run, const struct style *s, double x, double base)
{
	double w = (double)pango_glyph_string_get_width(run->glyphs) / PANGO_SCALE;
	double raised = base - (double)run->y_offset / PANGO_SCALE;
	PangoRectangle r;

	pango_glyph_string_extents(run->glyphs, run->item->analysis.font, NULL, &r);
	if (s != NULL)
		draw_behind(p, s, x, raised, w, &r);
	if (s != NULL && s->object != NULL) {
		set_color(p, s->color);
		s->object->draw(p, s->object->data, x, base);
		return;
	}
	set_color(p, s != NULL ? s->color : INK);
	cairo_move_to(p->cr, x, raised);
	pango_cairo_show_glyph_item(p->cr, pango_layout_get_text(t->layout), run);
	if (s != NULL && s->strike) {
		cairo_rectangle(p->cr, x, base - (double)r.height / PANGO_SCALE * 0.23, w, 0.7);
		cairo_fill(p->cr);
	}
}

/* Adjacent runs with the same link get one link tag. */
static void
draw_line(struct paper *p, struct text *t, PangoLayoutLine *line, double x, double base)
{
	const struct link *open = NULL;
	const char *attributes;
	bool tagged = false;
	GSList *l;

	for (l = line->runs; l != NULL; l = l->next) {
		PangoGlyphItem *run = l->data;
		const struct style *s = run_style(t, run);
		const struct link *link = s != NULL ? s->link : NULL;

		/* In a line with links, the text between them gets tags as well. */
		if (t->links && (!tagged || link != open)) {
			if (tagged)
				tag_end(p, open != NULL ? CAIRO_TAG_LINK : "Span");
			attributes = link != NULL ? link_attributes(p, link) : NULL;
			open = attributes != NULL ? link : NULL;
			tag_begin(p, open != NULL ? CAIRO_TAG_LINK : "Span", attributes);
			tagged = true;
		}
		draw_run(p, t, run, s, x, base);
		x += (double)pango_glyph_string_get_width(run->glyphs) / PANGO_SCALE;
	}
	if (tagged)
		tag_end(p, open != NULL ? CAIRO_TAG_LINK : "Span");
}

/* Offset of the line's start from the left edge, by alignment and direction, in points. */
static double
line_shift(struct text *t, PangoLayoutLine *line)
{
	int width = pango_layout_get_width(t->layout);
	PangoAlignment align = pango_layout_get_alignment(t->layout);
	bool backward = line->resolved_dir == PANGO_DIRECTION_RTL;
	PangoRectangle r;

	pango_layout_line_get_extents(line, NULL, &r);
	if (width < 0 || align == (backward ? PANGO_ALIGN_RIGHT : PANGO_ALIGN_LEFT))
		return 0;
	return (double)(width - r.width) / PANGO_SCALE / (align == PANGO_ALIGN_CENTER ? 2 : 1);
}

void
line_draw(struct paper *p, struct strip *s, double x, double y)
{
	PangoLayoutLine *line = pango_layout_get_line_readonly(s->text->layout, s->line);

	draw_line(p, s->text, line, x + line_shift(s->text, line), y + s->ascent);
}

void
text_draw(struct paper *p, struct text *t, double x, double y)
{
	PangoLayoutIter *i = pango_layout_get_iter(t->layout);

	do {
		PangoLayoutLine *line = pango_layout_iter_get_line_readonly(i);

		draw_line(p, t, line, x + line_shift(t, line),
		    y + (double)pango_layout_iter_get_baseline(i) / PANGO_SCALE);
	} while (pango_layout_iter_next_line(i));
	pango_layout_iter_free(i);
}

PangoAttrType
text_style_attr(void)
{
	static PangoAttrType type;

	if (type == 0)
		type = pango_attr_type_register("octavo-style");
	return type;
}
