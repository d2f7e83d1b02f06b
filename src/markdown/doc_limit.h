/* The limits of one document, for the files that parse (doc_limit.c). */
#ifndef OCTAVO_DOC_LIMIT_H
#define OCTAVO_DOC_LIMIT_H

#include <setjmp.h>

#include <cmark-gfm.h>

#include "base/arena.h"
#include "markdown/document.h"

/* Around a parse: limit_begin(), then setjmp(l->out) right in the caller, at last limit_end(). */
struct doc_limit {
	struct doc_limit *outer;
	jmp_buf           out;     /* where a parse that takes too much comes back, with why set */
	size_t            nodes;   /* so far */
	const char       *why;     /* a static text that follows "the document"; NULL: it is within */
	struct held      *held;
	struct arena     *cmark;
};

#define LIMIT_TEXT(n)  LIMIT_TEXT_(n)
#define LIMIT_TEXT_(n) #n

void limit_begin(struct doc_limit *l);
void limit_end(struct doc_limit *l);
/* Gives up the parse under way; returns only where none is. */
void limit_leave(const char *why);
/* One more node of the tree. */
void limit_node(void);
/* Is that scratch memory still within? */
void limit_memory(const struct arena *a);

/* Scratch memory that also ends where the parse is given up; freed newest first. */
struct arena *limit_arena(void);
void          limit_arena_free(struct arena *a);

/* cmark's allocator, and the arena that it takes from now on; returns the one before. */
cmark_mem    *limit_cmark(void);
struct arena *limit_cmark_in(struct arena *a);

#endif
