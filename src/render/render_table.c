/* Tables: as a grid, or as cards. Cells by the type of their column. */
#include <stdlib.h>

#include "base/map.h"
#include "base/sort.h"
#include "render_parts.h"

/* covered_cells() allocates a byte for each cell of the grid. */
enum { COLUMNS_MAX = 500 };

/*
 * The parts of a table block (docs/design/documents.md, "Tables"): records hold values by the id of their
 * column; the view says which columns are shown.
 */
struct table {
	const cJSON *node, *data, *view, *columns, *definition;
	const cJSON **records;         /* in their order */
	size_t       record_count;
	struct map  *fragments;        /* what text cells hold, by name */
	bool         cards;
};

/* orderIndex is a text that sorts bytewise, as order keys do. */
static int
by_order(const void *x, const void *y)
{
	const char *a = member_text(*(const cJSON *const *)x, "orderIndex");
	const char *b = member_text(*(const cJSON *const *)y, "orderIndex");

	return strcmp(a != NULL ? a : "", b != NULL ? b : "");
}

/* Collects the parts of the table; everything points into the document. */
static void
read_table(struct render *r, const cJSON *node, struct table *t)
{
	const cJSON *records = member(data_of(node), "records"), *one;
	size_t i = 0;

	*t = (struct table){ .node = node, .data = data_of(node) };
	t->view = member(t->data, "view");
	t->columns = member(t->view, "columns");
	t->definition = member(t->data, "definition");
	t->cards = same_text(member_text(t->view, "type"), "cards");
	t->record_count = records != NULL ? (size_t)cJSON_GetArraySize(records) : 0;
	/* One more, so that an empty table has an address to sort. */
	t->records = arena_array(r->arena, t->record_count + 1, sizeof(*t->records));
	cJSON_ArrayForEach(one, records)
		t->records[i++] = one;
	/* A map, since each text cell names its fragment: a search for each would be quadratic. */
	t->fragments = map_new(r->arena);
	cJSON_ArrayForEach(one, member(node, "fragments"))
		if (member_text(one, "fragment") != NULL)
			map_add(t->fragments, str_of(member_text(one, "fragment")), (void *)(uintptr_t)one);
	sort_list(t->records, t->record_count, sizeof(*t->records), by_order);
}

/* The definition of a column that the view names; NULL: there is none. */
static const cJSON *
column_of(const struct table *t, const cJSON *id)
{
	return cJSON_IsString(id) ? member(t->definition, id->valuestring) : NULL;
}

/* What the value of a text cell names; NULL: nothing. */
static const cJSON *
fragment_of(const struct table *t, const cJSON *value)
{
	return cJSON_IsString(value) ? map_get(t->fragments, str_of(value->valuestring)) : NULL;
}

/* ---- cells ---- */

static void
cell_text(struct render *r, const struct table *t, const cJSON *value)
{
	const cJSON *f = fragment_of(t, value);
	const cJSON *list = member(f, "nodes"), *first = list != NULL ? list->child : NULL;

	/* A cell with one paragraph needs no element for it. */
	if (first != NULL && first->next == NULL && strcmp(node_type(first), "paragraph") == 0)
		render_inlines(r, member(first, "nodes"));
	else
		render_blocks(r, list);
}

/* Stars for the eye, "3 of 5" for readers of the screen. */
static void
cell_rating(struct render *r, const cJSON *column, const cJSON *value)
{
	int max = (int)member_number(column, "max", 5), n = (int)value->valuedouble;

	/* More stars than ten are not told apart. */
	max = max < 1 || max > 10 ? 5 : max;
	h_el(&r->h, "span", "role", "img", "class", "stars", "aria-label",
	    arena_printf(r->arena, "%d %s %d", n, say(r, TEXT_OF), max), NULL);
	for (int i = 0; i < max; i++)
		h_text(&r->h, i < n ? "★" : "☆");
	h_close(&r->h);
}

/* As in lists of tasks: a picture, which cannot be changed. */
static void
cell_checkbox(struct render *r, const cJSON *value)
{
	bool on = cJSON_IsTrue(value);

	h_el(&r->h, "span", "role", "img", "class", "box", "aria-label", say(r, on ? TEXT_YES : TEXT_NO), NULL);
	h_text(&r->h, on ? "✓" : "");
	h_close(&r->h);
}

static void
cell_link(struct render *r, const cJSON *ref)
{
	struct render_link to;

	if (!render_target(r, ref, &to)) {
		h_leaf(&r->h, "span", "broken", to.title != NULL ? to.title : say(r, TEXT_BROKEN));
		return;
	}
	h_open(&r->h, "a");
	h_url(&r->h, "href", to.href);
	h_text(&r->h, to.title != NULL && *to.title != '\0' ? to.title : to.href);
	h_close(&r->h);
}

/* Files and users are ids in a list: the reference that means one. */
static void
cell_ids(struct render *r, const char *kind, const cJSON *list)
{
	const cJSON *id;
	cJSON *ref;

	cJSON_ArrayForEach(id, list) {
		if (!cJSON_IsString(id))
			continue;
		ref = cJSON_CreateObject();
		cJSON_AddStringToObject(ref, "kind", kind);
		cJSON_AddStringToObject(ref, kind, id->valuestring);
		h_open(&r->h, "div");
		cell_link(r, ref);
		h_close(&r->h);
	}
}

/* Options by their labels; a value that is no option stands for itself. */
static void
cell_select(struct render *r, const cJSON *column, const cJSON *list)
{
	const cJSON *value, *o;

	cJSON_ArrayForEach(value, list) {
		const char *label = cJSON_IsString(value) ? value->valuestring : "";
		cJSON_ArrayForEach(o, member(column, "options"))
			if (same_text(member_text(o, "value"), label) && member_text(o, "label") != NULL) {
				label = member_text(o, "label");
				break;
			}
		h_leaf(&r->h, "span", "tag", label);
		h_text(&r->h, " ");
	}
}

/* Documents hold the reference itself, or an object with it and a text. */
static void
cell_image(struct render *r, const cJSON *value)
{
	const cJSON *ref = member(value, "ref") != NULL ? member(value, "ref") : value;

	render_image(r, ref, NULL, member_text(value, "alt"), NULL);
}

/* A value of another type than its column says is taken for text, and so mostly shows nothing. */
static void
render_cell(struct render *r, const struct table *t, const cJSON *column, const cJSON *value)
{
	const char *type = node_type(column);

	if (value == NULL)
		return;
	if (strcmp(type, "number") == 0 && cJSON_IsNumber(value))
		/* Fifteen digits are what a double holds of any decimal number. */
		h_text(&r->h, arena_printf(r->arena, "%.15g", value->valuedouble));
	else if (strcmp(type, "rating") == 0 && cJSON_IsNumber(value))
		cell_rating(r, column, value);
	else if (strcmp(type, "checkbox") == 0)
		cell_checkbox(r, value);
	else if (strcmp(type, "files") == 0)
		cell_ids(r, "file", value);
	else if (strcmp(type, "users") == 0)
		cell_ids(r, "user", value);
	else if (strcmp(type, "select") == 0)
		cell_select(r, column, value);
	else if (strcmp(type, "content-ref") == 0)
		cell_link(r, value);
	else if (strcmp(type, "image") == 0)
		cell_image(r, value);
	else
		cell_text(r, t, value);
}

/* ---- the grid ---- */

/* Numbers stand to the right, so that their digits stand below each other. */
static const char *
cell_class(const cJSON *column)
{
	const char *align = member_text(column, "textAlignment");

	if (strcmp(node_type(column), "number") == 0 || same_text(align, "right"))
		return "end";
	return same_text(align, "center") ? "center" : NULL;
}

/* Where in the list of the view a column stands; -1: nowhere. */
static int
column_at(const struct table *t, const char *id)
{
	const cJSON *one;
	int i = 0;

	cJSON_ArrayForEach(one, t->columns) {
		if (cJSON_IsString(one) && same_text(one->valuestring, id))
			return i;
		i++;
	}
	return -1;
}

/* Which cells a merged area covers; the one that it begins with is not marked. */
static unsigned char *
covered_cells(struct render *r, const struct table *t, size_t width)
{
	/* Zeroed: no cell is covered. One byte more, so that an empty table has one as well. */
	unsigned char *covered = arena_alloc(r->arena, t->record_count * width + 1);
	const cJSON *m;

	cJSON_ArrayForEach(m, member(t->data, "cellMerges")) {
		const cJSON *anchor = member(m, "anchor");
		const char *record = member_text(anchor, "record"), *column = member_text(anchor, "column");
		int c = column == NULL ? -1 : column_at(t, column), rows = (int)member_number(m, "rowSpan", 1);
		int cols = (int)member_number(m, "colSpan", 1);
		/*
		 * The area goes on from its first record in the order in which records are
		 * shown, and ends with the table.
		 */
		for (size_t i = 0; c >= 0 && record != NULL && i < t->record_count; i++) {
			if (!same_text(t->records[i]->string, record))
				continue;
			for (int y = 0; y < rows && i + (size_t)y < t->record_count; y++)
				for (int x = 0; x < cols && (size_t)(c + x) < width; x++)
					if (x != 0 || y != 0)
						covered[(i + (size_t)y) * width + (size_t)(c + x)] = 1;
		}
	}
	return covered;
}

/* rowspan and colspan of the cell that begins a merged area. */
static void
write_spans(struct render *r, const struct table *t, const cJSON *record, const char *column)
{
	const cJSON *m;

	cJSON_ArrayForEach(m, member(t->data, "cellMerges")) {
		int rows = (int)member_number(m, "rowSpan", 1), cols = (int)member_number(m, "colSpan", 1);
		if (!same_text(member_text(member(m, "anchor"), "record"), record->string) ||
		    !same_text(member_text(member(m, "anchor"), "column"), column))
			continue;
		if (rows > 1)
			h_attr(&r->h, "rowspan", arena_printf(r->arena, "%d", rows));
		if (cols > 1)
			h_attr(&r->h, "colspan", arena_printf(r->arena, "%d", cols));
		return;
	}
}

static void
grid_row(struct render *r, const struct table *t, const cJSON *record, const unsigned char *covered)
{
	const cJSON *id;
	size_t i = 0;

	h_open(&r->h, "tr");
	cJSON_ArrayForEach(id, t->columns) {
		const cJSON *column = column_of(t, id);
		/* A cell below a merged area has no element of its own (WHATWG HTML, section 4.9.12). */
		if (column == NULL || covered[i++])
			continue;
		h_el(&r->h, "td", "class", cell_class(column), NULL);
		write_spans(r, t, record, id->valuestring);
		render_cell(r, t, column, member(member(record, "values"), id->valuestring));
		h_close(&r->h);
	}
	h_close(&r->h);
}

/* Named columns alone are headings for assistive software (scope). */
static void
grid_head(struct render *r, const struct table *t)
{
	const cJSON *id;

	h_open(&r->h, "thead");
	h_open(&r->h, "tr");
	cJSON_ArrayForEach(id, t->columns) {
		const cJSON *column = column_of(t, id);
		const char *title = member_text(column, "title");
		bool named = title != NULL && *title != '\0';
		if (column == NULL)
			continue;
		/* A heading without words heads nothing. */
		h_el(&r->h, named ? "th" : "td", "scope", named ? "col" : NULL, "class", cell_class(column), NULL);
		if (named)
			h_text(&r->h, title);
		h_close(&r->h);
	}
	h_close(&r->h);
	h_close(&r->h);
}

static void
render_grid(struct render *r, const struct table *t)
{
	size_t width = (size_t)cJSON_GetArraySize(t->columns), i;
	unsigned char *covered;

	if (width == 0 || width > COLUMNS_MAX)
		return;
	covered = covered_cells(r, t, width);
	h_el(&r->h, "div", "class", member_flag(t->data, "fullWidth") ? "table wide" : "table",
	    "role", "group", "tabindex", "0", "aria-label", say(r, TEXT_TABLE), NULL);
	h_el(&r->h, "table", "class", member_flag(t->view, "stickyFirstColumn") ? "sticky" : NULL, NULL);
	if (!member_flag(t->view, "hideHeader"))
		grid_head(r, t);
	h_open(&r->h, "tbody");
	/* covered has a row for each record, in the order in which they are shown. */
	for (i = 0; i < t->record_count; i++)
		grid_row(r, t, t->records[i], covered + i * width);
	/* tbody, table and the box around it. */
	h_close_to(&r->h, r->h.depth - 3);
}

/* ---- cards ---- */

/* The value of the column that the view gives a part ("targetDefinition"). */
static const cJSON *
card_part(const struct table *t, const cJSON *record, const char *part)
{
	const char *id = member_text(t->view, part);

	return id != NULL ? member(member(record, "values"), id) : NULL;
}

static const cJSON *
image_ref(const cJSON *value)
{
	/* Older documents hold a list of file ids instead of a reference. */
	if (cJSON_IsArray(value) && cJSON_IsString(value->child)) {
		cJSON *ref = cJSON_CreateObject();
		cJSON_AddStringToObject(ref, "kind", "file");
		cJSON_AddStringToObject(ref, "file", value->child->valuestring);
		return ref;
	}
	return member(value, "ref") != NULL ? member(value, "ref") : value;
}

/* What the link of a card is called: the text of its first cell that has some. */
static const char *
card_name(struct render *r, const struct table *t, const cJSON *record, const struct render_link *to)
{
	const cJSON *id, *value;
	const char *text;

	cJSON_ArrayForEach(id, t->columns) {
		value = cJSON_IsString(id) ? member(member(record, "values"), id->valuestring) : NULL;
		text = render_plain(r->arena, fragment_of(t, value));
		if (*text != '\0')
			return text;
	}
	return to->title != NULL && *to->title != '\0' ? to->title : to->href;
}

/* The columns of the view, one below the other. Titles are shown only where the view says so. */
static void
card_cells(struct render *r, const struct table *t, const cJSON *record)
{
	bool titles = cJSON_IsFalse(member(t->view, "hideColumnTitle"));
	const cJSON *id, *value, *column;

	cJSON_ArrayForEach(id, t->columns) {
		column = column_of(t, id);
		value = column != NULL ? member(member(record, "values"), id->valuestring) : NULL;
		if (value == NULL)
			continue;
		h_open(&r->h, "div");
		if (titles && member_text(column, "title") != NULL && *member_text(column, "title") != '\0') {
			h_leaf(&r->h, "span", "name", member_text(column, "title"));
			h_text(&r->h, " ");
		}
		render_cell(r, t, column, value);
		h_close(&r->h);
	}
}

/* A card: its cover, its cells, and a link over all of it. */
static void
one_card(struct render *r, const struct table *t, const cJSON *record)
{
	const cJSON *cover = card_part(t, record, "coverDefinition");
	const cJSON *dark = card_part(t, record, "coverDefinitionDark");
	struct render_link to;

	h_open(&r->h, "li");
	/* The cover stands first in the card, and outside of the link: it has a text of its own. */
	if (cover != NULL)
		render_image(r, image_ref(cover), dark != NULL ? image_ref(dark) : NULL,
		    member_text(cover, "alt"), NULL);
	h_el(&r->h, "div", "class", "cells", NULL);
	card_cells(r, t, record);
	h_close(&r->h);
	if (render_target(r, card_part(t, record, "targetDefinition"), &to)) {
		h_open(&r->h, "a");
		h_attr(&r->h, "class", "over");
		h_url(&r->h, "href", to.href);
		/* The link lies over the whole card and has no text of its own. */
		h_attr(&r->h, "aria-label", card_name(r, t, record, &to));
		h_close(&r->h);
	}
	h_close(&r->h);
}

void
render_table(struct render *r, const cJSON *node)
{
	struct table t;
	size_t i;

	read_table(r, node, &t);
	if (!t.cards) {
		render_grid(r, &t);
		return;
	}
	h_el(&r->h, "ul", "class", same_text(member_text(t.view, "cardSize"), "large") ? "cards large" : "cards", NULL);
	for (i = 0; i < t.record_count; i++)
		one_card(r, &t, t.records[i]);
	h_close(&r->h);
}
