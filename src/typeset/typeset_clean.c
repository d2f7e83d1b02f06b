/*
 * Sanitizes answers of octavo-typeset by an allowlist of elements and attributes. The program runs
 * third-party code on untrusted texts.
 */
#include <string.h>

#include "base/buf.h"
#include "typeset/typeset.h"

/*
 * MathML that KaTeX writes. Excluded: annotation-xml, maction, and everything that links, runs code
 * or embeds.
 */
static const char *const elements[] = {
	"annotation", "math", "menclose", "mfrac", "mi", "mlabeledtr", "mmultiscripts", "mn", "mo", "mover", "mpadded",
	"mphantom", "mprescripts", "mroot", "mrow", "ms", "mspace", "msqrt", "mstyle", "msub", "msubsup", "msup",
	"mtable", "mtd", "mtext", "mtr", "munder", "munderover", "none", "semantics",
};
/*
 * The allowed attributes. Excluded are href, style, class, id and event handlers. xmlns has no
 * effect in HTML, whatever its value is.
 */
static const char *const attributes[] = {
	"accent", "accentunder", "columnalign", "columnlines", "columnspacing", "depth", "display", "displaystyle",
	"encoding", "fence", "height", "largeop", "linethickness", "lspace", "mathbackground", "mathcolor",
	"mathsize", "mathvariant", "maxsize", "minsize", "movablelimits", "notation", "rowlines", "rowspacing", "rspace", "scriptlevel", "separator",
	"stretchy", "symmetric", "voffset", "width", "xmlns",
};

static bool
is_listed(const char *const *list, size_t n, struct str name)
{
	for (size_t i = 0; i < n; i++)
		if (str_is(name, list[i]))
			return true;
	return false;
}

/*
 * Returns the input unchanged, or p NULL if anything in it is not allowed. Spans must not nest, so
 * that a line can be cut anywhere by closing and reopening one span.
 */
struct str
typeset_clean_code(struct arena *a, struct str html)
{
	static const char open[] = "<span class=\"";
	size_t i = 0;
	bool within = false;

	(void)a;
	while (i < html.n) {
		struct str rest = str_slice(html, i, html.n);
		/* Outside of tags ">" must be escaped. */
		if (*rest.p == '>')
			return (struct str){ NULL, 0 };
		if (*rest.p != '<') {
			i++;
		} else if (!within && rest.n > 16 && str_starts(rest, open) && strchr("cksnft", rest.p[13]) != NULL &&
		    rest.p[13] != '\0' && rest.p[14] == '"' && rest.p[15] == '>') {
			within = true;
			i += 16;
		} else if (within && str_starts(rest, "</span>")) {
			within = false;
			i += 7;
		} else {
			return (struct str){ NULL, 0 };
		}
	}
	return within ? (struct str){ NULL, 0 } : html;
}

/*
 * Colors are names or hexadecimal numbers. Other attributes may have any value, since browsers
 * accept only numbers and keywords in them.
 */
static bool
is_allowed(struct str name, struct str value)
{
	if (!is_listed(attributes, sizeof(attributes) / sizeof(*attributes), name))
		return false;
	if (!str_is(name, "mathcolor") && !str_is(name, "mathbackground"))
		return true;
	return strspn(value.p, "#0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") >= value.n;
}

/*
 * Copies the allowed attributes of a tag; i: index after the tag's name. Returns the index after
 * the tag; 0: malformed.
 */
static size_t
copy_attributes(struct buf *out, struct str s, size_t i)
{
	while (i < s.n && s.p[i] == ' ') {
		size_t name = ++i, value;
		while (i < s.n && s.p[i] != '=' && s.p[i] != '>')
			i++;
		if (i + 1 >= s.n || s.p[i] != '=' || s.p[i + 1] != '"')
			return 0;
		value = i + 2;
		/* Parsers disagree about these characters in values. */
		for (i = value; i < s.n && s.p[i] != '"'; i++)
			if (s.p[i] == '<' || s.p[i] == '>')
				return 0;
		if (i == s.n)
			return 0;
		i++;
		if (is_allowed(str_slice(s, name, value - 2), str_slice(s, value, i - 1))) {
			buf_char(out, ' ');
			buf_put(out, str_slice(s, name, i));
		}
	}
	return i < s.n && s.p[i] == '>' ? i + 1 : 0;
}

/*
 * An element that is not allowed makes the whole formula invalid, since without it the formula
 * would have another meaning; attributes that are not allowed are dropped.
 */
struct str
typeset_clean_math(struct arena *a, struct str html)
{
	static const struct str none = { NULL, 0 };
	struct buf out;
	size_t i = 0, name, depth = 0;

	buf_init(&out, a, html.n + 64);
	while (i < html.n) {
		bool closing = i + 1 < html.n && html.p[i] == '<' && html.p[i + 1] == '/';
		/* Text is allowed within elements only. */
		if (html.p[i] == '>' || (html.p[i] != '<' && depth == 0))
			return none;
		if (html.p[i] != '<') {
			buf_char(&out, html.p[i++]);
			continue;
		}
		name = i += closing ? 2 : 1;
		while (i < html.n && html.p[i] >= 'a' && html.p[i] <= 'z')
			i++;
		if (!is_listed(elements, sizeof(elements) / sizeof(*elements), str_slice(html, name, i)) || (closing && depth == 0))
			return none;
		buf_str(&out, closing ? "</" : "<");
		buf_put(&out, str_slice(html, name, i));
		if ((i = copy_attributes(&out, html, i)) == 0)
			return none;
		buf_char(&out, '>');
		/*
		 * Count the depth without matching names: HTML parsers accept these elements in any
		 * order.
		 */
		depth += closing ? (size_t)-1 : 1;
	}
	return depth == 0 && out.n > 0 ? buf_view(&out) : none;
}
