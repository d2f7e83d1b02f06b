/*
 * Content: immutable revisions, stored as rows that are alive for a span of revisions.
 *
 * A *branch* is a line of revisions: the primary content of a space (main), a change request, or
 * the content of a git repository (outside). All but main overlay a point of main, their base. A
 * *revision* is (branch, seq, base point) and never changes; only the newest one of a request may
 * be replaced by its author's next save (revision_fold()). A `node` row is one version of a page,
 * file, reusable content or setting; it is alive in the revisions since <= seq < until of its
 * branch. A row of kind 'gone' is a tombstone. A read uses the rows of the branch first and then
 * those of its base; there are never more than these two levels. So an edit writes one row, every
 * old revision stays readable, and a page is read by its id in O(log n).
 *
 * Each row of an overlay names the version of the base that it was made from (origin). That version
 * is the common ancestor in a merge, so conflicts are found by a query and need not be stored.
 *
 * Markdown is canonical: `body` contains the bytes unchanged, `front` the bytes before them
 * (frontmatter, H1). Links keep their spelling. `refs` is the link map: it maps each spelling to
 * its target, and is made when the version is written. The document JSON depends only on the body
 * and the link map, and is cached under both hashes in `derived`.
 *
 * A node has a slug, a parent and an order key, which is a fractional index. Its `path` is set only
 * if it differs from the parent's path followed by the slug (the path of a file in git). git_path
 * is relative to the repository. The directory to which links are relative (root) is a property of
 * the setting LAYOUT, and so belongs to the revision.
 *
 * The numbers of a branch's revisions rise and may have gaps. A number above the head may be
 * reserved (branch.staged): rows are then written with that number in many transactions, and nobody
 * reads them before the revision exists (stage.h). Such a number may therefore be the `until` of a
 * row that is still alive at the head. To find the rows that are alive, compare `until` with the
 * head, not with FOREVER.
 *
 * `octavo check` verifies invariants that the schema cannot express: live rows of a branch have
 * distinct ids; a page's parent is a page that is alive; there are no cycles; the path of a page is
 * unique in its revision; head is the newest revision of the branch; every blob that body or refs
 * names exists, as a file of the right size or in the database.
 */
#ifndef OCTAVO_CONTENT_H
#define OCTAVO_CONTENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/exact.h"
#include "store/blob.h"
#include "db/db.h"
#include "markdown/document.h"
#include "layout/layout.h"
#include "base/str.h"

/* `until` of rows that have not ended. */
#define FOREVER     EXACT_MAX
#define SQL_FOREVER SQL_EXACT_MAX
#define SETTING_LAYOUT "layout"     /* props: {"root": directory in the repository} */

/* A revision at which content is read. base is 0 for main. */
struct point {
	const char *space;
	const char *revision;       /* id */
	int64_t     branch, seq;    /* the branch, and the number of the revision in it */
	int64_t     base, base_seq; /* the same of the base point */
};

enum node_kind {
	NODE_DOCUMENT = 1, NODE_GROUP = 2, NODE_LINK = 4, NODE_COMPUTED = 8,
	NODE_FILE = 16, NODE_REUSABLE = 32, NODE_SETTING = 64, NODE_GONE = 128,
	NODE_PAGES = NODE_DOCUMENT | NODE_GROUP | NODE_LINK | NODE_COMPUTED
};

struct node {
	const char    *id;
	enum node_kind kind;
	int64_t        branch;      /* the branch of the row: that of the point, or its base */
	int64_t        since;       /* number of the revision that wrote this version */
	int64_t        origin;      /* `since` of the base's version that it was made from; -1: none */
	const char    *parent;      /* "" for the root */
	const char    *ord;         /* order key among siblings */
	const char    *slug;        /* of pages; "" for other kinds */
	const char    *path;        /* NULL: the parent's path, a slash and the slug */
	const char    *title;
	const char    *props;       /* JSON object */
	const char    *git_path;    /* NULL: no file in a repository */
	const char    *git_oid;     /* id of the file's git blob at the last import or export; NULL: not known */
	struct str     front;       /* not set by reads except node_front(); used by writes */
	struct str     body;        /* hash of the bytes; empty: none */
	struct str     refs;        /* hash of the link map; empty: none */
	int64_t        at, made;    /* when the page was last changed (node_reads_same()), and created */
};

/* The newest revision of a branch, and any revision of a space by id. False: there is none. */
bool point_head(struct db *db, struct arena *a, int64_t branch, struct point *out);
bool point_revision(struct db *db, struct arena *a, const char *space, const char *revision,
    struct point *out);

/* True if both are the same revision with the same base point. */
bool point_same(const struct point *a, const struct point *b);

/* Reads one node by id; false: it is not alive at that point (or it is a tombstone). */
bool node_get(struct db *db, struct arena *a, const struct point *p, const char *id,
    struct node *out);
/* db_ahead() of n nodes of the point's own branch; id() returns their ids. */
struct nodes_ahead {
	const struct point *point;
	const char       *(*id)(void *ctx, size_t i);
	void               *ctx;
};
void nodes_ahead(struct db *db, const struct nodes_ahead *wanted, size_t n);
/* Reads only the row of the point's own branch, without its base. It may be a tombstone. */
bool node_at(struct db *db, struct arena *a, const struct point *p, const char *id,
    struct node *out);
struct str node_front(struct db *db, struct arena *a, const struct node *n);

/*
 * True if title, text and properties of both versions are equal, wherever the page is in the tree.
 * Only a difference in these changes the modification time of a page.
 */
bool node_reads_same(const struct node *x, const struct node *y);

/* All nodes of these kinds that are alive at the point, in no particular order. */
struct node *node_list(struct db *db, struct arena *a, const struct point *p, unsigned kinds,
    size_t *count);

/* The children of a page (parent "": the root), in reading order. */
struct node *node_children(struct db *db, struct arena *a, const struct point *p,
    const char *parent, size_t *count);
/*
 * The first or last child, ignoring the child `but` (NULL: none is ignored); false: there is none.
 * Costs no more with thousands of children.
 */
bool node_end_child(struct db *db, struct arena *a, const struct point *p, const char *parent, bool last,
    const char *but, struct node *out);

/*
 * Finds the order keys for a new child at index `at`: *before, the key of the child before it, and
 * *behind, the key of the next child with a different key ("": there is none). but: as above.
 * False: there are fewer than `at` children. Reads only keys, and none after the place.
 */
bool node_keys_at(struct db *db, struct arena *a, const struct point *p, const char *parent, size_t at,
    const char *but, const char **before, const char **behind);

/* Finds a node by its path in git, relative to the repository. */
bool node_by_git_path(struct db *db, struct arena *a, const struct point *p, const char *git_path,
    struct node *out);

/* Finds another page at the path of n; false: there is none. */
bool page_taken(struct db *db, struct arena *a, const struct point *p, const struct node *n,
    struct node *other);
/*
 * As page_taken(), for all pages below n. *other: a page with a path of its own that equals the
 * path of one of them.
 */
bool page_taken_below(struct db *db, struct arena *a, const struct point *p, const struct node *n,
    struct node *other);
/* True if a sibling has the same slug. One of the two then has a path of its own (page_at()). */
bool page_shares_slug(struct db *db, struct arena *a, const struct point *p, const struct node *n);
/* Gives n, which is not written yet, a free slug: its own, or its own with a number appended. */
void page_free_slug(struct db *db, struct arena *a, const struct point *p, struct node *n);

/* True if wanted() is true for a page with a path of its own below this path. */
bool page_any_below(struct db *db, struct arena *a, const struct point *p, const char *path,
    bool (*wanted)(void *ctx, const struct node *n), void *ctx);

/*
 * The number of segments of a path. Counting stops at PAGE_DEPTH + 1: no page is that deep, and an
 * address that a visitor requests may have any number of segments.
 */
int path_levels(const char *path);

/* Finds a page by its path, or by its slugs from the root. False: there is none. */
bool page_at(struct db *db, struct arena *a, const struct point *p, const char *path,
    struct node *out);

/* The form in which paths are stored: in lower case, without slashes at the ends. */
char *page_key(struct arena *a, const char *path);
/*
 * The keys under which the page of a requested path may be stored, best first, with NULL at the
 * end: the path itself; the path decoded up to three times, because programs between browser and
 * server may encode it again; and the path encoded once, because names of files and pages may
 * contain percent signs.
 */
const char *const *page_spellings(struct arena *a, const char *path);
/* As page_at() for each of these keys, and then for redirects of moved pages (redirect.h). */
bool page_by_path(struct db *db, struct arena *a, const struct point *p, const char *path,
    struct node *out);

/*
 * The maximum depth of pages in a space: an answer nests two levels of JSON for each page, and
 * json.h allows 256. Writing, merging and importing enforce it. A deeper tree that an earlier
 * release wrote is cut here when it is read.
 */
enum { PAGE_DEPTH = 100 };

/*
 * Checks the place of a page at the point. Returns NULL, or the fault: "parent" (*other is missing,
 * deleted or no page), "cycle", "depth" (more than PAGE_DEPTH levels), "path" (*other has it). was:
 * the point before the change; if the page had another place there, the depth and the paths of the
 * pages below it are checked, too. was NULL: only the page itself is checked.
 */
const char *tree_fault(struct db *db, struct arena *a, const struct point *was,
    const struct point *p, const struct node *n, const char **other);

/* Full path of a page. If its ancestors form a cycle, the path ends somewhere in it. */
char *page_path(struct db *db, struct arena *a, const struct point *p, const struct node *n);

/* A tree of pages for lists: children in reading order, paths computed. */
struct page {
	struct node  node;
	const char  *path;
	struct page *first, *next;   /* children; next sibling */
	const struct cJSON *props;   /* node.props parsed, if the owner of the tree needed it; otherwise NULL */
};
struct page *page_tree(struct db *db, struct arena *a, const struct point *p, size_t *count);
/* As page_tree(), for pages that were read already, in any order. */
struct page *page_tree_of(struct arena *a, const struct node *list, size_t count);
/* The tree of one page with everything below it. */
struct page *page_subtree(struct db *db, struct arena *a, const struct point *p,
    const struct node *n);

/* ---- writing; all inside a write transaction ---- */

/*
 * Creates a branch. base: the point that it overlays; NULL for main. revision_add() writes its
 * revision 0.
 */
int64_t branch_create(struct db *db, const char *space, const char *kind, const struct point *base);

/*
 * Appends a revision to a branch and makes it the head. Returns its sequence number, for the rows
 * of the revision. base_seq: the new base point, ignored for main.
 */
struct revision_info {
	const char *kind;       /* edits, merge, update, rollback, computed */
	const char *merged;     /* revision id or NULL */
	const char *author;     /* user id or NULL */
	const char *git;        /* JSON or NULL */
	int64_t     base_seq;
	int64_t     staged;     /* its number, if one was reserved (stage.h); 0: the next number */
};
int64_t revision_add(struct db *db, struct arena *a, int64_t branch,
    const struct revision_info *info, char **id);

/*
 * Combines a revision of a request with the head, which must be the next revision: the head then
 * contains the changes of both, and the older revision is deleted, together with texts that only it
 * had. Nothing may be staged.
 */
void revision_fold(struct db *db, struct arena *a, const struct point *head, int64_t seq);

/* Ends the branch's live row of this id at seq; true if there was one. */
bool node_end(struct db *db, int64_t branch, const char *id, int64_t seq);
/* As node_end(), but a row that began at seq itself stays. */
bool node_end_older(struct db *db, int64_t branch, const char *id, int64_t seq);
/* Ends the branch's live row and adds this version, alive from seq on. n->since is ignored. */
void node_put(struct db *db, int64_t branch, int64_t seq, const struct node *n);
/* Sets the link map (its hash) of the row that was read into n: its revision is being written. */
void node_set_refs(struct db *db, struct node *n, struct str refs);
/*
 * Updates what is derived from main's head (search, links) to its revision seq, and moves comments
 * with their blocks. Every writer of a revision of a main branch must call it once, after all rows
 * of the revision, in the same transaction.
 */
void propagate_revision(struct db *db, struct arena *a, const char *space, int64_t branch, int64_t seq);

/*
 * Copies all rows that are alive at the point into a new main branch of another space, at seq.
 * steps: true if seq is staged (stage.h); the write transaction may then be divided after every
 * hundred rows.
 */
void node_copy_all(struct db *db, struct arena *a, const struct point *from, int64_t branch, int64_t seq, bool steps);

/* True if more than `most` rows are alive at the head of a main branch. Reads at most one row more. */
bool node_are_many(struct db *db, const struct point *head, int64_t most);

const char *node_kind_name(enum node_kind k);

/* ---- links and documents ---- */

/* How spellings are resolved to targets. */
struct resolver {
	const char *root;      /* directory of the space in the repository, "" or "a/b" */
	const char *from;      /* the file that contains the spelling, relative to the repository; NULL: no file */
	/*
	 * For a page without a file: the path that its file would have if it had child pages, and a
	 * function that returns whether it has any. NULL: the page has a file.
	 */
	const char *inside;
	bool (*has_pages)(void *ctx);
	/* Finds the id and kind of the node at a TARGET_PATH; false: there is none. */
	bool (*find)(void *ctx, struct arena *a, const struct layout_target *t, const char **id,
	    enum node_kind *kind);
	/*
	 * Finds the kind of an id, for spellings such as /pages/ID; NULL: such spellings have no
	 * target.
	 */
	bool (*find_id)(void *ctx, struct arena *a, const char *id, enum node_kind *kind);
	/*
	 * True if the id is that of an existing space (REF_SPACE) or collection (REF_COLLECTION) of
	 * the same organization, or of a member of it (REF_USER). Only then "/spaces/ID" and
	 * addresses of the published service's application are resolved to it. NULL: no id is.
	 */
	bool (*find_other)(void *ctx, enum doc_ref_kind kind, const char *id);
	/*
	 * The anchor that a fragment names in the page that find() found last; NULL: the page has
	 * no such anchor. The function may be NULL: the fragment then is the anchor.
	 */
	const char *(*find_place)(void *ctx, struct arena *a, const char *fragment);
	void  *ctx;
};
/* As find_other() above, for the organization of the space `me`. False for other kinds. */
bool space_knows(struct db *db, const char *me, enum doc_ref_kind kind, const char *id);
/*
 * The name of a member of the organization of the space `me`. NULL for all other accounts: content
 * of the space must not reveal their names.
 */
const char *space_user_name(struct db *db, struct arena *a, const char *me, const char *id);
/* True if the space `me` belongs to this organization. */
bool space_in_org(struct db *db, const char *me, const char *org);
bool resolve_use(const struct resolver *r, struct arena *a, struct str spelling, enum doc_use use,
    struct doc_ref *out);
/* The number of resolvers' look-ups so far that read the database, for tests. */
size_t resolver_lookups(void);
/*
 * Initialises a resolver that looks at a point. from: the path of the node's file in git, or the
 * path that an export would give it.
 */
void resolver_at(struct resolver *r, struct arena *a, struct db *db, const struct point *p,
    const struct node *n);

/*
 * A cache of look-ups at one point, for the resolvers of several pages, which often contain the
 * same spellings. It is emptied when it exceeds some megabytes, and freed with `a`.
 */
struct lookup_cache {
	struct arena *arena;     /* holds the entries only */
	struct map   *found;     /* look-up -> its result */
};
struct lookup_cache lookup_cache_new(struct arena *a);
void resolver_use_cache(struct resolver *r, struct lookup_cache *s);

/* Writes and reads a ContentRef as JSON. */
void ref_json(struct json *j, const struct doc_ref *ref);
bool ref_read(const struct cJSON *v, struct doc_ref *out);
/*
 * Calls each() for the references in a node's properties: the pictures of its cover ("ref",
 * "refDark"), and the target of a link page ("target"). The texts of ref are valid until each()
 * returns; references that cannot be read are skipped.
 */
void node_prop_refs(const struct node *n, void (*each)(void *ctx, const char *name, const struct doc_ref *ref), void *ctx);

/*
 * Makes the link map of a body: a JSON object with every spelling that is neither an absolute URL
 * nor a fragment alone; null for a spelling without a target. unresolved() gets these; it may be
 * NULL.
 */
struct str link_map_make(struct arena *a, struct str body, const struct resolver *r,
    void (*unresolved)(void *ctx, const struct doc_link *link), void *ctx);
/* The same from a list of the body's links. */
struct str link_map_of_links(struct arena *a, struct doc_link *links, const struct resolver *r,
    void (*unresolved)(void *ctx, const struct doc_link *link), void *ctx);

/*
 * The same with a look-up function of the caller, which is called once for each spelling. False:
 * the spelling has no target.
 */
struct str link_map_of_targets(struct arena *a, struct doc_link *links,
    bool (*lookup)(void *, struct arena *, struct str, enum doc_use, struct doc_ref *), void *lookup_ctx,
    void (*unresolved)(void *ctx, const struct doc_link *link), void *ctx);

/* A parsed link map. The strings belong to the parsed JSON. */
struct link_map_entry {
	struct str     spelling;
	struct doc_ref ref;       /* REF_NONE: there is no target */
};
struct link_map {
	struct link_map_entry *list;   /* sorted by spelling */
	size_t            n;
	bool              holes;  /* some entries have no target */
};
struct link_map link_map_read(struct arena *a, struct str json);
bool link_map_find(const struct link_map *m, struct str spelling, struct doc_ref *out);
struct str link_map_json(struct arena *a, const struct link_map *m);
/*
 * The link map of a node as its document uses it: spellings that had no target when it was written
 * are resolved again at the point.
 */
struct link_map node_links(struct db *db, struct arena *a, const struct point *p, const struct node *n);
bool ref_same(const struct doc_ref *x, const struct doc_ref *y);

/* The document JSON of a page or reusable content at a point, from the cache if it is there. */
struct rendered {
	struct str  json;
	struct str  body_hash, refs_hash;   /* the cache's key */
	bool        cached;
	bool        lost;                   /* the stored text is damaged, and json is a document that says so */
};
/*
 * The number of damaged texts that this process has read so far. To find out whether one of several
 * documents is damaged, compare the number before and after they are made.
 */
unsigned documents_lost(void);
/* Fails with DB_LOST and a message that names the page. Does not return. */
void fail_lost_text(struct db *db, struct arena *a, const struct node *n) __attribute__((noreturn));
/* True if the text of this node can be read. */
bool text_readable(struct db *db, struct arena *a, const struct node *n);
struct rendered document_of(struct db *db, struct arena *a, const struct point *p,
    const struct node *n);
/* The document with the blocks of reusable contents inserted. self: the id of the node itself. */
struct str document_dereferenced(struct db *db, struct arena *a, const struct point *p,
    const char *self, struct str json);
/*
 * Finds the reusable content or page to which a block refers. False: there is none, or it is a page
 * that only some visitors may see: all readers of the including page would see it.
 */
bool content_to_include(struct db *db, struct arena *a, const struct point *p, const char *id, struct node *out);
/* Stores the document in the cache; inside a write transaction. */
void document_keep(struct db *db, const struct rendered *d);

/*
 * The Markdown for export: H1, then the body. If a link's target has moved, the link gets its new
 * spelling. stable: links are written as /pages/ID (format.markdown.refs=stable). A damaged text
 * fails as in fail_lost_text(): a client might write the replacement text back.
 */
struct str markdown_of(struct db *db, struct arena *a, const struct point *p, const struct node *n,
    bool stable);

/* A key between two order keys, for a place among siblings. "": no limit on that side. */
char *order_key_between(struct arena *a, const char *before, const char *after);
/* n keys between two, in ascending order. More about places: store/order.h. */
char **order_key_fill(struct arena *a, const char *before, const char *after, size_t n);

#endif
