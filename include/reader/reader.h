/*
 * What octavo-site serves: published sites as web pages (src/reader/reader.c lists their
 * addresses), and files by their signed addresses (include/app/download.h).
 *
 * If OCTAVO_ACCEL is set (the prefix of an internal location over DIR/blobs), the web server sends
 * the bytes of files: the answer names the file in X-Accel-Redirect, and the web server handles
 * ranges and conditional requests. Otherwise the program copies them in pieces of 64 kB, with
 * single ranges (RFC 9110 section 14). This is the only answer that is streamed.
 *
 * A file cannot run in the reader's browser, for three reasons: its type is determined by its name
 * and is not guessed (nosniff), a type that could contain a script is sent as an attachment, and a
 * policy puts the file into a sandbox.
 */
#ifndef OCTAVO_READER_H
#define OCTAVO_READER_H

#include "base/arena.h"
#include "db/db.h"
#include "http/req.h"
#include "base/settings.h"

/*
 * The page at the base address itself, for people who open it: what runs here, and where its API
 * and the description of it are. False: the address is another one.
 */
bool site_front(struct io *io, struct arena *a, const struct settings *set, const char *uri, bool head);

void site_handle(struct io *io, struct arena *a, struct db *db, const struct settings *set);

/*
 * Answers a GET for a copy of the site as files (octavo site export). The admin of the machine
 * makes it, so the site is shown whatever its visibility is, as a visitor without claims sees it.
 * It runs inside the read transaction of the caller, reads no cache and writes none. Pages lack
 * what needs a server: canonical addresses, feeds, Markdown, ratings and counts, assistants. Icons
 * are in the page, and search is in a script of the copy (assets/site/copy.js). Another address of
 * a page answers with a redirect to the page's own. The header X-Octavo-Lacks says that colours of
 * code or formulas are missing.
 */
void site_copy(struct io *io, struct arena *a, struct db *db, const struct settings *set);

#endif
