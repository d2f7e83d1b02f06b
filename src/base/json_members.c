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

/*
 * Begins a line. Levels beyond INDENT_MOST are not indented further: a list of a hundred thousand
 * numbers below two hundred levels would become forty megabytes of blanks.
 */
static void
begin_line(struct buf *b, int depth)
{
	enum { INDENT_MOST = 20 };

	buf_printf(b, "\n%*s", 2 * (depth < INDENT_MOST ? depth : INDENT_MOST), "");
}

static void
write_pretty(struct buf *b, const cJSON *v, int depth)
{
	const cJSON *one;
	struct json j;
	char *text;

	if ((!cJSON_IsObject(v) && !cJSON_IsArray(v)) || v->child == NULL) {
		text = cJSON_PrintUnformatted(v);
		buf_str(b, text != NULL ? text : "");
		cJSON_free(text);
		return;
	}
	buf_char(b, cJSON_IsObject(v) ? '{' : '[');
	cJSON_ArrayForEach(one, v) {
		begin_line(b, depth + 1);
		if (cJSON_IsObject(v)) {
			json_init(&j, b);
			json_str(&j, one->string);
			buf_str(b, ": ");
		}
		write_pretty(b, one, depth + 1);
		buf_str(b, one->next != NULL ? "," : "");
	}
	begin_line(b, depth);
	buf_char(b, cJSON_IsObject(v) ? '}' : ']');
}

const char *
json_pretty(struct arena *a, const cJSON *v)
{
	struct buf b;

	/* The arena has a limit; a description may have several megabytes of examples. */
	buf_init(&b, a, (size_t)1 << 30);
	write_pretty(&b, v, 0);
	return b.p;
}
