/*
 * The revisions of a space's primary content, newest first, with author, change request and commit:
 * the space's history. ?pageId= returns only revisions in which the page's own row began or ended,
 * that is, in which the page was created, edited, moved or deleted.
 */
#include "api/examples.h"
#include "api/lists.h"
#include "api/revision_list.h"
#include "api/revisions.h"
#include "api/users.h"
#include "http/req.h"

static const struct shape MergedRequest = { "RevisionMergedRequest", (const struct field[]){
	{ "id", T_TEXT, F_REQ, .doc = "Unique id", .example = EXAMPLE_REQUEST },
	{ "number", T_INT, F_REQ, .doc = "Number in the space, from 1", .example = "7" },
	{ "subject", T_TEXT, F_REQ, .doc = "Subject", .example = "Explain the first steps" },
	{ "createdBy", T_OBJECT, F_REQ, .of = &User, .join = "by_", .doc = "Who opened it" },
	{ 0 } } };
static const struct shape RevisionEntry = { "RevisionEntry", (const struct field[]){
	{ "id", T_TEXT, F_REQ, .doc = "Unique id", .example = EXAMPLE_REVISION },
	{ "type", T_ENUM, F_REQ, .col = "kind", .set = "edits,merge,update,rollback,computed", .doc = "How the revision was made" },
	{ "createdAt", T_TIME, F_REQ, .col = "created_at", .doc = "When it was created" },
	{ "createdBy", T_OBJECT, .of = &User, .join = "by_", .doc = "User who made it; absent: no user of this installation" },
	{ "mergedFrom", T_OBJECT, .of = &MergedRequest, .join = "merged_", .doc = "The change request that was merged" },
	{ "git", T_OBJECT, .of = &GitCommit, .doc = "The commit that it was imported from or exported to" },
	{ 0 } } };
LIST_SHAPE(RevisionList, RevisionEntry);
const struct shape RevisionListQuery = { "RevisionListQuery", (const struct field[]){
	PAGING,
	{ "revision", T_TEXT, .max = 100, .doc = "Only this revision", .example = EXAMPLE_REVISION },
	{ "pageId", T_TEXT, .doc = "Only revisions that made, edited, moved or deleted this page", .example = EXAMPLE_PAGE },
	{ 0 } } };

/* An edit of a page ends its previous row, so the rows of the page name all of its revisions. */
#define OF_PAGE \
	"(CAST(:page AS TEXT) IS NULL OR r.seq IN (SELECT n.since FROM node n WHERE n.branch = :branch AND n.id = :page " \
	"UNION SELECT n.until FROM node n WHERE n.branch = :branch AND n.id = :page)) "

#define LISTED \
	"r.branch = :branch AND r.seq <= :head AND (CAST(:one AS TEXT) IS NULL OR r.id = :one) AND " OF_PAGE

SQL(q_list,
    "SELECT r.id, r.kind, r.created_at, r.seq AS k1, r.git, "
    USER_COLS("u", "by_") ", cr.id AS merged_id, cr.number AS merged_number, cr.subject AS merged_subject, "
    USER_COLS("mu", "merged_by_")
    " FROM revision r LEFT JOIN account u ON u.id = r.author LEFT JOIN revision m ON m.id = r.merged "
    "LEFT JOIN change_request cr ON cr.branch = m.branch LEFT JOIN account mu ON mu.id = cr.created_by "
    "WHERE (CAST(:k1 AS TEXT) IS NULL OR r.seq < CAST(:k1 AS BIGINT)) AND " LISTED
    "ORDER BY r.seq DESC LIMIT :limit");
SQL(q_count,
    "SELECT count(*) FROM revision r WHERE " LISTED);

static struct stmt *
bind_list(struct req *r, struct stmt *q)
{
	bind_int(q, ":branch", r->space.branch);
	bind_int(q, ":head", r->space.head);
	bind_text(q, ":one", query_text(r, "revision"));
	bind_text(q, ":page", query_text(r, "pageId"));
	return q;
}

/* GET /spaces/{spaceId}/revisions */
HANDLER(listRevisionsInSpace)
{
	struct stmt *q;
	struct list l;
	int64_t count;

	if (list_open(r, &l, 1) != 0)
		return -1;
	count = stmt_int(bind_list(r, db_use(r->db, &q_count)), 0);
	q = bind_list(r, db_use(r->db, &q_list));
	list_bind(q, &l);
	return list_reply(r, &l, q, &RevisionEntry, count);
}
