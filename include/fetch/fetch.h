/*
 * Fetching a file over http or https, from an address that somebody else chose.
 * Inputs and outcomes to withstand: addresses of this machine and
 * its neighbours in any spelling, names that resolve to them, names that resolve to
 * something else a moment later, redirects to any of these, endless bodies, silence.
 *
 * Rules of a fetch
 *   - A URL that address_refuse_url() lets pass (base/address.h), by which the API judges
 *     what people send as well; no proxy, no cookies, no configuration file.
 *   - The host is resolved here, once a hop; if any of its addresses is not public (and
 *     private_hosts is off), nothing is connected. The connection goes to one of these
 *     addresses, and the socket's own address is judged once more before it is opened.
 *   - Redirects are followed by hand, each under the same rules.
 *   - The limits of time and size hold for all hops together; size counts what is
 *     written, so that a compressed answer cannot become more. A server that sends less than a
 *     least rate ends the fetch before that; one that was posted to may think about it all the time.
 *   - The body goes into a file, never into memory.
 */
#ifndef OCTAVO_FETCH_H
#define OCTAVO_FETCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

enum { FETCH_ADDRESSES = 16, FETCH_ADDRESS_TEXT = 64 };

/* What stands between a fetch and the network, for tests. */
struct fetch_network {
	/* The addresses of a host as text, at most FETCH_ADDRESSES; 0: none. */
	size_t (*resolve)(void *ctx, const char *host, char out[][FETCH_ADDRESS_TEXT]);
	/* Turns an address that was found good into the one that is connected to. May be NULL. */
	void   (*reroute)(void *ctx, void *sockaddr, unsigned *length);
	void    *ctx;
};

struct fetch_request {
	const char *url;
	const char *file;          /* made, or emptied */
	const char *etag;          /* of what is here already: fetched only if it is another; NULL */
	const char *modified;      /* likewise, its Last-Modified; NULL */
	const char *accept;        /* media types; NULL: any */
	const char *post;          /* JSON that is sent; again at redirects that keep scheme, host, port and method,
	                              others are refused: it may hold a key. NULL: GET */
	bool        private_hosts; /* loopback and private addresses are allowed */
	bool        private_first; /* they are where url itself leads: an admin's setting; not by redirects */
	int         seconds;       /* for all hops */
	int64_t     rate;          /* least bytes a second from a server that is asked; under 1: 1 */
	int         patience;      /* seconds for which it may stay below that; 0: 30; half of `seconds` at most */
	int64_t     bytes;         /* largest body */
	int         redirects;     /* most hops beyond the first */
	/* Called about once a second; false cancels. May be NULL. */
	bool      (*progress)(void *ctx, int64_t received);
	void       *ctx;
	const struct fetch_network *network;   /* NULL: the machine's own */
};

enum fetch_status {
	FETCH_DONE,        /* the body is in the file */
	FETCH_UNCHANGED,   /* 304 */
	FETCH_REFUSED,     /* the address, or one that it leads to, may not be fetched */
	FETCH_FAILED,      /* no such host, no connection, an HTTP status that is no success */
	FETCH_TOO_LARGE,
	FETCH_TIMEOUT,
	FETCH_CANCELLED
};

struct fetch_result {
	enum fetch_status status;
	int               http;      /* status of the last answer; 0: none */
	int64_t           bytes;
	const char       *url;       /* of the last hop */
	const char       *etag;      /* NULL: none */
	const char       *modified;  /* NULL: none */
	const char       *message;   /* where it is no success: one sentence */
};

/* Blocks. Texts of the result live in the arena. */
struct fetch_result fetch(struct arena *a, const struct fetch_request *q);

#endif
