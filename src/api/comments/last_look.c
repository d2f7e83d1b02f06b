/*
 * How far each person has read the comments of a change request. Tables last_look, comment, comment_reply and reaction
 * (include/propagate/comments.h). Comments on primary content have no such state.
 */
#include "base/json.h"
#include "comment.h"

const struct shape LastLook = { "LastLook", (const struct field[]){
	{ "until", T_TIME, F_REQ, .doc = "Time of the last comment or reply that you read; later comments are unread" },
	{ 0 } } };

/*
 * The time up to which the person has read the comment and its replies: the last time at which they marked all comments
 * as read, or replied to this one, reacted to it or resolved it. 0: none of these.
 */
SQL(q_look,
    "SELECT COALESCE(max(v.at), 0) FROM (SELECT at FROM last_look WHERE request = :request AND account = :user "
    "UNION ALL SELECT max(created_at) FROM comment_reply WHERE comment = :comment AND author = :user "
    "UNION ALL SELECT max(created_at) FROM reaction WHERE comment = :comment AND account = :user "
    "UNION ALL SELECT resolved_at FROM comment WHERE id = :comment AND resolved_by = :user) AS v");
SQL(q_newer_reply,
    "SELECT EXISTS (SELECT 1 FROM comment_reply y WHERE y.comment = :comment AND y.author <> :user "
    "AND y.created_at > :since)");

static bool
has_newer_reply(const struct row *w, int64_t since)
{
	struct stmt *q = db_use(w->r->db, &q_newer_reply);

	bind_text(q, ":comment", row_text(w, "id"));
	bind_text(q, ":user", w->r->who.user);
	bind_int(q, ":since", since);
	return stmt_int(q, 0) != 0;
}

/* Comments of the caller are never unread. */
void
emit_unread(struct json *j, const struct field *f, const struct row *w)
{
	struct stmt *q;
	int64_t since;

	if (strcmp(row_text(w, "scope"), row_text(w, "space")) == 0)
		return;
	q = db_use(w->r->db, &q_look);
	bind_text(q, ":request", row_text(w, "scope"));
	bind_text(q, ":comment", row_text(w, "id"));
	bind_text(q, ":user", w->r->who.user);
	since = stmt_int(q, 0);
	json_kbool(j, f->name, (strcmp(row_text(w, "author"), w->r->who.user) != 0 && row_int(w, "created_at") > since) ||
	    (row_int(w, "replies") > 0 && has_newer_reply(w, since)));
}

/* PUT …/change-requests/{changeRequestId}/last-look */
HANDLER(setLastLookInChangeRequest)
{
	int64_t until = 0;

	time_parse(body_text(r, "until"), &until);
	look_set(r->db, r->request.id, r->who.user, until);
	return reply_empty(r);
}
