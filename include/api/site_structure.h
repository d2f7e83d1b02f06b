/*
 * The structure of a site as a tree, and the order in it: sections and groups share one among what is in their
 * group, site spaces have one in their section. What other files need of sites/site_structure.c.
 */
#ifndef OCTAVO_API_SITE_STRUCTURE_H
#define OCTAVO_API_SITE_STRUCTURE_H

#include "http/req.h"

extern const struct shape SiteSpaceMove, SiteSectionMove, SiteGroupMove, SiteStructure, SiteStructureItem, SiteSort;

#endif
