/*
 * Moves and transfers spaces and collections. Tables space, collection. The children of one parent,
 * spaces and collections together, share one order.
 *
 * A move takes the role create on the place (the space or collection) and on its new parent, which
 * must be in the same organization. A collection cannot move into itself.
 *
 * A transfer moves a place to another organization. It takes the role create on the place, on
 * everything in it, and in the target organization. The place becomes the last one at the top level
 * there, and all its grants and invite links are deleted. Contents that are already deleted stay in
 * the old organization, where they can still be restored.
 */
#include <cjson/cJSON.h>

#include "api/access.h"
#include "api/audit_events.h"
#include "api/collections.h"
#include "api/examples.h"
#include "api/move.h"
#include "api/space_shape.h"
#include "api/spaces.h"
#include "app/audit.h"
#include "app/roles.h"
#include "base/secret.h"
#include "http/req.h"
#include "store/space.h"

static const struct shape AtSpace = { "PositionSpace", (const struct field[]){
	{ "type", T_CONST, F_REQ, .set = "space", .doc = "Kind of the sibling" },
	{ "space", T_TEXT, F_REQ, .max = 100, .doc = "Id of the sibling",
	  .example = "s9VxK4rTwBn6MzLc3QpH" },
	{ 0 } } };
static const struct shape AtCollection = { "PositionCollection", (const struct field[]){
	{ "type", T_CONST, F_REQ, .set = "collection", .doc = "Kind of the sibling" },
	{ "collection", T_TEXT, F_REQ, .max = 100, .doc = "Id of the sibling",
	  .example = EXAMPLE_COLLECTION },
	{ 0 } } };
static const struct shape Sibling = { "PositionSibling", NULL,
	(const struct shape *const[]){ &AtSpace, &AtCollection, NULL } };
/*
 * The position next to another space or collection (docs/design/permissions.md, "Move and
 * transfer"). SHAPE_SOME refuses an empty object.
 */
static const struct shape Position = { "ContentPosition", (const struct field[]){
	{ "before", T_OBJECT, .of = &Sibling, .doc = "The sibling that it goes before" },
	{ "after", T_OBJECT, .of = &Sibling, .doc = "The sibling that it goes after" },
	{ 0 } }, NULL, SHAPE_SOME };
/* SHAPE_SOME refuses an empty body with 400 (docs/design/permissions.md, "Move and transfer"). */
const struct shape Move = { "MoveContent", (const struct field[]){
	{ "parent", T_TEXT, F_NULL, .max = 100, .doc = "Id of the new collection; null: the top level; absent: unchanged",
	  .example = EXAMPLE_COLLECTION },
	{ "position", T_OBJECT, .of = &Position, .doc = "Absent: the end" },
	{ 0 } }, NULL, SHAPE_SOME };
const struct shape Transfer = { "TransferContent", (const struct field[]){
	{ "organization", T_TEXT, F_REQ, .max = 100, .doc = "Id of the organization to move it to",
	  .example = "o4LbW9xKzQm7RtNc2VhJ" },
	{ 0 } } };

/* The space or collection to move. */
struct moved_place {
	bool        space;          /* true: a space; false: a collection */
	/* parent: NULL at the top level */
	const char *id, *org, *parent;
};

/*
 * The spaces and collections of one parent as one table, since they share one order. IS NOT
 * DISTINCT FROM, because parent is NULL at the top level. The table contains the moved place itself
 * if its parent does not change.
 */
#define SIBLINGS \
	"(SELECT id, ord FROM space WHERE org = :org AND parent IS NOT DISTINCT FROM :parent " \
	"AND deleted_at IS NULL UNION ALL SELECT id, ord FROM collection WHERE org = :org " \
	"AND parent IS NOT DISTINCT FROM :parent AND deleted_at IS NULL) AS sibling "
/* Returns no row if the sibling has another parent, is deleted, or is in another organization. */
SQL(q_sibling, "SELECT ord FROM " SIBLINGS "WHERE id = :id");
SQL(q_next,
    "SELECT id FROM " SIBLINGS "WHERE (ord, id) > (:ord, :id) ORDER BY ord, id LIMIT 1 /*scan*/");
SQL(q_previous,
    "SELECT id FROM " SIBLINGS "WHERE (ord, id) < (:ord, :id) ORDER BY ord DESC, id DESC LIMIT 1 "
    "/*scan*/");
SQL(q_last, "SELECT id FROM " SIBLINGS "ORDER BY ord DESC, id DESC LIMIT 1 /*scan*/");
/* Returns NULL if the sibling is the first. Only keys are compared, since space_place() takes a key and not an id. */
SQL(q_below_ord, "SELECT max(ord) FROM " SIBLINGS "WHERE ord < :ord");

/* One statement for moves and transfers: org changes only in a transfer. */
#define PUT "org = :org, parent = :parent, ord = :ord, updated_at = :now WHERE id = :id"
SQL(q_put_space, "UPDATE space SET " PUT);
SQL(q_put_collection, "UPDATE collection SET " PUT);

/* The subtree of :id without deleted collections, itself included. */
#define BELOW \
	"WITH RECURSIVE below (id, n) AS (SELECT id, 1 FROM collection WHERE id = :id UNION ALL " \
	"SELECT c.id, below.n + 1 FROM below JOIN collection c ON c.parent = below.id " \
	"WHERE c.deleted_at IS NULL) "
#define SPACES_BELOW \
	"(SELECT s.id FROM space s WHERE s.parent IN (SELECT id FROM below) AND s.deleted_at IS NULL)"
/* Number of levels of the moved collection's subtree, itself included. */
SQL(q_height, BELOW "SELECT max(n) FROM below");
/*
 * Returns a row if :other is the collection :id or inside it. Moving :id there would make a cycle,
 * in which the permission check would never end.
 */
SQL(q_inside, BELOW "SELECT 1 FROM below WHERE id = :other");
/*
 * Counts the contents of the collection, at any depth, on which the caller has less than the role
 * create. A place without a level of its own inherits the role of its parent, beginning with :role,
 * the caller's role on the collection. This is the rule of access.c computed from the top down, so
 * that one query is enough.
 */
SQL(q_lesser,
    "WITH RECURSIVE place (id, role) AS (SELECT CAST(:id AS TEXT), CAST(:role AS BIGINT) UNION ALL "
    "SELECT c.id, COALESCE(" OWN_LEVEL("collection", "c") ", place.role) "
    "FROM place JOIN collection c ON c.parent = place.id WHERE c.deleted_at IS NULL) "
    "SELECT count(*) FROM (SELECT role FROM place UNION ALL "
    "SELECT COALESCE(" OWN_LEVEL("space", "s") ", place.role) FROM place "
    "JOIN space s ON s.parent = place.id WHERE s.deleted_at IS NULL) AS inside WHERE role < " SQL_ROLE_CREATE " /*scan*/");
/* A transfer is refused while jobs of the space wait or run, since the users of these jobs may lose their access. */
SQL(q_busy_space,
    "SELECT 1 FROM job WHERE space = :id AND state IN ('queued', 'running') LIMIT 1");
SQL(q_busy_collection,
    BELOW "SELECT 1 FROM job WHERE space IN " SPACES_BELOW
    " AND state IN ('queued', 'running') LIMIT 1");
/* A site shows only spaces of its own organization, also while it is not published. */
SQL(q_on_site_space, "SELECT 1 FROM site_space WHERE space = :id LIMIT 1");
SQL(q_on_site_collection,
    BELOW "SELECT 1 FROM site_space WHERE space IN " SPACES_BELOW " LIMIT 1");
SQL(q_strip_space_grants, "DELETE FROM access_grant WHERE space = :id");
SQL(q_strip_space_links, "DELETE FROM link_invite WHERE space = :id");
/* Grants are for users and teams of the old organization, who would keep access in the new one. */
SQL(q_strip_grants,
    BELOW "DELETE FROM access_grant WHERE collection IN (SELECT id FROM below) OR space IN "
    SPACES_BELOW);
/* A user who joins by such a link becomes a member of the link's organization, which is the old one. */
SQL(q_strip_links,
    BELOW "DELETE FROM link_invite WHERE collection IN (SELECT id FROM below) OR space IN "
    SPACES_BELOW);
/*
 * Contents that are already deleted stay in the old organization, under the former parent of the
 * collection.
 */
SQL(q_leave_spaces,
    BELOW "UPDATE space SET parent = :parent WHERE deleted_at IS NOT NULL "
    "AND parent IN (SELECT id FROM below)");
SQL(q_leave_collections,
    BELOW "UPDATE collection SET parent = :parent WHERE deleted_at IS NOT NULL "
    "AND parent IN (SELECT id FROM below)");
SQL(q_take_spaces, BELOW "UPDATE space SET org = :org WHERE id IN " SPACES_BELOW);
SQL(q_take_collections, BELOW "UPDATE collection SET org = :org WHERE id IN (SELECT id FROM below)");

/* ---- positions ---- */

/* Prepares a statement with SIBLINGS, and does not step it. parent NULL: the top level. */
static struct stmt *
bind_siblings(struct req *r, const struct sql *sql, const char *org, const char *parent)
{
	struct stmt *q = db_use(r->db, sql);

	bind_text(q, ":org", org);
	bind_text(q, ":parent", parent);
	return q;
}

/* Returns the id of the space or collection in a position, if the caller may see it; NULL after fail(). */
static const char *
sibling_or_fail(struct req *r, const struct moved_place *me, const cJSON *at)
{
	const cJSON *space = cJSON_GetObjectItemCaseSensitive(at, "space");
	const cJSON *named = space != NULL ? space : cJSON_GetObjectItemCaseSensitive(at, "collection");
	/* The shape requires one of the two members, with a text. */
	const char *id = named->valuestring;
	struct stmt *q = space != NULL ? space_row(r, id) : collection_row(r, id);

	if (q == NULL || col_int(q, col(q, "role")) < ROLE_READ ||
	    (space != NULL && !col_null(q, col(q, "deleted_at")))) {
		fail(r, E_NOT_FOUND, "no %s %s", space != NULL ? "space" : "collection", id);
		return NULL;
	}
	if (strcmp(id, me->id) == 0) {
		fail_field(r, "/position", "is an invalid position: it names the moved item itself");
		return NULL;
	}
	return arena_strdup(r->arena, id);
}

/*
 * True if the moved place is already beside the sibling, so that nothing would change. sql: q_next
 * or q_previous, for the side on which the place would be.
 */
static bool
is_neighbour(struct req *r, const struct sql *sql, const struct moved_place *me, const char *parent,
    const char *ord, const char *id)
{
	struct stmt *q = bind_siblings(r, sql, me->org, parent);

	if (ord != NULL) {
		bind_text(q, ":ord", ord);
		bind_text(q, ":id", id);
	}
	return stmt_step(q) && strcmp(col_text(q, 0), me->id) == 0;
}

/*
 * Fails for a move that would change nothing. Only moves and transfers refuse this, no other
 * operation (docs/design/requests.md, "Conflicts").
 */
static int
fail_unchanged(struct req *r)
{
	return fail(r, E_CONFLICT, "it is there already: nothing would change");
}

/* Sets *key to an order key after all siblings. 0 or fail(). */
static int
key_at_end(struct req *r, const struct moved_place *me, const char *parent, char **key)
{
	if (is_neighbour(r, &q_last, me, parent, NULL, NULL))
		return fail_unchanged(r);
	*key = space_place(r->db, r->arena, me->org, parent, NULL);
	return 0;
}

/* Sets *key to an order key directly before or after a sibling. 0 or fail(). */
static int
key_beside(struct req *r, const struct moved_place *me, const char *parent, const cJSON *at, bool before,
    char **key)
{
	const char *id = sibling_or_fail(r, me, at), *ord;
	struct stmt *q;

	if (id == NULL)
		return -1;
	q = bind_siblings(r, &q_sibling, me->org, parent);
	bind_text(q, ":id", id);
	if (!stmt_step(q))
		return fail_field(r, before ? "/position/before" : "/position/after",
		    "is an invalid position: %s is not in that parent", id);
	ord = col_dup(q, 0, r->arena);
	/* Refuses "before" a sibling that it precedes already, and "after" one that it follows. */
	if (is_neighbour(r, before ? &q_previous : &q_next, me, parent, ord, id))
		return fail_unchanged(r);
	/*
	 * space_place() can only place "directly after" a key. For "before", it gets the key of the
	 * sibling's predecessor, or "" if there is none.
	 */
	if (!before) {
		*key = space_place(r->db, r->arena, me->org, parent, ord);
		return 0;
	}
	q = bind_siblings(r, &q_below_ord, me->org, parent);
	bind_text(q, ":ord", ord);
	stmt_step(q);
	*key = space_place(r->db, r->arena, me->org, parent,
	    col_null(q, 0) ? "" : col_dup(q, 0, r->arena));
	return 0;
}

/*
 * Sets *key to the order key of the new place. This must be the last check, since space_place() may
 * give all siblings new keys. 0 or fail().
 */
static int
key_or_fail(struct req *r, const struct moved_place *me, const char *parent, char **key)
{
	const cJSON *position = body_get(r, "position");
	const cJSON *before = cJSON_GetObjectItemCaseSensitive(position, "before");
	const cJSON *after = cJSON_GetObjectItemCaseSensitive(position, "after");

	if (before != NULL && after != NULL)
		return fail_field(r, "/position", "is an invalid position: before or after, not both");
	if (before == NULL && after == NULL)
		return key_at_end(r, me, parent, key);
	return key_beside(r, me, parent, before != NULL ? before : after, before != NULL, key);
}

/*
 * Writes the new place. Triggers then increment access_version, so that cached roles are no longer
 * used (known_roles.c).
 */
static void
put_place(struct req *r, const struct moved_place *me, const char *org, const char *parent, const char *key)
{
	struct stmt *q = db_use(r->db, me->space ? &q_put_space : &q_put_collection);

	bind_text(q, ":org", org);
	bind_text(q, ":parent", parent);
	bind_text(q, ":ord", key);
	bind_int(q, ":now", time_now());
	bind_text(q, ":id", me->id);
	stmt_run(q);
}

/* ---- move ---- */

/*
 * Refuses to move a collection into itself or one of its descendants. Spaces contain nothing, so
 * any parent fits. 0 or fail().
 */
static int
cycle_or_fail(struct req *r, const struct moved_place *me, const char *parent)
{
	struct stmt *q;

	if (me->space || parent == NULL)
		return 0;
	q = db_use(r->db, &q_inside);
	bind_text(q, ":id", me->id);
	bind_text(q, ":other", parent);
	if (stmt_int(q, 0) == 1)
		return fail_field(r, "/parent", "is the collection itself, or inside it");
	q = db_use(r->db, &q_height);
	bind_text(q, ":id", me->id);
	return depth_or_fail(r, parent, (int)stmt_int(q, 1));
}

/* Returns the place, and the requested position (NULL: none), as JSON for the audit record. */
static char *
make_place_json(struct req *r, const char *org, const char *parent, const char *position)
{
	struct buf b;
	struct json j;

	buf_init(&b, r->arena, 8192);
	json_init(&j, &b);
	json_obj(&j);
	json_kstr(&j, "organization", org);
	json_kstr(&j, "parent", parent);
	if (position != NULL) {
		json_key(&j, "position");
		json_raw(&j, str_of(position));
	}
	json_end(&j);
	return arena_strndup(r->arena, b.p, b.n);
}

/*
 * The access check has required the role create on the moved place. Here the destination is checked
 * (docs/design/security.md, "S3"): the body's parent or, if only the order changes, the present
 * one.
 */
static int
move_place(struct req *r, const struct moved_place *me)
{
	const char *parent = body_has(r, "parent") ? body_text(r, "parent") : me->parent;
	char *key = NULL;

	if (container_or_fail(r, me->org, parent) != 0 || cycle_or_fail(r, me, parent) != 0 ||
	    key_or_fail(r, me, parent, &key) != 0)
		return -1;
	put_place(r, me, me->org, parent, key);
	audit(r, &(struct audit_event){ .action = me->space ? AUDIT_SPACE_MOVE : AUDIT_COLLECTION_MOVE,
	    .org = me->org, .type = me->space ? "space" : "collection", .target = me->id,
	    .before = make_place_json(r, me->org, me->parent, NULL),
	    .after = make_place_json(r, me->org, parent, body_json(r, "position")) });
	return 0;
}

/* The space of a route with {spaceId}, after its access check. */
static struct moved_place
moved_space(struct req *r)
{
	return (struct moved_place){ true, r->space.id, r->space.org, r->space.parent };
}

static struct moved_place
moved_collection(struct req *r)
{
	return (struct moved_place){ false, r->collection.id, r->collection.org, r->collection.parent };
}

/* POST /collections/{collectionId}/move */
HANDLER(moveCollection)
{
	struct moved_place me = moved_collection(r);

	return move_place(r, &me) != 0 ? -1 : reply_current(r, collection_row(r, me.id), &Collection);
}

/* POST /spaces/{spaceId}/move */
HANDLER(moveSpace)
{
	struct moved_place me = moved_space(r);

	return move_place(r, &me) != 0 ? -1 : reply_current(r, space_row(r, me.id), &Space);
}

/* ---- transfer ---- */

/* Runs a statement that has only the parameter :id. Returns the first column of its row, or 0 without a row. */
static int64_t
run_for_number(struct req *r, const struct sql *sql, const char *id)
{
	struct stmt *q = db_use(r->db, sql);

	bind_text(q, ":id", id);
	return stmt_int(q, 0);
}

/* Checks that the place and all its contents may leave the organization. 0 or fail(). */
static int
leave_or_fail(struct req *r, const struct moved_place *me)
{
	struct stmt *q;

	/*
	 * An admin of the organization has the role admin on all contents. A space has no contents,
	 * and the route has checked the role on it.
	 */
	if (!me->space && org_role_full(r, me->org) < ROLE_ADMIN) {
		q = db_use(r->db, &q_lesser);
		bind_text(q, ":id", me->id);
		/*
		 * Both roles are without the token's cap: the route has applied the cap on the
		 * collection, and what is inside depends on the role of the user.
		 */
		bind_int(q, ":role", r->collection.full);
		bind_text(q, ":user", r->who.user);
		if (stmt_int(q, 0) > 0)
			return fail(r, E_PRECONDITION, "the collection cannot be transferred: "
			    "it holds what you may not transfer");
	}
	/*
	 * Reasons that last are checked before those that pass, so that a caller who has waited for
	 * a job to end is not refused for another reason.
	 */
	if (run_for_number(r, me->space ? &q_on_site_space : &q_on_site_collection, me->id) == 1)
		return fail(r, E_PRECONDITION, me->space ? "the space cannot be transferred: a site shows it" :
		    "the collection cannot be transferred: a site shows a space of it");
	if (run_for_number(r, me->space ? &q_busy_space : &q_busy_collection, me->id) == 1)
		return fail(r, E_PRECONDITION, "the %s cannot be transferred: work on its content is "
		    "under way", me->space ? "space" : "collection");
	return 0;
}

/* Runs a statement with :id and, if param is not NULL, with this parameter. */
static void
run_with_id(struct req *r, const struct sql *sql, const char *id, const char *param, const char *value)
{
	struct stmt *q = db_use(r->db, sql);

	bind_text(q, ":id", id);
	if (param != NULL)
		bind_text(q, param, value);
	stmt_run(q);
}

/*
 * Deletes the grants and links of the place, and moves its contents; put_place() then moves the
 * place itself. Deleted contents stay in the old organization; they are detached first, while the
 * recursive query still finds them.
 */
static void
move_contents(struct req *r, const struct moved_place *me, const char *org)
{
	if (me->space) {
		run_with_id(r, &q_strip_space_grants, me->id, NULL, NULL);
		run_with_id(r, &q_strip_space_links, me->id, NULL, NULL);
		return;
	}
	run_with_id(r, &q_strip_grants, me->id, NULL, NULL);
	run_with_id(r, &q_strip_links, me->id, NULL, NULL);
	run_with_id(r, &q_leave_spaces, me->id, ":parent", me->parent);
	run_with_id(r, &q_leave_collections, me->id, ":parent", me->parent);
	run_with_id(r, &q_take_spaces, me->id, ":org", org);
	run_with_id(r, &q_take_collections, me->id, ":org", org);
}

/* Writes an audit record of the place and of each item inside, in both organizations. */
static void
record_transfer(struct req *r, const struct moved_place *me, const char *to, const struct collection_item *in)
{
	static const char form[] = "{\"organization\":\"%s\"}";
	struct audit_event whole = { .action = me->space ? AUDIT_SPACE_TRANSFER : AUDIT_COLLECTION_TRANSFER,
		.type = me->space ? "space" : "collection", .target = me->id,
		.before = make_place_json(r, me->org, me->parent, NULL), .after = make_place_json(r, to, NULL, NULL) };
	struct audit_event part = { .before = arena_printf(r->arena, form, me->org),
		.after = arena_printf(r->arena, form, to) };

	whole.org = me->org;
	audit(r, &whole);
	whole.org = to;
	audit(r, &whole);
	for (; in != NULL; in = in->next) {
		part.action = in->space ? AUDIT_SPACE_TRANSFER : AUDIT_COLLECTION_TRANSFER;
		part.type = in->space ? "space" : "collection";
		part.target = in->id;
		part.org = me->org;
		audit(r, &part);
		part.org = to;
		audit(r, &part);
	}
}

static int
transfer_place(struct req *r, const struct moved_place *me)
{
	const char *org = body_text(r, "organization");
	/* A caller who is no member there gets the same 404 as for an unknown organization. */
	enum role role = org_role(r, org);
	struct collection_item *in;

	if (role == ROLE_STRANGER)
		return fail(r, E_NOT_FOUND, "no organization %s", org);
	if (strcmp(org, me->org) == 0)
		return fail(r, E_CONFLICT, "it is in this organization already: nothing would change");
	/*
	 * A transfer requires the role create in both organizations (docs/design/permissions.md,
	 * "Move and transfer").
	 */
	if (container_or_fail(r, org, NULL) != 0 || leave_or_fail(r, me) != 0)
		return -1;
	/* The contents are listed for the audit records before anything is moved. */
	in = me->space ? NULL : collection_inside(r, me->id);
	move_contents(r, me, org);
	put_place(r, me, org, NULL, space_place(r->db, r->arena, org, NULL, NULL));
	record_transfer(r, me, org, in);
	return 0;
}

/* POST /collections/{collectionId}/transfer */
HANDLER(transferCollection)
{
	struct moved_place me = moved_collection(r);

	return transfer_place(r, &me) != 0 ? -1 : reply_current(r, collection_kept(r, me.id), &Collection);
}

/* POST /spaces/{spaceId}/transfer */
HANDLER(transferSpace)
{
	struct moved_place me = moved_space(r);

	return transfer_place(r, &me) != 0 ? -1 : reply_current(r, space_kept(r, me.id), &Space);
}
