/*
 * From a layout to the nodes that a space shall hold: ids, order, link maps.
 *
 * Ids survive a re-import: by the path in git; by content where a file moved;
 * by title and kind for what has no file (groups, links). Order keys survive
 * too: only what moved among its siblings gets a new one (the rest is a longest
 * increasing subsequence), or re-import would rewrite every row.
 */
#ifndef OCTAVO_IMPORT_PLAN_H
#define OCTAVO_IMPORT_PLAN_H

#include "base/map.h"
#include "layout/expressions.h"
#include "merge/upstream.h"
#include "search/search.h"

/* A date that cannot be read, of {% update %}. */
struct undated {
	struct undated *next;
	size_t          line;      /* in the body */
	const char     *message;
};

/*
 * One layout object on its way to becoming a node. key, file and page point into the layout,
 * which must outlive the plan.
 */
struct item {
	const void          *key;       /* the layout's object that it comes from */
	struct wanted       *wanted;
	struct item         *parent;    /* page above */
	struct item         *first, *last, *next;   /* children, in order */
	const struct layout_page *page; /* set for pages */
	struct layout_include *include; /* set for reusable contents */
	const struct layout_entry *file;
	size_t               body_line; /* of the body's first byte in its file */
	const struct node   *old;       /* what it was before; NULL: new */
	struct str           places;    /* of the document (doc_places), once asked for */
	bool                 used;      /* kept; else an asset that no page shows, a text that none includes */
	bool                 outside;   /* assets: nobody looked into it yet */
	bool                 linked;    /* its link map is made */
	bool                 kept;      /* its link map is the one that it had: plan_reuse() */
	/* Of the body, where plan_look() was at it: pages whose links are found anew. */
	bool                 looked;
	struct doc_link     *links;
	struct search_body   read;      /* of a document */
	const char          *fault;     /* doc_fault() */
	struct expression_fault *unread;
	struct undated      *undated;
	/* What its body includes, and how many levels of that there are; 0: not counted yet (import_include.c). */
	struct included     *includes;
	int                  levels;
	bool                 open;      /* what it includes is being counted */
};

struct included {
	struct included *next;
	struct item     *item;
	struct str       spelling;
	size_t           line;          /* of the file */
};

struct plan {
	struct arena        *arena;
	const struct layout *layout;
	struct item         *items;
	size_t               count;
	struct wanted       *wanted;    /* one an item, in the same order */
	struct map   *by_key;    /* layout object -> item */
	struct map   *by_id;     /* id -> item with a body, once something includes one */
	int64_t              now;
	/*
	 * Spellings without a target: called with the file, the line in it and the spelling;
	 * left_out: the file of the repository that it names, which is not imported, or NULL.
	 */
	void               (*unresolved)(void *ctx, const char *file, size_t line, struct str spelling,
	    const struct layout_entry *left_out);
	/* What is to be included and cannot be; why ends the sentence. */
	void               (*not_included)(void *ctx, const char *file, size_t line, struct str spelling, const char *why);
	/* A fragment that names no place of its page; called likewise. May be NULL. */
	void               (*no_place)(void *ctx, const char *file, size_t line, struct str spelling);
	/* A page whose document is beyond the limits: message says which; may be NULL. */
	void               (*beyond)(void *ctx, const char *file, size_t line, const char *message);
	/* The link map that a node had, for plan_reuse(); false: it is not there. In the open transaction. */
	bool               (*refs_before)(void *ctx, const struct node *old, struct str *out);
	/* An expression of a body that cannot be read; may be NULL. */
	void               (*unread)(void *ctx, const char *file, size_t line, const struct expression_fault *f);
	/* A date that cannot be read; may be NULL. */
	void               (*undated)(void *ctx, const char *file, size_t line, const char *message);
	void                *ctx;
	bool                 unreadable;  /* out: a body that was put off could not be read */
	struct arena        *scratch;     /* for one body at a time */
};

/* The table of contents, a path in the repository; NULL: there is none. Of a plan whose layout is set. */
const char *plan_summary(const struct plan *p);

/* Items for everything in the layout; no ids yet. */
void plan_items(struct plan *p);

/* Ids from what was there before (NULL, 0: nothing). */
void plan_ids(struct plan *p, struct node *old, size_t old_n);

/*
 * Between plan_ids() and plan_fill(), of a commit that holds the same names as the one that
 * the old nodes were made of: pages whose bytes are the same keep their link maps, and nothing is
 * told of them. Those that include a text that could not be included before are read. Above
 * PLAN_CHANGED pages that differ, and where texts outside includes folders were included before, all are.
 */
enum { PLAN_CHANGED = 100 };
void plan_reuse(struct plan *p);

/* Looks into a body that is there; once. */
void plan_look(struct plan *p, struct item *i);

/* What a spelling in the item's file is in the layout; t is left as it was asked. */
struct layout_found plan_look_up(struct plan *p, const struct item *i, struct str spelling, enum doc_use use,
    struct layout_target *t);
/* The item of a page, asset or include of the layout; NULL: there is none. */
struct item *plan_item_of(struct plan *p, const void *key);

/* What has a body has its bytes from now on. */
void plan_read(struct plan *p, struct item *i);

/* ---- import_include.c ---- */

/* The item gets what was read of its include. */
void include_take(struct item *i);
/* Reads a candidate when the first page includes it. NULL, or why it cannot be included. */
const char *include_read(struct plan *p, struct item *i);
/* Once its link map is made: tells what the item wants to include and cannot, and keeps what it does. */
void includes_tell(struct plan *p, struct item *i);
/* Of a document whose links are known: body and key for the index, with what it includes. False: nothing. */
bool includes_put_in(struct plan *p, struct item *i, struct search_source *out);
/* When all are known: tells of those that include themselves, or are nested too deep to be shown. */
void includes_tell_nested(struct plan *p);

/* Parents, order keys, titles, properties, link maps. Marks the assets that are used. */
void plan_fill(struct plan *p);

#endif
