/*
 * Synonyms. A page that says "disable" is an answer to a query for turning something off. Each
 * member of a set also matches the other members, with less weight than the word itself
 * (search_query.c writes them as alternatives of a group).
 *
 * A member of several words gives its alternatives to each of its groups, so that "disable" covers
 * both words of "turn off". Numbers and versions are treated in the same way: 2, v2, 2.x.
 */
#include "search_parts.h"

/*
 * An organization's sets have the dictionary's form, so that one function reads both. WITHIN: other
 * words of the query that may come between the words of a member.
 */
enum { MEMBERS = OWN_MEMBERS, MEMBER_WORDS = OWN_WORDS, WITHIN = 2 };

/*
 * Weights of hits; the word as typed has 1. SAME is below any form of the word itself, so that
 * pages with the typed words come first.
 */
static const double SAME = 0.6, VERSION_FORM = 0.95;

/* The word and its stem, if it has one. */
static void
make_word(struct str s, struct query_word *word, struct query_word *stem)
{
	char text[WORD_MAX];

	memcpy(word->text, s.p, word->n = s.n);
	/* n is 0 if the word is its own stem. */
	memcpy(stem->text, text, stem->n = word_stem(s.p, s.n, text));
}

/*
 * Splits a member into words and returns their number. The dictionary has at most MEMBER_WORDS, and
 * own_word() refuses more.
 */
static size_t
split_member(const char *member, struct str out[MEMBER_WORDS])
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

/* An empty word equals nothing: most parts have no stem. */
static bool
words_equal(const struct query_word *a, const struct query_word *b)
{
	return a->n > 0 && a->n == b->n && memcmp(a->text, b->text, a->n) == 0;
}

/* True if the group is that word, in any inflection. */
static bool
is_word(const struct query_group *g, struct str s)
{
	struct query_word word = { .n = 0 }, stem = { .n = 0 };

	if (g->count != 1 || g->pair || g->quoted || g->parts[0].sign.n > 0)
		return false;
	make_word(s, &word, &stem);
	/* The third comparison: the stem of "enabling" is "enable", which is the member itself. */
	return words_equal(&g->parts[0].word, &word) || words_equal(&g->parts[0].stem, &stem) ||
	    words_equal(&g->parts[0].stem, &word);
}

/*
 * Index of the group, from i on, that is the next word of a member; q->count: none. Light words may
 * come in between: "kick somebody out". If the member's word is light itself, so may its object:
 * "bring old reports over", "how long are logs kept".
 */
static size_t
next_word(const struct query *q, size_t i, struct str word)
{
	size_t most = word_is_stop(word.p, word.n) || word_is_light(word.p, word.n) ? WITHIN : 0, n = 0;

	for (; i < q->count && !is_word(&q->groups[i], word); i++)
		if (!q->groups[i].stop && !q->groups[i].light && ++n > most)
			return q->count;
	return i;
}

/* Bits of the groups that are the words of a member in order, the first at i; 0: no match. */
static uint32_t
match_member_at(const struct query *q, size_t i, const char *member)
{
	struct str words[MEMBER_WORDS];
	size_t n = split_member(member, words), k;
	uint32_t found = 0;

	for (k = 0; k < n; k++, i++) {
		if (k > 0)
			i = next_word(q, i, words[k]);
		if (i >= q->count || !is_word(&q->groups[i], words[k]))
			return 0;
		found |= 1u << i;
	}
	return found;
}

/* A member as a phrase of stems: "shutting down" matches "shut down". */
static void
fill_alternative(const char *member, bool own, struct query_alt *alt)
{
	struct query_word word = { .n = 0 }, stem = { .n = 0 };
	struct str words[MEMBER_WORDS];
	size_t n = split_member(member, words), k;

	/*
	 * Count the dictionary's synonyms only in titles, headings and paths: in the body they say
	 * little about a page, and many pages have them. An organization's own words count
	 * anywhere.
	 */
	*alt = (struct query_alt){ .weight = SAME, .synonym = true, .named = !own };
	for (k = 0; k < n; k++) {
		make_word(words[k], &word, &stem);
		alt->words[alt->count++] = stem.n > 0 ? stem : word;
	}
}

static bool
same_alt(const struct query_alt *a, const struct query_alt *b)
{
	size_t i;

	for (i = 0; i < a->count && i < b->count; i++)
		if (!words_equal(&a->words[i], &b->words[i]))
			return false;
	return a->count == b->count;
}

/* Add an alternative, unless the group has it, is it, or has `most`. */
static void
add_alternative(struct query_group *g, const struct query_alt *alt, size_t most)
{
	size_t i;

	for (i = 0; i < g->alt_count; i++)
		if (same_alt(&g->alts[i], alt))
			return;
	if (alt->count == 1 && (words_equal(&g->parts[0].word, &alt->words[0]) || words_equal(&g->parts[0].stem, &alt->words[0])))
		return;
	if (g->alt_count < most)
		g->alts[g->alt_count++] = *alt;
}

/* Give the groups of a matched member (bits) the other members of its set. */
static void
add_set(struct query *q, uint32_t groups, const char *const *set, size_t but, bool own)
{
	bool several = (groups & (groups - 1)) != 0;
	struct query_alt alt;
	size_t k, m;

	for (m = 0; m < MEMBERS && set[m] != NULL; m++) {
		if (m == but)
			continue;
		fill_alternative(set[m], own, &alt);
		for (k = 0; k < q->count; k++) {
			if (!(groups >> k & 1))
				continue;
			add_alternative(&q->groups[k], &alt, own ? ALTS : q->most);
			/* "off" is a stop word, but not in "turn off". */
			q->groups[k].stop = q->groups[k].stop && !several;
			q->groups[k].light = q->groups[k].light && !several;
		}
	}
}

/*
 * Bit for a word's beginning, which no stem changes: comparing bits excludes nearly all members
 * without computing their stems, which would dominate the cost of a query.
 */
static uint64_t
first_bits(const char *word)
{
	return (uint64_t)1 << ((word[0] * 5 + word[1]) & 63);
}

static uint64_t
beginning_bits(const struct query *q)
{
	uint64_t bits = 0;
	size_t i;

	for (i = 0; i < q->count; i++)
		if (q->groups[i].parts[0].word.n > 1)
			bits |= first_bits(q->groups[i].parts[0].word.text);
	return bits;
}

/* Bits of the set's members that may occur in the query. */
static uint32_t
members_in_query(const char *const *set, uint64_t bits, bool several)
{
	uint32_t found = 0;
	size_t m;

	for (m = 0; m < MEMBERS && set[m] != NULL; m++)
		if ((bits & first_bits(set[m])) != 0 && (strchr(set[m], ' ') != NULL) == several)
			found |= 1u << m;
	return found;
}

/* If a member of the set (of those in `may`) occurs from group i on, add the others. */
static void
match_member(struct query *q, size_t i, const char *const *set, uint32_t may, bool own)
{
	const struct query_word *w = &q->groups[i].parts[0].word;
	uint32_t groups;
	size_t m;

	for (m = 0; may >> m != 0; m++)
		if ((may >> m & 1) && w->n > 1 && w->text[0] == set[m][0] && w->text[1] == set[m][1] &&
		    (groups = match_member_at(q, i, set[m])) != 0) {
			add_set(q, groups, set, m, own);
			return;
		}
}

static void
match_set(struct query *q, const char *const *set, uint64_t bits, bool several, bool own)
{
	uint32_t may = members_in_query(set, bits, several);
	size_t i;

	for (i = 0; may != 0 && i < q->count; i++)
		match_member(q, i, set, may, own);
}

/*
 * Slots are limited: the organization's sets come first, then members of several words, which are
 * more exact.
 */
void
query_add_synonyms(struct query *q, const struct query_sets *own)
{
	uint64_t bits = beginning_bits(q);
	size_t k;
	int several;

	q->most = own->most;
	for (several = 1; several >= 0; several--)
		for (k = 0; k < own->n; k++)
			match_set(q, own->list[k].members, bits, several, true);
	for (several = 1; several >= 0; several--)
		for (k = 0; k < search_dictionary_size; k++)
			match_set(q, search_dictionary[k], bits, several, false);
}

/* ---- numbers ---- */

/* Digits of "2" or "v2"; n 0 for anything else. */
static struct str
version_digits(const struct query_word *w)
{
	struct str s = { w->text, w->n };
	size_t i;

	/* The digits point into the group's text, which lives as long as the query. */
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
	add_alternative(g, &alt, ALTS);
}

void
query_add_numbers(struct query *q)
{
	struct query_group *g;
	struct str digits;

	for (g = q->groups; g < q->groups + q->count; g++) {
		digits = version_digits(&g->parts[0].word);
		/* 2.x and v2.x match any 2. */
		if (digits.n == 0 || g->quoted || g->count > 2 || (g->count == 2 &&
		    !(g->parts[1].word.n == 1 && g->parts[1].word.text[0] == 'x')))
			continue;
		add_number(g, "", digits);
		add_number(g, "v", digits);
	}
}
