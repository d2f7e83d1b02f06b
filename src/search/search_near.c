/*
 * Corrects words that no page has: a letter wrong, two words without their blank, a compound of
 * words that pages write apart ("Rabattcode" for "Rabatte"), another ending. Every possible
 * correction is looked up, some hundreds per word: the cost does not depend on the number of words
 * in the space.
 */
#include "search_parts.h"
#include "base/utf8.h"

/*
 * LETTERS: maximum letters of a word. LEAST_LETTERS, LEAST_HALF, LEAST_PART: shorter words, words of a
 * pair and parts of a compound are not looked for, since nearly every change gives some word.
 * ENOUGH_PAGES: counting stops here, since it only separates common words from rare ones.
 */
enum { LETTERS = WORD_MAX + 1, LEAST_LETTERS = 4, LEAST_HALF = 3, LEAST_PART = 4, ENOUGH_PAGES = 50 };

/*
 * Weights of a corrected word's hit. Another ending is a weaker guess, and part of a compound is
 * only half of its meaning.
 */
static const double WEIGHT_EDIT = 0.95, WEIGHT_ENDING = 0.6, WEIGHT_PART = 0.6;

/* Letters that may be missing or wrong, by script. */
static const struct { uint32_t from, to; } alphabets[] = {
	{ 'a', 'z' }, { 0x430, 0x44F }, { 0x3B1, 0x3C9 }
};

/* A word as characters: edits replace or drop letters, not bytes. */
struct letters {
	uint32_t c[LETTERS];
	size_t   n;
};

struct near_search {
	struct db          *db;
	struct arena       *arena;
	struct query_group *group;
	const char         *scopes;
	struct letters      word;
	int64_t             rows[ALTS];  /* pages that have each alternative found so far */
};

/* An invalid byte counts as one letter; the tokenizer produces no such bytes. */
static void
read_letters(struct letters *l, struct str s)
{
	size_t step;

	for (l->n = 0; s.n > 0 && l->n < LETTERS; s = str_slice(s, step, s.n))
		if ((step = utf8_next(s, &l->c[l->n++])) == 0)
			step = 1;
}

/*
 * Number of entries with the word (open: with a word that begins with it), at most ENOUGH_PAGES.
 * Includes entries that the search will leave out, since this is only an estimate.
 */
static int64_t
pages_with(struct near_search *l, struct str word, bool open)
{
	struct stmt *q;
	int64_t n = 0;
	struct buf b;

	buf_init(&b, l->arena, 256);
	buf_char(&b, '"');
	search_scope(&b, l->scopes, SCOPE_WORD);
	buf_put(&b, word);
	buf_str(&b, open ? "\" *" : "\"");
	q = fulltext_match(l->db, b.p, NULL);
	while (n < ENOUGH_PAGES && stmt_step(q))
		n++;
	return n;
}

/* Keep the alternatives that most pages have. */
static void
keep_alternative(struct near_search *l, struct str word, int64_t rows)
{
	struct query_group *g = l->group;
	size_t i, k;

	for (i = 0; i < g->alt_count && l->rows[i] >= rows; i++)
		if (str_eq(word, (struct str){ g->alts[i].words[0].text, g->alts[i].words[0].n }))
			return;
	if (i == ALTS)
		return;
	if (g->alt_count < ALTS)
		g->alt_count++;
	for (k = g->alt_count - 1; k > i; k--) {
		g->alts[k] = g->alts[k - 1];
		l->rows[k] = l->rows[k - 1];
	}
	g->alts[i] = (struct query_alt){ .count = 1, .weight = WEIGHT_EDIT };
	memcpy(g->alts[i].words[0].text, word.p, g->alts[i].words[0].n = word.n);
	l->rows[i] = rows;
}

/*
 * Try the word made of the letters before `at`, c and d (0: none), and the letters from `rest` on.
 */
static void
try_word(struct near_search *l, size_t at, uint32_t c, uint32_t d, size_t rest)
{
	const struct letters *w = &l->word;
	struct buf b;
	int64_t rows;
	size_t i;

	buf_init(&b, l->arena, WORD_MAX * 8);
	for (i = 0; i < at; i++)
		buf_utf8(&b, w->c[i]);
	if (c != 0)
		buf_utf8(&b, c);
	if (d != 0)
		buf_utf8(&b, d);
	for (i = rest; i < w->n; i++)
		buf_utf8(&b, w->c[i]);
	if (b.n <= WORD_MAX && (rows = pages_with(l, buf_view(&b), false)) > 0)
		keep_alternative(l, buf_view(&b), rows);
}

/* Try inserting, replacing and deleting a letter at i, and swapping it with the next. */
static void
try_edits_at(struct near_search *l, size_t i, uint32_t from, uint32_t to)
{
	const struct letters *w = &l->word;
	uint32_t c;

	for (c = from; c <= to; c++) {
		try_word(l, i, c, 0, i);
		if (i < w->n && c != w->c[i])
			try_word(l, i, c, 0, i + 1);
	}
	if (i < w->n)
		try_word(l, i, 0, 0, i + 1);
	if (i + 1 < w->n && w->c[i] != w->c[i + 1])
		try_word(l, i, w->c[i + 1], w->c[i], i + 2);
}

/*
 * Try all words at an edit distance of one (Damerau-Levenshtein) by generating them: scanning the
 * vocabulary would cost more in a larger space.
 */
static void
try_edits(struct near_search *l)
{
	const struct letters *w = &l->word;
	uint32_t from = alphabets[0].from, to = alphabets[0].to;
	size_t i, k;

	for (i = 0; i < w->n; i++)
		for (k = 1; k < sizeof(alphabets) / sizeof(alphabets[0]); k++)
			if (w->c[i] >= alphabets[k].from && w->c[i] <= alphabets[k].to) {
				from = alphabets[k].from;
				to = alphabets[k].to;
			}
	for (i = 1; i <= w->n; i++)
		try_edits_at(l, i, from, to);
	/* The first letter is rarely wrong. */
	if (l->group->alt_count == 0)
		try_edits_at(l, 0, from, to);
}

/*
 * Length of the first half of a compound in the first `n` bytes, without a joining "s" if needed.
 */
static size_t
first_half(struct near_search *l, size_t n, int64_t *rows)
{
	struct str word = { l->group->parts[0].word.text, n };

	*rows = pages_with(l, word, true);
	if (*rows > 0 || word.p[n - 1] != 's')
		return n;
	*rows = pages_with(l, str_slice(word, 0, n - 1), true);
	return n - 1;
}

/*
 * Where to cut the word into two halves of at least this many letters, so that most pages have
 * both; 0: nowhere. open: halves may be beginnings, as in compounds. *left: bytes of the first
 * half.
 */
static size_t
best_cut(struct near_search *l, size_t least, bool open, size_t *left)
{
	const struct query_word *w = &l->group->parts[0].word;
	struct str word = { w->text, w->n };
	int64_t best = 0, rows, right;
	size_t i, letters, before, n, cut = 0;

	for (i = 0, letters = 0; i < w->n; i++) {
		if (((unsigned char)w->text[i] & 0xC0) == 0x80)
			continue;
		before = letters++;
		if (before < least || l->word.n < before + least)
			continue;
		n = i;
		if (open)
			n = first_half(l, i, &rows);
		else
			rows = pages_with(l, str_slice(word, 0, i), false);
		right = rows == 0 ? 0 : pages_with(l, str_slice(word, i, w->n), open);
		/* The rarer half decides: "a" + "nything" must not win by its common half. */
		rows = rows < right ? rows : right;
		if (rows <= best)
			continue;
		best = rows;
		cut = i;
		*left = n;
	}
	return cut;
}

/* Find "star tree" for "startree". */
static void
split_words(struct near_search *l)
{
	const struct query_word *w = &l->group->parts[0].word;
	struct query_alt alt = { .count = 2, .weight = WEIGHT_EDIT };
	size_t left, cut = best_cut(l, LEAST_HALF, false, &left);

	if (cut == 0)
		return;
	memcpy(alt.words[0].text, w->text, alt.words[0].n = left);
	memcpy(alt.words[1].text, w->text + cut, alt.words[1].n = w->n - cut);
	l->group->alts[l->group->alt_count++] = alt;
}

/*
 * Find the parts of a compound: "Rabattcode" where pages have "Rabatte". Either half may be the
 * beginning of a word, which covers inflections.
 */
static void
split_compound(struct near_search *l)
{
	const struct query_word *w = &l->group->parts[0].word;
	struct query_alt left = { .count = 1, .weight = WEIGHT_PART, .open = true }, right = left;
	size_t first, cut = best_cut(l, LEAST_PART, true, &first);

	if (cut == 0)
		return;
	memcpy(left.words[0].text, w->text, left.words[0].n = first);
	memcpy(right.words[0].text, w->text + cut, right.words[0].n = w->n - cut);
	l->group->alts[l->group->alt_count++] = left;
	l->group->alts[l->group->alt_count++] = right;
}

/*
 * Try another ending in any language: the word without its last two letters, or three of a long
 * word.
 */
static void
try_other_ending(struct near_search *l)
{
	const struct query_word *w = &l->group->parts[0].word;
	struct query_alt alt = { .count = 1, .weight = WEIGHT_ENDING, .open = true };
	size_t n = w->n, cut;

	if (l->word.n < 6)
		return;
	for (cut = l->word.n < 9 ? 2 : 3; cut > 0; cut--)
		do
			n--;
		/* Step over whole characters: a cut within one would be invalid UTF-8. */
		while (((unsigned char)w->text[n] & 0xC0) == 0x80);
	memcpy(alt.words[0].text, w->text, alt.words[0].n = n);
	l->group->alts[l->group->alt_count++] = alt;
}

/* A separate arena bounds the memory of hundreds of lookups; it ends with the query's. */
bool
query_correct(struct db *db, struct arena *a, struct query_group *g, bool compounds, const char *scopes)
{
	struct near_search l = { .db = db, .group = g, .scopes = scopes,
		.arena = arena_within(a, 16 << 20) };

	if (g->count != 1 || g->pair)
		return false;
	read_letters(&l.word, (struct str){ g->parts[0].word.text, g->parts[0].word.n });
	if (l.word.n < LEAST_LETTERS)
		return false;
	/*
	 * No page has the word's alternatives either (otherwise nothing would be corrected), so
	 * their slots are used again.
	 */
	g->alt_count = 0;
	try_edits(&l);
	if (g->alt_count == 0) {
		split_words(&l);
		if (compounds)
			split_compound(&l);
	}
	if (g->alt_count == 0)
		try_other_ending(&l);
	return g->alt_count > 0;
}
