/* Versions and their schemas, which are embedded in the program. */
#include "base/panic.h"
#include "openapi/check.h"
#include "openapi_schemas.h"

/* Limits for our own files: a file beyond them is a defect of the build. */
static const struct value_limits schema_limits = { 1 << 20, 100000, 100 };

static const struct {
	const char *uri, *text;
} documents[] = {
	[OPENAPI_NONE] = { "http://json-schema.org/draft-04/schema", schema_draft_4 },
	[OPENAPI_2_0] = { "http://swagger.io/v2/schema.json", schema_2_0 },
	[OPENAPI_3_0] = { "https://spec.openapis.org/oas/3.0/schema/2019-04-02", schema_3_0 },
	[OPENAPI_3_1] = { "octavo:openapi-3.1", schema_3_1 }
};

enum openapi_version
openapi_recognise(struct arena *a, const struct value *root, const char **why)
{
	struct str swagger = value_text(value_get(root, "swagger"));
	struct str openapi = value_text(value_get(root, "openapi"));

	if (str_is(swagger, "2.0"))
		return OPENAPI_2_0;
	/* Patch versions do not change the format (OpenAPI, "Versions"). */
	if (str_starts(openapi, "3.0"))
		return OPENAPI_3_0;
	if (str_starts(openapi, "3.1"))
		return OPENAPI_3_1;
	/*
	 * Texts of the source have no NUL, so a copy is shown. %.20s limits the length of foreign
	 * text.
	 */
	if (swagger.n == 0 && openapi.n == 0)
		*why = "this is no description of an API: there is neither \"openapi\" nor \"swagger\" at its top";
	else
		*why = arena_printf(a, "version %.20s is not known; 2.0, 3.0 and 3.1 are",
		    arena_strndup(a, openapi.n > 0 ? openapi.p : swagger.p, openapi.n > 0 ? openapi.n : swagger.n));
	return OPENAPI_NONE;
}

/*
 * Adds all schemas, since they refer to each other's addresses; only the requested one is compiled.
 */
static struct schema_set *
all_schemas(struct arena *a)
{
	struct schema_set *set = schema_set_new(a);
	const char *error;
	struct value *v;
	size_t i;

	for (i = 0; i < sizeof(documents) / sizeof(documents[0]); i++) {
		v = value_read(a, str_of(documents[i].text), &schema_limits, &error);
		if (v == NULL)
			panic("openapi: schema %s: %s", documents[i].uri, error);
		schema_set_add(set, documents[i].uri, v);
	}
	return set;
}

const struct schema *
openapi_schema(struct arena *a, enum openapi_version version)
{
	const char *why;
	const struct schema *s = schema_find(all_schemas(a), documents[version].uri, &why);

	if (s == NULL)
		panic("openapi: schema %s: %s", documents[version].uri, why);
	return s;
}

const char *
openapi_schemas_refuse(struct arena *a)
{
	struct schema_set *set = all_schemas(a);
	const char *why;
	size_t i;

	for (i = 0; i < sizeof(documents) / sizeof(documents[0]); i++)
		if (schema_find(set, documents[i].uri, &why) == NULL)
			return arena_printf(a, "%s: %s", documents[i].uri, why);
	return schema_unknown(set);
}
