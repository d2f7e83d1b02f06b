/* What the two files about events of sites share: their words. Table site_event. */
#ifndef OCTAVO_SITES_INSIGHTS_H
#define OCTAVO_SITES_INSIGHTS_H

#include "http/req.h"
#include "site.h"

struct cJSON;

/* Of the published client, 0.146.0 and later ones. */
#define INSIGHTS_EVENTS \
	"page_view,page_markdown_request,search_open,search_type_query,search_open_result,page_post_feedback," \
	"page_post_feedback_comment,agent_feedback,ask_question,ask_view,ask_rate_response,link_click," \
	"api_client_open,api_client_request,ad_click,ad_display,trademark_click,llms_request,mcp_request,rss_request"
#define INSIGHTS_RATINGS "bad,ok,good"

/* What can be asked for; their names in this order. */
enum column { BY_TIME, BY_TYPE, BY_SECTION, BY_SPACE, BY_PAGE, BY_RATING, COUNT, COLUMN_KINDS };
extern const char *const insights_columns[];

/* A question, read from the body of aggregateSiteEvents. */
struct ask {
	int64_t     from, to;                /* days since 1970, both counted */
	bool        shown[COLUMN_KINDS];     /* makes rows */
	bool        asked[COLUMN_KINDS];     /* is looked at: shown, or in a filter */
	enum column select[20];              /* columns of the answer */
	int         selected;
	const char *interval;                /* day, week, month; NULL: day */
	enum column by;                      /* COLUMN_KINDS: no order was given */
	bool        descending;
	const struct cJSON *where;           /* filters; NULL: none */
};

/* 0, or fail(): it contradicts itself. */
int insights_ask_or_fail(struct req *r, struct ask *a);
/* The column that an object of the question names. */
enum column insights_column(const struct cJSON *c);

#endif
