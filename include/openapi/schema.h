/*
 * JSON Schema, draft 4 (draft-zyp-json-schema-04, draft-fge-json-schema-validation-00).
 *
 * A set contains schema documents by their URIs. A requested schema is compiled once, with
 * everything that it refers to; checking then allocates memory only for errors. All assertions of
 * draft 4 are implemented. `format` is read and asserts nothing, which section 7.1 allows, because
 * descriptions of real APIs contain addresses with templates, and patterns of other languages. Any
 * other keyword is reported by schema_unknown().
 *
 * References may name a document of the set, any part of it by JSON pointer, and any `id` in it.
 * Nothing is fetched.
 */
#ifndef OCTAVO_OPENAPI_SCHEMA_H
#define OCTAVO_OPENAPI_SCHEMA_H

#include "openapi/value.h"

struct schema;
struct schema_set;

/* A fault of a value, and where it is. */
struct schema_error {
	struct schema_error *next;
	const char          *pointer;  /* JSON pointer, "" for the whole */
	const char          *message;  /* "must be a string, not a number" */
};

struct schema_report {
	struct arena         *arena;
	struct schema_error  *first;   /* the first `max` errors, in the order of the document */
	struct schema_error **last;
	size_t                count;   /* number of all errors */
	size_t                max;     /* maximum number of kept ones; set by the caller */
};

struct schema_set *schema_set_new(struct arena *a);

/* Adds a document; the `id` of its root, if it has one, names it as well. */
void schema_set_add(struct schema_set *set, const char *uri, const struct value *document);

/*
 * Compiles the schema at a URI with or without fragment. NULL: *why (there is no such schema, a
 * reference has no target, a keyword has a wrong value).
 */
const struct schema *schema_find(struct schema_set *set, const char *uri, const char **why);

/* The first unknown keyword in the compiled schemas; NULL: none. */
const char *schema_unknown(const struct schema_set *set);

/* Checks a value. report may be NULL if only the result is needed. */
bool schema_check(const struct schema *s, const struct value *v, struct schema_report *report);

void schema_report_init(struct schema_report *r, struct arena *a, size_t max);

/* Adds an error, or only counts it if there are max already. Texts must stay valid. */
void schema_report_add(struct schema_report *r, const char *pointer, const char *message);

#endif
