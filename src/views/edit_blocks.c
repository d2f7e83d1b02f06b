/*
 * The blocks and marks that the script of the editor (src/views/editor.js) offers in its toolbar and after "/":
 * their labels, and their Markdown with a mark where the caret goes. Contract: space_parts.h.
 */
#include "space_parts.h"

/* Where the caret goes, and what was selected. Nobody types this character. */
#define CARET "\xe2\x80\xb8"

/* A column that is shown as the link of a card, and one that is shown as its picture. */
#define CARD_COLUMNS "<th data-hidden data-card-target data-type=\"content-ref\"></th><th data-hidden data-card-cover data-type=\"files\"></th>"
#define CARD_CELLS "<td></td><td><a href=\"\"></a></td><td><a href=\"\"></a></td>"

/*
 * kind "mark" is written into a line, "block" on lines of its own; "part" is one more part of a block, and is offered
 * there alone; "file" opens the choice of a file.
 */
static const struct block {
	const char *kind, *name;
	enum say    label;
	const char *markdown;
} blocks[] = {
	{ "mark", "bold", SAY_BOLD, "**" CARET "**" },
	{ "mark", "italic", SAY_ITALIC, "_" CARET "_" },
	{ "mark", "link", SAY_LINK, "[" CARET "]()" },
	{ "part", "step", SAY_ANOTHER_STEP, "{% step %}\n### " CARET "\n\n{% endstep %}" },
	{ "part", "tab", SAY_ANOTHER_TAB, "{% tab title=\"" CARET "\" %}\n\n{% endtab %}" },
	{ "part", "card", SAY_ANOTHER_CARD, "" },
	{ "part", "column", SAY_ANOTHER_COLUMN, "" },
	{ "block", "heading", SAY_HEADING, "## " CARET },
	{ "block", "list", SAY_LIST, "* " CARET },
	{ "block", "hint", SAY_HINT, "{% hint style=\"info\" %}\n" CARET "\n{% endhint %}" },
	{ "block", "tabs", SAY_TABS, "{% tabs %}\n{% tab title=\"" CARET "\" %}\n\n{% endtab %}\n\n{% tab title=\"2\" %}\n\n{% endtab %}\n{% endtabs %}" },
	{ "block", "stepper", SAY_STEPPER, "{% stepper %}\n{% step %}\n### " CARET "\n\n{% endstep %}\n\n{% step %}\n### 2\n\n{% endstep %}\n{% endstepper %}" },
	{ "block", "cards", SAY_CARDS, "<table data-view=\"cards\"><thead><tr><th></th><th></th>" CARD_COLUMNS "</tr></thead><tbody>\n"
	  "<tr><td><strong>" CARET "</strong></td>" CARD_CELLS "</tr>\n<tr><td><strong>2</strong></td>" CARD_CELLS "</tr>\n</tbody></table>" },
	{ "block", "expandable", SAY_EXPANDABLE, "<details>\n\n<summary>" CARET "</summary>\n\n\n\n</details>" },
	{ "block", "code", SAY_CODE, "```\n" CARET "\n```" },
	{ "block", "code-title", SAY_CODE_TITLE, "{% code title=\"" CARET "\" %}\n```\n\n```\n{% endcode %}" },
	{ "block", "math", SAY_MATH, "$$\n" CARET "\n$$" },
	{ "block", "table", SAY_TABLE, "| " CARET " |   |\n| --- | --- |\n|   |   |" },
	{ "file", "file", SAY_FILE, "" },
	{ "block", "embed", SAY_EMBED, "{% embed url=\"" CARET "\" %}" },
	{ "block", "page", SAY_CONTENT_REF, "{% content-ref url=\"" CARET "\" %}\n{% endcontent-ref %}" },
	{ "block", "openapi", SAY_OPERATION, "{% openapi-operation spec=\"" CARET "\" path=\"/\" method=\"get\" %}\n{% endopenapi-operation %}" },
	{ "block", "include", SAY_INCLUDE, "{% include \"" CARET "\" %}" },
};

void
write_blocks(struct view *v)
{
	h_el(&v->h, "ul", "id", "blocks", "hidden", "", NULL);
	for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++) {
		h_el(&v->h, "li", "data-kind", blocks[i].kind, "data-name", blocks[i].name, "data-markdown", blocks[i].markdown, NULL);
		h_text(&v->h, view_say(v, blocks[i].label));
		h_close(&v->h);
	}
	h_close(&v->h);
}
