/*
 * A migration for PostgreSQL. Its statements are those of SQLite:
 *
 *   CREATE TABLE, ADD COLUMN   db_pg_table.c; their references follow the last statement
 *   CREATE TRIGGER             db_pg_trigger.c
 *   DROP TRIGGER               drops the function, and the trigger with it
 *   others                     as they are, but for what pg_rewrite() changes
 *
 * A statement of another form, such as one that calls a function of SQLite, fails at the server, and
 * the migration with it: tests/unit/test_engines.c runs all that a PostgreSQL database may need.
 */
#include <string.h>

#include "base/buf.h"
#include "db_pg.h"

enum { STEP_MOST = 1 << 20, WORDS = 6 };

/* End of the statement that begins at s: its semicolon, or the end of the text. A trigger has semicolons before END. */
static const char *
find_end(const char *s)
{
	struct str token = pg_next_token(&s), before = { "", 0 };
	bool trigger = false;

	for (; token.n > 0; before = token, token = pg_next_token(&s)) {
		trigger |= pg_token_is(before, "CREATE") && pg_token_is(token, "TRIGGER");
		if (pg_token_is(token, ";") && (!trigger || pg_token_is(before, "END")))
			return token.p;
	}
	return s;
}

/* Writes one statement. False: it is a trigger of an unknown form. */
static bool
put_statement(struct pg_definitions *d, struct arena *a, struct str text)
{
	const char *s = arena_strndup(a, text.p, text.n), *at = s, *rest[WORDS];   /* rest[i]: the text after word[i] */
	struct str word[WORDS];
	char *name;
	int i;

	for (i = 0; i < WORDS; i++) {
		word[i] = pg_next_token(&at);
		rest[i] = at;
	}
	name = arena_strndup(a, word[2].p, word[2].n);
	if (pg_token_is(word[0], "CREATE") && pg_token_is(word[1], "TABLE"))
		pg_put_table(d, name, word[0].p);
	else if (pg_token_is(word[0], "CREATE") && pg_token_is(word[1], "TRIGGER"))
		return pg_trigger(&d->out, word[0].p);
	else if (pg_token_is(word[0], "DROP") && pg_token_is(word[1], "TRIGGER"))
		buf_printf(&d->out, "DROP FUNCTION %s() CASCADE;\n", name);
	else if (pg_token_is(word[0], "ALTER") && pg_token_is(word[3], "ADD") && pg_token_is(word[4], "COLUMN"))
		pg_put_column(d, name, rest[4]);
	else
		buf_printf(&d->out, "%s;\n", s);
	return true;
}

char *
pg_translate_step(struct arena *a, const char *text, const char **error)
{
	struct pg_definitions d;
	const char *end;

	buf_init(&d.out, a, STEP_MOST);
	buf_init(&d.late, a, STEP_MOST);
	for (; *text != '\0'; text = *end == ';' ? end + 1 : end) {
		end = find_end(text);
		if (!put_statement(&d, a, (struct str){ text, (size_t)(end - text) })) {
			*error = "a trigger has an unknown form";
			return NULL;
		}
	}
	buf_put(&d.out, buf_view(&d.late));
	return d.out.p;
}
