/* What the other files of the room use of site_faults.c. */
#ifndef OCTAVO_API_SITE_FAULTS_H
#define OCTAVO_API_SITE_FAULTS_H

#include "http/req.h"

extern const struct shape SiteExpressionFaultList;

#endif
