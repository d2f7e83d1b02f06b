/*
 * What a question about events of a site may ask for, and how it is read. What other files need of
 * sites/insights_ask.c.
 */
#ifndef OCTAVO_API_INSIGHTS_ASK_H
#define OCTAVO_API_INSIGHTS_ASK_H

#include "http/req.h"

extern const struct shape SiteEventsAsk, SiteEventsTold;

#endif
