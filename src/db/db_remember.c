/*
 * State that modules keep for the life of a connection, such as caches. Contract: db/db.h.
 *
 * Large pieces are mapped with mmap(), which takes memory only for the pages in use: a program that
 * serves one request uses little of a large table. Small pieces are in the connection's arena.
 */
#include <sys/mman.h>

#include "db_parts.h"
#include "base/panic.h"

enum { LARGE = 64 << 10 };

struct db_piece {
	struct db_piece        *next;
	const struct db_keeper *keeper;
	void                   *p;
};

static void *
make_piece(struct db *db, size_t size)
{
	void *p;

	if (size < LARGE)
		return arena_alloc(db->arena, size);
	p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		panic("no memory for a table of %zu bytes", size);
	return p;
}

void *
db_remember(struct db *db, const struct db_keeper *k)
{
	struct db_piece *piece;

	for (piece = db->pieces; piece != NULL; piece = piece->next)
		if (piece->keeper == k)
			return piece->p;
	piece = arena_alloc(db->arena, sizeof(*piece));
	*piece = (struct db_piece){ db->pieces, k, make_piece(db, k->size) };
	db->pieces = piece;
	return piece->p;
}

void
db_forget(struct db *db)
{
	for (const struct db_piece *piece = db->pieces; piece != NULL; piece = piece->next) {
		if (piece->keeper->drop != NULL)
			piece->keeper->drop(piece->p);
		if (piece->keeper->size >= LARGE)
			munmap(piece->p, piece->keeper->size);
	}
	db->pieces = NULL;
}
