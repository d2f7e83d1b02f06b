/* Comments, replies and reactions as rows, and their counters. Contract: propagate/comments.h. */
#include "propagate/comments.h"
#include "base/emoji.h"
#include "base/json.h"
#include "base/secret.h"

/* created_at is later than that of the comment before, so that lists keep the order of arrival. */
SQL(q_comment_add,
    "INSERT INTO comment (id, space, scope, review, author, created_at, body, page, node, record, "
    "definition, revision) VALUES (:id, :space, :scope, :review, :author, "
    "(SELECT max(v.at) FROM (SELECT :now AS at UNION ALL "
    "SELECT max(created_at) + 1 FROM comment WHERE scope = :scope) AS v), "
    ":body, :page, :node, :record, :definition, :revision)");
SQL(q_comment_body, "UPDATE comment SET body = :body, edited_at = :now WHERE id = :id AND body <> :body");
/*
 * The condition makes a second call a no-op. RETURNING gives a row only if this call changed the
 * comment, so that the counter is changed only once.
 */
SQL(q_comment_resolve,
    "UPDATE comment SET resolved_at = :now, resolved_by = :user "
    "WHERE id = :id AND resolved_at IS NULL RETURNING space, scope");
SQL(q_comment_reopen,
    "UPDATE comment SET resolved_at = NULL, resolved_by = NULL "
    "WHERE id = :id AND resolved_at IS NOT NULL RETURNING space, scope");
/*
 * Return the bare column: in the RETURNING of a DELETE, SQLite 3.40 evaluates `resolved_at IS NULL`
 * to false.
 */
SQL(q_comment_delete, "DELETE FROM comment WHERE id = :id RETURNING space, scope, resolved_at");
SQL(q_replies_of, "DELETE FROM comment_reply WHERE comment = :id");
SQL(q_reactions_of, "DELETE FROM reaction WHERE comment = :id");
/*
 * The number is changed by a difference, in the writer's transaction, because lists of spaces show
 * it and must not count rows.
 */
SQL(q_space_open, "UPDATE space SET comments = comments + :n WHERE id = :id");
SQL(q_request_open, "UPDATE change_request SET comments = comments + :n WHERE id = :id");
SQL(q_reply_add,
    "INSERT INTO comment_reply (id, comment, author, created_at, body) VALUES (:id, :comment, :author, "
    "(SELECT max(v.at) FROM (SELECT :now AS at UNION ALL "
    "SELECT max(created_at) + 1 FROM comment_reply WHERE comment = :comment) AS v), :body)");
SQL(q_reply_body,
    "UPDATE comment_reply SET body = :body, edited_at = :now WHERE id = :id AND body <> :body");
SQL(q_reply_delete, "DELETE FROM comment_reply WHERE id = :id");
SQL(q_replies, "UPDATE comment SET replies = replies + :n WHERE id = :id");
SQL(q_reply_reactions, "DELETE FROM reaction WHERE comment = :comment AND target = :target");
/*
 * If a browser sends the same reaction twice at the same time, the table's key makes the second
 * INSERT a no-op; no query before it is needed.
 */
SQL(q_react,
    "INSERT INTO reaction (comment, target, emoji, account, created_at, spelling) "
    "VALUES (:comment, :target, :emoji, :user, :now, :spelling) "
    "ON CONFLICT (comment, target, emoji, account) DO NOTHING");
SQL(q_unreact,
    "DELETE FROM reaction WHERE comment = :comment AND target = :target AND emoji = :emoji "
    "AND account = :user");
SQL(q_look,
    "INSERT INTO last_look (request, account, at) VALUES (:request, :user, :at) "
    "ON CONFLICT (request, account) DO UPDATE SET at = excluded.at");

/* Adds n to the number of open comments in the scope. */
static void
count_open(struct db *db, const char *space, const char *scope, int64_t n)
{
	struct stmt *q = db_use(db, strcmp(space, scope) == 0 ? &q_space_open : &q_request_open);

	bind_int(q, ":n", n);
	bind_text(q, ":id", scope);
	stmt_run(q);
}

/* NULL members are bound as NULL: a comment without page or block leaves these columns empty. */
char *
comment_add(struct db *db, struct arena *a, const struct comment_new *n)
{
	struct stmt *q = db_use(db, &q_comment_add);
	char *id = secret_id(a);

	bind_text(q, ":id", id);
	bind_text(q, ":space", n->space);
	/*
	 * The space's id for primary content, otherwise the request's: one index serves both kinds
	 * of list.
	 */
	bind_text(q, ":scope", n->scope);
	/* A comment of a review counts as open like any other. */
	bind_text(q, ":review", n->review);
	bind_text(q, ":author", n->author);
	bind_int(q, ":now", time_now());
	bind_text(q, ":body", n->body);
	bind_text(q, ":page", n->page);
	bind_text(q, ":node", n->node);
	bind_text(q, ":record", n->record);
	bind_text(q, ":definition", n->definition);
	bind_text(q, ":revision", n->revision);
	stmt_run(q);
	count_open(db, n->space, n->scope, 1);
	return id;
}

void
comment_resolve(struct db *db, const char *comment, const char *user)
{
	struct stmt *q = db_use(db, user != NULL ? &q_comment_resolve : &q_comment_reopen);

	bind_text(q, ":id", comment);
	if (user != NULL) {
		bind_text(q, ":user", user);
		bind_int(q, ":now", time_now());
	}
	if (stmt_step(q))
		count_open(db, col_text(q, 0), col_text(q, 1), user != NULL ? -1 : 1);
}

/* An equal body changes no row: edited_at is the time of the last visible change. */
static void
set_body(struct db *db, const struct sql *sql, const char *id, const char *body)
{
	struct stmt *q = db_use(db, sql);

	bind_text(q, ":id", id);
	bind_text(q, ":body", body);
	bind_int(q, ":now", time_now());
	stmt_run(q);
}

void
comment_edit(struct db *db, const char *comment, const char *body)
{
	set_body(db, &q_comment_body, comment, body);
}

static void
run_with_id(struct db *db, const struct sql *sql, const char *id)
{
	struct stmt *q = db_use(db, sql);

	bind_text(q, ":id", id);
	stmt_run(q);
}

/*
 * A missing comment changes nothing: DELETE answers 204 in both cases (docs/design/requests.md,
 * "DELETE").
 */
void
comment_delete(struct db *db, const char *comment)
{
	struct stmt *q;

	/* Delete reactions and replies first, because they refer to the comment. */
	run_with_id(db, &q_reactions_of, comment);
	run_with_id(db, &q_replies_of, comment);
	/* RETURNING gives scope and state as of the delete, without a query before. */
	q = db_use(db, &q_comment_delete);
	bind_text(q, ":id", comment);
	/* The counter includes only open comments. */
	if (stmt_step(q))
		count_open(db, col_text(q, 0), col_text(q, 1), col_null(q, 2) ? -1 : 0);
}

/* Adds n (may be negative) to the number of replies of a comment. */
static void
count_replies(struct db *db, const char *comment, int64_t n)
{
	struct stmt *q = db_use(db, &q_replies);

	bind_int(q, ":n", n);
	bind_text(q, ":id", comment);
	stmt_run(q);
}

/* The comment must exist: the reply's row refers to it. */
char *
reply_add(struct db *db, struct arena *a, const char *comment, const char *author, const char *body)
{
	struct stmt *q = db_use(db, &q_reply_add);
	char *id = secret_id(a);

	bind_text(q, ":id", id);
	bind_text(q, ":comment", comment);
	bind_text(q, ":author", author);
	bind_int(q, ":now", time_now());
	bind_text(q, ":body", body);
	stmt_run(q);
	count_replies(db, comment, 1);
	return id;
}

void
reply_edit(struct db *db, const char *reply, const char *body)
{
	set_body(db, &q_reply_body, reply, body);
}

/*
 * Deletes only the reactions of this reply: those of the comment and of other replies have another
 * target.
 */
void
reply_delete(struct db *db, const char *comment, const char *reply)
{
	struct stmt *q = db_use(db, &q_reply_reactions);

	bind_text(q, ":comment", comment);
	bind_text(q, ":target", reply);
	stmt_run(q);
	q = db_use(db, &q_reply_delete);
	bind_text(q, ":id", reply);
	/* Uses the number of deleted rows, so that a reply that was deleted before is not subtracted again. */
	count_replies(db, comment, -stmt_run(q));
}

/* Adding an existing reaction, or removing a missing one, changes nothing. */
void
reaction_set(struct db *db, struct arena *a, const char *comment, const char *target, const char *emoji,
    const char *user, bool on)
{
	struct stmt *q = db_use(db, on ? &q_react : &q_unreact);

	bind_text(q, ":comment", comment);
	bind_text(q, ":target", target);
	bind_text(q, ":emoji", emoji_key(a, emoji));
	bind_text(q, ":user", user);
	if (on) {
		bind_int(q, ":now", time_now());
		bind_text(q, ":spelling", emoji);
	}
	stmt_run(q);
}

void
look_set(struct db *db, const char *request, const char *user, int64_t until)
{
	struct stmt *q = db_use(db, &q_look);

	bind_text(q, ":request", request);
	bind_text(q, ":user", user);
	bind_int(q, ":at", until);
	stmt_run(q);
}
