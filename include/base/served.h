/*
 * Pages that the web server sends by itself: DIR/cache/served/now/HOST/PATH with a suffix. The
 * files may be lost at any time; the programs answer requests for missing ones.
 *
 * Two rules keep them correct, even if a process is killed at any moment:
 *
 *   `now` is made under the write lock of the database, and renamed under the same lock
 *   before a commit that changes what sites show (src/db/db_shown.c).
 *   A process that adds a page opened `now` before the read transaction in which it made the page.
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
	SERVED_PAGE = 8 << 20,       /* bytes; larger pages are not there */
	SERVED_KIB  = 512 << 10,     /* KiB; when they are passed, a share that has SERVED_SHARE gets no more */
	SERVED_SHARE = 32 << 10,     /* KiB */
	SERVED_MOST = 1 << 20,       /* KiB; when they are passed, `now` is moved away */
	SERVED_SWEEP = 64            /* files of a folder that was moved away, for each page that is added */
};

/*
 * `now`, where it carries this stamp (hex digits); to be closed. -1: there is none. The read
 * transaction in which a page for it is made begins after this call.
 */
int served_open(struct arena *a, const char *dir, const char *stamp);

/*
 * Makes an empty folder in place of the old one. The caller holds the write lock of the database.
 */
bool served_make(struct arena *a, const char *dir, const char *stamp);

/* Moves it away; true too where there is none. Not without the write lock before a commit that counts on it. */
bool served_drop(const char *dir);

/*
 * True if the web server may look for a file of this name: the lower-case host, then a path as in
 * requests, of letters, digits and ._~%- only; no segment is empty or begins with a dot, except
 * that the whole may end in a slash. The configurations of the web servers match the same names.
 */
bool served_name(const char *host, const char *path);

/*
 * Adds a page to the folder that served_open() gave, compressed as well (".gz" behind the suffix),
 * and removes some of what was moved away. One that is there already is not written again: whoever
 * asks past the web server, with a cookie, say, costs no more than an answer.
 * share: whose page it is (of letters, digits, - and _), so that nobody reads or writes so many
 * large pages of one site that those of others go.
 * suffix: of its file, kinds of answers differ in it. time: of the file, in seconds, from which
 * and from its length the web server makes the tag (ETag): another one for each content.
 */
void served_put(struct arena *a, const char *dir, int now, const char *share, const char *name, const char *suffix,
    struct str bytes, uint32_t time);

#endif
