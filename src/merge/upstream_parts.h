/* What upstream.c (decisions, passes), upstream_tree.c (correcting main's tree) and upstream_order.c (order keys) share. */
#ifndef OCTAVO_UPSTREAM_PARTS_H
#define OCTAVO_UPSTREAM_PARTS_H

#include "base/map.h"
#include "merge/upstream.h"
#include "propagate/propagate.h"
#include "store/stage.h"

/* A note that is delivered when the pass that it was made in is the last. */
struct told {
	struct told        *next;
	enum upstream_event what;
	const struct node  *page;
};

struct sides {
	struct db          *db;
	struct arena       *arena;
	const struct upstream_task *task;
	const struct point *view;      /* what upstream held last */
	struct point        main;      /* main, as this pass plans for it */
	struct stage        onto;      /* main's rows */
	struct stage        own;       /* the upstream branch's; its branch is 0 before there is one */
	int64_t             own_head;  /* of the upstream branch; -1: it has no revision yet */
	struct wanted     **sorted;    /* all that upstream holds, by id */
	const char        **keys;      /* and their order keys, as they were wanted */
	size_t              n;
	struct told        *told, **last_told;
	struct upstream_result *out;
	struct upstream_conflict **last_conflict;
	struct map         *crowded;   /* parents below which a key got long in main */
	struct map         *again_seen;
	const char        **again;     /* ids to compare with main, though it shows no change there */
	size_t              again_n, again_cap;
	struct propagation      propagation;
	struct stage_watch  watch;     /* the task's */
	bool                stopped;   /* it said no */
};

/*
 * Begins to read: a snapshot in which main is as this pass plans for it. False,
 * and nothing begun, where somebody moved main.
 */
bool sides_look(struct sides *s);

/* Main at its head; false: no such space. */
bool sides_main(struct db *db, struct arena *a, const char *space, struct point *out);

/* The id is compared with main at the end, once. */
void sides_look_again(struct sides *s, const char *id);

/*
 * Converts the order keys of what upstream holds, and held (old; NULL: the same), to
 * main's era (store/order.h), below all parents whose era differs between the two
 * points. Reads only.
 */
void sides_carry(struct sides *s, const struct point *from, const struct point *main,
    struct node *old, size_t old_n);

/*
 * Deals new keys to main's siblings where keys got long, and the same to upstream's.
 * False: main's head moved. Outside any transaction.
 */
bool sides_make_room(struct sides *s);

/* Main keeps its side; upstream's goes where the caller puts it. w NULL: it is deleted there. */
void sides_set_aside(struct sides *s, const struct wanted *w, const struct node *before, const struct node *now);

/* Merges what both sides changed, with before as the base, and puts it into main. False: they clash, or main has
 * it no more. */
bool sides_merge(struct sides *s, struct wanted *w, const struct node *before, const struct node *now);

/* What main takes of its own content as an export wrote it: where it went, and how it is spelled there. */
struct node sides_as_exported(struct sides *s, const struct wanted *w, const struct node *before);

/* Everything that a reader, a merge or an export can see of them. */
bool sides_same(const struct node *a, const struct node *b);
bool sides_same_front(struct sides *s, const struct node *before, const struct wanted *w);

/* Is main's node as upstream held it last, or as an export wrote that? was, is: there were such nodes at all. */
bool sides_untouched(struct sides *s, const struct node *before, const struct node *now, bool was, bool is);

/* Of a page that upstream did not change: main takes where it is in the repository that the space returns to. */
void sides_return(struct sides *s, struct wanted *w, const struct node *before);

/* Is it a setting that says where content is in the repository, and nothing that readers see? */
bool tells_place(const struct node *n);

/* A row of main that is written. before: what upstream held; NULL: nothing. */
void count_put(struct sides *s, const struct node *before);

/* Notes what became of a page. */
void sides_tell(struct sides *s, enum upstream_event what, const struct node *page);

/* By id; NULL if upstream does not hold it. */
struct wanted *wanted_of(const struct sides *s, const char *id);

/* Main as it is in the revision that is being made. */
struct point sides_after(const struct sides *s);

/* Stages an upstream node as main's version. */
void put_wanted(struct sides *s, struct wanted *w);

/*
 * Corrects main's tree after the rows were staged. False: it stays invalid and
 * s->out->error says why, or (error NULL) main's head moved or a file is missing.
 */
bool upstream_mend(struct sides *s);

#endif
