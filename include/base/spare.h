/*
 * Reserved disk space: DIR/run/spare, a file of SPARE_BYTES without content.
 *
 * Even reading needs some space: the first process that opens the database makes SQLite's index of
 * the write-ahead log (octavo.db-shm), and `octavo up` writes its state. So the spare is made
 * while there is space, and a start that finds none gives up a part of it: if other processes take
 * that part of a full disk at this moment, the rest is left for the next attempt. The space that a
 * start does not need is reserved again before the start is reported as done, and so is the space
 * that is freed when the programs end. A start then only costs the growth of its logs; dozens of
 * starts in a row succeed on a disk that stays full, and the first one that fails says what to
 * free.
 */
#ifndef OCTAVO_SPARE_H
#define OCTAVO_SPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SPARE_BYTES = 1 << 20 };

/* Makes the spare if the disk has room for it and more. */
void spare_keep(const char *dir);

/* Makes the spare as large as the free space allows, up to the last block; it never becomes smaller. */
void spare_hold(const char *dir);

/* Frees half of a complete spare, or the rest of an incomplete one. False: there is none. */
bool spare_release(const char *dir);

/* Before a start: frees half of a complete spare if the disk lacks the space that a start needs. */
void spare_lend(const char *dir);

/* True if less than this is free on the disk of dir; ignores quotas. */
bool disk_is_short(const char *dir, int64_t bytes);

/*
 * The header for an answer of this size: "" or one line. nginx spools to disk what does not fit
 * into its memory. If the disk lacks room for that, the header makes nginx pass the answer on as it
 * arrives: a slow client then occupies the worker, but no client gets an incomplete answer.
 */
const char *spool_header(const char *dir, size_t bytes);

/*
 * Allocates blocks for the first `size` bytes of a file, so that on a full disk neither writing
 * fails nor the first access to a mapping (mmap(2): SIGBUS). False: there is no room; errno is set.
 */
bool disk_reserve(int fd, int64_t size);

/*
 * Maps a file that several processes share. A missing file is made, full of zeros, with its blocks
 * allocated. NULL: it cannot be made, or there is no room. *fd: for locks; the caller closes it.
 */
void *disk_map(const char *path, size_t size, int *fd);

#endif
