/* Blobs in unit tests: the number of files and of rows. */
#ifndef BLOB_FIXTURE_H
#define BLOB_FIXTURE_H

#include "db_fixture.h"

#include "store/content.h"

static const int64_t LATER = INT64_C(1) << 60;   /* ms: later than the time of any file */

static inline void
take_int(void *ctx, struct stmt *q)
{
	*(int64_t *)ctx = col_int(q, 0);
}

static inline int64_t
count(struct fixture *f, const char *sql)
{
	const char *error = NULL;
	int64_t n = -1;

	assert_true(db_each(f->db, f->arena, sql, take_int, &n, &error));
	return n;
}

static inline void
count_file(void *ctx, const struct blob_file *file)
{
	(void)file;
	++*(int *)ctx;
}

static inline int
files(struct fixture *f)
{
	int n = 0;

	blob_walk(f->arena, f->dir, count_file, &n);
	return n;
}

static inline struct str
bytes_no(struct fixture *f, int n)
{
	return str_of(arena_printf(f->arena, "bytes number %d", n));
}

#endif
