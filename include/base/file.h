/* Files: read whole, and made with the modes that others may see them by. */
#ifndef OCTAVO_FILE_H
#define OCTAVO_FILE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/str.h"

/*
 * Programs make files for their own user alone (umask 077). What the web server sends by itself, blobs/
 * and cache/served/, is for the group of that user as well: folders 0750, files 0640.
 */
enum { OWN_UMASK = 077, SHARED_FOLDER = 0750, SHARED_FILE = 0640, DATA_FOLDER = 0710 };

/*
 * Makes a folder of this mode, whatever the umask; at: a descriptor of the folder that it is in, or
 * AT_FDCWD. One that is there stays as it is. False: errno.
 */
bool folder_make(int at, const char *path, unsigned mode);

/* open() for writing of a new or emptied file, or with `append` at its end, of the mode SHARED_FILE. -1: errno. */
int file_open_shared(int at, const char *path, bool append);

/* The bytes of a file, NUL-terminated, in the arena; false where it cannot be read. */
bool file_read(struct arena *a, const char *path, struct str *out);

#endif
