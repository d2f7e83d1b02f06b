/*
 * Backups of a data directory. A backup is a folder (mode 0700) with the same layout:
 *
 *   octavo.db      a consistent copy, made while the programs run
 *   blobs/         the files that the copy refers to: reflinks or hard links of the live files
 *                  if both are on one file system, else copies. Blob files never change once
 *                  written; their mode and owner are kept
 *   octavo.key     unless it was left out
 *   octavo.backup  the note: time, schema, installation, amount of content, hash of octavo.db
 *
 * A backup into a folder that holds an older one replaces it. Existing files are not copied
 * again, and the old backup stays complete until the new database is renamed into place. The
 * next backup finishes an interrupted one. Unless `replace` is set, an older backup is kept if
 * the new one cannot be its successor: another installation, a lower schema, or far less content
 * (backup_identity.c).
 *
 * If the path ends in ".tar" or is a file, the backup is a single file: a tar archive with the
 * same names, octavo.backup last. The archive and the copy of the database are written in a
 * folder beside the target, .octavo-backup.NAME; the complete archive is then renamed. Temporary
 * files are deleted when a signal ends the process; those of a killed process are deleted by the
 * next backup into the same place.
 *
 * A restore is the reverse, into a folder without data. It always copies (or reflinks), so that
 * changes to the restored files cannot damage the backup. DIR/octavo.db is renamed into place
 * last, so that an interrupted restore does not look like an installation.
 */
#ifndef OCTAVO_BACKUP_H
#define OCTAVO_BACKUP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

/* Tables whose rows are counted, to decide whether one database can be the successor of another. */
enum { BACKUP_COUNTS = 4 };
struct backup_count { const char *table, *plural; };
extern const struct backup_count backup_counted[BACKUP_COUNTS];

struct backup_note {
	int64_t taken;          /* ms since 1970 */
	int     schema;
	int64_t size;           /* size of octavo.db, bytes */
	char    hash[65];       /* BLAKE2b-256 of octavo.db, hex */
	int64_t files;          /* number of files below blobs/ */
	bool    key;
	char    installation[33];       /* app/installation.h; "": not known (older database or note) */
	char    key_mark[33];           /* identifies octavo.key even if it was left out; "": not known */
	int64_t counts[BACKUP_COUNTS];  /* number of rows; -1: not known */
};

struct backup {
	struct arena      *arena;
	const char        *data, *to;      /* both absolute; `data`: the data folder; `to`: the backup, a folder or a file */
	bool               key;            /* include octavo.key if it exists */
	bool               replace;        /* also replace a backup of another installation, or of far more content */
	void             (*tick)(const char *what, int64_t done, int64_t total);
	struct backup_note note;
	int64_t            copied, bytes;  /* number and bytes of files copied or linked */
	/* Called for each fault found; may be NULL. */
	void             (*fault)(void *ctx, const char *what);
	void              *ctx;
	int64_t            faults;
};

/* These functions return NULL, or an error message (in the arena). */
const char *backup_make(struct backup *b);

/*
 * Reads the whole backup `to`. Faults are counted in b->faults and do not make the return value an
 * error.
 */
const char *backup_verify(struct backup *b);

/*
 * Verifies `to` first and restores nothing if it has faults. uid, gid: owner of the restored files;
 * -1: the caller.
 */
const char *backup_restore(struct backup *b, int64_t uid, int64_t gid);

#endif
