/*
 * Rows out of a damaged database file, into a new one.
 *
 * SQLite reads a table no further than to its first damaged page. Here the file's pages are
 * read by themselves ("Database File Format", sqlite.org/fileformat2.html), so that a
 * damaged page costs what stood on it. Where the way down to good pages is damaged, they are
 * given to the one damaged table that their rows fit; where several fit, they stay out, and
 * are counted. (Debian's SQLite has no recovery of its own: it lacks sqlite_dbpage.)
 *
 * The new file is made by the same migrations as the old one, and each row is inserted as a
 * new one would be: what breaks a constraint is refused. References to rows that are lost are
 * emptied where they may be empty; else the row goes too. Then the rest of the migrations run.
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
	int64_t     rows;      /* that the new file has of it */
	int64_t     refused;   /* read, but no rows of this table, or repetitions */
	int64_t     damaged;   /* its pages that cannot be read; each may have led to more */
	int64_t     emptied;   /* references to lost rows that are empty now */
	int64_t     dropped;   /* rows that refer to lost rows and cannot exist without them */
};

struct salvage {
	int64_t               pages;      /* of the file */
	int64_t               strays;     /* good pages whose table cannot be determined */
	bool                  guessed;    /* the list of tables was damaged and was searched for among all pages */
	int                   version;    /* of the old file's schema */
	struct salvage_table *tables;
	size_t                count;
};

struct salvage_options {
	/* Tables that are rebuilt from others, and stay empty; NULL at the end. */
	const char *const *derived;
	/*
	 * Called in the open transaction after the rows are written and before references are
	 * checked; may be NULL.
	 */
	void             (*mend)(void *ctx, struct db *db);
	void              *ctx;
	void             (*tick)(const char *what, int64_t done, int64_t total);
};

/*
 * from: a file that nobody writes to, without a log beside it. to: a new file. False, and *error:
 * nothing could be read.
 */
bool db_salvage(struct arena *a, const char *from, const char *to, const struct salvage_options *o,
    struct salvage *out, const char **error);

#endif
