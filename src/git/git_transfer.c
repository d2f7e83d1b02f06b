/*
 * A fetch, as the child process runs it: lists the remote's refs, chooses one, downloads the
 * missing objects, checks that they are complete, and moves the cache's tip.
 *
 * A crash may have damaged the cache: it cannot be opened, or an object is missing or unreadable.
 * Then the cache is emptied and everything is fetched again, once. Every error is recorded in
 * struct git_fetching, and the last line reports it to the parent.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "git_parts.h"
#include "base/child.h"

/*
 * SAY_EVERY_MS: the parent reads twice a second, so more lines would be useless, and a full pipe
 * would slow the transfer. WINDOW_BYTES: see library_limits().
 */
enum { SAY_EVERY_MS = 250, WINDOW_BYTES = 32 << 20 };

static int64_t
now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void
git_report_waiting(struct git_fetching *f, bool waits)
{
	if (f->reported_waiting != waits)
		child_say(f->out, "W %d", (int)waits);
	f->reported_waiting = waits;
}

void
git_count_bytes(struct git_fetching *f, int64_t bytes)
{
	int64_t now = now_ms();

	f->moved += bytes;
	if (now - f->bytes_reported_at < SAY_EVERY_MS)
		return;
	f->bytes_reported_at = now;
	child_say(f->out, "M %lld", (long long)f->moved);
}

/*
 * libgit2 calls this for each chunk, so both limits apply long before the pack is complete. The
 * pack's header announces total_objects: a bomb of small objects is refused at its first bytes.
 */
int
git_progress(const git_indexer_progress *p, void *payload)
{
	struct git_fetching *f = payload;
	const struct git_limits *most = &f->q->limits;
	int64_t now = now_ms();

	if (most->objects > 0 && (int64_t)p->total_objects > most->objects)
		return git_fault(f, GIT_TOO_LARGE, "the repository has %u objects, more than the limit of %lld",
		    p->total_objects, (long long)most->objects);
	if (most->bytes > 0 && (int64_t)p->received_bytes > most->bytes)
		return git_fault(f, GIT_TOO_LARGE, "the repository is larger than the limit of %lld bytes",
		    (long long)most->bytes);
	/*
	 * The pack is complete. Indexing it is work of this process, to which the minimum rate does
	 * not apply.
	 */
	if (p->total_objects > 0 && p->received_objects == p->total_objects)
		git_report_waiting(f, false);
	if (now - f->progress_at < SAY_EVERY_MS)
		return 0;
	f->progress_at = now;
	child_say(f->out, "P %u %u %zu", p->received_objects, p->total_objects, p->received_bytes);
	return 0;
}

/*
 * The request's own credentials win: credentials in a URL may be old ones that were stored
 * elsewhere.
 */
const char *
git_user_of(const struct git_fetching *f)
{
	return f->q->username != NULL ? f->q->username : f->url.username;
}

const char *
git_password_of(const struct git_fetching *f)
{
	return f->q->password != NULL ? f->q->password : f->url.password;
}

/*
 * Offers a key of ssh_home, the newer kind of key first. The keys of the account that runs the jobs
 * are not used, because they would give every caller of the API that account's access.
 */
static int
ssh_key(git_credential **out, struct git_fetching *f, const char *user)
{
	static const char *const names[] = { "id_ed25519", "id_rsa" };
	char path[4096];
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]) && f->q->ssh_home != NULL; i++) {
		snprintf(path, sizeof(path), "%s/.ssh/%s", f->q->ssh_home, names[i]);
		if (access(path, R_OK) == 0)
			return git_credential_ssh_key_new(out, user, NULL, path, NULL);
	}
	/* The reason is recorded here, because libgit2's GIT_EAUTH does not say what was missing. */
	git_fault(f, GIT_DENIED, "the server wants a key, and none is configured (or use a password in the URL)");
	return GIT_EAUTH;
}

/*
 * libgit2 calls this when the server asks for credentials; a second call means that it refused the
 * first ones.
 */
static int
give_credentials(git_credential **out, const char *url, const char *from_url, unsigned int allowed, void *payload)
{
	struct git_fetching *f = payload;
	const char *user = git_user_of(f), *password = git_password_of(f);

	(void)url;
	(void)from_url;
	/* ssh first requests the user name alone, which does not count as an attempt. */
	if (allowed & GIT_CREDENTIAL_USERNAME)
		return git_credential_username_new(out, user == NULL ? "git" : user);
	/* Without this, libgit2 would call again for ever with the same credentials. */
	if (f->credential_requests++ > 0)
		return GIT_EAUTH;
	/*
	 * Over http, a user name alone may be a token with an empty password. Over ssh, a user name
	 * without a password means that a key is used.
	 */
	if ((allowed & GIT_CREDENTIAL_USERPASS_PLAINTEXT) &&
	    (password != NULL || (user != NULL && f->url.scheme != SCHEME_SSH)))
		return git_credential_userpass_plaintext_new(out, user == NULL ? "" : user,
		    password == NULL ? "" : password);
	if (allowed & GIT_CREDENTIAL_SSH_KEY)
		return ssh_key(out, f, user == NULL ? "git" : user);
	return GIT_EAUTH;
}

/*
 * Connects to the server. No proxy is used, because it would resolve the host itself and bypass the
 * check of addresses. Redirects to other hosts are not followed, for the same reason
 * (docs/design/security.md, "S9").
 */
static int
remote_connect(git_remote *remote, git_direction direction, const git_remote_callbacks *cb)
{
	git_remote_connect_options o;

	git_remote_connect_options_init(&o, GIT_REMOTE_CONNECT_OPTIONS_VERSION);
	o.callbacks = *cb;
	o.proxy_opts.type = GIT_PROXY_NONE;
	o.follow_redirects = GIT_REMOTE_REDIRECT_NONE;
	return git_remote_connect_ext(remote, direction, &o);
}

/*
 * Downloads objects only: git_remote_download() updates no reference. accept_tip() does that after
 * the check, so a killed fetch does not move the cache's tip.
 */
static int
remote_download(struct git_fetching *f, git_remote *remote, const git_remote_callbacks *cb)
{
	char spec[sizeof(f->ref) + 64], *specs[1] = { spec };
	git_strarray list = { specs, 1 };
	git_fetch_options o;

	/* "+": also after a force-push. */
	snprintf(spec, sizeof(spec), "+%s:" GIT_CACHE_TIP, f->ref);
	git_fetch_options_init(&o, GIT_FETCH_OPTIONS_VERSION);
	o.callbacks = *cb;
	o.proxy_opts.type = GIT_PROXY_NONE;
	o.follow_redirects = GIT_REMOTE_REDIRECT_NONE;
	/* By default libgit2 also downloads every tag of the history, which means more objects than requested. */
	o.download_tags = GIT_REMOTE_DOWNLOAD_TAGS_NONE;
	o.prune = GIT_FETCH_NO_PRUNE;
	o.update_fetchhead = 0;
	return git_remote_download(remote, &list, &o);
}

/* An anonymous remote: it is not stored, and url.*.insteadOf does not apply. */
static int
remote_make(struct git_fetching *f, git_repository *repo, git_remote **remote)
{
	git_remote_create_options o;

	git_remote_create_options_init(&o, GIT_REMOTE_CREATE_OPTIONS_VERSION);
	o.repository = repo;
	o.flags = GIT_REMOTE_CREATE_SKIP_INSTEADOF | GIT_REMOTE_CREATE_SKIP_DEFAULT_FETCHSPEC;
	return git_remote_create_with_opts(remote, f->url.clean, &o);
}

/*
 * The caller keeps cb: libgit2 copies the options at each call, and a push adds a callback to it.
 */
int
git_remote_begin(struct git_fetching *f, git_repository *repo, git_direction direction,
    git_remote_callbacks *cb, git_remote **remote)
{
	int e;

	git_remote_init_callbacks(cb, GIT_REMOTE_CALLBACKS_VERSION);
	cb->credentials = give_credentials;
	cb->transfer_progress = git_progress;
	cb->payload = f;
	if (f->url.scheme != SCHEME_FILE)
		cb->transport = git_listen;
	git_report_waiting(f, f->url.scheme != SCHEME_FILE);
	e = remote_make(f, repo, remote);
	return e == 0 ? remote_connect(*remote, direction, cb) : e;
}

/*
 * Sets f->unchanged, and returns it: the caller has the tip already (q->known), which is then the
 * result. Finds only tips that are commits, because q->known is a commit id, and a tag object has
 * another id.
 */
static bool
note_known_tip(struct git_fetching *f)
{
	git_oid known;

	f->unchanged = f->q->known != NULL && git_oid_fromstr(&known, f->q->known) == 0 && git_oid_equal(&known, &f->tip);
	if (f->unchanged)
		f->commit = f->tip;
	return f->unchanged;
}

static int
transfer_pack(struct git_fetching *f, git_repository *repo)
{
	git_remote_callbacks cb;
	const git_remote_head **heads;
	git_remote *remote = NULL;
	size_t count;
	int e;

	e = git_remote_begin(f, repo, GIT_DIRECTION_FETCH, &cb, &remote);
	if (e == 0)
		e = git_remote_ls(&heads, &count, remote);
	/*
	 * heads belongs to the remote and stays valid until that is freed; git_choose_ref() copies
	 * what it needs.
	 */
	if (e == 0 && !git_choose_ref(f, (const git_remote_head *const *)heads, count))
		e = -1;
	if (e == 0 && !note_known_tip(f))
		/*
		 * libgit2's local transport lists the refs of a local repository; git_local.c
		 * copies the objects.
		 */
		e = f->url.scheme == SCHEME_FILE ? git_local_copy(f, repo) : remote_download(f, remote, &cb);
	if (e != 0)
		git_fault_error(f, e);
	git_remote_free(remote);
	git_report_waiting(f, false);
	return e;
}

/* Checks the fetched objects and moves the cache's tip. */
static int
accept_tip(struct git_fetching *f, git_repository *repo)
{
	git_object *tip = NULL, *commit = NULL;
	git_reference *ref = NULL;
	int e = git_object_lookup(&tip, repo, &f->tip, GIT_OBJECT_ANY);

	if (e != 0)
		goto out;
	/*
	 * A tag may point to a tree or a blob. That is a fault of the repository and not of the
	 * cache; it is recorded, so that cache_suspect() returns false.
	 */
	if (git_object_peel(&commit, tip, GIT_OBJECT_COMMIT) != 0) {
		e = git_fault(f, GIT_NO_REF, "%s names no commit", f->ref);
		goto out;
	}
	f->commit = *git_object_id(commit);
	/*
	 * The reference is moved only after the check. The next fetch tells the server that the
	 * cache has everything below the tip, so objects that are missing there would never be
	 * sent.
	 */
	e = git_cache_complete(repo, &f->commit, f->q->limits.objects) ? 0 : -1;
	if (e == 0)
		e = git_reference_create(&ref, repo, GIT_CACHE_TIP, &f->tip, 1, NULL);
out:
	git_reference_free(ref);
	git_object_free(commit);
	git_object_free(tip);
	return e;
}

bool
git_is_object_error(const struct git_fetching *f)
{
	int k = f->klass;

	/*
	 * Errors of network, ssh and TLS are not among them: a broken connection must not lead to a
	 * second fetch of everything.
	 */
	return k == GIT_ERROR_ODB || k == GIT_ERROR_REPOSITORY || k == GIT_ERROR_REFERENCE || k == GIT_ERROR_OBJECT ||
	    k == GIT_ERROR_ZLIB || k == GIT_ERROR_INDEXER || k == GIT_ERROR_CONFIG || k == GIT_ERROR_TREE ||
	    k == GIT_ERROR_OS;
}

static bool
cache_suspect(const struct git_fetching *f)
{
	/*
	 * A damaged cache is no explanation if the cache was empty: a second try would only repeat
	 * the transfer. Nor if the status is another than GIT_FAILED: then the cause is known, and
	 * on the other side.
	 */
	if (f->fresh || (f->status != GIT_DONE && f->status != GIT_FAILED))
		return false;
	return git_is_object_error(f);
}

/* One try. False: the cache seems to be damaged, so another try with an empty cache makes sense. */
static bool
try_fetch(struct git_fetching *f)
{
	git_repository *repo = NULL;
	int e;

	f->klass = GIT_ERROR_NONE;
	e = git_cache_open(f, &repo);
	if (e == 0)
		e = transfer_pack(f, repo);
	/*
	 * If git_cache_open() recorded a cause itself (no directory, no lock), the content of the
	 * cache is not the cause.
	 */
	else if (f->status == GIT_DONE)
		f->klass = GIT_ERROR_REPOSITORY;
	if (e == 0 && !f->unchanged) {
		e = accept_tip(f, repo);
		if (e != 0)
			f->klass = GIT_ERROR_ODB;
	}
	/* Effective only if no cause was recorded yet: git_fault() keeps the first error. */
	if (e != 0)
		git_fault(f, GIT_FAILED, "the fetched commit is incomplete");
	git_repository_free(repo);
	return e == 0 || !cache_suspect(f);
}

/*
 * Makes at most two tries, in one process and within one time limit. The lock is held across both,
 * so that no other process uses the empty cache in between.
 */
static void
fetch_all(struct git_fetching *f)
{
	if (try_fetch(f))
		return;
	f->status = GIT_DONE;
	f->why[0] = '\0';
	/* The second try connects again, and the server asks for credentials again. */
	f->credential_requests = 0;
	if (git_cache_wipe(f))
		try_fetch(f);
	else
		git_fault(f, GIT_FAILED, "the cache is damaged and cannot be emptied");
}

/*
 * True if the repository of the other side is unreadable, now and in each further try. This is known
 * only of a repository on this machine (file:), where no connection can break, and only if the cache
 * was empty (fresh), so that it cannot be the cause. GIT_ERROR_OS is excluded: a full disk is
 * temporary.
 */
static bool
is_lasting(const struct git_fetching *f)
{
	return f->status == GIT_FAILED && f->url.scheme == SCHEME_FILE && f->fresh && f->klass != GIT_ERROR_OS &&
	    git_is_object_error(f);
}

bool
git_is_private(const struct git_fetching *f)
{
	return f->url.scheme == SCHEME_HTTPS || f->url.scheme == SCHEME_SSH;
}

/*
 * Initialises libgit2. The parent may have done so, and a forked process must not share the random
 * state of its TLS and ssh. For encrypted connections libgit2 is therefore initialised again, which
 * takes longer than reading the tip of a branch; for others it is not.
 */
static bool
library_begin(const struct git_fetching *f)
{
	int n;

	if (f->url.scheme == SCHEME_HTTPS)
		git_certificates_want();
	n = git_is_private(f) ? git_libgit2_init() : 0;
	/* n is 1 if the parent had not initialised it. */
	if (n > 1)
		while (n-- > 0)
			git_libgit2_shutdown();
	return git_library_start();
}

static void
library_limits(const struct git_fetching *f)
{
	const struct git_limits *most = &f->q->limits;
	/*
	 * libgit2 1.5 reads certificates from a path set at build time; OpenSSL's variable
	 * SSL_CERT_FILE names another.
	 */
	const char *ca = f->url.scheme == SCHEME_HTTPS ? getenv("SSL_CERT_FILE") : NULL;

	/*
	 * fsync: the tip is written last, and must not reach the disk before its objects. Otherwise
	 * a crash of the machine would leave a cache that seems complete.
	 */
	git_libgit2_opts(GIT_OPT_ENABLE_FSYNC_GITDIR, 1);
	if (most->objects > 0)
		git_libgit2_opts(GIT_OPT_SET_PACK_MAX_OBJECTS, (size_t)most->objects);
	/* libgit2's mapping windows are gigabytes by default, and count against RLIMIT_AS. */
	if (most->memory > 0) {
		git_libgit2_opts(GIT_OPT_SET_MWINDOW_SIZE, (size_t)WINDOW_BYTES);
		git_libgit2_opts(GIT_OPT_SET_MWINDOW_MAPPED_LIMIT, (size_t)most->memory / 4);
	}
	if (ca != NULL && ca[0] != '\0')
		git_libgit2_opts(GIT_OPT_SET_SSL_CERT_LOCATIONS, ca, NULL);
}

int
git_transfer(struct git_fetching *f, int out)
{
	char commit[GIT_OID_HEXSZ + 1] = "-";

	f->out = out;
	/* In a child process, so the caller's umask and HOME do not change. */
	umask(077);
	if (f->q->ssh_home != NULL)
		/* libgit2 finds .ssh/known_hosts by HOME, so set it before libgit2 starts. */
		setenv("HOME", f->q->ssh_home, 1);
	if (!library_begin(f)) {
		git_fault(f, GIT_FAILED, "libgit2 does not start");
	} else {
		library_limits(f);
		/*
		 * The address is checked before anything is read and before any connection is made,
		 * so that nothing is sent to a refused address.
		 */
		if (f->url.scheme == SCHEME_FILE ? git_local_check(f) == 0 : git_stream_guard(f) == 0)
			(f->push != NULL ? git_push_all : fetch_all)(f);
		else
			git_fault(f, GIT_FAILED, "the transfer could not be prepared");
	}
	/* GIT_NOT_FOUND is permanent, so the caller does not try again. The message stays. */
	if (f->push == NULL && is_lasting(f))
		f->status = GIT_NOT_FOUND;
	if (f->status == GIT_DONE)
		git_oid_tostr(commit, sizeof(commit), &f->commit);
	/*
	 * "-" stands for an empty field, which the parent's sscanf() could not read. The message is
	 * last, because it may contain blanks.
	 */
	child_say(out, "R %d %s %s %s", (int)f->status, commit, f->status == GIT_DONE ? f->ref : "-",
	    f->status == GIT_DONE ? "" : f->why);
	return 0;
}
