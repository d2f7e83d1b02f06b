/*
 * A published site as a folder of HTML files (octavo site export), as visitors without claims see it.
 *
 *   cmd_site_export   the command: finds the site, makes the folder, prints the report
 *   copy_list         what the site has: pages, redirects, and what is left out
 *   copy_fetch        answers of octavo-site (reader/reader.h), in memory or as files
 *   copy_links        where addresses of the site are in the folder, relative to a file
 *   copy_pages        HTML and style sheets with relative links; the index of the search
 *
 * A page PATH becomes PATH/index.html, so that each web server finds it by the address that it had, and
 * links name the file, so that it opens from a folder. Everything else has the path that it has at the
 * site ("~asset/…", "~file/…"), which is the path of no page. A link to what is not in the folder loses
 * its address and is reported.
 */
#ifndef OCTAVO_COPY_H
#define OCTAVO_COPY_H

#include <stdio.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/settings.h"
#include "command/cli.h"
#include "db/db.h"

/* An address of the site. */
struct copy_target {
	const char *path;      /* below the site, as in addresses */
	const char *file;      /* below the folder; NULL: it is not in the copy */
	const char *fragment;  /* with "#": a redirect leads there; NULL: none */
	const char *away;      /* an address elsewhere to which it leads; NULL: none */
	bool        moves;     /* it is no page: the site redirects from it */
};

/* A page, with what the search knows of it besides its text. */
struct copy_page {
	struct copy_target *target;
	const char         *title, *place;   /* place: section, variant and pages above; NULL: none */
	const char         *space, *section; /* ids; section "": none */
	bool                is_default;      /* its site space is the default of its section */
};

/* Something that is left out: what it is, and why. */
struct copy_lack {
	const char *what, *why;
};

struct copy {
	struct cli            *cli;
	struct arena          *arena;     /* lives as long as the copy */
	/*
	 * In one read transaction, so that the copy shows one moment. The write-ahead log grows by what others
	 * write meanwhile, about a minute for 10,000 pages; the next checkpoint empties it.
	 */
	struct db             *db;
	const struct settings *set;
	const char            *site, *title;
	const char            *host, *base;   /* of its address: "docs.example.com", "/" */
	const char            *base_by_id;    /* the same with the organization's id, which older links name; "": none */
	bool                   open;      /* everybody may read the site */
	const char            *own_host;  /* of OCTAVO_URL */
	const char            *root;      /* path at which the folder will be served, for the page of missing addresses */
	const char            *to;        /* the folder */
	struct map            *targets;   /* path below the site, decoded -> struct copy_target */
	struct map            *files;     /* files of the folder, and its folders with a slash at the end */
	struct map            *sources;   /* former addresses */
	struct map            *lacking;   /* of lacks: what is left out */
	struct copy_page      *pages;
	size_t                 page_count, page_room;
	struct copy_target   **schemas;   /* pages of schemas that links have named */
	size_t                 schema_count, schema_room;
	struct copy_target   **moved;     /* former addresses */
	size_t                 moved_count, moved_room;
	struct copy_lack      *lacks;
	size_t                 lack_count, lack_room;
	FILE                  *index;     /* ~search/index.js */
	bool                   indexed;   /* it has an entry */
	int64_t                file_count, bytes, redirects;
	const char            *error;
};

/* Sets c->error, unless it is set. Returns false. */
bool copy_fail(struct copy *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Records what is left out, once. */
void copy_lack(struct copy *c, const char *what, const char *why);

/* copy_list.c: reads pages and redirects. False: c->error is set. */
bool copy_list(struct copy *c);

/* An answer. location: of a redirect; NULL: none. body: if it was not saved as a file. */
struct copy_answer {
	int         status;
	const char *type, *location;
	struct str  body;
	int64_t     saved;      /* bytes of the file; -1: none */
	bool        lacks;      /* colours of code, or formulas */
};
/*
 * copy_fetch.c: asks for a path below the site. file: where a good answer that is neither HTML nor CSS is saved;
 * NULL: nowhere. False: writing failed, c->error is set.
 */
bool copy_get(struct copy *c, struct arena *a, const char *path, const char *file, struct copy_answer *out);
/* Writes a file of the folder, with the folders above it. */
bool copy_write(struct copy *c, const char *file, struct str bytes);
FILE *copy_open(struct copy *c, const char *file);

/* copy_links.c */
/* The address below the site, or NULL: it is elsewhere; *lost: it is elsewhere on this server. */
const char *copy_below(struct copy *c, const char *address, bool *lost);
/* Takes a name for a file. False: a file or a folder has it, or one of the folders above is a file. */
bool copy_claim(struct copy *c, const char *file);
/* The file for a former address, at exactly this path; NULL: there can be none. */
const char *copy_moved_file(struct copy *c, const char *path);
/* Adds a page (page: its file is an index.html) or something else of the site; NULL if the address is taken. */
struct copy_target *copy_add(struct copy *c, const char *path, bool page);
/* What is at a path below the site; files and redirects are fetched at the first use. */
struct copy_target *copy_find(struct copy *c, const char *path);
/* A file as seen from another one, percent-encoded. */
char *copy_relative(struct arena *a, const char *from, const char *file);
/* The address to write in a file for one that octavo-site wrote; NULL: what it names is not in the copy. */
const char *copy_link(struct copy *c, struct arena *a, const char *from, const char *address);

/* copy_pages.c */
bool copy_pages(struct copy *c);
/* A style sheet with relative addresses. */
struct str copy_css(struct copy *c, struct arena *a, const char *file, struct str css);

/* cmd_site_export.c */
int cmd_site_export(struct cli *c);

#endif
