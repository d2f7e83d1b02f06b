/* Slugs: the part of a page's address that is made from its title (include/layout/rules.md, section 4.3). */
#ifndef OCTAVO_SLUG_H
#define OCTAVO_SLUG_H

#include "base/arena.h"
#include "base/str.h"

/* Slug of a page title. Never empty: it is "page" if no character is left. */
char *slug_from_title(struct arena *a, struct str title);

#endif
