/*
 * Finds the questions and problems (issues) of a conversation.
 *
 * A message is read as plain text: HTML tags, Markdown signs, quoted messages, greetings,
 * signatures, code and logs are removed. The rest is split into sentences.
 *
 * The title of an issue is the sentence that tells most. A sentence tells what its words tell: a
 * common word of the language tells little (stop words, common_words.h), a word that most earlier
 * issues have tells little, and so does a word that hardly any earlier issue has, because it is a
 * name or a remark beside the point. Whether a sentence asks counts little. A reply to the team, which
 * gives a name or a number, counts less than what the user said first.
 *
 * A second issue begins where the user says so ("also", "another question", a numbered list, questions
 * in a list with bullets), where a later message asks about something else, and where two questions
 * have no word in common. An issue that tells far less than another of its conversation is dropped.
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
	ANALYSIS_BYTES  = 64 << 10,  /* text of a conversation that is read, after the markup is gone */
	ISSUES_MAX      = 8,         /* of a conversation */
	TERMS_MAX       = 40,        /* of an issue: the heaviest */
	TITLE_BYTES     = 300,
	SUMMARY_BYTES   = 1200
};

enum part_role { PART_USER, PART_ASSISTANT, PART_TEAM };

struct part {
	enum part_role role;
	struct str     body;    /* UTF-8: plain text, Markdown or HTML */
};

/*
 * A term is a stem or a concept of lexicon.def, by a hash that is the same in every
 * process and release: it is kept in the database.
 */
struct term {
	uint64_t id;
	int32_t  weight;        /* 1..TERM_WEIGHT: how much it tells about the subject */
};
enum { TERM_WEIGHT = 64 };

/* A hash of 63 bits that is the same everywhere: how terms are named. */
uint64_t text_id(struct str s);

/* In the order of ids, each once. */
struct terms {
	struct term *at;
	size_t       n;
};

struct issue {
	struct str   title;     /* one sentence, at most TITLE_BYTES */
	struct str   summary;   /* the sentences of the issue in their order, at most SUMMARY_BYTES */
	struct terms terms;
	const char  *language;  /* ISO 639-1, "" where it is not known; static */
	int          clear;     /* how much the title tells without the rest: 0 little, 100 and more a lot */
};

struct analyst;

/* Reads the lexicon and the stop words: some milliseconds. Lives in the arena. */
struct analyst *analyst_new(struct arena *a);

/* What is known of earlier issues: how many there are, and how many have a term. No function fails. */
struct corpus {
	void *ctx;
	int64_t (*issues)(void *ctx);
	int64_t (*frequency)(void *ctx, uint64_t term);
};

/* Conversations are read in the light of a corpus from now on; it must stay. NULL: of none. */
void analyst_compare(struct analyst *w, const struct corpus *c);

/*
 * The issues of a conversation, none where it holds neither a question nor a
 * problem; ISSUES_MAX at most, into out, with all that they point to in the arena.
 * subject may be empty. Works on the analyst's own scratch memory: one call at a time.
 */
size_t analyst_read(struct analyst *w, struct arena *a, struct str subject,
    const struct part *parts, size_t n, struct issue *out);

/*
 * The same for an issue that somebody else found: its terms and `clear` from title and
 * summary, which are made one line each and cut as above. False where no words are left.
 */
bool analyst_take(struct analyst *w, struct arena *a, struct str title, struct str summary, struct issue *out);

#endif
