/* Queues runs of translations. Contract: propagate/start_translations.h. */
#include "app/queue.h"
#include "base/json.h"
#include "base/role.h"
#include "base/secret.h"
#include "base/utf8.h"
#include "propagate/start_translations.h"
#include "store/space.h"

/*
 * If the source is deleted, there is no row, and nothing is queued. Column 10: a run is queued or
 * running; 11: the creator is still a member, and so may own the result.
 */
SQL(q_translation,
    "SELECT t.org, t.source, t.language, t.created_by, t.result, s.parent, s.title, s.emoji, s.ord, s.default_level, "
    "(SELECT count(*) FROM job j WHERE j.id = t.job AND j.state IN ('queued', 'running')), "
    "EXISTS (SELECT 1 FROM member m WHERE m.org = t.org AND m.account = t.created_by) "
    "FROM translation t JOIN space s ON s.id = t.source AND s.org = t.org WHERE t.id = :id AND s.deleted_at IS NULL");
SQL(q_queued, "UPDATE translation SET job = :job, error = NULL WHERE id = :id");
SQL(q_result, "UPDATE translation SET result = :result WHERE id = :id");
SQL(q_level, "UPDATE space SET default_level = :level WHERE id = :id");
SQL(q_grants, "SELECT account, team, role FROM access_grant WHERE space = :space");
SQL(q_grant,
    "INSERT INTO access_grant (id, space, account, team, role, created_at) "
    "VALUES (:id, :space, :account, :team, :role, :now)");
SQL(q_followers,
    "SELECT id FROM translation WHERE source = :space AND automatic = 1 ORDER BY id");

/* The query uses the index of results, because the request is one of the result's space. */
SQL(q_waiting_translation,
    "SELECT t.id FROM change_request c JOIN translation t ON t.result = c.space AND t.waiting = c.id "
    "WHERE c.id = :request AND t.automatic = 1");

struct grant {
	const char *account, *team;
	int64_t     role;
};

static void
add_grant(struct db *db, struct arena *a, const char *space, const struct grant *g)
{
	struct stmt *q = db_use(db, &q_grant);

	bind_text(q, ":id", secret_id(a));
	bind_text(q, ":space", space);
	bind_text(q, ":account", g->account);
	bind_text(q, ":team", g->team);
	bind_int(q, ":role", g->role);
	bind_int(q, ":now", time_now());
	stmt_run(q);
}

/* Gives the result the same grants as the source; its creator may also create there. */
static void
copy_access(struct db *db, struct arena *a, const char *source, const char *result, int64_t level, const char *creator)
{
	struct grant *list = NULL;
	size_t n = 0, room = 0, i;
	bool has = creator == NULL;
	struct stmt *q = db_use(db, &q_level);

	bind_int(q, ":level", level);
	bind_text(q, ":id", result);
	stmt_run(q);
	q = db_use(db, &q_grants);
	bind_text(q, ":space", source);
	while (stmt_step(q)) {
		list = arena_grow(a, list, n, &room, sizeof(*list));
		/* Collect first: the grants of the result are rows of the same table. */
		list[n++] = (struct grant){ col_dup(q, 0, a), col_dup(q, 1, a), col_int(q, 2) };
	}
	for (i = 0; i < n; i++) {
		if (creator != NULL && list[i].account != NULL && strcmp(list[i].account, creator) == 0) {
			/* Raise an existing grant of the creator instead of adding a second one. */
			list[i].role = list[i].role < ROLE_CREATE ? ROLE_CREATE : list[i].role;
			has = true;
		}
		add_grant(db, a, result, &list[i]);
	}
	if (!has)
		add_grant(db, a, result, &(struct grant){ creator, NULL, ROLE_CREATE });
}

/* A title like "Manual (es)", cut to the limit of titles. */
static char *
translated_title(struct arena *a, const char *title, const char *language)
{
	size_t room = SPACE_TITLE_MAX - strlen(language) - 3, n = 0;
	struct str s = str_of(title);
	uint32_t cp;

	/* The limit counts code points (docs/design/jobs.md, "Translations"). */
	for (; room > 0 && n < s.n; room--)
		n += utf8_next(str_slice(s, n, s.n), &cp);
	return arena_printf(a, "%.*s (%s)", (int)n, title, language);
}

/* Makes the space of the result, for the row of q. */
static char *
make_result(struct db *db, struct arena *a, struct stmt *q, const char *id)
{
	struct space_new n = { .org = col_dup(q, 0, a), .parent = col_dup(q, 5, a), .emoji = col_dup(q, 7, a),
		.after = col_dup(q, 8, a) };
	const char *source = col_dup(q, 1, a);
	int64_t level = col_int(q, 9), branch;
	char *result;

	n.language = col_dup(q, 2, a);
	n.title = translated_title(a, col_text(q, 6), n.language);
	n.author = col_int(q, 11) ? col_dup(q, 3, a) : NULL;
	result = space_make(db, a, &n, &branch);
	copy_access(db, a, source, result, level, n.author);
	q = db_use(db, &q_result);
	bind_text(q, ":result", result);
	bind_text(q, ":id", id);
	stmt_run(q);
	return result;
}

bool
translation_queue(struct db *db, struct arena *a, const char *id)
{
	struct job job = { .kind = "translate" };
	struct stmt *q = db_use(db, &q_translation);
	const char *made;

	bind_text(q, ":id", id);
	/*
	 * A queued run will read the newest revision; a running one is followed by a run for the
	 * next revision.
	 */
	if (!stmt_step(q) || col_int(q, 10) > 0)
		return false;
	job.org = col_dup(q, 0, a);
	/* The run acts as the user who made the translation, not as the author of the revision. */
	job.user = col_dup(q, 3, a);
	job.space = col_null(q, 4) ? make_result(db, a, q, id) : col_dup(q, 4, a);
	/* One queue per space serializes its jobs. */
	job.queue = job.space;
	job.args = arena_printf(a, "{\"translation\":\"%s\"}", id);
	made = job_add(db, a, &job, 0);
	q = db_use(db, &q_queued);
	bind_text(q, ":job", made);
	bind_text(q, ":id", id);
	stmt_run(q);
	return true;
}

void
translations_follow(struct db *db, struct arena *a, const char *space)
{
	struct stmt *q = db_use(db, &q_followers);
	const char **ids = NULL;
	size_t n = 0, room = 0, i;

	bind_text(q, ":space", space);
	/* There is at most one translation for each language. All of them are read before the first changes a row. */
	while (stmt_step(q)) {
		ids = arena_grow(a, ids, n, &room, sizeof(*ids));
		ids[n++] = col_dup(q, 0, a);
	}
	for (i = 0; i < n; i++)
		translation_queue(db, a, ids[i]);
}

void
translation_resume(struct db *db, struct arena *a, const char *request)
{
	struct stmt *q = db_use(db, &q_waiting_translation);
	const char *id;

	bind_text(q, ":request", request);
	/* A space is the result of one translation. */
	if ((id = stmt_dup(q, a)) != NULL)
		translation_queue(db, a, id);
}
