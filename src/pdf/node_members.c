/* Members of the nodes of a document. Contract: paper.h. */
#include <cjson/cJSON.h>

#include "card.h"
#include "code.h"

/* Returns NULL if the node or the member is missing, so that calls can be nested. */
const cJSON *
json_get(const cJSON *node, const char *name)
{
	return cJSON_GetObjectItemCaseSensitive(node, name);
}

/*
 * Returns NULL if the member is missing or no string: documents are stored JSON, and an unexpected
 * form must not crash the printing.
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
