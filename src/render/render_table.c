/* Tables, as a grid or as cards. Cells are rendered by the type of their column. */
#include "render/table.h"
#include "render_parts.h"

/* Wider tables are not shown. */
enum { COLUMNS_MAX = 500 };

/* ---- cells ---- */

static void
cell_text(struct render *r, const struct table *t, const cJSON *value)
{
	const cJSON *f = table_fragment(t, value);
	const cJSON *list = json_member(f, "nodes"), *first = list != NULL ? list->child : NULL;

	/* A single paragraph needs no element in a cell. */
	if (first != NULL && first->next == NULL && strcmp(node_type(first), "paragraph") == 0)
		render_inlines(r, json_member(first, "nodes"));
	else
		render_blocks(r, list);
}

/* Stars, with "3 of 5" for screen readers. */
static void
cell_rating(struct render *r, const struct table_column *column, const cJSON *value)
{
	int max = (int)json_number_of(column->definition, "max", 5), n = (int)value->valuedouble;

	/* More than ten stars cannot be distinguished. */
	max = max < 1 || max > 10 ? 5 : max;
	h_el(&r->h, "span", "role", "img", "class", "stars", "aria-label",
	    arena_printf(r->arena, "%d %s %d", n, say(r, TEXT_OF), max), NULL);
	for (int i = 0; i < max; i++)
		h_text(&r->h, i < n ? "★" : "☆");
	h_close(&r->h);
}

/* A picture, as in task lists: readers cannot change it. */
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

/* Files and users are lists of ids: make a reference for each. */
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

/* Write options by their labels. */
static void
cell_select(struct render *r, const struct table_column *column, const cJSON *list)
{
	const cJSON *value;

	cJSON_ArrayForEach(value, list) {
		h_leaf(&r->h, "span", "tag", table_option(column, cJSON_IsString(value) ? value->valuestring : ""));
		h_text(&r->h, " ");
	}
}

/* Writes a picture in a cell or a card, at most as wide as the style sheet shows it there. */
static void
small_image(struct render *r, const cJSON *value, const cJSON *dark)
{
	r->sizes = "(max-width: 40rem) 100vw, 24rem";
	render_image(r, table_image(value), table_image(dark), json_text_of(value, "alt"), NULL);
	r->sizes = NULL;
}

static void
cell_image(struct render *r, const cJSON *value)
{
	small_image(r, value, NULL);
}

/* A value of another type than its column's is treated as text, and so mostly shows nothing. */
static void
render_cell(struct render *r, const struct table *t, const struct table_column *column, const cJSON *value)
{
	const char *type = column->type;

	if (value == NULL)
		return;
	if (strcmp(type, "number") == 0 && cJSON_IsNumber(value))
		/* A double holds fifteen decimal digits exactly. */
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

/*
 * Classes of a cell: alignment, and the width of the column for a cell of the first row, in steps of
 * 25 pixels (site.css), since the strict policy allows no inline styles.
 */
static const char *
cell_class(struct render *r, const struct table_column *c, bool first)
{
	const char *align = c->align == TABLE_END ? "end" : c->align == TABLE_CENTER ? "center" : NULL;
	int step = !first || c->width < 1 ? 0 : c->width > 1000 ? 40 : (int)(c->width / 25 + 0.5);

	/* The style sheet has the classes x2 to x40. */
	if (step < 2)
		return align;
	return arena_printf(r->arena, "x%d%s%s", step, align != NULL ? " " : "", align != NULL ? align : "");
}

static void
write_span(struct render *r, const char *name, size_t n)
{
	if (n > 1)
		h_attr(&r->h, name, arena_printf(r->arena, "%zu", n));
}

static void
grid_row(struct render *r, const struct table *t, size_t record)
{
	const char *compared = json_text_of(t->records[record], "compared");
	struct table_span span;
	size_t i;

	h_el(&r->h, "tr", "class", compared, NULL);
	for (i = 0; i < t->column_count; i++) {
		span = table_span(t, record, i);
		/* A covered cell has no element (WHATWG HTML, section 4.9.12). */
		if (span.rows == 0)
			continue;
		h_el(&r->h, "td", "class", cell_class(r, &t->columns[i], record == 0 && !t->head), NULL);
		write_span(r, "rowspan", span.rows);
		write_span(r, "colspan", span.columns);
		render_cell(r, t, &t->columns[i], table_value(t, record, &t->columns[i]));
		h_close(&r->h);
	}
	h_close(&r->h);
}

/* Only titled columns are headings for screen readers (scope). */
static void
grid_head(struct render *r, const struct table *t)
{
	const struct table_column *c;

	h_open(&r->h, "thead");
	h_open(&r->h, "tr");
	for (c = t->columns; c < t->columns + t->column_count; c++) {
		bool named = *c->title != '\0' || c->marked != NULL;
		/* An empty title must not be a heading. */
		h_el(&r->h, named ? "th" : "td", "scope", named ? "col" : NULL, "class", cell_class(r, c, true), NULL);
		if (c->marked != NULL)
			render_inlines(r, c->marked);
		else if (named)
			h_text(&r->h, c->title);
		h_close(&r->h);
	}
	h_close(&r->h);
	h_close(&r->h);
}

static void
render_grid(struct render *r, const struct table *t)
{
	size_t i;

	if (t->column_count == 0 || t->column_count > COLUMNS_MAX)
		return;
	h_el(&r->h, "div", "class", json_flag_of(t->data, "fullWidth") ? "table wide" : "table",
	    "role", "group", "tabindex", "0", "aria-label", say(r, TEXT_TABLE), NULL);
	h_el(&r->h, "table", "class", json_flag_of(t->view, "stickyFirstColumn") ? "sticky" : NULL, NULL);
	if (t->head)
		grid_head(r, t);
	h_open(&r->h, "tbody");
	for (i = 0; i < t->record_count; i++)
		grid_row(r, t, i);
	/* Closes tbody, table and the box around it. */
	h_close_to(&r->h, r->h.depth - 3);
}

/* ---- cards ---- */

/* Label of a card's link: the text of its first cell with text. */
static const char *
card_name(struct render *r, const struct table *t, size_t record, const struct render_link *to)
{
	const char *text;
	size_t i;

	for (i = 0; i < t->column_count; i++) {
		text = render_plain(r->arena, table_fragment(t, table_value(t, record, &t->columns[i])));
		if (*text != '\0')
			return text;
	}
	return to->title != NULL && *to->title != '\0' ? to->title : to->href;
}

/* Write the view's columns one below the other; titles only if the view shows them. */
static void
card_cells(struct render *r, const struct table *t, size_t record)
{
	bool titles = cJSON_IsFalse(json_member(t->view, "hideColumnTitle"));
	const struct table_column *c;
	const cJSON *value;

	for (c = t->columns; c < t->columns + t->column_count; c++) {
		if ((value = table_value(t, record, c)) == NULL)
			continue;
		h_open(&r->h, "div");
		if (titles && *c->title != '\0') {
			h_leaf(&r->h, "span", "name", c->title);
			h_text(&r->h, " ");
		}
		render_cell(r, t, c, value);
		h_close(&r->h);
	}
}

/* Write a card: cover, cells, and a link over all of it. */
static void
one_card(struct render *r, const struct table *t, size_t record)
{
	const cJSON *cover = table_card_part(t, record, "coverDefinition");
	const cJSON *dark = table_card_part(t, record, "coverDefinitionDark");
	struct render_link to;

	h_open(&r->h, "li");
	/* The cover comes first, and outside of the link: it has its own text. */
	if (cover != NULL)
		small_image(r, cover, dark);
	h_el(&r->h, "div", "class", "cells", NULL);
	card_cells(r, t, record);
	h_close(&r->h);
	if (render_target(r, table_card_part(t, record, "targetDefinition"), &to)) {
		h_open(&r->h, "a");
		h_attr(&r->h, "class", "over");
		h_url(&r->h, "href", to.href);
		/* The link covers the card and has no text of its own. */
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

	table_read(&t, r->arena, node);
	if (!t.cards) {
		render_grid(r, &t);
		return;
	}
	h_el(&r->h, "ul", "class", t.large ? "cards large" : "cards", NULL);
	for (i = 0; i < t.record_count; i++)
		one_card(r, &t, i);
	h_close(&r->h);
}
