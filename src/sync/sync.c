/* A run that brings a space and a branch together. Contract: sync/git_jobs.h. */
#include <stdio.h>
#include <string.h>

#include "sync.h"

/* Somebody else may push while this run works: so often it begins again. */
enum { TRIES = 6 };

/* libgit2 tells no numbers of a push; the call keeps the job's time limit and its cancellation alive. */
static bool
push_progress(void *ctx, int64_t received, int64_t total, int64_t bytes)
{
	(void)received;
	(void)total;
	(void)bytes;
	return import_step(ctx, "pushing", 0, 0);
}

/* ---- taking in ---- */

/* After a commit came in: where main had no work of its own, both sides are equal now. */
static void
taken_in(struct import *m, const struct upstream_result *out)
{
	struct sync *s = m->ctx;
	struct point head;

	s->revision = out->revision;
	/*
	 * The callback of import_take(), in the publishing transaction: what is noted here
	 * becomes true together with the revision.
	 */
	s->taken = true;
	upstream_main(m->db, m->arena, m->job->space, &head);
	/*
	 * Only then both sides are equal. With a request open, or with work of main's own, main
	 * differs from the commit and still has to be exported; without a done point there is
	 * nothing that could move on.
	 */
	if (s->row.done[0] != '\0' && !s->rewritten && m->request == NULL &&
	    !sync_own_work(s, head.branch, s->row.done_seq, head.seq))
		sync_done(s, m->got.commit, head.seq);
}

static bool
take_in(struct sync *s)
{
	struct import *m = s->m;

	/*
	 * The struct is used for several commits in one run; a request of an earlier one is not
	 * this one's.
	 */
	m->request = NULL;
	m->taken = taken_in;
	m->from = s->row.commit;
	/*
	 * The commit that was taken in last must be in the history of the tip; after a force-
	 * push it is not, and the difference to it holds removals that nobody made.
	 */
	s->rewritten = s->row.commit[0] != '\0' &&
	    !git_has_ancestor(import_cache(m->arena, m->set, m->url), s->tip, s->row.commit);
	/* What a rewritten history lacks was taken away by nobody in particular: people decide. */
	m->aside = s->aside || (s->rewritten && s->binding);
	return import_take(m);
}

/*
 * As taken_in(), of a commit that this program made itself: it holds main as it was at
 * m->exported, which main may have left behind since.
 */
static void
settle_own(struct import *m, const struct upstream_result *out)
{
	struct sync *s = m->ctx;

	s->revision = out->revision;
	sync_done(s, m->got.commit, m->exported->seq);
}

/* What else has a file: as the upstream branch has it. */
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
	all = import_held(m, &outside);
	db_rollback(m->db);
	for (i = 0; i < m->held_n; i++)
		if ((all[i].kind & (NODE_DOCUMENT | NODE_FILE | NODE_REUSABLE)) && all[i].git_path != NULL)
			map_add(paths, str_of(all[i].id), (void *)all[i].git_path);
}

/* The commit is in the repository: upstream holds what main was at that revision. */
static bool
settle_pushed(struct sync *s, const char *commit, int64_t seq, struct map *paths)
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
	/* Nothing was fetched under this name; the record of git_sync is to bear it all the same. */
	snprintf(m->got.ref, sizeof(m->got.ref), "%s", m->ref);
	m->exported = &at;
	m->paths = paths;
	m->taken = settle_own;
	m->from = s->row.commit;
	/* Its content is main's own; no rule stands against what is published already. */
	m->aside = false;
	ok = import_take(m);
	m->exported = NULL;
	m->paths = NULL;
	return ok;
}

/*
 * The map's values lie in the parsed tree, which json_arena() keeps until the job ends. A NULL
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

/* An export that was cut short: it arrived, or it did not. */
static bool
finish_pending(struct sync *s)
{
	struct import *m = s->m;
	char tip[41];
	bool ok;

	if (s->row.pending[0] == '\0')
		return true;
	/*
	 * The push did not arrive: what it held is in main and is exported again. It may also
	 * have arrived and been removed by a force-push, which comes to the same.
	 */
	if (s->tip == NULL ||
	    !git_has_ancestor(import_cache(m->arena, m->set, m->url), s->tip, s->row.pending)) {
		sync_not_pending(s);
		return true;
	}
	/*
	 * settle_pushed() sets m->got.commit to the pending commit; the tip, which may be a later one,
	 * is put back for the take-in that follows.
	 */
	snprintf(tip, sizeof(tip), "%s", s->tip);
	ok = settle_pushed(s, s->row.pending, s->row.pending_seq, paths_read(s, s->row.pending_paths));
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
	/* The usual run finds the branch as it was: that costs no more than asking where it is. */
	m->known = s->healed || s->row.done[0] == '\0' || strcmp(s->row.done, s->row.commit) != 0 ? NULL : s->row.done;
	if (import_fetch(m)) {
		s->tip = arena_strdup(s->arena, m->got.commit);
		return true;
	}
	/* A branch that is not there yet is made by the push. */
	if (m->got.status != GIT_NO_REF || strncmp(m->ref, "refs/heads/", 11) != 0)
		return false;
	/* It was there and is deleted: pushing it anew would undo what somebody did on purpose. */
	if (s->row.known && s->row.commit[0] != '\0')
		return import_stop(m, "failed", arena_printf(s->arena, "the branch %s is not in the repository any more: "
		    "push it again, or choose another one", m->ref + 11));
	/* import_fetch() had noted a failure; there is none. */
	m->state = m->error = NULL;
	return true;
}

enum pushed { PUSHED, AGAIN, STOPPED };

/*
 * Is what was taken in last in the tip's history, or is that history whole? Where neither
 * is so, the branch would seem to be rewritten, and is not: the cache is damaged.
 */
static bool
history_is_whole(struct sync *s)
{
	struct import *m = s->m;

	if (s->tip == NULL || s->row.commit[0] == '\0' ||
	    git_has_ancestor(import_cache(m->arena, m->set, m->url), s->tip, s->row.commit))
		return true;
	import_unread(m, s->tip, "the history of the branch cannot be read from the cache");
	if (!m->lost)
		m->state = m->error = NULL;
	return !m->lost;
}

/*
 * The note of what is pending is committed before the first byte is sent: after a crash in
 * between, finish_pending() finds out from the repository whether the push arrived.
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
	r = git_send(&q, s->last, s->tip);
	if (r.status == GIT_DONE)
		return PUSHED;
	/* No failure: another writer was quicker, and the next try merges what it wrote. */
	if (r.status == GIT_MOVED)
		return AGAIN;
	m->lost = r.status == GIT_DAMAGED;
	import_failed(m, &r);
	return STOPPED;
}

/*
 * The job fails with the reason, and the binding waits: that counts as no failure, so the
 * schedule is not thinned out (pace() in sync_jobs.c).
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

/* Nothing to push: both sides are equal, and that is remembered. */
static void
remember_equal(struct sync *s)
{
	struct import *m = s->m;

	/*
	 * Without a row there is nothing to write to; where it says this already, a write
	 * transaction is saved on every turn of the schedule.
	 */
	if (s->tip == NULL || !s->row.known || (strcmp(s->row.done, s->tip) == 0 && s->row.done_seq == s->after.seq))
		return;
	db_begin(m->db, true);
	sync_done(s, s->tip, s->after.seq);
	db_commit(m->db);
}

/* Both sides are as the last run left them. */
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
 * The order matters: the row first, since the try before may have changed it; then the network;
 * a pending export before anything else is taken in, for its commit would look like somebody
 * else's.
 */
static enum pushed
one_try(struct sync *s)
{
	struct warning_mark told;

	if (!s->m->beside)
		source_return(s->m, s->m->ref);
	sync_read(s);
	if (!fetch_tip(s))
		return STOPPED;
	if (!s->m->beside)
		source_begin(s->m, s->m->ref);
	sync_read(s);
	if (!history_is_whole(s) || !finish_pending(s))
		return STOPPED;
	/*
	 * As long as people have not decided, more changes on top would only make the request
	 * harder to merge.
	 */
	if (s->row.waiting != NULL) {
		wait_for_conflict(s);
		return STOPPED;
	}
	/* An export takes in what was synchronised before. A branch that never was is not asked for. */
	if (s->tip != NULL && (s->row.commit[0] != '\0' || s->binding) && strcmp(s->tip, s->row.commit) != 0) {
		if (s->m->beside ? !sync_untouched(s) : !take_in(s))
			return STOPPED;
		sync_read(s);
		if (s->row.waiting != NULL) {
			wait_for_conflict(s);
			return STOPPED;
		}
	}
	if (nothing_new(s))
		return PUSHED;
	/*
	 * An export that is made again warns of the same things again; the warnings since this
	 * mark go where the try is repeated.
	 */
	told = import_mark(s->m);
	if (!sync_commits(s))
		return STOPPED;
	if (s->tip != NULL && strcmp(s->last, s->tip) == 0) {
		remember_equal(s);
		return PUSHED;
	}
	/* There is no branch, and main has nothing to make a first commit of. */
	if (s->last[0] == '\0')
		return PUSHED;
	switch (push_commit(s)) {
	case PUSHED: return settle_pushed(s, s->last, s->after.seq, s->paths.files) ? PUSHED : STOPPED;
	case AGAIN:  import_unwarn(s->m, told); return AGAIN;
	default:     return STOPPED;
	}
}

/* Once a run: what does not work with a cache that was just filled will not do so a third time. */
static enum pushed
fetch_anew(struct import *m)
{
	if (!git_cache_clear(import_cache(m->arena, m->set, m->url)))
		return STOPPED;
	m->lost = false;
	m->state = m->error = NULL;
	return AGAIN;
}

bool
sync_run(struct sync *s)
{
	/* GIT_FAILED: the queue tries it again later, when there may be less traffic. */
	static const struct git_result moving = { .status = GIT_FAILED,
		.message = "the branch was moved again and again while this run worked: run it once more" };
	enum pushed got = AGAIN;
	int tries;

	s->m->ctx = s;
	for (tries = 0; tries < TRIES && got == AGAIN; tries++) {
		got = one_try(s);
		if (got == STOPPED && s->m->lost && !s->healed) {
			s->healed = true;
			got = fetch_anew(s->m);
		}
	}
	if (got == AGAIN)
		return import_failed(s->m, &moving);
	return got == PUSHED;
}
