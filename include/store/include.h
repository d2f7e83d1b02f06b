/*
 * Markdown with what it includes in its place, and with its links spelled for where it is read.
 *
 * What {% include %} names is told by the link map of the body; where its text comes from, the caller
 * says: the rows of a point, or what an import is about to write. A text that includes itself, directly or
 * not, stays a tag where it comes back, and so does what is too deep or too much, as in
 * document_dereferenced() (content.h).
 *
 * A tag alone in its line gives way to the blocks of its text, indented and quoted as the tag was; one beside
 * other text gives way to the words of it.
 *
 * cJSON must have an arena (json_arena): maps are read, and never freed.
 */
#ifndef OCTAVO_INCLUDE_H
#define OCTAVO_INCLUDE_H

#include "store/content.h"

struct include_text {
	struct str      body;     /* its bytes; include_key() asks for none */
	struct str      hash;     /* of them */
	struct link_map map;
};

struct include_source {
	/* What this id names; false: nothing that can be included. */
	bool (*get)(void *ctx, const char *id, bool bytes, struct include_text *out);
	/* How a target is spelled; false: as it stands. NULL: all stay. */
	bool (*spell)(void *ctx, const struct doc_ref *ref, enum doc_use use, struct buf *out);
	void  *spell_ctx;
	void  *ctx;       /* of get */
};

/* Does a body with this map (JSON) include anything? Costs a search of the text. */
bool include_any(struct str refs);

/* The body as described; self: the id of what it is the body of. */
struct str include_body(struct arena *a, const struct include_source *s, const char *self, struct str body,
    const struct link_map *map);

/* The hashes of all texts that come in, in a fixed order: what include_body() makes depends on nothing else. */
struct str include_key(struct arena *a, const struct include_source *s, const char *self, const struct link_map *map);

/* A source of the rows of a point; p must live as long. spell is not set. */
struct include_rows {
	struct db          *db;
	struct arena       *arena;
	const struct point *point;
};
struct include_source include_from_rows(struct include_rows *rows);

/*
 * The Markdown of a page for who reads it and does not write it back: its title, and the body with what it
 * includes, links as spell has them.
 */
struct str markdown_shown(struct db *db, struct arena *a, const struct point *p, const struct node *n,
    bool (*spell)(void *ctx, const struct doc_ref *ref, enum doc_use use, struct buf *out), void *ctx);

#endif
