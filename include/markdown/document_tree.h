/*
 * The document tree, for the files of the document module alone; everybody
 * else sees struct doc as opaque (document.h).
 *
 * One kind of node serves blocks, inlines, fragments and text. What JSON calls
 * `data` is a list of named attributes in the order of the type's field table
 * (doc_tree.c), so that reading, writing and hashing are driven by one table
 * and a new field is one row. Tables alone have a structure of their own.
 *
 * Invariants, kept by doc_parse and doc_read alike:
 *   - a text leaf is never empty unless it is raw, and two neighbours that are
 *     not raw never have equal marks;
 *   - a node is at most DOC_DEPTH levels below the document;
 *   - child-only blocks (list-item, tabs-item, code-line, ...) stand only in
 *     their parents, and parents that need children have them.
 *
 * Raw leaves: the published schema has no node for raw HTML. Source that has
 * no node of its own (comments, unknown elements, unknown tags) is a text leaf
 * with a member `raw` beside `text`: raw is the source, verbatim, and text is
 * what a reader sees of it, which is nothing for a comment or a bare wrapper,
 * the text content for a known element, and the source itself for unknown tags
 * and active content. A block of such source is a paragraph with that leaf; one
 * that shows nothing (doc_unseen) is in JSON a member of the block beside it,
 * `rawBefore` or `rawAfter`, a list of sources.
 * The schema allows further members, and the renderer shows text. The tags of
 * what groups blocks of HTML (<div>, <section>, <dl>) are such blocks, one each,
 * and what stands between them are blocks like any other (doc_stream.c); so is a
 * heading without a word.
 */
#ifndef OCTAVO_DOCUMENT_TREE_H
#define OCTAVO_DOCUMENT_TREE_H

#include <stdint.h>

#include "markdown/document.h"

enum { DOC_DEPTH = 48 };           /* deepest node; two JSON levels each */

enum doc_type {
	DOC_PARAGRAPH, DOC_HEADING_1, DOC_HEADING_2, DOC_HEADING_3,
	DOC_LIST_UNORDERED, DOC_LIST_ORDERED, DOC_LIST_TASKS, DOC_LIST_ITEM,
	DOC_BLOCKQUOTE, DOC_HINT, DOC_CODE, DOC_CODE_LINE, DOC_DIVIDER, DOC_MATH,
	DOC_IMAGES, DOC_IMAGE, DOC_FILE, DOC_DRAWING, DOC_EMBED, DOC_CONTENT_REF,
	DOC_TABLE, DOC_EXPANDABLE, DOC_TABS, DOC_TABS_ITEM, DOC_STEPPER, DOC_STEPPER_STEP,
	DOC_COLUMNS, DOC_COLUMN, DOC_UPDATES, DOC_UPDATE, DOC_PROMPT, DOC_REUSABLE,
	DOC_INTEGRATION, DOC_SWAGGER, DOC_OPENAPI_OPERATION, DOC_OPENAPI_SCHEMAS,
	DOC_OPENAPI_WEBHOOK, DOC_IF,
	DOC_LINK, DOC_INLINE_MATH, DOC_ANNOTATION, DOC_EMOJI, DOC_MENTION, DOC_INLINE_IMAGE,
	DOC_BUTTON, DOC_ICON, DOC_EXPRESSION,
	DOC_LEAF,                  /* a run of text with equal marks */
	DOC_FRAGMENT,
	DOC_ROOT,
	DOC_TYPES
};

/* Marks of a leaf: bits, and two colours of 4 bits each above them (0: default). */
enum {
	MARK_BOLD = 1, MARK_ITALIC = 2, MARK_STRIKE = 4, MARK_CODE = 8, MARK_KEYBOARD = 16,
	MARK_SUPER = 32, MARK_SUB = 64, MARK_COLOR = 128,
	MARK_TEXT_SHIFT = 8, MARK_BACK_SHIFT = 12
};
enum { DOC_MARKS = 8 };
extern const char *const doc_marks[DOC_MARKS];
extern const char *const doc_colors[16];

enum attr_kind { ATTR_STRING, ATTR_BOOL, ATTR_NUMBER, ATTR_REF, ATTR_LIST, ATTR_JSON };

/* A target as resolved, and as it was spelled (NULL after doc_read). */
struct doc_target {
	struct doc_ref ref;
	const char    *spelling;
};

struct doc_list {                  /* a list of strings */
	struct doc_list *next;
	const char      *s;
};

struct doc_attr {
	struct doc_attr *next;
	const char      *name;
	enum attr_kind   kind;
	union {
		const char        *s;      /* ATTR_STRING, ATTR_JSON (source text of one value) */
		bool               b;
		double             n;
		struct doc_target *target;
		struct doc_list   *list;
	} v;
};

struct doc_table;

struct doc_node {
	struct doc_node  *next;
	struct doc_node  *child, *last;  /* `nodes` */
	struct doc_node  *frags;         /* `fragments` */
	struct doc_attr  *attrs;         /* `data` */
	struct doc_table *table;         /* DOC_TABLE */
	const char       *key;           /* blocks */
	const char       *anchor;        /* meta.id; before doc_anchors: an explicit id or NULL */
	struct str        text;          /* leaf: text */
	struct str        raw;           /* leaf: source, p NULL if none; fragment: its name in text */
	enum doc_type     type;
	uint32_t          marks;         /* leaf */
	size_t            room;          /* leaf: bytes allocated for text */
	size_t            line;          /* 1-based line of the source; 0 unknown */
	const char       *props;         /* integration: a JSON object */
};

enum column_kind {
	COL_TEXT, COL_NUMBER, COL_CHECKBOX, COL_FILES, COL_USERS, COL_RATING, COL_SELECT,
	COL_CONTENT_REF, COL_IMAGE, COL_KINDS
};
extern const char *const doc_column_kinds[COL_KINDS];

struct doc_option {                /* of a select column */
	struct doc_option *next;
	const char        *value, *label, *color;
};

struct doc_column {
	struct doc_column *next;
	const char        *id, *title;
	enum column_kind   kind;
	const char        *align, *valign;     /* NULL: default */
	double             width;              /* 0: none */
	double             max;                /* rating */
	bool               multiple, hidden;
	bool               target, cover, cover_dark;
	bool               people;             /* of a parsed table: text, from a column of users of the service */
	struct doc_option *options;
	/*
	 * Of a parsed table: the title with its marks, links and images, as a paragraph; NULL: it
	 * has none. JSON has the title alone; Markdown is written with them where it is said so.
	 */
	struct doc_node   *marked;
	bool               as_marked;
};

struct doc_cell {
	struct doc_node   *blocks;             /* COL_TEXT: a fragment; NULL if empty */
	bool               set;                /* the others: there is a value */
	double             n;
	bool               b;
	struct doc_list   *list;               /* files, users, select */
	struct doc_target *target;             /* content-ref, image */
	const char        *fit, *alt;          /* image */
	int                rows, cols;         /* of a merged area that starts here; 0: none */
};

struct doc_record {
	struct doc_record *next;
	const char        *id;
	const char        *order;
	struct doc_cell   *cells;              /* one a column, in the order of the columns */
};

struct doc_table {
	struct doc_column *columns;
	struct doc_record *records;
	size_t             width;              /* number of columns */
	bool               cards, large, hide_header, hide_titles, full_width;
	bool               sticky_header, sticky_first;
	signed char        wrap, search;       /* -1 not set, else 0 or 1 */
};

/*
 * What asks for a target: HTML or a tag, a link or image of Markdown, an <address>, one that a definition spells.
 * BY_UNSURE: a question in a footnote or the like, which may be asked several times for one place; a place that
 * nothing can ask about.
 */
enum ask_by { BY_OTHER, BY_LINK, BY_ADDRESS, BY_REFERENCE, BY_UNSURE, ASK_KINDS };

/* A target that the parse asked for. */
struct doc_ask {
	struct str   spelling;     /* as conv_target() gets it */
	enum doc_use use;
	enum ask_by  by;
	size_t       reference;    /* BY_REFERENCE: the number of the definition */
};

struct md_reference;

struct doc {
	struct doc_node *root;
	struct arena    *arena;
	size_t           lines;                /* in the source; 0 after doc_read */
	struct doc_slice {                     /* where top-level blocks start in the source */
		size_t           line;
		struct doc_node *node;         /* NULL: a block that gives no node */
	}              *slices;
	size_t           slice_count;
	const char      *fault;                /* doc_fault() */
	size_t           weight;               /* bytes of its JSON, about; 0: not known */
	/* What the parse asked for, in its order, and the definitions by number, for doc_links_of(). */
	struct doc_ask  *asks;
	size_t           ask_count, ask_room;
	struct md_reference **references;
	size_t           reference_count;
	bool             excess;               /* some links are text, for what their definitions would add */
};

/* What the type tables say. */
enum doc_class { CLASS_BLOCK, CLASS_INLINE, CLASS_OTHER };
enum doc_content { HAS_NOTHING, HAS_BLOCKS, HAS_INLINES, HAS_CHILDREN };

struct doc_field {
	const char    *name;
	enum attr_kind kind;
	bool           needed;
	const char    *set;        /* allowed strings, comma-separated; NULL: any */
};

struct doc_kind {
	const char             *name;
	struct str              opening;   /* what its JSON begins with: object and type */
	enum doc_class          class;
	enum doc_content        content;
	enum doc_type           child;     /* HAS_CHILDREN: the only type allowed */
	signed char             is_void;   /* isVoid as written; -1: not written */
	bool                    data;      /* `data` is written even when empty */
	const struct doc_field *fields;
};
extern const struct doc_kind doc_kinds[DOC_TYPES];

/* Parents of child-only types; DOC_TYPES for the others. */
enum doc_type doc_parent_of(enum doc_type t);

/* Nodes and attributes (doc_tree.c). */
struct doc_node *doc_node(struct arena *a, enum doc_type t);
void doc_append(struct doc_node *parent, struct doc_node *n);
struct doc_node *doc_fragment(struct arena *a, struct doc_node *owner, const char *name);
struct doc_node *doc_fragment_of(const struct doc_node *owner, const char *name);
void doc_text(struct arena *a, struct doc_node *parent, struct str text, uint32_t marks);
/* Takes blanks away from both ends of a block's text, and leaves that have none left. */
void inline_trim(struct doc_node *block);
/* Takes the last child away if it is an empty leaf. */
void doc_drop_empty(struct doc_node *parent);
void doc_raw(struct arena *a, struct doc_node *parent, struct str raw, struct str text);
/* Is it a heading of level 5 or 6, which clients see as a bold paragraph? */
bool doc_low_heading(const struct doc_node *n);
/* Is it a paragraph of raw source of which a reader sees nothing, such as a comment? */
bool doc_unseen(const struct doc_node *n);
/* Does a reader see anything of the node or of what is in it? See doc_body_shows(). */
bool doc_shows(const struct doc_node *n);
struct doc_attr *doc_attr(const struct doc_node *n, const char *name);
const char *doc_attr_str(const struct doc_node *n, const char *name);
bool doc_attr_bool(const struct doc_node *n, const char *name);
enum { DOC_ICON_MAX = 50 };   /* bytes in the name of an icon; a longer one is not set */
void doc_set_str(struct arena *a, struct doc_node *n, const char *name, const char *s);
void doc_set_bool(struct arena *a, struct doc_node *n, const char *name, bool b);
void doc_set_num(struct arena *a, struct doc_node *n, const char *name, double v);
void doc_set_ref(struct arena *a, struct doc_node *n, const char *name, struct doc_target *t);
void doc_set_json(struct arena *a, struct doc_node *n, const char *name, const char *json);
void doc_set_list(struct arena *a, struct doc_node *n, const char *name, struct doc_list *l);
/* The parts of a text, trimmed; a backslash before a separator or a backslash makes it text. Joined by commas again. */
struct doc_list *doc_list_split(struct arena *a, const char *s, char separator);
void doc_list_join(struct buf *out, const struct doc_list *l);
/* Behind the last one, which *end is the end of; it begins as the list's own. */
void doc_list_add(struct arena *a, struct doc_list ***end, const char *s);
bool doc_in_set(const char *set, const char *s);

/* Plain text of a subtree: no markup, blocks separated by a newline, nothing of what {% if %} below it hold. */
void doc_plain(struct buf *out, const struct doc_node *n);
/* The same with the words of mentions, of which headings make no anchors. */
void doc_plain_said(struct buf *out, const struct doc_node *n);
const char *doc_plain_of(struct arena *a, const struct doc_node *n);

/* What a reader sees of raw source: a function of the source alone (doc_html.c). */
struct str html_visible(struct arena *a, struct str raw);
/* Is it a character of Chinese, Japanese or Korean text, punctuation included? (doc_cjk.c) */
bool char_is_cjk(uint32_t cp);
/* Would that source begin an HTML block of the kinds that interrupt a paragraph? (CommonMark 4.6, conditions 1-6) */
bool html_begins_block(struct str s);

/* Lower-case ASCII comparison of a run with a word. */
bool str_is_nocase(struct str s, const char *word);
struct str str_find(struct str s, const char *word);  /* from the match on; p NULL if none */

/* Fills in anchors and keys once the tree stands (doc_anchor.c, doc_key.c). */
void doc_anchors(struct arena *a, struct doc_node *root);
/* Links to a place of the same document get its anchor, whichever of its names they call it by (doc_names.c). */
void doc_settle_links(struct arena *a, struct doc *d, const char *self);
void doc_keys(struct arena *a, struct doc *d, struct str body, const size_t *starts);

/* doc_blocks for a body that is parsed already (doc_sections.c); d is its document. */
struct doc_block *doc_blocks_of(struct arena *a, const struct doc *d, struct str body, size_t *count);

/* The used set of anchors: also how doc_markdown knows which ids are explicit. */
struct anchor_set;
struct anchor_set *anchor_set_new(struct arena *a);
const char *anchor_auto(struct anchor_set *s, const struct doc_node *heading);
/* Notes that id is used, which has to live as long as the set; the number of times it was before. */
size_t anchor_next(struct anchor_set *s, const char *id);
void anchor_use(struct anchor_set *s, const char *id);
/* id-NUMBER. */
const char *anchor_numbered(struct arena *a, const char *id, size_t number);

/* Emoji (doc_emoji.c): "smile" -> "1f604", and back; NULL if there is none. */
const char *emoji_code(struct arena *a, struct str shortcode);
const char *emoji_shortcode(struct arena *a, const char *code);
void emoji_utf8(struct buf *out, const char *code);

#endif
