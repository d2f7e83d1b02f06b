/*
 * Shared declarations of the files that read document JSON: doc_read.c for nodes, doc_read_table.c
 * for tables, doc_read_text.c for texts that Markdown cannot escape.
 */
#ifndef OCTAVO_DOC_READ_H
#define OCTAVO_DOC_READ_H

#include <cjson/cJSON.h>

#include "markdown/document_tree.h"

struct reader {
	struct arena *a;
	const char   *where, *why;   /* the first failure; why NULL: none yet */
};

/* The current position in the JSON: a member, or an index when name is NULL. */
struct path {
	const struct path *up;
	const char        *name;
	size_t             index;
};

/* Records a failure, unless there is one already. Returns NULL. */
const char *read_fail(struct reader *r, const struct path *at, const char *why);
const cJSON *read_member(const cJSON *o, const char *name);
const char *read_str(const cJSON *o, const char *name);
struct doc_target *read_ref(struct reader *r, const cJSON *v, const struct path *at);
struct doc_list *read_list(struct reader *r, const cJSON *v, const struct path *at);
void read_nodes(struct reader *r, const cJSON *list, struct doc_node *parent, const struct path *up,
    unsigned depth);
/*
 * Refuses conditions, formulas and integration names that Markdown cannot represent, and trims
 * them. Call it after the node's data were read.
 */
void read_check_text(struct reader *r, struct doc_node *n, const struct path *at);
void read_table(struct reader *r, const cJSON *o, struct doc_node *n, const struct path *up,
    unsigned depth);

#endif
