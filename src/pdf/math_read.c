/*
 * Reads MathML into boxes. The input is what octavo-typeset makes of a formula (typeset/typeset.h),
 * as sites show it: elements and attributes of MathML Core, and those of MathML 3 that KaTeX
 * writes. An unknown element makes the reading fail, and the caller prints the source: a formula
 * with a part missing would have another meaning.
 */
#include <gumbo.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math.h"

/* Limits for untrusted formulas: depth of recursion, number of boxes and cells, bytes of MathML. */
enum { DEPTH_MAX = 80, BOXES_MAX = 20000, CELLS_MAX = 200, LEVEL_MAX = 4, MATHML_MAX = 1 << 20 };

/*
 * State while one formula is read. Size and style are those of the current element; a function that
 * changes them must restore them.
 */
struct reader {
	struct paper *paper;
	double        base;        /* size of level 0, in points */
	int           level;       /* nesting of scripts; 0: on the baseline */
	bool          display;     /* MathML's displaystyle */
	bool          failed;
	int           depth, boxes;
};

static struct mbox *read_element(struct reader *r, const GumboNode *n);

/* Marks the formula as failed. Returns an empty box, so that callers need not test for NULL. */
static struct mbox *
fail_formula(struct reader *r)
{
	r->failed = true;
	return mbox_row(r->paper);
}

/* Current type size in points; at least 5, so that nested scripts stay legible. */
static double
current_size(const struct reader *r)
{
	return fmax(r->base * pow(0.7, r->level), 5);
}

/* ---- the tree ---- */

static bool
is_element(const GumboNode *n, const char *name)
{
	/*
	 * Gumbo has no tag enumerators for most elements of MathML: compare the original spelling.
	 */
	GumboStringPiece tag = n->v.element.original_tag;

	gumbo_tag_from_original_text(&tag);
	return tag.length == strlen(name) && memcmp(tag.data, name, tag.length) == 0;
}

/* Value of an attribute; NULL: absent. */
static const char *
get_attribute(const GumboNode *n, const char *name)
{
	const GumboAttribute *a = gumbo_get_attribute(&n->v.element.attributes, name);

	return a != NULL ? a->value : NULL;
}

static bool
attribute_is(const GumboNode *n, const char *name, const char *value)
{
	const char *s = get_attribute(n, name);

	return s != NULL && strcmp(s, value) == 0;
}

/* The i-th child element, from 0; NULL: there are fewer. */
static const GumboNode *
child_at(const GumboNode *n, size_t i)
{
	const GumboVector *v = &n->v.element.children;
	unsigned k;

	for (k = 0; k < v->length; k++) {
		const GumboNode *c = v->data[k];
		if (c->type == GUMBO_NODE_ELEMENT && i-- == 0)
			return c;
	}
	return NULL;
}

static size_t
count_children(const GumboNode *n)
{
	const GumboVector *v = &n->v.element.children;
	size_t count = 0;
	unsigned k;

	for (k = 0; k < v->length; k++)
		count += ((const GumboNode *)v->data[k])->type == GUMBO_NODE_ELEMENT;
	return count;
}

/* All child elements in an array of the scratch arena, for rows: child_at() counts from the first one each time. */
static const GumboNode **
all_children(struct reader *r, const GumboNode *n, size_t *count)
{
	const GumboVector *v = &n->v.element.children;
	const GumboNode **list = arena_array(r->paper->scratch, v->length + 1, sizeof(GumboNode *));
	unsigned k;

	*count = 0;
	for (k = 0; k < v->length; k++)
		if (((const GumboNode *)v->data[k])->type == GUMBO_NODE_ELEMENT)
			list[(*count)++] = v->data[k];
	return list;
}

/*
 * The text of a token element, without invisible operators (U+2061 to U+2064), for which no font
 * has a glyph.
 */
static const char *
token_text(struct reader *r, const GumboNode *n)
{
	const GumboVector *v = &n->v.element.children;
	const GumboNode *c;
	const char *s;
	struct buf b;
	unsigned k;

	buf_init(&b, r->paper->scratch, 1 << 20);
	for (k = 0; k < v->length; k++) {
		c = v->data[k];
		if (c->type != GUMBO_NODE_TEXT && c->type != GUMBO_NODE_WHITESPACE) {
			fail_formula(r);
			continue;
		}
		for (s = c->v.text.text; *s != '\0'; s++)
			if (memcmp(s, "\xE2\x81", 2) == 0 && (unsigned char)s[2] >= 0xA1 && (unsigned char)s[2] <= 0xA4)
				s += 2;
			else
				buf_char(&b, *s);
	}
	return b.n > 0 ? b.p : "";
}

/*
 * Parses a length into points. A leading "+" adds to `own`, the unit "width" multiplies it
 * ("-1width"). Returns `own` if s is NULL or cannot be read.
 */
static double
parse_length(const struct reader *r, const char *s, double own)
{
	double value, by;
	char *unit;
	bool change;

	if (s == NULL || *s == '\0')
		return own;
	value = strtod(s, &unit);
	change = *s == '+';
	if (!isfinite(value) || fabs(value) > 1000)
		return own;
	by = strcmp(unit, "em") == 0 ? current_size(r) : strcmp(unit, "ex") == 0 ? current_size(r) / 2 : strcmp(unit, "pt") == 0 ? 1 :
	    strcmp(unit, "px") == 0 ? 0.75 : strcmp(unit, "width") == 0 ? own : *unit == '\0' && value == 0 ? 1 : 0;
	return by == 0 && value != 0 ? own : (change ? own : 0) + value * by;
}

/* ---- rows ---- */

/* Space between two atoms, in em: a condensed form of the table in The TeXbook, chapter 18. */
static double
room_between(enum math_class left, enum math_class right, bool small)
{
	if (left == M_REL || right == M_REL)
		return small || left == right || left == M_OPEN || right == M_CLOSE || right == M_PUNCT ? 0 : 0.278;
	if (left == M_BIN || right == M_BIN)
		return small ? 0 : 0.222;
	if (left == M_PUNCT)
		return small ? 0 : 0.167;
	if ((left == M_OP && right != M_OPEN && right != M_CLOSE && right != M_PUNCT) || (right == M_OP && left != M_OPEN))
		return 0.167;
	return 0;
}

/*
 * A binary operator without a left operand is spaced as an ordinary symbol (a unary minus, for
 * example).
 */
static void
adjust_class(struct mbox *atom, const struct mbox *before)
{
	if (atom->class == M_BIN && (before == NULL || before->class == M_BIN || before->class == M_REL ||
	    before->class == M_OPEN || before->class == M_PUNCT || before->class == M_OP))
		atom->class = M_ORD;
}

/*
 * True for a delimiter that grows to the height of its row. For other delimiters KaTeX states the
 * height.
 */
static bool
is_stretchy(const GumboNode *n)
{
	return is_element(n, "mo") && attribute_is(n, "fence", "true") && !attribute_is(n, "stretchy", "false") &&
	    get_attribute(n, "minsize") == NULL;
}

/*
 * A fence is an opening delimiter at the left end of its row and a closing one at the right end.
 * Between them it is ordinary: its spaces are explicit attributes.
 */
static struct mbox *
read_fence(struct reader *r, const GumboNode *n, double up, double down, bool first, bool last)
{
	double size = current_size(r);
	struct mbox *b = mbox_delimiter(r->paper, token_text(r, n), size, mbox_reach(up, down, size));

	b->class = first ? M_OPEN : last ? M_CLOSE : M_ORD;
	return b;
}

/* Reads the child elements of n side by side. */
static struct mbox *
read_row(struct reader *r, const GumboNode *n)
{
	size_t count, i;
	const GumboNode **list = all_children(r, n, &count);
	struct mbox *row = mbox_row(r->paper), *before = NULL, **atoms;
	double up = 0, down = 0;

	if (count == 1 && !is_stretchy(list[0]))
		return read_element(r, list[0]);
	atoms = arena_array(r->paper->scratch, count + 1, sizeof(struct mbox *));
	for (i = 0; i < count && !r->failed; i++)
		if (!is_stretchy(list[i])) {
			atoms[i] = read_element(r, list[i]);
			up = fmax(up, atoms[i]->up);
			down = fmax(down, atoms[i]->down);
		}
	for (i = 0; i < count && !r->failed; i++) {
		if (atoms[i] == NULL)
			atoms[i] = read_fence(r, list[i], up, down, i == 0, i + 1 == count);
		adjust_class(atoms[i], before);
		/* Add no class spacing before an mspace: it is spacing itself. */
		if (before != NULL && !is_element(list[i], "mspace"))
			mbox_append(r->paper, row, mbox_space(r->paper,
			    room_between(before->class, atoms[i]->class, r->level > 0) * current_size(r)));
		mbox_append(r->paper, row, atoms[i]);
		before = is_element(list[i], "mspace") ? before : atoms[i];
	}
	return row;
}

/* ---- tokens ---- */

/* Converts mathvariant to FACE_ bits. */
static int
letter_face(const GumboNode *n)
{
	const char *s = get_attribute(n, "mathvariant");
	int face = FACE_ROMAN;

	if (s == NULL)
		return face;
	face |= strstr(s, "bold") != NULL ? FACE_BOLD : 0;
	face |= strstr(s, "italic") != NULL ? FACE_ITALIC : 0;
	face |= strstr(s, "sans-serif") != NULL ? FACE_SANS : 0;
	return face | (strcmp(s, "monospace") == 0 ? FACE_MONO : 0);
}

/* Mathematical letters that few fonts have are drawn as ASCII letters in the matching face. */
static struct mbox *
text_box(struct reader *r, const char *s, int face)
{
	uint32_t cp = math_character(s);
	char plain[2] = { math_plain_letter(cp), '\0' };

	if (plain[0] != '\0' && !mbox_has(r->paper, s))
		return mbox_text(r->paper, plain, current_size(r), FACE_ITALIC);
	return mbox_text(r->paper, s, current_size(r), face);
}

/* A single letter is a variable and italic; longer identifiers are upright. */
static struct mbox *
read_identifier(struct reader *r, const GumboNode *n)
{
	const char *s = token_text(r, n);
	uint32_t cp = math_character(s);
	bool letter = ((cp | 32) >= 'a' && (cp | 32) <= 'z') || (cp >= 0x370 && cp <= 0x3FF) || cp == 0x131 || cp == 0x237;

	return text_box(r, s, get_attribute(n, "mathvariant") == NULL && letter ? FACE_ITALIC : letter_face(n));
}

static struct mbox *
read_text(struct reader *r, const GumboNode *n)
{
	return text_box(r, token_text(r, n), letter_face(n));
}

/* ---- operators ---- */

static enum math_class
operator_class(const GumboNode *n, const char *s)
{
	return attribute_is(n, "separator", "true") ? M_PUNCT : math_class_of(s);
}

static struct mbox *
operator_box(struct reader *r, const GumboNode *n, const char *s)
{
	double size = current_size(r), high = parse_length(r, get_attribute(n, "minsize"), 0);

	if (math_is_large(s) || math_is_integral(s))
		return mbox_large(r->paper, s, size, r->display && !attribute_is(n, "largeop", "false") ? 1.55 : 1.1);
	if (high > 0 && attribute_is(n, "stretchy", "true"))
		return mbox_delimiter(r->paper, s, size, high);
	return text_box(r, s, letter_face(n));
}

/* Explicit lspace and rspace replace the spacing of the operator's class. */
static struct mbox *
read_operator(struct reader *r, const GumboNode *n)
{
	const char *s = token_text(r, n), *left = get_attribute(n, "lspace"), *right = get_attribute(n, "rspace");
	struct mbox *b = operator_box(r, n, s), *row;

	b->class = operator_class(n, s);
	if (left == NULL && right == NULL)
		return b;
	row = mbox_row(r->paper);
	mbox_append(r->paper, row, mbox_space(r->paper, parse_length(r, left, 0)));
	mbox_append(r->paper, row, b);
	mbox_append(r->paper, row, mbox_space(r->paper, parse_length(r, right, 0)));
	return row;
}

/* ---- scripts, fractions, roots ---- */

/* Reads the i-th child at `levels` script levels smaller, in inline style. */
static struct mbox *
read_smaller(struct reader *r, const GumboNode *n, size_t i, int levels)
{
	const GumboNode *c = child_at(n, i);
	int level = r->level;
	bool display = r->display;
	struct mbox *b;

	if (c == NULL)
		return fail_formula(r);
	r->level = level + levels < LEVEL_MAX ? level + levels : LEVEL_MAX;
	r->display = false;
	b = read_element(r, c);
	r->level = level;
	r->display = display;
	return b;
}

static struct mbox *
read_first(struct reader *r, const GumboNode *n)
{
	return child_at(n, 0) != NULL ? read_element(r, child_at(n, 0)) : fail_formula(r);
}

/*
 * msub, msup, msubsup. below, above: indexes of the child elements that are subscript and
 * superscript; 0: none.
 */
static struct mbox *
read_beside(struct reader *r, const GumboNode *n, size_t below, size_t above)
{
	struct mbox *base = read_first(r, n);

	return mbox_scripts(r->paper, base, above > 0 ? read_smaller(r, n, above, 1) : NULL,
	    below > 0 ? read_smaller(r, n, below, 1) : NULL, current_size(r));
}

/* True for an operator that stretches to the width of the parts above and below it. */
static bool
is_wide(const GumboNode *n)
{
	return n != NULL && is_element(n, "mo") && attribute_is(n, "stretchy", "true");
}

/* True if the limits of a large operator are set beside it, as in running text. */
static bool
moves_limits(struct reader *r, const GumboNode *base)
{
	return !r->display && base != NULL && is_element(base, "mo") && !attribute_is(base, "movablelimits", "false") &&
	    math_is_large(token_text(r, base));
}

/*
 * The vector arrow is a combining character in Unicode, which fonts draw on a dotted circle if it
 * is alone: draw an arrow instead.
 */
static struct mbox *
read_mark(struct reader *r, const GumboNode *n, double width)
{
	const char *s = token_text(r, n);

	if (strcmp(s, "⃗") == 0)
		return mbox_wide(r->paper, "→", current_size(r), 0.45 * current_size(r));
	return is_wide(n) ? mbox_wide(r->paper, s, current_size(r), width) : read_operator(r, n);
}

static struct mbox *
read_accent(struct reader *r, const GumboNode *n, bool above)
{
	struct mbox *base = read_first(r, n);
	const GumboNode *mark = child_at(n, 1);

	if (mark == NULL || !is_element(mark, "mo"))
		return fail_formula(r);
	return mbox_accent(r->paper, base, read_mark(r, mark, base->w), current_size(r), above);
}

/*
 * Reads one part of munder, mover or munderover and widens *width. NULL for a stretchy operator,
 * which is read after the others because it needs their width.
 */
static struct mbox *
read_part(struct reader *r, const GumboNode *n, size_t i, double *width)
{
	struct mbox *b = NULL;

	if (!is_wide(child_at(n, i))) {
		b = i == 0 ? read_first(r, n) : read_smaller(r, n, i, 1);
		*width = fmax(*width, b->w);
	}
	return b;
}

/* munder, mover, munderover. below, above: as in read_beside(). */
static struct mbox *
read_stack(struct reader *r, const GumboNode *n, size_t below, size_t above)
{
	size_t at[3] = { 0, below, above }, i;
	struct mbox *parts[3] = { NULL, NULL, NULL };
	double width = 0;

	if (child_at(n, below > above ? below : above) == NULL)
		return fail_formula(r);
	if (attribute_is(n, "accent", "true") || attribute_is(n, "accentunder", "true"))
		return read_accent(r, n, above > 0);
	if (moves_limits(r, child_at(n, 0)))
		return read_beside(r, n, below, above);
	for (i = 0; i < 3; i++)
		if (i == 0 || at[i] > 0)
			parts[i] = read_part(r, n, at[i], &width);
	for (i = 0; i < 3; i++)
		if (parts[i] == NULL && (i == 0 || at[i] > 0)) {
			const GumboNode *mark = child_at(n, at[i]);
			parts[i] = read_mark(r, mark, fmax(width, parse_length(r, get_attribute(mark, "minsize"), 0)));
			parts[i]->class = operator_class(mark, token_text(r, mark));
		}
	return mbox_stack(r->paper, parts[0], parts[2], parts[1], current_size(r));
}

static struct mbox *
read_sub(struct reader *r, const GumboNode *n)
{
	return read_beside(r, n, 1, 0);
}

static struct mbox *
read_sup(struct reader *r, const GumboNode *n)
{
	return read_beside(r, n, 0, 1);
}

static struct mbox *
read_subsup(struct reader *r, const GumboNode *n)
{
	return read_beside(r, n, 1, 2);
}

static struct mbox *
read_under(struct reader *r, const GumboNode *n)
{
	return read_stack(r, n, 1, 0);
}

static struct mbox *
read_over(struct reader *r, const GumboNode *n)
{
	return read_stack(r, n, 0, 1);
}

static struct mbox *
read_underover(struct reader *r, const GumboNode *n)
{
	return read_stack(r, n, 1, 2);
}

/* The parts of a fraction have full size in display style and are smaller in text. */
static struct mbox *
read_fraction(struct reader *r, const GumboNode *n)
{
	const char *thick = get_attribute(n, "linethickness");
	struct mbox *above = read_smaller(r, n, 0, !r->display), *below = read_smaller(r, n, 1, !r->display);

	return mbox_fraction(r->paper, above, below, current_size(r), thick == NULL || strtod(thick, NULL) > 0);
}

static struct mbox *
read_square_root(struct reader *r, const GumboNode *n)
{
	return mbox_root(r->paper, read_row(r, n), NULL, current_size(r));
}

static struct mbox *
read_root(struct reader *r, const GumboNode *n)
{
	struct mbox *inside = read_first(r, n);

	return mbox_root(r->paper, inside, read_smaller(r, n, 1, 2), current_size(r));
}

/* ---- layout ---- */

static struct mbox *
read_style(struct reader *r, const GumboNode *n)
{
	struct reader outer = *r;
	const char *level = get_attribute(n, "scriptlevel"), *display = get_attribute(n, "displaystyle");
	struct mbox *b;

	/* A value like "1.44em" is relative to the surrounding size. */
	r->base = fmin(fmax(r->base * parse_length(r, get_attribute(n, "mathsize"), current_size(r)) / current_size(r), 1), 100);
	if (level != NULL)
		r->level = (int)fmin(fmax(strtod(level, NULL), 0), LEVEL_MAX);
	if (display != NULL)
		r->display = strcmp(display, "true") == 0;
	b = read_row(r, n);
	r->base = outer.base;
	r->level = outer.level;
	r->display = outer.display;
	return b;
}

static struct mbox *
read_space(struct reader *r, const GumboNode *n)
{
	struct mbox *b = mbox_space(r->paper, parse_length(r, get_attribute(n, "width"), 0));

	b->up = parse_length(r, get_attribute(n, "height"), 0);
	b->down = parse_length(r, get_attribute(n, "depth"), 0);
	return b;
}

/* mpadded: reads the content, then overrides its width, height, depth and position. */
static struct mbox *
read_padded(struct reader *r, const GumboNode *n)
{
	struct mbox *inside = read_row(r, n), *b = mbox_row(r->paper);
	const char *left = get_attribute(n, "lspace");

	mbox_put(b, inside, left != NULL ? parse_length(r, left, inside->w) : 0, -parse_length(r, get_attribute(n, "voffset"), 0));
	b->w = parse_length(r, get_attribute(n, "width"), inside->w);
	b->up = parse_length(r, get_attribute(n, "height"), inside->up);
	b->down = parse_length(r, get_attribute(n, "depth"), inside->down);
	b->class = inside->class;
	return b;
}

static struct mbox *
read_phantom(struct reader *r, const GumboNode *n)
{
	const struct mbox *inside = read_row(r, n);
	struct mbox *b = mbox_space(r->paper, inside->w);

	b->up = inside->up;
	b->down = inside->down;
	b->class = inside->class;
	return b;
}

static struct mbox *
read_enclosed(struct reader *r, const GumboNode *n)
{
	static const struct { const char *name; int lines; } all[] = { { "updiagonalstrike", ENCLOSE_UP },
		{ "downdiagonalstrike", ENCLOSE_DOWN }, { "horizontalstrike", ENCLOSE_THROUGH },
		{ "box", ENCLOSE_LEFT | ENCLOSE_RIGHT | ENCLOSE_TOP | ENCLOSE_BOTTOM }, { "actuarial", ENCLOSE_TOP | ENCLOSE_RIGHT },
		{ "phasorangle", ENCLOSE_BOTTOM | ENCLOSE_LEFT }, { "left", ENCLOSE_LEFT }, { "right", ENCLOSE_RIGHT },
		{ "top", ENCLOSE_TOP }, { "bottom", ENCLOSE_BOTTOM } };
	const char *s = get_attribute(n, "notation");
	size_t i, word;
	int lines = 0;

	for (; s != NULL && *s != '\0'; s += word + (s[word] == ' ')) {
		word = strcspn(s, " ");
		for (i = 0; i < sizeof(all) / sizeof(all[0]); i++)
			if (strlen(all[i].name) == word && memcmp(all[i].name, s, word) == 0)
				lines |= all[i].lines;
	}
	/* A single line above or below is close to the letters, as \overline of TeX sets it. */
	if (lines == ENCLOSE_TOP || lines == ENCLOSE_BOTTOM)
		return mbox_line(r->paper, read_row(r, n), current_size(r), lines == ENCLOSE_TOP);
	return mbox_enclose(r->paper, read_row(r, n), lines, current_size(r));
}

/* The first child of semantics is the formula; the others repeat it in other notations. */
static struct mbox *
read_semantics(struct reader *r, const GumboNode *n)
{
	return read_first(r, n);
}

/* ---- tables ---- */

static bool
has_lines(const GumboNode *cell, const char *name)
{
	const char *s = get_attribute(cell, name);

	return s != NULL && strcmp(s, "none") != 0;
}

static struct mcell
read_cell(struct reader *r, const GumboNode *n)
{
	const char *align = get_attribute(n, "columnalign");

	return (struct mcell){ .box = read_row(r, n), .align = align != NULL ? *align : 'c',
		.right = parse_length(r, get_attribute(n, "columnspacing"), 0.8 * current_size(r)),
		.below = parse_length(r, get_attribute(n, "rowspacing"), 0.16 * current_size(r)),
		.line_right = has_lines(n, "columnlines"), .line_below = has_lines(n, "rowlines") };
}

/*
 * True for the empty cell with which KaTeX pushes an equation number to the margin of a web page.
 */
static bool
is_margin(const GumboNode *cell)
{
	return get_attribute(cell, "width") != NULL && count_children(cell) == 0;
}

/* Reads the cells of a row into out, which has room for `columns` cells; returns their number. */
static size_t
read_cells(struct reader *r, const GumboNode *row, struct mcell *out, size_t columns)
{
	size_t count, i, k = 0;
	const GumboNode **list = all_children(r, row, &count);

	for (i = 0; i < count && k < columns && !r->failed; i++)
		if (!is_margin(list[i]))
			out[k++] = read_cell(r, list[i]);
	return k;
}

static struct mbox *
read_table(struct reader *r, const GumboNode *n)
{
	size_t count, columns = 0, i, used = 0;
	const GumboNode **list = all_children(r, n, &count);
	bool display = r->display;
	struct mcell **rows;

	for (i = 0; i < count; i++)
		columns = count_children(list[i]) > columns ? count_children(list[i]) : columns;
	if (count > CELLS_MAX || columns > CELLS_MAX)
		return fail_formula(r);
	rows = arena_array(r->paper->scratch, count + 1, sizeof(struct mcell *));
	r->display = false;
	for (i = 0; i < count && !r->failed; i++) {
		size_t k;
		rows[i] = arena_array(r->paper->scratch, columns + 1, sizeof(struct mcell));
		k = read_cells(r, list[i], rows[i], columns);
		used = k > used ? k : used;
	}
	r->display = display;
	return r->failed ? mbox_row(r->paper) : mbox_table(r->paper, rows, count, used, current_size(r));
}

/* ---- all of them ---- */

static const struct {
	const char *name;
	struct mbox *(*read)(struct reader *r, const GumboNode *n);
} elements[] = {
	{ "mi", read_identifier }, { "mo", read_operator }, { "mn", read_text }, { "mtext", read_text }, { "ms", read_text },
	{ "mrow", read_row }, { "mstyle", read_style }, { "mspace", read_space }, { "msup", read_sup }, { "msub", read_sub },
	{ "msubsup", read_subsup }, { "mfrac", read_fraction }, { "msqrt", read_square_root }, { "mroot", read_root },
	{ "munder", read_under }, { "mover", read_over }, { "munderover", read_underover }, { "mtable", read_table },
	{ "mpadded", read_padded }, { "mphantom", read_phantom }, { "menclose", read_enclosed },
	{ "semantics", read_semantics },
};

/* The color that an attribute contains: a CSS name, #RGB or #RRGGBB; otherwise `none`. */
static int
read_color(const struct reader *r, const GumboNode *n, const char *name, int none)
{
	const char *s = get_attribute(n, name);
	PangoColor c;

	if (s != NULL && strcmp(s, "currentcolor") == 0)
		return r->paper->math_ink;
	if (s == NULL || !pango_color_parse(&c, s))
		return none;
	return c.red >> 8 << 16 | c.green >> 8 << 8 | c.blue >> 8;
}

static struct mbox *
read_element(struct reader *r, const GumboNode *n)
{
	struct paper *p = r->paper;
	struct mbox *b = NULL;
	int ink = p->math_ink, back;
	size_t i;

	p->math_ink = read_color(r, n, "mathcolor", ink);
	back = read_color(r, n, "mathbackground", NO_COLOR);
	if (++r->depth > DEPTH_MAX || ++r->boxes > BOXES_MAX)
		r->failed = true;
	for (i = 0; i < sizeof(elements) / sizeof(elements[0]) && !r->failed; i++)
		if (is_element(n, elements[i].name)) {
			b = elements[i].read(r, n);
			break;
		}
	r->depth--;
	p->math_ink = ink;
	/* A part of the same size that has its own color is drawn over this one. */
	if (b != NULL && b->back == NO_COLOR)
		b->back = back;
	return b != NULL ? b : fail_formula(r);
}

static void *
gumbo_alloc(void *arena, size_t n)
{
	return arena_bytes(arena, n);
}

static void
gumbo_keep(void *arena, void *p)
{
	(void)arena;
	(void)p;
}

/*
 * True if elements nest too deeply. Gumbo and its tree walkers recurse by this depth; formulas
 * within DEPTH_MAX never reach it.
 */
static bool
nests_deep(struct str s)
{
	size_t i, depth = 0;

	for (i = 0; i + 1 < s.n && depth < 4 * DEPTH_MAX; i++)
		if (s.p[i] == '<')
			depth += s.p[i + 1] == '/' ? (size_t)-1 : 1;
	return i + 1 < s.n;
}

struct mbox *
math_read(struct paper *p, struct str mathml, double size)
{
	struct reader r = { .paper = p, .base = size };
	GumboOptions o = kGumboDefaultOptions;
	const GumboNode *math;
	struct mbox *b;

	if (mathml.n > MATHML_MAX || nests_deep(mathml))
		return NULL;
	o.allocator = gumbo_alloc;
	o.deallocator = gumbo_keep;
	o.userdata = p->formula;
	o.max_errors = 0;
	o.fragment_context = GUMBO_TAG_BODY;
	/* The tree points into the caller's text, which lives until the formula is read. */
	math = child_at(gumbo_parse_with_options(&o, mathml.p, mathml.n)->root, 0);
	if (math == NULL || !is_element(math, "math"))
		return NULL;
	r.display = attribute_is(math, "display", "block");
	p->math_ink = INK;
	b = read_row(&r, math);
	return r.failed ? NULL : b;
}
