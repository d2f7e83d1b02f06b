/*
 * Pages as HTML, previews of texts that are not saved yet, and the differences between two versions
 * of a page. Implemented in content/page_html.c.
 */
#ifndef OCTAVO_API_PAGE_HTML_H
#define OCTAVO_API_PAGE_HTML_H

#include "http/req.h"

extern const struct shape RenderedPage, RenderedPageQuery, PagePreview, PagePreviewQuery;

#endif
