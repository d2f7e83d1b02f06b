/* Recognises what begins in a line by its first characters: an HTML block, or a footnote definition. */
#include <ctype.h>

#include "../doc_cost.h"
#include "../doc_parse.h"
#include "doc_scan.h"

bool
html_begins_block(struct str s)
{
	/*
	 * CommonMark 4.6, condition 6, and the names of condition 1 (pre, script, style, textarea).
	 */
	static const char *const names[] = {
		"address", "article", "aside", "base", "basefont", "blockquote", "body", "caption",
		"center", "col", "colgroup", "dd", "details", "dialog", "dir", "div", "dl", "dt",
		"fieldset", "figcaption", "figure", "footer", "form", "frame", "frameset", "h1", "h2",
		"h3", "h4", "h5", "h6", "head", "header", "hr", "html", "iframe", "legend", "li",
		"link", "main", "menu", "menuitem", "nav", "noframes", "ol", "optgroup", "option", "p",
		"param", "pre", "script", "search", "section", "source", "style", "summary", "table",
		"tbody", "td", "textarea", "tfoot", "th", "thead", "title", "tr", "track", "ul" };
	size_t from = 1, to;

	if (s.n < 3 || s.p[0] != '<')
		return false;
	if (s.p[1] == '!' || s.p[1] == '?')
		return true;
	from += s.p[1] == '/';
	for (to = from; to < s.n && isalnum((unsigned char)s.p[to]); )
		to++;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (str_is_nocase(str_slice(s, from, to), names[i]))
			return true;
	return false;
}

struct str
note_label(struct str line)
{
	size_t i = 0, from;

	while (i < line.n && i < 3 && line.p[i] == ' ')
		i++;
	if (i + 4 > line.n || line.p[i] != '[' || line.p[i + 1] != '^')
		return STR("");
	for (from = i += 2; i < line.n && line.p[i] != ']' && line.p[i] > ' ' && line.p[i] != '['; )
		i++;
	return i + 1 < line.n && line.p[i] == ']' && line.p[i + 1] == ':' ? str_slice(line, from, i) : STR("");
}
