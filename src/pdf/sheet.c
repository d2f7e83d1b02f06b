/*
 * Prints what surrounds the text of a sheet: running heads and the sheet's number in the margins,
 * and at its foot the footnotes of its strips. Footnotes that have no room there are printed at the
 * feet of the following sheets. Contract: paper.h.
 */
#include "cover.h"

/* ---- margins ---- */

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

/* ---- footnotes ---- */

double
notes_height(const struct strip *s)
{
	const struct strip *in;
	const struct note *n;
	double h = 0;
	size_t i;

	for (n = s->notes; n != NULL; n = n->next)
		h += n->h;
	for (i = 0; s->kind == STRIP_ROW && i < s->count; i++)
		for (in = s->cells[i].strips; in != NULL; in = in->next)
			h += notes_height(in);
	return h;
}

double
notes_sum(const struct note *n)
{
	double h = 0;

	for (; n != NULL; n = n->next)
		h += n->h;
	return h;
}

void
collect_notes(struct strip *s, struct note ***at)
{
	struct strip *in;
	size_t i;

	if (s->notes != NULL) {
		**at = s->notes;
		while (**at != NULL)
			*at = &(**at)->next;
		s->notes = NULL;
	}
	for (i = 0; s->kind == STRIP_ROW && i < s->count; i++)
		for (in = s->cells[i].strips; in != NULL; in = in->next)
			collect_notes(in, at);
}

void
draw_notes(struct paper *p, struct note *notes)
{
	double y = p->height - p->bottom;
	struct note *n;

	/*
	 * Notes end at the lower margin: subtract their heights to find where the first one begins.
	 */
	for (n = notes; n != NULL; n = n->next)
		y -= n->h;
	if (notes == NULL || p->cr == NULL)
		return;
	set_color(p, FAINT);
	cairo_rectangle(p->cr, p->left, y - NOTE_RULE / 2.0, 90, 0.6);
	cairo_fill(p->cr);
	for (n = notes; n != NULL; y += n->h, n = n->next) {
		tag_begin(p, "Note", NULL);
		strips_draw(p, n->strips, NULL, p->left, y);
		tag_end(p, "Note");
	}
}

/* Appends the notes within a note, which get their place at the foot of a sheet as all others. */
static void
collect_inner(struct note *n, struct note ***tail)
{
	for (struct strip *s = n->strips; s != NULL; s = s->next)
		collect_notes(s, tail);
}

/*
 * Cuts a note at height h, and returns the strips below; n has none left if nothing fits. must: it
 * keeps its first strip even if that is higher.
 */
static struct strip *
cut_note(struct paper *p, struct note *n, double h, bool must)
{
	struct cell upper = { .strips = n->strips };
	struct strip *first = n->strips, *below = cut_cell(p, &upper, h);

	if (upper.strips == NULL && must) {
		upper.strips = first;
		below = first->next;
		first->next = NULL;
	}
	n->strips = upper.strips;
	return below;
}

struct note *
cut_notes(struct paper *p, struct note **list, struct note ***tail, double room, bool must)
{
	struct note **at, *n, *rest;
	struct strip *below = NULL;

	for (at = list; (n = *at) != NULL; at = &n->next) {
		if (n->h > room && (below = cut_note(p, n, room - NOTE_GAP, must && at == list)) != NULL)
			break;
		room -= n->h;
		collect_inner(n, tail);
	}
	if (n == NULL)
		return NULL;
	if (n->strips == NULL) {
		n->strips = below;
		*at = NULL;
		return n;
	}
	rest = arena_alloc(p->scratch, sizeof(*rest));
	*rest = (struct note){ .next = n->next, .strips = below, .h = strips_height(below) + NOTE_GAP };
	n->h = strips_height(n->strips) + NOTE_GAP;
	if (*tail == &n->next)
		*tail = &rest->next;
	n->next = NULL;
	collect_inner(n, tail);
	return rest;
}
