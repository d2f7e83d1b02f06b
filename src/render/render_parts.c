/*
 * Blocks that hold blocks: tabs, what expands, steps, columns, updates. All of them work
 * without script.
 */
#include <stdlib.h>

#include "base/json.h"
#include "render_parts.h"

static const char *
title_or(struct render *r, const cJSON *node)
{
	const char *title = member_text(data_of(node), "title");

	return title != NULL && *title != '\0' ? title : say(r, TEXT_UNTITLED);
}

/*
 * A radio button, its label and its panel, one after the other: a style sheet shows the
 * panel of the button that is set. On paper, and without styles, all panels are there,
 * each below its label.
 */
void
render_tabs(struct render *r, const cJSON *node)
{
	const char *name = render_id(r, "tabs");
	const cJSON *item;
	int i = 0, level = r->level;

	h_el(&r->h, "div", "class", member_flag(data_of(node), "fullWidth") ? "tabs wide" : "tabs",
	    "role", "radiogroup", "aria-label", say(r, TEXT_TABS), NULL);
	cJSON_ArrayForEach(item, member(node, "nodes")) {
		/* Links lead to tabs by their anchors, which the button bears: a browser scrolls to it. */
		const char *id = node_anchor(item) != NULL ? node_anchor(item) : arena_printf(r->arena, "%s-%d", name, i);
		h_one(&r->h, "input", "type", "radio", "name", name, "id", id, NULL);
		if (i++ == 0)
			h_flag(&r->h, "checked");
		h_el(&r->h, "label", "for", id, NULL);
		h_text(&r->h, title_or(r, item));
		h_close(&r->h);
		h_el(&r->h, "div", "class", "panel", NULL);
		/*
		 * Tabs stand beside each other: each begins at the level of the heading above
		 * all of them.
		 */
		r->level = level;
		render_blocks(r, member(item, "nodes"));
		h_close(&r->h);
	}
	h_close(&r->h);
}

/* The title is a paragraph in its fragment; its inlines go into <summary>, which takes no blocks. */
void
render_expandable(struct render *r, const cJSON *node)
{
	const cJSON *title = node_fragment(node, "expandable-title"), *first = member(title, "nodes");

	first = first != NULL ? first->child : NULL;
	h_el(&r->h, "details", "id", node_anchor(node), NULL);
	if (member_flag(data_of(node), "defaultExpanded"))
		h_flag(&r->h, "open");
	h_open(&r->h, "summary");
	render_inlines(r, member(first, "nodes"));
	h_close(&r->h);
	h_open(&r->h, "div");
	render_blocks(r, member(node_fragment(node, "expandable-body"), "nodes"));
	h_close(&r->h);
	h_close(&r->h);
}

/* An ordered list: its numbers are those of the steps. */
void
render_stepper(struct render *r, const cJSON *node)
{
	const cJSON *step;

	h_el(&r->h, "ol", "class", "steps", NULL);
	cJSON_ArrayForEach(step, member(node, "nodes")) {
		h_open(&r->h, "li");
		render_blocks(r, member(step, "nodes"));
		h_close(&r->h);
	}
	h_close(&r->h);
}

/* The width of a column as a class in twelfths: a strict policy allows no style of its own. */
static const char *
width_class(struct render *r, const cJSON *column)
{
	const char *width = member_text(data_of(column), "width");
	double n = width != NULL ? strtod(width, NULL) : member_number(data_of(column), "width", 0);
	int part;

	/* Widths come as fractions or as percent. */
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

	h_el(&r->h, "div", "class", member_flag(data_of(node), "fullWidth") ? "cols wide" : "cols", NULL);
	cJSON_ArrayForEach(column, member(node, "nodes")) {
		const char *at = member_text(data_of(column), "verticalAlignment");
		h_el(&r->h, "div", "class", arena_printf(r->arena, "col%s%s", width_class(r, column),
		    same_text(at, "middle") ? " middle" : same_text(at, "bottom") ? " bottom" : ""), NULL);
		render_blocks(r, member(column, "nodes"));
		h_close(&r->h);
	}
	h_close(&r->h);
}

/* The day of an update; numeric, short and full differ in what a language does with them: here all are ISO 8601. */
static void
update_date(struct render *r, const char *date)
{
	int64_t ms;
	char day[11];

	if (date == NULL)
		return;
	/*
	 * The attribute has to be a date of HTML (section 4.5.14), the text may be anything that
	 * the author wrote.
	 */
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
	cJSON_ArrayForEach(update, member(node, "nodes")) {
		h_el(&r->h, "div", "class", "update", "id", node_anchor(update), NULL);
		h_el(&r->h, "div", "class", "when", NULL);
		update_date(r, member_text(data_of(update), "date"));
		cJSON_ArrayForEach(tag, member(data_of(update), "tags"))
			if (member_text(tag, "tag") != NULL)
				h_leaf(&r->h, "span", "tag", member_text(tag, "tag"));
		h_close(&r->h);
		h_open(&r->h, "div");
		render_blocks(r, member(update, "nodes"));
		h_close(&r->h);
		h_close(&r->h);
	}
	h_close(&r->h);
}
