/*
 * Makes the list of nodes that a space should have from a layout: ids, order, link maps.
 *
 * A node keeps its id when it is imported again. It is recognised by its path in git; by its
 * content if the file moved; by title and kind if it has no file (groups, links). Order keys are
 * kept, too: only nodes that moved among their siblings get new keys (the others are a longest
 * increasing subsequence). Otherwise each import would rewrite every row.
 */
#ifndef OCTAVO_IMPORT_PLAN_H
#define OCTAVO_IMPORT_PLAN_H

#include "base/map.h"
#include "layout/expressions.h"
#include "merge/upstream.h"
#include "search/search.h"

/* A date of {% update %} that cannot be read. */
struct bad_date {
	struct bad_date *next;
	size_t          line;      /* in the body */
	const char     *message;
};

/*
 * What one parse of a body yields, in the plan's batch arena: it is needed only until the item's
 * link map is made and the text is kept.
 */
struct parsed_body {
	struct doc_link     *links;
	struct search_body   read;      /* of a document: for the search index */
	const char          *fault;     /* doc_fault() */
	struct expression_fault *bad_expressions;
	struct bad_date     *bad_dates;
};

/*
 * A layout object that becomes a node. file, page and include point into the layout, which must outlive
 * the plan; `own` of page, asset or include is the item.
 */
struct item {
	struct wanted       *wanted;
	struct item         *parent;    /* item of the parent page */
	struct item         *first, *last, *next;   /* children, in order */
	const struct layout_page *page; /* set for pages */
	struct layout_include *include; /* set for reusable contents */
	const struct layout_entry *file;
	size_t               body_line; /* of the body's first byte in its file */
	const struct node   *old;       /* the node before this import; NULL: new */
	struct str           places;    /* anchors of the document (doc_places), read on demand */
	bool                 used;      /* imported; false: an asset or text that no page uses */
	bool                 outside;   /* assets outside of root: the layout has not read the bytes */
	bool                 linked;    /* its link map is made */
	bool                 kept;      /* keeps its old link map: plan_reuse() */
	bool                 inserts;   /* its link map names texts that it includes */
	/*
	 * Texts that its body includes, and the levels of nesting; 0: not counted yet
	 * (import_include.c).
	 */
	struct include_link *includes;
	int                  levels;
	bool                 open;      /* its levels are being counted: finds cycles */
};

/* A text that the body of an item includes. */
struct include_link {
	struct include_link *next;
	struct item         *item;      /* the included text */
	struct str           spelling;
	size_t               line;      /* of the file that includes it */
};

/* Bytes of the batch arena after which the texts are flushed. */
#define PLAN_BATCH ((size_t)8 << 20)

struct plan {
	struct arena        *arena;
	const struct layout *layout;
	struct item         *items;
	size_t               count;
	struct wanted       *wanted;    /* one for each item, in the same order */
	struct map          *by_id;     /* id -> item with a body; NULL until something includes one */
	int64_t              now;       /* ms: the time of the import */
	/*
	 * It is called for each spelling without a target, with its file and line; left_out: the
	 * file of the repository that it names, which is not imported, or NULL.
	 */
	void               (*unresolved)(void *ctx, const char *file, size_t line, struct str spelling,
	    const struct layout_entry *left_out);
	/* It is called for includes that fail; why is the end of a sentence. */
	void               (*not_included)(void *ctx, const char *file, size_t line, struct str spelling, const char *why);
	/* It is called for a fragment that names no anchor of its page. May be NULL. */
	void               (*anchor_missing)(void *ctx, const char *file, size_t line, struct str spelling);
	/* It is called for a page whose document exceeds a limit, which message names. May be NULL. */
	void               (*over_limit)(void *ctx, const char *file, size_t line, const char *message);
	/* Reads stored bytes, such as a link map, in the open transaction; false: they are missing. */
	bool               (*stored)(void *ctx, struct arena *a, struct str hash, struct str *out);
	/*
	 * Takes the body and the link map of an item, and what search needs of the body (NULL: no
	 * document); sets node.body and node.refs. All is in the batch arena until flush(), which
	 * stores what keep() has taken; false: the work is stopped.
	 */
	void               (*keep)(void *ctx, struct item *i, struct str body, struct str refs, const struct search_body *read);
	bool               (*flush)(void *ctx);
	/* It is called for expressions of a body that cannot be read. May be NULL. */
	void               (*bad_expression)(void *ctx, const char *file, size_t line, const struct expression_fault *f);
	/* It is called for a date that cannot be read. May be NULL. */
	void               (*bad_date)(void *ctx, const char *file, size_t line, const char *message);
	void                *ctx;
	bool                 unreadable;  /* out: a body could not be read when it was needed */
	bool                 stopped;     /* out: flush() returned false */
	struct arena        *scratch;     /* reset after each body */
	struct arena        *batch;       /* texts and what they yield; reset after each flush() */
};

/* Path of the table of contents in the repository; NULL: none. The plan's layout must be set. */
const char *plan_summary(const struct plan *p);

/* Makes items for everything in the layout; no ids yet. */
void plan_items(struct plan *p);

/* Takes ids over from the old nodes (NULL, 0: none). */
void plan_ids(struct plan *p, struct node *old, size_t old_n);

/*
 * Optional, between plan_ids() and plan_fill(). Call it only if no file was added, renamed or deleted
 * since the last import. Pages with unchanged bytes then keep their link maps, and get no new
 * warnings. Read again are
 *  - pages that link to an anchor of a changed page;
 *  - pages with an include that failed before and works now;
 *  - all pages, if more than PLAN_CHANGED pages differ, or if a page included a text outside of
 *    includes folders before.
 */
enum { PLAN_CHANGED = 100 };
void plan_reuse(struct plan *p);

/* Parses the body of an item. */
void plan_look(struct plan *p, const struct item *i, struct str body, struct parsed_body *out);

/*
 * Resolves a spelling in the item's file within the layout; t is set to the target that was looked
 * up.
 */
struct layout_found plan_look_up(struct plan *p, struct arena *a, const struct item *i, struct str spelling,
    enum doc_use use, struct layout_target *t);

/*
 * The body of an item: in the arena, or where the layout has it. Empty if it has none, or if it cannot
 * be read (plan.unreadable).
 */
struct str plan_body(struct plan *p, struct arena *a, const struct item *i);

/* ---- import_include.c ---- */

/* Copies the text of the item's include, once read, to the item. */
void include_take(struct item *i);
/* Reads a text when the first page includes it. Returns NULL, or why it cannot be included. */
const char *include_read(struct plan *p, struct item *i);
/* Reports includes that fail, and stores the others. Call it after the item's link map is made. */
void includes_report(struct plan *p, struct item *i, const struct doc_link *links);
/*
 * Sets *out to the body and the cache key of a document for the search index, with the texts that it
 * includes. Call it in a read transaction, after all link maps are made.
 */
void includes_insert(struct plan *p, struct arena *a, const struct item *i, struct search_source *out);
/* Reports texts that include themselves, or are nested too deep to be shown. Call it after all link maps are made. */
void includes_report_nested(struct plan *p);

/* ---- import_order.c ---- */

/*
 * Gives the pages below an item their order keys. NULL: the top level, which has no item, so its pages
 * are collected from all items.
 */
void plan_order(struct plan *p, struct item *parent);

/* Sets parents, order keys, titles, properties and link maps; marks the assets that are used. */
void plan_fill(struct plan *p);

#endif
