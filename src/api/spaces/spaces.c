/*
 * Spaces. Tables space, branch, access_grant, git_sync. A space is created with its main branch,
 * and so always has a revision. The order key `ord` orders siblings, spaces and collections
 * together. Deleting only marks a space; a job purges it after 7 days.
 */
#include <cjson/cJSON.h>

#include "api/access.h"
#include "api/access_rules.h"
#include "api/audit_events.h"
#include "api/collections.h"
#include "api/examples.h"
#include "api/known_roles.h"
#include "api/lists.h"
#include "api/members.h"
#include "api/merge_rule_settings.h"
#include "api/request_content.h"
#include "api/site_addresses.h"
#include "api/space_shape.h"
#include "api/spaces.h"
#include "app/audit.h"
#include "app/roles.h"
#include "base/utf8.h"
#include "http/req.h"
#include "propagate/copy_space.h"
#include "store/space.h"

LIST_SHAPE(SpaceList, Space);

const struct shape SpaceQuery = { "SpaceQuery", (const struct field[]){
	{ "shareKey", T_TEXT, .max = 512, .example = "k3y",
	  .doc = "Secret of a share link of a site that shows the space. Callers without a role on the space may read it with this key, "
	  "and its address in the answer contains the key. A wrong key is ignored" },
	{ 0 } } };

const struct shape SpaceEdit = { "UpdateSpace", (const struct field[]){
	{ "title", T_TEXT, .max = 50, .doc = "Title", .example = "Handbook" },
	{ "editMode", T_ENUM, .set = "live,locked", .doc = "locked: nobody can write to the space" },
	{ "defaultLevel", T_LEVEL,
	  .doc = "Role of everybody in the organization; null: none; inherit: the role on the collection above, and at the top level the "
	  "role in the organization" },
	{ "language", T_ENUM, .set = SPACE_LANGUAGES, .doc = "Language of the content" },
	{ "mergeRules", T_OBJECT, .of = &MergeRulesSpace,
	  .doc = "Rules that a change request must meet before it is merged" },
	{ "emoji", T_EMOJI, F_NULL | F_EMPTY, .max = 50,
	  .doc = "Emoji beside the title, code points in hexadecimal; empty: none", .example = "1f4d8" },
	{ "icon", T_URI, F_NULL, .max = 2048, .doc = "Address of an icon", .example = "https://example.com/icon.png" },
	{ 0 } } };

const struct shape SpaceCreate = { "CreateSpace", (const struct field[]){
	{ "title", T_TEXT, .max = 50, .doc = "Title", .example = "Handbook" },
	{ "emoji", T_EMOJI, F_EMPTY, .max = 50,
	  .doc = "Emoji beside the title, code points in hexadecimal; empty: none", .example = "1f4d8" },
	{ "parent", T_TEXT, .max = 100, .doc = "Id of the collection to create it in; absent: the top level",
	  .example = EXAMPLE_COLLECTION },
	{ "language", T_ENUM, .set = SPACE_LANGUAGES, .doc = "Language of the content" },
	{ "editMode", T_ENUM, .set = "live,locked", .doc = "locked: nobody can write to the space" },
	{ "empty", T_BOOL, .doc = "Accepted and ignored: every new space is empty" },
	{ "template", T_OBJECT, .of = &TemplateUse, .doc = "Template whose content it begins with" },
	{ 0 } } };

/* Lists the spaces of all parents of the organization together, ordered by key; index space_org. */
SQL(q_spaces,
    WITH_PLACES "SELECT " SPACE_COLS ", " LISTED_ROLE " AS role, s.ord AS k1, s.id AS k2 "
    "FROM " SPACE_FROM " LEFT JOIN place p ON p.id = s.parent "
    "WHERE s.org = :org AND s.deleted_at IS NULL AND " LISTED_ROLE " >= " SQL_ROLE_READ " "
    "AND (s.ord, s.id) > (COALESCE(:k1, ''), COALESCE(:k2, '')) "
    "ORDER BY s.ord, s.id LIMIT :limit /*scan*/");
SQL(q_spaces_count,
    WITH_PLACES "SELECT count(*) FROM space s LEFT JOIN place p ON p.id = s.parent "
    "WHERE s.org = :org AND s.deleted_at IS NULL AND " LISTED_ROLE " >= " SQL_ROLE_READ " /*scan*/");
/*
 * Setting an emoji clears the icon, and setting an icon clears the emoji: only one is shown beside
 * the title.
 */
SQL(q_space_edit,
    "UPDATE space SET "
    "title = CASE WHEN :has_title = 1 THEN :title ELSE title END, "
    "edit_mode = CASE WHEN :has_editMode = 1 THEN :editMode ELSE edit_mode END, "
    "default_level = CASE WHEN :has_defaultLevel = 1 THEN :defaultLevel ELSE default_level END, "
    "language = CASE WHEN :has_language = 1 THEN :language ELSE language END, "
    "merge_rules = CASE WHEN :has_mergeRules = 1 THEN :mergeRules ELSE merge_rules END, "
    "emoji = CASE WHEN :has_emoji = 1 THEN COALESCE(:emoji, '') "
    "WHEN :has_icon = 1 THEN '' ELSE emoji END, "
    "icon = CASE WHEN :has_icon = 1 THEN :icon WHEN :has_emoji = 1 THEN NULL ELSE icon END, "
    "updated_at = :now WHERE id = :id");
/*
 * The aliases are the names of the members in the API. Their prefixes tell audit_snapshot() how to
 * write the value.
 */
SQL(q_snapshot,
    "SELECT title, parent, edit_mode AS \"editMode\", default_level AS \"role_defaultLevel\", language, "
    "merge_rules AS \"json_mergeRules\", emoji, icon FROM space WHERE id = :id");
/* Only a space that is not deleted is changed, so that a second deletion does not postpone its purge. */
SQL(q_space_delete,
    "UPDATE space SET deleted_at = :now, deleted_by = :user WHERE id = :id AND deleted_at IS NULL");
SQL(q_space_restore, "UPDATE space SET deleted_at = NULL, deleted_by = NULL, updated_at = :now, "
    "parent = :parent, ord = :ord WHERE id = :id");
/* UNION ALL of both kinds: spaces and collections share one order. */
SQL(q_ord_taken,
    "SELECT 1 FROM space WHERE org = :org AND parent IS NOT DISTINCT FROM :parent AND ord = :ord "
    "AND deleted_at IS NULL UNION ALL SELECT 1 FROM collection WHERE org = :org "
    "AND parent IS NOT DISTINCT FROM :parent AND ord = :ord AND deleted_at IS NULL");
/*
 * The nearest collection above the parent (itself included) that is not deleted; no row if all are.
 * Parents form no cycles (collections.c), so the recursion ends.
 */
SQL(q_living_parent,
    "WITH RECURSIVE up (id, parent, deleted_at) AS ("
    "SELECT id, parent, deleted_at FROM collection WHERE id = :parent "
    "UNION ALL SELECT c.id, c.parent, c.deleted_at FROM up JOIN collection c ON c.id = up.parent "
    "WHERE up.deleted_at IS NOT NULL) SELECT id FROM up WHERE deleted_at IS NULL");
/* Columns for duplicating and restoring that the access check has not loaded. */
SQL(q_space_ord, "SELECT ord, title, emoji, language, default_level, icon FROM space WHERE id = :id");
SQL(q_space_level, "UPDATE space SET default_level = :level WHERE id = :id");

/* GET /orgs/{organizationId}/spaces */
HANDLER(listSpacesInOrganizationById)
{
	struct stmt *q;
	struct list l;
	int64_t count;

	if (list_open(r, &l, 2) != 0)
		return -1;
	count = count_seen(r, &q_spaces_count, r->org.id, bind_caller);
	q = db_use(r->db, &q_spaces);
	bind_caller(q, r);
	list_bind(q, &l);
	return list_reply(r, &l, q, &Space, count);
}

/*
 * The creator of a space gets a grant `create` if the other rules give less
 * (docs/design/permissions.md, "Role on a space or collection"): otherwise users could create
 * spaces that they cannot open.
 */
struct stmt *
space_kept(struct req *r, const char *id)
{
	struct stmt *q = space_row(r, id);

	if (q != NULL && col_int(q, col(q, "role")) >= ROLE_CREATE)
		return q;
	grant_creator(r, id, NULL);
	return space_row(r, id);
}

/* Returns the settings as JSON for the audit record; NULL if there is no such space. */
static char *
space_snapshot(struct req *r, const char *id)
{
	struct stmt *q = db_use(r->db, &q_snapshot);

	bind_text(q, ":id", id);
	return audit_snapshot(r->arena, q);
}

/* Writes an audit record. after: the new state as JSON; NULL: none. */
static void
record_space(struct req *r, enum audit_action action, const char *org, const char *id, const char *after)
{
	audit(r, &(struct audit_event){ .action = action, .org = org, .type = "space", .target = id,
	    .after = after });
}

/* Replies with a new space. The route sets the status 201; this function sets Location. */
static int
reply_new(struct req *r, const char *id)
{
	reply_created(r, arena_printf(r->arena, "/spaces/%s", id));
	return reply_current(r, space_kept(r, id), &Space);
}

char *
space_add(struct req *r, const struct space_new *n)
{
	int64_t branch;
	char *id = space_make(r->db, r->arena, n, &branch);

	record_space(r, AUDIT_SPACE_CREATE, n->org, id, space_snapshot(r, id));
	return id;
}

/* POST /orgs/{organizationId}/spaces */
HANDLER(createSpace)
{
	/* `after` is not set, so that the new space becomes the last child of its parent. */
	struct space_new n = { .org = r->org.id, .author = r->who.user, .parent = body_text(r, "parent"),
		.title = body_text(r, "title"), .emoji = body_text(r, "emoji"),
		.language = body_text(r, "language"), .edit_mode = body_text(r, "editMode") };

	const cJSON *template = body_get(r, "template");
	const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(template, "id")), *id;

	if (name != NULL && template_or_fail(r, name) != 0)
		return -1;
	/* docs/design/requests.md, "Defaults". */
	if (n.title == NULL || *n.title == '\0')
		n.title = "Untitled";
	/*
	 * Record the creation before reply_new(), whose grant to the creator writes a record of its
	 * own.
	 */
	id = space_add(r, &n);
	/* Grant the role first: the template is written as the creator, who needs it. */
	if (name != NULL) {
		space_kept(r, id);
		if (space_enter(r, id) != 0 ||
		    space_from_template(r, name, cJSON_GetObjectItemCaseSensitive(template, "params")) != 0)
			return -1;
	}
	return reply_new(r, id);
}

/*
 * GET /spaces/{spaceId}: replies with the row of the access check. For the If-Match check of a
 * DELETE the function is called without such a row.
 */
HANDLER(getSpaceById)
{
	/* space_address() then writes the key into the address. */
	r->share_key = query_text(r, "shareKey");
	/*
	 * The key only changes the address, since the access check has passed. A key that opens no
	 * site of this space is ignored.
	 */
	if (r->share_key != NULL && (r->visit != NULL || space_address(r, r->space.id) == NULL))
		r->share_key = NULL;
	return reply_current(r, r->space.row != NULL ? r->space.row : space_row(r, r->space.id), &Space);
}

/* PATCH /spaces/{spaceId}: absent members keep their value. Emoji and icon exclude each other. */
HANDLER(updateSpaceById)
{
	static const char *const members[] = { "title", "editMode", "defaultLevel", "language",
		"mergeRules", "emoji", "icon" };
	/* Compared with the state after the update, for the audit record. */
	char *before = space_snapshot(r, r->space.id);
	struct stmt *q;
	size_t i;

	/* Only one of them is shown beside the title, so setting both is ambiguous. */
	if (body_text(r, "emoji") != NULL && body_text(r, "icon") != NULL)
		return fail_field(r, "/icon", "cannot be set together with an emoji");
	if (level_or_fail(r, r->space.role) != 0 || merge_rules_or_fail(r, r->space.org, before) != 0)
		return -1;
	/* Prepared last, since the checks above run statements of their own. */
	q = db_use(r->db, &q_space_edit);
	for (i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		bind_body(q, r, members[i]);
	bind_int(q, ":now", time_now());
	bind_text(q, ":id", r->space.id);
	stmt_run(q);
	audit_change(r, &(struct audit_event){ .action = AUDIT_SPACE_UPDATE, .org = r->space.org,
	    .type = "space", .target = r->space.id }, before, space_snapshot(r, r->space.id));
	return reply_current(r, space_row(r, r->space.id), &Space);
}

/* DELETE /spaces/{spaceId} */
HANDLER(deleteSpaceById)
{
	struct stmt *q = db_use(r->db, &q_space_delete);

	bind_int(q, ":now", time_now());
	bind_text(q, ":user", r->who.user);
	bind_text(q, ":id", r->space.id);
	stmt_run(q);
	record_space(r, AUDIT_SPACE_DELETE, r->space.org, r->space.id, NULL);
	return reply_empty(r);
}

/* Returns "Title (copy)", cut to 50 characters. */
static char *
copy_title(struct arena *a, const char *title)
{
	struct str s = str_of(title);
	size_t n = 0, used = 0, step;
	uint32_t cp;

	/* 43 code points and the 7 of " (copy)" are SPACE_TITLE_MAX. */
	while (n < 43 && used < s.n && (step = utf8_next(str_slice(s, used, s.n), &cp)) > 0) {
		used += step;
		n++;
	}
	return arena_printf(a, "%.*s (copy)", (int)used, title);
}

/*
 * Gives the copy the defaultLevel of its source, but no higher one than the role that its creator
 * has on the source.
 */
static void
set_copy_level(struct req *r, const char *id, int64_t level)
{
	struct stmt *q = db_use(r->db, &q_space_level);

	/* LEVEL_INHERIT is copied unchanged, since the copy has the same parent as its source. */
	bind_int(q, ":level", level > (int)r->space.role ? (int)r->space.role : level);
	bind_text(q, ":id", id);
	stmt_run(q);
}

/* Sets title and place of the copy, which is placed directly after its source. */
static void
plan_copy(struct req *r, struct space_new *n, int64_t *level)
{
	struct stmt *q = db_use(r->db, &q_space_ord);

	bind_text(q, ":id", r->space.id);
	stmt_step(q);
	/* Copied at once: later calls run statements, which invalidate the row. */
	*n = (struct space_new){ .org = r->space.org, .parent = r->space.parent, .author = r->who.user,
		.after = col_dup(q, 0, r->arena), .title = copy_title(r->arena, col_text(q, 1)),
		.emoji = col_dup(q, 2, r->arena), .language = col_dup(q, 3, r->arena),
		.icon = col_dup(q, 5, r->arena) };
	*level = col_int(q, 4);
}

/*
 * Writes a large copy, which stays invisible. The settings of the source are read in a read
 * transaction; the content is then written in short steps, so that the write lock is never held
 * long.
 */
static void
write_copy(struct req *r, void *arg)
{
	struct space_new n;
	int64_t level;

	db_begin(r->db, false);
	plan_copy(r, &n, &level);
	db_rollback(r->db);
	copy_ahead(r->db, r->arena, arg, r->space.branch, &n);
}

/* Copies the content, with page and file ids, and the default level, but nothing else of the space. */
int
space_duplicate(struct req *r, const char **id)
{
	struct copy *c = r->went_ahead ? r->ahead_arg : arena_alloc(r->arena, sizeof(*c));
	struct space_new n;
	int64_t level;

	if (container_or_fail(r, r->space.org, r->space.parent) != 0)
		return -1;
	if (!r->went_ahead && copy_is_long(r->db, r->arena, r->space.branch))
		return go_ahead(r, write_copy, c);
	plan_copy(r, &n, &level);
	/*
	 * Makes the copy visible together with its search index and links, so that no reader sees
	 * half of it.
	 */
	if (!copy_show(r->db, r->arena, c, r->space.branch, &n))
		return fail(r, E_BUSY, "the copy took too long and was removed: try again");
	set_copy_level(r, c->space, level);
	/* The snapshot is a JSON object, at whose beginning `of` is inserted. */
	record_space(r, AUDIT_SPACE_DUPLICATE, n.org, c->space, arena_printf(r->arena, "{\"of\":\"%s\",%s",
	    r->space.id, space_snapshot(r, c->space) + 1));
	*id = c->space;
	return 0;
}

/* POST /spaces/{spaceId}/duplicate */
HANDLER(duplicateSpace)
{
	const char *id;

	return space_duplicate(r, &id) != 0 ? -1 : reply_new(r, id);
}

/*
 * Returns the order key for a restored space: its former key or, if another item has this key now,
 * one directly after that item. If its parent is another one than before, it is a key after all
 * siblings.
 */
static const char *
restored_order_key(struct req *r, const char *parent)
{
	struct stmt *q = db_use(r->db, &q_space_ord);
	const char *ord;

	bind_text(q, ":id", r->space.id);
	stmt_step(q);
	ord = col_dup(q, 0, r->arena);
	/* parent is not NULL only if the space had one. */
	if (parent == NULL ? r->space.parent != NULL : strcmp(parent, r->space.parent) != 0)
		return space_place(r->db, r->arena, r->space.org, parent, NULL);
	q = db_use(r->db, &q_ord_taken);
	bind_text(q, ":org", r->space.org);
	bind_text(q, ":parent", parent);
	bind_text(q, ":ord", ord);
	return stmt_int(q, 0) == 0 ? ord : space_place(r->db, r->arena, r->space.org, parent, ord);
}

/*
 * POST /spaces/{spaceId}/restore: restores into the nearest former parent that is not deleted, else
 * at the top level. A space that is not deleted is not changed.
 */
HANDLER(restoreSpace)
{
	const char *parent = NULL, *ord;
	struct stmt *q;

	if (r->space.deleted_at == 0)
		/* No statement has reused the row since the access check. */
		return reply_current(r, r->space.row, &Space);
	/* At the top level there is no collection that could have been deleted. */
	if (r->space.parent != NULL) {
		q = db_use(r->db, &q_living_parent);
		bind_text(q, ":parent", r->space.parent);
		if (stmt_step(q))
			parent = col_dup(q, 0, r->arena);
	}
	ord = restored_order_key(r, parent);
	q = db_use(r->db, &q_space_restore);
	bind_int(q, ":now", time_now());
	bind_text(q, ":parent", parent);
	bind_text(q, ":ord", ord);
	bind_text(q, ":id", r->space.id);
	stmt_run(q);
	record_space(r, AUDIT_SPACE_RESTORE, r->space.org, r->space.id, NULL);
	return reply_current(r, space_row(r, r->space.id), &Space);
}
