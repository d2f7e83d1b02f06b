/* New ids for those of an export that is imported beside other data. Contract: leave_parts.h. */
#include <ctype.h>
#include <string.h>

#include "base/map.h"
#include "base/secret.h"
#include "leave_parts.h"

enum { UUID_CHARS = 36 };

struct id {
	const char *table, *old;
	const char *new;      /* NULL: the old id stays */
	struct id  *next;
};

struct leave_ids {
	struct arena     *arena;
	struct map       *map;        /* struct id by old */
	struct id        *first, **end;
	const char       *table;      /* whose ids are read */
	bool              used;       /* leave_ids_used(): one of the ids was found in the other database */
};

static bool
is_word(char c)
{
	return isalnum((unsigned char)c) != 0;
}

/* True for 8-4-4-4-12 hexadecimal digits. */
static bool
is_uuid(const char *s, size_t n)
{
	if (n != UUID_CHARS)
		return false;
	for (size_t i = 0; i < n; i++)
		if (i == 8 || i == 13 || i == 18 || i == 23 ? s[i] != '-' : !isxdigit((unsigned char)s[i]))
			return false;
	return true;
}

static bool
has_id_form(struct str s)
{
	size_t n = 0;

	while (n < s.n && is_word(s.p[n]))
		n++;
	return (s.n == ID_CHARS && n == s.n) || is_uuid(s.p, s.n);
}

/* ---- reading ---- */

static void
add_id(struct leave_ids *ids, struct str old)
{
	struct id *id;

	if (map_has(ids->map, old))
		return;
	id = arena_alloc(ids->arena, sizeof(*id));
	*id = (struct id){ .table = ids->table, .old = arena_strndup(ids->arena, old.p, old.n) };
	map_add(ids->map, str_of(id->old), id);
	*ids->end = id;
	ids->end = &id->next;
}

static void
take_id(void *ctx, struct stmt *q)
{
	add_id(ctx, col_bytes(q, 0));
}

/* Ids of pages and files; settings have fixed ids, which the form excludes. */
static void
take_node(void *ctx, struct stmt *q)
{
	if (has_id_form(col_bytes(q, 0)))
		add_id(ctx, col_bytes(q, 0));
}

/*
 * Returns a query for the ids of a table whose column id has a UNIQUE index of its own. NULL: ids of
 * this table are not replaced. Skips schedules: their ids contain the ids of other rows, which
 * leave_ids_text() replaces.
 */
static const char *
ids_of(struct arena *a, const struct leave_table *t)
{
	if (t->kind != LEAVE_ROWS || t->by == NULL || strcmp(t->name, "schedule") == 0)
		return NULL;
	return arena_printf(a, "SELECT t.id FROM \"%s\" t WHERE typeof(t.id) = 'text' AND EXISTS (SELECT 1 FROM pragma_index_list('%s') l, "
	    "pragma_index_info(l.name) i WHERE l.\"unique\" = 1 AND i.name = 'id' AND "
	    "(SELECT count(*) FROM pragma_index_info(l.name)) = 1)", t->name, t->name);
}

static bool
has_column_id(struct db *db, struct arena *a, const struct leave_table *t)
{
	size_t n;
	const struct leave_column *list = leave_columns(db, a, t, &n);

	for (size_t i = 0; i < n; i++)
		if (strcmp(list[i].name, "id") == 0 && strcmp(list[i].type, "TEXT") == 0)
			return true;
	return false;
}

/* Calls row() for each id that a table of the database has. */
static void
each_id(struct db *db, struct leave_ids *ids, const struct leave_table *t, void (*row)(void *, struct stmt *))
{
	const char *text = ids_of(ids->arena, t);

	ids->table = t->name;
	if (text != NULL && has_column_id(db, ids->arena, t))
		db_each_or_fail(db, ids->arena, text, row, ids);
}

struct leave_ids *
leave_ids_read(struct arena *a, struct db *from)
{
	struct leave_ids *ids = arena_alloc(a, sizeof(*ids));

	*ids = (struct leave_ids){ .arena = a, .map = map_new(a) };
	ids->end = &ids->first;
	for (size_t i = 0; i < leave_table_count; i++)
		each_id(from, ids, &leave_tables[i], take_id);
	ids->table = "page";
	db_each_or_fail(from, a, "SELECT DISTINCT id FROM node WHERE kind <> 'setting'", take_node, ids);
	return ids;
}

/* ---- whether they are used ---- */

static void
take_used(void *ctx, struct stmt *q)
{
	struct leave_ids *ids = ctx;

	ids->used = ids->used || map_has(ids->map, col_bytes(q, 0));
}

bool
leave_ids_used(struct leave_ids *ids, struct db *db)
{
	ids->used = false;
	for (size_t i = 0; i < leave_table_count && !ids->used; i++)
		each_id(db, ids, &leave_tables[i], take_used);
	/* The id of a deleted row counts as used, too; the audit record still has it. */
	if (!ids->used)
		db_each_or_fail(db, ids->arena, "SELECT DISTINCT target FROM audit_event WHERE target IS NOT NULL", take_used, ids);
	return ids->used;
}

/* ---- new ids ---- */

void
leave_ids_set(struct leave_ids *ids, const char *old, const char *new)
{
	struct id *id = map_get(ids->map, str_of(old));

	if (id != NULL)
		id->new = arena_strdup(ids->arena, new);
}

/* The digits of a new id, in the form of the old one. */
static const char *
renewed(struct arena *a, const char *old)
{
	unsigned char bytes[HASH_BYTES];
	const char *h;

	if (!is_uuid(old, strlen(old)))
		return secret_id(a);
	hash_bytes(str_of(secret_id(a)), bytes);
	h = hex(a, (struct str){ (const char *)bytes, sizeof(bytes) });
	/* Random bits, as version 4 says (RFC 9562, 5.4). */
	return arena_printf(a, "%.8s-%.4s-4%.3s-a%.3s-%.12s", h, h + 8, h + 12, h + 15, h + 18);
}

void
leave_ids_renew(struct leave_ids *ids)
{
	for (struct id *id = ids->first; id != NULL; id = id->next)
		if (id->new == NULL)
			id->new = renewed(ids->arena, id->old);
}

const char *
leave_ids_new(const struct leave_ids *ids, struct str old)
{
	const struct id *id = map_get(ids->map, old);

	return id == NULL ? NULL : id->new;
}

/* ---- texts ---- */

/*
 * Returns the new id for the word at s, which has at most n bytes; NULL: the word is no id. *len: the length of the word.
 * escaped: a backslash or a percent sign precedes the word, so that its first letters may be those of an escape (\n,
 * \u00e9, %2F); *skip is then their number.
 */
static const char *
find_word(const struct leave_ids *ids, const char *s, size_t n, bool escaped, size_t *skip, size_t *len)
{
	size_t word = 0;

	while (word < n && is_word(s[word]))
		word++;
	*skip = 0;
	*len = word;
	if (word == 8 && n >= UUID_CHARS && is_uuid(s, UUID_CHARS))
		*len = UUID_CHARS;
	else if (word > ID_CHARS && escaped)
		*skip = word - ID_CHARS;
	return *len - *skip != ID_CHARS && *len != UUID_CHARS ? NULL :
	    leave_ids_new(ids, (struct str){ s + *skip, *len - *skip });
}

struct str
leave_ids_text(const struct leave_ids *ids, struct arena *a, struct str s)
{
	struct buf b = { 0 };
	size_t copied = 0, skip, len;
	bool any = false;

	for (size_t i = 0; i < s.n; i += len) {
		const char *new;

		len = 1;
		if (!is_word(s.p[i]))
			continue;
		new = find_word(ids, s.p + i, s.n - i, i > 0 && (s.p[i - 1] == '\\' || s.p[i - 1] == '%'), &skip, &len);
		if (new == NULL)
			continue;
		if (!any)
			buf_init(&b, a, 2 * s.n + 64);
		any = true;
		buf_add(&b, s.p + copied, i + skip - copied);
		buf_str(&b, new);
		copied = i + len;
	}
	if (!any)
		return s;
	buf_add(&b, s.p + copied, s.n - copied);
	return buf_view(&b);
}

/* ---- the list ---- */

int64_t
leave_ids_write(const struct leave_ids *ids, FILE *f)
{
	int64_t n = 0;

	fputs("table\told\tnew\n", f);
	for (const struct id *id = ids->first; id != NULL; id = id->next)
		if (id->new != NULL) {
			fprintf(f, "%s\t%s\t%s\n", id->table, id->old, id->new);
			n++;
		}
	return n;
}
