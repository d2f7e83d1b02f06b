/*
 * Order keys: one or many keys between two, renumbering, and carrying keys over to another era.
 * Contract: store/order.h.
 */
#include <stdlib.h>

#include "base/map.h"
#include "base/panic.h"
#include "store/order.h"
#include "base/sort.h"

static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

enum { BASE = 62 };

/* A character that is no digit counts as 0, so that even a damaged key has an order. */
static int
digit_value(char c)
{
	const char *p = strchr(digits, c);

	return c == '\0' || p == NULL ? 0 : (int)(p - digits);
}

/*
 * Past its end, `before` continues with zeros, and `after` sets no limit. So the loop ends at the
 * latest one digit after the longer key. The result never ends in '0'.
 */
char *
order_key_between(struct arena *a, const char *before, const char *after)
{
	size_t below = strlen(before), above = strlen(after), i;
	bool open = above == 0;   /* there is no upper bound any more */
	struct buf b;
	int lo, hi;

	buf_init(&b, a, below + above + 2);
	for (i = 0;; i++) {
		lo = i < below ? digit_value(before[i]) : 0;
		hi = open ? BASE : i < above ? digit_value(after[i]) : 0;
		if (!open && lo == hi) {
			if (i > above)
				panic("order keys: \"%s\" is not before \"%s\"", before, after);
			buf_char(&b, digits[lo]);
			continue;
		}
		if (hi - lo > 1) {
			/*
			 * Without a limit above, pages are appended one after the other: small
			 * steps keep their keys short.
			 */
			buf_char(&b, digits[open && i + 1 == below ? lo + 1 : lo + (hi - lo) / 2]);
			return b.p;
		}
		/*
		 * There is no digit in between: keep the lower one. The rest then only has to be
		 * greater than the rest of `before`.
		 */
		buf_char(&b, digits[lo]);
		open = true;
	}
}

/* Bisects, so that the length grows with the logarithm of the number of keys. */
static void
fill_keys(struct arena *a, char **keys, size_t from, size_t to, const char *lo, const char *hi)
{
	size_t mid = from + (to - from) / 2;

	if (from >= to)
		return;
	keys[mid] = order_key_between(a, lo, hi);
	fill_keys(a, keys, from, mid, lo, keys[mid]);
	fill_keys(a, keys, mid + 1, to, keys[mid], hi);
}

char **
order_key_fill(struct arena *a, const char *before, const char *after, size_t n)
{
	char **keys = arena_array(a, n, sizeof(*keys));

	fill_keys(a, keys, 0, n, before, after);
	return keys;
}

void
order_key_rising(struct arena *a, const char *const *keys, size_t n, bool *keep)
{
	size_t *top = arena_array(a, n, sizeof(*top)), *before = arena_array(a, n, sizeof(*before));
	size_t len = 0, k, lo, hi, mid;

	/* Patience sorting. */
	for (k = 0; k < n; k++) {
		if (keys[k] == NULL)
			continue;
		for (lo = 0, hi = len; lo < hi;) {
			mid = lo + (hi - lo) / 2;
			if (strcmp(keys[top[mid]], keys[k]) < 0)
				lo = mid + 1;
			else
				hi = mid;
		}
		/*
		 * top[i] is the end of the best run of i + 1 keys, before[k] the predecessor of
		 * k in its run: O(n log n).
		 */
		before[k] = lo > 0 ? top[lo - 1] : k;
		top[lo] = k;
		if (lo == len)
			len++;
	}
	memset(keep, 0, n * sizeof(*keep));
	for (k = len > 0 ? top[len - 1] : 0; len > 0; len--, k = before[k])
		keep[k] = true;
}

/* ---- renumbering ---- */

/* "" before the first item: no lower bound, as order_key_between() takes it. */
static const char *
key_before(const struct order_item *list, size_t i)
{
	return i == 0 ? "" : list[i - 1].ord;
}

/* Returns the key of item i; "" after the last item, which means no upper bound. */
static const char *
read_key(const struct order_item *list, size_t n, size_t i)
{
	return i == n ? "" : list[i].ord;
}

/*
 * Extends the range by its own length on both sides, up to the next fixed items. False: it cannot
 * be extended.
 */
static bool
widen_range(const struct order_item *list, size_t n, size_t *from, size_t *to)
{
	size_t step = *to - *from, k;
	bool more = false;

	for (k = 0; k < step && *from > 0 && !list[*from - 1].fixed; k++, more = true)
		--*from;
	for (k = 0; k < step && *to < n && !list[*to].fixed; k++, more = true)
		++*to;
	return more;
}

/* Another key at the same place, different from the one to avoid. */
static char *
avoid_key(struct arena *a, const char *avoid, char *key, const char *hi)
{
	return avoid != NULL && strcmp(key, avoid) == 0 ? order_key_between(a, key, hi) : key;
}

/*
 * Assigns new keys to list[from..to). False, and nothing is changed, if one would be longer than
 * `most`.
 */
static bool
renumber_range(struct arena *a, struct order_item *list, size_t n, size_t from, size_t to, size_t most)
{
	const char *lo = key_before(list, from), *hi = read_key(list, n, to);
	char **keys;
	size_t k;

	/* One key between the limits shows how short the keys can become. */
	if ((*hi != '\0' && strcmp(lo, hi) >= 0) || strlen(order_key_between(a, lo, hi)) > most)
		return false;
	keys = order_key_fill(a, lo, hi, to - from);
	for (k = to - from; k-- > 0; hi = keys[k]) {
		keys[k] = avoid_key(a, list[from + k].avoid, keys[k], hi);
		if (strlen(keys[k]) > most)
			return false;
	}
	for (k = from; k < to; k++) {
		if (strcmp(list[k].ord, keys[k - from]) == 0)
			continue;
		list[k].ord = keys[k - from];
		/* Marks only keys that really changed: each new key is a row to write. */
		list[k].renumbered = true;
	}
	return true;
}

bool
order_key_renumber(struct arena *a, struct order_item *list, size_t n, size_t at)
{
	size_t from = at, to = at + 1, most;

	while (from > 0 && !list[from - 1].fixed)
		from--;
	while (to < n && !list[to].fixed)
		to++;
	/*
	 * The length of keys if everything between the fixed items were renumbered. If that is
	 * short enough, the smallest range with about the same result is renumbered.
	 */
	most = strlen(order_key_between(a, key_before(list, from), read_key(list, n, to))) + ORDER_KEY_LONG / 4;
	if (most < ORDER_KEY_LONG / 2)
		most = ORDER_KEY_LONG / 2;
	/* The fixed items leave too little room: shorter keys would not be worth the rows. */
	if (most + ORDER_KEY_LONG / 2 > strlen(list[at].ord))
		return false;
	for (from = at, to = at + 1; widen_range(list, n, &from, &to);)
		if (renumber_range(a, list, n, from, to, most))
			return true;
	return false;
}

/* ---- carrying keys over to another era ---- */

static int
compare_places(const void *x, const void *y)
{
	const struct order_item *a = x, *b = y;
	int c = strcmp(a->ord, b->ord);

	return c != 0 ? c : strcmp(a->id, b->id);
}

void
order_key_sort(struct order_item *list, size_t n)
{
	sort_list(list, n, sizeof(*list), compare_places);
}

/* Key and id as one text, for comparing. The blank between them sorts before every digit of a key. */
static const char *
place_text(struct arena *a, const struct order_item *i)
{
	return arena_printf(a, "%s %s", i->ord, i->id);
}

static struct map *
map_by_id(struct arena *a, struct order_item *list, size_t n)
{
	struct map *map = map_new(a);
	size_t k;

	for (k = 0; k < n; k++)
		map_add(map, str_of(list[k].id), &list[k]);
	return map;
}

/* The first key greater than lo; "": there is none. */
static const char *
next_key(const struct order_item *list, size_t n, const char *lo)
{
	size_t from = 0, to = n, mid;

	while (from < to) {
		mid = from + (to - from) / 2;
		if (strcmp(list[mid].ord, lo) <= 0)
			from = mid + 1;
		else
			to = mid;
	}
	return read_key(list, n, from);
}

void
order_key_carry(struct arena *a, struct order_item *list, size_t n, struct order_item *to, size_t m)
{
	struct map *there = map_by_id(a, to, m);
	const char **keys = arena_array(a, n, sizeof(*keys)), *lo = "", *hi;
	bool *keep = arena_array(a, n, sizeof(*keep));
	const struct order_item *same, **frame = arena_array(a, n, sizeof(*frame));
	char **renumbered;
	size_t i, k, end;

	for (k = 0; k < n; k++) {
		same = list[k].fixed ? map_get(there, str_of(list[k].id)) : NULL;
		/* NULL: the item is not fixed, or is missing in the other list. */
		frame[k] = same;
		keys[k] = same == NULL ? NULL : place_text(a, same);
	}
	/*
	 * The frame is the largest set of siblings that both lists have in the same order. Pages
	 * that one side moved are placed between them.
	 */
	order_key_rising(a, keys, n, keep);
	for (k = 0; k < n; k = end) {
		for (end = k; end < n && !keep[end]; end++)
			;
		/* The keys come right after the sibling that these items followed before. */
		hi = next_key(to, m, lo);
		renumbered = order_key_fill(a, lo, hi, end - k);
		for (i = end; i-- > k; hi = list[i].ord)
			list[i].ord = avoid_key(a, list[i].avoid, renumbered[i - k], hi);
		if (end < n) {
			lo = list[end].ord = frame[end]->ord;
			end++;
		}
	}
}
