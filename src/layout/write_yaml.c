/* YAML scalars that every parser reads as the same text. Contract: layout_parts.h. */
#include <string.h>

#include "base/utf8.h"
#include "layout_parts.h"

/*
 * True if YAML 1.1 and 1.2 both allow the character unescaped: printable by YAML 1.2.2 section 5.1,
 * and no line end of YAML 1.1 section 4.2 (NEL, LS, PS), where PyYAML, libyaml and Psych end a
 * line.
 */
static bool
is_printable(uint32_t cp)
{
	return cp >= ' ' && (cp < 0x7f || cp > 0x9f) && cp != 0x2028 && cp != 0x2029 && cp != 0xfeff && cp != 0xfffe &&
	    cp != 0xffff;
}

/* Blanks that parsers trim, other than the space, for which there are separate rules. */
static bool
is_blank(uint32_t cp)
{
	return cp == 0xa0 || cp == 0x1680 || (cp >= 0x2000 && cp <= 0x200a) || cp == 0x202f || cp == 0x205f || cp == 0x3000;
}

bool
yaml_bare(const char *s)
{
	struct str rest = str_of(s);
	uint32_t cp = 0;
	size_t n;

	for (; (n = utf8_next(rest, &cp)) > 0; rest = str_slice(rest, n, rest.n))
		if (!is_printable(cp) || (is_blank(cp) && (rest.p == s || rest.n == n)))
			return false;
	return rest.n == 0;
}

bool
yaml_plain(const char *s)
{
	static const char *const words[] = { "null", "~", "true", "false", "yes", "no", "on", "off", "y", "n" };
	size_t i, n = strlen(s);

	/*
	 * The indicators of YAML 1.2 section 5.3, which no plain scalar may begin with; "=" and
	 * "<<" have a meaning in YAML 1.1.
	 */
	if (n == 0 || strchr("-?:,[]{}#&*!|>'\"%@`=< ", s[0]) != NULL || s[n - 1] == ' ' || s[n - 1] == ':')
		return false;
	/* Texts that some other parser could read as a number or a date are quoted, too. */
	if (strchr("0123456789.+", s[0]) != NULL || strstr(s, ": ") != NULL || strstr(s, " #") != NULL)
		return false;
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcasecmp(s, words[i]) == 0)
			return false;
	return yaml_bare(s);
}

/* Write double quotes as in JSON, and escape whatever YAML does not allow unescaped. */
void
yaml_quoted(struct buf *out, const char *s)
{
	struct str rest = str_of(s);
	uint32_t cp;
	size_t n;

	buf_char(out, '"');
	for (; (n = utf8_next(rest, &cp)) > 0; rest = str_slice(rest, n, rest.n)) {
		if (cp == '"' || cp == '\\')
			buf_printf(out, "\\%c", (char)cp);
		else if (cp == '\n')
			buf_str(out, "\\n");
		else if (is_printable(cp))
			buf_add(out, rest.p, n);
		else
			buf_printf(out, "\\u%04x", (unsigned)cp);
	}
	buf_char(out, '"');
}
