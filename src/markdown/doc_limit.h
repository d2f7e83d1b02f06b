/* The limits of one document, for the files that parse (doc_limit.c). */
#ifndef OCTAVO_DOC_LIMIT_H
#define OCTAVO_DOC_LIMIT_H

#include <setjmp.h>

#include <cmark-gfm.h>

#include "base/arena.h"
#include "markdown/document.h"

/*
 * Around a parse: limit_begin(), then setjmp(l->out) directly in the caller, and finally
 * limit_end().
 */
struct doc_limit {
	struct doc_limit *outer;
	jmp_buf           out;     /* longjmp target of a parse that takes too much, with why set */
	size_t            nodes;   /* so far */
	const char       *why;     /* static text that continues "the document"; NULL: within the limits */
	struct arena_level *arenas;
	struct arena     *cmark;
};

#define LIMIT_TEXT(n)  LIMIT_TEXT_(n)
#define LIMIT_TEXT_(n) #n

void limit_begin(struct doc_limit *l);
void limit_end(struct doc_limit *l);
/* Gives up the current parse; returns only if there is none. */
void limit_leave(const char *why);
/* Counts a node of the tree. */
void limit_node(void);
/* Checks the size of this scratch memory. */
void limit_memory(const struct arena *a);

/* Scratch memory that also ends if the parse is given up; free the newest first. */
struct arena *limit_arena(void);
void          limit_arena_free(struct arena *a);

/* cmark's allocator, and the arena that it uses from now on; returns the previous one. */
cmark_mem    *limit_cmark(void);
struct arena *limit_cmark_in(struct arena *a);

#endif
