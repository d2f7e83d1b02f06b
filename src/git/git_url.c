/*
 * Checks and parses URLs and refs.
 *
 * The rules list what is allowed and never what is forbidden: a known scheme, a host of plain
 * characters, a numeric port, a path. All later code uses the parts that are found here, and
 * libgit2 gets a URL that is built from them, so that no two parsers can disagree about the host.
 * Uses neither libgit2 nor the network.
 */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/address.h"
#include "git_parts.h"
#include "base/buf.h"
#include "base/url.h"
#include "base/utf8.h"

/*
 * HOST_MAX_BYTES: the longest name that DNS can hold (RFC 1035, section 2.3.4). REF_MAX leaves
 * room for a prefix in the 256 bytes of git_fetching.ref.
 */
enum { URL_MAX = 2000, HOST_MAX_BYTES = 253, REF_MAX = 200 };

/*
 * All schemes that are accepted. git supports others, such as ext::, ftp and ssh+git; they are
 * refused, since they are missing here (docs/design/security.md, "S17").
 */
static const struct {
	const char     *name;
	enum git_scheme scheme;
} schemes[] = {
	{ "http", SCHEME_HTTP }, { "https", SCHEME_HTTPS }, { "ssh", SCHEME_SSH },
	{ "git", SCHEME_GIT }, { "file", SCHEME_FILE },
};

static const char *
scheme_name(enum git_scheme s)
{
	size_t i;

	for (i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++)
		if (schemes[i].scheme == s)
			return schemes[i].name;
	return "";
}

/*
 * RFC 3986 allows letters, digits, + - . and any case; schemes that are not in the table are
 * refused.
 */
static bool
scheme_find(struct str s, enum git_scheme *out)
{
	size_t i;

	for (i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++) {
		if (s.n == strlen(schemes[i].name) && strncasecmp(s.p, schemes[i].name, s.n) == 0) {
			*out = schemes[i].scheme;
			return true;
		}
	}
	return false;
}

static struct str
text_before(struct str s, size_t n)
{
	return str_slice(s, 0, n);
}

static struct str
text_after(struct str s, size_t n)
{
	return str_slice(s, n, s.n);
}

/* Index of the first byte that is in set, or s.n. */
static size_t
find_any(struct str s, const char *set)
{
	size_t i;

	for (i = 0; i < s.n; i++)
		if (s.p[i] != '\0' && strchr(set, s.p[i]) != NULL)
			return i;
	return s.n;
}

/* Percent-decodes; NULL for an invalid escape and for control characters, encoded or not. */
static char *
percent_decode(struct arena *a, struct str s)
{
	char *out = arena_alloc(a, s.n + 1);
	size_t i, n = 0;
	int c;

	for (i = 0; i < s.n; i++) {
		/*
		 * url_escaped() returns a negative number for an invalid escape, which the next
		 * test refuses as well.
		 */
		c = s.p[i] == '%' ? url_escaped(s, i) : (unsigned char)s.p[i];
		if (c < 0x20 || c == 0x7f)
			return NULL;
		i += s.p[i] == '%' ? 2 : 0;
		out[n++] = (char)c;
	}
	return out;
}

/*
 * Splits user and password at the first colon: a password may contain more (RFC 3986, section
 * 3.2.1). Returns NULL, or why they are refused.
 */
static const char *
userinfo_parse(struct arena *a, struct str s, struct git_url *u)
{
	size_t colon = find_any(s, ":");

	/*
	 * authority_parse() splits at the last @, other parsers at the first; refuse a URL on which
	 * they would disagree about the host.
	 */
	if (find_any(s, "@") < s.n)
		return "write an @ inside the user name or password as %40";
	u->username = percent_decode(a, text_before(s, colon));
	/*
	 * A hyphen at the beginning could be taken for an option by an ssh command
	 * (docs/design/security.md, "S17"), if another transport were ever used.
	 */
	if (u->username == NULL || u->username[0] == '-')
		return "the user name in the URL is not acceptable";
	if (u->username[0] == '\0')
		u->username = NULL;
	if (colon < s.n) {
		u->password = percent_decode(a, text_after(s, colon + 1));
		if (u->password == NULL)
			return "the password in the URL has a broken % escape (write % as %25)";
	}
	return NULL;
}

/*
 * ASCII letters and digits, as isalnum() defines them in the C locale; names in other scripts must
 * be given in their xn-- form.
 */
static bool
host_chars(struct str s, const char *more)
{
	size_t i;

	for (i = 0; i < s.n; i++)
		if (!isalnum((unsigned char)s.p[i]) && (s.p[i] == '\0' || strchr(more, s.p[i]) == NULL))
			return false;
	return true;
}

/*
 * Lower case, so that the comparison with a redirect's host and the hash of the address do not
 * depend on the spelling.
 */
static const char *
host_set(struct arena *a, struct str s, const char *more, struct git_url *u)
{
	char *h = arena_strndup(a, s.p, s.n), *c;

	if (s.n == 0)
		return "the URL has no host";
	if (s.n > HOST_MAX_BYTES || h[0] == '-' || h[0] == '.' || !host_chars(s, more))
		return "the host in the URL has a character that host names do not have"
		    " (write a name with letters like \xc3\xa9 in its xn-- form)";
	for (c = h; *c != '\0'; c++)
		*c = (char)tolower((unsigned char)*c);
	u->host = h;
	return NULL;
}

/*
 * An empty port means the scheme's default (RFC 3986, section 3.2.3). Leading zeros are removed, so
 * that 0443 and 443 are one address.
 */
static const char *
port_set(struct arena *a, struct str s, struct git_url *u)
{
	char *end, *p = arena_strndup(a, s.p, s.n);
	long n;

	if (s.n == 0)
		return NULL;
	if (s.n > 5 || !isdigit((unsigned char)p[0]))
		return "the port in the URL is not a number from 1 to 65535";
	n = strtol(p, &end, 10);
	if (*end != '\0' || n < 1 || n > 65535)
		return "the port in the URL is not a number from 1 to 65535";
	u->port = arena_printf(a, "%ld", n);
	return NULL;
}

/* [user[:password]@]host[:port] */
static const char *
authority_parse(struct arena *a, struct str s, struct git_url *u)
{
	const char *why = NULL;
	size_t at, end;

	/* Find the last @ of the authority. */
	for (at = s.n; at > 0 && s.p[at - 1] != '@'; at--)
		;
	if (at > 0) {
		why = userinfo_parse(a, text_before(s, at - 1), u);
		s = text_after(s, at);
	}
	if (why != NULL)
		return why;
	/*
	 * An IPv6 address (RFC 3986, section 3.2.2). host_chars() refuses the percent sign of zone
	 * ids, which name interfaces of this machine.
	 */
	if (s.n > 0 && s.p[0] == '[') {
		end = find_any(s, "]");
		if (end == s.n)
			return "the URL has no host";
		why = host_set(a, str_slice(s, 1, end), ":.", u);
		end++;
	} else {
		end = find_any(s, ":");
		why = host_set(a, text_before(s, end), "-._", u);
	}
	if (why != NULL || end == s.n)
		return why;
	if (s.p[end] != ':')
		return "the URL has something between host and path";
	return port_set(a, text_after(s, end + 1), u);
}

/*
 * Refuses paths that git would not accept in a URL either, or that could break out of a command on
 * the server.
 */
static const char *
path_check(struct arena *a, struct str s, enum git_scheme scheme)
{
	const char *d = percent_decode(a, s);

	if (d == NULL)
		return "the path in the URL has a broken % escape or a control character";
	/* The path of a URL begins with a slash, which alone names no repository. */
	if (s.n < 2)
		return "the URL names a host, but no repository on it";
	if (find_any(s, "?#") < s.n)
		return "the address of a repository has no ? or # part; copy the one that is offered for cloning";
	/* libgit2 puts the path between apostrophes in an ssh command, and escapes nothing. */
	if (scheme == SCHEME_SSH && strpbrk(d, "'\"`$\\;|&<>!*()") != NULL)
		return "the path in the URL has a character that is not accepted with ssh";
	return NULL;
}

/*
 * Builds the URL for libgit2 from checked parts, without credentials. The path keeps its escapes,
 * because the server decodes them.
 */
static const char *
clean_build(struct arena *a, const struct git_url *u)
{
	bool v6 = strchr(u->host, ':') != NULL;

	return arena_printf(a, "%s://%s%s%s%s%s%s", scheme_name(u->scheme), v6 ? "[" : "", u->host, v6 ? "]" : "",
	    u->port == NULL ? "" : ":", u->port == NULL ? "" : u->port, u->path);
}

static const char *
remote_parse(struct arena *a, struct str rest, struct git_url *u)
{
	/*
	 * A host also ends at ? or #: otherwise "https://good.example?@evil/" could be read in two
	 * ways. path_check() then refuses the rest.
	 */
	size_t slash = find_any(rest, "/?#");
	const char *why = authority_parse(a, text_before(rest, slash), u);
	struct str path = text_after(rest, slash);

	if (why == NULL)
		why = path_check(a, path, u->scheme);
	if (why != NULL)
		return why;
	if (u->scheme == SCHEME_GIT && (u->username != NULL || u->password != NULL))
		/*
		 * The protocol does not use them, and they would go over the network unencrypted.
		 */
		return "git:// has no user names or passwords; use https://";
	u->path = arena_strndup(a, path.p, path.n);
	u->clean = clean_build(a, u);
	return NULL;
}

const char *
git_file_url(struct arena *a, const char *path)
{
	struct buf b;

	buf_init(&b, a, 3 * strlen(path) + 8);
	buf_str(&b, "file://");
	for (; *path != '\0'; path++) {
		if (isalnum((unsigned char)*path) || strchr("/-._~", *path) != NULL)
			buf_char(&b, *path);
		else
			buf_printf(&b, "%%%02X", (unsigned)(unsigned char)*path);
	}
	return b.p;
}

/*
 * path NULL: percent_decode() refused it. git_local_path() decides by the real path whether it may
 * be read.
 */
static const char *
local_parse(struct arena *a, const char *path, struct git_url *u)
{
	if (path == NULL || path[0] != '/')
		return "a repository on this machine is named by its whole path: /srv/docs.git, or file:///srv/docs.git";
	u->scheme = SCHEME_FILE;
	u->host = "";
	u->path = path;
	u->clean = git_file_url(a, path);
	return NULL;
}

/*
 * RFC 8089 allows "localhost" as the host of a file URL; any other host would be a network share.
 */
static const char *
file_parse(struct arena *a, struct str rest, struct git_url *u)
{
	if (str_starts(rest, "localhost/"))
		rest = text_after(rest, strlen("localhost"));
	if (rest.n > 0 && rest.p[0] != '/')
		return "a file:// URL has three slashes: file:///srv/docs.git";
	return local_parse(a, percent_decode(a, rest), u);
}

/*
 * Parses user@host:path, the form in which git and its hosts write ssh addresses. colon: offset of
 * the colon before the path.
 */
static const char *
scp_parse(struct arena *a, struct str s, size_t colon, struct git_url *u)
{
	struct str path = text_after(s, colon + 1);
	const char *p;

	/*
	 * "ext::sh -c ..." has two colons in a row; a path with a leading hyphen could become an
	 * option on the server.
	 */
	if (path.n == 0 || path.p[0] == ':' || path.p[0] == '-')
		return "this is no address of a repository";
	u->scheme = SCHEME_SSH;
	/*
	 * git treats such a path as relative to the home directory. Hosts that use this form accept
	 * both, and ssh:// can only express this one.
	 */
	p = arena_printf(a, "%.*s%s%.*s", (int)colon, s.p, path.p[0] == '/' ? "" : "/", (int)path.n, path.p);
	return remote_parse(a, str_of(p), u);
}

/* Rules for all forms of address, checked before parsing. */
static const char *
bytes_check(struct str s)
{
	size_t i;

	if (s.n == 0)
		return "the URL is empty";
	if (s.n > URL_MAX)
		return "the URL is longer than 2000 bytes";
	if (s.p[0] == '-')
		return "a URL does not begin with -";
	for (i = 0; i < s.n; i++)
		if ((unsigned char)s.p[i] < 0x20 || s.p[i] == 0x7f)
			return "the URL has a control character";
	if (!utf8_valid(s))
		return "the URL is not UTF-8";
	return NULL;
}

const char *
git_url_parse(struct arena *a, const char *url, struct git_url *out)
{
	struct str s = str_of(url);
	const char *why = bytes_check(s), *sep;
	size_t stop, at;

	/*
	 * The parts are also cleared if the URL is refused: callers may read out->username, and
	 * must find NULL there.
	 */
	memset(out, 0, sizeof(*out));
	if (why != NULL)
		return why;
	if (s.p[0] == '/')
		return local_parse(a, arena_strndup(a, s.p, s.n), out);
	if (find_any(s, " \\") < s.n)
		return "a URL has no blanks or backslashes (write a blank as %20)";
	sep = strstr(url, "://");
	if (sep != NULL && find_any(s, ":/@") == (size_t)(sep - url)) {
		if (!scheme_find(text_before(s, (size_t)(sep - url)), &out->scheme))
			return "only http, https, ssh and git URLs are accepted";
		s = text_after(s, (size_t)(sep - url) + 3);
		return out->scheme == SCHEME_FILE ? file_parse(a, s, out) : remote_parse(a, s, out);
	}
	/* Anything else with a colon (ext::, C:\, host:path without a user) is ambiguous. */
	stop = find_any(s, ":/");
	at = find_any(s, "@");
	if (stop < s.n && s.p[stop] == ':' && at > 0 && at < stop)
		return scp_parse(a, s, stop, out);
	return "a URL begins with https://, http://, ssh:// or git://";
}

bool
git_split_url(struct arena *a, const char *url, const char **clean, const char **username, const char **password)
{
	struct git_url u;

	if (git_url_parse(a, url, &u) != NULL)
		return false;
	*clean = u.clean;
	*username = u.username;
	*password = u.password;
	return true;
}

/*
 * Compares whole components: "/srv/docs-old" is not below "/srv/docs". An empty root, or "/",
 * contains every path.
 */
bool
git_path_below(const char *path, const char *root)
{
	size_t n = strlen(root);

	while (n > 0 && root[n - 1] == '/')
		n--;
	return strncmp(path, root, n) == 0 && (path[n] == '\0' || path[n] == '/');
}

/* NULL if realpath() fails. */
static const char *
real_path(struct arena *a, const char *path)
{
	char buf[PATH_MAX];

	return realpath(path, buf) == NULL ? NULL : arena_strdup(a, buf);
}

/*
 * Resolves symlinks first, so a link inside the root to a place outside is refused. *why is always
 * set; it is meaningful only if NULL is returned.
 */
const char *
git_local_path(struct arena *a, const char *path, const char *file_root, const char **why)
{
	const char *root, *real;

	*why = "repositories on this machine are not accepted here; use https://";
	if (file_root == NULL)
		return NULL;
	/* A root that does not exist allows nothing: NULL differs from "". */
	root = file_root[0] == '\0' ? "" : real_path(a, file_root);
	real = real_path(a, path);
	/*
	 * A path that does not exist gets the same message, so that nothing is revealed about what
	 * is outside of the root.
	 */
	*why = "that path is not below the folder that repositories may be imported from";
	if (root == NULL || (root[0] != '\0' && (real == NULL || !git_path_below(real, root))))
		return NULL;
	*why = "there is nothing at that path";
	return real;
}

const char *
git_refuse_url(struct arena *a, const char *url, const char *file_root, bool private_hosts)
{
	struct git_url u;
	const char *why = git_url_parse(a, url, &u);

	if (why != NULL)
		return why;
	if (u.scheme == SCHEME_FILE)
		return git_local_path(a, u.path, file_root, &why) == NULL ? why : NULL;
	/*
	 * Checks literal addresses and names like localhost, without DNS, so that the API can
	 * answer at once. Resolved addresses are checked on connecting (git_stream.c).
	 */
	return private_hosts ? NULL : address_refuse_host(a, u.host);
}

/* git-check-ref-format(1), for one character and the one before it. */
static bool
ref_char_ok(unsigned char before_c, unsigned char c)
{
	if (c <= 0x20 || c == 0x7f || strchr("~^:?*[\\", c) != NULL)
		return false;
	if (c == '.' && (before_c == '.' || before_c == '/' || before_c == '\0'))
		return false;
	if (c == '/' && (before_c == '/' || before_c == '\0' || before_c == '.'))
		return false;
	return !(c == '{' && before_c == '@');
}

/*
 * True if a component ends with ".lock": that is the name of git's lock file for another reference.
 */
static bool
ref_lock_suffix(const char *ref)
{
	static const char lock[] = ".lock";
	const char *p;

	for (p = strstr(ref, lock); p != NULL; p = strstr(p + 1, lock))
		if (p[strlen(lock)] == '\0' || p[strlen(lock)] == '/')
			return true;
	return false;
}

const char *
git_refuse_ref(const char *ref)
{
	size_t i, n;

	/* NULL is the remote's HEAD. */
	if (ref == NULL)
		return NULL;
	n = strlen(ref);
	if (n == 0)
		return "the ref is empty; name a branch or a tag, or leave it out";
	if (n > REF_MAX)
		return "the ref is longer than 200 bytes";
	if (ref[0] == '-')
		return "a ref does not begin with -";
	for (i = 0; i < n; i++)
		if (!ref_char_ok(i == 0 ? '\0' : (unsigned char)ref[i - 1], (unsigned char)ref[i]))
			return "this is no name that a branch or a tag can have";
	if (ref[n - 1] == '/' || ref[n - 1] == '.' || strcmp(ref, "@") == 0 || ref_lock_suffix(ref) ||
	    strcmp(ref, "refs") == 0 || !utf8_valid(str_of(ref)))
		return "this is no name that a branch or a tag can have";
	return NULL;
}
