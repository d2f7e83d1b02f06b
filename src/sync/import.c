/*
 * The import job: fetch, read, plan, write.
 *
 *  1 fetch the ref into DIR/cache/git/<hash of the address> (a child process)
 *  2 if the commit is the same as last time: done, without a new revision. With `force` there is
 *    always a revision, so that the user who asked for it sees a result
 *  3 read the tree (layout); write the bytes of imported files to DIR/blobs
 *  4 plan ids, order and links against the space's upstream branch
 *  5 write: the revision is staged in short transactions, and published in one, with git_sync and
 *    the end of the job (merge/upstream.h). Others can merge meanwhile: their changes are planned
 *    again.
 *
 * The space shows the new revision all at once or not at all. A failure that may pass (network) is
 * tried again after 10 s, 1 min, 5 min, as long as all attempts fit into the time limit of one
 * import; any other failure ends the job with a message for the admin. An import whose `timestamp`
 * is older than that of the last one is outdated and changes nothing, unless forced; the result of
 * a job that changed nothing says so ("skipped": unchanged, outdated).
 */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/merge_rules.h"
#include "git/credentials.h"
#include "sync/import.h"
#include "import_parts.h"
#include "search/search.h"
#include "base/secret.h"

/* The first attempt, and one after each wait of retry_wait(). */
enum { MAX_ATTEMPTS = 4 };

/* The commit that the space imported last, and its source. */
SQL(q_sync, "SELECT url, ref, project_dir, commit_oid, stamp FROM git_sync WHERE space = :space");
SQL(q_waiting,
    "SELECT c.number FROM git_sync g JOIN change_request c ON c.id = g.waiting AND c.status IN ('draft', 'open') "
    "WHERE g.space = :space");
SQL(q_begun, "SELECT started_at FROM job WHERE id = :id");
SQL(q_main_revision,
    "SELECT r.id FROM space s JOIN branch b ON b.id = s.branch "
    "JOIN revision r ON r.branch = b.id AND r.seq = b.head WHERE s.id = :space");

/*
 * An argument of the job; NULL if it is missing or no string. The arguments were checked when the
 * job was queued, but possibly by an older version of the program.
 */
const char *
import_text(const struct import *m, const char *name)
{
	const cJSON *v = cJSON_GetObjectItemCaseSensitive(m->args, name);

	return cJSON_IsString(v) ? v->valuestring : NULL;
}

bool
import_flag(const struct import *m, const char *name)
{
	return cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(m->args, name));
}

/* error must live as long as the job's arena. The state "queued" asks for another attempt. */
bool
import_stop(struct import *m, const char *state, const char *error)
{
	m->state = state;
	m->error = error;
	return false;
}

/* Reports progress; false when the job has to end. */
bool
import_step(struct import *m, const char *stage, int64_t done, int64_t total)
{
	if (!job_progress(m->db, m->job->id, stage, done, total))
		return import_stop(m, "cancelled", "cancelled");
	/*
	 * The time is checked between steps, so that the job can end with a reason; the pool could
	 * only kill it (kinds.c adds a minute for that).
	 */
	if (time_steady() > m->deadline)
		return import_stop(m, "timeout", arena_printf(m->arena,
		    "not done after %lld seconds (OCTAVO_IMPORT_SECONDS)",
		    (long long)m->set->import_seconds));
	return true;
}

/* Ten reports a second at most: each is a write transaction. */
bool
import_report(struct import *m, const char *stage, int64_t done)
{
	int64_t now = time_steady();

	if (now - m->reported_at < 100)
		return true;
	m->reported_at = now;
	return import_step(m, stage, done, (int64_t)m->plan.count);
}

/* ---- fetch ---- */

static bool
fetch_progress(void *ctx, int64_t received, int64_t total, int64_t bytes)
{
	struct import *m = ctx;

	(void)bytes;
	return import_step(m, "fetching", received, total);
}

/*
 * The path of a cache depends on the address without credentials, so spaces that follow the same
 * repository share one. It is a hash, so that no part of a URL becomes a path.
 */
char *
import_cache(struct arena *a, const struct settings *set, const char *url)
{
	struct str h = hash_of(a, str_of(url));

	return arena_printf(a, "%s/cache/git/%.32s", set->dir, hex(a, h));
}

/* The job's state after a transfer that is not tried again. */
static const char *
end_state(enum git_status s)
{
	return s == GIT_TIMEOUT ? "timeout" : s == GIT_CANCELLED ? "cancelled" : "failed";
}

/* The admin's own command may read any path, and use the SSH key of the runner's user. */
static void
allow_addresses(const struct import *m, struct git_request *q)
{
	bool local = m->local || import_flag(m, "local");

	q->file_root = local ? "" : m->set->git_root[0] ? m->set->git_root : NULL;
	q->private_hosts = local || m->set->git_private;
	q->ssh_home = local ? getenv("HOME") : NULL;
}

/*
 * q points into m and its arena. False where the sealed credentials cannot be opened; the reason is
 * noted.
 */
bool
import_request(struct import *m, struct git_request *q)
{
	*q = (struct git_request){ .url = m->url, .ref = m->ref, .cache = import_cache(m->arena, m->set, m->url),
		.limits = { m->set->git_seconds, m->set->git_bytes, m->set->git_objects,
		    m->set->git_memory, m->set->least_rate, m->set->patience }, .ctx = m };
	allow_addresses(m, q);
	return credentials_unseal(m->arena, m->job->secret, &q->username, &q->password) ||
	    import_stop(m, "failed", "the stored credentials cannot be read (was octavo.key replaced?): give the address "
	    "with its credentials again");
}

/*
 * Milliseconds until the next attempt. The first wait is for a short network failure, the last for
 * a server that restarts.
 */
static int64_t
retry_wait(const struct import *m)
{
	static const int64_t wait[] = { 10000, 60000, 300000 };
	int64_t k = m->job->attempts - 1;

	return wait[k < 3 ? k : 2];
}

bool
import_retry(struct import *m, const char *error)
{
	struct stmt *q;
	int64_t begun;

	/* All attempts together have the time limit of one import. */
	db_begin(m->db, false);
	q = db_use(m->db, &q_begun);
	bind_text(q, ":id", m->job->id);
	begun = stmt_int(q, time_now());
	db_rollback(m->db);
	return import_stop(m, m->job->attempts < MAX_ATTEMPTS && time_now() + retry_wait(m) < begun + m->set->import_seconds * 1000 ?
	    "queued" : "failed", error);
}

/*
 * Spaces that share a cache do not hold its lock between fetch and use, so another space's fetch
 * may have emptied it. A crash or a failing disk may also have damaged it.
 */
bool
import_fail_unreadable(struct import *m, const char *commit, const char *error)
{
	if (m->origin != NULL)
		return import_stop(m, "failed", error);
	m->cache_incomplete = *commit != '\0' && !git_cache_whole(import_cache(m->arena, m->set, m->url), commit);
	return import_stop(m, "failed", error);
}

bool
import_failed(struct import *m, const struct git_result *r)
{
	const char *error = arena_strdup(m->arena, r->message);


	/*
	 * When this program stopped the transfer itself (cancelled, out of time), the result is
	 * GIT_CANCELLED; the reason noted before is more precise.
	 */
	if (m->state != NULL)
		return false;
	return r->status == GIT_FAILED ? import_retry(m, error) : import_stop(m, end_state(r->status), error);
}

bool
import_fetch(struct import *m)
{
	struct git_request q;

	if (!import_request(m, &q) || !import_step(m, "fetching", 0, 0))
		return false;
	/* The parent of the fetching child calls this, so it may use the database. */
	q.progress = fetch_progress;
	q.known = m->known;
	m->got = git_fetch(&q);
	return m->got.status == GIT_DONE || import_failed(m, &m->got);
}

/* NULL and "" are equal: a column that was never set matches an argument that is missing. */
static bool
same_or_none(const char *a, const char *b)
{
	return strcmp(a != NULL ? a : "", b != NULL ? b : "") == 0;
}

/*
 * Why the import has nothing to do: the space shows the commit already, or the event is older than
 * the last one. NULL: it has something to do.
 */
static const char *
why_stale(struct import *m)
{
	struct stmt *q = db_use(m->db, &q_sync);
	const char *stamp = import_text(m, "timestamp");
	bool same, old;
	int64_t at;

	bind_text(q, ":space", m->job->space);
	if (!stmt_step(q))
		return NULL;
	/* The reference is not compared: another branch at the same commit has the same content. */
	same = same_or_none(col_text(q, 0), m->url) && same_or_none(col_text(q, 2), m->dir) &&
	    same_or_none(col_text(q, 3), m->got.commit);
	old = stamp != NULL && time_parse(stamp, &at) && at < col_int(q, 4);
	db_rollback(m->db);
	/*
	 * A standalone import makes a revision beside main, whatever the space shows
	 * (docs/design/import.md, "Repeated imports").
	 */
	if (m->forced || m->standalone)
		return NULL;
	return same ? "unchanged" : old ? "outdated" : NULL;
}

/* Ends the job with success, "changed": false and main's present revision. */
static void
end_unchanged(struct import *m)
{
	struct stmt *q;

	db_begin(m->db, true);
	q = db_use(m->db, &q_main_revision);
	bind_text(q, ":space", m->job->space);
	if (stmt_step(q)) {
		/* An outdated event is not remembered, because the later event has set everything already. */
		if (strcmp(m->skipped, "unchanged") == 0)
			import_remember_event(m);
		job_end(m->db, m->job->id, "done", NULL,
		    import_result(m, arena_strdup(m->arena, col_text(q, 0)), false));
	}
	else
		job_end(m->db, m->job->id, "failed", "the space does not exist any more", NULL);
	db_commit(m->db);
}

void
import_end_early(struct import *m, const char *result)
{
	/* The credentials stay sealed in the row until the retry. */
	if (strcmp(m->state, "queued") == 0) {
		job_retry(m->db, m->job->id, time_now() + retry_wait(m), m->error);
	} else {
		/* The warnings are also written after a failure, because they may explain it. */
		import_write_warnings(m);
		job_end(m->db, m->job->id, m->state, m->error, result);
	}
}

bool
import_is_restricted(struct import *m, const char *user)
{
	bool open;

	db_begin(m->db, false);
	open = primary_is_open(m->db, m->job->space, user);
	db_rollback(m->db);
	return !open;
}

/*
 * True if a change request of an earlier import is still open: a second one would only conflict
 * with it.
 */
static bool
has_waiting_request(struct import *m)
{
	struct stmt *q;
	int64_t number;

	db_begin(m->db, false);
	q = db_use(m->db, &q_waiting);
	bind_text(q, ":space", m->job->space);
	number = stmt_int(q, 0);
	db_rollback(m->db);
	return number != 0 && !import_stop(m, "failed", arena_printf(m->arena, "change request %lld holds changes of the "
	    "repository that wait for you: merge it, or archive it to keep what is here", (long long)number));
}

static bool
one_try(struct import *m)
{
	if (m->origin == NULL && !import_fetch(m))
		return false;
	if ((m->skipped = why_stale(m)) != NULL) {
		end_unchanged(m);
		return true;
	}
	if (m->standalone)
		return import_take(m);
	if ((m->as_request = import_is_restricted(m, m->job->user)) && has_waiting_request(m))
		return false;
	/*
	 * An import from a repository that the space followed before another one starts anew: the
	 * space becomes what the repository contains. But if the space was exported to the
	 * repository in addition to the one that it follows, its state for it is restored, so that
	 * both sides are merged.
	 */
	if (source_is_beside(m, m->got.ref))
		source_return(m, m->got.ref);
	else
		source_begin(m, m->got.ref);
	return import_take(m);
}

static bool
run_tries(struct import *m)
{
	if (one_try(m) || !m->cache_incomplete)
		return m->state == NULL;
	/* The fetch downloads whatever the cache lacks. */
	m->cache_incomplete = false;
	m->state = m->error = NULL;
	return one_try(m);
}

/*
 * Cleanup of the arena, so it also runs if a failed statement ends the job: cJSON must not allocate
 * from a freed arena.
 */
static void
reset_json_arena(void *import)
{
	(void)import;
	json_arena(NULL);
}

struct import *
import_begin(struct db *db, struct arena *a, const struct settings *set, const struct job *job)
{
	struct import *m = arena_alloc(a, sizeof(*m));

	/*
	 * The limit is the memory that the kind may map (kinds.c); an arena takes memory only as it
	 * is used.
	 */
	*m = (struct import){ .db = db, .set = set, .job = job, .arena = arena_on_disk(a, (size_t)8 << 30, set->dir) };
	arena_on_end(a, reset_json_arena, m);
	m->last_warning = &m->warnings;
	m->deadline = time_steady() + set->import_seconds * 1000;
	/* From here cJSON allocates in the arena: trees are never freed one by one. */
	json_arena(m->arena);
	m->args = cJSON_Parse(job->args);
	m->url = import_text(m, "url");
	m->ref = import_text(m, "ref");
	m->dir = import_text(m, "repoProjectDirectory");
	if (m->dir == NULL)
		m->dir = "";
	return m;
}

static void
run_to_end(struct import *m)
{
	if (!run_tries(m)) {
		db_begin(m->db, true);
		import_end_early(m, NULL);
		db_commit(m->db);
	}
	search_sweep(m->db, m->arena, m->job->space);
}

void
import_run(struct db *db, struct arena *a, const struct settings *set, const struct job *job)
{
	struct import *m = import_begin(db, a, set, job);

	m->standalone = import_flag(m, "standalone");
	m->forced = import_flag(m, "force");
	run_to_end(m);
}

/* The ref column of git_sync for an import from an origin, which has no branch. */
static const char no_ref[] = "";

static void
take_warnings(struct import *m, const struct layout_warning *w)
{
	for (; w != NULL; w = w->next)
		import_warn(m, w->file, w->line, w->message);
}

void
import_origin_run(struct db *db, struct arena *a, const struct settings *set, const struct job *job,
    const struct import_origin *origin)
{
	struct import *m = import_begin(db, a, set, job);

	/* These warnings are taken before m->origin is set, because they name the origin's own files. */
	take_warnings(m, origin->warnings);
	m->origin = origin;
	m->forced = import_flag(m, "force");
	m->url = origin->name;
	m->dir = "";
	m->ref = no_ref;
	snprintf(m->got.commit, sizeof(m->got.commit), "%s", origin->commit);
	run_to_end(m);
}

void
import_origin_failed(struct db *db, struct arena *a, const struct settings *set, const struct job *job,
    const struct layout_warning *warnings, const char *state, const char *error)
{
	struct import *m = import_begin(db, a, set, job);

	take_warnings(m, warnings);
	import_stop(m, state, error);
	db_begin(db, true);
	import_end_early(m, NULL);
	db_commit(db);
}
