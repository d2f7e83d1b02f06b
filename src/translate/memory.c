/* The translation memory. Contract: translate/memory.h. */
#include "base/buf.h"
#include "base/secret.h"
#include "translate/memory.h"

SQL(q_get, "SELECT text FROM translation_memory WHERE org = :org AND key = :key");
SQL(q_put,
    "INSERT INTO translation_memory (org, key, text) VALUES (:org, :key, :text) "
    "ON CONFLICT (org, key) DO UPDATE SET text = excluded.text");

struct str
memory_context(struct arena *a, const char *from, const char *to, const char *engine, const char *instructions,
    const char *glossary)
{
	return hash_of(a, str_of(arena_printf(a, "%s\n%s\n%s\n%s\n%s", from, to, engine, instructions, glossary)));
}

struct str
memory_key(struct arena *a, struct str context, struct str text)
{
	struct buf b;

	buf_init(&b, a, context.n + text.n + 1);
	buf_put(&b, context);
	buf_put(&b, text);
	return hash_of(a, buf_view(&b));
}

bool
memory_get(struct db *db, struct arena *a, const char *org, struct str key, struct str *out)
{
	struct stmt *q = db_use(db, &q_get);
	struct str s;

	bind_text(q, ":org", org);
	bind_blob(q, ":key", key);
	if (!stmt_step(q))
		return false;
	s = col_bytes(q, 0);
	*out = (struct str){ arena_strndup(a, s.p, s.n), s.n };
	return true;
}

void
memory_put(struct db *db, const char *org, struct str key, struct str text)
{
	struct stmt *q = db_use(db, &q_put);

	bind_text(q, ":org", org);
	bind_blob(q, ":key", key);
	bind_str(q, ":text", text);
	stmt_run(q);
}
