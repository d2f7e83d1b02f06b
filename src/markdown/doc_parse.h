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

/* Names and values are copies in the arena, values unescaped. */
struct tag_attr {
	struct tag_attr *next;
	const char      *name;
	const char      *value;
};

struct tag {
	struct str       name;     /* without the leading "end" */
	bool             end;
	struct str       args;     /* between name and the closing, trimmed */
	struct str       source;   /* all of it */
	struct tag_attr *attrs;    /* tag_attrs() fills it */
};

/* Scans the tag that s begins with; bytes used, 0 if there is none. */
size_t tag_scan(struct str s, struct tag *t);
void tag_attrs(struct arena *a, struct tag *t);
const char *tag_get(const struct tag *t, const char *name);
/* What an include names: the first word of args, else their first quoted string; NULL: nothing. */
const char *tag_quoted(struct arena *a, const struct tag *t);
/* Is this the name of a block tag that we give a meaning? */
bool tag_known(const struct tag *t);
/* Undoes entities and, if asked, backslash escapes. */
char *text_unescape(struct arena *a, struct str s, bool backslashes);

/* Emphasis beside CJK text (doc_cjk.c). */
/* Marks runs of delimiters in the blocks of that text, before inlines are read; NULL: there was nothing to mark. */
const char *cjk_mark(struct arena *a, cmark_node *root, struct str text);
/* Takes that mark out of what was read. */
void cjk_unmark(cmark_node *root, const char *mark);

/* What follows n in a tree of blocks; NULL behind the last. */
cmark_node *md_next_block(cmark_node *n);
/* Blocks whose text holds no syntax (doc_plain.c): given their text, so that cmark reads no inlines in them, ... */
struct plain_block;
struct plain_block *plain_blocks(struct arena *a, cmark_node *root);
/* ... and, after cmark, as if it had. */
void plain_done(struct plain_block *list);

/* Kinds of our own cmark nodes. */
enum { CM_TAG = 't', CM_MATH = '$', CM_EMOJI = ':' };

struct conv;

/*
 * A link definition. cmark copies address and title at each use, so that 60 kB
 * of Markdown can ask for 200 MB: in its place it is given a token that no body
 * holds (a byte that is no UTF-8, and the definition's number).
 */
struct md_reference {
	struct md_reference *next;
	struct str           url;
	const char          *title;
	const char          *label;   /* folded as cmark compares it */
	size_t               number;
};

/* The text of one cmark parse and where its lines start. */
struct source {
	struct str  text;
	size_t     *starts;       /* lines + 1 entries; the last is text.n */
	size_t      lines;
	size_t      base;         /* line number of its first line in the body, less 1 */
	size_t      no_math;      /* from this line on no line closes a $$ block */
	size_t      no_end;       /* elements whose end was looked for in vain; see doc_html.c */
};

/*
 * Parses text, whose first line is line base + 1 of the body. The tree lives
 * until the end of tree() (doc_parse.c), in the memory of limit_cmark().
 */
cmark_node *md_read(struct conv *c, struct source *src, struct str text, size_t base);
/* The definition that a link's or image's address stands for; NULL: it is an address of its own. */
const struct md_reference *md_reference(const struct conv *c, cmark_node *link);
/* Address and title of a link or image; false: its definition was used too often, and it stays text. */
bool md_address(struct conv *c, cmark_node *link, struct str *url, const char **title);
/* Finds the lines of src->text. */
void md_lines(struct arena *a, struct source *src);
/* Kind and content of one of our nodes; 0 if it is none. */
char md_custom(cmark_node *n, struct str *content);
struct str md_literal(cmark_node *n);
bool md_is_table(cmark_node *n);

struct frame {
	struct frame    *up;        /* enclosing frame, also that of an outer container */
	struct doc_node *node;      /* children go here */
	const char      *tag;       /* what closes it; NULL: the container itself */
	struct doc_node *owner;     /* node's parent, and ... */
	struct doc_node *before;    /* ... its sibling before node, NULL if first */
	struct doc_node *open;      /* last child that an end tag may complete: embed, file, ... */
	const char      *open_tag;  /* ... and the name of that tag */
	struct doc_node **noted;    /* of the definitions in node (struct note_place); NULL: there is none */
	bool             closing;   /* closed from within an inner container */
	size_t           line;
	unsigned         level;
};

/* def is in cmark's memory and lives as long as the parse; label has no "^". */
struct footnote {
	const char *label;
	cmark_node *def;
};

/* Where a definition stands: from its first line up to the line where the next thing begins. */
struct note_place {
	size_t            line, until; /* until 0: not between blocks that have a place in the document */
	size_t            note;        /* index in conv's notes */
	struct doc_node  *into;        /* what holds these blocks, and ... */
	struct doc_node **noted;       /* ... the last of them before a definition that was put there already */
	bool              inner;       /* in an item or a quote: its lines begin with what makes them so */
	bool              used;        /* an annotation of the document has it */
};

/* MAX_NESTED: sub-parses within sub-parses. MAX_WRAPS: inline elements around blocks, beyond which they are left out. */
enum { MAX_NESTED = 12, MAX_WRAPS = 8 };

struct frame;
struct stream;

/*
 * What a conversion does with a text in the midst of another: a page holds HTML, which holds Markdown, and so on.
 * doc_parse.c gives these steps to the files of single kinds, which so need not know of the whole.
 */
struct conv_steps {
	/* Converts the children of a container into those of a node. */
	void (*blocks)(struct conv *c, struct source *src, cmark_node *container, struct doc_node *into, unsigned level,
	    struct frame *up);
	/* Pushes a piece of Markdown through a stream. */
	void (*markdown)(struct stream *st, struct str text, size_t line);
	/* Does that source, alone, read as one raw block? */
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
	size_t                 note_at;    /* the first of places that was not passed yet */
	size_t                 covered;    /* the last line of what was passed */
	struct source         *notes_src;
	bool                   in_note;
	bool                   checking;   /* a parse that only asks how something reads */
	struct str             last_raw;   /* the last source that was asked about, ... */
	bool                   last_stands;/* ... and the answer: doc_parse.c, stream_raw() */
	size_t                 note_budget;
	struct md_reference  **references; /* by number */
	size_t                 reference_count, reference_room;
	size_t                 expansion;  /* bytes that reference links may still add */
	bool                   excess;     /* they would have added more */
	enum ask_by            by;         /* what the next question is asked by, ... */
	size_t                 by_reference;/* ... and the definition's number */
	unsigned               nested;     /* sub-parses under way */
	struct arena          *scratch;    /* for gumbo; made when first needed */
	unsigned               opened;     /* html_open() without its html_close() */
	const GumboNode       *wraps[MAX_WRAPS]; /* inline elements around the blocks that are read, outermost first */
	unsigned               wrap_count;
	const char            *align;      /* of the box around them, as html_align() */
	bool                   in_html;    /* they go into an element that is written as HTML */
	size_t                 line;       /* of what is being converted, for warnings */
};

/* One container being converted. */
struct stream {
	struct conv   *c;
	struct source *src;
	struct frame  *top, *base;
	cmark_node    *next;       /* following sibling; HTML that spans blocks moves it on */
	struct box    *box;        /* the innermost open one */
};

/* An element that groups blocks, from its start tag to its end tag: both are raw blocks that show nothing. */
struct box {
	struct box   *up;
	struct frame *frame;       /* that it was opened in, and ends with */
	struct str    name;
	const char   *align;       /* of what stands in it; NULL: it says none */
};

void conv_warn(struct conv *c, size_t line, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Pushes a piece of HTML, or one tag through a stream. */
void stream_html(struct stream *st, struct str text, size_t line);
void stream_tag(struct stream *st, struct tag *t, size_t line);
/* A heading of Markdown; one that shows nothing stays source (doc_heading.c). */
void stream_heading(struct stream *st, cmark_node *n);
/* Appends a block to the innermost frame. */
void stream_add(struct stream *st, struct doc_node *n);
void stream_raw(struct stream *st, struct str raw);
/* Does that source, alone, read as one raw block? Else it would come back as something else. */
bool raw_stands(struct conv *c, struct str raw);
/* The same where it is known what a reader sees of it (html_visible()). */
void stream_raw_seen(struct stream *st, struct str raw, struct str seen);
/* tag must be static or in the arena: it is kept. The caller sets owner and before. */
struct frame *frame_push(struct stream *st, struct doc_node *node, const char *tag, size_t line);
void frame_close(struct stream *st, struct frame *f);
struct frame *frame_find(struct stream *st, const char *tag);
/* The same for what is HTML from its beginning to its end. */
void stream_elements(struct stream *st, struct str html, size_t line);
/* The innermost open box of the container; NULL: none. */
struct box *box_now(struct stream *st);
/* Gives a block what the box that it stands in says of its look. */
void box_applies(struct stream *st, struct doc_node *n);
/* Completes a node whose tag was closed (doc_tags.c). */
void tag_closed(struct stream *st, struct frame *f);

/* Inlines (doc_inline.c): the state of one block's. */
enum { MAX_CAPTURES = 16, MAX_COLORS = 16, INLINE_MARKS = 7 };

enum capture_kind { CAP_LINK, CAP_MENTION, CAP_BUTTON, CAP_ICON, CAP_EXPRESSION, CAP_EMOJI, CAP_NOTE, CAP_PASS,
	CAP_EXCESS, CAP_MEDIA, CAP_BRACKET };

struct capture {
	enum capture_kind kind;
	const char       *name;    /* element that ends it; "" for a Markdown link */
	struct doc_node  *node;    /* what it will be */
	struct doc_node  *outer;   /* sink to go back to */
	const char       *note;    /* label of a footnote, or of a definition used too often; address of a video */
	const char       *label;   /* CAP_MEDIA: words for it, NULL: its address */
	bool              closed;  /* by its own end tag */
	size_t            from;    /* CAP_EXCESS: bytes of the leaf before its text */
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
	unsigned         wrapped;  /* captures that elements around the block began */
	struct doc_target *dark;   /* of a <picture> */
	bool             pre;      /* white space counts */
};

void inline_nodes(struct conv *c, cmark_node *first, cmark_node *stop, struct doc_node *into);
void inline_begin(struct inl *in, struct conv *c, struct doc_node *into);
void inline_element(struct inl *in, const GumboNode *n);
void inline_end(struct inl *in);
/* The steps that both kinds of inlines are made of. An element begins: false if it means nothing to us. */
bool inline_enter(struct inl *in, const GumboNode *e, struct str name);
bool inline_leave(struct inl *in, struct str name);
void inline_put_text(struct inl *in, struct str s);
void inline_put_emoji(struct inl *in, const char *code);
void inline_put_math(struct inl *in, struct str formula);
/* Source as typed: a tag or a comment. */
void inline_put_raw(struct inl *in, struct str raw);
/* A blank between words that a box or the like stands between. */
void inline_part(struct inl *in);
/* The name as a static text, if it is that of an element that plays something; else NULL. */
const char *inline_media(struct str name);
const char *inline_alt(struct conv *c, cmark_node *image);

/* Footnotes (doc_note.c). */
cmark_node *notes_read(struct conv *c, struct source *src);
void notes_collect(struct conv *c, cmark_node *root);
const struct footnote *note_numbered(const struct conv *c, const char *number);
const struct footnote *note_labelled(const struct conv *c, const char *label);
/*
 * Finds the definitions behind a block (NULL: behind none) and before the line at which the next one begins, or
 * the container has ended (SIZE_MAX: the page).
 */
void notes_pass(struct stream *st, cmark_node *before, size_t line);
void notes_unused(struct conv *c);
/* The label of a footnote definition that begins the line; n 0 if it is none. */
struct str note_label(struct str line);

/* Targets: a lookup, or what doc_parse settles itself. */
struct doc_target *conv_target(struct conv *c, struct str spelling, enum doc_use use);
struct doc_target *conv_file(struct conv *c, struct str spelling);
/* At the end of a parse: what doc_links_of() needs to tell what was asked about goes to the document. */
void conv_asked(struct conv *c);
/* The spelling as lookups want it: percent-encoding undone where that is safe. */
struct str spelling_decode(struct arena *a, struct str s);
bool spelling_absolute(struct str s);
/* Is it an address that nobody is asked for, since it leads elsewhere? */
bool spelling_elsewhere(struct str s);

/*
 * What an element is in a document. HTML_BOX: it groups blocks, and the tree has no node for it. HTML_PART: of
 * a list or a table. HTML_FRAME: details and summary. HTML_OPAQUE: what it holds is no HTML. HTML_OTHER: no
 * element of HTML, or one that is shown as source.
 */
enum html_class { HTML_OTHER, HTML_INLINE, HTML_VOID, HTML_BLOCK, HTML_PART, HTML_BOX, HTML_FRAME, HTML_OPAQUE,
	HTML_COMMENT, HTML_DIALECT };

/* By its name, in any case (doc_scan.c). */
enum html_class html_class(struct str name);
/* Does an element of that class part the words before it from those in it? */
bool html_parts_text(enum html_class class);

/* HTML helpers (doc_html.c, doc_element.c). */
/*
 * The element whose children the fragment is, until html_close(); NULL for what
 * is nested absurdly deep. What is to last must be copied to the arena.
 */
const GumboNode *html_open(struct conv *c, struct str html);
/* The same without a conversion around it: the tree is in the arena. */
GumboNode *html_parse(struct arena *a, struct str html);
void html_close(struct conv *c);
/* Would a reader see nothing of it but source? */
bool html_is_source(const GumboNode *n);
/* The same as html_visible() of raw, of which root is what gumbo makes. */
struct str html_visible_in(struct arena *a, struct str raw, const GumboNode *root);
const char *html_attr(const GumboNode *n, const char *name);
/* The icon that a class names; NULL: none. */
const char *html_icon(struct arena *a, const char *class);
/* The number of the colour that a style gives a property; 0: default. */
uint32_t html_color(const char *style, const char *property);
bool html_is(const GumboNode *n, const char *name);
struct str html_name(const GumboNode *n);
struct str html_end_tag(const GumboNode *n);
bool html_blank(const GumboNode *n);
const GumboNode *html_child(const GumboNode *n, const char *name);
/* Converts elements into blocks of a node; false (nothing added) if it cannot. */
bool html_blocks(struct conv *c, const GumboVector *nodes, struct doc_node *into, unsigned level);
/* The same for what stands in an element: Markdown where it holds a blank line (doc_inside.c). */
bool html_inside(struct conv *c, const GumboNode *e, struct doc_node *into, unsigned level);
/* One image, which no link or other block holds; a picture that is a block; what plays something (doc_html_kind.c). */
bool html_is_image_figure(const GumboNode *n);
bool html_is_image(const GumboNode *n);
bool html_is_media(const GumboNode *n);
/* What groups others; the tree has no node for it, and its blocks stand where it does. Parts: of no list or table. */
bool html_is_box(const GumboNode *n);
/* 1 to 6; 0: no heading. */
int html_heading_level(const GumboNode *n);
/* Is it a block of the tree; a hint in HTML; images and nothing else? */
bool html_is_block(const GumboNode *n);
bool html_is_hint(const GumboNode *n);
bool html_is_gallery(const GumboNode *n);
/* The inlines of all <summary> that are children of a fragment, as those of a title. */
void html_title(struct conv *c, const GumboNode *root, struct doc_node *title);
/* What a video, a sound or a frame plays; NULL: nothing that has an address on the web or in the space. */
const char *html_media(const GumboNode *n);
/* "start", "center" or "end" of an align attribute or of a style, or of <center>; NULL: none. */
const char *html_align(const GumboNode *n);
struct doc_node *html_code(struct conv *c, const GumboNode *pre);

/* Tables (doc_grid.c, doc_cell.c). */
struct doc_node *grid_markdown(struct conv *c, cmark_node *table);
struct doc_node *grid_html(struct conv *c, const GumboNode *table, unsigned level);
/* The inlines of a pipe table's cell, from first on, as blocks of a node. */
void cell_blocks(struct conv *c, cmark_node *first, struct doc_node *into);
/* The inlines of a paragraph, from first on, as blocks, where tags of blocks or a lone video are among them; else false. */
bool paragraph_blocks(struct stream *st, cmark_node *first, size_t line);

/* Parses for the sake of what refs is asked; the tree is not kept. False: the body is beyond the limits. */
bool doc_ask(struct arena *a, struct str body, const struct doc_refs *refs);

/* Bytes of a node in JSON, about, with targets as they are spelled (doc_weight.c). */
size_t doc_weight(const struct doc_node *n);

/* A file of the space, or what is embedded from elsewhere (doc_tags.c). */
struct doc_node *file_block(struct conv *c, const char *src);
/* Code blocks: one code-line a line (doc_tags.c). */
void code_lines(struct arena *a, struct doc_node *code, struct str text);

#endif
