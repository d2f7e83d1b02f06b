/*
 * Emoji reactions to comments and replies: at most one of each emoji per user. Table reaction
 * (include/propagate/comments.h). All spellings of an emoji are counted together; answers contain
 * the spelling that was sent first, so that a client recognizes its own.
 */
#include <cjson/cJSON.h>

#include "api/users.h"
#include "base/emoji.h"
#include "http/req.h"
#include "comment.h"

static const struct shape ReactionUser = { "EmojiReactionUser", (const struct field[]){
	{ "user", T_OBJECT, F_REQ, .of = &User, .join = "u_", .doc = "The user" },
	{ "reactedAt", T_TIME, F_REQ, .col = "created_at", .doc = "When the user reacted" },
	{ 0 } } };
const struct shape EmojiReaction = { "EmojiReaction", (const struct field[]){
	{ "emoji", T_TEXT, F_REQ, .doc = "The emoji as the first user sent it: its characters, or its code points in hexadecimal, joined "
	  "by -", .example = "1f44d" },
	{ "count", T_INT, F_REQ, .doc = "Number of users", .example = "1" },
	{ "users", T_LIST, F_REQ, .of = &ReactionUser, .doc = "Users who reacted" },
	{ 0 } } };

/*
 * Ordered by the emoji's key, so that the rows of one emoji are adjacent, oldest first. The few
 * rows of one comment are sorted without an index: an index would have to be updated with each
 * reaction.
 */
SQL(q_reactions,
    "SELECT x.emoji, x.created_at, x.spelling, " USER_COLS("u", "u_") " FROM reaction x "
    "JOIN account u ON u.id = x.account WHERE x.comment = :comment AND x.target = :target "
    "ORDER BY x.emoji, x.created_at, x.account /*scan*/");

/* Writes an object for each emoji. Its rows are adjacent (q_reactions). */
void
emit_reactions(struct json *j, const struct field *f, const struct row *w)
{
	struct stmt *q = db_use(w->r->db, &q_reactions);
	char *emoji = NULL;
	int64_t n = 0;

	bind_text(q, ":comment", row_text(w, "comment"));
	bind_text(q, ":target", row_text(w, "id"));
	json_karr(j, f->name);
	for (;;) {
		bool more = stmt_step(q);
		/* At the end of one emoji's rows, write their count, which is only known now. */
		if (emoji != NULL && (!more || strcmp(emoji, col_text(q, 0)) != 0)) {
			json_end(j);
			json_kint(j, "count", n);
			json_end(j);
			emoji = NULL;
		}
		if (!more)
			break;
		if (emoji == NULL) {
			/* Copied: the next step invalidates the row. */
			emoji = col_dup(q, 0, w->r->arena);
			n = 0;
			json_obj(j);
			/* Rows that early releases wrote have no spelling. */
			json_kstr(j, "emoji", col_null(q, 2) ? emoji_spelling(emoji) : col_text(q, 2));
			json_karr(j, "users");
		}
		shape_row(j, &ReactionUser, w->r, q);
		n++;
	}
	json_end(j);
}

/*
 * Adds before removing: an emoji in both lists ends up removed. Adding an existing reaction or
 * removing a missing one changes nothing.
 */
void
apply_reactions(struct req *r, const char *comment, const char *target)
{
	const cJSON *v;

	cJSON_ArrayForEach(v, body_get(r, "addedReactions"))
		reaction_set(r->db, r->arena, comment, target, v->valuestring, r->who.user, true);
	cJSON_ArrayForEach(v, body_get(r, "removedReactions"))
		reaction_set(r->db, r->arena, comment, target, v->valuestring, r->who.user, false);
}
