/*
 * Content from outside: what a git repository holds is a branch (kind outside)
 * that overlays main and never closes. Taking in a new state of it is a merge
 * like that of a change request: base is the state before, theirs is main.
 *
 *   view    what the outside held last: the outside branch at its head
 *   wanted  what it holds now, whole
 *   main    may have changed since by other means
 *
 * Where content.md writes the change to the outside branch and then merges it,
 * this module applies it to main directly and lets the outside branch fall
 * through to the new main revision, with rows of its own only where main differs
 * from what the outside holds. The end is the same; a first import writes each
 * row once, not twice.
 *
 * A page that main changed and the outside did not keeps main's version; where
 * both changed it, the outside wins, since its author saw main's last export,
 * and the clash is reported. Main's own pages that the outside never held stay.
 */
#ifndef OCTAVO_OUTSIDE_H
#define OCTAVO_OUTSIDE_H

#include "content.h"

struct wanted {
	struct node node;       /* body and refs are set here from the bytes below */
	struct str  body;       /* bytes of a page or setting; p NULL: node.body stands (files) */
	struct str  refs;       /* link map, JSON; n 0: none */
};

/* The outside branch of a space; 0: nothing was ever taken in. */
int64_t outside_branch(struct db *db, const char *space);

/* What the outside held last; main's content where there is no branch yet. False: no such space. */
bool outside_view(struct db *db, struct arena *a, const char *space, struct point *out);

struct outside_result {
	char   *revision;       /* main's newest: the one before where nothing changed */
	bool    changed;
	size_t  added, edited, removed;
};

/*
 * Takes the wanted state in; inside a write transaction. view must still be
 * what outside_view() gives there. git: JSON of the commit, for the revision.
 * clash is called for each page that both sides changed; may be NULL.
 */
void outside_take(struct db *db, struct arena *a, const struct point *view, struct wanted *list,
    size_t n, const char *author, const char *git,
    void (*clash)(void *ctx, const struct node *theirs), void *ctx, struct outside_result *out);

/* The same state as a revision of its own over main, which stays as it is. */
void outside_standalone(struct db *db, struct arena *a, const char *space, struct wanted *list,
    size_t n, const char *author, const char *git, struct outside_result *out);

#endif
