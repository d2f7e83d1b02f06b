/*
 * Faults do not hide an API: descriptions with one small deviation each, as people write them. Every
 * one of them gives its operations, and all but the harmless ones are reported.
 */
#include <cjson/cJSON.h>

#include "arena_fixture.h"
#include "openapi/parts.h"

#define INFO "info: {title: T, version: '1'}\n"
#define OK "{responses: {'200': {description: d}}}"

struct outcome {
	size_t      faults;
	int         operations, schemas;
	const char *data;        /* of the first operation */
};

static struct outcome
outcome_of(const char *text)
{
	static const struct openapi_input in = { { 1 << 20, 50000, 100 }, 1, NULL, NULL };
	struct openapi_file file = { .uri = "" };
	struct outcome out = { 0 };
	struct openapi_operation *o;
	struct openapi_parts parts;
	struct openapi_schema *s;
	struct schema_report r;
	enum openapi_version version;
	const char *why = NULL;
	cJSON *data;

	file.root = value_read(arena, str_of(text), &in.limits, &why);
	if (file.root == NULL)
		fail_msg("%s: %s", text, why);
	out.faults += why != NULL;
	version = openapi_recognise(arena, file.root, &why);
	if (version == OPENAPI_NONE)
		fail_msg("%s: %s", text, why);
	out.faults += why != NULL;
	schema_report_init(&r, arena, 100);
	schema_check(openapi_schema(arena, version), file.root, &r);
	openapi_follow(arena, &file, &in, &r);
	out.faults += r.count;
	openapi_take_apart(arena, file.root, version, &parts);
	for (o = parts.operations; o != NULL; o = o->next) {
		out.operations++;
		out.data = out.data == NULL ? arena_strndup(arena, o->data.p, o->data.n) : out.data;
		data = cJSON_ParseWithLength(o->data.p, o->data.n);
		if (data == NULL)
			fail_msg("%s: no JSON: %.*s", text, (int)o->data.n, o->data.p);
		cJSON_Delete(data);
	}
	for (s = parts.schemas; s != NULL; s = s->next)
		out.schemas++;
	return out;
}

/* Each has one operation, and one schema where it names any. */
static const char *const texts[] = {
	"openapi: 3.0.3\npaths: {/a: {get: " OK "}}\n",
	"openapi: 3.0.3\ninfo: {title: T, version: 1.0}\npaths: {/a: {get: " OK "}}\n",
	"openapi: 3.0.3\ninfo: T\npaths: {/a: {get: " OK "}}\n",
	"openapi: 3.0.3\ninfo: {title: T, version: '1', license: MIT}\npaths: {/a: {get: " OK "}}\n",
	"openapi: 3.0.3\ninfo: {title: T, version: '1', contact: {mail: x}}\npaths: {/a: {get: " OK "}}\n",
	"openapi: 3\n" INFO "paths: {/a: {get: " OK "}}\n",
	"openapi: 3.0\n" INFO "paths: {/a: {get: " OK "}}\n",
	"openapi: v3.1\n" INFO "paths: {/a: {get: " OK "}}\n",
	"openapi: 3.0.3\n" INFO "paths: {/a: {get: " OK "}}\nswagger: '2.0'\n",
	INFO "paths: {/a: {get: " OK "}}\n",
	"openapi: 3.0.3\n" INFO "paths: {a: {get: " OK "}}\n",
	"openapi: 3.0.3\n" INFO "paths: {/a: {get: {}}}\n",
	"openapi: 3.0.3\n" INFO "paths: {/a: {get: {responses: {}}}}\n",
	"openapi: 3.0.3\n" INFO "paths: {/a: {get: {responses: []}}}\n",
	"openapi: 3.0.3\n" INFO "paths: {/a: {get: {responses: {'200': {}}}}}\n",
	"openapi: 3.0.3\n" INFO "paths: {/a: {get: {responses: {'200': Done}}}}\n",
	"openapi: 3.0.3\n" INFO "paths: {/a: {get: {responses: {'200': null}}}}\n",
	"openapi: 3.0.3\n" INFO "paths: {/a: {get: {responses: {'900': {description: d}}}}}\n",
	"openapi: 3.0.3\n" INFO "paths: {/a: {get: {responses: {success: {description: d}}}}}\n",
	"openapi: 3.0.3\n" INFO "paths: {/a: {get: {summary: [x], responses: {'200': {description: d}}}}}\n",
	"openapi: 3.0.3\n" INFO "paths: {/a: {get: {tags: pets, responses: {'200': {description: d}}}}}\n",
	"openapi: 3.0.3\n" INFO "paths: {/a: {get: {tags: [[]], responses: {'200': {description: d}}}}}\n",
	"openapi: 3.0.3\n" INFO "tags: [pets]\npaths: {/a: {get: " OK "}}\n",
	"openapi: 3.0.3\n" INFO "tags: {pets: {description: d}}\npaths: {/a: {get: " OK "}}\n",
	"openapi: 3.0.3\n" INFO "servers: [https://x.example]\npaths: {/a: {get: " OK "}}\n",
	"openapi: 3.0.3\n" INFO "servers: {url: https://x.example}\npaths: {/a: {get: " OK "}}\n",
	"openapi: 3.0.3\n" INFO "paths: {/a: {get: {parameters: {name: x}, responses: {'200': {description: d}}}}}\n",
	"openapi: 3.0.3\n" INFO "paths: {/a: {get: {parameters: [x], responses: {'200': {description: d}}}}}\n",
	"openapi: 3.0.3\n" INFO "paths: {/a: {get: {parameters: [{name: x}], responses: {'200': {description: d}}}}}\n",
	"openapi: 3.0.3\n" INFO "paths: {/a: {get: {parameters: [{name: x, in: body, schema: {}}], responses: {'200': {description: d}}}}}\n",
	"openapi: 3.0.3\n" INFO "paths: {/a: {get: {parameters: [{name: x, in: query, type: string}], responses: {'200': {description: d}}}}}\n",
	"openapi: 3.0.3\n" INFO "paths: {'/a/{x}': {get: {parameters: [{name: x, in: path, schema: {}}], responses: {'200': {description: d}}}}}\n",
	"openapi: 3.0.3\n" INFO "paths: {/a: {get: {parameters: [{$ref: '#/no'}], responses: {'200': {description: d}}}}}\n",
	"openapi: 3.0.3\n" INFO "paths: {/a: {post: {requestBody: {}, responses: {'200': {description: d}}}}}\n",
	"openapi: 3.0.3\n" INFO "paths: {/a: {post: {requestBody: [], responses: {'200': {description: d}}}}}\n",
	"openapi: 3.0.3\n" INFO "paths: {/a: {post: {requestBody: {content: [application/json]}, responses: {'200': {description: d}}}}}\n",
	"openapi: 3.0.3\n" INFO "paths: {/a: {post: {requestBody: {content: {a/b: {schema: string}}}, responses: {'200': {description: d}}}}}\n",
	"openapi: 3.0.3\n" INFO "paths: {/a: {get: {security: [key], responses: {'200': {description: d}}}}}\n",
	"openapi: 3.0.3\n" INFO "paths: {/a: {get: {security: {key: []}, responses: {'200': {description: d}}}}}\n",
	"openapi: 3.0.3\n" INFO "paths: {/a: {get: {deprecated: 'yes', responses: {'200': {description: d}}}}}\n",
	"openapi: 3.0.3\n" INFO "paths: {/a: {get: {callbacks: [], responses: {'200': {description: d}}}}}\n",
	"openapi: 3.0.3\n" INFO "paths: {/a: {get: {colour: red, responses: {'200': {description: d}}}}}\n",
	"openapi: 3.0.3\n" INFO "paths: {/a: {get: " OK ", fetch: {}}}\n",
	"openapi: 3.0.3\n" INFO "paths: {/a: {get: " OK ", post: null}}\n",
	"openapi: 3.0.3\n" INFO "paths: {/a: {get: " OK "}}\ncomponents: []\n",
	"openapi: 3.0.3\n" INFO "paths: {/a: {get: " OK "}}\ncomponents: {schemas: {A: {$ref: '#/components/schemas/A'}}}\n",
	"openapi: 3.0.3\n" INFO "paths: {/a: {get: " OK "}}\ncomponents: {schemas: {A: {type: strong}}}\n",
	"openapi: 3.0.3\n" INFO "paths: {/a: {get: " OK "}}\ncomponents: {schemas: {A: {type: [string, 'null']}}}\n",
	"openapi: 3.0.3\n" INFO "paths: {/a: {get: " OK "}}\ncomponents: {schemas: {A: {properties: [a]}}}\n",
	"openapi: 3.0.3\n" INFO "paths: {/a: {get: " OK "}}\ncomponents: {schemas: {A: {properties: {b: {required: true}}}}}\n",
	"openapi: 3.1.0\n" INFO "paths: {/a: {get: " OK "}}\ncomponents: {schemas: {'A B': {type: string}}}\n",
	"openapi: 3.0.3\n" INFO "paths: {/a: {get: " OK "}}\ncomponents: {schemas: {A: text}}\n",
	"openapi: 3.0.3\n" INFO "paths: {/a: {get: " OK "}}\ncomponents: {schemas: {A: {enum: x}}}\n",
	"openapi: 3.0.3\n" INFO "paths: {/a: {get: " OK "}}\ncomponents: {schemas: {A: {allOf: {}}}}\n",
	"openapi: 3.0.3\n" INFO "paths: {/a: {get: " OK "}}\ncomponents: {securitySchemes: {k: {type: key}}}\n",
	"openapi: 3.0.3\n" INFO "paths: {/a: {get: " OK "}}\nopenapi: 3.0.2\n",
	"openapi: 3.1.0\n" INFO "paths: {/a: {get: {responses: {'200': {description: d}, x: 1}}}}\n",
	"openapi: 3.1.0\n" INFO "paths: {/a: {get: " OK "}}\nwebhooks: []\n",
	"swagger: '2.0'\n" INFO "paths: {/a: {get: {responses: {'200': {}}}}}\n",
	"swagger: '2.0'\n" INFO "paths: {/a: {get: {parameters: [{name: x, in: query}], responses: {'200': {description: d}}}}}\n",
	"swagger: '2.0'\n" INFO "schemes: https\nhost: 7\npaths: {/a: {get: " OK "}}\n",
	"swagger: '2.0'\n" INFO "consumes: {}\npaths: {/a: {post: {parameters: [{name: b, in: body}], responses: {'200': {description: d}}}}}\n",
	"swagger: 2.0\n" INFO "paths: {/a: {get: " OK "}}\n",
	"swagger: '2.0'\n" INFO "paths: {/a: {get: {parameters: [{in: formData}], responses: {'200': {description: d, headers: []}}}}}\n",
};

static void
small_deviations_are_shown_and_reported(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct outcome o = outcome_of(texts[i]);
		if (o.operations != 1 || o.faults == 0 || o.schemas != (strstr(texts[i], "{schemas:") != NULL))
			fail_msg("%s: %d operations, %d schemas, %zu faults", texts[i], o.operations, o.schemas, o.faults);
	}
}

/* Only what cannot be read is left out. */
static void
the_rest_of_a_damaged_operation_is_shown(void **state)
{
	struct outcome o = outcome_of("openapi: 3.0.3\n" INFO "paths: {/a: {get: {summary: [x], description: Reads, parameters: "
	    "[7, {name: q, in: query, schema: {type: string}}], responses: {'200': Done, '404': {description: None}}}, put: 5}}\n");

	(void)state;
	assert_int_equal(o.operations, 1);
	assert_non_null(strstr(o.data, "\"description\":\"Reads\""));
	assert_non_null(strstr(o.data, "\"name\":\"q\""));
	assert_non_null(strstr(o.data, "\"404\":{\"description\":\"None\"}"));
	assert_non_null(strstr(o.data, "\"200\":{\"description\":\"Done\"}"));
}

static void
operations_of_other_methods_are_shown(void **state)
{
	struct outcome o = outcome_of("openapi: 3.2.0\n" INFO "paths: {/a: {query: " OK ", additionalOperations: {COPY: " OK "}}}\n");

	(void)state;
	assert_int_equal(o.operations, 2);
	assert_int_equal(o.faults, 0);
	assert_non_null(strstr(o.data, "\"method\":\"query\""));
}

/* Methods stand unquoted in samples: only tokens are methods. */
static void
methods_are_tokens(void **state)
{
	static const char *const bad[] = { "x; rm -rf ~", "a'b", "a\\\"b", "$(id)", "`id`", "", "-o/x", "a\\nb", "a\\0b", "a/b", "a%b",
		"AaaaaaaaaaAaaaaaaaaaAaaaaaaaaaAaaaaaaaaaA" };
	struct outcome o = outcome_of("openapi: 3.2.0\n" INFO "paths: {/a: {additionalOperations: {COPY: " OK ", M-SEARCH: " OK "}}}\n");
	size_t i;

	(void)state;
	assert_int_equal(o.operations, 2);
	assert_int_equal(o.faults, 0);
	assert_non_null(strstr(o.data, "curl -X COPY '"));
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		o = outcome_of(arena_printf(arena, "openapi: 3.2.0\n" INFO "paths: {/a: {additionalOperations: {\"%s\": " OK "}}}\n", bad[i]));
		assert_int_equal(o.operations, 0);
		assert_int_equal(o.faults, 1);
	}
}

static void
what_the_author_hides_is_left_out(void **state)
{
	struct outcome o = outcome_of("openapi: 3.0.3\n" INFO "paths: {/a: {get: {x-internal: true, responses: {'200': {description: d}}}, "
	    "put: {x-gitbook-ignore: true, responses: {'200': {description: d}}}, post: " OK "}, /b: {x-internal: true, get: " OK "}}\n");

	(void)state;
	assert_int_equal(o.operations, 1);
	assert_non_null(strstr(o.data, "\"method\":\"post\""));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(small_deviations_are_shown_and_reported, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_rest_of_a_damaged_operation_is_shown, set_up, tear_down),
		cmocka_unit_test_setup_teardown(operations_of_other_methods_are_shown, set_up, tear_down),
		cmocka_unit_test_setup_teardown(methods_are_tokens, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_the_author_hides_is_left_out, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
