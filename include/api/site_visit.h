/* Members visit sites with visitor authentication. Implemented in sites/site_visit.c. */
#ifndef OCTAVO_API_SITE_VISIT_H
#define OCTAVO_API_SITE_VISIT_H

#include "http/req.h"

extern const struct shape SiteVisit, SiteVisited;

#endif
