/*
 * Support conversations, the issues found in them, and clusters of issues. This file ingests
 * conversations and reads the tables conversation, conversation_issue, issues_cluster, cluster_week
 * and cluster_source; the room conversations writes them. Clients choose the ids of conversations,
 * which may be any text, so addresses contain these ids percent-encoded.
 */
#include <cjson/cJSON.h>

#include "api/conversations.h"
#include "api/examples.h"
#include "api/lists.h"
#include "api/wake_runner.h"
#include "base/map.h"
#include "base/url.h"
#include "conversations/storage.h"
#include "http/req.h"

/* A batch is one write transaction, during which other writers wait, so its size is limited. */
enum { BATCH_MAX = 1000 };

/* ---- conversations ---- */

/*
 * True if the text is a web address, which clients may link to. Replies omit any other text: rows
 * of early releases may contain it.
 */
static bool
is_web_address(const char *url)
{
	return url != NULL && (strncmp(url, "https://", 8) == 0 || strncmp(url, "http://", 7) == 0);
}

static void
emit_source_url(struct json *j, const struct field *f, const struct row *w)
{
	if (is_web_address(row_text(w, "url")))
		json_kstr(j, f->name, row_text(w, "url"));
}

static const struct shape ConversationUrls = { "ConversationUrls", (const struct field[]){
	{ "location", T_TEXT, F_REQ, .url = "/v1/orgs/{org}/conversations/{id}", .doc = "Address of the conversation here",
	  .example = "https://docs.example.com/v1/orgs/k3VtR8wYxNq5LzHb2McJ/conversations/ticket-4711" },
	{ "source", T_TEXT, .emit = emit_source_url, .doc = "Address of the conversation at its source", .example = "https://help.example.com/4711" },
	{ 0 } } };

const struct shape Conversation = { "Conversation", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "conversation", .doc = "Kind of object" },
	{ "id", T_TEXT, F_REQ, .doc = "Id that the caller gave it", .example = EXAMPLE_CONVERSATION },
	{ "subject", T_TEXT, .doc = "Subject", .example = "Locked out" },
	{ "createdAt", T_TIME, F_REQ, .col = "created_at", .doc = "When it began, at its source" },
	{ "processedAt", T_TIME, .col = "processed_at", .doc = "When it was analysed; absent: not yet" },
	{ "source", T_TEXT, F_REQ, .doc = "integration:NAME:ID, or email", .example = "integration:api:" EXAMPLE_TOKEN },
	{ "urls", T_OBJECT, F_REQ, .of = &ConversationUrls, .join = "", .doc = "Its addresses" },
	{ 0 } } };
LIST_SHAPE(ConversationList, Conversation);

static const struct shape ConversationPart = { "ConversationPart", (const struct field[]){
	{ "type", T_CONST, F_REQ, .set = "message", .doc = "What kind of part it is" },
	{ "role", T_ENUM, F_REQ, .set = "user,assistant,team-member", .doc = "Who wrote it" },
	{ "body", T_TEXT, F_REQ, .doc = "Plain text, Markdown or HTML", .example = "How can I reset my password?" },
	{ 0 } } };
/* A map from string to string; nested values are refused (docs/design/jobs.md, "Conversations"). */
static const struct field attribute = { "", T_TEXT, .doc = "Value of the attribute", .example = "ann@example.com" };
static const struct shape ConversationMetadata = { "ConversationMetadata", (const struct field[]){
	{ "url", T_URI, F_EMPTY, .max = 2048, .doc = "Address of the conversation at its source", .example = "https://help.example.com/4711" },
	{ "attributes", T_MAP, .item = &attribute, .doc = "Further attributes, by name",
	  .example = "{\"email\":\"ann@example.com\"}" },
	{ "createdAt", T_TIME, .doc = "When it began" },
	{ 0 } } };
static const struct shape ConversationInput = { "ConversationInput", (const struct field[]){
	{ "id", T_TEXT, F_REQ, .min = 1, .max = 255, .doc = "Id that you choose", .example = EXAMPLE_CONVERSATION },
	{ "metadata", T_OBJECT, .of = &ConversationMetadata, .doc = "Origin of the conversation" },
	{ "subject", T_TEXT, .max = 512, .doc = "Subject", .example = "Locked out" },
	{ "parts", T_LIST, F_REQ, .of = &ConversationPart, .min = 1, .doc = "Its messages in their order" },
	{ 0 } } };
const struct shape ConversationIngest = { "IngestConversation", .one_or_list = &ConversationInput, .list_max = BATCH_MAX };

/* The column contains JSON that was checked when it was ingested. */
static void
emit_parts(struct json *j, const struct field *f, const struct row *w)
{
	json_key(j, f->name);
	json_raw(j, str_of(row_text(w, "parts")));
}

/* Writes the metadata; `url` only if it is a web address (is_web_address()). */
static void
emit_metadata(struct json *j, const struct field *f, const struct row *w)
{
	const char *url = row_text(w, "url");

	json_kobj(j, f->name);
	if (is_web_address(url))
		json_kstr(j, "url", url);
	json_key(j, "attributes");
	json_raw(j, str_of(row_text(w, "attributes")));
	json_key(j, "createdAt");
	json_time(j, row_int(w, "v_created_at"));
	json_end(j);
}

/* .join is the prefix of the columns of the inner object. */
const struct shape ConversationWhole = { "ConversationWithParts", (const struct field[]){
	{ "conversation", T_OBJECT, F_REQ, .of = &Conversation, .join = "v_", .doc = "The conversation" },
	{ "parts", T_LIST, F_REQ, .of = &ConversationPart, .emit = emit_parts, .doc = "Its messages in their order" },
	{ "metadata", T_OBJECT, F_REQ, .of = &ConversationMetadata, .emit = emit_metadata, .doc = "Origin of the conversation" },
	{ 0 } } };
const struct shape ConversationQuery = { "ConversationQuery", (const struct field[]){
	PAGING,
	{ "source", T_TEXT, .max = 512, .doc = "Only conversations from this source", .example = "integration:api:" EXAMPLE_TOKEN },
	{ 0 } } };

/* Columns of the Conversation shape, from conversation v. */
#define CONVERSATION_COLS(prefix) \
	"v.id AS " prefix "id, v.org AS " prefix "org, v.subject AS " prefix "subject, v.url AS " prefix "url, " \
	"v.created_at AS " prefix "created_at, v.processed_at AS " prefix "processed_at, v.source AS " prefix "source"
/* The rows after the position of the page token, newest first. */
#define NEWEST(alias) \
	"(CAST(:k1 AS TEXT) IS NULL OR (" alias ".created_at, " alias ".n) < (CAST(:k1 AS BIGINT), CAST(:k2 AS BIGINT))) " \
	"ORDER BY " alias ".created_at DESC, " alias ".n DESC LIMIT :limit"
/*
 * The page token also contains n, the number of the row, since two conversations may have started
 * in the same millisecond.
 */
#define KEYS(alias) ", " alias ".created_at AS k1, " alias ".n AS k2 "

/* Two statements, with and without the filter, so that each uses its own index (schema 0018). */
SQL(q_conversations, "SELECT " CONVERSATION_COLS("") KEYS("v") "FROM conversation v WHERE v.org = :org AND " NEWEST("v"));
SQL(q_conversations_from,
    "SELECT " CONVERSATION_COLS("") KEYS("v") "FROM conversation v WHERE v.org = :org AND v.source = :source AND "
    NEWEST("v"));
/* A counter: otherwise every page of the list would read all conversations of the organization. */
SQL(q_conversations_count, "SELECT conversations FROM conversation_state WHERE org = :org");
SQL(q_conversations_from_count, "SELECT count(*) FROM conversation WHERE org = :org AND source = :source");
SQL(q_conversation,
    "SELECT " CONVERSATION_COLS("v_") ", v.url, v.parts, v.attributes FROM conversation v "
    "WHERE v.org = :org AND v.id = :id");

/*
 * Prepares a statement and binds :org. Every statement of this file has it, so that the id of an
 * object of another organization is not found.
 */
static struct stmt *
bind_org(struct req *r, const struct sql *sql)
{
	struct stmt *q = db_use(r->db, sql);

	bind_text(q, ":org", r->org.id);
	return q;
}

/* GET /orgs/{organizationId}/conversations */
HANDLER(listConversations)
{
	const char *source = query_text(r, "source");
	struct stmt *q;
	struct list l;
	int64_t count;

	if (list_open(r, &l, 2) != 0)
		return -1;
	q = bind_org(r, source == NULL ? &q_conversations_count : &q_conversations_from_count);
	if (source != NULL)
		bind_text(q, ":source", source);
	count = stmt_int(q, 0);
	q = bind_org(r, source == NULL ? &q_conversations : &q_conversations_from);
	if (source != NULL)
		bind_text(q, ":source", source);
	list_bind(q, &l);
	return list_reply(r, &l, q, &Conversation, count);
}

/* GET /orgs/{organizationId}/conversations/{conversationId} */
HANDLER(getConversationById)
{
	struct stmt *q = bind_org(r, &q_conversation);

	bind_text(q, ":id", path_id(r, "conversationId"));
	return reply_row(r, q, &ConversationWhole);
}

/* Ingests one conversation of the body. at: its JSON pointer, for messages. 0 or fail(). */
static int
ingest_one(struct req *r, const cJSON *v, const char *source, const char *at)
{
	const cJSON *metadata = cJSON_GetObjectItemCaseSensitive(v, "metadata");
	const char *created_at = json_text_of(metadata, "createdAt");
	struct conversation_in in = { .id = json_text_of(v, "id"), .source = source, .subject = json_text_of(v, "subject"),
		.url = json_text_of(metadata, "url"), .parts = cJSON_GetObjectItemCaseSensitive(v, "parts"),
		.attributes = cJSON_GetObjectItemCaseSensitive(metadata, "attributes") };

	if (strcmp(in.id, ".") == 0 || strcmp(in.id, "..") == 0)
		return fail_field(r, at, "must not be \".\" or \"..\": clients resolve these as segments of the path (RFC 3986, 5.2.4)");
	/*
	 * created_at is 0 if the member is absent: conversation_put() then uses the present time,
	 * or keeps the stored one.
	 */
	if (created_at != NULL)
		time_parse(created_at, &in.created_at);
	if (conversation_put(r->db, r->arena, r->org.id, &in))
		return 0;
	/*
	 * Ids are unique per organization, and one source must not overwrite another's
	 * (docs/design/jobs.md, "Conversations").
	 */
	return fail(r, E_CONFLICT, "%s: the id \"%s\" is taken by a conversation from another source", at, in.id);
}

/*
 * Refuses an id that occurs twice in a batch: it is not clear which of the two to keep. 0 or
 * fail().
 */
static int
repeated_or_fail(struct req *r, const cJSON *list)
{
	/* A map instead of a nested loop: a batch has up to BATCH_MAX ids. */
	struct map *seen = map_new(r->arena);
	const cJSON *v;
	int i = 0;

	cJSON_ArrayForEach(v, list) {
		if (!map_add(seen, str_of(json_text_of(v, "id")), NULL))
			return fail_field(r, arena_printf(r->arena, "/%d/id", i), "occurs earlier in this batch, too");
		i++;
	}
	return 0;
}

/* POST /orgs/{organizationId}/conversations: one or many, all or none; a job then analyses them. */
HANDLER(ingestConversation)
{
	/*
	 * The source is named after the token and not in the body, so that no caller can write in
	 * the name of another source (docs/design/jobs.md, "Conversations").
	 */
	const char *source = arena_printf(r->arena, "integration:api:%s", r->who.token);
	const cJSON *v;
	int i = 0;

	if (cJSON_IsArray(r->body)) {
		if (repeated_or_fail(r, r->body) != 0)
			return -1;
		cJSON_ArrayForEach(v, r->body)
			if (ingest_one(r, v, source, arena_printf(r->arena, "/%d/id", i++)) != 0)
				return -1;
	} else if (ingest_one(r, r->body, source, "/id") != 0) {
		return -1;
	}
	/*
	 * One job analyses all conversations that wait. It is queued in this transaction, so that
	 * no ingested conversation is left without a job.
	 */
	conversations_wake(r->db, r->arena, r->org.id, r->who.user);
	r->after = wake_runner;
	return reply_empty(r);
}

/* ---- issues ---- */

static const struct shape IssueUrls = { "ConversationIssueUrls", (const struct field[]){
	{ "location", T_TEXT, F_REQ, .url = "/v1/orgs/{:org}/conversations-issues/{id}", .doc = "Address of the issue",
	  .example = "https://docs.example.com/v1/orgs/k3VtR8wYxNq5LzHb2McJ/conversations-issues/" EXAMPLE_ISSUE },
	{ 0 } } };

static const struct shape ConversationIssue = { "ConversationIssue", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "conversation-issue", .doc = "Kind of object" },
	{ "id", T_TEXT, F_REQ, .doc = "Id of the issue", .example = EXAMPLE_ISSUE },
	{ "title", T_TEXT, F_REQ, .doc = "A sentence of the conversation", .example = "How can I reset my password?" },
	{ "summary", T_TEXT, F_REQ, .doc = "Sentences of the conversation",
	  .example = "I forgot my password and no mail arrives. How can I reset it?" },
	{ "createdAt", T_TIME, F_REQ, .col = "created_at", .doc = "When its conversation began" },
	{ "ingestedAt", T_TIME, F_REQ, .col = "ingested_at", .doc = "When it was found" },
	{ "conversation", T_TEXT, F_REQ, .doc = "Id of its conversation", .example = EXAMPLE_CONVERSATION },
	{ "cluster", T_TEXT, .doc = "Id of its cluster", .example = EXAMPLE_CLUSTER },
	{ "urls", T_OBJECT, F_REQ, .of = &IssueUrls, .join = "", .doc = "Its address" },
	{ 0 } } };
const struct shape ConversationIssueWhole = { "IssueWithConversation", (const struct field[]){
	{ "issue", T_OBJECT, F_REQ, .of = &ConversationIssue, .join = "i_", .doc = "The issue" },
	{ "conversation", T_OBJECT, F_REQ, .of = &Conversation, .join = "v_", .doc = "The conversation that it is from" },
	{ 0 } } };
LIST_SHAPE(ConversationIssueList, ConversationIssueWhole);
/* Both filters together select the issues that match both. */
const struct shape ConversationIssueQuery = { "ConversationIssueQuery", (const struct field[]){
	PAGING,
	{ "cluster", T_TEXT, .max = 100, .doc = "Only issues of this cluster", .example = EXAMPLE_CLUSTER },
	{ "conversation", T_TEXT, .max = 255, .doc = "Only issues of this conversation", .example = EXAMPLE_CONVERSATION },
	{ 0 } } };

#define ISSUE_COLS \
	"i.id AS i_id, i.title AS i_title, i.summary AS i_summary, i.created_at AS i_created_at, " \
	"i.ingested_at AS i_ingested_at, v.id AS i_conversation, c.id AS i_cluster, " CONVERSATION_COLS("v_")
/*
 * Inner joins: an issue always has a conversation and a cluster. The tables are joined by row
 * number; answers contain ids.
 */
#define ISSUE_FROM \
	"conversation_issue i JOIN conversation v ON v.n = i.conversation JOIN issues_cluster c ON c.n = i.cluster "

SQL(q_issue, "SELECT " ISSUE_COLS " FROM " ISSUE_FROM "WHERE i.id = :id AND i.org = :org");
SQL(q_issues, "SELECT " ISSUE_COLS KEYS("i") "FROM " ISSUE_FROM "WHERE i.org = :org AND " NEWEST("i"));
/*
 * The sub-select finds the number of the cluster within the organization. It is NULL for a cluster
 * of another organization, and the statement then returns no row. The index
 * conversation_issue_cluster serves the rest.
 */
SQL(q_issues_in,
    "SELECT " ISSUE_COLS KEYS("i") "FROM " ISSUE_FROM
    "WHERE i.cluster = (SELECT n FROM issues_cluster WHERE id = :cluster AND org = :org) AND " NEWEST("i"));
/* One conversation has few issues. */
#define OF_CONVERSATION \
	"WHERE i.conversation = (SELECT n FROM conversation WHERE org = :org AND id = :conversation) " \
	"AND (CAST(:cluster AS TEXT) IS NULL OR c.id = :cluster) "
/* Sorted without an index: a conversation has at most ISSUES_MAX (conversations/analysis.h). */
SQL(q_issues_of, "SELECT " ISSUE_COLS KEYS("i") "FROM " ISSUE_FROM OF_CONVERSATION "AND " NEWEST("i") " /*scan*/");
SQL(q_issues_count, "SELECT issues FROM conversation_state WHERE org = :org");
SQL(q_issues_in_count, "SELECT issues FROM issues_cluster WHERE org = :org AND id = :cluster");
SQL(q_issues_of_count, "SELECT count(*) FROM " ISSUE_FROM OF_CONVERSATION);

/*
 * Statements of the list by its filters: 0 without a filter, 1 by cluster, 2 by conversation, with
 * or without cluster.
 */
static const struct { const struct sql *rows, *count; } issue_lists[] = {
	{ &q_issues, &q_issues_count }, { &q_issues_in, &q_issues_in_count }, { &q_issues_of, &q_issues_of_count },
};

/*
 * Binds the parameters that the statements of this list have. Binding an unknown parameter is a
 * panic (db.h).
 */
static struct stmt *
bind_filters(struct req *r, const struct sql *sql, int list)
{
	struct stmt *q = bind_org(r, sql);

	if (list > 0)
		bind_text(q, ":cluster", query_text(r, "cluster"));
	if (list > 1)
		bind_text(q, ":conversation", query_text(r, "conversation"));
	return q;
}

/* GET /orgs/{organizationId}/conversations-issues */
HANDLER(listConversationsIssues)
{
	int list = query_text(r, "conversation") != NULL ? 2 : query_text(r, "cluster") != NULL;
	struct stmt *q;
	struct list l;
	int64_t count;

	if (list_open(r, &l, 2) != 0)
		return -1;
	count = stmt_int(bind_filters(r, issue_lists[list].count, list), 0);
	q = bind_filters(r, issue_lists[list].rows, list);
	list_bind(q, &l);
	return list_reply(r, &l, q, &ConversationIssueWhole, count);
}

/* GET /orgs/{organizationId}/conversations-issues/{issueId} */
HANDLER(getConversationIssueById)
{
	struct stmt *q = bind_org(r, &q_issue);

	bind_text(q, ":id", path_id(r, "issueId"));
	return reply_row(r, q, &ConversationIssueWhole);
}
