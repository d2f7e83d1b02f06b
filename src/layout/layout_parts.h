/*
 * What the files of the layout module share; see layout.h for the whole.
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
 *   page_file.c          page files: frontmatter, H1, body
 *   write_front.c    the way back: heading and frontmatter
 *   write_title.c    titles
 *   write_yaml.c     scalars
 *   write_toc.c      the table of contents
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
	const char *text;        /* plain text of everything, blanks trimmed; "" if none */
	const char *link_text;   /* plain text of the first link */
	const char *url;         /* its target, escapes and entities undone; NULL: no link */
	const char *link_title;  /* NULL if none */
	const char *anchor;      /* id of an <a id="…"> or fragment of <a href="#…">; NULL if none */
	size_t      links;
	struct layout_further *further;  /* the other links, in their order; one within the text of a link is of them */
	bool        outside;     /* there is text beside the first link */
};

struct layout_further {
	struct layout_further *next;
	const char *text, *url;  /* as above */
};

/* Line ends count as blanks. Block syntax (#, -, 1.) is text. Any bytes are accepted. */
void layout_inline_parse(struct arena *a, struct str s, struct layout_inline *out);

/*
 * Bytes of a shortcode like ":rocket:" at s + at, 0 if there is none; *code is
 * its emoji. Colons within a word, as in "im::floo::X", are none.
 */
size_t layout_shortcode(struct arena *a, const char *s, size_t at, const char **code);

/* A title as Markdown of one line, which layout_inline_parse() reads as that title. */
void title_write(struct buf *out, const char *title);
/* The text in quotes after a link's target. */
void link_title_write(struct buf *out, const char *title);

/* True if every YAML parser would read the text, written without quotes, as this text. */
bool yaml_plain(const char *s);
/* Are all its characters those that every reader takes as they are, in plain and folded scalars? */
bool yaml_bare(const char *s);

/*
 * Returns a leading emoji that is followed by a blank and more text, as a string, and sets *rest;
 * otherwise NULL.
 */
const char *layout_leading_emoji(struct arena *a, const char *title, const char **rest);

/* The first n code points at most. */
const char *layout_clip(struct arena *a, const char *s, size_t n);

/* ---- lines ---------------------------------------------------------------- */

/* Ends at \n, \r\n or a lone \r. */
struct layout_line {
	size_t start;  /* of its first byte */
	size_t end;    /* after its last byte, without the line end */
	size_t next;   /* start of the next line, or the end of the text */
};

/* The line at `at`; false at the end of the text. */
bool layout_line_at(struct str text, size_t at, struct layout_line *out);

/* 3 if the text begins with a UTF-8 byte order mark, else 0. */
size_t layout_bom(struct str text);

struct str layout_trim(struct str s);

/* ---- the tree under root -------------------------------------------------- */

enum {
	ENTRY_UNUSABLE = 1,  /* symlink, submodule, hostile name: never read */
	ENTRY_NESTED   = 2,  /* belongs to a space of its own below root */
	ENTRY_LISTED   = 4,  /* is a page */
	ENTRY_SUMMARY  = 8,  /* is the table of contents */
	ENTRY_WHOLE    = 16  /* an item of the table lists it, and not a place in it */
};

/* Lives as long as the arena of layout_read(): layout_find() looks things up in it later. */
struct layout_index {
	struct arena              *arena;
	const struct layout_source*src;
	struct layout_limits       limits;   /* a copy: what pages include is read when the caller's may be gone */
	struct layout             *out;
	struct str                 root;     /* "" or "a/b" */
	size_t                     from, to; /* range of the source's entries under root */
	/* Per entry of the source, by layout_number(). */
	unsigned char             *flags;
	struct layout_page       **pages;    /* the page that it became */
	struct layout_asset      **assets;
	struct layout_include    **includes;
	const struct book         *book;     /* variables of book.json; NULL: there is none */
	bool                       stale;    /* other ones than those that known pages were filled in with */
	struct map         *folded;   /* case-folded NFC path -> first entry; see layout_tree.c */
	struct layout_warning     *last;
};

/* Prepares the index: range, flags, folded names, nested spaces; warns. False on an exceeded limit. */
bool layout_index_build(struct layout_index *x);

/*
 * Finds directories with a README.md and a SUMMARY.md of their own of which the space's table of
 * contents lists nothing: each is another space, even without settings (a translation, for
 * example). Call it once the pages are known.
 */
void layout_index_books(struct layout_index *x);

/* Sets from and to for root; all that layout_rel needs. */
void layout_index_range(struct layout_index *x);

/* As layout_exact, for a range that has no flags: an ordinary file with a decent name. */
const struct layout_entry *layout_plain_file(const struct layout_index *x, struct str rel);

/* The same of the whole repository: its path from the top. */
const struct layout_entry *layout_anywhere(const struct layout_index *x, struct str path);

/* Why an entry is left out whatever it is for; NULL: it is a file with a decent name. */
const char *layout_unusable(const struct layout_entry *e);

/* Path relative to root; of what lies outside, the whole one. */
struct str layout_rel(const struct layout_index *x, const struct layout_entry *e);

/* True if the path is below root. */
bool layout_inside(const struct layout_index *x, const struct layout_entry *e);

/* Number in the source. */
size_t layout_number(const struct layout_index *x, const struct layout_entry *e);

/* A usable entry by its path relative to root, byte for byte; NULL if there is none. */
const struct layout_entry *layout_exact(const struct layout_index *x, struct str rel);

/* The only usable entry whose path differs in case or Unicode composition alone; NULL if none or several. */
const struct layout_entry *layout_similar(const struct layout_index *x, struct str rel);

/*
 * The entry that a path spelled by a person means (layout 3.10):
 * as it stands, the page of that directory, with .md, .html as .md; each
 * exactly, then similarly. *guess is set when it was not spelled exactly so.
 */
const struct layout_entry *layout_meant(const struct layout_index *x, const char *rel, bool *guess);

/* Reads a file up to max bytes. False: fails the import (sets out->error). */
int64_t layout_size(const struct layout_index *x, const struct layout_entry *e);
bool layout_load(struct layout_index *x, const struct layout_entry *e, int64_t max, struct str *bytes);

/* The same for a text, with the variables of book.json filled in; unknown ones get a warning. */
bool layout_load_text(struct layout_index *x, const struct layout_entry *e, int64_t max, struct str *bytes);

/* Converts bytes to text; told: warn about invalid bytes. */
struct str layout_fill(struct layout_index *x, const struct layout_entry *e, struct str bytes, bool told);

/* file is relative to root. */
void layout_warn(struct layout_index *x, const char *file, size_t line, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
void layout_warn_at(struct layout_index *x, const struct layout_entry *e, size_t line, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* Sets out->error; returns false. file may be NULL. */
bool layout_fail(struct layout_index *x, const char *file, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Ends in .md, in any case. */
bool layout_is_markdown(struct str path);

/* Last component. */
struct str layout_base(struct str path);

/* ---- settings ------------------------------------------------------------- */

struct layout_config {
	const char *root;     /* relative to the project directory, normalised */
	const char *readme;   /* relative to root */
	const char *summary;
	bool        summary_set;
	struct yaml*redirects;/* NULL if none */
	const char *title, *language;   /* of book.json; NULL if none */
	const char *file;     /* path of .gitbook.yaml in the repository, NULL if there is none */
	size_t      line;     /* what could not be read; see message */
	const char *message;
};

/* Pure. Zero-width characters around keys and values are removed; unknown keys are ignored. */
void layout_config_parse(struct arena *a, struct str bytes, struct layout_config *out);

/* The same of book.json, the settings of Honkit and of the service's first years. */
void layout_book_parse(struct arena *a, struct str bytes, struct layout_config *out);

/* True if a path would have to be percent-encoded in an address. */
bool layout_name_unclean(struct str s);

/*
 * JSON of redirects: old page path in lower case -> spelling relative to root; those of names that are no clean
 * addresses among them. Warns of dangling ones.
 */
const char *layout_redirects(struct layout_index *x, const struct layout_config *c);

/* JSON of .gitbook/vars.yaml and .gitbook/tags.yaml. */
const char *layout_vars(struct layout_index *x, const struct layout_entry *e, struct str bytes);
const char *layout_tags(struct layout_index *x, const struct layout_entry *e, struct str bytes);

/* A name of a variable: a letter, then letters, digits, _. */
bool layout_variable_name(struct str name);

/*
 * Joins and normalises "." and ".." and doubled slashes. base is a directory
 * ("" = top). NULL if it climbs above the top.
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
	struct str           source;    /* own lines */
	struct layout_inline text;      /* GROUP, ITEM */
	struct str           yaml;      /* YAML: the fence's content, dedented */
	bool                 children;
	struct layout_page  *under;     /* set by layout_pages.c: page that children hang on */
};

struct summary {
	struct summary_item *items;
	size_t               count;
	size_t               too_deep;  /* line of an item over the depth limit; 0 if none */
	/* Called with a line and what is unusual in it; may be NULL. */
	void               (*warn)(void *ctx, size_t line, const char *message);
	void                *ctx;
};

void summary_parse(struct arena *a, struct str text, size_t depth_limit, struct summary *out);

/* ---- pages ---------------------------------------------------------------- */

/* Where pages are appended, in reading order. */
struct layout_builder {
	struct layout_index *x;
	struct layout_page **tail;
	struct layout_page  *group;    /* open group; NULL if none */
};

/* The specification of git LFS: a pointer (layout_is_lfs_pointer) is smaller. Larger files are not read for the question. */
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

/* Sets the title; takes a leading emoji out of it. */
void layout_page_title(struct layout_builder *b, struct layout_page *p, const char *title);

/* Is its name that of the page of a directory in other generators: index.md, _index.md, in any case? */
bool layout_is_index(struct str path);

/* Pages of a table of contents; file is its path relative to root. False on an exceeded limit. */
bool layout_pages(struct layout_builder *b, struct str text, const char *file);

/*
 * Pages of a directory that has none (rule 13). readme is the first page, NULL if there is none.
 * layout_infer_first: the file at the top that another generator has for it; NULL: there is none.
 */
bool layout_infer(struct layout_builder *b, const struct layout_entry *readme);
const struct layout_entry *layout_infer_first(const struct layout_index *x);

/* "getting-started/x.md" -> "Getting started", "X". */
const char *layout_pretty(struct arena *a, struct str file_name);

/* Gives every page its slug and path. */
void layout_names(struct layout_index *x);

/* ---- page files ----------------------------------------------------------- */

/* As page_file_split; an include keeps its H1 in the body. */
void include_file_split(struct arena *a, struct str bytes, struct page_file *out);

#endif
