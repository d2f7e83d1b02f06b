/*
 * The access rules of routes.def: check_access() decides whether the caller may use the route.
 * access.c computes roles.
 *
 * If the caller may not know that an object exists, the answer is 404; if the caller may see it but
 * not use it, 403. A deleted space is visible only to those who may restore it.
 *
 * If the path has {changeRequestId} (an id, or a number in the space), the request is loaded too:
 * 404 if it is missing, before roles are checked.
 *
 * If no role lets the caller read a site or a space, operations that accept a share key may allow
 * it: r->visit is then the site as holders of the share link see it. Any caller with a token may
 * use a key, also a member of another organization. The key gives no role.
 */
#include "api/access.h"
#include "api/access_rules.h"
#include "api/invites.h"
#include "api/known_roles.h"
#include "api/refusals.h"
#include "api/request_ref.h"
#include "api/space_shape.h"
#include "api/users.h"
#include "api/visitor.h"
#include "app/roles.h"
#include "http/req.h"

SQL(q_site_list, "SELECT 1 FROM site t WHERE t.org = :org AND " SITE_ROLE(":user", ":org_role") " >= " SQL_ROLE_READ " LIMIT 1");

/* 1: everybody may read the content of the site; 0: only some visitors may; no row: the site is not published. */
SQL(q_site_open,
    "SELECT CASE WHEN visibility IN ('public', 'unlisted') THEN 1 ELSE 0 END FROM site WHERE id = :id "
    "AND published_at IS NOT NULL");

SQL(q_site_shows,
    "SELECT x.space FROM site_space x JOIN space s ON s.id = x.space AND s.deleted_at IS NULL "
    "WHERE x.site = :id AND x.shown > 0");

/* The team in the organization of the path, and whether the caller owns it. */
SQL(q_team_access,
    "SELECT COALESCE((SELECT CASE WHEN tm.role = 'owner' THEN 1 ELSE 0 END FROM team_member tm "
    "WHERE tm.team = t.id AND tm.account = :user), 0) FROM team t WHERE t.id = :team AND t.org = :org");

/* Answers 404; for a DELETE of the object itself, 204 (r->absent). */
static int
fail_unknown(struct req *r, const char *what, const char *name)
{
	const char *path = r->route->path;
	size_t k = strlen(name);

	/*
	 * A DELETE answers 204 for a missing object (r->absent) only if the object itself is to be
	 * deleted: the path of the route then ends in "{name}".
	 */
	r->absent = strncmp(path + strlen(path) - k - 1, name, k) == 0;
	return not_found(r, what, path_id(r, name));
}

/* need ROLE_NONE: any member, guests included. */
static int
org_access(struct req *r, enum role need)
{
	enum role role;

	r->org.id = path_id(r, "organizationId");
	role = org_role_full(r, r->org.id);
	if (role == ROLE_STRANGER)
		return fail_unknown(r, "organization", "organizationId");
	r->org.full = role;
	r->org.role = cap_role(r, role);
	return r->org.role < need ? forbidden(r, "organization", r->org.role, need) : 0;
}

/* Members whom `sso` keeps out may link their account to a provider, and then sign in there. */
static int
link_access(struct req *r)
{
	r->org.id = path_id(r, "organizationId");
	if (org_role_full(r, r->org.id) == ROLE_STRANGER && r->shut.place == NULL)
		return fail_unknown(r, "organization", "organizationId");
	return 0;
}

/* Copies the row's values: the statement is reused within the request for other spaces. */
static void
set_space(struct req *r, struct stmt *q)
{
	struct space_ref *s = &r->space;

	s->id = col_dup(q, col(q, "id"), r->arena);
	s->org = col_dup(q, col(q, "org"), r->arena);
	s->parent = col_dup(q, col(q, "parent"), r->arena);
	s->edit_mode = col_dup(q, col(q, "edit_mode"), r->arena);
	s->revision = col_dup(q, col(q, "revision"), r->arena);
	s->branch = col_int(q, col(q, "branch"));
	s->head = col_int(q, col(q, "head"));
	s->deleted_at = col_int(q, col(q, "deleted_at"));
	s->role = cap_role(r, col_int(q, col(q, "role")));
	/* Only q_space_whole has all columns of the Space shape. */
	s->row = r->route->reply == &Space ? q : NULL;
}

/* Deleted spaces are visible only to those who may restore them, and only in GET and restore. */
static bool
sees_space(struct req *r)
{
	enum access a = r->route->access;
	/* The purge has the same limit, so a space that may be restored still exists. */
	int64_t oldest = time_now() - r->set->purge_days * DAY_MS;

	if (r->space.role < ROLE_READ)
		return false;
	if (r->space.deleted_at == 0)
		return true;
	/* docs/design/permissions.md, "Deleted space" */
	return (a == SPACE_SEE || a == SPACE_DELETED) && r->space.role >= ROLE_CREATE &&
	    r->space.deleted_at > oldest;
}

int
space_enter(struct req *r, const char *id)
{
	struct stmt *q = space_role(r, id, false);

	if (q == NULL || col_int(q, col(q, "role")) < ROLE_READ || !col_null(q, col(q, "deleted_at")))
		return not_found(r, "space", id);
	set_space(r, q);
	return 0;
}

static int
request_access(struct req *r)
{
	return path_has(r, "changeRequestId") ? request_load(r, path_id(r, "changeRequestId")) : 0;
}

static int
space_access(struct req *r, enum role need)
{
	bool whole = r->route->reply == &Space;
	struct stmt *q = space_role(r, path_id(r, "spaceId"), whole);

	/* role_row() has no row for non-members: 404 as for a space that does not exist. */
	if (q != NULL)
		set_space(r, q);
	if (q == NULL || !sees_space(r))
		return need <= 1 && visit_by_key(r) ? 0 : fail_unknown(r, "space", "spaceId");
	/*
	 * The request is loaded before the role is checked: a missing one is answered with 404,
	 * even if the caller lacks the role.
	 */
	if (request_access(r) != 0)
		return -1;
	return r->space.role < need ? forbidden(r, "space", r->space.role, need) : 0;
}

/* The author of the request in the path only needs to read the space. */
static int
request_own_access(struct req *r)
{
	if (space_access(r, ROLE_READ) != 0)
		return -1;
	return author_or_fail(r, r->request.author, ROLE_EDIT);
}

/* A deleted collection has no row in q_collection_access, so it is 404 for everybody. */
static int
collection_access(struct req *r, enum role need)
{
	struct collection_ref *c = &r->collection;
	struct stmt *q = collection_row(r, path_id(r, "collectionId"));

	if (q == NULL || col_int(q, col(q, "role")) < ROLE_READ)
		return fail_unknown(r, "collection", "collectionId");
	c->id = col_dup(q, col(q, "id"), r->arena);
	c->org = col_dup(q, col(q, "org"), r->arena);
	c->parent = col_dup(q, col(q, "parent"), r->arena);
	c->full = (enum role)col_int(q, col(q, "role"));
	c->role = cap_role(r, c->full);
	c->row = q;
	return c->role < need ? forbidden(r, "collection", c->role, need) : 0;
}

/* Guests see no members but themselves. */
static int
member_access(struct req *r)
{
	if (org_access(r, ROLE_NONE) != 0)
		return -1;
	if (r->org.role < ROLE_READ && strcmp(path_id(r, "userId"), r->who.user) != 0)
		return forbidden(r, "organization", r->org.role, ROLE_READ);
	return 0;
}

/*
 * A guest may own a team and then manages it without seeing the organization's other teams. Other
 * guests get the same 403 whether the team exists or not.
 */
static int
team_access(struct req *r, bool manage)
{
	struct stmt *q;

	if (org_access(r, ROLE_NONE) != 0)
		return -1;
	q = db_use(r->db, &q_team_access);
	r->team.id = path_id(r, "teamId");
	bind_text(q, ":team", r->team.id);
	bind_text(q, ":org", r->org.id);
	bind_text(q, ":user", r->who.user);
	if (r->org.role >= ROLE_READ && !stmt_step(q)) {
		r->absent = true;
		return not_found(r, "team", r->team.id);
	}
	r->team.owner = (r->org.role >= ROLE_READ || stmt_step(q)) && col_int(q, 0) == 1;
	if (!manage)
		return r->org.role < ROLE_READ && !r->team.owner ? forbidden(r, "organization", r->org.role, ROLE_READ) : 0;
	/*
	 * An owner of a team needs no role in the organization, so there is no role that the
	 * token's cap limits. The cap itself is checked instead: it must be at least create.
	 */
	if (r->org.role == ROLE_ADMIN || (r->team.owner && r->who.cap >= ROLE_CREATE))
		return 0;
	return fail(r, E_FORBIDDEN, "this takes an owner of the team or an admin of the organization");
}

/*
 * True if the caller may read everything that r->site publishes although the caller has no role on
 * the site: because the site is public, or by roles on all its spaces.
 */
static bool
may_read_site(struct req *r)
{
	struct stmt *q = db_use(r->db, &q_site_open);
	struct place { struct place *next; const char *space; } *first = NULL, **last = &first, *p;
	bool all = true;

	bind_text(q, ":id", r->site.id);
	if (!stmt_step(q))
		return false;
	if (col_int(q, 0) == 1)
		return true;
	q = db_use(r->db, &q_site_shows);
	bind_text(q, ":id", r->site.id);
	while (stmt_step(q)) {
		*last = arena_alloc(r->arena, sizeof(**last));
		**last = (struct place){ NULL, col_dup(q, 0, r->arena) };
		last = &(*last)->next;
	}
	for (p = first; p != NULL && all; p = p->next)
		all = (q = space_role(r, p->space, true)) != NULL && cap_role(r, col_int(q, col(q, "role"))) >= ROLE_READ;
	return first != NULL && all;
}

/*
 * Sets r->site.role and r->site.full. True if the caller has a role on the site, whatever the scope
 * of the token; with `read`, also if the caller may read what the site publishes.
 */
static bool
sees_site(struct req *r, enum role role, bool read)
{
	r->site.full = site_role(r, r->site.id, r->org.id, role);
	r->site.role = cap_role(r, r->site.full);
	return r->site.full >= ROLE_READ || (read && r->site.full != ROLE_STRANGER && may_read_site(r));
}

static int
site_access(struct req *r, bool manage, bool read)
{
	bool known;

	r->org.id = path_id(r, "organizationId");
	r->site.id = path_id(r, "siteId");
	known = sees_site(r, org_role_full(r, r->org.id), read);
	/* The share key is used only if the caller may not read the site otherwise. */
	if (!known && read && visit_by_key(r))
		return 0;
	if (org_access(r, ROLE_NONE) != 0)
		return -1;
	/*
	 * 404 and not 403: the existence of a site is visible only to those who have a role on it
	 * or may read it.
	 */
	if (!known)
		return fail_unknown(r, "site", "siteId");
	return manage && r->site.role < ROLE_CREATE ? forbidden(r, "site", r->site.role, ROLE_CREATE) : 0;
}

/* Uses the full role, as site_access() does: a list changes nothing. */
static int
site_list_access(struct req *r)
{
	struct stmt *q;

	if (org_access(r, ROLE_NONE) != 0)
		return -1;
	if (r->org.full >= ROLE_CREATE)
		return 0;
	q = db_use(r->db, &q_site_list);
	bind_text(q, ":org", r->org.id);
	bind_text(q, ":user", r->who.user);
	bind_int(q, ":org_role", r->org.full);
	return stmt_int(q, 0) == 1 ? 0 : forbidden(r, "organization", r->org.role, ROLE_CREATE);
}

/*
 * Checks that the caller may create in the collection or organization that the body names as
 * parent.
 */
static int
parent_create_access(struct req *r)
{
	if (org_access(r, ROLE_NONE) != 0)
		return -1;
	/*
	 * Before the body is read, only the organization can be checked; the check runs again with
	 * the body (http/req.h).
	 */
	return r->body == NULL ? 0 : container_or_fail(r, r->org.id, body_text(r, "parent"));
}

/* A user that the caller may not see is not found. */
static int
self_access(struct req *r)
{
	if (strcmp(path_id(r, "userId"), r->who.user) == 0)
		return 0;
	return user_or_fail(r) == NULL ? -1 : fail(r, E_FORBIDDEN, "you cannot change another user");
}

/*
 * Limits a session that is valid for one organization only. A path that names another organization
 * is answered as for a stranger; access.c does the same for spaces, collections and everything else
 * that belongs to an organization. Operations on the account itself (tokens, password, other
 * organizations) need a session or token of the account, unless the route is marked BY_BOUND.
 */
static int
bound_access(struct req *r)
{
	enum access a = r->route->access;

	if (path_has(r, "organizationId"))
		return covers_org(r, path_id(r, "organizationId")) ? 0 : fail_unknown(r, "organization", "organizationId");
	if ((a == USER || a == SELF) && (r->route->callers & BY_BOUND) == 0)
		return fail(r, E_FORBIDDEN, "you have signed in by the provider of an organization, which is valid for that "
		    "organization alone: sign in to your account in another way");
	return 0;
}

/*
 * Maps each rule of routes.def to a check, and is the only place that does. It runs before the body
 * is read and again in the handler's transaction, so that its result is valid there.
 */
int
check_access(struct req *r)
{
	if (r->who.kind == BY_SITES)
		return site_token_access(r);
	if (r->who.only_org != NULL && takes_caller(r->route) && bound_access(r) != 0)
		return -1;
	switch (r->route->access) {
	case ANYONE:
	case OWN_PAGES:
	case USER:          return 0;
	case ORG_VIEW:      return org_access(r, ROLE_NONE);
	case ORG_LINK:      return link_access(r);
	case ORG_READ:      return org_access(r, ROLE_READ);
	case ORG_CREATE:    return org_access(r, ROLE_CREATE);
	case ORG_ADMIN:     return org_access(r, ROLE_ADMIN);
	case SPACE_SEE:
	case SPACE_READ:    return space_access(r, ROLE_READ);
	case SPACE_COMMENT: return space_access(r, ROLE_COMMENT);
	case SPACE_EDIT:    return space_access(r, ROLE_EDIT);
	case SPACE_REVIEW:  return space_access(r, ROLE_REVIEW);
	/*
	 * Before the body is read, the role edit is enough. In the second check, a body without
	 * changeRequestId writes primary content, which takes the role review.
	 */
	case SPACE_WRITE:   return space_access(r, r->body != NULL && !body_has(r, "changeRequestId") ? ROLE_REVIEW : ROLE_EDIT);
	case SPACE_CREATE:
	case SPACE_DELETED: return space_access(r, ROLE_CREATE);
	case REQUEST_OWN:   return request_own_access(r);
	case COLLECTION_READ:   return collection_access(r, ROLE_READ);
	case COLLECTION_CREATE: return collection_access(r, ROLE_CREATE);
	case MEMBER_VIEW:   return member_access(r);
	case SITE_LIST:     return site_list_access(r);
	case SITE_SEE:      return site_access(r, false, false);
	case SITE_READ:     return site_access(r, false, true);
	case SITE_CREATE:   return site_access(r, true, false);
	case TEAM_VIEW:     return team_access(r, false);
	case TEAM_ADMIN:    return team_access(r, true);
	case PARENT_CREATE: return parent_create_access(r);
	case SELF:          return self_access(r);
	case INVITE_MANAGE: return org_access(r, ROLE_NONE) != 0 ? -1 : invite_manage(r);
	case INVITE_SECRET: return invite_secret(r);
	}
	/* Reached only by a rule without a case, of which the compiler warns. */
	return fail(r, E_FORBIDDEN, "the route has no access rule");
}
