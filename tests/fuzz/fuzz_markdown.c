/*
 * Markdown -> tree -> JSON -> tree -> Markdown; links, blocks, sections. After the first round trip
 * nothing changes.
 */
#include <cjson/cJSON.h>

#include "base/scan.h"
#include "markdown/document.h"
#include "fuzz.h"
#include "http/req.h"

static struct str
once(struct arena *a, struct str body)
{
	struct buf b;

	buf_init(&b, a, (size_t)512 << 20);
	doc_markdown(&b, doc_parse(a, body, NULL, NULL, NULL), NULL);
	return buf_view(&b);
}

static void
through_json(struct arena *a, struct str body)
{
	const char *where, *why;
	struct json j;
	struct buf b;
	cJSON *v;
	bool large;

	buf_init(&b, a, (size_t)512 << 20);
	json_init(&j, &b);
	doc_json(&j, doc_parse(a, body, NULL, NULL, NULL));
	if (json_scan(a, buf_view(&b), &json_limits_body, &large) != NULL && !large)
		abort();
	v = cJSON_ParseWithLength(b.p, b.n);
	if (v != NULL && doc_read(a, v, &where, &why) == NULL)
		abort();
}

/* The blocks cover the body without gaps. */
static void
blocks(struct arena *a, struct str body)
{
	size_t n, i;
	struct doc_block *list = doc_blocks(a, body, &n);
	const char *at = body.p;

	for (i = 0; i < n; i++) {
		if (list[i].source.p != at)
			abort();
		at += list[i].source.n;
	}
	if (n > 0 && at != body.p + body.n)
		abort();
}

/* Positions ascend and are inside the body; those found by way of a document are among them. */
static void
links(struct arena *a, struct str body)
{
	struct doc_link *lists[] = { doc_links(a, body), doc_links_of(a, doc_parse(a, body, NULL, NULL, NULL), body) }, *l;
	size_t i, at;

	for (i = 0; i < 2; i++)
		for (l = lists[i], at = 0; l != NULL; l = l->next) {
			if (l->to != 0 && (l->from < at || l->to <= l->from || l->to > body.n))
				abort();
			at = l->to != 0 ? l->to : at;
		}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *a = fuzz_arena();
	struct str body = { (const char *)data, size };
	size_t n;

	if (size <= 16384) {
		json_arena(a);
		links(a, body);
		blocks(a, body);
		through_json(a, body);
		doc_sections(a, doc_parse(a, body, NULL, NULL, NULL), &n);
		once(a, once(a, body));
		json_arena(NULL);
	}
	arena_free(a);
	return 0;
}
