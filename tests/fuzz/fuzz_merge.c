/*
 * MODE 1: merges and differences of three texts with NULs between them; 2: merges of three JSON objects; 3: order
 * keys at the places that the bytes choose.
 */
#include <cjson/cJSON.h>
#include <string.h>

#include "base/scan.h"
#include "fuzz.h"
#include "http/req.h"
#include "store/order.h"
#include "text/diff.h"
#include "text/merge_text.h"

#ifndef MODE
#define MODE 1
#endif

static void
must(bool holds)
{
	if (!holds)
		abort();
}

/* The text before the next NUL. */
static struct str
take(struct str *rest)
{
	const char *nul = rest->n == 0 ? NULL : memchr(rest->p, '\0', rest->n);
	struct str part = { rest->p, nul == NULL ? rest->n : (size_t)(nul - rest->p) };

	*rest = str_slice(*rest, nul == NULL ? rest->n : part.n + 1, rest->n);
	return part;
}

/* The texts are equal between two changes, and each change is within both. */
static void
check_diff(struct arena *a, struct str from, struct str to)
{
	struct diff_table *t = diff_table_new(a);
	struct diff_text x = diff_text(a, t, from), y = diff_text(a, t, to);
	size_t n, i, at_x = 0, at_y = 0;
	struct diff_change *list = diff_texts(a, t, &x, &y, &n), end = { x.n, 0, y.n, 0 };
	const struct diff_change *c;
	struct buf b;

	for (i = 0; i <= n; i++) {
		c = i < n ? &list[i] : &end;
		must(c->x >= at_x && c->y >= at_y && c->x - at_x == c->y - at_y && c->x + c->xn <= x.n && c->y + c->yn <= y.n);
		must(str_eq(diff_lines(&x, at_x, c->x), diff_lines(&y, at_y, c->y)));
		at_x = c->x + c->xn;
		at_y = c->y + c->yn;
	}
	buf_init(&b, a, 50 * (from.n + to.n + 10));
	diff_unified(&b, a, "a", "b", from, to, 3);
	must((b.n == 0) == str_eq(from, to));
}

static void
check_merge(struct arena *a, struct str base, struct str ours, struct str theirs)
{
	struct text_conflict *conflicts, *other;
	struct str out, back;
	bool clean = merge_text(a, base, ours, theirs, &out, &conflicts);

	must(clean == (conflicts == NULL));
	must(merge_text(a, base, theirs, ours, &back, &other) == clean);
	must(merge_text(a, base, base, theirs, &out, &conflicts) && str_eq(out, theirs));
	must(merge_text(a, base, ours, base, &out, &conflicts) && str_eq(out, ours));
	must(merge_text(a, base, ours, ours, &out, &conflicts) && str_eq(out, ours));
}

static const char *
object(struct arena *a, struct str text)
{
	bool large;

	return json_scan(a, text, &json_limits_body, &large) == NULL ? arena_strndup(a, text.p, text.n) : NULL;
}

static void
check_objects(struct arena *a, const char *base, const char *ours, const char *theirs)
{
	const char *out, *field, *back;
	bool clean = merge_json(a, base, ours, theirs, &out, &field), large;

	must(json_scan(a, str_of(out), &json_limits_body, &large) == NULL || large);
	must(merge_json(a, base, theirs, ours, &back, &field) == clean);
	must(merge_json(a, base, ours, ours, &out, &field) && merge_json(a, base, base, theirs, &out, &field));
}

/* Each byte is a place among the keys so far. */
static void
check_order(struct arena *a, const uint8_t *data, size_t size)
{
	char **keys = arena_array(a, size + 1, sizeof(*keys));
	size_t n, at;

	for (n = 0; n < size; n++) {
		at = data[n] % (n + 1);
		memmove(keys + at + 1, keys + at, (n - at) * sizeof(*keys));
		keys[at] = order_key_between(a, at == 0 ? "" : keys[at - 1], at == n ? "" : keys[at + 1]);
		must((at == 0 || strcmp(keys[at - 1], keys[at]) < 0) && (at == n || strcmp(keys[at], keys[at + 1]) < 0));
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *a = fuzz_arena();
	struct str rest = { (const char *)data, size }, base, ours, theirs;

	json_arena(a);
	if (MODE == 3 && size <= 1000) {
		check_order(a, data, size);
	} else if (MODE != 3 && size <= 16384) {
		base = take(&rest);
		ours = take(&rest);
		theirs = take(&rest);
		if (MODE == 1) {
			check_diff(a, ours, theirs);
			check_merge(a, base, ours, theirs);
		} else {
			check_objects(a, object(a, base), object(a, ours), object(a, theirs));
		}
	}
	json_arena(NULL);
	arena_free(a);
	return 0;
}
