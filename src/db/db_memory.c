/*
 * SQLite's memory. Debian builds SQLite without its own cache of small blocks
 * (SQLITE_OMIT_LOOKASIDE), so that each cursor of each statement, and each word
 * of the schema that a plain CGI reads, is a malloc() and a free(). A process of
 * Octavo has one thread: here a small block is taken from the list of those of
 * its size that were given back, or else cut from a larger piece. Such pieces are
 * kept until the process ends; what is larger than SMALL goes to malloc().
 *
 * Each block has its size in front of it. Under AddressSanitizer malloc() does
 * all, which knows the bounds of each block.
 */
#include <stdlib.h>
#include <string.h>

#include "db_parts.h"

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

#ifndef SANITIZED
/* Sizes are multiples of STEP, each with a list of its own up to SMALL. */
enum { STEP = 16, SMALL = 1024, PIECE = 64 << 10 };

struct block {
	size_t size;              /* of data, which SQLite wants aligned to 8 */
	union {
		struct block *next;   /* while it is free */
		char          data[1];
	};
};

#define HEAD  offsetof(struct block, data)

/* By size / STEP; blocks of one list are equally large, so any of them fits. */
static struct block *free_blocks[SMALL / STEP + 1];
static char *piece;
static size_t left;           /* bytes of the piece that were not cut off yet */

static struct block *
block_of(void *p)
{
	return (struct block *)((char *)p - HEAD);
}

/* A new small block. What is left of the old piece is too short to be of use. */
static struct block *
cut_block(size_t size)
{
	struct block *b;

	if (left < HEAD + size) {
		piece = malloc(PIECE);   /* style: SQLite's own memory */
		left = piece == NULL ? 0 : PIECE;
		if (piece == NULL)
			return NULL;
	}
	b = (struct block *)piece;
	piece += HEAD + size;
	left -= HEAD + size;
	return b;
}

/* SQLite asks for it too (xRoundup), and then uses what rounding adds. */
static int
round_up(int n)
{
	return (n + STEP - 1) & ~(STEP - 1);
}

static void *
mem_alloc(int n)
{
	size_t size = (size_t)round_up(n);
	struct block *b;

	if (size > SMALL) {
		b = malloc(HEAD + size);   /* style: SQLite's own memory */
	} else if ((b = free_blocks[size / STEP]) != NULL) {
		free_blocks[size / STEP] = b->next;
	} else {
		b = cut_block(size);
	}
	if (b == NULL)
		return NULL;
	b->size = size;
	return b->data;
}

static void
give_back(void *p)
{
	struct block *b = block_of(p);

	if (b->size > SMALL) {
		free(b);
		return;
	}
	b->next = free_blocks[b->size / STEP];
	free_blocks[b->size / STEP] = b;
}

static int
size_of(void *p)
{
	return p == NULL ? 0 : (int)block_of(p)->size;
}

static void *
mem_resize(void *p, int n)
{
	size_t have = block_of(p)->size, size = (size_t)round_up(n);
	struct block *b;
	void *q;

	/* Only blocks of malloc() can be given to realloc(): small ones lie in a piece. */
	if (have > SMALL && size > SMALL) {
		b = realloc(block_of(p), HEAD + size);   /* style: SQLite's own memory */
		if (b == NULL)
			return NULL;
		b->size = size;
		return b->data;
	}
	if ((q = mem_alloc(n)) == NULL)
		return NULL;
	memcpy(q, p, have < size ? have : size);
	give_back(p);
	return q;
}

static int
mem_init(void *ctx)
{
	(void)ctx;
	return SQLITE_OK;
}

static void
mem_shutdown(void *ctx)
{
	(void)ctx;
}

void
db_memory(void)
{
	static const sqlite3_mem_methods methods = { mem_alloc, give_back, mem_resize, size_of, round_up,
		mem_init, mem_shutdown, NULL };

	sqlite3_config(SQLITE_CONFIG_MALLOC, &methods);
}

#else

void
db_memory(void)
{
}

#endif
