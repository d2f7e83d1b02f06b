/*
 * Inside the room conversations: the analyst, and the steps from a message to its terms.
 * include/conversations/analysis.h describes how a conversation is read.
 */
#ifndef OCTAVO_ANALYST_H
#define OCTAVO_ANALYST_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/map.h"
#include "conversations/analysis.h"
#include "text/stem.h"

/*
 * Weight of a concept of the lexicon in texts of other languages than English. NONE: a word of
 * courtesy. COMMON: of a stop word that is used because the text has no other words.
 */
enum concept_weight { NONE = 0, LOW = 10, MIDDLE = 36, HIGH = TERM_WEIGHT, COMMON = 4 };

struct analyst {
	struct arena   *scratch;      /* memory for one conversation */
	struct stemmer *stemmer;
	struct map     *lexicon;      /* key "en:log in", value struct concept */
	struct map     *prior;        /* key: stem of a common English word; value int *: its weight */
	const struct corpus *corpus;  /* terms of earlier issues; NULL: unknown */
};

/* terms.c: reads lexicon.def into the analyst. */
void lexicon_read(struct analyst *w, struct arena *a);

/*
 * prior.c: prior_read() reads the list of common words. prior_weight() returns the weight of a stem
 * before any conversation was read, 1..TERM_WEIGHT.
 */
void prior_read(struct analyst *w, struct arena *a);
int  prior_weight(const struct analyst *w, enum language lang, struct str stem);

/* A list of terms without duplicates. If a term is added twice, the higher weight is kept. */
struct term_list {
	/*
	 * Terms that are added to a full list are ignored; the terms of the title are added first.
	 */
	struct term at[256];
	size_t      n;
};

/*
 * Adds a term; a weight of 0 adds nothing. Returns the weight if the term is new, 0 if it was in
 * the list.
 */
int32_t term_list_add(struct term_list *list, uint64_t id, int weight);

/*
 * Adds the terms of a text in a language to the list, with their weights times scale / 100. Returns
 * the sum of the weights of terms that are new in the list.
 */
int32_t terms_add(struct analyst *w, enum language lang, struct str text, int scale, struct term_list *list);

/*
 * Adds all words of a text, also stop words, with the weight COMMON: for a text that has no other
 * words.
 */
void terms_add_common(struct analyst *w, enum language lang, struct str text, struct term_list *list);

/* The TERMS_MAX terms with the highest weights, in the order of ids, in the arena. */
struct terms terms_take(struct arena *a, struct term_list *list);

/* Share of the weight of list a whose terms are also in list b, 0..100. */
int terms_shared(const struct term_list *a, const struct term_list *b);

/*
 * plain.c: a message without markup, quotations, signatures and logs. A line of the result may be
 * several lines of the message; an empty line ends a paragraph.
 */
struct str plain_text(struct arena *a, struct str body);

/* sentences.c: a text in which each run of white space is one blank, in the arena. */
struct str one_line(struct arena *a, struct str s);

enum sentence_kind {
	SAYS,        /* a statement */
	COURTESY,    /* a greeting or thanks */
	WANTS,       /* a request without a question mark */
	PROBLEM,     /* a failure */
	ASKS
};

struct sentence {
	struct str         text;
	enum sentence_kind kind;
	bool               marked;    /* contains a question mark */
	bool               turns;     /* begins with "also", "another question" or a number of a list */
	bool               paragraph; /* first sentence of a paragraph */
	int                message;   /* number of answers before it */
};

/* Splits a plain text into sentences, at most max. Returns their number. */
size_t sentences_of(const struct analyst *w, struct str text, struct sentence *out, size_t max);

#endif
