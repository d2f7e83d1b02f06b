/* Helpers of the document tests. */
#ifndef OCTAVO_TEST_DOC_FIXTURE_H
#define OCTAVO_TEST_DOC_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include <cjson/cJSON.h>

#include "markdown/document.h"

/* The document's JSON; optionally without keys, which depend on the form of the source. */
static inline const char *
doc_text(struct arena *a, const struct doc *d, bool keys)
{
	static const char mark[] = ",\"key\":\"";
	struct buf out, bare;
	struct json j;
	const char *p, *next;

	buf_init(&out, a, (size_t)1 << 30);
	json_init(&j, &out);
	doc_json(&j, d);
	if (keys)
		return out.p;
	buf_init(&bare, a, out.n + 1);
	for (p = out.p; (next = strstr(p, mark)) != NULL; p = strchr(next + sizeof(mark) - 1, '"') + 1)
		buf_add(&bare, p, (size_t)(next - p));
	buf_str(&bare, p);
	return bare.p;
}

static inline struct doc *
parse(struct arena *a, const char *markdown)
{
	return doc_parse(a, str_of(markdown), NULL, NULL, NULL);
}

static inline const char *
markdown_of(struct arena *a, const struct doc *d)
{
	struct buf out;

	buf_init(&out, a, (size_t)1 << 30);
	doc_markdown(&out, d, NULL);
	return out.p;
}

/* Reads JSON written by doc_text() back into a document; on failure prints a message and returns NULL. */
static inline struct doc *
read_back(struct arena *a, const char *json)
{
	const char *where = "", *why = "";
	cJSON *c = cJSON_Parse(json);
	struct doc *d = doc_read(a, c, &where, &why);

	cJSON_Delete(c);
	if (d == NULL)
		print_error("doc_read: %s: %s\n", where, why);
	return d;
}

#endif
