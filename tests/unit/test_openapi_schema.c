/*
 * The JSON Schema module against draft 4 of the official test suite (Debian's
 * json-schema-test-suite, without two optional files: format asserts nothing here, and patterns are
 * PCRE's, which has the anchor \Z that ECMA 262 lacks), and its error messages for values that do
 * not match.
 */
#include <dirent.h>
#include <stdio.h>

#include "arena_fixture.h"
#include "openapi/schema.h"

#define SUITE "/usr/share/json-schema-test-suite"

static const struct value_limits limits = { 1 << 20, 100000, 100 };

static struct value *
value_of(const char *text)
{
	const char *error = NULL;
	struct value *v = value_read(arena, str_of(text), &limits, &error);

	if (v == NULL)
		fail_msg("%s", error);
	return v;
}

static struct value *
file_value(const char *path)
{
	FILE *f = fopen(path, "r");
	char *text = arena_alloc(arena, 1 << 20);
	size_t n;

	if (f == NULL)
		fail_msg("%s is missing", path);
	n = fread(text, 1, (1 << 20) - 1, f);
	fclose(f);
	text[n] = '\0';
	return value_of(text);
}

/* Documents that the suite's schemas refer to: its own remote documents, and the meta-schema of draft 4. */
static const char meta[] =
    "{\"id\":\"http://json-schema.org/draft-04/schema#\",\"type\":\"object\","
    "\"definitions\":{\"positiveInteger\":{\"type\":\"integer\",\"minimum\":0},"
    "\"schemaArray\":{\"type\":\"array\",\"minItems\":1,\"items\":{\"$ref\":\"#\"}}},"
    "\"properties\":{\"minLength\":{\"$ref\":\"#/definitions/positiveInteger\"},"
    "\"maxLength\":{\"$ref\":\"#/definitions/positiveInteger\"},"
    "\"definitions\":{\"additionalProperties\":{\"$ref\":\"#\"}},"
    "\"properties\":{\"additionalProperties\":{\"$ref\":\"#\"}},"
    "\"type\":{\"anyOf\":[{\"enum\":[\"array\",\"boolean\",\"integer\",\"null\",\"number\","
    "\"object\",\"string\"]},{\"type\":\"array\"}]},\"allOf\":{\"$ref\":\"#/definitions/schemaArray\"}}}";

static void
add_remotes(struct schema_set *set)
{
	static const char *const names[] = { "integer.json", "subSchemas.json", "name.json",
		"folder/folderInteger.json" };
	char uri[200], path[200];
	size_t i;

	schema_set_add(set, "http://json-schema.org/draft-04/schema", value_of(meta));
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(path, sizeof(path), SUITE "/remotes/%s", names[i]);
		snprintf(uri, sizeof(uri), "http://localhost:1234/%s", names[i]);
		schema_set_add(set, uri, file_value(path));
	}
}

static size_t
run_group(const char *file, const struct value *group)
{
	struct schema_set *set = schema_set_new(arena);
	const struct schema *s;
	const struct value *test;
	const char *why;
	size_t n = 0;
	bool wanted;

	add_remotes(set);
	schema_set_add(set, "test:", value_get(group, "schema"));
	if ((s = schema_find(set, "test:", &why)) == NULL)
		fail_msg("%s: %s: %s", file, value_dup(arena, group, "description"), why);
	for (test = value_first(value_get(group, "tests")); test != NULL; test = test->next, n++) {
		wanted = value_is(value_get(test, "valid"), VALUE_TRUE);
		if (schema_check(s, value_get(test, "data"), NULL) != wanted)
			fail_msg("%s: %s: %s", file, value_dup(arena, group, "description"),
			    value_dup(arena, test, "description"));
	}
	return n;
}

static size_t
run_folder(const char *folder)
{
	DIR *d = opendir(folder);
	struct dirent *e;
	const struct value *group;
	size_t n = 0;
	char path[600];

	if (d == NULL)
		fail_msg("%s is missing: install json-schema-test-suite", folder);
	while ((e = readdir(d)) != NULL) {
		if (strstr(e->d_name, ".json") == NULL || strcmp(e->d_name, "format.json") == 0 ||
		    strcmp(e->d_name, "ecmascript-regex.json") == 0)
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder, e->d_name);
		for (group = value_first(file_value(path)); group != NULL; group = group->next)
			n += run_group(e->d_name, group);
	}
	closedir(d);
	return n;
}

static void
draft_4_of_the_suite(void **state)
{
	(void)state;
	assert_true(run_folder(SUITE "/tests/draft4") > 200);
	assert_true(run_folder(SUITE "/tests/draft4/optional") > 3);
}

static const char *
errors_of(const char *schema, const char *value)
{
	struct schema_set *set = schema_set_new(arena);
	struct schema_report r;
	struct schema_error *e;
	const char *why;
	struct buf b;

	schema_set_add(set, "test:", value_of(schema));
	schema_report_init(&r, arena, 3);
	buf_init(&b, arena, 10000);
	buf_str(&b, "");
	if (!schema_check(schema_find(set, "test:", &why), value_of(value), &r))
		buf_printf(&b, "%zu", r.count);
	for (e = r.first; e != NULL; e = e->next)
		buf_printf(&b, "|%s %s", e->pointer, e->message);
	return b.p;
}

static void
faults_are_told_with_their_place(void **state)
{
	(void)state;
	assert_string_equal(errors_of("{}", "{\"a\":1}"), "");
	assert_string_equal(errors_of("{\"type\":\"object\",\"required\":[\"a\",\"b\"]}", "{\"a\":1}"), "1| \"b\" is missing");
	assert_string_equal(errors_of("{\"properties\":{\"a/b\":{\"items\":{\"type\":[\"string\",\"null\"]}}}}",
	    "{\"a/b\":[\"x\",null,3]}"), "1|/a~1b/2 must be a string or null, not a number");
	assert_string_equal(errors_of("{\"additionalProperties\":false,\"patternProperties\":{\"^x-\":{}}}",
	    "{\"x-y\":1,\"z\":2}"), "1|/z \"z\" is not known here");
	assert_string_equal(errors_of("{\"enum\":[\"a\",1]}", "\"b\""), "1| must be one of \"a\", 1");
	assert_string_equal(errors_of("{\"items\":{\"minimum\":2}}", "[1,1,1,1,1]"),
	    "5|/0 must be at least 2|/1 must be at least 2|/2 must be at least 2");
	assert_string_equal(errors_of("{\"pattern\":\"^a+$\"}", "\"ab\""), "1| \"ab\" does not match ^a+$");
}

/* The error is about the branch that comes closest to matching. */
static void
of_several_forms_the_closest_is_explained(void **state)
{
	static const char schema[] = "{\"oneOf\":[{\"required\":[\"$ref\"]},"
	    "{\"required\":[\"name\"],\"properties\":{\"in\":{\"enum\":[\"query\"]}}}]}";

	(void)state;
	assert_string_equal(errors_of(schema, "{\"name\":1,\"in\":\"quarry\"}"), "1|/in must be \"query\"");
	assert_string_equal(errors_of(schema, "{\"name\":1,\"$ref\":1}"),
	    "1| has more than one of the forms that exclude each other");
}

static void
bad_schemas_are_refused(void **state)
{
	static const char *const bad[] = { "{\"type\":\"text\"}", "{\"$ref\":\"#/nowhere\"}", "{\"pattern\":\"(\"}",
		"{\"allOf\":{}}", "{\"maxLength\":-1}", "{\"items\":[1]}", "{\"not\":{\"enum\":1}}" };
	struct schema_set *set;
	const char *why;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		set = schema_set_new(arena);
		schema_set_add(set, "test:", value_of(bad[i]));
		assert_null(schema_find(set, "test:", &why));
		assert_non_null(why);
	}
	set = schema_set_new(arena);
	schema_set_add(set, "test:", value_of("{\"properties\":{\"a\":{\"deprecated\":true}}}"));
	assert_non_null(schema_find(set, "test:", &why));
	assert_string_equal(schema_unknown(set), "deprecated");
}

/* A list of 10^5 different items is compared by hash, and circular references end. */
static void
hostile_input_ends(void **state)
{
	struct schema_set *set = schema_set_new(arena);
	struct buf b;
	const char *why;
	int i;

	(void)state;
	buf_init(&b, arena, 1 << 20);
	for (i = 0; i < 90000; i++)
		buf_printf(&b, "%c%d", i == 0 ? '[' : ',', i);
	buf_char(&b, ']');
	assert_string_equal(errors_of("{\"uniqueItems\":true}", b.p), "");
	schema_set_add(set, "a:", value_of("{\"$ref\":\"b:\"}"));
	schema_set_add(set, "b:", value_of("{\"$ref\":\"a:\"}"));
	assert_true(schema_check(schema_find(set, "a:", &why), value_of("1"), NULL));
	schema_set_add(set, "c:", value_of("{\"allOf\":[{\"$ref\":\"c:\"}]}"));
	assert_false(schema_check(schema_find(set, "c:", &why), value_of("1"), NULL));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(draft_4_of_the_suite, set_up, tear_down),
		cmocka_unit_test_setup_teardown(faults_are_told_with_their_place, set_up, tear_down),
		cmocka_unit_test_setup_teardown(of_several_forms_the_closest_is_explained, set_up, tear_down),
		cmocka_unit_test_setup_teardown(bad_schemas_are_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(hostile_input_ends, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
