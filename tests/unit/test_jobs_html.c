/* Content as one HTML file (src/jobs/html_file.h): links and ids within it, pictures, and what could break it. */
#include "arena_fixture.h"

#include "../../src/jobs/html_file.h"
#include "base/file.h"
#include "base/json.h"
#include "markdown/document.h"
#include "../temp_dir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct pdf_page pages[4];
static const char *bodies[4];
static size_t count, warned;
static bool stop, book;

/* Links to a page are spelled by its id, with or without an anchor; files by their names. */
static bool
lookup(void *ctx, struct arena *a, struct str spelling, enum doc_use use, struct doc_ref *out)
{
	const char *hash = memchr(spelling.p, '#', spelling.n);

	(void)ctx;
	if (use == USE_FILE || str_is(spelling, "dot.png") || str_is(spelling, "data.csv") || str_is(spelling, "lost.png"))
		*out = (struct doc_ref){ .kind = REF_FILE, .id = arena_strndup(a, spelling.p, spelling.n) };
	else if (hash != NULL)
		*out = (struct doc_ref){ .kind = REF_ANCHOR, .id = arena_strndup(a, spelling.p, (size_t)(hash - spelling.p)),
			.anchor = arena_strndup(a, hash + 1, (size_t)(spelling.p + spelling.n - hash - 1)) };
	else
		*out = (struct doc_ref){ .kind = REF_PAGE, .id = arena_strndup(a, spelling.p, spelling.n) };
	return true;
}

static struct str
document(void *ctx, struct arena *a, const struct pdf_page *page)
{
	struct doc_refs refs = { .lookup = lookup };
	struct json j;
	struct buf b;

	(void)ctx;
	buf_init(&b, a, 16 << 20);
	json_init(&j, &b);
	doc_json(&j, doc_parse(a, str_of(bodies[page - pages]), &refs, NULL, NULL));
	return buf_view(&b);
}

static bool
file(void *ctx, struct arena *a, const char *id, bool bytes, struct pdf_file *out)
{
	(void)ctx;
	(void)a;
	*out = (struct pdf_file){ .name = id, .size = 7 };
	if (bytes && strcmp(id, "lost.png") != 0)
		out->bytes = (struct str){ "\x89PNG\r\n\x1a", 7 };
	return strcmp(id, "none.png") != 0;
}

static const char *
user(void *ctx, struct arena *a, const char *id)
{
	(void)ctx;
	(void)a;
	return id;
}

static struct str
markdown(void *ctx, struct arena *a, const char *text)
{
	(void)ctx;
	return doc_json_of(a, str_of(text));
}

static bool
progress(void *ctx, const char *stage, size_t done, size_t total)
{
	(void)ctx;
	(void)stage;
	(void)done;
	(void)total;
	return !stop;
}

static void
warn(void *ctx, const struct pdf_page *page, const char *message)
{
	(void)ctx;
	(void)page;
	(void)message;
	warned++;
}

static void
add_page(const char *id, const char *title, const char *body)
{
	pages[count] = (struct pdf_page){ .id = id, .title = title, .written = body != NULL };
	if (count > 0)
		pages[count - 1].next = &pages[count];
	bodies[count++] = body;
}

/* The file as text; NULL: it failed with *error. */
static const char *
written(const char **error)
{
	struct pdf_source s = { .title = "Hand & <Book>", .language = "en", .pages = count > 0 ? pages : NULL, .document = document,
		.file = file, .user = user, .markdown = markdown, .progress = progress, .warn = warn };
	char dir[TEMP_MAX];
	struct pdf_result r;
	const char *path;
	struct str text;

	temp_dir(dir);
	path = arena_printf(arena, "%s/out.html", dir);
	r = book ? html_book_write(arena, &s, path) : html_file_write(arena, &s, path);
	json_arena(NULL);
	*error = r.error;
	assert_true(file_read(arena, path, &text));
	folder_remove(dir);
	assert_int_equal(r.sheets, count);
	return r.error == NULL ? text.p : NULL;
}

static const char *
whole(void)
{
	const char *error, *text = written(&error);

	if (text == NULL)
		fail_msg("%s", error);
	return text;
}

static int
begin(void **state)
{
	count = warned = 0;
	stop = book = false;
	return set_up(state);
}

static void
has(const char *text, const char *part, bool wanted)
{
	if ((strstr(text, part) != NULL) != wanted)
		fail_msg("%s: %s", wanted ? "missing" : "there", part);
}

static void
links_lead_within_the_file(void **state)
{
	const char *text;

	(void)state;
	add_page("one", "One", "## Same\n\n[two](two), [there](two#same), [here](one#same), [gone](three)\n");
	add_page("two", "Two", "## Same\n\nWords[^1].\n\n[^1]: A note.\n");
	add_page("last", "Last", "More[^1].\n\n[^1]: Another.\n");
	text = whole();
	has(text, "<a href=\"#p2\">two</a>", true);
	has(text, "href=\"#p2-same\"", true);
	has(text, "id=\"p1-same\"", true);
	has(text, "id=\"p2-same\"", true);
	has(text, "id=\"~p2note-1\"", true);
	has(text, "href=\"#~p2note-1\"", true);
	has(text, "id=\"~p3note-1\"", true);
	has(text, "href=\"three", false);
	has(text, "<title>Hand &amp; &lt;Book&gt;</title>", true);
}

static void
pictures_are_in_the_file(void **state)
{
	const char *text;

	(void)state;
	add_page("one", "One", "![](dot.png)\n\n![](lost.png)\n\n![](none.png)\n\n[data](data.csv)\n");
	text = whole();
	has(text, "src=\"data:image/png;base64,iVBORw0KGg==\"", true);
	has(text, "~picture", false);
	has(text, "data.csv\"", false);
	/* A file that cannot be read is named; its place stays. */
	assert_true(warned > 0);
	has(text, "<nav", false);
}

static void
texts_do_not_become_markup(void **state)
{
	const char *text;

	(void)state;
	add_page("one", "\"><script>alert(1)</script>", "a =\"~picture/dot.png\" and `=\"~picture/dot.png\"` <script>alert(2)</script>\n\n"
	    "[x](javascript:alert(3))\n");
	text = whole();
	has(text, "base64", false);
	has(text, "<script", false);
	has(text, "href=\"javascript", false);
}

/* The file for other programs has nothing that they would fetch, and headings at the top. */
static void
a_book_has_no_foreign_addresses(void **state)
{
	const char *text;

	(void)state;
	add_page("one", "One", "![a](https://elsewhere.example/a.png)\n\n![b](file:///etc/hostname)\n\n![](dot.png)\n\n"
	    "{% embed url=\"https://www.youtube.com/watch?v=abcdefghijk\" %}\n\nThe text src=\"x\" stays. [two](two)\n");
	add_page("two", "Two", "More.\n");
	book = true;
	text = whole();
	has(text, "src=\"data:image/png;base64,iVBORw0KGg==\"", true);
	has(text, "src=\"http", false);
	has(text, "src=\"file", false);
	has(text, "src=&quot;x&quot;", true);
	has(text, "<h1 id=\"p2\">Two</h1>", true);
	has(text, "<a href=\"#p2\">two</a>", true);
	has(text, "<style", false);
	has(text, "<article", false);
}

static void
nothing_and_a_cancelled_job_give_no_file(void **state)
{
	const char *error;

	(void)state;
	assert_null(written(&error));
	assert_non_null(strstr(error, "no pages"));
	add_page("one", "One", NULL);
	assert_non_null(strstr(whole(), "<h1>One</h1>"));
	stop = true;
	assert_null(written(&error));
	assert_string_equal(error, PDF_STOPPED);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(links_lead_within_the_file, begin, tear_down),
		cmocka_unit_test_setup_teardown(pictures_are_in_the_file, begin, tear_down),
		cmocka_unit_test_setup_teardown(texts_do_not_become_markup, begin, tear_down),
		cmocka_unit_test_setup_teardown(a_book_has_no_foreign_addresses, begin, tear_down),
		cmocka_unit_test_setup_teardown(nothing_and_a_cancelled_job_give_no_file, begin, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
