/*
 * Events on published sites, counted by day, page and kind (table site_event). Implemented in
 * sites/insights.c.
 */
#ifndef OCTAVO_API_INSIGHTS_H
#define OCTAVO_API_INSIGHTS_H

#include "http/req.h"

extern const struct shape SiteEvents;

#endif
