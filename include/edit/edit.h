/*
 * Writing content: the changes of one `POST CR/content`, applied in order to a
 * request's branch as one new revision. All or nothing: the caller rolls back
 * on a fault.
 *
 * Pages come as Markdown or as document JSON and are stored as Markdown. Blocks
 * that a client did not touch keep their exact bytes (body_keep). Links may be
 * written as relative files, page paths, /pages/ID, /files/ID, or the batch's own
 * refs (./REF.md), which become /pages/ID; the map from spelling to target is made
 * at the end, when every page of the batch is in its place.
 */
#ifndef OCTAVO_EDIT_H
#define OCTAVO_EDIT_H

#include "store/content.h"

struct cJSON;

enum edit_effect { EDIT_CREATED, EDIT_UPDATED, EDIT_DELETED };

struct edit_page {
	struct edit_page *next;
	const char       *id, *ref;       /* ref: NULL if none */
	enum edit_effect  effect;
	int               change;         /* the last one that touched it */
	bool              body_changed;
};

struct edit_file {
	struct edit_file *next;
	const char       *id;
};

struct edit_ahead;         /* what edit_prepare() made: edit_ahead.c */

struct edit {
	struct db          *db;
	struct arena       *arena;
	const char         *dir;          /* data directory, for files */
	const struct point *request;      /* before: its head */
	struct point        now;          /* what is being made */
	const struct cJSON *changes;
	int                 change;       /* the one that is being applied */
	struct edit_page   *pages, **last_page;   /* affected, once each, in order */
	struct map  *touched;      /* the same by id */
	struct edit_file   *files, **last_file;
	struct map  *refs;         /* ref -> struct edit_ref */
	size_t              ref_count;
	struct blob_batch  *batch;        /* bytes of the inserted files */
	struct edit_ahead  *ahead;        /* made ahead of the transaction; NULL: nothing was */
	struct map         *placed;       /* id -> struct node: where edit_prepare() has put pages so far */
	struct arena       *scratch;      /* of one look-up; NULL: there was none yet */
	const char        **moved;        /* keys of what moved since `ahead` was made (store/places.h) */
	size_t              moved_n, moved_room;
	int                 looked;       /* spellings that were looked up inside the transaction */
	const char        **new_ids;      /* of pages that edit_prepare() takes for inserted, by change */
	struct edit_made   *read;         /* what edit_prepare() has made so far */
	size_t              keys, keys_most;  /* keys that edit_prepare() has noted, and notes at most (0: EDIT_KEYS) */
	bool                can_wait;     /* the caller can read the batch ahead once more */
	/* What is wrong: where ("/changes/2/page") and what. NULL: nothing. */
	const char         *where, *why;
	bool                waits;        /* nothing is wrong: it has to be read ahead once more, with this edit's ahead */
	bool                unknown;      /* it names something that is not there: 404 rather than 400 */
	const char         *disk;         /* why files cannot be written, which is nobody's mistake: 503 */
};

/*
 * Is so much to be read for these changes (the documents sent, the bodies that
 * they replace or bring back: EDIT_AHEAD_MIN bytes) that it should be done ahead of
 * the transaction? Four kilobytes may hold 700 links, each of which is looked up.
 * e->now is the request's head. Reads alone.
 */
enum { EDIT_AHEAD_MIN = 4 << 10 };
bool edit_is_large(struct edit *e);

/*
 * Makes the bodies of e->changes ahead, finds their links and looks up what they lead
 * to, in a read transaction, with e->now at the request's head; for e->ahead of an edit of
 * the same changes, in the same arena. What they depended on is kept with them (the
 * page's body and links, where it stands, what else each look-up asked for), and
 * edit_apply() makes anew what would now come out otherwise. It asks again only where
 * something that an answer depends on was moved, by others since or by the batch itself:
 * the result is what it would be without, but for the limit of look-ups that are made
 * inside (edit_targets.c).
 *
 * A large body that would have to be made anew is better read ahead once more, where the caller
 * can do that (can_wait): e->ahead of the second time is that of the first, which says by now
 * where links lead while the batch is under way.
 */
struct edit_ahead *edit_prepare(struct edit *e);

/*
 * Was the request's base moved since that was made, so that nothing tells what of it still counts?
 * Then it should be made again. request: its head now.
 */
bool edit_is_old(const struct edit_ahead *ahead, const struct point *request);

/* Applies e->changes; false: see waits, disk, else where and why. In a write transaction; e->now is set by the caller
 * to the point of the new revision. */
bool edit_apply(struct edit *e);

/* Why a file may not be called that; NULL: it may. */
const char *file_name_fault(const char *name);

#endif
