/*
 * Estimates how long the libraries that read a text would take, for those of their steps that take
 * more than linear time. The steps are counted before a library is called:
 *
 *   cmark-gfm visits each open container once for each line: one line of deeply nested lists and
 *     many blank lines after it take depth times lines (parser S_process_line, check_open_blocks)
 *   cmark-gfm searches for the end of `<?`, `<!NAME` and `<![CDATA[` up to the end of the
 *     paragraph, once for each that is never closed (handle_pointy_brace)
 *   gumbo compares the name of each attribute with all before it in its tag (finish_attribute_name)
 *
 * The counts are upper bounds, found by a scan of the bytes without a parse. The limit grows with
 * the length of the text, so that the time stays linear in it. Ordinary texts stay a hundred times
 * below the limit.
 */
#include <ctype.h>

#include "../doc_cost.h"
#include "markdown/document_tree.h"

/*
 * The limit is proportional to the text, but at least four million steps, so that a short, deeply
 * nested text is accepted.
 */
enum { STEPS_A_BYTE = 64, STEPS_MIN = 4 << 20 };

/* True if the cost exceeds the limit. Called while counting, so that the count itself ends early. */
static bool
exceeds_limit(struct str s, size_t steps)
{
	return steps > s.n * STEPS_A_BYTE + STEPS_MIN;
}

/* Length of a container's marker at i; 0 if there is none. */
static size_t
marker_length(struct str s, size_t i)
{
	size_t from = i;

	if (i < s.n && s.p[i] == '>')
		return 1;
	if (i + 1 < s.n && s.p[i] == '[' && s.p[i + 1] == '^') {
		/*
		 * A label does not cross lines, so each line is scanned at most once per "[^" in
		 * it.
		 */
		while (i < s.n && s.p[i] != ']' && s.p[i] != '\n')
			i++;
		return i + 1 < s.n && s.p[i] == ']' && s.p[i + 1] == ':' ? i + 2 - from : 0;
	}
	if (i < s.n && (s.p[i] == '-' || s.p[i] == '+' || s.p[i] == '*'))
		i++;
	else if (i < s.n && isdigit((unsigned char)s.p[i])) {
		while (i < s.n && isdigit((unsigned char)s.p[i]))
			i++;
		if (i == s.n || (s.p[i] != '.' && s.p[i] != ')'))
			return 0;
		i++;
	} else
		return 0;
	return i == s.n || isspace((unsigned char)s.p[i]) ? i - from : 0;
}

/*
 * Upper bound for the containers around the line at *i: those that its markers open, and one for
 * every two columns of indentation. Moves *i to the end of the line.
 */
static size_t
depth_of_line(struct str s, size_t *i)
{
	size_t markers = 0, columns = 0, n;

	for (;;) {
		for (; *i < s.n && (s.p[*i] == ' ' || s.p[*i] == '\t'); (*i)++)
			columns += s.p[*i] == '\t' ? 4 : 1;
		if ((n = marker_length(s, *i)) == 0)
			break;
		markers++;
		*i += n;
	}
	while (*i < s.n && s.p[*i] != '\n' && s.p[*i] != '\r')
		(*i)++;
	/*
	 * A line without a marker opens no container; the containers that it keeps open were
	 * counted when they were opened.
	 */
	return markers == 0 ? 0 : markers + columns / 2;
}

/*
 * Counts the deepest line so far for every line after it: only a parse could decide which line
 * closes containers.
 */
static bool
nests_too_deeply(struct str s)
{
	size_t i, deepest = 0, depth, steps = 0;

	for (i = 0; i < s.n; i++) {
		depth = depth_of_line(s, &i);
		deepest = depth > deepest ? depth : deepest;
		steps += deepest;
		if (exceeds_limit(s, steps))
			return true;
	}
	return false;
}

/* The latest possible end of the paragraph at i: the next blank line. */
static size_t
paragraph_end(struct str s, size_t i)
{
	bool blank = false;

	for (; i < s.n; i++)
		if (s.p[i] == '\n' || (s.p[i] == '\r' && (i + 1 == s.n || s.p[i + 1] != '\n'))) {
			if (blank)
				return i;
			blank = true;
		} else if (!isspace((unsigned char)s.p[i]))
			blank = false;
	return s.n;
}

/* The end that cmark searches for the construct that begins with "<" at i; NULL: it does not search. */
static const char *
searched_end(struct str s, size_t i)
{
	struct str at = str_slice(s, i, s.n);

	return str_starts(at, "<?") ? "?>" : str_starts(at, "<![CDATA[") ? "]]>" :
	    at.n > 2 && at.p[1] == '!' && isupper((unsigned char)at.p[2]) ? ">" : NULL;
}

/*
 * Counts cmark's searches for the ends of `<?`, `<!NAME` and `<![CDATA[`. A search that succeeds
 * counts one step, since cmark then continues after the end. A search that fails counts the bytes
 * of the rest of its paragraph.
 */
static bool
searches_too_much(struct str s)
{
	size_t i, end = 0, steps = 0;
	const char *p, *close;

	for (i = 0; i < s.n && (p = memchr(s.p + i, '<', s.n - i)) != NULL; i++) {
		i = (size_t)(p - s.p);
		if ((close = searched_end(s, i)) == NULL)
			continue;
		/* Find the end of a paragraph once for all that begin in it. */
		if (i >= end)
			end = paragraph_end(s, i);
		if ((p = memmem(p, end - i, close, strlen(close))) != NULL)
			i = (size_t)(p - s.p);
		else
			steps += end - i;
		if (exceeds_limit(s, steps))
			return true;
	}
	return false;
}

/* HTML's white space (WHATWG 12.2.3.5 and 13.2.5.32); \v is part of a name or value. */
static bool
html_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
}

/*
 * Number of attributes of the tag at i; moves *i to its end. Uses the states of HTML 13.2.5.32 to
 * 39, since a quote is special only before a value.
 */
static size_t
count_attributes(struct str s, size_t *i)
{
	enum { TAG, BEFORE_NAME, NAME, AFTER_NAME, BEFORE_VALUE, VALUE } state = TAG;
	size_t count = 0;
	const char *end;

	for (; *i < s.n && s.p[*i] != '>'; (*i)++) {
		char c = s.p[*i];
		bool blank = html_blank(c);

		if (state == BEFORE_VALUE && (c == '"' || c == '\'')) {
			end = memchr(s.p + *i + 1, c, s.n - *i - 1);
			*i = end == NULL ? s.n - 1 : (size_t)(end - s.p);
			state = BEFORE_NAME;
		} else if (state == BEFORE_VALUE || state == VALUE) {
			state = !blank ? VALUE : state == VALUE ? BEFORE_NAME : state;
		} else if (c == '/') {
			state = BEFORE_NAME;
		} else if (blank) {
			state = state == NAME || state == AFTER_NAME ? AFTER_NAME : BEFORE_NAME;
		} else if (c == '=' && (state == NAME || state == AFTER_NAME)) {
			state = BEFORE_VALUE;
		} else if (state == BEFORE_NAME || state == AFTER_NAME) {
			count++;
			state = NAME;
		}
	}
	return count;
}

/*
 * Each tag counts as the square of the number of its attributes. Tags in text and comments count,
 * too: it is an upper bound.
 */
const char *
cost_of_html(struct str html)
{
	size_t i, count, steps = 0;
	const char *p;

	for (i = 0; i < html.n && (p = memchr(html.p + i, '<', html.n - i)) != NULL; i++) {
		i = (size_t)(p - html.p) + 1;
		if (i == html.n || (!isalpha((unsigned char)html.p[i]) && html.p[i] != '/')) {
			/* This is no tag: continue right after the "<". */
			i--;
			continue;
		}
		count = count_attributes(html, &i);
		/* This is twice the number of comparisons: the bound need not be exact. */
		steps += count * count;
		if (exceeds_limit(html, steps))
			return "has an HTML tag with too many attributes";
	}
	return NULL;
}

/* Called for every text that is given to cmark, including pieces of a document. */
const char *
cost_of_markdown(struct str text)
{
	if (nests_too_deeply(text))
		return "nests lists or quotes too deeply for so many lines";
	if (searches_too_much(text))
		return "opens \"<?\", \"<!\" or \"<![CDATA[\" too often without an end";
	return NULL;
}
