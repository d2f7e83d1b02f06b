/*
 * Search for viewers who do not see everything: hits in sections whose conditions fail are removed
 * from a row before it is scored.
 */
#include "base/sort.h"
#include "search_parts.h"

/* Uses the partial index search_page_conditional: most spaces have no such rows. */
SQL(q_conditional,
    "SELECT e.no FROM search_reads r JOIN search_page e ON e.scope = r.scope AND e.conditional = 1 "
    "WHERE r.space = :space");
SQL(q_row, "SELECT page, sections, division FROM search_page WHERE no = :no");

/* A ceiling, not an allocation, for a page's sections and conditions. */
#define SCRATCH ((size_t)1 << 30)

/* State of one search of one place for one viewer. */
struct viewer_search {
	struct db                  *db;
	struct arena               *scratch;   /* for one row at a time: a common word has thousands */
	const struct search_viewer *viewer;
	int64_t                    *rows;   /* rows with conditions, in order */
	size_t                      n;
};

static int
by_number(const void *x, const void *y)
{
	int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;

	return (a > b) - (a < b);
}

/* Reads the rows with conditions once, so that any other match costs a bisection. */
struct viewer_search *
viewer_search_new(struct db *db, struct arena *a, const struct search_in *in)
{
	struct viewer_search *s;
	struct stmt *q;
	size_t room = 0;

	if (in->viewer == NULL)
		return NULL;
	s = arena_alloc(a, sizeof(*s));
	*s = (struct viewer_search){ .db = db, .scratch = arena_within(a, SCRATCH), .viewer = in->viewer };
	q = db_use(db, &q_conditional);
	bind_int(q, ":space", in->no);
	while (stmt_step(q)) {
		s->rows = arena_grow(a, s->rows, s->n, &room, sizeof(*s->rows));
		s->rows[s->n++] = col_int(q, 0);
	}
	sort_list(s->rows, s->n, sizeof(*s->rows), by_number);
	return s;
}

/* One byte per section of the row, 1 if the viewer does not see it. */
static char *
unseen_sections(const struct viewer_search *s, int64_t no, const char *page, size_t count)
{
	char *out = arena_alloc(s->scratch, count + 1);
	size_t i, n;
	const struct doc_section *list = entry_sections(s->db, s->scratch, no, SIZE_MAX, SIZE_MAX, &n);

	/* Sections that cannot be read count as hidden. */
	memset(out, 1, count);
	for (i = 0; i < n && i < count; i++)
		out[i] = list[i].condition != NULL && !s->viewer->sees(s->viewer->ctx, page, list[i].condition);
	return out;
}

/*
 * Subtract hidden text of the sections [from, to) from the columns' sizes, so that scores do not reveal
 * its amount.
 */
static void
cut_sizes(struct str starts, const char *unseen, size_t from, size_t to, struct db_match *m)
{
	static const int columns[] = { IN_BODY, IN_HEADING };
	int k, end;
	size_t i;

	for (k = 0; k < 2; k++) {
		/*
		 * The last section ends with the column. Save the size first, since the loop
		 * reduces it.
		 */
		end = m->sizes[columns[k]] + (from == 0 ? 0 : (int)entry_section_start(starts, from, k));
		for (i = from; i < to; i++)
			if (unseen[i])
				m->sizes[columns[k]] -= (i + 1 < to ? (int)entry_section_start(starts, i + 1, k) : end) -
				    (int)entry_section_start(starts, i, k);
	}
}

/* Most words of a text that a hit covers. */
static int
hit_width(const struct query *q, const struct db_hit *h)
{
	const struct query_phrase *p = q == NULL ? NULL : &q->phrases[h->phrase];

	return p == NULL ? PARTS : p->whole ? (int)q->typed_count : p->width > 1 ? p->width : 1;
}

/*
 * Remove hits that touch hidden text: a phrase that begins in visible text and continues in hidden
 * text would reveal its words.
 */
static void
cut_hits(struct str starts, const char *unseen, const struct query *q, struct db_match *m)
{
	int i, n = 0;

	for (i = 0; i < m->count; i++) {
		const struct db_hit *h = &m->hits[i];
		int heading = h->column == IN_HEADING, end = h->position + hit_width(q, h) - 1;
		/*
		 * Title and path are visible with the page. For other hits, all sections from the
		 * first to the last word must be visible.
		 */
		if ((h->column != IN_BODY && !heading) || memchr(unseen + entry_section_at(starts, h->position, heading), 1,
		    entry_section_at(starts, end, heading) - entry_section_at(starts, h->position, heading) + 1) == NULL)
			/* In place, keeping the order that score_row() needs. */
			m->hits[n++] = *h;
	}
	m->count = n;
}

bool
cut_hidden_hits(const struct viewer_search *s, const struct query *query, struct db_match *m, int64_t part)
{
	struct str starts, bytes, division;
	size_t from, to;
	const char *page, *unseen;
	struct stmt *q;

	if (s == NULL || s->n == 0 || find_sorted(&m->row, s->rows, s->n, sizeof(*s->rows), by_number) == NULL)
		return false;
	q = db_use(s->db, &q_row);
	bind_int(q, ":no", m->row);
	if (!stmt_step(q))
		return false;
	arena_reset(s->scratch);
	page = col_dup(q, 0, s->scratch);
	bytes = col_bytes(q, 1);
	/* Copy: a column's bytes are valid until the statement is used again. */
	starts = (struct str){ arena_strndup(s->scratch, bytes.p, bytes.n), bytes.n };
	division = col_bytes(q, 2);
	from = part == 0 ? 0 : part_first(division, (size_t)part);
	to = (size_t)part + 1 < part_count(division) ? part_first(division, (size_t)part + 1) : starts.n / 8;
	unseen = unseen_sections(s, m->row, page, starts.n / 8);
	/* All conditions hold for this viewer: keep the row as it is. */
	if (memchr(unseen + from, 1, to - from) == NULL)
		return false;
	cut_sizes(starts, unseen, from, to, m);
	cut_hits(starts, unseen, query, m);
	return true;
}

bool
viewer_sees_page(const struct viewer_search *s, int64_t no)
{
	struct stmt *q;

	if (s == NULL)
		return true;
	q = db_use(s->db, &q_row);
	bind_int(q, ":no", no);
	/* A row that does not exist is visible to no one. */
	if (!stmt_step(q))
		return false;
	arena_reset(s->scratch);
	return s->viewer->sees(s->viewer->ctx, col_dup(q, 0, s->scratch), NULL);
}
