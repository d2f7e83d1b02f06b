/* Who sees and manages a site. What other files need of sites/site_people.c. */
#ifndef OCTAVO_API_SITE_PEOPLE_H
#define OCTAVO_API_SITE_PEOPLE_H

#include "http/req.h"

extern const struct shape SitePermissionList;

#endif
