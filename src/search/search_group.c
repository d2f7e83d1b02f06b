/*
 * Spaces of a search that share entries: a space and its duplicates. They are searched together, so
 * that an entry is found once, however many spaces show it; then each entry is checked against the
 * spaces.
 */
#include "base/sort.h"
#include "search_parts.h"

/*
 * MAX_SCOPES: per group; each scope is one more list for every word of the query. MAX_STEPS: rows of
 * search_place that are stepped over instead of a new lookup. FEWEST_PLACES, MOST_PLACES: per lookup.
 */
enum { MAX_SCOPES = 64, MAX_STEPS = 8, FEWEST_PLACES = 64, MOST_PLACES = 4096 };

SQL(q_reads, "SELECT scope FROM search_reads WHERE space = :space ORDER BY scope");
SQL(q_from,
    "SELECT p.no, " SEARCH_FOUND " FROM search_place p WHERE p.space = :space AND p.no >= :no ORDER BY p.no "
    "LIMIT :most");
SQL(q_one,
    "SELECT 1 FROM search_place p WHERE p.space = :space AND p.no = :no AND " SEARCH_FOUND);

/* Scopes of a space in order; the first is that of the space at the root of all duplicates. */
struct reader {
	size_t   at;   /* index of the space in the list of the search */
	int64_t *scopes;
	size_t   count;
};

static int
by_root(const void *x, const void *y)
{
	const struct reader *a = x, *b = y;

	if (*a->scopes != *b->scopes)
		return *a->scopes < *b->scopes ? -1 : 1;
	return (a->at > b->at) - (a->at < b->at);
}

static int
by_number(const void *x, const void *y)
{
	int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;

	return (a > b) - (a < b);
}

/* List the spaces that read any scope. */
static struct reader *
list_readers(struct db *db, struct arena *a, const struct search_in *in, size_t n, size_t *count)
{
	struct reader *list = arena_array(a, n, sizeof(*list)), *r;
	struct stmt *q;
	size_t i, room;

	for (i = *count = 0; i < n; i++) {
		r = &list[*count];
		*r = (struct reader){ .at = i };
		room = 0;
		q = db_use(db, &q_reads);
		bind_int(q, ":space", in[i].no);
		while (stmt_step(q)) {
			r->scopes = arena_grow(a, r->scopes, r->count, &room, sizeof(*r->scopes));
			r->scopes[r->count++] = col_int(q, 0);
		}
		*count += r->count > 0;
	}
	return list;
}

/* Scopes of [from, to) without repeats, in the form of search_scope(). */
static const char *
join_scopes(struct arena *a, const struct reader *from, const struct reader *to)
{
	size_t n = 0, room = 0, i;
	int64_t *all = NULL;
	struct buf b;

	for (; from < to; from++)
		for (i = 0; i < from->count; i++) {
			all = arena_grow(a, all, n, &room, sizeof(*all));
			all[n++] = from->scopes[i];
		}
	sort_list(all, n, sizeof(*all), by_number);
	buf_init(&b, a, 64 << 10);
	for (i = 0; i < n; i++) {
		if (i > 0 && all[i] == all[i - 1])
			continue;
		if (b.n > 0)
			buf_char(&b, ',');
		buf_int(&b, all[i]);
	}
	return b.p;
}

/*
 * Number of readers from list[0] on that form a group. A space whose viewer is restricted is a
 * group of its own, since its results are filtered for that viewer.
 */
static size_t
group_length(const struct reader *list, size_t n, const struct search_in *in)
{
	size_t i, scopes = list->count;

	for (i = 1; i < n && *list[i].scopes == *list->scopes && in[list->at].viewer == NULL &&
	    in[list[i].at].viewer == NULL; i++) {
		/* All of them share the root. */
		scopes += list[i].count - 1;
		if (scopes > MAX_SCOPES)
			break;
	}
	return i;
}

struct space_group *
group_spaces(struct db *db, struct arena *a, const struct search_in *in, size_t n, size_t *count)
{
	size_t total, i, k;
	struct reader *list = list_readers(db, a, in, n, &total);
	struct space_group *groups = arena_array(a, total, sizeof(*groups)), *g;
	struct search_in *spaces;
	size_t *at;

	sort_list(list, total, sizeof(*list), by_root);
	for (i = *count = 0; i < total; i += g->count) {
		g = &groups[(*count)++];
		*g = (struct space_group){ .count = group_length(list + i, total - i, in) };
		g->scopes = join_scopes(a, list + i, list + i + g->count);
		spaces = arena_array(a, g->count, sizeof(*spaces));
		at = arena_array(a, g->count, sizeof(*at));
		for (k = 0; k < g->count; k++) {
			at[k] = list[i + k].at;
			spaces[k] = in[at[k]];
			g->pages = spaces[k].pages > g->pages ? spaces[k].pages : g->pages;
		}
		g->in = spaces;
		g->at = at;
	}
	return groups;
}

struct space_group
group_of_one(const struct space_group *g, size_t i)
{
	/*
	 * Keep the scopes of the whole group: entries of the other spaces are filtered out, and the
	 * weights of words stay those of the group.
	 */
	return (struct space_group){ &g->in[i], &g->at[i], 1, g->scopes, g->pages };
}

/* ---- visible entries ---- */

bool
space_shows_entry(struct db *db, const struct search_in *in, int64_t no)
{
	struct stmt *q = db_use(db, &q_one);

	bind_int(q, ":space", in->no);
	bind_int(q, ":no", no);
	bind_int(q, ":head", in->head);
	return stmt_int(q, 0) != 0;
}

void
shown_begin(struct shown_iterator *s, struct db *db, const struct space_group *g)
{
	*s = (struct shown_iterator){ .db = db, .group = g, .at = -1 };
}

/* Steps to the next place; INT64_MAX: there is none. False: the statement has no more, and a seek finds what follows. */
static bool
next_place(struct shown_iterator *s)
{
	if (stmt_step(s->q)) {
		s->left--;
		s->at = col_int(s->q, 0);
		return true;
	}
	if (s->left == 0)
		return false;
	s->at = INT64_MAX;
	return true;
}

/*
 * Moves to the first place at or after the row number. A server sends all rows of a statement at once: `most` of
 * them, which are few after a jump, and more where the place before was the last of a statement.
 */
static void
seek_row(struct shown_iterator *s, int64_t no, bool follows)
{
	s->most = !follows ? FEWEST_PLACES : s->most < MOST_PLACES ? s->most * 2 : s->most;
	s->left = s->most;
	s->q = db_use(s->db, &q_from);
	bind_int(s->q, ":space", s->group->in->no);
	bind_int(s->q, ":no", no);
	bind_int(s->q, ":head", s->group->in->head);
	bind_int(s->q, ":most", s->most);
	next_place(s);
}

/*
 * True if the group's first space shows the row. Matches and the space's entries are both read in
 * the order of row numbers: matches of a common word are near each other and cost a step each,
 * those of a rare word a lookup each.
 */
static bool
first_shows(struct shown_iterator *s, int64_t no)
{
	bool more = true;
	int i;

	/* The further parts of long pages come after all other rows. */
	if (no < s->last_row)
		s->at = -1;
	s->last_row = no;
	if (s->at == INT64_MAX)
		return false;
	if (s->at < 0)
		seek_row(s, no, false);
	for (i = 0; s->at < no && i < MAX_STEPS && more; i++)
		more = next_place(s);
	if (s->at < no)
		seek_row(s, no, !more);
	return s->at == no && col_int(s->q, 1) != 0;
}

bool
is_shown(struct shown_iterator *s, int64_t no)
{
	size_t i;

	if (first_shows(s, no))
		return true;
	for (i = 1; i < s->group->count; i++)
		if (space_shows_entry(s->db, &s->group->in[i], no))
			return true;
	return false;
}
