/*
 * Room on the disk that is kept for bad days: DIR/run/spare, SPARE_BYTES that hold nothing.
 *
 * Reading needs a little room too: SQLite's index of the write-ahead log (octavo.db-shm) is
 * made anew by whoever opens the database first, and `octavo up` writes its state. So the
 * spare is made while there is room, and a start that finds none gives up a part of it: what
 * others take of a full disk at that moment leaves the rest for the next try. What the start
 * leaves is kept again before anybody is told that it is done, and so is what the end of the
 * programs gives back. A start then costs what its logs grow by; dozens in a row succeed on a
 * disk that stays full, and the first that does not says what to free.
 */
#ifndef OCTAVO_SPARE_H
#define OCTAVO_SPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SPARE_BYTES = 1 << 20 };

/* Makes the spare where there is room for it, and more. */
void spare_keep(const char *dir);

/* Makes as much of it as there is room for, to the last block; what there is of it stays. */
void spare_hold(const char *dir);

/* Gives up half of a whole one, the rest the next time. False: there is none. */
bool spare_release(const char *dir);

/* For a start: gives up half of a whole one where the disk has no room for what a start takes. */
void spare_lend(const char *dir);

/* True if less than this is free on the disk of dir. Quotas are not seen. */
bool disk_is_short(const char *dir, int64_t bytes);

/*
 * The header for an answer of so many bytes, "" or one line: if nginx has no room to spool what its
 * memory does not hold, it passes the answer on as it arrives. A slow client then occupies the
 * worker, but no client gets half an answer.
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
