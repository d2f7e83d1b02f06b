/*
 * Searching: runs the expressions of search_query.c and ranks what matches.
 *
 * A page's score is the sum over the query's groups of idf * (what body and
 * headings say, saturated as in BM25, plus what title and path say), plus
 * bonuses: neighbours of the query that are neighbours in the text; a title
 * that the query covers. When some of the words are enough, the score of a page
 * that lacks one shrinks with the square of what is missing. The constants were tuned on
 * tests/search/judged.tsv.
 */
#include <math.h>
#include <stdlib.h>

#include "search_parts.h"
#include "sort.h"

enum { ENOUGH = 6, LOOSE_GROUPS = 10, NEAR_WORDS = 12 };

static const double K1 = 1.7, W_HEADING = 3.5, W_TITLE = 2.6, W_TRAIL = 0.5;
static const double NEAR = 1.0, WHOLE_TITLE = 2.0, LEAST_COVERAGE = 0.4;
static const double B_BODY = 0.27, B_HEADING = 0.3, USUAL_BODY = 400, USUAL_HEADING = 45;

SQL(q_place, "SELECT no, pages FROM search_space WHERE space = :space");
SQL(q_match,
    "SELECT octavo_match(search_index, :sink) FROM search_index WHERE search_index MATCH :query");
SQL(q_hidden, "SELECT no FROM search_page WHERE space = :space AND live = 0 ORDER BY no");
SQL(q_shown, "SELECT page, title, about, sections FROM search_page WHERE no = :no");

struct run {
	struct db         *db;
	struct arena      *arena;
	struct query      *query;
	bool               loose;         /* some of the words are enough */
	struct db_match   *m;
	double             idf[GROUPS], idf_all;
	int64_t           *hidden;        /* rows that do not count */
	size_t             hidden_count;
	double            *coverages;     /* of all rows, where loose */
	size_t             rows, room;
	double             best_coverage;
	struct candidate **top;           /* in order */
	size_t             top_count, want;
	const struct search_after *after;
	size_t             beyond;        /* candidates behind `after`, kept or not */
};

bool
search_find(struct db *db, struct arena *a, const char *space, struct search_in *out)
{
	struct stmt *q = db_use(db, &q_place);

	bind_text(q, ":space", space);
	if (!stmt_step(q))
		return false;
	*out = (struct search_in){ arena_strdup(a, space), col_int(q, 0), col_int(q, 1) };
	return true;
}

static void
read_hidden(struct run *r, int64_t space)
{
	struct stmt *q = db_use(r->db, &q_hidden);
	size_t room = 0;

	r->hidden_count = 0;
	bind_int(q, ":space", space);
	while (stmt_step(q)) {
		if (r->hidden_count == room) {
			int64_t *more = arena_array(r->arena, room * 2 + 64, sizeof(*more));
			if (room > 0)
				memcpy(more, r->hidden, room * sizeof(*more));
			r->hidden = more;
			room = room * 2 + 64;
		}
		r->hidden[r->hidden_count++] = col_int(q, 0);
	}
}

static int
by_number(const void *x, const void *y)
{
	int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;

	return (a > b) - (a < b);
}

static bool
is_hidden(const struct run *r, int64_t no)
{
	return r->hidden_count > 0 &&
	    find_sorted(&no, r->hidden, r->hidden_count, sizeof(no), by_number) != NULL;
}

/* ---- score ---- */

static void
weigh_groups(struct run *r, int64_t pages)
{
	int64_t rows[GROUPS] = { 0 };
	size_t i;
	int k, g;

	for (k = 0; k < r->m->phrases; k++) {
		g = r->query->phrase_group[k];
		if (r->m->rows[k] > rows[g])
			rows[g] = r->m->rows[k];
	}
	r->idf_all = 0;
	for (i = 0; i < r->query->count; i++) {
		double n = (double)pages, df = (double)rows[i];
		r->idf[i] = log(1 + (n > df ? n - df + 0.5 : 0.5) / (df + 0.5));
		if (r->query->groups[i].stop)
			r->idf[i] *= 0.2;
		r->idf_all += r->idf[i];
	}
}

struct sums {
	double   text[GROUPS], title[GROUPS], trail[GROUPS];
	double   near[GROUPS];                 /* of a group and the one before it in the query */
	int      last[GROUPS], last_column[GROUPS];
	uint32_t in_title, found;
};

/* Neighbours of the query that are as close in the text, in that order, are worth most. */
static void
note_near(struct sums *s, const struct db_hit *h, int g, const struct query *q)
{
	int other, pair, d, gap;
	double close;

	for (other = g - 1; other <= g + 1; other += 2) {
		if (other < 0 || other >= (int)q->count || !(s->found >> other & 1) ||
		    s->last_column[other] != h->column)
			continue;
		d = h->position - s->last[other];
		gap = q->groups[g].at - q->groups[other].at;
		pair = g > other ? g : other;
		close = d == gap ? 1 : d >= NEAR_WORDS ? 0 : (other < g ? 0.8 : 0.4) / (1 + d * 0.5);
		if (close > s->near[pair])
			s->near[pair] = close;
	}
}

static void
add_up(const struct run *r, struct sums *s)
{
	const struct db_match *m = r->m;
	double long_body = 1 - B_BODY + B_BODY * m->sizes[IN_BODY] / USUAL_BODY;
	double long_heading = 1 - B_HEADING + B_HEADING * m->sizes[IN_HEADING] / USUAL_HEADING;
	int i, g;

	for (i = 0; i < m->count; i++) {
		const struct db_hit *h = &m->hits[i];
		double w = r->query->phrase_weight[h->phrase];
		g = r->query->phrase_group[h->phrase];
		if (h->column == IN_TITLE) {
			s->title[g] = s->title[g] > w ? s->title[g] : w;
			if (w > 0.9)
				s->in_title |= 1u << g;
		} else if (h->column == IN_TRAIL) {
			s->trail[g] = s->trail[g] > w ? s->trail[g] : w;
		} else {
			s->text[g] += h->column == IN_BODY ? w / long_body : w * W_HEADING / long_heading;
		}
		note_near(s, h, g, r->query);
		s->last[g] = h->position;
		s->last_column[g] = h->column;
		s->found |= 1u << g;
	}
}

static double
score(const struct run *r, double *coverage)
{
	struct sums s = { 0 };
	double sum = 0, found = 0, title = 0;
	double words = r->m->sizes[IN_TITLE] > 0 ? r->m->sizes[IN_TITLE] : 1;
	size_t i;

	add_up(r, &s);
	for (i = 0; i < r->query->count; i++) {
		if (!(s.found >> i & 1))
			continue;
		found += r->idf[i];
		sum += r->idf[i] * (s.text[i] * (K1 + 1) / (s.text[i] + K1) + W_TRAIL * s.trail[i] +
		    W_TITLE * s.title[i] / (0.6 + 0.1 * words));
		if (i > 0)
			sum += NEAR * s.near[i] * (r->idf[i] < r->idf[i - 1] ? r->idf[i] : r->idf[i - 1]);
		if (s.in_title >> i & 1)
			title += r->idf[i];
	}
	/* How much of the query is in the title, and how much of the title is in the query. */
	if (r->idf_all > 0)
		sum += WHOLE_TITLE * title * (title / r->idf_all) *
		    fmin(1, (double)__builtin_popcount(s.in_title) / words);
	*coverage = r->idf_all > 0 ? found / r->idf_all : 1;
	if (!r->loose)
		return sum;
	/* Strictly before those that lack a word, however well they have the others. */
	return *coverage > 0.9999 ? sum + SEARCH_ALL_WORDS : sum * *coverage * *coverage;
}

/* ---- the best ---- */

static bool
before(double score, int64_t no, const struct candidate *c)
{
	return score > c->score || (score == c->score && no < c->no);
}

/* The first hits are kept for the excerpts, in the room of what fell out if there is enough. */
static void
keep_hits(struct run *r, struct candidate *c)
{
	const struct db_match *m = r->m;

	c->count = m->count < KEPT_HITS ? m->count : KEPT_HITS;
	if (c->count > c->room) {
		c->room = c->count * 2 < KEPT_HITS ? c->count * 2 : KEPT_HITS;
		c->hits = arena_array(r->arena, (size_t)c->room, sizeof(*c->hits));
	}
	memcpy(c->hits, m->hits, (size_t)c->count * sizeof(*c->hits));
}

static void
offer(struct run *r, double value, double coverage)
{
	const struct db_match *m = r->m;
	struct candidate *c;
	size_t i;

	if (r->after != NULL && !(value < r->after->score ||
	    (value == r->after->score && m->row > r->after->no)))
		return;
	r->beyond++;
	if (r->want == 0 || (r->top_count == r->want &&
	    !before(value, m->row, r->top[r->want - 1])))
		return;
	if (r->top_count < r->want)
		c = arena_alloc(r->arena, sizeof(*c));
	else
		c = r->top[--r->top_count];
	c->no = m->row;
	c->score = value;
	c->coverage = coverage;
	keep_hits(r, c);
	for (i = r->top_count++; i > 0 && before(value, m->row, r->top[i - 1]); i--)
		r->top[i] = r->top[i - 1];
	r->top[i] = c;
}

static void
note_coverage(struct run *r, double coverage)
{
	if (r->rows == r->room) {
		double *more = arena_array(r->arena, r->room * 2 + 256, sizeof(*more));
		if (r->room > 0)
			memcpy(more, r->coverages, r->room * sizeof(*more));
		r->coverages = more;
		r->room = r->room * 2 + 256;
	}
	r->coverages[r->rows] = coverage;
	if (coverage > r->best_coverage)
		r->best_coverage = coverage;
}

static void
run_rows(struct run *r, const struct search_in *in)
{
	struct stmt *q;
	double value, coverage;
	char *expression;
	int i;

	read_hidden(r, in->no);
	r->top = arena_array(r->arena, r->want + 1, sizeof(*r->top));
	q = db_use(r->db, &q_match);
	expression = query_expression(r->query, r->arena, in->no, r->loose ? " OR " : " AND ");
	/* Rows are counted for whole words: beginnings would cost as much as the search again. */
	r->m->uncounted = 0;
	for (i = 1; i < r->query->phrases; i++)
		if (r->query->phrase_group[i] == r->query->phrase_group[i - 1])
			r->m->uncounted |= (uint64_t)1 << i;
	bind_match(q, ":sink", r->m);
	bind_text(q, ":query", expression);
	for (; stmt_step(q); r->rows++) {
		if (r->rows == 0)
			weigh_groups(r, in->pages);
		if (is_hidden(r, r->m->row)) {
			r->rows--;
			continue;
		}
		value = score(r, &coverage);
		if (r->loose)
			note_coverage(r, coverage);
		offer(r, value, coverage);
	}
}

/* Where some of the words are enough, pages that have far fewer of them than the best are none. */
static void
cut_loose(struct run *r)
{
	double least = r->best_coverage * LEAST_COVERAGE;
	size_t i, n = 0;

	for (i = 0; i < r->rows; i++)
		n += r->coverages[i] >= least;
	r->rows = n;
	for (i = n = 0; i < r->top_count; i++)
		if (r->top[i]->coverage >= least)
			r->top[n++] = r->top[i];
	r->top_count = n;
}

static void
run_place(struct run *r, const struct search_in *in, struct search_found *out)
{
	struct search_kept *kept;
	size_t i;

	r->rows = r->room = r->top_count = r->beyond = 0;
	r->coverages = NULL;
	r->best_coverage = 0;
	run_rows(r, in);
	if (r->loose)
		cut_loose(r);
	*out = (struct search_found){ .in = *in, .count = (int64_t)r->rows };
	if (r->top_count == 0)
		return;
	kept = arena_alloc(r->arena, sizeof(*kept));
	kept->query = r->query;
	memcpy(kept->idf, r->idf, sizeof(kept->idf));
	kept->list = r->top;
	out->kept = kept;
	out->best = r->top[0]->score;
	out->hit_count = r->top_count;
	out->hits = arena_array(r->arena, r->top_count, sizeof(*out->hits));
	for (i = 0; i < r->top_count; i++) {
		out->hits[i].no = r->top[i]->no;
		out->hits[i].score = r->top[i]->score;
	}
}

static int64_t
run_all(struct run *r, const struct search_in *in, size_t n, struct search_found *out)
{
	int64_t count = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		run_place(r, &in[i], &out[i]);
		count += out[i].count;
	}
	return count;
}

static bool
has_rows(struct run *r, const struct query_group *g, const struct search_in *in, size_t n)
{
	struct stmt *q;
	size_t i;
	bool has = false;

	for (i = 0; i < n && !has; i++) {
		q = db_use(r->db, &q_match);
		bind_match(q, ":sink", r->m);
		bind_text(q, ":query", query_group_expression(g, r->arena, in[i].no));
		has = stmt_step(q);
	}
	return has;
}

/* Words that nobody wrote are perhaps others, a letter off: true if one is. */
static bool
mend(struct run *r, const struct search_in *in, size_t n)
{
	struct query_group *g;
	bool mended = false;
	size_t i, k;

	for (g = r->query->groups; g < r->query->groups + r->query->count; g++) {
		if (has_rows(r, g, in, n))
			continue;
		for (i = 0, k = 0; i < n && k == 0; i++)
			k = query_mend(r->db, r->arena, g, in[i].no);
		mended |= k > 0;
	}
	return mended;
}

/* All words; what is near them; some of the words. */
static void
search_steps(struct run *r, const struct search_in *in, size_t n, struct search_found *out)
{
	int64_t count;

	query_trim(r->query, GROUPS);
	count = run_all(r, in, n, out);
	if (count == 0 && query_open(r->query))
		count = run_all(r, in, n, out);
	if (count == 0 && mend(r, in, n))
		count = run_all(r, in, n, out);
	if (count >= ENOUGH || (r->query->count == 1 && (count > 0 || r->query->groups[0].count == 1)))
		return;
	/* Where a whole name was found, its parts alone would be noise. */
	if (count == 0)
		query_loosen(r->query);
	query_trim(r->query, LOOSE_GROUPS);
	r->loose = true;
	run_all(r, in, n, out);
}

void
search(struct db *db, struct arena *a, struct str text, const struct search_in *in, size_t n,
    size_t want, const struct search_after *after, struct search_found *out)
{
	struct run r = { .db = db, .arena = a, .want = want, .after = after,
		.query = arena_alloc(a, sizeof(*r.query)), .m = arena_alloc(a, sizeof(*r.m)) };
	size_t i;

	for (i = 0; i < n; i++)
		out[i] = (struct search_found){ .in = in[i] };
	query_read(r.query, text);
	if (r.query->count > 0)
		search_steps(&r, in, n, out);
}

void
search_shown(struct db *db, struct arena *a, struct search_found *f, size_t from, size_t to)
{
	struct stmt *q;

	for (; from < to; from++) {
		struct search_hit *h = &f->hits[from];
		const struct candidate *c = f->kept->list[from];
		q = db_use(db, &q_shown);
		bind_int(q, ":no", h->no);
		if (!stmt_step(q))
			continue;
		h->page = col_dup(q, 0, a);
		h->title = col_dup(q, 1, a);
		h->about = col_dup(q, 2, a);
		search_excerpts(db, a, f->kept, col_bytes(q, 3), c, h);
	}
}
