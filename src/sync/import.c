/*
 * The import job: fetch, read, plan, write.
 *
 *  1 fetch the ref into DIR/cache/git/<hash of the address> (a child process)
 *  2 the same commit as last time, and nothing forced: done, no new revision. Forced, there is one
 *    in any case, so that whoever asked for it sees what came of it
 *  3 read the tree (layout), bytes of the files that are kept to DIR/blobs
 *  4 plan ids, order and links against what the space's outside branch holds
 *  5 write: the revision is staged in short transactions, and published in one,
 *    with git_sync and the end of the job (merge/upstream.h). Whoever merges
 *    meanwhile is not kept waiting: what they change is planned again.
 *
 * The space shows the new revision all at once or not at all. A failure that
 * may pass (network) is tried again after 10 s, 1 min, 5 min, as long as all tries
 * fit into the time of one import; all else ends the job with a message for the admin. An import whose `timestamp` is older than
 * that of the last one is stale and changes nothing, unless forced; the result of
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

/* The first, and one after each wait of import_end_early(). */
enum { MAX_ATTEMPTS = 4 };

/* What the space took in last, and from where. */
SQL(q_sync, "SELECT url, ref, project_dir, commit_oid, stamp FROM git_sync WHERE space = :space");
SQL(q_waiting,
    "SELECT c.number FROM git_sync g JOIN change_request c ON c.id = g.waiting AND c.status IN ('draft', 'open') "
    "WHERE g.space = :space");
SQL(q_begun, "SELECT started_at FROM job WHERE id = :id");
SQL(q_main_revision,
    "SELECT r.id FROM space s JOIN branch b ON b.id = s.branch "
    "JOIN revision r ON r.branch = b.id AND r.seq = b.head WHERE s.id = :space");

/*
 * NULL where it is missing or no string: arguments were checked when the job was queued,
 * possibly by an older version of the program.
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

/* error must live as long as the job's arena. "queued" stands for another try. */
bool
import_stop(struct import *m, const char *state, const char *error)
{
	m->state = state;
	m->error = error;
	return false;
}

/* Shows where it is; false when it shall end. */
bool
import_step(struct import *m, const char *stage, int64_t done, int64_t total)
{
	if (!job_progress(m->db, m->job->id, stage, done, total))
		return import_stop(m, "cancelled", "cancelled");
	/*
	 * Asked between steps: a job that ends by itself says why, where the pool could only
	 * kill it (kinds.c adds a minute for that).
	 */
	if (time_steady() > m->deadline)
		return import_stop(m, "timeout", arena_printf(m->arena,
		    "not done after %lld seconds (OCTAVO_IMPORT_SECONDS)",
		    (long long)m->set->import_seconds));
	return true;
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
 * By the address without credentials: spaces that follow the same repository share one cache.
 * Hashed, so that no part of a URL becomes a path.
 */
char *
import_cache(struct arena *a, const struct settings *set, const char *url)
{
	struct str h = hash_of(a, str_of(url));

	return arena_printf(a, "%s/cache/git/%.32s", set->dir, hex(a, h));
}

/* The words of the queue for a transfer that is not tried again. */
static const char *
end_state(enum git_status s)
{
	return s == GIT_TIMEOUT ? "timeout" : s == GIT_CANCELLED ? "cancelled" : "failed";
}

/* The admin's own command reads what the admin may read, with the key of the user whom the runner has. */
static void
allow_addresses(const struct import *m, struct git_request *q)
{
	bool local = m->local || import_flag(m, "local");

	q->file_root = local ? "" : m->set->git_root[0] ? m->set->git_root : NULL;
	q->private_hosts = local || m->set->git_private;
	q->ssh_home = local ? getenv("HOME") : NULL;
}

/* q points into m and its arena. False where the sealed credentials do not open, with the reason noted. */
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
 * ms to the next try. The first is for a hiccup of the network, the last for a server that is
 * restarted.
 */
static int64_t
retry_wait(const struct import *m)
{
	static const int64_t wait[] = { 10000, 60000, 300000 };
	int64_t k = m->job->attempts - 1;

	return wait[k < 3 ? k : 2];
}

bool
import_again(struct import *m, const char *error)
{
	struct stmt *q;
	int64_t begun;

	/* All tries together have the time that is one import's. */
	db_begin(m->db, false);
	q = db_use(m->db, &q_begun);
	bind_text(q, ":id", m->job->id);
	begun = stmt_int(q, time_now());
	db_rollback(m->db);
	return import_stop(m, m->job->attempts < MAX_ATTEMPTS && time_now() + retry_wait(m) < begun + m->set->import_seconds * 1000 ?
	    "queued" : "failed", error);
}

/*
 * The lock of a cache that several spaces share is given up between fetch and use: another
 * space's fetch may have emptied it. And a crash or a failing disk may have damaged it.
 */
bool
import_unread(struct import *m, const char *commit, const char *error)
{
	m->lost = *commit != '\0' && !git_cache_whole(import_cache(m->arena, m->set, m->url), commit);
	return import_stop(m, "failed", error);
}

bool
import_failed(struct import *m, const struct git_result *r)
{
	const char *error = arena_strdup(m->arena, r->message);


	/*
	 * A stop that this program asked for itself (cancelled, out of time) comes back as
	 * GIT_CANCELLED; its own reason is the better one.
	 */
	if (m->state != NULL)
		return false;
	return r->status == GIT_FAILED ? import_again(m, error) : import_stop(m, end_state(r->status), error);
}

bool
import_fetch(struct import *m)
{
	struct git_request q;

	if (!import_request(m, &q) || !import_step(m, "fetching", 0, 0))
		return false;
	/* Called by the parent of the fetching child, so it may use the database. */
	q.progress = fetch_progress;
	q.known = m->known;
	m->got = git_fetch(&q);
	return m->got.status == GIT_DONE || import_failed(m, &m->got);
}

/* NULL and "" are one: columns that were never set compare equal to arguments that were not given. */
static bool
same_or_none(const char *a, const char *b)
{
	return strcmp(a != NULL ? a : "", b != NULL ? b : "") == 0;
}

/* Why there is nothing to do: the commit is shown already, or the event is older than the last one. NULL: there is. */
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
	/* The reference does not count: another branch at the same commit has the same content. */
	same = same_or_none(col_text(q, 0), m->url) && same_or_none(col_text(q, 2), m->dir) &&
	    same_or_none(col_text(q, 3), m->got.commit);
	old = stamp != NULL && time_parse(stamp, &at) && at < col_int(q, 4);
	db_rollback(m->db);
	/*
	 * A standalone import makes a revision beside the space, whatever the space shows
	 * (docs/design/import.md, "Repeated imports").
	 */
	if (m->forced || m->alone)
		return NULL;
	return same ? "unchanged" : old ? "outdated" : NULL;
}

/* Success with "changed": false and main's present revision. */
static void
end_unchanged(struct import *m)
{
	struct stmt *q;

	db_begin(m->db, true);
	q = db_use(m->db, &q_main_revision);
	bind_text(q, ":space", m->job->space);
	if (stmt_step(q)) {
		/* An outdated event knows nothing better than the later one. */
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
	/* The credentials stay sealed in the row meanwhile. */
	if (strcmp(m->state, "queued") == 0) {
		job_retry(m->db, m->job->id, time_now() + retry_wait(m), m->error);
	} else {
		/* Also of a run that failed: they may tell why. */
		import_write_warnings(m);
		job_end(m->db, m->job->id, m->state, m->error, result);
	}
}

bool
import_waits(struct import *m, const char *user)
{
	bool open;

	db_begin(m->db, false);
	open = primary_is_open(m->db, m->job->space, user);
	db_rollback(m->db);
	return !open;
}

/* Where all goes to change requests, one after another: a second one would only clash with the first. */
static bool
waits_already(struct import *m)
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
	if (!import_fetch(m))
		return false;
	if ((m->skipped = why_stale(m)) != NULL) {
		end_unchanged(m);
		return true;
	}
	if (m->alone)
		return import_take(m);
	if ((m->aside = import_waits(m, m->job->user)) && waits_already(m))
		return false;
	/*
	 * A plain import shows what the repository holds, also of one that was left for another. One
	 * that the space was written to beside the one that it follows holds the same: that is merged.
	 */
	if (source_is_beside(m, m->got.ref))
		source_return(m, m->got.ref);
	else
		source_begin(m, m->got.ref);
	return import_take(m);
}

static bool
work_on(struct import *m)
{
	if (one_try(m) || !m->lost)
		return m->state == NULL;
	/* The fetch finds out by itself what is missing. */
	m->lost = false;
	m->state = m->error = NULL;
	return one_try(m);
}

/*
 * At the arena's end, however the job ends, a failed statement included: cJSON must not allocate
 * from an arena that is gone.
 */
static void
let_go(void *import)
{
	(void)import;
	json_arena(NULL);
}

struct import *
import_begin(struct db *db, struct arena *a, const struct settings *set, const struct job *job)
{
	struct import *m = arena_alloc(a, sizeof(*m));

	/* As much as the kind may map (kinds.c); an arena takes memory as it is used, up to this. */
	*m = (struct import){ .db = db, .set = set, .job = job, .arena = arena_within(a, (size_t)8 << 30) };
	arena_on_end(a, let_go, m);
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

void
import_run(struct db *db, struct arena *a, const struct settings *set, const struct job *job)
{
	struct import *m = import_begin(db, a, set, job);

	m->alone = import_flag(m, "standalone");
	m->forced = import_flag(m, "force");
	if (!work_on(m)) {
		db_begin(db, true);
		import_end_early(m, NULL);
		db_commit(db);
	}
	search_sweep(db, m->arena, job->space);
}
