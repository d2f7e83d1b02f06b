/* Words, code and links that pages of other programs have only after a build (src/arrive). */
#include "arrive_fixture.h"

/* baseUrl is a template with a constant; an address that has it gets it no second time. */
static void
addresses_below_the_base_of_a_docusaurus_site_are_found(void **state)
{
	struct arrival *t;
	struct written *w;

	(void)state;
	put("docusaurus.config.js", "const BASE = '/docs';\nmodule.exports = {title: 'T', url: 'https://example.com', baseUrl: `${BASE}/`,\n"
	    "presets: [['classic', {docs: {routeBasePath: '/'}}]]};");
	put("sidebars.js", "module.exports = {a: ['one', {type: 'link', label: 'Two', href: '/docs/second'}]};");
	put("docs/one.md", "# One\n\n[two](/docs/second#part) [again](/second) [other](/docs/blog) [blog](/blog)\n");
	put("docs/two.md", "---\nslug: /second\n---\n# Two\n");
	t = arrived(&reader_docusaurus);
	w = written(t);
	assert_has(file_of(w, "one.md"), "[two](second.md#part) [again](second.md)");
	assert_has(file_of(w, "one.md"), "[other](https://example.com/docs/blog) [blog](https://example.com/docs/blog)");
	assert_has(file_of(w, "SUMMARY.md"), "* [Two](second.md)");
	assert_int_equal(warned(t, "no target that is here"), 0);
}

static void
a_template_that_is_a_program_has_no_value(void **state)
{
	(void)state;
	put("docusaurus.config.js", "const A = `${B}${B}`, B = `${C}${C}`, C = `${A}x`;\nmodule.exports = {title: `${process.env.T} docs`, url: `${A}`, "
	    "baseUrl: `/${C}`};");
	put("docs/one.md", "# One\n");
	assert_null(arrived(&reader_docusaurus)->title);
}

/* A component without content would leave a hole in the sentence. */
static void
components_in_sentences_become_words(void **state)
{
	struct arrival *t;
	const char *text;

	(void)state;
	put("docusaurus.config.js", "module.exports = {title: 'T'}");
	put("docs/a.mdx", "# A\n\nFirst the <Links.InputSelectors /> run, with <Links.Redux text=\"Redux 5\" />.\n\n"
	    "- <Links.Selector text={<b>Selector Function</b>} />\n\n<DocCardList />\n\nEnd.\n");
	t = arrived(&reader_docusaurus);
	text = file_of(written(t), "a.md");
	assert_has(text, "First the Input Selectors run, with Redux 5.");
	assert_has(text, "- Selector Function");
	assert_null(strstr(text, "Doc Card"));
	assert_int_equal(warned(t, "words stand in its place"), 3);
	assert_int_equal(warned(t, "<DocCardList> has no block here"), 1);
}

/* {* file *} of markdown-include-variants is code, {!file!} of mdx_include a text. */
static void
variants_of_includes_are_included(void **state)
{
	struct arrival *t;
	const char *text;

	(void)state;
	put("mkdocs.yml", "site_name: T\n");
	put("code/main.py", "import sys\n\nprint(1)\nprint(2)\nprint(3)\n");
	put("docs/part.md", "From a part.\n");
	put("docs/index.md", "# A\n\n{* code/main.py hl[2] *}\n\n{* code/main.py ln[1,4:5] *}\n\n{!part.md!}\n\n{!> ../code/main.py !}\n\n"
	    "{* code/none.py *}\n\n```\n{* code/main.py *}\n```\n");
	t = arrived(&reader_mkdocs);
	text = file_of(written(t), "README.md");
	assert_has(text, "\n```py\nimport sys\n\nprint(1)\nprint(2)\nprint(3)\n```\n");
	assert_has(text, "\n```py\nimport sys\nprint(2)\nprint(3)\n```\n");
	assert_has(text, "\nFrom a part.\n\nimport sys\n");
	assert_has(text, "\n```\n{* code/main.py *}\n```\n");
	assert_int_equal(warned(t, "\"code/none.py\" is not included"), 1);
	assert_int_equal(warned(t, "no page names are left out"), 0);
}

/* Otherwise the text below the item would be indented by less than that beside the dash, and become code. */
static void
an_icon_that_is_left_out_leaves_one_blank(void **state)
{
	struct written *w;

	(void)state;
	put("mkdocs.yml", "site_name: T\nmarkdown_extensions: [attr_list]\n");
	put("docs/index.md", "# A\n\n-   :octicons-bug-24: **B**\n\n    [:octicons-arrow-right-24: C][c]\n\n[c]: c.md\n");
	put("docs/c.md", "# C\n");
	w = written(arrived(&reader_mkdocs));
	assert_has(file_of(w, "README.md"), "-   **B**\n\n    [C][c]\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = { source_test(addresses_below_the_base_of_a_docusaurus_site_are_found),
		source_test(a_template_that_is_a_program_has_no_value), source_test(components_in_sentences_become_words),
		source_test(variants_of_includes_are_included), source_test(an_icon_that_is_left_out_leaves_one_blank) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
