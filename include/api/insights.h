/*
 * What happens on published sites, counted by day, page and kind (table site_event). What other files need of
 * sites/insights.c.
 */
#ifndef OCTAVO_API_INSIGHTS_H
#define OCTAVO_API_INSIGHTS_H

#include "http/req.h"

extern const struct shape SiteEvents;

#endif
