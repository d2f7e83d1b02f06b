/* Pages as HTML, and what differs between two versions of one. Implemented in content/page_html.c. */
#ifndef OCTAVO_API_PAGE_HTML_H
#define OCTAVO_API_PAGE_HTML_H

#include "http/req.h"

extern const struct shape RenderedPage, RenderedPageQuery;

#endif
