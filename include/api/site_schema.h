/*
 * The claims that a site expects of visitors (its adaptive schema), and template conditions derived
 * from it. Implemented in sites/site_schema.c.
 */
#ifndef OCTAVO_API_SITE_SCHEMA_H
#define OCTAVO_API_SITE_SCHEMA_H

#include "http/req.h"

extern const struct shape SiteAdaptiveSchema, SiteAdaptiveSchemaPut, SiteTemplates;

#endif
