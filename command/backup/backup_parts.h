/* What backups in a folder (command/backup/backup.c) and in one file (backup_file.c) share. */
#ifndef OCTAVO_BACKUP_PARTS_H
#define OCTAVO_BACKUP_PARTS_H

#include <stdio.h>
#include <sys/types.h>

#include "command/backup.h"

/* The path with what errno says, as an error. */
const char *backup_failed(struct backup *b, const char *path);
void backup_found(struct backup *b, const char *what);
void backup_tick(struct backup *b, const char *what, int64_t done, int64_t total);

/* "FOLDER/NAME". */
const char *backup_in(struct backup *b, const char *folder, const char *name);
const char *backup_make_folder(struct backup *b, const char *path, mode_t mode);
/* Makes what is on the file system of this folder durable. */
const char *backup_sync_all(struct backup *b, const char *path);
/* Bytes of a regular file, else -1. */
int64_t backup_size_of(const char *path);

bool backup_note_read(FILE *f, struct backup_note *n);
char *backup_note_text(struct arena *a, const struct backup_note *n);

/* Copies the live database to a new file and looks at the copy; note.taken, .schema, .hash and .size are set. */
const char *backup_copy_database(struct backup *b, const char *copy);
/* What the pragma says but "ok" is a fault; note.schema is set. */
const char *backup_look_into(struct backup *b, const char *path, const char *pragma);

/*
 * The file under another name, whole or not at all. may_link: a hard link will do. 1: it is
 * there now; 0: there is none to copy; -1: errno.
 */
int backup_copy_file(struct backup *b, const char *from, const char *to, mode_t mode, bool may_link);
const char *backup_copy_blobs(struct backup *b, const char *from, const char *to, bool may_link);

/* Gives the files of the new data directory (octavo.db.new, octavo.key, blobs) to this user; uid -1: changes nothing. */
const char *backup_own_all(struct backup *b, int64_t uid, int64_t gid);

/* Makes the data directory, or refuses one with data; marks it as being restored. */
const char *backup_prepare_data(struct backup *b);

/* backup_temp.c */

/* Notes a file, or a folder that is empty by then, for TERM, INT and HUP to delete; in the order of the notes. */
void backup_temp_note(struct backup *b, const char *path);
/*
 * Notes a copy of the database that is about to be made, with its journal, log and index, and deletes files of
 * these names: SQLite would read a journal that an earlier backup left.
 */
void backup_temp_database(struct backup *b, const char *path);
/* Forgets all notes: the files have their last names, or are deleted. */
void backup_temp_forget(void);

/* A folder to work in, locked, with nothing in it. */
struct backup_work {
	const char *path;
	int         fd;
};
#define BACKUP_WORK_DATABASE "database"
#define BACKUP_WORK_FILE "file"
/* Beside the backup in one file that is to be made; what others left there that are gone goes. NULL, or what is wrong. */
const char *backup_work_begin(struct backup *b, struct backup_work *w);
/* The same for one that is read: beside it, or where that may not be written, where temporary files go. */
const char *backup_work_room(struct backup *b, struct backup_work *w);
/* With all that is in it. */
void backup_work_end(struct backup_work *w);

/* backup_identity.c */

/* Nothing is known of it. */
void backup_note_unknown(struct backup_note *n);
/*
 * Sets who and how much the copy of the database is, in the note; note.schema is set already. An
 * error where it is no installation, or its key is another's.
 */
const char *backup_identify(struct backup *b, const char *database);
/* NULL, or why this one (b->note) must not take the place of what the note describes. */
const char *backup_may_replace(struct backup *b, const struct backup_note *old);
/* The same for the backup in the folder b->to, if there is one. */
const char *backup_may_replace_folder(struct backup *b);
/* Where a new key was made: this database, a new one's copy, is told. */
const char *backup_adopt_key(struct backup *b, const char *database);

/* backup_file.c */

/* Is this path a backup in one file, or shall it be one? */
bool backup_is_file(const char *path);
const char *backup_file_make(struct backup *b);
const char *backup_file_verify(struct backup *b);
/* Everything into the data directory, octavo.db as octavo.db.new; nothing stays where a fault was found. */
const char *backup_file_unpack(struct backup *b);

#endif
