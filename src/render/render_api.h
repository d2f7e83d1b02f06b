/* Shared by the files that render descriptions of APIs. */
#ifndef OCTAVO_RENDER_API_H
#define OCTAVO_RENDER_API_H

#include "render_parts.h"

enum { OPEN_MAX = 32 };   /* enclosing schemas */

/*
 * One operation or model being written; open[] holds the enclosing schemas, which ends recursion.
 */
struct schemas {
	struct render *r;
	const char    *spec;               /* slug of the specification */
	const char    *open[OPEN_MAX];     /* names of enclosing schemas */
	int            depth;
	int            rows;               /* rows left */
	bool           cut;                /* rows were left out */
};

/* Begins an operation or model of a block's specification. */
void schemas_init(struct schemas *s, struct render *r, const cJSON *node);

/*
 * What the schema is in the end: references, an allOf of one schema, and a choice of one are
 * followed. *name: the last name on the way; NULL: none.
 */
const cJSON *plain_schema(const struct schemas *s, const cJSON *schema, const char **name);

/* The schema of a member, by its name, in any part of an allOf; NULL: unknown. */
const cJSON *member_schema(struct schemas *s, const cJSON *schema, const char *name);

/* What a schema is, such as "string (date)" or "Pet[]". */
const char *schema_type(struct schemas *s, const cJSON *schema);

/* A row of a list: name, type, description and limits of a property or parameter, its schema below. */
struct schema_row {
	const char  *name;
	const char  *about;                /* Markdown; NULL: that of the schema */
	const cJSON *schema;               /* NULL: unknown */
	bool         required, deprecated;
};
void render_row(struct schemas *s, const struct schema_row *row);

/* A schema at the top of a body: its type, limits and properties. folded: made on demand if it is large. */
void render_whole(struct schemas *s, const cJSON *schema, bool folded);

/* Properties and alternatives of a schema. */
void schema_body(struct schemas *s, const cJSON *schema);

/* Says that rows were left out, if some were. */
void schemas_end(struct schemas *s);

/* Markdown of the author's. */
void render_description(struct render *r, const char *text);

/* Limits and values that a client must observe. */
void render_limits(struct render *r, const cJSON *schema);

/* A string as it is, anything else as JSON; NULL: nothing. */
const char *api_value_text(struct render *r, const cJSON *v);

/* JSON with two blanks for each level, as people write it. */
const char *json_pretty(struct render *r, const cJSON *v);

/* The same as XML, with the names that its schema gives (OpenAPI, "XML Object"). */
const char *example_xml(struct schemas *s, const cJSON *v, const cJSON *schema);

/* Who may call an operation and how, which servers it has; the sample of its requests. */
void render_access(struct render *r, const cJSON *op);
void render_servers(struct render *r, const cJSON *op);
void render_samples(struct render *r, const cJSON *op);

/* What a browser needs to send the request; nothing if the site does not ask for it. */
void render_try(struct schemas *s, const char *method, const char *path, const cJSON *op);

/* A title above a part of an operation. */
void part_title(struct render *r, const char *title);

#endif
