/* The limits of one document, for the files that parse (doc_limit.c). */
#ifndef OCTAVO_DOC_LIMIT_H
#define OCTAVO_DOC_LIMIT_H

#include <setjmp.h>

#include <cmark-gfm.h>

#include "base/arena.h"
#include "markdown/document.h"

/*
 * State of a parse with limits: call limit_begin(), then setjmp(l->out) directly in the caller, and
 * limit_end() at the end.
 */
struct doc_limit {
	struct doc_limit *outer;
	jmp_buf           out;     /* where a parse that takes too much continues, with why set */
	size_t            nodes;   /* nodes so far */
	const char       *why;     /* static text that continues "the document"; NULL: within the limits */
	struct arena_level *arenas;
	struct arena     *cmark;
};

#define LIMIT_TEXT(n)  LIMIT_TEXT_(n)
#define LIMIT_TEXT_(n) #n

void limit_begin(struct doc_limit *l);
void limit_end(struct doc_limit *l);
/* Aborts the current parse by a longjmp; returns only if no parse is running. */
void limit_abort(const char *why);
/* Counts a node of the tree. */
void limit_node(void);
/* Aborts the parse if this scratch memory is too large. */
void limit_memory(const struct arena *a);

/* Scratch memory that is also freed if the parse is aborted. Free the newest arena first. */
struct arena *limit_arena(void);
void          limit_arena_free(struct arena *a);

/*
 * limit_cmark() is cmark's allocator. limit_cmark_in() sets the arena from which it allocates from
 * now on, and returns the previous one.
 */
cmark_mem    *limit_cmark(void);
struct arena *limit_cmark_in(struct arena *a);

#endif
