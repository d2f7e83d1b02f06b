/* Variables of a legacy book.json in texts (layout 2.6). */
#include "layout_fixture.h"

static const char book[] = "{\"title\": \"Handbook\", \"variables\": {\"name\": \"Acme\", \"url\": \"https://acme.example\", "
    "\"page\": \"guide\", \"n\": 3, \"on\": true, \"none\": null, \"list\": [\"a\", {\"b\": \"c\"}], "
    "\"deep\": {\"er\": {\"est\": \"down\"}, \"a-b\": \"dash\"}, \"br\u00e4u\": \"hell\"}}";

static const char *
body_text(struct tree *t, const char *path)
{
	struct str body;

	assert_true(layout_page_body(&t->layout, t->arena, tree_page(t, path), &body));
	return arena_strndup(t->arena, body.p, body.n);
}

static bool
has_setting(struct tree *t, const char *id)
{
	const struct layout_setting *s = t->layout.settings;

	while (s != NULL && strcmp(s->id, id) != 0)
		s = s->next;
	return s != NULL;
}

/*
 * {{ book.NAME }} is replaced everywhere in a text before it is parsed as Markdown; unknown names
 * stay, with a warning.
 */
static void
variables_are_replaced_in_every_spelling(void **state)
{
	static const struct {
		const char *in, *out;
	} rows[] = {
		{ "{{ book.name }} and {{book.name}}", "Acme and Acme" },
		{ "v{{book.n}}.{{ book.on }}", "v3.true" },
		{ "{{ book.deep.er.est }} {{ book[\"deep\"]['er'].est }} {{ book.deep.a-b }}", "down down dash" },
		{ "{{ book.list[0] }} {{ book.list.0 }} {{ book.list[1].b }}", "a a c" },
		{ "{{ book.br\xc3\xa4u }} {{ book['br\xc3\xa4u'] }}", "hell hell" },
		{ "[{{ book.name }}]({{ book.url }}/x?v={{ book.n }} \"{{ book.name }}\")", "[Acme](https://acme.example/x?v=3 \"Acme\")" },
		{ "![{{ book.name }}](img/{{ book.page }}.png)", "![Acme](img/guide.png)" },
		{ "```\ndocker pull acme:{{ book.n }}\n```\n`{{ book.n }}`", "```\ndocker pull acme:3\n```\n`3`" },
		{ "<a href=\"{{ book.url }}\">{{ book.name }}</a>", "<a href=\"https://acme.example\">Acme</a>" },
		{ "| {{ book.name }} |\n|---|", "| Acme |\n|---|" },
		{ "{{- book.name -}} {{ config.title }} {{ config.variables.n }}", "Acme Handbook 3" },
		{ "{% raw %}{{ book.name }}{% endraw %} {{ book.name }}", "{{ book.name }} Acme" },
		{ "{%- raw -%}{{ book.name }}\n{{ book.n }}{%- endraw -%}{{ book.n }}", "{{ book.name }}\n{{ book.n }}3" },
		{ "{% raw %}\n```\n{{ x }}\n```\n{% endraw %}\n{% hint %}{{ book.n }}{% endhint %}", "```\n{{ x }}\n```\n\n{% hint %}3{% endhint %}" },
		{ "{{ book.none }} {{ book.gone }} {{ book.deep }} {{ book.name | upper }} {{ book }}",
		  "{{ book.none }} {{ book.gone }} {{ book.deep }} {{ book.name | upper }} {{ book }}" },
		{ "{{ user.name }} {{ bookish.name }} {{ books }} {{{{ book.name }}}}", "{{ user.name }} {{ bookish.name }} {{ books }} {{Acme}}" },
		{ "{{ book.name\n}} {{ book.name } {{}} {{", "{{ book.name\n}} {{ book.name } {{}} {{" },
	};
	struct tree *t;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		t = tree_of("", "book.json", book, "README.md", rows[i].in, NULL);
		if (strcmp(body_text(t, "readme"), rows[i].out) != 0)
			fail_msg("%s\n%s", rows[i].in, body_text(t, "readme"));
		tree_free(t);
	}
}

/* Variables in the table of contents, frontmatter, headings and included texts; the lines of warnings. */
static void
variables_are_replaced_in_all_texts(void **state)
{
	struct tree *t;

	(void)state;
	t = tree_of("", "book.json", book, "SUMMARY.md", "* [About {{ book.name }}](README.md)\n* [G](guide/{{ book.page }}.md)\n"
	    "* [Site]({{ book.url }})\n", "README.md", "---\ndescription: Of {{ book.name }}\n---\n\n# {{ book.name }}\n\none\n\n"
	    "{{ book.gone }} {{ book.gone }}\n", "guide/guide.md", "# Guide\n\n{{ book.typo.x }}\n",
	    ".gitbook/includes/n.md", "---\ntitle: Note of {{ book.name }}\n---\n\nSee {{ book.url }}.\n", NULL);
	assert_string_equal(tree_outline(t), "D About Acme (readme)\nD G (guide/guide)\nL Site (site)\n");
	assert_non_null(strstr(tree_page(t, "readme")->props, "Of Acme"));
	assert_non_null(strstr(tree_page(t, "site")->props, "https://acme.example"));
	assert_string_equal(t->layout.includes->title, "Note of Acme");
	assert_true(str_eq(t->layout.includes->body, STR("See https://acme.example.\n")));
	tree_expect_warning(t, "README.md", 9, "{{ book.gone }} names no variable");
	tree_expect_warning(t, "guide/guide.md", 3, "{{ book.typo.x }} names no variable");
	assert_int_equal(t->layout.warning_count, 2);
	assert_true(has_setting(t, "book.json"));
	tree_free(t);
}

static void
book_json_is_found_beside_the_settings(void **state)
{
	struct tree *t;

	(void)state;
	/* book.json beside .gitbook.yaml, in its root, or without variables; without a book.json, braces are text. */
	t = tree_of("", "book.json", book, ".gitbook.yaml", "root: ./docs\n", "docs/README.md", "{{ book.name }}", NULL);
	assert_string_equal(body_text(t, "readme"), "Acme");
	tree_free(t);
	t = tree_of("", "docs/book.json", book, ".gitbook.yaml", "root: ./docs\n", "docs/README.md", "{{ book.name }}", NULL);
	assert_string_equal(body_text(t, "readme"), "Acme");
	tree_free(t);
	t = tree_of("", "book.json", "{}", "README.md", "{{ book.name }}", NULL);
	tree_expect_warning(t, "README.md", 1, "{{ book.name }} names no variable");
	assert_false(has_setting(t, "book.json"));
	tree_free(t);
	t = tree_of("", "README.md", "{{ book.name }}", "SUMMARY.md", "* [R](README.md)\n", NULL);
	assert_int_equal(t->layout.warning_count, 0);
	tree_free(t);
}

static void
a_text_that_grows_too_large_stays(void **state)
{
	struct tree *t;
	struct str all;
	size_t i;

	(void)state;
	/* A value of 60 kB, used thousands of times: the text stays as it is, with a warning. */
	t = tree_new();
	all = (struct str){ arena_alloc(t->arena, 100000), 99999 };
	for (i = 0; i < all.n; i++)
		((char *)all.p)[i] = "{{book.a}} "[i % 11];
	tree_add(t, str_of("README.md"), all);
	tree_add(t, str_of("SUMMARY.md"), str_of("* [R](README.md)\n"));
	tree_add(t, str_of("book.json"), str_of(arena_printf(t->arena, "{\"variables\":{\"a\":\"%060000d\"}}", 1)));
	assert_true(tree_try(t, ""));
	assert_int_equal(strlen(body_text(t, "readme")), all.n);
	tree_expect_warning(t, "README.md", 0, "larger than 1048576 bytes");
	tree_free(t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(variables_are_replaced_in_every_spelling),
		cmocka_unit_test(variables_are_replaced_in_all_texts),
		cmocka_unit_test(book_json_is_found_beside_the_settings),
		cmocka_unit_test(a_text_that_grows_too_large_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
