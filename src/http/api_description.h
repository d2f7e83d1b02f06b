/* Functions that the files of the API's description share: components that operations refer to by name. */
#ifndef OCTAVO_CORE_OPENAPI_H
#define OCTAVO_CORE_OPENAPI_H

#include "http/req.h"

/* Shape of every failure. */
extern const struct shape openapi_error;

/* Writes {"$ref": "#/components/KIND/NAME"} as a value. */
void openapi_reference(struct json *j, const char *kind, const char *name);

/* "200" for 200. */
void openapi_digits(int status, char out[4]);

/* Write components.headers, .parameters and .responses into the open components object. */
void openapi_headers(struct json *j);
void openapi_parameters(struct json *j);
void openapi_failures(struct json *j);

/* Write the failure with this status into the open responses object; false if none is described. */
bool openapi_failure(struct json *j, int status);

/* Write the headers of a successful answer with this status and method as the member `headers`. */
void openapi_answer_headers(struct json *j, enum method method, int status);

#endif
