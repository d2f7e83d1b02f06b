/*
 * Private to the folder analysis: the data that reading a conversation needs (the analyst), and the
 * steps from the text of a message to a list of weighted terms. A term is the stem of a word, or a
 * concept: a line of lexicon.def, which lists words of the same meaning in several languages.
 * include/conversations/analysis.h describes how issues are found with these terms.
 */
#ifndef OCTAVO_ANALYST_H
#define OCTAVO_ANALYST_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/map.h"
#include "conversations/analysis.h"
#include "text/stem.h"

/*
 * Weights of concepts, as lexicon.def gives them: HIGH a subject, MIDDLE an action, LOW a word of
 * any question, NONE courtesy. They count in all languages but English, in which the frequency of a
 * word decides (prior.c). COMMON is the weight of a stop word, which is used if a text has no other
 * words.
 */
enum concept_weight { NONE = 0, LOW = 10, MIDDLE = 36, HIGH = TERM_WEIGHT, COMMON = 4 };

struct analyst {
	struct arena   *scratch;      /* memory for one conversation */
	struct stemmer *stemmer;
	struct map     *lexicon;      /* key: language and words, as "en:log in"; value: struct concept */
	struct map     *prior;        /* key: stem of a common English word; value: int *, its weight */
	const struct corpus *corpus;  /* how often terms occur in earlier issues; NULL: not known */
};

/* terms.c: reads lexicon.def into the analyst. */
void lexicon_read(struct analyst *w, struct arena *a);

/*
 * prior.c: prior_read() reads the list of common English words. prior_weight() returns the weight of
 * a stem for an organization that has no earlier issues to count it in, 1..TERM_WEIGHT.
 */
void prior_read(struct analyst *w, struct arena *a);
int  prior_weight(const struct analyst *w, enum language lang, struct str stem);

/* A set of terms. If a term is added twice, the higher weight is kept. */
struct term_list {
	/* A full list ignores further terms, so callers add the terms of the title first. */
	struct term at[256];
	size_t      n;
};

/*
 * Adds a term, unless its weight is 0. Returns the weight if the term is new in the list, else 0.
 */
int32_t term_list_add(struct term_list *list, uint64_t id, int weight);

/*
 * Adds the terms of a text to the list; their weights are multiplied by scale / 100. Returns the sum
 * of the weights of those terms that are new in the list.
 */
int32_t terms_add(struct analyst *w, enum language lang, struct str text, int scale, struct term_list *list);

/* For a text that consists of stop words only: adds all of its words with the weight COMMON. */
void terms_add_common(struct analyst *w, enum language lang, struct str text, struct term_list *list);

/* The TERMS_MAX terms of the list with the highest weights, ordered by id, in the arena. */
struct terms terms_heaviest(struct arena *a, struct term_list *list);

/* The share of the weight of list a that belongs to terms that are also in list b, in per cent. */
int terms_shared(const struct term_list *a, const struct term_list *b);

/*
 * plain.c: the text of a message without markup, quotations, signatures and logs. Lines of a
 * paragraph may be joined; an empty line ends a paragraph.
 */
struct str plain_text(struct arena *a, struct str body);

/* sentences.c: replaces each run of white space by one blank; the result is in the arena. */
struct str one_line(struct arena *a, struct str s);

enum sentence_kind {
	SAYS,        /* a statement */
	COURTESY,    /* a greeting or thanks */
	WANTS,       /* a request without a question mark */
	PROBLEM,     /* a failure */
	ASKS         /* a question */
};

struct sentence {
	struct str         text;
	enum sentence_kind kind;
	bool               marked;    /* contains a question mark */
	bool               turns;     /* begins with a sign of a new subject: "also", "another question", the number of a list */
	bool               paragraph; /* is the first sentence of a paragraph */
	int                message;   /* number of answers of the team before it */
};

/* Splits a plain text into sentences, at most max. Returns their number. */
size_t sentences_of(const struct analyst *w, struct str text, struct sentence *out, size_t max);

#endif
