/* What the other files of the room use of insights.c. */
#ifndef OCTAVO_API_INSIGHTS_H
#define OCTAVO_API_INSIGHTS_H

#include "http/req.h"

extern const struct shape SiteEvents;

#endif
