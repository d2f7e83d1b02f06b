/*
 * Fetches a file over http or https from an address that a user chose. Such an address may be an
 * attack: it may name this machine or its network in any spelling; its host may resolve to such an
 * address, at once or a moment later; it may redirect there; or the server may be silent or send
 * without end.
 *
 * Rules of a fetch
 * - The URL must pass address_refuse_url() (base/address.h), with which the API also checks users'
 *   input. There is no proxy, no cookie and no configuration file.
 * - The host is resolved here, once for each hop. If any of its addresses is not public (and
 *   private_hosts is off), no connection is made. The connection goes to one of these addresses,
 *   and the socket's address is checked again before it is opened.
 * - Redirects are followed here, not by libcurl, under the same rules.
 * - The limits of time and size hold for all hops together. The size counts the bytes written, so a
 *   compressed answer cannot exceed it. A server that sends more slowly than the minimum rate ends
 *   the fetch earlier; after a POST the server may use all of the time.
 * - The body goes into a file, never into memory.
 */
#ifndef OCTAVO_FETCH_H
#define OCTAVO_FETCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"

enum { FETCH_ADDRESSES = 16, FETCH_ADDRESS_TEXT = 64 };

/* Replaces the network in tests. */
struct fetch_network {
	/* Resolves a host to addresses as text, at most FETCH_ADDRESSES; returns their number. */
	size_t (*resolve)(void *ctx, const char *host, char out[][FETCH_ADDRESS_TEXT]);
	/* Replaces an address that passed the checks before the connection. May be NULL. */
	void   (*reroute)(void *ctx, void *sockaddr, unsigned *length);
	/* True if the address belongs to this machine. NULL: ask the system. */
	bool   (*is_here)(void *ctx, const void *sockaddr);
	void    *ctx;
};

struct fetch_request {
	const char *url;
	const char *file;          /* path; created, or truncated */
	const char *etag;          /* ETag of the copy that the caller has: fetch only if it changed; or NULL */
	const char *modified;      /* Last-Modified of that copy; or NULL */
	const char *accept;        /* media types; NULL: any */
	/*
	 * A body to POST. After a redirect it is sent again only if scheme, host, port and method
	 * stay the same; other redirects are refused, because the body may contain a key. p NULL: GET
	 */
	struct str  post;
	const char *post_type;     /* its media type; NULL: application/json */
	const char *method;        /* NULL: GET, or POST with a body */
	/*
	 * Additional headers, NULL-terminated lines without a line break; NULL: none. If set, the
	 * body gets no default type, since these headers may contain one.
	 */
	const char *const *headers;
	/*
	 * Returns any answer of the server with its headers. Redirects are not followed, so that
	 * neither headers nor body reach another server.
	 */
	bool        verbatim;
	bool        elsewhere;     /* public addresses of this machine itself are refused, unless private_hosts are allowed */
	const char *authorization; /* value of the header Authorization, in one line; sent to url itself and not to redirects; NULL: none */
	bool        private_hosts; /* loopback and private addresses are allowed */
	bool        private_first; /* loopback and private addresses are allowed for url itself (an admin's setting), but not for redirects */
	int         seconds;       /* limit for all hops together */
	int64_t     rate;          /* minimum bytes a second from the server; below 1: 1 */
	int         patience;      /* number of seconds for which the server may be slower; 0: 30; at most half of `seconds` */
	int64_t     bytes;         /* largest body */
	int         redirects;     /* largest number of redirects */
	/* It is called about once a second; false cancels. May be NULL. */
	bool      (*progress)(void *ctx, int64_t received);
	void       *ctx;
	const struct fetch_network *network;   /* for tests; NULL: the real network */
};

enum fetch_status {
	FETCH_DONE,        /* the body is in the file */
	FETCH_UNCHANGED,   /* 304 */
	FETCH_REFUSED,     /* the address, or that of a redirect, is not allowed */
	FETCH_FAILED,      /* no such host, no connection, or an HTTP status of an error */
	FETCH_TOO_LARGE,
	FETCH_TIMEOUT,
	FETCH_CANCELLED
};

struct fetch_result {
	enum fetch_status status;
	int               http;      /* HTTP status of the last answer; 0: none */
	int64_t           bytes;
	const char       *url;       /* of the last hop */
	const char       *etag;      /* NULL: none */
	const char       *modified;  /* NULL: none */
	struct str        headers;   /* of a verbatim answer: its lines, beginning with the status line */
	const char       *message;   /* after a failure: one sentence */
};

/* Fetches a file. Blocks. Texts of the result are in the arena. */
struct fetch_result fetch(struct arena *a, const struct fetch_request *q);

#endif
