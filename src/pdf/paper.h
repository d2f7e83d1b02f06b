/*
 * Inside the pdf room: what is laid out, and how it comes on sheets.
 *
 * Lengths are points (1/72 inch), y grows downwards. Blocks become *strips*: a line of
 * text, a box, a row of cells, each with a height, one below the other. A *flow* takes
 * strips in; one that fills sheets cuts them where a sheet is full. What encloses strips
 * (the ground of a hint, the bar of a quotation) is a chain of *decos*, drawn for the
 * part of their strips that a sheet shows; so a block may be cut anywhere. The structure
 * tags of strips are a chain likewise (PDF 1.7, section 14.7).
 *
 * Strips and what they point to live in the scratch arena of the page that is printed;
 * layouts of Pango are let go as soon as their last line is on a sheet.
 */
#ifndef OCTAVO_PDF_PAPER_H
#define OCTAVO_PDF_PAPER_H

#include <cairo.h>
#include <pango/pangocairo.h>

#include "base/buf.h"
#include "base/map.h"
#include "pdf/pdf.h"

struct cJSON;

enum { NO_COLOR = -1 };
enum {
	INK = 0x1f2430, MUTED = 0x667085, FAINT = 0xd0d5dd, GROUND = 0xf5f6f8, ACCENT = 0x2456b8, ALERT = 0xb42318, WHITE = 0xffffff
};

#define BODY_SIZE 10.0
#define CODE_SIZE 8.6
#define SMALL_SIZE 8.5

/* A place that links lead to. */
struct dest {
	int    no;          /* its name in the file is "d" and that */
	size_t sheet;       /* 0: not on any yet */
	struct dest *next;  /* of all */
	bool   drawn;       /* a name leads to one place: the first that bears it */
};

struct place {          /* names of a strip */
	struct place *next;
	struct dest  *dest;
};

struct heading {        /* a bookmark below its page's */
	struct heading *next;
	const char     *title;
	int             level;
	struct dest    *dest;
};

/* Structure tags that enclose a strip, innermost first. */
struct tag {
	struct tag *up;
	const char *name;
	int         depth;
};

struct deco {
	struct deco *up;
	double x, w;
	int    fill, border, bar;   /* colors */
	double bar_x;               /* of the bar, from the left edge */
	double top, bottom;         /* on the sheet that is drawn */
	size_t stamp;
};

struct paper;

/* Something drawn in a line of text. */
struct object {
	double w, ascent, descent;
	void (*draw)(struct paper *p, void *data, double x, double baseline);
	void  *data;
};

struct link {
	const char  *uri;           /* NULL: dest */
	struct dest *dest;
	struct dest *page;          /* where it leads if nothing bears the name of dest */
	bool         quiet;         /* in the color of the text around it */
};

/* How a run of text is drawn; its index is an attribute of the layout. */
struct style {
	int            color, back;
	bool           strike, key, underline;
	struct link   *link;
	struct object *object;
};

struct text {
	PangoLayout  *layout;
	struct style *styles;
	bool          links;
};

struct note {                   /* at the foot of the sheet */
	struct note  *next;
	struct strip *strips;
	double        h;
};

/* What stands left of a strip's first line: a bullet, a number, a box. */
struct marker {
	struct text *text;          /* NULL: draw */
	void (*draw)(struct paper *p, void *data, double x, double middle);
	void  *data;
	double x, w;                /* from the left edge of the flow; the text is set right in w */
	bool   behind;              /* it is read after its line: the number of a sheet in the contents */
};

struct cell {
	struct strip *strips;
	double        x, w, pad;
	int           fill;
	bool          head, left, right, top, bottom;  /* rules around it */
	int           valign;       /* 0 top, 1 middle, 2 bottom */
	struct deco  *ground;
};

enum strip_kind { STRIP_SPACE, STRIP_LINE, STRIP_BOX, STRIP_ROW };

struct strip {
	struct strip   *next;
	enum strip_kind kind;
	double          gap, h, x, w, y;
	bool            sticks;     /* what follows stays on its sheet */
	bool            copied;     /* a table's head on a further sheet */
	struct deco    *deco;
	struct tag     *tag;
	struct strip   *head;       /* of its table; NULL: none is repeated */
	struct strip   *next_head;  /* of a head: the one that was made before it (struct paper) */
	struct place   *dests;
	struct note    *notes;
	struct marker  *marker;
	/* STRIP_LINE */
	struct text    *text;
	int             line;
	bool            last;       /* of its text */
	double          ascent;     /* of its baseline, from its top */
	/* STRIP_BOX */
	void          (*draw)(struct paper *p, void *data, double x, double y, double w, double h);
	void           *data;
	/* STRIP_ROW */
	struct cell    *cells;
	size_t          count;
	bool            table;      /* its cells are those of a table */
};

struct flow {
	struct paper  *paper;
	struct strip  *first, *tail;
	double         x, w, gap, used;
	struct deco   *deco;
	struct tag    *tag;
	struct marker *marker;      /* for the next strip */
	struct place  *dests;       /* likewise */
	struct strip  *head;
	bool           sheets;
	bool           fresh;       /* a frame was opened: what comes first in it has no gap */
	PangoAlignment align;       /* of paragraphs that have none of their own */
	double         scale;       /* of type: 1, less in tables of many columns */
	int            depth;       /* of blocks in blocks */
};

struct paper {
	const struct pdf_source *source;
	/* Lays out a list of blocks: block_list(), for what stands in lines, cells and cards. */
	void (*blocks)(struct flow *f, const struct cJSON *nodes);
	struct arena    *arena, *scratch;
	struct arena    *formula;        /* what is let go when a formula is read */
	struct map      *dests;          /* by page id, "#" and anchor */
	struct map      *unset;          /* formulas that are shown as their source (math.c) */
	struct dest     *all_dests;
	int              dest_count;
	const struct pdf_page *page;     /* that is printed; NULL: cover, contents */
	struct heading **last_heading;   /* of page, in the first pass */
	PangoContext    *pango;
	const char      *sans, *mono, *serif;
	double           width, height, left, right, top, bottom;   /* of the sheet; margins */
	cairo_t         *cr;             /* NULL: the first pass, nothing is drawn */
	size_t           sheet, stamp;
	struct strip    *heads;          /* of the page's tables: heads_drop() */
	size_t           unknown;        /* characters of the page that no font has */
	int              note_no;
	/* Why printing ends before its end; NULL: it does not. Blocks that it meets then are passed over. */
	const char      *stop;
	const char      *stage;          /* for progress(): what is done, how many pages, of how many */
	size_t           done, total;
	struct map      *pictures;       /* by id of the file: picture_of() */
	size_t           decoded;        /* pictures that were drawn */
	const struct cJSON *schemas;     /* of the OpenAPI specification that the page shows */
	double           advance[2][128]; /* of ASCII in sans and mono, at 1 pt */
};

/* ---- paper.c ---- */

double paper_width(const struct paper *p);
double paper_height(const struct paper *p);
/* The place of a page ("" = itself) or of an anchor in it; made if it is missing. */
struct dest *paper_dest(struct paper *p, const char *page, const char *anchor);
/* Is the page printed at all? */
bool paper_has(const struct paper *p, const char *page);
void paper_warn(struct paper *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void set_color(struct paper *p, int color);
void round_rect(cairo_t *cr, double x, double y, double w, double h, double r);
void tag_begin(struct paper *p, const char *name, const char *attributes);
void tag_end(struct paper *p, const char *name);

/* ---- margins.c ---- */

/* Around each sheet: running heads. */
void sheet_begin(struct paper *p);
void sheet_end(struct paper *p);

/* ---- node_members.c: NULL, false and the preset where there is none of the type ---- */

const char *json_text(const struct cJSON *node, const char *name);
const struct cJSON *json_get(const struct cJSON *node, const char *name);
double json_number(const struct cJSON *node, const char *name, double preset);
bool json_true(const struct cJSON *node, const char *name);

/* ---- flow.c ---- */

void flow_init(struct flow *f, struct paper *p, double w, bool sheets);
struct strip *flow_strip(struct flow *f, enum strip_kind kind, double h);
void flow_add(struct flow *f, struct strip *s);
void flow_gap(struct flow *f, double gap);
void flow_space(struct flow *f, double h);
void flow_box(struct flow *f, double h, void (*draw)(struct paper *, void *, double, double, double, double),
    void *data);
/* What is left comes on a sheet of its own or on several. */
void flow_end(struct flow *f);
/* The strip that was added last stays with what follows. */
void flow_stick(struct flow *f);
double strips_height(const struct strip *first);
void strips_draw(struct paper *p, struct strip *first, const struct strip *end, double x, double y);
void strips_drop(struct strip *first, const struct strip *end);
/* Lets go of the heads of all tables of a page, once its sheets are put. */
void heads_drop(struct paper *p);
/* The part of a row that does not fit into h, as a row of its own; NULL: nothing of it fits. */
struct strip *row_split(struct paper *p, struct strip *s, double h);

/* What encloses the strips that follow, until it is closed. */
struct frame {
	double       x, w;
	struct deco *deco;
	struct tag  *tag;
	double       pad;
};
struct deco *flow_open(struct flow *f, struct frame *keep, double inset, double pad, const char *tag);
void flow_close(struct flow *f, const struct frame *keep);
struct tag *tag_make(struct flow *f, const char *name);

/* ---- text_layout.c ---- */

struct type {
	const char *family;     /* NULL: sans */
	double      size;
	bool        bold, italic;
	int         color;
	PangoAlignment align;
	double      leading;    /* height of a line in that of its type; 0: the usual one */
	bool        forward;    /* always left to right: code */
};

struct writer;
struct writer *writer_new(struct flow *f, const struct type *t);
void writer_text(struct writer *w, const char *s);
void writer_nodes(struct writer *w, const struct cJSON *nodes);
bool writer_empty(const struct writer *w);
void writer_object(struct writer *w, struct object *o);
/* The color of text that is added from here on. */
void writer_color(struct writer *w, int color);
/* Links what is written in between. */
void writer_link(struct writer *w, struct link *l);
struct text *writer_end(struct writer *w, double width);
/* The attribute that says which of a text's styles a run has. */
PangoAttrType text_style_attr(void);
/* The lines of what was written, as strips. */
void writer_flow(struct writer *w, const char *tag, bool sticks);
void text_flow(struct flow *f, const char *s, const struct type *t, const char *tag, bool sticks);
void line_draw(struct paper *p, struct strip *s, double x, double y);
void text_drop(struct text *t);
void text_size(struct text *t, double *w, double *h, double *ascent);
void text_draw(struct paper *p, struct text *t, double x, double y);
struct link *link_of(struct paper *p, const struct cJSON *ref);
/* Plain text of inline nodes. */
char *inline_text(struct arena *a, const struct cJSON *nodes);

/* ---- block.c ---- */

/* A list of blocks, into the flow. */
void block_list(struct flow *f, const struct cJSON *nodes);

static inline void
blocks(struct flow *f, const struct cJSON *nodes)
{
	f->paper->blocks(f, nodes);
}

/* A number, say, right-aligned in w left of the next strip. */
struct marker *marker_text(struct flow *f, const char *text, double w, double size);

/* ---- table.c ---- */

void block_table(struct flow *f, const struct cJSON *node);
void block_columns(struct flow *f, const struct cJSON *node);

/* ---- image.c ---- */

struct picture {
	double      w, h;       /* natural size in points, as it is shown */
	bool        svg, sound; /* sound: it can be read */
	int         turn;       /* of its pixels (base/jpeg.h) */
	const char *id, *name;  /* of the file, whose bytes are read when they are drawn */
};
/* A file of the space as a picture; NULL: it is none, after a warning. */
struct picture *picture_of(struct paper *p, const struct cJSON *ref);
void picture_draw(struct paper *p, void *picture, double x, double y, double w, double h);

/* ---- math.c ---- */

/* A formula as an object in a line; NULL: it cannot be set, and was warned of. */
struct object *math_object(struct paper *p, const char *formula, double size, bool display);

/* ---- catalog.c ---- */

/* Adds the document's language to a finished file; NULL, or what is wrong. */
const char *catalog_language(struct arena *a, const char *path, const char *language);

#endif
