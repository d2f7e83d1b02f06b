/* Between edit.c (operations on the tree), edit_files.c and edit_page.c (what is in a page). */
#ifndef OCTAVO_EDIT_PARTS_H
#define OCTAVO_EDIT_PARTS_H

#include "edit/edit.h"

/* What a ref of the batch stands for. */
struct edit_ref {
	const char *id;
	bool        file;
};

/* A body that was made ahead, and what it depended on. */
struct edit_made {
	struct edit_made *next;
	int               change;             /* of which it is the document */
	struct str        old_body, old_refs; /* hashes, of the page as it was; empty for a new page */
	struct edit_asked *asked;             /* where spellings led */
	struct str        body;
	const char       *fault;              /* beyond the limits of documents; NULL: it is not */
	struct str        hash;               /* of body */
	struct doc_link  *links;              /* in body */
};

struct edit_asked {
	struct edit_asked *next;
	struct str         spelling;
	struct doc_ref     ref;               /* REF_NONE: nowhere */
};

struct edit_ahead {
	struct map       *refs;               /* ref -> struct edit_ref: the same ids again */
	struct edit_made *made;
};

/* The ids of the batch's refs, into e->refs. */
bool edit_take_refs(struct edit *e);

/* What edit_document() would store for the change, noted in `ahead`; nothing where it would be refused. */
void edit_document_ahead(struct edit *e, int change, const struct cJSON *c, struct node *n,
    struct edit_ahead *ahead);

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

/* Link maps of all pages that got a new body. */
bool edit_links(struct edit *e);

#endif
