/* The tools of the readers (src/arrive): settings that are JavaScript, CSV, front matter, lines. */
#include "arena_fixture.h"

#include "../../src/arrive/blocks.h"
#include "../../src/arrive/csv.h"
#include "../../src/arrive/js.h"
#include "base/json.h"

/* What a file of JavaScript exports, as JSON; "none". */
static const char *
js(const char *text)
{
	struct js_skipped skipped;
	struct yaml *y = js_read(arena, str_of(text), &skipped);
	struct json j;
	struct buf b;

	if (y == NULL)
		return "none";
	buf_init(&b, arena, 64 << 20);
	json_init(&j, &b);
	yaml_json(&j, y);
	return b.p;
}

static void
js_is_read_as_data(void **state)
{
	(void)state;
	assert_string_equal(js("module.exports = {a: 'x', \"b\": [1, true, null, `t`], c: {d: \"e\"},};"),
	    "{\"a\":\"x\",\"b\":[1,true,null,\"t\"],\"c\":{\"d\":\"e\"}}");
	assert_string_equal(js("// a\nconst x: T = {y: 1} as const;\n/* b */ export default x satisfies T"), "{\"y\":1}");
	assert_string_equal(js("const more = ['m']; module.exports = [...more, 'n', ...gone];"), "[\"m\",\"n\"]");
	assert_string_equal(js("export const l = {a: 1}\nexport default defineConfig({l, p: require.resolve('./p')})"),
	    "{\"l\":{\"a\":1},\"p\":\"./p\"}");
	assert_string_equal(js("{\"json\": [\"\\\"q\\\"\"]}"), "{\"json\":[\"\\\"q\\\"\"]}");
	assert_string_equal(js("export default async function f() { if (x) { return 1; } return {t: 'T'}; }"), "{\"t\":\"T\"}");
	assert_string_equal(js("module.exports = {p: [['x', ({docs: {path: '../d'}})]]}"), "{\"p\":[[\"x\",{\"docs\":{\"path\":\"../d\"}}]]}");
}

static void
programs_have_no_value(void **state)
{
	(void)state;
	assert_string_equal(js("module.exports = {a: f(1, 2), b: x ? 1 : 2, c: `a${b}`, d() { return 1 }, e: () => ({q: 1}), g: 'stays'}"),
	    "{\"g\":\"stays\"}");
	assert_string_equal(js("console.log('only')"), "none");
	assert_string_equal(js(""), "none");
	assert_string_equal(js("const a = a; module.exports = {a, b: 'c'}"), "{\"b\":\"c\"}");
}

static void
hostile_js_ends(void **state)
{
	struct js_skipped skipped;
	size_t n = 100000, i;
	char *s = arena_alloc(arena, n + 1);
	static const char *const pieces[] = { "module.exports = ", "{", "[", "(", "'", "`${", "a:", "...", "const x=", "/*", "//\n", "=>", "," };

	(void)state;
	memset(s, '[', n);
	js_read(arena, (struct str){ s, n }, &skipped);
	for (i = 0; i < 3000; i++) {
		struct buf b;
		size_t k, seed = i * 2654435761u;
		buf_init(&b, arena, 4096);
		for (k = 0; k < 12; k++, seed = seed * 1103515245u + 12345u)
			buf_str(&b, pieces[(seed >> 16) % (sizeof(pieces) / sizeof(pieces[0]))]);
		js_read(arena, buf_view(&b), &skipped);
	}
}

static void
csv_is_a_table(void **state)
{
	struct text t = { .arena = arena };

	(void)state;
	assert_int_equal(csv_table(&t, str_of("A,B\r\n\"x, \"\"y\"\"\nz\",|\nlone\n"), NULL, NULL), 2);
	assert_string_equal(text_bytes(arena, &t).p, "| A | B |\n| --- | --- |\n| x, \"y\"<br>z | \\| |\n| lone | |\n");
	t = (struct text){ .arena = arena };
	assert_int_equal(csv_table(&t, str_of("\"never closed"), NULL, NULL), 0);
}

static void
front_matter_of_both_kinds(void **state)
{
	struct front f;

	(void)state;
	front_read(arena, str_of("---\ntitle: \"T\"\n---\nText"), &f);
	assert_string_equal(yaml_text(yaml_get(f.root, "title")), "T");
	assert_int_equal(f.lines, 3);
	front_read(arena, str_of("+++\ntitle = \"T\"\nweight = 3\nlist = [\"a\", \"b\"]\n[params]\nx = \"y\"\n+++\nText"), &f);
	assert_string_equal(yaml_text(yaml_get(f.root, "title")), "T");
	assert_string_equal(yaml_text(yaml_get(yaml_get(f.root, "params"), "x")), "y");
	assert_int_equal(yaml_get(f.root, "list")->kind, YAML_LIST);
	/* Text between two dividers, and a line that is never closed. */
	front_read(arena, str_of("---\nOnly text\n---\n"), &f);
	assert_null(f.root);
	front_read(arena, str_of("---\ntitle: x\n"), &f);
	assert_int_equal(f.bytes, 0);
}

static void
fences_are_followed(void **state)
{
	struct fence f = { 0 };

	(void)state;
	assert_false(fence_step(&f, STR("text")));
	assert_true(fence_step(&f, STR("  ~~~~ js")));
	assert_true(fence_step(&f, STR("~~~")));
	assert_true(fence_step(&f, STR("```")));
	assert_true(fence_step(&f, STR("~~~~~")));
	assert_false(fence_step(&f, STR("text")));
	assert_false(fence_step(&f, STR("```a`b")));
}

static void
attributes_are_found(void **state)
{
	struct str s = STR(" .x title=\"A b\" width=300 data-width='9' }");

	(void)state;
	assert_true(str_is(attribute(s, "title"), "A b"));
	assert_true(str_is(attribute(s, "width"), "300"));
	assert_null(attribute(s, "height").p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(js_is_read_as_data, set_up, tear_down),
		cmocka_unit_test_setup_teardown(programs_have_no_value, set_up, tear_down),
		cmocka_unit_test_setup_teardown(hostile_js_ends, set_up, tear_down),
		cmocka_unit_test_setup_teardown(csv_is_a_table, set_up, tear_down),
		cmocka_unit_test_setup_teardown(front_matter_of_both_kinds, set_up, tear_down),
		cmocka_unit_test_setup_teardown(fences_are_followed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(attributes_are_found, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
