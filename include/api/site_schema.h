/*
 * What a site expects visitors to claim: its adaptive schema, and conditions that follow from it. What other files
 * need of sites/site_schema.c.
 */
#ifndef OCTAVO_API_SITE_SCHEMA_H
#define OCTAVO_API_SITE_SCHEMA_H

#include "http/req.h"

extern const struct shape SiteAdaptiveSchema, SiteAdaptiveSchemaPut, SiteTemplates;

#endif
