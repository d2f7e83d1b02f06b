/* Comments, replies and reactions as rows, and their counters. Contract: propagate/comments.h. */
#include "propagate/comments.h"
#include "base/emoji.h"
#include "base/json.h"
#include "base/secret.h"

/* Each later than the one before, so that lists show them in the order in which they came. */
SQL(q_comment_add,
    "INSERT INTO comment (id, space, scope, review, author, created_at, body, page, node, record, "
    "definition, revision) VALUES (:id, :space, :scope, :review, :author, "
    "(SELECT max(v.at) FROM (SELECT :now AS at UNION ALL "
    "SELECT max(created_at) + 1 FROM comment WHERE scope = :scope) AS v), "
    ":body, :page, :node, :record, :definition, :revision)");
SQL(q_comment_body, "UPDATE comment SET body = :body, edited_at = :now WHERE id = :id AND body <> :body");
/*
 * The condition makes a second call a no-op, and RETURNING says whether this one was the first:
 * the counter moves once.
 */
SQL(q_comment_resolve,
    "UPDATE comment SET resolved_at = :now, resolved_by = :user "
    "WHERE id = :id AND resolved_at IS NULL RETURNING space, scope");
SQL(q_comment_reopen,
    "UPDATE comment SET resolved_at = NULL, resolved_by = NULL "
    "WHERE id = :id AND resolved_at IS NOT NULL RETURNING space, scope");
/* The bare column: SQLite 3.40 takes `resolved_at IS NULL` for false in what a DELETE returns. */
SQL(q_comment_delete, "DELETE FROM comment WHERE id = :id RETURNING space, scope, resolved_at");
SQL(q_replies_of, "DELETE FROM comment_reply WHERE comment = :id");
SQL(q_reactions_of, "DELETE FROM reaction WHERE comment = :id");
/*
 * Counted by difference in the writer's transaction: lists of spaces show the number, and must
 * not count rows.
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
/* Two clicks at once are one reaction: the table's key decides, not a look beforehand. */
SQL(q_react,
    "INSERT INTO reaction (comment, target, emoji, account, created_at, spelling) "
    "VALUES (:comment, :target, :emoji, :user, :now, :spelling) "
    "ON CONFLICT (comment, target, emoji, account) DO NOTHING");
SQL(q_unreact,
    "DELETE FROM reaction WHERE comment = :comment AND target = :target AND emoji = :emoji "
    "AND account = :user");

/* n more open comments in the scope. */
static void
count_open(struct db *db, const char *space, const char *scope, int64_t n)
{
	struct stmt *q = db_use(db, strcmp(space, scope) == 0 ? &q_space_open : &q_request_open);

	bind_int(q, ":n", n);
	bind_text(q, ":id", scope);
	stmt_run(q);
}

/* NULL members are bound as NULL: the columns that a comment without page or block leaves empty. */
char *
comment_add(struct db *db, struct arena *a, const struct comment_new *n)
{
	struct stmt *q = db_use(db, &q_comment_add);
	char *id = secret_id(a);

	bind_text(q, ":id", id);
	bind_text(q, ":space", n->space);
	/* The space's id for primary content, else the request's: one index serves both kinds of list. */
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

/* A body that is the same changes no row: edited_at says when a reader last saw something new. */
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
run_for(struct db *db, const struct sql *sql, const char *id)
{
	struct stmt *q = db_use(db, sql);

	bind_text(q, ":id", id);
	stmt_run(q);
}

/*
 * A comment that is not there changes nothing: DELETE of it answers 204 likewise (docs/design/requests.md,
 * "DELETE").
 */
void
comment_delete(struct db *db, const char *comment)
{
	struct stmt *q;

	/* Reactions and replies refer to the comment: they go first. */
	run_for(db, &q_reactions_of, comment);
	run_for(db, &q_replies_of, comment);
	/*
	 * RETURNING tells scope and state as they were in the moment of the delete, without a
	 * look beforehand.
	 */
	q = db_use(db, &q_comment_delete);
	bind_text(q, ":id", comment);
	/* Only an open comment was in the counter. */
	if (stmt_step(q))
		count_open(db, col_text(q, 0), col_text(q, 1), col_null(q, 2) ? -1 : 0);
}

/* n more replies of a comment; negative: fewer. */
static void
count_replies(struct db *db, const char *comment, int64_t n)
{
	struct stmt *q = db_use(db, &q_replies);

	bind_int(q, ":n", n);
	bind_text(q, ":id", comment);
	stmt_run(q);
}

/* The comment must be there: its row is what the reply refers to. */
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

/* Only the reactions of this reply: those of the comment and its other replies have another target. */
void
reply_delete(struct db *db, const char *comment, const char *reply)
{
	struct stmt *q = db_use(db, &q_reply_reactions);

	bind_text(q, ":comment", comment);
	bind_text(q, ":target", reply);
	stmt_run(q);
	q = db_use(db, &q_reply_delete);
	bind_text(q, ":id", reply);
	/* By the rows that really went: a reply that somebody else has deleted counts no second time. */
	count_replies(db, comment, -stmt_run(q));
}

/* Setting what is set, or taking away what is not there, changes nothing. */
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
