/*
 * The table of a document as readers see it: its visible columns, its records in order, its cells and
 * merged areas. It is read from the JSON (docs/design/documents.md, "Tables"), for HTML and for PDFs.
 * Reading never fails: parts of the JSON with an unknown form are left out.
 */
#ifndef OCTAVO_RENDER_TABLE_H
#define OCTAVO_RENDER_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/map.h"

struct cJSON;

enum table_align { TABLE_START, TABLE_CENTER, TABLE_END };

/* A column that the view shows and that has a definition. */
struct table_column {
	const struct cJSON *definition;
	const char         *id, *type, *title;   /* type, title: "" if missing */
	const struct cJSON *marked;              /* inline nodes of a title with links or marks; NULL: plain text */
	enum table_align    align;               /* columns of numbers are aligned at the right */
	double              width;               /* CSS pixels that the author chose; 0: none */
};

/* All pointers except `columns`, `records`, `merged` and the maps point into the document. */
struct table {
	const struct cJSON  *data, *view;
	bool                 cards;              /* shown as cards */
	bool                 large;              /* as large cards */
	bool                 head;               /* titles of columns are shown */
	struct table_column *columns;            /* in the order of the view */
	size_t               column_count;
	const struct cJSON **records;            /* rows, in reading order */
	size_t               record_count;
	struct map          *fragments;          /* name -> content of text cells */
	unsigned char       *merged;             /* flags of each cell (table.c); NULL: no cell is merged */
	struct map          *spans;              /* number of the first cell of a merged area -> struct table_span */
};

/* Reads the table of a node of type table. */
void table_read(struct table *t, struct arena *a, const struct cJSON *node);

/* The value of a cell; NULL: it is empty. */
const struct cJSON *table_value(const struct table *t, size_t record, const struct table_column *c);

/* The fragment that the value of a text cell names, an object with "nodes"; NULL: there is none. */
const struct cJSON *table_fragment(const struct table *t, const struct cJSON *value);

/* The merged area of a cell. */
struct table_span {
	size_t rows, columns;    /* its size, if the cell is the first of the area; otherwise 0 and 0 */
	bool   above, left;      /* the cell above, and the cell to the left, are in the same area */
};
struct table_span table_span(const struct table *t, size_t record, size_t column);

/*
 * The value of the column that the view uses for a part of the card of a record. part:
 * "coverDefinition" or "targetDefinition". NULL: none.
 */
const struct cJSON *table_card_part(const struct table *t, size_t record, const char *part);

/* The reference of an image cell, also in the form of older documents, a list of file ids. NULL: none. */
const struct cJSON *table_image(const struct cJSON *value);

/* The label of an option; for an unknown value, the value itself. */
const char *table_option(const struct table_column *c, const char *value);

#endif
