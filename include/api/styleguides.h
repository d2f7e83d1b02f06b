/* Style guides of sites, and checks against them. Implemented in sites/styleguides.c. */
#ifndef OCTAVO_API_STYLEGUIDES_H
#define OCTAVO_API_STYLEGUIDES_H

#include "http/req.h"

extern const struct shape Styleguides, StyleguideTemplates, StyleguideCreate, StyleguideRunList, StyleguideRunCreate,
    StyleguideRunMade;

/* Checks that the body's `styleguide` may be named by a site: a style guide that the caller reads. 0 or fail(). */
int styleguide_or_fail(struct req *r);

#endif
