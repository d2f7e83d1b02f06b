/* Columns of a statement's current row, by number and by name. Contract: db/db.h. */
#include "base/panic.h"
#include "db_engine.h"
#include "db_parts.h"

/* More than any statement has columns, so that two names rarely share a hint. */
enum { HINTS = 64 };

int
col_count(struct stmt *q)
{
	return q->engine->col_count(q);
}

const char *
col_name(struct stmt *q, int i)
{
	return q->engine->col_name(q, i);
}

/* Copy the names: SQLite's own become invalid when it prepares the statement again. */
static void
copy_names(struct stmt *q)
{
	int i, n = col_count(q);
	const char **names = arena_array(q->db->arena, (size_t)n, sizeof(*names));

	for (i = 0; i < n; i++)
		names[i] = arena_strdup(q->db->arena, col_name(q, i));
	q->names = names;
	q->count = n;
	q->hints = arena_array(q->db->arena, HINTS, sizeof(*q->hints));
}

/*
 * Most names are literals, so the column in which a name was found last is stored under the address
 * of the name. The text is compared in any case.
 */
int
col_find(struct stmt *q, const char *name)
{
	uint16_t *hint;
	int c;

	if (q->names == NULL)
		copy_names(q);
	hint = &q->hints[((uintptr_t)name ^ (uintptr_t)name >> 6) % HINTS];
	if (*hint < q->count && strcmp(q->names[*hint], name) == 0)
		return *hint;
	for (c = 0; c < q->count; c++)
		if (strcmp(q->names[c], name) == 0) {
			*hint = (uint16_t)c;
			return c;
		}
	return -1;
}

/* An unknown name is a bug: end the program rather than return another column's value. */
int
col(struct stmt *q, const char *name)
{
	int i = col_find(q, name);

	if (i < 0)
		panic("%s: %s has no column %s", q->sql->file, q->sql->name, name);
	return i;
}

/*
 * Array of n column numbers, which the caller fills if *made, and gets again for the next rows. key
 * is compared by address.
 */
int *
col_map(struct stmt *q, const void *key, const char *prefix, size_t n, bool *made)
{
	struct col_map *m;

	for (m = q->maps; m != NULL; m = m->next)
		if (m->key == key && strcmp(m->prefix, prefix) == 0)
			break;
	*made = m == NULL;
	if (m == NULL) {
		/*
		 * Allocate from the connection's arena: the array lives as long as the statement.
		 */
		m = arena_alloc(q->db->arena, sizeof(*m) + n * sizeof(*m->cols));
		m->key = key;
		m->prefix = arena_strdup(q->db->arena, prefix);
		m->next = q->maps;
		q->maps = m;
	}
	return m->cols;
}

bool
col_null(struct stmt *q, int i)
{
	return q->engine->col_null(q, i);
}

int64_t
col_int(struct stmt *q, int i)
{
	return q->engine->col_int(q, i);
}

double
col_double(struct stmt *q, int i)
{
	return q->engine->col_double(q, i);
}

bool
col_is_number(struct stmt *q, int i)
{
	return q->engine->col_is_number(q, i);
}

const char *
col_text(struct stmt *q, int i)
{
	return q->engine->col_text(q, i);
}

struct str
col_bytes(struct stmt *q, int i)
{
	return q->engine->col_bytes(q, i);
}

/* Check for NULL first: in SQLite, the type of a column is undefined after a conversion. */
char *
col_dup(struct stmt *q, int i, struct arena *a)
{
	struct str s;

	if (q->engine->col_null(q, i))
		return NULL;
	s = q->engine->col_bytes(q, i);
	return arena_strndup(a, s.p, s.n);
}
