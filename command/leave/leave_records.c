/*
 * Writes records/: the rows of each table as lines of JSON, and the schema of these lines.
 * Contract: command/leave.h.
 */
#include <inttypes.h>
#include <string.h>

#include "base/exact.h"
#include "base/json.h"
#include "base/secret.h"
#include "base/utf8.h"
#include "command/leave.h"
#include "leave_parts.h"

/* Limit of a line: a body may have 64 MiB, and JSON may need six bytes for each of its bytes. */
enum { LINE_BYTES = 1 << 30 };

/* A table that is being written. */
struct table_out {
	struct leave             *l;
	const struct leave_table *table;
	struct leave_column      *columns;
	size_t                    n;
	struct arena             *line;   /* reset after each row */
	FILE                     *f;      /* NULL: the table is secret */
	bool                      bodies; /* the table is blob, so the last column of the statement has the bytes */
};

/* Numbers that readers of JSON would round are written as strings (RFC 8259, 6). */
static void
put_integer(struct table_out *t, struct json *j, int64_t n)
{
	if (n <= EXACT_MAX && n >= -EXACT_MAX)
		json_int(j, n);
	else
		json_str(j, arena_printf(t->line, "%" PRId64, n));
}

/* Bytes are written in base16 (RFC 4648), so that hashes look the same as in the names of files. */
static void
put_value(struct table_out *t, struct json *j, struct stmt *q, int i, const char *type)
{
	if (col_null(q, i))
		json_null(j);
	else if (strcmp(type, "INTEGER") == 0)
		put_integer(t, j, col_int(q, i));
	else if (strcmp(type, "REAL") == 0)
		json_num(j, col_double(q, i));
	else if (strcmp(type, "BLOB") == 0)
		json_str(j, hex(t->line, col_bytes(q, i)));
	else
		json_strn(j, col_bytes(q, i));
}

/* Writes the bytes of a blob: as text if they are UTF-8. A blob in a file has no bytes here. */
static void
put_body(struct table_out *t, struct json *j, struct stmt *q)
{
	struct str bytes = col_bytes(q, (int)t->n);

	if (col_null(q, (int)t->n))
		return;
	if (utf8_valid(bytes))
		json_kstrn(j, "text", bytes);
	else
		json_kstr(j, "bytes", hex(t->line, bytes));
}

/*
 * Writes the members of a row for secrets.sealed (sealed) or for records/. Returns whether any
 * secret member has a value.
 */
static bool
put_row(struct table_out *t, struct json *j, struct stmt *q, bool sealed)
{
	bool all = t->table->kind == LEAVE_SECRET, any = all;

	json_obj(j);
	for (size_t i = 0; i < t->n; i++) {
		const struct leave_column *c = &t->columns[i];

		if (sealed ? !all && !c->secret && !c->key : c->secret)
			continue;
		any = any || (c->secret && !col_null(q, (int)i));
		json_keyn(j, str_of(c->name));
		put_value(t, j, q, (int)i, c->type);
	}
	if (t->bodies)
		put_body(t, j, q);
	json_end(j);
	return any;
}

static void
seal_row(struct table_out *t, struct stmt *q)
{
	struct buf b;
	struct json j;

	buf_init(&b, t->line, LINE_BYTES);
	json_init(&j, &b);
	json_obj(&j);
	json_kstr(&j, "table", t->table->name);
	json_key(&j, "row");
	if (!put_row(t, &j, q, true))
		return;
	json_end(&j);
	if (!sealed_put(t->l->secrets, buf_view(&b)))
		leave_fail(t->l, "%s: cannot be written", LEAVE_SECRETS);
}

static void
take_row(void *ctx, struct stmt *q)
{
	struct table_out *t = ctx;
	struct json j;
	struct buf b;

	if (!leave_goes_on(t->l, "records", false))
		return;
	t->l->rows++;
	if (t->f != NULL) {
		buf_init(&b, t->line, LINE_BYTES);
		json_init(&j, &b);
		put_row(t, &j, q, false);
		buf_char(&b, '\n');
		fwrite(b.p, 1, b.n, t->f);
	}
	if (t->l->secrets != NULL && (t->table->kind == LEAVE_SECRET || t->table->secret != NULL))
		seal_row(t, q);
	arena_reset(t->line);
}

/* Rows are ordered by their key, so that two exports of the same rows are equal. */
static const char *
select_rows(struct table_out *t, const char *where)
{
	struct arena *a = t->l->arena;
	struct buf b, order;

	buf_init(&b, a, 1 << 20);
	buf_init(&order, a, 1 << 16);
	for (size_t i = 0; i < t->n; i++) {
		buf_printf(&b, "%st.\"%s\"", i > 0 ? ", " : "SELECT ", t->columns[i].name);
		if (t->columns[i].key)
			buf_printf(&order, "%st.\"%s\"", order.n > 0 ? ", " : " ORDER BY ", t->columns[i].name);
	}
	if (t->bodies)
		buf_str(&b, ", octavo_unpack(d.data, d.size)");
	buf_printf(&b, " FROM \"%s\" t%s WHERE %s%s", t->table->name,
	    t->bodies ? " LEFT JOIN blob_data d ON d.no = t.no" : "", where, order.n > 0 ? order.p : "");
	return b.p;
}

/* Leaves out the number of a row of blob_data, which has a meaning in this database only. */
static void
drop_number(struct table_out *t)
{
	for (size_t i = 0; t->bodies && i < t->n; i++)
		if (strcmp(t->columns[i].name, "no") == 0) {
			memmove(&t->columns[i], &t->columns[i + 1], (t->n - i - 1) * sizeof(*t->columns));
			t->n--;
		}
}

static bool
write_table(struct leave *l, const struct leave_table *table)
{
	struct table_out t = { .l = l, .table = table, .bodies = strcmp(table->name, "blob") == 0 };
	const char *name = arena_printf(l->arena, "records/%s.jsonl", table->name), *error;

	t.columns = leave_columns(l->db, l->arena, table, &t.n);
	if (t.n == 0 || table->kind == LEAVE_MADE || (table->kind == LEAVE_SECRET && l->secrets == NULL))
		return true;
	drop_number(&t);
	t.line = arena_new((size_t)LINE_BYTES * 4);
	if (table->kind == LEAVE_ROWS && (t.f = leave_open(l, name)) == NULL) {
		arena_free(t.line);
		return false;
	}
	if (!db_each(l->db, l->arena, select_rows(&t, leave_where(l->db, l->arena, table, l->org)), take_row, &t, &error))
		leave_fail(l, "%s: %s", table->name, error);
	arena_free(t.line);
	return (t.f == NULL || leave_close(l, t.f, name)) && l->error == NULL;
}

/* ---- the schema ---- */

static void
put_type(struct json *j, const struct leave_column *c)
{
	const char *type = strcmp(c->type, "INTEGER") == 0 ? "integer" : strcmp(c->type, "REAL") == 0 ? "number" : "string";

	json_karr(j, "type");
	json_str(j, type);
	if (*c->type == 'I')
		json_str(j, "string");
	if (!c->required)
		json_str(j, "null");
	json_end(j);
	if (*c->type == 'I')
		json_kstr(j, "pattern", "^-?[0-9]+$");
	if (strcmp(c->type, "BLOB") == 0)
		json_kstr(j, "contentEncoding", "base16");
	if (c->about != NULL)
		json_kstr(j, "description", c->about);
}

static void
put_member(struct json *j, const char *name, const char *encoding, const char *about)
{
	json_kobj(j, name);
	json_kstr(j, "type", "string");
	if (encoding != NULL)
		json_kstr(j, "contentEncoding", encoding);
	json_kstr(j, "description", about);
	json_end(j);
}

static void
put_table(struct json *j, const struct table_out *t)
{
	json_keyn(j, str_of(t->table->name));
	json_obj(j);
	json_kstr(j, "type", "object");
	json_kobj(j, "properties");
	for (size_t i = 0; i < t->n; i++)
		if (!t->columns[i].secret) {
			json_keyn(j, str_of(t->columns[i].name));
			json_obj(j);
			put_type(j, &t->columns[i]);
			json_end(j);
		}
	if (t->bodies) {
		put_member(j, "text", NULL, "The bytes of a page's body or link map. Missing: files/ has them");
		put_member(j, "bytes", "base16", "The same, if they are no UTF-8");
	}
	json_end(j);
	json_karr(j, "required");
	for (size_t i = 0; i < t->n; i++)
		if (!t->columns[i].secret)
			json_str(j, t->columns[i].name);
	json_end(j);
	json_kbool(j, "additionalProperties", false);
	json_end(j);
}

static bool
write_schema(struct leave *l)
{
	FILE *f = leave_open(l, "records/schema.json");
	struct json j;
	struct buf b;

	if (f == NULL)
		return false;
	buf_init(&b, l->arena, 1 << 24);
	json_init(&j, &b);
	json_obj(&j);
	json_kstr(&j, "$schema", "https://json-schema.org/draft/2020-12/schema");
	json_kstr(&j, "description", "A line of records/TABLE.jsonl is an object of $defs/TABLE. Times are milliseconds since 1970, UTC.");
	json_kobj(&j, "$defs");
	for (size_t i = 0; i < leave_table_count; i++) {
		struct table_out t = { .l = l, .table = &leave_tables[i], .bodies = strcmp(leave_tables[i].name, "blob") == 0 };

		t.columns = leave_columns(l->db, l->arena, t.table, &t.n);
		drop_number(&t);
		if (t.n > 0 && t.table->kind == LEAVE_ROWS)
			put_table(&j, &t);
	}
	json_end(&j);
	json_end(&j);
	buf_char(&b, '\n');
	fwrite(b.p, 1, b.n, f);
	return leave_close(l, f, "records/schema.json");
}

bool
leave_records(struct leave *l)
{
	for (size_t i = 0; i < leave_table_count; i++) {
		cli_progress("records", (int64_t)i, (int64_t)leave_table_count);
		if (!leave_goes_on(l, "records", false) || !write_table(l, &leave_tables[i]))
			return false;
	}
	return write_schema(l);
}
