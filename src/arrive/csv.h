/* Tables of comma-separated values (RFC 4180) as tables of Markdown. */
#ifndef OCTAVO_ARRIVE_CSV_H
#define OCTAVO_ARRIVE_CSV_H

#include "arrival.h"

/*
 * Appends the table. link: the Markdown of a cell of the first column, or NULL for its text as it is; may be NULL.
 * Returns the number of rows below the heading.
 */
size_t csv_table(struct text *out, struct str csv, const char *(*link)(void *ctx, struct str cell), void *ctx);

#endif
