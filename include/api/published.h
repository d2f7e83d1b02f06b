/*
 * The first requests of a renderer of published sites: resolve an address (POST /urls/published),
 * and describe the site (…/published). Implemented in sites/published.c.
 */
#ifndef OCTAVO_API_PUBLISHED_H
#define OCTAVO_API_PUBLISHED_H

#include "http/req.h"

extern const struct shape PublishedSite, ShareKeyQuery, ResolveURL, Resolved, ContentURLQuery, ContentByURL;

#endif
