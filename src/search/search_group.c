/*
 * Places of a search that share entries: a space and its duplicates. They are searched together, so
 * that an entry is found once, however many places show it; then each entry is checked against the
 * places.
 */
#include "base/sort.h"
#include "search_parts.h"

/*
 * MOST: scopes per group, each of which is one more list for every word of the query. NEAR_BY:
 * places that are stepped over instead of a new lookup.
 */
enum { MOST = 64, NEAR_BY = 8 };

SQL(q_reads, "SELECT scope FROM search_reads WHERE space = :space ORDER BY scope");
SQL(q_from,
    "SELECT p.no, " SEARCH_FOUND " FROM search_place p WHERE p.space = :space AND p.no >= :no ORDER BY p.no");
SQL(q_one,
    "SELECT 1 FROM search_place p WHERE p.space = :space AND p.no = :no AND " SEARCH_FOUND);

/* Scopes of a place in order; the first is that of the space at the root of all duplicates. */
struct reader {
	size_t   at;
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

/* List the places that read any scope. */
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
scopes_of(struct arena *a, const struct reader *from, const struct reader *to)
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
 * Number of readers from list[0] on that form a group. A restricted viewer is a group of one, since
 * rows are cut for them.
 */
static size_t
count_alike(const struct reader *list, size_t n, const struct search_in *in)
{
	size_t i, scopes = list->count;

	for (i = 1; i < n && *list[i].scopes == *list->scopes && in[list->at].viewer == NULL &&
	    in[list[i].at].viewer == NULL; i++) {
		/* All of them share the root. */
		scopes += list[i].count - 1;
		if (scopes > MOST)
			break;
	}
	return i;
}

struct place_group *
groups_of(struct db *db, struct arena *a, const struct search_in *in, size_t n, size_t *count)
{
	size_t total, i, k;
	struct reader *list = list_readers(db, a, in, n, &total);
	struct place_group *groups = arena_array(a, total, sizeof(*groups)), *g;
	struct search_in *places;
	size_t *at;

	sort_list(list, total, sizeof(*list), by_root);
	for (i = *count = 0; i < total; i += g->count) {
		g = &groups[(*count)++];
		*g = (struct place_group){ .count = count_alike(list + i, total - i, in) };
		g->scopes = scopes_of(a, list + i, list + i + g->count);
		places = arena_array(a, g->count, sizeof(*places));
		at = arena_array(a, g->count, sizeof(*at));
		for (k = 0; k < g->count; k++) {
			at[k] = list[i + k].at;
			places[k] = in[at[k]];
			g->pages = places[k].pages > g->pages ? places[k].pages : g->pages;
		}
		g->in = places;
		g->at = at;
	}
	return groups;
}

struct place_group
group_alone(const struct place_group *g, size_t i)
{
	/*
	 * Keep the scopes of all: entries of others are filtered out, and the weights stay those of
	 * the group.
	 */
	return (struct place_group){ &g->in[i], &g->at[i], 1, g->scopes, g->pages };
}

/* ---- visible entries ---- */

bool
group_shows(struct db *db, const struct search_in *in, int64_t no)
{
	struct stmt *q = db_use(db, &q_one);

	bind_int(q, ":space", in->no);
	bind_int(q, ":no", no);
	bind_int(q, ":head", in->head);
	return stmt_int(q, 0) != 0;
}

void
showing_begin(struct place_iterator *s, struct db *db, const struct place_group *g)
{
	*s = (struct place_iterator){ .db = db, .group = g, .at = -1 };
}

/* First place at or after the row number. */
static void
seek_row(struct place_iterator *s, int64_t no)
{
	s->q = db_use(s->db, &q_from);
	bind_int(s->q, ":space", s->group->in->no);
	bind_int(s->q, ":no", no);
	bind_int(s->q, ":head", s->group->in->head);
	s->at = stmt_step(s->q) ? col_int(s->q, 0) : INT64_MAX;
}

/*
 * True if the group's first place shows the row. Matches and places come in the order of numbers: a
 * common word costs a step each, a rare one a lookup.
 */
static bool
first_shows(struct place_iterator *s, int64_t no)
{
	int i;

	/* The further parts of long pages come after all other rows. */
	if (no < s->asked)
		s->at = -1;
	s->asked = no;
	if (s->at == INT64_MAX)
		return false;
	if (s->at < 0)
		seek_row(s, no);
	for (i = 0; s->at < no && i < NEAR_BY; i++)
		s->at = stmt_step(s->q) ? col_int(s->q, 0) : INT64_MAX;
	if (s->at < no)
		seek_row(s, no);
	return s->at == no && col_int(s->q, 1) != 0;
}

bool
is_shown(struct place_iterator *s, int64_t no)
{
	size_t i;

	if (first_shows(s, no))
		return true;
	for (i = 1; i < s->group->count; i++)
		if (group_shows(s->db, &s->group->in[i], no))
			return true;
	return false;
}
