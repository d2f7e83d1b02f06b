/*
 * Search in one space, and in all spaces of an organization that the caller may read. Implemented
 * in content/search_content.c.
 */
#ifndef OCTAVO_API_SEARCH_CONTENT_H
#define OCTAVO_API_SEARCH_CONTENT_H

#include "http/req.h"

extern const struct shape SiteSearch, SearchQuery, SearchPageList, SearchSpaceList;

#endif
