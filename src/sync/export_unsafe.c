/*
 * Files that an export leaves out: files that could run where a repository is checked out, or that a
 * browser could run under a site's own address. Contract: export_parts.h.
 *
 * An SVG is checked the way a browser may read it: element names without their namespace, event
 * attributes by their prefix, addresses with their character references resolved. An SVG whose
 * content cannot be checked this way (entities that hold markup, UTF-16) is left out as well:
 * drawing programs need neither.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "export_parts.h"

static bool
has_suffix(const char *name, const char *end)
{
	size_t n = strlen(name), m = strlen(end);

	return n >= m && strcasecmp(name + n - m, end) == 0;
}

/* ---- SVG ---- */

static bool
is_blank(char c)
{
	return c != '\0' && strchr(" \t\r\n\f", c) != NULL;
}

static bool
has_word(struct str bytes, const char *word)
{
	size_t k, n = strlen(word);

	for (k = 0; k + n <= bytes.n; k++)
		if (strncasecmp(bytes.p + k, word, n) == 0)
			return true;
	return false;
}

/* The name without its namespace prefix: svg:script is a script. */
static struct str
local_name(struct str name)
{
	size_t i;

	for (i = name.n; i > 0; i--)
		if (name.p[i - 1] == ':')
			return str_slice(name, i, name.n);
	return name;
}

static bool
is_one_of(struct str name, const char *const *list)
{
	for (; *list != NULL; list++)
		if (name.n == strlen(*list) && strncasecmp(name.p, *list, name.n) == 0)
			return true;
	return false;
}

/* Elements that run code, or load other documents. */
static bool
element_runs(struct str name)
{
	static const char *const list[] = { "script", "foreignObject", "handler", "listener", "iframe", "embed", "object",
		NULL };

	return is_one_of(local_name(name), list);
}

/*
 * The character at p, with a character reference resolved; *used: its length in bytes. 0: the
 * reference cannot be resolved here.
 */
static unsigned
next_character(const char *p, const char *end, size_t *used)
{
	char digits[16], *stop;
	unsigned long c;
	size_t n;

	*used = 1;
	if (*p != '&')
		return (unsigned char)*p;
	for (n = 1; p + n < end && n < sizeof(digits) - 1 && p[n] != ';' && p[n] != '&'; n++)
		;
	if (p + n >= end || p[n] != ';')
		return '&';
	*used = n + 1;
	if (p[1] != '#')
		/*
		 * The five entities of XML itself never stand for a character of a scheme; the
		 * document may define all others.
		 */
		return strncmp(p, "&amp;", 5) == 0 || strncmp(p, "&lt;", 4) == 0 || strncmp(p, "&gt;", 4) == 0 ||
		    strncmp(p, "&quot;", 6) == 0 || strncmp(p, "&apos;", 6) == 0 ? '&' : 0;
	memcpy(digits, p + 2, n - 2);
	digits[n - 2] = '\0';
	c = strtoul(digits[0] == 'x' || digits[0] == 'X' ? digits + 1 : digits, &stop,
	    digits[0] == 'x' || digits[0] == 'X' ? 16 : 10);
	return *stop == '\0' && c < 0x110000 ? (unsigned)c : 0;
}

/* Browsers remove blanks and control characters from a scheme before they compare it. */
static bool
address_runs(struct str value)
{
	static const char *const schemes[] = { "javascript:", "vbscript:", "data:text/", "data:application/", "data:image/svg",
		NULL };
	const char *p = value.p, *end = value.p + value.n, *const *s;
	char text[32];
	size_t n = 0, used;
	unsigned c;

	for (; p < end && n < sizeof(text) - 1; p += used) {
		c = next_character(p, end, &used);
		if (c == 0)
			return true;
		if (c > ' ' && c < 0x7f)
			text[n++] = (char)c;
	}
	text[n] = '\0';
	for (s = schemes; *s != NULL; s++)
		if (strncasecmp(text, *s, strlen(*s)) == 0)
			return true;
	return false;
}

/* All event attributes begin with "on"; an unknown attribute of that form is refused, too. */
static bool
attribute_runs(struct str name, struct str value)
{
	static const char *const addresses[] = { "href", "src", "from", "to", "by", "values", "action", "formaction", NULL };
	struct str local = local_name(name);
	size_t i;

	if (local.n > 2 && strncasecmp(local.p, "on", 2) == 0)
		return true;
	if (strncasecmp(local.p, "attributeName", local.n) == 0)
		return str_starts(local_name(value), "on");
	if (!is_one_of(local, addresses))
		return false;
	/* The values of an animation are a list; each of them may be an address. */
	for (i = 0; i < value.n; i++)
		if ((i == 0 || value.p[i - 1] == ';') && address_runs(str_slice(value, i, value.n)))
			return true;
	return false;
}

/* The value after "=", quoted or not; moves *at to its end. */
static struct str
attribute_value(struct str s, size_t *at)
{
	size_t i = *at, from;
	char quote = i < s.n && (s.p[i] == '"' || s.p[i] == '\'') ? s.p[i] : '\0';

	from = quote != '\0' ? ++i : i;
	while (i < s.n && (quote != '\0' ? s.p[i] != quote : !is_blank(s.p[i]) && s.p[i] != '>'))
		i++;
	*at = i + (quote != '\0' && i < s.n);
	return str_slice(s, from, i);
}

/*
 * True if an attribute of the tag runs code. *at: after the element's name; moves to the end of the
 * tag.
 */
static bool
attributes_run(struct str s, size_t *at)
{
	size_t i = *at, from;
	struct str name, value;
	bool runs = false;

	while (i < s.n && s.p[i] != '>' && !runs) {
		if (is_blank(s.p[i]) || strchr("/\"'=", s.p[i]) != NULL) {
			i++;
			continue;
		}
		for (from = i; i < s.n && !is_blank(s.p[i]) && s.p[i] != '=' && s.p[i] != '>' && s.p[i] != '/'; i++)
			;
		name = str_slice(s, from, i);
		while (i < s.n && is_blank(s.p[i]))
			i++;
		value = STR("");
		if (i < s.n && s.p[i] == '=') {
			for (i++; i < s.n && is_blank(s.p[i]); i++)
				;
			value = attribute_value(s, &i);
		}
		runs = attribute_runs(name, value);
	}
	*at = i;
	return runs;
}

/*
 * True for entities that hold more than plain text: markup, other entities, or another file.
 * Illustrator declares plain ones.
 */
static bool
entities_run(struct str s)
{
	static const char start[] = "<!ENTITY";
	size_t i, k;

	for (i = 0; i + sizeof(start) <= s.n; i++) {
		if (strncasecmp(s.p + i, start, sizeof(start) - 1) != 0)
			continue;
		for (k = i + sizeof(start) - 1; k < s.n && s.p[k] != '>'; k++)
			if (strchr("<&%", s.p[k]) != NULL)
				return true;
		if (has_word(str_slice(s, i, k), "SYSTEM") || has_word(str_slice(s, i, k), "PUBLIC"))
			return true;
	}
	return false;
}

/* Comments and CDATA are scanned as well: parsers differ in where a comment ends. */
static bool
svg_runs(struct str s)
{
	size_t i = 0, from;

	if (memchr(s.p, '\0', s.n) != NULL || entities_run(s) || has_word(s, "<?xml-stylesheet"))
		return true;
	while (i < s.n) {
		if (s.p[i++] != '<' || i == s.n || strchr("/!?", s.p[i]) != NULL)
			continue;
		for (from = i; i < s.n && !is_blank(s.p[i]) && s.p[i] != '>' && s.p[i] != '/' && s.p[i] != '<'; i++)
			;
		if (element_runs(str_slice(s, from, i)) || attributes_run(s, &i))
			return true;
	}
	return false;
}

/* ---- all files ---- */

const char *
export_unsafe(const char *name, struct str bytes)
{
	static const char *const ends[] = { ".js", ".mjs", ".cjs", ".jsx", ".ts", ".html", ".htm", ".xhtml", ".shtml",
		".php", ".phtml", ".phar", ".cgi", ".pl", ".py", ".rb", ".sh", ".bash", ".bat", ".cmd", ".ps1", ".vbs",
		".exe", ".dll", ".com", ".scr", ".msi", ".jar", ".apk", ".htaccess" };
	size_t i;

	/* git~1 is the short name of .git on Windows (CVE-2019-1352 and others). */
	if (strncasecmp(name, ".git", 4) == 0 || strncasecmp(name, "git~", 4) == 0)
		return "a file of a name that means something to git is not exported: rename it";
	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (has_suffix(name, ends[i]))
			return "scripts, programs and HTML are not exported";
	if (bytes.n > 1 && (str_starts(bytes, "#!") || str_starts(bytes, "MZ") || str_starts(bytes, "\177ELF")))
		return "scripts and programs are not exported";
	if (has_suffix(name, ".svg") && bytes.n > 0 && svg_runs(bytes))
		return "an SVG that holds scripts is not exported";
	return NULL;
}
