/* Shared by the files that render descriptions of APIs. */
#ifndef OCTAVO_RENDER_API_H
#define OCTAVO_RENDER_API_H

#include "render_parts.h"

enum { OPEN_MAX = 32 };   /* enclosing schemas */

/*
 * The operation or model that is being written. open[] contains the enclosing schemas, which ends
 * recursion.
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

/* The name in a reference; NULL: it is none. */
const char *ref_name(const cJSON *schema);

/* The schema to which a reference refers, or the schema itself; *name: its name, or NULL. */
const cJSON *follow_ref(const struct schemas *s, const cJSON *schema, const char **name);

bool is_null_schema(const cJSON *schema);

/*
 * The schema after following references, a choice of one, and an allOf of one schema, beside which
 * other parts only have texts. *name: the last name on the way; NULL: none.
 */
const cJSON *plain_schema(const struct schemas *s, const cJSON *schema, const char **name);

/* The most specific description of a schema: its own, or that of a part; NULL: none. */
const char *schema_about(const struct schemas *s, const cJSON *schema);

/* True if the schema, what it refers to, or a part of its allOf has the flag. */
bool schema_flag(const struct schemas *s, const cJSON *schema, const char *flag);

/*
 * A schema and the parts of its allOf, in the order in which their properties are listed, and with
 * the most specific one first.
 */
enum { PARTS_MAX = 60 };
struct merged {
	struct schemas *s;
	const cJSON    *parts[PARTS_MAX], *ranked[PARTS_MAX];
	size_t          count, ranks;
	struct map     *properties;        /* by name, what all parts say of each; NULL: there is one part */
};
void merge_schema(struct merged *m, struct schemas *s, const cJSON *schema);

/* What all parts say of a property that one of them lists. */
const cJSON *merged_property(const struct merged *m, const cJSON *listed);

/* True if any part requires the name. */
bool is_required(const struct merged *m, const char *name);

/* The schema of the member with this name, in any part of an allOf; NULL: unknown. */
const cJSON *member_schema(struct schemas *s, const cJSON *schema, const char *name);

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
	struct buf  origins;      /* separated by blanks */
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
