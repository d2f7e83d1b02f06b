/*
 * What went wrong in a fetch: a status that tells permanent from transient,
 * and one line for the admin.
 *
 * libgit2 1.5 says most things in words only (its code is -1 for a 404 as for
 * a dead network), so its messages are matched here, in one table. The first
 * cause that is noted wins: what is known at its source (a refused address, a
 * limit) is noted there, before libgit2 wraps it up.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "git_parts.h"
#include "base/utf8.h"

static const struct {
	const char     *needle;
	enum git_status status;
	const char     *meaning;
/*
 * Substrings of libgit2 1.5's messages and of what servers send through it; the first hit decides.
 * A text that is missing costs only a second try: the status is GIT_FAILED then.
 */
} meanings[] = {
	{ "status code: 401", GIT_DENIED, "the server asks for a user name and a password" },
	{ "status code: 403", GIT_DENIED, "the server denies access" },
	{ "status code: 407", GIT_DENIED, "a proxy asks for a password" },
	{ "status code: 404", GIT_NOT_FOUND, "there is no repository at this URL" },
	{ "status code: 410", GIT_NOT_FOUND, "there is no repository at this URL any more" },
	/*
	 * libgit2 complains of the content type where a web page answers instead of the smart
	 * protocol, the log-in page of a host, say.
	 */
	{ "content-type", GIT_NOT_FOUND, "what answers at this URL is not a git repository" },
	{ "remote error", GIT_NOT_FOUND, "the server refuses this repository" },
	{ "not appear to be a git repository", GIT_NOT_FOUND, "there is no repository at this URL" },
	/* Without its first letter: hosts write it large or small. */
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
	/* RLIMIT_AS lets mmap fail first, for packs are mapped. */
	{ "mmap", GIT_TOO_LARGE, "the repository needs more memory than the limit allows" },
	{ "Out of memory", GIT_TOO_LARGE, "the repository needs more memory than the limit allows" },
};

int
git_fault(struct git_fetching *f, enum git_status status, const char *fmt, ...)
{
	va_list ap;

	/*
	 * A later error is usually the consequence of the first. GIT_DONE is zero and means that
	 * nothing is noted.
	 */
	if (f->status != GIT_DONE)
		return -1;
	f->status = status;
	va_start(ap, fmt);
	vsnprintf(f->why, sizeof(f->why), fmt, ap);
	va_end(ap);
	/* libgit2 complains where a callback fails and no error is set. */
	git_error_set_str(GIT_ERROR_CALLBACK, f->why);
	return -1;
}

/*
 * Says which of three things happened, for they need different remedies: another key,
 * credentials at all, or other credentials.
 */
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

/*
 * Keeps the class of libgit2's error beside the status, for cache_suspect(). Wants to be called
 * right after the failing call: libgit2 keeps one last error a thread.
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
	/* Its text may be empty or a leftover where there was no memory to write one. */
	if (e != NULL && e->klass == GIT_ERROR_NOMEMORY)
		text = "Out of memory";
	for (i = 0; i < sizeof(meanings) / sizeof(meanings[0]); i++) {
		if (strstr(text, meanings[i].needle) != NULL) {
			git_fault(f, meanings[i].status, "%s (%.200s)", meanings[i].meaning, text);
			return;
		}
	}
	/*
	 * Behind the table: a certificate error that libgit2 words itself has a more exact
	 * meaning there.
	 */
	if (error == GIT_ECERTIFICATE)
		git_fault(f, GIT_DENIED, "the server's certificate is not valid for this host, or nobody vouches for it"
		    " (is ca-certificates installed?)");
	else
		git_fault(f, GIT_FAILED, "the fetch failed: %.300s", text);
}

/* Length of the longest secret that text begins with; 0 if none. */
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
 * In place: a secret becomes at most three characters and never more than it had, so the text
 * only gets shorter. Control characters would let a server write lines of its own into a log, or
 * drive the terminal of who reads it.
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
