/* External links in the navigation of sites. Implemented in sites/site_links.c. */
#ifndef OCTAVO_API_SITE_LINKS_H
#define OCTAVO_API_SITE_LINKS_H

#include "http/req.h"

extern const struct shape SiteExternalLink, SiteExternalLinkAdd, SiteExternalLinkEdit;

#endif
