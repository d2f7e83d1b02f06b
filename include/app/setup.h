/*
 * The beginning of an installation: a data directory with its first user, organization and
 * token. `octavo init` does it at a shell. Where there is none, the first request does it
 * from a file that was uploaded, DIR/setup, with three lines:
 *
 *   email = you@example.com
 *   name = You
 *   organization = Docs
 *
 * The token is then in DIR/admin-token (0600), never in an answer, and the file is gone.
 * Whoever may write into the data directory could replace the database as well, so that the
 * file gives nobody a right that they have not.
 */
#ifndef OCTAVO_SETUP_H
#define OCTAVO_SETUP_H

#include <stdbool.h>

#include "base/arena.h"
#include "db/db.h"

struct setup {
	const char *email;    /* as email_normal() gives it */
	const char *name;     /* 1 to 64 characters */
	const char *org;      /* title, 2 to 255 characters */
};

struct setup_made {
	char *user, *org;     /* ids */
	char *token;          /* its text */
};

/*
 * Does DIR hold an installation, of whatever schema? To be asked before DIR/octavo.db is
 * opened with DB_CREATE, which migrates an older one under whoever has it open. Changes nothing.
 */
bool setup_done(struct arena *a, const char *dir);

/*
 * Opens DIR/octavo.db for a program that stays. Where the disk is full, a part of the spare is given up for
 * the index that SQLite makes beside it (base/spare.h). NULL, and *error.
 */
struct db *setup_open(struct arena *a, const char *dir, const struct db_options *options, const char **error);

/*
 * Did DIR hold an installation whose database is gone? There is a key, or files below blobs/, and
 * octavo.db is missing, empty, damaged, or without any organization. NULL: no; else what is wrong
 * and what to do: another database there would look like the old installation without its content.
 * A setup that was cut off is none: DIR/octavo.begun says so.
 */
const char *setup_lost(struct arena *a, const char *dir);

/*
 * The beginning of a setup: folders and key, as far as they are missing, and the key opened.
 * setup_end() behind the commit. NULL, or what is wrong: setup_lost(), or a failure.
 */
const char *setup_begin(struct arena *a, const char *dir);
void setup_end(struct arena *a, const char *dir);

/* Makes them, with their audit events. In a write transaction. False: somebody was quicker, there are users. */
bool setup_people(struct db *db, struct arena *a, const struct setup *s, struct setup_made *out);

/*
 * Takes from the files and folders of DIR what nobody but their user needs, as an older Octavo or an
 * upload has made them: the group, which the web server is in, reads blobs/ and cache/served/ alone
 * (base/file.h). What belongs to another user stays as it is.
 */
void setup_modes(struct arena *a, const char *dir);

/* The folders of a data directory, those that are missing. NULL, or what went wrong. */
const char *setup_folders(struct arena *a, const char *dir);

/*
 * Where DIR holds no installation: does what DIR/setup says, also where somebody who began
 * with that was killed. NULL: it was done, or there is a database and no such file; else what
 * is wrong, in words for whoever uploads the file. Two at a time are one: the second waits.
 */
const char *setup_once(struct arena *a, const char *dir);

#endif
