/*
 * What was translated before, of an organization: the same text by the same engine in
 * the same pair under the same instructions is not asked twice. What no run has
 * needed for a year is forgotten. Table translation_memory.
 */
#ifndef OCTAVO_MEMORY_H
#define OCTAVO_MEMORY_H

#include "base/arena.h"
#include "base/str.h"
#include "db/db.h"

/* Hash of all but the text: from, to, engine, instructions, glossary as the engine gets it; in the arena. */
struct str memory_context(struct arena *a, const char *from, const char *to, const char *engine,
    const char *instructions, const char *glossary);

/* The key of a text, HASH_BYTES in the arena. */
struct str memory_key(struct arena *a, struct str context, struct str text);

/* False: it is not known. *worn: memory_used() is due, so that it is not forgotten. */
bool memory_get(struct db *db, struct arena *a, const char *org, struct str key, struct str *out, bool *worn);

/* In a write transaction. */
void memory_put(struct db *db, const char *org, struct str key, struct str text);

/* It was needed again. In a write transaction. */
void memory_used(struct db *db, const char *org, struct str key);

/* Forgets what no run has needed for a year, of all organizations. Own transactions, short ones. */
void memory_forget(struct db *db);

#endif
