/* YAML to JSON: types, limits, hostile input. */
#include "arena_fixture.h"
#include "base/yaml.h"

static const char *
json_of(const char *yaml)
{
	const char *error = NULL;
	size_t line = 0;
	struct buf b;

	buf_init(&b, arena, 32 << 20);
	if (!yaml_to_json(arena, str_of(yaml), &b, &error, &line)) {
		assert_int_equal(b.n, 0);
		return arena_printf(arena, "%zu: %s", line, error);
	}
	return b.p;
}

static void
types_follow_the_core_schema(void **state)
{
	(void)state;
	assert_string_equal(json_of(""), "null");
	assert_string_equal(json_of("---\n"), "null");
	assert_string_equal(json_of("a: 1\nb: -2.5\nc: 1e3\nd: 007\n"), "{\"a\":1,\"b\":-2.5,\"c\":1000,\"d\":7}");
	assert_string_equal(json_of("a: true\nb: 'true'\nc: yes\nd: ~\ne:\nf: null\n"),
	    "{\"a\":true,\"b\":\"true\",\"c\":\"yes\",\"d\":null,\"e\":null,\"f\":null}");
	assert_string_equal(json_of("d: 2024-01-31\nx: 0x10\ni: .inf\nv: 1.2.3\np: '1'\n"),
	    "{\"d\":\"2024-01-31\",\"x\":\"0x10\",\"i\":\".inf\",\"v\":\"1.2.3\",\"p\":\"1\"}");
	assert_string_equal(json_of("- a\n- [b, {c: d}]\n- >-\n  e\n  f\n"), "[\"a\",[\"b\",{\"c\":\"d\"}],\"e f\"]");
	assert_string_equal(json_of("a: \"x\\0y\"\n"), "{\"a\":\"x\xEF\xBF\xBDy\"}");
	assert_string_equal(json_of("a: 1\n---\nb: 2\n"), "{\"a\":1}");
	assert_string_equal(json_of("\xEF\xBB\xBF" "a: 1\r\nb: 2\r\n"), "{\"a\":1,\"b\":2}");
}

/* YAML 1.2.2 section 7.1: a key is a node like any other. */
static void
anchors_of_keys(void **state)
{
	(void)state;
	assert_string_equal(json_of("&a key: 1\nb: *a\n"), "{\"key\":1,\"b\":\"key\"}");
	assert_string_equal(json_of("&a 7: x\nb: *a\n? *a\n: y\n"), "{\"7\":\"x\",\"b\":7}");
	assert_string_equal(json_of("&a '7': x\nb: *a\n"), "{\"7\":\"x\",\"b\":\"7\"}");
}

static void
first_of_duplicate_keys_counts(void **state)
{
	const char *error;
	size_t line, repeated = 0;
	struct yaml *root;

	(void)state;
	assert_true(yaml_parse(arena, str_of("a: 1\nb: 2\na: 3\n"), &yaml_limits_settings, &root, &repeated, &error, &line));
	assert_string_equal(yaml_text(yaml_get(root, "a")), "1");
	assert_int_equal(repeated, 3);
	assert_string_equal(json_of("a: 1\na: {b: 1, b: 2}\n"), "{\"a\":1}");
}

static void
damage_is_reported_with_its_line(void **state)
{
	(void)state;
	assert_non_null(strstr(json_of("a: 1\nb: c: d\n"), "2: "));
	assert_non_null(strstr(json_of("a: >-\n  x\n\ty: [\n"), ": "));
	assert_non_null(strstr(json_of("a: 1\nb: \xFF\n"), ": "));
	assert_non_null(strstr(json_of("{a: 1, [b]: 2}"), "key"));
	assert_non_null(strstr(json_of("a: *x\n"), "alias"));
	assert_non_null(strstr(json_of("a: &x [*x]\n"), "alias inside"));
	assert_non_null(strstr(json_of("x: {{ jinja }}\n"), "key"));
}

static void
aliases_work_and_pay(void **state)
{
	const char *text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
	struct buf b;
	size_t i, k;

	(void)state;
	assert_string_equal(json_of("a: &x {b: [1, c]}\nd: *x\n"),
	    "{\"a\":{\"b\":[1,\"c\"]},\"d\":{\"b\":[1,\"c\"]}}");
	assert_string_equal(json_of("a: &x k\n*x : v\n"), "{\"a\":\"k\",\"k\":\"v\"}");
	/* Billion laughs. */
	buf_init(&b, arena, 1 << 20);
	buf_str(&b, text);
	for (i = 1; i < 10; i++) {
		buf_printf(&b, "a%zu: &a%zu [", i, i);
		for (k = 0; k < 10; k++)
			buf_printf(&b, "*a%zu%s", i - 1, k < 9 ? ", " : "]\n");
	}
	assert_non_null(strstr(json_of(b.p), "too many values"));
	/* One long text, repeated many times by aliases. */
	buf_cut(&b, b.n);
	buf_str(&b, "- &a ");
	for (i = 0; i < 500000; i++)
		buf_char(&b, 'x');
	for (i = 0; i < 1000; i++)
		buf_str(&b, "\n- *a");
	assert_non_null(strstr(json_of(b.p), "too many values"));
}

/* Depth that results from aliases must not exceed the limit of the JSON writer. */
static void
depth_is_limited_through_aliases(void **state)
{
	struct buf b;
	size_t i, k;

	(void)state;
	buf_init(&b, arena, 1 << 20);
	buf_str(&b, "a0: &a0 x\n");
	for (i = 1; i <= 20; i++) {
		buf_printf(&b, "a%zu: &a%zu ", i, i);
		for (k = 0; k < 40; k++)
			buf_char(&b, '[');
		buf_printf(&b, "*a%zu", i - 1);
		for (k = 0; k < 40; k++)
			buf_char(&b, ']');
		buf_char(&b, '\n');
	}
	assert_non_null(strstr(json_of(b.p), "too deeply"));
}

static const char *
many(const char *what, size_t n)
{
	struct buf b;

	buf_init(&b, arena, n * strlen(what));
	while (n-- > 0)
		buf_str(&b, what);
	return b.p;
}

static void
hostile_input_ends_soon(void **state)
{
	clock_t start = clock();

	(void)state;
	json_of(many("[", 1 << 20));
	json_of(many("{a: ", 1 << 18));
	json_of(many("- ", 1 << 19));
	json_of(many("? ", 1 << 19));
	json_of(many("a: &a b\n", 1 << 17));
	json_of(many("- &a b\n", 1 << 17));
	json_of(many("[a,", 1 << 18));
	json_of(many("\"", 1 << 20));
	json_of(many("!", 1 << 20));
	json_of(many("\xFF", 1 << 20));
	assert_non_null(strstr(json_of(many("a", (1 << 20) + 1)), "too large"));
	assert_true((clock() - start) / CLOCKS_PER_SEC < 10);
}

static void
values_are_asked_for_by_type(void **state)
{
	const char *error;
	struct yaml *root;
	size_t line;
	double n = 0;
	bool t = false;

	(void)state;
	assert_true(yaml_parse(arena, str_of("a: 'true'\nb: -126.29255898366611\nc: [x]\nd: ''\ne: 1e999\n"
	    "f: '-'\ng: 1e\nh: e1\n"), &yaml_limits_settings, &root, NULL, &error, &line));
	assert_true(yaml_bool(yaml_get(root, "a"), &t) && t);
	assert_true(yaml_number(yaml_get(root, "b"), &n) && n < -126.29 && n > -126.30);
	assert_false(yaml_number(yaml_get(root, "c"), &n));
	assert_false(yaml_number(yaml_get(root, "e"), &n));
	assert_false(yaml_number(yaml_get(root, "f"), &n));
	assert_false(yaml_number(yaml_get(root, "g"), &n));
	assert_false(yaml_number(yaml_get(root, "h"), &n));
	assert_null(yaml_text(yaml_get(root, "c")));
	assert_string_equal(yaml_text(yaml_get(root, "d")), "");
	assert_null(yaml_get(root, "none"));
	assert_null(yaml_get(yaml_get(root, "a"), "x"));
	assert_int_equal(yaml_get(root, "c")->line, 3);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(types_follow_the_core_schema, set_up, tear_down),
		cmocka_unit_test_setup_teardown(anchors_of_keys, set_up, tear_down),
		cmocka_unit_test_setup_teardown(first_of_duplicate_keys_counts, set_up, tear_down),
		cmocka_unit_test_setup_teardown(damage_is_reported_with_its_line, set_up, tear_down),
		cmocka_unit_test_setup_teardown(aliases_work_and_pay, set_up, tear_down),
		cmocka_unit_test_setup_teardown(depth_is_limited_through_aliases, set_up, tear_down),
		cmocka_unit_test_setup_teardown(hostile_input_ends_soon, set_up, tear_down),
		cmocka_unit_test_setup_teardown(values_are_asked_for_by_type, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
