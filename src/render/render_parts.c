/*
 * Blocks that contain blocks: tabs, expandables, steps, columns, updates. All of them work without
 * script.
 */
#include <stdlib.h>

#include "base/json.h"
#include "render_parts.h"

static const char *
title_or(struct render *r, const cJSON *node)
{
	const char *title = json_text_of(data_of(node), "title");

	return title != NULL && *title != '\0' ? title : say(r, TEXT_UNTITLED);
}

/*
 * Writes a radio button, its label and its panel in turn: the style sheet shows the panel of the
 * checked button. In print, and without styles, all panels are shown below their labels.
 */
void
render_tabs(struct render *r, const cJSON *node)
{
	const char *name = render_id(r, "tabs");
	const cJSON *item;
	int i = 0, level = r->level;

	h_el(&r->h, "div", "class", json_flag_of(data_of(node), "fullWidth") ? "tabs wide" : "tabs",
	    "role", "radiogroup", "aria-label", say(r, TEXT_TABS), NULL);
	cJSON_ArrayForEach(item, json_member(node, "nodes")) {
		/* The button has the tab's anchor, so that a browser scrolls to it. */
		const char *id = node_anchor(item) != NULL ? node_anchor(item) : arena_printf(r->arena, "%s-%d", name, i);
		h_one(&r->h, "input", "type", "radio", "name", name, "id", id, NULL);
		if (i++ == 0)
			h_flag(&r->h, "checked");
		h_el(&r->h, "label", "for", id, NULL);
		h_text(&r->h, title_or(r, item));
		h_close(&r->h);
		h_el(&r->h, "div", "class", "panel", NULL);
		/* Tabs are alternatives: each begins at the heading level above them. */
		r->level = level;
		render_blocks(r, json_member(item, "nodes"));
		h_close(&r->h);
	}
	h_close(&r->h);
}

/* The title is a paragraph in a fragment; only its inlines may go into <summary>. */
void
render_expandable(struct render *r, const cJSON *node)
{
	const cJSON *title = node_fragment(node, "expandable-title"), *first = json_member(title, "nodes");

	first = first != NULL ? first->child : NULL;
	h_el(&r->h, "details", "id", node_anchor(node), NULL);
	if (json_flag_of(data_of(node), "defaultExpanded"))
		h_flag(&r->h, "open");
	h_open(&r->h, "summary");
	render_inlines(r, json_member(first, "nodes"));
	h_close(&r->h);
	h_open(&r->h, "div");
	render_blocks(r, json_member(node_fragment(node, "expandable-body"), "nodes"));
	h_close(&r->h);
	h_close(&r->h);
}

/* An ordered list numbers the steps. */
void
render_stepper(struct render *r, const cJSON *node)
{
	const cJSON *step;

	h_el(&r->h, "ol", "class", "steps", NULL);
	cJSON_ArrayForEach(step, json_member(node, "nodes")) {
		h_open(&r->h, "li");
		render_blocks(r, json_member(step, "nodes"));
		h_close(&r->h);
	}
	h_close(&r->h);
}

/* Column width as a class in twelfths: the strict policy allows no inline styles. */
static const char *
width_class(struct render *r, const cJSON *column)
{
	const char *width = json_text_of(data_of(column), "width");
	double n = width != NULL ? strtod(width, NULL) : json_number_of(data_of(column), "width", 0);
	int part;

	/* Widths are fractions or percentages. */
	if (n > 0 && n <= 1)
		n *= 100;
	part = (int)(n * 12 / 100 + 0.5);
	/* Without a class a column takes an equal share. */
	return part >= 1 && part <= 11 ? arena_printf(r->arena, " w%d", part) : "";
}

void
render_columns(struct render *r, const cJSON *node)
{
	const cJSON *column;

	h_el(&r->h, "div", "class", json_flag_of(data_of(node), "fullWidth") ? "cols wide" : "cols", NULL);
	cJSON_ArrayForEach(column, json_member(node, "nodes")) {
		const char *at = json_text_of(data_of(column), "verticalAlignment");
		h_el(&r->h, "div", "class", arena_printf(r->arena, "col%s%s", width_class(r, column),
		    same_text(at, "middle") ? " middle" : same_text(at, "bottom") ? " bottom" : ""), NULL);
		render_blocks(r, json_member(column, "nodes"));
		h_close(&r->h);
	}
	h_close(&r->h);
}

/*
 * Write the day of an update. The formats numeric, short and full depend on the language; here all
 * are ISO 8601.
 */
static void
update_date(struct render *r, const char *date)
{
	int64_t ms;
	char day[11];

	if (date == NULL)
		return;
	/* The attribute must be a valid HTML date (section 4.5.14); the text is the author's. */
	h_el(&r->h, "time", "datetime", time_parse(date, &ms) || strlen(date) == 10 ? date : NULL, NULL);
	/* The first ten characters are the day. */
	if (strlen(date) >= 10) {
		memcpy(day, date, 10);
		day[10] = '\0';
		date = day;
	}
	h_text(&r->h, date);
	h_close(&r->h);
}

void
render_updates(struct render *r, const cJSON *node)
{
	const cJSON *update, *tag;

	r->r->updates = true;
	h_el(&r->h, "div", "class", "updates", NULL);
	cJSON_ArrayForEach(update, json_member(node, "nodes")) {
		h_el(&r->h, "div", "class", "update", "id", node_anchor(update), NULL);
		h_el(&r->h, "div", "class", "when", NULL);
		update_date(r, json_text_of(data_of(update), "date"));
		cJSON_ArrayForEach(tag, json_member(data_of(update), "tags"))
			if (json_text_of(tag, "tag") != NULL)
				h_leaf(&r->h, "span", "tag", json_text_of(tag, "tag"));
		h_close(&r->h);
		h_open(&r->h, "div");
		render_blocks(r, json_member(update, "nodes"));
		h_close(&r->h);
		h_close(&r->h);
	}
	h_close(&r->h);
}
