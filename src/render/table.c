/* Tables as readers see them. Contract: render/table.h. */
#include <cjson/cJSON.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/sort.h"
#include "render/table.h"

/*
 * Flags of a cell. MERGED_START: a merged area begins here. MERGED_ABOVE, MERGED_LEFT: the cell
 * above, or to the left, is in the same area.
 */
enum { MERGED_START = 1, MERGED_ABOVE = 2, MERGED_LEFT = 4 };

/* orderIndex is compared bytewise, like order keys. */
static int
by_order(const void *x, const void *y)
{
	const cJSON *a = *(const cJSON *const *)x, *b = *(const cJSON *const *)y;

	return strcmp(json_text_or_empty(a, "orderIndex"), json_text_or_empty(b, "orderIndex"));
}

static void
read_columns(struct table *t, struct arena *a)
{
	const cJSON *ids = json_member(t->view, "columns"), *id, *definition, *marked;
	const char *align;

	t->columns = arena_array(a, (size_t)cJSON_GetArraySize(ids) + 1, sizeof(*t->columns));
	cJSON_ArrayForEach(id, ids) {
		definition = cJSON_IsString(id) ? json_member(json_member(t->data, "definition"), id->valuestring) : NULL;
		if (definition == NULL)
			continue;
		align = json_text_or_empty(definition, "textAlignment");
		marked = json_member(map_get(t->fragments, str_of(arena_printf(a, "title:%.36s", id->valuestring))), "nodes");
		t->columns[t->column_count++] = (struct table_column){ .definition = definition, .id = id->valuestring,
			.type = json_text_or_empty(definition, "type"), .title = json_text_or_empty(definition, "title"),
			.marked = marked != NULL ? json_member(marked->child, "nodes") : NULL,
			.width = json_number_of(json_member(t->view, "columnWidths"), id->valuestring, 0),
			.align = strcmp(align, "center") == 0 ? TABLE_CENTER : strcmp(align, "right") == 0 ? TABLE_END : TABLE_START };
		if (strcmp(t->columns[t->column_count - 1].type, "number") == 0)
			t->columns[t->column_count - 1].align = TABLE_END;
	}
}

/* Sort pointers: the document stays unchanged. */
static void
read_records(struct table *t, struct arena *a)
{
	const cJSON *all = json_member(t->data, "records"), *one;

	/* One more entry, so that an empty table has an array to sort. */
	t->records = arena_array(a, (size_t)cJSON_GetArraySize(all) + 1, sizeof(*t->records));
	cJSON_ArrayForEach(one, all)
		t->records[t->record_count++] = one;
	sort_list(t->records, t->record_count, sizeof(*t->records), by_order);
}

/* Column of an id; column_count if there is none. */
static size_t
column_at(const struct table *t, const char *id)
{
	size_t i;

	for (i = 0; i < t->column_count; i++)
		if (id != NULL && strcmp(t->columns[i].id, id) == 0)
			break;
	return i;
}

/* Span of a merged area, at least 1 and within the table. */
static size_t
read_span(const cJSON *merge, const char *name, size_t room)
{
	double n = json_number_of(merge, name, 1);

	return n < 1 ? 1 : n > (double)room ? room : (size_t)n;
}

/*
 * Reads the merged areas. The JSON names the first record of an area, and the area continues with
 * the records that follow in display order.
 */
static void
read_merges(struct table *t, struct arena *a)
{
	const cJSON *merges = json_member(t->data, "cellMerges"), *m;
	struct map *places;
	size_t i, column, rows, columns, y, x, left = t->record_count * t->column_count;
	struct table_span *span;
	const char *record;
	void *place;

	if (merges == NULL || merges->child == NULL)
		return;
	t->merged = arena_array(a, left + 1, 1);
	t->spans = map_new(a);
	/* A map, since a search for each merge would be quadratic. */
	places = map_new(a);
	for (i = 0; i < t->record_count; i++)
		if (t->records[i]->string != NULL)
			map_add(places, str_of(t->records[i]->string), (void *)&t->records[i]);
	cJSON_ArrayForEach(m, merges) {
		record = json_text_of(json_member(m, "anchor"), "record");
		column = column_at(t, json_text_of(json_member(m, "anchor"), "column"));
		place = record != NULL ? map_get(places, str_of(record)) : NULL;
		if (place == NULL || column == t->column_count)
			continue;
		i = (size_t)((const cJSON **)place - t->records);
		rows = read_span(m, "rowSpan", t->record_count - i);
		columns = read_span(m, "colSpan", t->column_count - column);
		/*
		 * Areas must not overlap, so together they have at most as many cells as the table.
		 * Further areas are damage, and are skipped.
		 */
		if (rows * columns > left)
			continue;
		left -= rows * columns;
		span = arena_alloc(a, sizeof(*span));
		*span = (struct table_span){ .rows = rows, .columns = columns };
		map_add(t->spans, str_of(arena_printf(a, "%zu", i * t->column_count + column)), span);
		for (y = 0; y < rows; y++)
			for (x = 0; x < columns; x++)
				t->merged[(i + y) * t->column_count + column + x] |=
				    (unsigned char)(y == 0 && x == 0 ? MERGED_START : (y > 0 ? MERGED_ABOVE : 0) | (x > 0 ? MERGED_LEFT : 0));
	}
}

void
table_read(struct table *t, struct arena *a, const cJSON *node)
{
	const cJSON *one;

	*t = (struct table){ .data = json_member(node, "data"), .fragments = map_new(a) };
	t->view = json_member(t->data, "view");
	t->cards = strcmp(json_text_or_empty(t->view, "type"), "cards") == 0;
	t->large = strcmp(json_text_or_empty(t->view, "cardSize"), "large") == 0;
	t->head = !json_flag_of(t->view, "hideHeader");
	/* A map, since each text cell names its fragment. */
	cJSON_ArrayForEach(one, json_member(node, "fragments"))
		if (json_text_of(one, "fragment") != NULL)
			map_add(t->fragments, str_of(json_text_of(one, "fragment")), (void *)(uintptr_t)one);
	read_columns(t, a);
	read_records(t, a);
	read_merges(t, a);
}

const cJSON *
table_value(const struct table *t, size_t record, const struct table_column *c)
{
	return json_member(json_member(t->records[record], "values"), c->id);
}

const cJSON *
table_fragment(const struct table *t, const cJSON *value)
{
	return cJSON_IsString(value) ? map_get(t->fragments, str_of(value->valuestring)) : NULL;
}

struct table_span
table_span(const struct table *t, size_t record, size_t column)
{
	size_t cell = record * t->column_count + column;
	unsigned char merged = t->merged != NULL ? t->merged[cell] : 0;
	const struct table_span *span;
	char key[24];

	if (merged & (MERGED_ABOVE | MERGED_LEFT))
		return (struct table_span){ .above = merged & MERGED_ABOVE, .left = merged & MERGED_LEFT };
	snprintf(key, sizeof(key), "%zu", cell);
	if ((merged & MERGED_START) && (span = map_get(t->spans, str_of(key))) != NULL)
		return *span;
	return (struct table_span){ .rows = 1, .columns = 1 };
}

const cJSON *
table_card_part(const struct table *t, size_t record, const char *part)
{
	const char *id = json_text_of(t->view, part);

	return id != NULL ? json_member(json_member(t->records[record], "values"), id) : NULL;
}

const cJSON *
table_image(const cJSON *value)
{
	cJSON *ref;

	if (cJSON_IsArray(value) && cJSON_IsString(value->child)) {
		/* The object is not freed: cJSON allocates from an arena while documents are rendered. */
		ref = cJSON_CreateObject();
		cJSON_AddStringToObject(ref, "kind", "file");
		cJSON_AddStringToObject(ref, "file", value->child->valuestring);
		return ref;
	}
	return json_member(value, "ref") != NULL ? json_member(value, "ref") : cJSON_IsObject(value) ? value : NULL;
}

const char *
table_option(const struct table_column *c, const char *value)
{
	const cJSON *o;

	cJSON_ArrayForEach(o, json_member(c->definition, "options"))
		if (strcmp(json_text_or_empty(o, "value"), value) == 0 && json_text_of(o, "label") != NULL)
			return json_text_of(o, "label");
	return value;
}
