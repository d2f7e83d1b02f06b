/*
 * Sets up an installation: a data directory with its first user, organization and token. `octavo
 * init` does it in a shell. If there is no shell, the first request does it from an uploaded file,
 * DIR/setup, with three lines:
 *
 *   email = you@example.com
 *   name = You
 *   organization = Docs
 *
 * The token is then in DIR/admin-token (mode 0600), and in DIR/admin-link a link with which the user
 * chooses a password and signs in in a browser; neither is in a reply, and the file is deleted. A
 * user with write permission in the data directory could replace the database as well, so the file
 * gives no new rights.
 */
#ifndef OCTAVO_SETUP_H
#define OCTAVO_SETUP_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/settings.h"
#include "db/db.h"

struct setup {
	const char *email;    /* in the form of email_normal() */
	const char *name;     /* 1 to 64 characters */
	const char *org;      /* title, 2 to 255 characters */
};

struct setup_made {
	char *user, *org;     /* ids */
	char *token;          /* its text */
};

/*
 * How to make the first user's link, in the transaction of the setup (a callback, since this room
 * does not use signin/link.h).
 */
struct setup_link {
	char *(*make)(struct db *db, struct arena *a, const struct settings *set, const char *user);
	const struct settings *set;
};

/*
 * True if DIR holds an installation, of any schema. Call it before DIR/octavo.db is opened with
 * DB_CREATE, which would migrate an older database while other programs have it open. Changes
 * nothing.
 */
bool setup_done(struct arena *a, const char *dir);

/*
 * Opens DIR/octavo.db for a program that keeps it open. If the disk is full, gives up a part of the
 * spare for the index file that SQLite makes beside it (base/spare.h). NULL, and *error.
 */
struct db *setup_open(struct arena *a, const char *dir, const struct db_options *options, const char **error);

/*
 * Finds an installation whose database is lost: there is a key, or files below blobs/, and
 * octavo.db is missing, empty, damaged, or without any organization. NULL: no; otherwise what is
 * wrong and what to do, because a new database there would look like the old installation without
 * its content. DIR/octavo.begun marks an interrupted setup, which is not reported.
 */
const char *setup_lost(struct arena *a, const char *dir);

/*
 * Begins a setup: makes missing folders and the key, and opens the key. Call setup_end() after the
 * commit. NULL, or what is wrong: the text of setup_lost(), or a failure.
 */
const char *setup_begin(struct arena *a, const char *dir);
void setup_end(struct arena *a, const char *dir);

/* True if a setup of DIR has begun and made no organization yet: it runs, or was interrupted and may be repeated. */
bool setup_unfinished(struct arena *a, const char *dir);

/*
 * Makes user, organization and token, with their audit events. Inside a write transaction. False:
 * another setup was faster, and there are users.
 */
bool setup_people(struct db *db, struct arena *a, const struct setup *s, struct setup_made *out);

/*
 * Removes permissions on files and folders of DIR that an older Octavo or an upload gave to group
 * or others. The group, which the web server belongs to, may only read blobs/ and cache/served/
 * (base/file.h). Files that belong to another user are not changed.
 */
void setup_modes(struct arena *a, const char *dir);

/* Makes the missing folders of a data directory. NULL, or an error message. */
const char *setup_folders(struct arena *a, const char *dir);

/*
 * If DIR holds no installation, makes one from the file DIR/setup, and continues a setup that was
 * killed. NULL: the setup is done, or there is a database and no such file. Otherwise a message for
 * the person who uploaded the file. If two processes call it, the second waits for the first.
 */
const char *setup_once(struct arena *a, const char *dir, const struct setup_link *link);

#endif
