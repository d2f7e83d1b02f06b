/* What the other files of the room use of site_spaces.c. */
#ifndef OCTAVO_API_SITE_SPACES_H
#define OCTAVO_API_SITE_SPACES_H

#include "http/req.h"

extern const struct shape SiteSpace, SiteSpaceList, SiteSpacesQuery, SiteSpaceAdd, SiteSpaceEdit;

#endif
