/*
 * Comments, their replies and reactions as data. Tables comment, comment_reply,
 * reaction, and the counters `comments` (open ones) of space and
 * change_request and `replies` of comment.
 *
 * A comment belongs to a scope: the id of a change request, or that of the
 * space for its primary content. It may be on a page and on a block of it
 * (node: the block's key in the document, a hash of what it holds; record and
 * definition: row and column of a cell of the table that node is); `revision` is
 * one in which all of them are found. Each revision that is made calls
 * comments_follow, so that a comment stays on the block that was edited.
 *
 * All of it runs inside the caller's write transaction. Counters move by what
 * the statements really changed, so that they are exact whatever runs at once.
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
	const char *record, *definition; /* a table cell, or both NULL */
};

/* Its id. */
char *comment_add(struct db *db, struct arena *a, const struct comment_new *n);
/* Resolved by a user, or (NULL) open again; nothing happens where it already is. */
void  comment_resolve(struct db *db, const char *comment, const char *user);
void  comment_edit(struct db *db, const char *comment, const char *body);
/* With its replies and reactions. */
void  comment_delete(struct db *db, const char *comment);

char *reply_add(struct db *db, struct arena *a, const char *comment, const char *author,
    const char *body);
void  reply_edit(struct db *db, const char *reply, const char *body);
void  reply_delete(struct db *db, const char *comment, const char *reply);

/*
 * On a comment, or on a reply of it (target; for the comment itself its own id). All spellings of an emoji
 * are one reaction (base/emoji.h); kept is the one that was sent. emoji_key() takes it.
 */
void reaction_set(struct db *db, struct arena *a, const char *comment, const char *target, const char *emoji,
    const char *user, bool on);

/*
 * A revision of a scope was made; now is its point. The comments on blocks and
 * cells of what it changed stay on them: node, record and definition become what
 * these are called there, and revision the one just made. Of a block that is
 * gone the comments stay on the page, of a cell on its table. Costs what the
 * revision changed. large: where large bodies are noted, for who can run the
 * transaction twice (propagate/large_bodies.h); or NULL.
 */
struct large;
void comments_follow(struct db *db, struct arena *a, const struct point *now, const char *scope,
    struct large *large);

/*
 * The same for a revision that is staged over head (store/stage.h), in two steps:
 * what is long is looked at ahead; in the transaction that publishes the revision
 * comments are moved, also those that came in between. head must be the same.
 */
struct followed_pages;
struct followed_pages *comments_ahead(struct db *db, struct arena *a, const struct point *head,
    const struct point *staged, const char *scope);
void comments_turn(struct db *db, struct arena *a, const struct followed_pages *ahead,
    const struct point *head, const struct point *staged, const char *scope);

#endif
