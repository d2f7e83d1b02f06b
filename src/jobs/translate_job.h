/* Private to the files of the translation job. */
#ifndef OCTAVO_TRANSLATE_JOB_H
#define OCTAVO_TRANSLATE_JOB_H

#include "app/queue.h"
#include "base/map.h"
#include "base/settings.h"
#include "merge/upstream.h"
#include "translate/engine.h"
#include "translate/memory.h"
#include "translate/pieces.h"

/* A distinct text of the source, translated once even if many pages have it. */
struct source_text {
	struct source_text *next;
	struct str    text, key;     /* key: in the translation memory */
	struct str    answer;        /* p NULL: not answered yet, or no usable answer */
};

struct warning {
	struct warning *next;
	const char     *message;
};

/* A node of the source and its translation. */
struct item {
	struct node     node;
	struct str      key;             /* cache key in translation_page; n 0: no texts */
	bool            fresh;           /* has to be translated */
	bool            unanswered;      /* a text of it was not translated: the next run tries again */
	const char     *title, *props;   /* translated; props: JSON of the properties that are texts */
	struct str      hash, body;      /* of the translated body; body only if fresh */
	const char     *old_warnings;    /* not fresh: JSON of the run that translated it */
	struct warning *warnings, **last_warning;
};

struct translate_job {
	struct db             *db;
	struct arena          *arena;
	const struct settings *set;
	const struct job      *job;
	int64_t                started;
	const char            *id, *org, *source, *result;
	const char            *from, *to;         /* languages */
	const char            *instructions;      /* plain text */
	const char            *glossary;          /* JSON, for the engine; "" for none */
	struct glossary       *terms;
	bool                   automatic;
	bool                   as_request;        /* rules ask for a change request */
	struct point           view;              /* of the result: upstream_view() */
	bool                   ran;               /* an earlier run was complete */
	struct str             last_key;          /* column made_from: cache key of the last complete run */
	struct str             run_key;           /* cache key of this run; the same as last_key: no input changed */
	struct engine          engine;
	struct str             context;           /* part of the memory's key */
	struct str             settings_key;      /* hash of all settings that affect the translation */
	struct point           point;             /* of the source, as read by this run */
	struct item           *items;
	size_t                 n;
	struct map            *by_id;             /* struct item */
	struct map            *texts;             /* text -> struct source_text */
	struct source_text    *queued, **last_queued;
	struct source_text    *used;              /* answered by the memory, to be marked as used */
	size_t                 queued_n, answered;
	bool                   unanswered;        /* some item is */
	int64_t                words, pages;
	const char            *error;
};

/* Adds the texts of an item to j->texts and to the queue for the engine; in a read transaction. */
void translate_collect(struct translate_job *j, struct item *i, struct arena *scratch);
/* Sets title, props, hash and body of the item. Call it when all answers are there. */
void translate_apply(struct translate_job *j, struct item *i, struct arena *scratch);

void translate_warn(struct translate_job *j, struct item *i, const char *message);

/*
 * Merge policy (struct upstream_task, both): if a page changed on both sides, corrections that people
 * made in the translated space win over the new translation.
 */
struct wanted *translate_both(void *ctx, const struct node *before, const struct node *now, struct wanted *w);

/* Returns the state that all items of the result should have (merge/upstream.h). In a read transaction. */
struct wanted *translate_wanted(struct translate_job *j);

#endif
