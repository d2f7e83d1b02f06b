/*
 * Finds the questions and problems (issues) of a conversation.
 *
 * A message is read as plain text: HTML tags, Markdown signs, quoted messages, greetings,
 * signatures, code and logs are removed. The rest is split into sentences.
 *
 * The title of an issue is its sentence with the highest score, which is the sum of the weights of
 * its words. A weight is low for common words of the language (stop words; frequent words of
 * English, prior.c), for words that most earlier issues have, and for words that hardly any earlier
 * issue has, since these are names, or remarks that do not concern the issue. A question gets a
 * small bonus. A reply to the team, which gives a name or a number, scores less than what the user
 * wrote first.
 *
 * A second issue begins where the user says so ("also", "another question", a numbered list, questions
 * in a list with bullets), where a later message asks about something else, and where two questions
 * have no word in common. An issue whose score is far below that of another one in its conversation is dropped.
 * A conversation of greetings and thanks has no issue.
 *
 * Title and summary are sentences of the conversation; only white space is changed. Everything is
 * bounded: text (ANALYSIS_BYTES), issues, sentences and terms. What exceeds a bound is ignored.
 */
#ifndef OCTAVO_ANALYSIS_H
#define OCTAVO_ANALYSIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"

enum {
	ANALYSIS_BYTES  = 64 << 10,  /* bytes of a conversation's text that are read, without markup */
	ISSUES_MAX      = 8,         /* maximum number of issues of a conversation */
	TERMS_MAX       = 40,        /* maximum number of terms of an issue; those with the highest weights are kept */
	TITLE_BYTES     = 300,
	SUMMARY_BYTES   = 1200
};

enum part_role { PART_USER, PART_ASSISTANT, PART_TEAM };

struct part {
	enum part_role role;
	struct str     body;    /* UTF-8: plain text, Markdown or HTML */
};

/*
 * A term is a stem or a concept of lexicon.def. Its id is a hash that is the same in every process
 * and release, because it is stored in the database.
 */
struct term {
	uint64_t id;
	int32_t  weight;        /* 1..TERM_WEIGHT: higher: more specific for a subject */
};
enum { TERM_WEIGHT = 64 };

/* The id of a term: a hash of 63 bits, the same on every machine. */
uint64_t text_id(struct str s);

/* Terms in the order of their ids, without duplicates. */
struct terms {
	struct term *at;
	size_t       n;
};

struct issue {
	struct str   title;     /* one sentence, at most TITLE_BYTES */
	struct str   summary;   /* the sentences of the issue in their order, at most SUMMARY_BYTES */
	struct terms terms;
	const char  *language;  /* ISO 639-1, "" if unknown; static */
	int          clear;     /* weight of the title's terms: 0 if all are common words, 150 for a specific title */
};

struct analyst;

/* Makes an analyst in the arena. It reads the lexicon and the stop words, which takes some milliseconds. */
struct analyst *analyst_new(struct arena *a);

/* The number of earlier issues, and of those that have a term. No function fails. */
struct corpus {
	void *ctx;
	int64_t (*issues)(void *ctx);
	int64_t (*frequency)(void *ctx, uint64_t term);
};

/* Sets the corpus that sentences are weighed against; it must outlive its use. NULL: none. */
void analyst_compare(struct analyst *w, const struct corpus *c);

/*
 * Finds the issues of a conversation: writes at most ISSUES_MAX to out and returns their number; all
 * data of the result is in the arena. subject may be empty. Uses the analyst's scratch memory: one call at a time.
 */
size_t analyst_read(struct analyst *w, struct arena *a, struct str subject,
    const struct part *parts, size_t n, struct issue *out);

/*
 * Makes an issue of a title and a summary that a command has found: cuts them as above, each on one
 * line, and computes terms and `clear`. False if no words are left.
 */
bool analyst_make_issue(struct analyst *w, struct arena *a, struct str title, struct str summary, struct issue *out);

#endif
