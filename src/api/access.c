/*
 * Computes the caller's role on an organization, a collection and a space, and loads the places and
 * pages that a request names. access_rules.c says which role an operation takes.
 *
 * The role on a space is the first of these that exists, whether it is higher or lower than the
 * next: admin, for an admin of the organization; a grant to the user on the space; the strongest
 * grant to one of the user's teams; the space's defaultLevel (a role, or no access). If
 * defaultLevel is `inherit`, the parent collection is evaluated in the same way, and so on up to
 * the role in the organization (a guest has none). A site is evaluated like a space without a
 * parent, but inherits only the roles create and admin.
 *
 * A session that an organization's provider made is valid only for that organization: in all others
 * the caller is treated as a stranger, even if a member. An organization with `sso` is closed to
 * members who signed in by other means, except its admins (IS_CLOSED); the message of not_found() names the
 * addresses at which they sign in. role_row() and org_role_full() check both rules, and every look-up of the caller's
 * own role uses one of them.
 *
 * The scope of a token caps the role. Whether the caller sees an object is decided without the cap,
 * since every cap is at least read.
 *
 * A computed role is cached until an access right of any user changes (known_roles.c), so that
 * later requests need not read teams and parents again.
 */
#include "api/access.h"
#include "api/collections.h"
#include "api/known_roles.h"
#include "api/refusals.h"
#include "api/space_shape.h"
#include "api/visitor.h"
#include "app/roles.h"
#include "http/req.h"
#include "store/computed.h"
#include "store/content.h"

/*
 * Columns for the caller's role on :place, a space or collection. role_row() binds a cached role as
 * :known, and as :known_at the access version (v.n) at which it was computed. If that is still the
 * access version, :known is used; otherwise the role is computed from the membership m. A cached
 * role implies membership, so m is not read then.
 */
#define KNOWN_ROLE(what, t) \
	"CASE WHEN v.n = :known_at THEN :known ELSE " ROLE_FROM(what, ":place", ":user") " END AS role, " \
	"v.n AS access_version, " OPENS(t ".org") " AS opens "
#define KNOWN_FROM(t) \
	"JOIN access_version v ON v.id = 1 LEFT JOIN member m ON m.org = " t ".org " \
	"AND m.account = CASE WHEN v.n = :known_at THEN NULL ELSE :user END AND m.disabled = 0 " \
	"WHERE (v.n = :known_at OR m.account IS NOT NULL) AND " t ".id = :place "
/*
 * The columns that every route needs of its space; q_space_whole is for routes that answer with it.
 */
SQL(q_space_access,
    "SELECT s.id, s.org, s.parent, s.edit_mode, s.deleted_at, s.branch, b.head, "
    "(SELECT rv.id FROM revision rv WHERE rv.branch = s.branch AND rv.seq = b.head) AS revision, "
    KNOWN_ROLE("space", "s") "FROM space s JOIN branch b ON b.id = s.branch " KNOWN_FROM("s"));
/* Used only by routes that reply with the space, because the counts and sub-selects of SPACE_COLS take time. */
SQL(q_space_whole,
    "SELECT " SPACE_COLS ", " KNOWN_ROLE("space", "s") "FROM " SPACE_FROM " " KNOWN_FROM("s"));
SQL(q_collection_access,
    "SELECT " COLLECTION_COLS ", " KNOWN_ROLE("collection", "c") "FROM collection c " KNOWN_FROM("c")
    "AND c.deleted_at IS NULL");
/* No row for non-members and disabled members; a guest's role is NULL, here 0. */
SQL(q_org_access,
    "SELECT COALESCE(role, 0), " OPENS("member.org") " FROM member WHERE org = :org AND account = :user AND disabled = 0");

SQL(q_site_role, "SELECT " SITE_ROLE(":user", ":org_role") " FROM site t WHERE t.id = :id AND t.org = :org");

void
bind_sign_in(struct stmt *q, const struct req *r)
{
	bind_text(q, ":user", r->who.user);
	bind_text(q, ":only_org", r->who.only_org);
	bind_int(q, ":by_session", r->who.session);
}

bool
covers_org(const struct req *r, const char *org)
{
	return r->who.only_org == NULL || (org != NULL && strcmp(org, r->who.only_org) == 0);
}

bool
note_shut_org(struct req *r, bool opens, const char *place, const char *org)
{
	/*
	 * A caller whose session is valid for another organization only is a stranger here, and
	 * must not learn where members sign in.
	 */
	if (!opens && r->who.only_org == NULL) {
		r->shut.place = arena_strdup(r->arena, place);
		r->shut.org = arena_strdup(r->arena, org);
	}
	return opens;
}

/* org NULL matches no row. */
enum role
org_role_full(struct req *r, const char *org)
{
	struct stmt *q;

	q = db_use(r->db, &q_org_access);
	bind_sign_in(q, r);
	bind_text(q, ":org", org);
	return stmt_step(q) && note_shut_org(r, col_int(q, 1) != 0, org, org) ? (enum role)col_int(q, 0) : ROLE_STRANGER;
}

enum role
org_role(struct req *r, const char *org)
{
	return cap_role(r, org_role_full(r, org));
}

enum role
site_role(struct req *r, const char *site, const char *org, enum role in_org)
{
	struct stmt *q;

	if (in_org == ROLE_STRANGER)
		return ROLE_STRANGER;
	q = db_use(r->db, &q_site_role);
	bind_text(q, ":id", site);
	bind_text(q, ":org", org);
	bind_text(q, ":user", r->who.user);
	bind_int(q, ":org_role", in_org);
	return stmt_step(q) ? (enum role)col_int(q, 0) : ROLE_STRANGER;
}

struct stmt *
collection_row(struct req *r, const char *id)
{
	return role_row(r, &q_collection_access, id);
}

/*
 * ROLE_NONE: the organization has no such collection, or the caller may not see it. A token's cap
 * is at least ROLE_READ, so it never hides a collection.
 */
static enum role
collection_role(struct req *r, const char *org, const char *collection)
{
	struct stmt *q = collection_row(r, collection);

	return q == NULL || strcmp(col_text(q, col(q, "org")), org) != 0 ? ROLE_NONE : cap_role(r, col_int(q, col(q, "role")));
}

int
container_or_fail(struct req *r, const char *org, const char *parent)
{
	enum role role = parent == NULL ? org_role(r, org) : collection_role(r, org, parent);

	/*
	 * 404 only if the body names the collection. Otherwise it is the parent of an object that
	 * the caller sees, so its existence is no secret: 403.
	 */
	if (role < ROLE_READ && body_text(r, "parent") != NULL)
		return not_found(r, "collection", parent);
	if (role < ROLE_CREATE)
		return forbidden(r, parent == NULL ? "organization" : "collection", role, ROLE_CREATE);
	return 0;
}

int
grant_or_fail(struct req *r, enum role own, enum role role)
{
	if (role > own)
		return fail(r, E_FORBIDDEN, "you cannot give a role above your own: you have \"%s\"", role_name(own));
	return 0;
}

/* role_number() returns ROLE_NONE for null, inherit and an absent member: these grant nothing. */
int
level_or_fail(struct req *r, enum role own)
{
	return grant_or_fail(r, own, role_number(body_text(r, "defaultLevel")));
}

struct stmt *
space_role(struct req *r, const char *id, bool whole)
{
	return role_row(r, whole ? &q_space_whole : &q_space_access, id);
}

struct stmt *
space_row(struct req *r, const char *id)
{
	struct stmt *q;

	if (r->who.kind == BY_SITES)
		return visited_space(r, id);
	q = role_row(r, &q_space_whole, id);
	/*
	 * A visitor of a site who has no role on the space gets its public view; a caller with a
	 * role gets the full row.
	 */
	return r->visit != NULL && (q == NULL || col_int(q, col(q, "role")) < ROLE_READ) ? visited_space(r, id) : q;
}

/* The author needs no role beyond seeing the space, which the route has checked. */
int
author_or_fail(struct req *r, const char *author, enum role need)
{
	if (strcmp(author, r->who.user) == 0 || r->space.role >= need)
		return 0;
	return forbidden(r, "space", r->space.role, need);
}

int
role_or_fail(struct req *r, enum role need)
{
	return r->space.role < need ? forbidden(r, "space", r->space.role, need) : 0;
}

int
space_unlocked_or_fail(struct req *r)
{
	if (strcmp(r->space.edit_mode, "locked") == 0)
		return fail(r, E_FORBIDDEN, "the space is locked: its content cannot be changed");
	return 0;
}

/*
 * Sets *p to the revision that the path names, which must belong to the space of the path; else to
 * the head of the change request; else to the head of main. The access check has read these heads
 * in this same transaction.
 */
int
point_or_fail(struct req *r, struct point *p)
{
	if (path_has(r, "revisionId")) {
		const char *id = path_id(r, "revisionId");
		if (!point_revision(r->db, r->arena, r->space.id, id, p) || !visited_revision(r, p))
			return fail(r, E_NOT_FOUND, "no revision %s in this space", id);
		return 0;
	}
	if (r->request.id != NULL)
		return point_head(r->db, r->arena, r->request.branch, p) ? 0 :
		    fail(r, E_INTERNAL, "change request %s has no revision", r->request.id);
	*p = (struct point){ .space = r->space.id, .revision = r->space.revision,
		.branch = r->space.branch, .seq = r->space.head };
	return 0;
}

/* A node of another kind is not found: the id of a file does not match under /page/. */
int
node_or_fail(struct req *r, const char *id, unsigned kinds, const char *what, struct point *p,
    struct node *n)
{
	if (point_or_fail(r, p) != 0)
		return -1;
	if (!node_get(r->db, r->arena, p, id, n) || !(n->kind & kinds) || !visited_node(r, p, n))
		return fail(r, E_NOT_FOUND, "no %s %s in this revision", what, id);
	return 0;
}

bool
page_find(struct req *r, const struct point *p, const char *id, unsigned kinds, struct node *n,
    struct computed_page **c)
{
	*c = NULL;
	/* Ids of stored nodes need no further lookup. */
	if (!computed_is_id(id))
		return node_get(r->db, r->arena, p, id, n) && (n->kind & kinds) != 0 && visited_node(r, p, n);
	if ((kinds & NODE_DOCUMENT) == 0 || !query_bool(r, "computed", true) ||
	    (*c = computed_by_id(r->db, r->arena, p, id)) == NULL || !visited_computed(r, id))
		return false;
	(*c)->page.next = NULL;
	*n = (*c)->page.node;
	return true;
}

int
page_or_fail(struct req *r, const char *id, unsigned kinds, struct point *p, struct node *n,
    struct computed_page **c)
{
	if (point_or_fail(r, p) != 0)
		return -1;
	return page_find(r, p, id, kinds, n, c) ? 0 : fail(r, E_NOT_FOUND, "no page %s in this revision", id);
}

/*
 * Includes disabled members and guests. Rules and grants may name them, and have no effect for a
 * member who is disabled.
 */
SQL(q_member, "SELECT 1 FROM member WHERE org = :org AND account = :user");

bool
is_member(struct req *r, const char *org, const char *user)
{
	struct stmt *q = db_use(r->db, &q_member);

	bind_text(q, ":org", org);
	bind_text(q, ":user", user);
	return stmt_int(q, 0) == 1;
}
