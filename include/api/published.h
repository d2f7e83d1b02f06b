/* What the other files of the room use of published.c. */
#ifndef OCTAVO_API_PUBLISHED_H
#define OCTAVO_API_PUBLISHED_H

#include "http/req.h"

extern const struct shape PublishedSite, ShareKeyQuery, ResolveURL, Resolved, ContentURLQuery, ContentByURL;

#endif
