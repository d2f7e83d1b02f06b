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
 *
 * None of this is done in one transaction: it would keep everybody else from
 * writing for as long as it takes. Main's new rows, and those of the outside
 * branch, are staged (store/stage.h) in passes:
 *
 *   plan      a snapshot of main at its head; all reading is at that point
 *   rows      what has to be different is staged; what an earlier pass staged and
 *             this one does not want is taken back
 *   tree      read with the staged rows, mended by more of them, until it is whole
 *   follow    the outside branch's own rows, search, links, comments
 *   publish   one short transaction, if main's head is still the one of the plan:
 *             both revisions, what turns with them (publish.h), and what the
 *             caller adds. Else another pass, which finds nearly all of its rows
 *             staged already and writes what the others' changes made different.
 *
 * Before publish nothing shows; killed at any point, what is staged is taken over
 * by the next import of the space or swept by upstream_sweep(), a job that the
 * purge queues where no import is to come. The three-way
 * decision is made per pass for the head that it is published over, so a merge that
 * comes in between counts as one that came before.
 */
#ifndef OCTAVO_UPSTREAM_H
#define OCTAVO_UPSTREAM_H

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

enum upstream_end {
	UPSTREAM_DONE,
	UPSTREAM_REFUSED,       /* commit() said no, or the tree cannot be; error may say why */
	UPSTREAM_BUSY,          /* main was moved in each of many passes: later, perhaps */
	UPSTREAM_FILES          /* a file of the batch was swept meanwhile: the batch has to be made again */
};

struct upstream_result {
	char   *revision;       /* main's newest: the one before where nothing changed */
	bool    changed;
	size_t  added, edited, removed;
	const char *error;      /* why it cannot be taken in */
};

/* What else became of a page of main. */
enum upstream_event {
	UPSTREAM_BOTH,           /* both sides changed it, and the outside's version stands now */
	UPSTREAM_MOVED,          /* it stands elsewhere, since its place is gone */
	UPSTREAM_ADDRESS         /* it has another address, since the outside has a page there */
};

struct upstream_task {
	const char *author;     /* user id or NULL */
	const char *git;        /* JSON of the commit, for the revision; or NULL */
	struct blob_batch *files;   /* files that get their rows with the nodes that name them, or NULL */
	/* Called for each page that something happened to, before the publishing transaction. May be NULL. */
	void (*note)(void *ctx, enum upstream_event what, const struct node *page);
	/* All notes are told, nothing is published yet; outside any transaction. May be called again. May be NULL. */
	void (*ready)(void *ctx);
	/* The last thing in the publishing transaction; false: it is rolled back. May be NULL. */
	bool (*commit)(void *ctx, const struct upstream_result *out);
	/* A sign of life, between any two transactions; false: give up (UPSTREAM_REFUSED). May be NULL. */
	bool (*alive)(void *ctx, const char *stage, size_t done, size_t total);
	void *ctx;
};

/*
 * Takes the wanted state in; outside any transaction, in short ones of its own. view
 * must be what upstream_view() gives for the space, or gave, where nobody else takes
 * states of the outside in since. Anything but UPSTREAM_DONE leaves nothing behind.
 */
enum upstream_end upstream_take(struct db *db, struct arena *a, const struct point *view,
    struct wanted *list, size_t n, const struct upstream_task *task, struct upstream_result *out);

/* The same state as a revision of its own over main, which stays as it is. */
enum upstream_end upstream_standalone(struct db *db, struct arena *a, const char *space,
    struct wanted *list, size_t n, const struct upstream_task *task, struct upstream_result *out);

/*
 * Takes back what imports that died have staged in a space, and what they made
 * ready; in short transactions. No import of the space may run (app/queue.h).
 */
void upstream_sweep(struct db *db, struct arena *a, const char *space);

#endif
