/* Pages of other sites in frames. */
#ifndef OCTAVO_RENDER_FRAME_H
#define OCTAVO_RENDER_FRAME_H

#include "base/arena.h"
#include "base/str.h"

/*
 * An iframe that shows the page at this address, as HTML with inline styles; hosts: the allowed
 * hosts, separated by blanks. p NULL: its host is not allowed, or the address is not https.
 */
struct str frame_html(struct arena *a, const char *hosts, const char *url, const char *title);

#endif
