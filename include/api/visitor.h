/*
 * Site tokens as callers, and what their visitors may read.
 *
 * r->visit is the site as the visitor sees it (audience/visit.h). For a user r->visit is NULL, and
 * the functions visited_*() then return true. In two cases r->visit is set for a user, too: the
 * user has access by a share key only, or the handler shows the site as its visitors see it.
 *
 * A site token can only read, and only its own site. Answers do not contain, and routes answer 404
 * for: other spaces, revisions that were replaced before the token was made (visit.token_since),
 * parents of spaces, change requests, commit messages, pages, files and sections that a condition
 * hides, and email addresses of users.
 */
#ifndef OCTAVO_VISITOR_H
#define OCTAVO_VISITOR_H

#include "audience/site_token.h"
#include "http/req.h"
#include "store/content.h"

/*
 * site_token() recognizes site tokens, as a callback of struct app. site_token_access() is the
 * access check of requests with a site token: 0 or fail().
 */
bool site_token(struct req *r);
int  site_token_access(struct req *r);

/*
 * If the caller may not read the {siteId} or {spaceId} of the path: opens the site with the share
 * key of the query. Sets r->visit to the site as holders of the share link see it, and r->site or
 * r->space to what the path names. False, and nothing is changed: the query has no key, or the key
 * opens no site that contains what the path names.
 */
bool visit_by_key(struct req *r);

/*
 * The row of a space for the shape Space, without the values that only members of the organization
 * may see. NULL: the space is not on the site.
 */
struct stmt *visited_space(struct req *r, const char *id);
/* True if the caller has a site token that is not one of a preview: answers then omit the history of content. */
bool visited_only(const struct req *r);
/* True if the caller may read the revision of the point. Also sets r->shown->point to it. */
bool visited_revision(struct req *r, const struct point *p);
/* True if the caller may read this page, file or reusable content of the point. */
bool visited_node(struct req *r, const struct point *p, const struct node *n);
/* True if the caller may read this page, expanded from a computed page. */
bool visited_computed(struct req *r, const char *id);
/* True if the caller sees the site space, section or group. */
bool visited_item(struct req *r, const char *id);
/* The address of the item for the visitor; `other` if the caller is a user. */
const char *visited_address(struct req *r, const char *id, const char *other);
/* True if the item is the default among its siblings for the visitor; `other` if the caller is a user. */
bool visited_default(struct req *r, const char *id, bool other);

/*
 * Sets r->visit to the site {siteId} as its visitors see it, for a user who may read it. key: that
 * of a share link, or NULL. 0 or fail().
 */
int visit_or_fail(struct req *r, const char *key);
/*
 * As visit_or_fail(), for routes that show more to users with a role on the site: for these users
 * r->visit stays NULL.
 */
int visit_as_reader(struct req *r);

/*
 * True if the visitor may read this file or reusable content of the revision. Results are cached
 * for the request.
 */
bool visited_file(struct req *r, const char *id);

/*
 * Cache of answers to visitors, for handlers after their access check. If this worker has answered
 * the same request of the same caller since the last commit of any program, repeat_cached_answer()
 * sends that answer again and returns true. Otherwise the handler ends with cache_answer(). r->visit
 * must be set.
 */
bool repeat_cached_answer(struct req *r);
void cache_answer(struct req *r);

#endif
