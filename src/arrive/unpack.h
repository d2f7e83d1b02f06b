/*
 * Archives: octavo-unpack reads them in a process of its own, with limits of time and memory and without the
 * database, because they are hostile input for a large library. It writes the files under numbers, so that no name
 * of an archive is ever a name on this machine, and a list of them (cgi/unpack.c).
 */
#ifndef OCTAVO_ARRIVE_UNPACK_H
#define OCTAVO_ARRIVE_UNPACK_H

#include "arrival.h"

/* Unpacks to the scratch folder. False: t->error. */
bool unpack_archive(struct arrival *t, const char *path, const char *scratch, bool (*alive)(void *ctx, size_t done, size_t total),
    void *ctx);

#endif
