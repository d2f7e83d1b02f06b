/*
 * Unpacks archives with octavo-unpack, in a process of its own, with limits of time and memory and
 * without the database, because an archive is hostile input for a large library. The program writes
 * the files under numbers, so that no name of an archive becomes a file name on this machine, and a
 * list of them (cgi/unpack.c).
 */
#ifndef OCTAVO_ARRIVE_UNPACK_H
#define OCTAVO_ARRIVE_UNPACK_H

#include "arrival.h"

/* An archive: a file, or a folder with the parts of one (app/import_file.h). name: for messages. */
struct archive_path {
	const char *name, *path;
};

/* Unpacks archives to the scratch folder, into one list. False on failure, with the reason in t->error. */
bool unpack_archives(struct arrival *t, const struct archive_path *archives, size_t n, const char *scratch,
    bool (*alive)(void *ctx, size_t done, size_t total), void *ctx);

#endif
