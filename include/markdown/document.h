/*
 * Page bodies: Markdown in the dialect of git sync <-> the document tree and
 * its JSON (types: document_tree.h; page files: layout/rules.md).
 *
 * Markdown is canonical and stays as it was typed; the tree is derived from
 * it. Nothing here touches the database: the caller resolves links, images and
 * includes, through the callbacks of struct doc_refs.
 *
 *   body bytes --doc_parse--> struct doc --doc_json--> JSON for clients
 *   JSON       --doc_read--->     "      --doc_markdown--> Markdown
 *
 * Contract: doc_markdown(doc_parse(x)) is a fixpoint (parse, serialise, parse
 * gives an equal tree; serialising again gives equal bytes).
 * Every JSON is valid against the published client's Document* schemas (0.202.0,
 * nesting relaxed). Everything is allocated in the caller's arena.
 *
 * Source without a node in the schema is kept in additional members, which the
 * schema allows: a leaf's `raw` (HTML comments, unknown elements and tags,
 * verbatim; its text is what a reader sees of it), a block's `rawBefore` and
 * `rawAfter` (invisible source between blocks, such as comments), a code block's
 * `info`, a link's `title`, and the `level` of a heading of level 5 or 6, which
 * is a bold paragraph. An unresolved target is a `url` reference with its
 * spelling, or, where the schema requires a file or reusable content, one of
 * that kind with the spelling as its id.
 *
 * Time is linear in the body: there are limits on depth, on table cells that
 * cmark would fill in, and on input that takes cmark and gumbo quadratic time
 * (doc_cost.c). Memory is 30 to 60 bytes for each byte of an ordinary body; the
 * limits below bound it for a hostile one.
 */
#ifndef OCTAVO_DOCUMENT_H
#define OCTAVO_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/json.h"
#include "base/str.h"

struct cJSON;

/* The target of a link or asset: the ContentRef of the published API. */
struct doc_ref {
	enum doc_ref_kind {
		REF_NONE,        /* the target is not resolved */
		REF_URL,         /* url */
		REF_FILE,        /* id (, space) */
		REF_PAGE,        /* id (, space) */
		REF_ANCHOR,      /* anchor (, id = page, space) */
		REF_SPACE,       /* id */
		REF_USER,        /* id */
		REF_COLLECTION,  /* id */
		REF_REUSABLE,    /* id (, space) */
		REF_TAG,         /* id (, space) */
		REF_OPENAPI      /* id = slug of the specification */
	} kind;
	const char *id;
	const char *anchor;
	const char *space;
	const char *url;
};

/*
 * The syntax in which a target is spelled; a link to x.md and an include of x.md have different
 * targets.
 */
enum doc_use {
	USE_LINK,      /* [..](..), <a href>, content-ref, mention, button, card target */
	USE_FILE,      /* image, file block, cover: everything that is shown or downloaded */
	USE_INCLUDE,   /* {% include %} */
	USE_OPENAPI    /* {% openapi src= %}; slugs in spec= are not spellings */
};

/*
 * Resolves links in both directions. lookup() stores the target of a spelling in *out; false: it
 * has none. It is not called for absolute URLs (except those of the published service's
 * application) and for fragments alone, which doc_parse resolves itself. spell() appends to out the
 * text to write for a target; false: it has none, and the link is written as broken
 * (/broken/pages/<id>; layout/rules.md, section 5.5). seen() gets each absolute URL that lookup() does
 * not get; it may be NULL.
 */
struct doc_refs {
	bool (*lookup)(void *ctx, struct arena *a, struct str spelling, enum doc_use use,
	    struct doc_ref *out);
	bool (*spell)(void *ctx, struct arena *a, const struct doc_ref *ref, enum doc_use use,
	    struct buf *out);
	void (*seen)(void *ctx, struct str url, enum doc_use use);
	void  *ctx;
	const char *self;   /* id of the parsed page, so that links to it become links within it; NULL: unknown */
};

struct doc;  /* the tree; document_tree.h defines its nodes, only for this module */

/*
 * The limits of a document (docs/operate/settings.md, "Limits"), which everything that writes
 * documents must keep: nodes, memory of a parse, and bytes of JSON without the content of link
 * targets. Also limited is how many bytes reference links may add by repeating their definitions:
 * as many as the body has, but at least DOC_EXPANSION_MIN.
 */
#define DOC_NODES_MAX  200000
#define DOC_MEMORY_MIB 256
#define DOC_EXPANSION_MIN 100000
enum { DOC_MEMORY_MAX = DOC_MEMORY_MIB << 20, DOC_JSON_MAX = 64 << 20 };

/*
 * What is wrong with a parsed document, as the end of a sentence that begins with "the document";
 * NULL: it is within the limits. A document beyond the limits consists of its source as plain text.
 * If only reference links add too much, just the links beyond the limit are text.
 */
const char *doc_fault(const struct doc *d);
/*
 * Why gumbo would take too long for a text of HTML, as the end of such a sentence; NULL: it would
 * not. nesting: how many elements may be open at a time, where those that need no end tag count, too.
 */
const char *doc_html_fault(struct str html, unsigned nesting);
/* The same for a body; cheap if it is small. Returns NULL or a static text. */
const char *doc_body_fault(struct str body);
/*
 * True if a body is so small that it cannot reach the limits, and need not be parsed to check them.
 */
bool doc_is_small(struct str body);

/*
 * Parses a page body (after the frontmatter and the H1). Accepts any bytes: invalid UTF-8 is read
 * as U+FFFD. refs may be NULL: nothing is resolved. warn is called with a message and the line in
 * the body, from 1; it may be NULL. The document is in the arena.
 */
struct doc *doc_parse(struct arena *a, struct str body, const struct doc_refs *refs,
    void (*warn)(void *ctx, size_t line, const char *message), void *warn_ctx);

/*
 * A cheaper parse for callers that need only sections, places, expressions and doc_fault(): links
 * are not resolved, and blocks get no keys, which would take a quarter of the time.
 */
struct doc *doc_parse_words(struct arena *a, struct str body,
    void (*warn)(void *ctx, size_t line, const char *message), void *warn_ctx);

/*
 * True if a reader sees anything of the body: visible characters, or content without text such as
 * pictures, mentions, dividers, embeds. Comments, definitions, white space, and empty quotes, items
 * and headings do not count.
 */
bool doc_body_shows(struct str body);

/*
 * Returns how many bytes of bodies this process has parsed so far, with any function: a measure of
 * its work.
 */
size_t doc_bytes_parsed(void);

/* Writes the tree as one JSON value: {"object":"document",...}. */
void doc_json(struct json *j, const struct doc *d);
/* The document JSON of Markdown whose links have no targets in a space, for example a description in a specification. */
struct str doc_json_of(struct arena *a, struct str markdown);

/*
 * Reads document JSON from a client. Returns NULL if it is not a valid document: *where is then the
 * JSON pointer of the error ("/nodes/3/data/style"), and *why describes it. Unknown members are
 * ignored, unknown node types are errors. The document and both texts are in the arena.
 */
struct doc *doc_read(struct arena *a, const struct cJSON *json, const char **where,
    const char **why);

/* Appends the tree to out as Markdown, in the service's style. */
void doc_markdown(struct buf *out, const struct doc *d, const struct doc_refs *refs);

/*
 * Lists the spellings of all targets in the body, in order. Each has its place in the source, where
 * it is typed (with escapes), and its decoded form, which lookup() gets (without Markdown escapes,
 * entities and percent-encoding). Absolute URLs and fragments alone are included.
 */
enum doc_place { PLACE_BARE, PLACE_ANGLE, PLACE_QUOTED, PLACE_SINGLE, PLACE_UNQUOTED, PLACE_TAG };
struct doc_link {
	struct doc_link *next;
	enum doc_use     use;
	enum doc_place   place;     /* how the source quotes it, for doc_quote */
	struct str       spelling;  /* decoded: the key of a page's refs map */
	size_t           from, to;  /* byte range in the body, as typed; both 0 where the place
	                               is unknown (a bar or a backquote in it) */
	size_t           line;      /* from 1; 0 where the place is unknown */
};
struct doc_link *doc_links(struct arena *a, struct str body);
/* The same for a body that doc_parse() or doc_parse_words() has parsed into d. */
struct doc_link *doc_links_of(struct arena *a, const struct doc *d, struct str body);
/* Copies the list without its scratch memory, which is as large as the document. */
struct doc_link *doc_links_copy(struct arena *a, const struct doc_link *list);

/*
 * Appends the body to out with some spellings replaced. respell is called for each link; it writes
 * the new target, unquoted, to its out and returns true, or returns false to keep the old one.
 * doc_respell quotes the target for its place. All other bytes are copied unchanged.
 */
void doc_respell(struct buf *out, struct arena *a, struct str body,
    bool (*respell)(void *ctx, const struct doc_link *link, struct buf *out), void *ctx);

/* Appends a target, quoted and escaped for a place of that kind. */
void doc_quote(struct buf *out, struct str target, enum doc_place place);

/*
 * The top-level blocks of a body: their byte ranges, which cover the whole body without gaps (blank
 * lines belong to the block before them), and the keys of their nodes. A key is a hash of the
 * block's source, followed by a number if it is repeated. So a block that is not edited keeps its
 * key.
 */
struct doc_block {
	struct str  source;
	const char *key;
	const char *type;   /* type of the block's first node; "" if it has none */
};
struct doc_block *doc_blocks(struct arena *a, struct str body, size_t *count);

/*
 * Returns all blocks at any depth, and the columns and rows of tables, each after its container.
 * The key of a block is its key in the document, that of a column or row is its id.
 */
struct doc_part {
	const char *key;
	const char *type;    /* node type of a block; "column", "record" */
	struct str  source;  /* what it is compared by: a top-level block's source, else its text */
	size_t      up;      /* 1 + the index of its container; 0: the page itself */
	size_t      below;   /* number of parts inside, which follow it */
};
struct doc_part *doc_parts(struct arena *a, struct str body, size_t *count);

/*
 * The sections for search and anchors: the text before the first heading (heading NULL), then one
 * section for each heading at any visible depth. The text is plain: no markup, no URLs, code
 * included.
 *
 * The content of an {% if %}, and the text after it, become sections of their own, which are parts
 * of the section around them. Cells of tables have no sections: conditional text in them is left
 * out.
 *
 * All texts are in the arena, so the document may be freed earlier.
 */
struct doc_section {
	const char *anchor;   /* heading's id; NULL for the first */
	const char *heading;  /* plain text; NULL for the first, and for parts */
	int         level;    /* 1..6, the number of # in the source; 0 for the first */
	const char *text;
	bool        part;     /* continues an earlier section, with the same anchor and level */
	const char *under;    /* of a part: the heading of that section, or NULL */
	const char *condition;/* expressions that must all hold, separated by DOC_AND; NULL: shown to everybody */
};
#define DOC_AND "\x1F"
struct doc_section *doc_sections(struct arena *a, const struct doc *d, size_t *count);

/*
 * The names by which fragments may refer to places of the document, as a text: a line feed, then a
 * line for each name: the name in lower case, a tab, and the anchor (empty if it equals the name).
 * Each place also has a name that is "~" and its letters and digits only: fragments made by the rules
 * of other programs ("release-4-5", "release45") are found by it.
 */
struct str doc_places(struct arena *a, const struct doc *d);
/*
 * Returns the anchor of the place that a fragment (without "#", as typed) names; NULL: there is
 * none.
 */
const char *doc_place(struct arena *a, struct str places, const char *fragment);
/* The same for many fragments: the names are parsed once. The map points into the text. */
struct map *doc_place_map(struct arena *a, struct str places);
const char *doc_place_in(struct arena *a, const struct map *places, const char *fragment);
/* True if a fragment names the title above the document. */
bool doc_names_title(struct arena *a, const char *title, const char *fragment);

/* Returns the slugs of the API descriptions that the document's blocks show, without duplicates. */
const char **doc_specs(struct arena *a, const struct doc *d, size_t *count);

/*
 * The expressions of a body in reading order, as typed: conditions of {% if %}, and values in text.
 * NULL: none. If the body has no expressions, only its bytes are searched.
 */
struct doc_expression {
	const char *text;
	size_t      line;       /* in the body, from 1; for a value in text, the line of its block */
	bool        condition;  /* true for {% if %} */
};
struct doc_expression *doc_expressions(struct arena *a, struct str body, size_t *count);
/* The same for a document; the texts belong to the document. */
struct doc_expression *doc_expressions_of(struct arena *a, const struct doc *d, size_t *count);

/* Counts the words of a section's or page's text; each CJK character counts as one. */
size_t doc_words(const char *text);

/*
 * Returns the offset of the id in a heading "Title {#id}" (Honkit, the service's first years);
 * heading.n: there is none.
 */
size_t heading_id(struct str heading);
/* Returns the anchor of a heading (layout/rules.md, section 4), in the arena. The caller adds -1, -2 to repeats. */
char *slug_from_heading(struct arena *a, struct str heading);

/*
 * Returns the code of the emoji with this key (emoji.h) as documents spell it, with its variation
 * selectors; the key itself if the table of shortcodes does not have it.
 */
const char *emoji_spelling(const char *key);

#endif
