/*
 * Searching: runs the expressions of search_query.c, from the strict to the lenient one, and keeps
 * the best matches (search_score.c).
 */
#include "search_parts.h"
#include "base/sort.h"

/*
 * A word group (struct query_group) holds a word or phrase of the query with its alternatives; a
 * space group (struct space_group) holds a space and its duplicates, which share entries.
 *
 * ENOUGH: if a step finds fewer hits, a more lenient step follows. SHORT: in a query of at most
 * that many word groups, one word is enough. LOOSE_GROUPS: limit of word groups in a loose query,
 * each of which is an OR branch. CORRECTED: limit of word groups to correct; CORRECTED_IN: limit of space
 * groups to take corrections from. Each attempt of query_correct() costs hundreds of lookups. SPARE:
 * factor by which more candidates are kept for several spaces than for one. SYNONYMS, SYNONYMS_LARGE:
 * number of alternatives up to which the dictionary fills a word group; the latter above LARGE pages, where
 * each alternative costs more, and more pages contain the words themselves.
 */
enum { SYNONYMS = 6, SYNONYMS_LARGE = 3, LARGE = 5000, ENOUGH = 25, SHORT = 2, LOOSE_GROUPS = 10, CORRECTED = 4, CORRECTED_IN = 8, SPARE = 4 };

/* For a query of two words, one of them is enough: the rarer word must not exclude pages about the other. */
static const double LEAST_COVERAGE = 0.3, SHORT_COVERAGE = 0;

SQL(q_org, "SELECT org FROM search_space WHERE no = :no");
SQL(q_name, "SELECT trail, page FROM search_page WHERE no = :no");
SQL(q_shown, "SELECT page, title, about, sections FROM search_page WHERE no = :no");
SQL(q_page, "SELECT page FROM search_page WHERE no = :no");

/* One call of search(). Its arena contains the candidates, hits and expressions of all steps until it ends. */
struct run {
	struct db         *db;
	struct arena      *arena;
	struct query      *query;
	struct score_context scoring;
	struct db_match   *m;
	struct shown_iterator showing;    /* is_shown(): whether a space of the current group shows the row */
	struct viewer_search *seeing;     /* cut_hidden_hits(): drops hits that the viewer may not read */
	struct long_pages *long_pages;    /* pages of several rows */
	int64_t            part;          /* index of the current row among the rows of its page */
	double            *coverages;     /* of all rows, in a loose step */
	/* rows: matching rows that count, kept or not; room: of coverages. */
	size_t             rows, room;
	size_t             together;      /* rows with all words close together */
	double             best_coverage;
	struct candidate **top;           /* in order */
	size_t             top_count, want;
	const struct search_after *after;
	size_t             after_count;   /* candidates that sort after `after`, kept or not */
	struct buf         name;          /* read_name() of the row `named` */
	int64_t            named;
	const char        *after_name;    /* read_name() of after->no; NULL: not read yet */
};

/* Result of the last step for a space group: its best candidates, and the number of rows. */
struct top_hits {
	struct candidate **list;
	size_t             count, rows;
	double             idf[GROUPS];
};

/* All spaces of a search; best[i]: the result for list[i]. */
struct space_groups {
	struct space_group *list;
	size_t              count;
	struct top_hits    *best;
};

/* A space of which only the best hit was looked up so far. */
struct search_rest {
	struct run               *run;
	const struct space_group *group;
	const struct top_hits    *best;
	size_t                    i;   /* index among the group's spaces */
};

/* ---- candidates ---- */

/*
 * The name by which hits of equal score are ordered: words of the path, then id of the page. An
 * export and an import keep both. It is read only for equal scores. Empty: the row was removed.
 */
static const char *
read_name(struct run *r, int64_t no)
{
	struct stmt *q;

	if (r->named == no)
		return r->name.p;
	q = db_use(r->db, &q_name);
	bind_int(q, ":no", no);
	buf_cut(&r->name, r->name.n);
	if (stmt_step(q)) {
		buf_put(&r->name, col_bytes(q, 0));
		/* No path has this character, and it sorts before all that a path has. */
		buf_char(&r->name, '\n');
		buf_put(&r->name, col_bytes(q, 1));
	}
	r->named = no;
	return r->name.p;
}

/* Compares the name of the current row with that of a candidate. */
static int
compare_names(struct run *r, struct candidate *c)
{
	if (c->name == NULL)
		c->name = arena_strdup(r->arena, read_name(r, c->no));
	return strcmp(read_name(r, r->m->row), c->name);
}

/*
 * Order of hits. Duplicates of a space have pages of the same name, so the row number comes last:
 * the order is total.
 */
static bool
ranks_before(struct run *r, double score, struct candidate *c)
{
	int order;

	if (score != c->score)
		return score > c->score;
	order = compare_names(r, c);
	return order < 0 || (order == 0 && r->m->row < c->no);
}

/* True if the current row comes after the hit at which the caller resumes. */
static bool
comes_after(struct run *r, double score)
{
	const struct search_after *after = r->after;
	int order;

	if (after == NULL || score != after->score)
		return after == NULL || score < after->score;
	if (r->after_name == NULL)
		r->after_name = arena_strdup(r->arena, read_name(r, after->no));
	order = strcmp(read_name(r, r->m->row), r->after_name);
	return order > 0 || (order == 0 && r->m->row > after->no);
}

/* Keep the first hits for excerpts, in the memory of a dropped candidate if it suffices. */
static void
keep_hits(struct run *r, struct candidate *c)
{
	const struct db_match *m = r->m;

	c->count = m->count < KEPT_HITS ? m->count : KEPT_HITS;
	if (c->count > c->room) {
		c->room = c->count * 2 < KEPT_HITS ? c->count * 2 : KEPT_HITS;
		c->hits = arena_array(r->arena, (size_t)c->room, sizeof(*c->hits));
	}
	if (c->count > 0)
		memcpy(c->hits, m->hits, (size_t)c->count * sizeof(*c->hits));
}

/*
 * Insert the current row among the best `want`. Insertion is cheaper than a heap for a page of
 * results, and the list is always sorted. The dropped candidate is reused.
 */
static void
offer_candidate(struct run *r, const struct verdict *v)
{
	const struct db_match *m = r->m;
	struct candidate *c;
	size_t i;

	/* It was on an earlier page of results: ranked before `after`, or `after` itself. */
	if (!comes_after(r, v->score))
		return;
	r->after_count++;
	if (r->want == 0 || (r->top_count == r->want && !ranks_before(r, v->score, r->top[r->want - 1])))
		return;
	if (r->top_count < r->want)
		c = arena_alloc(r->arena, sizeof(*c));
	else
		c = r->top[--r->top_count];
	c->no = m->row;
	c->shown = NULL;
	c->name = r->named == m->row ? arena_strdup(r->arena, r->name.p) : NULL;
	c->score = v->score;
	c->coverage = v->coverage;
	keep_hits(r, c);
	for (i = r->top_count++; i > 0 && ranks_before(r, v->score, r->top[i - 1]); i--)
		r->top[i] = r->top[i - 1];
	r->top[i] = c;
}

/*
 * True for a section's page: the trail of a page imported as README.md ends with the section's
 * path.
 */
static bool
is_section_page(struct run *r, int64_t no)
{
	struct stmt *q = db_use(r->db, &q_name);
	struct str trail;

	bind_int(q, ":no", no);
	if (!stmt_step(q))
		return false;
	trail = col_bytes(q, 0);
	return trail.n > 0 && trail.p[trail.n - 1] == '/';
}

/*
 * Add the bonus of a section page. This needs a lookup, so do it only for a row that the bonus may put
 * among the best (among), or on the other side of `after` (behind).
 */
static void
add_section_bonus(struct run *r, struct verdict *v)
{
	double more = score_section(&r->scoring, v);
	const struct search_after *after = r->after;
	bool among = r->want > 0 && (r->top_count < r->want ||
	    ranks_before(r, v->score + more, r->top[r->want - 1]));
	bool behind = after != NULL && v->score + more >= after->score;

	if (more > 0 && (after == NULL || v->score <= after->score) && (among || behind) &&
	    is_section_page(r, r->m->row))
		v->score += more;
}

/*
 * Note the coverage of every row: cut_loose() needs the best one before it can count exactly how
 * many rows are hits.
 */
static void
record_coverage(struct run *r, double coverage)
{
	r->coverages = arena_grow(r->arena, r->coverages, r->rows, &r->room, sizeof(*r->coverages));
	r->coverages[r->rows] = coverage;
	if (coverage > r->best_coverage)
		r->best_coverage = coverage;
}

/*
 * True if a space shows the row, and the viewer may read a hit in it (in a strict query, a hit of
 * each word group).
 */
static bool
row_counts(struct run *r)
{
	uint32_t found = 0;
	int i;

	if (!is_shown(&r->showing, r->m->row))
		return false;
	/* If no hits were cut, the row counts, because FTS5 has checked the expression itself. */
	if (!cut_hidden_hits(r->seeing, r->query, r->m, r->part))
		return true;
	for (i = 0; i < r->m->count; i++)
		if (!r->query->phrases[r->m->hits[i].phrase].hint)
			found |= 1u << r->query->phrases[r->m->hits[i].phrase].group;
	return r->scoring.loose ? found != 0 : (size_t)__builtin_popcount(found) == r->query->count;
}

/* Steps to the next matching row. Sets r->part, and the row of r->m to that of its page. */
static bool
next_row(struct run *r, struct stmt *q)
{
	if (!stmt_step(q))
		return false;
	r->part = match_entry(r->db, r->m);
	return true;
}

/* Counts the page of the current row, and keeps it if it is among the best. */
static void
take_page(struct run *r, struct verdict v)
{
	if (r->scoring.loose)
		record_coverage(r, v.coverage);
	add_section_bonus(r, &v);
	/* Slightly below 1, because the sum of weights is rounded. */
	r->together += v.together > 0.9999;
	r->rows++;
	offer_candidate(r, &v);
}

/*
 * Step through all matches in the group. The weights of word groups are computed at the first row,
 * since FTS5 counts the rows of a phrase only while a query runs.
 */
static void
run_rows(struct run *r, const struct space_group *g)
{
	/*
	 * Usual numbers of words in title, headings, body and path, assumed for rows whose sizes
	 * are not read.
	 */
	static const int usual[DB_COLUMNS] = { 4, 60, 350, 4 };
	const struct long_match *page;
	struct stmt *q;
	struct verdict v;
	char *expression;
	size_t at = 0;

	shown_begin(&r->showing, r->db, g);
	r->long_pages = long_pages_of(r->db, r->arena, g);
	r->seeing = viewer_search_new(r->db, r->arena, g->in);
	r->top = arena_array(r->arena, r->want + 1, sizeof(*r->top));
	/* Build the expression for each space group, since every word in it carries the scopes. */
	expression = query_expression(r->query, r->arena, g->scopes, r->scoring.loose ? " OR " : " AND ");
	r->m->uncounted = r->query->uncounted;
	/* Reading the sizes of nearly all rows would double the cost. */
	r->m->sizeless = r->query->titles && g->in->viewer == NULL;
	memcpy(r->m->sizes, usual, sizeof(r->m->sizes));
	q = fulltext_match(r->db, expression, r->m);
	while (next_row(r, q)) {
		if (r->scoring.idf_all < 0)
			score_weigh(&r->scoring, r->m, g->pages);
		if (row_counts(r) && score_row(&r->scoring, r->m, &v) && !long_keep(r->arena, r->long_pages, r->m, &v))
			take_page(r, v);
	}
	while ((page = long_next(r->long_pages, &at, r->m)) != NULL)
		take_page(r, page->verdict);
}

/* In a loose step, drop pages that have far fewer of the words than the best one. */
static void
cut_loose(struct run *r)
{
	double least = r->best_coverage * (r->query->count <= SHORT ? SHORT_COVERAGE : LEAST_COVERAGE);
	size_t i, n = 0;

	for (i = 0; i < r->rows; i++)
		n += r->coverages[i] >= least;
	r->rows = n;
	for (i = n = 0; i < r->top_count; i++)
		if (r->top[i]->coverage >= least)
			r->top[n++] = r->top[i];
	r->top_count = n;
}

/* Puts the best `want` hits of a space group into r->top. Resets everything that depends on the group. */
static void
run_group(struct run *r, const struct space_group *g)
{
	r->rows = r->room = r->top_count = r->after_count = 0;
	r->scoring.query = r->query;
	r->scoring.idf_all = -1;
	r->coverages = NULL;
	r->best_coverage = 0;
	run_rows(r, g);
	if (r->scoring.loose)
		cut_loose(r);
}

/* Return candidates of `b` as the hits of a space. */
static void
return_hits(struct run *r, const struct top_hits *b, struct candidate **list, size_t n, size_t count, struct search_found *out)
{
	struct search_kept *kept;
	size_t i;

	*out = (struct search_found){ .in = out->in, .count = (int64_t)count, .hit_count = n };
	if (n == 0)
		return;
	kept = arena_alloc(r->arena, sizeof(*kept));
	kept->query = r->query;
	memcpy(kept->idf, b->idf, sizeof(kept->idf));
	kept->list = list;
	out->kept = kept;
	out->best = list[0]->score;
	out->hits = arena_array(r->arena, n, sizeof(*out->hits));
	for (i = 0; i < n; i++) {
		out->hits[i].no = list[i]->no;
		out->hits[i].score = list[i]->score;
	}
}

/*
 * Search the spaces of a group. One search serves all duplicates, so keep more candidates than one
 * space may return: each space shows most of them.
 */
static void
search_group(struct run *r, const struct space_group *g, struct top_hits *b)
{
	size_t want = r->want;

	r->want *= g->count > 1 ? SPARE : 1;
	run_group(r, g);
	r->want = want;
	*b = (struct top_hits){ .list = r->top, .count = r->top_count, .rows = r->rows };
	/* Copy: the next group computes other weights. */
	memcpy(b->idf, r->scoring.idf, sizeof(b->idf));
}

/* Searches all spaces and returns the number of entries found. Replaces the hits of an earlier step. */
static int64_t
run_all(struct run *r, struct space_groups *all)
{
	int64_t count = 0;
	size_t i;

	r->together = 0;
	for (i = 0; i < all->count; i++) {
		search_group(r, &all->list[i], &all->best[i]);
		count += (int64_t)all->best[i].rows;
	}
	return count;
}

/* Search a space alone if it shows too few of its group's best although the group has more. */
static void
search_alone(const struct search_rest *rest, struct search_found *out)
{
	struct space_group alone = group_of_one(rest->group, rest->i);
	struct top_hits b;

	search_group(rest->run, &alone, &b);
	return_hits(rest->run, &b, b.list, b.count, b.rows, out);
}

/* Take the group's best that the space shows, at most `want`. */
static size_t
take_shown(const struct search_rest *rest, size_t want, struct candidate ***list)
{
	const struct top_hits *b = rest->best;
	size_t i, n = 0;

	*list = arena_array(rest->run->arena, want + 1, sizeof(**list));
	for (i = 0; i < b->count && n < want; i++)
		if (space_shows_entry(rest->run->db, &rest->group->in[rest->i], b->list[i]->no))
			(*list)[n++] = b->list[i];
	return n;
}

static void
return_rest(const struct search_rest *rest, size_t want, struct search_found *out)
{
	struct candidate **list;
	size_t n = take_shown(rest, want, &list);

	if (n < want && rest->best->rows > rest->best->count)
		search_alone(rest, out);
	else
		return_hits(rest->run, rest->best, list, n, n, out);
}

/*
 * Return only the best hit of each space: if only some spaces are shown, looking up more would be
 * wasted. In a loose step a space's hits depend on all of its rows, so the best hit is known only
 * together with the rest.
 */
static void
return_best(struct run *r, const struct space_groups *all, size_t group, size_t i, struct search_found *out)
{
	const struct top_hits *b = &all->best[group];
	struct search_rest *rest = arena_alloc(r->arena, sizeof(*rest));
	bool whole = b->rows == b->count;

	*rest = (struct search_rest){ r, &all->list[group], b, i };
	return_rest(rest, whole || !r->scoring.loose ? 1 : r->want, out);
	if (out->hit_count > 0 && (whole || !r->scoring.loose))
		out->rest = rest;
}

static void
return_all(struct run *r, const struct space_groups *all, struct search_found *out)
{
	const struct space_group *g;
	const struct top_hits *b;
	size_t k, i;

	for (k = 0; k < all->count; k++) {
		g = &all->list[k];
		b = &all->best[k];
		if (g->count == 1)
			return_hits(r, b, b->list, b->count, b->rows, &out[*g->at]);
		for (i = 0; g->count > 1 && i < g->count; i++)
			return_best(r, all, k, i, &out[g->at[i]]);
	}
}

/* True if the viewer sees the page of the row, and a match in it. Removes matches in parts that the viewer does not see. */
static bool
is_row_visible(struct run *r)
{
	if (!is_shown(&r->showing, r->m->row))
		return false;
	if (r->seeing == NULL)
		return true;
	cut_hidden_hits(r->seeing, NULL, r->m, r->part);
	return r->m->count > 0 && viewer_sees_page(r->seeing, r->m->row);
}

/* True if the viewer of a space sees a row that matches this word group alone. */
static bool
has_rows(struct run *r, const struct query_group *g, const struct space_groups *all)
{
	struct stmt *q;
	size_t i;
	bool has = false;

	for (i = 0; i < all->count && !has; i++) {
		shown_begin(&r->showing, r->db, &all->list[i]);
		r->seeing = viewer_search_new(r->db, r->arena, all->list[i].in);
		q = fulltext_match(r->db, query_group_expression(g, r->arena, all->list[i].scopes), r->m);
		while (!has && next_row(r, q))
			has = is_row_visible(r);
	}
	return has;
}

static int
by_pages(const void *x, const void *y)
{
	const struct space_group *a = x, *b = y;

	return (a->pages < b->pages) - (a->pages > b->pages);
}

/*
 * Correct words that no page has; true if one was corrected. A pasted message may have many such
 * words, and an organization many spaces: only some are tried.
 */
static bool
correct_words(struct run *r, const struct space_groups *all)
{
	struct space_group *biggest = arena_array(r->arena, all->count, sizeof(*biggest));
	struct query_group *g;
	bool mended = false, found;
	size_t i, tried = 0;

	/* A guest may read no space. */
	if (all->count == 0)
		return false;
	/* Start with the largest spaces: they have most of the words. */
	memcpy(biggest, all->list, all->count * sizeof(*biggest));
	sort_list(biggest, all->count, sizeof(*biggest), by_pages);
	for (g = r->query->groups; g < r->query->groups + r->query->count && tried < CORRECTED; g++) {
		if (has_rows(r, g, all))
			continue;
		tried++;
		for (i = 0, found = false; i < all->count && i < CORRECTED_IN && !found; i++)
			found = query_correct(r->db, r->arena, g, r->query->compounds, biggest[i].scopes);
		mended |= found;
	}
	return mended;
}

/*
 * True if the hits with all words suffice. Of a longer query, only rows with all words close
 * together count (together): a row with scattered words may be about something else, while the
 * right page expresses one word differently.
 */
static bool
is_enough(const struct run *r, int64_t count)
{
	const struct query_group *g = r->query->groups;

	/* A run of a script without blanks is several words, which a page may contain separately. */
	if (r->query->count == 1)
		return g->pair && g->count > 1 && !g->quoted ? count >= ENOUGH : count > 0 || g->count == 1 || g->quoted;
	return (r->query->count <= SHORT ? count : (int64_t)r->together) >= ENOUGH;
}

/* The steps: all words, then similar words, then some of the words. */
static void
search_steps(struct run *r, struct space_groups *all)
{
	int64_t count;

	query_trim(r->query, GROUPS);
	r->query->titles = query_stops(r->query);
	count = run_all(r, all);
	if (r->query->titles && count >= ENOUGH)
		return;
	if (r->query->titles) {
		r->query->titles = false;
		count = run_all(r, all);
	}
	/*
	 * For a short query without a hit, accept synonyms anywhere in the text; a sentence always
	 * finds something.
	 */
	r->query->anywhere = count == 0 && r->query->count <= SHORT;
	if (count == 0 && (query_open(r->query) || r->query->anywhere))
		count = run_all(r, all);
	if (count == 0 && correct_words(r, all))
		count = run_all(r, all);
	if (is_enough(r, count))
		return;
	/* If the whole name was found, its parts alone would be noise. */
	query_loosen(r->query, r->arena, count > 0);
	query_trim(r->query, LOOSE_GROUPS);
	r->scoring.loose = true;
	run_all(r, all);
}

/* Synonyms of the organization that all spaces belong to. */
static struct query_sets
synonyms_of_org(struct db *db, struct arena *a, const struct search_in *in, size_t n)
{
	struct query_sets own = { .most = SYNONYMS };
	struct stmt *q;
	int64_t pages = 0;
	size_t i;

	if (n == 0)
		return own;
	for (i = 0; i < n; i++)
		pages += in[i].pages;
	if (pages > LARGE)
		own.most = SYNONYMS_LARGE;
	q = db_use(db, &q_org);
	bind_int(q, ":no", in->no);
	if (stmt_step(q))
		own.list = own_sets(db, a, col_dup(q, 0, a), &own.n);
	return own;
}

/* See search.h. An empty query, or one of signs only, finds nothing. */
void
search(struct db *db, struct arena *a, struct str text, const struct search_in *in, size_t n,
    size_t want, const struct search_after *after, struct search_found *out)
{
	/* In the arena, since search_hits() uses it later. */
	struct run *r = arena_alloc(a, sizeof(*r));
	struct query_sets own;
	struct space_groups all;
	size_t i;

	*r = (struct run){ .db = db, .arena = a, .want = want, .after = after,
		.query = arena_alloc(a, sizeof(*r->query)), .m = arena_alloc(a, sizeof(*r->m)) };
	buf_init(&r->name, a, 1 << 20);
	for (i = 0; i < n; i++)
		out[i] = (struct search_found){ .in = in[i] };
	own = synonyms_of_org(db, a, in, n);
	query_read(r->query, a, text, search_language(db, a, text, in, n), &own);
	if (r->query->count == 0)
		return;
	all.list = group_spaces(db, a, in, n, &all.count);
	all.best = arena_array(a, all.count, sizeof(*all.best));
	search_steps(r, &all);
	return_all(r, &all, out);
}

void
search_hits(struct search_found *f)
{
	const struct search_rest *rest = f->rest;

	if (rest != NULL)
		return_rest(rest, rest->run->want, f);
}

/* Separate from search(): titles and sections are read only for the hits that are shown. */
const char *
search_page(struct db *db, struct arena *a, const struct search_hit *h)
{
	struct stmt *q = db_use(db, &q_page);

	bind_int(q, ":no", h->no);
	return stmt_dup(q, a);
}

static void
bind_shown(struct stmt *q, size_t i, void *ctx)
{
	bind_int(q, ":no", (*(struct search_hit *const *)ctx)[i].no);
}

/* Rows and texts of hits. */
static void
read_ahead(struct db *db, struct search_hit *hits, size_t n)
{
	n = n < SEARCH_AHEAD ? n : SEARCH_AHEAD;
	db_ahead(db, &q_shown, n, bind_shown, &hits);
	entry_texts_ahead(db, n, bind_shown, &hits);
}

void
search_shown(struct db *db, struct arena *a, struct search_found *f, size_t from, size_t to)
{
	struct search_hit *shown;
	struct stmt *q;
	size_t i;

	for (i = 0; from < to; from++, i++) {
		if (i % SEARCH_AHEAD == 0)
			read_ahead(db, f->hits + from, to - from);
		struct search_hit *h = &f->hits[from];
		struct candidate *c = f->kept->list[from];
		/* Duplicates that share an entry share its excerpts. */
		if (c->shown != NULL) {
			*h = *c->shown;
			continue;
		}
		q = db_use(db, &q_shown);
		bind_int(q, ":no", h->no);
		if (!stmt_step(q))
			continue;
		h->page = col_dup(q, 0, a);
		h->title = col_dup(q, 1, a);
		h->about = col_dup(q, 2, a);
		search_excerpts(db, a, f->kept, col_bytes(q, 3), c, h);
		c->shown = shown = arena_alloc(a, sizeof(*shown));
		*shown = *h;
	}
}
