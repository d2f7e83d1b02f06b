/*
 * An API description, JSON or YAML: read, checked against the schema of its version, its references followed, and
 * taken apart. What the parts hold is valid JSON.
 */
#include "base/scan.h"
#include "base/utf8.h"
#include "fuzz.h"
#include "openapi/parts.h"

static bool
load_nothing(void *ctx, const char *uri, struct str *text, const char **why)
{
	(void)ctx, (void)uri, (void)text;
	*why = "there are no other files";
	return false;
}

static void
check_data(struct arena *a, struct str json)
{
	struct json_limits limits = { 10000000, JSON_SCAN_DEPTH };
	bool large = false;

	if (json.n > 0 && json_scan(a, json, &limits, &large) != NULL && !large)
		abort();
}

static void
check_parts(struct arena *a, const struct openapi_parts *parts)
{
	const struct openapi_operation *o;
	const struct openapi_schema *s;
	const struct openapi_page *p;

	for (p = parts->pages; p != NULL; p = p->next)
		if (p->title == NULL || p->slug == NULL || !utf8_valid(str_of(p->title)))
			abort();
	for (o = parts->operations; o != NULL; o = o->next) {
		check_data(a, o->data);
		check_data(a, o->uses);
	}
	for (s = parts->schemas; s != NULL; s = s->next)
		check_data(a, s->data);
}

static void
try_description(struct arena *a, struct str text)
{
	struct openapi_input in = { { 1 << 20, 20000, 100 }, 2, load_nothing, NULL };
	struct openapi_file file = { .uri = "", .text = text, .is_first = true };
	struct schema_report report;
	struct openapi_parts parts = { 0 };
	enum openapi_version version;
	const char *why = NULL;

	file.root = value_read(a, text, &in.limits, &why);
	if (file.root == NULL || (version = openapi_recognise(a, file.root, &why)) == OPENAPI_NONE) {
		if (why == NULL)
			abort();
		return;
	}
	schema_report_init(&report, a, 100);
	schema_check(openapi_schema(a, version), file.root, &report);
	openapi_follow(a, &file, &in, &report);
	openapi_take_apart(a, file.root, version, &parts);
	check_parts(a, &parts);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *a = fuzz_arena();

	if (size <= 65536)
		try_description(a, (struct str){ arena_strndup(a, (const char *)data, size), size });
	arena_free(a);
	return 0;
}
