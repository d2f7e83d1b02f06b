/*
 * Computes the score of a matching page.
 *
 * The score is the sum over the query's groups of
 * idf * (score of body and headings, saturated as in BM25, + score of title and path),
 * plus bonuses: for neighbours in the query that are neighbours in the text, and for a title that
 * contains the query. In the title, names (pg_hba.conf) and runs of dense script also count by
 * their parts. The score is reduced for words that the page lacks, and for words that it has only
 * far apart, because a long page contains every word somewhere.
 * The constants were tuned on tests/search/judged.tsv and held/tuned.tsv together.
 *
 * The following was tried and left out, because lists that it was not tuned on gained nothing:
 * - other constants: tuned on one list, they lose on the next list what they gain on the first;
 * - links to a page, the texts of these links, the page's depth, and the number of pages below it;
 * - the scores of its parent and children;
 * - likeness to the best hits (pseudo-relevance feedback);
 * - the last part of a path counted more than its folders;
 * - the first sentence of a page as its description;
 * - synonyms of the dictionary in the body or its beginning, also weighted by how rare they are;
 * - a subject inside any phrase of the dictionary, not only before "off" and the like.
 *
 * Others were measured by the mean of the tuned lists of held/. It was 0.802 at that time, and with
 * the change it was:
 * - 0.798 to 0.810 with related words besides those of the dictionary, at 0.3 to 1 of their
 *   likeness, in names or anywhere (WordNet 0.789 to 0.805; MyThes with the likeness of GloVe's
 *   vectors 0.803 to 0.810, but held/untouched.tsv fell from 0.806 to 0.793; the nearest words of
 *   GloVe 0.798 to 0.805);
 * - 0.805 at most with a comparison of those vectors of the query and of title, headings or
 *   sections;
 * - 0.800 at most with words of names that have the same first 4 to 6 letters;
 * - 0.798 with the BM25 score of the best section besides that of the page;
 * - 0.759 with one saturation for all fields, as in BM25F;
 * - 0.802 with only the best alternative of a group, or with less weight for the other
 *   alternatives;
 * - 0.799 with less coverage for a word that only a synonym matches;
 * - 0.802 with powers of idf, for all queries or for long ones.
 * From 0.810 at a later time:
 * - 0.816 at most with a small sentence encoder (Universal Sentence Encoder, lite) that compares
 *   the query with title, beginning and headings; the encoder alone gives 0.34;
 * - 0.810 with the frequency of words in English;
 * - 0.824 with five hundred more sets for the dictionary that match phrases only; but of 254
 *   queries that nobody tuned, 2 rose and 7 fell.
 * From 0.811, with 341 tuned queries, as an estimate of the most that an order by words can reach:
 * 64 figures of the best 60 pages of each query (shares of the query by column, sizes, depth, pages
 * below, names of releases and others) gave
 * - 0.822 with boosted trees that learn the order, on repositories that they were not trained on;
 * - with weights of a sum, 0.835 on the repositories that these were fitted to and 0.822 on others;
 *   of 293 untouched queries 38 rose and 42 fell (0.783, 0.785).
 *
 * A perfect order of the pages that are found would have 0.97. The rest needs the meaning of words.
 * The dictionary gives a part of it: without it the tuned lists have 0.60, and the untouched ones
 * 0.76, 0.80, 0.78 and 0.57.
 */
#include <math.h>

#include "search_parts.h"

/* SAID_OTHERWISE: one page in so many is assumed to use a synonym. */
enum {
	SAID_OTHERWISE = 16, NEAR_WORDS = 12, LEAD_WORDS = 50, TITLE_BITS = 64,
	TOGETHER_BODY = 60, TOGETHER_HEADING = 12      /* size of a window, in words, that counts as one place */
};

/*
 * K1 and B as in BM25: saturation by repeated hits, and normalisation by length. USUAL: words of an
 * ordinary page in place of BM25's average, so that no statistics of the space are needed.
 */
static const double K1 = 1.7, B_BODY = 0.5, B_HEADING = 0.3, USUAL_BODY = 350, USUAL_HEADING = 60;
/*
 * W: weight of a hit by column; the body has 1. W_LEAD: in the first LEAD_WORDS of the body, which
 * say what a page is about.
 */
static const double W_HEADING = 3.5, W_LEAD = 2.5, W_TITLE = 4.5, W_TRAIL = 1.5;
/*
 * Bonuses, in weights of groups: for neighbours, for a title that the query covers, for the words
 * as typed, and for a section page with such a title.
 */
static const double NEAR = 1.33, NEAR_TITLE = 3.0, WHOLE_TITLE = 2.0, PART_TITLE = 1.0, AS_TYPED = 2.0, SECTION = 1.0;
/*
 * STOP, LIGHT: share of the weight that a stop word or light word keeps. LACKING: exponent of the
 * coverage. APART: most that a page loses whose words are nowhere together.
 */
static const double STOP = 0.2, LIGHT = 0.3, LACKING = 0.3, APART = 0.3;
/*
 * NAMED: for a query that is an identifier, on pages that spell it so. AMONG: for a name within a
 * longer query.
 */
static const double NAMED = 1000, AMONG = 1.0;

/*
 * True for neighbouring pairs of one run of dense script: the second begins with the last character
 * of the first.
 */
static bool
are_neighbours(const struct query_group *a, const struct query_group *b)
{
	const struct query_word *x = &a->parts[0].word, *y = &b->parts[0].word;
	size_t n = x->n / 2;

	return a->pair && b->pair && a->count == 1 && b->count == 1 && x->n == y->n &&
	    memcmp(x->text + n, y->text, n) == 0;
}

/*
 * True if the pair of characters spans two words. A dense run has no word boundaries; a pair that
 * is rarer than both its neighbours is hardly a word, and would weigh too much.
 */
static bool
spans_two_words(const struct query *q, const int64_t *rows, size_t i)
{
	return i > 0 && i + 1 < q->count && are_neighbours(&q->groups[i - 1], &q->groups[i]) &&
	    are_neighbours(&q->groups[i], &q->groups[i + 1]) && rows[i] < rows[i - 1] && rows[i] < rows[i + 1];
}

void
score_weigh(struct score_context *s, const struct db_match *m, int64_t pages)
{
	const struct query *q = s->query;
	int64_t rows[GROUPS] = { 0 };
	uint32_t synonym = 0;
	size_t i;
	int k, g;

	for (k = 0; k < m->phrases; k++) {
		g = q->phrases[k].group;
		if (q->phrases[k].synonym)
			synonym |= 1u << g;
		/*
		 * Take the most common of a group's phrases: their sum would count a page with two
		 * of them twice.
		 */
		else if (m->rows[k] > rows[g])
			rows[g] = m->rows[k];
	}
	/*
	 * Synonyms determine the weight only if no page has the word itself. Counting them costs
	 * too much: assume this many pages.
	 */
	for (i = 0; i < q->count; i++)
		if (rows[i] == 0 && synonym >> i & 1)
			rows[i] = 1 + pages / SAID_OTHERWISE;
	s->idf_all = 0;
	for (i = 0; i < q->count; i++) {
		double n = (double)pages, df = (double)rows[i];
		/*
		 * BM25's idf with the 1 inside the logarithm, which keeps it positive. df includes
		 * rows that do not count, so it may exceed the number of pages.
		 */
		s->idf[i] = log(1 + (n > df ? n - df + 0.5 : 0.5) / (df + 0.5));
		if (q->groups[i].stop || spans_two_words(q, rows, i))
			s->idf[i] *= STOP;
		else if (q->groups[i].light)
			s->idf[i] *= LIGHT;
		/* A word that no page has distinguishes none. */
		if (s->loose && rows[i] == 0)
			s->idf[i] = 0;
		s->idf_all += s->idf[i];
	}
}

/*
 * Sums over a row's hits. Arrays are indexed by group, sets are bits of groups; weights do not
 * include idf.
 */
struct sums {
	double   text[GROUPS];                 /* weights of the hits in body and headings */
	double   title[GROUPS], trail[GROUPS]; /* weight of the best hit in the title, in the path */
	double   hint[GROUPS];                 /* the same in the title, of parts of names */
	double   near[GROUPS], near_title[GROUPS];   /* of a group and its predecessor in the query */
	int      last[GROUPS], last_column[GROUPS];  /* position and column of the latest hit */
	uint32_t in_title, found;              /* groups that the title has, that the row has anywhere */
	bool     in_text;                      /* there is a hit in title, headings or body */
	uint64_t covered, hinted;              /* covered words of the title: by groups, by parts of names */
	bool     whole;                        /* title or a heading equals the query, word for word */
	uint32_t literal, begun;               /* names in exact spelling; names that begin so */
};

/* Neighbours of the query that are as close in the text, in that order, count most. */
static void
note_near(struct sums *s, const struct db_hit *h, int g, const struct query *q)
{
	int other, pair, d, gap;
	double close, *near = h->column == IN_TITLE ? s->near_title : s->near;

	for (other = g - 1; other <= g + 1; other += 2) {
		if (other < 0 || other >= (int)q->count || !(s->found >> other & 1) ||
		    s->last_column[other] != h->column)
			continue;
		/*
		 * Hits come in text order, so `last` is before h or at the same place. Positions of
		 * a column begin at 0: words of two columns are never near.
		 */
		d = h->position - s->last[other];
		gap = q->groups[g].at - q->groups[other].at;
		pair = g > other ? g : other;
		close = d == gap ? 1 : d >= NEAR_WORDS ? 0 : (other < g ? 0.8 : 0.4) / (1 + d * 0.5);
		near[pair] = fmax(near[pair], close * q->phrases[h->phrase].weight);
	}
}

/* Bits of the title's words that the hit covers; words after the 64th do not count. */
static uint64_t
title_bits(const struct db_hit *h, int width)
{
	if (h->position + width > TITLE_BITS)
		return 0;
	return ((1ull << width) - 1) << h->position;
}

/*
 * Count the best hit, not the sum: repeating a word in a title adds nothing. Weak forms (a
 * beginning) do not make a title equal to the query.
 */
static void
note_title(struct sums *s, const struct db_hit *h, const struct query_phrase *p)
{
	double *sum = p->hint ? s->hint : s->title;

	sum[p->group] = fmax(sum[p->group], p->weight);
	if (p->hint)
		s->hinted |= title_bits(h, p->width);
	else if (p->weight > 0.9 || p->synonym) {
		s->in_title |= 1u << p->group;
		s->covered |= title_bits(h, p->width);
	}
}

/* One pass over the hits, ordered by column and position; DB_HITS bounds its cost. */
static void
sum_hits(const struct score_context *r, const struct db_match *m, struct sums *s)
{
	double long_body = 1 - B_BODY + B_BODY * m->sizes[IN_BODY] / USUAL_BODY;
	double long_heading = 1 - B_HEADING + B_HEADING * m->sizes[IN_HEADING] / USUAL_HEADING;
	int i, g;

	for (i = 0; i < m->count; i++) {
		const struct db_hit *h = &m->hits[i];
		const struct query_phrase *p = &r->query->phrases[h->phrase];
		g = p->group;
		/* Ignore exact spelling in the path, which has a form of its own. */
		if (p->literal && h->column != IN_TRAIL)
			*(p->open ? &s->begun : &s->literal) |= 1u << g;
		if (h->column == IN_TITLE)
			note_title(s, h, p);
		else if (h->column == IN_TRAIL)
			s->trail[g] = fmax(s->trail[g], p->weight);
		else
			s->text[g] += h->column == IN_BODY ? p->weight * (h->position < LEAD_WORDS ? W_LEAD : 1) / long_body :
			    p->weight * W_HEADING / long_heading;
		s->whole |= p->whole;
		if (p->hint)
			continue;
		note_near(s, h, g, r->query);
		s->last[g] = h->position;
		s->last_column[g] = h->column;
		s->found |= 1u << g;
		s->in_text |= h->column != IN_TRAIL;
	}
}

/* Largest share of the query within any `words` words of a column, besides the groups in `have`. */
static double
best_window(const struct score_context *r, const struct db_match *m, int column, int words, uint32_t have)
{
	int count[GROUPS] = { 0 }, i, from = 0, g;
	double sum = 0, best = 0;

	while (from < m->count && m->hits[from].column < column)
		from++;
	for (i = from; i < m->count && m->hits[i].column == column; i++) {
		const struct db_hit *h = &m->hits[i];
		/* A sliding window: each hit enters and leaves once. */
		for (; m->hits[from].position + words <= h->position; from++) {
			g = r->query->phrases[m->hits[from].phrase].group;
			if (--count[g] == 0 && !(have >> g & 1))
				sum -= r->idf[g];
		}
		g = r->query->phrases[h->phrase].group;
		if (count[g]++ == 0 && !(have >> g & 1))
			sum += r->idf[g];
		best = fmax(best, sum);
	}
	return best;
}

/* Share of the query that the page has in one place; the title counts for every place. */
static double
share_together(const struct score_context *r, const struct db_match *m, const struct sums *s)
{
	double title = 0, best;
	size_t i;

	if (r->query->count == 1 || r->idf_all <= 0)
		return 1;
	for (i = 0; i < r->query->count; i++)
		if (s->in_title >> i & 1)
			title += r->idf[i];
	best = fmax(best_window(r, m, IN_BODY, TOGETHER_BODY, s->in_title),
	    best_window(r, m, IN_HEADING, TOGETHER_HEADING, s->in_title));
	return fmin(1, (title + best) / r->idf_all);
}

/* The covered share of the title. It is at most 1, since the title's size may be assumed (run_rows()). */
static double
title_share(uint64_t bits, int words)
{
	return words == 0 ? 0 : fmin(1, (double)__builtin_popcountll(bits) / words);
}

/* Score of one group in a page, with the bonus for neighbours. */
static double
group_sum(const struct score_context *r, const struct sums *s, size_t i, int words)
{
	/* A word of a short title says more than one of a long title. */
	double title = W_TITLE * s->title[i] / (0.6 + 0.1 * (words > 0 ? words : 1));
	double sum = r->idf[i] * (s->text[i] * (K1 + 1) / (s->text[i] + K1) + W_TRAIL * s->trail[i] + title);

	if (i > 0)
		/* Use the lower weight: a stop word beside a rare word proves nothing. */
		sum += (NEAR * s->near[i] + NEAR_TITLE * s->near_title[i]) * fmin(r->idf[i], r->idf[i - 1]);
	return sum;
}

/* Share of the query in the title, and of the title in the query; *titled is their product. */
static double
title_sum(const struct score_context *r, const struct sums *s, int words, double *titled)
{
	double title = 0, hint = 0, sum = s->whole ? AS_TYPED * (1 + r->idf_all) : 0;
	size_t i;

	*titled = 0;
	if (r->idf_all <= 0)
		return sum;
	for (i = 0; i < r->query->count; i++) {
		if (s->in_title >> i & 1)
			title += r->idf[i] * s->title[i];
		if (s->hint[i] > 0)
			hint += r->idf[i];
	}
	*titled = title / r->idf_all * title_share(s->covered, words);
	return sum + WHOLE_TITLE * title * *titled +
	    PART_TITLE * hint * title_share(s->hinted, words);
}

/*
 * Bonus for spelling names as the query does. A query that is a name ranks these pages above all
 * others in every space: no other score comes near NAMED.
 */
static double
literal_sum(const struct score_context *r, const struct sums *s)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < r->query->count; i++)
		sum += r->idf[i] * (s->literal >> i & 1 ? AMONG : s->begun >> i & 1 ? AMONG / 2 : 0);
	if (r->query->count == 1 && r->query->groups[0].identifier && !r->loose)
		sum = s->literal != 0 ? NAMED : s->begun != 0 ? NAMED / 2 : 0;
	return sum;
}

/* See search_parts.h. Sets *out in either case. */
bool
score_row(const struct score_context *r, const struct db_match *m, struct verdict *out)
{
	struct sums s = { 0 };
	double sum, found = 0;
	int words = m->sizes[IN_TITLE];
	size_t i;

	sum_hits(r, m, &s);
	sum = title_sum(r, &s, words, &out->titled);
	for (i = 0; i < r->query->count; i++) {
		if (!(s.found >> i & 1))
			continue;
		found += r->idf[i];
		sum += group_sum(r, &s, i, words);
	}
	out->coverage = r->idf_all > 0 ? found / r->idf_all : 1;
	out->together = share_together(r, m, &s);
	out->score = sum * pow(out->coverage, LACKING) * (1 - APART * (1 - out->together)) + literal_sum(r, &s);
	for (i = 0; i < r->query->count; i++)
		/* A loose expression is an OR: check quoted phrases, which every page must have. */
		if (r->query->groups[i].quoted && !(s.found >> i & 1))
			return false;
	/* The path alone is no hit: it may be older than the title. */
	return s.in_text;
}

double
score_section(const struct score_context *r, const struct verdict *v)
{
	return SECTION * v->titled * r->idf_all;
}
