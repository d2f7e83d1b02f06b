/*
 * Prints a whole document. Contract: pdf/pdf.h.
 *
 * Two passes over the same pages: the first only lays them out, to find the sheet of each page,
 * heading and anchor; the second repeats the layout and draws. Both use the same fonts, so that
 * their layouts are equal.
 */
#include <cairo-pdf.h>
#include <cjson/cJSON.h>
#include <pango/pangofc-fontmap.h>
#include <stdlib.h>
#include <string.h>

#include "base/font_leaks.h"
#include "base/json.h"
#include "cover.h"

/*
 * SCRATCH_MAX: bytes for the strips of one page. FORMULA_MAX: bytes for the tree of one formula
 * (MATHML_MAX in math_read.c bounds its source).
 */
enum { SCRATCH_MAX = 3 << 29, FORMULA_MAX = 128 << 20, WARNING_MAX = 500 };
/* Paper sizes in points: 210 by 297 mm, 8.5 by 11 in. */
static const double a4[2] = { 595.276, 841.89 }, letter[2] = { 612, 792 };

/* ---- setting up ---- */

static void
set_language(struct paper *p, const char *language)
{
	/* The language selects the glyph variants of Han characters. */
	if (language != NULL && *language != '\0')
		pango_context_set_language(p->pango, pango_language_from_string(language));
}

/*
 * All documents of a process share one map, because fontconfig keeps its results for each map until
 * the program ends.
 */
static PangoFontMap *
font_map(void)
{
	static PangoFontMap *map;

	if (map == NULL) {
		map = pango_cairo_font_map_new_for_font_type(CAIRO_FONT_TYPE_FT);
		pango_cairo_font_map_set_resolution(PANGO_CAIRO_FONT_MAP(map), 72);
	}
	return map;
}

/*
 * Hinting and rounding to pixels are off: they fit text to screens and would make positions depend
 * on the resolution. Families are tried in order; the last ones are those that Debian installs with
 * fontconfig.
 */
static void
set_fonts(struct paper *p)
{
	const char *own = p->source->font;
	cairo_font_options_t *o = cairo_font_options_create();

	p->pango = pango_font_map_create_context(font_map());
	cairo_font_options_set_hint_style(o, CAIRO_HINT_STYLE_NONE);
	cairo_font_options_set_hint_metrics(o, CAIRO_HINT_METRICS_OFF);
	pango_cairo_context_set_font_options(p->pango, o);
	cairo_font_options_destroy(o);
	pango_context_set_round_glyph_positions(p->pango, FALSE);
	p->sans = arena_printf(p->arena, "%s%sInter, Source Sans 3, Source Sans Pro, Noto Sans, Open Sans, Liberation Sans, "
	    "DejaVu Sans, sans-serif", own != NULL ? own : "", own != NULL && *own != '\0' ? ", " : "");
	p->mono = "JetBrains Mono, Source Code Pro, Noto Sans Mono, Liberation Mono, DejaVu Sans Mono, monospace";
	p->serif = "Latin Modern Math, STIX Two Math, TeX Gyre DejaVu Math, DejaVu Math TeX Gyre, DejaVu Serif, serif";
	set_language(p, p->source->language);
}

/* Measures the advance of each ASCII character, from which table.c estimates column widths. */
static void
measure_ascii(struct paper *p)
{
	const char *families[2] = { p->sans, p->mono };
	struct flow f;
	char one[2] = "";
	int k, c;

	flow_init(&f, p, 100, false);
	for (k = 0; k < 2; k++)
		for (c = ' '; c < 127; c++) {
			struct writer *w = writer_new(&f, &(struct type){ .family = families[k], .size = 100, .color = INK });
			double h, ascent;
			struct text *t;

			one[0] = (char)c;
			writer_text(w, one);
			t = writer_end(w, -1);
			text_size(t, &p->advance[k][c], &h, &ascent);
			/*
			 * Inline code is set at 0.9 of the surrounding size (put_mono() in
			 * text_layout.c).
			 */
			p->advance[k][c] /= k == 0 ? 100 : 111;
			text_drop(t);
		}
}

/* Margins in points; the upper and the lower one contain the running heads. */
static void
set_paper(struct paper *p)
{
	const double *size = p->source->letter ? letter : a4;

	p->width = size[0];
	p->height = size[1];
	p->left = p->right = 62;
	p->top = 76;
	p->bottom = 74;
}

/* ---- a page ---- */

/*
 * The title with its emoji in front. As in put_emoji() of text_layout.c, the first invalid code
 * point ends the emoji.
 */
static const char *
full_title(struct paper *p, const struct pdf_page *page)
{
	const char *code = page->emoji;
	struct buf b;
	char *end;

	buf_init(&b, p->scratch, 1 << 20);
	while (code != NULL && *code != '\0') {
		unsigned long cp = strtoul(code, &end, 16);

		if (end == code || cp == 0 || cp > 0x10FFFF || (cp >= 0xD800 && cp <= 0xDFFF))
			break;
		buf_utf8(&b, (uint32_t)cp);
		code = *end == '-' ? end + 1 : end;
	}
	buf_printf(&b, "%s%s", b.n > 0 ? " " : "", page->title);
	return b.p;
}

/* Adds the page as a link destination of the next strip. */
static void
add_page_dest(struct flow *f, const struct pdf_page *page)
{
	struct place *at = arena_alloc(f->paper->scratch, sizeof(*at));

	*at = (struct place){ f->dests, paper_dest(f->paper, page->id, "") };
	f->dests = at;
}

/* Pages without a document of their own are headings above the title of the next page. */
static void
page_head(struct flow *f, const struct pdf_page *first, const struct pdf_page *page)
{
	const struct pdf_page *x;

	for (x = first; x != page; x = x->next) {
		add_page_dest(f, x);
		text_flow(f, x->title, &(struct type){ .size = 10.5, .bold = true, .color = ACCENT }, "P", true);
		flow_gap(f, 6);
	}
	add_page_dest(f, page);
	text_flow(f, full_title(f->paper, page), &(struct type){ .size = page->depth == 0 ? 24 : 21, .bold = true,
	    .color = INK }, "H1", true);
	if (page->description != NULL) {
		flow_gap(f, 6);
		text_flow(f, page->description, &(struct type){ .size = 11.5, .color = MUTED }, "P", true);
	}
	flow_gap(f, 14);
}

static void
print_page(struct paper *p, const struct pdf_page *first, const struct pdf_page *page)
{
	struct str json = { NULL, 0 };
	cJSON *document = NULL;
	struct flow f;

	p->page = page;
	p->unknown = 0;
	/* Restart the numbers of notes on each page, so that both passes number them equally. */
	p->note_no = 0;
	if (page->written)
		json = p->source->document(p->source->ctx, p->scratch, page);
	/*
	 * Do not call cJSON_Delete(): json_arena() makes cJSON allocate in scratch, which is reset
	 * below.
	 */
	if (json.n > 0)
		document = cJSON_ParseWithLength(json.p, json.n);
	p->document = document;
	p->schemas = NULL;
	flow_init(&f, p, paper_width(p), true);
	page_head(&f, first, page);
	blocks(&f, json_member(document, "nodes"));
	flow_end(&f);
	/* Warn about content in the first pass only, otherwise each warning would appear twice. */
	if (p->unknown > 0 && p->cr == NULL)
		paper_warn(p, "no installed font has %zu of its characters", p->unknown);
	heads_drop(p);
	arena_reset(p->scratch);
}

/* One pass over all pages; false: stopped. done: pages of earlier passes, for progress(). */
static bool
print_pages(struct paper *p, struct printed_page *list, size_t n, size_t done, const char *stage)
{
	const struct pdf_page *page, *first = NULL;
	size_t i = 0;

	p->stage = stage;
	p->total = 2 * n;
	for (page = p->source->pages; page != NULL; page = page->next, i++) {
		p->done = done + i;
		if (!p->source->progress(p->source->ctx, stage, p->done, p->total))
			p->stop = PDF_STOPPED;
		if (p->stop != NULL)
			return false;
		p->last_heading = p->cr == NULL ? &list[i].headings : NULL;
		/*
		 * A page without a document is printed as a heading of the first page below it, or
		 * by itself if no page below follows.
		 */
		first = first != NULL ? first : page;
		if (!page->written && page->next != NULL && page->next->depth > page->depth)
			continue;
		print_page(p, first, page);
		first = NULL;
	}
	p->page = NULL;
	p->last_heading = NULL;
	return p->stop == NULL;
}

/* ---- the whole document ---- */

static struct printed_page *
list_pages(struct paper *p, size_t *n)
{
	const struct pdf_page *page;
	struct printed_page *list;
	size_t i = 0;

	for (*n = 0, page = p->source->pages; page != NULL; page = page->next)
		++*n;
	list = arena_array(p->arena, *n + 1, sizeof(*list));
	for (page = p->source->pages; page != NULL; page = page->next)
		list[i++] = (struct printed_page){ .page = page, .dest = paper_dest(p, page->id, "") };
	return list;
}

/* The first pass; false: stopped. Cover and contents are counted after the pages. */
static bool
lay_out(struct paper *p, struct printed_page *list, size_t n)
{
	struct dest *d;

	if (!print_pages(p, list, n, 0, "laying out"))
		return false;
	/*
	 * The cover is sheet 1, then come the contents. They are laid out last because they show
	 * the sheet numbers of the pages. The numbers are not final yet, but their width does not
	 * change the number of lines.
	 */
	p->sheet = 0;
	if (n > 1) {
		p->sheet = 1;
		front_contents(p, list, n);
		arena_reset(p->scratch);
		/*
		 * Destinations that are on no strip keep sheet 0; link_attributes() checks for it.
		 */
		for (d = p->all_dests; d != NULL; d = d->next)
			d->sheet += d->sheet > 0 ? p->sheet : 0;
	}
	return true;
}

static cairo_surface_t *
open_surface(struct paper *p, const char *path)
{
	cairo_surface_t *s = cairo_pdf_surface_create(path, p->width, p->height);
	char day[25];

	p->cr = cairo_create(s);
	if (cairo_surface_status(s) != CAIRO_STATUS_SUCCESS)
		return s;
	time_format(p->source->at, day);
	/* "2024-01-01T12:00:00" has 19 characters; the copied NUL ends the text. */
	memcpy(day + 19, "Z", 2);   /* whole seconds */
	cairo_pdf_surface_set_metadata(s, CAIRO_PDF_METADATA_TITLE, p->source->title);
	if (p->source->owner != NULL)
		cairo_pdf_surface_set_metadata(s, CAIRO_PDF_METADATA_AUTHOR, p->source->owner);
	cairo_pdf_surface_set_metadata(s, CAIRO_PDF_METADATA_CREATOR, "Octavo");
	/* The date of the content, so that equal content gives equal bytes. */
	cairo_pdf_surface_set_metadata(s, CAIRO_PDF_METADATA_CREATE_DATE, day);
	return s;
}

static const char *
draw_pdf(struct paper *p, struct printed_page *list, size_t n, const char *path)
{
	cairo_surface_t *s = open_surface(p, path);
	cairo_status_t status = cairo_surface_status(s);
	bool whole;

	if (status != CAIRO_STATUS_SUCCESS) {
		cairo_destroy(p->cr);
		p->cr = NULL;
		cairo_surface_destroy(s);
		return cairo_status_to_string(status);
	}
	p->sheet = 0;
	/* The root of the structure tree (ISO 32000-1, 14.8.4.2) encloses all sheets. */
	tag_begin(p, "Document", NULL);
	if (n > 1) {
		front_cover(p);
		front_contents(p, list, n);
		arena_reset(p->scratch);
	}
	whole = print_pages(p, list, n, n, "printing");
	tag_end(p, "Document");
	/*
	 * After a stop, destinations of bookmarks may be missing; the incomplete file is useless
	 * anyway.
	 */
	if (whole)
		front_bookmarks(p, s, list, n);
	/*
	 * Read the status before the context is destroyed: it holds drawing errors, while the
	 * surface holds writing errors. The file is complete only after cairo_surface_finish().
	 */
	status = cairo_status(p->cr);
	cairo_destroy(p->cr);
	p->cr = NULL;
	cairo_surface_finish(s);
	if (status == CAIRO_STATUS_SUCCESS)
		status = cairo_surface_status(s);
	cairo_surface_destroy(s);
	if (!whole)
		return p->stop;
	return status == CAIRO_STATUS_SUCCESS ? NULL : cairo_status_to_string(status);
}

static const char *
write_all(struct paper *p, const char *path)
{
	const char *error;
	struct printed_page *list;
	size_t n;

	set_fonts(p);
	measure_ascii(p);
	list = list_pages(p, &n);
	if (n == 0)
		return "there is no page to print";
	if (!lay_out(p, list, n))
		return p->stop;
	error = draw_pdf(p, list, n, path);
	return error != NULL ? error : catalog_language(p->arena, path, p->source->language);
}

struct pdf_result
pdf_write(struct arena *a, const struct pdf_source *s, const char *path)
{
	struct paper *p = arena_alloc(a, sizeof(*p));
	struct pdf_result r;
	struct arena *outer;

	*p = (struct paper){ .source = s, .arena = a, .scratch = arena_within(a, SCRATCH_MAX),
		.formula = arena_within(a, FORMULA_MAX), .dests = map_new(a), .unset = map_new(a),
		.blocks = block_list, .pictures = map_new(a) };
	/*
	 * While printing, cJSON allocates in scratch: many documents are parsed, and an arena reset
	 * is cheaper than freeing each node.
	 */
	outer = json_arena(p->scratch);
	set_paper(p);
	r.error = write_all(p, path);
	r.sheets = p->sheet;
	json_arena(outer);
	if (p->pango != NULL)
		g_object_unref(p->pango);
	arena_reset(p->scratch);
	return r;
}
