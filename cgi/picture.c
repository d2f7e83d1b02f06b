/*
 * octavo-picture: draws the preview picture of a page for octavo-site
 * (include/reader/preview_picture.h), with Cairo and Pango. It draws one picture and exits. The
 * program is not trusted: its input is plain text only, and its parent limits its time and memory.
 */
#include <pango/pangocairo.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/font_leaks.h"
#include "reader/preview_picture.h"

/* Pixels. BAND: coloured band at the bottom; SIGN: square with the site's initial. */
enum { MARGIN = 80, BAND = 16, SIGN = 64, WIDE = PICTURE_WIDTH - 2 * MARGIN };

struct ink {
	double r, g, b;
};
/*
 * Colours of the site's style sheet: headings and dim text. The second has a contrast of 6:1 on
 * white.
 */
static const struct ink head = { 0.078, 0.094, 0.114 }, dim = { 0.357, 0.388, 0.431 }, white = { 1, 1, 1 };

struct picture {
	cairo_t      *cr;
	PangoContext *fonts;
	char          line[PICTURE_LINES][PICTURE_LINE];
	bool          rtl;
};

/*
 * Reads the lines without their newlines. The rest of a line longer than PICTURE_LINE is dropped,
 * so that it is not read as the next line.
 */
static bool
read_lines(struct picture *p)
{
	for (int i = 0; i < PICTURE_LINES; i++) {
		size_t n;
		int c;
		if (fgets(p->line[i], PICTURE_LINE, stdin) == NULL)
			return false;
		n = strlen(p->line[i]);
		if (n > 0 && p->line[i][n - 1] == '\n')
			p->line[i][n - 1] = '\0';
		else
			while ((c = getchar()) != EOF && c != '\n')
				;
	}
	p->rtl = strcmp(p->line[PICTURE_DIRECTION], "rtl") == 0;
	return true;
}

static struct ink
color_of(const char *text)
{
	unsigned r, g, b;

	if (sscanf(text, "#%2x%2x%2x", &r, &g, &b) != 3)
		return head;
	return (struct ink){ r / 255.0, g / 255.0, b / 255.0 };
}

static void
use_ink(struct picture *p, struct ink ink)
{
	cairo_set_source_rgb(p->cr, ink.r, ink.g, ink.b);
}

/*
 * Lays out a text in at most `lines` lines; a longer text ends in "…". The caller unrefs the
 * layout.
 */
static PangoLayout *
set_text(struct picture *p, const char *text, int pixels, PangoWeight weight, int width, int lines)
{
	PangoFontDescription *font = pango_font_description_from_string("Inter, Source Sans 3, Noto Sans, Open Sans, "
	    "Liberation Sans, DejaVu Sans, sans-serif");
	PangoLayout *l = pango_layout_new(p->fonts);

	pango_font_description_set_absolute_size(font, (double)pixels * PANGO_SCALE);
	pango_font_description_set_weight(font, weight);
	pango_layout_set_font_description(l, font);
	pango_font_description_free(font);
	pango_layout_set_width(l, width * PANGO_SCALE);
	/* Pango reads a negative height as a number of lines. */
	pango_layout_set_height(l, -lines);
	pango_layout_set_wrap(l, PANGO_WRAP_WORD_CHAR);
	pango_layout_set_ellipsize(l, PANGO_ELLIPSIZE_END);
	/*
	 * The text's own direction orders its words; put_text() keeps it on the side of the site's
	 * language.
	 */
	pango_layout_set_auto_dir(l, TRUE);
	pango_layout_set_text(l, text, -1);
	return l;
}

/* Draws the layout and frees it. Returns its height in pixels. */
static int
put_text(struct picture *p, PangoLayout *l, struct ink ink, int x, int y)
{
	bool right = pango_layout_get_direction(l, 0) == PANGO_DIRECTION_RTL;
	int height;

	/*
	 * Pango mirrors the alignment of a text whose direction differs from the context's, so this
	 * puts every text on the side of the site's language.
	 */
	pango_layout_set_alignment(l, right ? PANGO_ALIGN_RIGHT : PANGO_ALIGN_LEFT);
	use_ink(p, ink);
	cairo_move_to(p->cr, x, y);
	pango_cairo_show_layout(p->cr, l);
	pango_layout_get_pixel_size(l, NULL, &height);
	g_object_unref(l);
	return height;
}

static void
draw_rounded(cairo_t *cr, double x, double y, double size, double r)
{
	cairo_new_path(cr);
	cairo_arc(cr, x + size - r, y + r, r, -G_PI / 2, 0);
	cairo_arc(cr, x + size - r, y + size - r, r, 0, G_PI / 2);
	cairo_arc(cr, x + r, y + size - r, r, G_PI / 2, G_PI);
	cairo_arc(cr, x + r, y + r, r, G_PI, 3 * G_PI / 2);
	cairo_close_path(cr);
}

/* Draws the site's initial in a square of its colour, and the site's name beside it. */
static void
draw_site(struct picture *p, struct ink color)
{
	int x = p->rtl ? PICTURE_WIDTH - MARGIN - SIGN : MARGIN, width, height;
	const char *name = p->line[PICTURE_SITE];
	char letter[8] = "";
	PangoLayout *l;
	/* Approximate relative luminance: text on a light colour is dark (WCAG 1.4.3). */
	bool light = 0.21 * color.r + 0.72 * color.g + 0.07 * color.b > 0.6;

	use_ink(p, color);
	draw_rounded(p->cr, x, MARGIN, SIGN, 14);
	cairo_fill(p->cr);
	if (*name != '\0')
		g_utf8_strncpy(letter, name, 1);
	l = set_text(p, letter, 38, PANGO_WEIGHT_BOLD, -1, 1);
	pango_layout_get_pixel_size(l, &width, &height);
	use_ink(p, light ? head : white);
	cairo_move_to(p->cr, x + (SIGN - width) / 2.0, MARGIN + (SIGN - height) / 2.0);
	pango_cairo_show_layout(p->cr, l);
	g_object_unref(l);
	l = set_text(p, name, 36, PANGO_WEIGHT_SEMIBOLD, WIDE - SIGN - 24, 1);
	pango_layout_get_pixel_size(l, NULL, &height);
	put_text(p, l, head, p->rtl ? MARGIN : MARGIN + SIGN + 24, MARGIN + (SIGN - height) / 2);
}

static void
draw_picture(struct picture *p)
{
	struct ink color = color_of(p->line[PICTURE_COLOR]);
	int y = MARGIN + SIGN + 56, lines;
	PangoLayout *l;

	use_ink(p, white);
	cairo_paint(p->cr);
	use_ink(p, color);
	cairo_rectangle(p->cr, 0, PICTURE_HEIGHT - BAND, PICTURE_WIDTH, BAND);
	cairo_fill(p->cr);
	draw_site(p, color);
	if (p->line[PICTURE_PLACE][0] != '\0')
		y += put_text(p, set_text(p, p->line[PICTURE_PLACE], 28, PANGO_WEIGHT_NORMAL, WIDE, 1), dim, MARGIN, y) + 8;
	/* Use a smaller font for a title of several lines, to leave room for the description. */
	l = set_text(p, p->line[PICTURE_TITLE], 72, PANGO_WEIGHT_BOLD, WIDE, 3);
	lines = pango_layout_get_line_count(l);
	if (lines > 1) {
		g_object_unref(l);
		l = set_text(p, p->line[PICTURE_TITLE], 58, PANGO_WEIGHT_BOLD, WIDE, 3);
		lines = pango_layout_get_line_count(l);
	}
	y += put_text(p, l, head, MARGIN, y) + 20;
	if (p->line[PICTURE_ABOUT][0] != '\0')
		put_text(p, set_text(p, p->line[PICTURE_ABOUT], 32, PANGO_WEIGHT_NORMAL, WIDE, lines > 2 ? 2 : 3), dim,
		    MARGIN, y);
}

/* Write function for cairo: appends the PNG data to a GByteArray. */
static cairo_status_t
gather_bytes(void *to, const unsigned char *p, unsigned n)
{
	g_byte_array_append(to, p, n);
	return CAIRO_STATUS_SUCCESS;
}

static void
print_base64(const GByteArray *png)
{
	char *text = g_base64_encode(png->data, png->len);
	size_t n = strlen(text), i;

	for (i = 0; i < n; i += PICTURE_BASE64)
		printf("%.*s\n", PICTURE_BASE64, text + i);
	g_free(text);
}

int
main(void)
{
	static struct picture p;
	cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, PICTURE_WIDTH, PICTURE_HEIGHT);
	GByteArray *png = g_byte_array_new();
	bool good;

	if (!read_lines(&p))
		return 2;
	p.cr = cairo_create(surface);
	p.fonts = pango_cairo_create_context(p.cr);
	pango_context_set_base_dir(p.fonts, p.rtl ? PANGO_DIRECTION_RTL : PANGO_DIRECTION_LTR);
	if (p.line[PICTURE_LANGUAGE][0] != '\0')
		pango_context_set_language(p.fonts, pango_language_from_string(p.line[PICTURE_LANGUAGE]));
	draw_picture(&p);
	good = cairo_status(p.cr) == CAIRO_STATUS_SUCCESS &&
	    cairo_surface_write_to_png_stream(surface, gather_bytes, png) == CAIRO_STATUS_SUCCESS;
	if (good)
		print_base64(png);
	g_byte_array_free(png, TRUE);
	g_object_unref(p.fonts);
	cairo_destroy(p.cr);
	cairo_surface_destroy(surface);
	return good && fflush(stdout) == 0 ? 0 : 1;
}
