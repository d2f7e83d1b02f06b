/*
 * Inserts included texts into Markdown, and writes the links in the form that is valid where the
 * result is read.
 *
 * The link map of the body says what {% include %} names; the caller provides the texts, either
 * from the rows of a point or from the files of an import. If a text includes itself, directly or
 * through others, the inner tag stays; so does a tag whose text would be nested too deeply or make
 * the result too large, as in document_dereferenced() (content.h).
 *
 * A tag that is alone in its line is replaced by the blocks of the text, with the indentation and
 * the quote marks of the tag. A tag beside other text is replaced by the text in one line.
 *
 * cJSON must allocate from an arena (json_arena()): the maps are read and never freed.
 */
#ifndef OCTAVO_INCLUDE_H
#define OCTAVO_INCLUDE_H

#include "store/content.h"

struct include_text {
	struct str      body;     /* its bytes; not set for include_key() */
	struct str      hash;     /* hash of the bytes */
	struct link_map map;
};

struct include_source {
	/* Reads the text with this id; bytes: also set body. False: the text cannot be included. */
	bool (*get)(void *ctx, const char *id, bool bytes, struct include_text *out);
	/* Writes the spelling of a link to a target; false: the link is not changed. NULL: no link is changed. */
	bool (*spell)(void *ctx, const struct doc_ref *ref, enum doc_use use, struct buf *out);
	void  *spell_ctx;
	void  *ctx;       /* for get */
};

/* True if a body with this link map (JSON) includes anything. Only searches the text of the map. */
bool include_any(struct str refs);

/* The body with included texts inserted. self: the id of the node whose body it is. */
struct str include_body(struct arena *a, const struct include_source *s, const char *self, struct str body,
    const struct link_map *map);

/*
 * The hashes of all included texts, in a fixed order: the result of include_body() depends on
 * nothing else.
 */
struct str include_key(struct arena *a, const struct include_source *s, const char *self, const struct link_map *map);

/* A source that reads the rows of a point; p must outlive it. spell is not set. */
struct include_rows {
	struct db          *db;
	struct arena       *arena;
	const struct point *point;
};
struct include_source include_from_rows(struct include_rows *rows);

/*
 * The Markdown of a page for readers who do not write it back: its title, and the body with
 * includes inserted and links spelled by `spell`.
 */
struct str markdown_shown(struct db *db, struct arena *a, const struct point *p, const struct node *n,
    bool (*spell)(void *ctx, const struct doc_ref *ref, enum doc_use use, struct buf *out), void *ctx);

#endif
