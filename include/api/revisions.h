/*
 * Reading content: revisions, pages, reusable contents, at the head of a space (…/content/…) and at any revision
 * (…/revisions/{revisionId}/…). What other files need of content/revisions.c.
 */
#ifndef OCTAVO_API_REVISIONS_H
#define OCTAVO_API_REVISIONS_H

#include "http/req.h"
#include "store/content.h"

extern const struct shape Revision, RevisionReusableContent, MetaLinks;

/* The page of a row with those below it that the caller sees, computed ones expanded as the query says (revisions.c). */
struct page *page_whole(struct req *r, const struct point *p, const struct node *n);

/* A revision with empty lists of pages, files and reusable contents, as JSON (revisions.c). */
struct str revision_alone(struct req *r, const struct point *p);

/* The change request that a revision merged, as it is now: JSON, "" where there is none (revisions.c). */
const char *merged_from(struct req *r, const struct point *p);

/* downloadURL of a file: of a site's visitor one that names who reads. */
void reusable_json(struct req *r, struct json *j, const struct point *p, const struct node *n,
    bool git);

/* The document of a node as the value of the open key; kept in the cache after the answer. */
struct str document_json(struct req *r, const struct point *p, const struct node *n);

#endif
