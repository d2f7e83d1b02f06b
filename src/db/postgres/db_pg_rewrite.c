/*
 * Texts of declared statements for PostgreSQL. Only words that differ are changed, outside of
 * strings, quoted names and comments:
 *
 *   :name              $1 for the first name of a statement, and so on
 *   AS INTEGER, BLOB   AS bigint, AS bytea: 64 bits on both engines
 *   x'00'              '\x00'::bytea
 *   substr(name, -1)   right(name, 1): a negative start counts from the end in SQLite only
 */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "db_pg.h"

enum { PARAMETERS = 64, TEXT_MOST = 1 << 30 };

static bool
is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* End of the string, quoted name or comment that begins at s; s: none begins there. */
static const char *
skip_quoted(const char *s)
{
	const char *end;
	char quote = *s;

	if (s[0] == '-' && s[1] == '-')
		return s + strcspn(s, "\n");
	if (s[0] == '/' && s[1] == '*')
		return (end = strstr(s + 2, "*/")) == NULL ? s + strlen(s) : end + 2;
	if (quote != '\'' && quote != '"')
		return s;
	for (end = s + 1; *end != '\0'; end++)
		if (*end == quote && end[1] != quote)
			return end + 1;
		else if (*end == quote)
			end++;
	return end;
}

/* The number of a parameter, from 1; adds its name if it is new. */
static int
number_of(struct arena *a, const char **names, int *count, struct str name)
{
	int i;

	for (i = 0; i < *count; i++)
		if (str_eq(str_of(names[i]), name))
			return i + 1;
	if (*count < PARAMETERS)
		names[(*count)++] = arena_strndup(a, name.p, name.n);
	return *count;
}

static bool
word_is(struct str word, const char *text)
{
	return word.n == strlen(text) && strncasecmp(word.p, text, word.n) == 0;
}

/* Writes one word; before: the word before it. */
static void
put_word(struct buf *b, struct str word, struct str before, bool *writes)
{
	*writes |= word_is(word, "INSERT") || word_is(word, "UPDATE") || word_is(word, "DELETE");
	if (word_is(before, "AS") && word_is(word, "INTEGER"))
		buf_str(b, "bigint");
	else if (word_is(before, "AS") && word_is(word, "BLOB"))
		buf_str(b, "bytea");
	else
		buf_add(b, word.p, word.n);
}

/* Writes substr(name, -1), which begins at s, and returns its end; s: it is none. */
static const char *
put_last_letter(struct buf *b, const char *s)
{
	static const char begin[] = "substr(", end[] = ", -1)";
	const char *name = s + sizeof(begin) - 1, *after = name;

	if (strncmp(s, begin, sizeof(begin) - 1) != 0)
		return s;
	while (is_word(*after))
		after++;
	if (strncmp(after, end, sizeof(end) - 1) != 0)
		return s;
	buf_printf(b, "right(%.*s, 1)", (int)(after - name), name);
	return after + sizeof(end) - 1;
}

char *
pg_rewrite(struct arena *a, const char *text, const char ***names, int *count, bool *writes)
{
	struct str word, before = { "", 0 };
	const char *s = text, *end;
	struct buf b;

	*names = arena_array(a, PARAMETERS, sizeof(**names));
	*count = 0;
	*writes = false;
	buf_init(&b, a, TEXT_MOST);
	while (*s != '\0') {
		if ((*s == 'x' || *s == 'X') && s[1] == '\'') {
			end = skip_quoted(s + 1);
			buf_printf(&b, "'\\x%.*s::bytea", (int)(end - s - 2), s + 2);
		} else if ((end = skip_quoted(s)) > s) {
			buf_add(&b, s, (size_t)(end - s));
		/* A cast of PostgreSQL, and no parameter. */
		} else if (s[0] == ':' && s[1] == ':') {
			buf_str(&b, "::");
			end = s + 2;
		} else if (*s == ':' && (isalpha((unsigned char)s[1]) || s[1] == '_')) {
			for (end = s + 1; is_word(*end); end++)
				;
			buf_printf(&b, "$%d", number_of(a, *names, count, (struct str){ s, (size_t)(end - s) }));
		} else if (is_word(*s) && (end = put_last_letter(&b, s)) > s) {
			before = (struct str){ "", 0 };
		} else if (is_word(*s)) {
			for (end = s; is_word(*end); end++)
				;
			word = (struct str){ s, (size_t)(end - s) };
			put_word(&b, word, before, writes);
			before = word;
		} else {
			end = s + 1;
			buf_char(&b, *s);
		}
		s = end;
	}
	return b.p;
}
