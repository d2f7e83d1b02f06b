/* Signed URLs of files: how long they are valid, and that no byte of one can be changed. */
#include "db_fixture.h"

#include "app/download.h"

enum { DAY = 86400000 };

static const char *const hash_hex = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
static struct str hash;
static const char *split_segments[5];

/* Makes a URL at the time `made` and splits it into its parts. */
static void
address_for(struct fixture *f, const char *reader, int64_t made)
{
	char *url, *p;
	int i;

	assert_true(hex_read(f->arena, str_of(hash_hex), &hash));
	url = download_url(f->arena, &(struct settings){ .url = "http://docs.example" }, "space", hash, "dot.png",
	    reader, made);
	assert_memory_equal(url, "http://docs.example/~files/", 27);
	for (i = 0, p = url + 27; i < 5; i++) {
		split_segments[i] = p;
		p += strcspn(p, "/");
		if (*p != '\0')
			*p++ = '\0';
	}
}

static void
address(struct fixture *f, int64_t made)
{
	address_for(f, NULL, made);
}

static bool
readable(struct fixture *f, int64_t now)
{
	struct download d;

	return download_read(f->arena, split_segments, now, &d);
}

/* The signature stays valid: only the day ends it. */
static void
holds_through_the_next_day(void **state)
{
	struct fixture *f = *state;
	const int64_t day = INT64_C(20000) * DAY;

	address(f, day + 1);
	assert_true(readable(f, day + 1));
	assert_true(readable(f, day + DAY - 1));
	assert_true(readable(f, day + 2 * (int64_t)DAY - 1));
	assert_false(readable(f, day + 2 * (int64_t)DAY));
	assert_false(readable(f, day + 30 * (int64_t)DAY));
	assert_false(readable(f, day + 3650 * (int64_t)DAY));
	/* Nor is a URL dated tomorrow valid today. */
	assert_true(readable(f, day));
	assert_false(readable(f, day - 1));
	address(f, day + DAY - 1);
	assert_true(readable(f, day));
	assert_false(readable(f, day + 2 * (int64_t)DAY));
}

static void
says_what_it_is_of(void **state)
{
	struct fixture *f = *state;
	struct download d;

	address(f, DAY);
	assert_true(download_read(f->arena, split_segments, DAY, &d));
	assert_string_equal(d.space, "space");
	assert_string_equal(d.name, "dot.png");
	assert_true(str_eq(d.hash, hash));
	assert_null(d.reader);
}

/* The reader in a URL is signed: it cannot be removed or replaced. */
static void
the_reader_of_an_address_is_signed(void **state)
{
	struct fixture *f = *state;
	struct download d;

	address_for(f, "ab~c", DAY);
	assert_string_equal(split_segments[2], "1~ab~c");
	assert_true(download_read(f->arena, split_segments, DAY, &d));
	assert_string_equal(d.reader, "ab~c");
	assert_false(readable(f, 3 * (int64_t)DAY));
	split_segments[2] = "1";
	assert_false(readable(f, DAY));
	split_segments[2] = "1~ab~d";
	assert_false(readable(f, DAY));
	address(f, DAY);
	split_segments[2] = "1~ab~c";
	assert_false(readable(f, DAY));
}

static void
every_part_is_signed(void **state)
{
	static const char *const other[] = { "spacf",
		"10112233445566778899aabbccddeeff00112233445566778899aabbccddeeff", "2", "x", "dot.svg" };
	struct fixture *f = *state;
	const char *kept;
	int i;

	address(f, DAY);
	for (i = 0; i < 5; i++) {
		kept = split_segments[i];
		split_segments[i] = other[i];
		assert_false(readable(f, 2 * (int64_t)DAY));
		split_segments[i] = kept;
	}
	split_segments[2] = "1x";
	assert_false(readable(f, DAY));
}

/* The image must measure width by height: a frame of 640 x 480 follows the bytes of `head`. */
static void
jpeg_is(const char *head, size_t n, int width, int height)
{
	static const char frame[] = "\xFF\xC0\0\x0B\x08\x01\xE0\x02\x80\x01\x01\x11\0\xFF\xDA\0\0\0\0\0\0\0\0\0\0";
	char bytes[200] = "\xFF\xD8";
	int w = 0, h = 0;

	memcpy(bytes + 2, head, n);
	memcpy(bytes + 2 + n, frame, sizeof(frame));
	assert_int_equal(image_size((struct str){ bytes, 2 + n + sizeof(frame) }, &w, &h), width > 0);
	assert_int_equal(w, width);
	assert_int_equal(h, height);
}

#define JPEG(head, w, h) jpeg_is(head, sizeof(head) - 1, w, h)
#define EXIF(tiff) "\xFF\xE1\0\x24" "Exif\0\0" tiff "\0\0\0\0\0\0"

static void
the_size_of_a_jpeg_is_read(void **state)
{
	(void)state;
	JPEG("", 640, 480);
	JPEG("\xFF\xE0\0\x04xx", 640, 480);
	/* Fill bytes before a marker. */
	JPEG("\xFF\xFF\xFF", 640, 480);
	JPEG("\xFF\xFF\xE0\0\x04xx\xFF", 640, 480);
	JPEG("x", 0, 0);
	/* Pictures of a camera that was held upright are shown rotated, in either byte order. */
	JPEG(EXIF("II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0"), 480, 640);
	JPEG(EXIF("MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x08\0\0"), 480, 640);
	JPEG(EXIF("MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x03\0\0"), 640, 480);
	/* Damaged EXIF data: the size as stored. */
	JPEG(EXIF("MM\0*\xFF\xFF\xFF\xFF\0\x01\x01\x12\0\x03\0\0\0\x01\0\x08\0\0"), 640, 480);
	JPEG(EXIF("MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x09\0\0"), 640, 480);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(holds_through_the_next_day),
		cmocka_unit_test(says_what_it_is_of),
		cmocka_unit_test(the_reader_of_an_address_is_signed),
		cmocka_unit_test(every_part_is_signed),
		cmocka_unit_test(the_size_of_a_jpeg_is_read),
	};

	return cmocka_run_group_tests(tests, db_setup, db_teardown);
}
