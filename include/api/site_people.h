/* Lists who may read and manage a site. Implemented in sites/site_people.c. */
#ifndef OCTAVO_API_SITE_PEOPLE_H
#define OCTAVO_API_SITE_PEOPLE_H

#include "http/req.h"

extern const struct shape SitePermissionList;

#endif
