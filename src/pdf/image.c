/*
 * Pictures from files. SVG stays vectors (librsvg); gdk-pixbuf decodes other formats to at most 200
 * pixels per inch of paper. A JPEG that needs no scaling is embedded unchanged.
 *
 * The first pass reads only sizes; pixels are decoded when their sheet is drawn, so that only one
 * picture is in memory at a time.
 */
#include <cjson/cJSON.h>
#include <glib.h>
#include <string.h>

#include "decode.h"
#include "paper.h"

/*
 * DOTS: pixels per inch; more makes no visible difference in print. BYTES_MAX: bytes of one file in
 * memory. DRAWN_MAX bounds the time: each drawing of a picture, repeated ones included, starts a
 * child, which takes some milliseconds.
 */
enum { DOTS = 200, BYTES_MAX = 1 << 30, DRAWN_MAX = 20000 };

/* A CSS pixel is 1/96 inch, a point 1/72. */
#define POINTS 0.75   /* per CSS pixel */

/* Reads the file into its own arena, which the caller frees. */
static bool
read_file(struct paper *p, struct arena *a, const char *id, struct pdf_file *out)
{
	return p->source->file(p->source->ctx, a, id, true, out);
}

/* Reads the size of an image; its bytes are freed before the function returns. */
static bool
look_at_image(struct paper *p, const char *id, struct picture *out)
{
	struct arena *bytes = arena_new(BYTES_MAX);
	struct pdf_file file = { 0 };
	struct image_size size = { 0 };
	bool ok = read_file(p, bytes, id, &file) && image_look(file.bytes, &size);

	*out = (struct picture){ .id = id, .w = (size.turn >= 5 ? size.height : size.width) * POINTS,
		.h = (size.turn >= 5 ? size.width : size.height) * POINTS, .svg = size.svg, .turn = size.turn,
		.name = arena_strdup(p->arena, file.name != NULL ? file.name : id) };
	arena_free(bytes);
	return ok;
}

/*
 * Only files of the space are printed: pictures at URLs are never fetched (docs/design/security.md,
 * "S10").
 */
struct picture *
picture_of(struct paper *p, const cJSON *ref)
{
	const char *id = json_text_of(ref, "file");
	struct picture *out;

	if (id == NULL || json_text_of(ref, "space") != NULL)
		return NULL;
	if ((out = map_get(p->pictures, str_of(id))) == NULL) {
		out = arena_alloc(p->arena, sizeof(*out));
		id = arena_strdup(p->arena, id);
		out->sound = look_at_image(p, id, out);
		map_add(p->pictures, str_of(id), out);
	}
	/* Both passes get here, and only the first one warns. */
	if (!out->sound && p->cr == NULL)
		paper_warn(p, "the image %s is missing, damaged, too large or of an unknown kind", out->name);
	return out->sound ? out : NULL;
}

/* Embeds the file itself if it is a JPEG; otherwise Cairo compresses the pixels of s. */
static void
keep_jpeg(cairo_surface_t *s, struct str bytes)
{
	unsigned char *copy;

	if (bytes.n < 3 || memcmp(bytes.p, "\xFF\xD8\xFF", 3) != 0)
		return;
	/* Copy: Cairo reads the bytes when the file is finished, after our arena is freed. */
	copy = g_memdup2(bytes.p, bytes.n);
	if (cairo_surface_set_mime_data(s, CAIRO_MIME_TYPE_JPEG, copy, bytes.n, g_free, copy) != CAIRO_STATUS_SUCCESS)
		g_free(copy);
}

/* Maps the unit square according to the Exif orientation (Exif 2.3, 4.6.4, A). */
static void
turn_image(cairo_t *cr, int how)
{
	static const cairo_matrix_t maps[] = { { 1, 0, 0, 1, 0, 0 }, { -1, 0, 0, 1, 1, 0 }, { -1, 0, 0, -1, 1, 1 },
		{ 1, 0, 0, -1, 0, 1 }, { 0, 1, 1, 0, 0, 0 }, { 0, 1, -1, 0, 1, 0 }, { 0, -1, -1, 0, 1, 1 },
		{ 0, -1, 1, 0, 0, 1 } };

	if (how > 1 && how <= 8)
		cairo_transform(cr, &maps[how - 1]);
}

static bool
pixels_draw(struct paper *p, const struct picture *pic, struct str bytes, double x, double y, double w, double h)
{
	bool lies = pic->turn >= 5;
	const struct image_size size = { (lies ? pic->h : pic->w) / POINTS, (lies ? pic->w : pic->h) / POINTS, false, 0 };
	/* +1, so that a tiny width is not rounded to 0 pixels. */
	int most = (int)((lies ? h : w) * DOTS / 72) + 1;
	cairo_surface_t *s = image_pixels(bytes, &size, most, (int)((lies ? w : h) * DOTS / 72) + 1);

	if (s == NULL)
		return false;
	/* A JPEG with more pixels than needed is scaled instead of embedded. */
	if (size.width <= most)
		keep_jpeg(s, bytes);
	cairo_save(p->cr);
	cairo_translate(p->cr, x, y);
	cairo_scale(p->cr, w, h);
	turn_image(p->cr, pic->turn);
	cairo_scale(p->cr, 1.0 / cairo_image_surface_get_width(s), 1.0 / cairo_image_surface_get_height(s));
	cairo_set_source_surface(p->cr, s, 0, 0);
	cairo_pattern_set_filter(cairo_get_source(p->cr), CAIRO_FILTER_GOOD);
	cairo_rectangle(p->cr, 0, 0, cairo_image_surface_get_width(s), cairo_image_surface_get_height(s));
	cairo_fill(p->cr);
	cairo_restore(p->cr);
	cairo_surface_destroy(s);
	return true;
}

void
picture_draw(struct paper *p, void *picture, double x, double y, double w, double h)
{
	const struct picture *pic = picture;
	struct arena *bytes;
	struct pdf_file file = { 0 };
	bool ok;

	if (++p->decoded > DRAWN_MAX) {
		if (p->decoded == DRAWN_MAX + 1)
			paper_warn(p, "from here on pictures are left out: there are more than %d", DRAWN_MAX);
		return;
	}
	bytes = arena_new(BYTES_MAX);
	ok = read_file(p, bytes, pic->id, &file) && (pic->svg ? image_draw(file.bytes, p->cr, x, y, w, h) :
	    pixels_draw(p, pic, file.bytes, x, y, w, h));

	arena_free(bytes);
	if (ok)
		return;
	/* The first pass could read its size, so the layout has space for it: draw a gray box. */
	paper_warn(p, "the image %s is damaged", pic->name);
	set_color(p, GROUND);
	cairo_rectangle(p->cr, x, y, w, h);
	cairo_fill(p->cr);
}
