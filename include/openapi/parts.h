/*
 * Splits the description of an API, of any version, into the parts that readers see: operations,
 * schemas and pages. There is a page about the API, one for each tag and one for each operation,
 * one for all models and one for each model. The caller shows either the page of a tag or those of
 * its operations, depending on the weight of the page.
 *
 * Operations have the form of OpenAPI 3. Members of 2.0 are converted. References are replaced by
 * their targets, except references to schemas: they stay as {"$ref":"#/components/schemas/NAME"},
 * and the schemas are parts of their own. In addition, an operation contains its servers, the
 * security schemes that it names, an example for each body, and samples of the request.
 *
 * Everything is bounded: by the size of the description, or, for examples and repeated values, by a
 * budget for each operation.
 */
#ifndef OCTAVO_OPENAPI_PARTS_H
#define OCTAVO_OPENAPI_PARTS_H

#include "openapi/check.h"

struct openapi_use {
	struct openapi_use *next;
	int64_t             operation;   /* number of the operation */
};

struct openapi_page {
	struct openapi_page *next;
	int64_t              no;
	const char          *kind;         /* "info", "operations", "operation", "models", "model" */
	const char          *name;         /* of a tag, of a tag and operation, of a model; otherwise equal to kind */
	const char          *title, *slug;
	const char          *description;  /* one line of plain text; may be "" */
	const char          *markdown;     /* the text before the operations */
	struct openapi_page *parent;       /* the page above it; NULL: none */
	unsigned             weight;       /* estimated number of HTML elements of its operations or models */
	const char          *method, *path;/* of the page's only operation; NULL: it has several operations, or none */
	struct openapi_use  *uses, **last_use;
	bool                 has_pages;    /* another page is below it */
};

struct openapi_operation {
	struct openapi_operation *next;
	int64_t                   no;
	const char               *id;      /* the same in all versions: operationId, otherwise method and path */
	bool                      webhook;
	const char               *method;  /* lower case */
	const char               *path;    /* for a webhook its name */
	const char               *title;
	const char               *words;   /* plain text for the search index */
	unsigned                  weight;  /* as of a page */
	struct str                uses;    /* JSON: names of the schemas that it refers to */
	struct str                data;    /* JSON */
};

struct openapi_schema {
	struct openapi_schema *next;
	int64_t                no;
	const char            *name;
	struct str             uses;       /* JSON: names of the schemas that it refers to */
	struct str             data;       /* JSON */
	const char            *words;      /* plain text for the search index */
	unsigned               weight;     /* as of a page */
};

struct openapi_parts {
	struct openapi_page      *pages;
	struct openapi_operation *operations;
	struct openapi_schema    *schemas;
};

/* Call it after openapi_follow(). Everything is allocated from the arena. */
void openapi_take_apart(struct arena *a, const struct value *root, enum openapi_version version,
    struct openapi_parts *out);

#endif
