/* Pages as HTML, texts that are not saved yet, and what differs between two versions of a page. Implemented in content/page_html.c. */
#ifndef OCTAVO_API_PAGE_HTML_H
#define OCTAVO_API_PAGE_HTML_H

#include "http/req.h"

extern const struct shape RenderedPage, RenderedPageQuery, PagePreview, PagePreviewQuery;

#endif
