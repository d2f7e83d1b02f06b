/*
 * Events on published sites, counted by day, page and kind (table site_event): a number, and nothing
 * of the reader. Clients send them to the API, and readers of Octavo's own pages to the site.
 */
#ifndef OCTAVO_SITE_EVENT_H
#define OCTAVO_SITE_EVENT_H

#include "db/db.h"

struct site_event {
	const char *site;
	int64_t     day;          /* since 1970 */
	const char *space, *site_space, *page;   /* ids; "": none */
	const char *kind;         /* page_view, page_post_feedback, … as clients call it */
	const char *rating;       /* of a page, where the event gives one; else "" */
};

/* Counts one. Inside a write transaction. */
void site_event_count(struct db *db, const struct site_event *e);

/* How many events of this kind the site had on the day. Reads all rows of the day. */
int64_t site_event_total(struct db *db, const char *site, int64_t day, const char *kind);

#endif
