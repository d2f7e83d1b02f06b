/* Order keys: there is always one between two others, they stay short, and reassigned keys keep the order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "approved_fixture.h"
#include "base/arena.h"
#include "store/order.h"
#include "seed_fixture.h"

static void
well_formed(const char *key)
{
	assert_true(strlen(key) > 0);
	assert_int_equal(strspn(key, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"),
	    strlen(key));
	/* No key would fit before it. */
	assert_int_not_equal(key[strlen(key) - 1], '0');
}

static const char *
between(struct arena *a, const char *before, const char *after)
{
	char *key = order_key_between(a, before, after);

	well_formed(key);
	if (strcmp(before, key) >= 0 || (*after != '\0' && strcmp(key, after) >= 0))
		fail_msg("\"%s\" is not between \"%s\" and \"%s\"", key, before, after);
	return key;
}

/* Inserts at random places, as people do when they sort pages. */
static void
keys_of_random_places_stay_short(void **state)
{
	enum { N = 3000 };
	struct arena *a = arena_new(256 << 20);
	const char **keys = arena_array(a, N + 1, sizeof(*keys));
	size_t n, at, longest = 0;

	(void)state;
	srand(11);
	for (n = 0; n < N; n++) {
		at = (size_t)rand() % (n + 1);
		memmove(keys + at + 1, keys + at, (n - at) * sizeof(*keys));
		keys[at] = between(a, at == 0 ? "" : keys[at - 1], at == n ? "" : keys[at + 1]);
		if (strlen(keys[at]) > longest)
			longest = strlen(keys[at]);
	}
	for (n = 1; n < N; n++)
		assert_true(strcmp(keys[n - 1], keys[n]) < 0);
	assert_true(longest < 20);
	arena_free(a);
}

static size_t
grow(struct arena *a, int where, size_t n)
{
	const char *low = between(a, "", ""), *high = between(a, low, "");

	for (; n > 0; n--) {
		if (where == 0)
			low = between(a, "", low);             /* always first */
		else if (where == 1)
			high = between(a, high, "");           /* always last */
		else if (where == 2)
			high = between(a, low, high);          /* always after the same one */
		else
			low = between(a, low, high);           /* always before the same one */
	}
	return strlen(low) > strlen(high) ? strlen(low) : strlen(high);
}

static void
keys_at_one_end_stay_short(void **state)
{
	struct arena *a = arena_new(256 << 20);

	(void)state;
	/* Appending is the most frequent case: after a thousand pages the key is still short. */
	assert_true(grow(a, 1, 1000) <= 40);
	assert_true(grow(a, 0, 1000) <= 260);
	assert_true(grow(a, 2, 1000) <= 260);
	assert_true(grow(a, 3, 1000) <= 260);
	arena_free(a);
}

static void
many_keys_fit_between_two(void **state)
{
	static const size_t counts[] = { 0, 1, 2, 59, 60, 61, 62, 63, 1000, 3719, 3720, 3721, 20000 };
	static const char *const ends[][2] = { { "", "" }, { "V", "" }, { "zzz", "" }, { "0V", "" },
		{ "", "1" }, { "", "01" }, { "V", "W" }, { "V", "V1" }, { "Vzz", "W" } };
	struct arena *a = arena_new(512 << 20);
	size_t i, k, n;
	char **keys;

	(void)state;
	for (i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		for (k = 0; k < sizeof(ends) / sizeof(ends[0]); k++) {
			keys = order_key_fill(a, ends[k][0], ends[k][1], counts[i]);
			for (n = 0; n < counts[i]; n++) {
				well_formed(keys[n]);
				assert_true(strlen(keys[n]) < 12);
				/* There is room between neighbours, before the first key and after the last. */
				between(a, n == 0 ? ends[k][0] : keys[n - 1], keys[n]);
			}
			if (n > 0)
				between(a, keys[n - 1], ends[k][1]);
			arena_reset(a);
		}
	}
	arena_free(a);
}

/* ---- reassigning keys, as order.c does ---- */

/* Under a sanitizer each insert is five times as slow, and a few thousand suffice. */
#if defined(__SANITIZE_ADDRESS__)
enum { INSERTS = 20000 };
#else
enum { INSERTS = 100000 };
#endif

struct siblings {
	struct arena    *keys, *scratch;
	struct order_item *list;
	size_t           n, renumbered;  /* renumbered: number of rows that got new keys */
};

static void
siblings_new(struct siblings *s)
{
	*s = (struct siblings){ .keys = arena_new(1 << 30), .scratch = arena_new(1 << 30) };
	s->list = arena_array(s->keys, INSERTS + 200, sizeof(*s->list));
}

static void
siblings_free(struct siblings *s)
{
	arena_free(s->keys);
	arena_free(s->scratch);
}

static void
keep_dealt(struct siblings *s)
{
	size_t k;

	for (k = 0; k < s->n; k++) {
		if (!s->list[k].renumbered)
			continue;
		assert_false(s->list[k].fixed);
		s->list[k].ord = arena_strdup(s->keys, s->list[k].ord);
		s->list[k].renumbered = false;
		s->renumbered++;
	}
}

static void
insert(struct siblings *s, size_t at)
{
	struct order_item *i = s->list + at;
	char *key = order_key_between(s->scratch, at == 0 ? "" : i[-1].ord, at == s->n ? "" : i->ord);

	memmove(i + 1, i, (s->n - at) * sizeof(*i));
	*i = (struct order_item){ .id = arena_printf(s->keys, "p%06zu", s->n++),
		.ord = arena_strdup(s->keys, key) };
	if (strlen(key) > ORDER_KEY_LONG && order_key_renumber(s->scratch, s->list, s->n, at))
		keep_dealt(s);
	arena_reset(s->scratch);
}

static void
check_siblings(const struct siblings *s, size_t most)
{
	size_t k;

	for (k = 0; k < s->n; k++) {
		well_formed(s->list[k].ord);
		assert_true(strlen(s->list[k].ord) <= most);
		if (k > 0 && strcmp(s->list[k - 1].ord, s->list[k].ord) >= 0)
			fail_msg("%zu: %s is not before %s", k, s->list[k - 1].ord, s->list[k].ord);
	}
}

/* Index of the next insert: directly before the last one, directly after it, or either at random. */
static size_t
next_to(struct rnd *dice, size_t last, size_t phase)
{
	return phase == 0 ? last : phase == 1 ? last + 1 : last + rnd(dice, 2);
}

/* Inserts at one place among some others, which makes keys longest. */
static void
keys_at_one_place_are_renumbered(void **state)
{
	uint64_t seed, end = seeds(2, &seed);
	struct siblings s;
	struct rnd dice;
	size_t k, at;

	(void)state;
	for (; seed < end; seed++) {
		dice = (struct rnd){ seed };
		siblings_new(&s);
		for (k = 0; k < 20; k++)
			insert(&s, k);
		for (at = 10; k < INSERTS; k++) {
			at = next_to(&dice, at, k / 3000 % 3);
			insert(&s, at);
			if (k % 10000 == 0)
				check_siblings(&s, ORDER_KEY_LONG);
		}
		check_siblings(&s, ORDER_KEY_LONG);
		/* Keys were reassigned, and that wrote few rows per insert. */
		assert_in_range(s.renumbered, INSERTS / 10, INSERTS * 3);
		siblings_free(&s);
	}
}

/* Between two fixed keys of the maximum length. */
static void
keys_fit_between_fixed_ones(void **state)
{
	struct siblings s;
	char *low, *high;
	size_t k;

	(void)state;
	siblings_new(&s);
	low = arena_alloc(s.keys, ORDER_KEY_LONG + 1);
	memset(low, 'V', ORDER_KEY_LONG);
	high = arena_strdup(s.keys, low);
	high[ORDER_KEY_LONG - 1] = 'W';
	s.list[s.n++] = (struct order_item){ .id = "low", .ord = low, .fixed = true };
	s.list[s.n++] = (struct order_item){ .id = "high", .ord = high, .fixed = true };
	for (k = 0; k < 10000; k++)
		insert(&s, 1 + k / 2);
	check_siblings(&s, ORDER_KEY_LONG * 2);
	assert_ptr_equal(s.list[0].ord, low);
	assert_ptr_equal(s.list[s.n - 1].ord, high);
	assert_true(s.renumbered < 10000 * 20);
	siblings_free(&s);
}

/* Parses items such as "a:V b!:k": an id, "!" if the key is fixed, and the key. */
static struct order_item *
items(struct arena *a, const char *text, size_t *n)
{
	struct order_item *list = arena_array(a, 20, sizeof(*list));
	const char *p, *colon;

	for (*n = 0, p = text; *p != '\0'; p += strspn(p, " ")) {
		struct order_item *i = &list[(*n)++];
		colon = strchr(p, ':');
		i->fixed = colon[-1] == '!';
		i->id = arena_strndup(a, p, (size_t)(colon - p) - i->fixed);
		p = colon + 1;
		i->ord = arena_strndup(a, p, strcspn(p, " "));
		p += strcspn(p, " ");
	}
	order_key_sort(list, *n);
	return list;
}

/* Carries `mine` over to `theirs`: the ids of both, each once, must then be in the order `want`. */
static void
carried(const char *mine, const char *theirs, const char *want)
{
	struct arena *a = arena_new(16 << 20);
	size_t n, m, k, i;
	struct order_item *list = items(a, mine, &n), *to = items(a, theirs, &m);
	struct order_item *all = arena_array(a, n + m, sizeof(*all));
	struct buf b;

	order_key_carry(a, list, n, to, m);
	memcpy(all, to, m * sizeof(*all));
	for (k = 0; k < n; k++) {
		for (i = 0; i < m && strcmp(all[i].id, list[k].id) != 0; i++)
			;
		if (i < m && list[k].fixed)
			continue;
		all[i] = list[k];
		m += i == m;
	}
	order_key_sort(all, m);
	buf_init(&b, a, 1000);
	for (k = 0; k < m; k++)
		buf_printf(&b, "%s%s", k == 0 ? "" : " ", all[k].id);
	assert_string_equal(b.p, want);
	arena_free(a);
}

static void
an_order_is_carried_over(void **state)
{
	(void)state;
	carried("", "", "");
	carried("x:V", "", "x");
	/* After the page that it followed before, whatever the keys are now. */
	carried("a!:5 x:6 b!:7", "a:1 b:2", "a x b");
	carried("a!:5 x:6 b!:7 y:8", "a:8 b:9", "a x b y");
	carried("x:1 a!:5", "a:5", "x a");
	carried("a!:5 x:51 y:52 z:53 b!:6", "a:1 n:2 b:3", "a x y z n b");
	/* Pages that were deleted or added on the other side are ignored as neighbours. */
	carried("a!:5 gone!:6 x:7 b!:8", "new:1 a:2 b:3", "new a gone x b");
	/* The other side moved b before a, so x cannot be both after a and before b. */
	carried("a!:5 x:6 b!:7 c!:8", "b:1 a:2 c:3", "x b a c");
	/* This side moved m. */
	carried("m:1 a!:5 b!:6", "a:1 b:2 m:3", "m a b");
	/* Two equal keys on the other side: no key fits between them. */
	carried("a!:5 x:6 b!:7 c!:8", "a:V b:V c:W", "a b x c");
}

/* Between fixed keys so long that new keys would save little, no key is reassigned. */
static void
without_room_no_key_is_renumbered(void **state)
{
	struct arena *a = arena_new(1 << 20);
	char low[ORDER_KEY_LONG + 1] = "";
	struct order_item list[3];
	const char *middle, *high;

	(void)state;
	memset(low, 'V', ORDER_KEY_LONG);
	high = arena_printf(a, "%sV", low);
	middle = between(a, low, high);
	list[0] = (struct order_item){ .id = "a", .ord = low, .fixed = true };
	list[1] = (struct order_item){ .id = "b", .ord = middle };
	list[2] = (struct order_item){ .id = "c", .ord = high, .fixed = true };
	assert_false(order_key_renumber(a, list, 3, 1));
	assert_false(list[1].renumbered);
	assert_string_equal(list[1].ord, middle);
	arena_free(a);
}

/* Keys are reassigned only if the new ones are shorter by at least half of ORDER_KEY_LONG. */
static void
keys_are_renumbered_only_where_they_save(void **state)
{
	enum { MOST = ORDER_KEY_LONG + 1 + ORDER_KEY_LONG / 4, ENOUGH = MOST + ORDER_KEY_LONG / 2 };
	struct arena *a = arena_new(1 << 20);
	char low[ORDER_KEY_LONG + 1] = "", rest[ENOUGH] = "";
	struct order_item list[5] = { { .fixed = true }, { NULL }, { NULL }, { NULL }, { .fixed = true } };

	(void)state;
	memset(low, 'V', ORDER_KEY_LONG);
	memset(rest, '0', ENOUGH - ORDER_KEY_LONG - 3);
	for (int more = 0; more < 2; more++) {
		for (int i = 1; i < 4; i++)
			list[i] = (struct order_item){ .id = "x", .ord = arena_printf(a, "%s1%s%s%d", low, rest, more ? "0" : "", i) };
		list[0].ord = low;
		list[4].ord = arena_printf(a, "%sV", low);
		assert_int_equal(strlen(list[2].ord), ENOUGH - 1 + more);
		assert_true(order_key_renumber(a, list, 5, 2) == more);
		assert_true(list[2].renumbered == more);
	}
	arena_free(a);
}

/* ---- which keys are reassigned, and to what: an approved file ---- */

/* A key of few different digits, usually a long one: as siblings have after many inserts at one place. */
static const char *
some_key(struct arena *a, struct rnd *dice, bool fixed)
{
	char key[ORDER_KEY_LONG * 2];
	/* Fixed keys are shorter than the length at which keys are reassigned. */
	size_t n = rnd(dice, 3) == 0 ? 1 : ORDER_KEY_LONG - 60 + rnd(dice, fixed ? 60 : 90), i;

	memset(key, '0' + (char)rnd(dice, 2), n);
	for (i = rnd(dice, 4); i > 0; i--)
		key[rnd(dice, 8) % n] = (char)('1' + rnd(dice, 4));
	key[n - 1] = '1';
	return arena_strndup(a, key, n);
}

static struct order_item *
some_items(struct arena *a, struct rnd *dice, const char *name, size_t *n)
{
	struct order_item *list;
	size_t i;

	*n = 1 + rnd(dice, 7);
	list = arena_array(a, *n, sizeof(*list));
	for (i = 0; i < *n; i++) {
		list[i] = (struct order_item){ .id = arena_printf(a, "%s%u", name, rnd(dice, 3) == 0 ? 9 : (unsigned)i),
			.fixed = rnd(dice, 3) == 0 };
		list[i].ord = some_key(a, dice, list[i].fixed);
		list[i].avoid = rnd(dice, 4) == 0 ? "V" : NULL;
	}
	order_key_sort(list, *n);
	return list;
}

static void
told(struct approved *r, const struct order_item *list, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		approved_text(r, arena_printf(r->arena, "%s%s%s", list[i].id, list[i].fixed ? "!" : "", list[i].renumbered ? "*" : ""),
		    str_of(list[i].ord));
	}
	buf_str(&r->out, "\n");
}

static void
keys_of_histories_are_as_approved(void **state)
{
	enum { HISTORIES = 120 };
	static const unsigned shown[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 18, 19, 20, 29, 30, 33, 0 };
	struct arena *a = arena_new(64 << 20);
	struct approved r;
	uint64_t seed;

	(void)state;
	approved_begin(&r, a, "Is the order of the list kept where new keys are renumbered (*) or carried over (get), and is no fixed key (!) changed?",
	    shown);
	for (seed = 1; seed <= HISTORIES; seed++) {
		struct rnd dice = { seed };
		size_t n, m, at;
		struct order_item *list = some_items(a, &dice, "", &n), *to = some_items(a, &dice, "", &m);

		approved_history(&r, (unsigned)seed);
		buf_str(&r.out, "list");
		told(&r, list, n);
		for (at = 0; at < n && strlen(list[at].ord) <= ORDER_KEY_LONG; at++)
			;
		if (at < n) {
			buf_printf(&r.out, "%s %s", list[at].id, order_key_renumber(a, list, n, at) ? "renumbered" : "left");
		} else {
			buf_str(&r.out, "  to");
			told(&r, to, m);
			order_key_carry(a, list, n, to, m);
			buf_str(&r.out, " get");
		}
		told(&r, list, n);
	}
	approved_end(&r, "order_key.txt");
	arena_free(a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(keys_of_random_places_stay_short),
	cmocka_unit_test(keys_at_one_end_stay_short),
		cmocka_unit_test(many_keys_fit_between_two), cmocka_unit_test(keys_at_one_place_are_renumbered),
		cmocka_unit_test(keys_fit_between_fixed_ones),
		cmocka_unit_test(without_room_no_key_is_renumbered), cmocka_unit_test(keys_are_renumbered_only_where_they_save),
		cmocka_unit_test(keys_of_histories_are_as_approved),
		cmocka_unit_test(an_order_is_carried_over) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
