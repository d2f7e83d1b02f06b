/* Spaces that are made for a site: copies, and a template. Implemented in sites/site_copies.c. */
#ifndef OCTAVO_API_SITE_COPIES_H
#define OCTAVO_API_SITE_COPIES_H

#include "http/req.h"

extern const struct shape SiteSpaceDuplicate;

#endif
