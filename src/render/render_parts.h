/* Shared by the files of the renderer. */
#ifndef OCTAVO_RENDER_PARTS_H
#define OCTAVO_RENDER_PARTS_H

#include <cjson/cJSON.h>

#include "base/json.h"
#include "base/map.h"
#include "render/render.h"

enum {
	RENDER_DEPTH = 60,       /* levels of nodes; each opens at most three elements */
	RENDER_LONG = 32         /* longest code or formula that surely fits a phone, in characters; a longer one may scroll and needs the focus */
};

struct note {
	struct note *next;
	const cJSON *body;       /* fragment with the text of the note */
};

struct render {
	struct html              h;          /* the HTML written so far */
	struct arena            *arena;
	const struct render_env *env;        /* what the caller gave */
	struct rendering        *r;          /* the result */
	const cJSON             *document;
	size_t                   outline_room; /* entries for which r->outline has memory */
	/*
	 * Writes a list of blocks. A pointer, so that the files for single kinds of blocks can call
	 * back render.c.
	 */
	void                   (*blocks)(struct render *r, const cJSON *list);
	/*
	 * The open headings above the current position. Bits 4 * i to 4 * i + 3 are for the level i, 1
	 * to 6, that an author can choose: the level that this heading got in the page; 0: no such
	 * heading is open (render_level()).
	 */
	int                      level;
	unsigned                 serial;     /* number of the last id that was made */
	unsigned                 images;     /* images written so far */
	bool                     broad;      /* inside pictures of full width */
	const char              *sizes;      /* width at which pictures are shown (HTML, "sizes"); NULL: that of the text */
	unsigned                 depth;      /* levels of nodes around the current one, at most RENDER_DEPTH */
	struct note             *notes, **last_note; /* footnotes, written at the end of the page */
	unsigned                 note_count;
	bool                     in_link;    /* inside a link, where no other link may be opened */
	const cJSON             *schema_list;/* schemas of the specification that was shown last */
	struct schema_set       *schemas;    /* the same by name; NULL: not indexed yet */
	struct map              *schema_at;  /* name -> id of its place on the page */
	int                      schema_rows;/* rows of properties and parameters so far */
	struct map              *descriptions; /* cache: text in a specification -> its document; NULL: empty */
	struct map              *places;     /* ids in use; NULL: not needed so far, since no raw HTML has had an anchor (render_place.c) */
};

static inline const cJSON *
data_of(const cJSON *node)
{
	return json_member(node, "data");
}

const char *say(const struct render *r, enum text t);
/* Type of a node; "" if it has none. */
const char *node_type(const cJSON *node);
/* Anchor of a block; NULL: none. */
const char *node_anchor(const cJSON *node);
/* A fragment of a node by name or type; NULL: none. */
const cJSON *node_fragment(const cJSON *node, const char *name);

/* Resolves a reference; false, with an empty link, if it is broken. */
bool render_target(const struct render *r, const cJSON *ref, struct render_link *out);

/* A link to an anchor of the document itself. */
const char *render_anchor(const struct render *r, const char *anchor);

static inline void
render_blocks(struct render *r, const cJSON *list)
{
	r->blocks(r, list);
}

void render_block(struct render *r, const cJSON *node);
/*
 * Opens <ins> or <del> if the node itself is marked (render/compare.h); the caller closes it. Both may
 * contain blocks as well as text (HTML, section 4.7).
 */
static inline void
render_compared(struct render *r, const cJSON *node)
{
	const char *compared = json_text_of(node, "compared");

	if (same_text(compared, "added"))
		h_open(&r->h, "ins");
	else if (same_text(compared, "removed"))
		h_open(&r->h, "del");
}
void render_inlines(struct render *r, const cJSON *list);
/* HTML that draws an icon; p NULL: its name is unknown, or no icons are drawn. */
struct str drawn_icon(struct render *r, const char *name);

/* Draws an icon if the name is known; NULL: nothing. */
void render_icon(struct render *r, const char *name);
/* Writes an image element with its dark variant. False: there is nothing to show. */
bool render_image(struct render *r, const cJSON *ref, const cJSON *dark, const char *alt, const cJSON *size);

/* One function per type of block. */
void render_images(struct render *r, const cJSON *node);
void render_picture(struct render *r, const cJSON *node);
void render_file(struct render *r, const cJSON *node);
void render_drawing(struct render *r, const cJSON *node);
void render_embed(struct render *r, const cJSON *node);
void render_card(struct render *r, const cJSON *node);
void render_integration(struct render *r, const cJSON *node);
void render_code(struct render *r, const cJSON *node);
void render_table(struct render *r, const cJSON *node);
void render_tabs(struct render *r, const cJSON *node);
void render_expandable(struct render *r, const cJSON *node);
void render_stepper(struct render *r, const cJSON *node);
void render_columns(struct render *r, const cJSON *node);
void render_updates(struct render *r, const cJSON *node);
void render_prompt(struct render *r, const cJSON *node);
/* RENDER_TITLE: the open headings before the first block: only the title of the page. */
enum { RENDER_TITLE = 1 << 4 };
/*
 * The level in the page for a heading that has this level (1 to 6) in the document. Closes the open
 * headings of this level and of lower ones. Skipped levels do not count, and headings of the same
 * level stay on the same level.
 */
int render_level(struct render *r, int level_in_document);
/* Adds a heading to the page's outline, unless anchor is NULL. */
void render_outline(struct render *r, const char *anchor, const char *text, int level);
/*
 * Writes a heading one level below the page's title, and adds it to the outline; anchor may be
 * NULL.
 */
void render_heading_at(struct render *r, const char *anchor, const char *text);
void render_operation(struct render *r, const cJSON *node);
void render_schemas(struct render *r, const cJSON *node);
void render_swagger(struct render *r, const cJSON *node);
/* Writes a block of plain code with a title. */
void render_sample(struct render *r, const char *title, const char *syntax, struct str source);
/* True if a list of inlines contains text or a picture; icons do not count. */
bool render_says(const cJSON *list);
/* Writes the attributes of a link to another site. */
void render_away(struct render *r);
/* Address to frame for this one; NULL if its host is not allowed. */
const char *render_frame(struct render *r, const char *url);
void render_framed(struct render *r, const char *frame, const char *url, const char *title);
/*
 * Write the anchors named in raw HTML: in one source, or in those beside a node ("rawBefore" or
 * "rawAfter").
 */
void render_places(struct render *r, const char *source);
void render_places_of(struct render *r, const cJSON *node, const char *beside);
/* A new unique id with this prefix. */
const char *render_id(struct render *r, const char *prefix);
/* The prefix of ids that the renderer makes (struct render_env.ids); "": none. */
const char *ids_of(const struct render *r);

#endif
