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
 * both changed it, the outside wins, since its author saw main's last export.
 * Main's own pages that the outside never held stay. Rows that merge one by one
 * can still make a tree that is none, so it is mended as a whole: the outside's
 * order of things wins there too, and pages of main's own make room. A page whose
 * parent went moves up; one that shares its address with a page of the outside gets
 * the next free slug. All of this is told, page by page. Only a tree of more than
 * PAGE_DEPTH levels is refused: that is for people to put right.
 */
#ifndef OCTAVO_OUTSIDE_H
#define OCTAVO_OUTSIDE_H

#include "store/content.h"

struct wanted {
	struct node node;       /* body and refs are set here from the bytes below */
	struct str  body;       /* bytes of a page or setting; p NULL: node.body stands (files) */
	struct str  refs;       /* link map, JSON; n 0: none */
};

/* The outside branch of a space; 0: nothing was ever taken in. */
int64_t upstream_branch(struct db *db, const char *space);

/* What the outside held last; main's content where there is no branch yet. False: no such space. */
bool upstream_view(struct db *db, struct arena *a, const char *space, struct point *out);

struct upstream_result {
	char   *revision;       /* main's newest: the one before where nothing changed */
	bool    changed;
	size_t  added, edited, removed;
	const char *error;      /* NULL: done; else why it cannot be taken in: the caller rolls back */
};

/* What else became of a page of main. */
enum upstream_event {
	UPSTREAM_BOTH,           /* both sides changed it, and the outside's version stands now */
	UPSTREAM_MOVED,          /* it stands elsewhere, since its place is gone */
	UPSTREAM_ADDRESS         /* it has another address, since the outside has a page there */
};

/*
 * Takes the wanted state in; inside a write transaction. view must still be
 * what upstream_view() gives there. git: JSON of the commit, for the revision.
 * note is called for each page that something happened to; may be NULL.
 */
void upstream_take(struct db *db, struct arena *a, const struct point *view, struct wanted *list,
    size_t n, const char *author, const char *git,
    void (*note)(void *ctx, enum upstream_event what, const struct node *page), void *ctx,
    struct upstream_result *out);

/* The same state as a revision of its own over main, which stays as it is. */
void upstream_standalone(struct db *db, struct arena *a, const char *space, struct wanted *list,
    size_t n, const char *author, const char *git, struct upstream_result *out);

#endif
