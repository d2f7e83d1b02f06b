/*
 * Site tokens as callers: what their bearer sees. r->visit is the site as the visitor
 * sees it (audience/visit.h); where a user asks it is NULL, and each of these says yes, unless a share key let
 * them in or the handler shows the site as its visitors see it.
 *
 * To a site token everything is read-only, and what is not of its site is not there:
 * no other space, no revision that was replaced before the token was made (visit.since), no
 * parents, change requests and messages of commits, no page, file or section that a condition hides,
 * no address of a user.
 */
#ifndef OCTAVO_VISITOR_H
#define OCTAVO_VISITOR_H

#include "audience/site_token.h"
#include "http/req.h"
#include "store/content.h"

/* One of struct app's other tokens; and the access check of site tokens: 0 or fail(). */
bool site_token(struct req *r);
int  site_token_access(struct req *r);

/*
 * Opens what the path names with the share key of the query, for a caller who may not read it: {siteId}, or
 * {spaceId}, which the key's site must show. r->visit is the site as whoever has the link sees it, and r->site or
 * r->space what the path names. False: there is no key, or it opens nothing here; nothing is changed.
 */
bool visit_by_key(struct req *r);

/* A space's row as space_row() gives it, without what is the organization's own business; NULL: not of the site. */
struct stmt *visited_space(struct req *r, const char *id);
/* Does the caller read with a site token, and not to look at a preview? Then nothing of how content came to be is told. */
bool visited_only(const struct req *r);
/* May the point be read? Sets the point of r->shown. */
bool visited_revision(struct req *r, const struct point *p);
/* May the page, file or reusable content of that point be read? */
bool visited_node(struct req *r, const struct point *p, const struct node *n);
/* The page that a computed page expands to. */
bool visited_computed(struct req *r, const char *id);
/* Is the site space, section or group part of what they see? */
bool visited_item(struct req *r, const char *id);
/* Its address for them; other where a user asks. */
const char *visited_address(struct req *r, const char *id, const char *other);
/* Is it the default of its siblings for them? */
bool visited_default(struct req *r, const char *id, bool other);

/* r->visit of {siteId}, where a user asks: as its visitors see it; key: of a share link, or NULL. 0 or
 * fail(). */
int visit_or_fail(struct req *r, const char *key);
/* The same for routes that show those who manage sites more: r->visit stays NULL for them. */
int visit_as_reader(struct req *r);

/* May they read this file or reusable content of the revision? The answers of one request are worked out once. */
bool visited_file(struct req *r, const char *id);

/*
 * For handlers that tell what a visitor is shown, behind their access check: visited_again() is
 * true where this worker has answered the same to the same caller since the last commit, and has
 * answered then. visited_keep() ends a handler that took the long way; r->visit must be set.
 */
bool visited_again(struct req *r);
void visited_keep(struct req *r);

#endif
