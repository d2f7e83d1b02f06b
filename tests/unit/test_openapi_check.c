/* Reading API descriptions, recognizing their version, checking them, and resolving references. */
#include <stdio.h>

#include "arena_fixture.h"
#include "openapi/check.h"
#include "openapi/uri.h"

static const struct value_limits limits = { 1 << 20, 50000, 100 };

/* What value_read() says of a text that it can read. */
static const char *fault;

static const char *
json_of(const char *text)
{
	const char *error = NULL;
	struct value *v = value_read(arena, str_of(text), &limits, &error);
	struct json j;
	struct buf b;

	if (v == NULL)
		return error;
	fault = error;
	buf_init(&b, arena, 2 << 20);
	json_init(&j, &b);
	value_write(&j, v);
	return b.p;
}

static void
json_and_yaml_are_one_tree(void **state)
{
	(void)state;
	assert_string_equal(json_of(" {\"a\":[1,-2.50,1e3,true,false,null],\"b\":{}}"),
	    "{\"a\":[1,-2.50,1e3,true,false,null],\"b\":{}}");
	assert_string_equal(json_of("{\"a\":\"\\u00e9\\n\\ud83d\\ude00\\/\\\\\"}"), "{\"a\":\"\xC3\xA9\\n\xF0\x9F\x98\x80/\\\\\"}");
	assert_string_equal(json_of("a: 9007199254740993\nb: 1.10\nc: 007\nd: .5\n200: '1'\ne: 2020-01-01\n"),
	    "{\"a\":9007199254740993,\"b\":1.10,\"c\":7,\"d\":0.5,\"200\":\"1\",\"e\":\"2020-01-01\"}");
	assert_string_equal(json_of("x: &x {a: 1, b: 2}\ny:\n  <<: *x\n  b: 3\nz:\n  <<: [*x, {c: 4}]\n"),
	    "{\"x\":{\"a\":1,\"b\":2},\"y\":{\"a\":1,\"b\":3},\"z\":{\"a\":1,\"b\":2,\"c\":4}}");
	assert_string_equal(json_of("\xEF\xBB\xBF{\"a\":1}"), "{\"a\":1}");
}

static void
a_repeated_name_is_reported_and_the_last_counts(void **state)
{
	struct buf b;
	int i;

	(void)state;
	assert_string_equal(json_of("{\"a\":1,\"b\":2,\"a\":3}"), "{\"b\":2,\"a\":3}");
	assert_string_equal(fault, "the name \"a\" occurs twice in one map; the last counts");
	assert_string_equal(json_of("a: 1\nb: 1\na: 2\n"), "{\"a\":1,\"b\":1}");
	assert_string_equal(fault, "line 3: a name occurs twice in one map; the first counts");
	assert_string_equal(json_of("{\"a\":1}"), "{\"a\":1}");
	assert_null(fault);
	/* Large enough for an index. */
	buf_init(&b, arena, 10000);
	for (i = 0; i < 60; i++)
		buf_printf(&b, "%s\"k%d\":%d", i == 0 ? "{" : ",", i % 40, i);
	buf_str(&b, "}");
	assert_non_null(strstr(json_of(b.p), "{\"k20\":20,"));
	assert_non_null(strstr(json_of(b.p), "\"k0\":40,"));
	assert_non_null(strstr(fault, "occurs twice"));
}

static void
damage_is_refused(void **state)
{
	(void)state;
	assert_non_null(strstr(json_of("{\"a\":[1,]}"), "byte"));
	assert_non_null(strstr(json_of("a: [1\nb: 2\n"), "line "));
	assert_string_equal(json_of("a: 1\n---\nb: 2\n"), "line 3: a second document begins here");
	assert_string_equal(json_of("---\na: 1\n...\n---\n"), "{\"a\":1}");
}

/* Billion laughs, deep nesting, many values: each is refused because of its expanded size. */
static void
hostile_documents_are_refused(void **state)
{
	struct buf b;
	int i;

	(void)state;
	buf_init(&b, arena, 2 << 20);
	buf_str(&b, "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
	for (i = 1; i < 9; i++)
		buf_printf(&b, "a%d: &a%d [*a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d]\n", i, i,
		    i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
	assert_non_null(strstr(json_of(b.p), "too many values"));
	buf_cut(&b, b.n);
	for (i = 0; i < 101; i++)
		buf_str(&b, "[");
	assert_non_null(strstr(json_of(b.p), "nested deeper than 100 levels"));
	buf_cut(&b, b.n);
	for (i = 0; i < 60000; i++)
		buf_str(&b, i == 0 ? "[0" : ",0");
	buf_str(&b, "]");
	assert_non_null(strstr(json_of(b.p), "more than 50000 values"));
}

/* The faults of a description, at most three lines. */
static const char *
check(const char *text)
{
	struct openapi_input in = { limits, 1, NULL, NULL };
	struct openapi_file file = { .uri = "" };
	enum openapi_version version;
	struct schema_report r;
	struct schema_error *e;
	const char *why = NULL;
	struct buf b;

	file.root = value_read(arena, str_of(text), &limits, &why);
	if (file.root == NULL || (version = openapi_recognise(arena, file.root, &why)) == OPENAPI_NONE)
		return why;
	schema_report_init(&r, arena, 3);
	schema_check(openapi_schema(arena, version), file.root, &r);
	openapi_follow(arena, &file, &in, &r);
	buf_init(&b, arena, 10000);
	buf_str(&b, why != NULL ? why : "");
	for (e = r.first; e != NULL; e = e->next)
		buf_printf(&b, "%s%s: %s", b.n > 0 ? "; " : "", e->pointer, e->message);
	return b.p;
}

#define INFO "info: {title: T, version: '1'}\n"

static void
versions_are_recognised(void **state)
{
	(void)state;
	assert_string_equal(check("swagger: '2.0'\n" INFO "paths: {}\n"), "");
	assert_string_equal(check("openapi: 3.0.3\n" INFO "paths: {}\n"), "");
	assert_string_equal(check("openapi: 3.1.0\n" INFO "webhooks: {}\n"), "");
	assert_string_equal(check("openapi: 3.2.0\n" INFO "$self: https://x.example/a\nservers: [{url: /, name: n}]\n"
	    "tags: [{name: a, summary: A, parent: b, kind: nav}]\npaths: {/a: {query: {responses: {'200': {summary: s}}}, "
	    "additionalOperations: {COPY: {parameters: [{name: q, in: querystring, content: {a/b: {$ref: "
	    "'#/components/mediaTypes/M'}}}], responses: {'200': {description: d, content: {a/b: {itemSchema: {}, examples: {x: "
	    "{dataValue: 1, serializedValue: '1'}}}}}}}}}}\ncomponents: {mediaTypes: {M: {schema: {}}}, securitySchemes: {o: {type: "
	    "oauth2, deprecated: true, oauth2MetadataUrl: u, flows: {deviceAuthorization: {deviceAuthorizationUrl: u, tokenUrl: u, "
	    "scopes: {}}}}}}\n"), "");
	assert_non_null(strstr(check("openapi: 3.2.0\n" INFO "paths: {/a: {additionalOperations: {'x y': {}}}}\n"),
	    "/paths/~1a/additionalOperations"));
	assert_string_equal(check("swagger: 2.0\n" INFO "paths: {}\n"), "/swagger: must be a string, not a number");
	assert_string_equal(check("openapi: 3.1\n" INFO "paths: {}\n"), "/openapi: must be a string, not a number");
	assert_non_null(strstr(check("openapi: 3.7.0\n" INFO "paths: {}\n"), "version 3.7.0 is not known; 2.0, 3.0, 3.1 and 3.2 are, "
	    "and it is read as 3.2"));
	assert_non_null(strstr(check("openapi: 3\n" INFO "paths: {}\n"), "version 3 is not known"));
	assert_non_null(strstr(check(INFO "paths: {}\n"), "names the version"));
	assert_non_null(strstr(check("swagger: '2'\n" INFO "paths: {}\n"), "read as 2.0"));
	assert_non_null(strstr(check("swagger: '1.2'\n"), "version 1.2 is not known"));
	assert_non_null(strstr(check("openapi: 4.0.0\n"), "version 4.0.0"));
	assert_non_null(strstr(check("- a\n"), "no description of an API"));
	assert_non_null(strstr(check(""), "no description of an API"));
}

static void
faults_are_found_in_each_version(void **state)
{
	(void)state;
	assert_string_equal(check("swagger: '2.0'\n" INFO), ": \"paths\" is missing");
	assert_string_equal(check("swagger: '2.0'\n" INFO "paths: {/a: {get: {responses: {'200': {}}}}}\n"),
	    "/paths/~1a/get/responses/200: \"description\" is missing");
	assert_string_equal(check("openapi: 3.0.0\ninfo: {title: T, version: 1.0}\npaths: {}\n"),
	    "/info/version: must be a string, not a number");
	assert_string_equal(check("openapi: 3.0.0\n" INFO "paths: {/a: {get: {parameters: [{name: x, in: quarry, "
	    "schema: {}}], responses: {'200': {description: d}}}}}\n"),
	    "/paths/~1a/get/parameters/0/in: must be \"query\"");
	assert_string_equal(check("openapi: 3.1.0\n" INFO "paths: {/a: {get: {responses: {}}}}\n"),
	    "/paths/~1a/get/responses: must have at least 1 members");
	assert_string_equal(check("openapi: 3.1.0\n" INFO "components: {schemas: {A: {type: strong}}}\n"),
	    "/components/schemas/A/type: must be one of \"array\", \"boolean\", \"integer\", \"null\", \"number\", "
	    "\"object\", \"string\"");
	assert_string_equal(check("openapi: 3.1.0\n" INFO "paths: {a: {}}\n"), "/paths/a: \"a\" is not known here");
	assert_string_equal(check("openapi: 3.1.0\n" INFO "components: {securitySchemes: {k: {type: apiKey, in: body, "
	    "name: n}}}\n"), "/components/securitySchemes/k/in: must be one of \"query\", \"header\", \"cookie\"");
}

static void
references_are_followed(void **state)
{
	static const char tail[] = "paths: {}\ncomponents: {schemas: {";

	(void)state;
	assert_string_equal(check(arena_printf(arena, "openapi: 3.0.0\n" INFO "%sA: {$ref: '#/components/schemas/B'}, "
	    "B: {type: object, properties: {b: {$ref: '#/components/schemas/B'}}}}}\n", tail)), "");
	assert_string_equal(check(arena_printf(arena, "openapi: 3.0.0\n" INFO
	    "%sA: {$ref: '#/components/schemas/C'}}}\n", tail)),
	    "/components/schemas/A/$ref: leads nowhere: #/components/schemas/C: the document has nothing at that place");
	assert_string_equal(check(arena_printf(arena, "openapi: 3.0.0\n" INFO "%sA: {$ref: '#/components/schemas/B'}, "
	    "B: {$ref: '#/components/schemas/A'}}}\n", tail)),
	    "/components/schemas/B/$ref: leads in a circle of references; "
	    "/components/schemas/A/$ref: leads in a circle of references");
	assert_non_null(strstr(check(arena_printf(arena, "openapi: 3.0.0\n" INFO
	    "%sA: {$ref: 'other.yaml#/A'}}}\n", tail)), "this description has no address"));
}

/* A chain of references that ends is no circle; a chain into a circle is one. */
static void
long_chains_are_told_from_circles(void **state)
{
	enum { LINKS = 2000 };
	const char *text;
	struct buf b;
	int i;

	(void)state;
	buf_init(&b, arena, 1 << 20);
	buf_str(&b, "{\"openapi\":\"3.0.0\",\"info\":{\"title\":\"T\",\"version\":\"1\"},\"paths\":{},"
	    "\"components\":{\"schemas\":{");
	for (i = 0; i < LINKS; i++)
		buf_printf(&b, "\"S%d\":{\"$ref\":\"#/components/schemas/S%d\"},", i, i + 1);
	text = arena_printf(arena, "%s\"S%d\":{\"type\":\"string\"}}}}", b.p, LINKS);
	assert_non_null(strstr(check(text), "leads through more than 100 references"));
	assert_null(strstr(check(text), "circle"));
	text = arena_printf(arena, "%s\"S%d\":{\"$ref\":\"#/components/schemas/S%d\"}}}}", b.p, LINKS, LINKS / 2);
	assert_non_null(strstr(check(text), "leads in a circle of references"));
	assert_null(strstr(check(text), "more than 100"));
}

/* References inside examples and defaults are data; names of properties are no keywords. */
static void
data_is_not_followed(void **state)
{
	(void)state;
	assert_string_equal(check("openapi: 3.0.0\n" INFO "paths: {}\nx-a: {$ref: nowhere}\ncomponents: {schemas: {A: "
	    "{default: {$ref: n}, example: {$ref: n}, enum: [{$ref: n}]}}, examples: {E: {value: {$ref: n}}}}\n"), "");
	assert_non_null(strstr(check("openapi: 3.0.0\n" INFO "paths: {}\ncomponents: {schemas: {A: "
	    "{properties: {example: {$ref: '#/n'}}}}}\n"), "/properties/example/$ref: leads nowhere"));
	assert_non_null(strstr(check("openapi: 3.0.0\n" INFO "paths: {}\ncomponents: {examples: {E: {$ref: '#/n'}}}\n"),
	    "/examples/E/$ref: leads nowhere"));
}

static bool
load(void *ctx, const char *uri, struct str *text, const char **why)
{
	*(int *)ctx += 1;
	if (strcmp(uri, "https://x.example/v1/pet.yaml") == 0)
		*text = str_of("Pet: {type: object, properties: {home: {$ref: 'sub/home.yaml'}}}\n");
	else if (strcmp(uri, "https://x.example/v1/sub/home.yaml") == 0)
		*text = str_of("{\"type\":\"object\",\"properties\":{\"pet\":{\"$ref\":\"../pet.yaml#/Pet\"},"
		    "\"bad\":{\"$ref\":\"../pet.yaml#/No\"}}}");
	else {
		*why = "404";
		return false;
	}
	return true;
}

static void
other_documents_are_read_once(void **state)
{
	struct openapi_file file = { .uri = "https://x.example/v1/api.yaml" };
	int calls = 0;
	struct openapi_input in = { limits, 4, load, &calls };
	struct schema_report r;
	const char *why;
	const struct value *pet, *home;

	(void)state;
	file.root = value_read(arena, str_of("a: {$ref: 'pet.yaml#/Pet'}\nb: {$ref: './pet.yaml#/Pet'}\n"
	    "c: {$ref: gone.yaml}\nd: {$ref: 'gone.yaml#/x'}\n"), &limits, &why);
	schema_report_init(&r, arena, 10);
	openapi_follow(arena, &file, &in, &r);
	assert_int_equal(calls, 3);
	pet = openapi_deref(value_get(file.root, "a"));
	assert_ptr_equal(pet, openapi_deref(value_get(file.root, "b")));
	home = openapi_deref(value_get(value_get(pet, "properties"), "home"));
	assert_ptr_equal(openapi_deref(value_get(value_get(home, "properties"), "pet")), pet);
	assert_int_equal(r.count, 3);
	assert_string_equal(r.first->pointer, "/c/$ref");
	assert_string_equal(r.first->next->next->pointer,
	    "https://x.example/v1/sub/home.yaml#/properties/bad/$ref");
}

/* RFC 3986, section 5.4. */
static void
references_are_joined(void **state)
{
	static const char *const cases[][2] = { { "g", "http://a/b/c/g" }, { "./g", "http://a/b/c/g" },
		{ "g/", "http://a/b/c/g/" }, { "/g", "http://a/g" }, { "//g", "http://g" }, { "?y", "http://a/b/c/d;p?y" },
		{ "g?y", "http://a/b/c/g?y" }, { "#s", "http://a/b/c/d;p?q#s" }, { "g#s", "http://a/b/c/g#s" },
		{ "", "http://a/b/c/d;p?q" }, { ".", "http://a/b/c/" }, { "..", "http://a/b/" },
		{ "../g", "http://a/b/g" }, { "../..", "http://a/" }, { "../../../g", "http://a/g" },
		{ "/./g", "http://a/g" }, { "g.", "http://a/b/c/g." }, { "./g/.", "http://a/b/c/g/" },
		{ "g/../h", "http://a/b/c/h" }, { "http:g", "http:g" }, { "mailto:x@y", "mailto:x@y" } };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(uri_join(arena, "http://a/b/c/d;p?q", str_of(cases[i][0])), cases[i][1]);
	/* A base without a leading slash gives a path without one (RFC 3986, section 5.2.4, step A). */
	assert_string_equal(uri_join(arena, "", str_of("./g")), "g");
	assert_string_equal(uri_join(arena, "", str_of("../g")), "g");
	assert_string_equal(uri_join(arena, "a.yaml", str_of("./g")), "g");
	assert_string_equal(uri_join(arena, "b/a.yaml", str_of("../g")), "g");
	assert_string_equal(uri_join(arena, "b/a.yaml", str_of("../../g/./h")), "g/h");
	assert_string_equal(uri_join(arena, "b/c/a.yaml", str_of("../g")), "b/g");
	assert_string_equal(uri_join(arena, "b/a.yaml", str_of("..")), "");
}

/* The limits apply to all documents together, including the first. */
static void
documents_share_their_limits(void **state)
{
	static const char text[] = "a: {$ref: 'pet.yaml#/Pet'}\n";
	struct openapi_file file = { .uri = "https://x.example/v1/api.yaml" };
	struct openapi_input in = { limits, 4, load, NULL };
	struct schema_report r;
	size_t i, found[] = { 1, 0 };
	const char *why;
	int calls = 0;

	(void)state;
	in.ctx = &calls;
	for (i = 0; i < 2; i++) {
		file.next = NULL;
		file.root = value_read(arena, str_of(text), &limits, &why);
		assert_int_equal(value_count(file.root), 3);
		/* The referenced document has six values: in the first round they exceed the limit. */
		in.limits.values = 3 + 5 + i;
		schema_report_init(&r, arena, 10);
		openapi_follow(arena, &file, &in, &r);
		assert_int_equal(value_at(file.root, STR("/a/$ref"), arena)->first == NULL, found[i]);
		assert_int_equal(r.count, 1);
	}
}

/* A YAML merge includes what the merged mapping itself merges; the nearer value wins. */
static void
merges_of_merges_are_followed(void **state)
{
	(void)state;
	assert_string_equal(json_of("a: &a {x: 1, y: 1}\nb: &b {<<: *a, y: 2}\nc: {<<: *b, z: 3}\n"),
	    "{\"a\":{\"x\":1,\"y\":1},\"b\":{\"x\":1,\"y\":2},\"c\":{\"y\":2,\"x\":1,\"z\":3}}");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(json_and_yaml_are_one_tree, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_repeated_name_is_reported_and_the_last_counts, set_up, tear_down),
		cmocka_unit_test_setup_teardown(damage_is_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(hostile_documents_are_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(versions_are_recognised, set_up, tear_down),
		cmocka_unit_test_setup_teardown(faults_are_found_in_each_version, set_up, tear_down),
		cmocka_unit_test_setup_teardown(references_are_followed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(long_chains_are_told_from_circles, set_up, tear_down),
		cmocka_unit_test_setup_teardown(data_is_not_followed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(other_documents_are_read_once, set_up, tear_down),
		cmocka_unit_test_setup_teardown(references_are_joined, set_up, tear_down),
		cmocka_unit_test_setup_teardown(documents_share_their_limits, set_up, tear_down),
		cmocka_unit_test_setup_teardown(merges_of_merges_are_followed, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
