/*
 * Deletes conversations by id or by attribute, with their issues and the clusters that have no
 * other issues, in short transactions.
 */
#include "cluster_rows.h"
#include "conversations/storage.h"

/* Issues that are read at a time; more follow in the next round. */
enum { ISSUES = 16 };

SQL(q_found, "SELECT n FROM conversation WHERE org = :org AND id = :id");
/*
 * A prefix of the primary key (org, name, value, conversation). No ORDER BY is needed: the rows
 * that were found are deleted, and the next call finds others.
 */
SQL(q_by_attribute,
    "SELECT conversation FROM conversation_attribute WHERE org = :org AND name = :name AND value = :value "
    "LIMIT :max");
SQL(q_issues, "SELECT n FROM conversation_issue WHERE conversation = :n ORDER BY n LIMIT 16 /*scan*/");
SQL(q_attributes, "DELETE FROM conversation_attribute WHERE conversation = :n");
SQL(q_conversation, "DELETE FROM conversation WHERE n = :n");
SQL(q_count, "UPDATE conversation_state SET conversations = conversations - 1 WHERE org = :org");

/* A list, because store_remove() deletes rows while the statement would be open. */
static size_t
next_issues(struct db *db, int64_t conversation, int64_t *out)
{
	struct stmt *q = db_use(db, &q_issues);
	size_t n = 0;

	bind_int(q, ":n", conversation);
	while (n < ISSUES && stmt_step(q))
		out[n++] = col_int(q, 0);
	return n;
}

/* Deletes a conversation with its issues, and subtracts them from all counts. */
static void
forget_conversation(struct store *s, int64_t n)
{
	int64_t issues[ISSUES];
	struct stmt *q;
	size_t count;

	while ((count = next_issues(s->db, n, issues)) > 0)
		while (count-- > 0)
			store_remove(s, issues[count]);
	/* Rows that refer to the conversation are deleted before its row. */
	q = db_use(s->db, &q_attributes);
	bind_int(q, ":n", n);
	stmt_run(q);
	q = db_use(s->db, &q_conversation);
	bind_int(q, ":n", n);
	stmt_run(q);
	q = db_use(s->db, &q_count);
	bind_text(q, ":org", s->org);
	stmt_run(q);
}

/*
 * In a write transaction: conversation, issues and clusters change in one commit, so that no
 * derived data remains.
 */
bool
conversation_forget(struct db *db, struct arena *a, const char *org, const char *id)
{
	struct store s;
	struct stmt *q = db_use(db, &q_found);
	int64_t n;

	bind_text(q, ":org", org);
	bind_text(q, ":id", id);
	if ((n = stmt_int(q, 0)) == 0)
		return false;
	store_open(&s, db, a, org, NULL);
	forget_conversation(&s, n);
	/*
	 * If the representative of a cluster was deleted, another issue gives its label: the
	 * deleted text must not stay.
	 */
	store_choose_representatives(&s);
	store_flush(&s);
	return true;
}

/*
 * max bounds the transaction. The caller repeats the call, each time in another transaction, until
 * the result is 0.
 */
int64_t
conversations_forget(struct db *db, struct arena *a, const char *org, const char *name, const char *value,
    int64_t max)
{
	int64_t *found = arena_array(a, (size_t)max, sizeof(*found)), n = 0, i;
	struct stmt *q = db_use(db, &q_by_attribute);
	struct store s;

	bind_text(q, ":org", org);
	bind_text(q, ":name", name);
	bind_text(q, ":value", value);
	bind_int(q, ":max", max);
	while (n < max && stmt_step(q))
		found[n++] = col_int(q, 0);
	if (n == 0)
		return 0;
	/* One store for all, so that clusters of several conversations are written once. */
	store_open(&s, db, a, org, NULL);
	for (i = 0; i < n; i++)
		forget_conversation(&s, found[i]);
	store_choose_representatives(&s);
	store_flush(&s);
	return n;
}
