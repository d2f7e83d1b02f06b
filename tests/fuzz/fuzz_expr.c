/*
 * An expression, and after a NUL the claims for it (JSON; without any, a default). Whatever they
 * contain, parsing and evaluation stay within their limits, give the same result each time, and
 * every value can be written as text.
 */
#include <cjson/cJSON.h>
#include <string.h>

#include "base/json.h"
#include "base/utf8.h"
#include "expr/expr.h"
#include "fuzz.h"

static const char claims[] = "{\"visitor\":{\"claims\":{\"plan\":\"pro\",\"n\":12.5,\"on\":true,\"no\":null,"
    "\"list\":[1,\"a\",[2,[3]],{\"b\":\"\\u00e9\\ud83d\\ude00\"}],\"unsigned\":{\"beta\":\"x\"}}},"
    "\"space\":{\"vars\":{\"version\":\"2.4\"}},\"page\":{\"vars\":{}},\"reviews\":[]}";

static void
must(bool holds)
{
	if (!holds)
		abort();
}

/* The result as text, or the error: having neither is a find. */
static struct str
outcome(struct arena *a, struct str text, const cJSON *scope)
{
	struct expr_value value;
	const char *error = NULL;
	struct expr *e = expr_parse(a, text, &error);
	struct str out;

	if (e == NULL) {
		must(error != NULL && utf8_valid(str_of(error)));
		return str_of(error);
	}
	must(utf8_count(text) <= EXPR_MAX);
	expr_uses_name(e, "visitor");
	if (!expr_eval(e, scope, a, &value, &error)) {
		must(error != NULL && utf8_valid(str_of(error)));
		return str_of(error);
	}
	expr_true(&value);
	out = expr_text(a, &value);
	must(out.n == 0 || out.p != NULL);
	/* Claims are UTF-8, since they come from JSON, and so must be all values made from them. */
	must(value.type != EXPR_STRING || utf8_valid(value.s));
	return out;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *a = fuzz_arena();
	const uint8_t *nul = size == 0 ? NULL : memchr(data, '\0', size);
	struct str text = { (const char *)data, nul == NULL ? size : (size_t)(nul - data) }, first;
	size_t rest = nul == NULL ? 0 : size - text.n - 1;
	cJSON *scope = NULL;

	if (size > 65536) {
		arena_free(a);
		return 0;
	}
	json_arena(a);
	/* The service accepts only UTF-8 as JSON (base/scan.h). */
	if (rest > 0 && utf8_valid((struct str){ (const char *)nul + 1, rest }))
		scope = cJSON_ParseWithLength((const char *)nul + 1, rest);
	if (!cJSON_IsObject(scope))
		scope = cJSON_Parse(claims);
	first = outcome(a, text, scope);
	/* Evaluation must not change the scope. */
	must(str_eq(first, outcome(a, text, scope)));
	json_arena(NULL);
	arena_free(a);
	return 0;
}
