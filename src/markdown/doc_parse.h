/*
 * Shared by the files that turn Markdown into the tree.
 *
 *   doc_cmark.c  sets up cmark-gfm and our extension: lines that contain a block tag, $$ blocks,
 *                and inline tags, formulas and shortcodes
 *   doc_plain.c  blocks of plain text, in which cmark need not look for inlines
 *   doc_cjk.c    CommonMark's rule for emphasis, amended for CJK text
 *   doc_parse.c  the stream: siblings of one container, frames of open tags
 *   doc_tag.c    the grammar of a tag and its attributes
 *   doc_tags.c   the nodes that each known tag becomes
 *   doc_scan.c   finds tags in HTML source, without a parse
 *   doc_stream.c HTML blocks among siblings: which are read whole, which tags become blocks of their own
 *   doc_html.c   elements, parsed by gumbo, and what readers see of HTML source
 *   doc_element.c  blocks from elements
 *   doc_inline.c inlines, from cmark nodes and from HTML elements alike (doc_inline_element.c)
 *   doc_heading.c, doc_pre.c  headings of Markdown, code of HTML
 *   doc_grid.c   tables, from cmark nodes and from HTML
 *   doc_cell.c   blocks in the cells of pipe tables and in paragraphs
 *
 * A container (document, quote, list item) is a list of siblings. Tags and <details> open and close
 * frames among these siblings; cmark does not know about frames. An end tag closes the innermost
 * frame of its name. If that is a frame of an outer container, it is closed at the end of the inner
 * container. Frames that are still open at the end of their container are closed there, with a
 * warning.
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
	struct str       name;     /* for an end tag without the "end" at its beginning */
	bool             end;
	struct str       args;     /* text between name and end, trimmed */
	struct str       source;   /* the whole tag */
	struct tag_attr *attrs;    /* set by tag_attrs() */
};

/* Scans the tag at the start of s; returns its length, 0 if there is none. */
size_t tag_scan(struct str s, struct tag *t);
void tag_attrs(struct arena *a, struct tag *t);
const char *tag_get(const struct tag *t, const char *name);
/* The path of an include: the first word of args, or their first quoted string; NULL: none. */
const char *tag_quoted(struct arena *a, const struct tag *t);
/* True if this is the name of a known block tag. */
bool tag_known(const struct tag *t);
/* Decodes entities; backslashes: also backslash escapes. */
char *text_unescape(struct arena *a, struct str s, bool backslashes);

/*
 * Inserts marks beside runs of emphasis delimiters, so that cmark reads emphasis beside CJK text
 * (doc_cjk.c). Call it before inlines are read. Returns the mark; NULL: none was needed.
 */
const char *cjk_mark(struct arena *a, cmark_node *root, struct str text);
/* Removes the mark from the result. */
void cjk_unmark(cmark_node *root, const char *mark);

/* The next block in the order of the tree; NULL after the last. */
cmark_node *md_next_block(cmark_node *n);
/* Gives blocks of plain text their text, so that cmark looks for no inlines in them (doc_plain.c). */
struct plain_block;
struct plain_block *plain_prepare(struct arena *a, cmark_node *root);
/* Restores these blocks after the parse, as if cmark had read them. */
void plain_restore(struct plain_block *list);

/* Kinds of the nodes that our extension adds to cmark's tree. */
enum { CM_TAG = 't', CM_MATH = '$', CM_EMOJI = ':' };

struct conv;

/*
 * A link definition. cmark copies address and title at each use, so that 60 kB of Markdown could
 * take 200 MB. So cmark gets a token in place of the address: a byte that is invalid UTF-8, and the
 * number of the definition.
 */
struct md_reference {
	struct md_reference *next;
	struct str           url;
	const char          *title;
	const char          *label;   /* case-folded, as cmark compares labels */
	size_t               number;
};

/* The text of one cmark parse, with the offsets of its lines. */
struct source {
	struct str  text;
	size_t     *starts;       /* lines + 1 entries; the last is text.n */
	size_t      lines;
	size_t      base;         /* number of its first line in the body, minus 1 */
	size_t      no_math;      /* no line from this one on closes a $$ block */
	size_t      no_end;       /* how often the end of an element was not found, see doc_stream.c */
};

/*
 * Parses text with cmark; its first line is line base + 1 of the body. The tree lives until the end
 * of parse_tree() (doc_parse.c), in the memory of limit_cmark().
 */
cmark_node *md_read(struct conv *c, struct source *src, struct str text, size_t base);
/* The definition whose token is the address of a link or image; NULL: the address is a real one. */
const struct md_reference *md_reference(const struct conv *c, cmark_node *link);
/* Address and title of a link or image. False: its definition was used too often, so the link becomes text. */
bool md_address(struct conv *c, cmark_node *link, struct str *url, const char **title);
/* Finds the lines of src->text. */
void md_lines(struct arena *a, struct source *src);
/* Kind and content of a node of our extension; 0 for nodes of cmark. */
char md_custom(cmark_node *n, struct str *content);
struct str md_literal(cmark_node *n);
bool md_is_table(cmark_node *n);
/* The text of an image, for its alt. */
const char *md_alt_text(struct conv *c, cmark_node *image);

struct frame {
	struct frame    *up;        /* enclosing frame, possibly of an outer container */
	struct doc_node *node;      /* parent of nodes that are added now */
	const char      *tag;       /* name of its end tag; NULL: the container itself */
	struct doc_node *owner;     /* parent of node */
	struct doc_node *before;    /* sibling before node; NULL if it is the first */
	struct doc_node *open;      /* last child (embed, file) whose end tag may still follow */
	const char      *open_tag;  /* name of that end tag */
	struct doc_node **noted;    /* where struct note_place.noted of this frame's footnotes points; NULL: no footnote was placed here yet */
	bool             closing;   /* to be closed: its end tag was in an inner container */
	size_t           line;      /* of its start tag, for warnings; 0: the container itself */
	unsigned         level;     /* levels of nodes above the nodes that are added now (DOC_DEPTH) */
};

/* A footnote definition. def is in cmark's memory and lives as long as the parse; label has no "^". */
struct footnote {
	const char *label;
	cmark_node *def;
};

/* Where a footnote definition is: from its first line to the line of the next block. */
struct note_place {
	size_t            line, until; /* until 0: not between blocks of the document */
	size_t            note;        /* index in conv.notes */
	struct doc_node  *into;        /* parent of the blocks around it */
	struct doc_node **noted;       /* the block after which the last footnote of this parent was placed; shared by all footnotes of one frame */
	bool              inner;       /* in an item or a quote: its lines have a prefix */
	bool              used;        /* an annotation of the document uses it */
};

/*
 * MAX_NESTED: how deep parses of parts nest. MAX_WRAPS: inline elements around blocks; further ones
 * are dropped.
 */
enum { MAX_NESTED = 12, MAX_WRAPS = 8 };

struct frame;
struct stream;

/*
 * Functions of doc_parse.c that files for single kinds of nodes call back: a page contains HTML,
 * which contains Markdown, and so on. Through these callbacks those files do not depend on
 * doc_parse.c.
 */
struct conv_steps {
	/*
	 * Converts the children of a container into those of a node. level: as in struct frame. up: the
	 * innermost frame around the container; NULL: none.
	 */
	void (*blocks)(struct conv *c, struct source *src, cmark_node *container, struct doc_node *into, unsigned level,
	    struct frame *up);
	/* Converts a piece of Markdown and adds it to a stream. */
	void (*markdown)(struct stream *st, struct str text, size_t line);
	/* True if this source, parsed alone, gives one raw block of the same source. */
	bool (*round_trips)(struct str raw);
};

/* The conversion of one body. */
struct conv {
	const struct conv_steps *steps;
	struct arena          *a;
	const struct doc_refs *refs;       /* resolves links; NULL: none are resolved */
	void                 (*warn)(void *ctx, size_t line, const char *message); /* may be NULL */
	void                  *warn_ctx;
	struct str             body;
	struct doc            *doc;        /* the result */
	struct footnote       *notes;      /* footnote definitions in cmark's order */
	struct footnote       *by_label;   /* the same, sorted by label */
	struct note_place     *places;     /* their places, sorted by line */
	size_t                 note_count;
	size_t                 note_at;    /* index of the next place */
	const GumboNode       *box;        /* checkbox of the item that is being read; it becomes an attribute */
	size_t                 covered;    /* last line that notes_place_until() has passed */
	struct source         *notes_src;  /* the source that the definitions are in */
	bool                   in_note;    /* the body of a footnote is being converted */
	bool                   checking;   /* this parse only checks how a source reads */
	struct str             last_raw;   /* last source that was checked */
	bool                   last_round_trips;/* and the result (stream_raw()) */
	size_t                 note_budget;/* bytes of footnotes that may still be copied */
	struct md_reference  **references; /* by number */
	size_t                 reference_count, reference_room;
	size_t                 expansion;  /* bytes that reference links may still add */
	bool                   excess;     /* that budget was exceeded */
	enum lookup_by         by;         /* syntax of the next lookup */
	size_t                 by_reference;/* with BY_REFERENCE: the number of the definition */
	unsigned               nested;     /* how deep parses of parts nest now */
	struct arena          *scratch;    /* memory of gumbo; made at first use */
	unsigned               opened;     /* html_open() calls without html_close() */
	const GumboNode       *wraps[MAX_WRAPS]; /* inline elements around the current blocks, outermost first */
	unsigned               wrap_count;
	const char            *align;      /* alignment of the box around the current blocks, see html_align() */
	bool                   in_html;    /* the blocks will be written as HTML */
	size_t                 line;       /* line that is being converted, for warnings */
};

/* A container that is being converted. */
struct stream {
	struct conv   *c;
	struct source *src;
	struct frame  *top, *base;
	cmark_node    *next;       /* next sibling to read; an HTML element that spans several siblings advances it */
	struct box    *box;        /* innermost open box */
};

/*
 * An element such as <div>, which only groups blocks. Its start tag and its end tag become raw
 * blocks that show nothing.
 */
struct box {
	struct box   *up;
	struct frame *frame;       /* frame in which it was opened; it ends with the frame */
	struct str    name;
	const char   *align;       /* alignment of its content; NULL: none */
};

/* In the functions below, `line` is a line of the body, from 1, and `level` as in struct frame. */
void conv_warn(struct conv *c, size_t line, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Converts a piece of HTML (stream_html()), or one tag of the dialect (stream_tag()), and adds the
 * result.
 */
void stream_html(struct stream *st, struct str text, size_t line);
void stream_tag(struct stream *st, struct tag *t, size_t line);
/* Adds a Markdown heading. A heading that shows nothing is kept as source (doc_heading.c). */
void stream_heading(struct stream *st, cmark_node *n);
/* Appends a block to the innermost frame. */
void stream_add(struct stream *st, struct doc_node *n);
void stream_raw(struct stream *st, struct str raw);
/* True if this source, parsed alone, gives one raw block: it can then be written and read back unchanged. */
bool raw_round_trips(struct conv *c, struct str raw);
/* The same as stream_raw(), for source whose visible text (html_visible()) is known. */
void stream_raw_seen(struct stream *st, struct str raw, struct str seen);
/* tag must be static or in the arena. The caller sets owner and before. */
struct frame *frame_push(struct stream *st, struct doc_node *node, const char *tag, size_t line);
void frame_close(struct stream *st, struct frame *f);
struct frame *frame_find(struct stream *st, const char *tag);
/* The same as stream_html(), for text that is HTML from beginning to end. */
void stream_elements(struct stream *st, struct str html, size_t line);
/* Innermost open box of the container; NULL: none. */
struct box *current_box(struct stream *st);
/* Gives a block the alignment or bold text of the box around it. */
void apply_box(struct stream *st, struct doc_node *n);
/*
 * Completes the node of a frame that is closed: checks its children, moves options and captions
 * (doc_tags.c).
 */
void frame_complete(struct stream *st, struct frame *f);

/*
 * State of one block's inlines (doc_inline.c). BIT_BOLD to BIT_SUB: the bit numbers of MARK_BOLD to
 * MARK_SUB (document_tree.h).
 */
enum { MAX_CAPTURES = 16, MAX_COLORS = 16 };
enum { BIT_BOLD, BIT_ITALIC, BIT_STRIKE, BIT_CODE, BIT_KEYBOARD, BIT_SUPER, BIT_SUB, INLINE_MARKS };

enum capture_kind {
	CAP_LINK, CAP_MENTION, CAP_BUTTON, CAP_ICON, CAP_EXPRESSION, CAP_EMOJI,
	CAP_NOTE,     /* an annotation; its body is a footnote */
	CAP_PASS,     /* nothing is captured: an element that adds no node, until its end tag */
	CAP_EXCESS,   /* a Markdown link that becomes text, because its definition was used too often */
	CAP_MEDIA,    /* a video, sound or frame among words, which becomes a link */
	CAP_BRACKET   /* <rp>, which is kept as source */
};

struct capture {
	enum capture_kind kind;
	const char       *name;    /* element whose end tag ends it; "" for a Markdown link */
	struct doc_node  *node;    /* the captured node */
	struct doc_node  *outer;   /* where text goes again afterwards */
	bool              closed;  /* its own end tag was found */
	const char       *footnote;/* CAP_NOTE: label of the footnote */
	const char       *address; /* CAP_MEDIA: address of the link; NULL: none was found yet */
	const char       *title;   /* CAP_MEDIA: text of the link; NULL: its address */
	const char       *label;   /* CAP_EXCESS: label of the definition */
	size_t            from;    /* CAP_EXCESS: offset in the leaf at which the text of the link begins */
};

struct inl {
	struct conv     *c;
	struct doc_node *into;     /* the block */
	struct doc_node *sink;     /* node to which text is added now */
	unsigned         count[INLINE_MARKS]; /* by BIT_BOLD etc.: number of open elements with this mark */
	uint32_t         colors[MAX_COLORS];  /* marks of the open <mark> elements; further ones are only counted */
	unsigned         color;    /* number of open <mark> elements */
	struct capture   caps[MAX_CAPTURES];  /* open captures, outermost first */
	unsigned         cap;      /* their number */
	unsigned         wrapped;  /* captures that elements around the block have begun */
	struct doc_target *dark;   /* dark variant of a <picture> */
	bool             pre;      /* white space is kept, as in <pre> */
};

void inline_nodes(struct conv *c, cmark_node *first, cmark_node *stop, struct doc_node *into);
void inline_begin(struct inl *in, struct conv *c, struct doc_node *into);
void inline_element(struct inl *in, const GumboNode *n);
void inline_end(struct inl *in);
/* The steps that Markdown and HTML share. inline_enter() begins an element; false: it has no meaning here. */
bool inline_enter(struct inl *in, const GumboNode *e, struct str name);
bool inline_leave(struct inl *in, struct str name);
void inline_put_text(struct inl *in, struct str s);
void inline_put_emoji(struct inl *in, const char *code);
void inline_put_math(struct inl *in, struct str formula);
/* Adds source unchanged: a tag or a comment. */
void inline_put_raw(struct inl *in, struct str raw);
/* Adds a blank between two words, if the start or end of a box is between them. */
void inline_separate(struct inl *in);
/* The name of a media element, as a static text; NULL for other elements. */
const char *inline_media(struct str name);

/* Footnotes (doc_note.c). */
cmark_node *notes_read(struct conv *c, struct source *src);
void notes_collect(struct conv *c, cmark_node *root);
const struct footnote *note_by_number(const struct conv *c, const char *number);
const struct footnote *note_by_label(const struct conv *c, const char *label);
/*
 * Places the definitions that are before a line, after the block `before` (NULL: none). line: where
 * the next block begins or the container ends; SIZE_MAX: the page ends.
 */
void notes_place_until(struct stream *st, cmark_node *before, size_t line);
void notes_keep_unused(struct conv *c);
/* Label of the footnote definition with which the line begins; n 0: it begins with none. */
struct str note_label(struct str line);

/*
 * Resolves targets: absolute URLs directly, others by the caller's lookup(). conv_file() allows
 * only a file or a URL.
 */
struct doc_target *conv_target(struct conv *c, struct str spelling, enum doc_use use);
struct doc_target *conv_file(struct conv *c, struct str spelling);
/* Stores the definitions in the document, for doc_links_of(). Call it at the end of a parse. */
void conv_keep_references(struct conv *c);
/* The spelling as lookups get it: percent-decoded where that does not change its meaning. */
struct str spelling_decode(struct arena *a, struct str s);
bool spelling_absolute(struct str s);
/* True for an address outside of the space, which is never looked up. */
bool spelling_elsewhere(struct str s);

/*
 * Kinds of HTML elements. HTML_BOX: groups blocks and has no node. HTML_PART: part of a list or a
 * table. HTML_FRAME: details and summary. HTML_OPAQUE: its content is no HTML. HTML_OTHER: unknown,
 * or shown as source.
 */
enum html_class { HTML_OTHER, HTML_INLINE, HTML_VOID, HTML_BLOCK, HTML_PART, HTML_BOX, HTML_FRAME, HTML_OPAQUE,
	HTML_COMMENT, HTML_DIALECT };

/* Kind of the element with this name, in any case (doc_scan.c). */
enum html_class html_class(struct str name);
/* True if an element of that kind separates the words before it from those inside. */
bool html_parts_text(enum html_class class);

/* HTML helpers (doc_html.c, doc_element.c). */
/*
 * Parses a fragment. The children of the result are the fragment; it is valid until html_close(),
 * so copy to the arena what must live longer. NULL: nested too deeply.
 */
const GumboNode *html_open(struct conv *c, struct str html);
/* The same as html_open(), for callers outside of a conversion: the tree is in the arena a. */
GumboNode *html_parse(struct arena *a, struct str html);
void html_close(struct conv *c);
/* True if the fragment is shown to readers as source (html_visible()). */
bool html_is_source(const GumboNode *n);
/* html_visible() of raw, whose gumbo tree is root. */
struct str html_visible_in(struct arena *a, struct str raw, const GumboNode *root);
const char *html_attr(const GumboNode *n, const char *name);
/* Icon that a class names; NULL: none. */
const char *html_icon(struct arena *a, const char *class);
/* Number of the colour that a style attribute gives a property; 0: the default. */
uint32_t html_color(const char *style, const char *property);
bool html_is(const GumboNode *n, const char *name);
struct str html_name(const GumboNode *n);
struct str html_end_tag(const GumboNode *n);
bool html_blank(const GumboNode *n);
const GumboNode *html_child(const GumboNode *n, const char *name);
/* Converts elements to blocks of a node. False: nothing was added. */
bool html_blocks(struct conv *c, const GumboVector *nodes, struct doc_node *into, unsigned level);
/*
 * The same as html_blocks(), for the content of an element. Content that contains a blank line is
 * read as Markdown (doc_inside.c).
 */
bool html_inside(struct conv *c, const GumboNode *e, struct doc_node *into, unsigned level);
/*
 * Kinds of pictures (doc_html_kind.c): a figure of one image, an image that is a block, a media
 * element.
 */
bool html_is_image_figure(const GumboNode *n);
bool html_is_image(const GumboNode *n);
bool html_is_media(const GumboNode *n);
/* True for an element that only groups others and has no node. False for parts of a list or table. */
bool html_is_box(const GumboNode *n);
/* 1 to 6; 0 if it is no heading. */
int html_heading_level(const GumboNode *n);
/* True for: a block of the tree; a hint written as HTML; an element that contains only images. */
bool html_is_block(const GumboNode *n);
bool html_is_hint(const GumboNode *n);
bool html_is_gallery(const GumboNode *n);
/* Adds the inlines of all <summary> children of a fragment to a title. */
void html_title(struct conv *c, const GumboNode *root, struct doc_node *title);
/* Address of a video, sound or frame; NULL: it is neither a web address nor one in the space. */
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
 * If the inlines of a paragraph, from first on, contain block tags or a video alone, converts them
 * to blocks; else returns false.
 */
bool paragraph_blocks(struct stream *st, cmark_node *first, size_t line);

/*
 * Parses the body only for the lookups: calls refs for each target, and drops the tree. False: the
 * body is beyond the limits.
 */
bool doc_run_lookups(struct arena *a, struct str body, const struct doc_refs *refs);

/* Approximate size of a node as JSON, in bytes, with targets as they are spelled (doc_weight.c). */
size_t doc_weight(const struct doc_node *n);

/* A block for a file of the space, or for an embedded address (doc_tags.c). */
struct doc_node *file_block(struct conv *c, const char *src);
/* Fills a code block with one code-line per line (doc_tags.c). */
void code_lines(struct arena *a, struct doc_node *code, struct str text);

#endif
