/* Event names and the parsed query of site insights, shared by insights*.c. Table site_event. */
#ifndef OCTAVO_SITES_INSIGHTS_H
#define OCTAVO_SITES_INSIGHTS_H

#include "http/req.h"
#include "site.h"

struct cJSON;

/* Event names of the published client, 0.146.0 and later. */
#define INSIGHTS_EVENTS \
	"page_view,page_markdown_request,search_open,search_type_query,search_open_result,page_post_feedback," \
	"page_post_feedback_comment,agent_feedback,ask_question,ask_view,ask_rate_response,link_click," \
	"api_client_open,api_client_request,ad_click,ad_display,trademark_click,llms_request,mcp_request,rss_request"
#define INSIGHTS_RATINGS "bad,ok,good"

/* Columns of a query, in the order of insights_columns, their names in the API. */
enum column { BY_TIME, BY_TYPE, BY_SECTION, BY_SPACE, BY_PAGE, BY_RATING, COUNT, COLUMN_KINDS };
extern const char *const insights_columns[];

/* A query, parsed from the body of aggregateSiteEvents. */
struct insights_query {
	int64_t     from, to;                /* days since 1970, both inclusive */
	bool        shown[COLUMN_KINDS];     /* groups the rows */
	bool        asked[COLUMN_KINDS];     /* the query selects the column, or filters by it */
	enum column select[20];              /* columns of the answer */
	int         selected;
	const char *interval;                /* day, week, month; NULL: day */
	enum column by;                      /* column to order by; COLUMN_KINDS: none given */
	bool        descending;
	const struct cJSON *where;           /* filters; NULL: none */
};

/* Parses the body of aggregateSiteEvents into *a. 0, or fail() if the body contradicts itself. */
int insights_ask_or_fail(struct req *r, struct insights_query *a);
/* The column of c, a member of the query that has a member `column`. */
enum column insights_column(const struct cJSON *c);

#endif
