/* Path, query and body for handlers, which dispatch.c has checked. */
#include <cjson/cJSON.h>

#include "base/panic.h"
#include "http/req.h"

bool
path_has(struct req *r, const char *name)
{
	size_t i;

	for (i = 0; i < r->arg_count; i++)
		if (strcmp(r->args[i].name, name) == 0)
			return true;
	return false;
}

const char *
path_id(struct req *r, const char *name)
{
	size_t i;

	for (i = 0; i < r->arg_count; i++)
		if (strcmp(r->args[i].name, name) == 0)
			return r->args[i].value;
	panic("%s has no {%s}", r->route->operation, name);
}

static const cJSON *
query_get(struct req *r, const char *name)
{
	return cJSON_GetObjectItemCaseSensitive(r->query, name);
}

const char *
query_text(struct req *r, const char *name)
{
	const cJSON *v = query_get(r, name);

	return cJSON_IsString(v) ? v->valuestring : NULL;
}

int64_t
query_int(struct req *r, const char *name, int64_t fallback)
{
	const cJSON *v = query_get(r, name);

	return cJSON_IsNumber(v) ? (int64_t)v->valuedouble : fallback;
}

bool
query_bool(struct req *r, const char *name, bool fallback)
{
	const cJSON *v = query_get(r, name);

	return cJSON_IsBool(v) ? cJSON_IsTrue(v) : fallback;
}

const cJSON *
query_list(struct req *r, const char *name)
{
	const cJSON *v = query_get(r, name);

	return cJSON_IsArray(v) ? v : NULL;
}

const cJSON *
body_get(struct req *r, const char *name)
{
	return cJSON_GetObjectItemCaseSensitive(r->body, name);
}

bool
body_has(struct req *r, const char *name)
{
	return body_get(r, name) != NULL;
}

const char *
body_text(struct req *r, const char *name)
{
	const cJSON *v = body_get(r, name);

	return cJSON_IsString(v) ? v->valuestring : NULL;
}

bool
body_bool(struct req *r, const char *name, bool fallback)
{
	const cJSON *v = body_get(r, name);

	return cJSON_IsBool(v) ? cJSON_IsTrue(v) : fallback;
}

char *
body_json(struct req *r, const char *name)
{
	const cJSON *v = body_get(r, name);

	return v == NULL ? NULL : cJSON_PrintUnformatted(v);
}

static const struct field *
body_field(struct req *r, const char *name)
{
	const struct field *f;

	for (f = r->route->body->fields; f->name != NULL; f++)
		if (strcmp(f->name, name) == 0)
			return f;
	panic("%s: the body has no member %s", r->route->operation, name);
}

static void
bind_value(struct stmt *q, struct req *r, const struct field *f, const char *param)
{
	const cJSON *v = body_get(r, f->name);
	int64_t ms;

	if (f->type == T_LEVEL)
		bind_int(q, param, cJSON_IsNull(v) ? ROLE_NONE : strcmp(v->valuestring, "inherit") == 0 ? LEVEL_INHERIT :
		    (int)role_number(v->valuestring));
	else if (cJSON_IsNull(v))
		bind_null(q, param);
	else if (f->type == T_ROLE)
		bind_int(q, param, role_number(v->valuestring));
	else if (f->type == T_TIME && time_parse(v->valuestring, &ms))
		bind_int(q, param, ms);
	else if (cJSON_IsBool(v))
		bind_int(q, param, cJSON_IsTrue(v));
	else if (cJSON_IsNumber(v))
		bind_int(q, param, (int64_t)v->valuedouble);
	else if (cJSON_IsString(v))
		bind_text(q, param, v->valuestring);
	else
		bind_text(q, param, cJSON_PrintUnformatted(v));
}

void
bind_body(struct stmt *q, struct req *r, const char *name)
{
	const struct field *f = body_field(r, name);
	bool has = body_has(r, name);

	bind_int(q, arena_printf(r->arena, ":has_%s", name), has);
	if (has)
		bind_value(q, r, f, arena_printf(r->arena, ":%s", name));
}
