/*
 * Triggers of the schema for PostgreSQL:
 *
 *   CREATE TRIGGER name AFTER UPDATE OF a, b ON t WHEN condition BEGIN statements END
 *
 * becomes a function in PL/pgSQL, which checks the condition (that of a trigger may have no
 * subquery), and a trigger that calls it for each row.
 */
#include <string.h>

#include "base/buf.h"
#include "db_pg.h"

/* Copies; IS NOT and a column becomes IS DISTINCT FROM, and SELECT RAISE(ABORT, 'x') becomes RAISE EXCEPTION 'x'. */
static void
put_body(struct buf *b, struct str text)
{
	static const char raise[] = "SELECT RAISE(ABORT, ", is_not[] = " IS NOT ";
	const char *s = text.p, *end = text.p + text.n;

	while (s < end) {
		if (strncmp(s, raise, sizeof(raise) - 1) == 0) {
			buf_str(b, "RAISE EXCEPTION ");
			for (s += sizeof(raise) - 1; *s != ')'; s++)
				buf_char(b, *s);
			s++;
		} else if (strncmp(s, is_not, sizeof(is_not) - 1) == 0 && strncmp(s + sizeof(is_not) - 1, "NULL", 4) != 0) {
			buf_str(b, " IS DISTINCT FROM ");
			s += sizeof(is_not) - 1;
		} else {
			buf_char(b, *s++);
		}
	}
}

bool
pg_trigger(struct buf *b, const char *text)
{
	const char *begin = strstr(text, "BEGIN"), *end = NULL, *when, *s;
	struct str head, name;

	if (strncmp(text, "CREATE TRIGGER ", 15) != 0 || begin == NULL)
		return false;
	for (s = begin; (s = strstr(s, "END")) != NULL; s++)
		end = s;
	if (end == NULL)
		return false;
	name = (struct str){ text + 15, strcspn(text + 15, " ") };
	/* A WHEN after BEGIN is that of a CASE. */
	when = strstr(text, "WHEN ");
	if (when != NULL && when > begin)
		when = NULL;
	head = (struct str){ name.p + name.n, (size_t)((when != NULL ? when : begin) - name.p - (ptrdiff_t)name.n) };
	buf_printf(b, "CREATE OR REPLACE FUNCTION %.*s() RETURNS trigger LANGUAGE plpgsql AS $octavo$ BEGIN\n", (int)name.n, name.p);
	if (when != NULL) {
		buf_str(b, "IF ");
		put_body(b, (struct str){ when + 5, (size_t)(begin - when - 5) });
		buf_str(b, "THEN\n");
	}
	put_body(b, (struct str){ begin + 5, (size_t)(end - begin - 5) });
	buf_printf(b, "%s\nRETURN NULL; END $octavo$;\nCREATE TRIGGER %.*s%.*s FOR EACH ROW EXECUTE FUNCTION %.*s();\n",
	    when != NULL ? "END IF;" : "", (int)name.n, name.p, (int)head.n, head.p, (int)name.n, name.p);
	return true;
}
