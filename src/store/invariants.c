/* The invariants of a database, as one statement each. Contract: invariants.h. */
#include "base/pack.h"
#include "base/role.h"
#include "store/content.h"
#include "store/invariants.h"
#include "store/space.h"

/*
 * Alive at the head of the branch. `until` alone is not enough: while a revision is staged, rows
 * may already have ended in it (stage.h).
 */
#define ALIVE(n, head) "+" n ".since <= " head " AND +" n ".until > " head
/* A row of search_place that is valid: search/search.h. */
#define FOUND(head) "CASE WHEN p.turn <= " head " THEN 1 - p.live ELSE p.live END = 1"
/* An entry of search with all of its parts, in row no + part * 2^40 of the index (src/search/search_parts.h). */
#define FINISHED(e) e ".parts = 1 + length(COALESCE(" e ".division, '')) / 4"
#define PART(row) "(" row " >> 40)"
#define ENTRY(row) "(" row " & 1099511627775)"
/* A page that search leaves out. Variables are texts, so no other member matches this pattern. */
#define NO_INDEX(n) n ".props LIKE '%\"noIndex\":true%'"
#define IS_PAGE(n) n ".kind IN ('document','group','link','computed')"

/*
 * The pages of the heads of main branches, with their paths and levels; pages in a cycle are not
 * found. Follows the index of children, as node.c does: with the index of live rows each step would
 * read all of them.
 */
#define PLACES \
	"WITH RECURSIVE place (branch, head, id, kind, path, level) AS (" \
	"SELECT n.branch, b.head, n.id, n.kind, COALESCE(n.path, n.slug), 1 FROM node n " \
	"JOIN branch b ON b.id = n.branch WHERE b.kind = 'main' AND " ALIVE("n", "b.head") \
	" AND n.parent = '' AND " IS_PAGE("n") " UNION ALL " \
	"SELECT n.branch, place.head, n.id, n.kind, COALESCE(n.path, place.path || '/' || n.slug), " \
	"place.level + 1 FROM place JOIN node n ON n.branch = place.branch AND n.parent = place.id " \
	"AND n.slug >= '' AND " ALIVE("n", "place.head") " AND place.level < 102 AND " IS_PAGE("n") ") "

/* The order does not matter: `octavo check` runs each statement by itself. */
static const struct {
	const char *name;
	/*
	 * Returns one row for each breach: a text that describes it. Packed bytes and their size may
	 * follow: then the row is a breach unless they unpack (NULL: a breach).
	 */
	const char *sql;
	enum check_remedy remedy;
	bool of_file;   /* about SQLite's file; a server checks its own */
} invariants[] = {
	{ "spaces have a main branch with a revision",
	  "SELECT 'space ' || s.id FROM space s LEFT JOIN branch b ON b.id = s.branch "
	  "LEFT JOIN revision r ON r.branch = b.id AND r.seq = b.head "
	  "WHERE b.id IS NULL OR b.kind <> 'main' OR b.space <> s.id OR r.id IS NULL" },
	{ "heads are the newest revisions",
	  "SELECT 'branch ' || b.id || ' head ' || b.head FROM branch b "
	  "WHERE b.head <> (SELECT max(seq) FROM revision r WHERE r.branch = b.id)" },
	{ "branches begin with revision 0",
	  "SELECT 'branch ' || branch FROM revision GROUP BY branch HAVING min(seq) <> 0" },
	{ "base points exist",
	  "SELECT 'revision ' || r.id FROM revision r JOIN branch b ON b.id = r.branch "
	  "WHERE b.base IS NOT NULL AND NOT EXISTS (SELECT 1 FROM revision p WHERE p.branch = b.base "
	  "AND p.seq = r.base_seq)" },
	{ "a node has one live version at a time",
	  "SELECT 'node ' || a.id || ' of branch ' || a.branch FROM node a JOIN node b "
	  "ON b.branch = a.branch AND b.id = a.id AND b.since > a.since AND b.since < a.until "
	  "JOIN branch h ON h.id = b.branch WHERE b.since IS DISTINCT FROM h.staged" },
	{ "versions of nodes begin and end at revisions that exist",
	  "SELECT 'node ' || n.id || ' of branch ' || n.branch FROM node n JOIN branch b ON b.id = n.branch "
	  "WHERE (n.since > b.head AND n.since IS DISTINCT FROM b.staged) OR (n.until > b.head "
	  "AND n.until <> " SQL_FOREVER " AND n.until IS DISTINCT FROM b.staged)" },
	{ "staged revision numbers are above the head",
	  "SELECT 'branch ' || id FROM branch WHERE staged <= head" },
	{ "parents of pages are pages that are alive",
	  "SELECT 'page ' || n.id || ' of branch ' || n.branch FROM node n JOIN branch b ON b.id = n.branch "
	  "WHERE b.kind = 'main' AND " IS_PAGE("n") " AND " ALIVE("n", "b.head") " AND n.parent <> '' "
	  "AND NOT EXISTS (SELECT 1 FROM node p WHERE p.branch = n.branch AND p.id = n.parent "
	  "AND " ALIVE("p", "b.head") " AND " IS_PAGE("p") ")" },
	{ "the tree of pages has no cycle",
	  "WITH RECURSIVE down (branch, head, id) AS (SELECT n.branch, b.head, n.id FROM node n "
	  "JOIN branch b ON b.id = n.branch WHERE b.kind = 'main' AND " ALIVE("n", "b.head")
	  " AND n.parent = '' AND " IS_PAGE("n")
	  " UNION SELECT n.branch, down.head, n.id FROM down JOIN node n ON n.branch = down.branch "
	  "AND n.parent = down.id AND n.slug >= '' AND " ALIVE("n", "down.head") " AND " IS_PAGE("n") ") "
	  "SELECT 'page ' || n.id FROM node n JOIN branch b ON b.id = n.branch WHERE b.kind = 'main' "
	  "AND " ALIVE("n", "b.head") " AND " IS_PAGE("n")
	  " AND (n.branch, n.id) NOT IN (SELECT branch, id FROM down) ORDER BY n.branch, n.id" },
	{ "paths of pages are unique",
	  PLACES "SELECT 'path ' || path || ' of branch ' || branch FROM place WHERE kind <> 'link' "
	  "GROUP BY branch, path HAVING count(*) > 1" },
	{ "the tree of pages has at most 100 levels",
	  PLACES "SELECT 'page ' || id || ' of branch ' || branch FROM place WHERE level = 101" },
	{ "only overlays have tombstones",
	  "SELECT 'node ' || n.id FROM node n JOIN branch b ON b.id = n.branch "
	  "WHERE n.kind = 'gone' AND b.base IS NULL" },
	{ "every organization has an admin",
	  "SELECT 'organization ' || o.id FROM org o WHERE NOT EXISTS (SELECT 1 FROM member m "
	  "WHERE m.org = o.id AND m.role = " SQL_ROLE_ADMIN " AND m.disabled = 0)", CHECK_ADMIN },
	{ "spaces and their collections are of one organization",
	  "SELECT 'space ' || s.id FROM space s JOIN collection c ON c.id = s.parent WHERE c.org <> s.org" },
	{ "grants are for members",
	  "SELECT 'grant ' || g.id FROM access_grant g LEFT JOIN space s ON s.id = g.space "
	  "LEFT JOIN collection c ON c.id = g.collection LEFT JOIN site t ON t.id = g.site "
	  "WHERE g.account IS NOT NULL AND NOT EXISTS "
	  "(SELECT 1 FROM member m WHERE m.org = COALESCE(s.org, c.org, t.org) AND m.account = g.account)" },
	{ "change requests and open comments are counted",
	  "SELECT 'space ' || s.id FROM space s WHERE (s.requests, s.requests_open, s.requests_draft) <> "
	  "(SELECT count(*), count(*) FILTER (WHERE c.status = 'open'), "
	  "count(*) FILTER (WHERE c.status = 'draft') FROM change_request c WHERE c.space = s.id) "
	  "OR s.comments <> (SELECT count(*) FROM comment c WHERE c.scope = s.id AND c.resolved_at IS NULL) "
	  "UNION ALL SELECT 'change request ' || r.id FROM change_request r WHERE r.comments <> "
	  "(SELECT count(*) FROM comment c WHERE c.scope = r.id AND c.resolved_at IS NULL) "
	  "UNION ALL SELECT 'comment ' || c.id FROM comment c WHERE c.replies <> "
	  "(SELECT count(*) FROM comment_reply y WHERE y.comment = c.id)" },
	{ "change requests are numbered, and overlay the content of their space",
	  "SELECT 'change request ' || r.id FROM change_request r JOIN space s ON s.id = r.space "
	  "JOIN branch b ON b.id = r.branch WHERE r.number NOT BETWEEN 1 AND s.requests "
	  "OR b.space <> s.id OR b.kind <> 'request' OR b.base <> s.branch" },
	{ "comments are of their space or a change request of it",
	  "SELECT 'comment ' || c.id FROM comment c WHERE c.scope <> c.space AND NOT EXISTS "
	  "(SELECT 1 FROM change_request r WHERE r.id = c.scope AND r.space = c.space)" },
	{ "reactions are to comments and their replies",
	  "SELECT 'reaction to ' || x.target FROM reaction x WHERE x.target <> x.comment AND NOT EXISTS "
	  "(SELECT 1 FROM comment_reply y WHERE y.id = x.target AND y.comment = x.comment)" },
	{ "a reviewer has one review that counts",
	  "SELECT 'change request ' || request || ' by ' || reviewer FROM review WHERE outdated = 0 "
	  "GROUP BY request, reviewer HAVING count(*) > 1" },
	{ "accounts that a space's content names are in the table named",
	  "SELECT 'account ' || account || ' in space ' || space FROM (SELECT author AS account, space FROM comment "
	  "UNION SELECT resolved_by, space FROM comment WHERE resolved_by IS NOT NULL "
	  "UNION SELECT y.author, c.space FROM comment_reply y JOIN comment c ON c.id = y.comment "
	  "UNION SELECT x.account, c.space FROM reaction x JOIN comment c ON c.id = x.comment "
	  "UNION SELECT created_by, space FROM change_request "
	  "UNION SELECT merged_by, space FROM change_request WHERE merged_by IS NOT NULL "
	  "UNION SELECT v.reviewer, r.space FROM review v JOIN change_request r ON r.id = v.request "
	  "UNION SELECT v.requested_by, r.space FROM review v JOIN change_request r ON r.id = v.request "
	  "WHERE v.requested_by IS NOT NULL UNION SELECT w.account, r.space FROM requested_reviewer w "
	  "JOIN change_request r ON r.id = w.request UNION SELECT w.requested_by, r.space "
	  "FROM requested_reviewer w JOIN change_request r ON r.id = w.request UNION SELECT v.author, b.space "
	  "FROM revision v JOIN branch b ON b.id = v.branch WHERE v.author IS NOT NULL "
	  "EXCEPT SELECT account, space FROM named) AS unnamed" },
	{ "ended jobs hold no secrets",
	  "SELECT 'job ' || id FROM job WHERE secret IS NOT NULL AND state NOT IN ('queued', 'running')" },
	{ "spaces are in the search index",
	  "SELECT 'space ' || s.id FROM space s JOIN branch b ON b.id = s.branch WHERE s.deleted_at IS NULL "
	  "AND NOT EXISTS (SELECT 1 FROM search_space x WHERE x.space = s.id) AND EXISTS (SELECT 1 FROM node n "
	  "WHERE n.branch = b.id AND n.kind = 'document' AND NOT " NO_INDEX("n") " AND " ALIVE("n", "b.head") ") AND NOT EXISTS "
	  "(SELECT 1 FROM job j WHERE j.space = s.id AND j.kind = 'index' AND j.state IN ('queued', 'running'))",
	  CHECK_INDEX },
	/* CROSS JOIN fixes this order: a space has as many places as pages. */
	{ "documents are in the search index, each once unless they are noIndex",
	  "SELECT 'page ' || n.id || ' of branch ' || n.branch FROM space s JOIN search_space x "
	  "ON x.space = s.id JOIN branch b ON b.id = s.branch JOIN node n ON n.branch = b.id "
	  "AND n.kind = 'document' AND NOT " NO_INDEX("n") " AND " ALIVE("n", "b.head") " WHERE (SELECT count(*) "
	  "FROM search_reads r CROSS JOIN search_page e CROSS JOIN search_place p "
	  "WHERE r.space = x.no AND e.scope = r.scope AND e.page = n.id AND p.space = x.no AND p.no = e.no AND " FOUND("b.head")
	  " AND " FINISHED("e") ") <> 1 AND NOT EXISTS (SELECT 1 FROM job j "
	  "WHERE j.space = s.id AND j.kind = 'index' AND j.state IN ('queued', 'running'))",
	  CHECK_INDEX },
	{ "the search index contains only documents that are alive, and counts them",
	  "SELECT 'search space ' || x.no FROM search_space x JOIN space s ON s.id = x.space "
	  "JOIN branch b ON b.id = s.branch WHERE x.pages <> (SELECT count(*) "
	  "FROM search_place p WHERE p.space = x.no AND " FOUND("b.head") ") UNION ALL "
	  "SELECT 'search page ' || p.no FROM search_place p JOIN search_page e ON e.no = p.no "
	  "JOIN search_space x ON x.no = p.space "
	  "JOIN space s ON s.id = x.space JOIN branch b ON b.id = s.branch WHERE " FOUND("b.head")
	  " AND s.deleted_at IS DISTINCT FROM " SPACE_UNFINISHED " AND NOT EXISTS (SELECT 1 FROM node n WHERE n.branch = b.id AND n.id = e.page "
	  "AND n.kind = 'document' AND NOT " NO_INDEX("n") " AND " ALIVE("n", "b.head") ") "
	  "AND NOT EXISTS (SELECT 1 FROM node n "
	  "WHERE n.branch = b.id AND n.kind = 'computed' AND " ALIVE("n", "b.head")
	  " AND substr(e.page, 1, length(n.id) + 1) = n.id || '-') "
	  "AND NOT EXISTS (SELECT 1 FROM job j WHERE j.space = s.id AND j.kind = 'index' "
	  "AND j.state IN ('queued', 'running'))",
	  CHECK_INDEX },
	{ "links are counted",
	  "SELECT 'target ' || t.id FROM link_target t JOIN link_edition e ON e.no = t.edition "
	  "AND e.shown = 1 WHERE t.links = 0 OR t.links <> "
	  "(SELECT count(*) FROM link l WHERE l.target = t.id) UNION ALL "
	  "SELECT 'edition ' || c.edition || ' ' || c.status FROM link_count c JOIN link_edition e "
	  "ON e.no = c.edition AND e.shown = 1 WHERE (c.targets, c.links) <> (SELECT count(*), "
	  "COALESCE(sum(t.links), 0) FROM link_target t WHERE t.edition = c.edition "
	  "AND t.status = c.status)",
	  CHECK_INDEX },
	{ "a branch shows one edition of its links",
	  "SELECT 'branch ' || branch FROM link_edition WHERE shown = 1 GROUP BY branch HAVING count(*) > 1",
	  CHECK_INDEX },
	{ "links are in nodes that are alive",
	  "SELECT DISTINCT 'source ' || l.source FROM link l JOIN link_edition e ON e.no = l.edition "
	  "AND e.shown = 1 JOIN branch b ON b.id = e.branch WHERE NOT EXISTS (SELECT 1 FROM node n "
	  "WHERE n.branch = b.id AND n.id = l.source AND " ALIVE("n", "b.head") ")",
	  CHECK_INDEX },
	{ "the bytes of all nodes except files are in the database",
	  "SELECT 'node ' || n.id || ' of branch ' || n.branch FROM node n JOIN blob b ON b.hash = n.body "
	  "WHERE n.kind <> 'file' AND b.no IS NULL UNION ALL "
	  "SELECT 'links of ' || n.id || ' of branch ' || n.branch FROM node n JOIN blob b ON b.hash = n.refs "
	  "WHERE b.no IS NULL", CHECK_TEXT },
	{ "blobs in the database have the size that they declare, and are stored once",
	  "SELECT 'blob ' || lower(hex(b.hash)), CASE WHEN d.size = b.size THEN d.data END, d.size FROM blob b "
	  "LEFT JOIN blob_data d ON d.no = b.no WHERE b.no IS NOT NULL UNION ALL "
	  "SELECT 'row ' || no, NULL, NULL FROM blob_data WHERE no NOT IN (SELECT no FROM blob WHERE no IS NOT NULL) "
	  "UNION ALL SELECT 'row ' || no, NULL, NULL FROM blob WHERE no IS NOT NULL GROUP BY no HAVING count(*) > 1", CHECK_TEXT },
	{ "files of sites have their bytes",
	  "SELECT 'file ' || f.id FROM stored_file f LEFT JOIN blob b ON b.hash = f.hash "
	  "WHERE f.hash IS NOT NULL AND b.size IS DISTINCT FROM f.size" },
	{ "fonts have a regular weight, and files of their organization",
	  "SELECT 'font ' || n.id FROM font n WHERE NOT EXISTS (SELECT 1 FROM font_face e WHERE e.font = n.id AND e.weight = 400) "
	  "UNION ALL SELECT 'font ' || n.id FROM font n JOIN font_face e ON e.font = n.id JOIN stored_file f ON f.id = e.file "
	  "WHERE f.org <> n.org OR f.kind <> 'customization_font' OR f.hash IS NULL" },
	{ "sections and terms are of pages in the search index",
	  "SELECT 'sections of ' || c.no FROM search_text c WHERE NOT EXISTS (SELECT 1 FROM search_page p "
	  "WHERE p.no = c.no) UNION ALL "
	  "SELECT 'terms of ' || t.id FROM search_index_docsize t WHERE NOT EXISTS "
	  "(SELECT 1 FROM search_page p WHERE p.no = " ENTRY("t.id") " AND p.parts > " PART("t.id") ") UNION ALL "
	  "SELECT 'search page ' || p.no FROM search_page p WHERE NOT EXISTS "
	  "(SELECT 1 FROM search_index_docsize t WHERE t.id = p.no) OR NOT EXISTS "
	  "(SELECT 1 FROM search_index_docsize t WHERE t.id = p.no + ((p.parts - 1) << 40)) UNION ALL "
	  "SELECT 'terms of ' || t.id FROM search_index_docsize t WHERE " PART("t.id") " > 0 AND NOT EXISTS "
	  "(SELECT 1 FROM search_index_docsize b WHERE b.id = t.id - 1099511627776)",
	  CHECK_INDEX },
	{ "pages in the search index have their text",
	  "SELECT 'search page ' || p.no, c.text, c.size FROM search_page p LEFT JOIN search_text c ON c.no = p.no", CHECK_INDEX },
	{ "entries of search have a place, in a space that reads their scope",
	  "SELECT 'search page ' || e.no FROM search_page e WHERE NOT EXISTS (SELECT 1 FROM search_place p "
	  "WHERE p.no = e.no) UNION ALL "
	  "SELECT 'search page ' || p.no || ' of ' || p.space FROM search_place p WHERE NOT EXISTS "
	  "(SELECT 1 FROM search_page e JOIN search_reads r ON r.scope = e.scope AND r.space = p.space WHERE e.no = p.no)",
	  CHECK_INDEX },
	{ "conversations, issues and clusters are counted",
	  "SELECT 'organization ' || s.org FROM conversation_state s WHERE (s.conversations, s.issues, s.clusters) <> "
	  "((SELECT count(*) FROM conversation c WHERE c.org = s.org), "
	  "(SELECT count(*) FROM conversation_issue i WHERE i.org = s.org), "
	  "(SELECT count(*) FROM issues_cluster k WHERE k.org = s.org)) UNION ALL "
	  "SELECT 'cluster ' || k.id FROM issues_cluster k WHERE k.issues = 0 OR (k.issues, k.conversations) <> "
	  "(SELECT count(*), count(DISTINCT i.conversation) FROM conversation_issue i WHERE i.cluster = k.n) "
	  "UNION ALL SELECT 'weeks of cluster ' || k.id FROM issues_cluster k WHERE k.issues <> "
	  "(SELECT COALESCE(sum(w.issues), 0) FROM cluster_week w WHERE w.cluster = k.n) "
	  "UNION ALL SELECT 'sources of cluster ' || k.id FROM issues_cluster k WHERE k.issues <> "
	  "(SELECT COALESCE(sum(w.issues), 0) FROM cluster_source w WHERE w.cluster = k.n)",
	  CHECK_COUNT },
	{ "terms of issues are counted",
	  "SELECT 'organization ' || s.org FROM conversation_state s WHERE "
	  "(SELECT COALESCE(sum(t.issues), 0) FROM issue_term t WHERE t.org = s.org) <> "
	  "(SELECT COALESCE(sum(length(i.terms)), 0) / 10 FROM conversation_issue i WHERE i.org = s.org)",
	  CHECK_COUNT },
	{ "labels of clusters are titles of their own issues",
	  "SELECT 'cluster ' || k.id FROM issues_cluster k WHERE k.face <> 0 AND NOT EXISTS (SELECT 1 "
	  "FROM conversation_issue i WHERE i.n = k.face AND i.cluster = k.n AND i.title = k.label)",
	  CHECK_COUNT },
	{ "issues are of a conversation and a cluster of their organization",
	  "SELECT 'issue ' || i.id FROM conversation_issue i LEFT JOIN conversation c ON c.n = i.conversation "
	  "LEFT JOIN issues_cluster k ON k.n = i.cluster WHERE c.org IS DISTINCT FROM i.org "
	  "OR k.org IS DISTINCT FROM i.org UNION ALL "
	  "SELECT 'attribute ' || x.name || ' of a conversation of ' || x.org FROM conversation_attribute x "
	  "JOIN conversation c ON c.n = x.conversation WHERE c.org <> x.org" },
	{ "translations count their pages, and the texts of translated pages exist",
	  "SELECT 'translation ' || t.id FROM translation t WHERE t.pages <> "
	  "(SELECT count(*) FROM translation_page p WHERE p.translation = t.id) UNION ALL "
	  "SELECT 'page ' || p.page || ' of translation ' || t.id FROM translation_page p "
	  "JOIN translation t ON t.id = p.translation JOIN space s ON s.id = t.result "
	  "WHERE length(p.body) > 0 AND NOT EXISTS (SELECT 1 FROM blob b WHERE b.hash = p.body)" },
	{ "the last revision of a translation is in the space of its result",
	  "SELECT 'translation ' || t.id FROM translation t JOIN space s ON s.id = t.result "
	  "WHERE t.revision IS NOT NULL AND NOT EXISTS (SELECT 1 FROM revision r JOIN branch b ON b.id = r.branch "
	  "WHERE r.id = t.revision AND b.space = t.result)" },
	{ "OpenAPI specifications have the versions that they count, and the newest of them",
	  "SELECT 'specification ' || s.id FROM openapi_spec s WHERE s.versions <> "
	  "(SELECT count(*) FROM openapi_version v WHERE v.spec = s.id AND v.shown = 1) OR s.latest IS DISTINCT FROM "
	  "(SELECT v.id FROM openapi_version v WHERE v.spec = s.id AND v.shown = 1 ORDER BY v.no DESC LIMIT 1)" },
	{ "operations, pages and documents of OpenAPI versions belong together",
	  "SELECT 'page ' || u.page || ' of version ' || u.version FROM openapi_page_operation u WHERE NOT EXISTS "
	  "(SELECT 1 FROM openapi_page p WHERE p.version = u.version AND p.no = u.page) OR NOT EXISTS "
	  "(SELECT 1 FROM openapi_operation o WHERE o.version = u.version AND o.no = u.operation) UNION ALL "
	  "SELECT 'version ' || v.id FROM openapi_version v WHERE v.shown = 1 AND NOT EXISTS "
	  "(SELECT 1 FROM openapi_file f WHERE f.version = v.id AND f.no = 0)" },
	{ "documents of OpenAPI versions can be read",
	  "SELECT 'document ' || no || ' of version ' || version, data, size FROM openapi_file WHERE size IS NOT NULL UNION ALL "
	  "SELECT 'document ' || no || ' of version ' || version, parsed, parsed_size FROM openapi_file WHERE parsed IS NOT NULL" },
	{ "site spaces repeat the visibility of their site",
	  "SELECT 'site space ' || x.id FROM site_space x JOIN site t ON t.id = x.site LEFT JOIN site_section c ON c.id = x.section "
	  "WHERE x.shown_at IS DISTINCT FROM t.published_at OR x.shown <> CASE WHEN t.published_at IS NULL OR x.draft = 1 "
	  "OR c.concealed = 1 THEN 0 WHEN t.visibility = 'public' THEN 4 WHEN t.visibility = 'unlisted' THEN 3 "
	  "WHEN t.visibility = 'share-link' THEN 2 ELSE 1 END" },
	{ "sections are marked as concealed if they or their group are drafts",
	  "SELECT 'section ' || c.id FROM site_section c WHERE c.concealed <> CASE WHEN c.draft = 1 OR c.section_group IN "
	  "(SELECT g.id FROM site_draft_group g WHERE g.site = c.site) THEN 1 ELSE 0 END" },
	{ "the database file is not damaged", "SELECT integrity_check FROM pragma_integrity_check WHERE integrity_check <> 'ok'",
	  CHECK_DATABASE, true },
	{ "foreign keys name rows that exist",
	  "SELECT \"table\" || ' row ' || COALESCE(rowid, '?') || ' -> ' || parent FROM pragma_foreign_key_check",   /* style: SQLite only, as its own check is */
	  CHECK_DATABASE, true },
};

enum { INVARIANTS = sizeof(invariants) / sizeof(invariants[0]) };

struct breach_context {
	void        (*breach)(void *, const char *);
	void         *ctx;
	struct arena *scratch;   /* emptied for each row */
};

/* True if the packed bytes of the row (column 1) unpack to the size in column 2. */
static bool
bytes_unpack(struct stmt *q, struct arena *scratch)
{
	struct str out;

	arena_reset(scratch);
	return !col_null(q, 1) && unpack(scratch, col_bytes(q, 1), (size_t)col_int(q, 2), &out);
}

static void
report_row(void *ctx, struct stmt *q)
{
	struct breach_context *r = ctx;

	if (col_count(q) == 1 || !bytes_unpack(q, r->scratch))
		r->breach(r->ctx, col_text(q, 0));
}

size_t
check_count(void)
{
	return INVARIANTS;
}

const char *
check_name(size_t i)
{
	return invariants[i].name;
}

enum check_remedy
check_remedy(size_t i)
{
	return invariants[i].remedy;
}

/*
 * A space that is being removed (jobs/purge.h) loses its rows in several transactions. The rows
 * left in between violate invariants although the database is intact. So these queries, which the
 * statements above read instead of the tables, hide them. %s qualifies the tables.
 */
#define OF_SPACES "WHERE space IN (SELECT id FROM space)"
#define VISIBLE(name, which) #name " AS NOT MATERIALIZED (SELECT * FROM %s." #name " " which ")"
static const char visible[] =
    VISIBLE(space, "WHERE deleted_at IS DISTINCT FROM " SPACE_TAKEN) ", " VISIBLE(branch, OF_SPACES) ", "
    VISIBLE(change_request, OF_SPACES) ", " VISIBLE(comment, OF_SPACES) ", "
    VISIBLE(access_grant, "WHERE space IS NULL OR space IN (SELECT id FROM space)") ", "
    VISIBLE(revision, "WHERE branch IN (SELECT id FROM branch)");

/* The statement, with the queries that hide spaces before it. */
static const char *
without_taken(struct db *db, struct arena *a, const char *sql)
{
	static const char with[] = "WITH RECURSIVE ";
	const char *n = db_qualifier(db), *views = arena_printf(a, visible, n, n, n, n, n, n);

	if (str_starts(str_of(sql), with))
		return arena_printf(a, "%s%s, %s", with, views, sql + sizeof(with) - 1);
	return arena_printf(a, "%s%s %s", with, views, sql);
}

static void
note_row(void *ctx, struct stmt *q)
{
	(void)q;
	*(bool *)ctx = true;
}

bool
check_one(struct db *db, struct arena *a, size_t i, void (*breach)(void *, const char *), void *ctx,
    const char **error)
{
	struct breach_context r = { breach, ctx, NULL };
	const char *sql = invariants[i].sql;
	bool taken = false, ok;

	if (invariants[i].of_file && !db_has_file(db))
		return true;
	if (!db_each(db, a, "SELECT 1 FROM space WHERE deleted_at = " SPACE_TAKEN, note_row, &taken, error))
		return false;
	r.scratch = arena_new((size_t)2 << 30);
	ok = db_each(db, a, taken ? without_taken(db, a, sql) : sql, report_row, &r, error);
	arena_free(r.scratch);
	return ok;
}
