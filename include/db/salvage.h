/*
 * Copies the readable rows of a damaged database file into a new file.
 *
 * SQLite stops reading a table at its first damaged page. This code reads each page of the file by
 * itself ("Database File Format", sqlite.org/fileformat2.html), so a damaged page loses only the
 * rows that it contains. If a page above a good page in the tree is damaged, the table of the good
 * page is unknown. The page is then assigned to the one damaged table whose columns fit its rows.
 * If several tables fit, its rows are left out and the page is counted in `strays`. (Debian's
 * SQLite has no recovery of its own: it is built without sqlite_dbpage.)
 *
 * The new file is made by the same migrations as the old one, and each row is inserted like a new
 * row: a row that violates a constraint is refused. A reference to a lost row is set to NULL if the
 * column allows it; otherwise the row with the reference is dropped. The remaining migrations run
 * at the end.
 */
#ifndef OCTAVO_SALVAGE_H
#define OCTAVO_SALVAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct db;

struct salvage_table {
	const char *name;
	int64_t     rows;      /* number of rows of the table in the new file */
	int64_t     refused;   /* rows that were read but not inserted: they are no rows of this table, or repetitions */
	int64_t     damaged;   /* pages of the table that cannot be read; each may have been the parent of other pages */
	int64_t     emptied;   /* references to lost rows that were set to NULL */
	int64_t     dropped;   /* rows that were dropped because they refer to lost rows */
};

struct salvage {
	int64_t               pages;      /* number of pages of the file */
	int64_t               strays;     /* good pages whose table cannot be determined */
	bool                  guessed;    /* the list of tables was damaged, and was searched for in all pages */
	int                   version;    /* schema version of the old file */
	struct salvage_table *tables;
	size_t                count;
};

struct salvage_options {
	/* Names of tables that are rebuilt from others; they stay empty. Ends with NULL. */
	const char *const *derived;
	/*
	 * Called in the open transaction, after the rows are inserted and before references are
	 * checked. May be NULL.
	 */
	void             (*mend)(void *ctx, struct db *db);
	void              *ctx;
	void             (*tick)(const char *what, int64_t done, int64_t total);
};

/*
 * from: a file without a log beside it, which no program writes. to: a file that does not exist
 * yet. False if nothing could be read, with the reason in *error.
 */
bool db_salvage(struct arena *a, const char *from, const char *to, const struct salvage_options *o,
    struct salvage *out, const char **error);

#endif
