/*
 * Room on the disk that is kept for bad days: DIR/run/spare, SPARE_BYTES that hold nothing.
 *
 * Reading needs a little room too: SQLite's index of the write-ahead log (octavo.db-shm) is
 * made anew by whoever opens the database first, and `octavo up` writes its state. So the
 * spare is made while there is room, and given up by a start that finds none; the end of
 * the programs gives back what their start took, so that the next start finds it again.
 */
#ifndef OCTAVO_SPARE_H
#define OCTAVO_SPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SPARE_BYTES = 512 << 10 };

/*
 * Makes the spare where it is missing, or a smaller one where there is no room for all of it.
 * False: there is none; the spare that is there stays.
 */
bool spare_keep(const char *dir);

/* Gives it up. False: there was none. */
bool spare_release(const char *dir);

/* Has the disk that holds dir less than this left? A quota is not seen. */
bool disk_is_short(const char *dir, int64_t bytes);

/*
 * Header for an answer of so many bytes, "" or one line: where nginx has no room to spool what
 * its memory does not hold, it passes the answer on as it comes. A client that reads slowly then
 * holds the worker, but nobody gets half an answer.
 */
const char *spool_header(const char *dir, size_t bytes);

/*
 * Blocks for the first size bytes of a file, so that neither a write there nor a first touch
 * of its mapping finds the disk full (mmap(2): that is SIGBUS). False, errno set: no room.
 */
bool disk_reserve(int fd, int64_t size);

/*
 * Maps a file for all who do, made where it is missing, all zeros then, and reserved. NULL: it
 * cannot be made, or there is no room. *fd: for locks; the caller keeps or closes it.
 */
void *disk_map(const char *path, size_t size, int *fd);

#endif
