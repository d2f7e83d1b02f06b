/* References and parts of an allOf in schemas of API descriptions: what they say together. */
#include "arena_fixture.h"
#include "base/json.h"
#include "text/schema_parts.h"

#define REF(name) "{'$ref':'#/components/schemas/" name "'}"

static struct schema_set set;

/* JSON with ' for ". */
static const cJSON *
parse(const char *text)
{
	char *json = arena_strdup(arena, text), *c;
	const cJSON *v;

	for (c = json; *c != '\0'; c++)
		if (*c == '\'')
			*c = '"';
	v = cJSON_Parse(json);
	assert_non_null(v);
	return v;
}

static int
done(void **state)
{
	json_arena(NULL);
	return tear_down(state);
}

static void
use(const char *schemas)
{
	json_arena(arena);
	schema_set_init(&set, arena, parse(schemas));
}

static void
expect(const cJSON *v, const char *want)
{
	char *got = cJSON_PrintUnformatted(v), *c;

	for (c = got; *c != '\0'; c++)
		if (*c == '"')
			*c = '\'';
	assert_string_equal(got, want);
}

static void
flat(const char *schema, const char *want)
{
	expect(flat_schema(&set, parse(schema)), want);
}

/* Each property once, in the order of the parts, and what each part requires. */
static void
parts_are_one_schema(void **state)
{
	(void)state;
	use("{'Base':{'title':'Base','type':'object','required':['id'],'properties':{'id':{'type':'integer'},'at':{'type':'string'}}}}");
	flat("{'description':'D','allOf':[" REF("Base") ",{'required':['x','id'],'properties':{'id':{'minimum':1},'x':{}}}]}",
	    "{'description':'D','required':['id','x'],'properties':{'id':{'minimum':1,'type':'integer'},'at':{'type':'string'},'x':{}},"
	    "'type':'object'}");
}

/* An example, a title or a mark of the base does not hold of what extends it; a limit does. */
static void
marks_of_a_reference_stay_there(void **state)
{
	(void)state;
	use("{'Base':{'title':'B','example':1,'deprecated':true,'x-y':1,'x-enumDescriptions':{'a':'A'},'maxLength':4,'enum':['a','b']}}");
	flat("{'allOf':[" REF("Base") ",{'minLength':1}]}", "{'minLength':1,'x-enumDescriptions':{'a':'A'},'maxLength':4,'enum':['a','b']}");
}

/* The reference to a named schema is shorter, and says as much. */
static void
an_all_of_that_describes_a_reference_remains(void **state)
{
	(void)state;
	use("{'A':{'type':'string'}}");
	flat("{'properties':{'a':{'allOf':[" REF("A") "],'description':'D'},'b':" REF("A") "}}",
	    "{'properties':{'a':{'allOf':[" REF("A") "],'description':'D'},'b':" REF("A") "}}");
}

/* Values in one part hold beside a reference in another, in whatever order. */
static void
a_reference_hides_no_values(void **state)
{
	const char *name;

	(void)state;
	use("{'Color':{'type':'string','enum':['r','g','b'],'maxLength':1}}");
	expect(plain_schema(&set, parse("{'allOf':[" REF("Color") ",{'enum':['r']}]}"), &name), "{'enum':['r'],'type':'string','maxLength':1}");
	expect(plain_schema(&set, parse("{'enum':['r'],'allOf':[" REF("Color") "]}"), &name), "{'enum':['r'],'type':'string','maxLength':1}");
	expect(plain_schema(&set, parse("{'$ref':'#/components/schemas/Color','enum':['r']}"), &name),
	    "{'enum':['r'],'type':'string','maxLength':1}");
	assert_string_equal(name, "Color");
	/* A property of two parts. */
	expect(member_schema(&set, parse("{'allOf':[{'properties':{'c':" REF("Color") "}},{'properties':{'c':{'enum':['g']}}}]}"), "c"),
	    "{'allOf':[" REF("Color") ",{'enum':['g']}]}");
	flat("{'allOf':[{'properties':{'c':{'enum':['g']}}},{'properties':{'c':" REF("Color") "}}]}",
	    "{'properties':{'c':{'enum':['g'],'type':'string','maxLength':1}}}");
}

/* A name for another name is followed, too. */
static void
names_of_names_are_parts(void **state)
{
	(void)state;
	use("{'A':" REF("B") ",'B':{'type':'integer'},'L':" REF("L") "}");
	flat("{'allOf':[" REF("A") ",{'minimum':1}]}", "{'minimum':1,'type':'integer'}");
	flat("{'allOf':[" REF("L") ",{'minimum':1}]}", "{'minimum':1}");
	/* A name without a schema stays, as the type. */
	flat("{'allOf':[" REF("Lost") ",{'minimum':1}]}", "{'minimum':1,'$ref':'#/components/schemas/Lost'}");
}

/* Those of each part hold, so they are no single list. */
static void
alternatives_of_several_parts_remain_apart(void **state)
{
	(void)state;
	use("{}");
	flat("{'allOf':[{'oneOf':[{'title':'a'},{'title':'b'}]},{'oneOf':[{'title':'c'}],'discriminator':{'propertyName':'p'}},{'properties':{'p':{}}}]}",
	    "{'properties':{'p':{}},'oneOf':[{'title':'c'}],'discriminator':{'propertyName':'p'},"
	    "'allOf':[{'oneOf':[{'title':'a'},{'title':'b'}]}]}");
}

static void
schemas_inside_are_merged(void **state)
{
	(void)state;
	use("{}");
	flat("{'items':{'oneOf':[{'allOf':[{'properties':{'a':{'allOf':[{'type':'string'},{'minLength':2}]}}},{'type':'object'}]}]}}",
	    "{'items':{'oneOf':[{'type':'object','properties':{'a':{'minLength':2,'type':'string'}}}]}}");
}

static void
schemas_of_themselves_end(void **state)
{
	char *text;

	(void)state;
	use("{'A':{'allOf':[" REF("A") "," REF("A") ",{'properties':{'x':{'allOf':[" REF("A") ",{'properties':{'x':{'minimum':1},'y':{}}}]}}}]}}");
	text = cJSON_PrintUnformatted(flat_schema(&set, cJSON_GetObjectItem(parse("{'a':" REF("A") "}"), "a")));
	assert_string_equal(text, "{\"$ref\":\"#/components/schemas/A\"}");
	text = cJSON_PrintUnformatted(flat_schema(&set, map_get(set.names, STR("A"))));
	assert_non_null(strstr(text, "\"minimum\":1"));
	assert_true(strlen(text) < 100000);
}

static void
values_have_a_type(void **state)
{
	(void)state;
	use("{}");
	assert_string_equal(type_of_values(parse("{'const':'a'}")), "string");
	assert_string_equal(type_of_values(parse("{'enum':[1,2]}")), "number");
	assert_null(type_of_values(parse("{'enum':[1,'a']}")));
	assert_null(type_of_values(parse("{'enum':[null]}")));
	assert_null(type_of_values(parse("{}")));
}

/* Many schemas that extend a large one would repeat it without bound. */
static void
what_references_insert_is_bounded(void **state)
{
	size_t all = 0;
	struct buf b;

	(void)state;
	buf_init(&b, arena, (size_t)1 << 24);
	buf_str(&b, "{'Big':{'properties':{");
	for (int i = 0; i < 10000; i++)
		buf_printf(&b, "%s'p%d':{'description':'The property %d'}", i > 0 ? "," : "", i, i);
	buf_str(&b, "}}}");
	use(b.p);
	for (int i = 0; i < 100; i++)
		all += strlen(cJSON_PrintUnformatted(flat_schema(&set, parse("{'allOf':[" REF("Big") ",{'properties':{'x':{}}}]}"))));
	assert_true(all > (size_t)1 << 20);
	assert_true(all < (size_t)16 << 20);
}

/* Parts that describe one property with many members each: merging reads each member about once, and ends. */
static void
what_is_merged_is_bounded(void **state)
{
	enum { PARTS = 59, MEMBERS = 1500 };
	const cJSON *schema[3];
	size_t left, used;
	struct buf b;

	(void)state;
	buf_init(&b, arena, (size_t)1 << 24);
	for (int i = 0; i < PARTS * MEMBERS; i++) {
		buf_str(&b, i == 0 ? "{'allOf':[" : i % MEMBERS == 0 ? "}}}," : ",");
		buf_printf(&b, i % MEMBERS == 0 ? "{'properties':{'x':{'x-%d':1" : "'x-%d':1", i);
	}
	buf_str(&b, "}}}]}");
	use("{}");
	for (int i = 0; i < 3; i++)
		schema[i] = parse(b.p);
	left = set.left;
	used = arena_used(arena);
	assert_int_equal(cJSON_GetArraySize(member_schema(&set, schema[0], "x")), PARTS * MEMBERS);
	assert_true(left - set.left < PARTS * MEMBERS + 1000);
	assert_true(arena_used(arena) - used < (size_t)64 << 20);
	for (int i = 1; i < 3; i++)
		whole_schema(&set, schema[i]);
	assert_int_equal(set.left, 0);
	assert_ptr_equal(whole_schema(&set, schema[2]), schema[2]);
	assert_ptr_not_equal(whole_schema(&set, schema[0]), schema[0]);
}

/* No schema of another specification is found by its name. */
static void
schemas_belong_to_their_specification(void **state)
{
	const cJSON *d;

	(void)state;
	use("{}");
	d = parse("{'data':{'openapi':{'spec':'a','schemas':{'A':1},'others':[{'spec':'b','schemas':{'B':1}}]}}}");
	assert_non_null(json_member(document_schemas(d, "a"), "A"));
	assert_non_null(json_member(document_schemas(d, NULL), "A"));
	assert_non_null(json_member(document_schemas(d, "b"), "B"));
	assert_null(document_schemas(d, "c"));
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, done)
	const struct CMUnitTest tests[] = {
		TEST(parts_are_one_schema),
		TEST(marks_of_a_reference_stay_there),
		TEST(an_all_of_that_describes_a_reference_remains),
		TEST(a_reference_hides_no_values),
		TEST(names_of_names_are_parts),
		TEST(alternatives_of_several_parts_remain_apart),
		TEST(schemas_inside_are_merged),
		TEST(schemas_of_themselves_end),
		TEST(values_have_a_type),
		TEST(what_references_insert_is_bounded),
		TEST(what_is_merged_is_bounded),
		TEST(schemas_belong_to_their_specification),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
