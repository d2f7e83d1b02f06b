/*
 * Pages that the web server sends by itself: DIR/cache/served/now/HOST/PATH with a suffix. The
 * files may be lost at any time; the programs answer requests for missing ones.
 *
 * Two rules keep them correct, even if a process is killed at any moment:
 *
 *   `now` is made under the write lock of the database, and renamed under the same lock
 *   before a commit that changes what sites show (src/db/db_shown.c). On PostgreSQL,
 *   DB_LOCK_SHOWN of db/db.h is this lock.
 *   A process that adds a page opened `now` before the read transaction in which it made the page.
 *
 * The folder is one machine's: programs on several machines with one database make none.
 *
 * So every page in `now` was read after the last such commit: a page made from an older state goes
 * into a folder that was renamed, and nothing has to be done after a commit.
 *
 * After a power failure files may be empty, and another build makes different pages: `now`
 * contains a stamp, and is replaced when a worker starts whose stamp differs.
 */
#ifndef OCTAVO_SERVED_H
#define OCTAVO_SERVED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"

enum {
	SERVED_PAGE = 8 << 20,       /* bytes; larger pages are not stored */
	SERVED_KIB  = 512 << 10,     /* KiB of all pages; above it, a site that already has SERVED_SHARE cannot add pages */
	SERVED_SHARE = 32 << 10,     /* KiB of one site */
	SERVED_MOST = 1 << 20,       /* KiB of all pages; above it, `now` is renamed, and a new one begins */
	SERVED_SWEEP = 64            /* files of renamed folders that are deleted for each added page */
};

/*
 * Opens `now`, if it has this stamp (hex digits). Returns its descriptor, which the caller closes;
 * -1: there is none. Call it before the read transaction in which the page is made.
 */
int served_open(struct arena *a, const char *dir, const char *stamp);

/*
 * Makes an empty folder in place of the old one. The caller holds the write lock of the database.
 */
bool served_make(struct arena *a, const char *dir, const char *stamp);

/* Renames `now`; also true if there is none. Before a commit that relies on it, hold the write lock. */
bool served_drop(const char *dir);

/*
 * True if the web server may look for a file of this name: the lower-case host, then a path as in
 * requests, of letters, digits and ._~%- only; no segment is empty or begins with a dot, except
 * that the whole may end in a slash. The configurations of the web servers match the same names.
 */
bool served_name(const char *host, const char *path);

/*
 * Adds a page to the folder that served_open() returned, also in compressed form (".gz" after the
 * suffix), and deletes some files of renamed folders. An existing file is not written again, since
 * requests that bypass the web server's files (with a cookie, for example) repeat often.
 *
 * share the site to which the page belongs (letters, digits, - and _): the limit for one site keeps
 *         pages of other sites from being pushed out
 * suffix  of the file; it distinguishes kinds of answers
 * time    of the file, in seconds. The web server makes the tag (ETag) from it and from the length,
 *         so it must differ for each content
 */
void served_put(struct arena *a, const char *dir, int now, const char *share, const char *name, const char *suffix,
    struct str bytes, uint32_t time);

#endif
