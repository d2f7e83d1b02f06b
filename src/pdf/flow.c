/*
 * Flows: strips one below the other, and onto sheets.
 *
 * A sheet is cut before the first strip that does not fit, moved up past strips that
 * stick to what follows; a row that is too high is cut itself. On the next sheet the head
 * of the table that goes on is drawn again. Notes of the strips of a sheet stand at its
 * foot, and take from its height.
 */
#include <string.h>

#include "paper.h"

enum {
	NOTE_RULE = 14,         /* between text and notes */
	SHEETS_MAX = 20000,     /* Cairo keeps some 12 kB of each until the end, and nobody prints as many */
	LOOK_SHEETS = 50        /* a page of megabytes has thousands: whoever waits may give up meanwhile */
};
/* Less than about three lines of a row is not worth a cut. */
static const double least_part = 40;  /* of a row, on a sheet */

/* sheets false: the strips are gathered only, for a cell or a note, and the caller takes f->first. */
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
	 * A strip takes what waits for the next one: gap, marker, names. After flow_open() with
	 * padding the gap is dropped, since the padding stands there already.
	 */
	*s = (struct strip){ .kind = kind, .h = h, .x = f->x, .w = f->w, .gap = f->fresh ? 0 : f->gap, .deco = f->deco,
		.tag = f->tag, .marker = f->marker, .dests = f->dests, .head = f->head };
	f->marker = NULL;
	f->dests = NULL;
	f->gap = 0;
	f->fresh = false;
	return s;
}

/* Gaps between blocks do not add up: the larger of two neighbours' counts, as margins collapse in CSS. */
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

/* Notes of a row stand in the strips of its cells. After put_sheet() took them, this is 0. */
static double
notes_height(const struct strip *s)
{
	const struct strip *in;
	const struct note *n;
	double h = 0;
	size_t i;

	for (n = s->notes; n != NULL; n = n->next)
		h += n->h;
	for (i = 0; s->kind == STRIP_ROW && i < s->count; i++)
		for (in = s->cells[i].strips; in != NULL; in = in->next)
			h += notes_height(in);
	return h;
}

/* What a strip adds to a sheet that `used` of is taken. */
static double
strip_cost(const struct strip *s, double used)
{
	/* The first strip of a sheet has no gap above it. */
	return (used > 0 ? s->gap : 0) + s->h + notes_height(s);
}

/* Where the sheet ends: the first strip of the next one; *room: what was left for it. */
static struct strip *
find_cut(struct flow *f, double limit, double *room)
{
	struct strip *s, *before = NULL, *cut = NULL, *last = NULL;
	double used = 0, at_cut = 0;

	for (s = f->first; s != NULL; before = s, s = s->next) {
		/*
		 * A cut may stand before s only if what is above s does not stick to it; the
		 * last such place before the overflow is the cut.
		 */
		if (before != NULL && !before->sticks) {
			last = s;
			at_cut = used;
		}
		if (used + strip_cost(s, used) > limit)
			break;
		used += strip_cost(s, used);
	}
	/* If everything sticks, the rule gives way: the sheet ends where it is full. */
	cut = last != NULL ? last : s;
	*room = limit - (last != NULL ? at_cut : used) - (cut != NULL ? cut->gap + notes_height(cut) : 0);
	return cut;
}

/* NULL only if s is first; the callers exclude that. Linear in the strips of one sheet. */
static struct strip *
before_of(struct strip *first, const struct strip *s)
{
	while (first != NULL && first->next != s)
		first = first->next;
	return first;
}

/* Moves the notes of a strip to the end of the list, so that a repeated head does not print them again. */
static void
collect_notes(struct strip *s, struct note ***at)
{
	struct strip *in;
	size_t i;

	if (s->notes != NULL) {
		**at = s->notes;
		while (**at != NULL)
			*at = &(**at)->next;
		s->notes = NULL;
	}
	for (i = 0; s->kind == STRIP_ROW && i < s->count; i++)
		for (in = s->cells[i].strips; in != NULL; in = in->next)
			collect_notes(in, at);
}

/*
 * Notes the sheet of each name that the strip bears; the first place wins, and in the second
 * pass all have theirs.
 */
static void
see_dests(struct paper *p, struct strip *s)
{
	struct strip *in;
	struct place *d;
	size_t i;

	for (d = s->dests; d != NULL; d = d->next)
		if (d->dest->sheet == 0)
			d->dest->sheet = p->sheet;
	for (i = 0; s->kind == STRIP_ROW && i < s->count; i++)
		for (in = s->cells[i].strips; in != NULL; in = in->next)
			see_dests(p, in);
}

static void
draw_notes(struct paper *p, struct note *notes)
{
	double y = p->height - p->bottom;
	struct note *n;

	/* Notes are set from the lower margin upwards: their heights give where the first begins. */
	for (n = notes; n != NULL; n = n->next)
		y -= n->h;
	if (notes == NULL || p->cr == NULL)
		return;
	set_color(p, FAINT);
	cairo_rectangle(p->cr, p->left, y - NOTE_RULE / 2.0, 90, 0.6);
	cairo_fill(p->cr);
	for (n = notes; n != NULL; y += n->h, n = n->next) {
		tag_begin(p, "Note", NULL);
		strips_draw(p, n->strips, NULL, p->left, y);
		tag_end(p, "Note");
	}
}

/* Sets p->stop where no further sheet is to be made. */
static void
judge_going_on(struct paper *p)
{
	if (p->sheet >= SHEETS_MAX)
		p->stop = arena_printf(p->arena, "it would have more than %d sheets, the most that one PDF may have", SHEETS_MAX);
	else if (p->sheet % LOOK_SHEETS == 0 && !p->source->progress(p->source->ctx, p->stage, p->done, p->total))
		p->stop = PDF_STOPPED;
}

/* Puts the strips before `end` on a sheet. */
static void
put_sheet(struct flow *f, const struct strip *end)
{
	struct note *notes = NULL, **at = &notes, *n;
	struct paper *p = f->paper;
	struct strip *s;

	sheet_begin(p);
	for (s = f->first; s != end; s = s->next) {
		collect_notes(s, &at);
		see_dests(p, s);
	}
	if (p->cr != NULL)
		strips_draw(p, f->first, end, p->left, p->top);
	draw_notes(p, notes);
	for (n = notes; n != NULL; n = n->next)
		strips_drop(n->strips, NULL);
	sheet_end(p);
	strips_drop(f->first, end);
	/* The contents, which belong to no page, are as many as the pages before them let be. */
	if (p->page != NULL && p->stop == NULL)
		judge_going_on(p);
}

/*
 * A shallow copy: cells and layouts are those of the first head, hence `copied`, which keeps
 * strips_drop() off them. It sticks, so that it never stands alone at the foot of a sheet.
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
 * Height that strips and notes of the waiting sheet may take: less the rule above notes where
 * there are any.
 */
static double
limit_of(const struct flow *f)
{
	const struct strip *s;
	double h = paper_height(f->paper);

	for (s = f->first; s != NULL; s = s->next)
		if (notes_height(s) > 0)
			return h - NOTE_RULE;
	return h;
}

/* After a sheet was put: the first strip's gap no longer counts, and a head may have come before it. */
static void
count_again(struct flow *f)
{
	struct strip *s;

	f->used = 0;
	f->tail = NULL;
	for (s = f->first; s != NULL; s = s->next) {
		f->used += strip_cost(s, f->used);
		f->tail = s;
	}
}

/* Does cutting the row itself make a better sheet than moving it whole? */
static bool
worth_splitting(const struct flow *f, const struct strip *s, double room)
{
	/*
	 * Rows below a third of a sheet move whole, which reads better. The first row of a
	 * sheet, or the one behind a repeated head, gains nothing by moving: it is as high on
	 * the next one.
	 */
	return s->kind == STRIP_ROW && room >= least_part &&
	    (s->h > paper_height(f->paper) / 3 || s == f->first || (s == f->first->next && f->first->copied));
}

/*
 * Puts one sheet and leaves what is behind it in the flow. Each call takes at least one strip or
 * part of a row off the flow, beside a repeated head: flow_add() would not end otherwise.
 */
static void
next_sheet(struct flow *f)
{
	double room, limit = limit_of(f);
	struct strip *cut = find_cut(f, limit, &room), *rest, *copy;

	if (cut == f->first || cut == NULL) {
		/* Nothing may be parted from the first strip: it is cut, or stands over the edge. */
		cut = f->first;
		room = limit - notes_height(cut);
	}
	if (worth_splitting(f, cut, room) && (rest = row_split(f->paper, cut, room)) != NULL) {
		rest->next = cut->next;
		cut->next = rest;
		cut = rest;
	} else if (cut == f->first || before_of(f->first, cut)->copied) {
		/*
		 * Nothing, or a repeated head alone, would come on the sheet: the strip goes there
		 * though it is too high.
		 */
		cut = cut->next;
	}
	put_sheet(f, cut);
	f->first = cut;
	/*
	 * The head of a table whose rows go on; a head that is itself the first strip stands
	 * there already.
	 */
	if (cut != NULL && cut->head != NULL && cut->head != cut) {
		copy = copy_head(f->paper, cut->head);
		copy->next = cut;
		f->first = copy;
	}
	count_again(f);
}

/* A loop: one strip that is higher than a sheet leaves further parts. */
void
flow_add(struct flow *f, struct strip *s)
{
	if (f->tail == NULL)
		f->first = s;
	else
		f->tail->next = s;
	f->tail = s;
	f->used += strip_cost(s, f->used);
	while (f->sheets && f->first != NULL && f->used > limit_of(f))
		next_sheet(f);
}

void
flow_end(struct flow *f)
{
	while (f->first != NULL && f->used > limit_of(f))
		next_sheet(f);
	if (f->first != NULL)
		put_sheet(f, NULL);
	f->first = f->tail = NULL;
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

	*t = (struct tag){ f->tag, name, f->tag != NULL ? f->tag->depth + 1 : 1 };
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
	 * Frames within frames would leave no width; 40 pt hold some characters, and stand over
	 * the edge if need be.
	 */
	if (f->w < 40)
		f->w = 40;
	if (tag != NULL)
		f->tag = tag_make(f, tag);
	/*
	 * Padding is a strip of its own, so that the ground is drawn behind it; it sticks to
	 * what it encloses.
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
	 * The lower padding stays with the last strip, and the gap that the last block asked for
	 * is inside: dropped.
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

/* Without notes: what the strips take where they are drawn. */
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
 * A layout is shared by the strips of its lines: the last line's strip lets go of it, on
 * whichever sheet.
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
		/* A head is drawn on further sheets: heads_drop() lets go of it. */
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

/* Outermost first, hence the recursion before the call. */
static void
open_tags(struct paper *p, struct tag *to, const struct tag *from)
{
	if (to == NULL || to == from)
		return;
	open_tags(p, to->up, from);
	tag_begin(p, to->name, NULL);
}

/* Closes and opens tags so that those of `to` are open. */
static void
move_tags(struct paper *p, struct tag *from, struct tag *to)
{
	/*
	 * The innermost tag of both chains; NULL if there is none. Chains are short, so the
	 * product of both is cheap.
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
 * Outer grounds come first in the list, so that inner ones are painted over them. The stamp
 * tells whether the deco was met in this call of draw_grounds(): top and bottom of an earlier
 * sheet are void.
 */
static void
reach_deco(struct paper *p, struct deco *d, const struct strip *s, struct deco **list, size_t *n)
{
	if (d == NULL)
		return;
	reach_deco(p, d->up, s, list, n);
	if (d->stamp != p->stamp) {
		d->stamp = p->stamp;
		d->top = s->y;
		list[(*n)++] = d;
	}
	d->bottom = s->y + s->h;
}

/* A deco that is cut by a sheet's edge gets a closed border on each part. */
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

/* Places the strips, and draws what is behind them. */
static void
draw_grounds(struct paper *p, struct strip *first, const struct strip *end, double x, double y)
{
	struct deco **list, *d;
	size_t n = 0, room = 0, i;
	struct strip *s;

	p->stamp++;
	/* An upper bound: each deco is in the list once, however many strips it has. */
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
		/* Names of destinations are unique in a file: the first place has it. */
		if (d->dest->drawn)
			continue;
		d->dest->drawn = true;
		/* A little above the strip, so that a viewer does not show it flush with its edge. */
		tag_begin(p, CAIRO_TAG_DEST, arena_printf(p->scratch, "name='d%d' x=%.1f y=%.1f", d->dest->no, x,
		    s->y > 14 ? s->y - 14 : 0));
		tag_end(p, CAIRO_TAG_DEST);
	}
}

static void
draw_marker(struct paper *p, struct strip *s, double x)
{
	struct marker *m = s->marker;
	/* A box has no baseline: its marker stands where the first line of body text would. */
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
	 * The room that is left in the cell, or half of it. A cell that is higher than its row's
	 * share stays at the top.
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
		/* What has no words of its own stands outside the tags of words. */
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

/* Cuts the strips of a cell at height h; what is below the cut. */
static struct strip *
cut_cell(struct paper *p, struct cell *c, double h)
{
	struct strip *s, *before = NULL, *rest;
	double y = 0;

	for (s = c->strips; s != NULL; before = s, s = s->next) {
		double gap = before == NULL ? 0 : s->gap;

		/* Inside cells `sticks` does not count: a row is cut only because no whole row fits. */
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
 * All cells are cut at the same height. On success s keeps the upper parts and the result the
 * lower ones, with the same head and tag, and top alignment: the middle of a part is not that of
 * the whole. Names and notes stay with s.
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
		/* Empty cells do not tell whether anything fits. */
		bool had = c->strips != NULL;

		r->strips = cut_cell(p, c, h - 2 * c->pad);
		some |= had && c->strips != NULL;
		if (rest->h < strips_height(r->strips) + 2 * r->pad)
			rest->h = strips_height(r->strips) + 2 * r->pad;
	}
	/* Nothing moved above the cut: each rest holds all of its cell, and is given back. */
	if (!some) {
		memcpy(s->cells, rest->cells, s->count * sizeof(struct cell));
		return NULL;
	}
	for (i = 0; i < s->count; i++)
		s->cells[i].valign = rest->cells[i].valign = 0;
	s->h = h;
	/* The cut is a break by itself, whatever the row was to stay with. */
	s->sticks = false;
	return rest;
}
