/* Style guides of sites, and checks against them. Implemented in sites/styleguides.c. */
#ifndef OCTAVO_API_STYLEGUIDES_H
#define OCTAVO_API_STYLEGUIDES_H

#include "http/req.h"

extern const struct shape Styleguides, StyleguideTemplates, StyleguideCreate, StyleguideRunList, StyleguideRunCreate,
    StyleguideRunMade;


#endif
