/* Shapes of queries about events of a site. Implemented in sites/insights_ask.c. */
#ifndef OCTAVO_API_INSIGHTS_ASK_H
#define OCTAVO_API_INSIGHTS_ASK_H

#include "http/req.h"

extern const struct shape SiteEventsAsk, SiteEventsTold;

#endif
