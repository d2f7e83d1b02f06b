/* Pages of other sites in frames. */
#ifndef OCTAVO_RENDER_FRAME_H
#define OCTAVO_RENDER_FRAME_H

#include "base/arena.h"
#include "base/str.h"

/*
 * A frame that shows the page at this address, as HTML for whoever has no styles of ours; hosts: those whose pages may
 * be shown, between blanks. p NULL: its host is none of them, or the address is not https.
 */
struct str frame_html(struct arena *a, const char *hosts, const char *url, const char *title);

#endif
