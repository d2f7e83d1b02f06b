/* Boxes of formulas: measures, places and draws them. Contract: math.h. */
#include <math.h>
#include <string.h>

#include "base/map.h"
#include "math.h"

static const double axis = 0.26;      /* of fraction rules and minus signs above the baseline, in em */
static const double rule_em = 0.05;

/* Allocates a box in scratch, zeroed but for its colors. stretch and widen 1 draw text unscaled. */
static struct mbox *
new_box(struct paper *p, enum math_kind kind)
{
	struct mbox *b = arena_alloc(p->scratch, sizeof(*b));

	b->kind = kind;
	b->stretch = b->widen = 1;
	b->back = NO_COLOR;
	b->ink = p->math_ink;
	return b;
}

/*
 * Adds a part and grows the box to contain it. x, y: the part's baseline start relative to that of
 * the box.
 */
void
mbox_put(struct mbox *b, struct mbox *part, double x, double y)
{
	*(b->last != NULL ? &b->last->next : &b->parts) = part;
	b->last = part;
	part->x = x;
	part->y = y;
	b->w = fmax(b->w, x + part->w);
	b->up = fmax(b->up, part->up - y);
	b->down = fmax(b->down, part->down + y);
}

static void
drop_text(void *text)
{
	text_drop(text);
}

/* Lays out one line of text with the usual writer; its layout is freed with the scratch arena. */
static struct text *
make_text(struct paper *p, const char *s, double size, int face)
{
	struct type t = { .family = face & FACE_SANS ? p->sans : face & FACE_MONO ? p->mono : p->serif, .size = size,
		.italic = (face & FACE_ITALIC) != 0, .bold = (face & FACE_BOLD) != 0, .color = p->math_ink, .forward = true };
	struct text *text;
	struct writer *w;
	struct flow f;

	/* The flow supplies only paper and scale (1): width -1 below makes a single line. */
	flow_init(&f, p, 1000, false);
	w = writer_new(&f, &t);
	writer_text(w, s);
	text = writer_end(w, -1);
	/*
	 * Do not free it after drawing: the first pass draws nothing, and table heads are drawn
	 * several times.
	 */
	arena_on_end(p->scratch, drop_text, text);
	return text;
}

struct mbox *
mbox_text(struct paper *p, const char *s, double size, int face)
{
	struct mbox *b = new_box(p, MATH_TEXT);
	PangoRectangle ink, logical;

	b->text = make_text(p, s, size, face);
	pango_layout_get_extents(b->text->layout, &ink, &logical);
	b->ascent = (double)pango_layout_get_baseline(b->text->layout) / PANGO_SCALE;
	b->w = (double)logical.width / PANGO_SCALE;
	/* The ink of slanted letters extends beyond their right edge. */
	if (face & FACE_ITALIC)
		b->w = fmax(b->w, (double)(ink.x + ink.width) / PANGO_SCALE + 0.03 * size);
	/*
	 * Use height and depth of the ink instead of the font's line, so that scripts and fraction
	 * rules are set close to it.
	 */
	b->up = b->ascent - (double)ink.y / PANGO_SCALE;
	b->down = (double)(ink.y + ink.height) / PANGO_SCALE - b->ascent;
	return b;
}

bool
mbox_has(struct paper *p, const char *s)
{
	size_t unknown = p->unknown;
	bool has;

	make_text(p, s, 10, FACE_ROMAN);
	has = p->unknown == unknown;
	/* The text was only tested: do not count its missing glyphs as printed. */
	p->unknown = unknown;
	return has;
}

struct mbox *
mbox_row(struct paper *p)
{
	return new_box(p, MATH_PARTS);
}

struct mbox *
mbox_space(struct paper *p, double w)
{
	struct mbox *b = new_box(p, MATH_PARTS);

	b->w = w;
	return b;
}

void
mbox_append(struct paper *p, struct mbox *row, struct mbox *part)
{
	double end = row->w + part->w;

	(void)p;
	mbox_put(row, part, row->w, 0);
	/* mbox_put() only widens the row, but a negative space must shorten it. */
	row->w = end;
}

/*
 * count: number of doubles, two per point. The points are copied, since callers pass compound
 * literals.
 */
static struct mbox *
line_box(struct paper *p, const double *points, size_t count, double thick)
{
	struct mbox *b = new_box(p, MATH_LINES);
	double *copy = arena_array(p->scratch, count, sizeof(double));

	memcpy(copy, points, count * sizeof(double));
	b->points = copy;
	b->count = count;
	b->thick = thick;
	return b;
}

/* Both parts are centered; the rule extends 0.1 em beyond the wider one on either side. */
struct mbox *
mbox_fraction(struct paper *p, struct mbox *above, struct mbox *below, double size, bool rule)
{
	struct mbox *b = new_box(p, MATH_PARTS);
	double w = fmax(above->w, below->w) + 0.2 * size, at = -axis * size, gap = 0.14 * size;

	mbox_put(b, above, (w - above->w) / 2, at - gap - above->down);
	mbox_put(b, below, (w - below->w) / 2, at + gap + below->up);
	/* A binomial coefficient is a fraction without a rule. */
	if (rule)
		mbox_put(b, line_box(p, (double[]){ 0.05 * size, 0, w - 0.05 * size, 0 }, 4, rule_em * size), 0, at);
	b->w = w;
	return b;
}

/* The radical is drawn as strokes, because fonts lack glyphs for every height. */
struct mbox *
mbox_root(struct paper *p, struct mbox *inside, struct mbox *degree, double size)
{
	struct mbox *b = new_box(p, MATH_PARTS);
	double top = -inside->up - 0.16 * size, bottom = inside->down + 0.04 * size, x = 0, high = bottom - top;

	if (degree != NULL) {
		mbox_put(b, degree, 0, top + high * 0.45);
		/* The degree overlaps the left stroke of the radical. */
		x = fmax(degree->w - 0.25 * size, 0);
	}
	mbox_put(b, line_box(p, (double[]){ x, top + high * 0.62, x + 0.16 * size, top + high * 0.52, x + 0.36 * size, bottom,
	    x + 0.62 * size, top, x + 0.72 * size + inside->w, top }, 10, rule_em * size), 0, 0);
	mbox_put(b, inside, x + 0.66 * size, 0);
	b->w = x + 0.76 * size + inside->w;
	b->up = fmax(b->up, -top + 0.06 * size);
	b->down = fmax(b->down, bottom);
	return b;
}

/* The TeXbook, appendix G, rules 18a to 18e, with shifts in em instead of font parameters. */
struct mbox *
mbox_scripts(struct paper *p, struct mbox *base, struct mbox *above, struct mbox *below, double size)
{
	struct mbox *b = new_box(p, MATH_PARTS);
	double up = 0, down = 0;

	mbox_put(b, base, 0, 0);
	if (above != NULL)
		up = fmax(0.4 * size, base->up - 0.3 * size);
	if (below != NULL)
		down = fmax(0.18 * size, base->down + 0.06 * size);
	/* Keep superscript and subscript apart. */
	if (above != NULL && below != NULL && up - above->down + down - below->up < 0.14 * size)
		down = 0.14 * size - up + above->down + below->up;
	if (above != NULL)
		mbox_put(b, above, base->w + 0.04 * size, -up);
	if (below != NULL)
		mbox_put(b, below, base->w + 0.01 * size, down);
	b->w += 0.05 * size;
	b->class = base->class;
	return b;
}

/* Keeps class and baseline of the base, so that \sum with limits is spaced like \sum. */
struct mbox *
mbox_stack(struct paper *p, struct mbox *base, struct mbox *above, struct mbox *below, double size)
{
	struct mbox *b = new_box(p, MATH_PARTS);
	double w = fmax(base->w, fmax(above != NULL ? above->w : 0, below != NULL ? below->w : 0));

	mbox_put(b, base, (w - base->w) / 2, 0);
	if (above != NULL)
		mbox_put(b, above, (w - above->w) / 2, -base->up - 0.12 * size - above->down);
	if (below != NULL)
		mbox_put(b, below, (w - below->w) / 2, base->down + 0.12 * size + below->up);
	b->w = w;
	b->class = base->class;
	return b;
}

struct mbox *
mbox_accent(struct paper *p, struct mbox *base, struct mbox *mark, double size, bool above)
{
	struct mbox *b = new_box(p, MATH_PARTS);
	double gap = 0.02 * size, h = mark->up + mark->down;

	mbox_put(b, base, 0, 0);
	/* Use only the ink height of the mark: fonts place it above a small letter. */
	mbox_put(b, mark, (base->w - mark->w) / 2, above ? -(base->up + gap) - mark->down : base->down + gap + mark->up);
	b->up = base->up + (above ? gap + h : 0);
	b->down = base->down + (above ? 0 : gap + h);
	b->w = base->w;
	b->class = base->class;
	return b;
}

struct mbox *
mbox_large(struct paper *p, const char *s, double size, double by)
{
	struct mbox *b = new_box(p, MATH_PARTS), *sign = mbox_text(p, s, size * by, FACE_ROMAN);

	mbox_put(b, sign, 0, (sign->up - sign->down) / 2 - axis * size);
	return b;
}

struct mbox *
mbox_delimiter(struct paper *p, const char *s, double size, double height)
{
	struct mbox *b = mbox_text(p, s, size, FACE_ROMAN);
	double natural = b->up + b->down;

	/* Smaller differences are invisible, and stretching thickens the strokes. */
	if (natural <= 0 || height <= natural * 1.08)
		return b;
	b->stretch = height / natural;
	/* Center the stretched delimiter on the axis. */
	b->shift = -axis * size + height / 2 - b->down * b->stretch;
	b->up = height / 2 + axis * size;
	b->down = height / 2 - axis * size;
	return b;
}

/* Symmetric about the axis: the larger of the two distances counts on both sides. */
double
mbox_reach(double up, double down, double size)
{
	return 2 * (fmax(up - axis * size, down + axis * size) + 0.06 * size);
}

/* Drawn as strokes: stretching the glyph would flatten the arrow head. */
static struct mbox *
draw_arrow(struct paper *p, bool left, bool right, double size, double width)
{
	struct mbox *b = new_box(p, MATH_PARTS);
	double thick = rule_em * size, y = -axis * size, head = 0.13 * size;

	mbox_put(b, line_box(p, (double[]){ 0, 0, width, 0 }, 4, thick), 0, y);
	if (left)
		mbox_put(b, line_box(p, (double[]){ head, -head, 0, 0, head, head }, 6, thick), 0, y);
	if (right)
		mbox_put(b, line_box(p, (double[]){ width - head, -head, width, 0, width - head, head }, 6, thick), 0, y);
	b->w = width;
	b->up = -y + head;
	b->down = y + head;
	return b;
}

struct mbox *
mbox_wide(struct paper *p, const char *s, double size, double width)
{
	bool left = strcmp(s, "←") == 0, both = strcmp(s, "↔") == 0;
	struct mbox *b;

	if (left || both || strcmp(s, "→") == 0)
		return draw_arrow(p, left || both, !left, size, width);
	b = mbox_text(p, s, size, FACE_ROMAN);
	if (b->w > 0 && width > b->w) {
		b->widen = width / b->w;
		b->w = width;
	}
	return b;
}

struct mbox *
mbox_line(struct paper *p, struct mbox *inside, double size, bool above)
{
	struct mbox *b = new_box(p, MATH_PARTS);
	double y = above ? -inside->up - 0.12 * size : inside->down + 0.12 * size;

	mbox_put(b, inside, 0, 0);
	mbox_put(b, line_box(p, (double[]){ 0, 0, inside->w, 0 }, 4, rule_em * size), 0, y);
	b->up = fmax(b->up, -y + rule_em * size);
	b->down = fmax(b->down, y + rule_em * size);
	return b;
}

struct mbox *
mbox_enclose(struct paper *p, struct mbox *inside, int marks, double size)
{
	struct mbox *b = new_box(p, MATH_PARTS);
	/* Strokes through the content reach its corners; lines around it keep a distance. */
	double pad = marks < ENCLOSE_UP ? 0.25 * size : 0, w = inside->w + 2 * pad, thick = rule_em * size;
	double top = -inside->up - pad, bottom = inside->down + pad, middle = -axis * size;
	const struct { int mark; double points[4]; } all[] = {
		{ ENCLOSE_LEFT, { 0, top, 0, bottom } }, { ENCLOSE_RIGHT, { w, top, w, bottom } },
		{ ENCLOSE_TOP, { 0, top, w, top } }, { ENCLOSE_BOTTOM, { 0, bottom, w, bottom } },
		{ ENCLOSE_UP, { 0, bottom, w, top } }, { ENCLOSE_DOWN, { 0, top, w, bottom } },
		{ ENCLOSE_THROUGH, { 0, middle, w, middle } } };
	size_t i;

	mbox_put(b, inside, pad, 0);
	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (marks & all[i].mark)
			mbox_put(b, line_box(p, all[i].points, 4, thick), 0, 0);
	b->w = w;
	b->up = -top + thick;
	b->down = bottom + thick;
	return b;
}

/* Measures of a table of a formula, in points. */
struct grid {
	double *x, *y, *w;         /* x, w: left ends and widths of columns; y: baselines of rows, from the top */
	double *bottom;            /* lower ends of rows */
	double  width, height;
};

/*
 * A column is as wide as its widest cell; the space after it is the largest that one of its cells
 * has.
 */
static void
measure_columns(struct grid *g, struct mcell **rows, size_t n, size_t columns)
{
	double x = 0, room;
	size_t i, k;

	for (k = 0; k < columns; k++) {
		for (room = 0, i = 0; i < n; i++) {
			if (rows[i][k].box != NULL)
				g->w[k] = fmax(g->w[k], rows[i][k].box->w);
			room = fmax(room, rows[i][k].right);
		}
		g->x[k] = x;
		x += g->w[k];
		g->width = x;
		x += room;
	}
}

static void
measure_rows(struct grid *g, struct mcell **rows, size_t n, size_t columns, double size)
{
	double y = 0, up, down, room;
	size_t i, k;

	for (i = 0; i < n; i++) {
		/*
		 * Minimum height and depth, so that rows of small letters are not closer than
		 * others.
		 */
		up = 0.7 * size;
		down = 0.25 * size;
		for (room = 0, k = 0; k < columns; k++) {
			if (rows[i][k].box != NULL) {
				up = fmax(up, rows[i][k].box->up);
				down = fmax(down, rows[i][k].box->down);
			}
			room = fmax(room, rows[i][k].below);
		}
		g->y[i] = y + up;
		g->bottom[i] = g->height = y + up + down;
		y = g->height + room + 0.12 * size;
	}
}

/*
 * Draws the rules in the middle of the space between two columns or rows; a column's rule spans the
 * table's height.
 */
static void
rule_cells(struct paper *p, struct mbox *b, const struct grid *g, struct mcell **rows, size_t i, size_t k, double size,
    double top)
{
	const struct mcell *c = &rows[i][k];
	double at;

	if (c->line_right && i == 0) {
		at = g->x[k] + g->w[k] + c->right / 2;
		mbox_put(b, line_box(p, (double[]){ at, -0.1 * size, at, g->height + 0.1 * size }, 4, rule_em * size), 0, top);
	}
	if (c->line_below && k == 0) {
		at = g->bottom[i] + (c->below + 0.12 * size) / 2;
		mbox_put(b, line_box(p, (double[]){ -0.1 * size, at, g->width + 0.1 * size, at }, 4, rule_em * size), 0, top);
	}
}

struct mbox *
mbox_table(struct paper *p, struct mcell **rows, size_t n, size_t columns, double size)
{
	struct grid g = { .x = arena_array(p->scratch, columns + 1, sizeof(double)),
		.w = arena_array(p->scratch, columns + 1, sizeof(double)),
		.y = arena_array(p->scratch, n + 1, sizeof(double)), .bottom = arena_array(p->scratch, n + 1, sizeof(double)) };
	struct mbox *b = new_box(p, MATH_PARTS);
	const struct mcell *c;
	double top, room;
	size_t i, k;

	measure_columns(&g, rows, n, columns);
	measure_rows(&g, rows, n, columns, size);
	/* Center the table on the axis. */
	top = -g.height / 2 - axis * size;
	for (i = 0; i < n; i++)
		for (k = 0; k < columns; k++) {
			c = &rows[i][k];
			if (c->box != NULL) {
				room = g.w[k] - c->box->w;
				mbox_put(b, c->box, g.x[k] + (c->align == 'l' ? 0 : c->align == 'r' ? room : room / 2), top + g.y[i]);
			}
			rule_cells(p, b, &g, rows, i, k, size, top);
		}
	b->w = g.width;
	b->up = -top;
	b->down = g.height + top;
	return b;
}

/* ---- drawing ---- */

/*
 * Stretched text is scaled about its baseline, then moved by `shift`, which centers it on the axis.
 */
static void
draw_text(struct paper *p, struct mbox *b, double x, double y)
{
	if (b->stretch == 1 && b->widen == 1) {
		text_draw(p, b->text, x, y - b->ascent);
	} else {
		cairo_save(p->cr);
		cairo_translate(p->cr, x, y + b->shift);
		cairo_scale(p->cr, b->widen, b->stretch);
		text_draw(p, b->text, 0, -b->ascent);
		cairo_restore(p->cr);
	}
}

static void
draw_lines(struct paper *p, const struct mbox *b, double x, double y)
{
	size_t i;

	cairo_new_path(p->cr);
	for (i = 0; i + 1 < b->count; i += 2)
		cairo_line_to(p->cr, x + b->points[i], y + b->points[i + 1]);
	set_color(p, b->ink);
	cairo_set_line_width(p->cr, b->thick);
	cairo_stroke(p->cr);
}

static void
draw_back(struct paper *p, const struct mbox *b, double x, double y)
{
	set_color(p, b->back);
	cairo_rectangle(p->cr, x, y - b->up, b->w, b->up + b->down);
	cairo_fill(p->cr);
}

static void
draw_box(struct paper *p, struct mbox *b, double x, double y)
{
	struct mbox *part;

	if (b->back != NO_COLOR)
		draw_back(p, b, x, y);
	if (b->kind == MATH_TEXT)
		draw_text(p, b, x, y);
	else if (b->kind == MATH_LINES)
		draw_lines(p, b, x, y);
	for (part = b->parts; part != NULL; part = part->next)
		draw_box(p, part, x + part->x, y + part->y);
}

/* Formulas are drawn once, except those in repeated table heads. */
static void
draw_object(struct paper *p, void *data, double x, double baseline)
{
	draw_box(p, data, x, baseline);
}

/*
 * The caller's MathML of a formula; p NULL: print the source instead. The first pass decides, and
 * the second repeats the decision: otherwise its layout would differ.
 */
static struct str
find_mathml(struct paper *p, const char *formula, bool display)
{
	char *key = arena_printf(p->formula, "%c%s", display ? 'd' : 'i', formula);
	struct str set = { NULL, 0 };

	if (p->source->math != NULL && map_get(p->unset, str_of(key)) == NULL)
		set = p->source->math(p->source->ctx, p->formula, formula, display);
	return set;
}

/* Records that the formula prints as its source and warns once, with the start of the formula. */
static void
leave_unset(struct paper *p, const char *formula, bool display)
{
	char *key = arena_printf(p->arena, "%c%s", display ? 'd' : 'i', formula);
	size_t n = strnlen(formula, 60);

	if (map_get(p->unset, str_of(key)) != NULL)
		return;
	map_add(p->unset, str_of(key), p);
	/* Do not cut within a UTF-8 character. */
	while (n > 0 && ((unsigned char)formula[n] & 0xC0) == 0x80)
		n--;
	if (p->cr == NULL)
		paper_warn(p, "the formula %s%s is shown as its source, for it cannot be set",
		    arena_strndup(p->scratch, formula, n), formula[n] != '\0' ? "…" : "");
}

struct object *
math_object(struct paper *p, const char *formula, double size, bool display)
{
	struct str set = find_mathml(p, formula, display);
	struct mbox *b = set.n > 0 ? math_read(p, set, size) : NULL;
	struct object *o;

	arena_reset(p->formula);
	/* Print the source of a formula without visible content. */
	if (b == NULL || b->w <= 0) {
		leave_unset(p, formula, display);
		return NULL;
	}
	o = arena_alloc(p->scratch, sizeof(*o));
	/* Half a point above and below keeps rules away from the neighbouring lines. */
	*o = (struct object){ b->w, b->up + 0.5, b->down + 0.5, draw_object, b };
	return o;
}
