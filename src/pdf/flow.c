/*
 * A flow lays strips one below the other and breaks them into sheets.
 *
 * next_sheet() ends a sheet before the first strip that does not fit. The break moves up past
 * strips that must stay with the one that follows (`sticks`); a row that is too high is split. If
 * the rows of a table continue, the next sheet repeats the table's head. The footnotes of a sheet's
 * strips are drawn at its foot and reduce its usable height, by at most half a sheet for each strip;
 * what does not fit is carried over to the feet of the following sheets.
 */
#include <string.h>

#include "paper.h"

enum {
	SHEETS_MAX = 20000,     /* Cairo keeps about 12 kB per sheet until the end */
	LOOK_SHEETS = 50        /* ask progress() every so many sheets of a long page, so that a job can be cancelled */
};
/* A row is split only if at least this much of it fits (points, about three lines). */
static const double least_part = 40;  /* points of a row */

/*
 * sheets: true breaks the strips into sheets; false only collects them, for a cell or a note, and
 * the caller reads f->first. w: width in points.
 */
void
flow_init(struct flow *f, struct paper *p, double w, bool sheets)
{
	*f = (struct flow){ .paper = p, .w = w, .sheets = sheets, .scale = 1 };
}

struct strip *
flow_strip(struct flow *f, enum strip_kind kind, double h)
{
	struct strip *s = arena_alloc(f->paper->scratch, sizeof(*s));

	/*
	 * The strip takes the pending gap, marker and destinations of the flow. As the first strip
	 * of a frame it gets no gap: the padding already separates it.
	 */
	*s = (struct strip){ .kind = kind, .h = h, .x = f->x, .w = f->w, .gap = f->fresh ? 0 : f->gap, .deco = f->deco,
		.tag = f->tag, .marker = f->marker, .dests = f->dests, .head = f->head };
	f->marker = NULL;
	f->dests = NULL;
	f->gap = 0;
	f->fresh = false;
	return s;
}

/* Gaps between blocks do not add up: the larger one wins, as margins collapse in CSS. */
void
flow_gap(struct flow *f, double gap)
{
	if (gap > f->gap)
		f->gap = gap;
}

void
flow_stick(struct flow *f)
{
	if (f->tail != NULL)
		f->tail->sticks = true;
}

/* ---- cutting sheets ---- */

/* The height that notes of this height take from a sheet: the rest of long ones is carried over. */
static double
limit_notes(const struct flow *f, double h)
{
	double most = paper_height(f->paper) / 2;

	return h < most ? h : most;
}

/* Height that a strip adds to a sheet of which `used` points are taken. */
static double
strip_cost(const struct flow *f, const struct strip *s, double used)
{
	/* The first strip of a sheet has no gap above it. */
	return (used > 0 ? s->gap : 0) + s->h + limit_notes(f, notes_height(s));
}

/*
 * Returns the first strip of the next sheet, NULL if all fit. *room: the height that is left for it
 * on this sheet, in points.
 */
static struct strip *
find_cut(struct flow *f, double limit, double *room)
{
	struct strip *s, *before = NULL, *cut = NULL, *last = NULL;
	double used = 0, at_cut = 0;

	for (s = f->first; s != NULL; before = s, s = s->next) {
		/*
		 * A break before s is allowed only if the strip above s does not stick to it. The
		 * last such place before the overflow is used.
		 */
		if (before != NULL && !before->sticks) {
			last = s;
			at_cut = used;
		}
		if (used + strip_cost(f, s, used) > limit)
			break;
		used += strip_cost(f, s, used);
	}
	/* If all strips stick together, ignore `sticks` and break where the sheet is full. */
	cut = last != NULL ? last : s;
	*room = limit - (last != NULL ? at_cut : used) - (cut != NULL ? cut->gap + limit_notes(f, notes_height(cut)) : 0);
	return cut;
}

/*
 * The strip before s. Linear in the strips of one sheet. NULL only if s is the first strip, which
 * callers exclude.
 */
static struct strip *
previous_strip(struct strip *first, const struct strip *s)
{
	while (first != NULL && first->next != s)
		first = first->next;
	return first;
}

/*
 * Records the sheet number in each destination of the strip. The first occurrence wins; in the
 * second pass every destination has its sheet already.
 */
static void
record_sheets(struct paper *p, struct strip *s)
{
	struct strip *in;
	struct place *d;
	size_t i;

	for (d = s->dests; d != NULL; d = d->next)
		if (d->dest->sheet == 0)
			d->dest->sheet = p->sheet;
	for (i = 0; s->kind == STRIP_ROW && i < s->count; i++)
		for (in = s->cells[i].strips; in != NULL; in = in->next)
			record_sheets(p, in);
}

/* Sets p->stop if the sheet limit is reached or the caller cancels. */
static void
check_stop(struct paper *p)
{
	if (p->sheet >= SHEETS_MAX)
		p->stop = arena_printf(p->arena, "it would have more than %d sheets, the most that one PDF may have", SHEETS_MAX);
	else if (p->sheet % LOOK_SHEETS == 0 && !p->source->progress(p->source->ctx, p->stage, p->done, p->total))
		p->stop = PDF_STOPPED;
}

/* Lays out the strips before `end` on one sheet; draws them in the second pass. */
static void
put_sheet(struct flow *f, const struct strip *end)
{
	struct note *notes = f->carried, **at = &notes, *n;
	struct paper *p = f->paper;
	double room = paper_height(p) - NOTE_RULE;
	struct strip *s;

	sheet_begin(p);
	while (*at != NULL)
		at = &(*at)->next;
	for (s = f->first; s != end; s = s->next) {
		room -= s->h + (s == f->first ? 0 : s->gap);
		collect_notes(s, &at);
		record_sheets(p, s);
	}
	f->carried = cut_notes(p, &notes, &at, room, f->first == end);
	if (p->cr != NULL)
		strips_draw(p, f->first, end, p->left, p->top);
	draw_notes(p, notes);
	for (n = notes; n != NULL; n = n->next)
		strips_drop(n->strips, NULL);
	sheet_end(p);
	strips_drop(f->first, end);
	/*
	 * Contents (page NULL) are not checked: the number of pages, which are, bounds their
	 * sheets.
	 */
	if (p->page != NULL && p->stop == NULL)
		check_stop(p);
}

/*
 * A shallow copy that shares cells and layouts with the first head; `copied` keeps strips_drop()
 * from freeing them. The copy sticks, so that a head is never alone at the foot of a sheet.
 */
static struct strip *
copy_head(struct paper *p, const struct strip *head)
{
	struct strip *s = arena_alloc(p->scratch, sizeof(*s));

	*s = *head;
	s->copied = s->sticks = true;
	s->gap = 0;
	s->dests = NULL;
	s->notes = NULL;
	s->head = NULL;
	return s;
}

/*
 * Height for strips and their notes on the pending sheet, in points, without the notes that are
 * carried over to it and the rule above notes.
 */
static double
usable_height(const struct flow *f)
{
	const struct strip *s;
	double h = paper_height(f->paper);

	if (f->carried != NULL)
		return h - NOTE_RULE - limit_notes(f, notes_sum(f->carried));
	for (s = f->first; s != NULL; s = s->next)
		if (notes_height(s) > 0)
			return h - NOTE_RULE;
	return h;
}

/*
 * Recomputes used height and tail after put_sheet(): the first strip's gap no longer counts, and a
 * repeated head may be in front.
 */
static void
recount_height(struct flow *f)
{
	struct strip *s;

	f->used = 0;
	f->tail = NULL;
	for (s = f->first; s != NULL; s = s->next) {
		f->used += strip_cost(f, s, f->used);
		f->tail = s;
	}
}

/* True if splitting the row gives a better sheet than moving the whole row to the next one. */
static bool
worth_splitting(const struct flow *f, const struct strip *s, double room)
{
	/*
	 * Rows lower than a third of a sheet are easier to read whole, so they move. Moving gains
	 * nothing if the row is first on its sheet or follows a repeated head: it would be just as
	 * high on the next sheet.
	 */
	return s->kind == STRIP_ROW && room >= least_part &&
	    (s->h > paper_height(f->paper) / 3 || s == f->first || (s == f->first->next && f->first->copied));
}

/*
 * Finishes one sheet and leaves the remaining strips in the flow. Each call removes at least one
 * strip, or part of a row, besides a repeated head; otherwise the loop in flow_add() would not end.
 */
static void
next_sheet(struct flow *f)
{
	double room, limit = usable_height(f);
	struct strip *cut = find_cut(f, limit, &room), *rest, *copy;

	if (cut == f->first || cut == NULL) {
		/* No break is possible after the first strip, so it is split, or extends beyond the margin. */
		cut = f->first;
		room = limit - limit_notes(f, notes_height(cut));
	}
	if (worth_splitting(f, cut, room) && (rest = row_split(f->paper, cut, room)) != NULL) {
		rest->next = cut->next;
		cut->next = rest;
		cut = rest;
	} else if (cut == f->first || previous_strip(f->first, cut)->copied) {
		/*
		 * The sheet would be empty or hold only a repeated head: print the strip here
		 * although it is too high.
		 */
		cut = cut->next;
	}
	put_sheet(f, cut);
	f->first = cut;
	/* Repeat the table's head above its remaining rows, unless the first strip is that head. */
	if (cut != NULL && cut->head != NULL && cut->head != cut) {
		copy = copy_head(f->paper, cut->head);
		copy->next = cut;
		f->first = copy;
	}
	recount_height(f);
}

/* A loop, because one strip may be higher than several sheets. */
void
flow_add(struct flow *f, struct strip *s)
{
	if (f->tail == NULL)
		f->first = s;
	else
		f->tail->next = s;
	f->tail = s;
	f->used += strip_cost(f, s, f->used);
	while (f->sheets && f->first != NULL && f->used > usable_height(f))
		next_sheet(f);
}

void
flow_end(struct flow *f)
{
	while (f->first != NULL && f->used > usable_height(f))
		next_sheet(f);
	if (f->first != NULL)
		put_sheet(f, NULL);
	f->first = f->tail = NULL;
	while (f->carried != NULL && f->paper->stop == NULL)
		put_sheet(f, NULL);
	f->carried = NULL;
	f->used = f->gap = 0;
}

/* ---- frames ---- */

void
flow_space(struct flow *f, double h)
{
	flow_add(f, flow_strip(f, STRIP_SPACE, h));
}

void
flow_box(struct flow *f, double h, void (*draw)(struct paper *, void *, double, double, double, double), void *data)
{
	struct strip *s = flow_strip(f, STRIP_BOX, h);

	s->draw = draw;
	s->data = data;
	flow_add(f, s);
}

struct tag *
tag_make(struct flow *f, const char *name)
{
	struct tag *t = arena_alloc(f->paper->scratch, sizeof(*t));

	*t = (struct tag){ f->tag, name };
	return t;
}

struct deco *
flow_open(struct flow *f, struct frame *keep, double inset, double pad, const char *tag)
{
	struct deco *d = arena_alloc(f->paper->scratch, sizeof(*d));

	*keep = (struct frame){ f->x, f->w, f->deco, f->tag, pad };
	*d = (struct deco){ .up = f->deco, .x = f->x, .w = f->w, .fill = NO_COLOR, .border = NO_COLOR,
		.bar = NO_COLOR };
	f->deco = d;
	f->x += inset;
	f->w -= inset + (pad > 0 ? pad : 0);
	/*
	 * Nested frames would leave no width. 40 pt hold some characters; they extend beyond the
	 * edge if necessary.
	 */
	if (f->w < 40)
		f->w = 40;
	if (tag != NULL)
		f->tag = tag_make(f, tag);
	/*
	 * Padding is a strip, so that the deco's background is drawn behind it. It sticks to the
	 * first strip of the frame.
	 */
	if (pad > 0) {
		flow_space(f, pad);
		flow_stick(f);
		f->fresh = true;
	}
	return d;
}

void
flow_close(struct flow *f, const struct frame *keep)
{
	/*
	 * The lower padding stays with the last strip. Drop the last block's gap, which would add
	 * to it.
	 */
	if (keep->pad > 0) {
		flow_stick(f);
		f->gap = 0;
		f->fresh = false;
		flow_space(f, keep->pad);
	}
	f->x = keep->x;
	f->w = keep->w;
	f->deco = keep->deco;
	f->tag = keep->tag;
}

/* ---- drawing ---- */

/* Height of the strips as drawn, in points, without their notes. */
double
strips_height(const struct strip *first)
{
	const struct strip *s;
	double h = 0;

	for (s = first; s != NULL; s = s->next)
		h += (s == first ? 0 : s->gap) + s->h;
	return h;
}

/*
 * Frees the layouts of the strips before `end`. All lines of a text share one layout; the strip of
 * the last line frees it.
 */
void
strips_drop(struct strip *first, const struct strip *end)
{
	struct strip *s;
	size_t i;

	for (s = first; s != end; s = s->next) {
		if (s->copied)
			continue;
		if (s->kind == STRIP_LINE && s->last)
			text_drop(s->text);
		if (s->marker != NULL && s->marker->text != NULL)
			text_drop(s->marker->text);
		/* Further sheets draw a table's head again: heads_drop() frees it. */
		for (i = 0; s->kind == STRIP_ROW && s->head != s && i < s->count; i++)
			strips_drop(s->cells[i].strips, NULL);
	}
}

void
heads_drop(struct paper *p)
{
	size_t i;

	for (; p->heads != NULL; p->heads = p->heads->next_head)
		for (i = 0; i < p->heads->count; i++)
			strips_drop(p->heads->cells[i].strips, NULL);
}

/* Tags must be opened from the outermost inwards, hence the recursion before the call. */
static void
open_tags(struct paper *p, struct tag *to, const struct tag *from)
{
	if (to == NULL || to == from)
		return;
	open_tags(p, to->up, from);
	tag_begin(p, to->name, NULL);
}

/* Closes and opens tags until exactly the chain of `to` is open. */
static void
move_tags(struct paper *p, struct tag *from, struct tag *to)
{
	/*
	 * The innermost tag that both chains contain; NULL: none. Chains are short, so comparing
	 * all pairs is cheap.
	 */
	struct tag *common = to, *t;

	for (;;) {
		for (t = from; t != NULL && t != common; t = t->up)
			;
		if (t == common || common == NULL)
			break;
		common = common->up;
	}
	for (t = from; t != common; t = t->up)
		tag_end(p, t->name);
	open_tags(p, to, common);
}

/*
 * Extends the deco's area by the strip. Outer decos come first in the list, so that inner ones are
 * painted over them. If the deco's `grounds` is not the number of this call of draw_grounds(), its
 * top and bottom are from an earlier sheet.
 */
static void
reach_deco(struct paper *p, struct deco *d, const struct strip *s, struct deco **list, size_t *n)
{
	if (d == NULL)
		return;
	reach_deco(p, d->up, s, list, n);
	if (d->grounds != p->grounds) {
		d->grounds = p->grounds;
		d->top = s->y;
		list[(*n)++] = d;
	}
	d->bottom = s->y + s->h;
}

/* If a sheet break splits a deco, each part gets a closed border. */
static void
draw_deco(struct paper *p, const struct deco *d, double x)
{
	double h = d->bottom - d->top;

	if (d->fill != NO_COLOR || d->border != NO_COLOR) {
		round_rect(p->cr, x + d->x, d->top, d->w, h, 4);
		if (d->fill != NO_COLOR) {
			set_color(p, d->fill);
			cairo_fill_preserve(p->cr);
		}
		if (d->border != NO_COLOR) {
			set_color(p, d->border);
			cairo_set_line_width(p->cr, 0.6);
			cairo_stroke_preserve(p->cr);
		}
		cairo_new_path(p->cr);
	}
	if (d->bar != NO_COLOR) {
		set_color(p, d->bar);
		cairo_rectangle(p->cr, x + d->x + d->bar_x, d->top, d->bar_x > 0 ? 0.8 : 2.4, h);
		cairo_fill(p->cr);
	}
}

/* Sets the positions of the strips and draws the decos behind them. */
static void
draw_grounds(struct paper *p, struct strip *first, const struct strip *end, double x, double y)
{
	struct deco **list, *d;
	size_t n = 0, room = 0, i;
	struct strip *s;

	p->grounds++;
	/* Upper bound: the list holds each deco once, however many strips it has. */
	for (s = first; s != end; s = s->next)
		for (d = s->deco; d != NULL; d = d->up)
			room++;
	list = arena_array(p->scratch, room + 1, sizeof(struct deco *));
	for (s = first; s != end; s = s->next) {
		s->y = y + (s == first ? 0 : s->gap);
		y = s->y + s->h;
		reach_deco(p, s->deco, s, list, &n);
	}
	for (i = 0; i < n; i++)
		draw_deco(p, list[i], x);
}

static void
draw_dests(struct paper *p, const struct strip *s, double x)
{
	const struct place *d;

	for (d = s->dests; d != NULL; d = d->next) {
		/*
		 * Destination names must be unique in a file: only the first occurrence is written.
		 */
		if (d->dest->drawn)
			continue;
		d->dest->drawn = true;
		/*
		 * A few points above the strip, so that a viewer does not show it at the very edge
		 * of the window.
		 */
		tag_begin(p, CAIRO_TAG_DEST, arena_printf(p->scratch, "name='d%d' x=%.1f y=%.1f", d->dest->no, x,
		    s->y > 14 ? s->y - 14 : 0));
		tag_end(p, CAIRO_TAG_DEST);
	}
}

static void
draw_marker(struct paper *p, struct strip *s, double x)
{
	struct marker *m = s->marker;
	/* A box has no baseline: use that of a first line of body text. */
	double w, h, ascent, base = s->kind == STRIP_LINE ? s->y + s->ascent : s->y + 11;

	if (m->text == NULL) {
		m->draw(p, m->data, x + m->x, base - 3.4);
		return;
	}
	text_size(m->text, &w, &h, &ascent);
	text_draw(p, m->text, x + m->x + m->w - w, base - ascent);
}

/* One side of a cell of a table. */
static void
draw_rule(struct paper *p, bool wanted, double x, double y, double w, double h)
{
	if (!wanted)
		return;
	set_color(p, FAINT);
	cairo_rectangle(p->cr, x, y, w, h);
	cairo_fill(p->cr);
}

static void
draw_cell(struct paper *p, struct strip *row, struct cell *c, double x, double y)
{
	/*
	 * Space above the content: all that is left in the cell, or half of it. Content that is
	 * higher than its row starts at the top.
	 */
	double down = c->valign == 0 ? 0 : (row->h - 2 * c->pad - strips_height(c->strips)) / (c->valign == 1 ? 2 : 1);

	x += c->x;
	if (c->fill != NO_COLOR) {
		set_color(p, c->fill);
		cairo_rectangle(p->cr, x, y, c->w, row->h);
		cairo_fill(p->cr);
	}
	draw_rule(p, c->left, x, y, 0.5, row->h);
	draw_rule(p, c->right, x + c->w - 0.5, y, 0.5, row->h);
	draw_rule(p, c->top, x, y, c->w, 0.5);
	draw_rule(p, c->bottom, x, y + row->h - 0.5, c->w, 0.5);
	if (c->ground != NULL) {
		c->ground->top = y;
		c->ground->bottom = y + row->h;
		draw_deco(p, c->ground, x);
	}
	if (row->table)
		tag_begin(p, c->head ? "TH" : "TD", NULL);
	strips_draw(p, c->strips, NULL, x + c->pad, y + c->pad + (down > 0 ? down : 0));
	if (row->table)
		tag_end(p, c->head ? "TH" : "TD");
}

static void
draw_row(struct paper *p, struct strip *s, double x, double y)
{
	size_t i;

	if (s->table)
		tag_begin(p, "TR", NULL);
	for (i = 0; i < s->count; i++)
		draw_cell(p, s, &s->cells[i], x, y);
	if (s->table)
		tag_end(p, "TR");
}

void
strips_draw(struct paper *p, struct strip *first, const struct strip *end, double x, double y)
{
	struct tag *open = NULL;
	struct strip *s;

	draw_grounds(p, first, end, x, y);
	for (s = first; s != end; s = s->next) {
		/* Spaces have no content: draw them outside all structure tags. */
		move_tags(p, open, s->kind == STRIP_SPACE ? NULL : s->tag);
		open = s->kind == STRIP_SPACE ? NULL : s->tag;
		draw_dests(p, s, x + s->x);
		if (s->marker != NULL && !s->marker->behind)
			draw_marker(p, s, x);
		if (s->kind == STRIP_LINE)
			line_draw(p, s, x + s->x, s->y);
		else if (s->kind == STRIP_BOX)
			s->draw(p, s->data, x + s->x, s->y, s->w, s->h);
		else if (s->kind == STRIP_ROW)
			draw_row(p, s, x + s->x, s->y);
		if (s->marker != NULL && s->marker->behind)
			draw_marker(p, s, x);
	}
	move_tags(p, open, NULL);
}

/* ---- rows ---- */

struct strip *
cut_cell(struct paper *p, struct cell *c, double h)
{
	struct strip *s, *before = NULL, *rest;
	double y = 0;

	for (s = c->strips; s != NULL; before = s, s = s->next) {
		double gap = before == NULL ? 0 : s->gap;

		/*
		 * Ignore `sticks` inside cells: a row is only split if it fits on no sheet as a
		 * whole.
		 */
		if (y + gap + s->h > h)
			break;
		y += gap + s->h;
	}
	if (s == NULL)
		return NULL;
	if (s->kind == STRIP_ROW && h - y >= least_part &&
	    (rest = row_split(p, s, h - y - (before == NULL ? 0 : s->gap))) != NULL) {
		rest->next = s->next;
		s->next = NULL;
		return rest;
	}
	if (before == NULL)
		c->strips = NULL;
	else
		before->next = NULL;
	return s;
}

/*
 * Splits a row: all cells are cut at the same height h. s keeps the upper parts, its destinations
 * and its notes; the result holds the lower parts with the same head and tag. Both are aligned to
 * the top, since the middle of one part is not that of the whole cell. NULL: nothing fits, and s is
 * unchanged.
 */
struct strip *
row_split(struct paper *p, struct strip *s, double h)
{
	struct strip *rest = arena_alloc(p->scratch, sizeof(*rest));
	bool some = false;
	size_t i;

	*rest = *s;
	rest->gap = 0;
	rest->dests = NULL;
	rest->notes = NULL;
	rest->marker = NULL;
	rest->cells = arena_array(p->scratch, s->count, sizeof(struct cell));
	memcpy(rest->cells, s->cells, s->count * sizeof(struct cell));
	rest->h = 0;
	for (i = 0; i < s->count; i++) {
		struct cell *c = &s->cells[i], *r = &rest->cells[i];
		/* Empty cells do not show whether content fits. */
		bool had = c->strips != NULL;

		r->strips = cut_cell(p, c, h - 2 * c->pad);
		some |= had && c->strips != NULL;
		if (rest->h < strips_height(r->strips) + 2 * r->pad)
			rest->h = strips_height(r->strips) + 2 * r->pad;
	}
	/* No cell has content above the cut, so the strips go back to s. */
	if (!some) {
		memcpy(s->cells, rest->cells, s->count * sizeof(struct cell));
		return NULL;
	}
	for (i = 0; i < s->count; i++)
		s->cells[i].valign = rest->cells[i].valign = 0;
	s->h = h;
	/* The sheet ends after the upper part, so it must not stick to anything. */
	s->sticks = false;
	return rest;
}
