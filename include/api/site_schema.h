/* What the other files of the room use of site_schema.c. */
#ifndef OCTAVO_API_SITE_SCHEMA_H
#define OCTAVO_API_SITE_SCHEMA_H

#include "http/req.h"

extern const struct shape SiteAdaptiveSchema, SiteAdaptiveSchemaPut, SiteTemplates;

#endif
