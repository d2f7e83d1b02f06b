/*
 * Unpacks archives with octavo-unpack, in a process of its own, with limits of time and memory and
 * without the database, because an archive is hostile input for a large library. The program writes
 * the files under numbers, so that no name of an archive becomes a file name on this machine, and a
 * list of them (cgi/unpack.c).
 */
#ifndef OCTAVO_ARRIVE_UNPACK_H
#define OCTAVO_ARRIVE_UNPACK_H

#include "arrival.h"

/* Unpacks to the scratch folder. False on failure, with the reason in t->error. */
bool unpack_archive(struct arrival *t, const char *path, const char *scratch, bool (*alive)(void *ctx, size_t done, size_t total),
    void *ctx);

#endif
