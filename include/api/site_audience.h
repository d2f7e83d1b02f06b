/* What the other files of the room use of site_audience.c. */
#ifndef OCTAVO_API_SITE_AUDIENCE_H
#define OCTAVO_API_SITE_AUDIENCE_H

#include "http/req.h"

extern const struct shape ShareLink, ShareLinkList, ShareLinkCreate, ShareLinkEdit, SiteAuth, SiteAuthEdit,
    PreviewQuery, SitePreview;

#endif
