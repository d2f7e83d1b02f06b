/*
 * Definitions of footnotes: a client that reads a page as a document and writes it back unchanged
 * changes no byte of it, whether the definitions are used or not, and wherever they are.
 */
#include "arena_fixture.h"
#include "doc_fixture.h"
#include "edit/body_keep.h"
#include "seed_fixture.h"

/* The page after a client wrote back the document that it read. */
static const char *
written_back(struct str body)
{
	struct doc *d = read_back(arena, doc_text(arena, doc_parse(arena, body, NULL, NULL, NULL), true));
	struct str now;

	assert_non_null(d);
	now = body_keep(arena, body, NULL, str_of(markdown_of(arena, d)), NULL);
	return arena_strndup(arena, now.p, now.n);
}

/*
 * The page that a client writes from the document without the old bytes must stay the same when it
 * is written again.
 */
static void
expect_stable(struct str body)
{
	const struct doc *d = doc_parse(arena, body, NULL, NULL, NULL), *again;
	const char *one = markdown_of(arena, d);

	again = parse(arena, one);
	assert_string_equal(doc_text(arena, again, false), doc_text(arena, d, false));
	assert_string_equal(markdown_of(arena, again), one);
}

/* The pieces of the random bodies, listed one by one: each comes back byte for byte, with the keys of its blocks. */
static void
footnotes_come_back_byte_for_byte(void **state)
{
	static const char *const all[] = {
		"a\n\n[^x]: unused\n\nb[^y]\n\n[^y]: y",
		"[^x]: alone", "[^x]: first\n\na\n", "a\n\n[^x]: last\n", "a\n[^x]: right below\nb\n",
		"[^x]: one\n[^y]: two\n\na\n", "a[^y]\n\n[^y]: y\n[^x]: unused\n[^z]: too\n\nb\n",
		"a\n\n[^x]: one\n\n    two\n\n    - three\n\nb\n",
		/* Of several definitions with one label the first counts, used or not. */
		"a\n\n[^x]: one\n[^x]: two\n\nb\n", "a[^x]\n\n[^x]: one\n\nb\n\n[^x]: two\n",
		/* A definition inside another one, even inside one that does not count. */
		"[^x]: a\n    [^y]: b\n\nc\n", "[^x]: a\n    [^y]: b\n\nc[^y]\n", "[^x]: 1\n[^x]: a\n    [^y]: b\n\n[^y]: c\n\nd\n",
		"[^x]: of [^x]\n    [^y]: itself [^y]\n\n[^z]: q\n\na\n",
		"- a\n\n  [^x]: in a list\n\n  b\n- c\n", "> a\n>\n> [^x]: in a quote\n\nb\n",
		"{% hint style=\"info\" %}\n[^x]: in a tag\n\na\n{% endhint %}\n\nb\n",
		"<details>\n\n<summary>s</summary>\n\n[^x]: y\n\nz\n\n</details>\n",
		/* Text that only looks like a definition, and link definitions next to one. */
		"a\n\n    [^x]: code\n\n```\n[^x]: code\n```\n\n[^x]: none\n", "[^x]: y\n\n[r]: https://a.example/\n\n[s][r]\n",
		/* A label that is a number is not given to another footnote. */
		"a[^y] b[^z]\n\n[^1]: unused\n\n[^y]: y\n\n[^z]: z\n",
	};
	struct str body;

	(void)state;
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		body = str_of(all[i]);
		assert_string_equal(written_back(body), all[i]);
		expect_stable(body);
	}
}

/* Unused footnotes keep their place and are not shown. */
static void
unused_footnotes_stay_in_place(void **state)
{
	(void)state;
	assert_string_equal(markdown_of(arena, parse(arena, "a\n\n[^x]: unused\n\nb[^y]\n\n[^y]: y")),
	    "a\n\n[^x]: unused\n\n[b](#user-content-fn-1)[^1]\n\n[^1]: y\n");
	assert_string_equal(markdown_of(arena, parse(arena, "a[^y]\n\n[^1]: unused\n\n[^y]: y")),
	    "[a](#user-content-fn-2)[^2]\n\n[^1]: unused\n\n[^2]: y\n");
	/*
	 * All lines of a definition are kept, up to the next block; a second definition of the same
	 * label is dropped.
	 */
	assert_string_equal(markdown_of(arena, parse(arena, "[^x]: a\nb\n## H\n")), "[^x]: a\nb\n\n## H\n");
	assert_string_equal(markdown_of(arena, parse(arena, "[^x]: 1\n[^x]: a\n    [^y]: b\n\nc\n")), "[^x]: 1\n\nc\n");
	assert_string_equal(markdown_of(arena, parse(arena, "a\n\n   [^x]: b\n")), "a\n\n[^x]: b\n");
	/* Inside a tag, at the old place. */
	assert_string_equal(markdown_of(arena, parse(arena, "{% hint style=\"info\" %}\na\n\n[^x]: b\n\nc\n{% endhint %}\n")),
	    "{% hint style=\"info\" %}\na\n\n[^x]: b\n\nc\n{% endhint %}\n");
	assert_string_equal(markdown_of(arena, parse(arena, "a\n\n   [^x]: b\n    c\n")), "a\n\n[^x]: b\n    c\n");
	assert_string_equal(markdown_of(arena, parse(arena, "-\t[^x]: b\n")), "*   [^x]: b\n");
	/*
	 * In an item and in a quote, with only their own lines; one more space of indentation
	 * belongs to the definition.
	 */
	assert_string_equal(markdown_of(arena, parse(arena, "* a\n\n  [^x]: b\n\n      c\n\n  d\n* e\n")),
	    "*   a\n\n    [^x]: b\n\n        c\n\n    d\n* e\n");
	assert_string_equal(markdown_of(arena, parse(arena, "1. a\n   > [^x]: b\n   > c\n   >\n   > d\n")),
	    "1.  a\n\n    > [^x]: b\n    > c\n    >\n    > d\n");
	assert_string_equal(markdown_of(arena, parse(arena, "- a\n\n     [^x]: b\n\n      c\n")),
	    "*   a\n\n    [^x]: b\n\n        c\n");
	assert_string_equal(markdown_of(arena, parse(arena, "> [^x]: b\n\n[r]: https://a.example/\n\nc\n")), "> [^x]: b\n\nc\n");
	assert_string_equal(markdown_of(arena, parse(arena, "- [^x]: b\n  [^y]: c\n- d\n")), "*   [^x]: b\n\n    [^y]: c\n* d\n");
	assert_false(doc_body_shows(STR("[^x]: unused\n")));
	assert_false(doc_body_shows(STR("> [^x]: unused\n")));
	assert_true(doc_body_shows(STR("[^x] unused\n")));
}

/*
 * Definitions whose block is plain text in the document, or has no place in it: they are kept
 * although the client did not send them back.
 */
static void
footnotes_of_plain_text_are_kept(void **state)
{
	static const char *const all[] = { "Some <a class=\"button primary\" href=\"https://x.example/\">go[^x]</a> y\n",
		"Some <code class=\"expression\">space.vars.x[^x]</code> y\n",
		"[a[^x]](x.md \"mention\")\n", "Some <i class=\"fa-x\">e[^x]</i> y\n",
		"{% openapi src=\"x.yaml\" path=\"/\" method=\"get\" %}\nx[^x]\n{% endopenapi %}\n" };
	struct str body;
	const char *now;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		body = str_of(arena_printf(arena, "a\n\n%s\n[^x]: The note.\n\nb\n", all[i]));
		assert_string_equal(written_back(body), body.p);
		expect_stable(body);
		now = markdown_of(arena, parse(arena, body.p));
		if (strstr(now, "\n\n[^x]: The note.\n\nb\n") == NULL)
			fail_msg("%s", now);
	}
	/* A definition that is part of another block in the document is written with that block. */
	assert_string_equal(markdown_of(arena, parse(arena, "Some <a class=\"button primary\" href=\"https://x.example/\">go[^x]</a> y\n\n[^x]: y\n\nb[^x]\n")),
	    "Some <a href=\"https://x.example/\" class=\"button primary\">go</a> y\n\n[b](#user-content-fn-1)[^1]\n\n[^1]: y\n");
	/* Titles of columns keep theirs. */
	assert_string_equal(markdown_of(arena, parse(arena, "| a[^x] | b |\n|---|---|\n| 1 | 2 |\n\n[^x]: y\n")),
	    "| [a](#user-content-fn-1)[^1] | b   |\n| --------------------------- | --- |\n| 1                           | 2   |\n\n[^1]: y\n");
}

/* The page after a client changed one letter of the document that it read. */
static const char *
edited(const char *old, char from, char to)
{
	char *sent = arena_strdup(arena, markdown_of(arena, parse(arena, old)));
	struct str now;

	*strrchr(sent, from) = to;
	now = body_keep(arena, str_of(old), NULL, str_of(sent), NULL);
	return arena_strndup(arena, now.p, now.n);
}

/* An edit of a sentence changes only its block, and blocks that need a definition after it. */
static void
an_edit_keeps_other_footnotes(void **state)
{
	static const char old[] = "- a\n\n\n[^x]: unused\n\n*b*[^y]\n\n- c\n\n[^z]:  too\n\n\nd\n\n[^y]:  y";

	(void)state;
	assert_string_equal(edited(old, 'c', 'C'),
	    "- a\n\n\n[^x]: unused\n\n*b*[^y]\n\n* C\n\n[^z]:  too\n\n\nd\n\n[^y]:  y");
	assert_string_equal(edited(old, 'd', 'D'),
	    "- a\n\n[^x]: unused\n\n_[b](#user-content-fn-1)[^1]_\n\n- c\n\n[^z]:  too\n\nD\n\n[^1]: y\n");
	/* In the same block as the edit. */
	assert_string_equal(edited("* a\n\n  [^x]:  unused\n* c\n\nd\n", 'c', 'C'),
	    "*   a\n\n    [^x]:  unused\n* C\n\nd\n");
	assert_string_equal(edited("> a\n>\n> [^x]:  unused\n>\n> c\n\nd\n", 'c', 'C'),
	    "> a\n>\n> [^x]:  unused\n>\n> C\n\nd\n");
}

static void
random_footnotes_come_back(void **state)
{
	static const char *const forms[] = { "Text N\n", "Some [^N] and [^M].\n", "# A heading\n", "---\n", "- a\n- b[^N]\n",
		"[^N]: The *note*.\n", "[^N]: One\n\n    two of [^M]\n", "[^N]: x\nlazy\n", "[^N]:\n    - a\n    - b\n",
		"[^N]: a\n    [^M]: b\n", "[^N]: doubled\n[^N]: doubled\n", "[^N]: a\n\n    [^M]: b\n\n    c\n",
		"- a\n\n  [^N]: in a list\n\n  b\n", "> a\n>\n> [^N]: in a quote\n", "> [^N]: alone in a quote\n",
		"- [^N]: alone in an item\n", "- > a\n  > [^N]: x\n  lazy\n\n      b\n", "1. a\n   - [^N]: deep\n     [^M]: too\n\n         b\n",
		"> [!NOTE]\n> [^N]: in an alert\n", "-\t[^N]: tab\n\n\t\tb\n", "- [ ] a\n\n    [^N]: task\n",
		"- {% hint style=\"info\" %}\n  a\n\n  [^N]: in both\n  {% endhint %}\n", "{% hint style=\"info\" %}\n[^N]: in a tag\n{% endhint %}\n",
		"{% hint style=\"info\" %}\na\n\n[^N]: in a tag\n\nb[^M]\n{% endhint %}\n",
		"{% tabs %}\n{% tab title=\"x\" %}\na\n\n[^N]: deep\n{% endtab %}\n{% endtabs %}\n",
		"<details>\n\n<summary>s</summary>\n\n[^N]: y\n\nz\n\n</details>\n", "| a[^N] | b |\n|---|---|\n| 1 | 2 |\n",
		"```\n[^N]: code\n```\n", "    [^N]: code too\n", "<!-- [^N]: none -->\n", "[rN]: https://b.example/\n",
		"text [x][rN]\n", "<div>\n[^N]: html\n</div>\n", "<table><tr><td>a<sup><a href=\"#user-content-fn-N\">[^N]</a></sup></td></tr></table>\n",
		"[^N]: ```\n    code\n    ```\n", "[^ N]: none\n", "[^xN]: word\n", "See[^xN].\n", "[^N]:\n", "[^N]: > q\n" };
	uint64_t seed, end = seeds(3000, &seed);
	struct str body;
	const char *now;
	struct buf b;
	struct rnd g;
	char *text;
	size_t n;

	(void)state;
	for (; seed < end; seed++) {
		g = (struct rnd){ seed };
		buf_init(&b, arena, 1 << 20);
		for (n = 1 + rnd(&g, 8); n > 0; n--) {
			text = arena_strdup(arena, forms[rnd(&g, sizeof(forms) / sizeof(*forms))]);
			for (char *p = text; *p != '\0'; p++)
				*p = *p == 'N' || *p == 'M' ? (char)('1' + rnd(&g, 4)) : *p;
			buf_str(&b, text);
			for (uint32_t k = rnd(&g, 8) == 0 ? 0 : 1 + rnd(&g, 2); k > 0; k--)
				buf_char(&b, '\n');
		}
		body = buf_view(&b);
		now = written_back(body);
		if (strcmp(now, b.p) != 0)
			fail_msg("OCTAVO_SEED=%llu: another page\n--- old\n%s--- written back\n%s---", (unsigned long long)seed, b.p, now);
		expect_stable(body);
		arena_reset(arena);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(footnotes_come_back_byte_for_byte, set_up, tear_down),
		cmocka_unit_test_setup_teardown(unused_footnotes_stay_in_place, set_up, tear_down),
		cmocka_unit_test_setup_teardown(footnotes_of_plain_text_are_kept, set_up, tear_down),
		cmocka_unit_test_setup_teardown(an_edit_keeps_other_footnotes, set_up, tear_down),
		cmocka_unit_test_setup_teardown(random_footnotes_come_back, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
