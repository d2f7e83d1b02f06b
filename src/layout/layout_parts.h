/*
 * Shared by the files of this room; layout.h describes the whole. "Layout 3.8" is a rule of
 * include/layout/rules.md.
 *
 *   layout.c         layout_read: order of work, assets, includes
 *   layout_tree.c    index of the entries under root: names, nested spaces
 *   layout_book.c    variables of book.json
 *   layout_config.c  .gitbook.yaml, redirects, vars.yaml, tags.yaml
 *   summary.c        SUMMARY.md -> items (text alone, no tree)
 *   layout_pages.c   items -> pages: targets, titles
 *   layout_infer.c   pages without a SUMMARY.md
 *   layout_names.c   slugs and paths of pages, unique
 *   layout_link.c    spellings -> targets (layout_resolve, layout_find)
 *   layout_inline.c  one line of Markdown -> plain text and link
 *   page_file.c      page files: frontmatter, H1, body
 *   write_front.c    writes heading and frontmatter
 *   write_title.c    writes titles
 *   write_yaml.c     writes scalars
 *   write_toc.c      writes the table of contents
 */
#ifndef OCTAVO_LAYOUT_PARTS_H
#define OCTAVO_LAYOUT_PARTS_H

#include "base/buf.h"
#include "base/json.h"
#include "layout/book.h"
#include "layout/layout.h"
#include "layout/write.h"
#include "base/map.h"
#include "base/yaml.h"

/* ---- one line of Markdown ------------------------------------------------- */

struct layout_inline {
	const char *text;        /* plain text of the line, without blanks at its ends; "" if none */
	const char *link_text;   /* plain text of the first link */
	const char *url;         /* its target without escapes and entities; NULL: no link */
	const char *link_title;  /* NULL if none */
	const char *anchor;      /* id of an <a id="…">, or fragment of an <a href="#…">; NULL if none */
	size_t      links;
	struct layout_further *further;  /* the other links in order, including one inside the text of a link */
	bool        outside;     /* there is text beside the first link */
};

struct layout_further {
	struct layout_further *next;
	const char *text, *url;  /* as in struct layout_inline */
};

/*
 * Parses s as one line: line ends count as blanks, and block syntax (#, -, 1.) is text. Any bytes
 * are accepted.
 */
void layout_inline_parse(struct arena *a, struct str s, struct layout_inline *out);

/*
 * Length of a shortcode like ":rocket:" at s + at; 0 if there is none. *code: its emoji. Colons
 * within a word, as in "im::floo::X", begin no shortcode.
 */
size_t layout_shortcode(struct arena *a, const char *s, size_t at, const char **code);

/* Writes a title as one line of Markdown, which layout_inline_parse() reads as the same title. */
void title_write(struct buf *out, const char *title);
/* Writes the text in quotes that may follow the target of a link. */
void link_title_write(struct buf *out, const char *title);

/* True if every YAML parser would read the text, written without quotes, as this text. */
bool yaml_plain(const char *s);
/* True if every YAML parser reads all characters unchanged in plain and folded scalars. */
bool yaml_bare(const char *s);

/*
 * If the title begins with an emoji, a blank and more text: returns the emoji and sets *rest to the
 * text. Otherwise NULL.
 */
const char *layout_leading_emoji(struct arena *a, const char *title, const char **rest);

/* The first n code points, or the whole text if it is shorter. */
const char *layout_clip(struct arena *a, const char *s, size_t n);

/* ---- lines ---------------------------------------------------------------- */

/* A line ends at \n, \r\n or a lone \r. */
struct layout_line {
	size_t start;  /* of its first byte */
	size_t end;    /* after its last byte, without the line end */
	size_t next;   /* start of the next line, or the end of the text */
};

/* Reads the line that begins at `at`; false at the end of the text. */
bool layout_line_at(struct str text, size_t at, struct layout_line *out);

/* 3 if the text begins with a UTF-8 byte order mark, else 0. */
size_t layout_bom(struct str text);

struct str layout_trim(struct str s);

/* ---- the tree under root -------------------------------------------------- */

enum {
	ENTRY_UNUSABLE = 1,  /* a symlink, submodule or harmful name: never read */
	ENTRY_NESTED   = 2,  /* below root, but in a space of its own */
	ENTRY_LISTED   = 4,  /* became a page */
	ENTRY_SUMMARY  = 8,  /* is the table of contents */
	ENTRY_WHOLE    = 16  /* an item of the table lists the file without a fragment */
};

/* Lives as long as the arena of layout_read(), since layout_find() uses it later. */
struct layout_index {
	struct arena              *arena;
	struct arena              *scratch;  /* reset after each file and each search for a target */
	const struct layout_source*src;
	struct layout_limits       limits;   /* a copy: used later, for files that pages include */
	struct layout             *out;
	struct str                 root;     /* "" or "a/b" */
	size_t                     from, to; /* range of the source's entries under root */
	/* One element for each entry of the source; the index is layout_number(). */
	unsigned char             *flags;
	struct layout_page       **pages;    /* the page that the entry became */
	struct layout_asset      **assets;
	struct layout_include    **includes;
	const struct book         *book;     /* variables of book.json; NULL: there is no such file */
	bool                       stale;    /* the variables have changed since the known pages were read */
	struct map         *folded;   /* path with folded case and composition -> first entry */
	struct layout_warning     *last;
};

/* Prepares the index: range, flags, folded names, nested spaces; warns. False on an exceeded limit. */
bool layout_index_build(struct layout_index *x);

/*
 * Finds directories that have a README.md and a SUMMARY.md of their own, and of which the space's
 * table of contents lists nothing. Each is another space, even without settings, such as a
 * translation. Call it once the pages are known.
 */
void layout_index_books(struct layout_index *x);

/* Sets from and to for root. layout_rel() needs nothing else. */
void layout_index_range(struct layout_index *x);

/*
 * The same as layout_exact(), for an index whose flags are not computed yet: finds an ordinary file
 * with an acceptable name.
 */
const struct layout_entry *layout_plain_file(const struct layout_index *x, struct str rel);

/* Finds an ordinary file anywhere in the repository by its path from the top. */
const struct layout_entry *layout_anywhere(const struct layout_index *x, struct str path);

/* Why an entry can never be used; NULL: it is a file with an acceptable name. */
const char *layout_unusable(const struct layout_entry *e);

/* The path relative to root; for an entry outside of root, its whole path. */
struct str layout_rel(const struct layout_index *x, const struct layout_entry *e);

/* True if the path is below root. */
bool layout_inside(const struct layout_index *x, const struct layout_entry *e);

/* Index of the entry in the source. */
size_t layout_number(const struct layout_index *x, const struct layout_entry *e);

/* A usable entry by its path relative to root, byte for byte; NULL if there is none. */
const struct layout_entry *layout_exact(const struct layout_index *x, struct str rel);

/*
 * The only usable entry whose path differs at most in case or Unicode composition; NULL if there is
 * none, or several.
 */
const struct layout_entry *layout_similar(const struct layout_index *x, struct str rel);

/*
 * The entry that a path typed by a person means (layout 3.10): the path itself; the page of that
 * directory; the path with .md; the path with .md in place of .html. All are tried exactly first,
 * then ignoring case. *guess: the entry's path is spelled in another way.
 */
const struct layout_entry *layout_find_path(const struct layout_index *x, const char *rel, bool *guess);

/*
 * layout_size() returns the size of a file. layout_load() reads a file of at most max bytes into the
 * arena; false: the import fails (out->error is set).
 */
int64_t layout_size(const struct layout_index *x, const struct layout_entry *e);
bool layout_load(struct layout_index *x, struct arena *a, const struct layout_entry *e, int64_t max, struct str *bytes);

/* The same as layout_load(), for a text: variables of book.json are filled in, with a warning about unknown ones. */
bool layout_load_text(struct layout_index *x, struct arena *a, const struct layout_entry *e, int64_t max, struct str *bytes);

/* Fills in the variables of a text. warn: report unknown ones. */
struct str layout_fill(struct layout_index *x, struct arena *a, const struct layout_entry *e, struct str bytes, bool warn);

/* file is relative to root. */
void layout_warn(struct layout_index *x, const char *file, size_t line, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
void layout_warn_at(struct layout_index *x, const struct layout_entry *e, size_t line, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* Sets out->error; returns false. file may be NULL. */
bool layout_fail(struct layout_index *x, const char *file, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* True if the name ends in .md, in any case. */
bool layout_is_markdown(struct str path);

/* The last component of a path. */
struct str layout_base(struct str path);

/* ---- settings ------------------------------------------------------------- */

struct layout_config {
	const char *root;     /* relative to the project directory, normalised */
	const char *readme;   /* relative to root */
	const char *summary;  /* path of the table of contents, relative to root */
	bool        summary_set;        /* the settings name it; false: `summary` is the default */
	struct yaml*redirects;/* NULL if none */
	const char *title, *language;   /* of book.json; NULL if none */
	const char *file;     /* path of .gitbook.yaml in the repository, NULL if there is none */
	const char *message;  /* what could not be read; NULL: everything was */
	size_t      line;     /* and in which line */
};

/* Pure function. Zero-width characters around keys and values are removed; unknown keys are ignored. */
void layout_config_parse(struct arena *a, struct str bytes, struct layout_config *out);

/*
 * Reads the same settings from book.json, the settings file of Honkit and of the published
 * service's first years.
 */
void layout_book_parse(struct arena *a, struct str bytes, struct layout_config *out);

/* True if a path would have to be percent-encoded in an address. */
bool layout_name_unclean(struct str s);

/*
 * Redirects as JSON: old page path in lower case -> spelling relative to root. Includes redirects
 * from file names that had to be cleaned. Warns about missing targets.
 */
const char *layout_redirects(struct layout_index *x, const struct layout_config *c);

/* JSON of .gitbook/vars.yaml and .gitbook/tags.yaml. */
const char *layout_vars(struct layout_index *x, const struct layout_entry *e, struct str bytes);
const char *layout_tags(struct layout_index *x, const struct layout_entry *e, struct str bytes);

/* True for the name of a variable: a letter, then letters, digits and _. */
bool layout_variable_name(struct str name);

/*
 * Joins a path to a directory ("" = top), and resolves "." and ".." and doubled slashes. NULL if it
 * climbs above the top.
 */
const char *layout_join(struct arena *a, const char *base, struct str path);

/* ---- table of contents ---------------------------------------------------- */

enum summary_kind { SUMMARY_GROUP, SUMMARY_END, SUMMARY_ITEM, SUMMARY_YAML, SUMMARY_IGNORED };

struct summary_item {
	struct summary_item *next;
	struct summary_item *parent;    /* the item that this one is nested in */
	enum summary_kind    kind;
	size_t               depth;     /* 0 at the top */
	size_t               line;      /* 1-based */
	struct str           source;    /* its lines in the text */
	struct layout_inline text;      /* GROUP, ITEM */
	struct str           yaml;      /* YAML: the content of the fence, without its indentation */
	bool                 children;  /* other items are nested in it */
	struct layout_page  *under;     /* page that gets nested items as children; layout_pages.c sets it */
};

struct summary {
	struct summary_item *items;
	size_t               count;
	size_t               too_deep;  /* line of an item over the depth limit; 0 if none */
	/* It is called with the number of a line and what is unusual in it; may be NULL. */
	void               (*warn)(void *ctx, size_t line, const char *message);
	void                *ctx;
};

/* Reads a SUMMARY.md. depth_limit: levels of items; deeper ones set too_deep. The caller sets warn and ctx in *out. */
void summary_parse(struct arena *a, struct str text, size_t depth_limit, struct summary *out);

/* ---- pages ---------------------------------------------------------------- */

/* Where pages are appended, in reading order. */
struct layout_builder {
	struct layout_index *x;
	struct layout_page **tail;
	struct layout_page  *group;    /* open group; NULL if none */
};

/*
 * A git LFS pointer is smaller than this (specification of git LFS), so larger files need not be
 * read for layout_is_lfs_pointer().
 */
enum { LFS_POINTER_MAX = 1024 };

/* Appends an empty page; NULL when there are too many (out->error is set). */
struct layout_page *layout_page_add(struct layout_builder *b, enum layout_kind kind,
    struct layout_page *parent);

/*
 * Makes the page the document of this file: reads and splits it. title NULL: its H1, otherwise the
 * file's name.
 */
bool layout_page_file(struct layout_builder *b, struct layout_page *p, const struct layout_entry *e,
    const char *title);

/* Sets the title. An emoji at its beginning is moved to the props. */
void layout_page_title(struct layout_builder *b, struct layout_page *p, const char *title);

/*
 * True for the names that other generators use for the page of a directory: index.md, _index.md, in
 * any case.
 */
bool layout_is_index(struct str path);

/* Makes the pages of a table of contents. file: its path relative to root. False: a limit was exceeded. */
bool layout_pages(struct layout_builder *b, struct str text, const char *file);

/*
 * Makes the pages of a space without a table of contents (layout 3.13). readme: the first page, or
 * NULL. layout_infer_first() finds the file that other generators use as the first page; NULL:
 * none.
 */
bool layout_infer(struct layout_builder *b, const struct layout_entry *readme);
const struct layout_entry *layout_infer_first(const struct layout_index *x);

/* "getting-started/x.md" -> "Getting started", "X". */
const char *layout_pretty(struct arena *a, struct str file_name);

/* Gives every page its slug and path. */
void layout_names(struct layout_index *x);

/* ---- page files ----------------------------------------------------------- */

/* The same as page_file_split(), but an include keeps its H1 in the body. */
void include_file_split(struct arena *a, struct str bytes, struct page_file *out);

#endif
