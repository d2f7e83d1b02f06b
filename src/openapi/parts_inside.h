/*
 * Shared by the files that split a description into parts.
 *
 *   parts.c           pages, operations, schemas: which parts exist
 *   part_values.c     values of the description as the others read them
 *   parts_overview.c  the page about the API
 *   parts_write.c     an operation and a schema as JSON
 *   parts_2_0.c       members of Swagger 2.0 in the form of OpenAPI 3
 *   example.c         an example of a schema
 *   sample.c          a sample request; sample_languages.c: in curl, JavaScript, Python, …
 *   weigh.c           how large their HTML will be
 *   words.c           words by which search finds them
 */
#ifndef OCTAVO_OPENAPI_PARTS_INSIDE_H
#define OCTAVO_OPENAPI_PARTS_INSIDE_H

#include "openapi/parts.h"

struct part_writer {
	struct arena         *arena;
	const struct value   *root;
	enum openapi_version  version;
	const struct value   *schemas;    /* map of named ones; NULL: none */
	const struct value   *security;   /* map of security schemes; NULL: none */
	struct map           *names;      /* a named schema (its address) -> its value, whose key is the name */
	struct map           *used;       /* for the part being written: names of schemas that it refers to */
	struct json          *uses;       /* the same, as a JSON list in the order of their first use */
	unsigned              inlined;    /* references to unnamed targets that were inlined in this member */
	struct openapi_parts *out;
};

/* An operation and its place in the description. */
struct located_operation {
	const char         *method, *path;
	bool                webhook;
	const struct value *item;    /* path item */
	const struct value *op;
};

/* A text on one line, of at most so many bytes, cut between characters. */
const char *line_of(struct arena *a, struct str s, size_t max);

/* True if the author hides the member from readers: x-internal, or its alias. */
bool is_internal(const struct value *v);

/* A member of an operation's path item or of the operation itself, with references followed. */
const struct value *get_dereferenced(const struct value *m, const char *key);

/* The named schema that is the target of a reference; NULL: it is not one. */
const struct value *named_schema(struct part_writer *t, const struct value *target);

/* Writes a value, with references replaced by their targets, except references to named schemas. */
void write_value(struct part_writer *t, struct json *j, const struct value *v, unsigned depth);

/* Writes the operation as JSON: as the value of the open key, or as a whole document. */
void write_operation(struct part_writer *t, struct json *j, const struct located_operation *f);

/*
 * All parameters of an operation, dereferenced: its own, and those of its path item that it does
 * not replace.
 */
struct parameters {
	const struct value **at;
	size_t               n;
};
struct parameters collect_parameters(struct part_writer *t, const struct located_operation *f);

/*
 * The operation in the form of OpenAPI 3, as a new tree; for other versions the operation itself.
 */
const struct value *convert_operation(struct part_writer *t, const struct located_operation *f);
/* A security scheme in the form of OpenAPI 3. */
const struct value *convert_scheme(struct part_writer *t, const struct value *scheme);
/* The servers of an operation: a list of server objects, which may be made here. */
const struct value *find_servers(struct part_writer *t, const struct located_operation *f);

/* The page about the API as Markdown, in the arena a. */
const char *overview_markdown(struct part_writer *t, struct arena *a);

/* Adds the address of external documentation, as a line of a list; nothing if there is none. */
void add_documentation(struct arena *a, struct buf *b, const struct value *holder);

/* 200 values are about as many lines. */
enum { EXAMPLE_VALUES = 200 };
/* An example of a schema; NULL: nothing is known. request: for a body that is sent. */
const struct value *example_of(struct part_writer *t, const struct value *schema, bool request, unsigned budget);
/* The example of a media type or parameter: the author's, otherwise one that is made. */
const struct value *example_given(struct part_writer *t, const struct value *holder, bool request);

/*
 * Estimates the number of HTML elements for an operation or a model whose JSON has this many bytes.
 * Many bytes of text count as one element, too (BYTES in weigh.c).
 */
unsigned weigh_operation(struct part_writer *t, const struct located_operation *f, size_t bytes);
unsigned weigh_model(struct part_writer *t, const struct value *schema, size_t bytes);

/* The words by which search finds a part: a text of at most 8,000 bytes, in lines, in t->arena. */
const char *words_of_operation(struct part_writer *t, const struct located_operation *f);
const char *words_of_model(struct part_writer *t, const struct value *schema);

/* Writes the list of samples. op: in the form of OpenAPI 3. */
void write_samples(struct part_writer *t, struct json *j, const struct located_operation *f, const struct value *op);

#endif
