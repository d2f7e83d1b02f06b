/*
 * Number of issues of an organization that have a term: counted in memory, written once in a
 * transaction.
 */
#include <string.h>

#include "cluster_rows.h"

/* written: the value in the database. The difference is added to the row. */
struct frequency {
	uint64_t id;      /* 0: empty slot */
	int64_t  n, written;
};

/* Lives as long as a job, because batches share most terms. */
struct frequencies {
	struct arena     *arena;
	struct frequency *at;
	size_t            size, used;   /* number of slots, a power of two; number of terms in them */
	uint64_t         *changed;      /* ids whose count must be written */
	size_t            changes, room;
};

SQL(q_term, "SELECT issues FROM issue_term WHERE org = :org AND term = :term");
/*
 * The difference is added, so that changes by others between two transactions of the job are kept.
 */
SQL(q_term_put,
    "INSERT INTO issue_term (org, term, issues) VALUES (:org, :term, :n) "
    "ON CONFLICT (org, term) DO UPDATE SET issues = issue_term.issues + excluded.issues");

struct frequencies *
frequencies_new(struct arena *a)
{
	struct frequencies *f = arena_alloc(a, sizeof(*f));

	f->arena = a;
	f->size = 1 << 12;
	f->at = arena_array(a, f->size, sizeof(*f->at));
	return f;
}

/*
 * Open addressing. At most half of the slots are used, so an empty slot ends each search.
 * Multiplying by the golden ratio mixes the bits.
 */
static struct frequency *
find_slot(struct frequencies *f, uint64_t id)
{
	size_t i = (id * 0x9E3779B97F4A7C15u) >> 20 & (f->size - 1);

	while (f->at[i].id != 0 && f->at[i].id != id)
		i = (i + 1) & (f->size - 1);
	return &f->at[i];
}

/*
 * The old table stays in the arena. The size grows by four, so old tables take at most a third of
 * the memory.
 */
static void
grow_table(struct frequencies *f)
{
	struct frequency *old = f->at;
	size_t n = f->size, i;

	f->size *= 4;
	f->at = arena_array(f->arena, f->size, sizeof(*f->at));
	for (i = 0; i < n; i++)
		if (old[i].id != 0)
			*find_slot(f, old[i].id) = old[i];
}

/*
 * Reads the row when a term is first used. The pointer is valid until the next call, because the
 * table may move.
 */
static struct frequency *
get_frequency(struct store *s, uint64_t term)
{
	struct frequency *f;
	struct stmt *q;

	if (s->df->used * 2 > s->df->size)
		grow_table(s->df);
	if ((f = find_slot(s->df, term))->id == 0) {
		q = db_use(s->db, &q_term);
		bind_text(q, ":org", s->org);
		bind_int(q, ":term", (int64_t)term);
		*f = (struct frequency){ .id = term, .n = stmt_int(q, 0) };
		f->written = f->n;
		s->df->used++;
	}
	return f;
}

/*
 * Records that a count has changed. The id is stored and not the slot, because slots change when
 * the table grows.
 */
static void
note_change(struct frequencies *f, uint64_t id)
{
	f->changed = arena_grow(f->arena, f->changed, f->changes, &f->room, sizeof(*f->changed));
	f->changed[f->changes++] = id;
}

void
frequencies_count(struct store *s, const struct terms *t, int sign)
{
	size_t i;

	for (i = 0; i < t->n; i++) {
		struct frequency *f = get_frequency(s, t->at[i].id);
		if (f->n == f->written)
			note_change(s->df, f->id);
		f->n += sign;
	}
}

/* Includes the changes of this transaction that are not written yet. */
int64_t
frequencies_at(struct store *s, uint64_t term)
{
	return get_frequency(s, term)->n;
}

/* Writes each count that changed once, however many issues of the transaction have the term. */
void
frequencies_write(struct store *s)
{
	struct stmt *q;
	size_t i;

	for (i = 0; i < s->df->changes; i++) {
		struct frequency *f = find_slot(s->df, s->df->changed[i]);
		/* The term is listed twice, or its number was changed back to the old value. */
		if (f->n == f->written)
			continue;
		q = db_use(s->db, &q_term_put);
		bind_text(q, ":org", s->org);
		bind_int(q, ":term", (int64_t)f->id);
		bind_int(q, ":n", f->n - f->written);
		stmt_run(q);
		f->written = f->n;
	}
	s->df->changes = 0;
}
