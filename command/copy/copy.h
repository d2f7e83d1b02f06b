/*
 * Copies a published site to a folder of HTML files (octavo site export), as visitors without
 * claims see it.
 *
 *   cmd_site_export   the command: finds the site, makes the folder, prints the report
 *   copy_list         what the site has: pages, redirects, and what is left out
 *   copy_fetch        answers of octavo-site (reader/reader.h), in memory or as files
 *   copy_links        where addresses of the site are in the folder, relative to a file
 *   copy_pages        HTML and style sheets with relative links; the index of the search
 *
 * A page PATH becomes PATH/index.html, so that any web server finds it by its former address. Links
 * contain the name of the file, so that they also work when the folder is opened without a server.
 * Everything else keeps its path on the site ("~asset/…", "~file/…"), which differs from the path
 * of any page. A link whose target is not in the folder loses its address and is reported.
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
	const char *file;      /* path of the file, relative to the folder; NULL: it is not in the copy */
	const char *fragment;  /* fragment ("#…") to which the redirect leads; NULL: none */
	const char *away;      /* address outside of the site to which the redirect leads; NULL: none */
	bool        moves;     /* not a page: the site redirects from this address */
};

/* A page, and the data for search besides its text. */
struct copy_page {
	struct copy_target *target;
	const char         *title, *place;   /* place: its section, variant and ancestors, for search results; NULL: none */
	const char         *space, *section; /* ids; section "": none */
	bool                is_default;      /* its site space is the default of the section */
};

/* Something that the copy omits: what, and why. */
struct copy_lack {
	const char *what, *why;
};

struct copy {
	struct cli            *cli;
	struct arena          *arena;     /* lives as long as the copy */
	/*
	 * One read transaction for the whole copy, so that it shows a single state. Meanwhile the
	 * write-ahead log grows by what others write (about a minute for 10,000 pages); the next
	 * checkpoint empties it.
	 */
	struct db             *db;
	const struct settings *set;
	const char            *site, *title;
	const char            *host, *base;   /* host and path of the site's address: "docs.example.com", "/" */
	const char            *base_by_id;    /* base with the organization's id, which older links contain; "": none */
	bool                   open;      /* everybody may read the site */
	const char            *own_host;  /* of OCTAVO_URL */
	const char            *root;      /* path at which the folder will be served; the page for missing addresses needs it */
	const char            *to;        /* the folder */
	struct map            *targets;   /* path below the site, decoded -> struct copy_target */
	struct map            *files;     /* paths of the folder's files, and of its subfolders with a slash at the end */
	struct map            *sources;   /* former addresses */
	struct map            *lacking;   /* of lacks: what is left out */
	struct copy_page      *pages;
	size_t                 page_count, page_room;
	struct copy_target   **schemas;   /* pages of schemas to which pages link */
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

/* Sets c->error unless it is set. Returns false. */
bool copy_fail(struct copy *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Records what is left out, once. */
void copy_lack(struct copy *c, const char *what, const char *why);

/* copy_list.c: reads pages and redirects. False: c->error is set. */
bool copy_list(struct copy *c);

/*
 * An answer of octavo-site. location: target of a redirect; NULL: none. body: the bytes, if they
 * were not saved as a file.
 */
struct copy_answer {
	int         status;
	const char *type, *location;
	struct str  body;
	int64_t     saved;      /* bytes of the file; -1: none */
	bool        lacks;      /* colours of code, or formulas */
};
/*
 * copy_fetch.c: requests a path below the site. A good answer that is neither HTML nor CSS is saved
 * as `file` (NULL: not saved). False: writing failed, and c->error is set.
 */
bool copy_get(struct copy *c, struct arena *a, const char *path, const char *file, struct copy_answer *out);
/* Writes a file of the folder; makes the folders above it. */
bool copy_write(struct copy *c, const char *file, struct str bytes);
FILE *copy_open(struct copy *c, const char *file);

/* copy_links.c */
/*
 * The path of an address below the site; NULL: the address is elsewhere; *lost: elsewhere on this
 * server.
 */
const char *copy_below(struct copy *c, const char *address, bool *lost);
/*
 * Reserves a file name. False: it is used by a file or folder, or one of the folders above is a
 * file.
 */
bool copy_claim(struct copy *c, const char *file);
/* The file for a former address, with exactly this path; NULL: not possible. */
const char *copy_moved_file(struct copy *c, const char *path);
/* Adds a page (page: its file is an index.html) or another target. NULL: the address is in use. */
struct copy_target *copy_add(struct copy *c, const char *path, bool page);
/* The target at a path below the site. Files and redirects are fetched at the first use. */
struct copy_target *copy_find(struct copy *c, const char *path);
/* The path of a file relative to another one, percent-encoded. */
char *copy_relative(struct arena *a, const char *from, const char *file);
/*
 * Replaces an address that octavo-site wrote by one that works in the copy. NULL: its target is not
 * in the copy.
 */
const char *copy_link(struct copy *c, struct arena *a, const char *from, const char *address);

/* copy_pages.c */
bool copy_pages(struct copy *c);
/* Makes the addresses in a style sheet relative. */
struct str copy_css(struct copy *c, struct arena *a, const char *file, struct str css);

/* cmd_site_export.c */
int cmd_site_export(struct cli *c);

#endif
