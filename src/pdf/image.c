/*
 * Pictures of files: SVG stays a drawing (librsvg), everything else is decoded by gdk-pixbuf
 * at no more than 200 pixels an inch of paper. JPEG goes into the file as it is.
 *
 * Sizes are read first; the pixels when the sheet is drawn, so that the first pass
 * decodes nothing and one picture is in memory at a time.
 */
#include <cjson/cJSON.h>
#include <glib.h>
#include <string.h>

#include "decode.h"
#include "paper.h"

/*
 * DOTS: pixels an inch, beyond which print shows no difference. BYTES_MAX bounds one file in memory. DRAWN_MAX:
 * each is decoded by a child of its own, some milliseconds, however often the same one is shown.
 */
enum { DOTS = 200, BYTES_MAX = 1 << 30, DRAWN_MAX = 20000 };

/* A pixel of CSS is 1/96 inch, a point 1/72. */
#define POINTS 0.75   /* of a pixel */

/* The bytes live as long as the arena, which is for them alone. */
static bool
read_file(struct paper *p, struct arena *a, const char *id, struct pdf_file *out)
{
	return p->source->file(p->source->ctx, a, id, true, out);
}

/* An arena of its own for the bytes: it is freed at once. */
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

/* Pictures at addresses are never fetched (docs/design/security.md, "S10"): only files of the space are printed. */
struct picture *
picture_of(struct paper *p, const cJSON *ref)
{
	const char *id = json_text(ref, "file");
	struct picture *out;

	if (id == NULL || json_text(ref, "space") != NULL)
		return NULL;
	if ((out = map_get(p->pictures, str_of(id))) == NULL) {
		out = arena_alloc(p->arena, sizeof(*out));
		id = arena_strdup(p->arena, id);
		out->sound = look_at_image(p, id, out);
		map_add(p->pictures, str_of(id), out);
	}
	/* Both passes come here; only the first one warns. */
	if (!out->sound && p->cr == NULL)
		paper_warn(p, "the image %s is missing, damaged, too large or of an unknown kind", out->name);
	return out->sound ? out : NULL;
}

/* Small enough to be embedded as it is, and in colors that every reader knows. */
static void
keep_jpeg(cairo_surface_t *s, struct str bytes)
{
	unsigned char *copy;

	if (bytes.n < 3 || memcmp(bytes.p, "\xFF\xD8\xFF", 3) != 0)
		return;
	/* Cairo reads them when the file is finished; our arena is gone by then. */
	copy = g_memdup2(bytes.p, bytes.n);
	if (cairo_surface_set_mime_data(s, CAIRO_MIME_TYPE_JPEG, copy, bytes.n, g_free, copy) != CAIRO_STATUS_SUCCESS)
		g_free(copy);
}

/* Exif 2.3, 4.6.4, A: where row 0 and column 0 of the pixels are in the picture, as a map of the unit square. */
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
	/* +1: a width that is cut to 0 pixels would be no image. */
	int most = (int)((lies ? h : w) * DOTS / 72) + 1;
	cairo_surface_t *s = image_pixels(bytes, &size, most, (int)((lies ? w : h) * DOTS / 72) + 1);

	if (s == NULL)
		return false;
	/* A JPEG with more pixels than are printed is decoded and made smaller instead. */
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
	/* Its size was good in the first pass, so its room is there: a gray box fills it. */
	paper_warn(p, "the image %s is damaged", pic->name);
	set_color(p, GROUND);
	cairo_rectangle(p->cr, x, y, w, h);
	cairo_fill(p->cr);
}
