/*
 * Comments, their replies and reactions as data. Tables comment, comment_reply,
 * reaction, and the counters `comments` (open ones) of space and
 * change_request and `replies` of comment.
 *
 * A comment belongs to a scope: the id of a change request, or that of the
 * space for its primary content. It may be on a page and on a block of it
 * (node: the block's key in the document, which is a hash of its source);
 * `revision` is one in which both are found. A write of content calls
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

#include "arena.h"
#include "db.h"

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

/* On a comment, or on a reply of it (target; for the comment itself its own id). */
void reaction_set(struct db *db, const char *comment, const char *target, const char *emoji,
    const char *user, bool on);

/*
 * A page of a scope (request NULL: the primary content) was written: its block
 * old_keys[i] is now new_keys[i]; NULL: it was deleted, and its comments stay on
 * the page alone. Comments on other blocks stay as they are. All moves happen
 * at once, so keys may change places. revision: the one just made.
 */
void comments_follow(struct db *db, struct arena *a, const char *space, const char *request,
    const char *page, const char *const *old_keys, const char *const *new_keys, size_t n,
    const char *revision);

#endif
