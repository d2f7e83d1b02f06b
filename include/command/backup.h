/*
 * Backups of a data directory. A backup is a folder (0700) that looks like one:
 *
 *   octavo.db      a copy from one moment, made while everything runs
 *   blobs/         the files that it names: reflinks or hard links of the live ones where
 *                  both are on one file system, else copies. They never change once
 *                  written; their mode and owner are left alone
 *   octavo.key     unless it was left out
 *   octavo.backup  what this is: when, of which schema and installation, how much it holds,
 *                  the hash of octavo.db
 *
 * A backup into a folder that holds one replaces it: what is there already is not copied
 * again, and until the new database has its name the old backup is whole. One that was
 * cut off is finished by the next. It is not replaced by what cannot be its successor: another
 * installation, a lower schema, or far less content (backup_identity.c), unless `replace` says so.
 *
 * A path that ends in ".tar", or is a file, is a backup in one file: a tar of the same names,
 * octavo.backup behind the others. It is written in a folder beside its name, .octavo-backup.NAME, with the
 * copy of the database, and gets its name when it is whole. What was begun and is of no use goes when the
 * process is told to end; what one that was killed left is taken away by the next backup into the same place.
 *
 * A restore is the reverse, into a folder without data. It always copies (or reflinks):
 * what happens to the restored files must not happen to the backup. DIR/octavo.db gets its
 * name last, so that a restore that was cut off does not look like an installation.
 */
#ifndef OCTAVO_BACKUP_H
#define OCTAVO_BACKUP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

/* What is counted of a database, to tell whether it can be the successor of another. */
enum { BACKUP_COUNTS = 4 };
struct backup_count { const char *table, *plural; };
extern const struct backup_count backup_counted[BACKUP_COUNTS];

struct backup_note {
	int64_t taken;          /* ms */
	int     schema;
	int64_t size;           /* of octavo.db, bytes */
	char    hash[65];       /* of octavo.db: BLAKE2b-256, hex */
	int64_t files;          /* below blobs/ */
	bool    key;
	char    installation[33];       /* app/installation.h; "": not known, an older database or note */
	char    key_mark[33];           /* of octavo.key, whether it was taken along; "": not known */
	int64_t counts[BACKUP_COUNTS];  /* rows; -1: not known */
};

struct backup {
	struct arena      *arena;
	const char        *data, *to;      /* absolute; a restore goes from `to` (a folder or a file) to the folder `data` */
	bool               key;            /* take it along, if there is one */
	bool               replace;        /* a backup of something else, or of far more */
	void             (*tick)(const char *what, int64_t done, int64_t total);
	struct backup_note note;
	int64_t            copied, bytes;  /* files that were copied or linked, and their bytes */
	/* Faults that are found: called for each; may be NULL. */
	void             (*fault)(void *ctx, const char *what);
	void              *ctx;
	int64_t            faults;
};

/* All: NULL, or what went wrong (in the arena). */
const char *backup_make(struct backup *b);

/* Reads the whole backup `to`; NULL also where it found faults, which are counted. */
const char *backup_verify(struct backup *b);

/* `to` is verified first; with faults nothing is restored. uid, gid: whose the data shall be; -1: the caller's. */
const char *backup_restore(struct backup *b, int64_t uid, int64_t gid);

#endif
