/*
 * Ids for lines, and steps 1 and 2 of a comparison (text/diff.h): cuts common ends, and drops items
 * without a partner in the other text. Also lists the changes that result.
 */
#include <assert.h>
#include <sodium.h>

#include "text/diff.h"

enum {
	TABLE_ROOM   = 512,   /* items at first; a power of two */
	FREQUENT_MAX = 1024,  /* occurrences that count as frequent in any text */
	LOOK_AROUND  = 100    /* items around a frequent one that decide whether to keep it */
};

struct item {
	struct str bytes;
	uint64_t   hash;
};

struct diff_table {
	struct arena *arena;
	uint32_t     *slots;  /* id + 1, or 0 if free; twice as many as items fit */
	struct item  *items;
	size_t        room;
	uint32_t      n;
	unsigned char key[crypto_shorthash_KEYBYTES];
};

/* The item's slot, or the free slot where it belongs. */
static uint32_t *
find_slot(const struct diff_table *t, uint64_t hash, struct str s)
{
	size_t mask = t->room * 2 - 1, i;
	const struct item *found;

	for (i = (size_t)hash & mask; t->slots[i] != 0; i = (i + 1) & mask) {
		found = &t->items[t->slots[i] - 1];
		if (found->hash == hash && str_eq(found->bytes, s))
			break;
	}
	return &t->slots[i];
}

/* The old arrays stay in the arena: together they are no larger than the new ones. */
static void
grow_table(struct diff_table *t)
{
	struct item *items = arena_array(t->arena, t->room * 2, sizeof(*items));

	memcpy(items, t->items, t->n * sizeof(*items));
	t->items = items;
	t->room *= 2;
	t->slots = arena_array(t->arena, t->room * 2, sizeof(*t->slots));
	for (uint32_t i = 0; i < t->n; i++)
		*find_slot(t, items[i].hash, items[i].bytes) = i + 1;
}

struct diff_table *
diff_table_new(struct arena *a)
{
	struct diff_table *t = arena_alloc(a, sizeof(*t));

	t->arena = a;
	t->room = TABLE_ROOM;
	t->slots = arena_array(a, t->room * 2, sizeof(*t->slots));
	t->items = arena_array(a, t->room, sizeof(*t->items));
	/* The key is secret, so that authors cannot write lines that all hash to one slot. */
	crypto_shorthash_keygen(t->key);
	return t;
}

uint32_t
diff_table_id(struct diff_table *t, struct str s)
{
	uint32_t *at;
	uint64_t hash;

	crypto_shorthash((unsigned char *)&hash, (const unsigned char *)s.p, s.n, t->key);
	at = find_slot(t, hash, s);
	if (*at != 0)
		return *at - 1;
	t->items[t->n] = (struct item){ s, hash };
	*at = ++t->n;
	/* Keep at least half of the slots free, so that every search ends at a free one. */
	if (t->n == t->room)
		grow_table(t);
	return t->n - 1;
}

struct str
diff_table_item(const struct diff_table *t, uint32_t id)
{
	return t->items[id].bytes;
}

size_t
diff_table_count(const struct diff_table *t)
{
	return t->n;
}

/* End of the line that begins at i. */
static size_t
line_end(struct str s, size_t i)
{
	const char *nl = memchr(s.p + i, '\n', s.n - i);

	return nl == NULL ? s.n : (size_t)(nl - s.p) + 1;
}

static size_t
count_lines(struct str text)
{
	size_t i, n = 0;

	for (i = 0; i < text.n; i++)
		n += text.p[i] == '\n';
	/*
	 * A last line without a newline counts. As in git, it differs from the same line with a
	 * newline.
	 */
	return n + (text.n > 0 && text.p[text.n - 1] != '\n');
}

/*
 * The lines point into the text, which must live as long as the table. at[] has one more entry, the
 * end.
 */
struct diff_text
diff_text(struct arena *a, struct diff_table *t, struct str text)
{
	struct diff_text r = { .text = text, .n = count_lines(text) };
	size_t i, at = 0;

	r.at = arena_array(a, r.n + 1, sizeof(*r.at));
	r.id = arena_array(a, r.n, sizeof(*r.id));
	for (i = 0; i < r.n; i++) {
		r.at[i] = at;
		at = line_end(text, at);
		r.id[i] = diff_table_id(t, str_slice(text, r.at[i], at));
	}
	r.at[r.n] = at;
	return r;
}

size_t
diff_root(size_t n)
{
	size_t root = 1;

	/* Two bits of n make one bit of its root. */
	for (; n > 0; n >>= 2)
		root <<= 1;
	return root;
}

/* The ranges of both sequences between their common ends. */
struct trim {
	size_t from, xto, yto;
};

static struct trim
trim_ends(const struct diff_seq *x, const struct diff_seq *y)
{
	struct trim t = { 0, x->n, y->n };

	while (t.from < x->n && t.from < y->n && x->id[t.from] == y->id[t.from])
		t.from++;
	while (t.xto > t.from && t.yto > t.from && x->id[t.xto - 1] == y->id[t.yto - 1]) {
		t.xto--;
		t.yto--;
	}
	return t;
}

/* How often an item occurs in the other text: never, sometimes, very often. */
enum partner { PARTNER_NONE, PARTNER_SOME, PARTNER_MANY };

/*
 * True if the frequent item i should be dropped. kind[from..to) is the run around it without an
 * item of PARTNER_SOME. It is dropped if the run has more than three times as many items without a
 * partner as frequent ones, with some on each side of i. none[k] counts items without a partner
 * before k.
 */
static bool
is_noise(const size_t *none, size_t from, size_t to, size_t i)
{
	size_t lo = i - from > LOOK_AROUND ? i - LOOK_AROUND : from;
	size_t hi = to - i - 1 > LOOK_AROUND ? i + LOOK_AROUND + 1 : to;
	size_t above = none[i] - none[lo], below = none[hi] - none[i + 1];
	size_t frequent = (hi - lo - 1) - above - below;

	return above > 0 && below > 0 && 3 * (frequent + 2) < above + below;
}

/* Keep item i for step 3, or mark it as changed at once. */
static void
keep_or_mark_item(const struct diff_seq *s, struct diff_kept *k, size_t i, bool keep)
{
	if (!keep) {
		s->changed[i] = true;
		return;
	}
	/* 32 bits suffice: diff_myers() refuses longer sequences. */
	k->at[k->n] = (uint32_t)i;
	k->id[k->n++] = s->id[i];
}

/*
 * Step 2 for one side, items [from, to) of s. occurrences[id]: how often an id occurs in the other
 * text.
 */
static struct diff_kept
keep_shared(struct arena *scratch, const struct diff_seq *s, size_t from, size_t to, const uint32_t *occurrences)
{
	struct diff_kept k = { 0, arena_array(scratch, to - from, sizeof(*k.id)),
		arena_array(scratch, to - from, sizeof(*k.at)), s->changed };
	size_t *none = arena_array(scratch, s->n + 1, sizeof(*none));
	unsigned char *kind = arena_alloc(scratch, s->n + 1);
	size_t many = diff_root(s->n), i, start, end;

	/* The threshold grows as the square root of the text's length, up to this limit. */
	if (many > FREQUENT_MAX)
		many = FREQUENT_MAX;
	for (i = from; i < to; i++) {
		kind[i] = occurrences[s->id[i]] == 0 ? PARTNER_NONE
		    : occurrences[s->id[i]] >= many ? PARTNER_MANY : PARTNER_SOME;
		none[i + 1] = none[i] + (kind[i] == PARTNER_NONE);
	}
	/*
	 * Go through the runs between two items of PARTNER_SOME; the item that ends a run is always
	 * kept.
	 */
	for (start = from; start < to; start = end) {
		for (end = start; end < to && kind[end] != PARTNER_SOME; )
			end++;
		for (i = start; i < end; i++)
			keep_or_mark_item(s, &k, i, kind[i] == PARTNER_MANY && !is_noise(none, start, end, i));
		if (end < to)
			keep_or_mark_item(s, &k, end++, true);
	}
	return k;
}

/* Count how often each id occurs in a sequence. */
static uint32_t *
count_ids(struct arena *scratch, const struct diff_seq *s, size_t items)
{
	uint32_t *count = arena_array(scratch, items, sizeof(*count));

	for (size_t i = 0; i < s->n; i++) {
		assert(s->id[i] < items);
		count[s->id[i]]++;
	}
	return count;
}

static void
compare_seqs(struct arena *scratch, struct diff_seq *x, struct diff_seq *y, size_t items)
{
	/* Step 1: the following steps only compare what is between the common ends. */
	struct trim t = trim_ends(x, y);
	struct diff_kept kx, ky;
	int64_t budget = DIFF_BUDGET;

	/* The texts are equal. */
	if (t.from == t.xto && t.from == t.yto)
		return;
	kx = keep_shared(scratch, x, t.from, t.xto, count_ids(scratch, y, items));
	ky = keep_shared(scratch, y, t.from, t.yto, count_ids(scratch, x, items));
	diff_myers(scratch, &kx, &ky, &budget);
	/*
	 * Step 4 has its own budget, because it must run even if step 3 used up all of its:
	 * otherwise the changes would stay where step 3 happened to put them.
	 */
	budget = DIFF_BUDGET;
	diff_slide(x, y, &budget);
	diff_slide(y, x, &budget);
}

/* Store each change in out; with out NULL, only count them. */
static size_t
collect_changes(const struct diff_seq *x, const struct diff_seq *y, struct diff_change *out)
{
	size_t i = 0, j = 0, count = 0;
	struct diff_change c;

	while (i < x->n || j < y->n) {
		c = (struct diff_change){ .x = i, .y = j };
		/* The loop ends: changed[n] is false. */
		while (x->changed[i])
			i++;
		while (y->changed[j])
			j++;
		c.xn = i - c.x;
		c.yn = j - c.y;
		if (c.xn + c.yn > 0 && out != NULL)
			out[count] = c;
		count += c.xn + c.yn > 0;
		i += i < x->n;
		j += j < y->n;
	}
	return count;
}

struct diff_change *
diff_ids(struct arena *a, const uint32_t *x, size_t xn, const uint32_t *y, size_t yn, size_t items,
    size_t *count)
{
	struct arena *scratch = arena_new(SIZE_MAX / 2);
	/*
	 * One more byte at each end, set to false: diff_slide() reads changed[-1] and changed[n].
	 */
	struct diff_seq sx = { xn, x, (bool *)arena_alloc(scratch, xn + 2) + 1 };
	struct diff_seq sy = { yn, y, (bool *)arena_alloc(scratch, yn + 2) + 1 };
	struct diff_change *list;

	compare_seqs(scratch, &sx, &sy, items);
	/* Count first: the list is the only thing that is allocated in the caller's arena. */
	list = arena_array(a, collect_changes(&sx, &sy, NULL), sizeof(*list));
	*count = collect_changes(&sx, &sy, list);
	arena_free(scratch);
	return list;
}

struct diff_change *
diff_texts(struct arena *a, const struct diff_table *t, const struct diff_text *x,
    const struct diff_text *y, size_t *count)
{
	return diff_ids(a, x->id, x->n, y->id, y->n, t->n, count);
}
