/*
 * Aggregates the event counts of a site (table site_event) as the query requests. One SQL statement
 * groups by all columns that the query uses. This file then applies filters, weeks and months,
 * order and limit to its rows.
 */
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <time.h>

#include "base/map.h"
#include "http/req.h"
#include "store/content.h"
#include "insights.h"

/*
 * A column that the query does not use is NULL in all rows, so that GROUP BY over all columns
 * groups by the used ones. The section is the one in which the site space is now.
 */
SQL(q_counts,
    "SELECT CASE WHEN :c0 = 1 THEN e.day END, CASE WHEN :c1 = 1 THEN e.event END, "
    "CASE WHEN :c2 = 1 THEN x.section END, CASE WHEN :c3 = 1 THEN NULLIF(e.site_space, '') END, "
    "CASE WHEN :c4 = 1 THEN NULLIF(e.page, '') END, CASE WHEN :c5 = 1 THEN NULLIF(e.rating, '') END, "
    "CASE WHEN :c4 = 1 THEN e.space END, sum(e.n) FROM site_event e LEFT JOIN site_space x ON x.id = e.site_space "
    "WHERE e.site = :site AND e.day >= :from AND e.day <= :to GROUP BY 1, 2, 3, 4, 5, 6, 7 /*scan*/");

/* A row of the answer: its values and its count. text[BY_TIME] is unused: day has the value. */
struct group {
	int64_t     day;          /* the first day of its interval */
	const char *text[COUNT];   /* NULL: no value */
	const char *space;        /* of text[BY_PAGE] */
	int64_t     n;
};

/*
 * Returns the first day of the week (Monday, ISO 8601) or month that contains `day`. Day 0, 1
 * January 1970, was a Thursday.
 */
static int64_t
first_day(const char *interval, int64_t day)
{
	time_t t = (time_t)(day * 24 * 60 * 60);
	struct tm tm;

	if (interval == NULL || strcmp(interval, "day") == 0)
		return day;
	if (strcmp(interval, "week") == 0)
		return day - (day + 3) % 7;
	gmtime_r(&t, &tm);
	return day - (tm.tm_mday - 1);
}

/* ---- filters ---- */

/* Compares the row's value in column c with v: negative, 0 or positive. For texts: 0 if equal, else another number. */
static int
compare_value(const struct group *g, enum column c, const cJSON *v)
{
	const cJSON *page = cJSON_GetObjectItemCaseSensitive(v, "page");
	int64_t ms = 0;

	switch (c) {
	case BY_TIME:
		time_parse(v->valuestring, &ms);
		return (g->day > ms / DAY_MS) - (g->day < ms / DAY_MS);
	case COUNT:
		return ((double)g->n > v->valuedouble) - ((double)g->n < v->valuedouble);
	default:
		if (g->text[c] == NULL || cJSON_IsNull(v))
			return g->text[c] == NULL && cJSON_IsNull(v) ? 0 : 1;
		if (c != BY_PAGE)
			return strcmp(g->text[c], v->valuestring);
		return strcmp(g->text[c], page->valuestring) != 0 ||
		    strcmp(g->space, cJSON_GetObjectItemCaseSensitive(v, "space")->valuestring) != 0;
	}
}

static bool
filter_holds(const struct group *g, const cJSON *filter)
{
	const cJSON *op = cJSON_GetObjectItemCaseSensitive(filter, "operator"), *v;
	const char *how = op == NULL ? "in" : op->valuestring;
	const cJSON *values = cJSON_GetObjectItemCaseSensitive(filter, "values");
	enum column c = insights_column(filter);
	bool among = false;
	int is;

	cJSON_ArrayForEach(v, values)
		among |= compare_value(g, c, v) == 0;
	if (strcmp(how, "in") == 0 || strcmp(how, "notIn") == 0)
		return among == (how[0] == 'i');
	is = compare_value(g, c, values->child);
	/* The names of operators that include equality end in "OrEqual", those of the others in "Than". */
	if (is == 0)
		return how[strlen(how) - 1] == 'l';
	return (is > 0) == (how[0] == 'g');
}

/*
 * True if the row passes the filters: with counts true those on the count, which need the sum; with
 * false all others.
 */
static bool
all_filters_hold(const struct group *g, const cJSON *where, bool counts)
{
	const cJSON *f;

	cJSON_ArrayForEach(f, where)
		if ((insights_column(f) == COUNT) == counts && !filter_holds(g, f))
			return false;
	return true;
}

/* ---- groups ---- */

struct groups {
	struct map   *by_key;
	struct group *all;
	size_t        n, room;
};

static const char *
text_or_empty(const char *s)
{
	return s == NULL ? "" : s;
}

/* Returns the map key of a group. The page id is last, since it comes from clients and may contain the separator. */
static struct str
group_key(struct arena *a, const struct group *g)
{
	return str_of(arena_printf(a, "%lld\n%s\n%s\n%s\n%s\n%s\n%s", (long long)g->day, text_or_empty(g->text[BY_TYPE]),
	    text_or_empty(g->text[BY_SECTION]), text_or_empty(g->text[BY_SPACE]), text_or_empty(g->text[BY_RATING]), text_or_empty(g->space),
	    text_or_empty(g->text[BY_PAGE])));
}

/* Adds a row of the statement to its group. */
static void
add_row(struct req *r, const struct insights_query *a, struct groups *gs, const struct group *row)
{
	struct group g = *row;
	void **at;
	enum column c;

	g.day = a->shown[BY_TIME] ? first_day(a->interval, row->day) : 0;
	for (c = BY_TYPE; c < COUNT; c++)
		g.text[c] = a->shown[c] ? row->text[c] : NULL;
	g.space = a->shown[BY_PAGE] ? row->space : NULL;
	at = map_at(gs->by_key, group_key(r->arena, &g));
	if (*at != NULL) {
		gs->all[(size_t)(uintptr_t)*at - 1].n += g.n;
		return;
	}
	if (gs->n == gs->room) {
		struct group *more = arena_alloc(r->arena, (gs->room = gs->room * 2 + 64) * sizeof(*more));
		if (gs->n > 0)
			memcpy(more, gs->all, gs->n * sizeof(*more));
		gs->all = more;
	}
	gs->all[gs->n++] = g;
	/* Stores an index and not a pointer, since the array moves when it grows. */
	*at = (void *)(uintptr_t)gs->n;
}

static void
collect_rows(struct req *r, const struct insights_query *a, struct groups *gs)
{
	static const char *const flags[] = { ":c0", ":c1", ":c2", ":c3", ":c4", ":c5" };
	struct stmt *q = db_use(r->db, &q_counts);
	enum column c;

	for (c = 0; c < COUNT; c++)
		bind_int(q, flags[c], a->asked[c]);
	bind_text(q, ":site", r->site.id);
	bind_int(q, ":from", a->from);
	bind_int(q, ":to", a->to);
	while (stmt_step(q)) {
		struct group g = { .day = col_int(q, 0), .n = col_int(q, 7) };
		for (c = BY_TYPE; c < COUNT; c++)
			g.text[c] = col_dup(q, (int)c, r->arena);
		g.space = col_dup(q, 6, r->arena);
		if (all_filters_hold(&g, a->where, false))
			add_row(r, a, gs, &g);
	}
	/* Without grouping the answer has one row even if no event matches, with the sum 0. */
	for (c = 0; c < COUNT && !a->shown[c]; c++)
		;
	if (gs->n == 0 && c == COUNT)
		add_row(r, a, gs, &(struct group){ .n = 0 });
}

/* ---- the answer ---- */

static int
compare_column(const struct group *x, const struct group *y, enum column c)
{
	if (c == BY_TIME)
		return (x->day > y->day) - (x->day < y->day);
	if (c == COUNT)
		return (x->n > y->n) - (x->n < y->n);
	/* Rows without a value come first. */
	return strcmp(text_or_empty(x->text[c]), text_or_empty(y->text[c]));
}

/*
 * Compares two groups for qsort_r(). Equal ones are ordered by all columns, so that the same query
 * always has the same answer.
 */
static int
compare_groups(const void *x, const void *y, void *ctx)
{
	const struct insights_query *a = ctx;
	enum column by = a->by != COLUMN_KINDS ? a->by : a->shown[BY_TIME] ? BY_TIME : COUNT, c;
	int d = compare_column(x, y, by);

	if (d != 0)
		return (a->by != COLUMN_KINDS ? a->descending : by == COUNT) ? -d : d;
	for (c = 0; c < COUNT && d == 0; c++)
		d = compare_column(x, y, c);
	return d;
}

static void
write_value(struct json *j, const struct group *g, enum column c)
{
	char when[25];

	if (c == COUNT) {
		json_int(j, g->n);
	} else if (c == BY_TIME) {
		time_format(g->day * DAY_MS, when);
		json_str(j, when);
	} else if (g->text[c] == NULL) {
		json_null(j);
	} else if (c == BY_PAGE) {
		json_obj(j);
		json_kstr(j, "page", g->text[c]);
		json_kstr(j, "space", g->space);
		json_end(j);
	} else {
		json_str(j, g->text[c]);
	}
}

/* POST /orgs/{organizationId}/sites/{siteId}/insights/events/aggregate */
HANDLER(aggregateSiteEvents)
{
	struct groups gs = { .by_key = map_new(r->arena) };
	const cJSON *limit = body_get(r, "limit");
	struct json *j = &r->json;
	struct insights_query a;
	size_t i, most = limit == NULL ? 1000 : (size_t)limit->valueint, n = 0;
	int c;

	if (insights_ask_or_fail(r, &a) != 0)
		return -1;
	collect_rows(r, &a, &gs);
	for (i = 0; i < gs.n; i++)
		if (all_filters_hold(&gs.all[i], a.where, true))
			gs.all[n++] = gs.all[i];
	if (n > 1)
		qsort_r(gs.all, n, sizeof(*gs.all), compare_groups, &a);
	json_obj(j);
	json_karr(j, "columns");
	for (c = 0; c < a.selected; c++) {
		json_obj(j);
		json_kstr(j, "column", insights_columns[a.select[c]]);
		json_karr(j, "values");
		for (i = 0; i < n && i < most; i++)
			write_value(j, &gs.all[i], a.select[c]);
		json_end(j);
		json_end(j);
	}
	json_end(j);
	json_end(j);
	return 0;
}
