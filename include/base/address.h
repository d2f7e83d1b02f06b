/*
 * Which addresses this machine may be made to connect to by somebody who names a
 * URL: public ones. What counts is the address, never its spelling; so names are
 * resolved first, every answer is judged, and the connection goes to an address
 * that was judged.
 */
#ifndef OCTAVO_ADDRESS_H
#define OCTAVO_ADDRESS_H

#include <stdbool.h>

struct sockaddr;

/* What a socket address is that is not public ("a private address"); NULL: public. */
const char *address_refuse(const struct sockaddr *sa);

/* The same for a host that is a spelled address in any of inet_aton()'s forms; NULL: public, or a name. */
const char *address_refuse_literal(const char *host);

/* localhost and everything below it (RFC 6761), in lower case. */
bool address_is_localhost(const char *host);

#endif
