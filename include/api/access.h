/*
 * Roles: what the caller is on an organization, a collection and a space, and the rows of places and pages that a
 * request is about. What other files need of access.c.
 */
#ifndef OCTAVO_API_ACCESS_H
#define OCTAVO_API_ACCESS_H

#include "http/req.h"
#include "store/computed.h"
#include "store/content.h"

/* The caller's role in an organization; ROLE_NONE: a guest, ROLE_STRANGER: no member. */
enum role org_role(struct req *r, const char *org);

/* May the caller create in this collection, or (parent NULL) at the top of the organization? 0 or fail(). */
int container_or_fail(struct req *r, const char *org, const char *parent);

/* The role in an organization without the cap of the token, for :org_role of a list. */
enum role org_role_full(struct req *r, const char *org);

/* A living collection's whole row with the caller's role, without the cap; NULL: unknown to them. */
struct stmt *collection_row(struct req *r, const char *id);

/* Nobody grants above their own role: this role, and that of a defaultLevel in the body. 0 or fail(). */
int grant_or_fail(struct req *r, enum role own, enum role role);
int level_or_fail(struct req *r, enum role own);

/*
 * The row of a living or deleted space with the caller's role, without the cap; NULL: unknown to them. whole: with
 * the columns of the shape Space; else what every route needs to know.
 */
struct stmt *space_role(struct req *r, const char *id, bool whole);

/* A space's whole row with the caller's role; NULL: unknown to them. */
struct stmt *space_row(struct req *r, const char *id);

/* For what depends on the body or on whose an object is: the author, or this role on the space. 0 or fail(). */
int author_or_fail(struct req *r, const char *author, enum role need);
int role_or_fail(struct req *r, enum role need);

/* The point that a content route reads: of {revisionId}, of {changeRequestId}, else the head. 0 or fail(). */
int point_or_fail(struct req *r, struct point *p);

/* And what is there under an id, of these kinds; `what` names them in the 404. 0 or fail(). */
int node_or_fail(struct req *r, const char *id, unsigned kinds, const char *what, struct point *p,
    struct node *n);

/*
 * A page of these kinds; every operation that takes a page's id looks it up here. *c is the page that a computed page
 * expands to (store/computed.h), which has no row: *n is then made up. NULL: n is a row. With `computed=false` in the
 * query there are none. 0 or fail().
 */
int page_or_fail(struct req *r, const char *id, unsigned kinds, struct point *p, struct node *n,
    struct computed_page **c);

/* The same as page_or_fail() without fail(), at a point that may be read. */
bool page_find(struct req *r, const struct point *p, const char *id, unsigned kinds, struct node *n,
    struct computed_page **c);

/* Is this user a member of the organization, guests and disabled ones included? */
bool is_member(struct req *r, const char *org, const char *user);

#endif
