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
	/* What is wrong: where ("/changes/2/page") and what. NULL: nothing. */
	const char         *where, *why;
	bool                unknown;      /* it names something that is not there: 404 rather than 400 */
	const char         *disk;         /* why files cannot be written, which is nobody's mistake: 503 */
};

/*
 * Is so much to be read for these changes (the documents sent, the bodies that
 * they replace: EDIT_AHEAD_MIN bytes) that it should be done ahead of the
 * transaction? e->now is the request's head. Reads alone.
 */
enum { EDIT_AHEAD_MIN = 16 << 10 };
bool edit_is_large(struct edit *e);

/*
 * Makes the bodies and finds the links of e->changes ahead, in a read transaction,
 * with e->now at the request's head; for e->ahead of an edit of the same changes,
 * in the same arena. What they depended on is kept with them (the page's body and
 * links, what each spelling led to) and asked again by edit_apply(), which makes
 * anew what would now come out otherwise: the result is what it would be without.
 */
struct edit_ahead *edit_prepare(struct edit *e);

/* Applies e->changes; false: see disk, else where and why. In a write transaction; e->now is set by the caller
 * to the point of the new revision. */
bool edit_apply(struct edit *e);

/* Why a file may not be called that; NULL: it may. */
const char *file_name_fault(const char *name);

#endif
