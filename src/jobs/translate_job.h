/*
 * What the files of the translation job share; nobody else includes this.
 */
#ifndef OCTAVO_TRANSLATE_JOB_H
#define OCTAVO_TRANSLATE_JOB_H

#include "app/queue.h"
#include "base/map.h"
#include "base/settings.h"
#include "merge/upstream.h"
#include "translate/engine.h"
#include "translate/memory.h"
#include "translate/pieces.h"

/* A text that is translated, once however often it stands in pages. */
struct asked {
	struct asked *next;
	struct str    text, key;     /* key: of the memory */
	struct str    answer;        /* p NULL: none yet, or the engine gave none */
};

struct warning {
	struct warning *next;
	const char     *message;
};

/* A node of the source and what becomes of it. */
struct item {
	struct node     node;
	struct str      key;             /* what translation_page remembers it by; n 0: it has no texts */
	bool            fresh;           /* has to be made anew */
	bool            unanswered;      /* a text of it stayed in the source language: the next run asks again */
	const char     *title, *props;   /* in the other language; props: JSON of those that are texts */
	struct str      hash, body;      /* of the body; bytes of a fresh one */
	const char     *old_warnings;    /* JSON of an earlier run, of one that is not fresh */
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
	bool                   aside;             /* rules ask for a change request */
	struct point           view;              /* of the result: upstream_view() */
	bool                   ran;               /* it was complete once */
	struct str             made_from;         /* then, and now: */
	struct str             makes_from;
	struct engine          engine;
	struct str             context;           /* of the memory */
	struct str             settings_key;      /* of all that decides how texts are translated */
	struct point           point;             /* of the source */
	struct item           *items;
	size_t                 n;
	struct map            *by_id;             /* struct item */
	struct map            *texts;             /* text -> struct asked */
	struct asked          *asked, **last_asked;
	struct asked          *worn;              /* known, and to be noted as used */
	size_t                 asked_n, answered;
	bool                   unanswered;        /* an item is */
	int64_t                words, pages;
	const char            *error;
};

/* The texts of an item are noted as asked; in a read transaction. */
void translate_collect(struct translate_job *j, struct item *i, struct arena *scratch);
/* With the answers there: title, props, hash and body of the item. */
void translate_apply(struct translate_job *j, struct item *i, struct arena *scratch);

void translate_warn(struct translate_job *j, struct item *i, const char *message);

/* The policy of a merge: corrections in the result stay; struct upstream_task. */
struct wanted *translate_both(void *ctx, const struct node *before, const struct node *now, struct wanted *w);

/* Items as a state of upstream, whole. In a read transaction. */
struct wanted *translate_wanted(struct translate_job *j);

#endif
