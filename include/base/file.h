/* Reads whole files, and makes files and folders with the right modes. */
#ifndef OCTAVO_FILE_H
#define OCTAVO_FILE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/str.h"

/*
 * Files are made for the program's own user only (umask 077). The web server's group may also read
 * what the web server sends by itself, blobs/ and cache/served/: folders 0750, files 0640.
 */
enum { OWN_UMASK = 077, SHARED_FOLDER = 0750, SHARED_FILE = 0640, DATA_FOLDER = 0710 };

/*
 * Makes a folder with this mode, whatever the umask. at: descriptor of the parent folder, or AT_FDCWD.
 * An existing folder is not changed. False: errno is set.
 */
bool folder_make(int at, const char *path, unsigned mode);

/* open() for writing of a new or emptied file, or with `append` at its end, of the mode SHARED_FILE. -1: errno. */
int file_open_shared(int at, const char *path, bool append);

/* The bytes of a file, NUL-terminated, in the arena; false where it cannot be read. */
bool file_read(struct arena *a, const char *path, struct str *out);

#endif
