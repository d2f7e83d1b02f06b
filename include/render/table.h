/*
 * The table of a document as readers see it: its columns, records in order, cells and merged areas,
 * read once from the JSON (docs/design/documents.md, "Tables") for the screen and for print. Whatever
 * the JSON holds, a table comes out; what has no form that is known is missing in it.
 */
#ifndef OCTAVO_RENDER_TABLE_H
#define OCTAVO_RENDER_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/map.h"

struct cJSON;

enum table_align { TABLE_START, TABLE_CENTER, TABLE_END };

/* One that the view shows, in its order, and that is defined. */
struct table_column {
	const struct cJSON *definition;
	const char         *id, *type, *title;   /* type, title: "" where there is none */
	const struct cJSON *marked;              /* the inline nodes of a title with links or marks; NULL: it is plain */
	enum table_align    align;               /* numbers are aligned to the right, so that digits of one rank are below each other */
};

/* Everything points into the document. */
struct table {
	const struct cJSON  *data, *view;
	bool                 cards, large;       /* as cards, and large ones */
	bool                 head;               /* titles of columns are shown */
	struct table_column *columns;
	size_t               column_count;
	const struct cJSON **records;
	size_t               record_count;
	struct map          *fragments;          /* what text cells hold, by name */
	unsigned char       *merged;             /* by cell; NULL: none is */
	struct map          *spans;              /* number of a cell where an area begins -> struct table_span */
};

void table_read(struct table *t, struct arena *a, const struct cJSON *node);

/* NULL: the cell is empty. */
const struct cJSON *table_value(const struct table *t, size_t record, const struct table_column *c);

/* What the value of a text cell names: an object with "nodes"; NULL: nothing. */
const struct cJSON *table_fragment(const struct table *t, const struct cJSON *value);

/* How many rows and columns a cell takes, within the table; 0 and 0: it lies in the area of another. */
struct table_span {
	size_t rows, columns;
	bool   above, left;      /* as the cell above does, and the one to the left */
};
struct table_span table_span(const struct table *t, size_t record, size_t column);

/* The value that the view gives a part of a card: "coverDefinition", "targetDefinition"; NULL: none. */
const struct cJSON *table_card_part(const struct table *t, size_t record, const char *part);

/* The reference of an image cell; NULL: there is none. Older documents hold a list of file ids instead. */
const struct cJSON *table_image(const struct cJSON *value);

/* The label of an option; an unknown value is its own label. */
const char *table_option(const struct table_column *c, const char *value);

#endif
