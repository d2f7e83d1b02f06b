/*
 * What the files that turn Markdown into the tree share. Flow:
 *
 *   doc_cmark.c  sets up cmark-gfm and our extension: lines that hold a block
 *                tag, $$ blocks, and inline tags, formulas and shortcodes
 *   doc_plain.c  blocks of plain text, in which cmark need not look for inlines
 *   doc_cjk.c    CommonMark's rule for emphasis, amended for CJK text
 *   doc_parse.c  the stream: siblings of one container, frames of open tags
 *   doc_tag.c    the grammar of a tag and its attributes
 *   doc_tags.c   what each known tag becomes
 *   doc_scan.c   tags in the source of HTML, without a parse
 *   doc_stream.c HTML blocks among siblings: what is read whole, what stands by itself
 *   doc_html.c   elements, by gumbo, and what a reader sees of source
 *   doc_element.c  blocks from elements
 *   doc_inline.c inlines, from cmark nodes and from HTML elements alike (doc_inline_element.c)
 *   doc_heading.c, doc_pre.c  headings of Markdown, code of HTML
 *   doc_grid.c   tables, from cmark nodes and from HTML
 *   doc_cell.c   blocks in the cells of pipe tables and in paragraphs
 *
 * A container (document, quote, list item) is a list of siblings; tags and
 * <details> open and close frames among them, which cmark knows nothing of. An
 * end tag closes the innermost frame of its name, even one of an outer
 * container, where it takes effect at the end of the inner one; what is still
 * open at the end of its container is closed there, with a warning.
 */
#ifndef OCTAVO_DOC_PARSE_H
#define OCTAVO_DOC_PARSE_H

#include <cmark-gfm.h>
#include <cmark-gfm-extension_api.h>
#include <gumbo.h>

#include "doc_limit.h"
#include "markdown/document_tree.h"

/* Names and values are copied to the arena, values unescaped. */
struct tag_attr {
	struct tag_attr *next;
	const char      *name;
	const char      *value;
};

struct tag {
	struct str       name;     /* without a leading "end" */
	bool             end;
	struct str       args;     /* text between name and end, trimmed */
	struct str       source;   /* the whole tag */
	struct tag_attr *attrs;    /* set by tag_attrs() */
};

/* Scans the tag at the start of s; returns its length, 0 if there is none. */
size_t tag_scan(struct str s, struct tag *t);
void tag_attrs(struct arena *a, struct tag *t);
const char *tag_get(const struct tag *t, const char *name);
/* Path of an include: the first word of args, else their first quoted string; NULL: none. */
const char *tag_quoted(struct arena *a, const struct tag *t);
/* True if this is the name of a known block tag. */
bool tag_known(const struct tag *t);
/* Decodes entities and, if asked, backslash escapes. */
char *text_unescape(struct arena *a, struct str s, bool backslashes);

/* Emphasis beside CJK text (doc_cjk.c). */
/* Marks runs of delimiters in the blocks before inlines are read; NULL: no mark was needed. */
const char *cjk_mark(struct arena *a, cmark_node *root, struct str text);
/* Removes that mark from the result. */
void cjk_unmark(cmark_node *root, const char *mark);

/* Next block in tree order; NULL behind the last. */
cmark_node *md_next_block(cmark_node *n);
/*
 * Gives blocks without syntax their text, so that cmark reads no inlines in them (doc_plain.c), ...
 */
struct plain_block;
struct plain_block *plain_blocks(struct arena *a, cmark_node *root);
/* ... and afterwards makes them look as if cmark had read them. */
void plain_done(struct plain_block *list);

/* Kinds of our own cmark nodes. */
enum { CM_TAG = 't', CM_MATH = '$', CM_EMOJI = ':' };

struct conv;

/*
 * A link definition. cmark copies address and title at each use, so that 60 kB of Markdown could
 * take 200 MB: it is given a token instead, a byte that is invalid UTF-8 and the definition's
 * number.
 */
struct md_reference {
	struct md_reference *next;
	struct str           url;
	const char          *title;
	const char          *label;   /* folded as in cmark's comparison */
	size_t               number;
};

/* Text of one cmark parse, and where its lines begin. */
struct source {
	struct str  text;
	size_t     *starts;       /* lines + 1 entries; the last is text.n */
	size_t      lines;
	size_t      base;         /* number of its first line in the body, minus 1 */
	size_t      no_math;      /* no line from here on closes a $$ block */
	size_t      no_end;       /* failed searches for elements' ends, see doc_stream.c */
};

/*
 * Parses text, whose first line is line base + 1 of the body. The tree lives until the end of
 * parse_tree() (doc_parse.c), in the memory of limit_cmark().
 */
cmark_node *md_read(struct conv *c, struct source *src, struct str text, size_t base);
/* Definition that a link's or image's address stands for; NULL: it is an address. */
const struct md_reference *md_reference(const struct conv *c, cmark_node *link);
/*
 * Address and title of a link or image; false if its definition was used too often, so that it
 * stays text.
 */
bool md_address(struct conv *c, cmark_node *link, struct str *url, const char **title);
/* Finds the lines of src->text. */
void md_lines(struct arena *a, struct source *src);
/* Kind and content of one of our nodes; 0 for others. */
char md_custom(cmark_node *n, struct str *content);
struct str md_literal(cmark_node *n);
bool md_is_table(cmark_node *n);

struct frame {
	struct frame    *up;        /* enclosing frame, possibly of an outer container */
	struct doc_node *node;      /* parent of new children */
	const char      *tag;       /* name of its end tag; NULL: the container itself */
	struct doc_node *owner;     /* node's parent, and ... */
	struct doc_node *before;    /* ... its sibling before node, NULL if first */
	struct doc_node *open;      /* last child that an end tag may complete (embed, file), ... */
	const char      *open_tag;  /* ... and its tag's name */
	struct doc_node **noted;    /* last block before a placed definition (struct note_place); NULL: none */
	bool             closing;   /* an inner container's end tag closes it */
	size_t           line;
	unsigned         level;
};

/* def is in cmark's memory and lives as long as the parse; label has no "^". */
struct footnote {
	const char *label;
	cmark_node *def;
};

/* Place of a definition: from its first line to the line of the next block. */
struct note_place {
	size_t            line, until; /* until 0: not between blocks of the document */
	size_t            note;        /* index in conv's notes */
	struct doc_node  *into;        /* parent of these blocks, and ... */
	struct doc_node **noted;       /* ... the last of them before a definition already placed */
	bool              inner;       /* in an item or a quote, whose prefix its lines have */
	bool              used;        /* an annotation of the document uses it */
};

/* MAX_NESTED: nesting of sub-parses. MAX_WRAPS: inline elements around blocks; more are dropped. */
enum { MAX_NESTED = 12, MAX_WRAPS = 8 };

struct frame;
struct stream;

/*
 * Callbacks for texts within texts: a page contains HTML, which contains Markdown, and so on.
 * doc_parse.c sets them for the files of single kinds, which then need not know the whole.
 */
struct conv_steps {
	/* Converts the children of a container into those of a node. */
	void (*blocks)(struct conv *c, struct source *src, cmark_node *container, struct doc_node *into, unsigned level,
	    struct frame *up);
	/* Converts a piece of Markdown in a stream. */
	void (*markdown)(struct stream *st, struct str text, size_t line);
	/* True if that source alone reads as one raw block. */
	bool (*stands)(struct str raw);
};

struct conv {
	const struct conv_steps *steps;
	struct arena          *a;
	const struct doc_refs *refs;
	void                 (*warn)(void *ctx, size_t line, const char *message);
	void                  *warn_ctx;
	struct str             body;
	struct doc            *doc;
	struct footnote       *notes;      /* definitions in cmark's order, ... */
	struct footnote       *by_label;   /* ... sorted by label ... */
	struct note_place     *places;     /* ... and their places by line */
	size_t                 note_count;
	size_t                 note_at;    /* index of the next place */
	const GumboNode       *box;        /* checkbox of the item being read: an attribute, no content */
	size_t                 covered;    /* last line that was passed */
	struct source         *notes_src;
	bool                   in_note;
	bool                   checking;   /* this parse only checks how source reads */
	struct str             last_raw;   /* last source checked, ... */
	bool                   last_stands;/* ... and the result (stream_raw()) */
	size_t                 note_budget;
	struct md_reference  **references; /* by number */
	size_t                 reference_count, reference_room;
	size_t                 expansion;  /* bytes that reference links may still add */
	bool                   excess;     /* the budget was exceeded */
	enum lookup_by         by;         /* kind of the next lookup, ... */
	size_t                 by_reference;/* ... and its definition's number */
	unsigned               nested;     /* current nesting of sub-parses */
	struct arena          *scratch;    /* for gumbo; made on first use */
	unsigned               opened;     /* html_open() calls without html_close() */
	const GumboNode       *wraps[MAX_WRAPS]; /* inline elements around the current blocks, outermost first */
	unsigned               wrap_count;
	const char            *align;      /* alignment of the box around them, see html_align() */
	bool                   in_html;    /* the blocks go into an element that is written as HTML */
	size_t                 line;       /* line of what is being converted, for warnings */
};

/* A container being converted. */
struct stream {
	struct conv   *c;
	struct source *src;
	struct frame  *top, *base;
	cmark_node    *next;       /* next sibling; HTML that spans blocks moves it */
	struct box    *box;        /* innermost open box */
};

/* An element that groups blocks. Its start tag and end tag are raw blocks that show nothing. */
struct box {
	struct box   *up;
	struct frame *frame;       /* frame in which it was opened, and with which it ends */
	struct str    name;
	const char   *align;       /* alignment of its content; NULL: none */
};

void conv_warn(struct conv *c, size_t line, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Converts a piece of HTML, or one tag. */
void stream_html(struct stream *st, struct str text, size_t line);
void stream_tag(struct stream *st, struct tag *t, size_t line);
/* A Markdown heading; one that shows nothing stays source (doc_heading.c). */
void stream_heading(struct stream *st, cmark_node *n);
/* Appends a block to the innermost frame. */
void stream_add(struct stream *st, struct doc_node *n);
void stream_raw(struct stream *st, struct str raw);
/* True if that source alone reads as one raw block, so that it is read back unchanged. */
bool raw_stands(struct conv *c, struct str raw);
/* stream_raw() for source whose visible text is known (html_visible()). */
void stream_raw_seen(struct stream *st, struct str raw, struct str seen);
/* tag must be static or in the arena. The caller sets owner and before. */
struct frame *frame_push(struct stream *st, struct doc_node *node, const char *tag, size_t line);
void frame_close(struct stream *st, struct frame *f);
struct frame *frame_find(struct stream *st, const char *tag);
/* stream_html() for text that is HTML from start to end. */
void stream_elements(struct stream *st, struct str html, size_t line);
/* Innermost open box of the container; NULL: none. */
struct box *box_now(struct stream *st);
/* Applies the look of its box to a block. */
void box_applies(struct stream *st, struct doc_node *n);
/* Completes a node whose tag was closed (doc_tags.c). */
void tag_closed(struct stream *st, struct frame *f);

/* State of one block's inlines (doc_inline.c). */
enum { MAX_CAPTURES = 16, MAX_COLORS = 16, INLINE_MARKS = 7 };

enum capture_kind { CAP_LINK, CAP_MENTION, CAP_BUTTON, CAP_ICON, CAP_EXPRESSION, CAP_EMOJI, CAP_NOTE, CAP_PASS,
	CAP_EXCESS, CAP_MEDIA, CAP_BRACKET };

struct capture {
	enum capture_kind kind;
	const char       *name;    /* element that ends it; "" for a Markdown link */
	struct doc_node  *node;    /* the captured node */
	struct doc_node  *outer;   /* sink to restore */
	const char       *note;    /* label of a footnote, or of a definition used too often; address of a video */
	const char       *label;   /* CAP_MEDIA: its words; NULL: its address */
	bool              closed;  /* by its own end tag */
	size_t            from;    /* CAP_EXCESS: offset of its text in the leaf */
};

struct inl {
	struct conv     *c;
	struct doc_node *into;     /* the block */
	struct doc_node *sink;     /* where text goes now */
	unsigned         count[INLINE_MARKS];
	uint32_t         colors[MAX_COLORS];
	unsigned         color;
	struct capture   caps[MAX_CAPTURES];
	unsigned         cap;
	unsigned         wrapped;  /* captures begun by elements around the block */
	struct doc_target *dark;   /* of a <picture> */
	bool             pre;      /* white space is kept */
};

void inline_nodes(struct conv *c, cmark_node *first, cmark_node *stop, struct doc_node *into);
void inline_begin(struct inl *in, struct conv *c, struct doc_node *into);
void inline_element(struct inl *in, const GumboNode *n);
void inline_end(struct inl *in);
/* Steps of both kinds of inlines. An element begins; false if it has no meaning here. */
bool inline_enter(struct inl *in, const GumboNode *e, struct str name);
bool inline_leave(struct inl *in, struct str name);
void inline_put_text(struct inl *in, struct str s);
void inline_put_emoji(struct inl *in, const char *code);
void inline_put_math(struct inl *in, struct str formula);
/* Adds source as typed: a tag or a comment. */
void inline_put_raw(struct inl *in, struct str raw);
/* Adds a blank between words that a box separates. */
void inline_part(struct inl *in);
/* Static name of a media element; NULL for others. */
const char *inline_media(struct str name);
const char *inline_alt(struct conv *c, cmark_node *image);

/* Footnotes (doc_note.c). */
cmark_node *notes_read(struct conv *c, struct source *src);
void notes_collect(struct conv *c, cmark_node *root);
const struct footnote *note_numbered(const struct conv *c, const char *number);
const struct footnote *note_labelled(const struct conv *c, const char *label);
/*
 * Places the definitions behind a block (NULL: none) and before the line where the next one begins,
 * or the container ends (SIZE_MAX: the page).
 */
void notes_pass(struct stream *st, cmark_node *before, size_t line);
void notes_unused(struct conv *c);
/* Label of the footnote definition that begins the line; n 0: none. */
struct str note_label(struct str line);

/* Targets, resolved by a lookup or by doc_parse itself. */
struct doc_target *conv_target(struct conv *c, struct str spelling, enum doc_use use);
struct doc_target *conv_file(struct conv *c, struct str spelling);
/* At the end of a parse: stores the definitions in the document, for doc_links_of(). */
void conv_keep_references(struct conv *c);
/* Spelling in the form of lookups: percent-decoded where that is safe. */
struct str spelling_decode(struct arena *a, struct str s);
bool spelling_absolute(struct str s);
/* True for an address elsewhere, which is never looked up. */
bool spelling_elsewhere(struct str s);

/*
 * Kind of an element. HTML_BOX: groups blocks, and has no node. HTML_PART: of a list or a table.
 * HTML_FRAME: details and summary. HTML_OPAQUE: its content is no HTML. HTML_OTHER: unknown, or
 * shown as source.
 */
enum html_class { HTML_OTHER, HTML_INLINE, HTML_VOID, HTML_BLOCK, HTML_PART, HTML_BOX, HTML_FRAME, HTML_OPAQUE,
	HTML_COMMENT, HTML_DIALECT };

/* Kind by the name, in any case (doc_scan.c). */
enum html_class html_class(struct str name);
/* True if an element of that class separates the words before it from those in it. */
bool html_parts_text(enum html_class class);

/* HTML helpers (doc_html.c, doc_element.c). */
/*
 * Element whose children are the fragment, valid until html_close(); NULL if nested too deeply.
 * Copy to the arena what must last.
 */
const GumboNode *html_open(struct conv *c, struct str html);
/* html_open() outside of a conversion: the tree is in the arena. */
GumboNode *html_parse(struct arena *a, struct str html);
void html_close(struct conv *c);
/* True if a reader would see only source. */
bool html_is_source(const GumboNode *n);
/* html_visible() of raw, whose gumbo tree is root. */
struct str html_visible_in(struct arena *a, struct str raw, const GumboNode *root);
const char *html_attr(const GumboNode *n, const char *name);
/* Icon that a class names; NULL: none. */
const char *html_icon(struct arena *a, const char *class);
/* Number of the colour that a style gives a property; 0: default. */
uint32_t html_color(const char *style, const char *property);
bool html_is(const GumboNode *n, const char *name);
struct str html_name(const GumboNode *n);
struct str html_end_tag(const GumboNode *n);
bool html_blank(const GumboNode *n);
const GumboNode *html_child(const GumboNode *n, const char *name);
/* Converts elements to blocks of a node; false if nothing was added. */
bool html_blocks(struct conv *c, const GumboVector *nodes, struct doc_node *into, unsigned level);
/* html_blocks() for an element's content: Markdown if it contains a blank line (doc_inside.c). */
bool html_inside(struct conv *c, const GumboNode *e, struct doc_node *into, unsigned level);
/*
 * Kinds of pictures (doc_html_kind.c): a figure of one image, an image that is a block, a media
 * element.
 */
bool html_is_image_figure(const GumboNode *n);
bool html_is_image(const GumboNode *n);
bool html_is_media(const GumboNode *n);
/* True for an element that only groups others and has no node. Not for parts of a list or table. */
bool html_is_box(const GumboNode *n);
/* 1 to 6; 0 if it is no heading. */
int html_heading_level(const GumboNode *n);
/* True for a block of the tree; a hint in HTML; only images. */
bool html_is_block(const GumboNode *n);
bool html_is_hint(const GumboNode *n);
bool html_is_gallery(const GumboNode *n);
/* Adds the inlines of all <summary> children of a fragment to a title. */
void html_title(struct conv *c, const GumboNode *root, struct doc_node *title);
/* Address of a video, sound or frame; NULL if it has none on the web or in the space. */
const char *html_media(const GumboNode *n);
/* "start", "center" or "end" from an align attribute, a style or <center>; NULL: none. */
const char *html_align(const GumboNode *n);
struct doc_node *html_code(struct conv *c, const GumboNode *pre);

/* Tables (doc_grid.c, doc_cell.c). */
struct doc_node *grid_markdown(struct conv *c, cmark_node *table);
struct doc_node *grid_html(struct conv *c, const GumboNode *table, unsigned level);
/* Converts the inlines of a pipe table's cell, from first on, to blocks of a node. */
void cell_blocks(struct conv *c, cmark_node *first, struct doc_node *into);
/*
 * Converts the inlines of a paragraph, from first on, to blocks, if there are block tags or a lone
 * video among them; else false.
 */
bool paragraph_blocks(struct stream *st, cmark_node *first, size_t line);

/*
 * Parses to ask refs about the targets, and drops the tree. False if the body is beyond the limits.
 */
bool doc_run_lookups(struct arena *a, struct str body, const struct doc_refs *refs);

/* Approximate bytes of a node in JSON, with targets as spelled (doc_weight.c). */
size_t doc_weight(const struct doc_node *n);

/* A file of the space, or an embedded address (doc_tags.c). */
struct doc_node *file_block(struct conv *c, const char *src);
/* Fills a code block with one code-line per line (doc_tags.c). */
void code_lines(struct arena *a, struct doc_node *code, struct str text);

#endif
