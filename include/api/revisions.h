/*
 * Reading content: revisions, pages and reusable contents, at the head of a space (…/content/…) and
 * at any revision (…/revisions/{revisionId}/…). Implemented in content/revisions.c.
 */
#ifndef OCTAVO_API_REVISIONS_H
#define OCTAVO_API_REVISIONS_H

#include "http/req.h"
#include "store/content.h"

extern const struct shape Revision, RevisionReusableContent, MetaLinks, GitCommit;

/*
 * The page of a node as a tree, with the descendants that the caller sees. Computed pages in it are
 * expanded unless the query has computed=false.
 */
struct page *page_whole(struct req *r, const struct point *p, const struct node *n);

/* A revision as JSON, with empty lists of pages, files and reusable contents. */
struct str revision_alone(struct req *r, const struct point *p);

/* The change request that a revision merged, in its present state, as JSON; "" if there is none. */
const char *merged_from(struct req *r, const struct point *p);

/* Writes a reusable content as the next value; git: with git metadata. */
void reusable_json(struct req *r, struct json *j, const struct point *p, const struct node *n,
    bool git);

/* The document of a node as JSON; cached after the answer is sent. */
struct str document_json(struct req *r, const struct point *p, const struct node *n);

#endif
