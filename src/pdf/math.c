/* Boxes of formulas: measured, placed, drawn. Contract: math.h. */
#include <math.h>
#include <string.h>

#include "math.h"

static const double axis = 0.26;      /* of fraction rules and minus signs, above the baseline, in em */
static const double rule_em = 0.05;

/* In scratch and zeroed; stretch 1 draws text as it is. */
static struct mbox *
new_box(struct paper *p, enum math_kind kind)
{
	struct mbox *b = arena_alloc(p->scratch, sizeof(*b));

	b->kind = kind;
	b->stretch = 1;
	return b;
}

/*
 * Adds a part and widens the box to hold it. y is the part's baseline below the box's own. A
 * walk to the end of the list: rows have few parts, and BOXES_MAX of math_parse.c bounds them.
 */
static void
put_part(struct mbox *b, struct mbox *part, double x, double y)
{
	struct mbox **at = &b->parts;

	while (*at != NULL)
		at = &(*at)->next;
	*at = part;
	part->x = x;
	part->y = y;
	b->w = fmax(b->w, x + part->w);
	b->up = fmax(b->up, part->up - y);
	b->down = fmax(b->down, part->down + y);
}

struct mbox *
mbox_text(struct paper *p, const char *s, double size, enum math_face face)
{
	struct type t = { .family = face == FACE_SANS ? p->sans : face == FACE_MONO ? p->mono : p->serif, .size = size,
		.italic = face == FACE_ITALIC, .bold = face == FACE_BOLD, .color = INK, .forward = true };
	struct mbox *b = new_box(p, MATH_TEXT);
	PangoRectangle ink, logical;
	struct writer *w;
	struct flow f;

	/* Only its scale, 1, and its paper are used: width -1 below makes one line of the text. */
	flow_init(&f, p, 1000, false);
	w = writer_new(&f, &t);
	writer_text(w, s);
	b->text = writer_end(w, -1);
	pango_layout_get_extents(b->text->layout, &ink, &logical);
	b->ascent = (double)pango_layout_get_baseline(b->text->layout) / PANGO_SCALE;
	b->w = (double)logical.width / PANGO_SCALE;
	/* Slanted letters lean over their right edge. */
	if (face == FACE_ITALIC)
		b->w = fmax(b->w, (double)(ink.x + ink.width) / PANGO_SCALE + 0.03 * size);
	/*
	 * Height and depth are those of the ink, not of the font's line: scripts and fraction
	 * rules sit close to what is there.
	 */
	b->up = b->ascent - (double)ink.y / PANGO_SCALE;
	b->down = (double)(ink.y + ink.height) / PANGO_SCALE - b->ascent;
	return b;
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
	put_part(row, part, row->w, 0);
	/* A negative space goes back. */
	row->w = end;
}

/*
 * count: numbers, two for each point. The points are copied, since callers pass compound
 * literals of their own block.
 */
static struct mbox *
lines(struct paper *p, const double *points, size_t count, double thick)
{
	struct mbox *b = new_box(p, MATH_LINES);
	double *copy = arena_array(p->scratch, count, sizeof(double));

	memcpy(copy, points, count * sizeof(double));
	b->points = copy;
	b->count = count;
	b->thick = thick;
	return b;
}

/* Both parts are centered over the wider one, with 0.1 em of rule to either side. */
struct mbox *
mbox_fraction(struct paper *p, struct mbox *above, struct mbox *below, double size, bool rule)
{
	struct mbox *b = new_box(p, MATH_PARTS);
	double w = fmax(above->w, below->w) + 0.2 * size, at = -axis * size, gap = 0.14 * size;

	put_part(b, above, (w - above->w) / 2, at - gap - above->down);
	put_part(b, below, (w - below->w) / 2, at + gap + below->up);
	/* A binomial coefficient is a fraction without rule. */
	if (rule)
		put_part(b, lines(p, (double[]){ 0.05 * size, 0, w - 0.05 * size, 0 }, 4, rule_em * size), 0, at);
	b->w = w;
	return b;
}

/*
 * The radical is drawn as strokes, so that it grows with what is inside; no font has signs of
 * every height.
 */
struct mbox *
mbox_root(struct paper *p, struct mbox *inside, struct mbox *degree, double size)
{
	struct mbox *b = new_box(p, MATH_PARTS);
	double top = -inside->up - 0.16 * size, bottom = inside->down + 0.04 * size, x = 0, high = bottom - top;

	if (degree != NULL) {
		put_part(b, degree, 0, top + high * 0.45);
		/* The degree stands in the crook of the sign, overlapping it. */
		x = fmax(degree->w - 0.25 * size, 0);
	}
	put_part(b, lines(p, (double[]){ x, top + high * 0.62, x + 0.16 * size, top + high * 0.52, x + 0.36 * size, bottom,
	    x + 0.62 * size, top, x + 0.72 * size + inside->w, top }, 10, rule_em * size), 0, 0);
	put_part(b, inside, x + 0.66 * size, 0);
	b->w = x + 0.76 * size + inside->w;
	b->up = fmax(b->up, -top + 0.06 * size);
	b->down = fmax(b->down, bottom);
	return b;
}

/* Rules 18a to 18e of The TeXbook, appendix G, with shifts in em in place of font parameters. */
struct mbox *
mbox_scripts(struct paper *p, struct mbox *base, struct mbox *above, struct mbox *below, double size)
{
	struct mbox *b = new_box(p, MATH_PARTS);
	double up = 0, down = 0;

	put_part(b, base, 0, 0);
	if (above != NULL)
		up = fmax(0.4 * size, base->up - 0.3 * size);
	if (below != NULL)
		down = fmax(0.18 * size, base->down + 0.06 * size);
	/* They do not touch. */
	if (above != NULL && below != NULL && up - above->down + down - below->up < 0.14 * size)
		down = 0.14 * size - up + above->down + below->up;
	if (above != NULL)
		put_part(b, above, base->w + 0.04 * size, -up);
	if (below != NULL)
		put_part(b, below, base->w + 0.01 * size, down);
	b->w += 0.05 * size;
	b->class = base->class;
	return b;
}

/* Class and baseline are those of the base, so that \sum with limits is spaced as \sum is. */
struct mbox *
mbox_stack(struct paper *p, struct mbox *base, struct mbox *above, struct mbox *below, double size)
{
	struct mbox *b = new_box(p, MATH_PARTS);
	double w = fmax(base->w, fmax(above != NULL ? above->w : 0, below != NULL ? below->w : 0));

	put_part(b, base, (w - base->w) / 2, 0);
	if (above != NULL)
		put_part(b, above, (w - above->w) / 2, -base->up - 0.12 * size - above->down);
	if (below != NULL)
		put_part(b, below, (w - below->w) / 2, base->down + 0.12 * size + below->up);
	b->w = w;
	b->class = base->class;
	return b;
}

struct mbox *
mbox_delimiter(struct paper *p, const char *s, double size, double height)
{
	struct mbox *b = mbox_text(p, s, size, FACE_ROMAN);
	double natural = b->up + b->down;

	/* Stretching by less is not seen, and stretched strokes are thicker. */
	if (natural <= 0 || height <= natural * 1.08) {
		return b;
	}
	b->stretch = height / natural;
	/* What was its middle stands on the axis. */
	b->shift = -axis * size + height / 2 - b->down * b->stretch;
	b->up = height / 2 + axis * size;
	b->down = height / 2 - axis * size;
	return b;
}

struct mbox *
mbox_between(struct paper *p, const char *left, struct mbox *inside, const char *right, double size)
{
	struct mbox *b = new_box(p, MATH_PARTS);
	/*
	 * Delimiters reach as far above the axis as below it, whichever side of the inside
	 * reaches farther.
	 */
	double half = fmax(inside->up - axis * size, inside->down + axis * size) + 0.06 * size;

	if (*left != '\0')
		mbox_append(p, b, mbox_delimiter(p, left, size, 2 * half));
	mbox_append(p, b, inside);
	if (*right != '\0')
		mbox_append(p, b, mbox_delimiter(p, right, size, 2 * half));
	return b;
}

struct mbox *
mbox_line(struct paper *p, struct mbox *inside, double size, bool above)
{
	struct mbox *b = new_box(p, MATH_PARTS);
	double y = above ? -inside->up - 0.12 * size : inside->down + 0.12 * size;

	put_part(b, inside, 0, 0);
	put_part(b, lines(p, (double[]){ 0, 0, inside->w, 0 }, 4, rule_em * size), 0, y);
	b->up = fmax(b->up, -y + rule_em * size);
	b->down = fmax(b->down, y + rule_em * size);
	return b;
}

static double
shift_in(const char *align, size_t column, double room)
{
	size_t n = strlen(align);
	/* The last letter of the alignment goes on for all further columns. */
	char a = n == 0 ? 'c' : align[column < n ? column : n - 1];

	return a == 'l' ? 0 : a == 'r' ? room : room / 2;
}

struct mbox *
mbox_table(struct paper *p, struct mbox ***rows, size_t n, size_t columns, const char *align, double size)
{
	struct mbox *b = new_box(p, MATH_PARTS);
	double *w = arena_array(p->scratch, columns, sizeof(double)), y = 0, x, up, down, total;
	size_t i, k;

	for (i = 0; i < n; i++)
		for (k = 0; k < columns; k++)
			if (rows[i][k] != NULL)
				w[k] = fmax(w[k], rows[i][k]->w);
	for (i = 0; i < n; i++) {
		/*
		 * Least height and depth of a row, so that rows of small letters are not set
		 * closer than others.
		 */
		up = 0.7 * size;
		down = 0.25 * size;
		for (k = 0; k < columns; k++)
			if (rows[i][k] != NULL) {
				up = fmax(up, rows[i][k]->up);
				down = fmax(down, rows[i][k]->down);
			}
		y += up + (i > 0 ? 0.28 * size : 0);
		for (x = 0, k = 0; k < columns; k++) {
			if (rows[i][k] != NULL)
				put_part(b, rows[i][k], x + shift_in(align, k, w[k] - rows[i][k]->w), y);
			/* Left and right sides of an equation stand close. */
			x += w[k] + (strncmp(align, "rl", 2) == 0 && k % 2 == 0 ? 0.2 : 0.8) * size;
		}
		y += down;
	}
	/* Centered on the axis. */
	total = y;
	for (struct mbox *part = b->parts; part != NULL; part = part->next)
		part->y -= total / 2 + axis * size;
	b->up = total / 2 + axis * size;
	b->down = total / 2 - axis * size;
	return b;
}

/* ---- drawing ---- */

/*
 * Stretched text is scaled about its baseline and then moved by `shift`, which brings its middle
 * to the axis.
 */
static void
draw_text(struct paper *p, struct mbox *b, double x, double y)
{
	if (b->stretch == 1) {
		text_draw(p, b->text, x, y - b->ascent);
	} else {
		cairo_save(p->cr);
		cairo_translate(p->cr, x, y + b->shift);
		cairo_scale(p->cr, 1, b->stretch);
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
	paint(p, INK);
	cairo_set_line_width(p->cr, b->thick);
	cairo_stroke(p->cr);
}

static void
draw_box(struct paper *p, struct mbox *b, double x, double y)
{
	struct mbox *part;

	if (b->kind == MATH_TEXT)
		draw_text(p, b, x, y);
	else if (b->kind == MATH_LINES)
		draw_lines(p, b, x, y);
	for (part = b->parts; part != NULL; part = part->next)
		draw_box(p, part, x + part->x, y + part->y);
}

static void
drop_box(struct mbox *b)
{
	struct mbox *part;

	if (b->text != NULL)
		text_drop(b->text);
	for (part = b->parts; part != NULL; part = part->next)
		drop_box(part);
}

/* Formulas are drawn once, but for those in the head of a table. */
static void
draw_object(struct paper *p, void *data, double x, double baseline)
{
	draw_box(p, data, x, baseline);
}

static void
drop_object(void *data)
{
	drop_box(data);
}

/*
 * The layouts are let go with the scratch arena and not when they are drawn: the first pass
 * draws nothing.
 */
struct object *
math_object(struct paper *p, const char *formula, double size, bool display)
{
	struct mbox *b = math_parse(p, formula, size, display);
	struct object *o;

	if (b == NULL)
		return NULL;
	o = arena_alloc(p->scratch, sizeof(*o));
	/* Half a point above and below keeps rules off the neighbouring lines. */
	*o = (struct object){ b->w, b->up + 0.5, b->down + 0.5, draw_object, b };
	arena_on_end(p->scratch, drop_object, b);
	return o;
}
