/*
 * Makes a new space with the content of another one as of one revision.
 *
 * Thousands of rows in one transaction would block other writers for tenths of a second. So a large
 * copy is written in short ones, as rows of a staged revision (store/stage.h), with search and
 * links, in a space that is still hidden (SPACE_UNFINISHED); the last transaction adds the revision
 * and shows the space, which is a handful of rows. If the copying process is killed before that,
 * the purge removes the hidden space. If the source changes meanwhile, the copy has the revision at
 * which it began, and a job "index" completes its search. A small copy is written in the
 * transaction that shows it.
 */
#ifndef OCTAVO_COPY_SPACE_H
#define OCTAVO_COPY_SPACE_H

#include "store/content.h"
#include "store/space.h"

struct copy {
	struct point from;       /* head of the source when the copy began */
	const char  *space;      /* id of the new space; NULL: not begun */
	int64_t      branch;     /* main branch of the new space */
	int64_t      edition;    /* edition of its links; 0: not made yet */
	bool         found;      /* search has its pages */
};

/* True if a copy of this main branch would take too long for one transaction. */
bool copy_is_long(struct db *db, struct arena *a, int64_t branch);

/*
 * Writes a large copy; outside any transaction. n: the space as it is now; the shown space gets the
 * n of copy_show().
 */
void copy_ahead(struct db *db, struct arena *a, struct copy *c, int64_t branch, const struct space_new *n);

/*
 * Shows the copy, or makes and shows it (c->space NULL); in a write transaction. n->author is the
 * author of the revision. False: the hidden copy was removed meanwhile.
 */
bool copy_show(struct db *db, struct arena *a, struct copy *c, int64_t branch, const struct space_new *n);

#endif
