/*
 * Memory in files that have no name: what a job keeps about each file of a large import. The system
 * may write it to disk at any time, and mapped_trim() takes it out of the process's memory; its
 * contents stay. For arena_on_disk() of base/arena.h.
 *
 * fork() shares this memory with the child, which must not write to it.
 */
#ifndef OCTAVO_MAPPED_H
#define OCTAVO_MAPPED_H

#include <stddef.h>

/*
 * Maps size zeroed bytes of a new file in the folder, aligned to a page. Where such a file cannot be
 * made (a full disk, a file system without them), the memory is shared memory. NULL: there is none.
 */
void *mapped_new(const char *folder, size_t size);
/* Unmaps what mapped_new() has returned; the disk space is free then. */
void mapped_free(void *p);

/*
 * Takes all of it out of the process's memory if more than MAPPED_RESIDENT bytes were used since the
 * last time; a later access brings a page back. Whatever goes over a long list calls it for each
 * element: searches in maps and sorted lists, sorting, statements.
 */
#define MAPPED_RESIDENT ((size_t)8 << 20)
void mapped_trim(void);

#endif
