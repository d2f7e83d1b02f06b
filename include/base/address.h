/*
 * Decides which addresses this machine may connect to when a user names a URL: public ones. The
 * address decides, never its spelling; so names are resolved first, every address is checked, and
 * the connection goes to a checked address. Also lists of addresses, for trusted proxies.
 */
#ifndef OCTAVO_ADDRESS_H
#define OCTAVO_ADDRESS_H

#include <stdbool.h>

#include "base/str.h"

struct arena;
struct sockaddr;

/* What a socket address is that is not public ("a private address"); NULL: public. */
const char *address_refuse(const struct sockaddr *sa);

/* The same for a host that is a spelled address in any of inet_aton()'s forms; NULL: public, or a name. */
const char *address_refuse_literal(const char *host);

/* Why a host that is spelled as such an address, or is localhost, is not connected to; NULL: public, or a name. */
const char *address_refuse_host(struct arena *a, const char *host);

/*
 * The host of an authority without user (RFC 3986 section 3.2), in lower case and without brackets.
 * NULL: it is none, or its port is not from 1 to 65535; *why is then a clause.
 */
const char *address_host(struct arena *a, struct str authority, const char **why);

/*
 * Why a URL is not fetched over HTTP, as a clause that says what to correct; NULL: it may be
 * fetched. Accepted: http and https; a host of letters, digits and "-._", or an IPv6 address in
 * brackets; a port; any path and query; no user and no password. A host that is spelled as an
 * address must be public, unless private_hosts is set. Nothing is resolved here: the code that
 * connects checks the addresses of a name. The message names the host at most, never credentials.
 */
const char *address_refuse_url(struct arena *a, const char *url, bool private_hosts);

/*
 * Lists of addresses: IPv4 and IPv6, alone or as ADDRESS/BITS, separated by blanks or commas.
 * The first entry of one that is neither; NULL: all are good.
 */
const char *address_list_fault(struct arena *a, const char *list);

/* Is the address in the list? An IPv4 address that is spelled as IPv6 (::ffff:…) counts as itself. */
bool address_listed(const char *list, const char *address);

/*
 * Who sent a request: the peer, or, where the peer is one of the trusted proxies, the last
 * address of X-Forwarded-For that is none of them. What a client wrote into that header
 * stands before what a trusted proxy added, and never counts. What is no address ends the
 * search: the proxy before it then is the one that is known. Allocates in the arena.
 */
const char *address_client(struct arena *a, const char *proxies, const char *peer, const char *forwarded);

/* localhost and everything below it (RFC 6761), in lower case. */
bool address_is_localhost(const char *host);

#endif
