/* Sessions of people in browsers. Contract: signin/session.h. */
#include "base/json.h"
#include "base/secret.h"
#include "signin/session.h"

SQL(q_add,
    "INSERT INTO session (id, account, org, provider, hash, way, device, created_at, used_at, ends_at) "
    "VALUES (:id, :account, :org, :provider, :hash, :way, :device, :now, :now, :ends)");
SQL(q_sweep, "DELETE FROM session WHERE ends_at <= :now");
#define AND_ORG "AND (CAST(:org AS TEXT) IS NULL OR org = :org)"
SQL(q_end, "DELETE FROM session WHERE id = :id AND account = :account " AND_ORG);
SQL(q_end_all, "DELETE FROM session WHERE account = :account AND id <> COALESCE(:except, '') " AND_ORG);

char *
session_device(struct arena *a, const char *agent)
{
	size_t n = agent == NULL ? 0 : strlen(agent);
	char *device = arena_strndup(a, agent == NULL ? "" : agent, n < SESSION_DEVICE_MAX ? n : SESSION_DEVICE_MAX);

	/*
	 * Any client may send this header, so bytes that are not UTF-8 are replaced, and so is a
	 * character that was cut in two.
	 */
	for (char *p = device; *p != '\0'; p++)
		if ((unsigned char)*p < ' ' || (unsigned char)*p > '~')
			*p = '?';
	return device;
}

void
session_make(struct db *db, struct arena *a, const struct settings *set, struct session *s)
{
	int64_t now = time_now();
	struct stmt *q = db_use(db, &q_sweep);

	bind_int(q, ":now", now);
	stmt_run(q);
	s->id = secret_id(a);
	s->secret = secret_named(a, "ocs_");
	s->ends_at = now + (int64_t)set->session_days * DAY_MS;
	q = db_use(db, &q_add);
	bind_text(q, ":id", s->id);
	bind_text(q, ":account", s->account);
	bind_blob(q, ":hash", hash_of(a, str_of(s->secret)));
	bind_text(q, ":org", s->org);
	bind_text(q, ":provider", s->provider);
	bind_text(q, ":way", s->way);
	bind_text(q, ":device", session_device(a, s->device));
	bind_int(q, ":now", now);
	bind_int(q, ":ends", s->ends_at);
	stmt_run(q);
}

bool
session_end(struct db *db, const char *account, const char *org, const char *id)
{
	struct stmt *q = db_use(db, &q_end);

	bind_text(q, ":id", id);
	bind_text(q, ":account", account);
	bind_text(q, ":org", org);
	return stmt_run(q) == 1;
}

int64_t
session_end_all(struct db *db, const char *account, const char *org, const char *except)
{
	struct stmt *q = db_use(db, &q_end_all);

	bind_text(q, ":account", account);
	bind_text(q, ":org", org);
	bind_text(q, ":except", except);
	return stmt_run(q);
}
