/*
 * Constructs of Markdown, HTML and tags that are compared with plain text, each a piece of which
 * bodies are made. For bench_worst and bench_worst_write.
 */
#ifndef OCTAVO_BENCH_CONSTRUCTS_H
#define OCTAVO_BENCH_CONSTRUCTS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

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
	{ "mail", "<a@b.c> " }, { "setext", "a\n=\n" }, { "headings-empty", "#\n" }, { "list-switch", "- a\n+ b\n" },
	{ "list-links", "- [a](b)\n" }, { "list-empty", "-\n" }, { "table-thin", "|a\n-|\n" },
	{ "table-links", "|[a](b)|\n|-|\n|[c](d)|\n\n" }, { "image-html", "<img src=\"a\">\n\n" },
	{ "link-html", "<a href=\"b\">c</a> " }, { "anchors-html", "<a id=\"b\"></a>\n\n# c\n" }, { "notes", "[^1]: a\n" },
	{ "emphasis-cjk", "**\xE4\xB8\xAD**\xE6\x96\x87" }, { "crlf", "a\r\n\r\n" }, { "if", "{% if a %}\nb\n{% endif %}\n" },
	{ "tabs", "{% tabs %}\n{% tab title=\"a\" %}\nb\n{% endtab %}\n{% endtabs %}\n" }, { "formulas", "$$\na\n$$\n" },
	{ "rules", "***\n\n" }, { "breaks", "a  \n" }, { "control", "\x01" }, { "invalid", "\xff" } };

static const char plain[] = "Some words that are plain text, and a few more of them to fill a line of it.\n";

enum { CONSTRUCTS = sizeof(constructs) / sizeof(*constructs) };

/* Cost of a construct and of plain text, in ms. */
struct cost { double construct, plain; };

static inline double
ratio(struct cost c)
{
	return c.construct / c.plain;
}

/* A body of at least so many bytes. */
static inline struct str
body_of(struct arena *a, const char *piece, size_t bytes)
{
	struct buf body;

	buf_init(&body, a, bytes + 200);
	while (body.n < bytes)
		buf_str(&body, piece);
	return buf_view(&body);
}

/*
 * The minimum of some rounds of each, alternating, so that a busy machine slows both. once:
 * processes one body and returns ms of processor time. Caches are warm then, as in a worker.
 */
static inline struct cost
cost(double (*once)(void *ctx, const char *piece, size_t bytes), void *ctx, int rounds, const char *piece, size_t bytes)
{
	struct cost best = { 1e9, 1e9 };
	double took;

	while (rounds-- > 0) {
		took = once(ctx, plain, bytes);
		best.plain = took < best.plain ? took : best.plain;
		took = once(ctx, piece, bytes);
		best.construct = took < best.construct ? took : best.construct;
	}
	return best;
}

/* Prints lines "CONSTRUCT MS PLAIN-MS", the worst ratio first. */
static inline void
costs_print(const struct cost all[CONSTRUCTS])
{
	size_t worst = 0, i;

	for (i = 0; i < CONSTRUCTS; i++)
		if (all[i].construct > 0 && ratio(all[i]) > ratio(all[worst]))
			worst = i;
	printf("%s %.2f %.2f\n", constructs[worst].name, all[worst].construct, all[worst].plain);
	for (i = 0; i < CONSTRUCTS; i++)
		if (i != worst && all[i].construct > 0)
			printf("%s %.2f %.2f\n", constructs[i].name, all[i].construct, all[i].plain);
}

#endif
