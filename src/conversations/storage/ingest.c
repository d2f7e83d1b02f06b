/* Stores conversations with their attributes, and queues the job that analyses them. */
#include <cjson/cJSON.h>

#include "base/json.h"
#include "conversations/storage.h"

enum { WEEK_MS = 604800000 };

SQL(q_known, "SELECT n, source, created_at FROM conversation WHERE org = :org AND id = :id");
SQL(q_make,
    "INSERT INTO conversation (org, id, source, subject, url, created_at, ingested_at, parts, attributes) "
    "VALUES (:org, :id, :source, :subject, :url, :created_at, :now, :parts, :attributes) RETURNING n");
/*
 * processed_at NULL makes it wait again. version marks the text as changed: an analysis of the old
 * text that is running is discarded (analysis_job.c: is_unchanged()).
 */
SQL(q_replace,
    "UPDATE conversation SET subject = :subject, url = :url, created_at = :created_at, ingested_at = :now, "
    "processed_at = NULL, version = version + 1, parts = :parts, attributes = :attributes WHERE n = :n RETURNING n");
/* The organization's row is created with its first conversation. */
SQL(q_state,
    "INSERT INTO conversation_state (org, conversations) VALUES (:org, 1) "
    "ON CONFLICT (org) DO UPDATE SET conversations = conversation_state.conversations + 1");
SQL(q_attributes_drop, "DELETE FROM conversation_attribute WHERE conversation = :n");
SQL(q_attribute,
    "INSERT INTO conversation_attribute (org, name, value, conversation) VALUES (:org, :name, :value, :n)");
/* Only jobs that have not started count (see conversations_wake()). */
SQL(q_queued, "SELECT count(*) FROM job WHERE org = :org AND kind = 'conversations' AND state = 'queued'");

int64_t
week_of(int64_t ms)
{
	/*
	 * 1 January 1970 was a Thursday, three days after the start of its week. Division in C
	 * rounds towards zero.
	 */
	int64_t at = ms + 3 * DAY_MS;

	return at / WEEK_MS - (at % WEEK_MS < 0);
}

/*
 * Replaces all attributes, so that the conversation is no longer found by old ones. The values are
 * strings, which the caller has checked.
 */
static void
put_attributes(struct db *db, const char *org, int64_t n, const cJSON *attributes)
{
	struct stmt *q = db_use(db, &q_attributes_drop);
	const cJSON *v;

	bind_int(q, ":n", n);
	stmt_run(q);
	cJSON_ArrayForEach(v, attributes) {
		q = db_use(db, &q_attribute);
		bind_text(q, ":org", org);
		bind_text(q, ":name", v->string);
		bind_text(q, ":value", v->valuestring);
		bind_int(q, ":n", n);
		stmt_run(q);
	}
}

/*
 * Inserts (known 0) or replaces a conversation; returns the row's number. The source never changes:
 * it names the integration to which the conversation belongs.
 */
static int64_t
put_row(struct db *db, const char *org, const struct conversation_in *c, int64_t known, int64_t created_at)
{
	struct stmt *q = db_use(db, known == 0 ? &q_make : &q_replace);

	if (known == 0) {
		bind_text(q, ":org", org);
		bind_text(q, ":id", c->id);
		bind_text(q, ":source", c->source);
	} else {
		bind_int(q, ":n", known);
	}
	bind_text(q, ":subject", c->subject);
	bind_text(q, ":url", c->url);
	bind_int(q, ":created_at", created_at);
	bind_int(q, ":now", time_now());
	bind_text(q, ":parts", cJSON_PrintUnformatted(c->parts));
	bind_text(q, ":attributes", c->attributes == NULL ? "{}" : cJSON_PrintUnformatted(c->attributes));
	return stmt_int(q, 0);
}

/* Nothing is analysed here, so the request is answered as soon as the rows are written. */
bool
conversation_put(struct db *db, struct arena *a, const char *org, const struct conversation_in *c)
{
	struct stmt *q = db_use(db, &q_known);
	int64_t known = 0, created_at = c->created_at, n;

	(void)a;
	bind_text(q, ":org", org);
	bind_text(q, ":id", c->id);
	if (stmt_step(q)) {
		/*
		 * The same id from another source is a conflict (docs/design/jobs.md, "Conversations").
		 * Without this an integration could overwrite the conversations of another one.
		 */
		if (strcmp(col_text(q, 1), c->source) != 0)
			return false;
		known = col_int(q, 0);
		created_at = created_at != 0 ? created_at : col_int(q, 2);
	} else {
		q = db_use(db, &q_state);
		bind_text(q, ":org", org);
		stmt_run(q);
	}
	n = put_row(db, org, c, known, created_at != 0 ? created_at : time_now());
	/* The attributes are added after the row, because they refer to it. */
	put_attributes(db, org, n, c->attributes);
	return true;
}

void
conversations_wake(struct db *db, struct arena *a, const char *org, const char *user)
{
	struct stmt *q = db_use(db, &q_queued);

	bind_text(q, ":org", org);
	/*
	 * A job that runs may have read the last waiting conversation already, so another one is
	 * queued.
	 */
	if (stmt_int(q, 0) == 0)
		job_add(db, a, &(struct job){ .kind = "conversations", .org = org, .user = user, .args = "{}",
		    .queue = arena_printf(a, "conversations:%s", org) }, 0);
}
