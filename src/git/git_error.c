/*
 * The error of a fetch: a status that separates permanent from transient errors, and one line for
 * the admin.
 *
 * The first cause that is recorded wins: a refused address, a limit, a broken connection or a
 * server's message is recorded where it is detected, before libgit2 wraps it. For other errors,
 * class and code of libgit2's error decide whether to try again (status_by_class()). Its code is -1
 * for a 404 as well as for a redirect loop, so a table of its messages gives permanent errors an
 * exact meaning and plain words.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "git_parts.h"
#include "base/utf8.h"

static const struct {
	const char     *needle;
	enum git_status status;
	const char     *meaning;
/*
 * Substrings of libgit2 1.5's messages and of servers' messages that it passes on; the first match
 * decides. If a text is missing, the message is only less clear.
 */
} meanings[] = {
	{ "status code: 401", GIT_DENIED, "the server asks for a user name and a password" },
	{ "status code: 403", GIT_DENIED, "the server denies access" },
	{ "status code: 407", GIT_DENIED, "a proxy asks for a password" },
	{ "status code: 404", GIT_NOT_FOUND, "there is no repository at this URL" },
	{ "status code: 410", GIT_NOT_FOUND, "there is no repository at this URL any more" },
	/*
	 * libgit2 complains about the content type when a web page, such as a log-in page, answers
	 * instead of the smart protocol.
	 */
	{ "content-type", GIT_NOT_FOUND, "the server at this URL does not answer as a git repository" },
	{ "remote error", GIT_NOT_FOUND, "the server refuses this repository" },
	{ "not appear to be a git repository", GIT_NOT_FOUND, "there is no repository at this URL" },
	/* Without the first letter, which some hosts write in upper case. */
	{ "epository not found", GIT_NOT_FOUND, "there is no repository at this URL, or it is private" },
	{ "cannot redirect", GIT_BAD_URL, "the server redirects elsewhere; use that address" },
	{ "unexpected redirect", GIT_BAD_URL, "the server redirects in the middle of a transfer" },
	{ "redirect without location", GIT_BAD_URL, "the server redirects to nowhere" },
	{ "malformed URL", GIT_BAD_URL, "the server redirects to something that is no repository's URL" },
	{ "too many redirects", GIT_BAD_URL, "the server redirects in a circle, or asks for the password again and again" },
	{ "unsupported URL protocol", GIT_BAD_URL, "this kind of URL is not supported" },
	{ "hostkey", GIT_DENIED, "the server's ssh host key is not in known_hosts" },
	{ "requires authentication that we do not support", GIT_DENIED, "the server wants a login that is not supported" },
	{ "too many objects", GIT_TOO_LARGE, "the repository has more objects than the limit allows" },
	/* With RLIMIT_AS, mmap fails first, because packs are mapped. */
	{ "mmap", GIT_TOO_LARGE, "the repository needs more memory than the limit allows" },
	{ "Out of memory", GIT_TOO_LARGE, "the repository needs more memory than the limit allows" },
};

int
git_fault(struct git_fetching *f, enum git_status status, const char *fmt, ...)
{
	va_list ap;

	/*
	 * A later error is usually a consequence of the first. GIT_DONE is zero: no error recorded.
	 */
	if (f->status != GIT_DONE)
		return -1;
	f->status = status;
	va_start(ap, fmt);
	vsnprintf(f->why, sizeof(f->why), fmt, ap);
	va_end(ap);
	/* libgit2 expects that a failing callback sets an error. */
	git_error_set_str(GIT_ERROR_CALLBACK, f->why);
	return -1;
}

/* Three cases with different remedies: another key, any credentials, or other credentials. */
static void
fault_denied(struct git_fetching *f)
{
	if (f->url.scheme == SCHEME_SSH)
		git_fault(f, GIT_DENIED, "the server does not accept this user with the key or password that was tried");
	else if (f->q->username == NULL && f->q->password == NULL && f->url.username == NULL && f->url.password == NULL)
		git_fault(f, GIT_DENIED, "the server asks for a user name and a password: the repository is private,"
		    " or there is none at this URL");
	else
		git_fault(f, GIT_DENIED, "the server does not accept this user name and password");
}

/* The HTTP status that libgit2 puts at the end of its message; 0: none. */
static int
http_status(const char *text)
{
	size_t n = strlen(text), k = n;

	while (k > 0 && text[k - 1] >= '0' && text[k - 1] <= '9')
		k--;
	return n - k == 3 ? (int)strtol(text + k, NULL, 10) : 0;
}

/*
 * True for the statuses of a busy or restarting server (RFC 9110); for any other, another try would
 * get the same.
 */
static bool
http_passes(int status)
{
	return status == 408 || status == 425 || status == 429 || (status >= 500 && status != 501 && status != 505);
}

/*
 * Decides whether an error is transient. Octavo makes all connections but those of ssh
 * (git_stream.c), and records a refused or broken connection itself. What is left are answers of
 * the other side, which are permanent: an HTTP status (with exceptions), a protocol that is not
 * git's, or no TLS, unless the other side closed the connection early. For ssh, libgit2 reports
 * GIT_EEOF if the program on the server ended with a message; all other errors of ssh are unknown.
 * Unknown errors are tried again.
 */
static enum git_status
status_by_class(const struct git_fetching *f, int error, int klass, const char *text)
{
	bool ended = f->ended || error == GIT_EEOF;
	int status = klass == GIT_ERROR_HTTP ? http_status(text) : 0;

	if (klass == GIT_ERROR_SSH)
		return error == GIT_EEOF ? GIT_NOT_FOUND : GIT_FAILED;
	if (f->url.scheme == SCHEME_SSH || f->url.scheme == SCHEME_FILE)
		return GIT_FAILED;
	if (status != 0)
		return http_passes(status) ? GIT_FAILED : GIT_NOT_FOUND;
	if (klass == GIT_ERROR_SSL)
		return ended ? GIT_FAILED : GIT_DENIED;
	return !ended && (klass == GIT_ERROR_HTTP || klass == GIT_ERROR_NET) ? GIT_NOT_FOUND : GIT_FAILED;
}

static void
fault_by_class(struct git_fetching *f, int error, int klass, const char *text)
{
	enum git_status status = status_by_class(f, error, klass, text);

	if (status == GIT_DENIED)
		git_fault(f, status, "the server does not answer with TLS (%.200s)", text);
	else if (status == GIT_NOT_FOUND && klass == GIT_ERROR_SSH)
		git_fault(f, status, "the server refuses this repository (%.200s)", text);
	else if (status == GIT_NOT_FOUND)
		git_fault(f, status, "the server at this URL does not answer as a git repository (%.200s)", text);
	else
		git_fault(f, status, "the fetch failed: %.300s", text);
}

/*
 * Keeps the class of libgit2's error beside the status, for cache_suspect(). Call it right after
 * the failing call: libgit2 keeps only the last error of a thread.
 */
void
git_fault_error(struct git_fetching *f, int error)
{
	const git_error *e = git_error_last();
	const char *text = e == NULL || e->message == NULL ? "unknown error" : e->message;
	size_t i;

	if (f->status != GIT_DONE)
		return;
	f->klass = e == NULL ? GIT_ERROR_NONE : e->klass;
	if (error == GIT_EAUTH) {
		fault_denied(f);
		return;
	}
	/* If there was no memory for the message, the text may be empty or that of an earlier error. */
	if (e != NULL && e->klass == GIT_ERROR_NOMEMORY)
		text = "Out of memory";
	for (i = 0; i < sizeof(meanings) / sizeof(meanings[0]); i++) {
		if (strstr(text, meanings[i].needle) != NULL) {
			git_fault(f, meanings[i].status, "%s (%.200s)", meanings[i].meaning, text);
			return;
		}
	}
	/* This is tested after the table, in which libgit2's own certificate errors have a more exact meaning. */
	if (error == GIT_ECERTIFICATE)
		git_fault(f, GIT_DENIED, "the server's certificate is not valid for this host, or is not issued by a trusted authority"
		    " (is ca-certificates installed?)");
	else
		fault_by_class(f, error, f->klass, text);
}

/* Length of the longest secret with which text begins; 0: none. */
static size_t
secret_at(const char *text, const char *const *secrets, size_t count)
{
	size_t i, n, best = 0;

	for (i = 0; i < count; i++) {
		n = secrets[i] == NULL ? 0 : strlen(secrets[i]);
		if (n > best && strncmp(text, secrets[i], n) == 0)
			best = n;
	}
	return best;
}

/*
 * Works in place: the replacement of a secret is never longer than the secret. Control characters
 * are replaced, too: with them a server could add lines to a log, or send commands to the terminal
 * of the person who reads it.
 */
void
git_scrub(char *text, const char *const *secrets, size_t count)
{
	char *in = text, *out = text;
	uint32_t cp;
	size_t n;

	while (*in != '\0') {
		n = secret_at(in, secrets, count);
		if (n > 0) {
			memset(out, '*', n < 3 ? n : 3);
			out += n < 3 ? n : 3;
			in += n;
			continue;
		}
		n = utf8_next(str_of(in), &cp);
		if (n == 0 || cp < 0x20 || (cp >= 0x7f && cp < 0xa0)) {
			*out++ = '?';
			in += n == 0 ? 1 : n;
			continue;
		}
		memmove(out, in, n);
		out += n;
		in += n;
	}
	*out = '\0';
}
