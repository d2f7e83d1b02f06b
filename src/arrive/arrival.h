/*
 * What the files of the room share: the tree of a source, the interface of readers, and the tools that readers
 * are made of. The whole is explained in include/arrive/room.h.
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
	const char *disk;            /* where its bytes are */
	int64_t     size, at;        /* bytes; ms of its last change, 0: unknown */
	struct arrival_page *page;   /* the page whose text it has; NULL: none */
	const char *want;            /* the path that its reader gives it in the layout; NULL: that in the source */
	const char *to;              /* its path in the layout; NULL: not decided yet */
	bool        used;            /* a page names it: it is imported */
	bool        part;            /* its text is part of pages, or it is a setting: not counted as left out */
};

/* Larger sources are refused: the list is in memory. */
enum { ARRIVAL_FILES = 500000, ARRIVAL_PATH = 1024 };

/* ---- the tree: tree.c ---- */

enum arrival_kind { ARRIVAL_PAGE, ARRIVAL_GROUP, ARRIVAL_LINK };

/* A name of a page in its order of precedence, or an address that it had. */
struct arrival_address {
	struct arrival_address *next;
	const char *path;
};

/*
 * An item of the tree. A group is a page without a text: it becomes a group of the space where it is at the
 * top, and an empty page below.
 */
struct arrival_page {
	enum arrival_kind    kind;
	struct arrival_page *parent, *first, *last, *next;
	struct arrival_page *after;        /* the next page of the whole tree, in the order of their making */
	struct arrival_file *file;         /* whose text it has; NULL: body, or none */
	struct str           body;         /* without a file: its text, in our Markdown; p NULL: none */
	const char          *title;        /* NULL: the title is in the text, or is made from the file name */
	const char          *fallback;     /* the title where the text has none; NULL: the name of the file */
	const char          *label;        /* its short title in lists; NULL: none */
	const char          *target;       /* for a link: an address, or a path relative to `from` */
	const char          *path;         /* its path in the space, without .md; NULL: that of its file */
	struct arrival_address *old;       /* addresses that it had at the source */
	const char          *description, *icon;
	const char          *author;
	struct arrival_address *tags;
	struct arrival_address *bases;     /* folders of texts that it includes: their links begin there */
	int64_t              at;           /* ms of its last change; 0: that of its file */
	bool                 hidden;       /* in no table of contents */
	bool                 draft;        /* nobody saw it at the source */
	bool                 last_resort;  /* not in the source's table of contents */
	void                *own;          /* of the reader */
	/* Of the writer: */
	const char          *to;           /* its file in the layout */
	const char          *shown;        /* its title */
};

/* ---- text: text.c ---- */

struct line {
	struct str s;         /* without its line end */
	size_t     at;        /* line of the page's file, from 1; 0: none */
};

struct text {
	struct arena *arena;
	struct line  *v;
	size_t        n, room;
};

/* A text of lines of bytes; the first is the line `at` of its file, or all are (fixed). */
void text_read(struct text *t, struct arena *a, struct str bytes, size_t at, bool fixed);
void text_add(struct text *t, struct str s, size_t at);
void text_printf(struct text *t, size_t at, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
struct str text_bytes(struct arena *a, const struct text *t);

/* Columns of white space at the beginning of a line (tabs go to multiples of four); *n: its bytes. */
size_t text_indent(struct str s, size_t *n);
/* The line without up to so many columns of white space. */
struct str text_outdent(struct str s, size_t columns);
bool text_blank(struct str s);

/* Whether lines are inside of fenced code. Zeroed before the first line. */
struct fence {
	char   mark;          /* '`' or '~'; 0: outside */
	size_t n;             /* of marks */
	size_t indent;
};
/* Takes the next line: true if it is code, or opens or closes it. */
bool fence_step(struct fence *f, struct str s);

/* ---- an arrival ---- */

struct arrive_reader;
struct arrival_target;

struct arrival {
	struct arena               *arena;
	struct arena               *scratch;   /* reset after each page */
	const struct settings      *set;
	const struct arrive_reader *reader;
	const char                 *name;      /* of the source, for messages */
	struct arrival_file        *files;     /* sorted by path, bytewise */
	size_t                      file_count;
	struct map                 *by_path;   /* path -> file */
	struct map                 *by_fold;   /* path in lower case -> file; NULL: several */
	struct map                 *names;     /* name -> page; NULL: several */
	const char                 *root;      /* folder of the pages, "" or "docs": links and paths begin here */
	const char                 *title, *language;   /* of the space */
	const char *const          *include_folders;    /* where included texts are, too; NULL at the end, or NULL */
	const char                 *site;      /* address of the published site; NULL: not known */
	const char                 *table;     /* file that has the table of contents, for messages */
	struct arrival_page        *first, *last;       /* the top */
	struct arrival_page        *made, **made_end;   /* all pages */
	size_t                      page_count;
	struct arrival_redirect {
		struct arrival_redirect *next;
		const char *from, *to;             /* address; name of a page, or an address */
	}                          *redirects, **redirects_end;
	struct layout_warning      *warnings, **warnings_end;
	size_t                      warning_count;
	struct map                 *once;      /* texts of arrival_warn_once() */
	struct map                 *tags;      /* slug -> label */
	void                       *own;       /* of the reader */
	bool                        broken;    /* the disk is full, or the like: error says what */
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
	SYNTAX_LINE_NUMBERS = 256,   /* <<< @/file, [[toc]] of VitePress */
};

struct arrive_reader {
	const char *name;            /* "mkdocs": argument of --from, and kind of the API */
	const char *title;           /* "MkDocs" */
	unsigned    syntax;
	bool        as_is;           /* the files have the git-sync layout already: there is no tree */
	/* True if the files are those of this source. Readers are asked in their order. */
	bool      (*is)(struct arrival *t);
	/* Makes the tree. False: t->error. */
	bool      (*read)(struct arrival *t);
	/*
	 * The text of a page as lines of our Markdown, without front matter; page->title may be set. NULL: the
	 * file is Markdown, which text_convert() turns by the syntax above.
	 */
	void      (*body)(struct arrival *t, struct arrival_page *p, struct str bytes, struct text *out);
	/*
	 * The page or file that a spelling in the page means, before the general rules (target.c). False: ask
	 * the general rules. May be NULL.
	 */
	bool      (*target)(struct arrival *t, struct arrival_page *p, struct str spelling, struct arrival_target *out);
};

extern const struct arrive_reader *const arrive_readers[];   /* NULL at the end */

/* ---- source.c ---- */

/* Lists a folder, below `folder` in it. False: t->error. */
bool source_folder(struct arrival *t, const char *path);
/* Lists what octavo-unpack wrote of an archive to the scratch folder. False: t->error. */
bool source_archive(struct arrival *t, const char *path, const char *scratch);
/* The bytes of a file, in the arena; false, with a warning, where it cannot be read. */
bool source_read(struct arrival *t, struct arena *a, const struct arrival_file *f, struct str *out);
/* The file at a path; NULL: none. */
struct arrival_file *source_find(const struct arrival *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The first file below a folder ("" is the source), or t->files + t->file_count. */
struct arrival_file *source_below(const struct arrival *t, const char *folder);
bool path_is_below(struct str path, const char *folder);
/* Ends a path, in any case. */
bool path_ends(struct str path, const char *end);
struct str path_name(struct str path);
/* The folder of a path, "" at the top. */
struct str path_folder(struct str path);
/* Without its extension. */
struct str path_stem(struct str path);
/* Resolves "." and ".." of folder/path; NULL: it leaves the source. */
const char *path_join(struct arena *a, struct str folder, struct str path);
bool path_is_markdown(struct str path);

/* ---- tree.c ---- */

/* A new item, at the end of its parent (NULL: the top). */
struct arrival_page *arrival_add(struct arrival *t, struct arrival_page *parent, enum arrival_kind kind, const char *title);
/* The page of a file: it is made at the end of the parent. NULL, with a warning, if the file is a page already. */
struct arrival_page *arrival_add_file(struct arrival *t, struct arrival_page *parent, struct arrival_file *f,
    const char *label, const char *table, size_t line);
/* What a line of the report about a page names: its file, else its title. */
struct str page_source(const struct arrival_page *p);
/* Gives a page a name, in lower case, by which links find it. */
void arrival_name(struct arrival *t, struct arrival_page *p, const char *name);
struct arrival_page *arrival_named(const struct arrival *t, struct arena *scratch, struct str name);
/* An address that a page had, relative to the site's root. */
void arrival_moved(struct arrival *t, struct arrival_page *p, const char *address);
void arrival_redirect(struct arrival *t, const char *from, const char *to);
void arrival_base(struct arrival *t, struct arrival_page *p, struct str folder);
void arrival_tag(struct arrival *t, struct arrival_page *p, struct str label);
/*
 * Adds a line to the report. file: of the source; line: from 1, 0 the file as a whole. Once: not for a second
 * time with the same text and file.
 */
void arrival_warn(struct arrival *t, struct str file, size_t line, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
void arrival_warn_once(struct arrival *t, struct str file, size_t line, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* Pages of all Markdown files below a folder that are no pages yet, hidden: no table of contents has them. */
void arrival_add_rest(struct arrival *t, const char *folder, const char *why);
/*
 * Items for the Markdown files of a folder and the folders in it, by their names; the index of a folder
 * (index.md, README.md, _index.md) is its page.
 */
void arrival_add_folder(struct arrival *t, struct arrival_page *parent, const char *folder);
/* "getting-started" as a title. */
char *title_from_name(struct arena *a, struct str name);

/* ---- front.c ---- */

/* Front matter of a file: its tree (NULL: none), and the bytes and lines that it takes. */
struct front {
	struct yaml *root;
	struct str   text;           /* between its lines; of TOML: converted */
	size_t       bytes, lines;
	const char  *fault;          /* NULL: none */
	size_t       fault_line;
};
void front_read(struct arena *a, struct str bytes, struct front *out);

/* ---- target.c ---- */

struct arrival_target {
	struct arrival_page *page;
	struct arrival_file *file;
	const char *url;             /* another address than the one spelled */
	const char *fragment;        /* with its #; NULL: that of the spelling */
};
/* What a spelling on a page means; false: nothing of the source, or it is an address. */
bool target_find(struct arrival *t, struct arrival_page *p, struct str spelling, struct arrival_target *out);

/* ---- write.c ---- */

struct written;
/* Writes the tree as files below the scratch folder. NULL: t->error. */
struct written *arrival_write(struct arrival *t, const char *scratch, bool (*alive)(void *ctx, size_t done, size_t total),
    void *ctx);
struct layout_source written_source(struct written *w);
const char *written_commit(const struct written *w);
const char *written_locate(void *written, const char *file, size_t *line);
int64_t written_dated(void *written, const char *path);

/* ---- blocks_*.c ---- */

/* Replaces the lines of a page by lines of our Markdown, by the reader's syntax. */
void text_convert(struct arrival *t, struct arrival_page *p, struct text *text);

#endif
