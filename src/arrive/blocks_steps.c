/* Converts the syntax of a page, one step for each kind of syntax that the reader's source uses. */
#include <string.h>

#include "blocks.h"

void
text_convert(struct arrival *t, struct arrival_page *p, struct text *text)
{
	static const struct {
		unsigned syntax;
		void   (*convert)(struct arrival *t, struct arrival_page *p, struct text *text);
	} steps[] = {
		{ SYNTAX_SNIPPETS | SYNTAX_BOOK | SYNTAX_VITE, convert_includes },
		{ SYNTAX_MDX, convert_mdx },
		{ SYNTAX_SHORTCODES, convert_shortcodes },
		{ SYNTAX_CONTAINERS, convert_containers },
		{ SYNTAX_ADMONITIONS, convert_admonitions },
		{ SYNTAX_WIKI, convert_wiki },
		{ SYNTAX_ATTRIBUTES, convert_attributes },
	};
	size_t i;

	memset(&t->included, 0, sizeof(t->included));
	for (i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		if (t->reader->syntax & steps[i].syntax)
			steps[i].convert(t, p, text);
	convert_fences(t, p, text);
}
