/*
 * Internal header of the pdf room: what is laid out, and how it is placed on sheets.
 *
 * Lengths are points (1/72 inch); y grows downwards. Blocks become *strips*: a line of text, a box
 * or a row of cells, each with a height, one below the other. A *flow* collects strips; a flow with
 * `sheets` breaks them wherever a sheet is full. Backgrounds, borders and bars around strips (of a
 * hint, of a quotation) are a chain of *decos*: each sheet draws them around the strips that it
 * shows, so that a block may break anywhere. The structure tags of a strip form a chain, too (PDF
 * 1.7, section 14.7).
 *
 * Strips and all they point to live in the scratch arena of the page that is printed. Pango layouts
 * are freed as soon as their last line is on a sheet.
 */
#ifndef OCTAVO_PDF_PAPER_H
#define OCTAVO_PDF_PAPER_H

#include <cairo.h>
#include <pango/pangocairo.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/map.h"
#include "pdf/pdf.h"

struct cJSON;
struct schema_set;

enum { NO_COLOR = -1 };
enum {
	INK = 0x1f2430, MUTED = 0x667085, FAINT = 0xd0d5dd, GROUND = 0xf5f6f8, ACCENT = 0x2456b8, ALERT = 0xb42318, WHITE = 0xffffff
};

#define BODY_SIZE 10.0
#define CODE_SIZE 8.6
#define SMALL_SIZE 8.5

/* A link destination. */
struct dest {
	int    no;          /* its name in the file is "d" and this number */
	size_t sheet;       /* 0: not placed yet */
	struct dest *next;  /* list of all destinations */
	bool   drawn;       /* written to the file: only the first occurrence is */
};

struct place {          /* destinations at a strip */
	struct place *next;
	struct dest  *dest;
};

struct heading {        /* a bookmark below that of its page */
	struct heading *next;
	const char     *title;
	int             level;
	struct dest    *dest;
};

/* A structure tag around a strip; `up` is the next outer one. */
struct tag {
	struct tag *up;
	const char *name;
};

/* A background, border or bar around strips; `up` is the next outer one. */
struct deco {
	struct deco *up;
	double x, w;                /* x from the left edge of the flow */
	int    fill, border, bar;   /* colors (0xRRGGBB) or NO_COLOR */
	double bar_x;               /* x of the bar, from the left edge */
	double top, bottom;         /* y on the current sheet */
	size_t grounds;             /* paper.grounds when `top` was set: are top and bottom of this sheet? */
};

struct paper;

/* A drawing within a line of text: an inline picture or formula. */
struct object {
	double w, ascent, descent;  /* ascent, descent: height above and below the baseline */
	void (*draw)(struct paper *p, void *data, double x, double baseline);
	void  *data;
};

struct link {
	const char  *uri;           /* NULL: the link's target is dest */
	struct dest *dest;
	struct dest *page;          /* fallback target if dest is on no sheet */
	bool         quiet;         /* drawn in the color of the surrounding text */
};

/* Style of a run of text. An attribute of the layout holds its index. */
struct style {
	int            color, back;     /* of the letters; of the ground behind them, or NO_COLOR */
	bool           strike, underline;
	bool           key;         /* a <kbd>: drawn with a border */
	struct link   *link;
	struct object *object;
};

struct text {
	PangoLayout  *layout;
	struct style *styles;
	bool          links;
};

enum { NOTE_GAP = 3 };           /* points below a footnote */

struct note {                   /* a footnote */
	struct note  *next;
	struct strip *strips;
	double        h;            /* with the gap below it */
};

/* A bullet, number or box left of a strip's first line. */
struct marker {
	struct text *text;          /* NULL: call draw */
	void (*draw)(struct paper *p, void *data, double x, double middle);
	void  *data;
	double x, w;                /* x from the left edge of the flow; text is right-aligned in w */
	bool   behind;              /* tagged after its line: sheet numbers in the contents */
};

struct cell {
	struct strip *strips;
	double        x, w, pad;    /* x from the left edge of the row; pad: between each edge and the content */
	int           fill;         /* color of the ground, or NO_COLOR */
	bool          head, left, right, top, bottom;  /* head: of the table's head; the others: rules */
	int           valign;       /* 0 top, 1 middle, 2 bottom */
	struct deco  *ground;
};

enum strip_kind { STRIP_SPACE, STRIP_LINE, STRIP_BOX, STRIP_ROW };

struct strip {
	struct strip   *next;
	enum strip_kind kind;
	double          gap, h;     /* space above it, unless it is drawn first; height */
	double          x, w;       /* x from the left edge of the flow */
	double          y;          /* of its top on the sheet; set when it is drawn */
	bool            sticks;     /* stays on the sheet of the next strip */
	bool            copied;     /* a table head, repeated on a further sheet */
	struct deco    *deco;
	struct tag     *tag;
	struct strip   *head;       /* head of its table; NULL: none is repeated */
	struct strip   *next_head;  /* next older head in paper.heads */
	struct place   *dests;
	struct note    *notes;
	struct marker  *marker;
	/* STRIP_LINE */
	struct text    *text;
	int             line;
	bool            last;       /* the last line of its text */
	double          ascent;     /* from the strip's top to the baseline */
	/* STRIP_BOX */
	void          (*draw)(struct paper *p, void *data, double x, double y, double w, double h);
	void           *data;
	/* STRIP_ROW */
	struct cell    *cells;
	size_t          count;
	bool            table;      /* a table's row; false: cards, columns */
};

struct flow {
	struct paper  *paper;
	struct strip  *first, *tail;
	double         x, w;        /* left edge, width */
	double         gap, used;   /* gap before the next strip; height of the pending strips */
	struct deco   *deco;
	struct tag    *tag;
	struct marker *marker;      /* pending for the next strip */
	struct place  *dests;       /* pending for the next strip */
	struct strip  *head;
	struct note   *carried;     /* notes of earlier sheets that had no room there */
	bool           sheets;
	bool           fresh;       /* a frame was just opened: its first strip gets no gap */
	PangoAlignment align;       /* for paragraphs without their own alignment */
	double         scale;       /* of the type: 1, less in wide tables */
	int            depth;       /* nesting of blocks */
};

struct paper {
	const struct pdf_source *source;
	/* block_list(). A pointer, so that lines, cells and cards need not depend on block.c. */
	void (*blocks)(struct flow *f, const struct cJSON *nodes);
	struct arena    *arena, *scratch;
	struct arena    *formula;        /* tree and MathML of one formula, reset after it is read */
	struct map      *dests;          /* key: page id, "#", anchor */
	struct map      *unset;          /* formulas that print as their source (math.c) */
	int              math_ink;       /* color of new boxes of formulas (math.c) */
	struct dest     *all_dests;
	int              dest_count;
	const struct pdf_page *page;     /* being printed; NULL: cover, contents */
	struct heading **last_heading;   /* end of the page's list; NULL in the second pass */
	PangoContext    *pango;
	const char      *sans, *mono, *serif;
	double           width, height, left, right, top, bottom;   /* size of the sheet; margins */
	cairo_t         *cr;             /* NULL in the first pass, which draws nothing */
	size_t           sheet;
	size_t           grounds;        /* number of the current call of draw_grounds(), from 1 */
	struct strip    *heads;          /* of the page's tables; heads_drop() frees them */
	size_t           unknown;        /* characters of the page without a glyph */
	int              note_no;
	/*
	 * Reason why printing stops early; NULL: it continues. Once set, remaining blocks are
	 * skipped.
	 */
	const char      *stop;
	const char      *stage;          /* arguments of progress() */
	size_t           done, total;
	struct map      *pictures;       /* cache of picture_of(), by file id */
	size_t           decoded;        /* number of pictures drawn so far */
	const struct cJSON *document;    /* the page's, with the schemas of its API descriptions */
	const struct cJSON *schema_list; /* those of the description that was printed last */
	struct schema_set  *schemas;     /* the same by name; NULL: not indexed yet */
	double           advance[2][128]; /* of ASCII at 1 pt; [0] sans, [1] mono */
};

/* ---- paper.c ---- */

/* Size of a sheet between its margins. */
double paper_width(const struct paper *p);
double paper_height(const struct paper *p);
/*
 * The destination of an anchor of a page; anchor "" or NULL: of the page itself. Created if
 * missing; lives as long as p->arena.
 */
struct dest *paper_dest(struct paper *p, const char *page, const char *anchor);
/* True if the page is in this document. */
bool paper_has(const struct paper *p, const char *page);
void paper_warn(struct paper *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Sets the color of what is drawn next. Not for the first pass, in which p->cr is NULL. */
void set_color(struct paper *p, int color);
/* Makes a rectangle with corners of radius r (at most half of the shorter side) the path, to be filled or stroked. */
void round_rect(cairo_t *cr, double x, double y, double w, double h, double r);
/* Begin and end a structure tag; attributes: as cairo_tag_begin() takes them. Nothing in the first pass. */
void tag_begin(struct paper *p, const char *name, const char *attributes);
void tag_end(struct paper *p, const char *name);

/* ---- sheet.c: margins ---- */

/* Begin and end a sheet. Running heads are drawn at its beginning. */
void sheet_begin(struct paper *p);
void sheet_end(struct paper *p);

/* ---- sheet.c: footnotes ---- */

enum { NOTE_RULE = 14 };         /* points for the rule between text and notes */

/*
 * Height of the strip's notes, in points; for a row, of the notes in its cells. 0 after
 * collect_notes() has moved the notes away.
 */
double notes_height(const struct strip *s);
double notes_sum(const struct note *list);
/*
 * Moves the notes of a strip to the end of the list. They are removed from the strip so that a
 * repeated table head does not print them again.
 */
void collect_notes(struct strip *s, struct note ***at);
/*
 * Cuts the list of notes, which ends at *tail, where the room (points) ends; returns those for the
 * next sheet. Notes within notes come last. must: keep at least one line of the first
 * note, even without room.
 */
struct note *cut_notes(struct paper *p, struct note **list, struct note ***tail, double room, bool must);
void draw_notes(struct paper *p, struct note *notes);

/* ---- flow.c ---- */

/* sheets: strips are put on sheets as these are full; otherwise they are only collected. */
void flow_init(struct flow *f, struct paper *p, double w, bool sheets);
/* A new strip as wide as the flow, for flow_add(). It takes what is pending in the flow: gap, marker, destinations. */
struct strip *flow_strip(struct flow *f, enum strip_kind kind, double h);
void flow_add(struct flow *f, struct strip *s);
/* Asks for a gap before the next strip; the largest since the last strip counts. */
void flow_gap(struct flow *f, double gap);
/* Adds an empty strip. */
void flow_space(struct flow *f, double h);
/* Adds a strip that `draw` draws. */
void flow_box(struct flow *f, double h, void (*draw)(struct paper *, void *, double, double, double, double),
    void *data);
/* Places the remaining strips on one or more sheets. */
void flow_end(struct flow *f);
/* Keeps the last strip on the sheet of the next one. */
void flow_stick(struct flow *f);
/* Height of the strips with the gaps between them, without their notes. */
double strips_height(const struct strip *first);
/* Draws the strips before `end` (NULL: all), with their top left corner at x, y. */
void strips_draw(struct paper *p, struct strip *first, const struct strip *end, double x, double y);
/* Frees the texts of the strips before `end`. */
void strips_drop(struct strip *first, const struct strip *end);
/* Frees the heads of all tables of a page after its last sheet. */
void heads_drop(struct paper *p);
/*
 * Cuts the strips of a cell at height h (points), without regard to `sticks`; returns the strips
 * below the cut.
 */
struct strip *cut_cell(struct paper *p, struct cell *c, double h);
/*
 * Splits a row at height h (points). Returns the lower part as a row of its own; NULL: nothing fits
 * into h, and s is unchanged.
 */
struct strip *row_split(struct paper *p, struct strip *s, double h);

/*
 * State of the flow to restore in flow_close(). The strips between flow_open() and flow_close() get
 * the deco and the tag.
 */
struct frame {
	double       x, w;
	struct deco *deco;
	struct tag  *tag;
	double       pad;
};
/*
 * inset: space at the left of the strips; pad: space above, below and at their right. Returns the
 * deco, without colors, for the caller to set them. tag NULL: no tag of its own.
 */
struct deco *flow_open(struct flow *f, struct frame *keep, double inset, double pad, const char *tag);
void flow_close(struct flow *f, const struct frame *keep);
/* A tag within the innermost one of the flow. */
struct tag *tag_make(struct flow *f, const char *name);

/* ---- text_layout.c ---- */

struct type {
	const char *family;     /* NULL: sans */
	double      size;
	bool        bold, italic;
	int         color;
	PangoAlignment align;
	double      leading;    /* factor of the line height; 0: 1.22 */
	bool        forward;    /* always left to right, as code is */
};

/* Collects runs of text in several styles, for one layout. */
struct writer;
struct writer *writer_new(struct flow *f, const struct type *t);
void writer_text(struct writer *w, const char *s);
void writer_nodes(struct writer *w, const struct cJSON *nodes);
bool writer_empty(const struct writer *w);
void writer_object(struct writer *w, struct object *o);
/* Sets the color of text that is added after this call. */
void writer_color(struct writer *w, int color);
/* Links the text that is added after this call; NULL ends the link. */
void writer_link(struct writer *w, struct link *l);
/* Lays the text out in lines of this width; -1: in one line. */
struct text *writer_end(struct writer *w, double width);
/* Type of the attribute that holds a run's index into text.styles. */
PangoAttrType text_style_attr(void);
/*
 * Ends the writer and adds its lines to the flow as strips. sticks: the last line stays with the
 * next strip.
 */
void writer_flow(struct writer *w, const char *tag, bool sticks);
/* The same for a plain text. */
void text_flow(struct flow *f, const char *s, const struct type *t, const char *tag, bool sticks);
/* Draws a strip of kind STRIP_LINE with its top left corner at x, y. */
void line_draw(struct paper *p, struct strip *s, double x, double y);
/* Frees the layout. */
void text_drop(struct text *t);
/* ascent: of the first line, from the top of the text to the baseline. */
void text_size(struct text *t, double *w, double *h, double *ascent);
/* Draws all lines, with the top left corner at x, y. */
void text_draw(struct paper *p, struct text *t, double x, double y);
/* The link for a reference of a document; NULL: none that a reader of the file could follow. */
struct link *link_of(struct paper *p, const struct cJSON *ref);
/* Plain text of inline nodes, in the arena. */
char *inline_text(struct arena *a, const struct cJSON *nodes);

/* ---- block.c ---- */

/* Lays out a list of blocks into the flow. */
void block_list(struct flow *f, const struct cJSON *nodes);

static inline void
blocks(struct flow *f, const struct cJSON *nodes)
{
	f->paper->blocks(f, nodes);
}

/* A text such as a number, right-aligned in w points, left of the next strip. */
struct marker *marker_text(struct flow *f, const char *text, double w, double size);

/* ---- table.c ---- */

void block_table(struct flow *f, const struct cJSON *node);
void block_columns(struct flow *f, const struct cJSON *node);

/* ---- image.c ---- */

struct picture {
	double      w, h;       /* natural size in points, after `turn` */
	bool        svg, sound; /* sound: the file can be decoded */
	int         turn;       /* orientation of the pixels (base/jpeg.h) */
	const char *id, *name;  /* of the file; its bytes are read to draw it */
};
/* The picture of a file in the space; NULL: it cannot be printed, after a warning. */
struct picture *picture_of(struct paper *p, const struct cJSON *ref);
void picture_draw(struct paper *p, void *picture, double x, double y, double w, double h);

/* ---- math.c ---- */

/* A formula as an inline object; NULL: it cannot be set, after a warning. */
struct object *math_object(struct paper *p, const char *formula, double size, bool display);

/* ---- catalog.c ---- */

/* Adds the document's language to a finished PDF. Returns NULL, or the error. */
const char *catalog_language(struct arena *a, const char *path, const char *language);

#endif
