/*
 * What the two files that read document JSON share: doc_read.c for nodes,
 * doc_read_table.c for tables.
 */
#ifndef OCTAVO_DOC_READ_H
#define OCTAVO_DOC_READ_H

#include <cjson/cJSON.h>

#include "markdown/document_tree.h"

struct reader {
	struct arena *a;
	const char   *where, *why;   /* of the first failure; why NULL: none yet */
};

/* Where in the JSON we are: a member, or an index when name is NULL. */
struct path {
	const struct path *up;
	const char        *name;
	size_t             index;
};

/* Notes a failure, unless there was one. Returns NULL. */
const char *read_fail(struct reader *r, const struct path *at, const char *why);
const cJSON *read_member(const cJSON *o, const char *name);
const char *read_str(const cJSON *o, const char *name);
struct doc_target *read_ref(struct reader *r, const cJSON *v, const struct path *at);
struct doc_list *read_list(struct reader *r, const cJSON *v, const struct path *at);
void read_nodes(struct reader *r, const cJSON *list, struct doc_node *parent, const struct path *up,
    unsigned depth);
/*
 * Refuses what Markdown cannot hold of a condition, a formula or an integration's names, once its
 * data were read; blanks at their ends go.
 */
void read_check_text(struct reader *r, struct doc_node *n, const struct path *at);
void read_table(struct reader *r, const cJSON *o, struct doc_node *n, const struct path *up,
    unsigned depth);

#endif
