/*
 * Is this a description of an API, of which version, and is it right?
 *
 * Swagger 2.0 and OpenAPI 3.0 are checked against the official JSON schemas,
 * OpenAPI 3.1, whose official schema is no draft 4, against one of our own
 * (src/openapi/openapi-3.1.json). Then every "$ref" is followed, within the
 * description and into the documents that it refers to.
 */
#ifndef OCTAVO_OPENAPI_CHECK_H
#define OCTAVO_OPENAPI_CHECK_H

#include "openapi/schema.h"

enum openapi_version { OPENAPI_NONE, OPENAPI_2_0, OPENAPI_3_0, OPENAPI_3_1 };

/* The version that "swagger" or "openapi" names; OPENAPI_NONE, and *why, where it is none of ours. */
enum openapi_version openapi_recognise(struct arena *a, const struct value *root, const char **why);

/* The schema of a version; panics if it is damaged, which the build has seen to. */
const struct schema *openapi_schema(struct arena *a, enum openapi_version version);

/* For the build: the first keyword in our schemas that the module does not know, or what is wrong; NULL: nothing. */
const char *openapi_schemas_refuse(struct arena *a);

/* A document of a description. */
struct openapi_file {
	struct openapi_file *next;
	const char          *uri;     /* absolute; the first one's may be "" */
	struct value        *root;
	struct str           text;
	bool                 is_first;
};

/* What comes from outside, and how much of it may. */
struct openapi_input {
	struct value_limits limits;   /* of all documents together */
	size_t              files;    /* documents, the first included */
	/* The bytes of another document, followed by a NUL; false: *why. NULL: there are no others. */
	bool              (*load)(void *ctx, const char *uri, struct str *text, const char **why);
	void               *ctx;
};

/*
 * Follows every "$ref" in the first file and in what it leads to; adds the files
 * that it loads. A reference keeps what it names (see openapi_deref). What leads
 * nowhere, in a circle of nothing but references, or through more than 100 of them,
 * is reported.
 */
void openapi_follow(struct arena *a, struct openapi_file *first, const struct openapi_input *in,
    struct schema_report *report);

/*
 * What a reference names, or the value itself; NULL for NULL, and for circles and long
 * chains, which openapi_follow() has reported. After openapi_follow().
 */
const struct value *openapi_deref(const struct value *v);

/* The spelling of a value's own "$ref"; p is NULL if it is no reference. */
struct str openapi_ref(const struct value *v);

#endif
