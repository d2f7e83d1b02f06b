/* Operations and schemas of API descriptions as HTML: what a caller needs is on the page. */
#include <time.h>

#include "doc_fixture.h"
#include "render/render.h"

static const char *
schema_at(void *ctx, const char *spec, const char *name)
{
	return arena_printf(ctx, "/s/~schema/%s/%s", spec, name);
}

static bool tries;   /* the site lets readers send requests */
static bool marked;  /* descriptions are Markdown; otherwise plain text */

#define PARAGRAPH(text) "{\"type\":\"paragraph\",\"nodes\":[{\"object\":\"text\",\"leaves\":[{\"text\":\"" text \
    "\",\"marks\":[{\"type\":\"bold\"}]}]}]}"

/* A document of one paragraph, or, for a text with a line break, of two. */
static const cJSON *
document_of(void *ctx, const char *text)
{
	if (strchr(text, '\n') != NULL)
		return cJSON_Parse("{\"nodes\":[" PARAGRAPH("one") "," PARAGRAPH("two") "]}");
	return cJSON_Parse(arena_printf(ctx, "{\"nodes\":[" PARAGRAPH("%s") "]}", text));
}

/* alone: schemas have no pages of their own. */
static const char *
html_of(struct arena *a, const char *schemas, const char *node, bool alone)
{
	struct render_env env = { .ctx = a, .language = LANG_EN, .schema = alone ? NULL : schema_at, .tries = tries,
	    .markdown = marked ? document_of : NULL };
	struct rendering r;
	struct buf out;

	json_arena(a);
	buf_init(&out, a, (size_t)1 << 30);
	buf_str(&out, "");
	render_document(a, &out, cJSON_Parse(arena_printf(a, "{\"data\":{\"openapi\":{\"spec\":\"p\",\"schemas\":{%s}}},\"nodes\":[%s]}",
	    schemas, node)), &env, &r);
	json_arena(NULL);
	return out.p;
}

static const char *
operation_of(struct arena *a, const char *schemas, const char *operation)
{
	return html_of(a, schemas, arena_printf(a, "{\"type\":\"openapi-operation\",\"data\":{\"ref\":{\"kind\":\"openapi\",\"spec\":\"p\"},"
	    "\"path\":\"/p\",\"method\":\"get\",\"operation\":{%s}}}", operation), false);
}

/* The words of the page, as readers see them. */
static const char *
words_of(struct arena *a, const char *schemas, const char *operation)
{
	return h_words(a, str_of(operation_of(a, schemas, operation))).p;
}

static void
has(const char *text, const char *part)
{
	if (strstr(text, part) == NULL)
		fail_msg("\"%s\" is not in:\n%s", part, text);
}

#define BODY(schema) "\"requestBody\":{\"content\":{\"application/json\":{\"schema\":" schema "}}}"
#define REF(name) "{\"$ref\":\"#/components/schemas/" name "\"}"

static void
callers_learn_who_may_call_and_how(void **state)
{
	struct arena *a = arena_new((size_t)1 << 30);
	const char *words = words_of(a, "", "\"security\":[{\"key\":[],\"o\":[\"read\"]},{}],\"securitySchemes\":{\"key\":{\"type\":\"apiKey\","
	    "\"in\":\"header\",\"name\":\"X-Key\",\"description\":\"Ask *us*\"},\"o\":{\"type\":\"oauth2\",\"flows\":{\"authorizationCode\":{"
	    "\"authorizationUrl\":\"https://x.example/a\",\"tokenUrl\":\"https://x.example/t\",\"scopes\":{\"read\":\"Read all\"}}}}}");

	(void)state;
	has(words, "Authorization: key + o | none");
	has(words, "X-Key: …");
	has(words, "Ask *us*");
	has(words, "authorizationCode");
	has(words, "https://x.example/t");
	has(words, "read Read all");
	has(words_of(a, "", "\"security\":[{\"q\":[]}],\"securitySchemes\":{\"q\":{\"type\":\"apiKey\",\"in\":\"query\",\"name\":\"k\"}}"), "?k=…");
	has(words_of(a, "", "\"security\":[{\"b\":[]}],\"securitySchemes\":{\"b\":{\"type\":\"http\",\"scheme\":\"basic\"}}"), "Basic …");
	arena_free(a);
}

static void
servers_are_listed_with_their_variables(void **state)
{
	struct arena *a = arena_new((size_t)1 << 30);
	const char *words = words_of(a, "", "\"servers\":[{\"url\":\"https://{r}.x.example\",\"variables\":{\"r\":{\"default\":\"eu\","
	    "\"enum\":[\"eu\",\"us\"],\"description\":\"Region\"}}},{\"url\":\"https://test.example\",\"description\":\"Test\"}]");

	(void)state;
	has(words, "default: eu");
	has(words, "Possible values: eu us");
	has(words, "https://test.example");
	has(words, "Region");
	/* The method's line and the script's choice have complete addresses. */
	has(words, "GET https://eu.x.example/p");
	has(operation_of(a, "", "\"servers\":[{\"url\":\"https://{r}.x.example/\",\"variables\":{\"r\":{\"default\":\"eu\",\"enum\":[\"eu\",\"us\"]}}}]"),
	    "data-urls=\"https://eu.x.example/ https://us.x.example/\"");
	assert_null(strstr(operation_of(a, "", "\"servers\":[{\"url\":\"https://x.example\",\"description\":\"One\"}]"), "data-urls"));
	arena_free(a);
}

static void
responses_have_headers_links_and_all_examples(void **state)
{
	struct arena *a = arena_new((size_t)1 << 30);
	const char *html = operation_of(a, "", "\"responses\":{\"200\":{\"description\":\"d\",\"headers\":{\"X-Left\":{\"description\":\"Calls left\","
	    "\"schema\":{\"type\":\"integer\"}}},\"links\":{\"next\":{\"operationId\":\"list\",\"parameters\":{\"page\":\"$response.body#/n\"}}},"
	    "\"content\":{\"application/json\":{\"example\":1,\"examples\":{\"a\":{\"summary\":\"First\",\"value\":{\"x\":[1,{}]}},\"b\":{"
	    "\"value\":2},\"c\":{\"externalValue\":\"https://x.example/e\"}}}}}}");

	(void)state;
	has(html, "X-Left");
	has(html, "Calls left");
	has(html, "page = $response.body#/n");
	has(html, "Example: First");
	has(html, "Example: b");
	has(html, "href=\"https://x.example/e\"");
	/* As people write it: no tabs. */
	has(h_words(a, str_of(html)).p, "{\n  \"x\": [\n    1,\n    {}\n  ]\n}");
	arena_free(a);
}

static void
xml_examples_are_xml(void **state)
{
	struct arena *a = arena_new((size_t)1 << 30);
	const char *html = operation_of(a, "\"Pet\":{\"xml\":{\"name\":\"pet\"},\"properties\":{\"id\":{\"xml\":{\"attribute\":true}},\"tags\":{"
	    "\"type\":\"array\",\"xml\":{\"wrapped\":true},\"items\":{\"xml\":{\"name\":\"tag\"}}},\"n\":{}}}", "\"requestBody\":{\"content\":{"
	    "\"application/xml\":{\"schema\":" REF("Pet") ",\"example\":{\"id\":1,\"n\":\"<x>\",\"tags\":[\"a\",\"b\"]}}}}");

	(void)state;
	has(h_words(a, str_of(html)).p, "<pet id=\"1\">\n  <n>&lt;x&gt;</n>\n  <tags>\n    <tag>a</tag>\n    <tag>b</tag>\n  </tags>\n</pet>");
	arena_free(a);
}

static void
forms_are_written_as_their_fields(void **state)
{
	struct arena *a = arena_new((size_t)1 << 30);
	const char *html = operation_of(a, "", "\"requestBody\":{\"content\":{\"application/x-www-form-urlencoded\":{\"example\":{\"a\":\"x y\",\"n\":2}},"
	    "\"multipart/form-data\":{\"example\":{\"photo\":\"binary\"}}}}");

	(void)state;
	has(html, "a=x y\nn=2<");
	has(html, "photo=binary<");
	assert_null(strstr(html, "{"));
	arena_free(a);
}

static void
parameters_have_the_examples_of_their_author(void **state)
{
	struct arena *a = arena_new((size_t)1 << 30);
	const char *words = words_of(a, "", "\"parameters\":[{\"name\":\"id\",\"in\":\"path\",\"schema\":{},\"examples\":{\"one\":{\"summary\":\"First pet\","
	    "\"value\":\"rex\"},\"two\":{\"value\":7}},\"example\":\"left out\"},{\"name\":\"q\",\"in\":\"query\",\"example\":\"given\"},"
	    "{\"name\":\"m\",\"in\":\"query\",\"example\":\"made\",\"exampleMade\":true}],\"responses\":{\"200\":{\"headers\":{\"X-A\":{\"example\":\"left\"}}}}");

	(void)state;
	has(words, "Example:rex First pet7 two");
	has(words, "Example:given");
	has(words, "Example:left");
	assert_null(strstr(words, "made"));
	assert_null(strstr(words, "left out"));
	arena_free(a);
}

static void
descriptions_of_one_line_are_markdown(void **state)
{
	struct arena *a = arena_new((size_t)1 << 30);
	const char *html;

	(void)state;
	marked = true;
	html = operation_of(a, "", "\"responses\":{\"200\":{\"description\":\"short\"},\"400\":{\"description\":\"two\\nlines\"}},\"parameters\":[{"
	    "\"name\":\"p\",\"in\":\"query\",\"schema\":{\"enum\":[\"v\"],\"x-enumDescriptions\":{\"v\":\"value\"}}}],\"security\":[{\"o\":[\"s\"]}],"
	    "\"securitySchemes\":{\"o\":{\"flows\":{\"f\":{\"scopes\":{\"s\":\"scope\"}}}}}");
	marked = false;
	has(html, "<summary><code>200</code> <strong>short</strong></summary>");
	has(html, "<summary><code>400</code> </summary><div class=\"about\">");
	has(html, "<code>v</code> <strong>value</strong>");
	has(html, "<code>s</code> <strong>scope</strong>");
	arena_free(a);
}

static void
callbacks_are_operations(void **state)
{
	struct arena *a = arena_new((size_t)1 << 30);
	const char *words = words_of(a, "", "\"callbacks\":{\"done\":{\"{$request.body#/url}\":{\"post\":{\"summary\":\"It is done\","
	    BODY("{\"properties\":{\"at\":{\"type\":\"string\"}}}") ",\"responses\":{\"204\":{\"description\":\"Heard\"}}}}}}");

	(void)state;
	has(words, "Callbacks");
	has(words, "done It is done");
	has(words, "POST {$request.body#/url}");
	has(words, "at string");
	has(words, "204 Heard");
	arena_free(a);
}

/* Each name once, with what any part requires. */
static void
parts_of_an_all_of_are_one_list(void **state)
{
	struct arena *a = arena_new((size_t)1 << 30);
	const char *html = operation_of(a, "\"Base\":{\"properties\":{\"id\":{\"type\":\"integer\"},\"name\":{}}}", BODY("{\"allOf\":[" REF("Base")
	    ",{\"required\":[\"id\"],\"properties\":{\"id\":{\"type\":\"string\"},\"x\":{}}}]}"));
	const char *first = strstr(html, ">id<");

	(void)state;
	assert_non_null(first);
	assert_null(strstr(first + 1, ">id<"));
	has(h_words(a, str_of(html)).p, "id string required");
	has(html, ">x<");
	arena_free(a);
}

#define OBJECT(members) "{\"type\":\"object\",\"properties\":{" members "}}"

/* What says more of this place holds: its own words, then a part in place, then the last of those referred to. */
static void
the_most_specific_part_of_an_all_of_holds(void **state)
{
	struct arena *a = arena_new((size_t)1 << 30);
	const char *schemas = "\"Pet\":{\"description\":\"Any pet\",\"properties\":{\"kind\":{\"type\":\"string\",\"description\":\"Some kind\"},"
	    "\"at\":" OBJECT("\"x\":{}") "}},\"Dog\":{\"allOf\":[" REF("Pet") ",{\"properties\":{\"kind\":{\"description\":\"Always dog\","
	    "\"readOnly\":true},\"at\":" OBJECT("\"y\":{}") "}}]},\"Old\":{\"description\":\"An old one\",\"allOf\":[" REF("Pet") "]}";
	const char *words = words_of(a, schemas, BODY(REF("Dog")));

	(void)state;
	has(words, "kind string read-onlyAlways dog");
	assert_null(strstr(words, "Any pet"));
	assert_null(strstr(words, "Some kind"));
	/* Both have properties: those of both are listed. */
	assert_non_null(strstr(strstr(words, "at object"), "x any"));
	assert_non_null(strstr(strstr(words, "at object"), "y any"));
	words = words_of(a, schemas, BODY(OBJECT("\"a\":{\"allOf\":[" REF("Pet") ",{\"description\":\"The first\",\"deprecated\":true}]},"
	    "\"b\":" REF("Old") ",\"c\":{\"allOf\":[{\"description\":\"The third\"}," REF("Pet") "]},"
	    "\"d\":{\"allOf\":[" REF("Old") "," REF("Pet") "]},\"e\":{\"description\":\"Own\",\"allOf\":[{\"description\":\"In it\"}]}")));
	/* A part with a text alone changes no type. */
	has(words, "a Pet deprecatedThe first");
	has(words, "b PetAn old one");
	has(words, "c PetThe third");
	has(words, "d objectAny pet");
	has(words, "e anyOwn");
	arena_free(a);
}

/* Values in one part hold beside a reference in another. */
static void
a_reference_hides_no_values(void **state)
{
	struct arena *a = arena_new((size_t)1 << 30);
	const char *schemas = "\"Color\":{\"type\":\"string\",\"enum\":[\"red\",\"green\"]},\"Car\":{\"properties\":{\"color\":" REF("Color") "}}";
	const char *words = words_of(a, schemas, BODY("{\"allOf\":[" REF("Car") ",{\"properties\":{\"color\":{\"enum\":[\"red\"]},"
	    "\"other\":{\"allOf\":[" REF("Color") ",{\"enum\":[\"green\"]}]}}}]}"));

	(void)state;
	has(words, "color stringPossible values: red");
	has(words, "other stringPossible values: green");
	assert_null(strstr(words, "red green"));
	arena_free(a);
}

/* A body that says more of a named schema says it; the named schema is described elsewhere. */
static void
a_body_has_its_own_description(void **state)
{
	struct arena *a = arena_new((size_t)1 << 30);
	const char *schemas = "\"Pet\":{\"description\":\"Any pet\",\"properties\":{}}";

	(void)state;
	has(words_of(a, schemas, BODY("{\"description\":\"The new one\",\"allOf\":[" REF("Pet") "]}")), "The new one");
	assert_null(strstr(words_of(a, schemas, BODY(REF("Pet"))), "Any pet"));
	arena_free(a);
}

static void
alternatives_are_told_as_such(void **state)
{
	struct arena *a = arena_new((size_t)1 << 30);
	const char *words = words_of(a, "\"Cat\":{\"type\":\"object\"},\"Dog\":{\"type\":\"object\"}", BODY("{\"oneOf\":[" REF("Cat") "," REF("Dog")
	    "],\"discriminator\":{\"propertyName\":\"kind\",\"mapping\":{\"meow\":\"#/components/schemas/Cat\"}}}"));

	(void)state;
	has(words, "Cat | Dog");
	has(words, "one of kind");
	has(words, "meow Cat");
	has(words_of(a, "", BODY("{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"integer\"}]}")), "any of");
	/* A choice between one schema and null is that schema. */
	words = words_of(a, "\"Cat\":{\"properties\":{\"paws\":{}}}", BODY("{\"properties\":{\"c\":{\"oneOf\":[" REF("Cat") ",{\"type\":\"null\"}]},"
	    "\"l\":{\"type\":\"array\",\"items\":{\"type\":[\"string\",\"null\"]}},\"n\":{\"type\":\"string\",\"nullable\":true}}}"));
	has(words, "c Cat | null");
	has(words, "l (string | null)[]");
	has(words, "n string | null");
	assert_null(strstr(words, "one of"));
	arena_free(a);
}

static void
rows_say_what_a_member_is_like(void **state)
{
	struct arena *a = arena_new((size_t)1 << 30);
	const char *words = words_of(a, "", "\"x-stability\":\"experimental\",\"deprecated\":true," BODY("{\"properties\":{\"a\":{\"readOnly\":true,"
	    "\"default\":7,\"multipleOf\":2},\"b\":{\"writeOnly\":true,\"deprecated\":true},\"e\":{\"enum\":[\"x\",\"y\"],\"x-enumDescriptions\":{"
	    "\"x\":\"The first\"}}}}"));

	(void)state;
	has(words, "deprecatedexperimental");
	has(words, "a any read-only default: 7 multipleOf: 2");
	has(words, "b any deprecated write-only");
	has(words, "Possible values:x The first");
	arena_free(a);
}

static void
parameters_are_grouped_by_place(void **state)
{
	struct arena *a = arena_new((size_t)1 << 30);
	const char *words = words_of(a, "", "\"parameters\":[{\"name\":\"q\",\"in\":\"query\",\"content\":{\"application/json\":{\"schema\":{"
	    "\"type\":\"object\",\"properties\":{\"deep\":{}}}}}},{\"name\":\"i\",\"in\":\"path\",\"required\":true,\"schema\":{\"type\":\"integer\"}},"
	    "{\"name\":\"odd\",\"in\":\"body\"}]");

	(void)state;
	assert_true(strstr(words, "path") < strstr(words, "query"));
	has(words, "q object");
	has(words, "application/json");
	has(words, "deep");
	has(words, "body");
	has(words, "odd any");
	arena_free(a);
}

#define EIGHT "\"a\":{},\"b\":{},\"c\":{},\"d\":{},\"e\":{},\"f\":{},\"g\":{},\"h\":{}"

static void
large_schemas_are_made_on_demand(void **state)
{
	struct arena *a = arena_new((size_t)1 << 30);
	const char *schemas = "\"Big\":{\"properties\":{" EIGHT ",\"i\":{},\"me\":" REF("Big") "}},\"Small\":{\"properties\":{\"s\":{}}}";
	const char *html = operation_of(a, schemas, BODY("{\"properties\":{\"big\":" REF("Big") ",\"small\":" REF("Small") "}}"));

	(void)state;
	has(html, "<details class=\"made\"><summary>Big</summary><a href=\"/s/~schema/p/Big\">Big</a></details>");
	has(html, ">s<");
	/* At the top it is written, and leads to its page where it contains itself. */
	html = operation_of(a, schemas, BODY(REF("Big")));
	has(html, ">i<");
	has(html, "<details class=\"made\"");
	/* In a response that is closed it is not. */
	html = operation_of(a, schemas, "\"responses\":{\"200\":{\"description\":\"d\"},\"400\":{\"description\":\"d\",\"content\":{\"a/b\":{\"schema\":"
	    REF("Big") "}}}}");
	assert_null(strstr(html, ">i<"));
	has(html, "href=\"/s/~schema/p/Big\"");
	arena_free(a);
}

static void
rows_that_are_left_out_are_mentioned(void **state)
{
	struct arena *a = arena_new((size_t)1 << 30);
	struct buf b;

	(void)state;
	buf_init(&b, a, 1 << 20);
	buf_str(&b, "\"requestBody\":{\"content\":{\"a/b\":{\"schema\":{\"properties\":{\"p\":{}");
	for (int i = 0; i < 350; i++)
		buf_printf(&b, ",\"p%d\":{}", i);
	buf_str(&b, "}}}}}");
	has(words_of(a, "", b.p), "Not all members are listed here.");
	arena_free(a);
}

static void
a_model_alone_is_open(void **state)
{
	struct arena *a = arena_new((size_t)1 << 30);
	static const char node[] = "{\"type\":\"openapi-schemas\",\"data\":{\"ref\":{\"kind\":\"openapi\",\"spec\":\"p\"},\"headless\":true,"
	    "\"schemas\":[\"Pet\"]}}";
	const char *html = html_of(a, "\"Pet\":{\"description\":\"About\",\"properties\":{\"mother\":" REF("Pet") "}}", node, false);

	(void)state;
	has(html, "<div class=\"schema\"");
	has(html, "About");
	has(html, "href=\"/s/~schema/p/Pet\"");
	/* Without pages of schemas it is a link to its place. */
	html = html_of(a, "\"Pet\":{\"properties\":{\"mother\":" REF("Pet") "}}", node, true);
	has(html, "<a href=\"#~schema-1\">Pet</a>");
	arena_free(a);
}

/* What a faulty description has as a list where a map belongs has no names; all else is told. */
static void
lists_where_maps_belong_are_left_out(void **state)
{
	struct arena *a = arena_new((size_t)1 << 30);
	const char *words = words_of(a, "", "\"method\":\"get\",\"path\":\"/p\",\"servers\":[],\"security\":[[\"x\"],[[]]],"
	    "\"securitySchemes\":[{}],\"parameters\":[[]],"
	    "\"requestBody\":{\"content\":[{\"examples\":[{}]}]},\"responses\":[{\"content\":[{}]}],"
	    "\"callbacks\":{\"done\":{\"{$url}\":{\"post\":{\"summary\":\"Told\",\"parameters\":[\"x\"],"
	    "\"requestBody\":{\"content\":[{\"schema\":{}}]},"
	    "\"responses\":[{\"description\":\"Lost\",\"content\":[{}],\"headers\":[{}],\"links\":[{}]}]},"
	    "\"put\":{\"requestBody\":{\"content\":{\"application/json\":{\"examples\":[{\"value\":1}]}}},"
	    "\"responses\":{\"200\":{\"description\":\"Seen\",\"content\":[{}],\"links\":[{\"parameters\":[1]}],"
	    "\"headers\":[{}]}}}}},\"list\":[[{\"responses\":[]}]]}");

	(void)state;
	has(words, "Told");
	has(words, "200 Seen");
	assert_null(strstr(words, "Lost"));
	arena_free(a);
}

/* 200 references to itself, at each of several levels, would be 200^5 look-ups. */
static void
a_schema_of_itself_many_times_takes_no_time(void **state)
{
	struct arena *a = arena_new((size_t)1 << 30);
	clock_t start = clock();
	struct buf b;

	(void)state;
	buf_init(&b, a, (size_t)1 << 20);
	buf_str(&b, "\"A\":{\"allOf\":[");
	for (int i = 0; i < 200; i++)
		buf_printf(&b, "%s" REF("A"), i > 0 ? "," : "");
	buf_str(&b, "]}");
	has(operation_of(a, b.p, BODY("{\"type\":\"object\",\"properties\":{\"x\":" REF("A") "}}")), "class=\"name\">x<");
	assert_true(clock() - start < 2 * CLOCKS_PER_SEC);
	arena_free(a);
}

static void
long_enums_end_with_an_ellipsis(void **state)
{
	struct arena *a = arena_new((size_t)1 << 30);
	const char *html;
	struct buf b;

	(void)state;
	buf_init(&b, a, (size_t)1 << 24);
	buf_str(&b, "{\"type\":\"string\",\"enum\":[\"v0\"");
	for (int i = 1; i < 50000; i++)
		buf_printf(&b, ",\"v%d\"", i);
	buf_str(&b, "],\"x-enumDescriptions\":[\"The first\"]}");
	html = operation_of(a, "", arena_printf(a, "\"requestBody\":{\"content\":{\"application/json\":{\"schema\":%s}}}", b.p));
	has(html, "<code>v0</code> The first</li>");
	has(html, "<code>v199</code></li><li class=\"limit\">…</li>");
	assert_null(strstr(html, "v200"));
	arena_free(a);
}

/* Where requests go becomes a part of a header: only origins, and texts end no element. */
static void
requests_name_their_servers_and_nothing_else(void **state)
{
	struct arena *a = arena_new((size_t)1 << 30);
	const char *servers = "\"servers\":[{\"url\":\"https://a.example/v1\"},{\"url\":\"/relative\"},{\"url\":\"javascript:alert(1)\"},"
	    "{\"url\":\"https://b.example; script-src *\"},{\"url\":\"https://*/\"},{\"url\":\"https://c.example\\\"><b>\"},"
	    "{\"url\":\"https://u@d.example\"},{\"url\":\"https://{x}.example:8443/{y}\",\"variables\":{\"x\":{\"default\":\"eu\",\"enum\":[\"eu\",\"us\"]},"
	    "\"y\":{\"default\":\"v2\"}}},{\"url\":\"https://{none}.example\"}],"
	    "\"parameters\":[{\"name\":\"</script><b>\",\"in\":\"query\",\"example\":\"&\"},{\"name\":\"c\",\"in\":\"cookie\"}]";
	const char *html;

	(void)state;
	assert_null(strstr(operation_of(a, "", servers), "class=\"try\""));
	tries = true;
	html = operation_of(a, "", servers);
	has(html, "<script type=\"application/json\" class=\"try\" data-connect=\"https://a.example https://eu.example:8443 https://us.example:8443\">");
	has(html, "\"servers\":[\"https://a.example/v1\",\"https://eu.example:8443/v2\",\"https://us.example:8443/v2\"]");
	has(html, "\"parameters\":[{\"name\":\"\\u003c/script\\u003e\\u003cb\\u003e\",\"in\":\"query\",\"required\":false,\"list\":false,"
	    "\"value\":\"\\u0026\"}]}</script>");
	assert_null(strstr(operation_of(a, "", "\"servers\":[{\"url\":\"/v1\"}]"), "class=\"try\""));
	/* With this path, the address would be of the host b.example. */
	assert_null(strstr(html_of(a, "", "{\"type\":\"openapi-operation\",\"data\":{\"ref\":{\"kind\":\"openapi\",\"spec\":\"p\"},\"path\":\"@b.example/\","
	    "\"method\":\"get\",\"operation\":{\"servers\":[{\"url\":\"https://a.example\"}]}}}", false), "class=\"try\""));
	assert_null(strstr(operation_of(a, "", "\"servers\":[{\"url\":\"https://a.example\"}],\"x-hideTryItPanel\":true"), "class=\"try\""));
	has(operation_of(a, "", "\"servers\":[{\"url\":\"https://a.example\"}],\"security\":[{\"b\":[],\"k\":[],\"c\":[]}],\"securitySchemes\":{"
	    "\"b\":{\"type\":\"http\",\"scheme\":\"basic\"},\"k\":{\"type\":\"apiKey\",\"in\":\"query\",\"name\":\"key\"},"
	    "\"c\":{\"type\":\"apiKey\",\"in\":\"cookie\",\"name\":\"sid\"}}"),
	    "\"keys\":[{\"name\":\"b\",\"in\":\"basic\",\"field\":\"basic\"},{\"name\":\"k\",\"in\":\"query\",\"field\":\"key\"}]");
	has(operation_of(a, "\"F\":{\"properties\":{\"n\":{\"type\":\"string\"},\"f\":{\"type\":\"string\",\"format\":\"binary\"}}}",
	    "\"servers\":[{\"url\":\"https://a.example\"}],\"requestBody\":{\"content\":{\"multipart/form-data\":{\"schema\":" REF("F") "}}}"),
	    "\"kind\":\"multipart\",\"value\":\"\",\"fields\":[{\"name\":\"n\",\"file\":false,\"value\":\"\"},{\"name\":\"f\",\"file\":true,");
	tries = false;
	arena_free(a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(callers_learn_who_may_call_and_how),
		cmocka_unit_test(servers_are_listed_with_their_variables),
		cmocka_unit_test(responses_have_headers_links_and_all_examples),
		cmocka_unit_test(xml_examples_are_xml),
		cmocka_unit_test(forms_are_written_as_their_fields),
		cmocka_unit_test(parameters_have_the_examples_of_their_author),
		cmocka_unit_test(descriptions_of_one_line_are_markdown),
		cmocka_unit_test(callbacks_are_operations),
		cmocka_unit_test(parts_of_an_all_of_are_one_list),
		cmocka_unit_test(the_most_specific_part_of_an_all_of_holds), cmocka_unit_test(a_reference_hides_no_values),
		cmocka_unit_test(a_body_has_its_own_description),
		cmocka_unit_test(alternatives_are_told_as_such),
		cmocka_unit_test(rows_say_what_a_member_is_like),
		cmocka_unit_test(parameters_are_grouped_by_place),
		cmocka_unit_test(large_schemas_are_made_on_demand),
		cmocka_unit_test(rows_that_are_left_out_are_mentioned),
		cmocka_unit_test(a_model_alone_is_open),
		cmocka_unit_test(requests_name_their_servers_and_nothing_else),
		cmocka_unit_test(lists_where_maps_belong_are_left_out),
		cmocka_unit_test(long_enums_end_with_an_ellipsis),
		cmocka_unit_test(a_schema_of_itself_many_times_takes_no_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
