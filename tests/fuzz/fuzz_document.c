/*
 * Document JSON of a client: what is accepted becomes Markdown, which is the same after it was read again and
 * written again; what is refused has a place and a reason.
 */
#include <cjson/cJSON.h>

#include "base/scan.h"
#include "base/utf8.h"
#include "fuzz.h"
#include "http/req.h"
#include "markdown/document.h"

static struct str
written(struct arena *a, const struct doc *d)
{
	struct buf b;

	buf_init(&b, a, (size_t)512 << 20);
	doc_markdown(&b, d, NULL);
	return buf_view(&b);
}

static void
try_document(struct arena *a, struct str text)
{
	const char *where = NULL, *why = NULL;
	bool large;
	cJSON *v = json_scan(a, text, &json_limits_body, &large) == NULL ? cJSON_ParseWithLength(text.p, text.n) : NULL;
	struct doc *d = v == NULL ? NULL : doc_read(a, v, &where, &why);
	struct str first;

	if (v != NULL && d == NULL && (where == NULL || why == NULL || !utf8_valid(str_of(why))))
		abort();
	if (d == NULL)
		return;
	first = written(a, doc_parse(a, written(a, d), NULL, NULL, NULL));
	if (!str_eq(first, written(a, doc_parse(a, first, NULL, NULL, NULL))))
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *a = fuzz_arena();

	if (size <= 16384) {
		json_arena(a);
		try_document(a, (struct str){ (const char *)data, size });
		json_arena(NULL);
	}
	arena_free(a);
	return 0;
}
