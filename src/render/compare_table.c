/* Compares two tables by rows and cells. Contract: compare_parts.h. */
#include "compare_parts.h"
#include "render/table.h"

/*
 * The result under construction. x, y: the earlier and the later table. count: number of rows added
 * so far; it becomes the orderIndex of the next row.
 */
struct rows {
	struct compare *c;
	struct table    x, y;
	cJSON          *records, *fragments;   /* of the result */
	size_t          count;
};

static bool
same_columns(const struct table *x, const struct table *y)
{
	if (x->column_count != y->column_count || x->merged != NULL || y->merged != NULL)
		return false;
	for (size_t i = 0; i < x->column_count; i++)
		if (strcmp(x->columns[i].id, y->columns[i].id) != 0 || !cJSON_Compare(x->columns[i].definition, y->columns[i].definition, true))
			return false;
	return true;
}

/* Adds the content of a cell: its value, or the text of the fragment that the value names. */
static void
add_content(struct buf *b, const struct table *t, size_t record, size_t column)
{
	const cJSON *value = table_value(t, record, &t->columns[column]), *fragment = table_fragment(t, value);
	const cJSON *shown = fragment != NULL ? json_member(fragment, "nodes") : value;

	buf_char(b, '\n');
	if (shown != NULL)
		buf_str(b, cJSON_PrintUnformatted(shown));
}

/* Id of the row's content: rows with equal cells have equal ids. */
static uint32_t
row_content_id(struct compare *c, const struct table *t, size_t record)
{
	struct buf b;

	buf_init(&b, c->arena, 64 << 20);
	buf_str(&b, "row");
	for (size_t i = 0; i < t->column_count; i++)
		add_content(&b, t, record, i);
	return diff_table_id(c->table, buf_view(&b));
}

static uint32_t *
row_content_ids(struct compare *c, const struct table *t)
{
	uint32_t *ids = arena_array(c->arena, t->record_count + 1, sizeof(*ids));

	for (size_t i = 0; i < t->record_count; i++)
		ids[i] = row_content_id(c, t, i);
	return ids;
}

/* Adds a copy of the fragment under a name that no other cell has. */
static void
add_fragment(struct rows *r, const cJSON *nodes, const char *name)
{
	cJSON *copy = cJSON_CreateObject();

	cJSON_AddStringToObject(copy, "object", "fragment");
	cJSON_AddStringToObject(copy, "fragment", name);
	cJSON_AddItemToObject(copy, "nodes", cJSON_Duplicate(nodes, true));
	cJSON_AddItemToArray(r->fragments, copy);
}

/*
 * Adds the fragment of a cell. If both rows have the cell, it is the comparison of the two; otherwise
 * it is the one cell, marked with status.
 */
static void
add_cell(struct rows *r, const cJSON *before, const cJSON *after, const char *status, const char *name)
{
	const cJSON *shown = after != NULL ? after : before;
	cJSON *copy = cJSON_Duplicate(shown, true);

	if (before != NULL && after != NULL)
		compare_nodes(r->c, before, after, copy);
	else if (status != NULL)
		compare_mark(copy, status);
	add_fragment(r, json_member(copy, "nodes"), name);
}

/*
 * Adds a row made from the rows x and y. If one is record_count of its table, the row was added or
 * removed; otherwise the cells are compared.
 */
static void
add_row(struct rows *r, size_t x, size_t y)
{
	bool old = x < r->x.record_count, new = y < r->y.record_count;
	const struct table *t = new ? &r->y : &r->x;
	const char *status = old && new ? NULL : new ? COMPARE_ADDED : COMPARE_REMOVED;
	cJSON *row = cJSON_Duplicate(t->records[new ? y : x], true), *values = cJSON_GetObjectItemCaseSensitive(row, "values");

	cJSON_DeleteItemFromObjectCaseSensitive(row, "orderIndex");
	cJSON_AddStringToObject(row, "orderIndex", arena_printf(r->c->arena, "%08zu", r->count));
	if (status != NULL)
		cJSON_AddStringToObject(row, "compared", status);
	for (size_t i = 0; i < t->column_count; i++) {
		const struct table_column *column = &t->columns[i];
		const cJSON *before = old ? table_fragment(&r->x, table_value(&r->x, x, column)) : NULL;
		const cJSON *after = new ? table_fragment(&r->y, table_value(&r->y, y, column)) : NULL;
		const char *name = arena_printf(r->c->arena, "compared-%zu-%zu", r->count, i);

		if (before == NULL && after == NULL)
			continue;
		/* A cell that is missing in one of the two rows was added or removed. */
		add_cell(r, before, after, status != NULL ? status : before == NULL ? COMPARE_ADDED : COMPARE_REMOVED, name);
		cJSON_DeleteItemFromObjectCaseSensitive(values, column->id);
		cJSON_AddStringToObject(values, column->id, name);
	}
	/*
	 * A row of the later version keeps its id, so that comments on its cells still refer to it.
	 */
	cJSON_AddItemToObject(r->records, new ? t->records[y]->string : arena_printf(r->c->arena, "row-%zu", r->count), row);
	r->count++;
}

/* ---- pairs of changed rows ---- */

/*
 * Maximum number of rows on each side of a run for which all pairs are compared; the rows of a
 * longer run are paired in order.
 */
enum { RUN_MOST = 50 };

/* Ids of the content of the cells of n rows from `first` on, row by row: equal cells have equal ids. */
static uint32_t *
cell_content_ids(struct compare *c, const struct table *t, size_t first, size_t n)
{
	uint32_t *ids = arena_array(c->arena, n * t->column_count + 1, sizeof(*ids));

	for (size_t i = 0; i < n * t->column_count; i++) {
		struct buf b;

		buf_init(&b, c->arena, 64 << 20);
		buf_str(&b, "cell");
		add_content(&b, t, first + i / t->column_count, i % t->column_count);
		ids[i] = diff_table_id(c->table, buf_view(&b));
	}
	return ids;
}

/* The score for showing two rows as one edited row: it grows with each equal cell. */
static uint32_t
pair_score(const uint32_t *x, const uint32_t *y, size_t columns)
{
	uint32_t equal = 0;

	for (size_t i = 0; i < columns; i++)
		equal += x[i] == y[i];
	return 2 * equal + 1;
}

static uint32_t
max_of(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/*
 * Pairs the rows of the run, keeping their order, so that most cells are equal. best[i][j]: the
 * highest total score of the rows from x + i and y + j on.
 */
static void
add_pairs(struct rows *r, const struct diff_change *d)
{
	size_t columns = r->x.column_count, i, j;
	const uint32_t *x = cell_content_ids(r->c, &r->x, d->x, d->xn), *y = cell_content_ids(r->c, &r->y, d->y, d->yn);
	uint32_t best[RUN_MOST + 1][RUN_MOST + 1] = { 0 };

	for (i = d->xn; i-- > 0;)
		for (j = d->yn; j-- > 0;)
			best[i][j] = max_of(max_of(best[i + 1][j], best[i][j + 1]), best[i + 1][j + 1] + pair_score(x + i * columns, y + j * columns, columns));
	for (i = j = 0; i < d->xn || j < d->yn;) {
		bool both = i < d->xn && j < d->yn;

		if (both && best[i][j] == best[i + 1][j + 1] + pair_score(x + i * columns, y + j * columns, columns))
			add_row(r, d->x + i++, d->y + j++);
		else if (i < d->xn && (!both || best[i][j] == best[i + 1][j]))
			add_row(r, d->x + i++, r->y.record_count);
		else
			add_row(r, r->x.record_count, d->y + j++);
	}
}

/* Adds a run in which rows x .. x + xn became y .. y + yn. */
static void
add_run(struct rows *r, const struct diff_change *d)
{
	size_t both = d->xn < d->yn ? d->xn : d->yn, i;

	r->c->changes++;
	if (both > 0 && d->xn <= RUN_MOST && d->yn <= RUN_MOST) {
		add_pairs(r, d);
		return;
	}
	for (i = 0; i < both; i++)
		add_row(r, d->x + i, d->y + i);
	for (i = both; i < d->xn; i++)
		add_row(r, d->x + i, r->y.record_count);
	for (i = both; i < d->yn; i++)
		add_row(r, r->x.record_count, d->y + i);
}

/* ---- tables ---- */

/* Titles of columns are fragments too; they are equal on both sides (same_columns()). */
static void
keep_titles(struct rows *r, const cJSON *y)
{
	const cJSON *one;

	cJSON_ArrayForEach(one, json_member(y, "fragments"))
		if (strncmp(json_text_or_empty(one, "fragment"), "title:", 6) == 0)
			cJSON_AddItemToArray(r->fragments, cJSON_Duplicate(one, true));
}

bool
compare_tables(struct compare *c, const cJSON *x, const cJSON *y, cJSON *copy)
{
	struct rows r = { .c = c, .records = cJSON_CreateObject(), .fragments = cJSON_CreateArray() };
	const struct diff_change *list;
	const uint32_t *xs, *ys;
	size_t count, i, x_at = 0, y_at = 0;

	table_read(&r.x, c->arena, x);
	table_read(&r.y, c->arena, y);
	if (!same_columns(&r.x, &r.y))
		return false;
	keep_titles(&r, y);
	xs = row_content_ids(c, &r.x);
	ys = row_content_ids(c, &r.y);
	list = diff_ids(c->arena, xs, r.x.record_count, ys, r.y.record_count, diff_table_count(c->table), &count);
	for (i = 0; i < count; i++) {
		for (; y_at < list[i].y; y_at++)
			add_row(&r, x_at++, y_at);
		add_run(&r, &list[i]);
		x_at = list[i].x + list[i].xn;
		y_at = list[i].y + list[i].yn;
	}
	for (; y_at < r.y.record_count; y_at++)
		add_row(&r, x_at++, y_at);
	/* A merged cell could cover rows of both tables. */
	cJSON_DeleteItemFromObjectCaseSensitive(cJSON_GetObjectItemCaseSensitive(copy, "data"), "cellMerges");
	cJSON_ReplaceItemInObjectCaseSensitive(copy, "fragments", r.fragments);
	cJSON_ReplaceItemInObjectCaseSensitive(cJSON_GetObjectItemCaseSensitive(copy, "data"), "records", r.records);
	return true;
}
