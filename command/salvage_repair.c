/*
 * Repairs the surviving rows of a damaged database that contradict lost rows. Covers each invariant
 * of store/invariants.h that a lost or damaged row can break and that can be restored without
 * guessing at content. Runs after db/salvage.h, when all foreign keys are valid.
 */
#include <inttypes.h>
#include <string.h>

#include "store/content.h"
#include "command/salvage.h"
#include "store/invariants.h"
#include "conversations/storage.h"
#include "cmd_data.h"

#define ALIVE(n) n ".since <= b.head AND " n ".until > b.head"
#define IS_PAGE(n) n ".kind IN ('document','group','link','computed')"
#define MAIN_ROWS "SELECT n.branch, n.id, n.since FROM node n JOIN branch b ON b.id = n.branch WHERE b.kind = 'main' AND " ALIVE("n")
/* The lowest number not used by a change request of the space. */
#define FREE_NUMBER "(SELECT min(x) FROM (SELECT 1 AS x UNION SELECT c.number + 1 FROM change_request c WHERE c.space = b.space) " \
	"WHERE x NOT IN (SELECT c.number FROM change_request c WHERE c.space = b.space))"
/* Branches of change requests that have lost their own row; the changes themselves still exist. */
#define ORPHANS "branch b WHERE b.kind = 'request' AND b.base = (SELECT s.branch FROM space s WHERE s.id = b.space) " \
	"AND NOT EXISTS (SELECT 1 FROM change_request c WHERE c.branch = b.id)"

/*
 * Recreates the row of one change request. The oldest branch comes first, so that the numbers
 * follow the original order.
 */
#define REQUEST_BACK \
	"INSERT INTO change_request (id, space, number, status, subject, branch, created_by, created_at, updated_at, " \
	"revision_initial, merged_ancestor) SELECT " \
	"COALESCE((SELECT c.scope FROM comment c JOIN revision r ON r.id = c.revision WHERE r.branch = b.id AND c.scope <> c.space " \
	"AND c.scope NOT IN (SELECT id FROM change_request) LIMIT 1), lower(hex(randomblob(11)))), b.space, " FREE_NUMBER ", " \
	"'archived', 'Lost change request', b.id, COALESCE((SELECT m.account FROM space s JOIN member m ON m.org = s.org " \
	"WHERE s.id = b.space ORDER BY m.role DESC LIMIT 1), (SELECT min(id) FROM account)), 0, 0, " \
	"COALESCE((SELECT r.id FROM revision r WHERE r.branch = b.base AND r.seq = b.base_seq), ''), " \
	"COALESCE((SELECT r.id FROM revision r WHERE r.branch = b.base AND r.seq = b.base_seq), '') " \
	"FROM branch b WHERE b.id = %s"
/* Creates an empty branch for a change request number of which nothing else is left. */
#define BRANCH_FOR "INSERT INTO branch (space, kind, base, base_seq, head) SELECT s.id, 'request', m.id, m.head, 0 " \
	"FROM space s JOIN branch m ON m.id = s.branch WHERE s.id = '%s'; " \
	"INSERT INTO revision (branch, seq, id, base_seq, kind, created_at) SELECT b.id, 0, lower(hex(randomblob(11))), " \
	"b.base_seq, 'edits', 0 FROM branch b WHERE b.id = (SELECT max(id) FROM branch)"

/* The steps run independently, in this order. says NULL: the step is not reported. */
static const struct step {
	const char *says;    /* message, printed after the number of changed rows */
	const char *sql;
	const char *list;    /* run sql for each row of this, its first column as %s; NULL: run once */
} steps[] = {
	{ NULL, "DELETE FROM blob_data WHERE no NOT IN (SELECT no FROM blob WHERE no IS NOT NULL)", NULL },
	{ NULL, "UPDATE node SET refs = NULL WHERE refs IN (SELECT hash FROM blob WHERE no IS NULL)", NULL },
	{ NULL, "DELETE FROM node WHERE (branch, since) IN (SELECT id, staged FROM branch WHERE staged IS NOT NULL)", NULL },
	{ NULL, "UPDATE branch SET staged = NULL", NULL },
	/* The base revisions of change requests, then the newest revision of each branch. */
	{ NULL, "INSERT OR IGNORE INTO revision (branch, seq, id, kind, created_at) SELECT base, seq, lower(hex(randomblob(11))), "
	  "'edits', 0 FROM (SELECT DISTINCT b.base AS base, r.base_seq AS seq FROM revision r JOIN branch b ON b.id = r.branch "
	  "WHERE b.base IS NOT NULL AND r.base_seq IS NOT NULL)", NULL },
	{ NULL, "UPDATE revision SET base_seq = (SELECT b.base_seq FROM branch b WHERE b.id = branch) WHERE base_seq IS NULL "
	  "AND branch IN (SELECT id FROM branch WHERE base IS NOT NULL)", NULL },
	{ NULL, "INSERT OR IGNORE INTO revision (branch, seq, id, base_seq, kind, created_at) "
	  "SELECT id, 0, lower(hex(randomblob(11))), base_seq, 'edits', 0 FROM branch", NULL },
	{ NULL, "UPDATE branch SET head = (SELECT max(r.seq) FROM revision r WHERE r.branch = branch.id) "
	  "WHERE head <> (SELECT max(r.seq) FROM revision r WHERE r.branch = branch.id)", NULL },
	{ NULL, "DELETE FROM node WHERE since > (SELECT b.head FROM branch b WHERE b.id = node.branch)", NULL },
	{ NULL, "UPDATE node SET until = " SQL_FOREVER " WHERE until <> " SQL_FOREVER " "
	  "AND until > (SELECT b.head FROM branch b WHERE b.id = node.branch)", NULL },
	{ NULL, "UPDATE node SET until = (SELECT min(o.since) FROM node o WHERE o.branch = node.branch AND o.id = node.id AND o.since > node.since) "
	  "WHERE EXISTS (SELECT 1 FROM node o WHERE o.branch = node.branch AND o.id = node.id AND o.since > node.since AND o.since < node.until)", NULL },
	{ NULL, "DELETE FROM node WHERE kind = 'gone' AND branch IN (SELECT id FROM branch WHERE base IS NULL)", NULL },
	/* The tree of pages. */
	{ "pages stand at the top now, since the page above them is lost", "UPDATE node SET parent = '' WHERE (branch, id, since) IN ("
	  MAIN_ROWS " AND n.parent <> '' AND " IS_PAGE("n") " AND NOT EXISTS (SELECT 1 FROM node p WHERE p.branch = n.branch AND p.id = n.parent AND "
	  ALIVE("p") " AND " IS_PAGE("p") "))", NULL },
	{ "pages stood below themselves, and stand at the top now", "WITH RECURSIVE down (branch, id, level) AS (SELECT n.branch, n.id, 1 FROM node n "
	  "JOIN branch b ON b.id = n.branch WHERE b.kind = 'main' AND " ALIVE("n") " AND n.parent = '' AND " IS_PAGE("n")
	  " UNION SELECT n.branch, n.id, down.level + 1 FROM down JOIN branch b ON b.id = down.branch JOIN node n ON n.branch = down.branch "
	  "AND n.parent = down.id AND n.slug >= '' AND " ALIVE("n") " AND " IS_PAGE("n") " WHERE down.level < 100) "
	  "UPDATE node SET parent = '' WHERE (branch, id, since) IN (" MAIN_ROWS " AND " IS_PAGE("n") ") "
	  "AND (branch, id) NOT IN (SELECT branch, id FROM down)", NULL },
	{ "pages have another address now, since two had the same", "WITH RECURSIVE place (branch, id, since, kind, path, level) AS ("
	  "SELECT n.branch, n.id, n.since, n.kind, COALESCE(n.path, n.slug), 1 FROM node n JOIN branch b ON b.id = n.branch WHERE b.kind = 'main' AND "
	  ALIVE("n") " AND n.parent = '' AND " IS_PAGE("n") " UNION ALL SELECT n.branch, n.id, n.since, n.kind, "
	  "COALESCE(n.path, place.path || '/' || n.slug), place.level + 1 FROM place JOIN branch b ON b.id = place.branch JOIN node n ON n.branch = place.branch "
	  "AND n.parent = place.id AND n.slug >= '' AND " ALIVE("n") " AND place.level < 102 AND " IS_PAGE("n") ") "
	  "UPDATE node SET slug = slug || '-' || lower(substr(id, 1, 8)), path = path || '-' || lower(substr(id, 1, 8)) WHERE (branch, id, since) IN ("
	  "SELECT branch, id, since FROM (SELECT branch, id, since, row_number() OVER (PARTITION BY branch, path ORDER BY level, id) AS no "
	  "FROM place WHERE kind <> 'link') WHERE no > 1)", NULL },
	/* People, spaces and collections. */
	{ "spaces stand at the top now, since their collection is another organization's", "UPDATE space SET parent = NULL WHERE parent IS NOT NULL "
	  "AND org <> (SELECT c.org FROM collection c WHERE c.id = space.parent)", NULL },
	{ "grants are gone: who had them is no member any more", "DELETE FROM access_grant WHERE account IS NOT NULL AND NOT EXISTS (SELECT 1 FROM member m "
	  "WHERE m.account = access_grant.account AND m.org = COALESCE((SELECT s.org FROM space s WHERE s.id = access_grant.space), "
	  "(SELECT c.org FROM collection c WHERE c.id = access_grant.collection), "
	  "(SELECT t.org FROM site t WHERE t.id = access_grant.site)))", NULL },
	/* Change requests, comments, and their counters. */
	{ "change requests have lost their subject, and are archived", REQUEST_BACK, "SELECT b.id FROM " ORPHANS " ORDER BY b.id" },
	{ NULL, BRANCH_FOR, "WITH RECURSIVE top (space, n) AS (SELECT c.space, max(c.number) FROM change_request c GROUP BY c.space "
	  "HAVING max(c.number) < 100000 UNION ALL SELECT space, n - 1 FROM top WHERE n > 1) SELECT top.space FROM top WHERE NOT EXISTS "
	  "(SELECT 1 FROM change_request c WHERE c.space = top.space AND c.number = top.n)" },
	{ "change requests are lost; an archived one stands for each", REQUEST_BACK, "SELECT b.id FROM " ORPHANS " ORDER BY b.id" },
	{ NULL, "DELETE FROM comment_reply WHERE comment IN (SELECT c.id FROM comment c WHERE c.scope <> c.space AND NOT EXISTS "
	  "(SELECT 1 FROM change_request r WHERE r.id = c.scope AND r.space = c.space))", NULL },
	{ NULL, "DELETE FROM reaction WHERE comment IN (SELECT c.id FROM comment c WHERE c.scope <> c.space AND NOT EXISTS "
	  "(SELECT 1 FROM change_request r WHERE r.id = c.scope AND r.space = c.space))", NULL },
	{ "comments are lost with their change request", "DELETE FROM comment WHERE scope <> space AND NOT EXISTS (SELECT 1 FROM change_request r "
	  "WHERE r.id = comment.scope AND r.space = comment.space)", NULL },
	{ NULL, "DELETE FROM reaction WHERE target <> comment AND NOT EXISTS (SELECT 1 FROM comment_reply y WHERE y.id = reaction.target "
	  "AND y.comment = reaction.comment)", NULL },
	{ NULL, "UPDATE review SET outdated = 1 WHERE outdated = 0 AND EXISTS (SELECT 1 FROM review o WHERE o.request = review.request "
	  "AND o.reviewer = review.reviewer AND o.outdated = 0 AND o.id > review.id)", NULL },
	{ NULL, "UPDATE comment SET replies = (SELECT count(*) FROM comment_reply y WHERE y.comment = comment.id)", NULL },
	{ NULL, "UPDATE change_request SET comments = (SELECT count(*) FROM comment c WHERE c.scope = change_request.id AND c.resolved_at IS NULL)", NULL },
	{ NULL, "UPDATE space SET requests = (SELECT count(*) FROM change_request c WHERE c.space = space.id), "
	  "requests_open = (SELECT count(*) FROM change_request c WHERE c.space = space.id AND c.status = 'open'), "
	  "requests_draft = (SELECT count(*) FROM change_request c WHERE c.space = space.id AND c.status = 'draft'), "
	  "comments = (SELECT count(*) FROM comment c WHERE c.scope = space.id AND c.resolved_at IS NULL)", NULL },
	{ NULL, "INSERT OR IGNORE INTO named (account, space) SELECT author, space FROM comment "
	  "UNION SELECT resolved_by, space FROM comment WHERE resolved_by IS NOT NULL "
	  "UNION SELECT y.author, c.space FROM comment_reply y JOIN comment c ON c.id = y.comment "
	  "UNION SELECT x.account, c.space FROM reaction x JOIN comment c ON c.id = x.comment "
	  "UNION SELECT created_by, space FROM change_request UNION SELECT merged_by, space FROM change_request WHERE merged_by IS NOT NULL "
	  "UNION SELECT v.reviewer, r.space FROM review v JOIN change_request r ON r.id = v.request "
	  "UNION SELECT v.requested_by, r.space FROM review v JOIN change_request r ON r.id = v.request WHERE v.requested_by IS NOT NULL "
	  "UNION SELECT w.account, r.space FROM requested_reviewer w JOIN change_request r ON r.id = w.request "
	  "UNION SELECT w.requested_by, r.space FROM requested_reviewer w JOIN change_request r ON r.id = w.request "
	  "UNION SELECT v.author, b.space FROM revision v JOIN branch b ON b.id = v.branch WHERE v.author IS NOT NULL", NULL },
	{ NULL, "UPDATE job SET secret = NULL WHERE state NOT IN ('queued', 'running')", NULL },
	/* Translations and API descriptions. */
	{ NULL, "DELETE FROM translation_page WHERE length(body) > 0 AND body NOT IN (SELECT hash FROM blob)", NULL },
	{ NULL, "UPDATE translation SET pages = (SELECT count(*) FROM translation_page p WHERE p.translation = translation.id)", NULL },
	{ NULL, "UPDATE translation SET revision = NULL WHERE revision IS NOT NULL AND NOT EXISTS (SELECT 1 FROM revision r "
	  "JOIN branch b ON b.id = r.branch WHERE r.id = translation.revision AND b.space = translation.result)", NULL },
	{ NULL, "DELETE FROM openapi_page_operation WHERE NOT EXISTS (SELECT 1 FROM openapi_page p WHERE p.version = openapi_page_operation.version "
	  "AND p.no = openapi_page_operation.page) OR NOT EXISTS (SELECT 1 FROM openapi_operation o "
	  "WHERE o.version = openapi_page_operation.version AND o.no = openapi_page_operation.operation)", NULL },
	{ NULL, "DELETE FROM openapi_file WHERE (size IS NOT NULL AND octavo_unpack(data, size) IS NULL) "
	  "OR (parsed IS NOT NULL AND octavo_unpack(parsed, parsed_size) IS NULL)", NULL },
	{ "versions of specifications are lost", "UPDATE openapi_version SET shown = 0 WHERE shown = 1 AND NOT EXISTS (SELECT 1 FROM openapi_file f "
	  "WHERE f.version = openapi_version.id AND f.no = 0)", NULL },
	{ NULL, "UPDATE openapi_spec SET versions = (SELECT count(*) FROM openapi_version v WHERE v.spec = openapi_spec.id AND v.shown = 1), "
	  "latest = (SELECT v.id FROM openapi_version v WHERE v.spec = openapi_spec.id AND v.shown = 1 ORDER BY v.no DESC LIMIT 1)", NULL },
	/* Sites and conversations. */
	{ NULL, "UPDATE site_space SET shown_at = (SELECT t.published_at FROM site t WHERE t.id = site_space.site), "
	  "shown = (SELECT CASE WHEN t.published_at IS NULL THEN 0 WHEN t.visibility = 'public' THEN 4 WHEN t.visibility = 'unlisted' THEN 3 "
	  "WHEN t.visibility = 'share-link' THEN 2 ELSE 1 END FROM site t WHERE t.id = site_space.site)", NULL },
	{ NULL, "DELETE FROM conversation_attribute WHERE org <> (SELECT c.org FROM conversation c WHERE c.n = conversation_attribute.conversation)", NULL },
};

struct data_repair {
	struct cli        *cli;
	struct db         *db;
	const struct step *step;
	int64_t            rows;
	const char        *name;
	bool               admins;    /* the current invariant is that an organization has an admin */
	const char        *dir;
};

/* A failed statement is ignored: the check at the end reports what remains. */
static void
run_script(struct data_repair *s, const char *sql)
{
	const char *ignored;
	int64_t before = db_changes(s->db);

	if (db_script(s->db, s->cli->arena, sql, &ignored))
		s->rows += db_changes(s->db) - before;
}

struct keys {
	struct arena *arena;
	const char  **list;
	size_t        n, room;
};

static void
take_key(void *ctx, struct stmt *q)
{
	struct keys *k = ctx;

	k->list = arena_grow(k->arena, k->list, k->n, &k->room, sizeof(*k->list));
	k->list[k->n++] = col_dup(q, 0, k->arena);
}

/*
 * Keys are numbers or ids that were read from rows. One with a quotation mark is damaged, so it is
 * skipped.
 */
static void
run_step(struct data_repair *s)
{
	struct keys k = { .arena = s->cli->arena };
	const char *ignored, *at;

	s->rows = 0;
	if (s->step->list == NULL) {
		run_script(s, s->step->sql);
		return;
	}
	db_each(s->db, s->cli->arena, s->step->list, take_key, &k, &ignored);
	at = strstr(s->step->sql, "%s");
	for (size_t i = 0; i < k.n; i++)
		if (strchr(k.list[i], '\'') == NULL)
			run_script(s, arena_printf(s->cli->arena, "%.*s%s%s", (int)(at - s->step->sql), s->step->sql, k.list[i], at + 2));
}

/* Queues a job that recounts the issue clusters of each organization. */
static void
recount_conversations(struct data_repair *s)
{
	struct keys k = { .arena = s->cli->arena };
	const char *ignored;

	db_each(s->db, s->cli->arena, "SELECT org FROM conversation_state", take_key, &k, &ignored);
	for (size_t i = 0; i < k.n; i++) {
		db_begin(s->db, true);
		conversations_recount(s->db, s->cli->arena, k.list[i], NULL);
		db_commit(s->db);
	}
}

void
salvage_repair(struct cli *c, struct db *db)
{
	struct data_repair s = { .cli = c, .db = db };
	const char *ignored;

	db_script(db, c->arena, "BEGIN", &ignored);
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		s.step = &steps[i];
		run_step(&s);
		if (s.rows > 0 && s.step->says != NULL)
			cli_say(c, "%" PRId64 " %s", s.rows, s.step->says);
	}
	db_script(db, c->arena, "COMMIT", &ignored);
	recount_conversations(&s);
}

/* ---- remaining breaches ---- */

static void
take_breach(void *ctx, const char *what)
{
	struct data_repair *s = ctx;
	const char *org = strchr(what, ' ');

	if (s->admins && org != NULL)
		data_say_admin(s->cli, s->dir, org + 1);
	else
		cli_say(s->cli, "Not repaired: \"%s\" does not hold: %s", s->name, what);
}

void
salvage_remains(struct cli *c, struct db *db, const char *dir)
{
	struct data_repair s = { .cli = c, .db = db, .dir = dir };
	const char *ignored;

	for (size_t i = 0; i < check_count(); i++) {
		/* Skip these: the job runner rebuilds the data. */
		if (check_remedy(i) == CHECK_INDEX || check_remedy(i) == CHECK_COUNT)
			continue;
		s.name = check_name(i);
		s.admins = check_remedy(i) == CHECK_ADMIN;
		check_one(db, c->arena, i, take_breach, &s, &ignored);
	}
}
