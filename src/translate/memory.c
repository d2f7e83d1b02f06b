/* The translation memory. The contract is in translate/memory.h. */
#include "base/buf.h"
#include "base/json.h"
#include "base/secret.h"
#include "translate/memory.h"

/*
 * STEP: rows of one DELETE, as in its LIMIT. FRESH_DAYS: the time of the last use is updated only
 * if it is older than this, so that few reads cause a write.
 */
enum { STEP = 100, FRESH_DAYS = 30, KEEP_DAYS = 365 };

SQL(q_get, "SELECT text, used_at FROM translation_memory WHERE org = :org AND key = :key");
/* Two jobs of an organization may translate the same text at once: the later answer stays. */
SQL(q_put,
    "INSERT INTO translation_memory (org, key, text, used_at) VALUES (:org, :key, :text, :now) "
    "ON CONFLICT (org, key) DO UPDATE SET text = excluded.text, used_at = excluded.used_at");
SQL(q_used, "UPDATE translation_memory SET used_at = :now WHERE org = :org AND key = :key");
/* Uses the index on used_at; row values, because the key has two columns. */
SQL(q_forget,
    "DELETE FROM translation_memory WHERE (org, key) IN "
    "(SELECT org, key FROM translation_memory WHERE used_at <= :oldest LIMIT 100)");

struct str
memory_context(struct arena *a, const char *from, const char *to, const char *engine, const char *instructions,
    const char *glossary)
{
	/*
	 * The first three parts contain no line feed, and the glossary is JSON or empty, so the
	 * parts cannot be confused.
	 */
	return hash_of(a, str_of(arena_printf(a, "%s\n%s\n%s\n%s\n%s", from, to, engine, instructions, glossary)));
}

/* The context has a fixed length: no separator is needed. */
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
memory_get(struct db *db, struct arena *a, const char *org, struct str key, struct str *out, bool *worn)
{
	struct stmt *q = db_use(db, &q_get);
	struct str s;

	bind_text(q, ":org", org);
	bind_blob(q, ":key", key);
	if (!stmt_step(q))
		return false;
	s = col_bytes(q, 0);
	*out = (struct str){ arena_strndup(a, s.p, s.n), s.n };
	*worn = col_int(q, 1) <= time_now() - FRESH_DAYS * DAY_MS;
	return true;
}

void
memory_put(struct db *db, const char *org, struct str key, struct str text)
{
	struct stmt *q = db_use(db, &q_put);

	bind_text(q, ":org", org);
	bind_blob(q, ":key", key);
	bind_str(q, ":text", text);
	bind_int(q, ":now", time_now());
	stmt_run(q);
}

void
memory_used(struct db *db, const char *org, struct str key)
{
	struct stmt *q = db_use(db, &q_used);

	bind_text(q, ":org", org);
	bind_blob(q, ":key", key);
	bind_int(q, ":now", time_now());
	stmt_run(q);
}

void
memory_forget(struct db *db)
{
	int64_t n;

	db_begin(db, true);
	do {
		struct stmt *q = db_use(db, &q_forget);
		bind_int(q, ":oldest", time_now() - KEEP_DAYS * DAY_MS);
		/*
		 * Short transactions let other writers continue: there may be many thousands of
		 * rows.
		 */
		n = stmt_run(q);
		db_breathe(db);
	} while (n == STEP);
	db_commit(db);
}
