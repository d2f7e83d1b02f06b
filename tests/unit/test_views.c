/*
 * The pages below /app: the table of views, addresses to come back to, addresses of programs, languages,
 * and the requests that views make.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "api/routes.h"
#include "../memory_io.h"

#include "db_fixture.h"
#include "../../src/views/space_parts.h"
#include "signin/session.h"

static struct settings set;
static const struct views_setup pages = { .app = &octavo_app, .style = { "app/app.0123456789abcdef.css", { "a > b { c: d }\n", 15 } },
	.icon = { "app/icon.0123456789abcdef.svg", { "<svg/>", 6 } },
	.script = { "app/edit.0123456789abcdef.js", { "1", 1 } }, .passkey = { "app/passkey.0123456789abcdef.js", { "3", 1 } },
	.review = { "app/review.0123456789abcdef.js", { "4", 1 } }, .tree = { "app/tree.0123456789abcdef.js", { "5", 1 } },
	.editor = { "app/editor.0123456789abcdef.js", { "2", 1 } },
	.editor_style = { "app/editor.0123456789abcdef.css", { "b{}", 3 } } };

/* The access log, which shows the requests to the API that a page needed: a file without a name. */
static int requests = -1;
static char logged[40];

static void
log_requests(void)
{
	requests = memfd_create("requests", MFD_CLOEXEC);
	snprintf(logged, sizeof(logged), "/proc/self/fd/%d", requests);
}

static int
setup(void **state)
{
	db_setup(state);
	set = db_settings(*state);
	set.access_log = logged;
	return 0;
}

/* Has the request served as a page; its status. */
static int
serve(struct fixture *f, struct memory_io *m)
{
	struct arena *a = arena_new(64 << 20);
	const char *end;

	m->taken = 0;
	m->n = 0;
	memory_write(&m->io, "", 0);
	views_handle(&m->io, a, f->db, &set, &pages);
	m->status = strncmp(m->out, "Status: ", 8) == 0 ? (int)strtol(m->out + 8, NULL, 10) : 0;
	end = strstr(m->out, "\r\n\r\n");
	m->text = end == NULL ? "" : end + 4;
	arena_free(a);
	return m->status;
}

/* A session of the fixture's person: its secret. */
static const char *
session_of(struct fixture *f)
{
	struct session s = { .account = f->user, .way = "password" };

	db_begin(f->db, true);
	session_make(f->db, f->arena, &set, &s);
	db_commit(f->db);
	return s.secret;
}

/* ---- the table ---- */

static void
each_path_and_method_has_one_view(void **state)
{
	static const struct { enum method method; const char *path; } rows[] = {
#define VIEW(method, path, function) { method, path },
#include "../../src/views/views.def"
#undef VIEW
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_true(rows[i].method == M_GET || rows[i].method == M_POST);
		assert_true(*rows[i].path == '\0' || *rows[i].path == '/');
		/* By path, and of one path GET first: the message of 405 depends on it. */
		if (i > 0)
			assert_true(strcmp(rows[i - 1].path, rows[i].path) < 0 ||
			    (strcmp(rows[i - 1].path, rows[i].path) == 0 && rows[i - 1].method == M_GET && rows[i].method == M_POST));
	}
}

static void
every_page_answers_or_asks_for_a_session(void **state)
{
	static const char *const paths[] = {
#define VIEW(method, path, function) method == M_GET ? "/app" path : NULL,
#include "../../src/views/views.def"
#undef VIEW
	};
	struct fixture *f = *state;
	struct memory_io m = { 0 };

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		if (paths[i] == NULL)
			continue;
		memory_request(&m, f->arena, "GET", paths[i], NULL, (struct str){ NULL, 0 });
		serve(f, &m);
		assert_true(m.status == 200 || m.status == 303 || (m.status >= 400 && m.status < 500));
		assert_non_null(strstr(m.out, "Cache-Control: no-store\r\n"));
		assert_non_null(strstr(m.out, "frame-ancestors 'none'"));
	}
	memory_free(&m);
}

static void
paths_below_app_are_ours(void **state)
{
	static const struct { const char *uri; bool own; } cases[] = { { "/app", true }, { "/app/", true }, { "/app?x", true },
		{ "/app/a/b", true }, { "/appx", false }, { "/v1/app", false }, { "/", false }, { "/docs/app", true }, { "/other/app", false },
		{ "/App", false } };
	struct settings below = set;
	struct fixture *f = *state;
	struct memory_io m = { 0 };

	below.url = "https://example.com/docs";
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		memory_request(&m, f->arena, "GET", cases[i].uri, NULL, (struct str){ NULL, 0 });
		assert_int_equal(views_own(&m.io, &below), cases[i].own);
	}
}

/* ---- addresses ---- */

static void
people_come_back_to_our_own_pages_alone(void **state)
{
	static const char *const good[][2] = { { "/app", "/app" }, { "/app/account", "/app/account" },
		{ "/app?done=x#y", "/app?done=x#y" }, { "/app/authorize?redirect=http://127.0.0.1:1/../x", "/app/authorize?redirect=http://127.0.0.1:1/../x" },
		{ "/docs/app/account", "/app/account" }, { "/app/a.b/..c", "/app/a.b/..c" } };
	static const char *const bad[] = { "", "/", "//evil.example", "/\\evil.example", "https://evil.example/app", "app", "/appx",
		"/v1/user", "/app//evil.example", "/app\\evil", "/app/../v1", "/app/./x", "/app/..", "/app/%2e%2E/v1", "/app/%5c..", "/app/x\ty",
		"/app/x\r\nSet-Cookie: a=b", "/app/ x", "/app/%zz", "/docs/docs/app", "/docsapp", "/app/\xC3\xA4", "javascript:alert(1)" };
	struct fixture *f = *state;
	struct settings below = set;

	below.url = "https://example.com/docs";
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		assert_string_equal(return_address(f->arena, &below, good[i][0]), good[i][1]);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_string_equal(return_address(f->arena, &below, bad[i]), "/app");
	assert_string_equal(return_address(f->arena, &below, NULL), "/app");
	/* Where nothing stands before /app, such a path is another place. */
	assert_string_equal(return_address(f->arena, &set, "/docs/app/account"), "/app");
}

static void
programs_wait_on_this_machine_alone(void **state)
{
	static const char *const good[] = { "http://127.0.0.1:1/", "http://127.0.0.1:65535", "http://[::1]:8080/back?x=y",
		"http://localhost:8080/", "HTTP://LOCALHOST:1/", "http://127.0.0.1:9?x" };
	static const char *const bad[] = { "", "http://127.0.0.1/", "http://127.0.0.1:", "http://127.0.0.1:/", "https://127.0.0.1:1/",
		"http://127.0.0.1:1@evil.example/", "http://127.0.0.1:123456/", "http://127.0.0.1.evil.example:1/", "http://127.0.0.2:1/",
		"http://localhost.evil.example:1/", "http://evil.example:1/", "http://127.0.0.1:1\\@evil.example/", "http://127.0.0.1:1/#x",
		"http://127.0.0.1:1/\r\nX: y", "http://127.0.0.1:1/ x", "//127.0.0.1:1/", "javascript:1" };

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		assert_true(is_loopback_address(good[i]));
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(is_loopback_address(bad[i]));
}

static void
a_page_is_in_the_language_that_is_wanted_most(void **state)
{
	static const struct { const char *header; enum text_language language; } cases[] = { { NULL, LANG_EN }, { "", LANG_EN },
		{ "de", LANG_DE }, { "de-AT,de;q=0.9", LANG_DE }, { "xx, fr", LANG_FR }, { "en;q=0.1, ja;q=0.2", LANG_JA },
		{ "en, de", LANG_EN }, { "de;q=0, ar", LANG_AR }, { "*", LANG_EN }, { "xx", LANG_EN }, { " zh-Hans-CN ; q=1", LANG_ZH },
		{ "de;q=2, ko;q=0.5", LANG_KO }, { ",,,;;;q=,", LANG_EN }, { "de;q=nan, it;q=0.1", LANG_IT } };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(choose_language(cases[i].header), cases[i].language);
}

static void
every_text_takes_its_value_in_every_language(void **state)
{
	struct fixture *f = *state;
	struct view v = { .arena = f->arena };

	for (int t = 0; t < SAYS; t++) {
		v.language = LANG_EN;
		bool takes = strstr(view_say(&v, t), "%s") != NULL;

		for (int l = 0; l < TEXT_LANGUAGES; l++) {
			v.language = l;
			assert_true(*view_say(&v, t) != '\0');
			assert_int_equal(strstr(view_say(&v, t), "%s") != NULL, takes);
			assert_true(!takes || strstr(view_say_with(&v, t, "VALUE"), "VALUE") != NULL);
		}
	}
	v.language = LANG_EN;
	assert_string_equal(view_say_with(&v, SAY_HELLO, "Ada"), "Hello, Ada");
	/* RIGHT-TO-LEFT OVERRIDE stays within the name. */
	assert_string_equal(view_say_with(&v, SAY_HELLO, "\u202Ex"), "Hello, \u2068\u202Ex\u2069");
}

/* ---- requests of views ---- */

static struct view
view_with(struct fixture *f, struct memory_io *m, const char *cookie)
{
	struct view v = { .io = &m->io, .arena = f->arena, .db = f->db, .set = &set, .setup = &pages, .id = "x" };

	memory_request(m, f->arena, "GET", "/app", NULL, (struct str){ NULL, 0 });
	if (cookie != NULL)
		memory_set(m, "HTTP_COOKIE", arena_printf(f->arena, "a=b; %s=%s", session_cookie(&set), cookie));
	v.secret = cookie;
	return v;
}

static void
a_view_reads_as_its_person_and_writes_after_the_check_of_a_form(void **state)
{
	struct fixture *f = *state;
	struct memory_io m = { 0 };
	struct view v = view_with(f, &m, session_of(f)), nobody = view_with(f, &m, NULL);
	const char *body = json_texts(f->arena, "displayName", "Ada \"L\"", "photoURL", NULL, NULL);
	char *path = arena_printf(f->arena, "/users/%s", f->user);
	struct call c;

	assert_string_equal(body, "{\"displayName\":\"Ada \\\"L\\\"\"}");
	assert_int_equal(ask_api(&nobody, "GET", "/user", NULL).status, 401);
	view_with(f, &m, v.secret);
	c = ask_api(&v, "GET", "/user", NULL);
	assert_int_equal(c.status, 200);
	assert_string_equal(json_text_or_empty(c.answer, "email"), "ada@example.com");
	assert_int_equal(ask_api(&v, "PATCH", path, body).status, 403);
	v.trusted = true;
	assert_int_equal(ask_api(&v, "PATCH", path, body).status, 200);
	assert_string_equal(json_text_or_empty(ask_api(&v, "GET", "/user", NULL).answer, "displayName"), "Ada \"L\"");
	c = ask_api(&v, "PATCH", path, "{\"displayName\":\"\"}");
	assert_int_equal(c.status, 400);
	assert_non_null(fault_at(&v, &c, "/displayName"));
	assert_null(fault_at(&v, &c, "/photoURL"));
	json_arena(NULL);
}

static void
a_view_has_no_token(void **state)
{
	struct fixture *f = *state;
	struct memory_io m = { 0 };

	/* What a program may send along counts for the API alone. */
	memory_request(&m, f->arena, "GET", "/app/account", f->token, (struct str){ NULL, 0 });
	assert_int_equal(serve(f, &m), 303);
	memory_free(&m);
}

static void
a_form_counts_with_cookie_csrf_and_origin(void **state)
{
	struct fixture *f = *state;
	const char *secret = session_of(f);
	char *form = arena_printf(f->arena, "csrf=%s", session_csrf(f->arena, secret));
	static const struct { const char *origin, *site; int status; } cases[] = { { "http://127.0.0.1:8080", NULL, 303 },
		{ "https://evil.example", "same-origin", 403 }, { NULL, NULL, 403 }, { "null", NULL, 403 }, { "null", "same-origin", 303 },
		{ NULL, "same-origin", 303 }, { NULL, "cross-site", 403 }, { "http://127.0.0.1:80801", NULL, 403 }, { "http://127.0.0.1", NULL, 403 } };
	struct memory_io m = { 0 };

	set.url = "http://127.0.0.1:8080";
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		secret = session_of(f);
		form = arena_printf(f->arena, "csrf=%s", session_csrf(f->arena, secret));
		memory_request(&m, f->arena, "POST", "/app/sign-out", NULL, str_of(form));
		memory_set(&m, "CONTENT_TYPE", "application/x-www-form-urlencoded");
		memory_set(&m, "HTTP_COOKIE", arena_printf(f->arena, "%s=%s", session_cookie(&set), secret));
		memory_set(&m, "HTTP_ORIGIN", cases[i].origin);
		memory_set(&m, "HTTP_SEC_FETCH_SITE", cases[i].site);
		assert_int_equal(serve(f, &m), cases[i].status);
	}
	memory_free(&m);
}

/* The style sheet is served without comments and white space; "+" and "~" keep theirs, as in calc(). */
static void
the_style_sheet_has_no_white_space_that_separates_nothing(void **state)
{
	struct fixture *f = *state;
	struct memory_io m = { 0 };

	memory_request(&m, f->arena, "GET", "/app/app.0123456789abcdef.css", NULL, (struct str){ NULL, 0 });
	assert_int_equal(serve(f, &m), 200);
	assert_string_equal(m.text, "a>b{c:d}");
	memory_free(&m);
}

/* As CGI, a form whose sender went away ends early; its last field would be a shorter text. */
static void
a_form_that_was_cut_off_is_refused(void **state)
{
	struct fixture *f = *state;
	const char *secret = session_of(f);
	char *form = arena_printf(f->arena, "csrf=%s&text=half", session_csrf(f->arena, secret));
	struct memory_io m = { 0 };

	set.url = "http://127.0.0.1:8080";
	memory_request(&m, f->arena, "POST", "/app/sign-out", NULL, str_of(form));
	memory_set(&m, "CONTENT_TYPE", "application/x-www-form-urlencoded");
	memory_set(&m, "CONTENT_LENGTH", arena_printf(f->arena, "%zu", strlen(form) + 1));
	memory_set(&m, "HTTP_COOKIE", arena_printf(f->arena, "%s=%s", session_cookie(&set), secret));
	memory_set(&m, "HTTP_ORIGIN", set.url);
	assert_int_equal(serve(f, &m), 413);
	memory_free(&m);
}

static void
cookies_say_where_they_belong(void **state)
{
	static const char *const cases[][2] = { { "http://127.0.0.1:8080", "Set-Cookie: octavo_form=" },
		{ "https://example.com", "Set-Cookie: __Host-octavo_form=" }, { "https://example.com/docs", "Set-Cookie: __Secure-octavo_form=" } };
	static const char *const sessions[] = { "octavo_session", "__Host-octavo_session", "__Secure-octavo_session" };
	static const char *const ends[] = { "; Path=/; HttpOnly; SameSite=Lax\r\n", "; Path=/; HttpOnly; SameSite=Lax; Secure\r\n",
		"; Path=/docs; HttpOnly; SameSite=Lax; Secure\r\n" };
	struct fixture *f = *state;
	struct memory_io m = { 0 };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		set.url = cases[i][0];
		assert_string_equal(session_cookie(&set), sessions[i]);
		memory_request(&m, f->arena, "GET", i == 2 ? "/docs/app/sign-in" : "/app/sign-in", NULL, (struct str){ NULL, 0 });
		assert_int_equal(serve(f, &m), 200);
		assert_non_null(strstr(m.out, cases[i][1]));
		assert_non_null(strstr(m.out, ends[i]));
		assert_non_null(strstr(m.text, i == 2 ? "action=\"/docs/app/sign-in\"" : "action=\"/app/sign-in\""));
	}
	memory_free(&m);
}

/* ---- pages in memory ---- */

/*
 * Reads the page of the change requests. *once: the value of write_once(), by which a form that was sent
 * twice is recognized. True if the page was made for this request.
 */
static bool
is_made(struct fixture *f, const char *cookie, const char *language, char **once)
{
	struct memory_io m = { 0 };
	off_t before = lseek(requests, 0, SEEK_END);
	const char *at;

	memory_request(&m, f->arena, "GET", arena_printf(f->arena, "/app/spaces/%s/requests", f->space), NULL, (struct str){ NULL, 0 });
	memory_set(&m, "HTTP_COOKIE", cookie);
	memory_set(&m, "HTTP_ACCEPT_LANGUAGE", language);
	assert_int_equal(serve(f, &m), 200);
	assert_non_null(strstr(m.out, "Content-Security-Policy: default-src 'none'; "));
	at = strstr(m.text, "name=\"once\" value=\"");
	assert_non_null(at);
	*once = arena_strndup(f->arena, at + strlen("name=\"once\" value=\""), 22);
	assert_null(strchr(*once, '"'));
	memory_free(&m);
	return lseek(requests, 0, SEEK_END) > before;
}

static void
a_page_is_kept_for_its_session_until_somebody_commits(void **state)
{
	struct fixture *f = *state;
	char *cookie = arena_printf(f->arena, "%s=%s", session_cookie(&set), session_of(f));
	char *other = arena_printf(f->arena, "%s=%s", session_cookie(&set), session_of(f)), *first, *second;

	/* Checked pages are made every second time. */
	set.self_check = false;
	/* The first request of a session notes its time. */
	is_made(f, cookie, "en", &first);
	is_made(f, cookie, "en", &first);
	assert_false(is_made(f, cookie, "en", &second));
	/* Two forms with equal contents are not one form that was sent twice. */
	assert_string_not_equal(first, second);
	assert_true(is_made(f, cookie, "de", &first));
	assert_true(is_made(f, arena_printf(f->arena, "%s; octavo_tree=1", cookie), "en", &first));
	assert_false(is_made(f, cookie, "en", &first));
	assert_true(is_made(f, other, "en", &first));
	db_begin(f->db, true);
	member_set(f->db, f->org, f->user, 5);
	db_commit(f->db);
	assert_true(is_made(f, other, "en", &first));
}

/* ---- the pages above a page ---- */

static cJSON *
page_into(cJSON *list, const char *id, const char *title)
{
	cJSON *page = cJSON_CreateObject();

	cJSON_AddStringToObject(page, "id", id);
	cJSON_AddStringToObject(page, "title", title);
	cJSON_AddItemToArray(list, page);
	return cJSON_AddArrayToObject(page, "pages");
}

/* A tree with `depth` pages, each within the one before, and in the last one `siblings` pages and the page "own". */
static cJSON *
deep_tree(int depth, int siblings, const char *title)
{
	cJSON *tree = cJSON_CreateArray(), *list = tree;

	for (int i = 0; i < depth; i++)
		list = page_into(list, "above", title);
	for (int i = 0; i < siblings; i++)
		page_into(list, "beside", title);
	page_into(list, "own", "Own");
	return tree;
}

/* Writes the pages above "own"; the bytes of the arena that this needed. */
static size_t
bytes_of_path(struct arena *a, int depth, int siblings, const char *title, const char **written)
{
	cJSON *tree = deep_tree(depth, siblings, title);
	struct shown_space s = { .pages = tree };
	struct view v = { .arena = a };
	size_t before = arena_used(a);

	buf_init(&v.body, a, 1 << 20);
	h_init(&v.h, &v.body);
	write_ancestors(&v, &s, "own");
	buf_char(&v.body, '\0');
	*written = v.body.p;
	cJSON_Delete(tree);
	return arena_used(a) - before;
}

static void
the_pages_above_a_page_need_little_memory(void **state)
{
	struct arena *a = arena_new(64 << 20);
	const char *written;
	char title[201];

	(void)state;
	memset(title, 'x', sizeof(title) - 1);
	title[sizeof(title) - 1] = '\0';
	assert_true(bytes_of_path(a, 31, 5000, title, &written) < 1 << 14);
	bytes_of_path(a, 0, 2, "A & B", &written);
	assert_string_equal(written, "");
	bytes_of_path(a, 2, 2, "A & B", &written);
	assert_string_equal(written, "<p class=\"up\">A &amp; B / A &amp; B</p>");
	bytes_of_path(a, 6, 2, "A", &written);
	assert_string_equal(written, "<p class=\"up\">A / A / A / A / A / A</p>");
	bytes_of_path(a, 7, 2, "A", &written);
	assert_string_equal(written, "<p class=\"up\">A / A / A / … / A / A / A</p>");
	arena_free(a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_path_and_method_has_one_view),
		cmocka_unit_test_setup_teardown(every_page_answers_or_asks_for_a_session, setup, db_teardown),
		cmocka_unit_test_setup_teardown(paths_below_app_are_ours, setup, db_teardown),
		cmocka_unit_test_setup_teardown(people_come_back_to_our_own_pages_alone, setup, db_teardown),
		cmocka_unit_test(programs_wait_on_this_machine_alone),
		cmocka_unit_test(a_page_is_in_the_language_that_is_wanted_most),
		cmocka_unit_test_setup_teardown(every_text_takes_its_value_in_every_language, setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_view_reads_as_its_person_and_writes_after_the_check_of_a_form, setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_view_has_no_token, setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_form_counts_with_cookie_csrf_and_origin, setup, db_teardown),
		cmocka_unit_test_setup_teardown(the_style_sheet_has_no_white_space_that_separates_nothing, setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_form_that_was_cut_off_is_refused, setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_page_is_kept_for_its_session_until_somebody_commits, setup, db_teardown),
		cmocka_unit_test_setup_teardown(cookies_say_where_they_belong, setup, db_teardown),
		cmocka_unit_test(the_pages_above_a_page_need_little_memory),
	};

	log_requests();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
