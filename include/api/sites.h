/* Sites: settings, publishing, addresses. Implemented in sites/sites.c. */
#ifndef OCTAVO_API_SITES_H
#define OCTAVO_API_SITES_H

#include "http/req.h"

extern const struct shape Site, SiteList, SitesQuery, SiteCreate, SiteEdit;

#endif
