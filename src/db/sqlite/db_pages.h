/*
 * Pages of a database file as bytes: the trees below a root, and records. Names and numbers are
 * those of sqlite.org/fileformat2.html. Every number is checked against the size of the file or
 * page before use.
 */
#ifndef OCTAVO_DB_PAGES_H
#define OCTAVO_DB_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

enum page_type { PAGE_INDEX_INNER = 2, PAGE_TABLE_INNER = 5, PAGE_INDEX_LEAF = 10, PAGE_TABLE_LEAF = 13 };

struct pages {
	struct arena        *arena;
	const unsigned char *p;         /* the file, mapped */
	size_t               size;      /* of a page, in bytes */
	size_t               usable;    /* size without the bytes reserved at the end of a page */
	uint32_t             count;     /* of pages */
	unsigned char       *seen;      /* for each page, counted from 1: true if it was read */
	int                  version;   /* PRAGMA user_version; -1: the header is damaged */
};

enum value_type { VALUE_NULL, VALUE_INT, VALUE_REAL, VALUE_TEXT, VALUE_BLOB };

struct value {
	enum value_type type;
	int64_t         n;      /* VALUE_INT: the number; VALUE_TEXT, VALUE_BLOB: bytes at p */
	double          real;   /* VALUE_REAL */
	const char     *p;
};

/* Maximum columns of a record. */
enum { RECORD_COLUMNS = 200 };

struct record {
	bool         has_rowid;              /* false: the record is of an index, or of a table WITHOUT ROWID */
	int64_t      rowid;
	int          count;                  /* of values */
	struct value values[RECORD_COLUMNS];
};

/* Maps the file; false, and *error. */
bool pages_open(struct pages *ps, struct arena *a, const char *path, const char **error);
void pages_close(struct pages *ps);

/* Type of a page with a valid header; 0 for any other page. */
int pages_type(const struct pages *ps, uint32_t page);

/*
 * Calls row() for each record of the tree below a root; the record's memory is valid during the
 * call. Returns how many pages and cells could not be read. Each page is read once over all calls.
 */
int64_t pages_walk(struct pages *ps, uint32_t root, void (*row)(void *ctx, const struct record *r), void *ctx);

/* Reads the records of one leaf; false if some cells cannot be read. */
bool pages_leaf(struct pages *ps, uint32_t page, void (*row)(void *ctx, const struct record *r), void *ctx);

/* Marks the pages of the free list as read. */
void pages_mark_free(struct pages *ps);

#endif
