/* Bodies with visible content, decided by the document, in whatever Markdown it is written. */
#include "doc_fixture.h"

#include "arena_fixture.h"
#include "base/utf8.h"

static void
bodies_that_show_nothing_are_empty(void **state)
{
	static const char *const all[] = {
		"", " \n\t ", "&nbsp;", "\u200B", "&#8203;\n\n&ZeroWidthSpace;", "\u00A0\u3000\u2028", "\u2060\uFEFF\u00AD",
		"\u3164", "\u2800", "\uFE0F\u200D", "\U000E0020", "<!-- x -->", "a <!-- x -->" + 2, "<!-- x\n\ny -->", "[a]: b",
		"[a]: b 'title'\n[c]: d", "> ", "> > <!-- x -->", "#", "## &nbsp;", "-", "1.",
		"* <!-- x -->", "<br>", "<br/>\n\n<br>", "<b></b>", "<p>&nbsp;</p>", "<div></div>", "[](https://example.com)",
		"**\u200B**", "```\n```", "```\n \n```", "|  |\n| - |\n|  |",
		"{% hint style=\"info\" %}\n\n{% endhint %}", "<details><summary></summary></details>",
		"$$\n\n$$", "{% columns %}\n{% column %}\n\n{% endcolumn %}\n{% endcolumns %}", "{% if visitor.x %}\n{% endif %}",
		"{% stepper %}\n{% step %}\n{% endstep %}\n{% endstepper %}", "<figure></figure>", "[^1]: x",
		"# <a id=\"x\"></a>", "[](/users/u3JpZ8nYqLk5WvTf6MxA)", "<table><tr><td></td></tr></table>",
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (doc_body_shows(str_of(all[i])))
			fail_msg("shown: %s", all[i]);
}

static void
bodies_that_show_something_are_not_empty(void **state)
{
	static const char *const all[] = {
		"x", ".", "\\", "&amp;", "&", "<", "***", "---", "é", "中", "\u0301", "\U0001F44D", ":+1:", "![](a.png)", "<img src=\"a.png\">",
		"<hr>", "&nbsp;x", "[a]: b\n\nc", "> x", "# x", "- x", "```\nx\n```", "{% code title=\"x\" %}\n```\n```\n{% endcode %}", "$$x$$",
		"|  |\n| - |\n| x |", "| x |\n| - |\n|  |", "<https://example.com>", "[x](y)", "[!\u200B[](a.png)](y)",
		"<details><summary>x</summary></details>", "<details><summary></summary>\n\nx\n\n</details>",
		"{% hint style=\"info\" %}\nx\n{% endhint %}", "{% embed url=\"https://example.com\" %}", "a[^1]\n\n[^1]: b",
		"[x](/users/u3JpZ8nYqLk5WvTf6MxA)", "{% nosuch %}", "<script>x</script>", "\xFF",
		"{% tabs %}\n{% tab title=\"x\" %}\n\n{% endtab %}\n{% endtabs %}",
		"[u](/broken/users/u \"mention\")", "<i class=\"fa-star\">:star:</i>", "<code class=\"expression\">visitor.x</code>",
		"<a href=\"https://example.com\" class=\"button primary\"></a>", "a $$x$$", "$$\nx\n$$", "{% file src=\"a.pdf\" %}",
		"{% include \"x\" %}", "{% content-ref url=\"a.md\" %}\n{% endcontent-ref %}", "<iframe src=\"https://a.example\"></iframe>",
		"<figure><img src=\"a.png\" alt=\"\"><figcaption></figcaption></figure>", "<figure><figcaption>x</figcaption></figure>",
		"| |\n|-|\n| ![](a.png) |", "| |\n|-|\n| :+1: |", "<details><summary></summary>\n\n![](a.png)\n\n</details>",
		"{% prompt description=\"x\" %}\n{% endprompt %}", "{% updates %}\n{% update date=\"2026-01-01\" %}\n\n{% endupdate %}\n{% endupdates %}",
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (!doc_body_shows(str_of(all[i])))
			fail_msg("not shown: %s", all[i]);
}

/* Typed cells hold values and no text. */
static void
typed_cells_show_their_values(void **state)
{
	static const char table[] = "<table data-view=\"cards\" data-header-hidden><thead><tr><th></th>"
		"<th data-type=\"checkbox\"></th></tr></thead><tbody><tr><td></td><td>%s</td></tr></tbody></table>";

	(void)state;
	assert_true(doc_body_shows(str_of(arena_printf(arena, table, "true"))));
	assert_false(doc_body_shows(str_of(arena_printf(arena, table, ""))));
}

/* Characters at the borders of the invisible ranges. */
static void
invisible_characters_show_nothing(void **state)
{
	static const uint32_t seen[] = { '!', '~', 0xA1, 0xAC, 0xAE, 0x1FFF, 0x2010, 0x2027, 0x2030, 0x205E, 0x2070, 0x27FF,
		0x2801, 0x3001, 0xFFF8 + 4, 0xFFFD, 0x378, 0xE000, 0x600 };
	static const uint32_t unseen[] = { 0, '\t', ' ', 0x7F, 0x85, 0xA0, 0xAD, 0x34F, 0x115F, 0x1680, 0x180E, 0x2000, 0x200F,
		0x2028, 0x202F, 0x2060, 0x206F, 0x2800, 0x3000, 0x3164, 0xFE00, 0xFEFF, 0xFFA0, 0xFFF9, 0xFFFB, 0xE0001, 0xE01EF };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(seen) / sizeof(*seen); i++)
		if (!utf8_visible(seen[i]))
			fail_msg("not seen: U+%04X", seen[i]);
	for (i = 0; i < sizeof(unseen) / sizeof(*unseen); i++)
		if (utf8_visible(unseen[i]))
			fail_msg("seen: U+%04X", unseen[i]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(bodies_that_show_nothing_are_empty, set_up, tear_down),
		cmocka_unit_test_setup_teardown(bodies_that_show_something_are_not_empty, set_up, tear_down),
		cmocka_unit_test_setup_teardown(typed_cells_show_their_values, set_up, tear_down),
		cmocka_unit_test(invisible_characters_show_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
