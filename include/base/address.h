/*
 * Decides to which IP addresses this machine may connect when a user names a URL: only to public
 * ones. What counts is the IP address and never the spelling of the host. So a host name is
 * resolved first, each of its addresses is checked, and the connection goes to an address that was
 * checked. Also reads lists of addresses of trusted proxies.
 */
#ifndef OCTAVO_ADDRESS_H
#define OCTAVO_ADDRESS_H

#include <stdbool.h>

#include "base/str.h"

struct arena;
struct sockaddr;

/* Why a socket address is not public ("a private address"); NULL: it is public. */
const char *address_refuse(const struct sockaddr *sa);

/*
 * The same for a host that is spelled as an address, in any of inet_aton()'s forms. NULL: it is
 * public, or the host is a name.
 */
const char *address_refuse_literal(const char *host);

/*
 * The same, and also refuses localhost and the names below it. NULL: a public address, or any other
 * name.
 */
const char *address_refuse_host(struct arena *a, const char *host);

/*
 * The host of an authority without a user (RFC 3986 section 3.2), in lower case and without
 * brackets. NULL: the authority is invalid, or its port is not from 1 to 65535; *why is then a
 * clause for a message.
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
 * Returns the first invalid entry; NULL: all are valid.
 */
const char *address_list_fault(struct arena *a, const char *list);

/* True if the address is in the list. An IPv4 address that is spelled as IPv6 (::ffff:…) counts as IPv4. */
bool address_listed(const char *list, const char *address);

/*
 * The address of the client that sent a request. If the peer is not a trusted proxy, it is the
 * client. Otherwise X-Forwarded-For is read from the right: the last address that is no trusted
 * proxy is the client. What the client itself wrote into the header is further left, and never
 * counts. If an entry is no address, the search ends, and the last proxy that was found is taken
 * for the client. The result is in the arena.
 */
const char *address_client(struct arena *a, const char *proxies, const char *peer, const char *forwarded);

/* True for localhost and all names below it (RFC 6761). The name must be in lower case. */
bool address_is_localhost(const char *host);

#endif
