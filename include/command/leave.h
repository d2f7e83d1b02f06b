/*
 * Leaving and coming back: an export of a whole installation, or of one organization, in a form that
 * needs no Octavo to be read; and the import of such an export into an empty data directory.
 *
 * An export is a folder, or a tar archive with the same names:
 *
 *   octavo-export.json   the note, written first: format, version of the schema, installation, time,
 *                        organization (null: all of them), whether secrets are included
 *   README.md            for people: what is where, the spaces by title, what is missing
 *   spaces/ID.git        a bare git repository per space, with the whole history
 *   objects/NAME.jsonl   what the API answers, a line per object: {"of": address, "object": …}. NAME
 *                        is the operation; objects/openapi.json describes the shapes
 *   records/TABLE.jsonl  the rows of each table, a line per row; records/schema.json is their JSON
 *                        schema (2020-12), with the comments of the database's own schema
 *   files/ab/cdef…       files, named by the BLAKE2b-256 hash of their bytes, as below DIR/blobs
 *   secrets.sealed       only if asked for, see base/sealed.h: the key of the installation, and the rows
 *                        and columns that records/ lacks
 *
 * Two forms hold the same content on purpose. Repositories and objects are for people and for other
 * programs; but a page's Markdown there has links spelled for its file, and objects hold what one
 * reader may see. So an import reads only records/, files/ and secrets.sealed, from which the same
 * installation comes out: ids, times, audit record and all revisions.
 *
 * Consistency. The first step copies the database, as a backup does, and links or copies the files that
 * the copy names. Everything else is read from this copy, so the export shows one moment, however long
 * it takes, and holds no transaction open. The copy is deleted at the end.
 *
 * One mechanism. leave_tables.c has a row for each table of the schema: exported, secret, or made
 * from others (search, links, caches, sessions), and through which column a row belongs to an
 * organization. All else follows from the schema: columns, types, order, references. A table without a
 * row fails tests/unit/test_leave.c. objects/ follows from the table of routes (src/routes.def): every
 * GET whose parameters other GETs list.
 *
 * History (leave_history.c). main's revisions become commits of refs/heads/main: author and time of
 * the revision, the files that it changed. A change request is refs/heads/change-requests/NUMBER; it
 * begins at its base. A file is called as in the repository that the space was synchronised with, else
 * by the page's path; links between pages are spelled relative to the file. A commit spells only the
 * files that it writes: a page that links to a page that was moved gets the new spelling when it is
 * written again, at the latest in the branch's last commit, which spells all. SUMMARY.md is in the last
 * commit of each branch. The repository is written through `git fast-import`, in a child process.
 *
 * Objects are answered with a key of zeros (base/secret.h), never with the installation's: what is
 * sealed stays sealed, and signed addresses in them open nothing.
 *
 * Import. Into a data directory that holds nothing: all is written into a new database of the export's
 * schema version, which is then migrated; only at the end it gets its name. Triggers are taken away
 * while rows are inserted, since the rows hold what triggers made of them; references are checked at
 * the end. Each body and file must have the bytes of its hash. Without the secrets, the columns that
 * held them are empty, as in a backup that was restored without its key.
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
	LEAVE_ROWS,     /* exported */
	LEAVE_SECRET,   /* all of it is secret */
	LEAVE_MADE      /* made from other tables, or worthless elsewhere: not exported */
};

struct leave_table {
	const char     *name;
	enum leave_kind kind;
	/*
	 * Columns through which a row belongs to an organization, separated by blanks: "org" names it,
	 * others refer to a row that belongs to it. NULL: the table is only in exports of all organizations.
	 */
	const char     *by;
	const char     *secret;   /* columns that only secrets.sealed holds, separated by blanks; NULL: none */
};

extern const struct leave_table leave_tables[];
extern const size_t leave_table_count;

/* NULL: no table of this name. */
const struct leave_table *leave_table_find(const char *name);

struct leave_column {
	const char *name;
	const char *type;     /* TEXT, INTEGER, REAL, BLOB */
	const char *about;    /* comment of the schema; NULL: none */
	bool        required; /* NOT NULL, or part of the key */
	bool        key;      /* part of the primary key */
	bool        secret;
};

/* The columns of a table in this database, which may be older than the program. */
struct leave_column *leave_columns(struct db *db, struct arena *a, const struct leave_table *t, size_t *n);

/* True if a list of words, or NULL, has this word. */
bool leave_has_word(const char *list, const char *word);

/* The condition that a row belongs to the organization, as SQL; "1" for org NULL, "0" if none does. */
const char *leave_where(struct db *db, struct arena *a, const struct leave_table *t, const char *org);

/* ---- writing ---- */

struct leave {
	struct cli    *cli;
	struct arena  *arena;
	const char    *data;       /* the live data directory */
	const char    *to;         /* the folder that is written */
	const char    *work;       /* to/.work: the copy of the database */
	struct db     *db;         /* the copy */
	const char    *org;        /* NULL: all */
	struct sealed *secrets;    /* NULL: left out */
	const char    *error;      /* the first failure */
	int64_t        rows, objects, revisions, files, bytes, spaces;
	bool           streams;    /* git is not installed: spaces/ID.fast-import instead of repositories */
};

/* Records a failure, unless there is one already; always false. */
bool leave_fail(struct leave *l, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Opens l->to/NAME for writing, making its folder; NULL after leave_fail(). */
FILE *leave_open(struct leave *l, const char *name);
/* Closes it; false after leave_fail() if anything was not written. */
bool leave_close(struct leave *l, FILE *f, const char *name);

/* These write a part of the export. False: l->error is set. */
bool leave_records(struct leave *l);
bool leave_objects(struct leave *l);
bool leave_histories(struct leave *l);

/*
 * Calls line() for each object that the API shows of an organization; every: also of the routes that
 * answer with one object of a list, and of content, which the export has in other forms.
 */
struct leave_walk {
	struct cli *cli;
	struct db  *db;
	const char *org;
	const char *user;      /* id of the user whose rights apply */
	bool        every;
	void      (*line)(void *ctx, const char *operation, const char *address, int status, const char *object);
	void       *ctx;
};
void leave_walk(const struct leave_walk *w);

/* ---- history ---- */

/* Writes the stream of a space for `git fast-import` to a file. Returns the number of revisions. */
int64_t leave_history(struct db *db, struct arena *a, const char *dir, const char *space, FILE *out);

/* ---- the commands ---- */

/* True if the path is an export: a folder or a tar archive with a note. */
bool leave_is_export(struct arena *a, const char *path);

/* octavo import FOLDER|FILE.tar --dir DIR. */
int leave_import(struct cli *c, const char *from);

#endif
