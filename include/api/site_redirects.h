/* Redirects of a site from old addresses. Implemented in sites/site_redirects.c. */
#ifndef OCTAVO_API_SITE_REDIRECTS_H
#define OCTAVO_API_SITE_REDIRECTS_H

#include "http/req.h"

extern const struct shape SiteRedirect, SiteRedirectList, SiteRedirectCreate, SiteRedirectEdit, SiteRedirectsQuery,
    SiteRedirectQuery, SiteRedirectFound, SiteRedirectsPut, SiteRedirectsDone;

#endif
