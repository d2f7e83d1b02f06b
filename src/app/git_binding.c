/* Bindings of spaces to branches of repositories. The contract is in app/git_binding.h. */
#include <string.h>

#include "app/git_binding.h"
#include "base/json.h"
#include "base/secret.h"

/*
 * A binding that is written again without credentials keeps its old ones only for the same URL:
 * otherwise changing the address would send them to another host (docs/design/security.md, "S19").
 */
SQL(q_put,
    "INSERT INTO git_binding (space, id, url, ref, project_dir, secret, local, provider, tree_url, commit_url, message, "
    "every, hook, created_by, created_at) VALUES (:space, :id, :url, :ref, :dir, :secret, :local, :provider, :tree, :commit, "
    ":message, :every, :hook, :user, :now) ON CONFLICT (space) DO UPDATE SET url = excluded.url, ref = excluded.ref, "
    "project_dir = excluded.project_dir, secret = CASE WHEN excluded.secret IS NULL AND git_binding.url = excluded.url "
    "THEN git_binding.secret ELSE excluded.secret END, local = excluded.local, provider = excluded.provider, "
    "tree_url = excluded.tree_url, commit_url = excluded.commit_url, message = excluded.message, every = excluded.every, "
    "hook = excluded.hook, created_by = excluded.created_by, state = 'new', reason = NULL, failures = 0");
SQL(q_delete, "DELETE FROM git_binding WHERE space = :space RETURNING id");
SQL(q_forget_deliveries, "DELETE FROM git_delivery WHERE binding = :id");
SQL(q_queued,
    "UPDATE job SET run_at = :now WHERE id = (SELECT j.id FROM job j WHERE j.queue = :space AND j.kind = 'git' "
    "AND j.state = 'queued' LIMIT 1) RETURNING id");

/* One schedule for each space, with an id made from the space's. */
char *
git_schedule(struct arena *a, const char *space)
{
	return arena_printf(a, "git:%s", space);
}

/*
 * An existing row keeps its id, which is part of the hook's address that the repository's host
 * knows.
 */
static void
put_row(struct db *db, struct arena *a, const struct git_binding *b)
{
	struct stmt *q = db_use(db, &q_put);

	bind_text(q, ":space", b->space);
	bind_text(q, ":id", secret_id(a));
	bind_text(q, ":url", b->url);
	bind_text(q, ":ref", b->ref);
	bind_text(q, ":dir", b->dir);
	if (b->secret.n > 0)
		bind_blob(q, ":secret", b->secret);
	bind_int(q, ":local", b->local);
	bind_text(q, ":provider", b->provider);
	bind_text(q, ":tree", b->tree_url);
	bind_text(q, ":commit", b->commit_url);
	bind_text(q, ":message", b->message);
	bind_int(q, ":every", b->every);
	bind_blob(q, ":hook", b->hook);
	bind_text(q, ":user", b->user);
	bind_int(q, ":now", time_now());
	stmt_run(q);
}

void
git_binding_put(struct db *db, struct arena *a, const struct git_binding *b)
{
	put_row(db, a, b);
	schedule_put(db, &(struct schedule){ .id = git_schedule(a, b->space),
	    .job = { .kind = "git", .space = b->space, .queue = b->space, .args = "{}" }, .every = b->every,
	    .next_at = time_now() + b->every });
}

bool
git_binding_drop(struct db *db, struct arena *a, const char *space)
{
	struct stmt *q = db_use(db, &q_delete);
	const char *id;

	bind_text(q, ":space", space);
	if (!stmt_step(q))
		return false;
	id = col_dup(q, 0, a);
	q = db_use(db, &q_forget_deliveries);
	bind_text(q, ":id", id);
	stmt_run(q);
	schedule_drop(db, git_schedule(a, space));
	return true;
}

/* A waiting job is moved forward: two jobs of one space would do the same work twice. */
char *
git_binding_queue_run(struct db *db, struct arena *a, const char *space, const char *user)
{
	struct job job = { .kind = "git", .space = space, .queue = space, .user = user, .args = "{}" };
	struct stmt *q = db_use(db, &q_queued);

	bind_text(q, ":space", space);
	bind_int(q, ":now", time_now());
	return stmt_step(q) ? col_dup(q, 0, a) : job_add(db, a, &job, 0);
}

char *
git_message_fill(struct arena *a, const char *message, int64_t number, const char *subject)
{
	const char *t = message;
	struct buf b;

	buf_init(&b, a, 1 << 20);
	buf_str(&b, "");
	/*
	 * A revision without a request has no number: "OCTAVO-0" would name a request that does not
	 * exist.
	 */
	if (number == 0 && strstr(t, "{change_request_") != NULL)
		t = "{change_request_subject}";
	for (; *t != '\0'; t++) {
		if (strncmp(t, "{change_request_number}", 23) == 0) {
			buf_int(&b, number);
			t += 22;
		} else if (strncmp(t, "{change_request_subject}", 24) == 0) {
			buf_str(&b, subject);
			t += 23;
		} else {
			buf_char(&b, *t);
		}
	}
	if (b.n == 0 || b.p[b.n - 1] != '\n')
		buf_char(&b, '\n');
	return b.p;
}
