/*
 * Writing content: the changes of one `POST CR/content`, applied in order to a request's branch as
 * one new revision. If one change is faulty, none is applied: the caller rolls back.
 *
 * Pages are sent as Markdown or as document JSON, and stored as Markdown. Blocks that a client did
 * not change keep their exact bytes (body_keep). Links may be written as relative files, page
 * paths, /pages/ID, /files/ID, or refs of the same batch (./REF.md), which become /pages/ID. The
 * map from the spelling of a link to its target is made at the end, when all pages of the batch are
 * in their places.
 */
#ifndef OCTAVO_EDIT_H
#define OCTAVO_EDIT_H

#include "store/content.h"

struct cJSON;

enum edit_effect { EDIT_CREATED, EDIT_UPDATED, EDIT_DELETED };

struct edit_page {
	struct edit_page *next;
	const char       *id, *ref;       /* ref: NULL if it has none */
	enum edit_effect  effect;         /* of the whole batch */
	int               change;         /* index of the last change that affected the page */
	bool              body_changed;   /* its link map must be made again */
};

struct edit_file {
	struct edit_file *next;
	const char       *id;
	enum edit_effect  effect;
};

struct edit_ahead;         /* the result of edit_prepare(): edit_ahead.c */

struct edit {
	struct db          *db;
	struct arena       *arena;
	const char         *dir;          /* data directory, for files */
	const struct point *request;      /* the head of the request before the batch */
	struct point        now;          /* the revision that is being made */
	const struct cJSON *changes;      /* the list that the client sent */
	int                 change;       /* index of the change that is being applied */
	struct edit_page   *pages, **last_page;   /* affected pages, each once, in order */
	struct map         *touched;      /* the same pages by id */
	struct edit_file   *files, **last_file; /* files, in the order of the changes */
	struct map         *refs;         /* ref -> struct edit_ref */
	size_t              ref_count;
	struct blob_batch  *batch;        /* bytes of files that are new or replaced */
	struct edit_ahead  *ahead;        /* prepared before the transaction; or NULL */
	struct map         *placed;       /* id -> struct node: pages as edit_prepare() has placed them so far */
	struct arena       *scratch;      /* memory for one look-up; NULL: not made yet */
	const char        **moved;        /* keys of everything that moved since `ahead` was made (store/places.h) */
	size_t              moved_n, moved_room;
	int                 lookups_inside; /* look-ups inside the transaction so far */
	const char        **new_ids;      /* ids that edit_prepare() gives inserted pages, by change */
	struct edit_prepared *read;       /* the bodies that edit_prepare() has made so far */
	size_t              keys, keys_most;  /* keys noted by edit_prepare(), and their maximum (0: EDIT_KEYS) */
	bool                can_prepare_again; /* the caller is able to call edit_prepare() again */
	/* The fault: JSON pointer ("/changes/2/page") and message. where is NULL if there is none. */
	const char         *where, *why;
	bool                must_prepare; /* not a fault: the caller must call edit_prepare() again with this edit's `ahead` */
	bool                unknown;      /* the fault is that something named does not exist: 404 instead of 400 */
	const char         *disk;         /* why files cannot be written; not the client's fault, so 503 */
};

/*
 * True if the changes have so much text (sent documents, and bodies that they replace or restore:
 * EDIT_AHEAD_MIN bytes) that it should be read ahead of the transaction. Four kilobytes may contain
 * 700 links, each of which is resolved. e->now is the request's head. Only reads.
 */
enum { EDIT_AHEAD_MIN = 4 << 10 };
bool edit_is_large(struct edit *e);

/*
 * Prepares a batch before its write transaction: makes the bodies of e->changes, finds their links
 * and resolves their targets. Call it in a read transaction, with e->now at the request's head. The
 * result is e->ahead for an edit of the same changes in the same arena.
 *
 * Each result records what it depends on: the page's body, links and place, and the keys of each
 * look-up (store/places.h). edit_apply() makes a body again if these changed, and resolves a link
 * again only if something that its target depends on was moved, by others or by the batch itself. So
 * the result is the same as without preparation, except for the limit of look-ups inside the
 * transaction (edit_targets.c).
 *
 * If a large body would have to be made again inside the transaction, edit_apply() sets
 * e->must_prepare instead, if the caller allows it (can_prepare_again). The caller then prepares
 * the batch again, with e->ahead of the first time, which now also has the targets found inside the
 * transaction.
 */
struct edit_ahead *edit_prepare(struct edit *e);

/*
 * True if the request's base was moved since, so that it is unknown which results are still valid:
 * they should then be made again. request: its current head.
 */
bool edit_is_old(const struct edit_ahead *ahead, const struct point *request);

/*
 * Applies e->changes. If it returns false, look at must_prepare and disk first, then at where and why.
 * Inside a write transaction; the caller sets e->now to the point of the new revision.
 */
bool edit_apply(struct edit *e);

/* Why a file must not have this name; NULL: it is allowed. */
const char *file_name_fault(const char *name);

#endif
