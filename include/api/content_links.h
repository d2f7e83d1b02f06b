/* What the other files of the room use of content_links.c. */
#ifndef OCTAVO_API_CONTENT_LINKS_H
#define OCTAVO_API_CONTENT_LINKS_H

#include "http/req.h"

extern const struct shape LinksQuery, RequestLinksQuery, LinkList, BacklinkList;

#endif
