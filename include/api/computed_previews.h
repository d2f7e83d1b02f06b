/*
 * Previews of what a source of computed content expands to, without a page that shows it.
 * Implemented in content/computed_previews.c.
 */
#ifndef OCTAVO_API_COMPUTED_PREVIEWS_H
#define OCTAVO_API_COMPUTED_PREVIEWS_H

#include "http/req.h"

extern const struct shape ComputedDocumentAsk, ComputedRevisionAsk, ComputedRevision;

#endif
