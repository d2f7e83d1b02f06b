/*
 * What one document may take. Markdown of a few megabytes can ask for gigabytes
 * of nodes, so a parse counts them, and the memory of cmark and of gumbo, and
 * leaves by a longjmp where there are too many: doc_parse then gives the source
 * as plain text. The counts depend on the body alone, never on what its links
 * lead to: what passed once passes always.
 *
 * cmark's memory is an arena of its own for each tree, which goes back to the
 * system in one piece; nothing of cmark has to be freed singly, so the longjmp
 * leaks nothing. Parses of one process nest, but do not run side by side.
 */
#include <string.h>

#include "../doc_limit.h"
#include "base/panic.h"

/* A scratch arena in use; in its own memory. */
struct held {
	struct held  *outer;
	struct arena *a;
};

/* Static, because cmark and gumbo hand no context to where memory is asked for. */
static struct doc_limit *limit;    /* the parse under way; NULL: nothing is counted */
static struct held      *held;     /* the newest first */
static struct arena     *cmark;    /* where cmark allocates now */
static unsigned          pieces;   /* that cmark got since its memory was looked at */

/* l is on the caller's stack and must live until limit_end(). */
void
limit_begin(struct doc_limit *l)
{
	l->outer = limit;
	l->held = held;
	l->cmark = cmark;
	l->nodes = 0;
	l->why = NULL;
	limit = l;
	pieces = 0;
}

void
limit_end(struct doc_limit *l)
{
	/*
	 * After a longjmp the arenas of the parse are still held; after an ordinary return there
	 * are none.
	 */
	while (held != l->held)
		limit_arena_free(held->a);
	cmark = l->cmark;
	limit = l->outer;
}

/*
 * why must be static: the arena that a message could be in may be gone. Callers outside of any
 * parse, such as html_text(), are told by the return and deal with the fault themselves.
 */
void
limit_leave(const char *why)
{
	if (limit == NULL)
		return;
	limit->why = why;
	longjmp(limit->out, 1);
}

void
limit_node(void)
{
	if (limit != NULL && ++limit->nodes > DOC_NODES_MAX)
		limit_leave("has more than " LIMIT_TEXT(DOC_NODES_MAX) " nodes (paragraphs, list items, "
		    "cells, runs of text and the like)");
}

void
limit_memory(const struct arena *a)
{
	if (limit != NULL && arena_used(a) > (size_t)DOC_MEMORY_MAX)
		limit_leave("nests or repeats so much markup that reading it takes more than "
		    LIMIT_TEXT(DOC_MEMORY_MIB) " MiB of memory");
}

struct arena *
limit_arena(void)
{
	/* Room enough that limit_memory() speaks first, and with a reason, wherever it is asked. */
	struct arena *a = arena_new((size_t)4 << 30);
	struct held *h = arena_alloc(a, sizeof(*h));

	h->outer = held;
	h->a = a;
	held = h;
	return a;
}

/* They end in the order in which they came, the newest first. */
void
limit_arena_free(struct arena *a)
{
	if (held == NULL || held->a != a)
		panic("scratch arenas of documents do not nest");
	held = held->outer;
	arena_free(a);
}

/* ---- cmark's allocator ---- */

/*
 * HEAD: before each piece its size, and what keeps it aligned. Memory is looked at for each piece
 * that is LARGE, and after so many others as cannot be a hundredth of the limit.
 */
enum { HEAD = 16, LARGE = 1024, PIECES = 1024 };

static void *
cmark_bytes(size_t n)
{
	char *p = arena_bytes(cmark, n + HEAD);

	if (n >= LARGE || ++pieces >= PIECES) {
		pieces = 0;
		limit_memory(cmark);
	}
	/* cmark_realloc() is told the new size alone, and has to know how much to copy. */
	memcpy(p, &n, sizeof(n));
	return p + HEAD;
}

static void *
cmark_calloc(size_t n, size_t size)
{
	if (size != 0 && n > SIZE_MAX / 2 / size)
		panic("cmark: %zu objects of %zu bytes", n, size);
	return memset(cmark_bytes(n * size), 0, n * size);
}

static void *
cmark_realloc(void *old, size_t n)
{
	size_t was;
	void *p;

	if (old == NULL)
		return cmark_bytes(n);
	memcpy(&was, (char *)old - HEAD, sizeof(was));
	/* Nothing is given back before the arena is, so that shrinking gains nothing. */
	if (n <= was)
		return old;
	/*
	 * cmark's string buffers grow at the end of the arena most of the time: without this
	 * each growth would leave the old bytes behind.
	 */
	if (arena_extend(cmark, (char *)old - HEAD, was + HEAD, n + HEAD)) {
		limit_memory(cmark);
		memcpy((char *)old - HEAD, &n, sizeof(n));
		return old;
	}
	p = cmark_bytes(n);
	memcpy(p, old, was);
	return p;
}

/* cmark's free. */
static void
cmark_keep(void *p)
{
	(void)p;
}

cmark_mem *
limit_cmark(void)
{
	static cmark_mem mem = { cmark_calloc, cmark_realloc, cmark_keep };

	return &mem;
}

struct arena *
limit_cmark_in(struct arena *a)
{
	struct arena *before = cmark;

	cmark = a;
	return before;
}
