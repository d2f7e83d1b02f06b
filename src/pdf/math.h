/*
 * Formulas as boxes: width, height above the baseline, depth below it, and parts at
 * places relative to its left end of the baseline (y downwards). math_parse.c reads TeX
 * and says what is in which; math.c measures, places and draws. Proportions are those of
 * The TeXbook, appendix G, in round numbers.
 */
#ifndef OCTAVO_PDF_MATH_H
#define OCTAVO_PDF_MATH_H

#include "paper.h"

enum math_kind { MATH_PARTS, MATH_TEXT, MATH_LINES };

/* What stands beside what, and with how much room. */
enum math_class { M_ORD, M_OP, M_BIN, M_REL, M_OPEN, M_CLOSE, M_PUNCT };

enum math_face { FACE_ROMAN, FACE_ITALIC, FACE_BOLD, FACE_SANS, FACE_MONO };

struct mbox {
	struct mbox     *next, *parts;
	enum math_kind   kind;
	enum math_class  class;
	bool             limits;         /* scripts stand above and below it */
	double           w, up, down;
	double           x, y;           /* in the box that it is a part of */
	/* MATH_TEXT */
	struct text     *text;
	double           ascent, stretch, shift;   /* of the text's own box; scale of its height */
	/* MATH_LINES: strokes from point to point */
	const double    *points;
	size_t           count;
	double           thick;
};

/* Everything is made at a size in points. */
struct mbox *mbox_text(struct paper *p, const char *s, double size, enum math_face face);
struct mbox *mbox_space(struct paper *p, double w);
/* Adds a part at the right end of a row, on its baseline. */
void         mbox_append(struct paper *p, struct mbox *row, struct mbox *part);
struct mbox *mbox_row(struct paper *p);
struct mbox *mbox_fraction(struct paper *p, struct mbox *above, struct mbox *below, double size, bool rule);
struct mbox *mbox_root(struct paper *p, struct mbox *inside, struct mbox *degree, double size);
/* above, below: NULL where there is none. */
struct mbox *mbox_scripts(struct paper *p, struct mbox *base, struct mbox *above, struct mbox *below, double size);
struct mbox *mbox_stack(struct paper *p, struct mbox *base, struct mbox *above, struct mbox *below, double size);
/* Between delimiters ("" = none) as high as it is. */
struct mbox *mbox_between(struct paper *p, const char *left, struct mbox *inside, const char *right, double size);
/* A delimiter of this height around the axis. */
struct mbox *mbox_delimiter(struct paper *p, const char *s, double size, double height);
struct mbox *mbox_line(struct paper *p, struct mbox *inside, double size, bool above);
/* Rows of cells; columns: their alignment, one letter (l, c, r) each, the last one goes on. */
struct mbox *mbox_table(struct paper *p, struct mbox ***rows, size_t n, size_t columns, const char *align,
    double size);

/* NULL: something in it is not known, or it is too large. */
struct mbox *math_parse(struct paper *p, const char *formula, double size, bool display);

#endif
