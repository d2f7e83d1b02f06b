/*
 * Export of an installation or of one organization in a form that can be read without Octavo, and
 * import of such an export into an empty data directory.
 *
 * An export is a folder, or a tar archive with the same names:
 *
 *   octavo-export.json   the note, written first: format, version of the schema, installation,
 *                        time, organization (null: all of them), whether secrets are included
 *   README.md            for people: which file contains what, the spaces by title, what is missing
 *   spaces/ID.git        a bare git repository for each space, with its whole history
 *   objects/NAME.jsonl   answers of the API, one line for each object: {"of": address, "object":
 *                        …}. NAME is the operation; objects/openapi.json describes the shapes
 *   records/TABLE.jsonl  the rows of each table, one line for each row; records/schema.json is
 *                        their JSON schema (2020-12), with the comments of the database's own
 *                        schema
 *   files/ab/cdef…       files, named by the BLAKE2b-256 hash of their bytes, as below DIR/blobs
 *   secrets.sealed       only on request, see base/sealed.h: the key of the installation, and the
 *                        rows and columns that are left out of records/
 *
 * The same content is exported in two forms. Repositories and objects are for people and other
 * programs: the Markdown of a page has its links spelled relative to the file, and objects contain
 * what one reader may see. An import reads only records/, files/ and secrets.sealed, which contain
 * everything to make the same installation again: ids, times, audit record and all revisions.
 *
 * Consistency. The first step copies the database, as a backup does, and copies the files that the
 * copy refers to (links them if the folder is only made to be packed). Everything else is read from
 * this copy. So the export shows the data of one moment, and keeps no transaction open however long
 * it takes. The copy is deleted at the end.
 *
 * Tables. leave_tables.c has a row for each table of the schema: whether the table is exported,
 * secret, or made from others (search, links, caches, sessions), and which columns tell that a row
 * belongs to an organization. Columns, types, order and references follow from the schema. A table
 * without a row fails tests/unit/test_leave.c. The contents of objects/ follow from the table of
 * routes (src/routes.def): every GET route whose parameters other GET routes list.
 *
 * History (leave_history.c). main's revisions become commits of refs/heads/main, with author and
 * time of the revision, and with the files that it changed. A change request is
 * refs/heads/change-requests/NUMBER and begins at its base. A file has its path in the repository
 * that the space was synchronised with; otherwise it is named by the page's path. Links between
 * pages are spelled relative to the file. A commit writes only the files that its revision changed.
 * So a page that links to a page that was moved gets the new spelling when it is written next, at
 * the latest in the last commit of main, which writes all texts. The last commit of a change request
 * also writes the texts that link to pages or files that the request has moved.
 * SUMMARY.md is in the last commit of main and of each request that is not merged or archived. The
 * repository is written by `git fast-import`, in a child process.
 *
 * Objects are made with a key of zeros (base/secret.h) instead of the installation's key. So sealed
 * values cannot be opened, and signed addresses in them are not valid.
 *
 * Import. It needs a data directory without data. Everything is made in DIR/octavo.import, and moved
 * to its place at the end; a failure or a signal deletes it. The new database has the schema version
 * of the export and is then migrated. Jobs that were queued or running are cancelled.
 * Triggers are dropped while rows are inserted, because the rows already contain what the triggers
 * did; references are checked at the end. Each blob and file must have the hash that names it.
 * Without the secrets, the secret columns are empty, as after a restore of a backup without its
 * key.
 *
 * Beside other data (leave_beside.c). The same import is made in DIR/octavo.import, without secrets, and its
 * rows are then copied into the live database, in one transaction. Ids are unique words, so they can be found in
 * any text: columns, JSON, bodies and link maps. If none of the ids was ever used in the live database, they stay;
 * otherwise each is replaced by a new one, wherever it occurs (leave_ids.c). A body with new ids has a new hash.
 * Numbers of branches, conversations and the like continue after those in the live database. Rows that belong to no
 * organization are not copied, nor are bindings to repositories, since two installations would write to the same
 * branch. Triggers run, since caches depend on them.
 */
#ifndef OCTAVO_LEAVE_H
#define OCTAVO_LEAVE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/sealed.h"
#include "command/cli.h"
#include "db/db.h"

enum { LEAVE_FORMAT = 1 };

/* ---- tables ---- */

enum leave_kind {
	LEAVE_ROWS,     /* its rows are exported */
	LEAVE_SECRET,   /* the whole table is secret */
	LEAVE_MADE      /* not exported: made from other tables, or useless elsewhere */
};

struct leave_table {
	const char     *name;
	enum leave_kind kind;
	/*
	 * Columns that tell that a row belongs to an organization, separated by blanks. "org" and
	 * "id" contain the organization's id; other columns refer to a row that belongs to it. "":
	 * the row belongs to each organization with a row that refers to it. NULL: the table is
	 * exported only with all organizations.
	 */
	const char     *by;
	const char     *secret;   /* columns that are only in secrets.sealed, separated by blanks; NULL: none */
};

extern const struct leave_table leave_tables[];
extern const size_t leave_table_count;

/* The table with this name; NULL: none. */
const struct leave_table *leave_table_find(const char *name);

struct leave_column {
	const char *name;
	const char *type;     /* TEXT, INTEGER, REAL, BLOB */
	const char *about;    /* comment of the schema; NULL: none */
	bool        required; /* NOT NULL, or part of the key */
	bool        key;      /* part of the primary key */
	bool        secret;
};

/* The columns of a table in this database, whose schema may be older than that of the program. */
struct leave_column *leave_columns(struct db *db, struct arena *a, const struct leave_table *t, size_t *n);

/* True if the list of words contains the word. list may be NULL. */
bool leave_has_word(const char *list, const char *word);

/*
 * SQL condition for the rows that belong to the organization. "1" if org is NULL; "0" if no row of
 * the table belongs to one.
 */
const char *leave_where(struct db *db, struct arena *a, const struct leave_table *t, const char *org);

/* ---- writing ---- */

struct leave {
	struct cli    *cli;
	struct arena  *arena;
	const char    *data;       /* the live data directory */
	const char    *to;         /* the folder that is written */
	const char    *work;       /* to/.work: the copy of the database */
	struct db     *db;         /* the copy */
	const char    *org;        /* id of the organization; NULL: all organizations */
	struct sealed *secrets;    /* NULL: the export has no secrets */
	const char    *error;      /* message of the first failure; NULL: none */
	int64_t        rows, objects, revisions, files, bytes, spaces;
	/*
	 * Callback for progress, called before each part of the export and about once a second during it. If
	 * it returns false, the export ends. NULL: no callback.
	 */
	bool         (*part)(void *ctx, const char *name);
	int64_t        part_at;    /* time of the last call of part(), in ms of time_steady() */
	void          *ctx;
	/*
	 * The folder will be packed and deleted, so files in it may be hard links of the live ones. A
	 * folder that is given away has copies: a change to a link would change the data.
	 */
	bool           packed;
	bool           streams;    /* git is not installed: spaces/ID.fast-import instead of repositories */
};

/* Records a failure. After the first call, further calls change nothing. Always false. */
bool leave_fail(struct leave *l, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/*
 * Calls l->part with the name of the current part, at most once a second unless `begins` (the part is new).
 * False if the callback has returned false, or leave_fail() was called before; l->error is set.
 */
bool leave_goes_on(struct leave *l, const char *part, bool begins);

/* Opens l->to/NAME for writing, and makes its folder; NULL after leave_fail(). */
FILE *leave_open(struct leave *l, const char *name);
/* Closes the file; false after leave_fail() if anything could not be written. */
bool leave_close(struct leave *l, FILE *f, const char *name);

/* Each writes a part of the export. False on failure, with the message in l->error. */
bool leave_records(struct leave *l);
bool leave_objects(struct leave *l);
bool leave_histories(struct leave *l);

/*
 * Calls line() for each object of an organization that the API shows: for lists, and for single
 * objects that no list contains with all their members. It is also called for each other answer, with
 * its status. False ends the walk.
 */
struct leave_walk {
	struct cli *cli;
	struct db  *db;
	const char *org;
	const char *user;      /* id of the user whose rights apply */
	bool      (*line)(void *ctx, const char *operation, const char *address, int status, const char *object);
	void       *ctx;
};
void leave_walk(const struct leave_walk *w);

/* ---- history ---- */

/* Writes the stream of a space for `git fast-import` to a file. Returns the number of revisions. */
int64_t leave_history(struct db *db, struct arena *a, const char *dir, const char *space, FILE *out);

/* ---- the commands ---- */

/*
 * Writes the export into l->to, which must exist with l->work in it. passphrase NULL: without secrets. From
 * then on the process has a key of zeros. False: l->error.
 */
bool leave_write(struct leave *l, const char *passphrase);

struct job;
struct settings;

/* Runs a job of the kind EXPORT_KIND to its end (app/org_export.h). */
void leave_job(struct db *db, const struct settings *set, const struct job *job);

/* True if the path is an export: a folder or a tar archive with a note. */
bool leave_is_export(struct arena *a, const char *path);

/* octavo import FOLDER|FILE.tar --dir DIR. */
int leave_import(struct cli *c, const char *from);
/* The same with --beside: adds its organizations to the data in DIR. */
int leave_import_beside(struct cli *c, const char *from);

#endif
