/* What the files of the renderer share. */
#ifndef OCTAVO_RENDER_PARTS_H
#define OCTAVO_RENDER_PARTS_H

#include <cjson/cJSON.h>

#include "base/map.h"
#include "render/render.h"
#include "members.h"

enum {
	RENDER_DEPTH = 60,       /* of nodes; the elements of one are at most three */
	RENDER_LONG = 32         /* characters of code or a formula that fit a phone; more may scroll, and takes the focus for it */
};

struct note {
	struct note *next;
	const cJSON *body;       /* fragment */
};

struct render {
	struct html              h;
	struct arena            *arena;
	const struct render_env *env;
	struct rendering        *r;
	const cJSON             *document;
	size_t                   outline_room;
	/* Writes a list of blocks: render.c gives it to the files of single kinds, whose blocks hold others. */
	void                   (*blocks)(struct render *r, const cJSON *list);
	int                      level;      /* of the last heading; 1: the title of the page */
	unsigned                 serial;     /* for ids that the document does not give */
	unsigned                 images;     /* that were written */
	unsigned                 depth;
	struct note             *notes, **last_note;
	unsigned                 note_count;
	bool                     in_link;    /* links do not nest */
	const cJSON             *schema_list;/* of the specification that was last shown, */
	struct map              *schemas;    /* and by name; NULL: none yet */
	struct map              *schema_at;  /* name -> id of the place where it is written */
	int                      schema_rows;/* properties and parameters of the page so far */
	struct map              *places;     /* ids that are taken; NULL: no place of raw HTML was met (render_place.c) */
};

static inline const cJSON *
data_of(const cJSON *node)
{
	return member(node, "data");
}

const char *say(const struct render *r, enum text t);
/* The type of a node; "" for none. */
const char *node_type(const cJSON *node);
/* The anchor of a block; NULL: none. */
const char *node_anchor(const cJSON *node);
/* A fragment of a node by name or type; NULL: none. */
const cJSON *node_fragment(const cJSON *node, const char *name);

/* Where a reference leads; false, and an empty link, where nothing does. */
bool render_target(const struct render *r, const cJSON *ref, struct render_link *out);

/* A link to an anchor of the document itself. */
const char *render_anchor(const struct render *r, const char *anchor);

static inline void
render_blocks(struct render *r, const cJSON *list)
{
	r->blocks(r, list);
}

void render_block(struct render *r, const cJSON *node);
void render_inlines(struct render *r, const cJSON *list);
/* Draws the icon of a name, where there is one; NULL: nothing. */
void render_icon(struct render *r, const char *name);
/* Opens an image element of a reference, with its dark variant; false: there is nothing to show. */
bool render_image(struct render *r, const cJSON *ref, const cJSON *dark, const char *alt, const cJSON *size);

/* By type of block. */
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
/* Notes a heading for the outline beside the page; anchor NULL: it is left out. */
void render_outline(struct render *r, const char *anchor, const char *text, int level);
/* A heading of the level below the page's title, in the outline; anchor may be NULL. */
void render_heading_at(struct render *r, const char *anchor, const char *text);
void render_operation(struct render *r, const cJSON *node);
void render_schemas(struct render *r, const cJSON *node);
void render_swagger(struct render *r, const cJSON *node);
/* A block of code with a title, of plain text. */
void render_sample(struct render *r, const char *title, const char *syntax, struct str source);
/* Is there a word in a list of inlines, or a picture? Icons, which are not shown, are neither. */
bool render_says(const cJSON *list);
/* Attributes of a link to another site. */
void render_away(struct render *r);
/* The address to show in a frame for this one; NULL: its host is not allowed. */
const char *render_frame(struct render *r, const char *url);
void render_framed(struct render *r, const char *frame, const char *url, const char *title);
/* The places that a piece of raw HTML names; those of the pieces beside a node: "rawBefore" or "rawAfter". */
void render_places(struct render *r, const char *source);
void render_places_of(struct render *r, const cJSON *node, const char *beside);
/* "is": an id that nothing else has. */
const char *render_id(struct render *r, const char *prefix);

#endif
