/*
 * What documentation calls the same. A page that says "disable" answers who asks how
 * to turn something off: each member of a set stands for the others, below the word
 * itself (search_query.c writes them as alternatives of a group).
 *
 * A member of several words that is found in the query gives its alternatives to each
 * of its words, so that "disable" covers both of "turn off". Numbers and versions meet
 * likewise: 2, v2, 2.x.
 */
#include "search_parts.h"

/* An organization's sets are of the same form as the dictionary's, so that one code reads both. */
enum { MEMBERS = OWN_MEMBERS, MEMBER_WORDS = OWN_WORDS };

/*
 * What a hit counts, where the word as asked for counts 1. SAME: below any form of the word
 * itself, so that a page that says what was asked comes before one that says something like it.
 */
static const double SAME = 0.6, VERSION_FORM = 0.95;

/* The word, and its stem where it has one. */
static void
word_of(struct str s, struct query_word *word, struct query_word *stem)
{
	char text[WORD_MAX];

	memcpy(word->text, s.p, word->n = s.n);
	/* n 0 where the word is its own stem. */
	memcpy(stem->text, text, stem->n = word_stem(s.p, s.n, text));
}

/* The words of a member; how many. The dictionary's have MEMBER_WORDS at most, own_word() refuses more. */
static size_t
split(const char *member, struct str out[MEMBER_WORDS])
{
	struct str s = str_of(member);
	size_t n = 0, i, from = 0;

	for (i = 0; i <= s.n; i++)
		if (i == s.n || s.p[i] == ' ') {
			out[n++] = str_slice(s, from, i);
			from = i + 1;
		}
	return n;
}

/* An empty word equals none: most parts have no stem. */
static bool
equal(const struct query_word *a, const struct query_word *b)
{
	return a->n > 0 && a->n == b->n && memcmp(a->text, b->text, a->n) == 0;
}

/* Is the group that word, in whatever inflection? */
static bool
is_word(const struct query_group *g, struct str s)
{
	struct query_word word = { .n = 0 }, stem = { .n = 0 };

	if (g->count != 1 || g->pair || g->quoted || g->parts[0].sign.n > 0)
		return false;
	word_of(s, &word, &stem);
	/* The third one: "enabling" has the stem "enable", which is the member as it stands. */
	return equal(&g->parts[0].word, &word) || equal(&g->parts[0].stem, &stem) ||
	    equal(&g->parts[0].stem, &word);
}

/* Where in the query the words of a member stand, one after another, from i on; 0: they do not. */
static size_t
stands_at(const struct query *q, size_t i, const char *member)
{
	struct str words[MEMBER_WORDS];
	size_t n = split(member, words), k;

	for (k = 0; k < n; k++)
		if (i + k >= q->count || !is_word(&q->groups[i + k], words[k]) ||
		    /* Neighbours as they were typed; at counts every word of the query. */
		    (k > 0 && q->groups[i + k].at != q->groups[i + k - 1].at + 1))
			return 0;
	return n;
}

/* A member as a phrase of stems: "shutting down" is found for "shut down". */
static void
alternative(const char *member, bool own, struct query_alt *alt)
{
	struct query_word word = { .n = 0 }, stem = { .n = 0 };
	struct str words[MEMBER_WORDS];
	size_t n = split(member, words), k;

	/*
	 * Said in passing, another word of the dictionary tells little of a page, and many pages
	 * say it; an organization's own word is meant wherever it stands.
	 */
	*alt = (struct query_alt){ .weight = SAME, .same = true, .named = !own };
	for (k = 0; k < n; k++) {
		word_of(words[k], &word, &stem);
		alt->words[alt->count++] = stem.n > 0 ? stem : word;
	}
}

/* Not twice, and not the word itself; nor where the group has no room. */
static void
add_to(struct query_group *g, const struct query_alt *alt)
{
	size_t i;

	for (i = 0; i < g->alt_count; i++)
		if (g->alts[i].count == alt->count && equal(&g->alts[i].words[0], &alt->words[0]))
			return;
	if (alt->count == 1 && (equal(&g->parts[0].word, &alt->words[0]) || equal(&g->parts[0].stem, &alt->words[0])))
		return;
	if (g->alt_count < ALTS)
		g->alts[g->alt_count++] = *alt;
}

/* Gives groups i to i + n the members of a set, but the one that was typed. */
static void
add_set(struct query *q, size_t i, size_t n, const char *const *set, size_t but, bool own)
{
	struct query_alt alt;
	size_t k, m;

	for (m = 0; m < MEMBERS && set[m] != NULL; m++) {
		if (m == but)
			continue;
		alternative(set[m], own, &alt);
		for (k = i; k < i + n; k++) {
			add_to(&q->groups[k], &alt);
			/* "off" is a stop word, "turn off" is not one that may be left out. */
			q->groups[k].stop = q->groups[k].stop && n == 1;
		}
	}
}

/*
 * Does the group begin as the member does? It settles nearly all of them without their stems,
 * which would cost more than all else that is done with a query. No stem changes how a word begins.
 */
static bool
begins_as(const struct query_group *g, const char *member)
{
	const struct query_word *w = &g->parts[0].word;

	return w->n > 1 && w->text[0] == member[0] && w->text[1] == member[1];
}

/* Where a member of the set stands in the query from group i on, the others stand for it. */
static void
look_for(struct query *q, size_t i, const char *const *set, bool own)
{
	size_t m, n;

	for (m = 0; m < MEMBERS && set[m] != NULL; m++)
		if (begins_as(&q->groups[i], set[m]) && (n = stands_at(q, i, set[m])) > 0) {
			add_set(q, i, n, set, m, own);
			return;
		}
}

/* Those of the organization come first: a group has room for so many. */
void
query_same(struct query *q, const struct query_sets *own)
{
	size_t i, k;

	for (i = 0; i < q->count; i++) {
		for (k = 0; k < own->n; k++)
			look_for(q, i, own->list[k].members, true);
		for (k = 0; k < search_dictionary_size; k++)
			look_for(q, i, search_dictionary[k], false);
	}
}

/* ---- numbers ---- */

/* The digits of "2" and "v2"; n 0: it is neither. */
static struct str
digits_of(const struct query_word *w)
{
	struct str s = { w->text, w->n };
	size_t i;

	/* The digits are text of the group: valid as long as the query. */
	if (s.n > 1 && s.p[0] == 'v')
		s = str_slice(s, 1, s.n);
	for (i = 0; i < s.n; i++)
		if (s.p[i] < '0' || s.p[i] > '9')
			return (struct str){ NULL, 0 };
	return s;
}

static void
add_number(struct query_group *g, const char *before, struct str digits)
{
	struct query_alt alt = { .count = 1, .weight = VERSION_FORM };
	struct query_word *w = &alt.words[0];
	size_t n = strlen(before);

	if (n + digits.n > WORD_MAX)
		return;
	memcpy(w->text, before, n);
	memcpy(w->text + n, digits.p, digits.n);
	w->n = n + digits.n;
	add_to(g, &alt);
}

void
query_numbers(struct query *q)
{
	struct query_group *g;
	struct str digits;

	for (g = q->groups; g < q->groups + q->count; g++) {
		digits = digits_of(&g->parts[0].word);
		/* 2.x and v2.x are any 2. */
		if (digits.n == 0 || g->quoted || g->count > 2 || (g->count == 2 &&
		    !(g->parts[1].word.n == 1 && g->parts[1].word.text[0] == 'x')))
			continue;
		add_number(g, "", digits);
		add_number(g, "v", digits);
	}
}
