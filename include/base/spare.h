/*
 * Reserved disk space: DIR/run/spare, a file of SPARE_BYTES without content.
 *
 * Programs need some disk space to start, even if they only read: the first process that opens the
 * database makes SQLite's index of the write-ahead log (octavo.db-shm), and `octavo up` writes its
 * state. So the spare is made while there is space. If the disk is full at a start, one half of the
 * spare is freed. The other half remains for the next attempt, in case other processes take the
 * freed space first. Before the start is reported as done, the space that it did not need is
 * reserved again; so is the space that is freed when the programs end. On a disk that stays full,
 * each start therefore uses only the space by which its logs grow, so dozens of starts succeed; the
 * first one that fails reports what to free.
 */
#ifndef OCTAVO_SPARE_H
#define OCTAVO_SPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SPARE_BYTES = 1 << 20 };

/* Makes the spare, unless the disk has less than twice its size free. */
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
 * A header for an answer of this size: "" or one line. nginx writes the part of an answer that does
 * not fit into its memory to disk. If the disk lacks room for that, the header makes nginx send the
 * answer on as it arrives: a slow client then occupies the worker, but no client gets an incomplete
 * answer.
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
