/* Blocks of a document as strips: one function a type, found by its name. */
#include <cjson/cJSON.h>
#include <string.h>

#include "card.h"
#include "code.h"

/* Ends the recursion of blocks in blocks, which the stack would end otherwise. */
enum { NESTING_MAX = 60 };

/* The three types that most blocks are set in; sizes in points, scaled by the flow. */
static const struct type body = { .size = BODY_SIZE, .color = INK };
static const struct type small = { .size = SMALL_SIZE, .color = MUTED };
static const struct type strong = { .size = BODY_SIZE, .bold = true, .color = INK };

/* ---- reading JSON ---- */

/* Every block's own settings stand in "data" (docs/design/documents.md, "Data of blocks"). */
static const cJSON *
data_of(const cJSON *node)
{
	return json_get(node, "data");
}

/* The block's own alignment, else that of the table column it stands in. */
static PangoAlignment
align_of(const struct flow *f, const cJSON *node)
{
	const char *align = json_text(data_of(node), "align");

	if (align == NULL)
		return f->align;
	return strcmp(align, "center") == 0 ? PANGO_ALIGN_CENTER :
	    strcmp(align, "end") == 0 || strcmp(align, "right") == 0 ? PANGO_ALIGN_RIGHT : PANGO_ALIGN_LEFT;
}

/* A block that links lead to. */
static void
name_block(struct flow *f, const cJSON *node)
{
	const char *anchor = json_text(json_get(node, "meta"), "id");
	struct place *at;

	/* Anchors belong to pages: descriptions on the cover or in contents have none. */
	if (anchor == NULL || f->paper->page == NULL)
		return;
	/* Names wait in the flow for its next strip, which flow_strip() gives them to. */
	at = arena_alloc(f->paper->scratch, sizeof(*at));
	*at = (struct place){ f->dests, paper_dest(f->paper, f->paper->page->id, anchor) };
	f->dests = at;
}

/* ---- text ---- */

/* An empty paragraph still makes a line: people leave room with it. */
static void
block_paragraph(struct flow *f, const cJSON *node)
{
	struct type t = body;
	struct writer *w;

	t.align = align_of(f, node);
	flow_gap(f, 6 * f->scale);
	w = writer_new(f, &t);
	writer_nodes(w, json_get(node, "nodes"));
	writer_flow(w, "P", false);
}

/* Bookmarks are gathered in the first pass, when places have no sheets yet. */
static void
note_heading(struct flow *f, const cJSON *node, int level)
{
	struct paper *p = f->paper;
	struct heading *h;

	if (p->last_heading == NULL || f->dests == NULL || !f->sheets)
		return;
	/* Bookmarks are written after the last page: they must not live in scratch. */
	h = arena_alloc(p->arena, sizeof(*h));
	*h = (struct heading){ .title = inline_text(p->arena, json_get(node, "nodes")), .level = level,
		.dest = f->dests->dest };
	if (*h->title == '\0')
		return;
	*p->last_heading = h;
	p->last_heading = &h->next;
}

static void
add_heading(struct flow *f, const cJSON *node, int level)
{
	/* By level, from 1; the page's title has H1, so that headings begin with H2. */
	static const struct { double size, gap; const char *tag; } levels[] = {
		[1] = { 15.5, 20, "H2" }, [2] = { 12.5, 15, "H3" }, [3] = { 10.8, 12, "H4" } };
	struct type t = { .size = levels[level].size, .bold = true, .color = INK, .align = align_of(f, node) };
	struct writer *w;

	flow_gap(f, levels[level].gap * f->scale);
	note_heading(f, node, level);
	w = writer_new(f, &t);
	writer_nodes(w, json_get(node, "nodes"));
	/* A heading stays with what it is about. */
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
 * In the middle of its box. Draw functions of boxes are called in the second pass alone, so
 * p->cr is there.
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

/* middle: the height of a small letter's middle, as draw_marker() reckons it. */
static void
draw_bullet(struct paper *p, void *data, double x, double middle)
{
	const struct flow *f = data;

	set_color(p, MUTED);
	cairo_new_path(p->cr);
	cairo_arc(p->cr, x + 9, middle, 1.7 * f->scale, 0, 6.2832);
	cairo_fill(p->cr);
}

/* data: not NULL means checked. */
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

/* The layout is let go with the strip that takes the marker (strips_drop()). */
struct marker *
marker_text(struct flow *f, const char *text, double w, double size)
{
	struct marker *m = arena_alloc(f->paper->scratch, sizeof(*m));
	struct writer *t = writer_new(f, &(struct type){ .size = size, .color = MUTED });

	writer_text(t, text);
	*m = (struct marker){ .text = writer_end(t, -1), .x = f->x, .w = w };
	return m;
}

/* data must live as long as scratch: the marker is drawn when its sheet is full. */
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
	 * The bullet is drawn when the sheet is full: f, which may be a cell's flow on the
	 * stack, is gone by then. Its scale is wanted, so a copy is kept.
	 */
	struct flow *at = arena_alloc(f->paper->scratch, sizeof(*at));
	struct frame keep;

	*at = *f;
	name_block(f, item);
	/* Without padding: items of a list are as close as its gaps say. */
	flow_open(f, &keep, indent, 0, "LI");
	/* The marker stands left of the frame that flow_open() has moved into. */
	f->x -= indent;
	if (kind == LIST_NUMBERS)
		f->marker = marker_text(f, arena_printf(f->paper->scratch, "%d.", number), indent - 5, BODY_SIZE);
	/* data only tells whether the box is checked; it is never followed. */
	else if (kind == LIST_TASKS)
		f->marker = marker_drawn(f, draw_checkbox, json_true(data_of(item), "checked") ? f : NULL);
	else
		f->marker = marker_drawn(f, draw_bullet, at);
	f->x += indent;
	/* Tagged PDF wants L, LI and LBody around what an item holds (ISO 32000-1, 14.8.4.3.3). */
	f->tag = tag_make(f, "LBody");
	blocks(f, json_get(item, "nodes"));
	/* An item without blocks took no marker; the next block must not get it. */
	f->marker = NULL;
	flow_close(f, &keep);
}

static void
add_list(struct flow *f, const cJSON *node, enum list_kind kind)
{
	int number = (int)json_number(data_of(node), "start", 1), count = cJSON_GetArraySize(json_get(node, "nodes"));
	double indent = 18;
	struct tag *outer = f->tag;
	const cJSON *item;

	/* Wider numbers need more room, the same for all items of a list. */
	if (kind == LIST_NUMBERS && number + count > 100)
		indent = number + count > 1000 ? 36 : 26;
	flow_gap(f, 6 * f->scale);
	f->tag = tag_make(f, "L");
	cJSON_ArrayForEach(item, json_get(node, "nodes")) {
		list_item(f, item, kind, number++, indent);
		flow_gap(f, 3 * f->scale);
	}
	f->tag = outer;
	/* The gap below the last item belongs to the item: the one below the list replaces it. */
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

/* ---- what stands in frames ---- */

/* The bar is a deco, so a quotation may go on upon the next sheet. */
static void
block_blockquote(struct flow *f, const cJSON *node)
{
	struct frame keep;
	struct deco *d;

	flow_gap(f, 8);
	d = flow_open(f, &keep, 14, 2, "BlockQuote");
	d->bar = FAINT;
	blocks(f, json_get(node, "nodes"));
	flow_close(f, &keep);
	flow_gap(f, 8);
}

static const struct hint_kind {
	const char *name, *sign;
	int         ink, ground;
/* Signs are drawn and not set as text: fonts differ in which of them they have. */
} hints[] = {
	{ "info", "i", 0x2456b8, 0xeef3fc }, { "success", "✓", 0x1a7f37, 0xebf8ef },
	{ "warning", "!", 0xb54708, 0xfef4e6 }, { "danger", "×", 0xb42318, 0xfdeeec },
};

/* data: a struct hint_kind, which is static. Told apart by the first letter of its name. */
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
		/* A stroke and a dot: the dot above for i, below for an exclamation mark. */
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
	const char *style = json_text(data_of(node), "style");
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
	/* The sign stands in the inset, 21 pt left of the text; a marker takes its x from the flow. */
	f->x -= 21;
	f->marker = marker_drawn(f, draw_sign, (void *)k);
	f->x += 21;
	blocks(f, json_get(node, "nodes"));
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

/* A fragment's nodes by its "type" or, in other versions of documents, "fragment"; NULL: there is none. */
static const cJSON *
fragment_of(const cJSON *node, const char *type)
{
	const cJSON *one;
	const char *is;

	cJSON_ArrayForEach(one, json_get(node, "fragments"))
		if (((is = json_text(one, "type")) != NULL && strcmp(is, type) == 0) ||
		    ((is = json_text(one, "fragment")) != NULL && strcmp(is, type) == 0))
			return json_get(one, "nodes");
	return NULL;
}

/* Open on paper. */
static void
block_expandable(struct flow *f, const cJSON *node)
{
	const cJSON *title = fragment_of(node, "expandable-title"), *part;
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
	/* Paragraphs of the title become one line of text. */
	cJSON_ArrayForEach(part, title)
		writer_nodes(w, json_get(part, "nodes"));
	writer_flow(w, "P", true);
	flow_gap(f, 4);
	blocks(f, fragment_of(node, "expandable-body"));
	flow_close(f, &keep);
	flow_gap(f, 9);
}

/* One after the other, each under its title. */
static void
block_tabs(struct flow *f, const cJSON *node)
{
	const struct type t = { .size = 9, .bold = true, .color = ACCENT };
	const cJSON *item;
	const char *title;
	struct frame keep;
	struct deco *d;

	cJSON_ArrayForEach(item, json_get(node, "nodes")) {
		/* A tab without title still gets a line, so that it can be told from the one before. */
		title = json_text(data_of(item), "title");
		flow_gap(f, 10);
		name_block(f, item);
		d = flow_open(f, &keep, 14, 5, "Div");
		d->bar = ACCENT;
		text_flow(f, title != NULL && *title != '\0' ? title : "…", &t, "P", true);
		flow_gap(f, 3);
		blocks(f, json_get(item, "nodes"));
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

/* The first pass draws nothing: the number is let go with the page's arena. */
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

	cJSON_ArrayForEach(step, json_get(node, "nodes")) {
		flow_gap(f, n == 0 ? 12 : 6);
		/*
		 * Made before the frame is opened: its layout belongs to no strip, so the arena
		 * lets go of it.
		 */
		w = writer_new(f, &number);
		writer_text(w, arena_printf(f->paper->scratch, "%d", ++n));
		d = flow_open(f, &keep, 30, 4, "Div");
		d->bar = FAINT;
		/* A line from number to number, below the middle of their discs. */
		d->bar_x = 9;
		f->x -= 30;
		t = writer_end(w, -1);
		arena_on_end(f->paper->scratch, drop_step, t);
		f->marker = marker_drawn(f, draw_step, t);
		f->x += 30;
		blocks(f, json_get(step, "nodes"));
		f->marker = NULL;
		flow_close(f, &keep);
	}
	flow_gap(f, 10);
}

/* Each under its date, with a rule below, in the order of the document. */
static void
block_updates(struct flow *f, const cJSON *node)
{
	const cJSON *one;
	const char *date;

	cJSON_ArrayForEach(one, json_get(node, "nodes")) {
		/* An ISO date, maybe with a time, of which only the day is printed. */
		date = json_text(data_of(one), "date");
		flow_gap(f, 14);
		text_flow(f, date != NULL ? arena_strndup(f->paper->scratch, date, strcspn(date, "T")) : "", &small, "P",
		    true);
		flow_gap(f, 3);
		blocks(f, json_get(one, "nodes"));
		flow_gap(f, 10);
		flow_box(f, 2, draw_rule, NULL);
	}
	flow_gap(f, 12);
}

/* What to ask a language model: the text itself prints as code, below its description. */
static void
block_prompt(struct flow *f, const cJSON *node)
{
	const char *about = json_text(data_of(node), "description");

	flow_gap(f, 9);
	if (about != NULL && *about != '\0')
		text_flow(f, about, &strong, "P", true);
	blocks(f, json_get(node, "nodes"));
}

/* Contents whose nodes were put in, and others that hold blocks and nothing else. */
static void
block_within(struct flow *f, const cJSON *node)
{
	blocks(f, json_get(node, "nodes"));
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
	const char *formula = json_text(data_of(node), "formula");
	/* Formulas of their own are set larger than text, with limits above and below. */
	struct object *o = formula == NULL ? NULL : math_object(f->paper, formula, 12 * f->scale, true);
	struct tag *outer = f->tag;
	struct frame keep;
	struct deco *d;

	flow_gap(f, 9);
	/* A formula that is wider than its column prints as its source, which can break. */
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
 * Types of blocks (docs/design/documents.md); what is not in the list prints nothing. The search is linear: a
 * table of 30 names.
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
	/* `if` is for readers whom its condition is true for: nobody asks on paper. */
};

void
block_list(struct flow *f, const cJSON *nodes)
{
	const cJSON *node;
	const char *type;
	size_t i;

	/* Deeper blocks are left out without a word: documents that people write end long before. */
	if (f->depth > NESTING_MAX)
		return;
	f->depth++;
	cJSON_ArrayForEach(node, nodes) {
		if (f->paper->stop != NULL)
			break;
		type = json_text(node, "type");
		for (i = 0; type != NULL && i < sizeof(kinds) / sizeof(kinds[0]); i++)
			if (strcmp(type, kinds[i].name) == 0) {
				/*
				 * The anchor goes to the block's first strip, whichever function
				 * makes it.
				 */
				name_block(f, node);
				kinds[i].put(f, node);
				break;
			}
	}
	f->depth--;
}
