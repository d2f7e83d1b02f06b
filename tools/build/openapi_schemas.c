/*
 * Run by make: ends with 1 if a schema of OpenAPI that goes into the job runner has
 * a keyword that the schema module does not know, or is damaged.
 */
#include <stdio.h>

#include "openapi/check.h"

int
main(void)
{
	struct arena *a = arena_new(64 << 20);
	const char *why = openapi_schemas_refuse(a);

	if (why != NULL)
		fprintf(stderr, "openapi_schemas: %s\n", why);
	arena_free(a);
	return why != NULL;
}
