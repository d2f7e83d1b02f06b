/* Reads members of parsed JSON objects. Contract: base/json.h. */
#include <cjson/cJSON.h>
#include <string.h>

#include "base/json.h"

/*
 * Replaces cJSON_GetObjectItemCaseSensitive(), whose calls of strcmp() took a tenth of the time that
 * a page takes to render.
 */
const cJSON *
json_member(const cJSON *v, const char *name)
{
	const cJSON *m;

	for (m = v != NULL ? v->child : NULL; m != NULL; m = m->next)
		/* Items of a list have no name. */
		if (m->string != NULL && m->string[0] == name[0] && strcmp(m->string, name) == 0)
			return m;
	return NULL;
}

const char *
json_text_of(const cJSON *v, const char *name)
{
	return cJSON_GetStringValue(json_member(v, name));
}

const char *
json_text_or_empty(const cJSON *v, const char *name)
{
	const char *text = json_text_of(v, name);

	return text != NULL ? text : "";
}

double
json_number_of(const cJSON *v, const char *name, double fallback)
{
	const cJSON *m = json_member(v, name);

	return cJSON_IsNumber(m) ? m->valuedouble : fallback;
}

bool
json_flag_of(const cJSON *v, const char *name)
{
	return cJSON_IsTrue(json_member(v, name));
}
