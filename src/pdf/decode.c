/*
 * Decoders of images, in child processes. Contract: decode.h.
 *
 * A child returns sizes as a line of text and pixels in shared memory. A vector drawing cannot be
 * passed like that: the child draws it first and discards the result, and only if it survives is it
 * drawn in this process.
 */
#include <cairo-pdf.h>
#include <librsvg/rsvg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "base/child.h"
#include "base/jpeg.h"
#include "decode.h"

/*
 * 64 million decoded pixels take 256 MB, within the child's MEMORY_MAX of 1 GiB. SVG has its own
 * limit, since a small file may become a large tree. SECONDS bounds one child.
 */
enum { PIXELS_MAX = 64000000, SVG_MAX = 8 << 20, SVG_HEAD = 8 << 10, SECONDS = 20, SCALE = 1000 };

#define MEMORY_MAX ((int64_t)1 << 30)

/* ---- in the child: pixels ---- */

/* What to decode, and what the header says. */
struct decode_size {
	int  width, height;    /* upper bounds; 0: read the size only */
	int  natural_w, natural_h;
	bool refused;
};

/*
 * The loader calls it when it has read the header, before it allocates pixels, so that a small file
 * that claims a huge image takes no memory.
 */
static void
on_size(GdkPixbufLoader *loader, int w, int h, void *ctx)
{
	struct decode_size *want = ctx;

	want->natural_w = w;
	want->natural_h = h;
	/* 64 bit, because the product of two int may overflow. */
	want->refused = w < 1 || h < 1 || (int64_t)w * h > PIXELS_MAX;
	if (want->refused || want->width == 0)
		gdk_pixbuf_loader_set_size(loader, 1, 1);
	else if (w > want->width)
		gdk_pixbuf_loader_set_size(loader, want->width, want->height);
}

/*
 * Returns a reference that the caller must release. NULL: damaged, refused, or only the size was
 * requested (width 0).
 */
static GdkPixbuf *
decode_image(struct str bytes, struct decode_size *want)
{
	GdkPixbufLoader *loader = gdk_pixbuf_loader_new();
	GdkPixbuf *pixels = NULL;
	size_t at = 0, piece;
	bool ok = true;

	g_signal_connect(loader, "size-prepared", G_CALLBACK(on_size), want);
	/* Write in pieces: to read the size alone, the rest is not needed. */
	while (ok && at < bytes.n && !(want->width == 0 && want->natural_w > 0) && !want->refused) {
		piece = bytes.n - at > 65536 ? 65536 : bytes.n - at;
		ok = gdk_pixbuf_loader_write(loader, (const guchar *)bytes.p + at, piece, NULL);
		at += piece;
	}
	/* The loader must be closed before it is released, also after an error. */
	ok = gdk_pixbuf_loader_close(loader, NULL) && ok;
	if (ok && want->width > 0 && !want->refused)
		pixels = gdk_pixbuf_loader_get_pixbuf(loader);
	if (pixels != NULL)
		g_object_ref(pixels);
	g_object_unref(loader);
	return pixels;
}

/* Converts to Cairo's format: premultiplied ARGB in native byte order. */
static void
write_pixels(const GdkPixbuf *pixels, uint32_t *out)
{
	int w = gdk_pixbuf_get_width(pixels), h = gdk_pixbuf_get_height(pixels), x, y;
	size_t channels = (size_t)gdk_pixbuf_get_n_channels(pixels), stride = (size_t)gdk_pixbuf_get_rowstride(pixels);
	bool alpha = gdk_pixbuf_get_has_alpha(pixels);
	const guchar *from = gdk_pixbuf_read_pixels(pixels), *px;
	uint32_t a;

	for (y = 0; y < h; y++)
		for (x = 0; x < w; x++) {
			px = from + (size_t)y * stride + (size_t)x * channels;
			a = alpha ? px[3] : 255;
			*out++ = a << 24 | px[0] * a / 255 << 16 | px[1] * a / 255 << 8 | px[2] * a / 255;
		}
}

/* ---- in the child: drawings ---- */

/* Checks the content, since files of other kinds may be named .svg, too. */
static bool
is_svg(struct str bytes)
{
	size_t n = bytes.n < SVG_HEAD ? bytes.n : SVG_HEAD;

	return memmem(bytes.p, n, "<svg", 4) != NULL || memmem(bytes.p, n, ":svg", 4) != NULL;
}

/* Without a base URL librsvg reads no other file. */
static RsvgHandle *
svg_open(struct str bytes)
{
	RsvgHandle *h = bytes.n > SVG_MAX ? NULL : rsvg_handle_new_from_data((const guint8 *)bytes.p, bytes.n, NULL);

	if (h != NULL)
		rsvg_handle_set_dpi(h, 96);
	return h;
}

static bool
svg_size(struct str bytes, double *w, double *h)
{
	RsvgHandle *handle = svg_open(bytes);
	gboolean has_w, has_h, has_box;
	RsvgLength lw, lh;
	RsvgRectangle box;

	if (handle == NULL)
		return false;
	if (!rsvg_handle_get_intrinsic_size_in_pixels(handle, w, h)) {
		rsvg_handle_get_intrinsic_dimensions(handle, &has_w, &lw, &has_h, &lh, &has_box, &box);
		/* Default size for an SVG without width, height and viewBox. */
		*w = has_box ? box.width : 400;
		*h = has_box ? box.height : 300;
	}
	g_object_unref(handle);
	return *w >= 0.5 && *h >= 0.5 && *w < 1e6 && *h < 1e6;
}

static bool
svg_render(struct str bytes, cairo_t *cr, const RsvgRectangle *box)
{
	RsvgHandle *handle = svg_open(bytes);
	bool ok;

	if (handle == NULL)
		return false;
	ok = rsvg_handle_render_document(handle, cr, box, NULL);
	g_object_unref(handle);
	return ok;
}

/* ---- children ---- */

/*
 * State of one child, which is forked: it reads the parent's bytes, and only its writes to `shared`
 * are visible to the parent.
 */
struct decode_child {
	struct str         bytes;
	struct image_size *size;
	struct decode_size      want;
	RsvgRectangle      box;
	/* Pixels without padding between rows; NULL if only the size is requested. */
	uint32_t          *shared;
	size_t             room;        /* pixels */
	int                width, height;
	/* answered: the child's line was received and is plausible. */
	bool               alpha, answered;
};

/* False unless the child exited with 0: ignore what a crashed decoder wrote before. */
static bool
run_decoder(struct decode_child *k, int (*work)(void *, int), void (*line)(void *, char *))
{
	const struct child_job job = { .run = work, .line = line, .ctx = k, .seconds = SECONDS, .memory = MEMORY_MAX };
	struct child_result r = child_run(&job);

	return r.end == CHILD_EXITED && r.code == 0;
}

/*
 * Sends the size as integers in units of 1 / SCALE, because the decimal point of a double depends
 * on the locale.
 */
static int
send_size(void *ctx, int out)
{
	struct decode_child *k = ctx;
	bool svg = is_svg(k->bytes);
	double w = 0, h = 0;

	if (svg && !svg_size(k->bytes, &w, &h))
		return 1;
	if (!svg) {
		decode_image(k->bytes, &k->want);
		if (k->want.natural_w < 1 || k->want.natural_h < 1 || k->want.refused)
			return 1;
		w = k->want.natural_w;
		h = k->want.natural_h;
	}
	child_say(out, "%lld %lld %d", (long long)(w * SCALE), (long long)(h * SCALE), svg);
	return 0;
}

static void
read_size(void *ctx, char *line)
{
	struct decode_child *k = ctx;
	long long w, h;
	int svg;

	k->answered = sscanf(line, "%lld %lld %d", &w, &h, &svg) == 3 && w > 0 && h > 0;
	if (k->answered)
		*k->size = (struct image_size){ (double)w / SCALE, (double)h / SCALE, svg != 0, 0 };
}

/* Reads the size of an image. Images of size zero are refused. */
bool
image_look(struct str bytes, struct image_size *out)
{
	struct decode_child k = { .bytes = bytes, .size = out };
	struct jpeg_header jpeg;

	if (bytes.n == 0 || !run_decoder(&k, send_size, read_size) || !k.answered)
		return false;
	if (jpeg_look(bytes, &jpeg))
		out->turn = jpeg.turn;
	return true;
}

static int
send_pixels(void *ctx, int out)
{
	struct decode_child *k = ctx;
	GdkPixbuf *pixels = decode_image(k->bytes, &k->want);
	int w, h;

	if (pixels == NULL)
		return 1;
	w = gdk_pixbuf_get_width(pixels);
	h = gdk_pixbuf_get_height(pixels);
	/* The decoder may ignore the size that was requested. */
	if ((size_t)w * (size_t)h > k->room)
		return 1;
	write_pixels(pixels, k->shared);
	child_say(out, "%d %d %d", w, h, gdk_pixbuf_get_has_alpha(pixels));
	return 0;
}

/* The child may be compromised: accept only a size that fits into the shared memory. */
static void
read_pixels(void *ctx, char *line)
{
	struct decode_child *k = ctx;
	int alpha;

	k->answered = sscanf(line, "%d %d %d", &k->width, &k->height, &alpha) == 3 && k->width > 0 && k->height > 0 &&
	    (size_t)k->width <= k->room / (size_t)k->height;
	k->alpha = alpha != 0;
}

/*
 * Copies the pixels: Cairo may read a surface until the document is finished, but `shared` is
 * unmapped before.
 */
static cairo_surface_t *
copy_surface(const struct decode_child *k)
{
	cairo_surface_t *s = cairo_image_surface_create(k->alpha ? CAIRO_FORMAT_ARGB32 : CAIRO_FORMAT_RGB24, k->width, k->height);
	unsigned char *to = cairo_image_surface_get_data(s);
	size_t stride = (size_t)cairo_image_surface_get_stride(s), row = (size_t)k->width * sizeof(uint32_t);
	int y;

	cairo_surface_flush(s);
	for (y = 0; to != NULL && y < k->height; y++)
		memcpy(to + (size_t)y * stride, k->shared + (size_t)y * (size_t)k->width, row);
	cairo_surface_mark_dirty(s);
	return s;
}

cairo_surface_t *
image_pixels(struct str bytes, const struct image_size *size, int most, int high)
{
	struct decode_child k = { .bytes = bytes, .want = { .width = most, .height = high } };
	cairo_surface_t *out = NULL;
	size_t n;

	/*
	 * Number of pixels that the child will write: of the scaled size, or of the natural size
	 * that image_look() has read.
	 */
	k.room = size->width > most ? (size_t)most * (size_t)high : (size_t)size->width * (size_t)size->height;
	n = k.room * sizeof(uint32_t);
	/*
	 * Shared anonymous memory takes pages only as the child writes them; a pipe would copy the
	 * pixels twice.
	 */
	k.shared = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (k.shared == MAP_FAILED)
		return NULL;
	if (run_decoder(&k, send_pixels, read_pixels) && k.answered)
		out = copy_surface(&k);
	munmap(k.shared, n);
	return out;
}

static cairo_status_t
write_nothing(void *ctx, const unsigned char *bytes, unsigned n)
{
	(void)ctx;
	(void)bytes;
	(void)n;
	return CAIRO_STATUS_SUCCESS;
}

/* Draws into a PDF surface as the parent will: an image surface would run other code. */
static int
try_drawing(void *ctx, int out)
{
	struct decode_child *k = ctx;
	cairo_surface_t *s = cairo_pdf_surface_create_for_stream(write_nothing, NULL, 1000, 1000);
	cairo_t *cr = cairo_create(s);
	bool ok = svg_render(k->bytes, cr, &k->box);

	(void)out;
	cairo_destroy(cr);
	cairo_surface_destroy(s);
	return ok ? 0 : 1;
}

bool
image_draw(struct str bytes, cairo_t *cr, double x, double y, double w, double h)
{
	struct decode_child k = { .bytes = bytes, .box = { x, y, w, h } };
	/* librsvg is deterministic: what the child drew without a crash is safe to draw here. */
	bool ok = run_decoder(&k, try_drawing, NULL);

	cairo_save(cr);
	ok = ok && svg_render(bytes, cr, &k.box);
	cairo_restore(cr);
	return ok;
}
