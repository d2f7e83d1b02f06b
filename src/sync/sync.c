/* Synchronises a space and a branch. Contract: sync/git_jobs.h. */
#include <stdio.h>
#include <string.h>

#include "sync.h"

/* Maximum number of tries in a run. A push of somebody else needs one more try, and so does a damaged cache. */
enum { TRIES = 6 };

/*
 * libgit2 reports no progress of a push; import_step() only checks the time limit and cancellation.
 */
static bool
push_progress(void *ctx, int64_t received, int64_t total, int64_t bytes)
{
	(void)received;
	(void)total;
	(void)bytes;
	return import_step(ctx, "pushing", 0, 0);
}

/* ---- import ---- */

/* Records that both sides are equal after a commit was imported, if main had no changes of its own. */
static void
record_equal(struct import *m, const struct upstream_result *out)
{
	struct sync *s = m->ctx;
	struct point head;

	s->revision = out->revision;
	/*
	 * The callback of import_take(), in the publishing transaction: this record and the
	 * revision become visible together.
	 */
	s->taken = true;
	upstream_main(m->db, m->arena, m->job->space, &head);
	/*
	 * Both sides are equal only under this condition. With an open request or changes of its
	 * own, main differs from the commit and still has to be exported; without a done point
	 * there is nothing to update.
	 */
	if (s->row.done[0] != '\0' && !s->rewritten && m->request == NULL &&
	    !sync_own_work(s, head.branch, s->row.done_seq, head.seq))
		sync_done(s, m->got.commit, head.seq);
}

static bool
import_tip(struct sync *s)
{
	struct import *m = s->m;

	/* One run imports several commits with this struct: clear the request of an earlier one. */
	m->request = NULL;
	m->on_publish = record_equal;
	m->from = s->row.commit;
	/*
	 * The commit that was imported last must be in the history of the tip. After a force-push
	 * it is not; the difference between both then contains deletions that nobody made.
	 */
	s->rewritten = s->row.commit[0] != '\0' &&
	    !git_has_ancestor(import_cache(m->arena, m->set, m->url), s->tip, s->row.commit);
	/* After a force-push, deletions become conflicts in a change request. */
	m->as_request = s->as_request || (s->rewritten && s->binding);
	return import_take(m);
}

/*
 * Like record_equal(), for a commit that this program made: it holds main as of m->exported, and main
 * may have changed since.
 */
static void
record_own_commit(struct import *m, const struct upstream_result *out)
{
	struct sync *s = m->ctx;

	s->revision = out->revision;
	sync_done(s, m->got.commit, m->exported->seq);
}

/* Adds the paths of all other nodes, as the upstream branch has them. */
static void
add_paths(struct sync *s, struct map *paths)
{
	struct import *m = s->m;
	struct point outside;
	const struct node *all;
	size_t i;

	if (!s->row.known || s->row.commit[0] == '\0')
		return;
	db_begin(m->db, false);
	source_view(m, &outside);
	all = import_nodes(m, &outside);
	db_rollback(m->db);
	for (i = 0; i < m->node_count; i++)
		if ((all[i].kind & (NODE_DOCUMENT | NODE_FILE | NODE_REUSABLE)) && all[i].git_path != NULL)
			map_add(paths, str_of(all[i].id), (void *)all[i].git_path);
}

/* The commit was pushed: records that upstream holds main as of that revision. */
static bool
record_push(struct sync *s, const char *commit, int64_t seq, struct map *paths)
{
	struct import *m = s->m;
	struct point at, head;
	bool ok;

	db_begin(m->db, false);
	ok = upstream_main(m->db, s->arena, m->job->space, &head) && sync_point(s, head.branch, seq, &at);
	db_rollback(m->db);
	if (!ok)
		return import_stop(m, "failed", "the space does not exist any more");
	add_paths(s, paths);
	snprintf(m->got.commit, sizeof(m->got.commit), "%s", commit);
	/* The commit was made here, so no fetch set the name that git_sync records. */
	snprintf(m->got.ref, sizeof(m->got.ref), "%s", m->ref);
	m->exported = &at;
	m->paths = paths;
	m->on_publish = record_own_commit;
	m->from = s->row.commit;
	/* The content is main's own and published already, so merge rules do not apply. */
	m->as_request = false;
	ok = import_take(m);
	m->exported = NULL;
	m->paths = NULL;
	return ok;
}

/*
 * The map's values point into the parsed tree, which json_arena() keeps until the job ends. A NULL
 * or damaged text gives an empty map.
 */
static struct map *
paths_read(struct sync *s, const char *json)
{
	struct map *paths = map_new(s->arena);
	const cJSON *v, *all = cJSON_Parse(json == NULL ? "{}" : json);

	cJSON_ArrayForEach(v, all)
		if (cJSON_IsString(v))
			map_add(paths, str_of(v->string), v->valuestring);
	return paths;
}

/* Completes an interrupted export: if its push arrived, records it; otherwise forgets it. */
static bool
finish_pending(struct sync *s)
{
	struct import *m = s->m;
	char tip[41];
	bool ok;

	if (s->row.pending[0] == '\0')
		return true;
	/*
	 * The push did not arrive: main still has the content, and it is exported again. If the
	 * push arrived and a force-push removed it, the same is right.
	 */
	if (s->tip == NULL ||
	    !git_has_ancestor(import_cache(m->arena, m->set, m->url), s->tip, s->row.pending)) {
		sync_not_pending(s);
		return true;
	}
	/*
	 * record_push() sets m->got.commit to the pending commit; restore the tip, which may be a
	 * later one, for the import that follows.
	 */
	snprintf(tip, sizeof(tip), "%s", s->tip);
	ok = record_push(s, s->row.pending, s->row.pending_seq, paths_read(s, s->row.pending_paths));
	snprintf(m->got.commit, sizeof(m->got.commit), "%s", tip);
	sync_read(s);
	return ok;
}

/* ---- the branch ---- */

static bool
fetch_tip(struct sync *s)
{
	struct import *m = s->m;

	s->tip = NULL;
	/*
	 * Usually the branch did not move: then only the reference is read and nothing is
	 * downloaded.
	 */
	m->known = s->cache_refilled || s->row.done[0] == '\0' || strcmp(s->row.done, s->row.commit) != 0 ? NULL : s->row.done;
	if (import_fetch(m)) {
		s->tip = arena_strdup(s->arena, m->got.commit);
		return true;
	}
	/* The push creates a missing branch. */
	if (m->got.status != GIT_NO_REF || strncmp(m->ref, "refs/heads/", 11) != 0)
		return false;
	/* The branch was deleted. Somebody did so on purpose, so it is not pushed again. */
	if (s->row.known && s->row.commit[0] != '\0')
		return import_stop(m, "failed", arena_printf(s->arena, "the branch %s is not in the repository any more: "
		    "push it again, or choose another one", m->ref + 11));
	/* A missing branch is no failure here: clear what import_fetch() noted. */
	m->state = m->error = NULL;
	return true;
}

enum pushed { PUSHED, AGAIN, STOPPED };

/*
 * True if the tip's history has the commit that was imported last, or is complete without it (a
 * force-push). Otherwise the cache is damaged, and the branch would only seem to be rewritten.
 */
static bool
history_is_whole(struct sync *s)
{
	struct import *m = s->m;

	if (s->tip == NULL || s->row.commit[0] == '\0' ||
	    git_has_ancestor(import_cache(m->arena, m->set, m->url), s->tip, s->row.commit))
		return true;
	import_fail_unreadable(m, s->tip, "the history of the branch cannot be read from the cache");
	if (!m->cache_incomplete)
		m->state = m->error = NULL;
	return !m->cache_incomplete;
}

/*
 * Commits the record of the pending push before the first byte is sent: after a crash,
 * finish_pending() finds out from the repository whether the push arrived.
 */
static enum pushed
push_commit(struct sync *s)
{
	struct import *m = s->m;
	struct git_request q;
	struct git_result r;

	if (!import_request(m, &q) || !sync_pending(s))
		return STOPPED;
	q.progress = push_progress;
	r = git_push_commit(&q, s->last, s->tip);
	if (r.status == GIT_DONE)
		return PUSHED;
	/* This is no failure: somebody else pushed first, and the next try merges that. */
	if (r.status == GIT_MOVED)
		return AGAIN;
	m->cache_incomplete = r.status == GIT_DAMAGED;
	import_failed(m, &r);
	return STOPPED;
}

/*
 * Ends the job with the reason why the binding waits. This is no failure, so plan_next_run()
 * (sync_jobs.c) does not back off.
 */
static bool
wait_for(struct sync *s, const char *state, const char *why)
{
	s->wait_state = state;
	s->wait = why;
	return import_stop(s->m, "failed", why);
}

static bool
wait_for_conflict(struct sync *s)
{
	return wait_for(s, "conflict", arena_printf(s->arena, "change request %lld holds changes of the repository that wait "
	    "for you: merge it, or archive it to keep what is here", (long long)s->row.waiting_no));
}

/* Records that both sides are equal, if there is nothing to push. */
static void
remember_equal(struct sync *s)
{
	struct import *m = s->m;

	/*
	 * Without a row there is nothing to update; if the row says so already, save the write
	 * transaction that every scheduled run would cost.
	 */
	if (s->tip == NULL || !s->row.known || (strcmp(s->row.done, s->tip) == 0 && s->row.done_seq == s->after.seq))
		return;
	db_begin(m->db, true);
	sync_done(s, s->tip, s->after.seq);
	db_commit(m->db);
}

/* True if neither side changed since the last run. */
static bool
nothing_new(struct sync *s)
{
	struct import *m = s->m;
	bool same = s->tip != NULL && strcmp(s->tip, s->row.done) == 0;

	if (!same)
		return false;
	db_begin(m->db, false);
	same = upstream_main(m->db, s->arena, m->job->space, &s->after) &&
	    !sync_own_work(s, s->after.branch, s->row.done_seq, s->after.seq);
	db_rollback(m->db);
	snprintf(s->last, sizeof(s->last), "%s", s->tip);
	return same;
}

/*
 * The order matters. Read the row first, because the previous try may have changed it. Then fetch.
 * Then complete a pending export before anything is imported, because otherwise its commit would
 * look like a commit of somebody else.
 */
static enum pushed
one_try(struct sync *s)
{
	struct warning_mark before_export;

	if (!s->m->branch_only)
		source_return(s->m, s->m->ref);
	sync_read(s);
	if (!fetch_tip(s))
		return STOPPED;
	if (!s->m->branch_only)
		source_begin(s->m, s->m->ref);
	sync_read(s);
	if (!history_is_whole(s) || !finish_pending(s))
		return STOPPED;
	/* While a change request is open, further imported changes would only make it harder to merge. */
	if (s->row.waiting != NULL) {
		wait_for_conflict(s);
		return STOPPED;
	}
	/*
	 * An export imports only from a branch that was synchronised before; a new branch is not
	 * imported.
	 */
	if (s->tip != NULL && (s->row.commit[0] != '\0' || s->binding) && strcmp(s->tip, s->row.commit) != 0) {
		if (s->m->branch_only ? !sync_untouched(s) : !import_tip(s))
			return STOPPED;
		sync_read(s);
		if (s->row.waiting != NULL) {
			wait_for_conflict(s);
			return STOPPED;
		}
	}
	if (nothing_new(s))
		return PUSHED;
	/* A repeated try reports the same warnings again: drop those after this mark first. */
	before_export = import_mark(s->m);
	if (!sync_commits(s))
		return STOPPED;
	if (s->tip != NULL && strcmp(s->last, s->tip) == 0) {
		remember_equal(s);
		return PUSHED;
	}
	/* There is no branch, and main is empty: do not make a first commit. */
	if (s->last[0] == '\0')
		return PUSHED;
	switch (push_commit(s)) {
	case PUSHED: return record_push(s, s->last, s->after.seq, s->paths.files) ? PUSHED : STOPPED;
	case AGAIN:  import_drop_warnings(s->m, before_export); return AGAIN;
	default:     return STOPPED;
	}
}

/*
 * Empties the damaged cache; the next try fetches the whole history again. sync_run() allows this
 * once in a run: a failure with a cache that was just filled has another cause.
 */
static enum pushed
refill_cache(struct import *m)
{
	if (!git_cache_clear(import_cache(m->arena, m->set, m->url)))
		return STOPPED;
	m->cache_incomplete = false;
	m->state = m->error = NULL;
	return AGAIN;
}

bool
sync_run(struct sync *s)
{
	/* GIT_FAILED: the queue tries again later, when fewer pushes may come. */
	static const struct git_result moving = { .status = GIT_FAILED,
		.message = "the branch was moved again and again while this run worked: run it once more" };
	enum pushed got = AGAIN;
	int tries;

	s->m->ctx = s;
	for (tries = 0; tries < TRIES && got == AGAIN; tries++) {
		got = one_try(s);
		if (got == STOPPED && s->m->cache_incomplete && !s->cache_refilled) {
			s->cache_refilled = true;
			got = refill_cache(s->m);
		}
	}
	if (got == AGAIN)
		return import_failed(s->m, &moving);
	return got == PUSHED;
}
