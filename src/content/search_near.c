/*
 * Words that nobody wrote are perhaps others: a letter off, two words without
 * the blank between them, or another ending of a word.
 */
#include "search_parts.h"
#include "utf8.h"

enum { LETTERS = WORD_MAX + 1, LEAST_LETTERS = 4, LEAST_HALF = 3 };

static const double NEARLY = 0.95, ENDING = 0.6;

SQL(q_terms, "SELECT term, doc FROM search_term WHERE term >= :from AND term < :to");
SQL(q_term, "SELECT doc FROM search_term WHERE term = :term");

/* A word's characters: letters are exchanged and lost, not bytes. */
struct letters {
	uint32_t c[LETTERS];
	size_t   n;
};

static void
read_letters(struct letters *l, struct str s)
{
	size_t step;

	for (l->n = 0; s.n > 0 && l->n < LETTERS; s = str_slice(s, step, s.n))
		if ((step = utf8_next(s, &l->c[l->n++])) == 0)
			step = 1;
}

/* One letter added, left out, replaced, or two neighbours exchanged. */
static bool
is_near(const struct letters *a, const struct letters *b)
{
	size_t i = 0, tail = 0, x, y;

	if (a->n > b->n + 1 || b->n > a->n + 1)
		return false;
	while (i < a->n && i < b->n && a->c[i] == b->c[i])
		i++;
	while (tail < a->n - i && tail < b->n - i && a->c[a->n - 1 - tail] == b->c[b->n - 1 - tail])
		tail++;
	x = a->n - tail - i;
	y = b->n - tail - i;
	if (x <= 1 && y <= 1)
		return true;
	return x == 2 && y == 2 && a->c[i] == b->c[i + 1] && a->c[i + 1] == b->c[i];
}

/* Keeps the ones that most pages hold. */
static void
take_near(struct query_group *g, int64_t *rows, struct str term, int64_t n)
{
	size_t i, k;

	if (term.n > WORD_MAX)
		return;
	for (i = 0; i < g->alt_count && rows[i] >= n; i++)
		;
	if (i == ALTS)
		return;
	if (g->alt_count < ALTS)
		g->alt_count++;
	for (k = g->alt_count - 1; k > i; k--) {
		g->alts[k] = g->alts[k - 1];
		rows[k] = rows[k - 1];
	}
	g->alts[i] = (struct query_alt){ .count = 1, .weight = NEARLY };
	memcpy(g->alts[i].words[0].text, term.p, term.n);
	g->alts[i].words[0].n = term.n;
	rows[i] = n;
}

static void
scan_terms(struct db *db, struct query_group *g, const char *from, const char *to, size_t scope)
{
	struct stmt *q = db_use(db, &q_terms);
	const struct query_word *w = &g->parts[0].word;
	int64_t rows[ALTS] = { 0 };
	struct letters word, other;

	read_letters(&word, (struct str){ w->text, w->n });
	bind_text(q, ":from", from);
	bind_text(q, ":to", to);
	while (stmt_step(q)) {
		struct str term = col_bytes(q, 0);
		if (term.n <= scope)
			continue;
		term = str_slice(term, scope, term.n);
		/* A letter has four bytes at most. */
		if (term.n > w->n + 4 || w->n > term.n + 4)
			continue;
		read_letters(&other, term);
		if (is_near(&word, &other))
			take_near(g, rows, term, col_int(q, 1));
	}
}

/* The first letter is rarely the wrong one, and most terms begin with another. */
static void
near_words(struct db *db, struct arena *a, struct query_group *g, const char *scope)
{
	const struct query_word *w = &g->parts[0].word;
	uint32_t first;
	size_t n = utf8_next((struct str){ w->text, w->n }, &first);
	char *from = arena_printf(a, "%s%.*s", scope, (int)n, w->text), *to = arena_strdup(a, from);

	to[strlen(to) - 1]++;
	scan_terms(db, g, from, to, strlen(scope));
	if (g->alt_count > 0)
		return;
	to = arena_strdup(a, scope);
	to[strlen(to) - 1] = '!';     /* the byte after the blank */
	scan_terms(db, g, scope, to, strlen(scope));
}

static int64_t
pages_with(struct db *db, struct arena *a, const char *scope, const char *word, size_t n)
{
	struct stmt *q = db_use(db, &q_term);

	bind_text(q, ":term", arena_printf(a, "%s%.*s", scope, (int)n, word));
	return stmt_int(q, 0);
}

/* "startree" where "star tree" is written: the halves that most pages have. */
static void
two_words(struct db *db, struct arena *a, struct query_group *g, const char *scope)
{
	const struct query_word *w = &g->parts[0].word;
	struct query_alt alt = { .count = 2, .weight = NEARLY };
	int64_t best = 0, left, right;
	size_t i, cut = 0;

	for (i = LEAST_HALF; i + LEAST_HALF <= w->n; i++) {
		if (((unsigned char)w->text[i] & 0xC0) == 0x80)
			continue;
		left = pages_with(db, a, scope, w->text, i);
		right = left == 0 ? 0 : pages_with(db, a, scope, w->text + i, w->n - i);
		left = left < right ? left : right;
		if (left <= best)
			continue;
		best = left;
		cut = i;
	}
	if (best == 0)
		return;
	memcpy(alt.words[0].text, w->text, alt.words[0].n = cut);
	memcpy(alt.words[1].text, w->text + cut, alt.words[1].n = w->n - cut);
	g->alts[g->alt_count++] = alt;
}

/* Another ending, in whatever language: a beginning that leaves out two letters, of a long word three. */
static void
other_ending(struct query_group *g)
{
	const struct query_word *w = &g->parts[0].word;
	struct query_alt alt = { .count = 1, .weight = ENDING, .open = true };
	struct letters l;
	size_t n = w->n, cut;

	read_letters(&l, (struct str){ w->text, w->n });
	if (l.n < 6)
		return;
	for (cut = l.n < 9 ? 2 : 3; cut > 0; cut--)
		do
			n--;
		while (((unsigned char)w->text[n] & 0xC0) == 0x80);
	memcpy(alt.words[0].text, w->text, alt.words[0].n = n);
	g->alts[g->alt_count++] = alt;
}

bool
query_mend(struct db *db, struct arena *a, struct query_group *g, int64_t space)
{
	const struct query_word *w = &g->parts[0].word;
	const char *scope = arena_printf(a, "%lld ", (long long)space);

	if (g->count != 1 || g->pair || w->n < LEAST_LETTERS)
		return false;
	g->alt_count = 0;
	near_words(db, a, g, scope);
	if (g->alt_count == 0)
		two_words(db, a, g, scope);
	if (g->alt_count == 0)
		other_ending(g);
	return g->alt_count > 0;
}
