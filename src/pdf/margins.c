/* Running heads and sheet numbers in the margins. Contract: paper.h. */
#include "cover.h"

/* Draws one line outside the text area, shortened with an ellipsis if it is too long. */
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
	 * The cover has no running heads. The first pass only counts sheets: running heads do not
	 * reduce the text area.
	 */
	if (p->cr == NULL || (p->sheet == 1 && p->page == NULL))
		return;
	margin_line(p, p->source->title, p->left, p->top - 34, w * 0.48, PANGO_ALIGN_LEFT);
	if (p->page != NULL)
		margin_line(p, p->page->title, p->left + w * 0.52, p->top - 34, w * 0.48, PANGO_ALIGN_RIGHT);
	/* The text stays in scratch until print_page() resets it at the end of the page. */
	margin_line(p, arena_printf(p->scratch, "%zu", p->sheet), p->left, p->height - p->bottom + 26, w, PANGO_ALIGN_RIGHT);
}

void
sheet_end(struct paper *p)
{
	if (p->cr != NULL)
		cairo_show_page(p->cr);
}
