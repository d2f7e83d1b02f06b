/*
 * Clusters: groups of issues with the same meaning. Tables issues_cluster, cluster_week and
 * cluster_source, which the room conversations writes. Octavo has no tasks for clusters, so the
 * counts of tasks that clients expect are 0.
 *
 * The list's filter `status`: a cluster is pending while it has no change request (an archived one
 * does not count), and analysing while it has a draft or an open one. A cluster with a merged
 * request is neither.
 */
#include "api/access.h"
#include "api/clusters.h"
#include "api/examples.h"
#include "api/lists.h"
#include "conversations/storage.h"
#include "http/req.h"

/*
 * The past three months; clients expect exactly this many numbers (docs/design/jobs.md,
 * "Conversations").
 */
enum { WEEKS = 13 };

/* A week without issues has no row: the caller fills the array with zeros before. */
SQL(q_weeks, "SELECT week, issues FROM cluster_week WHERE cluster = :n AND week BETWEEN :from AND :to");
SQL(q_sources, "SELECT source, issues FROM cluster_source WHERE cluster = :n ORDER BY source");

/* Issues per ISO week of their conversation, the current week last. */
static void
emit_pulse(struct json *j, const struct field *f, const struct row *w)
{
	struct stmt *q = db_use(w->r->db, &q_weeks);
	int64_t weeks[WEEKS] = { 0 }, to = week_of(time_now()), week;
	int i;

	bind_int(q, ":n", row_int(w, "n"));
	bind_int(q, ":from", to - WEEKS + 1);
	bind_int(q, ":to", to);
	while (stmt_step(q)) {
		/* BETWEEN keeps the index within the array. */
		week = col_int(q, 0) - to + WEEKS - 1;
		weeks[week] = col_int(q, 1);
	}
	json_karr(j, f->name);
	for (i = 0; i < WEEKS; i++)
		json_int(j, weeks[i]);
	json_end(j);
}

/* Sources in alphabetical order, so that equal answers have equal ETags. */
static void
emit_sources(struct json *j, const struct field *f, const struct row *w)
{
	struct stmt *q = db_use(w->r->db, &q_sources);

	bind_int(q, ":n", row_int(w, "n"));
	json_kobj(j, f->name);
	while (stmt_step(q))
		json_kint(j, col_text(q, 0), col_int(q, 1));
	json_end(j);
}

/*
 * The columns issues and conversations are counters that the room conversations updates, so nothing
 * is counted here.
 */
static void
emit_stats(struct json *j, const struct field *f, const struct row *w)
{
	json_kobj(j, f->name);
	json_kint(j, "issues", row_int(w, "issues"));
	json_kint(j, "conversations", row_int(w, "conversations"));
	json_kint(j, "tasksTotal", 0);
	json_kint(j, "tasksBacklog", 0);
	json_kint(j, "tasksStarted", 0);
	json_kint(j, "tasksCompleted", 0);
	json_kint(j, "tasksCancelled", 0);
	json_end(j);
}

/* The icon of a question or a problem, by its label. */
static void
emit_icon(struct json *j, const struct field *f, const struct row *w)
{
	json_kstr(j, f->name, strchr(row_text(w, "label"), '?') != NULL ? "circle-question" : "triangle-exclamation");
}

/*
 * The tasks* members are only in the published client's description; answers have the members of
 * both descriptions (docs/design/requests.md, "Two descriptions").
 */
static const struct shape ClusterStats = { "ConversationsIssuesClusterStats", (const struct field[]){
	{ "issues", T_INT, F_REQ, .doc = "Its issues", .example = "12" },
	{ "conversations", T_INT, F_REQ, .doc = "Conversations that the issues are from", .example = "11" },
	{ "tasksTotal", T_INT, F_REQ, .doc = "Always 0", .example = "0" },
	{ "tasksBacklog", T_INT, F_REQ, .doc = "Always 0", .example = "0" },
	{ "tasksStarted", T_INT, F_REQ, .doc = "Always 0", .example = "0" },
	{ "tasksCompleted", T_INT, F_REQ, .doc = "Always 0", .example = "0" },
	{ "tasksCancelled", T_INT, F_REQ, .doc = "Always 0", .example = "0" },
	{ 0 } } };
#define EXAMPLE_ADDRESS "https://docs.example.com/v1/orgs/k3VtR8wYxNq5LzHb2McJ/conversations-clusters/" EXAMPLE_CLUSTER
static const struct shape ClusterUrls = { "ConversationsIssuesClusterUrls", (const struct field[]){
	{ "location", T_TEXT, F_REQ, .url = "/v1/orgs/{:org}/conversations-clusters/{id}", .doc = "Address of the cluster", .example = EXAMPLE_ADDRESS },
	{ "app", T_TEXT, F_REQ, .url = "/v1/orgs/{:org}/conversations-clusters/{id}", .app = "/app/orgs/{:org}/topics/{id}",
	  .doc = "Page of the application; the address in this API where OCTAVO_APP=0", .example = EXAMPLE_APP "/orgs/" EXAMPLE_ORG "/topics/" EXAMPLE_CLUSTER },
	{ 0 } } };
/* The type of the items of weeklyPulse and sources. */
static const struct field a_number = { "", T_INT, .doc = "Issues", .example = "3" };
const struct shape IssuesCluster = { "ConversationsIssuesCluster", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "issues-cluster", .doc = "Kind of object" },
	{ "id", T_TEXT, F_REQ, .doc = "Id of the cluster", .example = EXAMPLE_CLUSTER },
	{ "label", T_TEXT, F_REQ, .doc = "Title of its most typical issue", .example = "How can I reset my password?" },
	{ "createdAt", T_TIME, F_REQ, .col = "created_at", .doc = "When it was created" },
	{ "updatedAt", T_TIME, F_REQ, .col = "updated_at", .doc = "When an issue was last added or removed" },
	{ "icon", T_TEXT, F_REQ, .max = 50, .emit = emit_icon, .doc = "Name of an icon", .example = "circle-question" },
	{ "summary", T_TEXT, F_REQ, .doc = "Summary of its most typical issue",
	  .example = "I forgot my password and no mail arrives. How can I reset it?" },
	{ "weeklyPulse", T_LIST, F_REQ, .item = &a_number, .min = WEEKS, .max = WEEKS, .emit = emit_pulse,
	  .doc = "Issues in each of the last 13 ISO weeks (UTC), the current one last",
	  .example = "[0,0,1,0,2,0,0,3,1,0,2,2,1]" },
	{ "sources", T_MAP, F_REQ, .item = &a_number, .emit = emit_sources, .doc = "Issues from each source",
	  .example = "{\"integration:api:" EXAMPLE_TOKEN "\":12}" },
	{ "stats", T_OBJECT, F_REQ, .of = &ClusterStats, .emit = emit_stats, .doc = "Its counts" },
	{ "urls", T_OBJECT, F_REQ, .of = &ClusterUrls, .join = "", .doc = "Its addresses" },
	{ 0 } } };
LIST_SHAPE(IssuesClusterList, IssuesCluster);
const struct shape IssuesClusterQuery = { "ConversationsIssuesClusterQuery", (const struct field[]){
	PAGING,
	{ "order", T_ENUM, .set = "asc,desc", .preset = "\"desc\"", .doc = "Order: asc or desc" },
	{ "orderBy", T_ENUM, .set = "updatedAt,issues,conversations,tasksTotal,tasksBacklog,tasksStarted",
	  .preset = "\"updatedAt\"", .doc = "What to sort by" },
	{ "status", T_ENUM, .set = "pending,analysing",
	  .doc = "pending: no change request answers it, except archived ones; analysing: a draft or open change request answers it" },
	{ 0 } } };

#define CLUSTER_COLS \
	"c.n, c.id, c.label, c.summary, c.created_at, c.updated_at, c.issues, c.conversations"
/* :status NULL: all. Uses the partial index change_request_cluster. */
#define IN_STATUS \
	"(CAST(:status AS TEXT) IS NULL OR CASE WHEN :status = 'pending' " \
	"THEN NOT EXISTS (SELECT 1 FROM change_request cr WHERE cr.cluster = c.id AND cr.status <> 'archived') " \
	"ELSE EXISTS (SELECT 1 FROM change_request cr WHERE cr.cluster = c.id AND cr.status IN ('draft', 'open')) END) "
/*
 * ORDER BY takes no parameter, so each order and direction has its own statement, and its own index
 * (schema 0018). c.n makes the key unique.
 */
#define CLUSTERS(column, compare, direction) \
	"SELECT " CLUSTER_COLS ", " column " AS k1, c.n AS k2 FROM issues_cluster c WHERE c.org = :org AND " IN_STATUS \
	"AND (CAST(:k1 AS TEXT) IS NULL OR (" column ", c.n) " compare " (CAST(:k1 AS BIGINT), CAST(:k2 AS BIGINT))) " \
	"ORDER BY " column " " direction ", c.n " direction " LIMIT :limit"

SQL(q_by_update, CLUSTERS("c.updated_at", "<", "DESC"));
SQL(q_by_update_up, CLUSTERS("c.updated_at", ">", "ASC"));
SQL(q_by_issues, CLUSTERS("c.issues", "<", "DESC"));
SQL(q_by_issues_up, CLUSTERS("c.issues", ">", "ASC"));
SQL(q_by_conversations, CLUSTERS("c.conversations", "<", "DESC"));
SQL(q_by_conversations_up, CLUSTERS("c.conversations", ">", "ASC"));
/*
 * A counter that the room conversations updates. An organization without conversations has no row,
 * and so the count 0.
 */
SQL(q_count, "SELECT clusters FROM conversation_state WHERE org = :org");
SQL(q_count_status, "SELECT count(*) FROM issues_cluster c WHERE c.org = :org AND " IN_STATUS);
SQL(q_cluster, "SELECT " CLUSTER_COLS " FROM issues_cluster c WHERE c.org = :org AND c.id = :id");

/*
 * The statement for the query's order. All counts of tasks are 0, so ordering by tasks means
 * ordering by the last change.
 */
static const struct sql *
choose_statement(struct req *r)
{
	/* The shape refuses other values and sets the defaults. */
	const char *by = query_text(r, "orderBy"), *order = query_text(r, "order");
	bool up = order != NULL && strcmp(order, "asc") == 0;

	if (by != NULL && strcmp(by, "issues") == 0)
		return up ? &q_by_issues_up : &q_by_issues;
	if (by != NULL && strcmp(by, "conversations") == 0)
		return up ? &q_by_conversations_up : &q_by_conversations;
	return up ? &q_by_update_up : &q_by_update;
}

/* GET /orgs/{organizationId}/conversations-clusters */
HANDLER(listConversationsIssuesClusters)
{
	const char *status = query_text(r, "status");
	struct stmt *q;
	struct list l;
	int64_t count;

	if (list_open(r, &l, 2) != 0)
		return -1;
	q = db_use(r->db, status == NULL ? &q_count : &q_count_status);
	bind_text(q, ":org", r->org.id);
	/* q_count has no :status, and binding an unknown parameter is a panic (db.h). */
	if (status != NULL)
		bind_text(q, ":status", status);
	count = stmt_int(q, 0);
	/* Here :status always exists; NULL means all. */
	q = db_use(r->db, choose_statement(r));
	bind_text(q, ":org", r->org.id);
	bind_text(q, ":status", status);
	list_bind(q, &l);
	return list_reply(r, &l, q, &IssuesCluster, count);
}

/* GET /orgs/{organizationId}/conversations-clusters/{clusterId} */
HANDLER(getConversationsIssuesCluster)
{
	struct stmt *q = db_use(r->db, &q_cluster);

	bind_text(q, ":org", r->org.id);
	bind_text(q, ":id", path_id(r, "clusterId"));
	return reply_row(r, q, &IssuesCluster);
}

int
cluster_or_fail(struct req *r, const char *org, const char *id)
{
	struct stmt *q = db_use(r->db, &q_cluster);

	bind_text(q, ":org", org);
	bind_text(q, ":id", id);
	/*
	 * Requires the role create, as the routes of clusters do. Callers with a lower role get
	 * 404, so that the author of a change request does not learn that a cluster exists.
	 */
	if (org_role(r, org) < ROLE_CREATE || !stmt_step(q))
		return fail(r, E_NOT_FOUND, "no cluster %s", id);
	return 0;
}
