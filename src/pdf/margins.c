/* What stands in the margins of each sheet: the running head and the number. Contract: paper.h. */
#include "cover.h"

/* One line outside the text: cut where it is too long. */
static void
margin_line(struct paper *p, const char *s, double x, double y, double w, PangoAlignment align)
{
	struct flow f;
	struct writer *out;
	struct text *t;

	flow_init(&f, p, w, false);
	out = writer_new(&f, &(struct type){ .size = 8, .color = MUTED, .align = align });
	writer_text(out, s);
	t = writer_end(out, w);
	pango_layout_set_height(t->layout, -1);
	pango_layout_set_ellipsize(t->layout, PANGO_ELLIPSIZE_END);
	text_draw(p, t, x, y);
	text_drop(t);
}

void
sheet_begin(struct paper *p)
{
	double w = paper_width(p);

	p->sheet++;
	/*
	 * The cover has no running heads. The first pass counts the sheet alone: heads take
	 * nothing from its height.
	 */
	if (p->cr == NULL || (p->sheet == 1 && p->page == NULL))
		return;
	margin_line(p, p->source->title, p->left, p->top - 34, w * 0.48, PANGO_ALIGN_LEFT);
	if (p->page != NULL)
		margin_line(p, p->page->title, p->left + w * 0.52, p->top - 34, w * 0.48, PANGO_ALIGN_RIGHT);
	/* In scratch, which print_page() empties behind each page and not behind each sheet. */
	margin_line(p, arena_printf(p->scratch, "%zu", p->sheet), p->left, p->height - p->bottom + 26, w, PANGO_ALIGN_RIGHT);
}

void
sheet_end(struct paper *p)
{
	if (p->cr != NULL)
		cairo_show_page(p->cr);
}
