/*
 * Content: immutable revisions as span rows.
 *
 * A *branch* is a line of revisions: a space's primary content (main), a
 * change request, or what a git repository holds (outside). All but main
 * overlay a point of main. A *revision* is (branch, seq, base point) and never
 * changes. A `node` row is one version of one page, file, reusable content or
 * setting, alive for the revisions since <= seq < until of its branch; kind
 * 'gone' is a tombstone. A read looks in the branch's own rows, then in its
 * base: two levels, never more. So one edit is one row, every old revision
 * stays readable, and a page is read by id in O(log n).
 *
 * Each own row names the version of the base that it was made from (origin):
 * the third side of every merge. A conflict is thus a query, not a state.
 *
 * Markdown is canonical: `body` keeps the bytes as they came, `front` the bytes
 * before them (frontmatter, H1). Links stay as they were spelled; `refs` maps
 * each spelling to its target, made when the version was written. The document
 * JSON is a pure function of body and map, cached by both hashes in `derived`.
 *
 * A node holds slug, parent and a fractional order key; `path` only where it is
 * not parent path / slug (a file's path in git). git_path is relative to the
 * repository; the directory that links are relative to (root) is a property of
 * the setting LAYOUT, and so belongs to the revision.
 *
 * The numbers of a branch's revisions rise, and may have gaps. A number above the
 * head may be reserved (branch.staged) while rows are written under it in many
 * transactions; nobody reads them before their revision is there (stage.h). So
 * `until` of a row that is alive at the head may be that number, and rows that
 * are alive are found by the head, not by until alone.
 *
 * Invariants beyond the schema, looked after by `octavo check`: alive rows of a
 * branch have distinct ids; a page's parent is alive and a page; no cycles; a
 * page's path is unique in its revision; head is the branch's newest revision;
 * every body and refs blob exists, files on disk with the right size, the rest
 * in the database.
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

/* `until` of rows that nothing has replaced yet. */
#define FOREVER     EXACT_MAX
#define SQL_FOREVER SQL_EXACT_MAX
#define SETTING_LAYOUT "layout"     /* props: {"root": directory in the repository} */

/* A place to read from. base is 0 for main. */
struct point {
	const char *space;
	const char *revision;   /* id */
	int64_t     branch, seq;
	int64_t     base, base_seq;
};

enum node_kind {
	NODE_DOCUMENT = 1, NODE_GROUP = 2, NODE_LINK = 4, NODE_COMPUTED = 8,
	NODE_FILE = 16, NODE_REUSABLE = 32, NODE_SETTING = 64, NODE_GONE = 128,
	NODE_PAGES = NODE_DOCUMENT | NODE_GROUP | NODE_LINK | NODE_COMPUTED
};

struct node {
	const char    *id;
	enum node_kind kind;
	int64_t        branch;      /* whose row it is: the point's branch or its base */
	int64_t        since;
	int64_t        origin;      /* -1: the base had none */
	const char    *parent;      /* "" at the top */
	const char    *ord;
	const char    *slug;
	const char    *path;        /* NULL: parent path / slug */
	const char    *title;
	const char    *props;       /* JSON object */
	const char    *git_path;    /* NULL if none */
	const char    *git_oid;
	struct str     front;       /* only from node_front() and when written */
	struct str     body;        /* hash; empty: none */
	struct str     refs;        /* hash; empty: none */
	int64_t        at, made;
};

/* The newest revision of a branch, and any revision of a space by id. False: there is none. */
bool point_head(struct db *db, struct arena *a, int64_t branch, struct point *out);
bool point_revision(struct db *db, struct arena *a, const char *space, const char *revision,
    struct point *out);

/* Are they one place to read from? Nothing that is read there changes. */
bool point_same(const struct point *a, const struct point *b);

/* One node by id; false where it is not alive at that point (or gone). */
bool node_get(struct db *db, struct arena *a, const struct point *p, const char *id,
    struct node *out);
/* The row of the point's own branch alone, tombstones included. */
bool node_at(struct db *db, struct arena *a, const struct point *p, const char *id,
    struct node *out);
struct str node_front(struct db *db, struct arena *a, const struct node *n);

/*
 * Do readers see the same on both pages: title, text and properties, wherever they stand? Only what
 * changes that changes the time of a page.
 */
bool node_reads_same(const struct node *x, const struct node *y);

/* All that is alive at the point and of these kinds, in no order. */
struct node *node_list(struct db *db, struct arena *a, const struct point *p, unsigned kinds,
    size_t *count);

/* Pages below one (parent "" = top), in reading order. */
struct node *node_children(struct db *db, struct arena *a, const struct point *p,
    const char *parent, size_t *count);
/*
 * The first or the last of them, but for one (but; NULL: of all); false: there is none.
 * Costs no more where there are thousands.
 */
bool node_end_child(struct db *db, struct arena *a, const struct point *p, const char *parent, bool last,
    const char *but, struct node *out);

/*
 * The order keys between which a new child goes at index `at` of them, but for one (as above):
 * that of the child before it, and that of the next one with another key; "" where there is none.
 * False: there are fewer than `at`. Reads keys alone, and those before the place alone.
 */
bool node_keys_at(struct db *db, struct arena *a, const struct point *p, const char *parent, size_t at,
    const char *but, const char **before, const char **behind);

/* By the path in git, relative to the repository. */
bool node_by_git_path(struct db *db, struct arena *a, const struct point *p, const char *git_path,
    struct node *out);

/* Another page at the path that n has there; false if n is alone at it. */
bool page_taken(struct db *db, struct arena *a, const struct point *p, const struct node *n,
    struct node *other);
/* The same for all that is below n; other: the page with a path of its own there. */
bool page_taken_below(struct db *db, struct arena *a, const struct point *p, const struct node *n,
    struct node *other);
/* Has another page that slug, below the same one? One of them has a path of its own (page_at). */
bool page_shares_slug(struct db *db, struct arena *a, const struct point *p, const struct node *n);
/* Gives n, not written yet, a free slug: the one that it has, or a number behind it. */
void page_free_slug(struct db *db, struct arena *a, const struct point *p, struct node *n);

/* Is there a page with a path of its own below this one, for which wanted() is true? */
bool page_any_below(struct db *db, struct arena *a, const struct point *p, const char *path,
    bool (*wanted)(void *ctx, const struct node *n), void *ctx);

/* By the page's path, else by its slugs from the top. False if there is none. */
bool page_at(struct db *db, struct arena *a, const struct point *p, const char *path,
    struct node *out);

/* How a path that somebody asks for is looked up: in lower case, without slashes at its ends. */
char *page_key(struct arena *a, const char *path);
/*
 * The keys that a path may be meant by, best first, NULL at the end: its own; with percent-encoding
 * undone as often as there is one, since programs on the way encode what is encoded already; and
 * encoded once, as names of files and pages are that hold percent signs themselves.
 */
const char *const *page_spellings(struct arena *a, const char *path);
/* page_at() of its key, then by redirects of what has moved (redirect.h). */
bool page_by_path(struct db *db, struct arena *a, const struct point *p, const char *path,
    struct node *out);

/*
 * Levels of pages in a space. A reply nests two levels of JSON a page, and json.h
 * takes 256. Writing, merging and importing keep to it; page trees of a database
 * where an earlier release did not end here.
 */
enum { PAGE_DEPTH = 100 };

/*
 * Is the page well placed at the point? NULL, or what is wrong: "parent" (*other is
 * missing, deleted or no page), "cycle", "depth" (more than PAGE_DEPTH levels),
 * "path" (taken by *other). was: the point before the change that is looked at. A
 * page that stood elsewhere there answers for what it brings along, too: for how
 * deep that lies now and for its paths; NULL: for itself alone.
 */
const char *tree_fault(struct db *db, struct arena *a, const struct point *was,
    const struct point *p, const struct node *n, const char **other);

/* Full path of a page; where the pages above it stand in a circle, some path that ends. */
char *page_path(struct db *db, struct arena *a, const struct point *p, const struct node *n);

/* A tree of pages for lists: children in reading order, paths computed. */
struct page {
	struct node  node;
	const char  *path;
	struct page *first, *next;   /* children; next sibling */
	const struct cJSON *props;   /* node.props parsed, where somebody who owns the tree had to; NULL: nobody had */
};
struct page *page_tree(struct db *db, struct arena *a, const struct point *p, size_t *count);
/* The same of pages that are listed already, in any order. */
struct page *page_tree_of(struct arena *a, const struct node *list, size_t count);
/* The same from one page down. */
struct page *page_subtree(struct db *db, struct arena *a, const struct point *p,
    const struct node *n);

/* ---- writing; all inside a write transaction ---- */

/* A new branch; base_at may be NULL (main). Its revision 0 is written by revision_add. */
int64_t branch_create(struct db *db, const char *space, const char *kind, const struct point *base);

/*
 * Appends a revision to a branch and makes it the head: the sequence number of
 * the rows that it brings. base_seq: the new base point, ignored for main.
 */
struct revision_info {
	const char *kind;       /* edits, merge, update, rollback, computed */
	const char *merged;     /* revision id or NULL */
	const char *author;     /* user id or NULL */
	const char *git;        /* JSON or NULL */
	int64_t     base_seq;
	int64_t     staged;     /* its number where that was reserved (stage.h); 0: the next one */
};
int64_t revision_add(struct db *db, struct arena *a, int64_t branch,
    const struct revision_info *info, char **id);

/* Ends the alive own row of this id at seq, if there is one; true if there was. */
bool node_end(struct db *db, int64_t branch, const char *id, int64_t seq);
/* The same, but a row that begins with seq itself stays. */
bool node_end_older(struct db *db, int64_t branch, const char *id, int64_t seq);
/* Ends the alive own row and adds this version, alive from seq on. n->since is ignored. */
void node_put(struct db *db, int64_t branch, int64_t seq, const struct node *n);
/*
 * What is derived from main's head (search, links) is brought to its revision
 * seq, and comments on it stay on their blocks. Whoever writes a revision of a
 * main branch calls it once, after all of its rows and the revision itself, in
 * the same transaction.
 */
void propagate_revision(struct db *db, struct arena *a, const char *space, int64_t branch, int64_t seq);

/*
 * Copies all rows alive at the point into a new main branch of another space, at seq. steps: seq is staged
 * (stage.h), so the write transaction may be cut between any hundred.
 */
void node_copy_all(struct db *db, struct arena *a, const struct point *from, int64_t branch, int64_t seq, bool steps);

/* Are more rows than this alive at the head of a main branch? Looks at no more than these. */
bool node_are_many(struct db *db, const struct point *head, int64_t most);

const char *node_kind_name(enum node_kind k);

/* ---- links and documents ---- */

/* How spellings find their targets. */
struct resolver {
	const char *root;      /* directory that the space's paths are relative to, "" or "a/b" */
	const char *from;      /* the file that holds the spelling, relative to the repository; NULL: none */
	/* The same for a page that has no file, if pages lay below it, and whether they do; NULL: it has one. */
	const char *inside;
	bool (*has_pages)(void *ctx);
	/* What lies at a TARGET_PATH: its id and kind; false if nothing does. */
	bool (*find)(void *ctx, struct arena *a, const struct layout_target *t, const char **id,
	    enum node_kind *kind);
	/* Its kind by id, for spellings such as /pages/ID; NULL: those mean nothing here. */
	bool (*find_id)(void *ctx, struct arena *a, const char *id, enum node_kind *kind);
	/*
	 * Is this the id of a living space (REF_SPACE) or collection (REF_COLLECTION) of the same organization, or
	 * of a member of it (REF_USER)? Only then "/spaces/ID" and the like, and an address in the published
	 * service's application, mean it. NULL: none is.
	 */
	bool (*find_other)(void *ctx, enum doc_ref_kind kind, const char *id);
	/*
	 * The anchor of the place in what find() found last that a fragment names; NULL: it has
	 * none. The function may be NULL: then a fragment is taken for the anchor.
	 */
	const char *(*find_place)(void *ctx, struct arena *a, const char *fragment);
	void  *ctx;
};
/* Such an id, for the organization of the space `me`. False for other kinds. */
bool space_knows(struct db *db, const char *me, enum doc_ref_kind kind, const char *id);
/* Is the space `me` of this organization? */
bool space_in_org(struct db *db, const char *me, const char *org);
bool resolve_use(const struct resolver *r, struct arena *a, struct str spelling, enum doc_use use,
    struct doc_ref *out);
/* Look-ups of resolvers at a point so far, each of which asks the database: for tests that count them. */
size_t resolver_lookups(void);
/* A resolver that looks in a point. from: the node's git path, else the one that it would have. */
void resolver_at(struct resolver *r, struct arena *a, struct db *db, const struct point *p,
    const struct node *n);

/*
 * Answers of look-ups at one point, for all resolvers of it that share them: many pages spell the
 * same. Begins anew beyond some megabytes, and ends with the arena.
 */
struct answers {
	struct arena *arena;     /* its own */
	struct map   *found;
};
struct answers answers_new(struct arena *a);
void resolver_share(struct resolver *r, struct answers *s);

/* ContentRef JSON. */
void ref_json(struct json *j, const struct doc_ref *ref);
bool ref_read(const struct cJSON *v, struct doc_ref *out);
/*
 * Calls each() for what a node's properties refer to: the pictures of its cover ("ref", "refDark"), and of a link page
 * its target ("target"). The texts of ref live until each() returns; what cannot be read is left out.
 */
void node_prop_refs(const struct node *n, void (*each)(void *ctx, const char *name, const struct doc_ref *ref), void *ctx);

/*
 * The refs map of a body: JSON, every spelling that is no absolute URL or lone
 * fragment, null where nothing was found. unresolved may be NULL.
 */
struct str link_map_make(struct arena *a, struct str body, const struct resolver *r,
    void (*unresolved)(void *ctx, const struct doc_link *link), void *ctx);
/* The same from the body's links. */
struct str link_map_of_links(struct arena *a, struct doc_link *links, const struct resolver *r,
    void (*unresolved)(void *ctx, const struct doc_link *link), void *ctx);

/* The same where the caller knows what spellings lead to; asked once of each, false: nowhere. */
struct str link_map_of_targets(struct arena *a, struct doc_link *links,
    bool (*lookup)(void *, struct arena *, struct str, enum doc_use, struct doc_ref *), void *lookup_ctx,
    void (*unresolved)(void *ctx, const struct doc_link *link), void *ctx);

/* A map to be asked. The strings are those of the parsed JSON. */
struct link_map_entry {
	struct str     spelling;
	struct doc_ref ref;       /* REF_NONE: nothing was found */
};
struct link_map {
	struct link_map_entry *list;   /* sorted by spelling */
	size_t            n;
	bool              holes;  /* some have no target */
};
struct link_map link_map_read(struct arena *a, struct str json);
bool link_map_find(const struct link_map *m, struct str spelling, struct doc_ref *out);
struct str link_map_json(struct arena *a, const struct link_map *m);
/* The map of a node as its document has it: what had no target when it was written is looked for at the point. */
struct link_map node_links(struct db *db, struct arena *a, const struct point *p, const struct node *n);
bool ref_same(const struct doc_ref *x, const struct doc_ref *y);

/* The document JSON of a page or reusable content at a point; from the cache where it is there. */
struct rendered {
	struct str  json;
	struct str  body_hash, refs_hash;   /* the cache's key */
	bool        cached;
	bool        lost;                   /* the text is damaged in the database, and this one says so */
};
/* How often a text was lost, since the process began: which of several documents hold no such text. */
unsigned documents_lost(void);
/* Fails with DB_LOST, in words that name the page. Does not return. */
void lose_text(struct db *db, struct arena *a, const struct node *n) __attribute__((noreturn));
/* Can the text of this node be read? */
bool text_readable(struct db *db, struct arena *a, const struct node *n);
struct rendered document_of(struct db *db, struct arena *a, const struct point *p,
    const struct node *n);
/* The same document with the blocks of reusable contents in their place; self: the node that it is of. */
struct str document_dereferenced(struct db *db, struct arena *a, const struct point *p,
    const char *self, struct str json);
/*
 * What a block of reusable content names: such a content, or a page. False: nothing, or a page that is not
 * for everybody, for it would be shown to all who see the page that includes it.
 */
bool content_to_include(struct db *db, struct arena *a, const struct point *p, const char *id, struct node *out);
/* Keeps it; in a write transaction. */
void document_keep(struct db *db, const struct rendered *d);

/* The Markdown that leaves: H1, then the body with the spellings of moved targets replaced.
 * stable: links are written as /pages/ID (format.markdown.refs=stable). Where the text is damaged it
 * fails as lose_text(): Markdown is written back, and a text that stands in would be. */
struct str markdown_of(struct db *db, struct arena *a, const struct point *p, const struct node *n,
    bool stable);

/* A key between two order keys ("" = open end), for placing among siblings. */
char *order_key_between(struct arena *a, const char *before, const char *after);
/* n of them in rising order. More about places: store/order.h. */
char **order_key_fill(struct arena *a, const char *before, const char *after, size_t n);

#endif
