/*
 * Sections of sites, each with site spaces as its variants. Implemented in sites/site_sections.c.
 */
#ifndef OCTAVO_API_SITE_SECTIONS_H
#define OCTAVO_API_SITE_SECTIONS_H

#include "http/req.h"

extern const struct shape SiteSection, SiteSectionList, SiteSectionsQuery, SiteSectionAdd, SiteSectionEdit;

#endif
