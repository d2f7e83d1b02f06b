/*
 * Site spaces: spaces as variants of a site or of one of its sections. Implemented in
 * sites/site_spaces.c.
 */
#ifndef OCTAVO_API_SITE_SPACES_H
#define OCTAVO_API_SITE_SPACES_H

#include "http/req.h"

extern const struct shape SiteSpace, SiteSpaceList, SiteSpacesQuery, SiteSpaceAdd, SiteSpaceEdit;

#endif
