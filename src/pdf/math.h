/*
 * Formulas as boxes. A box has a width, a height above its baseline, a depth below it, and parts
 * placed relative to the left end of the baseline (y downwards). math_read.c converts MathML to
 * boxes; math.c measures, places and draws them. Proportions are rounded from The TeXbook, appendix
 * G.
 */
#ifndef OCTAVO_PDF_MATH_H
#define OCTAVO_PDF_MATH_H

#include "paper.h"

enum math_kind { MATH_PARTS, MATH_TEXT, MATH_LINES };

/* Classes of atoms, which determine the space between neighbours (The TeXbook, chapter 18). */
enum math_class { M_ORD, M_OP, M_BIN, M_REL, M_OPEN, M_CLOSE, M_PUNCT };

/* Faces of letters, as bits. */
enum { FACE_ROMAN = 0, FACE_ITALIC = 1, FACE_BOLD = 2, FACE_SANS = 4, FACE_MONO = 8 };

/* Lines around or through a formula, as bits. */
enum { ENCLOSE_LEFT = 1, ENCLOSE_RIGHT = 2, ENCLOSE_TOP = 4, ENCLOSE_BOTTOM = 8, ENCLOSE_UP = 16, ENCLOSE_DOWN = 32,
	ENCLOSE_THROUGH = 64 };

struct mbox {
	struct mbox     *next, *parts, *last;      /* the last one of its parts */
	enum math_kind   kind;
	enum math_class  class;
	double           w, up, down;    /* width, height above the baseline, depth below it */
	double           x, y;           /* in the parent box */
	int              back;           /* color of its background (0xRRGGBB), or NO_COLOR */
	int              ink;            /* color of its lines; texts have their own */
	/* MATH_TEXT */
	struct text     *text;
	double           ascent;         /* from the text's top to its baseline */
	double           shift;          /* moves the stretched text down, so that it is centered on the axis */
	double           stretch, widen; /* factors of height and width */
	/* MATH_LINES: count / 2 points, joined by strokes */
	const double    *points;
	size_t           count;
	double           thick;
};

/*
 * A cell of a table. right, below: space after its column and row; line_right, line_below: a rule
 * in that space.
 */
struct mcell {
	struct mbox *box;                /* NULL: empty */
	char         align;              /* l, c or r */
	double       right, below;
	bool         line_right, line_below;
};

/* size: type size in points. Boxes live in the scratch arena. */
struct mbox *mbox_text(struct paper *p, const char *s, double size, int face);
/* True if a font has glyphs for all characters of the text. */
bool         mbox_has(struct paper *p, const char *s);
struct mbox *mbox_space(struct paper *p, double w);
/* Adds a part at the right end of a row, on its baseline. */
void         mbox_append(struct paper *p, struct mbox *row, struct mbox *part);
/* Adds a part at x, y and grows the box to contain it. */
void         mbox_put(struct mbox *b, struct mbox *part, double x, double y);
struct mbox *mbox_row(struct paper *p);
/* rule: with a line between the parts, unlike a binomial. */
struct mbox *mbox_fraction(struct paper *p, struct mbox *above, struct mbox *below, double size, bool rule);
/* degree NULL: a square root. */
struct mbox *mbox_root(struct paper *p, struct mbox *inside, struct mbox *degree, double size);
/* Superscript and subscript; NULL: none. */
struct mbox *mbox_scripts(struct paper *p, struct mbox *base, struct mbox *above, struct mbox *below, double size);
/* Limits centered above and below the base; NULL: none. */
struct mbox *mbox_stack(struct paper *p, struct mbox *base, struct mbox *above, struct mbox *below, double size);
/* An accent close above (or below) its base. The width is that of the base alone. */
struct mbox *mbox_accent(struct paper *p, struct mbox *base, struct mbox *mark, double size, bool above);
/* A large operator at `by` times the size, centered on the axis. */
struct mbox *mbox_large(struct paper *p, const char *s, double size, double by);
/* A delimiter of this height (points), centered on the axis. */
struct mbox *mbox_delimiter(struct paper *p, const char *s, double size, double height);
/* Height of a delimiter that encloses a box of this height and depth. */
double       mbox_reach(double up, double down, double size);
/* An arrow, brace or mark stretched to this width (points). */
struct mbox *mbox_wide(struct paper *p, const char *s, double size, double width);
/* A line over the box (or under it), as wide as the box. */
struct mbox *mbox_line(struct paper *p, struct mbox *inside, double size, bool above);
/* lines: ENCLOSE_... */
struct mbox *mbox_enclose(struct paper *p, struct mbox *inside, int lines, double size);
/* A table of n rows with `columns` cells each. */
struct mbox *mbox_table(struct paper *p, struct mcell **rows, size_t n, size_t columns, double size);

/* ---- math_sign.c ---- */

/* The only character of a text; 0: it is empty or has several. */
uint32_t     math_character(const char *s);
/*
 * True for operators that are large in display style and have limits above and below; limits of
 * integrals are always beside them.
 */
bool         math_is_large(const char *s);
bool         math_is_integral(const char *s);
/* Spacing class of an operator. A word ("mod") has that of a large operator. */
enum math_class math_class_of(const char *s);
/*
 * The ASCII letter for a mathematical alphanumeric symbol (U+1D400 to U+1D6A3, and older ones
 * outside of this block); 0: cp is no such symbol.
 */
char         math_plain_letter(uint32_t cp);

/* ---- math_read.c ---- */

/*
 * Reads MathML of octavo-typeset (typeset/typeset.h). size: points. NULL: it is too large, or
 * contains something unknown.
 */
struct mbox *math_read(struct paper *p, struct str mathml, double size);

#endif
