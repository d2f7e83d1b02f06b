/*
 * Collections contain spaces and other collections. Table collection. A collection and its parent
 * belong to one organization. Parents form no cycle, and collections are nested at most
 * COLLECTION_DEPTH deep, since the permission check goes up from parent to parent. The order key
 * `ord` orders siblings, spaces and collections together. Deleting a collection marks it and all
 * its contents as deleted; its spaces can be restored. Moves and transfers: move.c.
 */
#include "api/access.h"
#include "api/audit_events.h"
#include "api/collections.h"
#include "api/examples.h"
#include "api/known_roles.h"
#include "api/lists.h"
#include "api/permissions.h"
#include "api/space_shape.h"
#include "app/audit.h"
#include "app/roles.h"
#include "base/secret.h"
#include "http/req.h"
#include "store/space.h"

static const struct shape CollectionUrls = { "CollectionUrls", (const struct field[]){
	{ "location", T_TEXT, F_REQ, .url = "/v1/collections/{id}", .doc = "Address in this API",
	  .example = EXAMPLE_URL "/collections/" EXAMPLE_COLLECTION },
	{ "app", T_TEXT, F_REQ, .url = "/v1/collections/{id}", .app = "/app/orgs/{org}#c-{id}",
	  .doc = "Page of the application; the address in this API where OCTAVO_APP=0", .example = EXAMPLE_APP "/orgs/" EXAMPLE_ORG "#c-" EXAMPLE_COLLECTION },
	{ 0 } } };
/* Flags of a collection (docs/design/permissions.md, "Flags"). */
static const struct shape CollectionPermissions = { "CollectionPermissions", (const struct field[]){
	{ "view", T_BOOL, F_REQ, .doc = "You may see the collection" },
	{ "admin", T_BOOL, F_REQ, .doc = "You may change, move and delete it" },
	{ "viewInviteLinks", T_BOOL, F_REQ, .doc = "You may list and make its invite links" },
	{ "create", T_BOOL, F_REQ, .doc = "You may make spaces and collections in it" },
	{ 0 } } };

/* Writes flags that follow from the caller's role (docs/design/permissions.md, "Flags"). */
static void
emit_permissions(struct json *j, const struct field *f, const struct row *w)
{
	enum role role = cap_role(w->r, row_int(w, "role"));

	json_kobj(j, f->name);
	json_kbool(j, "view", role >= ROLE_READ);
	json_kbool(j, "admin", role >= ROLE_CREATE);
	json_kbool(j, "viewInviteLinks", role >= ROLE_CREATE);
	json_kbool(j, "create", role >= ROLE_CREATE);
	json_end(j);
}

const struct shape Collection = { "Collection", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "collection", .doc = "Kind of object" },
	{ "id", T_TEXT, F_REQ, .doc = "Unique id", .example = EXAMPLE_COLLECTION },
	{ "title", T_TEXT, F_REQ, .doc = "Title", .example = "Products" },
	{ "description", T_TEXT, .doc = "Short description", .example = "Manuals of what we sell" },
	{ "organization", T_TEXT, F_REQ, .col = "org", .doc = "Id of its organization",
	  .example = EXAMPLE_ORG },
	{ "parent", T_TEXT, .doc = "Id of the collection that contains it; absent: the top level",
	  .example = "c8RdT5wYnLm2XkVb9HqF" },
	{ "defaultLevel", T_LEVEL, F_REQ, .col = "default_level",
	  .doc = "Role of everybody in the organization; null: none; inherit: the role on the collection above, and at the top level the "
	  "role in the organization" },
	{ "urls", T_OBJECT, F_REQ, .of = &CollectionUrls, .join = "", .doc = "Its addresses" },
	{ "permissions", T_OBJECT, F_REQ, .of = &CollectionPermissions, .emit = emit_permissions,
	  .doc = "What you may do with it" },
	{ 0 } } };
LIST_SHAPE(CollectionList, Collection);

const struct shape CollectionsQuery = { "CollectionsQuery", (const struct field[]){
	PAGING,
	{ "nested", T_BOOL, .preset = "true", .doc = "true: also lists collections inside other collections" },
	{ 0 } } };
const struct shape CollectionCreate = { "CreateCollection", (const struct field[]){
	{ "title", T_TEXT, .max = 50, .doc = "Title", .example = "Products" },
	{ "parent", T_TEXT, .max = 100, .doc = "Id of the collection to create it in; absent: the top level",
	  .example = EXAMPLE_COLLECTION },
	{ 0 } } };
const struct shape CollectionEdit = { "UpdateCollection", (const struct field[]){
	{ "title", T_TEXT, .max = 50, .doc = "Title", .example = "Products" },
	{ "description", T_TEXT, .max = 100, .doc = "Short description",
	  .example = "Manuals of what we sell" },
	{ "defaultLevel", T_LEVEL,
	  .doc = "Role of everybody in the organization; null: none; inherit: the role on the collection above, and at the top level the "
	  "role in the organization" },
	{ 0 } } };

/*
 * The CTE place lists collections of :org from the top down, so that a collection inside a deleted
 * one is never listed.
 */
#define LISTED \
	"FROM collection c JOIN place p ON p.id = c.id WHERE c.org = :org AND c.deleted_at IS NULL " \
	"AND (:nested = 1 OR c.parent IS NULL) AND p.role >= " SQL_ROLE_READ " "
SQL(q_collections,
    WITH_PLACES "SELECT " COLLECTION_COLS ", p.role, c.ord AS k1, c.id AS k2 " LISTED
    "AND (c.ord, c.id) > (COALESCE(:k1, ''), COALESCE(:k2, '')) "
    "ORDER BY c.ord, c.id LIMIT :limit /*scan*/");
SQL(q_collections_count, WITH_PLACES "SELECT count(*) " LISTED "/*scan*/");
SQL(q_collection_add,
    "INSERT INTO collection (id, org, parent, title, ord, created_at, updated_at) "
    "VALUES (:id, :org, :parent, :title, :ord, :now, :now)");
/*
 * An empty description is stored as NULL: the API omits it (docs/design/requests.md, "Unset
 * members").
 */
SQL(q_collection_edit,
    "UPDATE collection SET "
    "title = CASE WHEN :has_title = 1 THEN :title ELSE title END, "
    "description = CASE WHEN :has_description = 1 THEN NULLIF(:description, '') ELSE description END, "
    "default_level = CASE WHEN :has_defaultLevel = 1 THEN :defaultLevel ELSE default_level END, "
    "updated_at = :now WHERE id = :id");
/* n < 1000 ends the recursion even if somebody wrote a cycle into the database by hand. */
SQL(q_depth,
    "WITH RECURSIVE up (id, parent, n) AS ("
    "SELECT id, parent, 1 FROM collection WHERE id = :id UNION ALL "
    "SELECT c.id, c.parent, up.n + 1 FROM up JOIN collection c ON c.id = up.parent WHERE up.n < 1000) "
    "SELECT max(n) FROM up");
SQL(q_snapshot,
    "SELECT title, description, parent, default_level AS \"role_defaultLevel\" FROM collection "
    "WHERE id = :id");
/*
 * All these spaces have the same parent, so the caller's role on it is bound as :role instead of
 * being computed for each.
 */
SQL(q_spaces_inside,
    "SELECT " SPACE_COLS ", CASE WHEN :org_role = " SQL_ROLE_ADMIN " THEN " SQL_ROLE_ADMIN " ELSE COALESCE(" OWN_LEVEL("space", "s")
    ", :role) END AS role, s.ord AS k1, s.id AS k2 FROM " SPACE_FROM " "
    "WHERE s.parent = :parent AND s.deleted_at IS NULL "
    "AND CASE WHEN :org_role = " SQL_ROLE_ADMIN " THEN " SQL_ROLE_ADMIN " ELSE COALESCE(" OWN_LEVEL("space", "s") ", :role) END >= " SQL_ROLE_READ " "
    "AND (s.ord, s.id) > (COALESCE(:k1, ''), COALESCE(:k2, '')) ORDER BY s.ord, s.id LIMIT :limit");
SQL(q_spaces_inside_count,
    "SELECT count(*) FROM space s WHERE s.parent = :parent AND s.deleted_at IS NULL "
    "AND CASE WHEN :org_role = " SQL_ROLE_ADMIN " THEN " SQL_ROLE_ADMIN " ELSE COALESCE(" OWN_LEVEL("space", "s") ", :role) END >= " SQL_ROLE_READ);

/* The subtree of :id, itself included, without deleted collections. */
#define BELOW \
	"WITH RECURSIVE below (id) AS (SELECT id FROM collection WHERE id = :id UNION ALL " \
	"SELECT c.id FROM below JOIN collection c ON c.parent = below.id WHERE c.deleted_at IS NULL) "
SQL(q_inside,
    BELOW "SELECT id, 0 FROM below WHERE id <> :id UNION ALL SELECT s.id, 1 FROM space s "
    "WHERE s.parent IN (SELECT id FROM below) AND s.deleted_at IS NULL");
/*
 * A space that was deleted before keeps its own deletion time, and so the time when it is purged.
 */
SQL(q_delete_spaces,
    BELOW "UPDATE space SET deleted_at = :now, deleted_by = :user "
    "WHERE parent IN (SELECT id FROM below) AND deleted_at IS NULL");
/* Collections cannot be restored, so their invite links are deleted. Those of their spaces stay. */
SQL(q_delete_invites,
    BELOW "DELETE FROM link_invite WHERE collection IN (SELECT id FROM below)");
SQL(q_delete,
    BELOW "UPDATE collection SET deleted_at = :now, updated_at = :now WHERE id IN (SELECT id FROM below)");

/* The recursion takes at most COLLECTION_DEPTH steps, since the API allows no deeper nesting. */
int
collection_depth(struct req *r, const char *id)
{
	struct stmt *q = db_use(r->db, &q_depth);

	if (id == NULL)
		return 0;
	bind_text(q, ":id", id);
	return (int)stmt_int(q, 0);
}

/*
 * Limits the nesting, since the permission check goes up from a place to the top level for each
 * role that is not cached.
 */
int
depth_or_fail(struct req *r, const char *parent, int height)
{
	if (collection_depth(r, parent) + height > COLLECTION_DEPTH)
		return fail_field(r, "/parent", "is too deep: collections nest %d levels at most",
		    COLLECTION_DEPTH);
	return 0;
}

void
grant_creator(struct req *r, const char *space, const char *collection)
{
	grant_set(r, space, collection, r->who.user, ROLE_CREATE);
}

/*
 * Reads the role without the token's cap: the grant is needed if the user could not manage the
 * collection with any token.
 */
struct stmt *
collection_kept(struct req *r, const char *id)
{
	struct stmt *q = collection_row(r, id);

	if (q != NULL && col_int(q, col(q, "role")) >= ROLE_CREATE)
		return q;
	grant_creator(r, NULL, id);
	return collection_row(r, id);
}

/* GET /orgs/{organizationId}/collections */
HANDLER(listCollectionsInOrganizationById)
{
	/* The statement of the count comes first, so that after the loop q is the bound statement of the page. */
	const struct sql *const both[] = { &q_collections_count, &q_collections };
	struct stmt *q = NULL;
	struct list l;
	int64_t count = 0;
	int i;

	if (list_open(r, &l, 2) != 0)
		return -1;
	for (i = 0; i < 2; i++) {
		q = db_use(r->db, both[i]);
		bind_text(q, ":org", r->org.id);
		bind_text(q, ":user", r->who.user);
		bind_int(q, ":org_role", r->org.full);
		/* 0: top level only */
		bind_int(q, ":nested", query_bool(r, "nested", true));
		if (i == 0)
			count = stmt_int(q, 0);
	}
	list_bind(q, &l);
	return list_reply(r, &l, q, &Collection, count);
}

static char *
collection_snapshot(struct req *r, const char *id)
{
	struct stmt *q = db_use(r->db, &q_snapshot);

	bind_text(q, ":id", id);
	return audit_snapshot(r->arena, q);
}

/* POST /orgs/{organizationId}/collections */
HANDLER(createCollection)
{
	const char *parent = body_text(r, "parent"), *title = body_text(r, "title");
	char *id = secret_id(r->arena);
	struct stmt *q;

	if (depth_or_fail(r, parent, 1) != 0)
		return -1;
	/* The same default as for spaces (docs/design/requests.md, "Defaults"). */
	title = title == NULL || *title == '\0' ? "Untitled" : title;
	q = db_use(r->db, &q_collection_add);
	bind_text(q, ":id", id);
	bind_text(q, ":org", r->org.id);
	bind_text(q, ":parent", parent);
	bind_text(q, ":title", title);
	/* NULL: after all siblings, including spaces. */
	bind_text(q, ":ord", space_place(r->db, r->arena, r->org.id, parent, NULL));
	bind_int(q, ":now", time_now());
	stmt_run(q);
	audit(r, &(struct audit_event){ .action = AUDIT_COLLECTION_CREATE, .org = r->org.id,
	    .type = "collection", .target = id, .after = collection_snapshot(r, id) });
	reply_created(r, arena_printf(r->arena, "/collections/%s", id));
	return reply_current(r, collection_kept(r, id), &Collection);
}

/* GET /collections/{collectionId}: replies with the row of the access check. */
HANDLER(getCollectionById)
{
	/* No statement has reused the row since the access check. */
	return reply_current(r, r->collection.row, &Collection);
}

/* PATCH /collections/{collectionId} */
HANDLER(updateCollectionById)
{
	char *before = collection_snapshot(r, r->collection.id);
	struct stmt *q;

	if (level_or_fail(r, r->collection.role) != 0)
		return -1;
	q = db_use(r->db, &q_collection_edit);
	bind_body(q, r, "title");
	bind_body(q, r, "description");
	bind_body(q, r, "defaultLevel");
	bind_int(q, ":now", time_now());
	bind_text(q, ":id", r->collection.id);
	stmt_run(q);
	audit_change(r, &(struct audit_event){ .action = AUDIT_COLLECTION_UPDATE, .org = r->collection.org,
	    .type = "collection", .target = r->collection.id }, before, collection_snapshot(r, r->collection.id));
	return reply_current(r, collection_row(r, r->collection.id), &Collection);
}

/*
 * Lists the contents that are not deleted, at any depth, without the collection itself. The list is
 * a copy, since its callers then change the tables.
 */
struct collection_item *
collection_inside(struct req *r, const char *id)
{
	struct stmt *q = db_use(r->db, &q_inside);
	struct collection_item *first = NULL, *one;

	bind_text(q, ":id", id);
	while (stmt_step(q)) {
		/* Prepend: the order does not matter. */
		one = arena_alloc(r->arena, sizeof(*one));
		*one = (struct collection_item){ col_dup(q, 0, r->arena), col_int(q, 1) == 1, first };
		first = one;
	}
	return first;
}

/* DELETE /collections/{collectionId}: with its collections and spaces; spaces can be restored. */
HANDLER(deleteCollectionById)
{
	/*
	 * Collections come last: the other statements find their rows through collections that are
	 * not deleted.
	 */
	static const struct sql *const steps[] = { &q_delete_spaces, &q_delete_invites, &q_delete };
	/* Read before the deletion; afterwards each item gets an audit record. */
	struct collection_item *in = collection_inside(r, r->collection.id);
	size_t i;

	for (i = 0; i < 3; i++) {
		struct stmt *q = db_use(r->db, steps[i]);
		bind_text(q, ":id", r->collection.id);
		/*
		 * The statement for invites has no time and no user; binding an unknown parameter
		 * is a panic.
		 */
		if (i != 1)
			bind_int(q, ":now", time_now());
		if (i == 0)
			bind_text(q, ":user", r->who.user);
		stmt_run(q);
	}
	audit(r, &(struct audit_event){ .action = AUDIT_COLLECTION_DELETE, .org = r->collection.org,
	    .type = "collection", .target = r->collection.id });
	/*
	 * One record for each item inside, so that the history of a space is found under the id of
	 * the space.
	 */
	for (; in != NULL; in = in->next)
		audit(r, &(struct audit_event){ .action = in->space ? AUDIT_SPACE_DELETE :
		    AUDIT_COLLECTION_DELETE, .org = r->collection.org, .target = in->id,
		    .type = in->space ? "space" : "collection" });
	return reply_empty(r);
}

/* Binds roles without the token's cap, since a list contains all that the user may read (access.c). */
static void
bind_inside(struct stmt *q, struct req *r)
{
	bind_text(q, ":parent", r->collection.id);
	bind_text(q, ":user", r->who.user);
	bind_int(q, ":org_role", org_role_full(r, r->collection.org));
	bind_int(q, ":role", r->collection.full);
}

/* GET /collections/{collectionId}/spaces: its direct children that the caller may read. */
HANDLER(listSpacesInCollectionById)
{
	struct stmt *q;
	struct list l;
	int64_t count;

	if (list_open(r, &l, 2) != 0)
		return -1;
	count = count_seen(r, &q_spaces_inside_count, r->collection.id, bind_inside);
	q = db_use(r->db, &q_spaces_inside);
	bind_inside(q, r);
	list_bind(q, &l);
	return list_reply(r, &l, q, &Space, count);
}
