/* Cover, table of contents, bookmarks. Contract: cover.h. */
#include <cairo-pdf.h>
#include <string.h>

#include "base/json.h"
#include "cover.h"

/*
 * LEVELS bounds the nesting of bookmarks; deeper pages are put on the last level. The contents list
 * headings only if there are at most HEADINGS_FOR pages: otherwise they would be too long.
 */
enum { LEVELS = 32, HEADINGS_FOR = 12 };

/*
 * Draws one text of the cover at y; returns the y below it. No flow with sheets is used: the cover
 * is always one sheet, however long its title is.
 */
static double
cover_line(struct paper *p, const char *s, double y, double size, bool bold, int color)
{
	struct flow f;
	double h;

	if (s == NULL || *s == '\0')
		return y;
	flow_init(&f, p, p->width - p->left - p->right - 40, false);
	text_flow(&f, s, &(struct type){ .size = size, .bold = bold, .color = color }, "P", false);
	h = strips_height(f.first);
	if (p->cr != NULL)
		strips_draw(p, f.first, NULL, p->left, y);
	strips_drop(f.first, NULL);
	return y + h;
}

void
front_cover(struct paper *p)
{
	char day[25];
	double y = p->height * 0.3;

	sheet_begin(p);
	if (p->cr != NULL) {
		set_color(p, ACCENT);
		cairo_rectangle(p->cr, p->left, y - 26, 46, 5);
		cairo_fill(p->cr);
	}
	y = cover_line(p, p->source->title, y, 34, true, INK);
	y = cover_line(p, p->source->owner, y + 12, 14, false, MUTED);
	time_format(p->source->at, day);
	/* Use the date of the content instead of today: equal content must give an equal file. */
	day[strcspn(day, "T")] = '\0';
	cover_line(p, day, p->height - p->bottom - 16, 10, false, MUTED);
	sheet_end(p);
}

/* ---- contents ---- */

/*
 * Adds an entry with a right-aligned sheet number, which is the marker of the title's first line.
 * In the first pass d->sheet is not final, which does not change the height.
 */
static void
add_entry(struct flow *f, const char *title, struct dest *d, int depth, bool page)
{
	struct paper *p = f->paper;
	struct link *l = arena_alloc(p->scratch, sizeof(*l));
	struct marker *m = arena_alloc(p->scratch, sizeof(*m));
	int color = page ? INK : MUTED;
	struct type t = { .size = depth == 0 && page ? 10.5 : page ? 9.5 : 8.8, .bold = depth == 0 && page, .color = color };
	/* Bound the indent of deep entries, so that their titles keep some width. */
	double indent = 14.0 * (depth > 8 ? 8 : depth), x = f->x, w = f->w;
	struct writer *out, *number;

	*l = (struct link){ .dest = d, .page = d, .quiet = true };
	number = writer_new(f, &(struct type){ .size = t.size, .color = MUTED });
	writer_text(number, arena_printf(p->scratch, "%zu", d->sheet));
	*m = (struct marker){ .text = writer_end(number, -1), .x = x + w - 40, .w = 40, .behind = true };
	flow_gap(f, depth == 0 && page ? 8 : 2.5);
	f->marker = m;
	f->x += indent;
	f->w -= indent + 46;
	out = writer_new(f, &t);
	writer_link(out, l);
	writer_text(out, title);
	writer_flow(out, "P", false);
	f->x = x;
	f->w = w;
}

/*
 * Both passes must produce the same number of sheets, since lay_out() has added it to the sheets of
 * all destinations.
 */
void
front_contents(struct paper *p, const struct printed_page *list, size_t n)
{
	const struct heading *h;
	struct flow f;
	size_t i;

	flow_init(&f, p, p->width - p->left - p->right, true);
	/*
	 * Use the document's title as heading, since a word like "Contents" would need a
	 * translation.
	 */
	text_flow(&f, p->source->title, &(struct type){ .size = 20, .bold = true, .color = INK }, "H1", true);
	flow_gap(&f, 16);
	for (i = 0; i < n; i++) {
		add_entry(&f, list[i].page->title, list[i].dest, list[i].page->depth, true);
		/* List the first heading level only. */
		for (h = n <= HEADINGS_FOR ? list[i].headings : NULL; h != NULL; h = h->next)
			if (h->level == 1)
				add_entry(&f, h->title, h->dest, list[i].page->depth + 1, false);
	}
	flow_end(&f);
}

/* ---- bookmarks ---- */

static int
add_bookmark(struct paper *p, cairo_surface_t *s, int parent, const char *title, const struct dest *d, bool open)
{
	return cairo_pdf_surface_add_outline(s, parent, title, arena_printf(p->arena, "dest='d%d'", d->no),
	    open ? CAIRO_PDF_OUTLINE_FLAG_OPEN : 0);
}

/*
 * parents[d] is the last bookmark of depth d - 1; below[l] is the page's last bookmark of heading
 * level l. Pages come in reading order, so the last one is the parent. A level 2 heading without a
 * level 1 heading before it is put below the page.
 */
void
front_bookmarks(struct paper *p, cairo_surface_t *s, const struct printed_page *list, size_t n)
{
	int parents[LEVELS] = { CAIRO_PDF_OUTLINE_ROOT }, below[5];
	const struct heading *h;
	size_t i;
	int depth;

	for (i = 0; i < n; i++) {
		depth = list[i].page->depth < LEVELS - 2 ? list[i].page->depth : LEVELS - 2;
		parents[depth + 1] = add_bookmark(p, s, parents[depth], list[i].page->title, list[i].dest, depth == 0 && n < 60);
		below[0] = below[1] = below[2] = below[3] = parents[depth + 1];
		for (h = list[i].headings; h != NULL; h = h->next)
			if (h->level <= 2) {
				below[h->level] = add_bookmark(p, s, below[h->level - 1], h->title, h->dest, false);
				below[2] = h->level == 1 ? below[1] : below[2];
			}
	}
}
