/*
 * Synonyms of an organization, in addition to the dictionary of every search (search_synonyms.c): the
 * octavo command adds, lists and removes them. Searches use them at once; nothing has to be indexed
 * again.
 */
#ifndef OCTAVO_OWN_WORDS_H
#define OCTAVO_OWN_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"

enum {
	OWN_SETS    = 200,   /* most sets of an organization: each search looks at all of them */
	OWN_MEMBERS = 8,     /* most words or phrases in a set */
	OWN_WORDS   = 3      /* most words in a phrase */
};

struct own_set {
	int64_t     no;
	const char *members[OWN_MEMBERS + 1];   /* in the form that is searched: folded, one blank between words; NULL at the end */
};

/*
 * A word or phrase as a search parses it ("Roll-Out!": "roll out"); NULL: it contains no word, more
 * than OWN_WORDS words, or characters of a script without blanks, in which words cannot be
 * separated.
 */
const char *own_word(struct arena *a, const char *text);

/* The sets of an organization, in the order in which they were added. */
struct own_set *own_sets(struct db *db, struct arena *a, const char *org, size_t *n);

/*
 * Adds a set of two to OWN_MEMBERS members, each a result of own_word(). Returns the number of the
 * set; 0 if the organization has OWN_SETS sets already. In a write transaction.
 */
int64_t own_set_add(struct db *db, struct arena *a, const char *org, const struct own_set *set);

/* In a write transaction. */
void own_set_remove(struct db *db, const char *org, int64_t no);

#endif
