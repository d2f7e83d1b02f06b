/*
 * The translation memory of an organization: a text that the same engine has translated in the same
 * pair with the same instructions is not sent again. Entries that no run has used for a year are
 * deleted. Table translation_memory.
 */
#ifndef OCTAVO_MEMORY_H
#define OCTAVO_MEMORY_H

#include "base/arena.h"
#include "base/str.h"
#include "db/db.h"

/*
 * Hash of everything except the text: from, to, engine, instructions, and the glossary as the
 * engine gets it; allocated from a.
 */
struct str memory_context(struct arena *a, const char *from, const char *to, const char *engine,
    const char *instructions, const char *glossary);

/* The key of a text: HASH_BYTES bytes allocated from a. */
struct str memory_key(struct arena *a, struct str context, struct str text);

/*
 * False: there is no entry. *worn: the last recorded use is long ago, so call memory_used(), or the
 * entry will be deleted.
 */
bool memory_get(struct db *db, struct arena *a, const char *org, struct str key, struct str *out, bool *worn);

/* Stores an answer. Inside a write transaction. */
void memory_put(struct db *db, const char *org, struct str key, struct str text);

/* Records a use. Inside a write transaction. */
void memory_used(struct db *db, const char *org, struct str key);

/*
 * Deletes entries that no run has used for a year, for all organizations. In short transactions of
 * its own.
 */
void memory_forget(struct db *db);

#endif
