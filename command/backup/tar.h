/*
 * One file that holds many, in the "ustar" form of tar (POSIX.1-2017, pax, "ustar
 * Interchange Format"), so that any tar lists and unpacks it. Regular files alone. Sizes
 * from 8 GiB on stand in base 256, as GNU tar and libarchive write and read them.
 */
#ifndef OCTAVO_TAR_H
#define OCTAVO_TAR_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

struct tar_entry {
	char    name[101];
	int64_t size;        /* bytes that follow, before the padding */
};

/* The header of a file; its bytes are the caller's to write, then tar_pad(). name: at most 100 bytes. seconds: since 1970. */
bool tar_put(FILE *f, const char *name, mode_t mode, int64_t size, int64_t seconds);

/* Behind the bytes of a file, when writing and when reading. */
bool tar_pad(FILE *f, int64_t size);
bool tar_skip_pad(FILE *f, int64_t size);

/* Behind the last file. */
bool tar_end(FILE *f);

/* The next header: 1; 0 at the end; -1: what is there is no header, or the file is cut off. */
int tar_next(FILE *f, struct tar_entry *e);

#endif
