/* Creates spaces and gives them places among their siblings. Contract: store/space.h. */
#include <strings.h>

#include "store/content.h"
#include "base/json.h"
#include "base/utf8.h"
#include "store/order.h"
#include "base/secret.h"
#include "store/space.h"

SQL(q_space_insert,
    "INSERT INTO space (id, org, parent, title, emoji, icon, language, edit_mode, ord, created_at, "
    "updated_at, deleted_at) VALUES (:id, :org, :parent, :title, :emoji, :icon, :language, :edit_mode, :ord, :now, "
    ":now, CASE WHEN :unfinished = 1 THEN " SPACE_UNFINISHED " END)");
SQL(q_space_show,
    "UPDATE space SET parent = :parent, title = :title, emoji = :emoji, icon = :icon, language = :language, "
    "ord = :ord, created_at = :now, updated_at = :now, deleted_at = NULL "
    "WHERE id = :id AND deleted_at = " SPACE_UNFINISHED);
SQL(q_space_branch, "UPDATE space SET branch = :branch WHERE id = :id");
/*
 * Does not overwrite what a user has chosen: only a space without a title takes one, and only a
 * space without a language takes one.
 */
SQL(q_set_declared,
    "UPDATE space SET title = CASE WHEN title IN ('', 'Untitled') THEN COALESCE(:title, title) ELSE title END, "
    "language = COALESCE(language, :language) WHERE id = :space");
SQL(q_last_ord,
    "SELECT max(ord) FROM (SELECT max(ord) AS ord FROM space WHERE org = :org "
    "AND parent IS NOT DISTINCT FROM :parent AND deleted_at IS NULL UNION ALL "
    "SELECT max(ord) FROM collection WHERE org = :org AND parent IS NOT DISTINCT FROM :parent "
    "AND deleted_at IS NULL) AS both_kinds");
/* Spaces and collections are siblings in one list, so both tables are read. */
SQL(q_next_ord,
    "SELECT min(ord) FROM (SELECT min(ord) AS ord FROM space WHERE org = :org "
    "AND parent IS NOT DISTINCT FROM :parent AND deleted_at IS NULL AND ord > :after UNION ALL "
    "SELECT min(ord) FROM collection WHERE org = :org AND parent IS NOT DISTINCT FROM :parent "
    "AND deleted_at IS NULL AND ord > :after) AS both_kinds");

/*
 * Finds a space only in the organization of the space :me, since members of one organization must
 * not learn which ids exist in another.
 */
SQL(q_known_space,
    "SELECT 1 FROM space s JOIN space me ON me.org = s.org WHERE s.id = :id AND me.id = :me "
    "AND s.deleted_at IS NULL");
SQL(q_known_collection,
    "SELECT 1 FROM collection c JOIN space me ON me.org = c.org WHERE c.id = :id AND me.id = :me "
    "AND c.deleted_at IS NULL");
SQL(q_known_user,
    "SELECT 1 FROM member m JOIN space me ON me.org = m.org WHERE m.account = :id AND me.id = :me");

bool
space_knows(struct db *db, const char *me, enum doc_ref_kind kind, const char *id)
{
	struct stmt *q;

	if (kind != REF_SPACE && kind != REF_COLLECTION && kind != REF_USER)
		return false;
	q = db_use(db, kind == REF_SPACE ? &q_known_space : kind == REF_USER ? &q_known_user : &q_known_collection);
	bind_text(q, ":id", id);
	bind_text(q, ":me", me);
	return stmt_int(q, 0) != 0;
}

SQL(q_user_name,
    "SELECT a.name FROM account a JOIN member m ON m.account = a.id JOIN space me ON me.org = m.org "
    "WHERE a.id = :id AND me.id = :me");

const char *
space_user_name(struct db *db, struct arena *a, const char *me, const char *id)
{
	struct stmt *q = db_use(db, &q_user_name);

	bind_text(q, ":id", id);
	bind_text(q, ":me", me);
	return stmt_step(q) ? col_dup(q, 0, a) : NULL;
}

SQL(q_in_org, "SELECT 1 FROM space WHERE id = :me AND org = :org");

bool
space_in_org(struct db *db, const char *me, const char *org)
{
	struct stmt *q = db_use(db, &q_in_org);

	bind_text(q, ":me", me);
	bind_text(q, ":org", org);
	return stmt_int(q, 0) != 0;
}

SQL(q_siblings,
    "SELECT id, ord FROM (SELECT id, ord FROM space WHERE org = :org "
    "AND parent IS NOT DISTINCT FROM :parent AND deleted_at IS NULL UNION ALL "
    "SELECT id, ord FROM collection WHERE org = :org AND parent IS NOT DISTINCT FROM :parent "
    "AND deleted_at IS NULL) AS both_kinds ORDER BY ord, id");
SQL(q_ord_space, "UPDATE space SET ord = :ord WHERE id = :id");
SQL(q_ord_collection, "UPDATE collection SET ord = :ord WHERE id = :id");

/*
 * NULL: no sibling matches. parent NULL is the root; IS NOT DISTINCT FROM treats two NULLs as
 * equal.
 */
static char *
sibling_ord(struct db *db, struct arena *a, const struct sql *sql, const char *org, const char *parent,
    const char *after)
{
	struct stmt *q = db_use(db, sql);

	bind_text(q, ":org", org);
	bind_text(q, ":parent", parent);
	if (after != NULL)
		bind_text(q, ":after", after);
	return stmt_dup(q, a);
}

static void
set_ord(struct db *db, const struct sql *sql, const char *id, const char *ord)
{
	struct stmt *q = db_use(db, sql);

	bind_text(q, ":ord", ord);
	bind_text(q, ":id", id);
	stmt_run(q);
}

/*
 * Assigns new keys to all siblings, and returns the key for a new one right after the sibling with
 * the key `after`.
 */
static char *
renumber_siblings(struct db *db, struct arena *a, const char *org, const char *parent, const char *after)
{
	struct stmt *q = db_use(db, &q_siblings);
	char **ids = NULL, **keys;
	size_t n = 0, room = 0, at = 0, i;

	bind_text(q, ":org", org);
	bind_text(q, ":parent", parent);
	for (; stmt_step(q); n++) {
		ids = arena_grow(a, ids, n, &room, sizeof(*ids));
		ids[n] = col_dup(q, 0, a);
		/* Counts the siblings up to the key: the index of the new sibling. */
		at += strcmp(col_text(q, 1), after) <= 0;
	}
	keys = order_key_fill(a, "", "", n + 1);
	for (i = 0; i < n; i++) {
		/* The id is a space or a collection; the other statement changes no row. */
		set_ord(db, &q_ord_space, ids[i], keys[i + (i >= at)]);
		set_ord(db, &q_ord_collection, ids[i], keys[i + (i >= at)]);
	}
	return keys[at];
}

/* after: key of the sibling before the new place; NULL: after all siblings. */
char *
space_place(struct db *db, struct arena *a, const char *org, const char *parent,
    const char *after)
{
	char *key, *next = NULL;

	if (after == NULL)
		after = sibling_ord(db, a, &q_last_ord, org, parent, NULL);
	else
		next = sibling_ord(db, a, &q_next_ord, org, parent, after);
	after = after == NULL ? "" : after;
	key = order_key_between(a, after, next != NULL ? next : "");
	return strlen(key) <= ORDER_KEY_LONG ? key : renumber_siblings(db, a, org, parent, after);
}

SQL(q_touch, "UPDATE space SET updated_at = :now WHERE id = :space");

void
space_touch(struct db *db, const char *space)
{
	struct stmt *q = db_use(db, &q_touch);

	bind_int(q, ":now", time_now());
	bind_text(q, ":space", space);
	stmt_run(q);
}

/* Binds title, emoji, icon and place. */
static void
bind_space(struct stmt *q, const char *id, const struct space_new *n, const char *ord)
{
	bind_text(q, ":id", id);
	bind_text(q, ":parent", n->parent);
	bind_text(q, ":title", n->title);
	bind_text(q, ":emoji", n->emoji != NULL ? n->emoji : "");
	bind_text(q, ":icon", n->icon);
	bind_text(q, ":language", n->language);
	bind_text(q, ":ord", ord);
	bind_int(q, ":now", time_now());
}

char *
space_make(struct db *db, struct arena *a, const struct space_new *n, int64_t *branch)
{
	char *id = secret_id(a), *revision;
	struct revision_info first = { .kind = "edits", .author = n->author };
	/* An unfinished space has no place among its siblings yet. */
	const char *ord = n->unfinished ? "" : space_place(db, a, n->org, n->parent, n->after);
	struct stmt *q = db_use(db, &q_space_insert);

	bind_space(q, id, n, ord);
	bind_text(q, ":org", n->org);
	bind_text(q, ":edit_mode", n->edit_mode != NULL ? n->edit_mode : "live");
	bind_int(q, ":unfinished", n->unfinished);
	stmt_run(q);
	/*
	 * Space and branch refer to each other, so the space gets its branch in a second step of
	 * the same transaction.
	 */
	*branch = branch_create(db, id, "main", NULL);
	revision_add(db, a, *branch, &first, &revision);
	q = db_use(db, &q_space_branch);
	bind_int(q, ":branch", *branch);
	bind_text(q, ":id", id);
	stmt_run(q);
	return id;
}

bool
space_show(struct db *db, struct arena *a, const char *space, const struct space_new *n)
{
	const char *ord = space_place(db, a, n->org, n->parent, n->after);
	struct stmt *q = db_use(db, &q_space_show);

	bind_space(q, space, n, ord);
	return stmt_run(q) > 0;
}

/*
 * The code of SPACE_LANGUAGES for a text: the text itself, or the part before its first hyphen; n
 * 0: none.
 */
static struct str
match_language(struct str text)
{
	struct str list = STR(SPACE_LANGUAGES), one;
	size_t n;

	for (; list.n > 0; list = str_slice(list, n + (n < list.n), list.n)) {
		for (n = 0; n < list.n && list.p[n] != ','; n++)
			;
		one = str_slice(list, 0, n);
		if (one.n == text.n && strncasecmp(one.p, text.p, n) == 0)
			return one;
	}
	for (n = 0; n < text.n && text.p[n] != '-' && text.p[n] != '_'; n++)
		;
	return n == text.n ? STR("") : match_language(str_slice(text, 0, n));
}

void
space_set_declared(struct db *db, const char *space, const char *title, const char *language)
{
	struct stmt *q = db_use(db, &q_set_declared);
	struct str lang = language == NULL ? STR("") : match_language(str_of(language));

	if (title != NULL && utf8_count(str_of(title)) <= SPACE_TITLE_MAX)
		bind_text(q, ":title", title);
	if (lang.n > 0)
		bind_str(q, ":language", lang);
	bind_text(q, ":space", space);
	stmt_run(q);
}
