/* Members of the nodes of a document. Contract: paper.h. */
#include <cjson/cJSON.h>

#include "card.h"
#include "code.h"

/* NULL for a missing member and for NULL, so that look-ups can be chained. */
const cJSON *
json_get(const cJSON *node, const char *name)
{
	return cJSON_GetObjectItemCaseSensitive(node, name);
}

/*
 * NULL for a missing member and for one that is no string: documents come from stored JSON, and
 * nothing here may crash on another form.
 */
const char *
json_text(const cJSON *node, const char *name)
{
	return cJSON_GetStringValue(json_get(node, name));
}

double
json_number(const cJSON *node, const char *name, double preset)
{
	const cJSON *v = json_get(node, name);

	return cJSON_IsNumber(v) ? v->valuedouble : preset;
}

bool
json_true(const cJSON *node, const char *name)
{
	return cJSON_IsTrue(json_get(node, name));
}
