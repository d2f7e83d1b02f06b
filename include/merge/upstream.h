/*
 * Importing upstream content: taking a new state of a git repository into a space.
 *
 * The state of the repository at the last import is kept as a branch of the space,
 * the *upstream branch* (branch.kind is 'outside'). It overlays main and is never
 * closed. An import is a three-way merge:
 *
 *   base    the upstream branch at its head: what upstream held last (the view)
 *   ours    what upstream holds now, whole (the wanted nodes)
 *   theirs  main, which may have changed by other means since
 *
 * A change request writes its changes to its branch and merges that. Here the
 * result is written to main directly, and the upstream branch gets rows of its own
 * only where main differs from upstream afterwards. The outcome is the same, but a
 * first import writes each row once instead of twice.
 *
 * Conflicts:
 *
 *   - Changed by main alone: main's version stays. Main's own pages, which upstream
 *     never held, stay as well.
 *   - Changed by both: merged by field and by line, as change requests are
 *     (three_way.h). A node that clashes keeps main's version (UPSTREAM_BOTH).
 *     upstream_result.conflicts has upstream's version of it, and the caller makes
 *     a change request from these: no line of either side is lost.
 *   - Rows that merge one by one can still form an invalid tree. Upstream's tree is
 *     kept and main's own pages are moved: a page whose parent was deleted moves up
 *     (UPSTREAM_MOVED), one whose address upstream uses gets the next free slug
 *     (UPSTREAM_ADDRESS).
 *   - A tree of more than PAGE_DEPTH levels is refused: nothing is changed.
 *
 * One transaction would block all other writers for the whole import. So the new
 * rows of main and of the upstream branch are staged (store/stage.h), in passes:
 *
 *   plan      reads a snapshot of main at its head; all reading is at that point
 *   rows      stages the rows that have to differ, and removes what an earlier pass
 *             staged and this one does not need
 *   tree      reads the tree with the staged rows and corrects it by staging more
 *   follow    stages the upstream branch's rows; prepares search, links, comments
 *   publish   one short transaction. If main's head is still the planned one, it adds
 *             both revisions, switches to what was prepared (propagate_publish())
 *             and calls commit(). Otherwise another pass begins, for the new head; it finds
 *             nearly all of its rows staged already.
 *
 * Nothing is visible before publish. Rows that a killed import leaves behind are
 * reused by the next import of the space, or removed by upstream_sweep(), a job that
 * the purge queues where no import is waiting. Since each pass decides for the head
 * that it publishes over, a merge that happens during an import counts as one that
 * happened before it.
 */
#ifndef OCTAVO_UPSTREAM_H
#define OCTAVO_UPSTREAM_H

#include "store/content.h"

/* A node as it should be after the import. */
struct wanted {
	struct node node;       /* body and refs are set here from the bytes below */
	struct str  body;       /* bytes of a page or setting; p NULL: they are stored, and node.body is their hash */
	struct str  refs;       /* link map, JSON; p NULL: it is stored, and node.refs is its hash, or there is none */
};

/* The upstream branch of a space; 0: nothing was ever imported. */
int64_t upstream_branch(struct db *db, const char *space);

/* The head of main. False: there is no such space. */
bool upstream_main(struct db *db, struct arena *a, const char *space, struct point *out);

/*
 * Upstream's last state; main's content if there is no upstream branch yet. False: there is no such
 * space.
 */
bool upstream_view(struct db *db, struct arena *a, const char *space, struct point *out);

enum upstream_end {
	UPSTREAM_DONE,
	UPSTREAM_REFUSED,       /* commit() or alive() returned false, or the tree is invalid (result.error) */
	UPSTREAM_BUSY,          /* main changed during each of many passes: try again later */
	UPSTREAM_FILES          /* a file of the batch was swept meanwhile: make the batch again */
};

/* A node whose changes on both sides clash: main keeps its version. */
struct upstream_conflict {
	struct upstream_conflict *next;
	const char          *id, *title;
	const struct wanted *wanted;     /* upstream's version; NULL: it is deleted there */
	struct node         *before;     /* upstream's last version; NULL: none */
	int64_t              main_since; /* `since` of main's version if its content equals `before`; -1: it does not */
};

struct upstream_result {
	char   *revision;       /* main's newest revision; the old one if nothing changed */
	bool    changed;        /* main, or the branch that the state was written to, has a new revision */
	int64_t branch;         /* the upstream branch */
	size_t  added, edited, removed;     /* nodes of main */
	struct upstream_conflict *conflicts;   /* of the last pass */
	const char *error;      /* why the state cannot be imported; NULL: there is no message */
};

/* What happened to a page of main, for a report. */
enum upstream_event {
	UPSTREAM_BOTH,           /* both sides changed it, and the changes clash; main's version stays */
	UPSTREAM_MOVED,          /* its parent was deleted, or became its descendant: it moved up */
	UPSTREAM_ADDRESS         /* its slug changed, because an upstream page has the address */
};

/* What to import, and the callbacks, which may be NULL. */
enum { UPSTREAM_KINDS = NODE_PAGES | NODE_FILE | NODE_REUSABLE | NODE_SETTING };
struct upstream_task {
	struct wanted *list;    /* all nodes of upstream; hashes and order keys are set in place */
	size_t         n;
	/*
	 * The nodes of the view (UPSTREAM_KINDS), in any order, if the caller has listed them;
	 * NULL: they are listed again.
	 */
	const struct node *held;
	size_t         held_n;
	const char *author;     /* id of the user; or NULL */
	const char *git;        /* JSON of the commit, for the revision; or NULL */
	/*
	 * The state was exported from the view, a point of main: it differs only in paths, and in
	 * how links are spelled. Main takes these, and loses nothing that a repository cannot
	 * express.
	 */
	bool exported;
	/*
	 * The space does not follow this repository, but another one or none. Only the branch of this
	 * repository gets the state (`branch`; 0: there is none yet); main stays unchanged.
	 */
	bool branch_only;
	int64_t branch;
	bool returned;          /* the space follows this repository again: main takes its paths */
	bool forced;            /* main gets a revision even without differences; not with as_request or branch_only */
	bool as_request;        /* main stays unchanged: each difference becomes a conflict, for a change request */
	struct blob_batch *files;   /* files whose rows are added with the nodes that name them, or NULL */
	/* Called for each event of the last pass, before the publishing transaction. */
	void (*note)(void *ctx, enum upstream_event what, const struct node *page);
	/*
	 * Decides about a node that both sides changed; without it the two are merged. Called inside
	 * a read transaction. before: upstream's last version, now: main's; either may be NULL.
	 * Returns main's new version (with as_request: that of the conflict): w, or another one (in
	 * the arena, body and refs set); or NULL: main keeps its version. The upstream branch gets w
	 * in any case.
	 */
	struct wanted *(*both)(void *ctx, const struct node *before, const struct node *now, struct wanted *w);
	bool whole;             /* missing files and reusable contents are deleted even if they have no path in a repository */
	/*
	 * All events of a pass were reported and nothing is published yet; outside any transaction.
	 * Called once for each pass.
	 */
	void (*ready)(void *ctx);
	/* The last call in the publishing transaction; false: it is rolled back. */
	bool (*commit)(void *ctx, const struct upstream_result *out);
	/* Called between transactions; false: stop (UPSTREAM_REFUSED). total 0: not known. */
	bool (*alive)(void *ctx, const char *stage, size_t done, size_t total);
	void *ctx;
};

/*
 * Imports the wanted state; outside any transaction, in short ones of its own. view: from
 * upstream_view(); it may be older as long as no other import of the space ran since. Any result
 * except UPSTREAM_DONE leaves nothing behind.
 */
enum upstream_end upstream_take(struct db *db, struct arena *a, const struct point *view,
    const struct upstream_task *task, struct upstream_result *out);

/* The same, but the state becomes a revision of a new branch over main, which is not changed. */
enum upstream_end upstream_standalone(struct db *db, struct arena *a, const char *space,
    const struct upstream_task *task, struct upstream_result *out);

/*
 * Makes a change request of the space with upstream's side of out.conflicts, in the name of the
 * author (NULL: a member with the highest role). view: as for upstream_take(). Inside the
 * publishing transaction. NULL: there is nothing to merge, or the space has no member to see it.
 */
char *upstream_request(struct db *db, struct arena *a, const struct point *view, struct blob_batch *files,
    const struct upstream_result *out, const char *author, const char *subject);

/*
 * Removes what killed imports staged in a space and prepared; in short transactions. No import of
 * the space may be running (app/queue.h).
 */
void upstream_sweep(struct db *db, struct arena *a, const char *space);

#endif
