/* Groups of sections, which may stand in groups. What other files need of sites/site_groups.c. */
#ifndef OCTAVO_API_SITE_GROUPS_H
#define OCTAVO_API_SITE_GROUPS_H

#include "http/req.h"

extern const struct shape SiteSectionGroup, SiteSectionGroupList, SiteGroupAdd, SiteGroupEdit, SiteGroupTake;

#endif
