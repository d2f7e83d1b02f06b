/* What the other files of the room use of customization.c. */
#ifndef OCTAVO_API_CUSTOMIZATION_H
#define OCTAVO_API_CUSTOMIZATION_H

#include "http/req.h"

extern const struct shape SiteCustomization, SiteCustomizationEdit;

#endif
