/* Groups of sections, which may be nested. Implemented in sites/site_groups.c. */
#ifndef OCTAVO_API_SITE_GROUPS_H
#define OCTAVO_API_SITE_GROUPS_H

#include "http/req.h"

extern const struct shape SiteSectionGroup, SiteSectionGroupList, SiteGroupCreate, SiteGroupEdit, SiteGroupAddSection;

#endif
