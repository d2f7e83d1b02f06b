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

/* 3.2 adds members to 3.1 and takes none away: one schema has both. */
static const char *
schema_uri(enum openapi_version version)
{
	return documents[version == OPENAPI_3_2 ? OPENAPI_3_1 : version].uri;
}

/* Begins with the version, which ends there or goes on with a patch version. */
static bool
names_version(struct str s, const char *version)
{
	size_t n = strlen(version);

	return str_starts(s, version) && (s.n == n || s.p[n] == '.' || s.p[n] == '-');
}

/* What a description without a version that is known can be read as. */
static enum openapi_version
guess_version(const struct value *root, struct str name)
{
	/* "v3.1" */
	if (name.n > 0 && name.p[0] == 'v')
		name = str_slice(name, 1, name.n);
	if (value_get(root, "swagger") != NULL || value_get(root, "definitions") != NULL)
		return name.n > 0 && name.p[0] != '2' ? OPENAPI_NONE : OPENAPI_2_0;
	if (name.n > 0 && name.p[0] != '3')
		return name.p[0] == '2' ? OPENAPI_2_0 : OPENAPI_NONE;
	if (value_get(root, "openapi") != NULL || value_is(value_get(root, "paths"), VALUE_MAP) ||
	    value_is(value_get(root, "webhooks"), VALUE_MAP))
		return OPENAPI_3_2;
	return OPENAPI_NONE;
}

enum openapi_version
openapi_recognise(struct arena *a, const struct value *root, const char **why)
{
	static const struct {
		const char          *name;
		enum openapi_version version;
	} known[] = { { "3.0", OPENAPI_3_0 }, { "3.1", OPENAPI_3_1 }, { "3.2", OPENAPI_3_2 } };
	struct str swagger = value_text(value_get(root, "swagger")), openapi = value_text(value_get(root, "openapi"));
	struct str name = openapi.n > 0 ? openapi : swagger;
	enum openapi_version guess;
	size_t i;

	*why = NULL;
	if (openapi.n == 0 && str_is(swagger, "2.0"))
		return OPENAPI_2_0;
	/* Patch versions do not change the format (OpenAPI, "Versions"). */
	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (names_version(openapi, known[i].name))
			return known[i].version;
	guess = guess_version(root, name);
	/*
	 * Texts of the source have no NUL, so a copy is shown. %.20s limits the length of foreign
	 * text.
	 */
	if (name.n > 0)
		*why = arena_printf(a, "version %.20s is not known; 2.0, 3.0, 3.1 and 3.2 are%s", arena_strndup(a, name.p, name.n),
		    guess == OPENAPI_NONE ? "" : guess == OPENAPI_2_0 ? ", and it is read as 2.0" : ", and it is read as 3.2");
	else if (guess == OPENAPI_NONE)
		*why = "this is no description of an API: there is neither \"openapi\" nor \"swagger\" at its top";
	else
		*why = "neither \"openapi\" nor \"swagger\" at its top names the version";
	return guess;
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
	const struct schema *s = schema_find(all_schemas(a), schema_uri(version), &why);

	if (s == NULL)
		panic("openapi: schema %s: %s", schema_uri(version), why);
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
