/* Between edit.c (operations on the tree), edit_files.c and edit_page.c (what is in a page). */
#ifndef OCTAVO_EDIT_PARTS_H
#define OCTAVO_EDIT_PARTS_H

#include "edit/edit.h"

/* What a ref of the batch stands for. */
struct edit_ref {
	const char *id;
	bool        file;
};

/* ---- what links lead to (edit_targets.c) ---- */

/* A spelling that was looked up. */
struct edit_asked {
	struct edit_asked *next, *next_stale, *next_given;
	struct str         spelling;
	struct doc_ref     was, now;          /* where it led ahead, and where it led in turn `found`; REF_NONE: nowhere */
	int                stale;             /* the turn for which the answer of ahead does not count */
	int                found;             /* the turn in which `now` was looked up; -1: not yet */
	bool               inside;            /* looked up inside the transaction alone */
	bool               body;              /* the body depends on it */
};

/*
 * A page is read before it is written again: its spellings may be older than the
 * places of what they lead to, or its own. So a spelling leads where it does now,
 * else where the page has it on record.
 */
struct edit_targets {
	struct edit       *edit;
	const char        *id;          /* of the page */
	struct resolver    resolver;
	struct link_map    known;       /* of the page as it is stored */
	struct map        *tried;       /* spelling -> struct edit_asked: each looked up once */
	struct edit_asked *asked;       /* the same in a list */
	struct edit_asked *asking;      /* the one that is being looked up */
	struct map        *keys;        /* store/places.h -> answers that depend on it */
	const struct map  *before;      /* `tried` of when the batch was read ahead before; NULL: it was not */
	struct edit_asked *given;       /* answers that an earlier transaction found */
	struct edit_asked *stale;       /* answers of ahead that do not count now */
	int                turn;        /* number of this use of the answers, also across transactions; 0: they are found ahead */
	struct map        *spelled;     /* target, spelled by id -> struct link_map_entry; NULL: not made yet */
};

/* A body that was made ahead, and what it depended on. */
struct edit_made {
	struct edit_made    *next;
	int                  change;             /* of which it is */
	struct str           old_body, old_refs; /* hashes, of the page as it was; empty for a new page */
	struct str           then_body;          /* of the page whose blocks come back */
	struct edit_targets *targets;            /* of the page as it was; NULL: no document was sent */
	struct edit_targets *map;                /* from where it will stand */
	struct node          page;               /* where it stands behind that change */
	struct str           body;
	const char          *fault;              /* beyond the limits of documents; NULL: it is not */
	struct packed        stored;             /* body, ready to be stored */
	struct doc_link     *links;              /* in body, */
	bool                 linked;             /* if they were read already */
	struct str           refs;               /* the map of them */
};

/* Keys of one batch, of about a hundred bytes each: those of 100,000 spellings. */
enum { EDIT_KEYS = 2000000 };

struct edit_ahead {
	struct point      at;                 /* head of the request then */
	struct map       *refs;               /* ref -> struct edit_ref: the same ids again */
	const char      **ids;                /* of pages that are inserted without one, by their changes */
	struct edit_made *made;
	int               turns;              /* uses of the answers so far, in transactions that were given up as well */
	bool              lost;               /* it cannot be told what moved since: no answer is used */
	bool              crowded;            /* not all keys were noted: no answer is used where anything moved */
};

/* The id of a page that a change inserts: each time the same where it was read ahead. */
const char *edit_new_id(struct edit *e, int change, const char *ref);

/* The bytes of a body that is stored, or was made for an earlier change of the batch. */
bool edit_body(struct edit *e, struct str hash, struct str *body);

/*
 * Targets at e->now, ahead of the transaction and inside it; these with what was found ahead, for
 * this change if it was (-1: at the end).
 */
struct edit_targets *edit_targets_ahead(struct edit *e, const struct node *n);
void edit_targets_now(struct edit_targets *t, struct edit *e, int change, const struct node *n);

/* What was asked so far is what the body depends on. */
void edit_targets_for_body(struct edit_targets *t);

/* Do all links, or those that the body depends on, lead where they did ahead? */
bool edit_leads_as_before(struct edit_targets *t, const struct edit_targets *ahead, bool body);

/* Look-ups for documents; ctx is a struct edit_targets. led_to: of the body as it is stored. */
bool edit_leads_to(void *ctx, struct arena *a, struct str spelling, enum doc_use use, struct doc_ref *out);
bool edit_led_to(void *ctx, struct arena *a, struct str spelling, enum doc_use use, struct doc_ref *out);

/* Notes that the node, or anything at all, may stand elsewhere now than ahead. */
void edit_moved(struct edit *e, const char *id);
void edit_moved_all(struct edit *e);

/* Links and their map of a body that was made; placed: the page where it will stand. */
void edit_links_ahead(struct edit *e, struct edit_made *m, const struct node *placed);

/* Link maps of all pages that got a new body. */
bool edit_links(struct edit *e);

/* ---- changes ---- */

/* A member of a change; NULL where it is missing or no text, null included. */
const char *edit_text(const struct cJSON *c, const char *name);

/* The ids of the batch's refs, into e->refs. */
bool edit_take_refs(struct edit *e);

/* What edit_document() and edit_revert_blocks() would store for the change; NULL: nothing, or it would be refused. */
struct edit_made *edit_document_ahead(struct edit *e, int change, const struct cJSON *c, struct node *n);
struct edit_made *edit_blocks_ahead(struct edit *e, int change, const struct cJSON *keys, const struct node *now,
    const struct node *then);

/* Records a fault; returns false. */
bool edit_fault(struct edit *e, int change, const char *member, const char *why);

/* The id that a ref of the batch stands for. */
const char *edit_ref_id(struct edit *e, const char *ref);

/* Notes an affected page, once; its entry. */
struct edit_page *edit_touched(struct edit *e, const char *id, enum edit_effect effect,
    const char *ref);

/* Writes the version at the new revision. */
void edit_put(struct edit *e, struct node *n);

/* title, emoji, icon, description, hidden, noIndex, noRobotsIndex, condition of a change. */
bool edit_properties(struct edit *e, int change, const struct cJSON *c, struct node *n);

/* The change's document, if it has one: body, and what its frontmatter and heading say. */
bool edit_document(struct edit *e, int change, const struct cJSON *c, struct node *n,
    struct edit_page *p);

/* A slug as sent, checked; NULL after a fault. */
const char *edit_slug(struct edit *e, int change, const char *slug);

/* Puts the blocks of these keys back to what they are in `then`. */
bool edit_revert_blocks(struct edit *e, int change, const struct cJSON *keys, struct node *now,
    const struct node *then);

/* insert_files. */
bool edit_files(struct edit *e, int change, const struct cJSON *c);

#endif
