/*
 * A push, as the child process runs it: checks the branch, and moves it if it is still at the
 * commit that the caller saw. It is never a forced push. The server gets the branch's old commit
 * and accepts the new one only if the branch is still there; libgit2 itself refuses everything but
 * a fast-forward.
 */
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "git_parts.h"

/*
 * True if the server's text means that another client pushed first; any other text is a rule of the
 * server.
 */
static bool
is_moved_branch(const char *status)
{
	/*
	 * The protocol has no codes for this. A server sends "ng <ref> <text>" in its report-status
	 * (gitprotocol-pack(5)), and the text is git's, libgit2's or the host's own. Any text that
	 * is not in this list means GIT_REFUSED, which is not tried again.
	 */
	static const char *const words[] = { "fetch first", "non-fast-forward", "failed to update ref",
		"cannot lock ref", "failed to lock", "stale info", "incorrect old value", "reference already exists" };
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcasestr(status, words[i]) != NULL)
			return true;
	return false;
}

/*
 * libgit2 calls this for each reference of the push; status NULL means that the server accepted it.
 */
static int
note_update(const char *ref, const char *status, void *payload)
{
	struct git_fetching *f = payload;

	(void)ref;
	if (status == NULL)
		return 0;
	if (is_moved_branch(status))
		return git_fault(f, GIT_MOVED, "the branch was moved by somebody else: %.200s", status);
	/*
	 * The message contains the server's text, which alone names the rule; git_scrub() removes
	 * secrets and control characters from it.
	 */
	return git_fault(f, GIT_REFUSED, "the server does not take the push: %.300s (is the branch protected, or "
	    "may this user not write?)", status);
}

/* The pack is complete and is being sent: from here the process waits for the other side. */
static int
note_sending(unsigned int current, unsigned int total, size_t bytes, void *payload)
{
	(void)current;
	(void)total;
	(void)bytes;
	git_report_waiting(payload, true);
	return 0;
}

/*
 * Returns 0 if the branch of the remote is still at `old`, the commit that the caller saw (NULL:
 * there was no branch), otherwise the error GIT_MOVED.
 */
static int
check_branch(struct git_fetching *f, const git_remote_head *const *heads, size_t count, const git_oid *old)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (strcmp(heads[i]->name, f->q->ref) == 0)
			return old != NULL && git_oid_equal(&heads[i]->oid, old) ? 0 :
			    git_fault(f, GIT_MOVED, "the branch was moved by somebody else");
	return old == NULL ? 0 : git_fault(f, GIT_MOVED, "the branch was deleted by somebody else");
}

static int
upload_commit(struct git_fetching *f, git_remote *remote, git_remote_callbacks *cb, git_repository *repo,
    const git_oid *commit)
{
	char local[200], spec[sizeof(f->ref) + 256], *specs[1] = { spec };
	git_strarray list = { specs, 1 };
	git_reference *ref = NULL;
	git_push_options o;
	int e;

	/*
	 * The name contains the process id: two spaces may push from one cache at the same time.
	 * git_choose_ref() does not see it, since it reads the list of the remote.
	 */
	snprintf(local, sizeof(local), GIT_PUSH_REFS "%ld", (long)getpid());
	snprintf(spec, sizeof(spec), "%s:%s", local, f->q->ref);
	e = git_reference_create(&ref, repo, local, commit, 1, NULL);
	if (e != 0)
		return e;
	git_push_options_init(&o, GIT_PUSH_OPTIONS_VERSION);
	cb->push_update_reference = note_update;
	cb->push_transfer_progress = note_sending;
	o.callbacks = *cb;
	o.pb_parallelism = 1;
	o.proxy_opts.type = GIT_PROXY_NONE;
	o.follow_redirects = GIT_REMOTE_REDIRECT_NONE;
	e = git_remote_upload(remote, &list, &o);
	git_reference_delete(ref);
	git_reference_free(ref);
	/*
	 * libgit2 has compared with the list of refs itself, without a request to the server;
	 * note_update() is not called then.
	 */
	if (e == GIT_ENONFASTFORWARD)
		git_fault(f, GIT_MOVED, "the branch was moved by somebody else");
	return e;
}

/*
 * Records that an object of the commit is damaged, for example empty after a power failure. The
 * commit cannot be made again, since the damaged file exists.
 */
static void
report_damaged_cache(struct git_fetching *f)
{
	if (f->status == GIT_FAILED && git_is_object_error(f))
		f->status = GIT_DAMAGED;
}

/* old NULL: the branch must not exist. Every failure is recorded in f. */
static int
push_branch(struct git_fetching *f, git_repository *repo, const git_oid *commit, const git_oid *old)
{
	git_remote_callbacks cb;
	const git_remote_head **heads;
	git_remote *remote = NULL;
	size_t count;
	int e;

	if (f->url.scheme == SCHEME_FILE)
		return git_local_push(f, repo, commit, old);
	e = git_remote_begin(f, repo, GIT_DIRECTION_PUSH, &cb, &remote);
	if (e == 0)
		e = git_remote_ls(&heads, &count, remote);
	if (e == 0)
		e = check_branch(f, (const git_remote_head *const *)heads, count, old);
	git_report_waiting(f, false);
	if (e == 0)
		e = upload_commit(f, remote, &cb, repo, commit);
	if (e != 0)
		git_fault_error(f, e);
	git_remote_free(remote);
	return e;
}

void
git_push_all(struct git_fetching *f)
{
	git_repository *repo = NULL;
	git_oid commit = { { 0 } }, old;
	int e;

	/*
	 * The lock is a shared one: a push removes nothing from the cache, and several processes
	 * may add loose objects and references. A fetch, which may empty the cache, waits.
	 */
	f->lock = git_cache_lock(f->q->cache, LOCK_SH);
	e = f->lock < 0 ? -1 : git_repository_open_bare(&repo, f->q->cache);
	if (e == 0)
		e = git_oid_fromstr(&commit, f->push);
	if (e == 0 && f->old != NULL)
		e = git_oid_fromstr(&old, f->old);
	if (e == 0)
		e = push_branch(f, repo, &commit, f->old == NULL ? NULL : &old);
	if (e != 0) {
		git_fault_error(f, e);
		report_damaged_cache(f);
	} else
		/* git_refuse_ref() limited it to 200 bytes, so it is never cut. */
		snprintf(f->ref, sizeof(f->ref), "%s", f->q->ref);
	f->commit = commit;
	git_repository_free(repo);
}
