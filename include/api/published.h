/*
 * The first requests of a renderer of published sites: resolve an address (POST /urls/published),
 * and describe the site (…/published). Implemented in sites/published.c.
 */
#ifndef OCTAVO_API_PUBLISHED_H
#define OCTAVO_API_PUBLISHED_H

#include "http/req.h"

extern const struct shape PublishedSite, ShareKeyQuery, ResolveURL, Resolved, ContentURLQuery, ContentByURL;

/*
 * Divides an absolute address into host, with its port, and path, without what the renderer of the
 * published service appends ("/~/…"). url was checked as T_URI. The results are in the arena or in url.
 */
void published_split_url(struct req *r, const char *url, const char **host, const char **path);

#endif
