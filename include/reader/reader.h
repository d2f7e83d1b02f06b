/*
 * What octavo-site serves: published sites as web pages (src/reader/reader.c has their
 * addresses), and files by their signed addresses (include/app/download.h).
 *
 * The bytes of files go out through the web server where it offers that (OCTAVO_ACCEL,
 * the prefix of an internal location over DIR/blobs, answered with
 * X-Accel-Redirect): ranges and conditional requests are then its business. Else
 * they are copied in pieces of 64 kB, with single ranges (RFC 9110 section 14):
 * the one exception to "nothing is streamed".
 *
 * A file never runs in the reader's browser: its type comes from its name and is
 * not guessed (nosniff), what could hold a script is sent as an attachment, and a
 * sandboxing policy stands behind both.
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

#endif
