/*
 * Archives that people upload for imports through the API (table import_file). The bytes of one
 * arrive in parts, from its beginning to its end. Each part is a file of the folder DIR/uploads/ID,
 * named by its offset in 15 digits, so that the names in order make the archive. The folder is
 * private to the user of the programs. Only bytes that the row counts (column received) are valid:
 * if a part is sent again because its answer was lost, the sender learns where to continue, and a
 * file of a failed request is replaced.
 *
 * A run is a job of the kind IMPORT_JOB. It reserves its files (column run), so that no other run
 * imports them, and reads no others. They are removed when it is done or cancelled; after a failure
 * they stay, so that another run may import them. Files that no run needs are removed after
 * IMPORT_KEPT, or earlier if the organization needs the space.
 */
#ifndef OCTAVO_IMPORT_FILE_H
#define OCTAVO_IMPORT_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/settings.h"
#include "db/db.h"

#define IMPORT_JOB "arrive"
#define IMPORT_KEPT (2 * DAY_MS)
/* The readers of `octavo import FROM`, as src/arrive/readers.c lists them. */
#define IMPORT_READERS "bookstack,confluence,docusaurus,git-sync,hugo,markdown,mdbook,mkdocs,notion,obsidian,outline,starlight,vitepress"

enum {
	IMPORT_RUN_FILES = 50,      /* most files of a run */
	IMPORT_ORG_FILES = 200,     /* most files that an organization has uploaded or announced */
	IMPORT_PART_LEAST = 1 << 20 /* smallest part except the last (smaller where requests are limited to less); bounds the number of parts */
};

struct import_file {
	const char *id, *org, *name, *user;
	const char *run;            /* the waiting or running job that has reserved it; NULL: none */
	int64_t     size, received; /* bytes: as announced, and of the parts that have come */
};

/* False: there is no file with this id. */
bool import_file_find(struct db *db, struct arena *a, const char *id, struct import_file *out);

/* The path of the folder with the file's parts, and that of the part which begins at the offset. */
char *import_file_folder(struct arena *a, const struct settings *set, const char *id);
char *import_file_part(struct arena *a, const struct settings *set, const char *id, int64_t offset);

/*
 * True if the parts on disk have all announced bytes, without a gap. A disk may have lost bytes
 * that the row counts.
 */
bool import_file_is_whole(struct arena *a, const struct settings *set, const struct import_file *f);

/* Removes the rows of the organization's files whose runs have ended. Inside a write transaction. */
void import_file_make_room(struct db *db, const char *org);

/* Reserves the file for the run. Inside a write transaction. */
void import_file_take(struct db *db, const char *id, const char *run);

/*
 * Removes files that are no longer needed: rows first, then folders without a row, and what runs that
 * have ended left unpacked. In transactions of its own.
 */
void import_file_sweep(struct db *db, struct arena *a, const struct settings *set);

#endif
