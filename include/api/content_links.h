/*
 * Links of a space or a page, and backlinks of a page or file; at the head and in change requests.
 * Implemented in content/content_links.c.
 */
#ifndef OCTAVO_API_CONTENT_LINKS_H
#define OCTAVO_API_CONTENT_LINKS_H

#include "http/req.h"

extern const struct shape LinksQuery, RequestLinksQuery, LinkList, BacklinkList;

#endif
