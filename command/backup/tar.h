/*
 * Reads and writes tar archives in the "ustar" format (POSIX.1-2017, pax, "ustar Interchange
 * Format"), so that any tar program can list and unpack them. Regular files, and folders. Sizes from 8
 * GiB are stored in base 256, as GNU tar and libarchive do.
 */
#ifndef OCTAVO_TAR_H
#define OCTAVO_TAR_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

struct tar_entry {
	char    name[101];
	int64_t size;        /* bytes of the file, without padding; 0 for a folder, whose name ends in a slash */
};

/*
 * Writes the header of a file. The caller then writes its bytes and calls tar_pad(). name: at most
 * 100 bytes. seconds: since 1970. False: writing failed.
 */
bool tar_put(FILE *f, const char *name, mode_t mode, int64_t size, int64_t seconds);

/* Writes an entry for a folder, for one without files: others follow from the names of files. name ends in a slash. */
bool tar_put_folder(FILE *f, const char *name, mode_t mode, int64_t seconds);

/* Call these after the bytes of a file: tar_pad() when writing, tar_skip_pad() when reading. */
bool tar_pad(FILE *f, int64_t size);
bool tar_skip_pad(FILE *f, int64_t size);

/* Writes the end of the archive, after the last file. */
bool tar_end(FILE *f);

/*
 * Reads the next header. Returns 1; 0 at the end of the archive; -1: not a header, or the file is
 * truncated.
 */
int tar_next(FILE *f, struct tar_entry *e);

#endif
