/*
 * The document tree, only for the files of the document module; for all other
 * code struct doc is opaque (document.h).
 *
 * One struct represents blocks, inlines, fragments and text. The `data` of JSON
 * is a list of named attributes in the order of the type's field table
 * (doc_tree.c): one table drives reading, writing and hashing, and a new field
 * is one row. Only tables have a structure of their own.
 *
 * Invariants, kept by doc_parse and doc_read alike:
 *   - a text leaf is never empty unless it is raw, and two neighbours that are
 *     not raw never have equal marks;
 *   - a node is at most DOC_DEPTH levels below the document;
 *   - child-only blocks (list-item, tabs-item, code-line, ...) are only in
 *     their parents, and parents that need children have some.
 *
 * Raw leaves: the published schema has no node for raw HTML. Source without a node of its own
 * (comments, unknown elements, unknown tags) is a text leaf with a member `raw` beside `text`: raw
 * is the source, verbatim, and text is what a reader sees of it: nothing for a comment or a bare
 * wrapper, the text content for a known element, and the source itself for unknown tags and active
 * content. A block of such source is a paragraph that contains this leaf. If it is invisible
 * (doc_is_invisible), JSON has no block for it: its source is in the list `rawBefore` or `rawAfter`
 * of a neighbouring block. The schema allows additional members, and the renderer shows text. The
 * start and end tags of elements that group blocks (<div>, <section>, <dl>) are such raw blocks,
 * one each, with normal blocks between them (doc_stream.c); a heading without text is a raw block
 * too.
 */
#ifndef OCTAVO_DOCUMENT_TREE_H
#define OCTAVO_DOCUMENT_TREE_H

#include <stdint.h>

#include "markdown/document.h"

enum { DOC_DEPTH = 48 };           /* depth of the deepest node; each takes two JSON levels */

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
	DOC_LEAF,                  /* a run of text with the same marks */
	DOC_FRAGMENT,
	DOC_ROOT,
	DOC_TYPES
};

/* Marks of a leaf: one bit each, and above them two colours of 4 bits each (0: default). */
enum {
	MARK_BOLD = 1, MARK_ITALIC = 2, MARK_STRIKE = 4, MARK_CODE = 8, MARK_KEYBOARD = 16,
	MARK_SUPER = 32, MARK_SUB = 64, MARK_COLOR = 128,
	MARK_TEXT_SHIFT = 8, MARK_BACK_SHIFT = 12
};
enum { DOC_MARKS = 8 };
extern const char *const doc_marks[DOC_MARKS];
extern const char *const doc_colors[16];

enum attr_kind { ATTR_STRING, ATTR_BOOL, ATTR_NUMBER, ATTR_REF, ATTR_LIST, ATTR_JSON };

/* A resolved target, and its spelling (NULL after doc_read). */
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
		bool               b;      /* ATTR_BOOL */
		double             n;      /* ATTR_NUMBER */
		struct doc_target *target; /* ATTR_REF */
		struct doc_list   *list;   /* ATTR_LIST */
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
	const char       *anchor;        /* meta.id; before doc_anchors(): an explicit id or NULL */
	struct str        text;          /* leaf: text */
	struct str        raw;           /* leaf: source, p NULL if none; the name of a fragment is in text */
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

struct doc_option {                /* an option of a select column */
	struct doc_option *next;
	const char        *value, *label, *color;
};

struct doc_column {
	struct doc_column *next;
	const char        *id, *title;
	enum column_kind   kind;
	const char        *align, *valign;     /* NULL: default */
	double             width;              /* 0: none */
	double             max;                /* rating: the highest value */
	bool               multiple;           /* select: a cell may have several options */
	bool               hidden;             /* not shown to readers */
	bool               target;             /* cards: the column with the link of each card */
	bool               cover, cover_dark;  /* cards: the column with the picture, and with that of the dark theme */
	bool               people;             /* a text column that was a column of users in the published service */
	struct doc_option *options;            /* select */
	/*
	 * The title with its marks, links and images, as a paragraph: a fragment in JSON. NULL: it is
	 * plain text.
	 */
	struct doc_node   *marked;
};

struct doc_cell {
	struct doc_node   *blocks;             /* COL_TEXT: a fragment; NULL if empty */
	bool               set;                /* other kinds: the cell has a value */
	double             n;                  /* number, rating */
	bool               b;                  /* checkbox */
	struct doc_list   *list;               /* files, users, select */
	struct doc_target *target;             /* content-ref, image */
	const char        *fit, *alt;          /* image */
	int                rows, cols;         /* of a merged area that begins here; 0: none */
};

struct doc_record {
	struct doc_record *next;
	const char        *id;
	const char        *order;              /* orderIndex of the JSON: the order of the records */
	struct doc_cell   *cells;              /* one per column, in their order */
};

/* A title with marks is the fragment of this name and the first 36 bytes of its column's id. */
#define DOC_TITLE "title:"

struct doc_table {
	struct doc_column *columns;
	struct doc_record *records;
	size_t             width;              /* number of columns */
	bool               cards;              /* shown as cards, not as a grid */
	bool               large;              /* large cards */
	bool               hide_header;        /* grid: without the row of titles */
	bool               hide_titles;        /* cards: without the titles of columns */
	bool               full_width;         /* as wide as the window */
	bool               sticky_header, sticky_first; /* the first row, the first column stay visible while the reader scrolls */
	signed char        wrap, search;       /* lines wrap; readers can search the table. -1: unset, else 0 or 1 */
};

/*
 * Syntax of a place whose target the parse looks up. BY_OTHER: HTML or a tag. BY_LINK: a link or
 * image of Markdown. BY_ADDRESS: an <address>. BY_REFERENCE: a link whose target a definition has.
 * BY_UNSURE: the parse may look up the place several times (for example in a footnote), or its
 * syntax cannot be determined.
 */
enum lookup_by { BY_OTHER, BY_LINK, BY_ADDRESS, BY_REFERENCE, BY_UNSURE, LOOKUP_KINDS };

/* A lookup of a target by the parse. */
struct doc_lookup {
	struct str   spelling;     /* as passed to conv_target() */
	enum doc_use use;
	enum lookup_by  by;
	size_t       reference;    /* BY_REFERENCE: the number of the definition */
};

struct md_reference;

struct doc {
	struct doc_node *root;
	struct arena    *arena;
	size_t           lines;                /* in the source; 0 after doc_read */
	struct doc_slice {                     /* lines where top-level blocks begin in the source */
		size_t           line;
		struct doc_node *node;         /* NULL: a block without a node */
	}              *slices;
	size_t           slice_count;
	const char      *fault;                /* result of doc_fault() */
	size_t           weight;               /* approximate bytes of its JSON; 0: unknown */
	/*
	 * For doc_links_of(): the lookups of the parse in their order, and the definitions by
	 * number.
	 */
	struct doc_lookup  *lookups;
	size_t           lookup_count, lookup_room;
	struct md_reference **references;
	size_t           reference_count;
	bool             excess;               /* some links are text, since their definitions would add too many bytes */
};

/* The type tables: what each type of node is, and what it contains. HAS_CHILDREN: nodes of one type, such as list items. */
enum doc_class { CLASS_BLOCK, CLASS_INLINE, CLASS_OTHER };
enum doc_content { HAS_NOTHING, HAS_BLOCKS, HAS_INLINES, HAS_CHILDREN };

struct doc_field {
	const char    *name;
	enum attr_kind kind;
	bool           needed;     /* the schema requires it */
	const char    *set;        /* allowed strings, comma-separated; NULL: any */
};

struct doc_kind {
	const char             *name;
	struct str              opening;   /* first members of its JSON: object and type */
	enum doc_class          class;
	enum doc_content        content;
	enum doc_type           child;     /* HAS_CHILDREN: the only type allowed */
	signed char             is_void;   /* value of isVoid; -1: not written */
	bool                    data;      /* `data` is written even if it is empty */
	const struct doc_field *fields;    /* ends with an entry whose name is NULL */
};
extern const struct doc_kind doc_kinds[DOC_TYPES];

/* Returns the parent type of a child-only type; DOC_TYPES for other types. */
enum doc_type doc_parent_of(enum doc_type t);

/* Nodes and attributes (doc_tree.c). */
struct doc_node *doc_node(struct arena *a, enum doc_type t);
void doc_append(struct doc_node *parent, struct doc_node *n);
/* Appends the children of `from` to `to`; `from` must not be used any more. */
void doc_append_children(struct doc_node *to, const struct doc_node *from);
struct doc_node *doc_fragment(struct arena *a, struct doc_node *owner, const char *name);
struct doc_node *doc_fragment_of(const struct doc_node *owner, const char *name);
void doc_text(struct arena *a, struct doc_node *parent, struct str text, uint32_t marks);
/* Removes white space at both ends of a block's text, and leaves that become empty. */
void inline_trim(struct doc_node *block);
/* Removes the last child if it is an empty leaf. */
void doc_drop_empty(struct doc_node *parent);
void doc_raw(struct arena *a, struct doc_node *parent, struct str raw, struct str text);
/* True for a heading of level 5 or 6, which clients get as a bold paragraph. */
bool doc_low_heading(const struct doc_node *n);
/* True for a paragraph of raw source without visible text, such as a comment. */
bool doc_is_invisible(const struct doc_node *n);
/* True if readers see anything of the node or its contents. See doc_body_shows(). */
bool doc_shows(const struct doc_node *n);
struct doc_attr *doc_attr(const struct doc_node *n, const char *name);
const char *doc_attr_str(const struct doc_node *n, const char *name);
bool doc_attr_bool(const struct doc_node *n, const char *name);
enum { DOC_ICON_MAX = 50 };   /* maximal bytes of an icon's name; a longer one is not set */
void doc_set_str(struct arena *a, struct doc_node *n, const char *name, const char *s);
void doc_set_bool(struct arena *a, struct doc_node *n, const char *name, bool b);
void doc_set_num(struct arena *a, struct doc_node *n, const char *name, double v);
void doc_set_ref(struct arena *a, struct doc_node *n, const char *name, struct doc_target *t);
void doc_set_json(struct arena *a, struct doc_node *n, const char *name, const char *json);
void doc_set_list(struct arena *a, struct doc_node *n, const char *name, struct doc_list *l);
/*
 * Splits a text into trimmed parts. A backslash escapes a separator or a backslash. doc_list_join()
 * joins with commas.
 */
struct doc_list *doc_list_split(struct arena *a, const char *s, char separator);
void doc_list_join(struct buf *out, const struct doc_list *l);
/* Appends to a list. *end points to the last next pointer; at first, to the list pointer itself. */
void doc_list_add(struct arena *a, struct doc_list ***end, const char *s);
bool doc_in_set(const char *set, const char *s);

/*
 * Appends the plain text of a subtree: no markup, blocks separated by a newline, without the
 * contents of any {% if %} in it.
 */
void doc_plain(struct buf *out, const struct doc_node *n);
/*
 * The same as doc_plain(), but with words for mentions. doc_plain() leaves these out, because
 * anchors are made from its text.
 */
void doc_plain_with_mentions(struct buf *out, const struct doc_node *n);
const char *doc_plain_of(struct arena *a, const struct doc_node *n);
/* The same as doc_plain_with_mentions(), but in one line, for the title of a column. */
const char *doc_title_of(struct arena *a, const struct doc_node *n);

/* Returns what a reader sees of raw source; it depends on the source alone (doc_html.c). */
struct str html_visible(struct arena *a, struct str raw);
/* True for characters of Chinese, Japanese or Korean text, punctuation included. (doc_cjk.c) */
bool char_is_cjk(uint32_t cp);
/*
 * True if the source begins an HTML block that can interrupt a paragraph (CommonMark 4.6,
 * conditions 1-6).
 */
bool html_begins_block(struct str s);

/* Compares s with a word, ignoring the case of ASCII letters. */
bool str_is_nocase(struct str s, const char *word);
struct str str_find(struct str s, const char *word);  /* rest of s from the match on; p NULL if none */

/* These set anchors and keys of a complete tree (doc_anchor.c, doc_key.c). */
void doc_anchors(struct arena *a, struct doc_node *root);
/*
 * Replaces the fragment of each link within the document by the anchor of the place that it names
 * (doc_names.c). self: id of the page, or NULL.
 */
void doc_resolve_fragments(struct arena *a, struct doc *d, const char *self);
void doc_keys(struct arena *a, struct doc *d, struct str body, const size_t *starts);

/* doc_blocks() for a body that was parsed into d (doc_sections.c). */
struct doc_block *doc_blocks_of(struct arena *a, const struct doc *d, struct str body, size_t *count);

/* A set of used anchors. doc_markdown() also uses one, to find out which ids are explicit. */
struct anchor_set;
struct anchor_set *anchor_set_new(struct arena *a);
const char *anchor_auto(struct anchor_set *s, const struct doc_node *heading);
/* Counts a use of id and returns how often it was used before. id must live as long as the set. */
size_t anchor_count_use(struct anchor_set *s, const char *id);
void anchor_use(struct anchor_set *s, const char *id);
/* Returns "id-NUMBER". */
const char *anchor_numbered(struct arena *a, const char *id, size_t number);

/* Emoji (doc_emoji.c): convert "smile" to "1f604" and back; NULL if there is none. */
const char *emoji_code(struct arena *a, struct str shortcode);
const char *emoji_shortcode(struct arena *a, const char *code);
void emoji_utf8(struct buf *out, const char *code);

#endif
