/*
 * Page bodies: Markdown in the dialect of git sync <-> the document tree and
 * its JSON (types: document_tree.h; page files: layout/rules.md).
 *
 * Markdown is canonical and stays as it was typed; the tree is derived from
 * it. Nothing here touches the database: what a link, image or include points
 * to is asked from the caller through struct doc_refs, spelling by spelling.
 *
 *   body bytes --doc_parse--> struct doc --doc_json--> JSON for clients
 *   JSON       --doc_read--->     "      --doc_markdown--> Markdown
 *
 * Contract: doc_markdown(doc_parse(x)) is a fixpoint (parse, serialise, parse
 * gives an equal tree; serialising again gives equal bytes).
 * Every JSON is valid against the published client's Document* schemas (0.202.0,
 * nesting relaxed). Everything is allocated in the caller's arena.
 *
 * What the schema has no node for is kept in further members, which it allows:
 * a leaf's `raw` (HTML comments, unknown elements and tags, verbatim; its text
 * is what a reader sees of it), a block's `rawBefore` and `rawAfter` (comments and
 * the like between blocks, which show nothing), a code block's `info`, a
 * `level` (5 or 6) of the bold paragraph that such a heading is, a link's `title`. A target that does not resolve is a `url` reference
 * with its spelling, or, where the schema wants a file or reusable content, one
 * of that kind whose id is the spelling.
 *
 * Time is linear in the body, with bounds on depth, on what cmark would fill in
 * and on what cmark and gumbo take quadratic time for (doc_cost.c); memory is 30 to 60 bytes for each byte of an honest body, and for a
 * hostile one bounded by the limits below.
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

/* What a link or asset points to: the ContentRef of the published API. */
struct doc_ref {
	enum doc_ref_kind {
		REF_NONE,        /* not resolved */
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

/* What a spelling was found in; a link to x.md and an include of x.md differ. */
enum doc_use {
	USE_LINK,      /* [..](..), <a href>, content-ref, mention, button, card target */
	USE_FILE,      /* image, file block, cover: anything shown or downloaded */
	USE_INCLUDE,   /* {% include %} */
	USE_OPENAPI    /* {% openapi src= %}; spec= slugs are not spellings */
};

/*
 * Both directions of link resolution. lookup: the target of a spelling that is
 * not an absolute URL with a scheme of its own nor a lone #fragment (those two
 * doc_parse settles itself); false when there is none. spell: the text to write
 * for a target; false when there is none (a broken link is then written as
 * of layout 5.5, /broken/pages/<id>). seen: told of absolute URLs,
 * which are asked of nobody; may be NULL.
 */
struct doc_refs {
	bool (*lookup)(void *ctx, struct arena *a, struct str spelling, enum doc_use use,
	    struct doc_ref *out);
	bool (*spell)(void *ctx, struct arena *a, const struct doc_ref *ref, enum doc_use use,
	    struct buf *out);
	void (*seen)(void *ctx, struct str url, enum doc_use use);
	void  *ctx;
	const char *self;   /* id of the page whose body this is: links to it are within it; NULL: not known */
};

struct doc;  /* the tree; document_tree.h has its nodes, for this module's own files */

/*
 * The limits of a document, which what is written must keep
 * (docs/operate/settings.md, "Limits"):
 * nodes, memory of a parse, bytes of JSON without what its links lead to. And
 * what reference links may add by repeating their definitions: as many bytes as
 * the body has, and always so many.
 */
#define DOC_NODES_MAX  200000
#define DOC_MEMORY_MIB 256
#define DOC_EXPANSION_MIN 100000
enum { DOC_MEMORY_MAX = DOC_MEMORY_MIB << 20, DOC_JSON_MAX = 64 << 20 };

/*
 * What is wrong with a document that was parsed, as the end of a sentence that
 * begins with "the document"; NULL: it is within the limits. A document that is
 * beyond them is its source as plain text; where reference links add too much,
 * those that are too many are text.
 */
const char *doc_fault(const struct doc *d);
/* The same of a body; cheap where it is small. NULL or a static text. */
const char *doc_body_fault(struct str body);
/* Is a body so small that it cannot reach the limits? Then nothing has to be parsed to know that. */
bool doc_is_small(struct str body);

/*
 * Parses a page body (after the frontmatter and the H1). Any bytes are
 * accepted: invalid UTF-8 reads as U+FFFD. refs may be NULL: nothing resolves.
 * warnings: called with a message and the 1-based line in the body; may be NULL.
 */
struct doc *doc_parse(struct arena *a, struct str body, const struct doc_refs *refs,
    void (*warn)(void *ctx, size_t line, const char *message), void *warn_ctx);

/*
 * The same for who asks for its sections, places, expressions and fault alone: nothing resolves, and
 * blocks have no keys, which are a quarter of the work.
 */
struct doc *doc_parse_words(struct arena *a, struct str body,
    void (*warn)(void *ctx, size_t line, const char *message), void *warn_ctx);

/*
 * Does a reader see anything of the body? Characters that leave a mark, and what has no text by its
 * nature: pictures, mentions, rules, embedded things. Not comments, definitions, blanks of any
 * kind, nor the frames of empty quotes, items and headings.
 */
bool doc_body_shows(struct str body);

/* How many bytes of bodies this process has parsed so far, in any way: a measure of its work. */
size_t doc_bytes_parsed(void);

/* Writes the tree as one JSON value: {"object":"document",...}. */
void doc_json(struct json *j, const struct doc *d);

/*
 * Reads document JSON that a client sent. NULL when it is not a document;
 * *where then points to the offending place ("/nodes/3/data/style") and *why says
 * what is wrong. Unknown members are ignored, unknown node types are errors.
 */
struct doc *doc_read(struct arena *a, const struct cJSON *json, const char **where,
    const char **why);

/* Serialises the tree in the service's style. */
void doc_markdown(struct buf *out, const struct doc *d, const struct doc_refs *refs);

/*
 * Every spelling of a target in the body, in order, with the place of the
 * spelling in the source, as typed (still escaped) and as decoded (Markdown
 * escapes, entities and percent-encoding undone the way lookup wants it).
 * Absolute URLs and lone fragments are reported too.
 */
enum doc_place { PLACE_BARE, PLACE_ANGLE, PLACE_QUOTED, PLACE_SINGLE, PLACE_UNQUOTED, PLACE_TAG };
struct doc_link {
	struct doc_link *next;
	enum doc_use     use;
	enum doc_place   place;     /* how it is quoted there, for doc_quote */
	struct str       spelling;  /* decoded: the key of a page's refs map */
	size_t           from, to;  /* byte range in the body of the text as typed; both 0 where
	                               the place is not known (a bar or a backquote in it) */
	size_t           line;      /* 1-based; 0 where the place is not known */
};
struct doc_link *doc_links(struct arena *a, struct str body);
/* The same where the body was parsed already, by doc_parse() or doc_parse_words(): d is its document. */
struct doc_link *doc_links_of(struct arena *a, const struct doc *d, struct str body);
/* The list without what was needed to make it, which is as large as the document. */
struct doc_link *doc_links_copy(struct arena *a, const struct doc_link *list);

/*
 * The body with some spellings replaced: respell is asked for each link and
 * returns true after writing the new target (plain; this function quotes it for
 * the place where it stands). All other bytes are copied as they are.
 */
void doc_respell(struct buf *out, struct arena *a, struct str body,
    bool (*respell)(void *ctx, const struct doc_link *link, struct buf *out), void *ctx);

/* Writes a target, quoted and escaped for a place of that kind. */
void doc_quote(struct buf *out, struct str target, enum doc_place place);

/*
 * Top-level blocks of a body: their byte ranges (they cover the whole body
 * without gaps: blank lines belong to the block before them) and their keys,
 * which are those of the nodes in the document. A key is a hash of the block's
 * source, made unique by its number among equals, so that a block that nobody
 * touched keeps its key.
 */
struct doc_block {
	struct str  source;
	const char *key;
	const char *type;   /* node type of the first node it gives; "" if none */
};
struct doc_block *doc_blocks(struct arena *a, struct str body, size_t *count);

/*
 * All blocks at any depth, and the columns and rows of tables, each after what it
 * is in. Keys as in the document: of a block its key, of a column or row its id.
 */
struct doc_part {
	const char *key;
	const char *type;    /* of a block its node type; "column", "record" */
	struct str  source;  /* what it is told by: a top-level block's source, else its text */
	size_t      up;      /* 1 + the index of what it is in; 0: the page itself */
	size_t      below;   /* how many parts are within; they follow it */
};
struct doc_part *doc_parts(struct arena *a, struct str body, size_t *count);

/*
 * Sections for search and anchors: the text before the first heading (heading
 * NULL), then one section a heading, at any depth of nesting that a reader
 * sees. text is plain: no markup, no URLs, code included.
 *
 * What an {% if %} holds is in sections of its own, and what follows one in another: parts
 * of the section that they stand in. Cells of tables have no sections: there, what a
 * condition may hide is left out.
 *
 * The texts are in the arena: the document need not live as long.
 */
struct doc_section {
	const char *anchor;   /* heading's id; NULL for the first */
	const char *heading;  /* plain text; NULL for the first, and for parts */
	int         level;    /* 1..6 as in the source's number of #; 0 for the first */
	const char *text;
	bool        part;     /* goes on with a section before it, whose anchor and level it has */
	const char *under;    /* of a part: the heading of that one, or NULL */
	const char *condition;/* expressions that all have to hold, DOC_AND between them; NULL: shown to everybody */
};
#define DOC_AND "\x1F"
struct doc_section *doc_sections(struct arena *a, const struct doc *d, size_t *count);

/*
 * What fragments may call the places of the document, as text: a line feed, then a line
 * for each name: the name in lower case, a tab, and the anchor where it is another
 * word. Names that begin with "~" have lost their signs.
 */
struct str doc_places(struct arena *a, const struct doc *d);
/* The anchor of the place that a fragment (without "#", as typed) names; NULL: there is none. */
const char *doc_place(struct arena *a, struct str places, const char *fragment);
/* The same for many fragments: the names are read once. The text must stay. */
struct map *doc_place_map(struct arena *a, struct str places);
const char *doc_place_in(struct arena *a, const struct map *places, const char *fragment);
/* Does a fragment name the title above the document? */
bool doc_names_title(struct arena *a, const char *title, const char *fragment);

/* Slugs of the API descriptions whose parts its blocks show, each once. */
const char **doc_specs(struct arena *a, const struct doc *d, size_t *count);

/*
 * The expressions that a body holds, in reading order: conditions of {% if %} and values in text, as they
 * were typed. NULL: none. Bodies without any cost a search of their bytes.
 */
struct doc_expression {
	const char *text;
	size_t      line;       /* in the body, from 1; of a value in text, that of its block */
	bool        condition;  /* of {% if %} */
};
struct doc_expression *doc_expressions(struct arena *a, struct str body, size_t *count);
/* Those of a document; their texts are its own. */
struct doc_expression *doc_expressions_of(struct arena *a, const struct doc *d, size_t *count);

/* Words of a section's or page's text, CJK characters counted one each. */
size_t doc_words(const char *text);

/* Where the id at the end of "Title {#id}" begins (Honkit, the service's first years); heading.n: there is none. */
size_t heading_id(struct str heading);
/* Anchor of a heading (layout 4). Repeats get -1, -2 from the caller. */
char *slug_from_heading(struct arena *a, struct str heading);

/*
 * The code of the emoji with this key (emoji.h) as documents spell it, with the
 * variation selectors that belong to it; the key itself where it is not in the
 * table of shortcodes.
 */
const char *emoji_spelling(const char *key);

#endif
