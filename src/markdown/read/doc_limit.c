/*
 * Limits what one document may take. A few megabytes of Markdown can make gigabytes of nodes. So a
 * parse counts its nodes and the memory of cmark and gumbo. Beyond a limit it is aborted by a
 * longjmp, and the result of doc_parse() is the source as plain text. The counts depend on the body
 * alone, never on the targets of its links: a body that was within the limits once always is.
 *
 * Each tree of cmark has an arena of its own, which is freed in one piece. Nothing of cmark must be
 * freed separately, so the longjmp leaks nothing. The parses of one process may nest, but do not
 * run at the same time.
 */
#include <string.h>

#include "../doc_limit.h"
#include "base/panic.h"

/* A scratch arena that is in use; this struct is in its memory. */
struct arena_level {
	struct arena_level  *outer;
	struct arena *a;
};

/* Static, because cmark and gumbo pass no context to their allocators. */
static struct doc_limit *limit;    /* the current parse; NULL: nothing is counted */
static struct arena_level      *arenas;     /* newest first */
static struct arena     *cmark;    /* arena that cmark allocates from */
static unsigned          pieces;   /* allocations of cmark since the last check of its memory */

/* l is on the caller's stack and must live until limit_end(). */
void
limit_begin(struct doc_limit *l)
{
	l->outer = limit;
	l->arenas = arenas;
	l->cmark = cmark;
	l->nodes = 0;
	l->why = NULL;
	limit = l;
	pieces = 0;
}

void
limit_end(struct doc_limit *l)
{
	/* After a longjmp the arenas of the parse still exist; after a normal return there are none left. */
	while (arenas != l->arenas)
		limit_arena_free(arenas->a);
	cmark = l->cmark;
	limit = l->outer;
}

/*
 * `why` must be static, since arenas are freed. Outside of a parse (html_text(), for example) this
 * function returns, and its caller handles the error.
 */
void
limit_abort(const char *why)
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
		limit_abort("has more than " LIMIT_TEXT(DOC_NODES_MAX) " nodes (paragraphs, list items, "
		    "cells, runs of text and the like)");
}

void
limit_memory(const struct arena *a)
{
	if (limit != NULL && arena_used(a) > (size_t)DOC_MEMORY_MAX)
		limit_abort("nests or repeats so much markup that reading it takes more than "
		    LIMIT_TEXT(DOC_MEMORY_MIB) " MiB of memory");
}

struct arena *
limit_arena(void)
{
	/* So large that limit_memory() always fails first, with a reason. */
	struct arena *a = arena_new((size_t)4 << 30);
	struct arena_level *h = arena_alloc(a, sizeof(*h));

	h->outer = arenas;
	h->a = a;
	arenas = h;
	return a;
}

/* Arenas end in reverse order. */
void
limit_arena_free(struct arena *a)
{
	if (arenas == NULL || arenas->a != a)
		panic("scratch arenas of documents do not nest");
	arenas = arenas->outer;
	arena_free(a);
}

/* ---- cmark's allocator ---- */

/*
 * HEAD: space for the size before each allocation, which keeps it aligned. The memory is checked at
 * each allocation above LARGE, and after every PIECES others, which together are less than a
 * hundredth of the limit.
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
	/* The size is stored, since cmark_realloc() gets only the new one. */
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
	/* Shrinking frees nothing before the arena ends. */
	if (n <= was)
		return old;
	/*
	 * The string buffers that cmark lets grow are usually the last allocation, which can be
	 * extended in place; otherwise each old copy would stay in the arena.
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

/* cmark's free(): does nothing. */
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
