/*
 * Conditions of a site that cannot be read, fail, or hide from every visitor: of its site spaces and sections, and
 * of links in the headers that it and its site spaces set. What other files need of sites/site_faults.c.
 */
#ifndef OCTAVO_API_SITE_FAULTS_H
#define OCTAVO_API_SITE_FAULTS_H

#include "http/req.h"

extern const struct shape SiteExpressionFaultList;

#endif
