/*
 * Access: the one function that decides who may do what.
 *
 * The role on a space follows precedence, not strength: an admin of the
 * organization is admin; else a grant to the user here, else the strongest
 * grant here to one of the user's teams, else defaultLevel here (a role, or no
 * access); where the level is `inherit`, the parent collection is asked in the
 * same way and, at the top, the role in the organization (a guest has none).
 * A token of lesser scope caps the result. Whether something is seen at all is
 * decided without the cap, which is never below read.
 *
 * What the caller may not know of is 404; what it sees and may not do is 403.
 * A deleted space is seen only by those who may restore it.
 *
 * A role that was worked out once is remembered until anybody's access changes
 * (known_roles.c), so that neither teams nor nesting cost the requests that follow.
 *
 * Where the path has {changeRequestId} (an id, or a number in the space), the
 * request is loaded too: 404 before any question of roles.
 */
#include <stdlib.h>

#include "api/access.h"
#include "api/collections.h"
#include "api/invites.h"
#include "api/known_roles.h"
#include "api/requests.h"
#include "api/spaces.h"
#include "api/users.h"
#include "api/visitor.h"
#include "app/roles.h"
#include "http/req.h"
#include "store/computed.h"
#include "store/content.h"

/*
 * The caller's role on :place, of spaces or collections: the one that role_row()
 * knows, if access is what it was then (v), else worked out for member m. Who has
 * a known role is a member: m is looked for only where there is none.
 */
#define KNOWN_ROLE(what) \
	"CASE WHEN v.n = :known_at THEN :known ELSE " ROLE_FROM(what, ":place", ":user") " END AS role, " \
	"v.n AS access_version "
#define KNOWN_FROM(t) \
	"JOIN access_version v ON v.id = 1 LEFT JOIN member m ON m.org = " t ".org " \
	"AND m.account = CASE WHEN v.n = :known_at THEN NULL ELSE :user END AND m.disabled = 0 " \
	"WHERE (v.n = :known_at OR m.account IS NOT NULL) AND " t ".id = :place "
/* What every route needs to know of its space; the whole row for those that answer with it. */
SQL(q_space_access,
    "SELECT s.id, s.org, s.parent, s.edit_mode, s.deleted_at, s.branch, b.head, "
    "(SELECT rv.id FROM revision rv WHERE rv.branch = s.branch AND rv.seq = b.head) AS revision, "
    KNOWN_ROLE("space") "FROM space s JOIN branch b ON b.id = s.branch " KNOWN_FROM("s"));
/*
 * Two statements for one question: the counts and sub-selects of SPACE_COLS are worked out only
 * where the route answers with the space.
 */
SQL(q_space_whole,
    "SELECT " SPACE_COLS ", " KNOWN_ROLE("space") "FROM " SPACE_FROM " " KNOWN_FROM("s"));
SQL(q_collection_access,
    "SELECT " COLLECTION_COLS ", " KNOWN_ROLE("collection") "FROM collection c " KNOWN_FROM("c")
    "AND c.deleted_at IS NULL");
/*
 * By number where :number is above 0, else by id; either within the space, so that an id of
 * another space's request is not found (security.md S1).
 */
SQL(q_request_access,
    "SELECT cr.id, cr.number, cr.status, cr.created_by, cr.subject, cr.description, cr.branch, "
    "rv.id, " REQUEST_OUTDATED " FROM change_request cr JOIN branch b ON b.id = cr.branch "
    "JOIN branch main ON main.id = b.base "
    "JOIN revision rv ON rv.branch = b.id AND rv.seq = b.head WHERE cr.space = :space AND cr.id = "
    "CASE WHEN :number > 0 THEN (SELECT x.id FROM change_request x WHERE x.space = :space "
    "AND x.number = :number) ELSE :id END");
/* No row for who is no member or is disabled; NULL is a guest, 0 here. */
SQL(q_org_access,
    "SELECT COALESCE(role, 0) FROM member WHERE org = :org AND account = :user AND disabled = 0");
SQL(q_site_access, "SELECT 1 FROM site WHERE id = :id AND org = :org");
/* 1: everybody may read what it publishes; 0: only some may; no row: it publishes nothing. */
SQL(q_site_open,
    "SELECT CASE WHEN visibility IN ('public', 'unlisted') THEN 1 ELSE 0 END FROM site WHERE id = :id "
    "AND published_at IS NOT NULL");
SQL(q_site_shows,
    "SELECT x.space FROM site_space x JOIN space s ON s.id = x.space AND s.deleted_at IS NULL WHERE x.site = :id");
/* The team within the organization of the path, and whether the caller owns it. */
SQL(q_team_access,
    "SELECT COALESCE((SELECT CASE WHEN tm.role = 'owner' THEN 1 ELSE 0 END FROM team_member tm "
    "WHERE tm.team = t.id AND tm.account = :user), 0) FROM team t WHERE t.id = :team AND t.org = :org");

/* gaps.md "People and access", tokens: a scope never gives a role, it only bounds one. */
int
capped(const struct req *r, int64_t role)
{
	return role > r->who.cap ? r->who.cap : (int)role;
}

static int
not_found(struct req *r, const char *what, const char *id)
{
	/* The same words whether it is missing or hidden. */
	return fail(r, E_NOT_FOUND, "no %s %s", what, id);
}

/* Only for what the caller may know of: it says that the thing is there. */
static int
forbidden(struct req *r, const char *what, int have, int need)
{
	return fail(r, E_FORBIDDEN, "this takes the role \"%s\" on the %s; you have \"%s\"",
	    role_name(need), what, have < 1 ? "none" : role_name(have));
}

/* DELETE of a space or organization that is unknown: nothing is left to do (204). */
static int
unknown_target(struct req *r, const char *what, const char *name)
{
	const char *path = r->route->path;
	size_t k = strlen(name);

	/* The route's own path, which has "{name}": at its end? */
	r->absent = strncmp(path + strlen(path) - k - 1, name, k) == 0;
	return not_found(r, what, path_id(r, name));
}

/* -1: no member. NULL for org finds nothing. */
int
org_role_full(struct req *r, const char *org)
{
	struct stmt *q = db_use(r->db, &q_org_access);

	bind_text(q, ":org", org);
	bind_text(q, ":user", r->who.user);
	return stmt_step(q) ? (int)col_int(q, 0) : -1;
}

int
org_role(struct req *r, const char *org)
{
	return capped(r, org_role_full(r, org));
}

struct stmt *
collection_row(struct req *r, const char *id)
{
	return role_row(r, &q_collection_access, id);
}

/* 0: a collection of the organization that the caller may not know of. The cap is at least 1, and hides none. */
static int
collection_role(struct req *r, const char *org, const char *collection)
{
	struct stmt *q = collection_row(r, collection);

	return q == NULL || strcmp(col_text(q, col(q, "org")), org) != 0 ? 0 : capped(r, col_int(q, col(q, "role")));
}

int
container_or_fail(struct req *r, const char *org, const char *parent)
{
	int role = parent == NULL ? org_role(r, org) : collection_role(r, org, parent);

	/* A collection that the body does not name is the one around what the caller sees: closed, not unknown. */
	if (role < 1 && body_text(r, "parent") != NULL)
		return not_found(r, "collection", parent);
	/* 5 is create. */
	if (role < 5)
		return forbidden(r, parent == NULL ? "organization" : "collection", role, 5);
	return 0;
}

int
grant_or_fail(struct req *r, int own, int role)
{
	if (role > own)
		return fail(r, E_FORBIDDEN, "nobody gives a role above their own: you have \"%s\"", role_name(own));
	return 0;
}

/* role_number() gives 0 for null, inherit, and a body without the member: these grant nothing. */
int
level_or_fail(struct req *r, int own)
{
	return grant_or_fail(r, own, role_number(body_text(r, "defaultLevel")));
}

/* need 0: any member, guests included. */
static int
org_access(struct req *r, int need)
{
	int role;

	r->org.id = path_id(r, "organizationId");
	role = org_role_full(r, r->org.id);
	if (role < 0)
		return unknown_target(r, "organization", "organizationId");
	r->org.full = role;
	r->org.role = capped(r, role);
	return r->org.role < need ? forbidden(r, "organization", r->org.role, need) : 0;
}

/* Copies what the row holds: the statement is used again within the request, for other spaces. */
static void
take_space(struct req *r, struct stmt *q)
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
	s->role = capped(r, col_int(q, col(q, "role")));
	/* Only q_space_whole has all columns of the Space shape. */
	s->row = r->route->reply == &Space ? q : NULL;
}

/* Deleted spaces are known only to who may restore them, and only to GET and restore. */
static bool
visible(struct req *r)
{
	enum access a = r->route->access;
	/* The same bound as in the purge, so that what may be restored is still there. */
	int64_t oldest = time_now() - r->set->purge_days * DAY_MS;

	if (r->space.role < 1)
		return false;
	if (r->space.deleted_at == 0)
		return true;
	/* gaps.md "Content", deleted space: only GET and restore, 404 for all else and everybody else. */
	return (a == SPACE_SEE || a == SPACE_DELETED) && r->space.role >= 5 &&
	    r->space.deleted_at > oldest;
}

struct stmt *
space_row(struct req *r, const char *id)
{
	struct stmt *q;

	if (r->who.kind == BY_SITES)
		return visited_space(r, id);
	q = role_row(r, &q_space_whole, id);
	/* Who looks at a site without a role on the space sees it as any visitor does; with one, what is theirs. */
	return r->visit != NULL && (q == NULL || col_int(q, col(q, "role")) < 1) ? visited_space(r, id) : q;
}

/* The number that the text is, spelled as the API spells it; 0 if it is none, and so an id. */
static int64_t
request_number(const char *s)
{
	size_t n = strspn(s, "0123456789");

	return n < 16 && s[n] == '\0' && s[0] != '0' ? strtoll(s, NULL, 10) : 0;
}

static void
take_request(struct req *r, struct stmt *q)
{
	r->request = (struct request_ref){ .id = col_dup(q, 0, r->arena), .number = col_int(q, 1),
		.status = col_dup(q, 2, r->arena), .author = col_dup(q, 3, r->arena),
		.subject = col_dup(q, 4, r->arena), .description = col_dup(q, 5, r->arena),
		.branch = col_int(q, 6), .revision = col_dup(q, 7, r->arena), .outdated = col_int(q, 8) != 0 };
}

/* Loads the change request that the path names, if it names one. */
int
request_load(struct req *r, const char *id)
{
	struct stmt *q = db_use(r->db, &q_request_access);

	bind_text(q, ":space", r->space.id);
	bind_text(q, ":id", id);
	bind_int(q, ":number", request_number(id));
	if (!stmt_step(q)) {
		/* What it would hold is not there either: DELETE has nothing left to do. */
		r->absent = true;
		return not_found(r, "change request", id);
	}
	take_request(r, q);
	return 0;
}

static int
request_access(struct req *r)
{
	return path_has(r, "changeRequestId") ? request_load(r, path_id(r, "changeRequestId")) : 0;
}

static int
space_access(struct req *r, int need)
{
	bool whole = r->route->reply == &Space;
	struct stmt *q = role_row(r, whole ? &q_space_whole : &q_space_access, path_id(r, "spaceId"));

	/* role_row() has no row for strangers: 404 as for a space that does not exist. */
	if (q == NULL)
		return unknown_target(r, "space", "spaceId");
	take_space(r, q);
	if (!visible(r))
		return unknown_target(r, "space", "spaceId");
	/* Before the role: what is not there is 404 also for who may not do it. */
	if (request_access(r) != 0)
		return -1;
	return r->space.role < need ? forbidden(r, "space", r->space.role, need) : 0;
}

/* For the author of what the path names, reading the space is enough. */
static int
request_own(struct req *r)
{
	if (space_access(r, 1) != 0)
		return -1;
	return author_or_fail(r, r->request.author, 3);
}

/* The author needs no role here but the one that lets them see the space, which the route has asked for. */
int
author_or_fail(struct req *r, const char *author, int need)
{
	if (strcmp(author, r->who.user) == 0 || r->space.role >= need)
		return 0;
	return forbidden(r, "space", r->space.role, need);
}

int
role_or_fail(struct req *r, int need)
{
	return r->space.role < need ? forbidden(r, "space", r->space.role, need) : 0;
}

/* A deleted collection has no row in q_collection_access: it is unknown to everybody. */
static int
collection_access(struct req *r, int need)
{
	struct collection_ref *c = &r->collection;
	struct stmt *q = collection_row(r, path_id(r, "collectionId"));

	if (q == NULL || col_int(q, col(q, "role")) < 1)
		return unknown_target(r, "collection", "collectionId");
	c->id = col_dup(q, col(q, "id"), r->arena);
	c->org = col_dup(q, col(q, "org"), r->arena);
	c->parent = col_dup(q, col(q, "parent"), r->arena);
	c->full = (int)col_int(q, col(q, "role"));
	c->role = capped(r, c->full);
	c->row = q;
	return c->role < need ? forbidden(r, "collection", c->role, need) : 0;
}

/* Guests see no members but themselves. */
static int
member_access(struct req *r)
{
	if (org_access(r, 0) != 0)
		return -1;
	if (r->org.role < 1 && strcmp(path_id(r, "userId"), r->who.user) != 0)
		return forbidden(r, "organization", r->org.role, 1);
	return 0;
}

/*
 * A guest may own a team, and then manages it without seeing the organization's others. Other
 * guests get the same 403 whether the team is there or not.
 */
static int
team_access(struct req *r, bool manage)
{
	struct stmt *q;

	if (org_access(r, 0) != 0)
		return -1;
	q = db_use(r->db, &q_team_access);
	r->team.id = path_id(r, "teamId");
	bind_text(q, ":team", r->team.id);
	bind_text(q, ":org", r->org.id);
	bind_text(q, ":user", r->who.user);
	if (r->org.role >= 1 && !stmt_step(q)) {
		r->absent = true;
		return not_found(r, "team", r->team.id);
	}
	r->team.owner = (r->org.role >= 1 || stmt_step(q)) && col_int(q, 0) == 1;
	if (!manage)
		return r->org.role < 1 && !r->team.owner ? forbidden(r, "organization", r->org.role, 1) : 0;
	/*
	 * An owner's token must be allowed to manage something, though owning gives no role that
	 * a cap could bound.
	 */
	if (r->org.role == 6 || (r->team.owner && r->who.cap >= 5))
		return 0;
	return fail(r, E_FORBIDDEN, "this takes an owner of the team or an admin of the organization");
}

/* May somebody who does not manage sites read all that r->site publishes: as everybody, or by their roles on its spaces? */
static bool
reads_site(struct req *r)
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
		all = (q = role_row(r, &q_space_whole, p->space)) != NULL && capped(r, col_int(q, col(q, "role"))) >= 1;
	return first != NULL && all;
}

/* Sites are known to those who manage content of the whole organization, whatever the scope of the token. */
static int
site_access(struct req *r, bool manage, bool read)
{
	struct stmt *q;

	if (org_access(r, 0) != 0)
		return -1;
	r->site.id = path_id(r, "siteId");
	q = db_use(r->db, &q_site_access);
	bind_text(q, ":id", r->site.id);
	bind_text(q, ":org", r->org.id);
	/* 404 and not 403: which sites there are is for those who manage content, but for what they may read anyway. */
	if (!stmt_step(q) || (r->org.full < 5 && !(read && reads_site(r))))
		return unknown_target(r, "site", "siteId");
	return manage && r->org.role < 5 ? forbidden(r, "organization", r->org.role, 5) : 0;
}

/* As site_access(): full, for the list changes nothing. */
static int
site_list(struct req *r)
{
	if (org_access(r, 0) != 0)
		return -1;
	return r->org.full < 5 ? forbidden(r, "organization", r->org.role, 5) : 0;
}

/* Where something new goes. */
static int
parent_create(struct req *r)
{
	if (org_access(r, 0) != 0)
		return -1;
	/*
	 * Before the body is read the organization alone can be asked; the check runs again with
	 * the body (http/req.h).
	 */
	return r->body == NULL ? 0 : container_or_fail(r, r->org.id, body_text(r, "parent"));
}

/* Users that the caller may not know of are not there. */
static int
self_access(struct req *r)
{
	if (strcmp(path_id(r, "userId"), r->who.user) == 0)
		return 0;
	return user_or_fail(r) == NULL ? -1 : fail(r, E_FORBIDDEN, "nobody changes another user");
}

/*
 * The one place that maps a rule of routes.def to a check. It runs before the body is read, and
 * again in the transaction of the handler, so that what it found still holds there.
 */
int
check_access(struct req *r)
{
	if (r->who.kind == BY_SITES)
		return site_token_access(r);
	switch (r->route->access) {
	case ANYONE:
	case USER:          return 0;
	case ORG_VIEW:      return org_access(r, 0);
	case ORG_READ:      return org_access(r, 1);
	case ORG_CREATE:    return org_access(r, 5);
	case ORG_ADMIN:     return org_access(r, 6);
	case SPACE_SEE:
	case SPACE_READ:    return space_access(r, 1);
	case SPACE_COMMENT: return space_access(r, 2);
	case SPACE_EDIT:    return space_access(r, 3);
	case SPACE_REVIEW:  return space_access(r, 4);
	/* Before the body is read the lesser role is enough; with it, primary content takes review. */
	case SPACE_WRITE:   return space_access(r, r->body != NULL && !body_has(r, "changeRequestId") ? 4 : 3);
	case SPACE_CREATE:
	case SPACE_DELETED: return space_access(r, 5);
	case REQUEST_OWN:   return request_own(r);
	case COLLECTION_READ:   return collection_access(r, 1);
	case COLLECTION_CREATE: return collection_access(r, 5);
	case MEMBER_VIEW:   return member_access(r);
	case SITE_LIST:     return site_list(r);
	case SITE_SEE:      return site_access(r, false, false);
	case SITE_READ:     return site_access(r, false, true);
	case SITE_CREATE:   return site_access(r, true, false);
	case TEAM_VIEW:     return team_access(r, false);
	case TEAM_ADMIN:    return team_access(r, true);
	case PARENT_CREATE: return parent_create(r);
	case SELF:          return self_access(r);
	case INVITE_MANAGE: return org_access(r, 0) != 0 ? -1 : invite_manage(r);
	case INVITE_SECRET: return invite_secret(r);
	}
	/* A new rule without a case lets nobody in; the compiler warns of it too. */
	return fail(r, E_FORBIDDEN, "the route has no access rule");
}

/*
 * The revision of the path, which must be of its space; else the head of the request or of main.
 * Heads come from the access check, in this same transaction.
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

/* A node of another kind is not found: a file's id under /page/ names nothing. */
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
	/* Costs nothing for ids of rows. */
	if (!computed_id(id))
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
