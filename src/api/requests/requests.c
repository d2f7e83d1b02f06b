/*
 * Change requests. Tables change_request, requested_reviewer, review, request_undo, node (read here for the filters).
 * Their content: request_content.c; reviews: reviews.c; merge rules: merge_rules_unmet.c.
 *
 * A request is found by its id or by its number in the space (request_ref.c). PATCH switches
 * between draft, open and archived in any order; only a merge sets merged, which is final.
 * `outdated` is computed: main has a newer revision than the base of the request's branch.
 */
#include <cjson/cJSON.h>

#include "api/access_rules.h"
#include "api/clusters.h"
#include "api/document_shapes.h"
#include "api/examples.h"
#include "api/lists.h"
#include "api/members.h"
#include "api/refusals.h"
#include "api/request_content.h"
#include "api/request_ref.h"
#include "api/request_row.h"
#include "api/requests.h"
#include "api/users.h"
#include "app/roles.h"
#include "http/req.h"
#include "propagate/start_translations.h"
#include "merge/request_record.h"

LIST_SHAPE(ChangeRequestList, ChangeRequest);

#define FILTER_FIELDS \
	PAGING, \
	{ "status", T_ENUM, .set = "draft,open,archived,merged", .doc = "Absent: with any value" }, \
	{ "creator", T_TEXT, .max = 100, .doc = "Only change requests that this user opened", \
	  .example = EXAMPLE_USER }, \
	{ "contributor", T_TEXT, .max = 100, .doc = "Only change requests that this user edited or commented on", \
	  .example = EXAMPLE_USER }, \
	{ "requestedReviewer", T_TEXT, .max = 100, .doc = "Only change requests that this user is asked to review", \
	  .example = EXAMPLE_USER }, \
	{ "conversationsIssuesCluster", T_TEXT, .max = 100, .doc = "Only change requests about this cluster", \
	  .example = "g5HwN8tKxLq3VzRb6McJ" }, \
	{ "styleguideRun", T_TEXT, .max = 100, .doc = "Only change requests of this check against a style guide", \
	  .example = EXAMPLE_STYLEGUIDE_RUN }, \
	{ "orderBy", T_ENUM, .set = "updatedAt,createdAt", .doc = "Time to sort by, newest first; absent: createdAt" }
const struct shape ChangeRequestQuery = { "ChangeRequestQuery", (const struct field[]){
	FILTER_FIELDS,
	{ "changesPage", T_TEXT, .max = 100, .doc = "Only drafts and open change requests in which this page differs from the primary "
	  "content; highest number first", .example = EXAMPLE_PAGE },
	{ "undoes", T_TEXT, .max = 100, .doc = "Only change requests in which this revision of the primary content was undone; highest "
	  "number first", .example = EXAMPLE_REVISION },
	{ 0 } } };
const struct shape ChangeRequestsQuery = { "ChangeRequestsQuery", (const struct field[]){
	FILTER_FIELDS,
	{ "space", T_TEXT, .max = 100, .doc = "Only change requests of this space", .example = EXAMPLE_SPACE },
	{ 0 } } };

/* SHAPE_OPEN: unknown members are ignored here (docs/design/requests.md, "Unknown members"). */
const struct shape ChangeRequestCreate = { "CreateChangeRequest", (const struct field[]){
	{ "subject", T_TEXT, .max = 100, .doc = "Subject", .example = "Explain the first steps" },
	{ "template", T_OBJECT, .of = &TemplateUse, .doc = "Template whose pages it contains at first" },
	{ "conversationsIssuesCluster", T_TEXT, .max = 100, .doc = "The cluster of issues that it answers",
	  .example = EXAMPLE_CLUSTER },
	{ 0 } }, .flags = SHAPE_OPEN };

/*
 * `merged` is not allowed as a status here: only a merge sets it (docs/design/merging.md, "Merge of
 * a change request").
 */
const struct shape ChangeRequestEdit = { "UpdateChangeRequest", (const struct field[]){
	{ "subject", T_TEXT, .max = 100, .doc = "Subject", .example = "Explain the first steps" },
	{ "description", T_OBJECT, .of = &JSONDocument, .doc = "Longer explanation" },
	{ "status", T_ENUM, .set = "draft,open,archived", .doc = "New status" },
	{ 0 } } };

static const struct shape ChangeRequestUserContributor = { "ChangeRequestUserContributor",
	(const struct field[]){
	{ "updatedAt", T_TIME, F_REQ, .col = "at", .doc = "Time of the last such action" },
	{ "count", T_INT, F_REQ, .col = "n", .doc = "Number of such actions", .example = "3" },
	{ "user", T_OBJECT, F_REQ, .of = &User, .join = "u_", .doc = "The user" },
	{ "actionType", T_ENUM, F_REQ, .set = "edit,comment", .col = "action", .doc = "Kind of the actions that are counted" },
	{ 0 } } };
LIST_SHAPE(ContributorList, ChangeRequestUserContributor);

/*
 * An absent filter is NULL and matches everything. The first revision of a branch (seq 0) does not
 * count as a contribution.
 */
#define REQUEST_FILTERS \
	"(CAST(:status AS TEXT) IS NULL OR cr.status = :status) " \
	"AND (CAST(:creator AS TEXT) IS NULL OR cr.created_by = :creator) " \
	"AND (CAST(:cluster AS TEXT) IS NULL OR cr.cluster = :cluster) " \
	"AND (CAST(:run AS TEXT) IS NULL OR cr.styleguide_run = :run) " \
	"AND (CAST(:in_space AS TEXT) IS NULL OR cr.space = :in_space) " \
	"AND (CAST(:reviewer AS TEXT) IS NULL OR EXISTS (SELECT 1 FROM requested_reviewer rq " \
	"WHERE rq.request = cr.id AND rq.account = :reviewer)) " \
	"AND (CAST(:contributor AS TEXT) IS NULL OR EXISTS (SELECT 1 FROM revision w " \
	"WHERE w.branch = cr.branch AND w.author = :contributor AND w.seq > 0 AND w.kind = 'edits') " \
	"OR EXISTS (SELECT 1 FROM comment c WHERE c.scope = cr.id AND c.author = :contributor) " \
	"OR EXISTS (SELECT 1 FROM comment c JOIN comment_reply cy ON cy.comment = c.id " \
	"WHERE c.scope = cr.id AND cy.author = :contributor)) "
/* The spaces of :org that the caller may read and that have requests. */
#define IN_READABLE \
	WITH_PLACES ", readable (id, requests) AS MATERIALIZED (SELECT s.id, s.requests FROM space s " \
	"LEFT JOIN place p ON p.id = s.parent WHERE s.org = :org AND s.deleted_at IS NULL " \
	"AND s.requests > 0 AND " LISTED_ROLE " >= " SQL_ROLE_READ ")"
#define FOUND_THERE "FROM readable e JOIN change_request cr ON cr.space = e.id WHERE " REQUEST_FILTERS

/*
 * The key is the number alone: it is unique in a space and the order of the list
 * (docs/design/requests.md, "Order of lists").
 */
#define BY_NUMBER(condition) \
    "SELECT " REQUEST_COLS ", cr.number AS k1 FROM " REQUEST_FROM " WHERE " condition " AND " \
    REQUEST_FILTERS "AND (CAST(:k1 AS TEXT) IS NULL OR cr.number < CAST(:k1 AS BIGINT)) " \
    "ORDER BY cr.number DESC LIMIT :limit"
#define COUNTED(from, condition) "SELECT count(*) FROM change_request cr " from "WHERE " condition " AND " REQUEST_FILTERS
#define IN_SPACE "cr.space = :space"
/*
 * These two conditions have indexes of their own (schema/0092_undone.sql), because pages ask for them each time. The
 * request has a row of a page that it changes, or deletes (include/store/content.h).
 */
#define CHANGES_PAGE \
	"cr.space = :space AND cr.status IN ('draft', 'open') AND EXISTS (SELECT 1 FROM node n WHERE n.branch = cr.branch " \
	"AND n.id = :changes AND +n.since <= b.head AND +n.until > b.head)"
/* The concatenation hides the index of all change requests of the space from SQLite, which prefers it. */
#define UNDOES "cr.space || '' = :space AND cr.id IN (SELECT u.request FROM request_undo u WHERE u.revision = :undoes)"
SQL(q_requests, BY_NUMBER(IN_SPACE));
SQL(q_changing, BY_NUMBER(CHANGES_PAGE));
SQL(q_changing_count, COUNTED("JOIN branch b ON b.id = cr.branch ", CHANGES_PAGE));
SQL(q_undoing, BY_NUMBER(UNDOES) " /*scan*/");
SQL(q_undoing_count, COUNTED("", UNDOES));
/* Ordered by the last change, and requests of the same millisecond by number. */
SQL(q_requests_updated,
    "SELECT " REQUEST_COLS ", cr.updated_at AS k1, cr.number AS k2 FROM " REQUEST_FROM " WHERE cr.space = :space AND "
    REQUEST_FILTERS "AND (CAST(:k1 AS TEXT) IS NULL OR (cr.updated_at, cr.number) < (CAST(:k1 AS BIGINT), CAST(:k2 AS BIGINT))) "
    "ORDER BY cr.updated_at DESC, cr.number DESC LIMIT :limit");
SQL(q_requests_count, COUNTED("", IN_SPACE));
/*
 * Newest first (docs/design/requests.md, "Order of lists"); requests of one millisecond by number,
 * highest first. `found` contains the ids of this page of the list: only their rows are joined with
 * branches, revisions and accounts.
 */
#define NEWEST_BY(at) \
    IN_READABLE ", found (id) AS (SELECT cr.id " FOUND_THERE \
    "AND (CAST(:k1 AS TEXT) IS NULL OR (cr." at ", cr.number, cr.id) < " \
    "(CAST(:k1 AS BIGINT), CAST(:k2 AS BIGINT), :k3)) " \
    "ORDER BY cr." at " DESC, cr.number DESC, cr.id DESC LIMIT :limit) " \
    "SELECT " REQUEST_COLS ", cr." at " AS k1, cr.number AS k2, cr.id AS k3 FROM found CROSS JOIN " REQUEST_FROM \
    " WHERE cr.id = found.id ORDER BY cr." at " DESC, cr.number DESC, cr.id DESC /*scan*/"
SQL(q_org_requests, NEWEST_BY("created_at"));
SQL(q_org_requests_updated, NEWEST_BY("updated_at"));
/*
 * The counter `requests` of space is exact at every commit (merge/request_record.h), so that
 * counting the list without filters reads no request.
 */
SQL(q_org_requests_all, IN_READABLE "SELECT COALESCE(sum(requests), 0) FROM readable /*scan*/");
SQL(q_org_requests_count, IN_READABLE "SELECT count(*) " FOUND_THERE "/*scan*/");
/*
 * Sets the cluster of a new request. It is a statement of its own, since request_make() also serves
 * imports, which have no cluster.
 */
SQL(q_set_cluster, "UPDATE change_request SET cluster = :cluster WHERE id = :id");
/* Edits and comments of a change request: one row per user and kind of action. */
#define WITH_PEOPLE \
	"WITH work (account, action, at) AS (" \
	"SELECT author, 'edit', created_at FROM revision WHERE branch = :branch " \
	"AND author IS NOT NULL AND seq > 0 AND kind = 'edits' UNION ALL " \
	"SELECT author, 'comment', created_at FROM comment WHERE scope = :request UNION ALL " \
	"SELECT cy.author, 'comment', cy.created_at FROM comment c " \
	"JOIN comment_reply cy ON cy.comment = c.id WHERE c.scope = :request), " \
	"people (account, action, at, n) AS (SELECT account, action, max(at), count(*) FROM work " \
	"GROUP BY account, action) "
/*
 * The contributions to one request are few. They are grouped once for the count, and again for the
 * page of the list. (A scan is intended: the comment in the statement says so to tests/unit/test_plans.c.)
 */
SQL(q_contributor_count, WITH_PEOPLE "SELECT count(*) FROM people /*scan*/");
/* The action is part of the key: a user who wrote and commented has two rows. */
SQL(q_contributors,
    WITH_PEOPLE "SELECT pe.action, pe.at, pe.n, " USER_COLS("u", "u_") ", pe.at AS k1, "
    "pe.account AS k2, pe.action AS k3 FROM people pe JOIN account u ON u.id = pe.account "
    "WHERE CAST(:k1 AS TEXT) IS NULL "
    "OR (pe.at, pe.account, pe.action) < (CAST(:k1 AS BIGINT), :k2, :k3) "
    "ORDER BY pe.at DESC, pe.account DESC, pe.action DESC LIMIT :limit /*scan*/");

static const struct { const char *parameter, *name; } filters[] = { { ":status", "status" },
	{ ":creator", "creator" }, { ":contributor", "contributor" }, { ":reviewer", "requestedReviewer" },
	{ ":cluster", "conversationsIssuesCluster" }, { ":run", "styleguideRun" },
	{ ":in_space", "space" } };
enum { FILTERS = sizeof(filters) / sizeof(filters[0]) };

/* True if the query has any of the filters. */
static bool
has_filter(struct req *r)
{
	size_t i;

	for (i = 0; i < FILTERS; i++)
		if (query_text(r, filters[i].name) != NULL)
			return true;
	return false;
}

static bool
is_by_update(struct req *r)
{
	const char *by = query_text(r, "orderBy");

	return by != NULL && strcmp(by, "updatedAt") == 0;
}

/* An absent filter binds NULL, which matches everything in REQUEST_FILTERS. */
static void
bind_filters(struct stmt *q, struct req *r)
{
	size_t i;

	for (i = 0; i < FILTERS; i++)
		bind_text(q, filters[i].parameter, query_text(r, filters[i].name));
}

/* Prepares a statement over IN_READABLE with the caller's roles. */
static struct stmt *
bind_organization(struct req *r, const struct sql *sql)
{
	struct stmt *q = db_use(r->db, sql);

	bind_caller(q, r);
	return q;
}

/*
 * Returns the number of requests: without filters the sum of the counters of the spaces, with
 * filters a count of rows.
 */
static int64_t
count_in_organization(struct req *r)
{
	struct stmt *q = bind_organization(r, has_filter(r) ? &q_org_requests_count : &q_org_requests_all);

	if (has_filter(r))
		bind_filters(q, r);
	return stmt_int(q, 0);
}

/* GET /orgs/{organizationId}/change-requests: of the spaces that the caller may read. */
HANDLER(listChangeRequestsForOrganization)
{
	const char *space = query_text(r, "space");
	struct stmt *q;
	struct list l;
	int64_t count;

	if (space != NULL && space_enter(r, space) != 0)
		return -1;
	/* The caller may see the space, but it belongs to another organization than that of the path. */
	if (space != NULL && strcmp(r->space.org, r->org.id) != 0)
		return not_found(r, "space", space);
	if (list_open(r, &l, 3) != 0)
		return -1;
	count = count_in_organization(r);
	q = bind_organization(r, is_by_update(r) ? &q_org_requests_updated : &q_org_requests);
	bind_filters(q, r);
	list_bind(q, &l);
	return list_reply(r, &l, q, &ChangeRequest, count);
}

/* The statements of a list of the change requests of a space, and the number of keys of its order. */
struct space_list {
	const struct sql *count, *page;
	const char       *parameter, *value;   /* a further one of both statements; NULL: there is none */
	int               keys;
};

/* The list that the query selects. */
static struct space_list
choose_list(struct req *r)
{
	const char *changes = query_text(r, "changesPage"), *undoes = query_text(r, "undoes");

	if (undoes != NULL)
		return (struct space_list){ &q_undoing_count, &q_undoing, ":undoes", undoes, 1 };
	if (changes != NULL)
		return (struct space_list){ &q_changing_count, &q_changing, ":changes", changes, 1 };
	if (is_by_update(r))
		return (struct space_list){ &q_requests_count, &q_requests_updated, NULL, NULL, 2 };
	return (struct space_list){ &q_requests_count, &q_requests, NULL, NULL, 1 };
}

static struct stmt *
bind_space_list(struct req *r, const struct sql *sql, const struct space_list *s)
{
	struct stmt *q = db_use(r->db, sql);

	bind_text(q, ":space", r->space.id);
	bind_filters(q, r);
	if (s->parameter != NULL)
		bind_text(q, s->parameter, s->value);
	return q;
}

/* Refuses parameters that cannot be combined. 0 or fail(). */
static int
check_combination(struct req *r)
{
	bool undoes = query_text(r, "undoes") != NULL, changes = query_text(r, "changesPage") != NULL;

	if (undoes && changes)
		return fail_field(r, "/undoes", "cannot be combined with changesPage");
	if ((undoes || changes) && is_by_update(r))
		return fail_field(r, "/orderBy", "updatedAt cannot be combined with undoes or changesPage, whose lists are by number");
	return 0;
}

/* GET /spaces/{spaceId}/change-requests */
HANDLER(listChangeRequestsForSpace)
{
	const struct space_list s = choose_list(r);
	struct stmt *q;
	struct list l;
	int64_t count;

	if (check_combination(r) != 0 || list_open(r, &l, s.keys) != 0)
		return -1;
	count = stmt_int(bind_space_list(r, s.count, &s), 0);
	q = bind_space_list(r, s.page, &s);
	list_bind(q, &l);
	return list_reply(r, &l, q, &ChangeRequest, count);
}

/* POST /spaces/{spaceId}/change-requests: creates a draft. Unknown members are ignored. */
HANDLER(createChangeRequest)
{
	const char *subject = body_text(r, "subject"), *cluster = body_text(r, "conversationsIssuesCluster");
	/* NULL without a template: cJSON's getters accept NULL. */
	const char *template = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(
	    body_get(r, "template"), "id"));
	struct stmt *q;
	char *id;

	if ((template != NULL && template_or_fail(r, template) != 0) ||
	    (cluster != NULL && cluster_or_fail(r, r->space.org, cluster) != 0))
		return -1;
	id = request_make(r->db, r->arena, r->space.id, r->space.branch, r->who.user,
	    subject != NULL ? subject : "");
	if (cluster != NULL) {
		q = db_use(r->db, &q_set_cluster);
		bind_text(q, ":cluster", cluster);
		bind_text(q, ":id", id);
		stmt_run(q);
	}
	/*
	 * request_load() sets r->request as the access check does for a path that names the
	 * request.
	 */
	if (template != NULL && (request_load(r, id) != 0 || request_from_template(r, template,
	    cJSON_GetObjectItemCaseSensitive(body_get(r, "template"), "params")) != 0))
		return -1;
	reply_created(r, arena_printf(r->arena, "/spaces/%s/change-requests/%s", r->space.id, id));
	return reply_request(r, id);
}

/* GET /spaces/{spaceId}/change-requests/{changeRequestId} */
HANDLER(getChangeRequestById)
{
	return reply_request(r, r->request.id);
}

/* PATCH /spaces/{spaceId}/change-requests/{changeRequestId} */
HANDLER(updateChangeRequestById)
{
	const char *status = body_text(r, "status");

	/*
	 * Only the status of a merged request is final: subject and description may still be
	 * corrected.
	 */
	if (status != NULL && strcmp(r->request.status, "merged") == 0)
		return fail(r, E_CONFLICT, "change request %lld is merged: its status cannot change",
		    (long long)r->request.number);
	if (request_describe(r) != 0)
		return -1;
	/*
	 * request_set_status() changes the space's counters, so call it only if the status changes.
	 */
	if (status != NULL && strcmp(status, r->request.status) != 0)
		request_set_status(r->db, r->request.id, status);
	/* A translation waits until the request is closed. */
	if (status != NULL && strcmp(status, "archived") == 0)
		translation_resume(r->db, r->arena, r->request.id);
	return reply_request(r, r->request.id);
}

/*
 * GET …/contributors: users who wrote and users who commented; a user who did both is listed twice.
 */
HANDLER(getContributorsByChangeRequestId)
{
	struct stmt *q;
	struct list l;
	int64_t count;

	if (list_open(r, &l, 3) != 0)
		return -1;
	q = db_use(r->db, &q_contributor_count);
	bind_int(q, ":branch", r->request.branch);
	bind_text(q, ":request", r->request.id);
	count = stmt_int(q, 0);
	q = db_use(r->db, &q_contributors);
	bind_int(q, ":branch", r->request.branch);
	bind_text(q, ":request", r->request.id);
	list_bind(q, &l);
	return list_reply(r, &l, q, &ChangeRequestUserContributor, count);
}
