/* Lays out the blocks of a document as strips. A table maps each block type to one function. */
#include <cjson/cJSON.h>
#include <string.h>

#include "card.h"
#include "code.h"

/* Bounds the recursion of nested blocks before the stack overflows. */
enum { NESTING_MAX = 60 };

/* The three type styles that most blocks use. Sizes are points before the flow's scale. */
static const struct type body = { .size = BODY_SIZE, .color = INK };
static const struct type small = { .size = SMALL_SIZE, .color = MUTED };
static const struct type strong = { .size = BODY_SIZE, .bold = true, .color = INK };

/* ---- reading JSON ---- */

/* The settings of a block are in its "data" (docs/design/documents.md, "Data of blocks"). */
static const cJSON *
get_data(const cJSON *node)
{
	return json_member(node, "data");
}

/* The block's own alignment, otherwise that of its table column. */
static PangoAlignment
text_align(const struct flow *f, const cJSON *node)
{
	const char *align = json_text_of(get_data(node), "align");

	if (align == NULL)
		return f->align;
	return strcmp(align, "center") == 0 ? PANGO_ALIGN_CENTER :
	    strcmp(align, "end") == 0 || strcmp(align, "right") == 0 ? PANGO_ALIGN_RIGHT : PANGO_ALIGN_LEFT;
}

/* Adds the block's anchor as a link destination. */
static void
add_block_dest(struct flow *f, const cJSON *node)
{
	const char *anchor = json_text_of(json_member(node, "meta"), "id");
	struct place *at;

	/* Anchors belong to pages: descriptions on the cover or in the contents have none. */
	if (anchor == NULL || f->paper->page == NULL)
		return;
	/* The flow keeps the destination until flow_strip() assigns it to the next strip. */
	at = arena_alloc(f->paper->scratch, sizeof(*at));
	*at = (struct place){ f->dests, paper_dest(f->paper, f->paper->page->id, anchor) };
	f->dests = at;
}

/* ---- text ---- */

/* An empty paragraph still makes a line: authors use it as vertical space. */
static void
block_paragraph(struct flow *f, const cJSON *node)
{
	struct type t = body;
	struct writer *w;

	t.align = text_align(f, node);
	flow_gap(f, 6 * f->scale);
	w = writer_new(f, &t);
	writer_nodes(w, json_member(node, "nodes"));
	writer_flow(w, "P", false);
}

/* Headings are collected in the first pass, when destinations have no sheets yet. */
static void
note_heading(struct flow *f, const cJSON *node, int level)
{
	struct paper *p = f->paper;
	struct heading *h;

	if (p->last_heading == NULL || f->dests == NULL || !f->sheets)
		return;
	/* Bookmarks are written after the last page, so they must not be in the scratch arena. */
	h = arena_alloc(p->arena, sizeof(*h));
	*h = (struct heading){ .title = inline_text(p->arena, json_member(node, "nodes")), .level = level,
		.dest = f->dests->dest };
	if (*h->title == '\0')
		return;
	*p->last_heading = h;
	p->last_heading = &h->next;
}

static void
add_heading(struct flow *f, const cJSON *node, int level)
{
	/* The appearance of headings by level, from 1. The page's title is H1, so headings begin with H2. */
	static const struct { double size, gap; const char *tag; } levels[] = {
		[1] = { 15.5, 20, "H2" }, [2] = { 12.5, 15, "H3" }, [3] = { 10.8, 12, "H4" } };
	struct type t = { .size = levels[level].size, .bold = true, .color = INK, .align = text_align(f, node) };
	struct writer *w;

	flow_gap(f, levels[level].gap * f->scale);
	note_heading(f, node, level);
	w = writer_new(f, &t);
	writer_nodes(w, json_member(node, "nodes"));
	/* A heading stays on the sheet of the block after it. */
	writer_flow(w, levels[level].tag, true);
	flow_gap(f, 5 * f->scale);
}

static void
block_heading_1(struct flow *f, const cJSON *node)
{
	add_heading(f, node, 1);
}

static void
block_heading_2(struct flow *f, const cJSON *node)
{
	add_heading(f, node, 2);
}

static void
block_heading_3(struct flow *f, const cJSON *node)
{
	add_heading(f, node, 3);
}

/*
 * Draws the line in the middle of its box. Boxes are drawn in the second pass only, so p->cr is not
 * NULL.
 */
static void
draw_rule(struct paper *p, void *data, double x, double y, double w, double h)
{
	(void)data;
	set_color(p, FAINT);
	cairo_rectangle(p->cr, x, y + h / 2, w, 0.8);
	cairo_fill(p->cr);
}

static void
block_divider(struct flow *f, const cJSON *node)
{
	(void)node;
	flow_gap(f, 10);
	flow_box(f, 2, draw_rule, NULL);
	flow_gap(f, 10);
}

/* ---- lists ---- */

/* Draws the bullet of a list item. middle: y of the middle of a small letter, as draw_marker() computes it. */
static void
draw_bullet(struct paper *p, void *data, double x, double middle)
{
	const struct flow *f = data;

	set_color(p, MUTED);
	cairo_new_path(p->cr);
	cairo_arc(p->cr, x + 9, middle, 1.7 * f->scale, 0, 6.2832);
	cairo_fill(p->cr);
}

/* Draws the checkbox of a task. data: not NULL means checked; it is not dereferenced. */
static void
draw_checkbox(struct paper *p, void *data, double x, double middle)
{
	bool checked = data != NULL;

	round_rect(p->cr, x + 4, middle - 4.2, 8.4, 8.4, 1.5);
	set_color(p, checked ? ACCENT : FAINT);
	cairo_set_line_width(p->cr, 0.9);
	if (checked)
		cairo_fill(p->cr);
	else
		cairo_stroke(p->cr);
	if (!checked)
		return;
	set_color(p, WHITE);
	cairo_set_line_width(p->cr, 1.2);
	cairo_move_to(p->cr, x + 5.8, middle);
	cairo_line_to(p->cr, x + 7.6, middle + 2);
	cairo_line_to(p->cr, x + 10.8, middle - 2);
	cairo_stroke(p->cr);
}

/*
 * A text marker, right-aligned in w points. strips_drop() frees its layout with the strip that
 * takes the marker.
 */
struct marker *
marker_text(struct flow *f, const char *text, double w, double size)
{
	struct marker *m = arena_alloc(f->paper->scratch, sizeof(*m));
	struct writer *t = writer_new(f, &(struct type){ .size = size, .color = MUTED });

	writer_text(t, text);
	*m = (struct marker){ .text = writer_end(t, -1), .x = f->x, .w = w };
	return m;
}

/*
 * A marker that `draw` draws when its sheet is complete: data must live as long as the scratch
 * arena.
 */
static struct marker *
marker_drawn(struct flow *f, void (*draw)(struct paper *, void *, double, double), void *data)
{
	struct marker *m = arena_alloc(f->paper->scratch, sizeof(*m));

	*m = (struct marker){ .x = f->x, .draw = draw, .data = data };
	return m;
}

enum list_kind { LIST_DOTS, LIST_NUMBERS, LIST_TASKS };

static void
list_item(struct flow *f, const cJSON *item, enum list_kind kind, int number, double indent)
{
	/*
	 * The bullet is drawn when the sheet is complete. f may be the flow of a table cell on the
	 * stack, which is gone by then; draw_bullet() needs its scale, so pass a copy.
	 */
	struct flow *at = arena_alloc(f->paper->scratch, sizeof(*at));
	struct frame keep;

	*at = *f;
	add_block_dest(f, item);
	/* Without padding: the gaps of the list alone separate its items. */
	flow_open(f, &keep, indent, 0, "LI");
	/* flow_open() has indented the flow: the marker is placed left of that. */
	f->x -= indent;
	if (kind == LIST_NUMBERS)
		f->marker = marker_text(f, arena_printf(f->paper->scratch, "%d.", number), indent - 5, BODY_SIZE);
	/* draw_checkbox() only tests whether data is NULL, so any address will do. */
	else if (kind == LIST_TASKS)
		f->marker = marker_drawn(f, draw_checkbox, json_flag_of(get_data(item), "checked") ? f : NULL);
	else
		f->marker = marker_drawn(f, draw_bullet, at);
	f->x += indent;
	/*
	 * Tagged PDF requires LI and LBody around the content of a list item (ISO 32000-1,
	 * 14.8.4.3.3).
	 */
	f->tag = tag_make(f, "LBody");
	blocks(f, json_member(item, "nodes"));
	/* If the item has no blocks, its marker is unused: the next block must not get it. */
	f->marker = NULL;
	flow_close(f, &keep);
}

static void
add_list(struct flow *f, const cJSON *node, enum list_kind kind)
{
	int number = (int)json_number_of(get_data(node), "start", 1), count = cJSON_GetArraySize(json_member(node, "nodes"));
	double indent = 18;
	struct tag *outer = f->tag;
	const cJSON *item;

	/* Wider numbers need a wider indent, the same for all items of a list. */
	if (kind == LIST_NUMBERS && number + count > 100)
		indent = number + count > 1000 ? 36 : 26;
	flow_gap(f, 6 * f->scale);
	f->tag = tag_make(f, "L");
	cJSON_ArrayForEach(item, json_member(node, "nodes")) {
		list_item(f, item, kind, number++, indent);
		flow_gap(f, 3 * f->scale);
	}
	f->tag = outer;
	/* Drop the gap below the last item; the gap below the list replaces it. */
	f->gap = 0;
	flow_gap(f, 6 * f->scale);
}

static void
block_list_unordered(struct flow *f, const cJSON *node)
{
	add_list(f, node, LIST_DOTS);
}

static void
block_list_ordered(struct flow *f, const cJSON *node)
{
	add_list(f, node, LIST_NUMBERS);
}

static void
block_list_tasks(struct flow *f, const cJSON *node)
{
	add_list(f, node, LIST_TASKS);
}

/* ---- contents of frames ---- */

/* The bar is a deco, so that a quotation may continue on the next sheet. */
static void
block_blockquote(struct flow *f, const cJSON *node)
{
	struct frame keep;
	struct deco *d;

	flow_gap(f, 8);
	d = flow_open(f, &keep, 14, 2, "BlockQuote");
	d->bar = FAINT;
	blocks(f, json_member(node, "nodes"));
	flow_close(f, &keep);
	flow_gap(f, 8);
}

static const struct hint_kind {
	const char *name, *sign;
	int         ink, ground;
/* The signs are drawn instead of set as text, because few fonts have all of them. */
} hints[] = {
	{ "info", "i", 0x2456b8, 0xeef3fc }, { "success", "✓", 0x1a7f37, 0xebf8ef },
	{ "warning", "!", 0xb54708, 0xfef4e6 }, { "danger", "×", 0xb42318, 0xfdeeec },
};

/* data: a static struct hint_kind. The first letter of its name selects the sign. */
static void
draw_sign(struct paper *p, void *data, double x, double middle)
{
	const struct hint_kind *k = data;

	set_color(p, k->ink);
	cairo_new_path(p->cr);
	cairo_arc(p->cr, x + 6, middle, 6.2, 0, 6.2832);
	cairo_fill(p->cr);
	set_color(p, WHITE);
	cairo_set_line_width(p->cr, 1.3);
	switch (k->name[0]) {
	case 's':
		cairo_move_to(p->cr, x + 3.2, middle);
		cairo_line_to(p->cr, x + 5.3, middle + 2.2);
		cairo_line_to(p->cr, x + 9, middle - 2.2);
		break;
	case 'd':
		cairo_move_to(p->cr, x + 3.8, middle - 2.2);
		cairo_line_to(p->cr, x + 8.2, middle + 2.2);
		cairo_move_to(p->cr, x + 8.2, middle - 2.2);
		cairo_line_to(p->cr, x + 3.8, middle + 2.2);
		break;
	default:
		/* A stroke and a dot: the dot is above for "i", below for an exclamation mark. */
		cairo_move_to(p->cr, x + 6, middle + (k->name[0] == 'i' ? -0.6 : -3.4));
		cairo_line_to(p->cr, x + 6, middle + (k->name[0] == 'i' ? 3.4 : 0.6));
		cairo_move_to(p->cr, x + 6, middle + (k->name[0] == 'i' ? -3.2 : 2.2));
		cairo_line_to(p->cr, x + 6, middle + (k->name[0] == 'i' ? -2.0 : 3.4));
	}
	cairo_stroke(p->cr);
}

static void
block_hint(struct flow *f, const cJSON *node)
{
	const char *style = json_text_of(get_data(node), "style");
	/* An unknown style prints as "info". */
	const struct hint_kind *k = &hints[0];
	struct frame keep;
	struct deco *d;
	size_t i;

	for (i = 0; i < sizeof(hints) / sizeof(hints[0]); i++)
		if (style != NULL && strcmp(style, hints[i].name) == 0)
			k = &hints[i];
	flow_gap(f, 10);
	d = flow_open(f, &keep, 32, 9, "Div");
	d->fill = k->ground;
	d->bar = k->ink;
	/*
	 * The sign is placed in the inset, 21 pt left of the text; a marker takes its x from the
	 * flow.
	 */
	f->x -= 21;
	f->marker = marker_drawn(f, draw_sign, (void *)k);
	f->x += 21;
	blocks(f, json_member(node, "nodes"));
	f->marker = NULL;
	flow_close(f, &keep);
	flow_gap(f, 10);
}

static void
draw_triangle(struct paper *p, void *data, double x, double middle)
{
	(void)data;
	set_color(p, MUTED);
	cairo_new_path(p->cr);
	cairo_move_to(p->cr, x + 2, middle - 2);
	cairo_line_to(p->cr, x + 9, middle - 2);
	cairo_line_to(p->cr, x + 5.5, middle + 2.6);
	cairo_fill(p->cr);
}

/*
 * The nodes of the fragment of this kind; NULL: there is none. Depending on the version of the
 * document, the kind is in "type" or in "fragment".
 */
static const cJSON *
find_fragment(const cJSON *node, const char *type)
{
	const cJSON *one;
	const char *is;

	cJSON_ArrayForEach(one, json_member(node, "fragments"))
		if (((is = json_text_of(one, "type")) != NULL && strcmp(is, type) == 0) ||
		    ((is = json_text_of(one, "fragment")) != NULL && strcmp(is, type) == 0))
			return json_member(one, "nodes");
	return NULL;
}

/* Always open, since paper cannot be clicked. */
static void
block_expandable(struct flow *f, const cJSON *node)
{
	const cJSON *title = find_fragment(node, "expandable-title"), *part;
	struct frame keep;
	struct deco *d;
	struct writer *w;

	flow_gap(f, 9);
	d = flow_open(f, &keep, 22, 7, "Div");
	d->border = FAINT;
	f->x -= 15;
	f->marker = marker_drawn(f, draw_triangle, NULL);
	f->x += 15;
	w = writer_new(f, &strong);
	/* Join the paragraphs of the title into one line of text. */
	cJSON_ArrayForEach(part, title)
		writer_nodes(w, json_member(part, "nodes"));
	writer_flow(w, "P", true);
	flow_gap(f, 4);
	blocks(f, find_fragment(node, "expandable-body"));
	flow_close(f, &keep);
	flow_gap(f, 9);
}

/* Prints all tabs, each below its title. */
static void
block_tabs(struct flow *f, const cJSON *node)
{
	const struct type t = { .size = 9, .bold = true, .color = ACCENT };
	const cJSON *item;
	const char *title;
	struct frame keep;
	struct deco *d;

	cJSON_ArrayForEach(item, json_member(node, "nodes")) {
		/* A tab without a title still gets a line, to separate it from the tab before. */
		title = json_text_of(get_data(item), "title");
		flow_gap(f, 10);
		add_block_dest(f, item);
		d = flow_open(f, &keep, 14, 5, "Div");
		d->bar = ACCENT;
		text_flow(f, title != NULL && *title != '\0' ? title : "…", &t, "P", true);
		flow_gap(f, 3);
		blocks(f, json_member(item, "nodes"));
		flow_close(f, &keep);
	}
	flow_gap(f, 10);
}

static void
draw_step(struct paper *p, void *data, double x, double middle)
{
	struct text *t = data;
	double w, h, ascent;

	set_color(p, ACCENT);
	cairo_new_path(p->cr);
	cairo_arc(p->cr, x + 9, middle, 8.5, 0, 6.2832);
	cairo_fill(p->cr);
	text_size(t, &w, &h, &ascent);
	text_draw(p, t, x + 9 - w / 2, middle - h / 2);
}

/* The first pass does not draw the number, so the arena frees its layout when the page ends. */
static void
drop_step(void *text)
{
	text_drop(text);
}

static void
block_stepper(struct flow *f, const cJSON *node)
{
	const struct type number = { .size = 8.5, .bold = true, .color = WHITE };
	const cJSON *step;
	struct writer *w;
	struct text *t;
	struct frame keep;
	struct deco *d;
	int n = 0;

	cJSON_ArrayForEach(step, json_member(node, "nodes")) {
		flow_gap(f, n == 0 ? 12 : 6);
		/*
		 * The number is laid out before the frame is opened, so that no strip owns this
		 * layout, and the arena frees it.
		 */
		w = writer_new(f, &number);
		writer_text(w, arena_printf(f->paper->scratch, "%d", ++n));
		d = flow_open(f, &keep, 30, 4, "Div");
		d->bar = FAINT;
		/* A line joins the numbers: it runs below the middle of their discs. */
		d->bar_x = 9;
		f->x -= 30;
		t = writer_end(w, -1);
		arena_on_end(f->paper->scratch, drop_step, t);
		f->marker = marker_drawn(f, draw_step, t);
		f->x += 30;
		blocks(f, json_member(step, "nodes"));
		f->marker = NULL;
		flow_close(f, &keep);
	}
	flow_gap(f, 10);
}

/* Each update below its date and a rule, in document order. */
static void
block_updates(struct flow *f, const cJSON *node)
{
	const cJSON *one;
	const char *date;

	cJSON_ArrayForEach(one, json_member(node, "nodes")) {
		/* An ISO date, possibly with a time; print the day only. */
		date = json_text_of(get_data(one), "date");
		flow_gap(f, 14);
		text_flow(f, date != NULL ? arena_strndup(f->paper->scratch, date, strcspn(date, "T")) : "", &small, "P",
		    true);
		flow_gap(f, 3);
		blocks(f, json_member(one, "nodes"));
		flow_gap(f, 10);
		flow_box(f, 2, draw_rule, NULL);
	}
	flow_gap(f, 12);
}

/* A prompt for a language model: its text is printed as code, below its description. */
static void
block_prompt(struct flow *f, const cJSON *node)
{
	const char *about = json_text_of(get_data(node), "description");

	flow_gap(f, 9);
	if (about != NULL && *about != '\0')
		text_flow(f, about, &strong, "P", true);
	blocks(f, json_member(node, "nodes"));
}

/*
 * For blocks that only contain blocks, such as reusable content that the caller has already
 * inserted.
 */
static void
block_within(struct flow *f, const cJSON *node)
{
	blocks(f, json_member(node, "nodes"));
}

static void
draw_formula(struct paper *p, void *data, double x, double y, double w, double h)
{
	struct object *o = data;

	(void)h;
	set_color(p, INK);
	o->draw(p, o->data, x + (w - o->w) / 2, y + o->ascent);
}

static void
block_math(struct flow *f, const cJSON *node)
{
	const char *formula = json_text_of(get_data(node), "formula");
	/* Display formulas are larger than text, with limits above and below. */
	struct object *o = formula == NULL ? NULL : math_object(f->paper, formula, 12 * f->scale, true);
	struct tag *outer = f->tag;
	struct frame keep;
	struct deco *d;

	flow_gap(f, 9);
	/*
	 * A formula that is wider than its column is printed as its source, whose lines can break.
	 */
	if (o != NULL && o->w <= f->w) {
		f->tag = tag_make(f, "Formula");
		flow_box(f, o->ascent + o->descent, draw_formula, o);
		f->tag = outer;
	} else if (formula != NULL) {
		d = flow_open(f, &keep, 10, 7, "Formula");
		d->border = FAINT;
		text_flow(f, formula, &(struct type){ .family = f->paper->mono, .size = CODE_SIZE, .color = INK,
		    .forward = true }, "Code", false);
		flow_close(f, &keep);
	}
	flow_gap(f, 9);
}

/* ---- all of them ---- */

static const struct kind {
	const char *name;
	void (*put)(struct flow *f, const cJSON *node);
/*
 * Block types (docs/design/documents.md). Other types print nothing. A linear search is enough for
 * 30 names.
 */
} kinds[] = {
	{ "paragraph", block_paragraph }, { "heading-1", block_heading_1 }, { "heading-2", block_heading_2 },
	{ "heading-3", block_heading_3 }, { "list-unordered", block_list_unordered },
	{ "list-ordered", block_list_ordered }, { "list-tasks", block_list_tasks }, { "code", block_code },
	{ "table", block_table }, { "hint", block_hint }, { "images", block_images }, { "image", block_images },
	{ "blockquote", block_blockquote }, { "divider", block_divider }, { "math", block_math },
	{ "tabs", block_tabs }, { "expandable", block_expandable }, { "stepper", block_stepper },
	{ "columns", block_columns }, { "updates", block_updates }, { "prompt", block_prompt },
	{ "reusable-content", block_within }, { "file", block_file }, { "drawing", block_drawing },
	{ "embed", block_embed }, { "content-ref", block_content_ref }, { "integration", block_integration },
	{ "swagger", block_swagger }, { "openapi-operation", block_operation }, { "openapi-webhook", block_operation },
	{ "openapi-schemas", block_schemas },
	/*
	 * `if` is missing on purpose: its condition depends on the reader, who is unknown on paper.
	 */
};

void
block_list(struct flow *f, const cJSON *nodes)
{
	const cJSON *node;
	const char *type;
	size_t i;

	/* Omit deeper blocks without a warning: no real document nests as deep. */
	if (f->depth > NESTING_MAX)
		return;
	f->depth++;
	cJSON_ArrayForEach(node, nodes) {
		if (f->paper->stop != NULL)
			break;
		type = json_text_of(node, "type");
		for (i = 0; type != NULL && i < sizeof(kinds) / sizeof(kinds[0]); i++)
			if (strcmp(type, kinds[i].name) == 0) {
				/*
				 * The first strip of the block takes the anchor, whichever function
				 * makes it.
				 */
				add_block_dest(f, node);
				kinds[i].put(f, node);
				break;
			}
	}
	f->depth--;
}
