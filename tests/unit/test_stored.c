/* Files of sites: names and addresses, what their bytes may be, and when the sweep removes them. */
#include "blob_fixture.h"

#include "app/stored.h"

enum { DAY = 86400000 };

static void
addresses_lead_to_their_file(void **state)
{
	struct fixture *f = *state;
	static const char *const good[] = { "~stored/aB3/x.png", "https://docs.example/~stored/aB3/x.png", "/docs/~stored/aB3/any%20name.svg" };
	static const char *const bad[] = { "", "~stored/", "~stored/aB3", "~stored/aB3/", "~stored//x", "~stored/a-b/x", "~stored/aB3/x/y",
		"~stored/aB3/x?y", "https://docs.example/not~stored/aB3/x.png", "https://docs.example/~file/aB3/x.png" };
	size_t i;

	for (i = 0; i < sizeof(good) / sizeof(*good); i++)
		assert_string_equal(stored_id(f->arena, good[i]), "aB3");
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_null(stored_id(f->arena, bad[i]));
	assert_string_equal(stored_path(f->arena, "aB3", "a 'b'.png"), "~stored/aB3/a%20%27b%27.png");
	assert_string_equal(stored_id(f->arena, stored_path(f->arena, "aB3", "a/?#'.png")), "aB3");
}

#define WOFF(magic, size) magic "\0\1\0\0\0\0\0" size "\0\1\0\0" "012345678901234567890123456789012345678901234567"

/* Start of image, a frame of 7 by 5 (ITU T.81, B.2.2), start of scan. */
#define JPEG "\xff\xd8\xff\xc0\0\21\10\0\5\0\7\3\1\42\0\2\21\1\3\21\1\xff\xda\0\14\3\1\0\2\21\3\21\0\77\0"

static void
bytes_must_be_what_the_name_says(void **state)
{
	static const struct { const char *name; struct str bytes; bool good; } cases[] = {
		{ "a.woff2", STR(WOFF("wOF2", "\100")), true }, { "A.WOFF", STR(WOFF("wOFF", "\100")), true },
		{ "a.woff2", STR(WOFF("wOFF", "\100")), false }, { "a.woff2", STR(WOFF("wOF2", "\101")), false },
		{ "a.woff2", STR("wOF2"), false }, { "a.woff2", STR(""), false }, { "a.ttf", STR(WOFF("wOF2", "\100")), false },
		{ "a.png", STR("\x89PNG\r\n\x1a\n\0\0\0\15IHDR\0\0\0\7\0\0\0\5"), true }, { "a.png", STR("\x89PNG\r\n\x1a\n1234"), false },
		{ "a.png", STR("\x89PNG\r\n\x1a\n\0\0\0\15IHDR\0\0\0\0\0\0\0\5"), false }, { "a.png", STR("GIF89a"), false },
		{ "a.png", STR("<html>"), false }, { "a.gif", STR("\x89PNG\r\n\x1a\n\0\0\0\15IHDR\0\0\0\7\0\0\0\5"), false },
		{ "a.jpg", STR(JPEG), true }, { "a.jpeg", STR(JPEG), true }, { "a.jpg", STR("\xff\xd8\xff\xe0"), false },
		{ "a.gif", STR("GIF89a\2\0\3\0" "01234567890123456789"), true }, { "a.gif", STR("GIF89a"), false },
		{ "a.gif", STR("GIF80a\2\0\3\0" "01234567890123456789"), false }, { "a.gif", STR("GIF89a\0\0\3\0" "01234567890123456789"), false },
		{ "a.webp", STR("RIFF1234WEBPVP8X12345678\2\0\0\3\0\0"), true }, { "a.webp", STR("RIFF1234WEBPVP8 "), false },
		{ "a.webp", STR("RIFF1234WAVE"), false },
		{ "a.avif", STR("1234ftypavif"), true }, { "a.avif", STR("1234ftypmp42"), false },
		{ "a.ico", STR("\0\0\1\0\1\0" "12345678901234567890"), true }, { "a.ico", STR("\0\0\1\0\0\0" "12345678901234567890"), false },
		{ "a.svg", STR("<?xml version='1.0'?><svg/>"), true }, { "a.svg", STR("<html/>"), false }, { "a.svg", STR("<svg\xff"), false },
		{ "a.svg", STR("\xef\xbb\xbf \n<!-- <html> --><!DOCTYPE svg [ <!ENTITY a '>'> ]>\n<svg xmlns='x'>"), true },
		{ "a.svg", STR("<!DOCTYPE svg PUBLIC \"-\" \"http://x/\">\n<svg:svg xmlns:svg='x'>"), true },
		{ "a.svg", STR("<html><svg/></html>"), false }, { "a.svg", STR("<!-- <svg/>"), false }, { "a.svg", STR("<!--<svg>--><p>"), false },
		{ "a.svg", STR("<svgx>"), false }, { "a.svg", STR("<svg"), false }, { "a.svg", STR("some <svg/>"), false }, { "a.svg", STR(""), false },
		{ "a.svg", STR("<svg\0/>"), false }, { "a", STR("<svg/>"), false }, { "a.html", STR("<svg/>"), false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		if ((stored_bytes_fault(cases[i].name, cases[i].bytes) == NULL) != cases[i].good)
			fail_msg("case %zu: %s", i, cases[i].name);
	assert_null(stored_name_fault(STORED_FONT, "a.woff2"));
	assert_null(stored_name_fault(STORED_PICTURE, "a.b.SVG"));
	assert_non_null(stored_name_fault(STORED_FONT, "a.svg"));
	assert_non_null(stored_name_fault(STORED_PICTURE, "svg"));
}

static void
run(struct fixture *f, const char *sql)
{
	const char *error = NULL;

	assert_true(db_script(f->db, f->arena, sql, &error));
}

/* Adds a file that is so many days old. */
static void
add_file(struct fixture *f, const char *id, const char *hash, int days)
{
	run(f, arena_printf(f->arena, "INSERT INTO stored_file (id, org, kind, name, size, hash, created_by, created_at) VALUES "
	    "('%s', '%s', 'customization_font', 'a.woff2', 4, %s, '%s', %lld)", id, f->org, hash, f->user,
	    (long long)(time_now() - days * (int64_t)DAY)));
}

static int64_t
kept(struct fixture *f, const char *id)
{
	return count(f, arena_printf(f->arena, "SELECT count(*) FROM stored_file WHERE id = '%s'", id));
}

static void
only_what_nothing_names_is_removed(void **state)
{
	struct fixture *f = *state;
	static const char *const ids[] = { "inFont", "onSite", "onSpace", "unused", "young", "awaited", "late" };
	int64_t now = time_now();
	size_t i;

	run(f, "INSERT INTO blob (hash, size) VALUES (x'00', 4)");
	for (i = 0; i < 4; i++)
		add_file(f, ids[i], "x'00'", 30);
	add_file(f, "young", "x'00'", 0);
	add_file(f, "awaited", "NULL", 0);
	add_file(f, "late", "NULL", 2);
	run(f, arena_printf(f->arena, "INSERT INTO font (id, org, family, created_at) VALUES ('font', '%s', 'House', 1)", f->org));
	run(f, "INSERT INTO font_face (font, weight, file) VALUES ('font', 400, 'inFont')");
	run(f, arena_printf(f->arena, "INSERT INTO site (id, org, type, title, basename, visibility, customization, created_at, updated_at) VALUES "
	    "('site', '%s', 'basic', 'S', 's', 'public', '{\"x\":\"~stored/onSite/a\"}', 1, 1)", f->org));
	run(f, arena_printf(f->arena, "INSERT INTO site_space (id, site, space, path, ord, customization) VALUES "
	    "('sp', 'site', '%s', 'p', 'a', '{\"x\":\"~stored/onSpace/a\"}')", f->space));
	/* The first sweep notes what is unused, and removes it only as long after as deleted spaces stay. */
	assert_int_equal(stored_sweep(f->db, f->arena, now, now - 7 * (int64_t)DAY), 1);
	assert_int_equal(kept(f, "late"), 0);
	assert_int_equal(stored_sweep(f->db, f->arena, now + 6 * (int64_t)DAY, now - (int64_t)DAY), 1);
	assert_int_equal(kept(f, "awaited"), 0);
	assert_int_equal(kept(f, "unused"), 1);
	/* What is named again in time stays. */
	run(f, "UPDATE site SET customization = '{\"x\":\"~stored/unused/a\"}'");
	assert_int_equal(stored_sweep(f->db, f->arena, now + 8 * (int64_t)DAY, now + DAY), 0);
	assert_int_equal(stored_sweep(f->db, f->arena, now + 16 * (int64_t)DAY, now + 9 * (int64_t)DAY), 2);
	assert_int_equal(kept(f, "unused"), 1);
	assert_int_equal(kept(f, "onSite") + kept(f, "young"), 0);
	assert_int_equal(kept(f, "inFont"), 1);
	assert_int_equal(kept(f, "onSpace"), 1);
}

/* Measured by the time that it takes to read all texts once; once for each of 200 files took 140 times as long. */
static void
the_sweep_reads_each_text_once(void **state)
{
	struct fixture *f = *state;
	int64_t now = time_now(), began, once;

	run(f, "INSERT INTO blob (hash, size) VALUES (x'00', 4)");
	for (int i = 0; i < STORED_FILES; i++)
		add_file(f, arena_printf(f->arena, "file%d", i), "x'00'", 30);
	run(f, arena_printf(f->arena, "INSERT INTO site (id, org, type, title, basename, visibility, created_at, updated_at) VALUES "
	    "('site', '%s', 'basic', 'S', 's', 'public', 1, 1)", f->org));
	/* Ids that are parts of others name nothing. */
	run(f, arena_printf(f->arena, "WITH RECURSIVE k (n) AS (VALUES (0) UNION ALL SELECT n + 1 FROM k WHERE n < 3999) "
	    "INSERT INTO site_space (id, site, space, path, ord, customization) SELECT 's' || n, 'site', '%s', 'p' || n, 'a' || n, "
	    "'{\"a\":\"' || hex(zeroblob(2000)) || ' ~stored/xfile9/y ~stored/file' || (n %% 100) || '/a.png\"}' FROM k", f->space));
	began = time_steady();
	assert_int_equal(count(f, "SELECT count(*) FROM site_space WHERE customization LIKE '%nothing%'"), 0);
	once = time_steady() - began;
	began = time_steady();
	assert_int_equal(stored_sweep(f->db, f->arena, now, now - DAY), 0);
	assert_in_range(time_steady() - began, 0, 20 * once + 300);
	assert_int_equal(count(f, "SELECT count(*) FROM stored_file WHERE unused_since IS NULL"), 100);
	assert_int_equal(count(f, "SELECT count(*) FROM stored_file WHERE unused_since IS NULL AND id = 'file99'"), 1);
}

static void
the_sweep_of_blobs_keeps_files_of_sites(void **state)
{
	struct fixture *f = *state;
	struct blob_batch *b = blob_batch_new(f->arena, f->dir);
	struct stored_file found;
	const char *error;
	struct str hash;

	db_begin(f->db, true);
	assert_true(blob_batch_add(b, STR("font"), &hash, &error));
	assert_true(blob_batch_sync(b, &error));
	assert_true(blob_batch_rows(b, f->db));
	db_commit(f->db);
	assert_false(stored_find(f->db, f->arena, "file", &found));
	add_file(f, "file", arena_printf(f->arena, "x'%s'", hex(f->arena, hash)), 0);
	assert_true(stored_find(f->db, f->arena, "file", &found));
	assert_true(str_eq(found.hash, hash));
	blob_sweep(f->db, f->arena, f->dir, LATER);
	assert_int_equal(files(f), 1);
	run(f, "DELETE FROM stored_file");
	blob_sweep(f->db, f->arena, f->dir, LATER);
	assert_int_equal(files(f), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(addresses_lead_to_their_file, db_setup, db_teardown),
		cmocka_unit_test(bytes_must_be_what_the_name_says),
		cmocka_unit_test_setup_teardown(only_what_nothing_names_is_removed, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(the_sweep_reads_each_text_once, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(the_sweep_of_blobs_keeps_files_of_sites, db_setup, db_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
