/* Shapes and parsing of queries about events of a site. insights_read.c answers them. */
#include <cjson/cJSON.h>

#include "api/examples.h"
#include "api/insights_ask.h"
#include "http/req.h"
#include "insights.h"

const char *const insights_columns[] = {
	"datetime", "eventType", "siteSection", "siteSpace", "page", "eventPageFeedbackRating", "eventsCount" };
#define COLUMNS "datetime,eventType,siteSection,siteSpace,page,eventPageFeedbackRating,eventsCount"

#define INTERVALS "day,week,month"
#define OPERATORS "in,notIn,greaterThan,greaterThanOrEqual,lessThan,lessThanOrEqual"

static const struct shape Column = { "SiteEventsColumn", (const struct field[]){
	{ "column", T_ENUM, F_REQ, .set = COLUMNS, .doc = "What to show or to group by" },
	{ "interval", T_ENUM, .set = INTERVALS, .preset = "\"day\"", .doc = "Of datetime: period of time that one value covers" },
	{ 0 } } };

static const struct shape PageOfSpace = { "SiteEventsPageOfSpace", (const struct field[]){
	{ "page", T_TEXT, F_REQ, .max = 100, .doc = "Id of the page", .example = EXAMPLE_PAGE },
	{ "space", T_TEXT, F_REQ, .max = 100, .doc = "Id of its space", .example = EXAMPLE_SPACE },
	{ 0 } } };
static const struct field a_time = { "", T_TIME }, an_event = { "", T_ENUM, .set = INSIGHTS_EVENTS },
    a_rating = { "", T_ENUM, F_NULL, .set = INSIGHTS_RATINGS }, a_number = { "", T_NUMBER, .example = "12" },
    an_id = { "", T_TEXT, F_NULL, .max = 100, .example = EXAMPLE_SITE_SPACE },
    a_page = { "", T_OBJECT, F_NULL, .of = &PageOfSpace };

/* Defines two shapes of a column: its values in an answer, and a filter, which also has an operator. */
#define VALUES(name_, column_, item_) \
	static const struct shape name_ = { "SiteEvents" #name_, (const struct field[]){ \
		{ "column", T_CONST, F_REQ, .set = column_, .doc = "The column" }, \
		{ "values", T_LIST, F_REQ, .item = &item_, .doc = "Values of the column, one for each row" }, \
		{ 0 } } }; \
	static const struct shape name_##Filter = { "SiteEvents" #name_ "Filter", (const struct field[]){ \
		{ "column", T_CONST, F_REQ, .set = column_, .doc = "The column" }, \
		{ "values", T_LIST, F_REQ, .item = &item_, .min = 1, .max = 1000, .doc = "Values to compare with" }, \
		{ "operator", T_ENUM, .set = OPERATORS, .preset = "\"in\"", \
		  .doc = "How to compare; operators for larger and smaller are only for datetime and eventsCount, and take one value" }, \
		{ 0 } } }
VALUES(Times, "datetime", a_time);
VALUES(Types, "eventType", an_event);
VALUES(Sections, "siteSection", an_id);
VALUES(Spaces, "siteSpace", an_id);
VALUES(Pages, "page", a_page);
VALUES(Ratings, "eventPageFeedbackRating", a_rating);
VALUES(Counts, "eventsCount", a_number);
static const struct shape Values = { "SiteEventsValues", NULL, (const struct shape *const[]){
	&Times, &Types, &Sections, &Spaces, &Pages, &Ratings, &Counts, NULL } };
static const struct shape Filter = { "SiteEventsFilter", NULL, (const struct shape *const[]){
	&TimesFilter, &TypesFilter, &SectionsFilter, &SpacesFilter, &PagesFilter, &RatingsFilter, &CountsFilter, NULL } };

static const struct field preset = { "", T_ENUM, .set = "last24Hours,last7Days,last30Days,last3Months,lastYear" };
static const int preset_days[] = { 1, 7, 30, 91, 365 };
static const struct shape Range = { "SiteEventsRange", (const struct field[]){
	{ "from", T_TIME, F_REQ, .doc = "Time in the first day of the range" },
	{ "to", T_TIME, F_REQ, .doc = "Time in the last day of the range" },
	{ 0 } } };
static const struct shape Order = { "SiteEventsOrder", (const struct field[]){
	{ "by", T_OBJECT, F_REQ, .of = &Column, .doc = "A column that is selected or grouped by" },
	{ "direction", T_ENUM, F_REQ, .set = "asc,desc", .doc = "Direction: asc or desc" },
	{ 0 } } };
const struct shape SiteEventsAsk = { "AggregateSiteEvents", (const struct field[]){
	{ "range", T_EITHER, F_REQ, .item = &preset, .of = &Range, .example = "\"last30Days\"",
	  .doc = "Range of time, in whole days (UTC)" },
	{ "select", T_LIST, .of = &Column, .max = 20, .doc = "Columns to show; absent: those of `groupBy`, and eventsCount" },
	{ "groupBy", T_LIST, .of = &Column, .max = 20, .doc = "Columns whose values make a row, in addition to the selected columns" },
	{ "where", T_LIST, .of = &Filter, .max = 20, .doc = "Conditions; events count if all conditions hold" },
	{ "order", T_OBJECT, .of = &Order, .doc = "Order of the rows; absent: by time if datetime is a column, otherwise the largest "
	  "count first" },
	{ "limit", T_INT, .min = 1, .max = 1000, .preset = "1000", .doc = "Maximum number of rows" },
	{ 0 } } };
const struct shape SiteEventsTold = { "SiteEventsAggregation", (const struct field[]){
	{ "columns", T_LIST, F_REQ, .of = &Values, .doc = "Columns of a table; values at the same index are one row",
	  .example = "[{\"column\":\"eventsCount\",\"values\":[12]}]" },
	{ 0 } } };

enum column
insights_column(const cJSON *c)
{
	const char *name = cJSON_GetObjectItemCaseSensitive(c, "column")->valuestring;
	enum column i;

	for (i = 0; strcmp(insights_columns[i], name) != 0; i++)
		;
	return i;
}

/*
 * Sets the interval of the query, and refuses a second one: a row cannot be for a week and for a
 * month at once. 0 or fail_field().
 */
static int
interval_or_fail(struct req *r, struct insights_query *a, const cJSON *c, const char *path)
{
	const cJSON *m = cJSON_GetObjectItemCaseSensitive(c, "interval");

	if (m == NULL)
		return 0;
	if (insights_column(c) != BY_TIME)
		return fail_field(r, path, "is allowed for datetime only");
	if (a->interval != NULL && strcmp(a->interval, m->valuestring) != 0)
		return fail_field(r, path, "differs from %s: a query has one interval", a->interval);
	a->interval = m->valuestring;
	return 0;
}

static int
columns_or_fail(struct req *r, struct insights_query *a, const char *name, bool select)
{
	const cJSON *c;
	int i = 0;

	cJSON_ArrayForEach(c, body_get(r, name)) {
		if (interval_or_fail(r, a, c, arena_printf(r->arena, "/%s/%d/interval", name, i++)) != 0)
			return -1;
		a->shown[insights_column(c)] = a->asked[insights_column(c)] = true;
		if (select)
			a->select[a->selected++] = insights_column(c);
	}
	return 0;
}

/*
 * Operators for greater and less are refused for texts, which can only be equal or different. 0 or
 * fail_field().
 */
static int
filters_or_fail(struct req *r, struct insights_query *a)
{
	const cJSON *f, *op;
	int i = 0;

	cJSON_ArrayForEach(f, a->where) {
		enum column c = insights_column(f);
		const char *path = arena_printf(r->arena, "/where/%d", i++);
		a->asked[c] = true;
		op = cJSON_GetObjectItemCaseSensitive(f, "operator");
		if (op == NULL || strcmp(op->valuestring, "in") == 0 || strcmp(op->valuestring, "notIn") == 0)
			continue;
		if (c != BY_TIME && c != COUNT)
			return fail_field(r, arena_printf(r->arena, "%s/operator", path), "is allowed for datetime and eventsCount only");
		if (cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(f, "values")) != 1)
			return fail_field(r, arena_printf(r->arena, "%s/values", path), "must be one value with this operator");
	}
	return 0;
}

static int
order_or_fail(struct req *r, struct insights_query *a)
{
	const cJSON *order = body_get(r, "order"), *by = cJSON_GetObjectItemCaseSensitive(order, "by");

	a->by = COLUMN_KINDS;
	if (order == NULL)
		return 0;
	if (interval_or_fail(r, a, by, "/order/by/interval") != 0)
		return -1;
	a->by = insights_column(by);
	a->descending = strcmp(cJSON_GetObjectItemCaseSensitive(order, "direction")->valuestring, "desc") == 0;
	return a->by == COUNT || a->shown[a->by] ? 0 : fail_field(r, "/order/by/column", "is neither selected nor grouped by");
}

/* Reads the first and the last day. 0 or fail_field(). */
static int
range_or_fail(struct req *r, struct insights_query *a)
{
	const cJSON *range = body_get(r, "range"), *from = cJSON_GetObjectItemCaseSensitive(range, "from");
	const char *word = preset.set;
	int i;

	if (cJSON_IsObject(range)) {
		time_parse(from->valuestring, &a->from);
		time_parse(cJSON_GetObjectItemCaseSensitive(range, "to")->valuestring, &a->to);
		a->from /= DAY_MS;
		a->to /= DAY_MS;
		return a->from <= a->to ? 0 : fail_field(r, "/range/from", "is after the end");
	}
	for (i = 0; strncmp(word, range->valuestring, strlen(range->valuestring)) != 0; i++)
		word = strchr(word, ',') + 1;
	a->to = time_now() / DAY_MS;
	a->from = a->to - preset_days[i];
	return 0;
}

int
insights_ask_or_fail(struct req *r, struct insights_query *a)
{
	enum column c;

	memset(a, 0, sizeof(*a));
	a->where = body_get(r, "where");
	if (range_or_fail(r, a) != 0 || columns_or_fail(r, a, "select", true) != 0 ||
	    columns_or_fail(r, a, "groupBy", false) != 0 || filters_or_fail(r, a) != 0 || order_or_fail(r, a) != 0)
		return -1;
	if (a->selected > 0)
		return 0;
	for (c = 0; c < COUNT; c++)
		if (a->shown[c])
			a->select[a->selected++] = c;
	a->select[a->selected++] = COUNT;
	return 0;
}
