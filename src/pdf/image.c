/*
 * Pictures of files: SVG stays a drawing (librsvg, which without a base address reads
 * nothing but the bytes it is given), everything else is decoded by gdk-pixbuf at no more
 * than 200 pixels an inch of paper. JPEG goes into the file as it is.
 *
 * Sizes are read first; the pixels when the sheet is drawn, so that the first pass
 * decodes nothing and one picture is in memory at a time.
 */
#include <cjson/cJSON.h>
#include <librsvg/rsvg.h>
#include <stdlib.h>
#include <string.h>

#include "paper.h"

enum { PIXELS_MAX = 64000000, DOTS = 200, SVG_MAX = 8 << 20, SVG_HEAD = 8 << 10, BYTES_MAX = 1 << 30 };

/* What a decoder is asked for. */
struct wanted {
	int  width, height;    /* at most; 0: only the size is wanted */
	int  natural_w, natural_h;
	bool refused;
};

static void
on_size(GdkPixbufLoader *loader, int w, int h, void *ctx)
{
	struct wanted *want = ctx;

	want->natural_w = w;
	want->natural_h = h;
	want->refused = w < 1 || h < 1 || (int64_t)w * h > PIXELS_MAX;
	if (want->refused || want->width == 0)
		gdk_pixbuf_loader_set_size(loader, 1, 1);
	else if (w > want->width)
		gdk_pixbuf_loader_set_size(loader, want->width, want->height);
}

static GdkPixbuf *
decode(struct str bytes, struct wanted *want)
{
	GdkPixbufLoader *loader = gdk_pixbuf_loader_new();
	GdkPixbuf *pixels = NULL;
	size_t at = 0, piece;
	bool ok = true;

	g_signal_connect(loader, "size-prepared", G_CALLBACK(on_size), want);
	/* In pieces: a decoder that only tells the size need not see the rest. */
	while (ok && at < bytes.n && !(want->width == 0 && want->natural_w > 0) && !want->refused) {
		piece = bytes.n - at > 65536 ? 65536 : bytes.n - at;
		ok = gdk_pixbuf_loader_write(loader, (const guchar *)bytes.p + at, piece, NULL);
		at += piece;
	}
	ok = gdk_pixbuf_loader_close(loader, NULL) && ok;
	if (ok && want->width > 0 && !want->refused)
		pixels = gdk_pixbuf_loader_get_pixbuf(loader);
	if (pixels != NULL)
		g_object_ref(pixels);
	g_object_unref(loader);
	return pixels;
}

/* ---- SVG ---- */

static RsvgHandle *
svg_open(struct str bytes)
{
	return bytes.n > SVG_MAX ? NULL : rsvg_handle_new_from_data((const guint8 *)bytes.p, bytes.n, NULL);
}

static bool
svg_size(struct str bytes, struct picture *out)
{
	RsvgHandle *h = svg_open(bytes);
	gboolean has_w, has_h, has_box;
	RsvgLength lw, lh;
	RsvgRectangle box;
	gdouble w = 0, hh = 0;

	if (h == NULL)
		return false;
	rsvg_handle_set_dpi(h, 96);
	if (!rsvg_handle_get_intrinsic_size_in_pixels(h, &w, &hh)) {
		rsvg_handle_get_intrinsic_dimensions(h, &has_w, &lw, &has_h, &lh, &has_box, &box);
		w = has_box ? box.width : 400;
		hh = has_box ? box.height : 300;
	}
	g_object_unref(h);
	*out = (struct picture){ .w = w * 0.75, .h = hh * 0.75, .svg = true };
	return w >= 0.5 && hh >= 0.5 && w < 1e6 && hh < 1e6;
}

static bool
svg_draw(struct paper *p, struct str bytes, double x, double y, double w, double h)
{
	RsvgRectangle box = { x, y, w, h };
	RsvgHandle *handle = svg_open(bytes);
	bool ok;

	if (handle == NULL)
		return false;
	rsvg_handle_set_dpi(handle, 96);
	cairo_save(p->cr);
	ok = rsvg_handle_render_document(handle, p->cr, &box, NULL);
	cairo_restore(p->cr);
	g_object_unref(handle);
	return ok;
}

/* By what is in it: pictures of other kinds are named .svg, too. */
static bool
is_svg(struct str bytes)
{
	size_t n = bytes.n < SVG_HEAD ? bytes.n : SVG_HEAD;

	return memmem(bytes.p, n, "<svg", 4) != NULL || memmem(bytes.p, n, ":svg", 4) != NULL;
}

/* ---- pictures ---- */

static bool
read_size(struct str bytes, struct picture *out)
{
	struct wanted want = { 0 };

	decode(bytes, &want);
	*out = (struct picture){ .w = want.natural_w * 0.75, .h = want.natural_h * 0.75 };
	return want.natural_w > 0 && want.natural_h > 0 && !want.refused;
}

/* The bytes live as long as the arena, which is for them alone. */
static bool
read_file(struct paper *p, struct arena *a, const char *id, struct pdf_file *out)
{
	return p->source->file(p->source->ctx, a, id, true, out);
}

static bool
look(struct paper *p, const char *id, struct picture *out)
{
	struct arena *bytes = arena_new(BYTES_MAX);
	struct pdf_file file = { 0 };
	bool ok = read_file(p, bytes, id, &file) && file.bytes.n > 0 &&
	    (is_svg(file.bytes) ? svg_size(file.bytes, out) : read_size(file.bytes, out));

	out->id = id;
	out->name = arena_strdup(p->scratch, file.name != NULL ? file.name : id);
	if (!ok && p->cr == NULL)
		paper_warn(p, "the image %s is missing, damaged, too large or of an unknown kind", out->name);
	arena_free(bytes);
	return ok;
}

struct picture *
picture_of(struct paper *p, const cJSON *ref)
{
	const char *id = json_text(ref, "file");
	struct picture *out = arena_alloc(p->scratch, sizeof(*out));

	if (id == NULL || json_text(ref, "space") != NULL)
		return NULL;
	return look(p, id, out) ? out : NULL;
}

/* Cairo's pixels: alpha first, multiplied into the colors, in the machine's byte order. */
static cairo_surface_t *
surface_of(GdkPixbuf *pixels)
{
	int w = gdk_pixbuf_get_width(pixels), h = gdk_pixbuf_get_height(pixels), channels, x, y, stride;
	bool alpha = gdk_pixbuf_get_has_alpha(pixels);
	cairo_surface_t *s = cairo_image_surface_create(alpha ? CAIRO_FORMAT_ARGB32 : CAIRO_FORMAT_RGB24, w, h);
	const guchar *from = gdk_pixbuf_read_pixels(pixels), *px;
	unsigned char *to = cairo_image_surface_get_data(s);
	uint32_t *out;

	channels = gdk_pixbuf_get_n_channels(pixels);
	stride = gdk_pixbuf_get_rowstride(pixels);
	cairo_surface_flush(s);
	for (y = 0; to != NULL && y < h; y++) {
		out = (uint32_t *)(void *)(to + (size_t)y * (size_t)cairo_image_surface_get_stride(s));
		for (x = 0; x < w; x++) {
			px = from + (size_t)y * (size_t)stride + (size_t)x * (size_t)channels;
			uint32_t a = alpha ? px[3] : 255;
			out[x] = a << 24 | px[0] * a / 255 << 16 | px[1] * a / 255 << 8 | px[2] * a / 255;
		}
	}
	cairo_surface_mark_dirty(s);
	return s;
}

/* Small enough to be embedded as it is, and in colors that every reader knows. */
static void
keep_jpeg(cairo_surface_t *s, struct str bytes, const struct wanted *want)
{
	unsigned char *copy;

	if (bytes.n < 3 || memcmp(bytes.p, "\xFF\xD8\xFF", 3) != 0 || want->natural_w > want->width)
		return;
	copy = g_memdup2(bytes.p, bytes.n);
	if (cairo_surface_set_mime_data(s, CAIRO_MIME_TYPE_JPEG, copy, bytes.n, g_free, copy) != CAIRO_STATUS_SUCCESS)
		g_free(copy);
}

static bool
pixels_draw(struct paper *p, struct str bytes, double x, double y, double w, double h)
{
	struct wanted want = { .width = (int)(w * DOTS / 72) + 1, .height = (int)(h * DOTS / 72) + 1 };
	GdkPixbuf *pixels = decode(bytes, &want);
	cairo_surface_t *s;

	if (pixels == NULL)
		return false;
	s = surface_of(pixels);
	keep_jpeg(s, bytes, &want);
	cairo_save(p->cr);
	cairo_translate(p->cr, x, y);
	cairo_scale(p->cr, w / gdk_pixbuf_get_width(pixels), h / gdk_pixbuf_get_height(pixels));
	cairo_set_source_surface(p->cr, s, 0, 0);
	cairo_pattern_set_filter(cairo_get_source(p->cr), CAIRO_FILTER_GOOD);
	cairo_rectangle(p->cr, 0, 0, gdk_pixbuf_get_width(pixels), gdk_pixbuf_get_height(pixels));
	cairo_fill(p->cr);
	cairo_restore(p->cr);
	cairo_surface_destroy(s);
	g_object_unref(pixels);
	return true;
}

void
picture_draw(struct paper *p, void *picture, double x, double y, double w, double h)
{
	const struct picture *pic = picture;
	struct arena *bytes = arena_new(BYTES_MAX);
	struct pdf_file file = { 0 };
	bool ok = read_file(p, bytes, pic->id, &file) && (pic->svg ? svg_draw(p, file.bytes, x, y, w, h) :
	    pixels_draw(p, file.bytes, x, y, w, h));

	arena_free(bytes);
	if (ok)
		return;
	paper_warn(p, "the image %s is damaged", pic->name);
	paint(p, GROUND);
	cairo_rectangle(p->cr, x, y, w, h);
	cairo_fill(p->cr);
}
