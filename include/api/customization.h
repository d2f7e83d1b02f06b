/*
 * Customization of a site, and the overrides of its site spaces. Implemented in
 * sites/customization.c.
 */
#ifndef OCTAVO_API_CUSTOMIZATION_H
#define OCTAVO_API_CUSTOMIZATION_H

#include "http/req.h"

extern const struct shape SiteCustomization, SiteCustomizationEdit;

#endif
