/*
 * SQLite's memory. Debian builds SQLite without its cache of small blocks (SQLITE_OMIT_LOOKASIDE),
 * so each cursor of a statement, and each word of the schema that a plain CGI reads, is a malloc()
 * and a free(). Octavo's processes are single-threaded: here a small block comes from a free list
 * of its size, or is cut from a larger piece. Pieces are kept until the process ends; blocks above
 * SMALL use malloc().
 *
 * The size is stored in front of each block. Under AddressSanitizer malloc() does everything, since
 * it knows the bounds of each block.
 */
#include <stdlib.h>
#include <string.h>

#include "db_sqlite.h"

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

#ifndef SANITIZED
/* Sizes are multiples of STEP; up to SMALL each has a free list. */
enum { STEP = 16, SMALL = 1024, PIECE = 64 << 10 };

struct block {
	size_t size;              /* of the data, which SQLite needs aligned to 8 */
	union {
		struct block *next;   /* while it is free */
		char          data[1];
	};
};

#define HEAD  offsetof(struct block, data)

/* Indexed by size / STEP: the blocks of one list are equally large. */
static struct block *free_blocks[SMALL / STEP + 1];
static char *piece;
static size_t left;           /* bytes of the piece that are not yet used */

static struct block *
block_from_data(void *p)
{
	return (struct block *)((char *)p - HEAD);
}

/* Cut a new small block. The rest of a used-up piece is too short to keep. */
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

/* SQLite calls this too (xRoundup), and uses the bytes that rounding adds. */
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
free_block(void *p)
{
	struct block *b = block_from_data(p);

	if (b->size > SMALL) {
		free(b);
		return;
	}
	b->next = free_blocks[b->size / STEP];
	free_blocks[b->size / STEP] = b;
}

static int
block_size(void *p)
{
	return p == NULL ? 0 : (int)block_from_data(p)->size;
}

static void *
mem_resize(void *p, int n)
{
	size_t have = block_from_data(p)->size, size = (size_t)round_up(n);
	struct block *b;
	void *q;

	/* Only blocks of malloc() can be passed to realloc(): small ones are parts of a piece. */
	if (have > SMALL && size > SMALL) {
		b = realloc(block_from_data(p), HEAD + size);   /* style: SQLite's own memory */
		if (b == NULL)
			return NULL;
		b->size = size;
		return b->data;
	}
	if ((q = mem_alloc(n)) == NULL)
		return NULL;
	memcpy(q, p, have < size ? have : size);
	free_block(p);
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
	static const sqlite3_mem_methods methods = { mem_alloc, free_block, mem_resize, block_size, round_up,
		mem_init, mem_shutdown, NULL };

	sqlite3_config(SQLITE_CONFIG_MALLOC, &methods);
}

#else

void
db_memory(void)
{
}

#endif
