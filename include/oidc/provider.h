/*
 * The provider: its addresses (OpenID Connect Discovery 1.0) and its keys (RFC 7517).
 *
 * Both are fetched from the provider and cached for an hour in DIR/cache/oidc, which may be deleted
 * at any time. If the provider does not answer, this is remembered for a few seconds, so that not
 * every person who tries in that time occupies a worker until the time limit.
 *
 * The network: an admin of the machine sets the issuer of the installation, whose host may have a
 * private address (private_hosts). An admin of an organization sets that of the organization, whose
 * host must be public, as must other hosts that a provider names. Addresses are https, like the issuer; an http
 * issuer must be on this machine (base/settings.h). Redirects are not followed.
 */
#ifndef OCTAVO_OIDC_PROVIDER_H
#define OCTAVO_OIDC_PROVIDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "fetch/fetch.h"

/*
 * OIDC_BYTES: maximum length of an answer of a provider. OIDC_SECONDS: time limit for all requests
 * of one run together.
 */
enum { OIDC_BYTES = 256 << 10, OIDC_SECONDS = 10, OIDC_CACHE_MS = 3600 * 1000, OIDC_DOWN_MS = 5000 };

/* Accepted signature algorithms (RFC 7518, section 3.1), as bits. */
enum { OIDC_RS256 = 1, OIDC_PS256 = 2, OIDC_ES256 = 4 };

enum oidc_failure {
	OIDC_DOWN = 1,   /* the provider does not answer, or answers with a server error */
	OIDC_SETUP,      /* the settings do not fit the provider, or the provider lacks a necessary feature */
	OIDC_REFUSED     /* this sign-in is not valid */
};

/* One run of octavo-oidc: its input (client, time limits), and the failure of a step. */
struct oidc_run {
	struct arena *arena;
	const char   *dir;        /* data directory, for the cache; "": without a cache */
	const char   *issuer, *client, *secret;   /* secret "": a public client */
	bool          of_org;         /* the provider belongs to an organization: messages name no settings of the installation */
	bool          private_hosts;  /* the issuer's host may have a private address */
	int64_t       until;      /* when the run must end, in time_steady() */
	int64_t       now;        /* time_now() */
	enum oidc_failure failure;   /* 0: none yet */
	const char   *message;    /* one sentence without its full stop */
};

struct oidc_provider {
	const char *authorization, *token, *keys;
	const char *userinfo;     /* NULL: none */
	unsigned    algorithms;   /* bits of the accepted algorithms with which the provider signs ID tokens */
	bool        basic;        /* the secret is sent by client_secret_basic, not in the form */
	bool        sends_issuer; /* every answer to the browser has "iss" (RFC 9207) */
};

/* Records the failure and returns false. After the first call, further calls change nothing. */
bool oidc_fail(struct oidc_run *run, enum oidc_failure failure, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Makes a request under the rules above. The caller sets url, post and headers of q; the function
 * sets network, time and size. True if the provider answered; *body is then the body, and *status
 * the HTTP status.
 */
bool oidc_request(struct oidc_run *run, struct fetch_request *q, struct str *body, int *status);

/* Parses an answer as a JSON object; NULL after oidc_fail(). what: the name of the answer, for the message. */
struct cJSON;
struct cJSON *oidc_object(struct oidc_run *run, struct str text, const char *what);

/* Reads the provider's description from text, which may come from the network or the cache. */
bool oidc_read_provider(struct oidc_run *run, struct str text, struct oidc_provider *out);

/* Finds the provider of run->issuer. */
bool oidc_find_provider(struct oidc_run *run, struct oidc_provider *out);

/* Finds the provider's keys, as text. fresh: do not use the cache. */
bool oidc_find_keys(struct oidc_run *run, const struct oidc_provider *p, bool fresh, struct str *out);

#endif
