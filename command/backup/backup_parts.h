/* Shared by backups in a folder (command/backup/backup.c) and in one file (backup_file.c). */
#ifndef OCTAVO_BACKUP_PARTS_H
#define OCTAVO_BACKUP_PARTS_H

#include <stdio.h>
#include <sys/types.h>

#include "command/backup.h"
#include "store/blob.h"

/* backup_failed() returns an error message: the path with the text of errno. */
const char *backup_failed(struct backup *b, const char *path);
void backup_found(struct backup *b, const char *what);
void backup_tick(struct backup *b, const char *what, int64_t done, int64_t total);

/* Returns "FOLDER/NAME". */
const char *backup_in(struct backup *b, const char *folder, const char *name);
const char *backup_make_folder(struct backup *b, const char *path, mode_t mode);
/* Syncs the file system of this folder. Returns NULL, or an error. */
const char *backup_sync_all(struct backup *b, const char *path);
/* Size of a regular file in bytes, else -1. */
int64_t backup_size_of(const char *path);

/* backup_note.c */

bool backup_note_read(FILE *f, struct backup_note *n);
char *backup_note_text(struct arena *a, const struct backup_note *n);
/* Reads the note with this name in b->to into b->note. False: it is missing or cut off. */
bool backup_note_take(struct backup *b, const char *name);
/* Writes b->note there, without a sync. Returns NULL, or an error. */
const char *backup_note_write(struct backup *b, const char *name);

/* backup.c */

/*
 * Copies the live database to a new file and checks the copy; sets note.taken, .schema, .hash and
 * .size. Returns NULL, or an error.
 */
const char *backup_copy_database(struct backup *b, const char *copy);
/*
 * Runs the pragma on the database; each result row other than "ok" is a fault. Sets note.schema.
 * Returns NULL, or an error.
 */
const char *backup_look_into(struct backup *b, const char *path, const char *pragma);

/*
 * Copies a file to a new name, atomically. BACKUP_LINK: a hard link is allowed. BACKUP_SYNC: the
 * bytes are synced first, for a file that may replace another. Returns 1: copied; 0: `from` does not
 * exist; -1: see errno.
 */
enum backup_copy { BACKUP_COPY, BACKUP_LINK, BACKUP_SYNC };
int backup_copy_file(struct backup *b, const char *from, const char *to, mode_t mode, enum backup_copy how);
/* database: also copies the files that this one names from the object store, if there is one; NULL: it does not. */
const char *backup_copy_blobs(struct backup *b, const char *database, const char *from, const char *to, enum backup_copy how);

/*
 * Changes the owner of the new data directory's files (octavo.db.new, octavo.key, blobs); uid -1:
 * does nothing. Returns NULL, or an error.
 */
const char *backup_own_all(struct backup *b, int64_t uid, int64_t gid);

/*
 * Creates the data directory, or refuses one with data; marks it as being restored. Returns NULL,
 * or an error.
 */
const char *backup_prepare_data(struct backup *b);

/* backup_objects.c */

/*
 * Calls fn for each file that a database names and that is in the object store and not in DIR/blobs, with the
 * path of its copy, or of the file in the folder `have` (NULL: none), which has files like DIR: what is there need not
 * be fetched. Returns NULL, or an error.
 */
const char *backup_each_object(struct backup *b, const char *database, const char *have, void (*fn)(void *ctx, const struct blob_file *f), void *ctx);
/* Adds the number of these files to *n, without fetching them. Returns NULL, or an error. */
const char *backup_count_objects(struct backup *b, const char *database, int64_t *n);
/*
 * Deletes the files of the backup in a folder that its database does not name: files that an earlier
 * backup had. Where the data's own files are is not looked up again.
 */
void backup_drop_unknown(struct backup *b);

/* backup_temp.c */

/*
 * Registers a file, or a folder that will be empty by then, for deletion on SIGTERM, SIGINT, SIGHUP
 * and a panic, in the order of registration.
 */
void backup_temp_register(struct backup *b, const char *path);
/* Registers the contents of a folder at that time for deletion; the folder itself stays. */
void backup_temp_contents(struct backup *b, const char *path);
/*
 * Registers a copy of the database that is about to be made, with its journal, WAL and index, and
 * deletes existing files with these names: SQLite would read a journal that an earlier backup left.
 */
void backup_temp_database(struct backup *b, const char *path);
/* Forgets all registered files: they were renamed into place or deleted. */
void backup_temp_forget(void);

/* A temporary folder, locked and empty. */
struct backup_work {
	const char *path;
	int         fd;
};
#define BACKUP_WORK_DATABASE "database"
#define BACKUP_WORK_FILE "file"
/*
 * Creates the temporary folder beside the single-file backup that is to be made, and deletes
 * folders of killed processes there. Returns NULL, or an error.
 */
const char *backup_work_begin(struct backup *b, struct backup_work *w);
/* The same for a backup that is read. If the folder beside it is not writable, uses TMPDIR. */
const char *backup_work_room(struct backup *b, struct backup_work *w);
/* Deletes the folder and its files. */
void backup_work_end(struct backup_work *w);

/* backup_identity.c */

/* Sets all fields of the note to "not known". */
void backup_note_unknown(struct backup_note *n);
/*
 * Sets identity and counts in the note from the copy of the database; note.schema must be set
 * already. Returns NULL, or an error: the database is no installation, or its key is a different
 * one.
 */
const char *backup_identify(struct backup *b, const char *database);
/* Returns NULL, or why the new backup (b->note) must not replace the one described by `old`. */
const char *backup_may_replace(struct backup *b, const struct backup_note *old);
/* The same for an existing backup in the folder b->to; NULL if there is none. */
const char *backup_may_replace_folder(struct backup *b);
/*
 * After a new key was made: stores its mark in this database, which is the restored copy. Returns
 * NULL, or an error.
 */
const char *backup_adopt_key(struct backup *b, const char *database);

/* backup_file.c */

/* True if the path is a single-file backup, or names one that is to be made. */
bool backup_is_file(const char *path);
const char *backup_file_make(struct backup *b);
const char *backup_file_verify(struct backup *b);
/*
 * Unpacks everything into the data directory, the database as octavo.db.new. If there is a fault,
 * all unpacked files are deleted.
 */
const char *backup_file_unpack(struct backup *b);

#endif
