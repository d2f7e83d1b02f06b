/*
 * A visitor's view of a published site: paths, variants, sections, share-link keys, hidden content,
 * moved pages, appearance.
 */
#include "page_fixture.h"

#include <cjson/cJSON.h>

#include "base/map.h"
#include "expr/expr.h"
#include "audience/look.h"
#include "audience/site_token.h"
#include "../../src/audience/audience_parts.h"

/* Sites are written as rows here: the API for them has its own tests. */
static void
run_sql(struct fixture *f, const char *text)
{
	const char *error = NULL;

	db_rollback(f->db);
	if (!db_script(f->db, f->arena, text, &error))
		fail_msg("%s: %s", text, error);
}

/* Makes a site "book" with the fixture's space as "one", and another space with the same pages as "two". */
static void
make_site(struct fixture *f)
{
	struct writing w;
	int64_t branch;
	char *two;

	json_arena(f->arena);
	w = write_begin(f, f->space, f->branch);
	write_page(&w, "a-start", "Start", "{}", "Hello, see [more](b-more.md).\n");
	write_page(&w, "b-more", "More", "{\"hidden\":true}", "More.\n");
	write_page(&w, "c-beta", "Beta", "{\"condition\":\"visitor.claims.beta\"}", "Secret.\n");
	write_file(&w, "picture", "picture.png");
	write_end(&w);
	db_begin(f->db, true);
	two = space_make(f->db, f->arena, &(struct space_new){ .org = f->org, .title = "Second", .author = f->user }, &branch);
	db_commit(f->db);
	w = write_begin(f, two, branch);
	write_page(&w, "welcome", "Welcome", "{}", "Welcome.\n");
	write_end(&w);
	run_sql(f, arena_printf(f->arena,
	    "UPDATE org SET hostname = 'acme' WHERE id = '%s';"
	    "INSERT INTO site (id, org, type, title, basename, visibility, published_at, created_at, updated_at) "
	    "VALUES ('s', '%s', 'basic', 'Book', 'book', 'public', 5, 1, 1);"
	    "INSERT INTO site_space (id, site, space, path, ord) VALUES ('x1', 's', '%s', 'one', 'a'), "
	    "('x2', 's', '%s', 'two', 'b');", f->org, f->org, f->space, two));
}

static enum visit_status
look_at(struct fixture *f, const char *path, const char *key, struct visit *v)
{
	struct settings *set = arena_alloc(f->arena, sizeof(*set));
	enum visit_status status;

	*set = db_settings(f);
	db_rollback(f->db);
	db_begin(f->db, false);
	status = visit_open(f->db, f->arena, set, &(struct visit_request){ .path = path,
	    .visitor = { .share_key = key } }, v);
	return status;
}

static void
expect(struct fixture *f, const char *path, enum visit_status status, const char *what)
{
	struct visit v;
	enum visit_status got = look_at(f, path, NULL, &v);
	const char *is = got == VISIT_PAGE ? v.page.node.id : got == VISIT_MOVED ? v.location : "";

	if (got != status || strcmp(is, what) != 0)
		fail_msg("%s: %d %s instead of %d %s", path, got, is, status, what);
}

#define SITE "http://docs.example/sites/acme/book/"

static void
addresses_open_their_pages(void **state)
{
	struct fixture *f = *state;
	struct visit v;

	make_site(f);
	expect(f, "/sites/acme/book", VISIT_PAGE, "a-start");
	expect(f, arena_printf(f->arena, "/sites/%s/book/", f->org), VISIT_PAGE, "a-start");
	expect(f, "/sites/acme/book/two/?x=1", VISIT_PAGE, "welcome");
	expect(f, "/sites/acme/book/one/B-More/", VISIT_PAGE, "b-more");
	expect(f, "/sites/acme/book/a-start", VISIT_MOVED, SITE);
	expect(f, "/sites/acme/book/two/welcome", VISIT_MOVED, SITE "two/");
	expect(f, "/sites/acme/book/nothing/here", VISIT_NO_PAGE, "");
	expect(f, "/sites/acme/book/%zz", VISIT_NO_PAGE, "");
	expect(f, "/sites/acme/cook", VISIT_NO_SITE, "");
	expect(f, "/sites/acme", VISIT_NO_SITE, "");
	expect(f, "/elsewhere/acme/book", VISIT_NO_SITE, "");
	assert_int_equal(look_at(f, "/sites/acme/book/b-more", NULL, &v), VISIT_PAGE);
	assert_string_equal(v.canonical, SITE "b-more");
	assert_string_equal(v.base_path, "/sites/acme/book/");
	assert_string_equal(v.space->id, "x1");
	assert_true(v.owns_longer_addresses);
	assert_int_equal(look_at(f, "/sites/acme/book/", NULL, &v), VISIT_PAGE);
	assert_false(v.site.sections);
	assert_string_equal(visit_item(&v, "x2")->address, SITE "two/");
	assert_ptr_equal(visit_next_space(&v, visit_item(&v, "x2")), NULL);
	/* Redirects of the site, for paths without a page. */
	run_sql(f, "INSERT INTO site_redirect (id, site, source, destination, created_at) VALUES "
	    "('r1', 's', '/old/way', '{\"kind\":\"site-page\",\"siteSpaceId\":\"x1\",\"pageId\":\"b-more\"}', 1),"
	    "('r2', 's', '/out', '{\"kind\":\"external\",\"url\":\"https://example.org/\"}', 1),"
	    "('r3', 's', '/b-more', '{\"kind\":\"site-space\",\"siteSpaceId\":\"x2\"}', 1)");
	expect(f, "/sites/acme/book/old/way", VISIT_MOVED, SITE "b-more");
	expect(f, "/sites/acme/book/out/", VISIT_MOVED, "https://example.org/");
	expect(f, "/sites/acme/book/b-more", VISIT_PAGE, "b-more");
}

static void
a_hostname_opens_its_site(void **state)
{
	struct fixture *f = *state;
	struct settings set = db_settings(f);
	struct visit_request ask = { .host = "Docs.Acme.Test:8080", .path = "/two/" };
	struct visit v;

	make_site(f);
	db_begin(f->db, false);
	assert_int_equal(visit_open(f->db, f->arena, &set, &ask, &v), VISIT_NO_SITE);
	run_sql(f, "UPDATE site SET hostname = 'docs.acme.test'");
	assert_int_equal(visit_open(f->db, f->arena, &set, &ask, &v), VISIT_PAGE);
	assert_string_equal(v.canonical, "http://docs.acme.test/two/");
	assert_string_equal(v.site.base_path, "/");
	/* An unknown host, for a web server that passes on all hosts, and for others. */
	ask = (struct visit_request){ .host = "127.0.0.1", .path = "/sites/acme/book/", .any_host = true };
	assert_int_equal(visit_open(f->db, f->arena, &set, &ask, &v), VISIT_PAGE);
	ask.any_host = false;
	assert_int_equal(visit_open(f->db, f->arena, &set, &ask, &v), VISIT_NO_SITE);
	run_sql(f, "UPDATE site SET proxy_origin = 'example.com/help/docs'");
	ask = (struct visit_request){ .host = "example.com", .path = "/help/docs/two" };
	assert_int_equal(visit_open(f->db, f->arena, &set, &ask, &v), VISIT_PAGE);
	assert_string_equal(v.canonical, "https://example.com/help/docs/two/");
	assert_string_equal(v.base_path, "/help/docs/two/");
	ask.path = "/help/other";
	assert_int_equal(visit_open(f->db, f->arena, &set, &ask, &v), VISIT_NO_SITE);
}

/* Content whose condition cannot be evaluated is hidden everywhere. */
static void
hidden_pages_are_in_nothing(void **state)
{
	struct fixture *f = *state;
	struct visit v;
	struct page *tree;

	make_site(f);
	expect(f, "/sites/acme/book/c-beta", VISIT_NO_PAGE, "");
	assert_int_equal(look_at(f, "/sites/acme/book/", NULL, &v), VISIT_PAGE);
	tree = visit_tree(&v, v.space);
	assert_non_null(visit_find(tree, "a-start"));
	assert_non_null(visit_find(tree, "b-more"));
	assert_null(visit_find(tree, "c-beta"));
	assert_true(visit_page_hidden(visit_find(tree, "b-more")));
	assert_false(visit_sees_page(&v, v.space, "c-beta"));
	assert_null(visit_ref(&v, v.space, &(struct doc_ref){ .kind = REF_PAGE, .id = "c-beta" }));
	assert_string_equal(visit_ref(&v, v.space, &(struct doc_ref){ .kind = REF_ANCHOR, .id = "b-more",
	    .anchor = "a b" }), SITE "b-more#a%20b");
	assert_non_null(strstr(visit_ref(&v, v.space, &(struct doc_ref){ .kind = REF_FILE, .id = "picture" }),
	    SITE "~file/x1/picture/"));
	/* One site space, and then all of them. */
	run_sql(f, "UPDATE site_space SET condition = 'visitor.claims.beta(' WHERE id = 'x1'");
	expect(f, "/sites/acme/book/", VISIT_PAGE, "welcome");
	expect(f, "/sites/acme/book/one/", VISIT_NO_PAGE, "");
	run_sql(f, "UPDATE site_space SET condition = 'no('");
	expect(f, "/sites/acme/book/", VISIT_NO_SITE, "");
}

static void
a_visitor_opens_what_they_may(void **state)
{
	struct fixture *f = *state;
	struct settings set = db_settings(f);
	struct visit_request ask = { .path = "/sites/acme/book/", .visitor = { .agent = true } };
	struct visit v;
	const char *first;

	make_site(f);
	assert_int_equal(look_at(f, ask.path, NULL, &v), VISIT_PAGE);
	first = visit_state(&v);
	assert_true(v.site.indexed);
	run_sql(f, "UPDATE site SET visibility = 'share-link', updated_at = 9;"
	    "INSERT INTO site_share_link (id, site, name, secret, created_at) VALUES ('l', 's', '', octavo_secret_hash('Key123'), 1)");
	assert_int_equal(look_at(f, ask.path, NULL, &v), VISIT_NO_SITE);
	assert_int_equal(look_at(f, ask.path, "key123", &v), VISIT_NO_SITE);
	assert_int_equal(look_at(f, ask.path, "Key123", &v), VISIT_PAGE);
	assert_string_equal(v.space->address, SITE "Key123/");
	assert_int_equal(look_at(f, "/sites/acme/book/Key123/two/", NULL, &v), VISIT_PAGE);
	assert_string_equal(v.canonical, SITE "Key123/two/");
	assert_string_equal(v.site.base_path, "/sites/acme/book/Key123/");
	assert_string_not_equal(visit_state(&v), first);
	assert_false(v.site.indexed);
	run_sql(f, "UPDATE site_share_link SET active = 0");
	assert_int_equal(look_at(f, "/sites/acme/book/Key123/", NULL, &v), VISIT_NO_SITE);
	run_sql(f, "UPDATE site SET visibility = 'visitor-auth', visitor_fallback = 'https://sign.in/'");
	assert_int_equal(look_at(f, ask.path, NULL, &v), VISIT_SIGN_IN);
	assert_string_equal(v.location, "https://sign.in/?location=");
	run_sql(f, "UPDATE site SET visitor_fallback = 'https://sign.in/?a=1#x'");
	assert_int_equal(look_at(f, "/sites/acme/book/two/b%20c", NULL, &v), VISIT_SIGN_IN);
	assert_string_equal(v.location, "https://sign.in/?a=1&location=two%2Fb%20c#x");
	run_sql(f, "UPDATE site SET visibility = 'unlisted', agents = 'excluded'");
	assert_int_equal(look_at(f, ask.path, NULL, &v), VISIT_PAGE);
	assert_int_equal(visit_open(f->db, f->arena, &set, &ask, &v), VISIT_NO_SITE);
	run_sql(f, "UPDATE site SET published_at = NULL");
	assert_int_equal(look_at(f, ask.path, NULL, &v), VISIT_NO_SITE);
	assert_int_equal(visit_open_site(f->db, f->arena, &set, "s", &(struct visitor){ 0 }, &v), VISIT_NO_SITE);
}

static void
sections_are_opened(void **state)
{
	struct fixture *f = *state;
	struct visit v;

	make_site(f);
	run_sql(f, "INSERT INTO site_section_group (id, site, title, ord) VALUES ('g', 's', 'Group', 'b'), ('empty', 's', 'E', 'a');"
	    "INSERT INTO site_section (id, site, section_group, title, path, ord, is_default, condition) VALUES "
	    "('c1', 's', 'g', 'Guides', 'guides', 'a', 0, NULL), ('c2', 's', NULL, 'Ref', 'ref', 'a', 1, NULL),"
	    "('c3', 's', 'empty', 'Hidden', 'hidden', 'c', 0, 'no(');"
	    "UPDATE site_space SET section = CASE id WHEN 'x1' THEN 'c1' ELSE 'c2' END");
	expect(f, "/sites/acme/book/", VISIT_PAGE, "welcome");
	expect(f, "/sites/acme/book/guides", VISIT_PAGE, "a-start");
	expect(f, "/sites/acme/book/guides/one/b-more", VISIT_PAGE, "b-more");
	expect(f, "/sites/acme/book/hidden/", VISIT_NO_PAGE, "");
	assert_int_equal(look_at(f, "/sites/acme/book/guides/", NULL, &v), VISIT_PAGE);
	assert_true(v.site.sections);
	assert_string_equal(v.site.first->id, "c2");
	assert_string_equal(v.site.first->next->id, "g");
	assert_null(v.site.first->next->next);
	assert_string_equal(v.section->address, SITE "guides/");
	assert_string_equal(v.space->address, SITE "guides/");
	assert_ptr_equal(v.space->up->up, v.site.first->next);
	assert_string_equal(visit_next_space(&v, NULL)->id, "x2");
	assert_string_equal(visit_next_space(&v, visit_next_space(&v, NULL))->id, "x1");
	assert_string_equal(visit_space(&v, f->space)->id, "x1");
}

static void
leads_back(struct fixture *f, struct visit *v, const struct visit_item *it, const struct page *p)
{
	const char *address;
	struct visit there;

	for (; p != NULL; p = p->next) {
		address = visit_page_address(v, it, p);
		assert_int_equal(look_at(f, address + strlen("http://docs.example"), NULL, &there), VISIT_PAGE);
		if (strcmp(there.space->id, it->id) != 0 || strcmp(there.page.node.id, p->node.id) != 0)
			fail_msg("%s: %s in %s", address, there.page.path, there.space->id);
		assert_string_equal(there.canonical, address);
		leads_back(f, v, it, p->first);
	}
}

/* Sections, variants and pages with equal names: each path opens the object that it was made for. */
static void
equal_names_lead_to_their_own(void **state)
{
	struct fixture *f = *state;
	struct visit_item *it = NULL;
	struct visit v;
	int n = 0;

	make_site(f);
	run_sql(f, arena_printf(f->arena, "INSERT INTO site_section (id, site, title, path, ord, is_default) VALUES "
	    "('c1', 's', 'Ref', 'ref', 'a', 1), ('c2', 's', 'Guides', 'guides', 'b', 0), ('c3', 's', 'More', 'b-more', 'c', 0);"
	    "UPDATE site_space SET section = 'c1';"
	    "UPDATE site_space SET path = 'guides' WHERE id = 'x2';"
	    "INSERT INTO site_space (id, site, section, space, path, ord) VALUES ('x3', 's', 'c2', '%s', 'one', 'a'), "
	    "('x4', 's', 'c2', '%s', 'b-more', 'b'), ('x5', 's', 'c3', '%s', 'ref', 'a');", f->space, f->space, f->space));
	assert_int_equal(look_at(f, "/sites/acme/book/", NULL, &v), VISIT_PAGE);
	while ((it = visit_next_space(&v, it)) != NULL) {
		leads_back(f, &v, it, visit_tree(&v, it));
		n++;
	}
	assert_int_equal(n, 5);
	/*
	 * A section or variant with the name of a page gets a prefix ("s/" or "v/"); the path
	 * without a prefix opens the page.
	 */
	assert_string_equal(visit_item(&v, "x2")->address, SITE "v/guides/");
	assert_string_equal(visit_item(&v, "c3")->address, SITE "s/b-more/");
	assert_string_equal(visit_item(&v, "x4")->address, SITE "guides/v/b-more/");
	assert_string_equal(visit_below(&v, visit_item(&v, "x1"), "b-more"), SITE "b-more");
	expect(f, "/sites/acme/book/b-more", VISIT_PAGE, "b-more");
	expect(f, "/sites/acme/book/ref/guides/welcome", VISIT_MOVED, SITE "v/guides/");
	expect(f, "/sites/acme/book/s/b-more/ref", VISIT_PAGE, "a-start");
	expect(f, "/sites/acme/book/b-more/ref/b-more", VISIT_PAGE, "b-more");
}

static size_t
count_of(const struct page *p)
{
	size_t n = 0;

	for (; p != NULL; p = p->next)
		n += 1 + count_of(p->first);
	return n;
}

/* A program that caches trees between requests shows each visitor the right one, and new revisions. */
static void
kept_trees_are_of_their_visitor(void **state)
{
	struct fixture *f = *state;
	struct settings set = db_settings(f);
	struct visit_request ask = { .path = "/sites/acme/book/" };
	struct visit v;
	struct writing w;
	int i;

	make_site(f);
	run_sql(f, "UPDATE site SET adaptive = 1");
	w = write_begin(f, f->space, f->branch);
	write_page(&w, "c-beta", "Beta", "{\"condition\":\"visitor.claims.unsigned.beta\"}", "Secret.\n");
	write_end(&w);
	for (i = 0; i < 6; i++) {
		/* Alternately a visitor who sees the page "Beta" and one who does not. */
		ask.visitor.unsigned_claims = i % 2 == 0 ? NULL : cJSON_Parse("{\"beta\":true}");
		visit_trees_begin(f->db);
		db_begin(f->db, false);
		assert_int_equal(visit_open(f->db, f->arena, &set, &ask, &v), VISIT_PAGE);
		assert_int_equal(count_of(visit_tree(&v, visit_item(&v, "x1"))), i % 2 == 0 ? 2 : 3);
		assert_int_equal(count_of(visit_tree(&v, visit_item(&v, "x2"))), 1);
		db_rollback(f->db);
		visit_trees_end(f->db);
	}
	w = write_begin(f, f->space, f->branch);
	write_page(&w, "d-new", "New", "{}", "New.\n");
	write_end(&w);
	visit_trees_begin(f->db);
	db_begin(f->db, false);
	assert_int_equal(visit_open(f->db, f->arena, &set, &ask, &v), VISIT_PAGE);
	assert_int_equal(count_of(visit_tree(&v, visit_item(&v, "x1"))), 4);
	db_rollback(f->db);
	visit_trees_end(f->db);
}

/* The pages of x1 for a visitor with these claims, in a separate request. */
static const struct visit_pages *
pages_of(struct fixture *f, const char *claims, struct visit *v)
{
	struct settings set = db_settings(f);
	struct visit_request ask = { .path = "/sites/acme/book/", .visitor = { .unsigned_claims = cJSON_Parse(claims) } };

	visit_trees_begin(f->db);
	db_begin(f->db, false);
	assert_int_equal(visit_open(f->db, f->arena, &set, &ask, v), VISIT_PAGE);
	return visit_pages(v, visit_item(v, "x1"));
}

static void
pages_end(struct fixture *f)
{
	db_rollback(f->db);
	visit_trees_end(f->db);
}

/* True if the visitor sees the page: in the tree, alone, and as a search hit, which must agree. */
static bool
sees(struct fixture *f, const char *claims, const char *id)
{
	struct visit v;
	const struct visit_pages *pages = pages_of(f, claims, &v);
	struct visit_place place = { &v, visit_item(&v, "x1") };
	bool seen = map_has(pages->by_id, str_of(id));

	assert_int_equal(visit_sees_page(&v, place.space, id), seen);
	assert_int_equal(visit_sees_part(&place, id, NULL), seen);
	assert_int_equal(visit_find(pages->tree, id) != NULL, seen);
	assert_true(visit_personal(&v, NULL));
	pages_end(f);
	return seen;
}

static const char *
number(struct fixture *f, int n)
{
	return arena_printf(f->arena, "{\"n\":%d}", n);
}

/* A filtered tree is cached for all visitors who see the same pages, and used for no others. */
static void
kept_sights_are_of_equal_visitors(void **state)
{
	enum { PAGES = 40 };   /* more than the cache holds */
	struct fixture *f = *state;
	const struct page *tree;
	const char *seen;
	struct visit v;
	struct writing w;
	int i, k;

	make_site(f);
	run_sql(f, "UPDATE site SET adaptive = 1");
	w = write_begin(f, f->space, f->branch);
	for (i = 0; i < PAGES; i++)
		write_page(&w, arena_printf(f->arena, "n-%d", i), "N",
		    arena_printf(f->arena, "{\"condition\":\"visitor.claims.unsigned.n == %d\"}", i), "Secret.\n");
	write_page(&w, "v-vars", "Vars", "{\"variables\":{\"n\":7},\"condition\":\"visitor.claims.unsigned.n == page.vars.n\"}",
	    "Secret.\n");
	write_end(&w);
	/* A visitor with other claims who sees the same pages gets the same tree. */
	tree = pages_of(f, "{\"n\":3}", &v)->tree;
	seen = visit_pages(&v, visit_item(&v, "x1"))->pages_hash;
	assert_false(visit_personal(&v, visit_item(&v, "x1")));
	assert_true(visit_personal(&v, visit_item(&v, "x2")));
	pages_end(f);
	assert_ptr_equal(pages_of(f, "{\"n\":3,\"other\":1}", &v)->tree, tree);
	assert_string_equal(visit_pages(&v, visit_item(&v, "x1"))->pages_hash, seen);
	pages_end(f);
	assert_string_not_equal(pages_of(f, "{\"n\":4}", &v)->pages_hash, seen);
	/* Content with expressions depends on the claims, whichever pages are visible. */
	visit_scope(&v, NULL, NULL);
	assert_true(visit_personal(&v, visit_item(&v, "x1")));
	pages_end(f);
	/* Twice, so that trees evicted from the cache are made again. */
	for (i = 0; i < PAGES * 2; i++)
		for (k = i % PAGES; k < PAGES; k += 13)
			assert_int_equal(sees(f, number(f, i % PAGES), arena_printf(f->arena, "n-%d", k)), k == i % PAGES);
	assert_true(sees(f, number(f, 7), "v-vars"));
	assert_false(sees(f, number(f, 8), "v-vars"));
	assert_false(sees(f, "{}", "n-3"));
	/* A changed condition applies at once. */
	w = write_begin(f, f->space, f->branch);
	write_page(&w, "n-3", "N", "{\"condition\":\"visitor.claims.unsigned.n == 4\"}", "Secret.\n");
	write_end(&w);
	assert_false(sees(f, number(f, 3), "n-3"));
	assert_true(sees(f, number(f, 4), "n-3"));
	/* So does switching off claims for the site. */
	run_sql(f, "UPDATE site SET adaptive = 0");
	assert_false(sees(f, number(f, 4), "n-3"));
}

static void
a_site_has_its_look(void **state)
{
	struct fixture *f = *state;
	struct visit v;
	struct look *l;

	make_site(f);
	assert_int_equal(look_at(f, "/sites/acme/book/", NULL, &v), VISIT_PAGE);
	l = look_of(&v, v.space);
	assert_string_equal(l->theme, "clean");
	assert_null(l->header);
	assert_true(l->theme_toggle);
	run_sql(f, "UPDATE site SET customization = '{\"styling\":{\"theme\":\"bold\",\"corners\":\"straight\"},"
	    "\"favicon\":{\"emoji\":\"1f4d8\"},\"header\":{\"links\":[{\"title\":\"Out\",\"to\":{\"kind\":\"url\","
	    "\"url\":\"https://example.org/\"},\"links\":[]},{\"title\":\"Menu\",\"to\":null,\"links\":[{\"title\":\"More\","
	    "\"to\":{\"kind\":\"page\",\"page\":\"b-more\"}},{\"title\":\"Not seen\",\"to\":{\"kind\":\"page\","
	    "\"page\":\"c-beta\"}}]},{\"title\":\"Beta\",\"to\":{\"kind\":\"url\",\"url\":\"https://x.example/\"},"
	    "\"links\":[],\"condition\":\"no(\"}]}}';"
	    "UPDATE site_space SET customization = '{\"styling\":{\"theme\":null,\"corners\":\"circular\"}}' WHERE id = 'x1'");
	assert_int_equal(look_at(f, "/sites/acme/book/", NULL, &v), VISIT_PAGE);
	assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(cJSON_GetObjectItem(look_seen(&v, NULL), "header"), "links")), 2);
	l = look_of(&v, v.space);
	assert_string_equal(l->theme, "bold");
	assert_string_equal(l->corners, "circular");
	assert_string_equal(look_of(&v, NULL)->corners, "straight");
	assert_string_equal(l->favicon_emoji, "1f4d8");
	assert_string_equal(l->header->href, "https://example.org/");
	assert_string_equal(l->header->next->first->href, SITE "b-more");
	assert_null(l->header->next->first->next);
	assert_null(l->header->next->next);
}

/* If the document has a condition at any place, its Markdown contains neither the condition nor what it hides. */
static void
hidden_parts_are_not_in_markdown(void **state)
{
	static const char *const forms[] = {
		"{% if visitor.claims.a %}\n\nsecret\n\n{% endif %}\n", "{%- if visitor.claims.a -%}\n\nsecret\n\n{%- endif -%}\n",
		"{% if\tvisitor.claims.a %}\n\nsecret\n\n{% endif %}\n", "> {% if visitor.claims.a %}\n> secret\n> {% endif %}\n",
		"* x\n\n  {% if visitor.claims.a %}\n  secret\n  {% endif %}\n",
		"{% hint style=\"info\" %}\n{% if visitor.claims.a %}\nsecret\n{% endif %}\n{% endhint %}\n",
		"{% if visitor.claims.( %}\n\nsecret\n\n{% endif %}\n",
		"{% if visitor.claims.a %}\n\n{% if true %}\n\nsecret\n\n{% endif %}\n\n{% endif %}\n" };
	struct fixture *f = *state;
	struct visit v;
	struct str text;
	const char *out;
	size_t i;

	make_site(f);
	assert_int_equal(look_at(f, "/sites/acme/book/", NULL, &v), VISIT_PAGE);
	for (i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		text = str_of(arena_printf(f->arena, "# T\n\nBefore.\n\n%s\nAfter.\n", forms[i]));
		text = visit_markdown(&v, &v.space->point, NULL, text);
		out = arena_strndup(f->arena, text.p, text.n);
		if (strstr(out, "secret") != NULL || strstr(out, "claims") != NULL || strncmp(out, "# T\n\nBefore.", 12) != 0 ||
		    strstr(out, "After.") == NULL)
			fail_msg("%s\nis: %s", forms[i], out);
	}
	text = visit_markdown(&v, &v.space->point, NULL, str_of("# T\n\n{% if 1 < 2 %}\n\nSeen *so*.\n\n{% endif %}\n\n"
	    "Sum: <code class=\"expression\">1 + 1</code>, none: <code class=\"expression\">visitor.claims.x</code>.\n\n"
	    "```\n{% if x %}\ncode\n{% endif %}\n```\n"));
	assert_string_equal(arena_strndup(f->arena, text.p, text.n), "# T\n\nSeen _so_.\n\nSum: 2, none: .\n\n"
	    "```\n{% if x %}\ncode\n{% endif %}\n```\n");
}

/* Each expression is parsed once, until the cache is full: then it is cleared, and results stay the same. */
static void
expressions_are_parsed_once(void **state)
{
	struct fixture *f = *state;
	const struct parsed_expression *first = read_expression(f->db, f->arena, STR("visitor.claims.a == 'kept'"));
	const struct parsed_expression *again, *before = NULL;
	const char *text;
	int i, anew = 0;

	assert_non_null(first->e);
	assert_false(first->local);
	text = arena_strdup(f->arena, "visitor.claims.a == 'kept'");
	assert_ptr_equal(read_expression(f->db, f->arena, str_of(text)), first);
	assert_ptr_not_equal(read_expression(f->db, f->arena, STR("visitor.claims.a == 'other'")), first);
	assert_null(read_expression(f->db, f->arena, STR("a b"))->e);
	assert_null(read_expression(f->db, f->arena, STR("a b"))->e);
	for (i = 0; i < 40000; i++) {
		text = arena_printf(f->arena, "%d + page.vars.x", i);
		assert_true(read_expression(f->db, f->arena, str_of(text))->local);
		/* Parsed again, it has another address. */
		again = read_expression(f->db, f->arena, STR("space.vars.x"));
		assert_true(again->local);
		anew += again != before;
		before = again;
	}
	/* About once in some thousand texts. */
	assert_in_range(anew, 2, 40);
}

SQL(q_passes, "SELECT count(*) FROM site_pass WHERE maker IS NOT NULL /*scan*/");
SQL(q_new_passes, "SELECT count(*) FROM site_pass WHERE maker IS NOT NULL AND made_at > 10100 /*scan*/");
SQL(q_expired_passes, "SELECT count(*) FROM site_pass WHERE maker IS NULL /*scan*/");

/* Tokens requested with ever different claims are bounded: the maker's oldest ones and expired ones are deleted. */
static void
passes_are_bounded(void **state)
{
	struct fixture *f = *state;
	struct visit v;
	cJSON *claims;
	int i, newest;

	make_site(f);
	run_sql(f, "WITH RECURSIVE n (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM n WHERE n < 10100) "
	    "INSERT INTO site_pass (hash, site, maker, made_at, expires_at) SELECT randomblob(32), 's', 'm', n, 9e15 FROM n;"
	    "WITH RECURSIVE n (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM n WHERE n < 1000) "
	    "INSERT INTO site_pass (hash, site, made_at, expires_at) SELECT randomblob(32), 's', n, n FROM n");
	assert_int_equal(look_at(f, "/sites/acme/book/", NULL, &v), VISIT_PAGE);
	db_rollback(f->db);
	db_begin(f->db, true);
	for (i = 0; i < 400; i++) {
		claims = cJSON_CreateObject();
		cJSON_AddNumberToObject(claims, "n", i);
		v.claims = claims;
		assert_non_null(pass_make(&v, "m"));
	}
	assert_in_range(stmt_int(db_use(f->db, &q_passes), 0), PASS_MOST, PASS_MOST + 200);
	assert_int_equal(stmt_int(db_use(f->db, &q_new_passes), 0), 400);
	assert_int_equal(stmt_int(db_use(f->db, &q_expired_passes), -1), 0);
	/* The newest tokens stay: requested again with the same claims, no new one is made. */
	newest = (int)stmt_int(db_use(f->db, &q_passes), 0);
	assert_non_null(pass_make(&v, "m"));
	assert_int_equal(stmt_int(db_use(f->db, &q_passes), 0), newest);
	db_rollback(f->db);
}

/* The token of a visitor, or of a viewer of a preview, and the part of a file URL made for it. */
static const char *
reader_of(struct fixture *f, const struct settings *set, bool preview, struct str *hash)
{
	struct visit v, held;

	assert_int_equal(look_at(f, "/sites/acme/book/", NULL, &v), VISIT_PAGE);
	db_rollback(f->db);
	db_begin(f->db, true);
	v.preview = preview;
	v.until = preview ? time_now() + 60000 : 0;
	assert_true(pass_hash(f->arena, str_of(pass_make(&v, NULL)), hash));
	db_commit(f->db);
	db_begin(f->db, false);
	assert_int_equal(pass_open(f->db, f->arena, set, *hash, &held), VISIT_PAGE);
	assert_int_equal(held.preview, preview);
	return pass_reader(&held, "picture");
}

/*
 * URLs of files outlive the token that they were made for, so that an open page continues to work;
 * those of previews do not.
 */
static void
file_urls_of_previews_end_with_their_token(void **state)
{
	struct fixture *f = *state;
	struct settings set = db_settings(f);
	const char *visitor, *previewer;
	struct visit v;
	struct str one, two;

	make_site(f);
	visitor = reader_of(f, &set, false, &one);
	previewer = reader_of(f, &set, true, &two);
	assert_true(pass_reads(f->db, f->arena, &set, visitor, f->space));
	assert_true(pass_reads(f->db, f->arena, &set, previewer, f->space));
	run_sql(f, "UPDATE site_pass SET expires_at = 1");
	db_begin(f->db, false);
	assert_int_equal(pass_open(f->db, f->arena, &set, one, &v), VISIT_NO_SITE);
	assert_int_equal(pass_open(f->db, f->arena, &set, two, &v), VISIT_NO_SITE);
	assert_true(pass_reads(f->db, f->arena, &set, visitor, f->space));
	assert_false(pass_reads(f->db, f->arena, &set, previewer, f->space));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(passes_are_bounded, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(file_urls_of_previews_end_with_their_token, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(addresses_open_their_pages, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_hostname_opens_its_site, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(hidden_pages_are_in_nothing, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_visitor_opens_what_they_may, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(sections_are_opened, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(equal_names_lead_to_their_own, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(kept_trees_are_of_their_visitor, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(kept_sights_are_of_equal_visitors, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_site_has_its_look, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(expressions_are_parsed_once, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(hidden_parts_are_not_in_markdown, db_setup, db_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
