/*
 * Statements of PostgreSQL. The whole result is fetched by the first step: so rows stay valid, and a
 * loop over them may run other statements on the same connection.
 */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/panic.h"
#include "db_pg_match.h"

/* True for statements of other engines' folders, which are not prepared here. */
static bool
is_foreign(const struct sql *sql)
{
	return strncmp(sql->file, "src/db/sqlite/", 14) == 0;
}

static void
fail_prepare(struct pg_db *p, PGresult *r, const struct sql *sql)
{
	const char *state = p->pq->result_field(r, 'C');

	/* Class 42: syntax error or access rule violation. */
	if (state != NULL && strncmp(state, "42", 2) == 0 && strcmp(state, "42501") != 0)
		panic("%s: %s: %s", sql->file, sql->name, p->pq->error(p->c));
	pg_fail(p, r, sql->name);
}

static const char *
text_of(const struct sql *sql)
{
	return sql->postgres != NULL ? sql->postgres : sql->text;
}

/*
 * Prepares the statement in the current session. name "": the server replaces it at the next such call. types: of
 * the parameters; NULL, or 0 for one of them: the server finds it out.
 */
static void
prepare_now(struct pg_db *p, const struct sql *sql, const char *name, const char *text, int count, const Oid *types)
{
	PGresult *r = p->pq->prepare(p->c, name, text, count, types);

	if (!pg_succeeded(p, r))
		fail_prepare(p, r, sql);
	p->pq->clear(r);
}

/* Copies names and types of the columns from a described statement, or from a result. */
static void
take_columns(struct pg_db *p, struct pg_stmt *s, const PGresult *r)
{
	size_t n = (size_t)p->pq->columns(r), i;

	s->columns = (int)n;
	s->column_names = arena_array(s->arena, n, sizeof(*s->column_names));
	s->column_types = arena_array(s->arena, n, sizeof(*s->column_types));
	for (i = 0; i < n; i++) {
		s->column_names[i] = arena_strdup(s->arena, p->pq->column_name(r, (int)i));
		s->column_types[i] = p->pq->column_type(r, (int)i);
	}
}

/*
 * Reads the types that the server has found for the parameters. True if it took one for a number of 32 bits,
 * because it is compared with a literal, for example: then its type is set to 64 bits, and the statement must
 * be prepared again.
 */
static bool
take_types(struct pg_db *p, struct pg_stmt *s, const struct sql *sql)
{
	PGresult *r = p->pq->describe(p->c, s->name);
	bool narrow = false;
	int i;

	if (!pg_succeeded(p, r))
		pg_fail(p, r, sql->name);
	assert(p->pq->parameters(r) == s->count);
	for (i = 0; i < s->count; i++) {
		s->types[i] = p->pq->parameter_type(r, i);
		if (s->types[i] == PG_INT4 || s->types[i] == PG_INT2) {
			s->types[i] = PG_INT8;
			narrow = true;
		}
	}
	take_columns(p, s, r);
	p->pq->clear(r);
	return narrow;
}

static struct pg_stmt *
make_statement(struct pg_db *p, struct arena *a, const char *text)
{
	struct pg_stmt *s = arena_alloc(a, sizeof(*s));
	const char **names;
	size_t n, i;

	s->arena = a;
	s->text = arena_strdup(a, pg_rewrite(p->passing, text, &names, &s->count, &s->writes));
	n = (size_t)s->count;
	s->names = arena_array(a, n, sizeof(*s->names));
	for (i = 0; i < n; i++)
		s->names[i] = arena_strdup(a, names[i]);
	arena_reset(p->passing);
	s->types = arena_array(a, n, sizeof(*s->types));
	s->values = arena_array(a, n, sizeof(*s->values));
	s->lengths = arena_array(a, n, sizeof(*s->lengths));
	s->formats = arena_array(a, n, sizeof(*s->formats));
	s->numbers = arena_array(a, n, sizeof(*s->numbers));
	return s;
}

void
pg_prepare(struct stmt *q)
{
	struct pg_db *p = pg_of(q->db);
	struct pg_stmt *s = make_statement(p, p->kept, text_of(q->sql));

	do {
		snprintf(s->name, sizeof(s->name), "o%u", ++p->prepared);
		prepare_now(p, q->sql, s->name, s->text, s->count, s->types);
	} while (take_types(p, s, q->sql));
	s->session = p->session;
	q->own = s;
}

void
pg_check(struct db *db, const struct sql *sql)
{
	struct pg_db *p = pg_of(db);
	const char **names;
	int count;
	bool writes;

	if (!is_foreign(sql))
		prepare_now(p, sql, "", pg_rewrite(p->passing, text_of(sql), &names, &count, &writes), 0, NULL);
	arena_reset(p->passing);
}

static void
drop_result(struct stmt *q)
{
	struct pg_stmt *s = pg_stmt_of(q);

	if (s->result != NULL)
		pg_of(q->db)->pq->clear(s->result);
	s->result = NULL;
	if (s->match != NULL)
		pg_match_free(s->match);
	s->match = NULL;
}

void
pg_rewind(struct stmt *q)
{
	drop_result(q);
}

void
pg_reset(struct stmt *q)
{
	struct pg_stmt *s = pg_stmt_of(q);

	drop_result(q);
	memset(s->values, 0, (size_t)s->count * sizeof(*s->values));
}

static int
find_parameter(struct stmt *q, const char *name)
{
	struct pg_stmt *s = pg_stmt_of(q);
	int i;

	for (i = 0; i < s->count; i++)
		if (strcmp(s->names[i], name) == 0)
			return i;
	panic("%s: %s has no parameter %s", q->sql->file, q->sql->name, name);
}

/* Binds bytes as they are; if the parameter is a number, the server reads them as its text. */
static void
bind_raw(struct stmt *q, const char *name, struct str bytes)
{
	struct pg_stmt *s = pg_stmt_of(q);
	int i = find_parameter(q, name);

	s->values[i] = bytes.p == NULL ? "" : bytes.p;
	s->lengths[i] = (int)bytes.n;
	s->formats[i] = s->types[i] == PG_TEXT || s->types[i] == PG_BYTEA || s->types[i] == PG_BYTEAS;
	if (s->formats[i] != 1 && bytes.n < sizeof(s->numbers[i])) {
		snprintf(s->numbers[i], sizeof(s->numbers[i]), "%.*s", (int)bytes.n, bytes.p);
		s->values[i] = s->numbers[i];
	}
}

void
pg_bind_bytes(struct stmt *q, const char *name, struct str text)
{
	bind_raw(q, name, text);
}

void
pg_bind_blob(struct stmt *q, const char *name, struct str bytes)
{
	bind_raw(q, name, bytes);
}

/* Binds the number as a text, which the server converts to the type of the parameter. */
void
pg_bind_int(struct stmt *q, const char *name, int64_t n)
{
	struct pg_stmt *s = pg_stmt_of(q);
	int i = find_parameter(q, name);

	snprintf(s->numbers[i], sizeof(s->numbers[i]), "%" PRId64, n);
	s->values[i] = s->numbers[i];
	s->formats[i] = 0;
}

void
pg_bind_null(struct stmt *q, const char *name)
{
	pg_stmt_of(q)->values[find_parameter(q, name)] = NULL;
}

void
pg_take_result(struct pg_db *p, struct pg_stmt *s, PGresult *r)
{
	s->result = r;
	s->row = -1;
	s->changed = strtoll(p->pq->changed(r), NULL, 10);
	if (s->writes)
		p->changes += s->changed;
	if (s->column_types == NULL)
		take_columns(p, s, r);
}

/* A statement that was prepared in a session that was lost is prepared again, with the same types. */
static void
run_statement(struct stmt *q)
{
	struct pg_db *p = pg_of(q->db);
	struct pg_stmt *s = pg_stmt_of(q);
	PGresult *r;

	if (s->writes && !q->db->write)
		panic("%s: %s writes outside of a write transaction", q->sql->file, q->sql->name);
	if (s->session != p->session) {
		prepare_now(p, q->sql, s->name, s->text, s->count, s->types);
		s->session = p->session;
	}
	if ((r = pg_ahead_take(p, s)) == NULL)
		r = p->pq->run(p->c, s->name, s->count, s->values, s->lengths, s->formats, 1);
	if (!pg_succeeded(p, r))
		pg_fail(p, r, q->sql->name);
	pg_take_result(p, s, r);
}

bool
pg_step(struct stmt *q)
{
	struct pg_stmt *s = pg_stmt_of(q);

	if (s->match != NULL)
		return pg_match_step(s->match);
	if (s->result == NULL)
		run_statement(q);
	if (++s->row < pg_of(q->db)->pq->rows(s->result))
		return true;
	drop_result(q);
	return false;
}

PGresult *
pg_run_whole(struct stmt *q)
{
	struct pg_stmt *s = pg_stmt_of(q);
	PGresult *r;

	run_statement(q);
	r = s->result;
	s->result = NULL;
	return r;
}

int64_t
pg_changed(struct stmt *q)
{
	return pg_stmt_of(q)->changed;
}

int64_t
pg_changes(struct db *db)
{
	return pg_of(db)->changes;
}

int64_t
pg_last_id(struct db *db)
{
	struct pg_db *p = pg_of(db);
	PGresult *r = pg_exec(p, "SELECT lastval()");
	int64_t id;

	if (!pg_succeeded(p, r))
		pg_fail(p, r, "lastval");
	id = strtoll(p->pq->value(r, 0, 0), NULL, 10);
	p->pq->clear(r);
	return id;
}

bool
pg_script(struct db *db, struct arena *a, const char *text, const char **error)
{
	struct pg_db *p = pg_of(db);
	const char **names;
	int count;
	bool writes;
	PGresult *r = pg_exec(p, pg_rewrite(a, text, &names, &count, &writes));
	bool ok = pg_succeeded(p, r);

	if (!ok)
		*error = arena_strdup(a, p->pq->error(p->c));
	p->pq->clear(r);
	return ok;
}

static void
note_state(struct pg_db *p, const PGresult *r)
{
	const char *state = p->pq->result_field(r, 'C');

	snprintf(p->state, sizeof(p->state), "%s", state == NULL ? "" : state);
}

bool
pg_each(struct db *db, struct arena *a, const char *text, void (*row)(void *, struct stmt *), void *ctx,
    const char **error)
{
	static const struct sql adhoc = { "ad hoc", __FILE__, "", NULL };
	struct pg_db *p = pg_of(db);
	struct pg_stmt *s = make_statement(p, a, text);
	struct stmt q = { .engine = db->engine, .sql = &adhoc, .db = db, .own = s };
	PGresult *r = p->pq->run_text(p->c, s->text, 0, NULL, NULL, NULL, NULL, 1);

	if (!pg_succeeded(p, r)) {
		*error = arena_strdup(a, p->pq->error(p->c));
		note_state(p, r);
		p->pq->clear(r);
		return false;
	}
	for (pg_take_result(p, s, r); ++s->row < p->pq->rows(r);)
		row(ctx, &q);
	p->pq->clear(r);
	return true;
}
