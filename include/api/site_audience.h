/*
 * Access to a site: share links, the key that signs visitors' claims, and previews. Implemented in
 * sites/site_audience.c.
 */
#ifndef OCTAVO_API_SITE_AUDIENCE_H
#define OCTAVO_API_SITE_AUDIENCE_H

#include "http/req.h"

extern const struct shape ShareLink, ShareLinkList, ShareLinkCreate, ShareLinkEdit, SiteAuth, SiteAuthEdit,
    PreviewQuery, SitePreview, RequestPreviewsQuery, RequestPreviewList, SpaceSiteList;

#endif
