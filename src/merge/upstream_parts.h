/*
 * Shared by upstream.c (decisions, passes), upstream_tree.c (corrects main's tree) and
 * upstream_order.c (order keys).
 */
#ifndef OCTAVO_UPSTREAM_PARTS_H
#define OCTAVO_UPSTREAM_PARTS_H

#include "base/map.h"
#include "merge/upstream.h"
#include "propagate/propagate.h"
#include "store/stage.h"

/* An event that is reported if the pass in which it happened is the last one. */
struct pending_event {
	struct pending_event        *next;
	enum upstream_event what;
	const struct node  *page;
};

struct sides {
	struct db          *db;
	struct arena       *arena;
	const struct upstream_task *task;
	const struct point *view;      /* upstream's last state */
	struct point        main;      /* main's head that this pass plans for */
	struct stage        onto;      /* main's rows */
	struct stage        own;       /* the upstream branch's rows; branch 0: it does not exist yet */
	int64_t             own_head;  /* of the upstream branch; -1: it has no revision yet */
	struct wanted     **sorted;    /* all nodes of upstream, by id */
	const char        **keys;      /* and the order keys that the caller gave them */
	size_t              n;
	struct pending_event        *told, **last_told;
	struct upstream_result *out;
	struct upstream_conflict **last_conflict;
	struct map         *crowded;   /* parents with a key of main that became too long */
	struct map         *again_seen;
	const char        **again;     /* ids to compare with main, though main's rows do not change */
	size_t              again_n, again_cap;
	struct propagation      propagation;
	struct stage_watch  watch;     /* the task's */
	bool                stopped;   /* it returned false */
};

/*
 * Begins a read transaction with main's head as this pass plans for it. False, and no transaction
 * is open: another writer changed main.
 */
bool sides_begin(struct sides *s);

/* The head of main; false: there is no such space. */
bool sides_main(struct db *db, struct arena *a, const char *space, struct point *out);

/* Makes the id be compared with main at the end, once. */
void sides_compare_later(struct sides *s, const char *id);

/*
 * Carries the order keys of upstream's nodes, and of its last state (old; NULL: the same), over to
 * main's era (store/order.h), below all parents whose era differs between the two points. Only
 * reads.
 */
void sides_carry(struct sides *s, const struct point *from, const struct point *main,
    struct node *old, size_t old_n);

/*
 * Renumbers main's siblings if a key became too long, and gives upstream's the same keys. False:
 * main's head changed. Outside any transaction.
 */
bool sides_make_room(struct sides *s);

/* Main keeps its version; upstream's becomes a conflict. w NULL: upstream deleted it. */
void sides_set_aside(struct sides *s, const struct wanted *w, const struct node *before, const struct node *now);

/*
 * Merges the versions of both sides, with before as the base, and stages the result in main. False:
 * they clash, or main has deleted it.
 */
bool sides_merge(struct sides *s, struct wanted *w, const struct node *before, const struct node *now);

/* Main's node with the path and the spellings that an export gave it. */
struct node sides_as_exported(struct sides *s, const struct wanted *w, const struct node *before);

/* Compare everything that a reader, a merge or an export can see. */
bool sides_same(const struct node *a, const struct node *b);
bool sides_same_front(struct sides *s, const struct node *before, const struct wanted *w);

/*
 * True if main's node is upstream's last version, or what an export made of that. was, is: whether
 * there are such nodes.
 */
bool sides_untouched(struct sides *s, const struct node *before, const struct node *now, bool was, bool is);

/*
 * For a page that upstream did not change: main takes its path in the repository that the space
 * follows again.
 */
void sides_return(struct sides *s, struct wanted *w, const struct node *before);

/*
 * True for a setting that only records where content is in the repository, which readers do not
 * see.
 */
bool tells_place(const struct node *n);

/* Counts a row of main that is written. before: upstream's last version; NULL: none. */
void count_put(struct sides *s, const struct node *before);

/* Notes an event for a page. */
void sides_tell(struct sides *s, enum upstream_event what, const struct node *page);

/* Finds a node by id; NULL: upstream does not have it. */
struct wanted *wanted_of(const struct sides *s, const char *id);

/* Main at the revision that is being made. */
struct point sides_after(const struct sides *s);

/* Stages an upstream node as main's version. */
void put_wanted(struct sides *s, struct wanted *w);

/*
 * Corrects main's tree after the rows were staged. False: it stays invalid and s->out->error says
 * why, or (error NULL) main's head changed or a file is missing.
 */
bool upstream_mend(struct sides *s);

#endif
