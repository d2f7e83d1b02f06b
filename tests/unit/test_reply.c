/* Lists: pages limited by count and by bytes, and tokens, each of which continues one list only. */
#include "../memory_io.h"

#include "db_fixture.h"

#include <cjson/cJSON.h>

#include "base/json.h"

/* Rows 1 to :rows, each with :bytes of text; ordered by two keys, of which the first is equal for ten rows. */
SQL(q_rows,
    "WITH RECURSIVE t(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM t WHERE i < :rows) "
    "SELECT i AS id, substr(hex(zeroblob(:bytes)), 1, :bytes) AS text, printf('%03d', i / 10) AS k1, "
    "printf('%05d', i) AS k2 FROM t WHERE :k1 IS NULL OR (printf('%03d', i / 10), printf('%05d', i)) > (:k1, :k2) "
    "ORDER BY k1, k2 LIMIT :limit /*scan*/");
/* The same ordered by four keys, the maximum: the digits of a row. */
SQL(q_four,
    "WITH RECURSIVE t(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM t WHERE i < :rows) "
    "SELECT i AS id, substr(hex(zeroblob(:bytes)), 1, :bytes) AS text, i / 27 AS k1, i / 9 % 3 AS k2, i / 3 % 3 AS k3, "
    "i % 3 AS k4 FROM t WHERE :k1 IS NULL OR (i / 27, i / 9 % 3, i / 3 % 3, i % 3) > "
    "(CAST(:k1 AS INTEGER), CAST(:k2 AS INTEGER), CAST(:k3 AS INTEGER), CAST(:k4 AS INTEGER)) "
    "ORDER BY 3, 4, 5, 6 LIMIT :limit /*scan*/");
/* The same with the total count in each row; an empty list has one row with the count 0. */
SQL(q_counted,
    "WITH RECURSIVE t(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM t WHERE i < :rows) "
    "SELECT i AS id, '' AS text, CASE WHEN :rows > 1 THEN printf('%05d', i) END AS k1, CASE WHEN :rows > 1 THEN :rows "
    "ELSE 0 END AS total FROM t WHERE :k1 IS NULL OR printf('%05d', i) > :k1 ORDER BY 3 LIMIT :limit /*scan*/");

static const struct shape row_shape = { "Row", (const struct field[]){
	{ "id", T_INT, F_REQ }, { "text", T_TEXT, F_REQ },
	{ 0 } } };
static const struct shape query = { "RowQuery", (const struct field[]){
	{ "page", T_TEXT }, { "limit", T_INT, .max = 1000 }, { "colour", T_TEXT },
	{ 0 } } };

static int64_t rows, bytes;   /* parameters of the statements */
static int keys;              /* number of keys of listRows */
static struct settings set;
static struct fixture *f;
static struct memory_io m;
static cJSON *answer;

static int
list_rows(struct req *r)
{
	struct stmt *q;
	struct list l;

	if (list_open(r, &l, keys) != 0)
		return -1;
	q = db_use(r->db, keys == 4 ? &q_four : &q_rows);
	bind_int(q, ":rows", rows);
	bind_int(q, ":bytes", bytes);
	list_bind(q, &l);
	return list_reply(r, &l, q, &row_shape, rows);
}

static int
list_counted(struct req *r)
{
	struct stmt *q;
	struct list l;

	if (list_open(r, &l, 1) != 0)
		return -1;
	q = db_use(r->db, &q_counted);
	bind_int(q, ":rows", rows);
	list_bind(q, &l);
	return list_reply(r, &l, q, &row_shape, COUNT_IN_ROWS);
}

static int
make_row(struct req *r)
{
	return reply_created(r, "/rows/7");
}

static int
no_row(struct req *r)
{
	struct stmt *q = db_use(r->db, &q_rows);

	bind_int(q, ":rows", 1);
	bind_int(q, ":bytes", 3);
	bind_int(q, ":limit", strcmp(path_id(r, "id"), "1") == 0);
	return reply_row(r, q, &row_shape);
}

static int
anybody(struct req *r)
{
	(void)r;
	return 0;
}

static const struct route routes[] = {
	{ M_GET, "/counted", "listCounted", list_counted, USER, BY_USERS, RO, &query, NULL, NULL, 200, "", "" },
	{ M_GET, "/others", "listOthers", list_rows, USER, BY_USERS, RO, &query, NULL, NULL, 200, "", "" },
	{ M_GET, "/rows", "listRows", list_rows, USER, BY_USERS, RO, &query, NULL, NULL, 200, "", "" },
	{ M_POST, "/rows", "makeRow", make_row, USER, BY_USERS, RW, NULL, NULL, NULL, 201, "", "" },
	{ M_GET, "/rows/{id}", "getRow", no_row, USER, BY_USERS, RO, NULL, NULL, NULL, 200, "", "" },
};
static const struct app app = { routes, sizeof(routes) / sizeof(routes[0]), anybody };

static int
set_up(void **state)
{
	db_setup(state);
	f = *state;
	set = db_settings(f);
	rows = 25;
	bytes = 1;
	keys = 2;
	memset(&m, 0, sizeof(m));
	return 0;
}

static int
tear_down(void **state)
{
	memory_free(&m);
	return db_teardown(state);
}

/* Returns the status; JSON of the body is parsed into `answer`, allocated from the test's arena. */
static int
ask(const char *method, const char *uri)
{
	struct arena *a = arena_new(256 << 20);

	memory_request(&m, f->arena, method, uri, f->token, (struct str){ NULL, 0 });
	memory_serve(&m, a, f->db, &set, &app);
	arena_free(a);
	json_arena(f->arena);
	answer = cJSON_Parse(m.text);
	return m.status;
}

static int
items(void)
{
	return cJSON_GetArraySize(cJSON_GetObjectItem(answer, "items"));
}

/* The id of the item at this index; -1 is the last. */
static int
id_at(int i)
{
	const cJSON *list = cJSON_GetObjectItem(answer, "items");

	return cJSON_GetObjectItem(cJSON_GetArrayItem(list, i < 0 ? cJSON_GetArraySize(list) + i : i), "id")->valueint;
}

static int
counted(void)
{
	return cJSON_GetObjectItem(answer, "count")->valueint;
}

/* The token of the next page; NULL: this is the last page. */
static const char *
next(void)
{
	const cJSON *x = cJSON_GetObjectItem(answer, "next");

	return x == NULL ? NULL : arena_strdup(f->arena, cJSON_GetObjectItem(x, "page")->valuestring);
}

/* Reads all pages: each row once and in order, no page longer than requested, all but the last one full. */
static void
walk(int limit)
{
	const char *page = "";
	int want = 1;

	for (; page != NULL; page = next()) {
		assert_int_equal(ask("GET", arena_printf(f->arena, "/v1/rows?limit=%d&page=%s", limit, page)), 200);
		assert_int_equal(counted(), 25);
		assert_int_equal(items(), next() != NULL ? limit : (25 - want) % limit + 1);
		assert_int_equal(id_at(0), want);
		want += items();
		assert_int_equal(id_at(-1), want - 1);
	}
	assert_int_equal(want, 26);
}

static void
each_row_is_on_one_page(void **state)
{
	static const int limits[] = { 1, 2, 5, 10, 24, 25, 26, 1000 };

	(void)state;
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		keys = 2;
		walk(limits[i]);
		keys = 4;
		walk(limits[i]);
	}
}

/* A token signed by an earlier version of the program, for a list that had fewer keys then. */
static void
a_token_of_fewer_keys_is_refused(void **state)
{
	const char *page;

	(void)state;
	keys = 1;
	assert_int_equal(ask("GET", "/v1/rows?limit=10"), 200);
	page = next();
	assert_int_equal(ask("GET", arena_printf(f->arena, "/v1/rows?limit=10&page=%s", page)), 200);
	keys = 2;
	assert_int_equal(ask("GET", arena_printf(f->arena, "/v1/rows?limit=10&page=%s", page)), 400);
}

static void
the_last_page_has_no_next(void **state)
{
	(void)state;
	/* A page with exactly all rows has no next page; neither has an empty list. */
	assert_int_equal(ask("GET", "/v1/rows?limit=25"), 200);
	assert_int_equal(items(), 25);
	assert_null(next());
	assert_int_equal(ask("GET", "/v1/rows?limit=24"), 200);
	assert_int_equal(items(), 24);
	assert_non_null(next());
	assert_int_equal(ask("GET", "/v1/rows?limit=0"), 200);
	assert_int_equal(items(), 0);
	assert_int_equal(counted(), 25);
	assert_null(next());
	assert_int_equal(ask("GET", "/v1/rows?page="), 200);
	assert_int_equal(items(), 25);
	rows = 60;
	assert_int_equal(ask("GET", "/v1/rows"), 200);
	assert_int_equal(items(), 50);
	assert_non_null(next());
}

static void
counts_may_come_from_rows(void **state)
{
	(void)state;
	assert_int_equal(ask("GET", "/v1/counted?limit=10"), 200);
	assert_int_equal(items(), 10);
	assert_int_equal(counted(), 25);
	assert_int_equal(ask("GET", arena_printf(f->arena, "/v1/counted?limit=20&page=%s", next())), 200);
	assert_int_equal(items(), 15);
	assert_int_equal(id_at(0), 11);
	assert_null(next());
	rows = 1;
	assert_int_equal(ask("GET", "/v1/counted"), 200);
	assert_int_equal(items(), 0);
	assert_int_equal(counted(), 0);
	assert_null(next());
}

/* Large items end a page at 8 MiB: not much earlier, and not one item later. */
static void
large_items_end_a_page(void **state)
{
	enum { ITEM = 100000, MIB8 = 8 << 20 };
	int first;

	(void)state;
	rows = 200;
	bytes = ITEM;
	assert_int_equal(ask("GET", "/v1/rows?limit=1000"), 200);
	first = items();
	assert_in_range(first, MIB8 / (ITEM + 100), MIB8 / ITEM + 1);
	assert_int_equal(counted(), 200);
	assert_non_null(next());
	assert_int_equal(ask("GET", arena_printf(f->arena, "/v1/rows?limit=1000&page=%s", next())), 200);
	assert_int_equal(id_at(0), first + 1);
}

/* A token is valid for its list and its filters only; the limit may change. */
static void
a_token_is_valid_for_its_list_only(void **state)
{
	const char *page, *dot;
	char *other;

	(void)state;
	assert_int_equal(ask("GET", "/v1/rows?limit=10&colour=red"), 200);
	page = next();
	assert_int_equal(ask("GET", arena_printf(f->arena, "/v1/rows?limit=3&colour=red&page=%s", page)), 200);
	assert_int_equal(items(), 3);
	assert_int_equal(id_at(0), 11);
	assert_int_equal(ask("GET", arena_printf(f->arena, "/v1/rows?limit=10&page=%s", page)), 400);
	assert_int_equal(ask("GET", arena_printf(f->arena, "/v1/rows?limit=10&colour=blue&page=%s", page)), 400);
	assert_int_equal(ask("GET", arena_printf(f->arena, "/v1/others?limit=10&colour=red&page=%s", page)), 400);
	assert_int_equal(ask("GET", arena_printf(f->arena, "/v1/counted?limit=10&colour=red&page=%s", page)), 400);
	assert_string_equal(cJSON_GetObjectItem(cJSON_GetArrayItem(cJSON_GetObjectItem(answer, "fields"), 0),
	    "path")->valuestring, "/page");
	dot = strchr(page, '.');
	assert_non_null(dot);
	assert_int_equal(ask("GET", arena_printf(f->arena, "/v1/rows?colour=red&page=%.*s", (int)(dot - page), page)), 400);
	assert_int_equal(ask("GET", arena_printf(f->arena, "/v1/rows?colour=red&page=.%s", dot + 1)), 400);
	other = arena_strdup(f->arena, page);
	other[0] = other[0] == 'A' ? 'B' : 'A';
	assert_int_equal(ask("GET", arena_printf(f->arena, "/v1/rows?colour=red&page=%s", other)), 400);
	assert_int_equal(ask("GET", "/v1/rows?page=x"), 400);
}

static void
single_rows_answer_200_201_or_404(void **state)
{
	(void)state;
	assert_int_equal(ask("POST", "/v1/rows"), 201);
	assert_string_equal(memory_header(f->arena, &m, "Location"), "http://docs.example/v1/rows/7");
	assert_int_equal(ask("GET", "/v1/rows/1"), 200);
	assert_string_equal(m.text, "{\"id\":1,\"text\":\"000\"}");
	assert_int_equal(ask("GET", "/v1/rows/2"), 404);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(each_row_is_on_one_page), CASE(a_token_of_fewer_keys_is_refused),
		CASE(the_last_page_has_no_next), CASE(counts_may_come_from_rows), CASE(large_items_end_a_page),
		CASE(a_token_is_valid_for_its_list_only), CASE(single_rows_answer_200_201_or_404),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
