/* What the other files of the room use of search_content.c. */
#ifndef OCTAVO_API_SEARCH_CONTENT_H
#define OCTAVO_API_SEARCH_CONTENT_H

#include "http/req.h"

extern const struct shape SiteSearch, SearchQuery, SearchPageList, SearchSpaceList;

#endif
