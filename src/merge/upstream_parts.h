/* Between upstream.c (what is taken in) and upstream_tree.c (main's tree stays whole). */
#ifndef OCTAVO_OUTSIDE_PARTS_H
#define OCTAVO_OUTSIDE_PARTS_H

#include "base/map.h"
#include "merge/upstream.h"

struct sides {
	struct db          *db;
	struct arena       *arena;
	const struct point *view;      /* the outside before */
	struct point        main;      /* main now */
	int64_t             outside;   /* branch */
	int64_t             main_seq, upstream_seq;
	struct wanted     **sorted;    /* all that the outside holds, by id */
	size_t              n;
	void              (*note)(void *, enum upstream_event, const struct node *);
	void               *ctx;
	struct upstream_result *out;
	struct map  *crowded;   /* parents below which a key got long in main */
	struct map  *again_seen;
	const char        **again;     /* ids to compare with main, though it shows no change there */
	size_t              again_n, again_cap;
};

/* By id; NULL if the outside does not hold it. */
struct wanted *wanted_of(const struct sides *s, const char *id);

/* Main as it is in the revision that is being made. */
struct point sides_after(const struct sides *s);

/* Writes what the outside holds into main. */
void put_wanted(struct sides *s, struct wanted *w);

/* Mends main's tree after the rows; false: it cannot be, s->out->error says why. */
bool upstream_mend(struct sides *s);

#endif
