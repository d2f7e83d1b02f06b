/*
 * Finds for each block of the new body the block of the old one that it continues. Blocks whose
 * source is equal are anchors. Between two anchors the blocks are matched in order, so that the sum
 * of their similarities is as large as possible. Of what is left, one old and one new block are
 * matched if they are the only ones of a gap and have the same type: a heading of one word, or a
 * paragraph that was written anew.
 *
 * Anchors are found by source and not by key: the number in the key of a repeated block changes
 * when an equal block is inserted above it; its source does not.
 *
 * The similarity of two blocks is the share of words that both have (Dice's coefficient), in
 * thousandths, and more if their types are equal. Of long blocks a sample is compared, the words
 * with the smallest hashes. In long gaps only pairs near the diagonal are compared.
 */
#include <stdlib.h>

#include "markdown/blocks.h"
#include "text/diff.h"
#include "text/merge_text.h"
#include "base/sort.h"
#include "base/utf8.h"

enum {
	SAMPLE    = 128,     /* compared words per block */
	LIKE_MIN  = 450,     /* less similar blocks do not match: common words alone give nearly 300 */
	LIKE_TYPE = 150,     /* added for an equal type */
	PAIRS_MAX = 40000,   /* pairs compared in a gap; above it, only near the diagonal */
	NEAR_MIN  = 8,       /* least distance from the diagonal that is compared */
	CJK       = 0x2E80   /* from this code point on, each character is a word */
};

/*
 * The words of one block as a bottom-k sketch: the SAMPLE smallest distinct hashes. Equal words
 * have equal hashes, so sketches of different blocks are comparable: up to the smaller of the two
 * horizons (largest hashes), a word is in both samples or in neither. Filled at first use, since
 * most blocks are matched by their source.
 */
struct words {
	uint32_t *hash;  /* rising, without duplicates */
	size_t    n;     /* at most SAMPLE */
	/*
	 * The block has more than SAMPLE distinct words: hashes above hash[n - 1] are not in the
	 * sample.
	 */
	bool      partial;
	bool      done;
};

/*
 * State of one align_blocks() call. scratch is freed with the call, result is in the caller's
 * arena.
 */
struct align {
	struct arena           *scratch;
	const struct doc_block *old, *now;
	struct words           *old_words, *now_words;
	ptrdiff_t              *result;
	bool                    guess;        /* the only two blocks left between two pairs may be matched (pair_leftover()) */
};

/* A gap: the blocks of both sides between two anchors. */
struct gap {
	size_t x0, x1, y0, y1;
};

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static struct str
trim_blanks(struct str s)
{
	while (s.n > 0 && is_blank(s.p[0]))
		s = str_slice(s, 1, s.n);
	while (s.n > 0 && is_blank(s.p[s.n - 1]))
		s.n--;
	return s;
}

/*
 * All bytes of characters with several bytes count as letters, so that words of any script are
 * found without tables. Punctuation outside of ASCII then becomes part of words, which only lowers
 * similarities.
 */
static bool
is_word_byte(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80) != 0;
}

/*
 * Returns the next word from *at on: a run of letters and digits, or one CJK character; n = 0 at
 * the end.
 */
static struct str
next_word(struct str s, size_t *at)
{
	size_t from, i = *at, n = 0;
	uint32_t cp;

	while (i < s.n && !is_word_byte(s.p[i]))
		i++;
	/*
	 * Chinese and Japanese put no blanks between words. A whole sentence would be one word, and
	 * a single changed character would make two sentences completely different.
	 */
	for (from = i; i < s.n && is_word_byte(s.p[i]); i += n) {
		cp = 0;
		n = utf8_next(str_slice(s, i, s.n), &cp);
		/* Bodies may hold invalid UTF-8; the scan must advance past it. */
		n = n == 0 ? 1 : n;
		if (cp >= CJK)
			break;
	}
	if (i == from && i < s.n)
		i += n;
	*at = i;
	return str_slice(s, from, i);
}

/* FNV-1a with a final mix, so that the smallest hashes are an unbiased sample. */
static uint32_t
hash_word(struct str s)
{
	uint64_t h = 0xCBF29CE484222325u;

	for (size_t i = 0; i < s.n; i++)
		h = (h ^ (unsigned char)s.p[i]) * 0x100000001B3u;
	h = (h ^ h >> 32) * 0x9E3779B97F4A7C15u;
	return (uint32_t)(h >> 32);
}

static int
by_value(const void *x, const void *y)
{
	const uint32_t *a = x, *b = y;

	return (*a > *b) - (*a < *b);
}

/* Fills w with the words of the source, unless that is done already. */
static const struct words *
sample_words(struct arena *a, struct words *w, struct str source)
{
	size_t at = 0, n = 0, unique = 0;
	uint32_t *list;

	if (w->done)
		return w;
	while (next_word(source, &at).n > 0)
		n++;
	/*
	 * Count first and hash in a second pass: for a block of a megabyte, a growing list would
	 * leave several outgrown copies in the arena.
	 */
	list = arena_array(a, n, sizeof(*list));
	for (size_t i = at = 0; i < n; i++)
		list[i] = hash_word(next_word(source, &at));
	sort_list(list, n, sizeof(*list), by_value);
	for (size_t i = 0; i < n; i++)
		if (i == 0 || list[i] != list[i - 1])
			list[unique++] = list[i];
	w->hash = list;
	/* The list is sorted, so its beginning is the sample. */
	w->n = unique < SAMPLE ? unique : SAMPLE;
	w->partial = unique > SAMPLE;
	w->done = true;
	return w;
}

/* Returns the horizon: above this hash the samples are not comparable. */
static uint32_t
common_limit(const struct words *x, const struct words *y)
{
	uint32_t h = UINT32_MAX;

	/*
	 * A complete set holds all words and has no horizon. Of two samples the lower horizon
	 * counts: above it, a word that one side lacks may have been cut off there.
	 */
	if (x->partial)
		h = x->hash[x->n - 1];
	if (y->partial && y->hash[y->n - 1] < h)
		h = y->hash[y->n - 1];
	return h;
}

/* Returns twice the shared words divided by the words of both, in thousandths. */
static unsigned
shared_words(const struct words *x, const struct words *y)
{
	uint32_t limit = common_limit(x, y);
	size_t i = 0, j = 0, both = 0, all = 0;

	/*
	 * Merges two rising lists. A shared word advances both and counts twice in all, which is
	 * the denominator of Dice's coefficient.
	 */
	while ((i < x->n && x->hash[i] <= limit) || (j < y->n && y->hash[j] <= limit)) {
		bool left = i < x->n && (j == y->n || x->hash[i] <= y->hash[j]);
		bool right = j < y->n && (i == x->n || y->hash[j] <= x->hash[i]);

		i += left;
		j += right;
		all += (size_t)left + right;
		both += left && right;
	}
	return all == 0 ? 0 : (unsigned)(2000 * both / all);
}

/* Returns the likeness of x and y; 0 if they are different blocks. */
static unsigned
pair_likeness(struct align *al, size_t x, size_t y)
{
	const struct words *p = sample_words(al->scratch, &al->old_words[x], al->old[x].source);
	const struct words *q = sample_words(al->scratch, &al->now_words[y], al->now[y].source);
	unsigned like = shared_words(p, q);

	/*
	 * Blocks without a common word are never similar, whatever their types: two dividers, or
	 * two images without text, are matched by source or position.
	 */
	if (like > 0 && strcmp(al->old[x].type, al->now[y].type) == 0)
		like += LIKE_TYPE;
	return like < LIKE_MIN ? 0 : like;
}

/* A pair of similar blocks, and the best chain of pairs that ends with it. */
struct pair {
	size_t       x, y;
	uint64_t     sum;
	struct pair *before;
};

/*
 * Returns the best chain that ends before old block x: a Fenwick tree of maxima, with indexes from
 * 1.
 */
static struct pair *
best_before(struct pair *const *tree, size_t x)
{
	struct pair *best = NULL;

	for (; x > 0; x -= x & -x)
		if (tree[x] != NULL && (best == NULL || tree[x]->sum > best->sum))
			best = tree[x];
	return best;
}

/*
 * x counts from 0 here, from the beginning of the gap. A tree of maxima never has to undo an
 * update, since chains only get better.
 */
static void
raise_maximum(struct pair **tree, size_t size, struct pair *p, size_t x)
{
	for (x++; x <= size; x += x & -x)
		if (tree[x] == NULL || p->sum > tree[x]->sum)
			tree[x] = p;
}

/* Returns the chain of pairs, rising on both sides, with the largest sum of likenesses. */
static struct pair *
best_chain(struct align *al, const struct gap *g)
{
	size_t nx = g->x1 - g->x0, ny = g->y1 - g->y0, reach = nx, count = 0, first, x, end;
	struct pair **tree = arena_array(al->scratch, nx + 1, sizeof(struct pair *)), *pairs;
	unsigned like;

	if (nx > PAIRS_MAX / ny)
		reach = PAIRS_MAX / ny / 2 < NEAR_MIN ? NEAR_MIN : PAIRS_MAX / ny / 2;
	pairs = arena_array(al->scratch, ny * (2 * reach + 1 < nx ? 2 * reach + 1 : nx), sizeof(*pairs));
	for (size_t y = 0; y < ny; y++) {
		/* Products of block counts are far below the range of size_t. */
		x = y * nx / ny;
		end = x + reach + 1 < nx ? x + reach + 1 : nx;
		first = count;
		for (x = x < reach ? 0 : x - reach; x < end; x++) {
			like = pair_likeness(al, g->x0 + x, g->y0 + y);
			if (like == 0)
				continue;
			pairs[count] = (struct pair){ g->x0 + x, g->y0 + y, like, best_before(tree, x) };
			pairs[count].sum += pairs[count].before == NULL ? 0 : pairs[count].before->sum;
			count++;
		}
		/*
		 * Insert the pairs of this new block only after all lookups for it: otherwise two
		 * old blocks could be chained to one new block.
		 */
		for (; first < count; first++)
			raise_maximum(tree, nx, &pairs[first], pairs[first].x - g->x0);
	}
	return best_before(tree, nx);
}

/*
 * Matches the blocks between two pairs of the chain: one old and one new block of the same type, if
 * they are the only ones.
 */
static void
pair_leftover(struct align *al, size_t x0, size_t x1, size_t y0, size_t y1)
{
	if (al->guess && x1 - x0 == 1 && y1 - y0 == 1 && strcmp(al->old[x0].type, al->now[y0].type) == 0)
		al->result[y0] = (ptrdiff_t)x0;
}

static void
fill_gap(struct align *al, const struct gap *g)
{
	size_t x = g->x1, y = g->y1;
	struct pair *p;

	if (g->x0 == g->x1 || g->y0 == g->y1)
		return;
	/*
	 * The chain is linked backwards from its last pair, so the loop goes from the end of the
	 * gap to its beginning.
	 */
	for (p = best_chain(al, g); p != NULL; p = p->before) {
		pair_leftover(al, p->x + 1, x, p->y + 1, y);
		al->result[p->y] = (ptrdiff_t)p->x;
		x = p->x;
		y = p->y;
	}
	pair_leftover(al, g->x0, x, g->y0, y);
}

/*
 * Gives equal sources equal numbers, from a table that both sides share. Blank lines belong to the
 * block before them (doc_blocks): trimming keeps a block equal when its distance to the next one
 * changes.
 */
static uint32_t *
number_sources(struct arena *a, struct diff_table *t, const struct doc_block *b, size_t n)
{
	uint32_t *id = arena_array(a, n, sizeof(*id));

	for (size_t i = 0; i < n; i++)
		id[i] = diff_table_id(t, trim_blanks(b[i].source));
	return id;
}

/* Common part of both public functions. guess: pair_leftover() may match by position. */
static ptrdiff_t *
align_blocks(struct arena *a, const struct doc_block *old, size_t n, const struct doc_block *new_blocks,
    size_t m, bool guess)
{
	/*
	 * The scratch arena is not part of the caller's, because the words of long pages take many
	 * times the memory of the result.
	 */
	struct arena *scratch = arena_new(SIZE_MAX / 2);
	struct align al = { scratch, old, new_blocks, arena_array(scratch, n, sizeof(struct words)),
		arena_array(scratch, m, sizeof(struct words)), arena_array(a, m, sizeof(ptrdiff_t)), guess };
	struct diff_table *t = diff_table_new(scratch);
	uint32_t *x = number_sources(scratch, t, old, n), *y = number_sources(scratch, t, new_blocks, m);
	struct diff_change *c;
	size_t count, i, at = 0;

	/*
	 * Both sides share one table, so there are at most n + m ids. When the diff exceeds its
	 * budget of steps, the rest counts as changed and is matched by likeness.
	 */
	c = diff_ids(scratch, x, n, y, m, n + m, &count);
	for (i = 0; i <= count; i++) {
		/*
		 * Up to the next change the blocks are equal one to one, at the same distance
		 * before it on both sides.
		 */
		for (; at < (i < count ? c[i].y : m); at++)
			al.result[at] = (ptrdiff_t)(i < count ? c[i].x - (c[i].y - at) : n - (m - at));
		for (; i < count && at < c[i].y + c[i].yn; at++)
			al.result[at] = -1;
	}
	for (i = 0; i < count; i++)
		fill_gap(&al, &(struct gap){ c[i].x, c[i].x + c[i].xn, c[i].y, c[i].y + c[i].yn });
	arena_free(scratch);
	return al.result;
}

ptrdiff_t *
block_align(struct arena *a, const struct doc_block *old, size_t n,
    const struct doc_block *new_blocks, size_t m)
{
	return align_blocks(a, old, n, new_blocks, m, true);
}

ptrdiff_t *
block_align_like(struct arena *a, const struct doc_block *old, size_t n,
    const struct doc_block *new_blocks, size_t m)
{
	return align_blocks(a, old, n, new_blocks, m, false);
}
