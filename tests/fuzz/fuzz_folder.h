/* A folder for the files of one input: made with the first, emptied after each, and gone with the process (temp_dir.h). */
#ifndef OCTAVO_FUZZ_FOLDER_H
#define OCTAVO_FUZZ_FOLDER_H

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>

#include "../temp_dir.h"

/* The folder that make_folder() made. */
static const char *folder_made;

static inline int
remove_entry(const char *path, const struct stat *st, int kind, struct FTW *where)
{
	(void)st, (void)kind;
	return where->level > 0 ? remove(path) : 0;
}

static inline void
empty_folder(void)
{
	nftw(folder_made, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

/* Makes the folder with the first call; dir: room for TEMP_MAX bytes, "" before that call. */
static inline void
make_folder(char *dir)
{
	if (*dir == '\0') {
		temp_dir(dir);
		folder_made = dir;
		atexit(empty_folder);
	}
}

#endif
