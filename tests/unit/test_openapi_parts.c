/* The parts that an API description is divided into: pages, operations, schemas, examples, code samples. */
#include <cjson/cJSON.h>

#include "arena_fixture.h"
#include "openapi/parts.h"

static struct openapi_parts
parts_of_value(struct value *root)
{
	static const struct openapi_input in = { { 64 << 20, 3000000, 128 }, 1, NULL, NULL };
	struct openapi_file file = { .uri = "", .root = root };
	struct openapi_parts parts;
	struct schema_report r;
	const char *why;
	enum openapi_version v = openapi_recognise(arena, root, &why);

	schema_report_init(&r, arena, 1);
	if (!schema_check(openapi_schema(arena, v), root, &r))
		fail_msg("%s: %s", r.first->pointer, r.first->message);
	openapi_follow(arena, &file, &in, &r);
	assert_int_equal(r.count, 0);
	openapi_take_apart(arena, root, v, &parts);
	return parts;
}

static struct openapi_parts
parts_of(const char *text)
{
	static const struct value_limits limits = { 64 << 20, 3000000, 128 };
	const char *why;
	struct value *root = value_read(arena, str_of(text), &limits, &why);

	if (root == NULL)
		fail_msg("%s", why);
	return parts_of_value(root);
}

/* The value at a JSON pointer in an operation's JSON, printed; NULL: there is none. */
static const char *
at(const struct openapi_operation *o, const char *pointer)
{
	static const struct value_limits limits = { 64 << 20, 3000000, 128 };
	const char *why;
	struct value *v = value_read(arena, (struct str){ arena_strndup(arena, o->data.p, o->data.n), o->data.n },
	    &limits, &why);
	const struct value *m = v == NULL ? NULL : value_at(v, str_of(pointer), arena);
	struct json j;
	struct buf b;

	if (v == NULL)
		fail_msg("%s", why);
	if (m == NULL)
		return NULL;
	if (m->kind == VALUE_STRING)
		return arena_strndup(arena, m->text_p, m->n);
	buf_init(&b, arena, 16 << 20);
	json_init(&j, &b);
	value_write(&j, m);
	return b.p;
}

static const char pets[] =
    "openapi: 3.0.3\n"
    "info: {title: Pets, version: '1', description: All about *pets*.}\n"
    "servers: [{url: 'https://{region}.example.com/v1/', variables: {region: {default: eu}}}]\n"
    "security: [{key: []}]\n"
    "tags: [{name: pets, description: About pets}, {name: unused}]\n"
    "paths:\n"
    "  /pets/{id}:\n"
    "    parameters: [{$ref: '#/components/parameters/id'}]\n"
    "    get:\n"
    "      operationId: getPet\n"
    "      summary: Get a pet\n"
    "      tags: [pets, extra]\n"
    "      parameters: [{name: q, in: query, required: true, schema: {type: string, example: a b}}]\n"
    "      responses: {'200': {$ref: '#/components/responses/pet'}}\n"
    "    put:\n"
    "      security: [{user: []}]\n"
    "      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}\n"
    "      responses: {'204': {description: Done}}\n"
    "components:\n"
    "  parameters: {id: {name: id, in: path, required: true, schema: {type: integer, minimum: 7}}}\n"
    "  responses: {pet: {description: It, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}}\n"
    "  securitySchemes: {key: {type: apiKey, in: header, name: X-Key}, user: {type: http, scheme: bearer}}\n"
    "  schemas:\n"
    "    Pet:\n"
    "      required: [name]\n"
    "      properties:\n"
    "        id: {type: integer, readOnly: true}\n"
    "        name: {type: string, enum: [Rex, Tom]}\n"
    "        born: {type: string, format: date}\n"
    "        mother: {$ref: '#/components/schemas/Pet'}\n"
    "        kind: {$ref: '#/components/schemas/Kind'}\n"
    "    Kind: {type: string, default: dog}\n";

static void
tags_are_below_tags(void **state)
{
	/* a and b are above each other, and d is hidden. */
	struct openapi_parts p = parts_of("openapi: 3.2.0\ninfo: {title: T, version: '1'}\ntags: [{name: a, parent: b}, {name: b, "
	    "parent: a}, {name: c, summary: Third, x-parent: a, externalDocs: {url: 'https://x.example/d'}}, {name: d, x-internal: true}]\n"
	    "paths: {/a: {get: {tags: [a], responses: {'200': {description: d}}}, put: {tags: [c, d], responses: {'200': {description: d}}}}}\n");
	const struct openapi_page *a = p.pages->next, *c = a->next;

	(void)state;
	/* b has nothing to show but a. */
	assert_string_equal(a->name, "a");
	assert_string_equal(a->parent->name, "b");
	assert_null(a->parent->parent);
	while (strcmp(c->name, "c") != 0)
		c = c->next;
	assert_ptr_equal(c->parent, a);
	assert_string_equal(c->title, "Third");
	assert_non_null(strstr(c->markdown, "https://x.example/d"));
	for (c = p.pages; c != NULL; c = c->next)
		assert_string_not_equal(c->name, "d");
}

static void
pages_follow_tags(void **state)
{
	struct openapi_parts p = parts_of(pets);
	const struct openapi_page *page = p.pages;

	(void)state;
	assert_string_equal(page->kind, "info");
	assert_string_equal(page->title, "Pets");
	assert_non_null(strstr(page->markdown, "All about *pets*."));
	page = page->next;
	assert_string_equal(page->name, "pets");
	assert_string_equal(page->slug, "pets");
	assert_string_equal(page->markdown, "About pets");
	assert_int_equal(page->uses->operation, 0);
	assert_null(page->uses->next);
	/* The operation's own page, below that of each of its tags. */
	page = page->next;
	assert_string_equal(page->kind, "operation");
	assert_string_equal(page->name, "pets/getPet");
	assert_string_equal(page->slug, "get-a-pet");
	assert_string_equal(page->method, "get");
	assert_string_equal(page->path, "/pets/{id}");
	assert_ptr_equal(page->parent, p.pages->next);
	assert_int_equal(page->weight, page->parent->weight);
	page = page->next;
	assert_string_equal(page->name, "extra");
	assert_string_equal(page->next->name, "extra/getPet");
	page = page->next->next;
	assert_string_equal(page->title, "Other operations");
	assert_int_equal(page->uses->operation, 1);
	page = page->next->next;
	assert_string_equal(page->kind, "models");
	assert_string_equal(page->next->kind, "model");
	assert_string_equal(page->next->name, "Pet");
	assert_string_equal(page->next->next->name, "Kind");
	assert_null(page->next->next->next);
}

static void
holds(const char *text, const char *part)
{
	if (strstr(text, part) == NULL)
		fail_msg("\"%s\" is not in:\n%s", part, text);
}

/* A caller learns on the page about the API where it is, and how to authenticate. */
static void
the_overview_lists_servers_and_authentication(void **state)
{
	struct openapi_parts p = parts_of("openapi: 3.0.3\ninfo: {title: T, version: '1'}\npaths: {}\nservers: [{url: 'https://{r}.x.example', "
	    "description: Live, variables: {r: {default: eu, enum: [eu, us], description: Region}}}, {url: /test}]\n"
	    "components: {securitySchemes: {key: {type: apiKey, in: query, name: k, description: Ask *us*.}, user: {type: http, scheme: bearer, "
	    "bearerFormat: JWT}, o: {type: oauth2, flows: {clientCredentials: {tokenUrl: 'https://x.example/t', scopes: {read: Read all}}}}, "
	    "id: {type: openIdConnect, openIdConnectUrl: /id}, no: {type: http, scheme: basic, x-internal: true}}}\n");
	const char *text = p.pages->markdown;

	(void)state;
	holds(text, "* Version: 1\n\n## Servers\n\n* `https://{r}.x.example`: Live\n  * `r`: Region; default: `eu`; values: `eu`, `us`\n* `/test`\n");
	holds(text, "\n## Authentication\n\n### `key`\n\nAPI key, sent as query parameter `k`\n\nAsk *us*.\n");
	holds(text, "### `user`\n\nHTTP authentication, header `Authorization: bearer …` (JWT)\n");
	holds(text, "### `o`\n\nOAuth 2\n\n* `clientCredentials`\n  * `tokenUrl`: <https://x.example/t>\n  * `read`: Read all\n");
	holds(text, "### `id`\n\nOpenID Connect: `/id`\n");
	assert_null(strstr(text, "`no`"));
	/* Swagger 2.0, and a description that names neither. */
	p = parts_of("swagger: '2.0'\ninfo: {title: T, version: '1'}\nhost: a.example\nschemes: [https]\nbasePath: /v1\npaths: {}\n"
	    "securityDefinitions: {b: {type: basic}}\n");
	holds(p.pages->markdown, "## Servers\n\n* `https://a.example/v1`\n\n## Authentication\n\n### `b`\n\nHTTP authentication, header `Authorization: basic …`");
	p = parts_of("openapi: 3.0.3\ninfo: {title: T, version: '1'}\npaths: {}\nservers: []\n");
	assert_string_equal(p.pages->markdown, "* Version: 1\n");
	/* Facts are no part of the author's last section. */
	p = parts_of("openapi: 3.0.3\ninfo: {title: T, version: '1', description: \"Hi.\\n\\n```\\n# no\\n```\\n\\n## More\\n\\nText.\"}\npaths: {}\n"
	    "servers: [{url: 'https://x.example'}]\n");
	holds(p.pages->markdown, "Hi.\n\n```\n# no\n```\n\n* Version: 1\n\n## More\n\nText.\n\n## Servers\n");
	p = parts_of("openapi: 3.0.3\ninfo: {title: T, version: '1', description: \"Hi.\\n\\n~~~\\n```\\n# no\\n~~~\\n#tag\\n\\n"
	    "Below\\na line\\n===\\nText.\"}\npaths: {}\n");
	holds(p.pages->markdown, "# no\n~~~\n#tag\n\n* Version: 1\n\nBelow\na line\n===\nText.\n");
	p = parts_of("openapi: 3.0.3\ninfo: {title: T, version: '1', description: \"- a\\n---\\n\\n    # no\\n\\n  ## Far\\n\\nText.\"}\npaths: {}\n");
	holds(p.pages->markdown, "    # no\n\n* Version: 1\n\n  ## Far\n\nText.\n");
	p = parts_of("openapi: 3.0.3\ninfo: {title: T, version: '1', description: \"# More\\n\\nText.\"}\npaths: {}\n");
	holds(p.pages->markdown, "* Version: 1\n\n# More\n\nText.\n");
}

static void
operations_are_whole(void **state)
{
	struct openapi_parts p = parts_of(pets);
	const struct openapi_operation *get = p.operations, *put = get->next;

	(void)state;
	assert_string_equal(get->id, "getPet");
	assert_string_equal(put->id, "put /pets/{id}");
	assert_string_equal(put->title, "put /pets/{id}");
	assert_string_equal(at(get, "/parameters/0/name"), "q");
	assert_string_equal(at(get, "/parameters/1/name"), "id");
	assert_string_equal(at(get, "/parameters/1/example"), "7");
	assert_string_equal(at(get, "/responses/200/content/application~1json/schema"),
	    "{\"$ref\":\"#/components/schemas/Pet\"}");
	assert_string_equal(at(get, "/servers/0/url"), "https://{region}.example.com/v1/");
	assert_string_equal(at(get, "/securitySchemes/key/name"), "X-Key");
	assert_null(at(get, "/securitySchemes/user"));
	assert_string_equal(at(put, "/securitySchemes/user/scheme"), "bearer");
	assert_true(str_is(get->uses, "[\"Pet\"]"));
	assert_true(str_is(p.schemas->uses, "[\"Pet\",\"Kind\"]"));
}

/* The example of a request leaves out read-only properties; circles end. */
static void
examples_are_made(void **state)
{
	struct openapi_parts p = parts_of(pets);
	const char *sent = at(p.operations->next, "/requestBody/content/application~1json/example");
	const char *received = at(p.operations, "/responses/200/content/application~1json/example");

	(void)state;
	assert_null(strstr(sent, "\"id\""));
	assert_non_null(strstr(received, "{\"id\":1,\"name\":\"Rex\",\"born\":\"2024-01-01\",\"mother\":{\"id\":1,"));
	assert_non_null(strstr(received, "\"kind\":\"dog\""));
}

/* What the author hides from readers is in no example and no sample. */
static void
hidden_members_are_in_no_example(void **state)
{
	struct openapi_parts p = parts_of("openapi: 3.0.3\ninfo: {title: T, version: '1'}\npaths: {/a: {post: {requestBody: {content: {"
	    "application/json: {schema: {$ref: '#/components/schemas/A'}}}}, responses: {'200': {description: d}}}}}\n"
	    "components: {schemas: {A: {type: object, properties: {shown: {type: string}, secretone: {type: string, x-internal: true}, "
	    "secrettwo: {$ref: '#/components/schemas/B'}}}, B: {type: object, x-gitbook-ignore: true, properties: {secretthree: {type: string}}}}}\n");
	const char *curl = at(p.operations, "/samples/0/source");
	const struct openapi_schema *one;

	(void)state;
	assert_non_null(strstr(curl, "shown"));
	assert_null(strstr(curl, "secret"));
	assert_null(strstr(at(p.operations, "/requestBody"), "secret"));
	for (one = p.schemas; one != NULL; one = one->next)
		if (strcmp(one->name, "A") == 0)
			assert_null(strstr(arena_strndup(arena, one->data.p, one->data.n), "secret"));
}

static void
samples_are_requests(void **state)
{
	struct openapi_parts p = parts_of(pets);
	const char *curl = at(p.operations, "/samples/0/source"), *put = at(p.operations->next, "/samples/0/source");
	const char *http = at(p.operations, "/samples/7/source");

	(void)state;
	assert_string_equal(curl, "curl -X GET 'https://eu.example.com/v1/pets/7?q=a%20b' \\\n  -H 'X-Key: YOUR_API_KEY'");
	assert_non_null(strstr(put, "-H 'Authorization: Bearer YOUR_TOKEN'"));
	assert_non_null(strstr(put, "-d '{\n  \"name\": \"Rex\""));
	assert_null(at(p.operations, "/samples/8"));
	assert_string_equal(http, "GET /v1/pets/7?q=a%20b HTTP/1.1\nHost: eu.example.com\nX-Key: YOUR_API_KEY\n");
	assert_string_equal(at(p.operations, "/samples/1/lang"), "javascript");
	assert_string_equal(at(p.operations, "/samples/2/label"), "Python");
}

#define SAMPLED(samples) "openapi: 3.0.3\ninfo: {title: T, version: '1'}\npaths: {/a: {get: {" samples ", responses: {'200': {description: d}}}}}\n"

/* The author's samples replace the generated ones; those without a source replace nothing. */
static void
samples_of_the_author_come_instead(void **state)
{
	struct openapi_parts p = parts_of(SAMPLED("x-codeSamples: [{lang: Ruby, source: call}, {lang: Go, label: Our kit, source: go}, {lang: X}]"));

	(void)state;
	assert_string_equal(at(p.operations, "/samples/0/lang"), "Ruby");
	assert_string_equal(at(p.operations, "/samples/0/label"), "Ruby");
	assert_string_equal(at(p.operations, "/samples/0/source"), "call");
	assert_string_equal(at(p.operations, "/samples/1/label"), "Our kit");
	assert_null(at(p.operations, "/samples/2"));
	p = parts_of(SAMPLED("x-code-samples: [{lang: Ruby, source: call}]"));
	assert_string_equal(at(p.operations, "/samples/0/source"), "call");
	p = parts_of(SAMPLED("x-codeSamples: [{lang: Ruby}, 7]"));
	assert_string_equal(at(p.operations, "/samples/0/label"), "cURL");
}

/* Weighing ends, whatever encloses what. */
static void
cycles_of_schemas_are_weighed(void **state)
{
	struct openapi_parts p = parts_of("openapi: 3.0.3\ninfo: {title: T, version: '1'}\npaths: {/a: {get: {responses: {'200': {description: "
	    "d, content: {a/b: {schema: {$ref: '#/components/schemas/L'}}}}}}}}\ncomponents: {schemas: {L: {type: array, items: {$ref: "
	    "'#/components/schemas/L'}}, A: {allOf: [{$ref: '#/components/schemas/A'}, {$ref: '#/components/schemas/A'}]}, O: {properties: "
	    "{a: {$ref: '#/components/schemas/O'}, b: {$ref: '#/components/schemas/O'}, c: {$ref: '#/components/schemas/O'}}}}}\n");
	const struct openapi_schema *s;

	(void)state;
	for (s = p.schemas; s != NULL; s = s->next)
		assert_in_range(s->weight, 1, 5000);
	assert_in_range(p.operations->weight, 1, 5000);
}

/* Forms and files are sent as such, in each language. */
static void
samples_send_forms_and_files(void **state)
{
	struct openapi_parts p = parts_of("openapi: 3.1.0\ninfo: {title: T, version: '1'}\nservers: [{url: 'https://x.example'}]\npaths:\n"
	    "  /form: {post: {requestBody: {content: {application/x-www-form-urlencoded: {schema: {properties: {a: {example: b c}}}}}}}}\n"
	    "  /files: {post: {requestBody: {content: {multipart/form-data: {schema: {properties: {note: {example: n}, "
	    "file: {type: string, format: binary}}}}}}}}\n"
	    "  /bytes: {put: {requestBody: {content: {image/png: {schema: {type: string, format: binary}}}}}}\n"
	    "  '/{pet-id}': {put: {parameters: [{name: pet-id, in: path, required: true, schema: {type: string}}], requestBody: {content: "
	    "{application/json: {schema: {properties: {on: {type: boolean}, n: {type: 'null', default: null}}}}}}}}\n");
	static const char *const words[][3] = { { "--data-urlencode 'a=b c'", "--form-string 'note=n' \\\n  -F 'file=@FILE'", "--data-binary '@FILE'" },
		{ "new URLSearchParams({\n    \"a\": \"b c\"", "form.append(\"file\", input.files[0])", "body: input.files[0]" },
		{ "data={\n        \"a\": \"b c\"", "\"file\": open(\"FILE\", \"rb\")", "data=open(\"FILE\", \"rb\")" },
		{ "strings.NewReader(`a=b%20c`)", "CreateFormFile(\"file\", \"FILE\")", "os.Open(\"FILE\")" },
		{ "http_build_query([\n        'a' => 'b c'", "'file' => new CURLFile('FILE')", "file_get_contents('FILE')" },
		{ "ofString(\"a=b%20c\")", NULL, "ofFile(Path.of(\"FILE\"))" },
		{ "{ \"a\", \"b c\" }", "{ new StreamContent(File.OpenRead(\"FILE\")), \"file\", \"FILE\" }", "File.OpenRead(\"FILE\")" },
		{ "\n\na=b%20c", "name=\"file\"; filename=\"FILE\"", "BYTES OF THE FILE" } };
	static const char *const langs[] = { "bash", "javascript", "python", "go", "php", "java", "csharp", "http" };
	const struct openapi_operation *o = p.operations;
	const char *source;
	int i, k, n;

	(void)state;
	for (k = 0; k < 3; k++, o = o->next)
		for (i = n = 0; i < 8; i++) {
			if (words[i][k] == NULL)
				continue;
			assert_string_equal(at(o, arena_printf(arena, "/samples/%d/lang", n)), langs[i]);
			source = at(o, arena_printf(arena, "/samples/%d/source", n++));
			if (strstr(source, words[i][k]) == NULL)
				fail_msg("%s is not in %s", words[i][k], source);
		}
	/* What nobody gave is named after its parameter; literals are those of the language. */
	assert_non_null(strstr(at(o, "/samples/0/source"), "https://x.example/PET_ID"));
	assert_non_null(strstr(at(o, "/samples/2/source"), "json={\n        \"on\": True,\n        \"n\": None\n    }"));
}

/* Samples contain everything a request requires: cookies in one header, keys where the security scheme puts them. */
static void
samples_hold_what_is_required(void **state)
{
	struct openapi_parts p = parts_of("openapi: 3.0.3\ninfo: {title: T, version: '1'}\nservers: [{url: 'https://x.example'}]\n"
	    "security: [{q: [], c: []}]\n"
	    "paths: {/a: {post: {parameters: [{name: sid, in: cookie, required: true, schema: {type: string, example: 'a;b'}}, "
	    "{name: no, in: cookie, schema: {type: string}}, {name: n, in: query, required: true, schema: {type: integer}}], "
	    "requestBody: {content: {application/json: {schema: {type: string, example: Rex}}}}, "
	    "responses: {'204': {description: d}}}}}\n"
	    "components: {securitySchemes: {q: {type: apiKey, in: query, name: key}, c: {type: apiKey, in: cookie, name: k}}}\n");
	const char *curl = at(p.operations, "/samples/0/source");

	(void)state;
	assert_string_equal(curl, "curl -X POST 'https://x.example/a?n=1&key=YOUR_API_KEY' \\\n"
	    "  -H 'Cookie: k=YOUR_API_KEY; sid=a%3Bb' \\\n  -H 'Content-Type: application/json' \\\n  -d '\"Rex\"'");
	assert_non_null(strstr(at(p.operations, "/samples/1/source"), "body: JSON.stringify(\"Rex\")"));
}

/* Search finds what pages say: of a body's named schema, too. */
static void
words_are_those_of_the_page(void **state)
{
	static const char text[] = "openapi: 3.1.0\ninfo: {title: T, version: '1'}\nservers: [{url: 'https://addr.example', description: Livehost}]\n"
	    "security: [{door: ['pets:feed']}]\n"
	    "paths: {/a: {post: {operationId: addIt, summary: Titled, x-stability: betaish, "
	    "parameters: [{name: q, in: query, description: Whichone, schema: {type: string, enum: [redish], x-enumDescriptions: {redish: Likeblood}}}, "
	    "{name: hiddenone, in: query, x-internal: true, schema: {type: string}}], "
	    "requestBody: {description: Sendthis, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}, "
	    "examples: {sampled: {summary: Namedone, value: {x: valueword}}}}}}, "
	    "responses: {'200': {description: Donenow, headers: {X-Left: {description: Howmany, schema: {type: integer, default: defaultword}}}, "
	    "links: {further: {operationId: addIt, description: Gothere}}}}, "
	    "callbacks: {doneback: {'{$url}': {post: {requestBody: {content: {application/json: {schema: {type: object, "
	    "properties: {backprop: {type: string}}}}}}, responses: {'200': {description: Heardit}}}}}}}}}\n"
	    "components: {securitySchemes: {door: {type: oauth2, description: Askus, flows: {implicit: {authorizationUrl: 'https://in.example', "
	    "scopes: {'pets:feed': Feedthem}}}}}, schemas: {Pet: {allOf: [{$ref: '#/components/schemas/Base'}], properties: "
	    "{description: {type: string, title: Notawordlist}, owner: {$ref: '#/components/schemas/Person'}, "
	    "secretone: {x-internal: true, type: string}}}, Base: {properties: {basis: {type: string, description: Bedrock}}}, "
	    "Person: {properties: {surname: {type: string}}}, Loop: {allOf: [{$ref: '#/components/schemas/Loop'}]}}}\n";
	static const char *const has[] = { "addIt", "post /a", "betaish", "Whichone", "redish", "Likeblood", "Sendthis", "Pet", "sampled",
		"Namedone", "Donenow", "X-Left", "Howmany", "further", "Gothere", "doneback", "backprop", "Heardit", "Livehost", "door",
		"pets:feed", "Askus", "Feedthem", "basis", "Bedrock", "owner", "Notawordlist", "Person" };
	static const char *const lacks[] = { "hiddenone", "secretone", "valueword", "defaultword", "addr.example", "surname", "Titled" };
	struct openapi_parts p = parts_of(text);
	const struct openapi_schema *s = p.schemas;

	(void)state;
	for (size_t i = 0; i < sizeof(has) / sizeof(has[0]); i++)
		if (strstr(p.operations->words, has[i]) == NULL)
			fail_msg("%s is not in %s", has[i], p.operations->words);
	for (size_t i = 0; i < sizeof(lacks) / sizeof(lacks[0]); i++)
		if (strstr(p.operations->words, lacks[i]) != NULL)
			fail_msg("%s is in %s", lacks[i], p.operations->words);
	/* A model has its own properties, and those of its parts. */
	assert_non_null(strstr(s->words, "owner"));
	assert_non_null(strstr(s->words, "basis"));
	assert_null(strstr(s->words, "surname"));
	assert_string_equal(s->next->next->next->words, "Loop");
}

/* The words of one operation are bounded, whatever it has. */
static void
words_are_bounded(void **state)
{
	struct openapi_parts p;
	struct buf b;

	(void)state;
	buf_init(&b, arena, 16 << 20);
	buf_str(&b, "{\"openapi\":\"3.0.3\",\"info\":{\"title\":\"T\",\"version\":\"1\"},\"paths\":{\"/a\":{\"get\":{\"responses\":{\"200\":"
	    "{\"description\":\"d\",\"content\":{\"application/json\":{\"schema\":{\"type\":\"object\",\"properties\":{\"p\":{}");
	for (int i = 0; i < 5000; i++)
		buf_printf(&b, ",\"member\u00e9%d\":{\"type\":\"string\",\"description\":\"the same for all\"}", i);
	buf_str(&b, "}}}}}}}}}}");
	p = parts_of(b.p);
	assert_in_range(strlen(p.operations->words), 7900, 8000);
	/* What comes first is there, and no text twice. */
	assert_non_null(strstr(p.operations->words, "get /a"));
}

/* A line break in a value would begin another header, or end the headers. */
static void
samples_keep_their_lines(void **state)
{
	struct openapi_parts p = parts_of("{\"openapi\":\"3.0.3\",\"info\":{\"title\":\"T\",\"version\":\"1\"},"
	    "\"servers\":[{\"url\":\"https://{h}/v\\r\\nEvil: 1\",\"variables\":{\"h\":{\"default\":\"x.example\\nEvil: 2\"}}}],"
	    "\"paths\":{\"/a\\nEvil: 3\":{\"get\":{\"parameters\":[{\"name\":\"X-A\\r\\nEvil\",\"in\":\"header\","
	    "\"required\":true,\"schema\":{\"type\":\"string\"},\"example\":\"v\\r\\nEvil: 4\"},{\"name\":\"c\\nEvil\","
	    "\"in\":\"cookie\",\"required\":true,\"schema\":{\"type\":\"string\"},\"example\":\"5\\nEvil: 5\"}],"
	    "\"responses\":{\"200\":{\"description\":\"d\"}}}}}}");
	const char *http = at(p.operations, "/samples/7/source");

	(void)state;
	assert_string_equal(http, "GET /v%0D%0AEvil: 1/a%0AEvil: 3 HTTP/1.1\nHost: x.example%0AEvil: 2\n"
	    "Cookie: c Evil=5%20Evil%3A%205\n");
	assert_null(strstr(at(p.operations, "/samples/0/source"), "\nEvil"));
}

/* curl reads files for values and names that begin with @ and <, and options from what begins with a hyphen. */
static void
samples_read_no_files_of_the_reader(void **state)
{
	struct openapi_parts p = parts_of("openapi: 3.2.0\ninfo: {title: T, version: '1'}\nservers: [{url: '-K/etc/x'}]\npaths:\n"
	    "  /text: {post: {requestBody: {content: {text/plain: {example: '@/etc/passwd'}}}, parameters: [{name: '@/etc/passwd', in: header, "
	    "required: true, schema: {type: string}}, {name: X-A, in: header, required: true, schema: {type: string}, example: '@/etc/passwd'}]}}\n"
	    "  /files: {post: {requestBody: {content: {multipart/form-data: {schema: {properties: {a: {example: '@/etc/passwd'}, "
	    "b: {example: '</etc/passwd'}, 'c=@/etc/passwd': {example: d}, 'e=@/etc/passwd;': {type: string, format: binary}, "
	    "'f\"g': {type: string, format: binary}}}}}}}}\n"
	    "  /form: {post: {requestBody: {content: {application/x-www-form-urlencoded: {schema: {properties: {a: {example: '@/etc/passwd'}, "
	    "'@/etc/passwd': {example: b}, 'c&d=e': {example: f}}}}}}}}\n");
	const struct openapi_operation *o = p.operations;

	(void)state;
	assert_string_equal(at(o, "/samples/0/source"), "curl -X POST --url '-K/etc/x/text' \\\n  -H 'X-A: @/etc/passwd' \\\n"
	    "  -H 'Content-Type: text/plain' \\\n  --data-raw '@/etc/passwd'");
	o = o->next;
	assert_string_equal(at(o, "/samples/0/source"), "curl -X POST --url '-K/etc/x/files' \\\n  --form-string 'a=@/etc/passwd' \\\n"
	    "  --form-string 'b=</etc/passwd' \\\n  --form-string 'c=@/etc/passwd=d' \\\n  -F 'f\"g=@FILE'");
	assert_non_null(strstr(at(o, "/samples/6/source"), "name=\"f%22g\"; filename"));
	o = o->next;
	assert_string_equal(at(o, "/samples/0/source"), "curl -X POST --url '-K/etc/x/form' \\\n  --data-urlencode 'a=@/etc/passwd' \\\n"
	    "  --data-urlencode '%40%2Fetc%2Fpasswd=b' \\\n  --data-urlencode 'c%26d%3De=f'");
}

/* Of what is too long to be read, the name is kept; the one example is made from the schema instead. */
static void
long_examples_are_named(void **state)
{
	struct openapi_parts p;
	const char *all;
	struct buf b;
	int i;

	(void)state;
	buf_init(&b, arena, 4 << 20);
	buf_str(&b, "{\"openapi\":\"3.0.3\",\"info\":{\"title\":\"T\",\"version\":\"1\"},\"paths\":{\"/a\":{\"get\":{\"responses\":{\"200\":{"
	    "\"description\":\"d\",\"content\":{\"a/b\":{\"schema\":{\"type\":\"integer\"},\"examples\":{");
	for (i = 0; i < 14; i++)
		buf_printf(&b, "%s\"e%d\":{\"summary\":\"S%d\",\"value\":\"%0*d\"}", i > 0 ? "," : "", i, i, i == 0 ? 70000 : 60000, i);
	buf_str(&b, "}}}}}}}}}");
	p = parts_of(b.p);
	assert_string_equal(at(p.operations, "/responses/200/content/a~1b/example"), "1");
	assert_string_equal(at(p.operations, "/responses/200/content/a~1b/examples/e0"), "{\"summary\":\"S0\"}");
	assert_int_equal(strlen(at(p.operations, "/responses/200/content/a~1b/examples/e1/value")), 60000);
	assert_non_null(at(p.operations, "/responses/200/content/a~1b/examples/e8/value"));
	assert_string_equal(at(p.operations, "/responses/200/content/a~1b/examples/e13"), "{\"summary\":\"S13\"}");
	all = at(p.operations, "/responses/200/content/a~1b/examples");
	assert_in_range(strlen(all), 400000, 530000);
}

/* Swagger 2.0 is converted to the form of OpenAPI 3. */
static void
old_versions_look_new(void **state)
{
	struct openapi_parts p = parts_of("swagger: '2.0'\ninfo: {title: T, version: '1'}\nhost: x.example\n"
	    "basePath: /v2\nschemes: [https]\nconsumes: [application/json]\nproduces: [application/json]\n"
	    "securityDefinitions: {b: {type: basic}, o: {type: oauth2, flow: application, tokenUrl: 'https://t', "
	    "scopes: {r: read}}}\nsecurity: [{b: []}, {o: [r]}]\n"
	    "paths: {/a: {post: {parameters: [{name: body, in: body, required: true, schema: {$ref: '#/definitions/A'}}, "
	    "{name: n, in: query, type: integer}], responses: {'200': {description: ok, schema: {$ref: '#/definitions/A'}}}}},"
	    " /f: {post: {parameters: [{name: file, in: formData, type: file, required: true}], responses: {'200': "
	    "{description: ok}}}}}\ndefinitions: {A: {type: object, properties: {x: {type: string}}}}\n");
	const struct openapi_operation *o = p.operations;

	(void)state;
	assert_string_equal(at(o, "/servers/0/url"), "https://x.example/v2");
	assert_string_equal(at(o, "/requestBody/content/application~1json/schema/$ref"), "#/components/schemas/A");
	assert_string_equal(at(o, "/requestBody/required"), "true");
	assert_string_equal(at(o, "/parameters"), "[{\"name\":\"n\",\"in\":\"query\",\"schema\":{\"type\":\"integer\"},\"example\":1,\"exampleMade\":true}]");
	assert_string_equal(at(o, "/responses/200/content/application~1json/example"), "{\"x\":\"text\"}");
	assert_string_equal(at(o, "/securitySchemes/b"), "{\"type\":\"http\",\"scheme\":\"basic\"}");
	assert_string_equal(at(o, "/securitySchemes/o/flows/clientCredentials/tokenUrl"), "https://t");
	assert_string_equal(at(o->next, "/requestBody/content/multipart~1form-data/schema/required"), "[\"file\"]");
	assert_string_equal(at(o->next, "/requestBody/content/multipart~1form-data/schema/properties/file"),
	    "{\"type\":\"string\",\"format\":\"binary\"}");
}

/* Circular references without a name, texts that look like HTML or shell code, and quotation marks. */
static void
hostile_texts_stay_texts(void **state)
{
#define PLACE "#/paths/~1a'b%22{x}/get/parameters/0/schema"
	struct openapi_parts p = parts_of("{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"<script>alert(1)</script>\","
	    "\"version\":\"1\"},\"servers\":[{\"url\":\"https://x.example/'; rm -rf ~ #\"}],"
	    "\"paths\":{\"/a'b\\\"{x}\":{\"get\":{\"summary\":\"<img src=x onerror=alert(1)>\",\"parameters\":["
	    "{\"name\":\"x\",\"in\":\"path\",\"required\":true,\"schema\":{\"items\":{\"items\":{\"$ref\":\"" PLACE "\"},"
	    "\"not\":{\"$ref\":\"" PLACE "/items\"}}}}],\"responses\":{\"200\":{\"description\":\"d\"}}}}}}");
	const char *curl = at(p.operations, "/samples/0/source");

	(void)state;
	assert_non_null(strstr(curl, "'\\''; rm -rf ~ #"));
	assert_non_null(strstr(at(p.operations, "/samples/1/source"), "\\\""));
	assert_string_equal(p.operations->title, "<img src=x onerror=alert(1)>");
}

/* 10^5 operations, tags with equal slugs, schemas that all refer to each other: linear time, bounded memory. */
static void
large_descriptions_end(void **state)
{
	struct openapi_parts p;
	const struct openapi_operation *o;
	struct buf b;
	size_t n = 0;
	int i;

	(void)state;
	buf_init(&b, arena, 64 << 20);
	buf_str(&b, "{\"openapi\":\"3.0.0\",\"info\":{\"title\":\"T\",\"version\":\"1\"},\"paths\":{");
	for (i = 0; i < 100000; i++)
		buf_printf(&b, "%s\"/p%d\":{\"get\":{\"tags\":[\"!%d\"],\"responses\":{\"200\":{\"description\":\"d\"}}}}",
		    i == 0 ? "" : ",", i, i % 20000);
	buf_str(&b, "},\"components\":{\"schemas\":{");
	for (i = 0; i < 5000; i++)
		buf_printf(&b, "%s\"S%d\":{\"properties\":{\"a\":{\"$ref\":\"#/components/schemas/S%d\"},"
		    "\"b\":{\"$ref\":\"#/components/schemas/S%d\"}}}", i == 0 ? "" : ",", i, (i + 1) % 5000, (i * 7) % 5000);
	buf_str(&b, "}}}");
	p = parts_of(b.p);
	for (o = p.operations; o != NULL; o = o->next)
		n++;
	assert_int_equal(n, 100000);
}

/* Schemas that contain themselves many times, in parts and by references without names, end in short time. */
static void
branching_circles_end(void **state)
{
	struct buf b;
	int i;

	(void)state;
	buf_init(&b, arena, 1 << 20);
	buf_str(&b, "{\"openapi\":\"3.0.3\",\"info\":{\"title\":\"T\",\"version\":\"1\"},\"paths\":{\"/a\":{\"get\":{\"responses\":{\"200\":"
	    "{\"description\":\"x\",\"content\":{\"application/json\":{\"schema\":{\"type\":\"object\",\"properties\":{");
	for (i = 0; i < 10; i++)
		buf_printf(&b, "%s\"p%d\":{\"$ref\":\"#/paths/~1a/get/responses/200/content/application~1json/schema\"}", i > 0 ? "," : "", i);
	buf_str(&b, "}}}}},\"201\":{\"description\":\"x\",\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/A\"}}}}}}}},"
	    "\"components\":{\"schemas\":{\"A\":{\"allOf\":[");
	for (i = 0; i < 20; i++)
		buf_printf(&b, "%s{\"$ref\":\"#/components/schemas/A\"}", i > 0 ? "," : "");
	buf_str(&b, "]}}}}");
	assert_non_null(parts_of(b.p).operations);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(pages_follow_tags, set_up, tear_down),
		cmocka_unit_test_setup_teardown(tags_are_below_tags, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_overview_lists_servers_and_authentication, set_up, tear_down),
		cmocka_unit_test_setup_teardown(operations_are_whole, set_up, tear_down),
		cmocka_unit_test_setup_teardown(examples_are_made, set_up, tear_down),
		cmocka_unit_test_setup_teardown(hidden_members_are_in_no_example, set_up, tear_down),
		cmocka_unit_test_setup_teardown(samples_are_requests, set_up, tear_down),
		cmocka_unit_test_setup_teardown(samples_of_the_author_come_instead, set_up, tear_down),
		cmocka_unit_test_setup_teardown(words_are_those_of_the_page, set_up, tear_down),
		cmocka_unit_test_setup_teardown(words_are_bounded, set_up, tear_down),
		cmocka_unit_test_setup_teardown(cycles_of_schemas_are_weighed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(samples_send_forms_and_files, set_up, tear_down),
		cmocka_unit_test_setup_teardown(samples_hold_what_is_required, set_up, tear_down),
		cmocka_unit_test_setup_teardown(samples_keep_their_lines, set_up, tear_down),
		cmocka_unit_test_setup_teardown(samples_read_no_files_of_the_reader, set_up, tear_down),
		cmocka_unit_test_setup_teardown(long_examples_are_named, set_up, tear_down),
		cmocka_unit_test_setup_teardown(old_versions_look_new, set_up, tear_down),
		cmocka_unit_test_setup_teardown(hostile_texts_stay_texts, set_up, tear_down),
		cmocka_unit_test_setup_teardown(branching_circles_end, set_up, tear_down),
		cmocka_unit_test_setup_teardown(large_descriptions_end, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
