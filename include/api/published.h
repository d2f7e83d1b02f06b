/*
 * What a renderer of published sites asks first: which site, space and page an address leads to (POST
 * /urls/published), and what that site is (…/published). What other files need of sites/published.c.
 */
#ifndef OCTAVO_API_PUBLISHED_H
#define OCTAVO_API_PUBLISHED_H

#include "http/req.h"

extern const struct shape PublishedSite, ShareKeyQuery, ResolveURL, Resolved, ContentURLQuery, ContentByURL;

#endif
