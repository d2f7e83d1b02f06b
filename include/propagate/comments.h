/*
 * Storage of comments, their replies and reactions. Tables comment, comment_reply, reaction, last_look, and the
 * counters `comments` (open ones) of space and change_request and `replies` of comment.
 *
 * A comment belongs to a scope: the id of a change request, or that of the space for its primary
 * content. It may be on a page and on a block of it. node: the block's key in the document, a hash of
 * its content; record and definition: row and column of a cell, if node is a table; `revision`: a
 * revision in which all of these keys are valid. Each new revision calls comments_follow(), so that a
 * comment stays on an edited block.
 *
 * All functions run inside the caller's write transaction. A counter is changed by the number of rows
 * that a statement really changed, so it stays exact if several requests make the same change.
 */
#ifndef OCTAVO_COMMENTS_H
#define OCTAVO_COMMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/content.h"

struct comment_new {
	const char *space, *scope, *author;
	const char *body;                /* Markdown */
	const char *revision;
	const char *review;              /* NULL: none */
	const char *page, *node;         /* NULL: none */
	const char *record, *definition; /* row and column of a table cell, or both NULL */
};

/* Adds a comment; returns its id. */
char *comment_add(struct db *db, struct arena *a, const struct comment_new *n);
/*
 * Marks a comment as resolved by a user; user NULL: opens it again. No change if it has that state
 * already.
 */
void  comment_resolve(struct db *db, const char *comment, const char *user);
void  comment_edit(struct db *db, const char *comment, const char *body);
/* Deletes a comment with its replies and reactions. */
void  comment_delete(struct db *db, const char *comment);

char *reply_add(struct db *db, struct arena *a, const char *comment, const char *author,
    const char *body);
void  reply_edit(struct db *db, const char *reply, const char *body);
void  reply_delete(struct db *db, const char *comment, const char *reply);

/*
 * Adds or removes a reaction. target: the id of a reply, or of the comment itself. All spellings of
 * an emoji are one reaction (base/emoji.h); the spelling that was sent is stored. emoji_key() must
 * accept it.
 */
void reaction_set(struct db *db, struct arena *a, const char *comment, const char *target, const char *emoji,
    const char *user, bool on);

/*
 * Records that the user has read the comments and replies of a change request up to this time (ms).
 */
void look_set(struct db *db, const char *request, const char *user, int64_t until);

/*
 * Call it when a revision of a scope was made; now: its point. Comments on changed blocks and cells
 * move along: node, record and definition get the new keys, and revision the new revision. Comments
 * on a deleted block move to the page, those on a deleted cell to its table, and those on a deleted
 * line of code to its code block; `lost` is then set. The cost depends on what the revision changed.
 * large: notes large bodies, for callers that can run the transaction twice (propagate/large_bodies.h);
 * or NULL.
 */
struct large;
void comments_follow(struct db *db, struct arena *a, const struct point *now, const char *scope,
    struct large *large);

/*
 * Call it when the revision `from` of the scope was replaced by the revision `to`, to which
 * comments_follow() was applied: comments then refer to `to`.
 */
void comments_readdress(struct db *db, const char *scope, const char *from, const char *to);

/*
 * The same for a revision that is staged over head (store/stage.h), in two steps: comments_prepare()
 * compares the pages, which takes long; comments_publish() moves the comments, also newer ones, in the
 * transaction that publishes the revision. head must be the same in both.
 */
struct followed_pages;
struct followed_pages *comments_prepare(struct db *db, struct arena *a, const struct point *head,
    const struct point *staged, const char *scope);
void comments_publish(struct db *db, struct arena *a, const struct followed_pages *ahead,
    const struct point *head, const struct point *staged, const char *scope);

#endif
