/*
 * Formulas as boxes: width, height above the baseline, depth below it, and parts at
 * places relative to its left end of the baseline (y downwards). math_read.c reads MathML
 * and says what is in which; math.c measures, places and draws. Proportions are those of
 * The TeXbook, appendix G, in round numbers.
 */
#ifndef OCTAVO_PDF_MATH_H
#define OCTAVO_PDF_MATH_H

#include "paper.h"

enum math_kind { MATH_PARTS, MATH_TEXT, MATH_LINES };

/* What stands beside what, and with how much room. */
enum math_class { M_ORD, M_OP, M_BIN, M_REL, M_OPEN, M_CLOSE, M_PUNCT };

/* Of letters: added up. */
enum { FACE_ROMAN = 0, FACE_ITALIC = 1, FACE_BOLD = 2, FACE_SANS = 4, FACE_MONO = 8 };

/* Lines around and through a formula: added up. */
enum { ENCLOSE_LEFT = 1, ENCLOSE_RIGHT = 2, ENCLOSE_TOP = 4, ENCLOSE_BOTTOM = 8, ENCLOSE_UP = 16, ENCLOSE_DOWN = 32,
	ENCLOSE_THROUGH = 64 };

struct mbox {
	struct mbox     *next, *parts;
	enum math_kind   kind;
	enum math_class  class;
	double           w, up, down;
	double           x, y;           /* in the box that it is a part of */
	/* MATH_TEXT */
	struct text     *text;
	double           ascent, shift;
	double           stretch, widen;           /* of the text's own box; scales of its height and width */
	/* MATH_LINES: strokes from point to point */
	const double    *points;
	size_t           count;
	double           thick;
};

/* A cell of a table; where its column and its row have a line, and how much room, behind it. */
struct mcell {
	struct mbox *box;                /* NULL: there is none */
	char         align;              /* l, c or r */
	double       right, below;
	bool         line_right, line_below;
};

/* Everything is made at a size in points. */
struct mbox *mbox_text(struct paper *p, const char *s, double size, int face);
/* Has a font the characters? */
bool         mbox_has(struct paper *p, const char *s);
struct mbox *mbox_space(struct paper *p, double w);
/* Adds a part at the right end of a row, on its baseline. */
void         mbox_append(struct paper *p, struct mbox *row, struct mbox *part);
/* Adds a part at a place and widens the box to hold it. */
void         mbox_put(struct mbox *b, struct mbox *part, double x, double y);
struct mbox *mbox_row(struct paper *p);
struct mbox *mbox_fraction(struct paper *p, struct mbox *above, struct mbox *below, double size, bool rule);
struct mbox *mbox_root(struct paper *p, struct mbox *inside, struct mbox *degree, double size);
/* above, below: NULL where there is none. */
struct mbox *mbox_scripts(struct paper *p, struct mbox *base, struct mbox *above, struct mbox *below, double size);
struct mbox *mbox_stack(struct paper *p, struct mbox *base, struct mbox *above, struct mbox *below, double size);
/* A mark close above (or below) what it belongs to, which alone counts for the width. */
struct mbox *mbox_accent(struct paper *p, struct mbox *base, struct mbox *mark, double size, bool above);
/* A large operator: its middle stands on the axis. */
struct mbox *mbox_large(struct paper *p, const char *s, double size, double by);
/* A delimiter of this height around the axis. */
struct mbox *mbox_delimiter(struct paper *p, const char *s, double size, double height);
/* How high a delimiter must be that reaches around a box of these measures. */
double       mbox_reach(double up, double down, double size);
/* An arrow, a brace or a mark of this width. */
struct mbox *mbox_wide(struct paper *p, const char *s, double size, double width);
struct mbox *mbox_line(struct paper *p, struct mbox *inside, double size, bool above);
struct mbox *mbox_enclose(struct paper *p, struct mbox *inside, int lines, double size);
/* n rows of as many cells as there are columns. */
struct mbox *mbox_table(struct paper *p, struct mcell **rows, size_t n, size_t columns, double size);

/* ---- math_sign.c ---- */

/* The character that a text is; 0: it has none, or more than one. */
uint32_t     math_character(const char *s);
/* Is it large in a formula of its own? Limits of an integral stand beside it there, too. */
bool         math_is_large(const char *s);
bool         math_is_integral(const char *s);
/* What has room beside it, and how much, as an operator; of words, that of a large one. */
enum math_class math_class_of(const char *s);
/*
 * A letter of Unicode's for mathematics (U+1D400 to U+1D6A3, and those that are older), as the ASCII
 * letter that it is in another face; 0: it is none.
 */
char         math_plain_letter(uint32_t cp);

/* ---- math_read.c ---- */

/* MathML of octavo-typeset (typeset/typeset.h); NULL: something in it is not known, or it is too large. */
struct mbox *math_read(struct paper *p, struct str mathml, double size);

#endif
