/*
 * The worst construct per byte: for each of many constructs of Markdown, HTML and
 * tags the processor time of a body of 32 KiB made of it, through the whole path of
 * a document (parse, JSON, sections, links), against plain text of the same size.
 * Prints "CONSTRUCT MS PLAIN-MS" a line, the worst ratio first line.
 *
 *   bench_worst [BYTES [CONSTRUCT]]
 */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "markdown/document.h"
#include "markdown/document_tree.h"

static const struct construct { const char *name, *piece; } constructs[] = {
	{ "quote", ">" }, { "quote-lines", ">\n" }, { "quote-words", "> a\n\n" }, { "quotes-nested", "> > > > a\n" },
	{ "list", "- a\n" }, { "list-nested", "- - - - a\n" }, { "list-ordered", "1. a\n" }, { "tasks", "- [ ] a\n" },
	{ "table-rows", "|a|b|\n|-|-|\n|c|d|\n\n" }, { "headings", "# a\n" }, { "paragraphs", "a\n\n" },
	{ "emphasis", "*a* " }, { "strong", "***a**b_c" }, { "unclosed", "*a _b " }, { "strike", "~~a~~ " },
	{ "code", "`a` " }, { "backquotes", "`a``b" }, { "fences", "```\na\n```\n" }, { "brackets", "[" },
	{ "links", "[a](b) " }, { "links-open", "[a](" }, { "images", "![a](b) " }, { "autolinks", "<http://a.b> " },
	{ "references", "[a]: b\n\n[a] " }, { "definitions", "[a]: b\n" }, { "footnotes", "a[^1]\n\n[^1]: b\n\n" },
	{ "entities", "&amp;" }, { "escapes", "\\*" }, { "emoji", ":smile: " }, { "colons", ":a" }, { "math", "$$a$$ " },
	{ "dollars", "$$a " }, { "tags", "{% hint style=\"info\" %}\na\n{% endhint %}\n" }, { "tags-open", "{% hint %}\n" },
	{ "tags-unknown", "{% x %}\n" }, { "braces", "{%" }, { "html-inline", "a <b>c</b> " }, { "html-blocks", "<b>x</b>\n\n" },
	{ "html-nested", "<b><i>" }, { "html-plain", "<u>" }, { "html-attribute", "<b a>" },
	{ "html-div", "<div>a</div>\n" }, { "details", "<details>\n\na\n\n</details>\n\n" },
	{ "comments", "<!-- a -->\n" }, { "angle", "<" }, { "html-table", "<table><tr><td>a</td></tr></table>\n\n" },
	{ "rules", "***\n\n" }, { "breaks", "a  \n" }, { "control", "\x01" }, { "invalid", "\xff" } };

static const char plain[] = "Some words that are plain text, and a few more of them to fill a line of it.\n";

/* Takes one body through the whole path; ms of processor time. */
static double
once(struct arena *a, const char *piece, size_t bytes)
{
	struct buf body, out;
	struct json j;
	struct doc *d;
	clock_t start;
	double took;
	size_t n;

	buf_init(&body, a, bytes + 200);
	while (body.n < bytes)
		buf_str(&body, piece);
	buf_init(&out, a, (size_t)1 << 30);
	json_init(&j, &out);
	start = clock();
	d = doc_parse(a, buf_view(&body), NULL, NULL, NULL);
	doc_json(&j, d);
	doc_sections(a, d, &n);
	doc_links(a, buf_view(&body));
	took = (double)(clock() - start) * 1000 / CLOCKS_PER_SEC;
	arena_reset(a);
	return took;
}

struct cost { double construct, plain; };

/*
 * The least of ROUNDS of each, taken by turns, so that a busy machine slows both.
 * The arena is warm, as a worker's is.
 */
static struct cost
cost(struct arena *a, const char *piece, size_t bytes)
{
	enum { ROUNDS = 7 };
	struct cost best = { 1e9, 1e9 };
	double took;

	for (int i = 0; i < ROUNDS; i++) {
		took = once(a, plain, bytes);
		best.plain = took < best.plain ? took : best.plain;
		took = once(a, piece, bytes);
		best.construct = took < best.construct ? took : best.construct;
	}
	return best;
}

static double
ratio(struct cost c)
{
	return c.construct / c.plain;
}

int
main(int argc, char **argv)
{
	enum { COUNT = sizeof(constructs) / sizeof(*constructs) };
	size_t bytes = argc > 1 ? strtoul(argv[1], NULL, 10) : 32 << 10, worst = 0, i;
	struct arena *a = arena_new((size_t)4 << 30);
	struct cost all[COUNT] = { { 0, 1 } };

	/* Without it libsodium hashes by its slowest code, which no program of ours does. */
	if (sodium_init() < 0)
		return 1;
	for (i = 0; i < COUNT; i++) {
		if (argc > 2 && strcmp(argv[2], constructs[i].name) != 0)
			continue;
		all[i] = cost(a, constructs[i].piece, bytes);
		worst = ratio(all[i]) > ratio(all[worst]) ? i : worst;
	}
	printf("%s %.2f %.2f\n", constructs[worst].name, all[worst].construct, all[worst].plain);
	for (i = 0; i < COUNT; i++)
		if (i != worst && all[i].construct > 0)
			printf("%s %.2f %.2f\n", constructs[i].name, all[i].construct, all[i].plain);
	arena_free(a);
	return 0;
}
