/*
 * Inside the room conversations: an analyst, and the steps from a message to terms.
 * How a conversation is read is described in include/conversations/analysis.h.
 */
#ifndef OCTAVO_ANALYST_H
#define OCTAVO_ANALYST_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/map.h"
#include "conversations/analysis.h"
#include "text/stem.h"

/*
 * UNKNOWN: a word that the lexicon does not have. Names of products are such words: it tells
 * more than what is done to something, less than a subject that is known.
 */
enum concept_weight { NONE = 0, LOW = 10, MIDDLE = 36, HIGH = TERM_WEIGHT, COMMON = 4 };

struct analyst {
	struct arena   *scratch;      /* of one conversation */
	struct stemmer *stemmer;
	struct map     *lexicon;      /* "en:log in" -> struct concept */
	struct map     *prior;        /* stem of a common English word -> int *: its weight */
	const struct corpus *corpus;  /* what earlier issues held; NULL: not known */
};

/* terms.c: reads lexicon.def. */
void lexicon_read(struct analyst *w, struct arena *a);

/* prior.c: reads the list of common words; what a stem tells by itself, 1..TERM_WEIGHT. */
void prior_read(struct analyst *w, struct arena *a);
int  prior_weight(const struct analyst *w, enum language lang, struct str stem);

/* A list of terms that grows; weights of the same term: the heaviest stays. */
struct term_list {
	/*
	 * Bounded: terms that come when it is full are left out, the first ones are the title's
	 * and the question's.
	 */
	struct term at[256];
	size_t      n;
};

/* Adds a term, unless its weight is 0; returns its weight if it was not there, else 0, and the heavier one stays. */
int32_t term_list_add(struct term_list *list, uint64_t id, int weight);

/*
 * The terms of a text in a language, their weights times scale / 100, into list.
 * Returns how much they tell: the sum of the weights that were not there before.
 */
int32_t terms_add(struct analyst *w, enum language lang, struct str text, int scale, struct term_list *list);

/* All words of a text, stop words as well, each with the weight COMMON: for a text that has no others. */
void terms_add_common(struct analyst *w, enum language lang, struct str text, struct term_list *list);

/* The heaviest TERMS_MAX, in order, in the arena. */
struct terms terms_take(struct arena *a, struct term_list *list);

/* Of what a holds, how much b holds as well: 0..100, by weight. */
int terms_shared(const struct term_list *a, const struct term_list *b);

/*
 * plain.c: a message as text without markup, quotes, signatures and logs. What
 * one line of the result holds is one line or several of the message; an empty line
 * ends a paragraph.
 */
struct str plain_text(struct arena *a, struct str body);

/* sentences.c: a text with its runs of blanks as one blank each, in the arena. */
struct str one_line(struct arena *a, struct str s);

enum sentence_kind {
	SAYS,        /* states something */
	COURTESY,    /* greets, thanks */
	WANTS,       /* asks for something without a question mark */
	PROBLEM,     /* something does not work */
	ASKS
};

struct sentence {
	struct str         text;
	enum sentence_kind kind;
	bool               marked;    /* ends with a question mark */
	bool               turns;     /* begins with "also", "another question", a number of a list */
	bool               paragraph; /* begins one */
	int                message;   /* its number among the user's messages, those after an answer counted on */
};

/* The sentences of a plain text into out, max at most; how many. */
size_t sentences_of(const struct analyst *w, struct str text, struct sentence *out, size_t max);

#endif
