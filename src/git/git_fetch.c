/*
 * git_fetch() and git_send(): check the request, let a child do the work, tell the outcome.
 *
 * What the child says, a line each:
 *   P <received objects> <total objects> <bytes>
 *   W <1: it waits for the other side from now on; 0: it does not>
 *   M <bytes that went through its sockets so far>     ssh has none of ours: there P tells
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
 * FILE_SLACK covers the index of a pack and whatever else libgit2 writes beside it, so that
 * RLIMIT_FSIZE ends a child that ignores the byte limit and no other. ARENA_BYTES holds a URL of
 * 2000 bytes in its few encoded forms.
 */
enum { FILE_SLACK = 64 << 20, ARENA_BYTES = 1 << 20 };

/*
 * What the parent knows of the child: the last progress line, and whether an R line came. It
 * belongs to run_fetch(), which outlives the child.
 */
struct fetch_watch {
	struct git_fetching *f;
	struct git_result   *r;
	bool                 said;
	int64_t              received, total, bytes;
	int64_t              moved;      /* as an M line says */
	bool                 waits;
	int64_t              since, then; /* ms when the least rate was last kept, and how much had moved by then */
	int                  slow;       /* seconds for which it did not; it was ended for that. 0: it was not */
};

/*
 * Runs in the child, with a copy of the parent's memory: what it writes to w->r is lost, so all
 * results go through `out`.
 */
static int
fetch_child(void *ctx, int out)
{
	struct fetch_watch *w = ctx;

	return git_transfer(w->f, out);
}

/*
 * Takes an R line apart. A line with fewer than three fields leaves w->said false, and the run
 * counts as one that ended without a result. The widths are those of commit and ref in struct
 * git_result, less the NUL.
 */
static void
result_line(struct fetch_watch *w, char *line)
{
	int status = GIT_FAILED, n = 0;

	if (sscanf(line, "R %d %40s %255s %n", &status, w->r->commit, w->r->ref, &n) < 3)
		return;
	w->said = true;
	w->r->status = (enum git_status)status;
	if (w->r->status != GIT_DONE)
		/* A failure carries "-" in both fields; callers test for an empty string. */
		w->r->commit[0] = w->r->ref[0] = '\0';
	snprintf(w->r->message, sizeof(w->r->message), "%s", n > 0 ? line + n : "");
}

/* The most that is known to have come or gone. */
static int64_t
bytes_moved(const struct fetch_watch *w)
{
	return w->moved > w->bytes ? w->moved : w->bytes;
}

static void
waits_line(struct fetch_watch *w, bool waits)
{
	w->waits = waits;
	w->since = time_steady();
	w->then = bytes_moved(w);
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

/* Has the other side kept the least rate? Measured over whole spans, so that no pause of some seconds counts. */
static bool
is_quick(struct fetch_watch *w)
{
	const struct git_limits *most = &w->f->q->limits;
	int64_t now = time_steady(), span = (int64_t)most->patience * 1000;

	if (!w->waits || most->rate <= 0 || span <= 0)
		return true;
	if (bytes_moved(w) - w->then >= most->rate * most->patience) {
		w->since = now;
		w->then = bytes_moved(w);
	}
	span *= w->bytes > 0 ? 1 : 2;
	w->slow = now - w->since > span ? (int)(span / 1000) : 0;
	return w->slow == 0;
}

/*
 * Called twice a second by child_run(). False kills the child with its group: libgit2 1.5 has no
 * time-outs of its own that a callback could use.
 */
static bool
fetch_tick(void *ctx)
{
	struct fetch_watch *w = ctx;
	const struct git_request *q = w->f->q;

	if (!is_quick(w))
		return false;
	return q->progress == NULL || q->progress(q->ctx, w->received, w->total, w->bytes);
}

/* Sets status and message; a message that is too long is cut. commit and ref stay as they are. */
static void __attribute__((format(printf, 3, 4)))
set_result(struct git_result *r, enum git_status status, const char *fmt, ...)
{
	va_list ap;

	r->status = status;
	va_start(ap, fmt);
	vsnprintf(r->message, sizeof(r->message), fmt, ap);
	va_end(ap);
}

/* What the child's end means where it could not say so itself. */
static void
judge_child(struct fetch_watch *w, struct child_result c)
{
	struct git_result *r = w->r;
	const char *what = w->f->push != NULL ? "push" : "fetch";

	if (c.end == CHILD_CANCELLED && w->slow > 0)
		set_result(r, GIT_TIMEOUT, "the server sent and took less than %lld bytes a second (OCTAVO_LEAST_RATE) "
		    "for %d seconds", (long long)w->f->q->limits.rate, w->slow);
	else if (c.end == CHILD_CANCELLED)
		set_result(r, GIT_CANCELLED, "cancelled");
	/*
	 * The cancellation is asked first: a child that is killed may have said its R line just
	 * before, and a caller who asked for the end does not want that commit. All other ends
	 * yield to what the child said.
	 */
	else if (w->said)
		return;
	else if (c.end == CHILD_TIMEOUT)
		set_result(r, GIT_TIMEOUT, "the %s took longer than the limit of %d seconds", what, w->f->q->limits.seconds);
	else if (c.end == CHILD_NOT_STARTED)
		set_result(r, GIT_FAILED, "no process could be started: %s", strerror(c.code));
	/* RLIMIT_FSIZE was reached: a pack, or its index, outgrew file_bytes of run_fetch(). */
	else if (c.end == CHILD_SIGNALLED && c.code == SIGXFSZ)
		set_result(r, GIT_TOO_LARGE, "the repository is larger than the limit of %lld bytes",
		    (long long)w->f->q->limits.bytes);
	/* libgit2 1.5 reads through NULL where a redirect drops "?service=git-upload-pack", and so at each further try. */
	else if (c.end == CHILD_SIGNALLED && c.code == SIGSEGV)
		set_result(r, GIT_BAD_URL, "what the server sends cannot be read, and ended the %s (if it redirects to another address,"
		    " use that one)", what);
	else if (c.end == CHILD_SIGNALLED)
		set_result(r, GIT_FAILED, "the %s was stopped by signal %d", what, c.code);
	else
		set_result(r, GIT_FAILED, "the %s ended without a result (status %d)", what, c.code);
}

/*
 * A server may quote the URL in its error text with the secret encoded as in RFC 3986; that
 * spelling has to be found as well. Encodes all but the unreserved characters (section 2.3).
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

/* As in "Authorization: Basic ...", which a hostile server could send back. */
static const char *
basic_auth(struct arena *a, const char *user, const char *password)
{
	char *plain = arena_printf(a, "%s:%s", user == NULL ? "" : user, password == NULL ? "" : password);
	size_t n = strlen(plain), m = sodium_base64_ENCODED_LEN(n, sodium_base64_VARIANT_ORIGINAL);

	return sodium_bin2base64(arena_alloc(a, m), m, (const unsigned char *)plain, n,
	    sodium_base64_VARIANT_ORIGINAL);
}

/*
 * A user name is no secret beside a password ("git", "x-access-token"), unless
 * it is a token itself: hosts take those as the user name too.
 */
static void
scrub_secrets(struct arena *a, const struct git_fetching *f, char *message)
{
	const char *user = git_user_of(f), *password = git_password_of(f), *secrets[6];
	size_t n = 0;

	/* Each secret in both spellings; with the header and the cache's path these are at most six. */
	if (password != NULL && password[0] != '\0') {
		secrets[n++] = password;
		secrets[n++] = percent_encode(a, password);
	}
	/* Twenty characters: the tokens of the known hosts are longer, names of people rarely are. */
	if (user != NULL && f->url.scheme != SCHEME_SSH && (password == NULL || strlen(user) >= 20)) {
		secrets[n++] = user;
		secrets[n++] = percent_encode(a, user);
	}
	if (user != NULL || password != NULL)
		secrets[n++] = basic_auth(a, user, password);
	/* Where this machine keeps its files is nobody's business either. */
	if (f->q->cache != NULL && f->q->cache[0] != '\0')
		secrets[n++] = f->q->cache;
	git_scrub(message, secrets, n);
}

/* Everything that can be refused without a child. False: r says why. */
static bool
request_check(struct arena *a, struct git_fetching *f, struct git_result *r)
{
	const struct git_request *q = f->q;
	const char *why = git_refuse_url(a, q->url, q->file_root, q->private_hosts);

	if (why == NULL)
		why = git_url_parse(a, q->url, &f->url);
	/*
	 * The real path goes on, not the one that was given: the child must not follow a symlink
	 * that was changed after this check.
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
 * A fetch where push is NULL, else a push of that commit. Never fails but by the result's
 * status; frees all that it takes.
 */
static struct git_result
run_fetch(const struct git_request *q, const char *push, const char *old)
{
	struct git_result r = { .status = GIT_FAILED };
	struct git_fetching f = { .q = q, .lock = -1, .root = "", .push = push, .old = old };
	struct fetch_watch w = { .f = &f, .r = &r };
	/*
	 * The child runs libgit2, which is not trusted with hostile input: a crash, an endless
	 * loop or too much memory ends the child, and the caller gets a status.
	 */
	struct child_job job = { fetch_child, fetch_line, fetch_tick, &w, q->limits.seconds, q->limits.memory, 0 };
	struct arena *a = arena_new(ARENA_BYTES);

	f.arena = a;
	if (request_check(a, &f, &r)) {
		/* Twice: a thin pack grows by the bases that the indexer appends to it. */
		if (q->limits.bytes > 0)
			job.file_bytes = 2 * q->limits.bytes + FILE_SLACK;
		/* Started once for this process and the child: the caller reads what was fetched next. */
		if (!git_is_private(&f) && git_library_start())
			git_libgit2_shutdown();
		judge_child(&w, child_run(&job));
	}
	/*
	 * Last, over every message alike, those that this process wrote included: the one place
	 * where a secret could leave.
	 */
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
git_send(const struct git_request *q, const char *commit, const char *old)
{
	return run_fetch(q, commit, old);
}
