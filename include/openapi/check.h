/*
 * Recognises the version of an API description, and checks the description.
 *
 * Swagger 2.0 and OpenAPI 3.0 are checked against the official JSON schemas. The official schemas
 * of OpenAPI 3.1 and 3.2 do not use draft 4, so these versions are checked against a schema of our
 * own (src/openapi/openapi-3.1.json). Then each "$ref" is followed, within the description and into
 * the documents that it refers to.
 */
#ifndef OCTAVO_OPENAPI_CHECK_H
#define OCTAVO_OPENAPI_CHECK_H

#include "openapi/schema.h"

enum openapi_version { OPENAPI_NONE, OPENAPI_2_0, OPENAPI_3_0, OPENAPI_3_1, OPENAPI_3_2 };

/*
 * The version that "swagger" or "openapi" names. If it names an unknown version, the nearest known
 * one, and *why is the fault. OPENAPI_NONE, with *why, if the text cannot be read as any version.
 * Otherwise *why is NULL.
 */
enum openapi_version openapi_recognise(struct arena *a, const struct value *root, const char **why);

/* The schema of a version; panics if it is damaged, which the build has checked. */
const struct schema *openapi_schema(struct arena *a, enum openapi_version version);

/*
 * For the build: the first keyword in our schemas that the module does not know, or another fault;
 * NULL: none.
 */
const char *openapi_schemas_refuse(struct arena *a);

/* A document of a description. */
struct openapi_file {
	struct openapi_file *next;
	const char          *uri;     /* absolute; that of the first one may be "" */
	struct value        *root;
	struct str           text;
	bool                 is_first;
};

/* How further documents are read, and the limits. */
struct openapi_input {
	struct value_limits limits;   /* for all documents together */
	size_t              files;    /* maximum number of documents, including the first */
	/*
	 * Reads the bytes of another document, followed by a NUL; false: *why. NULL: there are no
	 * others.
	 */
	bool              (*load)(void *ctx, const char *uri, struct str *text, const char **why);
	void               *ctx;
};

/*
 * Follows every "$ref" in the first file and in its targets; adds the files that it loads. Each
 * reference stores its target (see openapi_deref). References without a target, in a cycle of
 * references only, or in a chain of more than 100 are reported.
 */
void openapi_follow(struct arena *a, struct openapi_file *first, const struct openapi_input *in,
    struct schema_report *report);

/*
 * The target of a reference, or the value itself; NULL for NULL, and for cycles and long chains,
 * which openapi_follow() has reported. Call it after openapi_follow().
 */
const struct value *openapi_deref(const struct value *v);

/* The spelling of a value's own "$ref"; p is NULL if it is no reference. */
struct str openapi_ref(const struct value *v);

#endif
