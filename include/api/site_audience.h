/*
 * To whom a site is open: share links, the key that visitors' claims are signed with, and previews. What other
 * files need of sites/site_audience.c.
 */
#ifndef OCTAVO_API_SITE_AUDIENCE_H
#define OCTAVO_API_SITE_AUDIENCE_H

#include "http/req.h"

extern const struct shape ShareLink, ShareLinkList, ShareLinkCreate, ShareLinkEdit, SiteAuth, SiteAuthEdit,
    PreviewQuery, SitePreview;

#endif
