/*
 * A new space with the content of another one as it is at one revision.
 *
 * Thousands of rows in one transaction would keep all who write waiting for tenths of a second. So a large copy is
 * written in short ones, as rows of a revision that is not there yet (store/stage.h), in a space that nobody sees
 * (SPACE_UNFINISHED), its search and links with it; the last transaction adds the revision and shows the space,
 * which is a handful of rows. Who is killed before leaves what nobody sees, and the purge takes it. Where somebody
 * writes in the source meanwhile the copy is the revision that it was begun with, and a job "index" looks after
 * its search. A small copy is written in the transaction that shows it.
 */
#ifndef OCTAVO_COPY_SPACE_H
#define OCTAVO_COPY_SPACE_H

#include "store/content.h"
#include "store/space.h"

struct copy {
	struct point from;       /* head of the source when the copy was begun */
	const char  *space;      /* id of the new one; NULL: not begun */
	int64_t      branch;     /* its main */
	int64_t      edition;    /* of its links; 0: they are still to be made */
	bool         found;      /* its pages are in search */
};

/* Would a copy of this main branch be longer than a transaction may be? */
bool copy_is_long(struct db *db, struct arena *a, int64_t branch);

/* Writes a large one; outside any transaction. n as it is now: what is shown is what copy_show() gets. */
void copy_ahead(struct db *db, struct arena *a, struct copy *c, int64_t branch, const struct space_new *n);

/*
 * Shows it, or makes and shows it (c->space NULL); in a write transaction. The revision is by n->author. False:
 * what was written ahead has gone meanwhile.
 */
bool copy_show(struct db *db, struct arena *a, struct copy *c, int64_t branch, const struct space_new *n);

#endif
