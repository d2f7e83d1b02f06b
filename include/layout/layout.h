/*
 * The git-sync layout (rules.md beside this file): how a directory of Markdown becomes a space.
 * Pure: it reads through struct layout_source and writes a struct layout; no database, no git, no
 * network.
 *
 *   .gitbook.yaml -> root, readme, summary, redirects
 *   SUMMARY.md    -> the tree of pages, groups, links, computed items
 *   page files    -> frontmatter properties, H1, body
 *   assets, includes, vars.yaml, tags.yaml
 *
 * The result also has what an export needs to write unchanged files byte for byte: the git path and
 * blob id of each object, the bytes before a page's body (front), the source lines of each item of
 * SUMMARY.md, and complete settings files. Root is the directory that contains the space: the
 * project directory, or the one that .gitbook.yaml names.
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
	struct str path;   /* bytes as in git, relative to the repository's root; a NUL follows them */
	char       oid[41];/* blob id, hex */
	uint32_t   mode;   /* 0100644, 0100755, 0120000 (symlink), 0160000 (submodule) */
	int64_t    size;   /* bytes; -1: not readable, such as a submodule; LAYOUT_UNASKED: call source.size() */
};

enum { LAYOUT_UNASKED = -2 };

struct layout_source {
	const struct layout_entry *entries;  /* sorted by path, bytewise */
	size_t                     count;
	/* The bytes of an element of entries, in the arena; false if it cannot be read. */
	bool (*read)(void *ctx, struct arena *a, const struct layout_entry *e, struct str *out);
	void  *ctx;
	/* Returns the size of an entry with LAYOUT_UNASKED; as slow as reading a small file. NULL: all are known. */
	int64_t (*size)(void *ctx, const struct layout_entry *e);
	/*
	 * May be NULL. Returns true for a file that an earlier import read with the same bytes, so
	 * that it need not be read again. For a page file it sets *front to the text before the
	 * body, and *body to a name that the caller has for the body; layout_page_body() reads the
	 * body on demand, and its warnings are not repeated. For an image only the result counts. A
	 * known file was within the limits.
	 */
	bool (*known)(void *ctx, const struct layout_entry *e, struct str *front, struct str *body);
	void  *known_ctx;
	const char *known_book;  /* id of the book.json whose variables that import filled in; NULL: none */
};

struct layout_limits {
	size_t  pages;        /* most pages, groups and links together */
	size_t  depth;        /* deepest nesting of SUMMARY items */
	int64_t page_bytes;   /* largest Markdown file */
	int64_t file_bytes;   /* largest other file */
	size_t  path_bytes;   /* longest path */
	int64_t table_bytes;  /* largest table of contents; 0: page_bytes */
};

struct layout_warning {
	struct layout_warning *next;
	const char *file;     /* relative to the repository's root */
	size_t      line;     /* 1-based; 0: the file as a whole */
	const char *message;
};

enum layout_kind { LAYOUT_DOCUMENT, LAYOUT_GROUP, LAYOUT_LINK, LAYOUT_COMPUTED };

/*
 * A page, made from an item of the table of contents. Documents and groups can have children;
 * groups are only at the top level. Links and computed items have no children: items nested in them
 * become their siblings.
 *
 * props is a JSON object with only those members that the source sets:
 *   any kind    emoji: a leading emoji of the title, which is then removed from the title
 *   document    description, icon, condition: strings; hidden, noIndex, noRobotsIndex: true; cover
 *               {ref, refDark: spellings relative to the page's file, yPos always, height}; layout
 *               {width, cover, coverSize, coverMask, title, description, tableOfContents, outline,
 *               pagination, metadata, tags, actions, anchors}, flat as in the API and without
 *               defaults; tags [{tag: {kind: "tag", tag: slug}, primary}]; variables: map of
 *               strings
 *   link        target: spelling relative to the table of contents
 *   computed    its YAML: type, props, dependencies
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
	struct str          known;       /* the caller's name for the body; p NULL: it has none (layout_source.known) */
	size_t              body_line;   /* 1-based line of the body's first byte in the file */
	struct str          source;      /* its lines in SUMMARY.md */
	size_t              line;        /* 1-based line in SUMMARY.md; 0: inferred */
	void               *own;         /* for the caller of layout_read(); NULL at first */
};

struct layout_asset {                    /* a file of the space that is neither page, include nor setting */
	struct layout_asset       *next;
	const struct layout_entry *file;
	const char                *name;     /* last component */
	bool                       listed;   /* below .gitbook/assets: always imported; false: imported only if a page refers to it */
	bool                       outside;  /* outside of root: imported only if a page shows it (a link does not); its bytes are read later */
	void                      *own;      /* as for pages */
};

struct layout_include {                  /* reusable content: a text that pages include */
	struct layout_include     *next;
	const struct layout_entry *file;
	bool                       listed;   /* .gitbook/includes/NAME.md; false: another text, which is reusable
	                                        content only if a page includes it (layout_include_read()) */
	const char                *title;
	struct str                 front, body;
	size_t                     body_line;
	void                      *own;      /* as for pages */
};

#define LAYOUT_BOOK "book.json"          /* id of the setting; present only if the file has variables */

struct layout_setting {                  /* a complete settings file, for exports and the API */
	struct layout_setting     *next;
	const char                *id;       /* ".gitbook.yaml", "SUMMARY.md", "vars", "tags", "redirects", LAYOUT_BOOK */
	const struct layout_entry *file;     /* NULL for "redirects", which comes from .gitbook.yaml */
	struct str                 bytes;
	const char                *json;     /* vars: map of strings; tags: list of {slug, label, color, icon or emoji};
	                                        redirects: old page path in lower case -> spelling relative to root;
	                                        else NULL */
};

struct layout {
	const char            *root;         /* the space's directory in the repository: "" or "a/b" */
	struct layout_page    *pages;        size_t page_count;
	struct layout_asset   *assets;
	struct layout_include *includes;
	struct layout_setting *settings;
	struct layout_warning *warnings;     size_t warning_count;
	size_t documents;      /* pages that have a file of their own */
	size_t empty;          /* document pages without a file: items without a link, and missing targets that have children */
	size_t groups, links, computed;
	size_t unlisted;       /* .md files below root that are not imported, without SUMMARY.md */
	/* After layout_read() has failed: a message for the admin, and the file that it is about. */
	const char *error, *error_file;
	const char *title, *language;        /* of the space, from a legacy book.json; NULL: none */
	struct layout_index *index;          /* for layout_find */
};

/*
 * Reads the tree below project_dir ("": all of it). Content that cannot be understood only causes
 * warnings. False, with error set, if a limit is exceeded, or if project_dir or root does not exist
 * or is outside of the repository. The limits are copied, and also apply to files that are read
 * later.
 */
bool layout_read(struct arena *a, const struct layout_source *src, const char *project_dir,
    const struct layout_limits *limits, struct layout *out);

/*
 * Reads a text that is not listed and that a page includes, once, and adds warnings about it. NULL,
 * or why it cannot be included. The source must still exist.
 */
const char *layout_include_read(const struct layout *l, struct layout_include *i);

/* True for the small file that git LFS stores in place of the real one. */
bool layout_is_lfs_pointer(struct str bytes);

/*
 * Reads the body of a page: the layout does not keep bodies, so that its memory does not grow with
 * them. Without a file the body is empty. False: the file cannot be read. The source must still exist.
 */
bool layout_page_body(const struct layout *l, struct arena *a, const struct layout_page *p, struct str *out);

/*
 * The target of a spelling in the file `from` (relative to root): an absolute URL, a page of
 * another space, a path, or none (layout 3.10, 5.5). layout_resolve() decodes Markdown escapes,
 * then entities, then percent-encoding, and resolves "." and "..". TARGET_NONE: the spelling is
 * empty. TARGET_BROKEN: the form that the published service writes for a deleted target. A fragment
 * without a path is a path to `from`. The caller sets shown and included, on which
 * layout_target_paths() and layout_find() depend.
 */
struct layout_target {
	enum { TARGET_NONE, TARGET_URL, TARGET_PATH, TARGET_SPACE, TARGET_BROKEN } kind;
	const char *path;      /* TARGET_PATH: relative to root, no leading slash, "" = root directory;
	                          begins with "../" if it is outside of root */
	const char *fragment;  /* NULL if none */
	const char *space;     /* TARGET_SPACE: id in https://app.gitbook.com/s/<id>/<path> */
	const char *url;       /* TARGET_URL; TARGET_SPACE: the whole address, for a space that is not known */
	const char *literal;   /* TARGET_PATH: the spelling with %, # and ? as ordinary characters; NULL: it has none */
	const char *from;      /* TARGET_PATH: the file that contains the spelling, relative to root */
	const char *spelled;   /* TARGET_PATH: the path as it is spelled, decoded */
	bool        shown;     /* set by the caller: a picture or another file that the page shows */
	bool        included;  /* set by the caller: a text that the page includes */
};
struct layout_target layout_resolve(struct arena *a, const char *from, struct str spelling);

/*
 * The paths in the repository where the target is looked up, in this order, with NULL at the end.
 * None is outside of the repository. For a link this is one path, below root. A shown file may be
 * elsewhere: "../x" may go above root, and "/x" is tried in root and in each folder above it. An
 * included text is tried in the folder of the file and in each folder above it.
 */
const char *const *layout_target_paths(struct arena *a, const char *root, const struct layout_target *t);

/*
 * The files that a path may mean, best first, with NULL at the end: the path itself; README.md,
 * index.md or _index.md in it; the path with .md; the path with .md in place of .html. Callers try
 * each of them exactly first; then they ignore case and Unicode composition, if exactly one file
 * matches.
 */
const char *const *layout_candidates(struct arena *a, const char *path);

/*
 * What a target means in a layout; all members are NULL if nothing is found. The layout's source
 * must still exist.
 */
struct layout_found {
	const struct layout_entry   *file;     /* the file; if no other member is set: it is in the repository, but was not imported */
	const struct layout_page    *page;
	const struct layout_asset   *asset;
	const struct layout_include *include;
	bool                         guessed;  /* found only by ignoring case, composition or extension */
};
struct layout_found layout_find(const struct layout *l, const struct layout_target *t);

/* The parts of a page file. */
struct page_file {
	struct str  front;         /* bytes before the body: byte order mark, frontmatter, comments, H1, blank lines */
	struct str  body;
	size_t      matter;        /* bytes of front before comments and H1 */
	const char *h1;            /* plain text of the H1; NULL: none */
	const char *title;         /* of the frontmatter, plain text; NULL: none */
	const char *h1_id;         /* id of the H1, as "{#id}" or in an <a>; NULL: none */
	const char *props;         /* frontmatter as a JSON object of API properties; "{}": none, or invalid */
	size_t      body_line;     /* line of the body's first byte, from 1 */
	const char *warning;       /* NULL: none */
	size_t      warning_line;
	const char *condition_fault;  /* why "if:" is not a valid expression, which hides the page; NULL: no fault */
};
void page_file_split(struct arena *a, struct str bytes, struct page_file *out);

#endif
