/*
 * Site tokens as callers, and what their visitors see. r->visit is the site as the visitor sees it
 * (audience/visit.h). For a user it is NULL, and each of these functions then returns true, unless
 * a share key opened the site or the handler shows the site as its visitors see it.
 *
 * For a site token everything is read-only, and everything outside its site is not found: other
 * spaces, revisions replaced before the token was made (visit.since), parents, change requests and
 * commit messages, pages, files and sections that a condition hides, addresses of users.
 */
#ifndef OCTAVO_VISITOR_H
#define OCTAVO_VISITOR_H

#include "audience/site_token.h"
#include "http/req.h"
#include "store/content.h"

/*
 * site_token() recognizes site tokens, as one of struct app's other tokens; site_token_access() is
 * their access check: 0 or fail().
 */
bool site_token(struct req *r);
int  site_token_access(struct req *r);

/*
 * Opens the path's {siteId}, or its {spaceId} if the key's site shows it, with the query's share
 * key, for a caller who may not read it. Sets r->visit to the site as holders of the link see it,
 * and r->site or r->space to what the path names. False: no key, or one that opens nothing here;
 * nothing is changed.
 */
bool visit_by_key(struct req *r);

/*
 * A space's row like that of space_row(), without members that are internal to the organization;
 * NULL: not on the site.
 */
struct stmt *visited_space(struct req *r, const char *id);
/*
 * True if the caller reads with a site token that is not of a preview: answers then omit the
 * history of content.
 */
bool visited_only(const struct req *r);
/* True if the caller may read the point. Sets the point of r->shown. */
bool visited_revision(struct req *r, const struct point *p);
/* True if the caller may read this page, file or reusable content of the point. */
bool visited_node(struct req *r, const struct point *p, const struct node *n);
/* True if the caller may read this page, expanded from a computed page. */
bool visited_computed(struct req *r, const char *id);
/* True if the caller sees the site space, section or group. */
bool visited_item(struct req *r, const char *id);
/* Its address for the visitor; `other` if a user reads. */
const char *visited_address(struct req *r, const char *id, const char *other);
/* True if it is the default among its siblings for the visitor; `other` if a user reads. */
bool visited_default(struct req *r, const char *id, bool other);

/*
 * Sets r->visit to {siteId} as its visitors see it, for a user; key: of a share link, or NULL. 0 or
 * fail().
 */
int visit_or_fail(struct req *r, const char *key);
/* As visit_or_fail(), for routes that show managers of sites more: r->visit stays NULL for them. */
int visit_as_reader(struct req *r);

/*
 * True if the visitor may read this file or reusable content of the revision. Results are cached
 * for the request.
 */
bool visited_file(struct req *r, const char *id);

/*
 * Cache of answers to visitors, for handlers after their access check. visited_again() is true if
 * this worker has answered the same request of the same caller since the last commit; it has then
 * sent that answer. Otherwise the handler ends with visited_keep(), which caches its answer;
 * r->visit must be set.
 */
bool visited_again(struct req *r);
void visited_keep(struct req *r);

#endif
