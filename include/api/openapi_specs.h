/* OpenAPI specifications of an organization. Implemented in spaces/openapi_specs.c. */
#ifndef OCTAVO_API_OPENAPI_SPECS_H
#define OCTAVO_API_OPENAPI_SPECS_H

#include "http/req.h"

extern const struct shape OpenAPISpec, OpenAPISpecList, OpenAPISpecCreate, OpenAPISpecPut, OpenAPISpecEdit,
    OpenAPISpecVersion, OpenAPISpecVersionList, OpenAPISpecContent, OpenAPISpecRelay, OpenAPIOperationsQuery, OpenAPIOperationList;

/*
 * Returns the body's member "relay" in the form of the column. NULL if the body has none (*status
 * is then 0), or if it is refused (*status is what fail() returned).
 */
const char *openapi_relay_or_fail(struct req *r, int *status);

/* The row of an organization's specification, by slug or id; NULL: none. */
struct stmt *openapi_row(struct req *r, const char *org, const char *slug);

#endif
