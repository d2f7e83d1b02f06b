/*
 * From a conversation to the questions and problems that its user states.
 *
 * A message is read as text: HTML loses its tags, Markdown its signs; quoted
 * messages, greetings, signatures, code and logs are left out. What remains is
 * cut into sentences. Sentences that ask, that state a problem or that want
 * something begin an issue; what stands around them belongs to it. A second issue
 * begins where the user says so ("also", "another question", a numbered list, questions
 * in a list with bullets), where a later message asks about something else, and where two questions have no
 * word in common.
 *
 * Title and summary of an issue are sentences of the conversation, as they were
 * written but for blanks. Everything is bounded: ANALYSIS_BYTES of text, so many
 * issues, sentences and terms; what is beyond is not read.
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
