/* The key of a page inserted among its siblings (order_key() in store/order.h): its position and its length. */
#include "change_fixture.h"

#include "store/order.h"

/* Six pages of a request whose keys have this many bytes and differ in the last one. */
static int64_t
six_pages(struct fixture *f, size_t bytes, const char *ends)
{
	char key[ORDER_KEY_LONG + 9] = "";
	struct point now;
	struct node n;
	int64_t r;

	new_space(f);
	r = request_open(f);
	now = revision_begin(f, r);
	memset(key, 'V', bytes - 1);
	for (int i = 1; i < 7; i++) {
		key[bytes - 1] = ends[i - 1];
		n = page_node(arena_printf(f->arena, "r%d", i), "", arena_strdup(f->arena, key));
		node_put(f->db, r, now.seq, &n);
	}
	db_commit(f->db);
	return r;
}

/* The children after a page was inserted. */
static const char *
with_one_more(struct fixture *f, int64_t request, int at, size_t longest)
{
	struct point before = head_of(f, request), now = revision_begin(f, request);
	const char *key = order_key(f->db, f->arena, &before, &now, "", at, NULL);
	struct node n = page_node("new", "", key);

	assert_int_equal(strlen(key) <= ORDER_KEY_LONG, true);
	assert_true(longest == 0 || strlen(key) == longest);
	node_put(f->db, request, now.seq, &n);
	db_commit(f->db);
	return children_text(f, request, "");
}

/*
 * A new page is placed after all pages whose key equals that of the page before it, even if the
 * keys are so long that new ones are assigned.
 */
static void
a_page_goes_behind_equal_keys(void **state)
{
	static const char *const expected[] = { "new r1 r2 r3 r4 r5 r6", "r1 new r2 r3 r4 r5 r6", "r1 r2 r3 r4 new r5 r6",
		"r1 r2 r3 r4 new r5 r6", "r1 r2 r3 r4 new r5 r6", "r1 r2 r3 r4 r5 new r6", "r1 r2 r3 r4 r5 r6 new", "r1 r2 r3 r4 r5 r6 new" };
	static const size_t bytes[] = { 3, ORDER_KEY_LONG, ORDER_KEY_LONG + 1 };
	struct fixture *f = *state;

	for (size_t k = 0; k < 3; k++)
		for (int at = 0; at < 8; at++)
			assert_string_equal(with_one_more(f, six_pages(f, bytes[k], "233357"), at, 0), expected[at]);
	assert_string_equal(with_one_more(f, six_pages(f, ORDER_KEY_LONG + 1, "334567"), 1, 0), "r1 r2 new r3 r4 r5 r6");
	assert_string_equal(with_one_more(f, six_pages(f, ORDER_KEY_LONG + 1, "234577"), 5, 0), "r1 r2 r3 r4 r5 r6 new");
}

/* After a last key of the maximum length, all siblings get new keys. */
static void
keys_are_dealt_behind_the_longest(void **state)
{
	char key[ORDER_KEY_LONG + 1] = "";
	struct fixture *f = *state;
	struct point now;
	struct node n;
	int64_t r;

	new_space(f);
	r = request_open(f);
	now = revision_begin(f, r);
	n = page_node("first", "", "V");
	node_put(f->db, r, now.seq, &n);
	memset(key, 'z', ORDER_KEY_LONG);
	n = page_node("last", "", key);
	node_put(f->db, r, now.seq, &n);
	db_commit(f->db);
	assert_string_equal(with_one_more(f, r, -1, 0), "first last new");
	now = head_of(f, r);
	assert_true(node_get(f->db, f->arena, &now, "last", &n));
	assert_true(strlen(n.ord) < ORDER_KEY_LONG);
}

/* A key of exactly ORDER_KEY_LONG is kept, in the middle and at the end. */
static void
a_key_of_the_greatest_length_is_kept(void **state)
{
	char low[ORDER_KEY_LONG] = "", high[ORDER_KEY_LONG] = "";
	struct fixture *f = *state;
	struct point now;
	struct node n;
	int64_t r;

	new_space(f);
	r = request_open(f);
	now = revision_begin(f, r);
	memset(low, 'V', ORDER_KEY_LONG - 1);
	memset(high, 'z', ORDER_KEY_LONG - 1);
	low[ORDER_KEY_LONG - 2] = '1';
	n = page_node("low", "", arena_strdup(f->arena, low));
	node_put(f->db, r, now.seq, &n);
	low[ORDER_KEY_LONG - 2] = '2';
	n = page_node("middle", "", arena_strdup(f->arena, low));
	node_put(f->db, r, now.seq, &n);
	n = page_node("high", "", high);
	node_put(f->db, r, now.seq, &n);
	db_commit(f->db);
	assert_string_equal(with_one_more(f, r, 1, ORDER_KEY_LONG), "low new middle high");
	assert_string_equal(with_one_more(f, r, -1, ORDER_KEY_LONG), "low middle high new");
	now = head_of(f, r);
	assert_true(node_get(f->db, f->arena, &now, "middle", &n));
	assert_string_equal(n.ord, low);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(a_page_goes_behind_equal_keys),
	cmocka_unit_test(keys_are_dealt_behind_the_longest),
		cmocka_unit_test(a_key_of_the_greatest_length_is_kept) };

	return cmocka_run_group_tests(tests, db_setup, db_teardown);
}
