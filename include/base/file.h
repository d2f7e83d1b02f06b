/* Reads whole files, and creates files and folders with the right modes. */
#ifndef OCTAVO_FILE_H
#define OCTAVO_FILE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/str.h"

/*
 * Files are created for the user of the program only (umask 077). The group of the web server may
 * also read what the web server sends by itself, blobs/ and cache/served/: folders 0750, files
 * 0640.
 */
enum { OWN_UMASK = 077, SHARED_FOLDER = 0750, SHARED_FILE = 0640, DATA_FOLDER = 0710 };

/*
 * Makes a folder with this mode, whatever the umask. at: descriptor of the parent folder, or AT_FDCWD.
 * An existing folder is not changed. False: errno is set.
 */
bool folder_make(int at, const char *path, unsigned mode);

/*
 * Opens a file for writing with the mode SHARED_FILE. It is created or emptied; with `append` bytes
 * are added at its end. -1: errno is set.
 */
int file_open_shared(int at, const char *path, bool append);

/* The bytes of a file, NUL-terminated, in the arena; false if it cannot be read. */
bool file_read(struct arena *a, const char *path, struct str *out);

/* True for a folder without entries that this process may list. */
bool folder_is_empty(const char *path);

/*
 * Deletes everything in a folder: folder_empty() keeps the folder itself and its file `keep` (NULL:
 * no file). Symbolic links are deleted, never followed; folder_empty() refuses one. Both call only
 * functions that a signal handler may call (signal-safety(7)). False: something could not be
 * deleted.
 */
bool folder_empty(const char *path, const char *keep);
bool folder_remove(const char *path);

#endif
