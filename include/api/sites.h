/* Sites: settings, publishing, addresses. What other files need of sites/sites.c. */
#ifndef OCTAVO_API_SITES_H
#define OCTAVO_API_SITES_H

#include "http/req.h"

extern const struct shape Site, SiteList, SitesQuery, SiteCreate, SiteEdit;

#endif
