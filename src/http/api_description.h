/* What the files of the API's description share: the parts that operations refer to by name. */
#ifndef OCTAVO_CORE_OPENAPI_H
#define OCTAVO_CORE_OPENAPI_H

#include "http/req.h"

/* The shape of every failure. */
extern const struct shape openapi_error;

/* {"$ref": "#/components/ROOM/NAME"} as a value. */
void openapi_reference(struct json *j, const char *room, const char *name);

/* "200" for 200. */
void openapi_digits(int status, char out[4]);

/* components.headers, .parameters and .responses, into the open components object. */
void openapi_headers(struct json *j);
void openapi_parameters(struct json *j);
void openapi_failures(struct json *j);

/* The failure with this status as a member of the open responses object; false: none is described. */
bool openapi_failure(struct json *j, int status);

/* The headers of an answer with this success status to this method, as the member `headers`. */
void openapi_answer_headers(struct json *j, enum method method, int status);

#endif
