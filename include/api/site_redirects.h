/* Redirects of a site: old addresses and where they lead. What other files need of sites/site_redirects.c. */
#ifndef OCTAVO_API_SITE_REDIRECTS_H
#define OCTAVO_API_SITE_REDIRECTS_H

#include "http/req.h"

extern const struct shape SiteRedirect, SiteRedirectList, SiteRedirectCreate, SiteRedirectEdit, SiteRedirectsQuery,
    SiteRedirectQuery, SiteRedirectFound, SiteRedirectsPut, SiteRedirectsDone;

#endif
