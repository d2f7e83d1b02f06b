/*
 * A light stemmer for English, after Porter's first and last steps: plurals, -ed, -ing, a final e,
 * and endings that turn a verb into a noun. It removes few endings, and only safe ones. The index
 * contains each word as well as its stem, so a wrong stem gives a few wrong hits, but no word is
 * lost.
 */
#include <stdlib.h>

#include "base/sort.h"
#include "text/words.h"

static bool
is_vowel(char c)
{
	return strchr("aeiouy", c) != NULL && c != '\0';
}

static bool
has_vowel(const char *w, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (is_vowel(w[i]))
			return true;
	return false;
}

/* True if the word ends in the tail and is longer: an ending alone is no inflection. */
static inline bool
ends_in(const char *w, size_t n, const char *tail, size_t k)
{
	/* The last letter nearly always decides. */
	return n > k && w[n - 1] == tail[k - 1] && memcmp(w + n - k, tail, k) == 0;
}

/*
 * A macro over literals makes the lengths constant: each word of each page is compared with about
 * thirty endings.
 */
#define ends(w, n, tail) ends_in((w), (n), (tail), sizeof(tail) - 1)

static size_t
cut_plural(const char *w, size_t n)
{
	/* class, status, analysis are no plurals. */
	if (n < 4 || w[n - 1] != 's' || ends(w, n, "ss") || ends(w, n, "us") || ends(w, n, "is"))
		return n;
	if (ends(w, n, "sses") || ends(w, n, "ches") || ends(w, n, "shes") || ends(w, n, "xes") ||
	    ends(w, n, "zzes"))
		return n - 2;
	return n - 1;
}

/* "stopp" -> "stop", but "call", "pass", "buzz" stay. */
static size_t
cut_double(const char *w, size_t n)
{
	if (n > 3 && w[n - 1] == w[n - 2] && !is_vowel(w[n - 1]) && strchr("lsz", w[n - 1]) == NULL)
		return n - 1;
	return n;
}

static size_t
cut_verb(const char *w, size_t n)
{
	size_t cut = ends(w, n, "ing") ? 3 : ends(w, n, "ed") && !ends(w, n, "eed") ? 2 : 0;

	/*
	 * "string" and "red" are no inflections: the rest of a verb has a vowel and at least three
	 * letters.
	 */
	if (cut == 0 || n - cut < 3 || !has_vowel(w, n - cut))
		return n;
	return cut_double(w, n - cut);
}

/* installation -> install, authenticate and authentication -> authentic, deployment -> deploy. */
static size_t
cut_noun(const char *w, size_t n)
{
	static const struct { const char *tail; size_t n, cut, left; } tails[] = {
		{ "ization", 7, 7, 4 }, { "ation", 5, 5, 4 }, { "ition", 5, 5, 4 }, { "tion", 4, 3, 4 },
		{ "izable", 6, 6, 4 }, { "able", 4, 4, 4 }, { "ible", 4, 4, 4 }, { "ate", 3, 3, 4 }, { "ize", 3, 3, 4 },
		{ "ise", 3, 3, 4 }, { "ment", 4, 4, 5 }, { "ator", 4, 4, 4 }, { "at", 2, 2, 5 }, { "iz", 2, 2, 5 },
	};
	size_t i;

	/*
	 * The first match counts, so longer endings come before their own suffixes. `left` is the
	 * least that must remain.
	 */
	for (i = 0; i < sizeof(tails) / sizeof(tails[0]); i++)
		if (ends_in(w, n, tails[i].tail, tails[i].n) && n - tails[i].cut >= tails[i].left &&
		    has_vowel(w, n - tails[i].cut))
			return n - tails[i].cut;
	return n;
}

/* Kombinationen -> Kombination: few English words end so. */
static size_t
cut_german(const char *w, size_t n)
{
	return n >= 7 && ends(w, n, "en") && w[n - 3] != 'e' ? n - 2 : n;
}

/* Exceptions to the rules. */
static size_t
stem_irregular(const char *word, size_t n, char *out)
{
	static const char *const list[][2] = {
		{ "settings", "setting" }, { "setting", "setting" }, { "during", "during" },
		{ "used", "use" }, { "using", "use" }, { "nothing", "nothing" },
		{ "something", "something" }, { "everything", "everything" }, { "anything", "anything" },
		{ "indices", "index" }, { "indexes", "index" }, { "analyses", "analysis" },
	};
	size_t i;

	for (i = 0; i < sizeof(list) / sizeof(list[0]); i++)
		if (list[i][0][0] == word[0] && strlen(list[i][0]) == n && memcmp(word, list[i][0], n) == 0) {
			memcpy(out, list[i][1], strlen(list[i][1]));
			return strlen(list[i][1]);
		}
	return 0;
}

size_t
word_stem(const char *word, size_t n, char *out)
{
	size_t k;

	/* Words of three letters are not stemmed. */
	if (n < 4 || n > WORD_MAX - 4)
		return 0;
	for (size_t i = 0; i < n; i++)
		/* Names with digits and words of other scripts have no English endings. */
		if (word[i] < 'a' || word[i] > 'z')
			return 0;
	if ((k = stem_irregular(word, n, out)) > 0)
		return k == n ? 0 : k;
	/* Plural first: "settings" ends in -ing only without its s. */
	k = cut_plural(word, n);
	k = cut_german(word, k);
	k = cut_verb(word, k);
	k = cut_noun(word, k);
	memcpy(out, word, k);
	if (k > 3 && out[k - 1] == 'e')
		k--;
	if (k > 3 && out[k - 1] == 'i')
		out[k - 1] = 'y';
	/* "copies" became "copie" and then "copi": write "copy". */
	return k == n && memcmp(out, word, n) == 0 ? 0 : k;
}
