/*
 * How a site looks: its customization, and what its site spaces have otherwise. What other files need of
 * sites/customization.c.
 */
#ifndef OCTAVO_API_CUSTOMIZATION_H
#define OCTAVO_API_CUSTOMIZATION_H

#include "http/req.h"

extern const struct shape SiteCustomization, SiteCustomizationEdit;

#endif
