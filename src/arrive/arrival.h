/*
 * Shared by the files of the arrive room: the source, its tree, the interface of readers, and
 * functions that readers use. include/arrive/room.h explains how they work together.
 *
 * A *source* is documentation that was written for another program. A *reader* makes the tree of
 * one kind of source. A *spelling* is the text of a link's target, as the author wrote it.
 */
#ifndef OCTAVO_ARRIVAL_H
#define OCTAVO_ARRIVAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/settings.h"
#include "base/str.h"
#include "base/yaml.h"
#include "layout/layout.h"
#include "markdown/document.h"

/* ---- the source: source.c ---- */

struct arrival_file {
	struct str  path;            /* in the source: UTF-8, relative, no empty, "." or ".." parts */
	int64_t     number;          /* of its file in arrival.place; -1: it is there under its path */
	int64_t     size, at;        /* bytes; ms of its last change, 0: unknown */
	struct arrival_page *page;   /* the page whose text it has; NULL: none */
	const char *want;            /* the path that its reader gives it in the layout; NULL: that in the source */
	const char *to;              /* its path in the layout; NULL: not decided yet */
	bool        used;            /* a page refers to it, so it is imported */
	bool        part;            /* it contains settings or text that pages include, so it is not reported as left out */
	bool        attached;        /* a page refers to this file, so it is not made a page, even if it is Markdown */
};

/* Limits. A larger source is refused, because the list of files is in memory. */
enum { ARRIVAL_FILES = 500000, ARRIVAL_PATH = 1024 };
/* Maximum size of a file that the writer makes: table of contents, redirects, tags. */
enum { TABLE_MOST = 64 << 20 };

/* ---- the tree: tree.c ---- */

enum arrival_kind { ARRIVAL_PAGE, ARRIVAL_GROUP, ARRIVAL_LINK };

/* An element of a list: an address that a page had, a tag, or a folder. */
struct arrival_address {
	struct arrival_address *next;
	const char *path;
};

/*
 * An item of the tree. A group is a page without a text: at the top it becomes a group of the
 * space, below the top an empty page.
 */
struct arrival_page {
	enum arrival_kind    kind;
	struct arrival_page *parent, *first, *last, *next;
	struct arrival_page *after;        /* the next item of the tree, in the order in which items were added */
	struct arrival_file *file;         /* the file that contains its text; NULL: the text is `body`, or there is none */
	struct str           body;         /* the text as Markdown, if there is no file; p NULL: none */
	const char          *title;        /* NULL: the title is in the text, or is made from the file name */
	const char          *fallback;     /* the title if the text has none; NULL: it is made from the file name */
	const char          *label;        /* short title for the table of contents; NULL: none */
	const char          *target;       /* for a link: an address, or a path relative to `from` */
	const char          *path;         /* path of the page in the space, without .md; NULL: made from the path of its file */
	struct arrival_address *old;       /* addresses of the page at the source */
	const char          *description, *icon;
	const char          *author;
	struct arrival_address *tags;
	struct arrival_address *bases;     /* folders of files that the page includes: links may be relative to these, too */
	int64_t              at;           /* ms of the last change; 0: that of the file */
	bool                 hidden;       /* not shown in any table of contents */
	bool                 draft;        /* the page was not published at the source */
	bool                 last_resort;  /* the page is not in the source's table of contents */
	void                *own;          /* data of the reader */
	/* Set by the writer: */
	const char          *to;           /* path of the page's file in the layout */
	const char          *shown;        /* title of the page */
};

/* ---- text: text.c ---- */

struct line {
	struct str s;         /* text without its line end */
	size_t     at;        /* number of the line in the page's file, from 1; 0: not from the file */
};

struct text {
	struct arena *arena;
	struct line  *v;
	size_t        n, room;
};

/* Reads the lines of bytes. The first has the number `at`; with `fixed`, all lines have this number. */
void text_read(struct text *t, struct arena *a, struct str bytes, size_t at, bool fixed);
void text_add(struct text *t, struct str s, size_t at);
void text_printf(struct text *t, size_t at, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
struct str text_bytes(struct arena *a, const struct text *t);

/*
 * Columns of white space at the beginning of a line (tabs go to multiples of four); *n: bytes of
 * that white space.
 */
size_t text_indent(struct str s, size_t *n);
/* The line without its first columns of white space, up to this number. */
struct str text_outdent(struct str s, size_t columns);
bool text_blank(struct str s);
/* The beginning of a text up to the first of these characters; all of it if it has none. */
struct str text_until(struct str s, const char *set);

/*
 * State while lines are read in order: whether they are in fenced code. Set it to zeros before the
 * first line.
 */
struct fence {
	char   mark;          /* '`' or '~'; 0: outside */
	size_t n;             /* number of marks */
	size_t indent;
};
/* Reads the next line. True if the line is code, or begins or ends it. */
bool fence_step(struct fence *f, struct str s);

/* ---- the state of an import ---- */

struct arrive_reader;
struct arrival_target;

struct arrival {
	struct arena               *arena;     /* of the tree; freed before the import of the files that the writer makes */
	struct arena               *scratch;   /* reset after each page */
	struct arena               *kept;      /* of the job: the report, and what the writer returns */
	const struct settings      *set;
	const struct arrive_reader *reader;
	const char                 *name;      /* name of the source, for messages */
	const char                 *place;     /* folder of the files' bytes */
	struct arrival_file        *files;     /* sorted by path, bytewise */
	size_t                      file_count;
	struct map                 *by_path;   /* path -> file */
	struct map                 *by_fold;   /* path in lower case -> file; NULL if several files have this path */
	struct map                 *names;     /* name -> page; NULL if several pages have this name */
	const char                 *root;      /* folder of the pages, "" or "docs": paths and links are relative to it */
	const char                 *title, *language;   /* title and language of the space */
	const char *const          *include_folders;    /* further folders with texts that pages include; ends with NULL; or NULL */
	const char                 *site;      /* address of the published site; NULL: not known */
	const char                 *table;     /* path of the file with the table of contents, for messages */
	struct arrival_page        *first, *last;       /* the items at the top */
	struct arrival_page        *made, **made_end;   /* all items, in the order in which they were added */
	size_t                      page_count;
	struct arrival_redirect {
		struct arrival_redirect *next;
		const char *from, *to;             /* from: an address; to: name of a page, or an address */
	}                          *redirects, **redirects_end;
	struct layout_warning      *warnings, **warnings_end;
	size_t                      warning_count;
	struct {
		size_t  files;
		int64_t bytes, read;
	}                           included;  /* counts of what the page under conversion includes (blocks_include.c) */
	struct map                 *once;      /* messages of arrival_warn_once() */
	struct map                 *tags;      /* slug -> label */
	void                       *own;       /* data of the reader */
	bool                        cancelled; /* a user has cancelled the job */
	bool                        broken;    /* the import cannot go on, because the disk is full, for example; the reason is in `error` */
	const char                 *error;
};

/* Syntax of pages, for struct arrive_reader.syntax. */
enum {
	SYNTAX_ADMONITIONS = 1,      /* !!! note, ??? note, === "Tab" (MkDocs) */
	SYNTAX_SNIPPETS    = 2,      /* --8<-- "file" */
	SYNTAX_ATTRIBUTES  = 4,      /* { .class #id } */
	SYNTAX_CONTAINERS  = 8,      /* :::note Title */
	SYNTAX_MDX         = 16,     /* import, export, <Component> */
	SYNTAX_WIKI        = 32,     /* [[link]], ![[embed]], callouts */
	SYNTAX_SHORTCODES  = 64,     /* {{< name >}}, {{% name %}} */
	SYNTAX_BOOK        = 128,    /* {{#include file}} */
	SYNTAX_VITE        = 256,    /* <<< @/file, <!--@include: file-->, [[toc]] */
};

struct arrive_reader {
	const char *name;            /* "mkdocs": argument of --from, and `source` in the result of the job */
	const char *title;           /* "MkDocs" */
	unsigned    syntax;
	bool        as_is;           /* the files have the git-sync layout already, so they are imported without a tree */
	/* True if the source is of this reader's kind. The first reader that returns true is used. */
	bool      (*is)(struct arrival *t);
	/* Makes the tree. False on failure, with the reason in t->error. */
	bool      (*read)(struct arrival *t);
	/*
	 * Converts the text of a page to lines of Markdown, without front matter; may set the
	 * page's title. NULL: the file is Markdown, and text_convert() converts the syntax above.
	 */
	void      (*body)(struct arrival *t, struct arrival_page *p, struct str bytes, struct text *out);
	/*
	 * Finds the page or file that a spelling in the page refers to, before the general rules
	 * (target.c). False: use the general rules. May be NULL.
	 */
	bool      (*target)(struct arrival *t, struct arrival_page *p, struct str spelling, struct arrival_target *out);
};

extern const struct arrive_reader *const arrive_readers[];   /* ends with NULL */

/* ---- source.c ---- */

/* Lists the files of a folder. False on failure, with the reason in t->error. */
bool source_folder(struct arrival *t, const char *path);
/*
 * Lists the files of an archive, which octavo-unpack has written to the scratch folder. False on
 * failure, with the reason in t->error.
 */
bool source_archive(struct arrival *t, const char *path, const char *scratch);
/*
 * Reads the bytes of a file of `size` bytes into the arena. number, path: as in struct arrival_file.
 * False if it cannot be read, with the reason in *why.
 */
bool source_load(struct arena *a, const char *place, int64_t number, const char *path, int64_t size, struct str *out,
    const char **why);
/* Reads the bytes of a file into the arena. False, with a warning, if it cannot be read. */
bool source_read(struct arrival *t, struct arena *a, const struct arrival_file *f, struct str *out);
/* The file with this path; NULL: none. */
struct arrival_file *source_find(const struct arrival *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The first file below a folder ("" is the whole source). If there is none, t->files + t->file_count. */
struct arrival_file *source_below(const struct arrival *t, const char *folder);
bool path_is_below(struct str path, const char *folder);
/* The path relative to a folder: "" for the folder itself, and the whole path if it is not below the folder. */
struct str path_relative(struct str path, const char *folder);
/* True if a folder is the root or below it. */
bool path_is_in(const char *folder, const char *root);
/* Returns the first segment of a path, and advances the path past it and its slash. */
struct str path_part(struct str *path);
/* Bytewise order of paths. */
int path_order(struct str a, struct str b);
/* True if the path ends with `end`, in upper or lower case. */
bool path_ends(struct str path, const char *end);
struct str path_name(struct str path);
/*
 * A title as the name of one file: slashes, backslashes and control characters become "-". NULL: it has only dots and
 * blanks, or nothing.
 */
char *path_of_title(struct arena *a, struct str title);
/* The folder of a path; "" at the top. */
struct str path_folder(struct str path);
/* The path without its extension. */
struct str path_stem(struct str path);
/* Joins folder and path, and resolves "." and ".."; NULL: the path leads out of the source. */
const char *path_join(struct arena *a, struct str folder, struct str path);
bool path_is_markdown(struct str path);
/* The path in lower case: a key for comparing in any case. A path that has no capitals is not copied. */
struct str path_fold(struct arena *a, struct str path);
/* True if the file is Markdown that can become a page and has none yet. */
bool file_is_free(const struct arrival_file *f);

/* ---- tree.c ---- */

/* Adds an item at the end of its parent (NULL: the top). */
struct arrival_page *arrival_add(struct arrival *t, struct arrival_page *parent, enum arrival_kind kind, const char *title);
/* Adds the page of a file at the end of the parent. NULL, with a warning, if the file has a page already. */
struct arrival_page *arrival_add_file(struct arrival *t, struct arrival_page *parent, struct arrival_file *f,
    const char *label, const char *table, size_t line);
/* What a line of the report about a page names: its file, else its title. */
struct str page_source(const struct arrival_page *p);
/* Gives a page a name, in lower case, by which links find it. */
void arrival_name(struct arrival *t, struct arrival_page *p, const char *name);
struct arrival_page *arrival_named(const struct arrival *t, struct arena *scratch, struct str name);
/* Adds an address that a page had, relative to the root of the site. */
void arrival_moved(struct arrival *t, struct arrival_page *p, const char *address);
void arrival_redirect(struct arrival *t, const char *from, const char *to);
void arrival_base(struct arrival *t, struct arrival_page *p, struct str folder);
void arrival_tag(struct arrival *t, struct arrival_page *p, struct str label);
/*
 * Adds a line to the report. file: path in the source; line: from 1, or 0 for the file as a whole.
 * arrival_warn_once() does nothing if the report has the same message for the file already.
 */
void arrival_warn(struct arrival *t, struct str file, size_t line, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
void arrival_warn_once(struct arrival *t, struct str file, size_t line, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/*
 * Adds hidden pages for all Markdown files below a folder that have no page yet, because they are
 * not in the table of contents. why: for the report.
 */
void arrival_add_rest(struct arrival *t, const char *folder, const char *why);
/* Moves a page of the top level to its beginning. */
void arrival_put_first(struct arrival *t, struct arrival_page *p);
/*
 * Adds items for the Markdown files and folders of a folder, ordered by their names. The index of a
 * folder (index.md, README.md, _index.md) becomes the folder's page.
 */
void arrival_add_folder(struct arrival *t, struct arrival_page *parent, const char *folder);
/*
 * The same as arrival_add_folder(), but sorted by weight, the lightest first. The weight of a
 * folder is that of its index file.
 */
void arrival_add_ordered(struct arrival *t, struct arrival_page *parent, const char *folder,
    double (*weight)(struct arrival *t, struct arrival_file *f));
/* Makes a title from a name: "getting-started" gives "Getting started". */
char *title_from_name(struct arena *a, struct str name);

/* ---- front.c ---- */

/* Front matter of a file: its tree (NULL: none), and the number of bytes and lines that it takes. */
struct front {
	struct yaml *root;
	struct str   text;           /* the text between its delimiter lines; TOML is converted to YAML */
	size_t       bytes, lines;
	const char  *fault;          /* NULL: none */
	size_t       fault_line;
	size_t       unread, unread_line;   /* of TOML: number of lines that are not understood, and the first of them */
};
void front_read(struct arena *a, struct str bytes, struct front *out);
/* Reads a file of settings, in YAML or TOML, as front matter without delimiter lines; warns of what cannot be read. */
const struct yaml *front_settings(struct arrival *t, struct arrival_file *f);
/*
 * Warns about parts of a file's front matter that cannot be read. The front matter begins after
 * `above` lines.
 */
void front_report(struct arrival *t, struct str file, const struct front *f, size_t above);
/*
 * Reads a number from a file's front matter. keys: the names on the way to it, ending with NULL.
 * Uses t->scratch.
 */
bool front_number(struct arrival *t, struct arrival_file *f, const char *const *keys, double *out);

/* ---- target.c ---- */

struct arrival_target {
	struct arrival_page *page;
	struct arrival_file *file;
	const char *url;             /* an address to use in place of the spelling */
	const char *fragment;        /* fragment with its #; NULL: that of the spelling */
};
/* True if a spelling begins with a scheme ("https:", "mailto:") or with "//". */
bool has_scheme(struct str s);
/* Finds the target of a spelling on a page. False if it is an address, or nothing of the source. */
bool target_find(struct arrival *t, struct arrival_page *p, struct str spelling, struct arrival_target *out);
/* The same by the general rules alone, and only in the source. For readers that change a spelling. */
bool target_in_source(struct arrival *t, struct arrival_page *p, struct str path, struct arrival_target *out);

/* ---- depth.c ---- */

/* Moves pages up that are nested deeper than an import may be, with a line in the report for each. */
void arrival_limit_depth(struct arrival *t);

/* ---- write.c, written.c ---- */

struct written;
/*
 * Writes the tree as files below the scratch folder. NULL on failure, with the reason in t->error. The
 * result refers to nothing of t->arena.
 */
struct written *arrival_write(struct arrival *t, const char *scratch, bool (*alive)(void *ctx, size_t done, size_t total),
    void *ctx);
struct layout_source written_source(struct written *w);
const char *written_commit(const struct written *w);
const char *written_locate(void *written, const char *file, size_t *line);
int64_t written_dated(void *written, const struct layout_entry *e);

/* ---- blocks_*.c ---- */

/* Converts the lines of a page to Markdown of our dialect, by the reader's syntax. */
void text_convert(struct arrival *t, struct arrival_page *p, struct text *text);

#endif
