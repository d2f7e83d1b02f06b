/* The structure of a site as a tree, and moves within it. Implemented in sites/site_structure.c. */
#ifndef OCTAVO_API_SITE_STRUCTURE_H
#define OCTAVO_API_SITE_STRUCTURE_H

#include "http/req.h"

extern const struct shape SiteSpaceMove, SiteSectionMove, SiteGroupMove, SiteStructure, SiteStructureItem, SiteSort;

#endif
