/*
 * Checks hosts and URLs for HTTP. Contract: base/address.h.
 *
 * The rules list what is allowed and never what is forbidden: a URL whose host two parsers might
 * read differently is refused.
 */
#include <arpa/inet.h>
#include <ctype.h>
#include <string.h>

#include "base/address.h"
#include "base/arena.h"
#include "base/str.h"

/*
 * The longest host name in text, without the dot at its end (RFC 1035 section 2.3.4 allows 255
 * octets on the wire).
 */
enum { HOST_MAX_BYTES = 253, PORT_MAX = 65535 };

const char *
address_refuse_host(struct arena *a, const char *host)
{
	const char *kind = address_is_localhost(host) ? "this machine" : address_refuse_literal(host);

	return kind == NULL ? NULL : arena_printf(a, "the host %s is %s, not a public one", host, kind);
}

/* Returns the text between "://" and the path; p is NULL if the URL has another form. */
static struct str
find_authority(const char *url)
{
	size_t skip = strncasecmp(url, "https://", 8) == 0 ? 8 : strncasecmp(url, "http://", 7) == 0 ? 7 : 0;

	return skip == 0 ? (struct str){ NULL, 0 } : (struct str){ url + skip, strcspn(url + skip, "/?#") };
}

/*
 * True if s has only ASCII letters, digits and the characters in `more`. A percent-encoded host is
 * refused, since not all parsers decode it.
 */
static bool
has_host_chars(struct str s, const char *more)
{
	size_t i;

	for (i = 0; i < s.n; i++)
		if (!isalnum((unsigned char)s.p[i]) && strchr(more, s.p[i]) == NULL)
			return false;
	return s.n > 0 && s.n <= HOST_MAX_BYTES;
}

/* True for "", and for a colon with a port. A colon alone means the default port (RFC 3986 section 3.2.3). */
static bool
is_valid_port(struct str s)
{
	long n = 0;
	size_t i;

	if (s.n == 0 || s.p[0] != ':')
		return s.n == 0;
	for (i = 1; i < s.n; i++) {
		/* Check before adding a digit, so that nothing overflows. */
		if (!isdigit((unsigned char)s.p[i]) || n > PORT_MAX)
			return false;
		n = n * 10 + (s.p[i] - '0');
	}
	return s.n == 1 || (n > 0 && n <= PORT_MAX);
}

/* True if the text is an IPv6 address, without brackets. */
static bool
is_ipv6(struct str s)
{
	char text[INET6_ADDRSTRLEN];
	struct in6_addr address;

	if (s.n >= sizeof(text))
		return false;
	memcpy(text, s.p, s.n);
	text[s.n] = '\0';
	return inet_pton(AF_INET6, text, &address) == 1;
}

const char *
address_host(struct arena *a, struct str authority, const char **why)
{
	bool v6 = authority.n > 0 && authority.p[0] == '[';
	const char *end = memchr(authority.p, v6 ? ']' : ':', authority.n);
	size_t n = end == NULL ? authority.n : (size_t)(end - authority.p);
	struct str host = v6 ? str_slice(authority, 1, n) : str_slice(authority, 0, n);
	char *copy, *c;

	*why = NULL;
	if (authority.n == 0 || n == 0)
		*why = "it names no host";
	else if (v6 && (end == NULL || !is_ipv6(host)))
		*why = "its host is no IPv6 address; only these are written in brackets";
	else if (!v6 && (!has_host_chars(host, "-._") || host.p[0] == '-'))
		*why = "its host has characters that host names do not have; write letters such as \xc3\xa9 in their xn-- form";
	else if (!is_valid_port(str_slice(authority, v6 ? n + 1 : n, authority.n)))
		*why = "its port is not a number from 1 to 65535";
	if (*why != NULL)
		return NULL;
	copy = arena_strndup(a, host.p, host.n);
	for (c = copy; *c != '\0'; c++)
		*c = (char)tolower((unsigned char)*c);
	return copy;
}

const char *
address_refuse_url(struct arena *a, const char *url, bool private_hosts)
{
	struct str authority = find_authority(url);
	const char *why, *host, *c;

	if (authority.p == NULL)
		return "it does not begin with http:// or https://";
	/*
	 * Check the whole URL: a line feed in the path would begin a new header of the HTTP
	 * request.
	 */
	for (c = url; *c != '\0'; c++)
		if ((unsigned char)*c <= ' ' || *c == 0x7f)
			return "it has a blank or a control character; write it percent-encoded";
	/* The host of "http://public.example@127.0.0.1/" is not the one that it seems to be. */
	if (memchr(authority.p, '@', authority.n) != NULL)
		return "it has a user or a password, which are never sent; leave them out";
	if ((host = address_host(a, authority, &why)) == NULL)
		return why;
	return private_hosts ? NULL : address_refuse_host(a, host);
}
