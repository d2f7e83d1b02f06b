/* Rows as JSON objects: the URLs that a shape declares (src/http/shape_row.c). */
#include "http/req.h"

#include "db_fixture.h"

static const struct shape Urls = { "Urls", (const struct field[]){
	{ "location", T_TEXT, F_REQ, .url = "/v1/orgs/{:org}/pages/{id}/raw", .doc = "In the API" },
	{ "source", T_TEXT, .doc = "Where it came from" },
	{ 0 } } };
static const struct shape Author = { "Author", (const struct field[]){
	{ "id", T_TEXT, F_REQ },
	{ "urls", T_OBJECT, F_REQ, .of = &Urls, .join = "" },
	{ 0 } } };
static const struct shape Page = { "Page", (const struct field[]){
	{ "id", T_TEXT, F_REQ },
	{ "author", T_OBJECT, .of = &Author, .join = "by_" },
	{ "urls", T_OBJECT, F_REQ, .of = &Urls, .join = "" },
	{ 0 } } };
static const struct shape Ids = { "Ids", (const struct field[]){
	{ "url", T_TEXT, F_REQ, .url = "{:org}/{:space}/{:request}/{:site}/x" },
	{ "outside", T_TEXT, F_REQ, .url = "/saml/{kind}" },
	{ 0 } } };

SQL(q_page, "SELECT CAST(:id AS TEXT) AS id, CAST(:source AS TEXT) AS source, CAST(:by AS TEXT) AS by_id, NULL AS by_source");
SQL(q_kind, "SELECT 'start' AS kind");

static struct settings set = { .url = "https://docs.example.com/base" };

static struct req *
request(struct fixture *f)
{
	struct req *r = arena_alloc(f->arena, sizeof(*r));

	*r = (struct req){ .arena = f->arena, .db = f->db, .set = &set, .org.id = "o1", .space.id = "s1",
		.request.id = "c1", .site.id = "w1" };
	buf_init(&r->out, f->arena, 1 << 20);
	json_init(&r->json, &r->out);
	return r;
}

static const char *
row(struct fixture *f, struct stmt *q, const struct shape *s)
{
	struct req *r = request(f);

	assert_true(stmt_step(q));
	shape_row(&r->json, s, r, q);
	return r->out.p;
}

static const char *
page(struct fixture *f, const char *id, const char *source, const char *by)
{
	struct stmt *q = db_use(f->db, &q_page);

	bind_text(q, ":id", id);
	bind_text(q, ":source", source);
	bind_text(q, ":by", by);
	return row(f, q, &Page);
}

#define AT "https://docs.example.com/base/v1/orgs/o1/pages/"

static void
an_address_names_a_column_and_the_request(void **state)
{
	struct fixture *f = *state;

	db_begin(f->db, false);
	assert_string_equal(page(f, "p1", "https://example.com/p", NULL),
	    "{\"id\":\"p1\",\"urls\":{\"location\":\"" AT "p1/raw\",\"source\":\"https://example.com/p\"}}");
	/* A part without a value is left out of the URL. */
	assert_string_equal(page(f, "p1", NULL, NULL), "{\"id\":\"p1\",\"urls\":{\"location\":\"" AT "p1/raw\"}}");
	assert_string_equal(row(f, db_use(f->db, &q_kind), &Ids), "{\"url\":\"https://docs.example.com/baseo1/s1/c1/w1/x\","
	    "\"outside\":\"https://docs.example.com/base/saml/start\"}");
	db_rollback(f->db);
}

static void
an_object_inside_has_addresses_of_its_own_columns(void **state)
{
	struct fixture *f = *state;

	db_begin(f->db, false);
	assert_string_equal(page(f, "p1", NULL, "u1"), "{\"id\":\"p1\",\"author\":{\"id\":\"u1\",\"urls\":{\"location\":\"" AT "u1/raw\"}},"
	    "\"urls\":{\"location\":\"" AT "p1/raw\"}}");
	db_rollback(f->db);
}

static void
a_text_of_the_caller_stays_one_segment(void **state)
{
	struct fixture *f = *state;

	db_begin(f->db, false);
	assert_string_equal(page(f, "../a?b#c d\"\xC3\xA9{id}", NULL, NULL), "{\"id\":\"../a?b#c d\\\"\xC3\xA9{id}\",\"urls\":{\"location\":\""
	    AT "..%2Fa%3Fb%23c%20d%22%C3%A9%7Bid%7D/raw\"}}");
	db_rollback(f->db);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(an_address_names_a_column_and_the_request, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(an_object_inside_has_addresses_of_its_own_columns, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_text_of_the_caller_stays_one_segment, db_setup, db_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
