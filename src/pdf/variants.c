/*
 * Makes smaller WebP versions of pictures. Contract: pdf/variants.h.
 *
 * The child writes all variants, one after another, into memory that it shares with the parent, and
 * writes a line with the place of each to the parent. The parent trusts neither the lines nor the
 * bytes: browsers get the bytes as a picture only.
 */
#include <gdk-pixbuf/gdk-pixbuf.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <webp/encode.h>
#include <webp/mux.h>

#include "base/child.h"
#include "base/jpeg.h"
#include "pdf/variants.h"

/*
 * PIXELS_MAX: of the original. WIDEST: of a variant. HIGHEST: maximum height of a WebP. ROOM: bytes
 * of all variants together. PROFILE_MAX: bytes of a colour profile that is copied.
 */
enum { PIXELS_MAX = 40000000, NARROWEST = 480, WIDEST = 2400, HIGHEST = 16383, ROOM = 24 << 20, PROFILE_MAX = 64 << 10, SECONDS = 60 };

#define MEMORY_MAX ((int64_t)1 << 30)

/* Quality of lossy variants. Text in screenshots needs a higher one than photographs. */
#define QUALITY_JPEG 80.0f
#define QUALITY_PNG 88.0f

struct variants_child {
	struct str picture;
	bool       png;
	bool       turned;          /* the picture is displayed with width and height exchanged */
	int        natural;         /* width of the original as displayed; 0: refused */
	GBytes    *profile;         /* colour profile of all variants; NULL: none */
	char      *shared;          /* ROOM bytes */
	size_t     used;            /* bytes of shared that the child has filled */
	size_t     least;           /* bytes: a variant that is not smaller is useless */
	/* In the parent. */
	size_t     count;
	struct picture_variant list[PICTURE_VARIANTS];
};

/* ---- in the child: decoding ---- */

/*
 * The loader calls it before it allocates pixels. A JPEG is scaled while it is decoded, which is
 * cheap; a PNG would lose its colour profile.
 */
static void
on_size(GdkPixbufLoader *loader, int w, int h, void *ctx)
{
	struct variants_child *k = ctx;
	int shown = k->turned ? h : w, high = k->turned ? w : h;

	/* 64 bit, because the product of two int may overflow. */
	if (w < 1 || h < 1 || (int64_t)w * h > PIXELS_MAX || shown <= NARROWEST || high > shown * 8) {
		/* The loader ends with an error instead of allocating pixels. */
		gdk_pixbuf_loader_set_size(loader, 0, 0);
		return;
	}
	k->natural = shown;
	if (!k->png && shown > WIDEST)
		gdk_pixbuf_loader_set_size(loader, (int)((int64_t)w * WIDEST / shown), (int)((int64_t)h * WIDEST / shown));
}

/*
 * Reads the colour profile, if it is not sRGB. False: it cannot be copied, since the pixels were
 * converted from another colour model.
 */
static bool
read_profile(struct variants_child *k, const GdkPixbuf *pixels)
{
	const char *text = gdk_pixbuf_get_option((GdkPixbuf *)pixels, "icc-profile");
	guchar *icc;
	gsize n;

	if (text == NULL)
		return true;
	icc = g_base64_decode(text, &n);
	/* The header of a profile has its colour space in bytes 16 to 19 (ICC.1:2022, 7.2). */
	if (n < 128 || n > PROFILE_MAX || (memcmp(icc + 16, "RGB ", 4) != 0 && memcmp(icc + 16, "GRAY", 4) != 0)) {
		g_free(icc);
		return false;
	}
	k->profile = memcmp(icc + 16, "RGB ", 4) == 0 ? g_bytes_new_take(icc, n) : NULL;
	return true;
}

/* Decodes the pixels as browsers display them. NULL: refused or damaged. */
static GdkPixbuf *
decode_shown(struct variants_child *k)
{
	GdkPixbufLoader *loader = gdk_pixbuf_loader_new_with_type(k->png ? "png" : "jpeg", NULL);
	GdkPixbuf *pixels = NULL;
	bool ok = loader != NULL;

	if (!ok)
		return NULL;
	g_signal_connect(loader, "size-prepared", G_CALLBACK(on_size), k);
	ok = gdk_pixbuf_loader_write(loader, (const guchar *)k->picture.p, k->picture.n, NULL);
	/* The loader must be closed before it is released, also after an error. */
	ok = gdk_pixbuf_loader_close(loader, NULL) && ok && k->natural > 0;
	if (ok && read_profile(k, gdk_pixbuf_loader_get_pixbuf(loader)))
		pixels = gdk_pixbuf_apply_embedded_orientation(gdk_pixbuf_loader_get_pixbuf(loader));
	g_object_unref(loader);
	return pixels;
}

/* ---- in the child: encoding ---- */

/* Encodes the pixels; the caller clears `out`. */
static bool
encode_webp(const WebPConfig *config, const GdkPixbuf *pixels, WebPMemoryWriter *out)
{
	WebPPicture p;
	bool alpha = gdk_pixbuf_get_has_alpha(pixels), ok;

	WebPMemoryWriterInit(out);
	if (!WebPPictureInit(&p))
		return false;
	p.use_argb = 1;
	p.width = gdk_pixbuf_get_width(pixels);
	p.height = gdk_pixbuf_get_height(pixels);
	p.writer = WebPMemoryWrite;
	p.custom_ptr = out;
	ok = (alpha ? WebPPictureImportRGBA : WebPPictureImportRGB)(&p, gdk_pixbuf_read_pixels(pixels),
	    gdk_pixbuf_get_rowstride(pixels)) && WebPEncode(config, &p);
	WebPPictureFree(&p);
	return ok;
}

static bool
encode_lossy(const struct variants_child *k, const GdkPixbuf *pixels, WebPMemoryWriter *out)
{
	WebPConfig config;

	if (!WebPConfigPreset(&config, WEBP_PRESET_DEFAULT, k->png ? QUALITY_PNG : QUALITY_JPEG))
		return false;
	/* Slower, and keeps the edges of coloured letters. */
	config.use_sharp_yuv = k->png;
	return encode_webp(&config, pixels, out);
}

/*
 * A PNG is often a drawing or a screenshot, which lossless compression makes smaller and keeps
 * sharp.
 */
static bool
encode_lossless(const GdkPixbuf *pixels, WebPMemoryWriter *out)
{
	WebPConfig config;

	return WebPConfigInit(&config) && WebPConfigLosslessPreset(&config, 4) && encode_webp(&config, pixels, out);
}

/* Appends a variant to the shared memory, unless it is hardly smaller than the original. False: no room. */
static bool
append_bytes(struct variants_child *k, int out, int width, const void *bytes, size_t n)
{
	if (n >= k->least)
		return true;
	if (n > ROOM - k->used)
		return false;
	memcpy(k->shared + k->used, bytes, n);
	child_say(out, "%d %zu %zu", width, k->used, n);
	k->used += n;
	return true;
}

/* Appends a variant with the colour profile, for which the file needs another container. */
static bool
append_profiled(struct variants_child *k, int out, int width, const WebPMemoryWriter *w)
{
	WebPData image = { w->mem, w->size }, icc, whole = { 0 };
	WebPMux *mux;
	bool ok;

	if (k->profile == NULL)
		return append_bytes(k, out, width, w->mem, w->size);
	icc.bytes = g_bytes_get_data(k->profile, &icc.size);
	mux = WebPMuxCreate(&image, 0);
	ok = mux != NULL && WebPMuxSetChunk(mux, "ICCP", &icc, 0) == WEBP_MUX_OK && WebPMuxAssemble(mux, &whole) == WEBP_MUX_OK &&
	    append_bytes(k, out, width, whole.bytes, whole.size);
	WebPDataClear(&whole);
	WebPMuxDelete(mux);
	return ok;
}

static bool
make_variant(struct variants_child *k, int out, GdkPixbuf *pixels, int width)
{
	int w = gdk_pixbuf_get_width(pixels), h = (int)(((int64_t)gdk_pixbuf_get_height(pixels) * width + w / 2) / w);
	GdkPixbuf *scaled = width == w ? g_object_ref(pixels) : gdk_pixbuf_scale_simple(pixels, width, h > 0 ? h : 1, GDK_INTERP_BILINEAR);
	WebPMemoryWriter lossy = { 0 }, lossless = { 0 };
	bool ok = scaled != NULL && h <= HIGHEST && encode_lossy(k, scaled, &lossy);

	if (ok && k->png && encode_lossless(scaled, &lossless) && lossless.size < lossy.size)
		ok = append_profiled(k, out, width, &lossless);
	else if (ok)
		ok = append_profiled(k, out, width, &lossy);
	WebPMemoryWriterClear(&lossy);
	WebPMemoryWriterClear(&lossless);
	if (scaled != NULL)
		g_object_unref(scaled);
	return ok;
}

/*
 * Makes variants in widths for phones to large screens that are clearly smaller than the picture,
 * and finally one in its own width: a browser that needs all its pixels then downloads fewer bytes.
 */
static int
send_variants(void *ctx, int out)
{
	static const int widths[] = { NARROWEST, 800, 1200, 1600 };
	struct variants_child *k = ctx;
	GdkPixbuf *pixels = decode_shown(k);
	bool ok = pixels != NULL;
	int natural = ok ? gdk_pixbuf_get_width(pixels) : 0, whole = natural < WIDEST ? natural : WIDEST;

	for (size_t i = 0; ok && i < sizeof(widths) / sizeof(widths[0]) && widths[i] < whole * 9 / 10; i++)
		ok = make_variant(k, out, pixels, widths[i]);
	ok = ok && make_variant(k, out, pixels, whole);
	return ok ? 0 : 1;
}

/* ---- in the parent ---- */

/* The child may be compromised: accept only bytes in the shared memory. */
static void
receive_variant(void *ctx, char *line)
{
	struct variants_child *k = ctx;
	size_t at, n;
	int width;

	if (sscanf(line, "%d %zu %zu", &width, &at, &n) != 3 || k->count == PICTURE_VARIANTS || width < NARROWEST || width > WIDEST ||
	    at > ROOM || n == 0 || n > ROOM - at || (k->count > 0 && width <= k->list[k->count - 1].width))
		return;
	k->list[k->count++] = (struct picture_variant){ width, { k->shared + at, n } };
}

/*
 * An animated PNG has a chunk acTL before its pixels (PNG, third edition, 11.3.6.1). It gets no
 * variants, since they would not be animated.
 */
static bool
is_animated(struct str png)
{
	const char *pixels = memmem(png.p, png.n, "IDAT", 4);

	return memmem(png.p, pixels != NULL ? (size_t)(pixels - png.p) : png.n, "acTL", 4) != NULL;
}

size_t
picture_variants(struct str picture, void (*give)(void *ctx, const struct picture_variant *), void *ctx)
{
	struct variants_child k = { .picture = picture, .least = picture.n * 9 / 10,
		.png = picture.n > 8 && memcmp(picture.p, "\x89PNG\r\n\x1a\n", 8) == 0 };
	const struct child_job job = { .run = send_variants, .line = receive_variant, .ctx = &k, .seconds = SECONDS, .memory = MEMORY_MAX };
	struct child_result r;
	struct jpeg_header jpeg = { 0 };
	bool ok;

	if (picture.n < PICTURE_LEAST || picture.n > PICTURE_MOST || (k.png ? is_animated(picture) : !jpeg_look(picture, &jpeg)))
		return 0;
	k.turned = jpeg.turn >= 5;
	/* Memory pages are allocated only when the child writes them. */
	k.shared = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (k.shared == MAP_FAILED)
		return 0;
	r = child_run(&job);
	/* A decoder that crashed may have written anything before. */
	ok = r.end == CHILD_EXITED && r.code == 0;
	for (size_t i = 0; ok && i < k.count; i++)
		give(ctx, &k.list[i]);
	munmap(k.shared, ROOM);
	return ok ? k.count : 0;
}
