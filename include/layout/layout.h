/*
 * The git-sync layout (rules.md beside this file): how a directory of Markdown
 * becomes a space. Pure: reads through struct layout_source, writes a struct
 * layout; no database, no git, no network.
 *
 *   .gitbook.yaml -> root, readme, summary, redirects
 *   SUMMARY.md    -> the tree of pages, groups, links, computed items
 *   page files    -> frontmatter properties, H1, body
 *   assets, includes, vars.yaml, tags.yaml
 *
 * What export needs to give back an untouched file byte for byte is kept: the
 * git path and blob id of each object, the bytes before a page's body (front),
 * each SUMMARY item's own source lines, and settings files whole.
 */
#ifndef OCTAVO_LAYOUT_H
#define OCTAVO_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"

/* One entry of the tree to import; directories are implied by paths. */
struct layout_entry {
	struct str path;   /* bytes as in git, relative to the repository's root */
	char       oid[41];/* blob id, hex */
	uint32_t   mode;   /* 0100644, 0100755, 0120000 (symlink), 0160000 (submodule) */
	int64_t    size;   /* bytes; -1: nothing that can be read, such as a submodule; LAYOUT_UNASKED: source.size() tells */
};

enum { LAYOUT_UNASKED = -2 };

struct layout_source {
	const struct layout_entry *entries;  /* sorted by path, bytewise */
	size_t                     count;
	/* The bytes of an entry, in the arena; false if it cannot be read. */
	bool (*read)(void *ctx, struct arena *a, const struct layout_entry *e, struct str *out);
	void  *ctx;
	/* The size of an entry that has none yet; NULL: all have it. To tell it takes as long as to read a small file. */
	int64_t (*size)(void *ctx, const struct layout_entry *e);
	/*
	 * May be NULL, as what it answers may be false. Of a page file that was read before, with these very
	 * bytes: what stood before its body, and the caller's name for the body, which then is read
	 * when it is asked for (layout_page_body()). Nothing is told again of such a body. Of an image
	 * that was taken before: that it is one, by true alone. Both were within the limits then.
	 */
	bool (*known)(void *ctx, const struct layout_entry *e, struct str *front, struct str *body);
	void  *known_ctx;
	const char *known_book;  /* id of the book.json whose variables were filled in then; NULL: none */
};

struct layout_limits {
	size_t  pages;        /* most pages, groups and links together */
	size_t  depth;        /* deepest nesting of SUMMARY items */
	int64_t page_bytes;   /* largest Markdown file */
	int64_t file_bytes;   /* largest other file */
	size_t  path_bytes;   /* longest path */
};

struct layout_warning {
	struct layout_warning *next;
	const char *file;     /* relative to the repository's root */
	size_t      line;     /* 1-based; 0: the file as a whole */
	const char *message;
};

enum layout_kind { LAYOUT_DOCUMENT, LAYOUT_GROUP, LAYOUT_LINK, LAYOUT_COMPUTED };

/*
 * An item of the table of contents. Documents and groups hold other items,
 * groups only at the top; links and computed items hold none (what is nested
 * in one is put beside it).
 *
 * props, with only those members that the source sets:
 *   emoji            any kind: a leading emoji of the title, which then lacks it
 *   document         description, icon, condition: strings; hidden, noIndex,
 *                    noRobotsIndex: true; cover {ref, refDark: spellings as seen
 *                    from the page's file, yPos always, height};
 *                    layout {width, cover, coverSize, coverMask, title,
 *                    description, tableOfContents, outline, pagination,
 *                    metadata, tags, actions, anchors}, flat as in the API and
 *                    without defaults; tags [{tag: {kind: "tag", tag: slug},
 *                    primary}]; variables: map of strings
 *   link             target: spelling as seen from the table of contents
 *   computed         its YAML: type, props, dependencies
 */
struct layout_page {
	enum layout_kind    kind;
	struct layout_page *parent;      /* NULL at the top */
	struct layout_page *next;        /* following item in reading order (depth first, parents first) */
	const char         *title;       /* plain text */
	const char         *link_title;  /* NULL if none */
	const char         *slug;        /* lower case, unique among siblings */
	const char         *path;        /* page path: layout 4, lower case, unique in the space */
	const char         *props;       /* JSON object, see above */
	const struct layout_entry *file; /* NULL: no file of its own */
	struct str          front;       /* bytes before the body: BOM, frontmatter, H1, blank lines */
	struct str          body;        /* p NULL: no file, or not read yet */
	struct str          known;       /* of what is not read: the caller's name for it; else p NULL */
	size_t              body_line;   /* 1-based line of the body's first byte in the file */
	struct str          source;      /* own lines in SUMMARY.md */
	size_t              line;        /* 1-based line in SUMMARY.md; 0: inferred */
};

struct layout_asset {                    /* any other file that belongs to the space */
	struct layout_asset       *next;
	const struct layout_entry *file;
	const char                *name;     /* last component */
	bool                       listed;   /* below .gitbook/assets: kept though no page shows it;
	                                        else a candidate, to be kept only if a page refers to it */
	bool                       outside;  /* not of this space: below no root, or below that of another.
	                                        Only what shows it counts, no mere link; not looked into yet */
};

struct layout_include {                  /* reusable content */
	struct layout_include     *next;
	const struct layout_entry *file;
	bool                       listed;   /* .gitbook/includes/NAME.md; else a candidate: any text that a
	                                        page includes, read by layout_include_read() */
	const char                *title;
	struct str                 front, body;
	size_t                     body_line;
};

#define LAYOUT_BOOK "book.json"          /* where it has variables */

struct layout_setting {                  /* kept whole for export, and read by the API */
	struct layout_setting     *next;
	const char                *id;       /* ".gitbook.yaml", "SUMMARY.md", "vars", "tags", "redirects", LAYOUT_BOOK */
	const struct layout_entry *file;     /* NULL for "redirects", which comes from .gitbook.yaml */
	struct str                 bytes;
	const char                *json;     /* vars: map of strings; tags: list of {slug, label, color, icon or emoji};
	                                        redirects: old page path in lower case -> spelling relative to root;
	                                        else NULL */
};

struct layout {
	const char            *root;         /* directory that paths are relative to, "" or "a/b" */
	struct layout_page    *pages;        size_t page_count;
	struct layout_asset   *assets;
	struct layout_include *includes;
	struct layout_setting *settings;
	struct layout_warning *warnings;     size_t warning_count;
	size_t documents;      /* pages that have a file of their own */
	size_t empty;          /* document pages without a file: items without a link, missing targets with children */
	size_t groups, links, computed;
	size_t unlisted;       /* .md files under root that became nothing; no SUMMARY.md is counted */
	/* On failure of layout_read: what is wrong, for the admin; and where. */
	const char *error, *error_file;
	const char *title, *language;        /* that a legacy book.json gives the whole; NULL if none */
	struct layout_index *index;          /* for layout_find */
};

/*
 * Reads the tree under project_dir ("" = whole). Bad content never fails the
 * import: it warns; a limit that is exceeded, a project_dir or root that is
 * not there or climbs out, does: false, with error set. The limits are
 * copied: they hold for what is read later, too.
 */
bool layout_read(struct arena *a, const struct layout_source *src, const char *project_dir,
    const struct layout_limits *limits, struct layout *out);

/* Reads a candidate, once; what is odd in it is warned about. NULL, or why it cannot be included. The source must still be there. */
const char *layout_include_read(const struct layout *l, struct layout_include *i);

/* A small file that only says where git LFS keeps the real one. */
bool layout_is_lfs_pointer(struct str bytes);

/* The body of a page, read now where it is only known. False: its file cannot be read. The source must still be there. */
bool layout_page_body(const struct layout *l, const struct layout_page *p, struct str *out);

/*
 * Where a spelling found in file `from` (relative to root) points, decoded and
 * normalised (layout 3.10, 5.5): an absolute URL, another space's page, a
 * path, or nothing. Escapes of Markdown, entities and
 * percent-encoding are undone here, in this order. TARGET_NONE: nothing was
 * spelled. TARGET_BROKEN: what the service writes for a dead target. A lone
 * #fragment is a path to `from`. What the caller sets is how the spelling is used (layout_ways).
 */
struct layout_target {
	enum { TARGET_NONE, TARGET_URL, TARGET_PATH, TARGET_SPACE, TARGET_BROKEN } kind;
	const char *path;      /* TARGET_PATH: relative to root, no leading slash, "" = root directory;
	                          begins with "../" where it climbs out of root */
	const char *fragment;  /* NULL if none */
	const char *space;     /* TARGET_SPACE: id in https://app.gitbook.com/s/<id>/<path> */
	const char *url;       /* TARGET_URL; TARGET_SPACE: the whole address, for a space that is not known */
	const char *literal;   /* TARGET_PATH: the spelling with %, # and ? taken as they stand; NULL if it has none */
	const char *from;      /* TARGET_PATH: the file that it stands in, relative to root */
	const char *spelled;   /* likewise: the path as it is spelled, decoded */
	bool        shown;     /* by the caller: a picture or another file that is shown */
	bool        included;  /* by the caller: a text to be included */
};
struct layout_target layout_resolve(struct arena *a, const char *from, struct str spelling);

/*
 * The paths in the repository that a target may mean, best first, NULL at the end; nothing climbs out of
 * the repository. Links have one, which lies below root. What is shown may lie elsewhere in the
 * repository: "../x" is taken so, and "/x" begins at each folder from root up. What is included is
 * looked for in the folder of the file and in each folder above it.
 */
const char *const *layout_ways(struct arena *a, const char *root, const struct layout_target *t);

/*
 * The files that a path may mean, best first, NULL at the end: itself,
 * README.md in it, else index.md or _index.md, with .md, .html as .md. Each is to be tried exactly, then
 * all of them without regard to case and Unicode composition where only one
 * file fits.
 */
const char *const *layout_candidates(struct arena *a, const char *path);

/*
 * What a target is in a layout that was read; all NULL if it is nothing that
 * the import knows. The layout's source must still be there.
 */
struct layout_found {
	const struct layout_entry   *file;     /* set, and the rest NULL: in the repository, but not imported */
	const struct layout_page    *page;
	const struct layout_asset   *asset;
	const struct layout_include *include;
	bool                         guessed;  /* found only by forgiving case, composition or ending */
};
struct layout_found layout_find(const struct layout *l, const struct layout_target *t);

/* Splits a page file: bytes before the body (HTML comments before the H1 are of them), the H1's plain text
 * (NULL if none), the frontmatter as a JSON object of API properties ("{}" if none or invalid), foreign
 * keys left out. */
struct page_file {
	struct str  front, body;
	size_t      matter;        /* bytes of front up to comments and H1: byte order mark and frontmatter */
	const char *h1;
	const char *title;         /* of the frontmatter, plain text; NULL if none */
	const char *h1_id;         /* that the H1 is given, as "{#id}" or in an <a>; NULL if none */
	const char *props;
	size_t      body_line;
	const char *warning;       /* NULL if all was well */
	size_t      warning_line;
	const char *condition_fault;  /* why "if:" is no expression, so that it hides the page; NULL: it is one */
};
void page_file_split(struct arena *a, struct str bytes, struct page_file *out);

#endif
