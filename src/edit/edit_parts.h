/*
 * Shared by edit.c (operations on the tree), edit_files.c and edit_page.c (the content of a page).
 */
#ifndef OCTAVO_EDIT_PARTS_H
#define OCTAVO_EDIT_PARTS_H

#include "edit/edit.h"

/* The page or file of a ref of the batch. */
struct edit_ref {
	const char *id;
	bool        file;
};

/*
 * ---- targets of links (edit_targets.c) ----
 *
 * edit_prepare() resolves the links of a page before the transaction, and records the keys of each
 * look-up (store/places.h). edit_apply() uses these results, and looks up again only those with a
 * key that was changed meanwhile. The transaction may be rolled back and repeated, so each use of
 * the results has a number, its turn: 0 is the preparation.
 */

/* The look-up of a spelling. */
struct edit_lookup {
	struct edit_lookup *next, *next_invalid, *next_earlier;
	struct str         spelling;
	struct doc_ref     was, now;          /* target found in turn 0, and in turn `found`; REF_NONE: none */
	int                invalid_in;        /* the turn in which `was` is invalid */
	int                found;             /* the turn in which `now` was found; -1: none yet */
	bool               inside;            /* resolved inside the transaction, not prepared */
	bool               body;              /* the stored bytes of the body depend on it, not only the link map */
};

/*
 * The targets of one page's links. A client reads a page before it writes it: a spelling may be
 * older than the current place of its target, or of the page. So a spelling resolves to its current
 * target, and if there is none, to the one in the page's stored map.
 */
struct edit_targets {
	struct edit       *edit;
	const char        *id;          /* id of the page */
	struct resolver    resolver;
	struct link_map    known;       /* the stored link map of the page */
	struct map        *by_spelling; /* spelling -> struct edit_lookup: each is resolved once */
	struct edit_lookup *lookups;    /* the same as a list */
	struct edit_lookup *current;    /* the one that is being made */
	struct map        *keys;        /* key (store/places.h) -> look-ups that depend on it */
	const struct map  *before;      /* by_spelling of the previous preparation; or NULL */
	struct edit_lookup *earlier;    /* look-ups whose result is from an earlier transaction */
	struct edit_lookup *invalid;    /* prepared look-ups that are invalid in this turn */
	int                turn;        /* see above; counted across transactions */
	struct map        *spelled;     /* target, spelled by id -> struct link_map_entry; NULL: not made yet */
};

/* A body that was made before the transaction, and everything that it depends on. */
struct edit_prepared {
	struct edit_prepared    *next;
	int                  change;             /* index of the change */
	struct str           old_body, old_refs; /* hashes of the page's body and link map at that time; empty for a new page */
	struct str           then_body;          /* hash of the body whose blocks are restored */
	struct edit_targets *targets;            /* links resolved from the page's old place; NULL: no document was sent */
	struct edit_targets *map;                /* links resolved from its new place, for the link map */
	struct node          page;               /* the page after the change */
	struct str           body;
	const char          *fault;              /* why it exceeds the limits of documents; NULL: it does not */
	struct packed        stored;             /* body, ready to be stored */
	struct doc_link     *links;              /* in body */
	bool                 linked;             /* `links` was set */
	struct str           refs;               /* their link map */
};

/*
 * Maximum number of keys of one batch, of about a hundred bytes each: those of 100,000 spellings.
 */
enum { EDIT_KEYS = 2000000 };

/* A preparation. */
struct edit_ahead {
	struct point      at;                 /* head of the request at that time */
	struct map       *refs;               /* ref -> struct edit_ref: the ids are used again */
	const char      **ids;                /* ids of pages that are inserted without a ref, by change */
	struct edit_prepared *made;
	int               turns;              /* number of the last turn */
	bool              changes_unknown;    /* it is unknown what moved since: all look-ups are invalid */
	bool              keys_incomplete;    /* there were more than EDIT_KEYS: if anything moved, all look-ups are invalid */
};

/* The id of a page that a change inserts: the same as in the preparation, if there was one. */
const char *edit_new_id(struct edit *e, int change, const char *ref);

/* Reads the bytes of a body that is stored, or that was made for an earlier change of the batch. */
bool edit_body(struct edit *e, struct str hash, struct str *body);

/*
 * Targets at e->now: edit_targets_ahead() for a preparation, edit_targets_now() inside the
 * transaction, with the look-ups that were prepared for this change (-1: for the end of the batch).
 */
struct edit_targets *edit_targets_ahead(struct edit *e, const struct node *n);
void edit_targets_now(struct edit_targets *t, struct edit *e, int change, const struct node *n);

/* Marks all look-ups so far as those that the body depends on. */
void edit_targets_for_body(struct edit_targets *t);

/* True if all links (body: those that the body depends on) still have the prepared targets. */
bool edit_targets_unchanged(struct edit_targets *t, const struct edit_targets *ahead, bool body);

/*
 * Callbacks that look up the target of a link; ctx is a struct edit_targets. edit_resolve_link() is
 * for the sent document: the current target counts, then the stored map. edit_resolve_stored_link() is
 * for the stored body: false if the stored target is not the current one any more.
 */
bool edit_resolve_link(void *ctx, struct arena *a, struct str spelling, enum doc_use use, struct doc_ref *out);
bool edit_resolve_stored_link(void *ctx, struct arena *a, struct str spelling, enum doc_use use, struct doc_ref *out);

/* Notes that the node, or any node, may have moved since the preparation. */
void edit_note_moved(struct edit *e, const char *id);
void edit_note_all_moved(struct edit *e);

/* Finds the links of a body that was made and their map; placed: the page at its new place. */
void edit_links_ahead(struct edit *e, struct edit_prepared *m, const struct node *placed);

/* Writes the link maps of all pages with a new body. */
bool edit_links(struct edit *e);

/* ---- changes ---- */

/* A member of a change; NULL: it is missing, null, or not a string. */
const char *edit_text(const struct cJSON *c, const char *name);

/* Reads the ids of the batch's refs into e->refs. */
bool edit_take_refs(struct edit *e);

/*
 * Makes the body that edit_document() and edit_revert_blocks() would store for the change; NULL:
 * there is none, or it would be refused.
 */
struct edit_prepared *edit_document_ahead(struct edit *e, int change, const struct cJSON *c, struct node *n);
struct edit_prepared *edit_blocks_ahead(struct edit *e, int change, const struct cJSON *keys, const struct node *now,
    const struct node *then);

/*
 * In the functions below, `change` is the index of a change in the batch, for the pointer in a fault.
 * edit_fault() records a fault in a member of it; returns false.
 */
bool edit_fault(struct edit *e, int change, const char *member, const char *why);

/* The id of a ref of the batch. */
const char *edit_ref_id(struct edit *e, const char *ref);

/* Notes an affected page, once, and returns its entry. */
struct edit_page *edit_touched(struct edit *e, const char *id, enum edit_effect effect,
    const char *ref);

/* Writes the version at the new revision. */
void edit_put(struct edit *e, struct node *n);

/* Sets title, emoji, icon, description, hidden, noIndex, noRobotsIndex, condition and cover from a change. */
bool edit_properties(struct edit *e, int change, const struct cJSON *c, struct node *n);

/*
 * Stores the change's document, if it has one: the body, and the values of its frontmatter and
 * heading.
 */
bool edit_document(struct edit *e, int change, const struct cJSON *c, struct node *n,
    struct edit_page *p);

/* Sets what only the resolution of a conflict sends: "props" and "front", as a whole. */
void edit_take_resolution(const struct cJSON *c, struct node *n);

/* Checks a slug that the client sent; NULL after a fault. */
const char *edit_slug(struct edit *e, int change, const char *slug);

/* Reverts the blocks of these keys to the version in `then`. */
bool edit_revert_blocks(struct edit *e, int change, const struct cJSON *keys, struct node *now,
    const struct node *then);

/* Records that a change names something that does not exist: what ("page of this change request"). Returns false. */
bool edit_missing(struct edit *e, int change, const char *member, const char *what, const char *id);

/* Apply insert_files, update_file and delete_file. */
bool edit_files(struct edit *e, int change, const struct cJSON *c);
bool edit_update_file(struct edit *e, int change, const struct cJSON *c);
bool edit_delete_file(struct edit *e, int change, const struct cJSON *c);

#endif
