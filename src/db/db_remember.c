/*
 * What modules remember for the life of a connection. Contract: db/db.h.
 *
 * Large pieces are mapped, so that a program that serves one request does not pay for a table that it
 * hardly fills; small ones lie beside the connection.
 */
#include <sys/mman.h>

#include "db_parts.h"
#include "base/panic.h"

enum { LARGE = 64 << 10 };

struct db_piece {
	struct db_piece        *next;
	const struct db_keeper *of;
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
		if (piece->of == k)
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
		if (piece->of->drop != NULL)
			piece->of->drop(piece->p);
		if (piece->of->size >= LARGE)
			munmap(piece->p, piece->of->size);
	}
	db->pieces = NULL;
}
