/*
 * A description taken apart into what readers see: pages (one about the API, one per
 * tag, one of the models), operations and schemas, whatever version it is written in.
 *
 * Operations have the form of OpenAPI 3: members that only 2.0 knows become those of
 * 3.0, references are replaced by what they name, but for those to schemas, which stay
 * as {"$ref":"#/components/schemas/NAME"} and are parts of their own. Beside that an
 * operation holds what else a reader needs: its servers, the security schemes that it
 * names, an example for each body, and samples of the request.
 *
 * Everything is bounded: by the description's own size, or, where something is made or
 * repeated, by a budget per operation.
 */
#ifndef OCTAVO_OPENAPI_PARTS_H
#define OCTAVO_OPENAPI_PARTS_H

#include "openapi/check.h"

struct openapi_use {
	struct openapi_use *next;
	int64_t             operation;   /* its number */
};

struct openapi_page {
	struct openapi_page *next;
	int64_t              no;
	const char          *kind;         /* "info", "operations", "models" */
	const char          *name;         /* of the tag; else as kind */
	const char          *title, *slug;
	const char          *description;  /* one line of plain text; may be "" */
	const char          *markdown;     /* the text before the operations */
	struct openapi_use  *uses, **last_use;
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
	struct str                uses;    /* JSON: names of the schemas that it refers to */
	struct str                data;    /* JSON */
};

struct openapi_schema {
	struct openapi_schema *next;
	int64_t                no;
	const char            *name;
	struct str             uses;       /* JSON: names of the schemas that it refers to */
	struct str             data;       /* JSON */
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
