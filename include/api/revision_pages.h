/*
 * Pages as the API shows them: the four variants of RevisionPage, alone or in trees. What other files need of
 * content/revision_pages.c.
 */
#ifndef OCTAVO_API_REVISION_PAGES_H
#define OCTAVO_API_REVISION_PAGES_H

#include "http/req.h"
#include "store/content.h"

extern const struct shape RevisionPage, PageList, LayoutSettings;

/* Pages, files: in revision_pages.c and revision_files.c. */
struct page_style {
	bool git;          /* git metadata wanted */
};

/* Where a page is read: in the change request of the path, where it names one, else in primary content. */
char *page_url(struct req *r, const char *space, const char *page);
void page_json(struct req *r, struct json *j, const struct point *p, const struct page *page,
    const struct page_style *s, const char *body_key, struct str body);
void pages_json(struct req *r, struct json *j, const struct point *p, const struct page *first,
    const struct page_style *s);

/* downloadURL of a file: of a site's visitor one that names who reads. */
void git_json(struct json *j, const struct node *n);

#endif
