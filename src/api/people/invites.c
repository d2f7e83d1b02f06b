/*
 * Joining an organization: by an invitation to an email address, by an invite link, or by the
 * domain of one's own address. Tables link_invite, org_domain, member.
 *
 * Inviting a known address makes its user a member at once. An unknown address creates a user who
 * cannot sign in yet.
 *
 * Anyone who knows the id of a link may view the link and join. The id is therefore a secret: it is
 * stored sealed, shown only to those who may make such links, and found by its fingerprint (a
 * hash). Audit records contain only the fingerprint, which does not open the link. If octavo.key was
 * replaced, the id can no longer be read; the link is then listed under its fingerprint, by which
 * it can be deleted.
 *
 * A link is for the organization (admins make it) or for a space or collection (users with the role
 * create there make it). Joining can raise the user's role and never lowers it. A disabled member
 * cannot join in any way.
 *
 * The maker of a link is the user who made or last changed it. A link never gives more than its
 * maker may give now. If the maker has lost the role that making it takes, the link gives nothing,
 * and those who would join get 404. A link is deleted with its maker's membership.
 */
#include <cjson/cJSON.h>

#include "api/access.h"
#include "api/audit_events.h"
#include "api/collections.h"
#include "api/examples.h"
#include "api/invites.h"
#include "api/known_roles.h"
#include "api/lists.h"
#include "api/members.h"
#include "api/permissions.h"
#include "api/refusals.h"
#include "api/space_shape.h"
#include "app/audit.h"
#include "app/people.h"
#include "app/roles.h"
#include "base/exact.h"
#include "base/secret.h"
#include "http/req.h"

static const struct shape OneEmail = { "InviteEmail", (const struct field[]){
	{ "email", T_TEXT, F_REQ, .max = 254, .doc = "Address", .example = "grace@example.com" },
	{ "role", T_ROLE, F_REQ | F_NULL, .doc = "Role in the organization; null: a guest" },
	{ 0 } } };
/* T_EITHER accepts a text or an object, whose members read_email() checks. */
static const struct field email_or_object = { "", T_EITHER, .of = &OneEmail,
	.item = &(const struct field){ "", T_TEXT } };
const struct shape InviteByEmail = { "InviteUsersToOrganization", (const struct field[]){
	{ "emails", T_LIST, F_REQ, .max = 1000, .item = &email_or_object,
	  .doc = "Addresses, or objects of email and role",
	  .example = "[\"grace@example.com\"]" },
	{ "role", T_ROLE, F_NULL, .doc = "Role of the new members; absent: the organization's defaultRole" },
	{ "sso", T_BOOL, .doc = "true: the member signs in with SSO" },
	{ 0 } } };
const struct shape Invited = { "InvitedUsers", (const struct field[]){
	{ "users", T_LIST, F_REQ, .item = &(const struct field){ "", T_TEXT },
	  .doc = "Ids of the users who are members now", .example = "[\"u3JpZ8nYqLk5WvTf6MxA\"]" },
	{ "invited", T_INT, F_REQ, .doc = "Number of new members", .example = "1" },
	{ "failedSSOEmails", T_LIST, .item = &(const struct field){ "", T_TEXT },
	  .doc = "Addresses that could not be marked for SSO", .example = "[]" },
	{ 0 } } };

const struct shape InviteLink = { "OrganizationInviteLink", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "invite", .doc = "Kind of object" },
	{ "id", T_TEXT, F_REQ, .doc = "Unique id, and the secret of the link", .example = EXAMPLE_INVITE },
	{ "role", T_ROLE, F_NULL, .doc = "Of a link to the organization: role that it gives" },
	{ "level", T_ROLE, F_NULL, .doc = "Of a link to a space or collection: role that it gives" },
	{ "redundant", T_BOOL, F_REQ, .doc = "true: you already have all access that the link gives" },
	{ "active", T_BOOL, F_REQ, .doc = "false: the user who made it may no longer give this access, so nobody can join with it" },
	{ "space", T_OBJECT, .of = &Space, .doc = "Space that it gives access to" },
	{ "collection", T_OBJECT, .of = &Collection, .doc = "Collection that it gives access to" },
	{ 0 } } };
LIST_SHAPE(InviteLinkList, InviteLink);
const struct shape InviteLinksQuery = { "InviteLinksQuery", (const struct field[]){
	PAGING,
	{ "space", T_TEXT, .max = 100, .doc = "Only links to this space, not those to the organization",
	  .example = EXAMPLE_SPACE },
	{ "collection", T_TEXT, .max = 100,
	  .doc = "Only links to this collection, not those to the organization", .example = EXAMPLE_COLLECTION },
	{ 0 } } };
/* The link's target decides whether role or level is required: read_role(). */
const struct shape InviteLinkCreate = { "CreateOrganizationInvite", (const struct field[]){
	{ "role", T_ROLE, F_NULL, .doc = "Role in the organization; null: a guest" },
	{ "level", T_ROLE, F_NULL, .doc = "Role on the space or collection" },
	{ "space", T_TEXT, .max = 100, .doc = "Id of the space that it gives access to",
	  .example = EXAMPLE_SPACE },
	{ "collection", T_TEXT, .max = 100, .doc = "Id of the collection that it gives access to",
	  .example = EXAMPLE_COLLECTION },
	{ 0 } } };
const struct shape InviteLinkEdit = { "UpdateOrganizationInvite", (const struct field[]){
	{ "role", T_ROLE, F_NULL, .doc = "Role in the organization; null: a guest" },
	{ "level", T_ROLE, F_NULL, .doc = "Role on the space or collection" },
	{ 0 } } };

/*
 * The role is 0 if it is NULL (a guest). There is no row if the organization has turned links off,
 * not even for members.
 */
SQL(q_link,
    "SELECT i.sealed, i.space, i.collection, COALESCE(i.role, 0), i.created_by FROM link_invite i "
    "JOIN org o ON o.id = i.org WHERE i.id = :id AND i.org = :org AND o.invite_links = 1");
/* There are no rows, and the count is 0, if the organization has turned links off. */
SQL(q_links,
    "SELECT i.id, i.created_at FROM link_invite i WHERE i.org = :org "
    "AND i.space IS NOT DISTINCT FROM :space AND i.collection IS NOT DISTINCT FROM :collection "
    "AND EXISTS (SELECT 1 FROM org o WHERE o.id = i.org AND o.invite_links = 1) "
    "AND COALESCE(i.role, 0) <= CAST(:own AS BIGINT) AND (i.created_at, i.id) < (COALESCE(CAST(:k1 AS BIGINT), " SQL_EXACT_MAX "), COALESCE(:k2, '')) "
    "ORDER BY i.created_at DESC, i.id DESC LIMIT :limit");
/* IS NOT DISTINCT FROM: both are NULL for links to the organization. */
SQL(q_links_count,
    "SELECT count(*) FROM link_invite i WHERE i.org = :org "
    "AND i.space IS NOT DISTINCT FROM :space AND i.collection IS NOT DISTINCT FROM :collection "
    "AND EXISTS (SELECT 1 FROM org o WHERE o.id = i.org AND o.invite_links = 1) "
    "AND COALESCE(i.role, 0) <= CAST(:own AS BIGINT)");
SQL(q_add,
    "INSERT INTO link_invite (id, sealed, org, space, collection, role, created_at, created_by) "
    "VALUES (:id, :sealed, :org, :space, :collection, NULLIF(CAST(:role AS BIGINT), 0), :now, :user)");
/* The user who changes a link becomes its maker, whose role then limits it. */
SQL(q_set,
    "UPDATE link_invite SET role = NULLIF(CAST(:role AS BIGINT), 0), created_by = :user WHERE id = :id");
#define OF_MAKER " FROM member m WHERE m.org = :org AND m.account = :maker AND m.disabled = 0"
/* If the maker left or is disabled, there is no row, and the link gives nothing. */
SQL(q_maker_org, "SELECT COALESCE(m.role, 0)" OF_MAKER);
SQL(q_maker_space, "SELECT " ROLE_FROM("space", ":place", ":maker") OF_MAKER);
SQL(q_maker_collection, "SELECT " ROLE_FROM("collection", ":place", ":maker") OF_MAKER);
SQL(q_delete, "DELETE FROM link_invite WHERE id = :id");
/* The organization's setting, independent of existing links. */
SQL(q_links_on, "SELECT invite_links FROM org WHERE id = :org");
/* The target of a link as the access check returns it, but for users who are not members yet: their role is 0. */
SQL(q_space, "SELECT " SPACE_COLS ", 0 AS role FROM " SPACE_FROM " WHERE s.id = :id AND s.deleted_at IS NULL");
SQL(q_collection,
    "SELECT " COLLECTION_COLS ", 0 AS role FROM collection c WHERE c.id = :id AND c.deleted_at IS NULL");
SQL(q_member, "SELECT COALESCE(role, 0), disabled FROM member WHERE org = :org AND account = :user");
SQL(q_sso, "UPDATE member SET sso = 1 WHERE org = :org AND account = :user");
/* org_domain stores domains in lower case (app/people.h), as own_domain() returns them. */
SQL(q_join,
    "SELECT COALESCE(o.default_role, 0) FROM org o JOIN org_domain d ON d.org = o.id "
    "AND d.domain = :domain WHERE o.id = :org");
/* An unverified address may have been entered by another person, so it opens no organization. */
SQL(q_own_domain, "SELECT email FROM account WHERE id = :user AND verified = 1");

/* ---- by address ---- */

/* The answer to one batch, written while the batch is processed: two lists side by side. */
struct batch {
	/* users: ids of new members; failed: addresses that could not be marked for SSO */
	struct json users, failed;
	struct buf  users_text, failed_text;
	int64_t     invited;
};

/*
 * Marks a new member for SSO (members.c). A user who is also a member of another organization gets
 * no mark.
 */
static void
mark_for_sso(struct req *r, struct batch *b, const char *user, const char *mail)
{
	struct stmt *q;

	if (is_elsewhere(r, r->org.id, user)) {
		json_str(&b->failed, mail);
		return;
	}
	q = db_use(r->db, &q_sso);
	bind_text(q, ":org", r->org.id);
	bind_text(q, ":user", user);
	stmt_run(q);
}

/* Invites one address. An existing member keeps the present role. */
static void
invite_one(struct req *r, struct batch *b, const char *mail, enum role role)
{
	char *user = user_find(r->db, r->arena, mail);

	if (user == NULL)
		user = invited_user(r, r->org.id, mail);
	else if (is_member(r, r->org.id, user))
		return;
	/* Add the member before the SSO mark, which is stored in the membership. */
	member_set(r->db, r->org.id, user, role);
	if (body_bool(r, "sso", false))
		mark_for_sso(r, b, user, mail);
	/* Write the audit record after the mark, so that one record contains role and mark. */
	member_changed(r, r->org.id, user, NULL, AUDIT_MEMBER_ADD);
	json_str(&b->users, user);
	b->invited++;
}

/* Reads an item of `emails` into *mail (normalized) and *role. 0 or fail(). */
static int
read_email(struct req *r, const cJSON *item, int n, enum role fallback, char **mail, enum role *role)
{
	const char *at = arena_printf(r->arena, "/emails/%d", n), *text;

	*role = fallback;
	if (cJSON_IsObject(item)) {
		if (!shape_check(&r->faults, &OneEmail, item, at))
			return fail(r, E_BAD_REQUEST, "invalid body: %s %s", r->faults.first->path + 1,
			    r->faults.first->message);
		/* The member exists: shape_check() has required it. */
		text = cJSON_GetObjectItemCaseSensitive(item, "email")->valuestring;
		*role = role_number(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "role")));
	} else {
		text = cJSON_GetStringValue(item);
	}
	if (text == NULL || (*mail = email_normal(r->arena, text)) == NULL)
		return fail_field(r, at, "is not an email address");
	return grant_or_fail(r, r->org.role, *role);
}

/* Begins a JSON list in a buffer of its own. 1 MiB is enough, since the shape limits the number of addresses. */
static void
begin_list(struct req *r, struct json *j, struct buf *b)
{
	buf_init(b, r->arena, 1 << 20);
	json_init(j, b);
	json_arr(j);
}

/* POST /orgs/{organizationId}/invites */
HANDLER(inviteUsersToOrganization)
{
	enum role fallback = body_has(r, "role") ? role_number(body_text(r, "role")) :
	    default_role(r, r->org.id);
	struct batch b = { .invited = 0 };
	const cJSON *item;
	enum role role;
	int n = 0;
	char *mail = NULL;

	begin_list(r, &b.users, &b.users_text);
	begin_list(r, &b.failed, &b.failed_text);
	cJSON_ArrayForEach(item, body_get(r, "emails")) {
		if (read_email(r, item, n++, fallback, &mail, &role) != 0)
			return -1;
		invite_one(r, &b, mail, role);
	}
	json_end(&b.users);
	json_end(&b.failed);
	json_obj(&r->json);
	json_key(&r->json, "users");
	json_raw(&r->json, buf_view(&b.users_text));
	json_kint(&r->json, "invited", b.invited);
	json_key(&r->json, "failedSSOEmails");
	json_raw(&r->json, buf_view(&b.failed_text));
	json_end(&r->json);
	return 0;
}

/* ---- links ---- */

/*
 * The row of a link's target, with the caller's role; for a caller who is no member the role is 0.
 * NULL: the target was deleted.
 */
static struct stmt *
target_row(struct req *r, const struct invite_ref *l)
{
	struct stmt *q = l->space != NULL ? space_row(r, l->space) : collection_row(r, l->collection);

	if (q != NULL && (l->space == NULL || col_null(q, col(q, "deleted_at"))))
		return q;
	q = db_use(r->db, l->space != NULL ? &q_space : &q_collection);
	bind_text(q, ":id", l->space != NULL ? l->space : l->collection);
	return stmt_step(q) ? q : NULL;
}

/*
 * The caller's present role on the link's target; ROLE_STRANGER: the caller is no member of the
 * organization.
 */
static enum role
present_role(struct req *r, const struct invite_ref *l)
{
	enum role role = org_role_full(r, l->org);
	struct stmt *q;

	if (role == ROLE_STRANGER || (l->space == NULL && l->collection == NULL))
		return role;
	q = target_row(r, l);
	return q == NULL ? ROLE_NONE : (enum role)col_int(q, col(q, "role"));
}

/*
 * Writes the link as a value. Its member redundant is true if joining would give this caller
 * nothing.
 */
static void
write_link(struct req *r, const struct invite_ref *l)
{
	bool content = l->space != NULL || l->collection != NULL;
	/* Computed before the target's row is read, since present_role() uses the same statement. */
	bool redundant = present_role(r, l) >= l->role;
	struct json *j = &r->json;
	struct stmt *q;

	json_obj(j);
	json_kstr(j, "object", "invite");
	json_kstr(j, "id", l->id);
	json_kstr(j, content ? "level" : "role", role_name(l->role));
	json_kbool(j, "redundant", redundant);
	json_kbool(j, "active", l->active);
	if (content && (q = target_row(r, l)) != NULL) {
		json_key(j, l->space != NULL ? "space" : "collection");
		shape_row(j, l->space != NULL ? &Space : &Collection, r, q);
	}
	json_end(j);
}

/* Limits the link to what its maker may give now: lowers its role, or makes it inactive. */
static void
limit_by_maker(struct req *r, struct invite_ref *l, const char *maker)
{
	bool content = l->space != NULL || l->collection != NULL;
	struct stmt *q = db_use(r->db, l->space != NULL ? &q_maker_space :
	    content ? &q_maker_collection : &q_maker_org);
	int64_t role;

	bind_text(q, ":org", l->org);
	bind_text(q, ":maker", maker);
	if (content)
		bind_text(q, ":place", l->space != NULL ? l->space : l->collection);
	role = stmt_int(q, ROLE_STRANGER);
	l->active = role >= (int)(content ? ROLE_CREATE : ROLE_ADMIN);
	if (l->active && (int)l->role > role)
		l->role = (enum role)role;
}

/* Finds a link of the organization by its fingerprint, if its target exists. False: not found. */
static bool
read_link(struct req *r, const char *org, const char *fingerprint, struct invite_ref *l)
{
	struct stmt *q = db_use(r->db, &q_link);
	struct str id;

	bind_text(q, ":id", fingerprint);
	bind_text(q, ":org", org);
	if (!stmt_step(q))
		return false;
	if (!secret_unseal(r->arena, SECRET_LINK, col_bytes(q, 0), &id))
		id = str_of(fingerprint);
	*l = (struct invite_ref){ .id = arena_strndup(r->arena, id.p, id.n), .no = arena_strdup(r->arena, fingerprint), .org = org, .space = col_dup(q, 1, r->arena),
		.collection = col_dup(q, 2, r->arena), .role = (enum role)col_int(q, 3) };
	limit_by_maker(r, l, col_dup(q, 4, r->arena));
	return (l->space == NULL && l->collection == NULL) || target_row(r, l) != NULL;
}

/* Finds a link by its secret id. */
static bool
find_link(struct req *r, const char *org, const char *id, struct invite_ref *l)
{
	if (!read_link(r, org, audit_fingerprint(r->arena, id), l))
		return false;
	l->id = id;
	return true;
}

/*
 * A DELETE of an unknown link answers 204 (r->absent), but 404 if the caller may not see the
 * organization: r->org is not set then.
 */
static int
fail_unknown_link(struct req *r)
{
	r->absent = r->org.id != NULL;
	return fail(r, E_NOT_FOUND, "no invite %s", path_id(r, "inviteId"));
}

/*
 * Sets l->own to the caller's role on the link's target and requires that it allows managing links.
 * 0 or fail().
 */
static int
own_or_fail(struct req *r, struct invite_ref *l)
{
	struct stmt *q;

	if (l->space == NULL && l->collection == NULL) {
		l->own = r->org.role;
		return l->own < ROLE_ADMIN ? fail(r, E_FORBIDDEN, "this takes the role \"admin\" on the organization") : 0;
	}
	q = l->space != NULL ? space_row(r, l->space) : collection_row(r, l->collection);
	l->own = q == NULL || strcmp(col_text(q, col(q, "org")), l->org) != 0 ||
	    (l->space != NULL && !col_null(q, col(q, "deleted_at"))) ? 0 :
	    cap_role(r, col_int(q, col(q, "role")));
	/* Anyone who knows a link also knows its target, so this is 403 instead of 404. */
	if (l->own < ROLE_READ && l->id == NULL)
		return fail(r, E_NOT_FOUND, "no %s %s", l->space != NULL ? "space" : "collection",
		    l->space != NULL ? l->space : l->collection);
	return l->own < ROLE_CREATE ? fail(r, E_FORBIDDEN, "this takes the role \"create\" there") : 0;
}

/*
 * The link is for the target stored with {inviteId}, if the path has it, else for the target in the
 * query or the body. The first access check runs before query and body are read (http/req.h, enum
 * access); without {inviteId} it has nothing to check.
 */
int
invite_manage(struct req *r)
{
	struct invite_ref *l = &r->invite;
	bool get = r->route->method == M_GET;

	/* From here on r->invite is the link of the path. */
	if (path_has(r, "inviteId")) {
		/*
		 * Managers may also name a link by its fingerprint: it is all that remains if
		 * octavo.key was replaced.
		 */
		if (!find_link(r, r->org.id, path_id(r, "inviteId"), l) &&
		    !read_link(r, r->org.id, path_id(r, "inviteId"), l))
			return fail_unknown_link(r);
		if (own_or_fail(r, l) != 0)
			return -1;
		/* A user may delete a link that they may not create. */
		return r->route->method == M_DELETE ? 0 : grant_or_fail(r, l->own, l->role);
	}
	/* In the first check neither query nor body has been read. */
	if (get ? r->query == NULL : r->body == NULL)
		return 0;
	*l = (struct invite_ref){ .org = r->org.id,
		.space = get ? query_text(r, "space") : body_text(r, "space"),
		.collection = get ? query_text(r, "collection") : body_text(r, "collection") };
	if (l->space != NULL && l->collection != NULL)
		return fail_field(r, "/collection", "cannot be given together with a space");
	return own_or_fail(r, l);
}

enum { MEMBER_DISABLED = -2 };

/* The caller's role in the organization, ROLE_STRANGER or MEMBER_DISABLED. */
static int
membership_role(struct req *r, const char *org)
{
	struct stmt *q = db_use(r->db, &q_member);

	bind_text(q, ":org", org);
	bind_text(q, ":user", r->who.user);
	if (!stmt_step(q))
		return ROLE_STRANGER;
	return col_int(q, 1) == 1 ? MEMBER_DISABLED : (int)col_int(q, 0);
}

/*
 * The access rule INVITE_SECRET. Members may view a link, also an inactive one. Nobody can join by
 * an inactive link, and a disabled member cannot join at all. A member whom `sso` keeps out signs in
 * at the provider first: until then present_role() is that of a stranger, and a link could replace
 * a higher role by a lower one.
 */
int
invite_secret(struct req *r)
{
	const char *org = path_id(r, "organizationId");
	bool joins = r->route->method == M_POST;
	int mine = membership_role(r, org);

	/* An inactive link is known only to members who view it. */
	if ((joins && mine == MEMBER_DISABLED) || !find_link(r, org, path_id(r, "inviteId"), &r->invite) ||
	    (!r->invite.active && (joins || mine < ROLE_NONE)))
		return fail_unknown_link(r);
	return joins && mine >= ROLE_NONE && org_role_full(r, org) == ROLE_STRANGER ? not_found(r, "organization", org) : 0;
}

/* Returns target and role of the link as JSON for the audit record. */
static char *
invite_snapshot(struct req *r, const struct invite_ref *l)
{
	bool content = l->space != NULL || l->collection != NULL;
	struct buf b;
	struct json j;

	buf_init(&b, r->arena, 8 << 10);
	json_init(&j, &b);
	json_obj(&j);
	json_kstr(&j, l->space != NULL ? "space" : content ? "collection" : "organization",
	    l->space != NULL ? l->space : content ? l->collection : l->org);
	json_kstr(&j, content ? "level" : "role", role_name(l->role));
	json_end(&j);
	return arena_strndup(r->arena, b.p, b.n);
}

/*
 * Writes an audit record. Its target is the link's fingerprint (l->no), so that a reader of the record
 * sees which entries are about the same link, but cannot open it.
 */
static void
record_invite(struct req *r, enum audit_action action, const struct invite_ref *l, char *before, char *after)
{
	audit_change(r, &(struct audit_event){ .action = action, .org = l->org, .type = "invite",
	    .target = l->no }, before, after);
}

/* GET /orgs/{organizationId}/link-invites: to the organization, or to a space or collection. */
HANDLER(listOrganizationInviteLinks)
{
	struct invite_ref one = r->invite;
	/*
	 * limit is at most 1000 (PAGING). One more row is read to know whether there is a next
	 * page.
	 */
	const char *last[2] = { NULL, NULL }, *ids[1001];
	struct stmt *q;
	struct list l;
	int64_t count, n = 0, i;

	if (list_open(r, &l, 2) != 0)
		return -1;
	/* A caller who sees a link can join by it, so links that give more than the caller may give are not listed. */
	q = db_use(r->db, &q_links_count);
	bind_text(q, ":org", r->org.id);
	bind_text(q, ":space", one.space);
	bind_text(q, ":collection", one.collection);
	bind_int(q, ":own", one.own);
	count = stmt_int(q, 0);
	q = db_use(r->db, &q_links);
	bind_text(q, ":org", r->org.id);
	bind_text(q, ":space", one.space);
	bind_text(q, ":collection", one.collection);
	bind_int(q, ":own", one.own);
	list_bind(q, &l);
	for (; stmt_step(q); n++) {
		/* Collect the ids first: find_link() runs statements of its own for each. */
		ids[n] = col_dup(q, 0, r->arena);
		if (n + 1 == l.limit) {
			last[0] = col_dup(q, 1, r->arena);
			last[1] = ids[n];
		}
	}
	list_begin(r, &l);
	for (i = 0; i < n && i < l.limit; i++)
		if (read_link(r, r->org.id, ids[i], &one))
			write_link(r, &one);
	list_end(r, &l, count, n > l.limit && l.limit > 0 ? last : NULL);
	return 0;
}

/*
 * Reads the link's role from the body: `role` for the organization, `level` for content. 0 or
 * fail().
 */
static int
read_role(struct req *r, struct invite_ref *l)
{
	bool content = l->space != NULL || l->collection != NULL;
	const char *name = content ? "level" : "role", *other = content ? "role" : "level";

	if (body_has(r, other))
		return fail_field(r, arena_printf(r->arena, "/%s", other), content ?
		    "is for links to the organization: this one leads to content and takes a level" :
		    "is for links to a space or a collection: one to the organization takes a role");
	if (!body_has(r, name))
		return fail_field(r, arena_printf(r->arena, "/%s", name), "is required");
	l->role = role_number(body_text(r, name));
	return grant_or_fail(r, l->own, l->role);
}

/* POST /orgs/{organizationId}/link-invites */
HANDLER(createOrganizationInvite)
{
	struct invite_ref l = r->invite;
	struct stmt *q;

	if (read_role(r, &l) != 0)
		return -1;
	l.id = secret_id(r->arena);
	l.no = audit_fingerprint(r->arena, l.id);
	l.active = true;
	q = db_use(r->db, &q_links_on);
	bind_text(q, ":org", l.org);
	if (stmt_int(q, 0) == 0)
		/*
		 * Members can read the setting (Organization.inviteLinks), so 403 reveals nothing.
		 */
		return fail(r, E_FORBIDDEN, "invite links are turned off in this organization");
	q = db_use(r->db, &q_add);
	bind_text(q, ":id", l.no);
	bind_blob(q, ":sealed", secret_seal(r->arena, SECRET_LINK, str_of(l.id)));
	bind_text(q, ":org", l.org);
	bind_text(q, ":space", l.space);
	bind_text(q, ":collection", l.collection);
	bind_int(q, ":role", l.role);
	bind_int(q, ":now", time_now());
	bind_text(q, ":user", r->who.user);
	stmt_run(q);
	record_invite(r, AUDIT_INVITE_CREATE, &l, NULL, invite_snapshot(r, &l));
	write_link(r, &l);
	return reply_created(r, arena_printf(r->arena, "/orgs/%s/link-invites/%s", l.org, l.id));
}

/* GET /orgs/{organizationId}/link-invites/{inviteId}: for anyone who knows the id. */
HANDLER(getOrganizationInviteLink)
{
	write_link(r, &r->invite);
	return 0;
}

/* PATCH /orgs/{organizationId}/link-invites/{inviteId} */
HANDLER(updateOrganizationInviteById)
{
	struct invite_ref l = r->invite;
	char *before = invite_snapshot(r, &l);
	struct stmt *q;

	if (read_role(r, &l) != 0)
		return -1;
	q = db_use(r->db, &q_set);
	bind_int(q, ":role", l.role);
	bind_text(q, ":id", l.no);
	bind_text(q, ":user", r->who.user);
	stmt_run(q);
	l.active = true;
	record_invite(r, AUDIT_INVITE_UPDATE, &l, before, invite_snapshot(r, &l));
	write_link(r, &l);
	return 0;
}

/* DELETE /orgs/{organizationId}/link-invites/{inviteId} */
HANDLER(deleteOrganizationInviteById)
{
	struct stmt *q = db_use(r->db, &q_delete);

	bind_text(q, ":id", r->invite.no);
	stmt_run(q);
	record_invite(r, AUDIT_INVITE_DELETE, &r->invite, invite_snapshot(r, &r->invite), NULL);
	return reply_empty(r);
}

/* ---- joining ---- */

/* POST /orgs/{organizationId}/invites/{inviteId} */
HANDLER(joinOrganizationWithInvite)
{
	const char *org = path_id(r, "organizationId");
	struct invite_ref l = r->invite;
	bool content = l.space != NULL || l.collection != NULL;
	/* A link to content gives no role in the organization. */
	int mine = membership_role(r, org), role = content ? ROLE_NONE : (int)l.role;
	/* Computed before the writes: afterwards the caller has the role of the link. */
	bool useful = present_role(r, &l) < l.role || mine < ROLE_NONE;

	/* The access check has refused disabled members, whom member_set() would enable. */
	if (mine < ROLE_NONE || role > mine)
		member_add(r, org, r->who.user, (enum role)role, AUDIT_MEMBER_JOIN);
	member_chose(r->db, org, r->who.user);
	/* Checked again, since the new membership may already give this role. */
	if (content && present_role(r, &l) < l.role)
		grant_set(r, l.space, l.collection, r->who.user, l.role);
	/* Joining by a link that gave nothing is not recorded. */
	if (useful)
		record_invite(r, AUDIT_INVITE_USE, &l, NULL, invite_snapshot(r, &l));
	json_obj(&r->json);
	json_end(&r->json);
	return 0;
}

/* Addresses are stored with exactly one @ and in lower case (email_normal()), so strrchr() finds it. */
const char *
own_domain(struct req *r)
{
	struct stmt *q = db_use(r->db, &q_own_domain);
	const char *mail;

	bind_text(q, ":user", r->who.user);
	if (!stmt_step(q))
		return NULL;
	mail = col_dup(q, 0, r->arena);
	return strrchr(mail, '@') + 1;
}

/* POST /orgs/{organizationId}/join: by the domain of the caller's verified address. */
HANDLER(joinOrganization)
{
	const char *org = path_id(r, "organizationId"), *domain = own_domain(r);
	int mine = membership_role(r, org);
	struct stmt *q;

	q = db_use(r->db, &q_join);
	/* domain is NULL if the address is not verified: NULL equals no domain. */
	bind_text(q, ":domain", domain);
	bind_text(q, ":org", org);
	if (mine == MEMBER_DISABLED || domain == NULL || !stmt_step(q))
		return mine >= ROLE_NONE ? reply_empty(r) : fail(r, E_NOT_FOUND, "no organization %s", org);
	if (mine < ROLE_NONE)
		member_add(r, org, r->who.user, (enum role)col_int(q, 0), AUDIT_MEMBER_JOIN);
	member_chose(r->db, org, r->who.user);
	return reply_empty(r);
}
