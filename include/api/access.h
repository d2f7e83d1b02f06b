/*
 * Computes the caller's role on an organization, a collection and a space, and loads the places and
 * pages that a request names. Implemented in access.c.
 */
#ifndef OCTAVO_API_ACCESS_H
#define OCTAVO_API_ACCESS_H

#include "http/req.h"
#include "store/computed.h"
#include "store/content.h"

/*
 * Binds :user and the parameters of OPENS() (app/roles.h). Each statement that itself reads
 * memberships of the caller must contain OPENS().
 */
void bind_sign_in(struct stmt *q, const struct req *r);

/* False if the caller's session is valid for another organization only. */
bool covers_org(const struct req *r, const char *org);

/*
 * opens: whether the sign-in of the caller, a member of the organization, opens it. If it does not,
 * remembers the place, so that not_found() can say where to sign in. Returns `opens`.
 */
bool note_shut_org(struct req *r, bool opens, const char *place, const char *org);

/* The caller's role in an organization, limited by the token's cap; ROLE_NONE: a guest, ROLE_STRANGER: not a member. */
enum role org_role(struct req *r, const char *org);

/*
 * Checks that the caller may create spaces and collections in this collection; parent NULL: at the
 * top level of the organization. 0 or fail().
 */
int container_or_fail(struct req *r, const char *org, const char *parent);

/* The caller's role in an organization without the token's cap. Lists bind it as :org_role. */
enum role org_role_full(struct req *r, const char *org);

/*
 * The caller's role on a site of this organization, without the token's cap. in_org: the role in
 * the organization, also without the cap. ROLE_STRANGER: there is no such site, or the caller is no
 * member.
 */
enum role site_role(struct req *r, const char *site, const char *org, enum role in_org);

/*
 * The row of a collection that is not deleted, with the caller's role without the cap; NULL: the
 * caller may not see it.
 */
struct stmt *collection_row(struct req *r, const char *id);

/*
 * Check that the caller does not give a role above their own (`own`): grant_or_fail() checks the
 * role of a grant, level_or_fail() the defaultLevel in the body. 0 or fail().
 */
int grant_or_fail(struct req *r, enum role own, enum role role);
int level_or_fail(struct req *r, enum role own);

/*
 * The row of a space, deleted or not, with the caller's role without the cap; NULL: the caller may
 * not see it. whole: read all columns of the shape Space; otherwise only those that the access
 * check needs. Valid until the next use of the same statement.
 */
struct stmt *space_role(struct req *r, const char *id, bool whole);

/*
 * A space's whole row with the caller's role, or for a visitor its public view; NULL: the caller
 * may not see it.
 */
struct stmt *space_row(struct req *r, const char *id);

/*
 * Checks that depend on the body or on the author of an object, and so are no access rules of
 * routes: the caller must be the author (author_or_fail() only) or have this role on the space. 0
 * or fail().
 */
int author_or_fail(struct req *r, const char *author, enum role need);
int role_or_fail(struct req *r, enum role need);

/*
 * A locked space refuses every change of content with 403, in change requests too
 * (docs/design/permissions.md, "Locked space"); comments, reviews and settings are not affected. 0
 * or fail().
 */
int space_unlocked_or_fail(struct req *r);

/*
 * Sets *p to the point that a content route reads: the revision {revisionId}; if the path has none,
 * the head of {changeRequestId}; otherwise the head of main. 0 or fail().
 */
int point_or_fail(struct req *r, struct point *p);

/* Finds the node with this id and one of these kinds; `what` names it in the 404. 0 or fail(). */
int node_or_fail(struct req *r, const char *id, unsigned kinds, const char *what, struct point *p,
    struct node *n);

/*
 * Finds a page of these kinds; every operation with a page id uses it. If the page was expanded
 * from a computed page (store/computed.h), it has no row: *c is set, and *n is filled in from it.
 * Otherwise *c is NULL and *n is the stored node. With `computed=false` in the query, expanded
 * pages are not found. 0 or fail().
 */
int page_or_fail(struct req *r, const char *id, unsigned kinds, struct point *p, struct node *n,
    struct computed_page **c);

/*
 * As page_or_fail(), but returns false instead of fail(). p must be a point that the caller may
 * read.
 */
bool page_find(struct req *r, const struct point *p, const char *id, unsigned kinds, struct node *n,
    struct computed_page **c);

/* True if this user is a member of the organization, guests and disabled members included. */
bool is_member(struct req *r, const char *org, const char *user);

#endif
