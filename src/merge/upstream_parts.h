/*
 * Shared by the files upstream*.c: upstream.c (decisions, passes), upstream_ids.c (nodes by id),
 * upstream_both.c (nodes that both sides changed), upstream_tree.c (corrects main's tree) and
 * upstream_order.c (order keys).
 */
#ifndef OCTAVO_UPSTREAM_PARTS_H
#define OCTAVO_UPSTREAM_PARTS_H

#include "base/map.h"
#include "merge/upstream.h"
#include "propagate/propagate.h"
#include "store/stage.h"

/* An event of a pass. It is reported if this pass is the last one. */
struct pending_event {
	struct pending_event *next;
	enum upstream_event   what;
	const struct node    *page;
};

/*
 * A node of upstream in the order of ids. Most comparisons need only the first bytes: the nodes may be in
 * mapped memory (base/mapped.h), where reading each takes longer.
 */
struct wanted_key {
	uint64_t       first;      /* the first eight bytes of the id, as a number that sorts like them */
	struct wanted *wanted;
	const char    *ord;        /* the order key that the caller set in it */
};

/* An import under way. The two sides are upstream and main. */
struct sides {
	struct db          *db;
	struct arena       *arena;
	struct arena       *scratch;   /* reset after each node */
	const struct upstream_task *task;
	const struct point *view;      /* upstream's last state */
	struct point        main;      /* the head of main for which this pass plans */
	struct stage        main_stage; /* stage for the rows of main */
	struct stage        upstream_stage; /* stage for the rows of the upstream branch; branch 0: it does not exist yet */
	int64_t             upstream_head; /* head of the upstream branch; -1: it has no revision yet */
	struct wanted_key  *sorted;    /* all nodes of upstream, by id */
	size_t              n;
	bool                carried;   /* order keys were changed: the next pass restores those of the caller */
	struct pending_event *events, **last_event;
	struct upstream_result *out;
	struct upstream_conflict **last_conflict;
	struct map         *crowded;   /* parents below which a key of main became too long */
	const char        **recheck;   /* ids to compare with main at the end (sides_compare_later()), each once */
	size_t              recheck_n, recheck_cap;
	struct map         *recheck_seen;
	struct propagation  propagation;
	struct stage_watch  watch;     /* the callback of the task */
	bool                stopped;   /* the callback returned false */
};

/*
 * Begins a read transaction. False, and no transaction is open: main's head is no longer the one
 * for which this pass plans.
 */
bool sides_begin(struct sides *s);

/* The head of main; false: there is no such space. */
bool sides_main(struct db *db, struct arena *a, const char *space, struct point *out);

/* Records an id that is compared with main at the end; each id once. */
void sides_compare_later(struct sides *s, const char *id);

/*
 * Carries the order keys of upstream's nodes over to main's era (store/order.h), below all parents
 * whose era differs between the two points. old: upstream's last state, whose keys are carried over
 * as well; NULL: it is the same. Only reads.
 */
void sides_carry(struct sides *s, const struct point *from, const struct point *main,
    struct node *old, size_t old_n);

/*
 * Renumbers main's siblings if a key became too long, and gives upstream's pages keys of the new
 * era. False: main's head changed. Call it outside of any transaction.
 */
bool sides_make_room(struct sides *s);

/* Main keeps its version; upstream's becomes a conflict. w NULL: upstream deleted it. */
void sides_add_conflict(struct sides *s, const struct wanted *w, const struct node *before, const struct node *now);

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
 * True if main's node is still upstream's last version, or what an export made of it. was, is:
 * whether `before` and `now` exist.
 */
bool sides_untouched(struct sides *s, const struct node *before, const struct node *now, bool was, bool is);

/*
 * For a page that upstream did not change, when the space follows this repository again: main takes
 * the page's path in it.
 */
void sides_return(struct sides *s, struct wanted *w, const struct node *before);

/* True for a setting that only records where content is in the repository, which readers do not see. */
bool is_place_setting(const struct node *n);

/* Counts a row of main that is written. before: upstream's last version; NULL: none. */
void count_put(struct sides *s, const struct node *before);

/* Records an event for a page. */
void sides_add_event(struct sides *s, enum upstream_event what, const struct node *page);

/* Sorts the keys by id, and sets `first`. */
void wanted_sort(struct wanted_key *list, size_t n);
/* Finds a node by id; NULL: upstream does not have it. */
struct wanted *wanted_of(const struct sides *s, const char *id);

/* Main at the revision that is being made. */
struct point sides_after(const struct sides *s);

/* Stages an upstream node as main's version. */
void put_wanted(struct sides *s, struct wanted *w);

/*
 * Corrects main's tree after its rows were staged. False: the tree stays invalid, and s->out->error
 * says why; or, with error NULL, main's head changed or a file is missing.
 */
bool upstream_mend(struct sides *s);

#endif
