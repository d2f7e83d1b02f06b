/*
 * Pages as the API shows them: the variants of RevisionPage, alone or in trees. Implemented in
 * content/revision_pages.c.
 */
#ifndef OCTAVO_API_REVISION_PAGES_H
#define OCTAVO_API_REVISION_PAGES_H

#include "http/req.h"
#include "store/content.h"

extern const struct shape RevisionPage, PageList, LayoutSettings;

/* Options of page_json() and pages_json(). */
struct page_style {
	bool git;          /* with git metadata */
	bool brief;        /* only what a table of contents shows: title, address, kind */
	struct map *open;  /* ids of the pages whose children are written (those of groups always are); NULL: all */
};

/*
 * page_url() returns the address of a page in the API: in the change request of the path if there
 * is one, otherwise in primary content. page_json() writes a page with its descendants,
 * pages_json() an array of pages. body: JSON of the page's text, written as the member body_key;
 * body_key NULL: no text.
 */
char *page_url(struct req *r, const char *space, const char *page);
void page_json(struct req *r, struct json *j, const struct point *p, const struct page *page,
    const struct page_style *s, const char *body_key, struct str body);
void pages_json(struct req *r, struct json *j, const struct point *p, const struct page *first,
    const struct page_style *s);

/*
 * found_pages_json() writes the key `pages` with the pages whose title or slug contains the text:
 * at most fifty, without their child pages, those whose title begins with the text first
 * (content/found_pages.c). has_folded(): true if `text`, folded, contains `folded`.
 */
void found_pages_json(struct req *r, const struct point *p, const char *text);
/* Maximum number of pages, files or reusable contents that are found. To see others, people type more letters. */
enum { FOUND_MOST = 50 };
bool has_folded(struct arena *a, const char *text, const char *folded);

/* Writes a node's path and blob in git into the open object. */
void git_json(struct json *j, const struct node *n);

#endif
