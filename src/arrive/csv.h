/* Converts comma-separated values (RFC 4180) to tables of Markdown. */
#ifndef OCTAVO_ARRIVE_CSV_H
#define OCTAVO_ARRIVE_CSV_H

#include "arrival.h"

/*
 * Appends the table, and returns the number of its rows without the heading. link (may be NULL):
 * returns the Markdown for a cell of the first column, or NULL to use its text. *lost: number of
 * cells that are left out, because the heading has fewer columns, or there are too many.
 */
size_t csv_table(struct text *out, struct str csv, const char *(*link)(void *ctx, struct str cell), void *ctx, size_t *lost);

#endif
