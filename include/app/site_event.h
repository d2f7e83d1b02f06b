/*
 * Events on published sites, counted by day, page and kind (table site_event). A row is only a
 * number and contains no data about readers. Clients send events to the API; Octavo's own pages
 * send them to the site.
 */
#ifndef OCTAVO_SITE_EVENT_H
#define OCTAVO_SITE_EVENT_H

#include "db/db.h"

struct site_event {
	const char *site;
	int64_t     day;          /* since 1970 */
	const char *space, *site_space, *page;   /* ids; "": none */
	const char *kind;         /* page_view, page_post_feedback, …: the names in the API */
	const char *rating;       /* rating of the page, for kinds that have one; else "" */
	int64_t     times;        /* how often it happened; 0: once */
};

/* Counts an event. Inside a write transaction. */
void site_event_count(struct db *db, const struct site_event *e);

/* The number of events of this kind on the site on that day. Reads all rows of the day. */
int64_t site_event_total(struct db *db, const char *site, int64_t day, const char *kind);

#endif
