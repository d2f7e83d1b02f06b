/* The visible part of a table, whatever its JSON contains. */
#include "arena_fixture.h"

#include <cjson/cJSON.h>

#include "base/json.h"
#include "render/table.h"

static struct table t;

static void
read(const char *data, const char *fragments)
{
	json_arena(arena);
	table_read(&t, arena, cJSON_Parse(arena_printf(arena, "{\"data\":{%s},\"fragments\":[%s]}", data, fragments)));
}

#define COLUMNS "\"view\":{\"columns\":[\"a\",\"gone\",7,\"c\",\"b\"]},\"definition\":{\"a\":{\"type\":\"text\",\"title\":\"A\"}," \
	"\"b\":{\"type\":\"number\",\"textAlignment\":\"left\"},\"c\":{\"textAlignment\":\"center\"},\"hidden\":{\"type\":\"text\"}}"
#define RECORDS "\"records\":{\"two\":{\"orderIndex\":\"b\",\"values\":{\"a\":\"words\"}},\"one\":{\"orderIndex\":\"a\"},\"three\":" \
	"{\"orderIndex\":\"c\",\"values\":{\"b\":3}}}"
#define MERGE(record, column, rows, columns) "{\"anchor\":{\"record\":\"" record "\",\"column\":\"" column "\"},\"rowSpan\":" rows \
	",\"colSpan\":" columns "}"

static void
columns_are_those_of_the_view_that_are_defined(void **state)
{
	(void)state;
	read(COLUMNS "," RECORDS, "");
	assert_int_equal(t.column_count, 3);
	assert_string_equal(t.columns[0].id, "a");
	assert_string_equal(t.columns[0].title, "A");
	assert_string_equal(t.columns[1].id, "c");
	assert_string_equal(t.columns[1].type, "");
	assert_int_equal(t.columns[1].align, TABLE_CENTER);
	/* Numbers are aligned right, whatever the JSON says. */
	assert_int_equal(t.columns[2].align, TABLE_END);
	assert_true(t.head);
	assert_false(t.cards);
}

static void
records_are_in_order_and_cells_hold_fragments(void **state)
{
	(void)state;
	read(COLUMNS "," RECORDS, "{\"fragment\":\"words\",\"nodes\":[]},{\"type\":\"no name\"}");
	assert_int_equal(t.record_count, 3);
	assert_string_equal(t.records[0]->string, "one");
	assert_string_equal(t.records[2]->string, "three");
	assert_null(table_value(&t, 0, &t.columns[0]));
	assert_non_null(table_fragment(&t, table_value(&t, 1, &t.columns[0])));
	assert_null(table_fragment(&t, table_value(&t, 2, &t.columns[2])));
	assert_int_equal(table_value(&t, 2, &t.columns[2])->valueint, 3);
}

/* The spans of all cells, row by row: "RC" with rows and columns, "^" and "<" for covered cells. */
static const char *
spans(void)
{
	struct table_span s;
	struct buf b;
	size_t i, k;

	buf_init(&b, arena, 1000);
	for (i = 0; i < t.record_count; i++)
		for (k = 0; k < t.column_count; k++) {
			s = table_span(&t, i, k);
			if (s.rows > 0)
				buf_printf(&b, "%zu%zu ", s.rows, s.columns);
			else
				buf_printf(&b, "%s%s ", s.above ? "^" : "", s.left ? "<" : "");
		}
	return b.n > 0 ? b.p : "";
}

static void
merged_areas_cover_cells_and_end_with_the_table(void **state)
{
	static const struct { const char *merges, *spans; } rows[] = {
		{ "", "11 11 11 11 11 11 11 11 11 " },
		{ MERGE("one", "a", "2", "2"), "22 < 11 ^ ^< 11 11 11 11 " },
		{ MERGE("one", "a", "2", "1"), "21 11 11 ^ 11 11 11 11 11 " },
		{ MERGE("two", "c", "1e9", "1e9"), "11 11 11 11 22 < 11 ^ ^< " },
		{ MERGE("three", "a", "-1", "0"), "11 11 11 11 11 11 11 11 11 " },
		{ MERGE("nobody", "a", "2", "2") "," MERGE("one", "gone", "2", "2") ",{},7", "11 11 11 11 11 11 11 11 11 " },
		{ MERGE("one", "a", "3", "3") "," MERGE("two", "c", "2", "2"), "33 < < ^ ^< ^< ^ ^< ^< " },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		read(arena_printf(arena, COLUMNS "," RECORDS ",\"cellMerges\":[%s]", rows[i].merges), "");
		assert_string_equal(spans(), rows[i].spans);
	}
}

static void
cards_images_and_options(void **state)
{
	static const char *const images[] = { "{\"ref\":{\"file\":\"f\"}}", "{\"file\":\"f\"}", "[\"f\",\"g\"]" };
	static const char *const no_images[] = { "7", "[]", "[7]", "\"f\"", "null" };
	size_t i;

	(void)state;
	read("\"view\":{\"type\":\"cards\",\"cardSize\":\"large\",\"hideHeader\":true,\"coverDefinition\":\"a\",\"columns\":[\"s\"]},"
	    "\"definition\":{\"s\":{\"type\":\"select\",\"options\":[{\"value\":\"x\",\"label\":\"Ex\"},{\"value\":\"y\"}]}}," RECORDS, "");
	assert_true(t.cards && t.large && !t.head);
	assert_string_equal(table_card_part(&t, 1, "coverDefinition")->valuestring, "words");
	assert_null(table_card_part(&t, 0, "coverDefinition"));
	assert_null(table_card_part(&t, 1, "targetDefinition"));
	assert_string_equal(table_option(&t.columns[0], "x"), "Ex");
	assert_string_equal(table_option(&t.columns[0], "y"), "y");
	assert_string_equal(table_option(&t.columns[0], "z"), "z");
	for (i = 0; i < sizeof(images) / sizeof(images[0]); i++)
		assert_string_equal(cJSON_GetObjectItem(table_image(cJSON_Parse(images[i])), "file")->valuestring, "f");
	for (i = 0; i < sizeof(no_images) / sizeof(no_images[0]); i++)
		assert_null(table_image(cJSON_Parse(no_images[i])));
	assert_null(table_image(NULL));
}

static void
anything_else_is_a_table_without_cells(void **state)
{
	static const char *const all[] = { "", "\"view\":7,\"records\":[1,\"x\",{}]", "\"view\":{\"columns\":{}},\"definition\":[]",
		"\"view\":{\"columns\":[\"a\"]},\"definition\":{\"b\":1},\"records\":\"x\",\"cellMerges\":[" MERGE("a", "a", "2", "2") "]" };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		read(all[i], "7,{}");
		assert_int_equal(t.column_count, 0);
	}
	table_read(&t, arena, NULL);
	assert_int_equal(t.record_count, 0);
}

static int
end(void **state)
{
	json_arena(NULL);
	return tear_down(state);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, end)

int
main(void)
{
	const struct CMUnitTest tests[] = { TEST(columns_are_those_of_the_view_that_are_defined),
		TEST(records_are_in_order_and_cells_hold_fragments), TEST(merged_areas_cover_cells_and_end_with_the_table),
		TEST(cards_images_and_options), TEST(anything_else_is_a_table_without_cells) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
