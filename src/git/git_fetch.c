/*
 * git_fetch() and git_push_commit(): check the request, run a child that does the work, report the result.
 *
 * The child writes one line for each message:
 *   P <received objects> <total objects> <bytes>
 *   W <1: it is waiting for the other side; 0: it is not>
 *   M <bytes through its sockets so far>     not for ssh, which has sockets of its own: there P counts
 *   R <status> <commit or -> <ref or -> <message>      once, at the end
 * A child that ends without an R line was killed or has crashed.
 */
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "git_parts.h"
#include "base/buf.h"
#include "base/child.h"
#include "base/json.h"

/*
 * FILE_SLACK: room for a pack's index and other small files, so that RLIMIT_FSIZE ends only a child
 * that ignores the byte limit. ARENA_BYTES: room for a URL of 2000 bytes in its encoded forms.
 */
enum { FILE_SLACK = 64 << 20, ARENA_BYTES = 1 << 20 };

/*
 * What the parent knows about the child: the last progress line, and whether an R line came. It
 * belongs to run_fetch(), which outlives the child.
 */
struct fetch_watch {
	struct git_fetching *f;
	struct git_result   *r;
	bool                 has_result;
	int64_t              received, total, bytes;
	int64_t              moved;      /* from the last M line */
	bool                 waiting;
	int64_t              span_start; /* ms when the minimum rate was last reached */
	int64_t              bytes_at_start; /* bytes moved by then */
	int                  slow;       /* number of seconds below the minimum rate, if the child was killed for that; otherwise 0 */
};

/*
 * Runs in the child, on a copy of the parent's memory: changes of w->r are lost, so all results are
 * written to `out`.
 */
static int
fetch_child(void *ctx, int out)
{
	struct fetch_watch *w = ctx;

	return git_transfer(w->f, out);
}

/*
 * Parses an R line. If a field is missing, w->has_result stays false, and the run counts as one that
 * ended without a result. The widths are those of commit and ref in struct git_result, without the
 * NUL.
 */
static void
result_line(struct fetch_watch *w, char *line)
{
	int status = GIT_FAILED, n = 0;

	if (sscanf(line, "R %d %40s %255s %n", &status, w->r->commit, w->r->ref, &n) < 3)
		return;
	w->has_result = true;
	w->r->status = (enum git_status)status;
	if (w->r->status != GIT_DONE)
		/* After a failure both fields are "-"; callers test for an empty string. */
		w->r->commit[0] = w->r->ref[0] = '\0';
	snprintf(w->r->message, sizeof(w->r->message), "%s", n > 0 ? line + n : "");
}

/* The larger of the two counts of bytes moved. */
static int64_t
bytes_moved(const struct fetch_watch *w)
{
	return w->moved > w->bytes ? w->moved : w->bytes;
}

static void
waits_line(struct fetch_watch *w, bool waiting)
{
	w->waiting = waiting;
	w->span_start = time_steady();
	w->bytes_at_start = bytes_moved(w);
}

static void
fetch_line(void *ctx, char *line)
{
	struct fetch_watch *w = ctx;
	long long received, total, bytes;

	if (line[0] == 'R') {
		result_line(w, line);
	} else if (line[0] == 'W') {
		waits_line(w, line[2] == '1');
	} else if (sscanf(line, "M %lld", &bytes) == 1) {
		w->moved = bytes;
	} else if (sscanf(line, "P %lld %lld %lld", &received, &total, &bytes) == 3) {
		w->received = received;
		w->total = total;
		w->bytes = bytes;
	}
}

/*
 * False if the transfer is below the minimum rate; w->slow is then the number of seconds. The rate is
 * measured over whole spans of time, so that a pause of some seconds does not count.
 */
static bool
check_rate(struct fetch_watch *w)
{
	const struct git_limits *most = &w->f->q->limits;
	int64_t now = time_steady(), span = (int64_t)most->patience * 1000;

	if (!w->waiting || most->rate <= 0 || span <= 0)
		return true;
	if (bytes_moved(w) - w->bytes_at_start >= most->rate * most->patience) {
		w->span_start = now;
		w->bytes_at_start = bytes_moved(w);
	}
	span *= w->bytes > 0 ? 1 : 2;
	w->slow = now - w->span_start > span ? (int)(span / 1000) : 0;
	return w->slow == 0;
}

/*
 * child_run() calls this twice a second; returning false kills the child with its process group.
 * The child cannot end itself: libgit2 1.5 has no time-outs that a callback could use.
 */
static bool
fetch_tick(void *ctx)
{
	struct fetch_watch *w = ctx;
	const struct git_request *q = w->f->q;

	if (!check_rate(w))
		return false;
	return q->progress == NULL || q->progress(q->ctx, w->received, w->total, w->bytes);
}

/* Sets status and message; a message that is too long is cut. Does not change commit and ref. */
static void __attribute__((format(printf, 3, 4)))
set_result(struct git_result *r, enum git_status status, const char *fmt, ...)
{
	va_list ap;

	r->status = status;
	va_start(ap, fmt);
	vsnprintf(r->message, sizeof(r->message), fmt, ap);
	va_end(ap);
}

/* Sets the result from the way the child ended, if it reported none. */
static void
result_of_child(struct fetch_watch *w, struct child_result c)
{
	struct git_result *r = w->r;
	const char *what = w->f->push != NULL ? "push" : "fetch";

	if (c.end == CHILD_CANCELLED && w->slow > 0)
		set_result(r, GIT_TIMEOUT, "the server sent and took less than %lld bytes a second (OCTAVO_LEAST_RATE) "
		    "for %d seconds", (long long)w->f->q->limits.rate, w->slow);
	else if (c.end == CHILD_CANCELLED)
		set_result(r, GIT_CANCELLED, "cancelled");
	/*
	 * Test for cancellation first: the child may have reported a commit just before it was
	 * killed, and a caller who cancelled must not get that commit. In all other cases the
	 * reported result counts.
	 */
	else if (w->has_result)
		return;
	else if (c.end == CHILD_TIMEOUT)
		set_result(r, GIT_TIMEOUT, "the %s took longer than the limit of %d seconds", what, w->f->q->limits.seconds);
	else if (c.end == CHILD_NOT_STARTED)
		set_result(r, GIT_FAILED, "no process could be started: %s", strerror(c.code));
	/* RLIMIT_FSIZE: a pack or its index exceeded file_bytes of run_fetch(). */
	else if (c.end == CHILD_SIGNALLED && c.code == SIGXFSZ)
		set_result(r, GIT_TOO_LARGE, "the repository is larger than the limit of %lld bytes",
		    (long long)w->f->q->limits.bytes);
	/*
	 * libgit2 1.5 reads through NULL when a redirect drops "?service=git-upload-pack", and
	 * would do so on each further try.
	 */
	else if (c.end == CHILD_SIGNALLED && c.code == SIGSEGV)
		set_result(r, GIT_BAD_URL, "what the server sends cannot be read, and ended the %s (if it redirects to another address,"
		    " use that one)", what);
	else if (c.end == CHILD_SIGNALLED)
		set_result(r, GIT_FAILED, "the %s was stopped by signal %d", what, c.code);
	else
		set_result(r, GIT_FAILED, "the %s ended without a result (status %d)", what, c.code);
}

/*
 * Encodes all but the unreserved characters (RFC 3986, section 2.3). A server may quote the URL in
 * its error message with the secret in this spelling, so it must be replaced, too.
 */
static const char *
percent_encode(struct arena *a, const char *s)
{
	struct buf b;

	buf_init(&b, a, 3 * strlen(s) + 1);
	buf_str(&b, "");
	for (; *s != '\0'; s++) {
		if ((*s >= '0' && *s <= '9') || (*s >= 'A' && *s <= 'Z') || (*s >= 'a' && *s <= 'z') || strchr("-._~", *s))
			buf_char(&b, *s);
		else
			buf_printf(&b, "%%%02X", (unsigned)(unsigned char)*s);
	}
	return b.n == 0 ? "" : b.p;
}

/* The value of "Authorization: Basic ...", which a hostile server could send back. */
static const char *
basic_auth(struct arena *a, const char *user, const char *password)
{
	char *plain = arena_printf(a, "%s:%s", user == NULL ? "" : user, password == NULL ? "" : password);
	size_t n = strlen(plain), m = sodium_base64_ENCODED_LEN(n, sodium_base64_VARIANT_ORIGINAL);

	return sodium_bin2base64(arena_alloc(a, m), m, (const unsigned char *)plain, n,
	    sodium_base64_VARIANT_ORIGINAL);
}

/*
 * Replaces secrets in a message. A user name that comes with a password ("git", "x-access-token")
 * is no secret, unless it is itself a token: some hosts accept a token as the user name.
 */
static void
scrub_secrets(struct arena *a, const struct git_fetching *f, char *message)
{
	const char *user = git_user_of(f), *password = git_password_of(f), *secrets[6];
	size_t n = 0;

	/* Each secret in both spellings: at most six, with the header and the cache's path. */
	if (password != NULL && password[0] != '\0') {
		secrets[n++] = password;
		secrets[n++] = percent_encode(a, password);
	}
	/*
	 * From twenty characters on it counts as a token: tokens of the known hosts are longer, and
	 * names of people rarely are.
	 */
	if (user != NULL && f->url.scheme != SCHEME_SSH && (password == NULL || strlen(user) >= 20)) {
		secrets[n++] = user;
		secrets[n++] = percent_encode(a, user);
	}
	if (user != NULL || password != NULL)
		secrets[n++] = basic_auth(a, user, password);
	/* The cache's path must not be shown either. */
	if (f->q->cache != NULL && f->q->cache[0] != '\0')
		secrets[n++] = f->q->cache;
	git_scrub(message, secrets, n);
}

/* Checks everything that can be refused without a child. False: r has the reason. */
static bool
request_check(struct arena *a, struct git_fetching *f, struct git_result *r)
{
	const struct git_request *q = f->q;
	const char *why = git_refuse_url(a, q->url, q->file_root, q->private_hosts);

	if (why == NULL)
		why = git_url_parse(a, q->url, &f->url);
	/*
	 * Use the resolved path from here on: the child must not follow a symlink that was changed
	 * after this check.
	 */
	if (why == NULL && f->url.scheme == SCHEME_FILE) {
		f->local = git_local_path(a, f->url.path, q->file_root, &why);
		if (f->local != NULL) {
			char *root = q->file_root[0] == '\0' ? NULL : realpath(q->file_root, NULL);

			f->root = root == NULL ? "" : arena_strdup(a, root);
			f->url.clean = git_file_url(a, f->local);
			why = NULL;
			free(root);
		}
	}
	if (why != NULL) {
		set_result(r, GIT_BAD_URL, "%s", why);
		return false;
	}
	why = git_refuse_ref(q->ref);
	if (why != NULL)
		set_result(r, GIT_NO_REF, "%s", why);
	return why == NULL;
}

/*
 * push: the commit to push; NULL: fetch. Every failure is in the status of the result. Frees the
 * memory that it uses.
 */
static struct git_result
run_fetch(const struct git_request *q, const char *push, const char *old)
{
	struct git_result r = { .status = GIT_FAILED };
	struct git_fetching f = { .q = q, .lock = -1, .root = "", .push = push, .old = old };
	struct fetch_watch w = { .f = &f, .r = &r };
	/*
	 * The child runs libgit2, which may fail on hostile input: a crash, an endless loop or too
	 * much memory ends only the child, and the caller gets a status.
	 */
	struct child_job job = { fetch_child, fetch_line, fetch_tick, &w, q->limits.seconds, q->limits.memory, 0 };
	struct arena *a = arena_new(ARENA_BYTES);

	f.arena = a;
	if (request_check(a, &f, &r)) {
		/* Twice: the indexer completes a thin pack with its base objects. */
		if (q->limits.bytes > 0)
			job.file_bytes = 2 * q->limits.bytes + FILE_SLACK;
		/*
		 * Initialise libgit2 once for this process and the child: the caller uses it to
		 * read the result.
		 */
		if (!git_is_private(&f) && git_library_start())
			git_libgit2_shutdown();
		result_of_child(&w, child_run(&job));
	}
	/* Secrets are removed last, and from every message, because a secret could leave only here. */
	scrub_secrets(a, &f, r.message);
	arena_free(a);
	return r;
}

struct git_result
git_fetch(const struct git_request *q)
{
	return run_fetch(q, NULL, NULL);
}

struct git_result
git_push_commit(const struct git_request *q, const char *commit, const char *old)
{
	return run_fetch(q, commit, old);
}
