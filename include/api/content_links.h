/*
 * Links over the API: of a space, of a page, and what leads to a page or file; at the head and in change requests.
 * What other files need of content/content_links.c.
 */
#ifndef OCTAVO_API_CONTENT_LINKS_H
#define OCTAVO_API_CONTENT_LINKS_H

#include "http/req.h"

extern const struct shape LinksQuery, RequestLinksQuery, LinkList, BacklinkList;

#endif
