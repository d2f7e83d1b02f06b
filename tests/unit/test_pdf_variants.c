/* Smaller versions of pictures: which are made, that they show the same, and that hostile pictures cost nothing else. */
#include <gdk-pixbuf/gdk-pixbuf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "app/download.h"
#include "base/json.h"
#include "base/secret.h"
#include "pdf/variants.h"
#include "store/variants.h"
#include "../temp_dir.h"

struct made {
	struct arena   *arena;
	struct variants v;
};

static void
keep_one(void *ctx, const struct picture_variant *one)
{
	struct made *m = ctx;

	m->v.list[m->v.count++] = (struct variant){ one->width, one->bytes.n,
		{ arena_strndup(m->arena, one->bytes.p, one->bytes.n), one->bytes.n } };
}

/* A picture of noise, which no format makes small, with a smooth part. */
static GdkPixbuf *
noise(int w, int h)
{
	GdkPixbuf *p = gdk_pixbuf_new(GDK_COLORSPACE_RGB, FALSE, 8, w, h);
	guchar *at = gdk_pixbuf_get_pixels(p);
	uint32_t seed = 7;

	for (int y = 0; y < h; y++)
		for (int x = 0; x < w * 3; x++) {
			seed = seed * 1664525 + 1013904223;
			at[y * gdk_pixbuf_get_rowstride(p) + x] = (guchar)(x % 251 / 2 + (seed >> 24) / 4);
		}
	return p;
}

static struct str
saved(struct arena *a, GdkPixbuf *p, const char *type, const char *option, const char *value)
{
	gchar *bytes;
	gsize n;
	struct str s;

	assert_true(gdk_pixbuf_save_to_buffer(p, &bytes, &n, type, NULL, option, value, NULL));
	s = (struct str){ arena_strndup(a, bytes, n), n };
	g_free(bytes);
	g_object_unref(p);
	return s;
}

static size_t
make(struct arena *a, struct str picture, struct made *m)
{
	size_t n;

	*m = (struct made){ .arena = a };
	n = picture_variants(picture, keep_one, m);
	assert_int_equal(n, m->v.count);
	return n;
}

/* Width and height of a variant must follow from the shown size of the original. */
static void
check_sizes(const struct made *m, int shown_w, int shown_h, size_t original)
{
	for (size_t i = 0; i < m->v.count; i++) {
		const struct variant *v = &m->v.list[i];
		int w, h;
		assert_true(image_size(v->bytes, &w, &h));
		assert_int_equal(memcmp(v->bytes.p + 8, "WEBP", 4), 0);
		assert_int_equal(w, v->width);
		assert_in_range(h, (shown_h * w) / shown_w - 1, (shown_h * w) / shown_w + 1);
		assert_true(v->size < original);
	}
}

static void
photographs_get_variants_for_each_kind_of_screen(void **state)
{
	struct arena *a = arena_new(256 << 20);
	struct made m;
	struct str photo = saved(a, noise(2000, 900), "jpeg", "quality", "95");

	(void)state;
	assert_int_equal(make(a, photo, &m), 5);
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(m.v.list[i].width, ((const int[]){ 480, 800, 1200, 1600, 2000 })[i]);
	check_sizes(&m, 2000, 900, photo.n);
	/* No variant is wider than a screen needs. */
	photo = saved(a, noise(3000, 400), "jpeg", "quality", "95");
	assert_int_equal(make(a, photo, &m), 5);
	assert_int_equal(m.v.list[4].width, 2400);
	check_sizes(&m, 3000, 400, photo.n);
	photo = saved(a, noise(3000, 400), "png", "compression", "6");
	assert_int_equal(make(a, photo, &m), 5);
	assert_int_equal(m.v.list[4].width, 2400);
	check_sizes(&m, 3000, 400, photo.n);
	arena_free(a);
}

/* A photograph that lies on its side is shown upright, and so are its variants. */
static void
variants_stand_upright(void **state)
{
	static const char exif[] = "\xff\xe1\x00\x22" "Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
	struct arena *a = arena_new(256 << 20);
	struct str lying = saved(a, noise(1400, 700), "jpeg", "quality", "95");
	size_t n = sizeof(exif) - 1;
	char *p = arena_bytes(a, lying.n + n);
	struct made m;

	(void)state;
	memcpy(p, lying.p, 2);
	memcpy(p + 2, exif, n);
	memcpy(p + 2 + n, lying.p + 2, lying.n - 2);
	assert_int_equal(make(a, (struct str){ p, lying.n + n }, &m), 2);
	assert_int_equal(m.v.list[0].width, 480);
	assert_int_equal(m.v.list[1].width, 700);
	check_sizes(&m, 700, 1400, lying.n);
	arena_free(a);
}

/* Without the profile, the colours of the variants would differ from those of the picture. */
static void
colour_profiles_are_copied(void **state)
{
	struct arena *a = arena_new(256 << 20);
	char icc[256] = { 0 };
	char *text;
	struct made m;

	(void)state;
	/* What libpng checks of a profile: length, version, class, colours, signature, and the white point D50. */
	memcpy(icc + 2, "\1\0", 2);
	memcpy(icc + 8, "\4\x20\0\0mntrRGB XYZ ", 16);
	memcpy(icc + 36, "acsp", 4);
	memcpy(icc + 68, "\0\0\xf6\xd6\0\1\0\0\0\0\xd3\x2d", 12);
	memcpy(icc + 200, "mark of the profile", 19);
	text = g_base64_encode((guchar *)icc, sizeof(icc));
	assert_int_equal(make(a, saved(a, noise(2600, 300), "jpeg", "icc-profile", text), &m), 5);
	for (size_t i = 0; i < m.v.count; i++)
		assert_non_null(memmem(m.v.list[i].bytes.p, m.v.list[i].size, "mark of the profile", 19));
	g_free(text);
	/* Pixels of another model were converted, so its profile does not apply to them. */
	memcpy(icc + 16, "CMYK", 4);
	text = g_base64_encode((guchar *)icc, sizeof(icc));
	assert_int_equal(make(a, saved(a, noise(900, 300), "jpeg", "icc-profile", text), &m), 0);
	g_free(text);
	arena_free(a);
}

/* A drawing stays sharp: each pixel of the variant of its own width is that of the picture. */
static void
drawings_lose_nothing(void **state)
{
	struct arena *a = arena_new(256 << 20);
	GdkPixbuf *p = gdk_pixbuf_new(GDK_COLORSPACE_RGB, TRUE, 8, 1000, 800);
	guchar *at = gdk_pixbuf_get_pixels(p);
	uint32_t seed = 3;
	struct str png;
	struct made m;

	(void)state;
	/* Blocks of a few colours, hardly compressed. */
	for (int y = 0; y < 800; y++)
		for (int x = 0; x < 1000; x++) {
			if (x % 5 == 0)
				seed = seed * 1664525 + 1013904223;
			memset(at + y * gdk_pixbuf_get_rowstride(p) + x * 4, (int)(seed >> 31) * 255, 4);
		}
	png = saved(a, p, "png", "compression", "0");
	assert_true(make(a, png, &m) >= 1);
	assert_int_equal(m.v.list[m.v.count - 1].width, 1000);
	assert_int_equal(memcmp(m.v.list[m.v.count - 1].bytes.p + 12, "VP8L", 4), 0);
	arena_free(a);
}

static void
small_animated_and_other_files_get_none(void **state)
{
	struct arena *a = arena_new(256 << 20);
	struct str png = saved(a, noise(900, 300), "png", "compression", "6"), other;
	char *p = arena_bytes(a, png.n + 20);
	struct made m;

	(void)state;
	assert_true(make(a, png, &m) > 0);
	/* Narrow, and of few bytes. */
	assert_int_equal(make(a, saved(a, noise(480, 900), "png", "compression", "6"), &m), 0);
	assert_int_equal(make(a, saved(a, noise(500, 20), "png", "compression", "6"), &m), 0);
	/* A chunk acTL after the header, as in animations. */
	memcpy(p, png.p, 33);
	memcpy(p + 33, "\0\0\0\x08" "acTL" "\0\0\0\2\0\0\0\0" "\0\0\0\0", 20);
	memcpy(p + 53, png.p + 33, png.n - 33);
	assert_int_equal(make(a, (struct str){ p, png.n + 20 }, &m), 0);
	other = (struct str){ memset(arena_bytes(a, 100000), 'x', 100000), 100000 };
	assert_int_equal(make(a, other, &m), 0);
	arena_free(a);
}

/* Writes a header that says another size. */
static struct str
claims(struct arena *a, struct str png, uint32_t w, uint32_t h)
{
	char *p = arena_strndup(a, png.p, png.n);

	for (int i = 0; i < 4; i++) {
		p[16 + i] = (char)(w >> (24 - 8 * i));
		p[20 + i] = (char)(h >> (24 - 8 * i));
	}
	return (struct str){ p, png.n };
}

static void
hostile_pictures_are_refused(void **state)
{
	struct arena *a = arena_new(512 << 20);
	struct str png = saved(a, noise(900, 300), "png", "compression", "6"), jpeg = saved(a, noise(900, 300), "jpeg", "quality", "90");
	struct made m;

	(void)state;
	/* Browsers show what there is of a picture that is cut off, and so do its variants, if there are any. */
	make(a, (struct str){ png.p, png.n / 2 }, &m);
	make(a, (struct str){ jpeg.p, jpeg.n - 20000 }, &m);
	/* Sizes that would take all memory. */
	assert_int_equal(make(a, claims(a, png, 60000, 60000), &m), 0);
	assert_int_equal(make(a, claims(a, png, 0x7fffffff, 0x7fffffff), &m), 0);
	assert_int_equal(make(a, claims(a, png, 0, 5), &m), 0);
	assert_int_equal(make(a, claims(a, png, 1000, 20000), &m), 0);
	/* Each tenth byte of the body is another one. */
	for (size_t k = 0; k < 20; k++) {
		char *p = arena_strndup(a, jpeg.p, jpeg.n);
		for (size_t i = 20 + k; i < jpeg.n; i += 997)
			p[i] = (char)(p[i] * 31 + (int)k);
		make(a, (struct str){ p, jpeg.n }, &m);
	}
	arena_free(a);
}

static void
stored_variants_are_read_again(void **state)
{
	struct arena *a = arena_new(64 << 20);
	char dir[TEMP_MAX];
	struct variants v = { 2, { { 480, 3, STR("abc") }, { 800, 5, STR("defgh") } } }, none = { 0 }, out;
	struct str hash = hash_of(a, STR("x")), other = hash_of(a, STR("y")), bytes;
	const char *h = hex(a, hash);
	FILE *f;

	(void)state;
	temp_dir(dir);
	assert_false(variants_look(a, dir, hash, &out));
	assert_true(variants_store(a, dir, hash, &v));
	assert_true(variants_store(a, dir, other, &none));
	assert_true(variants_look(a, dir, hash, &out));
	assert_int_equal(out.count, 2);
	assert_int_equal(out.list[1].width, 800);
	assert_true(variant_read(a, dir, hash, 800, &bytes) && str_eq(bytes, STR("defgh")));
	assert_true(variant_read(a, dir, hash, 480, &bytes) && str_eq(bytes, STR("abc")));
	assert_false(variant_read(a, dir, hash, 481, &bytes));
	/* A picture that needs none is known as such. */
	assert_true(variants_look(a, dir, other, &out));
	assert_int_equal(out.count, 0);
	/* A file that a power cut has truncated counts as none. */
	f = fopen(arena_printf(a, "%s/cache/variants/%.2s/%s", dir, h, h + 2), "w");
	fputs("octavo-variants 1 480 3 800 5\nabcdef", f);
	fclose(f);
	assert_false(variants_look(a, dir, hash, &out));
	assert_false(variant_read(a, dir, hash, 480, &bytes));
	arena_free(a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(photographs_get_variants_for_each_kind_of_screen), cmocka_unit_test(variants_stand_upright),
		cmocka_unit_test(colour_profiles_are_copied), cmocka_unit_test(drawings_lose_nothing),
		cmocka_unit_test(small_animated_and_other_files_get_none), cmocka_unit_test(hostile_pictures_are_refused),
		cmocka_unit_test(stored_variants_are_read_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
