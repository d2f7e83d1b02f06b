/*
 * Lists the conditions of a site that do not parse, fail, or hide their item from every visitor.
 * Implemented in sites/site_faults.c.
 */
#ifndef OCTAVO_API_SITE_FAULTS_H
#define OCTAVO_API_SITE_FAULTS_H

#include "http/req.h"

extern const struct shape SiteExpressionFaultList;

#endif
