/*
 * Weights of English words, for organizations that have no issues yet by which terms could be
 * weighed: the more common a word is in spoken English, the lower its weight. The list comes from a
 * Debian package at build time (tools/embed_words.sh).
 */
#include <math.h>

#include "analyst.h"

/*
 * By Zipf's law the word of rank r is one of about r * SHARE spoken words. Words with a frequency
 * of e^-BASE and above have the lowest weight (LEAST), words below e^-(BASE + SPAN) have the full
 * weight.
 */
static const double SHARE = 12, BASE = 4, SPAN = 5, LEAST = 0.06;

struct common {
	const char *word;
	int         rank;
};

static const struct common common[] = {
#include "common_words.h"
};

static int
weight_of_rank(int rank)
{
	double share = (log(SHARE * rank) - BASE) / SPAN;

	return (int)lround(TERM_WEIGHT * (share < LEAST ? LEAST : share > 1 ? 1 : share));
}

void
prior_read(struct analyst *w, struct arena *a)
{
	struct str stem;
	int *weight;
	size_t i;

	w->prior = map_new(a);
	for (i = 0; i < sizeof(common) / sizeof(common[0]); i++) {
		stem = stem_word(w->stemmer, w->scratch, LANG_EN, str_of(common[i].word));
		/*
		 * The list is sorted by rank, so the first word with a stem is the most common one.
		 */
		if (!map_has(w->prior, stem)) {
			weight = arena_alloc(a, sizeof(*weight));
			*weight = weight_of_rank(common[i].rank);
			stem.p = arena_strndup(a, stem.p, stem.n);
			map_add(w->prior, stem, weight);
		}
	}
	arena_reset(w->scratch);
}

int
prior_weight(const struct analyst *w, enum language lang, struct str stem)
{
	const int *weight = lang == LANG_EN ? map_get(w->prior, stem) : NULL;

	return weight == NULL ? TERM_WEIGHT : *weight;
}
