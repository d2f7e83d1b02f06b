/* Shared by the files that render descriptions of APIs. */
#ifndef OCTAVO_RENDER_API_H
#define OCTAVO_RENDER_API_H

#include "render_parts.h"
#include "text/schema_parts.h"

enum { OPEN_MAX = 32 };   /* enclosing schemas */

/*
 * The operation or model that is being written. open[] contains the enclosing schemas, which ends
 * recursion.
 */
struct schemas {
	struct render     *r;
	struct schema_set *set;            /* all schemas of the specification */
	const char        *spec;           /* slug of the specification */
	const char        *open[OPEN_MAX]; /* names of enclosing schemas */
	int                depth;
	int                rows;           /* rows left */
	bool               cut;            /* rows were left out */
};

/* Begins an operation or model of a block's specification. */
void schemas_init(struct schemas *s, struct render *r, const cJSON *node);

/* The type of a schema as text, such as "string (date)" or "Pet[]". */
const char *schema_type(struct schemas *s, const cJSON *schema);

/*
 * Writes a row of a list: name, type, description and limits of a property or parameter, and its
 * schema below.
 */
struct schema_row {
	const char  *name;
	const char  *about;                /* Markdown; NULL: that of the schema */
	const cJSON *schema;               /* NULL: unknown */
	const cJSON *holder;               /* has the author's example or examples; NULL: none */
	bool         required, deprecated;
};
void render_row(struct schemas *s, const struct schema_row *row);

/*
 * Writes the schema of a whole body: its type, limits and properties. folded: if it is large, it is
 * loaded on demand.
 */
void render_whole(struct schemas *s, const cJSON *schema, bool folded);

/* Writes properties and alternatives of a schema. */
void schema_body(struct schemas *s, const cJSON *schema);

/* Writes a note if rows were omitted. */
void schemas_end(struct schemas *s);

/* Markdown of the author's. */
void render_description(struct render *r, const char *text);

/*
 * Writes Markdown that is one paragraph without an element around it, as in a summary. Anything else is
 * written as plain text; is_about_line() says that first.
 */
bool is_about_line(struct render *r, const char *text);
void render_about_line(struct render *r, const char *text);

/* Writes the examples that the author gave for a parameter or header, each with its name. */
void render_row_examples(struct render *r, const cJSON *holder);

/* Writes limits and allowed values. */
void render_limits(struct render *r, const cJSON *schema);

/* The text of a string; any other value as JSON; NULL: no value. */
const char *api_value_text(struct render *r, const cJSON *v);

/* The members of an object as fields of a form, one in each line. */
const char *example_form(struct render *r, const cJSON *v);

/* The value as XML, with the names that its schema gives (OpenAPI, "XML Object"). */
const char *example_xml(struct schemas *s, const cJSON *v, const cJSON *schema);

/* Write who may call an operation and how, its servers, and samples of its requests. */
void render_access(struct render *r, const cJSON *op);
void render_servers(struct render *r, const cJSON *op);
void render_samples(struct render *r, const cJSON *op);

/*
 * Addresses of servers that a reader can choose: complete ones with an origin, each once, in the author's order. First
 * is each server with the defaults of its variables, then with each other value of one of them.
 */
enum { SERVERS_MAX = 20 };
struct servers {
	const char *url[SERVERS_MAX];
	size_t      n;
	struct buf  origins;      /* scheme, host and port of each, separated by blanks */
};
void list_servers(struct render *r, const cJSON *op, struct servers *to);

/*
 * The address of a server with its {variables} replaced: `chosen` by its value, the others by their defaults. NULL:
 * one has no default, or it is too long.
 */
const char *fill_server(struct render *r, const cJSON *server, const char *chosen, const char *value);

/*
 * Writes the data that a browser needs to send the request; nothing if the site does not offer
 * that.
 */
void render_try(struct schemas *s, const char *method, const char *path, const cJSON *op);

/* Writes the title of a part of an operation. */
void part_title(struct render *r, const char *title);

#endif
