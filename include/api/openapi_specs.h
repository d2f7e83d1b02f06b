/*
 * OpenAPI specifications: descriptions of APIs, kept by an organization. What other files need of
 * spaces/openapi_specs.c.
 */
#ifndef OCTAVO_API_OPENAPI_SPECS_H
#define OCTAVO_API_OPENAPI_SPECS_H

#include "http/req.h"

extern const struct shape OpenAPISpec, OpenAPISpecList, OpenAPISpecCreate, OpenAPISpecPut, OpenAPISpecEdit,
    OpenAPISpecVersion, OpenAPISpecVersionList, OpenAPISpecContent;

/* A specification of the organization by slug or id, on its row; NULL: there is none. (openapi_specs.c) */
struct stmt *openapi_row(struct req *r, const char *org, const char *slug);

#endif
